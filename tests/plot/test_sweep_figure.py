"""Sweeps: what is read out of results, and that it is drawn where it belongs."""

from __future__ import annotations

import re
from functools import cache
from math import isnan
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support import reference_data
from support.plotted import SVG, FoundRows, Row, results_of, row, swept, texts

from primad_ld import plot
from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.measures.registry import parse_measure
from primad_ld.plot.style import Drawing

WEIGHTS = [f"npl-prf-w0{number}" for number in range(1, 10)]


@cache
def vaswani() -> FoundRows:
    """The interpolation sweep on Vaswani, against its lowest weight."""
    folder = reference_data() / "vaswani"
    runs = [folder / "runs" / f"{name}.txt.gz" for name in WEIGHTS]
    qrels, rmse = str(folder / "qrels.all.txt"), parse_measure("rmse")
    options = EvaluationOptions(qrels=(qrels,), on=("map",), measures=(rmse,))
    return FoundRows(evaluate_against(runs[0], runs, options).to_dicts())


def drawn(drawing: Drawing) -> list[list[tuple[float, float]]]:
    """The points of all candidates in each panel, and nothing else."""
    return [
        [(x, y) for line in axes.lines if line.get_label() == "_" for x, y in line.get_xydata()]  # type: ignore[misc]
        for axes in drawing.figure.axes
    ]


def test_the_sweep_on_vaswani_peaks_at_three_and_its_error_rises() -> None:
    drawing = plot.sweep(vaswani(), by=r"w0(\d)")
    means, errors = drawn(drawing)
    assert [x for x, _ in means] == [x for x, _ in errors] == list(range(1, 10))
    assert errors[0][1] == 0
    assert [y for _, y in errors] == sorted(y for _, y in errors)
    assert max(means, key=lambda point: point[1])[0] == 3
    said = texts(drawing._repr_svg_().encode())
    for text in (
        "best npl-prf-w03: 0.2985",
        "reference npl-prf-w01: 0.2864",
        "mean AP",
        "RMSE of AP",
    ):
        assert text in said


def test_points_are_drawn_where_the_values_are() -> None:
    root = ET.fromstring(plot.sweep(vaswani())._repr_svg_())
    # Each panel has one group of markers, one for each run but the reference.
    groups = [
        [(float(use.get("x", "")), float(use.get("y", ""))) for use in uses]
        for group in root.iter(f"{SVG}g")
        if len(uses := group.findall(f"{SVG}g/{SVG}use")) == len(WEIGHTS) - 1
    ]
    means = [row["candidate_mean"] for row in vaswani().rows]
    errors = [row["value"] for row in vaswani().rows]
    for spots, values in zip(groups, (means, errors), strict=True):
        assert [x for x, _ in spots] == pytest.approx(_along(range(8), spots[0][0], spots[-1][0]))
        assert [y for _, y in spots] == pytest.approx(_along(values, spots[0][1], spots[-1][1]))
        assert spots[2][1] < spots[0][1] or values is errors  # upwards is more


def _along(values: Any, first: float, last: float) -> list[float]:
    """Where values lie on the screen if the first and the last lie there."""
    share = (last - first) / (values[-1] - values[0])
    return [first + share * (value - values[0]) for value in values]


def test_undefined_values_are_crosses_and_named() -> None:
    rows = [
        swept("a", 0.3, 0.1),
        swept("b", None, 0.2),
        swept("c", 0.2, None, reason="other judgements"),
        row("ktu", 0.3, None, reference="ref", candidate="d"),
    ]
    drawing = plot.sweep(results_of(rows))
    above, below = drawing.figure.axes
    assert [isnan(y) for _, y in drawn(drawing)[0]] == [False, True, False, True]
    crosses = [
        list(line.get_xdata())
        for axes in (above, below)
        for line in axes.lines
        if line.get_marker() == "x"
    ]
    assert crosses == [[1.0, 3.0], [2.0, 3.0]]
    assert drawing.notes == (
        "undefined: b: mean AP: no topic in common",
        "undefined: c: RMSE: other judgements",
        "undefined: d: mean AP and RMSE: it is not among the results",
    )
    note = drawing.figure.get_supxlabel().replace("\n", " ")
    assert all(told.removeprefix("undefined: ") in note for told in drawing.notes)


