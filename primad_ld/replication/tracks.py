"""What a replication track is made of: systems, analysts, score sheets and attempts.

The protocol is that of sections 2 and 3 of Névéol, Grouin, Cohen and Robert (LOUHI 2016): analysts
install and run the systems that teams submitted, and say on a score sheet how that went.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.one_line import OneLine
from primad_ld.replication.field_reading import shown

#: "Less than .01 difference in F-measure" is a slight difference (Table 1, question 8).
DEFAULT_TOLERANCE: Final = Decimal("0.01")


class Polarity(enum.StrEnum):
    """Which end of a scale is the good one."""

    positive = "positive"
    negative = "negative"


class ScaleKind(enum.StrEnum):
    """How a question is answered."""

    levels = "levels"
    text = "text"


class Stage(enum.StrEnum):
    """How far an attempt got. Each stage includes those before it."""

    none = "none"
    acquired = "acquired"
    built = "built"
    #: It was started on the test data, whatever came of that.
    ran = "ran"
    results = "results"

    def reaches(self, other: Stage) -> bool:
        """Whether this stage is the other one or lies behind it."""
        stages = list(Stage)
        return stages.index(self) >= stages.index(other)


class AttemptOutcome(enum.StrEnum):
    """What became of the submitted scores, from the best to none at all."""

    exact = "exact"
    #: The difference is smaller than the tolerance.
    slightly_different = "slightly_different"
    #: The difference is the tolerance or more.
    different = "different"
    #: There are results, and the evaluation tool fails on them.
    tool_error = "tool_error"
    no_result = "no_result"


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    """As what somebody tries a system: as a developer, as a user."""

    id: str
    label: str = ""
    description: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.label or self.id


@dataclass(frozen=True, kw_only=True, slots=True)
class ScaleLevel:
    """An answer that a scale offers."""

    number: Decimal
    label: str
    #: The outcome that this answer states, on a scale that asks for outcomes.
    outcome: AttemptOutcome | None = None
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerScale:
    """The answers to choose from, or free text."""

    name: str
    kind: ScaleKind = ScaleKind.levels
    #: As the file orders them.
    levels: tuple[ScaleLevel, ...] = ()
    polarity: Polarity = Polarity.positive
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def top(self) -> Decimal:
        """The highest level."""
        return max(level.number for level in self.levels)

    @property
    def bottom(self) -> Decimal:
        """The lowest level."""
        return min(level.number for level in self.levels)

    @property
    def is_binary(self) -> bool:
        """Whether there are two answers."""
        return len(self.levels) == 2

    @property
    def asks_outcome(self) -> bool:
        """Whether its levels state outcomes, as those of question 8 of 2016 do."""
        return any(level.outcome is not None for level in self.levels)

    def level_of(self, number: Decimal) -> ScaleLevel | None:
        """The level with a number."""
        return next((level for level in self.levels if level.number == number), None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question of the score sheet."""

    id: str
    text: str
    scale: str
    phase: str = ""
    #: In a few words, for tables.
    label: str = ""
    #: None is that of the scale.
    polarity: Polarity | None = None
    #: Only analysts who obtained results are counted.
    only_with_results: bool = False
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class TrackMeasure:
    """A measure that submitted and obtained scores are compared by."""

    name: str
    #: A smaller difference is a slight one.
    tolerance: Decimal = DEFAULT_TOLERANCE
    #: Whether the track says so.
    is_stated: bool = False
    line: int | None = field(default=None, compare=False)
    #: What else is said, such as ``min`` and ``max`` of its scale.
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """A score as it is written: ``0.60`` and ``0.6`` are the same number."""

    measure: str
    text: str
    value: Decimal
    line: int | None = field(default=None, compare=False)


#: Scores by measure.
Scores = Mapping[str, Score]


@dataclass(frozen=True, kw_only=True, slots=True)
class System:
    """A system that a team submitted, with the scores of what it had submitted before."""

    id: str
    #: What else is known of it: operating system, language …
    properties: Mapping[str, Any] = field(default_factory=dict)
    #: By configuration; a system that has only one calls it "".
    submitted: Mapping[str, Scores] = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)

    @property
    def configurations(self) -> tuple[str, ...]:
        """The names of its configurations, ("",) where it has none."""
        return tuple(self.submitted) or ("",)


