"""What a measure says: a number, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import fsum, isfinite


class UndefinedError(Exception):
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
        raise UndefinedError("the result is too large or no number")
    return value
