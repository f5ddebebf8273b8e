"""Which column of a table holds what: by the names that somebody gives, or by usual ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import isfinite
from operator import itemgetter
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import read_fields
from primad_ld.qra.measurements import CONDITIONS, Scale, condition_key
from primad_ld.qra.reading.cells import Cells, did_you_mean
from primad_ld.qra.reading.table_heads import USUAL, HeadFinder, is_no_study, is_study
from primad_ld.trec.columns import quoted

#: What its users call the experiment that the others reproduce.
_ORIGINAL_OF_LATER_TOOL: Final = "O"
_NAMELESS: Final = "score"


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where a table has what; what is empty is found by the usual names of columns."""

    object: str = ""
    #: A name that is no column is the measurand of all values, unless there is a column of them.
    measurand: str = ""
    value: str = ""
    study: str = ""
    group: str = ""
    id: str = ""
    #: The columns of conditions of measurement, by the condition.
    conditions: Mapping[str, str] = field(default_factory=dict)
    #: The scale of the values. Percentages begin at 0 whatever is said here.
    scale_min: float | None = None
    scale_max: float | None = None
    lower_is_better: bool = False
    #: The study that others reproduce.
    original: str = ""
    #: The columns of a wide table that are studies: these and no others.
    studies: tuple[str, ...] = ()
    #: What is asked for: only among these values, repetitions need an explanation.
    where: Mapping[str, str] = field(default_factory=dict)
    #: The sheet of a workbook, which may also stand behind its name: ``scores.xlsx#Sheet2``.
    sheet: str = ""

    def __post_init__(self) -> None:
        read_fields(self)

    def finder(self) -> HeadFinder:
        """What a head is like that has these columns."""
        named = (self.study, self.group, self.id, *self.studies, *self.conditions.values())
        return HeadFinder(self.object, self.value, [name for name in named if name])

    def scale(self) -> Scale:
        """The scale that is described."""
        low, high = self.scale_min, self.scale_max
        for option, value in (("--scale-min", low), ("--scale-max", high)):
            if value is not None and not isfinite(value):
                raise MeasureError(f"{option} {value} is no number; say where the scale ends")
        if high is not None and high <= (low or 0.0):
            raise MeasureError(
                f"the scale ends at {high:g} and begins at {low or 0:g}; "
                "--scale-max must be above --scale-min"
            )
        return Scale(
            minimum=low or 0.0,
            maximum=high,
            is_stated=low is not None or high is not None,
            is_lower_better=self.lower_is_better,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class TableLayout:
    """Which column holds what."""

    object: int
    measurand: int | None
    #: The measurand of all values, where no column says it.
    name: str
    value: int | None
    study: int | None
    group: int | None
    id: int | None
    conditions: Mapping[str, int]
    #: The measurand of columns, where a row above the head says it.
    above: Mapping[int, str]
    #: The study that the form of the table says to be the original one.
    original: str
    notes: tuple[str, ...]

    @classmethod
    def of(cls, cells: Cells, columns: Columns) -> TableLayout:
        """Find out which column is what."""
        return _Finder(cells, columns).layout()

    @property
    def is_measurand_known(self) -> bool:
        """Whether the table or an option says what was measured."""
        return self.measurand is not None or bool(self.above) or self.name != _NAMELESS

    def used(self) -> set[int]:
        """The columns that have a meaning."""
        ones = (self.object, self.measurand, self.value, self.study, self.group, self.id)
        return {one for one in (*ones, *self.conditions.values()) if one is not None}


class _Finder:
    """Finds out which column is what."""

    def __init__(self, cells: Cells, columns: Columns) -> None:
        self.cells, self.columns = cells, columns
        self.notes: list[str] = []
        #: What the columns are that are known already.
        self.taken: dict[int, str] = {}

    def layout(self) -> TableLayout:
        given = {name: self.named(name) for name in USUAL if name != "measurand"}
        conditions = self.named_conditions()
        original = self.of_later_tool(given)
        measurand, name = self.measurand()
        self.check_studies()
        for one in ("value", "object", "group", "id", "study"):
            # Where columns are said to be studies, none holds all values, whatever its name.
            if given[one] is None and not (self.columns.studies and one in ("value", "study")):
                given[one] = self.usual(one)
        if given["value"] is None:
            self.check_wide(given["study"])
            given["study"] = None
        is_wide = given["value"] is None
        if not conditions and not self.columns.conditions:
            conditions = self.usual_conditions()
        object = self.object(given["object"], is_wide=is_wide)
        above = self.above(is_wide=is_wide)
        if measurand is None and not name and not above:
            name = _NAMELESS
            self.notes.append(
                f"no column says what was measured, so all of it is called {_NAMELESS}; "
                "name it with --measurand"
            )
        return TableLayout(
            object=object,
            measurand=measurand,
            name=name,
            above=above,
            value=given["value"],
            study=given["study"],
            group=given["group"],
            id=given["id"],
            conditions=conditions,
            original=original if not is_wide else "",
            notes=tuple(f"{self.cells.file}: {note}" for note in self.notes),
        )

    def check_studies(self) -> None:
        options = [f"--{one}" for one in ("value", "study") if getattr(self.columns, one)]
        if self.columns.studies and options:
            raise MeasureError(
                f"--studies names columns of values and {options[0]} another one; leave one of "
                "them out"
            )

    def take(self, column: int, what: str) -> int:
        """Use a column for something: it is nothing else then."""
        if column in self.taken:
            raise self.cells.error(
                f"this column is said to be {self.taken[column]} and {what}",
                self.cells.head.line,
                column,
                "name another column for one of the two",
            )
        self.taken[column] = what
        return column

    def named(self, what: str) -> int | None:
        name = getattr(self.columns, what)
        return self.take(self.cells.column(name, f"--{what}"), f"--{what}") if name else None

    def named_conditions(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, column in self.columns.conditions.items():
            what = f"the condition {name}"
            found[condition_key(name)] = self.take(self.cells.column(column, what), what)
        return found

    def usual(self, what: str) -> int | None:
        found = self.cells.find_any(USUAL[what], self.taken)
        if found is not None and what == "value":
            self.cells.only_one(found, USUAL[what], what, self.taken)
        return None if found is None else self.take(found, what)

    def usual_conditions(self) -> dict[str, int]:
        """Columns that are called like one of the conditions of the paper."""
        found: dict[str, int] = {}
        for column, head in enumerate(self.cells.head.cells):
            key = condition_key(head)
            if key in CONDITIONS and key not in found and column not in self.taken:
                found[key] = self.take(column, f"the condition {key}")
        return found

    def of_later_tool(self, given: dict[str, int | None]) -> str:
        """Take the columns of the authors' later tool, and say which study is its original."""
        if given["study"] is not None or given["group"] is not None:
            return ""
        names = (("experiment",), ("study", "studie"))
        columns = [self.cells.find_any(one, self.taken) for one in names]
        if None in columns or self.columns.studies:
            return ""
        for what, column in zip(("study", "group"), columns, strict=True):
            given[what] = self.take(column or 0, what)
        self.notes.append(
            "as there are experiments and studies, its experiments are the studies, and its "
            "studies the groups of them; --study and --group say otherwise"
        )
        return _ORIGINAL_OF_LATER_TOOL

    def measurand(self) -> tuple[int | None, str]:
        name = self.columns.measurand
        column = self.cells.find(name) if name else None
        if column is not None:
            return self.take(column, "--measurand"), ""
        usual = self.cells.find_any(USUAL["measurand"], self.taken)
        if not name:
            return (None if usual is None else self.take(usual, "measurand")), ""
        if usual is None:
            self.notes.append(f"there is no column {name}, so all values are values of {name}")
            return None, name
        head = self.cells.head.cells[usual]
        raise self.cells.error(
            f"there is no column {quoted(name)} for --measurand",
            self.cells.head.line,
            hint=f"{did_you_mean(name, self.cells.head.cells)}the columns are {self.cells.shown}; "
            f"to choose one measurand of the column {head}, say --where",
        )

    def above(self, *, is_wide: bool) -> dict[int, str]:
        """The measurands that a row above the head says, by column."""
        said = self.cells.above
        runs = [[at for at, _ in run] for _, run in groupby(enumerate(said), key=itemgetter(1))]
        # What stands above columns of a known meaning, such as "Model", is about them alone.
        apart = [run for run in runs if self.taken.keys().isdisjoint(run)]
        found = {at: said[at] for run in apart for at in run if said[at]}
        is_known = bool(self.columns.measurand) or "measurand" in self.taken.values()
        if not any(said):
            return {}
        if len({*said} - {""}) < 2 and (is_known or not is_wide):
            self.notes.append("the row above the head is taken for a title, and left out")
            return {}
        names = list(dict.fromkeys(found.values()))
        if not names or not is_wide:
            raise self.cells.head_error(
                "the row above the head is not understood", hint="remove it, if it is a title"
            )
        if is_known:
            raise self.cells.head_error(
                f"both a row above the head ({', '.join(names[:5])}) and a column or --measurand "
                "say what was measured",
                hint="remove one of them; to choose one measurand of several, use "
                f"--where measurand={quoted(names[0])}",
            )
        if all(map(is_study, names)):
            raise self.cells.head_error(
                f"the row above the head names studies ({', '.join(names[:5])})",
                hint="write the criteria into the upper row, and the studies below them",
            )
        self.notes.append(f"the row above the head names what was measured: {', '.join(names)}")
        return found

    def check_wide(self, study: int | None) -> None:
        """Without a column of values, each column is a study, so none can say the study."""
        if study is not None:
            raise self.cells.error(
                "there is a column of studies and none of values",
                self.cells.head.line,
                study,
                f"name the column of the measured values with --value; there are {self.cells.shown}",
            )

    def object(self, found: int | None, *, is_wide: bool) -> int:
        """The column of the objects: in a wide table the first that is nothing else."""
        if found is not None:
            return found
        heads = self.cells.head.cells
        free = [at for at in range(len(heads)) if at not in {*self.taken, *self.cells.hidden}]
        free = [at for at in free if not self.is_study(heads[at])]
        if not is_wide or not free:
            raise self.cells.error(
                "no column says what was measured: the object",
                self.cells.head.line,
                hint=f"name it with --object; the columns are {self.cells.shown}",
            )
        head = heads[free[0]]
        if head:
            self.notes.append(f"the objects are those of the first column, {head}")
        return self.take(free[0], "object")

    def is_study(self, head: str) -> bool:
        """Whether a column is a study, or about studies, and so no column of objects."""
        studies = {name.casefold() for name in self.columns.studies}
        return head.casefold() in studies or is_no_study(head)
