"""Reports on precision: rows for machines, and what people read of them."""

from __future__ import annotations

import csv
import io
import json

import pytest
from support import ROOT

from primad_ld.qra.measurements import Measurement, Scale, with_conditions
from primad_ld.qra.precision_reports import (
    PrecisionOptions,
    PrecisionReport,
    assess_measurements,
)
from primad_ld.qra.reading import read_measurements

NTS = ROOT / "examples" / "qra" / "nts.yaml"


def measured(value: float, study: str = "", **conditions: str) -> Measurement:
    return Measurement(
        object="S_1", measurand="M & N", value=value, study=study, conditions=conditions
    )


def report(*measurements: Measurement, **options: object) -> PrecisionReport:
    return assess_measurements(with_conditions(measurements), PrecisionOptions(**options))


@pytest.mark.parametrize(
    ("measurements", "words"),
    [
        ((measured(1), measured(2)), "none given"),
        ((measured(1, procedure="p"), measured(2, procedure="p")), "all equal (repeatability)"),
        ((measured(1, procedure="p"), measured(2, procedure="q")), "differ: procedure"),
        ((measured(1, procedure="p"), measured(2)), "unknown: procedure"),
        (
            (measured(1, procedure="p", test_set="t"), measured(2, procedure="q")),
            "differ: procedure; unknown: test set",
        ),
        # Datasheets have dozens of them.
        (
            [measured(n, **{f"q{place:02}": value for place in range(20)}) for n, value in ((1, "a"), (2, "b"))],
            "differ: q00, q01, q02, q03, q04, q05, q06, and 13 more",
        ),
    ],
)  # fmt: skip
def test_conditions_in_words(measurements: list[Measurement], words: str) -> None:
    (table,) = report(*measurements).shown()
    assert [row["conditions"] for row in table.rows] == [words]


def test_means_are_of_the_scores_as_given() -> None:
    scale = Scale(minimum=1, is_stated=True)
    rows = [Measurement(object="S", measurand="M", value=n, scale=scale) for n in (3, 5)]
    from_one = report(*rows)
    (row,) = from_one.to_dicts()
    assert (row["mean"], row["shifted_mean"]) == (4, 3)
    assert "mean above minimum" in from_one.text()
    assert "mean above" not in report(measured(3), measured(5)).text()


def test_what_has_no_precision_has_a_reason() -> None:
    once = Measurement(object="T", measurand="M", value=1, group="g")
    both = report(measured(1), measured(2), once)
    row = both.to_dicts()[1]
    assert (row["group"], row["n"], row["cv_star"], row["mean"]) == ("g", 1, None, None)
    assert row["reason"] == "1 measurement: precision needs two or more"
    assert row["reason"] in both.text()
    assert both.verdict() == ""


def test_rows_are_in_each_form() -> None:
    found = assess_measurements(read_measurements(NTS), PrecisionOptions(held=["implementation"]))
    rows = list(csv.DictReader(io.StringIO(found.text("csv"))))
    assert [float(row["cv_star"]) for row in rows] == [row["cv_star"] for row in found.to_dicts()]
    held = [row["held"] for row in rows if row["measurand"] == "BLEU"]
    assert held[:3] == [
        "",
        "implementation=their script",
        "implementation=their script, other tokeniser",
    ]
    assessments = json.loads(found.text("json"))["assessments"]
    assert [one["cv_star"] for one in assessments] == [
        float(row["cv_star"]) for row in rows if not row["held"]
    ]
    for form in ("table", "markdown", "latex", "html"):
        assert "1.562" in found.text(form)
    assert found.text("yaml").startswith("source:") or "measurements:" in found.text("yaml")
    assert "primad:" in found.text("ttl")
    assert repr(found) == f"<PrecisionReport: {len(rows)} assessments>"


def test_json_has_conditions_and_measurements() -> None:
    found = assess_measurements(read_measurements(NTS), PrecisionOptions(held=["compile/training"]))
    first = found.record()["assessments"][0]
    assert (first["object"], first["measurand"], first["n"]) == ("NTS_def", "BLEU", 7)
    assert first["cv_star"] == pytest.approx(1.5616560359100269, rel=1e-15)
    assert first["differing_conditions"] == [
        *("compile_training_information", "implementation", "performed_by"),
    ]
    assert [one["state"] for one in first["conditions"]] == [
        *("same", "different", "same", "different", "same", "same", "different"),
    ]
    assert first["conditions"][3]["values"][2] == {"value": "SacreBLEU", "n": 2}
    assert first["measurements"][0]["is_original"] is True
    assert first["scale"] == {"min": 0.0, "max": 100.0, "stated": True, "lower_is_better": False}
    (held,) = first["variation"]
    assert [round(one["cv_star"], 3) for one in held["groups"]] == [0.838, 0.473]
    assert held["groups"][0]["differing_conditions"] == ["implementation", "performed_by"]
    assert (held["held"], held["n"], held["alone"], held["unknown"]) == (
        *(["compile_training_information"], 6, 1, 0),
    )


def test_measurements_show_what_differs_and_say_the_rest_once() -> None:
    both = (
        measured(1, "A", procedure="p", test_set="t", seed="1"),
        measured(2, "B", procedure="q", test_set="t"),
    )
    found = assess_measurements(with_conditions(both))
    listed = PrecisionReport(
        measured=found.measured,
        assessments=found.assessments,
        variations=found.variations,
        lists_measurements=True,
    )
    lines = listed.text().splitlines()
    assert [line.split()[-4:] for line in lines[lines.index("Measurements") + 1 :][:3]] == [
        ["study", "Procedure", "seed", "value"],
        ["A", "p", "1", "1"],
        ["B", "q", "?", "2"],
    ]
    assert "Test set, the same for all: t" in lines
    assert "? is unknown, and never taken for equal" in lines


def test_a_table_says_where_the_variation_comes_from() -> None:
    groups = [measured(84, s="a"), measured(85, s="a"), measured(90, s="b"), measured(91)]
    _, table = report(*groups, held=["s"]).shown()
    assert [(row["at"], row["n"]) for row in list(table.rows)[1:]] == [("a", 2)]
    assert table.notes == [
        "same s: 1.180 on average (1 group of 2 measurements) against 4.629 over all; "
        "1 alone, 1 of unknown s"
    ]


def test_the_verdict_names_both_ends() -> None:
    other = [Measurement(object="T", measurand="M", value=n) for n in (1, 9)]
    assert report(measured(1), measured(2), *other).verdict() == (
        "CV* from 66.467 (S_1, M & N) to 159.521 (T, M); 0 means equal values."
    )


def test_latex_is_one_table_with_names_as_they_are() -> None:
    latex = report(measured(1), measured(2)).text("latex")
    assert latex.count(r"\begin{table}") == 1
    assert r"\caption{Precision of repeated measurements (CV* by the formula of 2022)}" in latex
    assert r"S\_1 & M \& N & none given & 2" in latex
