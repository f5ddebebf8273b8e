"""Processes that work for one: they end with it, and a script that starts itself again is told so."""

from __future__ import annotations

import ast
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support import ROOT

from primad_ld.core.errors import LimitError
from primad_ld.core.processes import _UNGUARDED, Limits, _why, in_processes, note

PRIMAD_LD = [sys.executable, "-m", "primad_ld"]
#: So long may what is left of a command hold its output.
PATIENCE = 5
posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


def make_runs(folder: Path, count: int = 32) -> Path:
    """Runs that take several processes to work on, and judgements."""
    runs = folder / "runs"
    runs.mkdir()
    for number in range(count):
        header = f"# ir_metadata.start\n# tag: r{number}\n# actor: {{team: t}}\n# ir_metadata.end\n"
        rows = "".join(
            f"{topic} Q0 d{(rank * (number + 3)) % 97} {rank} {100 - rank} r{number}\n"
            for topic in range(5)
            for rank in range(40)
        )
        (runs / f"{number}.txt").write_text(header + rows)
    (folder / "qrels").write_text("".join(f"{topic} 0 d{topic * 3} 1\n" for topic in range(5)))
    return runs


# Kills -------------------------------------------------------------------------------------------

_KILLED = {
    "evaluate": "evaluate --all-pairs ../runs -f csv -j 2",
    "score": "score ../runs --qrels ../qrels -j 2",
    "load": "load ../runs -a archive -j 2",
    "convert": "convert ../runs -o x.nq -j 2",
}


