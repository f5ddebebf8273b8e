"""The commands about headers: what they print and write where, and how they end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from support import GOOD, ROWS, Cli, Put, loaded
from support.annotated import header

from primad_ld import parse_header, read_header
from primad_ld.schema.fields import default_schema

# init -------------------------------------------------------------------------------------


def _keys(value: Any, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    if isinstance(value, dict):
        found = {(*path, key) for key in value}
        return found.union(*(_keys(item, (*path, key)) for key, item in value.items()))
    if isinstance(value, list):
        return set().union(*(_keys(item, path) for item in value))
    return set()


def test_templates(cli: Cli, tmp_path: Path) -> None:
    """One has every field, the other those that matter most; an existing file stays."""
    every = {one.path for one in default_schema().walk() if one.key != "*"}
    important = {one.path for one in default_schema().walk() if (one.importance or 0) >= 4}
    for more in ([], ["--all"]):
        assert cli("init", "h.yaml", *more).exit_code == (2 if more else 0)
        assert cli("init", "h.yaml", "--force", *more).exit_code == 0
        text = (tmp_path / "h.yaml").read_text()
        assert cli("init", *more).stdout == text
        keys = _keys(loaded(text))
        assert keys == every if more else keys >= {path for path in important if path[-1] != "*"}
    assert len(cli("init").stdout.splitlines()) < 30


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_a_template_fills_in_nothing(cli: Cli, put: Put, tmp_path: Path, more: list[str]) -> None:
    cli("init", "h.yaml", *more)
    put("run.txt", ROWS)
    words = ("annotate", "run.txt", "-H", "h.yaml", "-o", "a.txt")
    assert cli(*words).exit_code == 2
    text = (tmp_path / "h.yaml").read_text()
    text = text.replace("\ntag:", "\ntag: my-run").replace("  cmd:", "  cmd: null")
    put("h.yaml", text)
    assert cli(*words).exit_code == 0
    assert read_header(tmp_path / "a.txt").fields == {
        "tag": "my-run",
        "implementation": {"executable": {"cmd": None}},
    }


# annotate and strip -----------------------------------------------------------------------


@pytest.mark.parametrize("output", [["-o", "a.txt"], []])
def test_annotate_and_strip_one_run(cli: Cli, put: Put, tmp_path: Path, output: list[str]) -> None:
    put("run.txt.gz", ROWS)
    put("h.yaml", GOOD)
    result = cli("annotate", "run.txt.gz", "-H", "h.yaml", *output)
    note = "run.txt.gz: the header's tag is 'hedge-bm25', in the ranking it is 't'"
    assert (result.exit_code, result.stderr) == (0, f"note: {note}\n")
    if output:
        assert result.stdout == "annotated 1 run → a.txt\n"
    else:
        put("a.txt", result.stdout)
    assert read_header(tmp_path / "a.txt") == parse_header(GOOD)
    assert cli("annotate", "run.txt.gz", "-H", "h.yaml", "-q").stderr == ""
    stripped = cli("strip", "a.txt")
    assert (stripped.exit_code, stripped.stdout, stripped.stderr) == (0, ROWS, "")
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "h.yaml", "run.txt.gz"]


def test_several_runs_into_a_folder(cli: Cli, put: Put, tmp_path: Path) -> None:
    put("runs/a.txt", header("a") + ROWS)
    put("runs/sub/b.txt", header("b") + ROWS)
    for command in (["strip"], ["annotate", "--set", "actor.team=me"]):
        done = cli(command[0], "runs", *command[1:], "-o", f"{command[0]}/")
        assert (done.exit_code, sorted(os.listdir(tmp_path / command[0]))) == (
            0,
            ["a.txt", "b.txt"],
        )
    assert (tmp_path / "strip/b.txt").read_text() == ROWS
    assert read_header(tmp_path / "annotate/b.txt")["actor"] == {"team": "me"}
    # Nothing is written unless all can be.
    (tmp_path / "strip/a.txt").unlink()
    again = cli("strip", "runs", "-o", "strip")
    assert "strip/b.txt already exists" in again.stderr
    assert os.listdir(tmp_path / "strip") == ["b.txt"]
    assert cli("strip", "runs", "-o", "strip", "--force").exit_code == 0
    put("runs/sub/a.txt", header("c") + ROWS)
    twice = cli("strip", "runs", "-o", "new/")
    assert (twice.exit_code, "two runs are called a.txt" in twice.stderr) == (2, True)
    assert not (tmp_path / "new").exists()


# show -------------------------------------------------------------------------------------


def test_show_looks_beside_and_above(cli: Cli, put: Put) -> None:
    put("sub/run.txt", header("inside") + ROWS)
    put("sub/run.yaml", "tag: beside\nrun-version: 7\n")
    put("ir-metadata.yml", "\nactor: {team: above}\nrun-version: 8\n")
    result = cli("show", "sub/run.txt", "-f", "yaml")
    assert loaded(result.stdout) == {
        "run-version": "7",
        "tag": "inside",
        "actor": {"team": "above"},
    }
    notes = result.stderr.splitlines()
    assert len(notes) == 2
    assert notes[0].startswith("note: sub/run.yaml:1: tag: 'beside' is ignored")
    assert "ir-metadata.yml:3: run-version: '8' is ignored" in notes[1]
    assert "run's own header" not in notes[1]  # it was the sidecar that won
    alone = cli("show", "sub/run.txt", "-f", "yaml", "--alone")
    assert (loaded(alone.stdout), alone.stderr) == ({"tag": "inside"}, "")


def test_show_reads_the_header_only(cli: Cli, put: Put) -> None:
    put("run.txt", header("x") + ROWS + "this is no ranking line\n")
    assert cli("show", "run.txt").exit_code == 0
    assert cli("convert", "run.txt", "-o", "x.nq").exit_code == 2
    assert cli("convert", "run.txt", "-o", "x.nq", "--headers-only").exit_code == 0
