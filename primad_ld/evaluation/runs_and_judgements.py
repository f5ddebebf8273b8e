"""Which judgements a run is scored by, where headers name several; and its ranking and scores.

What is used several times is read and computed once. Where headers name their qrels and files of
these names are given, each run is scored by its own. A run whose header speaks of other topics or
judgements than the reference's, and for which no file is given, is not scored: figures by the
wrong judgements would look like all others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import plain_suffix
from primad_ld.core.one_line import OneLine
from primad_ld.evaluation.evaluated_runs import Entrant
from primad_ld.tables.file_notes import FileNote
from primad_ld.trec.judgements import Judgements, read_judgements
from primad_ld.trec.rankings import RankedRun, read_rankings
from primad_ld.trec.score_tables import read_topic_scores
from primad_ld.trec.scorer import Scorer, TopicScores

if TYPE_CHECKING:
    from primad_ld.compare.identity import Identity

_Key = TypeVar("_Key", bound=Hashable)
_Made = TypeVar("_Made")

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


@dataclass(frozen=True, kw_only=True, slots=True)
class GivenScores:
    """Scores by topic that an archive has, and the digest of the judgements that made them."""

    scores: TopicScores
    judgements: str


class _Remembered(Generic[_Key, _Made]):
    """The last things that were made, by what they were made of."""

    def __init__(self, make: Callable[[_Key], _Made], most: int) -> None:
        self._make, self._most = make, most
        self._made: OrderedDict[_Key, _Made] = OrderedDict()

    def __call__(self, key: _Key) -> _Made:
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

    def ranking(self, judged: JudgedRun) -> RankedRun | None:
        """The ranking of a run; None for one of a score table."""
        return None if judged.run.is_table else self._ranking(judged.run.path)

    def scores(self, judged: JudgedRun) -> TopicScores | None:
        """The scores of a run; None where there are no judgements for it."""
        if (given := self._given(judged)) is not None:
            return given.scores
        if judged.run.is_table:
            return self._table(judged.run.path)[judged.run.column]
        if not judged.qrels:
            return None
        return self._scores((judged.run.path, judged.qrels, judged.run.name))

    def digest(self, judged: JudgedRun) -> str:
        """The digest of the judgements that a run is scored by; "" where nothing tells it."""
        if (given := self._given(judged)) is not None:
            return given.judgements
        return self.judgements(judged.qrels).digest if judged.qrels else ""

    def _given(self, judged: JudgedRun) -> GivenScores | None:
        return None if judged.run.path else self.given.get(judged.run.column)

    def repairs(self, judged: JudgedRun) -> Iterator[str]:
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


# Judgements -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class JudgedRun(OneLine):
    """A run and the judgements that it is scored by."""

    run: Entrant
    #: The file; empty for scores that are given, and where there are none for this run.
    qrels: str = ""
    #: Why there are none.
    why_not: str = ""

    @property
    def departure(self) -> str:
        """That these are not the judgements that its header names; empty if they are."""
        if not (self.qrels and self.run.qrels) or _name(self.run.qrels) == _name(self.qrels):
            return ""
        return f"runs whose headers name {self.run.qrels!r} are scored with {Path(self.qrels).name}"


def unscored(judged: Iterable[JudgedRun]) -> Iterator[FileNote]:
    """Which runs are not scored, and why."""
    for one in judged:
        if one.why_not:
            name = one.run.name
            together = f"not scored: {one.why_not.replace(name, 'the run')}"
            yield FileNote(f"{name} is not scored: {one.why_not}", name, together)


@dataclass(frozen=True, kw_only=True, slots=True)
class Judges:
    """The files of judgements that were given."""

    qrels: tuple[str, ...] = ()
    #: For reproductions, if they have others.
    reproduced: tuple[str, ...] = ()
    #: The data of runs whose headers name the one file in ``qrels``.
    named_by: tuple[Identity | None, ...] = ()

    def among(self, runs: Iterable[Entrant]) -> Judges:
        """The same for runs that are scored together.

        If headers name the one file that is given, those that name another one do mean another.
        """
        if len(self.qrels) != 1:
            return self
        mine = _name(self.qrels[0])
        data = {run.data for run in runs if run.qrels and _name(run.qrels) == mine}
        return replace(self, named_by=tuple(data))

    def of_all(self, runs: Sequence[Entrant]) -> list[JudgedRun]:
        """The judgements of runs, none of which is the reference."""
        judges = self.among(runs)
        return [judges.of(run) for run in runs]

    def of(self, run: Entrant, reference: Entrant | None = None) -> JudgedRun:
        """The judgements of a run; of a reproduction, if there is a reference."""
        if run.is_table:
            return JudgedRun(run=run)
        is_reproduced = reference is not None and bool(self.reproduced)
        given = self.reproduced if is_reproduced else self.qrels
        if not given:
            return JudgedRun(run=run, why_not="no judgements given (--qrels)")
        wanted = run.qrels
        named = _by_name(given).get(_name(wanted)) if wanted else None
        if named is not None:
            return JudgedRun(run=run, qrels=named)
        its = f"the header of {run.name}"
        if len(given) > 1:
            why = (
                f"{its} names the judgements {wanted!r}, which are not given"
                if wanted
                else f"{its} does not name its judgements, and several files are given"
            )
            return JudgedRun(run=run, why_not=why)
        if not is_reproduced and wanted and self._mean_others(run):
            why = f"{its} names other judgements ({wanted}); add their file (--qrels)"
            return JudgedRun(run=run, why_not=why)
        if not is_reproduced and reference is not None and _are_others(reference.data, run.data):
            how = (
                f"judgements than the reference's ({wanted}); add their file (--qrels)"
                if wanted
                else "judgements than the reference's; name their file (--rep-qrels)"
            )
            return JudgedRun(run=run, why_not=f"{its} names other topics or {how}")
        return JudgedRun(run=run, qrels=given[0])

    def unused(self, judged: Iterable[JudgedRun]) -> Iterator[str]:
        """A remark on each file by which none of some runs is scored, where another one is."""
        used = {run.qrels for run in judged}
        for path in dict.fromkeys((*self.qrels, *self.reproduced)):
            if path not in used and any(used):
                yield f"{path}: no run uses these judgements"

    def _mean_others(self, run: Entrant) -> bool:
        """Whether the given file is named by others, none of which is on the same data."""
        return bool(self.named_by) and not any(_is_one_id(one, run.data) for one in self.named_by)


def _are_others(one: Identity | None, other: Identity | None) -> bool:
    """Whether headers speak of other topics or judgements.

    An identifier of ir_datasets names the judgements, too, whatever their files are called.
    """
    if one is None or other is None:
        return False
    from primad_ld.compare.decisions import decide
    from primad_ld.compare.primad_types import ComponentState

    others = ["training data", *["test collection.qrels"] * _is_one_id(one, other)]
    return decide(one, other).state_of(without=others) is ComponentState.different


def _is_one_id(one: Identity | None, other: Identity | None) -> bool:
    """Whether headers give the same identifier of ir_datasets."""
    if one is None or other is None:
        return False
    from primad_ld.compare.decisions import decide

    return any(
        found.path.endswith("ir_datasets") and found.outcome.value == "same"
        for found in decide(one, other).verdicts
    )


def _by_name(files: Sequence[str]) -> Mapping[str, str]:
    return {_name(one): one for one in reversed(files)}


def _name(said: str) -> str:
    """What a file of judgements is called, without folders, compression or the rest of an address."""
    path = Path(PurePosixPath(said.partition("?")[0].rstrip("/")).name)
    return plain_suffix(path)[0].casefold()
