"""The figure of repeated measurements: where values stand, what is told, what is refused."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from support import Put
from support.plotted import SVG

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.plot.precision_figure import (
    MeasuredValue,
    PrecisionRow,
    draw_precision,
    figure_of,
    precision_of_text,
    read_precision,
)
from primad_ld.plot.style import COLOURS, FigureLayout, write_figure
from primad_ld.qra.precision import precision_of

if TYPE_CHECKING:
    from click.testing import Result
    from matplotlib.axes import Axes

Draw = Callable[..., "Result"]
YAML = """\
scales:
  rating: {min: 1, max: 7}
measurements:
- {object: PASS, measurand: Clarity, value: 5.64, scale: rating, original: true}
- {object: PASS, measurand: Clarity, value: 6.30, scale: rating}
- {object: FAIL, measurand: Clarity, value: 2.0, scale: rating, original: true}
- {object: FAIL, measurand: Clarity, value: 2.5, scale: rating}
- {object: PASS, measurand: BLEU, value: 30.1, original: true}
- {object: PASS, measurand: BLEU, value: 31.0}
"""


def row(
    name: str = "system",
    values: tuple[float, ...] = (1.0, 3.0),
    measurand: str = "map",
    *,
    original: int | None = 0,
    scale: tuple[float | None, float | None] = (None, None),
    **more: Any,
) -> PrecisionRow:
    """A row with its precision, where there is one."""
    measured = tuple(
        MeasuredValue(value=value, is_original=place == original)
        for place, value in enumerate(values)
    )
    figures: dict[str, Any] = {"reason": "1 measurement"}
    if len(values) > 1:
        found = precision_of(values, minimum=scale[0] or 0.0)
        figures = {
            "mean": found.mean + (scale[0] or 0.0),
            "deviation": found.stdev,
            "cv_star": found.cv_star,
        }
    return PrecisionRow(
        object=name,
        measurand=measurand,
        values=measured,
        minimum=scale[0],
        maximum=scale[1],
        **(figures | more),
    )


def axes_of(*rows: PrecisionRow) -> list[Axes]:
    return draw_precision(figure_of(rows)).figure.axes


def points(axes: Axes) -> dict[str, list[tuple[float, float]]]:
    """The values by the marker they are drawn with."""
    found: dict[str, list[tuple[float, float]]] = {}
    for line in axes.lines:
        if line.get_marker() not in ("None", "", None):
            found.setdefault(str(line.get_marker()), []).extend(line.get_xydata().tolist())
    return found


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def record(**changes: Any) -> dict[str, Any]:
    """An assessment as ``qra`` writes it."""
    return {
        "object": "PASS",
        "measurand": "Clarity",
        "n": 2,
        "mean": 5.97,
        "stdev": 0.585,
        "cv_star": 13.24,
        "variant": "2022",
        "scale": {"min": 1, "max": 7, "stated": True, "lower_is_better": False},
        "measurements": [{"value": 5.64, "is_original": True}, {"value": 6.3}],
    } | changes


# What is drawn ----------------------------------------------------------------------------


def test_values_mean_and_deviations() -> None:
    (axes,) = axes_of(row(values=(1.0, 2.0, 4.0)))
    found = precision_of((1.0, 2.0, 4.0))
    assert points(axes) == {"o": [[2.0, 0.0], [4.0, 0.0]], "D": [[1.0, 0.0]]}
    bands = sorted(
        (patch.get_x(), patch.get_x() + patch.get_width())
        for patch in axes.patches  # type: ignore[attr-defined]
    )
    for (low, high), deviations in zip(bands, (2, 1), strict=True):
        assert isclose(low, found.mean - deviations * found.stdev)
        assert isclose(high, found.mean + deviations * found.stdev)
    (mean,) = (line for line in axes.lines if line.get_marker() == "None")
    assert mean.get_xdata().tolist() == [found.mean] * 2  # type: ignore[union-attr]
    assert texts(axes) == [f"CV* {found.cv_star:.3f}  (n = 3)"]


def test_the_original_is_told_by_more_than_its_colour() -> None:
    (axes,) = axes_of(row(values=(1.0, 2.0)))
    original, other = (
        next(line for line in axes.lines if line.get_marker() == marker) for marker in "Do"
    )
    assert (original.get_color(), other.get_color()) == (COLOURS[1], COLOURS[0])
    assert original.get_markerfacecolor() == "white"
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "original",
        "reproduction",
        "mean",
        "mean ± 1 s*",
        "mean ± 2 s*",
    ]


def test_where_nobody_says_which_was_first_all_are_measurements() -> None:
    (axes,) = axes_of(row(original=None))
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_texts()[0].get_text() == "measurement"
    assert set(points(axes)) == {"o"}


def test_a_panel_for_each_measurand_and_scale() -> None:
    found = figure_of(
        [
            row("a", measurand="BLEU"),
            row("a", measurand="SARI"),
            row("b", measurand="BLEU"),
            row("b", measurand="SARI", scale=(0.0, 100.0)),
            row("c", measurand="SARI", scale=(0.0, 100.0), is_lower_better=True),
        ]
    )
    assert [(panel.label, [one.object for one in panel.rows]) for panel in found.panels] == [
        ("BLEU", ["a", "b"]),
        ("SARI", ["a"]),
        ("SARI (0 to 100)", ["b"]),
        ("SARI (0 to 100, lower is better)", ["c"]),
    ]
    names = [[text.get_text() for text in axes.get_yticklabels()] for axes in axes_of(*found.rows)]
    assert names == [["a", "b"], ["a"], ["b"], ["c"]]


def test_axes_of_one_scale_are_equally_long() -> None:
    wide, narrow = axes_of(
        row(values=(2.0, 4.0), measurand="Clarity", scale=(1.0, 7.0)),
        row(values=(6.9, 7.0), measurand="Fluency", scale=(1.0, 7.0)),
    )
    lengths = [high - low for low, high in (wide.get_xlim(), narrow.get_xlim())]
    assert isclose(*lengths)
    # It begins further down rather than to go on where no value can be.
    assert narrow.get_xlim()[1] < 7.5


def test_other_axes_are_as_long_as_they_need_to_be() -> None:
    one, other = axes_of(
        row(values=(0.2, 0.4), measurand="map"), row(values=(10.0, 90.0), measurand="num_ret")
    )
    assert one.get_xlim()[1] < 1 < other.get_xlim()[1]


def test_deviations_end_where_the_scale_does() -> None:
    (axes,) = axes_of(row(values=(5.0, 7.0), scale=(1.0, 7.0)))
    assert max(patch.get_x() + patch.get_width() for patch in axes.patches) == 7.0  # type: ignore[attr-defined]


def test_a_single_value_has_its_reason() -> None:
    drawing = draw_precision(figure_of([row("one", values=(2.0,)), row("two")]))
    assert drawing.notes == ("no CV*: one, map: 1 measurement",)
    (axes,) = drawing.figure.axes
    assert texts(axes)[0] == "no CV*  (n = 1)"
    assert points(axes)["D"][0] == [2.0, 0.0]


def test_equal_values_are_all_seen() -> None:
    (axes,) = axes_of(row(values=(2.5, 2.5, 2.5)))
    places = [tuple(place) for some in points(axes).values() for place in some]
    assert len(set(places)) == 3
    assert texts(axes) == ["CV* 0.000  (n = 3)"]
    low, high = axes.get_xlim()
    assert low < 2.5 < high


def test_rows_of_many_values_have_smaller_markers() -> None:
    sizes = {}
    for count in (2, 29, 30, 200):
        (axes,) = axes_of(row(values=tuple(float(n % 7) for n in range(count)), original=None))
        (line,) = (one for one in axes.lines if one.get_marker() == "o")
        sizes[count] = line.get_markersize()
        assert all(-0.5 < y < 0.5 for _, y in points(axes)["o"])
    assert sizes[2] == sizes[29] > sizes[30] > sizes[200]


def test_names_of_any_kind(tmp_path: Path) -> None:
    rows = [
        row("x" * 300),
        row("$\\frac{1}{2}$ <b>&"),
        row("\x1b[31m\u202e"),
        row("x" * 299 + "y"),
        row("s", group="a table"),
    ]
    write_figure(draw_precision(figure_of(rows)), tmp_path / "f.svg")
    text = "".join(ET.parse(tmp_path / "f.svg").getroot().itertext())
    assert "$\\frac{1}{2}$ <b>&" in text
    assert "a table: s" in text


@pytest.mark.parametrize("count", [1, 2, 40])
def test_rows_stand_apart_however_many(count: int) -> None:
    drawing = draw_precision(figure_of([row(f"system {n}") for n in range(count)]))
    drawing.figure.draw_without_rendering()
    (axes,) = drawing.figure.axes
    boxes = [text.get_window_extent() for text in axes.get_yticklabels()]
    assert all(above.y0 > below.y1 for above, below in itertools.pairwise(boxes))
    assert all(text.get_window_extent().x1 <= drawing.figure.bbox.x1 for text in axes.texts)


def test_many_panels_fit() -> None:
    rows = [row(measurand=f"criterion {n}", scale=(0.0, 10.0)) for n in range(20)]
    figure = draw_precision(figure_of(rows)).figure
    figure.draw_without_rendering()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for above, below in itertools.pairwise(boxes):
        assert above is not None
        assert below is not None
        assert above.y0 >= below.y1 - 1


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(MeasureError, match=r"there are 151 rows, and a figure can name 150"):
        figure_of([row(f"{n}") for n in range(151)])


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    for name in ("one", "two"):
        drawing = draw_precision(
            figure_of([row(), row("b", values=(1.0,))]), FigureLayout(title="T")
        )
        write_figure(drawing, tmp_path / f"{name}.{suffix}")
    one, two = (tmp_path / f"{name}.{suffix}" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


# Reading ----------------------------------------------------------------------------------


def test_an_assessment_is_a_row() -> None:
    (found,) = precision_of_text(json.dumps({"assessments": [record()]}), "x").rows
    assert found.mean == 5.97
    assert (found.minimum, found.maximum, found.cv_star) == (1, 7, 13.24)
    assert [(one.value, one.is_original) for one in found.values] == [(5.64, True), (6.3, False)]


def test_a_scale_that_nobody_described_has_no_ends() -> None:
    scale = {"min": 0, "max": None, "stated": False}
    (found,) = precision_of_text(json.dumps([record(scale=scale)]), "x").rows
    assert (found.minimum, found.maximum) == (None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "there is nothing in it; give the output of primad-ld qra", id="empty"),
        pytest.param("[", "this is not JSON", id="cut off"),
        pytest.param("{}", "expected a list of assessments", id="no list"),
        pytest.param("[]", "there are no assessments in it", id="nothing"),
        pytest.param("[3]", "assessment 1: expected a mapping, not 3", id="a number"),
        pytest.param("[" * 100_000, "nested deeper than 32 levels", id="deep"),
        pytest.param('[{"mean": NaN}]', "NaN is not a JSON value", id="NaN"),
        pytest.param(
            json.dumps([{k: v for k, v in record().items() if k != "object"}]),
            "assessment 1: there is no 'object'; give the output of primad-ld qra --format json",
            id="no object",
        ),
        pytest.param(
            json.dumps([record(measurements="x")]),
            'assessment 1, measurements: expected a list, not "x"',
            id="no list of measurements",
        ),
        pytest.param(
            json.dumps({"results": [{"type": "II", "criterion": "Fluency", "value": 0.5}]}),
            "expected a list of assessments; give the output of primad-ld qra --format json, "
            "without --type",
            id="results of a type",
        ),
        pytest.param(
            json.dumps([record(measurements=[])]), "expected some measurements", id="none measured"
        ),
        pytest.param(
            json.dumps([record(measurements=[{"value": None}])]),
            "assessment 1, measurement 1, value: expected a number, not null",
            id="no value",
        ),
        pytest.param(
            json.dumps([record(mean=1e300)]), "a number that is not too large", id="too large"
        ),
    ],
)
def test_what_is_no_result_of_qra(put: Put, text: str, message: str) -> None:
    path = put("found.json", text)
    with pytest.raises((HeaderError, MeasureError)) as caught:
        read_precision(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


# The command ------------------------------------------------------------------------------


def drawn(path: Path) -> set[str]:
    return {"".join(text.itertext()) for text in ET.parse(path).getroot().iter(f"{SVG}text")}


def test_measurements_and_what_was_found_of_them_give_the_same(
    draw: Draw, put: Put, tmp_path: Path
) -> None:
    from typer.testing import CliRunner

    from primad_ld.cli import app

    put("m.yaml", YAML)
    assert draw("qra", "m.yaml", "-o", "one.svg").exit_code == 0
    found = CliRunner().invoke(app, ["qra", "m.yaml", "--format", "json"]).stdout
    put("found.json", found)
    assert draw("qra", "found.json", "-o", "two.svg").exit_code == 0
    assert draw("qra", "-", "-o", "three.svg", text=found.encode()).exit_code == 0
    one, two, three = ((tmp_path / f"{name}.svg").read_bytes() for name in ("one", "two", "three"))
    assert one == two == three
    assert {"PASS", "FAIL", "Clarity (1 to 7)", "BLEU", "CV* 13.240  (n = 2)"} <= drawn(
        tmp_path / "one.svg"
    )


def test_options_of_qra(draw: Draw, put: Put, tmp_path: Path) -> None:
    put("m.yaml", YAML)
    chosen = ["--where", "measurand=Clarity", "--variant", "2026"]
    assert draw("qra", "m.yaml", *chosen, "-o", "f.svg").exit_code == 0
    texts = drawn(tmp_path / "f.svg")
    assert "BLEU" not in texts
    assert "CV* in percent, by the formula of 2026" in texts
    assert "CV* 11.769  (n = 2)" in texts  # 13.240 without 1 + 1/8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.yaml"], "error: nothing.yaml: no such file or directory\n"),
        (["m.yaml", "--where", "a=b"], "error: no measurement has 'a'"),
        (["m.yaml", "--nonsense"], "No such option: --nonsense"),
        (["m.yaml", "--height", "1"], "the figure is too small for its texts"),
        (["empty.json"], "error: empty.json: there is nothing in it"),
    ],
)
def test_errors_are_told_once_and_nothing_is_written(
    draw: Draw, put: Put, tmp_path: Path, arguments: list[str], message: str
) -> None:
    put("m.yaml", YAML)
    put("empty.json", "")
    result = draw("qra", *arguments, "-o", "f.svg")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("error:") <= 1
    assert not (tmp_path / "f.svg").exists()


def test_what_is_there_stays(draw: Draw, put: Put) -> None:
    put("m.yaml", YAML)
    path = put("f.svg", "mine")
    result = draw("qra", "m.yaml", "-o", "f.svg")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: f.svg already exists; use --force (force=True in Python) to overwrite it\n",
    )
    assert path.read_text() == "mine"
