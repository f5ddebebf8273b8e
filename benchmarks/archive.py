"""How fast an archive is filled and asked, and how that grows with what is in it.

    python benchmarks/archive.py [--runs 100000] [--rdflib 1000] [--json FILE] [--compact]
        [--topics 50]

Archives of 1,000, 10,000 and so many runs are loaded into embedded stores. Each question is
asked about a number of runs chosen at random, the same at every invocation. Machines are noisy,
so loading is put beside its two halves, lifting alone and the store's bulk loader alone, and
the questions beside rdflib, which gets the same texts of SPARQL on the same quads: compare the
ratios. Nothing here asserts a time.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, Final

import generated
import headers

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.loading import load_runs
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.query_results import Bindings, QueryResult
from primad_ld.archive.run_dependants import rankings_of
from primad_ld.archive.runs import (
    RunRecord,
    all_runs,
    fetch_records,
)
from primad_ld.archive.scores import Scoring, score_graph
from primad_ld.archive.topic_scores import keep_topic_scores
from primad_ld.archive.user_queries import ask
from primad_ld.core.iris import XSD
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.bulk import Options, Report, lift_paths
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparison import compare_to_all
from primad_ld.trec.scorer import TopicScores

_SIZES: Final = (1_000, 10_000)
_COLLECTIONS: Final = 50
_ROWS: Final = 3
# Folders of 1,000 runs that are lifted to see how fast that is alone.
_LIFT_FOLDERS: Final = 20
_SEED: Final = 20261119
_MEASURE: Final = "map"
#: The share of runs that other judgements scored as well, and of those that only they did.
_JUDGED_TWICE: Final = 0.2
_JUDGED_OTHERWISE: Final = 0.05
_SAMPLE_SECONDS: Final = 0.2
_SCORES_AT_ONCE: Final = 20_000
# Slow questions are asked less often, and at least so often.
_ENOUGH_SECONDS: Final = 60
_AT_LEAST: Final = 3
# rdflib is asked about so many runs, fewer if that takes longer than this.
_RDFLIB_RUNS: Final = 5
_RDFLIB_ENOUGH_SECONDS: Final = 20
#: What the archive should do with 100,000 runs.
_GOALS: Final = {"headers/s": 3_000, "baselines": 30, "compare": 300, "rdflib": 100}

_CONTEXT: Final = get_context("spawn")


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """How an archive was filled."""

    runs: int
    seconds: float
    again_seconds: float
    quads: int
    files: int
    mb: float
    #: Resident memory summed over all processes; pages that they share count twice.
    peak_mb: float
    #: Reading and lifting these files, or the first of them, on all cores; nothing is written.
    lifted: int
    lift_seconds: float
    #: The same N-Quads by the store's bulk loader, in one call.
    bulk_seconds: float
    bulk_peak_mb: float
    #: Processor time of all processes, for loading and lifting.
    cpu_seconds: float
    lift_cpu_seconds: float
    bulk_cpu_seconds: float
    open_ms: float = 0
    load_average: float = 0

    @property
    def headers_per_second(self) -> float:
        return self.runs / self.seconds

    @property
    def lifted_per_second(self) -> float:
        return self.lifted / self.lift_seconds

    @property
    def ratio_to_lifting(self) -> float:
        return self.headers_per_second / self.lifted_per_second


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question about one run: how long it took, and what it asked the store."""

    seconds: float
    cpu_seconds: float
    texts: tuple[str, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """One question to an archive of one size."""

    name: str
    runs: int
    asked: tuple[Asked, ...]
    compacted: bool = False
    load_average: float = 0

    @property
    def median_ms(self) -> float:
        return 1e3 * statistics.median(one.seconds for one in self.asked)

    @property
    def p95_ms(self) -> float:
        seconds = [one.seconds for one in self.asked]
        return 1e3 * statistics.quantiles(seconds, n=20, method="inclusive")[-1]

    @property
    def cpu_ms(self) -> float:
        return 1e3 * statistics.median(one.cpu_seconds for one in self.asked)

    @property
    def rows(self) -> float:
        """The rows that the store returned, of all queries of the question."""
        return statistics.median(sum(one.rows) for one in self.asked)


@dataclass(frozen=True, kw_only=True, slots=True)
class Versus:
    """The same texts of SPARQL on rdflib."""

    name: str
    runs: int
    ours_ms: float
    #: None where it did not finish in time.
    theirs_ms: float | None
    #: The ratio of processor times, which other jobs on the machine do not change.
    cpu_ratio: float | None
    limit: float
    asked: int
    note: str = ""

    @property
    def ratio(self) -> float:
        """Where it did not finish, what it is at least."""
        theirs = self.theirs_ms if self.theirs_ms is not None else 1e3 * self.limit
        return theirs / self.ours_ms


@dataclass(kw_only=True, slots=True)
class Results:
    loads: list[Load] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    versus: list[Versus] = field(default_factory=list)
    compactions: list[dict[str, float]] = field(default_factory=list)


# Filling -----------------------------------------------------------------------------------------


def load(runs: Path, archive: Path) -> float:
    """Load a folder into an archive on all cores; the start of worker processes counts."""
    start = time.perf_counter()
    report = load_runs([runs], archive, options=Options(jobs=None))
    seconds = time.perf_counter() - start
    if report.problems:
        raise report.problems[0]
    return seconds


def lift(folders: list[Path]) -> tuple[int, float]:
    """Read and lift on all cores what a load would, and write it nowhere."""
    report = Report()
    start = time.perf_counter()
    for _ in lift_paths(folders, report, Options(jobs=None)):
        pass
    return report.runs, time.perf_counter() - start


def bulk_load(quads: Path, store: Path) -> float:
    """The store's own loader on N-Quads that are there."""
    import pyoxigraph

    opened = pyoxigraph.Store(str(store))
    start = time.perf_counter()
    opened.bulk_load(path=str(quads), format=pyoxigraph.RdfFormat.N_QUADS)
    return time.perf_counter() - start


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What a function gave in a process of its own; its children count."""

    value: Any
    peak_mb: float
    cpu_seconds: float


def in_process(function: Callable[..., Any], *arguments: object) -> Done:
    """Run a function in a fresh process."""
    before = headers._children_seconds()
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_answer, args=(there, function, arguments))
    process.start()
    there.close()
    peak = 0
    while not here.poll(_SAMPLE_SECONDS):
        peak = max(peak, sum(headers._tree_bytes(process.pid or 0)))
    try:
        value = here.recv()
    except EOFError:
        raise SystemExit(f"{function.__name__} failed; see above") from None
    finally:
        process.join()
    return Done(value=value, peak_mb=peak / 1e6, cpu_seconds=headers._children_seconds() - before)


def _answer(there: Connection, function: Callable[..., Any], arguments: tuple[object, ...]) -> None:
    there.send(function(*arguments))


def fill(count: int, runs: Path, scratch: Path) -> tuple[Path, Load]:
    """An archive of so many runs, and how long that took beside its two halves."""
    import pyoxigraph

    archive, quads, alone = (scratch / f"{name}-{count}" for name in ("archive", "quads", "alone"))
    quads = quads.with_suffix(".nq")
    busy = os.getloadavg()[0]
    headers.tell(f"{count:,} runs: lifting alone")
    lifted = in_process(lift, sorted(runs.iterdir())[:_LIFT_FOLDERS])
    headers.tell(f"{count:,} runs: loading")
    loaded = in_process(load, runs, archive)
    again = in_process(load, runs, archive)
    headers.tell(f"{count:,} runs: the bulk loader alone")
    start = time.perf_counter()
    engine = EmbeddedEngine.open(archive)
    opened = time.perf_counter() - start
    triples = len(engine.store)
    engine.store.dump(str(quads), format=pyoxigraph.RdfFormat.N_QUADS)
    engine.close()
    bulked = in_process(bulk_load, quads, alone)
    quads.unlink()
    shutil.rmtree(alone)
    return archive, Load(
        runs=count,
        seconds=loaded.value,
        again_seconds=again.value,
        quads=triples,
        files=sum(1 for _ in (archive / "store").glob("*.sst")),
        mb=disk_mb(archive),
        peak_mb=loaded.peak_mb,
        lifted=lifted.value[0],
        lift_seconds=lifted.value[1],
        bulk_seconds=bulked.value,
        bulk_peak_mb=bulked.peak_mb,
        cpu_seconds=loaded.cpu_seconds,
        lift_cpu_seconds=lifted.cpu_seconds,
        bulk_cpu_seconds=bulked.cpu_seconds,
        open_ms=1e3 * opened,
        load_average=busy,
    )


def disk_mb(folder: Path) -> float:
    """What a folder takes on disk, as du counts it."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*")) / 1e6


