"""Every named query gives the same rows, in the same order, on every engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from support.same_rows import CASES, PAIR, VALUES, filled
from support.servers import Server

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.maintenance import info
from primad_ld.archive.query_catalogue import named_queries, named_query
from primad_ld.archive.query_results import Bindings, Triples
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.archive.runs import all_runs, fetch_records
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.archive.user_queries import ask
from primad_ld.search.baselines import find_baselines
from primad_ld.search.comparison import compare_to_all
from primad_ld.search.pair_selection import Selection, compared
from primad_ld.search.run_lookup import LookedUp


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return filled(EmbeddedEngine.memory(), tmp_path_factory.mktemp("more"))


@pytest.fixture(scope="module", params=["folder", "oxigraph", "virtuoso"])
def other(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    more = tmp_path_factory.mktemp("more")
    if request.param == "folder":
        found: Engine = EmbeddedEngine.open(more / "archive", writable=True, create=True)
        headers = more / "headers"
        headers.mkdir()
        yield filled(found, headers)
        found.close()
        return
    server: Server = request.getfixturevalue(f"{request.param}_server")
    with pytest.MonkeyPatch.context() as patch:
        if server.user:
            patch.setenv("PRIMAD_LD_USER", server.user)
            patch.setenv("PRIMAD_LD_PASSWORD", server.password)
        if request.param == "oxigraph":
            server.do("DROP ALL")
        else:
            for name in server.graphs() - request.getfixturevalue("virtuoso_graphs"):
                server.do(f"CLEAR GRAPH <{name}>")
        yield filled(RemoteEngine.connect(server.address), more)


def test_every_query_is_asked() -> None:
    assert {query.name for query in named_queries().values()} == VALUES.keys()


@pytest.mark.parametrize(("name", "values"), CASES)
def test_the_same_rows(other: Engine, expected: Engine, name: str, values: dict[str, str]) -> None:
    ours, theirs = (ask(engine, named_query(name), values) for engine in (expected, other))
    assert isinstance(ours, Bindings | Triples)
    found = ours.rows if isinstance(ours, Bindings) else ours.lines
    assert found, "a query that finds nothing here tests nothing"
    if isinstance(ours, Triples) and isinstance(theirs, Triples):
        # Virtuoso keeps the value of a whole decimal and of a time, and not how they are written.
        assert sorted(map(by_value, theirs.lines)) == sorted(map(by_value, ours.lines))
    else:
        assert theirs == ours


def test_what_was_kept_is_shown_with_runs_that_have_other_names_now(expected: Engine) -> None:
    run, other = (resolve_run(expected, tag).iri for tag in PAIR)
    for name, values, columns in (
        ("reproductions", {"run": run}, {"run": other, "rmse": "0.0273"}),
        ("reproductions", {}, {"run": other, "rmse": "0.0273"}),
        ("assessments", {"reference": run, "measure": "rmse"}, {"reference": PAIR[0]}),
        (
            "assessments",
            {"measure": "ktu"},
            dict(zip(("reference", "candidate"), PAIR, strict=True)),
        ),
        ("precision", {"run": other}, {"object": PAIR[0]}),
    ):
        answer = ask(expected, named_query(name), values)
        assert isinstance(answer, Bindings)
        rows = [
            {key: cell.value for key, cell in zip(answer.variables, row, strict=True) if cell}
            for row in answer.rows
        ]
        assert any(columns.items() <= row.items() for row in rows), (name, values, rows)


def by_value(line: str) -> str:
    """A triple with its number or time written in one way."""
    text, _, datatype = line.removesuffix(" .\n").partition('"^^')
    if datatype.endswith("#decimal>") and "." not in text.rpartition('"')[2]:
        datatype = datatype.replace("#decimal", "#integer")
    if datatype.endswith("#dateTime>"):
        text = re.sub(r"(\.[0-9]*?)0+(?=[+Z-])", r"\1", text)
    return f"{text} {datatype}"


def test_the_same_numbers(other: Engine, expected: Engine) -> None:
    ours, theirs = info(expected), info(other)
    assert (theirs.runs, theirs.components) == (ours.runs, ours.components)
    assert ours.nanopubs == {"signed": 6, "superseded": 1, "retracted": 1}
    assert theirs.nanopubs == ours.nanopubs
    assert (theirs.teams, theirs.collections, theirs.years, theirs.measures) == (
        ours.teams,
        ours.collections,
        ours.years,
        ours.measures,
    )


def test_the_same_comparisons_and_baselines(other: Engine, expected: Engine) -> None:
    runs = all_runs(expected)
    assert all_runs(other) == runs
    assert fetch_records(other, runs) == fetch_records(expected, runs)
    for record in fetch_records(expected, runs):
        ours, theirs = (compare_to_all(engine, record) for engine in (expected, other))
        assert ours.nearest() == theirs.nearest()
        assert ours.counts() == theirs.counts()
        assert ours.counts() == Counter(one.by_key for one in ours.nearest())
        for most in (1, 4):
            assert ours.nearest(most) == theirs.nearest(most) == ours.nearest()[:most]
        rows = [
            compared(LookedUp(engine=engine, run=record), Selection()).rows(with_differences=True)
            for engine in (expected, other)
        ]
        # A store may respell a number; what headers say stays the same.
        assert rows[0] == rows[1]
        if "data" in record.identities:
            one, two = (find_baselines(engine, record) for engine in (expected, other))
            assert one.candidates == two.candidates
            assert [(each.tag, each.rank, each.of) for each in one.declared] == [
                (each.tag, each.rank, each.of) for each in two.declared
            ]
