"""Measurements in YAML, the form that holds all there is to say of them.

::

    scales:
      likert7: {min: 1, max: 7}
    measurements:
    - object: PASS
      measurand: Clarity
      value: 5.64
      study: van der Lee et al.
      original: true
      scale: likert7
      conditions: {implementation: vdL&al, performed by: vdL&al}
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import brief
from primad_ld.qra.measurements import (
    UNKNOWN,
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    check_ids,
    condition_key,
    folded,
    parse_value,
    with_conditions,
)
from primad_ld.replication.field_reading import Fields
from primad_ld.replication.tracks import Polarity

#: What to write where there is nothing yet.
A_MEASUREMENT: Final = "list measurements: '- {object: …, measurand: …, value: …}'"


def table_of(top: YamlMapping, path: Path) -> MeasurementTable:
    """The measurements in what a YAML file says. Keys that are not known are kept as they are."""
    file = Fields(top, str(path), 1)
    scales = {name: _scale(fields, name) for name, fields in file.named("scales")}
    labels: dict[str, str] = {}
    names = file.inner(file.get("condition_names") or YamlMapping(), "condition_names")
    for name, said in names.said.items():
        # What the author calls a condition: a text, or a mapping that has it as "printed".
        label = said.get("printed") if isinstance(said, YamlMapping) else said
        labels[condition_key(name)] = label if isinstance(label, str) else ""
    #: The keys of conditions by their names, however they are spelt.
    keys = {folded(name): key for key, label in labels.items() for name in (label, key)}
    measurements = [_measurement(fields, scales, keys) for fields in file.rows("measurements")]
    if not measurements:
        raise file.error("there are no measurements", "measurements", hint=A_MEASUREMENT)
    check_ids(measurements)
    others = {key: value for key, value in top.items() if key not in ("measurements", "scales")}
    return with_conditions(measurements, labels, scales=scales, said=others)


def _number(fields: Fields, key: str) -> float | None:
    """The number at a key, None where nothing stands there."""
    text = fields.number_text(key)
    try:
        return parse_value(text) if text else None
    except HeaderError as error:
        raise fields.error(error.why, key, hint=error.hint) from None


def _scale(fields: Fields, name: str) -> Scale:
    begin, maximum, shift = (_number(fields, key) for key in ("min", "max", "shift"))
    if begin is None:
        raise fields.error(
            "the scale has no min, and CV* depends on where a scale begins",
            hint="use min: 0, or min: 1 for ratings from 1 on",
        )
    if shift is not None and shift != begin:
        raise fields.error(
            f"values are to be shifted by {shift:g} and the scale begins at {begin:g}",
            "shift",
            hint="leave shift out: values are shifted so that the scale begins at 0",
        )
    if maximum is not None and maximum <= begin:
        raise fields.error(f"the scale ends at {maximum:g}, where it begins", "max")
    return Scale(
        name=name,
        minimum=begin,
        maximum=maximum,
        is_stated=True,
        is_lower_better=fields.choice("polarity", Polarity) is Polarity.negative,
        said=fields.said,
    )


def _measurement(fields: Fields, scales: Mapping[str, Scale], keys: dict[str, str]) -> Measurement:
    for key in ("object", "measurand", "value"):
        if not fields.text(key):
            raise fields.error(f"the measurement has no {key}", hint=f"add {key}: …")
    scale = fields.said_text("scale")
    if scale and scale not in scales:
        listed = f"; there is {', '.join(scales)}" if scales else ""
        raise fields.error(
            f"there is no scale {brief(scale)}",
            "scale",
            hint=f"describe it: 'scales: {{{scale}: {{min: 0}}}}'{listed}",
        )
    conditions: dict[str, str] = {}
    given = fields.inner(fields.get("conditions") or YamlMapping(), "conditions")
    for name in given.said:
        key = keys.setdefault(folded(name), condition_key(name))
        text = given.text(name)
        if key in conditions:
            raise given.error("this condition is named twice", name)
        if text.lower() not in UNKNOWN:
            conditions[key] = text
    return Measurement(
        **{key: fields.said_text(key) for key in ("object", "measurand", "id", "study", "group")},
        value=_number(fields, "value") or 0.0,
        text=fields.number_text("value"),
        conditions=conditions,
        is_original=bool(fields.truth("original")),
        scale=scales.get(scale, UNSTATED),
        file=fields.file,
        line=fields.line,
        said=fields.rest(),
    )


# Writing ----------------------------------------------------------------------------------


def dump_measurements(table: MeasurementTable) -> str:
    """The measurements as YAML, which reads as the same measurements again.

    Conditions that nobody knows are left out, and their names are the keys of this project.
    """
    # It needs the schema of headers, which reading does not.
    from primad_ld.header.yamlwrite import dump

    top: dict[str, object] = dict(table.said)
    if "condition_names" not in top and table.conditions:
        top["condition_names"] = dict(table.conditions)
    used = [one.scale for one in table.measurements if one.scale.is_described]
    # Those that were given on the command line get names that say what they are.
    unnamed = {scale.span: scale for scale in used if scale.name not in table.scales}
    scales = {**unnamed, **table.scales}
    if scales:
        top["scales"] = {name: _described(scale) for name, scale in scales.items()}
    names = {(scale.name, scale.ends): name for name, scale in scales.items()}
    top["measurements"] = [_row(one, names) for one in table.measurements]
    return dump(top, None)


def _described(scale: Scale) -> dict[str, object]:
    found: dict[str, object] = {"min": f"{scale.minimum:g}"}
    if scale.maximum is not None:
        found["max"] = f"{scale.maximum:g}"
    if scale.is_lower_better:
        found["polarity"] = "negative"
    return dict(scale.said) or found


def _row(one: Measurement, scales: Mapping[Any, str]) -> dict[str, object]:
    found: dict[str, object] = {
        "id": one.id,
        "object": one.object,
        "measurand": one.measurand,
        "value": one.text or repr(one.value),
        "study": one.study,
        "original": "true" if one.is_original else "",
        "group": one.group,
        "conditions": dict(one.conditions),
        "scale": scales.get((one.scale.name, one.scale.ends), "") if one.scale.is_described else "",
    }
    return {key: value for key, value in found.items() if value} | dict(one.said)
