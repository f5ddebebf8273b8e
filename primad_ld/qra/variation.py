"""Where the variation comes from: the precision of measurements that share some conditions.

Section 4.1 of Belz, Popović and Mille (ACL 2022) looks at measurements of the same outputs by
other scripts, and of other outputs by the same script. This does so for every condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from primad_ld.core.errors import MeasureError
from primad_ld.qra.assessing import PrecisionAssessment, State, assess_set
from primad_ld.qra.measurements import Measurement, condition_key

#: Asks for every condition that differs, and every two of them.
EVERY = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldGroup:
    """Measurements that have the same values of the conditions that are held."""

    #: By condition.
    values: dict[str, str]
    assessment: PrecisionAssessment


@dataclass(frozen=True, kw_only=True, slots=True)
class Variation:
    """What variation is left while some conditions are held equal."""

    #: The conditions that are held, by key with their labels.
    held: dict[str, str]
    whole: PrecisionAssessment
    #: Groups of two measurements or more.
    groups: tuple[HeldGroup, ...]
    #: Measurements that no other one shares the conditions with.
    alone: int
    #: Measurements of which one of the conditions is not known: they are in no group.
    unknown: int

    @property
    def n(self) -> int:
        """How many measurements are in groups."""
        return sum(one.assessment.n for one in self.groups)

    @property
    def cv_star(self) -> float | None:
        """CV* within groups: the mean of theirs, each counted as often as it has measurements."""
        found = [(one.assessment.n, one.assessment.precision) for one in self.groups]
        known = [(n, one.cv_star) for n, one in found if one is not None]
        if not known:
            return None
        return fsum(n * value for n, value in known) / sum(n for n, _ in known)


def variations_of(
    assessment: PrecisionAssessment, held: Sequence[Sequence[str]]
) -> list[Variation]:
    """An assessment split by conditions: for each list of names, the groups that have them equal.

    ``EVERY`` as a name stands for each condition that differs, and for each two of them. Where a
    condition is the same throughout, there is one group, which is the whole.
    """
    wanted: dict[tuple[str, ...], None] = {}
    for names in held:
        if EVERY in names:
            wanted.update(dict.fromkeys(_every(assessment)))
        else:
            wanted[tuple(dict.fromkeys(condition_key(name) for name in names))] = None
    return [_variation(assessment, keys) for keys in wanted]


def _every(assessment: PrecisionAssessment) -> list[tuple[str, ...]]:
    keys = [one.key for one in assessment.conditions_that_are(State.different)]
    return [*((key,) for key in keys), *combinations(keys, 2)]


def check_conditions(known: Iterable[str], held: Sequence[Sequence[str]]) -> None:
    """Refuse to hold what no measurement has."""
    there = list(known)
    if not there and any(EVERY in names for names in held):
        raise MeasureError(f"{EVERY!r}: there is no condition to hold; the measurements name none")
    for name in (name for names in held for name in names if name != EVERY):
        if condition_key(name) not in there:
            named = ", ".join(there) or "no condition"
            raise MeasureError(
                f"there is no condition {name!r} to hold; the measurements name {named}"
            )


def _variation(assessment: PrecisionAssessment, keys: tuple[str, ...]) -> Variation:
    labels = {one.key: one.label for one in assessment.conditions}
    sets: dict[tuple[str, ...], list[Measurement]] = {}
    unknown = 0
    for one in assessment.measurements:
        if all(key in one.conditions for key in keys):
            sets.setdefault(tuple(one.conditions[key] for key in keys), []).append(one)
        else:
            unknown += 1
    return Variation(
        held={key: labels.get(key, key) for key in keys},
        whole=assessment,
        groups=tuple(
            HeldGroup(
                values=dict(zip(keys, values, strict=True)),
                assessment=assess_set(found, labels, variant=assessment.variant),
            )
            for values, found in sets.items()
            if len(found) > 1
        ),
        alone=sum(len(found) == 1 for found in sets.values()),
        unknown=unknown,
    )
