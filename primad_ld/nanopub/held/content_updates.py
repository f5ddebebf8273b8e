"""What nanopublications say, in an archive's graphs: until they are superseded or retracted.

Queries then answer as they did where the nanopublications were made. The archive's own record
wins: what is there already and was not written from a nanopublication stays as it is. What a
nanopublication holds goes when it is superseded or retracted by the key that signed it; in
which order the two are loaded makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from primad_ld.archive.engine import Engine, GraphsRefusedError
from primad_ld.archive.run_dependants import tables_in_use
from primad_ld.archive.topic_scores import with_topics
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.errors import HeaderError
from primad_ld.core.files import resource
from primad_ld.core.iris import NAME, PRIMAD, RDF_TYPE, RDFS
from primad_ld.core.triples import NamedGraph, read_subjects
from primad_ld.nanopub.drafting.run_drafts import RESULT_KINDS
from primad_ld.nanopub.held.content_graphs import content_of
from primad_ld.nanopub.held.nanopub_records import (
    RECORDS,
    Record,
    ended,
    fetch_nanopubs,
    holders,
    let_go,
)
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.trusty import shelf_key
from primad_ld.rdf.nanopub_statements import parse_statements
from primad_ld.rdf.subject_index import index_triples

#: How archives name their graphs, records of nanopublications excepted.
_OWN: Final = re.compile(rf".+/([a-z\-]+)/(?:{NAME}|[0-9a-f]{{15}})")
_TABLE: Final = "/measurements/"
#: Graphs that go with what they are about; all others are components, which vacuum takes out.
_KINDS: Final = {"run": "Run", **{kind: name for name, kind in RESULT_KINDS.items()}}


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentUpdate:
    """Why something that nanopublications say is no graph of the archive, by their URIs."""

    #: It is not what it says to be; the nanopublication can be searched all the same.
    notes: dict[str, str]
    #: The store does not take it.
    problems: dict[str, str] = field(default_factory=dict)


def update_contents(archive: OpenArchive, nanopubs: Mapping[str, Nanopub]) -> ContentUpdate:
    """Write what some nanopublications say that are there, and finish their records.

    What is there already, and was not written from others, stays as it is.
    """
    engine = archive.engine
    records = fetch_nanopubs(engine, nanopubs)
    contents = [content_of(nanopubs[uri]) for uri in records.keys() - ended(engine, records)]
    # What is proven by its names comes before what is not.
    contents.sort(key=lambda content: (not content.is_proven, content.nanopub))
    update = ContentUpdate(notes={one.nanopub: one.problem for one in contents if one.problem})
    existing = engine.existing(sorted({graph.iri for one in contents for graph in one.kept}))
    own = existing - holders(engine, existing).keys()
    graphs: dict[str, NamedGraph] = {}
    for content in contents:
        uri, holds = content.nanopub, set(records[content.nanopub].holds)
        for graph in content.kept:
            kind = _kind(graph.iri)
            if not _is_what_it_says(graph, kind):
                update.notes[uri] = f"no archive would have such a graph {graph.iri}"
                continue
            if graph.iri not in existing:
                graphs.setdefault(graph.iri, graph)
            if kind in _KINDS and graph.iri not in own:
                holds.add(graph.iri)
        records[uri] = replace(records[uri], holds=tuple(sorted(holds)))
    records = dict(sorted(records.items()))
    engine.add([replace(one, is_whole=False).graph() for one in records.values()])
    # Components come first: what makes use of them is there when they are.
    ordered = sorted(graphs.values(), key=lambda graph: _kind(graph.iri) in _KINDS)
    refused = add_graphs(engine, ordered)
    for uri, record in records.items():
        why = next((refused[graph] for graph in record.holds if graph in refused), "")
        if why:
            update.problems[uri] = f"{engine.name} does not take what it says: {why}"
            kept = tuple(graph for graph in record.holds if graph not in refused)
            records[uri] = replace(record, holds=kept)
            engine.replace(records[uri].graph())
    engine.add([replace(one, is_whole=True).graph() for one in records.values()])
    return update


def missing_content(engine: Engine, records: Iterable[Record]) -> set[str]:
    """The nanopublications whose content somebody removed."""
    holding = {graph: record.uri for record in records for graph in record.holds}
    return {holding[graph] for graph in holding.keys() - engine.existing(sorted(holding))}


def kept_nanopub(archive: OpenArchive, uri: str) -> Nanopub | None:
    """A nanopublication as it was published; None if nobody kept it here."""
    found = archive.shelf.read(shelf_key(uri))
    if found is None:
        return None
    try:
        return nanopub_of(parse_statements(*found, uri))
    except (HeaderError, MalformedError):
        return None


def kept_nanopubs(archive: OpenArchive, uris: Iterable[str]) -> dict[str, Nanopub]:
    """Those of some nanopublications that are kept here, by their URIs."""
    return {uri: one for uri in sorted(uris) if (one := kept_nanopub(archive, uri)) is not None}


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


def add_graphs(engine: Engine, graphs: Sequence[NamedGraph]) -> dict[str, str]:
    """Write graphs; those that the store does not take, and why."""
    try:
        engine.add(graphs)
    except GraphsRefusedError as error:
        engine.remove(sorted(error.refused))
        return error.refused
    return {}


# Taking out -------------------------------------------------------------------------------


def settle(archive: OpenArchive, leaving: Mapping[str, Iterable[str]]) -> list[str]:
    """Take from nanopublications the graphs that they hold; the graphs that went with that.

    A graph that others hold as well becomes what the first current one of these says.
    """
    engine = archive.engine
    held = holders(engine, {graph for graphs in leaving.values() for graph in graphs})
    others = {uri for uris in held.values() for uri in uris} - leaving.keys()
    current = others - ended(engine, others)
    heirs = {graph: min(uris & current) for graph, uris in held.items() if uris & current}
    gone = engine.existing(sorted(held.keys() - heirs.keys()))
    _remove(engine, gone)
    for uri, nanopub in kept_nanopubs(archive, set(heirs.values())).items():
        for graph in content_of(nanopub).kept:
            if heirs.get(graph.iri) == uri:
                engine.replace(graph)
    let_go(engine, {graph: uris & leaving.keys() for graph, uris in held.items()})
    return sorted(gone)


def _remove(engine: Engine, graphs: Iterable[str]) -> None:
    """Remove graphs and nothing that was made of them here, which vacuum may take out."""
    tables = {one for one in graphs if _TABLE in one}
    engine.remove(sorted({*with_topics(graphs)} - tables))
    # A table stays as long as something of others was assessed of it.
    engine.remove(sorted(tables - tables_in_use(engine)) if tables else [])
