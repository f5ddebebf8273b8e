"""The properties of ontology/score.ttl, compiled from the measures of ontology/schemes.ttl.

``python tests/support/score_vocabulary.py`` writes them into the file.
"""

from __future__ import annotations

from pathlib import Path

from primad_ld.core.iris import SCHEME, SCORE
from primad_ld.schema.converters import quoted
from primad_ld.trec.score_terms import is_declared, named_measures, score_predicate

FILE = Path(__file__).parents[2] / "ontology" / "score.ttl"
_PROPERTY = """
score:{local} a owl:DatatypeProperty ;
    rdfs:subPropertyOf primad:score ;
    rdfs:domain primad:ScoreSet ;
    rdfs:range xsd:decimal ;
    rdfs:label {label}@en ;
    skos:notation {name} ;
    primad:ofMeasure scheme:{measure} ;
    rdfs:isDefinedBy <https://w3id.org/primad-ld/score> .
score:{local}-by-topic a owl:DatatypeProperty ;
    rdfs:subPropertyOf primad:scoresByTopic ;
    rdfs:label {by_topic}@en ;
    skos:notation {name} ;
    primad:ofMeasure scheme:{measure} ;
    rdfs:isDefinedBy <https://w3id.org/primad-ld/score> .
"""


def with_properties(text: str) -> str:
    """The file with two properties for each measure as it is now."""
    head, _, _ = text.partition("\nscore:")
    return head + "".join(
        _PROPERTY.format(
            # As the first letter of a name Turtle takes a digit, too.
            local=score_predicate(name).removeprefix(SCORE),
            label=quoted(label),
            by_topic=quoted(f"{label}, by topic"),
            name=quoted(name),
            measure=iri.removeprefix(SCHEME),
        )
        for name, (iri, label) in sorted(named_measures().items())
        if is_declared(name)
    )


if __name__ == "__main__":
    FILE.write_text(with_properties(FILE.read_text(encoding="utf-8")), encoding="utf-8")
