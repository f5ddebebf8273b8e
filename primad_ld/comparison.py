"""How runs differ along PRIMAD: by key, strictly, and field by field (D9)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.records import RunRecord, all_runs, component_fields, count_runs, values
from primad_ld.converters import quoted
from primad_ld.derived import key_predicate
from primad_ld.namespaces import PRIMAD
from primad_ld.primadtype import PrimadType, State

# One for each of the six components.
_ALL_BITS: Final = 0b111111
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


@dataclass(frozen=True, kw_only=True)
class Comparisons:
    """The types of all runs of an archive against one.

    Most runs of a large archive have nothing in common with the reference. They are told by
    not being among those that do, and are looked up only when somebody asks for their names.
    """

    reference: RunRecord
    engine: Engine
    #: How many runs there are besides the reference.
    total: int

    @cached_property
    def told(self) -> dict[str, Comparison]:
        """The runs that share a component or lack one."""
        same_key = _sharing(self.engine, _same_key(self.reference))
        same = _sharing(self.engine, _same_components(self.reference))
        lacks = _sharing(self.engine, _lacking())
        return {
            run: self._of_bits(run, same_key.get(run, 0), same.get(run, 0), lacks.get(run, 0))
            for run in {**same_key, **same, **lacks}
            if run != self.reference.iri
        }

    def counts(self) -> dict[PrimadType, int]:
        """How many runs are of each type by key, fewest differences first."""
        found: Counter[PrimadType] = Counter()
        # The store adds up the runs: getting the name of each costs several times as much.
        for bits, number in self.engine.select(_counting(self.reference)).rows:
            assert bits is not None
            assert number is not None
            lacks, same = divmod(int(bits.value), _ALL_BITS + 1)
            found[self._of_bits("", same, 0, lacks).by_key] += int(number.value)
        others = self.total - found.total()
        if others > 0:
            found[self._other().by_key] += others
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
        return self._of_bits(run, 0, 0, 0)

    @cached_property
    def _missing(self) -> int:
        return sum(
            1 << number
            for number, entry in enumerate(component_fields())
            if entry.key not in self.reference.components
        )

    def _of_bits(self, run: str, same_key: int, same: int, lacks: int) -> Comparison:
        missing = lacks | self._missing
        return Comparison(
            reference=self.reference.iri,
            candidate=run,
            by_key=_type_of_bits(same_key, missing),
            strict=_type_of_bits(same, missing),
        )


def compare_to_all(engine: Engine, reference: RunRecord) -> Comparisons:
    """The type of every run of an archive against one.

    Asks which components are the same, and for whom: differing is the complement, which no
    index can answer (D8).
    """
    is_there = reference.iri in engine.existing([reference.iri])
    return Comparisons(
        reference=reference,
        engine=engine,
        total=count_runs(engine) - is_there,
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


def _counting(reference: RunRecord) -> str:
    """A query for how many other runs share and lack which components, as bits."""
    wanted = [
        *((1 << number, pattern) for number, pattern in _same_key(reference)),
        *(((_ALL_BITS + 1) << number, pattern) for number, pattern in _lacking()),
    ]
    found = " UNION ".join(
        f"{{ GRAPH ?run {{ ?run {pattern} }} BIND({bit} AS ?bit) }}" for bit, pattern in wanted
    )
    return (
        "SELECT ?bits (COUNT(?run) AS ?runs) WHERE { "
        f"{{ SELECT ?run (SUM(?bit) AS ?bits) WHERE {{ {found} "
        f"FILTER(?run != {values([reference.iri])}) }} GROUP BY ?run }} }} GROUP BY ?bits"
    )


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
