"""Sweeps: what is read out of results, and that it is drawn where it belongs."""

from __future__ import annotations

import itertools
import re
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support import reference_data
from support.plotted import SVG, measured, swept, texts

from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import ScorePair
from primad_ld.measures.registry import all_measures
from primad_ld.plot.plotted_results import ComparedRuns
from primad_ld.plot.style import write_figure
from primad_ld.plot.sweep_figure import draw_sweep, sweep_of
from primad_ld.trec.judgements import read_judgements
from primad_ld.trec.rankings import read_rankings
from primad_ld.trec.scorer import Scorer

WEIGHTS = [f"npl-prf-w0{number}" for number in range(1, 10)]


@cache
def vaswani() -> list[ComparedRuns]:
    """The interpolation sweep on Vaswani, against its lowest weight."""
    folder = reference_data() / "vaswani"
    scorer = Scorer(read_judgements(folder / "qrels.all.txt"), ["map"])
    scores = [
        scorer.score(read_rankings(folder / "runs" / f"{name}.txt.gz"), name) for name in WEIGHTS
    ]
    found = []
    for one in scores:
        pair = ScorePair(
            on="map",
            reference=tuple(scores[0].values["map"]),
            candidate=tuple(one.values["map"]),
            topics=one.topics,
        )
        error = all_measures()["rmse"].function(pair).value
        found.append(swept(one.name, one.mean("map"), error, WEIGHTS[0], scores[0].mean("map")))
    return found


def test_the_sweep_on_vaswani_peaks_at_three_and_its_error_rises() -> None:
    (series,) = sweep_of(vaswani(), by=r"w0(\d)").series
    assert [point.position for point in series.points] == list(range(1, 10))
    errors = [point.error for point in series.points]
    assert errors[0] == 0
    assert errors == sorted(errors)
    assert series.best is not None
    assert series.best.position == 3


def test_points_are_drawn_where_the_values_are(tmp_path: Path) -> None:
    records = vaswani()
    path = tmp_path / "sweep.svg"
    write_figure(draw_sweep(sweep_of(records)), path)
    root = ET.fromstring(path.read_bytes())
    # Each panel has one group of nine markers.
    drawn = [
        [(float(use.get("x", "")), float(use.get("y", ""))) for use in uses]
        for group in root.iter(f"{SVG}g")
        if len(uses := group.findall(f"{SVG}g/{SVG}use")) == len(WEIGHTS)
    ]
    means = [record.results[0].details["candidate"] for record in records]
    errors = [record.results[1].value for record in records]
    for spots, values in zip(drawn, (means, errors), strict=True):
        assert [x for x, _ in spots] == pytest.approx(_along(range(9), spots[0][0], spots[-1][0]))
        assert [y for _, y in spots] == pytest.approx(_along(values, spots[0][1], spots[-1][1]))
        assert spots[2][1] < spots[0][1] or values is errors  # upwards is more


def _along(values: Any, first: float, last: float) -> list[float]:
    """Where values lie on the screen if the first and the last lie there."""
    share = (last - first) / (values[-1] - values[0])
    return [first + share * (value - values[0]) for value in values]


def test_texts_of_the_figure(tmp_path: Path) -> None:
    path = tmp_path / "sweep.svg"
    write_figure(draw_sweep(sweep_of(vaswani())), path)
    said = texts(path.read_bytes())
    assert "best npl-prf-w03: 0.2985" in said
    assert "reference npl-prf-w01: 0.2864" in said
    assert all(name in said for name in WEIGHTS)
    assert "mean AP" in said
    assert "RMSE of AP" in said


def test_undefined_values_are_crosses_and_named() -> None:
    records = [swept("a", 0.3, 0.1), swept("b", None, 0.2), swept("c", 0.2, None)]
    drawing = draw_sweep(sweep_of(records))
    above, below = drawing.figure.axes
    assert [isnan(y) for y in above.lines[0].get_ydata()] == [False, True, False]
    crosses = [
        list(line.get_xdata())
        for axes in (above, below)
        for line in axes.lines
        if line.get_marker() == "x"
    ]
    assert crosses == [[1.0], [2.0]]
    assert drawing.notes == (
        "undefined: b: mean AP: no topic in common",
        "undefined: c: RMSE: other judgements",
    )
    note = drawing.figure.get_supxlabel()
    assert "b: mean AP: no topic in common" in note
    assert "c: RMSE: other judgements" in note


def test_nothing_is_defined_at_all() -> None:
    drawing = draw_sweep(sweep_of([swept("a", None, None), swept("b", None, None)]))
    assert "a, b: RMSE: other judgements" in drawing.figure.get_supxlabel()


