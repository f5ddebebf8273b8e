"""Scores and times that cannot be, and those that hardly are."""

from __future__ import annotations

import pytest
from support import problem_of, tracks
from support.tracks import SMALL

from primad_ld.core.errors import HeaderError
from primad_ld.replication.track_tables import track_table

SCALED = SMALL.replace("F: {tolerance: 0.01}", "F: {tolerance: 0.01, min: 0, max: 1}")


def problem(*attempts: str, text: str = SCALED) -> HeaderError:
    error = problem_of(lambda: tracks.track(*attempts, text=text))
    assert error is not None
    return error


@pytest.mark.parametrize(
    ("score", "meant"),
    [
        ("84.02", "0.8402"),
        ("1.5", "0.015"),
        ("1e2", "1"),
        ("100.1", ""),
        ("8402", ""),
        ("-0.1", ""),
    ],
)
def test_scores_outside_their_scale(score: str, meant: str) -> None:
    obtained = problem(f"analyst: A, system: S, scores: {{F: {score}}}")
    submitted = problem(text=SCALED.replace("{F: 0.80}", f"{{F: {score}}}"))
    assert [(one.line, one.field) for one in (obtained, submitted)] == [(29, "F"), (22, "F")]
    # A percentage, probably, where a share is asked for.
    assert ("percent" in obtained.hint) is bool(meant)
    assert not meant or f" {meant} " in obtained.hint


@pytest.mark.parametrize(
    ("scores", "line"),
    [
        # in percent beside a share
        (SMALL.replace("F: 0.50", "F: 50%"), 23),
        # a tolerance of 0.01 that nobody stated means little here
        ("systems:\n- {id: S, submitted: {F: 84.5}}\n", 2),
        ("systems:\n- {id: S, submitted: {F: 1%}}\n", 2),
    ],
)
def test_scores_of_another_unit(scores: str, line: int) -> None:
    error = problem(text=scores)
    assert (error.line, error.field) == (line, "F")


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
    ("ends", "field"),
    [
        ("min: low", "min"),
        ("max: [1]", "max"),
        ("min: 1, max: 0", "max"),
        ("min: 1, max: 1", "max"),
    ],
)
def test_scales_that_cannot_be(ends: str, field: str) -> None:
    error = problem(text=SCALED.replace("min: 0, max: 1", ends))
    assert (error.line, error.field) == (3, f"measures.F.{field}")


def test_a_difference_is_no_longer_than_the_scale() -> None:
    error = problem("analyst: A, system: S, difference: {F: 1.01}")
    assert (error.line, error.field) == (29, "F")
    assert tracks.track("analyst: A, system: S, difference: {F: 1}", text=SCALED).attempts


@pytest.mark.parametrize(
    ("times", "is_doubtful"),
    [
        ("human_minutes: 10, build_minutes: 40, run_minutes: 5", True),
        ("human_minutes: 10, build_minutes: 40", True),
        # It compiled by itself, no longer than it ran.
        ("human_minutes: 10, build_minutes: 15, run_minutes: 5", False),
        ("build_minutes: 40, run_minutes: 5", False),
        ("stage: built, run_minutes: 5", True),
        ("stage: built, run_minutes: 0", False),
        ("stage: ran, run_minutes: 5", False),
        ("run_minutes: 525600", False),  # a whole year
    ],
)
def test_times_that_hardly_are(times: str, is_doubtful: bool) -> None:
    doubts = tracks.track(f"analyst: A, system: S, {times}").doubts
    assert [one.startswith("track.yaml:29: S by analyst A: ") for one in doubts] == (
        [True] * is_doubtful
    )


def test_work_beyond_the_budget_is_a_remark() -> None:
    text = SMALL.replace("{title: Small}", "{title: Small, budget_minutes: 60}")
    spent = tracks.track(
        *("analyst: A, system: S, human_minutes: 60", "analyst: B, system: S, human_minutes: 61"),
        text=text,
    )
    notes = track_table(spent, "4").notes
    assert notes[1:] == ["S by analyst B took 61 minutes of work, and 60 were allowed"]
    assert spent.doubts == ()
