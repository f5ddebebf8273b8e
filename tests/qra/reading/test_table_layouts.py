"""Which column of a table holds what."""

from __future__ import annotations

from typing import Any

import pytest
from support import Put
from support.tabled import notes_of, refused, rows_of

from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.reading.measurement_tables import Columns, read_table

LONG = """\
Paper,System,Criterion,Result,Evaluators,Seed
van der Lee,PASS,Clarity,5.64,theirs,1
Mille,PASS,Clarity,6.30,ours,2
"""


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
    assert [(one.group, one.study, one.is_original) for one in table.measurements] == [
        *(("p1", "O", True), ("p1", "R", False), ("p2", "O", True), ("p2", "R", False)),
    ]
    assert [one.measurand for one in table.measurements] == ["Cl"] * 4
    assert any("--study and --group say otherwise" in note for note in table.notes)
    found = [one.precision.cv_star for one in assess(table) if one.precision]
    assert [round(value, 3) for value in found] == [2.462, 4.863]
    columns = Columns(study=head.split(",")[1], conditions={"experiment": "Experiment"})
    named = read_table(put("t.csv", text), columns)
    assert [(one.study, one.group) for one in named.measurements[:2]] == [("p1", "")] * 2


def test_only_the_conditions_that_somebody_names(put: Put):
    text = "system,metric,value,test set,outputs\na,BLEU,1,x,y\n"
    (one,) = read_table(put("t.csv", text), Columns(conditions={"outputs": "outputs"})).measurements
    assert dict(one.conditions) == {"outputs": "y"}
    assert dict(one.said) == {"test set": "x"}


def test_a_measurand_for_all_values(put: Put):
    path = put("t.csv", "system,result\na,1\n")
    table = read_table(path, Columns(measurand="wF1"))
    assert rows_of(table) == [("a", "wF1", "", "1")]
    assert notes_of(table)[1:] == ["there is no column wF1, so all values are values of wF1"]
    nameless = read_table(path)
    assert rows_of(nameless) == [("a", "score", "", "1")]
    assert "name it with --measurand" in nameless.notes[1]


# Several columns of values: their names say what no other column does ---------------------------


@pytest.mark.parametrize(
    ("text", "columns", "across"),
    [
        ("Study,System,Fluency,Wit,Raters,SD,Note\nO,a,4.1,3,9,1,x\nR,a,4,,9,1,\n", {}, "measurand"),
        ("Study,System,Fluency,Wit\nO,a,4.1±0.3,3 (1)\nR,a,4,–\n", {}, "measurand"),
        ("Who,System,Fluency,Wit\nO,a,4.1,3\nR,a,4,\n", {"study": "who"}, "measurand"),
        ("Who,Name,Fluency,Wit\nO,a,4.1,3\nR,a,4,\n", {"study": "who", "object": "name"}, "measurand"),
        ("Study;System;Fluency;Wit\nO;a;4,1;3\nR;a;4;\n", {}, "measurand"),
        ("Who,System,No.,Fluency,Wit\nO,a,1,4.1,3\nR,a,2,4,\n",
         {"value": "fluency, Wit", "study": "Who"}, ""),
    ],
)  # fmt: skip
def test_a_column_for_each_criterion(put: Put, text: str, columns: dict[str, Any], across: str):
    table = read_table(put("t.csv", text), Columns(**columns))
    assert rows_of(table) == [("a", "Fluency", "O", "4.1"), ("a", "Wit", "O", table.measurements[1].text),
                              ("a", "Fluency", "R", "4")]  # fmt: skip
    assert table.measurements[1].value == 3
    note = f"there is a column of values for each {across}: Fluency, Wit"
    assert (note in notes_of(table)) is bool(across)


def test_columns_of_texts_hold_no_values(put: Put):
    table = read_table(put("t.csv", "Study,System,Fluency,Place\nO,a,4,here\nR,a,5,\n"))
    assert {one.measurand for one in table.measurements} == {"Fluency"}
    assert [one.said for one in table.measurements] == [{"Place": "here"}, {}]
    assert "not used: Place (--where can choose by them)" in notes_of(table)


