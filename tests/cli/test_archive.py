"""The commands about archives: what info, query, remove and vacuum print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli


@pytest.fixture
def loaded(cli: Cli, garden: Path) -> Cli:
    """The example runs are in the archive that is looked for if nobody names one."""
    result = cli("load", "runs")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "9 new runs → primad-archive\n"
    return cli


def test_info_says_the_same_to_people_and_machines(loaded: Cli) -> None:
    found = json.loads(loaded("info", "--format", "json").stdout)
    rows = loaded("info").stdout.splitlines()
    assert found["runs"] == found["rankings"] == 9
    assert rows[1].split() == ["runs", "9"]
    assert rows[2].split() == ["triples", f"{found['triples']:,}"]
    teams = next(row for row in rows if row.startswith("teams"))
    assert teams.split(maxsplit=2)[1] == f"{len(found['teams'])}"
    assert all(f"{team} ({count})" in teams for team, count in found["teams"].items())


def test_the_list_of_queries_has_their_parameters(cli: Cli) -> None:
    head, *rows = cli("query", "--list").stdout.splitlines()
    assert head.split() == ["query", "description", "parameters"]
    (scores,) = [row for row in rows if row.split()[0] == "scores"]
    assert scores.split()[-2:] == ["measure", "[collection]"]
    listed = {
        query["query"]: query for query in json.loads(cli("query", "-f", "json").stdout)["queries"]
    }
    assert listed["scores"]["required"] == ["measure"]
    assert listed["scores"]["parameters"] == ["measure", "collection"]


def test_what_is_removed_is_no_longer_found(loaded: Cli) -> None:
    assert loaded("remove", "shed-bm25").exit_code == 0
    assert json.loads(loaded("info", "--format", "json").stdout)["runs"] == 8
    assert loaded("remove", "shed-bm25").exit_code == 2
    cleaned = loaded("vacuum")
    assert cleaned.exit_code == 0
    assert cleaned.stdout.startswith("removed ")
    assert loaded("vacuum", "--quiet").stdout == ""


def test_the_header_of_an_archived_run(loaded: Cli) -> None:
    shown = loaded("show", "shed-bm25", "--archive", "primad-archive", "-f", "json")
    assert json.loads(shown.stdout) == json.loads(
        loaded("show", "runs/shed-bm25.txt", "-f", "json").stdout
    )
    assert loaded("show", "nobody", "--archive", "primad-archive").exit_code == 2


def test_what_does_not_exist_is_not_loaded(cli: Cli, garden: Path) -> None:
    refused = cli("load", "nosuch")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == "error: nosuch: no such file or directory\n"
    assert not (garden / "primad-archive").exists()


def test_a_note_on_many_files_is_one_line(cli: Cli, garden: Path) -> None:
    for number in range(5):
        text = (garden / "runs" / "greenhouse-bm25.txt").read_text(encoding="utf-8")
        (garden / f"copy{number}.txt").write_text(text, encoding="utf-8")
    paths = ["runs/greenhouse-bm25.txt", *(f"copy{number}.txt" for number in range(5))]
    report = cli("load", *paths)
    assert report.stderr.count("note:") == 1
    assert "the same run as another file: 5 files (copy0.txt" in report.stderr
    again = cli("convert", *paths, "-o", "out.nq", "--verbose")
    assert again.stderr.count("note:") == 5
    assert len(json.loads(cli("convert", *paths, "-o", "b.nq", "-f", "json").stdout)["notes"]) == 5


def test_loading_again_changes_nothing(loaded: Cli) -> None:
    report = json.loads(loaded("load", "runs", "--format", "json").stdout)
    assert (report["new"], report["unchanged"], report["problems"]) == (0, 9, [])


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e300", "9" * 5000])
def test_seconds_that_no_clock_counts(cli: Cli, seconds: str) -> None:
    refused = cli("query", "runs", "--timeout", seconds)
    assert (refused.exit_code, "--timeout" in refused.stderr) == (2, True)
