"""The tables of a track for people: 1 to 5 of the paper of 2016, and those it could not print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.replication.aggregation import (
    INFERRED_2016,
    Aggregated,
    AggregationRule,
    aggregate,
    normalised,
    whole_percent,
)
from primad_ld.replication.attempt_reading import machine_text
from primad_ld.replication.outcomes import (
    BUILD_MINUTES,
    CellTime,
    JudgedAttempt,
    contradictions,
    edge_cases,
    in_words,
    judge_attempts,
    stage_of,
    times_of,
)
from primad_ld.replication.plausibility import over_budget
from primad_ld.replication.tracks import (
    AnswerScale,
    Attempt,
    AttemptOutcome,
    Polarity,
    Question,
    ScaleKind,
    Track,
    TrackMeasure,
)
from primad_ld.tables.markup import UNDEFINED, Grid

#: The tables that can be asked for by name.
NAMES: Final = ("1", "2", "3", "4", "5", "systems", "outcomes", "attempts", "comments")
#: Short, since a table of numbers cannot be folded where a terminal is narrow.
OUTCOME_HEADS: Final = {
    AttemptOutcome.exact: "exact",
    AttemptOutcome.slightly_different: "slight",
    AttemptOutcome.different: "different",
    AttemptOutcome.tool_error: "tool error",
    AttemptOutcome.no_result: "no result",
    None: "unknown",
}
_NOT_PUBLISHED: Final = "as it was printed; the sheets behind it are not published"
_REPEATABILITY: Final = (
    "levels of repeatability, one for each attempt: 1 acquired, and built or the author insists that it would "
    f"build; 2 built; 3 built within {BUILD_MINUTES} minutes; 4 results exact or slightly "
    "different; 0 none of these; + may be higher, ? not known"
)
_FEW: Final = 1000


def tables_of(
    track: Track, rule: AggregationRule = INFERRED_2016, only: Sequence[str] = ()
) -> list[Grid]:
    """The tables of a track with an overview of it, or some of them alone."""
    check_names(only)
    if only:
        return [_MAKERS[name](track, rule) for name in only]
    names = [name for name in NAMES if track.attempts or name in _names_without_attempts(track)]
    grids = [_overview(track), *(_MAKERS[name](track, rule) for name in names)]
    if not track.attempts:
        grids.append(_published_outcomes(track))
    # Nobody wrote or published anything: there is no table of it.
    return [one for one in grids if one.rows or one.remarks]


def check_names(only: Sequence[str]) -> None:
    """Refuse names of tables that there are not."""
    for name in only:
        if name not in NAMES:
            raise MeasureError(f"there is no table {name!r}; it is one of {', '.join(NAMES)}")


def _names_without_attempts(track: Track) -> Sequence[str]:
    """Tables that have something in them before anybody has tried a system."""
    return ("1", "2", "3", *(("4",) if track.times else ()), *(("5",) if track.scores else ()))


# Overview ---------------------------------------------------------------------------------


def _overview(track: Track) -> Grid:
    """What the track is about, and how much of it there is."""
    facts = {
        "task": track.task,
        "data": track.data,
        "minutes for each system": track.budget_minutes,
        "measures": ", ".join(f"{one.name} ({_tolerance(one)})" for one in track.measures.values()),
        "systems": len(track.systems),
        "analysts": len(track.analysts) or "",
        "attempts": len(track.attempts) or _why_no_attempts(track),
        **{_in_blanks(key): _as_text(value) for key, value in track.about.items() if value},
    }
    known = {name: str(value) for name, value in facts.items() if value not in (None, "")}
    return Grid(
        title=track.title or "Replication track",
        columns=("about the track", ""),
        rows=tuple(known.items()),
        texts=2,
        remarks=track.notes.get("track", ()),
    )


def _why_no_attempts(track: Track) -> str:
    if track.times or track.scores:
        return "none in this file: times and scores are published figures"
    return "none yet"


def _tolerance(measure: TrackMeasure) -> str:
    source = "" if measure.is_stated else ", as in 2016"
    return f"tolerance {measure.tolerance:f}{source}"


def _in_blanks(key: str) -> str:
    """A key of a file as people read it."""
    return key.replace("_", " ")


def _as_text(value: Any) -> str:
    """A property as a cell has it."""
    if value is None or value == "":
        return UNDEFINED
    if isinstance(value, Mapping):
        return "; ".join(f"{_in_blanks(key)}: {_as_text(one)}" for key, one in value.items())
    return ", ".join(map(_as_text, value)) if isinstance(value, list) else str(value)


# Table 1 ----------------------------------------------------------------------------------


def _sheet_table(track: Track) -> Grid:
    """Table 1: the questions with their scales, and the answers that speak for a system."""
    rows = [
        (one.phase, one.id, _scale_text(track.scale_of(one)), _good_answer(track, one), one.text)
        for one in track.questions
    ]
    return Grid(
        title="Table 1. Score sheet",
        columns=("part", "question", "answers", "good", "text"),
        rows=tuple(rows),
        texts=5,
        remarks=(*_levels(track), *_said_of_sheet(track), *track.notes.get("questions", ())),
    )


def _scale_text(scale: AnswerScale) -> str:
    """How a question is answered, in short."""
    if scale.kind is ScaleKind.text:
        return "free text"
    if scale.is_binary:
        return "/".join(level.label or f"{level.number:f}" for level in scale.levels)
    return f"{len(scale.levels)} levels ({scale.name})"


def _good_answer(track: Track, question: Question) -> str:
    """The best answer by the polarity of the question."""
    scale = track.scale_of(question)
    if scale.kind is ScaleKind.text:
        return UNDEFINED
    level = scale.level_of(_best_level(track, question))
    assert level is not None
    return level.label if scale.is_binary and level.label else f"{level.number:f}"


def _best_level(track: Track, question: Question) -> Decimal:
    """The level that speaks most for a system."""
    scale = track.scale_of(question)
    return scale.top if track.polarity_of(question) is Polarity.positive else scale.bottom


def _levels(track: Track) -> Iterator[str]:
    used = {one.scale for one in track.questions}
    for name, scale in track.scales.items():
        if name in used and len(scale.levels) > 2:
            levels = "; ".join(f"{one.number:f} {one.label}" for one in scale.levels)
            yield f"{name}: {levels}"


def _said_of_sheet(track: Track) -> Iterator[str]:
    """What the file says of scales and questions beyond the keys that are known."""
    for scale in track.scales.values():
        yield from _told(scale.name, scale.said)
    for question in track.questions:
        yield from _told(question.id, question.said)


def _told(name: str, said: Mapping[str, Any]) -> Iterator[str]:
    for key, value in said.items():
        texts = value if isinstance(value, list) else [value]
        for text in (one for one in texts if isinstance(one, str)):
            yield f"{name}, {_in_blanks(key)}: {text}"


# Table 2 ----------------------------------------------------------------------------------


def _system_table(track: Track) -> Grid:
    """Table 2: the systems with what is known of them, and what they had submitted."""
    keys = list(dict.fromkeys(key for one in track.systems for key in one.properties))
    named = any(one.configurations != ("",) for one in track.systems)
    measures = [name for name in track.measures if _is_submitted(track, name)]
    rows = []
    for one in track.systems:
        for configuration in one.configurations:
            scores = one.submitted.get(configuration, {})
            rows.append(
                (
                    one.id,
                    *(_as_text(one.properties.get(key)) for key in keys),
                    *((configuration or UNDEFINED,) if named else ()),
                    *(scores[name].text if name in scores else UNDEFINED for name in measures),
                )
            )
    texts = ("system", *map(_in_blanks, keys), *(("configuration",) if named else ()))
    return Grid(
        title="Table 2. Systems submitted",
        columns=(*texts, *(f"{name} submitted" for name in measures)),
        rows=tuple(rows),
        texts=len(texts),
        remarks=track.notes.get("systems", ()),
    )


def _is_submitted(track: Track, measure: str) -> bool:
    return any(measure in scores for one in track.systems for scores in one.submitted.values())


# Table 3 ----------------------------------------------------------------------------------


def _analyst_table(track: Track) -> Grid:
    """Table 3: the analysts with their roles and machines."""
    rows = []
    tried: dict[str, dict[str, None]] = {}
    for attempt in track.attempts:
        tried.setdefault(attempt.analyst, {})[machine_text(attempt.machine)] = None
    for one in track.analysts:
        role = track.roles[one.role].name if one.role else UNDEFINED
        machines = dict.fromkeys([machine_text(one.machine), *tried.get(one.id, ())])
        machine = "; or ".join(filter(None, machines)) or UNDEFINED
        rows.append((one.id, role, f"{machine} ({one.note})" if one.note else machine))
    return Grid(
        title="Table 3. Analysts and their machines",
        columns=("analyst", "role", "machine"),
        rows=tuple(rows),
        texts=3,
        remarks=track.notes.get("analysts", ()),
    )


# Table 4 ----------------------------------------------------------------------------------


def _time_table(track: Track) -> Grid:
    """Table 4: minutes by system and role."""
    found = times_of(track)
    rows = [_time_row(track, one) for one in found]
    remarks = []
    if any(one.n_human or one.n_run for one in found):
        remarks.append(
            "human time is averaged over the attempts of a role, run time over those of them "
            "that came to results; n is how many they are"
        )
    if any("published" in row for row in rows):
        remarks.append(f"published: {_NOT_PUBLISHED}")
    return Grid(
        title="Table 4. Minutes spent by system and role",
        columns=("system", "role", "human from", "run from", "human", "n human", "run", "n run"),
        rows=tuple(rows),
        texts=4,
        remarks=(*remarks, *_over_budget(track), *track.notes.get("times", ())),
    )


def _over_budget(track: Track) -> Iterator[str]:
    return filter(None, (over_budget(track, one) for one in track.attempts))


def _time_row(track: Track, one: CellTime) -> tuple[str, ...]:
    role = track.roles[one.role].name if one.role in track.roles else UNDEFINED
    told = one.published
    human = _time(one.human, one.n_human, told.human if told else None)
    run = _time(one.run, one.n_run, told.run if told else None)
    return (one.system, role, human[0], run[0], *human[1:], *run[1:])


def _time(computed: Fraction | None, n: int, published: Decimal | None) -> tuple[str, str, str]:
    """Where a time is from, the time, and of how many attempts it is the mean."""
    told = "" if published is None else _minutes(Fraction(published))
    if computed is not None:
        source = f"computed; published: {told}" if told else "computed"
        return source, _minutes(computed), str(n)
    return ("published", told, UNDEFINED) if told else (UNDEFINED, UNDEFINED, "0")


def _minutes(value: Fraction) -> str:
    """Minutes, with one digit behind the point where they are not whole."""
    tenths = (value * 10 + Fraction(1, 2)).__floor__()
    return f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"


# Table 5 ----------------------------------------------------------------------------------


def _score_table(track: Track, rule: AggregationRule) -> Grid:
    """Table 5: each question's answers in percent."""
    found = aggregate(track, rule)
    rows = [_score_row(track, one) for one in found]
    return Grid(
        title="Table 5. Aggregated scores",
        columns=("phase", "question", "asks", "from", "score", "best", "n", "groups"),
        rows=tuple(rows),
        texts=4,
        remarks=tuple(_score_remarks(track, rule, found)),
    )


