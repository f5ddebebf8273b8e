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
from primad_ld.qra.reading.heds import read_json

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


def test_letters_with_accents_are_written_one_way(sheet):
    content = {"x": "Z\u00fcrich", "y": "Zu\u0308rich", "z": "\ud83d\ude00\ud800"}
    assert answers_of(sheet(content=content)) == {
        "x": {"": "Zürich"},
        "y": {"": "Zürich"},
        "z": {"": "😀\N{REPLACEMENT CHARACTER}"},
    }


# JSON -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["x", "", " ", None, "3.", ".1", "1-2", "3.1 and more"])
def test_numbers_that_are_none(sheet, number: Any):
    content = {"heds-x": field({"": "y"}, number=number)}
    assert sheet(content=content).questions["x"].number == ""


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
