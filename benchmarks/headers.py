"""How fast headers are read, lifted and converted, side by side with what else could do it.

    python benchmarks/headers.py [--json FILE] [--large 100000]

Every figure is the best of several rounds, and the sides take turns within a round, so that
all of them see the same noise of the machine: compare the ratios. Nothing here asserts a time.

The other sides are given what they need for nothing: repro_eval's reader does not lift, so
the triples are prepared for rdflib. repro_eval
needs pandas and an old setuptools, so it lives in environments of its own, made once below the
folder for temporary files unless ``--repro-eval-python`` names them: one as pip installs it
today, where ruamel.yaml has no C parser, and one with an older ruamel.yaml that has.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import generated
from other_side import OtherSide

import primad_ld
from primad_ld.rdf.lifting import Lifter

_REPOSITORY: Final = Path(__file__).resolve().parent.parent
_VASWANI: Final = _REPOSITORY.parent / "shared/data/vaswani/runs"
_REPRO_EVAL: Final = ("repro_eval", "pandas", "rdflib", "setuptools<81")
#: Environments of repro_eval by name, with what makes each of them differ.
_ENVIRONMENTS: Final = {"today": (), "c-yaml": ("ruamel.yaml<0.19",)}
_SAMPLE_SECONDS: Final = 0.05
WRITTEN: Final = "and file"

#: Runs one side and tells the seconds of each thing that it measured, by the name for the table.
Side = Callable[[], dict[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One comparison: headers per second of primad-ld and of another side."""

    data: str
    task: str
    ours: float
    other: str
    theirs: float
    goal: float | None = None

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One large job in processes of its own."""

    task: str
    headers: int
    seconds: float
    #: Resident memory summed over the process tree; pages that processes share count twice.
    peak_mb: float
    processes: int
    cores_busy: float
    output_mb: float

    @property
    def headers_per_second(self) -> float:
        return self.headers / self.seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Data:
    """Files with the same headers: annotated runs, and bare YAML if there is any."""

    name: str
    runs: list[Path]
    folder: Path
    bare: list[Path] = field(default_factory=list)


# Our side: each function runs in a fresh process, so that no round profits from the last ----


def read_files(paths: list[Path]) -> float:
    """Read the headers of annotated runs, or of YAML files, without what lies beside them."""
    _warm_up()
    start = time.perf_counter()
    for path in paths:
        primad_ld.read_header(path, sidecars=False)
    return time.perf_counter() - start


def parse_texts(paths: list[Path]) -> float:
    """Parse headers whose text is in memory."""
    _warm_up()
    texts = [path.read_text(encoding="utf-8") for path in paths]
    start = time.perf_counter()
    for text in texts:
        primad_ld.parse_header(text)
    return time.perf_counter() - start


def read_lift_write(paths: list[Path], output: Path) -> float:
    """Read annotated runs, lift them, write N-Quads, in the way of convert.

    Blocks that came up before are remembered, and each component is written once.
    """
    from primad_ld.header.runfile import open_run, parse_block

    _warm_up()
    start = time.perf_counter()
    lifter = Lifter()
    written: set[str] = set()
    with output.open("w", encoding="utf-8") as stream:
        for path in paths:
            block = open_run(path)[0].block
            if block is None:
                raise SystemExit(f"{path} has no header")
            lifted = lifter.lift_text(block.text, file_name=path.name)
            if lifted is None:
                lifted = lifter.lift(parse_block(block, path), file_name=path.name)
            for graph in lifted.graphs:
                if graph.iri not in written:
                    written.add(graph.iri)
                    stream.write(graph.nquads())
    return time.perf_counter() - start


def convert_folder(folder: Path, output: Path, jobs: int, headers_only: bool) -> float:
    """Convert a folder; the start of processes and the compilation of the schema count."""
    start = time.perf_counter()
    report = primad_ld.convert([folder], output, jobs=jobs, headers_only=headers_only, force=True)
    seconds = time.perf_counter() - start
    if report.problems:
        raise report.problems[0]
    return seconds


def _warm_up() -> None:
    """Compile the schema, which a process does once."""
    Lifter().lift(primad_ld.parse_header("tag: warm-up"))
    gc.collect()


def ours(function: Callable[..., float], *arguments: object) -> Side:
    """A side that runs a function in a fresh process."""

    def run() -> dict[str, float]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            return {"": pool.submit(function, *arguments).result()}

    return run


# The other interpreter ----------------------------------------------------------------------


class ReproEval(OtherSide):
    """repro_eval and rdflib in an interpreter of their own, asked over pipes."""

    def __init__(self, python: Path) -> None:
        super().__init__("repro_eval", python, "repro_eval_side.py")
        self.is_fast = self.versions["YAML parser"] == "C"
        self.name = f"repro_eval ({self.versions['YAML parser']} YAML parser)"

    def reader(self, task: str, paths: list[Path]) -> Side:
        """Reading alone."""
        texts = [str(path) for path in paths]
        return lambda: {self.name: self.ask(task, paths=texts)["read"]}

    def rdflib(self, task: str, paths: list[Path], quads: Path, output: Path, form: str) -> Side:
        """Reading and Graph.add, without and with what writes the file."""

        request = {
            "paths": [str(path) for path in paths],
            "quads": str(quads),
            "output": str(output),
        }

        def run() -> dict[str, float]:
            parts = self.ask(task, **request)
            added = parts["read"] + parts["add"]
            name = f"{self.name} + rdflib {form}"
            return {
                f"{name}": added,
                f"{name} {WRITTEN}": added + parts["serialize"],
            }

        return run


def repro_eval_python(name: str) -> Path:
    """The interpreter of an environment that has repro_eval; it is made once."""
    tag = f"repro-eval-{name}-py{sys.version_info.major}{sys.version_info.minor}"
    folder = Path(tempfile.gettempdir(), "primad-ld-benchmarks", tag)
    python = folder / "bin/python"
    done = folder / "installed"
    if not done.exists():
        packages = (*_REPRO_EVAL, *_ENVIRONMENTS[name])
        tell(f"installing {', '.join(packages)} into {folder}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        done.touch()
    return python


# Measuring ----------------------------------------------------------------------------------


def compare(
    data: Data,
    task: str,
    side: Side,
    others: Sequence[Side],
    *,
    rounds: int,
    goal: float | None = None,
    goal_of: str = "",
) -> Iterator[Row]:
    """Our side against others: the best of several rounds, in which the sides take turns.

    The goal is that against repro_eval, where the name of the side ends with ``goal_of``.
    """
    headers = len(data.runs)
    best: dict[str, float] = {}
    for number in range(1, rounds + 1):
        tell(f"{data.name}: {task}, round {number} of {rounds}")
        for one in (side, *others):
            for name, seconds in one().items():
                best[name] = min(seconds, best.get(name, seconds))
    mine = headers / best.pop("")
    for name, seconds in best.items():
        yield Row(
            data=data.name,
            task=task,
            ours=mine,
            other=name,
            theirs=headers / seconds,
            goal=goal if name.startswith("repro_eval") and name.endswith(goal_of) else None,
        )


def measure(data: Data, others: Sequence[ReproEval], scratch: Path, rounds: int) -> Iterator[Row]:
    """Everything that is measured on one set of files."""
    yield from measure_reading(data, others, rounds)
    yield from measure_lifting(data, others, scratch, rounds)
    output = scratch / "output.nq"
    for headers_only, task in ((True, "convert --headers-only"), (False, "convert with rankings")):
        yield from compare(
            data,
            f"{task}, jobs=2",
            ours(convert_folder, data.folder, output, 2, headers_only),
            [named("the same, jobs=1", ours(convert_folder, data.folder, output, 1, headers_only))],
            rounds=rounds,
        )


def measure_reading(data: Data, others: Sequence[ReproEval], rounds: int) -> Iterator[Row]:
    """Our reader and repro_eval's."""
    yield from compare(
        data,
        "read annotated runs",
        ours(read_files, data.runs),
        [other.reader("read_runs", data.runs) for other in others],
        rounds=rounds,
        goal=10,
    )
    if data.bare:
        yield from compare(
            data,
            "read bare headers",
            ours(read_files, data.bare),
            [
                *(other.reader("read_bare", data.bare) for other in others),
                named("parse_header, texts in memory", ours(parse_texts, data.bare)),
            ],
            rounds=rounds,
            goal=4,
        )


