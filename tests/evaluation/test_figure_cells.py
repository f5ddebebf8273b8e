"""Figures as people read them."""

from __future__ import annotations

import pytest

from primad_ld.evaluation.figure_cells import change_cell, heading, value_cell
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import Result
from primad_ld.tables.answers import UNDEFINED, text_of


@pytest.mark.parametrize(
    ("id", "figure", "text"),
    [
        ("rmse", Figure(value=0.02731732), "0.0273"),
        ("ktu", Figure(value=-0.00001), "0.0000"),  # nothing is not negative
        ("t_test", Figure(value=0.00001), "< 0.0001"),
        ("t_test", Figure(value=0.0), "0.0000"),
        ("er", Figure(value=1.5, details={"low": 0.5, "high": 2.0}), "1.5000 [0.5000, 2.0000]"),
        ("er", undefined("the original effect is 0"), UNDEFINED),
    ],
)
def test_cells(id: str, figure: Figure, text: str):
    cell = value_cell(Result(measure=parse_measure(id), on="map", figure=figure))
    assert text_of(cell, 4) == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [(0.2, 0.3, "+50.0 %"), (0.3, 0.2, "-33.3 %"), (0.3, 0.3, "0.0 %"), (0.0, 0.1, UNDEFINED)],
)
def test_changes(before: float, after: float, text: str):
    assert text_of(change_cell(before, after)) == text


@pytest.mark.parametrize(
    ("measure", "title"),
    [
        ("t_test", "p (paired t-test)"),
        ("rbo", "rbo(p=0.95)"),
        ("rbo(depth=5)", "rbo(p=0.95, depth=5)"),
        ("rbo(p=0.8)", "rbo(p=0.8)"),
    ],
)
def test_headings(measure: str, title: str):
    assert heading(parse_measure(measure)) == title
