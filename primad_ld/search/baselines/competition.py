"""Which of the comparable runs compete: of one kind, under one set of judgements, each ranking once."""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.identities import Identities
from primad_ld.archive.runs import RunRecord
from primad_ld.compare.folding import name
from primad_ld.core.errors import ArchiveError
from primad_ld.search.baselines.candidates import Standing, TeamsAbove
from primad_ld.search.baselines.ranking import Ranking, Scored
from primad_ld.search.comparable import Criteria, Found, of_kind, runs_until

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
            f"the header of {run.name} names no test collection, so no run is comparable; "
            "fill in data.test collection, or use --collection"
        )
    return replace(
        criteria,
        data=data,
        measures=criteria.measures or ((measure,) if measure else run.measures),
        without_teams=(*criteria.without_teams, *(() if own_team else run.teams)),
    )


def other_kind(
    engine: Engine, identities: Identities, run: RunRecord, found: Sequence[Found]
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

    found: Sequence[Found]
    ranking: Ranking
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

    def _first(self, one: Found) -> str:
        """The name of the run that stands for the ranking of another; empty if that does itself."""
        if self._is_own(one):
            return self.run.name if self.run is not None else ""
        first = self._firsts[one.ranking]
        return first.record.name if first is not one else ""

    def _is_own(self, one: Found) -> bool:
        ranking = one.ranking
        return self.run is not None and bool(ranking) and ranking == self.run.ranking

    @cached_property
    def _firsts(self) -> Mapping[str, Found]:
        """By ranking, the run that stands for all that have it: the earliest one."""
        firsts: dict[str, Found] = {}
        for one in sorted(self.found, key=lambda one: (one.year is None, one.year or 0, one.order)):
            if one.iri not in self.of_kind and not self._is_own(one):
                firsts.setdefault(one.ranking or one.iri, one)
        return firsts

    def is_apart(self, one: Found) -> bool:
        """Whether a run stands below the others, so that it is not taken for one of them."""
        return one.iri in self.of_kind or bool(self.ranking.otherwise(one.ranking))

    def known_until(self, year: int | None) -> Known:
        """The rankings of a year and those before it; all of them without a year."""
        known = runs_until(self._firsts.values(), year)
        return Known({one.ranking or one.iri: one for one in known}, self.ranking)

    def in_order(self, found: Iterable[Found]) -> list[Found]:
        """Some of the runs, best score first; without scores the latest year, the fullest header."""
        return sorted(found, key=self._place)

    def _place(self, one: Found) -> tuple[object, ...]:
        score = self.ranking.of(one.ranking)
        return (self.is_apart(one), score is None, -(score or 0), one.order)

    def _users(self, scored: Scored) -> int:
        """How many of the runs have scores."""
        return sum(one.ranking in scored.scores for one in self.found)

    def notes(self) -> Iterator[str]:
        """What is left out of the ranks, counted."""
        chosen = self.ranking.chosen
        others = [(one, number) for one in self.ranking.others if (number := self._users(one))]
        if chosen is not None and others:
            listed = ", ".join(f"{one.kept.label}: {number}" for one, number in others)
            yield (
                f"runs are ranked by their scores by {chosen.kept.label} "
                f"({_number(self._users(chosen))}); scores by other judgements or parameters do not "
                f"count ({listed})"
            )
            if others[0][1] == self._users(chosen):
                yield (
                    f"as many have scores by {others[0][0].kept.label}: --judgements says which of "
                    "them count"
                )
        if chosen is not None and chosen.kept.parameters.get("complete") is False:
            yield (
                "scores are means over the topics that each run has documents for, which may not be "
                "the same ones"
            )
        if self.of_kind and self.run is not None:
            (kind,) = set(_KINDS.values()) - {self.kind}
            yield (
                f"{self.run.name} is {kind}, so comparable runs that are {self.kind} have no rank: "
                f"{len(self.of_kind)}; use --any-kind to rank them as well"
            )
        again = sum(why.startswith(_SAME) for why in self.reasons.values())
        if again:
            yield f"comparable runs with the ranking of another one do not count again: {again}"


@dataclass(frozen=True)
class Known:
    """What a baseline is judged by: different rankings, and the team of each."""

    #: By ranking; by run where that is not known.
    runs: Mapping[str, Found]
    ranking: Ranking

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
