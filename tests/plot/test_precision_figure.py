"""The figure of repeated measurements: where values stand, what is told, what is refused."""

from __future__ import annotations

import itertools
import re
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from support import Cli, Put
from support.plotted import Row, assessment, results_of, texts

from primad_ld import plot
from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.plot.precision_figure import offsets_of
from primad_ld.plot.style import COLOURS, Drawing
from primad_ld.qra.precision import precision_of
from primad_ld.qra.precision_reports import assess_measurements
from primad_ld.qra.reading import read_measurements


def draw(*assessments: Row) -> Drawing:
    return plot.qra(results_of(assessments))


def points(axes: Axes) -> dict[str, list[list[float]]]:
    """The values by the marker they are drawn with."""
    found: dict[str, list[list[float]]] = {}
    for line in axes.lines:
        if line.get_marker() in ("o", "D"):
            found.setdefault(str(line.get_marker()), []).extend(line.get_xydata().tolist())  # type: ignore[union-attr]
    return found


def legend_of(drawing: Drawing) -> list[str]:
    return [text.get_text() for text in drawing.figure.axes[0].get_legend().get_texts()]


# What is drawn ----------------------------------------------------------------------------


def test_values_mean_and_deviations() -> None:
    drawing = draw(assessment(values=(1.0, 2.0, 4.0)))
    (axes,) = drawing.figure.axes
    precision = precision_of((1.0, 2.0, 4.0))
    assert points(axes) == {"o": [[2.0, 0.0], [4.0, 0.0]], "D": [[1.0, 0.0]]}
    bands = sorted((patch.get_x(), patch.get_x() + patch.get_width()) for patch in axes.patches)
    for (low, high), deviations in zip(bands, (2, 1), strict=True):
        assert isclose(low, precision.mean - deviations * precision.stdev)
        assert isclose(high, precision.mean + deviations * precision.stdev)
    (mean,) = (line for line in axes.lines if line.get_marker() == "None")
    assert mean.get_xdata().tolist() == [precision.mean] * 2
    assert [text.get_text() for text in axes.texts] == [f"CV* {precision.cv_star:.3f}  (n = 3)"]
    # The original is told by more than its colour.
    other, original = (line for line in axes.lines if line.get_marker() in ("o", "D"))
    assert (original.get_color(), other.get_color()) == (COLOURS[1], COLOURS[0])
    assert original.get_markerfacecolor() == "white"
    assert legend_of(drawing)[:2] == ["original", "reproduction"]
    assert legend_of(drawing)[2:] == ["mean", "mean ± 1 s*", "mean ± 2 s*"]


def test_where_nobody_says_which_was_first_all_are_measurements() -> None:
    drawing = draw(assessment(original=None))
    assert legend_of(drawing)[0] == "measurement"
    assert set(points(drawing.figure.axes[0])) == {"o"}


def test_a_panel_for_each_measurand_and_scale() -> None:
    percent = {"min": 0, "max": 100}
    drawing = draw(
        assessment("a", measurand="BLEU"),
        assessment("a", measurand="SARI"),
        assessment("b", measurand="BLEU", group="T"),
        assessment("b", measurand="SARI", scale=percent),
        assessment("c", measurand="SARI", scale=percent | {"lower_is_better": True}),
    )
    names = {
        axes.get_xlabel(): [text.get_text() for text in axes.get_yticklabels()]
        for axes in drawing.figure.axes
    }
    assert names == {
        "BLEU": ["a", "T: b"],
        "SARI": ["a"],
        "SARI (0 to 100)": ["b"],
        "SARI (0 to 100, lower is better)": ["c"],
    }


def test_axes_of_one_scale_are_equally_long() -> None:
    scale = {"min": 1, "max": 7}
    wide, narrow, other = draw(
        assessment(values=(2.0, 4.0), measurand="Clarity", scale=scale),
        assessment(values=(6.9, 7.0), measurand="Fluency", scale=scale),
        assessment(values=(10.0, 90.0), measurand="num_ret"),
    ).figure.axes
    lengths = [high - low for low, high in (wide.get_xlim(), narrow.get_xlim())]
    assert isclose(*lengths)
    # It begins further down rather than to go on where no value can be.
    assert narrow.get_xlim()[1] < 7.5
    # Deviations end where the scale does.
    assert max(patch.get_x() + patch.get_width() for patch in narrow.patches) == 7.0
    # Others are as long as they need to be.
    assert other.get_xlim()[1] > 90


