"""Queries as users give them: by name, in a file, in standard input or as SPARQL, with values."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.query_catalogue import NamedQuery, named_queries, named_query, own_query
from primad_ld.archive.query_results import Bindings, QueryResult
from primad_ld.archive.sparql import pointed, syntax_error
from primad_ld.archive.tag_resolution import NamedRuns
from primad_ld.core.errors import ArchiveError, QueryError
from primad_ld.core.files import read_at_most, reading, resource
from primad_ld.core.iris import PRIMAD
from primad_ld.core.long_texts import closest
from primad_ld.core.triples import read_subjects
from primad_ld.tables.answers import Answer, Table, columns

_MOST_BYTES: Final = 4 * 2**20
# The words that a query begins with; one of another form has a brace.
_SPARQL: Final = re.compile(
    r"\s*(?:#|(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\s)", re.IGNORECASE
)
_TERM: Final = re.compile(r"(?<![\w:])primad:(\w+)")
_COMMENT: Final = re.compile(r"(?:#.*\n)*")
_DECLARATION: Final = re.compile(r"(?m)^#[ \t]*(?:param |wide:|example:).*\n")


def find_query(name: str) -> NamedQuery:
    """A named query, a file of SPARQL, standard input for ``-``, or a text of SPARQL."""
    if name == "-":
        return own_query(_decoded(sys.stdin.buffer.read(_MOST_BYTES + 1), name), "standard input")
    is_sparql = "{" in name or _SPARQL.match(name) is not None
    is_file = os.path.isfile(name) or (not is_sparql and name.endswith((".rq", ".sparql")))
    if is_file and name not in named_queries():
        with reading(Path(name)) as stream:
            return own_query(_decoded(read_at_most(stream, _MOST_BYTES), name), name)
    return own_query(name, "the query") if is_sparql else named_query(name)


def _decoded(data: bytes, name: str) -> str:
    if len(data) > _MOST_BYTES:
        raise ArchiveError(f"{name}: the query is longer than {_MOST_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArchiveError(f"{name}: not a UTF-8 text file (byte {error.start})") from None


def ask(
    engine: Engine, query: NamedQuery, values: Mapping[str, str], *, timeout: float | None = None
) -> QueryResult:
    """The answer to a query with the values of its parameters."""
    text = query.bind(values, NamedRuns(engine))
    try:
        result = engine.query(text, timeout=timeout)
    except QueryError as error:
        # Without the prefixes that were put before it, the place is that of the user's text.
        bare = query.text if text.endswith(query.text) else text
        wrong = syntax_error(bare, query.name) or error
        raise QueryError(
            wrong.why,
            name=wrong.name or query.name,
            line=wrong.line,
            column=wrong.column,
            below=pointed(bare, wrong),
        ) from error
    if not isinstance(result, Bindings):
        return result
    notes = () if result.rows else tuple(_unknown_terms(query.text))
    return replace(result, wide=query.wide, notes=notes)


def _unknown_terms(text: str) -> Iterator[str]:
    """Names that look like terms of the ontology and are none, for who wonders about no rows."""
    names = dict.fromkeys(_TERM.findall(text))
    known = read_subjects(resource("ontology/primad.ttl")) if names else {}
    terms = [iri.removeprefix(PRIMAD) for iri in known if iri.startswith(PRIMAD)]
    for name in names:
        if name not in terms:
            near = closest(name, terms)
            meant = f"; did you mean primad:{near[0]}?" if near else ""
            yield f"primad:{name} is not a term of the ontology{meant}"


# Queries as texts -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class QueryText(Answer):
    """A query with its values in place, for any endpoint."""

    name: str
    sparql: str

    default_form: ClassVar[str] = "rq"
    own_forms: ClassVar[Mapping[str, Callable[[Any], list[str]]]] = {
        "rq": lambda query: [query.sparql]
    }

    def table(self) -> Table:
        """One row."""
        return Table(
            name="queries",
            columns=columns(query="query", sparql="SPARQL"),
            rows=[{"query": self.name, "sparql": self.sparql}],
        )


def query_text(
    name: str, values: Mapping[str, str], archive: Callable[[], str | None] = lambda: None
) -> QueryText:
    """A query with its values in place; the archive is asked for only to find runs."""
    query = find_query(name)
    text = query.bind(values, _RunsWhenAsked(archive)).rstrip() + "\n"
    return QueryText(query.name, text if query.is_free else _with_values(text))


def _with_values(text: str) -> str:
    """Without its declarations, and without the blank lines of conditions nobody set."""
    comment = _COMMENT.match(text)
    assert comment is not None
    text = _DECLARATION.sub("", comment[0]) + text[comment.end() :]
    return re.sub(r"\n(?:[ \t]*\n){2,}", "\n", text)


class _RunsWhenAsked:
    """The runs of an archive that is opened when it is asked."""

    def __init__(self, archive: Callable[[], str | None]) -> None:
        self.archive = archive

    def named(self, name: str) -> str:
        with self._runs() as runs:
            return runs.named(name)

    def same_as(self, component: str, run: str) -> list[str]:
        with self._runs() as runs:
            return runs.same_as(component, run)

    @contextlib.contextmanager
    def _runs(self) -> Iterator[NamedRuns]:
        from primad_ld.archive.opening import open_checked

        with open_checked(self.archive()) as engine:
            yield NamedRuns(engine)
