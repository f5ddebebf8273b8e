"""What every engine of an archive can do: two of them, and one way to talk to both (D7).

A store holds named graphs, one for each run and one for each component. Patterns outside
``GRAPH`` see all of them where the store can be asked to, and everything that primad-ld asks
itself is inside: outside, some stores answer nothing and others twice.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from primad_ld.archive.query_results import Bindings, QueryResult
from primad_ld.archive.sparql import PreparedQuery, prepare, syntax_error
from primad_ld.core.errors import ArchiveError, QueryError
from primad_ld.core.library_arguments import Texts, optional, to_seconds
from primad_ld.core.triples import NamedGraph

_SHOWN: Final = 3
# No store holds more things than 18 digits count.
_COUNT: Final = re.compile(r"[0-9]{1,18}")

Found = TypeVar("Found")


class GraphsRefusedError(ArchiveError):
    """A store does not take some graphs as they are; all others are stored.

    ``refused`` says why, by the IRI of the graph.
    """

    def __init__(self, name: str, refused: Mapping[str, str]) -> None:
        self.name, self.refused = name, dict(refused)
        shown = "; ".join(f"{iri}: {why}" for iri, why in [*self.refused.items()][:_SHOWN])
        more = len(self.refused) - _SHOWN
        rest = f"; and {more} more" if more > 0 else ""
        number = "a graph" if len(self.refused) == 1 else f"{len(self.refused)} graphs"
        super().__init__(f"{name} refused {number}, the rest is stored: {shown}{rest}")

    def __reduce__(self) -> tuple[object, ...]:
        return GraphsRefusedError, (self.name, self.refused)


class CutOffError(ArchiveError):
    """Not all of an answer is here: a server gives so many rows at most, or we take no more."""


# A longer answer is not one that anyone wants to read, and would fill the memory.
MOST_BYTES: Final = 2**29
MOST_ROWS: Final = 2**20
MOST_CELLS: Final = 2**22
MOST_TRIPLES: Final = 2**22


def most_rows(columns: int) -> int:
    """How many rows of so many columns an answer may have."""
    return min(MOST_ROWS, MOST_CELLS // max(columns, 1))


def at_most(most: int, found: Iterable[Found], name: str, what: str = "rows") -> Iterator[Found]:
    """What a store answers, as it is read; `CutOffError` once that is more than it may be."""
    for number, item in enumerate(found):
        if number == most:
            raise too_much(name, f"{most:,} {what}")
        yield item


def too_much(name: str, most: str) -> CutOffError:
    """The error where a store answers with more than it may."""
    return CutOffError(
        f"{name} returned more than {most}; narrow the query down, for example with LIMIT"
    )


NOT_SELECT: Final = "not a SELECT query; use query() for other queries"


class Reader(ABC):
    """How queries reach a store: an engine answers what was prepared."""

    name: str

    @abstractmethod
    def _answer(self, query: PreparedQuery, timeout: float | None) -> QueryResult:
        """The answer of the store to a prepared query."""

    def query(self, text: str, *, timeout: float | None = None) -> QueryResult:
        """Answer a query that only reads."""
        timeout = optional(to_seconds)(timeout, "timeout")
        return self._asked(text, lambda query: self._answer(query, timeout))

    def _asked(self, text: str, answer: Callable[[PreparedQuery], Found]) -> Found:
        query = prepare(text)
        try:
            return answer(query)
        except QueryError as error:
            # Each store words this in its own way, and counts the prefixes that were put before it.
            wrong = syntax_error(text)
            if wrong is None:
                raise
            raise wrong from error

    def select(self, text: str, *, timeout: float | None = None) -> Bindings:
        """Answer a SELECT query."""
        answer = self.query(text, timeout=timeout)
        if not isinstance(answer, Bindings):
            raise QueryError(NOT_SELECT)
        return answer

    def column(self, text: str, *, timeout: float | None = None) -> list[str]:
        """The values of the first variable of a SELECT query, where it is bound."""
        return [row[0].value for row in self.select(text, timeout=timeout).rows if row[0]]

    def count(self, text: str) -> int:
        """The number that a SELECT query counts: one row, however little there is."""
        numbers = self.column(text)
        if len(numbers) != 1 or not _COUNT.fullmatch(numbers[0]):
            answered = ", ".join(repr(number[:40]) for number in numbers[:_SHOWN]) or "nothing"
            raise ArchiveError(f"{self.name} sent {answered} instead of a count")
        return int(numbers[0])


class Engine(Protocol):
    """A store of named graphs that answers SPARQL 1.1."""

    #: What error messages call it: a folder or an address.
    name: str

    def query(self, text: str, *, timeout: float | None = None) -> QueryResult:
        """Answer a query that only reads, as ``primad-ld query`` does.

        Our prefixes need no declaration, and patterns outside GRAPH see all graphs unless FROM
        names some. Raises `QueryTimeoutError` when ``timeout`` seconds have passed.
        """

    def select(self, text: str, *, timeout: float | None = None) -> Bindings:
        """Answer a SELECT query."""

    def column(self, text: str, *, timeout: float | None = None) -> list[str]:
        """The values of the first variable of a SELECT query, where it is bound."""

    def count(self, text: str) -> int:
        """The number that a SELECT query counts: one row, however little there is."""

    def add(self, graphs: Sequence[NamedGraph]) -> None:
        """Add graphs in their order; what is there stays.

        A graph appears whole or, if it is not finished, without the triples that say what
        its node is; adding it again completes it.
        """

    def replace(self, graph: NamedGraph) -> None:
        """Put a graph in the place of the one that has its name, in one step."""

    def remove(self, iris: Texts, *, unless_used: bool = False) -> None:
        """Remove the graphs of these names.

        ``unless_used``: not those that a run refers to at that moment, where others may be
        writing at the same time.
        """

    def existing(self, iris: Texts) -> set[str]:
        """Those of these names whose graphs are there."""

    def compact(self) -> None:
        """Put the files of the store in order, where that is ours to do."""

    def close(self) -> None:
        """Let go of the store."""
