"""The vocabulary of scores: a predicate for each measure of effectiveness, as ``ontology/score.ttl``.

It is compiled from the measures of ``ontology/schemes.ttl``, and remade by::

    python -m primad_ld.trec.score_terms > ontology/score.ttl
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final
from urllib.parse import quote, unquote

from primad_ld.core.files import resource
from primad_ld.core.iris import PRIMAD, SCHEME, SCORE, SKOS
from primad_ld.core.triples import read_subjects
from primad_ld.schema.converters import quoted
from primad_ld.trec.measure_names import (
    family_of,
    in_trec_eval,
    is_family,
    is_of_trec_eval,
)
from primad_ld.trec.measure_providers import base_of

_MEASURES: Final = SCHEME + "measure"
_BY_TOPIC: Final = "-by-topic"
_HEAD: Final = """\
# What a set of scores (primad:ScoreSet) has of each measure of effectiveness: the mean over topics;
# and what stands beside it (primad:TopicScores): all scores by topic as one text, its name followed
# by -by-topic. The set says of which ranking, by which judgements and evaluator. Compiled from the measures
# of schemes.ttl by python -m primad_ld.trec.score_terms; a predicate is the namespace
# followed by the name of the measure in trec_eval or, if it lacks the measure, in ir_measures, which
# is its skos:notation. A measure with a cutoff or parameters that is not here is declared by the graph
# that has a score of it, as one of its family.

@prefix score: <https://w3id.org/primad-ld/score#> .
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix scheme: <https://w3id.org/primad-ld/schemes#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<https://w3id.org/primad-ld/score> a owl:Ontology ;
    owl:versionIRI <https://w3id.org/primad-ld/score/0.1.0> ;
    owl:versionInfo "0.1.0" ;
    dct:title "Scores by measures of effectiveness"@en ;
    dct:description "Two properties for each measure of trec_eval at its usual cutoffs, and for some of ir_measures: one whose value is the score in a set of scores of a ranking of documents, and one whose value is the scores by topic."@en ;
    dct:creator <https://w3id.org/primad-ld/developers> ;
    dct:license <https://spdx.org/licenses/MIT> .

# Declared here, as Dublin Core and SKOS have them, because nothing is imported.
dct:title a owl:AnnotationProperty .
dct:description a owl:AnnotationProperty .
dct:creator a owl:AnnotationProperty .
dct:license a owl:AnnotationProperty .
skos:notation a owl:DatatypeProperty .
"""
_PROPERTY: Final = """
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


def score_predicate(measure: str) -> str:
    """The predicate that holds the score under a measure."""
    return SCORE + quote(measure, safe="")


def topics_predicate(measure: str) -> str:
    """The predicate that holds the scores by topic under a measure."""
    return score_predicate(measure) + _BY_TOPIC


def measure_by_topic(predicate: str) -> str:
    """The measure of which a predicate holds the scores by topic; "" if it holds no such thing."""
    if not (predicate.startswith(SCORE) and predicate.endswith(_BY_TOPIC)):
        return ""
    return unquote(predicate.removeprefix(SCORE).removesuffix(_BY_TOPIC))


def vocabulary() -> str:
    """The ontology of scores, as Turtle."""
    return _HEAD + "".join(
        _PROPERTY.format(
            # As the first letter of a name Turtle takes a digit, too.
            local=score_predicate(name).removeprefix(SCORE),
            label=quoted(label),
            by_topic=quoted(f"{label}, by topic"),
            name=quoted(name),
            measure=iri.removeprefix(SCHEME),
        )
        for name, (iri, label) in sorted(_measures().items())
        if _is_declared(name)
    )


def undeclared_lines(
    measure: str, predicate: Callable[[str], str] = score_predicate
) -> Iterator[str]:
    """What a graph says of the predicate of a measure that the ontology does not have.

    P_7 is precision at a cutoff, and which cutoffs there are is nowhere said; AP(rel=3) is an
    average precision.
    """
    known, family = _measures(), _family(measure)
    if not _is_declared(measure) and family in known:
        me = f"<{predicate(measure)}>"
        yield f"{me} <{PRIMAD}ofMeasure> <{known[family][0]}>"
        yield f"{me} <{SKOS}notation> {quoted(measure)}"


def _family(measure: str) -> str:
    """The measure of which one is a case, with other parameters or at a cutoff; "" if none is."""
    if is_of_trec_eval(measure):
        return family_of(measure)
    base, at = base_of(measure)
    return family_of(in_trec_eval(f"{base}@{at}")) or in_trec_eval(base) or base


def _is_declared(measure: str) -> bool:
    """Whether the ontology has predicates of a measure: of trec_eval's, and of cases of others."""
    if measure not in _measures() or is_family(measure):
        return False
    return is_of_trec_eval(measure) or _family(measure) != measure


@cache
def _measures() -> dict[str, tuple[str, str]]:
    """The concepts of measures by their names, with their labels."""
    return {
        said[SKOS + "notation"][0]: (iri, said[SKOS + "prefLabel"][0])
        for iri, said in read_subjects(resource("ontology/schemes.ttl")).items()
        if said.get(SKOS + "inScheme") == [_MEASURES]
    }


if __name__ == "__main__":
    sys.stdout.write(vocabulary())
