"""What scores and times can be: those of other scales and units are errors or get a note."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.replication.field_reading import decimal_of
from primad_ld.replication.tracks import Attempt, Score, Stage, Track, TrackMeasure

_NEVER_RAN: Final = (Stage.none, Stage.acquired, Stage.built)


# Scores -----------------------------------------------------------------------------------


class ScoreRange(NamedTuple):
    """Where the scale of a measure begins and ends; None where the track does not say."""

    begin: Decimal | None = None
    end: Decimal | None = None

    def outside(self, score: Score) -> str:
        """Why a score is not on the scale; "" if it is."""
        if self.begin is not None and score.value < self.begin:
            return f"below {self.begin:f}, where the scale of {score.measure} begins"
        if self.end is not None and score.value > self.end:
            return f"above {self.end:f}, where the scale of {score.measure} ends"
        return ""

    def hint(self, score: Score) -> str:
        """What probably happened: a percentage where a share is asked for."""
        if self.end == 1 and 1 < score.value <= 100:
            share = f"{score.value.scaleb(-2).normalize():f}"
            return f"is it in percent? then it is {share} here"
        return "correct the score, or the measure's min and max in the track"


def range_of(measure: TrackMeasure, file: str = "") -> ScoreRange:
    """The scale of a measure, as the track has it under ``min`` and ``max``."""

    def error(key: str, why: str, hint: str) -> HeaderError:
        field = f"measures.{measure.name}.{key}"
        return HeaderError(why, file=file or None, line=measure.line, field=field, hint=hint)

    ends: dict[str, Decimal] = {}
    for key in ("min", "max"):
        text = measure.said.get(key)
        if text not in (None, ""):
            try:
                ends[key] = decimal_of(text if isinstance(text, str) else "")
            except HeaderError as problem:
                raise error(key, problem.why, problem.hint) from None
    found = ScoreRange(ends.get("min"), ends.get("max"))
    if len(ends) == 2 and ends["max"] <= ends["min"]:
        why = f"the scale ends at {found.end:f}, and it begins at {found.begin:f}"
        raise error("max", why, "the highest score that there can be is max")
    return found


def range_in_words(measure: TrackMeasure) -> str:
    """The scale of a measure in words; "" where the track does not say."""
    begin, end = range_of(measure)
    if begin is not None and end is not None:
        return f"{measure.name} is between {begin:f} and {end:f}"
    if begin is not None:
        return f"{measure.name} is {begin:f} or more"
    return f"{measure.name} is {end:f} or less" if end is not None else ""


def score_problems(track: Track) -> Iterator[HeaderError]:
    """Scores beside those of other units or outside their scale, and without a tolerance for it."""
    ranges: dict[str, ScoreRange] = {}
    for measure in track.measures.values():
        try:
            ranges[measure.name] = range_of(measure, track.file)
        except HeaderError as error:
            yield error
    units: dict[str, Score] = {}
    for file, score in _all_scores(track):
        if score.measure in track.measures:  # others were errors of their own
            first = units.setdefault(score.measure, score)
            scale = ranges.get(score.measure, ScoreRange())
            why, hint = _problem(track.measures[score.measure], score, first, scale)
            if why:
                yield HeaderError(why, file=file, line=score.line, field=score.measure, hint=hint)
    # No two scores can differ by more than the scale is long.
    for attempt in track.attempts:
        for score in attempt.differences.values():
            begin, end = ranges.get(score.measure, ScoreRange())
            if begin is not None and end is not None and score.value > end - begin:
                why = (
                    f"a difference of {score.text} is more than there is from {begin:f} to {end:f}"
                )
                hint = "correct it, or the measure's min and max in the track"
                yield HeaderError(
                    why, file=attempt.file, line=score.line, field=score.measure, hint=hint
                )


def _problem(
    measure: TrackMeasure, score: Score, first: Score, scale: ScoreRange
) -> tuple[str, str]:
    """What is wrong with a score, and a hint: the first of all that could be said of it."""
    if first.text.endswith("%") != score.text.endswith("%"):
        place = f"{score.text} here and {first.text} in line {first.line}"
        return f"{place}: one of them is in percent", ""
    if why := scale.outside(score):
        return f"{score.text} is {why}", scale.hint(score)
    if not measure.is_stated and (abs(score.value) > 1 or score.text.endswith("%")):
        hint = f"say from which difference on: 'measures: {{{score.measure}: {{tolerance: 1}}}}'"
        return f"a difference of {measure.tolerance} means little for a score of {score.text}", hint
    return "", ""


def _all_scores(track: Track) -> Iterator[tuple[str, Score]]:
    for system in track.systems:
        for scores in system.submitted.values():
            yield from ((track.file, score) for score in scores.values())
    for attempt in track.attempts:
        yield from ((attempt.file, score) for score in attempt.scores.values())


# Times ------------------------------------------------------------------------------------


def doubtful_times(attempt: Attempt) -> Iterator[str]:
    """Times of an attempt that can be, and hardly are."""
    line = f":{attempt.line}" if attempt.line else ""
    place = f"{attempt.file}{line}: {attempt.name}"
    human, build, run = attempt.human_minutes, attempt.build_minutes, attempt.run_minutes
    # What compiles by itself may take longer than anybody worked, but seldom so long.
    if human is not None and build is not None and build > human + (run or 0):
        known = f"{human:f} of work" + (f" and {run:f} of running" if run is not None else "")
        yield f"{place}: {build:f} minutes until it was installed, and {known}; is that right?"
    if run and attempt.stage in _NEVER_RAN:
        yield f"{place}: it ran {run:f} minutes, and the stage reached is {attempt.stage}"


def over_budget(track: Track, attempt: Attempt) -> str:
    """Who took longer than the track allows; "" if nobody."""
    budget, spent = track.budget_minutes, attempt.human_minutes
    if budget is None or spent is None or spent <= budget:
        return ""
    return f"{attempt.name} took {spent:f} minutes of work, and {budget:f} were allowed"
