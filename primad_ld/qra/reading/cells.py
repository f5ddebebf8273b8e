"""Tables as rows of cells, whether they come from a text with delimiters or from a workbook."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import plain_suffix
from primad_ld.core.long_texts import closest
from primad_ld.qra.reading.table_heads import (
    HEAD_ROWS,
    LAYOUTS,
    HeadFinder,
    has_values,
    is_upper,
    joined,
    plain,
)
from primad_ld.trec.columns import BLANKS, each_text_line, quoted

#: A table of measurements has some hundred cells; tables of ratings have millions.
_MOST_CELLS: Final = 2**24
MOST_COLUMNS: Final = 2**14
_MOST_CHARACTERS: Final = 2**28
_DELIMITERS: Final = "\t;,"
_QUOTED: Final = re.compile(r'"[^"]*"')
# "#" alone may be the head of a column with numbers of rows.
_REMARK: Final = re.compile(r"\s*#[^,;\t]*[^\s,;\t]")
_SHOWN: Final = 20
_IN_QUOTES: Final = "put texts with a delimiter in them in quotes, or complete the head"
#: The suffixes of workbooks, without macros and with them.
_WORKBOOKS: Final = (".xlsx", ".xlsm")


class Row(NamedTuple):
    """The cells of a row, as many as the head has, without blanks around them."""

    line: int
    cells: Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cells:
    """A table whose first row names its columns, or whose first two rows do."""

    file: str
    head: Row
    #: What a row above the head says of each column; empty without such a row.
    above: Sequence[str] = ()
    #: Read while they are asked for, so they are there once.
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
                raise self.head_error(
                    f"there are {len(found)} columns {quoted(name)}",
                    hint="give each column a name of its own",
                )
            if found:
                return found[0]
        return None

    def only_one(
        self, found: int, names: Iterable[str], option: str, taken: Collection[int] = ()
    ) -> None:
        """Refuse to choose between two columns with usual names of the same thing."""
        wanted = set(names)
        alike = [at for at, head in enumerate(self.head.cells) if plain(head) in wanted]
        other = next((at for at in alike if at != found and at not in taken), None)
        if other is not None:
            raise self.head_error(
                f"the columns {self.head.cells[found]} and {self.head.cells[other]} could both be "
                f"the {option}",
                hint=f"name one with --{option}",
            )

    def find_any(self, names: Iterable[str], taken: Iterable[int] = ()) -> int | None:
        """The first column that has one of the usual names, whatever stands behind it in brackets."""
        heads = list(map(plain, self.head.cells))
        for name in names:
            found = self.find(name)
            if found is None and heads.count(plain(name)) == 1:
                found = heads.index(plain(name))
            if found is not None and found not in taken:
                return found
        return None


def read_cells(path: Path, sheet: str = "", finder: HeadFinder | None = None) -> Cells:
    """The table of a file: ``scores.csv``, ``scores.tsv.gz``, ``scores.xlsx#Second sheet``.

    A comma, semicolon or tab between the cells is found in the head. Remarks, which begin with
    ``#``, may stand above the head; so may a title, if a ``finder`` knows what heads are like.
    """
    name = str(path)
    # A name may have a # of its own.
    if not sheet and "#" in name and not os.path.exists(path):
        name, _, sheet = name.partition("#")
        path = Path(name)
    if Path(plain_suffix(path)[0]).suffix.lower() in _WORKBOOKS:
        from primad_ld.qra.reading.workbooks import read_sheet

        return read_sheet(path, sheet, finder)
    if sheet:
        raise HeaderError(
            f"there is no sheet {quoted(sheet)}, for this is no workbook",
            file=path,
            hint="name the file alone",
        )
    return _of_text(path, finder)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The beginning of a hint: what is close to a name, if anything is."""
    folded = {one.casefold(): one for one in known if one}
    close = closest(name.casefold(), folded)
    return f"did you mean {folded[close[0]]}? " if close else ""


