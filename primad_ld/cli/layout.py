"""How tables and JSON are laid out on the command line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import printable, without_commands

if TYPE_CHECKING:
    from rich.table import Table

    from primad_ld.tables.markup import Grid

_WIDTH: Final = 160


def rendered(*parts: object) -> str:
    """Tables as text: as wide as the terminal, or as they need to be."""
    from rich.console import Console

    buffer = io.StringIO()
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    console = Console(
        file=buffer,
        width=None if is_terminal else _WIDTH,
        force_terminal=is_terminal,
        highlight=False,
        soft_wrap=False,
    )
    for part in parts:
        if isinstance(part, str):
            console.print(part, markup=False, emoji=False)
        else:
            console.print(part)
    lines = buffer.getvalue().split("\n")
    return without_commands("\n".join(line.rstrip() for line in lines))


def new_table(*columns: str) -> Table:
    """A table without lines, numbers to the right."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        right = column in ("runs", "year", "score", "rank", "of", "percentile")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table


def add_row(table: Table, *cells: object) -> None:
    """A row of texts that may come from anywhere."""
    from rich.text import Text

    table.add_row(*[Text(printable(str(cell))) for cell in cells])


def as_json(value: object) -> str:
    """JSON as people can read it, too."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def laid_out(format: str, found: Sequence[Grid]) -> str:
    """Tables in one of the forms for people: table, latex or markdown."""
    from primad_ld.tables.markup import as_latex, as_markdown

    forms = {"table": as_table, "latex": as_latex, "markdown": as_markdown}
    return forms[format](found)


def as_table(found: Sequence[Grid]) -> str:
    """Tables for a terminal, folded where they are too wide; for files and pipes as wide as they are."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return _rich(found) if is_terminal else "\n".join(map(_plain, found))


def _rich(found: Sequence[Grid]) -> str:
    parts: list[object] = []
    for grid in found:
        if parts:
            parts.append("")
        if grid.title:
            parts.append(printable(grid.title))
        table = new_table(*grid.columns)
        for column in table.columns[grid.texts :]:
            column.justify = "right"
            column.no_wrap = True  # half a number is another number
        for row in grid.rows:
            add_row(table, *row)
        parts.append(table)
        parts.extend(map(printable, grid.remarks))
        if grid.hint:
            parts.append(grid.hint)
    return rendered(*parts)


def _plain(grid: Grid) -> str:
    """The same without rich, which takes longer to import than a pair of runs to be compared."""
    rows = [[printable(cell) for cell in row] for row in (grid.columns, *grid.rows)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [printable(grid.title)] if grid.title else []
    for row in rows:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (width - _width(cell))
            cells.append(cell + blanks if place < grid.texts else blanks + cell)
        lines.append("  ".join(cells).rstrip())
    lines.extend(map(printable, grid.remarks))
    if grid.hint:
        lines.append(grid.hint)
    return without_commands("".join(f"{line}\n" for line in lines))


def _width(text: str) -> int:
    """How many columns a text takes: those of East Asia are wide."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )
