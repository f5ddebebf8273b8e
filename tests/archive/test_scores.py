"""Scores in an archive: what is kept of them, what is recognised, what goes with a run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from math import isclose
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from studies import header, study
from support import values

from primad_ld import Lifter, Ranking, header_of
from primad_ld.archive.dependants import dangling_results, scored_runs
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Engine, Triples
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.records import RunRecord, record_of_lifted, scores_graph
from primad_ld.archive.scores import (
    Scoring,
    keep_scores,
    kept_scores,
    score_graph,
    scores_of,
)
from primad_ld.archive.terms import decimal_token, is_near, scalar_token, text_token
from primad_ld.baselines import find_baselines
from primad_ld.effectiveness.scoring import Scorer, TopicScores
from primad_ld.errors import ArchiveError
from primad_ld.trec.judgements import Judgements
from primad_ld.trec.rankings import RankedRun

DIGEST = "85f0e80218fce30bf3cb14d04a504a5d73d4393ae93e24076c5d8995ba48bc99"


def run_with_ranking(tag: str, number: int = 0, **changes: Any) -> Any:
    """A lifted run whose ranking is known, as loading a run file makes it."""
    ranking = Ranking(digest=f"{number:064x}", rows=1)
    return Lifter().lift(header_of(study(tag, **changes)), ranking=ranking, tag_in_file=tag)


def filled(engine: Engine, *lifted: Any) -> list[RunRecord]:
    engine.add(list({graph.iri: graph for one in lifted for graph in one.graphs}.values()))
    return [record_of_lifted(one) for one in lifted]


def scores(**measures: tuple[float, ...]) -> TopicScores:
    """Scores of topics 1, 2 …"""
    size = len(next(iter(measures.values())))
    topics = tuple(str(number) for number in range(1, size + 1))
    return TopicScores(name="x", topics=topics, values=measures, missing=("9",), extra=("7", "8"))


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
    kept = keep_scores(engine, run.iri, scores(map=(0.25, 0.5), num_ret=(3.0, 4.0)), scoring())
    assert kept.graph == scores_graph(run.iri)
    assert kept.replaced == ""
    answer = engine.query(
        f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{kept.graph}> {{ ?s ?p ?o }} }}"
    )
    assert isinstance(answer, Triples)
    text = "".join(answer.lines)
    me = kept.graph.removeprefix("https://w3id.org/primad-ld/id/")
    mine = run.iri.removeprefix("https://w3id.org/primad-ld/id/")

    def said(name: str, subject: str = me) -> list[str]:
        return values(text, name, subject)

    assert said("https://w3id.org/primad-ld/score#map", mine) == ["0.375"]
    assert said("https://w3id.org/primad-ld/score#num_ret", mine) == ["7"]  # a sum
    assert said("scoredRun") == [mine]
    assert said("evaluator") == ["pytrec_eval-terrier 0.5.10"]
    assert said("judgementsDigest") == [DIGEST]
    assert said("judgementsFile") == ["qrels.txt"]
    assert said("scoredMeasures") == ['["map","num_ret"]']
    assert said("topicCount") == ["2"]
    assert said("topicsWithoutDocuments") == ["1"]
    assert said("topicsWithoutJudgements") == ["2"]
    assert said("name", "#complete") == ["complete"]
    assert said("value", "#complete")[0] in ("true", "1")  # as Virtuoso gives it back
    assert said("value", "#relevance%20level") == ["1"]


def test_the_same_scores_are_the_same_bytes() -> None:
    run = "https://w3id.org/primad-ld/id/run/" + "0" * 40
    one, other = scores(map=(0.1,), ndcg=(0.2,)), scores(ndcg=(0.2,), map=(0.1,))
    backwards = dict(reversed(scoring().parameters.items()))
    tokens = {"map": '"1"', "ndcg": '"2"'}
    turned = dict(reversed(tokens.items()))
    first = score_graph(run, tokens, one, scoring())
    assert first == score_graph(run, turned, other, scoring(parameters=backwards))
    assert "_:" not in first.triples


def test_only_the_name_of_a_file_is_kept() -> None:
    """Where somebody's judgements lie is nobody's business."""
    run = "https://w3id.org/primad-ld/id/run/" + "0" * 40
    for path in ("/home/ada/q.txt", "C:\\Ada\\q.txt", "q.txt"):
        graph = score_graph(run, {}, scores(map=(0.1,)), scoring(qrels=path))
        assert values(graph, "judgementsFile") == ["q.txt"]


HOSTILE = 'a" . <x:y> <x:z> "\\u0022\n} } ; DROP ALL #\u2028'


def test_hostile_names_stay_texts(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    how = scoring(qrels=f"{HOSTILE}\udc80", parameters={HOSTILE: 1}, measures=(HOSTILE,))
    odd = TopicScores(name="x", topics=("1",), values={HOSTILE: (0.5,)})
    before = info(engine).triples
    keep_scores(engine, run.iri, odd, how)
    assert scores_of(engine, [run.iri]) == {run.iri: {HOSTILE: Decimal("0.5")}}
    assert info(engine).triples > before
    assert info(engine).runs == 1


@pytest.mark.parametrize(
    "iri",
    [
        "https://w3id.org/primad-ld/id/run/" + "0" * 40,  # nobody loaded it
        "https://example.org/x",
        "a> } } ; DROP ALL #",
        "",
    ],
)
def test_scores_of_no_run_are_refused(iri: str) -> None:
    engine = EmbeddedEngine.memory()
    with pytest.raises(ArchiveError, match=r"no run|no IRI of a run"):
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
    keep_scores(engine, run.iri, scores(map=(0.5,)), scoring())
    assert kept_scores(engine, [run.iri], scoring()) == {run.iri}
    # Under another name it is the same file.
    assert kept_scores(engine, [run.iri], scoring(qrels="copy.txt")) == {run.iri}
    assert kept_scores(engine, [run.iri], scoring(**changes)) == set()


def test_which_runs_are_scored(engine: Engine) -> None:
    runs = filled(engine, *(run_with_ranking(f"run-{number}", number) for number in range(5)))
    for run in runs[::2]:
        keep_scores(engine, run.iri, scores(map=(0.5,), ndcg=(0.25,)), scoring())
    iris = [run.iri for run in runs]
    assert kept_scores(engine, [*iris, iris[0]], scoring()) == set(iris[::2])
    assert kept_scores(engine, [], scoring()) == set()
    assert scores_of(engine, iris, ["ndcg", "P_10"]) == {
        iri: {"ndcg": Decimal("0.25")} for iri in sorted(iris[::2])
    }
    assert list(scores_of(engine, iris)[iris[0]]) == ["map", "ndcg"]
    assert scored_runs(engine) == {iri: scores_graph(iri) for iri in iris[::2]}
    assert (info(engine).scored, info(engine).assessments) == (3, 0)


def test_a_run_without_a_ranking_is_scored_again() -> None:
    """Its name does not change with its file, so nobody can tell what was scored."""
    engine = EmbeddedEngine.memory()
    (run,) = filled(engine, Lifter().lift(header_of(header("one"))))
    keep_scores(engine, run.iri, scores(map=(0.5,)), scoring())
    assert kept_scores(engine, [run.iri], scoring()) == set()
    assert scores_of(engine, [run.iri]) == {run.iri: {"map": Decimal("0.5")}}


def test_other_judgements_replace_all_scores(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    keep_scores(engine, run.iri, scores(map=(0.5,), ndcg=(0.25,)), scoring())
    again = keep_scores(engine, run.iri, scores(map=(0.75,)), scoring(judgements="0" * 64))
    assert again.replaced == DIGEST
    assert scores_of(engine, [run.iri]) == {run.iri: {"map": Decimal("0.75")}}
    assert keep_scores(engine, run.iri, scores(map=(1,)), scoring()).replaced == "0" * 64


def test_scores_of_other_measures_stay_if_made_in_the_same_way(engine: Engine) -> None:
    (run,) = filled(engine, run_with_ranking("one"))
    keep_scores(engine, run.iri, scores(map=(1 / 3,), ndcg=(1.0,)), scoring())
    again = keep_scores(engine, run.iri, scores(map=(2 / 3,), P_10=(0.5,)), scoring())
    assert again.replaced == ""
    found = {"P_10": Decimal("0.5"), "map": Decimal("0.66666666666667"), "ndcg": Decimal(1)}
    assert scores_of(engine, [run.iri]) == {run.iri: found}
    assert kept_scores(engine, [run.iri], scoring(measures=tuple(found))) == {run.iri}


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
        run_with_ranking("weak", 2, team="moles"),
        run_with_ranking("strong", 3, team="moles"),
    )
    for run, value in zip(runs, (0.4, 0.2, 0.3), strict=True):
        keep_scores(engine, run.iri, scores(map=(value,)), scoring())
    report = find_baselines(engine, runs[0])
    assert [one.record.tag for one in report.candidates] == ["strong", "weak"]
    assert [(one.tag, one.rank, one.of) for one in report.declared] == [("weak", 2, 2)]


# With their runs ------------------------------------------------------------------------------


def test_scores_go_with_their_run(engine: Engine) -> None:
    one, two = filled(engine, run_with_ranking("one", 1), run_with_ranking("two", 2))
    for run in (one, two):
        keep_scores(engine, run.iri, scores(map=(0.5,)), scoring())
    remove_named(engine, ["one"])
    assert scored_runs(engine) == {two.iri: scores_graph(two.iri)}
    assert dangling_results(engine) == []


def test_vacuum_takes_scores_of_runs_that_are_gone(engine: Engine) -> None:
    one, two = filled(engine, run_with_ranking("one", 1), run_with_ranking("two", 2))
    for run in (one, two):
        keep_scores(engine, run.iri, scores(map=(0.5,)), scoring())
    engine.remove([one.iri])
    assert dangling_results(engine) == [scores_graph(one.iri)]
    vacuum(engine)
    assert scored_runs(engine) == {two.iri: scores_graph(two.iri)}
    assert info(engine).scored == 1


def test_a_corrected_header_keeps_the_scores(engine: Engine) -> None:
    first = run_with_ranking("one")
    (run,) = filled(engine, first)
    keep_scores(engine, run.iri, scores(map=(0.5,)), scoring())
    corrected = run_with_ranking("one", year=2021)
    assert (corrected.run.iri, corrected.run == first.run) == (run.iri, False)
    engine.add(corrected.components)
    engine.replace(corrected.run)
    assert kept_scores(engine, [run.iri], scoring()) == {run.iri}
    vacuum(engine)
    assert scores_of(engine, [run.iri]) == {run.iri: {"map": Decimal("0.5")}}
