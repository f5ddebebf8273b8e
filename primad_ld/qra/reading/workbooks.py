"""Tables in workbooks (.xlsx and .xlsm, ECMA-376), with nothing but the library of Python.

What a spreadsheet program shows is what is read, as far as a measurement needs it:

- A number is the shortest text that reads as the same number: 84.510000000000005 is 84.51.
- A cell in a format of percentages is what it shows: 0.9675 is 96.75%. So a workbook says the
  same as the .csv that is saved from it, and CV* is the same either way.
- A cell in a format of dates is a date, and so no value: programs take 1.5 for the first of May.
- A formula is the value that was saved with it; what is hidden, by a filter or hand, is left out.

A workbook is an archive of XML files, and anybody may have written it: what is unpacked is
limited, and documents with a DOCTYPE, in which entities grow, are refused.
"""

from __future__ import annotations

import contextlib
import io
import lzma
import posixpath
import re
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Final, NamedTuple
from xml.parsers import expat

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import read_at_most, reading
from primad_ld.qra.reading.cells import (
    MOST_COLUMNS,
    Cells,
    Row,
    did_you_mean,
    even,
    head_at,
    head_of,
    letters,
)
from primad_ld.qra.reading.table_heads import HEAD_ROWS, HeadFinder
from primad_ld.trec.columns import BLANKS, number_of, quoted

_MOST_PACKED: Final = 2**25
_MOST_UNPACKED: Final = 2**27
# A cell here takes more than one of a text, since nothing tells which row comes next.
_MOST_CELLS: Final = 2**22
_PIECE: Final = 2**16
_OLE2: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAVE: Final = "open it in a spreadsheet program and save it as .xlsx or .csv"
_DAMAGED: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
# What is in quotes, behind a backslash or in brackets is no part of a format.
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\[\]]*\]')
_PERCENT: Final = frozenset((9, 10))
_DATES: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_LAST_ROW: Final = 2**20
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_EXACT: Final = 2**53
_TRUE: Final = ("1", "true")
# The calendar of 1900 has a day too many: its numbers are right from March on.
_MARCH_1900: Final = 60


def read_sheet(path: Path, sheet: str = "", finder: HeadFinder | None = None) -> Cells:
    """A sheet of a workbook: the one with this name, or else the first that is not hidden."""
    with reading(path) as stream:
        data = read_at_most(stream, _MOST_PACKED)
    if len(data) > _MOST_PACKED:
        raise HeaderError(
            f"the workbook is larger than {_MOST_PACKED // 2**20} MiB",
            file=path,
            hint="keep the table in a workbook of its own, or save it as .csv",
        )
    book = _Book(path, data)
    return book.cells(sheet, finder)


# The workbook -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Listed:
    """A sheet as the workbook lists it."""

    name: str
    path: str
    is_hidden: bool


