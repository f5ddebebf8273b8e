"""TriX, the XML of named graphs, which some nanopublications are written in."""

from __future__ import annotations

from typing import Final
from xml.parsers import expat

from primad_ld.core.errors import HeaderError
from primad_ld.core.iris import RDF, XSD, is_iri
from primad_ld.rdf.index import Object
from primad_ld.rdf.statements import BLANK, Statement

_SPACE: Final = "http://www.w3.org/2004/03/trix/trix-1/"
_XML_LANG: Final = "http://www.w3.org/XML/1998/namespace lang"
_TERMS: Final = frozenset({"uri", "id", "plainLiteral", "typedLiteral"})
_STRUCTURE: Final = {"TriX": "", "graph": "TriX", "triple": "graph"}
_TRIPLE: Final = 3


def parse_trix(data: bytes, name: str) -> list[Statement]:
    """The statements of a TriX document; ``name`` is for errors."""
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise HeaderError(
            f"cannot be read as TriX: {expat.ErrorString(error.code)}",
            file=name,
            line=error.lineno,
        ) from None
    except (_TrixError, UnicodeError) as error:
        raise HeaderError(
            f"cannot be read as TriX: {error}", file=name, line=parser.CurrentLineNumber
        ) from None
    return reader.statements


class _TrixError(Exception):
    """Something that TriX does not have."""


def _refuse(*_: object) -> None:
    # Entities can make a file of any size from a few lines.
    raise _TrixError("document types are not read")


class _Reader:
    def __init__(self) -> None:
        self.statements: list[Statement] = []
        self.open: list[str] = []
        self.graph = ""
        self.terms: list[Object] = []
        self.attributes: dict[str, str] = {}
        self.pieces: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        above = self.open[-1] if self.open else ""
        wanted = _STRUCTURE.get(local)
        if space != _SPACE or not (
            wanted == above if wanted is not None else local in _TERMS and above in _STRUCTURE
        ):
            raise _TrixError(f"an element {local} does not belong here")
        self.open.append(local)
        self.attributes, self.pieces = attributes, []
        if local == "graph":
            self.graph = ""
        elif local == "triple":
            self.terms = []

    def text(self, text: str) -> None:
        if self.open and self.open[-1] in _TERMS:
            self.pieces.append(text)
        elif text.strip():
            raise _TrixError(f"text does not belong here: {text.strip()[:40]!r}")

    def end(self, name: str) -> None:
        local = self.open.pop()
        if local in _TERMS:
            term = self._term(local, "".join(self.pieces))
            if self.open[-1] == "graph":
                self._name_graph(term)
            else:
                self.terms.append(term)
        elif local == "triple":
            self.statements.append(self._statement())

    def _name_graph(self, term: Object) -> None:
        if term.datatype is not None or self.graph:
            raise _TrixError("a graph has one name")
        self.graph = term.value

    def _term(self, kind: str, text: str) -> Object:
        if kind == "uri":
            return Object(_checked(text.strip()))
        if kind == "id":
            return Object(BLANK + text.strip())
        if kind == "typedLiteral":
            return Object(text, _checked(self.attributes.get("datatype", "")))
        # Languages are in small letters, as the parser of the other formats has them.
        language = self.attributes.get(_XML_LANG, "").lower()
        return (
            Object(text, RDF + "langString", language) if language else Object(text, XSD + "string")
        )

    def _statement(self) -> Statement:
        if len(self.terms) != _TRIPLE:
            raise _TrixError("a triple has three terms")
        subject, predicate, value = self.terms
        if subject.datatype or predicate.datatype or predicate.value.startswith(BLANK):
            raise _TrixError("a literal or a blank node stands where an IRI belongs")
        return Statement(self.graph, subject.value, predicate.value, value)


def _checked(iri: str) -> str:
    if not is_iri(iri):
        raise _TrixError(f"{iri[:80]!r} is no IRI")
    return iri
