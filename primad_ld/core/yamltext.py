"""YAML read as text: no scalar is guessed at, every key knows its line.

YAML's guessing corrupts headers (``0123456`` becomes 42798, ``0.10`` becomes 0.1, ``no``
becomes false), so this builds the tree itself from the events of PyYAML's C parser. Where the
writer states by one of YAML's core tags what a value is, that is what it is. It
refuses what has no place in a header and could exhaust a reader: aliases, other tags, deep
nesting, duplicate keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, read_at_most, reading
from primad_ld.core.json_texts import DEEPEST

#: An hour of tracking has half as many; without a limit, a value takes two bytes in the file
#: and a hundred times as much in memory.
MOST_VALUES: Final = 2**20
#: Of files without rankings, such as tables of measurements: enough for more than a hundred thousand.
MOST_BYTES: Final = 64 * 2**20
_MOST_VALUES_OF_FILES: Final = 2**22
_ZIP: Final = b"PK\x03\x04"
_WORKBOOK: Final = "if it is a workbook, give it the suffix .xlsx"
RAISE_LIMIT: Final = "raise the limit (--max-header), or remove time series"
_LONGEST_SHOWN: Final = 60
_DIRECTIVE: Final = re.compile(r"^%TAG\b", re.MULTILINE)

# Line breaks to YAML, but to no editor.
_ODD_BREAK: Final = re.compile("[\x85\u2028\u2029]|\r(?!\n)")
_NULLS: Final = frozenset(("", "~", "null", "Null", "NULL"))
_CORE: Final = "tag:yaml.org,2002:"
#: The values that each core tag of a scalar allows, in YAML 1.1 (booleans) and 1.2.
_TAGGED: Final = {
    "str": re.compile(".*", re.DOTALL),
    "null": re.compile("|".join(map(re.escape, sorted(_NULLS)))),
    "bool": re.compile("true|false|yes|no|on|off", re.IGNORECASE),
    "int": re.compile("[+-]?[0-9]+|0x[0-9a-fA-F]{1,60}|0o[0-7]{1,60}"),
    "float": re.compile(
        r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
        r"|[+-]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
    ),
}
_CORE_TAGS: Final = (*_TAGGED, "seq", "map")
_TRUTHS: Final = ("true", "yes", "on")
_Loader: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_ScalarEvent: Final = yaml.ScalarEvent
_AliasEvent: Final = yaml.AliasEvent
_MappingStartEvent: Final = yaml.MappingStartEvent
_MappingEndEvent: Final = yaml.MappingEndEvent
_SequenceEndEvent: Final = yaml.SequenceEndEvent


class Place(NamedTuple):
    """Where something stands: line and column from 1, and the file if it is another one."""

    line: int
    column: int
    file: str | None = None


#: A place as the tree keeps it: plain tuples are made faster.
RawPlace = tuple[int, int] | tuple[int, int, str | None]


class Mapping(dict[str, "Value"]):
    """A mapping that knows where each of its keys stands."""

    __slots__ = ("places",)
    places: dict[str, RawPlace]

    def __init__(self) -> None:
        self.places = {}


class Sequence(list["Value"]):
    """A list that knows where each of its items stands."""

    __slots__ = ("places",)
    places: list[RawPlace]

    def __init__(self) -> None:
        self.places = []


Value = str | None | Mapping | Sequence


def parse(
    text: str,
    *,
    first_line: int = 1,
    indent: int = 0,
    most_values: int = MOST_VALUES,
    drop_empty: bool = False,
) -> Value:
    """The tree of one YAML document.

    ``first_line`` is the line of the file that it begins at, ``indent`` the number of
    columns that stand before it there.

    ``drop_empty`` leaves out keys without a value, the places that a template left
    open; an explicit ``null`` stays.
    """
    if directive := _DIRECTIVE.search(text):
        # libyaml takes quadratic time for many of them.
        line = first_line + text.count("\n", 0, directive.start())
        raise HeaderError("YAML directives are not allowed", line=line)
    try:
        loader = _Loader(text)
    except UnicodeEncodeError as error:
        line = first_line + text.count("\n", 0, error.start)
        raise HeaderError("an unpaired surrogate, which is not valid UTF-8", line=line) from None
    next_event = loader.get_event
    if _ODD_BREAK.search(text):
        next_event = _with_lines_of_editors(next_event, text)
    try:
        builder = _Builder(next_event, first_line, indent + 1, most_values, drop_empty)
        return builder.document()
    except yaml.MarkedYAMLError as error:
        raise _explained(error, text, first_line, indent + 1) from error
    except yaml.reader.ReaderError as error:
        line = first_line + text.encode()[: error.position].count(b"\n")
        raise HeaderError(
            f"the character #x{ord(error.character):04x} is not allowed in YAML"
            if isinstance(error.character, str)
            else "a character that is not allowed in YAML",
            line=line,
        ) from error
    finally:
        loader.dispose()


def read_yaml(path: Path, *, if_empty: str) -> Mapping:
    """A YAML file whose top is a mapping; ``if_empty`` is what to do where it says nothing."""
    with reading(path) as stream:
        data = read_at_most(stream, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise HeaderError(
            f"longer than {MOST_BYTES // 2**20} MiB", file=path, hint="split it into several files"
        )
    if data.startswith(_ZIP):
        raise HeaderError("a zip archive, not YAML", file=path, hint=_WORKBOOK)
    try:
        text = data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HeaderError(
            "not UTF-8", file=path, line=line, hint="save the file as UTF-8"
        ) from None
    try:
        found = parse(text, most_values=_MOST_VALUES_OF_FILES)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__
    if found is None:
        raise HeaderError("the file is empty", file=path, hint=if_empty)
    if not isinstance(found, Mapping):
        raise HeaderError("the top level of the file must be a mapping", file=path, line=1)
    return found


def _with_lines_of_editors(next_event: Callable[[], Any], text: str) -> Callable[[], Any]:
    """Events whose marks count the lines as an editor does: YAML has more line breaks."""
    seen = line = start = 0

    def event() -> Any:
        nonlocal seen, line, start
        found = next_event()
        mark = getattr(found, "start_mark", None)
        if mark is not None and mark.index >= seen:
            # Marks only go forward, so each part of the text is counted once.
            line += text.count("\n", seen, mark.index)
            start = max(start, text.rfind("\n", seen, mark.index) + 1)
            seen = mark.index
            found.start_mark = yaml.Mark(mark.name, seen, line, seen - start, "", 0)
        return found

    return event


class _Builder:
    """Makes the tree from events. Every header passes here, so it does little for each."""

    def __init__(
        self,
        next_event: Any,
        first_line: int,
        first_column: int,
        most_values: int,
        drop_empty: bool,
    ) -> None:
        self.next_event = next_event
        self.first_line, self.first_column = first_line, first_column
        self.values_left = most_values
        self.drop_empty = drop_empty

    def document(self) -> Value:
        next_event = self.next_event
        next_event()  # the start of the stream
        event = next_event()
        if type(event) is yaml.StreamEndEvent:
            return None
        value = self.value(next_event(), 1)
        next_event()  # the end of the document
        event = next_event()
        if type(event) is not yaml.StreamEndEvent:
            raise self.error("a second YAML document begins here; only one is allowed", event)
        return value

    def value(self, event: Any, depth: int) -> Value:
        kind = type(event)
        self.values_left -= 1
        if self.values_left < 0:
            raise self.error("too many values", event, RAISE_LIMIT)
        if kind is _AliasEvent:
            why = f"YAML aliases such as *{event.anchor} are not allowed"
            raise self.error(why, event, "write the value itself")
        if event.tag is not None:
            if kind is _ScalarEvent:
                return self.tagged(event)
            if _core_tag(event) != ("map" if kind is _MappingStartEvent else "seq"):
                raise self.refused(event)
        if kind is _ScalarEvent:
            text: str = event.value
            return None if not event.style and text in _NULLS else text
        if depth > DEEPEST:
            raise self.error(f"nested deeper than {DEEPEST} levels", event)
        return self.mapping(depth) if kind is _MappingStartEvent else self.sequence(depth)

    def mapping(self, depth: int) -> Mapping:
        mapping = Mapping()
        places = mapping.places
        next_event = self.next_event
        first_line, first_column = self.first_line, self.first_column
        event = next_event()
        while type(event) is not _MappingEndEvent:
            if type(event) is not _ScalarEvent:
                if type(event) is _AliasEvent:
                    raise self.error(f"YAML aliases such as *{event.anchor} are not allowed", event)
                raise self.error("a key must be a string", event)
            if event.tag is not None and _core_tag(event) != "str":
                raise self.refused(event)
            key: str = event.value
            if key in places:
                raise self.error(
                    f"duplicate key {brief(key)} (first in line {places[key][0]})",
                    event,
                    "remove one of them (other YAML readers silently use the last)",
                )
            if not key:
                raise self.error("no key before the colon", event)
            mark: Any = event.start_mark
            places[key] = (mark.line + first_line, mark.column + first_column)
            event = next_event()
            value = self.value(event, depth + 1)
            if value or not (self.drop_empty and _is_unfilled(value, event)):
                mapping[key] = value
            event = next_event()
        return mapping

    def sequence(self, depth: int) -> Sequence:
        sequence = Sequence()
        event = self.next_event()
        while type(event) is not _SequenceEndEvent:
            mark = event.start_mark
            value = self.value(event, depth + 1)
            if value or not (self.drop_empty and _is_unfilled(value, event)):
                sequence.append(value)
                sequence.places.append(
                    (mark.line + self.first_line, mark.column + self.first_column)
                )
            event = self.next_event()
        return sequence

    def tagged(self, event: Any) -> str | None:
        """A scalar whose tag says what it is."""
        text: str = event.value
        name = _core_tag(event)
        if name not in _TAGGED:
            raise self.refused(event)
        if not _TAGGED[name].fullmatch(text):
            raise self.error(
                f"{brief(text)} is not a valid !!{name}",
                event,
                "remove the tag, or correct the value",
            )
        if name == "bool":
            return "true" if text.lower() in _TRUTHS else "false"
        if name == "int" and text[:2] in ("0x", "0o"):
            return str(int(text, 0))
        return None if name == "null" else text

    def refused(self, event: Any) -> HeaderError:
        """A tag that is not of YAML's core, or not of what stands after it."""
        name = _core_tag(event)
        if name in _CORE_TAGS:
            return self.error(f"the tag !!{name} does not fit its value", event, "remove the tag")
        tag = event.tag.replace(_CORE, "!!")
        return self.error(
            f"the YAML tag {brief(tag)} is not allowed",
            event,
            f"remove it; allowed tags: {' '.join(f'!!{one}' for one in _CORE_TAGS)}",
        )

    def error(self, why: str, event: Any, hint: str = "") -> HeaderError:
        mark = event.start_mark
        return HeaderError(
            why,
            line=mark.line + self.first_line,
            column=mark.column + self.first_column,
            hint=hint,
        )


