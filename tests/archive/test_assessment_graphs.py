"""Assessments as RDF: what they say, and how they are named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import of_other_kind, quads, texts, values
from support.assessed_pairs import (
    BASE,
    COMMON,
    DIGEST,
    DQV,
    EVALUATOR,
    PARAMETERS,
    RESULTS,
    pair,
    result,
    study_pair,
    subject,
)

from primad_ld import __version__
from primad_ld.archive.assessment_graphs import assessment_graph
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.compare.common_ground import (
    Common,
    CommonJudgements,
    CommonTopics,
)
from primad_ld.compare.primad_types import ComponentState
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.measures.measure_values import Figure
from primad_ld.measures.registry import all_measures, parse_measure
from primad_ld.measures.results import (
    PairResult,
    Result,
    Subject,
)

#: Nothing is known of what two tables of scores have in common but their topics.
UNKNOWN = Common(topics=CommonTopics(compared=5, state=ComponentState.unknown))


def judged_by(*digests: str) -> Common:
    judgements = CommonJudgements(state=ComponentState.different, digests=digests)
    return replace(COMMON, judgements=judgements)


def graph_of(given: PairResult, **more: Any) -> Any:
    return assessment_graph(given, EVALUATOR, PARAMETERS, **more)


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
    text = evaluation.text("ttl")
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
    text = evaluation.text("ttl")
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
    assert rdflib_triples(Evaluation(pairs=()).text("ttl")) == set()


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
    text = Evaluation(pairs=(given_pair,)).text("ttl")
    graph = assessment_graph(given_pair, "")
    parsed = {str(one) for one in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)}
    held = pyoxigraph.parse(graph.triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert parsed == {str(one) for one in held}
    EmbeddedEngine.memory().replace(graph)
