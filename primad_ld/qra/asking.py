"""One question about precision, from its measurements to what is found."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, count
from pathlib import Path
from typing import Any

from primad_ld.core.arguments import One, Several, Texts, to_choice, to_texts
from primad_ld.core.errors import MeasureError
from primad_ld.qra.assessing import PrecisionAssessment, assess, remarks_on, select
from primad_ld.qra.measurements import Measurement, MeasurementTable, Scale, with_conditions
from primad_ld.qra.precision import Variant
from primad_ld.qra.variation import Variation, check_conditions, variations_of


def _held(given: Texts | Iterable[Texts], what: str) -> Iterator[tuple[str, ...]]:
    for one in (given,) if isinstance(given, str) or not isinstance(given, Iterable) else given:
        yield to_texts(one, what)


@dataclass(frozen=True, kw_only=True)
class PrecisionOptions:
    """How measurements are assessed."""

    #: Which formula of CV*: "2022" or "2026".
    variant: One[Variant | str, Variant] = One(to_choice(*Variant), Variant.published)
    #: Choose measurements by their fields: see `primad_ld.qra.assessing.select`.
    where: Mapping[str, str] = field(default_factory=dict)
    #: Conditions to hold equal: each name alone, those of each list together.
    held: Several[Texts, tuple[str, ...]] = Several(_held)


@dataclass(frozen=True, kw_only=True, slots=True)
class PrecisionReport:
    """What was found."""

    table: MeasurementTable
    assessments: tuple[PrecisionAssessment, ...]
    #: For each assessment, what holding conditions leaves of it.
    variations: tuple[tuple[Variation, ...], ...]
    #: What the input was mended or understood by, and what readers of the figures should know.
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def assess_measurements(
    table: MeasurementTable, options: PrecisionOptions | None = None
) -> PrecisionReport:
    """The precision of each object and measurand of a table.

    `MeasureError` if none has a precision, such as where nothing was measured twice.
    """
    options = options or PrecisionOptions()
    check_conditions(table.conditions, options.held)
    chosen = select(table, options.where)
    found = assess(chosen, variant=options.variant)
    if all(one.n < 2 for one in found):
        raise MeasureError(_none_twice(found))
    if all(one.precision is None for one in found):
        first = next(one for one in found if one.n > 1)
        raise MeasureError(
            f"nothing has a precision: of {first.object}, {first.measurand}, {first.reason}"
        )
    variations = tuple(tuple(variations_of(one, options.held)) for one in found)
    # Only conditions that differ are among all of them.
    is_same = options.held and not any(variations)
    more = ["no condition differs between the measurements, so none is held"] if is_same else []
    return PrecisionReport(
        table=chosen,
        assessments=tuple(found),
        variations=variations,
        notes=(*table.notes, *more),
        remarks=tuple(remarks_on(found)),
    )


def _none_twice(found: Sequence[PrecisionAssessment]) -> str:
    names = ", ".join(f"{one.object} {one.measurand}" for one in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return (
        f"no object was measured twice by the same measurand ({names}{more} once each), and "
        "precision needs two; are the columns of object and measurand the right ones?"
    )


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
    for one, other in combinations(tables, 2):
        counts = [Counter(map(_told, table.measurements)) for table in (one, other)]
        same = (counts[0] & counts[1]).total()
        if same:
            files = " and ".join(table.measurements[0].file for table in (one, other))
            yield (
                f"{same:,} measurement{'s are' if same != 1 else ' is'} the same in {files}; if it "
                "is one measurement, leave it out of one of them"
            )


def _told(one: Measurement) -> tuple[object, ...]:
    conditions = frozenset(one.conditions.items())
    return one.group, one.object, one.measurand, one.value, one.study, conditions


def _free(name: str, file: str, taken: Mapping[str, object], value: object) -> str:
    """The name, or another one if something else has it."""
    others = (f"{name} ({file}{f', {number}' if number > 1 else ''})" for number in count(1))
    return next(one for one in chain([name], others) if taken.get(one, value) == value)
