"""Formats by the names that they usually have."""

from __future__ import annotations

import pytest

from primad_ld.core.errors import PrimadError
from primad_ld.core.format_names import to_format


@pytest.mark.parametrize(
    ("given", "name"),
    [("nq", "nq"), (" .NQ ", "nq"), ("N-Quads", "nq"), ("application/ld+json", "jsonld")],
)
def test_a_format_by_its_names(given: str, name: str) -> None:
    assert to_format(given, ["nq", "jsonld"]) == name


@pytest.mark.parametrize("given", ["", ".", "turtle", "x"])
def test_a_format_that_is_not_there(given: str) -> None:
    with pytest.raises(PrimadError, match=r"unknown format .*; choose from nq, jsonld"):
        to_format(given, ["nq", "jsonld"])
