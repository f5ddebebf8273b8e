"""Assessments of precision: how reproducible the values of each object and measurand are.

`assess` makes one for each object and measurand under the conditions that hold, and `variations_of`
splits it by conditions that are held equal. Section 4.1 of Belz, Popović and Mille (ACL 2022) does
so with measurements of the same outputs by other scripts, and of other outputs by the same script;
here every condition can be held.
"""

from __future__ import annotations

import contextlib
import enum
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, count
from math import fsum
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.one_line import OneLine
from primad_ld.measures.measure_values import UndefinedError, mean
from primad_ld.qra.measurements import (
    Measurement,
    MeasurementTable,
    Scale,
    condition_key,
    condition_label,
    with_conditions,
)
from primad_ld.qra.precision import Precision, Variant, precision_of

# A fraction beside a percentage is this many times smaller than it, or more.
_APART: Final = 20
_TO_ONE: Final = 1.0
# Ratings lie between these where nobody says where their scale begins.
_RATINGS: Final = (1.0, 10.0)
_MOST_NAMES: Final = 3
#: Asks for every condition that differs, and every two of them.
EVERY = "all"


class Sameness(enum.StrEnum):
    """What is known of a condition over several measurements."""

    same = "same"
    different = "different"
    #: Of some or all measurements nobody knows it, and those that are known are the same.
    unknown = "unknown"


class PrecisionKind(enum.StrEnum):
    """What the precision is of, in the words of the VIM (2.21 and 2.25)."""

    repeatability = "repeatability"
    reproducibility = "reproducibility"


@dataclass(frozen=True, kw_only=True, slots=True)
class ConditionState:
    """A condition of the measurements of one assessment."""

    key: str
    label: str
    #: How many measurements have each value, in their order.
    values: Mapping[str, int]
    #: Of how many measurements it is not known.
    unknown: int = 0

    @property
    def state(self) -> Sameness:
        """What is unknown is never taken for the same."""
        if len(self.values) > 1:
            return Sameness.different
        return Sameness.unknown if self.unknown or not self.values else Sameness.same


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class PrecisionAssessment(OneLine):
    """How reproducible the values of a measurand of an object are."""

    object: str
    measurand: str
    group: str = ""
    #: None where there is none, and why.
    precision: Precision | None
    reason: str = ""
    variant: Variant
    #: CV* on the reversed scale, where the scale has an end: it is another number.
    reversed_cv_star: float | None = None
    scale: Scale
    conditions: tuple[ConditionState, ...]
    measurements: tuple[Measurement, ...]

    @property
    def n(self) -> int:
        """How many measurements there are."""
        return len(self.measurements)

    @property
    def mean(self) -> float | None:
        """The mean of the values as they were measured; that of the precision is of shifted ones."""
        if self.precision is None:
            return None
        return mean([one.value for one in self.measurements])

    @property
    def kind(self) -> PrecisionKind:
        """Repeatability where all conditions are known and equal, and there are some."""
        states = {one.state for one in self.conditions}
        return (
            PrecisionKind.repeatability
            if states == {Sameness.same}
            else PrecisionKind.reproducibility
        )

    def conditions_that_are(self, state: Sameness) -> tuple[ConditionState, ...]:
        """The conditions that are the same, different or unknown."""
        return tuple(one for one in self.conditions if one.state == state)


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


# Assessments ------------------------------------------------------------------------------


def assess(
    table: MeasurementTable, *, variant: Variant = Variant.published
) -> list[PrecisionAssessment]:
    """An assessment for each object and measurand, in the order in which they come.

    Mixed scales and values outside of their scale are `HeaderError`: their CV* would be a number
    that says nothing. Fewer than two measurements have no precision, and a reason instead.
    """
    sets: dict[tuple[str, str, str], list[Measurement]] = {}
    for one in table.measurements:
        sets.setdefault((one.group, one.object, one.measurand), []).append(one)
    return [assess_set(found, table.conditions, variant=variant) for found in sets.values()]


def assess_set(
    measurements: Sequence[Measurement],
    labels: Mapping[str, str],
    *,
    variant: Variant = Variant.published,
) -> PrecisionAssessment:
    """The assessment of measurements of one object and measurand, by conditions with their labels."""
    first = measurements[0]
    scale = _scale_of(measurements)
    values = [one.value for one in measurements]
    precision = reversed_cv_star = None
    reason = ""
    try:
        precision = precision_of(values, minimum=scale.minimum, variant=variant)
    except UndefinedError as error:
        reason = str(error)
    if precision is not None and scale.maximum is not None:
        backwards = [scale.maximum - value for value in values]
        with contextlib.suppress(UndefinedError):
            reversed_cv_star = precision_of(backwards, variant=variant).cv_star
    return PrecisionAssessment(
        object=first.object,
        measurand=first.measurand,
        group=first.group,
        precision=precision,
        reason=reason,
        variant=variant,
        reversed_cv_star=reversed_cv_star,
        scale=scale,
        conditions=tuple(_state(key, label, measurements) for key, label in labels.items()),
        measurements=tuple(measurements),
    )


