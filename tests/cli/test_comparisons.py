"""The commands compare and baselines: tables of thirty rows, other formats with all of them."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import Cli, Put

TARGET = "greenhouse-bm25"


@pytest.fixture
def loaded(cli: Cli, garden: Path) -> Cli:
    assert cli("load", "runs", "--quiet").exit_code == 0
    return cli


@pytest.mark.parametrize("command", ["compare", "baselines"])
def test_formats_name_the_same_runs(loaded: Cli, command: str) -> None:
    name, key = {"compare": ("pairs", "candidate"), "baselines": ("candidates", "tag")}[command]
    answer = json.loads(loaded(command, TARGET, "--format", "json").stdout)
    runs = [row[key] for row in answer[name]]
    assert runs
    for format, delimiter in (("csv", ","), ("tsv", "\t")):
        text = loaded(command, TARGET, "--format", format).stdout
        assert [row[key] for row in csv.DictReader(io.StringIO(text), delimiter=delimiter)] == runs
    table = loaded(command, TARGET).stdout
    assert [name for name in runs if name not in table] == []


@pytest.mark.parametrize("command", ["compare", "baselines"])
def test_rows_may_be_limited(loaded: Cli, command: str) -> None:
    every, one = (
        len(loaded(command, TARGET, "--format", "csv", "--limit", limit).stdout.splitlines())
        for limit in (0, 1)
    )
    assert every > one == 2


@pytest.mark.parametrize("command", ["compare", "baselines"])
def test_a_run_that_is_not_there(loaded: Cli, command: str) -> None:
    result = loaded(command, "nobody")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nobody" in result.stderr


def test_files_are_compared_without_an_archive(cli: Cli, garden: Path) -> None:
    found = cli("compare", f"runs/{TARGET}.txt", "runs", "--format", "json")
    types = {one["candidate"]: one["primad"] for one in json.loads(found.stdout)["pairs"]}
    assert types["greenhouse-feedback"] == "priMad"
    assert types["shed-bm25"] == "PrIMAd"
    assert not (garden / "primad-archive").exists()


def test_archived_runs_are_candidates_by_tag_or_iri(loaded: Cli) -> None:
    """Also where the archive is the one that is looked for if none is named."""
    rows = json.loads(loaded("compare", TARGET, "--format", "json").stdout)["pairs"]
    iri = next(row["candidate_iri"] for row in rows if row["candidate"] == "shed-bm25")
    for name in ("shed-bm25", iri):
        for archive in (["--archive", "primad-archive"], []):
            found = loaded("compare", TARGET, name, *archive, "-f", "json")
            assert [row["candidate_iri"] for row in json.loads(found.stdout)["pairs"]] == [iri]
    several = loaded("compare", "--all-pairs", TARGET, "shed-bm25", "shed-feedback", "-f", "csv")
    assert len(several.stdout.splitlines()) == 4


def test_a_tag_of_several_runs_is_an_error_that_lists_them(loaded: Cli, garden: Path) -> None:
    text = (garden / "runs" / f"{TARGET}.txt").read_text(encoding="utf-8")
    (garden / "twin.txt").write_text(
        text.replace("team: greenhouse", "team: allotment"), encoding="utf-8"
    )
    assert loaded("load", "twin.txt").exit_code == 0
    refused = loaded("compare", "shed-bm25", TARGET)
    assert refused.exit_code == 2
    assert refused.stderr.count("/id/run/") == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there are no terminals of this kind")
def test_values_do_not_steer_a_terminal(put: Put) -> None:
    """What machines read has them unchanged, but for what somebody looks at."""
    files = [put(f"{name}.yaml", f'tag: "{name}\\e[2J"\nactor: {{team: frogs}}\n') for name in "ab"]
    command = [sys.executable, "-m", "primad_ld", "compare", *map(str, files), "-f", "csv"]
    end, terminal = os.openpty()
    done = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, check=False)
    os.close(terminal)
    shown = os.read(end, 1 << 16).decode()
    os.close(end)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "a\N{REPLACEMENT CHARACTER}[2J,b\N{REPLACEMENT CHARACTER}[2J" in shown
    assert "\x1b" not in shown
