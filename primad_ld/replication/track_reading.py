"""Replication tracks from YAML, or from RDF that was made of it; unknown keys are kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import RDF_SUFFIXES, plain_suffix
from primad_ld.core.library_arguments import to_path
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import Sequence as YamlSequence
from primad_ld.core.yamltext import Value, read_yaml
from primad_ld.replication.attempt_reading import (
    Measures,
    TrackReader,
    loose_machine,
    read_machine,
)
from primad_ld.replication.field_reading import Fields
from primad_ld.replication.plausibility import doubtful_times, score_problems
from primad_ld.replication.sheets import read_sheet
from primad_ld.replication.tracks import (
    Analyst,
    Attempt,
    PublishedScore,
    PublishedTime,
    Role,
    Score,
    System,
    Track,
    TrackMeasure,
)

#: What remarks of a file are about, with the other keys under which they may stand.
NOTES: Final = {
    "track": ("notes", "note", "track_notes", "track_note"),
    "questions": ("questions_notes", "question_notes", "questions_note"),
    "systems": ("systems_notes", "system_notes", "systems_note"),
    "analysts": ("analysts_notes", "analyst_notes", "analysts_note"),
    "times": ("times_notes", "time_notes", "times_note"),
    "scores": ("scores_notes", "score_notes", "scores_note"),
    "outcomes": ("outcomes_notes", "outcome_notes", "outcomes_note"),
}
_ROLES_OF_2016: Final = ("user", "developer")
_A_TRACK: Final = "primad-ld replication init writes one to fill in"
_RDF: Final = tuple(itertools.chain.from_iterable(RDF_SUFFIXES.values()))


def is_track(top: Mapping[str, Any]) -> bool:
    """Whether a YAML file is a replication track rather than a table of measurements."""
    return "systems" in top and "measurements" not in top


def read_track(path: str | Path) -> Track:
    """The track of a YAML file, or of RDF that was made of one.

    >>> import primad_ld as pl
    >>> len(pl.read_track("clef2016.yaml").systems)
    3
    """
    path = to_path(path)
    if Path(plain_suffix(path)[0]).suffix.lower() in _RDF:
        from primad_ld.replication.track_graphs import read_track_graph

        return read_track_graph(path)
    return track_of(read_yaml(path, if_empty=_A_TRACK), path)


def track_of(top: YamlMapping, path: Path) -> Track:
    """The track that a YAML file describes."""
    said = Fields(top, str(path), 1)
    reader = TrackReader(measures=_measures(said))
    reader.systems = {one.id: one for one in _systems(said, reader.measures)}
    if not reader.systems:
        raise said.error("a replication track needs systems", "systems", hint=_A_TRACK)
    reader.measures.is_closed = bool(reader.measures.known)
    if isinstance(said.get("track"), str) or (about := said.fields("track")) is None:
        track = Track(title=said.text("track"))
    else:
        track = reader.record(Track, about)
        track = replace(track, about=about.rest())
    reader.scales, reader.questions = read_sheet(said)
    # Without roles of its own, a track has those of 2016, as it has the sheet of 2016.
    roles = dict(_roles(said, reader))
    reader.roles = roles or {id: Role(id=id, label=id.capitalize()) for id in _ROLES_OF_2016}
    reader.analysts = {one.id: one for one in _analysts(said, reader)}
    attempts = tuple(map(reader.attempt, said.rows("attempts")))
    _raise_first(repeats(attempts))
    times = tuple(reader.record(PublishedTime, row) for row in said.rows("times"))
    named = {one.role for one in reader.analysts.values()} | {one.role for one in times}
    track = replace(
        track,
        measures=reader.measures.known,
        roles=roles or {id: role for id, role in reader.roles.items() if id in named},
        scales=reader.scales,
        questions=tuple(reader.questions.values()),
        systems=tuple(reader.systems.values()),
        analysts=tuple(reader.analysts.values()),
        attempts=attempts,
        times=times,
        scores=tuple(reader.record(PublishedScore, row) for row in said.rows("scores")),
        notes=dict(_notes(said)),
        file=str(path),
    )
    _raise_first(score_problems(track))
    doubts = [*said.doubtful(), *said.notes]
    doubts += itertools.chain.from_iterable(map(doubtful_times, attempts))
    return replace(track, said=said.rest(), doubts=tuple(doubts))


def repeats(attempts: Iterable[Attempt]) -> Iterator[HeaderError]:
    """Attempts of one analyst with one configuration: a second one is one too many."""
    seen: dict[tuple[str, str, str], Attempt] = {}
    for one in attempts:
        if (first := seen.setdefault(one.key, one)) is not one:
            place = f"line {first.line}" if first.file == one.file else first.file
            hint = "leave out one of them, or name the configurations"
            yield one.error(f"this attempt stands in {place}, too", hint=hint)


def _raise_first(problems: Iterator[HeaderError]) -> None:
    if (first := next(problems, None)) is not None:
        raise first


# Parts of a track -------------------------------------------------------------------------


def _measures(top: Fields) -> Measures:
    if isinstance(top.get("measures"), YamlSequence | str):
        names = top.texts("measures")
        return Measures(known={name: TrackMeasure(name=name) for name in names})
    known = {name: _measure(name, said) for name, said in top.named("measures")}
    return Measures(known=known, is_closed=bool(known))


def _measure(name: str, said: Fields) -> TrackMeasure:
    tolerance = said.positive("tolerance", unit="the tolerance")
    known = TrackMeasure(name=name, line=said.line, said=said.rest())
    return known if tolerance is None else replace(known, tolerance=tolerance, is_stated=True)


def _systems(top: Fields, measures: Measures) -> Iterator[System]:
    for id, said in top.unique("systems"):
        submitted = dict(_submitted(said, measures))
        yield System(id=id, submitted=submitted, properties=said.rest(), line=said.line)


def _submitted(said: Fields, measures: Measures) -> Iterator[tuple[str, dict[str, Score]]]:
    """Scores by configuration: a mapping of scores is that of the only one."""
    names = said.texts("configurations")
    value = said.get("submitted")
    if _is_nested(value):
        inner = said.inner(value, "submitted")
        for name in dict.fromkeys([*names, *inner.said]):
            yield name, measures.scores(inner, name) if name in inner.said else {}
        return
    scores = measures.scores(said, "submitted")
    if scores and names:
        hint = f"write 'submitted: {{{names[0]}: {{…}}}}'"
        raise said.error("of which configuration are these scores?", "submitted", hint=hint)
    if scores:
        yield "", scores
    yield from ((name, {}) for name in names)


def _is_nested(value: Value) -> bool:
    """Whether scores stand below configurations; what a template left open says nothing."""
    return isinstance(value, YamlMapping) and any(
        isinstance(one, YamlMapping) for one in value.values()
    )


def _roles(top: Fields, reader: TrackReader) -> Iterator[tuple[str, Role]]:
    inner = top.fields("roles")
    for id, value in inner.said.items() if inner else ():
        assert inner is not None
        if value is None or isinstance(value, str):
            yield id, Role(id=id, label=(value or "").strip())
            continue
        said = inner.inner(value, id)
        printed = said.said.get("printed")
        last = printed[-1] if isinstance(printed, YamlSequence) and printed else printed
        label = said.text("label") or (last.strip() if isinstance(last, str) else "")
        yield id, reader.record(Role, said, id=id, label=label)


def _analysts(top: Fields, reader: TrackReader) -> Iterator[Analyst]:
    for id, said in top.unique("analysts"):
        machine = read_machine(said) or loose_machine(said)
        yield reader.record(Analyst, said, id=id, machine=machine)


def _notes(top: Fields) -> Iterator[tuple[str, tuple[str, ...]]]:
    for about, keys in NOTES.items():
        value = top.said.get(top.key(*keys))
        is_plain = isinstance(value, str) or (
            isinstance(value, YamlSequence) and all(isinstance(one, str) for one in value)
        )
        if is_plain and value:
            yield about, top.texts(*keys)
        else:
            top.asked.discard(top.key(*keys))  # what is more than texts is kept as it is
