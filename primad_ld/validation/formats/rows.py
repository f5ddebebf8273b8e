"""JSON that is written item by item."""

from __future__ import annotations

import json
from typing import IO, Final

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


class Rows:
    """A JSON array with one item in each line, so that two of them can be compared by line."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._is_empty = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._is_empty

    def add(self, item: object) -> None:
        """Write one more item."""
        self._stream.write(f"{'[' if self._is_empty else ','}\n{as_line(item)}")
        self._is_empty = False

    def end(self) -> None:
        """Write the end of the array."""
        self._stream.write("[]" if self._is_empty else "\n]")


def as_line(value: object) -> str:
    """JSON in one line. What could steer a terminal is escaped, and half characters replaced."""
    text = _ENCODER.encode(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    # File names may hold bytes that are no UTF-8; Python shows them as halves of characters.
    return _REPLACEMENT if "\ud800" <= char <= "\udfff" else json.dumps(char)[1:-1]
