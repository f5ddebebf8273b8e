"""Tables as people write them: titles, summaries, decimal commas, columns that nobody uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import Cli, Put, problem_of
from support.tabled import message_of, notes_of, rows_of

from primad_ld.core.errors import PrimadError
from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurement_tables import Columns, read_table

# Studies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        "Experiment,Study,System,Quality Criterion,Score",
        "EXPERIMENT,STUDY,System,QualityCriterion,Score",
        "Experiment,Studie,System,Kriterium,Wert",
        "experiment,study,Model,criteria,Mean score (1-5)",
        "experiment,study,System,Criterion,rating [1 to 5]",
    ],
)
def test_experiments_and_studies_are_studies_and_groups(put: Put, head: str):
    text = f"{head}\nO,p1,A,Cl,4.1\nR,p1,A,Cl,4.0\nO,p2,A,Cl,2\nR,p2,A,Cl,2.1\n"
    table = read_table(put("t.csv", text))
    assert [(one.group, one.study) for one in table.measurements] == [
        ("p1", "O"),
        ("p1", "R"),
        ("p2", "O"),
        ("p2", "R"),
    ]
    assert [one.measurand for one in table.measurements] == ["Cl"] * 4
    assert any("--study and --group say otherwise" in note for note in table.notes)
    found = [one.precision.cv_star for one in assess(table) if one.precision]
    assert [round(value, 3) for value in found] == [2.462, 4.863]


@pytest.mark.parametrize(
    ("head", "cells", "message"),
    [
        (
            "Lang",  # a text
            "en en de de",
            "t.csv:4: o has 2 values of A, F1, which the column Lang (en, de) would tell apart, and "
            'nothing says what it means; use --group "Lang" or --measurand "Lang" if these values '
            'do not belong together, --conditions "Lang=Lang" if they do, or choose some with '
            '--where "Lang=…"',
        ),
        ("Item", "1 1 2 2", "o has 2 values of A, F1, which the column Item (1, 2) would tell"),
        ("Annotator", "1 2 3 4", "which the column Annotator (1, 3) would tell apart"),
        ("QC", "a a b ?", "which the column QC (a, b) would tell apart"),
        ("QC", "1 1 2 2", "which the column QC (1, 2) would tell apart"),  # numbers of criteria
        ("Temperature", "0.7 0.7 1.0 1.0", "which the column Temperature (0.7, 1.0) would tell"),
    ],
)
def test_values_of_different_things_are_not_one_set(put: Put, head: str, cells: str, message: str):
    a, b, c, d = cells.split()
    path = put(
        "t.csv",
        f"System,Criterion,Study,Score,{head}\nA,F1,o,70,{a}\nA,F1,r,71,{b}\nA,F1,o,50,{c}\n"
        f"A,F1,r,51,{d}\n",
    )
    assert message in message_of(path)
    # Whatever the message advises is enough.
    for columns in (
        Columns(group=head),
        Columns(measurand=head),
        Columns(conditions={head: head}),
        Columns(where={head: a}),
    ):
        assert len(read_table(path, columns).measurements) == 4


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("Seed", "1 1 2 2"),  # numbers
        ("Run", "a1 a2 a3 a4"),  # as many as there are rows
        ("Comment", "good good bad bad"),
        ("Date", "monday monday friday friday"),
        ("Random seed", "7 7 8 8"),
        ("SD", "0.1 0.1 0.2 0.2"),  # about the value, as n and p are
        ("Runtime", "11.5 12.5 13.5 14.5"),  # measured beside: no number comes up again
    ],
)
def test_repetitions_are_legitimate(put: Put, head: str, cells: str):
    a, b, c, d = cells.split()
    text = (
        f"System,Criterion,Study,Score,{head}\nA,F1,o,70,{a}\nA,F1,r,71,{b}\nA,F1,o,50,{c}\n"
        f"A,F1,r,51,{d}\n"
    )
    table = read_table(put("t.csv", text))
    assert len(table.measurements) == 4
    assert notes_of(table) == [
        "4 values of 1 object, 1 measurand, 2 studies",
        f"not used: {head} (--where can choose by them)",
        f"o has 2 values of A, F1, which the unused column {head} would tell apart; they count as "
        f'repeated measurements (--conditions "{head}={head}" makes it a condition)',
    ]


def test_conditions_that_somebody_left_out_tell_repetitions_apart(put: Put):
    text = "System,Criterion,Study,Score,Test set,Procedure\nA,F1,o,1,x,p\nA,F1,o,2,y,p\n"
    table = read_table(put("t.csv", text), Columns(conditions={"procedure": "Procedure"}))
    assert len(table.measurements) == 2
    assert "o has 2 values of A, F1, which the unused column Test set would" in notes_of(table)[-1]


def test_without_studies_texts_tell_apart_all_the_same(put: Put):
    text = "System,Criterion,Score,Lab\nA,F1,70,here\nA,F1,71,there\n"
    assert message_of(put("t.csv", text)) == (
        "t.csv:3: no column says the study, and there are 2 values of A, F1, which the column Lab "
        '(here, there) would tell apart, and nothing says what it means; use --study "Lab" if it '
        'is the study, --group "Lab" or --measurand "Lab" if these values do not belong together, '
        '--conditions "Lab=Lab" if they do, or choose some with --where "Lab=…"'
    )
    seeds = read_table(put("t.csv", "System,Criterion,Score,Seed\nA,F1,70,1\nA,F1,71,2\n"))
    assert notes_of(seeds)[-1].startswith("no column says the study, and there are 2 values of A")
    named = read_table(put("t.csv", text), Columns(study="Lab"))
    assert notes_of(named) == ["2 values of 1 object, 1 measurand, 2 studies"]


def test_what_people_ask_for(put: Put, cli: Cli):
    path = put("t.csv", "System,Criterion,Study,Score,Lang\na,F,o,1,en\na,F,o,2,de\na,F,r,1,en\n")
    refused = cli("qra", path)
    assert refused.exit_code == 2
    assert "which the column Lang (en, de) would tell apart" in refused.output
    for options in (("--where", "Lang=en"), ("--group", "Lang"), ("--conditions", "Lang=Lang")):
        assert cli("qra", path, *options).exit_code == 0


def test_a_choice_that_another_file_has(put: Put):
    """What --where names may be in another one of several files."""
    path = put("t.csv", "System,Criterion,Study,Score,Lang\nA,F1,o,1,en\nA,F1,o,2,de\n")
    assert len(read_table(path, Columns(where={"Seed": "1"})).measurements) == 2


@pytest.mark.parametrize(
    "head",
    [
        *("Mean", "average", "Avg.", "median", "SD", "St.Dev.", "std", "Stdev (n-1)", "variance"),
        *("CV", "CV*", "CV* (%)", "p", "p-value", "P_value", "n", "N", "No.", "#", "Nr", "Rank"),
        *("Year", "Δ", "∆", "Diff", "Difference", "min", "Max", "Total", "Sum", "95% CI", "Note"),
        *("Params", "Parameters (M)", "Mean (SD)", "Mittelwert", "Unnamed: 3", "delta (abs.)"),
        *("Seed", "random seed", "Runtime (s)", "Epochs", "Run", "Trial no.", "Kappa"),
        *("Pearson's r", "Krippendorff's α"),
    ],
)
def test_columns_that_are_no_studies(put: Put, head: str):
    table = read_table(put("t.csv", f"System,Metric,O,{head},R\na,F1,1,7,2\nb,F1,3,8,4\n"))
    assert [(one.study, one.value) for one in table.measurements] == [
        ("O", 1),
        ("R", 2),
        ("O", 3),
        ("R", 4),
    ]
    assert [dict(one.said) for one in table.measurements[1:3]] == [{head: "7"}, {head: "8"}]
    assert notes_of(table)[-1] == (
        f"columns whose names are none of studies are left out: {head} "
        "(--studies says which columns are studies)"
    )


@pytest.mark.parametrize("head", ["Meaney", "Nr. 1", "P. Miller", "R1", "2019", "N. N.", "Maxwell"])
def test_names_that_only_begin_alike_are_studies(put: Put, head: str):
    table = read_table(put("t.csv", f"System,Metric,O,{head}\na,F1,1,7\n"))
    assert [one.study for one in table.measurements] == ["O", head]


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


def test_studies_that_somebody_names(put: Put):
    text = "System,Metric,O,Mean,Result,r,r\na,F1,1,2,3,4,5\n"
    table = read_table(put("t.csv", text), Columns(studies=("R", "Mean")))
    assert [(one.study, one.value) for one in table.measurements] == [
        ("Mean", 2),
        ("r", 4),
        ("r", 5),
    ]
    assert dict(table.measurements[0].said) == {"O": "1", "Result": "3"}
    assert notes_of(table)[1:] == ["not used: O, Result (--where can choose by them)"]
    # One is enough if it is named; and so may the first column be one.
    one = read_table(put("t.csv", "O,name\n1,a\n"), Columns(studies=("O",), measurand="m"))
    assert rows_of(one) == [("a", "m", "O", "1")]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"studies": ("O", "Repro 3")},
            "t.csv:1: there is no column 'Repro 3' for --studies; did you mean Repro 1? the "
            "columns are System, Metric, O, Repro 1, Mean",
        ),
        (
            {"studies": ("O",), "value": "Mean"},
            "--studies names columns of values and --value another one; leave one of them out",
        ),
    ],
)
def test_studies_that_cannot_be(put: Put, columns: dict[str, Any], message: str):
    path = put("t.csv", "System,Metric,O,Repro 1,Mean\na,F1,1,2,3\n")
    with pytest.raises(PrimadError) as caught:
        read_table(path, Columns(**columns))
    assert str(caught.value).replace(f"{path.parent}/", "") == message


# Titles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("Results of our reproduction\n", 2),
        ("Results, as of May\n\n", 3),  # with a comma as between cells
        ("Results,,,\n,,,\n", 3),
        ("# a remark\nResults;all\nof them\n", 4),
        ('"a title; in quotes"\n', 2),
    ],
)
@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("System,Criterion,Study,Score\nA,F1,o,1\nA,F1,r,2\n", {}),
        ("System,Criterion,o,r\nA,F1,1,2\n", {}),
        ("Name,F,o,r\nA,F1,1,2\n", {"object": "name", "measurand": "F"}),
        (
            "a,b,c,d\nA,F1,o,1\nA,F1,r,2\n",
            {"object": "a", "measurand": "b", "study": "c", "value": "D"},
        ),
    ],
    ids=["long", "wide", "wide by options", "long by options"],
)
def test_titles_above_the_head(
    put: Put, title: str, line: int, table: str, columns: dict[str, Any]
):
    for delimiter in ",;\t":
        found = read_table(put("t.csv", title + table.replace(",", delimiter)), Columns(**columns))
        assert rows_of(found) == [("A", "F1", "o", "1"), ("A", "F1", "r", "2")]
        assert found.measurements[0].line == line + 1
        assert f"the head is row {line}; rows above it are left out" in notes_of(found)


def test_heads_that_nobody_can_know(put: Put):
    assert message_of(put("t.csv", "Results\n\nName,what,o,r\nA,F1,1,2\n")) == (
        "t.csv:1: the head seems to be in row 3, and has no usual names of columns; remove the "
        "rows above it, or name its columns with --object and --value"
    )


def test_a_first_row_that_names_columns_is_the_head(put: Put):
    """Whatever systems and scores are called further down."""
    table = read_table(put("t.csv", "System,o,r\na,1,2\n"), Columns(measurand="m"))
    assert len(table.measurements) == 2
    text = "name,what,number,who\nSystem,Score,1,o\nmodel,rating,2,r\n"
    table = read_table(
        put("t.csv", text), Columns(object="name", measurand="what", value="number", study="who")
    )
    assert [one.object for one in table.measurements] == ["System", "model"]


def test_names_with_line_breaks_in_the_head(put: Put):
    text = 'Metric,"The\nsystem",o,r\nF1,a,1,2\n'
    table = read_table(put("t.csv", text), Columns(object="the system"))
    assert rows_of(table) == [("a", "F1", "o", "1"), ("a", "F1", "r", "2")]
    assert table.measurements[0].line == 3


# Numbers and names ------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (["4,25", "-3,5", "4"], ["4.25", "-3.5", "4"]),
        (["70,1%", "71,25 %", "–"], ["70.1%", "71.25 %"]),
        (["\u22124,25", "1,234", "1,235"], ["-4.25", "1.234", "1.235"]),
        (["0,425", "0,431", "1,002"], ["0.425", "0.431", "1.002"]),  # no thousands begin with 0
    ],
)
def test_decimal_commas(put: Put, delimiter: str, texts: list[str], read: list[str]):
    rows = [f"a;F1;s{n};{text}" for n, text in enumerate(texts)]
    long = "\n".join(["System;Criterion;Study;Score", *rows])
    wide = f"System;Criterion;s0;s1;s2\na;F1;{';'.join(texts)}\n"
    for text in (long, wide):
        table = read_table(put("t.csv", text.replace(";", delimiter)))
        assert [one.text for one in table.measurements] == read
        assert [one.value for one in table.measurements] == [
            float(text.rstrip(" %")) for text in read
        ]
        assert "commas in values are read as decimal points" in notes_of(table)


AMBIGUOUS = [
    (
        "both in one number",
        "a;F1;o;1.234,5",
        "t.csv:2: column Score: '1.234,5' has a comma and other marks, so it is ambiguous which of "
        "them is the decimal mark; write all numbers with a point, and thousands without a mark",
    ),
    (
        "one each",
        "a;F1;o;4.25\na;F1;r;4,5",
        "t.csv:3: column Score: '4,5' has a comma, and '4.25' in line 2 a point, so it is "
        "ambiguous which of them is the decimal mark; write all numbers with a point, and "
        "thousands without a mark",
    ),
    ("millions", "a;F1;o;1,234,567", "'1,234,567' has a comma and other marks, so it is ambiguous"),
    (
        "thousands or decimals, of which no other number tells",
        "a;F1;o;1,234\na;F1;r;987",
        "t.csv:2: column Score: '1,234' is ambiguous: 1234 or 1.234; write 1234 or 1.234",
    ),
    (
        "thousands where commas stand between cells",
        'a,F1,o,"1,234"',
        "t.csv:2: column Score: '1,234' is ambiguous: 1234 or 1.234; write 1234 or 1.234",
    ),
    (
        "both where commas stand between cells",
        'a,F1,o,"1,234.5"',
        "t.csv:2: column Score: '1,234.5' is ambiguous: its comma may stand between thousands or "
        "before decimals; write a number such as 1234.5",
    ),
]


@pytest.mark.parametrize(
    ("rows", "message"), [case[1:] for case in AMBIGUOUS], ids=[case[0] for case in AMBIGUOUS]
)
def test_commas_that_may_mean_anything(put: Put, rows: str, message: str):
    head = "System;Criterion;Study;Score"
    head = head if ";" in rows else head.replace(";", ",")
    assert message in message_of(put("t.csv", f"{head}\n{rows}\n"))


def test_blanks_in_names(put: Put):
    text = (
        "System,Criterion,Study,Score,Test set\n"
        "mult\u00a0base,F1,the  lab,1,x\u2009y\nmult base\u200b,F1\u3000,the lab,2,x y\n"
    )
    table = read_table(put("t.csv", text))
    assert {(one.object, one.measurand, one.study) for one in table.measurements} == {
        ("mult base", "F1", "the lab")
    }
    assert {one.conditions["test_set"] for one in table.measurements} == {"x y"}
    assert notes_of(table) == ["2 values of 1 object, 1 measurand, 1 study"]


ODD_BLANKS = ["\x1e", "\x85", "\u00a0", "\u2009", "\u200b", "\ufeff"]


@pytest.mark.parametrize("odd", ODD_BLANKS, ids=ascii)
@pytest.mark.parametrize("cell", ["2{}", "{}2", "2{}%", "-{}2"])
def test_numbers_have_no_odd_blanks(put: Put, odd: str, cell: str):
    rows = f"System,Criterion,Study,Score\na,F1,x,{cell.format(odd)}\na,F1,y,3\n"
    message = message_of(put("t.csv", rows))
    assert "is no number; it has a character that looks like a blank or like nothing" in message


@pytest.mark.parametrize("cell", ["{0}", "-{0}", "{0}-{0}"])
def test_odd_blanks_alone_are_no_number(put: Put, cell: str):
    rows = f"System,Criterion,Study,Score\na,F1,x,2\na,F1,y,3\na,F1,z,{cell.format(chr(0xA0))}\n"
    assert len(read_table(put("t.csv", rows)).measurements) == 2


def test_names_that_look_alike(put: Put):
    text = (
        "System,Criterion,Study,Score,Test set\n"
        "BART,F1,Lab,1,News\nBart,f1,lab,2,news\nT5,F1,Lab,3,News\n"
    )
    assert notes_of(read_table(put("t.csv", text)))[1:] == [
        "BART and Bart are two systems; if they are one, write them alike",
        "F1 and f1 are two measurands; if they are one, write them alike",
        "Lab and lab are two studies; if they are one, write them alike",
        "News and news are two values of test_set; if they are one, write them alike",
    ]
    many = "".join(f"{name},F1,x,1\n" for n in range(9) for name in (f"a{n}", f"A{n}"))
    notes = notes_of(read_table(put("t.csv", f"System,Criterion,Study,Score\n{many}")))
    assert len(notes) == 7
    assert notes[-1] == "4 more names look alike"


def test_how_much_a_table_holds(put: Put):
    path = put("t.csv", "System,Criterion,Study,Group,Score\na,c,s,g,1\na,d,r,g,1\nb,c,s,h,1\n")
    assert read_table(path).notes == (
        f"{path}: 3 values of 2 objects, 2 measurands, 2 studies, 2 groups",
    )


def test_what_is_not_read(put: Put):
    found = problem_of(lambda: read_measurements(Path("-")))
    assert str(found) == (
        "-: measurements are not read from standard input; save them to a file first, such as "
        "scores.csv"
    )
    found = problem_of(lambda: read_measurements(put("t.txt", "a,b\n")))
    assert "give one of .yaml .yml .csv .tsv .xlsx .xlsm" in str(found)