def kill(folder: Path, name: str, number: int, delay: float) -> list[str]:
    """What is wrong after a command was asked to end, or was killed."""
    folder.mkdir()
    (folder / "tmp").mkdir()
    command = subprocess.Popen(
        [*PRIMAD_LD, *_KILLED[name].split()],
        cwd=folder,
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(delay)
    # Ctrl-C and the end of a terminal reach all of its processes.
    is_of_terminal = number in (signal.SIGINT, signal.SIGHUP)
    (os.killpg if is_of_terminal else os.kill)(command.pid, number)
    wrong = []
    try:
        # Whoever is left holds the ends of these pipes.
        _, errors = command.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(command.pid, signal.SIGKILL)
        _, errors = command.communicate()
        wrong.append("processes are left")
    # Python itself has no better words while it imports the command, and in a process that it
    # is about to start when its parent is killed.
    is_of_python = command.returncode == -signal.SIGINT or (
        command.returncode == -signal.SIGKILL and b"spawn_main" in errors
    )
    if b"Traceback" in errors and not is_of_python:
        wrong.append(errors.decode())
    if command.returncode not in (0, -number, 128 + number):
        wrong.append(f"exit code {command.returncode}: {errors.decode()}")
    if number != signal.SIGKILL:
        wrong += [f"{path} is left" for path in folder.rglob(".*")]
        wrong += [f"{path} is left" for path in (folder / "tmp").iterdir()]
    return [f"{name}, {signal.Signals(number).name} after {delay:.2f} s: {one}" for one in wrong]


@posix
def test_nothing_is_left_of_a_command_that_was_killed(tmp_path: Path):
    make_runs(tmp_path)
    chance = random.Random(16)
    signals = [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGKILL, signal.SIGINT]
    kills = [
        (tmp_path / f"{name}-{number.name}-{place}", name, number, chance.uniform(0.3, 2.0))
        for name in _KILLED
        for place, number in enumerate(signals)
    ]
    assert len(kills) == 20
    with ThreadPoolExecutor(5) as pool:
        assert [one for wrong in pool.map(lambda one: kill(*one), kills) for one in wrong] == []


# Limits ------------------------------------------------------------------------------------------


def endless(name: str) -> Callable[[Iterable[str]], Iterator[str]]:
    """Work that ends for some items only, as what strangers wrote."""

    def work(items: Iterable[str]) -> Iterator[str]:
        for item in items:
            note(f"{name} at {item}")
            if item == "pattern":
                re.search("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 60)
            elif item == "memory":
                bytearray(2**30)
            yield item.upper()

    return work


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ("pattern", "took longer than 1 seconds"),  # no other thread gets a turn meanwhile
        ("memory", "needed more than 0.5 GiB of memory"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
@posix
def test_work_within_limits(item: str, why: str, processes: int):
    limits = Limits(seconds=1, memory=2**29)
    found = in_processes(["a", "b", item, "c"], endless, ("work",), processes, limits=limits)
    assert (next(found), next(found)) == ("A", "B")
    with pytest.raises(LimitError, match=why) as caught:
        list(found)
    assert caught.value.at == f"work at {item}"
    assert multiprocessing.active_children() == []


@posix
def test_whoever_stops_waits_for_no_pattern():
    limits = Limits(seconds=1000, memory=2**29)
    found = in_processes(["a", "pattern"], endless, ("work",), 1, limits=limits)
    assert next(found) == "A"
    found.close()
    assert multiprocessing.active_children() == []


# Scripts -----------------------------------------------------------------------------------------

_SCRIPT = """\
import sys
from pathlib import Path
import primad_ld as pl
{guard}
{indent}runs = sorted(Path("runs").iterdir())
{indent}print("begun", flush=True)
{indent}found = pl.evaluate(runs[0], runs[1:], qrels="qrels", on="map"{jobs})
{indent}print(len(found.pairs), "pairs")
"""
_GUARD = 'if __name__ == "__main__":'


@pytest.mark.parametrize(
    ("guard", "jobs", "is_file", "begun", "said"),
    [
        ("", "", True, 1, "31 pairs"),  # one process, unless asked
        (_GUARD, ", jobs=2", True, 1, "31 pairs"),
        ("", ", jobs=2", True, 3, f"put the call under `{_GUARD}`, or use jobs=1"),
        (_GUARD, ", jobs=2", False, 1, "import the main script, which must be a file"),
    ],
    ids=["one process", "guarded", "not guarded", "from standard input"],
)
def test_a_script(
    tmp_path: Path, guard: str, jobs: str, is_file: bool, begun: int, said: str
) -> None:
    make_runs(tmp_path)
    text = _SCRIPT.format(guard=guard, indent="    " * bool(guard), jobs=jobs)
    (tmp_path / "script.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "script.py" if is_file else "-"],
        cwd=tmp_path,
        input=None if is_file else text,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said in (done.stdout if "pairs" in said else done.stderr.splitlines()[-1])
    assert done.stdout.count("begun") <= begun
    assert "enough memory" not in done.stderr


@pytest.mark.parametrize(
    ("codes", "why"),
    [
        ((-9, -15), "was killed, perhaps for lack of memory"),
        ((None, 0), "was killed"),
        ((-15, 1), "ended with exit code 1"),
        ((1, _UNGUARDED), "__main__"),  # the cause, whatever else came of it
    ],
)
def test_why_workers_ended(codes: tuple[int | None, ...], why: str):
    assert why in _why(codes)


def _defaults() -> list[tuple[str, str, object]]:
    """Each parameter and field that says how many processes work, with its default."""
    found = []
    for path in sorted((ROOT / "primad_ld").rglob("*.py")):
        if "cli" in path.relative_to(ROOT).parts or path.name == "registry_client.py":
            continue  # all cores, where that pays; connections to a registry
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name != "publish":
                given = node.args
                last = [*given.posonlyargs, *given.args][-len(given.defaults) or None :]
                pairs = [
                    *zip(last, given.defaults, strict=False),
                    *zip(given.kwonlyargs, given.kw_defaults, strict=True),
                ]
                found += [(path.name, one.arg, value) for one, value in pairs]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.append((path.name, node.target.id, node.value))
    return [
        (file, name, value.value)
        for file, name, value in found
        if name in ("jobs", "processes") and isinstance(value, ast.Constant)
    ]


def test_the_library_uses_one_process_unless_asked():
    found = _defaults()
    assert {value for _, _, value in found} == {1}, found
    assert {
        "evaluations.py",
        "matrix.py",
        "conversion.py",
        "folder_checks.py",
        "bulk.py",
    } <= {file for file, _, _ in found}
