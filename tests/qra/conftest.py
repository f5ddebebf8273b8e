"""Fixtures that several test modules of this room share."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import Put
from support.datasheets import form
from support.reproductions import Shelf

from primad_ld.qra.datasheets import Datasheet, read_datasheet


@pytest.fixture
def sheet(put: Put):
    def make(name: str = "a", content: Any = None, **given: Any) -> Datasheet:
        text = json.dumps(content if content is not None else form(**given), indent=4)
        return read_datasheet(put(f"{name}.json", text))

    return make


@pytest.fixture
def shelf() -> Shelf:
    """An archive that has a run with scores."""
    found = Shelf()
    found.put("original", {"map": 0.3, "P_10": 0.5})
    return found
