"""What ``evaluate`` is asked by its arguments and options.

They are declared once, by the command; figures of runs are asked for with the same ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from primad_ld.cli import common
from primad_ld.cli.modes import check_effect
from primad_ld.core.errors import MeasureError

if TYPE_CHECKING:
    from typer._click.core import Context

    from primad_ld.evaluation.all_pairs import AllPairs
    from primad_ld.evaluation.evaluated_pairs import Evaluation
    from primad_ld.evaluation.evaluations import EvaluationOptions
    from primad_ld.measures.registry import Chosen

_OnProgress = Callable[[int, int], None] | None

_STUDY: Final = ("baseline", "advanced", "rep_baseline", "rep_advanced")

_OF_JUDGEMENTS: Final = ("relevance_level", "only_retrieved")
_OF_SCORES: Final = ("on", "correction", "margin", *_OF_JUDGEMENTS)
_OF_RANKINGS: Final = ("qrels", "rep_qrels", "single_precision", "p", "depth", *_OF_JUDGEMENTS)
_NO_SCORES: Final = "without a measure of scores, such as rmse"


def mode_of(given: Mapping[str, Any]) -> str:
    """Which mode of ``evaluate`` is asked for."""
    if given["all_pairs"]:
        return "all-pairs"
    if given["archive"] is not None:
        return "archive"
    if any(given[name] is not None for name in _STUDY):
        return "study"
    return "pairs" if given["pairs"] else "against"


def without_scores(paths: Sequence[Path], qrels: Sequence[Path] | None) -> dict[str, str]:
    """Options that have no effect on how these files are scored, and why."""
    from primad_ld.trec.score_tables import is_score_table, lacks_measure

    tables = [path for path in paths if os.path.isfile(path) and is_score_table(path)]
    found = {}
    if not any(map(lacks_measure, tables)):
        found["scores_of"] = "without a table of scores that does not name its measure"
    if tables and len(tables) == len(paths):
        return found | dict.fromkeys(_OF_RANKINGS, "on tables of scores")
    if not qrels:
        found |= dict.fromkeys(_OF_JUDGEMENTS, "without --qrels")
        if not tables:
            found |= dict.fromkeys(_OF_SCORES, "without --qrels, as no run is scored")
    return found


class EvaluationQuestion:
    """One evaluation, as the parameters of the command say it."""

    def __init__(self, parameters: Mapping[str, Any], context: Context) -> None:
        from primad_ld.evaluation.evaluations import EvaluationOptions
        from primad_ld.measures.registry import (
            parse_measure,
            read_margin,
            why_unchanged,
            with_parameters,
        )

        self.given = parameters
        named, more_on = common.measures(parameters["measure"] or ())
        mode = mode_of(parameters)
        self.shows_all = common.ALL in common.parts(parameters["measure"] or ())
        if self.shows_all and (named or mode == "all-pairs"):
            raise typer.BadParameter("all stands alone, and not for a matrix; name the measures")
        # An archive keeps what was computed, so that there the form must not matter.
        is_short = not (named or self.shows_all or mode == "archive") and (
            parameters["format"] not in ("csv", "tsv", "jsonl", "json", "ttl")
        )
        measures = named or _unnamed(mode, is_short=is_short)
        margin = read_margin(parameters["margin"]) if parameters["margin"] is not None else {}
        if margin and not any(one.measure.one_of for one in measures):
            is_paired = bool(named) or parameters["all_pairs"]
            tests = ("tost",) if is_paired else ("tost", "tost_unpaired")
            measures = [*measures, *map(parse_measure, tests)]
        without_effect = self._without_effect(measures, more_on)
        for name in margin:
            if why := why_unchanged(measures, name):
                without_effect["margin"] = why
        check_effect(context, without_effect)
        changes = margin | {
            name: parameters[name] for name in ("p", "depth") if parameters[name] is not None
        }
        chosen = tuple(measures) if is_short and mode != "all-pairs" else named
        if changes:
            chosen = with_parameters(measures, changes)
        self.called = common.effectiveness(parameters["on"]) | more_on
        self.on = tuple(self.called)
        self.options = EvaluationOptions(
            qrels=common.paths(parameters["qrels"]),
            rep_qrels=common.paths(parameters["rep_qrels"]),
            measures=chosen,
            are_usual=not named and mode != "all-pairs",
            on=() if common.ALL in self.on else self.on,
            scores_of=common.scores_of(parameters["scores_of"]),
            relevance_level=parameters["relevance_level"],
            is_complete=not parameters["only_retrieved"],
            lenient=parameters["lenient"],
            in_single_precision=parameters["single_precision"],
            data=parameters["data"].value,
            types=parameters["types"] or (),
            by_topic=parameters["per_topic"],
            correction=parameters["correction"],
            jobs=parameters["jobs"],
        )

    def _without_effect(
        self, measures: Sequence[Chosen], more_on: Collection[str]
    ) -> dict[str, str]:
        """Options that change nothing about these measures of these runs, and why."""
        from primad_ld.measures.registry import Needs, why_unchanged
        from primad_ld.measures.results import P_VALUES

        needs = {one.measure.needs for one in measures}
        found = {}
        if self.given["data"].value == "other" and self.given["all_pairs"]:
            found["data"] = "as other, because a matrix is of the same topics"
        if not any(one.id in P_VALUES for one in measures):
            found["correction"] = "without a measure that is a p-value, such as t_test"
        for name in ("p", "depth"):
            if why := why_unchanged(measures, name):
                found[name] = why
        if self.given["cluster"]:
            from primad_ld.evaluation.matrix_tiles import KERNELS

            if not any(one.id in KERNELS for one in measures):
                found["cluster"] = "without a measure that is computed in tiles, such as rbo"
        if not any(one.measure.has_topics for one in measures):
            found["per_topic"] = "without a measure that has values by topic, such as rbo or rmse"
        if Needs.rankings not in needs:
            found["single_precision"] = "without a measure of order, such as rbo"
        if needs == {Needs.rankings}:
            found |= dict.fromkeys(_OF_SCORES, _NO_SCORES)
            if self.given["all_pairs"]:
                found["qrels"] = _NO_SCORES
            if more_on:
                found["measure"] = f"as to {', '.join(more_on)} {_NO_SCORES}"
        named = [self.given[name] for name in _STUDY if self.given[name] is not None]
        qrels = self.given["qrels"] or self.given["rep_qrels"]
        if self.given["archive"] is not None:
            return found  # it may have scores
        return without_scores([*self.paths, *named], qrels) | found

    @property
    def paths(self) -> list[Path]:
        """The reference and the runs that stand behind it."""
        named = [self.given["reference"], *(self.given["candidates"] or ())]
        return [one for one in named if one is not None]

    def evaluation(self, on_progress: _OnProgress) -> Evaluation:
        """The answer of the one question that is asked, with what is to be told of its pairs."""
        found = self._evaluation(on_progress)
        notes = [*found.notes, *(note for pair in found.pairs for note in pair.notes)]
        return replace(
            found,
            are_named=found.are_named or self.shows_all,
            shown_on=self.on or found.shown_on,
            called=self.called,
            notes=tuple(dict.fromkeys(notes)),
        )

    def _evaluation(self, on_progress: _OnProgress) -> Evaluation:
        from primad_ld.evaluation.evaluations import evaluate_against, evaluate_pairs

        mode = mode_of(self.given)
        if mode == "archive":
            return self._of_archive(on_progress)
        if mode == "study":
            return _of_study([self.given[name] for name in _STUDY], self.options, on_progress)
        if not self.paths:
            raise typer.BadParameter(
                "name a reference and runs, or --baseline, --advanced, --rep-baseline and "
                "--rep-advanced, or --archive with --reference"
            )
        if mode == "pairs":
            return evaluate_pairs(self.paths, self.options, progress=on_progress)
        if len(self.paths) < 2:
            raise typer.BadParameter("name the runs to compare the reference with")
        first, *others = self.paths
        return evaluate_against(first, others, self.options, progress=on_progress)

    def all_pairs(self, on_progress: _OnProgress) -> AllPairs:
        """Each run with each other one."""
        from primad_ld.evaluation.all_pairs import evaluate_all_pairs

        if not self.paths:
            raise typer.BadParameter("name the runs, or a folder of them")
        if self.given["format"] == "ttl":
            raise MeasureError("a matrix is not an assessment in RDF; use --format csv or json")
        found = evaluate_all_pairs(
            self.paths, self.options, cluster=self.given["cluster"], progress=on_progress
        )
        return replace(found, shown_on=self.on, called=self.called)

    def _of_archive(self, on_progress: _OnProgress) -> Evaluation:
        from primad_ld.evaluation.archived_pairs import evaluate_archive

        reference, runs_in = self.given["in_archive"], self.given["runs_in"] or ()
        if reference is None:
            raise typer.BadParameter("--archive needs --reference")
        return evaluate_archive(
            self.given["archive"], reference, runs_in, self.options, progress=on_progress
        )


def _of_study(
    study: Sequence[Path | None], options: EvaluationOptions, on_progress: _OnProgress
) -> Evaluation:
    from primad_ld.evaluation.evaluations import evaluate_study

    first, second, third, fourth = study
    if first is None or second is None or third is None or fourth is None:
        raise typer.BadParameter(
            "a study's pair is --baseline, --advanced, --rep-baseline and --rep-advanced"
        )
    return evaluate_study(first, second, third, fourth, options, progress=on_progress)


def _unnamed(mode: str, *, is_short: bool) -> Sequence[Chosen]:
    """The measures of a mode if none is named; in short, those that a table shows."""
    from primad_ld.evaluation.pair_tables import READ
    from primad_ld.measures.registry import parse_measure, usual_measures

    if mode == "all-pairs":
        from primad_ld.evaluation.all_pairs import USUAL

        return [parse_measure(name) for name in USUAL]
    return [one for one in usual_measures() if not is_short or one.id in READ]
