"""Replication tracks from YAML, or from RDF that was made of it; unknown keys are kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import RDF_SUFFIXES, plain_suffix
from primad_ld.core.library_arguments import to_path
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import Sequence as YamlSequence
from primad_ld.core.yamltext import Value, brief, read_yaml
from primad_ld.replication.attempt_reading import (
    AttemptReader,
    Measures,
    loose_machine,
    read_machine,
)
from primad_ld.replication.field_reading import Fields, decimal_of, listed
from primad_ld.replication.plausibility import doubtful_times, score_problems
from primad_ld.replication.sheets import default_sheet, read_questions, read_scales
from primad_ld.replication.tracks import (
    DEFAULT_TOLERANCE,
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
    measures = _measures(said)
    systems = tuple(_systems(said, measures))
    if not systems:
        why = "there are no systems, so this is no replication track"
        raise said.error(why, "systems", hint=_A_TRACK)
    measures.is_closed = measures.is_closed or bool(measures.found)
    scales, questions = _sheet(said)
    track = Track(
        **_about(said),
        roles=(roles := _known_roles(said)),
        scales=scales,
        questions=questions,
        systems=systems,
        analysts=tuple(_analysts(said, roles)),
        file=str(path),
    )
    reader = AttemptReader(track, measures)
    attempts = tuple(reader.attempt(row) for row in said.rows("attempts"))
    _raise_first(repeats(attempts))
    track = replace(
        track,
        measures=measures.found,
        attempts=attempts,
        times=(times := tuple(_times(said, track))),
        roles=roles if said.said.get("roles") else _used(roles, track.analysts, times),
        scores=tuple(_published(said, track)),
        notes=dict(_notes(said)),
    )
    _raise_first(score_problems(track))
    return replace(track, said=said.rest(), doubts=tuple(_doubts(said, track)))


def _doubts(said: Fields, track: Track) -> Iterator[str]:
    """What looks like a slip, without being an error."""
    yield from said.doubtful()
    yield from said.notes
    for attempt in track.attempts:
        yield from doubtful_times(attempt)


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


# The track as such ------------------------------------------------------------------------


def _about(top: Fields) -> dict[str, Any]:
    if isinstance(top.get("track"), str):
        return {"title": top.text("track")}
    said = top.fields("track")
    if said is None:
        return {}
    return {
        "title": said.text("title", "lab"),
        "task": said.text("task", "subtask_replicated"),
        "data": said.text("data", "test_set"),
        "budget_minutes": said.minutes("budget_minutes", "analyst_budget_per_system_minutes"),
        "about": said.rest(),
    }


def _measures(top: Fields) -> Measures:
    value = top.get("measures")
    if isinstance(value, YamlSequence | str):
        return Measures(found={name: TrackMeasure(name=name) for name in top.texts("measures")})
    found = {name: _measure(name, said) for name, said in top.named("measures")}
    return Measures(found=found, is_closed=bool(found))


def _measure(name: str, said: Fields) -> TrackMeasure:
    tolerance = said.positive("tolerance", unit="the tolerance")
    return TrackMeasure(
        name=name,
        tolerance=DEFAULT_TOLERANCE if tolerance is None else tolerance,
        is_stated=tolerance is not None,
        line=said.line,
        said=said.rest(),
    )


def _sheet(top: Fields) -> tuple[Mapping[str, Any], tuple[Any, ...]]:
    """The track's own questions; the sheet of 2016 where it has none."""
    scales = read_scales(top)
    questions = read_questions(top, scales)
    if questions:
        return scales, questions
    default, questions = default_sheet()
    return {
        **default,
        **{name: one for name, one in scales.items() if name not in default},
    }, questions


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


# Systems, roles and analysts --------------------------------------------------------------


def _unique(top: Fields, key: str) -> Iterator[tuple[str, Fields]]:
    """The entries of a list, each with an id of its own."""
    seen: dict[str, int | None] = {}
    for said in top.rows(key):
        id = said.needed("id", f"give each of the {key} an id")
        if id in seen:
            raise said.error(f"{brief(id)} is the id of line {seen[id]}, too", "id")
        seen[id] = said.line
        yield id, said


