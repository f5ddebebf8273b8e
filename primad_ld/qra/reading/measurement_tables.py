"""Measurements from tables (.csv, .tsv, .xlsx, .xlsm), in one of two forms that their heads tell.

*Long*: a row for each measurement. Columns are found by their usual names or are named by
`Columns`. What the authors' later tool reads (Key, Study, Experiment, System, Criterion, Result)
is such a table, too: its experiments are what is called a study here, its study is a group.

*Wide*: several columns of values, whose names say what no other column does. Mostly that is the
study, as in Table 6 of Belz, Popović and Mille (ACL 2022); beside a column of studies it is the
criterion, or the system. A study that measured several times has several columns of its name.
Columns such as Mean are about the others, and are not studies.
Rows whose object is ``condition …`` say a condition of each column::

    system,original,repro 1,repro 1
    condition seed,1,2,3
    mult-base,0.428,0.493,0.426

Empty cells were not measured; empty conditions are unknown. Numbers may have a decimal comma, or
the minus of typesetters, and a deviation after them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.files import plain_suffix
from primad_ld.qra.measurements import (
    CONDITIONS,
    UNKNOWN,
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    check_ids,
    condition_key,
    is_missing,
    parse_value,
    with_conditions,
)
from primad_ld.qra.precision_assessments import joined
from primad_ld.qra.reading.cells import (
    LAYOUTS,
    WORKBOOKS,
    Cells,
    Row,
    alike,
    did_you_mean,
    letters,
    path_and_sheet,
    read_cells,
    some,
)
from primad_ld.qra.reading.column_names import is_study, is_summary, tidy
from primad_ld.qra.reading.table_layouts import Columns, TableLayout
from primad_ld.qra.reading.table_remarks import (
    check_repeats,
    look_alikes,
    names_of,
    preview,
)
from primad_ld.trec.columns import BLANKS, quoted

__all__ = ["Columns", "read_table"]
_CONDITION: Final = "condition "
_EVERY_SHEET: Final = "*"
# What these keys of a measurement mean in YAML is said elsewhere.
_MEANT: Final = frozenset(
    ("id", "object", "measurand", "value", "study", "original", "group", "scale", "conditions")
)
_HUNDRED: Final = 100.0


def read_table(path: Path, columns: Columns | None = None) -> MeasurementTable:
    """The measurements of a table; of a workbook with a sheet for each study, those of all."""
    columns = columns or Columns()
    file, sheet = path_and_sheet(path, columns.sheet)
    if plain_suffix(file)[0].lower().endswith(WORKBOOKS) and not columns.study:
        from primad_ld.qra.reading.workbooks import visible_sheets

        names = visible_sheets(file) if sheet in ("", _EVERY_SHEET) else []
        if sheet == _EVERY_SHEET or (len(names) > 1 and all(map(is_study, names))):
            tables = [_read(file, replace(columns, sheet=name), name) for name in names]
            studies = {one.study for table in tables for one in table.measurements}
            if sheet == _EVERY_SHEET or studies == set(names):
                note = f"{file}: each sheet is a study: {', '.join(names)}"
                table = joined(tables)
                return _with_original(replace(table, notes=(*table.notes, note)), columns, file)
    return _with_original(_read(path, columns), columns, path)


def _read(path: Path, columns: Columns, study: str = "") -> MeasurementTable:
    """The measurements of a table; of one without studies, those of a study."""
    cells = replace(read_cells(path, columns.sheet, has_criteria=True), layouts=LAYOUTS)
    try:
        return _Reader(cells, columns, TableLayout(cells, columns), study).table()
    except HeaderError as error:
        # What is wrong with a head may be that it is one of another sheet.
        if cells.elsewhere and error.line in (None, cells.head.line):
            error.hint = "; ".join(filter(None, (error.hint, cells.elsewhere)))
        raise


def _with_original(table: MeasurementTable, columns: Columns, file: Path) -> MeasurementTable:
    """The study that is meant as the original one: by its name, or by how that one begins."""
    name = columns.original
    if not name:
        return table
    studies = list(dict.fromkeys(one.study for one in table.measurements if one.study))
    begun = [one for one in studies if one.casefold().startswith(name.casefold())]
    for same in (alike(name, studies), begun):
        if len(same) == 1:
            marked = (replace(one, is_original=one.study == same[0]) for one in table.measurements)
            note = [f"{file}: {quoted(name)} is taken as the study {quoted(same[0])}"]
            notes = (*table.notes, *(note if same is begun else []))
            return replace(table, measurements=tuple(marked), notes=notes)
    listed = ", ".join(studies[:20]) or "none: name their column with --study"
    raise MeasureError(
        f"{file}: there is no study {quoted(name)} to be the original one; "
        f"{did_you_mean(name, studies)}the studies are {listed}"
    )


# Rows -------------------------------------------------------------------------------------


class _Reader:
    """Makes measurements of rows."""

    def __init__(self, cells: Cells, columns: Columns, layout: TableLayout, study: str) -> None:
        self.cells, self.columns, self.layout = cells, columns, layout
        self.study = study
        self.is_wide = layout.across == "study"
        self.scale = columns.scale()
        self.rows = list(cells.rows)
        self.values = self.value_columns()
        #: What else rows say, by the heads of its columns.
        self.others: dict[int, str] = {}
        for at, head in enumerate(cells.head.cells):
            if head and at not in layout.used - set(layout.values) | set(self.values):
                self.others[at] = _free(head, at, self.others.values())
        #: Conditions in their order; an empty label is the usual one.
        self.labels = dict.fromkeys(layout.conditions, "")
        for name in columns.conditions:
            key = condition_key(name)
            self.labels[key] = "" if key in CONDITIONS else name
        #: What was found on the way, for notes.
        self.absent: Counter[str] = Counter()
        self.summaries: Counter[str] = Counter()
        self.percentages = 0
        self.deviation = ""

    def table(self) -> MeasurementTable:
        """The measurements, with notes on how the table was understood."""
        if not self.layout.is_measurand_known:
            self.check_sections()
        self.has_commas = _has_decimal_commas(self.cells.delimiter, self.texts())
        found = self.with_ids(list(self.measurements()))
        if not found:
            raise self.cells.error(
                "there are no measurements in this table",
                self.cells.head.line,
                hint="are the columns the right ones? see --object, --measurand, --value",
            )
        unused = list(self.others.values())
        repeated = check_repeats(found, unused, self.columns.where, is_wide=self.is_wide)
        similar = look_alikes(names_of(found))
        remarks = [*self.layout.notes, *self.notes(), *repeated, *similar]
        file = self.cells.file
        notes = (
            preview(file, found),
            *self.cells.notes,
            *(f"{file}: {remark}" for remark in remarks),
        )
        return with_conditions(found, self.labels, notes=notes)

    def value_columns(self) -> dict[int, str]:
        """The columns of values; of guessed ones those that hold numbers."""
        if not self.layout.is_guessed:
            return dict(self.layout.values)
        values = {}
        for at, head in self.layout.values.items():
            texts = [text for row in self.rows if not is_missing(text := tidy(row.cells[at]))]
            if texts and all(map(_NUMBER_IN.match, texts)):
                values[at] = head
        if not values:
            raise self.cells.head_error(
                "there is a column of studies and none of values",
                hint=f"name the columns of the measured values with --value; the columns are "
                f"{self.cells.shown}",
            )
        return values

    def check_sections(self) -> None:
        """Refuse a row with a name alone, such as a criterion above the rows that it is about."""
        rows = [row for row in self.rows if not self.is_condition(row)]
        for row in rows[:-1]:
            filled = [column for column, cell in enumerate(row.cells) if cell]
            name = row.cells[filled[0]] if len(filled) == 1 else ""
            if name and filled[0] not in self.values:
                raise self.cells.head_error(
                    f"this row has a name, {quoted(name)}, and no value, and nothing says what was "
                    "measured",
                    hint="if it says what the rows below it measured, write it into a column "
                    "Criterion in each row; if it was not measured, remove the row, or use "
                    "--measurand",
                    line=row.line,
                )

    def texts(self) -> Iterator[str]:
        """The texts of all values, as they are written."""
        for row in self.rows:
            if not self.is_condition(row):
                yield from (_number_in(row.cells[at])[0] for at in self.values)

    def measurements(self) -> Iterator[Measurement]:
        """A measurement for each value."""
        stated: dict[int, dict[str, str]] = {at: {} for at in self.values}
        is_below = False
        for row in self.rows:
            if self.is_condition(row):
                self.state(row, stated, is_below=is_below)
                continue
            is_below = True
            for at in self.values if not self.is_summary(row) else ():
                if text := self.value_text(row, at):
                    yield self.measurement(row, at, text, stated[at])

    def measurement(self, row: Row, at: int, text: str, stated: Mapping[str, str]) -> Measurement:
        layout = self.layout
        named = {layout.across: self.values[at]}
        measurand = named.get("measurand") or layout.above.get(at) or layout.name
        conditions = {key: self.text(row, column) for key, column in layout.conditions.items()}
        study = self.text(row, layout.at["study"])
        return Measurement(
            object=named.get("object") or self.needed(row, layout.at["object"], "object"),
            measurand=measurand or self.needed(row, layout.at["measurand"], "measurand"),
            value=self.number(row, at, text),
            text=text,
            conditions={**_known(conditions), **stated},
            id=self.text(row, layout.at["id"]),
            study=named.get("study") or study or self.study,
            is_original=bool(layout.original) and study == layout.original,
            group=self.text(row, layout.at["group"]),
            scale=self.scale_of(text),
            file=self.cells.file,
            line=row.line,
            said={name: row.cells[at] for at, name in self.others.items() if row.cells[at]},
        )

    # Rows about others --------------------------------------------------------------------

    def is_summary(self, row: Row) -> bool:
        """Leave out a row such as ``Average``; in a long table only if it is of no study."""
        at = self.layout.at
        name = "" if at["object"] is None else row.cells[at["object"]]
        named = [
            row.cells[place] for key in ("measurand", "study") if (place := at[key]) is not None
        ]
        if not is_summary(name) or (all(named) and not self.is_wide):
            return False
        self.summaries[name] += 1
        return True

    def is_condition(self, row: Row) -> bool:
        at = self.layout.at["object"]
        return (
            self.is_wide and at is not None and tidy(row.cells[at]).lower().startswith(_CONDITION)
        )

    def state(self, row: Row, stated: dict[int, dict[str, str]], *, is_below: bool) -> None:
        """Take what a row says of a condition of each column."""
        name = tidy(row.cells[self.layout.at["object"] or 0])[len(_CONDITION) :]
        key = condition_key(name)
        if is_below or key in self.labels:
            raise self.cells.error(
                f"the condition {quoted(name)} stands below measured values"
                if is_below
                else f"the condition {quoted(name)} is stated twice",
                row.line,
                hint="move the row above those of the objects" if is_below else "keep one of them",
            )
        self.labels[key] = "" if key in CONDITIONS else name
        for at, conditions in stated.items():
            conditions |= _known({key: self.text(row, at)})

    # Cells --------------------------------------------------------------------------------

    def text(self, row: Row, at: int | None) -> str:
        """What a cell says; merged cells of one column say the same in each row."""
        if at is None:
            return ""
        if not row.cells[at]:
            self.cells.refuse_merged(row, at)
        return tidy(row.cells[at])

    def needed(self, row: Row, at: int | None, what: str) -> str:
        text = self.text(row, at)
        if not text and at is not None:
            raise self.cells.error(
                f"there is a value in this row and no {what}",
                row.line,
                at,
                f"write the {what} in each row",
            )
        return text

    def value_text(self, row: Row, at: int) -> str:
        """The text of a value; empty where nothing was measured."""
        self.cells.refuse_merged(row, at)
        if is_missing(tidy(row.cells[at])):
            self.absent[self.cells.name(at)] += 1
            return ""
        text, deviation = _number_in(row.cells[at])
        self.deviation = self.deviation or deviation
        is_comma = self.has_commas and _COMMA.fullmatch(_bare(text))
        return text.replace(",", ".", 1) if is_comma else text

    def number(self, row: Row, at: int, text: str) -> float:
        try:
            return parse_value(text)
        except HeaderError as error:
            why, hint = _why_no_number(text, error)
            if self.is_wide:
                hint += "; without --value, each column is a study, or those that --studies names"
            raise self.cells.error(why, row.line, at, hint) from None

    def scale_of(self, text: str) -> Scale:
        """Percentages begin at 0: a table may have them beside ratings from 1 on."""
        is_same = self.scale.minimum == 0 and self.scale.maximum in (None, _HUNDRED)
        if is_same or not text.endswith("%"):
            return self.scale
        self.percentages += 1
        return replace(UNSTATED, is_stated=True, is_lower_better=self.scale.is_lower_better)

    # What was found -----------------------------------------------------------------------

    def with_ids(self, found: list[Measurement]) -> list[Measurement]:
        """Ids that tell measurements apart; others are no ids, unless somebody says they are."""
        ids = [one.id for one in found if one.id]
        if len(set(ids)) == len(ids):
            return found
        if self.columns.id and not self.is_wide:
            check_ids(found)
        at = self.layout.at["id"] or 0
        name = _free(self.cells.head.cells[at], at, ())
        return [
            replace(one, id="", said={name: one.id, **one.said} if one.id else one.said)
            for one in found
        ]

    def notes(self) -> Iterator[str]:
        if count := self.absent.total():
            cells = "1 cell holds" if count == 1 else f"{count} cells hold"
            yield f"{cells} no value ({', '.join(list(self.absent)[:5])})"
        if self.percentages:
            yield "values with a percent sign are on a scale of their own, which begins at 0"
        if self.has_commas:
            yield "commas in values are read as decimal points"
        if self.deviation:
            yield f"what stands after values, such as {self.deviation}, is not used"
        if self.summaries:
            yield f"rows that sum up others are left out: {', '.join(list(self.summaries)[:5])}"
        if self.layout.is_guessed:
            names = ", ".join(self.values.values())
            yield f"there is a column of values for each {self.layout.across}: {names}"
        others = list(self.others.values())
        if others and (not self.is_wide or self.columns.studies):
            yield f"not used: {some(others)} (--where can choose by them)"


def _known(conditions: Mapping[str, str]) -> dict[str, str]:
    return {key: text for key, text in conditions.items() if text.lower() not in UNKNOWN}


def _free(head: str, column: int, taken: Collection[str]) -> str:
    """What to call a column that means nothing to us, so that it never takes another's place."""
    return f"{head} ({letters(column)})" if head in taken or head in _MEANT else head


# Numbers ----------------------------------------------------------------------------------

_MINUS: Final = "\u2212"
# A number, and a deviation after it: 4.1±0.3, 4.1 (0.3).
_WITH_DEVIATION: Final = re.compile(
    r"(?P<number>[-+\u2212]?[0-9][0-9.,]*)\s*(?P<percent>%\s*)?"
    r"(?P<deviation>(?:±|\+/-)\s*[0-9][0-9.,]*|\((?:±\s*)?[0-9][0-9.,]*%?\))\s*(?P<after>%?)"
)
#: What a cell with a number begins with, however the number is written.
_NUMBER_IN: Final = re.compile(r"[-+\u2212]?\s*[0-9.]")
_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]+")
_THOUSANDS: Final = re.compile(r"[-+]?[0-9]{1,3},[0-9]{3}")
# Thousands or three decimals: another number of the table must tell.
_EITHER: Final = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_NUMERIC: Final = re.compile(r"[-+]?[0-9][0-9.,]*")
# Where cells are told apart by commas, nobody's decimal mark is one.
_DELIMITERS: Final = frozenset((";", "\t"))


def _number_in(text: str) -> tuple[str, str]:
    """The number in a cell, with the minus of a keyboard, and a deviation that stands after it."""
    text = text.strip(BLANKS)
    deviation = ""
    if parts := _WITH_DEVIATION.fullmatch(text):
        is_percent = parts["percent"] or parts["after"]
        text, deviation = f"{parts['number']}{'%' if is_percent else ''}", parts["deviation"]
    if text.startswith(_MINUS):
        text = f"-{text[1:].lstrip(BLANKS)}"
    return text, deviation


