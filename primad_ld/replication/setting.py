"""Tables 1 to 3 of a track: its score sheet, systems and analysts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from primad_ld.replication.machines import machine_text
from primad_ld.replication.tracks import Measure, Polarity, Question, Scale, ScaleKind, Track
from primad_ld.tables.grid import UNDEFINED, Grid


def overview(track: Track) -> Grid:
    """What the track is about, and how much of it there is."""
    facts = {
        "task": track.task,
        "data": track.data,
        "minutes for each system": track.budget_minutes,
        "measures": ", ".join(f"{one.name} ({_tolerance(one)})" for one in track.measures.values()),
        "systems": len(track.systems),
        "analysts": len(track.analysts) or "",
        "attempts": len(track.attempts) or _without_attempts(track),
        **{in_blanks(key): as_text(value) for key, value in track.about.items() if value},
    }
    known = {name: str(value) for name, value in facts.items() if value not in (None, "")}
    return Grid(
        title=track.title or "Replication track",
        columns=("about the track", ""),
        rows=tuple(known.items()),
        texts=2,
        remarks=track.notes.get("track", ()),
    )


def _without_attempts(track: Track) -> str:
    if track.times or track.scores:
        return "none in this file: times and scores are published figures"
    return "none yet"


def _tolerance(measure: Measure) -> str:
    source = "" if measure.is_stated else ", as in 2016"
    return f"tolerance {measure.tolerance:f}{source}"


def sheet_table(track: Track) -> Grid:
    """Table 1: the questions with their scales, and the answers that speak for a system."""
    rows = [
        (one.phase, one.id, scale_text(track.scale_of(one)), good_answer(track, one), one.text)
        for one in track.questions
    ]
    return Grid(
        title="Table 1. Score sheet",
        columns=("part", "question", "answers", "good", "text"),
        rows=tuple(rows),
        texts=5,
        remarks=(*_levels(track), *_said_of_sheet(track), *track.notes.get("questions", ())),
    )


def scale_text(scale: Scale) -> str:
    """How a question is answered, in short."""
    if scale.kind is ScaleKind.text:
        return "free text"
    if scale.is_binary:
        return "/".join(level.label or f"{level.number:f}" for level in scale.levels)
    return f"{len(scale.levels)} levels ({scale.name})"


def good_answer(track: Track, question: Question) -> str:
    """The best answer by the polarity of the question."""
    scale = track.scale_of(question)
    if scale.kind is ScaleKind.text:
        return UNDEFINED
    level = scale.level_of(best_level(track, question))
    assert level is not None
    return level.label if scale.is_binary and level.label else f"{level.number:f}"


def best_level(track: Track, question: Question) -> Decimal:
    """The level that speaks most for a system."""
    scale = track.scale_of(question)
    return scale.top if track.polarity_of(question) is Polarity.positive else scale.bottom


def _levels(track: Track) -> Iterator[str]:
    used = {one.scale for one in track.questions}
    for name, scale in track.scales.items():
        if name in used and len(scale.levels) > 2:
            levels = "; ".join(f"{one.number:f} {one.label}" for one in scale.levels)
            yield f"{name}: {levels}"


def _said_of_sheet(track: Track) -> Iterator[str]:
    """What the file says of scales and questions beyond the keys that are known."""
    for scale in track.scales.values():
        yield from _told(scale.name, scale.said)
    for question in track.questions:
        yield from _told(question.id, question.said)


def _told(name: str, said: Mapping[str, Any]) -> Iterator[str]:
    for key, value in said.items():
        texts = value if isinstance(value, list) else [value]
        for text in (one for one in texts if isinstance(one, str)):
            yield f"{name}, {in_blanks(key)}: {text}"


def in_blanks(key: str) -> str:
    """A key of a file as people read it."""
    return key.replace("_", " ")


def system_table(track: Track) -> Grid:
    """Table 2: the systems with what is known of them, and what they had submitted."""
    keys = list(dict.fromkeys(key for one in track.systems for key in one.properties))
    named = any(one.configurations != ("",) for one in track.systems)
    measures = [name for name in track.measures if _is_submitted(track, name)]
    rows = []
    for one in track.systems:
        for configuration in one.configurations:
            scores = one.submitted.get(configuration, {})
            rows.append(
                (
                    one.id,
                    *(as_text(one.properties.get(key)) for key in keys),
                    *((configuration or UNDEFINED,) if named else ()),
                    *(scores[name].text if name in scores else UNDEFINED for name in measures),
                )
            )
    texts = ("system", *map(in_blanks, keys), *(("configuration",) if named else ()))
    return Grid(
        title="Table 2. Systems submitted",
        columns=(*texts, *(f"{name} submitted" for name in measures)),
        rows=tuple(rows),
        texts=len(texts),
        remarks=track.notes.get("systems", ()),
    )


def _is_submitted(track: Track, measure: str) -> bool:
    return any(measure in scores for one in track.systems for scores in one.submitted.values())


def as_text(value: Any) -> str:
    """A property as a cell has it."""
    if value is None or value == "":
        return UNDEFINED
    if isinstance(value, Mapping):
        return "; ".join(f"{in_blanks(key)}: {as_text(one)}" for key, one in value.items())
    return ", ".join(map(as_text, value)) if isinstance(value, list) else str(value)


def analyst_table(track: Track) -> Grid:
    """Table 3: the analysts with their roles and machines."""
    rows = []
    tried: dict[str, dict[str, None]] = {}
    for attempt in track.attempts:
        tried.setdefault(attempt.analyst, {})[machine_text(attempt.machine)] = None
    for one in track.analysts:
        role = track.roles[one.role].name if one.role else UNDEFINED
        machines = dict.fromkeys([machine_text(one.machine), *tried.get(one.id, ())])
        machine = "; or ".join(filter(None, machines)) or UNDEFINED
        rows.append((one.id, role, f"{machine} ({one.note})" if one.note else machine))
    return Grid(
        title="Table 3. Analysts and their machines",
        columns=("analyst", "role", "machine"),
        rows=tuple(rows),
        texts=3,
        remarks=track.notes.get("analysts", ()),
    )
