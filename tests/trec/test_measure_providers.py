"""Measures that trec_eval lacks: one name each, refused with a reason, computed as asked."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import ir_measures
import pytest
import rdflib
from rdflib.namespace import SKOS
from support import ROOT, SCHEME

from primad_ld.core.errors import MeasureError
from primad_ld.trec.judgements import Judgements
from primad_ld.trec.measure_names import canonical, is_family, is_of_trec_eval
from primad_ld.trec.measure_providers import base_of, level_in
from primad_ld.trec.rankings import RankedRun
from primad_ld.trec.scorer import Scorer, evaluator_version

QRELS: Mapping[str, Mapping[str, int]] = {
    "1": {"a": 2, "b": 1, "c": 0},
    "2": {"a": 1, "x": 0},
    "3": {"a": 1},
}


def scores(*measures: str, **options: Any) -> dict[str, list[float]]:
    """By measure the scores of a run that has documents for two of three topics."""
    run = RankedRun(
        path="run.txt",
        tag="run",
        documents={"1": ["u", "b", "a", "c"], "2": ["x", "u"]},
        scores={"1": [4.0, 3.0, 2.0, 1.0], "2": [2.0, 1.0]},
        repairs={},
    )
    judgements = Judgements(path="qrels.txt", topics=QRELS, repairs={})
    return {
        name: list(row)
        for name, row in Scorer(judgements, measures, **options).score(run).values.items()
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("RR@10", "RR@10"),
        ("rr@10", "RR@10"),
        ("AP( rel = 2 )", "AP(rel=2)"),
        ("MAP(rel=2)", "AP(rel=2)"),
        ("P(rel=2)@5", "P(rel=2)@5"),
        ("P(cutoff=5,rel=2)", "P(rel=2)@5"),
        ("nDCG(judged_only=True)@10", "nDCG(judged_only=True)@10"),
        ("AP(judged_only=True,rel=2)", "AP(rel=2,judged_only=True)"),  # one order
        ("Judged@10", "Judged@10"),
        ("Compat(p=0.95)", "Compat"),  # the default
        ("Compat(p=.8)", "Compat(p=0.8)"),
        ("SetF(beta=2)", "SetF(beta=2.0)"),
        ("nDCG(gains={2:3,1:1})@10", "nDCG(gains={1:1,2:3})@10"),
        # --relevance-level is for measures that do not state their own.
        ("AP(rel=1)", "AP(rel=1)"),
    ],
)
def test_one_name_for_each(text: str, name: str) -> None:
    assert canonical(text) == name
    assert canonical(name) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("RBP", "add a relevance level, such as RBP(rel=1)"),
        ("ERR@20", "ERR@20 is only computed by a Perl script that pip cannot install"),
        ("nDCG(dcg='exp-log2')@10", "only computed by a Perl script"),
        (
            "alpha_nDCG@10",
            "alpha_nDCG@10 needs judgements of subtopics, which primad-ld does not read",
        ),
        ("Accuracy", "is undefined for topics without a relevant document"),
        ("ERR", "ERR is only computed by a Perl script"),
        ("RBP(rel=1)@10", "remove cutoff: RBP(rel=1)"),
        ("BPM", "add cutoff and max_rel, such as BPM(max_rel=2)@10"),
        ("nDGC@10", "unknown measure 'nDGC@10'; did you mean nDCG"),
        ("NumRel(rel=2)", "NumRel(rel=2) is not supported; remove rel: NumRel"),
        ("P(rel=2)", "add cutoff, such as P(rel=2)@10"),
        ("SDCG@10", "add max_rel, such as SDCG(max_rel=2)@10"),
        ("P@0", "cutoff must be a whole number from 1 to 1,000,000 (got 0)"),
        ("RR@1.5", "cutoff must be a whole number from 1 to 1,000,000 (got 1.5)"),
        ("AP(rel=True)", "rel must be a whole number from 1 to 1,000,000 (got True)"),
        ("AP(rel=0)", "rel must be a whole number from 1"),
        ("Compat(p=1)", "p must be strictly between 0 and 1 (got 1.0)"),
        ("Compat(p=1e999)", "p must be strictly between 0 and 1 (got inf)"),
        ("Compat@10", "unknown parameter cutoff; Compat has the parameters p, normalize"),
        ("AP(2)", "write parameters as name=value"),
        ("AP(**{})", "write parameters as name=value"),
        ("AP(rel=2)(rel=3)", "write parameters as name=value"),
        ("AP(rel=2,rel=3)", "rel is given twice; use it once"),
        ("RR(cutoff=5)@10", "cutoff is given twice; use it once"),
        ("AP(rel=print())", "print() is not a number, a string, True or False"),
        ("nDCG(gains={1:9999})@10", "whole numbers up to 1000"),
        ("nDCG(dcg='x')@10", "dcg must be log2 or exp-log2 (got 'x')"),
        (f"AP(rel={'(' * 120}2{')' * 120})", "unknown measure"),  # too long
        (f"AP({'[' * 60}{']' * 60}=1)", "write parameters as name=value"),
        ("RR@1..5", "1..5 is not a number"),
        ("foo(rel=2)", "unknown measure 'foo(rel=2)'"),
    ],
)
def test_what_nothing_computes_has_a_reason(text: str, why: str) -> None:
    with pytest.raises(MeasureError) as error:
        canonical(text)
    assert why in str(error.value)


def test_without_cwl_eval_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir_measures.cwl_eval, "is_available", lambda: False)
    with pytest.raises(
        MeasureError, match=r'RBP\(rel=1\) needs cwl-eval, .*"primad-ld\[measures\]"'
    ):
        canonical("RBP(rel=1)")


def test_each_has_its_own_level_of_relevance() -> None:
    found = scores("RR@10", "RR(rel=2)@10", "AP(rel=2)", "map")
    assert found == {
        "map": [(1 / 2 + 2 / 3) / 2, 0.0, 0.0],
        "RR@10": [1 / 2, 0.0, 0.0],
        "RR(rel=2)@10": [1 / 3, 0.0, 0.0],
        "AP(rel=2)": [1 / 3, 0.0, 0.0],
    }
    found = scores("RR@10", "RR(rel=1)@10", "map", "Compat", relevance_level=2)
    assert found["RR@10"] == [1 / 3, 0.0, 0.0]
    assert found["RR(rel=1)@10"] == [1 / 2, 0.0, 0.0]
    assert found["map"] == [1 / 3, 0.0, 0.0]


def test_values_are_numbers_of_python() -> None:
    """cwl-eval gives those of numpy, whose repr is something else."""
    found = scores("RBP(rel=1)", "Compat", "RR@10")
    assert {type(value) for row in found.values() for value in row} == {float}


def test_grades_beyond_the_highest_are_refused() -> None:
    assert scores("BPM(max_rel=2)@10")
    assert scores("SDCG(max_rel=5)@10")  # such a collection may have no perfect document
    with pytest.raises(MeasureError, match=r"BPM\(max_rel=1\)@10: .* grade 2; use max_rel=2"):
        scores("BPM(max_rel=1)@10")
    with pytest.raises(MeasureError, match="a document has grade 0; use min_rel=0"):
        scores("BPM(min_rel=1,max_rel=2)@10")
    # The lowest grade that there is may be taken for nothing.
    run = RankedRun(path="r", tag="r", documents={"1": ["a"]}, scores={"1": [1.0]}, repairs={})
    graded = Judgements(path="q", topics={"1": {"a": 2, "b": 1}}, repairs={})
    assert Scorer(graded, ["BPM(min_rel=1,max_rel=2)@10"]).score(run).values


def test_cwl_eval_is_named_where_it_computes() -> None:
    assert re.search(r" and ir_measures \S+ and cwl-eval \S+$", evaluator_version(["RBP(rel=1)"]))


def test_a_level_that_no_document_has_is_refused() -> None:
    with pytest.raises(MeasureError, match=r"between 1 and 2, .* in qrels.txt .got 3"):
        scores("AP(rel=3)")


def test_topics_without_documents_count_as_0_or_not_at_all() -> None:
    assert scores("RR@10", "Judged@2") == {"RR@10": [0.5, 0.0, 0.0], "Judged@2": [0.5, 0.5, 0.0]}
    assert scores("RR@10", is_complete=False) == {"RR@10": [0.5, 0.0]}


def test_shares_of_judged_documents() -> None:
    run = RankedRun(
        path="run.txt",
        tag="run",
        documents={"1": ["u", "b", "a", "c"], "2": ["x", "u"]},
        # Of equal scores the first in the alphabet, as ir_measures has it: b before u.
        scores={"1": [3.0, 3.0, 2.0, 1.0], "2": [2.0, 1.0]},
        repairs={},
    )
    found = Scorer(Judgements(path="q", topics=QRELS, repairs={}), ["P_1", "P_5"]).score(run)
    assert found.judged == {1: [1.0, 1.0, 0.0], 5: [0.75, 0.5, 0.0]}
    # A topic without documents has none that could be judged.
    assert found.judged_at(5, found.topics) == (0.75 + 0.5) / 2
    assert found.judged_at(5, ["3"]) is None
    assert found.judged_at(10, ["1"]) is None


def test_judgements_without_irrelevant_documents_tell_no_shares() -> None:
    run = RankedRun(path="r", tag="r", documents={"1": ["a"]}, scores={"1": [1.0]}, repairs={})
    scorer = Scorer(Judgements(path="q", topics={"1": {"a": 1}}, repairs={}), ["P_1"])
    assert scorer.score(run).judged == {}


def test_topics_whose_judgements_are_all_negative() -> None:
    """trec_eval crashes on them."""
    run = RankedRun(path="r", tag="r", documents={"1": ["a"]}, scores={"1": [1.0]}, repairs={})
    judgements = Judgements(path="q", topics={"1": {"a": -2}}, repairs={})
    found = Scorer(judgements, ["AP(rel=1)", "RR@10", "Judged@10", "Compat"]).score(run)
    assert found.values == {"AP(rel=1)": [0], "RR@10": [0], "Judged@10": [1], "Compat": [0]}


def test_parts_of_a_name() -> None:
    assert base_of("nDCG(judged_only=True)@10") == ("nDCG", "10")
    assert base_of("Compat(p=0.8)") == ("Compat", "")
    assert level_in("R(rel=2)@10") == 2
    assert level_in("nDCG@10") is None


def test_who_computes_them() -> None:
    assert evaluator_version(["map", "P_7"]) == evaluator_version()
    assert evaluator_version(["map", "RR@10"]) == (
        f"{evaluator_version()} and ir_measures {ir_measures.__version__}"
    )


def test_ir_measures_is_imported_for_its_own_measures_only() -> None:
    code = (
        "import sys; from primad_ld.trec.measure_names import canonical; "
        "[canonical(one) for one in ('nDCG@7', 'AP', 'P_10', 'IPrec@0.1', 'NumRelRet')]; "
        "print('ir_measures' in sys.modules); canonical('RR@10'); print('ir_measures' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


# The schemes ------------------------------------------------------------------------------

CONCEPTS = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")
NOTATIONS = {
    str(concept): [str(one) for one in CONCEPTS.objects(concept, SKOS.notation)]
    for concept in CONCEPTS.subjects(SKOS.inScheme, rdflib.URIRef(f"{SCHEME}measure"))
}
NO_NUMBERS = {"runid", "relstring"}


@pytest.mark.parametrize("concept", sorted(NOTATIONS))
def test_concepts_have_the_names_that_both_know(concept: str) -> None:
    """A measure of trec_eval has its name in ir_measures, too, if there is one."""
    notations = set(NOTATIONS[concept]) - NO_NUMBERS
    mine = {one for one in notations if is_of_trec_eval(one)}
    of_both = {one for one in mine & ir_measures.measures.registry.keys() if not is_family(one)}
    others = (notations - mine) | of_both
    if notations and not mine:
        (name,) = others
        assert base_of(name)[0] in ir_measures.measures.registry
    for name in mine:
        try:
            known = ir_measures.parse_trec_measure(name)
        except ValueError:
            known = []
        alone = known if len(known) == 1 else []  # else a family
        assert [ir_measures.parse_measure(one) for one in others] == alone
        assert [canonical(one) for one in others] == [name] * len(alone)


def test_measures_that_ir_measures_provides_have_a_concept() -> None:
    names = {base_of(name)[0] for some in NOTATIONS.values() for name in some}
    providers = ("pytrec_eval", "cwl_eval", "compat", "judged", "msmarco")
    for one in providers:
        for measure in ir_measures.providers.registry[one].SUPPORTED_MEASURES:
            assert measure.NAME in names
