"""Statements by subject, whatever they come from: what lower reads.

Graph names do not matter here: a run is found again in N-Quads as in a flat Turtle file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from primad_ld.core.iris import PRIMAD, RDF, RDF_TYPE, XSD

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib

_GRAPHS_KEPT: Final = 500
_LANGUAGE: Final = RDF + "langString"


class Object(NamedTuple):
    """An object: the text of a literal with its datatype, or an IRI without one."""

    value: str
    datatype: str | None = None
    language: str | None = None

    @property
    def token(self) -> str:
        """The object as the token that a converter makes of a text."""
        if self.datatype is None:
            return f"<{self.value}>"
        return f'"{self.value}"^^<{self.datatype}>'


Statements = dict[str, list[Object]]


class Index(Protocol):
    """What is said, by subject."""

    def about(self, subject: str) -> Statements:
        """Objects by predicate; repeated statements once."""

    def of_type(self, name: str) -> list[str]:
        """The nodes of a class, in order."""

    def runs(self) -> Iterable[str]:
        """The IRIs of all runs, in order."""


class MemoryIndex:
    """An index in memory, for what fits."""

    def __init__(self) -> None:
        self._subjects: dict[str, dict[str, dict[Object, None]]] = {}

    def add(self, subject: str, predicate: str, value: Object) -> None:
        """One statement; saying it again changes nothing."""
        self._subjects.setdefault(subject, {}).setdefault(predicate, {})[value] = None

    def about(self, subject: str) -> Statements:
        said = self._subjects.get(subject, {})
        return {predicate: list(objects) for predicate, objects in said.items()}

    def subjects(self) -> list[str]:
        """All subjects, in order."""
        return sorted(self._subjects)

    def of_type(self, name: str) -> list[str]:
        wanted = Object(name)
        return sorted(
            subject for subject, said in self._subjects.items() if wanted in said.get(RDF_TYPE, ())
        )

    def runs(self) -> Iterable[str]:
        return self.of_type(PRIMAD + "Run")


class StoreIndex:
    """An index over a pyoxigraph store, for what does not fit into memory.

    A node and its fragments are one named graph as lift writes them, so a graph is
    fetched at once and kept for as long as its neighbours are asked for.
    """

    def __init__(self, store: pyoxigraph.Store) -> None:
        self.store = store
        self._graph = lru_cache(maxsize=_GRAPHS_KEPT)(self._fetch)

    def about(self, subject: str) -> Statements:
        found = self._graph(subject.partition("#")[0]).about(subject)
        return found or self._anywhere(subject)

    def _fetch(self, name: str) -> MemoryIndex:
        import pyoxigraph

        try:
            graph = pyoxigraph.NamedNode(name)
        except ValueError:
            return MemoryIndex()  # nothing is said of a text
        return index_quads(self.store.quads_for_pattern(None, None, None, graph))

    def _anywhere(self, subject: str) -> Statements:
        """In graphs of other names, or in none: not written by us, or without graph names."""
        import pyoxigraph

        try:
            node = pyoxigraph.NamedNode(subject)
        except ValueError:
            return {}
        return index_quads(self.store.quads_for_pattern(node, None, None)).about(subject)

    def of_type(self, name: str) -> list[str]:
        import pyoxigraph

        quads = self.store.quads_for_pattern(
            None, pyoxigraph.NamedNode(RDF_TYPE), pyoxigraph.NamedNode(name)
        )
        return sorted({oxigraph_object(quad.subject).value for quad in quads})

    def runs(self) -> Iterable[str]:
        return self.of_type(PRIMAD + "Run")


def oxigraph_object(term: object) -> Object:
    """A term of pyoxigraph as an object of ours."""
    import pyoxigraph

    if isinstance(term, pyoxigraph.Literal):
        return Object(term.value, term.datatype.value, term.language)
    if isinstance(term, pyoxigraph.BlankNode):
        return Object(f"_:{term.value}")
    return Object(str(term.value))  # type: ignore[attr-defined]


def index_quads(quads: Iterable[pyoxigraph.Quad | pyoxigraph.Triple]) -> MemoryIndex:
    """An index of what pyoxigraph parsed."""
    index = MemoryIndex()
    for quad in quads:
        subject = oxigraph_object(quad.subject).value
        index.add(subject, quad.predicate.value, oxigraph_object(quad.object))
    return index


def index_rdflib(graph: rdflib.Graph) -> MemoryIndex:
    """An index of an rdflib graph or dataset."""
    import rdflib

    index = MemoryIndex()
    for subject, predicate, value in _rdflib_triples(graph):
        if isinstance(value, rdflib.Literal):
            datatype = str(value.datatype) if value.datatype else XSD + "string"
            found = Object(str(value), datatype, value.language)
        else:
            found = Object(str(value))
        index.add(str(subject), str(predicate), found)
    return index


def _rdflib_triples(graph: rdflib.Graph) -> Iterator[tuple[object, object, object]]:
    import rdflib

    if isinstance(graph, rdflib.Dataset):
        for subject, predicate, value, _ in graph.quads((None, None, None, None)):
            yield subject, predicate, value
    else:
        yield from graph


# One statement of N-Triples, our own or as pyoxigraph prints it.
_LINE = re.compile(
    r"(?m)^(?:<([^>\n]*)>|(_:\S+)) <([^>\n]*)> (?:<([^>\n]*)>|(_:\S+)|"
    r'("[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")(?:\^\^<([^>\n]*)>|@([A-Za-z0-9\-]+))?) \.\n'
)


def index_triples(lines: str) -> MemoryIndex:
    """An index of N-Triples, one statement a line."""
    import json

    index = MemoryIndex()
    for subject, blank, predicate, iri, other, literal, datatype, language in _LINE.findall(lines):
        if literal:
            # Escapes of N-Triples that we and pyoxigraph write are those of JSON.
            kind = datatype or (_LANGUAGE if language else XSD + "string")
            found = Object(json.loads(literal, strict=False), kind, language or None)
        else:
            found = Object(iri or other)
        index.add(subject or blank, predicate, found)
    return index
