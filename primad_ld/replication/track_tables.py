"""The tables of a track: 1 to 5 of the paper of 2016, and those it could not print.

Rows have values as they are: numbers with all digits, and nothing where nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
)
from primad_ld.tables.answers import Cell, Column, Row, Table

_OUTCOMES: Final = {
    AttemptOutcome.exact: "exact",
    AttemptOutcome.slightly_different: "slight",
    AttemptOutcome.different: "different",
    AttemptOutcome.tool_error: "tool_error",
    AttemptOutcome.no_result: "no_result",
    None: "unknown",
}
_NOT_PUBLISHED: Final = "as it was printed; the sheets behind it are not published"
_REPEATABILITY: Final = (
    "levels of repeatability, one for each attempt: 1 acquired, and built or the author insists that it would "
    f"build; 2 built; 3 built within {BUILD_MINUTES} minutes; 4 results exact or slightly "
    "different; 0 none of these; + may be higher, ? unknown"
)
_FEW: Final = 1000


def track_table(track: Track, name: str, rule: AggregationRule = INFERRED_2016) -> Table:
    """One of the tables, by its name on the command line."""
    if name not in _MAKERS:
        raise MeasureError(f"unknown table {name!r}; choose from {', '.join(NAMES)}")
    return _MAKERS[name](track, rule)


# Values -----------------------------------------------------------------------------------


def number_of(value: Decimal | Fraction | None) -> int | float | None:
    """A number as machines have it; 2 is not 2.0."""
    if value is None:
        return None
    return int(value) if value == int(value) else float(value)


def _minutes(value: Decimal | Fraction | None) -> Cell | None:
    """Minutes; people see one digit after the point where they are not whole."""
    if value is None:
        return None
    tenths = (Fraction(value) * 10 + Fraction(1, 2)).__floor__()
    text = f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"
    return Cell(number_of(value), text)


def _percent(share: Fraction | None) -> int | float | None:
    return None if share is None else number_of(share * 100)


def _role(track: Track, role: str) -> Cell | None:
    return Cell(role, track.roles[role].name) if role in track.roles else None


def with_spaces(key: str) -> str:
    """A key of a file as people read it."""
    return key.replace("_", " ")


def property_text(value: Any) -> str:
    """A property as people read it."""
    if isinstance(value, Mapping):
        return "; ".join(f"{with_spaces(key)}: {property_text(one)}" for key, one in value.items())
    return ", ".join(map(property_text, value)) if isinstance(value, list) else str(value or "")


# Table 1 ----------------------------------------------------------------------------------


def _questions(track: Track, _: AggregationRule) -> Table:
    """Table 1: the questions with their scales, and the answers that speak for a system."""
    return Table(
        name="questions",
        title="Table 1. Score sheet",
        columns=[
            Column(key="phase", title="part"),
            Column(key="id", title="question"),
            Column(key="answers", title="answers"),
            Column(key="good", title="good"),
            Column(key="text", title="text"),
        ],
        rows=[
            {
                "phase": one.phase or None,
                "id": one.id,
                "answers": _scale_text(track.scale_of(one)),
                "good": _good_answer(track, one),
                "text": one.text,
            }
            for one in track.questions
        ],
        notes=[*_levels(track), *_more_on_sheet(track), *track.notes.get("questions", ())],
    )


def _scale_text(scale: AnswerScale) -> str:
    """How a question is answered, in short."""
    if scale.kind is ScaleKind.text:
        return "free text"
    if scale.is_binary:
        return "/".join(level.label or f"{level.number:f}" for level in scale.levels)
    return f"{len(scale.levels)} levels ({scale.name})"


def _good_answer(track: Track, question: Question) -> str | None:
    """The best answer by the polarity of the question."""
    scale = track.scale_of(question)
    if scale.kind is ScaleKind.text:
        return None
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


def _more_on_sheet(track: Track) -> Iterator[str]:
    """What the file says of scales and questions beyond the keys that are known."""
    more = [(scale.name, scale.said) for scale in track.scales.values()]
    more += [(question.id, question.said) for question in track.questions]
    for name, said in more:
        for key, value in said.items():
            texts = value if isinstance(value, list) else [value]
            for text in (one for one in texts if isinstance(one, str)):
                yield f"{name}, {with_spaces(key)}: {text}"


# Tables 2 and 3 ---------------------------------------------------------------------------


def _systems(track: Track, _: AggregationRule) -> Table:
    """Table 2: the systems with what is known of them, and what they had submitted."""
    keys = dict.fromkeys(key for one in track.systems for key in one.properties)
    submitted = [scores for one in track.systems for scores in one.submitted.values()]
    measures = [name for name in track.measures if any(name in scores for scores in submitted)]
    rows: list[Row] = []
    for one in track.systems:
        properties = {
            f"properties.{key}": Cell(value, property_text(value))
            for key, value in one.properties.items()
            if value not in (None, "")
        }
        for configuration in one.configurations:
            scores = one.submitted.get(configuration, {})
            rows.append(
                {"system": one.id, "configuration": configuration or None, **properties}
                | {
                    f"submitted.{key}": Cell(score.value, score.text)
                    for key, score in scores.items()
                }
            )
    return Table(
        name="systems",
        title="Table 2. Systems submitted",
        columns=[
            Column(key="system", title="system"),
            *(Column(key=f"properties.{key}", title=with_spaces(key) or " ") for key in keys),
            Column(key="configuration", title="configuration"),
            *(Column(key=f"submitted.{name}", title=f"{name} submitted") for name in measures),
        ],
        rows=rows,
        notes=track.notes.get("systems", ()),
    )


def _analysts(track: Track, _: AggregationRule) -> Table:
    """Table 3: the analysts with their roles and machines."""
    tried: dict[str, list[str]] = {}
    for attempt in track.attempts:
        tried.setdefault(attempt.analyst, []).append(machine_text(attempt.machine))
    rows: list[Row] = []
    for one in track.analysts:
        machines = dict.fromkeys([machine_text(one.machine), *tried.get(one.id, ())])
        known = [machine for machine in machines if machine]
        rows.append(
            {
                "id": one.id,
                "role": _role(track, one.role),
                "machines": Cell(known, "; or ".join(known)) if known else None,
                "note": one.note or None,
            }
        )
    return Table(
        name="analysts",
        title="Table 3. Analysts and their machines",
        columns=[
            Column(key="id", title="analyst"),
            Column(key="role", title="role"),
            Column(key="machines", title="machine"),
            Column(key="note", title="note"),
        ],
        rows=rows,
        notes=track.notes.get("analysts", ()),
    )


# Table 4 ----------------------------------------------------------------------------------


def _times(track: Track, _: AggregationRule) -> Table:
    """Table 4: minutes by system and role."""
    times = times_of(track)
    notes = []
    if any(one.n_human or one.n_run for one in times):
        notes.append(
            "human time is averaged over the attempts of a role, run time over those of them "
            "that came to results; n is how many they are"
        )
    if any(one.published for one in times):
        notes.append(f"published: {_NOT_PUBLISHED}")
    notes += filter(None, (over_budget(track, one) for one in track.attempts))
    return Table(
        name="times",
        title="Table 4. Minutes spent by system and role",
        columns=[
            Column(key="system", title="system"),
            Column(key="role", title="role"),
            Column(key="human_minutes", title="human"),
            Column(key="n_human", title="n human"),
            Column(key="run_minutes", title="run"),
            Column(key="n_run", title="n run"),
            Column(key="published_human_minutes", title="published human"),
            Column(key="published_run_minutes", title="published run"),
        ],
        rows=[
            {
                "system": one.system,
                "role": _role(track, one.role),
                "human_minutes": _minutes(one.human),
                "n_human": one.n_human,
                "run_minutes": _minutes(one.run),
                "n_run": one.n_run,
                "published_human_minutes": _minutes(one.published.human if one.published else None),
                "published_run_minutes": _minutes(one.published.run if one.published else None),
            }
            for one in times
        ],
        notes=[*notes, *track.notes.get("times", ())],
    )


# Table 5 ----------------------------------------------------------------------------------


def _scores(track: Track, rule: AggregationRule) -> Table:
    """Table 5: each question's answers in percent."""
    scores = aggregate(track, rule)
    return Table(
        name="scores",
        title="Table 5. Aggregated scores",
        columns=[
            Column(key="phase", title="phase"),
            Column(key="question", title="question"),
            Column(key="label", title="asks"),
            Column(key="percent", title="score %", digits=0),
            Column(key="best_percent", title="best %", digits=0),
            Column(key="n", title="n"),
            Column(key="n_from_outcomes"),
            Column(key="groups", title="groups"),
            Column(key="groups_in_all", title="of"),
            Column(key="published_percent", title="published %"),
            Column(key="published_marker"),
        ],
        rows=[_score_row(track, one) for one in scores],
        notes=list(_score_notes(track, rule, scores)),
    )


