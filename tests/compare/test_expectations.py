"""The type of pairs of headers, as the paper's reader expects it: see expectations.yaml."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from compared import EXPECTED, changed

from primad_ld import compare_headers, parse_header

PAIRS = [(pair["name"], pair) for pair in EXPECTED["pairs"]]


def test_each_pair_has_a_name_of_its_own() -> None:
    assert len({name for name, _ in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize("pair", [pair for _, pair in PAIRS], ids=[name for name, _ in PAIRS])
def test_the_type_that_the_paper_gives(pair: dict[str, Any]) -> None:
    one, other = (
        parse_header(yaml.safe_dump(changed(pair.get(side, {})))) for side in ("one", "other")
    )
    for first, second in ((one, other), (other, one)):
        found = compare_headers(first, second)
        assert found.by_key.letters == pair["type"], pair["why"]
