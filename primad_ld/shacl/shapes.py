"""Shapes as records: what some Turtle files say, checked and ready to be judged by.

Several files are one shapes graph. What is wrong in it is a `SchemaError` at once, also where no
data would ever meet it; what only pyshacl can judge is named in `Shapes.unsupported`. Where
pyshacl takes several values of a parameter (two files may each set a bound), each of them is a
constraint of its own.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as File
from typing import Final

from primad_ld.core.iris import RDF_TYPE, RDFS, SH, XSD
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.literals import BOOLEAN, INTEGER, is_text, number
from primad_ld.shacl.paths import Path, read_path
from primad_ld.shacl.shapes_graph import Terms, is_blank, is_iri, read_terms

# Deeper shapes are no use to anybody, and this stays far from the limit of the interpreter.
_DEEPEST: Final = 50
_OWL_CLASS: Final = "http://www.w3.org/2002/07/owl#Class"
_TARGETS: Final = ("targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf")
#: What no engine for SHACL Core understands, and how to call it.
_BEYOND: Final = {
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
    nodes: tuple[Object, ...] = ()
    subjects_of: tuple[str, ...] = ()
    objects_of: tuple[str, ...] = ()

    @property
    def is_one_class(self) -> bool:
        """Whether the members of one class are all that is judged."""
        return len(self.classes) == 1 and not (self.nodes or self.subjects_of or self.objects_of)

    def __bool__(self) -> bool:
        return bool(self.classes or self.nodes or self.subjects_of or self.objects_of)


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


def read_shapes(*files: File) -> Shapes:
    """The shapes of some Turtle files together."""
    return compile_shapes(read_terms(files))


def compile_shapes(terms: Terms) -> Shapes:
    """The shapes of some statements."""
    unsupported = tuple(_beyond_core(terms))
    shapes = {iri: _read_shape(terms, iri) for iri in _find_shapes(terms)}
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
        targets=_targets(terms, iri, kinds),
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


def _targets(terms: Terms, iri: str, kinds: set[str]) -> Targets:
    for name in _TARGETS:
        for value in terms.values(iri, SH + name):
            if name == "targetNode" and is_blank(value):
                raise terms.error(iri, "sh:targetNode needs an IRI or a literal")
            if name != "targetNode" and not is_iri(value):
                raise terms.error(iri, f"sh:{name} needs an IRI and not {value.token}")
    classes, nodes, subjects_of, objects_of = (terms.values(iri, SH + name) for name in _TARGETS)
    names = dict.fromkeys(value.value for value in classes)
    # As pyshacl does: a class of classes is rdfs:Class, owl:Class, or a subclass at one step.
    metaclasses = {RDFS + "Class", _OWL_CLASS}
    metaclasses |= {
        narrow
        for narrow, wide in terms.pairs(RDFS + "subClassOf")
        if wide == Object(RDFS + "Class")
    }
    if kinds & metaclasses:
        names[iri] = None
    return Targets(
        classes=tuple(names),
        nodes=tuple(nodes),
        subjects_of=tuple(value.value for value in subjects_of),
        objects_of=tuple(value.value for value in objects_of),
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
        found.extend(constraint.siblings)
    return found


# Constraints ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Constraint:
    """One constraint: its component, and its parameters as far as it has them.

    ``values`` are terms to compare with: a class, a bound, the members of sh:in, the
    predicates that a closed shape allows. ``shapes`` are IRIs of shapes, ``siblings`` those
    that a qualified value may not conform to as well.
    """

    component: str
    values: tuple[Object, ...] = ()
    shapes: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()
    flags: str = ""
    minimum: int | None = None
    maximum: int | None = None


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
    if SH + "ignoredProperties" in said and SH + "closed" not in said:
        raise terms.error(iri, "sh:ignoredProperties needs sh:closed")
    if any(SH + name in said for name in _QUALIFIED):
        # pyshacl leaves it out on node shapes, too.
        yield from _qualified(terms, iri) if is_property else ()


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
    found = _whole(terms, iri, name, values, frozenset({INTEGER}))
    yield _limited(name, found)


def _length(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    yield _limited(name, _whole(terms, iri, name, values, _WHOLE))


def _limited(name: str, limit: int) -> Constraint:
    if name.startswith("min"):
        return Constraint(component=_component(name), minimum=limit)
    return Constraint(component=_component(name), maximum=limit)


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


def _language_in(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    members = terms.members(_one(terms, iri, name, values), iri)
    for member in members:
        if not is_text(member):
            raise terms.error(iri, f"sh:languageIn needs language tags and not {member.token}")
    yield Constraint(component=_component(name), values=tuple(members))


def _in(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    members = terms.members(_one(terms, iri, name, values), iri)
    yield Constraint(component=_component(name), values=tuple(members))


def _is_true(terms: Terms, iri: str, name: str, values: list[Object]) -> bool:
    """Like pyshacl: 1 is a boolean, but not true."""
    value = _one(terms, iri, name, values)
    if value.datatype != BOOLEAN or value.value not in ("true", "false", "1", "0"):
        raise terms.error(iri, f"sh:{name} needs true or false and not {value.token}")
    return value.value == "true"


def _unique_lang(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    if _is_true(terms, iri, name, values):
        yield Constraint(component=_component(name))


def _closed(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    is_closed = _is_true(terms, iri, name, values)
    allowed: dict[Object, None] = {}
    for head in terms.values(iri, SH + "ignoredProperties"):
        allowed.update(dict.fromkeys(terms.members(head, iri)))
    for child in terms.values(iri, SH + "property"):
        for path in terms.values(child.value, SH + "path"):
            read_path(terms, path, iri)
            if is_iri(path):
                allowed[path] = None
    if is_closed:
        yield Constraint(component=_component(name), values=tuple(allowed))


def _shape(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        yield Constraint(component=_component(name), shapes=(value.value,))


def _shape_list(terms: Terms, iri: str, name: str, values: list[Object]) -> Iterator[Constraint]:
    for value in values:
        members = tuple(member.value for member in terms.members(value, iri))
        if not members:
            raise terms.error(iri, f"sh:{name} needs a list with at least one shape")
        yield Constraint(component=_component(name), shapes=members)


_QUALIFIED: Final = (
    "qualifiedValueShape",
    "qualifiedMinCount",
    "qualifiedMaxCount",
    "qualifiedValueShapesDisjoint",
)


def _qualified(terms: Terms, iri: str) -> Iterator[Constraint]:
    wanted, lowest, highest, disjoint = (terms.values(iri, SH + name) for name in _QUALIFIED)
    if not wanted or not (lowest or highest):
        raise terms.error(
            iri, "needs sh:qualifiedValueShape with sh:qualifiedMinCount or sh:qualifiedMaxCount"
        )
    minimum = _whole(terms, iri, _QUALIFIED[1], lowest, _WHOLE) if lowest else None
    maximum = _whole(terms, iri, _QUALIFIED[2], highest, _WHOLE) if highest else None
    is_disjoint = bool(disjoint) and _is_true(terms, iri, _QUALIFIED[3], disjoint)
    for value in wanted:
        siblings = _siblings(terms, iri, value) if is_disjoint else ()
        for kind, least, most in (("Min", minimum, None), ("Max", None, maximum)):
            if least is not None or most is not None:
                yield Constraint(
                    component=f"{SH}Qualified{kind}CountConstraintComponent",
                    shapes=(value.value,),
                    siblings=siblings,
                    minimum=least,
                    maximum=most,
                )


def _siblings(terms: Terms, iri: str, own: Object) -> tuple[str, ...]:
    """The value shapes of all property shapes beside this one, without its own."""
    found: dict[str, None] = {}
    for parent, child in terms.pairs(SH + "property"):
        if child.value != iri:
            continue
        for sibling in terms.values(parent, SH + "property"):
            for value in terms.values(sibling.value, SH + "qualifiedValueShape"):
                if value != own:
                    found[value.value] = None
    return tuple(found)


_OF_PROPERTIES: Final = frozenset(
    {"minCount", "maxCount", "uniqueLang", "lessThan", "lessThanOrEquals"}
)
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
    "languageIn": _language_in,
    "uniqueLang": _unique_lang,
    "equals": _iris,
    "disjoint": _iris,
    "lessThan": _iris,
    "lessThanOrEquals": _iris,
    "not": _shape,
    "and": _shape_list,
    "or": _shape_list,
    "xone": _shape_list,
    "node": _shape,
    "closed": _closed,
    "hasValue": _has_value,
    "in": _in,
}