def _systems(top: Fields, measures: Measures) -> Iterator[System]:
    for id, said in _unique(top, "systems"):
        submitted = dict(_submitted(said, measures))
        yield System(id=id, submitted=submitted, properties=said.rest(), line=said.line)


def _submitted(said: Fields, measures: Measures) -> Iterator[tuple[str, dict[str, Score]]]:
    """Scores by configuration: a mapping of scores is that of the only one."""
    names = said.texts("configurations")
    value = said.get("submitted")
    inner = said.inner(value, "submitted") if _is_nested(value) else None
    if inner is None:
        scores = measures.scores(said, "submitted")
        if scores and names:
            hint = f"write 'submitted: {{{names[0]}: {{…}}}}'"
            raise said.error("of which configuration are these scores?", "submitted", hint=hint)
        if scores:
            yield "", scores
        yield from ((name, {}) for name in names)
        return
    for name in dict.fromkeys([*names, *inner.said]):
        yield name, measures.scores(inner, name) if name in inner.said else {}


def _is_nested(value: Value) -> bool:
    """Whether scores stand below configurations; what a template left open says nothing."""
    return isinstance(value, YamlMapping) and any(
        isinstance(one, YamlMapping) for one in value.values()
    )


def _known_roles(top: Fields) -> dict[str, Role]:
    """The roles that the track describes; without any, those of 2016 are known as its sheet is."""
    return dict(_roles(top)) or {id: Role(id=id, label=id.capitalize()) for id in _ROLES_OF_2016}


def _used(
    roles: Mapping[str, Role], analysts: Iterable[Analyst], times: Iterable[PublishedTime]
) -> dict[str, Role]:
    named = {one.role for one in analysts} | {one.role for one in times}
    return {id: one for id, one in roles.items() if id in named}


def _roles(top: Fields) -> Iterator[tuple[str, Role]]:
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
        description = said.text("description")
        yield id, Role(id=id, label=label, description=description, said=said.rest())


def _analysts(top: Fields, roles: Mapping[str, Role]) -> Iterator[Analyst]:
    for id, said in _unique(top, "analysts"):
        yield Analyst(
            id=id,
            role=_role(said, roles),
            machine=read_machine(said) or loose_machine(said),
            note=said.text("note"),
            line=said.line,
            said=said.rest(),
        )


def _role(said: Fields, roles: Mapping[str, Role]) -> str:
    role = said.text("role")
    if role and role not in roles:
        hint = f"there is {listed(roles)}" if roles else "describe it under roles"
        raise said.error(f"there is no role {brief(role)}", "role", hint=hint)
    return role


# Published aggregates ---------------------------------------------------------------------


def _times(top: Fields, track: Track) -> Iterator[PublishedTime]:
    systems = {one.id for one in track.systems}
    for said in top.rows("times"):
        system = said.needed("system", "name one of the systems")
        if system not in systems:
            hint = f"the track has {listed(one.id for one in track.systems)}"
            raise said.error(f"there is no system {brief(system)}", "system", hint=hint)
        yield PublishedTime(
            system=system,
            role=_role(said, track.roles),
            human=said.minutes("human", "human_minutes"),
            run=said.minutes("run", "run_minutes"),
            line=said.line,
            said=said.rest(),
        )


def _published(top: Fields, track: Track) -> Iterator[PublishedScore]:
    for said in top.rows("scores"):
        question = said.needed("question", "name the question by its id")
        if track.question(question) is None:
            hint = f"the sheet asks {listed(one.id for one in track.questions)}"
            raise said.error(f"there is no question {brief(question)}", "question", hint=hint)
        yield PublishedScore(
            question=question,
            percent=_percent(said),
            marker=said.text("marker"),
            label=said.text("label"),
            phase=said.text("phase"),
            line=said.line,
            said=said.rest(),
        )


def _percent(said: Fields) -> Decimal:
    said.needed("percent", "write the published score in percent")
    text = said.number_text("percent")
    try:
        value = decimal_of(text.removesuffix("%"))
    except HeaderError as error:
        raise said.error(error.why, "percent", hint=error.hint) from None
    if not 0 <= value <= 100:
        raise said.error(f"{value} % is no share", "percent", hint="it is between 0 and 100")
    return value
