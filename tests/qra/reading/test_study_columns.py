"""Which columns of a table with a column for each study are studies, and which may be anything."""

from __future__ import annotations

from typing import Any

import pytest
from support import Cli, Put
from support.tabled import notes_of, refused, rows_of

from primad_ld.qra.reading.cells import LAYOUTS
from primad_ld.qra.reading.measurement_tables import Columns, read_table


@pytest.mark.parametrize(
    "head",
    [
        *("Mean", "Avg.", "St.Dev.", "Stdev (n-1)", "CV* (%)", "p-value", "P_value", "n", "#"),
        *("Year", "∆", "Max", "95% CI", "Note", "Parameters (M)", "Mean (SD)", "Unnamed: 3"),
        *("random seed", "Runtime (s)", "Run", "Trial no.", "Pearson's r", "Krippendorff's α"),
    ],
)
def test_columns_that_are_no_studies(put: Put, head: str):
    table = read_table(put("t.csv", f"System,Metric,O,{head},R\na,F1,1,7,2\nb,F1,3,8,4\n"))
    assert [(one.study, one.value) for one in table.measurements] == [
        *(("O", 1), ("R", 2), ("O", 3), ("R", 4)),
    ]
    assert [dict(one.said) for one in table.measurements[1:3]] == [{head: "7"}, {head: "8"}]
    assert notes_of(table)[-1] == (
        f"columns whose names are none of studies are left out: {head} "
        "(--studies says which columns are studies)"
    )


@pytest.mark.parametrize("head", ["R1", "2019", "Repeat", "Rep. 2", "Meaney et al."])
def test_names_that_only_begin_alike_are_studies(put: Put, head: str):
    table = read_table(put("t.csv", f"System,Metric,O,{head}\na,F1,1,7\n"))
    assert [one.study for one in table.measurements] == ["O", head]


@pytest.mark.parametrize(
    "head",
    [
        "System,Orr et al. 2020,Orr et al. 2021,Ash et al. 2020,Ash et al. 2021",
        "System,Original (Orr 2020),Repro by Ash 2021,Repro by Elm 2022,R",
        "System,Original,Lab 1,Lab 2,Pearson et al. 2019",
        "System,Original,Lab A,Lab B,Team C",
    ],
)
def test_names_of_studies(put: Put, head: str):
    table = read_table(put("t.csv", f"{head}\na,4,4,3,3\n"), Columns(measurand="F"))
    assert [one.study for one in table.measurements] == head.split(",")[1:]


def test_studies_that_somebody_names(put: Put):
    text = "System,Metric,O,Mean,Result,r,r\na,F1,1,2,3,4,5\n"
    table = read_table(put("t.csv", text), Columns(studies=("R", "Mean")))
    assert [(one.study, one.value) for one in table.measurements] == [
        *(("Mean", 2), ("r", 4), ("r", 5)),
    ]
    assert dict(table.measurements[0].said) == {"O": "1", "Result": "3"}
    assert notes_of(table)[1:] == ["not used: O, Result (--where can choose by them)"]
    # One is enough if it is named; and so may the first column be one.
    one = read_table(put("t.csv", "O,name\n1,a\n"), Columns(studies=("O",), measurand="m"))
    assert rows_of(one) == [("a", "m", "O", "1")]
    # What somebody says is not doubted.
    doubtful = "System,Kit en,Ivy en,Kit de,Ivy de"
    columns = Columns(studies=tuple(doubtful.split(",")[1:]))
    assert len(read_table(put("t.csv", f"{doubtful}\na,4,4,3,3\n"), columns).measurements) == 4


VALUES = "A,4.1,4.0,3.1,3.3\nB,3.9,4.2,2.9,2.5\n"

#: A head, what options say, the line of the error, and why it is refused.
UNCLEAR: list[tuple[str, dict[str, Any], int, str]] = [
    # Studies that come up again: their criteria are lost.
    ("System,Original,Repro 1,Original,Repro 1", {}, 1, "B and D are one study by their names"),
    ("Scorer,O,R,o,r", {"object": "scorer", "measurand": "F", "original": "o"}, 1, "B and D are one"),
    ("System,Original,Repro 1,Original.1,Repro 1.1", {}, 1, "names, Original and Original.1"),
    ("System,O...2,R...3,O...4,R...5", {}, 1, "B and D are one study by their names"),  # by readr
    # Names that say more than a study.
    ("System,O (Fluency),R (Fluency),O (Adequacy),R (Adequacy)", {}, 1, "columns are studies: O (Flu"),
    ("System,O - Fluency,R - Fluency,O - Wit,R - Wit", {"measurand": "q"}, 1, "studies: O - Fluency"),
    ("System,wit_orig,wit_repro1,charm_orig,charm_repro1", {}, 1, "columns are studies: wit_orig"),
    ("System,Original,Original SD,Repro 1,Repro 1 SD", {}, 1, "studies: Original SD, Repro 1 SD"),
    # Columns that are something else, or may be.
    (",Fluency,,,\nSystem,Original,Repro 1,Original,Repro 1", {}, 2, "B and D are one study"),
    (",Human,,Automatic,\nSystem,Original,Repro 1,BLEU,chrF", {}, 2, "columns are studies: BLEU"),
    ("System,Criterion,Original,Repro 1,Fluency", {}, 1, "columns are studies: Fluency"),
    ("System,Criterion,Original,Repro 1,Raters", {}, 1, "columns are studies: Raters"),
    ("System,Score (Fluency),Score (Adequacy),n,Year", {}, 1, "columns are studies: Score (Fluency)"),
    ("System,Smith,Jones,Nguyen,Garcia", {"measurand": "F"}, 1, "columns are studies: Smith, Jones"),
    ("System,Criterion,Smith,Jones,Nguyen", {}, 1, "columns are studies: Smith, Jones"),
    ("System,O,,R,R2", {}, 1, "column C has no head"),
    ("System,Criterion,O,SD,p", {}, 1, "fewer than two columns of studies"),
    ("System,Criterion,Notes,SD,p", {}, 1, "fewer than two columns of studies"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "columns", "line", "why"), UNCLEAR, ids=[one[3] for one in UNCLEAR]
)
def test_columns_that_may_be_anything(
    put: Put, head: str, columns: dict[str, Any], line: int, why: str
):
    """They are refused, with the options to say what they are and the layouts that are read."""
    for delimiter in ",\t":
        error = refused(put("t.csv", f"{head}\n{VALUES}".replace(",", delimiter)), **columns)
        assert error.line == line
        assert why in error.why
        assert "--value" in error.hint
        assert error.__notes__ == [LAYOUTS]


