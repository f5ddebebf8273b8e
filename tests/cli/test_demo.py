"""The command demo: each step is a command that works, and the runs come out unchanged."""

from __future__ import annotations

import re
from pathlib import Path

from support import Cli

from primad_ld.core.files import resource


def test_the_demo_leaves_what_it_made(cli: Cli, tmp_path: Path) -> None:
    done = cli("demo", "--into", "made")
    assert done.exit_code == 0, done.stderr
    runs = {path.name for path in resource("examples/garden/runs").iterdir()}
    assert {path.name for path in (tmp_path / "made" / "runs").iterdir()} == runs
    assert (tmp_path / "made" / "archive").is_dir()


def test_what_it_shows_is_what_the_command_prints(cli: Cli, tmp_path: Path) -> None:
    shown = cli("demo", "--into", "made").stdout
    compare = re.search(
        r"^\$ primad-ld (compare greenhouse-bm25 .*)\n((?:.+\n)+)", shown, re.MULTILINE
    )
    assert compare is not None
    words = compare[1].replace("archive archive", "archive made/archive").split()
    assert cli(*words).stdout.startswith(compare[2])


def test_a_folder_that_is_not_empty_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").write_text("mine")
    assert cli("demo", "--into", "made").exit_code == 2
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["mine.txt"]
