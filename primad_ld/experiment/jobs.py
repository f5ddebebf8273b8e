"""What is to be evaluated: a pair, or a baseline and an advanced run with what reproduces them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from primad_ld.compare.types import PrimadType
from primad_ld.errors import MeasureError
from primad_ld.experiment.judging import Judged
from primad_ld.experiment.results import WITHOUT_TYPE
from primad_ld.measures.registry import Chosen, Data

if TYPE_CHECKING:
    from primad_ld.comparison import Comparison

_MOST_TYPES: Final = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A pair to evaluate, or two."""

    reference: Judged
    candidate: Judged
    reference_advanced: Judged | None = None
    candidate_advanced: Judged | None = None
    comparison: Comparison | None = None

    @property
    def type(self) -> PrimadType | None:
        """The type by key, of a study the one of its baselines; None where a run has no header."""
        return self.comparison.by_key if self.comparison is not None else None

    @property
    def has_effects(self) -> bool:
        """Whether there are a baseline and an advanced run on both sides."""
        return self.reference_advanced is not None and self.candidate_advanced is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """Which measures are asked for."""

    #: In the order in which they are answered.
    measures: tuple[Chosen, ...]
    #: Whether somebody named them, so that one that is not valid is told and not left out.
    are_named: bool = False
    #: Whether both sides have the same topics and judgements; None: found out.
    data: Data | None = None
    #: Whether a baseline and an advanced run are among the pairs.
    has_studies: bool = False
    #: Whether there are so many pairs that arrays pay, which take a while to import.
    has_many: bool = False
    #: Whether values by topic are wanted, too.
    by_topic: bool = False


def select_jobs(
    jobs: Sequence[Job], types: Sequence[PrimadType], problems: Sequence[object] = ()
) -> tuple[list[Job], tuple[str, ...]]:
    """The pairs of some types, all if none is named, and a note of those that are left out."""
    if not types or not jobs:
        return list(jobs), ()
    notes = left_out(Counter(job.type for job in jobs), types, problems)
    return [job for job in jobs if job.type in types], notes


def left_out(
    counts: Mapping[PrimadType | None, int],
    types: Sequence[PrimadType],
    problems: Sequence[object] = (),
) -> tuple[str, ...]:
    """A note of how many pairs are of other types than some; `MeasureError` if all are.

    The error tells the ``problems`` as well: what could not be read may have been of the type.
    """
    others = {type: count for type, count in counts.items() if type not in types}
    number, total = sum(others.values()), sum(counts.values())
    if not number:
        return ()
    named, said = " or ".join(map(str, types)), _counted(others)
    are = "is" if number == 1 else "are"
    if number == total:
        why = f"no pair is of type {named}; there {are} {said}"
        raise MeasureError("; ".join([why, *map(str, problems)]))
    return (f"{number:,} of {total:,} pairs {are} left out, not of type {named}: {said}",)


def _counted(counts: Mapping[PrimadType | None, int]) -> str:
    """``16 prIMAd, 4 PrIMAd``, fewest differences first; those without a type last."""
    known = sorted((type for type in counts if type is not None), key=lambda type: type.order)
    parts = [f"{counts[type]:,} {type}" for type in known[:_MOST_TYPES]]
    if len(known) > _MOST_TYPES:
        rest = sum(counts[type] for type in known[_MOST_TYPES:])
        parts.append(f"{rest:,} of {len(known) - _MOST_TYPES} more types")
    if None in counts:
        parts.append(f"{counts[None]:,} {WITHOUT_TYPE}, as a run has no header")
    return ", ".join(parts)
