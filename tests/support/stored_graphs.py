"""Small graphs for stores, and what a store has of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace as changed

import pytest

from primad_ld.archive.assessments import Assessment, read_assessments
from primad_ld.archive.engine import Engine, GraphsRefusedError
from primad_ld.archive.precision_records import KeptPrecision, fetched_precisions
from primad_ld.archive.query_results import Triples
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.subject_index import Object
from support import RDF, XSD
from support.odd_endpoints import QUICK
from support.servers import Server

A = "http://a.org/"
P = f"<{A}p>"
TYPE = f"<{RDF}type>"


def graph(name: str, *objects: str, inner: int = 0, kind: str = "Run") -> NamedGraph:
    """A graph with a type, some objects of its own node, and some inner nodes."""
    iri = A + name
    lines = [f"<{iri}> {TYPE} <{A}{kind}> .\n"]
    lines += [f"<{iri}> {P} {one} .\n" for one in objects]
    lines += [f'<{iri}#{number}> {P} "{number}" .\n' for number in range(inner)]
    return NamedGraph(iri=iri, triples="".join(lines))


def said(engine: Engine, iri: str) -> tuple[str, ...]:
    """What is in a graph."""
    found = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}")
    assert isinstance(found, Triples)
    return found.lines


def lines_of(one: NamedGraph) -> tuple[str, ...]:
    return tuple(sorted(f"{line}\n" for line in one.triples.split("\n") if line))


def objects(engine: Engine, iri: str) -> list[Object | None]:
    """What a node has for P."""
    found = engine.select(f"SELECT ?o WHERE {{ GRAPH <{iri}> {{ <{iri}> {P} ?o }} }}")
    return [row[0] for row in found.rows]


def remote(server: Server, timeout: float = 20) -> RemoteEngine:
    return RemoteEngine.connect(server.address, timeout=timeout, patience=QUICK)


def typed(text: str, kind: str) -> str:
    return f'"{text}"^^<{XSD}{kind}>'


def small(engine: RemoteEngine, **limits: int) -> RemoteEngine:
    """An engine whose server takes little at a time."""
    engine.endpoint = changed(engine.endpoint, server=changed(engine.endpoint.server, **limits))
    return engine


def refused(engine: Engine, graphs: Iterable[NamedGraph]) -> dict[str, str]:
    with pytest.raises(GraphsRefusedError) as caught:
        engine.add([*graphs])
    return caught.value.refused


# Results that an archive keeps ------------------------------------------------------------


def assessments(engine: Engine) -> list[Assessment]:
    """All assessments, in the order of their IRIs."""
    return read_assessments(engine, _all_of(engine, "ReproducibilityAssessment"))


def precisions(engine: Engine) -> list[KeptPrecision]:
    """All assessments of precision, by object and measurand."""
    found = fetched_precisions(engine, _all_of(engine, "PrecisionAssessment"))
    return sorted(found, key=lambda one: (one.group, one.object, one.measurand, one.variant))


def _all_of(engine: Engine, kind: str) -> list[str]:
    return sorted({*engine.column(f"SELECT ?it {{ GRAPH ?it {{ ?it a primad:{kind} }} }}")})
