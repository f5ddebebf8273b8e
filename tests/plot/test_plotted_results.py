"""What figures are made of: the same pairs from an evaluation, and what is chosen among them."""

from __future__ import annotations

import re

import pytest
from support import Put
from support.plotted import effect, measured, swept
from support.trials import FAIR, GOOD, RELEVANT, qrels_text, run_text, write_study

from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against, evaluate_pairs
from primad_ld.plot.plotted_results import (
    ComparedRuns,
    Measured,
    compared_of,
    label_of,
    require,
    run_pairs,
    select,
    some,
    told_undefined,
    wanted_label,
)
from primad_ld.plot.result_files import read_compared


def test_an_evaluation_gives_what_its_file_gives(put: Put) -> None:
    """But for where it was read."""
    write_study(put)
    folder = put("notes.txt", "notes").parent
    options = EvaluationOptions(qrels=str(folder / "qrels.txt"), on="map", by_topic=True)
    found = evaluate_pairs(folder / "runs", options)
    (made,), (read,) = compared_of(found), read_compared(put("r.json", found.text("json")))
    assert made.has_advanced
    assert made.results == read.results
    names = ("reference", "candidate", "reference_advanced", "candidate_advanced", "primad")
    assert [getattr(made, name) for name in names] == [getattr(read, name) for name in names]


def test_what_has_no_value_has_a_reason(put: Put) -> None:
    one, other = (put(f"{name}.txt", run_text(GOOD, name)) for name in ("one", "other"))
    options = EvaluationOptions(
        qrels=str(put("q.txt", qrels_text(RELEVANT))), measures="t_test_unpaired", on="map"
    )
    (pair,) = compared_of(evaluate_against(one, other, options))
    (result,) = pair.results
    assert (result.value, result.reason) == (None, "it is for other topics; 4 are the same here")
    (same,) = compared_of(
        evaluate_against(one, put("fair.txt", run_text(FAIR)), EvaluationOptions())
    )
    assert all(one.reason == "" for one in same.results if one.value is not None)


@pytest.mark.parametrize(
    ("id", "parameters", "label"),
    [
        ("rbo", {"p": 0.8}, "rbo(p=0.8)"),
        ("rbo", {"p": 0.95, "depth": 1000}, "rbo"),  # the defaults
        ("ktu", {"depth": 5.0, "other": 1.0}, "ktu(depth=5)"),  # files have numbers only
        ("mine", {"p": 0.8}, "mine"),
    ],
)
def test_labels(id: str, parameters: dict[str, float], label: str) -> None:
    assert label_of(id, parameters) == label


def test_measures_as_they_are_asked_for() -> None:
    assert wanted_label("rbo") == "rbo"
    assert wanted_label("rbo(p=0.80)") == "rbo(p=0.8)"
    assert wanted_label(" mine ") == "mine"
    with pytest.raises(MeasureError):
        wanted_label("mine(p=1)")


def test_a_study_is_two_pairs_of_runs() -> None:
    rmse = [measured("rmse", 0.1), measured("rmse", 0.2, run="advanced")]
    study = ComparedRuns(
        reference="base",
        candidate="again",
        reference_advanced="adv",
        candidate_advanced="adv-again",
        results=tuple(rmse),
    )
    alone = swept("w1", 0.3, 0.1)
    found = run_pairs([alone, study])
    assert found[0] is alone
    assert [(one.reference, one.candidate) for one in found[1:]] == [
        ("base", "again"),
        ("adv", "adv-again"),
    ]
    values = [result.value for one in found[1:] for result in one.results]
    assert values == [0.1, 0.2]
    assert not any(one.has_advanced for one in found)


def test_pairs_of_some_runs() -> None:
    records = [swept("w1", 0.3, 0.1), swept("w2", 0.3, 0.1), swept("w1", 0.3, 0.1, "other")]
    assert [one.candidate for one in select(records, reference="ref")] == ["w1", "w2"]
    assert select(records, reference="other", candidate="w1") == records[2:]
    why = "there is no pair of 'x'; references are ref, other; candidates are w1, w2"
    with pytest.raises(MeasureError, match=f"^{re.escape(why)}$"):
        select(records, reference="x")


@pytest.mark.parametrize(
    ("measure", "on", "why"),
    [
        ("rmse", "ndcg", "there is no rmse on ndcg; it was evaluated on map: choose with --on"),
        ("er", "map", "there is no er on map among the results, only delta_arp, rmse; evaluate"),
        ("rbo", None, "there is no rbo on rankings among the results"),
    ],
)
def test_measures_that_results_lack(measure: str, on: str | None, why: str) -> None:
    records = [swept("w1", 0.3, 0.1)]
    require(records, ["rmse"], "map")
    with pytest.raises(MeasureError, match=re.escape(why)):
        require(records, [measure], on)


def test_one_measure_with_several_parameters_has_to_be_chosen() -> None:
    two = ComparedRuns(
        reference="a",
        candidate="b",
        results=tuple(
            Measured(id="rbo", label=label, on=None, value=0.5) for label in ("rbo(p=0.8)", "rbo")
        ),
        place="a and b",
    )
    with pytest.raises(MeasureError, match=r"a and b: there are rbo\(p=0.8\), rbo; say which one"):
        two.find("rbo", None)
    assert effect("x", 0.5, 0.1).find("rbo", None) is None


def test_names_and_reasons_are_told_once() -> None:
    assert some("aabbc", 2) == "a, b and 1 more"
    assert some([]) == "none"
    assert told_undefined([("a", "no topic"), ("b", ""), ("c", "no topic")]) == [
        "a, c: no topic",
        "b: no reason was given",
    ]
