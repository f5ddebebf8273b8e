"""JSON from anywhere, with the lines of what is wrong in it.

The library's reader lets the last of two equal keys win, takes NaN for a number, and goes as deep
as the file does. Numbers stay texts, as they are written.
"""

from __future__ import annotations

import re
from json import JSONDecoder
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, read_at_most, reading
from primad_ld.trec.columns import quoted

_MOST_BYTES: Final = 2**23
_DEEPEST: Final = 32
_MOST_VALUES: Final = 2**17
_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS: Final = {"true": True, "false": False, "null": None}
_DECODER: Final = JSONDecoder()
_WORD: Final = re.compile(r"-?[A-Za-z]+")


def read_json(path: Path) -> Any:
    """The value in a JSON file: mappings, lists, texts, True, False and None."""
    with reading(path) as stream:
        data = read_at_most(stream, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(f"longer than {_MOST_BYTES // 2**20} MiB", file=path)
    try:
        text = data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HeaderError(
            "this is no UTF-8", file=path, line=line, hint="save it as UTF-8"
        ) from None
    return _Reader(text, path).document()


class _Reader:
    """Reads one value after the other."""

    def __init__(self, text: str, path: Path) -> None:
        self.text, self.path = text, path
        self.at = self.count = 0

    def error(self, why: str, hint: str = "", at: int | None = None) -> HeaderError:
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return HeaderError(why, file=self.path, line=line, hint=hint)

    def document(self) -> Any:
        value = self.value(1)
        if self.next():
            raise self.error("something stands behind the end of the JSON")
        return value

    def next(self) -> str:
        """The next character that is no blank; nothing at the end."""
        found = _BLANKS.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        self.count += 1
        if self.count > _MOST_VALUES:
            raise self.error(f"more than {_MOST_VALUES} values")
        first = self.next()
        if depth > _DEEPEST:
            raise self.error(f"nested deeper than {_DEEPEST} levels")
        if first == "{":
            return self.mapping(depth)
        if first == "[":
            return self.sequence(depth)
        if first == '"':
            return self.string()
        return self.bare()

    def bare(self) -> Any:
        """A number as its text, or one of the three words."""
        word = _WORD.match(self.text, self.at)
        found = word or _NUMBER.match(self.text, self.at)
        if found is None or (word and word[0] not in _WORDS):
            said = quoted(found[0] if found else self.text[self.at : self.at + 20])
            why = f"{said} is no JSON" if said != "''" else "the JSON ends too early"
            raise self.error(why, "is it a JSON file, and complete?")
        self.at = found.end()
        return _WORDS[found[0]] if word else found[0]

    def string(self) -> str:
        try:
            found, self.at = _DECODER.raw_decode(self.text, self.at)
        except ValueError as error:
            why = str(error).partition(":")[0]
            raise self.error(f"this text cannot be read: {why}", "is the file complete?") from None
        # Half a character, which no file can hold, may be written with an escape.
        return str(found).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def mapping(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        lines: dict[str, int] = {}
        self.at += 1
        if self.next() == "}":
            self.at += 1
            return found
        while True:
            if self.next() != '"':
                raise self.error("a key in quotes is expected here")
            place = self.at
            key = self.string()
            if key in found:
                first = self.text.count("\n", 0, lines[key]) + 1
                raise self.error(
                    f"the key {quoted(key)} stands here a second time (first in line {first})",
                    "keep one of the two",
                    place,
                )
            self.expect(":")
            found[key], lines[key] = self.value(depth + 1), place
            if self.ends("}"):
                return found

    def sequence(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        if self.next() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value(depth + 1))
            if self.ends("]"):
                return found

    def ends(self, bracket: str) -> bool:
        """Whether a bracket closes here; otherwise a comma does not."""
        if self.next() == bracket:
            self.at += 1
            return True
        self.expect(",")
        return False

    def expect(self, character: str) -> None:
        found = self.next()
        if found != character:
            said = quoted(found) if found else "the end"
            raise self.error(f"{character!r} is expected here, and {said} stands here")
        self.at += 1
