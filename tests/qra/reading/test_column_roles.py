"""Which column of a table holds what."""

from __future__ import annotations

from typing import Any

import pytest
from support import Put
from support.tabled import message_of

from primad_ld.core.errors import MeasureError
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
    ("columns", "message"),
    [
        (
            {"original": "Van der Leer"},
            "there is no study 'Van der Leer' to be the original one; did you mean van der Lee? "
            "the studies are van der Lee, Mille",
        ),
        (
            {"scale_min": 5.0, "scale_max": 1.0},
            "the scale ends at 1 and begins at 5; --scale-max must be above --scale-min",
        ),
        ({"scale_max": 0.0}, "the scale ends at 0 and begins at 0"),
        ({"scale_min": float("nan")}, "--scale-min nan is no number"),
        ({"scale_max": float("inf")}, "--scale-max inf is no number"),
    ],
    ids=str,
)
def test_options_that_cannot_be(put: Put, columns: dict[str, Any], message: str):
    path = put("t.csv", LONG)
    with pytest.raises(MeasureError) as caught:
        read_table(path, Columns(**columns))
    assert message in str(caught.value)


def test_long_lists_of_columns_are_cut(put: Put):
    head = ",".join(f"c{n}" for n in range(50))
    message = message_of(put("t.csv", f"{head}\n{head}\n"), object="x")
    assert "c19 and 30 more" in message
    assert "c20," not in message
