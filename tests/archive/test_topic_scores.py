"""Scores by topic in an archive: kept as texts, read back as they were, and gone with their set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import PRIMAD, topic_scores_of, values

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.query_results import Triples
from primad_ld.archive.result_terms import text_token
from primad_ld.archive.topic_scores import (
    keep_topic_scores,
    kept_topic_scores,
    measures_by_topic,
    topics_graph,
)
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import BASE, RDF_TYPE, SCORE, SKOS
from primad_ld.core.triples import NamedGraph
from primad_ld.trec.scorer import TopicScores

KEY = "0123456789" * 4
ONE, OTHER = (f"{BASE}scores/1-{digit * 40}-{KEY}" for digit in "ab")
GRAPH = f"{BASE}topic-scores/1-{'a' * 40}-{KEY}"


def scores(topics: str = "1 2 10", **measures: tuple[float, ...]) -> TopicScores:
    return TopicScores(name="npl", topics=tuple(topics.split()), values=measures, missing=("2",))


def test_the_graph_of_scores_by_topic(engine: Engine) -> None:
    made = scores(map=(0.25, 0.0, 1 / 3), P_7=(1.0, 0.0, 0.5))
    assert keep_topic_scores(engine, ONE, made) == ()
    answer = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{GRAPH}> {{ ?s ?p ?o }} }}")
    assert isinstance(answer, Triples)
    text = "".join(answer.lines)
    me = GRAPH.removeprefix(BASE)

    def said(name: str, subject: str = me) -> list[str]:
        return values(text, name, subject)

    assert said("ofScores") == [ONE.removeprefix(BASE)]
    assert said(f"{SCORE}map-by-topic") == ["1 0.25\n2 0.0\n10 0.3333333333333333"]
    assert said(f"{SCORE}P_7-by-topic") == ["1 1.0\n2 0.0\n10 0.5"]
    assert said("unansweredTopics") == ['["2"]']
    assert said("ofMeasure", f"{SCORE}P_7-by-topic") == ["scheme:measure-P"]
    assert said(f"{SKOS}notation", f"{SCORE}P_7-by-topic") == ["P_7"]
    assert len(answer.lines) == 7  # and nothing else
    assert topic_scores_of(engine, [OTHER, ONE, ONE], "map") == {
        ONE: {"1": 0.25, "2": 0.0, "10": 1 / 3}
    }


def test_one_measure_of_several_sets(engine: Engine) -> None:
    keep_topic_scores(engine, ONE, scores(map=(0.1, 0.2, 0.3), ndcg=(0.5, 0.5, 0.5)))
    keep_topic_scores(engine, OTHER, scores("7", ndcg=(1e-300,)))
    assert topic_scores_of(engine, [ONE, OTHER], "map").keys() == {ONE}
    assert topic_scores_of(engine, [ONE, OTHER], "ndcg")[OTHER] == {"7": 1e-300}
    assert topic_scores_of(engine, [], "map") == {}
    assert topic_scores_of(engine, ["https://example.org/else", ONE], "P_10") == {}
    assert measures_by_topic(engine, [ONE, OTHER]) == {ONE: {"map", "ndcg"}, OTHER: {"ndcg"}}
    both = {ONE: "first", OTHER: "second"}
    found = kept_topic_scores(engine, both, ["ndcg"])
    assert {name: one.name for name, one in found.items()} == both
    assert kept_topic_scores(engine, both, ["ndcg", "map"]).keys() == {ONE}
    assert kept_topic_scores(engine, both)[ONE] == TopicScores(
        name="first",
        topics=("1", "2", "10"),
        values={"map": (0.1, 0.2, 0.3), "ndcg": (0.5, 0.5, 0.5)},
        missing=("2",),
    )


def test_scores_of_other_measures_stay(engine: Engine) -> None:
    keep_topic_scores(engine, ONE, scores("1", map=(0.25,), ndcg=(0.5,)))
    keep_topic_scores(engine, ONE, scores("1", map=(0.75,), P_10=(0.1,)))
    assert {
        name: topic_scores_of(engine, [ONE], name)[ONE]["1"] for name in ("map", "ndcg", "P_10")
    } == {"map": 0.75, "ndcg": 0.5, "P_10": 0.1}


def _of_size(size: int) -> tuple[str, tuple[float, ...]]:
    """Topics and scores whose text has so many bytes."""
    # 31 bytes a line with its line break; the last topic fills it up, in characters of two bytes.
    rows = size // 31 - 1
    topics = [f"topic-{number:05}" for number in range(rows)]
    scores = [0.1234567890123456 + number / 10**9 for number in range(rows)]
    scores = [float(f"{value:.16f}") for value in scores]
    rest = size - sum(len(f"{t} {s!r}\n") for t, s in zip(topics, scores, strict=True)) - 4
    last = "z" * (rest % 2) + "\u00e9" * (rest // 2)
    return " ".join([*topics, last]), (*scores, 0.5)


@pytest.mark.parametrize(("size", "is_kept"), [(64_000, True), (64_001, False)])
def test_a_text_that_is_too_long_is_left_out_with_a_note(
    engine: Engine, size: int, is_kept: bool
) -> None:
    topics, row = _of_size(size)
    made = scores(topics, map=row, num_q=(1.0,) * len(row))
    notes = keep_topic_scores(engine, ONE, made)
    note = f"npl: per-topic scores of more than 64,000 bytes are not kept: map ({size:,} bytes)"
    assert notes == (() if is_kept else (note,))
    found = topic_scores_of(engine, [ONE], "map")
    assert found == ({ONE: dict(zip(made.topics, row, strict=True))} if is_kept else {})
    assert len(topic_scores_of(engine, [ONE], "num_q")[ONE]) == len(row)
    # So that they are not computed again and again.
    assert measures_by_topic(engine, [ONE]) == {ONE: {"map", "num_q"}}


HOSTILE = ['a"b\\u0022', "\\", "}<x:y>", "\u2028", "\x1c", "\u00e9", "e\u0301", "\U0001f600", "-"]


def test_hostile_topics_stay_as_they_are(engine: Engine) -> None:
    row = tuple(float(number) for number in range(len(HOSTILE)))
    made = TopicScores(name="npl", topics=tuple(HOSTILE), values={"map": row})
    keep_topic_scores(engine, ONE, made)
    assert topic_scores_of(engine, [ONE], "map") == {ONE: dict(zip(HOSTILE, row, strict=True))}


def test_only_sets_of_scores_have_scores_by_topic() -> None:
    with pytest.raises(ArchiveError, match="is not the IRI of a set of scores"):
        keep_topic_scores(EmbeddedEngine.memory(), f"{BASE}run/1-{KEY}", scores(map=(1, 2, 3)))


@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\r\v\f"), min_size=1),
        st.floats(allow_nan=False, allow_infinity=False),
        min_size=1,
    )
)
def test_doubles_are_read_back_as_they_were(row: dict[str, float]) -> None:
    engine = EmbeddedEngine.memory()
    turned = dict(reversed(row.items()))
    for one in (row, turned):
        made = TopicScores(name="npl", topics=tuple(one), values={"map": tuple(one.values())})
        keep_topic_scores(engine, ONE, made)
        found = topic_scores_of(engine, [ONE], "map")[ONE]
        assert {topic: repr(value) for topic, value in found.items()} == {
            topic: repr(float(value)) for topic, value in row.items()
        }


@pytest.mark.parametrize("text", ["", "1", "1 x", "1 nan", "1 0.5\n1 0.5", "1 0.5\n"], ids=repr)
def test_damaged_scores_by_topic_are_named(text: str) -> None:
    engine = EmbeddedEngine.memory()
    lines = f"<{GRAPH}> <{RDF_TYPE}> <{PRIMAD}TopicScores> .\n"
    lines += f"<{GRAPH}> <{SCORE}map-by-topic> {text_token(text)} .\n"
    engine.add([NamedGraph(iri=GRAPH, triples=lines)])
    with pytest.raises(ArchiveError, match=f"{GRAPH}> are damaged; score the run again"):
        topic_scores_of(engine, [ONE], "map")


def test_scores_without_a_set_have_no_graph() -> None:
    assert topics_graph(ONE) == GRAPH
    assert topics_graph(GRAPH) == ""
