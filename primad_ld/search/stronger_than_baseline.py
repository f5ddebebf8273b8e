"""Which runs are stronger than the best declared baseline, by a test and not by their means.

Among many runs some are above any baseline by chance, and a sweep of parameters is one idea of one
team. So the best run of each team is tested, and the p-values are corrected for their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.topic_scores import kept_topic_scores
from primad_ld.search.competing_runs import LEVEL, Declared, Known, Stronger

if TYPE_CHECKING:
    from primad_ld.trec.scorer import TopicScores

_TEST: Final = "a paired t-test on per-topic scores with Holm's correction"
_FEWEST_TOPICS: Final = 2
_MOST_REASONS: Final = 3
_NOT_KEPT: Final = "no per-topic scores"
_HOW_TO_KEEP: Final = "store them with: primad-ld score RUNS --qrels FILE --archive ARCHIVE"


def best_declared(declared: Sequence[Declared]) -> Declared | None:
    """The declared baseline with the highest score, of those that have a rank."""
    placed = [one for one in declared if one.rank is not None]
    return max(placed, key=lambda one: (one.score or 0, one.tag), default=None)


def stronger_teams(engine: Engine, best: Declared, known: Known) -> tuple[Stronger, ...]:
    """The best runs of the teams that are above a baseline, each tested against it."""
    from primad_ld.measures.corrections import adjust

    run, chosen = best.resolution.run, known.ranking.chosen
    above = known.above(best.score) if best.score is not None else []
    if run is None or chosen is None or not above:
        return ()
    sets = {chosen.scores[ranking][0]: ranking for ranking in (run.ranking, *above)}
    kept = {
        scores.name: scores for scores in kept_topic_scores(engine, sets, [chosen.measure]).values()
    }
    tested = [
        _tested(
            Stronger(
                record=known.runs[ranking].record,
                score=known.scores[ranking],
                runs=known.of_team(ranking),
            ),
            best.tag,
            chosen.measure,
            kept.get(run.ranking),
            kept.get(ranking),
        )
        for ranking in above
    ]
    corrected = adjust([one.p for one in tested], "holm-bonferroni")
    return tuple(replace(one, corrected=p) for one, p in zip(tested, corrected, strict=True))


def _tested(
    one: Stronger,
    name: str,
    measure: str,
    baseline: TopicScores | None,
    scores: TopicScores | None,
) -> Stronger:
    """The same with Student's test of the paired differences from a baseline, and their interval."""
    from primad_ld.measures.catalogue.significance import paired, paired_t_test
    from primad_ld.measures.distribution_tails import student_quantile
    from primad_ld.measures.measure_values import ScorePair, UndefinedError

    if baseline is None or scores is None:
        return replace(one, why=f"{_NOT_KEPT} of {name if baseline is None else one.record.name}")
    topics = tuple(topic for topic in baseline.topics if topic in scores.place)
    zeros = {*baseline.missing, *scores.missing}.intersection(topics)
    one = replace(one, topics=len(topics), zeros=len(zeros))
    if len(topics) < _FEWEST_TOPICS:
        return replace(one, why=f"{_number(len(topics), 'topic')} in common with {name}")
    pair = ScorePair(
        on=measure,
        reference=baseline.at(measure, topics),
        candidate=scores.at(measure, topics),
        topics=topics,
    )
    try:
        found, p = paired(pair), paired_t_test(pair).value
    except UndefinedError as undefined:
        return replace(one, why=str(undefined))
    reach = student_quantile(LEVEL / 2, found.df) * found.error
    return replace(one, difference=found.mean, low=found.mean - reach, high=found.mean + reach, p=p)


# In words ---------------------------------------------------------------------------------


def in_words(
    best: Declared, stronger: Sequence[Stronger], known: Known, until: int | None
) -> tuple[list[str], list[str]]:
    """A warning if runs are stronger by the test, and notes of what no test says."""
    if best.of == 1:
        when = f" up to {until}" if until is not None else ""
        return [], [f"the baseline {best.tag!r} cannot be judged: no other run{when} has a score"]
    if not stronger:
        return [], []
    higher = _higher(best, len(stronger), known, until)
    significant = [one for one in stronger if one.is_significant]
    untested = [one for one in stronger if one.p is None]
    tested = [one for one in stronger if one.p is not None]
    if not tested:
        reasons = _reasons(untested)
        what = "a difference" if len(stronger) == 1 else "differences"
        return [], [f"{higher}, {what} that could not be tested: {reasons}"]
    first = significant[0] if significant else min(tested, key=lambda one: one.corrected or 0)
    which = f"{first.record.name!r} of {_team(first)}{_of_several(first)} ({first.score:.4f})"
    beside = list(_untested(untested, len(stronger)))
    if not significant:
        none = "Its best run is not" if len(stronger) == 1 else "The best run of none of them is"
        note = f"{higher}. {none} significantly higher by {_TEST}"
        return [], [f"{note}. The smallest p-value is for {which}: {_by(first)}", *beside]
    warning = (
        f"stronger comparable runs existed: {higher}. {_best_of(len(significant), len(stronger))} "
        f"stronger by {_TEST} (p < {LEVEL}). The best is {which}: {_by(first)}"
    )
    return [warning], beside


def _best_of(significant: int, teams: int) -> str:
    """Of which teams the best run is stronger: no other runs were tested."""
    if teams == 1:
        return "Its best run is"
    if significant == teams:
        return "The best run of each is"
    if significant == 1:
        return "The best run of 1 of them is"
    return f"The best runs of {significant} of them are"


def _of_several(one: Stronger) -> str:
    return f", the best of its {one.runs} runs" if one.runs > 1 else ""


def _higher(best: Declared, teams: int, known: Known, until: int | None) -> str:
    assert best.score is not None
    assert known.ranking.chosen is not None
    runs = sum(score > best.score for score in known.scores.values())
    verb = "has" if teams == 1 else "have"
    when = f" up to {until}" if until is not None else ""
    return (
        f"{_number(teams, 'team')} ({runs} of {_number(best.of, 'run')}){when} "
        f"{verb} a higher mean {known.ranking.measure} by {known.ranking.chosen.kept.label} than "
        f"the best declared baseline {best.tag!r} ({best.score:.4f})"
    )


def _untested(untested: Sequence[Stronger], teams: int) -> Iterator[str]:
    if untested:
        yield (
            f"{len(untested)} of the {teams} teams with a higher mean could not be tested: "
            f"{_reasons(untested)}"
        )


def _reasons(untested: Sequence[Stronger]) -> str:
    """Why there is no test, each reason once, with the command that keeps what is lacking."""
    reasons = list(dict.fromkeys(one.why for one in untested))
    shown = ", ".join(reasons[:_MOST_REASONS])
    more = f" and {len(reasons) - _MOST_REASONS} more" if len(reasons) > _MOST_REASONS else ""
    is_lacking = any(why.startswith(_NOT_KEPT) for why in reasons)
    return f"{shown}{more}{f'; {_HOW_TO_KEEP}' if is_lacking else ''}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _team(one: Stronger) -> str:
    return ", ".join(one.record.teams) or "no team"


def _by(one: Stronger) -> str:
    assert one.difference is not None
    assert one.corrected is not None
    p = "p < 0.0001" if one.corrected < 0.0001 else f"p {one.corrected:.4f}"
    zeros = f", {one.zeros} of them scored 0 because a run has no documents" if one.zeros else ""
    return (
        f"higher by {one.difference:.4f} [{one.low:.4f}, {one.high:.4f}] (95 % t interval, "
        f"Holm-corrected {p}, {_number(one.topics, 'topic')}{zeros})"
    )
