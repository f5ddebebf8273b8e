"""Any text comes back from the forms that others read, and breaks none of them."""

from __future__ import annotations

import csv
import io
import re
from html import unescape

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from support import texts
from support.shown_answers import OneCell

from primad_ld.core.errors import printable
from primad_ld.tables.answers import UNDEFINED, half_up
from primad_ld.tables.writers import separated


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.125, 2, "0.13"),  # not to the even number
        (-0.125, 2, "-0.13"),
        (-0.001, 2, "0.00"),  # nothing has no sign
        (2.0, 0, "2"),
        (1e20, 4, "1e+20"),
        (float("nan"), 2, "nan"),
        (None, 4, UNDEFINED),
    ],
)
def test_a_number(value: float | None, digits: int, text: str) -> None:
    assert half_up(value, digits) == text


@given(texts.filter(str.strip))
def test_a_reader_of_markdown_sees_this_text(text: str) -> None:
    """In one cell of one row, and no HTML."""
    html = MarkdownIt().enable("table").render(OneCell(text).text("markdown"))
    cells = re.findall(r'<t[hd](?: style="[^"]*")?>(.*?)</t[hd]>', html, re.DOTALL)
    plain = printable(text)
    expected = [f"<b>{plain}".strip(), "x", plain.strip(), "-0.5"]
    assert [unescape(cell) for cell in cells] == expected


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a|b & <img src=x>\n</td>", "&lt;"])
def test_no_reader_of_markdown_sees_html(text: str) -> None:
    """Some take a backslash before a bracket for a backslash."""
    assert not re.search(r"[<>]|&(?!amp;|lt;|gt;)", OneCell(text).text("markdown"))


@pytest.mark.parametrize(("delimiter", "dialect"), [(",", "excel"), ("\t", "excel-tab")])
@given(texts)
def test_any_cell_is_read_again(delimiter: str, dialect: str, text: str) -> None:
    rows = [[text, "x"], ["y", text], [text]]
    found = "".join(separated(rows, delimiter))
    assert list(csv.reader(io.StringIO(found, newline=""), dialect)) == rows
