"""Tables in workbooks: as openpyxl writes them, and as nobody should."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
from support import COMPRESS, problem_of
from support.tabled import (
    Edit,
    book_of,
    refused,
    rows_of,
)

from primad_ld.qra.reading import read_measurements, workbooks
from primad_ld.qra.reading.cells import read_cells
from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.qra.reading.workbooks import is_percentage

HEAD = ["System", "Criterion", "Result", "Paper"]
ROW = ["a", "C", 1, "x"]
SHEET = "xl/worksheets/sheet1.xml"
SHARED = "xl/sharedStrings.xml"


@pytest.fixture
def workbook(tmp_path: Path) -> Callable[..., Path]:
    def write(rows: list[list[Any]], edit: Edit | None = None, name: str = "t.xlsx") -> Path:
        path = tmp_path / name
        path.write_bytes(COMPRESS.get(path.suffix, COMPRESS[""])(book_of(rows, edit)))
        return path

    return write


def share(path: Path) -> None:
    """Put the texts of a workbook where Excel puts them: into a list that cells refer to."""
    found: list[str] = []

    def refer(cell: re.Match[str]) -> str:
        found.append(cell[1])
        return f't="s"><v>{len(found) - 1}</v>'

    parts = parts_of(path)
    sheet = parts[SHEET].decode()
    parts[SHEET] = re.sub('t="inlineStr"><is>(.*?)</is>', refer, sheet, flags=re.DOTALL).encode()
    items = "".join(f"<si>{text}</si>" for text in found)
    parts[SHARED] = f'<sst xmlns="{SHEET_MAIN_NS}">{items}</sst>'.encode()
    listed = f'<Override PartName="/{SHARED}" ContentType="{SHARED_STRINGS}"/></Types>'
    types = "[Content_Types].xml"
    parts[types] = parts[types].replace(b"</Types>", listed.encode())
    write_parts(path, parts)


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_parts(path: Path, parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def patch(path: Path, part: str, old: str, new: str | None) -> None:
    """Replace a text in a part of a workbook; without a new one, leave out the part."""
    parts = parts_of(path)
    text = parts.pop(part).decode()
    assert old in text
    if new is not None:
        parts[part] = text.replace(old, new).encode()
    write_parts(path, parts)


# What is in cells -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "format", "text"),
    [
        (84.51, "General", "84.51"),
        (84.5, "0.00", "84.5"),
        (30, "General", "30"),
        (1e-7, "0.00E+00", "1e-07"),
        (-0.0, "General", "0"),
        (0.9675, "0%", "96.75%"),  # shown as 97%
        (0.07, "0.00%", "7%"),  # 0.07 * 100 would be 7.000000000000001
        (1.5, "0%;[Red]-0%", "150%"),
        (1.5, '0.00"%"', "1.5"),  # a percent sign as a text changes no value
        (1.5, '[Red]0.0" of 100%"', "1.5"),
        ("91%", "General", "91%"),
        (" PASS\n ", "General", "PASS"),
        (True, "General", "TRUE"),
        (date(2026, 5, 1), "yyyy-mm-dd", "2026-05-01"),
        (datetime(2026, 5, 1, 12, 30), "d. m. yyyy hh:mm", "2026-05-01 12:30:00"),  # noqa: DTZ001
        (0.25, "hh:mm:ss", "06:00:00"),
        (1.5, '#,##0.00 "EUR"', "1.5"),
        (1.5, "#,##0.00 [$CHF-807]", "1.5"),
        ("#N/A", "General", "#N/A"),
        ("a_x000D_b", "General", "a\rb"),
    ],
    ids=repr,
)
def test_cells(workbook: Callable[..., Path], value: Any, format: str, text: str):
    def dress(book: Any) -> None:
        book.active["B2"].number_format = format

    path = workbook([["a", "b"], ["x", value]], dress)
    assert [list(row.cells) for row in read_cells(path).rows] == [["x", text]]


def test_numbers_as_excel_writes_them(workbook: Callable[..., Path]):
    """17 digits, of which the last say nothing: the shortest text that reads as the same."""
    path = workbook([HEAD, ["a", "c", 5.64, "x"]])
    patch(path, SHEET, "<v>5.64</v>", "<v>5.6399999999999997</v>")
    assert read_table(path).measurements[0].text == "5.64"
    # What a formula computed keeps the digits that it has.
    patch(path, SHEET, "<v>5.6399999999999997</v>", "<v>0.30000000000000004</v>")
    assert read_table(path).measurements[0].text == "0.30000000000000004"


@pytest.mark.parametrize(
    ("days", "text"),
    [(0, "00:00:00"), (1, "1904-01-02"), (40000, "2013-07-07"), (1e9, "#VALUE!")],
)
def test_the_calendar_of_1904(workbook: Callable[..., Path], days: float, text: str):
    def dress(book: Any) -> None:
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        book.active["A2"].number_format = "yyyy-mm-dd"

    path = workbook([["when"], [days]], dress)
    assert [row.cells[0] for row in read_cells(path).rows] == [text]


def test_texts_whose_parts_are_formatted_apart(workbook: Callable[..., Path]):
    rich = CellRichText("NTS", TextBlock(InlineFont(vertAlign="subscript"), "_def"))
    path = workbook([["a", "b"], [rich, 1]])
    assert next(iter(read_cells(path).rows)).cells[0] == "NTS_def"
    share(path)
    assert next(iter(read_cells(path).rows)).cells[0] == "NTS_def"
    # How it is pronounced stands beside a text in East Asia, and is no part of it.
    patch(path, SHARED, "</si><si><t>b", '<rPh sb="0" eb="1"><t>en-tee-es</t></rPh></si><si><t>b')
    patch(path, SHARED, "<r><t>NTS", '<rPh sb="0" eb="1"><t>en</t></rPh><r><t>NTS')
    assert next(iter(read_cells(path).rows)).cells[0] == "NTS_def"


@pytest.mark.parametrize(
    ("code", "is_so"),
    [
        ("0.0 %", True),
        ('"100%"0', False),
        (r"0\%", False),
        ("General", False),
        ("0.00;-0.00%", False),  # only negative numbers would be percentages
    ],
)
def test_formats_of_percentages(code: str, is_so: bool):
    assert is_percentage(code) is is_so


# Measurements -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.xlsx", "t.xlsm", *(f"t.xlsx{one}" for one in COMPRESS if one)])
def test_a_long_table(workbook: Callable[..., Path], name: str):
    path = workbook([HEAD, ["PASS", "C", 5.64, "vdL"], ["PASS", "C", None, "M"]], name=name)
    (one,) = read_table(path, Columns(scale_min=1.0, original="vdL")).measurements
    assert (one.object, one.measurand, one.value, one.study) == ("PASS", "C", 5.64, "vdL")
    assert (one.line, one.file, one.is_original) == (2, str(path), True)
    assert len(read_measurements(path).measurements) == 1


def test_a_wide_table_with_a_study_over_two_columns(workbook: Callable[..., Path]):
    rows = [["System", "orig", "repro", None], ["condition seed", 1, 2, 3], ["a", 0.5, 0.6, 0.7]]
    path = workbook(rows, lambda book: book.active.merge_cells("C1:D1"))
    table = read_table(path, Columns(measurand="F1", studies=("orig", "repro")))
    assert [(one.study, one.text, one.conditions["seed"]) for one in table.measurements] == [
        ("orig", "0.5", "1"),
        ("repro", "0.6", "2"),
        ("repro", "0.7", "3"),
    ]
    assert "C and D are one study by their names" in refused(path, measurand="F1").why


@pytest.mark.parametrize(
    ("upper", "lower", "ranges"),
    [
        ([None, "Fluency", None, "Adequacy", None], ["System", *"OROR"], ["B1:C1", "D1:E1"]),
        ([None, "Fluency", None, "Adequacy", None], ["System", *"OROR"], []),
        (["System", "Fluency", None, "Adequacy", None], [None, *"OROR"], ["A1:A2", "B1:C1"]),
        (["System", "Fluency", "Fluency", "Adequacy", "Adequacy"], [None, *"OROR"], ["A1:A2"]),
    ],
)
def test_criteria_above_the_studies(
    workbook: Callable[..., Path],
    upper: list[Any],
    lower: list[Any],
    ranges: list[str],
):
    """In cells that are merged or not."""

    def merge(book: Any) -> None:
        for range in ranges:
            book.active.merge_cells(range)

    table = read_table(workbook([upper, lower, ["a", 4.1, 4, 3.1, 3.3]], merge))
    assert rows_of(table) == [
        ("a", "Fluency", "O", "4.1"),
        ("a", "Fluency", "R", "4"),
        ("a", "Adequacy", "O", "3.1"),
        ("a", "Adequacy", "R", "3.3"),
    ]


def test_an_object_merged_over_its_rows(workbook: Callable[..., Path]):
    def merge(book: Any) -> None:
        book.active.merge_cells("A2:A3")
        book.active.merge_cells("A5:B5")  # a title in a row of its own says nothing about values

    rows = [HEAD, ["PASS", "C", 1, "x"], [None, "F", 2, "x"], ["b", "C", 3, "x"], ["Source: us"]]
    table = read_table(workbook(rows, merge))
    assert [one.object for one in table.measurements] == ["PASS", "PASS", "b"]
    error = refused(workbook(rows))  # empty cells that nobody merged say nothing
    assert (error.line, error.why) == (3, "there is a value in this row and no object")


@pytest.mark.parametrize(
    ("range", "field"),
    [("C2:C3", "column Result"), ("A2:B3", "column Criterion"), ("C2:D2", "column Result")],
)
def test_merged_cells_that_could_mean_anything(
    workbook: Callable[..., Path], range: str, field: str
):
    rows = [HEAD, ["a", "C", 1, "x"], ["b", "F", 2, "x"]]
    error = refused(workbook(rows, lambda book: book.active.merge_cells(range)))
    assert (error.line, error.field) == (2, field)
    assert error.why.startswith(f"this cell is merged with others ({range})")


def test_a_value_that_became_a_date(workbook: Callable[..., Path]):
    error = refused(workbook([HEAD, ["a", "C", date(2026, 5, 1), "x"]]))
    assert (error.line, error.field) == (2, "column Result")
    assert "took it for a date" in error.hint


def test_a_formula_and_its_value(workbook: Callable[..., Path]):
    path = workbook([HEAD, ["a", "C", "=1+1", "x"]])
    error = refused(path)
    assert (error.line, error.field) == (2, "cell C2")
    assert error.why == "the formula in this cell has no value yet"
    patch(path, SHEET, "<f>1+1</f><v></v>", "<f>1+1</f><v>2</v>")
    assert read_table(path).measurements[0].text == "2"
    empty = '<c r="C2" t="str"><f>1+1</f><v></v>'
    patch(path, SHEET, '<c r="C2"><f>1+1</f><v>2</v>', empty)
    assert "there are no measurements" in refused(path).why


@pytest.mark.parametrize(
    ("text", "why"),
    [("4,10", "'4,10' is not a number"), ("1,234", "'1,234' is ambiguous: 1234 or 1.234")],
)
def test_commas_in_cells_of_workbooks(workbook: Callable[..., Path], text: str, why: str):
    assert refused(workbook([HEAD, ["a", "C", text, "x"]])).why == why


# Sheets -----------------------------------------------------------------------------------


def with_sheets(**sheets: float | None) -> Edit:
    """Further sheets, each with a table of one value."""

    def add(book: Any) -> None:
        for name, value in sheets.items():
            sheet = book.create_sheet(name.replace("_", " "))
            sheet.append(HEAD)
            sheet.append(["a", "C", value, "x"])

    return add


def notes_of(path: Path, **columns: Any) -> list[str]:
    return [note.partition(": ")[2] for note in read_table(path, Columns(**columns)).notes]


def test_sheets_by_their_names(workbook: Callable[..., Path]):
    def add(book: Any) -> None:
        book.active.title = "Hidden"
        book.active.sheet_state = "hidden"
        with_sheets(First=1, Second_one=2)(book)

    path = workbook([["nothing"]], add)
    table = read_table(path)
    assert table.measurements[0].value == 1
    assert table.notes == (
        f"{path}: 1 value of 1 object, 1 measurand, 1 study",
        f"{path}: the sheet First is read; name another one as {path}#Second one",
    )
    second = Path(f"{path}#Second one")
    for named in (read_table(second), read_table(path, Columns(sheet="second ONE"))):
        assert named.measurements[0].value == 2
        assert len(named.notes) == 1
    assert read_table(second).measurements[0].file == str(second)
    error = refused(Path(f"{path}#Secnd one"))
    assert error.why == "there is no sheet 'Secnd one'"
    assert error.hint == "did you mean Second one? the sheets are Hidden, First, Second one"


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ([["Read me first"]], 1),
        ([], None),
        ([HEAD], 1),
        ([HEAD, ["a", "C", "good", "x"]], 2),  # what is wrong in a row is wrong in this sheet
    ],
)
def test_other_sheets_are_named(
    workbook: Callable[..., Path], first: list[list[Any]], line: int | None
):
    path = workbook(first, with_sheets(Data=1, More=1))
    error = refused(path)
    assert error.line == line
    other = f"this is the sheet Sheet; to read another one, name it: {path}#Data or {path}#More"
    assert error.hint.endswith(other) is (line != 2)
    assert len(read_table(Path(f"{path}#Data")).measurements) == 1


def test_a_sheet_for_each_study(workbook: Callable[..., Path]):
    def name(book: Any, first: str = "Original", second: str = "Repro 1") -> None:
        book.active.title = first
        for row in (["System", "Criterion", "Score"], ["a", "C", 2], ["b", "C", 3]):
            book.active.append(row)
        book.copy_worksheet(book.active).title = second

    path = workbook([], name)
    table = read_table(path, Columns(original="orig"))
    assert [(one.object, one.study, one.is_original) for one in table.measurements] == [
        *(("a", "Original", True), ("b", "Original", True)),
        *(("a", "Repro 1", False), ("b", "Repro 1", False)),
    ]
    assert table.notes[-2:] == (
        f"{path}: each sheet is a study: Original, Repro 1",
        f"{path}: 'orig' is taken as the study 'Original'",
    )
    # One may be named, and sheets of other names are studies only if somebody says so.
    assert len(read_table(Path(f"{path}#Original")).measurements) == 2
    assert len(read_table(path, Columns(sheet="*")).measurements) == 4
    other = workbook([], lambda book: name(book, "Fluency", "Adequacy"))
    assert {one.study for one in read_table(other).measurements} == {""}
    every = read_table(Path(f"{other}#*"))
    assert [one.study for one in every.measurements] == ["Fluency"] * 2 + ["Adequacy"] * 2


def test_sheets_that_name_studies_themselves(workbook: Callable[..., Path]):
    """The first one is read, whatever the sheets are called."""

    def name(book: Any) -> None:
        book.active.title = "Study 1"
        with_sheets(Study_2=3)(book)

    path = workbook([HEAD, ROW], name)
    assert [(one.study, one.value) for one in read_table(path).measurements] == [("x", 1)]


def test_hidden_rows_and_columns_are_left_out(workbook: Callable[..., Path]):
    rows: list[list[Any]] = [
        ["System", None, "Criterion", "Result", "Paper"],
        ["a", 9, "C", 1, "x"],
        ["a", 9, "C", 2, "y"],
        ["a", 9, "C", "=1+1", "filtered"],  # whose value nobody has computed
        ["a", 9, "C", 3, "z"],
    ]

    def hide(book: Any) -> None:
        book.active.row_dimensions[4].hidden = True
        book.active.row_dimensions[9].hidden = True  # with nothing in it
        book.active.column_dimensions["B"].hidden = True
        book.active.column_dimensions["G"].hidden = True

    path = workbook(rows, hide)
    table = read_table(path)
    assert [one.study for one in table.measurements] == ["x", "y", "z"]
    assert all(not one.said for one in table.measurements)
    assert notes_of(path) == [
        "3 values of 1 object, 1 measurand, 3 studies",
        "what is hidden is left out: row 4, column B",
    ]


def test_a_hidden_study_is_none(workbook: Callable[..., Path]):
    def hide(book: Any) -> None:
        for column in "AD":
            book.active.column_dimensions[column].hidden = True

    path = workbook([["No", "System", "O", "dropped", "R"], [1, "a", 1, 2, 3]], hide)
    assert [one.study for one in read_table(path).measurements] == ["O", "R"]
    assert "what is hidden is left out: column A, column D" in notes_of(path)
    assert not any("has no name" in note for note in notes_of(path))


@pytest.mark.parametrize("ranges", ["0:5", "5:0", "-3:2", "2:99999999", "x:y", "1:16384"])
def test_ranges_of_hidden_columns(workbook: Callable[..., Path], ranges: str):
    """Whatever is said to be hidden, it takes no time and no room."""
    path = workbook([HEAD, ROW])
    low, _, high = ranges.partition(":")
    column = f'<col min="{low}" max="{high}" hidden="true"/>' * 3
    patch(path, SHEET, "<sheetData>", f"<cols>{column}</cols><sheetData>")
    found = problem_of(lambda: read_table(path))
    assert (found is None) == (ranges == "5:0")


@pytest.mark.parametrize(
    "above",
    [[["Results of 2026"], []], [["Model", "Fluency"]]],
)
def test_rows_above_the_head(workbook: Callable[..., Path], above: list[list[Any]]):
    """Titles, and what is no criterion, are refused."""
    rows = [*above, HEAD, ["a", "C", 1, "x"], ["a", "C", 2, "y"]]
    path = workbook(rows)
    assert refused(path).line == 1 + len(above)
    assert "remove" in refused(path).hint
    merged = workbook(rows, lambda book: book.active.merge_cells("A1:D1"))
    assert refused(merged).line == 1 + len(above)


# There and back ---------------------------------------------------------------------------


def test_cells_are_those_of_openpyxl(tmp_path: Path):
    """Any workbook of texts and numbers, holes included: the same cells at the same places."""
    path = tmp_path / "t.xlsx"
    value = st.one_of(
        st.none(),
        st.floats(-1e300, 1e300),
        st.integers(-(10**9), 10**9),
        st.sampled_from(["a", "ü", "<&>", "x y"]),
    )

    @settings(max_examples=20)
    @given(st.lists(st.lists(value, min_size=4, max_size=4), max_size=3), st.booleans())
    def check(rows: list[list[Any]], is_shared: bool) -> None:
        path.write_bytes(book_of([["h1", "h2", "h3", "h4"], *rows]))
        read = openpyxl.load_workbook(path).active.iter_rows(min_row=2)
        wanted = [["" if cell.value is None else cell.value for cell in row] for row in read]
        if is_shared:
            share(path)
        found = [list(row.cells) for row in read_cells(path).rows]
        kept = [row for row in wanted if any(cell != "" for cell in row)]
        assert len(found) == len(kept)
        for ours, theirs in zip(found, kept, strict=True):
            for text, cell in zip(ours, theirs, strict=True):
                assert text == cell if isinstance(cell, str) else float(text) == cell

    check()


# Hostile files ----------------------------------------------------------------------------

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("part", "old", "new", "why"),
    [
        (SHEET, "<worksheet", f"{BOMB}<worksheet", "sheet1.xml has a DOCTYPE, or is not in UTF-8"),
        (SHEET, "</sheetData>", "", "the workbook cannot be read (mismatched tag"),
        (SHEET, "", None, "the workbook has no sheet with cells"),
        ("xl/workbook.xml", "", None, "no item named 'xl/workbook.xml'"),
        ("xl/_rels/workbook.xml.rels", "", None, "no item named 'xl/_rels/workbook.xml.rels'"),
        (SHARED, "", None, "no item named 'xl/sharedStrings.xml'"),
        (SHARED, "<t>System</t></si>", "<t>System</t>", "the workbook cannot be read (mismatched"),
        (SHEET, '<c r="C2"', '<c r="ZZZ2"', "this row has 18278 cells, and the head has 4"),
        (SHEET, '<c r="A2" t="s"><v>4<', '<c r="A2" t="s"><v>99<', "the workbook cannot be read"),
        (SHEET, '"n"><v>1<', '"n"><v>NaN<', "the workbook cannot be read"),
        (SHEET, '"n"><v>1<', '"n"><v>1e999<', "'inf' is not a number"),
        (SHEET, "</sheetData>", '</sheetData><mergeCell ref="A:B"/>', "'A:B' is not a range of cells"),
    ],
)  # fmt: skip
def test_broken_parts(
    workbook: Callable[..., Path], part: str, old: str, new: str | None, why: str
):
    path = workbook([HEAD, ROW])
    share(path)
    patch(path, part, old, new)
    error = refused(path)
    assert why in error.why
    assert error.file is not None
    assert "\n" not in str(error)


def test_cells_that_do_not_say_where_they_are(workbook: Callable[..., Path]):
    path = workbook([HEAD, ROW])
    parts = parts_of(path)
    parts[SHEET] = re.sub(rb' r="[A-Z]?[0-9]+"', b"", parts[SHEET])
    write_parts(path, parts)
    (one,) = read_table(path).measurements
    assert (one.object, one.value, one.line) == ("a", 1, 2)


def test_a_part_in_another_encoding(workbook: Callable[..., Path]):
    """In which a DOCTYPE would not be seen."""
    path = workbook([HEAD, ROW])
    parts = parts_of(path)
    parts[SHEET] = parts[SHEET].decode().encode("utf-16")
    write_parts(path, parts)
    assert "sheet1.xml has a DOCTYPE, or is not in UTF-8" in refused(path).why


def test_a_cell_far_away_takes_no_room(workbook: Callable[..., Path]):
    """Sheets are read by what they hold, not by the size that they claim."""
    error = refused(workbook([HEAD, ROW], lambda book: book.active.cell(1048576, 3, 2.0)))
    assert (error.line, error.why) == (1048576, "there is a value in this row and no object")
    error = refused(workbook([HEAD, ROW], lambda book: book.active.cell(2, 16384, "far")))
    assert (error.line, error.why) == (2, "this row has 16384 cells, and the head has 4")
    error = refused(workbook([HEAD, ROW, ROW], lambda book: book.active.cell(3, 6, "far")))
    assert (error.line, error.why) == (3, "this row has 6 cells, and the head has 4")
    path = workbook([HEAD, ROW])
    merge = '</sheetData><mergeCells><mergeCell ref="E1:XFD1048576"/></mergeCells>'
    patch(path, SHEET, "</sheetData>", merge)
    assert "cells of the workbook are merged" in refused(path).why


def test_cells_without_anything_are_counted(workbook: Callable[..., Path]):
    """Each of them takes hundreds of bytes, packed much less than one."""
    path = workbook([HEAD, ROW])
    patch(path, SHEET, "</sheetData>", f'<row r="3">{"<c/>" * 2**21}</row></sheetData>')
    assert refused(path).why == "the workbook has more than 2097152 cells"


def test_wide_heads_of_long_tables(workbook: Callable[..., Path]):
    """A million rows of sixteen thousand columns would be sixteen milliards of cells."""

    def spread(book: Any) -> None:
        book.active.cell(1, 16384, "far")
        for row in range(2, 1200):
            book.active.cell(row, 1, "x")

    assert "1199 rows of 16384 columns are more than" in refused(workbook([["a"]], spread)).why


def test_limits(workbook: Callable[..., Path], monkeypatch: pytest.MonkeyPatch):
    path = workbook([HEAD, ROW])
    patch(path, SHEET, "</sheetData>", f"</sheetData>{' ' * 2**20}")
    assert path.stat().st_size < 2**14
    monkeypatch.setattr(workbooks, "_MOST_UNPACKED", 2**19)
    assert refused(path).why == "unpacked, the workbook is larger than 0 MiB"
    monkeypatch.setattr(workbooks, "_MOST_PACKED", 2**10)
    assert refused(path).why == "the workbook is larger than 0 MiB"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_that_says_too_little_of_its_size(workbook: Callable[..., Path], method: int):
    path = workbook([HEAD, ROW])
    write_parts(path, parts_of(path), method)
    assert "compressed in a way that no .xlsx is" in refused(path).why


def zip_of(**parts: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the workbook cannot be read (File is not a zip file)"),
        (b"system,result\na,1\n", "the workbook cannot be read (File is not a zip file)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "this is a workbook with a password"),
        (zip_of(mimetype="application/x.ods"), "this is another kind of workbook than .xlsx"),
        (zip_of(a="b"), 'the workbook cannot be read ("There is no item named'),
        (book_of([HEAD])[:-30], "the workbook cannot be read"),
        (book_of([]), "the sheet is empty"),
        (book_of([HEAD]), "there are no measurements in this table"),
    ],
    ids=["empty", "csv", "ole2", "ods", "zip", "cut", "no cells", "head"],
)
def test_what_is_no_workbook(tmp_path: Path, data: bytes, why: str):
    path = tmp_path / "t.xlsx"
    path.write_bytes(data)
    assert refused(path).why.startswith(why)


def test_any_broken_byte_is_an_error_of_ours(tmp_path: Path):
    whole = book_of([HEAD, ROW])
    path = tmp_path / "t.xlsx"

    @given(st.integers(0, len(whole) - 1), st.integers(0, 255))
    def check(place: int, byte: int) -> None:
        path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        found = problem_of(lambda: read_table(path))
        assert found is None or str(found.file).startswith(str(path))

    check()


def test_without_openpyxl(workbook: Callable[..., Path], monkeypatch: pytest.MonkeyPatch):
    path = workbook([HEAD, ROW])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    error = refused(path)
    assert error.why.startswith("workbooks need openpyxl, which cannot be imported")
    assert error.hint == "install primad-ld[excel], or save the table as .csv"
