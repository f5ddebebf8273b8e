"""Drafts signed: they get the name that holds their digest, and the signature of a key.

What would make two signers disagree on the name is declared here and not left to them: who
signs, when, and under which licence. `nanopub-sign` gives the same name to what this signs,
and tests hold both to that.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from primad_ld.errors import PrimadError
from primad_ld.index import Object
from primad_ld.iris import is_iri
from primad_ld.namespaces import FOAF, XSD
from primad_ld.nanopub.literals import ill_typed
from primad_ld.nanopub.records import Nanopub
from primad_ld.nanopub.signatures import sign_text
from primad_ld.nanopub.statements import Statement, literal_token
from primad_ld.nanopub.terms import (
    ATTRIBUTED_TO,
    CREATED,
    CREATOR,
    DRAFTS,
    HAS_ALGORITHM,
    HAS_PUBLIC_KEY,
    HAS_SIGNATURE,
    HAS_TARGET,
    LICENSE,
    MOST_CHARACTERS,
    MOST_TRIPLES,
    PUBLISHED,
    SIGNED_BY,
)
from primad_ld.nanopub.trusty import HOLE, code_of, hashed_text
from primad_ld.nanopub.writing import as_trig

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

_DRAFT: Final = re.compile(re.escape(DRAFTS) + r"[^/>\s]+/")
_STRING: Final = XSD + "string"


@dataclass(frozen=True, kw_only=True, slots=True)
class Signer:
    """Who signs, with what, and when. The key is shown nowhere."""

    #: The ORCID as an IRI.
    orcid: str
    license: str
    #: The moment, as an xsd:dateTime.
    created: str
    public_key: str
    key: RSAPrivateKey
    #: The name of the person; empty to leave it out.
    name: str = ""

    def __repr__(self) -> str:
        return f"Signer({self.orcid})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Signed:
    """A signed nanopublication, and its text in TriG."""

    nanopub: Nanopub
    text: str


def sign(draft: Nanopub, signer: Signer, links: Mapping[str, str] | None = None) -> Signed:
    """Sign a draft. ``links`` are the names that other drafts got, by their URIs.

    Raises:
        PrimadError: It is signed already, refers to drafts without a name, or no registry
            would take it.
    """
    if not draft.is_draft:
        raise PrimadError(f"{draft.uri} is no draft; only drafts can be signed")
    statements = _linked([*draft.statements, *_declared(draft, signer)], draft.uri, links or {})
    nanopub = _signed(_renamed(statements, draft.uri), signer)
    text = as_trig(nanopub)
    _check_size(nanopub, text)
    return Signed(nanopub=nanopub, text=text)


def _declared(draft: Nanopub, signer: Signer) -> list[Statement]:
    """What signing adds: who, when, under which licence, with which key."""
    info, uri, node = draft.pubinfo, draft.uri, f"{draft.uri}sig"
    added = [
        Statement(info, uri, CREATED, Object(signer.created, XSD + "dateTime")),
        Statement(info, uri, CREATOR, Object(signer.orcid)),
        Statement(info, uri, LICENSE, Object(signer.license)),
        Statement(info, node, HAS_ALGORITHM, Object("RSA", _STRING)),
        Statement(info, node, HAS_PUBLIC_KEY, Object(signer.public_key, _STRING)),
        Statement(info, node, HAS_TARGET, Object(uri)),
        Statement(info, node, SIGNED_BY, Object(signer.orcid)),
    ]
    if signer.name:
        added.append(Statement(info, signer.orcid, FOAF + "name", Object(signer.name, _STRING)))
    if not any(one.predicate == ATTRIBUTED_TO for one in draft.graph(draft.provenance)):
        added.append(
            Statement(draft.provenance, draft.assertion, ATTRIBUTED_TO, Object(signer.orcid))
        )
    return added


def draft_links(statements: Iterable[Statement], own: str) -> list[str]:
    """The other drafts that some statements refer to."""
    found = {
        match
        for one in statements
        for iri in (one.subject, one.predicate, *([] if one.value.datatype else [one.value.value]))
        if iri.startswith(DRAFTS)
        for match in _DRAFT.findall(iri)
    }
    return sorted(found - {own})


def _linked(statements: list[Statement], own: str, links: Mapping[str, str]) -> list[Statement]:
    wanted = draft_links(statements, own)
    missing = [one for one in wanted if one not in links]
    if missing:
        raise PrimadError(
            f"it relies on {missing[0]}, which is not signed; sign both, in one folder"
        )
    if not wanted:
        return statements

    def linked(iri: str) -> str:
        match = _DRAFT.match(iri) if iri.startswith(DRAFTS) else None
        if match is None or match[0] == own:
            return iri
        rest = iri[match.end() :]
        return links[match[0]] + (f"/{rest}" if rest else "")

    return [
        Statement(
            one.graph,
            linked(one.subject),
            linked(one.predicate),
            one.value if one.value.datatype else Object(linked(one.value.value)),
        )
        for one in statements
    ]


def _renamed(statements: Iterable[Statement], draft: str) -> list[Statement]:
    """The names that it has once its artifact code fills the hole."""
    whole, inside = PUBLISHED + HOLE, f"{PUBLISHED}{HOLE}/"

    def renamed(iri: str) -> str:
        if not iri.startswith(draft):
            return iri
        return whole if iri == draft else inside + iri[len(draft) :]

    return [
        Statement(
            renamed(graph),
            renamed(subject),
            renamed(predicate),
            value if value.datatype else Object(renamed(value.value)),
        )
        for graph, subject, predicate, value in dict.fromkeys(statements)
    ]


def _signed(statements: list[Statement], signer: Signer) -> Nanopub:
    """Statements with holes where the artifact code belongs, as a signed nanopublication."""
    _check_statements(statements)
    uri = PUBLISHED + HOLE
    value = sign_text(hashed_text(statements, HOLE), signer.key)
    signature = Object(b64encode(value).decode(), _STRING)
    statements.append(Statement(f"{uri}/pubinfo", f"{uri}/sig", HAS_SIGNATURE, signature))
    code = code_of(hashed_text(statements, HOLE))

    def named(iri: str) -> str:
        return iri.replace(HOLE, code)

    return Nanopub(
        uri=named(uri),
        head=named(f"{uri}/Head"),
        assertion=named(f"{uri}/assertion"),
        provenance=named(f"{uri}/provenance"),
        pubinfo=named(f"{uri}/pubinfo"),
        statements=tuple(
            Statement(
                named(graph),
                named(subject),
                named(predicate),
                value if value.datatype else Object(named(value.value)),
            )
            for graph, subject, predicate, value in statements
        ),
    )


def _check_statements(statements: Iterable[Statement]) -> None:
    for one in statements:
        if ill_typed(one.value):
            raise PrimadError(f"{literal_token(one.value)[:120]} is no value of its datatype")
        for iri in (one.subject, one.predicate, *([] if one.value.datatype else [one.value.value])):
            if not is_iri(iri.replace(HOLE, "RA", 1)):
                raise PrimadError(f"{iri[:120]!r} is no IRI that others read")


def _check_size(nanopub: Nanopub, text: str) -> None:
    triples = len(set(nanopub.statements))
    if triples > MOST_TRIPLES:
        raise PrimadError(f"{triples:,} triples, and registries take {MOST_TRIPLES:,} at most")
    if len(text) > MOST_CHARACTERS:
        raise PrimadError(
            f"{len(text):,} characters, and registries take {MOST_CHARACTERS:,} at most"
        )
