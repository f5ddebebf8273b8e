"""What a table shows if no measures are named, and what stands below it."""

from __future__ import annotations

import json

import pytest
from support import Cli, Put
from support.trials import FAIR, GOOD, POOR, header, run_text, write_study

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
