"""Percentages of answers: by which rule, of how many, and what was published."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import tracks
from support.tracks import SMALL

from primad_ld.replication.aggregation import (
    INFERRED_2016,
    Aggregated,
    AggregationRule,
    GroupBy,
    MissingAnswers,
    Normalise,
    aggregate,
    every_rule,
    whole_percent,
)
from primad_ld.replication.tracks import Track

#: Two users and a developer at S, a user at T.
ATTEMPTS = [
    "analyst: A, system: S, answers: {Q1: 1, Q2: 5}, scores: {F: 0.8}",
    "analyst: B, system: S, answers: {Q1: 0, Q2: 1}, stage: built",
    "analyst: C, system: S, answers: {Q1: 0, Q2: 3}, scores: {F: 0.9}",
    "analyst: A, system: T, answers: {Q1: 1}, stage: acquired",
]


def shares(track: Track, rule: AggregationRule = INFERRED_2016) -> dict[str, Aggregated]:
    return {one.question.id: one for one in aggregate(track, rule)}


def rule(
    normalise: str = "top", group_by: str = "cells", missing: str = "exclude"
) -> AggregationRule:
    return AggregationRule(
        normalise=Normalise(normalise), group_by=GroupBy(group_by), missing=MissingAnswers(missing)
    )


@pytest.mark.parametrize(
    ("question", "by", "share", "n", "groups"),
    [
        # S's users 1/2, its developer 0, T's user 1.
        ("Q1", rule(), Fraction(1, 2), 4, (3, 3)),
        ("Q1", rule(group_by="systems"), Fraction(2, 3), 4, (2, 2)),  # (1/3 + 1) / 2
        ("Q1", rule(group_by="attempts"), Fraction(1, 2), 4, (4, 4)),
        # Levels 5, 1 and 3 of 5: users (1 + .2) / 2, developer .6, T none.
        ("Q2", rule(), Fraction(3, 5), 3, (2, 3)),
        ("Q2", rule(missing="zero"), Fraction(2, 5), 3, (2, 3)),
        ("Q2", rule("range"), Fraction(1, 2), 3, (2, 3)),
        ("Q2", rule("range", missing="zero"), Fraction(1, 3), 3, (2, 3)),
        ("Q2", rule(group_by="attempts", missing="zero"), Fraction(9, 20), 3, (3, 4)),
        ("Q2", rule(group_by="systems"), Fraction(3, 5), 3, (1, 2)),
        # Only A and C have results; their levels come from the scores: 4 and 2.
        ("Q4", rule(), Fraction(3, 4), 2, (2, 3)),
        ("Q4", rule(missing="zero"), Fraction(1, 2), 2, (2, 3)),
        ("Q4", rule("range"), Fraction(2, 3), 2, (2, 3)),  # (3/3 + 1/3) / 2
        # Nobody answered: there is no share, whatever is missing.
        ("Q3", rule(missing="zero"), None, 0, (0, 3)),
    ],
)
def test_shares(
    question: str, by: AggregationRule, share: Fraction | None, n: int, groups: tuple[int, int]
) -> None:
    found = shares(tracks.track(*ATTEMPTS), by)[question]
    assert found.share == share
    assert (found.n, (found.groups, found.groups_in_all)) == (n, groups)


def test_levels_from_scores_are_counted_apart() -> None:
    found = shares(tracks.track(*ATTEMPTS))
    assert (found["Q4"].n, found["Q4"].n_from_scores) == (2, 2)
    assert found["Q1"].n_from_scores == 0
    answered = tracks.track(ATTEMPTS[0].replace("Q1: 1", "Q4: 3"))
    assert (shares(answered)["Q4"].share, shares(answered)["Q4"].n_from_scores) == (
        Fraction(3, 4),
        0,
    )


def test_answers_about_results_count_only_with_results() -> None:
    track = tracks.track("analyst: A, system: S, stage: ran, answers: {Q4: 4}")
    assert shares(track)["Q4"].share is None
    unknown = tracks.track("analyst: A, system: S, answers: {Q4: 4}")
    assert shares(unknown)["Q4"].share == 1


def test_free_texts_have_no_share() -> None:
    assert list(shares(tracks.track(*ATTEMPTS))) == ["Q1", "Q2", "Q3", "Q4"]


def test_shares_by_system() -> None:
    found = shares(tracks.track(*ATTEMPTS))
    assert found["Q1"].by_system == {"S": (Fraction(1, 3), 3), "T": (1, 1)}
    assert found["Q2"].by_system == {"S": (Fraction(3, 5), 3), "T": (None, 0)}


def test_levels_below_0_make_a_share_of_the_whole_range() -> None:
    text = SMALL.replace("{5: easy, 3: so so, 1: impossible}", "{-1: bad, 0: so so, 1: good}")
    track = tracks.track("analyst: A, system: S, answers: {Q2: -1}", text=text)
    assert shares(track)["Q2"].share == 0


PUBLISHED = "scores:\n- {question: Q2, percent: %s}\n- {question: Q1, percent: 50.4}\n"


@pytest.mark.parametrize(
    ("percent", "agrees", "explained"),
    [
        (60, True, []),
        (40, False, [rule(missing="zero"), rule(group_by="systems", missing="zero")][:1]),
        (33, False, [rule("range", missing="zero")]),
        (99, False, []),
    ],
)
def test_what_was_published_is_looked_for_in_all_rules(
    percent: int, agrees: bool, explained: list[AggregationRule]
) -> None:
    found = shares(tracks.track(*ATTEMPTS, text=SMALL + PUBLISHED % percent))
    assert found["Q2"].agrees is agrees
    assert list(found["Q2"].explained_by) == explained
    assert found["Q1"].agrees is True  # 50 in whole percent
    assert found["Q4"].agrees is None  # nothing was published


@pytest.mark.parametrize(
    ("share", "percent"),
    [
        (Fraction(1, 200), 1),  # halves go up
        (Fraction(17, 24), 71),
        (Fraction(17, 20), 85),
        (Fraction(1, 3), 33),
        (Fraction(0), 0),
        (Fraction(1), 100),
    ],
)
def test_whole_percents(share: Fraction, percent: int) -> None:
    assert whole_percent(share) == percent


def test_rules_say_what_they_are() -> None:
    assert len(set(every_rule())) == 12
    assert next(every_rule()) == INFERRED_2016
    assert INFERRED_2016.in_words == (
        "level / highest level; mean over system x role, each the mean of its attempts; "
        "groups without an answer left out"
    )
    other = rule("range", missing="zero")
    assert other.options_beside(INFERRED_2016) == "--normalise range --missing zero"


levels = st.lists(st.sampled_from([1, 3, 5]), min_size=3, max_size=3)


@given(levels, st.sampled_from(list(every_rule())))
def test_shares_are_shares_and_do_not_depend_on_the_order(
    given: list[int], by: AggregationRule
) -> None:
    rows = [
        f"analyst: {who}, system: S, answers: {{Q2: {level}}}"
        for who, level in zip("ABC", given, strict=True)
    ]
    found = shares(tracks.track(*rows), by)["Q2"].share
    assert found is not None
    assert 0 <= found <= 1
    assert shares(tracks.track(*rows[::-1]), by)["Q2"].share == found
    if set(given) == {5}:
        assert found == 1
