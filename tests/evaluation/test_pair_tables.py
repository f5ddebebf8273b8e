"""What people see of an evaluation: means first, then tests, then order; and the verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from support import Cli, Put
from support.evaluated import evaluated_pair, only
from support.trials import FAIR, GOOD, POOR, header, run_text, write_study

from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.measures.measure_values import undefined
from primad_ld.tables.answers import UNDEFINED, text_of

ASKED = ("evaluate", "--on", "map", "--qrels", "qrels.txt")


@pytest.fixture
def runs(put: Put) -> None:
    write_study(put)


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
    order = ["documents in common", "ktu", "tau_common", "rbo_ext(p=0.95)"]
    means = ["measure", "base", "better", "difference", "change"]
    tests = ["p (paired t-test)", "95 % interval", "rmse"]
    assert heads(cli, *asked) == [*means, *tests, *order]
    assert "more measures: -m all, or --format csv or json" in cli(*asked).stdout
    found = json.loads(cli(*asked, "-f", "json").stdout)
    assert {"rbo", "rbo_w", "nrmse", "wilcoxon"} < {row["measure"] for row in found["results"]}
    named = heads(cli, *asked, "-m", "nrmse,rbo(depth=3)")
    assert named == [*means, "nrmse", *order[:1], "rbo(p=0.95, depth=3)"]
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
    assert shown[:4] == ["candidate", "type", "candidate map", "difference"]
    assert "with base (map 0.3646)" in cli(*asked, "-m", "rmse").stdout  # it is the same for all
    assert shown[-3:] == ["rmse", "documents in common", "ktu"]
    both = heads(cli, *asked, "-m", "rmse,ktu", "--on", "map,P_5")
    assert both[:4] == ["candidate", "type", "measure", "reference mean"]
    assert both[-4:] == ["candidate", "type", "documents in common", "ktu"]  # apart, once a pair


@pytest.mark.usefixtures("runs")
def test_a_run_with_itself_has_1(cli: Cli):
    done = cli("evaluate", "runs/base.txt", "runs/base.txt", "-m", "rbo")
    overlap, value, share = done.stdout.splitlines()[-1].split()
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


def test_order_of_several_studies_without_scores(cli: Cli, put: Put):
    write_study(put)
    third = header("third", team="voles", role="reproducer", baseline="base")
    fourth = header("fourth", team="voles", method="rerank", role="reproducer", baseline="better")
    put("runs/third.txt", run_text(FAIR, "third", third))
    put("runs/fourth.txt", run_text(GOOD, "fourth", fourth))
    names = ["reference", "candidate", "type", "documents in common", "ktu"]
    assert heads(cli, "evaluate", "--pairs", "runs")[:5] == names


def test_topics_of_single_pairs_and_those_that_count(put: Put, cli: Cli):
    """Both are called topics; they are columns of their own."""
    some = {topic: names for topic, names in FAIR.items() if topic != "2"}
    write_study(put)
    put("runs/some.txt", run_text(some, "some", header("some", method="x")))
    asked = (
        "evaluate",
        "runs/base.txt",
        "runs/better.txt",
        "runs/some.txt",
        "--qrels",
        "qrels.txt",
    )
    done = cli(*asked, "-m", "rmse", "--on", "map")
    rows = [line.split("  ") for line in done.stdout.splitlines() if line.startswith("some")]
    assert [next(cell for cell in row[1:] if "missing" in cell) for row in rows] == [
        "4, 1 missing"
    ] * 2


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
    assert "but the original improvement is not significant (p " in done.stdout.splitlines()[0]
    assert "so ratios to them are unreliable: er on map: " in done.stdout


def test_the_effect_of_one_topic_is_nobodys(cli: Cli, put: Put):
    tables = [
        put(f"{name}.csv", f"topic,{name}\n1,{score}\n")
        for name, score in (("b", 0.1), ("a", 0.2), ("rb", 0.1), ("ra", 0.3))
    ]
    names = ("--baseline", "--advanced", "--rep-baseline", "--rep-advanced")
    given = [word for pair in zip(names, tables, strict=True) for word in pair]
    done = cli("evaluate", *given, "--scores-of", "map", "-m", "er")
    assert "er on map: the effects are based on one topic, so they may be chance" in done.stdout


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("format", ["table", "markdown", "latex", "html"])
def test_intervals_say_what_they_are(cli: Cli, format: str):
    asked = (*ASKED, "runs/base.txt", "runs/better.txt", "-f", format)
    shown = cli(*asked, "-m", "delta_arp(level=0.9)").stdout
    assert "bootstrap intervals over topics" in shown
    assert "90" in shown
    assert "bootstrap" not in cli(*asked, "-m", "t_test").stdout


def test_an_empty_cell_has_its_reason_below():
    found = Evaluation(pairs=(evaluated_pair(rmse=undefined("there are no topics")),))
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
    (table,) = Evaluation(pairs=tuple(pairs), are_named=True).shown()
    assert [row.get("overlap") for row in table.rows] == [1, None]
