"""Ratings from tables: which label each rater gave each item (QRA++, results of Type III).

A row is one rating. Labels stay as they are written, for they may be categories, ranks or
numbers; a rating whose label is empty was not made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.qra.reading.cells import Cells, Row, read_cells

#: What columns are usually called, the first name that is there counts.
_USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "item": ("item", "item id", "output", "text", "unit"),
    "rater": ("rater", "annotator", "evaluator", "judge", "coder", "participant", "assessor"),
    "label": ("label", "rating", "answer", "response", "category", "score", "value"),
    "criterion": ("criterion", "quality criterion", "measurand", "question"),
    "study": ("study", "experiment", "paper"),
    "group": ("group", "key"),
    "object": ("object", "system", "model"),
}
_NEEDED: Final = ("item", "rater", "label")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rating:
    """The label that a rater gave an item."""

    item: str
    rater: str
    #: As it is written: it may be a category, a rank or a number.
    label: str
    #: What was rated, the measurand of an agreement.
    criterion: str = ""
    #: In whose experiment it was rated.
    study: str = ""
    #: What belongs together, where a table holds several sets of an original and reproductions.
    group: str = ""
    #: The system that the item comes from.
    object: str = ""
    #: Where it stands.
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Ratings:
    """The ratings of a table, in its order."""

    ratings: tuple[Rating, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class RatingColumns:
    """Where a table of ratings has what; what is empty is found by the usual names of columns."""

    item: str = ""
    rater: str = ""
    label: str = ""
    #: A name that is no column is the criterion of all ratings, unless there is a column of them.
    criterion: str = ""
    study: str = ""
    group: str = ""
    object: str = ""
    #: The sheet of a workbook.
    sheet: str = ""


def read_ratings(path: Path, columns: RatingColumns | None = None) -> Ratings:
    """The ratings of a table (.csv, .tsv, .xlsx).

    A rater who rates an item twice, by one criterion and in one study, is an error: no measure of
    agreement says what to do with the second label.
    """
    columns = columns or RatingColumns()
    cells = read_cells(path, columns.sheet)
    reader = _Reader(cells, columns)
    found = tuple(reader.ratings())
    if not found:
        raise cells.error("there are no ratings in this table", cells.head.line)
    notes = list(cells.notes)
    if reader.absent:
        ratings = "1 rating has" if reader.absent == 1 else f"{reader.absent} ratings have"
        notes.append(f"{cells.file}: {ratings} no label")
    return Ratings(ratings=found, notes=tuple(notes))


class _Reader:
    """Makes ratings of rows."""

    def __init__(self, cells: Cells, columns: RatingColumns) -> None:
        self.cells = cells
        self.absent = 0
        self.criterion = ""
        #: Each text once: a million ratings have a few labels and raters.
        self.texts: dict[str, str] = {}
        self.at = self.columns(columns)

    def columns(self, columns: RatingColumns) -> dict[str, int]:
        """The columns by what they hold; those that somebody names come first."""
        found: dict[str, int] = {}
        for what in _USUAL:
            name = getattr(columns, what)
            if what == "criterion" and name and self.is_constant(name):
                self.criterion = name
            elif name:
                found[what] = self.cells.column(name, f"--{what}")
        for what, names in _USUAL.items():
            if what not in found and not (what == "criterion" and self.criterion):
                usual = self.cells.find_any(names, found.values())
                if usual is not None:
                    found[what] = usual
                elif what in _NEEDED:
                    raise self.cells.error(
                        f"no column says the {what} of a rating",
                        self.cells.head.line,
                        hint=f"name it with --{what}; the columns are {self.cells.shown}",
                    )
        return found

    def is_constant(self, name: str) -> bool:
        """Whether a name can be the criterion of all ratings."""
        return self.cells.find(name) is None and self.cells.find_any(_USUAL["criterion"]) is None

    def ratings(self) -> Iterator[Rating]:
        lines: dict[tuple[str, ...], int] = {}
        for row in self.cells.rows:
            texts = {what: self.text(row, at) for what, at in self.at.items()}
            if not texts["label"]:
                self.absent += 1
                continue
            one = self.rating(row, texts)
            key = (one.rater, one.item, one.criterion, one.study, one.group, one.object)
            if lines.setdefault(key, row.line) != row.line:
                raise self.cells.error(
                    f"{one.rater} has rated {one.item} already, in line {lines[key]}",
                    row.line,
                    self.at["rater"],
                    "keep one of the two; if they differ in a criterion, study or system, name its "
                    "column",
                )
            yield one

    def rating(self, row: Row, texts: dict[str, str]) -> Rating:
        for what in ("item", "rater"):
            if not texts[what]:
                raise self.cells.error(
                    f"there is a label in this row and no {what}",
                    row.line,
                    self.at[what],
                    f"write the {what} in each row",
                )
        if self.criterion:
            texts["criterion"] = self.criterion
        self.cells.refuse_merged(row, self.at["label"])
        return Rating(**texts, file=self.cells.file, line=row.line)

    def text(self, row: Row, at: int) -> str:
        said = row.cells[at]
        if not said:
            self.cells.refuse_merged(row, at)
        return self.texts.setdefault(said, said)
