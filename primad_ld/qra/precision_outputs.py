"""Assessments of precision for programs and for people: records of JSON, lines of CSV, tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from primad_ld.qra.measurements import Measurement
from primad_ld.qra.precision_assessments import (
    ConditionState,
    HeldGroup,
    PrecisionAssessment,
    PrecisionKind,
    Sameness,
    Variation,
)
from primad_ld.tables.markup import UNDEFINED, Grid, half_up, separated

_DIGITS: Final = 3
_MOST_CONDITIONS: Final = 7
_Record = dict[str, Any]

# JSON -------------------------------------------------------------------------------------


def assessment_record(one: PrecisionAssessment, variations: Sequence[Variation] = ()) -> _Record:
    """An assessment as JSON has it. Figures are of values on the shifted scale."""
    record: _Record = {
        "object": one.object,
        "measurand": one.measurand,
        **_figures(one),
        "variant": one.variant.value,
        "kind": one.kind.value,
        "differing_conditions": _keys(one, Sameness.different),
        "unknown_conditions": _keys(one, Sameness.unknown),
        "conditions": [_condition_record(each) for each in one.conditions],
        "scale": {
            "min": one.scale.minimum,
            "max": one.scale.maximum,
            "stated": one.scale.is_stated,
            "lower_is_better": one.scale.is_lower_better,
        },
        "cv_star_reversed": one.reversed_cv_star,
        "measurements": [_measurement_record(each) for each in one.measurements],
    }
    if one.group:
        record["group"] = one.group
    if one.reason:
        record["reason"] = one.reason
    if variations:
        record["variation"] = [_variation_record(each) for each in variations]
    return record


def _figures(one: PrecisionAssessment) -> _Record:
    found = one.precision
    return {
        "n": one.n,
        "mean": found.mean if found else None,
        "stdev": found.stdev if found else None,
        "stdev_ci95": [found.low, found.high] if found else None,
        "cv_star": found.cv_star if found else None,
        "within_1sd": found.within_1sd if found else None,
        "within_2sd": found.within_2sd if found else None,
    }


def _keys(one: PrecisionAssessment, state: Sameness) -> list[str]:
    return [each.key for each in one.conditions_that_are(state)]


def _condition_record(one: ConditionState) -> _Record:
    return {
        "name": one.key,
        "label": one.label,
        "state": one.state.value,
        "values": [{"value": value, "n": n} for value, n in one.values.items()],
        "unknown": one.unknown,
    }


def _measurement_record(one: Measurement) -> _Record:
    record: _Record = {"value": one.value}
    told = {"id": one.id, "study": one.study, "is_original": one.is_original}
    record |= {name: value for name, value in told.items() if value}
    return record | {"conditions": dict(one.conditions)}


def _variation_record(one: Variation) -> _Record:
    return {
        "held": list(one.held),
        "cv_star": one.cv_star,
        "n": one.n,
        "alone": one.alone,
        "unknown": one.unknown,
        "groups": [
            {
                "values": group.values,
                **_figures(group.assessment),
                "differing_conditions": _keys(group.assessment, Sameness.different),
            }
            for group in one.groups
        ],
    }


def as_json(records: Iterable[_Record]) -> str:
    """A list of records."""
    return json.dumps(list(records), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


# CSV --------------------------------------------------------------------------------------

_COLUMNS: Final = (
    "group",
    "object",
    "measurand",
    "held",
    "n",
    "mean",
    "stdev",
    "stdev_low",
    "stdev_high",
    "cv_star",
    "within_1sd",
    "within_2sd",
    "variant",
    "kind",
    "differing_conditions",
    "unknown_conditions",
    "scale_min",
    "scale_max",
    "cv_star_reversed",
    "reason",
)


def as_csv(found: Iterable[tuple[PrecisionAssessment, Sequence[Variation]]]) -> str:
    """A line for each assessment, and one for each group of measurements that holds conditions."""
    rows: list[Sequence[object]] = [_COLUMNS]
    for one, variations in found:
        rows.append(_row(one, ""))
        for each in variations:
            rows.extend(_row(group.assessment, _held(group)) for group in each.groups)
    return separated(rows)


def _held(group: HeldGroup) -> str:
    return "; ".join(f"{key}={value}" for key, value in group.values.items())


def _row(one: PrecisionAssessment, held: str) -> Sequence[object]:
    figures = _figures(one)
    low, high = figures["stdev_ci95"] or (None, None)
    numbers = (figures["mean"], figures["stdev"], low, high, figures["cv_star"])
    return (
        one.group,
        one.object,
        one.measurand,
        held,
        one.n,
        *map(_number, numbers),
        *map(_number, (figures["within_1sd"], figures["within_2sd"])),
        one.variant.value,
        one.kind.value,
        " ".join(_keys(one, Sameness.different)),
        " ".join(_keys(one, Sameness.unknown)),
        _number(one.scale.minimum),
        _number(one.scale.maximum),
        _number(one.reversed_cv_star),
        one.reason,
    )


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


# Tables -----------------------------------------------------------------------------------


def assessment_grid(found: Sequence[PrecisionAssessment], remarks: Sequence[str] = ()) -> Grid:
    """A row for each object and measurand, as Tables 2 and 4 of the paper have it."""
    has_groups = any(one.group for one in found)
    head = ("group",) if has_groups else ()
    figures = ("n", "mean", "stdev", "stdev 95% CI", "CV*", "1 sd", "2 sd")
    rows = [
        (
            *((one.group,) if has_groups else ()),
            one.object,
            one.measurand,
            _conditions_in_words(one),
            *_cells(one),
        )
        for one in found
    ]
    variants = dict.fromkeys(one.variant.value for one in found)
    reasons = [
        f"{UNDEFINED} {one.object}, {one.measurand}: {one.reason}" for one in found if one.reason
    ]
    return Grid(
        title=f"Precision of repeated measurements (CV* of {', '.join(variants)})",
        columns=(*head, "object", "measurand", "conditions", *figures),
        rows=tuple(rows),
        texts=len(head) + 3,
        remarks=(*reasons, *remarks),
    )


def _cells(one: PrecisionAssessment) -> tuple[str, ...]:
    found = one.precision
    if found is None:
        return (str(one.n), *[UNDEFINED] * 6)
    return (
        str(found.n),
        half_up(found.mean, _DIGITS),
        half_up(found.stdev, _DIGITS),
        f"[{half_up(found.low, _DIGITS)}, {half_up(found.high, _DIGITS)}]",
        half_up(found.cv_star, _DIGITS),
        f"{half_up(found.within_1sd, 0)}%",
        f"{half_up(found.within_2sd, 0)}%",
    )


def _conditions_in_words(one: PrecisionAssessment) -> str:
    """Repeatability, or the conditions that differ; those that nobody knows beside them."""
    if not one.conditions:
        return "none named"
    parts = []
    differing = _labels(one, Sameness.different)
    if one.kind is PrecisionKind.repeatability:
        parts.append("all equal (repeatability)")
    elif differing:
        parts.append(f"differ: {differing}")
    unknown = _labels(one, Sameness.unknown)
    if unknown:
        parts.append(f"unknown: {unknown}")
    return "; ".join(parts)


def _labels(one: PrecisionAssessment, state: Sameness) -> str:
    """Names of conditions; datasheets may have dozens of questions, and a cell is narrow."""
    labels = [each.label.lower() for each in one.conditions_that_are(state)]
    more = len(labels) - _MOST_CONDITIONS
    if more > 1:
        labels[_MOST_CONDITIONS:] = [f"and {more} more"]
    return ", ".join(labels)


def measurement_grids(found: Iterable[PrecisionAssessment]) -> list[Grid]:
    """The measurements of each assessment with their conditions, as Tables 3 and 5 have them.

    A condition that is the same for all of them is said once below.
    """
    return [_measurement_grid(one) for one in found]


def _measurement_grid(one: PrecisionAssessment) -> Grid:
    has_studies = any(each.study for each in one.measurements)
    head = ("study",) if has_studies else ()
    shown = [state for state in one.conditions if state.state is not Sameness.same]
    rows = []
    for each in one.measurements:
        original = " (original)" if each.is_original else ""
        named = (f"{each.study}{original}",) if has_studies else ()
        known = (each.conditions.get(state.key, "?") for state in shown)
        rows.append((*named, *known, each.text or repr(each.value)))
    cv_star = half_up(one.precision.cv_star if one.precision else None, _DIGITS)
    remarks = [
        f"{state.label}, the same for all: {next(iter(state.values))}"
        for state in one.conditions_that_are(Sameness.same)
    ]
    if any(state.unknown for state in shown):
        remarks.append("? is not known, and never taken for equal")
    return Grid(
        title=f"{one.object}, {one.measurand}: CV* {cv_star}",
        columns=(*head, *(state.label for state in shown), "value"),
        rows=tuple(rows),
        texts=len(head) + len(shown),
        remarks=tuple(remarks),
    )


def variation_grid(one: PrecisionAssessment, variations: Sequence[Variation]) -> Grid:
    """What is left of the variation while conditions are held equal."""
    whole = half_up(one.precision.cv_star if one.precision else None, _DIGITS)
    rows = [(UNDEFINED, "", _differing(one), str(one.n), whole)]
    remarks = []
    for each in variations:
        held = "; ".join(each.held.values()).lower()
        for group in each.groups:
            found = group.assessment
            cv_star = found.precision.cv_star if found.precision else None
            values = "; ".join(group.values.values())
            rows.append((held, values, _differing(found), str(found.n), half_up(cv_star, _DIGITS)))
        remarks.append(in_words(each))
    return Grid(
        title=f"{one.object}, {one.measurand}: where the variation comes from",
        columns=("held equal", "at", "differ still", "n", "CV*"),
        rows=tuple(rows),
        texts=3,
        remarks=tuple(remarks),
    )


def _differing(one: PrecisionAssessment) -> str:
    return _labels(one, Sameness.different) or "nothing that is named"


def in_words(one: Variation) -> str:
    """What holding some conditions does, in a sentence."""
    held = " and ".join(label.lower() for label in one.held.values())
    whole = one.whole.precision.cv_star if one.whole.precision else None
    if not one.groups:
        text = f"no two measurements have the same {held}"
    else:
        groups = f"{len(one.groups)} group{'s' * (len(one.groups) != 1)}"
        text = (
            f"same {held}: {half_up(one.cv_star, _DIGITS)} on average "
            f"({groups} of {one.n} measurements) against {half_up(whole, _DIGITS)} over all"
        )
    left = [(one.alone, "alone"), (one.unknown, f"of unknown {held}")]
    told = [f"{count} {why}" for count, why in left if count]
    return text + (f"; {', '.join(told)}" if told else "")
