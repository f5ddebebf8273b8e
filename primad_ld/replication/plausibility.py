"""What scores and times can be: those of other scales and units are errors or get a note."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.replication.field_reading import decimal_of
from primad_ld.replication.tracks import Attempt, Score, Stage, Track, TrackMeasure

_ENDS: Final = ("min", "max")
_NEVER_RAN: Final = (Stage.none, Stage.acquired, Stage.built)


# Scores -----------------------------------------------------------------------------------


def end_of(measure: TrackMeasure, key: str, file: str) -> Decimal | None:
    """Where the scale of a measure begins (min) or ends (max); None where nobody says."""
    text = measure.said.get(key)
    if text is None or text == "":
        return None
    try:
        return decimal_of(text if isinstance(text, str) else "")
    except HeaderError as error:
        raise _about(measure, key, file, error.why, error.hint) from None


def ends_in_words(measure: TrackMeasure) -> str:
    """The scale of a measure in words; "" where the track does not say."""
    begin, end = (_shown(measure, key) for key in _ENDS)
    if begin and end:
        return f"{measure.name} is between {begin} and {end}"
    if begin:
        return f"{measure.name} is {begin} or more"
    return f"{measure.name} is {end} or less" if end else ""


def _shown(measure: TrackMeasure, key: str) -> str:
    value = end_of(measure, key, "")
    return "" if value is None else f"{value:f}"


def score_problems(track: Track) -> Iterator[HeaderError]:
    """Scores beside those of other units or outside their scale, and without a tolerance for it."""
    ends: dict[str, tuple[Decimal | None, Decimal | None]] = {}
    for measure in track.measures.values():
        try:
            ends[measure.name] = _ends(measure, track.file)
        except HeaderError as error:
            yield error
    units: dict[str, Score] = {}
    for place, one in _all_scores(track):
        if one.measure not in track.measures:
            continue  # which was an error of its own
        first = units.setdefault(one.measure, one)
        yield from _problems(track, place, one, first, ends.get(one.measure, (None, None)))
    yield from _large_differences(track, ends)


def _ends(measure: TrackMeasure, file: str) -> tuple[Decimal | None, Decimal | None]:
    begin, end = (end_of(measure, key, file) for key in _ENDS)
    if begin is not None and end is not None and end <= begin:
        why = f"the scale ends at {end:f}, and it begins at {begin:f}"
        raise _about(measure, "max", file, why, "the highest score that there can be is max")
    return begin, end


def _about(measure: TrackMeasure, key: str, file: str, why: str, hint: str) -> HeaderError:
    field = f"measures.{measure.name}.{key}"
    return HeaderError(why, file=file or None, line=measure.line, field=field, hint=hint)


def _problems(
    track: Track,
    place: str,
    one: Score,
    first: Score,
    ends: tuple[Decimal | None, Decimal | None],
) -> Iterator[HeaderError]:
    """What is wrong with a score: the first of all that could be said of it."""
    measure, why, hint = track.measures[one.measure], "", ""
    if first.text.endswith("%") != one.text.endswith("%"):
        why = f"{one.text} here and {first.text} in line {first.line}: one of them is in percent"
    elif outside := _outside(one, ends):
        why, hint = outside, _scale_hint(one, ends[1])
    elif not measure.is_stated and (abs(one.value) > 1 or one.text.endswith("%")):
        why = f"a difference of {measure.tolerance} means little for a score of {one.text}"
        hint = f"say from which difference on: 'measures: {{{one.measure}: {{tolerance: 1}}}}'"
    if why:
        yield HeaderError(why, file=place, line=one.line, field=one.measure, hint=hint)


def _outside(one: Score, ends: tuple[Decimal | None, Decimal | None]) -> str:
    begin, end = ends
    if begin is not None and one.value < begin:
        return f"{one.text} is below {begin:f}, where the scale of {one.measure} begins"
    if end is not None and one.value > end:
        return f"{one.text} is above {end:f}, where the scale of {one.measure} ends"
    return ""


def _scale_hint(one: Score, end: Decimal | None) -> str:
    """What probably happened: a percentage where a share is asked for."""
    if end == 1 and 1 < one.value <= 100:
        share = f"{one.value.scaleb(-2).normalize():f}"
        return f"is it in percent? then it is {share} here"
    return "correct the score, or the measure's min and max in the track"


def _all_scores(track: Track) -> Iterator[tuple[str, Score]]:
    for system in track.systems:
        for scores in system.submitted.values():
            yield from ((track.file, one) for one in scores.values())
    for attempt in track.attempts:
        yield from ((attempt.file, one) for one in attempt.scores.values())


def _large_differences(
    track: Track, ends: dict[str, tuple[Decimal | None, Decimal | None]]
) -> Iterator[HeaderError]:
    """No two scores can differ by more than the scale is long."""
    for attempt in track.attempts:
        for one in attempt.differences.values():
            begin, end = ends.get(one.measure, (None, None))
            if begin is not None and end is not None and one.value > end - begin:
                why = f"a difference of {one.text} is more than there is from {begin:f} to {end:f}"
                hint = "correct it, or the measure's min and max in the track"
                yield HeaderError(
                    why, file=attempt.file, line=one.line, field=one.measure, hint=hint
                )


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
