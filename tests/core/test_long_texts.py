from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.growth import LONG_MARGIN, outgrown

from primad_ld.core import long_texts
from primad_ld.core.long_texts import Form, closest, normalized

FORMS: tuple[Form, ...] = ("NFC", "NFKC", "NFD", "NFKD")
#: Marks of several classes, marks that are made of marks, letters with marks, and what becomes one.
ODD = "\u0301\u0327\u0338\u0344\u0f71\u0f72\u0f73\u0f81\uff9e\u0300a\u00e9\u1e69\u1100\u1161\uac01\ufb01\ufdfa"


@given(st.text(st.sampled_from(ODD) | st.characters(), max_size=300), st.sampled_from(FORMS))
def test_the_same_as_unicodedata(text: str, form: Form):
    assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        "a" + "\u0327\u0301" * 100,  # marks in the order of Unicode, and not
        "a" + "\u0301\u0327" * 100,
        "\u0f71\u0f72" * 50 + "\u0f73" * 50,  # a mark that is made of two
        "\uff76" + "\uff9e\u0301" * 100,  # a letter that becomes a mark
        "\u00e9" * 100 + "\u0327\u0301\u0327" * 40 + "e" + "\u0301" * 90,
        "".join(ODD) * 40,
    ],
)
def test_many_marks(text: str, form: Form):
    assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "piece", ["\u0327\u0301", "\u0f73", "\uff9e\u0301", "\u00e9", "\u1100\u1161"]
)
def test_normal_forms_take_as_long_as_the_text(piece: str, form: Form):
    def work(text: str) -> None:
        normalized(form, text)

    assert outgrown(work, lambda size: piece * size, (500, 2_000, 8_000), LONG_MARGIN)[0] == 0


def test_names_that_are_close():
    assert closest("bm25s", ["bm25", "tf-idf"]) == ["bm25"]
    assert closest("x" * 201, ["x" * 200]) == []
    assert closest("x" * 200, ["x" * 201, "x" * 199 + "y"]) == ["x" * 199 + "y"]


def test_nothing_else_takes_longer():
    """What the standard library does in more time than a text is long is asked for here only."""
    package = Path(long_texts.__file__).parent.parent
    slow = re.compile(r"unicodedata\.normalize\(|from unicodedata import .*normalize|difflib")
    users = {path.name for path in package.rglob("*.py") if slow.search(path.read_text("utf-8"))}
    assert users == {"long_texts.py", "form_matching.py"}  # which goes letter by letter
