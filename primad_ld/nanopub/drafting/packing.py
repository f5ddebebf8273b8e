"""What is too long for one nanopublication, in several: registries take 1,200 triples each.

The first part says what is said of the thing itself and names the others by dct:hasPart; a part
holds whole graphs where they fit, else whole nodes. Read back, the parts are one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.drafting.facts import lines_of
from primad_ld.nanopub.drafts import Draft, draft_uri
from primad_ld.rdf.nanopub_terms import MOST_CHARACTERS, MOST_TRIPLES

# The rest is for the head, the publication info, the signature, and the names of other parts.
_TRIPLES: Final = MOST_TRIPLES - 100
_CHARACTERS: Final = MOST_CHARACTERS - 50_000
_MOST_PARTS: Final = 50
#: So many triples of each part are left for what it asserts, whatever it is derived from.
_LEAST: Final = 200
#: What the parts from the second on are found by.
PART_TYPE: Final = "https://w3id.org/primad-ld/ontology#NanopublicationPart"


def packed(draft: Draft, graphs: Iterable[str]) -> list[Draft]:
    """A draft as one or several; ``graphs`` are the pieces of its assertion, the most important first.

    Raises:
        PrimadError: It is too long for any number of nanopublications that somebody would read,
            or a single statement is too long for any.
    """
    boxes = list(_boxes(graphs, _room(draft)))
    if len(boxes) == 1:
        return [replace(draft, triples=boxes[0])]
    if len(boxes) > _MOST_PARTS:
        raise PrimadError(
            f"it would be {len(boxes):,} nanopublications, and more than {_MOST_PARTS} are too "
            "many; take out of its header what nobody needs, such as values measured over time"
        )
    numbers = range(2, len(boxes) + 1)
    first = replace(
        draft,
        triples=boxes[0],
        label=f"{draft.label} (part 1 of {len(boxes)})",
        parts=tuple(draft_uri(draft.kind, draft.about, number) for number in numbers),
    )
    return [first, *(_part(draft, number, boxes) for number in numbers)]


def _room(draft: Draft) -> int:
    """How many triples a part may assert."""
    said = (draft.provenance, draft.pubinfo, draft.sources, draft.introduces, draft.describes)
    room = _TRIPLES - sum(map(len, said))
    if room < _LEAST:
        raise PrimadError(
            f"it is derived from {len(draft.sources):,} other nanopublications, which leaves no room "
            "for what it says; make it of fewer runs"
        )
    return room


def _part(draft: Draft, number: int, boxes: list[str]) -> Draft:
    return Draft(
        kind=draft.kind,
        about=draft.about,
        label=f"{draft.label} (part {number} of {len(boxes)})",
        types=(PART_TYPE,),
        triples=boxes[number - 1],
        provenance=draft.provenance,
        describes=(draft.about,),
        part=number,
        word=draft.word,
    )


def _boxes(graphs: Iterable[str], most: int) -> Iterator[str]:
    """Pieces put together as long as they fit."""
    held: list[str] = []
    triples = characters = 0
    for piece in _pieces(graphs, most):
        count = piece.count("\n")
        if held and (triples + count > most or characters + len(piece) > _CHARACTERS):
            yield "".join(held)
            held, triples, characters = [], 0, 0
        held.append(piece)
        triples += count
        characters += len(piece)
    yield "".join(held)


def _pieces(graphs: Iterable[str], most: int) -> Iterator[str]:
    for graph in graphs:
        if _fits(graph, most):
            yield graph
            continue
        nodes = groupby(lines_of(graph), key=lambda line: line.partition(" ")[0])
        for _, node in nodes:
            yield from _cut(list(node), most)


def _cut(lines: list[str], most: int) -> Iterator[str]:
    """What is said of a node, in pieces that fit."""
    if _fits("".join(lines), most):
        yield "".join(lines)
    elif len(lines) == 1:
        predicate = lines[0].split(" ", 2)[1]
        raise PrimadError(
            f"what {predicate} says has {len(lines[0]):,} characters, and registries take "
            f"{MOST_CHARACTERS:,} for a whole nanopublication; take it out of the header"
        )
    else:
        middle = len(lines) // 2
        yield from _cut(lines[:middle], most)
        yield from _cut(lines[middle:], most)


def _fits(text: str, most: int) -> bool:
    return text.count("\n") <= most and len(text) <= _CHARACTERS
