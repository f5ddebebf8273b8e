"""What is said of the pipelines of two methods: models, references, parameters and flags."""

from __future__ import annotations

import pytest
from support.compared import DIFFERENT, OPEN, SAME, Said, check_said

#: Two ways to write a method, and what is said of a field: outcome and folded values.
CASES = [
    (
        "method",
        "{retrieval: [{name: bm25, k1: 0.90}, {name: prf, reranks: bm25}]}",
        "{retrieval: [{name: first, method: BM25Similarity, k1: '.9'}, {name: prf, reranks: first}]}",
        ("retrieval", SAME, "bm25 » prf", "bm25 » prf"),
    ),
    (
        "method",
        "{retrieval: [{name: prf, reranks: bm25}, {name: bm25}]}",
        "{retrieval: [{name: prf, reranks: x}, {name: x, method: BM25Similarity}]}",
        ("retrieval[1].reranks", None, "", ""),  # stages may be written in any order
    ),
    (
        "method",
        "{retrieval: [{name: bm25}, {name: dph}, {name: prf, reranks: bm25}]}",
        "{retrieval: [{name: bm25}, {name: dph}, {name: prf, reranks: dph}]}",
        ("retrieval[3].reranks", DIFFERENT, "1", "2"),
    ),
    (
        "method",
        "{retrieval: [{name: a}, {name: b}, {name: mix, interpolates: [a, b], weight: 0.3}]}",
        "{retrieval: [{name: a}, {name: b}, {name: mix, interpolates: [b, a], weight: '0.70'}]}",
        ("retrieval[3].weight", SAME, "0.3", "0.3"),
    ),
    (
        "method",
        "{retrieval: [{name: mix, interpolates: [a, b], weight: 1e999999999}]}",  # not a number of ours
        "{retrieval: [{name: mix, interpolates: [b, a], weight: 0.5}]}",
        ("retrieval[1].weight", DIFFERENT, "1e999999999", "0.5"),
    ),
    (
        "method",
        "{retrieval: [{name: mix, ensembles: [b, a]}]}",
        "{retrieval: [{name: mix, ensembles: [a, b]}]}",
        ("retrieval[1].ensembles", None, "", ""),  # a set
    ),
    (
        "method",
        "{retrieval: [{name: bm25, lexical: yes, layers: [1, 2]}]}",
        "{retrieval: [{name: bm25, lexical: 'on', layers: [2, 1]}]}",
        ("retrieval[1].layers", DIFFERENT, None, None),  # the order of a list may mean something
    ),
    (
        "method",
        "{retrieval: [{k1: 0.9}]}",
        "{retrieval: [{k1: 0.9}]}",
        ("retrieval", OPEN, "?", "?"),  # a stage without a name
    ),
    (
        "method",
        "{name: our system}",
        "{retrieval: [{name: bm25}]}",
        ("retrieval", OPEN, "our system", "bm25"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("component", "one", "other", "said"), CASES, ids=range(len(CASES)))
def test_what_is_said_of_a_field(component: str, one: str, other: str, said: Said) -> None:
    check_said(component, one, other, said)
