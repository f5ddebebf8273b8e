"""Precision that an archive keeps: what takes the place of what, and the measurements read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import PRIMAD
from support.reproductions import DIGEST, OTHER_DIGEST, OTHERS, Shelf, scoring
from support.stored_graphs import precisions

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.own_graphs import all_held
from primad_ld.archive.precision_records import remove_precisions
from primad_ld.archive.query_results import Triples
from primad_ld.archive.runs import fetch_records
from primad_ld.archive.scores import keep_scores
from primad_ld.archive.tag_resolution import runs_tagged
from primad_ld.core.errors import ArchiveError
from primad_ld.core.triples import NamedGraph
from primad_ld.nanopub.held.nanopub_records import Record
from primad_ld.qra.kept_precision import keep_precision, kept_measurements
from primad_ld.qra.precision_assessments import assess
from primad_ld.trec.scorer import TopicScores


def test_precisions_by_two_judgements_are_kept_beside_each_other() -> None:
    shelf = Shelf()
    runs = {"original": 0.3, "again": 0.33}
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    for ways in ((scoring(),), (OTHERS,), (scoring(), OTHERS, strict)):
        for number, (tag, value) in enumerate(runs.items()):
            made = TopicScores(name=tag, topics=("1",), values={"map": (value,)})
            shelf.put(tag, None, reproduces="original" if number else "", ranking=number)
            (record,) = fetch_records(shelf.engine, runs_tagged(shelf.engine, tag))
            for how in ways:
                keep_scores(shelf.engine, record.ranking, made, how)
        table = shelf.table()
        keep_precision(shelf.engine, table, assess(table))
    # None takes the place of another, and no answer of before is left over.
    assert sorted(one.group for one in precisions(shelf.engine)) == [
        f"judgements {DIGEST[:12]}",
        f"judgements {DIGEST[:12]}, relevance level 2",
        f"judgements {OTHER_DIGEST[:12]}",
    ]


def test_measurements_are_read_back(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33, "P_10": 0.25}, reproduces="original")
    table = shelf.table("original", "map", "P_10")
    (first, second) = keep_precision(shelf.engine, table, assess(table))
    (one, other) = (one for one in precisions(shelf.engine) if one.iri in (first, second))
    assert one.table == other.table  # both are of one table
    found = kept_measurements(shelf.engine, one.table)
    assert [replace(each, file="") for each in found.measurements] == [
        replace(each, file="") for each in table.measurements
    ]
    assert (found.conditions, found.scales) == (table.conditions, table.scales)


def test_a_later_answer_takes_the_place_of_the_earlier_one(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    for _ in range(2):
        table = shelf.table()
        keep_precision(shelf.engine, table, assess(table))
        shelf.put("once more", {"map": 0.34}, reproduces="original")
    (kept,) = precisions(shelf.engine)
    assert len(kept.runs) == 3
    assert len(kept_measurements(shelf.engine, kept.table).measurements) == 3


def test_what_is_not_there_is_an_error(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    table = shelf.table()
    with pytest.raises(ArchiveError, match=r"there is no run .*; load it before its precision"):
        keep_precision(EmbeddedEngine.memory("empty"), table, assess(table))
    with pytest.raises(ArchiveError, match="there is no table of measurements urn:x"):
        kept_measurements(shelf.engine, "urn:x")


# What strangers say ---------------------------------------------------------------------------


def lines_of(shelf: Shelf, graph: str) -> set[str]:
    found = shelf.engine.query(f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}")
    assert isinstance(found, Triples)
    return set(found.lines)


def held(shelf: Shelf, *graphs: str) -> None:
    """Have a nanopublication hold some graphs."""
    record = Record(uri="https://example.org/np/1", state="signed", key="k", holds=graphs)
    shelf.engine.add([record.graph()])


def test_a_table_of_a_stranger_is_replaced_and_ones_own_from_then_on(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    table = shelf.table()
    keep_precision(shelf.engine, table, assess(table))
    (kept,) = precisions(shelf.engine)
    graphs = (kept.iri, kept.table)
    mine = [lines_of(shelf, graph) for graph in graphs]
    # Under the names of what is computed here, a stranger says more.
    held(shelf, *graphs)
    for graph in graphs:
        forged = f"<{graph}> <{PRIMAD}measurementCount> <{PRIMAD}forged> .\n"
        shelf.engine.add([NamedGraph(iri=graph, triples=forged)])
    keep_precision(shelf.engine, table, assess(table))
    assert [lines_of(shelf, graph) for graph in graphs] == mine
    assert all_held(shelf.engine) == set()


def test_an_earlier_answer_of_a_stranger_stays(shelf: Shelf) -> None:
    shelf.put("again", {"map": 0.33}, reproduces="original")
    table = shelf.table()
    keep_precision(shelf.engine, table, assess(table))
    (theirs,) = precisions(shelf.engine)
    held(shelf, theirs.iri, theirs.table)
    shelf.put("once more", {"map": 0.34}, reproduces="original")
    table = shelf.table()
    keep_precision(shelf.engine, table, assess(table))
    assert len(precisions(shelf.engine)) == 2
    remove_precisions(shelf.engine, [theirs])  # whoever names it means it
    assert shelf.engine.existing([theirs.iri, theirs.table]) == {theirs.table}
