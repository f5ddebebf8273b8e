"""By which scores runs are ranked: one measure, under judgements and parameters that are equal (D10).

Scores by other judgements are scores of something else: a run that was judged by a sample would
stand above or below the others for the sample's sake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Final

from primad_ld.archive.engine import Engine
from primad_ld.archive.scores import KeptSet, sets_in
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD
from primad_ld.search.comparable import Criteria, collection_pattern
from primad_ld.trec.score_terms import score_predicate

# The measure that most studies report comes first where there are several.
_PREFERRED: Final = ("map", "ndcg_cut_10", "ndcg", "recip_rank", "P_10")
_FEWEST_DIGITS: Final = 6
_MOST_SHOWN: Final = 100


@dataclass(frozen=True, slots=True)
class Scored:
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
class Ranking:
    """The scores that runs are ranked by, and those that do not count beside them."""

    chosen: Scored | None = None
    #: By the same measure, under other judgements or parameters; the most used first.
    others: Sequence[Scored] = field(default=())

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
) -> Ranking:
    """The scores that most comparable runs have, which are given by their rankings.

    Of measures and judgements that as many runs have, those of the measure that comes first.
    ``judgements`` names the ones that count: their file, or the first digits of their digest.
    """
    order = {name: number for number, name in enumerate(_PREFERRED)}
    names = sorted(measures or _PREFERRED, key=lambda name: (order.get(name, len(order)), name))
    found: list[Scored] = []
    used: dict[int, int] = {}
    for name in names:
        for one in _scores(engine, name, wanted):
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
        return Ranking()
    others = [found[place] for place in places if found[place] is not chosen]
    return Ranking(chosen, [one for one in others if one.measure == chosen.measure])


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
            f"{named}: the comparable runs have no scores by any judgements; "
            "add some with: primad-ld score RUNS --qrels FILE --archive ARCHIVE"
        )
    wrong = "several judgements have this name" if fitting else "no scores by these judgements"
    raise ArchiveError(
        f"{named}: {wrong}; use the name of the file, {_FEWEST_DIGITS} digits of the digest or "
        f"more, or all of: {labels}"
    )


def _scores(engine: Engine, measure: str, wanted: Criteria) -> Iterable[Scored]:
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
    found: dict[str, Scored] = {}
    for kept in sets_in(engine, firsts):
        # Of the scores of a ranking by several evaluators, one counts.
        scores = alike[kept.graph.rpartition("-")[2]]
        known = found.get(kept.key, Scored(measure, kept, {}))
        found[kept.key] = Scored(measure, known.kept, scores | dict(known.scores))
    yield from found.values()


def _decimal(text: str) -> Decimal | None:
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None
