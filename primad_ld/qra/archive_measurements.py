"""Measurements of an archive: a run and those that reproduce it, with conditions from PRIMAD.

The reference's values are looked up first and stand as constants in what is asked next, so an
archive of many thousand runs is asked about a few of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import SomeRuns
from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import RunRecord, fetch_records
from primad_ld.archive.scores import KeptSet, evaluator_of, kept_sets, scores_in
from primad_ld.archive.tag_resolution import Resolution, resolve_run, resolve_tag, runs_tagged
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import MeasureError
from primad_ld.core.iris import PRIMAD, SCHEME
from primad_ld.core.library_arguments import Texts, to_texts
from primad_ld.qra.measurements import (
    CONDITIONS,
    Measurement,
    MeasurementTable,
    Scale,
    with_conditions,
)
from primad_ld.qra.run_conditions import (
    Run,
    Unknown,
    conditions_of,
    method_specification,
    performers,
)
from primad_ld.rdf.lowering import lower_runs
from primad_ld.schema.converters import quoted
from primad_ld.trec.measure_names import COMMON, canonical, expand

_MOST_NAMED: Final = 5
# The one measure of trec_eval whose values may be below 0.
_WITHOUT_MINIMUM: Final = "utility"
_HOW: Final = (
    "a reproduction is a run whose actor has the role reproducer and whose research goal names "
    "that tag as its baseline"
)


def measurements_of_archive(
    engine: Engine, reference: str, measures: Texts = ()
) -> MeasurementTable:
    """The kept scores of a run and of the runs that reproduce it, a measurement for each measure.

    ``reference`` is a tag or an IRI, ``measures`` are names of trec_eval or others that it is
    known by; without any they are those that the reference's header reports. Reproductions on
    other data, without scores, or scored by other judgements are left out, and the table's notes
    say so. Where the runs have scores by several judgements, or with several parameters, each is a
    group of measurements. `MeasureError` if there is nothing to compare.
    """
    record = resolve_run(engine, reference)
    sets = _sets(engine, record)
    names = _chosen(engine, record, sets, to_texts(measures, "measures"))
    found = _Found(engine, record)
    return _table(engine, found, names, found.scored_alike(names, sets))


# What is asked for ------------------------------------------------------------------------


def _sets(engine: Engine, record: RunRecord) -> list[KeptSet]:
    """The scores of the reference, of which something says how they were made."""
    if not record.ranking:
        raise MeasureError(
            f"{engine.name}: {record.name} is there without its ranking, which scores are of; load "
            "its file without --headers-only"
        )
    found = _one_of_each(kept_sets(engine, [record.ranking]))
    if not found:
        raise MeasureError(
            f"{engine.name}: {record.name} has no scores; {_scoring(engine, record)}"
        )
    known = [one for one in found if one.judgements]
    if not known:
        raise MeasureError(
            f"{engine.name}: nothing says by which judgements {record.name} was scored; "
            f"{_scoring(engine, record)}"
        )
    return known


def _one_of_each(sets: Iterable[KeptSet]) -> list[KeptSet]:
    """Of the scores of a ranking that several evaluators made alike, one set: of one's own, if any."""
    own_last = sorted(sets, key=lambda one: one.is_own)
    return list({(one.ranking, one.key): one for one in own_last}.values())


def _chosen(
    engine: Engine, record: RunRecord, sets: Sequence[KeptSet], measures: Sequence[str]
) -> list[str]:
    """The measures by trec_eval's names, each of which the reference has a score of."""
    known = list(dict.fromkeys(name for one in sets for name in one.measures))
    if not measures:
        reported = [name for name in record.measures if name in known]
        return reported or [name for name in COMMON if name in known] or sorted(known)
    chosen = []
    for name in dict.fromkeys(map(canonical, measures)):
        there = expand([name], known)
        if not there:
            raise MeasureError(
                f"{engine.name}: {record.name} has no score of {name}, only of "
                f"{_some(known)}; {_scoring(engine, record, name)}"
            )
        chosen += [one for one in there if one not in chosen]
    return chosen


def _scoring(engine: Engine, record: RunRecord, measure: str = "") -> str:
    """The command that makes scores of a run and its reproductions."""
    of = f" --measure {measure}" if measure else ""
    return (
        "score it and its reproductions: "
        f"primad-ld score RUNS --qrels QRELS{of} --archive {engine.name}"
    )


# Who reproduces it ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _Measured:
    """A run with its scores, and how they were made."""

    record: RunRecord
    kept: KeptSet
    scores: Mapping[str, Decimal]


def _by_year(measured: _Measured) -> tuple[object, ...]:
    """The place of a run among others; those without a year come last."""
    one = measured.record
    return one.year is None, one.year or 0, one.teams, one.tag, one.iri


