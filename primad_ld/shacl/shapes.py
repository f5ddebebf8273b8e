"""Shapes as records: what some Turtle files say, checked and ready to be judged by.

Several files are one shapes graph. What is wrong in it is a `SchemaError` at once, also where no
data would ever meet it. What only pyshacl can judge, such as SPARQL and the parts of SHACL Core that
no profile of ours needs, is named in `Shapes.unsupported`. Where pyshacl takes several values of a
parameter (two files may each set a bound), each of them is a constraint of its own.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from primad_ld.core.iris import RDF_TYPE, RDFS, SH, XSD
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.literals import BOOLEAN, INTEGER, number
from primad_ld.shacl.paths import Path, read_path
from primad_ld.shacl.shapes_graph import Terms, is_blank, is_iri

# Deeper shapes are no use to anybody, and this stays far from the limit of the interpreter.
_DEEPEST: Final = 50
_OWL_CLASS: Final = "http://www.w3.org/2002/07/owl#Class"
_TARGETS: Final = ("targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf")
#: What is left to pyshacl, and how to call it.
_BEYOND: Final = {
    "closed": "a list of all properties",
    "qualifiedValueShape": "a count of qualified values",
    "qualifiedMinCount": "a count of qualified values",
    "qualifiedMaxCount": "a count of qualified values",
    "uniqueLang": "a constraint on languages",
    "languageIn": "a constraint on languages",
    "inversePath": "an inverse path",
    "targetNode": "a single node as its target",
    "targetObjectsOf": "objects as its target",
    "sparql": "a SPARQL constraint",
    "js": "a JavaScript constraint",
    "target": "a SPARQL target",
    "expression": "an expression constraint",
    "values": "derived values",
}
_BEYOND_KINDS: Final = {
    "SPARQLFunction": "a SPARQL function",
    "JSFunction": "a JavaScript function",
    "SPARQLTargetType": "a type of targets",
    "JSTargetType": "a type of targets",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Targets:
    """Which nodes a shape judges by itself."""

    classes: tuple[str, ...] = ()
    subjects_of: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.classes or self.subjects_of)


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """One shape. ``path`` is None for a node shape; ``properties`` are IRIs of shapes."""

    iri: str
    path: Path | None = None
    severity: str = SH + "Violation"
    messages: tuple[tuple[str, str | None], ...] = ()
    deactivated: bool = False
    constraints: tuple[Constraint, ...] = ()
    properties: tuple[str, ...] = ()
    targets: Targets = Targets()


@dataclass(frozen=True, kw_only=True, slots=True)
class Shapes:
    """All shapes by IRI; blank ones by a name that stays while their file does."""

    by_iri: Mapping[str, Shape]
    #: Why only pyshacl can judge by these shapes; empty if they are SHACL Core.
    unsupported: tuple[str, ...]
    #: The statements of the files, for what is not SHACL.
    terms: Terms

    def __getitem__(self, iri: str) -> Shape:
        return self.by_iri[iri]

    def __iter__(self) -> Iterator[Shape]:
        return iter(self.by_iri.values())


def compile_shapes(terms: Terms) -> Shapes:
    """The shapes of some statements."""
    shapes = {iri: _read_shape(terms, iri) for iri in _find_shapes(terms)}
    unsupported = tuple(_beyond_core(terms, shapes))
    for shape in shapes.values():
        _check_references(terms, shapes, shape)
    _check_depth(terms, shapes)
    return Shapes(by_iri=shapes, unsupported=unsupported, terms=terms)


def _beyond_core(terms: Terms, shapes: Iterable[str]) -> Iterator[str]:
    for name, what in _BEYOND.items():
        for subject in dict.fromkeys(subject for subject, _ in terms.pairs(SH + name)):
            yield f"{_shown(subject)} has {what} (sh:{name})"
    for name, what in _BEYOND_KINDS.items():
        for subject in terms.instances(SH + name):
            yield f"{_shown(subject)} is {what} (sh:{name})"
    components = _classes_below(terms, SH + "ConstraintComponent")
    for subject, kind in terms.pairs(RDF_TYPE):
        if kind.value in components and not subject.startswith(SH):
            yield f"{_shown(subject)} is a constraint component of its own"
    # Their instances are judged: as pyshacl has it, they are classes at one step.
    classes = {_OWL_CLASS, *_classes_below(terms, RDFS + "Class")}
    for iri in shapes:
        if any(kind.value in classes for kind in terms.values(iri, RDF_TYPE)):
            yield f"{_shown(iri)} is a shape and a class at once"


def _classes_below(terms: Terms, name: str) -> set[str]:
    """A class, and those that are its subclasses at one step."""
    subclasses = terms.pairs(RDFS + "subClassOf")
    return {name, *(narrow for narrow, wide in subclasses if wide.value == name)}


def _shown(iri: str) -> str:
    return iri if iri.startswith("_:") else f"<{iri}>"


def _find_shapes(terms: Terms) -> list[str]:
    """Everything that is a shape, whether the files say so or it is used as one."""
    found: dict[str, None] = {}
    for kind in ("NodeShape", "PropertyShape"):
        found.update(dict.fromkeys(terms.instances(SH + kind)))
    for predicate in (*_TARGETS, "property", "node"):
        found.update(dict.fromkeys(subject for subject, _ in terms.pairs(SH + predicate)))
    for predicate in ("property", "node", "not", "qualifiedValueShape"):
        for subject, value in terms.pairs(SH + predicate):
            found[_shape_iri(terms, subject, predicate, value)] = None
    for predicate in ("and", "or", "xone"):
        for subject, value in terms.pairs(SH + predicate):
            for member in terms.members(value, subject):
                found[_shape_iri(terms, subject, predicate, member)] = None
    return list(found)


def _shape_iri(terms: Terms, subject: str, predicate: str, value: Object) -> str:
    if value.datatype is not None:
        raise terms.error(subject, f"sh:{predicate} needs a shape and not {value.token}")
    return value.value


def _read_shape(terms: Terms, iri: str) -> Shape:
    kinds = {kind.value for kind in terms.values(iri, RDF_TYPE)}
    is_node, is_property = SH + "NodeShape" in kinds, SH + "PropertyShape" in kinds
    paths = terms.values(iri, SH + "path")
    if is_node and is_property:
        raise terms.error(iri, "is a node shape and a property shape at once")
    if is_node and paths:
        raise terms.error(iri, "is a node shape and has a sh:path")
    if is_property and not paths:
        raise terms.error(iri, "is a property shape without a sh:path")
    path_node = _once(terms, iri, "path")
    path = None if path_node is None else read_path(terms, path_node, iri)
    return Shape(
        iri=iri,
        path=path,
        severity=_severity(terms, iri),
        messages=_messages(terms, iri),
        deactivated=_deactivated(terms, iri),
        constraints=tuple(_read_constraints(terms, iri, is_property=path is not None)),
        properties=tuple(value.value for value in terms.values(iri, SH + "property")),
        targets=_targets(terms, iri),
    )


def _once(terms: Terms, iri: str, name: str) -> Object | None:
    """The value of a shape's property; None without one, and an error with several."""
    found = terms.values(iri, SH + name)
    if len(found) > 1:
        raise terms.error(iri, f"has more than one sh:{name}")
    return found[0] if found else None


