"""The rooms of the package: what they import and export, their names, their tests, and their page."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.tree import with_rooms

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "primad_ld"
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
ROOMS = sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy in which anything may be planted."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "primad_ld", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(house: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = os.environ | {"PYTHONPATH": str(house)}
    return subprocess.run(
        command, cwd=house, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("module", "line", "chain"),
    [
        ("core/errors.py", "from primad_ld.cli import app", "primad_ld.core.errors"),
        # Also where nobody sees it at once.
        (
            "archive/scores.py",
            "def hidden():\n    from primad_ld.nanopub.keys import find_key\n",
            "primad_ld.archive.scores",
        ),
    ],
)
def test_an_import_that_looks_up_is_found(house: Path, module: str, line: str, chain: str) -> None:
    path = house / "primad_ld" / module
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    done = lint(house)
    assert done.returncode == 1, done.stdout + done.stderr
    assert chain in done.stdout


def test_nothing_looks_up(house: Path) -> None:
    done = lint(house)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_modules_are_imported_by_their_names(path: Path) -> None:
    """What imports all of the package, or by a text, escapes the contract."""
    if path in (PACKAGE / "__init__.py", PACKAGE / "core" / "hooks.py"):
        return  # the registries: of public names, and of what hooks in
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert all(one.name.partition(".")[0] != "primad_ld" for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module != "primad_ld"
            assert node.level == 0
            assert not any(one.name == "import_module" for one in node.names)
        elif isinstance(node, ast.Attribute):
            assert node.attr != "import_module"


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_says_what_lives_there(room: Path) -> None:
    assert ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert f"### `{room.name}/`" in DESIGN


TESTS = sorted((ROOT / "tests").rglob("*.py"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_test_module_imports_another(path: Path) -> None:
    """What several need is a fixture, or stands in a module that has no tests."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").startswith("test_")
        elif isinstance(node, ast.Import):
            assert not any(one.name.startswith("test_") for one in node.names)


FOLDERS = sorted(path for path in (ROOT / "tests").iterdir() if list(path.glob("test_*.py")))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_folders_of_tests_are_rooms(folder: Path) -> None:
    assert folder.name in {room.name for room in ROOMS} | {"conformance"}


def test_decisions_that_are_cited_are_there() -> None:
    """By their numbers, in code and pages; a heading has the anchor that its row leads to."""
    there = re.findall(r"^\| (D\d+) \|", DESIGN, re.MULTILINE)
    assert there == [f"D{number}" for number in range(1, 16)]
    cited = re.compile(r"\((D\d+(?:, D\d+)*)\)")
    for path in [*PACKAGE.rglob("*.py"), *(ROOT / "docs").glob("*.md")]:
        for found in cited.findall(path.read_text(encoding="utf-8")):
            assert set(found.split(", ")) <= set(there), path
    headings = re.findall(r"^##+ (.*)$", DESIGN, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", DESIGN)) <= anchors


def test_the_page_has_the_rooms_as_they_are() -> None:
    """`python tests/support/tree.py` writes them."""
    assert with_rooms(DESIGN) == DESIGN


_WAY = DESIGN.partition("## The way of a run\n")[2].partition("## The rooms\n")[0]
_NO_MODULES = {"load", "baselines", "validate", "evaluate", "qra", "nanopub make"}


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([a-z_/]+)`", _WAY)) - _NO_MODULES))
def test_the_way_of_a_run_leads_through_modules_that_are_there(name: str) -> None:
    found = [path.relative_to(PACKAGE).with_suffix("").as_posix() for path in PACKAGE.rglob("*.py")]
    assert any(f"/{one.removesuffix('__init__')}".endswith(f"/{name}") for one in found)


_PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_what_pages_import_is_there(page: Path) -> None:
    for name in set(re.findall(r"primad_ld(?:\.[a-z_]\w*)+", page.read_text(encoding="utf-8"))):
        module = next(one for one in _prefixes(name) if one in MODULES)
        found: object = importlib.import_module(module)
        for one in name.removeprefix(module).strip(".").split("."):
            found = getattr(found, one) if one else found


def _prefixes(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition(".")[0]


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([\w/]+\.py)`", DESIGN))))
def test_modules_that_the_page_names_are_there(name: str) -> None:
    places = [PACKAGE / name, ROOT / name, *([] if "/" in name else PACKAGE.rglob(name))]
    assert any(place.is_file() for place in places)


def test_no_two_public_classes_have_one_name() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_no_two_modules_have_one_name() -> None:
    """But for those of the command line, whose modules have the names of what they lead to."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("[a-z]*.py")):
        if path.relative_to(PACKAGE).parts[0] != "cli":
            found.setdefault(path.stem, []).append(path.relative_to(PACKAGE).as_posix())
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def modules_of(path: Path) -> set[str]:
    """The dotted names of all modules of the package."""
    found = (one.relative_to(path.parent).with_suffix("").parts for one in path.rglob("*.py"))
    return {".".join(parts).removesuffix(".__init__") for parts in found}


MODULES = modules_of(PACKAGE)


def test_what_is_private_to_a_module_is_not_imported() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("primad_ld"):
                private = [one.name for one in node.names if one.name.startswith("_")]
                assert set(private) <= {"__version__"}, path
