"""Measurements from tables (.csv, .tsv, .xlsx, .xlsm), in one of two forms that their heads tell.

*Long*: a row for each measurement. Columns are found by their usual names or are named by
`Columns`. What the authors' later tool reads (Key, Study, Experiment, System, Criterion, Result)
is such a table, too: its experiments are what is called a study here, its study is a group.

*Wide*: a row for each object (and measurand), a column for each study, as in Table 6 of Belz,
Popović and Mille (ACL 2022). A study that measured several times has several columns of its name.
Columns such as Mean are about the others, and are not studies.
Rows whose object is ``condition …`` say a condition of each column::

    system,original,repro 1,repro 1
    condition seed,1,2,3
    mult-base,0.428,0.493,0.426

Empty cells were not measured; empty conditions are unknown. Numbers may have a decimal comma, or
the minus of typesetters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.qra.measurements import (
    CONDITIONS,
    UNKNOWN,
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    condition_key,
    is_missing,
    parse_value,
    with_conditions,
)
from primad_ld.qra.reading.cells import Cells, Row, did_you_mean, letters, read_cells
from primad_ld.qra.reading.column_roles import Columns, TableLayout
from primad_ld.qra.reading.study_columns import Studies, is_measure
from primad_ld.qra.reading.table_heads import LAYOUTS, is_summary
from primad_ld.qra.reading.table_remarks import (
    check_repeats,
    check_rows,
    is_telling,
    look_alikes,
    names_of,
    preview,
    tidy,
)
from primad_ld.trec.columns import BLANKS, quoted

__all__ = ["Columns", "read_table"]
_CONDITION: Final = "condition "
# What these keys of a measurement mean in YAML is said elsewhere.
_MEANT: Final = frozenset(
    ("id", "object", "measurand", "value", "study", "original", "group", "scale", "conditions")
)
_HUNDRED: Final = 100.0
_SHOWN: Final = 10


def read_table(path: Path, columns: Columns | None = None) -> MeasurementTable:
    """The measurements of a table."""
    columns = columns or Columns()
    cells = replace(read_cells(path, columns.sheet, columns.finder()), layouts=LAYOUTS)
    try:
        return _measured(cells, columns)
    except HeaderError as error:
        # What is wrong with a head may be that it is one of another sheet.
        if cells.elsewhere and error.line in (None, cells.head.line):
            error.hint = "; ".join(filter(None, (error.hint, cells.elsewhere)))
        raise


def _measured(cells: Cells, columns: Columns) -> MeasurementTable:
    layout = TableLayout.of(cells, columns)
    reader = _Reader(cells, columns, layout)
    found = list(reader.long() if layout.value is not None else reader.wide())
    if not found:
        raise cells.error(
            "there are no measurements in this table",
            cells.head.line,
            hint="are the columns the right ones? see --object, --measurand, --value",
        )
    original = _original(found, columns.original, cells.file) or layout.original
    if original:
        found = [replace(one, is_original=one.study == original) for one in found]
    unused = list(reader.others.values())
    if layout.value is None:
        unused = [name for name in unused if is_telling(name)]
        check_rows(found, unused, columns.where)
    said = [
        *reader.notes(),
        *check_repeats(found, unused, columns.where),
        *look_alikes(names_of(found)),
    ]
    notes = (
        preview(cells.file, found),
        *cells.notes,
        *layout.notes,
        *(f"{cells.file}: {note}" for note in said),
    )
    return with_conditions(reader.with_ids(found), reader.labels, notes=notes)


def _original(found: Iterable[Measurement], name: str, file: str) -> str:
    """The study that is meant as the original one: by its name, or by how that one begins."""
    if not name:
        return ""
    studies = list(dict.fromkeys(one.study for one in found if one.study))
    alike = name.casefold()
    for same in (
        [one for one in studies if one == name],
        [one for one in studies if one.casefold() == alike],
        [one for one in studies if one.casefold().startswith(alike)],
    ):
        if len(same) == 1:
            return same[0]
    there = ", ".join(studies[:20]) or "none: name their column with --study"
    raise MeasureError(
        f"{file}: there is no study {quoted(name)} to be the original one; "
        f"{did_you_mean(name, studies)}the studies are {there}"
    )


def _free(head: str, column: int, taken: Collection[str]) -> str:
    """What to call a column that means nothing to us, so that it never takes another's place."""
    return f"{head} ({letters(column)})" if head in taken or head in _MEANT else head


# Rows -------------------------------------------------------------------------------------


class _Reader:
    """Makes measurements of rows."""

    def __init__(self, cells: Cells, columns: Columns, layout: TableLayout) -> None:
        self.cells, self.layout = cells, layout
        self.is_id_named = bool(columns.id)
        self.scale = columns.scale()
        self.percentages = 0
        self.absent: Counter[str] = Counter()
        #: Conditions in their order; an empty label is the usual one.
        self.labels: dict[str, str] = {}
        for name in columns.conditions:
            key = condition_key(name)
            self.labels[key] = "" if key in CONDITIONS else name
        self.labels.update(dict.fromkeys(self.layout.conditions, "") | self.labels)
        used = layout.used()
        is_long = layout.value is not None
        self.studies = None if is_long else Studies.of(cells, columns, layout)
        #: What else rows say, by the heads of its columns.
        self.others: dict[int, str] = {}
        for at, head in enumerate(cells.head.cells):
            if head and at not in used and (self.studies is None or at in self.studies.left_out):
                self.others[at] = _free(head, at, self.others.values())
        self.rows = list(cells.rows)
        if not layout.is_measurand_known:
            self.check_sections()
        self.summaries: Counter[str] = Counter()
        self.has_commas = _has_decimal_commas(cells, self.texts())

    def value_columns(self) -> Collection[int]:
        if self.studies is not None:
            return self.studies.studies
        return () if self.layout.value is None else (self.layout.value,)

    def check_sections(self) -> None:
        """Refuse a row with a name alone, such as a criterion above the rows that it is about."""
        rows = [row for row in self.rows if not self.is_condition(row)]
        for at, row in enumerate(rows[:-1]):
            filled = [column for column, cell in enumerate(row.cells) if cell]
            name = row.cells[filled[0]] if len(filled) == 1 else ""
            is_value = not name or filled[0] in self.value_columns()
            if not is_value and (not at or is_measure(name)):
                raise self.cells.head_error(
                    f"this row has a name, {quoted(name)}, and no value, and nothing says what was "
                    "measured",
                    hint="if it says what the rows below it measured, write it into a column "
                    "Criterion in each row; if it was not measured, remove the row",
                    line=row.line,
                )

    def texts(self) -> Iterator[tuple[Row, int, str]]:
        """The texts of all values, as they are written."""
        for row in self.rows:
            for at in self.value_columns():
                if not (self.studies and self.is_condition(row)):
                    yield row, at, _with_minus(row.cells[at].strip(BLANKS))

    def long(self) -> Iterator[Measurement]:
        """A measurement for each row with a value."""
        assert self.layout.value is not None
        for row in self.rows:
            text = "" if self.is_summary(row) else self.value_text(row, self.layout.value)
            if text:
                study = self.text(row, self.layout.study)
                yield self.measurement(row, self.layout.value, text, study, {}, self.said(row))

    def said(self, row: Row) -> dict[str, str]:
        """What else a row says, by the heads of its columns."""
        return {name: row.cells[at] for at, name in self.others.items() if row.cells[at]}

    def is_summary(self, row: Row) -> bool:
        """Leave out a row such as ``Average``; in a long table only if it is of no study."""
        named = (self.layout.measurand, self.layout.study)
        if self.studies is None and all(row.cells[at] for at in named if at is not None):
            return False
        name = row.cells[self.layout.object]
        if not is_summary(name):
            return False
        self.summaries[name] += 1
        return True

    def is_condition(self, row: Row) -> bool:
        return tidy(row.cells[self.layout.object]).lower().startswith(_CONDITION)

    def wide(self) -> Iterator[Measurement]:
        """A measurement for each cell with a value, in each column that is a study."""
        assert self.studies is not None
        studies = self.studies.studies
        stated: dict[int, dict[str, str]] = {at: {} for at in studies}
        is_below = False
        for row in self.rows:
            if self.is_condition(row):
                self.state(row, stated, is_below=is_below)
                continue
            is_below = True
            for at, study in studies.items() if not self.is_summary(row) else ():
                text = self.value_text(row, at)
                if text:
                    yield self.measurement(row, at, text, study, stated[at], self.said(row))

    def state(self, row: Row, stated: dict[int, dict[str, str]], *, is_below: bool) -> None:
        """Take what a row says of a condition of each column."""
        name = tidy(row.cells[self.layout.object])[len(_CONDITION) :]
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
            text = self.text(row, at)
            if text.lower() not in UNKNOWN:
                conditions[key] = text

    def measurement(
        self,
        row: Row,
        at: int,
        text: str,
        study: str,
        stated: Mapping[str, str],
        said: Mapping[str, str],
    ) -> Measurement:
        measurand = self.layout.above.get(at) or self.layout.name
        measurand = measurand or self.needed(row, self.layout.measurand, "measurand")
        return Measurement(
            object=self.needed(row, self.layout.object, "object"),
            measurand=measurand,
            value=self.number(row, at, text),
            text=text,
            conditions={**self.conditions(row), **stated},
            id=self.text(row, self.layout.id),
            study=study,
            group=self.text(row, self.layout.group),
            scale=self.scale_of(text),
            file=self.cells.file,
            line=row.line,
            said=said,
        )

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

    def conditions(self, row: Row) -> dict[str, str]:
        found = {key: self.text(row, at) for key, at in self.layout.conditions.items()}
        return {key: text for key, text in found.items() if text.lower() not in UNKNOWN}

    def value_text(self, row: Row, at: int) -> str:
        """The text of a value; empty where nothing was measured."""
        self.cells.refuse_merged(row, at)
        text, name = row.cells[at].strip(BLANKS), tidy(row.cells[at])
        if is_missing(name):
            self.absent[self.cells.name(at)] += 1
            return ""
        return _with_point(_with_minus(text)) if self.has_commas else _with_minus(text)

    def number(self, row: Row, at: int, text: str) -> float:
        try:
            return parse_value(text)
        except HeaderError as error:
            why, hint = _hint_on_comma(text) or (error.why, error.hint)
            if text[:4].isdecimal() and text[4:5] == "-":
                hint = "if it was a number, a spreadsheet program took it for a date: write it anew"
            elif self.layout.value is None:
                hint += "; without --value, each column is a study, or those that --studies names"
            raise self.cells.error(why, row.line, at, hint) from None

    def scale_of(self, text: str) -> Scale:
        """Percentages begin at 0: a table may have them beside ratings from 1 on."""
        if not text.endswith("%") or (
            self.scale.minimum == 0 and self.scale.maximum in (None, _HUNDRED)
        ):
            return self.scale
        self.percentages += 1
        return replace(UNSTATED, is_stated=True, is_lower_better=self.scale.is_lower_better)

    # What was found -----------------------------------------------------------------------

    def with_ids(self, found: list[Measurement]) -> list[Measurement]:
        """Ids that tell measurements apart; others are no ids, unless somebody says they are."""
        first: dict[str, Measurement] = {}
        for one in found:
            if one.id and one.id in first:
                if self.is_id_named and self.layout.value is not None:
                    raise one.error(
                        f"this id is that of the measurement in line {first[one.id].line}, too",
                        "give each measurement an id of its own, or none",
                    )
                at = self.layout.id or 0
                name = _free(self.cells.head.cells[at], at, ())
                return [
                    replace(one, id="", said={name: one.id, **one.said} if one.id else one.said)
                    for one in found
                ]
            first[one.id] = one
        return found

    def notes(self) -> list[str]:
        notes = []
        count = self.absent.total()
        if count:
            cells = "1 cell holds" if count == 1 else f"{count} cells hold"
            notes.append(f"{cells} no value ({', '.join(list(self.absent)[:5])})")
        if self.percentages:
            notes.append(
                "values with a percent sign are on a scale of their own, which begins at 0"
            )
        if self.has_commas:
            notes.append("commas in values are read as decimal points")
        if self.summaries:
            names = ", ".join(list(self.summaries)[:5])
            notes.append(f"rows that sum up others are left out: {names}")
        if self.studies is not None:
            notes += self.studies.notes
        elif self.others:
            more = ", …" if len(self.others) > _SHOWN else ""
            names = ", ".join(list(self.others.values())[:_SHOWN]) + more
            notes.append(f"not used: {names} (--where can choose by them)")
        return notes


