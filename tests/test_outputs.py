"""benchmarks/outputs.py: recordings are matched by facts, and nothing gets lost unnoticed."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("outputs")


NESTED = '[{"run": "a", "map": {"value": 0.25, "p": 0.5}}, {"run": "b", "map": {"value": 0.125}}]'
FLAT = "run,measure,value,p\na,map,0.25,0.5\nb,map,0.125,\n"
ROWS = '[{"run": "a", "p_value": 0.25}, {"run": "b", "p_value": 0.125}, {"run": "c", "p_value": 1}]'
TRIPLES = "<x:a> <x:map> 1 .\n<x:b> <x:map> 2 .\n<x:b> <x:tag> 3 .\n"


@pytest.fixture
def output(outputs: ModuleType) -> Callable[..., Any]:
    """What a text in a form says."""

    def read(text: str, form: str, exit_code: int = 0) -> Any:
        made = outputs.Output(exit_code=exit_code)
        made.add(text, form)
        return made

    return read


@pytest.mark.parametrize(
    ("old", "new", "line", "exit_code"),
    [
        pytest.param((ROWS, "json"), (ROWS, "json"), "1 jobs with nothing to report", 0, id="same"),
        pytest.param(
            (ROWS, "json"),
            (ROWS.replace("p_value", "p"), "json"),
            "  changed keys: 3 figures: p_value -> p",
            0,
            id="a renamed key is one line",
        ),
        pytest.param(
            (ROWS, "json"),
            (ROWS.replace("0.125", "0.126"), "json"),
            "  other figure: 0.125 -> 0.126 (b, p_value)",
            1,
            id="a changed figure",
        ),
        pytest.param(
            (ROWS, "json"),
            (ROWS.replace("0.25", "x").replace("0.125", "0.25").replace("x", "0.125"), "json"),
            "  other figure: 0.25 -> 0.125 (a, p_value)",
            1,
            id="figures that changed places are not a renaming",
        ),
        pytest.param(
            (ROWS, "json"),
            (ROWS.replace("p_value", "p").replace("0.125", "0.126"), "json"),
            "  other figure: 0.125 -> 0.126 (b, p)",
            1,
            id="a changed figure below a renamed key",
        ),
        pytest.param(
            (ROWS, "json"),
            (ROWS.replace(', {"run": "c", "p_value": 1}', ""), "json"),
            "  lost: 1 figures with c, p_value",
            1,
            id="a lost row",
        ),
        pytest.param(
            (FLAT, "csv"), (FLAT.replace("0.5", ""), "csv"), None, 1, id="a value that is undefined"
        ),
        pytest.param(
            (ROWS, "json", 0), (ROWS, "json", 2), "  exit code: 0 -> 2", 1, id="another exit code"
        ),
        pytest.param(
            (TRIPLES, "ttl"),
            (TRIPLES.replace("<x:map>", "<x:score>"), "ttl"),
            "  changed keys: 2 statements: <x:map> -> <x:score>",
            0,
            id="a renamed predicate",
        ),
        pytest.param(
            (TRIPLES, "ttl"),
            (TRIPLES.replace("> 3", "> 4"), "ttl"),
            "  lost: 1 statements with <x:tag>, statement",
            1,
            id="a lost statement",
        ),
        pytest.param(
            ("[] <x:a> [ <x:b> 1 ] .", "ttl"),
            ("_:z <x:b> 1 . _:y <x:a> _:z .", "ttl"),
            "1 jobs with nothing to report",
            0,
            id="blank nodes have no names",
        ),
    ],
)
def test_compare(
    outputs: ModuleType,
    output: Callable[..., Any],
    old: Any,
    new: Any,
    line: str | None,
    exit_code: int,
) -> None:
    report = outputs.compare({"job": output(*old)}, {"job": output(*new)})
    assert line is None or any(line in one for one in report.lines), report.lines
    assert report.exit_code == exit_code


def test_nested_and_flat_are_the_same_figures(
    outputs: ModuleType, output: Callable[..., Any]
) -> None:
    report = outputs.compare({"job": output(NESTED, "json")}, {"job": output(FLAT, "csv")})
    assert report.exit_code == 0
    assert report.counts["figures the same"] == 3
    assert report.counts["figures with changed keys"] == 2  # the names of the runs


def test_a_lost_job_counts_unless_only_some_were_recorded(
    outputs: ModuleType, output: Callable[..., Any]
) -> None:
    before = {"job": output(ROWS, "json")}
    assert outputs.compare(before, {}).exit_code == 1
    assert outputs.compare(before, {}, partly=True).exit_code == 0


def test_many_facts_with_one_value_are_fast(outputs: ModuleType) -> None:
    def facts(key: str) -> Any:
        pairs = ((f"run-{i}", f"topic-{j}") for i in range(200) for j in range(100))
        return Counter(outputs.Fact("0", frozenset({key, *pair})) for pair in pairs)

    compare = importlib.import_module("output_differences").compare_facts
    difference = compare(facts("p_value"), facts("p"))
    assert len(difference.renamed) == 1
    assert difference.renamed.total() == 20_000


def test_a_recording_is_the_same_twice(outputs: ModuleType, tmp_path: Path) -> None:
    for name in ("one", "two"):
        command = ["record", str(tmp_path / name), "--only", "measures-json", "--data", "."]
        assert outputs.main(command) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert outputs.main(["compare", str(tmp_path / "one"), str(tmp_path / "two")]) == 0


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "missing", "missing"],
        ["compare", __file__, __file__],
        ["record", "out", "--data", "missing"],
        ["record", "out", "--data", ".", "--only", "nothing"],
    ],
)
def test_usage_errors_are_one_line(
    outputs: ModuleType, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert outputs.main(command) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_the_table_is_in_order(outputs: ModuleType) -> None:
    names: list[str] = []
    for job in outputs.read_jobs():
        assert job.name not in names
        assert set(job.needs) <= set(names), job.name
        assert job.call in outputs.CALLS or job.command
        names.append(job.name)
