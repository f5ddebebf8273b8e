"""Fixtures of the tests about drafts: all that an archive with results becomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from primad_ld.archive.opening import open_engine
from primad_ld.nanopub.drafting.archive_holdings import ArchiveDrafts
from primad_ld.nanopub.drafting.run_drafts import Drafted


@pytest.fixture(scope="module")
def results(garden: Path) -> dict[str, list[Drafted]]:
    """The drafts of an archive by their kinds."""
    found: dict[str, list[Drafted]] = {}
    with open_engine(str(garden)) as engine:
        for one in ArchiveDrafts(engine).of_everything():
            found.setdefault(one.draft.kind, []).append(one)
    return found
