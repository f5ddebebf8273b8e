"""Tests over topics: whether runs differ, and whether two are as good as equal."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final

from primad_ld.measures.distribution_tails import (
    NOISE,
    denoised,
    is_constant,
    largest,
    normal_tail,
    student_quantile,
    student_tail,
    two_sided,
)
from primad_ld.measures.measure_values import Figure, ManyScores, ScorePair, UndefinedError, mean
from primad_ld.measures.registry import Direction, Needs, Parameter, TopicPairing, measure
from primad_ld.trec.measure_names import has_scale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BREUER: Final = (
    "Breuer et al., How to measure the reproducibility of system-oriented IR experiments, "
    "SIGIR 2020, doi:10.1145/3397271.3401036"
)
_STUDENT: Final = "Student, The probable error of a mean, Biometrika 6(1), 1908"
_WELCH: Final = (
    "Welch, The generalization of 'Student's' problem when several different population variances "
    "are involved, Biometrika 34, 1947"
)
_WILCOXON: Final = (
    "Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1, 1945"
)
_SCHUIRMANN: Final = (
    "Schuirmann, A comparison of the two one-sided tests procedure and the power approach for "
    "assessing the equivalence of average bioavailability, Journal of Pharmacokinetics and "
    "Biopharmaceutics 15(6), 1987, doi:10.1007/BF01068419"
)
_NO_EVIDENCE: Final = (
    "A high p is no evidence that the runs are equal: few topics, or scores that vary much, make "
    "it high as well. tost asks for equality."
)
_WITH_WELCH: Final = Parameter(0, "1 for Welch's test, without equal variances", 0, 1)
_EQUIVALENCE: Final = {
    "margin": Parameter(
        None,
        "largest difference of mean scores that does not matter, in the unit of the measure; "
        "or, such as 5%, in percent of the reference's mean",
        0,
        1,
        is_open=True,
    ),
    "percent": Parameter(
        None, "the margin in percent of the reference's mean", 0, 100, is_open=True
    ),
    "level": Parameter(
        0.05, "level of each of the two tests; the interval has 1 - 2 level", 0, 0.5, is_open=True
    ),
}
_MARGINS: Final = ("margin", "percent")
# scipy's limits: up to so many topics a test is exact, and so many if differences are tied or 0.
_EXACT: Final = 50
_EXACT_WITH_TIES: Final = 13
_LANE: Final = 64  # bits; no count of 50 or fewer signs needs more


@dataclass(frozen=True, kw_only=True, slots=True)
class MeanDifference:
    """A difference of means and how well it is known."""

    mean: float
    #: Its standard error; 0 if every score, or every difference of a pair, is the same.
    error: float
    df: float
    #: Up to which size a difference is rounding.
    nothing: float

    @property
    def t(self) -> float:
        """Student's statistic."""
        return self.mean / self.error


def paired(pair: ScorePair) -> MeanDifference:
    """The mean of the differences by topic, candidate minus reference."""
    size = len(pair.topics)
    if size < 2:
        raise UndefinedError(_too_few(size))
    gains = [after - before for before, after in zip(pair.reference, pair.candidate, strict=True)]
    scale = largest(pair.reference, pair.candidate)
    error = 0.0 if is_constant(gains, scale) else sqrt(_variance(gains) / size)
    return MeanDifference(mean=mean(gains), error=error, df=size - 1, nothing=NOISE * scale)


def _unpaired(pair: ScorePair, *, welch: bool) -> MeanDifference:
    """The difference of the means of two sides, candidate minus reference."""
    for scores, whose in ((pair.reference, "reference"), (pair.candidate, "candidate")):
        if len(scores) < 2:
            raise UndefinedError(f"the {whose} has {_too_few(len(scores))}")
    scale = largest(pair.reference, pair.candidate)
    found = _welch(pair) if welch else _pooled(pair)
    are_constant = is_constant(pair.reference, scale) and is_constant(pair.candidate, scale)
    return MeanDifference(
        mean=mean(list(pair.candidate)) - mean(list(pair.reference)),
        error=0.0 if are_constant else found[0],
        df=found[1],
        nothing=NOISE * scale,
    )