def test_the_option_that_helps_is_printed(put: Put, cli: Cli):
    """With the names of the studies, as they were before a program numbered them."""
    put("t.csv", f"System,Original,Repro 1,Original.1,Repro 1.1\n{VALUES}")
    done = cli("qra", "t.csv", "-q")
    assert (done.exit_code, done.stdout) == (2, "")
    assert '--studies "Original,Repro 1"' in done.stderr
    assert done.stderr.endswith(f"\n{LAYOUTS}\n")


def test_the_layouts_are_understood(put: Put):
    """Each of the examples that are printed is read, with a row of values below it."""
    examples = [line.strip() for line in LAYOUTS.splitlines() if line.startswith("    ")]
    below = {0: (), 2: (), 4: (), 6: ("A,4.1,4.0,3.1,3.3",)}
    tables = [
        read_table(put("t.csv", "\n".join([*examples[at : at + 2], *values])))
        for at, values in below.items()
    ]
    assert [len(one.measurements) for one in tables] == [1, 2, 2, 4]
    assert all(one.measurements[0].measurand == "Fluency" for one in tables)


def test_names_with_line_breaks_in_the_head(put: Put):
    text = 'Metric,"The\nsystem",o,r\nF1,a,1,2\n'
    table = read_table(put("t.csv", text), Columns(object="the system"))
    assert rows_of(table) == [("a", "F1", "o", "1"), ("a", "F1", "r", "2")]
    assert table.measurements[0].line == 3


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"studies": ("O", "Repro 3")}, "there is no column 'Repro 3' for --studies"),
        ({"studies": ("O",), "value": "Mean"}, "--studies names columns of values and --value"),
        ({"studies": ("O",), "study": "Mean"}, "--studies names columns of values and --study"),
    ],
)
def test_studies_that_cannot_be(put: Put, columns: dict[str, Any], why: str):
    path = put("t.csv", "System,Metric,O,Repro 1,Mean\na,F1,1,2,3\n")
    assert why in str(refused(path, **columns))


# Heads of two rows ------------------------------------------------------------------------

TWO = ",Fluency,,Adequacy,\nSystem,Original,Repro 1,Original,Repro 1\n"


@pytest.mark.parametrize(
    ("head", "columns", "line"),
    [
        (TWO, {}, 3),
        ("System,Fluency,,Adequacy,\n,Original,Repro 1,Original,Repro 1\n", {}, 3),
        (",Fluency,Fluency,Adequacy,Adequacy\nSystem,Original,Repro 1,Original,Repro 1\n", {}, 3),
        (TWO.replace("System", "System,"), {}, 3),  # see below: a column more
        ("# a remark\n" + TWO, {}, 4),
        (TWO.replace("System", "Scorer"), {}, 3),  # the first column, by its place
        (TWO.replace("System", "Scorer"), {"object": "scorer"}, 3),
        (TWO.replace("System", ""), {}, 3),  # as pandas writes columns of two levels
        (TWO, {"studies": ("original", "repro 1")}, 3),
        (TWO, {"original": "Original"}, 3),
    ],
)
@pytest.mark.parametrize("delimiter", [",", "\t"])
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
    assert [row[1:] for row in rows_of(table)] == [
        ("Fluency", "Original", "1"),
        ("Fluency", "Repro 1", "2"),
        ("Adequacy", "Original", "3"),
        ("Adequacy", "Repro 1", "4"),
    ]
    assert [one.conditions["seed"] for one in table.measurements] == ["1", "2", "3", "4"]
    assert {one.conditions["test_set"] for one in table.measurements} == {"x"}
    assert any("left out: Mean, Notes" in note for note in notes_of(table))


@pytest.mark.parametrize(
    ("head", "columns", "line", "why"),
    [
        ("Results\n\nName,what,o,r\n", {}, 1, "fewer than two columns of studies"),
        ("Results of 2026,,,,\nSystem,O,R,R2,R3\n", {}, 2, "row above the head is not understood"),
        (",Original,,Repro 1,\nSystem,F,C,F,C\n", {}, 2, "columns are studies: F, C, F, C"),
        (",,Fluency,,Clarity\nSystem,Metric,O,R,O\n", {}, 2, "above the head is not understood (Fl"),
        (TWO, {"measurand": "Fluency"}, 2, "row above the head is not understood (Fluency, Adequacy)"),
        ("Model,,Human,,\nSystem,Criterion,Study,Score,Unit\n", {}, 2, "the row above the head is no"),
        (",,Fluency,,\nSystem,O,R,R2,R3\n", {}, 2, "nothing above column O says what was measured"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_rows_above_that_are_not_understood(
    put: Put, head: str, columns: dict[str, Any], line: int, why: str, delimiter: str
):
    error = refused(put("t.csv", (head + VALUES).replace(",", delimiter)), **columns)
    assert error.line == line
    assert why in error.why
    assert error.__notes__ == [LAYOUTS]
