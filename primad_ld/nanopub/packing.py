"""What is too long for one nanopublication, in several: registries take 1,200 triples each.

The first part holds the node that all is about and names the others by dct:hasPart; a part
holds whole graphs where they fit, else whole nodes. Read back, the parts are one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from primad_ld.errors import PrimadError
from primad_ld.nanopub.drafts import Draft, draft_uri
from primad_ld.nanopub.terms import MOST_CHARACTERS, MOST_TRIPLES

# The rest is for the head, the provenance, the publication info and the signature.
_TRIPLES: Final = MOST_TRIPLES - 100
_CHARACTERS: Final = MOST_CHARACTERS - 50_000
_LEAST: Final = 100
#: What the parts from the second on are found by.
PART_TYPE: Final = "https://w3id.org/primad-ld/ontology#Part"


def packed(draft: Draft, graphs: Iterable[str]) -> list[Draft]:
    """A draft as one or several; ``graphs`` are the pieces of its assertion, the most important first.

    Raises:
        PrimadError: A single statement is too long for any registry.
    """
    spare = len(draft.provenance) + len(draft.pubinfo) + len(draft.sources)
    spare += len(draft.introduces) + len(draft.describes) + len(draft.parts)
    boxes = list(_boxes(graphs, max(_TRIPLES - spare, _LEAST)))
    if len(boxes) == 1:
        return [replace(draft, triples=boxes[0])]
    numbers = range(2, len(boxes) + 1)
    first = replace(
        draft,
        triples=boxes[0],
        label=f"{draft.label} (part 1 of {len(boxes)})",
        parts=tuple(draft_uri(draft.kind, draft.about, number) for number in numbers),
    )
    rest = [_part(draft, number, len(boxes), boxes[number - 1]) for number in numbers]
    return [first, *rest]


def _part(draft: Draft, number: int, count: int, triples: str) -> Draft:
    return Draft(
        kind=draft.kind,
        about=draft.about,
        label=f"{draft.label} (part {number} of {count})",
        types=(PART_TYPE,),
        triples=triples,
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
        lines = graph.splitlines(keepends=True)
        for _, node in groupby(lines, key=lambda line: line.partition(" ")[0]):
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
