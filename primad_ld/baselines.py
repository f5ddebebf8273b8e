"""Which runs a run can be compared with, and whether its declared baselines are weak ones.

Improvements that do not add up come from baselines that were not the strongest ones known at
the time (Armstrong et al., CIKM 2009; Yang et al., SIGIR 2019). So a run's baselines are put
beside all runs of their year or before on the same test collection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.records import RunRecord, canonical_measure, fetch_records
from primad_ld.archive.resolution import Resolution, describe, resolve_tag, runs_tagged
from primad_ld.archive.scores import KeptSet, sets_in
from primad_ld.compare.types import PrimadType
from primad_ld.comparison import compare_records
from primad_ld.effectiveness.vocabulary import score_predicate
from primad_ld.errors import ArchiveError
from primad_ld.namespaces import PRIMAD
from primad_ld.search import Criteria, Found, collection_pattern, comparable_runs, runs_until


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A run that is comparable."""

    record: RunRecord
    #: Its type against the run in question, if there is one.
    by_key: PrimadType | None
    strict: PrimadType | None
    score: Decimal | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """A baseline that the header names, and where it stands."""

    tag: str
    resolution: Resolution
    score: Decimal | None = None
    #: Among the comparable runs that have a score, from 1; None without scores.
    rank: int | None = None
    of: int = 0

    @property
    def percentile(self) -> float | None:
        """The share of comparable runs, in percent, that it is at least as good as."""
        if self.rank is None or not self.of:
            return None
        return 100 * (self.of - self.rank + 1) / self.of


