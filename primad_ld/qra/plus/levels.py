"""Results of QRA++ at their levels, and those of Type I: CV* of single scores.

A result is of a single cell, a study, a criterion, or all that belongs together. The results of
Type I are CV* of each cell, and their means by criterion and for all criteria together.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum

from primad_ld.measures.measure_values import Figure, undefined
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

    @property
    def figure(self) -> Figure:
        """The value, or why there is none."""
        return undefined(self.reason) if self.value is None else Figure(value=self.value)


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
        cells = [[_cell(one) for one in some] for some in criteria.values()]
        means = [_mean_of_criterion(some) for some in cells]
        for some, mean in zip(cells, means, strict=True):
            found += [*some, mean]
        found.append(_mean_of_group(means))
    return tuple(found)


def _cell(one: PrecisionAssessment) -> LevelResult:
    figure = undefined(one.reason)
    if one.precision is not None:
        figure = Figure(value=one.precision.cv_star)
    return LevelResult(
        type="I",
        level=ResultLevel.cell,
        statistic="cv_star",
        value=figure.value,
        reason=figure.reason or "",
        group=one.group,
        criterion=one.measurand,
        object=one.object,
        variant=one.variant,
        n={"measurements": one.n},
    )


def _mean_of_criterion(cells: Sequence[LevelResult]) -> LevelResult:
    found = _averaged([(one.object, one.figure) for one in cells], "objects")
    return replace(
        cells[0],
        level=ResultLevel.criterion,
        value=found.value,
        reason=found.reason,
        object="",
        n=found.counts("objects") | {"measurements": sum(one.n["measurements"] for one in cells)},
        left_out=found.left_out,
    )


def _mean_of_group(criteria: Sequence[LevelResult]) -> LevelResult:
    found = over_criteria(criteria)
    sums = {
        key: sum(one.n[key] for one in criteria)
        for key in ("objects", "objects_with_value", "measurements")
    }
    cells = {"cells": sums["objects"], "cells_with_value": sums["objects_with_value"]}
    return replace(found, n={**found.n, **cells, "measurements": sums["measurements"]})


# Means ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Averaged:
    """The mean of those of several figures that have a value."""

    value: float | None
    reason: str
    #: Of how many figures, and how many had a value.
    whole: int
    with_value: int
    left_out: tuple[str, ...]

    def counts(self, of: str) -> dict[str, int]:
        """How many there were, under the name of what they are."""
        return {of: self.whole, f"{of}_with_value": self.with_value}


def _averaged(named: Iterable[tuple[str, Figure]], of: str) -> _Averaged:
    """The mean of figures, each with the name of what it belongs to.

    Figures without a value are left out and named; where none has one, neither has the mean.
    """
    figures = list(named)
    values = [figure.value for _, figure in figures if figure.value is not None]
    left_out = tuple(f"{name}: {one.reason}" for name, one in figures if one.value is None)
    return _Averaged(
        # Divided first, since the sum of huge values may be beyond what a number can be.
        value=fsum([value / len(values) for value in values]) if values else None,
        reason="" if values else why_none(left_out, of),
        whole=len(figures),
        with_value=len(values),
        left_out=left_out if values else (),
    )


def why_none(left_out: Sequence[str], of: str, count: int | None = None) -> str:
    """Why there is no figure of several, none of which has a value; not all need be named."""
    count = len(left_out) if count is None else count
    if count == 1:
        return left_out[0]
    example = f", for example {left_out[0]}" if left_out else ""
    return f"none of {count} {of} has a value{example}"


def over_criteria(parts: Sequence[LevelResult]) -> LevelResult:
    """The mean of one statistic over the criteria of a group."""
    first = parts[0]
    found = _averaged([(one.criterion, one.figure) for one in parts], "criteria")
    return LevelResult(
        type=first.type,
        level=ResultLevel.group,
        statistic=first.statistic,
        value=found.value,
        reason=found.reason,
        group=first.group,
        variant=first.variant,
        n=found.counts("criteria"),
        left_out=found.left_out,
    )
