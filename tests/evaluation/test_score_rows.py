"""Scores as rows: read back from CSV, and shown by the first measure, best first."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support import Put
from support.trials import FAIR, GOOD, RELEVANT, header, qrels_text, run_text

from primad_ld.evaluation.archive_scoring import KeptScores
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.evaluation.scored_runs import Scores, score_runs
from primad_ld.trec.score_tables import read_topic_scores


@pytest.fixture
def scores(put: Put) -> Scores:
    qrels = put("qrels.txt", qrels_text(RELEVANT))
    put("runs/fair.txt", run_text(FAIR, "fair", header("fair")))
    folder = put("runs/good.txt", run_text(GOOD, "good")).parent
    return score_runs(folder, EvaluationOptions(qrels=str(qrels)))


def test_scores_come_back_from_csv(put: Put, scores: Scores) -> None:
    again = read_topic_scores(put("scores.csv", scores.text("csv")))
    for run, read in zip(scores.runs, again, strict=True):
        assert read.topics == run.scores.topics
        assert {name: list(found) for name, found in read.values.items()} == {
            name: list(found) for name, found in run.scores.values.items()
        }


def test_the_mean_stands_before_the_topics(put: Put, scores: Scores) -> None:
    rows = [row for row in scores.to_dicts() if (row["run"], row["measure"]) == ("fair", "map")]
    assert [row["topic"] for row in rows] == ["all", "1", "2", "3", "4"]
    assert rows[0]["value"] == pytest.approx(17 / 24)
    record = json.loads(scores.text("json"))
    assert record["scores"] == scores.to_dicts()
    assert len(scores.table().rows) == len(record["scores"])
    means = replace(scores, with_topics=False).to_dicts()
    assert means == [row for row in record["scores"] if row["topic"] == "all"]


def test_the_best_run_comes_first(scores: Scores) -> None:
    head, *rows = scores.text().splitlines()
    assert head.split() == ["run", "team", "map", "ndcg", "P_10", "ndcg_cut_10", "recip_rank"]
    assert rows[0].split()[:2] == ["good", "1.0000"]
    assert rows[1].split()[:3] == ["fair", "hedgehogs", "0.7083"]
    assert rows[2] == "88 more measures: -m NAME or all, or --format csv or json"
    asked = replace(scores, shown_on=("P_5", "map"), called={"P_5": "P@5", "map": "AP"})
    assert asked.text().splitlines()[0].split() == ["run", "team", "P@5", "AP"]
    assert "more measures" not in asked.text("latex")
    assert "num_ret" in replace(scores, shown_on=("all",)).text()


def test_scores_that_an_archive_has() -> None:
    means = {"one": {"map": 0.5, "P_10": 0.1}, "two": {"map": 0.6}}
    kept = KeptScores(archive="a", scores=means, scored=2, unchanged=0, on=("P_10", "map"))
    assert kept.text("csv") == (
        "run,measure,topic,value\none,P_10,all,0.1\none,map,all,0.5\ntwo,map,all,0.6\n"
    )
    assert [line.split()[0] for line in kept.text().splitlines()[1:]] == ["two", "one"]


def test_measures_stand_in_the_order_that_was_asked_for(scores: Scores, tmp_path: Path) -> None:
    options = EvaluationOptions(
        qrels=str(tmp_path / "qrels.txt"), on=("RR@10", "P_5", "map", "AP(rel=2)")
    )
    with pytest.raises(Exception, match="relevance"):
        score_runs(tmp_path / "runs", options)  # nothing has grade 2
    options = replace(options, on=("RR@10", "P_5", "map"))
    (first, *_) = score_runs(tmp_path / "runs", options).runs
    assert list(first.scores.values) == ["RR@10", "P_5", "map"]
