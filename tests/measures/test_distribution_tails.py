"""The tails of distributions, held to scipy."""

from __future__ import annotations

from math import atan, pi, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from primad_ld.measures.distribution_tails import (
    denoised,
    largest,
    normal_tail,
    student_quantile,
    student_tail,
    two_sided,
)

_FREEDOM = [1, 2, 3, 4, 5, 9, 24, 38, 39, 40, 41, 49, 99, 249, 1000, 9999, 100_000, 1.5, 17.3, 63.7]
_STATISTICS = [0.0, 1e-6, 0.001, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5, 10.0, 20.0, 50.0]
# Below, numbers have fewer digits.
_LEAST = 1e-290


@pytest.mark.parametrize("df", _FREEDOM)
def test_student_is_scipys(df):
    for t in _STATISTICS:
        if df == 1 and t < 0.1:
            continue  # scipy is wrong in the eleventh digit there
        expected = float(2 * stats.t.sf(t, df))
        assert two_sided(t, df) == pytest.approx(expected, rel=0, abs=1e-12)
        if _LEAST < expected < 1e-4:
            assert two_sided(t, df) == pytest.approx(expected, rel=1e-12, abs=0)


@given(df=st.floats(1, 1e5), t=st.floats(0, 50))
def test_student_anywhere(df, t):
    assume(df > 1.5 or t > 0.1)
    assert student_tail(t, df) == pytest.approx(float(stats.t.sf(t, df)), rel=0, abs=1e-12)


@pytest.mark.parametrize("t", [0.3, 2.0, 11.0])
def test_both_tails_make_one(t):
    assert student_tail(t, 7) + student_tail(-t, 7) == 1
    assert two_sided(-t, 7) == two_sided(t, 7)


@pytest.mark.parametrize("t", [1e-9, 1e-6, 0.01, 1.0, 7.0, 1e4])
def test_with_one_degree_of_freedom_it_has_a_closed_form(t):
    assert two_sided(t, 1) == pytest.approx(2 / pi * atan(1 / t), rel=1e-14)


@pytest.mark.parametrize("t", [1e-9, 1e-6, 0.01, 1.0, 7.0, 1e4])
def test_with_two_degrees_of_freedom_it_has_a_closed_form(t):
    root = sqrt(2 + t * t)
    assert two_sided(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-14)


@pytest.mark.parametrize("t", [1e10, 1e150, 1e160])
def test_far_away_is_no_error(t):
    assert 0 <= two_sided(t, 3) < 1e-29


@pytest.mark.parametrize("df", [1, 2, 3, 9, 49, 1000, 8.4])
@pytest.mark.parametrize("tail", [0.5, 0.3, 0.1, 0.05, 0.025, 0.005, 1e-6])
def test_quantiles_are_scipys(df, tail):
    expected = float(stats.t.isf(tail, df))
    assert student_quantile(tail, df) == pytest.approx(expected, rel=1e-11, abs=1e-12)


@given(df=st.floats(1, 1e4), tail=st.floats(1e-8, 0.4999))
def test_a_quantile_has_its_tail(df, tail):
    assert student_tail(student_quantile(tail, df), df) == pytest.approx(tail, rel=1e-10)


@pytest.mark.parametrize("z", [-8.0, -1.96, 0.0, 1e-9, 0.5, 1.96, 5.0, 20.0, 35.0])
def test_the_normal_tail_is_scipys(z):
    assert normal_tail(z) == pytest.approx(float(stats.norm.sf(z)), rel=1e-12)


@pytest.mark.parametrize(
    ("differences", "scale", "expected"),
    [
        ([0.3 - 0.2, 0.2 - 0.1], 0.3, [0.1, 0.1]),  # they differ in the last digit
        ([1e-17, -1e-17], 1.0, [0.0, 0.0]),
        ([1e-11, 2e-11], 1.0, [1e-11, 2e-11]),  # small, but no rounding
        ([3e-20, 1e-20], 3e-20, [3e-20, 1e-20]),  # as large as the scores
        ([1e-6], 1e9, [0.0]),
        ([0.0], 0.0, [0.0]),
        ([], 0.0, []),
    ],
)
def test_rounding_is_taken_from_differences(differences, scale, expected):
    assert denoised(differences, scale) == expected


def test_nothing_is_negative_zero():
    assert str(denoised([-1e-18], 1.0)) == "[0.0]"


def test_the_largest_score_counts_without_its_sign():
    assert largest([0.1, -3.0], [2.0]) == 3.0
    assert largest([], []) == 0.0
