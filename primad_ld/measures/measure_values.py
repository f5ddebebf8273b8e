"""What measures are computed from, and what they say: a number, or why there is none.

Runs are compared topic by topic, joined by the topics' identifiers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, isfinite
from typing import TypeVar

from primad_ld.core.errors import MeasureError
from primad_ld.trec.rankings import RankedRun
from primad_ld.trec.scorer import in_order

# Values -----------------------------------------------------------------------------------


class UndefinedError(MeasureError):
    """A measure has no value here; its text says why, for people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """The value of a measure, or None with the reason."""

    value: float | None
    reason: str | None = None
    #: What goes with the value: ``low`` and ``high`` of an interval, ``statistic``, ``overlap`` …
    details: Mapping[str, float | None] = field(default_factory=dict)
    #: How many topics it was made of.
    topics: int | None = None
    #: Values by topic, where the measure has them; None where it is undefined.
    by_topic: Mapping[str, float | None] | None = None
    #: Why single topics have no value, by topic.
    undefined: Mapping[str, str] = field(default_factory=dict)


def undefined(reason: str) -> Figure:
    """No value, and why."""
    return Figure(value=None, reason=reason)


def mean(values: list[float]) -> float:
    """The arithmetic mean, the same whatever the order of the values."""
    return fsum(values) / len(values)


def finite(value: float) -> float:
    """The value, if it is a number that can be told; a measure never says inf or NaN."""
    if not isfinite(value):
        raise UndefinedError("the result is too large or not a number")
    return value


# Runs side by side ------------------------------------------------------------------------

_Value = TypeVar("_Value")


@dataclass(frozen=True, kw_only=True)
class RankedPair:
    """The rankings of a run and of its reproduction."""

    #: Of both runs, in the order in which people count.
    topics: tuple[str, ...]
    #: The documents of each topic, best first.
    reference: Sequence[Sequence[str]]
    candidate: Sequence[Sequence[str]]
    #: Their scores.
    reference_scores: Sequence[Sequence[float]]
    candidate_scores: Sequence[Sequence[float]]


def ranked_pair(reference: RankedRun, candidate: RankedRun) -> RankedPair:
    """Two runs beside each other, for the topics of both."""
    topics = sorted(reference.documents.keys() & candidate.documents.keys(), key=in_order)
    return RankedPair(
        topics=tuple(topics),
        reference=_of(reference.documents, topics),
        candidate=_of(candidate.documents, topics),
        reference_scores=_of(reference.scores, topics),
        candidate_scores=_of(candidate.scores, topics),
    )


def _of(found: Mapping[str, Sequence[_Value]], topics: Sequence[str]) -> list[Sequence[_Value]]:
    return [found[topic] for topic in topics]


@dataclass(frozen=True, kw_only=True, slots=True)
class ScorePair:
    """The scores of a run and of its reproduction under one measure of effectiveness."""

    on: str
    #: By topic. Where ``is_paired``, both stand in the order of the same topics.
    reference: tuple[float, ...]
    candidate: tuple[float, ...]
    #: The topics of both; empty where they are not paired.
    topics: tuple[str, ...] = ()

    @property
    def is_paired(self) -> bool:
        """Whether the scores are of the same topics."""
        return bool(self.topics)


@dataclass(frozen=True, kw_only=True, slots=True)
class ManyScores:
    """The scores of many runs under one measure of effectiveness."""

    on: str
    topics: tuple[str, ...]
    #: By run; each in the order of the topics.
    runs: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Effects:
    """The scores of a baseline and an advanced run, and of those that reproduce them.

    A baseline and its advanced run have the same topics in the same order; where the reproductions
    have others, these are compared by themselves.
    """

    on: str
    baseline: tuple[float, ...]
    advanced: tuple[float, ...]
    reproduced_baseline: tuple[float, ...]
    reproduced_advanced: tuple[float, ...]
    #: Whether the reproductions have the topics of the originals.
    is_paired: bool = True
