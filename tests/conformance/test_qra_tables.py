"""The measurements of the QRA paper as tables: long, in the layouts of its Tables 4 and 6, .xlsx."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml
from support import reference_data

from primad_ld.qra.measurements import CONDITIONS, MeasurementTable
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import PrecisionAssessment, PrecisionKind, assess
from primad_ld.qra.reading import read_measurements
from primad_ld.qra.reading.measurement_tables import Columns, read_table
from primad_ld.tables.answers import half_up

QRA = reference_data() / "qra"
Rows = Sequence[Sequence[str]]


def loaded(name: str) -> Any:
    return yaml.safe_load((QRA / name).read_text(encoding="utf-8"))


def csv_of(rows: Rows) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()


def as_text(path: Path, rows: Rows) -> Path:
    path = path.with_suffix(".csv")
    path.write_text(csv_of(rows), encoding="utf-8")
    return path


def as_workbook(path: Path, rows: Rows) -> Path:
    """The same table as somebody types it into a spreadsheet program: numbers are numbers."""
    book = openpyxl.Workbook()
    for line, row in enumerate(rows, 1):
        for column, text in enumerate(row, 1):
            cell = book.active.cell(line, column)
            bare = text.removesuffix("%")
            if bare.replace(".", "", 1).isdecimal():
                cell.value = float(bare) / 100 if text != bare else float(bare)
                cell.number_format = "0.00%" if text != bare else "0.00"
            else:
                cell.value = text
    path = path.with_suffix(".xlsx")
    book.save(path)
    return path


FORMS = {"csv": as_text, "xlsx": as_workbook}


def long_rows(name: str) -> list[list[str]]:
    """A row for each measurement, with the heads of the paper's tables for the conditions."""
    top = loaded(name)
    heads = [one["table_header"] for one in top["condition_names"].values()]
    rows = [["Object", "Measurand", *heads, "Measured value"]]
    for one in top["measurements"]:
        conditions = [one["conditions"][key] for key in CONDITIONS]
        rows.append([one["object"], one["measurand"], *conditions, one["value_printed"]])
    return rows


def by_name(table: MeasurementTable) -> dict[tuple[str, str], PrecisionAssessment]:
    return {(one.object, one.measurand): one for one in assess(table)}


def printed_of(one: PrecisionAssessment, said: dict[str, Any]) -> dict[str, Any]:
    """The figures of an assessment with as many digits as the paper prints."""
    assert one.precision is not None

    def same_digits(value: float, text: str) -> str:
        return half_up(value, len(text.partition(".")[2]))

    found: dict[str, Any] = {
        key: same_digits(getattr(one.precision, key), said[key])
        for key in ("mean", "stdev", "cv_star")
    }
    ends = (one.precision.low, one.precision.high)
    found["stdev_ci95"] = [
        same_digits(end, text) for end, text in zip(ends, said["stdev_ci95"], strict=True)
    ]
    return found


@pytest.mark.parametrize("write", FORMS.values(), ids=FORMS)
def test_table_2_from_rows(tmp_path: Path, write: Callable[[Path, Rows], Path]) -> None:
    """Ratings from 1 on beside percentages: one option for the scale is enough."""
    path = write(tmp_path / "pass", long_rows("qra_pass.yaml"))
    table = read_table(path, Columns(scale_min=1.0))
    assert len(table.measurements) == 6
    assert list(table.conditions) == list(CONDITIONS)
    found = by_name(table)
    for said in loaded("expected_table2_pass.yaml")["results"]:
        one = found[said["object"], said["measurand"]]
        assert one.n == said["n"]
        assert one.kind is PrecisionKind.reproducibility
        if said["measurand"] == "Clarity":
            # Its input is printed with two digits, and 6.30 gives other figures than 6.2975.
            assert one.precision is not None
            assert one.precision.cv_star == pytest.approx(said["computed"]["cv_star"], abs=1e-6)
            assert one.precision.cv_star == pytest.approx(13.193, abs=0.05)
        else:
            assert printed_of(one, said["printed"]) == said["printed"]


def test_clarity_before_it_was_rounded(tmp_path: Path) -> None:
    rows = [["System", "Criterion", "Result"], ["PASS", "Clarity", "5.64"]]
    path = as_text(tmp_path / "clarity", [*rows, ["PASS", "Clarity", "6.2975"]])
    said = loaded("expected_table2_pass.yaml")["results"][0]["printed"]
    one = by_name(read_table(path, Columns(scale_min=1.0)))["PASS", "Clarity"]
    assert printed_of(one, said) == said


@pytest.mark.parametrize("write", FORMS.values(), ids=FORMS)
def test_table_4_from_rows(tmp_path: Path, write: Callable[[Path, Rows], Path]) -> None:
    table = read_table(write(tmp_path / "nts", long_rows("qra_nts.yaml")))
    found = by_name(table)
    for said in loaded("expected_table4_nts.yaml")["results"]:
        one = found[said["object"], said["measurand"]]
        assert one.n == said["n"]
        assert printed_of(one, said["printed"]) == said["printed"]
    same = read_measurements(QRA / "qra_nts.yaml")
    assert [dict(one.conditions) for one in table.measurements] == [
        dict(one.conditions) for one in same.measurements
    ]


