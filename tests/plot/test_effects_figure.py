"""Reproduced effects: where points lie, what lies outside, names that cover nothing."""

from __future__ import annotations

import itertools
import random
import re
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plotted import effect, measured, swept

from primad_ld.core.errors import MeasureError
from primad_ld.plot.effects_figure import PERFECT, draw_effects, effects_of, frame_of
from primad_ld.plot.plotted_results import ComparedRuns


def points_of(drawing):
    """All that is drawn as points, by what the legend calls it."""
    return {
        line.get_label(): list(zip(line.get_xdata(), line.get_ydata(), strict=True))
        for line in drawing.figure.axes[0].lines
        if line.get_linestyle() == "None"
    }


def test_points_lie_where_the_values_are_by_type() -> None:
    records = [
        effect("1", 0.8, 0.05),
        effect("2", 1.2, -0.1),
        effect("3", 0.5, 0.2, "p?iM-d"),
        effect("4", 0.6, 0.3, ""),
    ]
    drawing = draw_effects(effects_of(records))
    assert points_of(drawing) == {
        "priMad (2)": [(0.8, 0.05), (1.2, -0.1)],
        "p?iM-d (1)": [(0.5, 0.2)],
        "without a type (1)": [(0.6, 0.3)],
        "perfect reproduction (1, 0)": [PERFECT],
    }
    assert [one.get_text() for one in drawing.figure.axes[0].get_legend().get_texts()] == [
        "perfect reproduction (1, 0)",
        "priMad (2)",
        "p?iM-d (1)",
        "without a type (1)",
    ]


def test_more_types_than_can_be_told_apart() -> None:
    types = ["priMad", "priMad", *(f"type{number}" for number in range(9)), ""]
    drawing = draw_effects(effects_of([effect(str(n), 1.1, 0.1, t) for n, t in enumerate(types)]))
    drawn = points_of(drawing)
    assert len(drawn["priMad (2)"]) == 2
    assert len(drawn["other types (5)"]) == 5
    assert sum(map(len, drawn.values())) == len(types) + 1


def test_quadrants_say_what_they_mean_at_the_right_corners() -> None:
    axes = draw_effects(effects_of([effect("1", 1.4, 0.2)])).figure.axes[0]
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
    records = [effect(str(n), 0.9 + n / 100, n / 1000) for n in range(20)]
    drawing = draw_effects(effects_of([*records, effect("far", 1.0, -8.5)]))
    axes = drawing.figure.axes[0]
    bottom, top = axes.get_ylim()
    assert -1 < bottom < top < 1
    assert points_of(drawing)["outside the frame (1)"] == [(1.0, bottom)]
    assert "adv-far (ER 1.0000, ΔRI −8.5000)" in drawing.figure.get_supxlabel()
    assert drawing.notes == ("outside the frame: adv-far (ER 1.0000, ΔRI −8.5000)",)


def test_undefined_pairs_are_named_with_the_reason() -> None:
    records = [
        effect("1", 0.8, 0.05),
        effect("2", None, 0.1),
        effect("3", 0.7, None),
        swept("plain", 0.3, 0.1),
    ]
    drawing = draw_effects(effects_of(records))
    assert drawing.notes == (
        "undefined: adv-2: ER: the original effect is 0",
        "undefined: adv-3: ΔRI: the reproduced baseline has a mean score of 0",
        "pairs without an advanced run, and so without an effect: 1",
    )
    note = drawing.figure.get_supxlabel().replace("\n", " ")
    assert all(told in note for told in drawing.notes)


def test_nothing_is_defined_at_all() -> None:
    drawing = draw_effects(effects_of([effect("2", None, None)]))
    assert points_of(drawing) == {"perfect reproduction (1, 0)": [PERFECT]}
    assert "the original effect is 0; ΔRI" in drawing.figure.get_supxlabel()


def test_intervals_reach_from_low_to_high() -> None:
    records = [effect("1", 0.8, 0.05, low=0.5, high=1.3), effect("2", 0.9, 0.1)]
    axes = draw_effects(effects_of(records), intervals=True).figure.axes[0]
    lines = [line for line in axes.lines if line.get_label() == "interval"]
    assert [(list(line.get_xdata()), list(line.get_ydata())) for line in lines] == [
        ([0.5, 1.3], [0.05, 0.05])
    ]
    left, right = axes.get_xlim()
    assert left < 0.5
    assert right > 1.3
    with pytest.raises(MeasureError, match="the results have no intervals"):
        draw_effects(effects_of([effect("2", 0.9, 0.1)]), intervals=True)


@pytest.mark.parametrize(
    ("records", "on", "why"),
    [
        ([swept("a", 0.3, 0.1)], "map", "no pair has an advanced run"),
        ([effect("1", 1, 0)], "ndcg", "no er on ndcg; it was evaluated on map: choose with --on"),
        (
            [ComparedRuns(reference="a", candidate="b", results=(measured("er", 1.0),))],
            "map",
            "no dri on map among the results, only er",
        ),
    ],
)
def test_what_cannot_be_drawn(records: list[ComparedRuns], on: str, why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        effects_of(records, on=on)


def test_names_tell_pairs_apart_that_share_an_advanced_run() -> None:
    one = effect("1", 1, 0)
    other = ComparedRuns(
        reference="base",
        candidate="base-2",
        reference_advanced="adv",
        candidate_advanced="adv-1",
        results=one.results,
    )
    names = [point.name for point in effects_of([one, other]).points]
    assert names == ["base-1 / adv-1", "base-2 / adv-1"]


def test_a_name_that_is_there_is_not_told_to_be_missing() -> None:
    figure = draw_effects(effects_of([effect("1", 0.8, 0.1)])).figure
    assert [t.get_text() for t in figure.axes[0].texts if "adv" in t.get_text()] == ["adv-1"]
    assert figure.get_supxlabel() == ""


def test_names_cover_neither_points_nor_each_other() -> None:
    chance = random.Random(7)
    records = [effect(f"n{n}", chance.gauss(0.9, 0.2), chance.gauss(0, 0.1)) for n in range(40)]
    drawing = draw_effects(effects_of(records))
    figure, axes = drawing.figure, drawing.figure.axes[0]
    figure.draw_without_rendering()
    names = [text for text in axes.texts if text.get_text().startswith("n")]
    told = figure.get_supxlabel()
    # Names without what all have in common, which the note tells.
    assert "names are without 'adv-'" in told
    left = re.search(r"points without a name, for lack of room: (\d+)", told)
    assert len(names) + (int(left[1]) if left else 0) == 40
    assert len(names) > 25
    boxes = [text.get_window_extent() for text in axes.texts]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    spots = [axes.transData.transform((p.ratio, p.delta)) for p in effects_of(records).points]
    assert not any(box.contains(*spot) for box in boxes[-len(names) :] for spot in spots)


_VALUES = st.floats(-1e100, 1e100)


@given(st.lists(st.tuples(_VALUES, _VALUES), min_size=1, max_size=20))
def test_the_frame_has_the_perfect_point_well_inside(values: list[tuple[float, float]]) -> None:
    points = effects_of([effect(f"{n}", *one) for n, one in enumerate(values)]).points
    for (low, high), perfect, share, ours in zip(
        frame_of(points), PERFECT, (0.26, 0.13), zip(*values, strict=True), strict=True
    ):
        assert isfinite(high - low)
        assert min(perfect - low, high - perfect) >= share * (high - low)
        inside = [one for one in ours if low <= one <= high]
        # At least those between the quartiles; all of them if they are few.
        assert len(inside) >= (len(ours) // 2 if len(ours) > 8 else len(ours))
