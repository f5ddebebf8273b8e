"""Trusty URIs: where a digest stands in a name, and what it is a digest of."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode

import pytest
from support.nanopubs import EX, spoken, text, typed

from primad_ld.nanopub.trusty import BlankNodeError, artifact_of, code_of, hashed_text, is_trusty
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
    found = hashed_text(statements, CODE)
    assert found == "".join(f"{line}\n" for line in wanted)
    digest = urlsafe_b64encode(hashlib.sha256(found.encode()).digest()).decode()
    assert code_of(found) == f"RA{digest[:43]}"
    assert digest[43:] == "="


@pytest.mark.parametrize("place", ["graph", "subject", "value"])
def test_blank_nodes_have_no_digest(place: str) -> None:
    one = Statement(f"{EX}g", f"{EX}s", f"{EX}p", Object(f"{EX}o"))
    other = Object("_:b") if place == "value" else "_:b"
    with pytest.raises(BlankNodeError):
        hashed_text([one._replace(**{place: other})], CODE)