def test_single_and_equal_values() -> None:
    drawing = draw(assessment("one", values=(2.0,)), assessment("equal", values=(2.5, 2.5, 2.5)))
    assert drawing.notes == ("no CV*: one, map: 1 measurement",)
    (axes,) = drawing.figure.axes
    assert axes.texts[0].get_text() == "no CV*  (n = 1)"
    assert points(axes)["D"][0] == [2.0, 0.0]
    # Those that are equal are all seen.
    assert len({tuple(place) for some in points(axes).values() for place in some}) == 4


def test_rows_of_many_values_have_smaller_markers() -> None:
    sizes = {}
    for count in (2, 29, 30, 200):
        values = [float(n % 7) for n in range(count)]
        (axes,) = draw(assessment(values=values, original=None)).figure.axes
        (line,) = (one for one in axes.lines if one.get_marker() == "o")
        sizes[count] = line.get_markersize()
        assert all(-0.5 < y < 0.5 for _, y in points(axes)["o"])
    assert sizes[2] == sizes[29] > sizes[30] > sizes[200]


# What is read -----------------------------------------------------------------------------


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(MeasureError, match=r"there are 151 rows, and a figure can name 150"):
        draw(*(assessment(f"{n}") for n in range(151)))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"object": None}, "assessment 1, object: expected a name"),
        ({"measurements": "x"}, "assessment 1, measurements: expected a list, not 'x'"),
        ({"measurements": [3]}, "measurement 1: expected an object"),
        ({"measurements": []}, "measurements: expected a number for each"),
        ({"measurements": [{"value": None}]}, "measurements: expected a number for each"),
        ({"mean": 1e300}, "assessment 1, mean: expected a number up to 1e100"),
        ({"scale": []}, "assessment 1, scale: expected an object"),
    ],
)
def test_what_is_wrong_in_an_assessment(changes: Row, why: str) -> None:
    with pytest.raises(HeaderError, match=re.escape(why)):
        draw(assessment() | changes)


def test_what_qra_found_is_drawn_from_its_answer_and_its_json(
    cli: Cli, put: Put, tmp_path: Path
) -> None:
    rows = [("PASS", 5.64), ("PASS", 6.3), ("FAIL", 2.0), ("FAIL", 2.5)]
    lines = [f"{name},Clarity,{value},s{place}\n" for place, (name, value) in enumerate(rows)]
    table = put("m.csv", "system,metric,score,study\n" + "".join(lines))
    answer = assess_measurements(read_measurements(table))
    svg = plot.qra(answer)._repr_svg_().encode()
    assert cli("qra", "m.csv", "-o", "found.json").exit_code == 0
    assert plot.qra("found.json")._repr_svg_().encode() == svg
    assert {"PASS", "FAIL", "Clarity"} <= {*texts(svg).split("\n")}


# Swarms of values -------------------------------------------------------------------------

VALUES = st.one_of(st.floats(-100, 100), st.sampled_from([0.0, 1.0, 1.5]))


@given(st.lists(VALUES, min_size=1, max_size=60), st.floats(0.001, 10))
def test_no_value_hides_the_next(values: list[float], near: float) -> None:
    offsets = offsets_of(values, near)
    assert len(offsets) == len(values)
    assert all(abs(offset) <= 0.34 for offset in offsets)
    places = sorted(zip(values, offsets, strict=True))
    for (value, above), (following, below) in itertools.pairwise(places):
        assert following - value >= near or above != below


@given(st.lists(st.integers(0, 40), min_size=1, max_size=13))
def test_a_few_values_hide_none_of_all_others(values: list[int]) -> None:
    places = zip(values, offsets_of([float(value) for value in values], 2.0), strict=True)
    for (value, above), (other, below) in itertools.combinations(places, 2):
        assert abs(value - other) >= 2 or above != below


@pytest.mark.parametrize(
    ("values", "offsets"),
    [
        ((1.0,), [0.0]),
        ((1.0, 5.0), [0.0, 0.0]),
        ((1.0, 1.0), [-0.085, 0.085]),
        ((1.0, 1.0, 1.0, 9.0), [0.0, 0.17, -0.17, 0.0]),
        # Each is near the next one only: two lines are enough, however long the chain.
        ((1.0, 1.6, 2.2, 2.8, 3.4), [-0.085, 0.085, -0.085, 0.085, -0.085]),
    ],
)
def test_lines_are_no_more_than_needed(values: tuple[float, ...], offsets: list[float]) -> None:
    assert offsets_of(values, 1.0) == pytest.approx(offsets)


def test_many_values_stay_in_their_row() -> None:
    offsets = offsets_of([1.0] * 500, 1.0)
    assert {offsets.count(offset) for offset in offsets} == {38, 39}  # in 13 lines
    assert (min(offsets), max(offsets)) == (pytest.approx(-0.34), pytest.approx(0.34))