def _core_tag(event: Any) -> str:
    """The name of one of YAML's own tags; nothing for any other."""
    tag: str = event.tag
    return tag.removeprefix(_CORE) if tag.startswith(_CORE) else ""


def brief(value: object) -> str:
    """A value in an error or a note, however long it is."""
    text = repr(str(value))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…'"


def _is_unfilled(value: Value, event: Any) -> bool:
    """Whether a template's place was left open; ``null``, ``[]`` and ``{}`` say something."""
    if value is None:
        return not event.value and event.tag is None
    if type(value) is str:
        return False
    return not value and type(event) is not yaml.ScalarEvent and not event.flow_style


def _explained(
    error: yaml.MarkedYAMLError, text: str, first_line: int, first_column: int
) -> HeaderError:
    """PyYAML's error in the words of the person who typed a header."""
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "not YAML"
    if error.context_mark and ("could not find expected" in problem or _unclosed(problem)):
        mark = error.context_mark  # the line that lacks something, not the one after it
    # Counted as editors do, since YAML has more line breaks.
    before = text[: mark.index if mark else 0].split("\n")
    line = len(before) - 1 + first_line
    hint = ""
    if "cannot start any token" in problem:
        if "\t" in before[-1] + text[mark.index if mark else 0 :][:1]:
            problem, hint = "this line is indented with a tab", "indent with spaces"
        else:
            hint = "put the value in quotes"
    elif "mapping values are not allowed" in problem:
        problem = "unexpected colon"
        hint = "check the indentation, or put a value that contains ': ' in quotes"
    elif "could not find expected ':'" in problem:
        hint = "write each line of a mapping as 'key: value'"
    elif "did not find expected key" in problem:
        hint = "check the indentation"
    elif unclosed := _unclosed(problem):
        problem = f"{unclosed} has no end"
        hint = "close it" + (", or add the comma that it lacks" if "text" not in unclosed else "")
    return HeaderError(
        problem, line=line, column=len(before[-1]) + first_column if mark else None, hint=hint
    )


