"""Shapes as records: what some Turtle files say, checked and ready to be judged by.

Several files are one shapes graph. What is wrong in it is a `SchemaError` at once, also
where no data would ever meet it; what only pyshacl can judge is named in
`Shapes.unsupported`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as File
from typing import Final

from primad_ld.core.iris import RDF_TYPE, RDFS, SH
from primad_ld.rdf.index import Object
from primad_ld.shacl.literals import BOOLEAN
from primad_ld.shacl.parameters import Constraint, read_constraints
from primad_ld.shacl.paths import Path, read_path
from primad_ld.shacl.terms import Terms, is_blank, is_iri, read_terms

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
        constraints=tuple(read_constraints(terms, iri, is_property=path is not None)),
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