def add_scores(archive: Path, topics: int = 0) -> None:
    """A score by one measure for the ranking of every run.

    With topics, scores by each of them besides, and scores of a share of the runs by a second
    set of judgements, which alone scored some of them.
    """
    engine = EmbeddedEngine.open(archive, writable=True)
    dice = random.Random(_SEED)
    hows = [
        Scoring(evaluator="trec_eval 9", judgements=digit * 64, qrels=f"qrels{name}.txt")
        for digit, name in (("a", ""), ("b", ".sample"))
    ]
    graphs: list[NamedGraph] = []
    by_topic: dict[str, TopicScores] = {}
    for ranking in sorted(set().union(*rankings_of(engine, all_runs(engine)).values())):
        share = random.Random(ranking).random() if topics else 1.0
        for how in hows[share < _JUDGED_OTHERWISE : 1 + (share < _JUDGED_TWICE)]:
            scores = TopicScores(name="", topics=("1",), values={})
            mean = dice.randrange(1, 10_000) / 10_000
            if topics:
                scores = _by_topic(mean, topics, dice)
                mean = scores.mean(_MEASURE)
                by_topic[how.graph(ranking)] = scores
            graphs.append(
                score_graph(ranking, {_MEASURE: f'"{mean:.4f}"^^<{XSD}decimal>'}, scores, how)
            )
    for start in range(0, len(graphs), _SCORES_AT_ONCE):
        engine.add(graphs[start : start + _SCORES_AT_ONCE])
    for scores_set, scores in by_topic.items():
        keep_topic_scores(engine, scores_set, scores)
    engine.close()


