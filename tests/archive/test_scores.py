"""Scores in an archive: what is kept of them, what is recognised, what goes with a run."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from math import isclose
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import PRIMAD, ROOT, topic_scores_of, values
from support.studies import study

from primad_ld import Lifter, Ranking, header_of
from primad_ld.archive.answers import ask
from primad_ld.archive.dependants import dangling_results, scored_rankings
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Engine, Table, Triples
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.result_terms import decimal_token, is_near, scalar_token, text_token
from primad_ld.archive.runs import RunRecord, record_of_lifted
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
    drop_topic_scores,
    keep_topic_scores,
    kept_topic_scores,
    topic_graphs,
    topics_graph,
)
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import resource
from primad_ld.core.iris import BASE, NAME, SCORE, SKOS
from primad_ld.search.baselines import find_baselines
from primad_ld.trec.judgements import Judgements
from primad_ld.trec.rankings import RankedRun
from primad_ld.trec.scorer import Scorer, TopicScores

RANKING = "https://w3id.org/primad-ld/id/ranking/1-" + "0" * 40
DIGEST = "85f0e80218fce30bf3cb14d04a504a5d73d4393ae93e24076c5d8995ba48bc99"


def run_with_ranking(tag: str, number: int = 0, **changes: Any) -> Any:
    """A lifted run whose ranking is known, as loading a run file makes it."""
    ranking = Ranking(digest=f"{number:040x}{0:024x}", rows=1)
    return Lifter().lift(header_of(study(tag, **changes)), ranking=ranking, tag_in_file=tag)


def filled(engine: Engine, *lifted: Any) -> list[RunRecord]:
    engine.add(list({graph.iri: graph for one in lifted for graph in one.graphs}.values()))
    return [record_of_lifted(one) for one in lifted]


def scores(**measures: tuple[float, ...]) -> TopicScores:
    """Scores of topics 1, 2 …"""
    size = len(next(iter(measures.values())))
    topics = tuple(str(number) for number in range(1, size + 1))
    return TopicScores(name="x", topics=topics, values=measures, missing=("9",), extra=("7", "8"))


def scores_of(engine: Engine, run: RunRecord, how: Scoring | None = None) -> dict[str, Decimal]:
    """The scores of a run's ranking that were made in one way."""
    graph = (how or scoring()).graph(run.ranking)
    return scores_in(engine, [graph]).get(graph, {})


def scoring(**changes: Any) -> Scoring:
    said: dict[str, Any] = {
        "evaluator": "pytrec_eval-terrier 0.5.10",
        "judgements": DIGEST,
        "qrels": "qrels.txt",
        "parameters": {"relevance level": 1, "complete": True},
        "measures": ("map",),
    }
    return Scoring(**said | changes)


# Terms --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "lexical"),
    [
        (0.31, "0.31"),
        (0.0, "0"),
        (-0.0, "0"),  # stores disagree about a zero with a sign
        (1.0, "1"),
        (1 / 3, "0.33333333333333"),  # fifteen digits with the one before the point
        (12345.678901234567, "12345.6789012346"),
        (50_000.0, "50000"),
        (-2 / 3, "-0.66666666666667"),
        (0.1 + 0.2, "0.3"),
        (1e-14, "0.00000000000001"),
        (1e-20, "0"),
        (999_999_999_999_999.0, "999999999999999"),
        (999_999_999_999_999.9, None),  # rounded, it is a digit longer
        (1e15, None),
        (float("inf"), None),
        (float("nan"), None),
    ],
)
def test_decimals(value: float, lexical: str | None) -> None:
    found = decimal_token(value)
    assert found == (lexical and f'"{lexical}"^^<http://www.w3.org/2001/XMLSchema#decimal>')


@given(st.floats(min_value=-1e14, max_value=1e14))
def test_decimals_are_short_and_near(value: float) -> None:
    token = decimal_token(value)
    assert token is not None
    lexical = token.split('"')[1]
    assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", lexical)
    assert len(re.sub(r"\D", "", lexical)) <= 15
    assert isclose(float(lexical), value, rel_tol=1e-13, abs_tol=5.0001e-15)
    assert is_near(token, value) == (abs(float(lexical) - value) <= 1e-9 * abs(value))


@pytest.mark.parametrize(
    ("value", "token"),
    [
        (True, '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'),
        (0, '"0"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        (0.95, '"0.95"^^<http://www.w3.org/2001/XMLSchema#decimal>'),
        (1e-20, '"1e-20"'),  # as a decimal it would be 0
        (10**20, '"100000000000000000000"'),
    ],
)
def test_parameters_keep_their_values(value: float, token: str) -> None:
    assert scalar_token(value) == token


def test_a_text_of_half_characters_can_be_written() -> None:
    assert text_token('q\udc80rels "1"\n') == '"q?rels \\"1\\"\\n"'


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
    with pytest.raises(
        ArchiveError, match=r"no run has the ranking|load the run file without --headers-only"
    ):
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


# With their runs ------------------------------------------------------------------------------


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
    assert remove_named(engine, ["one"]) == [f"one <{one.iri}>"]
    assert len(scored_rankings(engine)) == 3
    assert remove_named(engine, ["twin"]) == [
        f"twin <{twin.iri}>",
        "the scores of twin by qrels.txt (000000000000)",
        "the scores of twin by qrels.txt (85f0e80218fc)",
    ]
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
    assert isinstance(asked, Table)
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
