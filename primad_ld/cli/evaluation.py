"""The commands that evaluate: score, evaluate."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli import common
from primad_ld.cli.answers import answering
from primad_ld.cli.common import (
    UNREADABLE,
    Force,
    Jobs,
    Output,
    Quiet,
    check_free,
    exit_codes,
    format_option,
    progress,
    say,
    say_error,
)
from primad_ld.cli.modes import check_effect, check_options

if TYPE_CHECKING:
    from primad_ld.measures.measure_list import MeasureList

# What is said of an interruption.
_NOTHING: Final = "nothing was written"
_KEPT: Final = "what the archive has by now is whole; doing it again goes on"


class ScoreFormat(enum.StrEnum):
    """How ``score`` prints."""

    table = "table"
    csv = "csv"
    json = "json"
    latex = "latex"
    markdown = "markdown"


class EvaluationFormat(enum.StrEnum):
    """How ``evaluate`` prints."""

    table = "table"
    csv = "csv"
    json = "json"
    latex = "latex"
    markdown = "markdown"
    ttl = "ttl"


class SameData(enum.StrEnum):
    """Whether equal identifiers are equal topics."""

    auto = "auto"
    same = "same"
    other = "other"


Qrels = Annotated[
    list[Path] | None,
    typer.Option(
        "--qrels",
        help="Relevance judgements. Give several, and headers tell which are whose.",
    ),
]
RepQrels = Annotated[
    list[Path] | None,
    typer.Option("--rep-qrels", help="Judgements of the reproductions, if they are others."),
]
On = Annotated[
    list[str] | None,
    typer.Option(
        "--on",
        help="Measures of effectiveness, as trec_eval or ir_measures call them (map, P@10, "
        "AP(rel=2)), with commas between; all.",
    ),
]
ScoresOf = Annotated[
    str, typer.Option("--scores-of", help="The measure of score tables that do not name it.")
]
Relevance = Annotated[
    int,
    typer.Option("--relevance-level", min=1, help="From which judgement on a document counts."),
]
OnlyRetrieved = Annotated[
    bool,
    typer.Option(
        "--only-retrieved",
        help="Leave out judged topics without documents, which else count as 0.",
    ),
]
Lenient = Annotated[
    bool, typer.Option("--lenient", help="Mend what can be mended of damaged lines, and count it.")
]
ArchiveName = Annotated[
    str | None,
    typer.Option("--archive", "-a", help="A folder or the address of a SPARQL endpoint."),
]


def score(
    context: typer.Context,
    runs: Annotated[
        list[Path], typer.Argument(help="Runs, score tables and folders of them.", metavar="RUN…")
    ],
    qrels: Qrels = None,
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive", "-a", help="Keep the scores in this archive; runs are loaded into it."
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="Measures of effectiveness, as trec_eval or ir_measures call them (map, P@10, "
            "AP(rel=2)), with commas between.",
        ),
    ] = None,
    topics: Annotated[
        bool | None,
        typer.Option(
            "--topics/--no-topics",
            help="Scores by topic in CSV and JSON, or with --archive in the archive; --no-topics "
            "also removes those that the archive has of these runs by these judgements.",
        ),
    ] = None,
    scores_of: ScoresOf = "",
    relevance_level: Relevance = 1,
    only_retrieved: OnlyRetrieved = False,
    lenient: Lenient = False,
    format: Annotated[ScoreFormat, format_option(ScoreFormat)] = ScoreFormat.table,
    output: Output = None,
    force: Force = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Score runs by measures of effectiveness, and keep the scores in an archive.

    Scores that an archive has of the same ranking by the same judgements are not computed again.
    They reveal something of the judgements, most of all those by topic: use --no-topics where
    the judgements are hidden and others may query the archive.
    """
    with exit_codes(_KEPT if archive is not None else _NOTHING):
        from primad_ld.cli import evaluation_outputs
        from primad_ld.cli.evaluation_options import without_scores
        from primad_ld.evaluation.evaluations import EvaluationOptions
        from primad_ld.evaluation.scored_runs import score_runs

        check_options(context, "files" if archive is None else "archive")
        check_effect(context, without_scores(runs, qrels))
        options = EvaluationOptions(
            qrels=common.paths(qrels),
            on=common.effectiveness(measure),
            scores_of=common.scores_of(scores_of),
            relevance_level=relevance_level,
            is_complete=not only_retrieved,
            lenient=lenient,
            jobs=jobs,
        )
        check_free(output, force=force)
        with progress("scoring", quiet=quiet) as on_progress:
            if archive is None:
                found = score_runs(runs, options, progress=on_progress)
                notes, problems = found.notes, found.problems
                text = evaluation_outputs.print_scores(format.value, found, topics, options.on)
            else:
                from primad_ld.evaluation.archive_scoring import score_into_archive

                kept = score_into_archive(
                    runs, archive, options, by_topic=topics is not False, progress=on_progress
                )
                notes, problems = (kept.summary, *kept.notes), kept.problems
                text = evaluation_outputs.print_kept(format.value, kept, options.on)
        _tell(notes, problems, quiet=quiet)
        _write(text, output, force=force)
        if problems:
            raise typer.Exit(UNREADABLE)


