"""The public surface: what is there, that it is documented, and that it ships."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support import ROOT

import primad_ld
from primad_ld import SchemaError, resources

PUBLIC = {name: getattr(primad_ld, name) for name in primad_ld.__all__}


def _members() -> dict[str, Any]:
    """Every public function, class, method and property of the surface, by its name."""
    found: dict[str, Any] = {}
    for name, value in PUBLIC.items():
        found[name] = value
        if inspect.isclass(value):
            for member, inner in vars(value).items():
                if not member.startswith("_") and (
                    inspect.isfunction(inner) or isinstance(inner, property | classmethod)
                ):
                    found[f"{name}.{member}"] = inner
    return found


MEMBERS = _members()


def test_all_is_all_there_is() -> None:
    names = {
        name
        for name in dir(primad_ld)
        if not name.startswith("_") and not isinstance(getattr(primad_ld, name), ModuleType)
    }
    assert sorted(names) == primad_ld.__all__ == sorted(set(primad_ld.__all__))


def test_type_checkers_see_what_is_imported_on_request() -> None:
    tree = ast.parse(Path(primad_ld.__file__).read_text(encoding="utf-8"))
    seen = {
        (f"primad_ld.{module}", name)
        for module, names in primad_ld._NAMES_BY_MODULE.items()
        for name in names.split()
    }
    said = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == said
    assert sorted(name for _, name in seen) == primad_ld.__all__


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="'primad_ld' has no attribute 'lifted'"):
        _ = primad_ld.lifted
    with pytest.raises(ImportError, match="cannot import name 'lifted'"):
        exec("from primad_ld import lifted")


@pytest.mark.parametrize("name", MEMBERS)
def test_it_has_a_docstring(name: str) -> None:
    value = MEMBERS[name]
    text = inspect.getdoc(value.fget if isinstance(value, property) else value) or ""
    # A dataclass without a docstring gets its signature for one, an exception its parent's.
    assert not text.startswith(f"{name}("), text
    assert text
    assert text.split("\n")[0].rstrip().endswith((".", ":", "?")), text
    if inspect.isclass(value) and issubclass(value, Exception):
        assert "__doc__" in vars(value)
        assert value.__doc__


@pytest.mark.parametrize("name", [name for name, one in MEMBERS.items() if inspect.isfunction(one)])
def test_it_is_typed(name: str) -> None:
    signature = inspect.signature(MEMBERS[name])
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty


def test_errors_have_one_base() -> None:
    errors = [one for one in PUBLIC.values() if inspect.isclass(one) and issubclass(one, Exception)]
    assert len(errors) == 9
    assert all(issubclass(one, primad_ld.PrimadError) for one in errors)


def test_the_way_and_back_in_three_calls(tmp_path: Path) -> None:
    run = tmp_path / "run.txt"
    run.write_text("# ir_metadata.start\n# tag: x\n# ir_metadata.end\n1 Q0 d 1 2.5 x\n")
    header = primad_ld.read_header(run)
    assert primad_ld.lower(primad_ld.lift(header)) == [header]


def test_the_example_of_the_package_holds() -> None:
    done = doctest.testmod(primad_ld)
    assert done.attempted > 0
    assert done.failed == 0


def test_the_version_is_one() -> None:
    from importlib.metadata import version

    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", primad_ld.__version__)
    assert version("primad-ld") == primad_ld.__version__


# What is imported when -------------------------------------------------------------------------


def _imported_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(done.stdout.split())


_HEAVY = "rdflib pyoxigraph rich typer scipy numpy packaging pyshacl zstandard multiprocessing SPARQLWrapper"
_OF_ARCHIVES = "sqlite3 concurrent.futures ssl http.client primad_ld.archive"


def test_importing_is_light() -> None:
    every = _imported_by("from primad_ld import *")
    assert set(primad_ld._NAMES_BY_MODULE) <= {name.removeprefix("primad_ld.") for name in every}
    assert set(_HEAVY.split()) & every == set()


def test_a_name_is_imported_when_it_is_asked_for() -> None:
    assert {
        name for name in _imported_by("import primad_ld") if name.startswith("primad_ld.")
    } == set()
    reading = _imported_by(
        "import primad_ld; primad_ld.read_header, primad_ld.lift, primad_ld.lower"
    )
    assert set(_OF_ARCHIVES.split()) & reading == set()
    assert "primad_ld.archive.engine" in _imported_by("from primad_ld import Engine")


def _order() -> dict[str, int]:
    """Where docs/design.md puts each module in the way of the data."""
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table = page.partition("| module | what it does |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {
        name.strip("/"): number
        for number, row in enumerate(rows)
        for name in re.findall(r"`([^`]+)`", row)
    }


ORDER = _order()
MODULES = sorted(
    path
    for path in (ROOT / "primad_ld").rglob("*.py")
    if path != ROOT / "primad_ld" / "__init__.py"
)


def _module(path: Path) -> str:
    return path.relative_to(ROOT / "primad_ld").parts[0].removesuffix(".py")


def test_the_design_names_every_module() -> None:
    assert {_module(path) for path in MODULES} == set(ORDER)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_module_imports_one_that_comes_after_it(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wrong = []
    # Imports inside functions may look ahead: lift() makes an rdflib dataset on request.
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("primad_ld"):
            name = (node.module or "").removeprefix("primad_ld").strip(".").split(".")[0]
            names = [name] if name else [alias.name for alias in node.names]
            wrong.extend(one for one in names if one in ORDER and ORDER[one] > ORDER[_module(path)])
    assert wrong == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_says_what_it_is_for_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 420


# What ships ---------------------------------------------------------------------------------------

SHIPPED = [
    "shapes/header.ttl",
    "ontology/primad.ttl",
    "ontology/alignments.ttl",
    "ontology/schemes.ttl",
    "examples/garden",
]


def test_types_ship() -> None:
    assert (Path(primad_ld.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("name", SHIPPED)
def test_resources_are_found(name: str) -> None:
    assert resources.resource(name).exists()


def test_a_missing_resource_is_an_error_of_ours() -> None:
    with pytest.raises(SchemaError, match=r"shapes/nothing\.ttl is missing.*install"):
        resources.resource("shapes/nothing.ttl")


def test_an_installed_package_uses_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "primad_ld"
    inside = package / "shapes" / "header.ttl"
    beside = tmp_path / "site-packages" / "shapes" / "header.ttl"
    for file in (beside, inside):
        file.parent.mkdir(parents=True)
        file.touch()
    monkeypatch.setattr(resources, "_PACKAGE", package)
    assert resources.resource("shapes/header.ttl") == inside
    inside.unlink()
    assert resources.resource("shapes/header.ttl") == beside  # a checkout


def test_the_wheel_takes_along_what_is_looked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in SHIPPED:
        folder = name.partition("/")[0]
        assert included[folder] == f"primad_ld/{folder}"
        assert (ROOT / folder).is_dir()
