"""Which runs a run can be compared with, and whether its declared baselines are weak ones.

Improvements that do not add up come from baselines that were not the strongest ones known at
the time (Armstrong et al., CIKM 2009; Yang et al., SIGIR 2019). So a run's baselines are put
beside the comparable runs of the years before it: on the same topics, scored by the same
judgements (D10). `comparable_runs` finds these, `competing_runs` says which of them count and by
which scores, and `stronger_than_baseline` which are stronger by more than their means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import RunRecord, canonical_measure, fetch_records
from primad_ld.archive.tag_resolution import Resolution, describe, resolve_tag, runs_tagged
from primad_ld.core.errors import ArchiveError, MeasureError, UnknownMeasureError
from primad_ld.core.library_arguments import optional, to_whole
from primad_ld.search.comparable_runs import Criteria, FoundRun, comparable_runs, count_on, narrowed
from primad_ld.search.comparison import compare_records
from primad_ld.search.competing_runs import (
    BaselineReport,
    Candidate,
    Competition,
    Declared,
    Known,
    Standing,
    TeamsAbove,
    choose_scores,
    criteria_for,
    kind_of,
    other_kind,
    scored_rankings,
)
from primad_ld.search.stronger_than_baseline import best_declared, in_words, stronger_teams
from primad_ld.trec.measure_names import canonical, is_family


def find_baselines(
    engine: Engine,
    run: RunRecord | None,
    criteria: Criteria | None = None,
    *,
    measure: str = "",
    judgements: str = "",
    as_of: int | None = None,
    own_team: bool = False,
    any_kind: bool = False,
    limit: int | None = None,
) -> BaselineReport:
    """Runs of an archive that are comparable with a run, or that fit criteria.

    With a run, they are on the topics of its test collection, share one of its measures (or have scores by ``measure``) and are
    not of its team unless ``own_team``; the collection and measures of the criteria count in place
    of the run's, their other ones for the list and not for the judgement. They are ranked by the judgements that most of them were scored by, or
    those that ``judgements`` names; manual runs and automatic ones apart unless ``any_kind``.
    ``as_of`` is the last year that counts when its declared baselines are judged; the year before
    that of its study if left out. ``limit`` bounds the candidates, not the judgement.
    """
    as_of = optional(to_whole())(as_of, "as_of")
    limit = optional(to_whole(0))(limit, "limit")
    wanted = criteria or Criteria()
    measure = _one_measure(measure) if measure else ""
    identities = Identities(engine)
    others: list[str] = []
    if run is not None:
        if not (wanted.data or wanted.collection):
            others += _on_other_topics(engine, identities, run)
        wanted = criteria_for(identities, wanted, run, measure, own_team=own_team)
    elif measure:
        wanted = replace(wanted, measures=wanted.measures or (measure,))
    elif not (wanted.data or wanted.collection or wanted.measures or wanted.toolkit):
        raise ArchiveError("name a run, or a collection, a measure or a toolkit")
    scored = scored_rankings(engine, measure) if measure else frozenset[str]()
    everything = replace(wanted, until=None, automatic_only=False, toolkit="")
    every = [
        one
        for one in comparable_runs(engine, everything, scored)
        if run is None or one.iri != run.iri
    ]
    found = narrowed(engine, every, wanted)
    # Which runs are to be seen does not change what baselines are judged by.
    rivals = found if run is None else every
    ranking = choose_scores(
        engine,
        [measure] if measure else wanted.measures,
        wanted,
        [one.ranking for one in rivals if one.ranking],
        judgements,
    )
    apart = other_kind(engine, identities, run, rivals) if run and not any_kind else ("", ())
    competition = Competition(rivals, ranking, run, *apart)
    report = BaselineReport(
        run=run,
        measure=ranking.measure,
        score=ranking.of(run.ranking) if run is not None else None,
        until=wanted.until if run is None else _last_year(run, as_of),
        candidates=tuple(_candidates(run, competition, found, limit, identities)),
        comparable=len(found),
        notes=(
            *_notes(run, wanted, ranking.measure, found, every),
            *others,
            *competition.notes(),
        ),
        judgements=ranking.chosen.kept if ranking.chosen is not None else None,
    )
    return _judged(engine, identities, report, competition, as_of) if run is not None else report


def _one_measure(name: str) -> str:
    """A measure by its one name; one that headers may report, although nothing computes it."""
    try:
        found = canonical(name)
    except UnknownMeasureError:
        raise
    except MeasureError:
        return canonical_measure(name)
    if is_family(found):
        raise MeasureError(f"{name} is a family of measures; name one of them, such as {found}_10")
    return found


def _on_other_topics(engine: Engine, identities: Identities, run: RunRecord) -> Iterator[str]:
    """How many runs are on the same documents and yet not comparable."""
    data = identities.data_with_other_topics(run)
    if data:
        yield (
            "runs on other topics or a part of the collection are not comparable: "
            f"{count_on(engine, data):,}"
        )


def _last_year(run: RunRecord, as_of: int | None) -> int | None:
    """The last year that counts: what appeared in the study's own year was not known to it."""
    return as_of if as_of is not None or run.year is None else run.year - 1


