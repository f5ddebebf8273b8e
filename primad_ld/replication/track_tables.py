"""The tables of a track: 1 to 5 of the paper of 2016, and those it could not print.

Rows have values as they are: numbers with all digits, and nothing where nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple

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
    Analyst,
    AnswerScale,
    Attempt,
    AttemptOutcome,
    Polarity,
    Question,
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
#: Of which attempt a row is.
_WHOSE: Final = ("system", "configuration", "analyst")


#: A column, and what stands in it for each of the things that the table is about.
_Column = tuple[Column, Callable[[Any], object]]


def track_table(track: Track, name: str, rule: AggregationRule = INFERRED_2016) -> Table:
    """One of the tables, by its name on the command line."""
    if name not in _MAKERS:
        raise MeasureError(f"unknown table {name!r}; choose from {', '.join(NAMES)}")
    return _MAKERS[name](track, rule)


def _column(
    key: str, title: str, value: Callable[[Any], object] | str = "", **more: Any
) -> _Column:
    """A column of what a function makes, or else of an attribute, which may be called as the column."""
    if isinstance(value, str):
        value = attrgetter(value or key)
    return Column(key=key, title=title, **more), value


def _table(
    name: str, title: str, columns: Sequence[_Column], about: Iterable[object], notes: Iterable[str]
) -> Table:
    """A row for each of the things that a table is about; empty texts are nothing."""
    rows: list[Row] = []
    for one in about:
        values = {column.key: value(one) for column, value in columns}
        rows.append({key: None if value == "" else value for key, value in values.items()})
    heads = [column for column, _ in columns]
    return Table(name=name, title=title, columns=heads, rows=rows, notes=list(notes))


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


# Tables 1 to 3 ----------------------------------------------------------------------------


def _questions(track: Track, _: AggregationRule) -> Table:
    """Table 1: the questions with their scales, and the answers that speak for a system."""
    columns = [
        _column("phase", "part"),
        _column("id", "question"),
        _column("answers", "answers", lambda one: _scale_text(track.scale_of(one))),
        _column("good", "good", lambda one: _good_answer(track, one)),
        _column("text", "text"),
    ]
    notes = [*_levels(track), *_more_on_sheet(track), *track.notes.get("questions", ())]
    return _table("questions", "Table 1. Score sheet", columns, track.questions, notes)


def _scale_text(scale: AnswerScale) -> str:
    """How a question is answered, in short."""
    if not scale.levels:
        return "free text"
    if scale.is_binary:
        return "/".join(level.label or f"{level.number:f}" for level in scale.levels)
    return f"{len(scale.levels)} levels ({scale.name})"


def _good_answer(track: Track, question: Question) -> str | None:
    """The best answer by the polarity of the question."""
    scale = track.scale_of(question)
    if not scale.levels:
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
        for name in one.configurations:
            scores = {
                f"submitted.{measure}": Cell(score.value, score.text)
                for measure, score in one.submitted.get(name, {}).items()
            }
            rows.append({"system": one.id, "configuration": name or None, **properties, **scores})
    columns = [
        Column(key="system", title="system"),
        *(Column(key=f"properties.{key}", title=with_spaces(key) or " ") for key in keys),
        Column(key="configuration", title="configuration"),
        *(Column(key=f"submitted.{name}", title=f"{name} submitted") for name in measures),
    ]
    title, notes = "Table 2. Systems submitted", track.notes.get("systems", ())
    return Table(name="systems", title=title, columns=columns, rows=rows, notes=notes)


def _analysts(track: Track, _: AggregationRule) -> Table:
    """Table 3: the analysts with their roles and machines."""
    tried: dict[str, list[str]] = {}
    for attempt in track.attempts:
        tried.setdefault(attempt.analyst, []).append(machine_text(attempt.machine))

    def machines(one: Analyst) -> Cell | None:
        texts = dict.fromkeys([machine_text(one.machine), *tried.get(one.id, ())])
        known = [text for text in texts if text]
        return Cell(known, "; or ".join(known)) if known else None

    columns = [
        _column("id", "analyst"),
        _column("role", "role", lambda one: _role(track, one.role)),
        _column("machines", "machine", machines),
        _column("note", "note"),
    ]
    title, notes = "Table 3. Analysts and their machines", track.notes.get("analysts", ())
    return _table("analysts", title, columns, track.analysts, notes)


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

    def published(name: str) -> Callable[[CellTime], object]:
        return lambda one: _minutes(getattr(one.published, name, None))

    columns = [
        _column("system", "system"),
        _column("role", "role", lambda one: _role(track, one.role)),
        _column("human_minutes", "human", lambda one: _minutes(one.human)),
        _column("n_human", "n human"),
        _column("run_minutes", "run", lambda one: _minutes(one.run)),
        _column("n_run", "n run"),
        _column("published_human_minutes", "published human", published("human")),
        _column("published_run_minutes", "published run", published("run")),
    ]
    title = "Table 4. Minutes spent by system and role"
    return _table("times", title, columns, times, [*notes, *track.notes.get("times", ())])


# Table 5 ----------------------------------------------------------------------------------


def _scores(track: Track, rule: AggregationRule) -> Table:
    """Table 5: each question's answers in percent."""
    scores = aggregate(track, rule)

    def published(name: str) -> Callable[[Aggregated], Any]:
        return lambda one: getattr(one.published, name, None)

    columns = [
        _column("phase", "phase", lambda one: published("phase")(one) or one.question.phase),
        _column("question", "question", _with_marker),
        _column("label", "asks", lambda one: published("label")(one) or one.question.label),
        _column("percent", "score %", lambda one: _percent(one.share), digits=0),
        _column("best_percent", "best %", lambda one: _best_percent(track, one), digits=0),
        _column("n", "n"),
        _column("n_from_outcomes", "", "n_from_scores"),
        _column("groups", "groups"),
        _column("groups_in_all", "of"),
        _column(
            "published_percent", "published %", lambda one: number_of(published("percent")(one))
        ),
        _column("published_marker", "", published("marker")),
    ]
    notes = _score_notes(track, rule, scores)
    return _table("scores", "Table 5. Aggregated scores", columns, scores, notes)


