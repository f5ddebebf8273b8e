"""Introductions: nanopublications that say whose key it is that signs others.

Their form was compared with an introduction that Nanodash published, and with what reads them:
nanopub-java takes any assertion with `npx:declaredBy` for one, and its person from there;
registries list it under the type `npx:declaredBy`, take the name from `foaf:name` in the
assertion, and the key letter by letter, since they know keys by a digest of that text. Clients
recognise one by `npx:introduces` with the person behind it. No registry was asked.

An introduction must be signed with the key that it declares. That proves who holds the key, and
not who the person is: registries believe it once somebody they trust approves of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import FOAF, is_iri
from primad_ld.header.redaction import check_public
from primad_ld.nanopub.drafts import Draft, draft_uri, text
from primad_ld.nanopub.keys import orcid_iri, person_name
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import literal_token

if TYPE_CHECKING:
    from primad_ld.nanopub.keys import KeyFacts

#: The kind of drafts.
_KIND: Final = "introduction"


def introduction(facts: KeyFacts, *, orcid: str, name: str = "", location: str = "") -> Draft:
    """A draft that introduces a key. ``location`` is the site that holds it, if one does.

    Raises:
        PrimadError: The ORCID, the name or the location is none.
    """
    person, words, site = orcid_iri(orcid), person_name(name), _site(location)
    return Draft(
        kind=_KIND,
        about=facts.digest,
        label=f"User: {words or person.rpartition('/')[2]}",
        types=(terms.DECLARED_BY,),
        triples="".join(_lines(facts, person, words, site)),
        introduces=(person,),
        word=words or person.rpartition("/")[2],
    )


def _lines(facts: KeyFacts, person: str, name: str, site: str) -> list[str]:
    node = f"<{draft_uri(_KIND, facts.digest)}decl>"
    said = [
        f"{node} <{terms.DECLARED_BY}> <{person}> .\n",
        f"{node} <{terms.HAS_ALGORITHM}> {literal_token(text('RSA'))} .\n",
        f"{node} <{terms.HAS_PUBLIC_KEY}> {literal_token(text(facts.public_key))} .\n",
    ]
    if site:
        said.append(f"{node} <{terms.HAS_KEY_LOCATION}> <{site}> .\n")
    if name:
        said.append(f"<{person}> <{FOAF}name> {literal_token(text(name))} .\n")
    return said


def _site(site: str) -> str:
    if not site or (site.startswith(("http://", "https://")) and is_iri(site)):
        check_public(site, "location")
        return site
    raise PrimadError(f"{site[:80]!r} is not the address of a site; it must begin with https://")
