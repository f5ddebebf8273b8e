"""Tables of results: numbers as papers print them, and cells that break no table."""

from __future__ import annotations

import csv
import io
import re
from html import unescape

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from support import texts

from primad_ld.tables.markup import UNDEFINED, Grid, as_latex, as_markdown, half_up, separated


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.125, 2, "0.13"),  # not to the even number
        (-0.125, 2, "-0.13"),
        (-0.001, 2, "0.00"),  # nothing has no sign
        (2.0, 0, "2"),
        (1e20, 4, "1e+20"),
        (None, 4, UNDEFINED),
    ],
)
def test_a_number(value: float | None, digits: int, text: str) -> None:
    assert half_up(value, digits) == text


def test_markdown() -> None:
    grid = Grid(title="t_1", columns=("run", "map"), rows=(("a|b", "-0.5"),), remarks=("r*",))
    assert as_markdown([grid]) == (
        "**t\\_1**\n\n| run | map |\n| --- | --: |\n| a\\|b | -0.5 |\n\n- r\\*\n"
    )


@given(texts)
def test_markdown_holds_no_html(text: str) -> None:
    """What a reader of Markdown makes of any text is this text, in one cell of one row."""
    grid = Grid(title=text, columns=(f"<b>{text}", "x"), rows=((text, "1"),), remarks=(text,))
    html = MarkdownIt().enable("table").render(as_markdown([grid]))
    cells = re.findall(r'<t[hd](?: style="[^"]*")?>(.*?)</t[hd]>', html, re.DOTALL)
    plain = "".join(char if char.isprintable() else " " for char in text)
    expected = [f"<b>{plain}".strip(), "x", plain.strip(), "1"]
    assert [unescape(cell) for cell in cells] == expected


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "a|b & <img src=x>\n</td>", "&lt;"])
def test_no_reader_of_markdown_sees_html(text: str) -> None:
    """Some take a backslash before a bracket for a backslash."""
    made = as_markdown([Grid(title=text, columns=(text,), rows=((text,),), remarks=(text,))])
    assert not re.search(r"[<>]|&(?!amp;|lt;|gt;)", made)


def test_latex_escapes_and_signs() -> None:
    grid = Grid(title="", columns=("run", "α"), rows=(("--k1 50%_x", "-0.5"),))
    tex = as_latex([grid])
    assert r"-{}-k1 50\%\_x & $-$0.5 \\" in tex
    assert r"run & $\alpha$ \\" in tex
    assert r"\caption" not in tex  # there is no title


@pytest.mark.parametrize("cell", ["[x]", "*x", "::error::x"])
def test_no_row_begins_with_an_option_or_a_command(cell: str) -> None:
    grid = Grid(title="t", columns=("run",), rows=((cell,),))
    assert f"    {{{cell[0]}}}{cell[1:]} \\\\" in as_latex([grid]).splitlines()


def test_long_texts_are_broken_into_lines() -> None:
    grid = Grid(title="", columns=("run", "note", "map"), texts=2, rows=(("a", "x" * 61, "1"),))
    assert r"\begin{tabular}{lp{0.6\linewidth}r}" in as_latex([grid])


def test_grids_stand_below_each_other() -> None:
    one = Grid(title="a", columns=("x",), rows=())
    assert as_markdown([one, one]) == f"{as_markdown([one])}\n{as_markdown([one])}"
    assert as_markdown([]) == as_latex([]) == ""


@pytest.mark.parametrize(
    ("rows", "delimiter", "text"),
    [
        ([("a", 1), ("b,c", 2.5)], ",", 'a,1\n"b,c",2.5\n'),
        ([("a\tb", "c")], "\t", '"a\tb"\tc\n'),
        ([("a\nb", 'c"d')], ",", '"a\nb","c""d"\n'),
        # As the dialect excel-tab has it, or readers would look for another quote.
        ([('"a', "b\nc")], "\t", '"""a"\t"b\nc"\n'),
        ([], ",", ""),
    ],
)
def test_separated_values(rows: list[tuple[object, ...]], delimiter: str, text: str) -> None:
    assert separated(rows, delimiter) == text


@pytest.mark.parametrize(("delimiter", "dialect"), [(",", "excel"), ("\t", "excel-tab")])
@given(texts)
def test_any_cell_is_read_again(delimiter: str, dialect: str, text: str) -> None:
    found = separated([(text, "x"), ("y", text), (text,)], delimiter)
    rows = [[text, "x"], ["y", text], [text]]
    assert list(csv.reader(io.StringIO(found, newline=""), dialect)) == rows
