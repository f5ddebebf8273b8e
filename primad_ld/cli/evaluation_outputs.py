"""What ``score`` and ``evaluate`` print: tables for people, other forms for papers and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.cli.common import ALL
from primad_ld.cli.layout import as_table, laid_out
from primad_ld.core.errors import MeasureError
from primad_ld.core.files import plain_suffix
from primad_ld.measures.results import Evaluation
from primad_ld.trec.measure_names import COMMON, expand

if TYPE_CHECKING:
    from primad_ld.evaluation.archive_scoring import KeptScores
    from primad_ld.evaluation.evaluation_exports import ScoreRow
    from primad_ld.evaluation.matrix import Matrix
    from primad_ld.evaluation.scored_runs import Scores
    from primad_ld.tables.markup import Grid


# evaluate ---------------------------------------------------------------------------------


def _evaluation_table(found: Evaluation, on: Sequence[str]) -> str:
    from primad_ld.evaluation.pair_tables import grids

    return as_table(grids(found, on))


def _csv(found: Evaluation, _: Sequence[str]) -> str:
    from primad_ld.evaluation.evaluation_exports import evaluation_csv

    return evaluation_csv(found)


def _json(found: Evaluation, _: Sequence[str]) -> str:
    from primad_ld.evaluation.evaluation_exports import evaluation_json

    return evaluation_json(found)


def _latex(found: Evaluation, on: Sequence[str]) -> str:
    from primad_ld.evaluation.pair_tables import grids
    from primad_ld.tables.markup import as_latex

    return as_latex(grids(found, on))


def _markdown(found: Evaluation, on: Sequence[str]) -> str:
    from primad_ld.evaluation.pair_tables import grids
    from primad_ld.tables.markup import as_markdown

    return as_markdown(grids(found, on))


def _turtle(found: Evaluation, _: Sequence[str]) -> str:
    from primad_ld.archive.assessments import assessment_turtle

    return assessment_turtle(found)


#: What is imported depends on the format: one pair should be quick.
EVALUATIONS: Final[dict[str, Callable[[Evaluation, Sequence[str]], str]]] = {
    "table": _evaluation_table,
    "csv": _csv,
    "json": _json,
    "latex": _latex,
    "markdown": _markdown,
    "ttl": _turtle,
}


def print_matrix(
    format: str, matrix: Matrix, output: Path | None, on: Sequence[str]
) -> str | Iterable[str]:
    """All pairs: a table on the terminal, CSV or, by its name, JSON in a file.

    The latter come in pieces, for there may be millions of pairs.
    """
    from primad_ld.evaluation.all_pairs import csv_lines, json_lines, matrix_grids

    if format == "ttl":
        raise MeasureError("a matrix is no assessment in RDF; say --format csv or json")
    if format == "table" and output is not None:
        format = "json" if plain_suffix(output)[0].endswith(".json") else "csv"
    machines = {"csv": csv_lines, "json": json_lines}
    if format in machines:
        return machines[format](matrix)
    names = [layer.on for layer in matrix.layers if layer.on] if ALL in on else on
    return laid_out(format, matrix_grids(matrix, names))


# score ------------------------------------------------------------------------------------

_Means = Mapping[str, Mapping[str, float]]


def _means(found: Scores) -> _Means:
    return {
        run.scores.name: {name: run.scores.mean(name) for name in run.scores.values}
        for run in found.runs
    }


def _score_grid(means: _Means, on: Sequence[str]) -> list[Grid]:
    """A row for each run; the measures that everybody knows, unless others were asked for."""
    from primad_ld.tables.markup import Grid

    every = list(dict.fromkeys(name for run in means.values() for name in run))
    names = expand(on, every) if on else [name for name in COMMON if name in every] or every
    rows = [
        (run, *(f"{found[name]:.4f}" if name in found else "" for name in names))
        for run, found in means.items()
    ]
    hidden = len(every) - len(names)
    more = f"{hidden} more measure{'s' * (hidden != 1)}: --measure NAME, or --format csv or json"
    return [Grid(title="", columns=("run", *names), rows=tuple(rows), hint=more if hidden else "")]


def _grids_as(format: str, means: _Means, on: Sequence[str]) -> str:
    return laid_out(format, _score_grid(means, on))


def print_scores(format: str, found: Scores, topics: bool | None, on: Sequence[str]) -> str:
    """The scores of runs; of single topics, too, where a machine reads them."""
    from primad_ld.evaluation import evaluation_exports

    machines = {"csv": evaluation_exports.scores_csv, "json": evaluation_exports.scores_json}
    if format in machines:
        return machines[format]([one.scores for one in found.runs], with_topics=topics is not False)
    return _grids_as(format, _means(found), on)


def print_kept(format: str, found: KeptScores, on: Sequence[str]) -> str:
    """The mean scores that an archive has of runs."""
    from primad_ld.evaluation import evaluation_exports

    machines = {"csv": evaluation_exports.rows_csv, "json": evaluation_exports.rows_json}
    if format in machines:
        return machines[format](_kept_rows(found, on))
    return _grids_as(format, found.scores, on)


def _kept_rows(found: KeptScores, on: Sequence[str]) -> Iterator[ScoreRow]:
    for run, means in found.scores.items():
        for name in expand(on, means) if on else means:
            yield run, name, None, means[name]
