"""Things that wait in a file: all of them, in their order, for any number of readers."""

from __future__ import annotations

import gc
import itertools

import pytest

from primad_ld.core.spooled import Spooled


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 30_000])
def test_they_come_back_in_their_order(count: int) -> None:
    spooled: Spooled[tuple[int, str]] = Spooled()
    things = [(number, f"thing {number}") for number in range(count)]
    for thing in things:
        spooled.add(thing)
    assert len(spooled) == count
    assert bool(spooled) is bool(count)
    assert list(spooled) == list(spooled) == things
    pairs = itertools.zip_longest(spooled, spooled)  # two readers at once
    assert all(first == second for first, second in pairs)


def test_more_can_be_added_after_reading() -> None:
    spooled: Spooled[int] = Spooled()
    for number in range(600):
        spooled.add(number)
        assert number % 100 or list(spooled)[-1] == number
    assert list(spooled) == list(range(600))


def test_who_stops_half_way_leaves_nothing_open() -> None:
    spooled: Spooled[str] = Spooled()
    for _ in range(300):
        spooled.add("x" * 10_000)
    next(iter(spooled))
    del spooled
    gc.collect()  # an open file would be a warning here, and warnings are errors