def letters(column: int) -> str:
    """The name that spreadsheet programs give a column: A, B, …, Z, AA."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


# Rows and heads ---------------------------------------------------------------------------


class _HeadFound(NamedTuple):
    """Where the head of a table begins."""

    at: int
    #: Whether its first row stands above the one that names the columns.
    has_upper: bool = False
    notes: tuple[str, ...] = ()


def head_at(
    rows: Sequence[Row],
    finder: HeadFinder,
    file: str,
    cells_of: Callable[[Row, Row], Sequence[str]] = lambda row, _: row.cells,
) -> _HeadFound:
    """Which of the first rows is the head, with a note if it is not the first one.

    ``cells_of`` are the cells of a row above the head, as the head's are told apart.
    """
    place = finder.place([row.cells for row in rows])
    line = rows[place.at].line if rows else 0
    if not place.is_sure:
        raise _misplaced(
            f"the head seems to be in row {line}, and has no usual names of columns",
            file,
            rows[0].line,
            "remove the rows above it, or name its columns with --object and --value",
        )
    over = [Row(row.line, cells_of(row, rows[place.at])) for row in rows[: place.at]]
    for row in over:
        if has_values(row.cells):
            raise _misplaced(
                f"the head seems to be in row {line}, and this row above it has values",
                file,
                row.line,
                "put each table into a file of its own",
            )
    # A row belongs to the head if nothing stands between.
    uppers = [row for back, row in enumerate(reversed(over), 1) if row.line == line - back]
    uppers = list(takewhile(lambda row: is_upper(row.cells), uppers))
    if len(uppers) > 1:
        raise _misplaced(
            f"the head seems to end in row {line} and to have {len(uppers) + 1} rows",
            file,
            uppers[-1].line,
            "remove the rows above it, all but one",
        )
    at = place.at - len(uppers)
    note = f"{file}: the head is row {rows[at].line if rows else 0}; rows above it are left out"
    return _HeadFound(at, bool(uppers), (note,) if at else ())


def _misplaced(why: str, file: str, line: int, hint: str) -> HeaderError:
    error = HeaderError(why, file=file, line=line, hint=hint)
    error.add_note(LAYOUTS)
    return error


def head_of(file: str, first: Row, second: Row | None = None) -> tuple[Row, Sequence[str]]:
    """The head of a table, which names a column at least, and what stands above its names."""
    names = [" ".join(cell.split()) for cell in first.cells]
    above: list[str] = []
    if second is not None:
        names, above = joined(names, [" ".join(cell.split()) for cell in second.cells])
    while names and not names[-1]:
        names.pop()
    line = (second or first).line
    if len(names) > MOST_COLUMNS:
        raise HeaderError(f"more than {MOST_COLUMNS} columns", file=file, line=line)
    return Row(line, tuple(names)), tuple(above[: len(names)])


def even(rows: Iterable[Row], head: Row, file: str, hint: str) -> Iterator[Row]:
    """Rows that have the cells of the head, without blanks around them; else what to do."""
    wanted = len(head.cells)
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


def _of_text(path: Path, finder: HeadFinder | None) -> Cells:
    lines = _Lines(path, finder)
    delimiter = lines.delimiter()
    rows = _rows(lines, delimiter)
    first = next(rows, None)
    if first is None:
        raise HeaderError("the table is empty", file=path, hint="its first row names the columns")
    second = next(rows, None)
    is_lower = second is not None and (lines.has_upper or _is_lower(finder, first, second))
    if second is not None and not is_lower:
        rows = chain((second,), rows)
    cells, above = head_of(str(path), first, second if is_lower else None)
    return Cells(
        file=str(path),
        head=cells,
        above=above,
        rows=even(rows, cells, str(path), _IN_QUOTES),
        notes=lines.notes,
        delimiter=delimiter,
    )


def _is_lower(finder: HeadFinder | None, first: Row, second: Row) -> bool:
    return finder is not None and finder.is_lower(first.cells, second.cells)


class _Lines:
    """The lines of a file from its head on, and how many of them were read."""

    def __init__(self, path: Path, finder: HeadFinder | None) -> None:
        self.path, self.finder = path, finder
        self.size = 0
        self.skipped = 0
        self.notes: tuple[str, ...] = ()
        #: Whether the first row stands above the one that names the columns.
        self.has_upper = False
        self._lines = each_text_line(path)
        #: Those from the head on that were read to find it.
        self._first: list[str] = []

    def delimiter(self) -> str:
        """What stands most often between the cells of the head."""
        for number, text in self._lines:
            if text.strip() and not _REMARK.match(text):
                self.skipped = number - 1
                self._first = [text, *self._next(text)]
                return self._skip_title()
        return ","

    def _next(self, first: str) -> Iterator[str]:
        # A head whose names have line breaks is one row of several lines.
        if self.finder is not None and not first.count('"') % 2:
            yield from (text for _, text in islice(self._lines, HEAD_ROWS - 1))

    def _skip_title(self) -> str:
        lines = dict(enumerate(self._first, self.skipped + 1))
        rows = [Row(line, _split(text)) for line, text in lines.items() if text.strip()]
        if self.finder is None:
            return _delimiter(self._first[0])

        def cells_of(row: Row, head: Row) -> Sequence[str]:
            return _split(lines[row.line], _delimiter(lines[head.line]))

        at, self.has_upper, self.notes = head_at(rows, self.finder, str(self.path), cells_of)
        above = rows[at].line - 1 - self.skipped
        self._first, self.skipped = self._first[above:], self.skipped + above
        return _delimiter(self._first[self.has_upper])

    def __iter__(self) -> Iterator[str]:
        yield from map(self._sized, self._first)
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


def _delimiter(text: str) -> str:
    bare = _QUOTED.sub("", text)
    return max(_DELIMITERS, key=bare.count) if bare else ","


def _split(text: str, delimiter: str = "") -> list[str]:
    """The cells of a line as far as it can be a head; none where it cannot be read by itself."""
    try:
        return next(csv.reader([text], delimiter=delimiter or _delimiter(text)), [])
    except csv.Error:
        return []


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
        if count > _MOST_CELLS:
            raise HeaderError(
                f"more than {_MOST_CELLS} cells", file=lines.path, line=line, hint="split the table"
            )
        if "".join(row).strip():
            yield Row(line, row)
