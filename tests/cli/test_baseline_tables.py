"""What baselines prints: the same candidates in each format, and what is declared."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import Put
from support.trials import GOOD, header, run_text

from primad_ld import BaselineReport, find_baselines, look_up
from primad_ld.cli.baseline_tables import BASELINES


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


def test_each_format_has_each_candidate(report: BaselineReport) -> None:
    found = json.loads(BASELINES["json"](report))
    assert {one["tag"]: one["team"] for one in found["candidates"]} == {
        "base": "voles",
        "other": "moles",
    }
    tags = [one["tag"] for one in found["candidates"]]
    for format, delimiter in (("csv", ","), ("tsv", "\t")):
        rows = csv.DictReader(io.StringIO(BASELINES[format](report)), delimiter=delimiter)
        assert [row["tag"] for row in rows] == tags
    lines = BASELINES["table"](report).splitlines()
    assert [line.split()[0] for line in lines[1:3]] == tags


def test_what_is_declared_is_told(report: BaselineReport) -> None:
    (declared,) = json.loads(BASELINES["json"](report))["declared"]
    assert "base" in json.dumps(declared)
    assert "2 comparable runs" in BASELINES["table"](report)


def test_there_is_no_score_where_nothing_was_scored(report: BaselineReport) -> None:
    for one in json.loads(BASELINES["json"](report))["candidates"]:
        assert (one["score"], one["measure"], one["judgements"]) == (None, None, None)
