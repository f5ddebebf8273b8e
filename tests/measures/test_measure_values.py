"""What measures take and say: runs side by side, and numbers that can be told."""

from __future__ import annotations

import itertools

import pytest

from primad_ld.measures.measure_values import (
    Figure,
    ScorePair,
    UndefinedError,
    finite,
    mean,
    ranked_pair,
    undefined,
)
from primad_ld.trec.rankings import RankedRun


def run_of(documents: dict[str, list[str]], scores: dict[str, list[float]]) -> RankedRun:
    return RankedRun(path="run.txt", tag="t", documents=documents, scores=scores, repairs={})


def test_runs_stand_side_by_side_for_the_topics_of_both() -> None:
    one = run_of({"10": ["a"], "2": ["b", "c"], "3": []}, {"10": [1.0], "2": [3.0, 2.0], "3": []})
    other = run_of({"2": ["c"], "4": ["d"], "10": ["e"]}, {"2": [0.5], "4": [1.0], "10": [0.25]})
    pair = ranked_pair(one, other)
    assert pair.topics == ("2", "10")  # as people count
    assert [list(found) for found in pair.reference] == [["b", "c"], ["a"]]
    assert [list(found) for found in pair.candidate] == [["c"], ["e"]]
    assert [list(found) for found in pair.reference_scores] == [[3.0, 2.0], [1.0]]
    assert [list(found) for found in pair.candidate_scores] == [[0.5], [0.25]]
    assert ranked_pair(one, run_of({}, {})).topics == ()


def test_a_mean_is_the_same_in_any_order() -> None:
    values = [0.1, 0.2, 0.3, 1e16, -1e16]
    assert {mean(list(order)) for order in itertools.permutations(values)} == {0.6 / 5}


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_number_is_not_told(value: float) -> None:
    with pytest.raises(UndefinedError, match="too large or not a number"):
        finite(value)
    assert finite(-0.5) == -0.5


def test_a_figure_without_a_value_has_a_reason() -> None:
    assert undefined("no topics") == Figure(value=None, reason="no topics")


def test_scores_are_paired_where_they_have_topics() -> None:
    assert ScorePair(on="map", reference=(1.0,), candidate=(0.5,), topics=("1",)).is_paired
    assert not ScorePair(on="map", reference=(1.0,), candidate=(0.5, 0.25)).is_paired
