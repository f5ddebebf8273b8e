"""What components are compared by: kept once by loading, read from runs where it is not there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.studies import OTHER, archive_of, header, lifted

from primad_ld.archive import identities
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.identities import Identities
from primad_ld.archive.maintenance import unused_identities, vacuum
from primad_ld.archive.runs import fetch_records, record_of_lifted
from primad_ld.compare.identity import IN_IRI
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import ArchiveError
from primad_ld.core.triples import NamedGraph
from primad_ld.search.comparison import compare_to_all

HEADERS = (
    header("a"),
    header("b", method=OTHER["method"]),
    header("c", "data"),
    header("d", implementation={"source": {"repository": "https://example.org/hedge"}}),
)
TYPES = {"b": "priMad", "c": "prima-", "d": "pr?mad"}


def types_against(engine: EmbeddedEngine) -> dict[str, str]:
    records = {run.tag: run for run in map(record_of_lifted, map(lifted, HEADERS))}
    found = compare_to_all(engine, records["a"])
    tags = {run.iri: tag for tag, run in records.items()}
    assert sum(found.counts().values()) == 3
    return {tags[one.candidate]: one.by_key.letters for one in found.nearest()}


def identities_in(engine: EmbeddedEngine) -> list[str]:
    return sorted(
        iri
        for iri in engine.column("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")
        if IN_IRI in iri
    )


def test_equal_ones_are_kept_once() -> None:
    engine, records = archive_of(*HEADERS)
    iris = {iri for run in records for iri in run.identities.values()}
    assert set(identities_in(engine)) == iris
    assert len(iris) == 6 + 1 + 1  # another method, and an implementation without a commit
    assert types_against(engine) == TYPES


@pytest.mark.parametrize("number", range(5))
def test_what_came_on_another_way_is_read_from_a_run(number: int) -> None:
    """Some runs are loaded, and the statements of others copied, as a bulk loader does."""
    engine, _ = archive_of(*HEADERS[:number])
    for fields in HEADERS[number:]:
        engine.add(lifted(fields).graphs)
    assert Identities(engine).are_kept is (number == len(HEADERS))
    assert types_against(engine) == TYPES


def test_what_another_version_made_is_read_from_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, _ = archive_of(*HEADERS)
    for iri in identities_in(engine):
        said = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}")
        old = "".join(said.lines).replace('\\"version\\":\\"', '\\"version\\":\\"0')
        assert 'version\\":\\"0' in old
        engine.replace(NamedGraph(iri=iri, triples=old))
    monkeypatch.setattr(identities, "version_of", lambda schema: "another")
    assert types_against(engine) == TYPES


def test_what_nobody_has_is_an_error_that_says_what_to_do() -> None:
    engine, (record, *_) = archive_of(*HEADERS)
    iri = f"{record.iri.rpartition('run/')[0]}{IN_IRI}0"
    strange = replace(record, identities={"data": iri}, at_hand={})
    with pytest.raises(ArchiveError, match="load the runs"):
        Identities(engine).of(strange)


def test_those_of_many_runs_are_fetched_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, made = archive_of(*HEADERS)
    records = fetch_records(engine, [run.iri for run in made])
    asked: list[str] = []
    select = EmbeddedEngine.select
    monkeypatch.setattr(
        EmbeddedEngine,
        "select",
        lambda self, text, **more: (asked.append(text), select(self, text, **more))[1],
    )
    known = Identities(engine)
    known.fetch(records)
    for one in records:
        known.decide(records[0], one)
    assert len(asked) == 1


def test_vacuum_takes_out_those_that_no_run_has() -> None:
    engine, records = archive_of(*HEADERS)
    assert unused_identities(engine) == []
    engine.remove([records[1].iri])
    (gone,) = unused_identities(engine)
    assert gone == records[1].identities["method"]
    vacuum(engine)
    assert gone not in identities_in(engine)
    assert len(identities_in(engine)) == 7


def test_training_data_say_nothing_of_the_collection() -> None:
    trained = {"test collection": header("a")["data"]["test collection"]}
    engine, records = archive_of(
        header("a", data=trained | {"training data": [{"name": "Nothing"}]}),
        header("b", data=trained | {"training data": [{"name": "Heath"}]}),
        header("c", data=OTHER["data"]),
        header("d", data={"training data": [{"name": "Nothing"}]}),
    )
    known = Identities(engine)
    first, *others = records
    states = [known.collection_state(first, other) for other in others]
    assert states == [ComponentState.same, ComponentState.different, ComponentState.unknown]
    assert known.decide(first, others[0])["data"].state is ComponentState.different
    wanted = sorted(run.identities["data"] for run in records[:2])
    assert known.data_comparable_with(first) == wanted
    assert known.data_comparable_with(others[2]) == []
    assert known.same_as("data", first) == [first.identities["data"]]
    assert known.same_as("data", others[2]) == []
