"""Graphs as updates: as many to a request as a server takes, and each graph's own node last.

A graph that is larger than a request arrives in pieces. What says that its node is a run comes
with the last one, so nobody takes half a run for one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from primad_ld.archive.endpoint import Server
from primad_ld.core.iris import RDF_TYPE, XSD, is_iri
from primad_ld.core.triples import NamedGraph

# What is pasted between braces must not be able to close them.
_IRI = r'<[^\x00-\x20<>"{}|^`\\]+>'
_TRIPLE = re.compile(
    rf"({_IRI}) {_IRI} (?:{_IRI}|"
    r'"(?:[^"\\\r\n]|\\[tbnrf"\'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*"'
    rf"(?:\^\^{_IRI}|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?) \."
)
# SPARQL 1.1 resolves these before it looks for the end of a text (19.2), N-Triples after.
_CODEPOINT = re.compile(r"\\(?:u00(22|5[Cc]|0[AaDd])|U000000(22|5[Cc]|0[AaDd])|.)")
_AS_ESCAPE: Final = {"22": '\\"', "5C": "\\\\", "0A": "\\n", "0D": "\\r"}
_PLAIN: Final = f'"^^<{XSD}string> .'


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Why an update was not taken; a part of it may be, if it was too large."""

    why: str
    is_size: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A graph or a part of it, as triples that may stand in an update."""

    iri: str
    triples: tuple[str, ...]

    @property
    def block(self) -> str:
        """What stands for it in INSERT DATA."""
        return f"GRAPH <{self.iri}> {{\n" + "\n".join(self.triples) + "\n}\n"

    @property
    def objects(self) -> set[str]:
        """The IRIs that it refers to, and datatypes."""
        return {line[line.rfind("<") + 1 : -3] for line in self.triples if line.endswith("> .")}

    @property
    def characters(self) -> int:
        """About how long it is."""
        return sum(map(len, self.triples))


class UnfitGraphError(Exception):
    """Why a graph cannot be sent."""


def whole(graph: NamedGraph, server: Server) -> Piece:
    """A graph, with the triples of its own node behind the others and its types last."""
    if not is_iri(graph.iri):
        raise UnfitGraphError("its name is not an IRI")
    own, types = f"<{graph.iri}> ", f"<{graph.iri}> <{RDF_TYPE}> "
    # Not splitlines: a text may hold breaks of other scripts as they are.
    lines = [_checked(line, server) for line in graph.triples.split("\n") if line]
    lines.sort(key=lambda line: line.startswith(own) + line.startswith(types))
    return Piece(iri=graph.iri, triples=tuple(lines))


def _checked(line: str, server: Server) -> str:
    if _TRIPLE.fullmatch(line) is None:
        if line.startswith("_:") or " _:" in line.partition('"')[0]:
            raise UnfitGraphError("it has blank nodes, which a retry would store twice")
        raise UnfitGraphError(f"not a triple: {line:.80}")
    for pattern, why in server.unfit:
        if pattern.match(line):
            raise UnfitGraphError(why)
    if "\\u" in line or "\\U" in line:
        line = _CODEPOINT.sub(_resolved, line)
    # Virtuoso takes a text with this type for another than one without.
    return line[: -len(_PLAIN)] + '" .' if line.endswith(_PLAIN) else line


def _resolved(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return _AS_ESCAPE[code.upper()] if code else match[0]


def pieces(graph: Piece, triples: int, characters: int) -> Iterator[Piece]:
    """A graph in pieces of at most so many triples and about so many characters."""
    taken: list[str] = []
    length = 0
    for line in graph.triples:
        if taken and (len(taken) == triples or length + len(line) > characters):
            yield Piece(iri=graph.iri, triples=tuple(taken))
            taken, length = [], 0
        taken.append(line)
        length += len(line)
    if taken:
        yield Piece(iri=graph.iri, triples=tuple(taken))


def insertion(batch: Iterable[Piece]) -> str:
    """An update that adds pieces."""
    return "INSERT DATA {\n" + "".join(piece.block for piece in batch) + "}"


@dataclass(slots=True)
class GraphWriter:
    """Sends graphs in their order, and finds out which of them a server does not take."""

    server: Server
    #: Sends an update; why it was not taken, if it was not.
    send: Callable[[str], Refusal | None]
    refused: dict[str, str] = field(default_factory=dict, init=False)
    _triples: int = field(init=False)
    _characters: int = field(init=False)

    def __post_init__(self) -> None:
        self._triples, self._characters = self.server.triples, self.server.characters

    def write(self, graphs: Iterable[NamedGraph]) -> None:
        """Send graphs; those that are not taken are in ``refused``."""
        self._send(self._pieces(graphs))

    def _send(self, these: Iterable[Piece]) -> None:
        batch: list[Piece] = []
        triples = characters = 0
        for piece in these:
            more = piece.characters
            if batch and (
                triples + len(piece.triples) > self._triples or characters + more > self._characters
            ):
                self._store(batch)
                batch, triples, characters = [], 0, 0
            batch.append(piece)
            triples += len(piece.triples)
            characters += more
        self._store(batch)

    def _pieces(self, graphs: Iterable[NamedGraph]) -> Iterator[Piece]:
        for graph in graphs:
            try:
                yield from pieces(whole(graph, self.server), self._triples, self._characters)
            except UnfitGraphError as error:
                self.refused[graph.iri] = str(error)

    def _store(self, batch: Sequence[Piece]) -> None:
        batch = [piece for piece in batch if self._may_come(piece)]
        refusal = self.send(insertion(batch)) if batch else None
        if refusal is None:
            return
        triples = sum(len(piece.triples) for piece in batch)
        if refusal.is_size and triples > 1:
            # And no more of this size.
            self._triples = max(1, min(self._triples, triples // 2))
            limits = self._triples, self._characters
            self._send([part for piece in batch for part in pieces(piece, *limits)])
        elif len(batch) > 1:
            middle = len(batch) // 2
            self._store(batch[:middle])
            self._store(batch[middle:])
        else:
            self.refused[batch[0].iri] = refusal.why

    def _may_come(self, piece: Piece) -> bool:
        """Not the rest of a graph that is not taken, and not what relies on one."""
        if piece.iri in self.refused:
            return False
        missing = self.refused.keys() & piece.objects if self.refused else ()
        if missing:
            self.refused[piece.iri] = f"it refers to {min(missing)}, which was refused"
        return not missing
