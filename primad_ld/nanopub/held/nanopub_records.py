"""What an archive knows of the nanopublications that it has read: a record for each of them.

A record is a graph of its own below `RECORDS`, where no nanopublication may have a graph. It is
begun before what it tells about is written, and gets its type after that: it is the commit
marker. What it calls held was written from the nanopublication, and goes with it.

Superseded and retracted are not stored: both follow from nanopublications of the same key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.result_terms import predicate, text_token, type_of
from primad_ld.archive.runs import values
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


def fetch_nanopubs(engine: Engine, names: Iterable[str]) -> dict[str, Record]:
    """The records of some nanopublications, by URI; also those that are not whole."""
    found: dict[str, Record] = {}
    for some in _chunks(names):
        records = values([record_iri(uri) for uri in some])
        table = engine.select(
            f"SELECT ?record ?by ?said WHERE {{ VALUES ?record {{ {records} }} "
            "GRAPH ?record { ?record ?by ?said } }"
        )
        found.update((record.uri, record) for record in _records(table))
    return {uri: record for uri, record in found.items() if record.uri == uri}


def _records(table: Bindings) -> Iterator[Record]:
    said: dict[str, dict[str, list[str]]] = {}
    for record, by, value in table.rows:
        if record and by and value:
            said.setdefault(record.value, {}).setdefault(by.value, []).append(value.value)
    for name in sorted(said):
        about = said[name]
        for uri in about.get(PRIMAD + "recordOf", ())[:1]:
            yield Record(
                uri=uri,
                state=next(iter(about.get(PRIMAD + "signatureState", ())), ""),
                key=next(iter(about.get(PRIMAD + "signedWithKey", ())), ""),
                holds=tuple(sorted(about.get(PRIMAD + "holdsGraph", ()))),
                is_whole=PRIMAD + "NanopublicationRecord" in about.get(RDF_TYPE, ()),
            )


def unfinished(engine: Engine) -> list[str]:
    """The nanopublications whose loading was interrupted."""
    return sorted(
        engine.column(
            f"SELECT DISTINCT ?np WHERE {{ GRAPH ?record {{ ?record {_A}recordOf> ?np }} {_OURS} "
            f"FILTER NOT EXISTS {{ GRAPH ?record {{ ?record a {_A}NanopublicationRecord> }} }} }}"
        )
    )


def holders(engine: Engine, graphs: Iterable[str]) -> dict[str, set[str]]:
    """The nanopublications that some graphs were written from, by graph."""
    found: dict[str, set[str]] = {}
    for some in _chunks(graphs):
        table = engine.select(
            f"SELECT ?graph ?np WHERE {{ VALUES ?graph {{ {values(some)} }} "
            f"GRAPH ?record {{ ?record {_A}holdsGraph> ?graph ; {_A}recordOf> ?np }} {_OURS} }}"
        )
        for graph, uri in table.rows:
            if graph and uri:
                found.setdefault(graph.value, set()).add(uri.value)
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
    return set(
        engine.column(
            f"SELECT DISTINCT ?graph WHERE {{ GRAPH ?record {{ ?record {_A}holdsGraph> ?graph }} {_OURS} }}"
        )
    )


def ended(engine: Engine, uris: Iterable[str]) -> set[str]:
    """Those of some nanopublications that were superseded or retracted by the key that signed them."""
    return _ended_where(engine, "?np", uris)


def ended_by(engine: Engine, uris: Iterable[str]) -> set[str]:
    """The nanopublications that some others superseded or retracted."""
    return _ended_where(engine, "?later", uris)


def _ended_where(engine: Engine, variable: str, uris: Iterable[str]) -> set[str]:
    return {
        np
        for some in _chunks(uris)
        for how in _ENDS
        for np in _ends(engine, how, f"VALUES {variable} {{ {values(some)} }}")
    }


def outdated_holds(engine: Engine) -> dict[str, set[str]]:
    """What nanopublications hold that were superseded or retracted, by their URIs."""
    holding = f"GRAPH ?record {{ ?record {_A}recordOf> ?np ; {_A}holdsGraph> ?graph }} {_OURS}"
    over = {np for how in _ENDS for np in _ends(engine, how, more=holding)}
    return {uri: set(one.holds) for uri, one in fetch_nanopubs(engine, over).items()}


def _ends(engine: Engine, how: str, before: str = "", more: str = "") -> set[str]:
    """What ended. One key has to have signed both, and a check found so.

    Keys are compared here: where one has signed everything, stores would pair all with all.
    """
    table = engine.select(f"SELECT DISTINCT ?np ?later WHERE {{ {before} {_ENDS[how]} {more} }}")
    pairs = {(np.value, later.value) for np, later in table.rows if np and later and np != later}
    keys = {
        uri: one.key
        for uri, one in fetch_nanopubs(engine, {it for two in pairs for it in two}).items()
    }
    return {np for np, later in pairs if keys.get(np) and keys[np] == keys.get(later)}


def graphs_of(engine: Engine, uris: Iterable[str]) -> dict[str, list[str]]:
    """The four graphs of some nanopublications that are there, the head last."""
    found: dict[str, dict[str, None]] = {}
    heads: dict[str, str] = {}
    for some in _chunks(uris):
        table = engine.select(
            f"SELECT ?np ?part ?head WHERE {{ VALUES ?np {{ {values(some)} }} "
            f"GRAPH ?head {{ ?np {_HEAD} ; "
            f"<{terms.HAS_ASSERTION}>|<{terms.HAS_PROVENANCE}>|<{terms.HAS_PUBINFO}> ?part }} }}"
        )
        for np, part, head in table.rows:
            if np and part and head and part.value.startswith(np.value):
                found.setdefault(np.value, {})[part.value] = None
                heads[np.value] = head.value
    return {uri: [*sorted(graphs), heads[uri]] for uri, graphs in found.items()}


def recorded_names(engine: Engine) -> set[str]:
    """The nanopublications that are there."""
    return set(
        engine.column(
            f"SELECT ?np WHERE {{ GRAPH ?record {{ ?record {_A}recordOf> ?np }} {_OURS} }}"
        )
    )


def counts(engine: Engine) -> dict[str, int]:
    """How many nanopublications are of each state, and how many were superseded or retracted."""
    table = engine.select(
        f"SELECT ?state (COUNT(DISTINCT ?record) AS ?n) WHERE {{ GRAPH ?record {{ "
        f"?record a {_A}NanopublicationRecord> ; {_A}signatureState> ?state }} {_OURS} }} "
        "GROUP BY ?state"
    )
    found = {state.value: int(n.value) for state, n in sorted(table.rows, key=str) if state and n}
    for how in _ENDS:
        if over := _ends(engine, how):
            found[how] = len(over)
    return found


def _chunks(iris: Iterable[str]) -> Iterator[Sequence[str]]:
    # What is no IRI is the name of nothing in a store.
    every = sorted({iri for iri in iris if is_iri(iri)})
    for start in range(0, len(every), _AT_ONCE):
        yield every[start : start + _AT_ONCE]
