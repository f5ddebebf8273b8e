"""Tails of Student's t and of the normal distribution, in pure Python.

Importing `scipy.stats` for a p-value costs half a second, many times what all the measures of a
pair do. The tests hold these functions to scipy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from math import erfc, exp, log1p, log10, pi, sqrt
from typing import Final

_EPSILON: Final = 2.0**-53
# What stands in for 0 in a denominator of the continued fraction.
_TINY: Final = 1e-300
# The series of a quotient of gamma functions is good to the last digit from here on.
_LARGE: Final = 20.0
#: Differences of scores that are smaller than this share of the largest score are rounding.
NOISE: Final = 1e-12


def largest(*scores: Iterable[float]) -> float:
    """The largest absolute score of several lists; 0 if there is none."""
    return max([max(map(abs, some), default=0.0) for some in scores], default=0.0)


def denoised(differences: Iterable[float], scale: float) -> list[float]:
    """Differences of scores without what rounding made of them.

    0.3 - 0.2 and 0.2 - 0.1 are the same for people and not in binary; told apart, they would
    hide ties, and a constant shift would look like a tiny variance. ``scale`` is the largest
    score.
    """
    if not scale:
        return [0.0 for _ in differences]
    places = -round(log10(NOISE * scale))
    return [round(one, places) + 0.0 for one in differences]  # no -0.0


def is_constant(values: Sequence[float], scale: float) -> bool:
    """Whether numbers are all the same but for rounding; the first two mostly tell."""
    return _are_equal(values[:2], scale) and _are_equal(values, scale)


def _are_equal(values: Sequence[float], scale: float) -> bool:
    return len(set(denoised(values, scale))) == 1


def normal_tail(z: float) -> float:
    """The probability that a standard normal variable is at least ``z``."""
    return erfc(z / sqrt(2)) / 2


def student_tail(t: float, df: float) -> float:
    """The probability that Student's t with ``df`` degrees of freedom is at least ``t``."""
    half = two_sided(t, df) / 2
    return half if t >= 0 else 1 - half


def two_sided(t: float, df: float) -> float:
    """The probability that Student's t is at least as far from 0 as ``t``.

    It is the regularised incomplete beta function I_x(df/2, 1/2) at x = df / (df + t²).
    """
    a, b = df / 2, 0.5
    square = t * t
    if not square:
        return 1.0
    x, y = df / (df + square), 1 / (1 + df / square)
    # x^a y^b / B(a, b), without the gamma functions of large arguments
    front = exp(-a * log1p(square / df)) * sqrt(y) * gamma_quotient(a) / sqrt(pi)
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x, y)
    return 1 - front * _fraction(b, a, y, x)


def gamma_quotient(a: float) -> float:
    """Γ(a + 1/2) / Γ(a).

    For large arguments by its asymptotic series; the smaller ones follow from Γ(a + 1) = a Γ(a).
    """
    below = 1.0
    while a < _LARGE:
        below *= a / (a + 0.5)
        a += 1
    u = 1 / (a * a)
    series = -1 / 8 + u * (1 / 192 + u * (-1 / 640 + u * (17 / 14336 - u * 31 / 18432)))
    return below * sqrt(a) * exp(series / a)


def _fraction(a: float, b: float, x: float, y: float) -> float:
    """The incomplete beta function by x^a y^b / B(a, b); y is 1 - x.

    A continued fraction that takes both x and y, so that the smaller of them loses no digits
    (Didonato and Morris, Algorithm 708, ACM Transactions on Mathematical Software 18(3), 1992). Lentz's method evaluates it.
    """
    value = c = a * (a * y - b * x + 1) / (a + 1)
    d = 0.0
    for numerator, denominator in _terms(a, b, x, y):
        d = 1 / _nonzero(denominator + numerator * d)
        c = _nonzero(denominator + numerator / c)
        value *= c * d
        if abs(c * d - 1) <= _EPSILON:
            break
    return 1 / value


def _terms(a: float, b: float, x: float, y: float) -> Iterator[tuple[float, float]]:
    for m in count(1):
        numerator = (a + m - 1) * (a + b + m - 1) * m * (b - m) * (x / (a + 2 * m - 1)) ** 2
        denominator = m * (1 + (b - m) * x / (a + 2 * m - 1))
        denominator += (a + m) * (a * y - b * x + 1 + m * (1 + y)) / (a + 2 * m + 1)
        yield numerator, denominator


def _nonzero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=256)
def student_quantile(tail: float, df: float) -> float:
    """The t that is exceeded with the probability ``tail``, which is at most 1/2.

    Newton's method, kept inside an interval that holds the solution.
    """
    low, high = 0.0, 1.0
    while student_tail(high, df) > tail:
        low, high = high, high * 2
    t = (low + high) / 2
    for _ in range(200):
        excess = student_tail(t, df) - tail
        low, high = (t, high) if excess > 0 else (low, t)
        following = t + excess / _density(t, df)
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - t) <= 2 * _EPSILON * t:
            break
        t = following
    return t


def _density(t: float, df: float) -> float:
    """Of Student's t."""
    power = exp(-(df + 1) / 2 * log1p(t * t / df))
    return power * gamma_quotient(df / 2) / sqrt(pi * df)
