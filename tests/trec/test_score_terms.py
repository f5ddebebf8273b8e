"""The vocabulary of scores: what scoring can write is declared, in the ontology or by the graph."""

from __future__ import annotations

import pytest
import rdflib
from rdflib.namespace import OWL, RDF, RDFS, SKOS, XSD
from support import PRIMAD, ROOT, SCHEME
from support.score_vocabulary import FILE, with_properties

from primad_ld.trec.judgements import Judgements
from primad_ld.trec.measure_names import FAMILIES, is_family
from primad_ld.trec.rankings import RankedRun
from primad_ld.trec.score_terms import (
    measure_by_topic,
    score_predicate,
    topics_predicate,
    undeclared_lines,
)
from primad_ld.trec.scorer import Scorer

DECLARED = rdflib.Graph().parse(FILE)
CONCEPTS = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")
OF_MEASURE = rdflib.URIRef(f"{PRIMAD}ofMeasure")


def test_the_file_is_what_the_measures_say() -> None:
    """`python tests/support/score_vocabulary.py` writes it."""
    text = FILE.read_text(encoding="utf-8")
    assert text == with_properties(text)


def test_every_measure_that_trec_eval_computes_is_declared() -> None:
    judgements = Judgements(path="q", topics={"1": {"d": 1}}, repairs={})
    run = RankedRun(path="r", tag="r", documents={"1": ["d"]}, scores={"1": [1.0]}, repairs={})
    names = Scorer(judgements).score(run).values
    assert len(names) > len(FAMILIES)
    for name in names:
        for predicate in (score_predicate, topics_predicate):
            me = rdflib.URIRef(predicate(name))
            (measure,) = DECLARED.objects(me, OF_MEASURE)
            assert rdflib.Literal(name) in CONCEPTS.objects(measure, SKOS.notation)
            assert list(DECLARED.objects(me, SKOS.notation)) == [rdflib.Literal(name)]
            assert list(undeclared_lines(name, predicate)) == []


def test_predicates_are_properties_of_sets_of_scores() -> None:
    predicates = set(DECLARED.subjects(OF_MEASURE, None))
    assert predicates == set(DECLARED.subjects(RDF.type, OWL.DatatypeProperty)) - {SKOS.notation}
    for one in predicates:
        by_topic = measure_by_topic(str(one))
        kind = rdflib.URIRef(f"{PRIMAD}scoresByTopic" if by_topic else f"{PRIMAD}score")
        assert list(DECLARED.objects(one, RDFS.subPropertyOf)) == [kind]
        if by_topic:  # range and domain are those of primad:scoresByTopic
            assert topics_predicate(by_topic) == str(one)
            assert list(DECLARED.objects(one, SKOS.notation)) == [rdflib.Literal(by_topic)]
        else:
            assert list(DECLARED.objects(one, RDFS.range)) == [XSD.decimal]
            assert list(DECLARED.objects(one, RDFS.domain)) == [rdflib.URIRef(f"{PRIMAD}ScoreSet")]
        assert [label.language for label in DECLARED.objects(one, RDFS.label)] == ["en"]
        assert not is_family(str(DECLARED.value(one, SKOS.notation)))


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("P_7", "P"),
        ("ndcg_cut_2000", "ndcg_cut"),
        ("iprec_at_recall_0.05", "iprec_at_recall"),
        ("P_10", ""),  # the ontology has it
        ("map_cut_50", ""),  # as studies use it
        ("RR@7", "recip_rank"),
        ("nDCG(judged_only=True)@10", "ndcg_cut"),
        ("Judged@7", "Judged"),
        ("Compat", "Compat"),
        ("RBP(rel=1)", "RBP"),
        ("AP(rel=2)", "map"),
        ("RR@10", ""),  # as MS MARCO uses it
        ("map_7", ""),  # map has no cutoff
        ('x" .\n<a:b> <c:d> "_7', ""),
    ],
)
def test_a_graph_declares_what_the_ontology_does_not(name: str, family: str) -> None:
    for predicate in (score_predicate, topics_predicate):
        me = f"<{predicate(name)}>"
        assert list(undeclared_lines(name, predicate)) == (
            [
                f"{me} <{PRIMAD}ofMeasure> <{SCHEME}measure-{family}>",
                f'{me} <{SKOS.notation}> "{name}"',
            ]
            if family
            else []
        )
