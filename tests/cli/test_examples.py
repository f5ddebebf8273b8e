"""The examples in the help of commands: they are there, and each of them runs."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest
from support import Cli
from support.option_cases import every_command

from primad_ld.cli.examples import EXAMPLES, epilog_of
from primad_ld.core.files import resource

LINES = [f"{command} {arguments}" for command, lines in EXAMPLES.items() for arguments in lines]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name, but for those that they make."""
    from typer.testing import CliRunner

    from primad_ld.cli import app

    folder = tmp_path_factory.mktemp("examples")
    garden = resource("examples/garden")
    shutil.copytree(garden / "runs", folder / "runs")
    shutil.copy(garden / "qrels.txt", folder)
    shutil.copy(garden / "runs" / "greenhouse-bm25.txt", folder / "annotated.txt")
    (folder / "header.yaml").write_text("tag: greenhouse-bm25\nactor: {team: moles}\n")
    (folder / "machine.yaml").write_text("platform: {hardware: {ram: 64 GB}}\n")
    rows = "".join(f"S,{name},{value}\n" for name in ("Fluency", "BLEU") for value in (3.1, 3.3))
    (folder / "scores.csv").write_text(f"System,Criterion,Result\n{rows}")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in (
            "strip annotated.txt -o run.txt",
            "load runs",
            "score runs --qrels qrels.txt -m map,P_5 --archive primad-archive",
            "convert runs -o archive.nq",
            "evaluate run.txt runs/greenhouse-feedback-w03.txt runs/greenhouse-feedback-w06.txt "
            "--qrels qrels.txt --on map --per-topic -o pairs.json",
            "evaluate --pairs runs --qrels qrels.txt --on map -o study.json",
            "evaluate --all-pairs runs -m rbo -o matrix.json",
            "qra scores.csv -o precision.json",
        ):
            done = CliRunner().invoke(app, shlex.split(line))
            assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize("line", LINES)
def test_each_example_runs(cli: Cli, made: Path, tmp_path: Path, line: str) -> None:
    """In a folder that has what it reads, and not what it writes."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    words = shlex.split(line)
    target = words[words.index("-o") + 1] if "-o" in words else words[1] if "init" in words else ""
    if target:
        (tmp_path / target).unlink(missing_ok=True)
    done = cli(*words)
    assert done.exit_code in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [name for name in every_command() if " " not in name])
def test_help_ends_with_them(cli: Cli, command: str) -> None:
    shown = cli(command, "--help").stdout
    if command != "demo":
        assert epilog_of(command)
        for arguments in EXAMPLES[command]:
            line = f"primad-ld {command} {arguments}".rstrip()
            assert " ".join(line.split()) in " ".join(shown.split())
