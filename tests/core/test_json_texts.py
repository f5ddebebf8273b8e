"""JSON of others: what cannot be worked with is an error that says why, at any depth and length."""

from __future__ import annotations

import json

import pytest

from primad_ld.core.json_texts import DEEPEST, read_json


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2.5, null, true, "\\ud83d\\ude00 \\\\ud800"]}',  # a pair, and a backslash
        "9" * 4000,
        "1e999999999",
        "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
        '{"a": ' * DEEPEST + "{}" + "}" * DEEPEST,
        json.dumps([[[]] * 1000] * 100),  # wide is not deep
    ],
)
def test_what_is_read(text: str):
    assert read_json(text) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *(
            (left * depth + "1" + right * depth, "nested deeper than 32 levels")
            # Beyond what the code that copies, writes or parses values can follow.
            for depth in (DEEPEST + 1, 400, 990, 20_000, 1_000_000)
            for left, right in (("[", "]"), ('{"a":', "}"))
        ),
        ('"\\ud800"', "unpaired surrogate"),
        ('{"\\uDFFF": 1}', "unpaired surrogate"),
        ('["\\ude00\\ud83d"]', "unpaired surrogate"),  # the wrong way round
        ("-" + "9" * 5000, "4300 digits"),
        ("{", "Expecting property name"),
        ("[" * 5000, "nested deeper than 32 levels|Expecting value"),
    ],
)
def test_what_is_not_read(text: str, why: str):
    with pytest.raises(ValueError, match=why):
        read_json(text)
