"""Fields of a track: numbers, choices, keys that are misspelt, and errors with their places."""

from __future__ import annotations

import pytest
from support import tracks
from support.tracks import SMALL

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import parse
from primad_ld.replication.field_reading import Fields, decimal_of, listed, shown
from primad_ld.replication.tracks import Stage

ATTEMPT = "analyst: A, system: S"


@pytest.mark.parametrize(
    ("right", "wrong", "place", "meant"),
    [
        ("{title: Small}", "{tittle: Small}", "1: track.tittle", "title"),
        ("{tolerance: 0.01}", "{tolerence: 0.01}", "3: measures.F.tolerence", "tolerance"),
        ("- {id: S, submitted:", "- {id: S, submited:", "22: systems[1].submited", "submitted"),
        ("polarity: negative", "polarty: negative", "18: questions[3].polarty", "polarity"),
        ("- {id: A, role: user}", "- {id: A, notee: x}", "25: analysts[1].notee", "note"),
        ("tcome: tool_error", "tcom: tool_error", "13: scales.same.levels.1.outcom", "outcome"),
    ],
)
def test_misspelt_keys_are_noted_wherever_they_stand(
    right: str, wrong: str, place: str, meant: str
) -> None:
    assert right in SMALL
    (doubt,) = tracks.track(text=SMALL.replace(right, wrong)).doubts
    assert doubt == f"track.yaml:{place}: this key is only kept; is it meant to be {meant}?"
    assert tracks.track().doubts == ()


def test_slips_are_no_errors_and_are_said() -> None:
    track = tracks.track(f"{ATTEMPT}, human_minuts: 30", text=SMALL + "score: x\n")
    assert track.doubts == (
        "track.yaml:28: score: this key is only kept; is it meant to be scores?",
        "track.yaml:30: attempts[1].human_minuts: this key is only kept; "
        "is it meant to be human_minutes?",
    )
    assert track.attempts[0].said == {"human_minuts": "30"}


# Numbers and names ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.60", "0.60"), (" -3 ", "-3"), (".5", "0.5"), ("1e-3", "0.001"), ("007.50", "7.50")],
)
def test_numbers_are_exact(text: str, value: str) -> None:
    assert str(decimal_of(text)) == value


@pytest.mark.parametrize(
    "text", ["", "good", "nan", "inf", "0x1f", "1_000", "٣", "1e999", "9" * 31, "0,84"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(HeaderError) as caught:
        decimal_of(text)
    assert caught.value.hint.endswith("0.84")


def test_names_are_cut_and_in_one_line() -> None:
    assert shown("a\nb\x1b[31m") == "a b [31m"
    assert shown("x" * 61) == "x" * 59 + "…"
    assert listed(range(12)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
    assert listed(range(20)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … (20 in all)"


# Fields -----------------------------------------------------------------------------------


def fields(text: str, problems: list[HeaderError] | None = None) -> Fields:
    return Fields(parse(text), "t.yaml", 1, problems=problems)


def test_what_nobody_asked_for_is_kept() -> None:
    said = fields("stage: Slightly  Done\nown: {a: [b]}\nother:\n")
    assert said.choice("stage", Stage, {"slightly_done": Stage.ran}) is Stage.ran
    assert said.text("other", "another") == ""
    assert said.rest() == {"own": {"a": ["b"]}}


def test_the_first_problem_is_raised_or_all_are_put_down() -> None:
    text = "system: [a]\nminutes: -1\nstage: done\nis: maybe\n"
    with pytest.raises(HeaderError, match=r"^t\.yaml:1: system: "):
        fields(text).text("system")
    problems: list[HeaderError] = []
    said = fields(text, problems)
    assert said.text("system") == ""
    assert said.minutes("minutes") is said.choice("stage", Stage) is said.truth("is") is None
    assert [(one.line, one.field) for one in problems] == [
        *((1, "system"), (2, "minutes"), (3, "stage"), (4, "is")),
    ]
    assert problems[2].hint == "choose from none, acquired, built, ran, results"
