"""Forms: each has an example that it finds, and a near miss; look-alikes hide nothing."""

from __future__ import annotations

import re

import pytest
from support.private_texts import DISGUISED

from primad_ld.header.redaction import KINDS, SECRET, redact_text
from primad_ld.header.redaction.form_matching import Form, plain_letters
from primad_ld.header.redaction.texts import FORMS


def test_a_form_has_one_name() -> None:
    assert len({form.name for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_form(form: Form) -> None:
    """What its example shows is left out, by this form and not by chance; the near miss stays."""
    keep = {kind for kind in KINDS.values() if kind != form.kind}
    text, private = re.sub("[«»]", "", form.caught), re.findall("«(.*?)»", form.caught, re.DOTALL)
    clean = re.sub("«(.*?)»", lambda one: form.replacement(one[1]), form.caught, flags=re.DOTALL)
    assert [text[start:end] for start, end, _ in form.places(text)] == private != []
    assert redact_text(text, keep=keep) == (clean, (form.kind,))
    assert redact_text(form.kept, keep=keep) == (form.kept, ())


# Plain letters ----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "clean"), DISGUISED.items())
def test_a_disguise(text: str, clean: str) -> None:
    assert redact_text(text) == (clean, (SECRET,))


@pytest.mark.parametrize(
    ("text", "plain", "places"),
    [
        ("ab", "ab", [0, 1]),
        ("a\u200bb", "ab", [0, 2]),  # a space without width
        ("\u0430", "a", [0]),  # a Cyrillic letter
        ("x\ufb03y", "xffiy", [0, 1, 1, 1, 2]),  # one sign, and three letters
        ("\u3164", "", []),  # a letter to Unicode, and nothing to see
    ],
)
def test_letters_and_their_places(text: str, plain: str, places: list[int]) -> None:
    found, where = plain_letters(text)
    assert (found, list(where)) == (plain, places)
