"""Names as tables write them: blanks that cannot be seen, and names that look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_MOST_NOTES: Final = 5
_INVISIBLE: Final = dict.fromkeys((0x200B, 0x2060, 0xFEFF))


def tidy(text: str) -> str:
    """A name without blanks around it, and with one between its words, whatever blank it was."""
    return " ".join((text if text.isascii() else text.translate(_INVISIBLE)).split())


def look_alikes(named: Mapping[str, Iterable[str]]) -> list[str]:
    """Notes about names that differ in case or blanks only: most often they are one, mistyped.

    The keys are what they name, such as ``systems``.
    """
    notes = [
        f"{first} and {second} are two {what}; if they are one, write them alike"
        for what, names in named.items()
        for first, second in _pairs(names)
    ]
    more = len(notes) - _MOST_NOTES
    return [*notes[:_MOST_NOTES], *([f"{more} more names look alike"] if more > 0 else [])]


def _pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name with the first one like it."""
    first: dict[str, str] = {}
    for name in names:
        key = "".join(unicodedata.normalize("NFKC", name).casefold().split())
        if first.setdefault(key, name) != name:
            yield first[key], name
