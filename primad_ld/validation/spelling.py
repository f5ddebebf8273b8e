"""Slips of the pen in a profile. Without this, what is misspelt asks for nothing and says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from primad_ld.core.errors import SchemaError
from primad_ld.core.files import resource
from primad_ld.core.iris import FIELD, PRIMAD, SH
from primad_ld.core.triples import read_subjects
from primad_ld.schema.fields import MOST_WEIGHT, as_weight
from primad_ld.shacl.shapes_graph import Terms

_SHAPES: Final = "https://w3id.org/primad-ld/shapes#"
_IMPORTANCE: Final = FIELD + "importance"

#: The terms of SHACL and SHACL-SPARQL (https://www.w3.org/TR/shacl/).
_SHACL: Final = frozenset(
    """
    AndConstraintComponent BlankNode BlankNodeOrIRI BlankNodeOrLiteral ClassConstraintComponent
    ClosedConstraintComponent ConstraintComponent DatatypeConstraintComponent
    DisjointConstraintComponent EqualsConstraintComponent HasValueConstraintComponent IRI
    IRIOrLiteral InConstraintComponent Info LanguageInConstraintComponent
    LessThanConstraintComponent LessThanOrEqualsConstraintComponent Literal
    MaxCountConstraintComponent MaxExclusiveConstraintComponent MaxInclusiveConstraintComponent
    MaxLengthConstraintComponent MinCountConstraintComponent MinExclusiveConstraintComponent
    MinInclusiveConstraintComponent MinLengthConstraintComponent NodeConstraintComponent
    NodeKind NodeKindConstraintComponent NodeShape NotConstraintComponent OrConstraintComponent
    Parameter Parameterizable PatternConstraintComponent PrefixDeclaration
    PropertyConstraintComponent PropertyGroup PropertyShape
    QualifiedMaxCountConstraintComponent QualifiedMinCountConstraintComponent ResultAnnotation
    SPARQLAskExecutable SPARQLAskValidator SPARQLConstraint SPARQLConstraintComponent
    SPARQLConstructExecutable SPARQLExecutable SPARQLFunction SPARQLRule SPARQLSelectExecutable
    SPARQLSelectValidator SPARQLTarget SPARQLTargetType Severity Shape Target TargetType
    UniqueLangConstraintComponent ValidationReport ValidationResult Validator Violation Warning
    XoneConstraintComponent alternativePath and annotationProperty annotationValue
    annotationVarName ask class closed condition conforms construct datatype deactivated declare
    defaultValue description detail disjoint entailment equals expression filterShape flags
    focusNode group hasValue ignoredProperties in intersection inversePath labelTemplate
    languageIn lessThan lessThanOrEquals maxCount maxExclusive maxInclusive maxLength message
    minCount minExclusive minInclusive minLength name namespace node nodeKind nodeValidator
    nodes not object oneOrMorePath optional or order parameter path pattern predicate prefix
    prefixes property propertyValidator qualifiedMaxCount qualifiedMinCount qualifiedValueShape
    qualifiedValueShapesDisjoint result resultAnnotation resultMessage resultPath resultSeverity
    returnType rule select severity shapesGraph shapesGraphWellFormed sourceConstraint
    sourceConstraintComponent sourceShape sparql subject suggestedShapesGraph target targetClass
    targetNode targetObjectsOf targetSubjectsOf this union uniqueLang update validator value
    values xone zeroOrMorePath zeroOrOnePath
    """.split()
)


def check_spelling(file: Path, terms: Terms) -> None:
    """Refuse a profile that names what is not there; `SchemaError`."""
    for iri in _named(terms):
        for space, prefix, known in (
            (SH, "sh:", _SHACL),
            (PRIMAD, "primad:", _terms(PRIMAD, "primad")),
            (FIELD, "field:", _terms(FIELD, "field")),
            (_SHAPES, "s:", _shapes()),
        ):
            name = iri.removeprefix(space)
            if name != iri and name not in known:
                close = get_close_matches(name, known, 1)
                meant = f"; did you mean {prefix}{close[0]}?" if close else ""
                raise SchemaError(f"{file}: there is no {prefix}{name}{meant}")
    weighed: dict[str, str] = {}
    for subject, weight in terms.pairs(_IMPORTANCE):
        found = as_weight(weight.value)
        if found is None or found < 0:
            raise SchemaError(
                f"{file}: <{subject}>: field:importance is {weight.value[:40]!r} and should be a "
                f"number from 0 to {MOST_WEIGHT:,}"
            )
        former = weighed.setdefault(subject, weight.value)
        if former != weight.value:
            raise SchemaError(
                f"{file}: <{subject}>: field:importance is {former} and {weight.value}; a field "
                "has one weight"
            )


def _named(terms: Terms) -> Iterator[str]:
    """Everything that some statements name."""
    for subject, predicate, value in terms.triples():
        yield subject
        yield predicate
        if value.datatype is None:
            yield value.value


@cache
def _terms(space: str, name: str) -> frozenset[str]:
    return _local_names(space, resource(f"ontology/{name}.ttl"))


@cache
def _shapes() -> frozenset[str]:
    folder = resource("shapes")
    return _local_names(_SHAPES, folder / "header.ttl", *sorted(folder.glob("profiles/*.ttl")))


def _local_names(space: str, *files: Path) -> frozenset[str]:
    return frozenset(
        iri.removeprefix(space) for iri in read_subjects(*files) if iri.startswith(space)
    )
