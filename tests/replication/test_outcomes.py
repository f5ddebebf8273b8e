"""What became of attempts: outcomes by scores, repeatability, what does not agree, and times."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import tracks
from support.tracks import SMALL

from primad_ld.replication.outcomes import (
    JudgedAttempt,
    contradictions,
    difference_of,
    edge_cases,
    judge_attempts,
    outcome_of,
    times_of,
)
from primad_ld.replication.tracks import AttemptOutcome, Track

ATTEMPT = "analyst: A, system: S"


def judged(attempt: str, text: str = SMALL) -> tuple[Track, JudgedAttempt]:
    track = tracks.track(attempt, text=text)
    (found,) = judge_attempts(track)
    return track, found


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ("0.81", "0.82", "0.01"),  # floats would say 0.00999…
        ("8e-1", "0.80", "0"),
        ("123456789012345678901234567890.1", "123456789012345678901234567890.2", "0.1"),
    ],
)
def test_differences_are_exact(one: str, other: str, difference: str) -> None:
    assert difference_of(Decimal(one), Decimal(other)) == Decimal(difference)


decimals = st.decimals(
    allow_nan=False, allow_infinity=False, min_value=-10, max_value=10, places=12
)


@given(decimals, decimals, st.decimals(min_value=0, max_value=1, places=6))
def test_outcomes_are_those_of_exact_arithmetic(
    one: Decimal, other: Decimal, tolerance: Decimal
) -> None:
    exact = abs(Fraction(one) - Fraction(other))
    expected = (
        AttemptOutcome.exact
        if exact == 0
        else AttemptOutcome.slightly_different
        if exact < Fraction(tolerance)
        else AttemptOutcome.different
    )
    assert Fraction(difference_of(one, other)) == exact
    assert outcome_of(difference_of(one, other), tolerance) is expected
    assert outcome_of(difference_of(other, one), tolerance) is expected


@pytest.mark.parametrize(
    ("attempt", "outcome", "source"),
    [
        ("scores: {F: 0.8}", "exact", "scores"),
        ("scores: {F: 0.8}, outcome: different", "exact", "scores"),  # scores tell more than words
        ("scores: {F: 0.8}, answers: {Q4: 1}", "exact", "scores"),
        ("difference: 0.02", "different", "difference"),
        ("difference: -0.02", "different", "difference"),  # differences have no sign
        ("difference: 0", "exact", "difference"),
        ("outcome: lt", "slightly_different", "stated"),
        ("outcome: gt_.01", "different", "stated"),
        ("outcome: no result", "no_result", "stated"),
        ("tool_error: yes", "tool_error", "stated"),
        ("stage: built", "no_result", "stage"),
        ("stage: none", "no_result", "stage"),
        ("stage: ran, answers: {Q4: 4}", "no_result", "stage"),  # how can the scores be the same?
        ("answers: {Q4: 3}", "slightly_different", "answer"),
        ("stage: results, answers: {Q4: the same}", "exact", "answer"),
        ("stage: results", None, None),
        ("answers: {Q1: 1}", None, None),
    ],
)
def test_where_outcomes_come_from(attempt: str, outcome: str | None, source: str | None) -> None:
    _, found = judged(f"{ATTEMPT}, {attempt}")
    assert (found.outcome, found.source) == (outcome, source)


def test_scores_of_what_was_never_submitted_say_nothing() -> None:
    track = tracks.track(
        f"{ATTEMPT}, scores: {{G: 0.8}}",
        text=SMALL.replace("measures:\n  F:", "measures:\n  G: {}\n  F:"),
    )
    (found,) = judge_attempts(track)
    assert (found.outcome, found.compared) == (None, ())
    assert found.has_results is True


TWO = SMALL.replace(
    "  F: {tolerance: 0.01}\n", "  F: {tolerance: 0.01}\n  P: {tolerance: 0.1}\n"
).replace("{F: 0.80}", "{F: 0.80, P: 0.40}")


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        ("{F: 0.80, P: 0.40}", AttemptOutcome.exact),
        ("{F: 0.80, P: 0.45}", AttemptOutcome.slightly_different),  # by its own tolerance
        ("{F: 0.82, P: 0.40}", AttemptOutcome.different),
        ("{F: 0.801, P: 0.60}", AttemptOutcome.different),
        ("{P: 0.40}", AttemptOutcome.exact),  # F was not obtained
    ],
)
def test_the_worst_measure_decides(scores: str, outcome: AttemptOutcome) -> None:
    _, found = judged(f"{ATTEMPT}, scores: {scores}", TWO)
    assert found.outcome is outcome


@pytest.mark.parametrize(
    ("attempt", "level", "at_least", "why"),
    [
        ("scores: {F: 0.8}", 4, False, "exact results, in whatever time"),
        ("scores: {F: 0.801}, build_minutes: 300", 4, False, "results within the tolerance"),
        ("scores: {F: 0.9}, build_minutes: 30", 3, False, "30 minutes are not more than 30"),
        ("scores: {F: 0.9}, build_minutes: 30.1", 2, False, "built, and more slowly"),
        ("scores: {F: 0.9}", 2, True, "nobody knows how fast it was built"),
        ("stage: results, build_minutes: 5", 3, True, "the results may be consistent"),
        ("stage: built, build_minutes: 31", 2, False, "built"),
        ("stage: ran", 2, True, "what ran was built"),
        ("tool_error: yes, build_minutes: 1", 3, False, "there are results, of no known score"),
        ("stage: acquired, author_insists: yes", 1, False, "the author insists"),
        ("stage: acquired, author_insists: no", 0, False, "the author does not"),
        ("stage: acquired", 0, True, "nobody asked the author"),
        ("stage: none, author_insists: yes", 0, False, "what is not acquired is not repeatable"),
        ("outcome: none", None, False, "no result, and nobody knows how far it went"),
        ("", None, False, "nothing is known"),
    ],
)
def test_repeatability(attempt: str, level: int | None, at_least: bool, why: str) -> None:
    _, found = judged(f"{ATTEMPT}, {attempt}" if attempt else ATTEMPT)
    assert (found.repeatability, found.is_at_least) == (level, at_least), why


@pytest.mark.parametrize(
    ("attempt", "has_results"),
    [
        ("scores: {F: 0.8}", True),
        ("stage: results", True),
        ("tool_error: yes", True),
        ("stage: ran", False),
        ("outcome: none", False),
        ("human_minutes: 5", None),
    ],
)
def test_who_has_results(attempt: str, has_results: bool | None) -> None:
    assert judged(f"{ATTEMPT}, {attempt}")[1].has_results is has_results


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        ("scores: {F: 0.8}, answers: {Q4: 4}", []),
        (
            "scores: {F: 0.81}, answers: {Q4: 4}",
            ['S by analyst A: Q4 says "the same"; the scores say different (F 0.80 submitted, 0.81 obtained)'],
        ),
        (
            "difference: 0.02, outcome: exact, answers: {Q4: 3}",
            [
                'S by analyst A: Q4 says "nearly"; the difference says different (F differs by 0.02)',
                "S by analyst A: stated as exact; the difference says different (F differs by 0.02)",
            ],
        ),
        (
            "stage: built, answers: {Q4: 4}",
            ['S by analyst A: Q4 says "the same"; the stage reached is built, so there is no result'],
        ),
        ("outcome: exact, answers: {Q4: 1}", ['S by analyst A: Q4 says "failed"; it is stated as exact']),
        ("answers: {Q4: 1}", []),  # it is the only source
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_said(attempt: str, said: list[str]) -> None:
    track, found = judged(f"{ATTEMPT}, {attempt}")
    assert list(contradictions(track, found)) == said


def test_a_difference_that_is_the_tolerance_is_said() -> None:
    _, found = judged(f"{ATTEMPT}, scores: {{F: 0.81}}")
    assert found.outcome is AttemptOutcome.different
    assert list(edge_cases(found)) == [
        "S by analyst A: F differs by exactly 0.01; the sheet of 2016 has no level for that, "
        "and it counts as different"
    ]
    _, found = judged(f"{ATTEMPT}, scores: {{F: 0.8100001}}")
    assert list(edge_cases(found)) == []


# Times ------------------------------------------------------------------------------------

ATTEMPTS = [
    "analyst: A, system: S, human_minutes: 47, run_minutes: 100, stage: results",
    "analyst: B, system: S, human_minutes: 48, run_minutes: 999, stage: ran",
    "analyst: C, system: S, run_minutes: 7",
    "analyst: C, system: T, human_minutes: 0.5, stage: acquired",
]


def test_run_time_is_of_those_who_have_results() -> None:
    found = {(one.system, one.role): one for one in times_of(tracks.track(*ATTEMPTS))}
    users = found["S", "user"]
    assert (users.human, users.n_human) == (Fraction(95, 2), 2)
    assert (users.run, users.n_run) == (100, 1)
    # Nobody knows whether C has results.
    assert (found["S", "developer"].human, found["S", "developer"].run) == (None, None)
    assert found["T", "developer"].human == Fraction(1, 2)


def test_published_times_stand_beside_computed_ones_in_the_order_of_systems() -> None:
    text = f"{SMALL}times:\n- {{system: T, role: user, human: 9}}\n- {{system: S, role: user, run: 1}}\n"
    found = times_of(tracks.track(*ATTEMPTS, text=text))
    assert [(one.system, one.role) for one in found] == [
        ("S", "user"),
        ("S", "developer"),
        ("T", "user"),
        ("T", "developer"),
    ]
    assert found[0].published is not None
    assert found[0].human == Fraction(95, 2)
    assert (found[2].published.human, found[2].human) == (9, None)  # type: ignore[union-attr]
