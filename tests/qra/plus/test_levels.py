"""Type I of QRA++: means of CV* by criterion and group."""

from __future__ import annotations

import pytest

from primad_ld.core.errors import HeaderError
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.plus import LevelResult, ResultLevel, assess_levels
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import assess


def table(*rows: tuple[str, str, float], group: str = "") -> MeasurementTable:
    return with_conditions(
        Measurement(object=name, measurand=criterion, value=value, group=group)
        for name, criterion, value in rows
    )


ROWS = (
    ("A", "Fluency", 4.0),
    ("A", "Fluency", 5.0),
    ("B", "Fluency", 3.0),
    ("B", "Fluency", 3.0),
    ("A", "Grammar", 2.0),
    ("A", "Grammar", 3.0),
)


def only(found: tuple[LevelResult, ...], level: ResultLevel, criterion: str = "") -> LevelResult:
    (one,) = [one for one in found if one.level is level and one.criterion == criterion]
    return one


def test_cells_are_what_qra_says() -> None:
    found = assess_levels(table(*ROWS))
    cells = {
        (one.object, one.criterion): one.value for one in found if one.level is ResultLevel.cell
    }
    assert cells == {
        (one.object, one.measurand): one.precision.cv_star
        for one in assess(table(*ROWS))
        if one.precision
    }
    assert len(cells) == 3


def test_a_group_is_the_mean_of_criteria_and_not_of_cells() -> None:
    found = assess_levels(table(*ROWS))
    fluency, grammar = (only(found, ResultLevel.criterion, name) for name in ("Fluency", "Grammar"))
    a_fluency = next(one for one in found if one.object == "A" and one.criterion == "Fluency")
    assert a_fluency.value
    assert fluency.value == pytest.approx(a_fluency.value / 2)  # B has 0
    assert grammar.value
    whole = only(found, ResultLevel.group)
    assert whole.value == pytest.approx((fluency.value + grammar.value) / 2)
    assert whole.n == {
        "criteria": 2,
        "criteria_with_value": 2,
        "cells": 3,
        "cells_with_value": 3,
        "measurements": 6,
    }


def test_the_variant_is_recorded_and_matters() -> None:
    old, new = (assess_levels(table(*ROWS), variant) for variant in Variant)
    assert {one.variant for one in old} == {Variant.published}
    assert {one.variant for one in new} == {Variant.uncorrected}
    # (1 + 1/4n), n = 2
    assert old[0].value == pytest.approx(new[0].value * 1.125)
    assert assess_levels(table(*ROWS)) == old


def test_cells_without_cv_star_are_left_out_and_counted() -> None:
    found = assess_levels(table(*ROWS, ("C", "Fluency", 4.0)))
    fluency = only(found, ResultLevel.criterion, "Fluency")
    assert fluency.n == {"objects": 3, "objects_with_value": 2, "measurements": 5}
    assert fluency.left_out == ("C: 1 measurement: precision needs two or more",)
    assert (
        fluency.value == only(assess_levels(table(*ROWS)), ResultLevel.criterion, "Fluency").value
    )


def test_nothing_to_average() -> None:
    found = assess_levels(table(("A", "Fluency", 4.0), ("B", "Fluency", 3.0)))
    assert [one.value for one in found] == [None, None, None, None]
    assert only(found, ResultLevel.criterion, "Fluency").reason == (
        "none of 2 objects has a value, for example A: 1 measurement: precision needs two or more"
    )
    assert only(found, ResultLevel.group).reason.startswith("Fluency: none of 2 objects")


def test_groups_stay_apart() -> None:
    both = with_conditions(
        [*table(*ROWS, group="n3").measurements, *table(*ROWS, group="n4").measurements]
    )
    found = assess_levels(both)
    groups = [one for one in found if one.level is ResultLevel.group]
    assert [one.group for one in groups] == ["n3", "n4"]
    alone = only(assess_levels(table(*ROWS)), ResultLevel.group)
    assert {one.value for one in groups} == {alone.value}


def test_mixed_scales_are_refused_with_their_place() -> None:
    one = Measurement(object="A", measurand="x", value=2, scale=Scale(minimum=1), file="m.csv")
    other = Measurement(object="A", measurand="x", value=2, file="m.csv", line=3)
    with pytest.raises(HeaderError, match=r"^m\.csv:3: A, x: it is on the scale 0 and up"):
        assess_levels(with_conditions([one, other]))
