"""Measurements from tables: rows, numbers, and what is wrong with a cell."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Put, problem_of
from support.tabled import COLUMNS, measurements, notes_of, refused, rows_of, same, table_rows

from primad_ld.qra.measurements import Measurement
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.qra.reading.measurements_yaml import dump_measurements

LONG = """\
Paper,System,Criterion,Result,Evaluators,Seed
van der Lee,PASS,Clarity,5.64,theirs,1
Mille,PASS,Clarity,6.30,ours,2
"""
WIDE = """\
system,original,repro 1,repro 1,repro 2
condition random seed,1,2,3,n/a
mult-base,0.428,0.493,0.426,0.574
mult-word,0.5,–,0.426,
"""


def test_columns_by_their_usual_names(put: Put):
    table = read_table(put("t.csv", LONG))
    one, other = table.measurements
    assert rows_of(table) == [
        ("PASS", "Clarity", "van der Lee", "5.64"),
        ("PASS", "Clarity", "Mille", "6.30"),
    ]
    assert (one.value, one.line, other.line) == (5.64, 2, 3)
    assert one.file.endswith("t.csv")
    assert dict(one.said) == {"Evaluators": "theirs", "Seed": "1"}
    assert not one.is_original
    assert not one.scale.is_stated
    assert table.conditions == {}
    assert notes_of(table) == [
        "2 values of 1 object, 1 measurand, 2 studies",
        "not used: Evaluators, Seed (--where can choose by them)",
    ]


@pytest.mark.parametrize("original", ["van der Lee", "VAN DER LEE", "van"])
def test_the_command_of_the_documentation(put: Put, original: str):
    columns = Columns(
        object="System",
        measurand="Criterion",
        value="Result",
        study="Paper",
        conditions={"implementation": "Evaluators", "random seed": "Seed"},
        scale_min=1.0,
        scale_max=7.0,
        original=original,
        lower_is_better=True,
    )
    table = read_table(put("t.csv", LONG), columns)
    one, other = table.measurements
    assert (one.is_original, other.is_original) == (True, False)
    assert dict(one.conditions) == {"implementation": "theirs", "random seed": "1"}
    assert one.said == {}
    assert dict(table.conditions) == {
        "implementation": "Implementation",
        "random seed": "random seed",
    }
    scale = one.scale
    assert (scale.minimum, scale.maximum) == (1.0, 7.0)
    assert scale.is_stated
    assert scale.is_lower_better


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("object,measurand,value,study", "PASS,Clarity,5,a"),
        ("SYSTEM,METRIC,SCORE,PAPER", "PASS,Clarity,5,a"),
        ('" object ",measurand,value,study', " PASS ,Clarity, 5 ,a"),
        ('"object";"measurand";"value";"study"', '"PASS";"Clarity";"5";"a"'),
        ("study\tvalue\tmeasurand\tobject", "a\t5\tClarity\tPASS"),
    ],
)
def test_heads(put: Put, head: str, row: str):
    table = read_table(put("t.csv", f"{head}\n{row}\n"))
    assert rows_of(table) == [("PASS", "Clarity", "a", "5")]


def test_conditions_by_the_heads_that_the_paper_prints(put: Put):
    heads = "Code by,Comp./trained by,Method,Implem. by,Procedure,Test set,Performed by"
    text = f"Object,Measurand,{heads},Value\nNTS,BLEU,a,b,bleu,?,,unknown,N/A,84.51\n"
    table = read_table(put("t.csv", text))
    assert len(table.conditions) == 7
    # What nobody knows is no condition of a measurement, and never equals another one.
    assert dict(table.measurements[0].conditions) == {
        "system_code": "a",
        "compile_training_information": "b",
        "method_specification": "bleu",
    }


def test_cells_without_a_value_were_not_measured(put: Put):
    text = LONG + "Mille,PASS,Fluency,,ours,2\nMille,,,–,ours,2\nMille,,,n/a,,\n"
    table = read_table(put("t.csv", text))
    assert len(table.measurements) == 2
    assert "3 cells hold no value (column Result)" in notes_of(table)


def test_percentages_beside_ratings(put: Put):
    """A percentage begins at 0, also where the ratings of the table begin at 1."""
    path = put("t.csv", "system,criterion,result\na,Clarity,5.6\na,Stance,91%\n")
    rating, share = read_table(path, Columns(scale_min=1.0, scale_max=7.0)).measurements
    assert (rating.scale.minimum, rating.scale.maximum) == (1.0, 7.0)
    assert (share.scale.minimum, share.scale.maximum, share.scale.is_stated) == (0.0, None, True)
    assert share.is_percent
    assert share.value == 91.0
    table = read_table(path, Columns(scale_max=100.0))
    assert {one.scale.maximum for one in table.measurements} == {100.0}
    assert notes_of(table) == ["2 values of 1 object, 2 measurands, no study named"]


def test_ids_tell_measurements_apart(put: Put):
    text = "id,system,criterion,result\nx,a,c,1\ny,a,c,2\n"
    assert [one.id for one in read_table(put("t.csv", text)).measurements] == ["x", "y"]
    # Numbers of items are no ids of measurements, unless somebody says so.
    again = put("again.csv", text.replace("y,", "x,"))
    table = read_table(again)
    assert [(one.id, dict(one.said)) for one in table.measurements] == [("", {"id (A)": "x"})] * 2
    assert "line 2, too" in refused(again, id="id").why


def test_a_table_as_yaml_and_back(put: Put):
    """Columns that are called like the keys of YAML do not take their places."""
    text = (
        "id,system,criterion,result,scale,original,note,note\n"
        "x,a,c,5,likert,yes,n,m\nx,a,c,6,likert,yes,,\n"
    )
    table = read_table(put("t.csv", text), Columns(scale_min=1.0))
    assert dict(table.measurements[0].said) == {
        "id (A)": "x",
        "scale (E)": "likert",
        "original (F)": "yes",
        "note": "n",
        "note (H)": "m",
    }
    again = read_measurements(put("t.yaml", dump_measurements(table)))
    assert rows_of(again) == rows_of(table)
    assert [dict(one.said) for one in again.measurements] == [
        dict(one.said) for one in table.measurements
    ]
    assert {one.scale.minimum for one in again.measurements} == {1.0}


def test_equal_conditions_with_different_values_are_both_kept(put: Put):
    """Repeatability: conditions are never a key."""
    text = "system,criterion,result,test set\na,c,1,x\na,c,2,x\na,c,2,x\n"
    assert len(read_table(put("t.csv", text)).measurements) == 3


# Wide -------------------------------------------------------------------------------------


def test_a_column_for_each_study(put: Put):
    """A study that measured several times is named, for a row above the head may be lost."""
    studies = ("original", "repro 1", "repro 2")
    table = read_table(put("t.csv", WIDE), Columns(measurand="wF1", studies=studies))
    assert rows_of(table) == [
        ("mult-base", "wF1", "original", "0.428"),
        ("mult-base", "wF1", "repro 1", "0.493"),
        ("mult-base", "wF1", "repro 1", "0.426"),
        ("mult-base", "wF1", "repro 2", "0.574"),
        ("mult-word", "wF1", "original", "0.5"),
        ("mult-word", "wF1", "repro 1", "0.426"),
    ]
    seeds = [one.conditions.get("random seed") for one in table.measurements]
    assert seeds == ["1", "2", "3", None, "1", "3"]
    assert [one.line for one in table.measurements] == [3, 3, 3, 3, 4, 4]
    assert "2 cells hold no value (column repro 1, column repro 2)" in notes_of(table)


def test_rows_of_object_and_measurand(put: Put):
    text = "system,metric,group,orig,repro\nNTS,BLEU,g,84.51,84.50\nNTS,SARI,g,30.65,\n"
    table = read_table(put("t.csv", text), Columns(original="orig"))
    assert rows_of(table) == [
        ("NTS", "BLEU", "orig", "84.51"),
        ("NTS", "BLEU", "repro", "84.50"),
        ("NTS", "SARI", "orig", "30.65"),
    ]
    assert {one.group for one in table.measurements} == {"g"}
    assert [one.is_original for one in table.measurements] == [True, False, True]


def test_a_corner_without_a_name(put: Put):
    table = read_table(put("t.csv", ",e1,e2\nsys,1,2\n"), Columns(measurand="m"))
    assert rows_of(table) == [("sys", "m", "e1", "1"), ("sys", "m", "e2", "2")]
    named = read_table(put("t.csv", "essay scorer,e1,e2\nsys,1,2\n"), Columns(measurand="m"))
    assert rows_of(named) == rows_of(table)
    assert any("those of the first column, essay scorer" in note for note in named.notes)


def test_conditions_of_columns_and_of_rows(put: Put):
    text = "system,test set,e1,e2\ncondition Performed by,,a,b\nx,T1,1,2\ny,T2,3,4\n"
    table = read_table(put("t.csv", text), Columns(measurand="m"))
    assert list(table.conditions) == ["test_set", "performed_by"]
    assert [dict(one.conditions) for one in table.measurements] == [
        {"test_set": test, "performed_by": who} for test in ("T1", "T2") for who in "ab"
    ]


def test_rows_that_sum_up_others(put: Put):
    wide = "System,Metric,O,R\na,F1,1,2\nAverage,F1,1,2\nSum (all),,1,2\nMeaning,F1,3,4\n"
    table = read_table(put("t.csv", wide))
    assert [one.object for one in table.measurements] == ["a", "a", "Meaning", "Meaning"]
    assert "rows that sum up others are left out: Average, Sum (all)" in notes_of(table)
    # In a long table, what has a study is a system whatever it is called.
    long = "System,Metric,Study,Score\na,F1,O,1\nMean,,,1\nMean,F1,O,2\n"
    table = read_table(put("t.csv", long))
    assert [one.object for one in table.measurements] == ["a", "Mean"]
    assert "rows that sum up others are left out: Mean" in notes_of(table)


# Numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (["4,25", "-3,5", "4"], ["4.25", "-3.5", "4"]),
        (["70,1%", "71,25 %", "–"], ["70.1%", "71.25 %"]),
        (["\u22124,25", "1,234", "1,235"], ["-4.25", "1.234", "1.235"]),
        (["0,425", "0,431", "1,002"], ["0.425", "0.431", "1.002"]),  # no thousands begin with 0
        (["4,2 ± 0,3", "4,1 (0,2)", "4"], ["4.2", "4.1", "4"]),
    ],
)
def test_decimal_commas(put: Put, delimiter: str, texts: list[str], read: list[str]):
    rows = [f"a;F1;s{n};{text}" for n, text in enumerate(texts)]
    long = "\n".join(["System;Criterion;Study;Score", *rows])
    wide = f"System;Criterion;s0;s1;s2\na;F1;{';'.join(texts)}\n"
    for text in (long, wide):
        table = read_table(put("t.csv", text.replace(";", delimiter)))
        assert [one.text for one in table.measurements] == read
        values = [float(text.rstrip(" %")) for text in read]
        assert [one.value for one in table.measurements] == values
        assert "commas in values are read as decimal points" in notes_of(table)


@pytest.mark.parametrize(
    ("cell", "text", "deviation"),
    [
        ("4.1±0.3", "4.1", "±0.3"),
        ("4.1 ± 0.3", "4.1", "± 0.3"),
        ("4.1\u00a0±\u00a00.3", "4.1", "±\u00a00.3"),
        ("\u22124.1 +/- .3", None, ""),
        ("-4.1 +/- 0.3", "-4.1", "+/- 0.3"),
        ("5.6 (0.4)", "5.6", "(0.4)"),
        ("5.6 (±0.4)", "5.6", "(±0.4)"),
        ("56% (4%)", "56%", "(4%)"),
        ("56 ± 4 %", "56%", "± 4"),
        ("5.6 (n=20)", None, ""),
        ("5.6 [0.4]", None, ""),
    ],
)
def test_deviations_after_values(put: Put, cell: str, text: str | None, deviation: str):
    path = put("t.csv", f"System,Criterion,Study,Score\na,F1,x,{cell}\n")
    if text is None:
        assert "is not a number" in refused(path).why
    else:
        table = read_table(path)
        assert [one.text for one in table.measurements] == [text]
        assert notes_of(table)[1:] == [
            f"what stands after values, such as {deviation}, is not used"
        ]


@pytest.mark.parametrize(
    ("rows", "line", "why"),
    [
        ("a;F1;o;1.234,5", 2, "'1.234,5' is ambiguous"),
        ("a;F1;o;4.25\na;F1;r;4,5", 3, "'4,5' is not a number"),
        ("a;F1;o;1,234,567", 2, "'1,234,567' is ambiguous"),
        ("a;F1;o;1,234\na;F1;r;987", 2, "'1,234' is ambiguous: 1234 or 1.234"),
        ('a,F1,o,"1,234"', 2, "'1,234' is ambiguous: 1234 or 1.234"),
        ('a,F1,o,"1,234.5"', 2, "'1,234.5' is ambiguous"),
        ('a,F1,o,"84,51"', 2, "'84,51' is not a number"),
    ],
)
def test_commas_that_may_mean_anything(put: Put, rows: str, line: int, why: str):
    head = "System;Criterion;Study;Score"
    error = refused(put("t.csv", f"{head if ';' in rows else head.replace(';', ',')}\n{rows}\n"))
    assert (error.line, error.field) == (line, "column Score")
    assert error.why == why
    assert error.hint.startswith("write ")


@pytest.mark.parametrize("odd", ["\x1e", "\x85", "\u00a0", "\u2009", "\u200b", "\ufeff"], ids=ascii)
@pytest.mark.parametrize("cell", ["2{}", "{}2", "2{}%", "-{}2"])
def test_numbers_have_no_odd_blanks(put: Put, odd: str, cell: str):
    rows = f"System,Criterion,Study,Score\na,F1,x,{cell.format(odd)}\na,F1,y,3\n"
    assert "it has a character that looks like a blank" in refused(put("t.csv", rows)).hint


@pytest.mark.parametrize("cell", ["{0}", "-{0}", "{0}-{0}"])
def test_odd_blanks_alone_are_no_number(put: Put, cell: str):
    rows = f"System,Criterion,Study,Score\na,F1,x,2\na,F1,y,3\na,F1,z,{cell.format(chr(0xA0))}\n"
    assert len(read_table(put("t.csv", rows)).measurements) == 2


# What is wrong ----------------------------------------------------------------------------

HEAD = "system,criterion,result\n"


@pytest.mark.parametrize(
    ("text", "line", "field", "why", "hint"),
    [
        (
            f"{HEAD}a,c,good\n",
            2,
            "column result",
            "'good' is not a number",
            "write a number such as",
        ),
        (f"{HEAD}a,c,nan\n", 2, "column result", "'nan' is not a number", "leave out what was not"),
        (
            f"{HEAD}a,c,1e999\n",
            2,
            "column result",
            "'1e999' is not a number",
            "leave out what was not",
        ),
        (
            f"{HEAD}a,c,2026-05-01\n",
            2,
            "column result",
            "'2026-05-01' is not a number",
            "if it was a n",
        ),
        (
            "system,e1,e2\na,1,x\n",
            2,
            "column e2",
            "'x' is not a number",
            "write a number such as 84.51;",
        ),
        (
            f"{HEAD},c,1\n",
            2,
            "column system",
            "a value in this row and no object",
            "write the object",
        ),
        (
            f"{HEAD}a,,1\n",
            2,
            "column criterion",
            "a value in this row and no meas",
            "write the meas",
        ),
        (HEAD, 1, "", "there are no measurements in this table", "are the columns the right ones?"),
        (
            "s,e1,e2\na,1,2\ncondition seed,2,3\n",
            3,
            "",
            "condition 'seed' stands below",
            "move the",
        ),
        (
            "s,e1,e2\ncondition performed by,x,x\ncondition Performed_by,y,y\na,1,2\n",
            *(3, "", "the condition 'Performed_by' is stated twice", "keep one of them"),
        ),
    ],
)
def test_what_is_wrong(put: Put, text: str, line: int, field: str, why: str, hint: str):
    error = refused(put("t.csv", text))
    assert (error.line, error.field) == (line, field)
    assert why in error.why
    assert error.hint.startswith(hint)
    assert ("--studies" in error.hint) is text.startswith("system,e1,e2")


def test_what_is_not_read(put: Put):
    for path, hint in (
        (Path("-"), "save them to a file first"),
        (put("t.txt", "a,b\n"), "give one"),
    ):
        error = problem_of(lambda path=path: read_measurements(path))  # type: ignore[misc]
        assert error is not None
        assert error.hint.startswith(hint)


def test_nothing_else_than_errors_of_ours(put: Put):
    """Whatever a table holds, there is a table or one error with its file."""
    path = put("t.csv", "")

    @given(st.text(alphabet='abA1.,;\t"#\n\r \x0b\x1c\x85\u2028%–±é-', max_size=60), st.booleans())
    def check(text: str, is_headed: bool) -> None:
        path.write_bytes((f"System,Study\n{text}" if is_headed else text).encode())
        found = problem_of(lambda: read_table(path))
        assert found is None or str(found.file) == str(path)
        assert "\n" not in str(found)

    check()


def test_measurements_written_as_csv_are_read_the_same(put: Put):
    path = put("t.csv", "")

    @given(st.lists(measurements, min_size=1, max_size=5), st.sampled_from(",;\t"))
    def check(found: list[Measurement], delimiter: str) -> None:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=delimiter).writerows(table_rows(found))
        path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
        table = read_table(path, COLUMNS)
        assert [same(one) for one in table.measurements] == [same(one) for one in found]
        assert [one.line for one in table.measurements] == list(range(2, len(found) + 2))

    check()
