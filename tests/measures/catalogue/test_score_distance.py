"""RMSE and nRMSE of scores by topic, by their definitions."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.measures.measure_values import ScorePair, UndefinedError
from primad_ld.measures.registry import all_measures


def pair_of(reference, candidate):
    topics = tuple(f"t{number}" for number in range(len(reference)))
    return ScorePair(
        on="map", reference=tuple(reference), candidate=tuple(candidate), topics=topics
    )


def ask(id, reference, candidate):
    return all_measures()[id].function(pair_of(reference, candidate))


_scores = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=60)


@given(_scores)
def test_rmse_is_the_root_of_the_mean_square(scores):
    reference, candidate = map(np.array, zip(*scores, strict=True))
    expected = np.sqrt(np.mean((candidate - reference) ** 2))
    assert ask("rmse", reference, candidate).value == pytest.approx(expected, rel=1e-12, abs=1e-160)


@given(_scores)
def test_nrmse_is_a_share_of_the_largest_error(scores):
    reference, candidate = map(np.array, zip(*scores, strict=True))
    worst = np.where(reference < 0.5, 1.0, 0.0)
    expected = np.sqrt(np.mean((candidate - reference) ** 2))
    expected /= np.sqrt(np.mean((worst - reference) ** 2))
    found = ask("nrmse", reference, candidate).value
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-160)
    assert 0 <= found <= 1 + 1e-15
    assert ask("nrmse", reference, worst).value == pytest.approx(1.0, rel=1e-12)


def test_rmse_tells_what_each_topic_has_more():
    found = ask("rmse", [0.1, 0.5], [0.4, 0.1])
    assert found.value == pytest.approx(sqrt((0.09 + 0.16) / 2))
    assert found.by_topic == pytest.approx({"t0": 0.3, "t1": -0.4})
    assert found.topics == 2


@pytest.mark.parametrize("id", ["rmse", "nrmse"])
@pytest.mark.parametrize("scores", [[0.3, 0.9], [0.5], [0.0, 0.0]])
def test_a_run_against_itself(id, scores):
    assert ask(id, scores, scores).value == all_measures()[id].identity == 0.0


def test_the_order_of_the_topics_does_not_matter():
    """Not even in the last digit."""
    reference = [0.1, 0.7, 0.3, 1e-9, 0.99]
    candidate = [0.2, 0.1, 0.33, 2e-9, 0.9]
    for id in ("rmse", "nrmse"):
        forwards = ask(id, reference, candidate).value
        assert ask(id, reference[::-1], candidate[::-1]).value == forwards


def test_nrmse_is_not_symmetric():
    assert ask("nrmse", [0.5], [0.9]).value == pytest.approx(0.8)
    assert ask("nrmse", [0.9], [0.5]).value == pytest.approx(0.4 / 0.9)


@pytest.mark.parametrize(
    ("reference", "candidate", "outside"),
    [
        ([0.5, 3.0], [0.5, 0.5], "3"),  # counts, where repro_eval has a number above 1
        ([0.5, 0.2], [0.5, 1.25], "1.25"),  # also in the candidate
        ([0.5, -0.1], [0.5, 0.2], "-0.1"),
        ([-2.0, 5.0], [0.0, 0.0], "-2"),
    ],
)
def test_nrmse_needs_scores_between_0_and_1(reference, candidate, outside):
    with pytest.raises(UndefinedError, match=rf"scores lie outside \[0, 1\]: {outside}$"):
        ask("nrmse", reference, candidate)


def test_rmse_takes_any_scores():
    assert ask("rmse", [100.0, 300.0], [103.0, 296.0]).value == pytest.approx(sqrt(12.5))


@pytest.mark.parametrize("huge", [1e200, 1.7e308])
def test_rmse_of_huge_scores_does_not_overflow_on_the_way(huge):
    """Squares would; the root of their sum does not."""
    assert ask("rmse", [0.0], [huge]).value == pytest.approx(huge)
