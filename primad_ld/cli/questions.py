"""What ``evaluate`` is asked by its arguments and options.

They are declared once, by the command; figures of runs are asked for with the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from primad_ld.cli import naming

if TYPE_CHECKING:
    from primad_ld.cli.plotting import Wanted
    from primad_ld.experiment.matrices import AllPairs
    from primad_ld.experiment.results import Evaluation
    from primad_ld.experiment.running import EvaluationOptions
    from primad_ld.plots.records import Compared

OnProgress = Callable[[int, int], None] | None


class Question:
    """One evaluation, as the parameters of the command say it."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        from primad_ld.experiment.running import EvaluationOptions
        from primad_ld.measures.registry import Data

        self.given = parameters
        chosen, more_on = naming.measures(
            parameters["measure"] or (), p=parameters["p"], depth=parameters["depth"]
        )
        self.on = (*naming.effectiveness(parameters["on"]), *more_on)
        data = parameters["data"].value
        self.options = EvaluationOptions(
            qrels=naming.paths(parameters["qrels"]),
            rep_qrels=naming.paths(parameters["rep_qrels"]),
            measures=chosen,
            on=() if naming.ALL in self.on else self.on,
            scores_of=naming.scores_of(parameters["scores_of"]),
            relevance_level=parameters["relevance_level"],
            is_complete=not parameters["only_retrieved"],
            lenient=parameters["lenient"],
            in_single_precision=parameters["single_precision"],
            data=None if data == "auto" else Data(data),
            by_topic=parameters["per_topic"],
            correction=parameters["correction"],
            jobs=parameters["jobs"],
        )

    @property
    def paths(self) -> list[Path]:
        """The reference and the runs that stand behind it."""
        named = [self.given["reference"], *(self.given["candidates"] or ())]
        return [one for one in named if one is not None]

    def shown(self, found: Evaluation) -> tuple[str, ...]:
        """Which measures of effectiveness a table has."""
        return naming.shown(self.on, found)

    def evaluation(self, on_progress: OnProgress) -> Evaluation:
        """The answer of the one question that is asked."""
        from primad_ld.experiment import running

        study = [
            self.given[name] for name in ("baseline", "advanced", "rep_baseline", "rep_advanced")
        ]
        asked = [bool(self.paths), any(study), self.given["archive"] is not None]
        if sum(asked) != 1:
            raise typer.BadParameter(
                "name a reference and runs, or --baseline, --advanced, --rep-baseline and "
                "--rep-advanced, or --archive with --reference and --runs-in"
            )
        if self.given["cluster"]:
            raise typer.BadParameter("--cluster goes with --all-pairs")
        if self.given["archive"] is not None:
            return self._of_archive(on_progress)
        if self.given["in_archive"] is not None or self.given["runs_in"]:
            raise typer.BadParameter("--reference and --runs-in go with --archive")
        if any(study):
            return _of_study(study, self.options, on_progress)
        if self.given["pairs"]:
            return running.evaluate_pairs(self.paths, self.options, progress=on_progress)
        if len(self.paths) < 2:
            raise typer.BadParameter("name the runs to compare the reference with")
        first, *others = self.paths
        return running.evaluate_against(first, others, self.options, progress=on_progress)

    def all_pairs(self, on_progress: OnProgress) -> AllPairs:
        """Each run with each other one."""
        from primad_ld.experiment.matrices import evaluate_all_pairs

        if not self.paths:
            raise typer.BadParameter("name the runs, or a folder of them")
        return evaluate_all_pairs(
            self.paths, self.options, cluster=self.given["cluster"], progress=on_progress
        )

    def _of_archive(self, on_progress: OnProgress) -> Evaluation:
        from primad_ld.experiment.archived import evaluate_archive

        reference, runs_in = self.given["in_archive"], self.given["runs_in"]
        if reference is None or not runs_in:
            raise typer.BadParameter("--archive needs --reference and --runs-in")
        return evaluate_archive(
            self.given["archive"], reference, runs_in, self.options, progress=on_progress
        )


def evaluate_for_figure(kind: str, arguments: Sequence[str], wanted: Wanted) -> list[Compared]:
    """What a figure of runs needs, from the arguments that ``evaluate`` would take."""
    from primad_ld.cli.common import progress, say, say_error
    from primad_ld.cli.main import app
    from primad_ld.plots.records import compared_of, compared_of_matrix

    command = typer.main.get_group(app).commands["evaluate"]
    given: dict[str, Any] = {}
    context = command.make_context(f"primad-ld plot {kind}", list(arguments), obj=given.update)
    command.invoke(context)
    question = Question(
        {
            **given,
            "measure": list(wanted.measures),
            "on": [wanted.on] if wanted.on is not None else [],
            "per_topic": kind == "topics",
        }
    )
    quiet = wanted.quiet or given["quiet"]
    with progress("evaluating", quiet=quiet) as on_progress:
        if kind == "matrix":
            pairs = question.all_pairs(on_progress)
            notes, problems = pairs.notes, pairs.problems
            found = compared_of_matrix(pairs.matrix)
        else:
            evaluation = question.evaluation(on_progress)
            notes, problems = evaluation.notes, evaluation.problems
            found = compared_of(evaluation)
    for note in notes:
        say(f"note: {note}", quiet=quiet)
    for problem in problems:
        say_error(problem)
    return found


def _of_study(
    study: Sequence[Path | None], options: EvaluationOptions, on_progress: OnProgress
) -> Evaluation:
    from primad_ld.experiment.running import evaluate_study

    first, second, third, fourth = study
    if first is None or second is None or third is None or fourth is None:
        raise typer.BadParameter(
            "a study's pair is --baseline, --advanced, --rep-baseline and --rep-advanced"
        )
    return evaluate_study(first, second, third, fourth, options, progress=on_progress)
