"""Scores and assessments in an archive, where what has not changed is not computed again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from primad_ld.archive.engine import Engine
from primad_ld.archive.opening import archive_name, load_runs, open_engine, runs_of_files
from primad_ld.archive.scores import Scoring, keep_scores, kept_scores, scores_of
from primad_ld.errors import HeaderError, MeasureError
from primad_ld.experiment.judging import Judged
from primad_ld.experiment.loading import Loader
from primad_ld.experiment.running import EvaluationOptions, Progress
from primad_ld.experiment.scoring import remarks, score_judged
from primad_ld.experiment.subjects import find_entrants, told_apart


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptScores:
    """What an archive has of some runs now."""

    archive: str
    #: Mean scores by run and measure, the runs under the names that they are called by.
    scores: dict[str, dict[str, float]]
    #: How many were scored now, and how many before.
    scored: int
    unchanged: int
    problems: tuple[HeaderError, ...] = ()
    notes: tuple[str, ...] = ()

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
    progress: Progress | None = None,
) -> KeptScores:
    """Load runs into an archive and keep their scores there.

    Scores of the same ranking by the same judgements, made by the same evaluator in the same
    way, are not computed again; others are replaced.
    """
    if not options.qrels:
        raise MeasureError("there are no judgements to score runs by; name them with --qrels")
    report = load_runs(paths, archive)
    found = find_entrants(paths, scores_of=options.scores_of, lenient=options.lenient)
    judged = options.judges.of_all(told_apart(found.runs))
    runs = runs_of_files([one.run.path for one in judged if not one.run.is_table], archive)
    notes = [f"{one.run.name} is not scored: {one.why_not}" for one in judged if one.why_not]
    notes += [
        f"{one.run.name} is a table, which no archive keeps" for one in judged if one.run.is_table
    ]
    wanted = [one for one in judged if one.qrels and one.run.path in runs]
    with open_engine(archive, writable=True) as engine:
        how = _ways(wanted, options)
        known = {
            run
            for qrels, way in how.items()
            for run in kept_scores(
                engine, [runs[one.run.path] for one in wanted if one.qrels == qrels], way
            )
        }
        new = [one for one in wanted if runs[one.run.path] not in known]
        done = score_judged(new, options, progress=progress)
        for one in done.runs:
            kept = keep_scores(engine, runs[one.judged.run.path], one.scores, how[one.judged.qrels])
            if kept.replaced:
                notes.append(
                    f"{one.judged.run.name} had scores by other judgements ({kept.replaced[:12]}…), "
                    "which these replace"
                )
        scores = _means(engine, wanted, runs)
    problems = {str(one): one for one in (*report.problems, *found.problems, *done.problems)}
    return KeptScores(
        archive=archive_name(archive),
        scores=scores,
        scored=len(done.runs),
        unchanged=len(known),
        problems=tuple(problems.values()),
        notes=(*found.notes, *notes, *remarks(done.runs, options)),
    )


def _ways(judged: Iterable[Judged], options: EvaluationOptions) -> dict[str, Scoring]:
    """How runs are scored, by the file of their judgements."""
    loader = Loader(options.reading)
    return {
        qrels: Scoring.of(loader.scorer(qrels))
        for qrels in dict.fromkeys(one.qrels for one in judged)
    }


def _means(
    engine: Engine, judged: Sequence[Judged], runs: dict[str, str]
) -> dict[str, dict[str, float]]:
    found = scores_of(engine, [runs[one.run.path] for one in judged])
    return {
        one.run.name: {
            measure: float(value) for measure, value in found[runs[one.run.path]].items()
        }
        for one in judged
        if runs[one.run.path] in found
    }
