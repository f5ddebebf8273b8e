"""Tests of differences and of equality, held to scipy and to their definitions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import isfinite

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import ScorePair, UndefinedError
from primad_ld.measures.registry import all_measures, parse_measure

_scores = st.floats(0, 1, allow_subnormal=False)
# With few digits there are ties and equal scores.
_coarse = st.integers(0, 10).map(lambda tenths: tenths / 10)
_pairs = st.lists(st.tuples(_scores, _scores), min_size=2, max_size=70)
_coarse_pairs = st.lists(st.tuples(_coarse, _coarse), min_size=2, max_size=70)


def paired(reference, candidate):
    topics = tuple(f"{number}" for number in range(len(reference)))
    return ScorePair(
        on="map", reference=tuple(reference), candidate=tuple(candidate), topics=topics
    )


def unpaired(reference, candidate):
    return ScorePair(on="map", reference=tuple(reference), candidate=tuple(candidate))


def ask(text, pair):
    chosen = parse_measure(text)
    return chosen.measure.function(pair, **chosen.parameters)


def spread(values):
    return max(values) - min(values)


# Student ----------------------------------------------------------------------------------


@given(_pairs)
def test_the_paired_test_is_scipys(scores):
    reference, candidate = zip(*scores, strict=True)
    assume(spread([two - one for one, two in scores]) > 1e-6)
    found = ask("t_test", paired(reference, candidate))
    expected = stats.ttest_rel(candidate, reference)
    assert found.value == pytest.approx(expected.pvalue, abs=1e-12)
    assert found.details["statistic"] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert found.details["df"] == len(scores) - 1
    assert found.topics == len(scores)


@given(st.lists(_scores, min_size=2, max_size=60), st.lists(_scores, min_size=2, max_size=60))
@pytest.mark.parametrize(
    ("text", "equal"), [("t_test_unpaired", True), ("t_test_unpaired(welch=1)", False)]
)
def test_the_unpaired_tests_are_scipys(text, equal, reference, candidate):
    assume(spread(reference) > 1e-6)
    assume(spread(candidate) > 1e-6)
    found = ask(text, unpaired(reference, candidate))
    expected = stats.ttest_ind(candidate, reference, equal_var=equal)
    assert found.value == pytest.approx(expected.pvalue, abs=1e-12)
    assert found.details["statistic"] == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
    assert found.details["df"] == pytest.approx(expected.df, rel=1e-9)
    assert found.topics is None


def test_the_difference_is_the_candidates_less_the_references():
    details = ask("t_test", paired([0.1, 0.2, 0.4], [0.3, 0.3, 0.5])).details
    assert details["difference"] == pytest.approx(0.4 / 3)
    assert details["statistic"] > 0


@pytest.mark.parametrize(
    "text", ["t_test", "t_test_unpaired", "t_test_unpaired(welch=1)", "wilcoxon"]
)
@pytest.mark.parametrize(
    "scores",
    [
        [0.1, 0.5, 0.3],
        [0.5, 0.5, 0.5],  # no variance at all
        [0.0, 0.0],
    ],
)
def test_a_run_does_not_differ_from_itself(text, scores):
    pair = paired if "unpaired" not in text else unpaired
    assert ask(text, pair(scores, scores)).value == 1.0


@pytest.mark.parametrize(
    ("text", "reference", "candidate", "why"),
    [
        ("t_test", [0.1, 0.2, 0.3], [0.2, 0.3, 0.4], "every topic differs by the same amount"),
        # As binary numbers, these differences are not quite equal, and scipy has p < 1e-30.
        ("t_test", [0.1, 0.3, 0.7], [0.4, 0.6, 1.0], "every topic differs by the same amount"),
        ("t_test", [0.1], [0.2], "one topic, which has no variance"),
        ("t_test", [0.1], [0.1], "one topic, which has no variance"),
        ("t_test", [], [], "no topics"),
        ("t_test_unpaired", [0.2, 0.2], [0.4, 0.4, 0.4], "each side has one score"),
        ("t_test_unpaired(welch=1)", [0.2, 0.2], [0.4, 0.4, 0.4], "each side has one score"),
        ("t_test_unpaired", [0.2], [0.4, 0.5], "the reference has one topic"),
        ("t_test_unpaired", [0.4, 0.5], [0.2], "the candidate has one topic"),
        ("t_test_unpaired", [0.4, 0.5], [], "the candidate has no topics"),
        ("wilcoxon", [0.1], [0.2], "one topic"),
        ("wilcoxon", [], [], "no topics"),
        ("tost(margin=0.05)", [0.1], [0.1], "one topic"),
        ("tost_unpaired(margin=0.05)", [0.1], [0.1, 0.2], "the reference has one topic"),
    ],
)
def test_undefined_is_undefined(text, reference, candidate, why):
    pair = unpaired if "unpaired" in text else paired
    with pytest.raises(UndefinedError, match=why):
        ask(text, pair(reference, candidate))


def test_scipy_is_silent_about_rounding_in_a_constant_shift():
    """Why we do not give its value there: it is what rounding makes of no variance."""
    reference, candidate = np.array([0.1, 0.3, 0.7]), np.array([0.4, 0.6, 1.0])
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning, match="Precision loss"):
        assert stats.ttest_rel(reference, candidate).pvalue < 1e-30


@pytest.mark.filterwarnings("ignore:Precision loss")  # scipy's, of the constant side
def test_one_constant_side_has_a_test():
    found = ask("t_test_unpaired", unpaired([0.2, 0.2, 0.2], [0.1, 0.4, 0.9]))
    expected = stats.ttest_ind([0.2, 0.2, 0.2], [0.1, 0.4, 0.9])
    assert found.value == pytest.approx(expected.pvalue, abs=1e-12)


# Wilcoxon ---------------------------------------------------------------------------------


def by_all_signs(gains):
    """The definition: twice the share of all signs whose positive ranks have as small a sum."""
    gains = [gain for gain in gains if gain]
    ranks = stats.rankdata([abs(gain) for gain in gains])
    positive = sum(rank for rank, gain in zip(ranks, gains, strict=True) if gain > 0)
    smaller = min(positive, sum(ranks) - positive)
    sums = [
        sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(gains))
    ]
    return min(1.0, 2 * sum(one <= smaller for one in sums) / len(sums))


@given(_pairs.filter(lambda pairs: spread([a - b for a, b in pairs]) > 0))
def test_wilcoxon_is_scipys(scores):
    gains = np.array([round(two - one, 12) for one, two in scores])
    assume(gains.any())
    assume(all(abs(gain) > 1e-9 or not gain for gain in gains))
    assume(len({abs(gain) for gain in gains}) == len(gains) or len(gains) > 13)
    found = ask("wilcoxon", paired(*zip(*scores, strict=True)))
    expected = stats.wilcoxon(gains)
    assert found.value == pytest.approx(expected.pvalue, abs=1e-12)
    assert found.details["statistic"] == expected.statistic


@given(_coarse_pairs.filter(lambda pairs: len(pairs) > 13))
def test_wilcoxon_with_ties_is_scipys(scores):
    """The differences are rounded as its documentation advises."""
    gains = np.array([round(two - one, 12) for one, two in scores])
    assume(gains.any())
    found = ask("wilcoxon", paired(*zip(*scores, strict=True)))
    expected = stats.wilcoxon(gains)
    assert found.value == pytest.approx(expected.pvalue, abs=1e-12)
    assert found.details["statistic"] == expected.statistic
    assert found.details["differing"] == np.count_nonzero(gains)


@given(_coarse_pairs.map(lambda pairs: pairs[:9]))
def test_few_topics_with_ties_are_exact(scores):
    gains = [round(two - one, 12) for one, two in scores]
    found = ask("wilcoxon", paired(*zip(*scores, strict=True)))
    assert found.value == pytest.approx(by_all_signs(gains), abs=1e-12)
    assert found.details["exact"] == 1


@pytest.mark.parametrize(
    ("topics", "tie", "exact"),
    [
        (13, True, 1),
        (14, True, 0),  # scipy's limit for ties and zeros
        (14, False, 1),
        (50, False, 1),
        (51, False, 0),
    ],
)
def test_when_it_is_exact(topics, tie, exact):
    gains = [number / 1000 for number in range(1, topics + 1)]
    if tie:
        gains[0] = gains[1]
    found = ask("wilcoxon", paired([0.0] * topics, gains))
    assert found.details["exact"] == exact
    # scipy takes seconds for all signs of thirteen topics.
    expected = by_all_signs(gains) if tie and exact else stats.wilcoxon(gains).pvalue
    assert found.value == pytest.approx(expected, rel=1e-12)


def test_equal_differences_are_ties_although_binary_numbers_differ():
    found = ask("wilcoxon", paired([0.2, 0.1, 0.5, 0.9], [0.3, 0.2, 0.4, 0.4]))
    # Ranks 2, 2, 2 and 4; without rounding they would be 3, 1, 2, 4.
    assert found.details["statistic"] == 4.0


# Equivalence ------------------------------------------------------------------------------


@given(_pairs, st.sampled_from([0.01, 0.05, 0.5]), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_equivalence_test_is_two_tests_of_scipy(scores, margin, level):
    gains = np.array([two - one for one, two in scores])
    assume(spread(gains) > 1e-6)
    found = ask(f"tost(margin={margin}, level={level})", paired(*zip(*scores, strict=True)))
    above = stats.ttest_1samp(gains, -margin, alternative="greater").pvalue
    below = stats.ttest_1samp(gains, margin, alternative="less").pvalue
    assert found.value == pytest.approx(max(above, below), abs=1e-12)
    interval = stats.ttest_1samp(gains, 0).confidence_interval(1 - 2 * level)
    assert found.details["low"] == pytest.approx(interval.low, rel=1e-9, abs=1e-9)
    assert found.details["high"] == pytest.approx(interval.high, rel=1e-9, abs=1e-9)


@given(_pairs, st.sampled_from([0.02, 0.1, 0.4]))
def test_it_is_below_the_level_where_the_interval_lies_between_the_margins(scores, margin):
    found = ask(f"tost(margin={margin})", paired(*zip(*scores, strict=True)))
    inside = -margin < found.details["low"] and found.details["high"] < margin
    assume(abs(found.value - 0.05) > 1e-9)
    assert (found.value < 0.05) is inside


@pytest.mark.parametrize("welch", [0, 1])
def test_the_unpaired_equivalence_test_is_two_tests_of_scipy(welch):
    reference, candidate = [0.1, 0.5, 0.3, 0.35], [0.2, 0.4, 0.34, 0.31, 0.28]
    found = ask(f"tost_unpaired(margin=0.3, welch={welch})", unpaired(reference, candidate))
    other = np.array(reference)
    ps = [
        stats.ttest_ind(candidate, other - 0.3, alternative="greater", equal_var=not welch).pvalue,
        stats.ttest_ind(candidate, other + 0.3, alternative="less", equal_var=not welch).pvalue,
    ]
    assert found.value == pytest.approx(max(ps), abs=1e-12)
    interval = stats.ttest_ind(candidate, reference, equal_var=not welch).confidence_interval(0.9)
    assert found.details["low"] == pytest.approx(interval.low, abs=1e-12)
    assert found.details["high"] == pytest.approx(interval.high, abs=1e-12)


@pytest.mark.parametrize(
    ("shift", "p"),
    [
        (0.0, 0.0),
        (0.04, 0.0),
        (-0.04, 0.0),
        (0.05, 1.0),  # on the margin, which rounding must not decide
        (-0.05, 1.0),
        (0.06, 1.0),
    ],
)
def test_without_variance_the_difference_decides(shift, p):
    reference = [0.2, 0.3, 0.6]
    found = ask("tost(margin=0.05)", paired(reference, [one + shift for one in reference]))
    assert found.value == p
    assert found.details["low"] == found.details["high"] == pytest.approx(shift)
    sides = ask("tost_unpaired(margin=0.05)", unpaired([0.3] * 3, [0.3 + shift] * 4))
    assert sides.value == p


def test_a_high_p_is_no_evidence_of_equality_and_tost_tells():
    reference, candidate = [0.1, 0.9, 0.5], [0.6, 0.3, 0.9]
    assert ask("t_test", paired(reference, candidate)).value > 0.5
    assert ask("tost(margin=0.05)", paired(reference, candidate)).value > 0.3


@pytest.mark.parametrize("id", ["tost", "tost_unpaired"])
def test_a_margin_may_be_a_part_of_the_mean_of_the_reference(id):
    pair = (unpaired if "unpaired" in id else paired)([0.1, 0.3, 0.5], [0.2, 0.3, 0.6])
    part, whole = (ask(f"{id}(margin={margin})", pair) for margin in ("50%", "0.15"))
    assert part.value == pytest.approx(whole.value, abs=1e-15)
    assert part.details["margin"] == pytest.approx(0.15)
    chosen = parse_measure(f"{id}(margin=50%)")
    assert str(chosen) == f"{id}(margin=50%)"
    assert parse_measure(str(chosen)) == chosen
    with pytest.raises(UndefinedError, match="mean is 0, so a percentage of it is no margin"):
        ask(f"{id}(margin=50%)", paired([0.0, 0.0], [0.1, 0.2]))


@pytest.mark.parametrize("on", ["num_ret", "num_rel_ret", "gm_map", "utility"])
def test_no_margin_is_small_without_a_scale(on):
    pair = replace(paired([1.0, 2.0], [1.0, 3.0]), on=on)
    with pytest.raises(UndefinedError, match=f"{on} does not range from 0 to 1"):
        ask("tost(margin=0.5)", pair)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tost(margin=0)", "margin"),
        ("tost(margin=1)", "between 0 and 1"),
        ("tost(margin=100%)", "between 0 and 100"),
        ("tost(margin=nan)", "between 0 and 1"),
        ("tost(margin=%)", "tost has margin=…, level=…"),
        ("tost(margin=5%%)", "must be a number"),
        ("tost(margin=0.1, margin=5%)", "margin is given twice"),
        ("tost(level=5%)", "must be a number"),
    ],
)
def test_margins_that_are_none(text, why):
    with pytest.raises(MeasureError, match=why):
        parse_measure(text)


# All of them ------------------------------------------------------------------------------

_ANY = st.lists(
    st.tuples(
        st.one_of(_scores, _coarse, st.floats(-1e6, 1e6)),
        st.one_of(_scores, _coarse, st.floats(-1e6, 1e6)),
    ),
    max_size=20,
)


@given(_ANY)
def test_a_p_value_is_one_or_there_is_a_reason(scores):
    reference, candidate = zip(*scores, strict=True) if scores else ((), ())
    for id in (
        "t_test",
        "wilcoxon",
        "tost(margin=0.05)",
        "t_test_unpaired",
        "tost_unpaired(margin=0.05)",
    ):
        pair = unpaired if "unpaired" in id else paired
        try:
            found = ask(id, pair(reference, candidate))
        except UndefinedError:
            continue
        assert 0 <= found.value <= 1
        assert all(isfinite(value) for value in found.details.values())


@pytest.mark.parametrize("id", ["t_test", "wilcoxon", "tost", "t_test_unpaired"])
def test_the_identity_is_what_the_registry_says(id):
    scores = [0.3, 0.1, 0.8]
    pair = unpaired if "unpaired" in id else paired
    asked = f"{id}(margin=0.05)" if id == "tost" else id
    assert ask(asked, pair(scores, scores)).value == all_measures()[id].identity
