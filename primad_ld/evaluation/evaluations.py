"""Evaluations as people ask for them: a pair, one run against many, the pairs of a study.

Pairs are evaluated on all cores and come back in the order in which they are shown. P-values of
pairs that were compared together are corrected for their number: as was asked, else as the header
of the reference declares.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.compare.primad_types import LETTERS, PrimadType, parse_types
from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.library_arguments import (
    AnyPath,
    AnyPaths,
    read_fields,
    to_names,
    to_path,
    to_paths,
    to_text,
)
from primad_ld.core.processes import cores, in_processes
from primad_ld.evaluation.evaluated_pairs import Evaluation
from primad_ld.evaluation.evaluated_runs import Entrant, each_once, find_entrants, told_apart
from primad_ld.evaluation.evaluation_jobs import (
    AskedMeasures,
    Job,
    jobs_against,
    select_jobs,
    sides_of,
    study_job,
    study_jobs,
)
from primad_ld.evaluation.pair_evaluation import Evaluator
from primad_ld.evaluation.runs_and_judgements import Judges, Loader, Reading
from primad_ld.evaluation.unjudged import pairs_note
from primad_ld.measures.corrections import adjust, correction_named, to_correction
from primad_ld.measures.registry import (
    Chosen,
    Needs,
    TopicPairing,
    check_complete,
    parse_measures,
    to_data,
    usual_measures,
)
from primad_ld.measures.results import ADVANCED, COMPARISONS, CORRECTED, P_VALUES, PairResult
from primad_ld.trec.measure_names import canonical_names, expand
from primad_ld.trec.scorer import in_order

if TYPE_CHECKING:
    from primad_ld.search.studies import StudyPairs

#: Asks for no correction, whatever a header declares.
NONE: Final = "none"

#: Called with the pairs that are done, and how many there are.
Progress = Callable[[int, int], None]

# Fewer pairs are evaluated sooner than processes start.
_PAIRS_FOR_PROCESSES: Final = 24
# Fewer pairs are compared sooner than numpy is imported.
_PAIRS_FOR_ARRAYS: Final = 6


def _to_asked_correction(given: str, what: str) -> str:
    """The name of a correction, ``none``, or nothing: what the header of the reference declares."""
    is_none = to_text(given, what).strip().casefold() == NONE
    return NONE if is_none else to_correction(given, what)


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """What an evaluation depends on, besides the runs."""

    #: Files of judgements. Where there are several, headers tell which is whose.
    qrels: tuple[str, ...] = ()
    #: Those of the reproductions, if they are others.
    rep_qrels: tuple[str, ...] = ()
    #: Measures of reproducibility, by name or parsed; all that are valid if left out.
    measures: tuple[Chosen, ...] = ()
    #: Whether these are the usual ones with other parameters: those that are not valid go.
    are_usual: bool = False
    #: Measures of effectiveness by their names in trec_eval; all if left out.
    on: tuple[str, ...] = ()
    #: The measure of score tables that do not name it.
    scores_of: str = ""
    relevance_level: int = 1
    #: Whether topics without documents count as 0, or not at all.
    is_complete: bool = True
    lenient: bool = False
    #: Whether documents whose scores are the same in single precision are tied, as trec_eval has
    #: it. Its own measures do so in any case; measures of order do as repro_eval unless asked.
    in_single_precision: bool = False
    #: Whether both sides have the same topics; found out by None and "auto".
    data: TopicPairing | None = None
    #: PRIMAD types of the pairs to evaluate, such as "priMad" or "PRIM'AD,PR?MAD"; all if left
    #: out.
    types: tuple[PrimadType, ...] = ()
    #: Values by topic.
    by_topic: bool = False
    #: How p-values are corrected for the number of pairs; as the header of the reference declares
    #: if left out, and not at all by "none".
    correction: str = ""
    #: Processes; None takes all cores where that pays, from scripts under
    #: ``if __name__ == "__main__":``.
    jobs: int | None = 1

    def __post_init__(self) -> None:
        read_fields(
            self,
            qrels=to_names,
            rep_qrels=to_names,
            measures=parse_measures,
            on=canonical_names,
            data=to_data,
            types=parse_types,
            correction=_to_asked_correction,
        )

    @property
    def reading(self) -> Reading:
        """How runs are read and scored."""
        return Reading(
            measures=self.on,
            scores_of=self.scores_of,
            relevance_level=self.relevance_level,
            is_complete=self.is_complete,
            lenient=self.lenient,
            in_single_precision=self.in_single_precision,
        )

    @property
    def question(self) -> AskedMeasures:
        """Which measures are asked for."""
        check_complete(self.measures)
        for one in self.measures:
            if one.measure.needs is Needs.runs:
                raise MeasureError(f"{one.id} needs all runs of a matrix; use --all-pairs")
        return AskedMeasures(
            measures=self.measures or usual_measures(),
            are_named=bool(self.measures) and not self.are_usual,
            data=self.data,
            by_topic=self.by_topic,
        )

    @property
    def parameters(self) -> dict[str, int | bool]:
        """What figures depend on besides rankings, judgements and measures."""
        found: dict[str, int | bool] = {
            "relevance level": self.relevance_level,
            "complete": self.is_complete,
        }
        return found | ({"single precision": True} if self.in_single_precision else {})

    @property
    def judges(self) -> Judges:
        """The files of judgements."""
        # A file that is named twice counts once.
        qrels, reproduced = dict.fromkeys(self.qrels), dict.fromkeys(self.rep_qrels)
        return Judges(qrels=tuple(qrels), reproduced=tuple(reproduced))


def evaluate_against(
    reference: AnyPath,
    candidates: AnyPaths,
    options: EvaluationOptions,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """One run against others: each pair, and the pairs of a study that it is in."""
    reference, candidates = to_path(reference, "reference"), to_paths(candidates, "candidates")
    first = _one_run(reference, options)
    found = find_entrants(candidates, scores_of=options.scores_of, lenient=options.lenient)
    runs = told_apart(each_once([first, *found.runs]))
    is_among = any(run.identity == first.identity for run in found.runs)
    first, others = runs[0], runs[1:]
    notes = list(found.notes)
    if is_among and others:
        notes.append(f"{first.path} is the reference, so it is not compared with itself")
    elif is_among:
        others = runs
    if not others and not found.problems:
        raise MeasureError(f"there is no run in {', '.join(map(str, candidates))}")
    jobs = jobs_against(first, others, options.judges)
    evaluation = evaluate_jobs(jobs, options, problems=found.problems, progress=progress)
    unused = options.judges.unused(sides_of(jobs))
    return replace(evaluation, notes=(*notes, *unused, *evaluation.notes))


def evaluate_study(
    baseline: AnyPath,
    advanced: AnyPath,
    rep_baseline: AnyPath,
    rep_advanced: AnyPath,
    options: EvaluationOptions,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """A baseline and an advanced run with what reproduces them, each named."""
    paths = (
        to_path(baseline, "baseline"),
        to_path(advanced, "advanced"),
        to_path(rep_baseline, "rep_baseline"),
        to_path(rep_advanced, "rep_advanced"),
    )
    sides = [_one_or_more(path, options) for path in paths]
    if len(sides[0]) != 1 or len(sides[1]) != 1:
        raise MeasureError("the originals must be one baseline and one advanced run")
    jobs = []
    for again, again_better in _together(sides[2], sides[3]):
        four = (sides[0][0], sides[1][0], again, again_better)
        named = {run.identity: run for run in told_apart(each_once(four))}
        one, two, three, last = (named[run.identity] for run in four)
        jobs.append(study_job(one, two, three, last, options.judges.among(four)))
    evaluation = evaluate_jobs(jobs, options, progress=progress)
    lonely = _without_partner(sides[2], sides[3], jobs)
    unused = options.judges.unused(sides_of(jobs))
    return replace(evaluation, notes=(*unused, *evaluation.notes, *lonely))


def evaluate_pairs(
    paths: AnyPaths,
    options: EvaluationOptions,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """The baseline and advanced runs that headers tell, with what reproduces them.

    `MeasureError` says what headers lack where there are none.
    """
    found = find_entrants(paths, scores_of=options.scores_of, lenient=options.lenient)
    runs = told_apart(each_once(found.runs))
    jobs, study = study_jobs(runs, options.judges)
    if not jobs and not found.problems:
        raise MeasureError(
            "found no baseline and advanced run with reproductions of both: "
            f"{_why_no_study(runs, study)}; name them with --baseline, --advanced, "
            "--rep-baseline and --rep-advanced"
        )
    evaluation = evaluate_jobs(jobs, options, problems=found.problems, progress=progress)
    unused = options.judges.unused(sides_of(jobs))
    remarks = study.notes if study else ()
    return replace(evaluation, notes=(*found.notes, *unused, *evaluation.notes, *remarks))


def _why_no_study(runs: Sequence[Entrant], study: StudyPairs | None) -> str:
    bare = [run.name for run in runs if run.record is None]
    more = f" and {len(bare) - 3} more" if len(bare) > 3 else ""
    reasons = [f"{', '.join(bare[:3])}{more}: no header"] if bare else []
    reasons += [study.why_none()] if study else []
    return "; ".join(reasons) or "there are no runs"


# Which pairs ------------------------------------------------------------------------------


def _one_run(path: Path, options: EvaluationOptions) -> Entrant:
    found = _one_or_more(path, options)
    if len(found) > 1:
        raise MeasureError(f"{path} contains {len(found)} runs, but a reference must be one run")
    return found[0]


def _one_or_more(path: Path, options: EvaluationOptions) -> tuple[Entrant, ...]:
    found = find_entrants([path], scores_of=options.scores_of, lenient=options.lenient)
    if found.problems:
        raise found.problems[0]
    if not found.runs:
        raise MeasureError(f"there is no run in {path}")
    return found.runs


def _together(
    baselines: Sequence[Entrant], advanced: Sequence[Entrant]
) -> Iterator[tuple[Entrant, Entrant]]:
    """Reproduced baselines with their advanced runs: one of each, or columns of two tables.

    Columns belong together if they are called the same behind what all names of their table
    begin with: ``rpd_b_1`` and ``rpd_a_1``.
    """
    if len(baselines) == len(advanced) == 1:
        yield baselines[0], advanced[0]
        return
    ones, others = _by_ending(baselines), _by_ending(advanced)
    if ones.keys().isdisjoint(others):
        raise MeasureError(
            f"no runs of {baselines[0].path} and {advanced[0].path} have matching names (such "
            f"as {baselines[0].name!r} and {advanced[0].name!r})"
        )
    for ending, run in ones.items():
        if ending in others:
            yield run, others[ending]


def _without_partner(
    baselines: Sequence[Entrant], advanced: Sequence[Entrant], jobs: Sequence[Job]
) -> Iterator[str]:
    """Runs of tables that stand in one of the two only."""
    used = {
        judged.run.identity
        for job in jobs
        for judged in (job.candidate, job.candidate_advanced)
        if judged is not None
    }
    for runs in (baselines, advanced):
        lonely = [run.name for run in runs if run.identity not in used]
        if lonely:
            more = f" and {len(lonely) - 5} more" if len(lonely) > 5 else ""
            yield f"{runs[0].path}: no matching run for {', '.join(lonely[:5])}{more}"


def _by_ending(runs: Sequence[Entrant]) -> dict[str, Entrant]:
    names = [run.name for run in runs]
    alike = itertools.takewhile(lambda chars: len(set(chars)) == 1, zip(*names, strict=False))
    begin = sum(1 for _ in alike) if len(names) > 1 else 0
    # What all numbers begin with is part of the number: run_10, run_11.
    while begin and names[0][begin - 1].isalnum():
        begin -= 1
    return {run.name[begin:]: run for run in runs}


# Evaluating them --------------------------------------------------------------------------


def evaluate_jobs(
    jobs: Sequence[Job],
    options: EvaluationOptions,
    *,
    problems: Sequence[HeaderError] = (),
    progress: Progress | None = None,
    has_studies: bool = False,
) -> Evaluation:
    """Evaluate pairs on all cores; fewest differences first, then in the order of their names.

    ``has_studies``: pairs of a study are evaluated beside them, or were before.
    Pairs of other types than the options name are left out first, and nothing of them is read.
    A candidate that cannot be read is reported as a problem, unless it is the only one.
    """
    jobs, notes = select_jobs(jobs, options.types, problems)
    if not jobs:
        if problems:
            raise problems[0]
        return Evaluation(pairs=())
    processes = options.jobs or (cores() if len(jobs) >= _PAIRS_FOR_PROCESSES else 1)
    pairs: list[PairResult] = []
    wrong: dict[str, HeaderError] = {str(one): one for one in problems}
    question = replace(
        options.question,
        has_many=len(jobs) >= _PAIRS_FOR_ARRAYS,
        has_studies=has_studies or any(job.has_effects for job in jobs),
    )
    done = in_processes(jobs, _Worker, (options.reading, question), processes)
    for number, found in enumerate(done, 1):
        if isinstance(found, HeaderError):
            if len(jobs) == 1:
                raise found
            wrong.setdefault(str(found), found)
        else:
            pairs.append(found)
        if progress is not None:
            progress(number, len(jobs))
    if not pairs and wrong:
        raise next(iter(wrong.values()))
    _check_scores(pairs, options.on)
    found = in_reading_order(pairs, jobs, options)
    return Evaluation(
        pairs=found.pairs,
        is_scored=any(run.qrels for run in sides_of(jobs)),
        on=options.on,
        shown_on=options.on,
        parameters=options.parameters,
        correction=found.correction,
        are_named=options.question.are_named,
        problems=tuple(wrong.values()),
        notes=(*notes, *found.notes, *pairs_note(found.pairs)),
    )


def _check_scores(pairs: Iterable[PairResult], on: Sequence[str]) -> None:
    """`MeasureError` if tables of scores have none of the measures that are asked for."""
    names = list(dict.fromkeys(one.on for pair in pairs for one in pair.results if one.on))
    if on and names and not expand(on, names):
        raise MeasureError(f"there are no scores of {', '.join(on)}, only of {', '.join(names)}")


class _Worker:
    """Evaluates pairs in a process of its own."""

    def __init__(self, reading: Reading, question: AskedMeasures) -> None:
        self.evaluator = Evaluator(Loader(reading), question)

    def __call__(self, jobs: Iterable[Job]) -> Iterator[PairResult | HeaderError]:
        for job in jobs:
            try:
                yield self.evaluator.evaluate(job)
            except HeaderError as error:
                if error.file is not None and str(error.file) != job.candidate.run.path:
                    raise
                yield error


# P-values ---------------------------------------------------------------------------------


def in_reading_order(
    pairs: Iterable[PairResult], jobs: Iterable[Job], options: EvaluationOptions
) -> Family:
    """Pairs as they are shown, with p-values corrected for their number."""
    declared = {job.reference.run.correction for job in jobs}
    return _compared_together(sorted(pairs, key=_order), options.correction, declared)


def _order(pair: PairResult) -> tuple[object, ...]:
    of_type = pair.by_key.order if pair.by_key is not None else (len(LETTERS) + 1, 0, "")
    advanced = pair.candidate_advanced
    return (
        pair.reference_advanced is not None,
        of_type,
        in_order(pair.reference.name),
        in_order(pair.candidate.name),
        in_order(advanced.name) if advanced is not None else (),
    )


#: A pair and a row of its results.
_Place = tuple[int, int]
_Family = Mapping[object, Sequence[_Place]]
_Families = Mapping[object, _Family]


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """Pairs that were compared together."""

    pairs: tuple[PairResult, ...]
    #: How their p-values are corrected; empty if they are not.
    correction: str = ""
    notes: tuple[str, ...] = ()


def _compared_together(pairs: Sequence[PairResult], asked: str, declared: Iterable[str]) -> Family:
    """Pairs with their p-values corrected as was asked, else as headers of references declare.

    Where neither says how, a note says how many comparisons there are.
    """
    families = _families(pairs)
    count = max((_size(pairs, family) for family in families.values()), default=0)
    if asked not in ("", NONE):
        alone = (
            ("there is only one comparison, so the correction changes nothing",)
            if count == 1
            else ()
        )
        found = _corrected(pairs, families, asked)
        return Family(pairs=found, correction=asked, notes=alone)
    if count < 2:
        return Family(pairs=tuple(pairs))
    how = "choose a correction, such as holm-bonferroni (--correction)"
    uncorrected = f"p-values are not corrected for {count:,} comparisons"
    if asked == NONE:
        return Family(pairs=tuple(pairs), notes=(uncorrected,))
    names = sorted({name for one in declared for name in one.split(", ") if name})
    if [name.casefold() for name in names] == [NONE]:
        return Family(pairs=tuple(pairs), notes=(f"{uncorrected}, as the header declares",))
    if len(names) != 1:
        why = f", as headers declare several corrections ({', '.join(names)})" if names else ""
        return Family(pairs=tuple(pairs), notes=(f"{uncorrected}{why}; {how}",))
    try:
        name = correction_named(names[0])
    except MeasureError as error:
        return Family(pairs=tuple(pairs), notes=(f"{uncorrected}: {error}; {how}",))
    note = f"p-values are corrected by {name}, as the header of the reference declares"
    return Family(pairs=_corrected(pairs, families, name), correction=name, notes=(note,))


def _corrected(
    pairs: Sequence[PairResult], families: _Families, name: str
) -> tuple[PairResult, ...]:
    """The pairs with each p-value corrected for all comparisons under the same test and measure.

    The value stays what the test says.
    """
    changed = [list(pair.results) for pair in pairs]
    for family in families.values():
        values = [_value(pairs, places) for places in family.values()]
        count = float(_size(pairs, family))
        for places, value in zip(family.values(), adjust(values, name), strict=True):
            for at, row in places:
                figure = changed[at][row].figure
                details = {**figure.details, CORRECTED: value}
                if value is not None:
                    details[COMPARISONS] = count
                changed[at][row] = replace(
                    changed[at][row], figure=replace(figure, details=details)
                )
    return tuple(
        [replace(pair, results=tuple(rows)) for pair, rows in zip(pairs, changed, strict=True)]
    )


def _value(pairs: Sequence[PairResult], places: Sequence[_Place]) -> float | None:
    """The p-value of one comparison, wherever it stands."""
    at, row = places[0]
    return pairs[at].results[row].figure.value


def _size(pairs: Sequence[PairResult], family: _Family) -> int:
    """How many comparisons have a p-value."""
    return sum(_value(pairs, places) is not None for places in family.values())


def _families(pairs: Sequence[PairResult]) -> _Families:
    """What is corrected together, by test and measure: of each comparison where its p-value stands.

    Two runs may be compared twice in an answer, by themselves and as a side of a study.
    """
    found: dict[object, dict[object, list[_Place]]] = defaultdict(dict)
    for at, pair in enumerate(pairs):
        for row, result in enumerate(pair.results):
            is_advanced = result.run == ADVANCED
            sides = (
                (pair.reference_advanced, pair.candidate_advanced)
                if is_advanced
                else (pair.reference, pair.candidate)
            )
            # A run against itself is no hypothesis.
            if result.measure.id in P_VALUES and sides[0] != sides[1]:
                family = found[str(result.measure), result.on]
                family.setdefault(sides, []).append((at, row))
    return found
