"""What people see of an answer: which tables, which columns, and their cells as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from primad_ld.core.errors import printable
from primad_ld.tables.answers import Answer, Column, Row, Table, is_number, text_of


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
    notes: tuple[str, ...]
    hint: str = ""

    @property
    def heads(self) -> list[str]:
        """The titles of the columns."""
        return [printable(column.title) for column in self.columns]


def grids(answer: Answer, layout: Layout) -> list[Grid]:
    """The tables that people read of an answer, or the columns that they asked for.

    Columns are those of a table that is shown, or else of all rows.
    """
    if layout.columns:
        names = set(layout.columns)
        tables = [table for table in answer.shown() if names <= table.by_name().keys()]
        return [grid(table.chosen(layout.columns)) for table in tables or [answer.table()]]
    return [grid(table, wide=layout.wide) for table in answer.shown()]


def grid(table: Table, *, wide: bool = False) -> Grid:
    """A table as text, without columns that have no value in any row."""
    rows = list(table.rows)
    columns = [one for one in table.columns if one.title and (wide or not one.wide)]
    columns = [one for one in columns if not rows or _has_values(rows, one)] or columns[:1]
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
        notes=tuple(map(printable, table.notes)),
        hint=printable(table.hint),
    )


def _has_values(rows: Sequence[Row], column: Column) -> bool:
    return any(row.get(column.key) not in (None, "", [], ()) for row in rows)


def _is_numeric(rows: Sequence[Row], column: Column) -> bool:
    values = [row.get(column.key) for row in rows]
    given = [value for value in values if value not in (None, "")]
    return column.digits is not None or (bool(given) and all(map(is_number, given)))


def without_last(grid: Grid, count: int) -> Grid:
    """The grid without its last columns, which a note names."""
    kept = len(grid.columns) - count
    names = ", ".join(grid.heads[kept:])
    return replace(
        grid,
        columns=grid.columns[:kept],
        right=grid.right[:kept],
        values=tuple([row[:kept] for row in grid.values]),
        cells=tuple([row[:kept] for row in grid.cells]),
        notes=(*grid.notes, f"too narrow to show: {names} (choose with --columns)"),
    )