def _state(key: str, label: str, measurements: Sequence[Measurement]) -> ConditionState:
    values = Counter(one.conditions[key] for one in measurements if key in one.conditions)
    return ConditionState(
        key=key,
        label=label or condition_label(key),
        values=dict(values),
        unknown=len(measurements) - values.total(),
    )


# Scales -----------------------------------------------------------------------------------


def _scale_of(measurements: Sequence[Measurement]) -> Scale:
    """The one scale of some measurements, on which all of them are."""
    first = measurements[0]
    for one in measurements:
        if one.scale.ends != first.scale.ends:
            ours, theirs = (
                f"{scale.name}, {scale.span}" if scale.name else scale.span
                for scale in (one.scale, first.scale)
            )
            raise one.error(
                f"it is on the scale {ours}, {first.name} on {theirs}",
                "put the values of an object and measurand on one scale; CV* of mixed scales says "
                "nothing",
            )
        _check_value(one)
    _check_units(measurements)
    return first.scale


def _check_value(one: Measurement) -> None:
    scale = one.scale
    if one.value < scale.minimum:
        hint = "correct the value, or where the scale begins"
        if not scale.is_stated:
            hint = "say where the scale begins: --scale-min, or min of a scale in YAML"
        raise one.error(
            f"{one.value:g} is below the scale, which begins at {scale.minimum:g}", hint
        )
    if scale.maximum is not None and one.value > scale.maximum:
        raise one.error(
            f"{one.value:g} is above the scale, which ends at {scale.maximum:g}",
            "correct the value, or where the scale ends",
        )


def _check_units(measurements: Sequence[Measurement]) -> None:
    """Refuse percentages beside fractions, where no scale says what the values are."""
    if measurements[0].scale.maximum is not None:
        return
    signs = {one.is_percent for one in measurements}
    if len(signs) > 1:
        odd = next(one for one in measurements if one.is_percent is not measurements[0].is_percent)
        raise odd.error(
            f"{odd.text} has a percent sign and others have none"
            if odd.is_percent
            else f"{odd.text or odd.value} has no percent sign and others have one",
            "write all values of an object and measurand in one unit",
        )
    values = [one.value for one in measurements]
    small = [one for one in measurements if 0 < one.value <= _TO_ONE]
    if small and max(values) > _TO_ONE:
        least = min(small, key=lambda one: one.value)
        if max(values) >= _APART * least.value:
            raise least.error(
                f"{least.value:g} beside {max(values):g} looks like a fraction beside a percentage",
                "write both in one unit; if they are, give the end of the scale: --scale-max, or max "
                "of a scale in YAML",
            )


# Holding conditions -----------------------------------------------------------------------


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
            keys = [one.key for one in assessment.conditions_that_are(Sameness.different)]
            wanted |= dict.fromkeys([*((key,) for key in keys), *combinations(keys, 2)])
        else:
            wanted[tuple(dict.fromkeys(condition_key(name) for name in names))] = None
    return [_variation(assessment, keys) for keys in wanted]


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
    known = [one for one in assessment.measurements if one.conditions.keys() >= {*keys}]
    sets: dict[tuple[str, ...], list[Measurement]] = {}
    for one in known:
        sets.setdefault(tuple(one.conditions[key] for key in keys), []).append(one)
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
        unknown=assessment.n - len(known),
    )


# Remarks ----------------------------------------------------------------------------------


def remarks_on(assessments: Iterable[PrecisionAssessment]) -> Iterator[str]:
    """What readers should know before they rely on these figures; each remark once."""
    some = list(assessments)
    low, high = _RATINGS
    ratings = [
        one
        for one in some
        if all(low <= each.value <= high for each in one.measurements)
        and not one.scale.is_stated
        and one.precision
        and one.precision.cv_star
    ]
    if ratings:
        yield (
            f"{_listed(ratings)}: the scale is taken to begin at 0; for ratings from 1 on, use "
            "--scale-min 1, since CV* depends on it"
        )
    repeated = [
        one
        for one in some
        if one.kind is PrecisionKind.repeatability
        and len({each.study for each in one.measurements if each.study}) > 1
    ]
    if repeated:
        yield (
            f"{_listed(repeated)}: measured by several studies, and all conditions given are equal; "
            "add what differed between them"
        )
    if any(one.precision and one.precision.low < 0 for one in some):
        yield (
            "with fewer than five values, an interval of the standard deviation always begins "
            "below 0"
        )
    if any(not one.conditions for one in some):
        yield (
            "no conditions of measurement given, so it is unknown what differed; name their columns "
            "(--conditions CONDITION=COLUMN) or, where each study is a column, add rows that begin "
            "with 'condition NAME'"
        )


