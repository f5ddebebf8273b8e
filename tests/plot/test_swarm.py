"""Values that stand above each other: none hides another, and they stay in their row."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.plot.precision_figure import marker_of, offsets_of

VALUES = st.one_of(st.floats(-100, 100), st.sampled_from([0.0, 1.0, 1.5]))


@given(st.lists(VALUES, min_size=1, max_size=60), st.floats(0.001, 10))
def test_no_value_hides_the_next(values: list[float], near: float) -> None:
    offsets = offsets_of(values, near)
    assert len(offsets) == len(values)
    assert all(abs(one) <= 0.34 for one in offsets)
    places = sorted(zip(values, offsets, strict=True))
    for (one, above), (other, below) in itertools.pairwise(places):
        assert other - one >= near or above != below


@given(st.lists(st.integers(0, 40), min_size=1, max_size=13))
def test_a_few_values_hide_none_of_all_others(values: list[int]) -> None:
    offsets = offsets_of([float(one) for one in values], 2.0)
    places = zip(values, offsets, strict=True)
    for (one, above), (other, below) in itertools.combinations(places, 2):
        assert abs(one - other) >= 2 or above != below


@pytest.mark.parametrize(
    ("values", "offsets"),
    [
        ((1.0,), [0.0]),
        ((1.0, 5.0), [0.0, 0.0]),
        ((1.0, 1.0), [-0.085, 0.085]),
        ((1.0, 1.0, 1.0, 9.0), [0.0, 0.17, -0.17, 0.0]),
        # Each is near the next one only: two lines are enough, however long the chain.
        ((1.0, 1.6, 2.2, 2.8, 3.4), [-0.085, 0.085, -0.085, 0.085, -0.085]),
    ],
)
def test_lines_are_no_more_than_needed(values: tuple[float, ...], offsets: list[float]) -> None:
    assert offsets_of(values, 1.0) == pytest.approx(offsets)


def test_many_values_stay_in_their_row() -> None:
    offsets = offsets_of([1.0] * 500, 1.0)
    assert {offsets.count(one) for one in offsets} == {38, 39}  # in 13 lines
    assert (min(offsets), max(offsets)) == (pytest.approx(-0.34), pytest.approx(0.34))


def test_markers_get_smaller() -> None:
    markers = [marker_of(values) for values in (1, 30, 200, 10**6)]
    assert [one.share for one in markers] == sorted((one.share for one in markers), reverse=True)
    assert markers[0].share == 1
    assert markers[0].alpha is None
