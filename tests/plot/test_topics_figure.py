"""Differences by topic: each bar at its place, nothing left out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.plotted import Row, effect, results_of, row, swept

from primad_ld import plot
from primad_ld.core.errors import MeasureError
from primad_ld.plot.style import Drawing


def by_topic(values: dict[str, float | None], error: float | None = 0.1, **more: Any) -> Row:
    return row("rmse", error, by_topic=values, **more)


def topics_in(drawing: Drawing) -> list[str]:
    return [tick.get_text() for tick in drawing.figure.axes[0].get_xticklabels()]


def test_bars_are_sorted_and_as_high_as_the_differences() -> None:
    drawing = plot.topics(
        results_of(by_topic({"1": -0.2, "2": 0.0, "10": 0.3, "3": None, "4": 0.1}))
    )
    axes = drawing.figure.axes[0]
    bars = {
        round(bar.get_x() + bar.get_width() / 2): bar.get_height()
        for bar in axes.patches
        if not bar.get_hatch()
    }
    assert bars == {0: 0.3, 1: 0.1, 3: -0.2}
    assert topics_in(drawing) == ["10", "4", "2", "1", "3"]
    (undefined,) = [bar for bar in axes.patches if bar.get_hatch()]
    assert undefined.get_x() + undefined.get_width() / 2 == 4
    assert undefined.get_height() == 1
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "candidate better (2)",
        "candidate worse (1)",
        "equal (1)",
        "undefined (1)",
        "mean difference: 0.0500",
    ]
    assert axes.get_legend().get_title().get_text() == "b against a (RMSE 0.1000)"


def test_undefined_topics_and_an_undefined_error_are_told() -> None:
    drawing = plot.topics(results_of(by_topic({"7": None, "9": 0.0}, None)))
    assert drawing.notes == ("undefined topics: 7", "RMSE is undefined: a reason")
    assert drawing.figure.get_supxlabel().splitlines() == list(drawing.notes)


def test_equal_differences_stay_in_the_order_of_the_topics() -> None:
    drawing = plot.topics(results_of(by_topic({"2": 0.0, "10": 0.0, "1": 0.0})))
    assert topics_in(drawing) == ["2", "10", "1"]


def test_topics_that_are_too_many_for_names_tell_the_extremes() -> None:
    values = {f"t{number}": number / 1000 - 0.2 for number in range(400)}
    figure = plot.topics(results_of(by_topic(values | {"none": None}))).figure
    axes = figure.axes[0]
    assert len(axes.patches) == 400  # one topic is equal, and one undefined
    assert list(axes.get_xticks()) == []
    note = "largest gains: t399, t398, t397; largest losses: t0, t1, t2"
    assert note in figure.get_supxlabel()


def test_one_pair_is_chosen_among_several() -> None:
    results = results_of(by_topic({"1": 0.1}), by_topic({"2": 0.2}, candidate="c"))
    assert topics_in(plot.topics(results, candidate="c")) == ["2"]
    with pytest.raises(MeasureError, match=r"2 pairs.*--against \(a\) and --candidate \(b, c\)"):
        plot.topics(results)


def test_the_advanced_run_of_a_study_is_found_by_its_name() -> None:
    names = {"reference_advanced": "adv", "candidate_advanced": "adv-x"}
    rows = by_topic({"1": 0.1}, **names), by_topic({"7": 0.7}, run="advanced", **names)
    drawing = plot.topics(results_of(rows), candidate="adv-x")
    assert topics_in(drawing) == ["7"]
    title = drawing.figure.axes[0].get_legend().get_title().get_text()
    assert title.startswith("adv-x against adv ")


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([swept("a", 0.3, 0.1)], "ref and a: rmse has no values by topic; evaluate with"),
        ([by_topic({})], "rmse has no values by topic"),
        (effect("1", 1, 0), "no rmse on map among the results, only er, dri"),
    ],
)
def test_what_cannot_be_drawn(rows: list[Row], why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        plot.topics(results_of(rows))
