"""IRIs: which texts are one, the names that end them, and the namespaces that the code must know.

Things are named by their content, so that the same thing has the same IRI wherever it is made.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final
from urllib.parse import quote

# One IRI that Oxigraph refuses makes it refuse a whole batch, so this is stricter
# than RFC 3987: a scheme of two letters or more (C:/runs is a path), a host without
# brackets, well-formed percent codes, one fragment, no private characters. A text
# that does not pass stays a text.
# No blanks of other scripts: rdflib ends an IRI there.
_UCS = (
    "\u00a1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
)
_CHAR = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@{_UCS}]|%[0-9A-Fa-f]{{2}})"
_HOST = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;={_UCS}]|%[0-9A-Fa-f]{{2}})"
_ABSOLUTE_IRI = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.\-]+:"
    rf"(?://(?:{_HOST}*(?::{_HOST}*)?@)?{_HOST}+(?::[0-9]*)?(?:/{_CHAR}*)*"
    rf"|(?!//){_CHAR}(?:{_CHAR}|/)*|/(?!/)(?:{_CHAR}|/)*)"
    rf"(?:\?(?:{_CHAR}|[/?])*)?(?:#(?:{_CHAR}|[/?])*)?"
)

_LONGEST_FRAGMENT = 80


def is_iri(text: str) -> bool:
    """Whether a text is an absolute IRI that every store accepts."""
    return _ABSOLUTE_IRI.fullmatch(text) is not None


def fragment(text: str) -> str:
    """A text as part of a fragment: readable where it can be, unique always."""
    encoded = quote(text, safe="=+!$&'()*,;:@")
    if len(encoded) > _LONGEST_FRAGMENT:
        return sha256(text)[:16]
    return encoded


# Names ------------------------------------------------------------------------------------

#: The version of the algorithm that names things by their content (docs/iris.md).
VERSION: Final = 1
# 160 bits of SHA-256: no two things get one name by accident, and IRIs stay readable.
_DIGITS: Final = 40
_HEX: Final = rf"[0-9a-f]{{{_DIGITS}}}"
#: The name of a thing after its kind, as a pattern; scores have one of two things.
NAME: Final = rf"{VERSION}-{_HEX}(?:-{_HEX})?"


def name_of(digest: str) -> str:
    """The name of a thing by the SHA-256 of its content, as IRIs end in it."""
    return f"{VERSION}-{digest[:_DIGITS]}"


def name_under(name: str, digest: str) -> str:
    """The name of what a thing has under conditions: its name, then their SHA-256."""
    return f"{name}-{digest[:_DIGITS]}"


def content_name(text: str) -> str:
    """The name of a thing by what it says."""
    return name_of(sha256(text))


def sha256(text: str) -> str:
    """The digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


# What we name after the base. Other IRIs may resolve to something else when shortened.
_MINTED = re.compile(rf"[a-z\-]+/(?:{NAME}(?:#.*)?|[0-9a-f]{{15}})")


def relative(iri: str, base: str) -> str:
    """One of our IRIs without its base; any other as it is."""
    rest = iri[len(base) :] if iri.startswith(base) else ""
    return rest if _MINTED.fullmatch(rest) else iri


# Namespaces -------------------------------------------------------------------------------

PRIMAD: Final = "https://w3id.org/primad-ld/ontology#"
SCHEME: Final = "https://w3id.org/primad-ld/schemes#"
#: Annotations of shapes, which make them the schema of a header.
FIELD: Final = "https://w3id.org/primad-ld/field#"
SHAPES: Final = "https://w3id.org/primad-ld/shapes#"
#: The mean score of a run under a measure: this and the measure's name in trec_eval.
SCORE: Final = "https://w3id.org/primad-ld/score#"
#: Where the IRIs of runs and components begin unless the user says otherwise.
BASE: Final = "https://w3id.org/primad-ld/id/"

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SH: Final = "http://www.w3.org/ns/shacl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
DCT: Final = "http://purl.org/dc/terms/"

RDF_TYPE: Final = RDF + "type"
RDF_JSON: Final = RDF + "JSON"

#: Prefixes of what we write as Turtle, TriG and JSON-LD.
PREFIXES: Final = {
    "primad": PRIMAD,
    "scheme": SCHEME,
    "foaf": FOAF,
    "rdf": RDF,
    "xsd": XSD,
}
