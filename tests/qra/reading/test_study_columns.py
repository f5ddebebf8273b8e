"""Which columns of a wide table are studies."""

from __future__ import annotations

from typing import Any

import pytest
from support import Put
from support.tabled import notes_of, rows_of

from primad_ld.core.errors import PrimadError
from primad_ld.qra.reading.measurement_tables import Columns, read_table


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
