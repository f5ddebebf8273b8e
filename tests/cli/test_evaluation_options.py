"""What evaluate is asked: its modes, options without effect, and the same for a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import Cli, Put
from support.trials import GOOD, RELEVANT, qrels_text, run_text

from primad_ld.cli.evaluation_options import mode_of, without_scores

NOTHING: dict[str, Any] = dict.fromkeys(
    ("archive", "baseline", "advanced", "rep_baseline", "rep_advanced")
) | {"all_pairs": False, "pairs": False}


@pytest.mark.parametrize(
    ("given", "mode"),
    [
        ({}, "against"),
        ({"pairs": True}, "pairs"),
        ({"rep_advanced": Path("x")}, "study"),
        ({"archive": Path("a")}, "archive"),
        ({"archive": Path("a"), "pairs": True}, "archive"),  # and --pairs is refused
        ({"all_pairs": True, "archive": Path("a")}, "all-pairs"),
    ],
)
def test_modes(given: dict[str, Any], mode: str) -> None:
    assert mode_of(NOTHING | given) == mode


def test_options_that_change_no_score(put: Put) -> None:
    run = put("run.txt", run_text(GOOD))
    table = put("table.csv", "topic,one\n1,0.5\n")
    qrels = [put("qrels.txt", qrels_text(RELEVANT))]
    of_tables = "without a table of scores that does not name its measure"
    assert without_scores([run], qrels) == {"scores_of": of_tables}
    bare = without_scores([run], None)
    assert bare["relevance_level"] == bare["on"] == "without --qrels, as no run is scored"
    tables = without_scores([table], None)
    assert "scores_of" not in tables
    assert tables["depth"] == tables["qrels"] == "on tables of scores"
    assert without_scores([run, table], qrels) == {}


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "name a reference and runs"),
        (("runs/one.txt",), "name the runs to compare the reference with"),
        (("--baseline", "runs/one.txt"), "a study's pair is --baseline, --advanced"),
        (("--archive", "a"), "--archive needs --reference"),
        (("--all-pairs",), "name the runs, or a folder of them"),
    ],
)
def test_what_has_to_be_named(cli: Cli, put: Put, arguments: tuple[str, ...], why: str) -> None:
    put("runs/one.txt", run_text(GOOD, "one"))
    done = cli("evaluate", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in " ".join(done.stderr.replace("│", " ").split())
