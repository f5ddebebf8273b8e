"""Score sheets: the default one, scales, questions and answers."""

from __future__ import annotations

import pytest
from support import problem_of, tracks
from support.tracks import SMALL

from primad_ld.replication.tracks import AttemptOutcome, Polarity, ScaleKind

EMPTY = "systems:\n- id: S\n"


def test_a_track_without_questions_has_the_sheet_of_2016() -> None:
    track = tracks.track(text=EMPTY)
    assert [one.id for one in track.questions] == [f"Q{number}" for number in range(1, 11)]
    of = {one.id: one for one in track.questions}
    assert [one for one in of if track.polarity_of(of[one]) is Polarity.negative] == ["Q4"]
    assert [one for one in of if of[one].only_with_results] == ["Q7", "Q8"]
    assert track.scale_of(of["Q9"]).kind is ScaleKind.text
    assert [one for one in of if track.scale_of(of[one]).is_binary] == [
        "Q1",
        "Q4",
        "Q6",
        "Q7",
        "Q10",
    ]
    outcomes = [level.outcome for level in track.scale_of(of["Q8"]).levels]
    assert outcomes == list(AttemptOutcome)[:4]


def test_a_scale_may_be_the_polarity_of_its_questions() -> None:
    text = SMALL.replace("{1: 'Yes', 0: 'No'}}", "{1: 'Yes', 0: 'No'}, polarity: negative}")
    track = tracks.track(text=text)
    assert track.polarity_of(track.questions[0]) is Polarity.negative


@pytest.mark.parametrize(
    ("scale", "answer", "level"),
    [
        ("{1: 'Yes', 0: 'No'}", "'yes'", 1),
        ("{1: 'Yes', 0: 'No'}", "N", 0),  # with two levels, short words will do
        ("{1: 'Yes', 0: 'No'}", "'1.0'", 1),
        ("{5: easy, 3: so so, 1: impossible}", "So  SO", 3),
        ("{5: easy, 3: so so, 1: impossible}", "5", 5),
        ("{-1: worse, 0: same, 1: better}", "-1", -1),
    ],
)
def test_answers_are_numbers_or_labels(scale: str, answer: str, level: int) -> None:
    sheet = f"scales: {{s: {{levels: {scale}}}}}\nquestions:\n- {{id: Q, text: x, scale: s}}\n"
    text = f"{EMPTY}{sheet}analysts:\n- {{id: A}}\n"
    (one,) = tracks.track(f"analyst: A, system: S, answers: {{Q: {answer}}}", text=text).attempts
    assert one.answers["Q"].level == level


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ("scales: {s: {levels: {1: only}}}", "scales.s.levels: a scale has two levels or more; or none"),
        ("scales: {s: {levels: {1: a, 1.0: b}}}", "scales.s.levels.1.0: this level is as high as 1"),
        ("scales: {s: {levels: {a: 1, b: 2}}}", "a level begins with its number; write '5: label', the"),
        ("questions:\n- {id: Q, text: x, scale: s}", "there is no scale 's'; describe it under scales"),
        ("scales: {s: {}}\nquestions:\n- {id: Q, text: x, scale: s}\n- {id: Q, text: y, scale: s}",
         "track.yaml:6: questions[2].id: Q is the question of line 5, too"),
    ],
)  # fmt: skip
def test_sheets_that_cannot_be(sheet: str, why: str) -> None:
    assert why in str(problem_of(lambda: tracks.track(text=f"{EMPTY}{sheet}\n")))
