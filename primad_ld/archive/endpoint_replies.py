"""What a SPARQL endpoint answered, read: which kind of failure, or which terms."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from primad_ld.archive.engine import (
    MOST_CELLS,
    MOST_ROWS,
    MOST_TRIPLES,
    at_most,
    most_rows,
    too_much,
)
from primad_ld.archive.query_results import Bindings, QueryResult, Triples, Truth
from primad_ld.core.errors import ArchiveError, QueryTimeoutError
from primad_ld.core.iris import RDF, XSD
from primad_ld.core.triples import Document, UnfitError
from primad_ld.rdf.subject_index import Object

if TYPE_CHECKING:
    from email.message import Message


_LANGUAGE: Final = RDF + "langString"
_STRING: Final = XSD + "string"
_BOOLEAN: Final = XSD + "boolean"
_PAGE: Final = re.compile(rb"\s*<(?:!doctype|html|head|body)\b", re.IGNORECASE)
_LONGEST: Final = 300
_SHOWN: Final = 100
_IRI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\x00-\x20<>\"{}|^`\\]*")
_TAG: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z0-9]+)*")
_READ: Final = 20_000


class ReplyKind(Enum):
    """What kind of an answer it is."""

    FINE = "fine"
    #: Who are you, or: you may not.
    LOGIN = "login"
    TIMEOUT = "timeout"
    #: A part of it may be taken.
    SIZE = "size"
    #: The request itself is wrong.
    REFUSED = "refused"
    #: The same request may work a moment later.
    PASSING = "passing"
    OTHER = "other"


#: Statuses, words of the answer, and what they mean; the first that fits.
_KINDS: Final = tuple(
    (frozenset(statuses), re.compile(words, re.IGNORECASE), kind)
    for statuses, words, kind in (
        ((401, 403, 407), "", ReplyKind.LOGIN),
        # Virtuoso without SPARQL_UPDATE
        ((400, 500), r"SR186|no permission", ReplyKind.LOGIN),
        # Virtuoso: a part of the answer, or "anytime"
        ((206,), "", ReplyKind.TIMEOUT),
        (range(200, 300), "S1TAT", ReplyKind.TIMEOUT),
        # Virtuoso, Oxigraph, Fuseki, RDF4J
        (
            (400, 408, 500, 503),
            r"S1T00|estimated execution time|been cancell?ed|timed out|took too long",
            ReplyKind.TIMEOUT,
        ),
        ((500,), r"Virtuoso 40001|deadlock", ReplyKind.PASSING),
        ((413,), "", ReplyKind.SIZE),
        ((400, 500), r"too large|too long|has exceeded|over the limit", ReplyKind.SIZE),
        ((500,), r"^Virtuoso [0-9A-Z]{5} Error", ReplyKind.REFUSED),
        ((400, 415, 422), "", ReplyKind.REFUSED),
        ((429, 500, 502, 503, 504), "", ReplyKind.PASSING),
        (range(200, 300), "", ReplyKind.FINE),
    )
)


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointReply:
    """An answer as it came."""

    status: int
    headers: Message
    body: bytes
    hide: Callable[[str], str]

    @property
    def kind(self) -> ReplyKind:
        """What kind of an answer it is, by its status and its words."""
        is_good = 200 <= self.status < 300
        said = self.headers.get("X-SQL-State", "") if is_good else self._start()
        fits = (
            kind
            for statuses, words, kind in _KINDS
            if self.status in statuses and words.search(said)
        )
        return next(fits, ReplyKind.OTHER)

    @property
    def words(self) -> str:
        """What the server says, in a line: no markup, no stack trace, no query repeated."""
        text = self.headers.get("X-SQL-Message") or ("" if self.status == 206 else self._start())
        if self.is_page or "xml" in self.media:
            text = re.sub(r"(?s)<(style|script)\b.*?(?:</\1>|\Z)|<[^<>]*>", " ", text)
            text = unescape(text)
        text = re.sub(r"(?m)^[^\S\n]*+at [\w.$]+\(.*\)?$", "", text)
        text = "".join(char if char.isprintable() else " " for char in text)
        text = self.hide(" ".join(text.split()))
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

    @property
    def is_page(self) -> bool:
        """Whether it is something for a browser."""
        return "html" in self.media or _PAGE.match(self.body) is not None

    @property
    def media(self) -> str:
        """What it says it is."""
        return self.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    @property
    def retry_after(self) -> float | None:
        """After how many seconds the server wants to be asked again."""
        text = self.headers.get("Retry-After", "")
        if text.isascii() and text.isdecimal():
            return float(text[:9])
        from datetime import UTC, datetime
        from email.utils import parsedate_to_datetime

        try:
            wanted = parsedate_to_datetime(text)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None  # with years, hours and zones of any size, it fails in all of these ways
        return (wanted.replace(tzinfo=wanted.tzinfo or UTC) - datetime.now(UTC)).total_seconds()

    def _start(self) -> str:
        text = self.body[:_READ].decode(errors="replace")
        # Virtuoso repeats the query, whose words are not the server's.
        return text.partition("\nSPARQL query:")[0]


# Terms ------------------------------------------------------------------------------------

ACCEPT: Final = {
    "SELECT": "application/sparql-results+json, application/json;q=0.5",
    "ASK": "application/sparql-results+json, application/json;q=0.5",
    "CONSTRUCT": "application/n-triples",
    "DESCRIBE": "application/n-triples",
}


def read_answer(reply: EndpointReply, form: str, name: str) -> QueryResult:
    """The answer to a query of this form; `ArchiveError` where it is none."""
    if not reply.body.strip() and form in ("SELECT", "ASK"):
        raise ArchiveError(f"{name} sent an empty answer; is it a SPARQL endpoint?")
    if reply.is_page:
        raise ArchiveError(
            f"{name} sent a web page ({reply.words[:80] or 'empty'}); is it the address of a "
            "SPARQL endpoint?"
        )
    if "Content-Encoding" in reply.headers and reply.headers["Content-Encoding"] != "identity":
        raise ArchiveError(f"{name} sent a compressed answer that was not requested")
    if form in ("CONSTRUCT", "DESCRIBE"):
        return Triples(tuple(_lines(reply, name)))
    _check_size(reply.body, name)
    try:
        text = reply.body.decode("utf-8-sig")
        found = json.loads(text, strict=False)
        if "\\ud" in text.lower():
            # Half a character, which nothing can write again.
            json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _broken_off(reply, name, error) from error
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{name} sent invalid JSON") from error
    try:
        return _truth(found) if form == "ASK" else _bindings(found, name)
    except _NoTermError as error:
        raise ArchiveError(f"{name} sent an invalid value: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise ArchiveError(
            f"{name} sent JSON that is not a result of {form}; is it a SPARQL endpoint?"
        ) from error


# Values are counted by the signs before them: an object is a row or a term.
_MOST_SIGNS: Final = {
    b"{": MOST_ROWS + MOST_CELLS,
    b"[": MOST_ROWS,
    b",": MOST_ROWS + 4 * MOST_CELLS,
}
# One without an end goes to the end of all, so that no other begins within it.
_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def _check_size(body: bytes, name: str) -> None:
    """Refuse JSON that has more values than an answer, before each becomes an object."""
    if any(body.count(sign) > most for sign, most in _MOST_SIGNS.items()):
        outside = _TEXT.sub(b"", body)
        if any(outside.count(sign) > most for sign, most in _MOST_SIGNS.items()):
            raise too_much(name, f"{MOST_ROWS:,} rows or {MOST_CELLS:,} terms")


def _broken_off(reply: EndpointReply, name: str, error: json.JSONDecodeError) -> ArchiveError:
    text = error.doc.strip()
    is_begun = text.startswith("{")
    if is_begun and (not text.endswith("}") or error.pos >= len(error.doc.rstrip())):
        # Oxigraph has promised success by the time it gives up.
        return _given_up(name)
    return ArchiveError(f"{name} sent an answer that is not JSON ({reply.words[:80]})")


def _given_up(name: str) -> QueryTimeoutError:
    return QueryTimeoutError(
        f"{name} stopped in the middle of its answer, perhaps at its time limit; narrow the "
        "query down, or raise the limit of the server"
    )


def _truth(found: Any) -> Truth:
    holds = found["boolean"]
    if not isinstance(holds, bool):
        raise TypeError
    return Truth(holds)


def _bindings(found: Any, name: str) -> Bindings:
    variables = tuple(found["head"]["vars"])
    if not all(isinstance(one, str) and _VARIABLE.fullmatch(one) for one in variables):
        raise TypeError
    bindings = found["results"]["bindings"]
    if not isinstance(bindings, list):
        raise TypeError
    some = at_most(most_rows(len(variables)), bindings, name)
    rows = [tuple([_term(binding.get(one)) for one in variables]) for binding in some]
    return Bindings(variables, rows)


#: Names of variables; Virtuoso invents some with a hyphen.
_VARIABLE: Final = re.compile(r"[\w\-.\u00b7\u0300-\u036f\u203f\u2040]+")


class _NoTermError(Exception):
    """A value in an answer is no RDF: what it is."""


def _term(said: Mapping[str, str] | None) -> Object | None:
    if said is None:
        return None
    kind, value = said["type"], said["value"]
    language, datatype = said.get("xml:lang"), said.get("datatype", _STRING)
    if not all(isinstance(text, str) for text in (value, language or "", datatype)):
        raise TypeError
    if kind == "uri":
        return Object(_iri(value))
    if kind == "bnode":
        # Virtuoso writes nodeID://b10001.
        return Object("_:" + re.sub(r"^nodeID://|[^\w.\-]", "", value))
    if kind not in ("literal", "typed-literal"):
        raise _NoTermError(f"a term of type {str(kind)[:_SHOWN]!r}")
    if language:
        if not _TAG.fullmatch(language):
            raise _NoTermError(f"{language[:_SHOWN]!r} is not a language tag")
        return Object(value, _LANGUAGE, language)
    datatype = _iri(datatype)
    if datatype == _BOOLEAN:
        # Virtuoso says 1 in JSON, though true in N-Triples.
        value = {"1": "true", "0": "false"}.get(value, value)
    return Object(value, datatype)


def _iri(text: str) -> str:
    """What SPARQL can write between angle brackets, so that it ends no other query of ours."""
    if not _IRI.fullmatch(text):
        raise _NoTermError(f"{text[:_SHOWN]!r} is not an IRI")
    return text


def _lines(reply: EndpointReply, name: str) -> Iterable[str]:
    """Lines of N-Triples as Oxigraph writes them, whoever wrote these."""
    if reply.media not in ("application/n-triples", "text/plain", "text/turtle", ""):
        raise ArchiveError(f"{name} sent {reply.media!r} instead of N-Triples")
    # N-Triples are Turtle; some servers know no smaller format.
    format = "TURTLE" if reply.media == "text/turtle" else "N_TRIPLES"
    try:
        triples = at_most(MOST_TRIPLES, Document(reply.body, format), name, "triples")
        return sorted({f"{triple} .\n" for triple in triples})
    except UnfitError as error:
        raise ArchiveError(f"{name} sent invalid RDF: {error}") from error
    except (SyntaxError, ValueError) as error:
        if not reply.body.rstrip().endswith(b"."):
            raise _given_up(name) from error
        raise ArchiveError(f"{name} sent invalid N-Triples") from error
