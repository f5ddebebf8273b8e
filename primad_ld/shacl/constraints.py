"""The constraints of SHACL Core as functions.

A *test* judges one value node by itself; what fails becomes a result with that value. A
*check* judges the value nodes of a focus node together and gives the values of its results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from primad_ld.core.iris import RDF_TYPE, RDFS, SH
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.layered_data import Data, is_instance
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
Test = Callable[[Object, Data], bool]
#: Whether a node conforms to a shape: the same, for a node and a shape that was compiled.
Conforms = Test
#: From a focus node and its value nodes, the predicate (of closed shapes) and value of results.
Check = Callable[[Object, Sequence[Object], Data], Iterator[tuple[str | None, Object | None]]]
#: Finds the test whether a node conforms to a shape.
Lookup = Callable[[str], Conforms]


def test_of(constraint: Constraint, lookup: Lookup) -> Test | None:
    """The test of a constraint that judges value nodes one by one; None of another."""
    make = _TESTS.get(constraint.component)
    return make(constraint, lookup) if make is not None else None


def check_of(constraint: Constraint, lookup: Lookup) -> Check:
    """The check of a constraint that judges value nodes together."""
    return _CHECKS[constraint.component](constraint, lookup)


def minds_absence(constraint: Constraint) -> bool:
    """Whether a constraint may have results where there are no value nodes."""
    return constraint.component in _MIND_ABSENCE


def _class(constraint: Constraint, _: Lookup) -> Test:
    (name,) = constraint.values
    return lambda value, data: is_instance(data, value, name)


def _datatype(constraint: Constraint, _: Lookup) -> Test:
    well_typed = typed_as(constraint.values[0].value)
    return lambda value, data: well_typed(value)


def _node_kind(constraint: Constraint, _: Lookup) -> Test:
    name = constraint.values[0].value.removeprefix(SH)
    allows_iri, allows_blank, allows_literal = (
        kind in name for kind in ("IRI", "BlankNode", "Literal")
    )

    def holds(value: Object, data: Data) -> bool:
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
    least = constraint.minimum or 0
    return lambda value, data: not least or (not is_blank(value) and len(value.value) >= least)


def _max_length(constraint: Constraint, _: Lookup) -> Test:
    most = constraint.maximum or 0
    return lambda value, data: not is_blank(value) and len(value.value) <= most


def _pattern(constraint: Constraint, _: Lookup) -> Test:
    search = compiled_pattern(constraint.values[0].value, constraint.flags).search
    return lambda value, data: not is_blank(value) and search(value.value) is not None


def _language_in(constraint: Constraint, _: Lookup) -> Test:
    tags = {tag.value.lower() for tag in constraint.values}

    def holds(value: Object, data: Data) -> bool:
        language = (value.language or "").lower()
        # As pyshacl does: en allows en-GB, but en-GB does not allow en-GB-oed.
        return bool(language) and bool({language, language.split("-")[0], "*"} & tags)

    return holds


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


def _min_count(constraint: Constraint, _: Lookup) -> Check:
    least = constraint.minimum or 0

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        if len(values) < least:
            yield None, None

    return results


def _max_count(constraint: Constraint, _: Lookup) -> Check:
    most = constraint.maximum or 0

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        if len(values) > most:
            yield None, None

    return results


def _has_value(constraint: Constraint, _: Lookup) -> Check:
    wanted = folded(constraint.values[0])

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        if all(folded(value) != wanted for value in values):
            yield None, None

    return results


def _unique_lang(constraint: Constraint, _: Lookup) -> Check:
    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        tags = [value.language.lower() for value in values if value.language]
        for tag in set(tags):
            if tags.count(tag) > 1:
                yield None, None

    return results


def _beside(focus: Object, predicate: str, data: Data) -> Sequence[Object]:
    """The values of another property of the focus node."""
    return data.about(focus.value).get(predicate, ()) if focus.datatype is None else ()


def _equals(constraint: Constraint, _: Lookup) -> Check:
    predicate = constraint.values[0].value

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        mine = {folded(value): value for value in values}
        other = {folded(value): value for value in _beside(focus, predicate, data)}
        for key in mine.keys() ^ other.keys():
            yield None, mine.get(key) or other[key]

    return results


def _disjoint(constraint: Constraint, _: Lookup) -> Check:
    predicate = constraint.values[0].value

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        other = {folded(value) for value in _beside(focus, predicate, data)}
        for value in values:
            if folded(value) in other:
                yield None, value

    return results


def _less_than(compare: Compare) -> Callable[[Constraint, Lookup], Check]:
    def make(constraint: Constraint, _: Lookup) -> Check:
        predicate = constraint.values[0].value

        def results(
            focus: Object, values: Sequence[Object], data: Data
        ) -> Iterator[tuple[str | None, Object | None]]:
            # One result for each pair, as the recommendation has it.
            for other in _beside(focus, predicate, data):
                for value in values:
                    if is_blank(value) or is_blank(other) or not compare(value, other):
                        yield None, value

        return results

    return make


def _qualified(constraint: Constraint, lookup: Lookup) -> Check:
    conforms = lookup(constraint.shapes[0])
    siblings = [lookup(iri) for iri in constraint.siblings]
    least, most = constraint.minimum, constraint.maximum

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        count = sum(
            conforms(value, data) and not any(other(value, data) for other in siblings)
            for value in values
        )
        if (least is not None and count < least) or (most is not None and count > most):
            yield None, None

    return results


def _closed(constraint: Constraint, _: Lookup) -> Check:
    allowed = {value.value for value in constraint.values if value.datatype is None}
    resource = Object(RDFS + "Resource")

    def results(
        focus: Object, values: Sequence[Object], data: Data
    ) -> Iterator[tuple[str | None, Object | None]]:
        for node in values:
            if node.datatype is not None:
                continue
            for predicate, objects in data.about(node.value).items():
                if predicate in allowed:
                    continue
                for value in objects:
                    # pyshacl lets this statement pass, which says nothing.
                    if predicate != RDF_TYPE or value != resource:
                        yield predicate, value

    return results


def _named(name: str) -> str:
    return f"{SH}{name}ConstraintComponent"


_TESTS: Final[dict[str, Callable[[Constraint, Lookup], Test]]] = {
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
    _named("LanguageIn"): _language_in,
    _named("In"): _in,
    _named("Not"): _not,
    _named("And"): _all,
    _named("Or"): _any,
    _named("Xone"): _exactly_one,
    _named("Node"): _all,
}

_CHECKS: Final[dict[str, Callable[[Constraint, Lookup], Check]]] = {
    _named("MinCount"): _min_count,
    _named("MaxCount"): _max_count,
    _named("UniqueLang"): _unique_lang,
    _named("Equals"): _equals,
    _named("Disjoint"): _disjoint,
    _named("LessThan"): _less_than(LESS),
    _named("LessThanOrEquals"): _less_than(LESS_OR_EQUAL),
    _named("QualifiedMinCount"): _qualified,
    _named("QualifiedMaxCount"): _qualified,
    _named("Closed"): _closed,
    _named("HasValue"): _has_value,
}

_MIND_ABSENCE: Final = frozenset(
    _named(name) for name in ("MinCount", "QualifiedMinCount", "HasValue", "Equals")
)
