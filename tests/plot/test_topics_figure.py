"""Differences by topic: each bar at its place, nothing left out."""

from __future__ import annotations

import re

import pytest
from support.plotted import effect, measured, swept

from primad_ld.core.errors import MeasureError
from primad_ld.plot.plotted_results import ComparedRuns
from primad_ld.plot.topics_figure import draw_topics, topic_differences


def by_topic(
    values: dict[str, float | None], candidate: str = "b", error: float | None = 0.1
) -> ComparedRuns:
    found = measured("rmse", error, by_topic=values, reason="scores are missing")
    return ComparedRuns(
        reference="a", candidate=candidate, results=(found,), place=f"a and {candidate}"
    )


def test_bars_are_sorted_and_as_high_as_the_differences() -> None:
    values = {"1": -0.2, "2": 0.0, "10": 0.3, "3": None, "4": 0.1}
    axes = draw_topics(topic_differences([by_topic(values)])).figure.axes[0]
    bars = {
        round(bar.get_x() + bar.get_width() / 2): bar.get_height()
        for bar in axes.patches
        if not bar.get_hatch()
    }
    assert bars == {0: 0.3, 1: 0.1, 3: -0.2}
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["10", "4", "2", "1", "3"]
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
    drawing = draw_topics(topic_differences([by_topic({"7": None, "9": 0.0}, error=None)]))
    assert drawing.notes == ("undefined topics: 7", "RMSE is undefined: scores are missing")
    assert drawing.figure.get_supxlabel().splitlines() == list(drawing.notes)


def test_equal_differences_stay_in_the_order_of_the_topics() -> None:
    found = topic_differences([by_topic({"2": 0.0, "10": 0.0, "1": 0.0})])
    assert [topic for topic, _ in found.differences] == ["2", "10", "1"]


def test_topics_that_are_too_many_for_names_tell_the_extremes() -> None:
    values = {f"t{number}": number / 1000 - 0.2 for number in range(400)}
    drawing = draw_topics(topic_differences([by_topic(values)]))
    axes = drawing.figure.axes[0]
    assert len(axes.patches) == 399  # one topic is equal
    assert list(axes.get_xticks()) == []
    note = "largest gains: t399, t398, t397; largest losses: t0, t1, t2"
    assert note in drawing.figure.get_supxlabel()


def test_one_pair_is_chosen_among_several() -> None:
    records = [by_topic({"1": 0.1}, "b"), by_topic({"1": 0.2}, "c")]
    assert topic_differences(records, candidate="c").differences == (("1", 0.2),)
    with pytest.raises(MeasureError, match=r"2 pairs.*--against \(a\) and --candidate \(b, c\)"):
        topic_differences(records)


def test_the_advanced_run_of_a_study_is_found_by_its_name() -> None:
    study = effect("x", 1, 0)
    rows = (
        measured("rmse", 0.1, by_topic={"1": 0.1}),
        measured("rmse", 0.2, by_topic={"1": 0.7}, run="advanced"),
    )
    record = ComparedRuns(
        reference=study.reference,
        candidate=study.candidate,
        reference_advanced="adv",
        candidate_advanced="adv-x",
        results=rows,
    )
    found = topic_differences([record], candidate="adv-x")
    assert (found.reference, found.differences) == ("adv", (("1", 0.7),))


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ([swept("a", 0.3, 0.1)], "ref and a: rmse has no values by topic; evaluate with"),
        ([by_topic({})], "rmse has no values by topic"),
        ([effect("1", 1, 0)], "no rmse on map among the results, only er, dri"),
    ],
)
def test_what_cannot_be_drawn(records: list[ComparedRuns], why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        topic_differences(records)
