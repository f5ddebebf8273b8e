"""Which comparable runs compete, by which scores they are ranked, and what is found of them.

Runs of one kind compete, and each ranking once. They are ranked by one measure, under judgements
and parameters that are equal (D10): scores by other judgements are scores of something else, and a
run that was judged by a sample would stand above or below the others for the sample's sake. The
records of what `find_baselines` finds stand here, as all that judges makes some of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.own_graphs import held_among
from primad_ld.archive.runs import RunRecord
from primad_ld.archive.scores import KeptSet, sets_in
from primad_ld.archive.tag_resolution import Resolution
from primad_ld.compare.folding import name
from primad_ld.compare.primad_types import PrimadType
from primad_ld.core.errors import ArchiveError, PrimadError
from primad_ld.core.iris import PRIMAD
from primad_ld.core.one_line import OneLine
from primad_ld.search import baseline_tables
from primad_ld.search.comparable_runs import (
    Criteria,
    FoundRun,
    collection_pattern,
    of_kind,
    runs_until,
)
from primad_ld.tables.answers import Answer, Table
from primad_ld.trec.score_terms import score_predicate

_KINDS: Final = {True: "automatic", False: "manual"}
_SAME: Final = "same ranking as "


def criteria_for(
    identities: Identities, criteria: Criteria, run: RunRecord, measure: str, *, own_team: bool
) -> Criteria:
    """What makes runs comparable with one, besides what is asked for."""
    data = criteria.data
    if not data and not criteria.collection:
        data = tuple(identities.data_comparable_with(run))
    if not data and not criteria.collection:
        raise ArchiveError(
            f"the header of {run.name} has no test collection, so no run is comparable; add "
            "data.test collection, or use --collection (collection)"
        )
    return replace(
        criteria,
        data=data,
        measures=criteria.measures or ((measure,) if measure else run.measures),
        without_teams=(*criteria.without_teams, *(() if own_team else run.teams)),
    )


def other_kind(
    engine: Engine, identities: Identities, run: RunRecord, found: Sequence[FoundRun]
) -> tuple[str, frozenset[str]]:
    """Manual where a run is automatic, or the other way round, and which runs say that they are.

    A run competes with those that do not say it.
    """
    kind = kind_of(identities, run)
    if not kind:
        return "", frozenset()
    is_automatic = kind == _KINDS[True]
    others = of_kind(engine, [one.brief for one in found], automatic=not is_automatic)
    return _KINDS[not is_automatic], frozenset(one.iri for one in others)


def kind_of(identities: Identities, run: RunRecord) -> str:
    """Manual or automatic; empty where a header does not say it."""
    method = identities.of(run).get("method")
    said = json.loads(method.text).get("automatic") if method is not None else None
    return _KINDS[said == "true"] if said in ("true", "false") else ""


@dataclass(frozen=True)
class Competition:
    """Comparable runs, with the reasons for which some of them take no rank."""

    found: Sequence[FoundRun]
    ranking: RankingScores
    #: The run in question, whose own ranking is not one of its rivals.
    run: RunRecord | None = None
    #: Manual or automatic, and the runs that are, where the run in question is not.
    kind: str = ""
    of_kind: Collection[str] = ()

    @cached_property
    def reasons(self) -> Mapping[str, str]:
        """By run, why it takes no rank; those that take one are left out."""
        reasons = {}
        for one in self.found:
            ranking = one.ranking
            why = self.kind if one.iri in self.of_kind else self.ranking.why_unscored(ranking)
            if not why and (name_of_first := self._first(one)):
                why = f"{_SAME}{name_of_first}"
            if why:
                reasons[one.iri] = why
        return reasons

    def _first(self, one: FoundRun) -> str:
        """The name of the run that stands for the ranking of another; empty if that does itself."""
        if self._is_own(one):
            return self.run.name if self.run is not None else ""
        first = self._firsts[one.ranking]
        return first.record.name if first is not one else ""

    def _is_own(self, one: FoundRun) -> bool:
        ranking = one.ranking
        return self.run is not None and bool(ranking) and ranking == self.run.ranking

    @cached_property
    def _firsts(self) -> Mapping[str, FoundRun]:
        """By ranking, the run that stands for all that have it: the earliest one."""
        firsts: dict[str, FoundRun] = {}
        for one in sorted(self.found, key=lambda one: (one.year is None, one.year or 0, one.order)):
            if one.iri not in self.of_kind and not self._is_own(one):
                firsts.setdefault(one.ranking or one.iri, one)
        return firsts

    def is_apart(self, one: FoundRun) -> bool:
        """Whether a run stands below the others, so that it is not taken for one of them."""
        return one.iri in self.of_kind or bool(self.ranking.otherwise(one.ranking))

    def known_until(self, year: int | None) -> Known:
        """The rankings of a year and those before it; all of them without a year."""
        known = runs_until(self._firsts.values(), year)
        return Known({one.ranking or one.iri: one for one in known}, self.ranking)

    def in_order(self, found: Iterable[FoundRun]) -> list[FoundRun]:
        """Some of the runs, best score first; without scores the latest year, the fullest header."""
        return sorted(found, key=self._place)

    def _place(self, one: FoundRun) -> tuple[object, ...]:
        score = self.ranking.of(one.ranking)
        return (self.is_apart(one), score is None, -(score or 0), one.order)

    def _users(self, scored: ScoredRankings) -> int:
        """How many of the runs have scores."""
        return sum(one.ranking in scored.scores for one in self.found)

    def notes(self) -> Iterator[str]:
        """What is left out of the ranks, counted."""
        chosen = self.ranking.chosen
        others = [(one, number) for one in self.ranking.others if (number := self._users(one))]
        if chosen is not None and others:
            listed = ", ".join(f"{one.kept.label}: {number}" for one, number in others)
            yield (
                f"runs are ranked by scores for {chosen.kept.label} "
                f"({_number(self._users(chosen))}); scores for other judgements or parameters "
                f"are not used ({listed})"
            )
            if others[0][1] == self._users(chosen):
                yield (
                    f"equally many runs have scores for {others[0][0].kept.label}; choose with "
                    "--judgements (judgements)"
                )
        if chosen is not None and chosen.kept.parameters.get("complete") is False:
            yield (
                "each score is a mean over the topics that the run has documents for, so topics "
                "may differ"
            )
        if self.of_kind and self.run is not None:
            (kind,) = set(_KINDS.values()) - {self.kind}
            yield (
                f"{self.run.name} is {kind}, so comparable runs that are {self.kind} are not "
                f"ranked: {len(self.of_kind)}; rank them too with --any-kind (any_kind=True)"
            )
        again = sum(why.startswith(_SAME) for why in self.reasons.values())
        if again:
            yield (
                "comparable runs with the same ranking as another one are not counted again: "
                f"{again}"
            )


@dataclass(frozen=True)
class Known:
    """What a baseline is judged by: different rankings, and the team of each."""

    #: By ranking; by run where that is not known.
    runs: Mapping[str, FoundRun]
    ranking: RankingScores

    @cached_property
    def scores(self) -> Mapping[str, Decimal]:
        """By ranking, the scores that count."""
        found = {ranking: self.ranking.of(ranking) for ranking in self.runs}
        return {ranking: score for ranking, score in found.items() if score is not None}

    @cached_property
    def _best(self) -> Mapping[Hashable, str]:
        """By team, the ranking of its best run."""
        best: dict[Hashable, str] = {}
        for ranking in sorted(
            self.scores, key=lambda one: (-self.scores[one], self.runs[one].order)
        ):
            best.setdefault(self._team_of(ranking), ranking)
        return best

    def _team_of(self, ranking: str) -> Hashable:
        one = self.runs[ranking]
        return _team(one.brief.said.get("teams", ()), one.iri)

    def standings(self, run: RunRecord, score: Decimal) -> tuple[Standing, TeamsAbove]:
        """Where a run stands among these runs, and how many teams have a better one."""
        runs = [*self.scores.values()]
        if run.ranking in self.scores:
            own = self._team_of(run.ranking)
        else:
            runs.append(score)
            own = _team(run.teams, run.iri)
        rank = 1 + sum(other > score for other in runs)
        teams = TeamsAbove(above=len(self.above(score)), of=len({*self._best, own}))
        return Standing(rank=rank, of=len(runs)), teams

    def of_team(self, ranking: str) -> int:
        """How many rankings the team of one has that have a score."""
        team = self._team_of(ranking)
        return sum(self._team_of(other) == team for other in self.scores)

    def above(self, score: Decimal) -> list[str]:
        """The rankings of the teams whose best run has a higher score, the best first."""
        return [ranking for ranking in self._best.values() if self.scores[ranking] > score]


def _number(runs: int) -> str:
    return f"{runs} comparable run{'s' * (runs != 1)}"


def _team(names: Iterable[str], iri: str) -> Hashable:
    """What runs of one team have in common: several names are one team, and no name is nobody's."""
    return frozenset(map(name, names)) or iri


