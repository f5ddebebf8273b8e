"""Scores of many runs: read, judged and evaluated on all cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from primad_ld.core.errors import HeaderError, MeasureError
from primad_ld.core.library_arguments import AnyPaths, to_paths
from primad_ld.core.one_line import OneLine
from primad_ld.core.processes import cores, in_processes
from primad_ld.evaluation.evaluated_runs import Entrant, find_entrants, told_apart
from primad_ld.evaluation.evaluations import EvaluationOptions, Progress
from primad_ld.evaluation.runs_and_judgements import JudgedRun, Loader, Reading, unscored
from primad_ld.evaluation.score_rows import (
    ALL_TOPICS,
    list_of_runs,
    score_columns,
    score_row,
)
from primad_ld.tables.answers import Answer, Streamed, Table
from primad_ld.tables.file_notes import FileNote
from primad_ld.trec.scorer import TopicScores

_RUNS_FOR_PROCESSES: Final = 24


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class ScoredRun(OneLine):
    """A run and its scores."""

    judged: JudgedRun
    scores: TopicScores
    #: What was changed of its files and of its judgements, with their names.
    repairs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Scores(Answer):
    """What was scored, and what could not be."""

    runs: tuple[ScoredRun, ...]
    problems: tuple[HeaderError, ...] = ()
    notes: tuple[str, ...] = ()
    #: The measures that people see, ``all`` for each; some that everybody knows if left out.
    shown_on: tuple[str, ...] = ()
    #: What people called measures, by their canonical names.
    called: Mapping[str, str] = field(default_factory=dict)
    #: Whether rows have scores of single topics, too.
    with_topics: bool = True

    def table(self) -> Table:
        """The scores of runs, first those of all topics, as `read_topic_scores` reads them again."""
        count = sum(
            len(run.scores.values) * (1 + len(run.scores.topics) * self.with_topics)
            for run in self.runs
        )
        return Table(
            name="scores", columns=score_columns(self.called), rows=Streamed(self._rows, count)
        )

    def _rows(self) -> Iterator[dict[str, object]]:
        for run in self.runs:
            scores = run.scores
            for measure, values in scores.values.items():
                mean = scores.mean(measure)
                yield score_row(scores.name, measure, ALL_TOPICS, mean, self.called)
                if self.with_topics:
                    for topic, value in zip(scores.topics, values, strict=True):
                        yield score_row(scores.name, measure, topic, value, self.called)

    def shown(self) -> Sequence[Table]:
        """A row for each run, best first."""
        runs = [
            (one.name, team_of(run.judged.run), {name: one.mean(name) for name in one.values})
            for run in self.runs
            for one in [run.scores]
        ]
        return [list_of_runs(runs, self.shown_on, self.called)]


def team_of(run: Entrant) -> str:
    """The team that a run's header names."""
    return ", ".join(run.record.teams) if run.record is not None else ""


def score_runs(
    paths: AnyPaths,
    options: EvaluationOptions,
    *,
    progress: Progress | None = None,
) -> Scores:
    """The scores of runs by their judgements, in the order of files and folders."""
    paths = to_paths(paths)
    found = find_entrants(paths, scores_of=options.scores_of, lenient=options.lenient)
    if not paths:
        raise MeasureError("no runs are given; name files or folders")
    if not found.runs and not found.problems:
        raise MeasureError(f"there is no run in {', '.join(map(str, paths))}")
    judged = options.judges.of_all(told_apart(found.runs))
    notes: list[str] = [*unscored(judged)]
    wanted = [one for one in judged if not one.why_not]
    if notes and not wanted:
        raise MeasureError(notes[0])
    if not wanted:
        raise found.problems[0]
    done = score_judged(wanted, options, progress=progress)
    if not done.runs:
        raise done.problems[0]
    return Scores(
        runs=done.runs,
        shown_on=options.on,
        problems=tuple(_once([*found.problems, *done.problems])),
        notes=(
            *(*found.notes, *notes, *options.judges.unused(wanted)),
            *(*departures(wanted), *remarks(done.runs, options)),
        ),
    )


def score_judged(
    judged: Sequence[JudgedRun],
    options: EvaluationOptions,
    *,
    progress: Progress | None = None,
) -> Scores:
    """The scores of runs whose judgements are known, on all cores."""
    processes = options.jobs or (cores() if len(judged) >= _RUNS_FOR_PROCESSES else 1)
    runs: list[ScoredRun] = []
    problems: list[HeaderError] = []
    for number, one in enumerate(in_processes(judged, _Worker, (options.reading,), processes), 1):
        if isinstance(one, HeaderError):
            problems.append(one)
        else:
            runs.append(one)
        if progress is not None:
            progress(number, len(judged))
    return Scores(runs=tuple(runs), problems=tuple(_once(problems)))


class _Worker:
    """Scores runs in a process of its own."""

    def __init__(self, reading: Reading) -> None:
        self.loader = Loader(reading)

    def __call__(self, judged: Iterable[JudgedRun]) -> Iterator[ScoredRun | HeaderError]:
        for one in judged:
            try:
                scores = self.loader.scores(one)
                assert scores is not None
                yield ScoredRun(
                    judged=one,
                    scores=scores,
                    repairs=tuple(self.loader.repairs(one)),
                )
            except HeaderError as error:
                yield error


def _once(problems: Iterable[HeaderError]) -> list[HeaderError]:
    return list({str(one): one for one in problems}.values())


def departures(judged: Iterable[JudgedRun]) -> dict[str, None]:
    """Where runs are not scored by the judgements that their headers name, each once."""
    return dict.fromkeys(one.departure for one in judged if one.departure)


def remarks(runs: Sequence[ScoredRun], options: EvaluationOptions) -> Iterator[str]:
    """What was changed of files that were read leniently, and which topics do not match."""
    how = "count as 0" if options.is_complete else "are left out"
    yield from dict.fromkeys(repair for one in runs for repair in one.repairs)
    for one in runs:
        missing, extra = (_topics(len(some)) for some in (one.scores.missing, one.scores.extra))
        if missing:
            why = f"no documents for {missing}, which {how}"
            yield FileNote(f"{one.scores.name} has {why}", one.scores.name, why)
        if extra:
            why = f"{extra} without judgements, which are left out of scores"
            yield FileNote(f"{one.scores.name} has {why}", one.scores.name, why)


def _topics(count: int) -> str:
    return f"{count} topic{'s' * (count != 1)}" if count else ""
