"""What loading and converting report: a sentence, counts, and what was not read."""

from __future__ import annotations

import json

import pytest
from support import Cli, Put
from support.annotated import fill, run

from primad_ld.archive.loading import LoadReport, load_runs
from primad_ld.core.errors import HeaderError
from primad_ld.rdf.bulk import Report


def test_the_report_for_machines(cli: Cli, put: Put) -> None:
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
        {"file": "runs/README.md", "reason": "suffix of another kind of file"},
        {"file": "runs/qrels.txt", "reason": "neither a run nor a header"},
    ]
    assert len(report["notes"]) == 1
    assert "runs/d.yaml:1: run-version" in report["notes"][0]


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (Report(runs=1, components=2, output="a.nq"), "1 run, 2 components → a.nq"),
        (Report(graphs=3, output="a.nq"), "3 graphs → a.nq"),
        (Report(output="a.nq"), "0 runs"),  # nothing was written
        (Report(runs=2, problems=[HeaderError("not a run")]), "2 runs; 1 problem"),
        (
            LoadReport(
                runs=2, replaced=1, renamed=1, kept={"scores": 1}, unchanged=1200, output="garden"
            ),
            "2 new runs, 1 replaced (1 under another name), 1,200 unchanged; its 1 score kept → garden",
        ),
        (
            LoadReport(nanopubs=1, known_nanopubs=2, output="a"),
            "1 new nanopublication, 2 known → a",
        ),
    ],
)
def test_a_sentence_on_what_was_done(report: Report, sentence: str) -> None:
    assert report.verdict() == sentence
    assert report.text() == f"{sentence}\n"


def test_numbers_are_rows() -> None:
    rows = LoadReport(runs=2, kept={"scores": 1}, drafts=3).to_dicts()
    counts = {row["what"]: row["count"] for row in rows}
    assert (counts["new"], counts["kept scores"], counts["nanopublications drafts"]) == (2, 1, 3)


def test_of_many_files_ten_are_named() -> None:
    report = LoadReport(left_out=[f"{number}.trig" for number in range(12)], drafts=1, dropped=3)
    *notes, more, drafts, dropped = report.shown_notes()
    assert len(notes) == 10
    assert more == "skipped 2 more files that are not nanopublications"
    assert drafts.startswith("skipped 1 draft: sign them first")
    assert dropped == "removed 3 graphs of superseded or retracted ones"
    assert report.record()["notes"] == report.left_out


def test_a_path_that_does_not_exist_is_an_error_that_names_it() -> None:
    with pytest.raises(HeaderError, match="nosuch: no such file or directory"):
        load_runs("nosuch", "archive")


def test_names_of_files_that_are_not_text_can_be_printed() -> None:
    name = b"\xff.txt".decode(errors="surrogateescape")
    text = Report(left_alone=[name]).text("json")
    assert json.loads(text)["left_alone"] == ["\N{REPLACEMENT CHARACTER}.txt"]
    text.encode()


@pytest.mark.parametrize("form", ["table", "json"])
def test_where_the_result_is_on_standard_output_the_report_is_not(
    cli: Cli, put: Put, form: str
) -> None:
    put("a.txt", run("a", 1))
    done = cli("convert", "a.txt", "--to", "nq", "-f", form)
    assert done.stdout.startswith("<https://")
    assert ("1 run" in done.stderr) if form == "table" else json.loads(done.stderr)["runs"] == 1
    assert cli("convert", "a.txt", "--to", "nq", "--quiet").stderr == ""