def _score_row(track: Track, one: Aggregated) -> Row:
    published, question = one.published, one.question
    marker = f"({published.marker})" if published and published.marker else ""
    return {
        "phase": (published and published.phase) or question.phase or None,
        "question": Cell(question.id, f"{question.id}{marker}"),
        "label": (published and published.label) or question.label or None,
        "percent": _percent(one.share),
        "best_percent": _percent(_best_share(track, question, one.rule)),
        "n": one.n,
        "n_from_outcomes": one.n_from_scores,
        "groups": one.groups,
        "groups_in_all": one.groups_in_all,
        "published_percent": number_of(published.percent) if published else None,
        "published_marker": (published and published.marker) or None,
    }


def _best_share(track: Track, question: Question, rule: AggregationRule) -> Fraction:
    """What the best answers would give, up to 1."""
    best = Fraction(_best_level(track, question))
    return normalised(best, track.scale_of(question), rule.normalise)


def _score_notes(
    track: Track, rule: AggregationRule, scores: Sequence[Aggregated]
) -> Iterator[str]:
    if any(one.share is not None for one in scores):
        source = " (inferred for the track of 2016)" if rule == INFERRED_2016 else ""
        yield f"rule{source}: {rule.in_words}"
        yield "best is what the best answers would give; n is how many answers there are"
    only = [one.question.id for one in scores if one.question.only_with_results and one.n]
    if only:
        names = " and ".join([", ".join(only[:-1]), only[-1]] if len(only) > 1 else only)
        yield f"{names}: of analysts who obtained results"
    for one in scores:
        yield from _notes_on_score(one)
    if any(one.published for one in scores):
        yield f"published: {_NOT_PUBLISHED}"
    yield from _inference(track)
    yield from track.notes.get("scores", ())


