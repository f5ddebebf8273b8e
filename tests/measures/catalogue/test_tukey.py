"""Tests of all pairs of many runs together."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from support import Cli, Put

from primad_ld.core.errors import MeasureError
from primad_ld.measures.measure_values import ManyScores, UndefinedError
from primad_ld.measures.registry import parse_measure

#: The example of scipy.stats.tukey_hsd: the relief that three brands of painkillers give.
SCIPYS = (
    (24.5, 23.5, 26.4, 27.1, 29.9),
    (28.4, 34.2, 29.5, 32.2, 30.1),
    (26.1, 28.3, 24.3, 26.2, 27.8),
)


def ask(runs, text="tukey_hsd"):
    topics = tuple(map(str, range(len(runs[0]))))
    chosen = parse_measure(text)
    given = ManyScores(on="map", topics=topics, runs=tuple(map(tuple, runs)))
    return chosen.measure.function(given, **chosen.parameters)


def test_it_is_near_that_of_scipy_on_its_example():
    """Five permuted rows tell less than the assumption of normal scores, which are of no topics."""
    found, expected = ask(SCIPYS), stats.tukey_hsd(*SCIPYS).pvalue
    assert found == pytest.approx(expected, abs=0.035)
    assert np.argsort(found[np.triu_indices(3, 1)]).tolist() == [0, 2, 1]
    assert np.argsort(expected[np.triu_indices(3, 1)]).tolist() == [0, 2, 1]


def test_with_many_topics_that_do_not_differ_it_is_that_of_scipy():
    means = np.array([0, 0.005, 0.01, 0.012, 0])[:, None]
    runs = np.random.default_rng(7).normal(0.3, 0.1, (5, 1000)) + means
    expected = stats.tukey_hsd(*runs).pvalue
    assert ((expected > 0.01) & (expected < 0.99)).sum() > 8
    assert ask(runs) == pytest.approx(expected, abs=0.02)


def test_all_permutations_of_few_topics_by_definition():
    runs = ((0.1, 0.5, 0.3), (0.4, 0.6, 0.9))
    sums = np.array(runs).sum(axis=1)
    ranges = [
        abs(sum(b if swap else a for a, b, swap in zip(*runs, swaps, strict=True)) * 2 - sums.sum())
        for swaps in itertools.product((False, True), repeat=3)
    ]
    share = np.mean([one >= abs(sums[0] - sums[1]) - 1e-9 for one in ranges])
    assert ask(runs, "tukey_hsd(samples=100000)")[0, 1] == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize(
    "runs",
    [
        ((0.1, 0.2, 0.5, 0.3, 0.2), (0.2, 0.3, 0.4, 0.3, 0.1), (0.3, 0.4, 0.6, 0.5, 0.4)),
        ((0.5,) * 4, (0.6,) * 4, (0.7,) * 4),
        ((0.2, 0.4, 0.6, 0.4), (0.4, 0.2, 0.4, 0.8), (0.6, 0.6, 0.2, 0.4)),
    ],
)
def test_differences_that_are_equal_but_for_rounding_count(runs):
    """Every permutation of every topic, in fractions."""
    topics = [[Fraction(str(score)) for score in topic] for topic in zip(*runs, strict=True)]
    ranges = []
    for orders in itertools.product(*map(itertools.permutations, topics)):
        sums = [sum(column) for column in zip(*orders, strict=True)]
        ranges.append(max(sums) - min(sums))
    means = [sum(Fraction(str(score)) for score in run) for run in runs]
    found = ask(runs, "tukey_hsd(samples=20000)")
    for (one, first), (other, second) in itertools.combinations(enumerate(means), 2):
        share = sum(found >= abs(first - second) for found in ranges) / len(ranges)
        assert found[one, other] == pytest.approx(share, abs=0.015)


def test_values_are_p_values_and_symmetric_and_the_same_each_time():
    runs = np.random.default_rng(1).random((6, 20))
    found = ask(runs)
    assert ((found > 0) & (found <= 1)).all()
    assert (found == found.T).all()
    assert (np.diag(found) == 1).all()
    assert (ask(runs) == found).all()
    assert (ask(runs, "tukey_hsd(seed=1)") != found).any()
    # Neither the order of runs nor that of topics has a say beyond chance.
    assert ask(runs[::-1, ::-1])[::-1, ::-1] == pytest.approx(found, abs=0.03)


def test_one_topic_tells_nothing():
    with pytest.raises(UndefinedError, match="one topic in common"):
        ask([(0.1,), (0.2,)])


def test_as_a_matrix_and_of_all_runs_only(cli: Cli, put: Put):
    rows = "".join(f"{topic},0.{topic},0.{topic}5,0.9{topic}\n" for topic in range(1, 9))
    table = put("scores.csv", f"topic,a,b,c\n{rows}")
    asked = ("--scores-of", "map", "-m", "tukey_hsd")
    done = cli("evaluate", table, "--all-pairs", *asked, "-f", "json")
    assert done.exit_code == 0, done.stderr
    found = {
        (row["reference"], row["candidate"]): (row["value"], row["topics"])
        for row in json.loads(done.stdout)["results"]
    }
    scores = [[float(f"0.{t}") for t in range(1, 9)], [float(f"0.{t}5") for t in range(1, 9)]]
    expected = ask([*scores, [float(f"0.9{t}") for t in range(1, 9)]])
    assert found["a", "c"] == (expected[0, 2], 8)
    alone = put("alone.csv", "topic,a\n1,0.1\n2,0.2\n")
    none = cli("evaluate", alone, table, *asked)
    assert none.exit_code == 2
    assert "tukey_hsd needs all runs of a matrix; use --all-pairs" in none.stderr


@pytest.mark.parametrize("text", ["tukey_hsd(samples=5)", "tukey_hsd(p=1)", "tukey_hsd(seed=-1)"])
def test_parameters_that_do_not_fit(text):
    with pytest.raises(MeasureError):
        parse_measure(text)