def measure_lifting(
    data: Data, others: Sequence[ReproEval], scratch: Path, rounds: int
) -> Iterator[Row]:
    """Lift, and other ways from a header to RDF."""
    quads, output = scratch / f"{data.name}.quads.jsonl", scratch / "output.nq"
    write_quads(data.runs, quads)
    other = max(others, key=lambda one: one.is_fast)
    yield from compare(
        data,
        "read + lift + N-Quads",
        ours(read_lift_write, data.runs, output),
        [
            *(
                one.rdflib("triples", data.runs, quads, output, "Graph for each header")
                for one in others
            ),
            other.rdflib("quads", data.runs, quads, output, "Dataset"),
        ],
        rounds=rounds,
        goal=10,
        goal_of=WRITTEN,
    )
    quads.unlink()


def named(name: str, side: Side) -> Side:
    """One of our own sides as the one to compare with."""
    return lambda: {name: side()[""]}


def write_quads(paths: list[Path], target: Path) -> None:
    """What each header lifts to, a JSON list in each line, for the other side."""
    import pyoxigraph

    lifter = Lifter()
    with target.open("w", encoding="utf-8") as stream:
        for path in paths:
            header = primad_ld.read_header(path, sidecars=False)
            quads = []
            for graph in lifter.lift(header, file_name=path.name).graphs:
                form = pyoxigraph.RdfFormat.N_TRIPLES
                for triple in pyoxigraph.parse(graph.triples, format=form):
                    is_literal = isinstance(triple.object, pyoxigraph.Literal)
                    quads.append(
                        (
                            graph.iri,
                            triple.subject.value,
                            triple.predicate.value,
                            triple.object.value,
                            triple.object.datatype.value if is_literal else None,
                        )
                    )
            stream.write(json.dumps(quads) + "\n")


