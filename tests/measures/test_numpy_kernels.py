"""Many lists at once in numpy: the whole numbers of pure Python."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.measures.numpy_kernels import (
    WIDEST,
    common_inversions_of,
    count_inversions_of,
    count_inversions_of_any,
    inverted,
    weighted_overlap_of,
    weights_of,
)
from primad_ld.measures.order_kernels import count_inversions, overlap_weights, weighted_overlap


def permutation(size: int, seed: int = 0) -> list[int]:
    order = list(range(size))
    random.Random(seed).shuffle(order)
    return order


SIZES = [
    0,
    1,
    2,
    31,  # one less than a block
    32,
    33,
    1000,  # what runs have
    1023,
    1024,
    1025,
    WIDEST,
    WIDEST + 1,  # counted bit by bit
]


@pytest.mark.parametrize("size", SIZES)
def test_many_permutations_at_once(size: int) -> None:
    rows = [list(range(size)), list(range(size))[::-1], permutation(size), permutation(size, 1)]
    orders = np.array(rows).reshape(len(rows), size)
    expected = [count_inversions(row) for row in rows]
    assert expected[:2] == [0, size * (size - 1) // 2]
    assert count_inversions_of(orders).tolist() == expected
    assert count_inversions_of(orders, inverted(orders)).tolist() == expected


@given(st.lists(st.permutations(range(70)), max_size=3))
def test_any_permutations_at_once(rows: list[list[int]]) -> None:
    orders = np.array(rows, np.int64).reshape(len(rows), 70)
    assert count_inversions_of(orders).tolist() == [count_inversions(row) for row in rows]


def test_more_permutations_than_are_counted_together() -> None:
    rows = [permutation(40, seed) for seed in range(150)]
    assert count_inversions_of(np.array(rows)).tolist() == [count_inversions(row) for row in rows]


def test_what_is_worked_in_is_left_as_it_was() -> None:
    """The same arrays serve again, for fewer permutations and with or without inverses."""
    orders = np.array([permutation(1000, seed) for seed in range(5)])
    expected = [count_inversions(row) for row in orders.tolist()]
    before = orders.copy()
    for count in (5, 2, 5):
        assert count_inversions_of(orders[:count]).tolist() == expected[:count]
        known = inverted(orders[:count])
        assert count_inversions_of(orders[:count], known).tolist() == expected[:count]
    assert (orders == before).all()


def test_both_ways_agree_on_a_long_shuffled_list() -> None:
    order = permutation(15_000)
    assert count_inversions_of_any([3 * one for one in order]) == count_inversions(order)


@given(
    st.permutations(range(30)),
    st.integers(0, 30),
    st.permutations(range(30)),
    st.integers(0, 30),
    st.sampled_from([0.1, 0.8, 0.95, 0.999]),
    st.sampled_from([1, 5, 30, 1000]),
)
def test_overlaps_at_once(
    one: list[int], ours: int, other: list[int], theirs: int, p: float, depth: int
) -> None:
    one, other = one[:ours], other[:theirs]
    weights, unit = overlap_weights(p, depth)
    expected = weighted_overlap(list(map(str, one)), list(map(str, other)), [*weights, *[0] * 30])
    there = np.array([[other.index(name) if name in other else -1 for name in one]])
    array, same_unit = weights_of(p, depth)
    assert same_unit == unit
    assert weighted_overlap_of(there.reshape(1, ours), array).tolist() == [expected]


def test_the_weights_of_identical_lists_fit_into_64_bits() -> None:
    array, unit = weights_of(0.999999, 1000)
    total = int(array.sum())
    assert total == sum(array.tolist())  # no overflow
    assert total * unit == pytest.approx(1, abs=1e-12)


@given(st.permutations(range(20)), st.integers(0, 20), st.permutations(range(20)))
def test_common_documents_in_both_orders(one: list[int], size: int, other: list[int]) -> None:
    place = {name: rank for rank, name in enumerate(one[:size])}
    there = [place.get(name, -1) for name in other]
    common = [rank for rank in there if rank >= 0]
    mixed = sum(a < 0 <= b for a, b in combinations(there, 2))
    found = common_inversions_of(np.array([there]), 20)
    assert [each.tolist() for each in found] == [
        [len(common)],
        [count_inversions(common)],
        [mixed],
    ]
