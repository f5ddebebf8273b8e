"""Tables in Markdown, as GitHub and notebooks read them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from primad_ld.core.errors import printable
from primad_ld.tables.answers import Answer
from primad_ld.tables.layout import Grid, Layout, grids

_MARKS: Final = re.compile(r"([\\`*_{}\[\]|#$~])")
# Not every reader of Markdown takes a backslash before these.
_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def markdown_lines(answer: Answer, layout: Layout) -> Iterator[str]:
    """The verdict, then a heading, a table and a list of notes for each table."""
    verdict = answer.verdict()
    parts = [f"{_escaped(printable(verdict))}\n"] if verdict else []
    parts.extend(_markdown(grid) for grid in grids(answer, layout))
    yield "\n".join(parts)


def _markdown(grid: Grid) -> str:
    lines = [f"**{_escaped(grid.title)}**", ""] if grid.title else []
    lines.append(_row(map(_escaped, grid.heads)))
    lines.append(_row("--:" if right else "---" for right in grid.right))
    for number, row in enumerate(grid.cells):
        lines.append(
            _row(
                f"**{_escaped(cell)}**" if (number, place) in grid.best else _escaped(cell)
                for place, cell in enumerate(row)
            )
        )
    if grid.notes:
        lines.extend(["", *(f"- {_escaped(note)}" for note in grid.notes)])
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """A text without marks; spaces before it are an indentation, which stays."""
    words = text.lstrip(" ")
    indent = "\N{NO-BREAK SPACE}" * (len(text) - len(words))
    return indent + _MARKS.sub(r"\\\1", words).translate(_HTML)
