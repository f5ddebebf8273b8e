"""Indexes of nanopublications: what one lists, and how a long list becomes several of them.

An index has 1,000 elements at most, since other tools refuse larger ones; what is more goes
into sub-indexes, never into a chain of indexes that append each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.iris import DCT, RDF_TYPE, RDFS
from primad_ld.nanopub.drafts import Draft, Triple, draft_uri, text
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.rdf.index import Object
from primad_ld.rdf.nanopub_terms import (
    APPENDS_INDEX,
    DCE,
    INCLUDES_ELEMENT,
    INCLUDES_SUBINDEX,
    INCOMPLETE_INDEX,
    INDEX,
    INDEX_ASSERTION,
    MOST_CHARACTERS,
    MOST_ELEMENTS,
)
from primad_ld.rdf.statements import is_blank, read_statements

# What an index says beside its list takes less than the rest of a nanopublication.
_MOST_LIST: Final = MOST_CHARACTERS * 8 // 10
#: Brackets, a comma and a blank.
_AROUND: Final = 4


# What an index lists -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Index:
    """What an index lists, each in order."""

    uri: str
    elements: tuple[str, ...]
    subindexes: tuple[str, ...] = ()
    #: Another index, all of which belongs to this one, too.
    appended: str = ""
    #: Whether it is a part of another one, and means nothing by itself.
    is_incomplete: bool = False
    label: str = ""
    description: str = ""


def is_index(nanopub: Nanopub) -> bool:
    """Whether a nanopublication says that it is an index."""
    return INDEX in nanopub.values(nanopub.uri, RDF_TYPE)


def read_index(path: Path) -> Index:
    """The index in a file.

    Raises:
        HeaderError: The file holds none, or none that other tools would take for one.
    """
    try:
        return index_of(nanopub_of(read_statements(path)))
    except MalformedError as error:
        raise HeaderError(str(error), file=path) from None


def index_of(nanopub: Nanopub) -> Index:
    """The index that a nanopublication is, by the rules of the reference implementation.

    Raises:
        MalformedError: It is none.
    """
    if not is_index(nanopub):
        raise MalformedError("no index: its publication info does not call it one")
    elements, subindexes, appended = (
        _listed(nanopub, one) for one in (INCLUDES_ELEMENT, INCLUDES_SUBINDEX, APPENDS_INDEX)
    )
    if len(appended) > 1:
        raise MalformedError(f"an index that appends {len(appended)} others, and may append one")
    if len(elements) + len(subindexes) > MOST_ELEMENTS:
        raise MalformedError(
            f"an index of {len(elements) + len(subindexes):,} elements and sub-indexes, "
            f"and it may have {MOST_ELEMENTS:,}"
        )
    return Index(
        uri=nanopub.uri,
        elements=elements,
        subindexes=subindexes,
        appended="".join(appended),
        is_incomplete=INCOMPLETE_INDEX in nanopub.values(nanopub.uri, RDF_TYPE),
        label=_said(nanopub, RDFS + "label", DCE + "title", DCT + "title"),
        description=_said(nanopub, DCT + "description", DCE + "description"),
    )


def _listed(nanopub: Nanopub, predicate: str) -> tuple[str, ...]:
    found = {
        one.value
        for one in nanopub.graph(nanopub.assertion)
        if one.subject == nanopub.uri and one.predicate == predicate
    }
    if any(one.datatype is not None or is_blank(one.value) for one in found):
        raise MalformedError("an index that lists something without an IRI")
    return tuple(sorted(one.value for one in found))


def _said(nanopub: Nanopub, *predicates: str) -> str:
    """The first of several texts that may be there."""
    found = (sorted(nanopub.values(nanopub.uri, one)) for one in predicates)
    return next((texts[0] for texts in found if texts), "")


# How a long list becomes several indexes ---------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedIndex:
    """An index that is to be written: what it lists, in order."""

    label: str
    elements: tuple[str, ...] = ()
    subindexes: tuple[str, ...] = ()
    description: str = ""
    #: Whether it is a part of another one, and means nothing by itself.
    is_incomplete: bool = False

    @property
    def kind(self) -> str:
        """How its draft's name begins."""
        return "subindex" if self.is_incomplete else "index"

    @property
    def digest(self) -> str:
        """A digest of what it lists: the same list has the same name."""
        lines = "".join(f"{predicate} {one}\n" for predicate, one in self._members())
        return hashlib.sha256(lines.encode()).hexdigest()

    @property
    def uri(self) -> str:
        """Its URI until it is signed."""
        return draft_uri(self.kind, self.digest)

    @property
    def draft(self) -> Draft:
        """The draft of it."""
        uri = self.uri
        return Draft(
            kind=self.kind,
            about=self.digest,
            label=self.label,
            types=(INDEX,),
            triples="".join(
                f"<{uri}> <{predicate}> <{one}> .\n" for predicate, one in self._members()
            ),
            provenance=(("sub:assertion", RDF_TYPE, Object(INDEX_ASSERTION)),),
            pubinfo=tuple(self._info()),
        )

    def _members(self) -> Iterator[tuple[str, str]]:
        yield from ((INCLUDES_ELEMENT, one) for one in self.elements)
        yield from ((INCLUDES_SUBINDEX, one) for one in self.subindexes)

    def _info(self) -> Iterator[Triple]:
        yield "this:", RDF_TYPE, Object(INDEX)
        if self.is_incomplete:
            yield "this:", RDF_TYPE, Object(INCOMPLETE_INDEX)
        # The reference implementation looks for an index's name and description here only.
        yield "this:", DCE + "title", text(self.label)
        if self.description:
            for space in (DCE, DCT):
                yield "this:", space + "description", text(self.description)


def plan_indexes(
    elements: Iterable[str],
    subindexes: Iterable[str] = (),
    *,
    title: str = "",
    description: str = "",
) -> list[PlannedIndex]:
    """The indexes that list some nanopublications: those that others include first, the whole last.

    ``subindexes`` are indexes that are there already, and become parts of the whole.
    """
    members, named = sorted(set(elements)), sorted(set(subindexes))
    if not members and not named:
        raise PrimadError("there is nothing to index")
    label = title or _label(len(members), len(named))
    if _fits([*members, *named]):
        parts, whole = [], members
    else:
        parts, whole = _parts(members, label), []
    level = [*(one.uri for one in parts), *named]
    while not _fits([*whole, *level]):
        groups = _groups(level, label)
        parts += groups
        level = [one.uri for one in groups]
    top = PlannedIndex(
        label=label, elements=tuple(whole), subindexes=tuple(level), description=description
    )
    return [*parts, top]


def _label(elements: int, subindexes: int) -> str:
    said = [
        f"{count:,} {word if count == 1 else words}"
        for count, word, words in (
            (elements, "nanopublication", "nanopublications"),
            (subindexes, "index", "indexes"),
        )
        if count
    ]
    return f"Index of {' and '.join(said)}"


def _parts(members: Sequence[str], label: str) -> list[PlannedIndex]:
    """Sub-indexes of elements."""
    pieces = _pieces(members)
    return [
        PlannedIndex(
            label=f"{label}, part {number:,} of {len(pieces):,}", elements=piece, is_incomplete=True
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _groups(level: Sequence[str], label: str) -> list[PlannedIndex]:
    """Sub-indexes of sub-indexes, where there are too many for one index."""
    pieces = _pieces(level)
    return [
        PlannedIndex(
            label=f"{label}, group {number:,} of {len(pieces):,}",
            subindexes=piece,
            is_incomplete=True,
        )
        for number, piece in enumerate(pieces, 1)
    ]


def _fits(members: Sequence[str]) -> bool:
    return len(members) <= MOST_ELEMENTS and _characters(members) <= _MOST_LIST


def _characters(members: Iterable[str]) -> int:
    return sum(len(one) + _AROUND for one in members)


def _pieces(members: Iterable[str]) -> list[tuple[str, ...]]:
    """Members cut into lists that fit into an index each."""
    pieces: list[tuple[str, ...]] = []
    piece: list[str] = []
    characters = 0
    for one in members:
        size = len(one) + _AROUND
        if piece and (len(piece) == MOST_ELEMENTS or characters + size > _MOST_LIST):
            pieces.append(tuple(piece))
            piece, characters = [], 0
        piece.append(one)
        characters += size
    return [*pieces, tuple(piece)] if piece else pieces
