"""What is to be evaluated: a pair, or a baseline and an advanced run with what reproduces them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad_ld.compare.primad_types import PrimadType, counted
from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.evaluated_runs import Entrant, each_once
from primad_ld.evaluation.runs_and_judgements import JudgedRun, Judges
from primad_ld.measures.registry import Chosen, TopicPairing
from primad_ld.measures.results import WITHOUT_TYPE

if TYPE_CHECKING:
    from primad_ld.archive.identities import Identities
    from primad_ld.search.comparison import Comparison
    from primad_ld.search.studies import StudyPairs


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A pair to evaluate, or two."""

    reference: JudgedRun
    candidate: JudgedRun
    reference_advanced: JudgedRun | None = None
    candidate_advanced: JudgedRun | None = None
    comparison: Comparison | None = None

    @property
    def type(self) -> PrimadType | None:
        """The type by key, of a study the one of its baselines; None where a run has no header."""
        return self.comparison.by_key if self.comparison is not None else None

    @property
    def has_effects(self) -> bool:
        """Whether there are a baseline and an advanced run on both sides."""
        return self.reference_advanced is not None and self.candidate_advanced is not None


def sides_of(jobs: Iterable[Job]) -> list[JudgedRun]:
    """The runs of pairs, each as often as it occurs."""
    return [
        run
        for job in jobs
        for run in (
            *(job.reference, job.candidate),
            *(job.reference_advanced, job.candidate_advanced),
        )
        if run is not None
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedMeasures:
    """Which measures are asked for."""

    #: In the order in which they are answered.
    measures: tuple[Chosen, ...]
    #: Whether somebody named them, so that one that is not valid is told and not left out.
    are_named: bool = False
    #: Whether both sides have the same topics; None: found out.
    data: TopicPairing | None = None
    #: Whether a baseline and an advanced run are among the pairs.
    has_studies: bool = False
    #: Whether there are so many pairs that arrays pay, which take a while to import.
    has_many: bool = False
    #: Whether values by topic are wanted, too.
    by_topic: bool = False


def jobs_against(
    first: Entrant,
    others: Sequence[Entrant],
    judges: Judges,
    identities: Identities | None = None,
) -> list[Job]:
    """One run with each of others, and the pairs of a study that it is an original of.

    ``identities`` are those of the archive that the runs are of, if they are of one.
    """
    runs = each_once([first, *others])
    # It fetches what all of them are compared by, at once.
    studies = study_jobs(runs, judges, identities)[0]
    judges = judges.among(runs)
    jobs = [
        Job(
            reference=judges.of(first),
            candidate=judges.of(run, first),
            comparison=_comparison(first, run, identities),
        )
        for run in others
    ]
    return [*jobs, *(job for job in studies if _is_about(job, first))]


def study_jobs(
    runs: Sequence[Entrant], judges: Judges, identities: Identities | None = None
) -> tuple[list[Job], StudyPairs | None]:
    """The reproduced pairs of a study, from what headers say, and what could not be told."""
    records = [run.record for run in runs if run.record is not None]
    if not records:
        return [], None
    from primad_ld.search.studies import find_pairs

    by_iri = {run.record.iri: run for run in runs if run.record is not None}
    judges = judges.among(runs)
    found = find_pairs(records, identities)
    jobs = [
        study_job(
            by_iri[pair.baseline.iri],
            by_iri[pair.advanced.iri],
            by_iri[pair.reproduced_baseline.iri],
            by_iri[pair.reproduced_advanced.iri],
            judges,
            identities,
        )
        for pair in found.pairs
        if pair.reproduced_baseline is not None and pair.reproduced_advanced is not None
    ]
    return jobs, found


def study_job(
    baseline: Entrant,
    advanced: Entrant,
    again: Entrant,
    again_advanced: Entrant,
    judges: Judges,
    identities: Identities | None = None,
) -> Job:
    """A baseline and an advanced run with what reproduces them."""
    return Job(
        reference=judges.of(baseline),
        candidate=judges.of(again, baseline),
        reference_advanced=judges.of(advanced),
        candidate_advanced=judges.of(again_advanced, advanced),
        comparison=_comparison(baseline, again, identities),
    )


def _is_about(job: Job, run: Entrant) -> bool:
    """Whether a run is one of the originals of a study's pair."""
    originals = (job.reference, job.reference_advanced)
    return any(one is not None and one.run.identity == run.identity for one in originals)


def _comparison(
    reference: Entrant, candidate: Entrant, identities: Identities | None = None
) -> Comparison | None:
    if reference.record is None or candidate.record is None:
        return None
    from primad_ld.search.comparison import compare_records

    return compare_records(reference.record, candidate.record, identities)


def select_jobs(
    jobs: Sequence[Job], types: Sequence[PrimadType], problems: Sequence[object] = ()
) -> tuple[list[Job], tuple[str, ...]]:
    """The pairs of some types, all if none is named, and a note of those that are left out."""
    if not types or not jobs:
        return list(jobs), ()
    notes = left_out(Counter(job.type for job in jobs), types, problems)
    return [job for job in jobs if job.type in types], notes


def left_out(
    counts: Mapping[PrimadType | None, int],
    types: Sequence[PrimadType],
    problems: Sequence[object] = (),
) -> tuple[str, ...]:
    """A note of how many pairs are of other types than some; `MeasureError` if all are.

    The error tells the ``problems`` as well: what could not be read may have been of the type.
    """
    others = {type: count for type, count in counts.items() if type not in types}
    number, total = sum(others.values()), sum(counts.values())
    if not number:
        return ()
    named, said = " or ".join(map(str, types)), _counted(others)
    are = "is" if number == 1 else "are"
    if number == total:
        why = f"no pair has type {named}; types of these pairs: {said}"
        raise MeasureError("; ".join([why, *map(str, problems)]))
    return (
        f"{number:,} of {total:,} pairs {are} left out because they do not have type "
        f"{named}: {said}",
    )


def _counted(counts: Mapping[PrimadType | None, int]) -> str:
    """``16 prIMAd, 4 PrIMAd``, fewest differences first; those without a type last."""
    parts = counted({type: count for type, count in counts.items() if type is not None})
    if None in counts:
        parts.append(f"{counts[None]:,} {WITHOUT_TYPE}, as a run has no header")
    return ", ".join(parts)
