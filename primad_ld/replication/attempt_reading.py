"""Attempts as tracks and sheets write them: scores, differences, times, machines.

A machine is a text of an analyst, the platform of a header, or the name of a file with such a header.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import is_there, real_path
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import brief, read_yaml
from primad_ld.replication.field_reading import Fields, decimal_of, listed, shown
from primad_ld.replication.sheets import OUTCOME_NAMES, read_answers
from primad_ld.replication.tracks import (
    Attempt,
    AttemptOutcome,
    Score,
    Scores,
    Stage,
    System,
    Track,
    TrackMeasure,
)
from primad_ld.trec.columns import BLANKS

_YAML: Final = (".yaml", ".yml")
_NO_FILE: Final = (
    "{} is kept as the description of a machine; the name of a file ends in .yaml or .yml"
)
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


class AttemptReader:
    """Makes attempts of mappings, and holds them to what the track has."""

    def __init__(self, track: Track, measures: Measures) -> None:
        self.measures = measures
        self.systems = {one.id: one for one in track.systems}
        self.analysts = {one.id: one for one in track.analysts}
        self.questions = {one.id: one for one in track.questions}
        self.scales = track.scales

    def attempt(self, said: Fields) -> Attempt:
        """The attempt that a mapping describes; of no use where problems were put down."""
        system = self.systems.get(self._known(said, "system", self.systems))
        answers = read_answers(said, self.questions, self.scales)
        attempt = Attempt(
            analyst=self._known(said, "analyst", self.analysts),
            system=system.id if system else "",
            configuration=said.text("configuration"),
            stage=said.choice("stage", Stage),
            reason=said.text("reason"),
            human_minutes=said.minutes("human_minutes"),
            build_minutes=said.minutes("build_minutes"),
            run_minutes=said.minutes("run_minutes"),
            author_contacted=said.truth("author_contacted"),
            author_insists=said.truth("author_insists"),
            answers=answers,
            comments=said.text("comments", "comment"),
            scores=self.measures.scores(said, "scores"),
            differences=self._differences(said),
            outcome=said.choice("outcome", AttemptOutcome, OUTCOME_NAMES),
            tool_error=said.truth("tool_error"),
            machine=read_machine(said),
            file=said.file,
            line=said.line,
            said=said.rest(),
        )
        if system is not None:
            _check_configuration(attempt, system, said)
        _check_sense(attempt, said)
        return attempt

    def _known(self, said: Fields, key: str, there: Mapping[str, object]) -> str:
        name = said.needed(key, f"name one of the track's {key}s")
        if name not in there:
            hint = f"the track has {listed(there)}" if there else f"list it under {key}s"
            if name:
                said.fail(f"there is no {key} {brief(name)}", key, hint=hint)
            return ""
        return name

    def _differences(self, said: Fields) -> Scores:
        found = self.measures.scores(said, "difference", "differences")
        return {
            name: Score(measure=name, text=one.text, value=_size(one.value), line=one.line)
            for name, one in found.items()
        }


def _check_configuration(attempt: Attempt, system: System, said: Fields) -> None:
    """A configuration is one that the system has; without results it need not be named."""
    there = system.configurations
    if attempt.configuration and attempt.configuration not in there:
        named = [one for one in there if one]
        hint = f"it has {listed(named)}" if named else "leave it empty: it has one without a name"
        why = f"{shown(system.id)} has no configuration {brief(attempt.configuration)}"
        said.fail(why, "configuration", hint=hint)
    if not attempt.configuration and there != ("",) and (attempt.scores or attempt.differences):
        why = f"{shown(system.id)} has several configurations, and this does not say which one was run"
        if len(there) == 1:
            why = f"this does not name the configuration of {shown(system.id)} that was run"
        said.fail(why, "configuration", hint=f"it has {listed(there)}")


def _check_sense(attempt: Attempt, said: Fields) -> None:
    """What contradicts itself within one attempt."""
    has_scores = bool(attempt.scores or attempt.differences)
    if has_scores and attempt.stage not in (None, Stage.results):
        why = f"there are scores, and the stage reached is {attempt.stage}"
        said.fail(why, "stage", hint="with scores it is results")
    if has_scores and attempt.tool_error:
        why = "there are scores, and the evaluation tool is said to have failed"
        said.fail(why, "tool_error", hint="leave out one of them")
    is_result = attempt.outcome not in (None, AttemptOutcome.no_result)
    is_both = attempt.stage is not None and attempt.outcome is not None
    if is_both and is_result != (attempt.stage is Stage.results):
        why = f"the outcome is {attempt.outcome}, and the stage reached is {attempt.stage}"
        said.fail(why, "outcome", hint="correct one of them")
    both = [name for name in attempt.scores if name in attempt.differences]
    if both:
        why = f"there is a score of {both[0]}, and a difference, too"
        said.fail(why, said.key("difference", "differences"), hint="leave out one of them")


def _size(value: Decimal) -> Decimal:
    return value.copy_abs()


# Scores -----------------------------------------------------------------------------------


@dataclass(kw_only=True, slots=True)
class Measures:
    """The measures of a track: those that it declares, else those that scores come up with."""

    found: dict[str, TrackMeasure] = field(default_factory=dict)
    #: Whether other measures are errors.
    is_closed: bool = False

    def check(self, name: str, said: Fields, key: str) -> None:
        """Refuse a measure that the track does not have."""
        if name not in self.found and self.is_closed:
            hint = f"the track has {listed(self.found)}"
            said.fail(f"there is no measure {brief(name)}", key, hint=hint)
            return
        self.found.setdefault(name, TrackMeasure(name=name))

    def scores(self, said: Fields, *keys: str) -> dict[str, Score]:
        """Scores by measure; one number alone is that of the only measure."""
        value, key = said.get(*keys), said.key(*keys)
        if value is None or value == "":
            return {}
        if isinstance(value, str):
            if len(self.found) != 1:
                hint = f"write '{key}: {{F-measure: {value[:20]}}}'"
                said.fail("which measure is this a score of?", key, hint=hint)
                return {}
            return dict(_score(next(iter(self.found)), value, said, key))
        return dict(self._each(said.inner(value, key)))

    def _each(self, inner: Fields) -> Iterator[tuple[str, Score]]:
        for name in inner.said:
            text = inner.number_text(name)
            if text:
                self.check(name, inner, name)
                yield from _score(name, text, inner, name)


def _score(name: str, text: str, said: Fields, key: str) -> Iterator[tuple[str, Score]]:
    bare = text.strip(BLANKS)
    try:
        value = decimal_of(bare.removesuffix("%").rstrip(BLANKS))
    except HeaderError as error:
        said.fail(error.why, key, hint=error.hint)
        return
    yield name, Score(measure=name, text=bare, value=value, line=said.line_of(key))


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
            said.note(_NO_FILE.format(brief(text)), "machine")
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
