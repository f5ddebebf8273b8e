"""What was kept about runs goes with them, and not before."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

from support import topic_scores_of
from support.kept_scores import filled, run_with_ranking, scores, scores_of, scoring

from primad_ld.archive.engine import Engine
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.run_dependants import dangling_results, scored_rankings
from primad_ld.archive.runs import RunRecord
from primad_ld.archive.scores import (
    Scoring,
    keep_scores,
    kept_scores,
)
from primad_ld.archive.topic_scores import (
    drop_topic_scores,
    keep_topic_scores,
    topic_graphs,
    topics_graph,
)
from primad_ld.archive.user_queries import ask


def test_scores_go_with_the_last_run_of_their_ranking(engine: Engine) -> None:
    one, twin, other = filled(
        engine,
        run_with_ranking("one", 1),
        run_with_ranking("twin", 1, team="moles"),
        run_with_ranking("other", 2),
    )
    assert one.ranking == twin.ranking
    for run in (one, other):
        keep_scores(engine, run.ranking, scores(map=(0.5,)), scoring())
    keep_scores(engine, one.ranking, scores(map=(0.75,)), scoring(judgements="0" * 64))
    assert info(engine).scored == 3
    (gone,) = remove_named(engine, ["one"]).removed
    assert (gone.name, gone.iri) == ("one", one.iri)
    assert len(scored_rankings(engine)) == 3
    removal = remove_named(engine, ["twin"])
    assert [gone.name for gone in removal.removed] == [
        "twin",
        "twin by qrels.txt (000000000000)",
        "twin by qrels.txt (85f0e80218fc)",
    ]
    assert removal.verdict() == "removed 1 run, 2 score sets"
    assert scored_rankings(engine) == {scoring().graph(other.ranking): other.ranking}
    assert dangling_results(engine) == []


def test_vacuum_takes_scores_of_runs_that_are_gone(engine: Engine) -> None:
    one, two = filled(engine, run_with_ranking("one", 1), run_with_ranking("two", 2))
    for run in (one, two):
        keep_scores(engine, run.ranking, scores(map=(0.5,)), scoring())
    engine.remove([one.iri])
    assert dangling_results(engine) == [scoring().graph(one.ranking)]
    vacuum(engine)
    assert scored_rankings(engine) == {scoring().graph(two.ranking): two.ranking}
    assert info(engine).scored == 1


def keep_both(engine: Engine, run: RunRecord, how: Scoring, *values: float) -> str:
    """The means of a run's scores, and the scores by topic beside them."""
    made = scores(map=values)
    keep_scores(engine, run.ranking, made, how)
    assert keep_topic_scores(engine, how.graph(run.ranking), made) == ()
    return how.graph(run.ranking)


def test_scores_by_topic_go_with_their_set(engine: Engine) -> None:
    one, _, other, two = filled(
        engine,
        run_with_ranking("one", 1),
        run_with_ranking("twin", 1, team="moles"),
        run_with_ranking("other", 2),
        run_with_ranking("two", 3),
    )
    former = keep_both(engine, one, scoring(), 0.5, 1.0)
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    sets = [keep_both(engine, run, strict, 0.25) for run in (one, other)]
    assert (info(engine).scored, info(engine).scored_by_topic) == (3, 3)
    keep_scores(engine, two.ranking, scores(map=(0.5,)), scoring())
    assert (info(engine).scored, info(engine).scored_by_topic) == (4, 3)
    asked = ask(engine, named_query("scores"), {"measure": "map"})
    assert isinstance(asked, Bindings)
    at = [asked.variables.index(name) for name in ("tag", "by_topic")]
    found = [tuple(term.value for place in at if (term := row[place])) for row in asked.rows]
    by_topic = {("one", "yes"): 2, ("twin", "yes"): 2, ("other", "yes"): 1, ("two", "no"): 1}
    assert Counter(found) == by_topic
    # Another version of the evaluator replaces those that it makes, and no others.
    newer = scoring(evaluator="pytrec_eval-terrier 0.6")
    sets.append(keep_both(engine, one, newer, 0.75))
    assert topic_graphs(engine) == {topics_graph(one): one for one in sets}
    assert topic_scores_of(engine, [former, *sets], "map").keys() == set(sets)
    remove_named(engine, ["one"])  # twin has the ranking still
    assert topic_graphs(engine).keys() == set(map(topics_graph, sets))
    remove_named(engine, ["twin"])
    assert topic_graphs(engine) == {topics_graph(sets[1]): sets[1]}
    engine.remove([other.iri])
    assert dangling_results(engine) == sorted([sets[1], topics_graph(sets[1])])
    vacuum(engine)
    assert (topic_graphs(engine), dangling_results(engine)) == ({}, [])


def test_scores_by_topic_without_a_set_go_with_vacuum(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    made = keep_both(engine, run, scoring(), 0.5)
    keep_topic_scores(engine, scoring(judgements="0" * 64).graph(run.ranking), scores(map=(0.5,)))
    vacuum(engine)
    assert topic_graphs(engine) == {topics_graph(made): made}


def test_scores_are_there_when_those_by_topic_are(engine: Engine) -> None:
    """What an interruption between the two leaves is done again."""
    (run,) = filled(engine, run_with_ranking("one"))
    made = scores(map=(0.5,), ndcg=(0.5,))
    keep_scores(engine, run.ranking, made, scoring())
    graph = scoring().graph(run.ranking)
    both = scoring(measures=("map", "ndcg"))
    assert kept_scores(engine, [run.ranking], both) == {run.ranking}
    assert kept_scores(engine, [run.ranking], both, by_topic=True) == set()
    keep_topic_scores(engine, graph, scores(map=(0.5,)))
    assert kept_scores(engine, [run.ranking], both, by_topic=True) == set()
    assert kept_scores(engine, [run.ranking], scoring(), by_topic=True) == {run.ranking}
    keep_topic_scores(engine, graph, made)
    assert kept_scores(engine, [run.ranking], both, by_topic=True) == {run.ranking}
    assert drop_topic_scores(engine, [graph, graph.replace("1-", "1-f")]) == [graph]
    assert drop_topic_scores(engine, [graph]) == []
    assert topic_graphs(engine) == {}
    assert kept_scores(engine, [run.ranking], both) == {run.ranking}


def test_a_corrected_header_keeps_the_scores(engine: Engine) -> None:
    first = run_with_ranking("one")
    (run,) = filled(engine, first)
    graph = keep_both(engine, run, scoring(), 0.5)
    corrected = run_with_ranking("one", year=2021)
    assert (corrected.run.iri, corrected.run == first.run) == (run.iri, False)
    engine.add(corrected.components)
    engine.replace(corrected.run)
    assert kept_scores(engine, [run.ranking], scoring()) == {run.ranking}
    vacuum(engine)
    assert scores_of(engine, run) == {"map": Decimal("0.5")}
    assert topic_scores_of(engine, [graph], "map") == {graph: {"1": 0.5}}
