"""Names that tell of secrets, and names of our field that look like them."""

from __future__ import annotations

import pytest

from primad_ld.header.redaction.telling_names import NAMED, is_secret, is_sure, named_value


@pytest.mark.parametrize(
    "name",
    [
        *("password", "dbPassword", "HF_TOKEN", "api-key", "client secret", "KAGGLE_KEY", "pwd2"),
        "of a service " * 1000 + "password",  # the end of a name says what it is
    ],
)
def test_a_secret_whatever_its_value(name: str) -> None:
    assert is_sure(name)
    assert is_secret(name, "correct horse")
    assert not is_secret(name, "${TOKEN}")  # a place that is filled in elsewhere


@pytest.mark.parametrize(
    "name", ["", "token", "pass", "key", "password " * 20 + "file", "tokenizer"]
)
def test_a_name_that_is_not_sure(name: str) -> None:
    assert not is_sure(name)


@pytest.mark.parametrize(
    ("name", "value", "is_one"),
    [
        ("token", "q7abcdef", True),
        ("token", "512", False),  # a number of them
        ("token", "wordpiece", False),
        ("auth", "kerberos", False),
        ("first pass", "q7abcdef", False),  # a stage of a pipeline
        ("pad_token", "q7abcdef", False),
        ("token type", "q7abcdef", False),  # about it, and not it
        ("password file", "q7abcdef", False),
        ("pass", "the first of two", False),  # prose
    ],
)
def test_a_secret_if_it_looks_like_one(name: str, value: str, is_one: bool) -> None:
    assert is_secret(name, value) is is_one


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x --token q7abc --k1 0.9", "q7abc"),
        ("password: correct horse\nk: 1", "correct horse"),  # to the end of the line
        ('{"password": "a b", "k": 1}', "a b"),
        ("x --max-tokens 512", None),
        ("x --password --k1 0.9", None),  # the next option
    ],
)
def test_where_a_named_value_stands(text: str, value: str | None) -> None:
    match = NAMED.search(text)
    place = named_value(match) if match else None
    assert (text[slice(*place)] if place else None) == value
