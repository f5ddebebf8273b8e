"""Type IV of QRA++: the share of conclusions that are upheld, against counting them one by one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.plus import LevelResult, ResultLevel, assess_conclusions

Scores = Mapping[str, Mapping[str, float]]


def table(scores: Scores, criterion: str = "Fluency", **others: Any) -> MeasurementTable:
    """Scores by study and system; O is the original study."""
    return with_conditions(
        Measurement(
            object=name,
            measurand=criterion,
            value=value,
            study=study,
            is_original=study == "O",
            **others,
        )
        for study, some in scores.items()
        for name, value in some.items()
    )


def joined(*tables: MeasurementTable) -> MeasurementTable:
    return with_conditions(one for some in tables for one in some.measurements)


def named(*values: float) -> dict[str, float]:
    return dict(zip("ABCDEFGH", values, strict=False))


def counted(one: LevelResult) -> tuple[int, int]:
    return one.n["upheld"], one.n["total"]


@pytest.mark.parametrize(
    ("original", "reproduction", "upheld"),
    [
        ((1, 2), (3, 4), 1),
        ((1, 2), (4, 3), 0),
        ((1, 1), (3, 3), 1),  # both see a tie
        ((1, 1), (3, 4), 0),
        ((1, 2), (3, 3), 0),
        ((1, 2), (3, 1e9), 1),  # by how much does not matter
        ((0.3, 0.1 + 0.2), (1, 1), 1),  # what differs by rounding is a tie
        ((1, 1 + 1e-9), (1, 1), 0),  # and what differs by more is none
    ],
)
def test_two_systems(
    original: tuple[float, ...], reproduction: tuple[float, ...], upheld: int
) -> None:
    found = assess_conclusions(table({"O": named(*original), "R": named(*reproduction)}))
    assert [counted(one) for one in found] == [(upheld, 1), (upheld, 1)]
    assert [one.value for one in found] == [upheld, upheld]


def one_by_one(scores: Scores, *, original: str = "") -> tuple[int, int]:
    """The definition, pair by pair."""
    upheld = total = 0
    for one, other in combinations(scores, 2):
        if original and original not in (one, other):
            continue
        left, right = scores[one], scores[other]
        for a, b in combinations(sorted(left.keys() & right.keys()), 2):
            total += 1
            upheld += (left[a] > left[b], left[a] < left[b]) == (
                right[a] > right[b],
                right[a] < right[b],
            )
    return upheld, total


SCORES = st.dictionaries(
    st.sampled_from(["O", "R1", "R2", "R3", "R4"]),
    st.dictionaries(st.sampled_from("ABCDE"), st.integers(0, 4), min_size=1),
    min_size=1,
)


@given(SCORES)
def test_counts_are_those_of_the_definition(scores: Scores) -> None:
    criterion, group = assess_conclusions(table(scores))
    assert counted(criterion) == counted(group) == one_by_one(scores)
    pairs = len(scores) * (len(scores) - 1) // 2
    objects = criterion.n["objects"]
    assert criterion.n["total"] + criterion.n["not_compared"] == pairs * objects * (objects - 1) / 2


@given(SCORES.filter(lambda scores: "O" in scores))
def test_counts_with_the_original_are_those_of_the_definition(scores: Scores) -> None:
    criterion, _ = assess_conclusions(table(scores), with_original_only=True)
    assert counted(criterion) == one_by_one(scores, original="O")
    assert criterion.statistic == "upheld_with_original"
    pairs, objects = len(scores) - 1, criterion.n["objects"]
    assert criterion.n["total"] + criterion.n["not_compared"] == pairs * objects * (objects - 1) / 2


def test_a_group_pools_counts() -> None:
    both = joined(
        table({"O": named(1, 2, 3), "R": named(1, 2, 3)}, "Fluency"),
        table({"O": named(1, 2), "R": named(2, 1)}, "Grammar"),
        table({"O": named(1, 2)}, "Style"),
    )
    *criteria, group = assess_conclusions(both)
    assert [one.value for one in criteria] == [1, 0, None]
    assert group.level is ResultLevel.group
    assert group.value == 3 / 4  # and not the mean of 1 and 0
    assert group.n == {
        "criteria": 3,
        "criteria_with_value": 2,
        "upheld": 3,
        "total": 4,
        "not_compared": 0,
    }
    assert group.left_out == ("Style: there is one study: a conclusion is upheld by another one",)


def test_groups_are_not_compared_with_each_other() -> None:
    both = joined(
        table({"O": named(1, 2), "R": named(1, 2)}, group="n3"),
        table({"O": named(1, 2), "R": named(2, 1)}, group="n4"),
    )
    found = {
        one.group: one.value for one in assess_conclusions(both) if one.level is ResultLevel.group
    }
    assert found == {"n3": 1, "n4": 0}


def test_where_lower_is_better() -> None:
    low = {"scale": Scale(is_lower_better=True, is_stated=True)}
    studies = table({"O": named(1, 2), "R": named(3, 4)}, **low)
    assert assess_conclusions(studies)[0].value == 1
    opposite = joined(table({"O": named(90, 80)}), table({"R": named(10, 20)}, **low))
    assert assess_conclusions(opposite)[0].value == 1


def test_conclusions_that_could_not_be_compared_are_counted() -> None:
    found = assess_conclusions(table({"O": named(1, 2, 3), "R": named(1, 2)}))
    assert found[0].n["not_compared"] == 2
    assert found[0].left_out == ("2 comparisons of systems that not both studies measured",)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({"O": named(1, 2)}, "there is one study: a conclusion is upheld by another one"),
        ({"O": named(1), "R": named(1)}, "there is one system: a conclusion is about two"),
        ({"O": named(1, 2), "R": {"C": 1}}, "no two studies measured the same two systems"),
    ],
)
def test_reasons(scores: Scores, reason: str) -> None:
    criterion, group = assess_conclusions(table(scores))
    assert criterion.value is group.value is None
    assert criterion.reason == reason
    assert group.reason == f"Fluency: {reason}"


def test_an_original_that_did_not_measure_a_criterion() -> None:
    both = joined(
        table({"O": named(1, 2), "R": named(1, 2)}, "Fluency"),
        table({"R": named(1, 2), "S": named(1, 2)}, "Style"),
    )
    style = assess_conclusions(both, with_original_only=True)[1]
    assert style.reason == "the original study, O, did not measure it"
    assert style.n["not_compared"] == 0


@pytest.mark.parametrize(
    ("studies", "message"),
    [
        (("R", "S"), "conclusions of the original study of n3: no study is marked"),
        (("O", "P"), "conclusions of the original study of n3: 2 of the studies are marked"),
    ],
)
def test_the_original_has_to_be_known(studies: tuple[str, ...], message: str) -> None:
    measurements = [
        Measurement(
            object=name,
            measurand="x",
            value=1,
            study=study,
            group="n3",
            is_original=study in ("O", "P"),
        )
        for study in studies
        for name in "AB"
    ]
    with pytest.raises(MeasureError, match=message):
        assess_conclusions(with_conditions(measurements), with_original_only=True)
    assert assess_conclusions(with_conditions(measurements))[0].value == 1


def test_measurements_without_a_study() -> None:
    with pytest.raises(HeaderError, match="in whose study"):
        assess_conclusions(table({"": named(1, 2)}))


def test_too_many_systems() -> None:
    scores = {study: {f"system {n}": 1.0 for n in range(6500)} for study in "OR"}
    with pytest.raises(MeasureError) as caught:
        assess_conclusions(table(scores))
    assert str(caught.value) == (
        "Fluency: there are 6,500 systems and 2 studies, which are 21,121,750 comparisons; at most "
        "20,000,000 are made. Do --object and --study name the right columns?"
    )
