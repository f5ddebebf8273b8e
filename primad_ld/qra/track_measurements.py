"""The scores of a track as measurements: an attempt measures a system again, under conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.qra.measurements import (
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    with_conditions,
)
from primad_ld.replication.attempt_reading import machine_text
from primad_ld.replication.plausibility import range_of
from primad_ld.replication.tracks import Attempt, Polarity, Scores, System, Track, TrackMeasure

_SUBMITTED: Final = "submitted"


def measurements_of_track(track: Track) -> MeasurementTable:
    """Submitted and obtained scores as measurements with their conditions.

    What was submitted is the original. What the track does not say stays unknown, such as the
    machine of the team that submitted.
    """
    found = list(_measurements(track))
    if not found:
        raise HeaderError(
            "the track has no scores as numbers",
            file=track.file or None,
            field="attempts",
            hint="precision needs the submitted scores and those obtained, not their differences",
        )
    scales = {one.measurand: one.scale for one in found if one.scale.is_stated}
    return with_conditions(found, scales=scales, said={"track": track.title} if track.title else {})


def _measurements(track: Track) -> Iterator[Measurement]:
    """System by system: what was submitted, then what analysts obtained."""
    attempts: dict[tuple[str, str], list[Attempt]] = {}
    for one in track.attempts:
        attempts.setdefault((one.system, one.configuration), []).append(one)
    for system in track.systems:
        for configuration in dict.fromkeys([*system.submitted, ""]):
            scores = system.submitted.get(configuration, {})
            yield from _submitted(track, system, configuration, scores)
            for attempt in attempts.get((system.id, configuration), ()):
                yield from _obtained(track, system, attempt)


def _submitted(
    track: Track, system: System, configuration: str, scores: Scores
) -> Iterator[Measurement]:
    conditions = _shared(track, system, configuration) | {"performed_by": _team(system)}
    known = {"study": _SUBMITTED, "is_original": True, "conditions": conditions}
    yield from _each(track, system, configuration, scores, known)


def _obtained(track: Track, system: System, attempt: Attempt) -> Iterator[Measurement]:
    role = track.role_of(attempt)
    who = f"analyst {attempt.analyst}"
    conditions = _shared(track, system, attempt.configuration)
    conditions["performed_by"] = f"{who} ({track.roles[role].name})" if role else who
    if machine := machine_text(track.machine_of(attempt)):
        conditions["compile_training_information"] = machine
    known = {"study": who, "conditions": conditions, "file": attempt.file}
    yield from _each(track, system, attempt.configuration, attempt.scores, known)


def _each(
    track: Track, system: System, configuration: str, scores: Scores, known: dict[str, Any]
) -> Iterator[Measurement]:
    for name, score in scores.items():
        yield Measurement(
            object=_object(system, configuration),
            measurand=name,
            value=float(score.value),
            text=score.text,
            scale=_scale(track.measures[name], track),
            line=score.line,
            **({"file": track.file} | known),
        )


def _object(system: System, configuration: str) -> str:
    return f"{system.id} ({configuration})" if configuration else system.id


def _shared(track: Track, system: System, configuration: str) -> dict[str, str]:
    """What all measurements of a system have in common: a track hands out systems and data."""
    tool = track.about.get("evaluation_tool")
    found = {
        "system_code": _object(system, configuration),
        "test_set": track.data or track.task,
        "implementation": tool if isinstance(tool, str) else "",
    }
    return {key: value for key, value in found.items() if value}


def _team(system: System) -> str:
    team = system.properties.get("team")
    return team if isinstance(team, str) and team else "the system's authors"


def _scale(measure: TrackMeasure, track: Track) -> Scale:
    minimum, maximum = range_of(measure, track.file)
    if minimum is None:
        return UNSTATED
    return Scale(
        name=measure.name,
        minimum=float(minimum),
        maximum=None if maximum is None else float(maximum),
        is_stated=True,
        is_lower_better=measure.said.get("polarity") == Polarity.negative.value,
    )
