"""One line for objects that hold thousands of values, at a prompt and in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from dataclasses import fields
from pathlib import PurePath
from typing import Any, Final

_LONGEST: Final = 100
_LONGEST_TEXT: Final = 40


class OneLine:
    """A dataclass that prints its short fields as they are, and the others by their number.

    The decorator needs ``repr=False``.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        line = ", ".join(filter(None, _parts(self)))
        short = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}\N{HORIZONTAL ELLIPSIS}"
        return f"<{type(self).__name__}: {short}>"


def _parts(thing: Any) -> Iterator[str]:
    for field in fields(thing):
        value = getattr(thing, field.name)
        if value is None or value == field.default or not field.repr:
            continue
        if isinstance(value, bool | int | float):
            yield f"{field.name}={value}"
        elif isinstance(value, Sized) and not isinstance(value, str):
            yield f"{len(value):,} {field.name}" if len(value) else ""
        elif isinstance(value, str | PurePath) or "__str__" in vars(type(value)):
            text = str(value)
            # IRIs and paths differ at their ends.
            is_long = len(text) > _LONGEST_TEXT
            yield f"\N{HORIZONTAL ELLIPSIS}{text[-_LONGEST_TEXT:]}" if is_long else text
        else:
            yield str(getattr(value, "name", ""))
