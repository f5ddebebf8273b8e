"""How runs differ along PRIMAD: by key, strictly, and in which fields (D9)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import EngineIndex
from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import (
    RunRecord,
    all_runs,
    component_fields,
    count_runs,
    fetch_records,
    values,
)
from primad_ld.compare.decisions import Decision, compare_identities, role_of, state_between
from primad_ld.compare.folding import commit, is_same_commit
from primad_ld.compare.identity import Identity
from primad_ld.compare.pipelines import parameter
from primad_ld.compare.primad_types import ComponentState, PrimadType
from primad_ld.core.iris import PRIMAD
from primad_ld.core.one_line import OneLine
from primad_ld.rdf.flat_facts import identity_predicate
from primad_ld.rdf.lowering import component_reader
from primad_ld.schema.converters import quoted
from primad_ld.schema.fields import Field, Node, default_schema

_MISSING_IN: Final = {
    (False, True): "reference",
    (True, False): "candidate",
    (False, False): "both",
}
_COMPONENTS: Final = 6
# So many identities in one list: Virtuoso refuses thousands.
_AT_ONCE: Final = 200
# With more than this it is sooner to look at each run than to ask who has which.
_MOST_ASKED: Final = 4000


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Comparison(OneLine):
    """A pair of runs and its PRIMAD type."""

    reference: str
    candidate: str
    #: Equal in what identifies the components.
    by_key: PrimadType
    #: Equal in everything the components say.
    strict: PrimadType
    #: What the components of the two runs were compared by.
    compared: tuple[Mapping[str, Identity], Mapping[str, Identity]] = field(
        default=({}, {}), repr=False, compare=False
    )

    @property
    def decisions(self) -> dict[str, Decision]:
        """What each component that both describe was decided by."""
        return compare_identities(*self.compared)

    @property
    def order(self) -> tuple[object, ...]:
        """What sorts the most alike first."""
        return (*self.by_key.order, *self.strict.order)


def compare_records(
    reference: RunRecord, candidate: RunRecord, identities: Identities | None = None
) -> Comparison:
    """The type of a pair of runs; ``identities`` are those of their archive, if they are of one."""
    identities = identities or Identities()
    identities.fetch([reference, candidate])
    return _compare(reference, candidate, identities.of(reference), identities.of(candidate))


def _compare(
    reference: RunRecord,
    candidate: RunRecord,
    ours: Mapping[str, Identity],
    theirs: Mapping[str, Identity],
) -> Comparison:
    states, strict = [], []
    for entry in component_fields():
        one, other = ours.get(entry.key), theirs.get(entry.key)
        if one is None or other is None:
            states.append(ComponentState.missing)
            strict.append(ComponentState.missing)
            continue
        states.append(state_between(one, other))
        # What stands elsewhere may make it differ: uncommitted changes, a tracker's packages.
        differs = states[-1] is ComponentState.different
        strict.append(
            ComponentState.different if differs else _strict(reference, candidate, entry.key)
        )
    return Comparison(
        reference=reference.iri,
        candidate=candidate.iri,
        by_key=PrimadType.of_states(states),
        strict=PrimadType.of_states(strict),
        compared=(ours, theirs),
    )


def _strict(reference: RunRecord, candidate: RunRecord, component: str) -> ComponentState:
    """Whether a component that both describe is the same letter by letter."""
    ours, theirs = (run.components.get(component, ()) for run in (reference, candidate))
    if not ours or not theirs:
        return ComponentState.unknown  # all that the header says of it is about the run
    return ComponentState.same if ours == theirs else ComponentState.different


def missing_components(reference: RunRecord, candidate: RunRecord) -> dict[str, str]:
    """The components that a pair cannot be compared in, and whose header lacks them."""
    found = {}
    for entry in component_fields():
        there = (entry.key in reference.identities, entry.key in candidate.identities)
        if there in _MISSING_IN:
            found[entry.key] = _MISSING_IN[there]
    return found


# One against an archive -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Question:
    """Which runs have one of some identities of a component, and the bit that says so."""

    bit: int
    pattern: str
    identities: tuple[str, ...] = ()

    @property
    def given(self) -> str:
        """The identities, as they stand before the pattern."""
        return f"VALUES ?it {{ {values(self.identities)} }}" if self.identities else ""


@dataclass(frozen=True, kw_only=True)
class Comparisons:
    """The types of all runs of an archive against one.

    Each distinct component is decided on once. Runs are counted by the store, which is asked
    who is in the rarer states of a component; who is in none of them is in the commonest.
    """

    reference: RunRecord
    engine: Engine
    #: How many runs there are besides the reference.
    total: int

    @cached_property
    def identities(self) -> Identities:
        """What the components of the archive are compared by."""
        return Identities(self.engine)

    @cached_property
    def _states(self) -> tuple[dict[ComponentState, list[str]], ...]:
        """For each component the identities that the archive has, by how they compare."""
        ours = self.identities.of(self.reference)
        found = []
        for entry in component_fields():
            states: dict[ComponentState, list[str]] = {}
            if entry.key in ours:
                for iri, theirs in sorted(self.identities.all_of(entry.key).items()):
                    states.setdefault(state_between(ours[entry.key], theirs), []).append(iri)
            found.append(states)
        return tuple(found)

    @cached_property
    def _commonest(self) -> tuple[ComponentState, ...]:
        """The state of each component that is not asked for: that of most identities."""
        return tuple(
            max(states, key=lambda state: len(states[state]), default=ComponentState.missing)
            for states in self._states
        )

    @cached_property
    def _questions(self) -> list[_Question]:
        """What tells the type of a run: the sum of the bits of the questions that it fits."""
        found = []
        listed = zip(component_fields(), self._states, self._commonest, strict=True)
        for number, (entry, states, commonest) in enumerate(listed):
            predicate = f"<{PRIMAD}{identity_predicate(entry)}>"
            for state, keys in states.items():
                if state is not commonest:
                    bit = _bit(number, state)
                    for start in range(0, len(keys), _AT_ONCE):
                        some = tuple(keys[start : start + _AT_ONCE])
                        found.append(_Question(bit, f"{predicate} ?it", some))
            if states:
                bit = _bit(number, ComponentState.missing)
                found.append(_Question(bit, f"<{PRIMAD}lacksComponent> {quoted(entry.key)}"))
        return found

    @cached_property
    def _are_many(self) -> bool:
        return sum(len(one.identities) for one in self._questions) > _MOST_ASKED

    def counts(self) -> dict[PrimadType, int]:
        """How many runs are of each type by key, fewest differences first."""
        found = Counter[PrimadType]()
        for bits, number in self._sums.items():
            found[self._type(bits)] += number
        return dict(sorted(found.items(), key=lambda item: item[0].order))

    @cached_property
    def _sums(self) -> dict[int, int]:
        """How many other runs have which bits."""
        if self._are_many:
            return dict(Counter(self._bits_of_each.values()))
        # The store adds up the runs: getting the name of each costs several times as much.
        found = {
            int(bits.value): int(number.value)
            for bits, number in self.engine.select(
                f"SELECT ?bits (COUNT(?run) AS ?runs) WHERE {{ {{ {self._summed()} }} }} GROUP BY ?bits"
            ).rows
            if bits is not None and number is not None
        }
        others = self.total - sum(found.values())
        return found | ({0: others} if others > 0 else {})

    def _summed(self) -> str:
        """A query for the bits of each run that has any."""
        found = " UNION ".join(
            f"{{ {one.given} GRAPH ?run {{ ?run {one.pattern} }} BIND({one.bit} AS ?bit) }}"
            for one in self._questions
        )
        return (
            f"SELECT ?run (SUM(?bit) AS ?bits) WHERE {{ {found} "
            f"FILTER(?run != {values([self.reference.iri])}) }} GROUP BY ?run"
        )

    @cached_property
    def _bits_of_each(self) -> dict[str, int]:
        """The bits of each other run by its IRI, from what the archive says of each at a glance."""
        states = [
            {key: state for state, keys in found.items() for key in keys} for found in self._states
        ]
        table = self.engine.select(
            "SELECT ?run "
            + " ".join(f"?k{number}" for number in range(_COMPONENTS))
            + f" WHERE {{ GRAPH ?run {{ ?run a <{PRIMAD}Run> "
            + " ".join(
                f"OPTIONAL {{ ?run <{PRIMAD}{identity_predicate(entry)}> ?k{number} }}"
                for number, entry in enumerate(component_fields())
            )
            + " } }"
        )
        found = {}
        for run, *keys in table.rows:
            if run is not None and run.value != self.reference.iri:
                found[run.value] = sum(
                    _bit(number, state)
                    for number, (key, known) in enumerate(zip(keys, states, strict=True))
                    if known
                    and (state := known[key.value] if key is not None else ComponentState.missing)
                    is not self._commonest[number]
                )
        return found

    def _type(self, bits: int) -> PrimadType:
        return PrimadType.of_states(
            _state(bits, number) or commonest for number, commonest in enumerate(self._commonest)
        )

    def nearest(self, most: int | None = None) -> list[Comparison]:
        """Comparisons, fewest differences first, then in the order of the runs' IRIs."""
        wanted: list[int] = []
        number = 0
        for bits in sorted(self._sums, key=lambda bits: self._type(bits).order):
            if most is not None and number >= most:
                break
            wanted.append(bits)
            number += self._sums[bits]
        records = fetch_records(self.engine, self._runs_of(wanted))
        self.identities.fetch(records)
        found = [compare_records(self.reference, run, self.identities) for run in records]
        found.sort(key=lambda one: (one.order, one.candidate))
        return found[:most]

    def _runs_of(self, wanted: Sequence[int]) -> list[str]:
        """The other runs that have exactly some bits."""
        if set(wanted) == self._sums.keys():
            return [run for run in all_runs(self.engine) if run != self.reference.iri]
        if self._are_many:
            return sorted(run for run, bits in self._bits_of_each.items() if bits in wanted)
        having = ", ".join(str(bits) for bits in wanted if bits)
        found = set()
        if having:
            found.update(self.engine.column(f"{self._summed()} HAVING(SUM(?bit) IN ({having}))"))
        if 0 in wanted:
            asked_for = set(self.engine.column(self._summed()))
            found.update(run for run in all_runs(self.engine) if run not in asked_for)
            found.discard(self.reference.iri)
        return sorted(found)


