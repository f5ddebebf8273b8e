"""Output is the same for the same input, in each process: no order of a set gets into it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT
from support.command_lines import PRINTING, put_data

#: Commands whose output says nothing of the time, of this machine or of chance.
_COMMANDS = (
    *("annotate", "strip", "show", "convert", "schema", "validate", "profiles", "score"),
    *("evaluate", "measures", "qra", "baselines", "compare", "query", "replication tables"),
    *("replication merge", "nanopub check", "nanopub keys show"),
)
_LINES = (
    *(f"{name} {PRINTING[name]}" for name in _COMMANDS),
    "convert run.txt advanced.txt w03.txt --to trig -j 1",
    "convert run.txt advanced.txt w03.txt --to jsonld -j 1",
    "validate run.txt w03.txt -f turtle -j 1",
    "validate run.txt w03.txt -f json -j 1",
    "evaluate run.txt advanced.txt w03.txt --qrels qrels.txt -f csv",
    "nanopub make run.txt -o made",
)
_SCRIPT = """
import sys
from pathlib import Path
from support.option_cases import run_in
for line in sys.stdin.read().splitlines():
    print(line, run_in(Path(), line.split()))
"""


def outputs(folder: Path, seed: str) -> list[str]:
    """What all commands say and write in a process with a seed of its own for sets."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input="\n".join(_LINES),
        cwd=folder,
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_the_same_bytes_in_another_process(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = tmp_path_factory.mktemp("data")
    put_data(whole)
    found = []
    for seed in ("1", "4711"):
        folder = tmp_path / seed / "data"
        shutil.copytree(whole, folder)
        found.append(outputs(folder, seed))
    assert len(found[0]) == len(_LINES)
    for one, other in zip(*found, strict=True):
        assert "exit_code=2" not in one, one
        assert one == other