class _LeftOut(defaultdict[str, list[str]]):
    """Why runs are no measurements, and which."""

    def __init__(self) -> None:
        super().__init__(list)

    def notes(self) -> list[str]:
        return [
            f"left out: {len(names):,} run{'s' * (len(names) != 1)} {why} ({_some(sorted(names))})"
            for why, names in self.items()
        ]


class _Found:
    """The runs that reproduce a reference, and those among them that are left out."""

    def __init__(self, engine: Engine, reference: RunRecord) -> None:
        self.engine, self.reference = engine, reference
        self.identities = Identities(engine)
        self.left_out = _LeftOut()
        self.reproductions = self._reproductions()

    def _reproductions(self) -> list[RunRecord]:
        """The reproducers' runs that mean the reference by the tag they name (D9).

        Not those on another test collection; where that is unknown, scores tell.
        """
        reference, tag = self.reference, self.reference.tag
        # Their summaries are read afterwards: ten thousand runs of sweeps may name the tag, too.
        iris = self.engine.column(
            f"SELECT DISTINCT ?run WHERE {{ GRAPH ?run {{ ?run <{PRIMAD}baseline> {quoted(tag)} ; "
            f"<{PRIMAD}contribution> ?part . ?part <{PRIMAD}actorRole> <{SCHEME}role-reproducer> }} }}"
        )
        others = sorted(iri for iri in iris if tag and iri != reference.iri)
        records = fetch_records(self.engine, others)
        records = list(self._that_mean_it(records)) if records else []
        if not records:
            raise MeasureError(
                f"{self.engine.name}: nothing reproduces {reference.name}; {_HOW}"
                + "".join(f"; {note}" for note in self.left_out.notes())
            )
        self.identities.fetch([reference, *records])
        found = []
        for one in records:
            if self.identities.collection_state(reference, one) is ComponentState.different:
                self.left_out["on other data"].append(one.name)
            else:
                found.append(one)
        return found

    def _that_mean_it(self, records: Sequence[RunRecord]) -> Iterator[RunRecord]:
        """The runs that mean the reference by its tag; those of which that is not clear are noted."""
        reference = self.reference
        named = fetch_records(self.engine, runs_tagged(self.engine, reference.tag))
        own = {one.iri for one in named}
        known: dict[object, Resolution] = {}
        for one in records:
            # Runs of one team on one collection mean the same, unless they have the tag themselves.
            alike = one.iri if one.iri in own else (one.identities.get("data"), one.teams)
            if alike not in known:
                known[alike] = resolve_tag(named, reference.tag, one, self.identities)
            meant = known[alike]
            if any(candidate.iri == reference.iri for candidate in meant.candidates):
                self.left_out[f"that may mean another {reference.tag!r}"].append(one.name)
            if meant.run is not None and meant.run.iri == reference.iri:
                yield one

    def scored_alike(self, names: Sequence[str], sets: Sequence[KeptSet]) -> list[list[_Measured]]:
        """The reference, then its reproductions whose scores were made alike, for each way.

        The way that most of them share comes first. Those that share none are left out.
        """
        theirs = self._of_reproductions(names)
        own = scores_in(self.engine, [one.graph for one in sets], names)
        groups = []
        for kept in sets:
            mine = own.get(kept.graph)
            alike = [one for one in theirs if one.kept.key == kept.key]
            if mine and alike:
                first = _Measured(record=self.reference, kept=kept, scores=mine)
                groups.append([first, *sorted(alike, key=_by_year)])
        groups.sort(key=lambda group: (-len(group), group[0].kept.key))
        self._leave_out(names, theirs, sets, groups)
        if not groups:
            is_for_scores = any("score" in why for why in self.left_out)
            hints = [_scoring(self.engine, self.reference)] * is_for_scores
            raise MeasureError(
                f"{self.engine.name}: no reproduction of {self.reference.name} can be compared "
                f"with it; {'; '.join([*self.left_out.notes(), *hints])}"
            )
        return groups

    def _of_reproductions(self, names: Sequence[str]) -> list[_Measured]:
        sets: dict[str, list[KeptSet]] = {}
        rankings = [one.ranking for one in self.reproductions if one.ranking]
        for kept in _one_of_each(kept_sets(self.engine, rankings)):
            sets.setdefault(kept.ranking, []).append(kept)
        scores = scores_in(
            self.engine, [one.graph for some in sets.values() for one in some], names
        )
        return [
            _Measured(record=one, kept=kept, scores=scores[kept.graph])
            for one in self.reproductions
            for kept in sets.get(one.ranking, ())
            if kept.graph in scores
        ]

    def _leave_out(
        self,
        names: Sequence[str],
        theirs: Sequence[_Measured],
        sets: Sequence[KeptSet],
        groups: Sequence[Sequence[_Measured]],
    ) -> None:
        """Note why reproductions are in no group, or not in each."""
        judgements = {one.judgements for one in sets}
        for record in self.reproductions:
            mine = [one.kept for one in theirs if one.record is record]
            without = [
                group[0].kept for group in groups if all(one.record is not record for one in group)
            ]
            if not mine:
                self.left_out[f"without scores of {', '.join(names)}"].append(record.name)
            elif len(without) < len(groups):
                for kept in without:
                    self.left_out[f"without scores by {kept.label}"].append(record.name)
            elif judgements.isdisjoint(one.judgements for one in mine):
                self.left_out["scored by other judgements"].append(record.name)
            else:
                self.left_out["scored with other parameters"].append(record.name)