def _listed(assessments: Sequence[PrecisionAssessment]) -> str:
    names = [f"{one.object}, {one.measurand}" for one in assessments[:_MOST_NAMES]]
    more = len(assessments) - len(names)
    return "; ".join([*names, *([f"{more} more"] if more else [])])


# Choosing ---------------------------------------------------------------------------------


def select(table: MeasurementTable, where: Mapping[str, str]) -> MeasurementTable:
    """The measurements whose fields have some values: a condition, or whatever a file says of them.

    A name that no measurement has is a `MeasureError`, and so is a choice of nothing.
    """
    kept = list(table.measurements)
    for name, wanted in where.items():
        found = [(one, _field(one, name)) for one in kept]
        if all(value is None for _, value in found):
            known = ", ".join(table.conditions) or "none"
            raise MeasureError(
                f"no measurement has {name!r}; choose by a condition ({known}), object, measurand, "
                "study, group, id, or another key of the measurements"
            )
        chosen = [one for one, value in found if value == wanted]
        if not chosen:
            there = ", ".join(dict.fromkeys(repr(value) for _, value in found if value is not None))
            raise MeasureError(f"no measurement has {name}={wanted}; there is {there}")
        kept = chosen
    return replace(table, measurements=tuple(kept))


def _field(one: Measurement, name: str) -> str | None:
    key = condition_key(name)
    if key in one.conditions:
        return one.conditions[key]
    if name in ("object", "measurand", "study", "group", "id"):
        return str(getattr(one, name))
    said: object = one.said
    for part in name.split("."):
        said = said.get(part) if isinstance(said, Mapping) else None
    return said if isinstance(said, str) else None


# Joining ----------------------------------------------------------------------------------


def with_studies(table: MeasurementTable) -> MeasurementTable:
    """The same measurements in studies: where none is named, by who performed them.

    That is what the paper's tables tell studies by.
    """
    by = "performed_by"
    if any(one.study or by not in one.conditions for one in table.measurements):
        return table
    told = tuple(replace(one, study=one.conditions[by]) for one in table.measurements)
    note = "studies are told apart by who performed the measurements, as no study is named"
    return replace(table, measurements=told, notes=(*table.notes, note))


def joined(tables: Sequence[MeasurementTable]) -> MeasurementTable:
    """The measurements of several files together.

    Scales, ids and what files say beside their measurements are told apart by the names of the
    files where they have one name and are not the same.
    """
    if len(tables) == 1:
        return tables[0]
    files = Counter(os.path.realpath(table.measurements[0].file) for table in tables)
    if len(files) < len(tables):
        name = next(name for name, times in files.items() if times > 1)
        raise MeasureError(f"{name} is given twice, and its measurements would count twice")
    measurements: list[Measurement] = []
    scales: dict[str, Scale] = {}
    said: dict[str, Any] = {}
    ids: dict[str, object] = {}
    for number, table in enumerate(tables):
        # Without its folder: what is written of it is for everybody.
        file = Path(table.measurements[0].file).name if table.measurements else ""
        names = {name: _free(name, file, scales, scale) for name, scale in table.scales.items()}
        for name, scale in table.scales.items():
            scales[names[name]] = replace(scale, name=names[name])
        for key, value in table.said.items():
            # What conditions are called is known by now.
            if key != "condition_names":
                said[_free(key, file, said, value)] = value
        for place, one in enumerate(table.measurements):
            id = one.id and _free(one.id, file, ids, (number, place))
            ids[id] = number, place
            scale = scales[names[one.scale.name]] if one.scale.name in names else one.scale
            measurements.append(replace(one, id=id, scale=scale))
    return with_conditions(
        measurements,
        {key: label for table in tables for key, label in table.conditions.items()},
        scales=scales,
        said=said,
        notes=tuple(
            dict.fromkeys([*(note for table in tables for note in table.notes), *_twice(tables)])
        ),
    )


def _twice(tables: Sequence[MeasurementTable]) -> Iterator[str]:
    """What several files say alike: it may be one measurement that counts as two."""

    def content(one: Measurement) -> tuple[object, ...]:
        conditions = frozenset(one.conditions.items())
        return one.group, one.object, one.measurand, one.value, one.study, conditions

    for pair in combinations(tables, 2):
        one, other = (Counter(map(content, table.measurements)) for table in pair)
        if same := (one & other).total():
            files = " and ".join(table.measurements[0].file for table in pair)
            yield (
                f"{same:,} measurement{'s are' if same != 1 else ' is'} the same in {files}; if it "
                "is one measurement, leave it out of one of them"
            )


def _free(name: str, file: str, taken: Mapping[str, object], value: object) -> str:
    """The name, or another one if something else has it."""
    others = (f"{name} ({file}{f', {number}' if number > 1 else ''})" for number in count(1))
    return next(one for one in chain([name], others) if taken.get(one, value) == value)
