"""Heads of tables below titles, in one row or two."""

from __future__ import annotations

from typing import Any

import pytest
from support import Put
from support.tabled import notes_of, refused, rows_of

from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.qra.reading.table_heads import LAYOUTS

# Titles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Results of our reproduction\n", 2),
        ("Results, as of May\n\n", 3),  # with a comma as between cells
        ("Results,,,\n,,,\n", 3),
        ("# a remark\nResults;all\nof them\n", 4),
        ('"a title; in quotes"\n', 2),
    ],
)
@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("System,Criterion,Study,Score\nA,F1,o,1\nA,F1,r,2\n", {}),
        ("System,Criterion,o,r\nA,F1,1,2\n", {}),
        ("Name,F,o,r\nA,F1,1,2\n", {"object": "name", "measurand": "F"}),
        (
            "a,b,c,d\nA,F1,o,1\nA,F1,r,2\n",
            {"object": "a", "measurand": "b", "study": "c", "value": "D"},
        ),
    ],
    ids=["long", "wide", "wide by options", "long by options"],
)
def test_titles_above_the_head(
    put: Put, title: str, line: int, table: str, columns: dict[str, Any]
):
    for delimiter in ",;\t":
        found = read_table(put("t.csv", title + table.replace(",", delimiter)), Columns(**columns))
        assert rows_of(found) == [("A", "F1", "o", "1"), ("A", "F1", "r", "2")]
        assert found.measurements[0].line == line + 1
        assert f"the head is row {line}; rows above it are left out" in notes_of(found)


def test_a_first_row_that_names_columns_is_the_head(put: Put):
    """Whatever systems and scores are called further down."""
    table = read_table(put("t.csv", "System,o,r\na,1,2\n"), Columns(measurand="m"))
    assert len(table.measurements) == 2
    text = "name,what,number,who\nSystem,Score,1,o\nmodel,rating,2,r\n"
    columns = Columns(object="name", measurand="what", value="number", study="who")
    table = read_table(put("t.csv", text), columns)
    assert [one.object for one in table.measurements] == ["System", "model"]


def test_names_with_line_breaks_in_the_head(put: Put):
    text = 'Metric,"The\nsystem",o,r\nF1,a,1,2\n'
    table = read_table(put("t.csv", text), Columns(object="the system"))
    assert rows_of(table) == [("a", "F1", "o", "1"), ("a", "F1", "r", "2")]
    assert table.measurements[0].line == 3


# Heads of two rows ------------------------------------------------------------------------

TWO = ",Fluency,,Adequacy,\nSystem,Original,Repro 1,Original,Repro 1\n"
VALUES = "A,4.1,4.0,3.1,3.3\nB,3.9,4.2,2.9,2.5\n"


@pytest.mark.parametrize(
    ("head", "columns", "line"),
    [
        (TWO, {}, 3),
        ("System,Fluency,,Adequacy,\n,Original,Repro 1,Original,Repro 1\n", {}, 3),
        (",Fluency,Fluency,Adequacy,Adequacy\nSystem,Original,Repro 1,Original,Repro 1\n", {}, 3),
        (TWO.replace("System", "System,"), {}, 3),  # see below: a column more
        ("Results of 2026\n\n" + TWO, {}, 5),
        ("# a remark\n" + TWO, {}, 4),
        (TWO.replace("System", "Scorer"), {}, 3),  # the first column, by its place
        (TWO.replace("System", "Scorer"), {"object": "scorer"}, 3),
        (TWO.replace("System", ""), {}, 3),  # as pandas writes columns of two levels
        (TWO, {"studies": ("original", "repro 1")}, 3),
        (TWO, {"original": "Original"}, 3),
    ],
)
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_a_row_of_criteria_above_the_studies(
    put: Put, head: str, columns: dict[str, Any], line: int, delimiter: str
):
    text = head + VALUES
    if "System,," in head:  # numbers of parameters in a column that is no study
        text = head.replace(",F", ",,F").replace("System,", "System,Params") + VALUES
        text = text.replace("A,", "A,7,").replace("B,", "B,8,")
    table = read_table(put("t.csv", text.replace(",", delimiter)), Columns(**columns))
    assert rows_of(table) == [
        (name, criterion, study, value)
        for name, row in (("A", "4.1 4.0 3.1 3.3"), ("B", "3.9 4.2 2.9 2.5"))
        for (criterion, study), value in zip(
            [(c, s) for c in ("Fluency", "Adequacy") for s in ("Original", "Repro 1")],
            row.split(),
            strict=True,
        )
    ]
    assert [one.line for one in table.measurements] == [line] * 4 + [line + 1] * 4
    assert "the row above the head names what was measured: Fluency, Adequacy" in notes_of(table)


def test_columns_apart_from_those_below_criteria(put: Put):
    text = (
        "Model,,Fluency,,,Adequacy,,\n"
        "System,Test set,Original,Repro 1,Mean,Original,Repro 1,Notes\n"
        "condition seed,,1,2,,3,4,\nA,x,1,2,1.5,3,4,good\n"
    )
    table = read_table(put("t.csv", text))
    assert [row[1:] for row in rows_of(table)] == [
        ("Fluency", "Original", "1"),
        ("Fluency", "Repro 1", "2"),
        ("Adequacy", "Original", "3"),
        ("Adequacy", "Repro 1", "4"),
    ]
    assert [one.conditions["seed"] for one in table.measurements] == ["1", "2", "3", "4"]
    assert {one.conditions["test_set"] for one in table.measurements} == {"x"}
    assert any("left out: Mean, Notes" in note for note in notes_of(table))


def test_the_layouts_are_understood(put: Put):
    """Each of the examples that are printed is read, with a row of values below it."""
    examples = [line.strip() for line in LAYOUTS.splitlines() if line.startswith("    ")]
    below = {0: (), 2: (), 4: (), 6: ("A,4.1,4.0,3.1,3.3",)}
    tables = [
        read_table(put("t.csv", "\n".join([*examples[at : at + 2], *values])))
        for at, values in below.items()
    ]
    assert [len(one.measurements) for one in tables] == [1, 2, 2, 4]
    assert all(one.measurements[0].measurand == "Fluency" for one in tables)


@pytest.mark.parametrize(
    ("head", "columns", "line", "why"),
    [
        ("Results\n\nName,what,o,r\n", {}, 1, "in row 3, and has no usual names of columns"),
        (",Human,,,\n,Fluency,,Adequacy,\nSystem,O,R,O,R\n", {}, 1, "in row 3, and there are 2 rows"),
        ("Name,a,b\nX,1,2\n\nSystem,O,R,R2,R3\n", {}, 2, "in row 4, and a row above it has values"),
        (",Original,,Repro 1,\nSystem,F,C,F,C\n", {}, 2, "row above the head is not understood (Or"),
        (",,Fluency,,Clarity\nSystem,Metric,O,R,O\n", {}, 2, "above the head is not understood (Fl"),
        (TWO, {"measurand": "Fluency"}, 2, "row above the head is not understood (Fluency, Adequacy)"),
        ("Model,,Human,,\nSystem,Criterion,Study,Score,Unit\n", {}, 2, "the row above the head is no"),
        (",,Fluency,,\nSystem,O,R,R2,R3\n", {}, 2, "nothing above column O says what was measured"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_rows_above_that_are_not_understood(
    put: Put, head: str, columns: dict[str, Any], line: int, why: str, delimiter: str
):
    error = refused(put("t.csv", (head + VALUES).replace(",", delimiter)), **columns)
    assert error.line == line
    assert why in error.why
    assert error.__notes__ == [LAYOUTS]
