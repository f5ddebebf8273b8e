"""The rows of results that figures are drawn from: those of an answer, or of a file of JSON or CSV.

Rows are what ``evaluate`` and ``qra`` write. A row is read as far as figures need it; what is wrong
is told with the file and the place in it.
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import read_at_most, reading
from primad_ld.core.json_texts import read_json
from primad_ld.tables.answers import Answer
from primad_ld.trec.columns import number_of, quoted

#: What figures take: an answer, or the path of a file with one; ``-`` is standard input.
Results = Answer | str | os.PathLike[str]

# A million rows have some hundred megabytes.
_MOST_BYTES: Final = 2**28
# No measure comes near it, and axes cannot be drawn much beyond.
_LARGEST: Final = 1e100
_FORMULA: Final = ("'=", "'+", "'-", "'@")
NO_REASON: Final = "no reason was given"
#: So many names stand in a note on standard error; of the others, only how many.
FULLY_NAMED: Final = 200
#: By the plural that they are called in JSON: the command that writes such rows, and its columns.
_SOURCES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "results": ("evaluate", ("reference", "candidate", "measure", "value")),
    "assessments": ("qra", ("object", "measurand", "measurements")),
}


class UnfitResultsError(HeaderError):
    """What was given to be drawn is not results, or lacks what the figure shows."""


class ResultRow:
    """A row of results by its columns, which knows where it stands."""

    def __init__(self, values: object, file: str, place: str) -> None:
        self.file, self.place = file, place
        if not isinstance(values, Mapping):
            raise self.error("", "an object", values)
        self.values: Mapping[str, object] = values

    def error(self, key: str, expected: str, value: object) -> HeaderError:
        """What was expected in a column, and what stands there."""
        shown = quoted(value) if isinstance(value, str) else quoted(json.dumps(value, default=str))
        field = f"{self.place}, {key}" if key else self.place
        return HeaderError(f"expected {expected}, not {shown}", file=self.file, field=field)

    def text(self, key: str, *, required: bool = False) -> str:
        """A text; empty where there is none and none is required."""
        value = self.values.get(key)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or (required and not value):
            raise self.error(key, "a name", value)
        return value

    def number(self, key: str) -> float | None:
        """A number that can be drawn; None where there is none."""
        value = self.values.get(key)
        if value is None or value == "":
            return None
        try:
            number = number_of(value) if isinstance(value, str) else _number(value)
        except (ValueError, OverflowError):
            raise self.error(key, "a number", value) from None
        if not abs(number) <= _LARGEST:  # which NaN is not, either
            raise self.error(key, "a number up to 1e100", str(value))
        return number

    def row(self, key: str) -> ResultRow:
        """An object within this one, in CSV as JSON; an empty one where there is none."""
        value = self.values.get(key)
        if isinstance(value, str):
            try:
                value = read_json(value or "{}")
            except ValueError:
                raise self.error(key, "an object in JSON", value) from None
        return ResultRow({} if value is None else value, self.file, f"{self.place}, {key}")

    def rows(self, key: str, name: str) -> list[ResultRow]:
        """The objects of a list, each called by a name and its number."""
        value = self.values.get(key)
        if not isinstance(value, list | tuple):
            raise self.error(key, "a list", value)
        return [
            ResultRow(item, self.file, f"{self.place}, {name} {number}")
            for number, item in enumerate(value, 1)
        ]


def _number(value: object) -> float:
    # To Python, true is a number.
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise ValueError(value)


def read_rows(results: Results, plural: str) -> list[ResultRow]:
    """The rows of an answer, or of a file, by what they are called in JSON."""
    if isinstance(results, Answer):
        name = type(results).__name__
        rows = _listed(results.record(), plural, name)
    elif isinstance(results, str | os.PathLike):
        name = "standard input" if str(results) == "-" else os.fspath(results)
        rows = _rows_of_text(_text_of(results, name, plural), name, plural)
    else:
        raise TypeError(f"results: expected an answer or a path, not {type(results).__name__}")
    found = list(rows)
    if not found:
        raise _unfit(f"there are no {plural}", name, plural)
    return found


def _unfit(why: str, name: str, plural: str, line: int | None = None) -> UnfitResultsError:
    command = _SOURCES[plural][0]
    hint = f"write results with: primad-ld {command} … --format json -o results.json"
    return UnfitResultsError(why, file=name, line=line, hint=hint)


def _text_of(path: str | os.PathLike[str], name: str, plural: str) -> str:
    if str(path) == "-":
        data = read_at_most(sys.stdin.buffer, _MOST_BYTES)
    elif Path(path).is_dir():
        raise _unfit("this is a folder, not a file of results", name, plural)
    else:
        with reading(Path(path)) as stream:
            data = read_at_most(stream, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        hint = "plot fewer results at once"
        raise HeaderError(f"longer than {_MOST_BYTES >> 20} MiB", file=name, hint=hint)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unfit("not a text file in UTF-8", name, plural) from None
    if not text.strip():
        raise _unfit("the file is empty", name, plural)
    return text


def _rows_of_text(text: str, name: str, plural: str) -> Iterator[ResultRow]:
    if text.lstrip()[:1] not in ("{", "["):
        return _csv_rows(text, name, plural)
    try:
        return _listed(read_json(text), plural, name)
    except json.JSONDecodeError as error:
        raise _unfit(f"not valid JSON: {error.msg}", name, plural, error.lineno) from None
    except ValueError as error:
        raise _unfit(f"cannot be read: {error}", name, plural) from None


def _listed(record: object, plural: str, name: str) -> Iterator[ResultRow]:
    """The rows that stand in an object under their plural, or in a list alone."""
    rows = record.get(plural) if isinstance(record, Mapping) else record
    if rows is None or isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise _unfit(f'there is no list "{plural}"', name, plural)
    singular = plural.removesuffix("s")
    return (ResultRow(row, name, f"{singular} {number}") for number, row in enumerate(rows, 1))


def _csv_rows(text: str, name: str, plural: str) -> Iterator[ResultRow]:
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = next(line for line in lines if line)
        missing = [key for key in _SOURCES[plural][1] if key not in columns]
        if missing:
            why = f"there are no columns {', '.join(missing)}"
            raise _unfit(why, name, plural, lines.line_num)
        if len(set(columns)) < len(columns):
            raise HeaderError("two columns have the same name", file=name, line=lines.line_num)
        for cells in filter(None, lines):
            if len(cells) != len(columns):
                why = f"the header has {len(columns)} columns, this row {len(cells)}"
                raise HeaderError(why, file=name, line=lines.line_num)
            # An apostrophe kept spreadsheets from running the text.
            values = [cell[1:] if cell.startswith(_FORMULA) else cell for cell in cells]
            place = f"line {lines.line_num}"
            yield ResultRow(dict(zip(columns, values, strict=True)), name, place)
    except csv.Error as error:
        raise _unfit(f"not valid CSV: {error}", name, plural, lines.line_num) from None


def some(names: Iterable[str], most: int = 8) -> str:
    """Some of the names, each once, and how many there are besides."""
    unique = list(dict.fromkeys(names))
    shown = ", ".join(unique[:most])
    return f"{shown} and {len(unique) - most:,} more" if len(unique) > most else shown or "none"


def by_reason(undefined: Sequence[tuple[str, str]], *, most: int = 8) -> list[str]:
    """Names without a value: a line for each reason, with some of the names."""
    names: dict[str, list[str]] = {}
    for name, reason in undefined:
        names.setdefault(reason or NO_REASON, []).append(name)
    return [f"{some(group, most)}: {reason}" for reason, group in names.items()]
