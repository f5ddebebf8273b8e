"""A draft signed: it gets the name that holds its digest, and the signature of a key.

What would make two signers disagree on the name is declared here and not left to them: who
signs, when, and under which licence. `nanopub-sign` gives the same name to what this signs,
and tests hold both to that.
"""

from __future__ import annotations

import re
from base64 import b64encode
from bisect import insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import FOAF, XSD, is_iri
from primad_ld.nanopub.checking import Checked, CheckState, ill_typed
from primad_ld.nanopub.folder_checks import refusals_of
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signatures import sign_text, states_signature
from primad_ld.nanopub.trig import as_trig
from primad_ld.nanopub.trusty import HOLE, code_of, is_trusty, renamed_rows, rows_of, text_of
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.nanopub_statements import (
    Statement,
    is_blank,
    literal_token,
)
from primad_ld.rdf.subject_index import Object

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey


_DRAFT: Final = re.compile(re.escape(terms.DRAFTS) + r"[^/>\s]+/")
_STRING: Final = XSD + "string"
#: What the reference implementation fills with the artifact code, in whatever namespace.
_CODE: Final = "~~~ARTIFACTCODE~~~"


# One draft --------------------------------------------------------------------------------


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
    _check_introduction(draft, signer)
    nanopub = seal(_with(draft, _declared(draft, signer)), signer, links)
    text = as_trig(nanopub)
    checked = Checked(state=CheckState.SIGNED, nanopub=nanopub, characters=len(text))
    for refusal in refusals_of(checked):
        raise PrimadError(f"{refusal}; registries would refuse it")
    return Signed(nanopub=nanopub, text=text)


def seal(nanopub: Nanopub, signer: Signer, links: Mapping[str, str] | None = None) -> Nanopub:
    """Sign what is said as it stands: nothing is added but the signature.

    A draft gets the name of a published nanopublication; another keeps its own and gets its
    artifact code behind it.
    """
    uri = nanopub.uri
    if nanopub.artifact or states_signature(nanopub):
        raise PrimadError("it is signed already, or says so; take the signature out to sign it")
    if uri == terms.DRAFTS or not uri.endswith(("/", "#")):
        raise PrimadError(
            f"{uri} has no place for a digest; write {terms.DRAFTS}, a name and a slash"
        )
    for one in nanopub.statements:
        if ill_typed(one.value):
            raise PrimadError(f"{literal_token(one.value)[:120]} is no value of its datatype")
    whole = _with(nanopub, _stated(nanopub, signer))
    return _signed(whole, _new_names(whole, links or {}), signer)


def _with(nanopub: Nanopub, added: Iterable[Statement]) -> Nanopub:
    return replace(nanopub, statements=tuple(dict.fromkeys([*nanopub.statements, *added])))


def _declared(draft: Nanopub, signer: Signer) -> list[Statement]:
    """What a draft leaves to its signer: who, when, under which licence."""
    info, uri = draft.pubinfo, draft.uri
    added = [
        Statement(info, uri, terms.CREATOR, Object(signer.orcid)),
        Statement(info, uri, terms.LICENSE, Object(signer.license)),
    ]
    if not draft.values(uri, terms.CREATED):
        added.append(Statement(info, uri, terms.CREATED, Object(signer.created, XSD + "dateTime")))
    if signer.name:
        added.append(Statement(info, signer.orcid, FOAF + "name", Object(signer.name, _STRING)))
    if not any(one.predicate == terms.ATTRIBUTED_TO for one in draft.graph(draft.provenance)):
        added.append(
            Statement(draft.provenance, draft.assertion, terms.ATTRIBUTED_TO, Object(signer.orcid))
        )
    other = {*draft.values(uri, terms.LICENSE)} - {signer.license}
    if other:
        raise PrimadError(
            f"it states the licence {min(other)}, and is to be signed under {signer.license}; "
            "name the same licence"
        )
    return added


