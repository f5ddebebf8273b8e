"""Percentile bootstrap intervals over topics, the same to the last bit on every machine.

Topics are drawn with replacement as often as there are topics, and what is asked is computed
again from those drawn (Efron and Tibshirani, An Introduction to the Bootstrap, 1993). The draws
depend on the number of topics, of samples and on the seed, so all measures of effectiveness share
them.

Sums of whole numbers do not depend on their order. So scores are rounded to steps of 2^-46 of
their range (2^-42 for a thousand topics), and all samples are summed at once: by Python's large
integers, in which each sample has 64 bits of its own, and once there were many sums by numpy,
which is ten times as fast and takes a tenth of a second to import. Both give the same numbers.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import ceil, floor, frexp, ldexp
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.registry import Parameter

PARAMETERS: Final[Mapping[str, Parameter]] = {
    "samples": Parameter(1000, "samples of the bootstrap interval; 0 leaves it out", 0, 100_000),
    "level": Parameter(0.95, "confidence level of the interval", 0, 1, is_open=True),
    "seed": Parameter(0, "seed of the draws of topics", 0, 2**31 - 1),
}
CITE: Final = "Efron and Tibshirani, An Introduction to the Bootstrap, Chapman & Hall, 1993"
#: Beyond this share of samples without a value there is no interval.
_MOST_UNDEFINED: Final = 0.05
# Sums stay below this power of 2, so that floats hold them exactly.
_BITS: Final = 52
_LANE: Final = 8  # bytes
# Draws that are kept: of both sides, for two numbers of topics.
_KEPT: Final = 4
# Means that are kept: those of two effects and two baselines under each measure of effectiveness.
_MEANS_KEPT: Final = 400
# So many sums take about as long without numpy as importing it.
_WITHOUT_NUMPY: Final = 100
# Products that should be whole numbers may come out a little below.
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """The ends of an interval; None where there is none."""

    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Bootstrap:
    """How many samples are drawn, and which share of them an interval holds."""

    samples: int
    level: float
    seed: int

    def __post_init__(self) -> None:
        if self.samples and _rank(self.samples, self.level) < 1:
            least = ceil(2 / (1 - self.level) - 1 - _ROUNDING)
            raise MeasureError(
                f"an interval of level {self.level} needs at least {least} samples (got "
                f"{self.samples})"
            )

    def of_mean(self, values: Sequence[float]) -> Interval:
        """The interval of the mean over topics; there is none for a single topic."""
        if len(values) < 2:
            return Interval()
        sums = Draws.of(len(values), self.samples, self.seed).sums(values)
        low, high = sums.means(list(_ends(sums.steps, _rank(self.samples, self.level))))
        return Interval(low=low, high=high)

    def means(self, values: Sequence[float], side: int = 0) -> list[float]:
        """The mean over topics in each sample; another ``side`` is drawn by itself."""
        return _means(tuple(values), self.samples, self.seed, side)

    def of_samples(self, found: Sequence[float]) -> Interval:
        """The interval of what has a value in most of the samples."""
        if len(found) < self.samples * (1 - _MOST_UNDEFINED):
            return Interval()
        low, high = _ends(found, max(1, _rank(len(found), self.level)))
        return Interval(low=low, high=high)


def _rank(samples: int, level: float) -> int:
    """Which of the samples, counted from either side, are the ends of the interval."""
    return floor((samples + 1) * (1 - level) / 2 + _ROUNDING)


def _ends(found: Any, rank: int) -> tuple[float, float]:
    if isinstance(found, list):
        ordered = sorted(found)
    else:
        found.partition((rank - 1, len(found) - rank))
        ordered = found
    return float(ordered[rank - 1]), float(ordered[-rank])


@lru_cache(maxsize=_MEANS_KEPT)
def _means(values: tuple[float, ...], samples: int, seed: int, side: int) -> list[float]:
    sums = Draws.of(len(values), samples, seed, side).sums(values)
    return sums.means(sums.steps if isinstance(sums.steps, list) else sums.steps.tolist())


# Draws have no equality, so that looking them up is quick.
@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """How often each topic was drawn in each sample."""

    size: int
    samples: int
    #: For each topic how often it was drawn: a number with 64 bits for each sample.
    packed: tuple[int, ...]

    @classmethod
    def of(cls, size: int, samples: int, seed: int, side: int = 0) -> Draws:
        """The draws of a number of topics."""
        return _draws(size, samples, 2 * seed + side)

    def sums(self, values: Sequence[float]) -> _Sums:
        """The sum over the drawn topics in each sample."""
        least = min(values)
        spread = max(values) - least
        exponent = frexp(spread or least)[1] - _BITS + self.size.bit_length()
        steps = [round(ldexp(value - least, -exponent)) for value in values]
        # Each sample has as many topics, so what the least value adds is the same in all.
        base = self.size * round(ldexp(least, -exponent))
        is_numpy_worth_it = "numpy" in sys.modules or next(_sums_made) > _WITHOUT_NUMPY
        found = _by_matrix(self, steps) if is_numpy_worth_it else _by_integers(self, steps)
        return _Sums(self.size, found, base, exponent)


_sums_made: Final = count(1)


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sum of each sample, in steps that are a power of 2."""

    size: int
    #: Above the least possible sum: a list of floats or an array of numpy.
    steps: Any
    base: int
    exponent: int

    def means(self, steps: Sequence[float]) -> list[float]:
        """Some of the sums as means over the topics."""
        base, unit, size = float(self.base), ldexp(1.0, self.exponent), self.size
        return [(base + one) * unit / size for one in steps]


@lru_cache(maxsize=_KEPT)
def _draws(size: int, samples: int, seed: int) -> Draws:
    """Draw topics; Python promises the same numbers from `random.random` in all versions."""
    draw = random.Random(seed).random  # noqa: S311 - no secret
    times = [array("Q", bytes(_LANE * samples)) for _ in range(size)]
    for sample in range(samples):
        for _ in range(size):
            times[int(draw() * size)][sample] += 1
    return Draws(size, samples, tuple([_packed(one) for one in times]))


def _packed(times: array[int]) -> int:
    return int.from_bytes(times.tobytes(), sys.byteorder)


def _by_integers(draws: Draws, steps: Sequence[int]) -> list[float]:
    """All sums at once, each in its 64 bits of a large number."""
    # Topics often have the same score, and adding costs less than multiplying.
    same: defaultdict[int, int] = defaultdict(int)
    for times, step in zip(draws.packed, steps, strict=True):
        same[step] += times
    total = sum(step * times for step, times in same.items() if step)
    sums = array("Q", total.to_bytes(_LANE * draws.samples, sys.byteorder))
    return list(map(float, sums))


def _by_matrix(draws: Draws, steps: Sequence[int]) -> Any:
    """All sums at once by numpy; as whole numbers below 2^53 they are exact in any order."""
    import numpy as np

    # Not by BLAS, which would take all cores for so little, in each of many processes.
    return np.einsum("ts,t->s", _matrix(draws), np.array(steps, "f8"))


@lru_cache(maxsize=_KEPT)
def _matrix(draws: Draws) -> Any:
    """How often each topic was drawn, a row for each topic."""
    import numpy as np

    size = _LANE * draws.samples
    rows = b"".join([times.to_bytes(size, sys.byteorder) for times in draws.packed])
    return np.frombuffer(rows, "u8").reshape(draws.size, draws.samples).astype("f8")
