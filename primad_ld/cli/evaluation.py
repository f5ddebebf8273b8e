"""The commands that evaluate: score, evaluate."""

from __future__ import annotations

import enum
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli import common, completion
from primad_ld.cli.answers import answering
from primad_ld.cli.common import Jobs, progress
from primad_ld.cli.modes import check_effect, check_options

if TYPE_CHECKING:
    from primad_ld.measures.measure_list import MeasureList
    from primad_ld.tables.answers import Answer

# What is said of an interruption.
_INTERRUPTED: Final = "nothing was written; with --archive, rerun the command to continue"


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
        autocompletion=completion.effectiveness,
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


@answering(interrupted=_INTERRUPTED)
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
            autocompletion=completion.effectiveness,
            help="Measures of effectiveness, as trec_eval or ir_measures call them (map, P@10, "
            "AP(rel=2)), with commas between; all for all.",
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
    jobs: Jobs = None,
    quiet: bool = False,
) -> Answer:
    """Score runs by measures of effectiveness, and keep the scores in an archive.

    Scores that an archive has of the same ranking by the same judgements are not computed again.
    They reveal something of the judgements, most of all those by topic: use --no-topics where
    the judgements are hidden and others may query the archive.
    """
    from primad_ld.cli.evaluation_options import without_scores
    from primad_ld.evaluation.evaluations import EvaluationOptions
    from primad_ld.evaluation.scored_runs import score_runs

    check_options(context, "files" if archive is None else "archive")
    check_effect(context, without_scores(runs, qrels))
    called = common.effectiveness(measure)
    options = EvaluationOptions(
        qrels=common.paths(qrels),
        on=tuple(called) if common.ALL not in called else (),
        scores_of=common.scores_of(scores_of),
        relevance_level=relevance_level,
        is_complete=not only_retrieved,
        lenient=lenient,
        jobs=jobs,
    )
    with progress("scoring", quiet=quiet) as on_progress:
        if archive is None:
            scores = score_runs(runs, options, progress=on_progress)
            is_long = topics is not False
            return replace(scores, shown_on=tuple(called), called=called, with_topics=is_long)
        from primad_ld.evaluation.archive_scoring import score_into_archive

        kept = score_into_archive(
            runs, archive, options, by_topic=topics is not False, progress=on_progress
        )
        notes = kept.summary, *kept.notes
        return replace(kept, shown_on=tuple(called), called=called, notes=notes)


@answering("ttl", interrupted=_INTERRUPTED)
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
            autocompletion=completion.measures,
            help="Measures of reproducibility, such as ktu,rmse or 'rbo(p=0.8)'; all that are "
            "valid if left out, of which tables show some; all for all. Measures of effectiveness "
            "go with --on, or here.",
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
        bool, typer.Option("--per-topic", help="Add values of single topics, in JSON.")
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
    jobs: Jobs = None,
    format: str = "",
    quiet: bool = False,
) -> Answer:
    """Say how well runs were reproduced: their PRIMAD type, then every measure valid for it.

    One pair, one run against many, a baseline and an advanced run with what reproduces them, or
    the pairs that an archive finds.
    """
    asked = dict(locals())
    if context.obj is not None:
        context.obj(asked)  # somebody else wants to know, to draw what is found
        raise typer.Exit
    from primad_ld.cli.evaluation_options import EvaluationQuestion, mode_of

    check_options(context, mode_of(asked))
    question = EvaluationQuestion(asked, context)
    with progress("evaluating", quiet=quiet) as on_progress:
        return (question.all_pairs if all_pairs else question.evaluation)(on_progress)


@answering()
def measures() -> MeasureList:
    """List the measures of reproducibility: what they need, where they are valid, what they mean."""
    from primad_ld.measures.measure_list import MeasureList

    return MeasureList()
