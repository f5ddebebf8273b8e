"""What the archive knows of a run at a glance, and the names that a run had before."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import PRIMAD
from support.studies import archive_of, fill, study

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.runs import (
    RunRecord,
    all_runs,
    canonical_measure,
    chunks,
    count_rankings,
    count_runs,
    current_names,
    fetch_record,
    fetch_records,
    former_names,
    has_runs,
    is_succession,
    names_of,
    records_with,
    scores_graph,
    select_briefs,
    succession,
    values,
    with_former,
)
from primad_ld.core.errors import ArchiveError
from primad_ld.core.triples import NamedGraph
from primad_ld.schema.converters import quoted

BASE = "https://example.org/"


def test_a_record_says_what_the_header_does(engine: Engine) -> None:
    fill(engine, study("mine", team="moles", year=2019, baselines=("a", "b")))
    (found,) = fetch_records(engine, all_runs(engine))
    assert (found.tag, found.teams, found.year, found.venue) == ("mine", ("moles",), 2019, "ECIR")
    assert found.measures == ("map", "P_10")
    assert found.baselines == ("a", "b")
    assert found.collection == "garden"
    assert not found.is_reproduction
    assert fetch_record(engine, found.iri) == found


def test_runs_are_counted(engine: Engine) -> None:
    assert (has_runs(engine), count_runs(engine), count_rankings(engine)) == (False, 0, 0)
    fill(engine, *map(study, "abc"), rankings={"a": "one", "b": "one"})
    assert (has_runs(engine), count_runs(engine), count_rankings(engine)) == (True, 3, 2)


def test_records_come_in_the_order_of_the_names() -> None:
    engine, (one, other) = archive_of(study("one"), study("other"))
    gone = f"{BASE}run/0"
    assert fetch_records(engine, [other.iri, gone, one.iri]) == [other, one]
    assert records_with(engine, [one.ranking, other.ranking, one.ranking]) == [one, other]
    with pytest.raises(ArchiveError, match=f"there is no run {gone}"):
        fetch_record(engine, gone)


def test_a_brief_needs_no_record() -> None:
    engine, (run,) = archive_of(study("mine"))
    (brief,) = select_briefs(engine, f"?run a <{PRIMAD}Run>")
    assert (brief.iri, brief.ranking, brief.record) == (run.iri, run.ranking, run)
    assert tuple(brief.components("method")) == run.components["method"]
    assert brief.components("no component") == []


def with_summary(said: Any) -> Engine:
    """An archive of a run with this summary."""
    engine, iri = EmbeddedEngine.memory(), f"{BASE}run/1"
    summary = quoted(said if isinstance(said, str) else json.dumps(said))
    triples = f"<{iri}> <{PRIMAD}summary> {summary} .\n"
    rdf_type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
    engine.add([NamedGraph(iri=iri, triples=f"<{iri}> <{rdf_type}> <{PRIMAD}Run> .\n{triples}")])
    return engine


def test_names_in_a_summary_are_of_the_base_of_the_run() -> None:
    said = {"tag": "x", "components": {"method": ["method/2"]}, "ranking": "ranking/3"}
    (found,) = fetch_records(with_summary(said), [f"{BASE}run/1"])
    assert found.components == {"method": (f"{BASE}method/2",)}
    assert found.ranking == f"{BASE}ranking/3"


@pytest.mark.parametrize(
    "said",
    [
        "",
        "{",
        [],
        {"year": "2020"},
        {"year": True},  # a truth value is a number in Python
        {"tag": 5},
        {"teams": "moles"},
        {"baselines": [1]},
        {"components": {"method": "method/2"}},
        {"identities": {"data": []}},
    ],
)
def test_a_damaged_summary_is_named(said: Any) -> None:
    with pytest.raises(ArchiveError, match=f"the summary of <{BASE}run/1> is damaged"):
        fetch_record(with_summary(said), f"{BASE}run/1")


# Earlier names ----------------------------------------------------------------------------


def renamed(*former: str) -> tuple[Engine, RunRecord]:
    """An archive of a run that had some names before."""
    engine, (run,) = archive_of(study("mine"))
    engine.add([NamedGraph(iri=run.iri, triples=succession(run.iri, former))])
    return engine, run


def test_any_earlier_name_leads_to_the_run() -> None:
    one, other = f"{BASE}run/1", f"{BASE}run/2"
    engine, run = renamed(other, one)
    assert former_names(engine, [run.iri, one]) == {run.iri: [one, other]}
    assert current_names(engine) == {one: run.iri, other: run.iri}
    assert current_names(engine, [other, run.iri]) == {other: run.iri}
    assert names_of(engine, one) == names_of(engine, run.iri) == [run.iri, one, other]
    assert with_former(engine, [run.iri, run.iri]) == [run.iri, one, other]


def test_a_name_that_is_in_use_again_is_not_a_former_one() -> None:
    engine, (one, other) = archive_of(study("one"), study("other"))
    engine.add([NamedGraph(iri=one.iri, triples=succession(one.iri, [other.iri]))])
    assert former_names(engine, [one.iri]) == {}
    assert current_names(engine) == {}


def test_lines_about_names_are_known() -> None:
    run = f"{BASE}run/1"
    lines = succession(run, [f"{BASE}run/2", run]).splitlines()
    assert len(lines) == 2  # no run replaces itself
    assert all(map(is_succession, lines))
    assert not is_succession(f'<{run}> <{PRIMAD}tag> "isReplacedBy" .')


# Terms ------------------------------------------------------------------------------------


def test_what_is_no_iri_never_gets_into_a_query() -> None:
    assert values([f"{BASE}a", f"{BASE}b"]) == f"<{BASE}a> <{BASE}b>"
    with pytest.raises(ArchiveError, match="is not the IRI of a run"):
        values([f"{BASE}a> }} DROP ALL #"])


def test_each_iri_is_asked_for_once() -> None:
    assert list(chunks("abcab", 2)) == [["a", "b"], ["c"]]
    assert list(chunks("", 2)) == []


@pytest.mark.parametrize(
    ("name", "canonical"),
    [("MAP", "map"), ("P@10", "P_10"), ("P_10", "P_10"), ("our own", "our own")],
)
def test_measures_have_one_name(name: str, canonical: str) -> None:
    assert canonical_measure(name) == canonical


def test_scores_stand_under_the_base_of_their_ranking() -> None:
    graph = scores_graph(f"{BASE}ranking/1-{'0' * 40}", "ab" * 32)
    assert graph.startswith(f"{BASE}scores/")
    assert graph != scores_graph(f"{BASE}ranking/1-{'0' * 40}", "cd" * 32)
