"""The list of measures of reproducibility, as a command prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from primad_ld.measures.registry import all_measures, choose, measures_page
from primad_ld.tables.answers import Answer, Cell, Column, Row, Table

_COLUMNS: Final = (
    Column(key="id", title="measure"),
    Column(key="name", title="name"),
    Column(key="needs", title="needs"),
    Column(key="data", title="data"),
    Column(key="range", title="range"),
    Column(key="direction"),
    Column(key="identity", title="itself"),
    Column(key="parameters", title="parameters"),
    Column(key="definition"),
    Column(key="caveats"),
    Column(key="assumes"),
    Column(key="asked"),
    Column(key="sentence"),
    Column(key="repro_eval"),
    Column(key="cites"),
)


def _page(_: MeasureList) -> Iterator[str]:
    yield measures_page()


class MeasureList(Answer):
    """Every measure: what it needs, where it is valid, what it means."""

    #: In Markdown, all that is to know about each.
    own_forms: ClassVar = {"markdown": _page}

    def table(self) -> Table:
        """A row for each measure."""
        rows: list[Row] = [
            {
                **{column.key: getattr(one, column.key) for column in _COLUMNS},
                "parameters": {name: each.default for name, each in one.parameters.items()},
            }
            for one in all_measures().values()
        ]
        return Table(name="measures", columns=_COLUMNS, rows=rows)

    def shown(self) -> Sequence[Table]:
        """The same, with measures and parameters as people write them."""
        table = self.table()
        rows = [
            {
                **row,
                "id": str(choose(one, {})),
                "parameters": Cell(
                    row["parameters"],
                    ", ".join(
                        f"{name}={'…' if each.default is None else each.default}"
                        for name, each in one.written.items()
                    ),
                ),
            }
            for row, one in zip(table.rows, all_measures().values(), strict=True)
        ]
        return [replace(table, rows=rows)]
