"""Bootstrap intervals: by their definition, the same on every way, and where there are none."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction
from math import isfinite, sqrt
from statistics import NormalDist, fmean, stdev

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import ScorePair, UndefinedError
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.resampling import Bootstrap, Draws, _by_integers, _by_matrix


def pair_of(reference, candidate, *, is_paired=True):
    topics = tuple(f"{number}" for number in range(len(reference))) if is_paired else ()
    return ScorePair(
        on="map", reference=tuple(reference), candidate=tuple(candidate), topics=topics
    )


def ask(text, pair):
    chosen = parse_measure(text)
    return chosen.measure.function(pair, **chosen.parameters)


def drawn(size, samples, seed):
    """Which topics are drawn, as the documentation says it."""
    draw = random.Random(seed).random
    return [[int(draw() * size) for _ in range(size)] for _ in range(samples)]


def exact_means(values, draws):
    exact = list(map(Fraction, values))
    return [sum(exact[topic] for topic in draw) / len(values) for draw in draws]


_values = st.lists(
    st.one_of(st.floats(-1, 1), st.integers(-10, 10).map(lambda n: n / 10)), min_size=2, max_size=60
)


@given(_values, st.integers(0, 5))
def test_means_are_those_of_the_drawn_topics(values, seed):
    found = Bootstrap(samples=40, level=0.95, seed=seed).means(values)
    expected = exact_means(values, drawn(len(values), 40, 2 * seed))
    scale = max(max(values) - min(values), 1e-300)
    for one, other in zip(found, expected, strict=True):
        assert abs(one - other) <= 1e-13 * scale + 1e-15 * abs(other)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=80))
def test_both_ways_give_the_same_bits(values):
    draws = Draws.of(len(values), 50, 7)
    least = min(values)
    spread = max(values) - least
    assume(spread > 0)
    bits = 52 - len(values).bit_length()
    steps = [round((value - least) / spread * 2**bits) for value in values]
    assert _by_integers(draws, steps) == _by_matrix(draws, steps).tolist()


_ASK = """
import sys
{first}
from primad_ld.measures.measure_values import ScorePair
from primad_ld.measures.registry import all_measures
import random
some = random.Random(4).random
delta = all_measures()["delta_arp"].function
for _ in range({pairs}):
    one, other = (tuple(some() for _ in range(50)) for _ in range(2))
    pair = ScorePair(on="map", reference=one, candidate=other, topics=tuple(map(str, range(50))))
    print(delta(pair, samples=1000, level=0.95, seed=0).details)
