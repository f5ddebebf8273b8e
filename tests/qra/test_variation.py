"""Where the variation comes from: groups that hold conditions equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.qra.measurements import Measurement, with_conditions
from primad_ld.qra.precision import precision_of
from primad_ld.qra.precision_assessments import EVERY, Variation, assess, variations_of
from primad_ld.qra.precision_reports import in_words


def measured(value: float, **conditions: str) -> Measurement:
    return Measurement(object="S", measurand="BLEU", value=value, conditions=conditions)


#: Two outputs, two scripts, and one measurement of which the script is not known.
MEASURED = (
    measured(84, test_set="t", training="one", script="a"),
    measured(85, test_set="t", training="one", script="b"),
    measured(88, test_set="t", training="two", script="a"),
    measured(90, test_set="t", training="two", script="c"),
    measured(91, test_set="t", training="two"),
)


def held(*names: str) -> list[Variation]:
    (found,) = assess(with_conditions(MEASURED))
    return variations_of(found, [names])


def test_groups_share_the_condition() -> None:
    (found,) = held("training")
    assert [one.values for one in found.groups] == [{"training": "one"}, {"training": "two"}]
    one, two = (group.assessment.precision for group in found.groups)
    assert one == precision_of([84, 85])
    assert two == precision_of([88, 90, 91])
    assert (found.n, found.alone, found.unknown) == (5, 0, 0)
    assert one
    assert two
    assert found.cv_star == pytest.approx((2 * one.cv_star + 3 * two.cv_star) / 5)
    assert [each.key for each in found.groups[0].assessment.conditions] == [
        "test_set",
        "training",
        "script",
    ]


def test_what_is_unknown_is_in_no_group() -> None:
    (found,) = held("script")
    assert [one.values for one in found.groups] == [{"script": "a"}]
    assert (found.n, found.alone, found.unknown) == (2, 2, 1)


def test_several_conditions_are_held_together() -> None:
    (found,) = held("training", "script")
    assert (found.groups, found.cv_star) == ((), None)
    assert (found.alone, found.unknown) == (4, 1)
    assert in_words(found) == (
        "no two measurements have the same training and script; 4 alone, 1 of unknown training and script"
    )


def test_a_condition_that_is_the_same_throughout_changes_nothing() -> None:
    (found,) = held("Test set")
    assert found.groups[0].assessment.precision == found.whole.precision


def test_every_condition_that_differs_and_each_two_of_them() -> None:
    assert [tuple(one.held) for one in held(EVERY)] == [
        ("training",),
        ("script",),
        ("training", "script"),
    ]


def test_it_is_said_in_words() -> None:
    (found,) = held("training")
    assert in_words(found) == (
        "same training: 1.721 on average (2 groups of 5 measurements) against 3.889 over all"
    )


@given(
    st.lists(
        st.tuples(st.integers(1, 50), st.sampled_from("ab"), st.sampled_from(["x", "y", None])),
        min_size=2,
        max_size=12,
    )
)
def test_every_measurement_is_somewhere(rows: list[tuple[int, str, str | None]]) -> None:
    measurements = [
        Measurement(
            object="S",
            measurand="M",
            value=20 + value,
            conditions={"one": one} | ({"other": other} if other else {}),
        )
        for value, one, other in rows
    ]
    (found,) = assess(with_conditions(measurements))
    for variation in variations_of(found, [["one"], ["other"], ["one", "other"]]):
        assert variation.n + variation.alone + variation.unknown == len(rows)
        if all(group.assessment.precision for group in variation.groups) and variation.groups:
            values = [group.assessment.precision.cv_star for group in variation.groups]  # type: ignore[union-attr]
            assert variation.cv_star is not None
            assert min(values) - 1e-9 <= variation.cv_star <= max(values) + 1e-9
