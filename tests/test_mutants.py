"""Mutants: every kind of change, the choice that stays, and that the tests really judge."""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

KINDS = ("comparison", "constant", "boolean", "return", "sign", "not", "arguments", "statement")
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("mutants")


@pytest.mark.parametrize(
    ("line", "kind", "changed"),
    [
        ("return a < b", "comparison", "return (a <= b)"),
        ("return a in b", "comparison", "return (a not in b)"),
        ("return f(3)", "constant", "return f((4))"),
        ("return f('key')", "constant", "return f(('keyx'))"),
        ("return f(True)", "boolean", "return f((False))"),
        ("return a and b", "boolean", "return (a or b)"),
        ("return a", "return", "return None"),
        ("return a - b", "sign", "return (a + b)"),
        ("return -a", "sign", "return (a)"),
        ("return not a", "not", "return (a)"),
        ("return f(a, b, c=1)", "arguments", "return (f(b, a, c=1))"),
        ("raise ValueError(a)", "statement", "pass"),
        ("a.b = c", "statement", "pass"),
        ("a += 1", "statement", "pass"),
    ],
)
def test_a_kind_of_change(mutants: ModuleType, line: str, kind: str, changed: str) -> None:
    source = f"def name(a, b, c):\n    'Says é.'\n    {line}  # and é\n".encode()
    found = {mutant.kind: mutant for mutant in mutants.mutants_of(source, "m.py", "room")}
    assert found[kind].applied(source).decode() == source.decode().replace(line, changed)
    assert (found[kind].line, found[kind].function) == (3, "name")


@pytest.mark.parametrize(
    "source",
    [
        "NUMBER = 3\n",  # runs at import, like the next three
        "class A:\n    number: int = 3\n",
        "@decorated(3)\ndef f():\n    pass\n",
        "def f(a: 'B' = 3) -> 'C':\n    'Text.'\n",
        "def f(a):\n    b: Literal['x'] = a\n",
        "def f(a):\n    b = 'some prose'\n",
        "def f(a):\n    b = f'{a:>3}'\n",
        # These would fail whatever the tests ask.
        "def f(a):\n    b = isinstance(a, int)\n",
        "def f(a):\n    b = [a] + c\n",
        "def f(a):\n    b = cast('Type', a)\n",  # and here nothing would change
    ],
)
def test_what_is_left_alone(mutants: ModuleType, source: str) -> None:
    assert not list(mutants.mutants_of(source.encode(), "m.py", "room"))


FUNCTION = """
def {name}(a, b):
    if not a or b > 3:
        raise ValueError("key")
    a += b - 1
    return f(a, b, True)
"""


def test_where_code_stays_its_mutants_stay(mutants: ModuleType) -> None:
    def chosen(*names: str) -> list[Any]:
        source = "".join(FUNCTION.format(name=name) for name in names).encode()
        candidates = list(mutants.mutants_of(source, "m.py", "room"))
        return mutants.chosen(candidates, 24, seed=1)

    before = chosen("one", "two", "three", "four")
    assert set(Counter(mutant.kind for mutant in before)) == set(KINDS)
    after = chosen("four", "two")

    def staying(found: list[Any]) -> set[Any]:
        return {
            replace(mutant, line=0, start=0, end=0)
            for mutant in found
            if mutant.function in ("two", "four")
        }

    assert staying(before)
    assert staying(before) <= staying(after)


def test_the_tests_judge_mutants(mutants: ModuleType, tmp_path: Path) -> None:
    module = tmp_path / "primad_ld_like.py"
    module.write_text("def f(a):\n    b = 2\n    while a < b:\n        a += 1\n    return a\n")
    test = "import primad_ld_like as m\n\ndef test_f():\n    assert m.f(1) == 2\n"
    (tmp_path / "test_f.py").write_text(test)
    source = module.read_bytes()

    def outcome(mutant: Any) -> str:
        timeout = 3 if mutant.kind == "statement" else 60
        return mutants.judged(mutant, ["test_f.py::test_f"], tmp_path, timeout).outcome

    outcomes = {
        mutant.before: outcome(mutant)
        for mutant in mutants.mutants_of(source, module.name, "room")
        if mutant.before != "1"
    }
    assert outcomes == {"2": "found", "a < b": "found", "a += 1": "time-out", "return a": "found"}
    assert module.read_bytes() == source