def test_a_column_for_each_object(put: Put):
    """A row for each study: the table of studies, turned round."""
    path = put("t.csv", "Study,base,large\nO,4.1,4.6\nR,4.0,\n")
    table = read_table(path, Columns(measurand="Fluency"))
    assert rows_of(table) == [
        *(("base", "Fluency", "O", "4.1"), ("large", "Fluency", "O", "4.6")),
        ("base", "Fluency", "R", "4.0"),
    ]
    assert "--measurand" in refused(path).hint


def test_several_columns_of_values_that_are_studies(put: Put):
    path = put("t.csv", "System,Criterion,Mean,Median\na,F,1,2\n")
    table = read_table(path, Columns(value="Mean,Median"))
    assert rows_of(table) == [("a", "F", "Mean", "1"), ("a", "F", "Median", "2")]


def test_columns_of_values_without_a_study(put: Put):
    """As of one study; rows that come up again are told apart by columns that nobody uses."""
    path = put("t.csv", "System,Fluency,Wit\na,4.1,3\nb,4,2\n")
    table = read_table(path, Columns(value="Fluency,Wit"))
    assert rows_of(table)[:2] == [("a", "Fluency", "", "4.1"), ("a", "Wit", "", "3")]


def test_a_name_with_a_comma_is_one_column(put: Put):
    table = read_table(put("t.csv", 'system;"value, mean"\na;1\n'), Columns(value="value, mean"))
    assert rows_of(table) == [("a", "score", "", "1")]


# What is wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "columns", "field", "why"),
    [
        (LONG, {"object": "Sytem"}, "", "there is no column 'Sytem' for --object"),
        (LONG, {"conditions": {"implementation": "Evaluator"}}, "", "for the condition implementation"),
        (LONG, {"measurand": "Clarity"}, "", "there is no column 'Clarity' for --measurand"),
        (LONG, {"object": "System", "study": "System"}, "column System", "to be --object and --study"),
        ("criterion,result\nc,1\n", {}, "", "no column says what was measured: the object"),
        ("Experiment,Study,result\nO,x,1\n", {}, "", "no column says what was measured: the object"),
        ("system,criterion,study,mean\na,c,x,1\n", {}, "column study", "a column of studies and none"),
        ("system,study,place\na,c,x\n", {}, "", "a column of studies and none of values"),
        ("system,study,mean\na,c,1\n", {}, "", "a column of studies and none of values"),
        ("system,criterion,study,p,n\na,c,x,1,2\n", {"value": "p,n"}, "column study", "of studies and"),
        ("system,criterion\na,c\n", {}, "", "there is no column of values, and there are fewer"),
        ("System,Study,Score,Rating\na,o,1,2\n", {}, "", "Score and Rating could both be the value"),
        ("system,result,result\na,1,2\n", {"value": "result"}, "", "there are 2 columns 'result'"),
    ],
)  # fmt: skip
def test_columns_that_cannot_be(put: Put, text: str, columns: dict[str, Any], field: str, why: str):
    """The error names the columns, and the option to say which is which."""
    error = refused(put("t.csv", text), **columns)
    assert (error.line, error.field) == (1, field)
    assert why in error.why
    assert text.partition("\n")[0].replace(",", ", ") in error.hint or "name" in error.hint


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"scale_min": 5.0, "scale_max": 1.0}, "the scale ends at 1 and begins at 5; --scale-max"),
        ({"scale_max": 0.0}, "the scale ends at 0 and begins at 0"),
        ({"scale_min": float("nan")}, "--scale-min nan is not a number"),
        ({"scale_max": float("inf")}, "--scale-max inf is not a number"),
        ({"original": "Van der Leer"}, "no study 'Van der Leer' to be the original one; did you mean "
         "van der Lee? the studies are van der Lee, Mille"),
    ],
    ids=str,
)  # fmt: skip
def test_options_that_cannot_be(put: Put, columns: dict[str, Any], message: str):
    assert message in str(refused(put("t.csv", LONG), **columns))


def test_long_lists_of_columns_are_cut(put: Put):
    head = ",".join(f"c{n}" for n in range(50))
    hint = refused(put("t.csv", f"{head}\n{head}\n"), object="x").hint
    assert "c19 and 30 more" in hint
    assert "c20," not in hint
