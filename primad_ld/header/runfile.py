"""Run files: a header in comment lines, then the ranking.

# ir_metadata.start
# tag: my-run
# ir_metadata.end
1 Q0 doc-7 1 12.5 my-run
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, read_at_most, reading
from primad_ld.core.library_arguments import AnyPath, to_path
from primad_ld.core.yamltext import MOST_VALUES, RAISE_LIMIT
from primad_ld.header.model import MOST_BYTES, Header, parse_header
from primad_ld.header.ranking_digest import (
    LONGEST_LINE,
    START,
    Ranking,
    digest_ranking,
    is_row,
    tag_of,
)
from primad_ld.schema.fields import Schema

END: Final = b"ir_metadata.end"
# Fewer bytes to a value, or to a line, make a header that takes long to read and says little.
_BYTES_OF_A_VALUE: Final = 16
# Blank lines and remarks around a header.
_MOST_REMARKS: Final = 100_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A header's block in a file, from its start line to its end line."""

    begin: int
    end: int
    #: The YAML, without comment signs.
    text: str
    #: Columns of the file before each line of the YAML.
    indent: int
    #: How many values it may have, and how many lines; the limit on bytes sets it.
    most_values: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Head:
    """The beginning of a run file: its header and its first ranking line."""

    block: Block | None
    #: The first ranking line, or b"" if the file ends before one.
    row: bytes
    row_line: int
    bom: bool
    newline: bytes

    @property
    def tag(self) -> str | None:
        """The run tag in the last column of the first ranking line."""
        return tag_of(self.row)

    @property
    def is_ranking(self) -> bool:
        """Whether the first line below the header is one of a ranking."""
        return is_row(self.row)


def read_head(stream: BinaryIO, *, most_bytes: int = MOST_BYTES) -> Head:
    """Read a run file up to its first ranking line, and no further."""
    lines = _Lines(stream, most_bytes)
    block: Block | None = None
    for line in lines:
        body = line.strip()
        if lines.number > _MOST_REMARKS and (
            block is None or lines.number > block.end + _MOST_REMARKS
        ):
            raise HeaderError(
                f"no header and no ranking in the first {_MOST_REMARKS:,} lines",
                line=lines.number,
            )
        if not body:
            continue
        if body[:1] != b"#" and body != START:
            return lines.head(block, line)
        mark = body.lstrip(b"#").strip()
        if mark == START:
            if block is not None:
                raise HeaderError(
                    f"a second header begins here (the first one begins in line {block.begin})",
                    line=lines.number,
                    hint="remove one of them",
                )
            block = _read_block(lines, commented=body[:1] == b"#")
        elif mark == END:
            raise HeaderError("ir_metadata.end without ir_metadata.start", line=lines.number)
    return lines.head(block, b"")


class _Lines:
    """The lines of a stream, numbered from 1, none of them endless."""

    def __init__(self, stream: BinaryIO, most_bytes: int) -> None:
        self.stream, self.most_bytes = stream, most_bytes
        self.number = 0
        self.bom = False
        self.newline = b"\n"
        #: The line in which a header has begun that is not yet read.
        self.in_header = 0

    def __iter__(self) -> Iterator[bytes]:
        limit = min(max(LONGEST_LINE, self.most_bytes), sys.maxsize - 1)
        while line := self.stream.readline(limit + 1):
            if len(line) > limit and self.in_header:
                raise _too_long(self.most_bytes, self.in_header)
            self.number += 1
            if len(line) > limit:
                raise HeaderError("this line is too long; is this a text file?", line=self.number)
            if self.number == 1:
                self.bom = line.startswith(BOM)
                line = line.removeprefix(BOM)
                if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line:
                    raise HeaderError("not a UTF-8 text file", line=1)
                self.newline = b"\r\n" if line.endswith(b"\r\n") else b"\n"
            yield line

    def head(self, block: Block | None, row: bytes) -> Head:
        return Head(block=block, row=row, row_line=self.number, bom=self.bom, newline=self.newline)


def _read_block(lines: _Lines, *, commented: bool) -> Block:
    """The lines up to the end of a header."""
    begin, size = lines.number, 0
    most_lines = _most_values(lines.most_bytes)
    rows: list[bytes] = []
    lines.in_header = begin
    for line in lines:
        if b"ir_metadata.end" in line and _mark(line) == END:
            lines.in_header = 0
            return _block(
                b"".join(rows), begin, lines.number, lines.most_bytes, commented=commented
            )
        if commented and line[:1] != b"#" and line.strip()[:1] not in (b"", b"#"):
            break
        size += len(line)
        if size > lines.most_bytes:
            raise _too_long(lines.most_bytes, begin)
        rows.append(line)
        if len(rows) > most_lines:
            raise _too_many_lines(most_lines, begin)
    raise _unclosed(begin, commented=commented)


