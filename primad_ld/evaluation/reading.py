"""Rankings and scores of runs, read and computed once where they are used several times."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from primad_ld.core.errors import HeaderError
from primad_ld.evaluation.qrels import Judged
from primad_ld.trec.judgements import Judgements, read_judgements
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.score_tables import read_topic_scores
from primad_ld.trec.scorer import Scorer, TopicScores

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")

# Rankings are large, a few MB each; a baseline and an advanced run with theirs make four.
_RANKINGS: Final = 6
_SCORES: Final = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """How runs are read and scored."""

    #: trec_eval's measures; all if empty.
    measures: tuple[str, ...] = ()
    #: The measure of score tables that do not say it.
    scores_of: str = ""
    relevance_level: int = 1
    is_complete: bool = True
    lenient: bool = False
    #: Whether scores are compared in single precision, as trec_eval does.
    in_single_precision: bool = False
    #: Whether rankings are needed for something else than scores.
    with_digest: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenScores:
    """Scores by topic that an archive has, and the digest of the judgements that made them."""

    scores: TopicScores
    judgements: str


class _Remembered(Generic[Key, Made]):
    """The last things that were made, by what they were made of."""

    def __init__(self, make: Callable[[Key], Made], most: int) -> None:
        self._make, self._most = make, most
        self._made: OrderedDict[Key, Made] = OrderedDict()

    def __call__(self, key: Key) -> Made:
        if key not in self._made:
            self._made[key] = self._make(key)
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]


class Loader:
    """Reads runs, judgements and score tables, and scores runs.

    ``given`` are the scores of runs that have no file, by their `Entrant.column`.
    """

    def __init__(self, reading: Reading, given: Mapping[str, GivenScores] | None = None) -> None:
        self.reading, self.given = reading, given or {}
        self._judgements = _Remembered(self._read_judgements, 64)
        self._scorer = _Remembered(self._make_scorer, 16)
        self._ranking = _Remembered(self._read_ranking, _RANKINGS)
        self._scores = _Remembered(self._compute_scores, _SCORES)
        self._table = _Remembered(self._read_table, 8)

    def judgements(self, path: str) -> Judgements:
        """The judgements of a file."""
        return self._judgements(path)

    def scorer(self, path: str) -> Scorer:
        """What scores runs by the judgements of a file."""
        return self._scorer(path)

    def ranking(self, judged: Judged) -> RankedRun | None:
        """The ranking of a run; None for one of a score table."""
        return None if judged.run.is_table else self._ranking(judged.run.path)

    def scores(self, judged: Judged) -> TopicScores | None:
        """The scores of a run; None where there are no judgements for it."""
        if (given := self._given(judged)) is not None:
            return given.scores
        if judged.run.is_table:
            return self._table(judged.run.path)[judged.run.column]
        if not judged.qrels:
            return None
        return self._scores((judged.run.path, judged.qrels, judged.run.name))

    def digest(self, judged: Judged) -> str:
        """The digest of the judgements that a run is scored by; "" where nothing tells it."""
        if (given := self._given(judged)) is not None:
            return given.judgements
        return self.judgements(judged.qrels).digest if judged.qrels else ""

    def _given(self, judged: Judged) -> GivenScores | None:
        return None if judged.run.path else self.given.get(judged.run.column)

    def repairs(self, judged: Judged) -> Iterator[str]:
        """What was changed of the files of a run, and how often, as reading leniently does."""
        if not judged.run.path:
            return
        if judged.run.is_table:
            read: list[tuple[str, Mapping[str, int]]] = [
                (judged.run.path, self._table(judged.run.path)[judged.run.column].repairs)
            ]
        else:
            read = [(judged.run.path, self._ranking(judged.run.path).repairs)]
            if judged.qrels:
                read.append((judged.qrels, self._judgements(judged.qrels).repairs))
        for path, repairs in read:
            for repair, count in repairs.items():
                yield f"{path}: {repair}: {count:,}"

    def _read_ranking(self, path: str) -> RankedRun:
        return read_rankings(
            path,
            lenient=self.reading.lenient,
            with_digest=self.reading.with_digest,
            in_single_precision=self.reading.in_single_precision,
        )

    def _read_judgements(self, path: str) -> Judgements:
        return read_judgements(path, lenient=self.reading.lenient)

    def _read_table(self, path: str) -> dict[str, TopicScores]:
        tables = read_topic_scores(
            path, measure=self.reading.scores_of, lenient=self.reading.lenient
        )
        return {one.name: one for one in tables}

    def _make_scorer(self, qrels: str) -> Scorer:
        return Scorer(
            self.judgements(qrels),
            self.reading.measures,
            relevance_level=self.reading.relevance_level,
            is_complete=self.reading.is_complete,
        )

    def _compute_scores(self, key: tuple[str, str, str]) -> TopicScores:
        path, qrels, name = key
        try:
            return self._scorer(qrels).score(self._ranking(path), name)
        except HeaderError as error:
            raise error.in_file(path) from error.__cause__
