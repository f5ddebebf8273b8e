"""Heads of tables below titles, in one row or two."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import Cli, Put, problem_of
from support.tabled import message_of, notes_of, rows_of

from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.qra.reading.table_heads import LAYOUTS

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


# Heads of two rows ------------------------------------------------------------------------

TWO = ",Fluency,,Adequacy,\nSystem,Original,Repro 1,Original,Repro 1\n"
VALUES = "A,4.1,4.0,3.1,3.3\nB,3.9,4.2,2.9,2.5\n"


@pytest.mark.parametrize(
    ("head", "columns", "line"),
    [
        (TWO, {}, 3),
        ("System,Fluency,,Adequacy,\n,Original,Repro 1,Original,Repro 1\n", {}, 3),
        (",Fluency,Fluency,Adequacy,Adequacy\nSystem,Original,Repro 1,Original,Repro 1\n", {}, 3),
        (TWO.replace("System", "System,"), {}, 3),  # see below: a column more
        ("Results of 2026\n\n" + TWO, {}, 5),
        ("# a remark\n" + TWO, {}, 4),
        (TWO.replace("System", "Scorer"), {}, 3),  # the first column, by its place
        (TWO.replace("System", "Scorer"), {"object": "scorer"}, 3),
        (TWO.replace("System", ""), {}, 3),  # as pandas writes columns of two levels
        (TWO, {"studies": ("original", "repro 1")}, 3),
        (TWO, {"original": "Original"}, 3),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_row_of_criteria_above_the_studies(
    put: Put, head: str, columns: dict[str, Any], line: int, delimiter: str
):
    text = head + VALUES
    if "System,," in head:  # numbers of parameters in a column that is no study
        text = head.replace(",F", ",,F").replace("System,", "System,Params") + VALUES
        text = text.replace("A,", "A,7,").replace("B,", "B,8,")
    table = read_table(put("t.csv", text.replace(",", delimiter)), Columns(**columns))
    assert rows_of(table) == [
        (name, criterion, study, value)
        for name, row in (("A", "4.1 4.0 3.1 3.3"), ("B", "3.9 4.2 2.9 2.5"))
        for (criterion, study), value in zip(
            [(c, s) for c in ("Fluency", "Adequacy") for s in ("Original", "Repro 1")],
            row.split(),
            strict=True,
        )
    ]
    assert [one.line for one in table.measurements] == [line] * 4 + [line + 1] * 4
    assert "the row above the head names what was measured: Fluency, Adequacy" in notes_of(table)


def test_columns_apart_from_those_below_criteria(put: Put):
    text = (
        "Model,,Fluency,,,Adequacy,,\n"
        "System,Test set,Original,Repro 1,Mean,Original,Repro 1,Notes\n"
        "condition seed,,1,2,,3,4,\nA,x,1,2,1.5,3,4,good\n"
    )
    table = read_table(put("t.csv", text))
    assert rows_of(table) == [
        ("A", "Fluency", "Original", "1"),
        ("A", "Fluency", "Repro 1", "2"),
        ("A", "Adequacy", "Original", "3"),
        ("A", "Adequacy", "Repro 1", "4"),
    ]
    assert [one.conditions["seed"] for one in table.measurements] == ["1", "2", "3", "4"]
    assert {one.conditions["test_set"] for one in table.measurements} == {"x"}
    assert any("left out: Mean, Notes" in note for note in notes_of(table))


def test_the_layouts_are_understood(put: Put):
    """Each of the examples that are printed is read, with a row of values below it."""
    examples = [line.strip() for line in LAYOUTS.splitlines() if line.startswith("    ")]
    found = [
        read_table(put("t.csv", "\n".join([*examples[at : at + 2], *values])))
        for at, values in ((0, ()), (2, ()), (4, ("A,4.1,4.0,3.1,3.3",)))
    ]
    assert [len(one.measurements) for one in found] == [1, 2, 4]
    assert all(one.measurements[0].measurand == "Fluency" for one in found)


# Heads that are not understood ------------------------------------------------------------

UNCLEAR: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "studies that come up again: their criteria are lost",
        TWO.partition("\n")[2],
        {},
        "t.csv:1: the columns B and D are both called Original; write what each measured into a "
        "row above them; if it is one study that measured several times, name the studies with "
        '--studies "Original,Repro 1"',
    ),
    (
        "whatever their case, and whatever options name",
        "Scorer,Original,Repro 1,original,repro 1\n",
        {"object": "scorer", "measurand": "Fluency", "original": "original"},
        "the columns B and D are both called original",
    ),
    (
        "as pandas writes names that come up again",
        "System,Original,Repro 1,Original.1,Repro 1.1\n",
        {},
        "the columns B and D are called Original and Original.1, as programs rename columns of one "
        "name; write what each measured into a row above them; if it is one study that measured "
        'several times, give its columns one name again and name the studies with --studies "Original,'
        'Repro 1"',
    ),
    (
        "below one criterion, too",
        ",Fluency,,,\nSystem,Original,Repro 1,Original,Repro 1\n",
        {},
        "t.csv:2: the columns B and D are both called Original",
    ),
    (
        "studies above criteria",
        ",Original,,Repro 1,\nSystem,Fluency,Coherence,Fluency,Coherence\n",
        {},
        "t.csv:2: the row above the head names studies (Original, Repro 1); write the criteria "
        "into the upper row, and the studies below them",
    ),
    (
        "measures below something",
        ",News,,Web,\nSystem,BLEU,SARI,BLEU,SARI\n",
        {},
        "the columns BLEU, SARI, BLEU, SARI are measures, and not studies",
    ),
    (
        "three rows",
        ",Human,,,\n,Fluency,,Adequacy,\nSystem,Original,Repro 1,Original,Repro 1\n",
        {},
        "t.csv:1: the head seems to end in row 3 and to have 3 rows; remove the rows above it, "
        "all but one",
    ),
    (
        "a study of no criterion",
        ",,Fluency,,\nSystem,Original,Repro 1,Repro 2,Repro 3\n",
        {},
        "t.csv:2: column Original: nothing above this column says what was measured; write it",
    ),
    (
        "criteria above and in a column",
        ",,Fluency,,Adequacy\nSystem,Metric,Original,Repro 1,Original\n",
        {},
        "both a row above the head (Fluency, Adequacy) and a column or --measurand say what was "
        "measured; remove one of them; to choose one measurand of several, use "
        "--where measurand='Fluency'",
    ),
    (
        "criteria above and as an option",
        TWO,
        {"measurand": "Fluency"},
        "both a row above the head (Fluency, Adequacy) and a column or --measurand say",
    ),
    (
        "something above a row for each value",
        "Model,,Human,,\nSystem,Criterion,Study,Score,Unit\n",
        {},
        "t.csv:2: the row above the head is not understood; remove it, if it is a title",
    ),
    (
        "two tables, one above the other",
        "Name,a,b\nX,1,2\n\nSystem,Original,Repro 1,Repro 2,Repro 3\n",
        {},
        "t.csv:2: the head seems to be in row 4, and this row above it has values; put each table",
    ),
    (
        "two columns of values",
        "System,Criterion,Study,Score,Rating\n",
        {},
        "t.csv:1: the columns Score and Rating could both be the value; name one with --value",
    ),
    (
        "values of two criteria",
        "System,Score (Fluency),Score (Adequacy),n,Year\n",
        {},
        "t.csv:1: column Score (Fluency): this column has a name of values, and not of a study",
    ),
    (
        "columns that may be studies, criteria or languages",
        "System,Smith,Jones,Nguyen,Garcia\n",
        {},
        "t.csv:1: nothing says whether the columns Smith, Jones, Nguyen, Garcia are studies; if "
        "they are, say what they measured with --measurand, or name them with --studies "
        '"Smith,Jones,Nguyen,Garcia"',
    ),
    (
        "criteria in brackets",
        "System,Original (Fluency),Repro 1 (Fluency),Original (Adequacy),Repro 1 (Adequacy)\n",
        {},
        "t.csv:1: the columns Original (Fluency), Repro 1 (Fluency), Original (Adequacy), "
        "Repro 1 (Adequacy) seem to say more than a study, and not the same; write what was "
        "measured into a row above the studies, or into a column of its own; if some of these "
        "columns are studies that measured one thing, name them with --studies",
    ),
    (
        "criteria after a dash, also if an option names what was measured",
        "System,Original - Fluency,Repro 1 - Fluency,Original - Adequacy,Repro 1 - Adequacy\n",
        {"measurand": "quality"},
        "the columns Original - Fluency, Repro 1 - Fluency, Original - Adequacy, Repro 1 - Adequ",
    ),
    (
        "measures after studies",
        "System,Original BLEU,Repro BLEU,Original chrF,Repro chrF\n",
        {},
        "the columns Original BLEU, Repro BLEU, Original chrF, Repro chrF seem to say more",
    ),
    (
        "criteria before studies",
        "System,wit_orig,wit_repro1,charm_orig,charm_repro1\n",
        {},
        "the columns wit_orig, charm_orig seem to say more than a study, and not the same",
    ),
    (
        "languages after names",
        "System,Smith en,Jones en,Smith de,Jones de\n",
        {"measurand": "BLEU"},
        "the columns Smith en, Jones en, Smith de, Jones de seem to say more than a study",
    ),
    (
        "each study with another criterion",
        "System,Metric,Original (Fluency),Repro 1 (Clarity),SD\n",
        {},
        "the columns Original (Fluency), Repro 1 (Clarity) seem to say more than a study",
    ),
    (
        "deviations beside values",
        "System,Original,Original SD,Repro 1,Repro 1 SD\n",
        {},
        "the columns Original, Original SD seem to say more than a study",
    ),
    (
        "as pandas writes names of two tables",
        "System,Original_x,Repro 1_x,Original_y,Repro 1_y\n",
        {},
        "the columns Original_x, Original_y seem to say more than a study",
    ),
    (
        "as readr writes names that come up again",
        "System,Original...2,Repro 1...3,Original...4,Repro 1...5\n",
        {},
        "the columns B and D are called Original...2 and Original...4, as programs rename",
    ),
    (
        "a criterion beside studies",
        "System,Criterion,Original,Repro 1,Fluency\n",
        {},
        "t.csv:1: the column Fluency is a measure, not a study; write a row for each value",
    ),
    (
        "measures beside studies, below something",
        ",Human,,Automatic,\nSystem,Original,Repro 1,BLEU,chrF\n",
        {},
        "t.csv:2: the columns BLEU, chrF are measures, and not studies; write a row for each",
    ),
    (
        "counts of raters beside studies",
        "System,Criterion,Original,Repro 1,Raters\n",
        {},
        "t.csv:1: column Raters: this column has a name of what is measured, and not of a study",
    ),
    ("a column without a name", "System,O,,R,R2\n", {}, "column C: this column has no head"),
]


@pytest.mark.parametrize(
    ("head", "columns", "message"),
    [case[1:] for case in UNCLEAR],
    ids=[case[0] for case in UNCLEAR],
)
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_heads_that_are_not_understood(
    put: Put, head: str, columns: dict[str, Any], message: str, delimiter: str
):
    """They are refused, whatever notes are printed, with the layouts that are understood."""
    path = put("t.csv", (head + VALUES).replace(",", delimiter))
    assert message in message_of(path, **columns)
    error = problem_of(lambda: read_table(path, Columns(**columns)))
    assert error is not None
    assert error.__notes__ == [LAYOUTS]


def test_a_head_of_two_rows_on_the_command_line(put: Put, cli: Cli):
    put("t.csv", TWO + VALUES)
    done = cli("qra", "t.csv", "-q", "--format", "json")
    assert done.exit_code == 0
    assert [
        (one["object"], one["measurand"], one["n"])
        for one in json.loads(done.stdout)["assessments"]
    ] == [(name, criterion, 2) for name in "AB" for criterion in ("Fluency", "Adequacy")]
    put("t.csv", TWO.partition("\n")[2] + VALUES)
    done = cli("qra", "t.csv", "-q")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.endswith(f"\n{LAYOUTS}\n")
