"""Replication tracks as YAML, which reads as the same track again.

What changes is listed in docs/replication.md: comments, quotes, other names of keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from primad_ld.replication.track_reading import NOTES
from primad_ld.replication.tracks import (
    PARTS,
    GivenAnswer,
    Kind,
    ScaleLevel,
    Score,
    Track,
    TrackMeasure,
    stated,
)


def whole_track_forms(track_of: Callable[[Any], Track]) -> dict[str, Callable[[Any], list[str]]]:
    """The forms of an answer that have its whole track, by their names."""

    def turtle(answer: Any) -> list[str]:
        from primad_ld.replication.track_graphs import track_turtle

        return [track_turtle(track_of(answer))]

    return {"yaml": lambda answer: [dump_track(track_of(answer))], "ttl": turtle}


def dump_track(track: Track) -> str:
    """The YAML of a track, its sheet written out."""
    from primad_ld.header.yamlwrite import dump

    parts: dict[str, Any] = {"track": _record(track) | dict(track.about)}
    for name in PARTS:
        records = getattr(track, name)
        parts[name] = (
            {key: _record(one) for key, one in records.items()}
            if isinstance(records, Mapping)
            else [_record(one) for one in records]
        )
    notes = {NOTES[about][0]: list(texts) for about, texts in track.notes.items()}
    known = {key: value for key, value in (parts | notes).items() if value}
    return dump(known | dict(track.said), None)


def _record(record: Any) -> dict[str, Any]:
    """A record as a mapping; what is not known has no key."""
    written: dict[str, Any] = {}
    if isinstance(record, TrackMeasure) and record.is_stated:
        written["tolerance"] = _plain(record.tolerance)
    for name, key, value in stated(record):
        match key.kind:
            case Kind.rest:
                written |= value
            case Kind.machine:
                written[name] = dict(value)
            case Kind.levels:
                written[name] = {_plain(level.number): _level(level) for level in value}
            case Kind.submitted if list(value) == [""]:
                written[name] = _plain(value[""])
            case kind if kind is not Kind.own_name:
                written[name] = _plain(value)
    return written


def _plain(value: Any) -> Any:
    match value:
        case bool():
            return "yes" if value else "no"
        case Decimal():
            return f"{value:f}"
        case StrEnum():
            return value.value
        case Score():
            return value.text
        case GivenAnswer():
            answer = {"answer": value.text} if value.text else {}
            return answer | {"comment": value.comment} if value.comment else value.text
        case Mapping():
            return {key: _plain(one) for key, one in value.items()}
    return value


def _level(level: ScaleLevel) -> Any:
    """A level as its label, unless there is more to say of it."""
    written = _record(level)
    return written if written.keys() - {"label"} else level.label
