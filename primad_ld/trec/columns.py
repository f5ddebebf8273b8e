"""Lines split into as many columns as a reader wants: quickly where they are clean, else one by one.

A file is read as a whole number of lines at a time. As long as every line has its columns, the
rows are split without another look; otherwise the caller reads the file again, line by line,
and says where it is wrong.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, reading
from primad_ld.header.ranking_digest import START, EndlessLineError, whole_lines, with_newlines

#: What separates columns: what C, and Python in bytes, take for blanks.
BLANKS: Final = " \t\n\r\v\f"
# Python splits text at these, too, and beyond ASCII at \x85, \xa0 and others.
_ODD_BLANKS: Final = (b"\x1c", b"\x1d", b"\x1e", b"\x1f")
_BEFORE_NO_ROW: Final = (b"#", b"\n", b" ", b"\t")
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_SHOWN: Final = 60
# So many lines in succession may have nothing in them but remarks.
_MOST_REMARKS: Final = 2**22
_NO_ROWS: Final = re.compile(rb"(?:[ \t\v\f]*+(?:#[^\n]*+)?\n)*+")
# What is made of a small piece stays in the processor's caches until it is sorted out.
_PIECE: Final = 1 << 15


class UncleanError(Exception):
    """Something that only reading line by line can explain."""


class Chunk(NamedTuple):
    """A number of whole lines of a file, each with its line break."""

    data: bytes
    #: The number of the first line.
    first: int
    #: How many lines it has.
    lines: int

    @property
    def is_plain(self) -> bool:
        """Whether Python splits its text where C would."""
        return self.data.isascii() and not any(blank in self.data for blank in _ODD_BLANKS)


@contextlib.contextmanager
def lines_of(path: Path) -> Iterator[Iterator[Chunk]]:
    """The pieces of a file."""
    with reading(path) as stream:
        yield _pieces(stream)


def _pieces(stream: BinaryIO) -> Iterator[Chunk]:
    first, remarks = 1, 0
    begun = stream.read(4)
    if begun.startswith(_UTF_16):
        raise HeaderError("this file is UTF-16", line=1, hint="save the file as UTF-8")
    pieces = whole_lines(stream, begun.removeprefix(BOM), _PIECE)
    while True:
        try:
            data = next(pieces, None)
        except EndlessLineError:
            raise HeaderError(
                "this line is too long for a text file",
                line=first,
                hint="is it another kind of file?",
            ) from None
        if data is None:
            return
        data = with_newlines(data)
        if b"\0" in data:
            raise HeaderError(
                "not a text file: this line contains a zero byte",
                line=first + data.count(b"\n", 0, data.index(b"\0")),
                hint="is it another kind of file, or UTF-16?",
            )
        lines = data.count(b"\n")
        if data[:1] in _BEFORE_NO_ROW and _NO_ROWS.fullmatch(data):
            remarks += lines
            if remarks > _MOST_REMARKS:
                raise HeaderError(
                    f"only comments and empty lines in the first {remarks:,} lines",
                    line=first,
                    hint="is it another kind of file?",
                )
        else:
            remarks = 0
        if data[:1] != b"\n" or data.strip():
            yield Chunk(data, first, lines)
        first += lines


def columns_of(piece: Chunk, columns: int) -> list[list[str]] | None:
    """The columns of a piece if each of its lines has as many words; None where this is not so."""
    if not piece.is_plain or b"#" in piece.data:
        return None
    # A mark, which no line has, ends each line: it must be every so manieth word.
    words = piece.data.decode("ascii").replace("\n", " # ").split()
    marks = words[columns :: columns + 1]
    if len(words) != (columns + 1) * piece.lines or marks != ["#"] * piece.lines:
        return None
    return [words[number :: columns + 1] for number in range(columns)]


def rows_of(piece: Chunk, columns: int) -> list[list[str]]:
    """The rows of a piece; the last column takes all that is left of the line.

    Raises `UncleanError` where a line has fewer columns; empty lines and remarks have none.
    """
    if piece.is_plain:
        text = piece.data.decode("ascii")
        rows = [line.split(None, columns - 1) for line in text.split("\n")]
    else:
        raw = [line.split(None, columns - 1) for line in piece.data.split(b"\n")]
        try:
            rows = [[field.decode() for field in row] for row in raw]
        except UnicodeDecodeError:
            raise UncleanError from None
    rows.pop()  # behind the last line break
    if b"#" in piece.data:
        rows = [row for row in rows if row and row[0][0] != "#"]
    if set(map(len, rows)) - {columns}:
        rows = [row for row in rows if row]
        if set(map(len, rows)) - {columns}:
            raise UncleanError
    return rows


def words_of(text: str, most: int = -1) -> list[str]:
    """The columns of a line of text, the last of at most so many with all that is left."""
    return [word.decode() for word in text.encode().split(None, most - 1 if most > 0 else -1)]


def _each(path: Path) -> Iterator[tuple[int, bytes]]:
    with lines_of(path) as pieces:
        for piece in pieces:
            yield from enumerate(piece.data.split(b"\n")[:-1], piece.first)


def _decoded(line: bytes, number: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise HeaderError(
            f"the byte 0x{line[error.start]:02x} is not UTF-8",
            line=number,
            hint="save the file as UTF-8",
        ) from None


def each_text_line(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without their line breaks."""
    try:
        for number, line in _each(path):
            yield number, _decoded(line, number)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def each_line(path: Path, columns: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file one by one with their lines, whatever number of columns they have.

    Empty lines, remarks and a header at the top are left out; a header further down is refused.
    """
    is_below = False
    try:
        for number, line in _each(path):
            row = line.split(None, columns - 1)
            if not row:
                continue
            if row[0].startswith(b"#"):
                if is_below and line.lstrip(b"# \t").rstrip() == START:
                    raise HeaderError(
                        "the header must come before the ranking lines",
                        line=number,
                        hint="move it to the top of the file",
                    )
                continue
            is_below = True
            yield number, [_decoded(field, number) for field in row]
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def begins_below(data: bytes, *, is_below: bool) -> bool:
    """Whether a header may begin in a piece below rows."""
    return START in data and (is_below or data.count(START) > 1 or data.lstrip()[:1] != b"#")


def number_of(text: str) -> float:
    """A number as C reads it; ValueError for what only Python takes for one."""
    bare = text.strip(BLANKS)
    if "_" in bare or not (bare.isascii() and bare.isprintable()):
        raise ValueError(text)
    return float(bare)


def numbers_of(texts: list[str]) -> list[float]:
    """Many numbers; `UncleanError` where one is none."""
    try:
        numbers = list(map(float, texts))
    except ValueError:
        raise UncleanError from None
    together = "".join(texts)
    if "_" in together or not (together.isascii() and together.isprintable()):
        raise UncleanError
    return numbers


def quoted(text: str) -> str:
    """A text of a file in an error, not too much of it."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
