"""Scores in an archive: kept once, beside those by other judgements."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from support import Cli

ORIGINAL = "runs/greenhouse-bm25.txt"
QRELS = ("--qrels", "qrels.txt")


def test_scores_are_kept_once_and_rank_baselines(cli: Cli, garden: Path):
    first = cli("score", "runs", *QRELS, "--archive", "garden")
    assert "9 runs scored, 0 unchanged" in first.stderr
    again = cli("score", "runs", *QRELS, "--archive", "garden")
    assert "0 runs scored, 9 unchanged" in again.stderr
    assert again.stdout == first.stdout
    listed = json.loads(
        cli("baselines", "shed-feedback", "--archive", "garden", "--format", "json").stdout
    )
    scores = [one["score"] for one in listed["candidates"]]
    assert scores == sorted(scores, reverse=True)
    assert listed["measure"] == "map"


def test_scores_by_two_judgements_stand_side_by_side(cli: Cli, garden: Path):
    first = cli("score", "runs", *QRELS, "--archive", "garden")
    lines = (garden / "qrels.txt").read_text().splitlines(keepends=True)
    (garden / "fewer.txt").write_text("".join(lines[: len(lines) // 2]))
    other = cli("score", "runs", "--qrels", "fewer.txt", "--archive", "garden", "-m", "map")
    assert "9 runs scored" in other.stderr
    assert "note: 9 rankings also have scores for qrels.txt (" in other.stderr
    # Each command prints the scores by its own judgements.
    alone = cli("score", "runs", "--qrels", "fewer.txt", "-m", "map")
    assert other.stdout == alone.stdout
    assert cli("score", "runs", *QRELS, "--archive", "garden").stdout == first.stdout
    found = cli("query", "scores", "-p", "measure=map", "--archive", "garden", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert len(rows) == 18
    assert {row["judgements"] for row in rows} == {"qrels.txt", "fewer.txt"}
    assert len({(row["run"], row["digest"]) for row in rows}) == 18
    counts = json.loads(cli("info", "--archive", "garden", "--format", "json").stdout)
    assert (counts["scored"], list(counts["judgements"].values())) == (9, [9, 9])
    # The scores of a measure that only some judgements give rank by these.
    asked = ("baselines", "shed-bm25", "--archive", "garden", "--format", "json", "--measure")
    for measure, files in (("map", {"qrels.txt", "fewer.txt"}), ("ndcg", {"qrels.txt"})):
        listed = json.loads(cli(*asked, measure).stdout)
        assert listed["judgements"]["file"] in files
        assert listed["judgements"]["parameters"] == {"complete": True, "relevance level": 1}
        several = [note for note in listed["notes"] if note.startswith("runs are ranked by")]
        assert len(several) == len(files) - 1


def test_runs_with_one_ranking_are_scored_once(cli: Cli, garden: Path):
    text = (garden / ORIGINAL).read_text()
    (garden / "runs" / "twin.txt").write_text(text.replace("greenhouse-bm25", "twin"))
    done = cli("score", "runs", *QRELS, "--archive", "garden", "-m", "map", "-f", "csv")
    assert "9 runs scored, 1 unchanged" in done.stderr
    found = {row["run"]: row["value"] for row in csv.DictReader(io.StringIO(done.stdout))}
    assert found["twin"] == found["greenhouse-bm25"]
    assert len(found) == 10
    # The scores stay as long as a run has the ranking.
    assert "score" not in cli("remove", "greenhouse-bm25", "--archive", "garden").stdout
    kept = cli("query", "scores", "-p", "measure=map", "--archive", "garden", "--format", "csv")
    assert len(kept.stdout.splitlines()) == 1 + 9
    removed = cli("remove", "twin", "--archive", "garden")
    assert removed.stdout.startswith("removed 1 run, 1 score set\n")
    assert "twin by qrels.txt (" in removed.stdout
