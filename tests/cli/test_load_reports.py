"""What ``convert`` and ``load`` report: notes, counts and problems, for people and for machines."""

from __future__ import annotations

import json
from pathlib import Path

from support import Cli, Put
from support.annotated import fill, run

from primad_ld.archive.loading import LoadReport
from primad_ld.cli.load_reports import as_json, as_text, loaded_as_json, loaded_as_text
from primad_ld.core.errors import HeaderError
from primad_ld.rdf.bulk import Report


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


def test_lines_on_what_was_done() -> None:
    output = Path("archive.nq")
    assert as_text(Report(runs=1, components=2), output) == ["1 run, 2 components → archive.nq"]
    assert as_text(Report(graphs=3), output) == ["3 graphs → archive.nq"]
    assert as_text(Report(), output) == ["0 runs"]  # nothing was written
    report = Report(runs=2, notes=["b is left out"], problems=[HeaderError("it is no run")])
    assert as_text(report, None) == ["note: b is left out", "2 runs; 1 problem"]


def test_lines_on_what_was_loaded() -> None:
    report = LoadReport(runs=2, replaced=1, renamed=1, kept={"scores": 1}, unchanged=1200)
    assert loaded_as_text(report, "garden") == [
        "2 new runs, 1 replaced (1 under another name), 1,200 unchanged; its 1 score kept → garden"
    ]
    nanopubs = LoadReport(nanopubs=1, known_nanopubs=2, drafts=1, dropped=3)
    assert loaded_as_text(nanopubs, "garden") == [
        "note: left out 1 draft: primad-ld nanopub sign gives drafts the names that they are "
        "loaded under",
        "note: took out 3 graphs of superseded or retracted ones",
        "1 new nanopublication, 2 known → garden",
    ]


def test_of_many_files_ten_are_named() -> None:
    report = LoadReport(left_out=[f"{number}.trig" for number in range(12)])
    *notes, _ = loaded_as_text(report, "garden")
    assert len(notes) == 11
    assert notes[-1] == "note: left out 2 more, none of which is a nanopublication"


def test_what_was_loaded_for_machines() -> None:
    report = LoadReport(runs=1, nanopubs=2, notes=["one"], left_out=["two"])
    found = json.loads(loaded_as_json(report))
    assert (found["new"], found["nanopublications"]["new"]) == (1, 2)
    assert found["notes"] == ["one", "two"]


def test_names_of_files_that_are_no_text_can_be_printed() -> None:
    name = b"\xff.txt".decode(errors="surrogateescape")
    text = as_json(Report(left_alone=[name]))
    assert json.loads(text)["left_alone"] == ["\N{REPLACEMENT CHARACTER}.txt"]
    text.encode()
