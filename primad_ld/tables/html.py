"""Tables as HTML: a page of its own, and a fragment for notebooks, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from typing import Final

from primad_ld.core.errors import printable
from primad_ld.tables.answers import Answer, is_number, plain
from primad_ld.tables.layout import Grid, Layout, grids

#: A notebook shows no more rows than these; a page has them all.
_MOST_ROWS: Final = 60
_LONGEST_WORD: Final = 40

# Colours are those of what stands around, so that a dark notebook stays dark.
_STYLE: Final = """
.primad div {overflow-x: auto; margin: 1em 0 .4em}
.primad table {border-collapse: collapse; margin: 0; font-variant-numeric: tabular-nums}
.primad caption {text-align: left; padding: .3em 0; font-weight: 600}
.primad th, .primad td {padding: .25em .9em .25em 0; text-align: left; vertical-align: top;
  border: 0; background: none; color: inherit; white-space: pre-wrap}
.primad thead th {border-bottom: 1px solid currentColor; vertical-align: bottom}
.primad tbody tr + tr td {border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent)}
.primad .n {text-align: right}
.primad td.n, .primad td.w, .primad td:first-child {white-space: nowrap}
.primad .verdict {font-size: 1.1em; max-width: 60em}
.primad ul {margin: .3em 0; padding-left: 1.2em; font-size: .9em; opacity: .8}
""".strip()
_PAGE_STYLE: Final = """
:root {color-scheme: light dark}
body {font: 16px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em}
""".strip()


def page(answer: Answer, layout: Layout) -> Iterator[str]:
    """A whole page, which needs nothing from elsewhere."""
    tables = grids(answer, layout)
    if layout.caption and tables:
        tables[0] = replace(tables[0], title=printable(layout.caption))
    title = next((grid.title for grid in tables if grid.title), "primad-ld")
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>\n{_PAGE_STYLE}\n{_STYLE}\n</style>\n</head>\n<body>\n"
    )
    yield from _body(answer, tables, None)
    yield "</body>\n</html>\n"


def fragment(answer: Answer) -> Iterator[str]:
    """What a notebook shows of an answer."""
    yield f"<style>{_STYLE}</style>\n"
    yield from _body(answer, grids(answer, Layout()), _MOST_ROWS)


def _body(answer: Answer, tables: list[Grid], most: int | None) -> Iterator[str]:
    yield '<div class="primad">\n'
    if verdict := printable(answer.verdict()):
        yield f'<p class="verdict">{escape(verdict)}</p>\n'
    for grid in tables:
        yield from _table(grid, most)
    yield "</div>\n"


def _table(grid: Grid, most: int | None) -> Iterator[str]:
    yield "<div><table>\n"
    if grid.title:
        yield f"<caption>{escape(grid.title)}</caption>\n"
    heads = "".join(
        f'<th scope="col"{_class(right)}>{escape(head)}</th>'
        for head, right in zip(grid.heads, grid.right, strict=True)
    )
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>\n"
    for number, values in enumerate(grid.values[:most]):
        cells = [
            _cell(value, text, is_right, is_best=(number, place) in grid.best)
            for place, (value, text, is_right) in enumerate(
                zip(values, grid.cells[number], grid.right, strict=True)
            )
        ]
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody>\n</table></div>\n"
    hidden = len(grid.cells) - most if most is not None else 0
    notes = [*grid.notes, *([f"{hidden:,} more rows"] if hidden > 0 else [])]
    if notes:
        yield f"<ul>{''.join(f'<li>{escape(note)}</li>' for note in notes)}</ul>\n"


def _cell(value: object, text: str, right: bool, *, is_best: bool) -> str:
    """A cell; a number stands in it in full, too, for machines."""
    shown = f"<b>{escape(text)}</b>" if is_best else escape(text)
    if is_number(value):
        shown = f'<data value="{escape(repr(plain(value)))}">{shown}</data>'
    return (
        f"<td{_class(right, is_word=' ' not in text and len(text) <= _LONGEST_WORD)}>{shown}</td>"
    )


def _class(right: bool, *, is_word: bool = False) -> str:
    """Numbers stand to the right; a word is not broken, whatever signs are in it."""
    return ' class="n"' if right else ' class="w"' if is_word else ""
