"""The lines of a file that findings are about."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import BOM, reading

_WIDTH: Final = 110
#: What is shown before the column of a finding that stands far to the right.
_BEFORE: Final = 30
_LONGEST_LINE: Final = 1 << 14
#: Headers end long before; a file that was exchanged for a bomb costs no more than this.
_MOST_READ: Final = 1 << 26
_FILES_KEPT: Final = 16

_Lines = Mapping[int, str]


class Excerpts:
    """Lines of files, each file read once and no further than needed.

    Files that many runs share, such as a header above a folder of runs, are kept for a while.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Lines] = {}

    def lines(self, file: str, numbers: Collection[int], *, is_shared: bool) -> _Lines:
        """Some lines of a file by their number; those that are not there (any more) are left out."""
        if not numbers:
            return {}
        if not is_shared:
            return _read(file, numbers)
        kept = self._kept.pop(file, {})
        if not kept.keys() >= set(numbers):
            kept = _read(file, {*kept, *numbers})
        self._kept[file] = kept
        if len(self._kept) > _FILES_KEPT:
            del self._kept[next(iter(self._kept))]
        return kept


def _read(file: str, numbers: Collection[int]) -> _Lines:
    # A pipe was emptied when it was judged, and to open it once more could wait for ever.
    if not os.path.isfile(file):
        return {}
    last = max(numbers)
    found: dict[int, str] = {}
    with contextlib.suppress(HeaderError), reading(Path(file)) as stream:
        number, size = 1, 0
        while number <= last and size < _MOST_READ and (piece := stream.readline(_LONGEST_LINE)):
            if number in numbers and number not in found:
                data = piece.removeprefix(BOM) if number == 1 else piece
                found[number] = data.decode("utf-8", "replace").rstrip()
            number += piece.endswith(b"\n")
            size += len(piece)
    return found


def cut(line: str, column: int | None) -> str:
    """A line as it stands; of a long one, what is around the column."""
    if len(line) <= _WIDTH:
        return line
    at = (column or 1) - 1
    begin = 0 if at < _WIDTH - _BEFORE else min(at, len(line)) - _BEFORE
    end = begin + _WIDTH
    return ("…" if begin else "") + line[begin:end] + ("…" if end < len(line) else "")
