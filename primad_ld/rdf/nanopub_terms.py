"""The vocabulary of nanopublications: what code of this package must know by name."""

from __future__ import annotations

from typing import Final

from primad_ld.core.iris import DCT

NP: Final = "http://www.nanopub.org/nschema#"
NPX: Final = "http://purl.org/nanopub/x/"
PROV: Final = "http://www.w3.org/ns/prov#"
PAV: Final = "http://purl.org/pav/"
#: The strict check of the official tools refuses https, the canonical spelling, which everything
#: else of ours has. The alignments state that both mean the same.
SCHEMA: Final = "http://schema.org/"
#: The older Dublin Core, by which indexes state their names.
DCE: Final = "http://purl.org/dc/elements/1.1/"

NANOPUBLICATION: Final = NP + "Nanopublication"
HAS_ASSERTION: Final = NP + "hasAssertion"
HAS_PROVENANCE: Final = NP + "hasProvenance"
HAS_PUBINFO: Final = NP + "hasPublicationInfo"

HAS_ALGORITHM: Final = NPX + "hasAlgorithm"
HAS_PUBLIC_KEY: Final = NPX + "hasPublicKey"
HAS_SIGNATURE: Final = NPX + "hasSignature"
HAS_TARGET: Final = NPX + "hasSignatureTarget"
SIGNED_BY: Final = NPX + "signedBy"
#: The predicate of introductions, and their type.
DECLARED_BY: Final = NPX + "declaredBy"
HAS_KEY_LOCATION: Final = NPX + "hasKeyLocation"
HAS_TYPE: Final = NPX + "hasNanopubType"
INTRODUCES: Final = NPX + "introduces"
DESCRIBES: Final = NPX + "describes"
SUPERSEDES: Final = NPX + "supersedes"
RETRACTS: Final = NPX + "retracts"
INDEX: Final = NPX + "NanopubIndex"
INDEX_ASSERTION: Final = NPX + "IndexAssertion"
INCLUDES_ELEMENT: Final = NPX + "includesElement"
INCLUDES_SUBINDEX: Final = NPX + "includesSubindex"
APPENDS_INDEX: Final = NPX + "appendsIndex"

CREATED: Final = DCT + "created"
CREATOR: Final = DCT + "creator"
LICENSE: Final = DCT + "license"
ATTRIBUTED_TO: Final = PROV + "wasAttributedTo"
DERIVED_FROM: Final = PROV + "wasDerivedFrom"

#: Where a nanopublication is until it is signed; what follows is its name and a slash.
DRAFTS: Final = "http://purl.org/nanopub/temp/"
#: Where it is then, with its artifact code behind.
PUBLISHED: Final = "https://w3id.org/np/"

#: More than this no registry takes.
MOST_TRIPLES: Final = 1200
MOST_CHARACTERS: Final = 1_000_000
#: An index has so many elements and sub-indexes at most.
MOST_ELEMENTS: Final = 1000

#: What a nanopublication is written with, beside ``this:`` and ``sub:``.
PREFIXES: Final = {
    "np": NP,
    "npx": NPX,
    "dct": DCT,
    "dce": DCE,
    "prov": PROV,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "orcid": "https://orcid.org/",
    "schema": SCHEMA,
    "dcat": "http://www.w3.org/ns/dcat#",
    "dqv": "http://www.w3.org/ns/dqv#",
    "p-plan": "http://purl.org/net/p-plan#",
    "sh": "http://www.w3.org/ns/shacl#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "primad": "https://w3id.org/primad-ld/ontology#",
    "scheme": "https://w3id.org/primad-ld/schemes#",
    "score": "https://w3id.org/primad-ld/score#",
}