def _has_decimal_commas(delimiter: str, texts: Iterable[str]) -> bool:
    """Whether the commas in the values of a table are decimal ones: all of them, or none."""
    values = list(map(_bare, texts))
    commas = [text for text in values if "," in text]
    is_clear = all(map(_COMMA.fullmatch, commas)) and not all(map(_EITHER.fullmatch, commas))
    return delimiter in _DELIMITERS and is_clear and not any("." in text for text in values)


def _why_no_number(text: str, error: HeaderError) -> tuple[str, str]:
    """What is wrong with a value, and what to do."""
    bare = _bare(text)
    if _THOUSANDS.fullmatch(bare):
        whole, part = bare.replace(",", ""), bare.replace(",", ".")
        return f"{quoted(text)} is ambiguous: {whole} or {part}", f"write {whole} or {part}"
    if _NUMERIC.fullmatch(bare) and "," in bare and not _COMMA.fullmatch(bare):
        return f"{quoted(text)} is ambiguous", "write a number such as 1234.5"
    if re.match(r"[0-9]{4}-", text):
        hint = "if it was a number, a spreadsheet program took it for a date: write it again"
        return error.why, hint
    return error.why, error.hint


def _bare(text: str) -> str:
    return text.removesuffix("%").rstrip(BLANKS)
