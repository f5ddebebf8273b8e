"""What a report on baselines shows: its candidates, and what is declared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support import Put
from support.trials import GOOD, header, run_text

from primad_ld import Archive
from primad_ld.core.files import resource
from primad_ld.evaluation.archive_scoring import score_into_archive
from primad_ld.evaluation.evaluations import EvaluationOptions
from primad_ld.search.baselines import find_baselines
from primad_ld.search.competing_runs import BaselineReport
from primad_ld.search.run_lookup import look_up


@pytest.fixture
def report(put: Put) -> BaselineReport:
    """A run that declares a baseline, and two more that could be one."""
    said = {
        "mine": header("mine", method="mine", baseline="base"),
        "base": header("base", team="voles"),
        "other": header("other", team="moles", method="rerank"),
    }
    paths = {tag: put(f"{tag}.txt", run_text(GOOD, tag, text)) for tag, text in said.items()}
    with look_up(paths["mine"], [paths["base"], paths["other"]]) as found:
        return find_baselines(found.engine, found.run)


def test_rows_are_the_candidates(report: BaselineReport) -> None:
    assert {row["tag"]: row["team"] for row in report.to_dicts()} == {
        "base": "voles",
        "other": "moles",
    }
    assert report.record()["candidates"] == report.to_dicts()
    assert all(row["completeness"] == one.record.completeness for row, one in zip(
        report.to_dicts(), report.candidates, strict=True
    ))  # fmt: skip
    lines = report.text().splitlines()
    assert [line.split()[0] for line in lines[1:3]] == [row["tag"] for row in report.to_dicts()]


def test_what_is_declared_is_told(report: BaselineReport) -> None:
    (declared,) = report.record()["declared"]
    assert declared["tag"] == "base"
    assert "2 comparable runs" in report.text()


def test_there_is_no_score_where_nothing_was_scored(report: BaselineReport) -> None:
    for row in report.to_dicts():
        assert (row["score"], row["measure"], row["judgements"]) == (None, None, None)


def test_the_verdict_says_whether_the_baseline_is_weak(tmp_path: Path) -> None:
    """As the notes say it at length; nothing without scores."""
    runs, archive = resource("examples/garden/runs"), Archive(tmp_path / "archive")
    archive.load(runs)
    assert archive.baselines("orchard-likelihood").verdict() == ""
    options = EvaluationOptions(qrels=(str(resource("examples/garden/qrels.txt")),), on=("map",))
    score_into_archive([runs], tmp_path / "archive", options)
    report = archive.baselines("orchard-likelihood", as_of=2026)
    record = report.record()
    assert record["judgements"]["digest"] == report.judgements.judgements
    assert (record["declared"][0]["comparable"], record["declared"][0]["found"]) == (True, True)
    missing = replace(report.declared[0].resolution, run=None)
    nobody = replace(report.declared[0], resolution=missing)
    assert not replace(report, declared=(nobody,)).record()["declared"][0]["comparable"]
    assert report.verdict() == (
        "The declared baseline greenhouse-bm25 (map 0.6958) is not shown to be weak: "
        "1 team has a higher mean, none significantly so"
    )
    assert report.text().startswith(report.verdict())
    (first,) = report.stronger
    stronger = replace(first, corrected=0.01, difference=0.1)
    assert replace(report, stronger=(stronger,)).verdict() == (
        "The declared baseline greenhouse-bm25 (map 0.6958) is weak: greenhouse-feedback-w03 "
        "(0.7180) is significantly stronger"
    )
    assert replace(report, stronger=()).verdict().startswith("No comparable run scores higher")
