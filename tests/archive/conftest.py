"""Fixtures of the tests about archives."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Put
from support.loads import long_ago, run_text

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.loaded_files import Ledger


@pytest.fixture(autouse=True)
def _nobody(nobody: None) -> None:
    """Whoever runs the tests, their credentials and proxies stay out of them."""


@pytest.fixture
def folder(put: Put, tmp_path: Path) -> Path:
    """Three runs, of which no file is new."""
    for number in range(3):
        long_ago(put(f"runs/r{number}.txt", run_text(f"r{number}", n=number)))
    return tmp_path / "runs"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger of no files."""
    return Ledger(tmp_path / "ledger.sqlite")


@pytest.fixture
def memory() -> EmbeddedEngine:
    """An empty archive in memory."""
    return EmbeddedEngine.memory()
