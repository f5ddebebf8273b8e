"""A fixture of the tests of commands: the example runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.trials import copy_garden


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """The example runs and their judgements in the folder in which commands run."""
    return copy_garden(tmp_path)
