"""What score and evaluate print: which formats there are, means, and matrices piece by piece."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from support import Put
from support.trials import FAIR, GOOD, RELEVANT, qrels_text, run_text

from primad_ld import Evaluation, EvaluationOptions, evaluate_against, score_runs
from primad_ld.cli.evaluation import EvaluationFormat, ScoreFormat
from primad_ld.cli.evaluation_outputs import (
    EVALUATIONS,
    print_kept,
    print_matrix,
    print_scores,
)
from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.all_pairs import evaluate_all_pairs
from primad_ld.evaluation.archive_scoring import KeptScores
from primad_ld.evaluation.matrix import Matrix
from primad_ld.evaluation.scored_runs import Scores


@pytest.fixture
def folder(put: Put) -> Path:
    put("qrels.txt", qrels_text(RELEVANT))
    put("runs/one.txt", run_text(GOOD, "one"))
    return put("runs/two.txt", run_text(FAIR, "two")).parent


@pytest.fixture
def options(folder: Path) -> EvaluationOptions:
    return EvaluationOptions(qrels=str(folder.parent / "qrels.txt"))


@pytest.fixture
def found(folder: Path, options: EvaluationOptions) -> Evaluation:
    return evaluate_against(folder / "one.txt", folder / "two.txt", options)


@pytest.fixture
def scores(folder: Path, options: EvaluationOptions) -> Scores:
    return score_runs(folder, options)


@pytest.fixture
def matrix(folder: Path) -> Matrix:
    return evaluate_all_pairs(folder, EvaluationOptions(measures="rbo")).matrix


def test_each_format_has_what_prints_it() -> None:
    assert list(EVALUATIONS) == [one.value for one in EvaluationFormat]


@pytest.mark.parametrize("format", ["table", "latex", "markdown"])
def test_what_is_shown_is_what_was_asked_for(found: Evaluation, format: str) -> None:
    printed = EVALUATIONS[format](found, ["P_10"])
    assert "rmse" in printed
    assert ("P_10" in printed) or (r"P\_10" in printed)
    assert "\nmap" not in printed


def test_scores_of_topics_are_for_machines(scores: Scores) -> None:
    for format in (one.value for one in ScoreFormat):
        printed = print_scores(format, scores, None, ["map"])
        assert printed.count("two") == print_scores(format, scores, True, ["map"]).count("two")
    means, every = (
        list(csv.DictReader(io.StringIO(print_scores("csv", scores, topics, ["map"]))))
        for topics in (False, True)
    )
    assert len(every) == 5 * len(means)  # four topics, and the mean
    head, *rows = print_scores("table", scores, None, ["map"]).splitlines()
    assert head.split() == ["run", "map"]
    assert [row.split() for row in rows[:2]] == [["one", "1.0000"], ["two", "0.7083"]]
    assert "more measures: --measure NAME" in rows[2]


def test_scores_that_an_archive_has() -> None:
    kept = KeptScores(archive="a", scores={"one": {"map": 0.5, "P_10": 0.1}}, scored=1, unchanged=0)
    assert print_kept("csv", kept, ["map"]) == "run,measure,topic,value\none,map,,0.5\n"
    rows = json.loads(print_kept("json", kept, []))
    assert [(row["measure"], row["value"]) for row in rows] == [("map", 0.5), ("P_10", 0.1)]
    assert print_kept("table", kept, ["P_10"]).splitlines()[1].split() == ["one", "0.1000"]


@pytest.mark.parametrize(
    ("format", "output", "begin"),
    [
        ("csv", None, "reference,candidate,measure"),
        ("json", None, "[\n{"),
        ("table", "m.csv.gz", "reference,candidate,measure"),  # a file is for machines
        ("table", "m.json.zst", "[\n{"),
        ("table", None, "rbo(p=0.95)\n"),
        ("latex", None, r"\begin{table}"),
    ],
)
def test_matrices(matrix: Matrix, format: str, output: str | None, begin: str) -> None:
    printed = print_matrix(format, matrix, Path(output) if output else None, [])
    assert "".join(printed).startswith(begin)


def test_a_matrix_is_no_assessment(matrix: Matrix) -> None:
    with pytest.raises(MeasureError, match="a matrix is no assessment in RDF"):
        print_matrix("ttl", matrix, None, [])
