"""The vocabulary of nanopublications: terms that exist, under prefixes that mean what they say."""

from __future__ import annotations

import pytest

from primad_ld.core import iris
from primad_ld.core.iris import is_iri
from primad_ld.rdf import nanopub_terms
from primad_ld.rdf.nanopub_terms import NP, NPX, PREFIXES

TERMS = {
    name: value
    for name, value in vars(nanopub_terms).items()
    if name.isupper() and isinstance(value, str)
}


@pytest.mark.parametrize("name", sorted(TERMS))
def test_every_term_is_an_iri(name: str) -> None:
    assert is_iri(TERMS[name])


def test_no_two_names_have_one_term() -> None:
    assert len(set(TERMS.values())) == len(TERMS)


def test_prefixes_are_namespaces_and_mean_what_they_mean_elsewhere() -> None:
    assert all(is_iri(one) and one[-1] in "#/" for one in PREFIXES.values())
    assert len(set(PREFIXES.values())) == len(PREFIXES)
    ours = {"primad": iris.PRIMAD, "scheme": iris.SCHEME, "score": iris.SCORE, "xsd": iris.XSD}
    assert ours.items() <= PREFIXES.items()
    shared = PREFIXES.keys() & iris.PREFIXES.keys()
    assert {one: PREFIXES[one] for one in shared} == {one: iris.PREFIXES[one] for one in shared}


def test_the_parts_of_a_nanopublication_are_of_its_schema() -> None:
    named = (nanopub_terms.HAS_ASSERTION, nanopub_terms.HAS_PROVENANCE, nanopub_terms.HAS_PUBINFO)
    assert [one.removeprefix(NP) for one in named] == [
        "hasAssertion",
        "hasProvenance",
        "hasPublicationInfo",
    ]
    assert f"{NPX}hasSignature" == nanopub_terms.HAS_SIGNATURE