def _severity(terms: Terms, iri: str) -> str:
    found = _once(terms, iri, "severity")
    if found is not None and not is_iri(found):
        raise terms.error(iri, "sh:severity needs an IRI such as sh:Warning")
    return found.value if found is not None else SH + "Violation"


def _messages(terms: Terms, iri: str) -> tuple[tuple[str, str | None], ...]:
    """Messages of a shape; those of its SPARQL constraints stand there for want of a better."""
    found = terms.values(iri, SH + "message")
    for constraint in terms.values(iri, SH + "sparql"):
        found.extend(terms.values(constraint.value, SH + "message"))
    for message in found:
        if message.datatype is None:
            raise terms.error(iri, f"sh:message needs a text and not {message.token}")
    return tuple((message.value, message.language) for message in found)


def _deactivated(terms: Terms, iri: str) -> bool:
    found = _once(terms, iri, "deactivated")
    if found is None:
        return False
    if found.datatype != BOOLEAN or found.value not in ("true", "false"):
        raise terms.error(iri, f"sh:deactivated needs true or false and not {found.token}")
    return found.value == "true"


def _targets(terms: Terms, iri: str) -> Targets:
    for name in _TARGETS:
        for value in terms.values(iri, SH + name):
            if name == "targetNode" and is_blank(value):
                raise terms.error(iri, "sh:targetNode needs an IRI or a literal")
            if name != "targetNode" and not is_iri(value):
                raise terms.error(iri, f"sh:{name} needs an IRI and not {value.token}")
    return Targets(
        classes=tuple(value.value for value in terms.values(iri, SH + "targetClass")),
        subjects_of=tuple(value.value for value in terms.values(iri, SH + "targetSubjectsOf")),
    )


