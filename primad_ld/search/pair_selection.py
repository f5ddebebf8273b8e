"""Which pairs of runs to show, and what to show of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import RunRecord, fetch_records
from primad_ld.archive.tag_resolution import resolve_run
from primad_ld.compare.primad_types import PrimadType, counted
from primad_ld.core.errors import ArchiveError, PrimadError
from primad_ld.core.iris import PRIMAD
from primad_ld.core.one_line import OneLine
from primad_ld.schema.canonical import folded
from primad_ld.schema.converters import quoted
from primad_ld.search import comparison_tables
from primad_ld.search.comparison import (
    Comparison,
    Comparisons,
    Difference,
    DifferenceFinder,
    compare_pairs,
    compare_records,
    compare_to_all,
    missing_components,
)
from primad_ld.search.run_lookup import LookedUp, is_file, record_of_file
from primad_ld.search.studies import StudyPairs, find_pairs, read_study
from primad_ld.tables.answers import Answer, Table

# So many runs are read in a moment, to show them in the order of their tags.
_MOST_SORTED: Final = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Which pairs are wanted; everything left out lets all through."""

    #: Runs on this test collection.
    collection: str = ""
    #: Runs that name this baseline.
    baseline: str = ""
    types: tuple[PrimadType, ...] = ()
    #: Whether types go by strict equality.
    strict: bool = False

    @property
    def pattern(self) -> str:
        """What the runs must have, about ``?run``."""
        patterns = []
        if self.collection:
            patterns.append(
                f"?run <{PRIMAD}onCollection> {quoted(folded('dataset', self.collection))}"
            )
        if self.baseline:
            patterns.append(f"?run <{PRIMAD}baseline> {quoted(self.baseline)}")
        return " . ".join(patterns) or f"?run a <{PRIMAD}Run>"

    @property
    def takes_all(self) -> bool:
        """Whether every run of the archive is wanted, of whatever type."""
        return not (self.collection or self.baseline or self.types)

    def type_of(self, comparison: Comparison) -> PrimadType:
        """The type that counts."""
        return comparison.strict if self.strict else comparison.by_key

    def wants(self, comparison: Comparison) -> bool:
        """Whether the type of a pair is wanted."""
        return not self.types or self.type_of(comparison) in self.types


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class PairRow(OneLine):
    """A pair of runs with what is told of it."""

    reference: RunRecord
    candidate: RunRecord
    comparison: Comparison
    #: Components that one header lacks: by key, ``reference``, ``candidate`` or ``both``.
    missing: dict[str, str]
    #: Fields that differ, by component; empty unless asked for.
    differs: dict[str, list[Difference]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class PairRows(Answer):
    """Some pairs of runs, and how many there are in all."""

    rows: tuple[PairRow, ...]
    total: int
    counts: dict[PrimadType, int]
    #: The run that all others are compared with; None if each is compared with each other one.
    reference: RunRecord | None = None
    #: Whether types go by strict equality.
    strict: bool = False
    #: Whether the fields that differ were looked for, and are what people want to see.
    with_differences: bool = False
    explained: bool = False
    notes: tuple[str, ...] = ()
    problems: tuple[PrimadError, ...] = ()

    def table(self) -> Table:
        """A row for each pair."""
        return comparison_tables.pairs(self)

    def shown(self) -> list[Table]:
        """The pairs with their types, or a table for each of them with what decided it."""
        return [*comparison_tables.shown(self)]

    def verdict(self) -> str:
        """What the type of the only pair says."""
        return comparison_tables.verdict(self)

    def record(self) -> dict[str, object]:
        """The pairs, each with what its type was decided by if that was asked for."""
        types = [*TypeCounts(counts=self.counts).table().dicts()]
        pairs = comparison_tables.pair_records(self)
        return {**Answer.record(self), "pairs": pairs, "total": self.total, "types": types}


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class TypeCounts(Answer):
    """How many pairs are of each type."""

    counts: dict[PrimadType, int]
    notes: tuple[str, ...] = ()
    problems: tuple[PrimadError, ...] = ()

    def table(self) -> Table:
        """A row for each type, those with the fewest differences first."""
        return comparison_tables.types(self.counts)


class ComparedPairs:
    """The pairs that were asked for, fewest differences first."""

    def __init__(self, found: LookedUp, wanted: Selection) -> None:
        self.found, self.wanted = found, wanted
        self.records: dict[str, RunRecord] = {}
        self.all: Comparisons | None = None
        self.pairs: list[Comparison] = []
        #: How many pairs are of types that are not wanted.
        self.others = Counter[PrimadType]()
        if found.run is not None:
            self.records[found.run.iri] = found.run
            if wanted.takes_all and not wanted.strict and not found.only:
                # The fast way, which does not look at runs that have nothing in common.
                self.all = compare_to_all(found.engine, found.run)
                return
        chosen = found.records(wanted.pattern)
        self.records.update((run.iri, run) for run in chosen)
        identities = Identities(found.engine)
        identities.fetch(self.records.values())
        made = (
            (
                compare_records(found.run, run, identities)
                for run in chosen
                if run.iri != found.run.iri
            )
            if found.run is not None
            else compare_pairs(sorted(chosen, key=lambda run: (run.tag, run.iri)), identities)
        )
        self.pairs = sorted(
            (one for one in made if self._is_wanted(one)),
            key=lambda one: (
                one.order,
                self.records[one.reference].tag,
                self.records[one.candidate].tag,
                one.candidate,
            ),
        )

    def _is_wanted(self, one: Comparison) -> bool:
        is_wanted = self.wanted.wants(one)
        if not is_wanted:
            self.others[self.wanted.type_of(one)] += 1
        return is_wanted

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read, and why there is no pair, if so."""
        if self.pairs or self.all is not None:
            return self.found.notes
        if not self.others:
            return (*self.found.notes, "there is no other run to compare with")
        named = " or ".join(map(str, self.wanted.types))
        there_are = (
            f"no pair has type {named}; types of these pairs: {', '.join(counted(self.others))}"
        )
        return (*self.found.notes, there_are)

    def type_counts(self) -> TypeCounts:
        """How many pairs are of each type."""
        return TypeCounts(counts=self.counts(), notes=self.notes, problems=self.found.problems)

    def counts(self) -> dict[PrimadType, int]:
        """How many pairs are of each type."""
        if self.all is not None:
            return self.all.counts()
        found = Counter(self.wanted.type_of(one) for one in self.pairs)
        return dict(sorted(found.items(), key=lambda item: item[0].order))

    def rows(
        self,
        most: int | None = None,
        *,
        with_differences: bool = False,
        explained: bool = False,
    ) -> PairRows:
        """The pairs with their runs; to explain them, what differs is looked for."""
        with_differences = with_differences or explained
        if self.all is not None:
            # In the order of their tags, unless they are too many to look at all of them.
            first = most if self.all.total > _MOST_SORTED else None
            shown, total = self.all.nearest(first), self.all.total
        else:
            shown, total = self.pairs[:most], len(self.pairs)
        self._fetch(shown)
        if self.all is not None:
            shown = sorted(
                shown,
                key=lambda one: (one.order, self.records[one.candidate].tag, one.candidate),
            )[:most]
        finder = DifferenceFinder(self.found.index()) if with_differences else None
        if finder is not None:
            finder.prepare(
                [self.records[iri] for one in shown for iri in (one.reference, one.candidate)]
            )
        return PairRows(
            rows=tuple([self._row(one, finder) for one in shown]),
            total=total,
            counts=self.counts(),
            reference=self.found.run,
            strict=self.wanted.strict,
            with_differences=with_differences,
            explained=explained,
            notes=self.notes,
            problems=self.found.problems,
        )

    def _fetch(self, shown: Iterable[Comparison]) -> None:
        wanted = {iri for one in shown for iri in (one.reference, one.candidate)}
        unknown = sorted(wanted.difference(self.records))
        self.records.update((run.iri, run) for run in fetch_records(self.found.engine, unknown))

    def _row(self, one: Comparison, finder: DifferenceFinder | None) -> PairRow:
        reference, candidate = self.records[one.reference], self.records[one.candidate]
        return PairRow(
            reference=reference,
            candidate=candidate,
            comparison=one,
            missing=missing_components(reference, candidate),
            differs=finder.differences(reference, candidate) if finder is not None else {},
        )


def compared(found: LookedUp, wanted: Selection) -> ComparedPairs:
    """Compare the runs that are wanted with the one that was named, or with each other."""
    return ComparedPairs(found, wanted)


def study_pairs(found: LookedUp, study: Path | None, wanted: Selection) -> StudyPairs:
    """The baseline and advanced runs of a study, from a study file or from the headers.

    `ArchiveError` says what headers lack where there are none.
    """
    if study is None:
        # What a pair reproduces does not name its baseline, so that is chosen afterwards.
        runs = found.records(replace(wanted, baseline="").pattern)
        every = find_pairs(runs, Identities(found.engine))
        pairs = tuple(pair for pair in every.pairs if wanted.baseline in ("", pair.baseline.tag))
        if not pairs:
            why = (
                every.why_none()
                if not every.pairs
                else (f"none has the baseline {wanted.baseline!r}")
            )
            raise ArchiveError(
                f"found no baseline and advanced run of a study: {why}; name them in a study "
                "file (--study)"
            )
        notes = (*found.notes, *every.notes)
        return replace(every, pairs=pairs, notes=notes, problems=found.problems)

    def resolve(name: str) -> RunRecord:
        path = study.parent / name
        return record_of_file(path) if is_file(path) else resolve_run(found.engine, name)

    return replace(read_study(study, resolve), notes=found.notes, problems=found.problems)
