"""What shells complete, by the protocols that their scripts speak."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import Cli

from primad_ld.core.files import resource

_CODE = "from primad_ld.cli import app; app(prog_name='primad-ld')"


def offered(line: str, shell: str = "bash", **environment: str) -> list[str]:
    """What a shell is offered at the end of a line, and nothing on standard error."""
    words = line.split()
    position = len(words) - (not line.endswith(" "))
    asked = {
        "bash": {"COMP_WORDS": line, "COMP_CWORD": str(position)},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }[shell]
    done = subprocess.run(
        [sys.executable, "-c", _CODE],
        env=os.environ | asked | {"_PRIMAD_LD_COMPLETE": f"complete_{shell}"} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> str:
    from typer.testing import CliRunner

    from primad_ld.cli import app

    folder = str(tmp_path_factory.mktemp("completed") / "kept")
    assert (
        CliRunner()
        .invoke(app, ["load", str(resource("examples/garden/runs")), "-a", folder])
        .exit_code
        == 0
    )
    return folder


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("base", ["baselines"]),
        ("query by-st", ["by-stage"]),
        ("query by-stage -p ", ["stage=", "collection="]),
        ("profiles tr", ["trec"]),
        ("validate x --profile tr", ["trec"]),
        ("evaluate a b -m rbo_", ["rbo_ext", "rbo_w", "rbo_a", "rbo_b"]),
        ("evaluate a b -m ktu,nDCG", ["ktu,nDCG@10"]),
        ("score a -m map,P_10", ["map,P_10", "map,P_100", "map,P_1000"]),
        ("evaluate a b --on nDCG", ["nDCG@10"]),
        ("plot matrix --measure kt", ["ktu", "ktu_first_seen"]),
        ("info -f js", ["jsonl", "json"]),
        ("schema -f j", ["jsonschema"]),
        ("convert a --to n", ["nq", "nt"]),
        ("annotate a --set actor.te", ["actor.team="]),
        ("annotate a --set research_goal.ve", ["research_goal.venue.name=", "research_goal.venue.year="]),
        ("compare shed", ["shed-bm25", "shed-feedback"]),
        ("compare orchard-l shed", ["shed-bm25", "shed-feedback"]),
        ("baselines orchard", ["orchard-likelihood", "orchard-rerank"]),
        ("show shed-b", ["shed-bm25"]),
        ("remove shed-b", ["shed-bm25"]),
        ("qra --reference shed-b", ["shed-bm25"]),
        ("show nobody", []),
        ("load ru", []),  # files are the shell's
        ("query by-stage -p stage=x -p 'broken ", []),
    ],
)  # fmt: skip
def test_values(archive: str, line: str, expected: list[str]) -> None:
    assert offered(f"primad-ld {line}", PRIMAD_LD_ARCHIVE=archive) == expected


def test_tags_of_the_archive_in_use(archive: str, tmp_path: Path) -> None:
    assert offered(f"primad-ld show --archive {archive} shed-b") == ["shed-bm25"]
    assert offered("primad-ld show shed-b", PRIMAD_LD_ARCHIVE=str(tmp_path)) == []
    assert offered("primad-ld show --archive http://127.0.0.1:9/sparql shed-b") == []
    assert os.listdir(tmp_path) == []


def test_an_archive_that_is_being_written_is_not_waited_for(archive: str) -> None:
    from primad_ld.archive.opening import open_engine

    with open_engine(archive, writable=True):
        assert offered("primad-ld show shed-b", PRIMAD_LD_ARCHIVE=archive) == []


def test_each_shell(archive: str) -> None:
    line = "primad-ld show shed-b"
    assert offered(line, "fish", PRIMAD_LD_ARCHIVE=archive) == ["shed-bm25"]
    assert "shed-bm25" in "".join(offered(line, "zsh", PRIMAD_LD_ARCHIVE=archive))


def test_scripts_for_shells(cli: Cli) -> None:
    for shell in ("bash", "zsh", "fish"):
        done = subprocess.run(
            [sys.executable, "-c", _CODE, "--show-completion", shell],
            env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f"complete_{shell}" in done.stdout
    assert "--install-completion" in cli("--help").stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_itself(archive: str, tmp_path: Path) -> None:
    """The function of the script fills in what bash offers."""
    command = tmp_path / "primad-ld"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{_CODE}" "$@"\n')
    command.chmod(0o755)
    script = (
        "export _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION=1\n"
        'eval "$(primad-ld --show-completion bash)"\n'
        "COMP_WORDS=(primad-ld show shed-b); COMP_CWORD=2\n"
        '"$(complete -p primad-ld | sed "s/.*-F \\([^ ]*\\).*/\\1/")" primad-ld shed-b show\n'
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PRIMAD_LD_ARCHIVE": archive},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("shed-bm25\n", "")
