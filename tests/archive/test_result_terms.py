"""Numbers and texts of results as terms: short, near, and anything that a file may hold."""

from __future__ import annotations

import re
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.archive.result_terms import decimal_token, is_near, scalar_token, text_token


@pytest.mark.parametrize(
    ("value", "lexical"),
    [
        (0.31, "0.31"),
        (0.0, "0"),
        (-0.0, "0"),  # stores disagree about a zero with a sign
        (1.0, "1"),
        (1 / 3, "0.33333333333333"),  # fifteen digits with the one before the point
        (12345.678901234567, "12345.6789012346"),
        (50_000.0, "50000"),
        (-2 / 3, "-0.66666666666667"),
        (0.1 + 0.2, "0.3"),
        (1e-14, "0.00000000000001"),
        (1e-20, "0"),
        (999_999_999_999_999.0, "999999999999999"),
        (999_999_999_999_999.9, None),  # rounded, it is a digit longer
        (1e15, None),
        (float("inf"), None),
        (float("nan"), None),
    ],
)
def test_decimals(value: float, lexical: str | None) -> None:
    found = decimal_token(value)
    assert found == (lexical and f'"{lexical}"^^<http://www.w3.org/2001/XMLSchema#decimal>')


@given(st.floats(min_value=-1e14, max_value=1e14))
def test_decimals_are_short_and_near(value: float) -> None:
    token = decimal_token(value)
    assert token is not None
    lexical = token.split('"')[1]
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", lexical)
    assert len(re.sub(r"\D", "", lexical)) <= 15
    assert isclose(float(lexical), value, rel_tol=1e-13, abs_tol=5.0001e-15)
    assert is_near(token, value) == (abs(float(lexical) - value) <= 1e-9 * abs(value))


@pytest.mark.parametrize(
    ("value", "token"),
    [
        (True, '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'),
        (0, '"0"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (0.95, '"0.95"^^<http://www.w3.org/2001/XMLSchema#decimal>'),
        (1e-20, '"1e-20"'),  # as a decimal it would be 0
        (10**20, '"100000000000000000000"'),
    ],
)
def test_parameters_keep_their_values(value: float, token: str) -> None:
    assert scalar_token(value) == token


def test_a_text_of_half_characters_can_be_written() -> None:
    assert text_token('q\udc80rels "1"\n') == '"q?rels \\"1\\"\\n"'
