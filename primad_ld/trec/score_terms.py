"""The vocabulary of scores: a predicate for each measure of effectiveness, as ``ontology/score.ttl``.

It declares the measures of ``ontology/schemes.ttl``; a graph declares cases of them that it lacks.
"""

from __future__ import annotations

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


def undeclared_lines(
    measure: str, predicate: Callable[[str], str] = score_predicate
) -> Iterator[str]:
    """What a graph says of the predicate of a measure that the ontology does not have.

    P_7 is precision at a cutoff, and which cutoffs there are is nowhere said; AP(rel=3) is an
    average precision.
    """
    known, family = named_measures(), _family(measure)
    if not is_declared(measure) and family in known:
        me = f"<{predicate(measure)}>"
        yield f"{me} <{PRIMAD}ofMeasure> <{known[family][0]}>"
        yield f"{me} <{SKOS}notation> {quoted(measure)}"


def _family(measure: str) -> str:
    """The measure of which one is a case, with other parameters or at a cutoff; "" if none is."""
    if is_of_trec_eval(measure):
        return family_of(measure)
    base, at = base_of(measure)
    return family_of(in_trec_eval(f"{base}@{at}")) or in_trec_eval(base) or base


def is_declared(measure: str) -> bool:
    """Whether the ontology has predicates of a measure: of trec_eval's, and of cases of others."""
    if measure not in named_measures() or is_family(measure):
        return False
    return is_of_trec_eval(measure) or _family(measure) != measure


@cache
def named_measures() -> dict[str, tuple[str, str]]:
    """The concepts of measures by their names, with their labels."""
    return {
        said[SKOS + "notation"][0]: (iri, said[SKOS + "prefLabel"][0])
        for iri, said in read_subjects(resource("ontology/schemes.ttl")).items()
        if said.get(SKOS + "inScheme") == [_MEASURES]
    }
