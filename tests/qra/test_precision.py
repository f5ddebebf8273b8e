"""CV* and what goes with it: the published formula, its hazards, and what it must not depend on."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaln

from primad_ld.measures.measure_values import UndefinedError
from primad_ld.qra.precision import Precision, Variant, c4, precision_of

#: BLEU of NTS_def: the example of the authors' notebook.
NTS_BLEU = (84.51, 84.5, 87.46, 85.6, 84.2, 86.61, 86.2)


def test_the_example_of_the_authors_notebook() -> None:
    found = precision_of(NTS_BLEU)
    assert found.cv_star == pytest.approx(1.5616560359100269, rel=1e-15)
    assert found.low == pytest.approx(0.45148, abs=5e-6)
    assert found.high == pytest.approx(2.12936, abs=5e-6)
    assert found.within_2sd == 100
    assert found.within_1sd == pytest.approx(71.429, abs=5e-4)


def test_the_variant_of_2026_lacks_the_factor_for_small_samples() -> None:
    published = precision_of(NTS_BLEU)
    later = precision_of(NTS_BLEU, variant=Variant.uncorrected)
    assert published.cv_star == pytest.approx(later.cv_star * (1 + 1 / 28), rel=1e-15)
    assert (published.variant, later.variant) == (Variant.published, Variant.uncorrected)
    assert published.stdev == later.stdev


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10, 100, 299, 300, 301, 1000, 100_000])
def test_c4_is_a_quotient_of_gamma_functions(n: int) -> None:
    expected = math.sqrt(2 / (n - 1)) * math.exp(gammaln(n / 2) - gammaln((n - 1) / 2))
    assert c4(n) == pytest.approx(expected, rel=1e-12 if n < 1000 else 1e-9)


@pytest.mark.parametrize(
    ("n", "value"),
    [
        (2, math.sqrt(2 / math.pi)),
        (3, math.sqrt(math.pi) / 2),
        (4, 2 * math.sqrt(2 / (3 * math.pi))),
    ],
)
def test_c4_of_few_values_is_known_exactly(n: int, value: float) -> None:
    assert c4(n) == pytest.approx(value, rel=1e-15)


def by_the_book(values: list[float], minimum: float) -> dict[str, float]:
    """The formulas of section 3.2 by numpy and scipy."""
    shifted = np.array(values) - minimum
    n = len(shifted)
    s = shifted.std(ddof=1)
    unbiased = s / (math.sqrt(2 / (n - 1)) * math.exp(gammaln(n / 2) - gammaln((n - 1) / 2)))
    error = s**2 * math.sqrt(2 / (n - 1)) / (2 * unbiased)
    low, high = stats.t.interval(0.95, n - 1, loc=unbiased, scale=error)
    return {
        "mean": shifted.mean(),
        "stdev": unbiased,
        "low": low,
        "high": high,
        "cv_star": (1 + 1 / (4 * n)) * 100 * unbiased / shifted.mean(),
    }


SCORES = st.lists(
    st.integers(100, 10_000).map(lambda number: number / 100), min_size=2, max_size=12
).filter(lambda values: len(set(values)) > 1)


@given(SCORES, st.sampled_from([0.0, 1.0]))
def test_it_is_what_numpy_and_scipy_say(values: list[float], minimum: float) -> None:
    found = precision_of(values, minimum=minimum)
    for name, expected in by_the_book(values, minimum).items():
        assert getattr(found, name) == pytest.approx(expected, rel=1e-9, abs=1e-9), name


@given(SCORES, st.permutations(range(12)))
def test_the_order_of_measurements_does_not_matter(values: list[float], order: list[int]) -> None:
    shuffled = [values[place] for place in order if place < len(values)]
    assert precision_of(shuffled) == precision_of(values)


@given(SCORES, st.sampled_from([0.01, 2.0, 100.0]))
def test_percentages_and_fractions_have_one_cv_star(values: list[float], factor: float) -> None:
    one, other = precision_of(values), precision_of([value * factor for value in values])
    assert other.cv_star == pytest.approx(one.cv_star, rel=1e-9)


@given(SCORES, st.sampled_from([1.0, 5.0]))
def test_a_shifted_scale_is_the_scale_from_0(values: list[float], begin: float) -> None:
    moved = precision_of([value + begin for value in values], minimum=begin)
    assert moved.cv_star == pytest.approx(precision_of(values).cv_star, rel=1e-9)


@given(st.lists(st.floats(0.5, 100), min_size=2, max_size=4).filter(lambda v: len(set(v)) > 1))
def test_below_five_values_the_interval_begins_below_0(values: list[float]) -> None:
    with contextlib.suppress(UndefinedError):  # two neighbouring floats
        assert precision_of(values).low < 0


def test_two_values_have_a_short_formula() -> None:
    # s* = |d| √π / 2 and CV* = 1.125 · 100 s* / mean
    found = precision_of([91, 96.75])
    assert found.cv_star == pytest.approx(112.5 * 5.75 * math.sqrt(math.pi) / 2 / 93.875)


def test_the_shift_matters() -> None:
    assert round(precision_of([5.64, 6.30]).cv_star, 2) == 11.02
    assert round(precision_of([5.64, 6.30], minimum=1).cv_star, 2) == 13.24


@pytest.mark.parametrize("n", [2, 3, 7])
@pytest.mark.parametrize("value", [30.65, 0.1, 1 / 3, 0.0, 1.0])
def test_equal_values_are_perfect(value: float, n: int) -> None:
    # In floats, the deviation of three times 30.65 from their mean is not 0.
    found = precision_of([value] * n, minimum=0)
    assert found == Precision(
        n=n, mean=value, stdev=0, low=0, high=0, cv_star=0, within_1sd=100, within_2sd=100,
        variant=Variant.published,
    )  # fmt: skip


def test_a_value_that_is_as_far_as_a_deviation_is_not_within() -> None:
    # Of 1, 2, 3, s is 1 and s* is 2/√π = 1.128; 2 alone is closer than 1.128, and 1 and 3 are, too.
    assert precision_of([1, 2, 3]).within_1sd == 100
    # Of 0, 1, 1, 1, 2, s² is 1/2 and s* 0.752: 0 and 2 are farther.
    assert precision_of([0, 1, 1, 1, 2]).within_1sd == 60
    assert precision_of([0, 1, 1, 1, 2]).within_2sd == 100


@pytest.mark.parametrize(
    ("values", "minimum", "why"),
    [
        ([], 0, "0 measurements: precision needs two or more"),
        ([84.5], 0, "1 measurement: precision needs two or more"),
        ([0.2, -0.1], 0, r"-0\.1 is below the scale, which begins at 0"),
        ([3, 0.5], 1, r"0\.5 is below the scale, which begins at 1"),
        ([5e-324, 1e-323], 0, "too small to be told apart"),
        ([1e308, 1.7e308], 0, "too large"),
        ([1e200, 2e200], 0, "too large"),  # their squares are
    ],
)
def test_what_has_no_precision_says_why(values: list[float], minimum: float, why: str) -> None:
    with pytest.raises(UndefinedError, match=why):
        precision_of(values, minimum=minimum)
