"""Pairs that an archive finds, evaluated from files or scores by topic, and kept as assessments.

The archive knows the runs, their types and which belong together; the rankings lie in files and
are recognised by their digests. Assessments that the archive has are not computed again, and what
is returned is what it holds: the same before and after.

Where a file is not at hand, the scores by topic that the archive has stand in for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from primad_ld.archive.assessment_graphs import AssessmentKey
from primad_ld.archive.assessments import (
    Assessment,
    KeptResult,
    assessments_of,
    keep_assessment,
    kept_assessment,
)
from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.opening import open_checked
from primad_ld.archive.runs import RunRecord, records_with
from primad_ld.archive.scores import kept_sets
from primad_ld.archive.topic_scores import measures_by_topic
from primad_ld.core.errors import HeaderError, MeasureError, PrimadError
from primad_ld.core.iris import name_of
from primad_ld.core.library_arguments import AnyPaths, to_paths
from primad_ld.core.processes import cores, in_processes
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluated_runs import Entrant, find_entrants
from primad_ld.evaluation.evaluation_jobs import Job, jobs_against, select_jobs, sides_of
from primad_ld.evaluation.evaluations import (
    NONE,
    EvaluationOptions,
    Progress,
    evaluate_jobs,
    in_reading_order,
)
from primad_ld.evaluation.pair_evaluation import NO_RANKINGS, CommonGround, Evaluator
from primad_ld.evaluation.runs_and_judgements import Loader
from primad_ld.evaluation.stand_ins import StandIns, find_stand_ins, has_stand_in
from primad_ld.evaluation.unjudged import pairs_note
from primad_ld.header.runfile import read_ranking
from primad_ld.measures.measure_values import Figure, undefined
from primad_ld.measures.registry import Chosen, Needs, all_measures, parse_measure
from primad_ld.measures.results import ADVANCED, PairResult, Result, Subject
from primad_ld.search.run_lookup import resolve_named
from primad_ld.trec.measure_names import COMMON, canonical
from primad_ld.trec.scorer import evaluator_version

_RUNS_FOR_PROCESSES = 24


def evaluate_archive(
    archive: str | Path | None,
    reference: str,
    runs_in: AnyPaths = (),
    options: EvaluationOptions | None = None,
    *,
    candidates: Sequence[str] = (),
    progress: Progress | None = None,
) -> Evaluation:
    """A run of an archive against others of it whose rankings are among some files; all by default.

    Runs that are not among them are compared by the scores by topic that the archive has of them,
    if these were made by the same judgements as those of the reference: by measures of scores.

    Unless measures of effectiveness are named, they are those that the reference's header
    reports, else some that everybody knows: ninety for each pair would hide what matters.
    """
    options = options or EvaluationOptions()
    runs_in = to_paths(runs_in, "runs_in")
    found = find_entrants(runs_in)
    digests, unreadable = _digests(found.runs, options)
    problems: list[PrimadError] = [
        *{str(one): one for one in (*found.problems, *unreadable)}.values()
    ]
    with open_checked(archive, writable=True) as engine:
        record, asked = resolve_named(engine, reference), options.on
        wanted = {one.iri: one for one in [resolve_named(engine, name) for name in candidates]}
        usual, lacking = asked or _reported(record), list[str]()
        if not asked and not runs_in:
            # Without files, only what was kept can be compared.
            kept = _kept_measures(engine, record)
            lacking = [name for name in usual if name not in kept and not kept.isdisjoint(usual)]
            usual = tuple(name for name in usual if name not in lacking)
        options = replace(options, on=usual)
        files = _entrants(engine, digests, record)
        others = {run.record.iri: run for run in files if run.record is not None}
        # Its own file may come up twice; that a run equals itself is not worth keeping.
        first = others.pop(record.iri, None)
        stand_ins = StandIns()
        if not all(map(_is_of_orders, options.question.measures)):
            judged = options.judges.among(files).of(first) if first is not None else None
            rankings = {run.record.ranking for run in files if run.record is not None}
            stand_ins = find_stand_ins(engine, record, judged, rankings, options)
        first = first or stand_ins.runs.get(record.iri)
        if first is None:
            raise MeasureError(_why_not(engine, record, options, runs_in))
        others = {
            iri: run
            for iri, run in ({**stand_ins.runs, **others}).items()
            if iri != record.iri and (not wanted or iri in wanted)
        }
        problems += [
            MeasureError(
                f"{one.name}: no file with its ranking, and no per-topic scores to compare"
            )
            for iri, one in wanted.items()
            if iri not in others and iri != record.iri
        ]
        if not others:
            where = f"{', '.join(map(str, runs_in))}: " if runs_in else ""
            why = (
                f"{where}no run of {engine.name} to compare {record.name} with; add files or "
                "folders of other runs (--runs-in)"
            )
            raise MeasureError("; ".join([why, *stand_ins.notes, *map(str, problems)]))
        in_order = sorted(others.values(), key=_by_name)
        every = jobs_against(first, in_order, options.judges, Identities(engine))
        unused = options.judges.unused(sides_of(every))
        jobs, notes = select_jobs(every, options.types, problems)
        evaluation = _evaluated(engine, jobs, options, stand_ins, progress)
    return replace(
        evaluation,
        shown_on=asked,
        problems=(*evaluation.problems, *problems),
        notes=(
            *found.notes,
            *(f"{name} is reported, but {engine.name} has no scores of it" for name in lacking),
            *unused,
            *notes,
            *stand_ins.notes,
            *evaluation.notes,
        ),
    )


def _by_name(run: Entrant) -> tuple[str, str, str]:
    return run.name, run.path, run.record.iri if run.record is not None else ""


def _why_not(
    engine: Engine, record: RunRecord, options: EvaluationOptions, runs_in: Sequence[Path]
) -> str:
    """Why there is no reference, among the files or by its scores by topic."""
    if runs_in:
        files = ", ".join(map(str, runs_in))
        return f"no file in {files} has the ranking of {record.name}; name its folder (--runs-in)"
    if all(map(_is_of_orders, options.question.measures)):
        named = ", ".join(map(str, options.measures))
        return f"{named}: measures of order need run files; name their folder (--runs-in)"
    if options.rep_qrels:
        return "--rep-qrels needs run files; name their folder (--runs-in)"
    kept = _kept_measures(engine, record)
    other = f"choose from {', '.join(sorted(kept))} (--on), " if kept else ""
    return (
        f"{engine.name} has no per-topic scores of {', '.join(options.on)} for {record.name} "
        f"with {'these' if options.qrels else 'any'} judgements and these parameters; {other}name "
        "the folder of its run file (--runs-in), or score it with primad-ld score --archive"
    )


def _kept_measures(engine: Engine, record: RunRecord) -> set[str]:
    """The measures by which an archive has scores of a run by topic."""
    sets = [one.graph for one in kept_sets(engine, [record.ranking])]
    return set().union(*measures_by_topic(engine, sets).values())


def _reported(record: RunRecord) -> tuple[str, ...]:
    names = []
    for name in record.measures:
        try:
            names.append(canonical(name))
        except MeasureError:
            continue  # headers may report measures that nothing computes
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
            f"{reference.name} was loaded without its ranking (--headers-only), so its file "
            "cannot be identified; reload it with the ranking"
        )
    files: dict[str, Entrant] = {}
    for run, digest in digests:
        files.setdefault(f"{base}ranking/{name_of(digest)}", run)
    records = records_with(engine, files)
    identities = Identities(engine)
    identities.fetch(records)
    found = [
        replace(
            files[record.ranking],
            name=record.name,
            record=record,
            data=identities.of(record).get("data"),
        )
        for record in records
    ]
    return sorted(found, key=_by_name)


# Assessing pairs --------------------------------------------------------------------------


def _evaluated(
    engine: Engine,
    jobs: Sequence[Job],
    options: EvaluationOptions,
    stand_ins: StandIns,
    progress: Progress | None,
) -> Evaluation:
    whole = [job for job in jobs if not has_stand_in(job)]
    lonely = [job for job in jobs if has_stand_in(job)]
    has_studies = any(job.has_effects for job in jobs)
    parts = [_of_files(engine, whole, options, progress, has_studies=has_studies)]
    if lonely:
        parts.append(_of_scores(engine, lonely, options, stand_ins, has_studies=has_studies))
    pairs = [pair for part in parts for pair in part.pairs]
    new, count = sum(part.new for part in parts), sum(part.count for part in parts)
    notes = [
        f"{new} new assessment{'s' * (new != 1)} stored in {engine.name}, {count - new} already there",
        *(note for part in parts for note in part.notes),
    ]
    found = in_reading_order(pairs, jobs, options)
    return Evaluation(
        pairs=found.pairs,
        is_scored=True,
        on=options.on,
        parameters=options.parameters,
        correction=found.correction,
        are_named=options.question.are_named,
        problems=tuple(problem for part in parts for problem in part.problems),
        notes=tuple(dict.fromkeys([*notes, *found.notes, *pairs_note(found.pairs)])),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Assessed:
    """Pairs as the archive has them now, and how many of them are new."""

    pairs: Sequence[PairResult]
    new: int
    count: int
    problems: tuple[PrimadError, ...] = ()
    notes: tuple[str, ...] = ()


def _of_files(
    engine: Engine,
    jobs: Sequence[Job],
    options: EvaluationOptions,
    progress: Progress | None,
    *,
    has_studies: bool,
) -> _Assessed:
    """Pairs whose runs all have files."""
    plain = replace(options, correction=NONE, by_topic=False, types=())
    ground = CommonGround(Loader(options.reading), options.data)
    keys = _keys(jobs, options, ground, evaluator_version(options.on))

    def evaluate(new: Sequence[Job]) -> Evaluation:
        return evaluate_jobs(new, plain, progress=progress, has_studies=has_studies)

    return _assessed(engine, jobs, keys, evaluate)


def _of_scores(
    engine: Engine,
    jobs: Sequence[Job],
    options: EvaluationOptions,
    stand_ins: StandIns,
    *,
    has_studies: bool,
) -> _Assessed:
    """Pairs of which a run has no file: measures of scores only, which are all that is kept.

    Under a key of their own, as measures of order may be asked again when the files are there.
    """
    found = [job for one in jobs if (job := stand_ins.job(one)) is not None]
    named = () if options.are_usual else options.measures
    orders = [one for one in named if _is_of_orders(one)]
    chosen = tuple([one for one in options.question.measures if not _is_of_orders(one)])
    question = replace(options.question, measures=chosen, by_topic=False, has_studies=has_studies)
    evaluator = Evaluator(Loader(options.reading, stand_ins.given), question)
    keys = _keys(found, replace(options, measures=chosen), evaluator.ground, stand_ins.evaluator)

    def evaluate(new: Sequence[Job]) -> Evaluation:
        pairs = tuple(map(evaluator.evaluate, new))
        return Evaluation(pairs=pairs, parameters=options.parameters)

    done = _assessed(engine, found, keys, evaluate, stand_ins.evaluator)
    number, lost = len(found), len(jobs) - len(found)
    notes = [
        f"{number:,} pair{'s' * (number != 1)} evaluated with the per-topic scores that "
        f"{engine.name} has for {stand_ins.label}, as run files are missing: measures of scores "
        "only"
    ] * bool(number)
    notes += [
        f"{lost:,} pair{'s' * (lost != 1)} left out: a run has a file without judgements and no "
        "per-topic scores"
    ] * bool(lost)
    pairs = [_with_orders(pair, orders) for pair in done.pairs]
    return replace(done, pairs=pairs, notes=(*notes, *done.notes))


def _assessed(
    engine: Engine,
    jobs: Sequence[Job],
    keys: Sequence[AssessmentKey],
    evaluate: Callable[[Sequence[Job]], Evaluation],
    by: str = "",
) -> _Assessed:
    """Evaluate the pairs that the archive has no assessment of, keep these, and read them all."""
    new = [job for job, key in zip(jobs, keys, strict=True) if not kept_assessment(engine, key)]
    done = evaluate(new)
    asked = {_runs_of(key): key for key in keys}
    for pair in done.pairs:
        advanced = (pair.reference_advanced, pair.candidate_advanced)
        one, other = (found.iri if found is not None else "" for found in advanced)
        key = asked[pair.reference.iri, pair.candidate.iri, one, other]
        keep_assessment(engine, pair, by or done.evaluator, done.parameters, asked=key)
    return _Assessed(
        pairs=[
            _rebuilt(found, job)
            for job, key in zip(jobs, keys, strict=True)
            for found in assessments_of(engine, key)
        ],
        new=len(new),
        count=len(jobs),
        problems=done.problems,
        notes=tuple(dict.fromkeys(note for pair in done.pairs for note in pair.notes)),
    )


def _is_of_orders(chosen: Chosen) -> bool:
    return chosen.measure.needs is Needs.rankings


def _with_orders(pair: PairResult, orders: Sequence[Chosen]) -> PairResult:
    """A pair with the measures of order that were named, none of which has a value."""
    runs = ["", ADVANCED] if pair.reference_advanced is not None else [""]
    more = [
        Result(measure=chosen, on=None, figure=undefined(NO_RANKINGS), run=run)
        for chosen in orders
        for run in runs
    ]
    return replace(pair, results=tuple(sorted([*pair.results, *more], key=_place)))


# Keys and results -------------------------------------------------------------------------


def _keys(
    jobs: Sequence[Job], options: EvaluationOptions, ground: CommonGround, version: str
) -> list[AssessmentKey]:
    """What each assessment depends on, told before the work is done."""
    return [
        AssessmentKey(
            reference=_iri(job.reference.run),
            candidate=_iri(job.candidate.run),
            reference_advanced=_iri(job.reference_advanced.run) if job.reference_advanced else "",
            candidate_advanced=_iri(job.candidate_advanced.run) if job.candidate_advanced else "",
            judgements=ground.judgements(job.reference, job.candidate).digests,
            topics=ground.state_of_topics(job.reference, job.candidate)[0].value,
            evaluator=version,
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

    results = tuple(sorted(map(_result, found.measurements), key=_place))
    return PairResult(
        reference=subject(job.reference.run),
        candidate=subject(job.candidate.run),
        reference_advanced=subject(job.reference_advanced.run) if job.reference_advanced else None,
        candidate_advanced=subject(job.candidate_advanced.run) if job.candidate_advanced else None,
        by_key=comparison.by_key if comparison is not None else None,
        strict=comparison.strict if comparison is not None else None,
        common=found.common,
        results=results,
        means=dict(_means(results)),
    )


def _means(results: Iterable[Result]) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """The means of both sides, which are kept with their difference."""
    for one in results:
        ours, theirs = (one.figure.details.get(side) for side in ("reference", "candidate"))
        if one.measure.id == "delta_arp" and ours is not None and theirs is not None:
            yield (one.run, one.on or ""), (ours, theirs)


def _place(result: Result) -> tuple[object, ...]:
    """What sorts results as an evaluation has them."""
    order = list(all_measures())
    on = result.on or ""
    common = COMMON.index(on) if on in COMMON else len(COMMON)
    return order.index(result.measure.id), str(result.measure), common, on, result.run


def _result(found: KeptResult) -> Result:
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
