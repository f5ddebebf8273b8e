"""Field by field, how the components of two runs differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from primad_ld.archive.contents import EngineIndex
from primad_ld.archive.runs import RunRecord, component_fields
from primad_ld.compare.folding import commit, is_same_commit
from primad_ld.compare.pipelines import parameter
from primad_ld.compare.types import role_of
from primad_ld.rdf.lowering import component_reader
from primad_ld.schema.fields import Field, Node, default_schema


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One field that two components do not have in common."""

    #: The field within its component: ``retrieval[1].k1``; stages count from 1.
    path: str
    #: What the two say; None where one says nothing.
    reference: object
    candidate: object
    #: Whether it is one of the fields that tell components apart by key.
    identifies: bool
    #: Whether the two only write the same value in two ways.
    is_spelling: bool


class DifferenceFinder:
    """Finds differences, and remembers those of components that many runs share."""

    def __init__(self, index: EngineIndex) -> None:
        self.index = index
        self._read = component_reader(index)
        self._mappings: dict[str, Mapping[str, object]] = {}
        self._found: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Difference]] = {}

    def differences(self, one: RunRecord, other: RunRecord) -> dict[str, list[Difference]]:
        """By component, in the order of the acronym; equal and missing ones are left out."""
        found = {}
        for entry in component_fields():
            ours, theirs = one.components.get(entry.key), other.components.get(entry.key)
            if ours and theirs and ours != theirs:
                found[entry.key] = self._differences(entry, ours, theirs)
        return found

    def prepare(self, records: Sequence[RunRecord]) -> None:
        """Fetch the components of many runs at once."""
        self.index.fetch(iri for run in records for iris in run.components.values() for iri in iris)

    def _differences(
        self, entry: Field, ours: tuple[str, ...], theirs: tuple[str, ...]
    ) -> list[Difference]:
        if (ours, theirs) not in self._found:
            one, other = self._several(entry, ours), self._several(entry, theirs)
            self._found[ours, theirs] = differing_fields(entry, one, other)
        return self._found[ours, theirs]

    def _several(self, entry: Field, iris: tuple[str, ...]) -> Mapping[str, object] | list[object]:
        found = [self._mapping(entry, iri) for iri in iris]
        return found[0] if len(found) == 1 else list(found)

    def _mapping(self, entry: Field, iri: str) -> Mapping[str, object]:
        if iri not in self._mappings:
            self._mappings[iri] = self._read(iri, entry)
        return self._mappings[iri]


def differing_fields(entry: Field, one: object, other: object) -> list[Difference]:
    """The fields in which two values of one component differ."""
    assert entry.node is not None
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        # Several actors: nothing tells who of them is who.
        return _value(_Place(entry.key), entry, one, other)
    return _mapping(_Place(entry.key), entry.node, one, other)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands: a component, and the path within it."""

    component: str
    path: str = ""

    def __truediv__(self, key: str) -> _Place:
        return _Place(self.component, f"{self.path}.{key}" if self.path else key)

    def __getitem__(self, number: int) -> _Place:
        return _Place(self.component, f"{self.path}[{number}]")

    @property
    def identifies(self) -> bool:
        """Whether components are compared by what stands here, or by what it is part of."""
        paths = [self.path]
        while paths[-1].rpartition(".")[0]:
            paths.append(paths[-1].rpartition(".")[0])
        return not self.path or any(
            role_of(default_schema(), self.component, path) for path in paths
        )


def _mapping(
    place: _Place, node: Node | None, one: Mapping[str, object], other: Mapping[str, object]
) -> list[Difference]:
    known = [entry.key for entry in node.ordered()] if node is not None else []
    keys = {key: number for number, key in enumerate(known)}
    found = []
    for key in sorted({*one, *other}, key=lambda key: (keys.get(key, len(keys)), key)):
        entry = node.fields.get(key, node.wildcard) if node is not None else None
        found.extend(_value(place / key, entry, one.get(key), other.get(key)))
    return found


def _value(place: _Place, entry: Field | None, one: object, other: object) -> list[Difference]:
    if one == other:
        return []
    node = entry.node if entry is not None else None
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return _mapping(place, node, one, other)
    if entry is not None and entry.is_sequence and _are_lists(one, other) and node is not None:
        return _sequence(place, node, _list(one), _list(other))
    return [
        Difference(
            path=place.path,
            reference=one,
            candidate=other,
            identifies=place.identifies,
            is_spelling=entry is not None and _is_spelling(one, other, entry),
        )
    ]


def _is_spelling(one: object, other: object, entry: Field) -> bool:
    """Whether two values are one that is written in two ways."""
    if entry.node is not None or one is None or other is None:
        return False
    if "parameter" in entry.structures:
        return bool(parameter(one) == parameter(other))
    if entry.converter_name == "commit" and isinstance(one, str) and isinstance(other, str):
        return is_same_commit(commit(one), commit(other)) is True
    ours, theirs = (
        [entry.converter.key(text) for text in _list(value) if isinstance(text, str)]
        for value in (one, other)
    )
    return bool(ours) and (ours == theirs if entry.is_sequence else set(ours) == set(theirs))


def _sequence(
    place: _Place, node: Node, one: list[object], other: list[object]
) -> list[Difference]:
    found = []
    for position in range(max(len(one), len(other))):
        ours = one[position] if position < len(one) else None
        theirs = other[position] if position < len(other) else None
        if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
            found.extend(_mapping(place[position + 1], node, ours, theirs))
        elif ours != theirs:
            found.extend(_value(place[position + 1], None, ours, theirs))
    return found


def _are_lists(one: object, other: object) -> bool:
    return all(isinstance(value, list | Mapping | None) for value in (one, other))


def _list(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
