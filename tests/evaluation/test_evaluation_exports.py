"""How evaluations are written: JSON that others can build on, and CSV that is read again."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import Put
from support.trials import FAIR, GOOD, RELEVANT, qrels_text, run_text

from primad_ld.evaluation import evaluation_exports
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.evaluation.scored_runs import score_runs


@pytest.fixture
def evaluation(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    other = put("other.txt", run_text(FAIR, "other"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    return evaluate_against(one, [other], EvaluationOptions(qrels=(str(qrels),)))


def test_json_has_the_keys_that_are_promised(evaluation):
    (pair,) = json.loads(evaluation_exports.evaluation_json(evaluation))
    assert {"reference", "candidate", "primad", "prime", "topics", "results"} <= pair.keys()
    assert (pair["primad"], pair["prime"]) == (None, None)
    assert "reference_advanced" not in pair
    for row in pair["results"]:
        assert {"measure", "on", "value", "reason", "parameters"} <= row.keys()
        assert (row["value"] is None) == (row["reason"] is not None)
    (rbo,) = [row for row in pair["results"] if row["measure"] == "rbo"]
    assert rbo["on"] is None
    assert rbo["parameters"] == {"p": 0.95, "depth": 1000}
    (error,) = [r for r in pair["results"] if (r["measure"], r["on"]) == ("rmse", "map")]
    found = evaluation.pairs[0].find("rmse", "map")
    assert error["value"] == found.figure.value  # not a digit less


def test_csv_says_the_same_as_json(evaluation):
    rows = list(csv.DictReader(io.StringIO(evaluation_exports.evaluation_csv(evaluation))))
    (pair,) = json.loads(evaluation_exports.evaluation_json(evaluation))
    assert [
        (row["measure"], row["on"] or None, float(row["value"]) if row["value"] else None)
        for row in rows
    ] == [(row["measure"], row["on"], row["value"]) for row in pair["results"]]
    assert {row["candidate"] for row in rows} == {"other"}


def test_scores_come_back_from_csv(put: Put):
    from primad_ld.trec.score_tables import read_topic_scores

    run = put("one.txt", run_text(FAIR, "one"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    (scored,) = score_runs([run], EvaluationOptions(qrels=(str(qrels),))).runs
    table = put("scores.csv", evaluation_exports.scores_csv([scored.scores]))
    (again,) = read_topic_scores(table)
    assert again.topics == scored.scores.topics
    assert {name: list(found) for name, found in again.values.items()} == {
        name: list(found) for name, found in scored.scores.values.items()
    }


def test_json_of_scores(put: Put):
    run = put("one.txt", run_text(FAIR, "one"))
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    options = EvaluationOptions(qrels=(str(qrels),), on=("map", "P_5"))
    (scored,) = score_runs([run], options).runs
    rows = json.loads(evaluation_exports.scores_json([scored.scores]))
    assert len(rows) == 2 * 5
    assert rows[0] == {
        "run": "one",
        "measure": "map",
        "topic": None,
        "value": pytest.approx(17 / 24),
    }
    assert rows[1]["topic"] == "1"
    without = json.loads(evaluation_exports.scores_json([scored.scores], with_topics=False))
    assert [row["measure"] for row in without] == ["map", "P_5"]
