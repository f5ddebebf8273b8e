"""Datasheets of human evaluations: their questions, what differs, and conditions of measurement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Put, problem_of

from primad_ld.cli.layout import as_table
from primad_ld.core.errors import MeasureError
from primad_ld.qra.datasheets import (
    Datasheet,
    compare_datasheets,
    datasheet_grids,
    datasheet_records,
    datasheets_csv,
    read_datasheet,
    with_datasheets,
)
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.precision_assessments import PrecisionKind, Sameness, assess
from primad_ld.qra.reading.heds import read_json
from primad_ld.qra.reading.measurement_tables import read_table
from primad_ld.tables.grid import as_latex

PEOPLE = "heds-sample_evaluators_design-evaluators-number_of_evaluators"
SKILL = "heds-sample_evaluators_design-evaluators-evaluators-expertise"
RANGE = "heds-criteria-criterion-response_elicitation-list_or_range"
MAIL = "heds-paper_and_resources-names_and_affiliations-contact_author-email"
NUMBERS = {PEOPLE: "3.2.1", SKILL: "3.2.2.1", RANGE: "4.3.3", MAIL: "1.3.1.3"}


def field(said: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"data": dict(said), "control": {}, **more}


def form(
    people: str = "5",
    skill: int | None = 1,
    ranges: Mapping[str, str] | None = None,
    criteria: tuple[str, ...] = ("Readability",),
    *,
    other: str = "",
    numbers: bool = False,
) -> dict[str, Any]:
    """A sheet as the form saves it: a field for each option, and criteria within each answer."""
    found = {
        RANGE: field(ranges if ranges is not None else dict.fromkeys(criteria, "1 to 5")),
        PEOPLE: field({"": people}),
        MAIL: field({"": "author@example.org"}),
        "heds-criteria-criterion": {
            "data": {},
            "control": {name: not at for at, name in enumerate(criteria)},
            "text": {},
        },
        f"{SKILL}-other_text": field({"": other}),
    }
    for option, text in enumerate(("1. experts", "2. non-experts", "3. other"), 1):
        ticked = option == skill
        found[f"{SKILL}-{option}"] = field({"": ticked}, text={"": text if ticked else ""})
    if numbers:
        for key, one in found.items():
            base = next((name for name in NUMBERS if key.startswith(name)), "")
            if base:
                one["number"] = NUMBERS[base]
    return found


@pytest.fixture
def sheet(put: Put):
    def make(name: str = "a", content: Any = None, **given: Any) -> Datasheet:
        text = json.dumps(content if content is not None else form(**given), indent=4)
        return read_datasheet(put(f"{name}.json", text))

    return make


def answers_of(found: Datasheet) -> dict[str, dict[str, str | None]]:
    return {found.questions[key].id: dict(said) for key, said in found.answers.items()}


# Reading ----------------------------------------------------------------------------------


def test_the_form(sheet):
    found = sheet("datacard", numbers=True)
    assert found.study == "datacard"
    assert found.criteria == ("Readability",)
    assert answers_of(found) == {
        "3.2.1": {"": "5"},
        "3.2.2.1": {"": "1. experts"},
        "4.3.3": {"Readability": "1 to 5"},
    }
    question = found.questions["sample_evaluators_design.evaluators.number_of_evaluators"]
    assert (question.number, question.text) == ("3.2.1", "evaluators, number of evaluators")


def test_the_form_before_it_wrote_numbers(sheet):
    assert sorted(answers_of(sheet())) == [
        "criteria.criterion.response_elicitation.list_or_range",
        "sample_evaluators_design.evaluators.evaluators.expertise",
        "sample_evaluators_design.evaluators.number_of_evaluators",
    ]


def test_addresses_are_no_conditions(sheet):
    """The first section says who filled the sheet in: it differs always, and is nobody's business."""
    for found in (sheet(), sheet("b", numbers=True)):
        assert found.left_out == 1
        assert "example.org" not in repr(found)


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ({"skill": 1}, "1. experts"),
        ({"skill": 3, "other": "two\n  groups"}, "3. other; two groups"),
        ({"skill": None, "other": "all"}, "all"),
        ({"skill": None}, None),  # nothing is ticked
        ({"skill": None, "other": " – "}, None),
        ({"skill": None, "other": "N/A"}, "N/A"),  # the form asks for it where nothing applies
    ],
)
def test_options(sheet, given: dict[str, Any], answer: str | None):
    found = sheet(**given)
    assert found.answers["sample_evaluators_design.evaluators.evaluators.expertise"] == {"": answer}