class _Book:
    """A workbook while a sheet of it is being read."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.parts = _Parts(path, data)
        if "mimetype" in self.parts.names or "xl/workbook.bin" in self.parts.names:
            raise self.parts.error("this is another kind of workbook than .xlsx", _SAVE)
        main = self.parts.relations("")
        self.main = next(
            (target for kind, target in main.values() if kind == "officeDocument"),
            "xl/workbook.xml",
        )
        self.related = self.parts.relations(self.main)
        self.sheets: list[_Listed] = []
        #: The day of which a date is a number of days apart.
        self.epoch = datetime(1899, 12, 30)  # noqa: DTZ001 - a workbook knows no time zones
        self.parts.parse(self.main, self._start)

    def _start(self, tag: str, given: Mapping[str, str]) -> None:
        if tag == "workbookPr" and given.get("date1904") in ("1", "true"):
            self.epoch = datetime(1904, 1, 1)  # noqa: DTZ001
        elif tag == "sheet":
            kind, target = self.related.get(given.get("id", ""), ("", ""))
            if kind == "worksheet":
                is_hidden = given.get("state", "visible") != "visible"
                self.sheets.append(_Listed(given.get("name", ""), target, is_hidden))

    def cells(self, name: str, finder: HeadFinder | None) -> Cells:
        """The table of a sheet."""
        chosen = self._chosen(name)
        file = str(self.parts.path)
        named = f"{file}#{name}" if name else file
        sheet = _Worksheet(named, self._styles(), self._texts(), self.epoch)
        self.parts.parse(chosen.path, sheet.start, sheet.end, sheet.text)
        others = [one.name for one in self.sheets if not one.is_hidden and one is not chosen]
        if name or not others:
            return sheet.cells(finder)
        note = f"{file}: the sheet {chosen.name} is read; name another one as {file}#{others[0]}"
        shown = " or ".join(f"{file}#{one}" for one in others[:5])
        elsewhere = f"this is the sheet {chosen.name}; to read another one, name it: {shown}"
        return sheet.cells(finder, (note,), elsewhere)

    def _chosen(self, name: str) -> _Listed:
        names = [one.name for one in self.sheets]
        if name:
            found = [one for one in self.sheets if one.name == name] or [
                one for one in self.sheets if one.name.casefold() == name.casefold()
            ]
        else:
            found = [one for one in self.sheets if not one.is_hidden] or self.sheets
        if not found and name:
            hint = f"{did_you_mean(name, names)}the sheets are {', '.join(names[:20])}"
            raise self.parts.error(f"there is no sheet {quoted(name)}", hint)
        if not found:
            raise self.parts.error("the workbook has no sheet with cells")
        return found[0]

    def _of_kind(self, kind: str) -> str | None:
        return next((target for found, target in self.related.values() if found == kind), None)

    def _texts(self) -> list[str]:
        """The texts that cells share: they hold their numbers."""
        name = self._of_kind("sharedStrings")
        reader = _Texts()
        if name is not None:
            self.parts.parse(name, reader.start, reader.end, reader.text)
        return reader.found

    def _styles(self) -> list[str]:
        """For each style of cells, what its numbers are: ``percent``, ``date`` or nothing."""
        name = self._of_kind("styles")
        reader = _Styles()
        if name is not None:
            self.parts.parse(name, reader.start, reader.end)
        return reader.found


class _Texts:
    """Reads shared texts, whose parts may be formatted apart from each other."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._parts: list[str] = []
        self._is_text = False
        self._phonetic = 0

    def start(self, tag: str, _: Mapping[str, str]) -> None:
        if tag == "si":
            self._parts = []
        self._phonetic += tag == "rPh"
        # How a text is pronounced is no part of it.
        self._is_text = tag == "t" and not self._phonetic

    def text(self, data: str) -> None:
        if self._is_text:
            self._parts.append(data)

    def end(self, tag: str) -> None:
        self._is_text = False
        self._phonetic -= tag == "rPh"
        if tag == "si":
            self.found.append(unescaped("".join(self._parts)))


