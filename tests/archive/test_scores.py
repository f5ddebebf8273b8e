"""Scores in an archive: what is kept of them, and what is recognised."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pyoxigraph
import pytest
import rdflib
from support import PRIMAD, ROOT, values
from support.kept_scores import DIGEST, filled, run_with_ranking, scores, scores_of, scoring

from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.maintenance import info
from primad_ld.archive.query_results import Triples
from primad_ld.archive.result_terms import decimal_token, text_token
from primad_ld.archive.run_dependants import scored_rankings
from primad_ld.archive.runs import record_of_lifted
from primad_ld.archive.scores import (
    Scoring,
    evaluator_of,
    keep_scores,
    kept_scores,
    kept_sets,
    score_graph,
    scores_in,
    sets_in,
)
from primad_ld.archive.topic_scores import (
    keep_topic_scores,
    kept_topic_scores,
)
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import resource
from primad_ld.core.iris import BASE, NAME, SCORE, SKOS
from primad_ld.search.baselines import find_baselines
from primad_ld.trec.judgements import Judgements
from primad_ld.trec.rankings import RankedRun
from primad_ld.trec.scorer import Scorer, TopicScores

RANKING = "https://w3id.org/primad-ld/id/ranking/1-" + "0" * 40


# Keeping ------------------------------------------------------------------------------------


def test_the_graph_of_scores(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    made = scores(map=(0.25, 0.5), num_ret=(3.0, 4.0), P_7=(0.0, 1.0))
    assert keep_scores(engine, run.ranking, made, scoring()) == ""
    graph = scoring().graph(run.ranking)
    answer = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}")
    assert isinstance(answer, Triples)
    text = "".join(answer.lines)
    me = graph.removeprefix("https://w3id.org/primad-ld/id/")
    mine = run.ranking.removeprefix("https://w3id.org/primad-ld/id/")
    assert me.rpartition("-")[0] == mine.replace("ranking/", "scores/")

    def said(name: str, subject: str = me) -> list[str]:
        return values(text, name, subject)

    assert said(f"{SCORE}map") == ["0.375"]
    assert said(f"{SCORE}num_ret") == ["7"]  # a sum
    assert said("ofRanking") == [mine]
    assert said("evaluator") == ["pytrec_eval-terrier 0.5.10"]
    assert said("judgementsDigest") == [DIGEST]
    assert said("judgementsFile") == ["qrels.txt"]
    assert said("scoredMeasures") == ['["P_7","map","num_ret"]']
    assert said("topicCount") == ["2"]
    assert said("topicsWithoutDocuments") == ["1"]
    assert said("topicsWithoutJudgements") == ["2"]
    assert said("name", "#complete") == ["complete"]
    assert said("value", "#complete")[0] in ("true", "1")  # as Virtuoso gives it back
    assert said("value", "#relevance%20level") == ["1"]
    # No ontology has all cutoffs.
    assert said("ofMeasure", f"{SCORE}P_7") == ["scheme:measure-P"]
    assert said(f"{SKOS}notation", f"{SCORE}P_7") == ["P_7"]


def test_which_measure_a_score_is_of() -> None:
    """Without taking an IRI apart: by the scores and the ontology alone."""
    store = pyoxigraph.Store()
    made = scores(map=(0.25,), P_10=(0.5,), P_7=(1.0,))
    tokens = {name: f'"{made.mean(name)}"' for name in made.values}
    graph = score_graph(RANKING, tokens, made, scoring())
    store.load(graph.triples.encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    for name in ("score", "schemes"):
        store.load(path=resource(f"ontology/{name}.ttl"))
    found = store.query(
        f"SELECT ?score ?measure ?name WHERE {{ ?set <{PRIMAD}ofRanking> <{RANKING}> ; ?by ?score . "
        f"?by <{PRIMAD}ofMeasure>/<{SKOS}prefLabel> ?measure ; <{SKOS}notation> ?name }}"
    )
    assert sorted(tuple(term.value for term in row) for row in found) == [  # type: ignore[union-attr]
        ("0.25", "average precision", "map"),
        ("0.5", "precision at 10", "P_10"),
        ("1.0", "precision at a cutoff", "P_7"),
    ]


def test_the_same_scores_are_the_same_bytes() -> None:
    one, other = scores(map=(0.1,), ndcg=(0.2,)), scores(ndcg=(0.2,), map=(0.1,))
    backwards = dict(reversed(scoring().parameters.items()))
    tokens = {"map": '"1"', "ndcg": '"2"'}
    turned = dict(reversed(tokens.items()))
    first = score_graph(RANKING, tokens, one, scoring())
    assert first == score_graph(RANKING, turned, other, scoring(parameters=backwards))
    assert "_:" not in first.triples


@pytest.mark.parametrize(
    ("changes", "is_same"),
    [
        ({"qrels": "copy.txt"}, True),  # the same file under another name
        ({"evaluator": "pytrec_eval-terrier 0.6"}, False),  # another one may publish it
        ({"measures": ("ndcg",)}, True),  # more of the same
        ({"parameters": {}}, True),  # the usual values need not be said
        ({"parameters": {"complete": True, "relevance level": 1}}, True),  # in another order
        ({"judgements": "0" * 64}, False),
        ({"parameters": {"relevance level": 2, "complete": True}}, False),
        ({"parameters": {"relevance level": 1, "complete": False}}, False),
        ({"parameters": {"relevance level": 1, "complete": True, "new": 1}}, False),
    ],
)
def test_equal_scores_have_one_name_and_others_none_in_common(
    changes: dict[str, Any], is_same: bool
) -> None:
    assert (scoring(**changes).graph(RANKING) == scoring().graph(RANKING)) is is_same
    assert re.fullmatch(
        rf"https://w3id.org/primad-ld/id/scores/{NAME}", scoring(**changes).graph(RANKING)
    )


def test_the_names_of_scores_are_those_of_the_specification() -> None:
    """docs/iris.md: the digest of these judgements, and two ways to score by them."""
    page = (ROOT / "docs" / "iris.md").read_text(encoding="utf-8")
    section = page[page.index("\n## Scores\n") :]
    judgements = Judgements(
        path="q", topics={"2": {"b": 0, "B": 1}, "10": {"d": -1}, "9": {"\u00e9": 2}}, repairs={}
    )
    assert f"`{judgements.digest}`" in section
    evaluator = "pytrec_eval-terrier 0.5.10"
    ways: list[dict[str, int | bool]] = [
        {"complete": True, "relevance level": 1},
        {"complete": False, "relevance level": 2},
    ]
    rows = re.findall(r"\| `([^`]+)` \| `(\[[^`]+\])` \| `scores/([^`]+)` \|", section)
    assert len(rows) == len(ways)
    for (ranking, text, name), parameters in zip(rows, ways, strict=True):
        how = scoring(judgements=judgements.digest, evaluator=evaluator, parameters=parameters)
        unusual = {key: one for key, one in parameters.items() if parameters is not ways[0]}
        assert json.loads(text) == [judgements.digest, evaluator, unusual]
        assert how.graph(f"{BASE}{ranking}") == f"{BASE}scores/{name}"


def test_only_the_name_of_a_file_is_kept() -> None:
    """Where somebody's judgements lie is nobody's business."""
    for path in ("/home/ada/q.txt", "C:\\Ada\\q.txt", "q.txt"):
        graph = score_graph(RANKING, {}, scores(map=(0.1,)), scoring(qrels=path))
        assert values(graph, "judgementsFile") == ["q.txt"]


HOSTILE = 'a" . <x:y> <x:z> "\\u0022\n} } ; DROP ALL #\u2028'


def test_hostile_names_stay_texts(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    how = scoring(qrels=f"{HOSTILE}\udc80", parameters={HOSTILE: 1}, measures=(HOSTILE,))
    odd = TopicScores(name="x", topics=("1",), values={HOSTILE: (0.5,)})
    before = info(engine).triples
    keep_scores(engine, run.ranking, odd, how)
    assert scores_of(engine, run, how) == {HOSTILE: Decimal("0.5")}
    assert info(engine).triples > before
    assert info(engine).runs == 1


@pytest.mark.parametrize(
    "iri",
    [
        RANKING,  # no run has it
        RANKING.replace("/ranking/", "/run/"),
        "https://example.org/x",
        "a> } } ; DROP ALL #",
        "",  # of a run that was loaded with --headers-only
    ],
)
def test_scores_of_no_ranking_are_refused(iri: str) -> None:
    engine = EmbeddedEngine.memory()
    with pytest.raises(ArchiveError, match=r"no run has the ranking|without --headers-only"):
        keep_scores(engine, iri, scores(map=(0.5,)), scoring())
    assert info(engine).triples == 0


# Recognising --------------------------------------------------------------------------------

OTHER_WAYS: Mapping[str, dict[str, Any]] = {
    "other judgements": {"judgements": "0" * 64},
    "another version of the evaluator": {"evaluator": "pytrec_eval-terrier 0.6"},
    "another level of relevance": {"parameters": {"relevance level": 2, "complete": True}},
    "topics without documents left out": {"parameters": {"relevance level": 1, "complete": False}},
    "a measure that is not there": {"measures": ("map", "ndcg")},
}


@pytest.mark.parametrize("changes", OTHER_WAYS.values(), ids=OTHER_WAYS)
def test_scores_made_in_another_way_are_none(changes: dict[str, Any]) -> None:
    engine = EmbeddedEngine.memory()
    (run,) = filled(engine, run_with_ranking("one"))
    keep_scores(engine, run.ranking, scores(map=(0.5,)), scoring())
    assert kept_scores(engine, [run.ranking], scoring()) == {run.ranking}
    # Under another name it is the same file.
    assert kept_scores(engine, [run.ranking], scoring(qrels="copy.txt")) == {run.ranking}
    assert kept_scores(engine, [run.ranking], scoring(**changes)) == set()


def test_which_runs_are_scored(engine: Engine) -> None:
    runs = filled(engine, *(run_with_ranking(f"run-{number}", number) for number in range(5)))
    rankings = [run.ranking for run in runs]
    for ranking in rankings[::2]:
        keep_scores(engine, ranking, scores(map=(0.5,), ndcg=(0.25,)), scoring())
    assert kept_scores(engine, [*rankings, rankings[0]], scoring()) == set(rankings[::2])
    assert kept_scores(engine, [], scoring()) == set()
    graphs = [scoring().graph(one) for one in rankings]
    assert scores_in(engine, graphs, ["ndcg", "P_10"]) == {
        graph: {"ndcg": Decimal("0.25")} for graph in sorted(graphs[::2])
    }
    assert list(scores_in(engine, graphs)[graphs[0]]) == ["map", "ndcg"]
    assert scored_rankings(engine) == dict(zip(graphs[::2], rankings[::2], strict=True))
    found = info(engine)
    assert (found.scored, found.assessments) == (3, 0)
    assert found.judgements == {"qrels.txt (85f0e80218fc)": 3}


def test_scores_by_other_judgements_stand_beside(engine: Engine) -> None:
    """All scores of a run, under two judgements and two levels of relevance, in one query."""
    one, two = filled(engine, run_with_ranking("one", 1), run_with_ranking("two", 2))
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    ways = {0.5: scoring(), 0.75: scoring(judgements="0" * 64, qrels="new.txt"), 0.25: strict}
    for value, how in ways.items():
        assert keep_scores(engine, one.ranking, scores(map=(value,)), how) == ""
    keep_scores(engine, two.ranking, scores(map=(1.0,)), scoring())
    for value, how in ways.items():
        assert scores_of(engine, one, how) == {"map": Decimal(str(value))}
    table = engine.select(
        f"SELECT ?score ?file WHERE {{ GRAPH <{one.iri}> {{ <{one.iri}> <{PRIMAD}ranking> ?it }} "
        f"GRAPH ?set {{ ?set <{PRIMAD}ofRanking> ?it ; <{SCORE}map> ?score ; "
        f"<{PRIMAD}judgementsFile> ?file }} }}"
    )
    assert sorted(tuple(term.value for term in row if term) for row in table.rows) == [
        ("0.25", "qrels.txt"),
        ("0.5", "qrels.txt"),
        ("0.75", "new.txt"),
    ]
    assert sorted(found.label for found in kept_sets(engine, [one.ranking])) == [
        "new.txt (000000000000)",
        "qrels.txt (85f0e80218fc)",
        "qrels.txt (85f0e80218fc, relevance level 2)",
    ]
    assert info(engine).judgements == {
        "qrels.txt (85f0e80218fc)": 2,
        "new.txt (000000000000)": 1,
        "qrels.txt (85f0e80218fc, relevance level 2)": 1,
    }
    assert info(engine).scored == 2


def test_another_version_of_the_evaluator_replaces(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    newer = scoring(evaluator="pytrec_eval-terrier 0.6")
    strict = scoring(parameters={"relevance level": 2, "complete": True})
    for how in (scoring(), strict):
        assert keep_scores(engine, run.ranking, scores(map=(0.5,), ndcg=(0.25,)), how) == ""
    former = keep_scores(engine, run.ranking, scores(map=(0.75,)), newer)
    assert former == "pytrec_eval-terrier 0.5.10"
    assert scores_of(engine, run, newer) == {"map": Decimal("0.75")}
    sets = kept_sets(engine, [run.ranking])
    assert {(one.graph, one.evaluator) for one in sets} == {
        (how.graph(run.ranking), how.evaluator) for how in (newer, strict)
    }


BOTH = "pytrec_eval-terrier 0.5.10 and ir_measures 0.4.3"


def test_measures_that_trec_eval_lacks_join_a_set(engine: Engine) -> None:
    """They change no name, and who made them is stated."""
    (run,) = filled(engine, run_with_ranking("one"))
    both = scoring(evaluator=BOTH, measures=("RR@10",))
    assert both.graph(run.ranking) == scoring().graph(run.ranking)
    assert keep_scores(engine, run.ranking, scores(**{"RR@10": (0.5,)}), both) == ""
    assert keep_scores(engine, run.ranking, scores(map=(0.25,)), scoring()) == ""
    (kept,) = kept_sets(engine, [run.ranking])
    assert (kept.evaluator, kept.measures) == (BOTH, ("RR@10", "map"))
    assert evaluator_of(kept.evaluator, ["map"]) == scoring().evaluator
    assert evaluator_of(kept.evaluator, ["map", "RR@10"]) == BOTH
    assert kept_scores(engine, [run.ranking], both) == {run.ranking}
    assert kept_scores(engine, [run.ranking], scoring(measures=("map",))) == {run.ranking}


def test_another_version_of_ir_measures_replaces_its_measures_alone(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    made = scores(**{"map": (0.25,), "RR@10": (0.5,), "AP(rel=2)": (0.125,)})
    both = scoring(evaluator=BOTH, measures=("RR@10",))
    newer = scoring(evaluator=BOTH.replace("0.4.3", "0.5"), measures=("RR@10",))
    graph = both.graph(run.ranking)
    keep_scores(engine, run.ranking, made, both)
    keep_topic_scores(engine, graph, made)
    assert kept_scores(engine, [run.ranking], newer) == set()
    again = scores(**{"RR@10": (0.75,)})
    assert keep_scores(engine, run.ranking, again, newer) == "ir_measures 0.4.3"
    keep_topic_scores(engine, graph, again)
    assert scores_of(engine, run) == {"RR@10": Decimal("0.75"), "map": Decimal("0.25")}
    (topics,) = kept_topic_scores(engine, {graph: "one"}).values()
    assert topics.values == {"RR@10": (0.75,), "map": (0.25,)}
    assert kept_scores(engine, [run.ranking], newer) == {run.ranking}


def test_interrupted_replacing_is_done_again(engine: Engine) -> None:
    """The new scores are there before those of the other evaluator go."""
    (run,) = filled(engine, run_with_ranking("one"))
    newer = scoring(evaluator="pytrec_eval-terrier 0.6")
    made = scores(map=(0.5,))
    for how in (scoring(), newer):
        engine.add([score_graph(run.ranking, {"map": text_token("x")}, made, how)])
    assert kept_scores(engine, [run.ranking], newer) == set()
    assert keep_scores(engine, run.ranking, made, newer) == "pytrec_eval-terrier 0.5.10"
    assert kept_scores(engine, [run.ranking], newer) == {run.ranking}
    assert scored_rankings(engine) == {newer.graph(run.ranking): run.ranking}


def test_scores_can_be_told_apart_without_graphs() -> None:
    """Merged into one graph, a run under two judgements has two rows, and not four."""
    merged, first = rdflib.Graph(), run_with_ranking("one")
    run = record_of_lifted(first)
    ways = {"0.5": scoring(), "0.75": scoring(judgements="0" * 64, qrels="new.txt")}
    sets = [
        score_graph(run.ranking, {"map": f'"{value}"'}, scores(map=(0.5,)), how)
        for value, how in ways.items()
    ]
    for graph in (*first.graphs, *sets):
        merged.parse(data=graph.triples, format="nt")
    rows = merged.query(
        f"SELECT ?score ?file WHERE {{ <{run.iri}> <{PRIMAD}ranking> ?ranking . "
        f"?set <{PRIMAD}ofRanking> ?ranking ; <{SCORE}map> ?score ; <{PRIMAD}judgementsFile> ?file }}"
    )
    assert sorted(tuple(map(str, row)) for row in rows) == [
        ("0.5", "qrels.txt"),
        ("0.75", "new.txt"),
    ]


def test_scores_of_other_measures_stay_if_made_in_the_same_way(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    keep_scores(engine, run.ranking, scores(map=(1 / 3,), ndcg=(1.0,)), scoring())
    again = keep_scores(engine, run.ranking, scores(map=(2 / 3,), P_10=(0.5,)), scoring())
    assert again == ""
    found = {"P_10": Decimal("0.5"), "map": Decimal("0.66666666666667"), "ndcg": Decimal(1)}
    assert scores_of(engine, run) == found
    assert kept_scores(engine, [run.ranking], scoring(measures=tuple(found))) == {run.ranking}


def test_a_scorer_says_who_else_scores() -> None:
    judgements = Judgements(path="q.txt", topics={"1": {"d": 2}}, repairs={})
    how = Scoring.of(Scorer(judgements, ["RR@10", "AP(rel=2)"]))
    assert how.measures == ("RR@10", "AP(rel=2)")
    assert re.fullmatch(r"pytrec_eval-terrier \d.* and ir_measures \d.*", how.evaluator)


def test_a_scorer_says_how() -> None:
    judgements = Judgements(path="/home/ada/q.txt", topics={"1": {"d": 2}}, repairs={})
    how = Scoring.of(Scorer(judgements, ["map", "P_7"], relevance_level=2, is_complete=False))
    assert (how.judgements, how.qrels) == (judgements.digest, "q.txt")
    assert how.parameters == {"relevance level": 2, "complete": False}
    assert sorted(how.measures) == ["P_7", "map"]
    assert re.fullmatch(r"pytrec_eval-terrier \d.*", how.evaluator)


def test_all_measures_are_known_before_they_are_computed() -> None:
    judgements = Judgements(path="q", topics={"1": {"d": 1, "e": 0}}, repairs={})
    run = RankedRun(
        path="r", tag="r", documents={"1": ["d", "e"]}, scores={"1": [2.0, 1.0]}, repairs={}
    )
    scorer = Scorer(judgements)
    assert set(Scoring.of(scorer).measures) == set(scorer.score(run).values)


def test_baselines_rank_by_what_is_kept(engine: Engine) -> None:
    runs = filled(
        engine,
        run_with_ranking("mine", 1, baselines=("weak",)),
        run_with_ranking("weak", 2, team="moles", year=2019),
        run_with_ranking("strong", 3, team="moles", year=2019),
    )
    for run, value in zip(runs, (0.4, 0.2, 0.3), strict=True):
        keep_scores(engine, run.ranking, scores(map=(value,)), scoring())
    report = find_baselines(engine, runs[0])
    assert [one.record.tag for one in report.candidates] == ["strong", "weak"]
    assert [(one.tag, one.rank, one.of) for one in report.declared] == [("weak", 2, 2)]


def test_scores_of_two_evaluators_stand_beside_each_other_once(engine: Engine) -> None:
    """As two nanopublications bring them: versions of an evaluator are comparable."""
    one, two = filled(engine, run_with_ranking("one", 1), run_with_ranking("two", 2, team="moles"))
    newer = scoring(evaluator="pytrec_eval-terrier 0.6")
    keep_scores(engine, one.ranking, scores(map=(0.25,)), newer)
    tokens = {"map": decimal_token(0.5) or ""}
    for how in (scoring(), newer):
        engine.add([score_graph(two.ranking, tokens, scores(map=(0.5,)), how)])
    report = find_baselines(engine, one)
    assert [(found.record.tag, found.score) for found in report.candidates] == [
        ("two", Decimal("0.5"))
    ]
    assert report.judgements is not None
    assert not any("other judgements" in note for note in report.notes)
    assert info(engine).judgements == {
        "qrels.txt (85f0e80218fc), pytrec_eval-terrier 0.6": 2,
        "qrels.txt (85f0e80218fc), pytrec_eval-terrier 0.5.10": 1,
    }
    graphs = [how.graph(two.ranking) for how in (scoring(), newer)]
    assert [found.graph for found in sets_in(engine, graphs)] == sorted(graphs)
