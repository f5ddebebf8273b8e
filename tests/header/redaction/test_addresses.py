"""Addresses of people, of files and of machines are left out, and versions stay."""

from __future__ import annotations

import pytest
from support.private_texts import LOGINS, MAILS, PATHS

from primad_ld.header.redaction import LOCAL_PATH, LOGIN, MAIL, redact_text
from primad_ld.header.redaction.addresses import is_version


@pytest.mark.parametrize(("text", "clean"), MAILS.items())
def test_a_mail_address(text: str, clean: str) -> None:
    assert redact_text(text) == (clean, (MAIL,))


@pytest.mark.parametrize(("text", "clean"), PATHS.items())
def test_a_path(text: str, clean: str) -> None:
    assert redact_text(text) == (clean, (LOCAL_PATH,))


@pytest.mark.parametrize(("text", "clean"), LOGINS.items())
def test_a_login(text: str, clean: str) -> None:
    assert redact_text(text) == (clean, (LOGIN,))


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        ("Lucene ", "", True),
        ("lucene: ", "", True),  # software that is known, also before a colon
        ("elasticsearch: ", "", False),  # which may be where it is
        ("Elasticsearch ", "", True),
        ("Elasticsearch ", ":9200", False),  # a version has no port
        ("x --lucene-version ", "", True),
        ("x --lucene ", "", False),
        ("on ", "", False),
        ("indexed ", "", False),
        ("gpu-01 ", "", False),
        ("", "", False),
    ],
)
def test_the_words_around_four_numbers(before: str, after: str, is_one: bool) -> None:
    assert is_version(before, after) is is_one