def test_a_measure_that_a_pair_lacks_is_undefined_there() -> None:
    lacking = ComparedRuns(reference="ref", candidate="b", results=(measured("rmse", 0.1),))
    drawing = draw_sweep(sweep_of([swept("a", 0.3, 0.1), lacking]))
    assert drawing.notes == ("undefined: b: mean AP: it is not among the results",)


@pytest.mark.parametrize(
    ("by", "positions"),
    [
        (r"w([\d.]+)", [0.1, 0.5, 10.0]),  # numbers are sorted as numbers
        (r"[\d.]+$", [0.1, 0.5, 10.0]),  # without a group, the match is the number
        (r"-?\d+(?=\.|$)", [0.0, 0.0, 10.0]),  # two at one place stay two
    ],
)
def test_candidates_stand_at_the_number_in_their_names(by: str, positions: list[float]) -> None:
    records = [swept(name, 0.3, 0.1) for name in ("w10", "w0.5", "w0.1")]
    (series,) = sweep_of(records, by=by).series
    assert [point.position for point in series.points] == positions


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("w(", "--by 'w(' is no regular expression"),
        (f"w{{{'9' * 5000}}}", "is no regular expression"),
        (r"x(\d+)", "finds no number in 'w1'"),
        (r"(w)\d", "finds no number in 'w1'"),
        (r"(x)?w1", "finds no number in 'w1'"),
    ],
)
def test_an_expression_that_finds_no_number(by: str, why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        sweep_of([swept("w1", 0.3, 0.1)], by=by)


def test_each_reference_has_a_line_of_its_own() -> None:
    records = [
        swept(f"{collection}-w{weight}", weight / 10 + base, weight / 20, collection, base)
        for collection, base in (("04.17", 0.1), ("04.18", 0.2))
        for weight in (3, 1, 2)
    ]
    above, _ = draw_sweep(sweep_of(records, by=r"w(\d)")).figure.axes
    lines = [line for line in above.lines if len(line.get_xdata()) == 3]
    assert [list(line.get_ydata()) for line in lines] == [
        pytest.approx([0.2, 0.3, 0.4]),
        pytest.approx([0.3, 0.4, 0.5]),
    ]
    assert len({line.get_color() for line in lines}) == 2
    assert len({line.get_marker() for line in lines}) == 2
    one = sweep_of(records, reference="04.18")
    assert [series.reference for series in one.series] == ["04.18"]


@pytest.mark.parametrize(
    ("records", "options", "why"),
    [
        ([swept("a", 0.3, 0.1)], {"on": "ndcg"}, "no delta_arp on ndcg; it was evaluated on map"),
        ([swept("a", 0.3, 0.1)], {"reference": "x"}, "no pair of 'x'; references are ref"),
        (
            [ComparedRuns(reference="r", candidate="a", results=(measured("ktu", 0.1, None),))],
            {},
            "no delta_arp on map among the results, only ktu",
        ),
        (
            [swept("a", 0.3, 0.1, f"ref{number}") for number in range(20)],
            {},
            "20 references (ref0, ref1",
        ),
    ],
)
def test_what_cannot_be_drawn(
    records: list[ComparedRuns], options: dict[str, str], why: str
) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        sweep_of(records, **options)


def test_baseline_and_advanced_runs_are_two_pairs() -> None:
    advanced = (
        measured("delta_arp", 0.1, details={"reference": 0.4, "candidate": 0.5}, run="advanced"),
        measured("rmse", 0.2, run="advanced"),
    )
    record = ComparedRuns(
        reference="b",
        candidate="rb",
        reference_advanced="a",
        candidate_advanced="ra",
        results=(*swept("rb", 0.3, 0.1, "b").results, *advanced),
    )
    found = {one.reference: one.points[0].mean for one in sweep_of([record]).series}
    assert found == {"b": 0.3, "a": 0.5}


def test_names_of_sixty_candidates_do_not_touch_each_other() -> None:
    names = [f"team-{n % 7}-a-run-with-a-long-name-and-parameters-k1={n}" for n in range(60)]
    figure = draw_sweep(sweep_of([swept(name, 0.3, 0.1) for name in names])).figure
    figure.draw_without_rendering()
    labels = figure.axes[1].get_xticklabels()
    assert len({label.get_text() for label in labels}) == 60
    boxes = [label.get_window_extent() for label in labels]
    assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(boxes))
    assert min(box.y0 for box in boxes) > 0


def test_candidates_that_are_too_many_for_names(tmp_path: Path) -> None:
    records = [swept(f"run{number}", number / 1e4, number / 1e5) for number in range(2_000)]
    path = tmp_path / "sweep.svg"
    write_figure(draw_sweep(sweep_of(records)), path)
    assert "2,000 candidates, in the order given" in texts(path.read_bytes())
    assert path.stat().st_size < 1e6