def _check_references(terms: Terms, shapes: Mapping[str, Shape], shape: Shape) -> None:
    for iri in shape.properties:
        if shapes[iri].path is None:
            raise terms.error(shape.iri, f"sh:property names {_shown(iri)}, which has no sh:path")
    for constraint in shape.constraints:
        if constraint.component == SH + "NodeConstraintComponent":
            for node in constraint.shapes:
                if shapes[node].path is not None:
                    raise terms.error(shape.iri, "sh:node needs a node shape, without a sh:path")


def _check_depth(terms: Terms, shapes: Mapping[str, Shape]) -> None:
    """No shape may come back to itself, nor be nested deeper than can be judged."""
    heights: dict[str, int] = {}
    for start in shapes:
        if start in heights:
            continue
        trail = {start: iter(_references(shapes[start]))}
        while trail:
            iri = next(reversed(trail))
            below = next((one for one in trail[iri] if one not in heights), None)
            if below is None:
                under = [heights[one] for one in _references(shapes[iri])]
                heights[iri] = 1 + max(under, default=0)
                if heights[iri] > _DEEPEST:
                    raise terms.error(iri, f"shapes are nested deeper than {_DEEPEST} levels")
                del trail[iri]
            elif below in trail:
                raise terms.error(below, "refers to itself, directly or through other shapes")
            else:
                trail[below] = iter(_references(shapes[below]))


def _references(shape: Shape) -> list[str]:
    """The shapes that are judged for a shape's sake."""
    if shape.deactivated:
        return []
    found = list(shape.properties)
    for constraint in shape.constraints:
        found.extend(constraint.shapes)
    return found


# Constraints ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Constraint:
    """One constraint: its component, and its parameters as far as it has them.

    ``values`` are terms to compare with: a class, a bound, the members of sh:in. ``shapes`` are
    IRIs of shapes.
    """

    component: str
    values: tuple[Object, ...] = ()
    shapes: tuple[str, ...] = ()
    flags: str = ""
    #: Of a count or a length.
    limit: int = 0


_WHOLE: Final = frozenset(
    XSD + name
    for name in (
        "integer int long nonNegativeInteger positiveInteger short unsignedByte unsignedInt "
        "unsignedLong unsignedShort"
    ).split()
)
_NODE_KINDS: Final = frozenset(
    SH + name
    for name in ("IRI BlankNode Literal BlankNodeOrIRI BlankNodeOrLiteral IRIOrLiteral").split()
)
#: From statements, a shape, the name of a parameter and one of its values to what a constraint has.
_Read = Callable[[Terms, str, str, Object], dict[str, Any]]


