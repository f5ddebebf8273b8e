"""How far the scores of two runs are apart, on average and topic by topic."""

from __future__ import annotations

from math import dist, sqrt
from typing import Final

from primad_ld.measures.measure_values import Figure, ScorePair, UndefinedError, finite, mean
from primad_ld.measures.registry import Direction, Needs, TopicPairing, measure
from primad_ld.measures.resampling import CITE, PARAMETERS, Bootstrap, Interval

_BREUER: Final = (
    "Breuer et al., How to measure the reproducibility of system-oriented IR experiments, "
    "SIGIR 2020, doi:10.1145/3397271.3401036"
)


# On average -------------------------------------------------------------------------------


@measure(
    "delta_arp",
    name="difference of average retrieval performance",
    needs=Needs.scores,
    data=TopicPairing.any,
    definition="The mean score of the candidate minus that of the reference, with both means and "
    "a percentile bootstrap interval (low, high). Where both have the same topics, a "
    "sample draws topics, each with both scores; otherwise each side draws its own. With B samples "
    "and k = (B + 1)(1 - level) / 2, rounded down, the ends are the k-th smallest and the k-th "
    "largest difference.",
    range="(-∞, ∞)",
    direction=Direction.nearer,
    identity=0.0,
    caveats="Negative where the reproduction is worse. Differences of topics cancel out: see rmse. "
    "A single topic has no interval. That the interval holds 0 is no evidence of equal means: see "
    "tost.",
    cites=f"{_BREUER}; {CITE}",
    repro_eval="It has the means, without their difference or an interval.",
    parameters=PARAMETERS,
)
def delta_arp(pair: ScorePair, *, samples: int, level: float, seed: int) -> Figure:
    """The difference of the mean scores, and how sure it is."""
    if not (pair.reference and pair.candidate):
        raise UndefinedError("there are no topics to average over")
    before, after = mean(list(pair.reference)), mean(list(pair.candidate))
    details: dict[str, float | None] = {"reference": before, "candidate": after}
    bootstrap = Bootstrap(samples=samples, level=level, seed=seed)
    if samples:
        interval = _interval(pair, bootstrap)
        details |= {"low": interval.low, "high": interval.high}
    if pair.is_paired:
        # Of the differences, which are 0 where scores are the same.
        return Figure(value=finite(mean(_gains(pair))), details=details, topics=len(pair.topics))
    return Figure(value=finite(after - before), details=details)


def _interval(pair: ScorePair, bootstrap: Bootstrap) -> Interval:
    if pair.is_paired:
        return bootstrap.of_mean(_gains(pair))
    if min(len(pair.reference), len(pair.candidate)) < 2:
        return Interval()
    before, after = bootstrap.means(pair.reference), bootstrap.means(pair.candidate, side=1)
    return bootstrap.of_samples([more - less for less, more in zip(before, after, strict=True)])


def _gains(pair: ScorePair) -> list[float]:
    return [after - before for before, after in zip(pair.reference, pair.candidate, strict=True)]


# Topic by topic ---------------------------------------------------------------------------


@measure(
    "rmse",
    name="root mean square error",
    needs=Needs.scores,
    data=TopicPairing.same,
    definition="The root of the mean over topics of the squared difference between the scores.",
    range="[0, ∞)",
    direction=Direction.lower,
    identity=0.0,
    caveats="In the unit of the measure, so it cannot be compared between measures: see nrmse.",
    cites=_BREUER,
    repro_eval="The same values. Topics that one run lacks make it fail; here they count as 0.",
)
def root_mean_square_error(pair: ScorePair) -> Figure:
    """RMSE of the scores by topic."""
    size = _count(pair)
    differences = [
        theirs - ours for ours, theirs in zip(pair.reference, pair.candidate, strict=True)
    ]
    return Figure(
        value=_error(pair),
        by_topic=dict(zip(pair.topics, differences, strict=True)),
        topics=size,
    )


@measure(
    "nrmse",
    name="normalised root mean square error",
    needs=Needs.scores,
    data=TopicPairing.same,
    definition="RMSE divided by the largest that any scores in [0, 1] could have against the "
    "reference: the root of the mean of max(x, 1 - x)².",
    range="[0, 1]",
    direction=Direction.lower,
    identity=0.0,
    caveats="Not symmetric, since only the reference's scores are in the divisor. Undefined where a "
    "score lies outside [0, 1].",
    cites="Maistro et al., An in-depth investigation on the behavior of measures to quantify "
    "reproducibility, IP&M 60(3), 2023, doi:10.1016/j.ipm.2023.103332",
    repro_eval="The same values in [0, 1]; outside, it gives a meaningless number.",
)
def normalised_error(pair: ScorePair) -> Figure:
    """RMSE as a share of the largest possible one."""
    _count(pair)
    lowest = min(*pair.reference, *pair.candidate)
    highest = max(*pair.reference, *pair.candidate)
    if lowest < 0 or highest > 1:
        outside = lowest if lowest < 0 else highest
        raise UndefinedError(f"scores lie outside [0, 1]: {outside:.6g}")
    largest = sqrt(mean([max(score, 1 - score) ** 2 for score in pair.reference]))
    return Figure(value=_error(pair) / largest, topics=len(pair.topics))


def _count(pair: ScorePair) -> int:
    """How many topics there are; without any, nothing is defined."""
    if not pair.topics:
        raise UndefinedError("there are no topics to compare")
    return len(pair.topics)


def _error(pair: ScorePair) -> float:
    return finite(dist(pair.reference, pair.candidate) / sqrt(len(pair.topics)))