def _unclosed(problem: str) -> str:
    """What begins and has no end, by PyYAML's words for what it found instead."""
    if "end of stream" in problem:
        return "a quoted text"
    kinds = {"',' or ']'": "a list", "',' or '}'": "a mapping in braces"}
    return next((kind for end, kind in kinds.items() if f"expected {end}" in problem), "")


# What a value holds -----------------------------------------------------------------------


def is_empty(value: object) -> bool:
    """Whether a value says nothing: a key with nothing after it, an empty list or mapping."""
    return value is None or value == [] or value == {}


def without_empty(value: object) -> object:
    """A value without its keys that say nothing, and without what holds nothing but these."""
    if isinstance(value, dict):
        inner = ((key, without_empty(item)) for key, item in value.items())
        return {key: item for key, item in inner if not is_empty(item)}
    if isinstance(value, list):
        return [item if type(item) is str else without_empty(item) for item in value]
    return value


def empties(
    value: object, place: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], object]]:
    """The keys that say nothing, by their places."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            if is_empty(item) or isinstance(item, dict | list):
                yield from empties(item, (*place, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            if isinstance(item, dict | list) and item:
                yield from empties(item, (*place, index))
    elif is_empty(value):
        yield place, value


def texts_of(value: Value) -> list[str]:
    """The texts of a list, or a single one; an empty list where anything else stands."""
    if type(value) is str:
        return [value]
    if type(value) is Sequence:
        texts = [item for item in value if type(item) is str]
        return texts if len(texts) == len(value) else []
    return []


def mappings_of(value: Value) -> list[Mapping]:
    """The mappings of a list, or a single one; an empty list where anything else stands."""
    items = value if type(value) is Sequence else [value]
    mappings = [item for item in items if type(item) is Mapping and item]
    return mappings if len(mappings) == len(items) else []
