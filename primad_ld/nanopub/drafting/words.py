"""Texts that people type for a nanopublication: titles, descriptions, reasons."""

from __future__ import annotations

from typing import Final
from unicodedata import category

from primad_ld.core.errors import PrimadError

_LONGEST: Final = 10_000
#: Control characters, and halves of letters, which no encoding has.
_REFUSED: Final = ("Cc", "Cs")


def one_line(given: str, name: str) -> str:
    """A text without line breaks; ``name`` is what it is called where it cannot be used."""
    found = " ".join(given.split())
    if any(category(char) in _REFUSED for char in found):
        raise PrimadError(f"the {name} holds control characters or bytes that are no text")
    if len(found) > _LONGEST:
        raise PrimadError(
            f"the {name} has {len(found):,} characters, and {_LONGEST:,} is the most here"
        )
    return found
