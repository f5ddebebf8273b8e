"""A question of a user: a named query, a file of SPARQL or a text, and its answer as text."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from primad_ld.archive.answers import write_answer
from primad_ld.archive.catalogue import NamedQuery, named_queries, named_query, own_query
from primad_ld.archive.engine import Answer, Engine
from primad_ld.archive.resolution import NamedRuns
from primad_ld.archive.sparql import pointed, syntax_error
from primad_ld.core.errors import ArchiveError, QueryError
from primad_ld.core.files import read_at_most, reading

_MOST_BYTES: Final = 4 * 2**20


def listing() -> list[NamedQuery]:
    """The named queries in the order of their names."""
    return [query for _, query in sorted(named_queries().items())]


def find_query(name: str) -> NamedQuery:
    """A named query, a file of SPARQL, or standard input for ``-``."""
    if name == "-":
        return own_query(_decoded(sys.stdin.buffer.read(_MOST_BYTES + 1), name), "standard input")
    path = Path(name)
    if name not in named_queries() and (path.suffix in (".rq", ".sparql") or path.is_file()):
        with reading(path) as stream:
            return own_query(_decoded(read_at_most(stream, _MOST_BYTES), name), name)
    return named_query(name)


def ask(
    engine: Engine, query: NamedQuery, values: Mapping[str, str], *, timeout: float | None = None
) -> Answer:
    """The answer to a query with the values of its parameters."""
    text = query.bind(values, NamedRuns(engine))
    try:
        return engine.query(text, timeout=timeout)
    except QueryError as error:
        # Without the prefixes that were put before it, the place is that of the user's text.
        bare = query.text if text.endswith(query.text) else text
        found = syntax_error(bare, query.name) or error
        raise QueryError(
            found.why,
            name=found.name or query.name,
            line=found.line,
            column=found.column,
            below=pointed(bare, found),
        ) from error


def answer(
    engine: Engine,
    name: str,
    values: Mapping[str, str],
    *,
    format: str | None = None,
    timeout: float | None = None,
    for_terminal: bool = False,
) -> str:
    """The answer to a query as text; a table, or Turtle for a graph, unless told otherwise."""
    found = ask(engine, find_query(name), values, timeout=timeout)
    return write_answer(found, format, for_terminal=for_terminal)


def query_text(
    name: str,
    values: Mapping[str, str],
    archive: str | None = None,
    *,
    when_unused: Callable[[], None] | None = None,
) -> str:
    """A query with its values in place, for any endpoint; an archive is opened only to find runs.

    ``when_unused`` is called if it is not.
    """
    query, runs = find_query(name), _Opened(archive)
    text = query.bind(values, runs).rstrip() + "\n"
    if when_unused is not None and not runs.was_asked:
        when_unused()
    # Of conditions that nobody set, blank lines are left.
    return text if query.is_free else re.sub(r"\n(?:[ \t]*\n){2,}", "\n", text)


class _Opened:
    """The runs of an archive that is opened when it is asked."""

    def __init__(self, archive: str | None) -> None:
        self.archive, self.was_asked = archive, False

    def named(self, name: str) -> str:
        with self._runs() as runs:
            return runs.named(name)

    def same_as(self, component: str, run: str) -> list[str]:
        with self._runs() as runs:
            return runs.same_as(component, run)

    @contextlib.contextmanager
    def _runs(self) -> Iterator[NamedRuns]:
        from primad_ld.archive.opening import open_engine

        self.was_asked = True
        with open_engine(self.archive) as engine:
            yield NamedRuns(engine)


def _decoded(data: bytes, name: str) -> str:
    if len(data) > _MOST_BYTES:
        raise ArchiveError(f"{name}: a query of more than {_MOST_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArchiveError(f"{name}: not a text in UTF-8 (byte {error.start})") from None