def _candidates(
    run: RunRecord | None,
    competition: Competition,
    found: Sequence[FoundRun],
    limit: int | None,
    identities: Identities,
) -> Iterator[Candidate]:
    shown = competition.in_order(found)[:limit]
    records = [one.record for one in shown]
    identities.fetch(records)
    for one, record in zip(shown, records, strict=True):
        comparison = compare_records(run, record, identities) if run is not None else None
        yield Candidate(
            record=record,
            by_key=comparison.by_key if comparison else None,
            strict=comparison.strict if comparison else None,
            score=competition.ranking.of(record.ranking),
            why=competition.reasons.get(record.iri, ""),
            is_apart=competition.is_apart(one),
        )


def _judged(
    engine: Engine,
    identities: Identities,
    report: BaselineReport,
    competition: Competition,
    as_of: int | None,
) -> BaselineReport:
    """The report with what is to be said of the declared baselines of its run."""
    run, until = report.run, report.until
    assert run is not None
    known = competition.known_until(until)
    latest = as_of if as_of is not None else run.year
    judge = _TagJudge(engine, identities, run, known, latest, competition.kind)
    declared = judge.declared()
    best = best_declared(declared)
    stronger = stronger_teams(engine, best, known) if best is not None else ()
    warnings, notes = in_words(best, stronger, known, until) if best is not None else ([], [])
    unclear = [text for one in declared for text in judge.unclear(one)]
    if run.is_reproduction:
        unclear, notes = [], unclear
    if declared and not run.is_reproduction:
        notes = [*_not_known(run, competition.found, until), *notes]
    return replace(
        report,
        declared=declared,
        stronger=stronger,
        warnings=(*unclear, *warnings),
        notes=(*report.notes, *judge.notes(declared), *notes),
    )


def _not_known(run: RunRecord, found: Sequence[FoundRun], until: int | None) -> Iterator[str]:
    """How many comparable runs do not count, as they may not have been there."""
    if until is None:
        yield (
            f"the header of {run.name} has no year, so baselines are judged by runs of all "
            "years; limit them with --as-of YEAR (as_of)"
        )
        return
    years = [one.year for one in found]
    is_own = until + 1 == run.year
    counted = {
        f"of the same year ({run.year})": years.count(run.year) if is_own else 0,
        f"later than {until + is_own}": sum((year or 0) > until + is_own for year in years),
        "without a year": years.count(None),
    }
    for which, number in counted.items():
        if number:
            how = f"; include them with --as-of {run.year}" if which.startswith("of ") else ""
            yield f"comparable runs {which} not used to judge baselines: {number}{how}"


def _notes(
    run: RunRecord | None,
    wanted: Criteria,
    measure: str,
    found: Sequence[FoundRun],
    every: Sequence[FoundRun],
) -> Iterator[str]:
    undated = sum(1 for one in every if one.year is None)
    if wanted.until is not None and undated:
        yield (
            f"runs without a year are left out, as they may be later than {wanted.until}: {undated}"
        )
    if run is not None and not wanted.measures:
        yield (
            f"the header of {run.name} has no reported measures; all runs of the collection "
            "are compared"
        )
    if wanted.measures and not every:
        yield f"no comparable run reports {' or '.join(wanted.measures)}"
    if found and not measure:
        named = f" of {', '.join(wanted.measures)}" if wanted.measures else ""
        yield f"there are no scores{named} in the archive, so runs are ordered by year and completeness"


# Declared baselines -----------------------------------------------------------------------


