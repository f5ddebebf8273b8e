"""Matrices: each value in its cell, in whatever order; what has no value is hatched."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plotted import Row, cell, results_of, row, texts

from primad_ld import plot
from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import RankedPair, ScorePair
from primad_ld.measures.registry import Direction, Needs, all_measures, parse_measure
from primad_ld.plot.matrix_figure import SYMMETRIC, MatrixValues, clustered
from primad_ld.plot.style import Drawing


def cells_of(drawing: Drawing) -> list[list[float | None]]:
    """What is drawn in each row and column; None where nothing is."""
    values: Any = drawing.figure.axes[0].collections[0].get_array()
    return [[None if one is np.ma.masked else float(one) for one in line] for line in values]


def names_of(drawing: Drawing) -> list[str]:
    """The runs from top to bottom."""
    return [tick.get_text() for tick in drawing.figure.axes[0].get_yticklabels()]


def hatched_of(drawing: Drawing) -> set[tuple[int, int]]:
    """The rows and columns that are hatched."""
    _, *patches = drawing.figure.axes[0].collections
    boxes = [path.get_extents() for patch in patches for path in patch.get_paths()]
    assert all(patch.get_hatch() for patch in patches)
    return {(round(box.y0), round(box.x0)) for box in boxes}


def test_values_stand_in_the_row_of_the_reference_and_the_column_of_the_candidate() -> None:
    results = results_of(cell("a", "b", 0.9, "delta_arp"), cell("c", "a", 0.2, "delta_arp"))
    drawing = plot.matrix(results, measure="delta_arp", order="given")
    assert cells_of(drawing) == [[None, 0.9, None], [None] * 3, [0.2, None, None]]
    axes = drawing.figure.axes[0]
    assert names_of(drawing) == ["a", "b", "c"]
    # The first row is at the top, and the values are written into their cells.
    assert axes.get_ylim() == (3, 0)
    assert {text.get_position(): text.get_text() for text in axes.texts} == {
        (1.5, 0.5): "0.90",
        (0.5, 2.5): "0.20",
    }
    assert "grey: pairs that were not evaluated" in drawing.figure.get_supxlabel()


def test_a_symmetric_measure_fills_both_halves() -> None:
    drawing = plot.matrix(results_of(cell("a", "b", 0.9), cell("c", "a", None)), order="given")
    assert cells_of(drawing) == [[None, 0.9, None], [0.9, None, None], [None] * 3]
    assert hatched_of(drawing) == {(2, 0), (0, 2)}
    assert drawing.notes == ("undefined: c and a: a reason",)
    drawing = plot.matrix(
        results_of(cell(a, b, None) for a, b in itertools.combinations("abcd", 2))
    )
    note = drawing.figure.get_supxlabel()
    assert "hatched, undefined: a and b, a and c, a and d, b and c and 2 more: a reason" in note
    assert "grey: a run against itself" in note


@pytest.mark.parametrize("id", sorted((SYMMETRIC & all_measures().keys()) - {"tukey_hsd"}))
def test_measures_that_are_mirrored_are_symmetric(id: str) -> None:
    chosen = parse_measure(f"{id}(margin=0.1)" if "tost" in id else id)
    chance = random.Random(3)
    documents = [f"d{number}" for number in range(12)]

    def lists() -> tuple[list[list[str]], list[list[float]]]:
        sizes = [chance.randint(1, 10) for _ in range(4)]
        scores = [
            sorted((chance.randint(0, 6) for _ in range(size)), reverse=True) for size in sizes
        ]
        return [chance.sample(documents, size) for size in sizes], scores

    def told(pair: object) -> object:
        found = chosen.measure.function(pair, **chosen.parameters)
        return found.value if hasattr(found, "value") else found

    topics = ("1", "2", "3", "4")
    for _ in range(10):
        if chosen.measure.needs is Needs.rankings:
            (a, a_scores), (b, b_scores) = lists(), lists()
            one = RankedPair(topics=topics, reference=a, candidate=b, reference_scores=a_scores, candidate_scores=b_scores)  # fmt: skip
            other = RankedPair(topics=topics, reference=b, candidate=a, reference_scores=b_scores, candidate_scores=a_scores)  # fmt: skip
        else:
            x, y = (tuple(chance.random() for _ in topics) for _ in range(2))
            one = ScorePair(on="map", reference=x, candidate=y, topics=topics)
            other = ScorePair(on="map", reference=y, candidate=x, topics=topics)
        assert told(one) == pytest.approx(told(other), abs=1e-12)


def test_similar_runs_stand_beside_each_other() -> None:
    places = {"a1": 0.0, "b1": 5.0, "a2": 0.1, "c": 9.0, "b2": 5.2, "a3": 0.25}
    pairs = list(itertools.combinations(places, 2))
    alike = results_of(cell(a, b, 1 / (1 + abs(places[a] - places[b]))) for a, b in pairs)
    apart = results_of(cell(a, b, abs(places[a] - places[b]), "rmse") for a, b in pairs)
    signed = results_of(cell(a, b, places[b] - places[a], "delta_arp") for a, b in pairs)
    for results, measure in ((alike, "rbo"), (apart, "rmse"), (signed, "delta_arp")):
        names = names_of(plot.matrix(results, measure=measure))
        assert names == ["a1", "a2", "a3", "b1", "b2", "c"]


def values_of(
    names: tuple[str, ...], values: dict[tuple[str, str], float], *, far: bool = True
) -> MatrixValues:
    direction = Direction.lower if far else Direction.higher
    return MatrixValues(measure="m", on="", direction=direction, centre=None, names=names, values=values, undefined={})  # fmt: skip


def test_the_first_run_stands_in_the_first_half() -> None:
    # scipy has this tree the other way round, and both ways are the same tree.
    places = {"a": 3, "b": 9, "c": 8, "d": 2, "e": 5}
    pairs = itertools.permutations(places, 2)
    apart = {(a, b): float(abs(places[a] - places[b])) for a, b in pairs}
    assert clustered(values_of(tuple(places), apart)) == ("d", "a", "e", "c", "b")


@given(
    st.lists(st.text(max_size=3), min_size=1, max_size=7, unique=True),
    st.lists(st.one_of(st.none(), st.floats(-1, 1)), min_size=49, max_size=49),
    st.booleans(),
)
def test_clustering_loses_nobody(names: list[str], numbers: list[float | None], far: bool) -> None:
    pairs = itertools.product(names, names)
    values = {p: v for p, v in zip(pairs, numbers, strict=False) if v is not None}
    order = clustered(values_of(tuple(names), values, far=far))
    assert sorted(order) == sorted(names)
    other = values_of(tuple(names), dict(reversed(values.items())), far=far)
    assert order == clustered(other)


def test_parameters_tell_measures_apart() -> None:
    results = results_of(row("rbo", 0.5, None), row("rbo", 0.7, None, parameters={"p": 0.8}))
    drawing = plot.matrix(results, measure="RBO(p=0.80)", order="given")
    assert cells_of(drawing) == [[None, 0.7], [0.7, None]]
    with pytest.raises(MeasureError, match=re.escape("a and b have results of rbo, rbo(p=0.8)")):
        plot.matrix(results)


def test_a_margin_in_percents_is_of_the_reference_and_not_mirrored() -> None:
    results = results_of(
        cell(*pair, value, "tost", parameters={"percent": 5})
        for pair, value in ((("a", "b"), 0.7), (("b", "a"), 0.6))
    )
    drawing = plot.matrix(results, measure="tost", order="given")
    assert cells_of(drawing) == [[None, 0.7], [0.6, None]]
    assert "(tost(margin=5%)" in drawing.figure.axes[1].get_ylabel()


@pytest.mark.parametrize(
    ("rows", "options", "why"),
    [
        ([cell("a", "b", 0.5)], {"measure": "ktu"}, "no ktu among the results, only rbo"),
        ([cell("a", "b", 0.5)], {"measure": "rbo(q=1)"}, "rbo has p=…"),
        (
            [cell("a", "b", 0.5)],
            {"order": "random"},
            "unknown order 'random'; choose from clustered",
        ),
        (
            [cell("a", "b", 0.5), cell("a", "b", 0.6)],
            {},
            "a and b have two different values of rbo",
        ),
        ([cell("a", f"b{n}", 0.5) for n in range(1001)], {}, "1,002 runs"),
    ],
)
def test_what_cannot_be_drawn(rows: list[Row], options: dict[str, str], why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        plot.matrix(results_of(rows), **options)  # type: ignore[arg-type]


def test_on_is_not_used_where_orders_are_compared() -> None:
    drawing = plot.matrix(results_of(cell("a", "b", 0.5)), on="P_10")
    assert drawing.unused == {"on": "rbo compares orders"}
    assert not plot.matrix(results_of(cell("a", "b", 0.5, "rmse")), measure="rmse").unused


def test_measures_of_somebody_else_are_drawn_without_a_meaning_of_colours() -> None:
    drawing = plot.matrix(results_of(cell("a", "b", 0.5, "mine")), measure="mine")
    assert drawing.figure.axes[1].get_ylabel() == "mine of AP"


@pytest.mark.parametrize(
    ("measure", "colours", "meaning"),
    [
        ("rbo", "cividis", "the brighter, the more alike"),
        ("rmse", "cividis_r", "the brighter, the more alike"),  # 0 is the bright end
        ("er", "PuOr", "the paler, the more alike"),  # on both sides of 1
    ],
)
def test_colours_say_what_is_alike(measure: str, colours: str, meaning: str) -> None:
    figure = plot.matrix(results_of(cell("a", "b", 0.5, measure)), measure=measure).figure
    mesh = figure.axes[0].collections[0]
    assert mesh.get_cmap().name == colours
    assert figure.axes[1].get_ylabel().endswith(meaning)
    if measure == "er":
        assert (mesh.norm.vmin, mesh.norm.vmax) == (0.5, 1.5)


@pytest.mark.parametrize(
    ("measure", "itself", "extend"),
    [("rbo", 1.0, "max"), ("rmse", 0.0, "min"), ("rbo", 0.5, "neither")],
)
def test_a_run_against_itself_takes_no_colours_from_the_others(
    measure: str, itself: float, extend: str
) -> None:
    cells = [("a", "a", itself), ("a", "b", 0.4), ("c", "a", 0.6)]
    results = results_of(cell(*values, measure) for values in cells)
    figure = plot.matrix(results, measure=measure, order="given").figure
    mesh: Any = figure.axes[0].collections[0]
    assert (mesh.norm.vmin, mesh.norm.vmax) == (0.4, 0.6)
    assert mesh.colorbar.extend == extend
    assert ("a run against itself lies beyond" in figure.get_supxlabel()) == (extend != "neither")


def test_a_large_matrix_is_no_large_file() -> None:
    names = [f"run{number}" for number in range(142)]
    rows = [cell(a, b, 0.5 + len(a) / 100) for a, b in itertools.combinations(names, 2)]
    assert len(rows) > 10_000
    svg = plot.matrix(results_of(rows), order="given")._repr_svg_().encode()
    assert "142 runs, too many for names" in texts(svg)
    assert len(svg) < 1e6
