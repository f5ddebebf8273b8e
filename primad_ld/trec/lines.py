"""Lines of columns, as trec_eval's files have them: quickly where they are clean, else one by one.

A file is read as a whole number of lines at a time. As long as every line has its columns, the
rows are split without another look; otherwise the caller reads the file again, line by line,
and says where it is wrong.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.errors import HeaderError
from primad_ld.files import BOM, reading
from primad_ld.ranking import START, whole_lines

# Python splits texts at these, and trec_eval does not (nor does Python where it splits bytes).
_ODD_BLANKS: Final = re.compile("[\x0b\x0c\x1c-\x1f]")
_SHOWN: Final = 60
# What is made of a small piece stays in the processor's caches until it is sorted out.
_PIECE: Final = 1 << 15


class UncleanError(Exception):
    """Something that only reading line by line can explain."""


@contextlib.contextmanager
def lines_of(path: Path) -> Iterator[Iterator[tuple[int, bytes]]]:
    """Pieces of a file, each a number of whole lines, with the number of its first line."""
    with reading(path) as stream:
        yield _numbered(stream)


def _numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 1
    begun = stream.read(4)
    if begun.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise HeaderError("this is not a text file in UTF-8", line=1)
    begun = begun.removeprefix(BOM)
    for piece in whole_lines(stream, begun, _PIECE):
        if b"\0" in piece:
            raise HeaderError("this is not a text file", line=number)
        if b"\r" in piece:
            # Lines may end as on Windows, or as on a very old Mac.
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield number, piece
        number += piece.count(b"\n")


def columns_of(piece: bytes, columns: int) -> list[list[str]] | None:
    """The columns of a piece in which every line has as many words as there are columns.

    The second and the last column must say the same in every line, as they do in runs: then a
    line that is short cannot hide behind one that is long. None where this does not hold.
    """
    if b"#" in piece or not piece.isascii():
        return None
    text = piece.decode("ascii")
    if _ODD_BLANKS.search(text):
        return None
    words = text.split()
    if len(words) != columns * text.count("\n"):
        return None
    found = [words[number::columns] for number in range(columns)]
    if len(set(found[1])) != 1 or len(set(found[-1])) != 1:
        return None
    return found


def rows_of(piece: bytes, columns: int) -> list[list[str]]:
    """The rows of a piece; the last column takes all that is left of the line.

    Raises `UncleanError` where a line has fewer columns; empty lines and remarks have none.
    """
    if piece.isascii():
        text = piece.decode("ascii")
        if not _ODD_BLANKS.search(text):
            rows = [line.split(None, columns - 1) for line in text.split("\n")]
            return _whole(rows, columns, has_remarks="#" in text)
    raw = [line.split(None, columns - 1) for line in piece.split(b"\n")]
    try:
        rows = [[field.decode() for field in row] for row in raw]
    except UnicodeDecodeError:
        raise UncleanError from None
    return _whole(rows, columns, has_remarks=b"#" in piece)


def _whole(rows: list[list[str]], columns: int, *, has_remarks: bool) -> list[list[str]]:
    rows.pop()  # behind the last line break
    if has_remarks:
        rows = [row for row in rows if row and row[0][0] != "#"]
    if set(map(len, rows)) - {columns}:
        rows = [row for row in rows if row]
        if set(map(len, rows)) - {columns}:
            raise UncleanError
    return rows


def each_line(path: Path, columns: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file one by one with their lines, whatever number of columns they have.

    Empty lines, remarks and a header at the top are left out; a header further down is refused.
    """
    is_below = False
    with lines_of(path) as pieces:
        for first, piece in pieces:
            for number, line in enumerate(piece.split(b"\n")[:-1], first):
                row = line.split(None, columns - 1)
                if not row:
                    continue
                if row[0].startswith(b"#"):
                    if is_below and line.lstrip(b"# \t").rstrip() == START:
                        raise HeaderError(
                            "a header begins below ranking lines",
                            file=path,
                            line=number,
                            hint="move it to the top of the file",
                        )
                    continue
                is_below = True
                try:
                    yield number, [field.decode() for field in row]
                except UnicodeDecodeError as error:
                    raise HeaderError(
                        f"the byte 0x{error.object[error.start]:02x} is not UTF-8",
                        file=path,
                        line=number,
                        hint="save the file as UTF-8",
                    ) from None


def begins_below(piece: bytes, *, is_below: bool) -> bool:
    """Whether a header may begin in a piece below rows."""
    return START in piece and (is_below or piece.count(START) > 1 or piece.lstrip()[:1] != b"#")


def number_of(text: str) -> float:
    """A number as C reads it; ValueError for what only Python takes for one."""
    if "_" in text:
        raise ValueError(text)
    return float(text)


def quoted(text: str) -> str:
    """A text of a file in an error, not too much of it."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