@dataclass(frozen=True)
class _TagJudge:
    """Finds the baselines that a header names by tag, and says where they stand."""

    engine: Engine
    identities: Identities
    run: RunRecord
    known: Known
    #: The year after which a baseline is not judged.
    latest: int | None
    #: Manual or automatic, where runs of this kind do not compete with the run.
    other_kind: str = ""

    def declared(self) -> tuple[Declared, ...]:
        """Each baseline of the header with its rank, or the reason why it has none."""
        return tuple(self._placed(self._resolved(tag)) for tag in self.run.baselines)

    def _resolved(self, tag: str) -> Resolution:
        named = fetch_records(self.engine, runs_tagged(self.engine, tag))
        comparable = self.identities.are_comparable
        return resolve_tag(named, tag, self.run, self.identities, comparable)

    def _placed(self, resolution: Resolution) -> Declared:
        run = resolution.run
        is_here = run is not None and resolution.is_comparable
        score = self.known.ranking.of(run.ranking) if run is not None and is_here else None
        why = self._why_not(resolution)
        counted = set(self.known.runs)
        if run is not None and is_here and not self.run.is_reproduction and not self._is_late(run):
            counted.add(run.ranking or run.iri)
        runs, teams = Standing(of=len(counted)), TeamsAbove()
        if run is not None and score is not None and not why:
            runs, teams = self.known.standings(run, score)
        return Declared(
            tag=resolution.tag,
            resolution=resolution,
            is_target=self.run.is_reproduction,
            score=score,
            runs=runs,
            teams=teams,
            why=why,
        )

    def _why_not(self, resolution: Resolution) -> str:
        """Why a baseline has no rank; empty if it has one."""
        run = resolution.run
        if run is None:
            number = len(resolution.candidates)
            return f"ambiguous ({number} runs)" if number else "not in the archive"
        if not resolution.is_comparable:
            other = run.collection or "another collection"
            return f"other topics of {other}" if self._is_on_other_topics(run) else f"on {other}"
        if self.run.is_reproduction:
            return "target"
        if self._is_late(run):
            return f"of {run.year}, later than {self.latest}"
        if self.other_kind and kind_of(self.identities, run) == self.other_kind:
            return self.other_kind
        return self.known.ranking.why_unscored(run.ranking)

    def _is_on_other_topics(self, run: RunRecord) -> bool:
        return self.identities.have_other_topics(self.run, run)

    def _is_late(self, run: RunRecord) -> bool:
        """Whether a run came after the year that counts, so that it cannot be judged by it."""
        return self.latest is not None and run.year is not None and run.year > self.latest

    def notes(self, declared: tuple[Declared, ...]) -> Iterator[str]:
        """What is said of baselines besides."""
        if not self.run.baselines:
            yield f"the header of {self.run.name} declares no baseline"
        elif self.run.is_reproduction:
            yield (
                f"{self.run.name} is a reproduction: the run it names is its target and is not "
                "judged as a baseline"
            )
        for one in declared:
            found = one.resolution.run
            if found is None or not one.resolution.is_comparable or one.is_target:
                continue
            if self._is_late(found):
                yield (
                    f"the baseline {one.tag!r} is not judged: its year, {found.year}, is after "
                    f"{self.latest}"
                )
            elif one.why and self.known.ranking.measure:
                yield f"the baseline {one.tag!r} is not judged: {one.why}"

    def unclear(self, one: Declared) -> Iterator[str]:
        """That a tag means no run that can be judged."""
        resolution = one.resolution
        what = f"the {'target' if one.is_target else 'baseline'} {one.tag!r}"
        if resolution.is_ambiguous:
            yield (
                f"{what} is ambiguous, {len(resolution.candidates)} runs have this tag: "
                f"{describe(resolution.candidates)}"
            )
        elif resolution.run is None:
            yield f"{what} is not in {self.engine.name}"
        elif not resolution.is_comparable and self._is_on_other_topics(resolution.run):
            yield (
                f"{what} is on other topics of {resolution.run.collection or 'its collection'} "
                f"than {self.run.name}"
            )
        elif not resolution.is_comparable:
            yield (
                f"{what} is on {resolution.run.collection or 'an unnamed collection'}, "
                f"and {self.run.name} on {self.run.collection or 'an unnamed one'}"
            )
