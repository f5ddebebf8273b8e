"""Tables for terminals: as wide as needed, or folded between words to fit."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from primad_ld.core.errors import printable, without_commands
from primad_ld.tables.answers import Answer
from primad_ld.tables.layout import Grid, Layout, grids, without_last

_GAP: Final = "  "
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
    if layout.width is not None:
        grid = _fitting(grid, layout.width)
    widths = _widths(grid, layout.width)
    if grid.title:
        yield from _folded(grid.title, layout.width)
    head = list(_row(grid.heads, widths, grid.right))
    yield from (f"{_BOLD}{line}{_END}" if layout.styled else line for line in head)
    for row in grid.cells:
        yield from _row(row, widths, grid.right)
    for note in filter(None, [*grid.notes, grid.hint]):
        yield from _folded(note, layout.width)


def _fitting(grid: Grid, width: int) -> Grid:
    """The grid without the columns at its end for which there is no room, even folded."""
    least = [_least(grid, place) for place in range(len(grid.columns))]
    count = 0
    while len(least) - count > 1 and _total(least[: len(least) - count]) > width:
        count += 1
    return without_last(grid, count) if count else grid


def _widths(grid: Grid, width: int | None) -> list[int]:
    """The width of each column: as wide as its cells, or its share of what is left."""
    places = range(len(grid.columns))
    full = [max(map(_width, _column(grid, place)), default=0) for place in places]
    if width is None or _total(full) <= width:
        return full
    widths = [_least(grid, place) for place in places]
    left = width - _total(widths)
    # Those that need least come first, so that what they leave goes to the others.
    by_need = sorted(places, key=lambda place: full[place] - widths[place])
    for number, place in enumerate(by_need):
        more = min(full[place] - widths[place], max(0, left) // (len(by_need) - number))
        widths[place] += more
        left -= more
    return widths


def _column(grid: Grid, place: int) -> list[str]:
    return [grid.heads[place], *(row[place] for row in grid.cells)]


def _least(grid: Grid, place: int) -> int:
    """The width of a column that is folded wherever it can be: numbers are not, texts between words."""
    cells = [grid.heads[place]] if grid.right[place] else _column(grid, place)
    words = [_width(word) for cell in cells for word in cell.split()]
    whole = [_width(row[place]) for row in grid.cells] if grid.right[place] else []
    return max([1, *words, *whole])


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    folded = [_folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*folded, fillvalue=""):
        line = _GAP.join(
            " " * (width - _width(part)) + part if to_right else part + " " * (width - _width(part))
            for part, width, to_right in zip(parts, widths, right, strict=True)
        )
        yield line.rstrip()


def _folded(text: str, width: int | None) -> list[str]:
    """A text in lines, broken between words only."""
    if width is None or _width(text) <= width:
        return [text]
    if text.isascii():
        return textwrap.wrap(text, max(1, width), break_long_words=False, break_on_hyphens=False)
    lines = [""]
    for word in text.split():
        if lines[-1] and _width(lines[-1]) + 1 + _width(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _width(text: str) -> int:
    """How many columns a text takes: those of East Asia are wide."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )
