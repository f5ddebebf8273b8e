"""What all figures have in common: names, notes, the same bytes."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plotted import SVG, swept

from primad_ld.core.errors import MeasureError, OutputError
from primad_ld.plot.style import (
    FigureLayout,
    common_start,
    format_of,
    measure_name,
    number,
    printable,
    short_names,
    shortened,
    write_figure,
)
from primad_ld.plot.sweep_figure import draw_sweep, sweep_of

_NAMES = st.lists(st.text(alphabet="ab\x00\u202e-", max_size=12), max_size=9, unique=True)


@given(_NAMES, st.integers(5, 12))
def test_short_names_stay_different(names: list[str], most: int) -> None:
    found = short_names(names, most)
    assert len(found) == len(set(found)) == len(names)
    assert all(len(one) <= most + len(" (9)") for one in found)
    assert all(one.isprintable() for one in found)


@given(st.text(), st.integers(3, 20))
def test_shortened_keeps_both_ends(text: str, most: int) -> None:
    found = shortened(text, most)
    assert len(found) <= most
    assert found == text or (
        text.startswith(found.partition("…")[0]) and text.endswith(found.rpartition("…")[2])
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npl-prf w0.1 <β>", "npl-prf w0.1 <β>"),
        ("two\nlines\tand", "two lines and"),
        ("\x00\x1b[31m", "\ufffd\ufffd[31m"),  # a figure is XML, which has no NUL
        ("abc\u202edcba", "abc\ufffddcba"),  # turns the direction of what follows
        ("\ud800", "\ufffd"),  # half a character, which is no UTF-8
        ("\ufffe", "\ufffd"),  # no character of XML
    ],
)
def test_printable(text: str, expected: str) -> None:
    assert printable(text) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["npl-prf-w01", "npl-prf-w02", "npl-prf-w10"], "npl-prf-"),
        (["npl-prf-w01", "npl-prf-w02"], ""),  # two names are no series
        (["npl-a", "npl-b", "other-c"], ""),
        (["a-1", "a-2", "a-3"], ""),  # would save nothing
        (["run.one", "run.one", "run.one"], "run."),  # something has to be left
        ([], ""),
    ],
)
def test_common_start(names: list[str], expected: str) -> None:
    assert common_start(names) == expected


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("map", "AP"),
        ("P_10", "P@10"),
        ("ndcg_cut_1000", "nDCG@1000"),
        ("iprec_at_recall_0.10", "iprec_at_recall_0.10"),
        ("set_P", "set_P"),
        (None, ""),
    ],
)
def test_measures_have_the_names_of_papers(on: str | None, expected: str) -> None:
    assert measure_name(on) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.28639, "0.2864"), (-0.5, "−0.5000"), (0, "0.0000"), (1e-9, "1e−09"), (1e100, "1e+100")],
)
def test_numbers(value: float, expected: str) -> None:
    assert number(value) == expected


@pytest.mark.parametrize("name", ["figure", "figure.gif", "figure.svg.txt", ".svg", "-"])
def test_other_formats_are_refused(name: str, tmp_path) -> None:
    with pytest.raises(OutputError, match=r"a figure is written as svg, pdf, png"):
        format_of(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "start"),
    [("f.svg", b"<?xml"), ("f.SVG", b"<?xml"), ("f.pdf", b"%PDF"), ("f.png", b"\x89PNG"), ("f.svg.gz", b"\x1f\x8b")],
)  # fmt: skip
def test_the_suffix_says_the_format(tmp_path, name: str, start: bytes) -> None:
    write_figure(draw_sweep(sweep_of([swept("a", 0.3, 0.1)])), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_an_svg_has_texts_and_names_fonts_that_somebody_has(tmp_path) -> None:
    path = tmp_path / "f.svg"
    write_figure(draw_sweep(sweep_of([swept("a", 0.3, 0.1)])), path)
    root = ET.fromstring(path.read_bytes())
    styles = [text.get("style", "") for text in root.iter(f"{SVG}text")]
    assert styles
    # How they are quoted is matplotlib's business.
    assert all(re.search(r"DejaVu Sans.*Verdana.*, sans-serif", style) for style in styles)
    assert b"date" not in path.read_bytes()


def test_it_is_written_whole_or_not_at_all(tmp_path) -> None:
    drawing = draw_sweep(sweep_of([swept("a", 0.3, 0.1)]), FigureLayout(width=1, height=1))
    path = tmp_path / "f.svg"
    path.write_text("before")
    with pytest.raises(MeasureError, match="too small for its texts; give --width and --height"):
        write_figure(drawing, path, force=True)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OutputError, match="already exists; use --force"):
        write_figure(draw_sweep(sweep_of([swept("a", 0.3, 0.1)])), path)
    assert path.read_text() == "before"


def test_size_and_title(tmp_path) -> None:
    layout = FigureLayout(title="A title " * 30, width=5, height=7)
    figure = draw_sweep(sweep_of([swept("a", 0.3, 0.1)]), layout).figure
    assert tuple(figure.get_size_inches()) == (5, 7)
    figure.draw_without_rendering()
    # Long titles are wrapped rather than cut.
    (title,) = [text for text in figure.texts if text.get_text().startswith("A title")]
    assert title.get_text().replace("\n", " ").strip() == layout.title.strip()
    assert title.get_window_extent().x1 <= figure.bbox.x1


def test_signs_that_the_font_lacks_are_told(tmp_path) -> None:
    drawing = draw_sweep(sweep_of([swept("漢字-run", 0.3, 0.1)]))
    notes = write_figure(drawing, tmp_path / "f.svg")
    assert notes == (
        "the font has no sign for 字 漢; an SVG shows it by a font of whoever looks at it, "
        "PDF and PNG do not",
    )
    assert "漢字-run" in (tmp_path / "f.svg").read_text(encoding="utf-8")


def test_settings_of_the_user_count_nothing_and_are_left_alone(tmp_path) -> None:
    def written(name: str) -> bytes:
        write_figure(draw_sweep(sweep_of([swept("a", 0.3, 0.1)])), tmp_path / name)
        return (tmp_path / name).read_bytes()

    expected = written("ours.svg")
    theirs = {
        "font.size": 20,
        "font.family": ["serif"],
        "xtick.direction": "in",
        "svg.fonttype": "path",
    }
    with mpl.rc_context(theirs):
        before = dict(mpl.rcParams)
        assert written("theirs.svg") == expected
        assert dict(mpl.rcParams) == before
