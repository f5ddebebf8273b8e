"""Scores and times that cannot be, and those that hardly are."""

from __future__ import annotations

import pytest
from support import problem_of, tracks
from support.tracks import SMALL

from primad_ld.replication.track_tables import track_table

SCALED = SMALL.replace("F: {tolerance: 0.01}", "F: {tolerance: 0.01, min: 0, max: 1}")


def refused(*attempts: str, text: str = SCALED) -> str:
    return str(problem_of(lambda: tracks.track(*attempts, text=text)))


@pytest.mark.parametrize(
    ("score", "why"),
    [
        ("84.02", "84.02 is above 1, where the scale of F ends; is it in percent? then it is 0.8402 here"),
        ("1.5", "1.5 is above 1, where the scale of F ends; is it in percent? then it is 0.015 here"),
        ("8402", "8402 is above 1, where the scale of F ends; correct the score, or the measure's min and max in the track"),
        ("-0.1", "-0.1 is below 0, where the scale of F begins; correct the score"),
        ("1e2", "1e2 is above 1, where the scale of F ends; is it in percent? then it is 1 here"),
    ],
)  # fmt: skip
def test_scores_outside_their_scale(score: str, why: str) -> None:
    found = refused(f"analyst: A, system: S, scores: {{F: {score}}}")
    assert found.startswith(f"track.yaml:29: F: {why}")
    submitted = SCALED.replace("{F: 0.80}", f"{{F: {score}}}")
    assert f"track.yaml:22: F: {why}" in refused(text=submitted)


@pytest.mark.parametrize("score", ["0", "1", "1.0", "0.5"])
def test_the_ends_belong_to_the_scale(score: str) -> None:
    assert tracks.track(f"analyst: A, system: S, scores: {{F: {score}}}", text=SCALED).attempts


@pytest.mark.parametrize(
    ("ends", "score"),
    [("min: 0", "84"), ("max: 100", "-3"), ("note: x", "84"), ("min: , max: ", "84")],
)
def test_a_scale_may_be_open(ends: str, score: str) -> None:
    text = SCALED.replace("min: 0, max: 1", ends)
    assert tracks.track(f"analyst: A, system: S, scores: {{F: {score}}}", text=text).attempts


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ("min: low", "measures.F.min: 'low' is no number; write a number such as 0.84"),
        ("max: [1]", "measures.F.max: '' is no number"),
        ("min: 1, max: 0", "measures.F.max: the scale ends at 0, and it begins at 1"),
        ("min: 1, max: 1", "measures.F.max: the scale ends at 1, and it begins at 1"),
    ],
)
def test_scales_that_are_none(ends: str, why: str) -> None:
    assert refused(text=SCALED.replace("min: 0, max: 1", ends)).startswith(f"track.yaml:3: {why}")


def test_a_difference_is_no_longer_than_the_scale() -> None:
    found = refused("analyst: A, system: S, difference: {F: 84.02}")
    assert found == (
        "track.yaml:29: F: a difference of 84.02 is more than there is from 0 to 1; "
        "correct it, or the measure's min and max in the track"
    )
    assert tracks.track("analyst: A, system: S, difference: {F: 1}", text=SCALED).attempts


YEAR = "525600"


@pytest.mark.parametrize("key", ["human_minutes", "build_minutes", "run_minutes"])
def test_times_longer_than_a_year_are_in_another_unit(key: str) -> None:
    assert refused(f"analyst: A, system: S, {key}: 525601") == (
        f"track.yaml:29: attempts[1].{key}: 525601 minutes are more than a year; "
        "write minutes: seconds are to be divided by 60, milliseconds by 60000"
    )
    assert tracks.track(f"analyst: A, system: S, {key}: {YEAR}").attempts


@pytest.mark.parametrize(
    "said",
    [
        "times:\n- {system: S, role: user, human: 525601}\n",
        "times:\n- {system: S, role: user, run_minutes: 525601}\n",
    ],
)
def test_published_times_and_budgets_are_minutes_too(said: str) -> None:
    assert "525601 minutes are more than a year" in refused(text=SMALL + said)
    budget = SMALL.replace("{title: Small}", "{budget_minutes: 525601}")
    assert "track.budget_minutes: 525601 minutes are more" in refused(text=budget)


@pytest.mark.parametrize(
    ("times", "doubt"),
    [
        ("human_minutes: 10, build_minutes: 40, run_minutes: 5",
         "40 minutes until it was installed, and 10 of work and 5 of running; is that right?"),
        ("human_minutes: 10, build_minutes: 40",
         "40 minutes until it was installed, and 10 of work; is that right?"),
        # It compiled by itself, no longer than it ran.
        ("human_minutes: 10, build_minutes: 15, run_minutes: 5", ""),
        ("build_minutes: 40, run_minutes: 5", ""),
        ("stage: built, run_minutes: 5", "it ran 5 minutes, and the stage reached is built"),
        ("stage: built, run_minutes: 0", ""),
        ("stage: ran, run_minutes: 5", ""),
    ],
)  # fmt: skip
def test_times_that_hardly_are(times: str, doubt: str) -> None:
    found = tracks.track(f"analyst: A, system: S, {times}").doubts
    assert found == ((f"track.yaml:29: S by analyst A: {doubt}",) if doubt else ())


def test_work_beyond_the_budget_is_a_remark() -> None:
    text = SMALL.replace("{title: Small}", "{title: Small, budget_minutes: 60}")
    spent = tracks.track(
        *("analyst: A, system: S, human_minutes: 60", "analyst: B, system: S, human_minutes: 61"),
        text=text,
    )
    notes = track_table(spent, "4").notes
    assert notes[1:] == ["S by analyst B took 61 minutes of work, and 60 were allowed"]
    assert spent.doubts == ()
