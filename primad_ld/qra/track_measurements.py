"""The scores of a track as measurements: an attempt measures a system again, under conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    tool = track.about.get("evaluation_tool")
    for system in track.systems:
        for configuration in dict.fromkeys([*system.submitted, ""]):
            name = f"{system.id} ({configuration})" if configuration else system.id
            # A track hands out systems and data, so all measurements have these in common.
            conditions = {
                "system_code": name,
                "test_set": track.data or track.task,
                "implementation": tool if isinstance(tool, str) else "",
                "performed_by": _team(system),
            }
            scores = system.submitted.get(configuration, {})
            more = {"study": _SUBMITTED, "is_original": True, "file": track.file}
            yield from _scored(track, name, scores, conditions, more)
            for attempt in attempts.get((system.id, configuration), ()):
                who, role = f"analyst {attempt.analyst}", track.role_of(attempt)
                obtained = conditions | {
                    "performed_by": f"{who} ({track.roles[role].name})" if role else who,
                    "compile_training_information": machine_text(track.machine_of(attempt)),
                }
                more = {"study": who, "file": attempt.file}
                yield from _scored(track, name, attempt.scores, obtained, more)


def _scored(
    track: Track, system: str, scores: Scores, conditions: Mapping[str, str], more: dict[str, Any]
) -> Iterator[Measurement]:
    known = {key: text for key, text in conditions.items() if text}
    for name, score in scores.items():
        yield Measurement(
            object=system,
            measurand=name,
            value=float(score.value),
            text=score.text,
            conditions=known,
            scale=_scale(track.measures[name], track),
            line=score.line,
            **more,
        )


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
