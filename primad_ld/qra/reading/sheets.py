"""Tables in workbooks (.xlsx and .xlsm, ECMA-376), with nothing but the library of Python.

What a spreadsheet program shows is what is read, as far as a measurement needs it:

- A number is the shortest text that reads as the same number: 84.510000000000005 is 84.51.
- A cell in a format of percentages is what it shows: 0.9675 is 96.75%. So a workbook says the
  same as the .csv that is saved from it, and CV* is the same either way.
- A cell in a format of dates is a date, and so no value: programs take 1.5 for the first of May.
- A formula is the value that was saved with it.
- What is hidden, by a filter or by hand, is left out.

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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from xml.parsers import expat

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import read_at_most, reading
from primad_ld.qra.reading.cells import Cells, did_you_mean
from primad_ld.qra.reading.heads import HeadFinder
from primad_ld.qra.reading.worksheet import Worksheet, unescaped, whole
from primad_ld.trec.columns import quoted

_MOST_PACKED: Final = 2**25
_MOST_UNPACKED: Final = 2**27
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
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_PERCENT: Final = frozenset((9, 10))
_DATES: Final = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))


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
        sheet = Worksheet(named, self._styles(), self._texts(), self.epoch)
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
            self._kinds[whole(given.get("numFmtId"))] = kind_of(given.get("formatCode", ""))
        elif tag == "cellXfs":
            self._is_cell = True
        elif tag == "xf" and self._is_cell:
            self.found.append(self._kinds.get(whole(given.get("numFmtId")), ""))

    def end(self, tag: str) -> None:
        if tag == "cellXfs":
            self._is_cell = False


def kind_of(code: str) -> str:
    """What a format makes of a number: a percentage, a date, or nothing that matters here."""
    bare = _LITERAL.sub("", code).partition(";")[0].lower()
    if "%" in bare:
        return "percent"
    return "date" if bare != "general" and re.search(r"[ymdhs]", bare) else ""
