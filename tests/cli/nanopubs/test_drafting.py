"""The commands that write drafts: what they leave in files, and what they say of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli, Put
from support.things import put_draft
from support.trials import GOOD, header, run_text


def test_make_writes_a_draft_for_each_run(cli: Cli, put: Put, tmp_path: Path) -> None:
    put("runs/one.txt", run_text(GOOD, "one", header("one")))
    put("runs/two.txt", run_text(GOOD, "two", header("two", method="rerank")))
    done = cli("nanopub", "make", "runs", "-o", "drafts", "--format", "json")
    assert done.exit_code == 0, done.stderr
    drafts = list((tmp_path / "drafts").rglob("*.trig"))
    assert len(drafts) == 2
    assert len(json.loads(done.stdout)["nanopublications"]) == 2
    again = cli("nanopub", "make", "runs", "-o", "drafts")
    assert again.exit_code == 0
    assert list((tmp_path / "drafts").rglob("*.trig")) == drafts


@pytest.mark.parametrize("command", ["make", "claim", "index", "supersede", "retract"])
def test_help_says_what_a_command_is_for(cli: Cli, command: str) -> None:
    done = cli("nanopub", command, "--help")
    assert done.exit_code == 0
    assert f"nanopub {command}" in done.stdout
    assert cli("nanopub", command, "--nonsense").exit_code == 2


def test_an_index_of_drafts_is_refused(cli: Cli, tmp_path: Path) -> None:
    """Only what is signed has a name that can be listed."""
    put_draft(tmp_path / "np" / "one.trig")
    done = cli("nanopub", "index", "np", "-o", "index.trig")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert not (tmp_path / "index.trig").exists()


def test_a_retraction_of_what_is_not_there(cli: Cli, tmp_path: Path) -> None:
    asked = ("--orcid", "0000-0002-1825-0097", "-o", "retraction.trig")
    done = cli("nanopub", "retract", "missing.trig", *asked)
    assert (done.exit_code, done.stdout) == (2, "")
    assert not (tmp_path / "retraction.trig").exists()
