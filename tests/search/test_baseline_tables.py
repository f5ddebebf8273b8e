"""What a report on baselines shows: its candidates, and what is declared."""

from __future__ import annotations

import pytest
from support import Put
from support.trials import GOOD, header, run_text

from primad_ld import BaselineReport, find_baselines, look_up


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
    lines = report.text().splitlines()
    assert [line.split()[0] for line in lines[1:3]] == [row["tag"] for row in report.to_dicts()]


def test_what_is_declared_is_told(report: BaselineReport) -> None:
    (declared,) = report.record()["declared"]
    assert declared["tag"] == "base"
    assert "2 comparable runs" in report.text()


def test_there_is_no_score_where_nothing_was_scored(report: BaselineReport) -> None:
    for row in report.to_dicts():
        assert (row["score"], row["measure"], row["judgements"]) == (None, None, None)