def evaluate(
    context: typer.Context,
    reference: Annotated[
        Path | None,
        typer.Argument(help="The run that was reproduced, or that others are compared with."),
    ] = None,
    candidates: Annotated[
        list[Path] | None,
        typer.Argument(help="Runs, score tables and folders of them.", metavar="[RUN…]"),
    ] = None,
    qrels: Qrels = None,
    rep_qrels: RepQrels = None,
    baseline: Annotated[Path | None, typer.Option("--baseline", help="The original baseline.")] = (
        None
    ),
    advanced: Annotated[
        Path | None, typer.Option("--advanced", help="The original advanced run.")
    ] = None,
    rep_baseline: Annotated[
        Path | None, typer.Option("--rep-baseline", help="What reproduces the baseline.")
    ] = None,
    rep_advanced: Annotated[
        Path | None, typer.Option("--rep-advanced", help="What reproduces the advanced run.")
    ] = None,
    pairs: Annotated[
        bool,
        typer.Option("--pairs", help="The baseline and advanced runs of a study, as headers tell."),
    ] = False,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Each run with each other one, as a matrix.")
    ] = False,
    archive: ArchiveName = None,
    in_archive: Annotated[
        str | None,
        typer.Option("--reference", help="With --archive: the tag or IRI of the reference."),
    ] = None,
    runs_in: Annotated[
        list[Path] | None,
        typer.Option(
            "--runs-in",
            help="With --archive: where the rankings of its runs are. For those that are not there, "
            "the archive's scores by topic stand in.",
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="Measures of reproducibility, such as ktu,rmse or 'rbo(p=0.8)'; all that are "
            "valid. Measures of effectiveness go with --on, or here.",
        ),
    ] = None,
    on: On = None,
    p: Annotated[
        float | None, typer.Option("--rbo-p", help="p of rank-biased overlap: 0.95 if left out.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", help="How many documents of each list count.")
    ] = None,
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin",
            metavar="NUMBER|PERCENT",
            help="Test for equivalence, too (tost): which difference of mean scores is small enough, "
            "such as 0.02, or 5% of the reference's mean.",
        ),
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help='Pairs of these types only: priMad, "PR?M\'AD".'),
    ] = None,
    data: Annotated[
        SameData,
        typer.Option(
            "--data",
            help="Whether topics with equal identifiers are the same; found out from headers and judgements.",
        ),
    ] = SameData.auto,
    correction: Annotated[
        str,
        typer.Option(
            "--correction",
            help="Correct p-values for the number of comparisons: bonferroni, holm-bonferroni, "
            "benjamini-hochberg or none; as the header of the reference declares if left out.",
        ),
    ] = "",
    per_topic: Annotated[
        bool, typer.Option("--per-topic", help="Values of single topics, in JSON.")
    ] = False,
    scores_of: ScoresOf = "",
    relevance_level: Relevance = 1,
    only_retrieved: OnlyRetrieved = False,
    lenient: Lenient = False,
    single_precision: Annotated[
        bool,
        typer.Option(
            "--single-precision",
            help="Tie documents whose scores differ beyond single precision only, as trec_eval "
            "does, in measures of order, too.",
        ),
    ] = False,
    cluster: Annotated[
        str, typer.Option("--cluster", help="A dask scheduler for --all-pairs: tcp://host:8786.")
    ] = "",
    format: Annotated[EvaluationFormat, format_option(EvaluationFormat)] = EvaluationFormat.table,
    output: Output = None,
    force: Force = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Say how well runs were reproduced: their PRIMAD type, then every measure valid for it.

    One pair, one run against many, a baseline and an advanced run with what reproduces them, or
    the pairs that an archive finds.
    """
    asked = dict(locals())
    if context.obj is not None:
        context.obj(asked)  # somebody else wants to know, to draw what is found
        return
    with exit_codes(_KEPT if archive is not None else _NOTHING):
        from primad_ld.cli import evaluation_outputs
        from primad_ld.cli.evaluation_options import EvaluationQuestion, mode_of

        check_options(context, mode_of(asked))
        check_free(output, force=force)
        question = EvaluationQuestion(asked, context)
        with progress("evaluating", quiet=quiet) as on_progress:
            if all_pairs:
                matrix = question.all_pairs(on_progress)
                notes, problems = list(matrix.notes), matrix.problems
                text: str | Iterable[str] = evaluation_outputs.print_matrix(
                    format.value, matrix.matrix, output, question.on
                )
            else:
                found = question.evaluation(on_progress)
                notes = [*found.notes, *(note for pair in found.pairs for note in pair.notes)]
                problems = found.problems
                text = evaluation_outputs.EVALUATIONS[format.value](found, question.shown(found))
        _tell(dict.fromkeys(notes), problems, quiet=quiet)
        _write(text, output, force=force)
        if problems:
            raise typer.Exit(UNREADABLE)


@answering()
def measures() -> MeasureList:
    """List the measures of reproducibility: what they need, where they are valid, what they mean."""
    from primad_ld.measures.measure_list import MeasureList

    return MeasureList()


def _tell(notes: Iterable[str], problems: Iterable[object], *, quiet: bool) -> None:
    for note in notes:
        say(f"note: {note}", quiet=quiet)
    for problem in problems:
        say_error(problem)


def _write(text: str | Iterable[str], output: Path | None, *, force: bool) -> None:
    from primad_ld.core.files import writing

    with writing(output, force=force) as stream:
        for part in [text] if isinstance(text, str) else text:
            stream.write(part.encode())
