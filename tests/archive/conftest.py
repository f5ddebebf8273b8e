"""Fixtures of the tests about archives."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _nobody(nobody: None) -> None:
    """Whoever runs the tests, their credentials and proxies stay out of them."""
