"""Tables in workbooks (.xlsx and .xlsm, ECMA-376), with nothing but the library of Python.

What a spreadsheet program shows is what is read, as far as a measurement needs it:

- A number is the shortest text that reads as the same number: 84.510000000000005 is 84.51.
- A cell in a format of percentages is what it shows: 0.9675 is 96.75%. So a workbook says the
  same as the .csv that is saved from it, and CV* is the same either way.
- A cell in a format of dates is a date, and so no value: programs take 1.5 for the first of May.
- A formula is the value that was saved with it; what is hidden, by a filter or hand, is left out.

A workbook is an archive of XML files, and anybody may have written it: what it claims to unpack to
is limited before anything is read, and documents with a DOCTYPE, in which entities grow, are refused.
"""

from __future__ import annotations

import contextlib
import io
import posixpath
import re
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import read_at_most, reading
from primad_ld.qra.reading.cells import Cells, alike, did_you_mean, letters
from primad_ld.qra.reading.table_heads import (
    HEAD_ROWS,
    MOST_COLUMNS,
    HeadFinder,
    HeadPlace,
    Row,
)
from primad_ld.trec.columns import BLANKS, number_of, quoted

_MOST_PACKED: Final = 2**25
_MOST_UNPACKED: Final = 2**27
_MOST_CELLS: Final = 2**22
_LAST_ROW: Final = 2**20
_OLE2: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAVE: Final = "open it in a spreadsheet program and save it as .xlsx or .csv"
# Other methods of compression unpack more than they say before anybody can look.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED: Final = (
    zipfile.BadZipFile,
    zlib.error,
    ET.ParseError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
# What is in quotes, after a backslash or in brackets is no part of a format.
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\[\]]*\]')
_PERCENT: Final = frozenset((9, 10))
_DATES: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_REFERENCE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_ESCAPED: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")
_EXACT: Final = 2**53
_TRUE: Final = ("1", "true")


def read_sheet(path: Path, sheet: str = "", finder: HeadFinder | None = None) -> Cells:
    """A sheet of a workbook: the one with this name, or else the first that is not hidden."""
    return _Book(path).cells(sheet, finder)


def visible_sheets(path: Path) -> list[str]:
    """The names of the sheets of a workbook that are not hidden."""
    return [sheet.name for sheet in _Book(path).sheets if not sheet.is_hidden]


# The workbook -----------------------------------------------------------------------------


