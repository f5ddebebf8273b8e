"""Fixtures of the archive: nobody's credentials are used."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _nobody(no_credentials: None) -> None:
    """No credentials in any test of this folder."""
