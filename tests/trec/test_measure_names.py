"""Measures of effectiveness under the names that people use."""

from __future__ import annotations

import pytest
import pytrec_eval

from primad_ld.core.errors import MeasureError
from primad_ld.trec.measure_names import (
    FAMILIES,
    canonical,
    cutoff_of,
    expand,
    has_scale,
    is_compared,
    is_count,
    is_family,
    is_of_trec_eval,
    looks_like_a_measure,
    request,
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("map", "map"),
        (" AP ", "map"),
        ("P_10", "P_10"),
        ("P@10", "P_10"),
        ("p@10", "P_10"),
        ("P.10", "P_10"),  # as trec_eval's options have it
        ("P_010", "P_10"),
        ("ndcg", "ndcg"),
        ("nDCG@10", "ndcg_cut_10"),
        ("ndcg_cut_10", "ndcg_cut_10"),
        ("AP@100", "map_cut_100"),
        ("R@1000", "recall_1000"),
        ("RR", "recip_rank"),
        ("Rprec", "Rprec"),
        ("Success@5", "success_5"),
        ("IPrec@0.1", "iprec_at_recall_0.10"),
        ("iprec_at_recall_0.00", "iprec_at_recall_0.00"),
        ("Rprec_mult_1.2", "Rprec_mult_1.20"),
        ("SetP", "set_P"),
        ("NumRet", "num_ret"),
        ("11pt_avg", "11pt_avg"),
        ("P", "P"),
        ("P_1000000", "P_1000000"),
        ("nDCG@7", "ndcg_cut_7"),
        ("MRR@10", "RR@10"),
        ("recip_rank_10", "RR@10"),
        ("P(cutoff=5)", "P_5"),
        ("SetP(relative=True)", "set_relative_P"),
        ("SetF(beta=1)", "set_F"),
        ("NumRelRet", "num_rel_ret"),
        *((family, family) for family in FAMILIES),
    ],
)
def test_names_that_are_understood(text: str, name: str):
    assert canonical(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "foo",
        "P_0",
        "P_10.0",
        "P_-1",
        "P_٣",
        "P_1000001",  # trec_eval counts cutoffs in 32 bits, and wrongly beyond
        "P_" + "9" * 5000,
        "iprec_at_recall_1.5",  # no recall is larger than 1
        "Rprec_mult_999999",  # trec_eval cuts the name
        "runid",
        "relstring_5",
    ],
)
def test_names_that_are_none(text: str):
    with pytest.raises(MeasureError, match="unknown measure"):
        canonical(text)


def test_all_measures_of_trec_eval_are_known():
    """But for those that are no numbers."""
    assert set(FAMILIES) == pytrec_eval.supported_measures - {"runid", "relstring"}


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("map", True),
        ("nDCG@7", True),
        ("AP(rel=2)", True),
        ("RR@10", True),
        ("q1", False),
        ("user@10", False),
        ("f(x)", False),
        ("ERR@20", False),  # nothing computes it
        ("301", False),
    ],
)
def test_words_that_are_measures(word: str, is_one: bool):
    assert looks_like_a_measure(word) == is_one


@pytest.mark.parametrize(
    ("name", "cutoff"),
    [
        ("P_10", 10),
        ("ndcg_cut_5", 5),
        ("success_1", 1),
        ("nDCG(judged_only=True)@20", 20),
        ("iprec_at_recall_0.10", None),
        ("IPrec(rel=2)@0.1", None),
        ("Rprec_mult_1.20", None),
        ("11pt_avg", None),
        ("map", None),
    ],
)
def test_how_many_documents_a_measure_looks_at(name: str, cutoff: int | None):
    assert cutoff_of(name) == cutoff


def test_a_family_is_asked_for_once():
    assert request(["P_5", "map", "P_10", "P_5"]) == {"P.10,5", "map"}
    assert request(["success", "success_7"]) == {"success.1,10,5,7"}


def test_what_is_asked_for_is_found_in_its_order():
    known = ["map", "P_5", "P_10", "ndcg", "ndcg_cut_5"]
    assert expand(["ndcg_cut", "P", "map"], known) == ["ndcg_cut_5", "P_5", "P_10", "map"]
    assert expand(["P_10"], known) == ["P_10"]


def test_kinds_of_measures():
    assert is_family("P")
    assert not is_family("map")
    assert is_compared("map")
    assert not any(map(is_compared, ["num_q", "num_rel_ret", "gm_map", "NumRet(rel=2)"]))
    assert all(map(is_count, ["num_q", "NumRet(rel=2)"]))
    assert not has_scale("NumRet(rel=2)")
    assert has_scale("AP(rel=2)")
    assert all(map(is_of_trec_eval, ["map", "P_7"]))
    assert not any(map(is_of_trec_eval, ["RR@10", "P(rel=2)@7", "Judged@10"]))
