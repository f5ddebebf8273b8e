"""Evaluations as answers: a row for each result, with what goes with it in JSON."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import Put
from support.trials import FAIR, GOOD, RELEVANT, qrels_text, run_text, write_study

from primad_ld import Evaluation
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against, evaluate_pairs


@pytest.fixture
def evaluation(put: Put) -> Evaluation:
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(FAIR, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    return evaluate_against(one, other, EvaluationOptions(qrels=str(qrels), by_topic=True))


def test_each_result_has_a_row(evaluation: Evaluation) -> None:
    (pair,) = evaluation.pairs
    rows = evaluation.to_dicts()
    assert [(row["measure"], row["on"], row["value"]) for row in rows] == [
        (one.measure.id, one.on, one.figure.value) for one in pair.results
    ]
    for row in rows:
        assert (row["value"] is None) == (row["reason"] is not None)
        means = (1.0, pytest.approx(17 / 24)) if row["on"] == "map" else None
        assert means is None or (row["reference_mean"], row["candidate_mean"]) == means
    (rbo,) = [row for row in rows if row["measure"] == "rbo"]
    assert (rbo["on"], rbo["reference_mean"], rbo["primad"]) == (None, None, None)
    assert rbo["parameters"] == {"p": 0.95, "depth": 1000}
    assert repr(evaluation) == f"<Evaluation: {len(rows)} results>"


def test_csv_and_json_say_the_same(evaluation: Evaluation) -> None:
    record = json.loads(evaluation.text("json"))
    rows = list(csv.DictReader(io.StringIO(evaluation.text("csv"))))
    assert [row["value"] for row in rows] == [
        "" if row["value"] is None else repr(row["value"]) for row in record["results"]
    ]
    for row, expected in zip(record["results"], evaluation.to_dicts(), strict=True):
        assert {key: row[key] for key in expected} == expected
    (error,) = [row for row in record["results"] if (row["measure"], row["on"]) == ("rmse", "map")]
    assert len(error["by_topic"]) == 4
    (pair,) = record["pairs"]
    assert {"reference", "candidate", "primad", "prime", "topics", "common"} <= pair.keys()
    assert "reference_advanced" not in pair
    assert (record["correction"], record["problems"]) == (None, [])
    assert record["scoring"] == {"relevance level": 1, "complete": True}


def test_rows_of_a_study_name_all_four_runs(put: Put) -> None:
    write_study(put)
    folder = put("notes.txt", "").parent
    options = EvaluationOptions(
        qrels=str(folder / "qrels.txt"), on="map", measures="rmse,er".split(",")
    )
    found = evaluate_pairs(folder / "runs", options)
    names = ("reference", "candidate", "reference_advanced", "candidate_advanced")
    rows = found.to_dicts()
    assert {tuple(row[name] for name in names) for row in rows} == {
        ("base", "again", "better", "also")
    }
    assert [(row["measure"], row["run"]) for row in rows] == [
        ("rmse", None),
        ("rmse", "advanced"),
        ("er", None),
    ]
    # Of the advanced runs, and of the baselines.
    assert rows[1]["reference_mean"] > rows[0]["reference_mean"]


def test_an_evaluator_is_named_where_scores_were_computed() -> None:
    assert Evaluation(pairs=(), on=("map",)).evaluator == ""
    assert "pytrec_eval" in Evaluation(pairs=(), is_scored=True, on=("map",)).evaluator
    both = Evaluation(pairs=(), is_scored=True, on=("map", "RR@10")).evaluator
    assert "ir_measures" in both
