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
        "evaluate", "--archive", "garden", "greenhouse-bm25",
        "--runs-in", "runs", *QRELS,
    )  # fmt: skip
    first, again = (json.loads(cli(*asked, "--format", "json").stdout) for _ in range(2))
    assert "9 new assessments stored in garden, 0 already there" in first.pop("notes")
    assert "0 new assessments stored in garden, 9 already there" in again.pop("notes")
    assert again == first
    # The archive says what the files say; it keeps fifteen digits.
    direct = json.loads(cli("evaluate", ORIGINAL, "runs", *QRELS, "--format", "json").stdout)
    keys = ("candidate", "reference_advanced", "measure", "on", "run")
    rows = {tuple(row[key] for key in keys): row for row in direct["results"]}
    assert len(first["results"]) > 200
    for kept in first["results"]:
        row = rows[tuple(kept[key] for key in keys)]
        for key in ("value", "reference_mean", "candidate_mean"):
            assert row[key] == (
                None if kept[key] is None else pytest.approx(kept[key], rel=1e-9, abs=1e-14)
            )
    measured = {row["on"] for row in first["results"]}
    assert measured == {None, "map", "P_5", "ndcg"}  # what the header of the reference reports


def test_an_assessment_is_made_again_for_other_judgements(cli: Cli, garden: Path):
    cli("score", "runs", *QRELS, "--archive", "garden")
    asked = (
        "evaluate",
        "--archive",
        "garden",
        "greenhouse-bm25",
        "--runs-in",
        "runs",
    )
    cli(*asked, *QRELS, "--measure", "rmse")
    lines = (garden / "qrels.txt").read_text().splitlines(keepends=True)
    (garden / "fewer.txt").write_text("".join(lines[:-1]))
    again = cli(*asked, "--qrels", "fewer.txt", "--measure", "rmse")
    assert "9 new assessments stored in" in again.stderr
    # Neither takes the place of the other.
    assert "0 new assessments stored in" in cli(*asked, *QRELS, "--measure", "rmse").stderr


def test_pairs_of_a_type_in_an_archive(cli: Cli, garden: Path):
    """Only they are assessed, and the same is said of them as among all others."""
    cli("load", "runs", "--archive", "garden", "--quiet")
    asked = (
        "evaluate", "--archive", "garden", "greenhouse-bm25", "--runs-in", "runs",
        *QRELS, "--measure", "rmse,er", "--on", "map", "--format", "json",
    )  # fmt: skip
    done = cli(*asked, "--type", "priMad", "-t", "P?IMA?")
    some = json.loads(done.stdout)
    assert some["notes"][:2] == [
        "4 of 9 pairs are left out because they do not have type priMad or P?IMA?: 4 PrIMAd",
        "5 new assessments stored in garden, 0 already there",
    ]
    assert [pair["primad"] for pair in some["pairs"]] == ["priMad"] * 4 + ["P?IMA?"]
    every = json.loads(cli(*asked).stdout)
    assert "4 new assessments stored in garden, 5 already there" in every["notes"]
    for name in ("pairs", "results"):
        assert [one for one in every[name] if one["primad"] in ("priMad", "P?IMA?")] == some[name]
    kept = cli("query", "assessments", "--archive", "garden", "--format", "csv").stdout
    types = {row["type"] for row in csv.DictReader(io.StringIO(kept))}
    assert types == {"priMad", "PrIMAd", "P?IMA?"}
    # Pairs are refused before anything is kept.
    none = cli(*asked, "--type", "PRIMAd")
    assert (none.exit_code, json.loads(none.stdout).keys()) == (2, {"problems"})
    assert (
        "no pair has type PRIMAd; types of these pairs: 4 priMad, 4 PrIMAd, 1 P?IMA?" in none.stderr
    )


def test_forged_results_of_a_stranger_change_nothing(cli: Cli, garden: Path, tmp_path: Path):
    """Scores and assessments are computed although nanopublications say them, and are one's own."""
    runs = (ORIGINAL, "runs/shed-bm25.txt")

    def computed(archive: str) -> list[str]:
        scored = cli("score", *runs, *QRELS, "--archive", archive)
        assert "2 runs scored, 0 unchanged" in scored.stderr
        asked = ("greenhouse-bm25", "--runs-in", runs[1], *QRELS, "--format", "csv")
        assessed = cli("evaluate", "--archive", archive, *asked)
        assert "1 new assessment stored in" in assessed.stderr
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
    # What was loaded from files is one's own, whoever has published the same.
    assert kinds == ["assessment", "run", "run", "scores", "scores"]
    backs = put(tmp_path / "np", *(retraction(one, 2) for one in published))
    for command in (("load", *backs), ("remove", *(one.nanopub.uri for one in published))):
        assert cli(*command, "--archive", "mine").exit_code == 0
        counts = json.loads(cli("info", "--archive", "mine", "--format", "json").stdout)
        assert [counts[name] for name in ("runs", "scored", "assessments")] == [2, 2, 1]
