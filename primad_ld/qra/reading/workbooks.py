"""Tables in workbooks (.xlsx and .xlsm), which openpyxl reads.

What a spreadsheet program shows is what is read, as far as a measurement needs it:

- A number is the shortest text that reads as the same number: 84.510000000000005 is 84.51.
- A cell in a format of percentages is what it shows: 0.9675 is 96.75%. So a workbook says the
  same as the .csv that is saved from it, and CV* is the same either way.
- A cell in a format of dates is a date, and so no value: programs take 1.5 for the first of May.
- A formula is the value that was saved with it; what is hidden, by a filter or hand, is left out.

Anybody may have written a workbook: what it unpacks to, and how many cells it merges, is limited
before openpyxl opens it, and documents with a DOCTYPE, in which entities grow, are refused.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Callable, Collection, Iterator
from decimal import Decimal
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import read_at_most, reading
from primad_ld.qra.reading.cells import MOST_COLUMNS, Cells, Row, alike, did_you_mean, letters, some
from primad_ld.trec.columns import BLANKS, quoted

_MOST_PACKED: Final = 2**25
_MOST_UNPACKED: Final = 2**26
_MOST_CELLS: Final = 2**21
_MOST_MERGED: Final = 2**17
_OLE2: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SAVE: Final = "open it in a spreadsheet program and save it as .xlsx or .csv"
_SMALLER: Final = "keep the table in a workbook of its own, or save it as .csv"
# Other methods of compression unpack more than they say before anybody can look.
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# openpyxl makes an object of each element but these: values and texts.
_ELEMENT: Final = re.compile(rb"<(?![?!/]|(?:[^\s<>/:]+:)?(?:v|t|f|is|si)[\s/>])")
# What is in quotes, after a backslash or in brackets is no part of a format.
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\[\]]*\]')
_MIDNIGHT: Final = " 00:00:00"
_CARRIAGE_RETURN: Final = "_x000D_"


def read_sheet(path: Path, name: str = "", *, has_criteria: bool = False) -> Cells:
    """A sheet of a workbook: the one with this name, or else the first that is not hidden."""
    data = _checked_bytes(path)
    sheets = _sheets(path, data)
    sheet = _chosen(path, sheets, name)
    file = f"{path}#{name}" if name else str(path)
    others = [title for title in _visible(sheets) if title != sheet.title]
    notes, elsewhere = [], ""
    if others and not name:
        notes = [f"{file}: the sheet {sheet.title} is read; name another one as {file}#{others[0]}"]
        listed = " or ".join(f"{file}#{title}" for title in others[:5])
        elsewhere = f"this is the sheet {sheet.title}; to read another one, name it: {listed}"

    def with_formulas() -> Any:
        return _chosen(path, _sheets(path, data, data_only=False), sheet.title)

    found = _SheetReader(file, sheet, with_formulas)
    return found.cells(
        has_criteria=has_criteria,
        notes=(*notes, *found.notes()),
        hidden=frozenset(found.hidden),
        elsewhere=elsewhere,
    )


def visible_sheets(path: Path) -> list[str]:
    """The names of the sheets of a workbook that are not hidden."""
    return _visible(_sheets(path, _checked_bytes(path), read_only=True))


# The workbook -----------------------------------------------------------------------------


def _checked_bytes(path: Path) -> bytes:
    """A workbook that can be opened without harm."""
    with reading(path) as stream:
        data = read_at_most(stream, _MOST_PACKED)
    if len(data) > _MOST_PACKED:
        raise _too_large(path, "the workbook", _MOST_PACKED)
    if data.startswith(_OLE2):
        why = "this is a workbook with a password, or an old .xls"
        raise HeaderError(why, file=path, hint="save it as .xlsx without a password")
    try:
        _check_parts(path, zipfile.ZipFile(io.BytesIO(data)))
    except Exception as error:
        raise _as_our_error(path, error) from error
    return data


def _check_parts(path: Path, archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    if not {"mimetype", "xl/workbook.bin"}.isdisjoint(part.filename for part in parts):
        raise HeaderError("this is another kind of workbook than .xlsx", file=path, hint=_SAVE)
    if sum(part.file_size for part in parts) > _MOST_UNPACKED:
        raise _too_large(path, "unpacked, the workbook", _MOST_UNPACKED)
    if any(part.compress_type not in _METHODS for part in parts):
        why = "the workbook is compressed in a way that no .xlsx is"
        raise HeaderError(why, file=path, hint=_SAVE)
    elements = merged = 0
    for part in parts:
        if not part.filename.endswith((".xml", ".rels")):
            continue
        content = archive.read(part)
        # XML in UTF-8 has no zero bytes; in UTF-16 a DOCTYPE would look otherwise.
        if b"<!DOCTYPE" in content or b"\0" in content:
            why = f"{part.filename} has a DOCTYPE, or is not in UTF-8; no workbook is so"
            raise HeaderError(why, file=path, hint=_SAVE)
        elements += sum(1 for _ in _ELEMENT.finditer(content))
        merged += sum(_merged_sizes(content)) if b"mergeCell" in content else 0
    if elements > _MOST_CELLS:
        why = f"the workbook has more than {_MOST_CELLS} cells"
        raise HeaderError(why, file=path, hint=_SMALLER)
    # openpyxl makes a cell for each place of a merged range, whether it holds anything or not.
    if merged > _MOST_MERGED:
        why = f"more than {_MOST_MERGED} cells of the workbook are merged"
        raise HeaderError(why, file=path, hint="split the merged cells")


def _merged_sizes(content: bytes) -> Iterator[int]:
    from openpyxl.utils.cell import range_boundaries

    for _, element in ET.iterparse(io.BytesIO(content)):  # noqa: S314 - without entities
        if element.tag.endswith("mergeCell"):
            reference = element.get("ref", "")
            left, top, right, bottom = range_boundaries(reference)
            if None in (left, top, right, bottom):
                raise ValueError(f"{quoted(reference)} is not a range of cells")
            yield (right - left + 1) * (bottom - top + 1)
        element.clear()


def _sheets(path: Path, data: bytes, **options: bool) -> list[Any]:
    """The sheets with cells, as openpyxl has them; by default with the values of formulas."""
    try:
        import openpyxl

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of charts and the like, which are not read
            book = openpyxl.load_workbook(io.BytesIO(data), **{"data_only": True} | options)
            return list(book.worksheets)
    except Exception as error:
        raise _as_our_error(path, error) from error


def _as_our_error(path: Path, error: Exception) -> HeaderError:
    """What a user can do about an error; a workbook that is damaged may raise any."""
    if isinstance(error, HeaderError):
        return error
    if isinstance(error, ImportError):
        return HeaderError(
            f"workbooks need openpyxl, which cannot be imported ({error})",
            file=path,
            hint="install primad-ld[excel], or save the table as .csv",
        )
    why = " ".join(str(error).split()) or type(error).__name__
    hint = f"this is not an .xlsx, or it is damaged; {_SAVE}"
    return HeaderError(f"the workbook cannot be read ({why})", file=path, hint=hint)


def _too_large(path: Path, what: str, most: int) -> HeaderError:
    return HeaderError(f"{what} is larger than {most // 2**20} MiB", file=path, hint=_SMALLER)


def _visible(sheets: list[Any]) -> list[str]:
    return [sheet.title for sheet in sheets if sheet.sheet_state == "visible"]


def _chosen(path: Path, sheets: list[Any], name: str) -> Any:
    """The sheet of a name, or else the first that is not hidden."""
    names = [sheet.title for sheet in sheets]
    wanted = alike(name, names) if name else _visible(sheets) or names
    found = next((sheet for sheet in sheets if sheet.title in wanted), None)
    if found is not None:
        return found
    if not name:
        raise HeaderError("the workbook has no sheet with cells", file=path, hint=_SAVE)
    hint = f"{did_you_mean(name, names)}the sheets are {', '.join(names[:20])}"
    raise HeaderError(f"there is no sheet {quoted(name)}", file=path, hint=hint)


# The sheet --------------------------------------------------------------------------------


class _SheetReader:
    """Makes a table of the cells that a sheet shows."""

    def __init__(self, file: str, sheet: Any, with_formulas: Callable[[], Any]) -> None:
        self.file, self.sheet = file, sheet
        #: The texts of cells by line and column, which count from 1 and from 0.
        self.rows: dict[int, dict[int, str]] = {}
        hidden_lines = {line for line, row in sheet.row_dimensions.items() if row.hidden}
        self.hidden = {
            column - 1
            for one in sheet.column_dimensions.values()
            if one.hidden
            for column in range(one.min, min(one.max, MOST_COLUMNS) + 1)
        }
        #: Rows and columns that are hidden and hold something.
        self.left_rows: set[int] = set()
        self.left_columns: set[int] = set()
        empty = []
        # Not sheet.iter_rows, which makes a cell for each place before the last, far as it may be.
        for (line, column), cell in sorted(sheet._cells.items()):
            is_empty = cell.value is None
            if line in hidden_lines:
                self.left_rows |= set() if is_empty else {line}
            elif column - 1 in self.hidden:
                self.left_columns |= set() if is_empty else {column}
            elif is_empty:
                # Formulas whose value is an empty text are of another type.
                empty += [(line, column)] if cell.data_type != "str" else []
            elif (text := _text_of(cell).strip(BLANKS)).strip():
                self.rows.setdefault(line, {})[column - 1] = text
        formulas = with_formulas()._cells if empty else {}
        for place in empty:
            if place in formulas and formulas[place].data_type == "f":
                line, column = place
                raise HeaderError(
                    "the formula in this cell has no value yet",
                    file=file,
                    line=line,
                    field=f"cell {letters(column - 1)}{line}",
                    hint="open the workbook in a spreadsheet program and save it once, so that "
                    "its formulas are computed",
                )

    def cells(self, *, has_criteria: bool, elsewhere: str, **more: object) -> Cells:
        """The table of the sheet, whose head is at its top."""
        if not self.rows:
            hint = "; ".join(filter(None, ("its first row names the columns", elsewhere)))
            raise HeaderError("the sheet is empty", file=self.file, hint=hint)
        lines = list(self.rows)
        merged = dict(self.merged(lines[: 1 + has_criteria]))
        width = max(max(self.rows[line]) for line in lines[: 1 + has_criteria]) + 1
        if width * len(lines) > _MOST_CELLS:
            why = f"{len(lines)} rows of {width} columns are more than {_MOST_CELLS} cells"
            raise HeaderError(why, file=self.file, hint="split the table")
        return Cells.of_rows(
            (
                Row(line, [cells.get(at, "") for at in range(max(width, max(cells) + 1))])
                for line, cells in self.rows.items()
            ),
            file=self.file,
            hint="name each column in the head",
            has_criteria=has_criteria,
            merged=merged,
            elsewhere=elsewhere,
            **more,
        )

    def notes(self) -> Iterator[str]:
        """What is left out."""
        rows = [f"row {line}" for line in sorted(self.left_rows)]
        columns = [f"column {letters(column - 1)}" for column in sorted(self.left_columns)]
        if rows or columns:
            yield f"{self.file}: what is hidden is left out: {some([*rows, *columns])}"

    def merged(self, heads: Collection[int]) -> Iterator[tuple[tuple[int, int], str]]:
        """The cells of merged ranges. One column of cells, or the head, says the same in each."""
        for one in self.sheet.merged_cells.ranges:
            text = self.rows.get(one.min_row, {}).get(one.min_col - 1, "")
            is_shared = one.min_col == one.max_col or (
                one.min_row == one.max_row and one.min_row in heads
            )
            lines = range(one.min_row, one.max_row + 1)
            columns = range(one.min_col - 1, one.max_col)
            for line, column in product(filter(self.rows.__contains__, lines), columns):
                if text and is_shared:
                    self.rows[line][column] = text
                yield (line, column), one.coord


def _text_of(cell: Any) -> str:
    """What a cell shows: a number, a date or time as ISO 8601 writes it, or a text."""
    value = cell.value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        if is_percentage(cell.number_format) and isfinite(value):
            return f"{(Decimal(repr(value)) * 100).normalize():f}%"
        return repr(value + 0).removesuffix(".0")  # 0 for -0.0
    return str(value).removesuffix(_MIDNIGHT).replace(_CARRIAGE_RETURN, "\r")


def is_percentage(code: str) -> bool:
    """Whether a format shows a number as a percentage."""
    return "%" in _LITERAL.sub("", code).partition(";")[0]
