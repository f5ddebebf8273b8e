"""The measurements of the QRA paper as tables: long, in the layouts of its Tables 4 and 6, .xlsx.

What is read is what the paper's measurements are, whose figures are tested elsewhere.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml
from support import reference_data

from primad_ld.qra.measurements import CONDITIONS, MeasurementTable
from primad_ld.qra.precision_assessments import assess
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurement_tables import Columns, read_table

QRA = reference_data() / "qra"
Rows = Sequence[Sequence[str]]


def loaded(name: str) -> Any:
    return yaml.safe_load((QRA / name).read_text(encoding="utf-8"))


def as_text(path: Path, rows: Rows) -> Path:
    path = path.with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return path


def as_workbook(path: Path, rows: Rows) -> Path:
    """The same table as somebody types it into a spreadsheet program: numbers are numbers."""
    book = openpyxl.Workbook()
    for line, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            cell = book.active.cell(line, column)
            bare = text.removesuffix("%")
            cell.value = text
            if bare.replace(".", "", 1).isdecimal():
                cell.value = float(bare) / 100 if text != bare else float(bare)
                cell.number_format = "0.00%" if text != bare else "0.00"
    path = path.with_suffix(".xlsx")
    book.save(path)
    return path


Write = Callable[[Path, Rows], Path]
in_both_forms = pytest.mark.parametrize("write", [as_text, as_workbook], ids=["csv", "xlsx"])


def values_of(table: MeasurementTable) -> Counter[tuple[str, str, float]]:
    return Counter((one.object, one.measurand, one.value) for one in table.measurements)


@in_both_forms
@pytest.mark.parametrize("name", ["qra_pass.yaml", "qra_nts.yaml"])
def test_a_row_for_each_measurement(tmp_path: Path, write: Write, name: str) -> None:
    """Ratings from 1 on beside percentages: one option for the scale is enough."""
    top = loaded(name)
    heads = [one["table_header"] for one in top["condition_names"].values()]
    rows = [["Object", "Measurand", *heads, "Measured value"]]
    for one in top["measurements"]:
        conditions = [one["conditions"][key] for key in CONDITIONS]
        rows.append([one["object"], one["measurand"], *conditions, one["value_printed"]])
    is_pass = name == "qra_pass.yaml"
    table = read_table(write(tmp_path / "long", rows), Columns(scale_min=1.0 if is_pass else None))
    paper = read_measurements(QRA / name)
    assert list(table.conditions) == list(CONDITIONS)
    for one, other in zip(table.measurements, paper.measurements, strict=True):
        assert (one.object, one.measurand, one.value) == (
            *(other.object, other.measurand, other.value),
        )
        assert dict(one.conditions) == dict(other.conditions)
        assert one.scale.minimum == (1 if is_pass and not one.is_percent else 0)
    ours, theirs = (
        {one.measurand: one.precision for one in assess(some)} for some in (table, paper)
    )
    assert ours == theirs


@in_both_forms
def test_the_layout_of_table_4(tmp_path: Path, write: Write) -> None:
    """A row for each system and metric, a column for each time that somebody measured."""
    studies = ["Nisioi et al.", *["Coop. & Shard."] * 2, *["this paper"] * 4]
    cells: dict[tuple[str, str], list[str]] = {}
    for one in loaded("qra_nts.yaml")["measurements"]:
        row = cells.setdefault((one["object"], one["measurand"]), [""] * len(studies))
        study = one["conditions"]["performed_by"]
        place = next(at for at, name in enumerate(studies) if name == study and not row[at])
        row[place] = one["value_printed"]
    rows = [["system", "metric", *studies], *([*names, *row] for names, row in cells.items())]
    columns = Columns(original="Nisioi et al.", studies=tuple(studies))
    table = read_table(write(tmp_path / "table4", rows), columns)
    assert values_of(table) == values_of(read_measurements(QRA / "qra_nts.yaml"))
    assert {one.study for one in table.measurements} == set(studies)
    assert sum(one.is_original for one in table.measurements) == 4


@in_both_forms
def test_the_layout_of_table_6(tmp_path: Path, write: Write) -> None:
    """A row for each system, a column for each reproduction, one metric; empty cells and dashes."""
    paper = read_measurements(QRA / "qra_nts.yaml")
    by_object: dict[str, list[Any]] = {}
    for one in paper.measurements:
        if one.measurand == "BLEU":
            by_object.setdefault(one.object, []).append(one)
    first = by_object["NTS_def"]
    rows = [
        ["", *(f"e{number}" for number in range(1, 8))],
        ["condition implem. by", *(one.conditions["implementation"] for one in first)],
        *(
            [name, *(one.text for one in some), *["–"] * (7 - len(some))]
            for name, some in by_object.items()
        ),
    ]
    table = read_table(write(tmp_path / "table6", rows), Columns(measurand="BLEU"))
    assert values_of(table) == Counter(
        {key: times for key, times in values_of(paper).items() if key[1] == "BLEU"}
    )
    assert list(table.conditions) == ["implementation"]
    assert [one.conditions["implementation"] for one in table.measurements[:7]] == [
        one.conditions["implementation"] for one in first
    ]


def test_the_head_of_the_later_tool(tmp_path: Path) -> None:
    """Its experiments are our studies; what it calls a study is a group."""
    said = loaded("qra3_reference_outputs.yaml")
    rows = [["Key", "Study", "Experiment", "System", "Criterion", "Result"]]
    for experiment, values in said["studies"]["n3"]["Readability"].items():
        for system, value in zip(said["systems"], values, strict=True):
            rows.append(["k", "Yao2022", experiment, system, "Readability", repr(value)])
    table = read_table(as_text(tmp_path / "later", rows), Columns(scale_min=1.0))
    assert {one.group for one in table.measurements} == {"Yao2022"}
    assert {one.study: one.is_original for one in table.measurements} == {
        "O": True,
        "R1": False,
        "R3": False,
    }
    assert [[one.study, one.object, one.text] for one in table.measurements] == [
        [row[2], row[3], row[5]] for row in rows[1:]
    ]
