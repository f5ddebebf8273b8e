"""What tables show: measures if none is named, cells, and what stands below."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support import Cli, Put
from support.evaluated import only
from support.trials import FAIR, GOOD, POOR, header, run_text, write_study

from primad_ld.cli.layout import as_table
from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
    evaluate_against,
)
from primad_ld.evaluation.pair_tables import cell, grids
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import (
    parse_measure,
)
from primad_ld.measures.results import Evaluation, PairResult, Result, Subject
from primad_ld.tables.markup import UNDEFINED, Grid, as_latex, as_markdown

ASKED = ("evaluate", "--on", "map", "--qrels", "qrels.txt")


@pytest.fixture
def runs(put: Put) -> None:
    write_study(put)


@pytest.mark.usefixtures("runs")
def test_a_table_has_one_measure_of_a_kind_and_json_all(cli: Cli):
    pair = (*ASKED, "runs/base.txt", "runs/better.txt")
    shown = cli(*pair).stdout
    heads = [line.split() for line in shown.splitlines() if line.startswith(("ktu", "rbo"))]
    assert [head[0] for head in heads] == ["ktu", "rbo(p=0.95)"]
    (head,) = [line.split() for line in shown.splitlines() if line.startswith("scores")]
    assert head == ["scores", "rmse", "delta_arp", "t_test"]
    assert "8 more measures of reproducibility: --measure NAME, or --format csv or json" in shown
    (found,) = json.loads(cli(*pair, "-f", "json").stdout)
    assert {"tau_common", "rbo_ext", "nrmse", "wilcoxon"} < {
        row["measure"] for row in found["results"]
    }
    named = cli(*pair, "-m", "nrmse,rbo(depth=3)").stdout
    assert "nrmse" in named
    assert "rbo(p=0.95, depth=3)" in named
    assert "more measures of reproducibility" not in named


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
    assert "er on map: the original effect, " in done.stdout
    assert "cannot be told from 0 (paired t-test, p " in done.stdout


@pytest.mark.usefixtures("runs")
def test_the_effect_of_one_topic_is_nobodys(cli: Cli, put: Put):
    tables = [
        put(f"{name}.csv", f"topic,{name}\n1,{score}\n")
        for name, score in (("b", 0.1), ("a", 0.2), ("rb", 0.1), ("ra", 0.3))
    ]
    names = ("--baseline", "--advanced", "--rep-baseline", "--rep-advanced")
    given = [word for pair in zip(names, tables, strict=True) for word in pair]
    done = cli("evaluate", *given, "--scores-of", "map", "-m", "er")
    assert "er on map: one topic, whose effects may be anybody's" in done.stdout


@pytest.mark.usefixtures("runs")
def test_what_was_named_stands_in_tables_of_several_studies(cli: Cli, put: Put):
    for name, lists, method, baseline in (
        ("third", FAIR, "bm25", "base"),
        ("fourth", GOOD, "rerank", "better"),
    ):
        said = header(name, team="voles", method=method, role="reproducer", baseline=baseline)
        put(f"runs/{name}.txt", run_text(lists, name, said))
    asked = (*ASKED, "--pairs", "runs")
    named = cli(*asked, "-m", "t_test,er").stdout
    assert named.count("t_test map") == named.count("er map") >= 2
    alone = cli(*asked, "-m", "er").stdout
    assert "Baseline and advanced runs: 2 reproductions" in alone
    # The legend is of what is shown.
    assert "in parentheses" not in cli(*asked, "--correction", "holm").stdout
    assert "in parentheses" in cli(*asked, "-m", "t_test", "--correction", "holm").stdout


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
def test_intervals_say_what_they_are(cli: Cli, format: str):
    asked = (*ASKED, "runs/base.txt", "runs/better.txt", "-f", format)
    assert "bootstrap intervals over topics" in cli(*asked, "-m", "delta_arp(level=0.9)").stdout
    assert "90" in cli(*asked, "-m", "delta_arp(level=0.9)").stdout
    assert "bootstrap" not in cli(*asked, "-m", "t_test").stdout


def test_documents_are_counted_for_the_pairs_that_have_rankings(put: Put):
    """Not in the heading, where some pairs are of scores."""
    one = put("one.txt", run_text(GOOD, "one"))
    pairs = [
        only(evaluate_against(one, other, EvaluationOptions(measures="rbo")))
        for other in (put("a.txt", run_text(GOOD, "a")), put("b.txt", run_text(GOOD, "b")))
    ]
    assert "documents in both" in as_table(grids(Evaluation(pairs=tuple(pairs))))
    pairs[1] = replace(pairs[1], common=replace(pairs[1].common, documents=None))
    text = as_table(grids(Evaluation(pairs=tuple(pairs))))
    assert "documents in both" not in text
    assert "documents" in text


# Cells ------------------------------------------------------------------------------------

HOSTILE = r"50% of <b>$x_1$ & \runs{}~#1^2|`" + "\n\t\x1b[31m"


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
