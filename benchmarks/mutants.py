"""Do the tests notice when one thing in the code changes? Forty mutants for each room.

    python benchmarks/mutants.py [--room compare] [--seed 1] [--json FILE] [--against FILE]

A mutant is the project with one change: another comparison, constant, boolean, return value or
sign, a dropped ``not``, two arguments swapped, a statement skipped. The tests run once under
coverage, which tells which tests execute which line. A mutant is then judged by the tests of its
line until one fails: it was found. A time-out counts as found, too. Only the bodies of functions
are changed: coverage does not tell which tests depend on what runs at import.

Mutants are chosen by a hash of what they say and in which function, so that where code stays,
its mutants stay. ``benchmarks/mutants.json`` has the result for a commit, with its conditions.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count, zip_longest
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from changes import Mutant, chosen, mutants_of

PROJECT: Final = Path(__file__).parents[1]
#: What costs time to import and is the same in all mutants.
_PRELOADED: Final = ["numpy", "scipy.stats", "rdflib", "pyshacl", "pyoxigraph", "typer", "pytest"]
_CONTEXT: Final = get_context("forkserver")
_BYTES: Final = 4 * 2**30
_TIMES: Final = count(1)
#: Every file of tests costs about this much to collect.
_SECONDS_PER_FILE: Final = 0.3
#: A line that so few test functions execute is run once for many of them (a cache, a fixture).
_RUN_ONCE: Final = 3
#: More than the share that may be lost is a net with a new hole: two of forty.
_TOLERATED: Final = 2 / 40
#: Shares are kept with three digits.
_ROUNDING: Final = 0.001

# What tests execute

#: The tests that execute a line, by its number.
Lines = Mapping[int, Sequence[str]]


class Durations:
    """Remembers which tests passed, and how long they took."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.others: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.outcome != "passed":
            self.others.add(report.nodeid)

    def passed(self) -> dict[str, float]:
        """Seconds by test."""
        return {test: self.seconds[test] for test in sorted(self.seconds.keys() - self.others)}


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Which tests execute a line, and how long they take."""

    tree: Path
    contexts: Any
    seconds: Mapping[str, float]

    def lines(self, file: str) -> Lines:
        """The tests of each line of a file that tests execute."""
        tests = {
            line: {context.rpartition("|")[0] for context in contexts} & self.seconds.keys()
            for line, contexts in self.contexts.contexts_by_lineno(str(self.tree / file)).items()
        }
        return {line: sorted(names) for line, names in tests.items() if names}

    def selected(self, tests: set[str], module: set[str], room: str, budget: float) -> list[str]:
        """Tests that take so many seconds: cases of many functions, the room's own first."""
        functions = self._by_function(tests, room)
        if len(functions) <= _RUN_ONCE:
            functions += self._by_function(module - tests, room)
        files: defaultdict[str, list[str]] = defaultdict(list)
        for test in (case for cases in zip_longest(*functions) for case in cases if case):
            file = test.partition("::")[0]
            cost = self.seconds[test] + (0 if file in files else _SECONDS_PER_FILE)
            if cost <= budget or not files:
                files[file].append(test)
                budget -= cost
        return [test for tests in files.values() for test in tests]

    def _by_function(self, tests: set[str], room: str) -> list[list[str]]:
        """The cases of each test function, shortest first."""

        def order(test: str) -> tuple[bool, float, str]:
            return not test.startswith(f"tests/{room}/"), self.seconds[test], test

        functions: defaultdict[str, list[str]] = defaultdict(list)
        for test in sorted(tests, key=order):
            functions[test.partition("[")[0]].append(test)
        return list(functions.values())


def run_under_coverage(tree: Path, jobs: int, answer: Connection) -> None:
    """Run all tests."""
    import pytest

    _enter(tree)
    os.dup2(2, 1)  # what pytest prints is progress here
    os.environ["COVERAGE_FILE"] = str(tree.parent / "coverage")
    durations = Durations()
    coverage = ["--cov=primad_ld", "--cov-context=test", "--cov-report="]
    pytest.main(["-q", "-n", str(jobs), "--dist=worksteal", *coverage], plugins=[durations])
    answer.send(durations.passed())


