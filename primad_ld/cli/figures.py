"""What ``score`` and ``evaluate`` print: tables for people, other forms for papers and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from primad_ld.cli.layout import add_row, as_json, new_table, rendered
from primad_ld.effectiveness.names import COMMON, expand
from primad_ld.experiment import markup, records
from primad_ld.experiment.grids import Grid, grids
from primad_ld.experiment.results import Evaluation
from primad_ld.experiment.scoring import Scores
from primad_ld.measures.page import measures_page
from primad_ld.measures.registry import all_measures, choose

if TYPE_CHECKING:
    from primad_ld.experiment.keeping import KeptScores


def _as_table(found: Sequence[Grid]) -> str:
    parts: list[object] = []
    for grid in found:
        if parts:
            parts.append("")
        if grid.title:
            parts.append(grid.title)
        table = new_table(*grid.columns)
        for column in table.columns[grid.texts :]:
            column.justify = "right"
        for row in grid.rows:
            add_row(table, *row)
        parts.append(table)
        parts.extend(grid.remarks)
        if grid.hint:
            parts.append(grid.hint)
    return rendered(*parts)


def _turtle(evaluation: Evaluation) -> str:
    from primad_ld.archive.assessments import assessment_turtle

    return assessment_turtle(evaluation)


Print = Callable[[Evaluation, Sequence[str]], str]

EVALUATIONS: Final[dict[str, Print]] = {
    "table": lambda found, on: _as_table(grids(found, on)),
    "csv": lambda found, _: records.evaluation_csv(found),
    "json": lambda found, _: records.evaluation_json(found),
    "latex": lambda found, on: markup.as_latex(grids(found, on)),
    "markdown": lambda found, on: markup.as_markdown(grids(found, on)),
    "ttl": lambda found, _: _turtle(found),
}


Means = Mapping[str, Mapping[str, float]]


def _means(found: Scores) -> Means:
    return {
        run.scores.name: {name: run.scores.mean(name) for name in run.scores.values}
        for run in found.runs
    }


def _score_grid(means: Means, on: Sequence[str]) -> list[Grid]:
    """A row for each run; the measures that everybody knows, unless others were asked for."""
    every = list(dict.fromkeys(name for run in means.values() for name in run))
    names = expand(on, every) if on else [name for name in COMMON if name in every] or every
    rows = [
        (run, *(f"{found[name]:.4f}" if name in found else "" for name in names))
        for run, found in means.items()
    ]
    hidden = len(every) - len(names)
    more = f"{hidden} more measures: --measure NAME, or --format csv or json"
    return [Grid(title="", columns=("run", *names), rows=tuple(rows), hint=more if hidden else "")]


Score = Callable[[Scores, "bool | None", Sequence[str]], str]

SCORES: Final[dict[str, Score]] = {
    "table": lambda found, _, on: _as_table(_score_grid(_means(found), on)),
    "csv": lambda found, topics, _: records.scores_csv(
        [one.scores for one in found.runs], with_topics=topics is not False
    ),
    "json": lambda found, topics, _: records.scores_json(
        [one.scores for one in found.runs], with_topics=topics is not False
    ),
    "latex": lambda found, _, on: markup.as_latex(_score_grid(_means(found), on)),
    "markdown": lambda found, _, on: markup.as_markdown(_score_grid(_means(found), on)),
}

KEPT: Final[dict[str, Callable[[KeptScores, Sequence[str]], str]]] = {
    "table": lambda found, on: _as_table(_score_grid(found.scores, on)),
    "csv": lambda found, on: records.rows_csv(_kept_rows(found, on)),
    "json": lambda found, on: records.rows_json(_kept_rows(found, on)),
    "latex": lambda found, on: markup.as_latex(_score_grid(found.scores, on)),
    "markdown": lambda found, on: markup.as_markdown(_score_grid(found.scores, on)),
}


def _kept_rows(found: KeptScores, on: Sequence[str]) -> Iterator[records.ScoreRow]:
    for run, means in found.scores.items():
        for name in expand(on, means) if on else means:
            yield run, name, None, means[name]


def _measures_grid() -> list[Grid]:
    rows = [
        (
            str(choose(one, {})),
            one.name,
            one.needs.value,
            one.data.value,
            one.range,
            "" if one.identity is None else f"{one.identity:g}",
            ", ".join(f"{name}={each.default}" for name, each in one.parameters.items()),
        )
        for one in all_measures().values()
    ]
    return [
        Grid(
            title="",
            columns=("measure", "name", "needs", "data", "range", "itself", "parameters"),
            rows=tuple(rows),
            texts=7,
        )
    ]


def _measures_json() -> str:
    return as_json(
        [
            {
                "id": one.id,
                "name": one.name,
                "needs": one.needs.value,
                "data": one.data.value,
                "range": one.range,
                "direction": one.direction.value,
                "identity": one.identity,
                "parameters": {name: each.default for name, each in one.parameters.items()},
                "definition": one.definition,
                "caveats": one.caveats,
                "repro_eval": one.repro_eval,
                "cites": one.cites,
            }
            for one in all_measures().values()
        ]
    )


MEASURES: Final[dict[str, Callable[[], str]]] = {
    "table": lambda: _as_table(_measures_grid()),
    "json": _measures_json,
    "markdown": measures_page,
}