@pytest.mark.parametrize(
    ("by", "positions"),
    [
        (r"w([\d.]+)", [0.1, 0.5, 10.0]),  # numbers are sorted as numbers
        (r"[\d.]+$", [0.1, 0.5, 10.0]),  # without a group, the match is the number
        (r"-?\d+(?=\.|$)", [0.0, 0.0, 10.0]),  # two at one place stay two
    ],
)
def test_candidates_stand_at_the_number_in_their_names(by: str, positions: list[float]) -> None:
    results = results_of(swept(name, 0.3, 0.1) for name in ("w10", "w0.5", "w0.1"))
    drawing = plot.sweep(results, by=by, axis="weight")
    assert [x for x, _ in drawn(drawing)[0]] == positions
    assert drawing.figure.axes[1].get_xlabel() == "weight"
    # Only numbers have something between them.
    assert drawing.figure.axes[0].lines[0].get_linestyle() == "-"
    assert plot.sweep(results).figure.axes[0].lines[0].get_linestyle() == "None"


def test_each_reference_has_a_line_of_its_own() -> None:
    rows = [
        swept(f"{reference}-w{weight}", weight / 10 + base, weight / 20, reference=reference)
        for reference, base in (("04.17", 0.1), ("04.18", 0.2))
        for weight in (3, 1, 2)
    ]
    above, _ = plot.sweep(results_of(rows), by=r"w(\d)").figure.axes
    lines = [line for line in above.lines if line.get_label() == "_"]
    assert [list(line.get_ydata()) for line in lines] == [
        pytest.approx([0.2, 0.3, 0.4]),
        pytest.approx([0.3, 0.4, 0.5]),
    ]
    assert (
        len({line.get_color() for line in lines}) == len({one.get_marker() for one in lines}) == 2
    )
    (points, _) = drawn(plot.sweep(results_of(rows), against="04.18"))
    assert len(points) == 3


def test_baseline_and_advanced_runs_are_two_pairs() -> None:
    pair: Row = {"reference_advanced": "a", "candidate_advanced": "ra"}
    rows = [swept("rb", 0.3, 0.1, **pair), swept("rb", 0.5, 0.2, run="advanced", **pair)]
    assert drawn(plot.sweep(results_of(rows))) == [[(0, 0.3), (1, 0.5)], [(0, 0.1), (1, 0.2)]]


_ONE = swept("w1", 0.3, 0.1)


@pytest.mark.parametrize(
    ("rows", "options", "why"),
    [
        ([_ONE], {"on": "ndcg"}, "no rmse on ndcg among the results, only on map"),
        ([_ONE], {"on": "MAPP"}, "unknown measure 'MAPP'"),
        ([_ONE], {"against": "x"}, "no pair of 'x'; references are ref"),
        ([row("ktu", 0.1, None)], {}, "no rmse on map among the results, only ktu"),
        ([swept("a", 0.3, 0.1, reference=f"r{n}") for n in range(20)], {}, "20 references (r0, r1"),
        ([_ONE], {"by": "w("}, "--by 'w(' is not a regular expression"),
        ([_ONE], {"by": f"w{{{'9' * 5000}}}"}, "is not a regular expression"),
        ([_ONE], {"by": r"x(\d+)"}, "finds no number in w1"),
        ([_ONE], {"by": r"(w)\d"}, "finds no number in w1"),
        ([_ONE], {"by": r"(x)?w1"}, "finds no number in w1"),
    ],
)
def test_what_cannot_be_drawn(rows: list[Row], options: dict[str, Any], why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        plot.sweep(results_of(rows), **options)


def test_candidates_that_are_too_many_for_names() -> None:
    rows = [swept(f"run{number}", number / 1e4, number / 1e5) for number in range(2_000)]
    svg = plot.sweep(results_of(rows))._repr_svg_().encode()
    assert "2,000 candidates, in the order given" in texts(svg)
    assert len(svg) < 1e6
