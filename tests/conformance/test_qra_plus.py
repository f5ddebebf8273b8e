"""QRA++ types I, II and IV equal what a user of the authors' tool published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import yaml
from support import reference_data

from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.plus import (
    LevelResult,
    ResultLevel,
    assess_conclusions,
    assess_levels,
    assess_sets,
)
from primad_ld.qra.precision import Variant
from primad_ld.tables.answers import half_up

FILE = reference_data() / "qra" / "qra3_reference_outputs.yaml"
# As texts, so that the digits which were published are known.
PUBLISHED: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), yaml.BaseLoader)
CRITERIA = ("Readability", "Question Relevancy", "Answer Relevancy")


def measurements(name: str) -> Iterator[Measurement]:
    group = PUBLISHED["studies"][name]
    scale = Scale(minimum=float(PUBLISHED["scale_starts_at"]), is_stated=True)
    for criterion in CRITERIA:
        for study in group["experiments"]:
            for system, text in zip(PUBLISHED["systems"], group[criterion][study], strict=True):
                yield Measurement(
                    object=system,
                    measurand=criterion,
                    value=float(text),
                    study=study,
                    is_original=study == "O",
                    group=name,
                    scale=scale,
                )


GROUPS = list(PUBLISHED["studies"])
TABLES: dict[str, MeasurementTable] = {name: with_conditions(measurements(name)) for name in GROUPS}
EXPECTED: dict[str, Any] = {name: PUBLISHED["studies"][name]["expected"] for name in GROUPS}


def found(results: Iterable[LevelResult], **place: str) -> LevelResult:
    (one,) = [
        one for one in results if all(getattr(one, name) == value for name, value in place.items())
    ]
    return one


def as_printed(value: float | None, text: str) -> str:
    return half_up(value, len(text.partition(".")[2]))


def test_there_is_something_to_compare_with() -> None:
    assert GROUPS == ["n3"]
    assert set(EXPECTED["n3"]) == {
        "type_I_cv",
        "type_I_qc",
        "type_I_study",
        "type_II",
        "type_IV",
    }


@pytest.mark.parametrize("name", GROUPS)
def test_type_i(name: str) -> None:
    expected, results = EXPECTED[name], assess_levels(TABLES[name], Variant.uncorrected)
    for criterion in CRITERIA:
        for system, text in zip(
            PUBLISHED["systems"], expected["type_I_cv"][criterion], strict=True
        ):
            cell = found(results, level=ResultLevel.cell, criterion=criterion, object=system)
            assert as_printed(cell.value, text) == text
        text = expected["type_I_qc"][criterion]
        mean = found(results, level=ResultLevel.criterion, criterion=criterion)
        assert as_printed(mean.value, text) == text
    text = expected["type_I_study"]
    assert as_printed(found(results, level=ResultLevel.group).value, text) == text


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize(
    ("published", "statistic"),
    [("r", "pearson_r"), ("rho", "spearman_rho"), ("W", "kendall_w")],
)
def test_type_ii(name: str, published: str, statistic: str) -> None:
    results = assess_sets(TABLES[name])
    for criterion in CRITERIA:
        text = EXPECTED[name]["type_II"][criterion][published]
        one = found(results, level=ResultLevel.criterion, criterion=criterion, statistic=statistic)
        assert as_printed(one.value, text) == text


def test_concordance_corrected_for_ties_is_not_what_was_published() -> None:
    one = found(
        assess_sets(TABLES["n3"]),
        level=ResultLevel.criterion,
        criterion="Answer Relevancy",
        statistic="kendall_w_corrected",
    )
    assert half_up(one.value, 3) == "0.818"


@pytest.mark.parametrize("name", GROUPS)
def test_type_iv(name: str) -> None:
    results = assess_conclusions(TABLES[name])
    expected = EXPECTED[name]["type_IV"]
    for criterion in CRITERIA:
        one = found(results, level=ResultLevel.criterion, criterion=criterion)
        assert [one.n["upheld"], one.n["total"]] == [int(text) for text in expected[criterion]]
    whole = found(results, level=ResultLevel.group)
    assert [whole.n["upheld"], whole.n["total"]] == [int(text) for text in expected["study"]]
