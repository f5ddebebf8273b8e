"""Introductions say whose key it is, in the form that others read."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import reference_data
from support.secrecy import leaks

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import FOAF
from primad_ld.nanopub.checking import CheckState, check_bytes
from primad_ld.nanopub.drafting.introductions import introduction
from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.folder_checks import remarks_on
from primad_ld.nanopub.keys import KeyFacts, read_facts
from primad_ld.nanopub.nanopubs import Nanopub, nanopub_of
from primad_ld.nanopub.signing import Signer, sign
from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import read_statements
from primad_ld.rdf.nanopub_terms import (
    CREATOR,
    DECLARED_BY,
    HAS_ALGORITHM,
    HAS_KEY_LOCATION,
    HAS_PUBLIC_KEY,
    HAS_TYPE,
    INTRODUCES,
)

CARBERRY = "https://orcid.org/0000-0002-1825-0097"
#: By Nanodash, in 2025.
PUBLISHED = "valid/signed/RATq2i1SMq-Ci6-1MAFALTELRRSL7xAsI4iQOC3cgMldE.trig"


@pytest.fixture
def facts(key_file: Path) -> KeyFacts:
    return read_facts(key_file)


def draft_of(facts: KeyFacts, **said: str) -> Nanopub:
    return nanopub_of_draft(introduction(facts, **{"orcid": "0000-0002-1825-0097", **said}))


def declared(nanopub: Nanopub) -> dict[str, str]:
    """What the assertion says, by predicate."""
    return {one.predicate: one.value.value for one in nanopub.graph(nanopub.assertion)}


def test_what_an_introduction_says(facts: KeyFacts) -> None:
    draft = draft_of(facts, name="Josiah Carberry", location="https://example.org/")
    node = f"{draft.uri}decl"
    assert {
        (one.subject, one.predicate): one.value.value for one in draft.graph(draft.assertion)
    } == {
        (node, DECLARED_BY): CARBERRY,
        (node, HAS_ALGORITHM): "RSA",
        (node, HAS_PUBLIC_KEY): facts.public_key,
        (node, HAS_KEY_LOCATION): "https://example.org/",
        (CARBERRY, FOAF + "name"): "Josiah Carberry",
    }
    assert draft.values(draft.uri, INTRODUCES) == [CARBERRY]
    assert draft.values(draft.uri, HAS_TYPE) == [DECLARED_BY]


def test_a_name_and_a_location_may_be_left_out(facts: KeyFacts) -> None:
    assert declared(draft_of(facts)).keys() == {DECLARED_BY, HAS_ALGORITHM, HAS_PUBLIC_KEY}


def test_it_has_the_form_of_what_nanodash_publishes(facts: KeyFacts, signer: Signer) -> None:
    theirs = nanopub_of(read_statements(reference_data() / "nanopub-testsuite" / PUBLISHED))
    draft = draft_of(facts, name="Josiah Carberry", location="https://example.org/")
    ours = sign(draft, signer).nanopub
    assert declared(ours).keys() == declared(theirs).keys()
    their_person, our_person = declared(theirs)[DECLARED_BY], declared(ours)[DECLARED_BY]
    for predicate in (INTRODUCES, HAS_TYPE, CREATOR):
        there = theirs.values(theirs.uri, predicate)
        assert ours.values(ours.uri, predicate) == [
            our_person if value == their_person else value for value in there
        ]
    for one in (theirs, ours):  # the key that is declared is the one that signs
        assert one.values(f"{one.uri}/sig", HAS_PUBLIC_KEY) == [declared(one)[HAS_PUBLIC_KEY]]


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"name": "Josiah Carberry"},
        {"name": 'J. "\\" Carberry <script>', "location": "http://example.org/keys?a=b#c"},
        {"name": "Жозайя Карберри \N{GRINNING FACE}"},
    ],
)
def test_signed_ones_pass_every_check(
    said: dict[str, str], facts: KeyFacts, signer: Signer, key_file: Path
) -> None:
    made = introduction(facts, orcid="0000-0002-1825-0097", **said)
    text = as_trig(nanopub_of_draft(made))
    draft = check_bytes(text.encode(), ".trig", "draft")
    assert draft.state is CheckState.PLAIN
    assert draft.nanopub is not None
    signed = sign(draft.nanopub, signer)
    found = check_bytes(signed.text.encode(), ".trig", "signed")
    assert (found.state, found.problems, remarks_on(found)) == (CheckState.SIGNED, (), ())
    assert found.nanopub is not None
    assert declared(found.nanopub)[HAS_PUBLIC_KEY] == facts.public_key
    assert declared(found.nanopub).get(FOAF + "name", "") == said.get("name", "")
    secret = key_file.read_bytes()
    assert not leaks((text + signed.text).replace(facts.public_key, ""), secret)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"orcid": "0000-0002-1825-0098"}, "ORCID"),
        ({"name": "\x1b[2J"}, "control characters"),
        ({"location": "example.org"}, "is not the address of a site"),
        ({"location": "file:///home"}, "is not the address of a site"),
        ({"location": "https://example.org/> ."}, "is not the address of a site"),
        ({"location": "https://example.org/\n"}, "is not the address of a site"),
    ],
)
def test_what_cannot_be_said(said: dict[str, str], words: str, facts: KeyFacts) -> None:
    with pytest.raises(PrimadError, match=words):
        draft_of(facts, **said)
