"""The constraints of SHACL Core as functions.

A *test* judges one value node by itself; what fails becomes a result with that value. A
*check* judges the value nodes of a focus node together and gives the values of its results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from primad_ld.core.iris import RDF_TYPE, SH
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.literals import (
    ABOVE,
    AT_LEAST,
    AT_MOST,
    BELOW,
    LESS,
    LESS_OR_EQUAL,
    Compare,
    typed_as,
)
from primad_ld.shacl.shapes import Constraint, compiled_pattern
from primad_ld.shacl.shapes_graph import folded, is_blank

#: Whether one value node is as it should be.
Test = Callable[[Object, LayeredData], bool]
#: Whether a node conforms to a shape: the same, for a node and a shape that was compiled.
Conforms = Test
#: From a focus node and its value nodes to the values of results.
Check = Callable[[Object, Sequence[Object], LayeredData], Sequence[Object | None]]
#: Finds the test whether a node conforms to a shape.
Lookup = Callable[[str], Conforms]


def _class(constraint: Constraint, _: Lookup) -> Test:
    (name,) = constraint.values
    return lambda value, data: (
        value.datatype is None and name in data.about(value.value).get(RDF_TYPE, ())
    )


def _datatype(constraint: Constraint, _: Lookup) -> Test:
    well_typed = typed_as(constraint.values[0].value)
    return lambda value, data: well_typed(value)


def _node_kind(constraint: Constraint, _: Lookup) -> Test:
    name = constraint.values[0].value.removeprefix(SH)
    allows_iri, allows_blank, allows_literal = (
        kind in name for kind in ("IRI", "BlankNode", "Literal")
    )

    def holds(value: Object, data: LayeredData) -> bool:
        if value.datatype is not None:
            return allows_literal
        return allows_blank if value.value.startswith("_:") else allows_iri

    return holds


def _bounded(compare: Compare) -> Callable[[Constraint, Lookup], Test]:
    def make(constraint: Constraint, _: Lookup) -> Test:
        (bound,) = constraint.values
        return lambda value, data: compare(value, bound)

    return make


def _min_length(constraint: Constraint, _: Lookup) -> Test:
    least = constraint.limit
    return lambda value, data: not least or (not is_blank(value) and len(value.value) >= least)


def _max_length(constraint: Constraint, _: Lookup) -> Test:
    most = constraint.limit
    return lambda value, data: not is_blank(value) and len(value.value) <= most


def _pattern(constraint: Constraint, _: Lookup) -> Test:
    search = compiled_pattern(constraint.values[0].value, constraint.flags).search
    return lambda value, data: not is_blank(value) and search(value.value) is not None


def _in(constraint: Constraint, _: Lookup) -> Test:
    allowed = {folded(value) for value in constraint.values}
    return lambda value, data: folded(value) in allowed


def _not(constraint: Constraint, lookup: Lookup) -> Test:
    conforms = lookup(constraint.shapes[0])
    return lambda value, data: not conforms(value, data)


def _all(constraint: Constraint, lookup: Lookup) -> Test:
    shapes = [lookup(iri) for iri in constraint.shapes]
    return lambda value, data: all(conforms(value, data) for conforms in shapes)


def _any(constraint: Constraint, lookup: Lookup) -> Test:
    shapes = [lookup(iri) for iri in constraint.shapes]
    return lambda value, data: any(conforms(value, data) for conforms in shapes)


def _exactly_one(constraint: Constraint, lookup: Lookup) -> Test:
    shapes = [lookup(iri) for iri in constraint.shapes]
    return lambda value, data: sum(conforms(value, data) for conforms in shapes) == 1


#: A result that is about no value.
_ONE_RESULT: Final = (None,)


def _min_count(constraint: Constraint) -> Check:
    least = constraint.limit
    return lambda focus, values, data: _ONE_RESULT if len(values) < least else ()


def _max_count(constraint: Constraint) -> Check:
    most = constraint.limit
    return lambda focus, values, data: _ONE_RESULT if len(values) > most else ()


def _has_value(constraint: Constraint) -> Check:
    wanted = folded(constraint.values[0])
    return lambda focus, values, data: () if wanted in map(folded, values) else _ONE_RESULT


def _beside(focus: Object, predicate: str, data: LayeredData) -> Sequence[Object]:
    """The values of another property of the focus node."""
    return data.about(focus.value).get(predicate, ()) if focus.datatype is None else ()


def _equals(constraint: Constraint) -> Check:
    predicate = constraint.values[0].value

    def results(focus: Object, values: Sequence[Object], data: LayeredData) -> Sequence[Object]:
        mine = {folded(value): value for value in values}
        other = {folded(value): value for value in _beside(focus, predicate, data)}
        return [mine.get(key) or other[key] for key in mine.keys() ^ other.keys()]

    return results


def _disjoint(constraint: Constraint) -> Check:
    predicate = constraint.values[0].value

    def results(focus: Object, values: Sequence[Object], data: LayeredData) -> Sequence[Object]:
        other = {folded(value) for value in _beside(focus, predicate, data)}
        return [value for value in values if folded(value) in other]

    return results


def _less_than(compare: Compare) -> Callable[[Constraint], Check]:
    def make(constraint: Constraint) -> Check:
        predicate = constraint.values[0].value

        def results(focus: Object, values: Sequence[Object], data: LayeredData) -> Sequence[Object]:
            # One result for each pair, as the recommendation has it.
            return [
                value
                for other in _beside(focus, predicate, data)
                for value in values
                if is_blank(value) or is_blank(other) or not compare(value, other)
            ]

        return results

    return make


def _named(name: str) -> str:
    return f"{SH}{name}ConstraintComponent"


#: What makes the test of a constraint that judges value nodes one by one.
TESTS: Final[dict[str, Callable[[Constraint, Lookup], Test]]] = {
    _named("Class"): _class,
    _named("Datatype"): _datatype,
    _named("NodeKind"): _node_kind,
    _named("MinExclusive"): _bounded(ABOVE),
    _named("MinInclusive"): _bounded(AT_LEAST),
    _named("MaxExclusive"): _bounded(BELOW),
    _named("MaxInclusive"): _bounded(AT_MOST),
    _named("MinLength"): _min_length,
    _named("MaxLength"): _max_length,
    _named("Pattern"): _pattern,
    _named("In"): _in,
    _named("Not"): _not,
    _named("And"): _all,
    _named("Or"): _any,
    _named("Xone"): _exactly_one,
    _named("Node"): _all,
}

#: What makes the check of one that judges them together; what is in neither is left to pyshacl.
CHECKS: Final[dict[str, Callable[[Constraint], Check]]] = {
    _named("MinCount"): _min_count,
    _named("MaxCount"): _max_count,
    _named("Equals"): _equals,
    _named("Disjoint"): _disjoint,
    _named("LessThan"): _less_than(LESS),
    _named("LessThanOrEquals"): _less_than(LESS_OR_EQUAL),
    _named("HasValue"): _has_value,
}

#: Tests that follow patterns and other shapes.
COSTLY: Final = frozenset(map(_named, ("Pattern", "Not", "And", "Or", "Xone", "Node")))

#: Constraints that may have results where there are no value nodes.
MIND_ABSENCE: Final = frozenset(map(_named, ("MinCount", "HasValue", "Equals")))