def coverage_of(tree: Path, jobs: int) -> Coverage:
    """What an earlier call found for the same commit, or a run of all tests."""
    from coverage import CoverageData

    kept = tree.parent / "seconds.json"
    if not kept.exists():
        report("running all tests under coverage")
        seconds = _in_process(run_under_coverage, tree, jobs, timeout=None)
        if not seconds:
            raise SystemExit("no test passed under coverage; see above")
        kept.write_text(json.dumps(seconds))
    contexts = CoverageData(str(tree.parent / "coverage"))
    contexts.read()
    return Coverage(tree=tree, contexts=contexts, seconds=json.loads(kept.read_text()))


# Running tests on a mutant


class Selection:
    """Runs the selected tests in their order, and remembers those that fail."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.places = {test: place for place, test in enumerate(tests)}
        self.failed: list[str] = []

    def pytest_configure(self) -> None:
        from hypothesis import Phase, settings

        # The first example that fails is enough: nothing is made smaller.
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(), phases=phases)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.places),
            key=lambda item: self.places[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def run_selected(tree: Path, tests: Sequence[str], stop: bool, answer: Connection) -> None:
    """Run these tests, or stop at the first that fails, and answer which failed."""
    import pytest

    _enter(tree)
    with open(os.devnull, "r+") as nothing:
        for stream in (0, 1, 2):
            os.dup2(nothing.fileno(), stream)
    # A loop without an end takes memory until it is stopped.
    resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, _BYTES))
    selection = Selection(tests)
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    options = ["-q", "--tb=no", *(["-x"] if stop else [])]
    unused = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
    pytest.main([*options, *unused, *files], plugins=[selection])
    answer.send(selection.failed)


def _enter(tree: Path) -> None:
    """Use the package of this tree, also in processes that tests start."""
    os.setsid()
    os.chdir(tree)
    sys.path.insert(0, str(tree))
    os.environ["PYTHONPATH"] = str(tree)
    # What is compiled once, tests above all, is not compiled again for each mutant.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def _in_process(function: Callable[..., None], *arguments: object, timeout: float | None) -> Any:
    """What a function answers in a process of its own, whose children end with it."""
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=function, args=(*arguments, there))
    process.start()
    there.close()
    try:
        if not here.poll(timeout):
            raise TimeoutError
        return here.recv()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.join()


def judged(mutant: Mutant, tests: Sequence[str], tree: Path, timeout: float) -> Mutant:
    """The mutant with its outcome."""
    file = tree / mutant.file
    source, times = file.read_bytes(), file.stat()
    file.write_bytes(mutant.applied(source))
    # Python tells by the time, in seconds, whether what it compiled is still valid.
    os.utime(file, (0, next(_TIMES)))
    try:
        failed = _in_process(run_selected, tree, tests, True, timeout=timeout)
    except TimeoutError:
        return replace(mutant, outcome="time-out", test="")
    except EOFError:
        return replace(mutant, outcome="crash", test="")
    finally:
        file.write_bytes(source)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    if failed:
        return replace(mutant, outcome="found", test=failed[0])
    return replace(mutant, outcome="not found", test="")


# Rooms


@dataclass(frozen=True, kw_only=True)
class Room:
    """The mutants of one room, and how many there could be."""

    name: str
    candidates: int
    mutants: list[Mutant]

    @property
    def found(self) -> int:
        """Mutants that the tests noticed."""
        return sum(mutant.found for mutant in self.mutants)

    @property
    def share(self) -> float:
        """The part of the mutants that the tests noticed."""
        return self.found / len(self.mutants) if self.mutants else 1.0


class Judge:
    """Lets the tests judge mutants, on several copies of the project."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.options = options
        self.trees = [copied(folder / f"tree-{i}", options.commit) for i in range(options.jobs)]
        self.free: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for tree in self.trees:
            self.free.put(tree)
        self.coverage = coverage_of(self.trees[0], options.jobs)
        #: Tests that fail without a mutant, too, when they run in this way.
        self.unreliable: set[str] = set()

    def judged_room(self, name: str) -> Room:
        """Mutants of a room, each with its outcome."""
        lines, candidates = self._candidates(name)
        mutants = chosen(candidates, self.options.each, self.options.seed)
        room = Room(name=name, candidates=len(candidates), mutants=mutants)
        open_places: Sequence[int] = range(len(mutants))
        while open_places:
            with ThreadPoolExecutor(self.options.jobs) as pool:
                for place in pool.map(partial(self._judge, room, lines), open_places):
                    report(f"{name} {place + 1}/{len(mutants)} {described(mutants[place])}")
            self._try_without_mutant({mutant.test for mutant in mutants if mutant.test})
            # A test that fails in any case has found nothing.
            open_places = [i for i, mutant in enumerate(mutants) if mutant.test in self.unreliable]
        return room

    def _candidates(self, name: str) -> tuple[dict[str, Lines], list[Mutant]]:
        """The tests of each file of a room, and every mutant in a line that a test executes."""
        lines: dict[str, Lines] = {}
        candidates: list[Mutant] = []
        for path in sorted((self.trees[0] / "primad_ld" / name).rglob("*.py")):
            file, source = path.relative_to(self.trees[0]).as_posix(), path.read_bytes()
            lines[file] = self.coverage.lines(file)
            candidates += [
                mutant
                for mutant in mutants_of(source, file, name)
                if mutant.line in lines[file] and _compiles(mutant.applied(source))
            ]
        return lines, candidates

    def _judge(self, room: Room, lines: Mapping[str, Lines], place: int) -> int:
        mutant = room.mutants[place]
        of_file = lines[mutant.file]
        tests = set(of_file[mutant.line]) - self.unreliable
        module = {test for names in of_file.values() for test in names} - self.unreliable
        budget = self.options.seconds
        selected = self.coverage.selected(tests, module, room.name, budget)
        tree = self.free.get()
        try:
            # Coverage made the tests slower than they are here; a busy machine makes up for it.
            room.mutants[place] = judged(mutant, selected, tree, timeout=30 + 3 * budget)
        finally:
            self.free.put(tree)
        return place

    def _try_without_mutant(self, tests: set[str]) -> None:
        arguments = (self.trees[0], sorted(tests), False)
        self.unreliable |= set(_in_process(run_selected, *arguments, timeout=None))


