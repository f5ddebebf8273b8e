"""Statements of nanopublications as they were written: not a letter of a literal may change.

A signature covers the letters. rdflib and triple stores rewrite literals (``0.50`` becomes
``0.5``), so files are parsed by pyoxigraph's parser alone, which leaves them as they are. Some
nanopublications are in TriX, the XML of named graphs, which is parsed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.parsers import expat

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, plain_suffix, read_at_most, reading
from primad_ld.core.iris import RDF, XSD, is_iri
from primad_ld.core.triples import Document
from primad_ld.rdf.subject_index import Object

#: A nanopublication has at most a million characters; in other encodings of them, a few more bytes.
MOST_BYTES: Final = 8 * 2**20
#: How a blank node begins where an IRI is expected.
_BLANK: Final = "_:"

_STRING: Final = XSD + "string"
#: Names of formats in `pyoxigraph.RdfFormat`, by suffix.
_FORMATS: Final = {
    ".trig": "TRIG",
    ".nq": "N_QUADS",
    ".nquads": "N_QUADS",
    ".jsonld": "JSON_LD",
}
_TRIX: Final = (".xml", ".trix")
#: Suffixes of files that may hold a nanopublication.
SUFFIXES: Final = (*_FORMATS, *_TRIX)


class Statement(NamedTuple):
    """A triple in its graph; blank nodes begin with ``_:``, the default graph has no name."""

    graph: str
    subject: str
    predicate: str
    value: Object


def read_statements(path: Path) -> list[Statement]:
    """What a file says, in the order of the file. Compressed files are read as well."""
    return parse_statements(read_bytes(path), format_of(path), str(path))


class TooLargeError(HeaderError):
    """A file that can be read, and is larger than any nanopublication."""


def read_bytes(path: Path) -> bytes:
    """The bytes of a file that may be a nanopublication; `TooLargeError` for a larger one."""
    with reading(path) as stream:
        data = read_at_most(stream, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise TooLargeError(
            f"longer than {MOST_BYTES >> 20} MiB; a nanopublication may have at most a million "
            "characters",
            file=path,
        )
    return data


def format_of(path: Path) -> str:
    """The suffix that tells the format of a file."""
    suffix = Path(plain_suffix(path)[0]).suffix.lower()
    if suffix not in SUFFIXES:
        raise HeaderError(
            f"unknown suffix {suffix!r}" if suffix else "the file has no suffix",
            file=path,
            hint=f"use the suffix {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}",
        )
    return suffix


def parse_statements(data: bytes, suffix: str, name: str) -> list[Statement]:
    """The statements of a text in the format that a suffix tells; ``name`` is for errors."""
    data = data.removeprefix(BOM)
    if suffix in _TRIX:
        return _parse_trix(data, name)
    try:
        return list(_statements(Document(data, _FORMATS[suffix])))
    except (SyntaxError, ValueError, RecursionError) as error:
        line = getattr(error, "line", None) or getattr(error, "lineno", None)
        raise HeaderError(f"not valid RDF: {_words(error)}", file=name, line=line) from None


# What pyoxigraph says where a context of JSON-LD is an address.
_FETCH: Final = "LoadDocumentCallback"


def _words(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    if _FETCH in text:
        return (
            "it refers to a remote context, which is not fetched; write the context into the file"
        )
    return text.rstrip(".")


def _statements(quads: Iterable[Any]) -> Iterator[Statement]:
    import pyoxigraph

    # Most nodes are IRIs, and there are three in each of a few hundred statements.
    iri, literal = pyoxigraph.NamedNode, pyoxigraph.Literal
    for quad in quads:
        graph, subject, value = quad.graph_name, quad.subject, quad.object
        if type(value) is literal:
            found = Object(value.value, value.datatype.value, value.language)
        else:
            found = Object(value.value if type(value) is iri else _name(value))
        yield Statement(
            graph.value if type(graph) is iri else _name(graph),
            subject.value if type(subject) is iri else _name(subject),
            quad.predicate.value,
            found,
        )


def _name(node: Any) -> str:
    """The name of a node."""
    import pyoxigraph

    if isinstance(node, pyoxigraph.DefaultGraph):
        return ""
    return _BLANK + node.value if isinstance(node, pyoxigraph.BlankNode) else str(node.value)


def is_blank(name: str) -> bool:
    """Whether a name is that of a blank node."""
    return name.startswith(_BLANK)


# Writing ----------------------------------------------------------------------------------

_ESCAPES: Final = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
    | {chr(code): f"\\u{code:04X}" for code in (*range(8), 0x0B, *range(0x0E, 0x20), 0x7F)}
)


def literal_token(value: Object) -> str:
    """A literal as N-Quads write it, letter by letter."""
    text = f'"{value.value.translate(_ESCAPES)}"'
    if value.language:
        return f"{text}@{value.language}"
    return text if value.datatype == _STRING else f"{text}^^<{value.datatype}>"


def token(value: Object) -> str:
    """An object as N-Quads write it."""
    return node_token(value.value) if value.datatype is None else literal_token(value)


def node_token(name: str) -> str:
    """A node as N-Quads write it."""
    return name if is_blank(name) else f"<{name}>"


def as_nquads(statements: Iterable[Statement]) -> str:
    """Statements as N-Quads, sorted."""
    return "".join(
        sorted(
            f"{node_token(one.subject)} <{one.predicate}> {token(one.value)}"
            f"{' ' + node_token(one.graph) if one.graph else ''} .\n"
            for one in set(statements)
        )
    )


def as_triples(statements: Iterable[Statement]) -> str:
    """Statements as N-Triples, sorted, whatever graphs they are in."""
    return as_nquads(one._replace(graph="") for one in statements)


# TriX -------------------------------------------------------------------------------------

_SPACE: Final = "http://www.w3.org/2004/03/trix/trix-1/"
_XML_LANG: Final = "http://www.w3.org/XML/1998/namespace lang"
_TERMS: Final = frozenset({"uri", "id", "plainLiteral", "typedLiteral"})
_STRUCTURE: Final = {"TriX": "", "graph": "TriX", "triple": "graph"}
_TERMS_OF_A_TRIPLE: Final = 3


def _parse_trix(data: bytes, name: str) -> list[Statement]:
    """The statements of a TriX document; ``name`` is for errors."""
    reader = _TrixReader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise HeaderError(
            f"not valid TriX: {expat.ErrorString(error.code)}",
            file=name,
            line=error.lineno,
        ) from None
    except (_TrixError, UnicodeError) as error:
        raise HeaderError(
            f"not valid TriX: {error}", file=name, line=parser.CurrentLineNumber
        ) from None
    return reader.statements


class _TrixError(Exception):
    """Something that TriX does not have."""


def _refuse(*_: object) -> None:
    # Entities can make a file of any size from a few lines.
    raise _TrixError("document types (DOCTYPE) are not allowed")


class _TrixReader:
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
            raise _TrixError(f"unexpected element {local}")
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
            raise _TrixError(f"unexpected text: {text.strip()[:40]!r}")

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
            raise _TrixError("a graph must have exactly one name")
        self.graph = term.value

    def _term(self, kind: str, text: str) -> Object:
        if kind == "uri":
            return Object(_checked(text.strip()))
        if kind == "id":
            return Object(_BLANK + text.strip())
        if kind == "typedLiteral":
            return Object(text, _checked(self.attributes.get("datatype", "")))
        # Languages are in small letters, as the parser of the other formats has them.
        language = self.attributes.get(_XML_LANG, "").lower()
        return (
            Object(text, RDF + "langString", language) if language else Object(text, XSD + "string")
        )

    def _statement(self) -> Statement:
        if len(self.terms) != _TERMS_OF_A_TRIPLE:
            raise _TrixError("a triple must have three terms")
        subject, predicate, value = self.terms
        if subject.datatype or predicate.datatype or predicate.value.startswith(_BLANK):
            raise _TrixError("expected an IRI, found a literal or a blank node")
        return Statement(self.graph, subject.value, predicate.value, value)


def _checked(iri: str) -> str:
    if not is_iri(iri):
        raise _TrixError(f"{iri[:80]!r} is not an IRI")
    return iri
