"""Where drafts come from: files of runs, archives, tables of measurements; and one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.drafting.draft_sources import MakeOptions
from primad_ld.nanopub.drafting.outbox import (
    make_nanopubs,
)

# Which source -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "name one source"),
        ({"paths": ["run.txt"], "archive": "a"}, "name one source"),
        ({"paths": ["run.txt"], "tables": ["m.csv"]}, "name one source"),
        ({"tables": ["m.csv"], "assessments": ["a"]}, "name one source"),
        ({"tables": ["m.csv"], "options": MakeOptions(profile="core")}, "profiles judge runs"),
    ],
)
def test_what_would_be_ignored_is_refused(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    """The command refuses its options before; this is for those who call the function."""
    with pytest.raises(PrimadError, match=why):
        make_nanopubs(tmp_path / "np", **given)
    assert list(tmp_path.iterdir()) == []
