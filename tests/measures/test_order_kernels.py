"""The arithmetic of orders, by its definitions."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.measures.order_kernels import count_inversions, overlap_weights, weighted_overlap


@given(st.permutations(range(9)))
def test_inversions_are_pairs_in_descending_order(order: list[int]) -> None:
    assert count_inversions(order) == sum(one > other for one, other in combinations(order, 2))


@pytest.mark.parametrize("size", [20_000, 20_001, 100_000])  # the longer ones by numpy
def test_long_lists(size: int) -> None:
    assert count_inversions(range(size)) == 0
    assert count_inversions(range(size, 0, -1)) == size * (size - 1) // 2
    # Any order of a few numbers far apart, in front of all others.
    order = [5 * size, 3 * size, 4 * size, *range(size)]
    assert count_inversions(order) == 2 + 3 * size


@given(
    st.lists(st.sampled_from("abcdefgh"), unique=True),
    st.lists(st.sampled_from("abcdefgh"), unique=True),
    st.sampled_from([0.1, 0.8, 0.95]),
)
def test_overlaps_are_sums_over_the_depths(one: list[str], other: list[str], p: float) -> None:
    weights, unit = overlap_weights(p, 10)
    shares = [len({*one[:d]} & {*other[:d]}) / d * p ** (d - 1) for d in range(1, 11)]
    expected = sum(shares) / sum(p ** (d - 1) for d in range(1, 11))
    assert weighted_overlap(one, other, weights) * unit == pytest.approx(expected, abs=1e-13)


def test_identical_lists_have_all_of_the_weight() -> None:
    weights, unit = overlap_weights(0.95, 1000)
    names = list(map(str, range(1000)))
    assert weighted_overlap(names, names, weights) * unit == pytest.approx(1, abs=1e-12)
