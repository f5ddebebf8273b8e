"""Answers that are shown in every form: rows of scores, whatever stands in them, and one cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from primad_ld.core.errors import PrimadError
from primad_ld.tables.answers import Answer, Column, Table

#: Tags of strangers, and what each of them would do to one of the forms.
HOSTILE = (
    "a_b % & # $ ^ ~ \\ {}",  # LaTeX
    "ü λ 漢 → – …",  # letters that pdfLaTeX does not know
    "<script>alert(1)</script>",
    "| cell **bold** `code`",
    'quote " and, comma\nand line',
    "=1+1",
    "@SUM(A1)",
    "-cmd",
    "\x1b[31mred\x07",
    "\u202egnp.exe",
    "::error::workflow command",
    "[option",
)


@dataclass(frozen=True, repr=False)
class Scores(Answer):
    """Scores of runs by two measures, with a p-value that people read in words."""

    rows: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...] = ("one note",)
    problems: tuple[PrimadError, ...] = ()
    sentence: str = ""
    columns: tuple[Column, ...] = field(
        default=(
            Column("run", "run"),
            Column("measure", "measure"),
            Column("value", "score", digits=3),
            Column("p", "p", wide=True),
            Column("iri"),
        )
    )

    def table(self) -> Table:
        return Table(name="scores", columns=self.columns, rows=self.rows, title="Scores of runs")

    def verdict(self) -> str:
        return self.sentence


@dataclass(frozen=True, repr=False)
class OneCell(Answer):
    """A text in every place of a table."""

    cell: str

    def table(self) -> Table:
        columns = [Column("run", f"<b>{self.cell}"), Column("map", "x")]
        rows = [{"run": self.cell, "map": -0.5}]
        return Table(name="runs", columns=columns, rows=rows, title=self.cell, notes=[self.cell])
