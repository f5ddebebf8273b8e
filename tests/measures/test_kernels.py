"""The arithmetic of orders: pure Python and numpy say the same whole numbers."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from primad_ld.measures.figures import ranked_pair
from primad_ld.measures.kernels import (
    count_inversions,
    overlap_weights,
    weighted_overlap,
)
from primad_ld.measures.many_candidates import PreparedReference, order_figures
from primad_ld.measures.numpy_kernels import (
    WIDEST,
    common_inversions_of,
    count_inversions_of,
    count_inversions_of_any,
    inverted,
    weighted_overlap_of,
    weights_of,
)
from primad_ld.measures.registry import parse_measure
from primad_ld.trec.rankings import RankedRun


def permutation(size: int, seed: int = 0) -> list[int]:
    order = list(range(size))
    random.Random(seed).shuffle(order)
    return order


# Inversions -------------------------------------------------------------------------------


@given(st.permutations(range(9)))
def test_inversions_are_pairs_in_descending_order(order: list[int]) -> None:
    assert count_inversions(order) == sum(one > other for one, other in combinations(order, 2))


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


@pytest.mark.parametrize("size", [20_000, 20_001, 100_000])  # the longer ones by numpy
def test_long_lists(size: int) -> None:
    assert count_inversions(range(size)) == 0
    assert count_inversions(range(size, 0, -1)) == size * (size - 1) // 2
    # Any order of a few numbers far apart, in front of all others.
    order = [5 * size, 3 * size, 4 * size, *range(size)]
    assert count_inversions(order) == 2 + 3 * size


def test_both_ways_agree_on_a_long_shuffled_list() -> None:
    order = permutation(15_000)
    assert count_inversions_of_any([3 * one for one in order]) == count_inversions(order)


# Overlap ----------------------------------------------------------------------------------


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


# One reference against many ---------------------------------------------------------------

EVERY = [
    parse_measure(text)
    for text in (
        "ktu",
        "ktu(depth=3)",
        "ktu_first_seen",
        "ktu_first_seen(depth=4)",
        "tau_common",
        "tau_common(depth=2)",
        "rbo",
        "rbo(p=0.8, depth=5)",
        "rbo(depth=3)",
    )
]


def run_of(documents: dict[str, list[str]]) -> RankedRun:
    return RankedRun(
        path="run.txt",
        tag="run",
        documents=documents,
        scores={topic: [-float(rank) for rank in range(len(names))] for topic, names in documents.items()},
        repairs={},
    )  # fmt: skip


_POOLS = [
    [f"d{number}" for number in range(8)],  # shorter than a word
    ["a", "ab", "abc", "b", "B", "é", "z\u00e9", "\U0001f600", "\uffff", ""],
    [f"clueweb09-en{number:04d}-00-{number % 3:05d}" for number in range(8)],  # longer
    [f"{number:02d}{'x' * 40}" for number in range(6)],  # longer than numbers hold
    ["FBIS3-1", "FBIS3-10", "LA010189-0001", "LA010189-00011", "LA010189", "FT911-3"],
    ["same", "same-longer-than-a-word", "same-longer-than-a-word!", "same\n", "same\0", "\ud800"],
]
_lists = st.sampled_from(_POOLS).flatmap(
    lambda pool: st.dictionaries(
        st.sampled_from(["1", "2", "10"]), st.lists(st.sampled_from(pool), unique=True)
    )
)


@given(_lists, st.lists(_lists, min_size=1, max_size=3))
@example({"1": ["a"]}, [{"1": ["a"]}])
@example({"1": ["a"]}, [{"2": ["b"]}])
@example({}, [{}, {"1": []}])
def test_a_sweep_says_what_single_pairs_say(
    reference: dict[str, list[str]], candidates: list[dict[str, list[str]]]
) -> None:
    """Equal in everything: values, values by topic, reasons, details."""
    first = run_of(reference)
    prepared = PreparedReference(first)
    for candidate in map(run_of, candidates):
        pair = ranked_pair(first, candidate)
        assert order_figures(prepared, candidate, EVERY) == [one.ask(pair) for one in EVERY]


@pytest.mark.parametrize("form", ["D{:05d}", "en{:04d}-{:05d}-{:04d}", "{}"])
def test_a_sweep_of_long_lists(form: str) -> None:
    """Names of one and of several words, topics of different lengths, measures of others."""
    rng = random.Random(5)

    def some() -> RankedRun:
        return run_of(
            {
                str(topic): [
                    form.format(one, one % 7, one) for one in rng.sample(range(1500), size)
                ]
                for topic, size in enumerate((1000, 1000, 700, 40))
            }
        )

    first, chosen = some(), [*EVERY, parse_measure("rbo_ext")]
    prepared = PreparedReference(first)
    for candidate in (some(), some(), first):
        pair = ranked_pair(first, candidate)
        assert order_figures(prepared, candidate, chosen) == [one.ask(pair) for one in chosen]
