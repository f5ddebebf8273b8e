"""The tables of a track for programs: numbers are bare and whole, and what is not known is None."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from primad_ld.replication.aggregation import INFERRED_2016, Rule, aggregate
from primad_ld.replication.outcomes import Judged, judge_attempts, stage_of
from primad_ld.replication.outcometables import OUTCOME_HEADS, by_configuration, level_text
from primad_ld.replication.tables import best_fraction, check_names, tables_of
from primad_ld.replication.timing import times_of
from primad_ld.replication.tracks import Track
from primad_ld.tables.grid import UNDEFINED, Grid

Cell = str | int | float | bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """A table as a program reads it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def as_texts(self) -> list[tuple[str, ...]]:
        """The head and the rows, as CSV has them."""
        return [self.columns, *(tuple(map(_text, row)) for row in self.rows)]

    @property
    def as_records(self) -> list[dict[str, Cell]]:
        """The rows, as JSON has them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def rows_of(track: Track, rule: Rule, name: str) -> Rows:
    """One of the tables that can be asked for by name."""
    check_names([name])
    if name in _MAKERS:
        return _MAKERS[name](track, rule)
    (grid,) = tables_of(track, rule, [name])
    return _of_grid(grid)


def json_of_tables(track: Track, rule: Rule = INFERRED_2016, only: Sequence[str] = ()) -> str:
    """The records of a table; of several, by their names."""
    found = {name: rows_of(track, rule, name).as_records for name in only}
    value = found[only[0]] if len(found) == 1 else found
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def number_of(value: Decimal | Fraction | None) -> int | float | None:
    """A number as JSON has it; 2 is no 2.0."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def _text(value: Cell) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _of_grid(grid: Grid) -> Rows:
    """A table of texts alone, such as the score sheet."""
    rows = (tuple(None if cell == UNDEFINED else cell for cell in row) for row in grid.rows)
    return Rows(columns=grid.columns, rows=tuple(rows))


def _percent(share: Fraction | None) -> int | float | None:
    return None if share is None else number_of(share * 100)


# The tables that have numbers -------------------------------------------------------------


def _times(track: Track, _: Rule) -> Rows:
    rows = (
        (
            one.system,
            track.roles[one.role].name if one.role in track.roles else None,
            number_of(one.human),
            one.n_human,
            number_of(one.run),
            one.n_run,
            number_of(one.published.human if one.published else None),
            number_of(one.published.run if one.published else None),
        )
        for one in times_of(track)
    )
    return Rows(
        columns=(
            *("system", "role", "human minutes", "n human", "run minutes", "n run"),
            *("published human minutes", "published run minutes"),
        ),
        rows=tuple(rows),
    )


def _scores(track: Track, rule: Rule) -> Rows:
    rows = (
        (
            (told.phase if told else "") or one.question.phase or None,
            one.question.id,
            (told.label if told else "") or one.question.label or None,
            _percent(one.share),
            _percent(best_fraction(track, one.question, rule)),
            one.n,
            one.n_from_scores,
            one.groups,
            one.groups_in_all,
            number_of(told.percent if told else None),
            (told.marker if told else "") or None,
        )
        for one in aggregate(track, rule)
        for told in (one.published,)
    )
    return Rows(
        columns=(
            *("phase", "question", "asks", "percent", "best percent", "n", "n from outcomes"),
            *("groups used", "groups in all", "published percent", "published marker"),
        ),
        rows=tuple(rows),
    )


def _by_system(track: Track, rule: Rule) -> Rows:
    found = aggregate(track, rule)
    rows = (
        (
            one.question.id,
            one.question.label or None,
            system.id,
            _percent(share),
            _percent(best_fraction(track, one.question, rule)),
            n,
        )
        for one in found
        for system in track.systems
        for share, n in (one.by_system.get(system.id, (None, 0)),)
    )
    return Rows(
        columns=("question", "asks", "system", "percent", "best percent", "n"), rows=tuple(rows)
    )


def _outcomes(track: Track, _: Rule) -> Rows:
    rows = []
    for (system, configuration), found in by_configuration(track):
        counts = Counter(one.outcome for one in found)
        numbers = (counts[outcome] for outcome in OUTCOME_HEADS)
        levels = " ".join(map(level_text, found))
        rows.append((system, configuration or None, len(found), *numbers, levels))
    columns = ("system", "configuration", "n", *OUTCOME_HEADS.values(), "levels")
    return Rows(columns=columns, rows=tuple(rows))


def _attempts(track: Track, _: Rule) -> Rows:
    measures = tuple(track.measures)
    return Rows(
        columns=(
            *("system", "configuration", "analyst", "role", "author asked", "stage", "outcome"),
            "reason",
            *(f"difference {name}" for name in measures),
            *("level", "level is at least"),
            *("human minutes", "build minutes", "run minutes"),
        ),
        rows=tuple(tuple(_attempt(track, one, measures)) for one in judge_attempts(track)),
    )


def _attempt(track: Track, judged: Judged, measures: Sequence[str]) -> Iterator[Cell]:
    one = judged.attempt
    stage = stage_of(one, judged.outcome)
    role = track.roles[judged.role].name if judged.role in track.roles else None
    yield from (one.system, one.configuration or None, one.analyst, role, one.author_contacted)
    yield stage.value if stage else None
    yield judged.outcome.value if judged.outcome else None
    yield one.reason or None
    sizes = {each.measure.name: each.difference for each in judged.compared}
    yield from (number_of(sizes.get(name)) for name in measures)
    yield judged.repeatability
    yield None if judged.repeatability is None else judged.is_at_least
    yield from map(number_of, (one.human_minutes, one.build_minutes, one.run_minutes))


_MAKERS: Final[dict[str, Callable[[Track, Rule], Rows]]] = {
    "4": _times,
    "5": _scores,
    "systems": _by_system,
    "outcomes": _outcomes,
    "attempts": _attempts,
}
