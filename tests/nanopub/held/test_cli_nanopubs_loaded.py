"""Nanopublications on the command line: load, info, query, remove, vacuum."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support import Cli
from support.claimed import claim, publish, put, retraction, run_draft, run_file, some_claims

from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.signing import Signed
from primad_ld.nanopub.trig import as_trig


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRIMAD_LD_ARCHIVE", raising=False)


def as_json(cli: Cli, *arguments: str | Path) -> Any:
    result = cli(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.fixture
def np() -> list[Signed]:
    """Claims in files below the folder np."""
    claims = some_claims()
    put(Path("np/claims"), *claims)
    return claims


def test_loading_says_what_was_loaded(cli: Cli, np: list[Signed]) -> None:
    report = as_json(cli, "load", "np")
    assert report == {
        "new": 0,
        "replaced": 0,
        "renamed": 0,
        "unchanged": 0,
        "kept": {"scores": 0, "assessments": 0, "precisions": 0},
        "nanopublications": {"new": 6, "known": 0, "drafts": 0, "dropped": 0},
        "warnings": [],
        "problems": [],
        "notes": [],
        "left_alone": [],
        "skipped": [],
    }
    result = cli("load", "np")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "0 new nanopublications, 6 known → primad-archive\n"
    assert cli("load", "np", "--quiet").output == ""


def test_runs_drafts_and_nanopublications_in_one_folder(cli: Cli, np: list[Signed]) -> None:
    run_file(Path("np"))
    Path("np/draft.trig").write_text(as_trig(nanopub_of_draft(claim("draft"))))
    result = cli("load", "np")
    assert result.exit_code == 0
    assert result.stderr == "note: skipped 1 draft: sign them first (primad-ld nanopub sign)\n"
    assert result.stdout == "1 new run, 6 new nanopublications → primad-archive\n"


def test_what_is_taken_back_is_said(cli: Cli) -> None:
    one = publish(run_draft())
    put(Path("np"), one)
    cli("load", "np")
    put(Path("np"), retraction(one))
    result = cli("load", "np")
    assert result.stderr == "note: removed 1 graph of superseded or retracted ones\n"
    assert result.stdout == "1 new nanopublication, 1 known → primad-archive\n"


def test_a_forged_one_is_a_problem_and_the_rest_is_loaded(cli: Cli, np: list[Signed]) -> None:
    forged = Path("np/forged.trig")
    forged.write_text(np[0].text.replace("npl-bm25", "npl-prf"))
    result = cli("load", "np", "--format", "json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["nanopublications"]["new"] == 6
    (problem,) = found["problems"]
    assert (problem["file"], problem["hint"]) == (str(forged), None)
    assert result.stderr.startswith(
        f"error: {forged}: it was changed since it got its name: its digest is RA"
    )


def test_info_counts_them_by_state(cli: Cli, np: list[Signed]) -> None:
    cli("load", "np")
    assert as_json(cli, "info")["nanopublications"] == {
        "signed": 6,
        "superseded": 1,
        "retracted": 1,
    }
    (row,) = [line for line in cli("info").stdout.splitlines() if "nanopublications" in line]
    assert row.split(maxsplit=2) == [
        "nanopublications",
        "6",
        "signed (6), superseded (1), retracted (1)",
    ]


def test_removing_and_vacuum(cli: Cli, np: list[Signed]) -> None:
    cli("load", "np")
    uri = np[0].nanopub.uri
    result = cli("remove", uri)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "removed 1 nanopublication")
    assert uri in result.stdout
    assert as_json(cli, "info")["nanopublications"] == {"signed": 5, "retracted": 1}
    assert len(list(Path("primad-archive/nanopubs").iterdir())) == 5
    again = cli("remove", uri)
    assert again.exit_code == 2
    assert "no run is called" in again.stderr
    assert cli("vacuum").exit_code == 0
    assert as_json(cli, "info")["nanopublications"] == {"signed": 5, "retracted": 1}


def test_names_that_are_no_text_are_read_and_printed(cli: Cli, np: list[Signed]) -> None:
    try:
        Path(os.fsdecode(b"np/b\xff.trig")).write_text(np[0].text)
        Path(os.fsdecode(b"np/r\xff.txt")).write_text("1 Q0 d 1 2.5 headless\n")
    except OSError:
        pytest.skip("the file system takes no such names")
    run_file(Path("np")).rename(os.fsdecode(b"np/good\xfe.txt"))
    result = cli("load", "np", "--format", "json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["new"] == 1
    assert found["nanopublications"]["new"] == 6
    assert [one["file"] for one in found["problems"]] == ["np/r\ufffd.txt"]
    assert [one for one in found["notes"] if "np/b\ufffd.trig" in one]
    result = cli("load", "np")
    assert "error: np/r\ufffd.txt: this run has no header" in result.stderr
    assert "0 new runs, 1 unchanged" in result.stdout
    assert cli("nanopub", "make", "np", "-o", "made").exit_code == 2  # that run has no header
    assert len(list(Path("made").iterdir())) == 1


def test_what_is_left_out_is_said_ten_times(cli: Cli, np: list[Signed]) -> None:
    for number in range(13):
        Path(f"np/empty{number:02}.trig").touch()
    result = cli("load", "np")
    assert result.exit_code == 0
    notes = [f"note: np/empty{number:02}.trig: left out: it is empty\n" for number in range(10)]
    assert result.stderr == "".join(
        [
            *notes,
            "note: skipped 3 more files that are not nanopublications\n",
        ]
    )
    assert len(as_json(cli, "load", "np")["notes"]) == 13
