"""The scores that studies gave systems: what sets of scores and conclusions are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from primad_ld.measures.special import NOISE, largest
from primad_ld.qra.measurements import Measurement, MeasurementTable

_NO_STUDY: Final = (
    "nothing says in whose study this was measured, and scores of a study belong together"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoreSet:
    """What the studies of a group say of the systems, for one criterion."""

    group: str
    criterion: str
    #: By study, then by system: a higher one is better, wherever a lower value is.
    scores: Mapping[str, Mapping[str, float]]
    #: The systems that any study measured, in their order.
    objects: tuple[str, ...]
    #: The studies that are the original one; there should be no second.
    originals: tuple[str, ...] = ()


def score_sets(table: MeasurementTable) -> list[list[ScoreSet]]:
    """The sets of scores of each group, by criterion.

    Several values that one study has for a system count as their mean. Values on a scale where
    lower is better are turned round, so studies on opposite scales can be compared; within one
    criterion that changes no correlation and no conclusion. `HeaderError` where a measurement
    has no study, or where the values of a study are on several scales.
    """
    groups: dict[str, dict[str, list[Measurement]]] = {}
    for one in table.measurements:
        if not one.study:
            raise one.error(_NO_STUDY, "name the study: in YAML 'study: …', in a table its column")
        groups.setdefault(one.group, {}).setdefault(one.measurand, []).append(one)
    found = []
    for criteria in groups.values():
        originals = _originals(one for some in criteria.values() for one in some)
        found.append([_score_set(some, originals) for some in criteria.values()])
    return found


def _originals(measurements: Iterable[Measurement]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.study for one in measurements if one.is_original))


def _score_set(measurements: Sequence[Measurement], originals: tuple[str, ...]) -> ScoreSet:
    studies: dict[str, dict[str, list[Measurement]]] = {}
    for one in measurements:
        studies.setdefault(one.study, {}).setdefault(one.object, []).append(one)
    for some in studies.values():
        _refuse_mixture([one for each in some.values() for one in each])
    return ScoreSet(
        group=measurements[0].group,
        criterion=measurements[0].measurand,
        scores={
            study: {name: _score(each) for name, each in some.items()}
            for study, some in studies.items()
        },
        objects=tuple(dict.fromkeys(one.object for one in measurements)),
        originals=originals,
    )


def _refuse_mixture(measurements: Sequence[Measurement]) -> None:
    """Scores of a study are compared with each other, so they have to be on one scale."""
    first = measurements[0]
    for one in measurements:
        if _unit(one) != _unit(first):
            raise one.error(
                f"it is on another scale or in another unit than {first.name}",
                "put what a study measured for one criterion on one scale",
            )


def _unit(one: Measurement) -> tuple[object, ...]:
    scale = one.scale
    return scale.minimum, scale.maximum, scale.is_lower_better, one.is_percent


def _score(measurements: Sequence[Measurement]) -> float:
    values = [one.value for one in measurements]
    # Equal values keep their value to the last bit; else each is divided before it is summed,
    # since the sum of huge ones may be beyond what a number can be.
    same = len(set(values)) == 1
    found = values[0] if same else fsum([value / len(values) for value in values])
    return -found + 0.0 if measurements[0].scale.is_lower_better else found


# Ties --------------------------------------------------------------------------------------


def tolerance(scores: Iterable[float]) -> float:
    """Scores that are closer than this are tied: the rest is rounding, as of a mean."""
    return NOISE * largest(scores)


def doubled_ranks(scores: Sequence[float]) -> list[int]:
    """Twice the rank of each score, so that the mean rank of tied ones is a whole number."""
    nothing = tolerance(scores)
    order = sorted(range(len(scores)), key=scores.__getitem__)
    ranks = [0] * len(scores)
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and scores[order[end]] - scores[order[start]] <= nothing:
            end += 1
        for place in order[start:end]:
            ranks[place] = start + 1 + end
        start = end
    return ranks
