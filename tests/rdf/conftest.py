"""Fixtures of the tests of conversions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import GOOD, Put
from support.conversions import run_text


@pytest.fixture
def archive(put: Put, tmp_path: Path) -> Path:
    """A small archive of every layout: headers inside, beside and above runs, and a bad file."""
    put("runs/a.txt", run_text("a"))
    put("runs/b.txt.gz", run_text("bb"))
    put("runs/sub/c.txt", "1 Q0 d1 1 0.5 ccc\n")
    put("runs/sub/c.yaml", "tag: ccc\nactor: {team: voles}\nplatform: {hardware: {ram: 8 GB}}\n")
    put("runs/lab/ir-metadata.yml", "tag: dddd\nplatform: {hardware: {ram: 9 GB}}\n")
    put("runs/lab/short/run.txt", "1 Q0 d1 1 0.5 x\n")
    put("runs/lab/long/run.txt", "1 Q0 d1 1 0.6 x\n")
    put("runs/alone.yaml", GOOD)
    put("runs/README.md", "Not a run.\n")
    return tmp_path / "runs"
