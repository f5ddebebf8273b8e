"""Whether anything that is shown holds a piece of a key."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator

#: So many characters of a key are no accident.
PIECE = 20
#: The beginning of a key says how long it is and of which kind, as its public half does.
COMMON = 80


def leaks(text: str, *secrets: bytes) -> list[str]:
    """Pieces of secrets in a text: as they are, as Python shows them, and decoded."""
    there = set(_pieces(text))
    return [
        piece
        for secret in secrets
        for spelling in _spellings(secret)
        for piece in _pieces(spelling[COMMON:])
        if piece in there
    ]


def _spellings(secret: bytes) -> Iterator[str]:
    yield secret.decode("latin-1")
    yield repr(secret)[2:-1]
    if secret.startswith(b"MI"):
        yield from _spellings(b64decode(secret[: len(secret) // 4 * 4]))


def _pieces(text: str) -> Iterator[str]:
    return (text[place : place + PIECE] for place in range(len(text) - PIECE + 1))
