"""Queries as users give them: which one is meant, and what is printed for other endpoints."""

from __future__ import annotations

from pathlib import Path

import pytest

from primad_ld import PrimadError, QueryError
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.user_queries import find_query, query_text


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?run { ?run a primad:Run }",
        "ask{?s ?p ?o}",
        "\n  # mine\nSELECT * {}",
        "PREFIX x: <http://x/> SELECT * {}",
        "DESCRIBE <https://example.org/x.rq>",
        "SELECT * { ?s ?p '.rq' } #.rq",
        "SELECT ?x WHERE",  # what is wrong with it says whoever reads SPARQL
    ],
)
def test_sparql_itself(text: str) -> None:
    assert find_query(text).text == text


def test_a_name_then_a_file_then_sparql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("runs", "mine", "SELECT x"):
        Path(name).write_text(f"# {name}\nSELECT ?x {{ ?x a ?y }}", encoding="utf-8")
    assert find_query("runs") == named_query("runs")
    assert find_query("mine").title == "mine"
    assert find_query("SELECT x").title == "SELECT x"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("by stage", "did you mean by-stage"),
        ("run", "did you mean runs"),
        ("gone.rq", "gone.rq: no such file"),
        ("my query.sparql", "my query.sparql: no such file"),
        ("x" * 5000, "unknown query"),
    ],
)
def test_what_is_no_query(name: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why):
        find_query(name)


def test_errors_in_sparql_have_their_place() -> None:
    with pytest.raises(QueryError, match="unknown variable 'z'"):
        query_text("SELECT ?x { ?x a ?y }", {"z": "1"})


def test_a_query_is_printed_as_it_is_or_in_a_table() -> None:
    printed = query_text("runs", {"tag": "x"})
    assert '?run primad:tag "x"' in printed.text()
    assert find_query(printed.text()).is_free  # nothing is left to be given a value
    assert printed.to_dicts() == [{"query": "runs", "sparql": printed.text()}]
