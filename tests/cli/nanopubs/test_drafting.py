"""The commands that write drafts: what they leave in files, and what they say of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli, Put
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
