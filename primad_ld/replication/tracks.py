"""What a replication track is made of: systems, analysts, score sheets and attempts.

The protocol is that of sections 2 and 3 of Névéol, Grouin, Cohen and Robert (LOUHI 2016): analysts
install and run the systems that teams submitted, and say on a score sheet how that went. A field
that stands in files has a `Key`: reading, writing and RDF follow from it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any, Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.core.one_line import OneLine
from primad_ld.replication.field_reading import shown

#: "Less than .01 difference in F-measure" is a slight difference (Table 1, question 8).
DEFAULT_TOLERANCE: Final = Decimal("0.01")


class Polarity(enum.StrEnum):
    """Which end of a scale is the good one."""

    positive = "positive"
    negative = "negative"


class Stage(enum.StrEnum):
    """How far an attempt got. Each stage includes those before it."""

    none = "none"
    acquired = "acquired"
    built = "built"
    #: It was started on the test data, whatever came of that.
    ran = "ran"
    results = "results"

    def reaches(self, other: Stage) -> bool:
        """Whether this stage is the other one or a later one."""
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


# Keys -------------------------------------------------------------------------------------


class Kind(enum.StrEnum):
    """What stands at a key."""

    #: The key of a mapping under which the record itself stands.
    own_name = enum.auto()
    text = enum.auto()
    truth = enum.auto()
    #: A number in percent, from 0 to 100.
    percent = enum.auto()
    minutes = enum.auto()
    stage = enum.auto()
    outcome = enum.auto()
    polarity = enum.auto()
    #: The same where RDF has a truth value for the negative one.
    lower_is_better = enum.auto()
    #: The name of another part of the track.
    system = enum.auto()
    analyst = enum.auto()
    role = enum.auto()
    scale = enum.auto()
    question = enum.auto()
    scores = enum.auto()
    #: Scores without a sign.
    differences = enum.auto()
    submitted = enum.auto()
    levels = enum.auto()
    answers = enum.auto()
    machine = enum.auto()
    #: All keys that are not ours.
    rest = enum.auto()


class Key(NamedTuple):
    """How a field stands in files: by a key in YAML, and by a predicate of ours in RDF."""

    kind: Kind
    predicate: str
    #: Other keys under which YAML may have it.
    others: tuple[str, ...] = ()


def _key(kind: Kind, predicate: str, *others: str) -> dict[str, Key]:
    return {"key": Key(kind, predicate, others)}


def _text(predicate: str, *others: str) -> dict[str, Key]:
    return _key(Kind.text, predicate, *others)


def keys_of(record: type[Any]) -> Mapping[str, Key]:
    """The keys of records of a class by their names, in the order in which they are written."""
    return {one.name: one.metadata["key"] for one in fields(record) if "key" in one.metadata}


def stated(record: Any) -> Iterator[tuple[str, Key, Any]]:
    """What a record says: each name with its key and value; what is as by default is left out."""
    for one in fields(record):
        value = getattr(record, one.name)
        is_empty = value == {} if isinstance(value, Mapping) else value == one.default
        if "key" in one.metadata and not is_empty:
            yield one.name, one.metadata["key"], value


_REST: Final = _key(Kind.rest, "extra")


# Records ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    """As what an analyst tries a system: as a developer, as a user."""

    id: str = field(metadata=_key(Kind.own_name, "localIdentifier"))
    label: str = field(default="", metadata=_text("name"))
    description: str = field(default="", metadata=_text("description"))
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.label or self.id


@dataclass(frozen=True, kw_only=True, slots=True)
class ScaleLevel:
    """An answer that a scale offers."""

    number: Decimal = field(metadata=_key(Kind.own_name, "answerNumber"))
    label: str = field(default="", metadata=_text("name"))
    #: The outcome that this answer states, on a scale that asks for outcomes.
    outcome: AttemptOutcome | None = field(
        default=None, metadata=_key(Kind.outcome, "statesOutcome")
    )
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswerScale:
    """The answers to choose from; without any, answers are free text."""

    name: str = field(metadata=_key(Kind.own_name, "name"))
    #: As the file orders them.
    levels: tuple[ScaleLevel, ...] = field(default=(), metadata=_key(Kind.levels, "offersLevel"))
    polarity: Polarity = field(
        default=Polarity.positive, metadata=_key(Kind.lower_is_better, "lowerIsBetter")
    )
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)

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

    id: str = field(metadata=_text("localIdentifier"))
    phase: str = field(default="", metadata=_text("workPhase"))
    #: In a few words, for tables.
    label: str = field(default="", metadata=_text("name"))
    text: str = field(metadata=_text("questionText"))
    scale: str = field(metadata=_key(Kind.scale, "answeredOn"))
    #: None is that of the scale.
    polarity: Polarity | None = field(default=None, metadata=_key(Kind.polarity, "polarity"))
    #: Only analysts who obtained results are counted.
    only_with_results: bool = field(default=False, metadata=_key(Kind.truth, "onlyWithResults"))
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)


@dataclass(frozen=True, kw_only=True, slots=True)
class TrackMeasure:
    """A measure that submitted and obtained scores are compared by."""

    name: str = field(metadata=_key(Kind.own_name, "name"))
    #: A smaller difference is a slight one.
    tolerance: Decimal = DEFAULT_TOLERANCE
    #: Whether the track says so.
    is_stated: bool = False
    line: int | None = field(default=None, compare=False)
    #: What else is said, such as ``min`` and ``max`` of its scale.
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)


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

    id: str = field(metadata=_text("localIdentifier"))
    #: What else is known of it: operating system, language …
    properties: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)
    #: By configuration; a system that has only one calls it "".
    submitted: Mapping[str, Scores] = field(
        default_factory=dict, metadata=_key(Kind.submitted, "submittedConfiguration")
    )
    line: int | None = field(default=None, compare=False)

    @property
    def configurations(self) -> tuple[str, ...]:
        """The names of its configurations, ("",) where it has none."""
        return tuple(self.submitted) or ("",)


_MACHINE: Final = _key(Kind.machine, "machine")


@dataclass(frozen=True, kw_only=True, slots=True)
class Analyst:
    """A person who tries systems."""

    id: str = field(metadata=_text("localIdentifier"))
    #: The id of a role; "" is not known.
    role: str = field(default="", metadata=_key(Kind.role, "inAnalystRole"))
    #: Texts such as ``os`` and ``memory``, or the platform of an ir_metadata header.
    machine: Mapping[str, Any] = field(default_factory=dict, metadata=_MACHINE)
    note: str = field(default="", metadata=_text("analystNote"))
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)


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


def _minutes(predicate: str, *others: str) -> dict[str, Key]:
    return _key(Kind.minutes, predicate, *others)


def _truth(predicate: str) -> dict[str, Key]:
    return _key(Kind.truth, predicate)


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """An analyst's work with one configuration of one system. None is not known."""

    analyst: str = field(metadata=_key(Kind.analyst, "byAnalyst"))
    system: str = field(metadata=_key(Kind.system, "ofSystem"))
    configuration: str = field(default="", metadata=_text("systemConfiguration"))
    stage: Stage | None = field(default=None, metadata=_key(Kind.stage, "progressStated"))
    #: Why it went no further.
    reason: str = field(default="", metadata=_text("stopReason"))
    #: Time of the analyst, the part of it until the system was built, and time of the machine.
    human_minutes: Decimal | None = field(default=None, metadata=_minutes("humanMinutes"))
    build_minutes: Decimal | None = field(default=None, metadata=_minutes("buildMinutes"))
    run_minutes: Decimal | None = field(default=None, metadata=_minutes("runMinutes"))
    author_contacted: bool | None = field(default=None, metadata=_truth("authorContacted"))
    #: The author says that it would build, if only enough of an effort were made.
    author_insists: bool | None = field(default=None, metadata=_truth("authorInsists"))
    scores: Scores = field(default_factory=dict, metadata=_key(Kind.scores, "obtainedScore"))
    #: Absolute differences, where the scores themselves are not known.
    differences: Scores = field(
        default_factory=dict, metadata=_key(Kind.differences, "differsBy", "difference")
    )
    #: As stated, where neither scores nor differences are known.
    outcome: AttemptOutcome | None = field(
        default=None, metadata=_key(Kind.outcome, "statesOutcome")
    )
    tool_error: bool | None = field(default=None, metadata=_truth("toolError"))
    #: The machine of this attempt, if it is not the analyst's usual one.
    machine: Mapping[str, Any] = field(default_factory=dict, metadata=_MACHINE)
    answers: Mapping[str, GivenAnswer] = field(
        default_factory=dict, metadata=_key(Kind.answers, "scoreSheet")
    )
    comments: str = field(default="", metadata=_text("analystComments", "comment"))
    file: str = field(default="", compare=False)
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)

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

    system: str = field(metadata=_key(Kind.system, "ofSystem"))
    role: str = field(default="", metadata=_key(Kind.role, "inAnalystRole"))
    human: Decimal | None = field(default=None, metadata=_minutes("humanMinutes", "human_minutes"))
    run: Decimal | None = field(default=None, metadata=_minutes("runMinutes", "run_minutes"))
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedScore:
    """An aggregated score in percent that a paper prints for a question."""

    phase: str = field(default="", metadata=_text("workPhase"))
    question: str = field(metadata=_key(Kind.question, "toQuestion"))
    #: What the paper marks it with, such as * for a binary scale.
    marker: str = field(default="", metadata=_text("percentageMarker"))
    label: str = field(default="", metadata=_text("name"))
    percent: Decimal = field(metadata=_key(Kind.percent, "publishedPercent"))
    line: int | None = field(default=None, compare=False)
    said: Mapping[str, Any] = field(default_factory=dict, metadata=_REST)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Track(OneLine):
    """A replication track with all that is known of it."""

    title: str = field(default="", metadata=_text("name", "lab"))
    #: What the systems do, and on which data it was done again.
    task: str = field(default="", metadata=_text("trackTask", "subtask_replicated"))
    data: str = field(default="", metadata=_text("trackData", "test_set"))
    #: How long an analyst may work with a system at most.
    budget_minutes: Decimal | None = field(
        default=None, metadata=_minutes("budgetMinutes", "analyst_budget_per_system_minutes")
    )
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


class TrackPart(NamedTuple):
    """Parts of a track in RDF: how their nodes are called, what leads to them, their type."""

    node: str
    link: str
    type: str


#: The parts of a track by their keys in YAML, in the order in which they are written.
PARTS: Final[Mapping[str, TrackPart]] = {
    "measures": TrackPart("measure", "comparesBy", "TrackMeasure"),
    "roles": TrackPart("role", "analystRole", "AnalystRole"),
    "scales": TrackPart("scale", "answerScale", "AnswerScale"),
    "questions": TrackPart("question", "sheetQuestion", "SheetQuestion"),
    "systems": TrackPart("system", "submittedSystem", "SubmittedSystem"),
    "analysts": TrackPart("analyst", "analyst", "Analyst"),
    "attempts": TrackPart("attempt", "attempt", "Attempt"),
    "times": TrackPart("time", "publishedTime", "PublishedTime"),
    "scores": TrackPart("percentage", "publishedPercentage", "PublishedPercentage"),
}
