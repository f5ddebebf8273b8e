"""Property paths: read from a shapes graph, written as SPARQL writes them, and followed.

Value nodes are sets; a path gives each node once, in the order in which it is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from primad_ld.core.iris import SH
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.shapes_graph import Terms, is_iri

if TYPE_CHECKING:
    from primad_ld.shacl.layered_data import LayeredData

#: How a path is followed from a node.
Follow = Callable[["LayeredData", Object], Sequence[Object]]

_DEEPEST: Final = 50
_CHOICE: Final = SH + "alternativePath"

_Mark = Literal["*", "+", "?", "^"]
_MARKS: Final[dict[str, _Mark]] = {
    SH + "inversePath": "^",
    SH + "zeroOrMorePath": "*",
    SH + "oneOrMorePath": "+",
    SH + "zeroOrOnePath": "?",
}


@dataclass(frozen=True, slots=True)
class Predicate:
    """One step along a predicate."""

    iri: str

    def __str__(self) -> str:
        return f"<{self.iri}>"


@dataclass(frozen=True, slots=True)
class Steps:
    """Some paths one after the other."""

    parts: tuple[Path, ...]

    def __str__(self) -> str:
        return "/".join(_inner(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Choice:
    """Any of some paths."""

    parts: tuple[Path, ...]

    def __str__(self) -> str:
        return "|".join(_inner(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Marked:
    """A path any number of times, at least once, at most once, or from its end to its beginning."""

    part: Path
    mark: _Mark

    def __str__(self) -> str:
        part = _inner(self.part)
        return f"^{part}" if self.mark == "^" else f"{part}{self.mark}"


Path = Predicate | Steps | Choice | Marked


def _inner(path: Path) -> str:
    return str(path) if isinstance(path, Predicate) else f"({path})"


def read_path(terms: Terms, node: Object, place: str) -> Path:
    """The path that a node of the shapes graph stands for; a `SchemaError` if for none."""
    return _read(terms, node, place, 0)


def _read(terms: Terms, node: Object, place: str, depth: int) -> Path:
    if is_iri(node):
        return Predicate(node.value)
    if node.datatype is not None:
        raise terms.error(place, f"the path is a literal, {node.token}")
    if depth > _DEEPEST:
        raise terms.error(place, "the path is nested too deep, or comes back to itself")
    said = terms.statements.get(node.value, {})
    if terms.is_list(node):
        return Steps(_several(terms, node, place, depth, "a sequence path"))
    kinds = [kind for kind in said if kind in _MARKS or kind == _CHOICE]
    if len(kinds) != 1 or len(said[kinds[0]]) != 1:
        raise terms.error(place, "sh:path is no well-formed path")
    (value,) = said[kinds[0]]
    if kinds[0] == _CHOICE:
        return Choice(_several(terms, value, place, depth, "an alternative path"))
    return Marked(_read(terms, value, place, depth + 1), _MARKS[kinds[0]])


def _several(terms: Terms, head: Object, place: str, depth: int, what: str) -> tuple[Path, ...]:
    parts = tuple(_read(terms, part, place, depth + 1) for part in terms.members(head, place))
    if len(parts) < 2:
        raise terms.error(place, f"{what} needs two members or more")
    return parts


def follow(path: Path) -> Follow:
    """A path as a function from a node to its value nodes; inverse ones are left to pyshacl."""
    match path:
        case Predicate():
            return _leaving(path.iri)
        case Marked() if path.mark != "^":
            return _repeated(follow(path.part), path.mark)
        case Steps():
            return _one_by_one([follow(part) for part in path.parts])
        case Choice():
            names = [part.iri for part in path.parts if isinstance(part, Predicate)]
            if len(names) == len(path.parts):
                return _any_of(names)
            return _chosen([follow(part) for part in path.parts])
    return lambda data, node: ()


def _leaving(iri: str) -> Follow:
    def values(data: LayeredData, node: Object) -> Sequence[Object]:
        return data.about(node.value).get(iri, ()) if node.datatype is None else ()

    return values


def _one_by_one(steps: Iterable[Follow]) -> Follow:
    first, *others = steps

    def values(data: LayeredData, node: Object) -> Sequence[Object]:
        nodes = first(data, node)
        for step in others:
            if not nodes:
                return ()
            if len(nodes) == 1:
                nodes = step(data, nodes[0])
            else:
                nodes = list(dict.fromkeys(end for one in nodes for end in step(data, one)))
        return nodes

    return values


def _chosen(ways: list[Follow]) -> Follow:
    def values(data: LayeredData, node: Object) -> Sequence[Object]:
        return list(dict.fromkeys(end for way in ways for end in way(data, node)))

    return values


def _any_of(predicates: Iterable[str]) -> Follow:
    """A choice of predicates: a node has few, and the choice may be a long one."""
    wanted = frozenset(predicates)

    def values(data: LayeredData, node: Object) -> Sequence[Object]:
        if node.datatype is not None:
            return ()
        said = data.about(node.value)
        found = [said[predicate] for predicate in said if predicate in wanted]
        if len(found) == 1:
            return found[0]
        return list(dict.fromkeys(end for ends in found for end in ends))

    return values


def _repeated(step: Follow, mark: _Mark) -> Follow:
    def at_most_once(data: LayeredData, node: Object) -> Sequence[Object]:
        return list(dict.fromkeys((node, *step(data, node))))

    def any_number(data: LayeredData, node: Object) -> Sequence[Object]:
        found = {} if mark == "+" else {node: None}
        waiting = [node]
        while waiting:
            for end in step(data, waiting.pop()):
                if end not in found:
                    found[end] = None
                    waiting.append(end)
        return list(found)

    return at_most_once if mark == "?" else any_number
