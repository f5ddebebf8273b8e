"""Claims from attempts of replication tracks: what a track says of one, in the words of a claim.

Nobody's name leaves a track: of who tried, a claim tells the role at most. Beside an attempt,
people may say what it leaves open, and not what it contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.long_texts import closest
from primad_ld.core.yamltext import brief
from primad_ld.header.redaction import redact_text
from primad_ld.nanopub.drafting.claims import Claim, Verdict
from primad_ld.nanopub.drafts import one_line
from primad_ld.qra.measurements import folded
from primad_ld.replication.field_reading import listed, shown
from primad_ld.replication.outcomes import (
    CONSISTENT,
    JudgedAttempt,
    compared_in_words,
    in_words,
    judge_attempt,
    stage_of,
)
from primad_ld.replication.track_graphs import track_graph
from primad_ld.replication.tracks import Attempt, AttemptOutcome, Stage, Track

_SOMEBODY: Final = "an analyst"
# Shorter ids are letters and numbers, which no text tells apart from others.
_LEAST_NAME: Final = 3


def claim_of_attempt(track: Track, attempt: Attempt | str) -> Claim:
    """What a track says of an attempt: system, outcome, reason, time.

    An attempt is named by its place among those of the track, from 1 on, by an ``id`` that it has,
    or by system, analyst and configuration with slashes between.

    Raises:
        HeaderError: There is no such attempt, or several have this name.
    """
    one = attempt if isinstance(attempt, Attempt) else find_attempt(track, attempt)
    judged = judge_attempt(track, one)
    stage = stage_of(one, judged.outcome)
    claim = Claim(
        tag=one_line(one.system, "system"),
        collection=one_line(track.data, "data of the track"),
        track=one_line(track.title, "title of the track"),
        system=one_line(one.system, "system"),
        configuration=one_line(one.configuration, "configuration"),
        verdict=_verdict(judged.outcome, stage),
        criterion=_criterion(track, judged),
        attempt=" ".join(_sentences(track, judged, stage)),
        reason=one_line(one.reason, "reason"),
        outcome=judged.outcome,
        stage=stage,
        minutes=one.human_minutes,
        build_minutes=one.build_minutes,
        run_minutes=one.run_minutes,
        track_iri=track_graph(track).iri,
    )
    return _without_names(claim, track)


# Beside a track ---------------------------------------------------------------------------


def check_verdict(said: Claim, found: Claim) -> None:
    """Refuse a verdict that cannot be that of the attempt, by what the track says of it.

    Raises:
        PrimadError: What was said and what the track has, and what to say instead.
    """
    gave_results = _gave_results(found)
    if said.verdict is None or gave_results in (
        None,
        _NEEDS_RESULTS.get(said.verdict, gave_results),
    ):
        return
    outcome = in_words(found.outcome or AttemptOutcome.no_result)
    how = f" ({_STAGES[found.stage].lower().rstrip('.')})" if found.stage is not None else ""
    instead = f"say {found.verdict.word}, or " if found.verdict is not None else ""
    raise PrimadError(
        f"the verdict is {said.verdict.word}, but by the track the outcome of this attempt "
        f"is {outcome}{how}; {instead}leave the verdict to the track"
    )


#: Verdicts that only an attempt with results can have, and those that only one without them can.
_NEEDS_RESULTS: Final = {
    Verdict.reproduced: True,
    Verdict.partly_reproduced: True,
    Verdict.stopped: False,
    Verdict.not_attempted: False,
}


def _gave_results(found: Claim) -> bool | None:
    """Whether there were results to compare; None if the track leaves that open."""
    if found.outcome in (*CONSISTENT, AttemptOutcome.different):
        return True
    if found.outcome is AttemptOutcome.no_result:
        return False
    is_before = found.stage is not None and not found.stage.reaches(Stage.results)
    return False if found.outcome is None and is_before else None


def replaced(said: Claim, found: Claim) -> tuple[str, ...]:
    """Remarks on what takes the place of something that the track says."""
    return tuple(
        f"{name}: {_brief(ours)} takes the place of the track's {_brief(theirs)}"
        for name in _SAID_OF_BOTH
        if (ours := getattr(said, name)) or ours == 0
        if (theirs := getattr(found, name)) or theirs == 0
        if ours != theirs
    )


#: What people may say of a claim that a track says as well.
_SAID_OF_BOTH: Final = (
    *("tag", "collection", "verdict", "criterion", "attempt", "reason", "minutes"),
)


def _brief(value: object) -> str:
    """A value for people, without what they keep to themselves."""
    if isinstance(value, Verdict):
        return value.word
    if isinstance(value, Decimal):
        return f"{value:f}"
    return brief(redact_text(str(value))[0])


# Which attempt ----------------------------------------------------------------------------


def find_attempt(track: Track, name: str) -> Attempt:
    """The attempt that a name means; the only one if nothing is named."""
    attempts = dict(enumerate(track.attempts, 1))
    numbers = [
        number
        for number, one in attempts.items()
        if not name or folded(name) in map(folded, _names(one, number))
    ]
    if len(numbers) == 1:
        return attempts[numbers[0]]
    choices = listed(f"{number} ({one.name})" for number, one in attempts.items())
    if not attempts:
        why, hint = "this track has no attempts", ""
    elif not name:
        why, hint = "there are several attempts", f"say of which: {choices}"
    elif numbers:
        why, hint = f"{shown(name)} may be attempts {listed(numbers)}", "name one by its number"
    else:
        close = closest(name, [label for n, one in attempts.items() for label in _names(one, n)])
        why = f"unknown attempt {shown(name)}"
        hint = f"do you mean {shown(close[0])}?" if close else f"there is {choices}"
    raise HeaderError(why, file=track.file or None, field="attempts", hint=hint)


def _names(one: Attempt, number: int) -> Iterator[str]:
    """By what people may call an attempt."""
    whose = f"{one.system}/{one.analyst}"
    yield from (str(number), one.name, whose, f"{whose}/{one.configuration}")
    yield from (name for key in ("id", "name") if isinstance(name := one.said.get(key), str))


# In the words of a claim ------------------------------------------------------------------


def _verdict(outcome: AttemptOutcome | None, stage: Stage | None) -> Verdict | None:
    if outcome in CONSISTENT:
        return Verdict.reproduced
    if outcome is AttemptOutcome.different:
        return Verdict.not_reproduced
    if outcome is AttemptOutcome.tool_error:
        return Verdict.inconclusive
    if outcome is AttemptOutcome.no_result:
        return Verdict.not_attempted if stage is Stage.none else Verdict.stopped
    return None


def _criterion(track: Track, judged: JudgedAttempt) -> str:
    """By which differences a track tells scores apart."""
    measures = [one.measure for one in judged.compared] or list(track.measures.values())
    if not measures:
        return "the submitted scores again, by the measures of the track"
    each = [
        f"{one_line(one.name, 'measure')} within less than {one.tolerance:f}"
        if one.tolerance
        else f"{one_line(one.name, 'measure')} exactly"
        for one in measures
    ]
    return f"the submitted scores again: {', '.join(each)}"


def _sentences(track: Track, judged: JudgedAttempt, stage: Stage | None) -> Iterator[str]:
    """What was done."""
    one = judged.attempt
    role = track.roles[judged.role].name if judged.role in track.roles else ""
    what = one.system + (f" ({one.configuration})" if one.configuration else "")
    where = f" in the track {track.title}" if track.title else ""
    about = "; ".join(part for part in (track.task, track.data) if part)
    words = f"{what} was tried{where}" + (f" by a {role.lower()}" if role else "")
    yield one_line(words + (f" on this task: {about}" if about else "") + ".", "track")
    if stage is not None:
        yield _STAGES[stage]
    if judged.compared:
        yield one_line(f"Scores: {'; '.join(map(compared_in_words, judged.compared))}.", "scores")
    elif judged.outcome not in (None, AttemptOutcome.no_result):
        yield f"The outcome was stated as {in_words(judged.outcome)}."
    if one.author_contacted is not None:
        asked = "were" if one.author_contacted else "were not"
        yield f"The authors {asked} asked for help."


_STAGES: Final = {
    Stage.none: "It was not obtained.",
    Stage.acquired: "It was obtained, and not built.",
    Stage.built: "It was built, and not run on the data.",
    Stage.ran: "It was run on the data, without results that could be scored.",
    Stage.results: "It gave results.",
}


# Names of people --------------------------------------------------------------------------


def _without_names(claim: Claim, track: Track) -> Claim:
    """A claim that calls nobody by the id that the track has for them.

    Only a reason is in an analyst's own words; the rest is what the track says of systems.
    """
    names = (one.id for one in track.analysts if sum(map(str.isalpha, one.id)) >= _LEAST_NAME)
    ids = sorted(names, key=len, reverse=True)
    if not ids:
        return claim
    anybody = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ids))})(?!\w)", re.IGNORECASE)
    return replace(claim, reason=anybody.sub(_SOMEBODY, claim.reason))