def _pooled(pair: ScorePair) -> tuple[float, float]:
    """Standard error and degrees of freedom with one variance for both sides."""
    ours, theirs = len(pair.reference), len(pair.candidate)
    df = ours + theirs - 2
    squares = (ours - 1) * _variance(pair.reference) + (theirs - 1) * _variance(pair.candidate)
    return sqrt(squares / df * (1 / ours + 1 / theirs)), df


def _welch(pair: ScorePair) -> tuple[float, float]:
    """Standard error and Welch's degrees of freedom with a variance for each side."""
    ours, theirs = len(pair.reference), len(pair.candidate)
    one, other = _variance(pair.reference) / ours, _variance(pair.candidate) / theirs
    if not one + other:
        return 0.0, ours + theirs - 2
    # Shares, since squares of tiny variances would vanish.
    share = one / (one + other)
    return sqrt(one + other), 1 / (share**2 / (ours - 1) + (1 - share) ** 2 / (theirs - 1))


def _variance(values: Sequence[float]) -> float:
    """Of a sample."""
    middle = fsum(values) / len(values)
    return fsum([(value - middle) ** 2 for value in values]) / (len(values) - 1)


def _too_few(size: int) -> str:
    return "one topic, which has no variance" if size else "no topics"


def _tested(found: MeanDifference, constant: str, topics: int | None) -> Figure:
    """The two-sided test of a difference of 0."""
    if found.error:
        p, t = two_sided(found.t, found.df), found.t
    elif abs(found.mean) <= found.nothing:
        p, t = 1.0, 0.0
    else:
        raise UndefinedError(constant)
    details = {"statistic": t, "df": float(found.df), "difference": found.mean}
    return Figure(value=p, details=details, topics=topics)


@measure(
    "t_test",
    name="paired t-test",
    needs=Needs.scores,
    data=TopicPairing.same,
    definition="The two-sided p-value of Student's t-test that the mean difference of the topics' "
    "scores is 0; with the statistic, the degrees of freedom and the mean difference, "
    "candidate minus reference. If all topics have the same scores, p is 1 and the statistic 0.",
    range="[0, 1]",
    direction=Direction.none,
    identity=1.0,
    caveats=f"{_NO_EVIDENCE} Undefined for a single topic, and where every topic differs by the "
    "same amount, since there is no variance to measure the difference by.",
    assumes="That topics are a random sample of those that the claim is about, independent of "
    "each other, and "
    "that the mean of their differences is about normal: with about 25 topics or more it is, "
    "whatever the scores look like, unless a few topics dominate (wilcoxon).",
    asked="How large is the difference, and how sure (delta_arp with its interval)? How many runs were "
    "compared, and are the p-values corrected for that? Was the better run chosen on these topics? Do "
    "both sides have the same topics and judgements?",
    sentence="“MAP is higher by .016 (95 % bootstrap interval [.008, .026]), which is significant by a "
    "paired t-test on 93 topics (p = .0009; .0046 with Bonferroni's correction for 5 comparisons).”",
    cites=f"{_STUDENT}; {_BREUER}",
    repro_eval="The same values. It pairs topics by their order in the files; for identical runs "
    "it has 1 only if all measures are identical, else NaN; for a constant difference it has 0 or "
    "what rounding makes of it.",
)
def paired_t_test(pair: ScorePair) -> Figure:
    """Student's t-test of the differences."""
    constant = "every topic differs by the same amount, so there is no variance"
    return _tested(paired(pair), constant, len(pair.topics))


@measure(
    "t_test_unpaired",
    name="unpaired t-test",
    needs=Needs.scores,
    data=TopicPairing.other,
    definition="The two-sided p-value of Student's t-test, with equal variances, that the means of "
    "both sides are equal; with welch=1 that of Welch's test. It comes with the statistic, the "
    "degrees "
    "of freedom and the difference of means, candidate minus reference. If all scores of both "
    "sides are the same, p is 1 and the statistic 0.",
    range="[0, 1]",
    direction=Direction.none,
    identity=1.0,
    caveats=f"{_NO_EVIDENCE} Undefined where a side has a single topic, and where each side has "
    "the same score for all its topics and another one than the other side.",
    assumes="Two samples of topics that have nothing to do with each other, each as for t_test; with "
    "welch=0 the same variance on both sides, which matters where they have unequal numbers of topics.",
    asked="Why is it not paired? Topics of two collections differ in how hard they are, so a difference "
    "is one of collections as much as of systems. How many topics has each side?",
    sentence="“On the other collection MAP is lower by .072 (93 and 90 topics, unpaired t-test, p = .007), "
    "which does not separate the system from the collection.”",
    cites=f"{_STUDENT}; {_WELCH}; {_BREUER}",
    repro_eval="The same values with welch=0; NaN for a single topic, 0 or NaN without variance.",
    parameters={"welch": _WITH_WELCH},
)
def unpaired_t_test(pair: ScorePair, *, welch: int) -> Figure:
    """Student's or Welch's t-test of two sides."""
    constant = "each side has one score for all topics, so there is no variance"
    return _tested(_unpaired(pair, welch=bool(welch)), constant, None)