def _most_values(most_bytes: int) -> int:
    return max(MOST_VALUES, most_bytes // _BYTES_OF_A_VALUE)


def _block(data: bytes, begin: int, end: int, most_bytes: int, *, commented: bool) -> Block:
    _check_lines(data, begin, most_bytes)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if data and not data.endswith(b"\n"):
        data += b"\n"
    indent = 0
    if commented:
        data, indent = _uncommented(data)
    return Block(
        begin=begin,
        end=end,
        text=_decoded(data, begin + 1),
        indent=indent,
        most_values=_most_values(most_bytes),
    )


def _unclosed(line: int, *, commented: bool) -> HeaderError:
    end = "'# ir_metadata.end'" if commented else "'ir_metadata.end'"
    return HeaderError(
        "the header that begins here is not closed", line=line, hint=f"add a line {end} after it"
    )


def _too_long(most_bytes: int, line: int) -> HeaderError:
    return HeaderError(
        f"the header is longer than {most_bytes:,} bytes",
        line=line,
        hint=RAISE_LIMIT,
    )


def _check_lines(data: bytes, line: int, most_bytes: int) -> None:
    most_lines = _most_values(most_bytes)
    if data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n") > most_lines:
        raise _too_many_lines(most_lines, max(line, 1))


def _too_many_lines(most_lines: int, line: int) -> HeaderError:
    return HeaderError(
        f"the header is longer than {most_lines:,} lines", line=line, hint=RAISE_LIMIT
    )


# What begins with a line break is found without trying a pattern at every byte.
_NO_PLAIN_COMMENT: Final = re.compile(rb"\n(?!# |#\n|\Z)")
# The first key right behind a sign and a blank.
_PLAIN_START: Final = re.compile(rb"(?:# ?(?:#[^\n]*)?\n)*# [^\s#]")


def _are_plain_comments(data: bytes) -> bool:
    """Whether all lines begin with a sign and a blank, or have nothing but the sign."""
    return (
        data.startswith((b"# ", b"#\n"))
        and data.endswith(b"\n")
        and not _NO_PLAIN_COMMENT.search(data)
    )


def _uncommented(data: bytes) -> tuple[bytes, int]:
    """YAML without the comment signs of its lines, and the columns that these took.

    People write ``# key``, ``#key`` and a tab behind the sign; the first key tells how
    far the whole header is indented. repro_eval adds a blank to the end of every line.
    """
    if _are_plain_comments(data) and _PLAIN_START.match(data):
        # As nearly everybody writes it; the rest of this function would find the same.
        if data.endswith((b" \n", b"#\n")) and (
            data.count(b" \n") + data.count(b"#\n") == data.count(b"\n")
        ):
            data = data.replace(b" \n", b"\n")
        data = (b"\n" + data).replace(b"\n# ", b"\n")
        while b"\n#\n" in data:
            # Again, since one line break is the end of a line and the beginning of the next.
            data = data.replace(b"\n#\n", b"\n\n")
        return data[1:], 2
    rows = data.split(b"\n")[:-1]
    filled = [row for row in rows if row.strip()]
    bodies = [row.lstrip()[1:] for row in rows]
    if filled and all(row.endswith(b" ") for row in filled):
        bodies = [body[:-1] if body.endswith(b" ") else body for body in bodies]
    texts = (body for body in bodies if body.strip() and not body.strip().startswith(b"#"))
    indent = _blanks(next(texts, b""))
    text = b"".join([body[min(indent, _blanks(body)) :] + b"\n" for body in bodies])
    return text, indent + 1


def _blanks(line: bytes) -> int:
    return len(line) - len(line.lstrip(b" \t"))


def _decoded(data: bytes, first_line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise HeaderError(
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            line=first_line + data.count(b"\n", 0, error.start),
            hint="save the file as UTF-8",
        ) from None


def open_run(
    path: Path, *, most_bytes: int = MOST_BYTES, with_ranking: bool = False
) -> tuple[Head, Ranking | None]:
    """The beginning of a run file and, on request, its ranking. The header is not parsed."""
    with reading(path) as stream:
        head = read_head(stream, most_bytes=most_bytes)
        ranking = None
        if with_ranking and head.is_ranking:
            ranking = digest_ranking(stream, first_line=head.row_line, begun=head.row)
        return head, ranking


def read_run(
    path: Path,
    *,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
    with_ranking: bool = False,
) -> tuple[Header | None, Head, Ranking | None]:
    """The header of a run file, its first ranking line and, on request, its ranking."""
    head, ranking = open_run(path, most_bytes=most_bytes, with_ranking=with_ranking)
    header = parse_block(head.block, path, schema) if head.block is not None else None
    return header, head, ranking


def parse_block(block: Block, path: Path, schema: Schema | None = None) -> Header:
    """The header that a block of a file holds."""
    return parse_header(
        block.text,
        file=path,
        first_line=block.begin + 1,
        indent=block.indent,
        most_values=block.most_values,
        schema=schema,
    )


def read_ranking(path: AnyPath) -> Ranking:
    """The ranking of a run file: its digest and the number of its rows."""
    path = to_path(path)
    _, head, ranking = read_run(path, with_ranking=True)
    if ranking is None:
        raise HeaderError("no ranking found in this file", file=path, line=head.row_line or 1)
    return ranking


def read_yaml_file(
    path: Path, *, schema: Schema | None = None, most_bytes: int = MOST_BYTES
) -> Header:
    """A header that stands in a file of its own, bare or between start and end lines."""
    return parse_block(open_yaml(path, most_bytes=most_bytes), path, schema)


def open_yaml(path: Path, *, most_bytes: int = MOST_BYTES) -> Block:
    """The YAML of such a file, not parsed."""
    with reading(path) as stream:
        return _checked_block(read_at_most(stream, most_bytes), most_bytes)


def parse_yaml(data: bytes, path: Path, *, most_bytes: int = MOST_BYTES) -> Header:
    """The header in the bytes of such a file."""
    return parse_block(_checked_block(data, most_bytes), path)


def _checked_block(data: bytes, most_bytes: int) -> Block:
    if len(data) > most_bytes:
        raise _too_long(most_bytes, 1)
    data = data.removeprefix(BOM)
    if b"\0" in data[:4096] or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise HeaderError("not a UTF-8 text file", line=1)
    return _yaml_block(data, most_bytes)


def _yaml_block(data: bytes, most_bytes: int) -> Block:
    """The YAML of a file, without start and end lines and comment signs between them."""
    if START not in data:
        return _block(data, 0, data.count(b"\n"), most_bytes, commented=False)
    _check_lines(data, 1, most_bytes)  # before each of them becomes an object
    rows = data.splitlines(keepends=True)
    first = next((number for number, row in enumerate(rows) if _says(row)), 0)
    if _mark(rows[first]) != START:
        return _block(data, 0, len(rows), most_bytes, commented=False)
    commented = rows[first].strip().startswith(b"#")
    for last in range(first + 1, len(rows)):
        if _mark(rows[last]) == END:
            inner = rows[first + 1 : last]
            is_commented = all(row.strip()[:1] in (b"", b"#") for row in inner)
            return _block(b"".join(inner), first + 1, last + 1, most_bytes, commented=is_commented)
    raise _unclosed(first + 1, commented=commented)


def _mark(row: bytes) -> bytes:
    return row.strip().lstrip(b"#").strip()


def _says(row: bytes) -> bool:
    """Whether a line is a start line, or YAML rather than a comment."""
    body = row.strip()
    return bool(body) and (body[:1] != b"#" or _mark(row) == START)


def read_filled_header(path: Path, *, most_bytes: int = MOST_BYTES) -> Header:
    """The header to write into a run: from a YAML file, without what a template left empty.

    The header of another run will do, too.
    """
    with reading(path) as stream:
        data = read_at_most(stream, most_bytes)  # once: it may be a pipe
    try:
        if not is_row(_first_line_of_run(data)):
            return parse_yaml(data, path, most_bytes=most_bytes)
        head = read_head(io.BytesIO(data), most_bytes=most_bytes)
        if head.block is None:
            raise HeaderError("this run has no header to use")
        return parse_block(head.block, path)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def _first_line_of_run(data: bytes) -> bytes:
    """The first line that is neither blank nor a comment."""
    lines = (
        line for line in io.BytesIO(data) if line.strip() and not line.lstrip().startswith(b"#")
    )
    return next(lines, b"")
