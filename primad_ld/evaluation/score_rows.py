"""Scores as rows for machines, and as a list of runs for people, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from primad_ld.evaluation.figure_cells import names_to_show
from primad_ld.tables.answers import Column, Row, Table

#: The columns of scores; the topic is empty where they are of all topics.
COLUMNS: Final = tuple(Column(key=key, title=key) for key in ("run", "measure", "topic", "value"))
_DIGITS: Final = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class MeanScores:
    """The mean scores of a run."""

    run: str
    team: str = ""
    means: Mapping[str, float]


def list_of_runs(
    runs: Sequence[MeanScores], asked: Sequence[str], called: Mapping[str, str]
) -> Table:
    """A row for each run, by the first measure that is shown; ``asked`` and as they were called."""
    every = list(dict.fromkeys(name for run in runs for name in run.means))
    names = names_to_show(asked, every)
    rows: list[Row] = [{"run": run.run, "team": run.team, **run.means} for run in runs]
    if names:
        rows.sort(key=lambda row: (names[0] not in row, -float(str(row.get(names[0], 0)))))
    hidden = len(every) - len(names)
    plural = "s" * (hidden != 1)
    return Table(
        name="scores",
        columns=[
            Column(key="run", title="run"),
            Column(key="team", title="team"),
            *(Column(key=name, title=called.get(name, name), digits=_DIGITS) for name in names),
        ],
        rows=rows,
        hint=f"{hidden} more measure{plural}: -m NAME or all, or --format csv or json"
        if hidden
        else "",
    )