def _by_topic(mean: float, topics: int, dice: random.Random) -> TopicScores:
    """Scores of topics around a mean."""
    values = tuple(min(1.0, max(0.0, dice.gauss(mean, 0.2))) for _ in range(topics))
    names = tuple(str(number) for number in range(1, topics + 1))
    return TopicScores(name="", topics=names, values={_MEASURE: values})


# Asking ------------------------------------------------------------------------------------------


class Recorder(EmbeddedEngine):
    """An engine that remembers what it was asked and how many rows it gave."""

    def start(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def query(self, text: str, *, timeout: float | None = None) -> QueryResult:
        answer = super().query(text, timeout=timeout)
        assert isinstance(answer, Bindings)
        self.asked.append((text, len(answer.rows)))
        return answer

    def column(self, text: str, *, timeout: float | None = None) -> list[str]:
        found = super().column(text, timeout=timeout)
        self.asked.append((text, len(found)))
        return found


@dataclass(frozen=True, slots=True)
class Reference:
    """What a question is about: a run of the archive, and what else is chosen at random."""

    record: RunRecord
    #: The same with the tag of a comparable run as its baseline, and no year.
    judged: RunRecord
    #: A run that another one reproduces.
    reproduced: str
    #: The value of a parameter that 1 in 100 methods has.
    b: str


Question = Callable[[EmbeddedEngine, Reference], object]


def baselines(engine: EmbeddedEngine, about: Reference) -> object:
    return find_baselines(engine, about.record, limit=20)


def judged(engine: EmbeddedEngine, about: Reference) -> object:
    """The same of a run whose baseline is there: some team is above it in nearly every case."""
    return find_baselines(engine, about.judged, limit=20)


def compare(engine: EmbeddedEngine, about: Reference) -> object:
    return compare_to_all(engine, about.record).counts()


def nearest(engine: EmbeddedEngine, about: Reference) -> object:
    return compare_to_all(engine, about.record).nearest(20)


def named(name: str, values: Callable[[Reference], dict[str, str]]) -> Question:
    """A named query with the values of its parameters."""
    return lambda engine, about: ask(engine, named_query(name), values(about))


#: Before there are scores, and afterwards.
UNSCORED: Final[dict[str, Question]] = {
    "baselines, no scores": baselines,
    "compare": compare,
    "compare, the 20 nearest": nearest,
}
SCORED: Final[dict[str, Question]] = {
    "baselines, scores": baselines,
    "compare, with scores there": compare,
    "query by-collection": named(
        "by-collection", lambda one: {"collection": one.record.collection}
    ),
    "query timeline, with scores": named(
        "timeline", lambda one: {"collection": one.record.collection, "measure": _MEASURE}
    ),
    "query by-parameter, 1 value, 1 collection": named(
        "by-parameter",
        lambda one: {
            "stage": "bm25",
            "parameter": "b",
            "low": one.b,
            "high": one.b,
            "collection": one.record.collection,
        },
    ),
    "query reranks, 1 collection": named(
        "reranks",
        lambda one: {
            "stage": "cross-encoder",
            "reranked": "feedback",
            "collection": one.record.collection,
        },
    ),
    "query reproductions": named("reproductions", lambda one: {"run": one.reproduced}),
    "query shared-components, 1 collection": named(
        "shared-components", lambda one: {"collection": one.record.collection}
    ),
}
#: With scores by topic.
BY_TOPIC: Final[dict[str, Question]] = {"baselines, a baseline tested by topic": judged}


def references(engine: EmbeddedEngine, count: int, wanted: int) -> list[Reference]:
    """Runs of labs that report the measure, so that their baselines have scores."""
    dice = random.Random(_SEED)
    runs = all_runs(engine)
    some = fetch_records(engine, dice.sample(runs, min(len(runs), 6 * wanted)))
    records = [one for one in some if _MEASURE in one.measures][:wanted]
    targets = [
        target for number in range(count) if (target := generated.reproduced(number)) is not None
    ]
    return [
        Reference(
            record=record,
            judged=_with_baseline(engine, record),
            reproduced=generated.tag_of(dice.choice(targets), "archive", _COLLECTIONS),
            b=f"{dice.randrange(100) / 100:g}",
        )
        for record in records
    ]


def _with_baseline(engine: EmbeddedEngine, record: RunRecord) -> RunRecord:
    """The run with a baseline that is comparable; all years count where it has none of its own."""
    found = find_baselines(engine, record).candidates
    names = [one.record.tag for one in found] or [""]
    tag = random.Random(record.iri).choice(names)
    return replace(record, baselines=(tag,), is_reproduction=False, year=None)


def measure(
    archive: Path, count: int, questions: dict[str, Question], times: int, *, compacted: bool
) -> Iterator[Figure]:
    """Each question about several runs, after one that does not count."""
    engine = Recorder.open(archive)
    assert isinstance(engine, Recorder)
    engine.start()
    about = references(engine, count, times + 1)
    for name, question in questions.items():
        headers.tell(f"{count:,} runs: {name}{' (compacted)' if compacted else ''}")
        busy = os.getloadavg()[0]
        gc.collect()
        _ask(engine, question, about[0])
        asked: list[Asked] = []
        spent = 0.0
        for one in about[1:]:
            asked.append(_ask(engine, question, one))
            spent += asked[-1].seconds
            if spent > _ENOUGH_SECONDS and len(asked) >= _AT_LEAST:
                break
        yield Figure(
            name=name,
            runs=count,
            asked=tuple(asked),
            compacted=compacted,
            load_average=busy,
        )
    engine.close()


def _ask(engine: Recorder, question: Question, about: Reference) -> Asked:
    engine.start()
    start, cpu = time.perf_counter(), time.process_time()
    question(engine, about)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    texts, rows = zip(*engine.asked, strict=True)
    return Asked(seconds=seconds, cpu_seconds=cpu, texts=texts, rows=rows)


def compact(archive: Path) -> float:
    """Put the files of the store in order."""
    engine = EmbeddedEngine.open(archive, writable=True)
    start = time.perf_counter()
    engine.compact()
    seconds = time.perf_counter() - start
    engine.close()
    return seconds


# rdflib ------------------------------------------------------------------------------------------


class _OutOfTimeError(BaseException):
    """Nothing that evaluates a query takes this for an error of its own."""


def rdflib_side(there: Connection, quads: Path) -> None:
    """Hold the quads in rdflib's store and answer texts of SPARQL within a time."""
    import logging

    import rdflib

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _OutOfTimeError

    logging.getLogger("rdflib.term").disabled = True
    signal.signal(signal.SIGALRM, stop)
    dataset = rdflib.Dataset()
    start = time.perf_counter()
    dataset.parse(quads, format="nquads")
    there.send(time.perf_counter() - start)
    gc.collect()
    gc.freeze()
    while True:
        try:
            texts, limit = there.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, limit)
        start, cpu = time.perf_counter(), time.process_time()
        try:
            rows = [len(list(dataset.query(text))) for text in texts]
            answer = time.perf_counter() - start, time.process_time() - cpu, rows
        except _OutOfTimeError:
            answer = None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        there.send(answer)


