"""Tables 2 and 4 and section 4.1 of the QRA paper, from its printed measurements to its printed digits."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

import pytest
import yaml
from support import reference_data

from primad_ld.qra.precision import precision_of
from primad_ld.qra.precision_assessments import (
    PrecisionAssessment,
    PrecisionKind,
    Sameness,
    assess,
    select,
)
from primad_ld.qra.reading import read_measurements
from primad_ld.tables.answers import half_up

QRA = reference_data() / "qra"


def printed(name: str) -> list[dict[str, Any]]:
    """The rows of a table as they are printed."""
    found = yaml.load((QRA / name).read_text(encoding="utf-8"), yaml.BaseLoader)
    rows: list[dict[str, Any]] = found["results"]
    return rows


@cache
def assessed(
    name: str, where: tuple[tuple[str, str], ...] = ()
) -> dict[tuple[str, str], PrecisionAssessment]:
    table = select(read_measurements(QRA / name), dict(where))
    return {(one.object, one.measurand): one for one in assess(table)}


def digits(text: str) -> int:
    return max(0, -int(Decimal(text).as_tuple().exponent))


def differing(found: PrecisionAssessment, row: dict[str, Any]) -> list[str]:
    """What is printed in other digits than ours."""
    precision = found.precision
    assert precision
    ours = {"mean": precision.mean, "stdev": precision.stdev, "cv_star": precision.cv_star}
    wanted = dict(row["printed"])
    if "stdev_ci95" in wanted:
        wanted["low"], wanted["high"] = wanted.pop("stdev_ci95")
        ours |= {"low": precision.low, "high": precision.high}
    return [name for name, text in wanted.items() if half_up(ours[name], digits(text)) != text]


TABLES = [
    *(("qra_pass.yaml", row) for row in printed("expected_table2_pass.yaml")),
    *(("qra_nts.yaml", row) for row in printed("expected_table4_nts.yaml")),
]


@pytest.mark.parametrize(
    ("name", "row"), TABLES, ids=[f"{row['object']}-{row['measurand']}" for _, row in TABLES]
)
def test_tables_2_and_4(name: str, row: dict[str, Any]) -> None:
    found = assessed(name)[row["object"], row["measurand"]]
    assert found.n == int(row["n"])
    computed = row["computed"]
    precision = found.precision
    assert precision
    assert precision.cv_star == pytest.approx(float(computed["cv_star"]), abs=5e-7)
    assert precision.within_1sd == pytest.approx(float(computed["pct_within_1sd"]), abs=5e-4)
    assert precision.within_2sd == pytest.approx(float(computed["pct_within_2sd"]), abs=5e-4)
    if row["measurand"] == "Clarity":
        # Printed from a value with more digits than the 6.30 of the table.
        assert differing(found, row) == ["mean", "stdev", "cv_star", "low", "high"]
    else:
        assert differing(found, row) == []


def test_clarity_of_pass_within_what_rounding_allows() -> None:
    (row,) = (one for one in printed("expected_table2_pass.yaml") if one["measurand"] == "Clarity")
    # 6.30 stands for 6.295 to 6.305; the printed CV* has to lie between theirs, and does.
    ends = [precision_of([5.64, value], minimum=1).cv_star for value in (6.295, 6.305)]
    assert ends[0] < float(row["printed"]["cv_star"]) < ends[1]
    # 400 ratings (20 evaluators, 20 texts) make a mean of 2519/400 possible: it gives all digits.
    found = precision_of([5.64, 2519 / 400], minimum=1)
    assert half_up(found.mean, 3) == row["printed"]["mean"]
    assert half_up(found.stdev, 3) == row["printed"]["stdev"]
    assert half_up(found.cv_star, 3) == row["printed"]["cv_star"]
    assert [half_up(found.low, 2), half_up(found.high, 2)] == row["printed"]["stdev_ci95"]


SUBSETS = printed("expected_section41_subsets.yaml")


@pytest.mark.parametrize(
    "row", SUBSETS, ids=[f"{row['object']}-{row['measurand'][:11]}" for row in SUBSETS]
)
def test_the_subsets_of_section_4_1(row: dict[str, Any]) -> None:
    measurand, _, which = row["measurand"].partition("; ")
    where = (
        ("bold", "true")
        if which == "bold rows"
        else ("compile_training_information", "Nisioi et al.")
    )
    found = assessed("qra_nts.yaml", (where,))[row["object"], measurand]
    assert [one.value for one in found.measurements] == [float(one) for one in row["values"]]
    assert differing(found, row) == []


@pytest.mark.parametrize("object", ["NTS_def", "NTS-w2v_def"])
def test_sari_of_the_same_outputs_does_not_vary(object: str) -> None:
    where = (("compile_training_information", "Nisioi et al."),)
    found = assessed("qra_nts.yaml", where)[object, "SARI"]
    assert found.precision
    assert (found.precision.cv_star, found.precision.low, found.precision.high) == (0, 0, 0)


def test_the_conditions_of_tables_3_and_5() -> None:
    def differing(name: str, object: str, measurand: str) -> list[str]:
        found = assessed(name)[object, measurand]
        assert found.kind is PrecisionKind.reproducibility
        assert len(found.conditions) == 7
        return [one.key for one in found.conditions_that_are(Sameness.different)]

    evaluated_again = ["implementation", "procedure", "performed_by"]
    for measurand in ("Clarity", "Fluency", "Stance id."):
        assert differing("qra_pass.yaml", "PASS", measurand) == evaluated_again
    for object in ("NTS_def", "NTS-w2v_def"):
        trained = ["compile_training_information"]
        assert differing("qra_nts.yaml", object, "BLEU") == [
            *trained,
            "implementation",
            "performed_by",
        ]
        assert differing("qra_nts.yaml", object, "SARI") == [*trained, "performed_by"]


def test_our_example_has_the_same_figures() -> None:
    from support import ROOT

    ours = {
        (one.object, one.measurand): one.precision
        for one in assess(read_measurements(ROOT / "examples" / "qra" / "nts.yaml"))
    }
    assert ours == {key: one.precision for key, one in assessed("qra_nts.yaml").items()}
