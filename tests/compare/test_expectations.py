"""The type of pairs of headers, as the paper's reader expects it: see expectations.yaml."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from primad_ld import compare_headers, parse_header

EXPECTED = yaml.safe_load((Path(__file__).parent / "expectations.yaml").read_text("utf-8"))


def changed(changes: dict[str, Any]) -> str:
    """The base header with some changes, as YAML."""
    header = copy.deepcopy(EXPECTED["base"])
    for place, value in changes.items():
        *above, last = place.split("/")
        inner = header
        for key in above:
            inner = inner[int(key)] if isinstance(inner, list) else inner.setdefault(key, {})
        if value is None:
            inner.pop(last, None)
        else:
            inner[last] = value
    return yaml.safe_dump(header)


PAIRS = [(pair["name"], pair) for pair in EXPECTED["pairs"]]


@pytest.mark.parametrize("pair", [pair for _, pair in PAIRS], ids=[name for name, _ in PAIRS])
def test_the_type_that_the_paper_gives(pair: dict[str, Any]) -> None:
    one, other = (parse_header(changed(pair.get(side, {}))) for side in ("one", "other"))
    for first, second in ((one, other), (other, one)):
        found = compare_headers(first, second)
        assert found.by_key.letters == pair["type"], pair["why"]