def test_several_options_in_their_order(sheet):
    content = {
        f"heds-x-{n}": field({"": True}, text={"": f"{n}. o"} if n != 2 else {}) for n in (10, 2, 1)
    }
    assert sheet(content=content).answers == {"x": {"": "1. o; option 2; 10. o"}}


def test_criteria_that_were_deleted_are_gone(sheet):
    """The form leaves what was said of them in the file."""
    found = sheet(ranges={"Readability": "1 to 5", "Old": "1 to 7"})
    answers = found.answers["criteria.criterion.response_elicitation.list_or_range"]
    assert answers == {"Readability": "1 to 5"}


def test_any_other_json(sheet):
    content = {
        "title": "Our reproduction",
        "3.1.1 How many outputs?": 60,
        "Question 3.2.1: Evaluators": ["students", "  staff\n members", ""],
        "section 4": {"4.1.1": "Form", "4.1.2": {"question": "Good?", "answer": True}},
        "questions": [
            {"number": "5.1", "question": "Ethics?", "answer": None},
            {"id": "q2", "text": "Colour?", "response": "red"},
        ],
        "design": {"rounds": "2", "deep": {"er": "x"}},
        "1.1.1": "who",
    }
    found = sheet(content=content)
    assert found.study == "Our reproduction"
    assert answers_of(found) == {
        "3.1.1": {"": "60"},
        "3.2.1": {"": "students; staff members"},
        "4.1.1": {"": "Form"},
        "4.1.2": {"": "yes"},
        "5.1": {"": None},
        "q2": {"": "red"},
        "design.rounds": {"": "2"},
        "design.deep.er": {"": "x"},
    }
    assert found.questions["3.1.1"].text == "How many outputs?"
    assert found.questions["4.1.2"].text == "Good?"
    assert found.left_out == 1


def test_whose_a_sheet_is(put: Put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    put("a.json", '{"name": "Us", "x": "1"}')
    put("b=c.json", '{"x": "1"}')
    monkeypatch.chdir(tmp_path)
    assert read_datasheet(Path("a.json")).study == "Us"
    named = read_datasheet(Path("vdL & al = a.json".replace(" = ", "=")))
    assert (named.study, named.is_named, named.file) == ("vdL & al", True, "a.json")
    assert read_datasheet(Path("b=c.json")).study == "b=c"


@pytest.mark.parametrize("number", ["x", "", " ", None, "3.", ".1", "1-2", "3.1 and more"])
def test_numbers_that_are_none(sheet, number: Any):
    content = {"heds-x": field({"": "y"}, number=number)}
    assert sheet(content=content).questions["x"].number == ""


def test_letters_with_accents_are_written_one_way(sheet):
    content = {"x": "Z\u00fcrich", "y": "Zu\u0308rich", "z": "\ud83d\ude00\ud800"}
    assert answers_of(sheet(content=content)) == {
        "x": {"": "Zürich"},
        "y": {"": "Zürich"},
        "z": {"": "😀\N{REPLACEMENT CHARACTER}"},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"a": 1,\n "b": 2,\n "a": 3}',
            "s.json:3: the key 'a' stands here a second time (first in line 1); keep one of the two",
        ),
        ('{"a":\n NaN}', "s.json:2: 'NaN' is no JSON; is it a JSON file, and complete?"),
        ('{"a": -Infinity}', "s.json:1: '-Infinity' is no JSON"),
        ('{"a": 1', "s.json:1: ',' is expected here, and the end stands here"),
        ('{"a": ', "s.json:1: the JSON ends too early"),
        ('{"a": "x', "s.json:1: this text cannot be read: Unterminated string starting at"),
        ('{"a": "x\ty"}', "s.json:1: this text cannot be read: Invalid control character at"),
        ('{"a": 1} {}', "s.json:1: something stands behind the end of the JSON"),
        ("{'a': 1}", "s.json:1: a key in quotes is expected here"),
        ('{"a" 1}', "s.json:1: ':' is expected here, and '1' stands here"),
        ('{"a": 01}', "s.json:1: ',' is expected here, and '1' stands here"),
        ("[" * 1000, "s.json:1: nested deeper than 32 levels"),
        ('{"a": ' * 1000, "s.json:1: nested deeper than 32 levels"),
        ("[1]", "s.json:1: the top of the file is no mapping, so this is no datasheet"),
        ("{}", "s.json:1: there are no questions in this datasheet"),
        ("", "s.json:1: the JSON ends too early"),
        ("<html>", "s.json:1: '<html>' is no JSON"),
        (b"\xff{}", "s.json:1: this is no UTF-8; save it as UTF-8"),
    ],
)
def test_broken_files(put: Put, text: str | bytes, message: str):
    path = put("s.json", text)
    found = problem_of(lambda: read_datasheet(path))
    assert found is not None
    assert str(found).replace(f"{path.parent}/", "").startswith(message)