def compare_with_rdflib(
    archive: Path, figures: Sequence[Figure], scratch: Path, limit: float
) -> Iterator[Versus]:
    """The texts of our questions on rdflib, as far as it answers them in time."""
    import pyoxigraph

    quads = scratch / "rdflib.nq"
    engine = EmbeddedEngine.open(archive)
    engine.store.dump(str(quads), format=pyoxigraph.RdfFormat.N_QUADS)
    engine.close()
    runs = figures[0].runs
    headers.tell(f"{runs:,} runs: rdflib reads the quads")
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=rdflib_side, args=(there, quads))
    process.start()
    there.close()
    headers.tell(f"{runs:,} runs: rdflib took {here.recv():.0f} s for that")
    for figure in figures:
        headers.tell(f"{runs:,} runs: rdflib: {figure.name}")
        yield _versus(here, figure, limit)
    here.close()
    process.join()
    quads.unlink()


def _versus(here: Connection, figure: Figure, limit: float) -> Versus:
    ours, theirs, cpus = [], [], []
    note, spent = "", 0.0
    for one in figure.asked[:_RDFLIB_RUNS]:
        here.send((one.texts, limit))
        answer = here.recv()
        ours.append(one.seconds)
        if answer is None:
            note = "did not finish"
            break
        seconds, cpu, rows = answer
        theirs.append(seconds)
        cpus.append(cpu / one.cpu_seconds)
        if tuple(rows) != one.rows:
            note = f"other rows: {rows} for {list(one.rows)}"
        spent += seconds
        if spent > _RDFLIB_ENOUGH_SECONDS:
            break
    finished = len(theirs) == len(ours)
    return Versus(
        name=figure.name,
        runs=figure.runs,
        ours_ms=1e3 * statistics.median(ours),
        theirs_ms=1e3 * statistics.median(theirs) if finished else None,
        cpu_ratio=statistics.median(cpus) if finished else None,
        limit=limit,
        asked=len(ours),
        note=note,
    )


