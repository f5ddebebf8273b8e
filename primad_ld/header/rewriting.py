"""Run files with another header: their bytes below it do not change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, compression_of, plain_suffix, reading, writing
from primad_ld.header.ranking_digest import CHUNK, LONGEST_LINE, START
from primad_ld.header.runfile import Block, Head


def rewrite_run(
    run: Path, head: Head, beginning: bytes, output: Path | None, *, force: bool
) -> Path | None:
    """Write a run with another beginning in place of its header."""
    suffix = plain_suffix(output)[1] if output is not None else ""
    if output is not None and output.exists() and output.samefile(run):
        suffix = compression_of(run)  # in place: as it is, whatever the name says
    with (
        reading(run, to_copy=True) as source,
        writing(output, force=force, compression=suffix, like=run) as target,
    ):
        if head.bom:
            target.write(source.read(len(BOM)))
        target.write(beginning)
        target.writelines(_outside(source, head.block))
        while chunk := source.read(CHUNK):
            target.write(chunk)
    return output if str(output) != "-" else None


_START_BELOW = re.compile(rb"^[ \t]*#+[ \t]*ir_metadata\.start[ \t\r]*$", re.MULTILINE)


def check_below(run: Path, head: Head) -> None:
    """Refuse a run with a header below ranking lines: it would be the second one."""
    if not head.is_ranking:
        return
    with reading(run, to_copy=True) as source:
        for _ in _outside(source, head.block):
            pass
        line = head.block.end if head.block is not None else 0
        end = b""
        while chunk := source.read(CHUNK):
            # With the beginning of its line, so that none is cut in the middle.
            text = end + chunk
            found = _START_BELOW.search(text) if START in text else None
            if found:
                raise HeaderError(
                    "the header must come before the ranking lines",
                    line=line + 1 + text.count(b"\n", 0, found.start()),
                    hint="move it to the top of the file",
                )
            cut = text.rfind(b"\n") + 1
            line += text.count(b"\n", 0, cut)
            end = text[cut:][-LONGEST_LINE:]


def _outside(source: BinaryIO, block: Block | None) -> Iterable[bytes]:
    """The lines up to the end of the header's block that are not part of it."""
    if block is None:
        return
    for number in range(1, block.end + 1):
        line = source.readline()
        if number < block.begin:
            yield line