print("numpy" in sys.modules, "scipy" in sys.modules, file=sys.stderr)
"""


def said(first, pairs):
    done = subprocess.run(
        [sys.executable, "-c", _ASK.format(first=first, pairs=pairs)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr.strip()


def test_numpy_makes_it_faster_and_nothing_else():
    """It is imported for very many intervals only; a few do without."""
    few, told = said("", 12)
    assert told == "False False"
    many, told = said("", 130)
    assert told == "True False"
    assert many.startswith(few)
    assert many == said("import numpy", 130)[0]


def test_the_numbers_never_change():
    """Whoever reads a paper years later gets the same, whatever the version of Python."""
    details = ask("delta_arp", pair_of([0.125, 0.5, 0.25, 0.75], [0.25, 0.375, 0.5, 1.0])).details
    assert (details["low"], details["high"]) == (-0.03125, 0.25)
    unpaired = pair_of([0.125, 0.5, 0.25, 0.75], [0.25, 0.375, 0.5], is_paired=False)
    details = ask("delta_arp(seed=3)", unpaired).details
    assert (details["low"], details["high"]) == (-0.3125, 0.22916666666666669)


# Intervals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("samples", "level", "rank"),
    [
        (1000, 0.95, 25),  # 1001 · 0.025 is 25.025
        (999, 0.9, 50),  # 1000 · 0.05, which floats put a little below
        (39, 0.95, 1),  # the fewest that this level takes
        (200, 0.5, 50),
    ],
)
def test_the_ends_are_at_a_rank_from_both_sides(samples, level, rank):
    gains = [0.1, -0.2, 0.05, 0.3, 0.0, -0.1, 0.21]
    interval = Bootstrap(samples=samples, level=level, seed=3).of_mean(gains)
    means = sorted(exact_means(gains, drawn(len(gains), samples, 6)))
    assert interval.low == pytest.approx(float(means[rank - 1]), abs=1e-14)
    assert interval.high == pytest.approx(float(means[-rank]), abs=1e-14)


@pytest.mark.parametrize(
    ("samples", "level", "least"), [(38, 0.95, 39), (1, 0.5, 3), (100, 0.99, 199)]
)
def test_too_few_samples_are_refused(samples, level, least):
    with pytest.raises(MeasureError, match=f"needs at least {least} samples .got {samples}"):
        ask(f"delta_arp(samples={samples}, level={level})", pair_of([0.1, 0.2], [0.2, 0.1]))
    enough = f"delta_arp(samples={least}, level={level})"
    assert ask(enough, pair_of([0.1, 0.2], [0.2, 0.1])).details["low"] is not None


def test_it_is_about_that_of_the_normal_distribution():
    some = random.Random(11)
    gains = [some.gauss(0.02, 0.1) for _ in range(200)]
    interval = Bootstrap(samples=4000, level=0.95, seed=1).of_mean(gains)
    reach = NormalDist().inv_cdf(0.975) * stdev(gains) / sqrt(200)
    assert interval.low == pytest.approx(fmean(gains) - reach, abs=reach / 10)
    assert interval.high == pytest.approx(fmean(gains) + reach, abs=reach / 10)


def test_another_seed_has_other_samples():
    some = random.Random(5).random
    pair = pair_of([some() for _ in range(20)], [some() for _ in range(20)])
    one, same, other = (ask(f"delta_arp(seed={seed})", pair).details for seed in (1, 1, 2))
    assert one == same
    assert (one["low"], one["high"]) != (other["low"], other["high"])


def test_sides_are_drawn_by_themselves():
    """With the same draws on both sides, means that move together would have no interval."""
    scores = [0.1, 0.5, 0.25, 0.75, 0.3]
    joint = ask("delta_arp", pair_of(scores, scores)).details
    apart = ask("delta_arp", pair_of(scores, scores, is_paired=False)).details
    assert (joint["low"], joint["high"]) == (0.0, 0.0)
    assert apart["low"] < -0.1
    assert apart["high"] > 0.1


# ΔARP -------------------------------------------------------------------------------------


def test_negative_is_worse():
    found = ask("delta_arp", pair_of([0.5, 0.7], [0.3, 0.4]))
    assert found.value == pytest.approx(-0.25)
    assert found.details["reference"] == pytest.approx(0.6)
    assert found.details["candidate"] == pytest.approx(0.35)
    assert found.topics == 2


def test_sides_of_different_size():
    found = ask("delta_arp", pair_of([0.5, 0.7, 0.6], [0.3, 0.4], is_paired=False))
    assert found.value == pytest.approx(-0.25)
    assert found.details["low"] <= found.value <= found.details["high"]


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [([0.3], [0.4]), ([0.3], [0.3])],
)
def test_a_single_topic_has_no_interval(reference, candidate):
    for is_paired in (True, False):
        found = ask("delta_arp", pair_of(reference, candidate, is_paired=is_paired))
        assert found.value == pytest.approx(candidate[0] - reference[0])
        assert found.details["low"] is None
        assert found.details["high"] is None


def test_one_side_with_a_single_topic_has_no_interval():
    found = ask("delta_arp", pair_of([0.3, 0.5], [0.4], is_paired=False))
    assert found.value == pytest.approx(0.0, abs=1e-15)
    assert found.details["low"] is None


@pytest.mark.parametrize(("reference", "candidate"), [([], []), ([0.1], []), ([], [0.1])])
def test_without_topics_there_is_no_mean(reference, candidate):
    with pytest.raises(UndefinedError, match="no topics"):
        ask("delta_arp", pair_of(reference, candidate, is_paired=False))


def test_no_samples_no_interval():
    found = ask("delta_arp(samples=0)", pair_of([0.1, 0.2], [0.2, 0.1]))
    assert set(found.details) == {"reference", "candidate"}


@pytest.mark.parametrize("shift", [0.125, -0.3, 1e-20, 1e9])
def test_a_constant_difference_is_its_own_interval(shift):
    interval = Bootstrap(samples=100, level=0.9, seed=0).of_mean([shift] * 3)
    assert (interval.low, interval.high) == (pytest.approx(shift, rel=1e-15),) * 2


@given(
    st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), min_size=1, max_size=20),
    st.booleans(),
)
def test_there_are_only_numbers(scores, is_paired):
    pair = pair_of(*zip(*scores, strict=True), is_paired=is_paired)
    found = ask("delta_arp(samples=60)", pair)
    low, high = found.details["low"], found.details["high"]
    assert isfinite(found.value)
    assert (low is None) == (high is None) == (len(scores) == 1)
    if low is not None:
        assert isfinite(low)
        assert low <= high