def copied(tree: Path, commit: str) -> Path:
    """A clone of the project at a commit, beside the reference data."""
    shared = tree.parent / "shared"
    if not shared.exists() and (PROJECT.parent / "shared").exists():
        shared.symlink_to(PROJECT.parent / "shared")
    if not tree.exists():
        half = Path(tempfile.mkdtemp(dir=tree.parent))
        subprocess.run(["git", "clone", "-q", "--no-checkout", PROJECT, half], check=True)
        subprocess.run(["git", "-C", half, "checkout", "-q", "--detach", commit], check=True)
        half.rename(tree)
    return tree


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "a mutant", "exec")
    except SyntaxError:
        return False
    return True


# What is printed


def report(line: str) -> None:
    """Tell how far it is."""
    print(line, file=sys.stderr, flush=True)


def described(mutant: Mutant) -> str:
    """A mutant in one line."""
    before, after = (" ".join(text.split())[:60] for text in (mutant.before, mutant.after))
    change = f"{mutant.kind}: {before} → {after}"
    return f"{mutant.outcome}: {mutant.file}:{mutant.line} {mutant.function}: {change}"


def table(rooms: Sequence[Room], former: Mapping[str, Any]) -> Iterator[str]:
    """Found and not found by room, beside an earlier result; and each that was not found."""
    yield "| room | places | mutants | found | by time-out | not found | share | before |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for room in rooms:
        late = sum(mutant.outcome == "time-out" for mutant in room.mutants)
        before = f"{former[room.name]['share']:.0%}" if room.name in former else ""
        yield (
            f"| {room.name} | {room.candidates:,} | {len(room.mutants)} | {room.found} | {late} "
            f"| {len(room.mutants) - room.found} | {room.share:.0%} | {before} |"
        )
    yield ""
    yield from (described(mutant) for room in rooms for mutant in room.mutants if not mutant.found)


