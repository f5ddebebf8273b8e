"""Which columns of a table with a column for each study are studies, and which may be anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import Cli, Put
from support.tabled import notes_of, refused, rows_of

from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.qra.reading.table_heads import LAYOUTS


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


@pytest.mark.parametrize("head", ["Meaney", "Nr. 1", "P. Miller", "R1", "2019", "N. N.", "Repeat"])
def test_names_that_only_begin_alike_are_studies(put: Put, head: str):
    table = read_table(put("t.csv", f"System,Metric,O,{head}\na,F1,1,7\n"))
    assert [one.study for one in table.measurements] == ["O", head]


@pytest.mark.parametrize(
    "head",
    [
        "System,O 1 run 1,O 1 run 2,R 1 run 1,R 1 run 2",  # what they say more is of the study
        "System,Orr et al. 2020,Orr et al. 2021,Ash et al. 2020,Ash et al. 2021",
        "System,Original (Orr 2020),Repro by Ash 2021,Repro by Elm 2022,R",
        "System,Original,Lab 1 (Orr),Lab 2 (Ash),Pearson et al. 2019",
        "System,Original,Lab A,Lab B,Team C",
        "System,Original BLEU,Repro BLEU,Repro 2 BLEU,Repro 3 BLEU",  # one measure in all of them
        "System,Smith,Jones,Nguyen,Garcia",  # any names, where --measurand says what they measured
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
    (",Fluency,,,\nSystem,Original,Repro 1,Original,Repro 1", {}, 2, "B and D are one study"),
    # Names that say more than a study, and not the same.
    ("System,O (Fluency),R (Fluency),O (Adequacy),R (Adequacy)", {}, 1, "say more than a study"),
    ("System,O - Fluency,R - Fluency,O - Wit,R - Wit", {"measurand": "q"}, 1, "more than a study"),
    ("System,Original BLEU,Repro BLEU,Original chrF,Repro chrF", {}, 1, "say more than a study"),
    ("System,wit_orig,wit_repro1,charm_orig,charm_repro1", {}, 1, "same: wit_orig, charm_orig"),
    ("System,Smith en,Jones en,Smith de,Jones de", {"measurand": "m"}, 1, "same: Smith en, Jones en"),
    ("System,Metric,Original (Fluency),Repro 1 (Clarity),SD", {}, 1, "say more than a study"),
    ("System,Original,Original SD,Repro 1,Repro 1 SD", {}, 1, "same: Original, Original SD"),
    ("System,Original_x,Repro 1_x,Original_y,Repro 1_y", {}, 1, "same: Original_x, Original_y"),
    # Columns that are something else, or may be.
    (",News,,Web,\nSystem,BLEU,SARI,BLEU,SARI", {}, 2, "are measures, and there is no column of stud"),
    ("System,Criterion,Original,Repro 1,Fluency", {}, 1, "are measures, and there is no column of"),
    (",Human,,Automatic,\nSystem,Original,Repro 1,BLEU,chrF", {}, 2, "of studies: BLEU, chrF"),
    ("System,Criterion,Original,Repro 1,Raters", {}, 1, "column Raters has a name of what is measur"),
    ("System,Score (Fluency),Score (Adequacy),n,Year", {}, 1, "column Score (Fluency) has a name of v"),
    ("System,Smith,Jones,Nguyen,Garcia", {}, 1, "nor whether these columns are studies: Smith, Jon"),
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
    assert '--studies "Original,Repro 1,Original,Repro 1"' in done.stderr
    assert done.stderr.endswith(f"\n{LAYOUTS}\n")
    put("t.csv", f",Fluency,,Adequacy,\nSystem,Original,Repro 1,Original,Repro 1\n{VALUES}")
    done = cli("qra", "t.csv", "-q", "--format", "json")
    assert [
        (one["object"], one["measurand"], one["n"])
        for one in json.loads(done.stdout)["assessments"]
    ] == [(name, criterion, 2) for name in "AB" for criterion in ("Fluency", "Adequacy")]


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
