"""Rows of cells, and texts with delimiters that they are read from."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from support import COMPRESS, Put, problem_of

from primad_ld.qra.reading import cells
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
        ('system;o;"r, s, t, u"\na;1;2\n', ";"),
        ("#,o,r\na,1,2\n", ","),  # no remark but a head
        ("\n\nsystem,o,r,,\r\na,1,2,,\r\n", ","),  # columns without anything
    ],
)
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz", "run#2.csv"])
def test_the_delimiter_is_that_of_the_head(put: Put, text: str, delimiter: str, name: str):
    for data in (text.encode(), b"\xef\xbb\xbf" + text.encode()):
        found = read_cells(put(name, data))
        assert found.delimiter == delimiter
        (row,) = found.rows
        assert list(row.cells) == ["a", "1", "2"]


@pytest.mark.parametrize("suffix", sorted(COMPRESS))
def test_compressed_tables(put: Put, suffix: str):
    assert len(list(read_cells(put(f"t.csv{suffix}", "a,b\n1,2\n")).rows)) == 1


def test_rows_have_their_lines_and_no_blanks_around_cells(put: Put):
    found = read_cells(put("t.csv", '# a remark\nsystem,o\n\n  a , 1 \n"b\nc",2,,\nd,3\n'))
    assert (found.head.line, list(found.head.cells)) == (2, ["system", "o"])
    assert [(row.line, list(row.cells)) for row in found.rows] == [
        (4, ["a", "1"]),
        (5, ["b\nc", "2"]),
        (7, ["d", "3"]),
    ]


@pytest.mark.parametrize(
    ("name", "text", "line", "why"),
    [
        ("t.csv", "", None, "the table is empty"),
        ("t.csv", "\n \n,\n", None, "the table is empty"),
        ("t.csv", "a,b\n1\n", 2, "this row has 1 cells, and the head has 2"),
        ("t.csv", "a,b\n1,2,3\n", 2, "this row has 3 cells, and the head has 2"),
        ("t.csv", 'a,b\n1,"2\n', 2, "this row cannot be read: unexpected end of data"),
        ("t.csv#x", "a,b\n", None, "there is no sheet 'x', as this is not a workbook"),
        ("t.csv", b"a,b\na,\xff\n", 2, "the byte 0xff is not UTF-8"),
        ("t.csv", "a,b\na,1\n".encode("utf-16"), 1, "this file is UTF-16"),
        ("t.csv", b"a,b\na,1\0\n", 2, "not a text file: this line contains a zero byte"),
        ("t.csv", b"a,b\na," + b"1" * 2**21 + b"\n", 2, "this row cannot be read"),
        ("t.csv", b"x," * 20_000 + b"y\n", 1, "more than 16384 columns"),
    ],
)  # fmt: skip
def test_texts_that_cannot_be_read(
    put: Put, name: str, text: str | bytes, line: int | None, why: str
):
    folder = put("t.csv", text).parent
    error = problem_of(lambda: list(read_cells(folder / name).rows))
    assert error is not None
    assert error.line == line
    assert error.why.startswith(why)


def test_limits(put: Put, monkeypatch: pytest.MonkeyPatch):
    path = put("t.csv", "a,b\n1,2\n3,4\n")
    for name, fits in (("_MOST_CHARACTERS", 12), ("_MOST_CELLS", 6)):
        with monkeypatch.context() as patched:
            patched.setattr(cells, name, fits)
            assert len(list(read_cells(path).rows)) == 2
            patched.setattr(cells, name, fits - 1)
            assert problem_of(lambda: list(read_cells(path).rows)) is not None


def test_folders_and_files_that_are_not_there(tmp_path: Path):
    (tmp_path / "t.csv").mkdir()
    for name, why in (("t.csv", "is a directory"), ("no.csv", "no such file or directory")):
        error = problem_of(lambda name=name: read_cells(tmp_path / name))  # type: ignore[misc]
        assert error is not None
        assert error.why == why


def test_columns_are_found_by_their_names(put: Put):
    found = read_cells(put("t.csv", "System,Score (mean),Note,note,Result\n"))
    assert found.column("system", "--object") == 0
    assert found.find_usual(("result", "score"), ()) == 4
    assert found.find_usual(("score", "result"), ()) == 1
    assert found.find_usual(("score",), taken=(1,)) is None
    assert found.find("note") == 3  # the same case goes first
    error = problem_of(lambda: found.column("sytem", "--object"))
    assert "there is no column 'sytem' for --object; did you mean System? the columns are" in str(
        error
    )
    assert "there are 2 columns 'NOTE'" in str(problem_of(lambda: found.find("NOTE")))
    error = problem_of(lambda: found.find_usual(("result", "score"), (), "--value"))
    assert "Result and Score (mean) could both be the value; name one with --value" in str(error)
    assert found.find_usual(("result", "score"), (1,), "--value") == 4