# Reporting ---------------------------------------------------------------------------------------


def show(results: Results) -> None:
    """The figures as tables for people."""
    from rich.console import Console
    from rich.table import Table as Shown

    console = Console(width=None if sys.stdout.isatty() else 140)

    def table(title: str, *columns: str) -> Shown:
        made = Shown(title=title, title_justify="left")
        for number, name in enumerate(columns):
            made.add_column(name, justify="right" if number else "left")
        return made

    shown = table("Filling", "", *(f"{one.runs:,} runs" for one in results.loads))
    for name, value in _FILLING.items():
        shown.add_row(name, *(value(one) for one in results.loads))
    console.print(shown)

    for compacted in (False, True):
        figures = [one for one in results.figures if one.compacted == compacted]
        if figures:
            sizes = sorted({one.runs for one in figures})
            what = "median; 95 %; median of processor time (rows)"
            title = f"Asking{' after compaction' if compacted else ''}: {what}"
            shown = table(title, "ms", *(f"{size:,} runs" for size in sizes))
            by = {(one.name, one.runs): one for one in figures}
            for name in dict.fromkeys(one.name for one in figures):
                found = [by.get((name, size)) for size in sizes]
                shown.add_row(name, *(_cell(one) if one else "" for one in found))
            console.print(shown)

    if results.versus:
        columns = ("", "runs", "ours, ms", "rdflib, ms", "ratio", "of processor time")
        shown = table("The same SPARQL on rdflib", *columns)
        for one in results.versus:
            sign = "" if one.theirs_ms is not None else "> "
            theirs = one.theirs_ms if one.theirs_ms is not None else 1e3 * one.limit
            shown.add_row(
                one.name,
                f"{one.runs:,}",
                f"{one.ours_ms:,.1f}",
                f"{sign}{theirs:,.0f}",
                f"{sign}{one.ratio:,.0f} {one.note}".rstrip(),
                f"{one.cpu_ratio:,.0f}" if one.cpu_ratio is not None else "",
            )
        console.print(shown)
    for done in results.compactions:
        console.print(
            "Compaction:", ", ".join(f"{name} {value:,.0f}" for name, value in done.items())
        )


