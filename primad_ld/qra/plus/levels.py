"""Results of QRA++ at their levels, and those of Type I: CV* of single scores.

A result is of a single cell, a study, a criterion, or all that belongs together. The results of
Type I are CV* of each cell, and their means by criterion and for all criteria together.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import PrecisionAssessment, assess


class ResultLevel(enum.StrEnum):
    """What a result is of."""

    #: One system and one criterion.
    cell = "cell"
    #: One study and one criterion.
    study = "study"
    #: One criterion, over all its systems or raters.
    criterion = "criterion"
    #: All criteria of an original experiment and its reproductions.
    group = "group"


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelResult:
    """One figure of QRA++, and what it was made of."""

    #: I: single scores, II: sets of scores, III: labels, IV: conclusions.
    type: str
    level: ResultLevel
    #: What the figure is: ``cv_star``, ``pearson_r``, ``fleiss_kappa`` …
    statistic: str
    #: None where there is none, and why.
    value: float | None
    reason: str = ""
    group: str = ""
    criterion: str = ""
    study: str = ""
    object: str = ""
    #: The formula of CV*, for results of Type I.
    variant: Variant | None = None
    #: How many of what: studies, objects, items, ratings …
    n: Mapping[str, int] = field(default_factory=dict)
    #: What did not go into the figure, and why.
    left_out: tuple[str, ...] = ()


# Single scores ----------------------------------------------------------------------------


def assess_levels(
    table: MeasurementTable, variant: Variant = Variant.published
) -> tuple[LevelResult, ...]:
    """CV* of each system and criterion, and their means.

    The figure of a criterion is the mean over its systems, and that of a group the mean of these.
    Both rules are inferred from published outputs, in which every criterion has the same systems.
    """
    groups: dict[str, dict[str, list[PrecisionAssessment]]] = {}
    for one in assess(table, variant=variant):
        groups.setdefault(one.group, {}).setdefault(one.measurand, []).append(one)
    found: list[LevelResult] = []
    for criteria in groups.values():
        means = []
        for some in criteria.values():
            cells = [_cell(one) for one in some]
            measured = {"measurements": sum(one.n for one in some)}
            means.append(_mean(cells, ResultLevel.criterion, "objects", "object", measured))
            found += [*cells, means[-1]]
        names = {"objects": "cells", "objects_with_value": "cells_with_value"}
        sums = {
            names.get(key, key): sum(one.n[key] for one in means)
            for key in (*names, "measurements")
        }
        found.append(_mean(means, ResultLevel.group, "criteria", "criterion", sums))
    return tuple(found)


def _cell(one: PrecisionAssessment) -> LevelResult:
    return LevelResult(
        type="I",
        level=ResultLevel.cell,
        statistic="cv_star",
        value=None if one.precision is None else one.precision.cv_star,
        reason="" if one.precision is not None else one.reason,
        group=one.group,
        criterion=one.measurand,
        object=one.object,
        variant=one.variant,
        n={"measurements": one.n},
    )


# Means ------------------------------------------------------------------------------------


def over_criteria(parts: Sequence[LevelResult]) -> LevelResult:
    """The mean of one statistic over the criteria of a group."""
    return _mean(parts, ResultLevel.group, "criteria", "criterion", {})


def _mean(
    parts: Sequence[LevelResult],
    level: ResultLevel,
    of: str,
    name: str,
    counts: Mapping[str, int],
) -> LevelResult:
    """The mean of results, each of which is called by one of its fields.

    Results without a value are left out and named; where none has one, neither has the mean.
    """
    values = [one.value for one in parts if one.value is not None]
    cleared: dict[str, Any] = {name: ""}
    left_out = [f"{getattr(one, name)}: {one.reason}" for one in parts if one.value is None]
    return replace(
        parts[0],
        level=level,
        # Divided first, since the sum of huge values may be beyond what a number can be.
        value=fsum([value / len(values) for value in values]) if values else None,
        reason="" if values else why_none(left_out, of),
        n={of: len(parts), f"{of}_with_value": len(values), **counts},
        left_out=tuple(left_out) if values else (),
        **cleared,
    )


def why_none(left_out: Sequence[str], of: str, count: int | None = None) -> str:
    """Why there is no figure of several, none of which has a value; not all need be named."""
    count = len(left_out) if count is None else count
    if count == 1:
        return left_out[0]
    example = f", for example {left_out[0]}" if left_out else ""
    return f"none of {count} {of} has a value{example}"
