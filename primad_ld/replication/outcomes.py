"""What became of attempts: the outcome by scores and tolerances, how repeatable it was, and the time.

Outcomes and the levels of repeatability are those of the paper of 2016; times stand by system and role,
as in its Table 4.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Final

from primad_ld.replication.tracks import (
    Attempt,
    AttemptOutcome,
    PublishedTime,
    Question,
    ScaleLevel,
    Score,
    Stage,
    System,
    Track,
    TrackMeasure,
)

#: Collberg et al. (2014) gave half an hour to a system to be built.
BUILD_MINUTES: Final = 30
#: Results that are "consistent with published reports".
CONSISTENT: Final = (AttemptOutcome.exact, AttemptOutcome.slightly_different)
#: Enough for the difference of any two numbers that are read here, to the last digit.
_DIGITS: Final = 400
_FROM_WORST: Final = (
    AttemptOutcome.different,
    AttemptOutcome.slightly_different,
    AttemptOutcome.exact,
)


class OutcomeSource(enum.StrEnum):
    """Where an outcome is known from."""

    scores = "scores"
    difference = "difference"
    stated = "stated"
    answer = "answer"
    stage = "stage"


@dataclass(frozen=True, kw_only=True, slots=True)
class ComparedScores:
    """A submitted score beside one that was obtained, or their difference alone."""

    measure: TrackMeasure
    submitted: Score | None
    obtained: Score | None
    difference: Decimal
    outcome: AttemptOutcome

    @property
    def is_on_the_edge(self) -> bool:
        """Whether the difference is the tolerance itself, for which the sheet of 2016 has no level."""
        return self.difference == self.measure.tolerance != 0


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedAttempt:
    """What became of an attempt. None is not known."""

    attempt: Attempt
    #: Of the analyst; "" is not known.
    role: str
    outcome: AttemptOutcome | None
    source: OutcomeSource | None
    compared: tuple[ComparedScores, ...]
    #: Level 0 to 4; None where nothing is known.
    repeatability: int | None
    #: With what is not known, the level may be higher.
    is_at_least: bool = False

    @property
    def has_results(self) -> bool | None:
        """Whether the analyst obtained results; None is not known."""
        stage = stage_of(self.attempt, self.outcome)
        if stage is None:
            return False if self.outcome is AttemptOutcome.no_result else None
        return stage is Stage.results


def judge_attempts(track: Track) -> tuple[JudgedAttempt, ...]:
    """The attempts of a track, judged."""
    systems = {one.id: one for one in track.systems}
    roles = {one.id: one.role for one in track.analysts}
    return tuple(
        _judged(track, one, systems.get(one.system), roles.get(one.analyst, ""))
        for one in track.attempts
    )


def judge_attempt(track: Track, attempt: Attempt) -> JudgedAttempt:
    """The outcome of an attempt and the level of repeatability that it shows.

    The outcome comes from the scores; where they are not known, from their difference, the stated
    outcome, the stage, or the answer to the question that asks for it, in this order.
    """
    return _judged(track, attempt, track.system(attempt.system), track.role_of(attempt))


def _judged(track: Track, attempt: Attempt, system: System | None, role: str) -> JudgedAttempt:
    compared = tuple(_compared(track, attempt, system))
    outcome, source = _outcome(track, attempt, compared)
    level, at_least = _repeatability(attempt, outcome)
    return JudgedAttempt(
        attempt=attempt,
        role=role,
        outcome=outcome,
        source=source,
        compared=compared,
        repeatability=level,
        is_at_least=at_least,
    )


# Outcomes ---------------------------------------------------------------------------------


def _compared(track: Track, attempt: Attempt, system: System | None) -> Iterator[ComparedScores]:
    submitted = system.submitted.get(attempt.configuration, {}) if system else {}
    for name, measure in track.measures.items():
        before, after = submitted.get(name), attempt.scores.get(name)
        if before is not None and after is not None:
            size = difference_of(before.value, after.value)
        elif name in attempt.differences:
            before, after, size = None, None, attempt.differences[name].value
        else:
            continue
        yield ComparedScores(
            measure=measure,
            submitted=before,
            obtained=after,
            difference=size,
            outcome=outcome_of(size, measure.tolerance),
        )


def difference_of(one: Decimal, other: Decimal) -> Decimal:
    """The absolute difference of two numbers as they are written: 0.81 - 0.80 is 0.01."""
    with localcontext() as context:
        context.prec = _DIGITS
        return abs(one - other)


def outcome_of(difference: Decimal, tolerance: Decimal) -> AttemptOutcome:
    """Exact, slightly different or different, as question 8 of 2016 has it.

    Its levels are "less than .01" and "more than .01"; a difference of .01 has none, and counts
    as different here.
    """
    if not difference:
        return AttemptOutcome.exact
    return AttemptOutcome.slightly_different if difference < tolerance else AttemptOutcome.different


def _outcome(
    track: Track, attempt: Attempt, compared: tuple[ComparedScores, ...]
) -> tuple[AttemptOutcome | None, OutcomeSource | None]:
    if attempt.tool_error:
        return AttemptOutcome.tool_error, OutcomeSource.stated
    if compared:
        found = {one.outcome for one in compared}
        source = (
            OutcomeSource.scores
            if any(one.obtained for one in compared)
            else OutcomeSource.difference
        )
        return next(one for one in _FROM_WORST if one in found), source
    if attempt.outcome is not None:
        return attempt.outcome, OutcomeSource.stated
    if attempt.stage is not None and attempt.stage is not Stage.results:
        return AttemptOutcome.no_result, OutcomeSource.stage
    for _, level in _answered_outcomes(track, attempt):
        return level.outcome, OutcomeSource.answer
    return None, None


def _answered_outcomes(track: Track, attempt: Attempt) -> Iterator[tuple[Question, ScaleLevel]]:
    """The answers of an attempt that state an outcome."""
    for question in track.questions:
        answer = attempt.answers.get(question.id)
        if answer is not None and answer.level is not None:
            level = track.scale_of(question).level_of(answer.level)
            if level is not None and level.outcome is not None:
                yield question, level


# Repeatability ----------------------------------------------------------------------------


def _repeatability(attempt: Attempt, outcome: AttemptOutcome | None) -> tuple[int | None, bool]:
    """The level of repeatability, and whether it may be higher with what is not known.

    Section 1.3, after Collberg et al. (2014): 1 acquired, and built or the author insists that it
    would build; 2 built; 3 built in 30 minutes or fewer; 4 results consistent with what was
    reported, in whatever time. 0 is none of them.
    """
    if outcome in CONSISTENT:
        return 4, False
    stage = stage_of(attempt, outcome)
    # Results that are not known may be consistent.
    is_open = stage is Stage.results and outcome is None
    if stage is None:
        return None, False
    if stage.reaches(Stage.built):
        if attempt.build_minutes is None:
            return 2, True
        return (3 if attempt.build_minutes <= BUILD_MINUTES else 2), is_open
    if stage is Stage.acquired and attempt.author_insists:
        return 1, False
    return 0, stage is Stage.acquired and attempt.author_insists is None


def stage_of(attempt: Attempt, outcome: AttemptOutcome | None) -> Stage | None:
    """The stage that an attempt reached; whoever has scores got to results."""
    if attempt.stage is not None:
        return attempt.stage
    is_result = outcome is not None and outcome is not AttemptOutcome.no_result
    return Stage.results if is_result or attempt.scores else None


# Contradictions ---------------------------------------------------------------------------


def contradictions(track: Track, judged: JudgedAttempt) -> Iterator[str]:
    """Where what an analyst says is not what the scores say."""
    attempt = judged.attempt
    for question, level in _answered_outcomes(track, attempt):
        if judged.outcome is not None and level.outcome is not judged.outcome:
            said = f'{question.id} says "{level.label or f"{level.number:f}"}"'
            yield f"{attempt.name}: {said}; {_found(judged)}"
    is_compared = judged.source in (OutcomeSource.scores, OutcomeSource.difference)
    if is_compared and attempt.outcome not in (None, judged.outcome):
        yield f"{attempt.name}: stated as {in_words(attempt.outcome)}; {_found(judged)}"


_SAYS: Final = {
    OutcomeSource.scores: "the scores say",
    OutcomeSource.difference: "the difference says",
    OutcomeSource.stated: "it is stated as",
    OutcomeSource.answer: "another answer says",
}


def _found(judged: JudgedAttempt) -> str:
    words = in_words(judged.outcome)
    if judged.source is OutcomeSource.stage or judged.source is None:
        return f"the stage reached is {judged.attempt.stage}, so there is {words}"
    telling = (one for one in judged.compared if one.outcome is judged.outcome)
    details = ", ".join(map(compared_in_words, telling))
    return f"{_SAYS[judged.source]} {words}" + (f" ({details})" if details else "")


def compared_in_words(one: ComparedScores) -> str:
    """A difference with the scores that it is of."""
    size = f"{one.difference:f}"
    if one.submitted is None or one.obtained is None:
        return f"{one.measure.name} differs by {size}"
    return f"{one.measure.name} {one.submitted.text} submitted, {one.obtained.text} obtained"


_WORDS: Final = {
    AttemptOutcome.exact: "exact",
    AttemptOutcome.slightly_different: "slightly different",
    AttemptOutcome.different: "different",
    AttemptOutcome.tool_error: "evaluation tool error",
    AttemptOutcome.no_result: "no result",
    None: "not known",
}


def in_words(outcome: AttemptOutcome | None) -> str:
    """An outcome as tables have it."""
    return _WORDS[outcome]


def edge_cases(judged: JudgedAttempt) -> Iterator[str]:
    """Differences that are the tolerance itself."""
    for one in judged.compared:
        if one.is_on_the_edge:
            yield (
                f"{judged.attempt.name}: {one.measure.name} differs by exactly "
                f"{one.difference:f}; the sheet of 2016 has no level for that, "
                "and it counts as different"
            )


# Times ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class CellTime:
    """The minutes of a system and a role. None is not known."""

    system: str
    role: str
    #: The mean over the attempts, and how many they are.
    human: Fraction | None
    n_human: int
    #: The mean over the attempts that came to results, and how many they are.
    run: Fraction | None
    n_run: int
    published: PublishedTime | None = None


def times_of(track: Track) -> tuple[CellTime, ...]:
    """The times of each system and role: of attempts, and as published.

    Human time is averaged over the analysts of a role, and run time over those who obtained results,
    as the caption of Table 4 says. Whoever tried two configurations counts twice.
    """
    cells: dict[tuple[str, str], list[JudgedAttempt]] = {
        (one.system, one.role): [] for one in track.times
    }
    for one in judge_attempts(track):
        cells.setdefault((one.attempt.system, one.role), []).append(one)
    published = {(one.system, one.role): one for one in track.times}
    order = {one.id: number for number, one in enumerate(track.systems)}
    return tuple(
        _cell(key, judged, published.get(key))
        for key, judged in sorted(cells.items(), key=lambda item: order[item[0][0]])
    )


def _cell(
    key: tuple[str, str], judged: Sequence[JudgedAttempt], published: PublishedTime | None
) -> CellTime:
    human = list(_known(one.attempt.human_minutes for one in judged))
    run = list(_known(one.attempt.run_minutes for one in judged if one.has_results))
    return CellTime(
        system=key[0],
        role=key[1],
        human=_mean(human),
        n_human=len(human),
        run=_mean(run),
        n_run=len(run),
        published=published,
    )


def _known(values: Iterator[Decimal | None]) -> Iterator[Fraction]:
    return (Fraction(value) for value in values if value is not None)


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None