def _notes_on_score(one: Aggregated) -> Iterator[str]:
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


def _system_scores(track: Track, rule: AggregationRule) -> Table:
    """The mean answers for each system, with how many there are."""
    return Table(
        name="system_scores",
        title="Scores by system in percent, with n",
        columns=[
            Column(key="question", title="question"),
            Column(key="label", title="asks"),
            Column(key="system", title="system"),
            Column(key="percent", title="score %"),
            Column(key="best_percent", title="best %", digits=0),
            Column(key="n"),
        ],
        rows=[
            {
                "question": one.question.id,
                "label": one.question.label or None,
                "system": system.id,
                "percent": None
                if share is None
                else Cell(_percent(share), f"{whole_percent(share)} ({n})"),
                "best_percent": _percent(_best_share(track, one.question, rule)),
                "n": n,
            }
            for one in aggregate(track, rule)
            for system in track.systems
            for share, n in (one.by_system.get(system.id, (None, 0)),)
        ],
        notes=["the mean of a system's attempts; n is how many answers there are"],
    )


# Attempts and outcomes --------------------------------------------------------------------


def _outcomes(track: Track, _: AggregationRule) -> Table:
    """How many attempts at each system came to which outcome."""
    judged = judge_attempts(track)
    groups: dict[tuple[str, str], list[JudgedAttempt]] = {}
    order = {one.id: number for number, one in enumerate(track.systems)}
    for one in sorted(judged, key=lambda one: order[one.attempt.system]):
        groups.setdefault((one.attempt.system, one.attempt.configuration), []).append(one)
    rows: list[Row] = []
    for (system, configuration), some in groups.items():
        counts = Counter(one.outcome for one in some)
        rows.append(
            {"system": system, "configuration": configuration or None, "n": len(some)}
            | {key: counts[outcome] for outcome, key in _OUTCOMES.items()}
            | {"levels": [_level(one).text for one in some]}
        )
    notes = [*_tolerances(track), _REPEATABILITY] if judged else []
    for one in judged:
        notes += [*contradictions(track, one), *edge_cases(one)]
    counted = ("system", "configuration", "n", *_OUTCOMES.values(), "levels")
    return Table(
        name="outcomes",
        title="Outcomes",
        columns=[Column(key=key, title=with_spaces(key)) for key in counted],
        rows=rows,
        notes=[*notes, *track.notes.get("outcomes", ())],
    )


