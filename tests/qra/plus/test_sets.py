"""Type II of QRA++: correlations of studies, and their concordance, against scipy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import pytest
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.plus import LevelResult, ResultLevel, assess_sets
from primad_ld.qra.plus.sets import kendall_w, pearson, spearman
from primad_ld.qra.plus.study_scores import doubled_ranks

Scores = Mapping[str, Mapping[str, float]]


def table(scores: Scores, criterion: str = "Fluency", **others: Any) -> MeasurementTable:
    """Scores by study and system."""
    return with_conditions(
        Measurement(object=name, measurand=criterion, value=value, study=study, **others)
        for study, some in scores.items()
        for name, value in some.items()
    )


def joined(*tables: MeasurementTable) -> MeasurementTable:
    return with_conditions(one for some in tables for one in some.measurements)


def named(*values: float) -> dict[str, float]:
    return dict(zip("ABCDEFGH", values, strict=False))


def by_statistic(
    found: Sequence[LevelResult], level: ResultLevel = ResultLevel.criterion
) -> dict[str, LevelResult]:
    return {one.statistic: one for one in found if one.level is level}


# Against scipy -----------------------------------------------------------------------------

COARSE = st.integers(0, 6).map(lambda one: one / 2)  # many ties
FINE = st.floats(-1e6, 1e6).map(lambda one: round(one, 3))
LISTS = st.integers(3, 8).flatmap(
    lambda size: st.one_of(
        *(
            st.lists(st.lists(values, min_size=size, max_size=size), min_size=2, max_size=5)
            for values in (COARSE, FINE)
        )
    )
)


@given(LISTS)
def test_correlations_are_those_of_scipy(lists: list[list[float]]) -> None:
    assume(all(len(set(some)) > 1 for some in lists))
    left, right = lists[:2]
    assert pearson(left, right) == pytest.approx(
        scipy.stats.pearsonr(left, right).statistic, abs=1e-9
    )
    assert spearman(left, right) == pytest.approx(
        scipy.stats.spearmanr(left, right).statistic, abs=1e-12
    )


@given(LISTS)
def test_means_are_over_all_pairs_of_studies(lists: list[list[float]]) -> None:
    assume(all(len(set(some)) > 1 for some in lists))
    found = by_statistic(
        assess_sets(table({f"s{n}": named(*some) for n, some in enumerate(lists)}))
    )
    pairs = list(combinations(lists, 2))
    rhos = [scipy.stats.spearmanr(left, right).statistic for left, right in pairs]
    assert found["spearman_rho"].value == pytest.approx(sum(rhos) / len(rhos), abs=1e-12)
    assert found["spearman_rho"].n["pairs"] == len(pairs)


@given(LISTS)
def test_concordance_corrected_for_ties_is_that_of_friedmans_test(
    lists: list[list[float]],
) -> None:
    # chi² = m (n - 1) W, and scipy's chi² is corrected for ties
    assume(any(len(set(some)) > 1 for some in lists))
    ranks = [doubled_ranks(some) for some in lists]
    chi = scipy.stats.friedmanchisquare(*zip(*lists, strict=True)).statistic
    expected = chi / (len(lists) * (len(lists[0]) - 1))
    assert kendall_w(ranks, is_corrected=True) == pytest.approx(expected, abs=1e-12)


@given(LISTS)
def test_ranks_are_those_of_scipy(lists: list[list[float]]) -> None:
    for some in lists:
        assert [one / 2 for one in doubled_ranks(some)] == list(scipy.stats.rankdata(some))


@given(LISTS, st.floats(0.001, 1000), st.randoms())
def test_neither_units_nor_orders_matter(
    lists: list[list[float]], factor: float, random: Any
) -> None:
    assume(all(max(some) - min(some) > 1e-3 for some in lists))
    scores = {f"s{n}": named(*some) for n, some in enumerate(lists)}
    names = list(scores["s0"])
    random.shuffle(names)
    studies = list(scores)
    random.shuffle(studies)
    moved = {
        study: {name: factor * scores[study][name] + (study == "s0") for name in names}
        for study in studies
    }
    for one, other in zip(
        by_statistic(assess_sets(table(scores))).values(),
        by_statistic(assess_sets(table(moved))).values(),
        strict=True,
    ):
        assert one.value == pytest.approx(other.value, abs=1e-7)


# Many studies -----------------------------------------------------------------------------


def test_pairs_without_a_value_are_named_as_far_as_there_is_room() -> None:
    scores = {f"s{n}": named(2, 2) for n in range(46)}
    scores |= {"one": named(1, 2), "other": named(2, 1)}
    one = by_statistic(assess_sets(table(scores)))["pearson_r"]
    assert one.n["pairs"] == 48 * 47 // 2
    assert one.n["pairs_with_value"] == 1
    assert len(one.left_out) == 1001
    assert one.left_out[-1] == "127 more pairs of studies"


def test_too_many_pairs_of_studies() -> None:
    scores = {f"s{n}": named(n, 1) for n in range(448)}
    with pytest.raises(MeasureError, match=r"^Fluency: there are 448 studies.*100,128 pairs"):
        assess_sets(table(scores))


# By hand -----------------------------------------------------------------------------------


def test_two_studies_by_hand() -> None:
    # ranks 1 2 3 and 1 3 2: rho = 1 - 6·2/24; rank sums 2 5 5: W = 12·6/(4·24)
    found = by_statistic(assess_sets(table({"O": named(1, 2, 3), "R": named(1, 4, 3)})))
    assert found["spearman_rho"].value == 0.5
    assert found["kendall_w"].value == found["kendall_w_corrected"].value == 0.75
    assert found["pearson_r"].value == pytest.approx(2 / (2 * 14 / 3) ** 0.5)
    assert found["pearson_r"].n == {
        "studies": 2,
        "objects": 3,
        "fewest_objects": 3,
        "pairs": 1,
        "pairs_with_value": 1,
    }


def test_ties_lower_the_concordance_that_is_not_corrected() -> None:
    same = table({"O": named(1, 2, 2), "R": named(1, 2, 2)})
    found = by_statistic(assess_sets(same))
    # rank sums 2 5 5, S = 6, 12 S / (4·24) = .75; corrected by 2 (6 + 6) of 96
    assert found["kendall_w"].value == 0.75
    assert found["kendall_w_corrected"].value == 1
    assert found["spearman_rho"].value == 1


@pytest.mark.parametrize("order", list(permutations("ABC")))
def test_opposite_studies(order: tuple[str, ...]) -> None:
    up = {name: 1.5 * place for place, name in enumerate(order, 1)}
    found = by_statistic(assess_sets(table({"O": up, "R": {n: -v for n, v in up.items()}})))
    assert [found[name].value for name in ("pearson_r", "spearman_rho")] == pytest.approx([-1, -1])
    assert found["kendall_w"].value == 0


def test_pairs_of_studies_go_by_the_systems_that_both_measured() -> None:
    scores = {"O": named(1, 2, 3, 4), "R1": named(1, 2, 3), "R2": {"B": 2, "C": 1, "D": 3}}
    found = by_statistic(assess_sets(table(scores)))
    # 1 over A B C, 1/2 over B C D, and B C alone are turned round
    assert found["spearman_rho"].value == pytest.approx((1 + 0.5 - 1) / 3)
    assert found["spearman_rho"].n["objects"] == 4
    assert found["spearman_rho"].n["fewest_objects"] == 2
    assert found["kendall_w"].n == {"studies": 3, "objects": 2, "objects_left_out": 2}
    assert found["kendall_w"].left_out == ("A, D, not measured by all studies",)


def test_several_values_of_a_study_count_as_their_mean() -> None:
    twice = joined(
        table({"O": named(1, 2, 3), "R": named(1, 3, 2)}),
        table({"R": {"C": 4.0}}),  # 3 in the mean, as B has
    )
    found = by_statistic(assess_sets(twice))
    assert found["spearman_rho"].value == pytest.approx(
        scipy.stats.spearmanr([1, 2, 3], [1, 3, 3]).statistic
    )


def test_what_rounding_made_of_a_mean_is_a_tie() -> None:
    assert 0.1 + 0.2 != 0.3
    assert doubled_ranks([0.1 + 0.2, 0.3, 0.2]) == [5, 5, 2]


def test_a_scale_where_lower_is_better() -> None:
    def both(*, is_lower_better: bool) -> list[float | None]:
        scale = Scale(is_lower_better=is_lower_better, is_stated=True)
        scores = {"O": named(1, 2, 5), "R": named(2, 2, 9)}
        return [one.value for one in assess_sets(table(scores, scale=scale))]

    assert both(is_lower_better=True) == pytest.approx(both(is_lower_better=False))


def test_studies_on_opposite_scales_agree_where_they_prefer_the_same() -> None:
    mixed = joined(
        table({"O": named(90, 80, 70)}),
        table({"R": named(10, 20, 30)}, scale=Scale(is_lower_better=True, is_stated=True)),
    )
    found = by_statistic(assess_sets(mixed))
    assert found["pearson_r"].value == pytest.approx(1)
    assert found["kendall_w"].value == 1


def test_criteria_are_averaged_and_those_without_a_value_named() -> None:
    both = joined(
        table({"O": named(1, 2, 3), "R": named(1, 3, 2)}, "Fluency"),
        table({"O": named(1, 2, 3), "R": named(1, 2, 3)}, "Grammar"),
        table({"O": named(1, 2, 3), "R": named(2, 2, 2)}, "Style"),
    )
    rho = by_statistic(assess_sets(both), ResultLevel.group)["spearman_rho"]
    assert rho.value == pytest.approx(0.75)
    assert rho.n == {"criteria": 3, "criteria_with_value": 2}
    assert rho.left_out == ("Style: O and R: R has one score for all of 3 systems",)


# No value ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "statistic", "reason"),
    [
        ({"O": named(1, 2)}, "pearson_r", "there is one study, and no pair of studies"),
        ({"O": named(1, 2)}, "kendall_w", "there is one study: agreement needs two or more"),
        ({"O": {"A": 1.0}, "R": {"B": 1.0}}, "kendall_w", "no system that all studies measured: a"),
        ({"O": named(1), "R": named(2)}, "spearman_rho", "O and R: one system that both measured: a"),
        # S is 0, and so is what it would be divided by with the correction
        ({"O": named(1, 1), "R": named(2, 2)}, "kendall_w", "each study has one score for all of 2"),
        # equal but for rounding
        ({"O": named(0.3, 0.1 + 0.2), "R": named(1, 2)}, "pearson_r", "O and R: O has one score for"),
    ],
)  # fmt: skip
def test_reasons(scores: Scores, statistic: str, reason: str) -> None:
    one = by_statistic(assess_sets(table(scores)))[statistic]
    assert one.value is None
    assert one.reason.startswith(reason)


def test_measurements_without_a_study() -> None:
    nobodys = Measurement(object="A", measurand="x", value=1, file="m.csv", line=4)
    with pytest.raises(HeaderError) as caught:
        assess_sets(with_conditions([nobodys]))
    assert str(caught.value) == (
        "m.csv:4: A, x: nothing says in whose study this was measured, and scores of a study belong "
        "together; name the study: in YAML 'study: …', in a table its column"
    )


@pytest.mark.parametrize(
    "other",
    [
        {"scale": Scale(minimum=1)},
        {"scale": Scale(is_lower_better=True)},
        {"text": "2%"},  # beside a number without a sign
    ],
)
def test_a_study_on_several_scales(other: dict[str, Any]) -> None:
    one = Measurement(object="A", measurand="x", value=2, study="O")
    mixed = Measurement(
        object="B", measurand="x", value=2, study="O", file="m.csv", line=5, **other
    )
    with pytest.raises(HeaderError, match=r"^m\.csv:5: B, x by O: it is on another scale .* A, x"):
        assess_sets(with_conditions([one, mixed]))


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_values_at_the_ends_of_what_numbers_can_be(size: float) -> None:
    scores = {"O": named(size, 2 * size, 4 * size), "R": named(size, 3 * size, 5 * size)}
    twice = joined(table(scores), table(scores))
    expected = scipy.stats.pearsonr([1, 2, 4], [1, 3, 5]).statistic
    assert by_statistic(assess_sets(twice))["pearson_r"].value == pytest.approx(expected)
