"""Records of a track as files write them, above all attempts: scores, differences, times, machines.

A machine is a text of an analyst, the platform of a header, or the name of a file with such a header.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypeVar

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import is_there, real_path
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import brief, read_yaml
from primad_ld.replication.field_reading import Fields, decimal_of, listed, shown
from primad_ld.replication.tracks import (
    Analyst,
    AnswerScale,
    Attempt,
    AttemptOutcome,
    GivenAnswer,
    Kind,
    Polarity,
    Question,
    Role,
    Score,
    Stage,
    System,
    Track,
    TrackMeasure,
    keys_of,
)
from primad_ld.trec.columns import BLANKS

#: Other names of outcomes, of which the first six are about the tolerance of 2016.
_OUTCOMES: Final = {
    "lt_.01": AttemptOutcome.slightly_different,
    "lt": AttemptOutcome.slightly_different,
    "slight": AttemptOutcome.slightly_different,
    "gt_.01": AttemptOutcome.different,
    "ge_.01": AttemptOutcome.different,
    "gt": AttemptOutcome.different,
    "ge": AttemptOutcome.different,
    "same": AttemptOutcome.exact,
    "none": AttemptOutcome.no_result,
    "no_results": AttemptOutcome.no_result,
}
_YAML: Final = (".yaml", ".yml")
_A_HEADER: Final = "it should be a header of ir_metadata"
#: What an analyst's machine is, where these keys stand beside the id.
_LOOSE_MACHINE: Final = ("os", "operating_system", "cpu", "memory", "ram", "gpu", "disk")
# What says most about a machine, of all that a header can say of a platform.
_TELLING: Final = (
    ("operating system", "distribution"),
    ("operating system", "kernel"),
    ("hardware", "cpu", "model"),
    ("hardware", "gpu", "model"),
    ("hardware", "ram"),
)
_Record = TypeVar("_Record")


@dataclass(kw_only=True, slots=True)
class TrackReader:
    """Makes records of mappings, and checks them against what the track has."""

    measures: Measures
    roles: Mapping[str, Role] = field(default_factory=dict)
    scales: Mapping[str, AnswerScale] = field(default_factory=dict)
    questions: Mapping[str, Question] = field(default_factory=dict)
    systems: Mapping[str, System] = field(default_factory=dict)
    analysts: Mapping[str, Analyst] = field(default_factory=dict)

    @classmethod
    def of(cls, track: Track) -> TrackReader:
        """A reader of more attempts for a track."""
        return cls(
            measures=Measures(known=dict(track.measures), is_closed=bool(track.measures)),
            roles=track.roles,
            scales=track.scales,
            questions={one.id: one for one in track.questions},
            systems={one.id: one for one in track.systems},
            analysts={one.id: one for one in track.analysts},
        )

    def record(self, kind: type[_Record], said: Fields, **known: Any) -> _Record:
        """A record of a mapping; of no use where problems were put down. ``known`` is read already."""
        for name, key in keys_of(kind).items():
            if name not in known and key.kind in _READERS:
                value = _READERS[key.kind](self, said, (name, *key.others))
                # What nobody says is as by default.
                known |= {} if value is None else {name: value}
        for name, key in keys_of(kind).items():
            if key.kind is Kind.rest:
                known[name] = said.rest()
        return kind(**known, **({"line": said.line} if hasattr(kind, "line") else {}))

    def attempt(self, said: Fields) -> Attempt:
        """The attempt that a mapping describes."""
        attempt = self.record(Attempt, said, file=said.file)
        if attempt.system:
            _check_configuration(attempt, self.systems[attempt.system], said)
        _check_sense(attempt, said)
        return attempt

    def part(self, said: Fields, key: str, kind: Kind) -> str:
        """The name of a part that the track has; "" where that is not so."""
        parts = getattr(self, f"{kind.value}s")
        name = said.text(key) if kind is Kind.role else said.needed(key, f"name one of the {key}s")
        if name and name not in parts:
            hint = f"choose from {listed(parts)}" if parts else f"list it under {key}s"
            said.fail(f"unknown {key} {brief(name)}", key, hint=hint)
            return ""
        return name


def _part(kind: Kind) -> Callable[[TrackReader, Fields, Sequence[str]], str]:
    return lambda reader, said, keys: reader.part(said, keys[0], kind)


def _differences(reader: TrackReader, said: Fields, keys: Sequence[str]) -> dict[str, Score]:
    scores = reader.measures.scores(said, *keys)
    return {name: replace(one, value=one.value.copy_abs()) for name, one in scores.items()}


_READERS: Final[Mapping[Kind, Callable[[TrackReader, Fields, Sequence[str]], Any]]] = {
    Kind.text: lambda _, said, keys: said.text(*keys),
    Kind.truth: lambda _, said, keys: said.truth(*keys),
    Kind.percent: lambda _, said, keys: said.percent(keys[0]),
    Kind.minutes: lambda _, said, keys: said.minutes(*keys),
    Kind.stage: lambda _, said, keys: said.choice(keys[0], Stage),
    Kind.outcome: lambda _, said, keys: said.choice(keys[0], AttemptOutcome, _OUTCOMES),
    Kind.polarity: lambda _, said, keys: said.choice(keys[0], Polarity),
    Kind.lower_is_better: lambda _, said, keys: said.choice(keys[0], Polarity),
    **{
        kind: _part(kind)
        for kind in (Kind.system, Kind.analyst, Kind.role, Kind.scale, Kind.question)
    },
    Kind.scores: lambda reader, said, keys: reader.measures.scores(said, *keys),
    Kind.differences: _differences,
    Kind.machine: lambda _, said, keys: read_machine(said),
    Kind.answers: lambda reader, said, keys: _answers(reader, said),
}


# What contradicts itself ------------------------------------------------------------------


def _check_configuration(attempt: Attempt, system: System, said: Fields) -> None:
    """A configuration is one that the system has; without results it need not be named."""
    named = [one for one in system.configurations if one]
    why, hint = "", f"choose from {listed(named)}"
    if attempt.configuration and attempt.configuration not in named:
        why = f"{shown(system.id)} has no configuration {brief(attempt.configuration)}"
        hint = hint if named else "leave it empty: the system has one without a name"
    elif named and not attempt.configuration and (attempt.scores or attempt.differences):
        why = f"this does not name the configuration of {shown(system.id)} that was run"
    if why:
        said.fail(why, "configuration", hint=hint)


def _check_sense(attempt: Attempt, said: Fields) -> None:
    """What contradicts itself within one attempt."""
    has_scores = bool(attempt.scores or attempt.differences)
    if has_scores and attempt.stage not in (None, Stage.results):
        why = f"there are scores, and the stage reached is {attempt.stage}"
        said.fail(why, "stage", hint="with scores it is results")
    if has_scores and attempt.tool_error:
        why = "there are scores, and the evaluation tool is reported to have failed"
        said.fail(why, "tool_error", hint="remove one of them")
    is_result = attempt.outcome not in (None, AttemptOutcome.no_result)
    is_both = attempt.stage is not None and attempt.outcome is not None
    if is_both and is_result != (attempt.stage is Stage.results):
        why = f"the outcome is {attempt.outcome}, and the stage reached is {attempt.stage}"
        said.fail(why, "outcome", hint="correct one of them")
    both = [name for name in attempt.scores if name in attempt.differences]
    if both:
        why = f"there is a score of {both[0]}, and a difference, too"
        said.fail(why, said.key("differences", "difference"), hint="remove one of them")


# Scores -----------------------------------------------------------------------------------


@dataclass(kw_only=True, slots=True)
class Measures:
    """The measures of a track: those that it declares, else those that scores come up with."""

    known: dict[str, TrackMeasure] = field(default_factory=dict)
    #: Whether other measures are errors.
    is_closed: bool = False

    def scores(self, said: Fields, *keys: str) -> dict[str, Score]:
        """Scores by measure; one number alone is that of the only measure."""
        value, key = said.get(*keys), said.key(*keys)
        if value is None or value == "":
            return {}
        if isinstance(value, str):
            if len(self.known) == 1:
                return dict(_score(next(iter(self.known)), value, said, key))
            hint = f"write '{key}: {{F-measure: {value[:20]}}}'"
            said.fail("which measure is this a score of?", key, hint=hint)
            return {}
        return dict(self._each(said.inner(value, key)))

    def _each(self, inner: Fields) -> Iterator[tuple[str, Score]]:
        for name in inner.said:
            if text := inner.number_text(name):
                if name not in self.known and self.is_closed:
                    hint = f"choose from {listed(self.known)}"
                    inner.fail(f"unknown measure {brief(name)}", name, hint=hint)
                else:
                    self.known.setdefault(name, TrackMeasure(name=name))
                yield from _score(name, text, inner, name)


def _score(name: str, text: str, said: Fields, key: str) -> Iterator[tuple[str, Score]]:
    bare = text.strip(BLANKS)
    try:
        value = decimal_of(bare.removesuffix("%").rstrip(BLANKS))
    except HeaderError as error:
        said.fail(error.why, key, hint=error.hint)
        return
    yield name, Score(measure=name, text=bare, value=value, line=said.line_of(key))


# Answers ----------------------------------------------------------------------------------

_YES_NO: Final = {"y": "yes", "true": "yes", "n": "no", "false": "no"}


def _answers(reader: TrackReader, said: Fields) -> dict[str, GivenAnswer]:
    """The answers of a sheet; those that are left empty are none."""
    answers = {}
    inner = said.fields("answers")
    for id in inner.said if inner else ():
        assert inner is not None
        if id not in reader.questions:
            hint = f"choose from {listed(reader.questions)}"
            inner.fail(f"unknown question {brief(id)}", id, hint=hint)
        elif answer := _answer(id, inner, reader.scales[reader.questions[id].scale]):
            answers[id] = answer
    return answers


def _answer(id: str, inner: Fields, scale: AnswerScale) -> GivenAnswer | None:
    value, said, key, comment = inner.said[id], inner, id, ""
    if value is not None and not isinstance(value, str):
        said, key = inner.inner(value, id), "answer"
        comment = said.text("comment")
    text = said.number_text(key)  # a label may have other blanks, too
    level = _level_of(text, scale) if text else None
    if text and level is None and scale.levels:
        said.fail(f"{brief(text)} is not an answer to {shown(id)}", key, hint=_choices_of(scale))
        return None
    if not text and not comment:
        return None
    return GivenAnswer(question=id, text=text, level=level, comment=comment, line=inner.line_of(id))


def _level_of(text: str, scale: AnswerScale) -> Decimal | None:
    """The level that an answer means: its number or its label."""
    with suppress(HeaderError):
        level = scale.level_of(decimal_of(text))
        return level.number if level else None
    name = " ".join(text.casefold().split())
    names = {" ".join(one.label.casefold().split()): one.number for one in scale.levels}
    return names.get(_YES_NO.get(name, name) if scale.is_binary else name)


def _choices_of(scale: AnswerScale) -> str:
    """What can be answered, in words."""
    levels = (
        f"{one.number:f} ({one.label})" if one.label else f"{one.number:f}" for one in scale.levels
    )
    return f"choose from {listed(levels)}"


# Machines ---------------------------------------------------------------------------------


def read_machine(said: Fields) -> Mapping[str, Any]:
    """A machine in texts, as the platform of a header, or in a file that has such a header."""
    value = said.get("machine")
    if value is None or value == "":
        return {}
    if not isinstance(value, str):
        return said.inner(value, "machine").said
    text = value.strip()
    if Path(text).suffix.lower() not in _YAML:
        if _is_like_path(text):
            ending = "the name of a file ends in .yaml or .yml"
            why = f"{brief(text)} is kept as the description of a machine; {ending}"
            said.note(why, "machine")
        return {"description": text}
    try:
        return _from_file(text, said)
    except HeaderError as error:
        said.put(error)
        return {}


def _is_like_path(text: str) -> bool:
    """Whether a text may be meant to name a file."""
    return ("/" in text or "\\" in text) and len(text.split()) == 1


def _from_file(name: str, said: Fields) -> Mapping[str, Any]:
    folder = Path(said.file).parent
    path = folder / name
    try:
        is_there(path)  # it may be a link to itself, or what no file can be called
    except HeaderError as error:
        raise said.error(f"{brief(name)}: {error.why}", "machine") from error
    # What somebody sends as a sheet must not read what lies elsewhere on this machine.
    if Path(name).is_absolute() or not real_path(path).is_relative_to(real_path(folder)):
        hint = "put it beside this file"
        raise said.error(f"{brief(name)} is not in this folder or below it", "machine", hint=hint)
    if not path.is_file():
        hint = "write it with primad-ld capture, or describe the machine here"
        raise said.error(f"there is no file {brief(name)}", "machine", hint=hint)
    platform = read_yaml(path, if_empty=_A_HEADER).get("platform")
    if not isinstance(platform, YamlMapping) or not platform:
        why = "this says nothing of a platform"
        raise HeaderError(why, file=path, field="platform", hint=_A_HEADER)
    return platform


def loose_machine(said: Fields) -> dict[str, Any]:
    """What an analyst's entry says of the machine without calling it that."""
    there = [key for key in said.said if key in _LOOSE_MACHINE]
    return {key: said.text(key) for key in there if isinstance(said.said[key], str)}


def machine_text(machine: Mapping[str, Any]) -> str:
    """A machine in a line; "" where nothing is known."""
    telling = [value for path in _TELLING if (value := _at(machine, path))]
    return "; ".join(telling or (text for _, text in _leaves(machine, "")))


def _at(machine: Mapping[str, Any], path: tuple[str, ...]) -> str:
    value: Any = machine
    for key in path:
        if not isinstance(value, Mapping):
            return ""
        spelt = {name.replace("_", " "): name for name in value}
        value = value.get(spelt.get(key, key))
    return value if isinstance(value, str) else ""


def _leaves(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """The texts of a machine with their keys, those within lists left out."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, key)