def test_files_that_are_too_long(put: Put):
    bomb = put("s.json.gz", b'{"a": "' + b"x" * 2**23 + b'"}')
    assert "longer than 8 MiB" in str(problem_of(lambda: read_datasheet(bomb)))
    many = put("m.json", "[" + "1," * 2**17 + "1]")
    assert "more than 131072 values" in str(problem_of(lambda: read_datasheet(many)))


leaves = st.one_of(st.none(), st.booleans(), st.text(max_size=6))
anything = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


def test_json_is_what_the_library_reads(put: Put):
    path = put("s.json", "")

    def text_of(value: Any) -> Any:
        """The library keeps half characters, which no file can hold."""
        return json.loads(json.dumps(value), parse_int=str, parse_float=str)

    @given(anything, st.sampled_from([None, 2]), st.booleans())
    def check(value: Any, indent: int | None, is_ascii: bool) -> None:
        text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
        path.write_bytes(text.encode("utf-8"))
        assert read_json(path) == text_of(value)

    check()


def test_any_json_is_a_sheet_or_an_error_of_ours(put: Put):
    path = put("s.json", "")

    @given(st.dictionaries(st.text(max_size=4), anything, max_size=4), st.text(max_size=3))
    def check(value: dict[str, Any], key: str) -> None:
        value = {**value, f"heds-{key}-1": {"data": value, "text": value, "number": key}}
        path.write_text(json.dumps(value), encoding="utf-8")
        found = problem_of(lambda: read_datasheet(path))
        if found is None:
            compare_datasheets([read_datasheet(path)])

    check()


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


def test_tables_for_people(sheet):
    found = compare_datasheets(
        [sheet("original", other="50 % of them_" * 20, numbers=True), sheet("repro", people="157")]
    )
    text = as_table(datasheet_grids(found))
    lines = text.splitlines()
    assert lines[0] == "Datasheets: 2 of 4 answers differ or are unknown"
    assert lines[1].split() == ["question", "original", "repro", "answers"]
    assert lines[2].startswith("3.2.1 evaluators, number of evaluators")
    assert lines[2].split()[-3:] == ["5", "157", "different"]
    assert "…" in lines[3]
    assert "2 answers are the same in all datasheets." in text
    assert r"50 \% of them\_" in as_latex(datasheet_grids(found))


def test_records_and_rows_have_all_answers(sheet):
    found = compare_datasheets([sheet("a", people="5", numbers=True), sheet("b", people="")])
    records = {one["question"]: one for one in datasheet_records(found)}
    assert records["3.2.1"] == {
        "question": "3.2.1",
        "text": "evaluators, number of evaluators",
        "criterion": "",
        "state": "unknown",
        "answers": {"a": "5", "b": None},
    }
    assert datasheets_csv(found).splitlines() == [
        "question,text,criterion,state,a,b",
        "criteria,quality criteria of the datasheet,,same,Readability,Readability",
        '3.2.1,"evaluators, number of evaluators",,unknown,5,',
        '3.2.2.1,"evaluators, expertise",,same,1. experts,1. experts',
        '4.3.3,"response elicitation, list or range",Readability,same,1 to 5,1 to 5',
    ]


def test_nothing_differs(sheet):
    found = compare_datasheets([sheet("a"), sheet("b")])
    (grid,) = datasheet_grids(found)
    assert grid.rows == ()
    assert "4 answers are the same in all datasheets." in as_table([grid])


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
        (("O", "X"), "X.json: no study is called 'X'; say whose it is as NAME=FILE, where the "),
        (("x", "y", "z"), "x.json: no study is called 'x'; say whose it is as NAME=FILE, where"),
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
