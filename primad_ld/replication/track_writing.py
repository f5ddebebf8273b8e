"""Replication tracks as YAML, which reads as the same track again.

What changes is listed in docs/replication.md: comments, quotes, other names of keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum

from primad_ld.header.yamlwrite import dump
from primad_ld.replication.track_reading import NOTES
from primad_ld.replication.tracks import (
    Analyst,
    AnswerScale,
    Attempt,
    GivenAnswer,
    PublishedScore,
    PublishedTime,
    Question,
    Role,
    ScaleLevel,
    Score,
    Scores,
    System,
    Track,
    TrackMeasure,
)

_Written = dict[str, object]


def dump_track(track: Track) -> str:
    """The YAML of a track, its sheet written out."""
    top: _Written = {
        "track": _about(track),
        "measures": {name: _measure(one) for name, one in track.measures.items()},
        "roles": {name: _role(one) for name, one in track.roles.items()},
        "scales": {name: _scale(one) for name, one in track.scales.items()},
        "questions": [_question(one) for one in track.questions],
        "systems": [_system(one) for one in track.systems],
        "analysts": [_analyst(one) for one in track.analysts],
        "attempts": [_attempt(one) for one in track.attempts],
        "times": [_time(one) for one in track.times],
        "scores": [_published(one) for one in track.scores],
        **{NOTES[about][0]: list(texts) for about, texts in track.notes.items()},
    }
    return dump(_filled(top) | dict(track.said), None)


def _about(track: Track) -> _Written:
    said = {
        "title": track.title,
        "task": track.task,
        "data": track.data,
        "budget_minutes": _plain(track.budget_minutes),
    }
    return _filled(said) | dict(track.about)


def _filled(said: Mapping[str, object]) -> _Written:
    """What there is to say; an unknown value has no key."""
    return {key: value for key, value in said.items() if value not in (None, "", {}, [])}


def _plain(value: Decimal | bool | None) -> str | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None else f"{value:f}"


def _word(value: StrEnum | None) -> str | None:
    return None if value is None else value.value


def _measure(one: TrackMeasure) -> _Written:
    stated = {"tolerance": _plain(one.tolerance)} if one.is_stated else {}
    return {**stated, **one.said}


def _role(one: Role) -> _Written:
    return _filled({"label": one.label, "description": one.description}) | dict(one.said)


def _scale(one: AnswerScale) -> _Written:
    levels = {_plain(level.number): _level(level) for level in one.levels}
    polarity = one.polarity.value if one.polarity.value != "positive" else ""
    return _filled({"levels": levels, "polarity": polarity}) | dict(one.said)


def _level(one: ScaleLevel) -> object:
    if one.outcome is None and not one.said:
        return one.label
    return _filled({"label": one.label, "outcome": _word(one.outcome)}) | dict(one.said)


def _question(one: Question) -> _Written:
    said = {
        "id": one.id,
        "phase": one.phase,
        "label": one.label,
        "text": one.text,
        "scale": one.scale,
        "polarity": _word(one.polarity),
        "only_with_results": "yes" if one.only_with_results else None,
    }
    return _filled(said) | dict(one.said)


def _system(one: System) -> _Written:
    submitted: object = {name: _scores(scores) for name, scores in one.submitted.items()}
    if list(one.submitted) == [""]:
        submitted = _scores(one.submitted[""])
    return {"id": one.id, **one.properties, **_filled({"submitted": submitted})}


def _scores(scores: Scores) -> _Written:
    return {name: one.text for name, one in scores.items()}


def _analyst(one: Analyst) -> _Written:
    said = {"id": one.id, "role": one.role, "machine": dict(one.machine), "note": one.note}
    return _filled(said) | dict(one.said)


def _attempt(one: Attempt) -> _Written:
    """An attempt as a track and a sheet write it."""
    said = {
        "analyst": one.analyst,
        "system": one.system,
        "configuration": one.configuration,
        "stage": _word(one.stage),
        "reason": one.reason,
        "human_minutes": _plain(one.human_minutes),
        "build_minutes": _plain(one.build_minutes),
        "run_minutes": _plain(one.run_minutes),
        "author_contacted": _plain(one.author_contacted),
        "author_insists": _plain(one.author_insists),
        "scores": _scores(one.scores),
        "differences": _differences(one.differences.values()),
        "outcome": _word(one.outcome),
        "tool_error": _plain(one.tool_error),
        "machine": dict(one.machine),
        "answers": {id: _answer(answer) for id, answer in one.answers.items()},
        "comments": one.comments,
    }
    return _filled(said) | dict(one.said)


def _differences(scores: Iterable[Score]) -> _Written:
    return {one.measure: one.text for one in scores}


def _answer(one: GivenAnswer) -> object:
    if not one.comment:
        return one.text
    return _filled({"answer": one.text, "comment": one.comment})


def _time(one: PublishedTime) -> _Written:
    said = {
        "system": one.system,
        "role": one.role,
        "human": _plain(one.human),
        "run": _plain(one.run),
    }
    return _filled(said) | dict(one.said)


def _published(one: PublishedScore) -> _Written:
    said = {
        "phase": one.phase,
        "question": one.question,
        "marker": one.marker,
        "label": one.label,
        "percent": _plain(one.percent),
    }
    return _filled(said) | dict(one.said)
