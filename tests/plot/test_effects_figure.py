"""Reproduced effects: where points lie, what lies outside, and the key to their numbers."""

from __future__ import annotations

import random
import re
from math import isfinite
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.legend import Legend
from matplotlib.text import Annotation
from support.plotted import Row, effect, results_of, row, swept

from primad_ld import plot
from primad_ld.core.errors import MeasureError
from primad_ld.plot.effects_figure import PERFECT, EffectPoint, frame_of
from primad_ld.plot.style import Drawing


def points_of(drawing: Drawing) -> dict[str, list[tuple[float, float]]]:
    """All that is drawn as points, by what the legend calls it."""
    return {
        line.get_label(): list(zip(line.get_xdata(), line.get_ydata(), strict=True))
        for line in drawing.figure.axes[0].lines
        if line.get_linestyle() == "None"
    }


def legends_of(drawing: Drawing) -> list[list[str]]:
    """The texts of the key to the numbers, and of the legend."""
    legends = [one for one in drawing.figure.axes[0].get_children() if isinstance(one, Legend)]
    return sorted([[text.get_text() for text in one.get_texts()] for one in legends])


def test_points_lie_where_the_values_are_by_type() -> None:
    drawing = plot.er_dri(
        results_of(
            effect("1", 0.8, 0.05),
            effect("2", 1.2, -0.1),
            effect("3", 0.5, 0.2, "p?iM-d"),
            effect("4", 0.6, 0.3, ""),
        )
    )
    assert points_of(drawing) == {
        "priMad (2)": [(0.8, 0.05), (1.2, -0.1)],
        "p?iM-d (1)": [(0.5, 0.2)],
        "without a type (1)": [(0.6, 0.3)],
        "perfect reproduction (1, 0)": [PERFECT],
    }
    key, legend = legends_of(drawing)
    assert key == ["1  adv-1", "2  adv-2", "3  adv-3", "4  adv-4"]
    assert legend == [
        "perfect reproduction (1, 0)",
        "priMad (2)",
        "p?iM-d (1)",
        "without a type (1)",
    ]
    texts = drawing.figure.axes[0].texts
    numbers = {text.get_text(): text.xy for text in texts if isinstance(text, Annotation)}
    assert numbers == {"1": (0.8, 0.05), "2": (1.2, -0.1), "3": (0.5, 0.2), "4": (0.6, 0.3)}


def test_more_types_than_can_be_told_apart() -> None:
    types = ["priMad", "priMad", *(f"type{number}" for number in range(9)), ""]
    rows = [effect(str(n), 1.1, 0.1, type) for n, type in enumerate(types)]
    drawn = points_of(plot.er_dri(results_of(*rows)))
    assert len(drawn["priMad (2)"]) == 2
    assert len(drawn["other types (5)"]) == 5
    assert sum(map(len, drawn.values())) == len(types) + 1


def test_quadrants_say_what_they_mean_at_the_right_corners() -> None:
    axes = plot.er_dri(results_of(effect("1", 1.4, 0.2))).figure.axes[0]
    corners = {
        (text.get_position()[0] > 0.5, text.get_position()[1] > 0.5): text.get_text()
        for text in axes.texts
        if text.get_transform() == axes.transAxes
    }
    # ER above 1: more is gained than originally. ΔRI above 0: less of the baseline is gained.
    assert corners == {
        (True, True): "stronger absolutely,\nweaker relatively",
        (False, True): "weaker absolutely,\nweaker relatively",
        (True, False): "stronger absolutely,\nstronger relatively",
        (False, False): "weaker absolutely,\nstronger relatively",
    }


def test_far_points_are_arrows_at_the_edge_and_named() -> None:
    rows = [effect(str(n), 0.9 + n / 100, n / 1000) for n in range(20)]
    drawing = plot.er_dri(results_of(*rows, effect("far", 1.0, -8.5)))
    bottom, top = drawing.figure.axes[0].get_ylim()
    assert -1 < bottom < top < 1
    assert points_of(drawing)["outside the frame (1)"] == [(1.0, bottom)]
    assert "adv-far (ER 1.0000, ΔRI −8.5000)" in drawing.figure.get_supxlabel()
    assert drawing.notes == ("outside the frame: adv-far (ER 1.0000, ΔRI −8.5000)",)


