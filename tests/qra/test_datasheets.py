"""Datasheets of human evaluations: what differs, and conditions of measurement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Put
from support.datasheets import field, form

from primad_ld.core.errors import MeasureError
from primad_ld.qra.datasheets import (
    DatasheetReport,
    compare_datasheets,
    read_datasheet,
    with_datasheets,
)
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.precision_assessments import PrecisionKind, Sameness, assess
from primad_ld.qra.reading.measurement_tables import read_table
from primad_ld.tables.answers import text_of

# Comparing --------------------------------------------------------------------------------


def test_what_differs(sheet):
    one = sheet("original", people="5", skill=None, numbers=True)
    other = sheet(
        "repro",
        people="157",
        ranges={"readability": " 1  TO 5 "},
        criteria=("readability", "Fluency"),
    )
    found = compare_datasheets([one, other])
    assert [
        (each.question.id, each.criterion, each.state, dict(each.answers)) for each in found
    ] == [
        (
            "criteria",
            "",
            Sameness.different,
            {"original": "Readability", "repro": "Fluency; Readability"},
        ),
        ("3.2.1", "", Sameness.different, {"original": "5", "repro": "157"}),
        ("3.2.2.1", "", Sameness.unknown, {"original": None, "repro": "1. experts"}),
        # The same words in other letters are the same answer.
        ("4.3.3", "Readability", Sameness.same, {"original": "1 to 5", "repro": "1 to 5"}),
    ]


def test_no_answer_is_never_the_same(sheet):
    found = compare_datasheets([sheet("a", skill=None), sheet("b", skill=None)])
    states = {one.question.key.rpartition(".")[2]: one.state for one in found}
    assert states["expertise"] is Sameness.unknown
    assert states["number_of_evaluators"] is Sameness.same


def test_questions_stand_in_the_order_of_the_form(sheet):
    """Which saves them in no order; three sheets with another order each."""
    content = form(numbers=True)
    turned = dict(reversed(content.items()))
    found = [
        [one.question.id for one in compare_datasheets([sheet("a", first), sheet("b", second)])]
        for first, second in ((content, turned), (turned, content), (form(), turned))
    ]
    assert found == [["criteria", "3.2.1", "3.2.2.1", "4.3.3"]] * 3
    # Without numbers, by sections and keys.
    plain = compare_datasheets([sheet("a", form()), sheet("b", dict(reversed(form().items())))])
    assert [one.question.key.partition(".")[0] for one in plain] == [
        "criteria",
        "sample_evaluators_design",
        "sample_evaluators_design",
        "criteria",
    ]


def test_two_questions_with_one_number_have_two_names(sheet):
    content = {f"heds-{name}": field({"": name}, number="2.1") for name in ("x", "y")}
    found = compare_datasheets([sheet("a", content), sheet("b", content)])
    assert [one.question.id for one in found] == ["2.1", "y"]


def test_sheets_of_one_name_are_told_apart_by_their_files(sheet):
    found = compare_datasheets([sheet("o/datacard"), sheet("r/datacard")])
    assert [name.rpartition("/")[0][-1] for name in found[0].answers] == ["o", "r"]
    with pytest.raises(MeasureError, match="this datasheet is given twice"):
        compare_datasheets([sheet("o/datacard"), sheet("o/datacard")])


def test_people_see_what_differs(sheet):
    found = compare_datasheets(
        [sheet("original", other="50 % of them_" * 20, numbers=True), sheet("repro", people="157")]
    )
    report = DatasheetReport(differences=tuple(found))
    assert report.verdict() == "4 answers: 2 different, 2 same."
    (table,) = report.shown()
    shown = [{key: text_of(value) for key, value in row.items()} for row in table.rows]
    assert shown[0]["question"] == "3.2.1 evaluators, number of evaluators"
    assert shown[0]["original"] == "5"
    assert shown[0]["repro"] == "157"
    assert shown[0]["state"] == "different"
    assert shown[1]["original"].endswith(" …")


def test_rows_have_all_answers(sheet):
    found = compare_datasheets([sheet("a", people="5", numbers=True), sheet("b", people="")])
    report = DatasheetReport(differences=tuple(found))
    rows = [row for row in report.to_dicts() if row["question"] == "3.2.1"]
    common = {
        "question": "3.2.1",
        "text": "evaluators, number of evaluators",
        "criterion": None,
        "state": "unknown",
    }
    assert rows == [
        common | {"study": "a", "answer": "5"},
        common | {"study": "b", "answer": None},
    ]
    assert report.record()["answers"] == report.to_dicts()


def test_nothing_differs(sheet):
    report = DatasheetReport(differences=tuple(compare_datasheets([sheet("a"), sheet("b")])))
    assert report.verdict() == "All 4 answers are the same in all datasheets."
    (table,) = report.shown()
    assert len(list(table.rows)) == 4


# Conditions -------------------------------------------------------------------------------

TABLE = """\
study,system,criterion,result
O,GT,Readability,4.9
R,GT,Readability,4.7
O,GT,Fluency,4.5
R,GT,Fluency,4.6
"""


@pytest.fixture
def table(put: Put) -> MeasurementTable:
    return read_table(put("t.csv", TABLE))


def test_answers_become_conditions(sheet, table: MeasurementTable):
    criteria = ("Readability", "Fluency")
    found = with_datasheets(
        table,
        [
            sheet("O", criteria=criteria, numbers=True),
            sheet(
                "R",
                people="7",
                criteria=criteria,
                ranges={"Readability": "1-5", "Fluency": "1 to 5"},
            ),
        ],
    )
    assert dict(found.conditions) == {
        "heds 3.2.1": "3.2.1 evaluators, number of evaluators",
        "heds 4.3.3": "4.3.3 response elicitation, list or range",
        "heds others": "1 other question of the datasheets",
    }
    assert [dict(one.conditions) for one in found.measurements] == [
        {"heds 3.2.1": "5", "heds 4.3.3": "1 to 5", "heds others": "same answers"},
        {"heds 3.2.1": "7", "heds 4.3.3": "1-5", "heds others": "same answers"},
        {"heds 3.2.1": "5", "heds 4.3.3": "1 to 5", "heds others": "same answers"},
        {"heds 3.2.1": "7", "heds 4.3.3": "1 to 5", "heds others": "same answers"},
    ]
    readability, fluency = assess(found)
    assert readability.kind is fluency.kind is PrecisionKind.reproducibility
    assert [one.key for one in readability.conditions_that_are(Sameness.different)] == [
        "heds 3.2.1",
        "heds 4.3.3",
    ]
    assert [one.key for one in fluency.conditions_that_are(Sameness.different)] == ["heds 3.2.1"]


def test_the_same_answers_everywhere_are_repeatability(sheet, table: MeasurementTable):
    criteria = ("Readability", "Fluency")
    found = with_datasheets(table, [sheet("O", criteria=criteria), sheet("R", criteria=criteria)])
    assert dict(found.conditions) == {"heds others": "3 other questions of the datasheets"}
    assert {one.kind for one in assess(found)} == {PrecisionKind.repeatability}
    # Whoever has no sheet did something that nobody knows.
    half = with_datasheets(table, [sheet("O", criteria=criteria)])
    assert {one.kind for one in assess(half)} == {PrecisionKind.reproducibility}
    unanswered = with_datasheets(
        table, [sheet(name, criteria=criteria, skill=None) for name in ("O", "R")]
    )
    assert {one.kind for one in assess(unanswered)} == {PrecisionKind.reproducibility}


def test_a_criterion_that_a_sheet_lacks_is_unknown(sheet, table: MeasurementTable):
    found = with_datasheets(table, [sheet("O"), sheet("R")])
    readability, fluency = assess(found)
    assert (readability.kind, fluency.kind) == (
        PrecisionKind.repeatability,
        PrecisionKind.reproducibility,
    )
    assert [note.rpartition("/")[2] for note in found.notes[1:]] == [
        f"{name}.json: no criterion is called 'Fluency', so answers about criteria are unknown "
        "there; the sheet has Readability"
        for name in ("O", "R")
    ]


def test_sheets_in_the_order_of_the_studies(sheet, put: Put):
    """The original one first, wherever its measurements stand."""
    from primad_ld.qra.reading.measurement_tables import Columns

    rows = read_table(put("t.csv", TABLE), Columns(original="R"))
    found = with_datasheets(rows, [sheet("first", people="1"), sheet("second", people="2")])
    key = "heds sample_evaluators_design.evaluators.number_of_evaluators"
    assert {one.study: one.conditions[key] for one in found.measurements} == {"R": "1", "O": "2"}
    assert any("in the order of the studies: R " in note for note in found.notes)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ("O", "X"),
            "X.json: no study is called 'X'; name its study as NAME=FILE; the studies are O, R",
        ),
        (("x", "y", "z"), "x.json: no study is called 'x'; name its study as NAME=FILE; "),
        (("O", "o"), "o.json: study 'O' has another datasheet already"),
    ],
)
def test_sheets_of_nobody(sheet, table: MeasurementTable, names: tuple[str, ...], message: str):
    with pytest.raises(MeasureError) as caught:
        with_datasheets(table, [sheet(name) for name in names])
    assert str(caught.value).rpartition("/")[2].startswith(message)


def test_measurements_without_studies(sheet, put: Put):
    rows = read_table(put("t.csv", "system,criterion,result\na,c,1\n"))
    with pytest.raises(MeasureError, match="name the column of the studies with --study"):
        with_datasheets(rows, [sheet()])


def test_named_sheets_are_never_taken_by_their_order(sheet, put: Put, table: MeasurementTable):
    sheet("a")
    paths = [put("b.json", json.dumps(form())), put("c.json", json.dumps(form()))]
    sheets = [
        read_datasheet(Path(f"{name}={path}")) for name, path in zip("XY", paths, strict=True)
    ]
    with pytest.raises(MeasureError, match="no study is called 'X'"):
        with_datasheets(table, sheets)
