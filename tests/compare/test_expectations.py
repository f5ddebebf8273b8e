"""The type of pairs of headers, as the paper's reader expects it: see expectations.yaml."""

from __future__ import annotations

from typing import Any

import pytest
from support.compared import EXPECTED, PAIRS, compare_headers, header_with


def test_each_pair_has_a_name_of_its_own() -> None:
    assert len(PAIRS) == len(EXPECTED["pairs"])


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_type_that_the_paper_gives(pair: dict[str, Any]) -> None:
    one, other = (header_with(pair.get(side, {})) for side in ("one", "other"))
    for first, second in ((one, other), (other, one)):
        found = compare_headers(first, second)
        assert found.by_key.letters == pair["type"], pair["why"]
