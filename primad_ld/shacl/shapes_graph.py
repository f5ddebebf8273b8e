"""Turtle files as one graph of terms: what the shapes are read from.

Unlike `primad_ld.core.triples`, literals and IRIs stay apart here. Blank nodes are numbered in
the order of their file, so that the same file gives the same names each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import RDF
from primad_ld.core.triples import Document, turtle_bytes, turtle_errors
from primad_ld.rdf.subject_index import Object, oxigraph_object

_FIRST: Final = RDF + "first"
_REST: Final = RDF + "rest"
_NIL: Final = Object(RDF + "nil")


class Terms:
    """Statements of some files, by subject and predicate, each of them once."""

    def __init__(self) -> None:
        self.statements: dict[str, dict[str, dict[Object, None]]] = {}
        self.prefixes: dict[str, str] = {}
        self._subjects: dict[str, dict[str, None]] = {}
        self._files: dict[str, Path] = {}
        self._parents: dict[str, str] = {}

    def add(self, subject: str, predicate: str, value: Object, file: Path | None = None) -> None:
        """One statement; saying it again changes nothing."""
        self.statements.setdefault(subject, {}).setdefault(predicate, {})[value] = None
        self._subjects.setdefault(predicate, {})[subject] = None
        if file is not None:
            self._files[subject] = file
        if is_blank(value):
            self._parents.setdefault(value.value, subject)

    def values(self, subject: str, predicate: str) -> list[Object]:
        """The objects of a subject and a predicate, in the order of the files."""
        return list(self.statements.get(subject, {}).get(predicate, ()))

    def pairs(self, predicate: str) -> Iterator[tuple[str, Object]]:
        """Subjects and objects of a predicate."""
        for subject in self._subjects.get(predicate, ()):
            for value in self.statements[subject][predicate]:
                yield subject, value

    def instances(self, name: str) -> list[str]:
        """Subjects that are said to be of a class."""
        kind = Object(name)
        return [subject for subject, value in self.pairs(RDF + "type") if value == kind]

    def triples(self) -> Iterator[tuple[str, str, Object]]:
        """All statements."""
        for subject, said in self.statements.items():
            for predicate, values in said.items():
                for value in values:
                    yield subject, predicate, value

    def members(self, head: Object, place: str | None = None) -> list[Object]:
        """The members of a list; a `SchemaError` if it is none, which names the place."""
        place = head.value if place is None else place
        found: list[Object] = []
        seen: set[str] = set()
        node = head
        while node != _NIL:
            first, rest = self.values(node.value, _FIRST), self.values(node.value, _REST)
            if node.datatype is not None or len(first) != 1 or len(rest) != 1:
                raise self.error(place, f"{head.token} is no well-formed list")
            if node.value in seen:
                raise self.error(place, "a list comes back to itself")
            seen.add(node.value)
            found.append(first[0])
            node = rest[0]
        return found

    def is_list(self, node: Object) -> bool:
        """Whether a node begins a list."""
        return node == _NIL or bool(self.values(node.value, _FIRST))

    def file_of(self, subject: str) -> Path | None:
        """The last file that says something of a subject."""
        return self._files.get(subject)

    def error(self, subject: str, why: str) -> SchemaError:
        """An error that names the file and the shape, or what a blank node is part of."""
        file, place = self.file_of(subject), self.place_of(subject)
        return SchemaError(f"{file}: {place}: {why}" if file else f"{place}: {why}")

    def place_of(self, subject: str) -> str:
        """A shape by its name, or by that of what a blank node is part of."""
        named, seen = subject, {subject}
        while named.startswith("_:") and self._parents.get(named, named) not in seen:
            named = self._parents[named]
            seen.add(named)
        place = f"<{named}>" if not named.startswith("_:") else named
        return place if named == subject else f"a blank node of {place}"


def is_blank(node: Object) -> bool:
    """Whether a node is a blank node."""
    return node.datatype is None and node.value.startswith("_:")


def is_iri(node: Object) -> bool:
    """Whether a node is an IRI."""
    return node.datatype is None and not node.value.startswith("_:")


def folded(node: Object) -> Object:
    """A term as it is compared: language tags are the same in any case."""
    return node if node.language is None else node._replace(language=node.language.lower())


def read_terms(files: Iterable[Path]) -> Terms:
    """The statements of some Turtle files together."""
    terms = Terms()
    for number, file in enumerate(files):
        labels: dict[str, str] = {}
        with turtle_errors(file):
            document = Document(turtle_bytes(file), "TURTLE")
            for triple in document:
                subject = _named(oxigraph_object(triple.subject), number, labels)
                value = _named(oxigraph_object(triple.object), number, labels)
                terms.add(subject.value, triple.predicate.value, value, file)
            terms.prefixes.update(document.prefixes)
    return terms


def _named(node: Object, number: int, labels: dict[str, str]) -> Object:
    """A blank node by its place: which file, and which of its blank nodes."""
    if not is_blank(node):
        return node
    return Object(labels.setdefault(node.value, f"_:f{number}b{len(labels)}"))