@dataclass(frozen=True, kw_only=True, slots=True)
class Analyst:
    """Somebody who tries systems."""

    id: str
    #: The id of a role; "" is not known.
    role: str = ""
    #: Texts such as ``os`` and ``memory``, or the platform of an ir_metadata header.
    machine: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenAnswer:
    """The answer to a question."""

    question: str
    #: As it is written.
    text: str
    #: None for free text.
    level: Decimal | None = None
    comment: str = ""
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """An analyst's work with one configuration of one system. None is not known."""

    analyst: str
    system: str
    configuration: str = ""
    stage: Stage | None = None
    #: Why it went no further.
    reason: str = ""
    #: Time of the analyst, the part of it until the system was built, and time of the machine.
    human_minutes: Decimal | None = None
    build_minutes: Decimal | None = None
    run_minutes: Decimal | None = None
    author_contacted: bool | None = None
    #: The author says that it would build, if only enough of an effort were made.
    author_insists: bool | None = None
    answers: Mapping[str, GivenAnswer] = field(default_factory=dict)
    comments: str = ""
    scores: Scores = field(default_factory=dict)
    #: Absolute differences, where the scores themselves are not known.
    differences: Scores = field(default_factory=dict)
    #: As stated, where neither scores nor differences are known.
    outcome: AttemptOutcome | None = None
    tool_error: bool | None = None
    #: The machine of this attempt, if it is not the analyst's usual one.
    machine: Mapping[str, Any] = field(default_factory=dict)
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from other attempts."""
        return self.system, self.analyst, self.configuration

    @property
    def name(self) -> str:
        """What to call it in a message."""
        configuration = f" ({self.configuration})" if self.configuration else ""
        return f"{self.system}{configuration} by analyst {self.analyst}"

    def error(self, why: str, *, hint: str = "") -> HeaderError:
        """What is wrong with it, at its place."""
        name = shown(self.name)
        return HeaderError(why, file=self.file or None, line=self.line, field=name, hint=hint)


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedTime:
    """Minutes that a paper prints for a system and a role, of sheets that it does not print."""

    system: str
    role: str
    human: Decimal | None = None
    run: Decimal | None = None
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedScore:
    """An aggregated score in percent that a paper prints for a question."""

    question: str
    percent: Decimal
    #: What the paper marks it with, such as * for a binary scale.
    marker: str = ""
    label: str = ""
    phase: str = ""
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Track(OneLine):
    """A replication track with all that is known of it."""

    title: str = ""
    #: What the systems do, and on which data it was done again.
    task: str = ""
    data: str = ""
    #: How long an analyst may work with a system at most.
    budget_minutes: Decimal | None = None
    #: What else is said of the track as such.
    about: Mapping[str, Any] = field(default_factory=dict)
    measures: Mapping[str, TrackMeasure] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    scales: Mapping[str, AnswerScale] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    systems: tuple[System, ...] = ()
    analysts: tuple[Analyst, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    #: Aggregates of sheets that were not published.
    times: tuple[PublishedTime, ...] = ()
    scores: tuple[PublishedScore, ...] = ()
    #: Remarks of the file by what they are about: questions, systems, analysts, times, scores.
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    file: str = field(default="", compare=False)
    #: All that the file says beside this.
    said: Mapping[str, Any] = field(default_factory=dict)
    #: What looks like a slip, without being an error.
    doubts: tuple[str, ...] = field(default=(), compare=False)

    def scale_of(self, question: Question) -> AnswerScale:
        """The scale by which a question is answered."""
        return self.scales[question.scale]

    def polarity_of(self, question: Question) -> Polarity:
        """Which end of its scale is the good one for this question."""
        return question.polarity or self.scale_of(question).polarity

    def question(self, id: str) -> Question | None:
        """The question with an id."""
        return next((one for one in self.questions if one.id == id), None)

    def system(self, id: str) -> System | None:
        """The system with an id."""
        return next((one for one in self.systems if one.id == id), None)

    def analyst(self, id: str) -> Analyst | None:
        """The analyst with an id."""
        return next((one for one in self.analysts if one.id == id), None)

    def role_of(self, attempt: Attempt) -> str:
        """The role of who made an attempt; "" is not known."""
        analyst = self.analyst(attempt.analyst)
        return analyst.role if analyst else ""

    def machine_of(self, attempt: Attempt) -> Mapping[str, Any]:
        """What an attempt ran on; empty is not known."""
        analyst = self.analyst(attempt.analyst)
        return attempt.machine or (analyst.machine if analyst else {})
