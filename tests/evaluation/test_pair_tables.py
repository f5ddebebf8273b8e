"""What people see of an evaluation: means first, then tests, then order; and the verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from support import Cli, Put
from support.evaluated import only
from support.trials import FAIR, GOOD, POOR, header, run_text, write_study

from primad_ld.compare.common_ground import Common, CommonDocuments, CommonTopics
from primad_ld.compare.primad_types import ComponentState
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.evaluation.pair_tables import change_cell, heading, value_cell
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import PairResult, Result, Subject
from primad_ld.tables.answers import UNDEFINED, text_of

ASKED = ("evaluate", "--on", "map", "--qrels", "qrels.txt")


@pytest.fixture
def runs(put: Put) -> None:
    write_study(put)


def pair(
    name: str = "again", means: tuple[float, float] | None = None, **values: Figure
) -> PairResult:
    """A pair that some measures say something of."""
    return PairResult(
        reference=Subject(name="original"),
        candidate=Subject(name=name),
        common=Common(topics=CommonTopics(compared=3)),
        results=tuple(
            Result(
                measure=parse_measure(id), on=None if id in ("ktu", "rbo") else "map", figure=figure
            )
            for id, figure in values.items()
        ),
        means={("", "map"): means} if means else {},
    )


def heads(cli: Cli, *arguments: str) -> list[str]:
    done = cli(*arguments, "--format", "markdown")
    assert done.exit_code == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    return [
        cell.strip().replace("\\", "")
        for line, below in pairwise(rows)
        if below.startswith(("| ---", "| --:"))
        for cell in line.strip("| ").split("|")
    ]


# Columns ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("runs")
def test_a_table_has_one_measure_of_a_kind_and_json_all(cli: Cli):
    asked = (*ASKED, "runs/base.txt", "runs/better.txt")
    order = ["ktu", "tau_common", "rbo_ext(p=0.95)", "documents in common"]
    means = ["measure", "base", "better", "difference", "change"]
    tests = ["95 % interval", "p (paired t-test)", "rmse"]
    assert heads(cli, *asked) == [*means, *tests, *order]
    assert "more measures: -m all, or --format csv or json" in cli(*asked).stdout
    found = json.loads(cli(*asked, "-f", "json").stdout)
    assert {"rbo", "rbo_w", "nrmse", "wilcoxon"} < {row["measure"] for row in found["results"]}
    named = heads(cli, *asked, "-m", "nrmse,rbo(depth=3)")
    assert named == [*means, "nrmse", "rbo(p=0.95, depth=3)", *order[3:]]
    assert "p (Wilcoxon's signed-rank test)" in heads(cli, *asked, "-m", "all")


@pytest.mark.usefixtures("runs")
def test_measures_are_called_and_ordered_as_they_were_asked_for(cli: Cli):
    asked = ("evaluate", "runs/base.txt", "runs/better.txt", "--qrels", "qrels.txt")
    done = cli(*asked, "--on", "RR,P@5,AP", "-m", "t_test,rmse")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("RR .")  # the verdict
    assert [line.split()[0] for line in lines[4:7]] == ["RR", "P@5", "AP"]
    rows = json.loads(cli(*asked, "--on", "RR,P@5,AP", "-m", "rmse", "-f", "json").stdout)
    assert [row["on"] for row in rows["results"]] == ["recip_rank", "P_5", "map"]


@pytest.mark.usefixtures("runs")
def test_several_pairs_have_a_row_each(cli: Cli):
    asked = ("evaluate", "runs/base.txt", "runs", "--qrels", "qrels.txt")
    shown = heads(cli, *asked, "-m", "rmse,ktu")
    assert shown[:4] == ["candidate", "type", "reference map", "candidate map"]
    assert shown[-3:] == ["rmse", "ktu", "documents in common"]
    both = heads(cli, *asked, "-m", "rmse,ktu", "--on", "map,P_5")
    assert both[:4] == ["candidate", "type", "measure", "reference mean"]
    assert both[-4:] == ["candidate", "type", "ktu", "documents in common"]  # apart, once a pair


@pytest.mark.usefixtures("runs")
def test_a_run_with_itself_has_1(cli: Cli):
    done = cli("evaluate", "runs/base.txt", "runs/base.txt", "-m", "rbo")
    value, share, overlap = done.stdout.splitlines()[-1].split()
    assert float(value) < 0.5
    assert (share, overlap) == ("1.0000", "1.0000")


@pytest.mark.usefixtures("runs")
def test_what_was_named_stands_in_tables_of_several_studies(cli: Cli, put: Put):
    for name, lists, method, baseline in (
        ("third", FAIR, "bm25", "base"),
        ("fourth", GOOD, "rerank", "better"),
    ):
        said = header(name, team="voles", method=method, role="reproducer", baseline=baseline)
        put(f"runs/{name}.txt", run_text(lists, name, said))
    asked = (*ASKED, "--pairs", "runs")
    test = "p (paired t-test)"
    assert {test, "p corrected", "er"} <= {
        *heads(cli, *asked, "-m", "t_test,er", "--correction", "holm")
    }
    effects = [
        "original",
        "reproduction",
        "type",
        "measure",
        "original effect",
        "reproduced effect",
    ]
    assert heads(cli, *asked, "-m", "er") == [*effects, "er"]
    # The legend is of what is shown.
    assert "p corrected" not in cli(*asked, "--correction", "holm").stdout
    note = "p corrected by holm-bonferroni for 4 comparisons"
    assert note in cli(*asked, "-m", "t_test", "--correction", "holm").stdout


# Notes ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("runs")
def test_an_effect_that_may_be_none_makes_no_ratio(cli: Cli):
    asked = (*ASKED, "--pairs", "runs")
    assert "cannot be told from 0" not in cli(*asked).stdout
    # The original effect is one topic's.
    noise = {**POOR, "1": GOOD["1"]}
    with open("runs/better.txt", "w") as file:
        said = header("better", method="rerank", baseline="base")
        file.write(run_text(noise, "better", said))
    done = cli(*asked)
    assert "but the original improvement cannot be told from 0 (p " in done.stdout.splitlines()[0]
    assert "so a ratio to them says little: er on map: " in done.stdout


def test_the_effect_of_one_topic_is_nobodys(cli: Cli, put: Put):
    tables = [
        put(f"{name}.csv", f"topic,{name}\n1,{score}\n")
        for name, score in (("b", 0.1), ("a", 0.2), ("rb", 0.1), ("ra", 0.3))
    ]
    names = ("--baseline", "--advanced", "--rep-baseline", "--rep-advanced")
    given = [word for pair in zip(names, tables, strict=True) for word in pair]
    done = cli("evaluate", *given, "--scores-of", "map", "-m", "er")
    assert "er on map: the effects are of one topic, so they may be chance" in done.stdout


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("format", ["table", "markdown", "latex", "html"])
def test_intervals_say_what_they_are(cli: Cli, format: str):
    asked = (*ASKED, "runs/base.txt", "runs/better.txt", "-f", format)
    shown = cli(*asked, "-m", "delta_arp(level=0.9)").stdout
    assert "bootstrap intervals over topics" in shown
    assert "90" in shown
    assert "bootstrap" not in cli(*asked, "-m", "t_test").stdout


def test_an_empty_cell_has_its_reason_below():
    found = Evaluation(pairs=(pair(rmse=undefined("there are no topics")),))
    (table,) = found.shown()
    assert [text_of(row["rmse"]) for row in table.rows] == [UNDEFINED]
    assert table.notes == [f"{UNDEFINED} rmse on map: there are no topics"]


def test_documents_are_counted_for_the_pairs_that_have_rankings(put: Put):
    one = put("one.txt", run_text(GOOD, "one"))
    pairs = [
        only(evaluate_against(one, other, EvaluationOptions(measures="rbo")))
        for other in (put("a.txt", run_text(GOOD, "a")), put("b.txt", run_text(GOOD, "b")))
    ]
    pairs[1] = replace(pairs[1], common=replace(pairs[1].common, documents=None))
    (table,) = Evaluation(pairs=tuple(pairs)).shown()
    assert [row.get("overlap") for row in table.rows] == [1, None]


# Cells ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "figure", "text"),
    [
        ("rmse", Figure(value=0.02731732), "0.0273"),
        ("ktu", Figure(value=-0.00001), "0.0000"),  # nothing is not negative
        ("t_test", Figure(value=0.00001), "< 0.0001"),
        ("t_test", Figure(value=0.0), "0.0000"),
        ("er", Figure(value=1.5, details={"low": 0.5, "high": 2.0}), "1.5000 [0.5000, 2.0000]"),
        ("er", undefined("the original effect is 0"), UNDEFINED),
    ],
)
def test_cells(id: str, figure: Figure, text: str):
    cell = value_cell(Result(measure=parse_measure(id), on="map", figure=figure))
    assert text_of(cell, 4) == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [(0.2, 0.3, "+50.0 %"), (0.3, 0.2, "-33.3 %"), (0.3, 0.3, "0.0 %"), (0.0, 0.1, UNDEFINED)],
)
def test_changes(before: float, after: float, text: str):
    assert text_of(change_cell(before, after)) == text


@pytest.mark.parametrize(
    ("measure", "title"),
    [
        ("t_test", "p (paired t-test)"),
        ("rbo", "rbo(p=0.95)"),
        ("rbo(depth=5)", "rbo(p=0.95, depth=5)"),
        ("rbo(p=0.8)", "rbo(p=0.8)"),
    ],
)
def test_headings(measure: str, title: str):
    assert heading(parse_measure(measure)) == title


# The verdict ------------------------------------------------------------------------------

COMPARED = Common(
    topics=CommonTopics(compared=93),
    documents=CommonDocuments(
        state=ComponentState.same, why="", both=61, reference=100, candidate=90
    ),
)


@pytest.mark.parametrize(
    ("means", "p", "details", "text"),
    [
        ((0.279, 0.215), 0.0031, {},
         "MAP .279 → .215 (−23 %), significantly lower (p .003, 93 topics); "
         ".61 of the documents in common"),
        ((0.2, 0.3), 0.00001, {}, "(+50 %), significantly higher (p < .001, 93 topics)"),
        ((0.2, 0.21), 0.3, {}, "not significantly different (p .300, 93 topics)"),
        # What counts is the corrected one.
        ((0.2, 0.3), 0.01, {"corrected": 0.06}, "not significantly different (p .060, 93 topics)"),
        ((0.2, 0.2), 1.0, {}, "MAP .200 → .200, no difference (p 1.000, 93 topics)"),
        ((0.0, 0.2), 0.01, {}, "MAP .000 → .200, significantly higher"),
        (None, 0.01, {}, ""),  # an archive without means
        ((0.2, 0.3), None, {}, ""),  # a test without a value
    ],
)  # fmt: skip
def test_the_verdict_on_a_pair(
    means: tuple[float, float] | None, p: float | None, details: Mapping[str, float], text: str
):
    tested = replace(
        pair(means=means, t_test=Figure(value=p, details=details, topics=93)), common=COMPARED
    )
    found = Evaluation(pairs=(tested,)).verdict()
    assert text in found if text else not found


def test_the_verdict_on_several_pairs():
    def tested(name: str, after: float, p: float) -> PairResult:
        return pair(name, (0.2, after), t_test=Figure(value=p, topics=9))

    some = (tested("a", 0.1, 0.01), tested("b", 0.3, 0.02), tested("c", 0.4, 0.2))
    assert Evaluation(pairs=some).verdict() == (
        "of 3 runs, MAP is significantly lower than that of original for 1 and higher for 1 "
        "(paired t-test, not corrected)"
    )
    assert Evaluation(pairs=(some[2], some[2])).verdict().startswith("none of 2 runs differs")
    # No test, no scores: no verdict.
    orders = pair(ktu=Figure(value=0.5))
    assert (
        Evaluation(pairs=(orders,)).verdict() == Evaluation(pairs=(orders, orders)).verdict() == ""
    )
    assert Evaluation(pairs=()).verdict() == ""
    assert Evaluation(pairs=()).text() == "no pairs\n"
