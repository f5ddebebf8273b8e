"""Datasheets in JSON: what their form saves, what others write, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Put, problem_of
from support.datasheets import answers_of, field

from primad_ld.qra.datasheets import compare_datasheets, read_datasheet

# Datasheets -------------------------------------------------------------------------------


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


def test_a_mapping_of_questions_to_answers(sheet):
    content = {
        "title": "Our reproduction",
        "3.1.1 How many outputs?": 60,
        "Question 3.2.1: Evaluators": ["students", "  staff\n members", ""],
        "4.1.2": True,
        "5.1. Ethics?": None,
        "Colour?": "red",
        "1.1.1": "who",
    }
    found = sheet(content=content)
    assert found.study == "Our reproduction"
    assert answers_of(found) == {
        "3.1.1": {"": "60"},
        "3.2.1": {"": "students; staff members"},
        "4.1.2": {"": "yes"},
        "5.1": {"": None},
        "Colour?": {"": "red"},
    }
    assert found.questions["3.1.1"].text == "How many outputs?"


@pytest.mark.parametrize("value", [{"4.1.1": "Form"}, [{"question": "Good?", "answer": "yes"}]])
def test_answers_that_are_none(put: Put, value: Any):
    path = put("s.json", json.dumps({"3.1.1": "60", "section 4": value}))
    error = problem_of(lambda: read_datasheet(path))
    assert error is not None
    assert error.why == "'section 4' is not a question with an answer"


def test_whose_a_sheet_is(put: Put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    put("a.json", '{"name": "Us", "x": "1"}')
    put("b=c.json", '{"x": "1"}')
    monkeypatch.chdir(tmp_path)
    assert read_datasheet(Path("a.json")).study == "Us"
    named = read_datasheet(Path("vdL & al = a.json".replace(" = ", "=")))
    assert (named.study, named.is_named, named.file) == ("vdL & al", True, "a.json")
    assert read_datasheet(Path("b=c.json")).study == "b=c"


def test_letters_with_accents_are_written_one_way(sheet):
    content = {"x": "Z\u00fcrich", "y": "Zu\u0308rich", "z": "\ud83d\ude00"}
    assert answers_of(sheet(content=content)) == {
        "x": {"": "Zürich"},
        "y": {"": "Zürich"},
        "z": {"": "😀"},
    }


# JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["x", "", " ", None, "3.", ".1", "1-2", "3.1 and more"])
def test_numbers_that_are_none(sheet, number: Any):
    content = {"heds-x": field({"": "y"}, number=number)}
    assert sheet(content=content).questions["x"].number == ""


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ('{"a": 1,\n "b": 2,\n "a": 3}', None, "the key 'a' occurs twice"),
        ('{"a":\n NaN}', None, "NaN is not JSON"),
        ('{"a": -Infinity}', None, "-Infinity is not JSON"),
        ('{"a": "\\ud800"}', None, "unpaired surrogate"),
        ('{"a":\n 1', 2, "this JSON cannot be read"),
        ('{"a": "x\ty"}', 1, "this JSON cannot be read"),
        ('{"a": 1} {}', 1, "this JSON cannot be read"),
        ('{"a": 01}', 1, "this JSON cannot be read"),
        ("[" * 100_000, None, "nested deeper than 32 levels"),
        ('{"a": ' * 50 + "1" + "}" * 50, None, "nested deeper than 32 levels"),
        ("[1]", 1, "the top of the file is not a mapping, so this is not a datasheet"),
        ("{}", 1, "there are no questions in this datasheet"),
        ("", 1, "this JSON cannot be read"),
        (b"{\n\xff}", 2, "this is not UTF-8"),
        (b'{"a": "' + b"x" * 2**23 + b'"}', None, "longer than 8 MiB"),
    ],
)
def test_broken_files(put: Put, text: str | bytes, line: int | None, why: str):
    path = put("s.json", text)
    error = problem_of(lambda: read_datasheet(path))
    assert error is not None
    assert (error.file, error.line) == (path, line)
    assert why in error.why


leaves = st.one_of(st.none(), st.booleans(), st.text(max_size=6))
anything = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


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
