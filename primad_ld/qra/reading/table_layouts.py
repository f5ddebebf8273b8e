"""Which column of a table holds what: by the names that somebody gives, or by usual ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.library_arguments import read_fields
from primad_ld.qra.measurements import CONDITIONS, Scale, condition_key
from primad_ld.qra.reading.cells import Cells, did_you_mean
from primad_ld.qra.reading.column_names import (
    OF_MEASUREMENTS,
    is_about_units,
    is_beside,
    is_remark,
    is_statistic,
)
from primad_ld.qra.reading.study_columns import find_studies, named_studies
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
    #: Several, separated by commas, where each criterion has a column of its values.
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
    #: The sheet of a workbook, which may also stand after its name: ``scores.xlsx#Sheet2``.
    sheet: str = ""

    def __post_init__(self) -> None:
        read_fields(self)

    def scale(self) -> Scale:
        """The scale that is described."""
        low, high = self.scale_min, self.scale_max
        for option, value in (("--scale-min", low), ("--scale-max", high)):
            if value is not None and not isfinite(value):
                raise MeasureError(f"{option} {value} is not a number; say where the scale ends")
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


class TableLayout:
    """Which column holds what; `HeaderError` names the columns, and the options to say it."""

    def __init__(self, cells: Cells, columns: Columns) -> None:
        self.cells, self.columns = cells, columns
        self.heads = cells.head.cells
        self.notes: list[str] = []
        #: What the columns are that are known already.
        self.taken: dict[int, str] = {}
        #: The columns of ``object``, ``measurand``, ``study``, ``group`` and ``id``.
        self.at: dict[str, int | None] = dict.fromkeys(OF_MEASUREMENTS)
        self.conditions: dict[str, int] = {}
        #: The measurand of all values, where nothing else says it.
        self.name = ""
        if columns.studies and (columns.value or columns.study):
            option = "--value" if columns.value else "--study"
            raise MeasureError(
                f"--studies names columns of values and {option} another one; leave one of them out"
            )
        values, at = self.take_named(), self.at
        original = self.take_of_later_tool()
        self.take_measurand()
        # Where columns are said to be studies, none holds all values, whatever its name.
        for what in ("value", "object", "group", "id", "study"):
            is_open = at[what] is None and not (columns.studies and what in ("value", "study"))
            if is_open and not (what == "value" and values):
                at[what] = self.usual(what)
        if at["value"] is not None:
            values = {at["value"]: self.heads[at["value"]]}
        #: What the heads of the columns of values name: ``study``, ``measurand``, ``object``, or
        #: nothing where one column holds all values.
        self.across = "" if len(values) == 1 else self.missing_role(values)
        is_wide = self.across == "study"
        #: The study that the form of the table says to be the original one.
        self.original = "" if is_wide else original
        if not self.conditions:
            self.take_usual_conditions()
        if at["object"] is None and self.across != "object":
            at["object"] = self.first_column(is_wide=is_wide)
        #: The measurand of columns, where a row above the head says it.
        self.above = self.measurands_above(is_wide=is_wide)
        is_known = at["measurand"] is not None or bool(self.name or self.above)
        if not is_known and self.across != "measurand":
            self.name = _NAMELESS
            self.notes.append(
                f"no column says what was measured, so all of it is called {_NAMELESS}; "
                "name it with --measurand"
            )
        #: Whether columns of values that hold other texts than numbers are none.
        self.is_guessed = not values and not is_wide
        if self.is_guessed:
            values = self.possible_values()
        elif not values:
            values = self.studies()
        #: The columns of values, with their heads.
        self.values: Mapping[int, str] = values

    @property
    def is_measurand_known(self) -> bool:
        """Whether the table or an option says what was measured."""
        by_column = self.at["measurand"] is not None or self.across == "measurand"
        return by_column or bool(self.above) or self.name != _NAMELESS

    @property
    def used(self) -> set[int | None]:
        """The columns that have a meaning."""
        return {*self.at.values(), *self.conditions.values(), *self.values}

    def error(self, why: str, column: int | None = None, hint: str = "") -> HeaderError:
        return self.cells.error(why, self.cells.head.line, column, hint)

    # Columns that somebody names, or that have usual names ----------------------------------

    def take(self, column: int, what: str) -> int:
        """Use a column for something: it is nothing else then."""
        if column in self.taken:
            raise self.error(
                f"this column is said to be {self.taken[column]} and {what}",
                column,
                "name another column for one of the two",
            )
        self.taken[column] = what
        return column

    def usual(self, what: str) -> int | None:
        only_as = "--value" if what == "value" else ""
        column = self.cells.find_usual(OF_MEASUREMENTS[what], self.taken, only_as)
        return None if column is None else self.take(column, what)

    def take_named(self) -> dict[int, str]:
        """Take the columns that somebody names; those of values, if there are any."""
        columns, cells = self.columns, self.cells
        names = [columns.value] if columns.value else []
        if "," in columns.value and cells.find(columns.value) is None:
            names = [name.strip() for name in columns.value.split(",") if name.strip()]
        values = [self.take(cells.column(name, "--value"), "--value") for name in names]
        for what in ("object", "study", "group", "id"):
            if name := getattr(columns, what):
                self.at[what] = self.take(cells.column(name, f"--{what}"), f"--{what}")
        for name, column in columns.conditions.items():
            what = f"the condition {name}"
            self.conditions[condition_key(name)] = self.take(cells.column(column, what), what)
        return {at: self.heads[at] for at in values}

    def take_usual_conditions(self) -> None:
        """Take columns that are called like one of the conditions of the paper."""
        for column, head in enumerate(self.heads):
            key = condition_key(head)
            if key in CONDITIONS and key not in self.conditions and column not in self.taken:
                self.conditions[key] = self.take(column, f"the condition {key}")

    def take_of_later_tool(self) -> str:
        """Take the columns of the authors' later tool, and say which study is its original."""
        if self.at["study"] is not None or self.at["group"] is not None or self.columns.studies:
            return ""
        experiment = self.cells.find_usual(("experiment",), self.taken)
        study = self.cells.find_usual(("study", "studie"), self.taken)
        if experiment is None or study is None:
            return ""
        self.at["study"] = self.take(experiment, "study")
        self.at["group"] = self.take(study, "group")
        self.notes.append(
            "as there are experiments and studies, its experiments are the studies, and its "
            "studies the groups of them; --study and --group say otherwise"
        )
        return _ORIGINAL_OF_LATER_TOOL

    def take_measurand(self) -> None:
        """Take the column of measurands, or the name of the only one."""
        name = self.columns.measurand
        column = self.cells.find(name) if name else None
        usual = self.cells.find_usual(OF_MEASUREMENTS["measurand"], self.taken)
        if column is not None:
            self.at["measurand"] = self.take(column, "--measurand")
        elif name and usual is not None:
            raise self.error(
                f"there is no column {quoted(name)} for --measurand",
                hint=f"{did_you_mean(name, self.heads)}the columns are {self.cells.shown}; "
                f"to choose one measurand of the column {self.heads[usual]}, use --where",
            )
        elif name:
            self.name = name
            self.notes.append(f"there is no column {name}, so all values are values of {name}")
        elif usual is not None:
            self.at["measurand"] = self.take(usual, "measurand")

    # Tables with several columns of values --------------------------------------------------

    def missing_role(self, values: Mapping[int, str]) -> str:
        """What the heads of several columns of values name: what no other column does."""
        has_study, has_object = self.at["study"] is not None, self.at["object"] is not None
        has_measurand = self.at["measurand"] is not None or bool(self.name)
        if not has_study and (not values or (has_object and has_measurand)):
            return "study"
        if not (has_object and has_measurand):
            return "object" if has_measurand else "measurand"
        raise self.error(
            "there is a column of studies and none of values",
            self.at["study"],
            "name the column of the measured values with --value; the columns are "
            f"{self.cells.shown}",
        )

    def possible_values(self) -> dict[int, str]:
        """Columns of which nothing says that they hold something else than values."""
        others = (is_beside, is_about_units, is_remark)
        return {
            at: head
            for at, head in enumerate(self.heads)
            if head and at not in self.taken and not any(is_other(head) for is_other in others)
        }

    def first_column(self, *, is_wide: bool) -> int:
        """The column of the objects: in a table of studies the first that is nothing else."""
        studies = {name.casefold() for name in self.columns.studies}
        free = [
            at
            for at, head in enumerate(self.heads)
            if at not in self.taken and at not in self.cells.hidden
            if head.casefold() not in studies and not is_statistic(head)
        ]
        if not is_wide or not free:
            objects = (
                "if the columns of values are objects, name what was measured with --measurand"
            )
            raise self.error(
                "no column says what was measured: the object",
                hint=f"name it with --object{'' if is_wide else f', or {objects}'}; "
                f"the columns are {self.cells.shown}",
            )
        if head := self.heads[free[0]]:
            self.notes.append(f"the objects are those of the first column, {head}")
        return self.take(free[0], "object")

    def studies(self) -> dict[int, str]:
        """The columns that are studies."""
        heads = {at: head for at, head in enumerate(self.heads) if at not in self.taken}
        if self.columns.studies:
            return named_studies(self.cells, self.columns.studies, heads, self.above)
        studies, notes = find_studies(self.cells, heads, self.above)
        self.notes += notes
        return studies

    def measurands_above(self, *, is_wide: bool) -> dict[int, str]:
        """The measurands that a row above the head says, by column."""
        above = {at: name for at, name in enumerate(self.cells.above) if name}
        # What stands above columns of a known meaning, such as "Model", is about them alone.
        apart = {above[at] for at in self.taken if at in above}
        measurands = {at: name for at, name in above.items() if name not in apart}
        if not above:
            return {}
        names = list(dict.fromkeys(measurands.values()))
        if not names or not is_wide or self.name or self.at["measurand"] is not None:
            listed = f" ({', '.join(names[:5])})" if names else ""
            raise self.cells.head_error(
                f"the row above the head is not understood{listed}",
                hint="remove it; if it says what was measured, nothing else may say that, and to "
                "choose one measurand of several, use --where measurand=…",
            )
        self.notes.append(f"the row above the head names what was measured: {', '.join(names)}")
        return measurands
