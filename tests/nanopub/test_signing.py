"""Drafts signed one by one: what they get, what they keep, and which are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.nanopubs import (
    ORCID,
    a_draft,
    check,
    draft_text,
    read,
    signed_draft,
    spoken,
    text,
)
from support.stumbling import VALUES

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import FOAF
from primad_ld.nanopub.checking import CheckState
from primad_ld.nanopub.signing import Signer, seal, sign
from primad_ld.rdf.nanopub_statements import Statement, as_nquads

# What a draft gets ------------------------------------------------------------------------


def test_names_of_people_are_added(signer: Signer) -> None:
    signed = sign(a_draft(), replace(signer, name='Ada "Countess" L\\'))
    (name,) = [one for one in signed.nanopub.statements if one.predicate == FOAF + "name"]
    assert name == Statement(
        signed.nanopub.pubinfo, ORCID, FOAF + "name", text('Ada "Countess" L\\')
    )
    assert check(signed.text).state is CheckState.SIGNED


def test_signing_is_the_same_each_time(signer: Signer) -> None:
    first = signed_draft(signer, *VALUES, together=True)
    again = signed_draft(signer, *reversed(VALUES), together=True)
    assert first.text == again.text
    assert check(first.text).state is CheckState.SIGNED


def test_languages_in_any_case_are_one(signer: Signer) -> None:
    """Readers write them in small letters; the name must not depend on who did."""
    mixed = signed_draft(signer, spoken("a", "EN"), spoken("a", "de-AT"), together=True)
    small = signed_draft(signer, spoken("a", "en"), spoken("a", "de-at"), together=True)
    assert mixed.nanopub.uri == small.nanopub.uri
    assert check(mixed.text).state is CheckState.SIGNED


# What a draft states ----------------------------------------------------------------------


def test_what_a_draft_states_itself_is_kept(signer: Signer) -> None:
    """Its time, and to whom its assertion is attributed."""
    info = '"2025-01-01T00:00:00Z"^^xsd:dateTime'
    more = f"ex:p 1 . }} sub:pubinfo {{ this: <http://purl.org/dc/terms/created> {info}"
    given = draft_text("a", more).replace(
        "sub:assertion prov:was", "sub:assertion prov:wasAttributedTo ex:somebody ; prov:was"
    )
    nanopub = sign(read(given), signer).nanopub
    created = [one for one in nanopub.statements if one.predicate.endswith("terms/created")]
    assert [one.value.value for one in created] == ["2025-01-01T00:00:00Z"]
    attributed = [one for one in nanopub.statements if one.predicate.endswith("AttributedTo")]
    assert [one.value.value for one in attributed] == ["http://example.org/somebody"]


def test_codes_stand_wherever_they_are_asked_for(signer: Signer) -> None:
    """As the reference implementation does, for names in a namespace of one's own."""
    signed = sign(read(draft_text("a", "ex:is <http://example.org/~~~ARTIFACTCODE~~~>")), signer)
    assert f"http://example.org/{signed.nanopub.artifact}" in as_nquads(signed.nanopub.statements)
    assert check(signed.text).state is CheckState.SIGNED


# What is refused --------------------------------------------------------------------------


def test_what_is_signed_cannot_be_signed_again(signer: Signer) -> None:
    signed = sign(read(draft_text("a")), signer)
    with pytest.raises(PrimadError, match="is no draft; only drafts can be signed"):
        sign(signed.nanopub, signer)
    with pytest.raises(PrimadError, match="it is signed already"):
        seal(signed.nanopub, signer)


def test_nothing_is_signed_that_is_too_large(signer: Signer) -> None:
    with pytest.raises(PrimadError, match=r"1,\d{3} triples, and registries take 1,200"):
        sign(a_draft(*(text(str(number)) for number in range(1200))), signer)
    with pytest.raises(PrimadError, match=r"1,00\d,\d{3} characters, and registries take 1,000"):
        sign(a_draft(text("x" * 1_000_000)), signer)
