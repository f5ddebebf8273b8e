"""The tables of a track: 1 to 5 as the paper of 2016 has them, and those that it could not print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.replication.aggregation import (
    INFERRED_2016,
    Aggregated,
    Rule,
    aggregate,
    normalised,
    whole_percent,
)
from primad_ld.replication.outcometables import (
    attempt_table,
    comment_table,
    outcome_table,
    published_outcomes,
)
from primad_ld.replication.plausible import over_budget
from primad_ld.replication.setting import (
    analyst_table,
    best_level,
    overview,
    sheet_table,
    system_table,
)
from primad_ld.replication.timing import CellTime, times_of
from primad_ld.replication.tracks import Question, Track
from primad_ld.tables.grid import UNDEFINED, Grid

#: The tables that can be asked for by name.
NAMES: Final = ("1", "2", "3", "4", "5", "systems", "outcomes", "attempts", "comments")
NOT_PUBLISHED: Final = "as it was printed; the sheets behind it are not published"
_FEW: Final = 1000


def tables_of(track: Track, rule: Rule = INFERRED_2016, only: Sequence[str] = ()) -> list[Grid]:
    """The tables of a track with an overview of it, or some of them alone."""
    check_names(only)
    if only:
        return [_MAKERS[name](track, rule) for name in only]
    names = [name for name in NAMES if track.attempts or name in _without_attempts(track)]
    grids = [overview(track), *(_MAKERS[name](track, rule) for name in names)]
    if not track.attempts:
        grids.append(published_outcomes(track))
    # Nobody wrote or published anything: there is no table of it.
    return [one for one in grids if one.rows or one.remarks]


def check_names(only: Sequence[str]) -> None:
    """Refuse names of tables that there are not."""
    for name in only:
        if name not in NAMES:
            raise MeasureError(f"there is no table {name!r}; it is one of {', '.join(NAMES)}")


def _without_attempts(track: Track) -> Sequence[str]:
    """Tables that have something in them before anybody has tried a system."""
    return ("1", "2", "3", *(("4",) if track.times else ()), *(("5",) if track.scores else ()))


# Table 4 ----------------------------------------------------------------------------------


def time_table(track: Track) -> Grid:
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
        remarks.append(f"published: {NOT_PUBLISHED}")
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
    told = "" if published is None else minutes(Fraction(published))
    if computed is not None:
        source = f"computed; published: {told}" if told else "computed"
        return source, minutes(computed), str(n)
    return ("published", told, UNDEFINED) if told else (UNDEFINED, UNDEFINED, "0")


def minutes(value: Fraction) -> str:
    """Minutes, with one digit behind the point where they are not whole."""
    tenths = (value * 10 + Fraction(1, 2)).__floor__()
    return f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"


# Table 5 ----------------------------------------------------------------------------------


def score_table(track: Track, rule: Rule) -> Grid:
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
        best_share(track, question, one.rule),
        *counted,
    )


def best_share(track: Track, question: Question, rule: Rule) -> str:
    """The percentage that the best answers would give."""
    return f"{whole_percent(best_fraction(track, question, rule))}%"


def best_fraction(track: Track, question: Question, rule: Rule) -> Fraction:
    """What the best answers would give, up to 1."""
    best = Fraction(best_level(track, question))
    return normalised(best, track.scale_of(question), rule.normalise)


def _score_remarks(track: Track, rule: Rule, found: Sequence[Aggregated]) -> Iterator[str]:
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
        yield f"published: {NOT_PUBLISHED}"
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


def by_system_table(track: Track, rule: Rule) -> Grid:
    """The mean answers for each system, with how many there are."""
    found = aggregate(track, rule)
    names = [one.id for one in track.systems]
    rows = [
        (
            one.question.id,
            one.question.label,
            *(_system_cell(one, name) for name in names),
            best_share(track, one.question, rule),
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


_MAKERS: Final[dict[str, Callable[[Track, Rule], Grid]]] = {
    "1": lambda track, _: sheet_table(track),
    "2": lambda track, _: system_table(track),
    "3": lambda track, _: analyst_table(track),
    "4": lambda track, _: time_table(track),
    "5": score_table,
    "systems": by_system_table,
    "outcomes": lambda track, _: outcome_table(track),
    "attempts": lambda track, _: attempt_table(track),
    "comments": lambda track, _: comment_table(track),
}