def _cell(one: Figure) -> str:
    return f"{one.median_ms:,.1f}; {one.p95_ms:,.1f}; {one.cpu_ms:,.1f} ({one.rows:,.0f})"


_FILLING: Final[dict[str, Callable[[Load], str]]] = {
    f"headers/s (goal: {_GOALS['headers/s']:,})": lambda one: f"{one.headers_per_second:,.0f}",
    "seconds": lambda one: f"{one.seconds:,.1f}",
    "lifting alone, headers/s": lambda one: f"{one.lifted_per_second:,.0f}",
    "ratio to lifting alone": lambda one: f"{one.ratio_to_lifting:.2f}",
    "headers per second of processor time, loading": lambda one: (
        f"{one.runs / one.cpu_seconds:,.0f}"
    ),
    "headers per second of processor time, lifting": lambda one: (
        f"{one.lifted / one.lift_cpu_seconds:,.0f}"
    ),
    "bulk loader alone, quads/s": lambda one: f"{one.quads / one.bulk_seconds:,.0f}",
    "bulk loader alone, seconds": lambda one: f"{one.bulk_seconds:,.1f}",
    "bulk loader alone, seconds of processor time": lambda one: f"{one.bulk_cpu_seconds:,.1f}",
    "again, nothing new, seconds": lambda one: f"{one.again_seconds:,.1f}",
    "quads": lambda one: f"{one.quads:,}",
    "MB on disk": lambda one: f"{one.mb:,.0f}",
    "files of the store": lambda one: f"{one.files:,}",
    "peak memory, MB": lambda one: f"{one.peak_mb:,.0f}",
    "peak memory, bulk loader alone, MB": lambda one: f"{one.bulk_peak_mb:,.0f}",
    "opening, ms": lambda one: f"{one.open_ms:,.0f}",
    "load average before": lambda one: f"{one.load_average:.1f}",
}