@measure(
    "wilcoxon",
    name="Wilcoxon's signed-rank test",
    needs=Needs.scores,
    data=TopicPairing.same,
    definition="The two-sided p-value that the differences of the topics' scores lie symmetrically "
    "around 0. Topics without a difference are left out, the others ranked by the size of the "
    "difference, equal ones at their mean rank; the statistic is the smaller sum of the ranks with "
    "the same sign. Exact (exact = 1) up to 50 topics if no differences are 0 or equal, and up to "
    "13 topics in any case; otherwise by the normal distribution with the variance corrected for "
    "ties and without continuity correction. If all topics have the same scores, p is 1 and the "
    "statistic 0.",
    range="[0, 1]",
    direction=Direction.none,
    identity=1.0,
    caveats=f"{_NO_EVIDENCE} Differences are rounded to 12 digits of the largest score, so that "
    "0.3 - 0.2 and 0.2 - 0.1 are equal. Undefined for a single topic.",
    assumes="Independent topics, and differences that would lie symmetrically around 0 if the runs were "
    "equally good. It says nothing of means: some large losses do not outweigh many small gains.",
    asked="Why this test, if the figure is a mean? How many topics differ at all (differing), and was it "
    "chosen before the t-test was seen? Is it corrected for the number of comparisons?",
    sentence="“The differences on the 90 topics that differ do not lie symmetrically around 0 (Wilcoxon's "
    "signed-rank test, p = .0006).”",
    cites=_WILCOXON,
    repro_eval="It has no such measure; the values are those of scipy.stats.wilcoxon 1.17 for "
    "differences that are rounded alike.",
)
def signed_rank_test(pair: ScorePair) -> Figure:
    """Wilcoxon's test, exact where scipy's is."""
    size = len(pair.topics)
    if size < 2:
        raise UndefinedError("one topic, which is not a distribution" if size else "no topics")
    gains = [after - before for before, after in zip(pair.reference, pair.candidate, strict=True)]
    gains = [gain for gain in denoised(gains, largest(pair.reference, pair.candidate)) if gain]
    doubled = _doubled_ranks([abs(gain) for gain in gains])
    positive = sum(rank for rank, gain in zip(doubled, gains, strict=True) if gain > 0)
    negative = sum(doubled) - positive
    is_tied = len(set(doubled)) < size
    is_exact = size <= (_EXACT_WITH_TIES if is_tied else _EXACT)
    smaller = min(positive, negative)
    p = _exact_p(tuple(sorted(doubled)), smaller) if is_exact else _normal_p(doubled, smaller)
    details = {"statistic": smaller / 2, "differing": float(len(gains)), "exact": float(is_exact)}
    return Figure(value=p, details=details, topics=size)


