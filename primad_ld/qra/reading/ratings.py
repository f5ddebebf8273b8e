"""Ratings from tables: which label each rater gave each item (QRA++, results of Type III).

A row is one rating. Labels stay as they are written, for they may be categories, ranks or
numbers; a rating whose label is empty, or says that it is unknown, was not made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.qra.measurements import is_missing
from primad_ld.qra.reading.cells import Cells, Row, read_cells, some
from primad_ld.qra.reading.column_names import OF_RATINGS, tidy
from primad_ld.qra.reading.table_remarks import look_alikes
from primad_ld.trec.columns import quoted

_NEEDED: Final = ("item", "rater", "label")
_SEVERAL: Final = {
    "label": "labels",
    "rater": "raters",
    "item": "items",
    "criterion": "criteria",
    "study": "studies",
    "group": "groups",
    "object": "systems",
}
_DECIMAL_COMMA: Final = re.compile(r"[+-]?[0-9]*,[0-9]+")
_SHOWN: Final = 5


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
    notes = tuple(f"{cells.file}: {note}" for note in reader.notes())
    return Ratings(ratings=found, notes=(*cells.notes, *notes))


def _option(what: str) -> str:
    """The option that names a column; ``--label`` is that of tables in LaTeX."""
    return {"label": "--rating", "criterion": "--measurand"}.get(what, f"--{what}")


class _Reader:
    """Makes ratings of rows."""

    def __init__(self, cells: Cells, columns: RatingColumns) -> None:
        self.cells = cells
        #: How often each text stands where there is no label.
        self.absent: Counter[str] = Counter()
        self.criterion = ""
        #: Each text once, as it is kept: a million ratings have a few labels and raters.
        self.texts: dict[str, str] = {"": ""}
        #: What there is in each column.
        self.names: dict[str, dict[str, None]] = {what: {} for what in _SEVERAL}
        self.at = self.columns(columns)

    def columns(self, columns: RatingColumns) -> dict[str, int]:
        """The columns by what they hold; those that somebody names come first."""
        cells = self.cells
        names = {what: name for what in OF_RATINGS if (name := getattr(columns, what))}
        name = names.get("criterion", "")
        usual_criterion = cells.find_usual(OF_RATINGS["criterion"], ())
        if name and cells.find(name) is None and usual_criterion is None:
            self.criterion = names.pop("criterion")
        found = {what: cells.column(name, _option(what)) for what, name in names.items()}
        for what, usual_names in OF_RATINGS.items():
            if what in found or (what == "criterion" and self.criterion):
                continue
            only_as = _option(what) if what == "label" else ""
            usual = cells.find_usual(usual_names, found.values(), only_as)
            if usual is not None:
                found[what] = usual
            elif what in _NEEDED:
                raise cells.error(
                    f"no column says the {what} of a rating",
                    cells.head.line,
                    hint=f"name it with {_option(what)}; the columns are {cells.shown}",
                )
        return found

    def ratings(self) -> Iterator[Rating]:
        lines: dict[tuple[str, ...], int] = {}
        for row in self.cells.rows:
            texts = {what: self.text(row, at) for what, at in self.at.items()}
            if is_missing(texts["label"]):
                self.absent[texts["label"]] += 1
                continue
            if what := next((what for what in ("item", "rater") if not texts[what]), ""):
                raise self.cells.error(
                    f"there is a label in this row and no {what}",
                    row.line,
                    self.at[what],
                    f"write the {what} in each row",
                )
            for what, text in texts.items():
                self.names[what][text] = None
            if self.criterion:
                texts["criterion"] = self.criterion
            self.cells.refuse_merged(row, self.at["label"])
            one = Rating(**texts, file=self.cells.file, line=row.line)
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

    def text(self, row: Row, at: int) -> str:
        text = row.cells[at]
        if text not in self.texts:
            self.texts[text] = tidy(text)
        if not self.texts[text]:
            self.cells.refuse_merged(row, at)
        return self.texts[text]

    def notes(self) -> Iterator[str]:
        """What may not be meant so."""
        used = self.at.values()
        unused = [head for at, head in enumerate(self.cells.head.cells) if head and at not in used]
        if unused:
            yield f"not used: {some(unused, _SHOWN)}"
        if self.absent:
            count = self.absent.total()
            written = [quoted(text) for text in self.absent if text][:_SHOWN]
            hint = f" ({', '.join(written)}: write it otherwise if it is one)" if written else ""
            yield f"{'1 rating has' if count == 1 else f'{count} ratings have'} no label{hint}"
        decimals = [text for text in self.names["label"] if _DECIMAL_COMMA.fullmatch(text)]
        if decimals:
            are = "1 label is" if len(decimals) == 1 else f"{len(decimals)} labels are"
            shown = some(map(quoted, decimals), _SHOWN)
            yield f"{are} read as text, because of a comma ({shown}); write numbers with a point"
        yield from look_alikes(
            {_SEVERAL[what]: map(quoted, names) for what, names in self.names.items()}
        )
