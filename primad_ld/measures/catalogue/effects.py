"""Whether an improvement was reproduced: effect ratio and delta relative improvement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from primad_ld.measures.figures import Figure, UndefinedError, finite, mean
from primad_ld.measures.inputs import Effects
from primad_ld.measures.registry import Data, Direction, Needs, measure

_BREUER: Final = (
    "Breuer et al., How to measure the reproducibility of system-oriented IR experiments, "
    "SIGIR 2020, doi:10.1145/3397271.3401036"
)


def improvement(baseline: Sequence[float], advanced: Sequence[float]) -> float:
    """The mean over topics of what the advanced run has more."""
    return mean([more - less for less, more in zip(baseline, advanced, strict=True)])


def relative_improvement(baseline: Sequence[float], advanced: Sequence[float], whose: str) -> float:
    """The improvement as a share of the baseline's mean score."""
    before, after = mean(list(baseline)), mean(list(advanced))
    if before == 0:
        raise UndefinedError(f"the {whose} baseline has a mean score of 0")
    return finite((after - before) / before)


@measure(
    "er",
    name="effect ratio",
    needs=Needs.effects,
    data=Data.any,
    definition="The mean improvement of the reproduced advanced run over the reproduced baseline, "
    "divided by that of the original runs.",
    range="(-∞, ∞)",
    direction=Direction.nearer,
    identity=1.0,
    caveats="1 is the same effect, between 0 and 1 a weaker one, below 0 the opposite. Undefined "
    "where the original runs are equally good, and unstable where they nearly are: look at the "
    "interval.",
    cites=_BREUER,
    repro_eval="The same values; ±inf or NaN where the original effect is 0.",
)
def effect_ratio(effects: Effects) -> Figure:
    """How much of the original improvement the reproduction has."""
    original = improvement(effects.baseline, effects.advanced)
    reproduced = improvement(effects.reproduced_baseline, effects.reproduced_advanced)
    if original == 0:
        both = "both effects are" if reproduced == 0 else "the original effect is"
        raise UndefinedError(f"{both} 0")
    return Figure(value=finite(reproduced / original), topics=len(effects.baseline))


@measure(
    "dri",
    name="delta relative improvement",
    needs=Needs.effects,
    data=Data.any,
    definition="The relative improvement of the original runs, (advanced - baseline) / baseline of "
    "the mean scores, minus that of the reproduced runs.",
    range="(-∞, ∞)",
    direction=Direction.nearer,
    identity=0.0,
    caveats="Positive where the reproduction improves less than the original. Undefined where a "
    "baseline has a mean score of 0.",
    cites=_BREUER,
    repro_eval="The same values; ±inf or NaN where a baseline's mean is 0.",
)
def delta_relative_improvement(effects: Effects) -> Figure:
    """How far apart the relative improvements are."""
    original = relative_improvement(effects.baseline, effects.advanced, "original")
    reproduced = relative_improvement(
        effects.reproduced_baseline, effects.reproduced_advanced, "reproduced"
    )
    return Figure(value=finite(original - reproduced), topics=len(effects.baseline))
