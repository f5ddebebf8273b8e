"""Score sheets: the default one, scales, questions and answers."""

from __future__ import annotations

import pytest
from support import problem_of, tracks
from support.tracks import SMALL

from primad_ld.replication.tracks import AttemptOutcome, Polarity

EMPTY = "systems:\n- id: S\n"


def test_a_track_without_questions_has_the_sheet_of_2016() -> None:
    track = tracks.track(text=EMPTY)
    assert [one.id for one in track.questions] == [f"Q{number}" for number in range(1, 11)]
    of = {one.id: one for one in track.questions}
    assert [one for one in of if track.polarity_of(of[one]) is Polarity.negative] == ["Q4"]
    assert [one for one in of if of[one].only_with_results] == ["Q7", "Q8"]
    assert track.scale_of(of["Q9"]).levels == ()
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
    ("sheet", "line", "field"),
    [
        ("scales: {s: {levels: {1: only}}}", 3, "scales.s.levels"),
        ("scales: {s: {levels: {1: a, 1.0: b}}}", 3, "scales.s.levels.1.0"),
        ("scales: {s: {levels: {a: 1, b: 2}}}", 3, "scales.s.levels.a"),
        ("scales: {s: {levels: {1: {outcome: bad}, 2: b}}}", 3, "scales.s.levels.1.outcome"),
        ("scales: {s: {polarity: up}}", 3, "scales.s.polarity"),
        ("questions:\n- {id: Q, text: x}", 4, "questions[1].scale"),
        ("questions:\n- {id: Q, text: x, scale: s}", 4, "questions[1].scale"),
        ("scales: {s: {}}\nquestions:\n- {id: Q, scale: s}", 5, "questions[1].text"),
        ("scales: {s: {}}\nquestions:\n- {id: Q, text: x, scale: s}\n- {id: Q, text: y, scale: s}", 6, "questions[2].id"),
    ],
)  # fmt: skip
def test_sheets_that_cannot_be(sheet: str, line: int, field: str) -> None:
    error = problem_of(lambda: tracks.track(text=f"{EMPTY}{sheet}\n"))
    assert error is not None
    assert (error.line, error.field) == (line, field)


def test_own_scales_stand_behind_those_of_2016() -> None:
    own = "scales: {ease: {levels: {1: a, 2: b}}, more: {}}\n"
    scales = tracks.track(text=EMPTY + own).scales
    assert list(scales) == ["yes_no", "ease", "same_results", "free_text", "more"]
    assert len(scales["ease"].levels) == 5  # the questions of 2016 are answered on theirs
