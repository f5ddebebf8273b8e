"""What a table repeats, and names that look alike."""

from __future__ import annotations

from typing import Any

import pytest
from support import Cli, Put
from support.tabled import book_of, message_of, notes_of

from primad_ld.qra.reading.measurement_tables import Columns, read_table

# Repetitions ------------------------------------------------------------------------------


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


# Names ------------------------------------------------------------------------------------


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


# Rows of wide tables ----------------------------------------------------------------------

SECTIONS = "System,Original,Repro 1\nFluency,,\nbase,4.1,4.0\nAdequacy,,\nbase,3.1,3.3\n"
TWICE = (
    "nothing tells the rows apart; if they are values of different things, add a column that says "
    "of what, such as Criterion, or name the column with --measurand or --group; if one thing was "
    "measured several times, number the rows in a column Run"
)


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        (
            SECTIONS,
            {},
            ":2: this row has a name, 'Fluency', and no value, and nothing says what was measured; "
            "if it says what the rows below it measured, write it into a column Criterion in each "
            "row; if it was not measured, remove the row",
        ),
        # criteria of any name, and a known name anywhere
        (SECTIONS.replace("Fluency", "Wit"), {}, ":2: this row has a name, 'Wit', and no value"),
        (
            SECTIONS.replace("Fluency,,\n", "").replace("base,3", "big,3"),
            {},
            ":3: this row has a name, 'Adequacy', and no value",
        ),
        # in the column beside the systems
        (",System,O,R\nWit,,,\n,a,4,4\n", {}, ":2: this row has a name, 'Wit', and no value"),
        # a row for each value
        (
            "System,Study,Score\nWit,,\nbase,Original,4.1\nbase,Repro 1,4.0\n",
            {},
            ":2: this row has a name, 'Wit', and no value",
        ),
        (
            SECTIONS,
            {"measurand": "quality"},
            ":5: this row and line 3 both have values of base, qu",
        ),
        (
            "System,Original,Repro 1\nbase,4.1,4.0\nbase,3.1,3.3\n",
            {},
            f":3: this row and line 2 both have values of base, score, and {TWICE}",
        ),
        # what is about rows or values tells nothing
        ("No.,System,O,R,Mean,Note\n1,a,4,4,4,x\n2,a,3,3,3,y\n", {}, f"of a, score, and {TWICE}"),
        ("System,Seed,O,R\na,1,4,4\na,1,3,3\n", {}, f"of a, score, and {TWICE}"),
        (
            "System,Lang,O,R\na,en,4,4\na,de,3,3\n",
            {"studies": ["O", "R"]},
            ":3: O has 2 values of a, score, which the column Lang (en, de) would tell apart",
        ),
    ],
)
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_rows_that_nothing_tells_apart(
    put: Put, text: str, columns: dict[str, Any], message: str, suffix: str
):
    rows = [[cell or None for cell in row.split(",")] for row in text.splitlines()]
    path = put(f"t{suffix}", text if suffix == ".csv" else book_of(rows))
    assert message in message_of(path, **columns)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("System,Seed,O,R\na,1,4,4\na,2,3,3\n", {}),
        ("System,Criterion,Run no.,O,R\na,F,1,4,4\na,F,2,3,3\n", {}),
        ("System,Year,O,R\na,1999,4,4\na,2001,3,3\n", {"conditions": {"year": "Year"}}),
        ("System,Lang,O,R\na,en,4,4\na,de,3,3\n", {"group": "Lang"}),
        ("System,O,R,O,R\na,4,4,3,3\n", {"studies": ["O", "R"]}),
        # names of studies that say more of the study alone
        ("System,O 1 run 1,O 1 run 2,R 1 run 1,R 1 run 2\na,4,4,3,3\n", {"measurand": "F"}),
        ("System,Orr et al. 2020,Orr et al. 2021,Ash et al. 2020,Ash et al. 2021\na,4,4,3,3\n", {}),
        ("System,Original (Orr 2020),Repro by Ash 2021,Repro by Elm 2022,R\na,4,4,3,3\n", {}),
        ("System,Original,Lab 1 (Orr),Lab 2 (Ash),Pearson et al. 2019\na,4,4,3,3\n", {}),
        ("System,Original,Lab A,Lab B,Team C\na,4,4,3,3\n", {}),
        # one measure in all of them, and what --studies says is not doubted
        ("System,Original BLEU,Repro BLEU,Repro 2 BLEU,Repro 3 BLEU\na,4,4,3,3\n", {}),
        (
            "System,Kit en,Ivy en,Kit de,Ivy de\na,4,4,3,3\n",
            {"studies": ["Kit en", "Ivy en", "Kit de", "Ivy de"]},
        ),
        # a system that was not measured
        ("System,O,R\na,4,4\nbig,,\nb,3,3\n", {}),
    ],
)
def test_repetitions_and_studies_that_are_what_they_seem(
    put: Put, text: str, columns: dict[str, Any]
):
    assert len(read_table(put("t.csv", text), Columns(**columns)).measurements) == 4
