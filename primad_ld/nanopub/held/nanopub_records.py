"""What an archive knows of the nanopublications that it has read: a record for each of them.

A record is a graph of its own below `RECORDS`, where no nanopublication may have a graph. It is
begun before what it tells about is written, and gets its type after that: it is the commit
marker. What it calls held was written from the nanopublication, and goes with it.

Superseded and retracted are not stored: both follow from nanopublications of the same key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.result_terms import predicate, text_token, type_of
from primad_ld.archive.runs import chunks, values
from primad_ld.core.iris import BASE, PRIMAD, RDF_TYPE, is_iri
from primad_ld.core.triples import NamedGraph
from primad_ld.nanopub.trusty import shelf_key
from primad_ld.rdf import nanopub_terms as terms

#: Where all records are, whatever the base of an archive's runs is: queries trust no others.
RECORDS: Final = BASE + "nanopub/"

_AT_ONCE: Final = 100
_A: Final = f"<{PRIMAD}"
_OURS: Final = f'FILTER(STRSTARTS(STR(?record), "{RECORDS}"))'
_HEAD: Final = f"a <{terms.NANOPUBLICATION}>"
_HOLDING: Final = f"GRAPH ?record {{ ?record {_A}recordOf> ?np ; {_A}holdsGraph> ?graph }} {_OURS}"
#: How a later nanopublication says that ``?np`` no longer holds, by the graph in which it does.
_ENDS: Final = {
    "superseded": f"GRAPH ?said {{ ?later <{terms.SUPERSEDES}> ?np }} "
    f"GRAPH ?head {{ ?later {_HEAD} ; <{terms.HAS_PUBINFO}> ?said }}",
    "retracted": f"GRAPH ?said {{ ?who <{terms.RETRACTS}> ?np }} "
    f"GRAPH ?head {{ ?later {_HEAD} ; <{terms.HAS_ASSERTION}> ?said }}",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What is known of one nanopublication."""

    uri: str
    #: What the check found: ``signed``, ``trusty`` or ``plain``.
    state: str
    #: SHA-256 of the public key that it is signed with; empty without a signature.
    key: str = ""
    #: Graphs of the archive that were written from it.
    holds: tuple[str, ...] = ()
    #: Whether all that belongs to it is written.
    is_whole: bool = True

    @property
    def iri(self) -> str:
        """The name of the record and of its graph."""
        return record_iri(self.uri)

    def graph(self) -> NamedGraph:
        """The record as a graph."""
        me = f"<{self.iri}>"
        lines = [
            f"{me}{predicate('recordOf')}<{self.uri}>",
            f"{me}{predicate('signatureState')}{text_token(self.state)}",
            *(f"{me}{predicate('holdsGraph')}<{graph}>" for graph in self.holds),
        ]
        if self.key:
            lines.append(f"{me}{predicate('signedWithKey')}{text_token(self.key)}")
        if self.is_whole:
            lines.append(f"{me}{type_of('NanopublicationRecord')}")
        return NamedGraph(iri=self.iri, triples="".join(f"{line} .\n" for line in sorted(lines)))


def record_iri(uri: str) -> str:
    """The name of the record of a nanopublication."""
    return RECORDS + shelf_key(uri)


# Looking up -------------------------------------------------------------------------------


def _select(
    engine: Engine, names: str, pattern: str, given: Iterable[str] | None = None
) -> Iterator[list[str]]:
    """What a pattern finds, by the names of variables; if some are ``given``, for values of the first."""
    first = names.partition(" ")[0]
    bounds = [""]
    if given is not None:
        # What is no IRI is the name of nothing in a store.
        several = chunks(sorted(filter(is_iri, set(given))), _AT_ONCE)
        bounds = [f"VALUES {first} {{ {values(some)} }}" for some in several]
    for bound in bounds:
        table = engine.select(f"SELECT DISTINCT {names} WHERE {{ {bound} {pattern} }}")
        yield from ([one.value for one in row if one] for row in table.rows if all(row))


def fetch_nanopubs(engine: Engine, names: Iterable[str]) -> dict[str, Record]:
    """The records of some nanopublications, by URI; also those that are not whole."""
    records = {record_iri(uri): uri for uri in names}
    about: dict[str, dict[str, list[str]]] = {}
    for record, by, value in _select(
        engine, "?record ?by ?value", "GRAPH ?record { ?record ?by ?value }", records
    ):
        about.setdefault(record, {}).setdefault(by, []).append(value)
    return {
        uri: Record(
            uri=uri,
            state=next(iter(about[iri].get(PRIMAD + "signatureState", ())), ""),
            key=next(iter(about[iri].get(PRIMAD + "signedWithKey", ())), ""),
            holds=tuple(sorted(about[iri].get(PRIMAD + "holdsGraph", ()))),
            is_whole=PRIMAD + "NanopublicationRecord" in about[iri].get(RDF_TYPE, ()),
        )
        for iri, uri in records.items()
        if iri in about and uri in about[iri].get(PRIMAD + "recordOf", ())
    }


