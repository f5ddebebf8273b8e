"""Pairs of an archive: assessed once, and said again to the byte."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from support import Cli
from support.claimed import publish_all, put, retraction

from primad_ld.archive.opening import open_engine
from primad_ld.archive.query_results import Triples
from primad_ld.archive.run_dependants import assessed_runs, scored_rankings
from primad_ld.core.triples import NamedGraph

ORIGINAL = "runs/greenhouse-bm25.txt"
QRELS = ("--qrels", "qrels.txt")


def test_assessments_are_kept_and_said_again_to_the_byte(cli: Cli, garden: Path):
    cli("score", "runs", *QRELS, "--archive", "garden")
    asked = (
        "evaluate", "--archive", "garden", "--reference", "greenhouse-bm25",
        "--runs-in", "runs", *QRELS,
    )  # fmt: skip
    first = cli(*asked, "--format", "json")
    assert "9 pairs assessed, 0 known" in first.stderr
    again = cli(*asked, "--format", "json")
    assert "0 pairs assessed, 9 known" in again.stderr
    assert again.stdout == first.stdout
    # The archive says what the files say; it keeps fifteen digits.
    direct = json.loads(cli("evaluate", ORIGINAL, "runs", *QRELS, "--format", "json").stdout)
    values = {
        (
            pair["candidate"],
            "reference_advanced" in pair,
            row["measure"],
            row["on"],
            row.get("run"),
        ): row["value"]
        for pair in direct
        for row in pair["results"]
    }
    kept = [
        (
            (
                pair["candidate"],
                "reference_advanced" in pair,
                row["measure"],
                row["on"],
                row.get("run"),
            ),
            row["value"],
        )
        for pair in json.loads(first.stdout)
        for row in pair["results"]
    ]
    assert len(kept) > 200
    for place, value in kept:
        if value is None:
            assert values[place] is None
        else:
            assert values[place] == pytest.approx(value, rel=1e-9, abs=1e-14)
    measured = {row["on"] for pair in json.loads(first.stdout) for row in pair["results"]}
    assert measured == {None, "map", "P_5", "ndcg"}  # what the header of the reference reports


def test_an_assessment_is_made_again_for_other_judgements(cli: Cli, garden: Path):
    cli("score", "runs", *QRELS, "--archive", "garden")
    asked = (
        "evaluate",
        "--archive",
        "garden",
        "--reference",
        "greenhouse-bm25",
        "--runs-in",
        "runs",
    )
    cli(*asked, *QRELS, "--measure", "rmse")
    lines = (garden / "qrels.txt").read_text().splitlines(keepends=True)
    (garden / "fewer.txt").write_text("".join(lines[:-1]))
    again = cli(*asked, "--qrels", "fewer.txt", "--measure", "rmse")
    assert "9 pairs assessed, 0 known" in again.stderr
    # Neither takes the place of the other.
    assert "0 pairs assessed, 9 known" in cli(*asked, *QRELS, "--measure", "rmse").stderr


def test_pairs_of_a_type_in_an_archive(cli: Cli, garden: Path):
    """Only they are assessed, and the same is said of them as among all others."""
    cli("load", "runs", "--archive", "garden", "--quiet")
    asked = (
        "evaluate", "--archive", "garden", "--reference", "greenhouse-bm25", "--runs-in", "runs",
        *QRELS, "--measure", "rmse,er", "--on", "map", "--format", "json",
    )  # fmt: skip
    done = cli(*asked, "--type", "priMad", "-t", "P?IMA?")
    assert (
        "note: 4 of 9 pairs are left out, not of type priMad or P?IMA?: 4 PrIMAd\n"
        "note: 5 pairs assessed, 0 known to garden\n"
    ) in done.stderr
    pairs = json.loads(done.stdout)
    assert [pair["primad"] for pair in pairs] == ["priMad"] * 4 + ["P?IMA?"]
    every = cli(*asked)
    assert "4 pairs assessed, 5 known to garden" in every.stderr
    told = json.loads(every.stdout)
    assert [pair for pair in told if pair["primad"] in ("priMad", "P?IMA?")] == pairs
    kept = cli("query", "assessments", "--archive", "garden", "--format", "csv").stdout
    types = {row["type"] for row in csv.DictReader(io.StringIO(kept))}
    assert types == {"priMad", "PrIMAd", "P?IMA?"}
    # Pairs are refused before anything is kept.
    none = cli(*asked, "--type", "PRIMAd")
    assert (none.exit_code, none.stdout) == (2, "")
    assert "no pair is of type PRIMAd; there are 4 priMad, 4 PrIMAd, 1 P?IMA?" in none.stderr


def test_forged_results_of_a_stranger_change_nothing(cli: Cli, garden: Path, tmp_path: Path):
    """Scores and assessments are computed although nanopublications say them, and are one's own."""
    runs = (ORIGINAL, "runs/shed-bm25.txt")

    def computed(archive: str) -> list[str]:
        scored = cli("score", *runs, *QRELS, "--archive", archive)
        assert "2 runs scored, 0 unchanged" in scored.stderr
        asked = ("--reference", "greenhouse-bm25", "--runs-in", runs[1], *QRELS, "--format", "csv")
        assessed = cli("evaluate", "--archive", archive, *asked)
        assert "1 pair assessed, 0 known" in assessed.stderr
        return [scored.stdout, assessed.stdout]

    mine = computed("theirs")
    with open_engine("theirs", writable=True) as engine:
        for name in (*scored_rankings(engine), *assessed_runs(engine)):
            found = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{name}> {{ ?s ?p ?o }} }}")
            assert isinstance(found, Triples)
            forged = re.sub(r'"0\.\d+"', '"0.999"', "".join(found.lines))
            engine.replace(NamedGraph(iri=name, triples=forged))
        published = list(publish_all(engine, 2).values())
    cli("load", *put(tmp_path / "np", *published), "--archive", "mine")
    assert computed("mine") == mine
    made = cli("nanopub", "make", "--archive", "mine", "-o", "drafts")
    assert made.exit_code == 0
    kinds = sorted(path.name.partition("-")[0] for path in (garden / "drafts").iterdir())
    # The stranger says the same of the runs.
    assert kinds == ["assessment", "scores", "scores"]
    backs = put(tmp_path / "np", *(retraction(one, 2) for one in published))
    for command in (("load", *backs), ("remove", *(one.nanopub.uri for one in published))):
        assert cli(*command, "--archive", "mine").exit_code == 0
        counts = json.loads(cli("info", "--archive", "mine", "--format", "json").stdout)
        assert [counts[name] for name in ("runs", "scored", "assessments")] == [2, 2, 1]