class _Listed(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    part: str
    is_hidden: bool


class _Book:
    """A workbook: the parts of its archive, and the sheets that it lists."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with reading(path) as stream:
            data = read_at_most(stream, _MOST_PACKED)
        if len(data) > _MOST_PACKED:
            raise self.too_large("the workbook", _MOST_PACKED)
        if data.startswith(_OLE2):
            raise self.error(
                "this is a workbook with a password, or an old .xls",
                "save it as .xlsx without a password",
            )
        with self.undamaged("the workbook"):
            self.archive = zipfile.ZipFile(io.BytesIO(data))
        parts = self.archive.infolist()
        self.names = {part.filename for part in parts}
        if "mimetype" in self.names or "xl/workbook.bin" in self.names:
            raise self.error("this is another kind of workbook than .xlsx", _SAVE)
        if sum(part.file_size for part in parts) > _MOST_UNPACKED:
            raise self.too_large("unpacked, the workbook", _MOST_UNPACKED)
        if any(part.compress_type not in _METHODS for part in parts):
            raise self.error("the workbook is compressed in a way that no .xlsx is", _SAVE)
        #: The day from which days are counted.
        self.epoch = datetime(1899, 12, 30)  # noqa: DTZ001 - a workbook knows no time zones
        self.sheets: list[_Listed] = []
        main = dict(self.related("").values()).get("officeDocument", "xl/workbook.xml")
        related = self.related(main)
        self.parts = dict(related.values())
        for element in self.elements(main, "workbookPr", "sheet"):
            given = {key.rpartition("}")[2]: text for key, text in element.attrib.items()}
            kind, part = related.get(given.get("id", ""), ("", ""))
            if given.get("date1904") in _TRUE:
                self.epoch = datetime(1904, 1, 1)  # noqa: DTZ001
            if kind == "worksheet":
                is_hidden = given.get("state", "visible") != "visible"
                self.sheets.append(_Listed(given.get("name", ""), part, is_hidden))

    def error(self, why: str, hint: str = "") -> HeaderError:
        return HeaderError(why, file=self.path, hint=hint)

    def too_large(self, what: str, most: int) -> HeaderError:
        return self.error(
            f"{what} is larger than {most // 2**20} MiB",
            "keep the table in a workbook of its own, or save it as .csv",
        )

    @contextlib.contextmanager
    def undamaged(self, what: str) -> Iterator[None]:
        try:
            yield
        except _DAMAGED as error:
            hint = f"this is not an .xlsx, or it is damaged; {_SAVE}"
            raise self.error(f"{what} cannot be read ({error})", hint) from error

    def elements(self, part: str, *tags: str) -> Iterator[ET.Element]:
        """The elements of a part that have one of some names, each when it ends."""
        if part not in self.names:
            raise self.error(f"the workbook lacks {quoted(part)}, so it is not an .xlsx", _SAVE)
        with self.undamaged(part):
            data = self.archive.read(part)
        # XML in UTF-8 has no zero bytes; in UTF-16 a DOCTYPE would look otherwise.
        if b"<!DOCTYPE" in data or b"\0" in data:
            raise self.error(f"{part} has a DOCTYPE, or is not in UTF-8; no workbook is so", _SAVE)
        parsed = ET.iterparse(io.BytesIO(data))  # noqa: S314 - without entities
        while True:
            with self.undamaged(part):
                _, element = next(parsed, (None, None))
            if element is None:
                return
            if element.tag.rpartition("}")[2] in tags:
                yield element
                element.clear()

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """The parts that a part refers to, by their keys in it: the last word of a type, a path."""
        folder, _, base = part.rpartition("/")
        beside = posixpath.join(folder, "_rels", f"{base}.rels")
        found: dict[str, tuple[str, str]] = {}
        for element in self.elements(beside, "Relationship") if beside in self.names else ():
            target = posixpath.normpath(posixpath.join("/", folder, element.get("Target", "")))
            kind = element.get("Type", "").rpartition("/")[2]
            found[element.get("Id", "")] = kind, target.lstrip("/")
        return found

    def cells(self, name: str, finder: HeadFinder | None) -> Cells:
        """The table of a sheet."""
        chosen = self.chosen(name)
        file = f"{self.path}#{name}" if name else str(self.path)
        sheet = _Sheet(file, self, chosen.part)
        others = [one.name for one in self.sheets if not one.is_hidden and one is not chosen]
        if name or not others:
            return sheet.cells(finder)
        note = f"{file}: the sheet {chosen.name} is read; name another one as {file}#{others[0]}"
        listed = " or ".join(f"{file}#{one}" for one in others[:5])
        elsewhere = f"this is the sheet {chosen.name}; to read another one, name it: {listed}"
        return sheet.cells(finder, (note,), elsewhere)

    def chosen(self, name: str) -> _Listed:
        """The sheet of a name, or else the first that is not hidden."""
        names = [one.name for one in self.sheets]
        wanted = alike(name, names)
        if not name:
            wanted = [one.name for one in self.sheets if not one.is_hidden] or names
        found = next((one for one in self.sheets if one.name in wanted), None)
        if found is not None:
            return found
        if not name:
            raise self.error("the workbook has no sheet with cells")
        hint = f"{did_you_mean(name, names)}the sheets are {', '.join(names[:20])}"
        raise self.error(f"there is no sheet {quoted(name)}", hint)

    def shared_texts(self) -> list[str]:
        """The texts that cells share: they hold their numbers."""
        part = self.parts.get("sharedStrings")
        return [_text_of(item) for item in self.elements(part, "si")] if part else []

    def formats(self) -> list[str]:
        """For each style of cells, what its numbers are: ``percent``, ``date`` or nothing."""
        kinds = {**dict.fromkeys(_PERCENT, "percent"), **dict.fromkeys(_DATES, "date")}
        formats: list[str] = []
        part = self.parts.get("styles")
        for element in self.elements(part, "numFmt", "cellXfs") if part else ():
            if element.tag.endswith("numFmt"):
                code = element.get("formatCode", "")
                kinds[_whole_number(element.get("numFmtId"))] = kind_of(code)
            else:
                formats += [kinds.get(_whole_number(xf.get("numFmtId")), "") for xf in element]
        return formats


def kind_of(code: str) -> str:
    """What a format makes of a number: a percentage, a date, or nothing that matters here."""
    bare = _LITERAL.sub("", code).partition(";")[0].lower()
    if "%" in bare:
        return "percent"
    return "date" if bare != "general" and re.search(r"[ymdhs]", bare) else ""


def _text_of(element: ET.Element) -> str:
    """A text, whose parts may be formatted; how it is pronounced is no part of it."""
    parts = [*element.findall("{*}t"), *element.findall("{*}r/{*}t")]
    return unescaped("".join(part.text or "" for part in parts))


def unescaped(text: str) -> str:
    """A text in which characters that XML cannot hold are written as ``_x000D_``."""

    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return found[0] if 0xD800 <= code < 0xE000 else chr(code)

    return _ESCAPED.sub(character, text)


def shortest(value: float) -> str:
    """The shortest text that reads as the same number."""
    if isfinite(value) and value == int(value) and abs(value) < _EXACT:
        return str(int(value))
    return repr(value)


def _whole_number(text: str | None) -> int:
    """A whole number from 0 on; -1 for what is none."""
    is_number = text is not None and text.isascii() and text.isdecimal() and len(text) <= 9
    return int(text) if is_number and text is not None else -1


def _place(reference: str) -> tuple[int, int] | None:
    """The line and the column of a cell, which count from 1 and from 0."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found[2]), column - 1


# The sheet --------------------------------------------------------------------------------


class _Sheet:
    """The cells of a sheet, and the table that they make."""

    def __init__(self, file: str, book: _Book, part: str) -> None:
        self.file, self.epoch = file, book.epoch
        self.texts, self.formats = book.shared_texts(), book.formats()
        self.rows: dict[int, dict[int, str]] = {}
        self.merges: list[str] = []
        self.hidden: set[int] = set()
        #: Rows and columns that are hidden and hold something.
        self.left_rows: set[int] = set()
        self.left_columns: set[int] = set()
        self.count = self.line = 0
        self.column = -1
        for element in book.elements(part, "col", "row", "mergeCell"):
            if element.tag.endswith("row"):
                self.read_row(element)
            elif element.tag.endswith("mergeCell"):
                self.merges.append(element.get("ref", ""))
            elif element.get("hidden") in _TRUE:
                first, last = (_whole_number(element.get(end)) for end in ("min", "max"))
                # The columns of a sheet stand in their order, so a range that goes back is none.
                if first > max(self.hidden, default=-1) + 1:
                    self.hidden.update(range(first - 1, min(last, MOST_COLUMNS)))

    def error(self, why: str, hint: str = "") -> HeaderError:
        """What is wrong with the cell that is being read."""
        field = f"cell {letters(self.column)}{self.line}" if self.column >= 0 else ""
        return HeaderError(why, file=self.file, line=self.line or None, field=field, hint=hint)

    def read_row(self, row: ET.Element) -> None:
        self.line = _whole_number(row.get("r", str(self.line + 1)))
        self.column = -1
        self.check_place()
        is_hidden = row.get("hidden") in _TRUE
        for cell in row.iterfind("{*}c"):
            self.line, self.column = _place(cell.get("r", "")) or (self.line, self.column + 1)
            self.check_place()
            self.take(1)
            if is_hidden or self.column in self.hidden:
                if cell.find("{*}v") is not None or cell.find("{*}is") is not None:
                    left = self.left_rows if is_hidden else self.left_columns
                    left.add(self.line if is_hidden else self.column)
            elif (text := self.text(cell).strip(BLANKS)).strip():
                self.rows.setdefault(self.line, {})[self.column] = text

    def check_place(self) -> None:
        if not 0 < self.line <= _LAST_ROW or self.column >= MOST_COLUMNS:
            raise self.error("no sheet has such a cell")

    def take(self, cells: int) -> None:
        self.count += cells
        if self.count > _MOST_CELLS:
            raise self.error(f"the sheet has more than {_MOST_CELLS} cells", "split the table")

    # Values -------------------------------------------------------------------------------

    def text(self, cell: ET.Element) -> str:
        """What a cell shows."""
        kind = cell.get("t", "n")
        raw = cell.findtext("{*}v") or ""
        inline = cell.find("{*}is")
        if inline is not None:
            return _text_of(inline)
        if cell.find("{*}f") is not None and not raw and kind != "str":
            raise self.error(
                "the formula in this cell has no value yet",
                "open the workbook in a spreadsheet program and save it once, so that its "
                "formulas are computed",
            )
        if kind == "s":
            place = _whole_number(raw.strip())
            if not 0 <= place < len(self.texts):
                raise self.error("the workbook lacks the text of this cell", "is it damaged?")
            return self.texts[place]
        if kind == "b":
            return {"0": "FALSE", "1": "TRUE"}.get(raw, raw)
        if kind != "n":
            return unescaped(raw)
        return self.number(raw.strip(BLANKS), cell) if raw.strip() else ""

    def number(self, raw: str, cell: ET.Element) -> str:
        try:
            value = number_of(raw)
        except ValueError:
            raise self.error(f"{quoted(raw)} is not a number", "is the workbook damaged?") from None
        style = _whole_number(cell.get("s", "0"))
        kind = self.formats[style] if 0 <= style < len(self.formats) else ""
        if kind == "percent" and isfinite(value):
            return f"{(Decimal(repr(value)) * 100).normalize():f}%"
        return (self.date(value) if kind == "date" else "") or shortest(value)

    def date(self, days: float) -> str:
        """A date or time as ISO 8601 writes it; empty where it is none."""
        try:
            found = self.epoch + timedelta(seconds=round(days * 86400))
        except (OverflowError, ValueError):
            return ""
        if 0 <= days < 1:
            return found.time().isoformat()
        is_day = not (found.hour or found.minute or found.second)
        return found.date().isoformat() if is_day else found.isoformat(sep=" ")

    # The table ----------------------------------------------------------------------------

    def cells(
        self, finder: HeadFinder | None, notes: tuple[str, ...] = (), elsewhere: str = ""
    ) -> Cells:
        """The table of the sheet; its first row is the head, or one that a finder finds."""
        lines = sorted(self.rows)
        if not lines:
            hint = "; ".join(filter(None, ("its first row names the columns", elsewhere)))
            raise HeaderError("the sheet is empty", file=self.file, hint=hint)
        place = HeadPlace()
        if finder is not None:
            place = finder.find([self.padded(line) for line in lines[:HEAD_ROWS]], self.file)
        lines = lines[place.at :]
        heads, below = lines[: place.size], lines[place.size :]
        merged = dict(self.merged(lines, heads))
        width = max(max(self.rows[line]) for line in heads) + 1
        if width * len(lines) > _MOST_CELLS:
            raise HeaderError(
                f"{len(lines)} rows of {width} columns are more than {_MOST_CELLS} cells",
                file=self.file,
                hint="split the table",
            )
        return Cells.below(
            [self.padded(line) for line in heads],
            [self.padded(line, width) for line in below],
            file=self.file,
            hint="name each column in the head",
            merged=merged,
            notes=(*notes, *place.notes, *self.hidden_notes()),
            hidden=frozenset(self.hidden),
            elsewhere=elsewhere,
        )

    def padded(self, line: int, width: int = 0) -> Row:
        cells = self.rows[line]
        columns = range(max(width, max(cells) + 1))
        return Row(line, [cells.get(column, "") for column in columns])

    def hidden_notes(self) -> Iterator[str]:
        counts = {"row": len(self.left_rows), "column": len(self.left_columns)}
        shown = [
            f"{count} hidden {one}{'s' * (count != 1)}" for one, count in counts.items() if count
        ]
        if shown:
            verb = "is" if sum(counts.values()) == 1 else "are"
            yield f"{self.file}: {' and '.join(shown)} {verb} left out"

    def merged(
        self, lines: Sequence[int], heads: Sequence[int]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """The cells of merged ranges. One column of cells, or the head, says the same in each."""
        last = max(max(cells) for cells in self.rows.values())
        for reference in self.merges:
            ends = [_place(end) for end in reference.split(":")]
            if None in ends:
                raise HeaderError(f"{quoted(reference)} is not a range of cells", file=self.file)
            (top, left), (bottom, right) = (end or (0, 0) for end in (ends[0], ends[-1]))
            inside = lines[bisect_left(lines, top) : bisect_right(lines, bottom)]
            columns = range(left, min(right, last) + 1)
            self.take(len(inside) * len(columns))
            text = self.rows.get(top, {}).get(left, "")
            is_shared = left == right or (top == bottom and top in heads)
            for line in inside:
                for column in columns:
                    if text and is_shared:
                        self.rows[line][column] = text
                    yield (line, column), reference
