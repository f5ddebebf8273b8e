"""How fast all pairs of many runs are compared, side by side with what else could do it.

    python benchmarks/matrix.py [--runs 200] [--topics 50] [--depth 1000] [--json FILE]

KTU and RBO of all pairs of generated runs, from files to the matrix, on one process and on two.
Beside it, on the same rankings: a kernel in C (`matrix_kernels.c`, where there is a compiler),
scipy's kendalltau for each topic, and repro_eval for each pair. Of the last two a few pairs are
measured and the rest is extrapolated, which the table says. The C kernel computes only: it is
compared with that part of ours. repro_eval needs pandas and lives in an environment of its own,
made once below the folder for temporary files unless ``--repro-eval`` names its interpreter.

Then the growth: the time for more and more runs of a smaller depth, and what memory they take.
Compare the ratios; nothing here asserts a time.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_REPRO_EVAL: Final = ("repro_eval", "pandas", "setuptools<81")
_KERNELS: Final = Path(__file__).with_name("matrix_kernels.c")
_GROWTH: Final = (50, 100, 200, 400)
_MEASURES: Final = ("ktu", "rbo")
# The kernel in C has room for so many documents of a list.
_LONGEST: Final = 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What one side took."""

    side: str
    runs: int
    pairs: int
    #: Reading and coding of files, and the comparison of pairs.
    reading: float
    comparing: float
    #: Of processor time, where it is known.
    cpu: float
    peak_mb: float = 0.0
    #: How many pairs were measured; the rest is extrapolated.
    measured: int

    @property
    def seconds(self) -> float:
        return self.reading + self.comparing

    @property
    def ms_for_a_pair(self) -> float:
        return 1000 * self.comparing / self.pairs


# Runs -------------------------------------------------------------------------------------


