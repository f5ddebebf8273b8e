"""Fixtures of the tests of commands: figures, and the example runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.plotted import Draw, draw_here
from support.trials import copy_garden


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Runs a command of ``plot`` in the test's folder. No command ends with a traceback."""
    monkeypatch.chdir(tmp_path)
    return draw_here()


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """The example runs and their judgements in the folder in which commands run."""
    return copy_garden(tmp_path)
