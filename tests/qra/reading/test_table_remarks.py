"""What a table repeats, and names that look alike."""

from __future__ import annotations

from typing import Any

import pytest
from support import Cli, Put
from support.tabled import book_of, notes_of, refused

from primad_ld.qra.reading.measurement_tables import Columns, read_table


def twice(head: str, cells: str) -> str:
    """A table in which each of two studies has two values, told apart by one more column."""
    a, b, c, d = cells.split()
    return (
        f"System,Criterion,Study,Score,{head}\nA,F1,o,70,{a}\nA,F1,r,71,{b}\nA,F1,o,50,{c}\n"
        f"A,F1,r,51,{d}\n"
    )


# Repetitions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "cells", "why"),
    [
        ("Lang", "en en de de", "column Lang (en, de)"),  # a text
        ("Item", "1 1 2 2", "column Item (1, 2)"),
        ("Annotator", "1 2 3 4", "column Annotator (1, 3)"),
        ("QC", "a a b ?", "column QC (a, b)"),
        ("QC", "1 1 2 2", "column QC (1, 2)"),  # numbers of criteria
        ("Temperature", "0.7 0.7 1.0 1.0", "column Temperature (0.7, 1.0)"),
    ],
)
def test_values_of_different_things_are_not_one_set(put: Put, head: str, cells: str, why: str):
    path = put("t.csv", twice(head, cells))
    error = refused(path)
    assert error.line == 4
    assert f"o has 2 values of A, F1, told apart by the {why}" in error.why
    assert error.hint.startswith("average them first") is (head in ("Item", "Annotator", "Lang"))
    # Whatever the message advises is enough.
    for columns in (
        Columns(group=head),
        Columns(measurand=head),
        Columns(conditions={head: head}),
        Columns(where={head: cells.partition(" ")[0]}),
    ):
        assert len(read_table(path, columns).measurements) == 4


@pytest.mark.parametrize(
    ("head", "cells"),
    [
        ("Seed", "1 1 2 2"),  # numbers
        ("Run", "a1 a2 a3 a4"),  # as many as there are rows
        ("Comment", "good good bad bad"),
        ("Random seed", "7 7 8 8"),
        ("SD", "0.1 0.1 0.2 0.2"),  # about the value, as n and p are
        ("Runtime", "11.5 12.5 13.5 14.5"),  # measured beside: no number comes up again
    ],
)
def test_repetitions_are_legitimate(put: Put, head: str, cells: str):
    table = read_table(put("t.csv", twice(head, cells)))
    assert len(table.measurements) == 4
    assert notes_of(table)[1:] == [
        f"not used: {head} (--where can choose by them)",
        f"o has 2 values of A, F1, told apart by the unused column {head}; they count as repeated "
        f'measurements (--conditions "{head}={head}" makes it a condition)',
    ]


def test_conditions_that_somebody_left_out_tell_repetitions_apart(put: Put):
    text = "System,Criterion,Study,Score,Test set,Procedure\nA,F1,o,1,x,p\nA,F1,o,2,y,p\n"
    table = read_table(put("t.csv", text), Columns(conditions={"procedure": "Procedure"}))
    assert len(table.measurements) == 2
    assert "told apart by the unused column Test set; they count" in notes_of(table)[-1]


def test_without_studies_texts_tell_apart_all_the_same(put: Put):
    text = "System,Criterion,Score,Lab\nA,F1,70,here\nA,F1,71,there\n"
    error = refused(put("t.csv", text))
    assert error.why.startswith(
        "there are 2 values of A, F1 without a study, told apart by the col"
    )
    assert error.hint.startswith('use --study "Lab" if it is the study, --group "Lab" or')
    seeds = read_table(put("t.csv", "System,Criterion,Score,Seed\nA,F1,70,1\nA,F1,71,2\n"))
    assert notes_of(seeds)[-1].startswith("there are 2 values of A, F1 without a study")
    named = read_table(put("t.csv", text), Columns(study="Lab"))
    assert notes_of(named) == ["2 values of 1 object, 1 measurand, 2 studies"]


def test_what_people_ask_for(put: Put, cli: Cli):
    path = put("t.csv", "System,Criterion,Study,Score,Lang\na,F,o,1,en\na,F,o,2,de\na,F,r,1,en\n")
    assert cli("qra", path).exit_code == 2
    for options in (("--where", "Lang=en"), ("--group", "Lang"), ("--conditions", "Lang=Lang")):
        assert cli("qra", path, *options).exit_code == 0
    # What --where names may be in another one of several files.
    assert len(read_table(path, Columns(where={"Seed": "1"})).measurements) == 3


# Rows of wide tables ----------------------------------------------------------------------

SECTIONS = "System,Original,Repro 1\nFluency,,\nbase,4.1,4.0\nAdequacy,,\nbase,3.1,3.3\n"
NAME = "this row has a name, '{}', and no value, and nothing says what was measured"
ROWS = "this row and line {} both have values of {}, {}, and nothing tells the rows apart"


