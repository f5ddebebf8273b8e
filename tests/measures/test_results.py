"""Results of a pair: found by measure, by what it is on, and by the run."""

from __future__ import annotations

import pytest

from primad_ld.compare.common_ground import Common, CommonTopics
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.registry import parse_measure
from primad_ld.measures.results import ADVANCED, PairResult, Result, Subject

GIVEN = [
    ("ktu", None, ""),
    ("rbo(p=0.8)", None, ""),
    ("rbo", None, ""),
    ("rmse", "map", ""),
    ("rmse", "P_10", ""),
    ("rmse", "map", ADVANCED),
]
RESULTS = tuple(
    Result(measure=parse_measure(text), on=on, run=run, figure=Figure(value=float(at)))
    for at, (text, on, run) in enumerate(GIVEN)
)
PAIR = PairResult(
    reference=Subject(name="a"),
    candidate=Subject(name="b"),
    common=Common(topics=CommonTopics(compared=3)),
    results=RESULTS,
)


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        (("ktu",), 0),
        (("rbo",), 1),  # the first one, whatever its parameters
        (("rmse", "P_10"), 4),
        (("rmse", "map", ADVANCED), 5),
        (("rmse",), None),
        (("ktu", "map"), None),
        (("tau_common",), None),
    ],
)
def test_what_a_measure_says(asked: tuple[str, ...], at: int | None) -> None:
    assert PAIR.find(*asked) is (None if at is None else RESULTS[at])
