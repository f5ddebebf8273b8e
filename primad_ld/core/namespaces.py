"""Namespaces and the few terms that the code itself must know."""

from __future__ import annotations

from typing import Final

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
