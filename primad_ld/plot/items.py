"""What files for figures have in common: JSON that is checked as far as figures need it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, Self

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import reading

SHOWN: Final = 60
# No measure comes near it, and axes cannot be drawn much beyond.
LARGEST: Final = 1e100


def text_of(path: Path, hint: str) -> tuple[str, str]:
    """What to call a file, or standard input where the path is ``-``; and the text in it."""
    name = "standard input" if str(path) == "-" else str(path)
    try:
        text = _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise HeaderError("this is not text in UTF-8", file=name, line=line, hint=hint) from None
    if not text.strip():
        raise HeaderError("there is nothing in it", file=name, hint=hint)
    return name, text


def _bytes(path: Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    with reading(path) as stream:
        return stream.read()


def json_list(text: str, name: str, hint: str, what: str) -> list[object]:
    """The list that a text is in JSON; ``what`` it should be a list of."""
    try:
        loaded = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise HeaderError(
            f"this is not JSON: {error.msg.lower()}", file=name, line=error.lineno, hint=hint
        ) from None
    except RecursionError:
        raise HeaderError("it is nested too deeply", file=name, hint=hint) from None
    except ValueError as error:  # a constant that is no number, or one of thousands of digits
        line = _line_of(str(error).split()[0], text)
        told = "undefined values are null and have a reason"
        raise HeaderError(str(error), file=name, line=line, hint=told) from None
    if not isinstance(loaded, list):
        raise HeaderError(f"this is no list of {what}", file=name, hint=hint)
    return loaded


def _line_of(constant: str, text: str) -> int | None:
    found = re.search(rf"[\[:,]\s*{re.escape(constant)}", text)
    return text.count("\n", 0, found.end()) + 1 if found else None


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no value of JSON")


class Item:
    """A mapping in a file, which knows its place."""

    #: Where such files come from, for who gave another one.
    hint: ClassVar[str] = ""

    def __init__(self, value: object, file: str, place: str) -> None:
        self.file, self.place = file, place
        if not isinstance(value, dict):
            self.wrong("", "a mapping", value)
        self.value: dict[str, Any] = value

    def wrong(self, key: str, expected: str, found: object) -> NoReturn:
        """What was expected at a key, and what stands there."""
        shown = json.dumps(found, ensure_ascii=False, default=str)
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
        field = f"{self.place}, {key}" if key else self.place
        raise HeaderError(f"expected {expected}, not {shown}", file=self.file, field=field)

    def text(self, key: str, *, required: bool = False) -> str:
        """A text; empty where there is none and none has to be."""
        found = self.value.get(key)
        if found is None and not required:
            return ""
        if key not in self.value:
            raise HeaderError(
                f"there is no {key!r}", file=self.file, field=self.place, hint=self.hint
            )
        if not isinstance(found, str) or (required and not found):
            self.wrong(key, "a name", found)
        return found

    def number(self, key: str) -> float | None:
        """A number that can be drawn; None where there is none."""
        found = self.value.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float):
            self.wrong(key, "a number or null", found)
        try:
            number = float(found)
        except OverflowError:
            number = float("inf")
        if not abs(number) <= LARGEST:
            self.wrong(key, "a number that is not too large", str(found)[:SHOWN])
        return number

    def mapping(self, key: str) -> Item:
        """A mapping; an empty one where there is none."""
        found = self.value.get(key)
        return Item({} if found is None else found, self.file, f"{self.place}, {key}")

    def items(self, key: str, name: str) -> list[Self]:
        """The mappings of a list, each called by a name and its number."""
        found = self.value.get(key)
        if not isinstance(found, list):
            self.wrong(key, "a list", found)
        return [
            type(self)(one, self.file, f"{self.place}, {name} {number}")
            for number, one in enumerate(found, 1)
        ]

    def numbers(self, key: str) -> dict[str, float | None]:
        """A mapping of numbers."""
        inner = self.mapping(key)
        return {name: inner.number(name) for name in inner.value}