@dataclass(frozen=True, kw_only=True, slots=True)
class BaselineReport:
    """Comparable runs, the best first, and a judgement of the declared ones."""

    run: RunRecord | None
    #: The measure of the scores, if any run has one.
    measure: str
    until: int | None
    candidates: tuple[Candidate, ...]
    #: How many runs are comparable, of which ``candidates`` may be the first only.
    comparable: int
    declared: tuple[Declared, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: One of the sets of scores that runs are ranked by: which judgements, which parameters.
    judgements: KeptSet | None = None


# The measure that most studies report comes first where there are several.
_PREFERRED: Final = ("map", "ndcg_cut_10", "ndcg", "recip_rank", "P_10")


def find_baselines(
    engine: Engine,
    run: RunRecord | None,
    criteria: Criteria | None = None,
    *,
    measure: str = "",
    as_of: int | None = None,
    own_team: bool = False,
    limit: int | None = None,
) -> BaselineReport:
    """Runs of an archive that are comparable with a run, or that fit criteria.

    With a run, they are on its test collection, share one of its measures and are not of its
    team unless ``own_team``; criteria count besides, and their collection and measures in place of
    the run's. ``as_of`` is the last year that counts when its declared baselines
    are judged; the year of its study if left out. ``limit`` bounds the candidates, not the
    judgement.
    """
    wanted = criteria or Criteria()
    measure = canonical_measure(measure)
    identities = Identities(engine)
    if run is not None:
        wanted = _for_run(identities, wanted, run, measure, own_team=own_team)
    elif measure:
        wanted = replace(wanted, measures=wanted.measures or (measure,))
    elif not (wanted.data or wanted.collection or wanted.measures or wanted.toolkit):
        raise ArchiveError("name a run, or a collection, a measure or a toolkit")
    until = as_of if as_of is not None else run.year if run is not None else wanted.until
    every = [
        one
        for one in comparable_runs(engine, replace(wanted, until=None))
        if run is None or one.iri != run.iri
    ]
    found = runs_until(every, wanted.until)
    chosen, by_key = _first_scores(engine, [measure] if measure else wanted.measures, wanted)
    judged = _by_judgements(by_key, {one.iri: one.brief.ranking for one in found})
    scores = judged.of_runs
    ranked = sorted(found, key=lambda one: _order(one, scores))
    judgement = (
        _judge(engine, run, found, judged, until, chosen, identities) if run is not None else None
    )
    return BaselineReport(
        run=run,
        measure=chosen,
        until=until,
        candidates=tuple(
            _candidates(run, [one.record for one in ranked[:limit]], scores, identities)
        ),
        comparable=len(found),
        declared=judgement.declared if judgement else (),
        warnings=judgement.warnings if judgement else (),
        notes=(
            *_notes(run, wanted, chosen, found, every),
            *judged.notes,
            *(judgement.notes if judgement else ()),
        ),
        judgements=judged.chosen,
    )


def _for_run(
    identities: Identities, criteria: Criteria, run: RunRecord, measure: str, *, own_team: bool
) -> Criteria:
    data = criteria.data
    if not data and not criteria.collection:
        data = tuple(identities.on_collection_of(run))
    if not data and not criteria.collection:
        raise ArchiveError(
            f"the header of {run.name} names no test collection, so no run is comparable; "
            "fill in data.test collection, or use --collection"
        )
    return replace(
        criteria,
        data=data,
        measures=criteria.measures or ((measure,) if measure else run.measures),
        without_teams=(*criteria.without_teams, *(() if own_team else run.teams)),
    )


# Scores ---------------------------------------------------------------------------------


#: Sets of scores that are comparable, by their keys: the first of them, and scores by ranking.
_ByKey = dict[str, tuple[KeptSet, Mapping[str, Decimal]]]


def _first_scores(engine: Engine, measures: Sequence[str], wanted: Criteria) -> tuple[str, _ByKey]:
    """The first measure that runs on the test collection have scores of, and these scores."""
    order = {name: number for number, name in enumerate(_PREFERRED)}
    for name in sorted(
        measures or _PREFERRED, key=lambda name: (order.get(name, len(order)), name)
    ):
        asked = f"SELECT ?set WHERE {{ GRAPH ?set {{ ?set <{score_predicate(name)}> ?score }} }}"
        if engine.column(f"{asked} LIMIT 1"):
            scores = _scores(engine, name, wanted)
            if scores:
                return name, scores
    return "", {}


def _scores(engine: Engine, measure: str, wanted: Criteria) -> _ByKey:
    """The scores of the runs on the test collection, whoever's they are."""
    # Nanopublications say the same in graphs of their own, which are no sets.
    table = engine.select(
        f"SELECT ?set ?ranking ?score WHERE {{ "
        f"GRAPH ?run {{ {collection_pattern(wanted)} . ?run <{PRIMAD}ranking> ?ranking }} "
        f"GRAPH ?set {{ ?set <{PRIMAD}ofRanking> ?ranking ; <{score_predicate(measure)}> ?score }} }}"
    )
    # Sets whose names end alike were made alike.
    alike: dict[str, dict[str, tuple[str, Decimal]]] = {}
    for one, ranking, score in table.rows:
        assert one is not None
        assert ranking is not None
        assert score is not None
        value = _decimal(score.value)
        if value is not None:
            alike.setdefault(one.value.rpartition("-")[2], {})[ranking.value] = one.value, value
    firsts = [min(graph for graph, _ in some.values()) for some in alike.values()]
    found: _ByKey = {}
    for kept in sets_in(engine, firsts):
        scores = {of: value for of, (_, value) in alike[kept.graph.rpartition("-")[2]].items()}
        # Of the scores of a ranking by several evaluators, one counts.
        first, known = found.get(kept.key, (kept, {}))
        found[kept.key] = first, scores | dict(known)
    return found


@dataclass(frozen=True, slots=True)
class _Judged:
    """Scores by one set of judgements, and what is to be said of others."""

    scores: Mapping[str, Decimal]
    #: Those of the comparable runs.
    of_runs: Mapping[str, Decimal]
    chosen: KeptSet | None = None
    notes: tuple[str, ...] = ()


def _by_judgements(found: _ByKey, comparable: Mapping[str, str]) -> _Judged:
    """The scores by the judgements that most comparable runs have: others are not like them."""
    if not found:
        return _Judged({}, {})
    of_runs = {
        key: {run: scores[one] for run, one in comparable.items() if one in scores}
        for key, (_, scores) in found.items()
    }
    first, *others = sorted(found, key=lambda key: (-len(of_runs[key]), -len(found[key][1]), key))
    chosen, scores = found[first]
    if not others:
        return _Judged(scores, of_runs[first], chosen)
    listed = ", ".join(f"{found[key][0].label}: {len(of_runs[key])}" for key in others)
    note = (
        f"runs are ranked by their scores by {chosen.label}, which {len(of_runs[first])} "
        f"comparable runs have; scores by other judgements or parameters do not count ({listed})"
    )
    return _Judged(scores, of_runs[first], chosen, (note,))


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _order(one: Found, scores: Mapping[str, Decimal]) -> tuple[object, ...]:
    """The best score first; without scores the latest year, then the fullest header."""
    score = scores.get(one.iri)
    return (
        score is None,
        -(score or 0),
        -(one.year or 0),
        -one.completeness,
        str(one.brief.said.get("tag", "")),
        one.iri,
    )


def _candidates(
    run: RunRecord | None,
    records: Sequence[RunRecord],
    scores: Mapping[str, Decimal],
    identities: Identities,
) -> Iterator[Candidate]:
    identities.fetch(records)
    for record in records:
        comparison = compare_records(run, record, identities) if run is not None else None
        yield Candidate(
            record=record,
            by_key=comparison.by_key if comparison else None,
            strict=comparison.strict if comparison else None,
            score=scores.get(record.iri),
        )


# The judgement --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judgement:
    declared: tuple[Declared, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def _judge(
    engine: Engine,
    run: RunRecord,
    found: Sequence[Found],
    judged: _Judged,
    until: int | None,
    measure: str,
    identities: Identities,
) -> _Judgement:
    """Where the declared baselines stand among the runs that were there in their time."""
    pool = {one.iri for one in runs_until(found, until)}
    scores = dict(judged.of_runs)
    declared = []
    for tag in run.baselines:
        named = fetch_records(engine, runs_tagged(engine, tag))
        resolution = resolve_tag(named, tag, run, identities)
        if (one := resolution.run) is not None and one.ranking in judged.scores:
            scores[one.iri] = judged.scores[one.ranking]
        declared.append(_placed(resolution, pool, scores, until))
    notes = [
        f"the baseline {one.tag!r} is of {one.resolution.run.year}, later than {until}, and is "
        "not judged"
        for one in declared
        if one.resolution.run is not None and _is_later(one.resolution.run, until)
    ]
    undated = sum(1 for one in found if one.year is None)
    if until is not None and undated:
        notes.append(f"comparable runs that name no year do not count in the judgement: {undated}")
    if not run.baselines:
        notes.append(f"the header of {run.name} declares no baseline")
    elif run.is_reproduction:
        notes.append(f"{run.name} is a reproduction, so the run it names is its target")
    warnings = [warning for one in declared for warning in _unclear(one, run, engine)]
    warnings.extend(_stronger(engine, declared, pool, scores, until, measure))
    return _Judgement(tuple(declared), tuple(warnings), tuple(notes))


def _placed(
    resolution: Resolution, pool: set[str], scores: Mapping[str, Decimal], until: int | None
) -> Declared:
    """A declared baseline with its rank among the runs that count and itself."""
    run = resolution.run
    if run is None or not resolution.is_comparable or _is_later(run, until):
        return Declared(tag=resolution.tag, resolution=resolution, of=len(pool))
    counted = pool | {run.iri}
    score = scores.get(run.iri)
    if score is None:
        return Declared(tag=resolution.tag, resolution=resolution, of=len(counted))
    scored = [scores[iri] for iri in counted if iri in scores]
    return Declared(
        tag=resolution.tag,
        resolution=resolution,
        score=score,
        rank=1 + sum(1 for other in scored if other > score),
        of=len(scored),
    )


def _is_later(run: RunRecord, until: int | None) -> bool:
    """Whether a run came after the year that counts, so that it cannot be judged by it."""
    return until is not None and run.year is not None and run.year > until


def _unclear(declared: Declared, run: RunRecord, engine: Engine) -> Iterator[str]:
    resolution = declared.resolution
    if resolution.is_ambiguous:
        yield (
            f"the baseline {declared.tag!r} is ambiguous, {len(resolution.candidates)} runs have "
            f"this tag: {describe(resolution.candidates)}"
        )
    elif resolution.run is None:
        yield f"the baseline {declared.tag!r} is not in {engine.name}"
    elif not resolution.is_comparable:
        yield (
            f"the baseline {declared.tag!r} is on "
            f"{resolution.run.collection or 'an unnamed collection'}, "
            f"and {run.name} on {run.collection or 'an unnamed one'}"
        )


def _stronger(
    engine: Engine,
    declared: Sequence[Declared],
    pool: set[str],
    scores: Mapping[str, Decimal],
    until: int | None,
    measure: str,
) -> Iterator[str]:
    """A plain warning where the best declared baseline was not the best run of its time."""
    placed = [one for one in declared if one.score is not None]
    if not placed:
        return
    best = max(placed, key=lambda one: (one.score or 0, one.tag))
    assert best.score is not None
    stronger = sorted(
        (iri for iri in pool if iri in scores and scores[iri] > best.score),
        key=lambda iri: (-scores[iri], iri),
    )
    if not stronger:
        return
    (first,) = fetch_records(engine, stronger[:1])
    when = f" up to {until}" if until is not None else ""
    yield (
        f"stronger comparable runs existed: {len(stronger)} of {best.of}{when} have a higher "
        f"{measure} than the best declared baseline {best.tag!r} ({best.score:.4f}); the best is "
        f"{first.name!r} of {', '.join(first.teams) or 'no team'} ({scores[first.iri]:.4f})"
    )


def _notes(
    run: RunRecord | None,
    wanted: Criteria,
    measure: str,
    found: Sequence[Found],
    every: Sequence[Found],
) -> Iterator[str]:
    undated = sum(1 for one in every if one.year is None)
    if wanted.until is not None and undated:
        yield f"runs that name no year are left out, as they may be later than {wanted.until}: {undated}"
    if run is not None and not wanted.measures:
        yield f"the header of {run.name} names no reported measures; all runs of the collection count"
    if found and not measure:
        named = f" of {', '.join(wanted.measures)}" if wanted.measures else ""
        yield f"there are no scores{named} in the archive, so runs are ordered by year and completeness"