def _score_row(track: Track, one: Aggregated) -> tuple[str, ...]:
    told, question = one.published, one.question
    marker = f"({told.marker})" if told and told.marker else ""
    score, source, counted = UNDEFINED, UNDEFINED, (UNDEFINED, UNDEFINED)
    if one.percent is not None:
        score, source = f"{one.percent}%", "computed"
        counted = str(one.n), f"{one.groups} of {one.groups_in_all}"
        if told:
            source += f"; published: {told.percent:f}%"
    elif told:
        score, source = f"{told.percent:f}%", "published"
    return (
        (told.phase if told else "") or question.phase,
        f"{question.id}{marker}",
        (told.label if told else "") or question.label,
        source,
        score,
        _best_share(track, question, one.rule),
        *counted,
    )


def _best_share(track: Track, question: Question, rule: AggregationRule) -> str:
    """The percentage that the best answers would give."""
    return f"{whole_percent(best_fraction(track, question, rule))}%"


def best_fraction(track: Track, question: Question, rule: AggregationRule) -> Fraction:
    """What the best answers would give, up to 1."""
    best = Fraction(_best_level(track, question))
    return normalised(best, track.scale_of(question), rule.normalise)


def _score_remarks(
    track: Track, rule: AggregationRule, found: Sequence[Aggregated]
) -> Iterator[str]:
    if any(one.share is not None for one in found):
        source = " (inferred for the track of 2016)" if rule == INFERRED_2016 else ""
        yield f"rule{source}: {rule.in_words}"
        yield "best is what the best answers would give; n is how many answers there are"
    only = [one.question.id for one in found if one.question.only_with_results and one.n]
    if only:
        yield f"{_joined(only)}: of analysts who obtained results"
    for one in found:
        yield from _about_score(one)
    if any(one.share is None and one.published for one in found):
        yield f"published: {_NOT_PUBLISHED}"
    yield from _inference(track)
    yield from track.notes.get("scores", ())


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _about_score(one: Aggregated) -> Iterator[str]:
    name = one.question.id
    if one.n_from_scores:
        yield f"{name}: {one.n_from_scores} of {one.n} levels come from outcomes, not from answers"
    if one.agrees is not False or one.published is None or one.share is None:
        return
    exact = f" ({one.share})" if one.share.denominator <= _FEW else ""
    text = (
        f"{name}: {one.percent}%{exact} by this rule, and {one.published.percent:f}% was published"
    )
    if one.explained_by:
        ways = " or by ".join(rule.options_beside(one.rule) for rule in one.explained_by)
        yield f"{text}, which these answers give by {ways}: which rule was used is not proven"
    else:
        yield f"{text}, which these answers give by no rule"