def _with_marker(one: Aggregated) -> Cell:
    """A question as the paper marks it."""
    marker = one.published.marker if one.published else ""
    return Cell(one.question.id, f"{one.question.id}({marker})" if marker else one.question.id)


def _best_percent(track: Track, one: Aggregated) -> int | float | None:
    """What the best answers would give."""
    best = Fraction(_best_level(track, one.question))
    return _percent(normalised(best, track.scale_of(one.question), one.rule.normalise))


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
    cells = [
        (one, system.id, *one.by_system.get(system.id, (None, 0)))
        for one in aggregate(track, rule)
        for system in track.systems
    ]
    columns = [
        _column("question", "question", lambda cell: cell[0].question.id),
        _column("label", "asks", lambda cell: cell[0].question.label),
        _column("system", "system", lambda cell: cell[1]),
        _column("percent", "score %", lambda cell: _with_count(*cell[2:])),
        _column("best_percent", "best %", lambda cell: _best_percent(track, cell[0]), digits=0),
        _column("n", "", lambda cell: cell[3]),
    ]
    note = "the mean of a system's attempts; n is how many answers there are"
    title = "Scores by system in percent, with n"
    return _table("system_scores", title, columns, cells, [note])


def _with_count(share: Fraction | None, n: int) -> Cell | None:
    return None if share is None else Cell(_percent(share), f"{whole_percent(share)} ({n})")


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
    keys = ("system", "configuration", "n", *_OUTCOMES.values(), "levels")
    columns = [Column(key=key, title=with_spaces(key)) for key in keys]
    notes = [*_tolerances(track), _REPEATABILITY] if judged else []
    for one in judged:
        notes += [*contradictions(track, one), *edge_cases(one)]
    notes += track.notes.get("outcomes", ())
    return Table(name="outcomes", title="Outcomes", columns=columns, rows=rows, notes=notes)


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
    delta = "\N{GREEK CAPITAL LETTER DELTA}"
    columns = [
        *(_column(name, name, f"attempt.{name}") for name in _WHOSE),
        _column("role", "role", lambda one: _role(track, one.role), wide=True),
        _column("author_contacted", "author asked", "attempt.author_contacted"),
        _column("stage", "stage", lambda one: stage_of(one.attempt, one.outcome)),
        _column("outcome", "outcome", lambda one: Cell(one.outcome, in_words(one.outcome))),
        _column("reason", "reason", "attempt.reason"),
        *(
            _column(f"difference.{name}", f"{delta} {name}", partial(_difference, name))
            for name in track.measures
        ),
        _column("repeatability", "level", _level),
        _column(
            "repeatability_is_at_least",
            "",
            lambda one: None if one.repeatability is None else one.is_at_least,
        ),
        _column("human_minutes", "human", lambda one: _minutes(one.attempt.human_minutes)),
        _column("build_minutes", "build", lambda one: _minutes(one.attempt.build_minutes)),
        _column("run_minutes", "run", lambda one: _minutes(one.attempt.run_minutes)),
    ]
    differences = f"{delta}: difference from what was submitted; " if track.measures else ""
    notes = [
        f"{differences}human, build, run: minutes; reason: why it went no further; "
        "author asked: whether the authors were asked",
        _REPEATABILITY,
    ]
    if not judged:
        notes = ["this file has no attempts"]
    return _table("attempts", "Attempts", columns, judged, notes)


def _difference(measure: str, judged: JudgedAttempt) -> Decimal | None:
    sizes = {one.measure.name: one.difference for one in judged.compared}
    return sizes.get(measure)


def _comments(track: Track, _: AggregationRule) -> Table:
    """What analysts wrote in their own words."""
    columns = [
        *(_column(name, name, f"attempt.{name}") for name in _WHOSE),
        _column("about", "about"),
        _column("text", "text"),
    ]
    rows = [text for one in track.attempts for text in _texts(track, one)]
    return _table("comments", "Comments of analysts", columns, rows, ())


class _Text(NamedTuple):
    """A text of an analyst, about a question or about the whole attempt."""

    attempt: Attempt
    about: str | None
    text: str


def _texts(track: Track, attempt: Attempt) -> Iterator[_Text]:
    free = {one.id for one in track.questions if not track.scale_of(one).levels}
    for id, answer in attempt.answers.items():
        texts = [answer.text if id in free else "", answer.comment]
        yield from (_Text(attempt, id, text) for text in texts if text)
    if attempt.comments:
        yield _Text(attempt, None, attempt.comments)


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
