"""Scores are those of trec_eval, topic by topic and in one number."""

from __future__ import annotations

import copy
import math
import random

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from support import Put

from primad_ld.core.errors import MeasureError
from primad_ld.trec.judgements import Judgements, read_judgements
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.scorer import Scorer, TopicScores, aggregate, in_order

#: What is not a number or not for people.
NO_NUMBERS = {"runid", "relstring"}


def judgements_of(topics: dict[str, dict[str, int]]) -> Judgements:
    return Judgements(path="qrels.txt", topics=topics, repairs={})


def run_of(topics: dict[str, dict[str, float]]) -> RankedRun:
    ranked = {
        topic: sorted(found, key=lambda name: (found[name], name), reverse=True)
        for topic, found in topics.items()
    }
    return RankedRun(
        path="run.txt",
        tag="tag",
        documents=ranked,
        scores={topic: [topics[topic][name] for name in ranked[topic]] for topic in topics},
        repairs={},
    )


def by_pytrec_eval(
    judged: dict[str, dict[str, int]], run: dict[str, dict[str, float]], level: int = 1
) -> dict[str, dict[str, float]]:
    # It crashes where all judgements of a topic are negative, see below.
    safe = {topic: {"nothing of use": 0} | found for topic, found in judged.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(
        {
            topic: safe[topic] if max(found.values()) < 0 else found
            for topic, found in judged.items()
        },
        pytrec_eval.supported_measures,
        relevance_level=level,
    )
    found = evaluator.evaluate(run)
    return {
        topic: {name: value for name, value in scores.items() if name not in NO_NUMBERS}
        for topic, scores in found.items()
    }


def check_equal(scores: TopicScores, expected: dict[str, dict[str, float]]) -> None:
    """Each score by topic is the same, to the last bit; means to fifteen digits."""
    for topic, found in expected.items():
        assert set(scores.values) == set(found)
        assert {name: scores.at(name, [topic])[0] for name in found} == found
    for name, values in scores.values.items():
        theirs = pytrec_eval.compute_aggregated_measure(name, list(values))
        assert scores.mean(name) == pytest.approx(theirs, rel=1e-14, abs=1e-15)


_names = st.sampled_from(["a", "b", "c", "d", "e", "é", "\U0001f600"])
_judged = st.dictionaries(
    st.sampled_from(["1", "2", "10", "x"]),
    st.dictionaries(_names, st.integers(-2, 4), min_size=1),
    min_size=1,
)
_run = st.dictionaries(
    st.sampled_from(["1", "2", "10", "x"]),
    st.dictionaries(_names, st.sampled_from([0.0, 1.0, 1 + 1e-9, 2.5, -3.0, 1e39]), min_size=1),
    min_size=1,
)


@given(_judged, _run, st.integers(1, 3))
def test_all_scores_are_those_of_pytrec_eval(judged: dict, run: dict, level: int):
    level = max(1, min(level, max(max(found.values()) for found in judged.values())))
    expected = by_pytrec_eval(judged, run, level)
    scorer = Scorer(judgements_of(judged), relevance_level=level, is_complete=False)
    before = copy.deepcopy((judged, run))
    ranked = run_of(run)
    if not expected:
        return  # no topic in common; see the judgements' tests
    scores = scorer.score_unchecked(ranked, "name")
    assert set(scores.topics) == set(expected)
    check_equal(scores, expected)
    assert (judged, run) == before  # and nothing that was given is changed
    assert ranked == run_of(run)


@given(_judged, _run)
def test_topics_without_documents_count_as_nothing(judged: dict, run: dict):
    """As ``trec_eval -c``, and as pytrec_eval has it for a run that finds one unjudged document."""
    expected = by_pytrec_eval(judged, run)
    if not expected:
        return
    complete = run | {topic: {"nothing of use": 1.0} for topic in judged if topic not in run}
    in_full = by_pytrec_eval(judged, complete)
    scores = Scorer(judgements_of(judged)).score_unchecked(run_of(run))
    assert scores.topics == tuple(sorted(judged, key=in_order))
    assert set(scores.missing) == set(judged) - set(run)
    assert set(scores.extra) == set(run) - set(judged)
    for topic in judged:
        ours = {name: scores.at(name, [topic])[0] for name in scores.values}
        if topic in expected:
            assert ours == expected[topic]
            continue
        for name, value in ours.items():
            if name in ("num_ret", "num_rel", "num_nonrel_judged_ret"):
                assert value == 0
            elif name in ("utility", "num_q") or name.startswith("gm_"):
                assert value == pytest.approx({"utility": 0, "num_q": 1}.get(name, math.log(1e-5)))
            else:
                assert value == pytest.approx(in_full[topic][name])


JUDGED = {"1": {"a": 1, "b": 0}, "2": {"c": 2}, "10": {"d": 1}}
RUN = {"1": {"b": 2.0, "a": 1.0}, "10": {"d": 1.0}, "11": {"z": 1.0}}


def test_missing_topics_count_unless_told_otherwise():
    scores = Scorer(judgements_of(JUDGED)).score(run_of(RUN))
    assert scores.name == "tag"
    assert scores.topics == ("1", "2", "10")
    assert scores.values["map"] == [0.5, 0.0, 1.0]
    assert (scores.missing, scores.extra) == (("2",), ("11",))
    assert scores.mean("map") == 0.5
    without = Scorer(judgements_of(JUDGED), is_complete=False).score(run_of(RUN))
    assert without.topics == ("1", "10")
    assert without.mean("map") == 0.75
    assert (without.missing, without.extra) == (("2",), ("11",))


def test_geometric_means_and_counts_are_aggregated_as_such():
    scores = Scorer(judgements_of(JUDGED)).score(run_of(RUN))
    assert scores.mean("gm_map") == pytest.approx((0.5 * 0.00001 * 1) ** (1 / 3))
    assert scores.mean("num_ret") == 3
    assert scores.mean("num_q") == 3  # trec_eval -c counts all judged topics
    assert aggregate("map", [0.25, 0.5]) == 0.375


def test_the_level_of_relevance_is_a_parameter():
    scorer = Scorer(judgements_of(JUDGED), relevance_level=2)
    assert scorer.score(run_of(RUN | {"2": {"c": 1.0}})).values["num_rel"] == [0, 1, 0]
    assert scorer.parameters == {"relevance level": 2, "complete": True}


@pytest.mark.parametrize("level", [0, -1, 3, 2**31, 2**63])
def test_a_level_that_no_document_has(level: int):
    """trec_eval crashes with large ones, and pytrec_eval refuses some with a puzzling error."""
    with pytest.raises(MeasureError, match=f"between 1 and 2, .*got {level}"):
        Scorer(judgements_of(JUDGED), relevance_level=level)


def test_nothing_relevant_is_no_error():
    scores = Scorer(judgements_of({"1": {"a": 0}})).score(run_of({"1": {"a": 1.0}}))
    assert scores.mean("map") == 0


@pytest.mark.parametrize("judged", [{"a": -1}, {"a": -2, "b": -1}])
def test_topics_with_negative_judgements_alone(judged: dict[str, int]):
    """trec_eval writes beyond its memory there, and mostly takes the process with it."""
    for _ in range(50):
        scores = Scorer(judgements_of({"1": judged})).score(run_of({"1": {"a": 1.0, "c": 0.5}}))
    assert scores.values["num_ret"] == [2]
    assert scores.values["num_nonrel_judged_ret"] == [0]
    assert scores.values["map"] == scores.values["bpref"] == scores.values["infAP"] == [0]


def test_measures_are_chosen_by_any_of_their_names():
    scorer = Scorer(judgements_of(JUDGED), ["nDCG@7", "AP", "P", "P_05", "P@5"])
    names = list(scorer.score(run_of(RUN)).values)
    assert names[:2] == ["ndcg_cut_7", "map"]
    assert set(names) == {
        "map",
        "ndcg_cut_7",
        *(f"P_{depth}" for depth in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    }
    with pytest.raises(MeasureError):
        Scorer(judgements_of(JUDGED), ["foo"])


def test_files_in_any_order_have_the_same_scores(put: Put):
    """Lines, topics and ranks as written do not count: scores do."""
    chance = random.Random(3)
    lines = [
        f"{topic} Q0 d{chance.randrange(10**6)}-{n} {n} {chance.randrange(300) / 8} t\n"
        for topic in range(5)
        for n in range(200)
    ]
    qrels = "".join(
        f"{line.split()[0]} 0 {line.split()[2]} {n % 3}\n" for n, line in enumerate(lines)
    )
    judged = read_judgements(put("qrels.txt", qrels))
    scores = Scorer(judged).score(read_rankings(put("run.txt", "".join(lines))))
    chance.shuffle(lines)
    again = Scorer(judged).score(read_rankings(put("run.txt", "".join(lines))))
    assert again == scores
    run: dict[str, dict[str, float]] = {}
    for line in lines:
        topic, _, name, _, score, _ = line.split()
        run.setdefault(topic, {})[name] = float(score)
    check_equal(scores, by_pytrec_eval(dict(judged.topics), run))


@pytest.mark.parametrize(
    ("topics", "ordered"),
    [
        ("10 9 1", "1 9 10"),
        ("q10 q9 p11", "p11 q9 q10"),
        ("1 01 001", "001 01 1"),  # the same number, still in one order
        ("b a 2", "2 a b"),
        ("1.10 1.9 1", "1 1.9 1.10"),
        ("topic-2-b topic-2-a topic-10", "topic-2-a topic-2-b topic-10"),
        ("٣ 2", "2 ٣"),
    ],
)
def test_topics_stand_as_people_count(topics: str, ordered: str):
    assert sorted(topics.split(), key=in_order) == ordered.split()


@given(st.lists(st.text(alphabet="019a-٣²", max_size=4), unique=True), st.randoms())
def test_the_order_of_topics_is_one(topics: list[str], chance: random.Random):
    first = sorted(topics, key=in_order)
    chance.shuffle(topics)
    assert sorted(topics, key=in_order) == first


def test_a_topic_of_very_many_digits_is_sorted():
    assert min(["9" * 5000, "1" + "0" * 5000], key=in_order)[0] == "9"
