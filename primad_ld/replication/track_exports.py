"""Replication tracks for programs: a whole track as JSON, and its tables as rows.

Numbers are bare and with all digits, and what is not known is None.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from primad_ld.replication.aggregation import INFERRED_2016, Aggregated, AggregationRule, aggregate
from primad_ld.replication.outcomes import (
    CellTime,
    ComparedScores,
    JudgedAttempt,
    contradictions,
    edge_cases,
    judge_attempts,
    stage_of,
    times_of,
)
from primad_ld.replication.track_tables import (
    OUTCOME_HEADS,
    best_fraction,
    by_configuration,
    check_names,
    level_text,
    tables_of,
)
from primad_ld.replication.tracks import Question, ScaleKind, System, Track
from primad_ld.tables.markup import UNDEFINED, Grid

_Record = dict[str, Any]
_Cell = str | int | float | bool | None


# Whole tracks -----------------------------------------------------------------------------


def as_json(track: Track, rule: AggregationRule = INFERRED_2016) -> str:
    """A track as one JSON object."""
    text = json.dumps(_track_record(track, rule), ensure_ascii=False, indent=2, allow_nan=False)
    return text + "\n"


def _track_record(track: Track, rule: AggregationRule = INFERRED_2016) -> _Record:
    """What a track says, and what follows from it. Shares are between 0 and 1; null is not known."""
    judged = judge_attempts(track)
    return {
        "title": track.title,
        "task": track.task,
        "data": track.data,
        "budget_minutes": _number_of(track.budget_minutes),
        "about": track.about,
        "measures": [
            {"name": one.name, "tolerance": _number_of(one.tolerance), "stated": one.is_stated}
            for one in track.measures.values()
        ],
        "questions": [_question(track, one) for one in track.questions],
        "systems": [_system(one) for one in track.systems],
        "analysts": [
            {"id": one.id, "role": one.role or None, "machine": one.machine, "note": one.note}
            for one in track.analysts
        ],
        "times": [_time(one) for one in times_of(track)],
        "rule": {
            "normalise": rule.normalise.value,
            "group_by": rule.group_by.value,
            "missing": rule.missing.value,
            "inferred_for_2016": rule == INFERRED_2016,
            "in_words": rule.in_words,
        },
        "scores": [_score(one) for one in aggregate(track, rule)],
        "attempts": [_attempt(track, one) for one in judged],
        "contradictions": [text for one in judged for text in contradictions(track, one)],
        "on_the_edge": [text for one in judged for text in edge_cases(one)],
        "notes": {about: list(texts) for about, texts in track.notes.items()},
        "said": track.said,
    }


def _question(track: Track, one: Question) -> _Record:
    scale = track.scale_of(one)
    return {
        "id": one.id,
        "phase": one.phase,
        "label": one.label,
        "text": one.text,
        "polarity": track.polarity_of(one).value if scale.kind is ScaleKind.levels else None,
        "only_with_results": one.only_with_results,
        "scale": scale.name,
        "levels": [
            {
                "number": _number_of(level.number),
                "label": level.label,
                **({"outcome": level.outcome.value} if level.outcome else {}),
            }
            for level in scale.levels
        ],
    }


def _system(one: System) -> _Record:
    submitted = [
        {"configuration": name, "scores": {key: score.text for key, score in scores.items()}}
        for name, scores in one.submitted.items()
    ]
    return {"id": one.id, "properties": one.properties, "submitted": submitted}


def _time(one: CellTime) -> _Record:
    told = one.published
    return {
        "system": one.system,
        "role": one.role or None,
        "human_minutes": _number_of(one.human),
        "n_human": one.n_human,
        "run_minutes": _number_of(one.run),
        "n_run": one.n_run,
        "published_human_minutes": _number_of(told.human) if told else None,
        "published_run_minutes": _number_of(told.run) if told else None,
    }


def _score(one: Aggregated) -> _Record:
    told = one.published
    return {
        "question": one.question.id,
        "share": _number_of(one.share),
        "fraction": None if one.share is None else str(one.share),
        "percent": one.percent,
        "n": one.n,
        "n_from_outcomes": one.n_from_scores,
        "groups": one.groups,
        "groups_in_all": one.groups_in_all,
        "published_percent": _number_of(told.percent) if told else None,
        "published_marker": told.marker if told else None,
        "agrees": one.agrees,
        "published_is_given_by": [
            {"normalise": rule.normalise, "group_by": rule.group_by, "missing": rule.missing}
            for rule in one.explained_by
        ],
        "by_system": {
            name: {"share": _number_of(share), "n": n} for name, (share, n) in one.by_system.items()
        },
    }


def _attempt(track: Track, one: JudgedAttempt) -> _Record:
    attempt = one.attempt
    stage = stage_of(attempt, one.outcome)
    return {
        "system": attempt.system,
        "configuration": attempt.configuration,
        "analyst": attempt.analyst,
        "role": one.role or None,
        "machine": track.machine_of(attempt),
        "stage": stage.value if stage else None,
        "reason": attempt.reason,
        "human_minutes": _number_of(attempt.human_minutes),
        "build_minutes": _number_of(attempt.build_minutes),
        "run_minutes": _number_of(attempt.run_minutes),
        "author_contacted": attempt.author_contacted,
        "author_insists": attempt.author_insists,
        "outcome": one.outcome.value if one.outcome else None,
        "outcome_from": one.source.value if one.source else None,
        "compared": [_compared(each) for each in one.compared],
        "scores": {name: score.text for name, score in attempt.scores.items()},
        "repeatability": one.repeatability,
        "repeatability_is_at_least": one.is_at_least,
        "answers": {
            id: {
                "answer": answer.text,
                "level": _number_of(answer.level),
                "comment": answer.comment,
            }
            for id, answer in attempt.answers.items()
        },
        "comments": attempt.comments,
        "said": attempt.said,
    }


def _compared(one: ComparedScores) -> _Record:
    return {
        "measure": one.measure.name,
        "submitted": one.submitted.text if one.submitted else None,
        "obtained": one.obtained.text if one.obtained else None,
        "difference": _number_of(one.difference),
        "outcome": one.outcome.value,
    }


# Tables -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _TrackRows:
    """A table as a program reads it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[_Cell, ...], ...]

    @property
    def as_texts(self) -> list[tuple[str, ...]]:
        """The head and the rows, as CSV has them."""
        return [self.columns, *(tuple(map(_text, row)) for row in self.rows)]

    @property
    def as_records(self) -> list[dict[str, _Cell]]:
        """The rows, as JSON has them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def rows_of(track: Track, rule: AggregationRule, name: str) -> _TrackRows:
    """One of the tables that can be asked for by name."""
    check_names([name])
    if name in _MAKERS:
        return _MAKERS[name](track, rule)
    (grid,) = tables_of(track, rule, [name])
    return _of_grid(grid)


def json_of_tables(
    track: Track, rule: AggregationRule = INFERRED_2016, only: Sequence[str] = ()
) -> str:
    """The records of a table; of several, by their names."""
    found = {name: rows_of(track, rule, name).as_records for name in only}
    value = found[only[0]] if len(found) == 1 else found
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _text(value: _Cell) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _of_grid(grid: Grid) -> _TrackRows:
    """A table of texts alone, such as the score sheet."""
    rows = (tuple(None if cell == UNDEFINED else cell for cell in row) for row in grid.rows)
    return _TrackRows(columns=grid.columns, rows=tuple(rows))


# Rows -------------------------------------------------------------------------------------


def _times(track: Track, _: AggregationRule) -> _TrackRows:
    rows = (
        (
            one.system,
            track.roles[one.role].name if one.role in track.roles else None,
            _number_of(one.human),
            one.n_human,
            _number_of(one.run),
            one.n_run,
            _number_of(one.published.human if one.published else None),
            _number_of(one.published.run if one.published else None),
        )
        for one in times_of(track)
    )
    return _TrackRows(
        columns=(
            *("system", "role", "human minutes", "n human", "run minutes", "n run"),
            *("published human minutes", "published run minutes"),
        ),
        rows=tuple(rows),
    )


def _scores(track: Track, rule: AggregationRule) -> _TrackRows:
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
            _number_of(told.percent if told else None),
            (told.marker if told else "") or None,
        )
        for one in aggregate(track, rule)
        for told in (one.published,)
    )
    return _TrackRows(
        columns=(
            *("phase", "question", "asks", "percent", "best percent", "n", "n from outcomes"),
            *("groups used", "groups in all", "published percent", "published marker"),
        ),
        rows=tuple(rows),
    )


def _by_system(track: Track, rule: AggregationRule) -> _TrackRows:
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
    return _TrackRows(
        columns=("question", "asks", "system", "percent", "best percent", "n"), rows=tuple(rows)
    )


def _outcomes(track: Track, _: AggregationRule) -> _TrackRows:
    rows = []
    for (system, configuration), found in by_configuration(track):
        counts = Counter(one.outcome for one in found)
        numbers = (counts[outcome] for outcome in OUTCOME_HEADS)
        levels = " ".join(map(level_text, found))
        rows.append((system, configuration or None, len(found), *numbers, levels))
    columns = ("system", "configuration", "n", *OUTCOME_HEADS.values(), "levels")
    return _TrackRows(columns=columns, rows=tuple(rows))


def _attempts(track: Track, _: AggregationRule) -> _TrackRows:
    measures = tuple(track.measures)
    return _TrackRows(
        columns=(
            *("system", "configuration", "analyst", "role", "author asked", "stage", "outcome"),
            "reason",
            *(f"difference {name}" for name in measures),
            *("level", "level is at least"),
            *("human minutes", "build minutes", "run minutes"),
        ),
        rows=tuple(tuple(_attempt_cells(track, one, measures)) for one in judge_attempts(track)),
    )


def _attempt_cells(track: Track, judged: JudgedAttempt, measures: Sequence[str]) -> Iterator[_Cell]:
    one = judged.attempt
    stage = stage_of(one, judged.outcome)
    role = track.roles[judged.role].name if judged.role in track.roles else None
    yield from (one.system, one.configuration or None, one.analyst, role, one.author_contacted)
    yield stage.value if stage else None
    yield judged.outcome.value if judged.outcome else None
    yield one.reason or None
    sizes = {each.measure.name: each.difference for each in judged.compared}
    yield from (_number_of(sizes.get(name)) for name in measures)
    yield judged.repeatability
    yield None if judged.repeatability is None else judged.is_at_least
    yield from map(_number_of, (one.human_minutes, one.build_minutes, one.run_minutes))


_MAKERS: Final[dict[str, Callable[[Track, AggregationRule], _TrackRows]]] = {
    "4": _times,
    "5": _scores,
    "systems": _by_system,
    "outcomes": _outcomes,
    "attempts": _attempts,
}


# Numbers ----------------------------------------------------------------------------------


def _number_of(value: Decimal | Fraction | None) -> int | float | None:
    """A number as JSON has it; 2 is no 2.0."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def _percent(share: Fraction | None) -> int | float | None:
    return None if share is None else _number_of(share * 100)
