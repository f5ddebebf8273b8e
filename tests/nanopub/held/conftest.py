"""Fixtures of the tests about archives that hold nanopublications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.claimed import Shelved, shelved


@pytest.fixture(autouse=True)
def _nobody(nobody: None) -> None:
    """No credentials in any test of this folder."""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Shelved]:
    """An empty archive that keeps the bytes of nanopublications."""
    with shelved(tmp_path / "kept") as found:
        yield found


@pytest.fixture
def np(tmp_path: Path) -> Path:
    """A folder for nanopublications."""
    folder = tmp_path / "np"
    folder.mkdir()
    return folder
