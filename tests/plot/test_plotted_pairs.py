"""The pairs that figures show: what is chosen among them, and what they lack."""

from __future__ import annotations

import re

import pytest
from support import Put
from support.plotted import results_of, row, swept
from support.trials import write_study

from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_pairs
from primad_ld.plot.plotted_pairs import (
    check_measured,
    read_pairs,
    read_studies,
    select_pairs,
    wanted_measure,
)


def test_an_evaluation_gives_what_its_file_gives(put: Put) -> None:
    write_study(put)
    folder = put("notes.txt", "notes").parent
    options = EvaluationOptions(qrels=(str(folder / "qrels.txt"),), on=("map",), by_topic=True)
    evaluation = evaluate_pairs([folder / "runs"], options)
    path = put("r.json", evaluation.text("json"))
    assert read_pairs(evaluation) == read_pairs(path)
    (study,) = read_studies(evaluation)
    assert [study] == read_studies(path)
    assert study.candidate_advanced
    # A study is two pairs of runs.
    assert len(read_pairs(path)) == 2
    written = read_studies(put("r.csv", evaluation.text("csv")))
    assert [(one.label, one.value) for one in written[0].results] == [
        (one.label, one.value) for one in study.results
    ]


@pytest.mark.parametrize(
    ("measure", "parameters", "label"),
    [
        ("rbo", {"p": 0.8}, "rbo(p=0.8)"),
        ("rbo(p=0.8)", None, "rbo(p=0.8)"),
        ("rbo", {"p": 0.95, "depth": 1000}, "rbo"),  # the defaults
        ("ktu", {"depth": 5.0, "other": 1.0}, "ktu(depth=5)"),
        ("tost", {"percent": 5}, "tost(margin=5%)"),
        ("tost", {"percent": 5, "margin": 0.1}, "tost"),  # nothing that evaluate writes
        ("mine", {"p": 0.8}, "mine"),
    ],
)
def test_labels(measure: str, parameters: dict[str, float] | None, label: str) -> None:
    (pair,) = read_pairs(results_of(row(measure, 0.5, None, parameters=parameters)))
    assert pair.results[0].label == label


def test_measures_as_they_are_asked_for() -> None:
    assert wanted_measure("rbo") == "rbo"
    assert wanted_measure("rbo(p=0.80)") == "rbo(p=0.8)"
    assert wanted_measure(" mine ") == "mine"
    with pytest.raises(MeasureError):
        wanted_measure("mine(p=1)")


def test_pairs_of_some_runs() -> None:
    rows = [swept("w1", 0.3, 0.1), swept("w2", 0.3, 0.1), swept("w1", 0.3, 0.1, reference="other")]
    pairs = read_pairs(results_of(rows))
    assert [pair.candidate for pair in select_pairs(pairs, reference="ref")] == ["w1", "w2"]
    assert select_pairs(pairs, reference="other", candidate="w1") == pairs[2:]
    why = "there is no pair of 'x'; references are ref, other; candidates are w1, w2"
    with pytest.raises(MeasureError, match=f"^{re.escape(why)}$"):
        select_pairs(pairs, reference="x")


@pytest.mark.parametrize(
    ("measure", "on", "why"),
    [
        ("rmse", "ndcg", "there is no rmse on ndcg among the results, only on map; choose with"),
        ("er", "map", "there is no er on map among the results, only rmse; evaluate"),
        ("rbo", "", "there is no rbo among the results"),
    ],
)
def test_measures_that_results_lack(measure: str, on: str, why: str) -> None:
    pairs = read_pairs(results_of(swept("w1", 0.3, 0.1)))
    check_measured(pairs, "rmse", "map")
    with pytest.raises(MeasureError, match=re.escape(why)):
        check_measured(pairs, measure, on)


def test_of_several_results_one_has_to_be_chosen() -> None:
    labels = [row("rbo", 0.5, None), row("rbo(p=0.8)", 0.7, None)]
    (pair,) = read_pairs(results_of(labels))
    chosen = pair.find("rbo(p=0.8)", "")
    assert chosen is not None
    assert chosen.value == 0.7
    with pytest.raises(MeasureError, match=r"a and b have results of rbo, rbo\(p=0.8\); choose"):
        pair.find("rbo", "")
    (pair,) = read_pairs(results_of(row("rbo", 0.5, None), row("rbo", None, None)))
    with pytest.raises(MeasureError, match="two different values"):
        pair.find("rbo", "")
    assert pair.find("ktu", "") is None
