"""Texts: what must not leave the machine is found, what may is left alone, and nothing is repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import texts
from support.private_texts import DISGUISED, HARMLESS, LOGINS, MAILS, PATHS, SECRETS, SEVERAL, X

from primad_ld.header.redaction import HOST, LOCAL_PATH, LOGIN, MAIL, SECRET, redact_text
from primad_ld.header.redaction.texts import FORMS


@pytest.mark.parametrize(
    ("text", "clean", "kinds"), [(text, *found) for text, found in SEVERAL.items()]
)
def test_a_text(text: str, clean: str, kinds: tuple[str, ...]) -> None:
    assert redact_text(text) == (clean, kinds)


@pytest.mark.parametrize("text", HARMLESS)
def test_a_text_that_everybody_may_see(text: str) -> None:
    assert redact_text(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "keep", "clean"),
    [
        ("ada@example.org", MAIL, "ada@example.org"),
        ("/home/ada/x", LOCAL_PATH, "/home/ada/x"),
        ("https://ada@example.org/x", LOGIN, "https://ada@example.org/x"),
        ("https://ada:pw@example.org/x", LOGIN, "https://ada@example.org/x"),  # not the password
        ("ada@gpu01:x", LOGIN, f"ada@{X}:x"),
        ("ada@gpu01:x", HOST, "gpu01:x"),
        ("ssh ada@gpu01 x", HOST, "ssh gpu01 x"),
        ("ssh ada@gpu01 x", LOGIN, f"ssh ada@{X} x"),
        ("ada@example.org /home/ada/x", MAIL, "ada@example.org x"),  # that kind and no other
        ("x --token abc", SECRET, f"x --token {X}"),  # nobody keeps these
    ],
)
def test_what_is_kept(text: str, keep: str, clean: str) -> None:
    assert redact_text(text, keep=(keep,))[0] == clean


_PIECES = st.sampled_from(
    [
        *(*MAILS, *PATHS, *LOGINS, *SECRETS, *DISGUISED, *SEVERAL, *HARMLESS),
        *("@", "/", "~", ":", "\\", "//", "://", "=", "--", " ", '"', "'", "a", "home", "token"),
        *("password", "[", "]", "%40", ".", "org", "C", "-", "\n", ",", "git@", "eyJ", "$A"),
    ]
)


@given(st.lists(st.one_of(_PIECES, texts), max_size=6).map("".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once, _ = redact_text(text)
    assert redact_text(once) == (once, ())


_SEEDS = (
    "a @ a@ a@a. %40 a%40 eyJ eyJa. sk- -sk- ghp_ :// ://a / /a ~/ ~a/ \\ \\\\a\\ C:\\ C:/Users/a "
    '--token token= a- a_ a. " \' \\" "token password password: authorization bearer -u ?token= '
    "?key= &a_ mysql -p pass=, max_token=, pass=[, auth: cookie:a= session= (at) a(at) a(dot) \\Users\\a -----BEGIN -----BEGINA = $ < [ [removed] file:/ smb://a 1. a@1. 9 -D -Da. $A <a"
).split()


#: What a form begins with, again and again, is all beginnings and no end.
_BEGINNINGS = {form.caught.split("«")[0] or form.caught[1:5] for form in FORMS}


@pytest.mark.parametrize(
    "seed",
    [
        *_SEEDS,
        *sorted(_BEGINNINGS),
        " ",
        "\t",
        "\n",
        " \n",
        "a ",
        "-u a:",
        "C:\\a ",
        "\u200b",
        "a-",
    ],
)
def test_a_long_text_is_no_trap(seed: str) -> None:
    """With a pattern that goes back again and again, this would take until tomorrow."""
    text = seed * (100_000 // len(seed))
    assert len(redact_text(text)[0]) <= 2 * len(text)
