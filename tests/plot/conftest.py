"""A fixture that draws figures by the commands of ``plot``."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.plotted import Draw, draw_here


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """Runs a command of ``plot`` in the test's folder. No command ends with a traceback."""
    monkeypatch.chdir(tmp_path)
    return draw_here()
