"""Pairs of an archive: assessed once, and said again to the byte."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from support import Cli

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