def _level(one: JudgedAttempt) -> Cell:
    """A level of repeatability; people see + where it may be higher."""
    if one.repeatability is None:
        return Cell(None, "?")
    return Cell(one.repeatability, f"{one.repeatability}{'+' * one.is_at_least}")


def _tolerances(track: Track) -> Iterator[str]:
    each = ", ".join(f"{one.tolerance:f} of {one.name}" for one in track.measures.values())
    if each:
        worst = "; the worst measure decides" if len(track.measures) > 1 else ""
        yield f"slight: different by less than {each}; different: by that or more{worst}"


def _attempts(track: Track, _: AggregationRule) -> Table:
    """Every attempt with its outcome."""
    judged = judge_attempts(track)
    differences = "\N{GREEK CAPITAL LETTER DELTA}: difference from what was submitted; "
    notes = [
        f"{differences * bool(track.measures)}human, build, run: minutes; reason: why it went no "
        "further; author asked: whether the authors were asked",
        _REPEATABILITY,
    ]
    return Table(
        name="attempts",
        title="Attempts",
        columns=[
            Column(key="system", title="system"),
            Column(key="configuration", title="configuration"),
            Column(key="analyst", title="analyst"),
            Column(key="role", title="role", wide=True),
            Column(key="author_contacted", title="author asked"),
            Column(key="stage", title="stage"),
            Column(key="outcome", title="outcome"),
            Column(key="reason", title="reason"),
            *(
                Column(key=f"difference.{name}", title=f"\N{GREEK CAPITAL LETTER DELTA} {name}")
                for name in track.measures
            ),
            Column(key="repeatability", title="level"),
            Column(key="repeatability_is_at_least"),
            Column(key="human_minutes", title="human"),
            Column(key="build_minutes", title="build"),
            Column(key="run_minutes", title="run"),
        ],
        rows=[_attempt_row(track, one) for one in judged],
        notes=notes if judged else ["this file has no attempts"],
    )


def _attempt_row(track: Track, judged: JudgedAttempt) -> Row:
    one, outcome = judged.attempt, judged.outcome
    return {
        "system": one.system,
        "configuration": one.configuration or None,
        "analyst": one.analyst,
        "role": _role(track, judged.role),
        "author_contacted": one.author_contacted,
        "stage": stage_of(one, outcome),
        "outcome": Cell(outcome, in_words(outcome)),
        "reason": one.reason or None,
        **{f"difference.{each.measure.name}": each.difference for each in judged.compared},
        "repeatability": _level(judged),
        "repeatability_is_at_least": None if judged.repeatability is None else judged.is_at_least,
        "human_minutes": _minutes(one.human_minutes),
        "build_minutes": _minutes(one.build_minutes),
        "run_minutes": _minutes(one.run_minutes),
    }


def _comments(track: Track, _: AggregationRule) -> Table:
    """What analysts wrote in their own words."""
    return Table(
        name="comments",
        title="Comments of analysts",
        columns=[
            Column(key=key, title=key)
            for key in ("system", "configuration", "analyst", "about", "text")
        ],
        rows=[
            {
                "system": one.system,
                "configuration": one.configuration or None,
                "analyst": one.analyst,
                "about": about,
                "text": text,
            }
            for one in track.attempts
            for about, text in _texts(track, one)
        ],
    )


def _texts(track: Track, attempt: Attempt) -> Iterator[tuple[str | None, str]]:
    free = {one.id for one in track.questions if track.scale_of(one).kind is ScaleKind.text}
    for id, answer in attempt.answers.items():
        text = answer.text if id in free else ""
        yield from ((id, one) for one in (text, answer.comment) if one)
    if attempt.comments:
        yield None, attempt.comments


# By name ----------------------------------------------------------------------------------

_MAKERS: Final[dict[str, Callable[[Track, AggregationRule], Table]]] = {
    "1": _questions,
    "2": _systems,
    "3": _analysts,
    "4": _times,
    "5": _scores,
    "systems": _system_scores,
    "outcomes": _outcomes,
    "attempts": _attempts,
    "comments": _comments,
}
#: The tables that can be asked for by name.
NAMES: Final = tuple(_MAKERS)
