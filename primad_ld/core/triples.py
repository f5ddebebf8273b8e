"""RDF as it is parsed and as it is kept: documents, shapes as dictionaries, named graphs as text.

`Document` gives the statements of RDF 1.1 and refuses the rest, `read_subjects` the triples of
Turtle files, `NamedGraph` is what lifting makes and the writers take.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, cast

from primad_ld.core.errors import SchemaError
from primad_ld.core.files import open_file, read_at_most
from primad_ld.core.iris import RDF
from primad_ld.core.one_line import OneLine

#: By subject and predicate, the objects as texts, in the order of the file.
Subjects = dict[str, dict[str, list[str]]]


class UnfitError(ValueError):
    """A document says what RDF 1.1 cannot say, or would crash its parser."""

    def __init__(self, why: str, line: int | None = None) -> None:
        self.why, self.line = why, line
        super().__init__(why)


# Parsing ----------------------------------------------------------------------------------

_TRIPLE: Final = "triple terms (<<( … )>>) are not part of RDF 1.1"
# What the parser says where it has not found an end in 16 MiB.
_FULL: Final = "buffer maximal size"
_DIRECTION: Final = "text directions are not part of RDF 1.1"
# The parser calls itself for each level, and the process ends at some thousand of them.
_MOST_LEVELS: Final = 1000
_TOO_DEEP: Final = f"nested more than {_MOST_LEVELS} levels deep"
_PIECE: Final = 1 << 16
_LANGUAGE: Final = RDF + "langString"


class Document:
    """The statements of a document as pyoxigraph gives them; `UnfitError` for RDF 1.2.

    ``format`` is the name of a format in `pyoxigraph.RdfFormat`. What reads RDF 1.1 would lose
    a triple that is a term, or take it for a statement that somebody makes.
    """

    def __init__(self, source: bytes | BinaryIO, format: str) -> None:
        self.source, self.format = source, format
        #: Known once the statements were read.
        self.prefixes: dict[str, str] = {}

    def __iter__(self) -> Iterator[Any]:
        import pyoxigraph

        source = self.source
        stream = _Guarded(io.BytesIO(source) if isinstance(source, bytes) else source, self.format)
        triple, literal = pyoxigraph.Triple, pyoxigraph.Literal
        try:
            format = getattr(pyoxigraph.RdfFormat, self.format)
            found = pyoxigraph.parse(cast(IO[bytes], stream), format=format)
            for quad in found:
                value = quad.object
                if type(value) is literal:
                    if value.language and value.datatype.value != _LANGUAGE:
                        raise UnfitError(_DIRECTION)
                elif type(value) is triple:
                    raise UnfitError(_TRIPLE)
                yield quad
            self.prefixes = dict(found.prefixes)
        except MemoryError as error:
            if _FULL not in str(error):
                raise
            raise ValueError("a term or a comment is longer than 16 MiB") from None
        except UnfitError as error:
            if isinstance(source, bytes):
                error.line = error.line or line_of_unfit(source)
            raise


# Texts, IRIs and comments are passed over; what is found is the one group.
_UNFIT: Final = re.compile(
    rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*+(?:\'\'\')?'
    rb'|("@direction")|"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.)*+\'?|<[^<>\s]*>|(?:^|\s)#[^\n]*'
    rb"|(<<|\{\||@[A-Za-z0-9\-]*--(?:ltr|rtl))",
    re.DOTALL | re.MULTILINE,
)
_MAYBE_UNFIT: Final = re.compile(rb'<<|"@[A-Za-z0-9\-]*--')


def may_be_unfit(lines: bytes) -> bool:
    """Whether lines of N-Quads may say what RDF 1.1 cannot say."""
    return _MAYBE_UNFIT.search(lines) is not None


def line_of_unfit(data: bytes) -> int | None:
    """The line of a document where it first says what RDF 1.1 cannot say."""
    for match in _UNFIT.finditer(data):
        if match.lastindex:
            return data.count(b"\n", 0, match.start(match.lastindex)) + 1
    return None


class _Guarded:
    """A stream that ends where things are nested so deeply that the parser would crash."""

    def __init__(self, stream: BinaryIO, format: str) -> None:
        self.stream = stream
        self.levels = self._json if format == "JSON_LD" else self._triples
        self.level, self.is_in_text, self.rest = 0, False, b""
        self.piece, self.at = b"", 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes; the parser asks for a few at a time, and they are looked at in pieces."""
        if self.at >= len(self.piece):
            self.piece, self.at = self.stream.read(_PIECE), 0
            if self.levels(self.piece) > _MOST_LEVELS:
                raise UnfitError(_TOO_DEEP)
        begin, self.at = self.at, len(self.piece) if size < 0 else self.at + size
        return self.piece[begin : self.at]

    def _triples(self, data: bytes) -> int:
        data = self.rest + data
        self.rest = data[-2:]
        if b"<<(" in data:
            self.level += data.count(b"<<(") - data.count(b")>>")
        return self.level

    def _json(self, data: bytes) -> int:
        """How deep the brackets outside of texts go; a text may go on in the next piece."""
        data = (self.rest + data).replace(rb"\\", b"").replace(rb"\"", b"")
        self.rest = data[-1:] if data.endswith(b"\\") else b""
        parts = data.split(b'"')
        outside = b"".join(parts[self.is_in_text :: 2])
        self.is_in_text ^= len(parts) % 2 == 0
        signs = map(_LEVELS.__getitem__, outside.translate(None, _NO_BRACKETS))
        levels = list(accumulate(signs, initial=self.level))
        self.level = levels[-1]
        return max(levels)


