"""What ``convert`` and ``load`` report: notes, counts and problems, for people and for machines."""

from __future__ import annotations

import json

from support import Cli, Put
from support.annotated import fill, run


def test_the_report_for_machines(cli: Cli, put: Put):
    fill(put)
    put("runs/d.txt", run("d", 4).replace("# tag", "# run-version: 1\n# tag"))
    put("runs/d.yaml", "run-version: 2\n")
    result = cli("convert", "runs", "-o", "archive.nq", "--format", "json", "--quiet")
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert report["runs"] == 4
    assert [(one["file"], one["line"]) for one in report["problems"]] == [
        ("runs/bad-archive.txt.gz", None),
        ("runs/bad-header.txt", 3),
        ("runs/bad-ranking.txt", 6),
    ]
    assert all(one["message"] for one in report["problems"])
    assert report["left_alone"] == ["runs/qrels.txt"]
    assert report["skipped"] == [
        {"file": "runs/README.md", "reason": "another kind of file, by its suffix"},
        {"file": "runs/qrels.txt", "reason": "neither a run nor a header"},
    ]
    assert len(report["notes"]) == 1
    assert "runs/d.yaml:1: run-version" in report["notes"][0]
