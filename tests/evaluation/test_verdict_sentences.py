"""What an evaluation says in a sentence, and where it says none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from support.evaluated import evaluated_pair as pair

from primad_ld.compare.common_ground import Common, CommonDocuments, CommonTopics
from primad_ld.compare.primad_types import ComponentState
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.results import PairResult

COMPARED = Common(
    topics=CommonTopics(compared=93),
    documents=CommonDocuments(
        state=ComponentState.same, why="", both=61, reference=100, candidate=90
    ),
)


@pytest.mark.parametrize(
    ("means", "p", "details", "text"),
    [
        ((0.279, 0.215), 0.0031, {},
         "MAP .279 → .215 (−23 %), significantly lower (p .003, 93 topics); "
         ".61 of the documents in common"),
        ((0.2, 0.3), 0.00001, {}, "(+50 %), significantly higher (p < .001, 93 topics)"),
        ((0.2, 0.21), 0.3, {}, "not significantly different (p .300, 93 topics)"),
        # What counts is the corrected one.
        ((0.2, 0.3), 0.01, {"corrected": 0.06}, "not significantly different (p .060, 93 topics)"),
        ((0.2, 0.2), 1.0, {}, "MAP .200 → .200, no difference (p 1.000, 93 topics)"),
        ((0.0, 0.2), 0.01, {}, "MAP .000 → .200, significantly higher"),
        (None, 0.01, {}, ""),  # an archive without means
        ((0.2, 0.3), None, {}, ""),  # a test without a value
    ],
)  # fmt: skip
def test_the_verdict_on_a_pair(
    means: tuple[float, float] | None, p: float | None, details: Mapping[str, float], text: str
):
    tested = replace(
        pair(means=means, t_test=Figure(value=p, details=details, topics=93)), common=COMPARED
    )
    found = Evaluation(pairs=(tested,)).verdict()
    assert text in found if text else not found


def test_the_verdict_on_several_pairs():
    def tested(name: str, after: float, p: float) -> PairResult:
        return pair(name, (0.2, after), t_test=Figure(value=p, topics=9))

    some = (tested("a", 0.1, 0.01), tested("b", 0.3, 0.02), tested("c", 0.4, 0.2))
    assert Evaluation(pairs=some).verdict() == (
        "MAP of 3 runs compared with original: 1 significantly lower, 1 significantly higher "
        "(paired t-test, not corrected)"
    )
    assert Evaluation(pairs=(some[2], some[2])).verdict().startswith("None of 2 runs differs")
    # No test, no scores: no verdict.
    orders = pair(ktu=Figure(value=0.5))
    assert (
        Evaluation(pairs=(orders,)).verdict() == Evaluation(pairs=(orders, orders)).verdict() == ""
    )
    assert Evaluation(pairs=()).verdict() == ""
    assert Evaluation(pairs=()).text() == "no pairs\n"
