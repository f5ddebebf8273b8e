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
from primad_ld.nanopub.keys import KeyFacts, load_signer, make_key, read_facts
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
    SIGNED_BY,
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


def test_another_signer_accepts_it(facts: KeyFacts, signer: Signer) -> None:
    nanopub_sign = pytest.importorskip("nanopub_sign")
    signed = sign(draft_of(facts, name="Josiah Carberry"), signer)
    nanopub_sign.Nanopub(signed.text).check()


def test_it_is_the_same_each_time(facts: KeyFacts) -> None:
    said = {"orcid": "0000-0002-1825-0097", "name": "Josiah Carberry"}
    assert introduction(facts, **said) == introduction(facts, **said)
    spelt = said | {"orcid": "http://orcid.org/0000-0002-1825-0097", "name": " Josiah Carberry"}
    assert introduction(facts, **spelt) == introduction(facts, **said)


def test_two_keys_of_a_person_have_two_drafts(facts: KeyFacts, tmp_path: Path) -> None:
    other = make_key(tmp_path / "id_rsa")
    assert draft_of(facts).uri != draft_of(other).uri


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"orcid": "0000-0002-1825-0098"}, "nobody's ORCID"),
        ({"orcid": ""}, "is no ORCID"),
        ({"name": "\x1b[2J"}, "is no name"),
        ({"location": "example.org"}, "is no address of a site"),
        ({"location": "file:///home"}, "is no address of a site"),
        ({"location": "https://example.org/> ."}, "is no address of a site"),
        ({"location": "https://example.org/\n"}, "is no address of a site"),
    ],
)
def test_what_cannot_be_said(said: dict[str, str], words: str, facts: KeyFacts) -> None:
    with pytest.raises(PrimadError, match=words):
        draft_of(facts, **said)


def test_nobody_signs_the_introduction_of_another_key(tmp_path: Path, signer: Signer) -> None:
    # Such a one is well-formed, and no registry would believe it.
    draft = draft_of(make_key(tmp_path / "other"))
    with pytest.raises(PrimadError, match="introduces another key than this one; name that one"):
        sign(draft, signer)
    theirs = load_signer(
        key=tmp_path / "other", orcid=signer.orcid, license="cc-by", created=signer.created
    )
    assert sign(draft, theirs).nanopub.artifact


def test_nobody_signs_the_introduction_of_another_person(facts: KeyFacts, signer: Signer) -> None:
    draft = draft_of(facts, orcid="0000-0002-1694-233X")
    with pytest.raises(
        PrimadError, match=r"the key of https://orcid\.org/0000-0002-1694-233X, not"
    ):
        sign(draft, signer)


def test_a_signed_introduction_says_who_signed_it(facts: KeyFacts, signer: Signer) -> None:
    ours = sign(draft_of(facts), signer).nanopub
    assert ours.values(f"{ours.uri}/sig", SIGNED_BY) == [declared(ours)[DECLARED_BY]] == [CARBERRY]
