"""Trusty URIs: where a digest stands in a name, and what it is a digest of."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode

import pytest
from support.nanopubs import EX, spoken, text, typed

from primad_ld.nanopub.trusty import (
    BlankNodeError,
    artifact_of,
    code_of,
    is_below,
    is_trusty,
    looks_damaged,
    owner_of,
    rows_of,
    text_of,
)
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.subject_index import Object

CODE = "RAfqiCiiOR-RGkQbT0v3kdT-zIeEi1Oig4vnzg1quCiME"


@pytest.mark.parametrize(
    ("uri", "is_one"),
    [
        (f"https://w3id.org/np/{CODE}", True),
        (f"http://purl.org/np/{CODE}", True),
        (f"http://example.org/mine.{CODE}", True),
        (f"http://example.org/mine#{CODE}", True),
        (f"https://w3id.org/np/{CODE}/", True),
        (f"https://w3id.org/np/{CODE}#", True),
        (f"https://w3id.org/np/{CODE}.", True),
        (f"https://w3id.org/np/{CODE}/assertion", False),  # a node inside
        (f"https://w3id.org/np/{CODE}#step", False),
        (f"https://w3id.org/np/{CODE}A", False),  # too long
        (f"https://w3id.org/np/{CODE[:-1]}", False),
        (f"https://w3id.org/np/x{CODE}", False),
        (f"https://w3id.org/np/RB{CODE[2:]}", False),  # the module of graphs
        ("http://purl.org/nanopub/temp/run-1/", False),
        ("", False),
    ],
)
def test_where_the_code_stands(uri: str, is_one: bool) -> None:
    assert artifact_of(uri) == (CODE if is_one else "")
    assert is_trusty(uri) is is_one


NP = "https://w3id.org/np/"


@pytest.mark.parametrize(
    ("name", "owner", "is_its"),
    [
        ("http://e.org/1/Head", "http://e.org/1/", True),
        ("http://e.org/1#Head", "http://e.org/1", True),
        ("http://e.org/1_head", "http://e.org/1", True),  # Protein Atlas
        ("http://e.org/1", "http://e.org/1", True),
        ("http://e.org/12/Head", "http://e.org/1", False),
        ("http://e.org/1a", "http://e.org/1", False),
        ("http://e.org/2/Head", "http://e.org/1/", False),
        (f"{NP}{CODE}/Head", f"{NP}R", False),
        (f"{NP}{CODE}130_head", f"{NP}{CODE}", True),  # DisGeNET
        (f"{NP}{CODE}130_head", f"{NP}{CODE[:-1]}", False),
    ],
)
def test_what_lies_below_a_name(name: str, owner: str, is_its: bool) -> None:
    assert is_below(name, owner) is is_its


OTHER = "RA" + "x" * 43


@pytest.mark.parametrize(
    ("graph", "uri", "owner"),
    [
        (f"{NP}{CODE}/Head", f"{NP}{CODE}", ""),
        (f"{NP}{CODE}#Head", f"{NP}{CODE}#", ""),
        (f"{NP}{CODE}130_head", f"{NP}{CODE}", ""),
        (f"{NP}{CODE}/pubinfo", f"{NP}R", f"{NP}{CODE}"),
        (f"{NP}{CODE}/pubinfo", NP, f"{NP}{CODE}"),
        (f"{NP}{CODE}130_head", NP, f"{NP}{CODE}"),
        (f"{NP}{CODE}130_head", f"{NP}{CODE[:20]}", f"{NP}{CODE}"),
        (f"{NP}{CODE}/x/Head", f"{NP}{CODE}/x", f"{NP}{CODE}"),
        (f"{NP}{OTHER}/{CODE}/Head", f"{NP}{OTHER}/{CODE}", f"{NP}{OTHER}"),
        (f"{NP}{CODE}/{OTHER}/Head", f"{NP}{CODE}", f"{NP}{CODE}/{OTHER}"),
        (f"{NP}{CODE}A/Head", f"{NP}{CODE}A", ""),  # a damaged name, which load looks at
        ("http://e.org/a/Head", "http://e.org/a/", ""),
    ],
)
def test_whose_a_graph_is(graph: str, uri: str, owner: str) -> None:
    assert owner_of(graph, uri) == owner


@pytest.mark.parametrize("end", ["", "/", "#", "."])
def test_a_letter_too_few_too_many_or_another_is_told(end: str) -> None:
    """Wherever it is in the code; where it is still one, the digest tells."""
    whole = f"{NP}{CODE}{end}"
    for place in range(len(NP) - 1, len(NP) + len(CODE)):
        wrong = [whole[:place] + whole[place + 1 :]]
        wrong += [whole[:place] + letter + whole[place:] for letter in "a/Z.~"]
        wrong += [whole[:place] + letter + whole[place + 1 :] for letter in "a/Z.~"]
        for uri in wrong:
            assert looks_damaged(uri) is not is_trusty(uri), uri
    assert not looks_damaged(whole)


@pytest.mark.parametrize(
    "uri",
    [
        "http://example.org/np/1/",
        "http://www.proteinatlas.org/about/nanopubs/ENSG00000000003_ih_TS_0030",
        "http://example.org/2024-01-02T10-11-12-robust04-bm25-k1-0.9-b-0.4",
        "http://example.org/run-550e8400-e29b-41d4-a716-446655440000",
        "http://example.org/RANKING-comparison-of-some-systems-on-robust04",
        "http://example.org/TREC-Deep-Learning-2019-Passage-Ranking-BM25-RM3",
        "http://example.org/RAG-Systems-Compared",
        f"http://example.org/{hashlib.sha256(b'x').hexdigest()}",
        "",
    ],
)
def test_names_that_never_held_a_digest(uri: str) -> None:
    assert not looks_damaged(uri)


def test_the_text_that_is_hashed() -> None:
    """Written out by hand: names, then texts with their types, the code left blank."""
    this = f"https://w3id.org/np/{CODE}"
    statements = [
        Statement(f"{this}/g", this, f"{EX}p", text("a\\b\nc\rd")),
        Statement(f"{this}/g", this, f"{EX}p", spoken("a", "EN-gb")),
        Statement(f"{this}/g", this, f"{EX}p", typed("1", "integer")),
        Statement(f"{this}/g", this, f"{EX}p", Object(f"{EX}{CODE}")),
        Statement(f"{this}/g", this, f"{EX}o", Object(this)),
        Statement(f"{this}/g", this, f"{EX}o", Object(this)),  # it counts once
    ]
    wanted = []
    for predicate, value in (
        ("o", "https://w3id.org/np/ "),
        ("p", "http://example.org/ "),
        ("p", "^http://www.w3.org/2001/XMLSchema#integer 1"),
        ("p", "@en-gb a"),
        ("p", "^http://www.w3.org/2001/XMLSchema#string a\\\\b\\nc\rd"),
    ):
        wanted += ["https://w3id.org/np/ /g", "https://w3id.org/np/ ", EX + predicate, value]
    found = text_of(rows_of(statements, CODE))
    assert found == "".join(f"{line}\n" for line in wanted)
    digest = urlsafe_b64encode(hashlib.sha256(found.encode()).digest()).decode()
    assert code_of(found) == f"RA{digest[:43]}"
    assert digest[43:] == "="


@pytest.mark.parametrize("place", ["graph", "subject", "value"])
def test_blank_nodes_have_no_digest(place: str) -> None:
    one = Statement(f"{EX}g", f"{EX}s", f"{EX}p", Object(f"{EX}o"))
    other = Object("_:b") if place == "value" else "_:b"
    with pytest.raises(BlankNodeError):
        text_of(rows_of([one._replace(**{place: other})], CODE))
