"""Statements by subject are the same, whatever they come from."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given
from support import BASE, PRIMAD, RDF, XSD, good, headers, quads, rdflib_graph, store_of

from primad_ld import header_of
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.subject_index import (
    MemoryIndex,
    Object,
    StoreIndex,
    index_quads,
    index_rdflib,
    index_triples,
    oxigraph_object,
)

LIFTER = Lifter()


def said(index: MemoryIndex | StoreIndex, subjects: list[str]) -> dict[str, dict[str, set[Object]]]:
    return {
        one: {predicate: set(found) for predicate, found in index.about(one).items()}
        for one in subjects
    }


@given(headers)
def test_every_index_says_the_same(fields: dict[str, object]) -> None:
    lifted = LIFTER.lift(header_of(fields))
    index = index_triples("".join(graph.triples for graph in lifted.graphs))
    subjects = index.subjects()
    store = StoreIndex(store_of(lifted.nquads()))
    parsed = pyoxigraph.parse(lifted.nquads(), format=pyoxigraph.RdfFormat.N_QUADS)
    for other in (store, index_quads(parsed), index_rdflib(rdflib_graph(lifted))):
        assert said(other, subjects) == said(index, subjects)
        assert list(other.runs()) == list(index.runs()) == [lifted.run.iri]


def test_saying_it_twice_changes_nothing() -> None:
    index = MemoryIndex()
    for _ in range(2):
        index.add("s", "p", Object("x"))
        index.add("s", "p", Object("x", XSD + "string"))
    assert index.about("s") == {"p": [Object("x"), Object("x", XSD + "string")]}
    assert index.about("other") == {}


def test_nodes_of_a_class_come_in_order() -> None:
    index = MemoryIndex()
    for subject in "bca":
        index.add(subject, RDF + "type", Object(PRIMAD + "Run"))
    index.add("d", RDF + "type", Object(PRIMAD + "Run", XSD + "string"))  # a text is not a class
    assert list(index.runs()) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("line", "subject", "value"),
    [
        ('<x:s> <x:p> "a\\n\\"b\\"" .\n', "x:s", Object('a\n"b"', XSD + "string")),
        ('<x:s> <x:p> "a"@en-GB .\n', "x:s", Object("a", RDF + "langString", "en-GB")),
        (f'<x:s> <x:p> "1"^^<{XSD}integer> .\n', "x:s", Object("1", XSD + "integer")),
        ("_:b <x:p> _:c .\n", "_:b", Object("_:c")),
    ],
)
def test_a_statement(line: str, subject: str, value: Object) -> None:
    assert index_triples(line).about(subject) == {"x:p": [value]}


def test_a_store_finds_what_stands_in_graphs_of_other_names() -> None:
    index = StoreIndex(store_of("<http://x/s> <http://x/p> <http://x/o> <http://x/g> .\n"))
    assert index.about("http://x/s") == {"http://x/p": [Object("http://x/o")]}
    assert index.about("not an IRI") == {}


def test_fragments_come_with_their_graph() -> None:
    lifted = LIFTER.lift(header_of(good()))
    index = StoreIndex(store_of(lifted.nquads()))
    assert index.about(f"{lifted.run.iri}#header")[PRIMAD + "spelling"]
    assert quads(lifted.nquads())  # the store was made of something
    assert all(iri.startswith(BASE) for iri in index.runs())


def test_terms_of_oxigraph() -> None:
    assert oxigraph_object(pyoxigraph.Literal("a", language="en")).language == "en"
    assert oxigraph_object(pyoxigraph.BlankNode("b")) == Object("_:b")
    assert oxigraph_object(pyoxigraph.NamedNode("x:a")).token == "<x:a>"