def recorded_names(engine: Engine, pattern: str = "") -> set[str]:
    """The nanopublications that are there."""
    of_record = f"GRAPH ?record {{ ?record {_A}recordOf> ?np }} {_OURS} {pattern}"
    return {np for (np,) in _select(engine, "?np", of_record)}


def unfinished(engine: Engine) -> set[str]:
    """The nanopublications whose loading was interrupted."""
    is_whole = f"GRAPH ?record {{ ?record a {_A}NanopublicationRecord> }}"
    return recorded_names(engine, f"FILTER NOT EXISTS {{ {is_whole} }}")


def holders(engine: Engine, graphs: Iterable[str]) -> dict[str, set[str]]:
    """The nanopublications that some graphs were written from, by graph."""
    found: dict[str, set[str]] = {}
    for graph, uri in _select(engine, "?graph ?np", _HOLDING, graphs):
        found.setdefault(graph, set()).add(uri)
    return found


def let_go(engine: Engine, held: Mapping[str, Iterable[str]]) -> None:
    """Have nanopublications hold some graphs no more, which are given with those that held them."""
    leaving: dict[str, set[str]] = {}
    for graph, uris in held.items():
        for uri in uris:
            leaving.setdefault(uri, set()).add(graph)
    for record in fetch_nanopubs(engine, leaving).values():
        kept = tuple(graph for graph in record.holds if graph not in leaving[record.uri])
        engine.replace(replace(record, holds=kept).graph())


def held_graphs(engine: Engine) -> set[str]:
    """All graphs that were written from nanopublications."""
    return {graph for (graph,) in _select(engine, "?graph", _HOLDING)}


def ended(engine: Engine, uris: Iterable[str]) -> set[str]:
    """Those of some nanopublications that were superseded or retracted by the key that signed them."""
    asked = set(uris)
    pairs = (_select(engine, "?np ?later", ends, asked) for ends in _ENDS.values())
    return _by_one_key(engine, {(np, later) for some in pairs for np, later in some})


def ended_by(engine: Engine, uris: Iterable[str]) -> set[str]:
    """The nanopublications that some others superseded or retracted."""
    asked = set(uris)
    pairs = (_select(engine, "?later ?np", ends, asked) for ends in _ENDS.values())
    return _by_one_key(engine, {(np, later) for some in pairs for later, np in some})


def outdated_holds(engine: Engine) -> dict[str, set[str]]:
    """What nanopublications hold that were superseded or retracted, by their URIs."""
    pairs = (_select(engine, "?np ?later", f"{ends} {_HOLDING}") for ends in _ENDS.values())
    over = _by_one_key(engine, {(np, later) for some in pairs for np, later in some})
    return {uri: set(one.holds) for uri, one in fetch_nanopubs(engine, over).items()}


def _by_one_key(engine: Engine, pairs: Collection[tuple[str, str]]) -> set[str]:
    """What ended, of pairs with what ends it: one key has to have signed both, and a check found so.

    Keys are compared here: where one has signed everything, stores would pair all with all.
    """
    records = fetch_nanopubs(engine, {uri for pair in pairs for uri in pair})
    keys = {uri: record.key for uri, record in records.items() if record.key}
    return {np for np, later in pairs if np != later and np in keys and keys[np] == keys.get(later)}


def graphs_of(engine: Engine, uris: Iterable[str]) -> dict[str, list[str]]:
    """The four graphs of some nanopublications that are there, the head last."""
    parts = f"<{terms.HAS_ASSERTION}>|<{terms.HAS_PROVENANCE}>|<{terms.HAS_PUBINFO}>"
    found: dict[str, set[str]] = {}
    heads: dict[str, str] = {}
    pattern = f"GRAPH ?head {{ ?np {_HEAD} ; {parts} ?part }}"
    for np, part, head in _select(engine, "?np ?part ?head", pattern, uris):
        if part.startswith(np):
            found.setdefault(np, set()).add(part)
            heads[np] = head
    return {uri: [*sorted(graphs), heads[uri]] for uri, graphs in found.items()}


def counts(engine: Engine) -> dict[str, int]:
    """How many nanopublications are of each state, and how many were superseded or retracted."""
    table = engine.select(
        f"SELECT ?state (COUNT(DISTINCT ?record) AS ?n) WHERE {{ GRAPH ?record {{ "
        f"?record a {_A}NanopublicationRecord> ; {_A}signatureState> ?state }} {_OURS} }} "
        "GROUP BY ?state"
    )
    found = {state.value: int(n.value) for state, n in sorted(table.rows, key=str) if state and n}
    for how, ends in _ENDS.items():
        pairs = {(np, later) for np, later in _select(engine, "?np ?later", ends)}
        if over := _by_one_key(engine, pairs):
            found[how] = len(over)
    return found