def _inference(track: Track) -> Iterator[str]:
    """What the file says of the rule behind published scores."""
    inference = track.said.get("inference")
    rule = inference.get("aggregation_rule") if isinstance(inference, Mapping) else None
    for key in ("statement", "status", "doubt"):
        value = rule.get(key) if isinstance(rule, Mapping) else None
        if isinstance(value, str):
            yield f"rule of the published scores, {key}: {value}"


# Systems ----------------------------------------------------------------------------------


def _by_system_table(track: Track, rule: AggregationRule) -> Grid:
    """The mean answers for each system, with how many there are."""
    found = aggregate(track, rule)
    names = [one.id for one in track.systems]
    rows = [
        (
            one.question.id,
            one.question.label,
            *(_system_cell(one, name) for name in names),
            _best_share(track, one.question, rule),
        )
        for one in found
    ]
    return Grid(
        title="Scores by system, with n",
        columns=("question", "asks", *names, "best"),
        rows=tuple(rows),
        texts=2,
        remarks=("the mean of a system's attempts; n is how many answers there are",),
    )


def _system_cell(one: Aggregated, name: str) -> str:
    share, n = one.by_system.get(name, (None, 0))
    return UNDEFINED if share is None else f"{whole_percent(share)}% ({n})"


# Outcomes ---------------------------------------------------------------------------------