# Records ----------------------------------------------------------------------------------

#: A run is stronger where the corrected p-value is below this.
LEVEL: Final = 0.05


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Candidate(OneLine):
    """A run that is comparable."""

    record: RunRecord
    #: Its type against the run in question, if there is one.
    by_key: PrimadType | None
    strict: PrimadType | None
    score: Decimal | None
    #: Why it has no rank beside the others; empty if it has one.
    why: str = ""
    #: Whether it stands below the others: of another kind, or scored by other judgements only.
    is_apart: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """A rank, from 1, and of how many; None where nothing is ranked."""

    rank: int | None = None
    of: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class TeamsAbove:
    """How many teams have a better run, of how many; None where nothing is ranked."""

    above: int | None = None
    of: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """A baseline that the header names, or the target of a reproduction, and where it stands."""

    tag: str
    resolution: Resolution
    #: Whether it is what a reproduction reproduces, and so not a baseline.
    is_target: bool = False
    score: Decimal | None = None
    #: Among different rankings that compete and have a score.
    runs: Standing = Standing()
    #: Its own team is one of them.
    teams: TeamsAbove = TeamsAbove()
    #: Why it has no rank; empty if it has one.
    why: str = ""

    @property
    def rank(self) -> int | None:
        """Its rank among runs."""
        return self.runs.rank

    @property
    def of(self) -> int:
        """Among how many runs."""
        return self.runs.of

    @property
    def percentile(self) -> float | None:
        """The share of the runs, in percent, that it is at least as good as."""
        if self.rank is None or not self.of:
            return None
        return 100 * (self.of - self.rank + 1) / self.of