def test_undefined_pairs_are_named_with_the_reason() -> None:
    drawing = plot.er_dri(
        results_of(
            effect("1", 0.8, 0.05),
            effect("2", None, 0.1),
            effect("3", 0.7, None),
            swept("plain", 0.3, 0.1),
        )
    )
    assert drawing.notes == (
        "undefined: adv-2: ER: the original effect is 0",
        "undefined: adv-3: ΔRI: the reproduced baseline has a score of 0",
        "pairs without an advanced run, and so without an effect: 1",
    )
    note = drawing.figure.get_supxlabel().replace("\n", " ")
    assert all(told in note for told in drawing.notes)


def test_intervals_reach_from_low_to_high() -> None:
    results = results_of(effect("1", 0.8, 0.05, low=0.5, high=1.3), effect("2", 0.9, 0.1))
    drawing = plot.er_dri(results, intervals=True)
    axes = drawing.figure.axes[0]
    lines = [line for line in axes.lines if list(line.get_xdata()) == [0.5, 1.3]]
    assert [list(line.get_ydata()) for line in lines] == [[0.05, 0.05]]
    assert "interval" in legends_of(drawing)[1]
    left, right = axes.get_xlim()
    assert left < 0.5
    assert right > 1.3
    assert not drawing.unused


@pytest.mark.parametrize(
    ("rows", "on", "why"),
    [
        ([swept("a", 0.3, 0.1)], "map", "no pair has an advanced run"),
        (effect("1", 1, 0), "ndcg", "no er on ndcg among the results, only on map; choose with"),
        ([row("er", 1.0)], "map", "no dri on map among the results, only er"),
    ],
)
def test_what_cannot_be_drawn(rows: list[Row], on: str, why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        plot.er_dri(results_of(rows), on=on)


def test_names_tell_pairs_apart_that_share_an_advanced_run() -> None:
    other = [one | {"candidate": "base-2"} for one in effect("1", 1.1, 0.1)]
    key, _ = legends_of(plot.er_dri(results_of(effect("1", 1, 0), other)))
    assert key == ["1  base-1 / adv-1", "2  base-2 / adv-1"]


@pytest.mark.parametrize(
    ("count", "size", "is_numbered"),
    [(40, {}, True), (81, {}, False), (40, {"width": 3.0, "height": 3.0}, False)],
)
def test_points_are_numbered_where_there_is_room_for_a_key(
    count: int, size: dict[str, Any], is_numbered: bool
) -> None:
    chance = random.Random(7)
    rows = [effect(f"n{n}", chance.gauss(0.9, 0.2), chance.gauss(0, 0.1)) for n in range(count)]
    drawing = plot.er_dri(results_of(*rows), **size)
    figure = drawing.figure
    figure.draw_without_rendering()
    legends = legends_of(drawing)
    assert len(legends) == 1 + is_numbered
    if is_numbered:
        assert len(legends[0]) == count
        # The key and the legend lie within the figure, on both sides of the axes.
        box = figure.axes[0].get_tightbbox()
        assert box is not None
        assert box.y0 >= figure.bbox.y0
        assert box.y1 <= figure.bbox.y1
    assert ("too many for names" in figure.get_supxlabel().replace("\n", " ")) is not is_numbered


_VALUES = st.floats(-1e100, 1e100)


@given(st.lists(st.tuples(_VALUES, _VALUES), min_size=1, max_size=20))
def test_the_frame_has_the_perfect_point_well_inside(values: list[tuple[float, float]]) -> None:
    points = [EffectPoint(name="", primad="", ratio=ratio, delta=delta) for ratio, delta in values]
    for (low, high), perfect, share, ours in zip(
        frame_of(points), PERFECT, (0.26, 0.13), zip(*values, strict=True), strict=True
    ):
        assert isfinite(high - low)
        assert min(perfect - low, high - perfect) >= share * (high - low)
        inside = [one for one in ours if low <= one <= high]
        # At least those between the quartiles; all of them if they are few.
        assert len(inside) >= (len(ours) // 2 if len(ours) > 8 else len(ours))
