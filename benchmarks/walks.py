"""How large the rooms are, and how much of them one answer runs through: one table.

    python benchmarks/walks.py [--json FILE] [--before FILE]

Commands run on the shipped examples, each in a process of its own. A profiler notes which
functions of the project are called, and in how many modules they stand. Each command runs twice,
the second time on another file: then caches are filled, and what is called is the work itself.
"107 in 15" are 107 functions in 15 modules; the last row is the second call.
With ``--before`` the figures of an earlier ``--json`` stand in front of those of now.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

PROJECT: Final = Path(__file__).parents[1]
PACKAGE: Final = PROJECT / "primad_ld"
TESTS: Final = PROJECT / "tests"
PREPARED: Final = "score runs --qrels qrels.txt -a archive -q"
#: Where the process of a walk leaves what it noted.
WALKED: Final = "walk.json"
WALKS: Final[Mapping[str, tuple[str, str]]] = {
    "load": (
        "load runs/greenhouse-bm25.txt -a new -q -j 1",
        "load runs/greenhouse-feedback.txt -a new -q -j 1",
    ),
    "baselines": (
        "baselines shed-feedback -a archive",
        "baselines greenhouse-feedback -a archive",
    ),
    "validate": (
        "validate runs/greenhouse-bm25.txt -j 1",
        "validate runs/greenhouse-feedback.txt -j 1",
    ),
    "evaluate": (
        "evaluate runs/greenhouse-bm25.txt runs/shed-bm25.txt --qrels qrels.txt -j 1",
        "evaluate runs/greenhouse-feedback.txt runs/shed-feedback.txt --qrels qrels.txt -j 1",
    ),
    "qra": ("qra pass.csv", "qra nts.yaml"),
    "nanopub make": (
        "nanopub make runs/greenhouse-bm25.txt -o drafts -q",
        "nanopub make runs/greenhouse-feedback.txt -o others -q",
    ),
}

#: The names of functions, as ``core/files.py:read_text``.
Functions = list[str]


def walked(command: str) -> set[CodeType]:
    """The functions of the project that a command calls."""
    from primad_ld.cli import app

    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        status = app(command.split(), standalone_mode=False)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    if status not in (None, 0, 1):
        raise SystemExit(f"primad-ld {command}: exit code {status}")
    return {
        code
        for code in called
        # Bodies of modules and classes are called, too; lambdas and comprehensions have no name.
        if code.co_flags & inspect.CO_OPTIMIZED
        and not code.co_name.startswith("<")
        and Path(code.co_filename).is_relative_to(PACKAGE)
    }


def walk(name: str) -> dict[str, Functions]:
    """The functions that the first call of a command runs through, and another one after it."""
    return {
        time: sorted(
            f"{Path(code.co_filename).relative_to(PACKAGE).as_posix()}:{code.co_qualname}"
            for code in walked(command)
        )
        for time, command in zip(("first", "again"), WALKS[name], strict=True)
    }


def walks() -> dict[str, dict[str, Functions]]:
    """All walks, on a copy of the examples."""
    functions = {}
    with tempfile.TemporaryDirectory() as folder:
        for example in ("garden", "qra"):
            shutil.copytree(PROJECT / "examples" / example, folder, dirs_exist_ok=True)
        run_python("-m", "primad_ld", *PREPARED.split(), folder=folder)
        for name in WALKS:
            print(name, file=sys.stderr)
            run_python(__file__, "--walk", name, folder=folder)
            functions[name] = json.loads(Path(folder, WALKED).read_text())
    return functions


def run_python(*arguments: str, folder: str) -> None:
    """Run Python in a folder, with the package of this checkout; only its errors are shown."""
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")


def sizes() -> dict[str, dict[str, int]]:
    """Modules, lines and functions of each room, and the lines of its tests."""
    rows = {}
    for room in sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py")):
        rows[room] = _size((PACKAGE / room).rglob("*.py"), (TESTS / room).rglob("*.py"))
    rest = (path for path in TESTS.rglob("*.py") if path.relative_to(TESTS).parts[0] not in rows)
    rows["other"] = _size(PACKAGE.glob("*.py"), rest)
    return rows


def _size(modules: Iterable[Path], tests: Iterable[Path]) -> dict[str, int]:
    sources = [path.read_text() for path in modules]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    return {
        "modules": len(sources),
        "lines": sum(source.count("\n") for source in sources),
        "functions": sum(isinstance(node, ast.FunctionDef) for node in nodes),
        "lines of tests": sum(path.read_text().count("\n") for path in tests),
    }


def figures() -> dict[str, dict[str, str | int]]:
    """The table: a row for each room, then the sums."""
    rows: dict[str, dict[str, str | int]] = {room: {**size} for room, size in sizes().items()}
    columns = list(rows["core"])
    rows["all"] = {column: sum(int(row[column]) for row in rows.values()) for column in columns}
    for name, functions in walks().items():
        for room, row in rows.items():
            inside = [one for one in functions["first"] if room in ("all", one.partition("/")[0])]
            row[name] = _amount(inside)
        rows.setdefault("all, second call", {})[name] = _amount(functions["again"])
    return rows


def _amount(functions: Functions) -> str:
    """So many functions in so many modules."""
    modules = {function.partition(":")[0] for function in functions}
    return f"{len(functions)} in {len(modules)}" if functions else ""


def table(rows: Mapping[str, Mapping[str, object]], before: Mapping[str, Any]) -> Iterator[str]:
    """The rows in Markdown, those that changed with what they were."""
    columns = list(rows["all"])
    yield f"| room | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for room in dict.fromkeys([*rows, *before]):
        cells = []
        for column in columns:
            was, now = (str(of.get(room, {}).get(column, "")) for of in (before, rows))
            cells.append(f"{was or 0} → {now or 0}" if before and was != now else now)
        yield f"| {room} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="where the figures are kept")
    parser.add_argument("--before", type=Path, help="figures of earlier")
    parser.add_argument("--walk", choices=WALKS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.walk:
        Path(WALKED).write_text(json.dumps(walk(options.walk)))
        return
    before = {}
    if options.before:
        try:
            before = json.loads(options.before.read_text(encoding="utf-8"))
            before["all"]["modules"]
        except (OSError, ValueError, TypeError, KeyError) as error:
            parser.error(f"--before {options.before}: not written by --json ({error})")
    if options.json and not options.json.absolute().parent.is_dir():
        parser.error(f"--json {options.json}: its folder does not exist; create it")
    rows = figures()
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    print(*table(rows, before), sep="\n")


if __name__ == "__main__":
    main()
