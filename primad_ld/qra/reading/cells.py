"""Rows of cells, whether they come from a text with delimiters or from a workbook."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.errors import HeaderError
from primad_ld.files import plain_suffix
from primad_ld.trec.lines import each_text_line, quoted

#: A table of measurements has some hundred cells; tables of ratings have millions.
MOST_CELLS: Final = 2**24
MOST_COLUMNS: Final = 2**14
_MOST_CHARACTERS: Final = 2**28
_DELIMITERS: Final = "\t;,"
_QUOTED: Final = re.compile(r'"[^"]*"')
# "#" alone may be the head of a column with numbers of rows.
_REMARK: Final = re.compile(r"\s*#[^,;\t]*[^\s,;\t]")
_SHOWN: Final = 20


class Row(NamedTuple):
    """The cells of a row, as many as the head has, without blanks around them."""

    line: int
    cells: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """A table whose first row names its columns."""

    file: str
    head: Row
    #: Read while they are asked for, so they are there once.
    rows: Iterable[Row]
    #: The ranges of merged cells (``A2:A4``) by line and column, each cell of them.
    merged: Mapping[tuple[int, int], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def error(self, why: str, line: int, column: int | None = None, hint: str = "") -> HeaderError:
        """What is wrong at a place of the table."""
        name = "" if column is None else self.name(column)
        return HeaderError(why, file=self.file, line=line, field=name, hint=hint)

    def refuse_merged(self, row: Row, column: int) -> None:
        """Refuse a cell that says the same as others: it is not clear what is meant."""
        merged = self.merged.get((row.line, column))
        if merged:
            raise self.error(
                f"this cell is merged with others ({merged}), so it is not clear what it is about",
                row.line,
                column,
                "split the cells, and write what holds in each of them",
            )

    def name(self, column: int) -> str:
        """What to call a column in a message."""
        head = self.head.cells[column]
        return (
            f"column {head if len(head) <= 60 else head[:60] + '…'}"
            if head
            else (f"column {letters(column)}")
        )

    @property
    def shown(self) -> str:
        """The names of the columns, for a message."""
        names = [name for name in self.head.cells if name]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return ", ".join(names[:_SHOWN]) + more

    def column(self, name: str, what: str) -> int:
        """The column of a name that somebody gave, whatever its case."""
        found = self.find(name)
        if found is None:
            raise self.error(
                f"there is no column {quoted(name)} for {what}",
                self.head.line,
                hint=f"{did_you_mean(name, self.head.cells)}the columns are {self.shown}",
            )
        return found

    def find(self, name: str) -> int | None:
        """The column of a name, None if there is none; one that stands twice is an error."""
        for same in (str, str.casefold):
            found = [at for at, head in enumerate(self.head.cells) if same(head) == same(name)]
            if len(found) > 1:
                raise self.error(
                    f"there are {len(found)} columns {quoted(name)}",
                    self.head.line,
                    hint="give each column a name of its own",
                )
            if found:
                return found[0]
        return None

    def find_any(self, names: Iterable[str], taken: Iterable[int] = ()) -> int | None:
        """The first column that has one of the usual names."""
        for name in names:
            found = self.find(name)
            if found is not None and found not in taken:
                return found
        return None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The beginning of a hint: what is close to a name, if anything is."""
    folded = {one.casefold(): one for one in known if one}
    close = get_close_matches(name.casefold(), folded, 1)
    return f"did you mean {folded[close[0]]}? " if close else ""


def letters(column: int) -> str:
    """The name that spreadsheet programs give a column: A, B, …, Z, AA."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def read_cells(path: Path, sheet: str = "") -> Cells:
    """The table of a file: ``scores.csv``, ``scores.tsv.gz``, ``scores.xlsx#Second sheet``.

    A comma, semicolon or tab between the cells is found in the head. Remarks, which begin with
    ``#``, may stand above the head.
    """
    name = str(path)
    # A name may have a # of its own.
    if not sheet and "#" in name and not path.exists():
        name, _, sheet = name.partition("#")
        path = Path(name)
    if Path(plain_suffix(path)[0]).suffix.lower() == ".xlsx":
        from primad_ld.qra.reading.sheets import read_sheet

        return read_sheet(path, sheet)
    if sheet:
        raise HeaderError(
            f"there is no sheet {quoted(sheet)}, for this is no workbook",
            file=path,
            hint="name the file alone",
        )
    return _of_text(path)


# Texts with delimiters --------------------------------------------------------------------


def _of_text(path: Path) -> Cells:
    lines = _Lines(path)
    delimiter = lines.delimiter()
    rows = _rows(lines, delimiter)
    head = next(rows, None)
    if head is None:
        raise HeaderError("the table is empty", file=path, hint="its first row names the columns")
    cells = head_of(str(path), head)
    return Cells(file=str(path), head=cells, rows=even(rows, cells, str(path)))


def head_of(file: str, row: Row) -> Row:
    """The head of a table: it names a column at least."""
    cells = [" ".join(cell.split()) for cell in row.cells]
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) > MOST_COLUMNS:
        raise HeaderError(f"more than {MOST_COLUMNS} columns", file=file, line=row.line)
    return Row(row.line, tuple(cells))


class _Lines:
    """The lines of a file from its head on, and how many of them were read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.skipped = 0
        self._lines = each_text_line(path)
        self._first: str | None = None

    def delimiter(self) -> str:
        """What stands most often between the cells of the head."""
        for number, text in self._lines:
            if text.strip() and not _REMARK.match(text):
                self._first, self.skipped = text, number - 1
                bare = _QUOTED.sub("", text)
                return max(_DELIMITERS, key=bare.count) if bare else ","
        return ","

    def __iter__(self) -> Iterator[str]:
        if self._first is not None:
            yield self._sized(self._first)
        for _, text in self._lines:
            yield self._sized(text)

    def _sized(self, text: str) -> str:
        self.size += len(text) + 1
        if self.size > _MOST_CHARACTERS:
            raise HeaderError(
                f"the table is longer than {_MOST_CHARACTERS // 2**20} MiB",
                file=self.path,
                hint="split it into several files",
            )
        return f"{text}\n"


def _rows(lines: _Lines, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    count = 0
    while True:
        line = lines.skipped + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise HeaderError(
                f"this row cannot be read: {error}",
                file=lines.path,
                line=line,
                hint="look at its quotes",
            ) from None
        if row is None:
            return
        count += len(row)
        if count > MOST_CELLS:
            raise HeaderError(
                f"more than {MOST_CELLS} cells", file=lines.path, line=line, hint="split the table"
            )
        if "".join(row).strip():
            yield Row(line, row)


def even(rows: Iterable[Row], head: Row, file: str) -> Iterator[Row]:
    """Rows that have the cells of the head, without blanks around them."""
    wanted = len(head.cells)
    for line, cells in rows:
        even = list(map(str.strip, cells))
        while len(even) > wanted and not even[-1]:
            even.pop()
        if len(even) != wanted:
            raise HeaderError(
                f"this row has {len(even)} cells, and the head has {wanted}",
                file=file,
                line=line,
                hint="complete the row"
                if len(even) < wanted
                else "put texts with a delimiter in them in quotes, or complete the head",
            )
        yield Row(line, even)
