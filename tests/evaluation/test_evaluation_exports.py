"""How evaluations are written: JSON that others can build on, CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import Put
from support.trials import FAIR, GOOD, RELEVANT, qrels_text, run_text

from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.evaluation import evaluation_exports
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.evaluation.pair_tables import cell, grids
from primad_ld.evaluation.scoring import score_runs
from primad_ld.measures.figures import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import PairResult, Result, Subject
from primad_ld.tables.grid import UNDEFINED, Grid, as_latex, as_markdown

HOSTILE = r"50% of <b>$x_1$ & \runs{}~#1^2|`" + "\n\t\x1b[31m"


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


def pair(name: str, **values: Figure) -> PairResult:
    return PairResult(
        reference=Subject(name="original"),
        candidate=Subject(name=name),
        common=Common(topics=CommonTopics(compared=3)),
        results=tuple(
            Result(measure=parse_measure(id), on=None if id == "ktu" else "map", figure=figure)
            for id, figure in values.items()
        ),
    )


@pytest.mark.parametrize(
    ("id", "figure", "text"),
    [
        ("rmse", Figure(value=0.02731732), "0.0273"),
        ("ktu", Figure(value=-0.00001), "0.0000"),  # nothing is not negative
        ("t_test", Figure(value=0.00001), "<0.0001"),
        ("t_test", Figure(value=0.0), "0.0000"),
        ("er", Figure(value=1.5, details={"low": 0.5, "high": 2.0}), "1.5000 [0.5000, 2.0000]"),
        ("er", undefined("the original effect is 0"), UNDEFINED),
    ],
)
def test_cells(id, figure, text):
    assert cell(Result(measure=parse_measure(id), on="map", figure=figure)) == text


def test_an_empty_cell_has_its_reason_below():
    from primad_ld.measures.results import Evaluation

    (grid,) = grids(Evaluation(pairs=(pair("x", er=undefined("the original effect is 0")),)))
    assert grid.rows == (("map", UNDEFINED),)
    assert grid.remarks == (f"{UNDEFINED} er on map: the original effect is 0",)


def test_what_others_chose_to_call_a_run_breaks_no_table():
    grid = Grid(title=HOSTILE, columns=("run", "value"), rows=((HOSTILE, "-0.5"),))
    tex = as_latex([grid])
    assert tex.count("&") - tex.count(r"\&") == 2  # between two columns of two rows
    assert r"50\% of \textless{}b\textgreater{}\$x\_1\$ \& \textbackslash{}runs\{\}" in tex
    assert "$-$0.5" in tex
    assert "\x1b" not in tex
    md = as_markdown([grid])
    (row,) = [line for line in md.splitlines() if line.endswith("-0.5 |")]
    assert row.replace(r"\|", "").count("|") == 3
    assert "<b>" not in md
    assert "\x1b" not in md


def test_booktabs():
    grid = Grid(title="t", columns=("run", "map"), rows=(("x", "0.5"),))
    lines = [line.strip() for line in as_latex([grid]).splitlines()]
    assert lines == [
        r"\begin{table}",
        r"\centering",
        r"\caption{t}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"run & map \\",
        r"\midrule",
        r"x & 0.5 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
