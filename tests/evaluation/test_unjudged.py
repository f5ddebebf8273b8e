"""Documents that nobody judged: shown beside effectiveness at a cutoff, and warned of."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from typing import Any

import pytest
from support import Cli, Put
from support.trials import GOOD, RELEVANT, header, qrels_text, run_text

#: Half of the first two documents is judged, and a quarter of the first four.
STRANGE = dict.fromkeys(RELEVANT, ("x", "a", "y", "z"))
#: All of the first two, and half of the first four.
KNOWN = dict.fromkeys(RELEVANT, ("not-relevant", "a", "y", "z"))
PAIR = ("evaluate", "known.txt", "strange.txt", "--qrels", "qrels.txt", "-m", "rmse")
ON = ("--on", "map,P@2,P@4")


@pytest.fixture
def runs(put: Put) -> None:
    put("known.txt", run_text(KNOWN, "known"))
    put("strange.txt", run_text(STRANGE, "strange"))
    put("qrels.txt", qrels_text(RELEVANT))


def rows(text: str) -> Mapping[str, Mapping[str, Any]]:
    return {row["on"]: row.get("details", {}) for row in json.loads(text)["results"]}


@pytest.mark.usefixtures("runs")
def test_a_pair(cli: Cli) -> None:
    done = cli(*PAIR, *ON)
    assert done.stdout.splitlines()[1].split()[-2:] == ["rmse", "judged"]
    table = {
        line.split()[0]: line.split("%")[1].split()[1:] for line in done.stdout.splitlines()[2:5]
    }
    assert table == {
        "map": [],
        "P@2": ["1.0000", "→", "0.5000"],
        "P@4": ["0.5000", "→", "0.2500"],
    }
    assert done.stdout.splitlines()[5] == (
        "judged: share of the first k documents that are judged (Judged@k), on both sides, over "
        "topics with documents"
    )
    assert done.stderr == (
        "note: unjudged documents count as not relevant: Judged@2 is 1.0000 for known and 0.5000 "
        "for strange; use nDCG(judged_only=True)@2 to leave them out\n"
    )


@pytest.mark.usefixtures("runs")
def test_machines_have_them_beside_the_values(cli: Cli) -> None:
    found = rows(cli(*PAIR, *ON, "-f", "json").stdout)
    assert "judged_reference" not in found["map"]
    assert found["P_2"] == {"judged_reference": 1.0, "judged_candidate": 0.5}
    assert found["P_4"] == {"judged_reference": 0.5, "judged_candidate": 0.25}
    lines = {
        row["on"]: row for row in csv.DictReader(cli(*PAIR, *ON, "-f", "csv").stdout.split("\n"))
    }
    assert [lines["P_2"][side] for side in ("judged_reference", "judged_candidate")] == [
        "1.0",
        "0.5",
    ]
    assert lines["map"]["judged_reference"] == ""
    turtle = cli(*PAIR, *ON, "-f", "ttl").stdout
    assert 'primad:name "judged_candidate"' in turtle


@pytest.mark.usefixtures("runs")
def test_they_are_what_the_measure_says(cli: Cli) -> None:
    """Judged@k by itself, of runs that have documents for all topics."""
    done = cli(
        "score", "known.txt", "strange.txt", "--qrels", "qrels.txt", "-m", "Judged@2,Judged@4"
    )
    means = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()[1:]}
    assert means == {"known": ["1.0000", "0.5000"], "strange": ["0.5000", "0.2500"]}


def test_nothing_is_shown_where_all_documents_are_judged(cli: Cli, put: Put) -> None:
    put("known.txt", run_text(dict.fromkeys(RELEVANT, ("a", "b")), "known"))
    put("strange.txt", run_text(dict.fromkeys(RELEVANT, ("b", "a")), "strange"))
    put("qrels.txt", qrels_text(RELEVANT))
    done = cli(*PAIR, *ON)
    assert "judged" not in done.stdout
    assert done.stderr == ""
    assert not any(rows(cli(*PAIR, *ON, "-f", "json").stdout).values())


@pytest.mark.usefixtures("runs")
def test_judgements_of_relevant_documents_only_tell_nothing(cli: Cli, put: Put) -> None:
    put("qrels.txt", "".join(f"{topic} 0 a 1\n" for topic in RELEVANT))
    done = cli(*PAIR, *ON)
    assert "judged" not in done.stdout
    assert done.stderr == (
        "note: qrels.txt contains only relevant documents, so unjudged documents cannot be "
        "identified\n"
    )


@pytest.mark.usefixtures("runs")
def test_topics_without_documents_do_not_count(cli: Cli, put: Put) -> None:
    put("strange.txt", run_text({topic: STRANGE[topic] for topic in ("1", "2")}, "strange"))
    found = rows(cli(*PAIR, *ON, "-f", "json").stdout)
    assert found["P_2"]["judged_candidate"] == 0.5


@pytest.mark.usefixtures("runs")
def test_many_pairs_have_one_column_and_one_warning(cli: Cli, put: Put) -> None:
    put("good.txt", run_text(GOOD, "good"))
    done = cli(*PAIR[:3], "good.txt", *PAIR[3:], "--on", "P@2,nDCG@2")
    assert done.stdout.splitlines()[1].split()[-2:] == ["rmse", "judged"]
    warnings = [line for line in done.stderr.splitlines() if "unjudged" in line]
    assert warnings == [
        "note: unjudged documents count as not relevant: Judged@2 is 1.0000 for known and 0.5000 for "
        "strange; use nDCG(judged_only=True)@2 to leave them out"
    ]
    put("odd.txt", run_text(dict.fromkeys(RELEVANT, ("u", "v")) | {"1": ("a", "u")}, "odd"))
    done = cli(*PAIR[:3], "odd.txt", *PAIR[3:], "--on", "P@2")
    assert (
        "Judged@2 differs by more than 0.05 in 2 pairs, such as 1.0000 for known and 0.1250 for odd"
    ) in done.stderr


@pytest.mark.usefixtures("runs")
def test_a_matrix_is_warned_of_once(cli: Cli, put: Put) -> None:
    put("good.txt", run_text(GOOD, "good"))
    runs = ("known.txt", "strange.txt", "good.txt")
    asked = ("evaluate", *runs, "--all-pairs", "-j", "1", "--qrels", "qrels.txt", "-m", "rmse")
    done = cli(*asked, "--on", "P@2,map")
    assert (
        "note: unjudged documents count as not relevant: Judged@2 is between 0.5000 (strange) and "
        "1.0000 (known); use nDCG(judged_only=True)@2 to leave them out"
    ) in done.stderr
    assert "unjudged" not in cli(*asked, "--on", "map").stderr


def test_a_study(cli: Cli, put: Put) -> None:
    put("qrels.txt", qrels_text(RELEVANT))
    for name, lists in (("base", KNOWN), ("better", GOOD), ("again", STRANGE), ("anew", KNOWN)):
        put(f"{name}.txt", run_text(lists, name, header(name)))
    done = cli(
        "evaluate", "--baseline", "base.txt", "--advanced", "better.txt", "--rep-baseline", "again.txt",
        "--rep-advanced", "anew.txt", "--qrels", "qrels.txt", "-m", "rmse,er", "--on", "P@2",
    )  # fmt: skip
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("base ")]
    assert row.split()[-3:] == ["1.0000", "→", "0.5000"]