# The table --------------------------------------------------------------------------------


def _table(
    engine: Engine, found: _Found, names: Sequence[str], groups: Sequence[Sequence[_Measured]]
) -> MeasurementTable:
    reference, runs = found.reference, [one for group in groups for one in group]
    lowered = lower_runs(SomeRuns(engine, [one.record.iri for one in runs]))
    headers = {run.iri: run.header for run in lowered}
    described = [
        Run(
            name=one.record.name,
            header=headers[one.record.iri],
            identities=found.identities.of(one.record),
            judgements=one.kept.judgements,
            evaluator=evaluator_of(one.kept.evaluator, one.scores),
            topics=one.kept.topics,
            parameters={name: str(value).lower() for name, value in one.kept.parameters.items()},
        )
        for one in runs
    ]
    read = zip(described, conditions_of(described), strict=True)
    shared = {id(one): pair for one, pair in zip(runs, read, strict=True)}
    measurements = []
    #: By condition and what nothing says: the runs of which it is unknown.
    unknown: dict[tuple[str, str], dict[str, None]] = {}
    rows = ((name, one) for group in groups for name in names for one in group)
    for name, one in rows:
        if name not in one.scores:
            continue
        run, of_run = shared[id(one)]
        conditions = of_run | {"method_specification": method_specification(name, run)}
        for key, condition in conditions.items():
            if isinstance(condition, Unknown):
                unknown.setdefault((key, condition.lacks), {})[one.record.name] = None
        known = {key: text for key in CONDITIONS if isinstance(text := conditions[key], str)}
        unusual = {"parameters": one.kept.unusual} if one.kept.unusual else {}
        measurements.append(
            Measurement(
                object=reference.name,
                measurand=name,
                value=float(one.scores[name]),
                text=str(one.scores[name]),
                conditions=known,
                id=one.record.name,
                study=known.get("performed_by") or performers(headers[one.record.iri]),
                is_original=one.record.iri == reference.iri,
                group=f"judgements {one.kept.short}" if len(groups) > 1 else "",
                scale=_scale(name),
                file=engine.name,
                said={"run": one.record.iri, "judgements": one.kept.judgements, **unusual},
            )
        )
    lacking = [
        f"{CONDITIONS[key].label} is unknown of {_some(runs)}: nothing says {lacks}"
        for (key, lacks), runs in unknown.items()
    ]
    return with_conditions(
        measurements,
        {key: one.label for key, one in CONDITIONS.items()},
        scales={name: _scale(name) for name in names},
        # Not where the archive lies: what is published names no folder of a machine.
        said={"reference": reference.iri},
        notes=(*_notes(found, names, groups), *lacking),
    )


def _scale(name: str) -> Scale:
    """Measures of effectiveness begin at 0."""
    return Scale(name=name, is_stated=name != _WITHOUT_MINIMUM)


def _notes(
    found: _Found, names: Sequence[str], groups: Sequence[Sequence[_Measured]]
) -> Iterator[str]:
    """What the reference is, and which runs are in no group or lack scores in one."""
    reference = found.reference
    if reference.is_reproduction:
        of = ", ".join(map(repr, reference.baselines)) or "a run that it does not name"
        yield f"{reference.name} is itself a reproduction, of {of}"
    yield from found.left_out.notes()
    if len(groups) > 1:
        listed = "; ".join(group[0].kept.label for group in groups)
        yield f"{reference.name} has scores by several judgements or parameters, a group for each: {listed}"
    for group in groups:
        lacking = _LeftOut()
        for name in names:
            for one in group:
                if name not in one.scores:
                    lacking[f"without scores of {name}"].append(one.record.name)
        yield from lacking.notes()


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - _MOST_NAMED
    return ", ".join(listed[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
