"""How runs differ along PRIMAD: by key, strictly, and field by field (D9)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.records import RunRecord, all_runs, component_fields, count_runs
from primad_ld.converters import quoted
from primad_ld.derived import key_predicate
from primad_ld.namespaces import PRIMAD
from primad_ld.primadtype import PrimadType, State

_MISSING_IN: Final = {
    (False, True): "reference",
    (True, False): "candidate",
    (False, False): "both",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """A pair of runs and its PRIMAD type."""

    reference: str
    candidate: str
    #: Equal in what identifies the components.
    by_key: PrimadType
    #: Equal in everything the components say.
    strict: PrimadType

    @property
    def order(self) -> tuple[object, ...]:
        """What sorts the most alike first."""
        return (*self.by_key.order, *self.strict.order)


def compare_records(reference: RunRecord, candidate: RunRecord) -> Comparison:
    """The type of a pair of runs whose records are at hand."""
    keys, strict = [], []
    for entry in component_fields():
        ours, theirs = (run.components.get(entry.key, ()) for run in (reference, candidate))
        if not ours or not theirs:
            keys.append(State.missing)
            strict.append(State.missing)
            continue
        same = reference.keys.get(entry.key) == candidate.keys.get(entry.key)
        keys.append(State.same if same else State.different)
        strict.append(State.same if ours == theirs else State.different)
    return Comparison(
        reference=reference.iri,
        candidate=candidate.iri,
        by_key=_type(tuple(keys)),
        strict=_type(tuple(strict)),
    )


def missing_components(reference: RunRecord, candidate: RunRecord) -> dict[str, str]:
    """The components that a pair cannot be compared in, and whose header lacks them."""
    found = {}
    for entry in component_fields():
        there = (entry.key in reference.components, entry.key in candidate.components)
        if there in _MISSING_IN:
            found[entry.key] = _MISSING_IN[there]
    return found


@lru_cache(maxsize=4096)
def _type(states: tuple[State, ...]) -> PrimadType:
    one, two, three, four, five, six = states
    return PrimadType((one, two, three, four, five, six))


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparisons:
    """The types of all runs of an archive against one.

    Most runs of a large archive have nothing in common with the reference. They are told by
    not being among those that do, and are looked up only when somebody asks for their names.
    """

    reference: RunRecord
    engine: Engine
    #: The runs that share a component or lack one.
    told: dict[str, Comparison]
    #: How many runs there are besides the reference.
    total: int

    def counts(self) -> dict[PrimadType, int]:
        """How many runs are of each type by key, fewest differences first."""
        found = Counter(one.by_key for one in self.told.values())
        if self.total > len(self.told):
            found[self._other().by_key] += self.total - len(self.told)
        return dict(sorted(found.items(), key=lambda item: item[0].order))

    def nearest(self, most: int | None = None) -> list[Comparison]:
        """Comparisons, fewest differences first, then in the order of the runs' IRIs."""
        found = sorted(self.told.values(), key=lambda one: (one.order, one.candidate))
        if self.total == len(found) or (most is not None and self._are_first(found[:most], most)):
            return found[:most]
        found.extend(
            self._other(run)
            for run in all_runs(self.engine)
            if run not in self.told and run != self.reference.iri
        )
        found.sort(key=lambda one: (one.order, one.candidate))
        return found[:most]

    def _are_first(self, found: Sequence[Comparison], most: int) -> bool:
        """Whether so many come before the runs that are not told; those with a gap do not."""
        return len(found) == most and all(one.order < self._other().order for one in found[-1:])

    def _other(self, run: str = "") -> Comparison:
        ours = _bits_missing(self.reference)
        return Comparison(
            reference=self.reference.iri,
            candidate=run,
            by_key=_type_of_bits(0, ours),
            strict=_type_of_bits(0, ours),
        )


def compare_to_all(engine: Engine, reference: RunRecord) -> Comparisons:
    """The type of every run of an archive against one.

    Asks which components are the same, and for whom: differing is the complement, which no
    index can answer (D8).
    """
    same_key = _sharing(engine, _same_key(reference))
    same = _sharing(engine, _same_components(reference))
    lacks = _sharing(engine, _lacking())
    ours = _bits_missing(reference)
    told = {
        run: Comparison(
            reference=reference.iri,
            candidate=run,
            by_key=_type_of_bits(same_key.get(run, 0), lacks.get(run, 0) | ours),
            strict=_type_of_bits(same.get(run, 0), lacks.get(run, 0) | ours),
        )
        for run in {**same_key, **same, **lacks}
        if run != reference.iri
    }
    is_there = reference.iri in engine.existing([reference.iri])
    total = count_runs(engine) - is_there
    return Comparisons(reference=reference, engine=engine, told=told, total=total)


def _bits_missing(run: RunRecord) -> int:
    return sum(
        1 << number
        for number, entry in enumerate(component_fields())
        if entry.key not in run.components
    )


def compare_pairs(records: Sequence[RunRecord]) -> Iterator[Comparison]:
    """The type of every pair, each run with those after it."""
    for one, other in itertools.combinations(records, 2):
        yield compare_records(one, other)


def _sharing(engine: Engine, patterns: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Which runs have which of some patterns, as bits."""
    found: dict[str, int] = {}
    for number, pattern in patterns:
        bit = 1 << number
        for run in engine.column(f"SELECT ?run WHERE {{ GRAPH ?run {{ ?run {pattern} }} }}"):
            found[run] = found.get(run, 0) | bit
    return found


def _same_key(reference: RunRecord) -> Iterator[tuple[int, str]]:
    for number, entry in enumerate(component_fields()):
        key = reference.keys.get(entry.key)
        if key is not None:
            yield number, f"<{PRIMAD}{key_predicate(entry)}> {quoted(key)}"


def _same_components(reference: RunRecord) -> Iterator[tuple[int, str]]:
    for number, entry in enumerate(component_fields()):
        ours = reference.components.get(entry.key, ())
        if not ours:
            continue
        listed = ", ".join(f"<{iri}>" for iri in ours)
        pattern = f"<{entry.predicate}> {listed}"
        if entry.many:
            # All of ours, and nobody else.
            pattern += (
                f" FILTER NOT EXISTS {{ ?run <{entry.predicate}> ?other "
                f"FILTER(?other NOT IN ({listed})) }}"
            )
        yield number, pattern


def _lacking() -> Iterator[tuple[int, str]]:
    for number, entry in enumerate(component_fields()):
        yield number, f"<{PRIMAD}lacks> {quoted(entry.key)}"


@lru_cache(maxsize=4096)
def _type_of_bits(same: int, missing: int) -> PrimadType:
    return _type(
        tuple(
            State.missing
            if missing >> number & 1
            else State.same
            if same >> number & 1
            else State.different
            for number in range(6)
        )
    )
