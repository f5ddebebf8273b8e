"""The commands that evaluate: score, evaluate, measures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os.path import exists, isfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

import typer

from primad_ld.cli import common, completion
from primad_ld.cli.answers import answering
from primad_ld.cli.common import Jobs, progress
from primad_ld.cli.options import Command, check_one
from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import to_paths

if TYPE_CHECKING:
    from primad_ld.evaluation.all_pairs import AllPairs
    from primad_ld.evaluation.evaluated_pairs import Evaluation
    from primad_ld.evaluation.evaluations import EvaluationOptions
    from primad_ld.measures.measure_list import MeasureList
    from primad_ld.measures.registry import Chosen
    from primad_ld.tables.answers import Answer

_OnProgress = Callable[[int, int], None] | None

_IN_ARCHIVE: Final = "what was done before is in the archive; rerun the command to continue"


_OF_JUDGEMENTS: Final = ("relevance_level", "only_retrieved")


class _Judged(Command):
    """What both commands are told about judgements and scores."""

    qrels: Annotated[
        list[Path] | None,
        typer.Option(
            "--qrels",
            help="Relevance judgements. May be repeated; each run uses the file its header names.",
        ),
    ] = None
    scores_of: Annotated[
        str, typer.Option("--scores-of", help="Measure to assume for score tables without one.")
    ] = ""
    relevance_level: Annotated[
        int,
        typer.Option("--relevance-level", min=1, help="Minimum grade that counts as relevant."),
    ] = 1
    only_retrieved: Annotated[
        bool,
        typer.Option(
            "--only-retrieved",
            help="Leave out judged topics without documents, which otherwise count as 0.",
        ),
    ] = False
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Repair or skip malformed lines and report how many.")
    ] = False
    jobs: Jobs = None
    quiet: bool = False

    def judged(self) -> dict[str, Any]:
        """The options of the library that both have."""
        return {
            "qrels": common.paths(self.qrels),
            "scores_of": common.scores_of(self.scores_of),
            "relevance_level": self.relevance_level,
            "is_complete": not self.only_retrieved,
            "lenient": self.lenient,
            "jobs": self.jobs,
        }

    def ignore_unscored(
        self,
        paths: Sequence[str | Path],
        of_rankings: Sequence[str] = (),
        of_scores: Sequence[str] = (),
        *,
        has_judgements: bool,
    ) -> None:
        """Ignore what has no effect on how these files are scored."""
        from primad_ld.trec.score_tables import is_score_table, lacks_measure

        for path in map(Path, paths):
            if not exists(path) and common.is_measure(str(path)):
                raise typer.BadParameter(
                    f"{path}: no such file; separate measures by commas, without spaces"
                )
        tables = [path for path in map(Path, paths) if isfile(path) and is_score_table(path)]
        if not any(map(lacks_measure, tables)):
            self.ignore("all tables of scores name their measure", "scores_of")
        if tables and len(tables) == len(paths):
            self.ignore("these are tables of scores", "qrels", *_OF_JUDGEMENTS, *of_rankings)
        elif not has_judgements:
            self.ignore("runs are not scored without --qrels", *_OF_JUDGEMENTS)
            if not tables:
                self.ignore("runs are not scored without --qrels", *of_scores)


@answering(in_archive=_IN_ARCHIVE)
class ScoreCommand(_Judged):
    """Score runs by measures of effectiveness; --archive keeps the scores.

    Scores that the archive already has are not computed again. Per-topic scores reveal
    something about the judgements: use --no-topics if these are hidden and others may query the
    archive.
    """

    runs: Annotated[
        list[Path], typer.Argument(help="Runs, score tables and folders of them.", metavar="RUN…")
    ]
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive", "-a", help="Keep the scores in this archive; runs are loaded into it."
        ),
    ] = None
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="Measures of effectiveness in the names of trec_eval or ir_measures (map, "
            "P@10, AP(rel=2)), comma-separated; or all.",
            autocompletion=completion.effectiveness,
        ),
    ] = None
    topics: Annotated[
        bool | None,
        typer.Option(
            "--topics/--no-topics",
            help="Per-topic scores in CSV and JSON, or in the archive; --no-topics also "
            "deletes those in the archive for these runs and judgements.",
        ),
    ] = None

    def answer(self) -> Answer:
        """Scores of runs, kept in an archive if one is named."""
        from primad_ld.evaluation.evaluations import EvaluationOptions
        from primad_ld.evaluation.scored_runs import score_runs

        if self.archive is not None:
            self.ignore("an archive does not keep scores of tables", "scores_of")
        self.ignore_unscored(self.runs, has_judgements=bool(self.qrels))
        called = common.effectiveness(self.measure)
        on = tuple(called) if common.ALL not in called else ()
        options = EvaluationOptions(on=on, **self.judged())
        by_topic = self.topics is not False
        with progress("scoring", quiet=self.quiet) as on_progress:
            if self.archive is None:
                scores = score_runs(self.runs, options, progress=on_progress)
                return replace(scores, shown_on=tuple(called), called=called, with_topics=by_topic)
            from primad_ld.evaluation.archive_scoring import score_into_archive

            kept = score_into_archive(
                self.runs, self.archive, options, by_topic=by_topic, progress=on_progress
            )
            notes = kept.summary, *kept.notes
            return replace(kept, shown_on=tuple(called), called=called, notes=notes)


@answering("ttl", in_archive=_IN_ARCHIVE)
class EvaluateCommand(_Judged):
    """Measure how well runs were reproduced: their PRIMAD type, then every measure valid for it.

    Compares one pair, one run against many, a baseline and an advanced run with their
    reproductions, or runs of an archive.
    """

    reference: Annotated[
        str | None,
        typer.Argument(
            help="The run that was reproduced, or that others are compared with; with --archive "
            "its tag or IRI.",
            autocompletion=completion.runs,
        ),
    ] = None
    candidates: Annotated[
        list[str] | None,
        typer.Argument(
            help="Runs, score tables and folders of them; with --archive tags or IRIs, all runs if "
            "left out.",
            autocompletion=completion.runs,
            metavar="[RUN…]",
        ),
    ] = None
    rep_qrels: Annotated[
        list[Path] | None,
        typer.Option("--rep-qrels", help="Judgements of the reproductions, if they differ."),
    ] = None
    baseline: Annotated[Path | None, typer.Option("--baseline", help="The original baseline.")] = (
        None
    )
    advanced: Annotated[
        Path | None, typer.Option("--advanced", help="The original advanced run.")
    ] = None
    rep_baseline: Annotated[
        Path | None, typer.Option("--rep-baseline", help="The reproduced baseline.")
    ] = None
    rep_advanced: Annotated[
        Path | None, typer.Option("--rep-advanced", help="The reproduced advanced run.")
    ] = None
    pairs: Annotated[
        bool,
        typer.Option(
            "--pairs", help="Find the baseline and advanced runs of a study by their headers."
        ),
    ] = False
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Compare each run with each other one, as a matrix.")
    ] = False
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive",
            "-a",
            help="Runs of this archive (a folder, or a SPARQL endpoint's address), which keeps the "
            "assessments.",
        ),
    ] = None
    runs_in: Annotated[
        list[Path] | None,
        typer.Option(
            "--runs-in",
            help="With --archive: the folder of the run files. Runs without a file are compared by "
            "the archive's scores by topic.",
        ),
    ] = None
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="Measures of reproducibility, such as ktu,rmse or 'rbo(p=0.8)', or all; the usual "
            "ones if left out. Measures of effectiveness go with --on, or here.",
            autocompletion=completion.measures,
        ),
    ] = None
    on: Annotated[
        list[str] | None,
        typer.Option(
            "--on",
            help="Measures of effectiveness in the names of trec_eval or ir_measures (map, "
            "P@10, AP(rel=2)), comma-separated; or all.",
            autocompletion=completion.effectiveness,
        ),
    ] = None
    p: Annotated[
        float | None, typer.Option("--rbo-p", help="p of rank-biased overlap (default: 0.95).")
    ] = None
    depth: Annotated[
        int | None, typer.Option("--depth", help="Number of documents of each list that count.")
    ] = None
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin",
            metavar="NUMBER|PERCENT",
            help="Also test for equivalence (tost): the largest difference of mean scores that does "
            "not matter, such as 0.02, or 5% of the reference's mean.",
        ),
    ] = None
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help='Only pairs of these types: priMad, "PR?M\'AD".'),
    ] = None
    data: Annotated[
        Literal["auto", "same", "other"],
        typer.Option(
            "--data", help="Treat equal topic ids as the same topic: auto, same or other."
        ),
    ] = "auto"
    correction: Annotated[
        str,
        typer.Option(
            "--correction",
            help="Correct p-values for the number of comparisons: bonferroni, holm-bonferroni, "
            "benjamini-hochberg or none; as the header of the reference declares if left out.",
        ),
    ] = ""
    per_topic: Annotated[
        bool, typer.Option("--per-topic", help="Add values of single topics, in JSON.")
    ] = False
    single_precision: Annotated[
        bool,
        typer.Option(
            "--single-precision",
            help="Compare scores as 32-bit floats (like trec_eval) in rank measures too.",
        ),
    ] = False
    cluster: Annotated[
        str, typer.Option("--cluster", help="A dask scheduler for --all-pairs: tcp://host:8786.")
    ] = ""
    format: str = ""

    needs: ClassVar = {"runs_in": "--archive", "cluster": "--all-pairs"}

    def answer(self) -> Answer:
        """The answer to the one question that is asked."""
        study = [self.baseline, self.advanced, self.rep_baseline, self.rep_advanced]
        is_study = any(path is not None for path in study)
        check_one(
            all_pairs=self.all_pairs,
            pairs=self.pairs,
            archive=self.archive is not None,
            baseline=is_study,
        )
        named, called, shows_all = self._named()
        # An archive keeps what was computed, so that there the form must not matter.
        is_short = not (named or shows_all or self.archive is not None) and (
            self.format not in ("csv", "tsv", "jsonl", "json", "ttl")
        )
        measures = self._measures(named, is_short=is_short)
        notes: list[str] = []
        if why := self._ignore_unused(measures, [path for path in study if path is not None]):
            notes = [f"{', '.join(called)}: {why}"] if called else []
            called = {}
        measures = self._measures(named, is_short=is_short)  # without a margin that was ignored
        called = common.effectiveness(self.on) | called
        options = self._options(
            measures=tuple(measures) if is_short and not self.all_pairs else named,
            are_usual=not named and not self.all_pairs,
            on=() if common.ALL in called else tuple(called),
        )
        if changes := self._parameters():
            from primad_ld.measures.registry import with_parameters

            options = replace(options, measures=with_parameters(measures, changes))
        with progress("evaluating", quiet=self.quiet) as on_progress:
            if self.all_pairs:
                matrix = self._matrix(options, on_progress)
                notes = [*matrix.notes, *notes]
                return replace(matrix, shown_on=tuple(called), called=called, notes=tuple(notes))
            if is_study:
                found = _evaluate_study(study, options, on_progress)
            else:
                found = self._evaluation(options, on_progress)
        notes = [*found.notes, *(note for pair in found.pairs for note in pair.notes), *notes]
        return replace(
            found,
            are_named=found.are_named or shows_all,
            shown_on=tuple(called) or found.shown_on,
            called=called,
            notes=tuple(dict.fromkeys(notes)),
        )

    # Measures -----------------------------------------------------------------------------

    def _named(self) -> tuple[tuple[Chosen, ...], dict[str, str], bool]:
        """What --measure names: measures of both kinds, and whether it asks for all."""
        named, on = common.measures(self.measure or ())
        shows_all = common.ALL in common.parts(self.measure or ())
        if shows_all and (named or self.all_pairs):
            raise typer.BadParameter(
                "all cannot be combined with other measures or --all-pairs; name the measures"
            )
        return named, on, shows_all

    def _measures(self, named: Sequence[Chosen], *, is_short: bool) -> list[Chosen]:
        """The named measures or the usual ones, with a test for equivalence if there is a margin."""
        from primad_ld.measures.registry import parse_measure

        measures = list(named or self._usual(is_short=is_short))
        if self.margin is not None and not any(one.measure.one_of for one in measures):
            is_paired = bool(named) or self.all_pairs
            tests = ("tost",) if is_paired else ("tost", "tost_unpaired")
            measures += map(parse_measure, tests)
        return measures

    def _usual(self, *, is_short: bool) -> Sequence[Chosen]:
        """The measures if none is named; in short, those that a table shows."""
        from primad_ld.evaluation.pair_tables import READ
        from primad_ld.measures.registry import parse_measure, usual_measures

        if self.all_pairs:
            from primad_ld.evaluation.all_pairs import USUAL

            return [parse_measure(name) for name in USUAL]
        return [one for one in usual_measures() if not is_short or one.id in READ]

    def _parameters(self) -> dict[str, Any]:
        """The parameters of measures that are given beside them."""
        from primad_ld.measures.registry import read_margin

        margin = read_margin(self.margin) if self.margin is not None else {}
        given = {"p": self.p, "depth": self.depth}
        return margin | {name: value for name, value in given.items() if value is not None}

    def _ignore_unused(self, measures: Sequence[Chosen], study: Sequence[Path]) -> str:
        """Ignore what has no effect on these measures; why none of them compares scores, if so."""
        from primad_ld.measures.registry import Needs, read_margin, why_unchanged
        from primad_ld.measures.results import P_VALUES

        needs = {one.measure.needs for one in measures}
        names = {"p": "p", "depth": "depth"}
        if self.margin is not None:
            names |= dict.fromkeys(read_margin(self.margin), "margin")
        for name, option in names.items():
            if why := why_unchanged(measures, name):
                self.ignore(why, option)
        if self.all_pairs:
            self.ignore("not available for a matrix", "rep_qrels", "correction", "per_topic")
            if self.data == "other":
                self.ignore("a matrix assumes the same topics", "data")
            self._ignore_cluster(measures)
        if self.archive is not None:
            self.ignore("the assessments of an archive have no values by topic", "per_topic")
            self.ignore("an archive has no tables of scores", "scores_of")
        if self.format != "json":
            self.ignore("only the format json has per-topic values", "per_topic")
        if not any(one.id in P_VALUES for one in measures):
            self.ignore("no chosen measure is a p-value", "correction")
        if not any(one.measure.has_topics for one in measures):
            self.ignore("no chosen measure has per-topic values", "per_topic")
        if Needs.rankings not in needs:
            self.ignore("no chosen measure compares rankings", "single_precision")
        no_scores = "no chosen measure compares scores"
        of_scores = ("on", "correction", "margin")
        if needs == {Needs.rankings}:
            self.ignore(no_scores, *of_scores, *_OF_JUDGEMENTS)
            if self.all_pairs:
                self.ignore(no_scores, "qrels")
        if self.archive is None:  # which may have scores
            paths = [self.reference, *(self.candidates or ()), *study]
            self.ignore_unscored(
                [path for path in paths if path is not None],
                ("rep_qrels", "single_precision", "p", "depth"),
                of_scores,
                has_judgements=bool(self.qrels or self.rep_qrels),
            )
        return no_scores if needs == {Needs.rankings} else ""

    def _ignore_cluster(self, measures: Sequence[Chosen]) -> None:
        from primad_ld.evaluation.matrix_tiles import KERNELS

        if not any(one.id in KERNELS for one in measures):
            self.ignore("no chosen measure can be distributed (rbo can)", "cluster")

    def _options(self, **chosen: Any) -> EvaluationOptions:
        from primad_ld.compare.primad_types import parse_types
        from primad_ld.evaluation.evaluations import EvaluationOptions
        from primad_ld.measures.registry import to_data

        return EvaluationOptions(
            rep_qrels=common.paths(self.rep_qrels),
            in_single_precision=self.single_precision,
            data=to_data(self.data, "--data"),
            types=parse_types(self.types or ()),
            by_topic=self.per_topic,
            correction=self.correction,
            **self.judged(),
            **chosen,
        )

    # Questions ----------------------------------------------------------------------------

    def _matrix(self, options: EvaluationOptions, on_progress: _OnProgress) -> AllPairs:
        """Each run with each other one."""
        from primad_ld.evaluation.all_pairs import evaluate_all_pairs

        if not self._paths:
            raise typer.BadParameter("name the runs, or a folder of them")
        if self.format == "ttl":
            raise MeasureError("a matrix cannot be written as RDF; use --format csv or json")
        return evaluate_all_pairs(self._paths, options, cluster=self.cluster, progress=on_progress)

    def _evaluation(self, options: EvaluationOptions, on_progress: _OnProgress) -> Evaluation:
        """One run against others, or the pairs of a study that headers tell."""
        from primad_ld.evaluation.evaluations import evaluate_against, evaluate_pairs

        if self.archive is not None:
            return self._of_archive(self.archive, options, on_progress)
        if not self._paths:
            raise typer.BadParameter(
                "name a reference and runs, or use --baseline, --advanced, --rep-baseline and "
                "--rep-advanced, or a run of an archive with --archive"
            )
        if self.pairs:
            return evaluate_pairs(self._paths, options, progress=on_progress)
        first, *others = self._paths
        if not others:
            raise typer.BadParameter("name the runs to compare the reference with")
        return evaluate_against(first, others, options, progress=on_progress)

    def _of_archive(
        self, archive: str, options: EvaluationOptions, on_progress: _OnProgress
    ) -> Evaluation:
        from primad_ld.evaluation.archived_pairs import evaluate_archive

        if self.reference is None:
            raise typer.BadParameter("name a run of the archive by its tag or IRI")
        return evaluate_archive(
            archive,
            self.reference,
            self.runs_in or (),
            options,
            candidates=self.candidates or (),
            progress=on_progress,
        )

    @property
    def _paths(self) -> list[Path]:
        """The reference and the runs after it."""
        names = [] if self.reference is None else [self.reference, *(self.candidates or ())]
        return to_paths(names, "runs")


def _evaluate_study(
    study: Sequence[Path | None], options: EvaluationOptions, on_progress: _OnProgress
) -> Evaluation:
    from primad_ld.evaluation.evaluations import evaluate_study

    first, second, third, fourth = study
    if first is None or second is None or third is None or fourth is None:
        raise typer.BadParameter(
            "use --baseline, --advanced, --rep-baseline and --rep-advanced together"
        )
    return evaluate_study(first, second, third, fourth, options, progress=on_progress)


@answering()
def measures() -> MeasureList:
    """List the measures of reproducibility: what they need, where they are valid, what they mean."""
    from primad_ld.measures.measure_list import MeasureList

    return MeasureList()
