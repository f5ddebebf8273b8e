"""What every engine of an archive can do: two of them, and one way to talk to both (D7).

A store holds named graphs, one for each run and one for each component, and everything is
asked inside ``GRAPH``: outside, one engine answers nothing and another one twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from primad_ld.errors import ArchiveError
from primad_ld.graphs import NamedGraph
from primad_ld.index import Object


class CutOffError(ArchiveError):
    """A server gave a part of its answer only, since it gives so many rows at most."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a SELECT query answers: rows of terms, None where a variable is not bound."""

    variables: tuple[str, ...]
    rows: list[tuple[Object | None, ...]]


@dataclass(frozen=True, slots=True)
class Truth:
    """What an ASK query answers."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Triples:
    """What a CONSTRUCT or DESCRIBE query answers: lines of N-Triples, sorted, each once."""

    lines: tuple[str, ...]


Answer = Table | Truth | Triples


class Engine(Protocol):
    """A store of named graphs that answers SPARQL 1.1."""

    #: What error messages call it: a folder or an address.
    name: str

    def query(self, text: str, *, timeout: float | None = None, union: bool = False) -> Answer:
        """Answer a query that only reads.

        ``union``: patterns outside GRAPH see all graphs, where the engine can be told so.
        Raises `QueryTimeoutError` when ``timeout`` seconds have passed.
        """

    def select(self, text: str, *, timeout: float | None = None) -> Table:
        """Answer a SELECT query."""

    def column(self, text: str, *, timeout: float | None = None) -> list[str]:
        """The values of the one variable that a SELECT query asks for, where it is bound."""

    def add(self, graphs: Sequence[NamedGraph]) -> None:
        """Add graphs in their order; what is there stays.

        A graph appears whole or, if it is not finished, without the triples that say what
        its node is; adding it again completes it.
        """

    def replace(self, graph: NamedGraph) -> None:
        """Put a graph in the place of the one that has its name, in one step."""

    def remove(self, iris: Sequence[str], *, unless_used: bool = False) -> None:
        """Remove the graphs of these names.

        ``unless_used``: not those that a run refers to at that moment, where others may be
        writing at the same time.
        """

    def existing(self, iris: Iterable[str]) -> set[str]:
        """Those of these names whose graphs are there."""

    def compact(self) -> None:
        """Put the files of the store in order, where that is ours to do."""

    def close(self) -> None:
        """Let go of the store."""
