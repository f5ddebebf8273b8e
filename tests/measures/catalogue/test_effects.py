"""Effect ratio and delta relative improvement, and their intervals."""

from __future__ import annotations

import random
from math import isfinite
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from primad_ld.measures.measure_values import Effects, UndefinedError
from primad_ld.measures.registry import all_measures, parse_measure


def effects(baseline, advanced, reproduced_baseline, reproduced_advanced, *, is_paired=True):
    return Effects(
        on="map",
        baseline=tuple(baseline),
        advanced=tuple(advanced),
        reproduced_baseline=tuple(reproduced_baseline),
        reproduced_advanced=tuple(reproduced_advanced),
        is_paired=is_paired,
    )


def ask(text, given):
    chosen = parse_measure(text)
    return chosen.measure.function(given, **chosen.parameters)


@pytest.mark.parametrize(
    ("baseline", "advanced", "er", "dri"),
    [
        (0.3711, 0.4278, 1.0, 0.0),  # the originals with themselves
        (0.4018, 0.4487, 0.8272, 0.0361),
        (0.3612, 0.4208, 1.0511, -0.0122),
    ],
)
def test_table_2_of_the_ir_metadata_paper(baseline, advanced, er, dri):
    """From its printed means; it has .8267, 1.0514, .0362, -.0123 from those before rounding."""
    given = effects([0.3711], [0.4278], [baseline], [advanced])
    assert ask("er", given).value == pytest.approx(er, abs=5e-5)
    assert ask("dri", given).value == pytest.approx(dri, abs=5e-5)


_SAME = ([0.2, 0.4, 0.1], [0.3, 0.7, 0.2])


@pytest.mark.parametrize("id", ["er", "dri"])
def test_the_identity_is_what_the_registry_says(id):
    found = ask(id, effects(*_SAME, *_SAME))
    assert found.value == all_measures()[id].identity
    assert found.topics == 3
    # Whatever topics are drawn, both effects are the same.
    assert found.details["low"] == found.details["high"] == all_measures()[id].identity
    assert found.details["undefined"] == 0


@pytest.mark.parametrize(
    ("id", "scores", "why"),
    [
        ("er", ([0.2, 0.4], [0.4, 0.2], [0.1, 0.2], [0.3, 0.4]), "the original effect is 0"),
        ("er", ([0.2, 0.4], [0.4, 0.2], [0.1, 0.2], [0.2, 0.1]), "both effects are 0"),
        # 0.1, 0.2 and -0.3 do not add up to 0 in binary, and the ratio would be 10^16.
        (
            "er",
            ([0.1, 0.1, 0.4], [0.2, 0.3, 0.1], [0.1] * 3, [0.3] * 3),
            "the original effect is 0",
        ),
        ("er", ([0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]), "both effects are 0"),
        ("dri", ([0.0, 0.0], [0.1, 0.2], [0.1, 0.2], [0.3, 0.4]), "the original baseline"),
        ("dri", ([0.1, 0.2], [0.3, 0.4], [0.0, 0.0], [0.1, 0.2]), "the reproduced baseline"),
        ("er", ([], [], [], []), "no topics"),
        ("dri", ([0.1], [0.2], [], []), "no topics"),
    ],
)
def test_undefined_is_undefined(id, scores, why):
    with pytest.raises(UndefinedError, match=why):
        ask(id, effects(*scores, is_paired=False))


def test_no_effect_in_the_reproduction_is_a_ratio_of_0():
    assert ask("er", effects([0.1, 0.2], [0.2, 0.4], [0.3, 0.3], [0.3, 0.3])).value == 0


def test_the_sign_of_dri():
    """Positive: the reproduction improves less."""
    assert ask("dri", effects([0.2], [0.4], [0.2], [0.3])).value == pytest.approx(0.5)


# Intervals --------------------------------------------------------------------------------

_SOME = random.Random(8)
_BASE = [_SOME.random() / 2 for _ in range(12)]
_MORE = [score + _SOME.random() / 3 for score in _BASE]
_BASE_AGAIN = [score + _SOME.gauss(0, 0.02) for score in _BASE]
_MORE_AGAIN = [score + _SOME.gauss(0, 0.05) for score in _MORE]


def by_definition(compute, is_paired):
    """Intervals of 0.9 with 99 samples, so that the ends are the fifth from both sides."""
    draws = [random.Random(seed).random for seed in (0, 1)]
    found = []
    for _ in range(99):
        ours = [int(draws[0]() * 12) for _ in range(12)]
        theirs = ours if is_paired else [int(draws[1]() * 12) for _ in range(12)]
        sides = ((_BASE, ours), (_MORE, ours), (_BASE_AGAIN, theirs), (_MORE_AGAIN, theirs))
        found.append(compute(*(sum(scores[at] for at in some) / 12 for scores, some in sides)))
    found.sort()
    return found[4], found[-5]


