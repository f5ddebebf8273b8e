"""Scores of runs that an archive keeps, where what has not changed is not computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from primad_ld.archive.engine import Engine
from primad_ld.archive.loading import load_runs
from primad_ld.archive.opening import archive_name, open_checked
from primad_ld.archive.run_dependants import rankings_of
from primad_ld.archive.scores import Scoring, keep_scores, kept_scores, kept_sets, scores_in
from primad_ld.archive.topic_scores import drop_topic_scores, keep_topic_scores
from primad_ld.archive.write_access import runs_of_files
from primad_ld.core.errors import ArchiveError, HeaderError, MeasureError
from primad_ld.evaluation.evaluated_runs import find_entrants, told_apart
from primad_ld.evaluation.evaluations import EvaluationOptions, Progress
from primad_ld.evaluation.runs_and_judgements import JudgedRun, Loader, unscored
from primad_ld.evaluation.score_rows import (
    ALL_TOPICS,
    list_of_runs,
    score_columns,
    score_row,
)
from primad_ld.evaluation.scored_runs import departures, remarks, score_judged, team_of
from primad_ld.tables.answers import Answer, Table
from primad_ld.trec.measure_names import expand


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class KeptScores(Answer):
    """What an archive has of some runs now, by the judgements that they were scored by."""

    archive: str
    #: Mean scores by run and measure, the runs under the names that they are called by.
    scores: dict[str, dict[str, float]]
    #: How many were scored now, and how many before.
    scored: int
    unchanged: int
    problems: tuple[HeaderError, ...] = ()
    notes: tuple[str, ...] = ()
    #: The teams of runs whose headers name them.
    teams: Mapping[str, str] = field(default_factory=dict)
    #: The measures that were asked for; all if left out.
    on: tuple[str, ...] = ()
    #: Those that people see; some that everybody knows if left out.
    shown_on: tuple[str, ...] = ()
    #: What people called measures, by their canonical names.
    called: Mapping[str, str] = field(default_factory=dict)

    def table(self) -> Table:
        """The mean scores of the runs."""
        rows = [
            score_row(run, name, ALL_TOPICS, means[name], self.called)
            for run, means in self.scores.items()
            for name in (expand(self.on, means) if self.on else means)
        ]
        return Table(name="scores", columns=score_columns(self.called), rows=rows)

    def shown(self) -> Sequence[Table]:
        """A row for each run, best first."""
        runs = [(run, self.teams.get(run, ""), means) for run, means in self.scores.items()]
        return [list_of_runs(runs, self.shown_on, self.called)]

    @property
    def summary(self) -> str:
        """One line for people."""
        return (
            f"{self.scored:,} run{'s' * (self.scored != 1)} scored, "
            f"{self.unchanged:,} unchanged in {self.archive}"
        )


def score_into_archive(
    paths: Sequence[Path | str],
    archive: str | Path | None,
    options: EvaluationOptions,
    *,
    by_topic: bool = True,
    progress: Progress | None = None,
) -> KeptScores:
    """Load runs into an archive and keep their scores there.

    Scores of the same ranking by the same judgements, made by the same evaluator in the same
    way, are not computed again. Those of another version of the evaluator are replaced; those by
    other judgements or with other parameters stay beside them. Without ``by_topic`` there are no
    scores by topic of these rankings by these judgements afterwards.
    """
    if not options.qrels:
        raise MeasureError("no judgements to score runs with; name a file (--qrels)")
    # Judgements that cannot be read leave an archive as it was.
    loader = Loader(options.reading)
    for path in options.qrels:
        loader.judgements(path)
    report = load_runs(paths, archive)
    found = find_entrants(paths, scores_of=options.scores_of, lenient=options.lenient)
    judged = options.judges.of_all(told_apart(found.runs))
    runs = runs_of_files([one.run.path for one in judged if not one.run.is_table], archive)
    notes: list[str] = [*unscored(judged)]
    notes += [
        f"{one.run.name} is a table of scores, which an archive cannot store"
        for one in judged
        if one.run.is_table
    ]
    wanted = [one for one in judged if one.qrels and one.run.path in runs]
    notes += options.judges.unused(wanted)
    with open_checked(archive, writable=True) as engine:
        how = _ways(wanted, loader)
        rankings = _rankings(engine, wanted, runs)
        known = {
            (ranking, qrels)
            for qrels, way in how.items()
            for ranking in kept_scores(
                engine,
                [rankings[one.run.path] for one in wanted if one.qrels == qrels],
                way,
                by_topic=by_topic,
            )
        }
        keys = {one.run.path: (rankings[one.run.path], one.qrels) for one in wanted}
        # Of several runs with one ranking the first is scored for all.
        new = {keys[one.run.path]: one for one in reversed(wanted)}
        new = {key: one for key, one in reversed(new.items()) if key not in known}
        done = score_judged(list(new.values()), options, progress=progress)
        for one in done.runs:
            way = how[one.judged.qrels]
            ranking = rankings[one.judged.run.path]
            former = keep_scores(engine, ranking, one.scores, way)
            if by_topic:
                notes += keep_topic_scores(engine, way.graph(ranking), one.scores)
            if former:
                notes.append(
                    f"{one.judged.run.name}: scores by {former} replaced with scores by "
                    f"{way.evaluator}"
                )
        notes += () if by_topic else _without_topics(engine, wanted, how, rankings)
        graphs = {one.run.path: how[one.qrels].graph(rankings[one.run.path]) for one in wanted}
        scores = _means(engine, wanted, graphs)
        notes += _others(engine, rankings, graphs)
    problems = {str(one): one for one in (*report.problems, *found.problems, *done.problems)}
    return KeptScores(
        archive=archive_name(archive),
        scores=scores,
        scored=len(done.runs),
        unchanged=len(wanted) - len(new),
        teams={one.run.name: team_of(one.run) for one in wanted},
        on=options.on,
        shown_on=options.on,
        problems=tuple(problems.values()),
        notes=(*found.notes, *notes, *departures(wanted), *remarks(done.runs, options)),
    )


def _ways(judged: Iterable[JudgedRun], loader: Loader) -> dict[str, Scoring]:
    """How runs are scored, by the file of their judgements."""
    return {
        qrels: Scoring.of(loader.scorer(qrels))
        for qrels in dict.fromkeys(one.qrels for one in judged)
    }


def _rankings(
    engine: Engine, judged: Sequence[JudgedRun], runs: Mapping[str, str]
) -> dict[str, str]:
    """The rankings of runs in an archive, by the paths of their files."""
    found = rankings_of(engine, [runs[one.run.path] for one in judged])
    for one in judged:
        if runs[one.run.path] not in found:
            raise ArchiveError(
                f"{engine.name}: {one.run.name} was loaded without its ranking, which its "
                "scores belong to; load its file without --headers-only"
            )
    return {one.run.path: min(found[runs[one.run.path]]) for one in judged}


def _without_topics(
    engine: Engine,
    judged: Iterable[JudgedRun],
    how: Mapping[str, Scoring],
    rankings: Mapping[str, str],
) -> Iterator[str]:
    """Take out scores by topic of rankings by their judgements, whatever else made them."""
    pairs = {(rankings[one.run.path], how[one.qrels].judgements) for one in judged}
    found = kept_sets(engine, sorted(ranking for ranking, _ in pairs))
    sets = [one for one in found if (one.ranking, one.judgements) in pairs]
    gone = set(drop_topic_scores(engine, [one.graph for one in sets]))
    if count := len({one.ranking for one in sets if one.graph in gone}):
        yield (
            f"per-topic scores of {count:,} ranking{'s' * (count != 1)} removed from {engine.name}"
        )


def _means(
    engine: Engine, judged: Sequence[JudgedRun], graphs: Mapping[str, str]
) -> dict[str, dict[str, float]]:
    found = scores_in(engine, graphs.values())
    return {
        one.run.name: {
            measure: float(value) for measure, value in found[graphs[one.run.path]].items()
        }
        for one in judged
        if graphs[one.run.path] in found
    }


def _others(
    engine: Engine, rankings: Mapping[str, str], graphs: Mapping[str, str]
) -> Iterator[str]:
    """By what else there are scores of the same rankings."""
    mine = set(graphs.values())
    others: dict[str, int] = {}
    for one in kept_sets(engine, rankings.values()):
        if one.graph not in mine:
            others[one.label] = others.get(one.label, 0) + 1
    for label, count in sorted(others.items()):
        have = "ranking also has" if count == 1 else "rankings also have"
        yield f"{count:,} {have} scores for {label}"