def _bit(number: int, state: ComponentState) -> int:
    return 1 << (number + _COMPONENTS * _ORDER.index(state))


def _state(bits: int, number: int) -> ComponentState | None:
    return next((state for state in _ORDER if bits & _bit(number, state)), None)


_ORDER: Final = tuple(ComponentState)


def compare_to_all(engine: Engine, reference: RunRecord) -> Comparisons:
    """The type of every run of an archive against one."""
    is_there = reference.iri in engine.existing([reference.iri])
    return Comparisons(
        reference=reference,
        engine=engine,
        total=count_runs(engine) - is_there,
    )


def compare_pairs(
    records: Sequence[RunRecord], identities: Identities | None = None
) -> Iterator[Comparison]:
    """The type of every pair, each run with those after it."""
    identities = identities or Identities()
    identities.fetch(records)
    known = [(run, identities.of(run)) for run in records]
    for (one, ours), (other, theirs) in itertools.combinations(known, 2):
        yield _compare(one, other, ours, theirs)


# Field by field ---------------------------------------------------------------------------


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
            self._found[ours, theirs] = _differing_fields(entry, one, other)
        return self._found[ours, theirs]

    def _several(self, entry: Field, iris: tuple[str, ...]) -> Mapping[str, object] | list[object]:
        found = [self._mapping(entry, iri) for iri in iris]
        return found[0] if len(found) == 1 else list(found)

    def _mapping(self, entry: Field, iri: str) -> Mapping[str, object]:
        if iri not in self._mappings:
            self._mappings[iri] = self._read(iri, entry)
        return self._mappings[iri]


def _differing_fields(entry: Field, one: object, other: object) -> list[Difference]:
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
