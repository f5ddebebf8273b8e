"""What the attempts of a track came to: by system, and one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from primad_ld.replication.outcomes import (
    BUILD_MINUTES,
    Judged,
    contradictions,
    edge_cases,
    in_words,
    judge_attempts,
    stage_of,
)
from primad_ld.replication.setting import as_text
from primad_ld.replication.tracks import Attempt, Outcome, ScaleKind, Track
from primad_ld.tables.grid import UNDEFINED, Grid

#: Short, since a table of numbers cannot be folded where a terminal is narrow.
OUTCOME_HEADS: Final = {
    Outcome.exact: "exact",
    Outcome.slightly_different: "slight",
    Outcome.different: "different",
    Outcome.tool_error: "tool error",
    Outcome.no_result: "no result",
    None: "unknown",
}


def outcome_table(track: Track) -> Grid:
    """How many attempts at each system came to which outcome."""
    rows = [
        (system, configuration or UNDEFINED, *_counts(found), _levels_reached(found))
        for (system, configuration), found in by_configuration(track)
    ]
    return Grid(
        title="Outcomes",
        columns=("system", "configuration", "n", *OUTCOME_HEADS.values(), "levels"),
        rows=tuple(rows),
        texts=2,
        remarks=tuple(_outcome_remarks(track)),
    )


def by_configuration(track: Track) -> list[tuple[tuple[str, str], list[Judged]]]:
    """The attempts at each system and configuration, in the order of the systems."""
    groups: dict[tuple[str, str], list[Judged]] = {}
    for one in judge_attempts(track):
        groups.setdefault((one.attempt.system, one.attempt.configuration), []).append(one)
    order = {one.id: number for number, one in enumerate(track.systems)}
    return sorted(groups.items(), key=lambda item: order[item[0][0]])


def _counts(found: Sequence[Judged]) -> tuple[str, ...]:
    counts = Counter(one.outcome for one in found)
    return (str(len(found)), *(str(counts[outcome]) for outcome in OUTCOME_HEADS))


def _levels_reached(found: Sequence[Judged]) -> str:
    return ", ".join(level_text(one) for one in found)


def level_text(one: Judged) -> str:
    """A level of repeatability; + where it may be higher."""
    if one.repeatability is None:
        return "?"
    return f"{one.repeatability}{'+' * one.is_at_least}"


def _outcome_remarks(track: Track) -> Iterator[str]:
    judged = judge_attempts(track)
    if judged:
        yield from _tolerances(track)
        yield REPEATABILITY
    for one in judged:
        yield from contradictions(track, one)
        yield from edge_cases(one)
    yield from track.notes.get("outcomes", ())


REPEATABILITY: Final = (
    "levels of repeatability, one for each attempt: 1 acquired, and built or the author insists that it would "
    f"build; 2 built; 3 built within {BUILD_MINUTES} minutes; 4 results exact or slightly "
    "different; 0 none of these; + may be higher, ? not known"
)


def _tolerances(track: Track) -> Iterator[str]:
    each = ", ".join(f"{one.tolerance:f} of {one.name}" for one in track.measures.values())
    if each:
        worst = "; the worst measure decides" if len(track.measures) > 1 else ""
        yield f"slight: different by less than {each}; different: by that or more{worst}"


def published_outcomes(track: Track) -> Grid:
    """What a paper says of outcomes, where the attempts themselves are not in the file."""
    said = track.said.get("outcomes_text")
    texts = said if isinstance(said, list) else [said] if said else []
    return Grid(
        title="Outcomes, as published",
        columns=("what is said",),
        rows=tuple((as_text(one),) for one in texts),
        remarks=track.notes.get("outcomes", ()),
    )


def attempt_table(track: Track) -> Grid:
    """Every attempt with what became of it."""
    found = judge_attempts(track)
    measures = list(track.measures)
    return Grid(
        title="Attempts",
        columns=(
            *("system", "configuration", "analyst", "author", "stage", "outcome", "reason"),
            *(f"\N{GREEK CAPITAL LETTER DELTA} {name}" for name in measures),
            *("level", "human", "build", "run"),
        ),
        rows=tuple(_attempt_row(one, measures) for one in found),
        texts=7,
        remarks=(*_legend(measures), REPEATABILITY) if found else ("this file has no attempts",),
    )


def _legend(measures: Sequence[str]) -> Iterator[str]:
    yield "reason: why it went no further; author: whether the authors were asked"
    difference = "\N{GREEK CAPITAL LETTER DELTA}: difference from what was submitted; " * bool(
        measures
    )
    yield f"{difference}human, build, run: minutes"


def _attempt_row(judged: Judged, measures: Iterable[str]) -> tuple[str, ...]:
    one = judged.attempt
    sizes = {each.measure.name: f"{each.difference:f}" for each in judged.compared}
    spent = (one.human_minutes, one.build_minutes, one.run_minutes)
    return (
        one.system,
        one.configuration or UNDEFINED,
        one.analyst,
        UNDEFINED if one.author_contacted is None else ("not asked", "asked")[one.author_contacted],
        stage_of(one, judged.outcome) or UNDEFINED,
        in_words(judged.outcome),
        one.reason or UNDEFINED,
        *(sizes.get(name, UNDEFINED) for name in measures),
        level_text(judged),
        *(UNDEFINED if each is None else f"{each:f}" for each in spent),
    )


def comment_table(track: Track) -> Grid:
    """What analysts put down in their own words."""
    return Grid(
        title="What analysts wrote",
        columns=("system", "configuration", "analyst", "about", "text"),
        rows=tuple(
            (one.system, one.configuration or UNDEFINED, one.analyst, about, text)
            for one in track.attempts
            for about, text in _texts(track, one)
        ),
        texts=5,
    )


def _texts(track: Track, attempt: Attempt) -> Iterator[tuple[str, str]]:
    free = {one.id for one in track.questions if track.scale_of(one).kind is ScaleKind.text}
    for id, answer in attempt.answers.items():
        text = answer.text if id in free else ""
        yield from ((id, told) for told in (text, answer.comment) if told)
    if attempt.comments:
        yield UNDEFINED, attempt.comments