def as_json(results: Results) -> str:
    """Everything but the texts of the queries."""
    figures = [
        {
            "name": one.name,
            "runs": one.runs,
            "compacted": one.compacted,
            "median_ms": one.median_ms,
            "p95_ms": one.p95_ms,
            "cpu_ms": one.cpu_ms,
            "rows": one.rows,
            "ms": [1e3 * asked.seconds for asked in one.asked],
            "load_average": one.load_average,
        }
        for one in results.figures
    ]
    said = {
        "machine": headers.machine(),
        "goals": _GOALS,
        "loads": [
            {**asdict(one), "headers_per_second": one.headers_per_second} for one in results.loads
        ],
        "figures": figures,
        "rdflib": [{**asdict(one), "ratio": one.ratio} for one in results.versus],
        "compactions": results.compactions,
    }
    return json.dumps(said, indent=1) + "\n"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=100_000, help="of the largest archive (100000)")
    parser.add_argument("--only", action="store_true", help="leave the smaller archives out")
    parser.add_argument(
        "--rdflib",
        type=int,
        nargs="*",
        default=[1_000],
        metavar="N",
        help="put rdflib beside archives of so many runs (1000)",
    )
    parser.add_argument(
        "--limit", type=float, default=120, help="seconds that rdflib has for a question (120)"
    )
    parser.add_argument("--times", type=int, default=30, help="runs that are asked about (30)")
    parser.add_argument(
        "--compact", action="store_true", help="compact the largest archive and ask it again"
    )
    parser.add_argument(
        "--topics",
        type=int,
        default=0,
        metavar="N",
        help="also scores by so many topics, and by other judgements for some runs (0)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    return parser.parse_args()


def measure_size(count: int, scratch: Path, options: argparse.Namespace, results: Results) -> None:
    """Everything that is measured on an archive of one size."""
    runs = scratch / f"runs-{count}"
    headers.tell(f"{count:,} runs: writing the files")
    made = generated.runs(count, "archive", collections=_COLLECTIONS, reproductions=True)
    generated.write_annotated(runs, made, rows=_ROWS)
    archive, filled = fill(count, runs, scratch)
    results.loads.append(filled)
    shutil.rmtree(runs)
    results.figures += measure(archive, count, UNSCORED, options.times, compacted=False)
    add_scores(archive, options.topics)
    questions = SCORED | (BY_TOPIC if options.topics else {})
    figures = list(measure(archive, count, questions, options.times, compacted=False))
    results.figures += figures
    if options.compact and count == options.runs:
        headers.tell(f"{count:,} runs: compaction")
        before = disk_mb(archive)
        seconds = compact(archive)
        results.compactions.append(
            {"runs": count, "seconds": seconds, "MB before": before, "MB after": disk_mb(archive)}
        )
        results.figures += measure(archive, count, questions, options.times, compacted=True)
    if count in options.rdflib:
        results.versus += compare_with_rdflib(archive, figures, scratch, options.limit)
    shutil.rmtree(archive)


def main() -> None:
    options = arguments()
    results = Results()
    smaller = () if options.only else (*_SIZES, *options.rdflib)
    sizes = sorted({size for size in smaller if size < options.runs} | {options.runs})
    with tempfile.TemporaryDirectory(prefix="primad-ld-benchmark-") as made:
        for count in sizes:
            measure_size(count, Path(made), options, results)
    show(results)
    if options.json is not None:
        options.json.write_text(as_json(results), encoding="utf-8")


if __name__ == "__main__":
    main()
