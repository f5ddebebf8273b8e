"""Rows of cells, and texts with delimiters that they are read from."""

from __future__ import annotations

import openpyxl
import pytest
from support import Put, problem_of

from primad_ld.qra.reading.cells import letters, read_cells


@pytest.mark.parametrize(("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (16383, "XFD")])
def test_names_of_columns(column: int, name: str):
    assert letters(column) == name == openpyxl.utils.get_column_letter(column + 1)


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("system,o,r\na,1,2\n", ","),
        ("system;o;r\na;1;2\n", ";"),
        ("system\to\tr\na\t1\t2\n", "\t"),
        ("# a remark; and more\n\nsystem,o,r\na,1,2\n", ","),  # remarks tell no delimiter
        ('"system, of us",";o;",r\na,1,2\n', ","),  # nor does what is in quotes
    ],
)
def test_the_delimiter_is_that_of_the_head(put: Put, text: str, delimiter: str):
    found = read_cells(put("t.csv", text))
    assert found.delimiter == delimiter
    (row,) = found.rows
    assert list(row.cells) == ["a", "1", "2"]


def test_rows_have_their_lines_and_no_blanks_around_cells(put: Put):
    found = read_cells(put("t.csv", '# a remark\nsystem,o\n\n  a , 1 \n"b\nc",2,,\nd,3\n'))
    assert (found.head.line, list(found.head.cells)) == (2, ["system", "o"])
    assert [(row.line, list(row.cells)) for row in found.rows] == [
        (4, ["a", "1"]),
        (5, ["b\nc", "2"]),
        (7, ["d", "3"]),
    ]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "", "t.csv: the table is empty; its first row names the columns"),
        ("t.csv", "a,b\n1\n", "t.csv:2: this row has 1 cells, and the head has 2; complete the row"),
        ("t.csv", "a,b\n1,2,3\n", "t.csv:2: this row has 3 cells, and the head has 2; put texts with"),
        ("t.csv", 'a,b\n1,"2\n', "t.csv:2: this row cannot be read: unexpected end of data; look at"),
        ("t.csv#x", "a,b\n", "t.csv: there is no sheet 'x', for this is no workbook; name the file"),
    ],
)  # fmt: skip
def test_texts_that_cannot_be_read(put: Put, name: str, text: str, message: str):
    folder = put("t.csv", text).parent
    error = problem_of(lambda: list(read_cells(folder / name).rows))
    assert message in str(error)


def test_columns_are_found_by_their_names(put: Put):
    found = read_cells(put("t.csv", "System,Score (mean),Note,note\n"))
    assert found.column("system", "--object") == 0
    assert found.find_any(("result", "score")) == 1
    assert found.find_any(("score",), taken=(1,)) is None
    assert found.find("note") == 3  # the same case goes first
    error = problem_of(lambda: found.column("sytem", "--object"))
    assert "there is no column 'sytem' for --object; did you mean System? the columns are" in str(
        error
    )
    assert "there are 2 columns 'NOTE'" in str(problem_of(lambda: found.find("NOTE")))