def _read_constraints(terms: Terms, iri: str, *, is_property: bool) -> Iterator[Constraint]:
    """The constraints of a shape, without sh:property; a `SchemaError` if one is ill-formed."""
    said = terms.statements.get(iri, {})
    for name, read in _PARAMETERS.items():
        values = list(said.get(SH + name, ()))
        if values and name in _OF_PROPERTIES and not is_property:
            raise terms.error(iri, f"sh:{name} needs a property shape, with a sh:path")
        if len(values) > 1 and name in _ONCE:
            raise terms.error(iri, f"has more than one sh:{name}")
        component = f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent"
        for value in values:
            yield Constraint(component=component, **read(terms, iri, name, value))


def _iri(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    if not is_iri(value):
        raise terms.error(iri, f"sh:{name} needs an IRI and not {value.token}")
    return {"values": (value,)}


def _literal(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    if value.datatype is None:
        raise terms.error(iri, f"sh:{name} needs a literal and not {value.token}")
    return {"values": (value,)}


def _any_term(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    return {"values": (value,)}


def _node_kind(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    if value.datatype is not None or value.value not in _NODE_KINDS:
        raise terms.error(iri, f"sh:nodeKind is none of SHACL's: {value.token}")
    return {"values": (value,)}


def _whole(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    kinds = {INTEGER} if name in _OF_PROPERTIES else _WHOLE
    found = number(value)
    if value.datatype not in kinds or found is None or found < 0:
        raise terms.error(iri, f"sh:{name} needs an integer from 0 and not {value.token}")
    return {"limit": int(found)}


def _pattern(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    flags = _once(terms, iri, "flags")
    text = flags.value if flags is not None else ""
    try:
        compiled_pattern(value.value, text)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise terms.error(iri, f"sh:pattern cannot be read: {error}") from error
    return {**_literal(terms, iri, name, value), "flags": text}


def compiled_pattern(pattern: str, flags: str) -> re.Pattern[str]:
    """A pattern as Python reads it; as in pyshacl, ``i`` and ``m`` are the flags that count."""
    found = re.IGNORECASE if "i" in flags.lower() else re.NOFLAG
    if "m" in flags.lower():
        found |= re.MULTILINE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of brackets that may mean more one day
        return re.compile(pattern, found)


def _list(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    return {"values": tuple(terms.members(value, iri))}


def _shape(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    return {"shapes": (value.value,)}


def _shape_list(terms: Terms, iri: str, name: str, value: Object) -> dict[str, Any]:
    members = tuple(member.value for member in terms.members(value, iri))
    if not members:
        raise terms.error(iri, f"sh:{name} needs a list with at least one shape")
    return {"shapes": members}


_OF_PROPERTIES: Final = frozenset({"minCount", "maxCount", "lessThan", "lessThanOrEquals"})
#: What a shape has no second value of.
_ONCE: Final = frozenset(
    "datatype nodeKind minCount maxCount minLength maxLength in languageIn ignoredProperties".split()
)
_PARAMETERS: Final[dict[str, _Read]] = {
    "class": _iri,
    "datatype": _iri,
    "nodeKind": _node_kind,
    "minCount": _whole,
    "maxCount": _whole,
    "minExclusive": _literal,
    "minInclusive": _literal,
    "maxExclusive": _literal,
    "maxInclusive": _literal,
    "minLength": _whole,
    "maxLength": _whole,
    "pattern": _pattern,
    # Left to pyshacl, which could not end with a list that does not, or among shapes without end.
    "languageIn": _list,
    "ignoredProperties": _list,
    "qualifiedValueShape": _shape,
    "equals": _iri,
    "disjoint": _iri,
    "lessThan": _iri,
    "lessThanOrEquals": _iri,
    "not": _shape,
    "and": _shape_list,
    "or": _shape_list,
    "xone": _shape_list,
    "node": _shape,
    "hasValue": _any_term,
    "in": _list,
}
