"""Whether an improvement was reproduced: effect ratio and delta relative improvement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from primad_ld.measures.catalogue.significance import paired_t_test
from primad_ld.measures.distribution_tails import NOISE, largest
from primad_ld.measures.measure_values import (
    Effects,
    Figure,
    ScorePair,
    UndefinedError,
    finite,
    mean,
)
from primad_ld.measures.registry import Direction, Needs, TopicPairing, measure
from primad_ld.measures.resampling import CITE, PARAMETERS, Bootstrap

_BREUER: Final = (
    "Breuer et al., How to measure the reproducibility of system-oriented IR experiments, "
    "SIGIR 2020, doi:10.1145/3397271.3401036"
)
_INTERVAL: Final = (
    " It comes with a percentile bootstrap interval (low, high), whose samples draw topics with "
    "the scores of all four runs; if the reproductions have other topics, those are drawn "
    "separately. Samples without a value are left out and their share is reported (undefined). "
    "If it is more than 5 %, or if there is a single topic, there is no interval."
)
# In each sample; without those that have no value.
_Means = list[float]


@measure(
    "er",
    name="effect ratio",
    needs=Needs.effects,
    data=TopicPairing.any,
    definition="The mean improvement of the reproduced advanced run over the reproduced baseline, "
    "divided by that of the original runs." + _INTERVAL,
    range="(-∞, ∞)",
    direction=Direction.nearer,
    identity=1.0,
    caveats="1 is the same effect, between 0 and 1 a weaker one, below 0 the opposite. Undefined "
    "where the original runs are equally good, and unstable where they nearly are: look at the "
    "interval, at both effects (original, reproduced), and at the p-value of the paired t-test of "
    "the original one (original_p), which tables show if it is 0.05 or more. Effects below "
    "1e-12 of the largest score are rounding and count as 0.",
    cites=f"{_BREUER}; {CITE}",
    repro_eval="The same values; ±inf or NaN where the original effect is 0, or a huge number "
    "where rounding keeps it from being exactly 0. No interval.",
    parameters=PARAMETERS,
)
def effect_ratio(effects: Effects, *, samples: int, level: float, seed: int) -> Figure:
    """How much of the original improvement the reproduction has."""
    _check_topics(effects)
    nothing = _nothing(effects.baseline, effects.advanced)
    original = _gains(effects.baseline, effects.advanced)
    reproduced = _gains(effects.reproduced_baseline, effects.reproduced_advanced)
    effect, before = mean(reproduced), mean(original)
    if abs(before) <= nothing:
        rest = _nothing(effects.reproduced_baseline, effects.reproduced_advanced)
        raise UndefinedError(
            f"{'both effects are' if abs(effect) <= rest else 'the original effect is'} 0"
        )

    def of_samples(original: _Means, reproduced: _Means) -> _Means:
        both = zip(original, reproduced, strict=True)
        return [after / before for before, after in both if abs(before) > nothing]

    bootstrap = Bootstrap(samples=samples, level=level, seed=seed)
    details = _interval(effects, [original], [reproduced], of_samples, bootstrap)
    details |= {"original": before, "original_p": _p_of(effects), "reproduced": effect}
    return Figure(value=finite(effect / before), details=details, topics=len(effects.baseline))


@measure(
    "dri",
    name="delta relative improvement",
    needs=Needs.effects,
    data=TopicPairing.any,
    definition="The relative improvement of the original runs, (advanced - baseline) / baseline of "
    "the mean scores, minus that of the reproduced runs." + _INTERVAL,
    range="(-∞, ∞)",
    direction=Direction.nearer,
    identity=0.0,
    caveats="Positive where the reproduction improves less than the original. Undefined where a "
    "baseline has a mean score of 0.",
    cites=f"{_BREUER}; {CITE}",
    repro_eval="The same values; ±inf or NaN where a baseline's mean is 0. No interval.",
    parameters=PARAMETERS,
)
def delta_relative_improvement(
    effects: Effects, *, samples: int, level: float, seed: int
) -> Figure:
    """How far apart the relative improvements are."""
    _check_topics(effects)
    nothing, least = _nothing(effects.baseline), _nothing(effects.reproduced_baseline)
    original = _relative_improvement(effects.baseline, effects.advanced, "original")
    reproduced = _relative_improvement(
        effects.reproduced_baseline, effects.reproduced_advanced, "reproduced"
    )

    def of_samples(base: _Means, gain: _Means, base_again: _Means, gain_again: _Means) -> _Means:
        return [
            more / less - more_again / less_again
            for less, more, less_again, more_again in zip(
                base, gain, base_again, gain_again, strict=True
            )
            if abs(less) > nothing and abs(less_again) > least
        ]

    details = _interval(
        effects,
        [effects.baseline, _gains(effects.baseline, effects.advanced)],
        [
            effects.reproduced_baseline,
            _gains(effects.reproduced_baseline, effects.reproduced_advanced),
        ],
        of_samples,
        Bootstrap(samples=samples, level=level, seed=seed),
    )
    value = finite(original - reproduced)
    return Figure(value=value, details=details, topics=len(effects.baseline))


# Effects ----------------------------------------------------------------------------------


def _gains(baseline: Sequence[float], advanced: Sequence[float]) -> list[float]:
    """What the advanced run has more, topic by topic."""
    return [more - less for less, more in zip(baseline, advanced, strict=True)]


def _p_of(effects: Effects) -> float | None:
    """Of the paired t-test of the original effect; None where there is none."""
    size = range(len(effects.baseline))
    pair = ScorePair(
        on=effects.on,
        reference=effects.baseline,
        candidate=effects.advanced,
        topics=tuple(map(str, size)),
    )
    try:
        found: Figure = paired_t_test(pair)
    except UndefinedError:
        return None
    return found.value


def _relative_improvement(
    baseline: Sequence[float], advanced: Sequence[float], whose: str
) -> float:
    """The improvement as a share of the baseline's mean score."""
    before, after = mean(list(baseline)), mean(list(advanced))
    if abs(before) <= _nothing(baseline):
        raise UndefinedError(f"the {whose} baseline has a mean score of 0")
    return finite((after - before) / before)


def _nothing(*scores: Sequence[float]) -> float:
    """Up to which size a mean of scores, or of their differences, is 0 but for rounding."""
    return NOISE * largest(*scores)


def _check_topics(effects: Effects) -> None:
    if not (effects.baseline and effects.reproduced_baseline):
        raise UndefinedError("there are no topics to average over")


def _interval(
    effects: Effects,
    original: Sequence[Sequence[float]],
    reproduced: Sequence[Sequence[float]],
    of_samples: Callable[..., _Means],
    bootstrap: Bootstrap,
) -> dict[str, float | None]:
    """The interval of what is computed from means of the original and of the reproduced scores."""
    if not bootstrap.samples:
        return {}
    if min(len(effects.baseline), len(effects.reproduced_baseline)) < 2:
        return {"low": None, "high": None}
    means = [bootstrap.means(values) for values in original]
    side = 0 if effects.is_paired else 1
    means += [bootstrap.means(values, side) for values in reproduced]
    found = of_samples(*means)
    interval = bootstrap.of_samples(found)
    share = (bootstrap.samples - len(found)) / bootstrap.samples
    return {"low": interval.low, "high": interval.high, "undefined": share}
