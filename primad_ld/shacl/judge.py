"""Judging data by shapes, which are compiled once."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, Final, NamedTuple

from primad_ld.core.errors import SchemaError
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.constraints import CHECKS, COSTLY, MIND_ABSENCE, TESTS, Check, Conforms, Test
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.paths import Follow, Predicate, follow
from primad_ld.shacl.shapes import Shape, Shapes

#: So many literals a test remembers, and so long ones.
_MOST_KNOWN: Final = 2000
_LONGEST_KNOWN: Final = 200


class ShapeResult(NamedTuple):
    """One thing that does not conform, without the words that say so."""

    focus: Object
    path: str | None
    value: Object | None
    shape: str
    component: str
    severity: str


def in_order(results: Iterable[ShapeResult]) -> list[ShapeResult]:
    """Results in an order that depends on nothing but themselves."""
    return sorted(results, key=_place)


def _place(result: ShapeResult) -> tuple[object, ...]:
    return (
        *_key(result.focus),
        result.path or "",
        *_key(result.value or _NO_VALUE),
        result.shape,
        result.component,
        result.severity,
    )


_NO_VALUE: Final = Object("")


def _key(node: Object) -> tuple[str, str, str]:
    return node.value, node.datatype or "", node.language or ""


class Judge:
    """Judges data by shapes; make one and keep it.

    ``note`` is called with the name of each of the shapes ``noted`` before it judges anything: it
    may never come back.
    """

    def __init__(
        self,
        shapes: Shapes,
        *,
        note: Callable[[str], None] | None = None,
        noted: Container[str] = (),
    ) -> None:
        if shapes.unsupported:
            raise SchemaError(f"only pyshacl can judge by these shapes: {shapes.unsupported[0]}")
        self._shapes = shapes
        self._note, self._noted = note, noted
        self._compiled: dict[str, _Compiled] = {}
        for shape in shapes:
            self._compile(shape.iri)
        # Most shapes target one class, and most data have members of few.
        self._of_class: dict[str, list[_Compiled]] = {}
        self._others: list[_Compiled] = []
        for shape in shapes:
            if shape.deactivated or not shape.targets:
                continue
            compiled, targets = self._compiled[shape.iri], shape.targets
            if len(targets.classes) == 1 and not targets.subjects_of:
                self._of_class.setdefault(targets.classes[0], []).append(compiled)
            else:
                self._others.append(compiled)

    def judge(self, data: LayeredData, *, within: LayeredData | None = None) -> list[ShapeResult]:
        """All results in some data, in order; ``within`` judges the nodes of one graph alone.

        What these link to is judged as far as their shapes lead there.
        """
        found: list[ShapeResult] = []
        where = within or data
        for name, members in where.members.items():
            for shape in self._of_class.get(name, ()):
                for member in members:
                    shape.judge(Object(member), data, found)
        for shape in self._others:
            for focus in _focus_nodes(shape.shape, where):
                shape.judge(focus, data, found)
        return in_order(found) if len(found) > 1 else found

    def judge_node(
        self, data: LayeredData, shape_iri: str, node: Object | str
    ) -> list[ShapeResult]:
        """The results of one shape at one node."""
        found: list[ShapeResult] = []
        focus = Object(node) if isinstance(node, str) else node
        self._compiled[shape_iri].judge(focus, data, found)
        return in_order(found)

    def _compile(self, iri: str) -> _Compiled:
        """A shape and those it refers to; none refers to itself, and none is nested deep."""
        if iri not in self._compiled:
            shape = self._shapes[iri]
            children = [] if shape.deactivated else [self._compile(one) for one in shape.properties]
            compiled = _Compiled(shape, children)
            if not shape.deactivated:
                compiled.add_constraints(lambda other: self._compile(other).conforms)
            if self._note is not None and iri in self._noted:
                compiled.note_with(self._note)
            self._compiled[iri] = compiled
        return self._compiled[iri]


def _focus_nodes(shape: Shape, data: LayeredData) -> Iterable[Object]:
    """The nodes that a shape targets, each once."""
    nodes: dict[Object, None] = {}
    for name in shape.targets.classes:
        nodes.update(dict.fromkeys(Object(member) for member in data.members.get(name, ())))
    for subject in data.statements if shape.targets.subjects_of else ():
        said = data.about(subject)
        if any(predicate in said for predicate in shape.targets.subjects_of):
            nodes[Object(subject)] = None
    return nodes


def _remembering(test: Test) -> Test:
    """A test that remembers literals, of which data say nothing; archives repeat most of them."""
    known: dict[Object, bool] = {}

    def holds(value: Object, data: LayeredData) -> bool:
        if value.datatype is None:
            return test(value, data)
        if value in known:
            return known[value]
        result = test(value, data)
        if len(known) < _MOST_KNOWN and len(value.value) <= _LONGEST_KNOWN:
            known[value] = result
        return result

    return holds


class _Compiled:
    """A shape as functions."""

    __slots__ = (
        "_active",
        "_checks",
        "_children",
        "_others",
        "_path",
        "_tests",
        "_values",
        "minds_absence",
        "predicate",
        "shape",
    )

    def __init__(self, shape: Shape, children: list[_Compiled]) -> None:
        self.shape = shape
        self.minds_absence = False
        #: The predicate of a path that is nothing else.
        self.predicate = shape.path.iri if isinstance(shape.path, Predicate) else None
        self._path = None if shape.path is None else str(shape.path)
        self._values: Follow | None = None if shape.path is None else follow(shape.path)
        self._tests: list[tuple[str, Test]] = []
        self._checks: list[tuple[str, Check]] = []
        # Children that say nothing where their predicate is not are found by predicate.
        self._children: dict[str, list[_Compiled]] = {}
        self._others: list[_Compiled] = []
        self._active = [child for child in children if not child.shape.deactivated]
        for child in self._active:
            if child.predicate is not None and not child.minds_absence:
                self._children.setdefault(child.predicate, []).append(child)
            else:
                self._others.append(child)

    def add_constraints(self, lookup: Callable[[str], Conforms]) -> None:
        """The tests and checks of the shape; ``lookup`` finds those of others."""
        for constraint in self.shape.constraints:
            name = constraint.component
            if name in TESTS:
                test = TESTS[name](constraint, lookup)
                self._tests.append((name, _remembering(test) if name in COSTLY else test))
            elif name in CHECKS:
                self._checks.append((name, CHECKS[name](constraint)))
            self.minds_absence |= name in MIND_ABSENCE

    def note_with(self, note: Callable[[str], None]) -> None:
        """Have the shape noted before a path is followed and before each test and check."""

        def noted(work: Callable[..., Any]) -> Callable[..., Any]:
            def noted_work(*arguments: object) -> Any:
                note(self.shape.iri)
                return work(*arguments)

            return noted_work

        self._values = noted(self._values) if self._values is not None else None
        self._tests = [(component, noted(test)) for component, test in self._tests]
        self._checks = [(component, noted(check)) for component, check in self._checks]

    def judge(self, focus: Object, data: LayeredData, found: list[ShapeResult]) -> None:
        """Adds the results of a focus node."""
        if self.shape.deactivated:
            return
        values = (focus,) if self._values is None else self._values(data, focus)
        if values or self.minds_absence:
            self._judge_values(focus, values, data, found)

    def conforms(self, focus: Object, data: LayeredData) -> bool:
        """Whether a node has no results: like `judge`, up to the first."""
        if self.shape.deactivated:
            return True
        values = (focus,) if self._values is None else self._values(data, focus)
        if not values and not self.minds_absence:
            return True
        for _, holds in self._tests:
            for value in values:
                if not holds(value, data):
                    return False
        for _, check in self._checks:
            if check(focus, values, data):
                return False
        return not self._active or all(
            child.conforms(value, data) for value in values for child in self._active
        )

    def _judge_values(
        self, focus: Object, values: Sequence[Object], data: LayeredData, found: list[ShapeResult]
    ) -> None:
        for component, holds in self._tests:
            for value in values:
                if holds(value, data):
                    continue
                found.append(self._result(focus, value, component))
        for component, check in self._checks:
            if wrong := check(focus, values, data):
                found.extend(self._result(focus, value, component) for value in wrong)
        if self._children or self._others:
            for value in values:
                self._judge_children(value, data, found)

    def _result(self, focus: Object, value: Object | None, component: str) -> ShapeResult:
        shape = self.shape
        return ShapeResult(focus, self._path, value, shape.iri, component, shape.severity)

    def _judge_children(self, node: Object, data: LayeredData, found: list[ShapeResult]) -> None:
        """The nested property shapes at a value node."""
        if self._children and node.datatype is None:
            children = self._children
            for predicate, values in data.about(node.value).items():
                if predicate in children:
                    for child in children[predicate]:
                        child._judge_values(node, values, data, found)
        for child in self._others:
            child.judge(node, data, found)
