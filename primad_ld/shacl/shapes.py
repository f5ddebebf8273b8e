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
from typing import Final

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
    unsupported = (*_beyond_core(terms), *_classes_too(terms, shapes))
    for shape in shapes.values():
        _check_references(terms, shapes, shape)
    _check_depth(terms, shapes)
    return Shapes(by_iri=shapes, unsupported=unsupported, terms=terms)


def _beyond_core(terms: Terms) -> Iterator[str]:
    for name, what in _BEYOND.items():
        for subject in dict.fromkeys(subject for subject, _ in terms.pairs(SH + name)):
            yield f"{_shown(subject)} has {what} (sh:{name})"
    for name, what in _BEYOND_KINDS.items():
        for subject in terms.instances(SH + name):
            yield f"{_shown(subject)} is {what} (sh:{name})"
    kinds = {SH + "ConstraintComponent"}
    kinds |= {
        subject
        for subject, wider in terms.pairs(RDFS + "subClassOf")
        if wider.value == SH + "ConstraintComponent"
    }
    for subject, kind in terms.pairs(RDF_TYPE):
        if kind.value in kinds and not subject.startswith(SH):
            yield f"{_shown(subject)} is a constraint component of its own"


def _classes_too(terms: Terms, shapes: Iterable[str]) -> Iterator[str]:
    """Shapes whose instances are judged: as pyshacl has it, they are classes at one step."""
    kinds = {RDFS + "Class", _OWL_CLASS}
    kinds |= {
        narrow
        for narrow, wide in terms.pairs(RDFS + "subClassOf")
        if wide == Object(RDFS + "Class")
    }
    for iri in shapes:
        if any(kind.value in kinds for kind in terms.values(iri, RDF_TYPE)):
            yield f"{_shown(iri)} is a shape and a class at once"


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
    if len(paths) > 1:
        raise terms.error(iri, "has more than one sh:path")
    path = read_path(terms, paths[0], iri) if paths else None
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


def _severity(terms: Terms, iri: str) -> str:
    found = terms.values(iri, SH + "severity")
    if len(found) > 1:
        raise terms.error(iri, "has more than one sh:severity")
    if found and not is_iri(found[0]):
        raise terms.error(iri, "sh:severity needs an IRI such as sh:Warning")
    return found[0].value if found else SH + "Violation"


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
    found = terms.values(iri, SH + "deactivated")
    if len(found) > 1:
        raise terms.error(iri, "has more than one sh:deactivated")
    if not found:
        return False
    if found[0].datatype != BOOLEAN or found[0].value not in ("true", "false"):
        raise terms.error(iri, f"sh:deactivated needs true or false and not {found[0].token}")
    return found[0].value == "true"


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
#: From statements, a shape and the values of a parameter to constraints.
_Read = Callable[[Terms, str, str, list[Object]], Iterator[Constraint]]


def _read_constraints(terms: Terms, iri: str, *, is_property: bool) -> Iterator[Constraint]:
    """The constraints of a shape, without sh:property; a `SchemaError` if one is ill-formed."""
    said = terms.statements.get(iri, {})
    for name, read in _PARAMETERS.items():
        if SH + name not in said:
            continue
        if name in _OF_PROPERTIES and not is_property:
            raise terms.error(iri, f"sh:{name} needs a property shape, with a sh:path")
        yield from read(terms, iri, name, list(said[SH + name]))


def _component(name: str) -> str:
    return f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent"


def _one(terms: Terms, iri: str, name: str, values: list[Object]) -> Object:
    if len(values) != 1:
        raise terms.error(iri, f"has more than one sh:{name}")
    return values[0]


def _iris(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        if not is_iri(value):
            raise terms.error(iri, f"sh:{name} needs an IRI and not {value.token}")
        yield Constraint(component=_component(name), values=(value,))


def _one_iri(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    _one(terms, iri, name, values)
    yield from _iris(terms, iri, name, values)


def _node_kind(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    value = _one(terms, iri, name, values)
    if value.datatype is not None or value.value not in _NODE_KINDS:
        raise terms.error(iri, f"sh:nodeKind is none of SHACL's: {value.token}")
    yield Constraint(component=_component(name), values=(value,))


def _whole(terms: Terms, iri: str, name: str, values: list[Object], kinds: frozenset[str]) -> int:
    value = _one(terms, iri, name, values)
    found = number(value)
    if value.datatype not in kinds or found is None or found < 0:
        raise terms.error(iri, f"sh:{name} needs an integer from 0 and not {value.token}")
    return int(found)


def _count(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    limit = _whole(terms, iri, name, values, frozenset({INTEGER}))
    yield Constraint(component=_component(name), limit=limit)


def _length(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    limit = _whole(terms, iri, name, values, _WHOLE)
    yield Constraint(component=_component(name), limit=limit)


def _bound(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        if value.datatype is None:
            raise terms.error(iri, f"sh:{name} needs a literal and not {value.token}")
        yield Constraint(component=_component(name), values=(value,))


def _has_value(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        yield Constraint(component=_component(name), values=(value,))


def _pattern(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    found = terms.values(iri, SH + "flags")
    flags = _one(terms, iri, "flags", found).value if found else ""
    for value in values:
        if value.datatype is None:
            raise terms.error(iri, f"sh:pattern needs a text and not {value.token}")
        try:
            compiled_pattern(value.value, flags)
        except (re.error, OverflowError, RecursionError, ValueError) as error:
            raise terms.error(iri, f"sh:pattern cannot be read: {error}") from error
        yield Constraint(component=_component(name), values=(value,), flags=flags)


def compiled_pattern(pattern: str, flags: str) -> re.Pattern[str]:
    """A pattern as Python reads it; as in pyshacl, ``i`` and ``m`` are the flags that count."""
    found = re.IGNORECASE if "i" in flags.lower() else re.NOFLAG
    if "m" in flags.lower():
        found |= re.MULTILINE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of brackets that may mean more one day
        return re.compile(pattern, found)


def _in(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    members = terms.members(_one(terms, iri, name, values), iri)
    yield Constraint(component=_component(name), values=tuple(members))


def _shape(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        yield Constraint(component=_component(name), shapes=(value.value,))


def _shape_list(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        members = tuple(member.value for member in terms.members(value, iri))
        if not members:
            raise terms.error(iri, f"sh:{name} needs a list with at least one shape")
        yield Constraint(component=_component(name), shapes=members)


_OF_PROPERTIES: Final = frozenset({"minCount", "maxCount", "lessThan", "lessThanOrEquals"})
_PARAMETERS: Final[dict[str, _Read]] = {
    "class": _iris,
    "datatype": _one_iri,
    "nodeKind": _node_kind,
    "minCount": _count,
    "maxCount": _count,
    "minExclusive": _bound,
    "minInclusive": _bound,
    "maxExclusive": _bound,
    "maxInclusive": _bound,
    "minLength": _length,
    "maxLength": _length,
    "pattern": _pattern,
    # Left to pyshacl, which could not end with a list that does not, or among shapes without end.
    "languageIn": _in,
    "ignoredProperties": _in,
    "qualifiedValueShape": _shape,
    "equals": _iris,
    "disjoint": _iris,
    "lessThan": _iris,
    "lessThanOrEquals": _iris,
    "not": _shape,
    "and": _shape_list,
    "or": _shape_list,
    "xone": _shape_list,
    "node": _shape,
    "hasValue": _has_value,
    "in": _in,
}