@dataclass(frozen=True, kw_only=True, slots=True)
class Stronger:
    """The best run of a team that is above the best declared baseline, tested against it."""

    record: RunRecord
    score: Decimal
    #: Of how many runs of its team it is the best one.
    runs: int = 1
    #: How many topics both have scores of, and of how many of these one has no documents.
    topics: int = 0
    zeros: int = 0
    #: The mean difference by topic, and its interval of 95 %.
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    #: Of the paired two-sided t-test, and corrected for the number of teams.
    p: float | None = None
    corrected: float | None = None
    #: Why there is no test; empty if there is.
    why: str = ""

    @property
    def is_significant(self) -> bool:
        """Whether it is stronger by the test."""
        return self.corrected is not None and self.corrected < LEVEL and (self.difference or 0) > 0


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class BaselineReport(Answer):
    """Comparable runs, the best first, and a judgement of the declared ones."""

    run: RunRecord | None
    #: The measure of the scores, if any run has one.
    measure: str
    #: That of the run in question.
    score: Decimal | None
    #: The last year that counts where declared baselines are judged.
    until: int | None
    candidates: tuple[Candidate, ...]
    #: How many runs are comparable, of which ``candidates`` may be the first only.
    comparable: int
    declared: tuple[Declared, ...] = ()
    #: The teams whose best run is above the best declared baseline, the best first.
    stronger: tuple[Stronger, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[PrimadError, ...] = ()
    #: One of the sets of scores that runs are ranked by: which judgements, which parameters.
    judgements: KeptSet | None = None

    def table(self) -> Table:
        """A row for each comparable run."""
        return baseline_tables.candidates(self)

    def shown(self) -> list[Table]:
        """Ranked runs, those that are not ranked with them, and the declared baselines."""
        return [*baseline_tables.shown(self)]

    def verdict(self) -> str:
        """Whether the best declared baseline is a weak one."""
        return baseline_tables.verdict(self)

    def record(self) -> dict[str, object]:
        """The judgement of the declared baselines, then the runs."""
        return {**baseline_tables.record(self), **Answer.record(self)}


# Scores -----------------------------------------------------------------------------------

# The measure that most studies report comes first where there are several.
_PREFERRED: Final = ("map", "ndcg_cut_10", "ndcg", "recip_rank", "P_10")
_FEWEST_DIGITS: Final = 6
_MOST_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class ScoredRankings:
    """The scores of rankings by one measure, under judgements and parameters that are equal."""

    measure: str
    #: One of the sets of scores.
    kept: KeptSet
    #: By ranking: its set, and the score.
    scores: Mapping[str, tuple[str, Decimal]]

    def of(self, ranking: str) -> Decimal | None:
        """The score of a ranking."""
        found = self.scores.get(ranking)
        return found[1] if found is not None else None


@dataclass(frozen=True, slots=True)
class RankingScores:
    """The scores that runs are ranked by, and those that do not count beside them."""

    chosen: ScoredRankings | None = None
    #: By the same measure, under other judgements or parameters; the most used first.
    others: Sequence[ScoredRankings] = field(default=())

    @property
    def measure(self) -> str:
        """The measure; empty if there are no scores."""
        return self.chosen.measure if self.chosen is not None else ""

    def of(self, ranking: str) -> Decimal | None:
        """The score of a ranking, if it has one that counts."""
        return self.chosen.of(ranking) if self.chosen is not None else None

    def otherwise(self, ranking: str) -> str:
        """The judgements that a ranking has scores by, where it has none that count."""
        if self.of(ranking) is not None:
            return ""
        return ", ".join(one.kept.label for one in self.others if ranking in one.scores)

    def why_unscored(self, ranking: str) -> str:
        """Why a ranking has no score that counts; empty if it has one."""
        if self.of(ranking) is not None:
            return ""
        labels = self.otherwise(ranking)
        if labels:
            return f"scored by {labels} only"
        return f"no score of {self.measure}" if self.measure else "no scores"


def choose_scores(
    engine: Engine,
    measures: Sequence[str],
    wanted: Criteria,
    comparable: Sequence[str],
    judgements: str = "",
) -> RankingScores:
    """The scores that most comparable runs have, which are given by their rankings.

    Of measures and judgements that as many runs have, those of the measure that comes first.
    ``judgements`` names the ones that count: their file, or the first digits of their digest.
    """
    order = {name: number for number, name in enumerate(_PREFERRED)}
    names = sorted(measures or _PREFERRED, key=lambda name: (order.get(name, len(order)), name))
    found: list[ScoredRankings] = []
    used: dict[int, int] = {}
    for measure in names:
        for one in _scores(engine, measure, wanted):
            used[len(found)] = sum(ranking in one.scores for ranking in comparable)
            found.append(one)
        # No other scores could be those of more runs.
        if not judgements and any(used[place] == len(comparable) for place in used):
            break
    key = _named({one.kept.key: one.kept for one in found}, judgements) if judgements else ""
    places = sorted(
        used,
        key=lambda place: (
            -used[place],
            names.index(found[place].measure),
            -len(found[place].scores),
            -int(found[place].kept.topics or 0),
            found[place].kept.key,
        ),
    )
    chosen = next((found[place] for place in places if key in ("", found[place].kept.key)), None)
    if chosen is None:
        return RankingScores()
    others = [found[place] for place in places if found[place] is not chosen]
    return RankingScores(chosen, [one for one in others if one.measure == chosen.measure])


def scored_rankings(engine: Engine, measure: str) -> frozenset[str]:
    """The rankings that have a score by a measure."""
    return frozenset(
        engine.column(
            f"SELECT DISTINCT ?ranking WHERE {{ GRAPH ?set {{ ?set <{PRIMAD}ofRanking> ?ranking ; "
            f"<{score_predicate(measure)}> ?score }} }}"
        )
    )


def _named(kept: Mapping[str, KeptSet], text: str) -> str:
    """The key of the judgements that a text names as labels show them."""
    is_prefix = len(text) >= _FEWEST_DIGITS
    exact = [key for key, one in kept.items() if text in (one.label, one.short)]
    fitting = exact or [
        key
        for key, one in kept.items()
        if text == one.qrels or (is_prefix and one.judgements.startswith(text.lower()))
    ]
    if len(fitting) == 1:
        return fitting[0]
    named = f"judgements {text[:_MOST_SHOWN]!r}"
    labels = "; ".join(sorted(one.label for one in kept.values()))
    if not labels:
        raise ArchiveError(
            f"{named}: the comparable runs have no scores; add them with: primad-ld score RUNS "
            "--qrels FILE --archive ARCHIVE"
        )
    wrong = "several judgements have this name" if fitting else "no scores for these judgements"
    raise ArchiveError(
        f"{named}: {wrong}; use the file name, at least {_FEWEST_DIGITS} digits of the digest, "
        f"or a full label of: {labels}"
    )


def _scores(engine: Engine, measure: str, wanted: Criteria) -> Iterable[ScoredRankings]:
    """The scores of the runs on the test collection, by their judgements and parameters."""
    predicate = score_predicate(measure)
    # Few measures have scores, and this costs nothing.
    if not engine.column(
        f"SELECT ?set WHERE {{ GRAPH ?set {{ ?set <{predicate}> ?score }} }} LIMIT 1"
    ):
        return
    # Nanopublications say the same in graphs of their own, which are not sets.
    table = engine.select(
        f"SELECT ?set ?ranking ?score WHERE {{ "
        f"GRAPH ?run {{ {collection_pattern(wanted)} . ?run <{PRIMAD}ranking> ?ranking }} "
        f"GRAPH ?set {{ ?set <{PRIMAD}ofRanking> ?ranking ; <{predicate}> ?score }} }}"
    )
    # Sets whose names end alike were made alike.
    alike: dict[str, dict[str, tuple[str, Decimal]]] = {}
    for one, ranking, score in table.rows:
        assert one is not None
        assert ranking is not None
        assert score is not None
        value = _decimal(score.value)
        if value is not None:
            made = one.value.rpartition("-")[2]
            alike.setdefault(made, {})[ranking.value] = one.value, value
    firsts = [min(graph for graph, _ in some.values()) for some in alike.values()]
    found: dict[str, ScoredRankings] = {}
    for kept in sets_in(engine, firsts):
        # Of the scores of a ranking by several evaluators, one counts: of one's own, if there are any.
        scores = alike[kept.graph.rpartition("-")[2]]
        known = found.get(kept.key, ScoredRankings(measure, kept, {}))
        twice = [known.scores[ranking][0] for ranking in scores.keys() & known.scores.keys()]
        theirs = held_among(engine, twice)
        first = {ranking: one for ranking, one in known.scores.items() if one[0] not in theirs}
        found[kept.key] = ScoredRankings(measure, known.kept, scores | first)
    yield from found.values()


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
