"""Assessments as RDF: what they say, how they are named, kept, recognised and read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, of_other_kind, quads, texts, values
from support.studies import study

from primad_ld import Lifter, Ranking, __version__, header_of
from primad_ld.archive.answers import ask
from primad_ld.archive.assessment_graphs import assessment_graph
from primad_ld.archive.assessments import (
    AssessmentKey,
    assessment_turtle,
    assessments,
    assessments_of,
    keep_assessment,
    kept_assessment,
    key_of,
)
from primad_ld.archive.dependants import assessed_runs, assessments_about, dangling_results
from primad_ld.archive.embedded import EmbeddedEngine
from primad_ld.archive.engine import Engine, Table
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.runs import RunRecord, record_of_lifted
from primad_ld.compare.common_ground import (
    Common,
    CommonDocuments,
    CommonJudgements,
    CommonTopics,
)
from primad_ld.compare.types import ComponentState, PrimadType
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import resource
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.measures.figures import Figure, undefined
from primad_ld.measures.registry import all_measures, parse_measure
from primad_ld.measures.results import (
    ADVANCED,
    Evaluation,
    PairResult,
    Result,
    Subject,
)
from primad_ld.trec.scorer import evaluator_version

BASE = "https://w3id.org/primad-ld/id/"
DQV = "http://www.w3.org/ns/dqv#"
DIGEST = "85f0e80218fce30bf3cb14d04a504a5d73d4393ae93e24076c5d8995ba48bc99"
EVALUATOR = evaluator_version()
PARAMETERS = {"relevance level": 1, "complete": True}


def subject(name: str, number: int | None = None) -> Subject:
    iri = "" if number is None else f"{BASE}run/{number:040x}"
    return Subject(name=name, path=f"/home/ada/{name}.txt", iri=iri)


def result(measure: str, on: str | None, value: float | None = None, **more: Any) -> Result:
    figure = undefined("it has none") if value is None else Figure(value=value)
    run = more.pop("run", "")
    return Result(measure=parse_measure(measure), on=on, figure=replace(figure, **more), run=run)


RESULTS = (
    result("ktu", None, 0.4117, topics=5),
    result("rbo(p=0.8)", None, 1.0, topics=5),
    result("rmse", "map", 0.0273, topics=5),
    result("rmse", "P_10", 0.0, topics=5),
    result("nrmse", "G", None, reason="scores lie outside [0, 1]: 2.5"),
    result(
        "rmse", "BLEU", 0.5, details={"low": 0.25, "high": 0.75, "statistic": 2.5, "none": None}
    ),
)


COMMON = Common(
    topics=CommonTopics(
        compared=5,
        missing=("7",),
        extra=("8", "9"),
        why="both headers name the collection garden",
        left_out=("3",),
        zeros=("4",),
    ),
    documents=CommonDocuments(
        state=ComponentState.different, why="other collections", both=30, reference=50, candidate=40
    ),
    judgements=CommonJudgements(
        state=ComponentState.different, digests=(DIGEST, "1" * 64), differing=3, of=2083
    ),
)
#: Nothing is known of what two tables of scores have in common but their topics.
UNKNOWN = Common(topics=CommonTopics(compared=5, state=ComponentState.unknown))


def judged_by(*digests: str) -> Common:
    judgements = CommonJudgements(state=ComponentState.different, digests=digests)
    return replace(COMMON, judgements=judgements)


def pair(*subjects: Subject, **changes: Any) -> PairResult:
    one, other, *advanced = subjects or (subject("one", 1), subject("two", 2))
    said: dict[str, Any] = {
        "reference": one,
        "candidate": other,
        "by_key": PrimadType.parse("p?iMad"),
        "strict": PrimadType.parse("pRiM-d"),
        "common": COMMON,
        "results": RESULTS,
    }
    if advanced:
        said["reference_advanced"], said["candidate_advanced"] = advanced
    return PairResult(**said | changes)


def study_pair(*subjects: Subject) -> PairResult:
    """A baseline and an advanced run with their reproductions."""
    found = (
        result("rmse", "map", 0.1),
        result("rmse", "map", 0.2, run=ADVANCED),
        result("er", "map", 0.9),
        result("dri", "map", None, reason="the original baseline has a mean score of 0"),
    )
    return pair(*subjects, results=found)


def graph_of(given: PairResult, **more: Any) -> Any:
    return assessment_graph(given, EVALUATOR, PARAMETERS, **more)


# The graph ----------------------------------------------------------------------------------


def test_what_an_assessment_says() -> None:
    graph = graph_of(pair())
    name = graph.iri.removeprefix(BASE)
    assert re.fullmatch(r"assessment/1-[0-9a-f]{40}", name)
    said = {
        "reference": [f"run/{1:040x}"],
        "candidate": [f"run/{2:040x}"],
        "primadType": ["p?iMad"],
        "strictType": ["pRiM-d"],
        "inCommon": [
            "5 topics, 1 missing, 2 extra, 1 left out; 30 of 50 documents in both; 3 of 2,083 "
            "judgements differ"
        ],
        "pairedScores": ["true"],
        "sameTopics": ["true"],
        "sameDocuments": ["false"],
        "sameJudgements": ["false"],
        "documentsOfBoth": ["30"],
        "documentsOfReference": ["50"],
        "documentsOfCandidate": ["40"],
        "differingJudgements": ["3"],
        "judgementsOfBoth": ["2083"],
        "topicsLeftOut": ['["3"]'],
        "topicsWithZero": ['["4"]'],
        "topicsBecause": ["both headers name the collection garden"],
        "documentsBecause": ["other collections"],
        "referenceJudgements": [DIGEST],
        "candidateJudgements": ["1" * 64],
        "evaluator": [EVALUATOR],
        "assessedWith": [f"primad-ld {__version__}"],
        "topicCount": ["5"],
        "topicsOfReferenceOnly": ['["7"]'],
        "topicsOfCandidateOnly": ['["8","9"]'],
        "measurement": sorted(
            ["#ktu", "#rbo(p=0.8)", "#rmse-map", "#rmse-P_10", "#nrmse-G", "#rmse-BLEU"]
        ),
        "withParameter": ["#complete", "#relevance%20level"],
    }
    for predicate, expected in said.items():
        assert values(graph, predicate, name) == expected, predicate
    assert of_other_kind(graph.triples) == []


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ("#ktu", {"dqv:value": "0.4117", "name": "ktu", "topicCount": "5", "ofMeasure": None}),
        # Written with what differs from the defaults, and every parameter is a node.
        (
            "#rbo(p=0.8)",
            {"dqv:value": "1", "name": "rbo(p=0.8)", "ofMeasure": None, "reasonForNoValue": None},
        ),
        (
            "#rmse-map",
            {"dqv:value": "0.0273", "ofMeasure": "scheme:measure-map", "measurand": None},
        ),
        ("#nrmse-G", {"dqv:value": None, "reasonForNoValue": "scores lie outside [0, 1]: 2.5"}),
        # Not a measure of trec_eval, so it has a name and no link.
        (
            "#rmse-BLEU",
            {
                "ofMeasure": None,
                "measurand": "BLEU",
                "intervalLow": "0.25",
                "intervalHigh": "0.75",
            },
        ),
        ("#rmse-BLEU.statistic", {"name": "statistic", "value": "2.5"}),
        ("#rbo(p=0.8).p", {"name": "p", "value": "0.8"}),
        ("#rbo(p=0.8).depth", {"name": "depth", "value": "1000"}),
    ],
)
def test_what_a_measurement_says(node: str, expected: Mapping[str, str | None]) -> None:
    graph = graph_of(pair())
    for predicate, value in expected.items():
        found = values(graph, predicate.replace("dqv:", DQV), node)
        assert found == ([] if value is None else [value]), predicate


def test_every_measurement_is_one_of_a_concept() -> None:
    graph = graph_of(pair())
    for node in values(graph, "measurement"):
        (concept,) = values(graph, f"{DQV}isMeasurementOf", node)
        assert concept.removeprefix("scheme:reproducibility-") in all_measures()
        assert values(graph, f"{DQV}computedOn", node) == [f"run/{2:040x}"]


def test_a_study_is_about_both_reproductions() -> None:
    graph = graph_of(study_pair(*(subject(str(number), number) for number in range(1, 5))))
    baseline, advanced = f"run/{2:040x}", f"run/{4:040x}"
    assert values(graph, "referenceAdvanced") == [f"run/{3:040x}"]
    assert values(graph, f"{DQV}computedOn", "#rmse-map") == [baseline]
    assert values(graph, f"{DQV}computedOn", "#advanced.rmse-map") == [advanced]
    assert values(graph, f"{DQV}computedOn", "#er-map") == [baseline, advanced]
    assert values(graph, "runOfPair") == ["advanced"]
    assert values(graph, "reasonForNoValue", "#dri-map") == [
        "the original baseline has a mean score of 0"
    ]


@pytest.mark.parametrize(
    ("value", "token"),
    [
        (1e-20, 1e-20),  # a p-value of 0 would be another claim
        (2.83e-195, 2.83e-195),
        (1.234e-10, 1.234e-10),
        (1e17, 1e17),
        (0.0, 0.0),
    ],
)
def test_numbers_that_decimals_cannot_hold_are_doubles(value: float, token: float) -> None:
    graph = graph_of(pair(results=(result("t_test", "map", value),)))
    (found,) = values(graph, f"{DQV}value")
    assert float(found) == token
    assert values(graph, "reasonForNoValue") == []


def test_p_values_corrected_for_other_pairs_are_no_part() -> None:
    """Another number of pairs would make another figure of the same two runs."""
    plain = pair(results=(result("t_test", "map", 0.04, details={"statistic": 2.5}),))
    details = {"statistic": 2.5, "corrected": 0.08}
    corrected = pair(results=(result("t_test", "map", 0.04, details=details),))
    assert graph_of(corrected) == graph_of(plain)


def test_no_blank_nodes_and_no_folders() -> None:
    for graph in (graph_of(pair()), graph_of(pair(subject("x"), subject("y")))):
        assert not any(
            term.startswith("_:") for quad in quads(graph.nquads()) for term in quad.split()
        )
        assert "/home/ada" not in graph.triples


# Names --------------------------------------------------------------------------------------

CHANGES: Mapping[str, Any] = {
    "another reference": lambda: graph_of(pair(subject("x", 3), subject("y", 2))),
    "another candidate": lambda: graph_of(pair(subject("x", 1), subject("y", 3))),
    "an advanced run": lambda: graph_of(pair(*(subject("x", number) for number in range(1, 5)))),
    "other judgements": lambda: graph_of(pair(common=judged_by(DIGEST, "0" * 64))),
    "judgements swapped": lambda: graph_of(pair(common=judged_by("1" * 64, DIGEST))),
    "topics that may be others": lambda: graph_of(
        pair(common=replace(COMMON, topics=replace(COMMON.topics, state=ComponentState.unknown)))
    ),
    "another evaluator": lambda: assessment_graph(pair(), "pytrec_eval 0.6", PARAMETERS),
    "another level": lambda: assessment_graph(pair(), EVALUATOR, {"relevance level": 2}),
    "fewer measures": lambda: graph_of(pair(results=RESULTS[1:])),
    "another parameter": lambda: graph_of(
        pair(
            results=(*RESULTS[:1], replace(RESULTS[1], measure=parse_measure("rbo")), *RESULTS[2:])
        )
    ),
}


@pytest.mark.parametrize("made", CHANGES.values(), ids=CHANGES)
def test_what_it_depends_on_makes_its_name(made: Any) -> None:
    assert made().iri != graph_of(pair()).iri


def test_the_same_assessment_is_the_same_bytes() -> None:
    backwards = pair(results=tuple(reversed(RESULTS)))
    turned = dict(reversed(PARAMETERS.items()))
    assert assessment_graph(backwards, EVALUATOR, turned) == graph_of(pair())
    # What people call the runs and where they lie is no part of it.
    assert graph_of(pair(subject("ours", 1), subject("theirs", 2))) == graph_of(pair())


def test_it_stands_beside_its_runs() -> None:
    runs = [Subject(name=str(one), iri=f"https://lab.example/x/run/{one:040x}") for one in (1, 2)]
    assert graph_of(pair(*runs)).iri.startswith("https://lab.example/x/assessment/")


def test_runs_without_headers_are_nodes_of_the_assessment() -> None:
    """Two files called run.txt are not the same run, so nothing outside has their name."""
    graph = graph_of(pair(subject("run.txt"), subject("two", 2)))
    assert values(graph, "reference") == ["#reference"]
    assert values(graph, "name", "#reference") == ["run.txt"]
    assert values(graph, "candidate") == [f"run/{2:040x}"]
    other = pair(subject("run.txt"), subject("two", 2), results=RESULTS[:1])
    worse = pair(
        subject("run.txt"), subject("two", 2), results=(result("ktu", None, 0.1, topics=5),)
    )
    # The same question about another file of that name has another answer and another name.
    assert graph_of(other).iri != graph_of(worse).iri
    assert graph_of(other) == graph_of(other)
    assert graph_of(other, base="https://lab.example/").iri.startswith("https://lab.example/a")


# Turtle -------------------------------------------------------------------------------------

HOSTILE = 'a" . <x:y> <x:z> "\\u0022\n} } ; DROP ALL #\x01\u2028\udc80'


def rdflib_triples(text: str) -> set[tuple[str, str, str]]:
    graph = rdflib.Graph().parse(data=text, format="turtle")
    return {(str(one), str(two), three.n3()) for one, two, three in graph}


@pytest.mark.parametrize(
    "given",
    [
        pair(),
        study_pair(*(subject(str(number), number) for number in range(1, 5))),
        pair(subject("run.txt"), subject(HOSTILE)),
        pair(results=(result("rmse", "map", None, reason=HOSTILE), result("rmse", "a b", 0.5))),
        pair(by_key=None, strict=None, common=UNKNOWN, results=()),
    ],
    ids=["pair", "study", "without headers", "odd texts", "bare"],
)
def test_turtle_says_what_the_archive_holds(given: PairResult) -> None:
    evaluation = Evaluation(pairs=(given,), is_scored=True, parameters=PARAMETERS)
    text = assessment_turtle(evaluation)
    graph = graph_of(given)
    parsed = {str(one) for one in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)}
    held = {
        str(one) for one in pyoxigraph.parse(graph.triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    }
    assert parsed == held
    nt = rdflib.Graph().parse(data=graph.triples, format="nt")
    assert rdflib_triples(text) == {(str(a), str(b), c.n3()) for a, b, c in nt}


def test_turtle_is_pretty() -> None:
    evaluation = Evaluation(pairs=(pair(),), is_scored=True, parameters=PARAMETERS)
    text = assessment_turtle(evaluation)
    assert text.startswith("@prefix primad: <https://w3id.org/primad-ld/ontology#> .\n")
    iri = graph_of(pair()).iri
    assert (
        f"\n<{iri}#rmse-map> a dqv:QualityMeasurement ;\n"
        f"    dqv:computedOn <{BASE}run/{2:040x}> ;\n"
        "    dqv:isMeasurementOf scheme:reproducibility-rmse ;\n"
        "    dqv:value 0.0273 ;\n"
        '    primad:name "rmse" ;\n'
        "    primad:ofMeasure scheme:measure-map ;\n"
        "    primad:topicCount 5 .\n"
    ) in text
    nodes = re.findall(r"^<([^>]*)>", text, re.MULTILINE)
    assert nodes == sorted(nodes)
    assert nodes[0] == iri


def test_turtle_of_nothing_is_turtle() -> None:
    assert rdflib_triples(assessment_turtle(Evaluation(pairs=()))) == set()


@given(
    name=texts,
    on=texts.filter(bool),
    reason=texts,
    value=st.none() | st.floats(allow_nan=False, allow_infinity=False),
)
def test_anything_can_be_said(name: str, on: str, reason: str, value: float | None) -> None:
    figure = Figure(value=value, reason=reason or None, details={name or "x": value})
    row = Result(measure=parse_measure("rmse"), on=on, figure=figure)
    given_pair = pair(subject(name), subject("two", 2), results=(row,))
    text = assessment_turtle(Evaluation(pairs=(given_pair,)))
    graph = assessment_graph(given_pair, "")
    parsed = {str(one) for one in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)}
    held = pyoxigraph.parse(graph.triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert parsed == {str(one) for one in held}
    EmbeddedEngine.memory().replace(graph)


# In an archive --------------------------------------------------------------------------------


def lifted(tag: str, number: int, **changes: Any) -> Any:
    ranking = Ranking(digest=f"{number:064x}", rows=1)
    return Lifter().lift(header_of(study(tag, **changes)), ranking=ranking, tag_in_file=tag)


def filled(engine: Engine) -> list[RunRecord]:
    """A baseline and an advanced run, then their reproductions."""
    runs = [
        lifted("bm25", 1),
        lifted("prf", 2, baselines=("bm25",)),
        lifted("bm25-again", 3, team="moles", baselines=("bm25",), reproduces=True),
        lifted("prf-again", 4, team="moles", baselines=("prf",), reproduces=True),
    ]
    engine.add(list({graph.iri: graph for one in runs for graph in one.graphs}.values()))
    return [record_of_lifted(one) for one in runs]


def known(run: RunRecord) -> Subject:
    return Subject(name=run.tag, path=f"{run.tag}.txt", iri=run.iri)


def keep(engine: Engine, given: PairResult, **more: Any) -> str:
    return keep_assessment(engine, given, EVALUATOR, PARAMETERS, **more)


def kept_pairs(engine: Engine) -> tuple[list[RunRecord], str, str]:
    """Two assessments: of a pair, and of a baseline and an advanced run."""
    runs = filled(engine)
    one, two, three, four = map(known, runs)
    return runs, keep(engine, pair(one, three)), keep(engine, study_pair(one, three, two, four))


def test_what_is_kept_comes_back(engine: Engine) -> None:
    runs, first, second = kept_pairs(engine)
    one, two, three, four = (run.iri for run in runs)
    found = {each.iri: each for each in assessments(engine)}
    assert found.keys() == {first, second}
    plain, both = found[first], found[second]
    assert (plain.reference, plain.candidate) == (one, three)
    assert (plain.reference_advanced, plain.candidate_advanced) == ("", "")
    assert (both.reference_advanced, both.candidate_advanced) == (two, four)
    assert (plain.primad, plain.strict) == ("p?iMad", "pRiM-d")
    assert plain.common == COMMON
    assert (plain.evaluator, plain.assessor) == (EVALUATOR, f"primad-ld {__version__}")
    assert plain.parameters == {"complete": "true", "relevance level": "1"}
    rows = [(row.name, row.on, row.value, row.reason) for row in plain.measurements]
    assert rows == [
        ("ktu", "", Decimal("0.4117"), ""),
        ("rbo(p=0.8)", "", Decimal(1), ""),
        ("rmse", "BLEU", Decimal("0.5"), ""),
        ("nrmse", "G", None, "scores lie outside [0, 1]: 2.5"),
        ("rmse", "P_10", Decimal(0), ""),
        ("rmse", "map", Decimal("0.0273"), ""),
    ]
    (bleu,) = [row for row in plain.measurements if row.on == "BLEU"]
    assert bleu.details == {
        "high": Decimal("0.75"),
        "low": Decimal("0.25"),
        "statistic": Decimal("2.5"),
    }
    assert [row.run for row in both.measurements if row.measure == "rmse"] == ["", ADVANCED]


def test_assessments_of_what_is_asked(engine: Engine) -> None:
    runs, first, second = kept_pairs(engine)
    one, two, three, _ = (run.iri for run in runs)

    def found(**asked: str) -> list[str]:
        return [each.iri for each in assessments(engine, **asked)]

    assert found(reference=one) == found(candidate=three) == sorted([first, second])
    assert found(reference=two) == found(reference=one, candidate=two) == []
    of_first = {
        name: next(each for each in assessments(engine, **asked) if each.iri == first)
        for name, asked in {
            "on": {"measure": "rmse", "on": "map"},
            "rbo": {"measure": "rbo"},
        }.items()
    }
    assert [(row.measure, row.on) for row in of_first["on"].measurements] == [("rmse", "map")]
    assert [row.name for row in of_first["rbo"].measurements] == ["rbo(p=0.8)"]


def test_values_come_back_as_they_were() -> None:
    engine = EmbeddedEngine.memory()
    one, _, three, _ = map(known, filled(engine))
    numbers = (1e-20, 1e17, 0.1 + 0.2, 1 / 3, -0.0, 12345.678901234567)
    found = tuple(
        result("t_test", f"P_{place}", value, details={"statistic": -value})
        for place, value in enumerate(numbers, 1)
    )
    keep(engine, pair(one, three, results=found))
    (kept,) = assessments(engine)
    values_by_measure = {row.on: row.value for row in kept.measurements}
    for place, value in enumerate(numbers, 1):
        back = values_by_measure[f"P_{place}"]
        assert back is not None
        assert float(back) == pytest.approx(value, rel=1e-13, abs=0)
    assert all(row.reason == "" for row in kept.measurements)


def test_work_is_recognised(engine: Engine) -> None:
    one, _, three, _ = map(known, filled(engine))
    given = pair(one, three)
    key = key_of(given, EVALUATOR, PARAMETERS)
    assert not kept_assessment(engine, key)
    iri = keep(engine, given)
    assert iri == key.graph
    assert kept_assessment(engine, key)
    assert not kept_assessment(engine, replace(key, judgements=(DIGEST, "0" * 64)))
    assert not kept_assessment(engine, replace(key, measures=()))
    before = info(engine).triples
    assert keep(engine, given) == iri
    assert info(engine).triples == before


def test_work_is_recognised_by_what_was_asked(engine: Engine) -> None:
    """All measures are asked for, and not all of them have something to say of every pair."""
    one, _, three, _ = map(known, filled(engine))
    asked = AssessmentKey(
        reference=one.iri,
        candidate=three.iri,
        judgements=COMMON.judgements.digests,
        evaluator=EVALUATOR,
        parameters=PARAMETERS,
        measures=tuple(parse_measure(id) for id in all_measures()),
    )
    assert assessments_of(engine, asked) == []
    iri = keep(engine, pair(one, three), asked=asked)
    assert kept_assessment(engine, asked)
    assert assessments_of(engine, asked) == assessments(engine, reference=one.iri)
    # It has the same name as without, so there is one of them.
    assert keep(engine, pair(one, three)) == iri
    assert not kept_assessment(engine, asked)


def test_another_version_measures_again(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = EmbeddedEngine.memory()
    one, _, three, _ = map(known, filled(engine))
    given = pair(one, three)
    iri = keep(engine, given)
    monkeypatch.setattr("primad_ld.core.version.__version__", "99.0")
    assert not kept_assessment(engine, key_of(given, EVALUATOR, PARAMETERS))
    assert keep(engine, given) == iri
    (found,) = assessments(engine)
    assert found.assessor == "primad-ld 99.0"


def test_a_run_without_a_ranking_is_assessed_again() -> None:
    engine = EmbeddedEngine.memory()
    runs = [Lifter().lift(header_of(study(tag))) for tag in ("one", "two")]
    engine.add(list({graph.iri: graph for run in runs for graph in run.graphs}.values()))
    given = pair(*(known(record_of_lifted(run)) for run in runs))
    keep(engine, given)
    assert not kept_assessment(engine, key_of(given, EVALUATOR, PARAMETERS))
    assert info(engine).assessments == 1


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (subject("run.txt"), r"run\.txt has no header"),
        (subject("two", 2), f"there is no run {BASE}run/{2:040x}; load it"),
        (Subject(name="odd", iri="a> } ; DROP ALL #"), "odd has no header"),
    ],
    ids=["no header", "not loaded", "no IRI"],
)
def test_assessments_of_unknown_runs_are_refused(other: Subject, why: str) -> None:
    engine = EmbeddedEngine.memory()
    one = known(filled(engine)[0])
    with pytest.raises(ArchiveError, match=why):
        keep(engine, pair(one, other))
    assert info(engine).assessments == 0


def test_assessments_go_with_their_runs(engine: Engine) -> None:
    runs, first, second = kept_pairs(engine)
    assert assessed_runs(engine) == {
        first: {runs[0].iri, runs[2].iri},
        second: {run.iri for run in runs},
    }
    assert assessments_about(engine, [runs[3].iri]) == [second]
    remove_named(engine, ["prf-again"])
    assert assessed_runs(engine).keys() == {first}
    engine.remove([runs[0].iri])
    assert dangling_results(engine) == [first]
    vacuum(engine)
    assert info(engine).assessments == 0
    assert dangling_results(engine) == []


# Queries ----------------------------------------------------------------------------------------


def rows(engine: Engine, name: str, columns: str, **given_values: str) -> list[tuple[str, ...]]:
    answer = ask(engine, named_query(name), given_values)
    assert isinstance(answer, Table)
    places = [answer.variables.index(column) for column in columns.split()]
    return [
        tuple(row[place].value if row[place] is not None else "" for place in places)  # type: ignore[union-attr]
        for row in answer.rows
    ]


def test_the_question_how_well_runs_were_reproduced() -> None:
    engine = EmbeddedEngine.memory()
    kept_pairs(engine)
    columns = "reference candidate type measure on run value reason"
    on_map = rows(engine, "assessments", columns, on="map")
    assert rows(engine, "assessments", columns, on="AP", reference="bm25") == on_map
    assert [row[3] for row in on_map] in (
        ["rmse", "dri", "er", "rmse", "rmse"],
        ["dri", "er", "rmse", "rmse", "rmse"],
    )
    assert rows(engine, "assessments", columns, measure="er") == [
        ("bm25", "bm25-again", "p?iMad", "er", "map", "", "0.9", "")
    ]
    assert rows(engine, "assessments", "measure", measure="rbo") == [("rbo(p=0.8)",)]
    assert ("0.25", "0.75") in rows(engine, "assessments", "low high", measure="rmse")
    assert rows(engine, "assessments", "reason", measure="nrmse") == [
        ("scores lie outside [0, 1]: 2.5",)
    ]
    assert rows(engine, "assessments", columns, reference="prf") == []
    assert len(rows(engine, "assessments", columns)) == len(RESULTS) + 4


def test_reproductions_with_their_figures() -> None:
    engine = EmbeddedEngine.memory()
    kept_pairs(engine)
    # The pair was assessed twice, once with the advanced runs.
    expected = [("bm25", "bm25-again", "0.0273", ""), ("bm25", "bm25-again", "0.1", "0.9")]
    columns = "reproduced tag rmse er"
    assert sorted(rows(engine, "reproductions", columns, run="bm25")) == expected
    advanced = [("prf", "prf-again", "0.2", "0.9")]
    assert rows(engine, "reproductions", columns, run="prf") == advanced
    assert sorted(rows(engine, "reproductions", columns)) == expected + advanced
    assert ("bm25", "bm25-again", "0", "") in rows(engine, "reproductions", columns, on="P_10")


def test_a_reproduction_that_nobody_assessed_has_no_figures() -> None:
    engine = EmbeddedEngine.memory()
    _, two, three, _ = map(known, filled(engine))
    keep(engine, pair(two, three))  # compared with another run than the one it reproduces
    found = rows(engine, "reproductions", "reproduced tag rmse er")
    assert sorted(found) == [("bm25", "bm25-again", "", ""), ("prf", "prf-again", "", "")]


CASES: list[tuple[str, dict[str, str]]] = [
    ("assessments", {}),
    ("assessments", {"reference": "bm25"}),
    ("assessments", {"measure": "rmse"}),
    ("assessments", {"measure": "rmse", "on": "map", "reference": "bm25"}),
    ("assessments", {"on": "P_10"}),
    ("reproductions", {}),
    ("reproductions", {"run": "bm25"}),
    ("reproductions", {"run": "prf"}),
    ("reproductions", {"on": "P_10"}),
]


def test_every_engine_gives_the_same_rows(engine: Engine) -> None:
    ours = EmbeddedEngine.memory()
    for one in (ours, engine):
        kept_pairs(one)
    for name, given_values in CASES:
        found, expected = (ask(one, named_query(name), given_values) for one in (engine, ours))
        assert isinstance(expected, Table)
        assert expected.rows
        assert found == expected, (name, given_values)


# Whole evaluations --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def garden() -> Evaluation:
    folder = Path(resource("examples/garden"))
    options = EvaluationOptions(qrels=(str(folder / "qrels.txt"),), jobs=1)
    runs = folder / "runs"
    others = [runs / f"{name}.txt" for name in ("shed-bm25", "shed-feedback")]
    return evaluate_against(runs / "greenhouse-bm25.txt", others, options)


def test_an_evaluation_as_turtle(garden: Evaluation) -> None:
    text = assessment_turtle(garden)
    graph = rdflib.Graph().parse(data=text, format="turtle")
    dqv = rdflib.Namespace(DQV)
    nodes = set(graph.subjects(rdflib.RDF.type, dqv.QualityMeasurement))
    assert len(nodes) == sum(len(one.results) for one in garden.pairs)
    reason = rdflib.URIRef("https://w3id.org/primad-ld/ontology#reasonForNoValue")
    for node in nodes:
        assert (node, dqv.value, None) in graph or (node, reason, None) in graph
    assert not any(isinstance(term, rdflib.BNode) for triple in graph for term in triple)
    assert text == assessment_turtle(garden)


def test_every_term_of_an_assessment_is_in_the_ontology(garden: Evaluation) -> None:
    graph = rdflib.Graph().parse(data=assessment_turtle(garden), format="turtle")
    known_terms = rdflib.Graph()
    for name in ("primad", "schemes"):
        known_terms.parse(ROOT / "ontology" / f"{name}.ttl")
    defined = set(known_terms.subjects(rdflib.RDF.type, None))
    ours = ("https://w3id.org/primad-ld/ontology#", "https://w3id.org/primad-ld/schemes#")
    used = {term for triple in graph for term in triple if str(term).startswith(ours)}
    assert len(used) > 20
    assert sorted(map(str, used - defined)) == []


def test_the_scheme_and_the_registry_agree() -> None:
    scheme = "https://w3id.org/primad-ld/schemes#reproducibility"
    graph = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")
    concepts = graph.subjects(rdflib.SKOS.inScheme, rdflib.URIRef(scheme))
    assert {str(one).removeprefix(f"{scheme}-") for one in concepts} == set(all_measures())