# Large jobs ---------------------------------------------------------------------------------


def measure_large(count: int, scratch: Path) -> list[Job]:
    """A large archive to N-Quads on two processes, and back to YAML headers."""
    runs, archive, headers = scratch / "large", scratch / "large.nq", scratch / "large-headers"
    tell(f"large: writing {count:,} runs")
    generated.write_annotated(runs, generated.runs(count, "archive"), rows=10)
    there = _job("runs to N-Quads, 2 jobs", count, [runs, "-o", archive, "--jobs", "2"], archive)
    shutil.rmtree(runs)
    back = _job("N-Quads to a folder of YAML", count, [archive, "-o", headers], headers)
    made = sum(1 for _ in headers.rglob("*.yaml"))
    if made != count:
        raise SystemExit(f"{count:,} headers went in, {made:,} came back")
    return [there, back]


def _job(task: str, count: int, arguments: list[Path | str], output: Path) -> Job:
    """Run ``primad-ld convert`` and watch its memory."""
    tell(f"large: {task}")
    command = [sys.executable, "-c", "from primad_ld.cli import app; app()", "convert", "--quiet"]
    before, start = _children_seconds(), time.perf_counter()
    peak, processes = 0, 0
    with subprocess.Popen([*command, *arguments]) as process:
        while process.poll() is None:
            sizes = _tree_bytes(process.pid)
            peak, processes = max(peak, sum(sizes)), max(processes, len(sizes))
            time.sleep(_SAMPLE_SECONDS)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"primad-ld convert ended with {process.returncode}")
    files = [output] if output.is_file() else [path for path in output.rglob("*") if path.is_file()]
    return Job(
        task=task,
        headers=count,
        seconds=seconds,
        peak_mb=peak / 1e6,
        processes=processes,
        cores_busy=(_children_seconds() - before) / seconds,
        output_mb=sum(path.stat().st_size for path in files) / 1e6,
    )


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _tree_bytes(root: int) -> list[int]:
    """Resident memory of a process and of everything that it started."""
    page = os.sysconf("SC_PAGE_SIZE")
    parents: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in parentheses may hold blanks; what follows are numbers.
            columns = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended
        parents[int(stat.parent.name)] = int(columns[1])
        sizes[int(stat.parent.name)] = int(columns[21]) * page
    tree = {root}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return [sizes[pid] for pid in tree if pid in sizes]


# Data ---------------------------------------------------------------------------------------


def make_data(variant: generated.Variant, count: int, rows: int, scratch: Path) -> Data:
    """Generated headers as bare files and as annotated runs."""
    tell(f"{variant}: writing {count:,} runs")
    folder = scratch / variant
    return Data(
        name=variant,
        runs=generated.write_annotated(folder / "runs", generated.runs(count, variant), rows=rows),
        folder=folder / "runs",
        bare=generated.write_bare(folder / "bare", generated.runs(count, variant)),
    )