def document(rooms: Sequence[Room], judge: Judge) -> dict[str, Any]:
    """The result with its conditions."""
    options = judge.options
    return {
        "commit": options.commit,
        "conditions": {
            "seed": options.seed,
            "seconds of tests for each mutant": options.seconds,
            "tests": len(judge.coverage.seconds),
            "tests that fail without a mutant": sorted(judge.unreliable),
            "python": platform.python_version(),
            "cores": options.jobs,
            "virtuoso": shutil.which("virtuoso-t") is not None,
            "reference data": (judge.trees[0].parent / "shared").exists(),
        },
        "rooms": {
            room.name: {
                "places": room.candidates,
                "found": room.found,
                "share": round(room.share, 3),
                "mutants": [_row(mutant) for mutant in room.mutants],
            }
            for room in rooms
        },
    }


def _row(mutant: Mutant) -> dict[str, object]:
    return {
        name: value
        for name, value in asdict(mutant).items()
        if name not in ("room", "start", "end", "number")
    }


def main() -> int:
    """Judge the mutants of the rooms, and print the table."""
    options = arguments()
    folder = Path(tempfile.gettempdir(), f"primad-ld-mutants-{options.commit[:12]}")
    folder.mkdir(exist_ok=True)
    _CONTEXT.set_forkserver_preload(_PRELOADED)
    judge = Judge(folder, options)
    rooms = []
    for name in options.room:
        rooms.append(judge.judged_room(name))
        if options.json:
            text = json.dumps(document(rooms, judge), indent=1, ensure_ascii=False)
            options.json.write_text(f"{text}\n", encoding="utf-8")
    print(*table(rooms, options.against), sep="\n")
    least = {name: room["share"] - _TOLERATED - _ROUNDING for name, room in options.against.items()}
    fallen = [room.name for room in rooms if room.share < least.get(room.name, 0)]
    if fallen:
        print(f"\ntests find less than before in {', '.join(fallen)}")
    return bool(fallen)


def arguments() -> argparse.Namespace:
    """What was asked for: the commit by its whole name, and an earlier result by room."""
    rooms = sorted(path.parent.name for path in PROJECT.glob("primad_ld/*/__init__.py"))
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--room", nargs="+", metavar="ROOM", choices=rooms, default=rooms, help="all if left out"
    )
    parser.add_argument("--each", type=_positive, default=40, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=40, help="of tests for each mutant")
    parser.add_argument("--commit", default="HEAD", help="whose code and tests; not what is edited")
    parser.add_argument("--jobs", type=_positive, default=os.cpu_count())
    parser.add_argument("--json", type=Path, help="where the result is kept")
    parser.add_argument(
        "--against", type=Path, help="an earlier result of as many mutants; exit 1 if a room fell"
    )
    options = parser.parse_args()
    command = ["git", "-C", PROJECT, "rev-parse", "--verify", f"{options.commit}^{{commit}}"]
    found = subprocess.run(command, check=False, text=True, capture_output=True)
    if found.returncode:
        parser.error(f"--commit {options.commit}: {found.stderr.strip()}")
    options.commit = found.stdout.strip()
    try:
        former = json.loads(options.against.read_text("utf-8")) if options.against else {}
    except (OSError, ValueError) as error:
        parser.error(f"--against {options.against}: {error}")
    if options.against and "rooms" not in former:
        parser.error(f"--against {options.against}: not written by --json")
    options.against = former.get("rooms", {})
    return options


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more (got {text})")
    return number


if __name__ == "__main__":
    sys.exit(main())
