"""Assessments: what belongs together, what differs, what is refused, what readers are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.precision_assessments import (
    PrecisionKind,
    Sameness,
    assess,
    joined,
    remarks_on,
    select,
)
from primad_ld.qra.precision_reports import PrecisionOptions, assess_measurements


def measured(
    value: float, conditions: Mapping[str, str] | None = None, **others: Any
) -> Measurement:
    told = {"object": "S", "measurand": "BLEU", "file": "m.yaml", "line": 7} | others
    return Measurement(value=value, conditions=conditions or {}, **told)


def table(*measurements: Measurement) -> MeasurementTable:
    return with_conditions(measurements)


def test_objects_and_measurands_are_assessed_apart_and_in_their_order() -> None:
    found = assess(
        table(
            measured(2, object="B"),
            measured(1, object="A"),
            measured(3, object="B"),
            measured(4, object="B", measurand="SARI"),
            measured(5, object="B", group="other"),
        )
    )
    assert [(one.group, one.object, one.measurand, one.n) for one in found] == [
        ("", "B", "BLEU", 2),
        ("", "A", "BLEU", 1),
        ("", "B", "SARI", 1),
        ("other", "B", "BLEU", 1),
    ]
    assert found[1].precision is None
    assert found[1].reason == "1 measurement: precision needs two or more"


SAME, OTHER = {"procedure": "p", "test_set": "t"}, {"procedure": "p", "test_set": "u"}


@pytest.mark.parametrize(
    ("conditions", "kind", "states"),
    [
        ([SAME, SAME], PrecisionKind.repeatability, {"procedure": "same", "test_set": "same"}),
        ([SAME, OTHER], PrecisionKind.reproducibility, {"procedure": "same", "test_set": "different"}),
        # What is unknown is never equal, though nothing is known to differ.
        ([SAME, {"procedure": "p"}], PrecisionKind.reproducibility, {"procedure": "same", "test_set": "unknown"}),
        # Two known values differ, whatever the third one is.
        ([SAME, OTHER, {"procedure": "p"}], PrecisionKind.reproducibility, {"procedure": "same", "test_set": "different"}),
        # Two that are unknown are not the same.
        ([{"procedure": "p"}, {"procedure": "p"}, {}], PrecisionKind.reproducibility, {"procedure": "unknown"}),
        ([{}, {}], PrecisionKind.reproducibility, {}),
    ],
)  # fmt: skip
def test_repeatability_needs_equal_conditions(
    conditions: list[dict[str, str]], kind: PrecisionKind, states: dict[str, str]
) -> None:
    (found,) = assess(table(*(measured(n, one) for n, one in enumerate(conditions, 1))))
    assert found.kind is kind
    assert {one.key: one.state.value for one in found.conditions} == states


def test_unknown_conditions_are_counted() -> None:
    (found,) = assess(table(measured(1, SAME), measured(2), measured(3, {"procedure": "q"})))
    procedure, test_set = found.conditions
    assert (procedure.values, procedure.unknown) == ({"p": 1, "q": 1}, 1)
    assert (test_set.values, test_set.unknown) == ({"t": 1}, 2)
    assert found.conditions_that_are(Sameness.unknown) == (test_set,)


def test_measurements_of_equal_conditions_and_different_values_all_count() -> None:
    (found,) = assess(table(measured(1, SAME), measured(2, SAME), measured(1, SAME)))
    assert found.n == 3
    assert found.kind is PrecisionKind.repeatability


# Scales -----------------------------------------------------------------------------------

LIKERT = Scale(name="likert", minimum=1, maximum=7, is_stated=True)


@pytest.mark.parametrize(
    ("measurements", "why"),
    [
        (
            [measured(5, scale=LIKERT), measured(6)],
            "it is on the scale 0 and up, S, BLEU on likert, 1 to 7; put the values",
        ),
        (
            [measured(5, scale=LIKERT), measured(6, scale=Scale(minimum=1, maximum=5))],
            "it is on the scale 1 to 5, S, BLEU on likert, 1 to 7",
        ),
        (
            [measured(5), measured(4, scale=Scale(is_lower_better=True))],
            "it is on the scale 0 and up, lower is better, S, BLEU on 0 and up",
        ),
        (
            [measured(5, scale=LIKERT), measured(0.5, scale=LIKERT)],
            "0.5 is below the scale, which begins at 1; correct the value",
        ),
        ([measured(0.4), measured(-0.2)], "-0.2 is below the scale, which begins at 0; say where"),
        ([measured(5, scale=LIKERT), measured(8, scale=LIKERT)], "8 is above the scale, which ends at 7"),
        ([measured(0.91), measured(96.75)], "0.91 beside 96.75 looks like a fraction beside a percentage"),
        ([measured(91, text="91%"), measured(96.75, text="96.75")], "96.75 has no percent sign and others have one"),
        ([measured(91, text="91"), measured(96.75, text="96.75%")], "96.75% has a percent sign and others have none"),
    ],
)  # fmt: skip
def test_what_has_no_meaning_is_refused(measurements: list[Measurement], why: str) -> None:
    with pytest.raises(HeaderError) as error:
        assess(table(*measurements))
    assert str(error.value).startswith("m.yaml:7: S, BLEU: ")
    assert why in str(error.value)


@pytest.mark.parametrize(
    "values",
    [
        [0.5, 0.9],  # fractions
        [0.0, 96.75],  # a percentage of 0 is one
        [0.9, 1.1],  # a measure that goes beyond 1
        [12.0, 96.75],
    ],
)
def test_plausible_values_pass(values: list[float]) -> None:
    (found,) = assess(table(*map(measured, values)))
    assert found.precision


def test_a_stated_end_of_the_scale_settles_what_values_are() -> None:
    percent = Scale(maximum=100, is_stated=True)
    (found,) = assess(table(measured(0.91, scale=percent), measured(96.75, scale=percent)))
    assert found.precision


def test_a_scale_with_an_end_can_be_reversed() -> None:
    fraction = Scale(maximum=1, is_stated=True)
    (found,) = assess(table(measured(0.95, scale=fraction), measured(0.97, scale=fraction)))
    assert found.precision
    assert round(found.precision.cv_star, 2) == 2.08
    assert found.reversed_cv_star
    assert round(found.reversed_cv_star, 1) == 49.9
    (found,) = assess(table(measured(0.95), measured(0.97)))
    assert found.reversed_cv_star is None


# Remarks ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measurements", "expected"),
    [
        ([measured(5.64, SAME), measured(6.3, SAME)], ["S, BLEU: the scale is taken to begin at 0", "fewer than five"]),
        ([measured(5.64, SAME, scale=LIKERT), measured(6.3, SAME, scale=LIKERT)], ["fewer than five"]),
        ([measured(91, SAME), measured(96.75, SAME)], ["fewer than five"]),
        ([measured(91), measured(96.75)], ["fewer than five", "no conditions of measurement given"]),
        (
            [measured(90 + n, SAME, study=str(n % 2)) for n in range(6)],
            ["S, BLEU: measured by several studies, and all conditions given are equal"],
        ),
        ([measured(90 + n, SAME if n % 2 else OTHER) for n in range(6)], []),
    ],
)  # fmt: skip
def test_readers_are_told_what_to_know(
    measurements: list[Measurement], expected: list[str]
) -> None:
    found = list(remarks_on(assess(table(*measurements))))
    assert len(found) == len(expected)
    for remark, words in zip(found, expected, strict=True):
        assert words in remark


# Choosing and joining ---------------------------------------------------------------------

CHOICE = table(
    measured(1, SAME, study="A", id="one", said={"outputs": "1", "table": {"row": "3"}}),
    measured(2, OTHER, study="B", id="two", said={"outputs": "2"}),
    measured(3, study="B", object="T", said={"outputs": "2"}),
)


@pytest.mark.parametrize(
    ("where", "values"),
    [
        ({"test set": "t"}, [1]),
        ({"study": "B"}, [2, 3]),
        ({"object": "T"}, [3]),
        ({"id": "one"}, [1]),
        ({"outputs": "2"}, [2, 3]),
        ({"table.row": "3"}, [1]),
        ({"outputs": "2", "object": "S"}, [2]),
        ({}, [1, 2, 3]),
    ],
)
def test_measurements_are_chosen_by_what_is_said_of_them(
    where: dict[str, str], values: list[float]
) -> None:
    assert [one.value for one in select(CHOICE, where).measurements] == values


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ({"colour": "red"}, r"no measurement has 'colour'; choose by a condition \(procedure, test_set\), object"),
        ({"test_set": "x"}, "no measurement has test_set=x; there is 't', 'u'"),
        ({"study": "A", "object": "T"}, "no measurement has object=T; there is 'S'"),
    ],
)  # fmt: skip
def test_a_choice_of_nothing_is_an_error(where: dict[str, str], why: str) -> None:
    with pytest.raises(MeasureError, match=why):
        select(CHOICE, where)


def test_nothing_measured_twice_is_an_error() -> None:
    with pytest.raises(MeasureError, match=r"measured twice .*\(S BLEU, T BLEU once each\)"):
        assess_measurements(table(measured(1), measured(2, object="T")))


def test_nothing_that_has_a_precision_is_an_error() -> None:
    with pytest.raises(
        MeasureError, match="nothing has a precision: of S, BLEU, the values are too large"
    ):
        assess_measurements(table(measured(1e308), measured(1.7e308), measured(1, object="T")))


def test_a_condition_to_hold_has_to_be_there() -> None:
    options = PrecisionOptions(held=(("colour",),))
    with pytest.raises(
        MeasureError, match=r"no condition .colour. to hold; .* name procedure, test_set"
    ):
        assess_measurements(CHOICE, options)


def test_tables_of_several_files_are_joined() -> None:
    def one_table(name: str, maximum: float, **others: Any) -> MeasurementTable:
        folder, _, file = f"here/{name}".rpartition("/")
        scale = Scale(name="likert", minimum=1, maximum=maximum, is_stated=True)
        row = measured(4, scale=scale, file=f"{folder}/{file}", id="1", **others)
        said = {"source": file, "year": "2026", "condition_names": {"seed": "Seed"}}
        return with_conditions([row], {"seed": "Seed"}, scales={"likert": scale}, said=said)

    tables = [
        one_table("m.yaml", 7),
        one_table("n.yaml", 5, conditions={"test_set": "t"}),
        one_table("a/n.yaml", 6),
        one_table("b/n.yaml", 7),
    ]
    found = joined(tables)
    names = ["likert", "likert (n.yaml)", "likert (n.yaml, 2)", "likert"]
    assert [each.scale.name for each in found.measurements] == names
    assert [each.scale.maximum for each in found.measurements] == [7, 5, 6, 7]
    assert {name: scale.name for name, scale in found.scales.items()} == {
        name: name for name in names
    }
    assert [each.id for each in found.measurements] == [
        "1",
        "1 (n.yaml)",
        "1 (n.yaml, 2)",
        "1 (n.yaml, 3)",
    ]
    assert found.said == {"source": "m.yaml", "source (n.yaml)": "n.yaml", "year": "2026"}
    assert found.conditions == {"test_set": "Test set", "seed": "Seed"}
    # One that says no more than another is noted: it may be the same.
    words = "1 measurement is the same in here/m.yaml and here/b/n.yaml; if it is one measurement"
    assert any(note.startswith(words) for note in found.notes)
    assert not any("here/n.yaml" in note for note in found.notes)
    assert joined(tables[:1]) is tables[0]
    with pytest.raises(MeasureError, match=r"m\.yaml is given twice, and its measurements would"):
        joined([tables[0], tables[1], tables[0]])