def _doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the rank of each value from the smallest on, so that mean ranks are whole numbers."""
    ranks, below = {}, 0
    for value, times in sorted(Counter(sizes).items()):
        ranks[value] = 2 * below + times + 1
        below += times
    return [ranks[value] for value in sizes]


def _exact_p(doubled: tuple[int, ...], smaller: int) -> float:
    """Twice the share of all signs that give a sum as small."""
    total = sum(_signs(doubled)[: smaller + 1])
    return min(1.0, 2 * total / (1 << len(doubled)))


@lru_cache(maxsize=64)
def _signs(doubled: tuple[int, ...]) -> list[int]:
    """For each sum, how many choices of signs give it to the positive ranks.

    The coefficients of the product of all 1 + x^rank, each in 64 bits of a large number.
    """
    product = 1
    for rank in doubled:
        product += product << (rank * _LANE)
    # Counts of sums are symmetric, so the order of bytes decides about nothing but the bytes.
    data = product.to_bytes((sum(doubled) + 1) * _LANE // 8, sys.byteorder)
    return list(memoryview(data).cast("Q"))


def _normal_p(doubled: Sequence[int], smaller: int) -> float:
    """By the normal distribution."""
    size = len(doubled)
    if not size:
        return 1.0
    ties = sum(times**3 - times for times in Counter(doubled).values())
    variance = (size * (size + 1) * (2 * size + 1) - ties / 2) / 24
    z = (size * (size + 1) / 4 - smaller / 2) / sqrt(variance)
    return 2 * normal_tail(z)


def _margin(pair: ScorePair, margin: float | None, percent: float | None) -> float:
    """The margin in the unit of the measure; `UndefinedError` where this has no scale."""
    if not has_scale(pair.on):
        raise UndefinedError(f"{pair.on} does not range from 0 to 1, so a margin has no meaning")
    if margin is not None:
        return margin
    found = abs(mean(list(pair.reference))) * (percent or 0) / 100
    if not found:
        raise UndefinedError("the reference's mean is 0, so a percentage of it is no margin")
    return found


def _equivalent(found: MeanDifference, margin: float, level: float, topics: int | None) -> Figure:
    """Two one-sided tests that a difference is larger than -margin and smaller than margin."""
    if found.error:
        below = student_tail((found.mean + margin) / found.error, found.df)
        above = student_tail((margin - found.mean) / found.error, found.df)
        p, reach = max(below, above), student_quantile(level, found.df) * found.error
    else:
        # What the tests tend to when the variance vanishes.
        p, reach = float(abs(found.mean) >= margin - found.nothing), 0.0
    details = {
        "difference": found.mean,
        "low": found.mean - reach,
        "high": found.mean + reach,
        "df": float(found.df),
        "margin": margin,
    }
    return Figure(value=p, details=details, topics=topics)


_WITHOUT_VARIANCE: Final = (
    "Without variance it is decided by the difference: p is 0 if it is smaller than the margin, "
    "else 1, which is what p tends to as the variance vanishes."
)


@measure(
    "tost",
    name="paired equivalence test",
    needs=Needs.scores,
    data=TopicPairing.same,
    definition="Two one-sided paired t-tests that the mean difference of the topics' scores lies "
    "above -margin and below margin; p is the larger of both. It comes with the mean difference, "
    "candidate minus reference, and its interval (low, high) of 1 - 2 level: the runs are "
    "equivalent at the level where it lies between the margins, and p is then below the level. "
    + _WITHOUT_VARIANCE,
    range="[0, 1]",
    direction=Direction.lower,
    identity=0.0,
    caveats="A low p is evidence that the mean scores differ by less than the margin, which must "
    "be chosen beforehand and argued for: a margin of 0.05 calls most runs equivalent where MAP is "
    "0.3. So no margin is the usual one, and without a margin there is no test. Differences of topics "
    "cancel out: see rmse. Undefined for a single topic, for counts and other measures that do not "
    "lie between 0 and 1.",
    assumes="As t_test, and a margin that was fixed before the scores were seen.",
    asked="Why this margin? A difference that users or earlier work call irrelevant is an argument, a "
    "percentage is not. Is power enough: with few topics nothing is equivalent.",
    sentence="“MAP is equivalent within ±.02, which we fixed before the runs were made because … (two "
    "one-sided paired t-tests on 93 topics, p < .0001).”",
    cites=_SCHUIRMANN,
    parameters=_EQUIVALENCE,
    one_of=_MARGINS,
)
def equivalence_test(
    pair: ScorePair, *, level: float, margin: float | None = None, percent: float | None = None
) -> Figure:
    """Whether a run is as good as the reference, topic by topic."""
    return _equivalent(paired(pair), _margin(pair, margin, percent), level, len(pair.topics))


@measure(
    "tost_unpaired",
    name="unpaired equivalence test",
    needs=Needs.scores,
    data=TopicPairing.other,
    definition="Two one-sided t-tests, with equal variances, that the difference of the mean scores "
    "lies above -margin and below margin; p is the larger of both. It comes with the difference, "
    "candidate minus reference, and its interval (low, high) of 1 - 2 level. With welch=1 by "
    "Welch's test. " + _WITHOUT_VARIANCE,
    range="[0, 1]",
    direction=Direction.lower,
    identity=None,
    caveats="As of tost. Sides with other topics differ by chance, so it takes many topics.",
    assumes="As t_test_unpaired, and a margin that was fixed before the scores were seen.",
    asked="As of tost and of t_test_unpaired: why this margin, and is it the system or the collection?",
    sentence="“On the other topics MAP is equivalent within ±.1, which we fixed beforehand because … (two "
    "one-sided unpaired t-tests, 90 and 90 topics, p = .03).”",
    cites=f"{_SCHUIRMANN}; {_WELCH}",
    parameters={**_EQUIVALENCE, "welch": _WITH_WELCH},
    one_of=_MARGINS,
)
def unpaired_equivalence_test(
    pair: ScorePair,
    *,
    level: float,
    welch: int,
    margin: float | None = None,
    percent: float | None = None,
) -> Figure:
    """Whether a run is as good on its topics as the reference on others."""
    found = _unpaired(pair, welch=bool(welch))
    return _equivalent(found, _margin(pair, margin, percent), level, None)


# Many runs --------------------------------------------------------------------------------

_CARTERETTE: Final = (
    "Carterette, Multiple testing in statistical analysis of systems-based information retrieval "
    "experiments, ACM TOIS 30(1), 2012, doi:10.1145/2094072.2094076"
)
# Whole numbers, whose sums depend on no order: steps of so small a share of the largest score.
_STEPS: Final = 2.0**40
# Scores that are permuted at a time.
_AT_ONCE: Final = 1 << 22


@measure(
    "tukey_hsd",
    name="randomised Tukey HSD",
    needs=Needs.runs,
    data=TopicPairing.same,
    definition="The share of samples in which the largest difference of the means of any two runs is at "
    "least as large as that of the pair, where a sample permutes the scores of each topic among all "
    "runs; the observed scores count as one of the samples. So p-values are corrected for all pairs "
    "of the matrix.",
    range="(0, 1]",
    direction=Direction.none,
    identity=1.0,
    caveats="It is about all runs of the matrix: one more run changes every value. A high p is no "
    "evidence that runs are equal. No p is smaller than 1 / (samples + 1). Topics that a run lacks are "
    "left out for all.",
    assumes="Independent topics, and that the runs of a topic could be exchanged if they were equally "
    "good; neither normal scores nor equal variances of topics.",
    asked="Which runs are in the family, and were some left out after the scores were seen? How large are "
    "the differences?",
    sentence="“Of the 253 pairs of 23 runs 72 differ by a randomised Tukey HSD test (10,000 samples, "
    "p < .05).”",
    cites=_CARTERETTE,
    parameters={
        "samples": Parameter(10_000, "permutations", 100, 1_000_000),
        "seed": Parameter(0, "seed of the permutations", 0, 2**31 - 1),
    },
)
def tukey_hsd(given: ManyScores, *, samples: int, seed: int) -> NDArray[np.float64]:
    """The p-value of each pair."""
    import numpy as np

    if len(given.topics) < 2:
        raise UndefinedError(
            "only one topic in common, so permutations are not informative"
            if given.topics
            else "the runs have no topic in common"
        )
    scores = np.array(given.runs, np.float64).T  # a row for each topic
    largest = float(np.abs(scores).max()) or 1.0
    steps = np.rint(scores / largest * _STEPS).astype(np.int64)
    ranges = np.sort(_ranges(steps, samples, seed))
    sums = steps.sum(axis=0)
    # Each score is off by half a step at most; differences that are equal but for that are equal.
    least = np.abs(sums[:, None] - sums) - 2 * len(steps)
    reached = samples - np.searchsorted(ranges, least, side="left")
    found: NDArray[np.float64] = (1 + reached) / (1 + samples)
    return found


def _ranges(steps: NDArray[np.int64], samples: int, seed: int) -> NDArray[np.int64]:
    """Of each sample the largest difference of two runs."""
    import numpy as np

    draws = np.random.Generator(np.random.PCG64(seed))
    found = np.empty(samples, np.int64)
    at_once = max(1, _AT_ONCE // steps.size)
    for start in range(0, samples, at_once):
        count = min(at_once, samples - start)
        order = draws.random((count, *steps.shape)).argsort(axis=2)
        sums = np.take_along_axis(np.broadcast_to(steps, order.shape), order, axis=2).sum(axis=1)
        found[start : start + count] = sums.max(axis=1) - sums.min(axis=1)
    return found
