"""How time grows with the length of a text: measured by ratios, in time of this thread alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise

#: Short ones first, so that work which takes exponential time is found before it hangs.
SHORT = (16, 19, 23, 28, 36, 54, 81, 122, 183, 275, 412, 618, 1_000, 2_000, 8_000)
LONG = (8_000, 25_000, 50_000, 100_000)
#: How much more than the length the time may grow: patterns that look ahead so far and no farther
#: take the square of that first. Work that grows with the square of the length takes 16 times as long
#: for 8,000 characters as for 2,000, and four times as long for 100,000 as for 50,000.
SHORT_MARGIN = 3.0
LONG_MARGIN = 1.6
_TRIES = 5
#: In seconds: what takes less is no harm, and too short to be compared on a busy machine.
_HARMLESS = 0.001


def took(work: Callable[[], object], times: int = 1) -> float:
    """The least time that work takes."""
    least = float("inf")
    for _ in range(times):
        start = time.thread_time()
        work()
        least = min(least, time.thread_time() - start)
    return least


def outgrown(
    work: Callable[[str], object],
    text: Callable[[int], str],
    sizes: Sequence[int] = SHORT,
    margin: float = SHORT_MARGIN,
) -> tuple[int, float]:
    """The first size for which the time grows more than the length, or 0; and the time of the last."""

    def measured(size: int, times: int = 1) -> float:
        given = text(size)
        return took(lambda: work(given), times)

    before = after = measured(sizes[0])
    for small, large in pairwise(sizes):
        before, after = after, measured(large)
        # A busy machine makes single times longer, and never all of them.
        for attempt in range(_TRIES):
            most = margin * before * large / small
            if after <= max(most, _HARMLESS):
                break
            if attempt and after > 2 * most:
                return large, after
            before = max(before, measured(small, attempt + 1))
            after = min(after, measured(large, attempt + 1))
        else:
            return large, after
    return 0, after