@pytest.mark.parametrize("is_paired", [True, False])
@pytest.mark.parametrize(
    ("id", "compute"),
    [
        ("er", lambda b, a, rb, ra: (ra - rb) / (a - b)),
        ("dri", lambda b, a, rb, ra: (a - b) / b - (ra - rb) / rb),
    ],
)
def test_an_interval_is_that_of_the_drawn_topics(id, compute, is_paired):
    given = effects(_BASE, _MORE, _BASE_AGAIN, _MORE_AGAIN, is_paired=is_paired)
    details = ask(f"{id}(samples=99, level=0.9)", given).details
    low, high = by_definition(compute, is_paired)
    assert details["low"] == pytest.approx(low, rel=1e-11)
    assert details["high"] == pytest.approx(high, rel=1e-11)
    assert details["undefined"] == 0


@pytest.mark.parametrize("id", ["er", "dri"])
def test_a_single_topic_has_no_interval(id):
    found = ask(id, effects([0.2], [0.4], [0.2], [0.3]))
    assert found.value == pytest.approx(0.5)
    assert (found.details["low"], found.details["high"]) == (None, None)
    assert found.details.get("original_p") is None


@pytest.mark.parametrize("id", ["er", "dri"])
def test_one_side_with_a_single_topic_has_no_interval(id):
    found = ask(id, effects([0.2, 0.2], [0.4, 0.4], [0.2], [0.3], is_paired=False))
    assert (found.details["low"], found.details["high"]) == (None, None)
    assert found.details.get("original_p") is None


@pytest.mark.parametrize("id", ["er", "dri"])
def test_no_samples_no_interval(id):
    given = effects([0.2, 0.1], [0.4, 0.5], [0.2, 0.3], [0.3, 0.4])
    assert "low" not in ask(f"{id}(samples=0)", given).details


def test_an_effect_ratio_says_whether_the_original_effect_can_be_told_from_0():
    given = effects(_BASE, _MORE, _BASE_AGAIN, _MORE_AGAIN)
    details = ask("er", given).details
    assert details["original"] == pytest.approx(fmean(_MORE) - fmean(_BASE))
    assert details["reproduced"] == pytest.approx(fmean(_MORE_AGAIN) - fmean(_BASE_AGAIN))
    assert details["original_p"] == pytest.approx(stats.ttest_rel(_MORE, _BASE).pvalue)


def test_many_samples_without_an_effect_leave_no_interval():
    """Of three topics one has an effect, and (2/3)^3 of the samples miss it."""
    found = ask("er", effects([0.2] * 3, [0.2, 0.2, 0.5], [0.2] * 3, [0.2, 0.2, 0.4]))
    assert found.value == pytest.approx(2 / 3)
    assert found.details["low"] is None
    assert found.details["high"] is None
    assert found.details["undefined"] == pytest.approx(8 / 27, abs=0.05)


def test_few_samples_without_an_effect_are_left_out():
    """Four topics of ten have one: (6/10)^10 of the samples, 0.6 %, have none."""
    baseline, advanced = [0.2] * 10, [0.2] * 6 + [0.5] * 4
    found = ask("er", effects(baseline, advanced, baseline, [0.2] * 6 + [0.3] * 4))
    assert 0 < found.details["undefined"] < 0.02
    assert found.details["low"] == pytest.approx(1 / 3)
    assert found.details["high"] == pytest.approx(1 / 3)


def test_a_baseline_that_is_often_0_leaves_no_interval():
    found = ask("dri", effects([0, 0, 0.3], [0.1, 0.2, 0.4], [0, 0, 0.3], [0.2, 0.2, 0.4]))
    assert isfinite(found.value)
    assert found.details["low"] is None
    assert found.details["undefined"] > 0.2


_row = st.tuples(*[st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.1, 0.5]))] * 4)


@given(st.lists(_row, max_size=15), st.booleans())
@pytest.mark.parametrize("id", ["er", "dri"])
def test_there_is_a_number_or_a_reason(id, rows, is_paired):
    columns = zip(*rows, strict=True) if rows else ((), (), (), ())
    try:
        found = ask(f"{id}(samples=60)", effects(*columns, is_paired=is_paired))
    except UndefinedError:
        return
    assert isfinite(found.value)
    assert all(value is None or isfinite(value) for value in found.details.values())
