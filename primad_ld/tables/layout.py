"""What people see of an answer: which tables, which columns, and their cells as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from primad_ld.core.errors import OutputError, printable
from primad_ld.tables.answers import (
    Answer,
    Column,
    Row,
    Table,
    half_up,
    is_number,
    named_in,
    plain,
    text_of,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """How the forms for people are laid out."""

    #: Columns of a terminal; as many as are needed if left out.
    width: int | None = None
    #: Whether heads may be set in bold, by the codes of terminals.
    styled: bool = False
    #: The columns to show, of all rows; those that tables show by themselves if left out.
    columns: tuple[str, ...] = ()
    #: Whether to show columns that are left out otherwise.
    wide: bool = False
    #: Whether the best value of each column of scores is in bold.
    bold: bool = False
    #: Of LaTeX.
    caption: str = ""
    label: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """A table as text, with what belongs to each cell."""

    title: str
    columns: tuple[Column, ...]
    #: For each column, whether it stands to the right.
    right: tuple[bool, ...]
    values: tuple[tuple[object, ...], ...]
    cells: tuple[tuple[str, ...], ...]
    #: The places of the best values, by row and column, if they are to be in bold.
    best: frozenset[tuple[int, int]]
    table: Table

    @property
    def notes(self) -> list[str]:
        """What stands below the table, about what is in it."""
        keys = {column.key for column in self.columns}
        about = [note for note, columns in self.table.about.items() if columns & keys]
        return [printable(note) for note in (*self.table.notes, *about)]

    @property
    def hint(self) -> str:
        """How to see more."""
        return printable(self.table.hint)

    @property
    def heads(self) -> list[str]:
        """The titles of the columns."""
        return [printable(column.title) for column in self.columns]

    def texts(self, place: int) -> list[str]:
        """The cells of a column, without its head."""
        return [row[place] for row in self.cells]


def grids(answer: Answer, layout: Layout) -> list[Grid]:
    """The tables that people read of an answer, or the columns that they asked for.

    Columns are those of a table that is shown, or else of all rows.
    """
    tables = answer.shown()
    if layout.columns:
        tables = _chosen(tables, answer.table(), layout.columns)
    is_chosen = bool(layout.columns)
    return [_grid(one, wide=layout.wide, bold=layout.bold, is_whole=is_chosen) for one in tables]


def _chosen(shown: Sequence[Table], whole: Table, names: Sequence[str]) -> list[Table]:
    """The columns of the tables that are shown and have them all, or else of the table of all rows."""
    every = {name for table in (*shown, whole) for name in table.by_name()}
    names = named_in(names, every)
    wanted = {name.casefold() for name in names}
    having = [table for table in shown if wanted <= table.by_name().keys()]
    if not having and wanted <= every and not wanted <= whole.by_name().keys():
        raise OutputError(f"no table has all of these columns: {', '.join(names)}")
    if unknown := [name for name in names if name.casefold() not in every]:
        titles = dict.fromkeys(one.title for table in shown for one in table.columns if one.title)
        raise OutputError(
            f"unknown column {', '.join(unknown)}; choose from {', '.join(titles)}; or from all "
            f"rows: {', '.join(column.key for column in whole.columns)}"
        )
    return [table.chosen(names) for table in having or [whole]]


def _grid(table: Table, *, wide: bool, bold: bool, is_whole: bool) -> Grid:
    """A table as text, if not whole without columns that have no value in any row."""
    rows = list(table.rows)
    columns = [one for one in table.columns if one.title and (wide or not one.wide)]
    if rows and not is_whole:
        columns = [one for one in columns if _has_values(rows, one)] or columns[:1]
    values = [tuple([row.get(one.key) for one in columns]) for row in rows]
    cells = [
        tuple(
            [printable(text_of(value, one.digits)) for value, one in zip(row, columns, strict=True)]
        )
        for row in values
    ]
    return Grid(
        title=printable(table.title),
        columns=tuple(columns),
        right=tuple([_is_numeric(rows, one) for one in columns]),
        values=tuple(values),
        cells=tuple(cells),
        best=frozenset(_best(table, rows, columns) if bold else ()),
        table=table,
    )


def _has_values(rows: Sequence[Row], column: Column) -> bool:
    return any(row.get(column.key) not in (None, "", [], ()) for row in rows)


def _is_numeric(rows: Sequence[Row], column: Column) -> bool:
    values = [row.get(column.key) for row in rows]
    given = [value for value in values if value not in (None, "")]
    return column.digits is not None or (bool(given) and all(map(is_number, given)))


def _best(
    table: Table, rows: Sequence[Row], columns: Sequence[Column]
) -> Iterator[tuple[int, int]]:
    """The places of the best values of each column of scores; what looks the same is as good."""
    for place, column in enumerate(columns):
        groups: dict[object, dict[int, float]] = {}
        for number, row in enumerate(rows):
            value = plain(row.get(column.key))
            if column.better and isinstance(value, int | float):
                shown = value if column.digits is None else half_up(value, column.digits)
                group = text_of(row.get(table.compared_by))
                groups.setdefault(group, {})[number] = float(shown)
        for numbers in groups.values():
            best = (max if column.better == "high" else min)(numbers.values())
            is_choice = len(rows) > 1
            yield from [
                (row, place) for row, value in numbers.items() if is_choice and value == best
            ]


# Room -------------------------------------------------------------------------------------


def places_that_fit(
    columns: Sequence[Column], least: Sequence[float], gap: float, room: float
) -> list[int]:
    """The places of the columns for which there is room, without the least important ones.

    The first column always stays, what is essential as long as it can, and wide ones go first.
    """

    def importance(place: int) -> tuple[bool, bool, bool, int]:
        column = columns[place]
        return place != 0, not column.essential, column.wide, place

    places = sorted(range(len(columns)), key=importance)
    while len(places) > 1 and sum(least[place] + gap for place in places) - gap > room:
        places.pop()
    return sorted(places)


def fold(
    text: str,
    room: float,
    width_of: Callable[[str], float],
    parts_of: Callable[[str], list[str]] = lambda word: [word],
) -> list[str]:
    """A text in lines, broken between words, and within those that have parts."""
    # An indentation stays.
    lines = [text[: len(text) - len(text.lstrip(" "))]]
    gap = ""
    for word in text.split():
        for part in parts_of(word):
            if lines[-1].strip() and width_of(lines[-1] + gap + part) > room:
                lines.append(part)
            else:
                lines[-1] += gap + part
            gap = ""
        gap = " "
    return lines


def with_columns(grid: Grid, places: Sequence[int]) -> Grid:
    """The grid with some of its columns only."""
    new = {place: number for number, place in enumerate(places)}
    return replace(
        grid,
        columns=tuple([grid.columns[place] for place in new]),
        right=tuple([grid.right[place] for place in new]),
        values=tuple([tuple([row[place] for place in new]) for row in grid.values]),
        cells=tuple([tuple([row[place] for place in new]) for row in grid.cells]),
        best=frozenset([(row, new[place]) for row, place in grid.best if place in new]),
    )


def share_room(least: Sequence[float], full: Sequence[float], room: float) -> list[float]:
    """The width of each column: what it needs at least, and its share of what is left."""
    widths, left = list(least), room - sum(least)
    # Those that need least come first, so that what they leave goes to the others.
    by_need = sorted(range(len(widths)), key=lambda place: full[place] - widths[place])
    for number, place in enumerate(by_need):
        more = min(full[place] - widths[place], max(0, left) / (len(by_need) - number))
        widths[place] += more
        left -= more
    return widths