def _stated(nanopub: Nanopub, signer: Signer) -> list[Statement]:
    """What a signature states besides its value."""
    info, node = nanopub.pubinfo, nanopub.inside + "sig"
    return [
        Statement(info, node, terms.HAS_ALGORITHM, Object("RSA", _STRING)),
        Statement(info, node, terms.HAS_PUBLIC_KEY, Object(signer.public_key, _STRING)),
        Statement(info, node, terms.HAS_TARGET, Object(nanopub.uri)),
        Statement(info, node, terms.SIGNED_BY, Object(signer.orcid)),
    ]


def _new_names(nanopub: Nanopub, links: Mapping[str, str]) -> dict[str, str]:
    """What the nodes are called once they are signed: a hole is where the digest comes."""
    own = nanopub.uri
    known = {own: (terms.PUBLISHED if nanopub.is_draft else own) + HOLE, **links}
    return {name: _new_name(name, own, known) for name in sorted(_names(nanopub.statements))}


def _names(statements: Iterable[Statement]) -> set[str]:
    return {
        name
        for graph, subject, predicate, value in statements
        for name in (graph, subject, predicate, *(() if value.datatype else (value.value,)))
    }


#: Most names come again in the next nanopublication.
_is_iri = lru_cache(maxsize=4096)(is_iri)


def _new_name(name: str, own: str, known: Mapping[str, str]) -> str:
    if is_blank(name):
        raise PrimadError("it has a blank node, which no digest covers; name it, as in sub:node")
    if not _is_iri(name):
        raise PrimadError(f"{name[:120]!r} is not an IRI that others can read")
    place = _place(name, own)
    if not place:
        return name.replace(_CODE, HOLE)
    if place not in known:
        raise PrimadError(f"it relies on {place}, which is not signed; sign both in one folder")
    rest = name[len(place) :]
    return known[place] + (f"/{rest}" if rest else "")


def _place(name: str, own: str) -> str:
    """The nanopublication that a node is part of, if its name changes; or nothing."""
    # Where names of others begin as its own, they have a digest.
    if name.startswith(own) and not is_trusty(name):
        return own
    match = _DRAFT.match(name) if name.startswith(terms.DRAFTS) else None
    return match[0] if match else ""


def _renamed(statements: Iterable[Statement], names: Mapping[str, str]) -> list[Statement]:
    return [
        Statement(
            names[graph],
            names[subject],
            names[predicate],
            value if value.datatype else Object(names[value.value]),
        )
        for graph, subject, predicate, value in statements
    ]


def _signed(whole: Nanopub, names: Mapping[str, str], signer: Signer) -> Nanopub:
    """It under the names that hold a hole, signed; its artifact code fills the hole."""
    rows = renamed_rows(whole.statements, names.__getitem__)
    value = b64encode(sign_text(text_of(rows), signer.key)).decode()
    signature = Statement(
        names[whole.pubinfo],
        names[whole.inside + "sig"],
        terms.HAS_SIGNATURE,
        Object(value, _STRING),
    )
    insort(rows, rows_of([signature], HOLE)[0])
    code = code_of(text_of(rows))
    final = {name: new.replace(HOLE, code) for name, new in names.items()}
    final |= {new: new.replace(HOLE, code) for new in (signature.graph, signature.subject)}
    final[terms.HAS_SIGNATURE] = terms.HAS_SIGNATURE
    return Nanopub(
        uri=final[whole.uri],
        head=final[whole.head],
        assertion=final[whole.assertion],
        provenance=final[whole.provenance],
        pubinfo=final[whole.pubinfo],
        statements=tuple(_renamed([*whole.statements, signature], final)),
    )


def _check_introduction(draft: Nanopub, signer: Signer) -> None:
    """Whether it introduces another key or person, if it introduces any; nobody would believe it."""
    people = draft.asserted(terms.DECLARED_BY)
    if people and signer.public_key not in draft.asserted(terms.HAS_PUBLIC_KEY):
        raise PrimadError("it introduces another key than this one; name that one with --key")
    if people and signer.orcid not in people:
        raise PrimadError(f"it introduces the key of {people[0]}, not of {signer.orcid}")
