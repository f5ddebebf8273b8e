"""What all figures have in common: names, notes, the same bytes."""

from __future__ import annotations

import doctest
import itertools
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plotted import SVG, assessment, cell, results_of, swept

from primad_ld import plot
from primad_ld.core.errors import MeasureError, OutputError
from primad_ld.core.files import resource
from primad_ld.plot import (
    effects_figure,
    matrix_figure,
    precision_figure,
    sweep_figure,
    topics_figure,
)
from primad_ld.plot.style import Drawing, measure_name, number, short_names, shortened
from primad_ld.tables.answers import Answer

SWEEP = results_of(swept("a", 0.3, 0.1))
_NAMES = st.lists(st.text(alphabet="ab\x00\u202e-", max_size=12), max_size=9, unique=True)


@pytest.mark.parametrize(
    "module", [effects_figure, matrix_figure, precision_figure, sweep_figure, topics_figure]
)
def test_examples_run(module: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(resource("examples/garden"))
    done = doctest.testmod(module)  # type: ignore[arg-type]
    assert done.attempted > 0
    assert done.failed == 0


@given(_NAMES, st.integers(5, 12))
def test_short_names_stay_different(names: list[str], most: int) -> None:
    labels = short_names(names, most)
    assert len(labels) == len(set(labels)) == len(names)
    assert all(len(label) <= most + len(" (9)") for label in labels)
    assert all(label.isprintable() for label in labels)


def test_shortened_keeps_both_ends() -> None:
    assert shortened("abcdefgh", 8) == "abcdefgh"
    assert shortened("abcdefghi", 8) == "abcd…ghi"


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("map", "AP"),
        ("P_10", "P@10"),
        ("ndcg_cut_1000", "nDCG@1000"),
        ("iprec_at_recall_0.10", "iprec_at_recall_0.10"),
        ("set_P", "set_P"),
    ],
)
def test_measures_have_the_names_of_papers(on: str, expected: str) -> None:
    assert measure_name(on) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.28639, "0.2864"), (-0.5, "−0.5000"), (0, "0.0000"), (1e-9, "1e−09"), (1e100, "1e+100")],
)
def test_numbers(value: float, expected: str) -> None:
    assert number(value) == expected


@pytest.mark.parametrize("name", ["figure", "figure.gif", "figure.svg.txt", ".svg", "-"])
def test_other_formats_are_refused(name: str) -> None:
    with pytest.raises(OutputError, match=r"unknown format of a figure; .* \.svg, \.pdf or \.png"):
        plot.sweep(SWEEP, name)


@pytest.mark.parametrize(
    ("name", "start"),
    [("f.svg", b"<?xml"), ("f.SVG", b"<?xml"), ("f.pdf", b"%PDF"), ("f.png", b"\x89PNG"), ("f.svg.gz", b"\x1f\x8b")],
)  # fmt: skip
def test_the_suffix_says_the_format(tmp_path: Path, name: str, start: bytes) -> None:
    plot.sweep(SWEEP, str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_drawing_is_saved_and_shown(tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    drawing = plot.sweep(SWEEP)
    assert drawing.save(path) == ()
    assert drawing._repr_svg_() == path.read_text(encoding="utf-8")
    assert repr(drawing) == "<Drawing: 6.4 x 5.2 inches>"
    with pytest.raises(OutputError, match="already exists; use --force"):
        drawing.save(path)
    drawing.save(path, force=True)


def test_an_svg_has_texts_and_names_fonts_that_somebody_has() -> None:
    svg = plot.sweep(SWEEP)._repr_svg_()
    styles = [text.get("style", "") for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert styles
    # How they are quoted is matplotlib's business.
    assert all(re.search(r"DejaVu Sans.*Verdana.*, sans-serif", style) for style in styles)
    assert "date" not in svg


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "f.svg"
    path.write_text("before")
    with pytest.raises(MeasureError, match="too small for its texts; give --width and --height"):
        plot.sweep(SWEEP, path, force=True, width=1, height=1)
    with pytest.raises(OutputError, match="already exists"):
        plot.sweep(SWEEP, path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_size_and_title() -> None:
    words = "A title " * 30
    figure = plot.sweep(SWEEP, title=words, width=5, height=7).figure
    assert tuple(figure.get_size_inches()) == (5, 7)
    figure.draw_without_rendering()
    # Long titles are wrapped rather than cut.
    (title,) = [text for text in figure.texts if text.get_text().startswith("A title")]
    assert title.get_text().replace("\n", " ").strip() == words.strip()
    assert title.get_window_extent().x1 <= figure.bbox.x1


_MANY = [f"team-{n % 7}-a-run-with-a-long-name-and-parameters-k1={n}" for n in range(60)]


@pytest.mark.parametrize(
    ("draw", "results"),
    [
        (plot.sweep, results_of(swept(name, 0.3, 0.1) for name in _MANY)),
        (plot.matrix, results_of(cell(_MANY[0], name, 0.5) for name in _MANY)),
        (plot.qra, results_of(assessment(name, measurand=name[5]) for name in _MANY)),
    ],
)
def test_names_of_many_runs_do_not_touch(
    draw: Callable[[Answer], Drawing], results: Answer
) -> None:
    figure = draw(results).figure
    figure.draw_without_rendering()
    panels = [axes.get_tightbbox() for axes in figure.axes if draw is not plot.matrix]
    assert all(above.y0 >= below.y1 - 1 for above, below in itertools.pairwise(panels))  # type: ignore[union-attr]
    for axes in figure.axes[-1:] if draw is plot.sweep else figure.axes[:1]:
        for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
            boxes = [label.get_window_extent() for label in labels if label.get_text()]
            assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))
            assert all(min(box.x0, box.y0) > 0 for box in boxes)


@pytest.mark.parametrize("size", [{"width": 0.5}, {"height": 101}, {"width": float("nan")}])
def test_sizes_that_no_figure_has(size: dict[str, float]) -> None:
    with pytest.raises(MeasureError, match="must be from 1 to 100 inches"):
        plot.sweep(SWEEP, **size)  # type: ignore[arg-type]


def test_signs_that_the_font_lacks_are_told(tmp_path: Path) -> None:
    drawing = plot.sweep(results_of(swept("漢字-run", 0.3, 0.1)), tmp_path / "f.svg")
    assert drawing.notes == (
        "the font has no sign for 字 漢; an SVG shows it in a font of the reader, PDF and PNG do "
        "not show it",
    )
    assert "漢字-run" in (tmp_path / "f.svg").read_text(encoding="utf-8")


def test_settings_of_the_user_count_nothing_and_are_left_alone() -> None:
    expected = plot.sweep(SWEEP)._repr_svg_()
    theirs = {"font.size": 20, "font.family": ["serif"], "svg.fonttype": "path"}
    with mpl.rc_context(theirs):
        before = dict(mpl.rcParams)
        assert plot.sweep(SWEEP)._repr_svg_() == expected
        assert dict(mpl.rcParams) == before
