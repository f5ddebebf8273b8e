"""Assessments: the precision of each object and measurand, and under which conditions it holds."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.figures import UndefinedError
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, condition_label
from primad_ld.qra.precision import Precision, Variant, precision_of

# A fraction beside a percentage is this many times smaller than it, or more.
_APART: Final = 20
_TO_ONE: Final = 1.0
# Ratings lie between these where nobody says where their scale begins.
_RATINGS: Final = (1.0, 10.0)


class State(enum.StrEnum):
    """What is known of a condition over several measurements."""

    same = "same"
    different = "different"
    #: Of some or all measurements nobody knows it, and those that are known are the same.
    unknown = "unknown"


class Kind(enum.StrEnum):
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
    def state(self) -> State:
        """What is unknown is never taken for the same."""
        if len(self.values) > 1:
            return State.different
        return State.unknown if self.unknown or not self.values else State.same


@dataclass(frozen=True, kw_only=True, slots=True)
class PrecisionAssessment:
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
    def kind(self) -> Kind:
        """Repeatability where all conditions are known and equal, and there are some."""
        states = {one.state for one in self.conditions}
        return Kind.repeatability if states == {State.same} else Kind.reproducibility

    def conditions_that_are(self, state: State) -> tuple[ConditionState, ...]:
        """The conditions that are the same, different or unknown."""
        return tuple(one for one in self.conditions if one.state == state)


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
    conditions: Mapping[str, str] | Iterable[str],
    *,
    variant: Variant = Variant.published,
) -> PrecisionAssessment:
    """The assessment of measurements of one object and measurand."""
    first = measurements[0]
    scale = _scale_of(measurements)
    values = [one.value for one in measurements]
    found, reason, backwards = None, "", None
    try:
        found = precision_of(values, minimum=scale.minimum, variant=variant)
        backwards = _reversed(values, scale, variant)
    except UndefinedError as error:
        reason = str(error)
    labels = conditions if isinstance(conditions, Mapping) else {}
    return PrecisionAssessment(
        object=first.object,
        measurand=first.measurand,
        group=first.group,
        precision=found,
        reason=reason,
        variant=variant,
        reversed_cv_star=backwards,
        scale=scale,
        conditions=tuple(_state(key, labels.get(key), measurements) for key in conditions),
        measurements=tuple(measurements),
    )


def _reversed(values: Sequence[float], scale: Scale, variant: Variant) -> float | None:
    if scale.maximum is None:
        return None
    try:
        end = scale.maximum
        return precision_of([end - value for value in values], variant=variant).cv_star
    except UndefinedError:
        return None


def _state(key: str, label: str | None, measurements: Sequence[Measurement]) -> ConditionState:
    values: dict[str, int] = {}
    for one in measurements:
        if key in one.conditions:
            value = one.conditions[key]
            values[value] = values.get(value, 0) + 1
    return ConditionState(
        key=key,
        label=label or condition_label(key),
        values=values,
        unknown=len(measurements) - sum(values.values()),
    )


# Scales -----------------------------------------------------------------------------------


def _scale_of(measurements: Sequence[Measurement]) -> Scale:
    """The one scale of some measurements, on which all of them are."""
    first = measurements[0]
    for one in measurements:
        if _ends(one.scale) != _ends(first.scale):
            raise one.error(
                f"it is on the scale {_described(one.scale)}, {first.name} on {_described(first.scale)}",
                "put the values of an object and measurand on one scale; CV* of mixed scales says nothing",
            )
        _check_value(one)
    _check_units(measurements)
    return first.scale


def _ends(scale: Scale) -> tuple[float, float | None, bool]:
    return scale.minimum, scale.maximum, scale.is_lower_better


def _described(scale: Scale) -> str:
    end = "" if scale.maximum is None else f" to {scale.maximum:g}"
    name = f"{scale.name}, " if scale.name else ""
    direction = ", lower is better" if scale.is_lower_better else ""
    return f"{name}{scale.minimum:g}{end or ' and up'}{direction}"


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
    largest = max(measurements, key=lambda one: one.value)
    small = [one for one in measurements if 0 < one.value <= _TO_ONE]
    if small and largest.value > _TO_ONE and largest.value >= _APART * min(o.value for o in small):
        least = min(small, key=lambda one: one.value)
        raise least.error(
            f"{least.value:g} beside {largest.value:g} looks like a fraction beside a percentage",
            "write both in one unit; if they are, say where the scale ends: --scale-max, or max of a scale in YAML",
        )


def remarks_on(assessments: Iterable[PrecisionAssessment]) -> list[str]:
    """What readers should know before they rely on these figures."""
    found: dict[str, None] = {}
    some = list(assessments)
    for one in some:
        values = [each.value for each in one.measurements]
        where = f"{one.object}, {one.measurand}"
        low, high = _RATINGS
        if not one.scale.is_stated and all(low <= value <= high for value in values):
            shifted = assess_set(
                [replace(each, scale=Scale(minimum=low)) for each in one.measurements], ()
            ).precision
            if one.precision and shifted and one.precision.cv_star:
                found[
                    f"{where}: the scale is taken to begin at 0; if these are ratings from 1 on, "
                    "say --scale-min 1, for CV* depends on it"
                ] = None
        studies = {each.study for each in one.measurements if each.study}
        if one.kind is Kind.repeatability and len(studies) > 1:
            found[
                f"{where}: all conditions named are equal, but {len(studies)} studies measured it; "
                "name what differed between them"
            ] = None
    if any(one.precision and one.precision.low < 0 for one in some):
        found[
            "an interval of the standard deviation that begins below 0 comes from few values: "
            "below five it always does"
        ] = None
    if any(not one.conditions for one in some):
        found[
            "no conditions of measurement are named, so nothing tells what the precision is under"
        ] = None
    return list(found)


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
    from primad_ld.qra.measurements import condition_key

    key = condition_key(name)
    if key in one.conditions:
        return one.conditions[key]
    if name in ("object", "measurand", "study", "group", "id"):
        return str(getattr(one, name))
    said: object = one.said
    for part in name.split("."):
        said = said.get(part) if isinstance(said, Mapping) else None
    return said if isinstance(said, str) else None
