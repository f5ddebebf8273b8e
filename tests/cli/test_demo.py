"""The command demo: each step is a command that works, and the runs come out unchanged."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from support import Cli

from primad_ld.cli.demo import STORY
from primad_ld.core.files import resource


def test_the_demo_leaves_what_it_made(cli: Cli, tmp_path: Path) -> None:
    done = cli("demo", "--into", "made")
    assert done.exit_code == 0, done.stderr
    runs = {path.name for path in resource("examples/garden/runs").iterdir()}
    assert {path.name for path in (tmp_path / "made" / "runs").iterdir()} == runs
    assert (tmp_path / "made" / "archive").is_dir()


def test_each_step_is_what_its_command_prints(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = cli("demo", "--into", "made").stdout
    assert len(shown.splitlines()) < 100
    monkeypatch.chdir("made")
    for step in STORY:
        if " load " in step.command or " score " in step.command:
            continue  # done by now
        done = cli(*shlex.split(step.command)[1:])
        assert done.exit_code == 0, done.stderr
        assert f"$ {step.command}\n" + "\n".join(step.excerpt(done.stdout)[:-1]) in shown


def test_a_folder_that_is_not_empty_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").write_text("mine")
    assert cli("demo", "--into", "made").exit_code == 2
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["mine.txt"]
