"""Scores by topic of an archive, which stand in for run files that are not at hand.

They were made by the same judgements and with the same parameters as those of the reference, so
measures of scores say what they would say of the files. Measures of order need the files.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import SomeRuns
from primad_ld.archive.identities import Identities
from primad_ld.archive.run_dependants import ROLES
from primad_ld.archive.runs import RunRecord, count_rankings, records_with
from primad_ld.archive.scores import KeptSet, evaluator_of, kept_sets, score_names, scored_by
from primad_ld.archive.topic_scores import kept_topic_scores, measures_by_topic
from primad_ld.core.errors import MeasureError
from primad_ld.evaluation.evaluated_runs import Entrant
from primad_ld.evaluation.evaluation_jobs import Job
from primad_ld.evaluation.evaluations import (
    EvaluationOptions,
)
from primad_ld.evaluation.headers_of_runs import declared_corrections
from primad_ld.evaluation.runs_and_judgements import GivenScores, JudgedRun, Loader
from primad_ld.rdf.lowering import lower_runs
from primad_ld.trec.scorer import evaluator_version


@dataclass(frozen=True, kw_only=True)
class StandIns:
    """The runs that have such scores, and how these were made."""

    #: By the IRI of the run.
    runs: Mapping[str, Entrant] = field(default_factory=dict)
    given: Mapping[str, GivenScores] = field(default_factory=dict)
    evaluator: str = ""
    #: Whether files would be scored by the same version of it.
    is_current: bool = False
    #: What the judgements are called.
    label: str = ""
    #: Why there are none, or no more.
    notes: tuple[str, ...] = ()

    def job(self, job: Job) -> Job | None:
        """A pair of which a side has no file, all sides scored; None if one cannot be."""
        found: dict[str, Any] = {name: self._side(judged) for name, judged in _sides(job).items()}
        return replace(job, **found) if None not in found.values() else None

    def _side(self, judged: JudgedRun) -> JudgedRun | None:
        if judged.run.is_table or (judged.qrels and self.is_current):
            return judged
        record = judged.run.record
        run = self.runs.get(record.iri) if record is not None else None
        return JudgedRun(run=run) if run is not None else None


def find_stand_ins(
    engine: Engine,
    record: RunRecord,
    reference: JudgedRun | None,
    files: Collection[str],
    options: EvaluationOptions,
) -> StandIns:
    """The runs of an archive that have scores by topic by the judgements of a reference.

    ``reference`` is its file with the judgements for it, if there is one, and ``files`` are the
    rankings that files have. Where the archive has such scores of the reference by several
    judgements, and the options do not say which, there are none; a note says so, or an error if
    there is no file of the reference, either.
    """
    ways = _ways(engine, record, reference, options)
    alike = {
        one.graph: one
        for judgements in sorted({way.judgements for way in ways})
        for one in scored_by(engine, judgements)
        if one.key in {way.key for way in ways}
    }
    lonely = {one.ranking for one in alike.values()} - {*files, record.ranking}
    if reference is not None and not lonely:
        return StandIns()
    if len({one.key for one in ways}) > 1:
        labels = " and for ".join(sorted({one.label for one in ways}))
        why = (
            f"{engine.name} has per-topic scores of {record.name} for {labels}; choose "
            "judgements (--qrels)"
        )
        if reference is None:
            raise MeasureError(why)
        return StandIns(notes=(f"runs without a file are left out: {why}",))
    if not ways:
        return StandIns()
    if options.rep_qrels:
        why = "runs without a file are left out: --rep-qrels needs run files"
        return StandIns(notes=(why,))
    names = score_names(options.on)
    evaluator = max(evaluator_of(one.evaluator, names) for one in ways)
    way = next(one for one in ways if evaluator_of(one.evaluator, names) == evaluator)
    sets = {
        one.graph: one.ranking
        for one in alike.values()
        if evaluator_of(one.evaluator, names) == evaluator
    }
    scores = {
        sets[graph]: GivenScores(scores=found, judgements=way.judgements)
        for graph, found in kept_topic_scores(engine, sets, names).items()
    }
    is_scored = reference is not None and reference.qrels
    if lonely and not is_scored and record.ranking not in scores:
        # Nothing can be compared with a reference that has no scores itself.
        scores = {}
    records = records_with(engine, scores)
    identities = Identities(engine)
    identities.fetch(records)
    lacking = count_rankings(engine) - len({*files, record.ranking, *scores})
    note = (
        f"{lacking:,} ranking{'s' * (lacking != 1)} without a file skipped: {engine.name} has "
        f"no per-topic scores of {', '.join(names)} for {way.label} with {evaluator}"
    )
    runs = {
        one.iri: Entrant(
            name=one.name,
            path="",
            column=one.iri,
            is_table=True,
            record=one,
            data=identities.of(one).get("data"),
        )
        for one in records
    }
    if record.iri in runs:
        (lowered,) = lower_runs(SomeRuns(engine, [record.iri]))
        declared = declared_corrections(lowered.header)
        runs[record.iri] = replace(runs[record.iri], correction=declared)
    return StandIns(
        runs=runs,
        given={one.iri: scores[one.ranking] for one in records},
        evaluator=evaluator,
        is_current=evaluator == evaluator_version(names),
        label=way.label,
        notes=(note,) if lacking else (),
    )


def _ways(
    engine: Engine, record: RunRecord, reference: JudgedRun | None, options: EvaluationOptions
) -> list[KeptSet]:
    """How the reference is scored: by the judgements of its file, or as the archive has it."""
    loader = Loader(options.reading)
    parameters = {"relevance level": options.relevance_level, "complete": options.is_complete}
    if reference is not None and reference.qrels:
        return [
            KeptSet(
                graph="",
                ranking=record.ranking,
                evaluator=evaluator_version(score_names(options.on)),
                judgements=loader.digest(reference),
                qrels=Path(reference.qrels).name,
                parameters=parameters,
            )
        ]
    wanted = {loader.judgements(path).digest for path in options.qrels}
    found = [
        one
        for one in kept_sets(engine, [record.ranking])
        if replace(one, parameters=parameters).key == one.key
        and (one.judgements in wanted or not wanted)
    ]
    there = measures_by_topic(engine, [one.graph for one in found])
    return [one for one in found if one.graph in there]


def has_stand_in(job: Job) -> bool:
    """Whether a side of a pair has no file."""
    return any(judged.run.is_table for judged in _sides(job).values())


def _sides(job: Job) -> dict[str, JudgedRun]:
    """The runs of a pair, by the fields of `Job`."""
    return {name: judged for name in ROLES if (judged := getattr(job, name)) is not None}
