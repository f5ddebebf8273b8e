"""Tables as rows of cells, whether they come from a text with delimiters or from a workbook."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import plain_suffix
from primad_ld.core.long_texts import closest
from primad_ld.qra.reading.column_names import OF_MEASUREMENTS, plain, tidy
from primad_ld.trec.columns import BLANKS, each_text_line, quoted

#: A table of measurements has some hundred cells; tables of ratings have millions.
_MOST_CELLS: Final = 2**24
_MOST_CHARACTERS: Final = 2**27
_DELIMITERS: Final = "\t;,"
_QUOTED: Final = re.compile(r'"[^"]*"')
# "#" alone may be the head of a column with numbers of rows.
_REMARK: Final = re.compile(r"\s*#[^,;\t]*[^\s,;\t]")
_NUMBER: Final = re.compile(r"[-+]?[0-9][0-9.,]*\s*%?")
_OBJECTS: Final = OF_MEASUREMENTS["object"]
_SHOWN: Final = 20
_LONGEST_NAME: Final = 60
#: The suffixes of workbooks, without macros and with them.
WORKBOOKS: Final = (".xlsx", ".xlsm")
MOST_COLUMNS: Final = 2**14
#: Printed where a head is not understood.
LAYOUTS: Final = """\
layouts of tables that are understood, the head at the top:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """A table whose first row names its columns, or whose first two rows do."""

    file: str
    head: Row
    #: What a row above the head says of each column; empty without such a row.
    above: Sequence[str] = ()
    #: As many cells as the head has. Read while they are asked for, so they are there once.
    rows: Iterable[Row]
    #: The ranges of merged cells (``A2:A4``) by line and column, each cell of them.
    merged: Mapping[tuple[int, int], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    #: What stands between the cells of a text.
    delimiter: str = ""
    #: Columns of a workbook that are hidden, so they are read as empty.
    hidden: frozenset[int] = frozenset()
    #: What to say of other sheets if this one holds no measurements.
    elsewhere: str = ""
    #: The layouts that are understood, to be printed with what is wrong with the head.
    layouts: str = ""

    @classmethod
    def of_rows(
        cls, rows: Iterable[Row], *, file: str, hint: str, has_criteria: bool, **more: object
    ) -> Cells:
        """The table of some rows, the first its head; ``hint`` is for rows with more cells than it.

        If it may have criteria, these may stand in a row above the rest of the head.
        """
        first, *second = islice(rows := iter(rows), 2)
        if has_criteria and second and _goes_on(first, second[0]):
            head, above = _joined(first, second.pop())
        else:
            head, above = Row(first.line, list(map(tidy, first.cells))), []
        width = max((at for at, name in enumerate(head.cells, 1) if name), default=0)
        if width > MOST_COLUMNS:
            raise HeaderError(f"more than {MOST_COLUMNS} columns", file=file, line=head.line)
        hint += "; remove rows of a title above the head"
        return cls(
            file=file,
            head=Row(head.line, tuple(head.cells[:width])),
            above=tuple(above[:width]),
            rows=_even(chain(second, rows), width, file, hint),
            **more,  # type: ignore[arg-type]
        )

    def error(self, why: str, line: int, column: int | None = None, hint: str = "") -> HeaderError:
        """What is wrong at a place of the table."""
        name = "" if column is None else self.name(column)
        return HeaderError(why, file=self.file, line=line, field=name, hint=hint)

    def head_error(
        self, why: str, column: int | None = None, hint: str = "", line: int = 0
    ) -> HeaderError:
        """What is wrong with the head or layout, with the layouts that are understood."""
        error = self.error(why, line or self.head.line, column, hint)
        if self.layouts:
            error.add_note(self.layouts)
        return error

    def refuse_merged(self, row: Row, column: int) -> None:
        """Refuse a cell that says the same as others: it is not clear what is meant."""
        if merged := self.merged.get((row.line, column)):
            raise self.error(
                f"this cell is merged with others ({merged}), so it is not clear what it is about",
                row.line,
                column,
                "split the cells, and write what holds in each of them",
            )

    def name(self, column: int) -> str:
        """What to call a column in a message."""
        head = self.head.cells[column] or letters(column)
        return f"column {head[:_LONGEST_NAME]}{'…' * (len(head) > _LONGEST_NAME)}"

    @property
    def shown(self) -> str:
        """The names of the columns, for a message."""
        names = [name for name in self.head.cells if name]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return ", ".join(names[:_SHOWN]) + more

    def column(self, name: str, what: str) -> int:
        """The column of a name that somebody gave, whatever its case."""
        column = self.find(name)
        if column is None:
            raise self.error(
                f"there is no column {quoted(name)} for {what}",
                self.head.line,
                hint=f"{did_you_mean(name, self.head.cells)}the columns are {self.shown}",
            )
        return column

    def find(self, name: str) -> int | None:
        """The column of a name, None if there is none; one that stands twice is an error."""
        heads = alike(name, self.head.cells)
        if len(heads) > 1:
            raise self.head_error(
                f"there are {len(heads)} columns {quoted(name)}",
                hint="give each column a name of its own",
            )
        return list(self.head.cells).index(heads[0]) if heads else None

    def find_usual(
        self, names: Iterable[str], taken: Collection[int], only_as: str = ""
    ) -> int | None:
        """The first column that has one of the usual names, whatever stands after it in brackets.

        With an option (``only_as``), a second such column that nothing else takes is an error.
        """
        heads = list(map(plain, self.head.cells))
        usual = [plain(name) for name in names]
        for name in usual:
            column = self.find(name)
            if column is None and heads.count(name) == 1:
                column = heads.index(name)
            if column is None or column in taken:
                continue
            rivals = (at for at, head in enumerate(heads) if head in usual)
            rival = next((at for at in rivals if at != column and at not in taken), None)
            if only_as and rival is not None:
                raise self.head_error(
                    f"the columns {self.head.cells[column]} and {self.head.cells[rival]} could "
                    f"both be the {only_as.removeprefix('--')}",
                    hint=f"name one with {only_as}",
                )
            return column
        return None


def read_cells(path: Path, sheet: str = "", *, has_criteria: bool = False) -> Cells:
    """The table of a file: ``scores.csv``, ``scores.tsv.gz``, ``scores.xlsx#Second sheet``.

    A comma, semicolon or tab between the cells is found in the head. Remarks, which begin with
    ``#``, may stand above the head; so may criteria, if it ``has_criteria``.
    """
    path, sheet = path_and_sheet(path, sheet)
    if Path(plain_suffix(path)[0]).suffix.lower() in WORKBOOKS:
        from primad_ld.qra.reading.workbooks import read_sheet

        return read_sheet(path, sheet, has_criteria=has_criteria)
    if sheet:
        raise HeaderError(
            f"there is no sheet {quoted(sheet)}, as this is not a workbook",
            file=path,
            hint="name the file alone",
        )
    return _read_text(path, has_criteria=has_criteria)


def path_and_sheet(path: Path, sheet: str = "") -> tuple[Path, str]:
    """A file and its sheet, which may stand after the name; a name may have a # of its own."""
    name = str(path)
    if not sheet and "#" in name and not os.path.exists(path):
        name, _, sheet = name.partition("#")
    return Path(name), sheet


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The beginning of a hint: what is close to a name, if anything is."""
    folded = {one.casefold(): one for one in known if one}
    close = closest(name.casefold(), folded)
    return f"did you mean {folded[close[0]]}? " if close else ""


def alike(name: str, names: Iterable[str]) -> list[str]:
    """The names that are the one that is asked for, or else are it but for their case."""
    listed = list(names)
    same = [one for one in listed if one == name]
    return same or [one for one in listed if one.casefold() == name.casefold()]


def some(texts: Iterable[str], most: int = 10) -> str:
    """The first of some texts."""
    listed = list(texts)
    return ", ".join(listed[:most]) + (", …" if len(listed) > most else "")


def letters(column: int) -> str:
    """The name that spreadsheet programs give a column: A, B, …, Z, AA."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def _goes_on(upper: Row, lower: Row) -> bool:
    """Whether a row continues the head above it: texts, of which the head does not name each."""
    texts = list(map(tidy, lower.cells))
    named = [*map(tidy, upper.cells), *[""] * len(texts)]
    if any(map(_NUMBER.fullmatch, texts)) or plain(texts[0]).startswith("condition "):
        return False
    if named[0] and texts[0] not in ("", named[0]) and plain(texts[0]) not in _OBJECTS:
        return False  # a row of an object, none of whose cells is a number
    names = [named[at] for at, text in enumerate(texts) if text and at]
    return len(names) > 1 and ("" in names or len(set(names)) < len(names))


def _joined(upper: Row, lower: Row) -> tuple[Row, list[str]]:
    """The head of two rows, and what stands above each of its columns.

    A blank cell of the upper row continues the one to its left. A column that only the upper
    row names, or both alike, as merged cells do, has nothing above it.
    """
    names, above, over = [], [], ""
    for high, low in zip_longest(map(tidy, upper.cells), map(tidy, lower.cells), fillvalue=""):
        over = high or over
        is_alone = high and low in ("", high)
        over = "" if is_alone else over
        names.append(high if is_alone else low)
        above.append(over if names[-1] else "")
    return Row(lower.line, names), above


def _even(rows: Iterable[Row], wanted: int, file: str, hint: str) -> Iterator[Row]:
    """Rows that have the cells of the head, without blanks around them; else what to do."""
    for line, cells in rows:
        # A number has no other blanks around it than those of C; names are made tidy later.
        even = [cell.strip(BLANKS) if cell.strip() else "" for cell in cells]
        while len(even) > wanted and not even[-1]:
            even.pop()
        if len(even) != wanted:
            raise HeaderError(
                f"this row has {len(even)} cells, and the head has {wanted}",
                file=file,
                line=line,
                hint="complete the row" if len(even) < wanted else hint,
            )
        yield Row(line, even)


# Texts with delimiters --------------------------------------------------------------------


def _read_text(path: Path, *, has_criteria: bool) -> Cells:
    lines = _lines(path)
    numbered = enumerate(lines)
    at = next((at for at, text in numbered if text.strip() and not _REMARK.match(text)), None)
    if at is None:
        raise _empty(path)
    delimiter = _delimiter(lines[at])
    rows = _rows(path, lines, at, delimiter)
    if (first := next(rows, None)) is None:
        raise _empty(path)
    return Cells.of_rows(
        chain([first], rows),
        file=str(path),
        hint="put texts with a delimiter in them in quotes, or complete the head",
        has_criteria=has_criteria,
        delimiter=delimiter,
    )


def _empty(path: Path) -> HeaderError:
    return HeaderError("the table is empty", file=path, hint="its first row names the columns")


def _lines(path: Path) -> list[str]:
    lines: list[str] = []
    left = _MOST_CHARACTERS
    for number, text in each_text_line(path):
        lines.extend([""] * (number - 1 - len(lines)))  # long runs of empty lines are left out
        lines.append(text)
        left -= len(text) + 1
        if left < 0:
            raise HeaderError(
                f"the table is longer than {_MOST_CHARACTERS // 2**20} MiB",
                file=path,
                hint="split it into several files",
            )
    return lines


def _delimiter(text: str) -> str:
    """What stands most often between the cells of a line."""
    bare = _QUOTED.sub("", text)
    return max(_DELIMITERS, key=bare.count) if bare else ","


def _rows(path: Path, lines: Sequence[str], begin: int, delimiter: str) -> Iterator[Row]:
    below = (f"{text}\n" for text in islice(lines, begin, None))
    reader = csv.reader(below, delimiter=delimiter, strict=True)
    left = _MOST_CELLS
    while True:
        line = begin + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise HeaderError(
                f"this row cannot be read: {error}", file=path, line=line, hint="look at its quotes"
            ) from None
        if row is None:
            return
        left -= len(row)
        if left < 0:
            raise HeaderError(
                f"more than {_MOST_CELLS} cells", file=path, line=line, hint="split the table"
            )
        if "".join(row).strip():
            yield Row(line, row)
