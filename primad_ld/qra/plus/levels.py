"""Type I of QRA++: CV* of single scores, by criterion and for all criteria together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from primad_ld.measures.figures import Figure, undefined
from primad_ld.qra.assessing import PrecisionAssessment, assess
from primad_ld.qra.measurements import MeasurementTable
from primad_ld.qra.plus.results import Level, LevelResult, averaged, over_criteria
from primad_ld.qra.precision import Variant


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
        means = [_criterion(some) for some in cells]
        for some, mean in zip(cells, means, strict=True):
            found += [*some, mean]
        found.append(_group(means))
    return tuple(found)


def _cell(one: PrecisionAssessment) -> LevelResult:
    figure = undefined(one.reason)
    if one.precision is not None:
        figure = Figure(value=one.precision.cv_star)
    return LevelResult(
        type="I",
        level=Level.cell,
        statistic="cv_star",
        value=figure.value,
        reason=figure.reason or "",
        group=one.group,
        criterion=one.measurand,
        object=one.object,
        variant=one.variant,
        n={"measurements": one.n},
    )


def _criterion(cells: Sequence[LevelResult]) -> LevelResult:
    found = averaged([(one.object, one.figure) for one in cells], "objects")
    return replace(
        cells[0],
        level=Level.criterion,
        value=found.value,
        reason=found.reason,
        object="",
        n=found.counts("objects") | {"measurements": sum(one.n["measurements"] for one in cells)},
        left_out=found.left_out,
    )


def _group(criteria: Sequence[LevelResult]) -> LevelResult:
    found = over_criteria(criteria)
    sums = {
        key: sum(one.n[key] for one in criteria)
        for key in ("objects", "objects_with_value", "measurements")
    }
    cells = {"cells": sums["objects"], "cells_with_value": sums["objects_with_value"]}
    return replace(found, n={**found.n, **cells, "measurements": sums["measurements"]})
