"""The list of measures of reproducibility, as a command prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from primad_ld.measures.registry import all_measures, choose, measures_page
from primad_ld.tables.answers import Answer, Cell, Row, Table, columns

_COLUMNS: Final = columns(
    id="measure",
    name="name",
    needs="needs",
    data="data",
    range="range",
    direction="",
    identity="itself",
    parameters="parameters",
    **dict.fromkeys("definition caveats assumes asked sentence repro_eval cites".split(), ""),
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
                # Without a blank, at which a narrow column would be folded.
                "range": Cell(one.range, one.range.replace(" ", "")),
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
