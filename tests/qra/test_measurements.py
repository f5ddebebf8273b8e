"""Measurements: the names of their conditions, the order of these, and the values of texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from primad_ld.core.errors import HeaderError
from primad_ld.qra.measurements import (
    CONDITIONS,
    Measurement,
    condition_key,
    is_missing,
    parse_value,
    with_conditions,
)

# Names of conditions ----------------------------------------------------------------------


@pytest.mark.parametrize("key", CONDITIONS)
def test_conditions_are_known_by_their_names(key: str) -> None:
    one = CONDITIONS[key]
    for name in (key, one.label, one.label.upper(), f" {key} ", *one.aliases):
        assert condition_key(name) == key


def test_other_conditions_are_called_as_they_are() -> None:
    assert condition_key(" Random seed ") == "Random seed"


# Values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("84.51", 84.51),
        (" 91% ", 91),
        ("96.75 %", 96.75),
        ("-0.3", -0.3),
        ("1e-3", 0.001),
        ("0", 0),
    ],
)
def test_values_are_read(text: str, value: float) -> None:
    assert parse_value(text) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("84,51", "write a point: 84.51"),
        ("good", "write a number such as 84.51"),
        ("", "write a number"),
        ("nan", "leave out what was not measured"),
        ("inf", "leave out what was not measured"),
        ("1_000", "write a number"),
        ("٣", "write a number"),
        ("0x1f", "write a number"),
    ],
)
def test_what_is_no_number_is_refused(text: str, why: str) -> None:
    with pytest.raises(HeaderError, match="is not a number") as error:
        parse_value(text)
    assert why in str(error.value)


@pytest.mark.parametrize("text", ["", "?", "unknown", "N/A", "na", "-", "–", "—", "--", "---"])
def test_texts_that_stand_for_no_value(text: str) -> None:
    assert is_missing(text)
    assert not is_missing(f"{text}0")


# Tables -----------------------------------------------------------------------------------


def test_conditions_of_a_table_are_in_the_order_of_the_paper() -> None:
    one = Measurement(
        object="a", measurand="b", value=1, conditions={"seed": "1", "procedure": "p"}
    )
    other = replace(one, conditions={"system_code": "x"})
    found = with_conditions([one, other], {"seed": "Random seed", "procedure": ""})
    assert list(found.conditions.items()) == [
        ("system_code", "System code"),
        ("procedure", "Procedure"),
        ("seed", "Random seed"),
    ]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"id": "one", "study": "us"}, "one"),
        ({"study": "us"}, "PASS, Clarity by us"),
        ({}, "PASS, Clarity"),
    ],
)
def test_errors_name_the_measurement(said: dict[str, str], name: str) -> None:
    one = Measurement(object="PASS", measurand="Clarity", value=1, file="m.yaml", line=3, **said)
    assert str(one.error("why", "what to do")) == f"m.yaml:3: {name}: why; what to do"
