"""Tables for terminals: as wide as needed, or folded between words to fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from primad_ld.core.errors import printable, without_commands
from primad_ld.tables.answers import Answer
from primad_ld.tables.layout import (
    Grid,
    Layout,
    fold,
    grids,
    places_that_fit,
    share_room,
    with_columns,
)

_GAP: Final = "  "
#: So many columns are named that have no room.
_MOST_NAMES: Final = 12
_BREAKS: Final = re.compile(r"(?<=[/_.-])")
_BOLD, _END = "\x1b[1m", "\x1b[0m"


def table_lines(answer: Answer, layout: Layout) -> Iterator[str]:
    """The verdict, then each table with its title above and its notes below; or what is in prose."""
    prose = answer.prose(layout) if not layout.columns else None
    if prose is not None:
        yield from prose
        return
    verdict = printable(answer.verdict())
    parts = [_folded(verdict, layout.width)] if verdict else []
    parts.extend(list(_lines(grid, layout)) for grid in grids(answer, layout))
    for number, lines in enumerate(filter(None, parts)):
        yield without_commands("".join(f"{line}\n" for line in ([""] if number else []) + lines))


def _lines(grid: Grid, layout: Layout) -> Iterator[str]:
    # What was asked for is shown.
    shown = _fitting(grid, layout.width) if layout.width and not layout.columns else grid
    widths = _widths(shown, layout.width)
    if grid.title:
        yield from _folded(grid.title, layout.width)
    head = list(_row(shown.heads, widths, shown.right))
    yield from (f"{_BOLD}{line}{_END}" if layout.styled else line for line in head)
    for row in shown.cells:
        yield from _row(row, widths, shown.right)
    for note in filter(None, [*shown.notes, _left_out(grid, shown), grid.hint]):
        yield from _folded(note, layout.width)


def _fitting(grid: Grid, width: int) -> Grid:
    """The grid without the least important columns for which there is no room, even folded."""
    least = [_least(grid, place, width) for place in range(len(grid.columns))]
    return with_columns(grid, places_that_fit(grid.columns, least, len(_GAP), width))


def _left_out(grid: Grid, shown: Grid) -> str:
    names = [one.title for one in grid.columns if one not in shown.columns]
    if not names:
        return ""
    more = len(names) - _MOST_NAMES
    listed = ", ".join(names[:_MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")
    return f"not shown (terminal too narrow): {listed}; choose with --columns, or use --format csv"


def _widths(grid: Grid, width: int | None) -> list[int]:
    """The width of each column: as wide as its cells, or its share of what is left."""
    places = range(len(grid.columns))
    full = [max(map(_width, [grid.heads[place], *grid.texts(place)])) for place in places]
    if width is None:
        return full
    room = width - len(_GAP) * (len(full) - 1)
    return [
        int(share) for share in share_room([_least(grid, one, width) for one in places], full, room)
    ]


def _least(grid: Grid, place: int, width: int) -> int:
    """The width of a column that is folded wherever it can be: numbers are not, texts between words.

    What identifies a row is folded as well where it would take more than its part of a line, such
    as the name of a file.
    """
    cells, words = grid.texts(place), grid.heads[place].split()
    if grid.right[place]:
        return max(map(_width, ["-", *words, *cells]))
    words += [word for cell in cells for word in cell.split()]
    kept = [number == 0 or column.essential for number, column in enumerate(grid.columns)]
    longest = width // max(2, sum(kept)) - len(_GAP) if kept[place] else width
    parts = [
        part for word in words for part in ([word] if _width(word) <= longest else _parts(word))
    ]
    return max(map(_width, ["-", *parts]))


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    folded = [_folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*folded, fillvalue=""):
        line = _GAP.join(
            " " * (width - _width(part)) + part if to_right else part + " " * (width - _width(part))
            for part, width, to_right in zip(parts, widths, right, strict=True)
        )
        yield line.rstrip()


def _folded(text: str, width: int | None) -> list[str]:
    """A text in lines, broken between words, and within those that fit into no line."""
    if width is None or _width(text) <= width:
        return [text]
    return fold(text, width, _width, lambda word: _parts(word) if _width(word) > width else [word])


def _parts(word: str) -> list[str]:
    """A long word, such as the name of a file, where it may be broken."""
    return list(filter(None, _BREAKS.split(word)))


def _width(text: str) -> int:
    """How many columns a text takes: those of East Asia are wide."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )
