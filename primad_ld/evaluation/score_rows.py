"""Scores as rows for machines, and as a list of runs for people, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from primad_ld.evaluation.figure_cells import names_to_show
from primad_ld.tables.answers import Column, Row, Table, columns
from primad_ld.trec.measure_names import is_count

#: In place of a topic, as trec_eval writes it: the score is of all topics together.
ALL_TOPICS: Final = "all"
_DIGITS: Final = 4


#: The name of a run, its team, and its mean scores.
MeanScores = tuple[str, str, Mapping[str, float]]


def score_columns(called: Mapping[str, str]) -> list[Column]:
    """The columns of scores; with the canonical names of measures, if some were called otherwise."""
    found = columns(run="run", measure="measure", topic="topic", value="value")
    others = any(name != asked for name, asked in called.items())
    return [*found, *(columns(canonical="canonical") if others else ())]


def score_row(
    run: str, measure: str, topic: str, value: float, called: Mapping[str, str]
) -> dict[str, object]:
    """A score, under the name that its measure was asked for by."""
    name = called.get(measure, measure)
    row = {"run": run, "measure": name, "topic": topic, "value": _number(measure, value)}
    return row | {"canonical": measure}


def _number(measure: str, value: float) -> float:
    """A score; counts are whole numbers."""
    return int(value) if is_count(measure) and value.is_integer() else value


def list_of_runs(
    runs: Sequence[MeanScores], asked: Sequence[str], called: Mapping[str, str]
) -> Table:
    """A row for each run, by the first measure that is shown; ``asked`` and as they were called."""
    every = list(dict.fromkeys(name for _, _, means in runs for name in means))
    names = names_to_show(asked, every)
    rows: list[Row] = [
        {"run": run, "team": team, **{name: _number(name, means[name]) for name in means}}
        for run, team, means in runs
    ]
    if names:
        rows.sort(key=lambda row: (names[0] not in row, -float(str(row.get(names[0], 0)))))
    hidden = len(every) - len(names)
    plural = "s" * (hidden != 1)
    return Table(
        name="scores",
        columns=[*columns(run="run", team="team"), *(_of_measure(name, called) for name in names)],
        rows=rows,
        hint=f"{hidden} more measure{plural}: -m NAME or all, or --format csv or json"
        if hidden
        else "",
    )


def _of_measure(name: str, called: Mapping[str, str]) -> Column:
    better: Literal["", "high"] = "" if is_count(name) else "high"
    title = called.get(name, name)
    return Column(name, title, digits=_DIGITS, essential=True, better=better)
