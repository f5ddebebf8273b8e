"""How fast pairs of runs are evaluated, side by side with repro_eval 0.5.0.

    python benchmarks/measures.py [--rounds 5] [--runs 300] [--trec-covid DIR] [--json FILE]

Three questions, each asked of both sides in turn, round after round; the best round counts:

- one pair, cold: a process from its start to the printed figures, KTU, RBO, RMSE and the t-test
  on every measure of effectiveness; the same with advanced runs, which adds ER and DRI;
- many runs against one reference: KTU, RBO, RMSE, nRMSE and the t-test from files to a file.
  repro_eval evaluates some of them in one process, and the rest is extrapolated, which the
  table says; it has no way of its own to use several cores;
- reading one run.

Runs are generated, the same in each invocation; those of TREC-COVID are taken from a folder with
``--trec-covid``. Where both sides have a figure it must be the same to 1e-12. repro_eval needs
pandas and lives in an environment of its own, made once below the folder for temporary files
unless ``--repro-eval`` names its interpreter. All pairs of many runs are in `matrix.py`. Compare
the ratios; nothing here asserts a time.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from measures_data import Data, generated, trec_covid, write_run
from other_side import OtherSide

_REPRO_EVAL: Final = ("repro_eval==0.5.0", "pandas", "setuptools<81")
_CLOSE: Final = 1e-12
_ORDER: Final = ("ktu", "rbo")
_PAIR: Final = "ktu,rbo,rmse,t_test"
_STUDY: Final = f"{_PAIR},er,dri"
_SWEEP: Final = "ktu,rbo,rmse,nrmse,t_test"
#: The side that others are compared with.
OURS: Final = "primad-ld"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """Seconds on the clock, and of the processor with those of all processes."""

    wall: float
    cpu: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What one side took for one question, at best."""

    question: str
    data: str
    side: str
    spent: Spent
    #: How it was measured, if not in full.
    remark: str = ""


#: Something that is measured.
Work = Callable[[], Spent]


# Processes --------------------------------------------------------------------------------


def spent_by(command: Sequence[Path | str]) -> Spent:
    """A process from its start to its end, with the processes that it starts."""
    # Modules are compiled once, as after any installation, and not in each process.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(f"{' '.join(map(str, command))}\n{said.read().decode()}")
    return Spent(wall=wall, cpu=usage.ru_utime + usage.ru_stime)


def our_command() -> list[Path | str]:
    """``primad-ld`` as it is installed beside this interpreter."""
    found = shutil.which("primad-ld", path=str(Path(sys.executable).parent))
    return [found] if found else [sys.executable, "-m", "primad_ld"]


def evaluate(*arguments: Path | str | int, output: Path | None = None) -> Work:
    """Our command, whose tables go nowhere and whose figures go to a file."""
    written = [] if output is None else ["--format", "csv", "--output", output, "--force"]
    command = [*our_command(), "evaluate", *map(str, arguments), *written]
    return lambda: spent_by(command)


class ReproEval(OtherSide):
    """repro_eval: its command, and a process that is asked over pipes."""

    def __init__(self, python: Path) -> None:
        super().__init__("repro_eval", python, "measures_repro_eval.py", ["-W", "ignore"])

    def command(self, qrels: Path, runs: Sequence[Path]) -> Work:
        """``python -m repro_eval`` on some runs."""
        options = ["-W", "ignore", "-m", "repro_eval", "-t", "rpd", "-q", qrels, "-r", *runs]
        return lambda: spent_by([self.python, *options])

    def reading(self, task: str, path: Path) -> Work:
        """Reading a run."""
        return lambda: Spent(**self.ask(task, path=str(path)))