class _Styles:
    """Reads what kind of number each style shows."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._kinds = {**dict.fromkeys(_PERCENT, "percent"), **dict.fromkeys(_DATES, "date")}
        self._is_cell = False

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        if tag == "numFmt":
            self._kinds[_whole_number(given.get("numFmtId"))] = kind_of(given.get("formatCode", ""))
        elif tag == "cellXfs":
            self._is_cell = True
        elif tag == "xf" and self._is_cell:
            self.found.append(self._kinds.get(_whole_number(given.get("numFmtId")), ""))

    def end(self, tag: str) -> None:
        if tag == "cellXfs":
            self._is_cell = False


def kind_of(code: str) -> str:
    """What a format makes of a number: a percentage, a date, or nothing that matters here."""
    bare = _LITERAL.sub("", code).partition(";")[0].lower()
    if "%" in bare:
        return "percent"
    return "date" if bare != "general" and re.search(r"[ymdhs]", bare) else ""


# The sheet --------------------------------------------------------------------------------


class _Merge(NamedTuple):
    """A range of merged cells; rows count from 1, columns from 0."""

    name: str
    top: int
    bottom: int
    left: int
    right: int


class _Worksheet:
    """Takes the elements of a sheet, and makes a table of them."""

    def __init__(
        self, file: str, styles: Sequence[str], texts: Sequence[str], epoch: datetime
    ) -> None:
        self.file, self.styles, self.texts, self.epoch = file, styles, texts, epoch
        self._rows: dict[int, dict[int, str]] = {}
        self._merges: list[_Merge] = []
        self._hidden_columns: set[int] = set()
        self._is_hidden_row = self._is_hidden = False
        #: Rows and columns that are hidden and hold something.
        self._left_rows: set[int] = set()
        self._left_columns: set[int] = set()
        self._count = self._line = 0
        self._column = -1
        self._cell: Mapping[str, str] | None = None
        self._parts: list[str] = []
        self._is_text = self._is_formula = False

    def error(self, why: str, hint: str = "") -> HeaderError:
        """What is wrong with the cell that is being read."""
        field = f"cell {letters(self._column)}{self._line}" if self._column >= 0 else ""
        return HeaderError(why, file=self.file, line=self._line or None, field=field, hint=hint)

    # Elements -----------------------------------------------------------------------------

    def start(self, tag: str, given: Mapping[str, str]) -> None:
        """An element begins."""
        if tag == "c":
            self._begin(given)
        elif tag == "row":
            self._line = _whole_number(given["r"]) if "r" in given else self._line + 1
            self._column = -1
            self._is_hidden_row = given.get("hidden") in _TRUE
            self._check_place()
        elif tag == "col" and given.get("hidden") in _TRUE:
            self._hide(_whole_number(given.get("min")) - 1, _whole_number(given.get("max")) - 1)
        elif tag == "mergeCell":
            self._merges.append(self._merge(given.get("ref", "")))
            self._check_count()
        elif self._cell is not None:
            self._is_text = tag in ("v", "t")
            self._is_formula |= tag == "f"
        elif self._is_hidden and tag in ("v", "is"):
            self._leave_out()

    def text(self, data: str) -> None:
        """Text of an element."""
        if self._is_text:
            self._parts.append(data)

    def end(self, tag: str) -> None:
        """An element ends."""
        self._is_text = False
        if tag == "c" and self._cell is not None:
            text = self._value(self._cell, "".join(self._parts)).strip(BLANKS)
            if text.strip():
                self._rows.setdefault(self._line, {})[self._column] = text
            self._cell = None

    def _begin(self, given: Mapping[str, str]) -> None:
        self._column += 1
        place = _REFERENCE.fullmatch(given.get("r", ""))
        if place:
            self._column, self._line = _column(place[1]), int(place[2])
        self._check_place()
        self._cell, self._parts, self._is_formula = given, [], False
        self._check_count()
        self._is_hidden = self._is_hidden_row or self._column in self._hidden_columns
        if self._is_hidden:
            self._cell = None

    def _hide(self, first: int, last: int) -> None:
        # The columns of a sheet stand in their order, so a range that goes back is none.
        if first > max(self._hidden_columns, default=-1):
            self._hidden_columns.update(range(first, min(last + 1, MOST_COLUMNS)))

    def _leave_out(self) -> None:
        """Count a hidden cell that holds something."""
        if self._is_hidden_row:
            self._left_rows.add(self._line)
        else:
            self._left_columns.add(self._column)

    def _check_place(self) -> None:
        if not 0 < self._line <= _LAST_ROW or self._column >= MOST_COLUMNS:
            raise self.error("no sheet has such a cell")

    def _check_count(self) -> None:
        self._count += 1
        if self._count > _MOST_CELLS:
            raise self.error(f"the sheet has more than {_MOST_CELLS} cells", "split the table")

    def _merge(self, reference: str) -> _Merge:
        first, _, last = reference.partition(":")
        ends = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
        if ends[0] is None or ends[1] is None:
            raise HeaderError(f"{quoted(reference)} is no range of cells", file=self.file)
        (left, top), (right, bottom) = ((_column(end[1]), int(end[2])) for end in ends if end)
        return _Merge(reference, top, bottom, left, right)

    # Values -------------------------------------------------------------------------------

    def _value(self, cell: Mapping[str, str], raw: str) -> str:
        kind = cell.get("t", "n")
        if self._is_formula and not raw and kind != "str":
            raise self.error(
                "the formula in this cell has no value yet",
                "open the workbook in a spreadsheet program and save it once, so that its "
                "formulas are computed",
            )
        if kind == "s":
            return self._shared(raw)
        if kind == "b":
            return {"0": "FALSE", "1": "TRUE"}.get(raw, raw)
        if kind != "n":
            return unescaped(raw)
        return self._number(raw.strip(BLANKS), cell) if raw.strip() else ""

    def _shared(self, raw: str) -> str:
        place = _whole_number(raw.strip())
        if not 0 <= place < len(self.texts):
            raise self.error("the workbook lacks the text of this cell", "is it damaged?")
        return self.texts[place]

    def _number(self, raw: str, cell: Mapping[str, str]) -> str:
        try:
            value = number_of(raw)
        except ValueError:
            raise self.error(f"{quoted(raw)} is no number", "is the workbook damaged?") from None
        style = _whole_number(cell.get("s", "0"))
        kind = self.styles[style] if 0 <= style < len(self.styles) else ""
        if kind == "percent" and isfinite(value):
            return f"{(Decimal(repr(value)) * 100).normalize():f}%"
        return (self._date(value) if kind == "date" else "") or shortest(value)

    def _date(self, days: float) -> str:
        """A date or time as ISO 8601 writes it; empty where it is none."""
        if not 0 <= days < 10**7:
            return ""
        before = self.epoch.year < 1900 and 1 <= days < _MARCH_1900
        try:
            found = self.epoch + timedelta(seconds=round((days + before) * 86400))
        except OverflowError:
            return ""
        if days < 1:
            return found.time().isoformat()
        is_day = not (found.hour or found.minute or found.second)
        return found.date().isoformat() if is_day else found.isoformat(sep=" ")

    # The table ----------------------------------------------------------------------------

    def cells(
        self, finder: HeadFinder | None, notes: tuple[str, ...] = (), elsewhere: str = ""
    ) -> Cells:
        """The table of the sheet; its first row is the head, or one that a finder finds."""
        lines = sorted(self._rows)
        if not lines:
            also = f"; {elsewhere}" if elsewhere else ""
            hint = f"its first row names the columns{also}"
            raise HeaderError("the sheet is empty", file=self.file, hint=hint)
        heads = 1
        if finder is not None:
            first = [Row(line, self._padded(line, 0)) for line in lines[:HEAD_ROWS]]
            at, has_upper, found = head_at(first, finder, self.file)
            lines, notes = lines[at:], (*notes, *found)
            rows_of_head = [row.cells for row in first[at : at + 2]]
            heads += has_upper or (len(rows_of_head) > 1 and finder.is_lower(*rows_of_head))
        merged = dict(self._merged(lines, lines[:heads]))
        head, above = head_of(
            self.file, *(Row(line, self._padded(line, 0)) for line in lines[:heads])
        )
        width = len(head.cells)
        if width * len(lines) > _MOST_CELLS:
            raise HeaderError(
                f"{len(lines)} rows of {width} columns are more than {_MOST_CELLS} cells",
                file=self.file,
                hint="split the table",
            )
        rows = [Row(line, self._padded(line, width)) for line in lines[heads:]]
        return Cells(
            file=self.file,
            head=head,
            above=above,
            rows=list(even(rows, head, self.file, "name each column in the head")),
            merged=merged,
            notes=(*notes, *self._hidden_notes()),
            hidden=frozenset(self._hidden_columns),
            elsewhere=elsewhere,
        )

    def _hidden_notes(self) -> Iterator[str]:
        counts = ((len(self._left_rows), "row"), (len(self._left_columns), "column"))
        shown = [f"{count} hidden {one}{'s' * (count != 1)}" for count, one in counts if count]
        if shown:
            verb = "is" if sum(count for count, _ in counts) == 1 else "are"
            yield f"{self.file}: {' and '.join(shown)} {verb} left out"

    def _padded(self, line: int, width: int) -> list[str]:
        cells = self._rows[line]
        return [cells.get(column, "") for column in range(max(width, max(cells) + 1))]

    def _merged(
        self, lines: Sequence[int], heads: Sequence[int]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """The cells of merged ranges. One column of cells, or the head, says the same in each."""
        for merge in self._merges:
            inside = lines[bisect_left(lines, merge.top) : bisect_right(lines, merge.bottom)]
            is_head = merge.top == merge.bottom and merge.top in heads
            said = self._rows.get(merge.top, {}).get(merge.left, "")
            right = min(merge.right, MOST_COLUMNS - 1)
            for line in inside:
                for column in range(merge.left, right + 1):
                    self._check_count()
                    if said and (is_head or merge.left == merge.right):
                        self._rows[line][column] = said
                    yield (line, column), merge.name


def shortest(value: float) -> str:
    """The shortest text that reads as the same number."""
    if isfinite(value) and value == int(value) and abs(value) < _EXACT:
        return str(int(value))
    return repr(value)


def unescaped(text: str) -> str:
    """A text in which characters that XML cannot hold are written as ``_x000D_``."""

    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return found[0] if 0xD800 <= code < 0xE000 else chr(code)

    return _ESCAPED.sub(character, text)


def _whole_number(text: str | None) -> int:
    """A whole number from 0 on; -1 for what is none."""
    is_number = text is not None and text.isascii() and text.isdecimal() and len(text) <= 9
    return int(text) if is_number and text is not None else -1


def _column(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


# Parts ------------------------------------------------------------------------------------

_Start = Callable[[str, Mapping[str, str]], None]


class _Parts:
    """The files within a workbook."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.left = _MOST_UNPACKED
        if data.startswith(_OLE2):
            raise self.error(
                "this is a workbook with a password, or an old .xls",
                "save it as .xlsx without a password",
            )
        with self.undamaged("the workbook"):
            self.archive = zipfile.ZipFile(io.BytesIO(data))
        self.names = frozenset(self.archive.namelist())

    def error(self, why: str, hint: str = "", line: int | None = None) -> HeaderError:
        return HeaderError(why, file=self.path, line=line, hint=hint)

    @contextlib.contextmanager
    def undamaged(self, what: str) -> Iterator[None]:
        try:
            yield
        except _DAMAGED as error:
            hint = "this is no .xlsx, or it is damaged; " + _SAVE
            raise self.error(f"{what} cannot be read ({error})", hint) from error

    def parse(
        self,
        name: str,
        start: _Start,
        end: Callable[[str], None] | None = None,
        text: Callable[[str], None] | None = None,
    ) -> None:
        """Read an XML file, whose elements are called by their names without a namespace."""
        if name not in self.names:
            hint = _SAVE
            raise self.error(f"the workbook lacks {quoted(name)}, so it is no .xlsx", hint)
        parser = expat.ParserCreate()
        parser.buffer_text = True

        def refuse(*_: object) -> None:
            raise self.error(f"{name} has a DOCTYPE, which no workbook has", _SAVE)

        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = lambda tag, given: start(tag.rpartition(":")[2], _bare(given))
        if end is not None:
            parser.EndElementHandler = lambda tag: end(tag.rpartition(":")[2])
        if text is not None:
            parser.CharacterDataHandler = text
        try:
            for piece in self._pieces(name):
                parser.Parse(piece, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise self.error(f"{name} cannot be read ({error})", _SAVE) from error

    def _pieces(self, name: str) -> Iterator[bytes]:
        with self.undamaged(name):
            stream = self.archive.open(name)
        with stream:
            while True:
                with self.undamaged(name):
                    piece = stream.read(_PIECE)
                if not piece:
                    return
                self.left -= len(piece)
                if self.left < 0:
                    raise self.error(
                        f"unpacked, the workbook is larger than {_MOST_UNPACKED // 2**20} MiB",
                        "keep the table in a workbook of its own, or save it as .csv",
                    )
                yield piece

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """The files that a file refers to, by their keys in it: the last word of a type, a path."""
        folder, _, base = name.rpartition("/")
        found: dict[str, tuple[str, str]] = {}

        def start(tag: str, given: Mapping[str, str]) -> None:
            if tag == "Relationship" and given.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/", folder, given.get("Target", "")))
                kind = given.get("Type", "").rpartition("/")[2]
                found[given.get("Id", "")] = kind, target.lstrip("/")

        beside = posixpath.join(folder, "_rels", f"{base}.rels")
        if beside in self.names:
            self.parse(beside, start)
        return found


def _bare(given: Mapping[str, str]) -> Mapping[str, str]:
    """Attributes by their names without a namespace, which few of them have."""
    if not any(":" in key for key in given):
        return given
    return {key.rpartition(":")[2]: value for key, value in given.items()}
