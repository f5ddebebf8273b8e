"""Matrices: each value in its cell, in whatever order; what has no value is hatched."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.plotted import cell, measured, texts

from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import RankedPair, ScorePair
from primad_ld.measures.registry import Needs, all_measures, parse_measure
from primad_ld.plot.matrix_figure import (
    SYMMETRIC,
    clustered,
    compares_orders,
    draw_matrix,
    matrix_of,
)
from primad_ld.plot.plotted_results import ComparedRuns
from primad_ld.plot.style import write_figure


def cells_of(drawing):
    """What is drawn in each row and column; None where nothing is."""
    mesh = drawing.figure.axes[0].collections[0]
    return [
        [None if one is np.ma.masked else float(one) for one in row] for row in mesh.get_array()
    ]


def hatched_of(drawing):
    """The rows and columns that are hatched."""
    _, *patches = drawing.figure.axes[0].collections
    found = set()
    for collection in patches:
        assert collection.get_hatch()
        for path in collection.get_paths():
            box = path.get_extents()
            found.add((round(box.y0), round(box.x0)))
    return found


def test_values_stand_in_the_row_of_the_reference_and_the_column_of_the_candidate() -> None:
    records = [cell("a", "b", 0.9, "delta_arp"), cell("c", "a", 0.2, "delta_arp")]
    found = matrix_of(records, measure="delta_arp", on="map", is_clustered=False)
    drawing = draw_matrix(found)
    assert found.names == ("a", "b", "c")
    assert cells_of(drawing) == [[None, 0.9, None], [None] * 3, [0.2, None, None]]
    axes = drawing.figure.axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["a", "b", "c"]
    # The first row is at the top, and the values are written into their cells.
    assert axes.get_ylim() == (3, 0)
    assert {text.get_position(): text.get_text() for text in axes.texts} == {
        (1.5, 0.5): "0.90",
        (0.5, 2.5): "0.20",
    }
    assert "grey: pairs that were not evaluated" in drawing.figure.get_supxlabel()


def test_a_symmetric_measure_fills_both_halves() -> None:
    records = [cell("a", "b", 0.9), cell("c", "a", None, reason="no topic in common")]
    drawing = draw_matrix(matrix_of(records, measure="rbo", is_clustered=False))
    assert cells_of(drawing) == [[None, 0.9, None], [0.9, None, None], [None] * 3]
    assert hatched_of(drawing) == {(2, 0), (0, 2)}
    assert drawing.notes == ("undefined: c and a: no topic in common",)
    assert "hatched, undefined: c and a: no topic in common" in drawing.figure.get_supxlabel()


def test_nothing_is_defined_at_all() -> None:
    records = [cell(a, b, None, reason="no topic") for a, b in itertools.combinations("abcd", 2)]
    drawing = draw_matrix(matrix_of(records, measure="rbo"))
    assert len(hatched_of(drawing)) == 12
    note = drawing.figure.get_supxlabel()
    assert "a and b, a and c, a and d, b and c and 2 more: no topic" in note
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
    alike = [cell(a, b, 1 / (1 + abs(places[a] - places[b]))) for a, b in pairs]
    apart = [cell(a, b, abs(places[a] - places[b]), "rmse") for a, b in pairs]
    signed = [cell(a, b, places[b] - places[a], "delta_arp") for a, b in pairs]
    expected = ("a1", "a2", "a3", "b1", "b2", "c")
    assert matrix_of(alike, measure="rbo").names == expected
    assert matrix_of(apart, measure="rmse", on="map").names == expected
    assert matrix_of(signed, measure="delta_arp", on="map").names == expected


def test_the_first_run_stands_in_the_first_half() -> None:
    # scipy has this tree the other way round, and both ways are the same tree.
    places = {"a": 3, "b": 9, "c": 8, "d": 2, "e": 5}
    pairs = itertools.permutations(places, 2)
    apart = {(a, b): float(abs(places[a] - places[b])) for a, b in pairs}
    assert clustered(tuple(places), apart, is_distance=True) == ("d", "a", "e", "c", "b")


@given(
    st.lists(st.text(max_size=3), min_size=1, max_size=7, unique=True),
    st.lists(st.one_of(st.none(), st.floats(-1, 1)), min_size=49, max_size=49),
    st.booleans(),
)
def test_clustering_loses_nobody(names: list[str], numbers: list[float | None], far: bool) -> None:
    pairs = itertools.product(names, names)
    values = {p: v for p, v in zip(pairs, numbers, strict=False) if v is not None}
    found = clustered(tuple(names), values, is_distance=far)
    assert sorted(found) == sorted(names)
    assert found == clustered(tuple(names), dict(reversed(values.items())), is_distance=far)


def test_parameters_tell_measures_apart() -> None:
    both = (*measured_rbo("rbo", 0.5), *measured_rbo("rbo(p=0.8)", 0.7))
    record = ComparedRuns(reference="a", candidate="b", results=both, place="a and b")
    assert matrix_of([record], measure="RBO(p=0.80)").values["a", "b"] == 0.7
    with pytest.raises(MeasureError, match=re.escape("a and b: there are rbo, rbo(p=0.8)")):
        matrix_of([record], measure="rbo")


def test_a_margin_in_percents_is_of_the_reference_and_not_mirrored() -> None:
    label = "tost(margin=5%)"
    records = [
        ComparedRuns(
            reference=one,
            candidate=other,
            results=(replace(measured("tost", value), label=label),),
            place=f"{one} and {other}",
        )
        for one, other, value in (("a", "b", 0.7), ("b", "a", 0.6))
    ]
    found = matrix_of(records, measure="tost", on="map", is_clustered=False)
    assert (found.values["a", "b"], found.values["b", "a"]) == (0.7, 0.6)
    assert found.measure == label


def measured_rbo(label: str, value: float):
    return [replace(measured("rbo", value, None), label=label)]


@pytest.mark.parametrize(
    ("records", "measure", "why"),
    [
        ([cell("a", "b", 0.5)], "ktu", "no ktu on rankings among the results, only rbo"),
        ([cell("a", "b", 0.5)], "rbo(q=1)", "rbo has p=…"),
        (
            [cell("a", "b", 0.5), cell("a", "b", 0.6)],
            "rbo",
            "a and b: a and b were evaluated twice, with different results",
        ),
        ([cell("a", "b", 0.5), cell("a", "b", None)], "rbo", "evaluated twice"),
        ([cell("a", f"b{n}", 0.5) for n in range(1001)], "rbo", "1,002 runs"),
    ],
)
def test_what_cannot_be_drawn(records: list[ComparedRuns], measure: str, why: str) -> None:
    with pytest.raises(MeasureError, match=re.escape(why)):
        matrix_of(records, measure=measure)


def test_measures_of_somebody_else_are_drawn_without_a_meaning_of_colours() -> None:
    drawing = draw_matrix(matrix_of([cell("a", "b", 0.5, "mine")], measure="mine", on="map"))
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
    on = None if compares_orders(measure) else "map"
    drawing = draw_matrix(matrix_of([cell("a", "b", 0.5, measure)], measure=measure, on=on))
    mesh = drawing.figure.axes[0].collections[0]
    assert mesh.get_cmap().name == colours
    assert drawing.figure.axes[1].get_ylabel().endswith(meaning)
    if measure == "er":
        assert (mesh.norm.vmin, mesh.norm.vmax) == (0.5, 1.5)


@pytest.mark.parametrize(
    ("id", "itself", "extend"),
    [("rbo", 1.0, "max"), ("rmse", 0.0, "min"), ("rbo", 0.5, "neither")],
)
def test_a_run_against_itself_takes_no_colours_from_the_others(
    id: str, itself: float, extend: str
) -> None:
    records = [cell("a", "a", itself, id), cell("a", "b", 0.4, id), cell("c", "a", 0.6, id)]
    on = None if compares_orders(id) else "map"
    figure = draw_matrix(matrix_of(records, measure=id, on=on, is_clustered=False)).figure
    mesh = figure.axes[0].collections[0]
    assert (mesh.norm.vmin, mesh.norm.vmax) == (0.4, 0.6)
    assert mesh.colorbar.extend == extend
    assert ("a run against itself lies beyond" in figure.get_supxlabel()) == (extend != "neither")


def test_a_large_matrix_is_no_large_file(tmp_path: Path) -> None:
    names = [f"run{number}" for number in range(142)]
    records = [cell(a, b, 0.5 + len(a) / 100) for a, b in itertools.combinations(names, 2)]
    assert len(records) > 10_000
    path = tmp_path / "matrix.svg"
    write_figure(draw_matrix(matrix_of(records, measure="rbo", is_clustered=False)), path)
    assert "142 runs, too many for names" in texts(path.read_bytes())
    assert path.stat().st_size < 1e6


def test_names_of_sixty_runs_do_not_touch_each_other() -> None:
    names = [f"team-{n % 7}-a-run-with-a-long-name-and-parameters-k1={n}" for n in range(60)]
    records = [cell(names[0], name, n / 60) for n, name in enumerate(names)]
    figure = draw_matrix(matrix_of(records, measure="rbo", is_clustered=False)).figure
    figure.draw_without_rendering()
    axes = figure.axes[0]
    across = [label.get_window_extent() for label in axes.get_xticklabels()]
    along = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert len(across) == len(along) == 60
    assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(across))
    assert all(upper.y0 >= lower.y1 for upper, lower in itertools.pairwise(along))
    assert min(box.x0 for box in along) > 0
