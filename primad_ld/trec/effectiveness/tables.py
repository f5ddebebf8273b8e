"""Tables of scores while they are read: their cells, what is wrong with them, and its mending."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.trec.effectiveness.measure_names import canonical
from primad_ld.trec.effectiveness.scoring import TopicScores, in_order
from primad_ld.trec.lines import BLANKS, each_text_line, number_of, quoted

_DELIMITERS: Final = "\t;,"


def rows_of_text(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are neither empty nor remarks, with their numbers."""
    for number, text in each_text_line(path):
        if text.strip(BLANKS) and not text.lstrip(BLANKS).startswith("#"):
            yield number, text


def delimiter_of(line: str) -> str:
    """What parts the cells of a table: a tab, else a semicolon, else a comma."""
    bare = re.sub(r'"[^"]*"', "", line)
    return next((one for one in _DELIMITERS if one in bare), ",")


def cells_of(table: Table) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with delimiters, without empty ones, remarks and blanks around cells."""
    first = next(rows_of_text(table.path))[1]
    reader = csv.reader(_kept(table.path), delimiter=delimiter_of(first), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise table.error(
                f"this row cannot be read: {error}", "look at its quotes", line=line
            ) from None
        if row is None:
            return
        cells = [cell.strip(BLANKS) for cell in row]
        if any(cells):
            yield line, cells


def _kept(path: Path) -> Iterable[str]:
    """All lines, remarks as empty ones, so that they can be counted."""
    for _, text in each_text_line(path):
        yield "\n" if text.lstrip(BLANKS).startswith("#") else f"{text}\n"


@dataclass(kw_only=True)
class Table:
    """A table while it is being read."""

    path: Path
    measure: str
    is_lenient: bool
    #: By run and measure the value of each topic; None where the cell is empty.
    values: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    _names: dict[str, str] = field(default_factory=dict)

    def error(
        self, why: str, hint: str, *, line: int | None = None, column: int | None = None
    ) -> HeaderError:
        """What is wrong at a place of the table."""
        return HeaderError(why, file=self.path, line=line, column=column, hint=hint)

    def mend(
        self, repair: str, why: str, hint: str, *, line: int | None, column: int | None = None
    ) -> None:
        """Count a repair, or say what is wrong."""
        if not self.is_lenient:
            raise self.error(why, f"{hint}, or say --lenient", line=line, column=column)
        self.repairs[repair] += 1

    def add(
        self, cell: str, *, run: str, measure: str, topic: str, line: int, column: int, where: str
    ) -> None:
        """Take the value of a cell for a topic."""
        topics = self.values.setdefault(run, {}).setdefault(measure, {})
        if topic in topics:
            self.mend(
                "values that a topic has twice left out",
                f"topic {quoted(topic)} has two values of {measure}",
                "keep one of the two, and put several runs into files of their own",
                line=line,
            )
            return
        topics[topic] = self._number(cell.strip(BLANKS), line, column, where)

    def _number(self, text: str, line: int, column: int, where: str) -> float:
        try:
            value = number_of(text)
        except ValueError:
            value = None
        if value is not None and isfinite(value):
            return value
        said = f"{quoted(text)} in {where} is no number" if text else f"{where} is empty"
        if value is not None:
            said = f"{quoted(text)} in {where} is no score"
        self.mend(
            "cells without a score taken as 0",
            said,
            "complete it (decimals with a point)",
            line=line,
            column=column,
        )
        return 0.0

    def named(self, text: str, line: int) -> str:
        """A measure by its name in trec_eval."""
        if text not in self._names:
            try:
                self._names[text] = canonical(text)
            except MeasureError as error:
                raise HeaderError(str(error), file=self.path, line=line) from None
        return self._names[text]

    def drop_ragged(self, cells: int, expected: int, line: int) -> None:
        """Leave out a row that has too many or too few cells."""
        self.mend(
            "rows of another length left out",
            f"this row has {cells} cells, and {expected} are expected",
            "complete it" if cells < expected else "put texts with a delimiter in them in quotes",
            line=line,
        )

    def scores(self) -> list[TopicScores]:
        """What was read, a run at a time."""
        if not any(found for one in self.values.values() for found in one.values()):
            raise self.error("there are no scores in this table", "is it complete?")
        made = [(run, self._completed(run)) for run in self.values]
        repairs = dict(sorted(self.repairs.items()))
        return [
            TopicScores(
                name=run,
                topics=tuple(topics),
                values={
                    measure: tuple([found[topic] for topic in topics])
                    for measure, found in self.values[run].items()
                },
                repairs=repairs,
            )
            for run, topics in made
        ]

    def _completed(self, run: str) -> list[str]:
        """The topics of a run, of which each measure has a score now."""
        measures = self.values[run]
        topics = sorted({topic for found in measures.values() for topic in found}, key=in_order)
        for measure, found in measures.items():
            for topic in topics:
                if topic not in found:
                    self.mend(
                        "cells without a score taken as 0",
                        f"run {quoted(run)} has no value of {measure} for topic {quoted(topic)}",
                        "complete the table",
                        line=None,
                    )
                    found[topic] = 0.0
        return topics
