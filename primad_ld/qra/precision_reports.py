"""Reports on precision: from measurements to findings, in a table for each that people read.

`assess_measurements` chooses some measurements, assesses each object and measurand under the
conditions that hold, and splits each assessment by conditions that are held equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, ClassVar, Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import Texts, read_fields, to_choice, to_texts
from primad_ld.qra.measurements import Measurement, MeasurementTable
from primad_ld.qra.precision import Variant
from primad_ld.qra.precision_assessments import (
    PrecisionAssessment,
    PrecisionKind,
    Sameness,
    Variation,
    assess,
    check_conditions,
    remarks_on,
    select,
    variations_of,
)
from primad_ld.tables.answers import UNDEFINED, Answer, Cell, Column, Row, Table, half_up

_DIGITS: Final = 3
_MOST_CONDITIONS: Final = 7
_Record = dict[str, Any]


def _held(given: Texts | Iterable[Texts], what: str) -> tuple[tuple[str, ...], ...]:
    groups = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    return tuple(to_texts(names, what) for names in groups)


@dataclass(frozen=True, kw_only=True)
class PrecisionOptions:
    """How measurements are assessed."""

    #: Which formula of CV*: "2022" or "2026".
    variant: Variant = Variant.published
    #: Choose measurements by their fields: see `primad_ld.qra.precision_assessments.select`.
    where: Mapping[str, str] = field(default_factory=dict)
    #: Conditions to hold equal: each name alone, those of each list together.
    held: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        read_fields(self, variant=to_choice(*Variant), held=_held)


def _turtle(report: PrecisionReport) -> Iterable[str]:
    from primad_ld.qra.precision_graphs import precision_turtle

    return [precision_turtle(report.measured, report.assessments)]


def _yaml(report: PrecisionReport) -> Iterable[str]:
    from primad_ld.qra.reading.measurements_yaml import dump_measurements

    return [dump_measurements(report.measured)]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class PrecisionReport(Answer):
    """The precision of each object and measurand, with the conditions that it holds under.

    >>> import primad_ld as pl
    >>> report = pl.qra("nts.yaml")
    >>> round(report.assessments[0].precision.cv_star, 3)
    1.562
    """

    #: The measurements that were assessed.
    measured: MeasurementTable
    assessments: tuple[PrecisionAssessment, ...]
    #: For each assessment, what holding conditions leaves of it.
    variations: tuple[tuple[Variation, ...], ...]
    #: How the input was understood, and what readers of the figures should know.
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    #: Whether people see a table of the measurements, too.
    lists_measurements: bool = False

    own_forms: ClassVar = {"ttl": _turtle, "yaml": _yaml}

    def table(self) -> Table:
        """A row for each object and measurand, and one for each group that holds conditions."""
        rows: list[Row] = []
        for one, variations in zip(self.assessments, self.variations, strict=True):
            rows.append(_row(one))
            for variation in variations:
                rows.extend(
                    _row(group.assessment, "; ".join(f"{k}={v}" for k, v in group.values.items()))
                    for group in variation.groups
                )
        return Table(name="assessments", columns=_COLUMNS, rows=rows)

    def shown(self) -> list[Table]:
        """The assessments; measurements if they are asked for; groups if conditions are held."""
        tables = [_assessment_table(self)]
        if self.lists_measurements:
            tables.append(_measurement_table(self))
        if any(self.variations):
            tables.append(_variation_table(self))
        return tables

    def verdict(self) -> str:
        """Where values are closest, and where they are farthest, of several objects or measurands."""
        known = [(one.precision.cv_star, one) for one in self.assessments if one.precision]
        if len(known) < 2:
            return ""
        ends = [min(known, key=itemgetter(0)), max(known, key=itemgetter(0))]
        low, high = (f"{half_up(cv, _DIGITS)} ({one.object}, {one.measurand})" for cv, one in ends)
        return f"CV* from {low} to {high}; 0 means equal values."

    def record(self) -> dict[str, object]:
        """The assessments, each with its conditions, measurements and variation."""
        both = zip(self.assessments, self.variations, strict=True)
        assessments = [_assessment_record(one, variations) for one, variations in both]
        notes = [*self.notes, *self.remarks]
        return {**Answer.record(self), "assessments": assessments, "notes": notes}


def assess_measurements(
    table: MeasurementTable, options: PrecisionOptions | None = None
) -> PrecisionReport:
    """The precision of each object and measurand of a table.

    `MeasureError` if none has a precision, such as where nothing was measured twice.
    """
    options = options or PrecisionOptions()
    check_conditions(table.conditions, options.held)
    chosen = select(table, options.where)
    assessments = assess(chosen, variant=options.variant)
    if all(one.n < 2 for one in assessments):
        names = ", ".join(f"{one.object} {one.measurand}" for one in assessments[:3])
        more = f" and {len(assessments) - 3} more" if len(assessments) > 3 else ""
        raise MeasureError(
            f"no object was measured twice by the same measurand ({names}{more} once each), and "
            "precision needs two; are the columns of object and measurand the right ones?"
        )
    if all(one.precision is None for one in assessments):
        first = next(one for one in assessments if one.n > 1)
        raise MeasureError(
            f"nothing has a precision: of {first.object}, {first.measurand}, {first.reason}"
        )
    variations = tuple(tuple(variations_of(one, options.held)) for one in assessments)
    # Only conditions that differ are among all of them.
    is_same = bool(options.held) and not any(variations)
    held_notes = ["no condition differs between the measurements, so none is held"] * is_same
    return PrecisionReport(
        measured=chosen,
        assessments=tuple(assessments),
        variations=variations,
        notes=(*table.notes, *held_notes),
        remarks=tuple(remarks_on(assessments)),
    )


# Rows -------------------------------------------------------------------------------------

_COLUMNS: Final = (
    Column(key="group", title="group"),
    Column(key="object", title="object"),
    Column(key="measurand", title="measurand"),
    Column(key="held"),
    Column(key="n", title="n"),
    Column(key="mean", title="mean", digits=_DIGITS),
    Column(key="shifted_mean", title="mean above minimum", digits=_DIGITS),
    Column(key="stdev", title="SD", digits=_DIGITS),
    Column(key="stdev_low"),
    Column(key="stdev_high"),
    Column(key="cv_star", title="CV*", digits=_DIGITS),
    Column(key="within_1sd", title="% within 1 SD", digits=0),
    Column(key="within_2sd", title="% within 2 SD", digits=0),
    Column(key="variant"),
    Column(key="kind"),
    Column(key="differing_conditions"),
    Column(key="unknown_conditions"),
    Column(key="scale_min"),
    Column(key="scale_max"),
    Column(key="cv_star_reversed", title="CV* of the reversed scale", digits=_DIGITS, wide=True),
    Column(key="reason", title="no CV*"),
)
_BY_KEY: Final = {column.key: column for column in _COLUMNS}


#: The columns of figures, and what they are called in a precision.
_FIGURES: Final = {
    "shifted_mean": "mean",
    "stdev": "stdev",
    "stdev_low": "low",
    "stdev_high": "high",
    **{name: name for name in ("cv_star", "within_1sd", "within_2sd")},
}


def _row(one: PrecisionAssessment, held: str = "") -> dict[str, object]:
    return {
        "group": one.group or None,
        "object": one.object,
        "measurand": one.measurand,
        "held": held or None,
        "n": one.n,
        "mean": one.mean,
        **{key: getattr(one.precision, name, None) for key, name in _FIGURES.items()},
        "variant": one.variant.value,
        "kind": one.kind.value,
        "differing_conditions": _keys(one, Sameness.different),
        "unknown_conditions": _keys(one, Sameness.unknown),
        "scale_min": one.scale.minimum,
        "scale_max": one.scale.maximum,
        "cv_star_reversed": one.reversed_cv_star,
        "reason": one.reason or None,
    }


def _keys(one: PrecisionAssessment, state: Sameness) -> list[str]:
    return [each.key for each in one.conditions_that_are(state)]


# JSON -------------------------------------------------------------------------------------


#: What tells measurements apart, if it is known.
_IDENTITY: Final = ("id", "study", "is_original")


def _assessment_record(one: PrecisionAssessment, variations: Sequence[Variation]) -> _Record:
    row = _row(one)
    del row["held"]
    record: _Record = row | {
        "conditions": [
            {
                "name": each.key,
                "label": each.label,
                "state": each.state.value,
                "values": [{"value": value, "n": n} for value, n in each.values.items()],
                "unknown": each.unknown,
            }
            for each in one.conditions
        ],
        "scale": {
            "min": one.scale.minimum,
            "max": one.scale.maximum,
            "stated": one.scale.is_stated,
            "lower_is_better": one.scale.is_lower_better,
        },
        "measurements": [
            {
                "value": each.value,
                **{name: known for name in _IDENTITY if (known := getattr(each, name))},
                "conditions": dict(each.conditions),
            }
            for each in one.measurements
        ],
    }
    if variations:
        record["variation"] = [_variation_record(each) for each in variations]
    return record


def _variation_record(one: Variation) -> _Record:
    return {
        "held": list(one.held),
        "cv_star": one.cv_star,
        "n": one.n,
        "alone": one.alone,
        "unknown": one.unknown,
        "groups": [
            {**_row(group.assessment), "held": None, "values": group.values} for group in one.groups
        ],
    }


# Tables -----------------------------------------------------------------------------------


def _assessment_table(report: PrecisionReport) -> Table:
    """A row for each object and measurand, as Tables 2 and 4 of the paper have it."""
    columns = [
        *(_BY_KEY[key] for key in ("group", "object", "measurand")),
        Column(key="conditions", title="conditions"),
        *(_BY_KEY[key] for key in ("n", "cv_star", "mean", "shifted_mean", "stdev")),
        Column(key="stdev_ci95", title="SD 95% CI", digits=_DIGITS),
        *(_BY_KEY[key] for key in ("within_1sd", "within_2sd", "cv_star_reversed", "reason")),
    ]
    if not any(one.scale.minimum for one in report.assessments):
        columns.remove(_BY_KEY["shifted_mean"])
    variants = ", ".join(dict.fromkeys(one.variant.value for one in report.assessments))
    return Table(
        name="assessments",
        title=f"Precision of repeated measurements (CV* by the formula of {variants})",
        columns=columns,
        rows=[
            {**_row(one), "conditions": _conditions_in_words(one), "stdev_ci95": _interval(one)}
            for one in report.assessments
        ],
        notes=report.remarks,
    )


def _interval(one: PrecisionAssessment) -> Cell | None:
    if one.precision is None:
        return None
    ends = (one.precision.low, one.precision.high)
    return Cell(ends, f"[{', '.join(half_up(end, _DIGITS) for end in ends)}]")


def _conditions_in_words(one: PrecisionAssessment) -> str:
    """Repeatability, or the conditions that differ; those that are unknown beside them."""
    if not one.conditions:
        return "none given"
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


def _measurement_table(report: PrecisionReport) -> Table:
    """The measurements with their conditions, as Tables 3 and 5 have them.

    A condition that is the same for all of them stands once below.
    """
    measurements = [each for one in report.assessments for each in one.measurements]
    differing, notes = [], []
    for key, label in report.measured.conditions.items():
        values = {each.conditions.get(key) for each in measurements}
        if len(values) > 1:
            differing.append(Column(key=f"condition {key}", title=label))
        elif value := next(iter(values)):
            notes.append(f"{label}, the same for all: {value}")
    rows = [_measurement_row(each, report.measured.conditions) for each in measurements]
    if any(row.get(column.key) == _UNKNOWN for row in rows for column in differing):
        notes.append("? is unknown, and never taken for equal")
    return Table(
        name="measurements",
        title="Measurements",
        columns=[
            *(_BY_KEY[key] for key in ("group", "object", "measurand")),
            Column(key="study", title="study"),
            *differing,
            Column(key="value", title="value"),
        ],
        rows=rows,
        notes=notes,
    )


_UNKNOWN: Final = Cell(None, "?")


def _measurement_row(one: Measurement, conditions: Iterable[str]) -> Row:
    study = f"{one.study} (original)" if one.is_original else one.study
    return {
        "group": one.group or None,
        "object": one.object,
        "measurand": one.measurand,
        "study": Cell(one.study, study) if study else None,
        **{f"condition {key}": one.conditions.get(key, _UNKNOWN) for key in conditions},
        "value": Cell(one.value, one.text or repr(one.value)),
    }


def _variation_table(report: PrecisionReport) -> Table:
    """What is left of the variation while conditions are held equal."""
    rows: list[Row] = []
    notes = []
    several = sum(map(bool, report.variations)) > 1
    for one, variations in zip(report.assessments, report.variations, strict=True):
        if variations:
            rows.append(_row(one) | {"held": Cell(None, UNDEFINED), "differing": _differing(one)})
        for variation in variations:
            held = "; ".join(variation.held.values()).lower()
            for group in variation.groups:
                at = "; ".join(group.values.values())
                more = {"held": held, "at": at, "differing": _differing(group.assessment)}
                rows.append(_row(group.assessment) | more)
            name = f"{one.object}, {one.measurand}: " if several else ""
            notes.append(name + in_words(variation))
    return Table(
        name="variation",
        title="Where the variation comes from",
        columns=[
            *(_BY_KEY[key] for key in ("group", "object", "measurand")),
            Column(key="held", title="held equal"),
            Column(key="at", title="at"),
            Column(key="differing", title="still differ"),
            *(_BY_KEY[key] for key in ("n", "cv_star")),
        ],
        rows=rows,
        notes=notes,
    )


def _differing(one: PrecisionAssessment) -> str:
    return _labels(one, Sameness.different) or "none given"


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
    apart = [f"{count} {why}" for count, why in left if count]
    return text + (f"; {', '.join(apart)}" if apart else "")
