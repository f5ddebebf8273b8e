"""Type III of QRA++: kappa and alpha, against published examples and their definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.core.errors import PrimadError
from primad_ld.qra.plus import LevelResult, ResultLevel, assess_labels
from primad_ld.qra.reading.ratings import Rating, Ratings

Matrix = Sequence[Sequence[str]]


def ratings(matrix: Matrix, **others: Any) -> list[Rating]:
    """Ratings of a matrix: a row for each rater, a column for each item, an empty text for none."""
    return [
        Rating(item=f"i{item}", rater=f"r{rater}", label=label, **others)
        for rater, row in enumerate(matrix)
        for item, label in enumerate(row)
        if label
    ]


def assessed(some: Iterable[Rating], **options: Any) -> tuple[LevelResult, ...]:
    return assess_labels(Ratings(ratings=tuple(some)), **options)


def values(
    found: Iterable[LevelResult], level: ResultLevel = ResultLevel.criterion
) -> dict[str, float | None]:
    return {one.statistic: one.value for one in found if one.level is level}


def result(found: Iterable[LevelResult], statistic: str) -> LevelResult:
    return next(one for one in found if one.statistic == statistic)


# Published examples ------------------------------------------------------------------------

#: Fourteen psychiatrists diagnose ten patients: how many of them give each of five diagnoses.
#: The worked example by which implementations of Fleiss (1971) are usually checked.
DIAGNOSES = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_fleiss_kappa_of_ten_patients() -> None:
    columns = [
        [label for label, count in zip("abcde", row, strict=True) for _ in range(count)]
        for row in DIAGNOSES
    ]
    found = assessed(ratings(list(zip(*columns, strict=True))))
    # P = 0.378 and P_e = 0.213 with three digits; kappa is 0.210
    assert result(found, "fleiss_kappa").value == pytest.approx(0.20993, abs=5e-6)
    assert result(found, "fleiss_kappa").n == {
        "items": 10,
        "items_left_out": 0,
        "raters": 14,
        "ratings": 140,
        "labels": 5,
    }


#: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011: four observers, twelve units.
OBSERVERS = [
    row.replace(".", "").split(" ")
    for row in (
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    )
]


def test_krippendorffs_own_example() -> None:
    found = assessed(ratings(OBSERVERS))
    printed = {"alpha_nominal": 0.743, "alpha_ordinal": 0.815, "alpha_interval": 0.849}
    for statistic, value in printed.items():
        one = result(found, statistic)
        assert one.value == pytest.approx(value, abs=5e-4)
        assert one.n == {
            "items": 11,
            "items_left_out": 1,
            "raters": 4,
            "ratings": 40,
            "labels": 5,
        }
        assert one.left_out == ("1 item with a single rating",)
    assert result(found, "fleiss_kappa").reason == (
        "items have 1 to 4 ratings, and Fleiss' kappa needs the same number for each; "
        "Krippendorff's alpha does not"
    )


# Definitions -------------------------------------------------------------------------------


def alpha_by_pairs(matrix: Matrix, distance: str) -> float:
    """Alpha from the disagreement of each pair of ratings, as its general form is written."""
    items = [[float(one) for one in column if one] for column in zip(*matrix, strict=True)]
    items = [item for item in items if len(item) > 1]
    pool = [value for item in items for value in item]

    def apart(a: float, b: float) -> float:
        if distance == "nominal":
            return float(a != b)
        if distance == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(low <= value <= high for value in pool)
        return (between - (pool.count(a) + pool.count(b)) / 2) ** 2 if a != b else 0

    def total(some: Sequence[float]) -> float:
        return sum(apart(a, b) for a, b in permutations(some, 2))

    observed = sum(total(item) / (len(item) - 1) for item in items) / len(pool)
    return 1 - observed / (total(pool) / (len(pool) * (len(pool) - 1)))


LABELS = st.sampled_from(["", "1", "2", "3", "5", "-2", "0.5"])
MATRICES = st.tuples(st.integers(2, 4), st.integers(1, 6)).flatmap(
    lambda size: st.lists(
        st.lists(LABELS, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def has_two_labels(matrix: Matrix) -> bool:
    items = [[one for one in column if one] for column in zip(*matrix, strict=True)]
    return len({label for item in items if len(item) > 1 for label in item}) > 1


@given(MATRICES.filter(has_two_labels))
def test_alpha_is_what_its_definition_says(matrix: Matrix) -> None:
    found = values(assessed(ratings(matrix)))
    for distance in ("nominal", "ordinal", "interval"):
        assert found[f"alpha_{distance}"] == pytest.approx(
            alpha_by_pairs(matrix, distance), abs=1e-9
        )


FULL = st.lists(st.lists(st.sampled_from("abc"), min_size=5, max_size=5), min_size=2, max_size=5)


@given(FULL.filter(has_two_labels))
def test_kappa_and_nominal_alpha_differ_by_the_size_of_the_sample(matrix: Matrix) -> None:
    # Krippendorff draws without replacement: alpha = kappa + (1 - kappa) / ratings
    found = values(assessed(ratings(matrix)))
    kappa, alpha = found["fleiss_kappa"], found["alpha_nominal"]
    assert kappa is not None
    assert alpha == pytest.approx(kappa + (1 - kappa) / (5 * len(matrix)))


@given(MATRICES.filter(has_two_labels))
def test_the_order_of_ratings_changes_no_bit(matrix: Matrix) -> None:
    some = ratings(matrix)
    assert values(assessed(some)) == values(assessed(reversed(some)))


@given(st.lists(LABELS.filter(bool), min_size=2, max_size=8, unique=True), st.integers(2, 4))
def test_perfect_agreement_is_1(labels: list[str], raters: int) -> None:
    assert set(values(assessed(ratings([labels] * raters))).values()) == {1}


@given(MATRICES.filter(has_two_labels), st.sampled_from([1e-150, 0.1, 3, 1e150]))
def test_intervals_have_no_unit(matrix: Matrix, unit: float) -> None:
    scaled = [[repr(float(one) * unit) if one else "" for one in row] for row in matrix]
    some, others = (values(assessed(ratings(one))) for one in (matrix, scaled))
    assert some["alpha_interval"] == pytest.approx(others["alpha_interval"], abs=1e-9)
    assert some["alpha_ordinal"] == others["alpha_ordinal"]


# Labels ------------------------------------------------------------------------------------


def test_numbers_are_the_same_however_they_are_written() -> None:
    found = values(assessed(ratings([["1", "2", "10"], ["1.0", "2.00", "1e1"]])))
    assert set(found.values()) == {1}


@pytest.mark.parametrize(
    "labels",
    [
        ("12345678901234567", "12345678901234568"),  # identifiers, the same in double precision
        ("1e999", "2e999"),  # beyond what a number can be
        ("1_0", "10"),  # what Python alone takes for a number
        ("٣", "3"),  # digits of another script
        ("nan", "NaN"),
        ("yes", "Yes"),
    ],
)
def test_texts_are_the_same_if_they_are_written_so(labels: tuple[str, str]) -> None:
    found = values(assessed(ratings([labels, labels[::-1]])))
    assert found["alpha_nominal"] is not None
    assert found["alpha_nominal"] < 0
    assert found["alpha_interval"] is None


WORDS = [["bad", "good", "fair", "bad"], ["bad", "good", "good", "fair"]]


def test_words_have_the_order_that_is_given() -> None:
    found = values(assessed(ratings(WORDS), levels=("bad", "fair", "good")))
    codes = {"bad": "1", "fair": "2", "good": "3"}
    assert found == values(assessed(ratings([[codes[one] for one in row] for row in WORDS])))


def test_levels_that_nobody_used_are_a_step_all_the_same() -> None:
    found = values(assessed(ratings(WORDS), levels=("bad", "poor", "fair", "good")))
    codes = {"bad": "1", "fair": "3", "good": "4"}
    assert found == values(assessed(ratings([[codes[one] for one in row] for row in WORDS])))


def test_a_given_order_of_numbers_is_one_of_ranks_and_not_of_intervals() -> None:
    matrix = [["1", "2", "9", "2"], ["1", "9", "9", "1"]]
    plain = values(assessed(ratings(matrix)))
    given_order = values(assessed(ratings(matrix), levels=("9", "1", "2")))
    assert given_order["alpha_interval"] == plain["alpha_interval"]
    assert given_order["alpha_ordinal"] != plain["alpha_ordinal"]


def test_words_without_an_order_have_nominal_alpha_only() -> None:
    found = assessed(ratings(WORDS))
    assert result(found, "alpha_nominal").value is not None
    for one in ("alpha_ordinal", "alpha_interval"):
        assert result(found, one).value is None
        assert result(found, one).reason == (
            "'bad' is not a number, so its place among the labels is unknown; name them "
            "from the lowest to the highest (--levels)"
        )


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (
            ("bad", "good"),
            "r.csv:3: Style: the label 'fair' is none of the levels that are given; add it at its "
            "place among the levels, or correct the label",
        ),
        (("bad", "good", "bad"), "levels: 'bad' is there twice; name each label once"),
        (("1", "1.0"), "levels: '1.0' is there twice; name each label once"),
        (("bad",), "levels: an order needs two labels or more, from lowest to highest"),
        (
            ("bad", "N/A", "good"),
            "levels: 'N/A' means that there is no label; if it is one, write it ",
        ),
        (
            ("low", "high"),
            "levels: no rating has any of these labels; there is 'bad', 'good', 'fair'",
        ),
    ],
)
def test_levels_that_do_not_fit(levels: tuple[str, ...], message: str) -> None:
    with pytest.raises(PrimadError) as caught:
        assessed(ratings(WORDS, criterion="Style", file="r.csv", line=3), levels=levels)
    assert str(caught.value).startswith(message)


def test_levels_are_about_the_criteria_that_use_them() -> None:
    some = [
        *ratings(WORDS, criterion="Style"),
        *ratings([["1", "2"], ["1", "3"]], criterion="Length"),
        *ratings([["yes", "no"], ["no", "no"]], criterion="Usable"),
    ]
    found = assessed(some, levels=("bad", "fair", "good"))
    ordinal = {
        one.criterion: one.value is not None
        for one in found
        if one.statistic == "alpha_ordinal" and one.level is ResultLevel.criterion
    }
    assert ordinal == {"Style": True, "Length": True, "Usable": False}


# No value ----------------------------------------------------------------------------------


ONE_LABEL = "all 4 ratings are one label, so chance agrees as well (0/0)"


@pytest.mark.parametrize(
    ("matrix", "statistic", "reason"),
    [
        ([["a", "a"], ["a", "a"]], "fleiss_kappa", ONE_LABEL),
        ([["7", "7"], ["7", "7"]], "alpha_interval", ONE_LABEL),
        # the other label stands alone
        ([["a", "a", "b"], ["a", "a", ""]], "alpha_nominal", ONE_LABEL),
        ([["a", "b"]], "fleiss_kappa", "each item has one rating: agreement needs two or more"),
        ([["a", ""], ["", "b"]], "alpha_nominal", "no item has two ratings: agreement needs two or more"),
    ],
)  # fmt: skip
def test_reasons(matrix: Matrix, statistic: str, reason: str) -> None:
    one = result(assessed(ratings(matrix)), statistic)
    assert one.value is None
    assert one.reason == reason


# Levels of results -------------------------------------------------------------------------

AGREE = [["a", "b"], ["a", "b"]]
DISAGREE = [["a", "b"], ["b", "a"]]


def test_studies_are_assessed_together_and_apart() -> None:
    found = assessed([*ratings(AGREE, study="O"), *ratings(DISAGREE, study="R")])
    kappas = {one.study: one.value for one in found if one.statistic == "fleiss_kappa"}
    assert kappas["O"] == 1
    assert kappas["R"] == -1
    whole = result(found, "fleiss_kappa")
    assert whole.level is ResultLevel.criterion
    # Each item has 3 : 1, P = 1/2 = P_e
    assert whole.value == 0
    assert whole.n["raters"] == 4  # r0 of one study is not r0 of the other
    assert whole.n["ratings"] == 8


def test_without_studies_there_is_nothing_within_them() -> None:
    levels = {one.level for one in assessed(ratings(AGREE))}
    assert levels == {ResultLevel.criterion, ResultLevel.group}


def test_items_of_several_systems_are_several_items() -> None:
    found = assessed([*ratings(AGREE, object="A"), *ratings(DISAGREE, object="B")])
    assert result(found, "fleiss_kappa").n["items"] == 4


def test_a_group_is_the_mean_of_its_criteria() -> None:
    some: Mapping[str, list[Rating]] = {
        "n3": [*ratings(AGREE, criterion="x"), *ratings(DISAGREE, criterion="y")],
        "n4": ratings(AGREE, criterion="x"),
    }
    placed = [
        Rating(item=one.item, rater=one.rater, label=one.label, criterion=one.criterion, group=name)
        for name, each in some.items()
        for one in each
    ]
    found = {
        one.group: one
        for one in assessed(placed)
        if one.level is ResultLevel.group and one.statistic == "fleiss_kappa"
    }
    assert found["n3"].value == 0
    assert found["n3"].n == {"criteria": 2, "criteria_with_value": 2}
    assert found["n4"].value == 1


def test_many_ratings_of_one_item_are_counted_and_not_paired() -> None:
    # Their pairs would be 5,000,000,000.
    some = [
        Rating(item=item, rater=str(rater), label=str(rater % 50 + (item == "b")))
        for item in "ab"
        for rater in range(50_000)
    ]
    found = values(assessed(some))
    assert found["alpha_interval"] == pytest.approx(
        1 - (99_999 / 100_000) * 2 * 50_000 / 49_999 * 50_000 * 208.25 / (100_000 * 208.5)
    )
