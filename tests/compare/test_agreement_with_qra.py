"""Conditions of measurement of two headers never contradict the type of the pair (D11)."""

from __future__ import annotations

from typing import Any

import pytest
from support import check_conditions
from test_expectations import PAIRS, changed

from primad_ld import compare_headers, parse_header


@pytest.mark.parametrize("pair", [pair for _, pair in PAIRS], ids=[name for name, _ in PAIRS])
def test_conditions_agree_with_the_type(pair: dict[str, Any]) -> None:
    one, other = (parse_header(changed(pair.get(side, {}))) for side in ("one", "other"))
    for first, second in ((one, other), (other, one), (one, one)):
        check_conditions(first, second, compare_headers(first, second).by_key)
