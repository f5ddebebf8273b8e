"""Ratings from tables: a row for each item and rater."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from support import Put, problem_of

from primad_ld.qra.reading.ratings import RatingColumns, Ratings, read_ratings

LONG = """\
Item,Annotator,Rating,System,Criterion,Study
1,a,5,GT,Readability,original
1,b,four,GT,Readability,original
2,a,,GT,Readability,original
1,a,3,PAQ,Readability,original
1,a,5,GT,Relevance,original
1,a,5,GT,Readability,repro
"""


def labels_of(found: Ratings) -> list[tuple[str, str, str, str, str, str]]:
    return [
        (one.item, one.rater, one.label, one.object, one.criterion, one.study)
        for one in found.ratings
    ]


def test_a_row_for_each_rating(put: Put):
    path = put("r.csv", LONG)
    found = read_ratings(path)
    assert labels_of(found) == [
        ("1", "a", "5", "GT", "Readability", "original"),
        ("1", "b", "four", "GT", "Readability", "original"),
        ("1", "a", "3", "PAQ", "Readability", "original"),
        ("1", "a", "5", "GT", "Relevance", "original"),
        ("1", "a", "5", "GT", "Readability", "repro"),
    ]
    assert [one.line for one in found.ratings] == [2, 3, 5, 6, 7]
    assert {one.file for one in found.ratings} == {str(path)}
    assert found.notes == (f"{path}: 1 rating has no label",)


def test_named_columns(put: Put):
    text = "who;what;said;about;in;of\na;1;x;c;s;o\n"
    columns = RatingColumns(
        item="what", rater="who", label="said", criterion="about", study="in", group="of"
    )
    (one,) = read_ratings(put("r.csv", text), columns).ratings
    assert (one.item, one.rater, one.label) == ("1", "a", "x")
    assert (one.criterion, one.study, one.group, one.object) == ("c", "s", "o", "")


@pytest.mark.parametrize("label", ["0", "+", "none", "four", "5/7"])
def test_labels_that_are_no_numbers_are_labels(put: Put, label: str):
    (one,) = read_ratings(put("r.csv", f"item,rater,label\n1,a,{label}\n")).ratings
    assert one.label == label


@pytest.mark.parametrize("label", ["?", "n/a", "N/A", "unknown", "-", "NA", "–", "—"])
def test_what_is_no_score_is_no_label(put: Put, label: str):
    path = put("r.csv", f"item,rater,label\n1,a,{label}\n1,b,x\n2,a,\n2,b,{label}\n")
    found = read_ratings(path)
    assert [one.label for one in found.ratings] == ["x"]
    assert found.notes == (
        f"{path}: 3 ratings have no label ('{label}': write it otherwise if it is one)",
    )


def test_blanks_that_nobody_sees(put: Put):
    text = "item,rater,label\n1,a,very\u00a0good\u00a0\n1,b\u200b,very  good\n2,b,\u00a0\n"
    path = put("r.csv", text)
    found = read_ratings(path)
    assert [(one.rater, one.label) for one in found.ratings] == [
        ("a", "very good"),
        ("b", "very good"),
    ]
    assert found.notes == (f"{path}: 1 rating has no label",)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("1,a,Good\n1,b,good\n", ["'Good' and 'good' are two labels; if they are one, write "]),
        (
            "1,Ann Lee,x\n1,ann lee,x\n1,AnnLee,x\n",
            ["'Ann Lee' and 'ann lee' are two raters; ", "'Ann Lee' and 'AnnLee' are two raters; "],
        ),
        ("Doc 1,a,x\ndoc 1,a,x\n", ["'Doc 1' and 'doc 1' are two items; "]),
        (
            '1,a,"1,5"\n1,b,"2,0"\n',
            ["2 labels are read as text, because of a comma ('1,5', '2,0'); write numbers"],
        ),
        ('1,a,"1,5"\n', ["1 label is read as text, because of a comma ('1,5'); write numbers"]),
        (
            "".join(f"1,{name}{n},x\n" for name in "rR" for n in range(8)),
            [*(f"'r{n}' and 'R{n}' are two raters" for n in range(5)), "3 more names look alike"],
        ),
        ("1,a,1\n1,b,1.0\n2,a,one\n2,b,two\n", []),
    ],
)
def test_what_may_not_be_meant_so_is_noted(put: Put, text: str, notes: list[str]):
    path = put("r.csv", f"item,rater,label\n{text}")
    found = read_ratings(path).notes
    assert len(found) == len(notes)
    for one, note in zip(found, notes, strict=True):
        assert one.startswith(f"{path}: {note}")


def test_columns_that_nothing_reads_are_listed(put: Put):
    path = put("r.csv", "item,rater,label,aspect,comment\n1,a,x,Fluency,\n1,b,x,Adequacy,odd\n")
    assert read_ratings(path).notes == (f"{path}: not used: aspect, comment",)
    columns = RatingColumns(criterion="aspect")
    assert read_ratings(path, columns).notes == (f"{path}: not used: comment",)


def test_one_criterion_for_all(put: Put):
    path = put("r.csv", "item,rater,label\n1,a,x\n")
    (one,) = read_ratings(path, RatingColumns(criterion="Fluency")).ratings
    assert one.criterion == "Fluency"
    assert read_ratings(path).ratings[0].criterion == ""


def test_a_workbook(tmp_path: Path):
    book = openpyxl.Workbook()
    for row in (["Item", "Rater", "Label"], [1, "a", 5], [None, "b", 4], [2, "a", 3.5]):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    book.save(tmp_path / "r.xlsx")
    found = read_ratings(tmp_path / "r.xlsx")
    assert [(one.item, one.rater, one.label) for one in found.ratings] == [
        ("1", "a", "5"),
        ("1", "b", "4"),
        ("2", "a", "3.5"),
    ]


@pytest.mark.parametrize(
    ("text", "columns", "line", "field", "why"),
    [
        ("item,rater,label\n1,a,x\n2,a,x\n1,a,y\n", {}, 4, "column rater", "a has rated 1 already, in line 2"),
        # the same label twice says no more
        ("item,rater,label\n1,a,x\n1,a,x\n", {}, 3, "column rater", "a has rated 1 already, in line 2"),
        ("item,rater,label,label\n1,a,x,y\n", {}, 1, "", "there are 2 columns 'label'"),
        ("item,rater,rating,label\n1,a,x,y\n", {}, 1, "", "label and rating could both be the rating"),
        # a head of two rows
        (",,Fluency,Adequacy\nitem,rater,label,label\n1,a,x,y\n", {}, 1, "", "no column says the item of"),
        ("item,annotation\n1,x\n", {}, 1, "", "no column says the rater of a rating"),
        ("item,rater,label\n1,a,x\n", {"rater": "ratr"}, 1, "", "there is no column 'ratr' for --rater"),
        ("item,rater,label\n1,a,x\n", {"label": "y"}, 1, "", "there is no column 'y' for --rating"),
        ("item,rater,label,criterion\n1,a,x,c\n", {"criterion": "F"}, 1, "", "column 'F' for --measurand"),
        ("item,rater,label\n,a,x\n", {}, 2, "column item", "there is a label in this row and no item"),
        ("item,rater,label\n1,,x\n", {}, 2, "column rater", "there is a label in this row and no rater"),
        ("item,rater,label\n", {}, 1, "", "there are no ratings in this table"),
        ("item,rater,label\n1,a,\n", {}, 1, "", "there are no ratings in this table"),
        ("", {}, None, "", "the table is empty"),
    ],
)  # fmt: skip
def test_what_is_wrong(
    put: Put, text: str, columns: dict[str, Any], line: int | None, field: str, why: str
):
    path = put("r.csv", text)
    error = problem_of(lambda: read_ratings(path, RatingColumns(**columns)))
    assert error is not None
    assert (error.line, error.field) == (line, field)
    assert why in error.why
