"""Fields of a track while they are read: each error names file, line and field."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final, TypeVar

from primad_ld.core.errors import HeaderError
from primad_ld.core.long_texts import closest
from primad_ld.core.yamltext import Mapping, Sequence, Value, brief
from primad_ld.trec.columns import BLANKS

_TRUTH: Final = {"yes": True, "true": True, "no": False, "false": False}
# Bounds on the digits and the exponent keep exact arithmetic quick.
_DECIMAL: Final = re.compile(
    r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,2})?"
)
_COMMA: Final = re.compile(r"[0-9]+,[0-9]+")
#: How many choices an error lists.
_MOST_LISTED: Final = 12
_LONGEST_NAME: Final = 60
_MOST_DOUBTED: Final = 100
_CLOSE: Final = 0.85
#: Of a year: what is longer is in another unit.
_MOST_MINUTES: Final = 525600

_Choice = TypeVar("_Choice", bound=enum.StrEnum)


def one_line(text: str) -> str:
    """A text from a file where a line break or a control character would do harm."""
    return "".join(char if char.isprintable() else " " for char in text)


def shown(name: str) -> str:
    """A name from a file in an error, however long it is."""
    text = one_line(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"


def listed(names: Iterable[object]) -> str:
    """What there is to choose from, in an error."""
    found = [shown(str(name)) for name in names]
    more = f" … ({len(found)} in all)" if len(found) > _MOST_LISTED else ""
    return ", ".join(found[:_MOST_LISTED]) + more


def decimal_of(text: str) -> Decimal:
    """A number as it is written; `HeaderError` for all else, NaN and infinity included."""
    bare = text.strip(BLANKS)
    if not _DECIMAL.fullmatch(bare):
        hint = "write a number such as 0.84"
        if _COMMA.fullmatch(bare):
            hint = f"write a point: {bare.replace(',', '.')}"
        raise HeaderError(f"{brief(text)} is not a number", hint=hint)
    return Decimal(bare)


def _is_empty(value: Value) -> bool:
    return value is None or value == ""


class Fields:
    """A mapping of a file. It remembers which keys were asked for; the rest is kept as it is.

    The first error is raised, unless there is a list of problems to put all of them into.
    """

    def __init__(
        self,
        said: Value,
        file: str,
        line: int | None,
        field: str = "",
        problems: list[HeaderError] | None = None,
        notes: list[str] | None = None,
    ) -> None:
        self.file, self.line, self.field, self.problems = file, line, field, problems
        #: What looks like a slip here or in what stands below.
        self.notes = [] if notes is None else notes
        self.said, self.asked = Mapping(), set[str]()
        self.below: list[Fields] = []
        if isinstance(said, Mapping):
            self.said = said
        else:
            self.fail("this is not a mapping", hint="write 'key: value' in lines below it")

    def path(self, key: str) -> str:
        """The name of a field within the file."""
        return ".".join(part for part in (self.field, shown(key)) if part)

    def line_of(self, key: str) -> int | None:
        """The line of a key, or that of the mapping."""
        places = self.said.places
        return places[key][0] if key in places else self.line

    def error(self, why: str, key: str = "", *, hint: str = "") -> HeaderError:
        """What is wrong with a field."""
        return HeaderError(
            why, file=self.file, line=self.line_of(key), field=self.path(key), hint=hint
        )

    def fail(self, why: str, key: str = "", *, hint: str = "") -> None:
        """Raise what is wrong with a field, or put it down."""
        self.put(self.error(why, key, hint=hint))

    def put(self, error: HeaderError) -> None:
        """Raise an error, or put it down."""
        if self.problems is None:
            raise error
        self.problems.append(error)

    def note(self, text: str, key: str) -> None:
        """Put down what looks like a slip and is no error."""
        self.notes.append(f"{self.file}:{self.line_of(key)}: {self.path(key)}: {text}")

    def inner(self, value: Value, key: str) -> Fields:
        """A mapping that stands at a key."""
        return self._child(value, self.line_of(key), self.path(key))

    def _child(self, said: Value, line: int | None, field: str) -> Fields:
        child = Fields(said, self.file, line, field, self.problems, self.notes)
        self.below.append(child)
        return child

    def key(self, *keys: str) -> str:
        """The first of these keys that the mapping has, else the first of them."""
        found = next((key for key in keys if not _is_empty(self.said.get(key))), keys[0])
        self.asked.add(found)
        self.asked.update(key for key in keys if _is_empty(self.said.get(key)))
        return found

    def get(self, *keys: str) -> Value:
        """What stands at the first of these keys that is there."""
        return self.said.get(self.key(*keys))

    def text(self, *keys: str) -> str:
        """A text without what its author may take for blanks around it; "" where there is none."""
        return self.said_text(*keys).strip()

    def number_text(self, *keys: str) -> str:
        """The text of a number, whose blanks are those that all readers take for blanks."""
        text = self.said_text(*keys)
        return text.strip(BLANKS) if text.strip() else ""

    def said_text(self, *keys: str) -> str:
        """A text as it was written; "" where there is none."""
        value = self.get(*keys)
        if value is not None and not isinstance(value, str):
            self.fail("this is not a text", self.key(*keys))
            return ""
        return value or ""

    def needed(self, key: str, hint: str) -> str:
        """A text that has to be there."""
        text = self.text(key)
        if not text:
            self.fail(f"{key} is missing", key, hint=hint)
        return text

    def positive(self, *keys: str, unit: str) -> Decimal | None:
        """A number that is not below 0."""
        text, key = self.number_text(*keys), self.key(*keys)
        if not text:
            return None
        try:
            value = decimal_of(text)
        except HeaderError as error:
            self.fail(error.why, key, hint=f"write {unit} as a number")
            return None
        if value < 0:
            self.fail(f"{value} is below 0", key, hint=f"write {unit} as a number of 0 or more")
            return None
        return value

    def minutes(self, *keys: str) -> Decimal | None:
        """A time in minutes, which is shorter than a year."""
        value = self.positive(*keys, unit="minutes")
        if value is not None and value > _MOST_MINUTES:
            hint = "write minutes, not seconds"
            self.fail(f"{value:f} minutes are more than a year", self.key(*keys), hint=hint)
            return None
        return value

    def percent(self, key: str) -> Decimal:
        """A number from 0 to 100 that has to be there, with a percent sign or without one."""
        self.needed(key, "write the published score in percent")
        try:
            value = decimal_of(self.number_text(key).removesuffix("%"))
        except HeaderError as error:
            raise self.error(error.why, key, hint=error.hint) from None
        if not 0 <= value <= 100:
            raise self.error(f"{value} % is not a share", key, hint="write a number from 0 to 100")
        return value

    def truth(self, *keys: str) -> bool | None:
        """Yes or no, None where it is not known."""
        text = self.text(*keys)
        if not text:
            return None
        if text.lower() not in _TRUTH:
            hint = "leave it empty if it is not known"
            self.fail(f"{brief(text)} is neither yes nor no", self.key(*keys), hint=hint)
        return _TRUTH.get(text.lower())

    def choice(
        self, key: str, kind: type[_Choice], others: dict[str, _Choice] | None = None
    ) -> _Choice | None:
        """One of the names that there are, in whatever letters; blanks are underscores."""
        text = self.text(key)
        if not text:
            return None
        name = re.sub(r"[\s_-]+", "_", text.lower())
        found = {one.value: one for one in kind} | (others or {})
        if name not in found:
            hint = f"choose from {', '.join(one.value for one in kind)}"
            self.fail(f"unknown {key} {brief(text)}", key, hint=hint)
        return found.get(name)

    def fields(self, *keys: str) -> Fields | None:
        """A mapping at a key, None where nothing stands there."""
        value = self.get(*keys)
        if _is_empty(value):
            return None
        return self.inner(value, self.key(*keys))

    def items(self, *keys: str) -> Iterator[tuple[str, Value, int]]:
        """The items of a list with their names in errors and their lines."""
        value = self.get(*keys)
        if _is_empty(value):
            return
        key = self.key(*keys)
        if not isinstance(value, Sequence):
            self.fail("this is not a list", key, hint="begin each item with '- '")
            return
        for number, (item, place) in enumerate(zip(value, value.places, strict=True), 1):
            yield f"{self.path(key)}[{number}]", item, place[0]

    def rows(self, *keys: str) -> Iterator[Fields]:
        """The items of a list, each of which is a mapping."""
        for name, item, line in self.items(*keys):
            yield self._child(item, line, name)

    def unique(self, key: str) -> Iterator[tuple[str, Fields]]:
        """The items of a list with their ids, which all differ."""
        lines: dict[str, int | None] = {}
        for item in self.rows(key):
            id = item.needed("id", f"give each of the {key} an id")
            if id in lines:
                raise item.error(f"line {lines[id]} has the same id {brief(id)}", "id")
            lines[id] = item.line
            yield id, item

    def named(self, key: str) -> Iterator[tuple[str, Fields]]:
        """The entries of a mapping of mappings; one without a value is empty."""
        if (inner := self.fields(key)) is None:
            return
        for name, value in inner.said.items():
            yield name, inner.inner(Mapping() if _is_empty(value) else value, name)

    def texts(self, *keys: str) -> tuple[str, ...]:
        """A list of texts, or one text; empty ones are none."""
        if isinstance(self.get(*keys), str):
            return tuple(filter(None, [self.text(*keys)]))
        found = []
        for name, item, line in self.items(*keys):
            if isinstance(item, str):
                found.append(item.strip())
            else:
                self.put(HeaderError("this is not a text", file=self.file, line=line, field=name))
        return tuple(filter(None, found))

    def rest(self) -> dict[str, Any]:
        """What stands at keys that nobody asked for."""
        return {key: value for key, value in self.said.items() if key not in self.asked}

    def doubtful(self) -> Iterator[str]:
        """Keys of the rest that look like misspelt ones of ours, here and in what stands below."""
        missing = sorted(self.asked - self.said.keys())
        for key in list(self.rest())[:_MOST_DOUBTED]:
            if close := closest(key, missing, 1, _CLOSE):
                place = f"{self.file}:{self.line_of(key)}: {self.path(key)}"
                yield f"{place}: this key is only kept; is it meant to be {close[0]}?"
        for child in self.below:
            yield from child.doubtful()