def _outcome_table(track: Track) -> Grid:
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


def by_configuration(track: Track) -> list[tuple[tuple[str, str], list[JudgedAttempt]]]:
    """The attempts at each system and configuration, in the order of the systems."""
    groups: dict[tuple[str, str], list[JudgedAttempt]] = {}
    for one in judge_attempts(track):
        groups.setdefault((one.attempt.system, one.attempt.configuration), []).append(one)
    order = {one.id: number for number, one in enumerate(track.systems)}
    return sorted(groups.items(), key=lambda item: order[item[0][0]])


def _counts(found: Sequence[JudgedAttempt]) -> tuple[str, ...]:
    counts = Counter(one.outcome for one in found)
    return (str(len(found)), *(str(counts[outcome]) for outcome in OUTCOME_HEADS))


def _levels_reached(found: Sequence[JudgedAttempt]) -> str:
    return ", ".join(level_text(one) for one in found)


def level_text(one: JudgedAttempt) -> str:
    """A level of repeatability; + where it may be higher."""
    if one.repeatability is None:
        return "?"
    return f"{one.repeatability}{'+' * one.is_at_least}"


def _outcome_remarks(track: Track) -> Iterator[str]:
    judged = judge_attempts(track)
    if judged:
        yield from _tolerances(track)
        yield _REPEATABILITY
    for one in judged:
        yield from contradictions(track, one)
        yield from edge_cases(one)
    yield from track.notes.get("outcomes", ())


def _tolerances(track: Track) -> Iterator[str]:
    each = ", ".join(f"{one.tolerance:f} of {one.name}" for one in track.measures.values())
    if each:
        worst = "; the worst measure decides" if len(track.measures) > 1 else ""
        yield f"slight: different by less than {each}; different: by that or more{worst}"


def _published_outcomes(track: Track) -> Grid:
    """What a paper says of outcomes, where the attempts themselves are not in the file."""
    said = track.said.get("outcomes_text")
    texts = said if isinstance(said, list) else [said] if said else []
    return Grid(
        title="Outcomes, as published",
        columns=("what is said",),
        rows=tuple((_as_text(one),) for one in texts),
        remarks=track.notes.get("outcomes", ()),
    )


# Attempts ---------------------------------------------------------------------------------


def _attempt_table(track: Track) -> Grid:
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
        remarks=(*_legend(measures), _REPEATABILITY) if found else ("this file has no attempts",),
    )


def _legend(measures: Sequence[str]) -> Iterator[str]:
    yield "reason: why it went no further; author: whether the authors were asked"
    difference = "\N{GREEK CAPITAL LETTER DELTA}: difference from what was submitted; " * bool(
        measures
    )
    yield f"{difference}human, build, run: minutes"


def _attempt_row(judged: JudgedAttempt, measures: Iterable[str]) -> tuple[str, ...]:
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


def _comment_table(track: Track) -> Grid:
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


# By name -----------------------------------------------------------------------------------

_MAKERS: Final[dict[str, Callable[[Track, AggregationRule], Grid]]] = {
    "1": lambda track, _: _sheet_table(track),
    "2": lambda track, _: _system_table(track),
    "3": lambda track, _: _analyst_table(track),
    "4": lambda track, _: _time_table(track),
    "5": _score_table,
    "systems": _by_system_table,
    "outcomes": lambda track, _: _outcome_table(track),
    "attempts": lambda track, _: _attempt_table(track),
    "comments": lambda track, _: _comment_table(track),
}
