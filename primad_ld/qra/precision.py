"""The precision of repeated measurements: CV* and what goes with it.

Section 3.2 of Belz, Popović and Mille, Quantified Reproducibility Assessment of NLP Results,
ACL 2022 (arXiv:2204.05961).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, gamma, sqrt
from typing import Final

from primad_ld.core.library_arguments import checked, to_choice, to_number
from primad_ld.measures.distribution_tails import gamma_quotient, student_quantile
from primad_ld.measures.measure_values import UndefinedError, finite, mean

_TAIL: Final = 0.025  # on either side of an interval of 95 %
_MOST_FOR_GAMMA: Final = 300


class Variant(enum.StrEnum):
    """Which formula of CV* is meant: their values are not comparable."""

    #: As published in 2022: (1 + 1/4n) times the de-biased deviation over the mean.
    published = "2022"
    #: As the authors' later tool computes it: without the factor (1 + 1/4n).
    uncorrected = "2026"


@dataclass(frozen=True, kw_only=True, slots=True)
class Precision:
    """How close to each other some values are. All of it is of shifted values."""

    n: int
    mean: float
    #: The de-biased standard deviation s*, and its interval of 95 %.
    stdev: float
    low: float
    high: float
    #: The coefficient of variation in percent.
    cv_star: float
    #: How many percent of the values are closer to the mean than one s*, and than two.
    within_1sd: float
    within_2sd: float
    variant: Variant


def c4(n: int) -> float:
    """What a sample standard deviation of normal values is too small by, in expectation.

    c4(n) = √(2/(n-1)) Γ(n/2) / Γ((n-1)/2); s/c4(n) is the unbiased deviation s* of section 3.2.
    """
    # From here on, the gamma functions themselves are beyond what a number can be.
    if n > _MOST_FOR_GAMMA:
        return sqrt(2 / (n - 1)) * gamma_quotient((n - 1) / 2)
    return sqrt(2 / (n - 1)) * (gamma(n / 2) / gamma((n - 1) / 2))


@checked
def precision_of(
    values: Iterable[float],
    *,
    minimum: float = 0.0,
    variant: str = "2022",
) -> Precision:
    """The precision of measured values on a scale that begins at ``minimum``.

    Values are shifted to a scale that begins at 0. Then, with the sample deviation s (n - 1):

    - s* = s / c4(n)
    - its standard error is se(s²) / 2s*, where se(s²) = s² √(2/(n-1)). The paper writes the same
      sigma in both places; this mixture of s and s* gives the figures that it prints
    - the interval is s* ± t(0.975, n-1) times that error. Below five values it reaches below 0
    - CV* = (1 + 1/4n) · 100 s* / mean (Sokal and Rohlf 1971); without the first factor in the
      variant of 2026
    - a value is within k deviations if it is closer to the mean than k s*, not if it is as far

    Values that are all equal have CV* 0 and the interval [0, 0]; this is asked before anything
    is divided. `MeasureError` says why there is no CV*: fewer than two values, or values below
    the scale.

    >>> import primad_ld as pl
    >>> round(pl.precision_of([91, 96.75]).cv_star, 2)
    6.11
    """
    formula = to_choice(*Variant)(variant, "variant")
    values = [to_number(value, "values") for value in values]
    n = len(values)
    if n < 2:
        raise UndefinedError(f"{n} measurement{'s' * (n != 1)}: precision needs two or more")
    below = min(values)
    if below < minimum:
        raise UndefinedError(f"{below:g} is below the scale, which begins at {minimum:g}")
    shifted = [value - minimum for value in values]
    if len(set(values)) == 1:
        return Precision(
            n=n,
            mean=shifted[0],
            stdev=0.0,
            low=0.0,
            high=0.0,
            cv_star=0.0,
            within_1sd=100.0,
            within_2sd=100.0,
            variant=formula,
        )
    try:
        centre = mean(shifted)
        variance = fsum([(value - centre) ** 2 for value in shifted]) / (n - 1)
    except OverflowError:
        raise UndefinedError("the values are too large") from None
    unbiased = sqrt(variance) / c4(n)
    if not unbiased or not centre:
        raise UndefinedError("the values are too small to be told apart")
    error = variance * sqrt(2 / (n - 1)) / (2 * unbiased)
    reach = student_quantile(_TAIL, n - 1) * error
    factor = 1 + 1 / (4 * n) if formula is Variant.published else 1.0

    def within(deviations: int) -> float:
        close = [value for value in shifted if abs(value - centre) < deviations * unbiased]
        return 100 * len(close) / n

    return Precision(
        n=n,
        mean=centre,
        stdev=unbiased,
        low=unbiased - reach,
        high=unbiased + reach,
        cv_star=finite(factor * 100 * unbiased / centre),
        within_1sd=within(1),
        within_2sd=within(2),
        variant=formula,
    )
