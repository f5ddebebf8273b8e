"""Fixtures of the tests about archives that hold nanopublications."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _nobody(no_credentials: None) -> None:
    """No credentials in any test of this folder."""
