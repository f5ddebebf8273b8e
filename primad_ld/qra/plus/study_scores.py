"""The scores that studies gave systems, and the conclusions that they lead to (Type IV of QRA++).

Scores of a study belong together, and those of several studies are compared: as sets in
`primad_ld.qra.plus.sets`, and here by which of two systems each study sees ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, fsum
from operator import eq
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.distribution_tails import NOISE, largest
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.plus.levels import LevelResult, ResultLevel, why_none

_NO_STUDY: Final = (
    "nothing says in whose study this was measured, and scores of a study belong together"
)
#: Pairs of systems, times the pairs of studies.
_MOST_COMPARISONS: Final = 20_000_000


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

    def result(self, statistic: str, value: float | None, **more: Any) -> LevelResult:
        """A result of the criterion: of conclusions, or else of sets of scores."""
        return LevelResult(
            type="IV" if statistic.startswith("upheld") else "II",
            level=ResultLevel.criterion,
            statistic=statistic,
            value=value,
            group=self.group,
            criterion=self.criterion,
            **more,
        )


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
        every = [one for some in criteria.values() for one in some]
        originals = tuple(dict.fromkeys(one.study for one in every if one.is_original))
        found.append([_score_set(some, originals) for some in criteria.values()])
    return found


def _score_set(measurements: Sequence[Measurement], originals: tuple[str, ...]) -> ScoreSet:
    studies: dict[str, dict[str, list[Measurement]]] = {}
    for one in measurements:
        studies.setdefault(one.study, {}).setdefault(one.object, []).append(one)
    for some in studies.values():
        first, *others = [one for each in some.values() for one in each]
        for one in others:
            if (one.scale.ends, one.is_percent) != (first.scale.ends, first.is_percent):
                raise one.error(
                    f"it is on another scale or in another unit than {first.name}",
                    "put what a study measured for one criterion on one scale",
                )
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


def _score(measurements: Sequence[Measurement]) -> float:
    values = [one.value for one in measurements]
    # Equal values keep their value to the last bit; else each is divided before it is summed,
    # since the sum of huge ones may be beyond what a number can be.
    same = len(set(values)) == 1
    found = values[0] if same else fsum([value / len(values) for value in values])
    return -found + 0.0 if measurements[0].scale.is_lower_better else found


# Ties -------------------------------------------------------------------------------------


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


# Conclusions ------------------------------------------------------------------------------


def assess_conclusions(
    table: MeasurementTable, *, with_original_only: bool = False
) -> tuple[LevelResult, ...]:
    """The share of conclusions that are upheld, for each criterion and for each group.

    A conclusion is which of two systems is better, and whether one is. Each pair of studies
    compares each pair of systems that both measured: the conclusion is upheld where both prefer
    the same system or both see a tie, but not where one sees a tie and the other does not. The
    figure of a group is made of its pooled counts.

    ``with_original_only`` leaves out pairs of reproductions: which conclusions of the original
    study were upheld? It is another figure under another name.
    """
    found: list[LevelResult] = []
    for sets in score_sets(table):
        criteria = [_of_criterion(one, _original_of(one, with_original_only)) for one in sets]
        found += [*criteria, _pooled(criteria)]
    return tuple(found)


def _original_of(scores: ScoreSet, is_wanted: bool) -> str | None:
    if not is_wanted:
        return None
    if len(scores.originals) != 1:
        where = f" of {scores.group}" if scores.group else ""
        there = f"{len(scores.originals)} of the studies are" if scores.originals else "no study is"
        raise MeasureError(
            f"conclusions of the original study{where}: {there} marked as the original one; "
            "mark one: in YAML 'original: true', for a table --original STUDY"
        )
    return scores.originals[0]


def _of_criterion(scores: ScoreSet, original: str | None) -> LevelResult:
    studies, objects = len(scores.scores), len(scores.objects)
    pairs = [pair for pair in combinations(scores.scores, 2) if original in (None, *pair)]
    whole = len(pairs) * comb(objects, 2)
    if whole > _MOST_COMPARISONS:
        raise MeasureError(
            f"{scores.criterion}: there are {objects:,} systems and {studies:,} studies, which are "
            f"{whole:,} comparisons; at most {_MOST_COMPARISONS:,} are made. "
            "Do --object and --study name the right columns?"
        )
    upheld = total = 0
    for ours, theirs in ((scores.scores[one], scores.scores[other]) for one, other in pairs):
        common = [name for name in ours if name in theirs]
        total += comb(len(common), 2)
        upheld += sum(map(eq, _conclusions(common, ours), _conclusions(common, theirs)))
    missing = whole - total
    left_out = (
        f"{missing} comparison{'s' * (missing != 1)} of systems that not both studies measured"
    )
    counts = {"upheld": upheld, "total": total, "not_compared": missing}
    return scores.result(
        "upheld" if original is None else "upheld_with_original",
        upheld / total if total else None,
        reason="" if total else _without_conclusions(scores, original),
        n={"studies": studies, "objects": objects, **counts},
        left_out=(left_out,) if missing and total else (),
    )


def _conclusions(objects: Sequence[str], scores: Mapping[str, float]) -> Iterator[int]:
    """What a study concludes of each pair of systems: -1, 0 or 1."""
    nothing = tolerance(scores.values())
    for left, right in combinations([scores[name] for name in objects], 2):
        yield 0 if abs(left - right) <= nothing else 1 if left > right else -1


def _without_conclusions(scores: ScoreSet, original: str | None) -> str:
    if original is not None and original not in scores.scores:
        return f"the original study, {original}, did not measure it"
    if len(scores.scores) < 2:
        return "there is one study: a conclusion is upheld by another one"
    if len(scores.objects) < 2:
        return "there is one system: a conclusion is about two"
    return "no two studies measured the same two systems"


def _pooled(criteria: Sequence[LevelResult]) -> LevelResult:
    counts = {
        key: sum(one.n[key] for one in criteria) for key in ("upheld", "total", "not_compared")
    }
    total = counts["total"]
    missing = [f"{one.criterion}: {one.reason}" for one in criteria if one.value is None]
    return replace(
        criteria[0],
        level=ResultLevel.group,
        criterion="",
        value=counts["upheld"] / total if total else None,
        reason="" if total else why_none(missing, "criteria"),
        n={
            "criteria": len(criteria),
            "criteria_with_value": len(criteria) - len(missing),
            **counts,
        },
        left_out=tuple(missing) if total else (),
    )
