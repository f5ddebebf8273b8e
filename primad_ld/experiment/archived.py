"""Pairs that an archive finds, evaluated from files, and kept as assessments.

The archive knows the runs, their types and which belong together; the rankings lie in files and
are recognised by their digests. Assessments that it has are not computed again, and what is
returned is what it holds: the same before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from primad_ld.archive.assessments import (
    Assessment,
    AssessmentKey,
    Measurement,
    assessments_of,
    keep_assessment,
    kept_assessment,
)
from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.opening import open_engine
from primad_ld.archive.records import RunRecord, select_records, values
from primad_ld.arguments import AnyPaths, to_paths
from primad_ld.effectiveness.names import COMMON, canonical
from primad_ld.effectiveness.scoring import evaluator_version
from primad_ld.errors import HeaderError, MeasureError
from primad_ld.experiment.evaluating import Evaluator
from primad_ld.experiment.jobs import Job, jobs_against, select_jobs
from primad_ld.experiment.loading import Loader
from primad_ld.experiment.results import Evaluation, PairResult, Result, Subject, Topics
from primad_ld.experiment.running import (
    EvaluationOptions,
    Progress,
    evaluate_jobs,
    in_reading_order,
)
from primad_ld.experiment.subjects import Entrant, find_entrants
from primad_ld.iris import name_of
from primad_ld.lookup import resolve_named
from primad_ld.measures.figures import Figure
from primad_ld.measures.registry import all_measures, parse_measure
from primad_ld.namespaces import PRIMAD
from primad_ld.processes import cores, in_processes
from primad_ld.runfile import read_ranking

_AT_ONCE = 200
_RUNS_FOR_PROCESSES = 24


def evaluate_archive(
    archive: str | Path | None,
    reference: str,
    runs_in: AnyPaths,
    options: EvaluationOptions,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """A run of an archive against all others of it whose rankings are among some files.

    Unless measures of effectiveness are named, they are those that the reference's header
    reports, else some that everybody knows: hundreds of assessments of ninety measures each
    would hide what matters.
    """
    runs_in = to_paths(runs_in, "runs_in")
    found = find_entrants(runs_in)
    digests, unreadable = _digests(found.runs, options)
    with open_engine(archive, writable=True) as engine:
        record = resolve_named(engine, reference)
        entrants = _entrants(engine, digests, record)
        first = next((run for run in entrants if run.record and run.record.iri == record.iri), None)
        if first is None:
            raise MeasureError(
                f"none of the files in {', '.join(map(str, runs_in))} has the ranking of "
                f"{record.name}; name its folder with --runs-in"
            )
        options = replace(options, on=options.on or _reported(record))
        problems = [*found.problems, *unreadable]
        # Its file has to be among them; that a run equals itself is not worth keeping.
        others = [run for run in entrants if run is not first]
        if not others:
            raise MeasureError(
                "; ".join(
                    [
                        f"{', '.join(map(str, runs_in))}: no run of {engine.name} besides "
                        f"{record.name}, which is not compared with itself; add files or folders of "
                        "other runs with --runs-in",
                        *map(str, problems),
                    ]
                )
            )
        every = jobs_against(first, others, options.judges, Identities(engine))
        jobs, notes = select_jobs(every, options.types, problems)
        evaluation = _evaluated(engine, jobs, options, progress)
    return replace(
        evaluation,
        problems=(*evaluation.problems, *dict.fromkeys(map(str, problems))),
        notes=(*found.notes, *notes, *evaluation.notes),
    )


def _reported(record: RunRecord) -> tuple[str, ...]:
    names = []
    for name in record.measures:
        try:
            names.append(canonical(name))
        except MeasureError:
            continue  # headers may report measures that trec_eval has not
    return tuple(names) or COMMON


# Which runs -------------------------------------------------------------------------------


def _digests(
    runs: Sequence[Entrant], options: EvaluationOptions
) -> tuple[list[tuple[Entrant, str]], list[HeaderError]]:
    """Runs with the digests of their rankings, and those that cannot be read."""
    rankings = [run for run in runs if not run.is_table]
    processes = options.jobs or (cores() if len(rankings) >= _RUNS_FOR_PROCESSES else 1)
    made = in_processes([run.path for run in rankings], _Digester, (), processes)
    found, problems = [], []
    for run, digest in zip(rankings, made, strict=True):
        if isinstance(digest, HeaderError):
            problems.append(digest)
        else:
            found.append((run, digest))
    return found, problems


class _Digester:
    """Reads rankings in a process of its own."""

    def __call__(self, paths: Iterable[str]) -> Iterator[str | HeaderError]:
        for path in paths:
            try:
                yield read_ranking(Path(path)).digest
            except HeaderError as error:
                yield error


def _entrants(
    engine: Engine, digests: Sequence[tuple[Entrant, str]], reference: RunRecord
) -> list[Entrant]:
    """The runs of the archive that have these rankings, as the archive knows them."""
    base, _, name = reference.ranking.rpartition("ranking/")
    if not name:
        raise MeasureError(
            f"{reference.name} was loaded without its ranking (--headers-only), so nothing tells "
            "which file it is; load it again with the ranking"
        )
    files: dict[str, Entrant] = {}
    for run, digest in digests:
        files.setdefault(f"{base}ranking/{name_of(digest)}", run)
    listed = list(files)
    found: list[Entrant] = []
    for start in range(0, len(listed), _AT_ONCE):
        some = values(listed[start : start + _AT_ONCE])
        for record in select_records(
            engine, f"?run <{PRIMAD}ranking> ?ranking", f"VALUES ?ranking {{ {some} }}"
        ):
            file = files[record.ranking]
            found.append(replace(file, name=record.name, record=record))
    return sorted(found, key=lambda run: (run.name, run.path, run.record.iri if run.record else ""))


# What the archive has ---------------------------------------------------------------------


def _evaluated(
    engine: Engine, jobs: Sequence[Job], options: EvaluationOptions, progress: Progress | None
) -> Evaluation:
    keys = _keys(jobs, options)
    new = [job for job, key in zip(jobs, keys, strict=True) if not kept_assessment(engine, key)]
    plain = replace(options, correction="", by_topic=False, types=())
    done = evaluate_jobs(new, plain, progress=progress)
    asked = {_runs_of(key): key for key in keys}
    for pair in done.pairs:
        advanced = (pair.reference_advanced, pair.candidate_advanced)
        one, other = (found.iri if found is not None else "" for found in advanced)
        key = asked[pair.reference.iri, pair.candidate.iri, one, other]
        keep_assessment(engine, pair, done.evaluator, done.parameters, asked=key)
    pairs = [
        _rebuilt(found, job)
        for job, key in zip(jobs, keys, strict=True)
        for found in assessments_of(engine, key)
    ]
    count = len(jobs) - len(new)
    return Evaluation(
        pairs=tuple(in_reading_order(pairs, options)),
        is_scored=True,
        parameters=options.parameters,
        problems=done.problems,
        notes=(
            f"{len(new)} pair{'s' * (len(new) != 1)} assessed, {count} known to {engine.name}",
            *dict.fromkeys(note for pair in done.pairs for note in pair.notes),
        ),
    )


def _keys(jobs: Sequence[Job], options: EvaluationOptions) -> list[AssessmentKey]:
    """What each assessment depends on, told before the work is done."""
    evaluator = Evaluator(Loader(options.reading), options.question)
    return [
        AssessmentKey(
            reference=_iri(job.reference.run),
            candidate=_iri(job.candidate.run),
            reference_advanced=_iri(job.reference_advanced.run) if job.reference_advanced else "",
            candidate_advanced=_iri(job.candidate_advanced.run) if job.candidate_advanced else "",
            judgements=evaluator.digests(job),
            is_same_data=evaluator.is_same_data(job),
            evaluator=evaluator_version(),
            parameters=options.parameters,
            measures=options.measures,
            on=options.on,
        )
        for job in jobs
    ]


def _runs_of(key: AssessmentKey) -> tuple[str, str, str, str]:
    return key.reference, key.candidate, key.reference_advanced, key.candidate_advanced


def _iri(run: Entrant) -> str:
    return run.record.iri if run.record is not None else ""


def _rebuilt(found: Assessment, job: Job) -> PairResult:
    """A pair as the archive has it."""
    comparison = job.comparison

    def subject(run: Entrant) -> Subject:
        return Subject(name=run.name, path=run.path, iri=_iri(run))

    return PairResult(
        reference=subject(job.reference.run),
        candidate=subject(job.candidate.run),
        reference_advanced=subject(job.reference_advanced.run) if job.reference_advanced else None,
        candidate_advanced=subject(job.candidate_advanced.run) if job.candidate_advanced else None,
        by_key=comparison.by_key if comparison is not None else None,
        strict=comparison.strict if comparison is not None else None,
        topics=Topics(
            compared=found.topics, missing=found.missing_topics, extra=found.extra_topics
        ),
        is_same_data=found.is_same_data,
        judgements=found.judgements,
        results=tuple(sorted(map(_result, found.measurements), key=_place)),
        notes=(),
    )


def _place(result: Result) -> tuple[object, ...]:
    """What sorts results as an evaluation has them."""
    order = list(all_measures())
    on = result.on or ""
    common = COMMON.index(on) if on in COMMON else len(COMMON)
    return order.index(result.measure.id), str(result.measure), common, on, result.run


def _result(found: Measurement) -> Result:
    return Result(
        measure=parse_measure(found.name),
        on=found.on or None,
        figure=Figure(
            value=float(found.value) if found.value is not None else None,
            reason=found.reason or None,
            details={name: float(value) for name, value in found.details.items()},
            topics=found.topics,
        ),
        run=found.run,
    )