# Wide tables ------------------------------------------------------------------------------


def wide_rows(measurements: Iterable[dict[str, Any]], columns: Sequence[str]) -> list[list[str]]:
    """A row for each object and measurand; columns are who measured, as often as it takes."""
    cells: dict[tuple[str, str], list[str]] = {}
    for one in measurements:
        row = cells.setdefault((one["object"], one["measurand"]), [""] * len(columns))
        study = one["conditions"]["performed_by"]
        place = next(at for at, name in enumerate(columns) if name == study and not row[at])
        row[place] = one["value_printed"]
    head = ["system", "metric", *columns]
    return [head, *([*names, *row] for names, row in cells.items())]


@pytest.mark.parametrize("write", FORMS.values(), ids=FORMS)
def test_the_layout_of_table_4(tmp_path: Path, write: Callable[[Path, Rows], Path]) -> None:
    """Rows of system and metric, a column for each time that somebody measured."""
    studies = ["Nisioi et al.", *["Coop. & Shard."] * 2, *["this paper"] * 4]
    rows = wide_rows(loaded("qra_nts.yaml")["measurements"], studies)
    table = read_table(
        write(tmp_path / "table4", rows), Columns(original="Nisioi et al.", studies=tuple(studies))
    )
    assert len(table.measurements) == 22
    assert {one.study for one in table.measurements} == set(studies)
    assert sum(one.is_original for one in table.measurements) == 4
    long = by_name(read_table(as_text(tmp_path / "long", long_rows("qra_nts.yaml"))))
    for names, one in by_name(table).items():
        assert one.precision is not None
        # Columns have another order than rows: sums are the same to the last digit or so.
        there = long[names].precision
        assert there is not None
        assert one.precision.n == there.n
        assert one.precision.mean == pytest.approx(there.mean, rel=1e-14)
        assert one.precision.cv_star == pytest.approx(there.cv_star, rel=1e-12)


@pytest.mark.parametrize("write", FORMS.values(), ids=FORMS)
def test_the_layout_of_table_6(tmp_path: Path, write: Callable[[Path, Rows], Path]) -> None:
    """A row for each system, a column for each reproduction, one metric; empty cells and dashes."""
    bleu = [one for one in loaded("qra_nts.yaml")["measurements"] if one["measurand"] == "BLEU"]
    columns = ["e1", "e2", "e3", "e4", "e5", "e6", "e7"]
    by_object: dict[str, list[dict[str, Any]]] = {}
    for one in bleu:
        by_object.setdefault(one["object"], []).append(one)
    rows = [["", *columns]]
    for name, some in by_object.items():
        texts = [one["value_printed"] for one in some]
        rows.append([name, *texts, *["–"] * (len(columns) - len(texts))])
    implementations = [one["conditions"]["implementation"] for one in by_object["NTS_def"]]
    rows.insert(1, ["condition implem. by", *implementations])
    table = read_table(write(tmp_path / "table6", rows), Columns(measurand="BLEU"))
    found = by_name(table)
    for said in loaded("expected_table4_nts.yaml")["results"]:
        if said["measurand"] == "BLEU":
            one = found[said["object"], "BLEU"]
            assert one.n == said["n"]
            assert printed_of(one, said["printed"]) == said["printed"]
    assert list(table.conditions) == ["implementation"]
    state = found["NTS_def", "BLEU"].conditions[0]
    assert dict(state.values) == {"Nisioi et al.": 3, "≈Nisioi et al.": 2, "SacreBLEU": 2}


def test_the_head_of_the_later_tool(tmp_path: Path) -> None:
    """Its experiments are our studies; what it calls a study is a group."""
    said = loaded("qra3_reference_outputs.yaml")
    n3 = said["studies"]["n3"]
    rows = [["Key", "Study", "Experiment", "System", "Criterion", "Result"]]
    for criterion in ("Readability", "Question Relevancy", "Answer Relevancy"):
        for experiment, values in n3[criterion].items():
            for system, value in zip(said["systems"], values, strict=True):
                rows.append(["k", "Yao2022", experiment, system, criterion, repr(value)])
    table = read_table(as_text(tmp_path / "later", rows), Columns(scale_min=1.0))
    assert {one.group for one in table.measurements} == {"Yao2022"}
    assert {one.study: one.is_original for one in table.measurements} == {
        "O": True,
        "R1": False,
        "R3": False,
    }
    figures: dict[str, list[str]] = {}
    for one in assess(table, variant=Variant.uncorrected):
        assert one.precision is not None
        figures.setdefault(one.measurand, []).append(half_up(one.precision.cv_star, 2))
    assert figures == {
        criterion: [half_up(value, 2) for value in values]
        for criterion, values in n3["expected"]["type_I_cv"].items()
    }