def vaswani_data(source: Path, scratch: Path) -> Data:
    """The Vaswani archive, unpacked since repro_eval reads no compressed runs."""
    tell("vaswani: unpacking")
    folder = scratch / "vaswani"
    folder.mkdir()
    for packed in sorted(source.glob("*.txt.gz")):
        with gzip.open(packed) as stream, (folder / packed.stem).open("wb") as target:
            shutil.copyfileobj(stream, target)
    for plain in sorted(source.glob("*.txt")):
        shutil.copy(plain, folder)
    return Data(name="vaswani", runs=sorted(folder.iterdir()), folder=folder)


# Reporting ----------------------------------------------------------------------------------


def markdown(rows: list[Row], jobs: list[Job]) -> str:
    """The figures as tables."""
    lines = [
        "| Data | Task | primad-ld, headers/s | compared with | headers/s | ratio | goal |",
        "|---|---|--:|---|--:|--:|--:|",
        *(
            f"| {row.data} | {row.task} | {row.ours:,.0f} | {row.other} | {row.theirs:,.0f} "
            f"| {row.ratio:.1f} | {f'{row.goal:g}' if row.goal else ''} |"
            for row in rows
        ),
    ]
    if jobs:
        lines += [
            "",
            "| Large job | headers | headers/s | seconds | peak memory, all processes (goal: "
            "400 MB) "
            "| processes | cores busy | output |",
            "|---|--:|--:|--:|--:|--:|--:|--:|",
            *(
                f"| {job.task} | {job.headers:,} | {job.headers_per_second:,.0f} "
                f"| {job.seconds:.1f} | {job.peak_mb:,.0f} MB | {job.processes} "
                f"| {job.cores_busy:.2f} | {job.output_mb:,.0f} MB |"
                for job in jobs
            ),
        ]
    return "\n".join(lines)


def machine() -> dict[str, object]:
    """Where the figures come from."""
    packages = ("primad-ld", "pyyaml", "rdflib", "pyoxigraph")
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in packages if find_spec(_module(name))},
    }


def _module(package: str) -> str:
    return {"primad-ld": "primad_ld", "pyyaml": "yaml"}.get(package, package)


def tell(step: str) -> None:
    """Progress, for whoever waits."""
    print(f"[{time.strftime('%H:%M:%S')}] {step}", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--headers", type=int, default=2000, help="generated headers (2000)")
    parser.add_argument("--rows", type=int, default=1000, help="rows of each ranking (1000)")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many (3)")
    parser.add_argument(
        "--large", type=int, default=0, metavar="N", help="convert N headers there and back"
    )
    parser.add_argument(
        "--vaswani", type=Path, default=_VASWANI, metavar="DIR", help="the Vaswani runs"
    )
    parser.add_argument(
        "--repro-eval-python",
        type=Path,
        action="append",
        metavar="PATH",
        help="an interpreter that has repro_eval, pandas and rdflib; may be given several times",
    )
    return parser.parse_args()


def main() -> None:
    options = arguments()
    rows: list[Row] = []
    jobs: list[Job] = []
    pythons = options.repro_eval_python or [repro_eval_python(name) for name in _ENVIRONMENTS]
    with ExitStack() as stack:
        others = [stack.enter_context(ReproEval(python)) for python in pythons]
        made = stack.enter_context(tempfile.TemporaryDirectory(prefix="primad-ld-benchmark-"))
        scratch = Path(made)
        for variant in ("distinct", "archive"):
            data = make_data(variant, options.headers, options.rows, scratch)
            rows.extend(measure(data, others, scratch, options.rounds))
            shutil.rmtree(scratch / variant)
        if options.vaswani.is_dir():
            data = vaswani_data(options.vaswani, scratch)
            rows.extend(measure(data, others, scratch, options.rounds))
        else:
            tell(f"{options.vaswani}: not there, so the Vaswani archive is left out")
        if options.large:
            jobs = measure_large(options.large, scratch)
    print(markdown(rows, jobs))
    if options.json is not None:
        figures = {
            "machine": machine(),
            "others": [other.versions for other in others],
            "rows": [{**asdict(row), "ratio": row.ratio} for row in rows],
            "large": [
                {**asdict(job), "headers_per_second": job.headers_per_second} for job in jobs
            ],
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
