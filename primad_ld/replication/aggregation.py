"""Answers of several analysts in one percentage, by a rule that is declared.

The paper of 2016 prints such percentages and not the rule. The default here is the one that was
inferred from what it prints (docs/replication.md has the evidence); other rules can be asked for.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from primad_ld.replication.outcomes import JudgedAttempt, judge_attempts
from primad_ld.replication.tracks import (
    AnswerScale,
    AttemptOutcome,
    PublishedScore,
    Question,
    Track,
)


class Normalise(enum.StrEnum):
    """What a level becomes on a scale up to 1."""

    #: level / highest level: the lowest of five levels is 0.2.
    top = "top"
    #: (level - lowest) / (highest - lowest): the lowest level is 0.
    range = "range"


class GroupBy(enum.StrEnum):
    """Over what the mean is taken."""

    #: Of each system and role first.
    cells = "cells"
    #: Of each system first.
    systems = "systems"
    #: Of all attempts at once.
    attempts = "attempts"


class MissingAnswers(enum.StrEnum):
    """What a group counts in which nobody answered."""

    exclude = "exclude"
    zero = "zero"


@dataclass(frozen=True, kw_only=True, slots=True)
class AggregationRule:
    """How answers become a percentage."""

    normalise: Normalise = Normalise.top
    group_by: GroupBy = GroupBy.cells
    missing: MissingAnswers = MissingAnswers.exclude

    @property
    def in_words(self) -> str:
        """The rule in a sentence."""
        return f"{_NORMALISED[self.normalise]}; {_GROUPED[self.group_by]}; {_MISSING[self.missing]}"

    def options_beside(self, other: AggregationRule) -> str:
        """The options of the command line that ask for this rule rather than another one."""
        values = {
            "--normalise": (self.normalise, other.normalise),
            "--group-by": (self.group_by, other.group_by),
            "--missing": (self.missing, other.missing),
        }
        return " ".join(f"{name} {one}" for name, (one, theirs) in values.items() if one != theirs)


#: Inferred from Table 5 of the paper of 2016; its caption says whom Q7 and Q8 are averaged over.
INFERRED_2016: Final = AggregationRule()
_NORMALISED: Final = {
    Normalise.top: "level / highest level",
    Normalise.range: "(level - lowest) / (highest - lowest)",
}
_GROUPED: Final = {
    GroupBy.cells: "mean over system x role, each the mean of its attempts",
    GroupBy.systems: "mean over systems, each the mean of its attempts",
    GroupBy.attempts: "mean over all attempts",
}
_MISSING: Final = {
    MissingAnswers.exclude: "groups without an answer left out",
    MissingAnswers.zero: "groups without an answer counted as 0",
}


def every_rule() -> Iterator[AggregationRule]:
    """All rules that can be asked for, the default first."""
    for normalise, group_by, missing in product(Normalise, GroupBy, MissingAnswers):
        yield AggregationRule(normalise=normalise, group_by=group_by, missing=missing)


@dataclass(frozen=True, kw_only=True, slots=True)
class Aggregated:
    """The answers to one question in one number."""

    question: Question
    rule: AggregationRule
    #: From 0 to 1; None where nobody answered.
    share: Fraction | None
    #: How many answers there are, and how many of them come from the scores.
    n: int
    n_from_scores: int = 0
    #: How many groups have an answer, of how many.
    groups: int
    groups_in_all: int
    published: PublishedScore | None = None
    #: The other rules by which the answers give what was published, where this one does not.
    explained_by: tuple[AggregationRule, ...] = ()
    #: Means of single systems.
    by_system: Mapping[str, tuple[Fraction | None, int]] = field(default_factory=dict)

    @property
    def percent(self) -> int | None:
        """In whole percent, halves up, as the paper prints it."""
        return None if self.share is None else whole_percent(self.share)

    @property
    def agrees(self) -> bool | None:
        """Whether it is what was published, in whole percent; None where there is nothing to compare."""
        if self.published is None or self.share is None:
            return None
        return self.percent == whole_percent(Fraction(self.published.percent) / 100)


def aggregate(track: Track, rule: AggregationRule = INFERRED_2016) -> tuple[Aggregated, ...]:
    """The percentage of each question that is answered by levels, in the order of the sheet."""
    judged = judge_attempts(track)
    published = {one.question: one for one in track.scores}
    return tuple(
        _aggregated(track, question, judged, rule, published.get(question.id))
        for question in track.questions
        if track.scale_of(question).levels
    )


def _aggregated(
    track: Track,
    question: Question,
    judged: Sequence[JudgedAttempt],
    rule: AggregationRule,
    published: PublishedScore | None,
) -> Aggregated:
    answers = _counted_answers(track, question, judged, rule.normalise)
    groups = _groups(answers, rule.group_by)
    aggregated = Aggregated(
        question=question,
        rule=rule,
        share=_share(groups, rule.missing),
        n=_count(answers),
        n_from_scores=sum(one.is_from_scores for one in answers),
        groups=sum(_count(group) > 0 for group in groups),
        groups_in_all=len(groups),
        published=published,
        by_system={
            group[0].system: (_mean(group), _count(group))
            for group in _groups(answers, GroupBy.systems)
        },
    )

    def agrees_by(other: AggregationRule) -> bool | None:
        counted = _counted_answers(track, question, judged, other.normalise)
        share = _share(_groups(counted, other.group_by), other.missing)
        return replace(aggregated, share=share).agrees

    if aggregated.agrees is not False:
        return aggregated
    return replace(aggregated, explained_by=tuple(filter(agrees_by, every_rule())))


# Answers that count -----------------------------------------------------------------------


class _Counted(NamedTuple):
    """What an attempt counts for a question."""

    system: str
    role: str
    #: On the scale up to 1; None is missing.
    value: Fraction | None
    is_from_scores: bool


def _counted_answers(
    track: Track, question: Question, judged: Sequence[JudgedAttempt], normalise: Normalise
) -> list[_Counted]:
    """What each attempt counts for a question: its answer, or the outcome where that is asked."""
    scale = track.scale_of(question)
    answers = []
    for one in judged:
        level, is_from_scores = _level(question, scale, one)
        value = None if level is None else normalised(level, scale, normalise)
        answers.append(_Counted(one.attempt.system, one.role, value, is_from_scores))
    return answers


def _level(
    question: Question, scale: AnswerScale, judged: JudgedAttempt
) -> tuple[Fraction | None, bool]:
    """The level that an attempt has, and whether it comes from the outcome."""
    if question.only_with_results and judged.has_results is False:
        return None, False
    answer = judged.attempt.answers.get(question.id)
    if answer is not None and answer.level is not None:
        return Fraction(answer.level), False
    if scale.asks_outcome and judged.outcome not in (None, AttemptOutcome.no_result):
        numbers = [one.number for one in scale.levels if one.outcome is judged.outcome]
        return (Fraction(numbers[0]), True) if numbers else (None, False)
    return None, False


def normalised(level: Fraction, scale: AnswerScale, rule: Normalise) -> Fraction:
    """A level on a scale up to 1; with levels below 0, only the whole range makes a share."""
    top, bottom = Fraction(scale.top), Fraction(scale.bottom)
    if rule is Normalise.range or bottom < 0:
        return (level - bottom) / (top - bottom)
    return level / top


# Means of groups --------------------------------------------------------------------------


def _groups(counted: Sequence[_Counted], by: GroupBy) -> list[list[_Counted]]:
    groups: dict[object, list[_Counted]] = {}
    for number, one in enumerate(counted):
        groups.setdefault(_KEYS[by](one, number), []).append(one)
    return list(groups.values())


_KEYS: Final[dict[GroupBy, Callable[[_Counted, int], object]]] = {
    GroupBy.cells: lambda one, _: (one.system, one.role),
    GroupBy.systems: lambda one, _: one.system,
    GroupBy.attempts: lambda _, number: number,
}


def _share(groups: Sequence[Sequence[_Counted]], missing: MissingAnswers) -> Fraction | None:
    """The mean over groups; without any answer there is none, whatever is missing."""
    means = [_mean(group) for group in groups]
    known = [mean for mean in means if mean is not None]
    if not known:
        return None
    return sum(known, Fraction()) / (
        len(known) if missing is MissingAnswers.exclude else len(means)
    )


def _mean(group: Sequence[_Counted]) -> Fraction | None:
    values = [one.value for one in group if one.value is not None]
    return sum(values, Fraction()) / len(values) if values else None


def _count(group: Sequence[_Counted]) -> int:
    """How many answers there are."""
    return sum(one.value is not None for one in group)


def whole_percent(share: Fraction) -> int:
    """A share in whole percent, halves up."""
    return (share * 100 + Fraction(1, 2)).__floor__()
