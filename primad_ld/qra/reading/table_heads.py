"""Which rows of a table name its columns: a head of one row or two, below rows of a title."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.qra.reading.column_names import OF_MEASUREMENTS, plain

#: In how many rows the head is looked for.
HEAD_ROWS: Final = 20
MOST_COLUMNS: Final = 2**14
#: Printed where a head is not understood.
LAYOUTS: Final = """\
layouts of tables that are understood:
  a row for each value
    System,Criterion,Study,Score
    A,Fluency,Original,4.1
  a column for each study
    System,Criterion,Original,Repro 1
    A,Fluency,4.1,4.0
  a column for each criterion
    System,Study,Fluency,Adequacy
    A,Original,4.1,3.1
  criteria above the studies (a blank cell continues the one to its left)
    ,Fluency,,Adequacy,
    System,Original,Repro 1,Original,Repro 1"""


class Row(NamedTuple):
    """The cells of a row, and where it stands."""

    line: int
    cells: Sequence[str]


class HeadPlace(NamedTuple):
    """Where the head of a table is among its first rows."""

    at: int = 0
    #: How many rows it has: one, or two.
    size: int = 1
    notes: tuple[str, ...] = ()


class HeadFinder:
    """Looks for the head of a table of measurements below the rows of a title."""

    def __init__(self, object: str = "", value: str = "", others: Collection[str] = ()) -> None:
        self._objects = frozenset((plain(object),) if object else OF_MEASUREMENTS["object"])
        self._values = frozenset((plain(value),) if value else OF_MEASUREMENTS["value"])
        #: Heads of columns that somebody names, all of which a head must have.
        self._others = frozenset(map(plain, others))

    def find(self, rows: Sequence[Row], file: str) -> HeadPlace:
        """Where the head is, with a note if it is not the first row; `HeaderError` if unclear."""
        at = self._names([row.cells for row in rows])
        head = rows[at]
        # A row belongs to the head if nothing stands between; a title is one text in the first column.
        uppers = [row for up, row in enumerate(rows[:at]) if row.line == head.line - at + up]
        uppers = list(takewhile(_names_columns, reversed(uppers)))
        why, line = "", rows[0].line
        if at and not self._has_object(head.cells) and not self._is_long(head.cells):
            why = "has no usual names of columns; name its columns with --object and --value"
        elif values := [row for row in rows[:at] if sum(map(_is_number, row.cells)) > 1]:
            why = "a row above it has values; put each table into a file of its own"
            line = values[0].line
        elif len(uppers) > 1:
            why = f"there are {len(uppers)} rows with names of columns above it; keep one of them"
            line = uppers[-1].line
        if why:
            error = HeaderError(
                f"the head seems to be in row {head.line}, and {why}",
                file=file,
                line=line,
                hint="or remove the rows above it",
            )
            error.add_note(LAYOUTS)
            raise error
        begin = at - len(uppers)
        has_two = bool(uppers) or (at + 1 < len(rows) and self._goes_on(head, rows[at + 1]))
        note = f"{file}: the head is row {rows[begin].line}; rows above it are left out"
        return HeadPlace(begin, 1 + has_two, (note,) if begin else ())

    def _names(self, rows: Sequence[Sequence[str]]) -> int:
        """Which row names the columns, as far as it can be known."""
        filled = [len(_filled(row)) for row in rows]
        if self._has_object(rows[0]) and filled[0] > 1:
            return 0
        for at, row in enumerate(rows):
            if self._is_long(row):
                return at
        for at, row in enumerate(rows[1:], 1):
            if self._has_object(row) and filled[at] > max(1, *filled[:at]):
                return at
        return next((at for at, count in enumerate(filled) if count > 1), 0)

    def _is_long(self, row: Sequence[str]) -> bool:
        """Whether a row names the columns of a table with a row for each value."""
        heads = set(map(plain, row))
        is_named = self._others <= heads and not any(map(_is_number, row))
        return is_named and bool(heads & self._objects) and bool(heads & self._values)

    def _has_object(self, row: Sequence[str]) -> bool:
        return not self._objects.isdisjoint(map(plain, row))

    def _goes_on(self, upper: Row, lower: Row) -> bool:
        """Whether a row continues the head above it: texts, of which the head does not name each."""
        row = lower.cells
        if not row or any(map(_is_number, row)) or plain(row[0]).startswith("condition "):
            return False
        named = [cell.strip() for cell in upper.cells] + [""] * len(row)
        if named[0] and row[0].strip() not in ("", named[0]) and not self._has_object(row):
            return False  # a row of an object, none of whose cells is a number
        names = [named[at] for at, cell in enumerate(row) if cell.strip() and at]
        return len(_filled(row)) > 1 and ("" in names or len(set(names)) < len(names))


def head_of(file: str, rows: Sequence[Row]) -> tuple[Row, tuple[str, ...]]:
    """The names of the columns of a head of one row or two, and what stands above each.

    A blank cell of the upper row continues the one to its left. A column that only the upper
    row names, or both alike, as merged cells do, has nothing above it.
    """
    texts = [[" ".join(cell.split()) for cell in row.cells] for row in rows]
    width = max(map(len, texts))
    first, *second = [[*row, *[""] * (width - len(row))] for row in texts]
    names, above, over = first, [""] * width, ""
    if second:
        names = []
        for at, (high, low) in enumerate(zip(first, second[0], strict=True)):
            over = high or over
            if high and low in ("", high):
                over, low = "", high
            names.append(low)
            above[at] = over if low else ""
    while names and not names[-1]:
        names.pop()
    line = rows[-1].line
    if len(names) > MOST_COLUMNS:
        raise HeaderError(f"more than {MOST_COLUMNS} columns", file=file, line=line)
    return Row(line, tuple(names)), tuple(above[: len(names)]) if second else ()


def _names_columns(row: Row) -> bool:
    return any(map(str.strip, row.cells[1:]))


def _filled(row: Iterable[str]) -> set[str]:
    return {cell.strip() for cell in row if cell.strip()}


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[-+]?[0-9][0-9.,]*\s*%?", text.strip()))
