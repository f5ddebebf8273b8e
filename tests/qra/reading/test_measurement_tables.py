"""Measurements from tables with delimiters: which column is what, and what is wrong with a cell."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMPRESS, Put, problem_of
from support.tabled import COLUMNS, measurements, message_of, notes_of, rows_of, same, table_rows

from primad_ld.qra.measurements import Measurement
from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.qra.reading.measurements_yaml import dump_measurements, read_measurements_yaml

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


# Long -------------------------------------------------------------------------------------


def test_columns_by_their_usual_names(put: Put):
    table = read_table(put("t.csv", LONG))
    one, other = table.measurements
    assert (one.object, one.measurand, one.value, one.text) == ("PASS", "Clarity", 5.64, "5.64")
    assert (one.study, other.study) == ("van der Lee", "Mille")
    assert other.text == "6.30"
    assert (one.line, other.line) == (2, 3)
    assert one.file.endswith("t.csv")
    assert dict(one.said) == {"Evaluators": "theirs", "Seed": "1"}
    assert not one.is_original
    assert not one.scale.is_stated
    assert table.conditions == {}
    assert notes_of(table) == [
        "2 values of 1 object, 1 measurand, 2 studies",
        "not used: Evaluators, Seed (--where can choose by them)",
    ]


def test_the_command_of_the_documentation(put: Put):
    columns = Columns(
        object="System",
        measurand="Criterion",
        value="Result",
        study="Paper",
        conditions={"implementation": "Evaluators", "random seed": "Seed"},
        scale_min=1.0,
        scale_max=7.0,
        original="van der Lee",
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
        ("SYSTEM,METRIC,SCORE,PAPER", "PASS,Clarity,5,a"),  # in capital letters
        ("model;measure;value;experiment", "PASS;Clarity;5;a"),
        ("model\tmeasure\tvalue\texperiment", "PASS\tClarity\t5\ta"),
        ('" object ",measurand,value,study', " PASS ,Clarity, 5 ,a"),  # blanks around them
        ('"object","measurand","value","study"', '"PASS","Clarity","5","a"'),
        ("study,value,measurand,object", "a,5,Clarity,PASS"),
        # A comma in the head's quotes does not make it a table with commas.
        ('object;measurand;value;study;"a, b, c, d, e, f"', "PASS;Clarity;5;a;x"),
        ("# where from: a, b\nobject,measurand,value,study", "PASS,Clarity,5,a"),  # a remark
        ("#,object,measurand,value,study", "1,PASS,Clarity,5,a"),  # no remark but a head
        ("object,measurand,value,study,,", "PASS,Clarity,5,a,,"),  # columns without anything
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_heads(put: Put, head: str, row: str, end: str):
    text = f"{head}\n{row}\n\n".replace("\n", end)
    for name in ("t.csv", "t.tsv", "t.csv.gz"):
        table = read_table(put(name, text))
        assert rows_of(table) == [("PASS", "Clarity", "a", "5")]
    assert rows_of(read_table(put("bom.csv", b"\xef\xbb\xbf" + text.encode()))) == rows_of(table)


@pytest.mark.parametrize("suffix", sorted(COMPRESS))
def test_compressed_tables(put: Put, suffix: str):
    assert len(read_table(put(f"t.csv{suffix}", LONG)).measurements) == 2


def test_conditions_by_the_heads_that_the_paper_prints(put: Put):
    heads = "Code by,Comp./trained by,Method,Implem. by,Procedure,Test set,Performed by"
    text = f"Object,Measurand,{heads},Value\nNTS,BLEU,a,b,bleu,?,,unknown,N/A,84.51\n"
    table = read_table(put("t.csv", text))
    assert list(table.conditions) == [
        "system_code",
        "compile_training_information",
        "method_specification",
        "implementation",
        "procedure",
        "test_set",
        "performed_by",
    ]
    # What nobody knows is no condition of a measurement, and never equals another one.
    assert dict(table.measurements[0].conditions) == {
        "system_code": "a",
        "compile_training_information": "b",
        "method_specification": "bleu",
    }


def test_only_the_conditions_that_somebody_names(put: Put):
    text = "system,metric,value,test set,outputs\na,BLEU,1,x,y\n"
    table = read_table(put("t.csv", text), Columns(conditions={"outputs": "outputs"}))
    assert dict(table.measurements[0].conditions) == {"outputs": "y"}
    assert dict(table.measurements[0].said) == {"test set": "x"}


def test_cells_without_a_value_were_not_measured(put: Put):
    text = LONG + "Mille,PASS,Fluency,,ours,2\nMille,,,–,ours,2\nMille,,,n/a,,\n"
    table = read_table(put("t.csv", text))
    assert len(table.measurements) == 2
    assert "3 cells hold no value (column Result)" in notes_of(table)


def test_percentages_beside_ratings(put: Put):
    """A percentage begins at 0, also where the ratings of the table begin at 1."""
    text = "system,criterion,result\na,Clarity,5.6\na,Stance,91%\n"
    rating, share = read_table(
        put("t.csv", text), Columns(scale_min=1.0, scale_max=7.0)
    ).measurements
    assert (rating.scale.minimum, rating.scale.maximum) == (1.0, 7.0)
    assert (share.scale.minimum, share.scale.maximum) == (0.0, None)
    assert share.is_percent
    assert share.value == 91.0
    table = read_table(put("t.csv", text), Columns(scale_max=100.0))
    assert {one.scale.maximum for one in table.measurements} == {100.0}
    assert notes_of(table) == ["2 values of 1 object, 2 measurands, no study named"]


def test_ids_tell_measurements_apart(put: Put):
    text = "id,system,criterion,result\nx,a,c,1\ny,a,c,2\n"
    assert [one.id for one in read_table(put("t.csv", text)).measurements] == ["x", "y"]
    # Numbers of items are no ids of measurements, unless somebody says so.
    again = text.replace("y,", "x,")
    table = read_table(put("again.csv", again))
    assert [(one.id, dict(one.said)) for one in table.measurements] == [("", {"id (A)": "x"})] * 2
    assert "line 2, too" in message_of(put("again.csv", again), id="id")


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
    again = read_measurements_yaml(put("t.yaml", dump_measurements(table)))
    for one, other in zip(table.measurements, again.measurements, strict=True):
        assert (one.object, one.measurand, one.value) == (
            other.object,
            other.measurand,
            other.value,
        )
        assert (one.scale.minimum, dict(one.said)) == (other.scale.minimum, dict(other.said))


def test_equal_conditions_with_different_values_are_both_kept(put: Put):
    """Repeatability: conditions are never a key."""
    text = "system,criterion,result,test set\na,c,1,x\na,c,2,x\na,c,2,x\n"
    assert len(read_table(put("t.csv", text)).measurements) == 3


def test_a_measurand_for_all_values(put: Put):
    path = put("t.csv", "system,result\na,1\n")
    table = read_table(path, Columns(measurand="wF1"))
    assert rows_of(table) == [("a", "wF1", "", "1")]
    assert table.notes[1:] == (f"{path}: there is no column wF1, so all values are values of wF1",)
    nameless = read_table(path)
    assert rows_of(nameless) == [("a", "score", "", "1")]
    assert "name it with --measurand" in nameless.notes[1]


def test_what_the_later_tool_reads(put: Put):
    text = "Key,Study,Experiment,System,Criterion,Result\nk,Yao,O,GT,Read,4.9\nk,Yao,R1,GT,Read,4\n"
    table = read_table(put("t.csv", text))
    first, second = table.measurements
    assert (first.study, first.group, first.is_original) == ("O", "Yao", True)
    assert (second.study, second.group, second.is_original) == ("R1", "Yao", False)
    assert dict(first.said) == {"Key": "k"}
    columns = Columns(study="Study", conditions={"experiment": "Experiment"})
    named = read_table(put("t.csv", text), columns)
    assert [(one.study, one.group) for one in named.measurements] == [("Yao", "k")] * 2


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
    assert notes_of(table) == [
        "6 values of 2 objects, 1 measurand, 3 studies",
        "there is no column wF1, so all values are values of wF1",
        "2 cells hold no value (column repro 1, column repro 2)",
    ]


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


def test_a_study_may_have_almost_any_name(put: Put):
    table = read_table(put("t.csv", "system,Terragni,Blue\na,1,2\n"), Columns(measurand="m"))
    assert [one.study for one in table.measurements] == ["Terragni", "Blue"]


def test_conditions_of_columns_and_of_rows(put: Put):
    text = "system,test set,e1,e2\ncondition Performed by,,a,b\nx,T1,1,2\ny,T2,3,4\n"
    table = read_table(put("t.csv", text), Columns(measurand="m"))
    assert list(table.conditions) == ["test_set", "performed_by"]
    assert [dict(one.conditions) for one in table.measurements] == [
        {"test_set": test, "performed_by": who} for test in ("T1", "T2") for who in "ab"
    ]


# What is wrong ----------------------------------------------------------------------------

WRONG: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "a column that is not there",
        LONG,
        {"object": "Sytem"},
        "t.csv:1: there is no column 'Sytem' for --object; did you mean System? the columns are "
        "Paper, System, Criterion, Result, Evaluators, Seed",
    ),
    (
        "a condition whose column is not there",
        LONG,
        {"conditions": {"implementation": "Evaluator"}},
        "t.csv:1: there is no column 'Evaluator' for the condition implementation; did you mean "
        "Evaluators? the columns are Paper, System, Criterion, Result, Evaluators, Seed",
    ),
    (
        "a measurand that is no column, beside a column of them",
        LONG,
        {"measurand": "Clarity"},
        "t.csv:1: there is no column 'Clarity' for --measurand; the columns are Paper, System, "
        "Criterion, Result, Evaluators, Seed; to choose one measurand of the column Criterion, "
        "say --where",
    ),
    (
        "one column for two things",
        LONG,
        {"object": "System", "study": "System"},
        "t.csv:1: column System: this column is said to be --object and --study; name another "
        "column for one of the two",
    ),
    (
        "no column of objects",
        "criterion,result\nc,1\n",
        {},
        "t.csv:1: no column says what was measured: the object; name it with --object; the columns "
        "are criterion, result",
    ),
    (
        "a word where a number belongs",
        "system,criterion,result\na,c,good\n",
        {},
        "t.csv:2: column result: 'good' is no number; write a number such as 84.51",
    ),
    (
        "a decimal comma where commas stand between cells",
        'system,criterion,result\na,c,"84,51"\n',
        {},
        "t.csv:2: column result: '84,51' is no number; write a point: 84.51",
    ),
    (
        "what pandas writes for nothing",
        "system,criterion,result\na,c,nan\n",
        {},
        "t.csv:2: column result: 'nan' is no number; leave out what was not measured",
    ),
    (
        "more than any number",
        "system,criterion,result\na,c,1e999\n",
        {},
        "t.csv:2: column result: '1e999' is no number; leave out what was not measured",
    ),
    (
        "a number that a spreadsheet program took for a date",
        "system,criterion,result\na,c,2026-05-01\n",
        {},
        "t.csv:2: column result: '2026-05-01' is no number; if it was a number, a spreadsheet "
        "program took it for a date: write it anew",
    ),
    (
        "a text in a wide table",
        "system,e1,e2\na,1,x\n",
        {},
        "t.csv:2: column e2: 'x' is no number; write a number such as 84.51; without --value, each "
        "column is a study, or those that --studies names",
    ),
    (
        "a value of no object",
        "system,criterion,result\n,c,1\n",
        {},
        "t.csv:2: column system: there is a value in this row and no object; write the object in "
        "each row",
    ),
    (
        "a row that is too short",
        "system,criterion,result\na,c\n",
        {},
        "t.csv:2: this row has 2 cells, and the head has 3; complete the row",
    ),
    (
        "a row that is too long",
        "system,criterion,result\na,c,1,2\n",
        {},
        "t.csv:2: this row has 4 cells, and the head has 3; put texts with a delimiter in them in "
        "quotes, or complete the head",
    ),
    (
        "quotes that do not end",
        'system,criterion,result\na,"c,1\n',
        {},
        "t.csv:2: this row cannot be read: unexpected end of data; look at its quotes",
    ),
    (
        "two columns of one name",
        "system,result,result\na,1,2\n",
        {"value": "result"},
        "t.csv:1: there are 2 columns 'result'; give each column a name of its own",
    ),
    ("an empty file", "", {}, "t.csv: the table is empty; its first row names the columns"),
    ("blank lines", "\n \n,\n", {}, "t.csv: the table is empty; its first row names the columns"),
    (
        "a head alone",
        "system,criterion,result\n",
        {},
        "t.csv:1: there are no measurements in this table; are the columns the right ones? see "
        "--object, --measurand, --value",
    ),
    (
        "a column of studies without one of values",
        "system,criterion,study,mean\na,c,x,1\n",
        {},
        "t.csv:1: column study: there is a column of studies and none of values; name the column "
        "of the measured values with --value; there are system, criterion, study, mean",
    ),
    (
        "objects alone",
        "system,criterion\na,c\n",
        {},
        "t.csv:1: there is no column of values, and no column of a study; name one with --value; "
        "the columns are system, criterion",
    ),
    (
        "a column for each measure",  # CV* over several measures would be a number, too
        "system,BLEU,SARI,ROUGE-L,chrF++,nDCG@10\na,84.5,30.6,40,50,60\n",
        {},
        "t.csv:1: the columns BLEU, SARI, ROUGE-L, chrF++, nDCG@10 are measures, and not studies; "
        "write a row for each value, with columns for its system, measure, value and study",
    ),
    (
        "a study without a name",
        "system,e1,,e2\na,1,2,3\n",
        {},
        "t.csv:1: column C: this column has no head; name its study",
    ),
    (
        "a condition below values",
        "system,e1,e2\na,1,2\ncondition seed,2,3\n",
        {},
        "t.csv:3: the condition 'seed' stands below measured values; move the row above those of "
        "the objects",
    ),
    (
        "a condition stated twice, under two of its names",
        "system,e1,e2\ncondition performed by,x,x\ncondition Performed_by,y,y\na,1,2\n",
        {},
        "t.csv:3: the condition 'Performed_by' is stated twice; keep one of them",
    ),
    (
        "a sheet of what is no workbook",
        LONG,
        {"sheet": "S"},
        "t.csv: there is no sheet 'S', for this is no workbook; name the file alone",
    ),
]


@pytest.mark.parametrize(
    ("text", "columns", "message"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_what_is_wrong(put: Put, text: str, columns: dict[str, Any], message: str):
    assert message_of(put("t.csv", text), **columns) == message


def test_the_original_whatever_its_case(put: Put):
    table = read_table(put("t.csv", LONG), Columns(original="VAN DER LEE"))
    assert [one.is_original for one in table.measurements] == [True, False]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"system,criterion,result\na,\xff,1\n", "t.csv:2: the byte 0xff is not UTF-8"),
        ("system,result\na,1\n".encode("utf-16"), "t.csv:1: this is UTF-16"),
        (b"system,result\na,1\0\n", "t.csv:2: there is a zero byte"),
        (b"system,result\na," + b"1" * 2**21 + b"\n", "t.csv:2: this row cannot be read"),
        (b"system,result\n" + b'"' + b"x" * 200_000 + b'",1\n', "t.csv:2: this row cannot be read"),
        (b"x," * 20_000 + b"y\n", "t.csv:1: more than 16384 columns"),
    ],
    ids=["latin", "utf-16", "zero", "long line", "long cell", "columns"],
)
def test_hostile_files(put: Put, data: bytes, why: str):
    assert message_of(put("t.csv", data)).startswith(why)


def test_folders_and_files_that_are_not_there(tmp_path: Path):
    (tmp_path / "t.csv").mkdir()
    assert message_of(tmp_path / "t.csv") == "t.csv: is a directory"
    assert message_of(tmp_path / "no.csv") == "no.csv: no such file or directory"
    assert message_of(tmp_path / "no.csv#a") == (
        "no.csv: there is no sheet 'a', for this is no workbook; name the file alone"
    )


def test_a_file_with_a_hash_in_its_name(put: Put):
    assert len(read_table(put("run#2.csv", LONG)).measurements) == 2


def test_nothing_else_than_errors_of_ours(put: Put):
    """Whatever a table holds, there is a table or one error with its file."""
    path = put("t.csv", "")

    @given(st.text(alphabet='abA1.,;\t"#\n\r \x0b\x1c\x85\u2028%–é-', max_size=60))
    def check(text: str) -> None:
        path.write_bytes(text.encode())
        found = problem_of(lambda: read_table(path))
        assert found is None or str(found.file) == str(path)
        assert "\n" not in str(found)

    check()


# There and back ---------------------------------------------------------------------------


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
