"""Run files: a header in comment lines, then the ranking.

# ir_metadata.start
# tag: my-run
# ir_metadata.end
1 Q0 doc-7 1 12.5 my-run
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.errors import HeaderError, OutputError
from primad_ld.files import BOM, compression_of, plain_suffix, read_at_most, reading, writing
from primad_ld.header import MOST_BYTES, Header, dump_header, parse_header
from primad_ld.ranking import CHUNK, LONGEST_LINE, START, Ranking, digest_ranking, is_row
from primad_ld.schema import Schema

END: Final = b"ir_metadata.end"


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A header's block in a file, from its start line to its end line."""

    begin: int
    end: int
    #: The YAML, without comment signs.
    text: str
    #: Columns of the file before each line of the YAML.
    indent: int


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
        columns = self.row.split(None, 5)
        return columns[5].strip().decode("utf-8", "replace") if len(columns) == 6 else None

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
        if not body:
            continue
        if body[:1] != b"#" and body != START:
            return lines.head(block, line)
        mark = body.lstrip(b"#").strip()
        if mark == START:
            if block is not None:
                raise HeaderError(
                    f"a second header begins here (the first one in line {block.begin})",
                    line=lines.number,
                    hint="keep one of them",
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

    def __iter__(self) -> Iterator[bytes]:
        limit = min(max(LONGEST_LINE, self.most_bytes), sys.maxsize - 1)
        while line := self.stream.readline(limit + 1):
            self.number += 1
            if len(line) > limit:
                raise HeaderError("this line does not end; is this a text file?", line=self.number)
            if self.number == 1:
                self.bom = line.startswith(BOM)
                line = line.removeprefix(BOM)
                if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in line:
                    raise HeaderError("this is not a text file in UTF-8", line=1)
                self.newline = b"\r\n" if line.endswith(b"\r\n") else b"\n"
            yield line

    def head(self, block: Block | None, row: bytes) -> Head:
        return Head(
            block=block,
            row=row,
            row_line=self.number,
            bom=self.bom,
            newline=self.newline,
        )


def _read_block(lines: _Lines, *, commented: bool) -> Block:
    """The lines up to the end of a header."""
    begin, size = lines.number, 0
    rows: list[bytes] = []
    for line in lines:
        body = line.strip()
        if body.lstrip(b"#").strip() == END:
            return _block(rows, begin, lines.number, commented=commented)
        if commented and body and body[:1] != b"#":
            break
        size += len(line)
        if size > lines.most_bytes:
            raise _too_long(lines.most_bytes, begin)
        rows.append(line.rstrip(b"\r\n"))
    raise _unclosed(begin, commented=commented)


def _block(rows: list[bytes], begin: int, end: int, *, commented: bool) -> Block:
    indent = 0
    if commented:
        rows, indent = _uncommented(rows)
    text = _decoded(b"".join([row + b"\n" for row in rows]), begin + 1)
    return Block(begin=begin, end=end, text=text, indent=indent)


def _unclosed(line: int, *, commented: bool) -> HeaderError:
    end = "'# ir_metadata.end'" if commented else "'ir_metadata.end'"
    return HeaderError(
        "the header that begins here does not end", line=line, hint=f"close it with a line {end}"
    )


def _too_long(most_bytes: int, line: int) -> HeaderError:
    return HeaderError(
        f"the header is longer than {most_bytes:,} bytes",
        line=line,
        hint="raise the limit with --max-header, or leave time series out",
    )


def _uncommented(rows: list[bytes]) -> tuple[list[bytes], int]:
    """YAML lines without their comment signs, and the columns that these took.

    People write ``# key``, ``#key`` and a tab behind the sign; the first key tells how
    far the whole header is indented. repro_eval adds a blank to the end of every line.
    """
    filled = [row for row in rows if row.strip()]
    bodies = [row.lstrip()[1:] for row in rows]
    if filled and all(row.endswith(b" ") for row in filled):
        bodies = [body[:-1] if body.endswith(b" ") else body for body in bodies]
    texts = (body for body in bodies if body.strip() and not body.strip().startswith(b"#"))
    indent = _blanks(next(texts, b""))
    return [body[min(indent, _blanks(body)) :] for body in bodies], indent + 1


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


def read_run(
    path: Path,
    *,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
    with_ranking: bool = False,
) -> tuple[Header | None, Head, Ranking | None]:
    """The header of a run file, its first ranking line and, on request, its ranking."""
    try:
        with reading(path) as stream:
            head = read_head(stream, most_bytes=most_bytes)
            header = None
            if head.block is not None:
                header = _parse_block(head.block, path, schema)
            ranking = None
            if with_ranking and head.is_ranking:
                ranking = digest_ranking(stream, first_line=head.row_line, first_row=head.row)
            return header, head, ranking
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def _parse_block(
    block: Block, path: Path, schema: Schema | None, *, drop_empty: bool = False
) -> Header:
    return parse_header(
        block.text,
        file=path,
        first_line=block.begin + 1,
        indent=block.indent,
        schema=schema,
        drop_empty=drop_empty,
    )


def read_ranking(path: Path | str) -> Ranking:
    """The ranking of a run file: its digest and the number of its rows."""
    _, head, ranking = read_run(Path(path), with_ranking=True)
    if ranking is None:
        raise HeaderError("there is no ranking here", file=path, line=head.row_line or 1)
    return ranking


def read_yaml_file(
    path: Path,
    *,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
    drop_empty: bool = False,
) -> Header:
    """A header that stands in a file of its own, bare or between start and end lines."""
    try:
        with reading(path) as stream:
            data = read_at_most(stream, most_bytes)
        if len(data) > most_bytes:
            raise _too_long(most_bytes, 1)
        data = data.removeprefix(BOM)
        if b"\0" in data[:4096] or data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise HeaderError("this is not a text file in UTF-8", line=1)
        return _parse_block(_yaml_block(data), path, schema, drop_empty=drop_empty)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__


def _yaml_block(data: bytes) -> Block:
    """The YAML of a file, without start and end lines and comment signs between them."""
    rows = [row.rstrip(b"\r") for row in data.split(b"\n")]
    first = next((number for number, row in enumerate(rows) if _says(row)), 0)
    if _mark(rows[first]) != START:
        return _block(rows, 0, len(rows), commented=False)
    commented = rows[first].strip().startswith(b"#")
    for last in range(first + 1, len(rows)):
        if _mark(rows[last]) == END:
            inner = rows[first + 1 : last]
            is_commented = all(row.strip()[:1] in (b"", b"#") for row in inner)
            return _block(inner, first + 1, last + 1, commented=is_commented)
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
        first = stream.read(LONGEST_LINE)
    if START in first and any(is_row(line) for line in first.split(b"\n")):
        header, _, _ = read_run(path, most_bytes=most_bytes)
        if header is not None:
            return header
    header = read_yaml_file(path, most_bytes=most_bytes, drop_empty=True)
    if not header.fields:
        raise HeaderError("no field is filled in", file=path, hint="write something behind a colon")
    return header


# Writing ------------------------------------------------------------------------------


def header_lines(header: Header, newline: bytes = b"\n", *, schema: Schema | None = None) -> bytes:
    """The header as the comment lines of a run file."""
    yaml = dump_header(header, schema=schema)
    lines = [f"# {line}".rstrip() if not line else f"# {line}" for line in yaml.split("\n")[:-1]]
    rows = [b"# " + START, *(line.encode() for line in lines), b"# " + END]
    return b"".join(row + newline for row in rows)


def annotate(
    run: Path,
    header: Header,
    output: Path | None,
    *,
    force: bool = False,
    replace: bool = False,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
) -> str | None:
    """Write a run with a header at its top; the ranking's bytes do not change.

    ``output`` may be the run itself. A header that is there already is only replaced
    with ``replace``. Returns the tag in the ranking, which may differ from the header's.
    """
    head = _head_of(run, most_bytes)
    if head.block is not None and not replace:
        raise OutputError(
            f"{run}:{head.block.begin}: the run has a header already; say --replace to replace it"
        )
    if not head.is_ranking:
        raise HeaderError("there is no ranking here to annotate", file=run, line=head.row_line or 1)
    lines = header_lines(header, head.newline, schema=schema)
    _rewrite(run, head, (BOM if head.bom else b"") + lines, output, force=force)
    return head.tag


def strip(
    run: Path, output: Path | None, *, force: bool = False, most_bytes: int = MOST_BYTES
) -> None:
    """Write a run without its header: the bytes that it had before it was annotated."""
    head = _head_of(run, most_bytes)
    _rewrite(run, head, BOM if head.bom else b"", output, force=force)


def _head_of(run: Path, most_bytes: int) -> Head:
    try:
        with reading(run) as stream:
            return read_head(stream, most_bytes=most_bytes)
    except HeaderError as error:
        raise error.in_file(run) from error.__cause__


def _rewrite(run: Path, head: Head, beginning: bytes, output: Path | None, *, force: bool) -> None:
    if not run.is_file():
        raise HeaderError("this is no regular file; it has to be read twice", file=run)
    suffix = plain_suffix(output)[1] if output is not None else ""
    if output is not None and output.exists() and output.samefile(run):
        suffix = compression_of(run)  # in place: as it is, whatever the name says
    with (
        reading(run) as source,
        writing(output, force=force, compression=suffix, like=run) as target,
    ):
        if head.bom:
            source.read(len(BOM))
        target.write(beginning)
        for line in _outside(source, head.block):
            target.write(line)
        shutil.copyfileobj(source, target, CHUNK)


def _outside(source: BinaryIO, block: Block | None) -> Iterable[bytes]:
    """The lines up to the end of the header's block that are not part of it."""
    if block is None:
        return
    for number in range(1, block.end + 1):
        line = source.readline()
        if number < block.begin:
            yield line
