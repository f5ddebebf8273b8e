"""How assessments are printed: rounding, conditions in words, what is the same for all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.qra.measurements import Measurement, with_conditions
from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.precision_outputs import (
    as_json,
    assessment_grid,
    assessment_record,
    measurement_grids,
)
from primad_ld.tables.markup import UNDEFINED, as_latex, as_markdown, half_up


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.5, 0, "1"),  # not to the even number
        (2.5, 0, "3"),
        (1.005, 2, "1.01"),  # as it is written, not as it is stored
        (-2.5, 0, "-3"),
        (-0.0004, 3, "0.000"),  # nothing has no sign
        (71.42857, 0, "71"),
        (1e16, 1, "10000000000000000.0"),
        (1e30, 1, "1e+30"),  # more digits than are worth printing
        (None, 3, UNDEFINED),
    ],
)
def test_halves_go_up(value: float | None, digits: int, text: str) -> None:
    assert half_up(value, digits) == text


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_rounding_is_off_by_half_a_digit_at_most(value: float, digits: int) -> None:
    assert abs(float(half_up(value, digits)) - value) <= 0.5000001 * 10**-digits


def measured(value: float, study: str = "", **conditions: str) -> Measurement:
    return Measurement(
        object="S_1", measurand="M & N", value=value, study=study, conditions=conditions
    )


def grid_of(*measurements: Measurement) -> Any:
    return assessment_grid(assess(with_conditions(measurements)))


@pytest.mark.parametrize(
    ("measurements", "words"),
    [
        ((measured(1), measured(2)), "none named"),
        ((measured(1, procedure="p"), measured(2, procedure="p")), "all equal (repeatability)"),
        ((measured(1, procedure="p"), measured(2, procedure="q")), "differ: procedure"),
        ((measured(1, procedure="p"), measured(2)), "unknown: procedure"),
        (
            (measured(1, procedure="p", test_set="t"), measured(2, procedure="q")),
            "differ: procedure; unknown: test set",
        ),
    ],
)
def test_conditions_are_told_in_words(measurements: tuple[Measurement, ...], words: str) -> None:
    (row,) = grid_of(*measurements).rows
    assert row[2] == words


def test_dozens_of_conditions_do_not_fill_a_cell() -> None:
    one, other = ({f"q{n:02}": value for n in range(20)} for value in "ab")
    (row,) = grid_of(measured(1, **one), measured(2, **other)).rows
    assert row[2] == "differ: q00, q01, q02, q03, q04, q05, q06, and 13 more"


def test_one_measurement_has_a_row_and_a_reason() -> None:
    grid = grid_of(measured(1))
    assert grid.rows == (("S_1", "M & N", "none named", "1", *[UNDEFINED] * 6),)
    assert grid.remarks == (f"{UNDEFINED} S_1, M & N: 1 measurement: precision needs two or more",)


def test_groups_have_a_column_where_there_are_some() -> None:
    rows = [Measurement(object="S", measurand="M", value=n, group="g") for n in (1, 2)]
    assert grid_of(*rows).columns[0] == "group"


def test_measurements_show_what_differs_and_say_the_rest_once() -> None:
    found = assess(
        with_conditions(
            [
                measured(1, "A", procedure="p", test_set="t", seed="1"),
                measured(2, "B", procedure="q", test_set="t"),
            ]
        )
    )
    (grid,) = measurement_grids(found)
    assert grid.columns == ("study", "Procedure", "seed", "value")
    assert grid.rows == (("A", "p", "1", "1"), ("B", "q", "?", "2"))
    assert grid.remarks == (
        "Test set, the same for all: t",
        "? is not known, and never taken for equal",
    )


def test_papers_and_pages_escape_what_they_have_to() -> None:
    grid = grid_of(measured(1), measured(2))
    assert r"S\_1 & M \& N &" in as_latex([grid])
    assert r"S\_1 | M &amp; N |" in as_markdown([grid])


def test_signs_of_mathematics_are_known_to_latex() -> None:
    rows = [
        Measurement(object="≈S", measurand="κ", value=value, conditions={"α ≥ β": "−1"})
        for value in (1, 2)
    ]
    assert r"$\approx$S & $\kappa$ & all equal" in as_latex([grid_of(*rows)])
    (grid,) = measurement_grids(assess(with_conditions(rows)))
    assert r"$\alpha$ $\geq$ $\beta$, the same for all: $-$1" in as_latex([grid])


def test_json_has_no_infinity_and_all_digits() -> None:
    (found,) = assess(with_conditions([measured(1 / 3), measured(2 / 3)]))
    (record,) = json.loads(as_json([assessment_record(found)]))
    assert found.precision
    assert record["cv_star"] == found.precision.cv_star
    assert "group" not in record
    assert "reason" not in record
    assert "variation" not in record