# Numbers ----------------------------------------------------------------------------------

_MINUS: Final = "\u2212"
_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]+")
_THOUSANDS: Final = re.compile(r"[-+]?[0-9]{1,3},[0-9]{3}")
# Thousands or three decimals: another number of the table must tell.
_EITHER: Final = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_NUMERIC: Final = re.compile(r"[-+]?[0-9][0-9.,]*")
# Where cells are told apart by commas, nobody's decimal mark is one.
_DELIMITERS: Final = frozenset((";", "\t"))
_Found = tuple[Row, int, str]


def _with_minus(text: str) -> str:
    """A number whose minus is that of a keyboard."""
    return f"-{text[1:].lstrip(BLANKS)}" if text.startswith(_MINUS) else text


def _with_point(text: str) -> str:
    """A number with a decimal comma as one with a point."""
    return text.replace(",", ".", 1) if _COMMA.fullmatch(_bare(text)) else text


def _has_decimal_commas(cells: Cells, found: Iterable[_Found]) -> bool:
    """Whether the commas in the values of a table are decimal ones: all of them, or none.

    What could be either is refused: 1.234,5 beside 1,234.5 makes no table.
    """
    if cells.delimiter not in _DELIMITERS:
        return False
    values = [(row, at, _bare(text)) for row, at, text in found]
    commas = [one for one in values if "," in one[2]]
    pointed = next((one for one in values if "." in one[2]), None)
    for row, at, text in commas:
        is_both = "." in text or text.count(",") > 1
        if _NUMERIC.fullmatch(text) and (is_both or pointed is not None):
            beside = ""
            if pointed is not None and not is_both:
                beside = f", and {quoted(pointed[2])} in line {pointed[0].line} a point"
            raise cells.error(
                f"{quoted(text)} has a comma{beside or ' and other marks'}, so it is ambiguous "
                "which of them is the decimal mark",
                row.line,
                at,
                "write all numbers with a point, and thousands without a mark",
            )
    if commas and all(_EITHER.fullmatch(text) for _, _, text in commas):
        row, at, text = commas[0]
        why, hint = _hint_on_comma(text) or ("", "")
        raise cells.error(why, row.line, at, hint)
    return bool(commas) and all(_COMMA.fullmatch(text) for _, _, text in commas)


def _hint_on_comma(text: str) -> tuple[str, str] | None:
    """Why a number with commas is none, and what to do, where more than one is meant."""
    bare = _bare(text)
    if _THOUSANDS.fullmatch(bare):
        whole, part = bare.replace(",", ""), bare.replace(",", ".")
        return f"{quoted(text)} is ambiguous: {whole} or {part}", f"write {whole} or {part}"
    if _NUMERIC.fullmatch(bare) and "," in bare and not _COMMA.fullmatch(bare):
        why = (
            f"{quoted(text)} is ambiguous: its comma may stand between thousands or before decimals"
        )
        return why, "write a number such as 1234.5"
    return None


def _bare(text: str) -> str:
    return text.removesuffix("%").rstrip(BLANKS)
