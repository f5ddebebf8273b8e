"""Assessments in an archive: how they are kept, recognised, read back and asked for."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import rdflib
from support import ROOT
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
from support.stored_graphs import assessments
from support.studies import study

from primad_ld import __version__, header_of
from primad_ld.archive.assessment_graphs import AssessmentKey, key_of
from primad_ld.archive.assessments import assessments_of, keep_assessment, kept_assessment
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine
from primad_ld.archive.maintenance import info, remove_named, vacuum
from primad_ld.archive.query_catalogue import named_query
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.run_dependants import assessed_runs, assessments_about, dangling_results
from primad_ld.archive.runs import RunRecord, record_of_lifted
from primad_ld.archive.user_queries import ask
from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import resource
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluations import EvaluationOptions, evaluate_against
from primad_ld.header.ranking_digest import Ranking
from primad_ld.measures.registry import all_measures, parse_measure
from primad_ld.measures.results import (
    ADVANCED,
    PairResult,
    Subject,
)
from primad_ld.rdf.lifting import Lifter

# Keeping ----------------------------------------------------------------------------------


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
    assert assessments_of(engine, asked) == assessments(engine)
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
    assert isinstance(answer, Bindings)
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
        assert isinstance(expected, Bindings)
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
    text = garden.text("ttl")
    graph = rdflib.Graph().parse(data=text, format="turtle")
    dqv = rdflib.Namespace(DQV)
    nodes = set(graph.subjects(rdflib.RDF.type, dqv.QualityMeasurement))
    assert len(nodes) == sum(len(one.results) for one in garden.pairs)
    reason = rdflib.URIRef("https://w3id.org/primad-ld/ontology#reasonForNoValue")
    for node in nodes:
        assert (node, dqv.value, None) in graph or (node, reason, None) in graph
    assert not any(isinstance(term, rdflib.BNode) for triple in graph for term in triple)
    assert text == garden.text("ttl")


def test_every_term_of_an_assessment_is_in_the_ontology(garden: Evaluation) -> None:
    graph = rdflib.Graph().parse(data=garden.text("ttl"), format="turtle")
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