def write_runs(folder: Path, runs: int, topics: int, depth: int) -> list[Path]:
    """Runs that agree more or less: one order of documents for each topic, seen through noise."""
    folder.mkdir()
    paths = [folder / f"run{number:05d}.txt" for number in range(runs)]
    for number, path in enumerate(paths):
        rng = random.Random(number)
        noise = depth * rng.choice((0.02, 0.05, 0.1, 0.2, 0.4))
        with path.open("w", encoding="ascii") as stream:
            for topic in range(1, topics + 1):
                order = sorted(range(depth * 3 // 2), key=lambda one: one + rng.gauss(0, noise))
                stream.writelines(
                    # Names say nothing of the rank: a step that is prime shuffles them.
                    f"{topic} Q0 D{(one * 7919 + topic) % 1_000_003:07d} {rank} {depth - rank} run\n"
                    for rank, one in enumerate(order[:depth])
                )
    return paths


def pairs_of(runs: int) -> int:
    """Pairs of different runs, in one order."""
    return runs * (runs - 1) // 2


# Our side ---------------------------------------------------------------------------------


def ours(paths: Sequence[Path], processes: int) -> Row:
    """All pairs, in a process of its own, so that memory is that of this work alone."""
    request = json.dumps({"paths": list(map(str, paths)), "processes": processes})
    done = subprocess.run(
        [sys.executable, __file__, "--side"], input=request, text=True, check=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    found = json.loads(done.stdout)
    return Row(
        side=f"primad-ld, {processes} process{'es' * (processes > 1)}",
        runs=len(paths),
        pairs=pairs_of(len(paths)),
        measured=pairs_of(len(paths)),
        **found,
    )


def our_side() -> None:
    """Answer the request on standard input."""
    from primad_ld.evaluation.matrix import compute_matrix
    from primad_ld.measures.registry import parse_measure

    request = json.load(sys.stdin)
    runs, read = len(request["paths"]), 0.0
    start = time.perf_counter()

    def progress(done: int, total: int) -> None:
        nonlocal read
        if done == runs:
            read = time.perf_counter() - start

    chosen = [parse_measure(one) for one in _MEASURES]
    compute_matrix(request["paths"], chosen, processes=request["processes"], progress=progress)
    seconds = time.perf_counter() - start
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    result = {
        "reading": read,
        "comparing": seconds - read,
        "cpu": sum(one.ru_utime + one.ru_stime for one in usage),
        # The largest process: with several, each worker has its own.
        "peak_mb": max(own_peak(), usage[1].ru_maxrss) / 1000,
    }
    print(json.dumps(result))


def own_peak() -> int:
    """The most memory that this process had, in KB.

    On Linux, ru_maxrss begins with that of the process that started this one.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(status.partition("VmHWM:")[2].split()[0])


# Other sides ------------------------------------------------------------------------------


def kernels_in_c(paths: Sequence[Path], depth: int, scratch: Path) -> Iterator[Row]:
    """The same arithmetic compiled, on the same numbers, and ours in this process beside it."""
    import numpy as np

    from primad_ld.evaluation.matrix_tiles import bands, code_runs, compute_band
    from primad_ld.measures.numpy_kernels import weights_of
    from primad_ld.measures.registry import parse_measure

    compiler = shutil.which("cc")
    if compiler is None or depth > _LONGEST:
        tell("no C compiler, or lists that are too long for the kernel in C: it is left out")
        return
    library = scratch / "kernels.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", library, _KERNELS], check=True)
    compiled = ctypes.CDLL(str(library))
    folder = scratch / "coded"
    folder.mkdir()
    coded = code_runs(list(map(str, paths)), folder, depth=depth)
    codes = np.ascontiguousarray(np.stack(list(coded.codes), axis=1), dtype=np.uint16)
    runs, topics, width = codes.shape
    places = np.argsort(codes, axis=2).astype(np.uint16)
    ranks = np.argsort(places, axis=2).astype(np.uint16)
    weights, unit = weights_of(0.95, 1000)
    ktu, rbo = (np.zeros((runs, runs, topics), np.int64) for _ in range(2))

    def in_c() -> None:
        compiled.all_pairs(
            *(ctypes.c_void_p(one.ctypes.data) for one in (ranks, places, codes, weights)),
            *map(ctypes.c_int, (runs, topics, width, int(coded.documents.max()))),
            *(ctypes.c_void_p(one.ctypes.data) for one in (ktu, rbo)),
        )

    chosen = [parse_measure(one) for one in _MEASURES]
    found = []

    def here() -> None:
        found[:] = [compute_band(coded, chosen, one) for one in bands(runs, is_upper=True)]

    for side, work in (("kernel in C, one thread", in_c), ("our tiles, one process", here)):
        tell(f"{side}: {runs} runs")
        seconds, cpu = min(timed(work) for _ in range(2))
        yield Row(
            side=f"{side}: comparing alone", runs=runs, pairs=pairs_of(runs),
            measured=pairs_of(runs), reading=0.0, comparing=seconds, cpu=cpu,
        )  # fmt: skip
    total = width * (width - 1) // 2
    taus = (total - 2 * ktu[0]) / total
    values = found[0][0].values[0], found[0][1].values[0]
    if not np.allclose(taus.mean(axis=1), values[0], rtol=0, atol=1e-12):
        raise SystemExit("KTU in C and ours differ")
    if not np.allclose(rbo[0].mean(axis=1) * unit, values[1], rtol=0, atol=1e-12):
        raise SystemExit("RBO in C and ours differ")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - cpu


def kendalltau(paths: Sequence[Path], pairs: int) -> Row:
    """scipy's tau of each topic, of documents that are already numbers."""
    import numpy as np
    from scipy.stats import kendalltau

    from primad_ld.trec.rankings import read_rankings

    tell(f"scipy: {pairs} pairs")
    reference, *others = (read_rankings(path) for path in paths[: pairs + 1])
    prepared = []
    for other in others:
        for topic, names in reference.documents.items():
            both = [*names, *other.documents[topic]]
            codes = np.unique(np.array(both), return_inverse=True)[1]
            prepared.append((codes[: len(names)], codes[len(names) :]))

    def work() -> None:
        for one, two in prepared:
            kendalltau(one, two)

    seconds, cpu = timed(work)
    return extrapolated("scipy kendalltau (no RBO): comparing alone", paths, pairs, seconds, cpu)


# What repro_eval computes, in its own interpreter: seconds and the values of the first pair.
_THEIRS: Final = """
import json, sys, time
from repro_eval.measure.document_order import KTU, RBO

def read(path):
    run = {}
    with open(path) as stream:
        for line in stream:
            topic, _, document, _, score, _ = line.split()
            run.setdefault(topic, {})[document] = float(score)
    return run

reference, *others = [read(path) for path in json.load(sys.stdin)]
start, values = time.perf_counter(), []
for other in others:
    values.append([
        KTU(reference, other, trim_thresh=1000, pbar=False, per_topic=False),
        RBO(reference, other, p=0.95, depth=1000, pbar=False, per_topic=False),
    ])
print(json.dumps({"seconds": time.perf_counter() - start, "values": values}))
"""


def repro_eval(python: Path, paths: Sequence[Path], pairs: int) -> Row:
    """KTU and RBO of some pairs, and whether they are ours."""
    from primad_ld.evaluation.matrix import compute_matrix
    from primad_ld.measures.registry import parse_measure

    tell(f"repro_eval: {pairs} pairs")
    some = list(map(str, paths[: pairs + 1]))
    done = subprocess.run(
        [python, "-c", _THEIRS], input=json.dumps(some), text=True, check=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    chosen = [parse_measure(one) for one in _MEASURES]
    matrix = compute_matrix(some, chosen, processes=1)
    for other, theirs in enumerate(found["values"], 1):
        for layer, value in zip(matrix.layers, theirs, strict=True):
            if abs((layer.value(0, other) or 0.0) - value) > 1e-12:
                raise SystemExit(f"{layer.measure}: repro_eval says {value}")
    seconds = found["seconds"]
    return extrapolated("repro_eval: comparing alone", paths, pairs, seconds, seconds)


def extrapolated(side: str, paths: Sequence[Path], pairs: int, seconds: float, cpu: float) -> Row:
    """All pairs, of which some were measured."""
    every = pairs_of(len(paths))
    return Row(
        side=side, runs=len(paths), pairs=every, measured=pairs,
        reading=0.0, comparing=seconds * every / pairs, cpu=cpu * every / pairs,
    )  # fmt: skip


def repro_eval_python() -> Path:
    """The interpreter of an environment that has repro_eval; it is made once."""
    tag = f"repro-eval-matrix-py{sys.version_info.major}{sys.version_info.minor}"
    folder = Path(tempfile.gettempdir(), "primad-ld-benchmarks", tag)
    python, done = folder / "bin/python", folder / "installed"
    if not done.exists():
        tell(f"installing {', '.join(_REPRO_EVAL)} into {folder}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *_REPRO_EVAL], check=True)
        done.touch()
    return python


# Reporting --------------------------------------------------------------------------------


def markdown(rows: Sequence[Row], growth: Sequence[Row]) -> str:
    """The figures as tables."""
    ours_alone = next((row for row in rows if row.side.startswith("our tiles")), rows[0])
    lines = [
        "| side | pairs | measured | reading, s | comparing, s | processor, s | ms for a pair "
        "| comparing, against our tiles in one process | memory of the largest process |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {row.side} | {row.pairs:,} | {_measured(row)} | {row.reading:.1f} "
            f"| {row.comparing:,.1f} | {row.cpu:,.1f} | {row.ms_for_a_pair:.3f} "
            f"| {row.comparing / ours_alone.comparing:,.2f} "
            f"| {f'{row.peak_mb:,.0f} MB' if row.peak_mb else ''} |"
            for row in rows
        ),
    ]
    if growth:
        lines += [
            "",
            "| runs | pairs | reading, s | comparing, s | ms for a pair | memory of the largest process |",
            "|--:|--:|--:|--:|--:|--:|",
            *(
                f"| {row.runs:,} | {row.pairs:,} | {row.reading:.1f} | {row.comparing:,.1f} "
                f"| {row.ms_for_a_pair:.3f} | {row.peak_mb:,.0f} MB |"
                for row in growth
            ),
        ]
    return "\n".join(lines)


def _measured(row: Row) -> str:
    return "all" if row.measured == row.pairs else f"{row.measured}, the rest extrapolated"


def tell(step: str) -> None:
    """Progress, for whoever waits."""
    print(f"[{time.strftime('%H:%M:%S')}] {step}", file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--runs", type=int, default=200, help="generated runs (200)")
    parser.add_argument("--topics", type=int, default=50, help="topics of each (50)")
    parser.add_argument("--depth", type=int, default=1000, help="documents of each topic (1000)")
    parser.add_argument("--pairs", type=int, default=3, help="pairs for slow sides (3)")
    parser.add_argument(
        "--growth-topics",
        type=int,
        default=10,
        metavar="N",
        help="topics for the growth (10); 0: none",
    )
    parser.add_argument(
        "--growth-depth", type=int, default=100, metavar="N", help="documents for the growth (100)"
    )
    parser.add_argument(
        "--repro-eval", type=Path, metavar="PYTHON", help="an interpreter that has repro_eval"
    )
    parser.add_argument("--no-repro-eval", action="store_true", help="leave repro_eval out")
    parser.add_argument("--side", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = arguments()
    if options.side:
        our_side()
        return
    rows: list[Row] = []
    growth: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="primad-ld-benchmark-") as made:
        scratch = Path(made)
        tell(f"writing {options.runs} runs")
        paths = write_runs(scratch / "runs", options.runs, options.topics, options.depth)
        for processes in (1, 2):
            tell(f"primad-ld, {processes} processes")
            rows.append(ours(paths, processes))
        rows += kernels_in_c(paths, options.depth, scratch)
        slow = min(options.pairs, len(paths) - 1)
        rows.append(kendalltau(paths, slow))
        if not options.no_repro_eval:
            rows.append(repro_eval(options.repro_eval or repro_eval_python(), paths, slow))
        shutil.rmtree(scratch / "runs")
        if options.growth_topics:
            tell(f"writing {_GROWTH[-1]} runs for the growth")
            shape = options.growth_topics, options.growth_depth
            paths = write_runs(scratch / "growth", _GROWTH[-1], *shape)
            for count in _GROWTH:
                tell(f"growth: {count} runs")
                growth.append(ours(paths[:count], 2))
    print(markdown(rows, growth))
    if options.json is not None:
        figures = {"rows": list(map(asdict, rows)), "growth": list(map(asdict, growth))}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