def repro_eval_python() -> Path:
    """The interpreter of an environment that has repro_eval; it is made once."""
    tag = f"repro-eval-measures-py{sys.version_info.major}{sys.version_info.minor}"
    folder = Path(tempfile.gettempdir(), "primad-ld-benchmarks", tag)
    python, done = folder / "bin/python", folder / "installed"
    if not done.exists():
        tell(f"installing {', '.join(_REPRO_EVAL)} into {folder}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *_REPRO_EVAL], check=True)
        done.touch()
    return python


# Measuring --------------------------------------------------------------------------------


def best_of(sides: Mapping[str, Work], rounds: int) -> dict[str, Spent]:
    """The best of several rounds, in which the sides take turns; a first one does not count."""
    for work in sides.values():
        work()
    taken: dict[str, list[Spent]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, work in sides.items():
            taken[side].append(work())
    return {side: _best(some) for side, some in taken.items()}


def _best(some: Sequence[Spent]) -> Spent:
    return Spent(wall=min(one.wall for one in some), cpu=min(one.cpu for one in some))


def measure_pair(data: Data, theirs: ReproEval, rounds: int, scratch: Path) -> Iterator[Row]:
    """One pair, and four runs, each from the start of a process to its end."""
    baseline, advanced, again, better = data.four
    pair = (baseline, again, "--qrels", data.qrels)
    study: tuple[Path | str, ...] = ("--baseline", baseline, "--advanced", advanced)
    study += ("--rep-baseline", again, "--rep-advanced", better, "--qrels", data.qrels)
    few, more = ("--measure", _PAIR), ("--measure", _STUDY)
    every = ("--on", "all")
    output = scratch / "figures.csv"
    questions: dict[str, dict[str, Work]] = {
        "one pair, cold": {
            OURS: evaluate(*pair, *few, *every),
            f"{OURS}, as CSV": evaluate(*pair, *few, *every, output=output),
            f"{OURS}, all its measures": evaluate(*pair),
            "repro_eval": theirs.command(data.qrels, [baseline, again]),
        },
        "baseline and advanced run, cold": {
            OURS: evaluate(*study, *more, *every),
            f"{OURS}, as CSV": evaluate(*study, *more, *every, output=output),
            f"{OURS}, all its measures": evaluate(*study),
            "repro_eval": theirs.command(data.qrels, data.four),
        },
    }
    for question, sides in questions.items():
        tell(f"{question}: {data.name}")
        for side, spent in best_of(sides, rounds).items():
            yield Row(question=question, data=data.name, side=side, spent=spent)


def measure_sweep(
    data: Data, runs: Sequence[Path], theirs: ReproEval, some: int, rounds: int, scratch: Path
) -> Iterator[Row]:
    """Runs against one reference, on all cores and on one; repro_eval on some of them."""
    reference, output = data.four[0], scratch / "sweep.csv"
    question = f"{len(runs)} runs against one reference"
    arguments = (reference, runs[0].parent, "--qrels", data.qrels, "--measure", _SWEEP)
    arguments = (*arguments, "--on", "all", "--quiet")
    paths = list(map(str, runs[:some]))
    answers: list[dict[str, Any]] = []

    def extrapolated() -> Spent:
        answer = theirs.ask("sweep", qrels=str(data.qrels), reference=str(reference), paths=paths)
        answers.append(answer)
        return Spent(**{part: _extrapolated(answer, part, len(runs)) for part in ("wall", "cpu")})

    sides: dict[str, Work] = {
        OURS: evaluate(*arguments, output=output),
        f"{OURS}, one process": evaluate(*arguments, "--jobs", 1, output=output),
        "repro_eval": extrapolated,
    }
    taken: dict[str, list[Spent]] = {side: [] for side in sides}
    for number in range(rounds):
        for side, work in sides.items():
            tell(f"{question}: {side}, round {number + 1}")
            taken[side].append(work())
    check_figures(
        output, {path.stem: answers[0]["figures"][i] for i, path in enumerate(runs[:some])}
    )
    for side, spent in taken.items():
        is_theirs = side == "repro_eval"
        remark = f"{some} runs measured, the rest extrapolated" if is_theirs else ""
        yield Row(question=question, data=data.name, side=side, spent=_best(spent), remark=remark)


def _extrapolated(answer: Mapping[str, Any], part: str, runs: int) -> float:
    """Seconds for all runs by those of some; what is done once is counted once."""
    each = [one[part] for one in answer["runs"]]
    return float(answer["setup"][part]) + sum(each) / len(each) * runs


def check_figures(written: Path, theirs: Mapping[str, Mapping[str, Any]]) -> None:
    """Whether our figures of some runs are those of repro_eval."""
    from primad_ld.trec.measure_names import canonical

    with written.open(encoding="utf-8", newline="") as stream:
        ours = {
            (row["candidate"], row["measure"], row["on"]): row["value"]
            for row in csv.DictReader(stream)
        }
    count = 0
    for run, figures in theirs.items():
        for measure, found in figures.items():
            by_name = {"": found} if measure in _ORDER else found
            for name, value in by_name.items():
                on = canonical(name) if name else ""
                our = ours[run, measure, on]
                if our == "" or not math.isclose(float(our), value, rel_tol=0, abs_tol=_CLOSE):
                    raise SystemExit(f"{run}: {measure} on {on}: {our}, repro_eval says {value}")
                count += 1
    tell(f"{count} figures are the same")


def measure_reading(files: Mapping[str, Path], theirs: ReproEval, rounds: int) -> Iterator[Row]:
    """One run, from its file to documents and scores by topic."""
    for name, path in files.items():
        tell(f"reading: {name}")
        sides: dict[str, Work] = {
            OURS: reading(path),
            "repro_eval: load_run": theirs.reading("parse", path),
            "repro_eval: load_run, break_ties": theirs.reading("parse_in_order", path),
        }
        for side, spent in best_of(sides, rounds).items():
            yield Row(question="reading a run", data=name, side=side, spent=spent)


def reading(path: Path) -> Work:
    """Our reader, which orders the documents as well."""
    from primad_ld.trec.rankings import read_rankings

    def work() -> Spent:
        gc.collect()
        start, cpu = time.perf_counter(), time.process_time()
        found = read_rankings(path)
        spent = Spent(wall=time.perf_counter() - start, cpu=time.process_time() - cpu)
        assert found.documents
        return spent

    return work


# Reporting --------------------------------------------------------------------------------


def markdown(rows: Sequence[Row]) -> str:
    """The figures as a table. Ratios say how many times ours is as fast as a side."""
    lines = [
        "| question | data | side | seconds | of the processor | ratio | of the processor |",
        "|---|---|---|--:|--:|--:|--:|",
    ]
    ours = {(row.question, row.data): row.spent for row in rows if row.side == OURS}
    for row in rows:
        first = ours[row.question, row.data]
        side = f"{row.side} ({row.remark})" if row.remark else row.side
        lines.append(
            f"| {row.question} | {row.data} | {side} | {row.spent.wall:,.3f} | {row.spent.cpu:,.3f} "
            f"| {row.spent.wall / first.wall:.1f} | {row.spent.cpu / first.cpu:.1f} |"
        )
    return "\n".join(lines)


def tell(step: str) -> None:
    """Progress, for whoever waits."""
    print(f"[{time.strftime('%H:%M:%S')}] {step}", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of short questions (5)")
    parser.add_argument("--topics", type=int, default=50, help="topics of each run (50)")
    parser.add_argument("--depth", type=int, default=1000, help="documents of each topic (1000)")
    parser.add_argument("--runs", type=int, default=300, help="runs of the sweep (300); 0: none")
    parser.add_argument("--sweep-rounds", type=int, default=2, help="rounds of the sweep (2)")
    parser.add_argument(
        "--some", type=int, default=3, metavar="N", help="runs of it for repro_eval (3)"
    )
    parser.add_argument(
        "--trec-covid", type=Path, metavar="DIR", help="irc_*.txt.gz and qrels-rnd1.txt are there"
    )
    parser.add_argument(
        "--repro-eval", type=Path, metavar="PYTHON", help="an interpreter that has repro_eval"
    )
    return parser.parse_args()


def measure(options: argparse.Namespace, theirs: ReproEval, scratch: Path) -> Iterator[Row]:
    """All questions."""
    tell("writing runs")
    data = generated(scratch / "generated", options.topics, options.depth)
    every = [data]
    if options.trec_covid is not None:
        every.append(trec_covid(options.trec_covid, scratch))
    for one in every:
        yield from measure_pair(one, theirs, options.rounds, scratch)
    short = scratch / "short.txt"
    write_run(short, options.topics, options.depth, seed=0, digits=6)
    files = {f"{one.name}, scores of 16 to 17 digits": one.four[0] for one in every}
    files[f"{data.name}, scores of 6 digits"] = short
    yield from measure_reading(files, theirs, options.rounds)
    if options.runs:
        tell(f"writing {options.runs} runs")
        folder = scratch / "sweep"
        folder.mkdir()
        runs = [folder / f"run{number:03d}.txt" for number in range(options.runs)]
        for number, path in enumerate(runs):
            write_run(path, options.topics, options.depth, seed=1000 + number)
        some = min(options.some, len(runs))
        yield from measure_sweep(data, runs, theirs, some, options.sweep_rounds, scratch)


def main() -> None:
    options = arguments()
    with (
        tempfile.TemporaryDirectory(prefix="primad-ld-benchmark-") as made,
        ReproEval(options.repro_eval or repro_eval_python()) as theirs,
    ):
        rows = list(measure(options, theirs, Path(made)))
        versions = theirs.versions
    print(markdown(rows))
    tell(f"measured with {', '.join(f'{name} {one}' for name, one in versions.items())}")
    if options.json is not None:
        figures = {"versions": versions, "cores": os.cpu_count(), "rows": list(map(asdict, rows))}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