_LEVELS: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}
_NO_BRACKETS: Final = bytes(set(range(256)) - _LEVELS.keys())


# Reading ----------------------------------------------------------------------------------

# Those that ship with primad-ld have less than 200 kB.
_MOST_BYTES: Final = 2**20


def read_subjects(*files: Path) -> Subjects:
    """The triples of some Turtle files by subject; blank nodes begin with ``_:``.

    pyoxigraph reads the shapes in a few milliseconds; rdflib alone takes longer to import.
    """
    subjects: Subjects = {}
    for number, file in enumerate(files):
        with turtle_errors(file):
            for triple in Document(turtle_bytes(file), "TURTLE"):
                values = subjects.setdefault(_text(triple.subject, number), {})
                values.setdefault(triple.predicate.value, []).append(_text(triple.object, number))
    return subjects


def turtle_bytes(file: Path) -> bytes:
    """A file of shapes or terms; ValueError where it is longer than any of them."""
    with open_file(file) as stream:
        data = read_at_most(stream, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise ValueError(
            f"the file is longer than {_MOST_BYTES >> 20} MiB; split it into several files"
        )
    return data


@contextlib.contextmanager
def turtle_errors(file: Path) -> Iterator[None]:
    """What is wrong with a file of shapes, as `SchemaError`."""
    try:
        yield
    except (SyntaxError, ValueError, OSError) as error:
        line = getattr(error, "line", None)
        place = f"{file}:{line}" if line else f"{file}"
        raise SchemaError(f"{place}: cannot be read as Turtle: {error}") from error


def _text(term: object, number: int) -> str:
    import pyoxigraph

    if isinstance(term, pyoxigraph.BlankNode):
        return f"_:{number}-{term.value}"  # the same label in two files is not the same node
    return str(term.value)  # type: ignore[attr-defined]


# Named graphs -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class NamedGraph(OneLine):
    """One named graph: its IRI and its triples as lines of N-Triples."""

    iri: str
    triples: str

    @property
    def token(self) -> str:
        """The graph's name as N-Quads write it; what others made may be a blank node."""
        return self.iri if self.iri.startswith("_:") else f"<{self.iri}>"

    def nquads(self) -> str:
        """The graph as N-Quads. A line break in a literal is escaped, so lines are triples."""
        return self.triples.replace(" .\n", f" {self.token} .\n")
