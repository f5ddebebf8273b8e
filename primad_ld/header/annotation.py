"""Headers into run files and out of them; a ranking's bytes never change."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from primad_ld.core.errors import HeaderError, OutputError
from primad_ld.core.files import (
    BOM,
    compression_of,
    plain_suffix,
    read_at_most,
    reading,
    writing,
)
from primad_ld.core.library_arguments import to_optional_path, to_path, to_whole
from primad_ld.core.yamltext import Mapping
from primad_ld.header.model import (
    MOST_BYTES,
    Conflict,
    Header,
    dump_header,
    merge_headers,
    write_header,
)
from primad_ld.header.ranking_digest import CHUNK, LONGEST_LINE, START, is_row
from primad_ld.header.runfile import (
    END,
    Block,
    Head,
    parse_block,
    parse_yaml,
    read_head,
    read_ranking,
)
from primad_ld.header.sources import is_folder_header
from primad_ld.schema.fields import Schema


def read_filled_headers(
    paths: Sequence[Path], *, most_bytes: int = MOST_BYTES
) -> tuple[Header, list[Conflict]]:
    """One header from several files, and where they disagree: there the later one wins."""
    headers = [read_filled_header(path, most_bytes=most_bytes) for path in paths]
    merged, conflicts = headers[-1], []
    for earlier in reversed(headers[:-1]):
        merged, found = merge_headers(merged, earlier)
        conflicts.extend(found)
    # Keys in the order of the files.
    fields = Mapping()
    for key in dict.fromkeys(key for header in headers for key in header.fields):
        fields[key] = merged.fields[key]
    return replace(merged, fields=fields), conflicts


def read_filled_header(path: Path, *, most_bytes: int = MOST_BYTES) -> Header:
    """The header to write into a run: from a YAML file, without what a template left empty.

    The header of another run will do, too.
    """
    with reading(path) as stream:
        data = read_at_most(stream, most_bytes)  # once: it may be a pipe
    try:
        if is_row(_first_line_of_run(data)):
            head = read_head(io.BytesIO(data), most_bytes=most_bytes)
            if head.block is None:
                raise HeaderError("this run has no header to take")
            return parse_block(head.block, path)
        header = parse_yaml(data, path, most_bytes=most_bytes)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__
    return header


def _first_line_of_run(data: bytes) -> bytes:
    """The first line that is neither blank nor a comment."""
    lines = (
        line for line in io.BytesIO(data) if line.strip() and not line.lstrip().startswith(b"#")
    )
    return next(lines, b"")


def header_lines(header: Header, newline: bytes = b"\n", *, schema: Schema | None = None) -> bytes:
    """The header as the comment lines of a run file."""
    yaml = dump_header(header, schema=schema)
    lines = [f"# {line}".rstrip() if not line else f"# {line}" for line in yaml.split("\n")[:-1]]
    rows = [b"# " + START, *(line.encode() for line in lines), b"# " + END]
    return b"".join(row + newline for row in rows)


def annotate(
    run: str | Path,
    header: Header,
    output: str | Path | None,
    *,
    force: bool = False,
    replace: bool = False,
    with_digest: bool = False,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
) -> str | None:
    """Write a run with a header at its top; the ranking's bytes do not change.

    ``output`` may be the run itself. A header that is there already is only replaced
    with ``replace``. ``with_digest`` adds the digest of the ranking, by which a validator
    sees whether it was changed afterwards. Returns the tag in the ranking, which may differ from the header's.

    >>> import primad_ld as pl
    >>> pl.strip("runs/shed-bm25.txt", "bare.txt")
    >>> pl.annotate("bare.txt", pl.header_of({"tag": "shed-bm25"}), "annotated.txt")
    'shed-bm25'
    """
    run, output = to_path(run, "run"), to_optional_path(output, "output")
    head = _head_of(run, most_bytes)
    if head.block is not None and not replace:
        raise OutputError(
            f"{run}:{head.block.begin}: the run has a header already; use --replace (replace=True in Python) to replace it"
        )
    if not head.is_ranking:
        raise HeaderError("there is no ranking here to annotate", file=run, line=head.row_line or 1)
    if with_digest:
        header = _with_digest(header, read_ranking(run).digest)
    lines = header_lines(header, head.newline, schema=schema)
    _rewrite(run, head, (BOM if head.bom else b"") + lines, output, force=force)
    return head.tag


def write_sidecar(
    run: Path,
    header: Header,
    *,
    force: bool = False,
    with_digest: bool = False,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
) -> tuple[Path, str | None]:
    """Write a header beside a run, where every reader of headers finds it; the run stays as it is.

    For tools that do not read runs with comments. Returns the file, and the tag in the ranking.
    """
    head = _head_of(run, most_bytes)
    if head.block is not None:
        raise OutputError(
            f"{run}:{head.block.begin}: the run has a header already, which would win over a "
            "sidecar; remove it with primad-ld strip"
        )
    if not head.is_ranking:
        raise HeaderError("there is no ranking here to annotate", file=run, line=head.row_line or 1)
    if with_digest:
        header = _with_digest(header, read_ranking(run).digest)
    path = sidecar_of(run)
    write_header(header, path, force=force, schema=schema)
    return path, head.tag


def sidecar_of(run: Path) -> Path:
    """Where the sidecar of a run lies: its whole name tells it from run.txt beside run.res."""
    path = run.with_name(f"{plain_suffix(run)[0]}.yaml")
    if is_folder_header(path.name):
        raise OutputError(f"{path} would be the header of every run in its folder; rename {run}")
    return path


def _with_digest(header: Header, digest: str) -> Header:
    fields = Mapping()
    fields.update(header.fields)
    fields["ranking digest"] = f"sha256:{digest}"
    return Header(fields=fields, file=header.file)


def strip(
    run: str | Path, output: str | Path | None, *, force: bool = False, most_bytes: int = MOST_BYTES
) -> None:
    """Write a run without its header: the bytes that it had before it was annotated.

    >>> import primad_ld as pl
    >>> pl.strip("runs/shed-bm25.txt", "stripped.txt")
    """
    run, output = to_path(run, "run"), to_optional_path(output, "output")
    head = _head_of(run, most_bytes)
    _rewrite(run, head, BOM if head.bom else b"", output, force=force)


def _head_of(run: Path, most_bytes: int) -> Head:
    most_bytes = to_whole(1)(most_bytes, "most_bytes")
    if run.is_dir():
        raise HeaderError("this is a folder", file=run, hint="name a run file")
    if run.exists() and not run.is_file():
        raise HeaderError("not a regular file; it has to be read twice", file=run)
    try:
        with reading(run) as stream:
            return read_head(stream, most_bytes=most_bytes)
    except HeaderError as error:
        raise error.in_file(run) from error.__cause__


def _rewrite(run: Path, head: Head, beginning: bytes, output: Path | None, *, force: bool) -> None:
    suffix = plain_suffix(output)[1] if output is not None else ""
    if output is not None and output.exists() and output.samefile(run):
        suffix = compression_of(run)  # in place: as it is, whatever the name says
    with (
        reading(run, to_copy=True) as source,
        writing(output, force=force, compression=suffix, like=run) as target,
    ):
        if head.bom:
            source.read(len(BOM))
        target.write(beginning)
        for line in _outside(source, head.block):
            target.write(line)
        _copy_ranking(source, target, head)


_START_BELOW = re.compile(rb"^[ \t]*#+[ \t]*ir_metadata\.start[ \t\r]*$", re.MULTILINE)


def _copy_ranking(source: BinaryIO, target: BinaryIO, head: Head) -> None:
    """The rest of a run, in which no other header may stand: it would be the second one."""
    line = head.block.end if head.block is not None else 0
    end = b""
    while chunk := source.read(CHUNK):
        # With the beginning of its line, so that none is cut in the middle.
        seen = end + chunk
        found = _START_BELOW.search(seen) if START in seen else None
        if found and head.is_ranking:
            raise HeaderError(
                "a header begins below ranking lines",
                line=line + 1 + seen.count(b"\n", 0, found.start()),
                hint="move it to the top of the file",
            )
        cut = seen.rfind(b"\n") + 1
        line += seen.count(b"\n", 0, cut)
        end = seen[cut:][-LONGEST_LINE:]
        target.write(chunk)


def _outside(source: BinaryIO, block: Block | None) -> Iterable[bytes]:
    """The lines up to the end of the header's block that are not part of it."""
    if block is None:
        return
    for number in range(1, block.end + 1):
        line = source.readline()
        if number < block.begin:
            yield line
