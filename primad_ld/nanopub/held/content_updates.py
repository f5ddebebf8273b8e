"""What nanopublications say, in an archive's graphs: until they are superseded or retracted.

Queries then answer as they did where the nanopublications were made. The archive's own record
wins: what is there already and was not written from a nanopublication stays as it is. What a
nanopublication holds goes when it is superseded or retracted by the key that signed it; in
which order the two are loaded makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from primad_ld.archive.engine import Engine, GraphsRefusedError
from primad_ld.archive.run_dependants import tables_in_use
from primad_ld.archive.topic_scores import with_topics
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.errors import HeaderError
from primad_ld.core.files import resource
from primad_ld.core.iris import ANY_NAME, PRIMAD, RDF_TYPE, RDFS
from primad_ld.core.triples import NamedGraph, read_subjects
from primad_ld.nanopub.held.content_graphs import Content, content_graphs
from primad_ld.nanopub.held.nanopub_records import (
    RECORDS,
    Record,
    ended,
    fetch_nanopubs,
    holders,
    let_go,
    outdated_holds,
)
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.trusty import shelf_key
from primad_ld.rdf.nanopub_statements import parse_statements
from primad_ld.rdf.subject_index import index_triples

#: How archives name their graphs, records of nanopublications excepted.
_OWN: Final = re.compile(rf".+/([a-z\-]+)/(?:{ANY_NAME}|[0-9a-f]{{15}})")
_TABLE: Final = "/measurements/"
#: Graphs that go with what they are about; all others are components, which vacuum takes out.
_KINDS: Final = {
    "run": "Run",
    "scores": "ScoreSet",
    "assessment": "ReproducibilityAssessment",
    "precision": "PrecisionAssessment",
    "measurements": "MeasurementTable",
}
# A nanopublication waits for its parts, and these for nothing.
_ROUNDS: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentUpdate:
    """Why something that nanopublications say is no graph of the archive, by their URIs."""

    #: It is not what it says to be; the nanopublication can be searched all the same.
    notes: Mapping[str, str]
    #: The store does not take it.
    problems: Mapping[str, str]
    #: The parts of it that are not there.
    waits: Mapping[str, tuple[str, ...]]
    #: Those whose names were made by an earlier version of the algorithm.
    of_before: frozenset[str]


def update_contents(archive: OpenArchive, nanopubs: Mapping[str, Nanopub]) -> ContentUpdate:
    """Write what some nanopublications say that are there, and finish their records."""
    engine = archive.engine
    records = fetch_nanopubs(engine, nanopubs)
    over = ended(engine, records)
    current = {uri: one for uri, one in nanopubs.items() if uri in records and uri not in over}
    plan = _planned(archive, _contents(archive, current)) if current else _Plan()
    for uri, graphs in plan.holds.items():
        records[uri] = replace(records[uri], holds=tuple(sorted({*records[uri].holds, *graphs})))
    for uri in plan.of_before:
        records[uri] = replace(records[uri], is_of_before=True)
    engine.add([replace(records[uri], is_whole=False).graph() for uri in sorted(plan.holds)])
    refused = _written(engine, plan)
    problems = {}
    for uri, record in sorted(records.items()):
        why = next((refused[one] for one in record.holds if one in refused), "")
        if why:
            problems[uri] = f"{engine.name} does not take what it says: {why}"
            kept = tuple(one for one in record.holds if one not in refused)
            records[uri] = replace(record, holds=kept)
            engine.replace(records[uri].graph())
    engine.add([replace(one, is_whole=True).graph() for _, one in sorted(records.items())])
    return ContentUpdate(
        notes=plan.notes,
        problems=problems,
        waits=plan.waits,
        of_before=frozenset(plan.of_before),
    )


def missing_content(archive: OpenArchive, records: Iterable[Record]) -> Iterator[str]:
    """The nanopublications whose content somebody took out."""
    wanted = {graph: one.uri for one in records for graph in one.holds}
    there = archive.engine.existing(sorted(wanted))
    yield from sorted({uri for graph, uri in wanted.items() if graph not in there})


@dataclass(slots=True)
class _Plan:
    """What is going to be written."""

    added: dict[str, NamedGraph] = field(default_factory=dict)
    replaced: dict[str, NamedGraph] = field(default_factory=dict)
    #: What each nanopublication holds from now on.
    holds: dict[str, set[str]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    waits: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Those whose names were made by an earlier version of the algorithm.
    of_before: set[str] = field(default_factory=set)


def _contents(archive: OpenArchive, nanopubs: Mapping[str, Nanopub]) -> list[Content]:
    """What some nanopublications say, with the parts that they wait for, if these are kept."""
    known = dict(nanopubs)
    for _ in range(_ROUNDS):
        found = content_graphs([known[uri] for uri in sorted(known)])
        missing = {uri for one in found for uri in one.waits_for} - known.keys()
        more = {
            uri: one for uri in sorted(missing) if (one := kept_nanopub(archive, uri)) is not None
        }
        if not more:
            break
        known |= more
    return [one for one in found if one.nanopub in nanopubs]


def kept_nanopub(archive: OpenArchive, uri: str) -> Nanopub | None:
    """A nanopublication as it was published; None if nobody kept it here."""
    found = archive.shelf.read(shelf_key(uri))
    if found is None:
        return None
    try:
        return nanopub_of(parse_statements(*found, uri))
    except (HeaderError, MalformedError):
        return None


def _planned(archive: OpenArchive, contents: Sequence[Content]) -> _Plan:
    engine, plan = archive.engine, _Plan()
    graphs = {graph.iri for one in contents for graph in one.kept}
    there = engine.existing(sorted(graphs))
    held = holders(engine, there)
    over = ended(engine, {uri for some in held.values() for uri in some})
    # What is proven by its names comes before what is not.
    for one in sorted(contents, key=lambda one: (not one.is_proven, one.nanopub)):
        if one.problem:
            plan.notes[one.nanopub] = one.problem
        if one.is_of_before:
            plan.of_before.add(one.nanopub)
        if one.waits_for:
            plan.waits[one.nanopub] = one.waits_for
        for graph in one.kept:
            kind = _kind(graph.iri)
            if not _is_what_it_says(graph, kind):
                plan.notes[one.nanopub] = f"no archive would have such a graph {graph.iri}"
            elif kind not in _KINDS:
                if graph.iri not in there:
                    plan.added[graph.iri] = graph
            elif graph.iri not in there:
                plan.added.setdefault(graph.iri, graph)
                plan.holds.setdefault(one.nanopub, set()).add(graph.iri)
            elif graph.iri in held:
                plan.holds.setdefault(one.nanopub, set()).add(graph.iri)
                if not held[graph.iri] - over:
                    # All that it was written from is superseded or retracted.
                    plan.replaced.setdefault(graph.iri, graph)
    return plan


def _kind(graph: str) -> str:
    match = _OWN.fullmatch(graph)
    return match[1] if match and not graph.startswith(RECORDS) else ""


def _is_what_it_says(graph: NamedGraph, kind: str) -> bool:
    """Whether a graph is of the kind that its name tells, and scores do not pass for a run."""
    if kind not in _KINDS:
        return bool(kind)
    own = index_triples(graph.triples).about(graph.iri)
    types = {one.value for one in own.get(RDF_TYPE, ())}
    if {one for one in types if one.startswith(PRIMAD)} != {PRIMAD + _KINDS[kind]}:
        return False
    return kind == "run" or not own.keys() & _said_of_runs()


@cache
def _said_of_runs() -> frozenset[str]:
    """What only runs have, as the ontology says: queries for runs go by it, and not by types."""
    about = read_subjects(resource("ontology/primad.ttl"))
    return frozenset(
        name for name, said in about.items() if PRIMAD + "Run" in said.get(RDFS + "domain", ())
    )


def _written(engine: Engine, plan: _Plan) -> dict[str, str]:
    """Write graphs, components first; what the store does not take, and why."""
    graphs = sorted(plan.added.values(), key=lambda one: _kind(one.iri) in _KINDS)
    refused = _tried(engine, graphs)
    components = {one.iri: one for one in graphs if _kind(one.iri) not in _KINDS}
    # Somebody may have removed unused components before the runs were there to use them.
    gone = components.keys() - engine.existing(components) - refused.keys()
    refused |= _tried(engine, [components[iri] for iri in sorted(gone)])
    for iri, graph in sorted(plan.replaced.items()):
        try:
            engine.replace(graph)
        except GraphsRefusedError as error:
            refused[iri] = error.refused[iri]
    return refused


def _tried(engine: Engine, graphs: Sequence[NamedGraph]) -> dict[str, str]:
    try:
        engine.add(graphs)
    except GraphsRefusedError as error:
        engine.remove(sorted(error.refused))
        return error.refused
    return {}


# Taking out -------------------------------------------------------------------------------


def drop_outdated(archive: OpenArchive) -> list[str]:
    """Take out what only superseded or retracted nanopublications hold; the graphs that went."""
    return release(archive, outdated_holds(archive.engine))


def release(archive: OpenArchive, leaving: Mapping[str, Iterable[str]]) -> list[str]:
    """Take out graphs that some nanopublications hold and no other current one does."""
    engine = archive.engine
    held = holders(engine, {graph for some in leaving.values() for graph in some})
    others = {uri for some in held.values() for uri in some} - leaving.keys()
    current = others - ended(engine, others)
    heirs = {graph: sorted(some & current) for graph, some in sorted(held.items())}
    there = engine.existing([graph for graph, some in heirs.items() if not some])
    _remove(engine, there)
    _inherit(archive, {graph: some[0] for graph, some in heirs.items() if some})
    let_go(engine, {graph: some & leaving.keys() for graph, some in held.items()})
    return sorted(there)


def _remove(engine: Engine, graphs: Iterable[str]) -> None:
    """Remove graphs and nothing that was made of them here, which vacuum may take out."""
    tables = {one for one in graphs if _TABLE in one}
    engine.remove(sorted({*with_topics(graphs)} - tables))
    # A table stays as long as something of others was assessed of it.
    engine.remove(sorted(tables - tables_in_use(engine)) if tables else [])


def _inherit(archive: OpenArchive, heirs: Mapping[str, str]) -> None:
    """What others hold as well says from now on what they say of it."""
    nanopubs = {uri: kept_nanopub(archive, uri) for uri in set(heirs.values())}
    known = {uri: one for uri, one in nanopubs.items() if one is not None}
    for one in _contents(archive, known) if known else []:
        for graph in one.kept:
            if heirs.get(graph.iri) == one.nanopub:
                archive.engine.replace(graph)