@pytest.mark.parametrize(
    ("text", "columns", "line", "why"),
    [
        (SECTIONS, {}, 2, NAME.format("Fluency")),
        # criteria of any name, and a known name anywhere
        (SECTIONS.replace("Fluency", "Wit"), {}, 2, NAME.format("Wit")),
        (SECTIONS.replace("Fluency,,\n", "").replace("e,3", "g,3"), {}, 3, NAME.format("Adequacy")),
        # in the column beside the systems
        (",System,O,R\nWit,,,\n,a,4,4\n", {}, 2, NAME.format("Wit")),
        # a row for each value
        ("System,Study,Score\nWit,,\nbase,O,4.1\nbase,R,4.0\n", {}, 2, NAME.format("Wit")),
        (SECTIONS, {"measurand": "wit"}, 5, ROWS.format(3, "base", "wit")),
        ("System,O,R\nbase,4.1,4.0\nbase,3.1,3.3\n", {}, 3, ROWS.format(2, "base", "score")),
        # what is about rows or values tells nothing
        (
            "No.,System,O,R,Mean,Note\n1,a,4,4,4,x\n2,a,3,3,3,y\n",
            {},
            3,
            ROWS.format(2, "a", "score"),
        ),
        ("System,Seed,O,R\na,1,4,4\na,1,3,3\n", {}, 3, ROWS.format(2, "a", "score")),
        (
            "System,Lang,O,R\na,en,4,4\na,de,3,3\n",
            {"studies": ["O", "R"]},
            3,
            "O has 2 values of a, score, told apart by the column Lang (en, de)",
        ),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_rows_that_nothing_tells_apart(
    put: Put, text: str, columns: dict[str, Any], line: int, why: str, suffix: str
):
    rows = [[cell or None for cell in row.split(",")] for row in text.splitlines()]
    path = put(f"t{suffix}", text if suffix == ".csv" else book_of(rows))
    error = refused(path, **columns)
    assert error.line == line
    assert why in error.why


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("System,Seed,O,R\na,1,4,4\na,2,3,3\n", {}),
        ("System,Criterion,Run no.,O,R\na,F,1,4,4\na,F,2,3,3\n", {}),
        ("System,Year,O,R\na,1999,4,4\na,2001,3,3\n", {"conditions": {"year": "Year"}}),
        ("System,Lang,O,R\na,en,4,4\na,de,3,3\n", {"group": "Lang"}),
        ("System,O,R,O,R\na,4,4,3,3\n", {"studies": ["O", "R"]}),
        ("System,O,R\na,4,4\nbig,,\nb,3,3\n", {"measurand": "F"}),  # a system that was not measured
        ("System,Criterion,O,R\nWit,,,\na,F,4,4\na,G,4,4\n", {}),  # the column says the criterion
    ],
)
def test_rows_that_are_what_they_seem(put: Put, text: str, columns: dict[str, Any]):
    assert len(read_table(put("t.csv", text), Columns(**columns)).measurements) == 4


# Names ------------------------------------------------------------------------------------


def test_blanks_in_names(put: Put):
    text = (
        "System,Criterion,Study,Score,Test set\n"
        "mult\u00a0base,F1,the  lab,1,x\u2009y\nmult base\u200b,F1\u3000,the lab,2,x y\n"
    )
    table = read_table(put("t.csv", text))
    assert {
        (one.object, one.measurand, one.study, one.conditions["test_set"])
        for one in table.measurements
    } == {("mult base", "F1", "the lab", "x y")}
    assert notes_of(table) == ["2 values of 1 object, 1 measurand, 1 study"]


def test_names_that_look_alike(put: Put):
    text = (
        "System,Criterion,Study,Score,Test set\n"
        "BART,F1,Lab,1,News\nBart,f1,lab,2,news\nT5,F1,Lab,3,News\n"
    )
    assert notes_of(read_table(put("t.csv", text)))[1:] == [
        f"{one} and {other} are two {what}; if they are one, write them alike"
        for one, other, what in (
            ("BART", "Bart", "systems"),
            ("F1", "f1", "measurands"),
            ("Lab", "lab", "studies"),
            ("News", "news", "values of test_set"),
        )
    ]
    many = "".join(f"{name},F1,x,1\n" for n in range(9) for name in (f"a{n}", f"A{n}"))
    notes = notes_of(read_table(put("t.csv", f"System,Criterion,Study,Score\n{many}")))
    assert (len(notes), notes[-1]) == (7, "4 more names look alike")


def test_how_much_a_table_holds(put: Put):
    path = put("t.csv", "System,Criterion,Study,Group,Score\na,c,s,g,1\na,d,r,g,1\nb,c,s,h,1\n")
    notes = (f"{path}: 3 values of 2 objects, 2 measurands, 2 studies, 2 groups",)
    assert read_table(path).notes == notes
