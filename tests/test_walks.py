"""Walks: what the profiler notes stands in the code, sizes add up, tables show what changed."""

from __future__ import annotations

import ast
import importlib
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("walks")


def test_a_walk_names_functions_of_the_project(walks: ModuleType, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "garden", tmp_path, dirs_exist_ok=True)
    walks.run_python(walks.__file__, "--walk", "validate", folder=str(tmp_path))
    functions = json.loads((tmp_path / walks.WALKED).read_text())
    for function in functions["first"]:
        module, _, name = function.partition(":")
        source = (ROOT / "primad_ld" / module).read_text(encoding="utf-8")
        names = {
            node.name
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        assert name.rpartition(".")[2] in names, function
    assert any(function.startswith("validation/") for function in functions["first"])
    assert 0 < len(functions["again"]) < len(functions["first"])


def test_every_module_and_test_is_counted_once(walks: ModuleType) -> None:
    sizes = walks.sizes().values()
    modules = [*(ROOT / "primad_ld").rglob("*.py")]
    tests = [*(ROOT / "tests").rglob("*.py")]
    assert sum(size["modules"] for size in sizes) == len(modules)
    for column, paths in (("lines", modules), ("lines of tests", tests)):
        lines = sum(len(path.read_text(encoding="utf-8").split("\n")) - 1 for path in paths)
        assert sum(size[column] for size in sizes) == lines


def test_what_changed_stands_beside_what_was(walks: ModuleType) -> None:
    before = {"core": {"lines": 3, "load": "2 in 1"}, "rdf": {"lines": 4}, "all": {"lines": 7}}
    now = {
        "core": {"lines": 3, "load": "1 in 1"},
        "web": {"lines": 5},
        "all": {"lines": 8, "load": ""},
    }
    assert list(walks.table(now, before)) == [
        "| room | lines | load |",
        "|---|---|---|",
        "| core | 3 | 2 in 1 → 1 in 1 |",
        "| web | 0 → 5 |  |",
        "| all | 7 → 8 |  |",
        "| rdf | 4 → 0 |  |",
    ]
