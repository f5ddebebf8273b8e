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
from primad_ld.core.yamltext import Sequence as YamlSequence
from primad_ld.core.yamltext import Value, brief
from primad_ld.qra.measurements import (
    UNKNOWN,
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    condition_key,
    folded,
    parse_value,
    with_conditions,
)
from primad_ld.trec.columns import BLANKS

#: What to write where there is nothing yet.
A_MEASUREMENT: Final = "list measurements: '- {object: …, measurand: …, value: …}'"
_A_CONDITION: Final = "write 'conditions: {implementation: …, test set: …}'"
_TRUTH: Final = {"": False, "true": True, "yes": True, "false": False, "no": False}
_OURS: Final = (
    *("id", "object", "measurand", "value", "study", "original", "group", "scale", "conditions"),
)


def table_of(top: YamlMapping, path: Path) -> MeasurementTable:
    """The measurements in what a YAML file says. Keys that are not known are kept as they are."""
    file = _Fields(top, path, None, "")
    rows = top.get("measurements")
    if not isinstance(rows, YamlSequence) or not rows:
        raise file.error("there are no measurements", "measurements", A_MEASUREMENT)
    described = file.inner("scales", "this is not a mapping of scales")
    why = "this is not a mapping such as {min: 1, max: 7}"
    scales = {
        name: _scale(described.inner(name, why, is_needed=True), name) for name in described.values
    }
    names = file.inner("condition_names", "this is not a mapping of conditions to their names")
    labels: dict[str, str] = {}
    for name, said in names.values.items():
        # What the author calls a condition: a text, or a mapping that has it as "printed".
        label = said.get("printed") if isinstance(said, YamlMapping) else said
        labels[condition_key(name)] = label if isinstance(label, str) else ""
    #: The keys of conditions by their names, however they are spelt.
    keys = {folded(name): key for key, label in labels.items() for name in (label, key)}
    found: list[Measurement] = []
    first: dict[str, int | None] = {}
    for number, (row, place) in enumerate(zip(rows, rows.places, strict=True), 1):
        fields = _Fields(row, path, place[0], f"measurements[{number}]")
        one = _measurement(fields, scales, keys)
        if one.id and one.id in first:
            raise one.error(
                f"this id is that of the measurement in line {first[one.id]}, too",
                "give each measurement an id of its own, or none",
            )
        first[one.id] = one.line
        found.append(one)
    others = {key: value for key, value in top.items() if key not in ("measurements", "scales")}
    return with_conditions(found, labels, scales=scales, said=others)


class _Fields:
    """A mapping of a file, with its place for errors."""

    def __init__(
        self, said: Value, path: Path, line: int | None, field: str, why: str = "", hint: str = ""
    ) -> None:
        self.path, self.line, self.field = path, line, field
        self.values = said if isinstance(said, YamlMapping) else YamlMapping()
        if not isinstance(said, YamlMapping):
            hint = hint or ("" if why else "write '- {object: …, measurand: …, value: …}'")
            raise self.error(why or "this is not a mapping", hint=hint)

    def error(self, why: str, key: str = "", hint: str = "") -> HeaderError:
        """What is wrong with the mapping, or with a key of it."""
        place = self.values.places.get(key)
        line = place[0] if place is not None else None if key else self.line
        field = ".".join(part for part in (self.field, key) if part)
        return HeaderError(why, file=self.path, line=line, field=field, hint=hint)

    def inner(self, key: str, why: str, hint: str = "", *, is_needed: bool = False) -> _Fields:
        """The mapping at a key; an empty one where there need not be any."""
        said, place = self.values.get(key), self.error("", key)
        if said is None and not is_needed:
            said = YamlMapping()
        return _Fields(said, self.path, place.line, place.field, why, hint)

    def text(self, key: str, hint: str = "") -> str:
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            raise self.error("this is not a text", key, hint)
        return value or ""

    def number(self, key: str) -> float | None:
        text = self.values.get(key)
        if text is None:
            return None
        if not isinstance(text, str):
            raise self.error("this is not a number", key)
        try:
            return parse_value(text)
        except HeaderError as error:
            raise self.error(error.why, key, error.hint) from None


def _scale(fields: _Fields, name: str) -> Scale:
    minimum, maximum, shift = (fields.number(key) for key in ("min", "max", "shift"))
    begin = shift if minimum is None else minimum
    if begin is None:
        raise fields.error(
            "the scale has no min, and CV* depends on where a scale begins",
            hint="use min: 0, or min: 1 for ratings from 1 on",
        )
    if shift is not None and shift != begin:
        raise fields.error(
            f"values are to be shifted by {shift:g} and the scale begins at {begin:g}",
            "shift",
            "leave shift out: values are shifted so that the scale begins at 0",
        )
    if maximum is not None and maximum <= begin:
        raise fields.error(f"the scale ends at {maximum:g}, where it begins", "max")
    polarity = fields.values.get("polarity", "positive")
    if polarity not in ("positive", "negative"):
        raise fields.error(
            f"{brief(polarity)} is not a polarity",
            "polarity",
            "use positive where a higher value is better, negative where a lower one is",
        )
    return Scale(
        name=name,
        minimum=begin,
        maximum=maximum,
        is_stated=True,
        is_lower_better=polarity == "negative",
        said=fields.values,
    )


def _measurement(fields: _Fields, scales: dict[str, Scale], keys: dict[str, str]) -> Measurement:
    texts = {key: fields.text(key) for key in _OURS if key != "conditions"}
    for key in ("object", "measurand", "value"):
        if not texts[key]:
            raise fields.error(f"the measurement has no {key}", hint=f"add {key}: …")
    if texts["original"].lower() not in _TRUTH:
        raise fields.error("this is neither true nor false", "original")
    scale = scales.get(texts["scale"], UNSTATED)
    if texts["scale"] and texts["scale"] not in scales:
        listed = f"; there is {', '.join(scales)}" if scales else ""
        raise fields.error(
            f"there is no scale {brief(texts['scale'])}",
            "scale",
            f"describe it: 'scales: {{{texts['scale']}: {{min: 0}}}}'{listed}",
        )
    conditions: dict[str, str] = {}
    said = fields.inner("conditions", "this is not a mapping", _A_CONDITION)
    for name in said.values:
        key = keys.setdefault(folded(name), condition_key(name))
        text = said.text(name, "describe the condition in a text, or in several conditions").strip()
        if key in conditions:
            raise said.error("this condition is named twice", name)
        if text.lower() not in UNKNOWN:
            conditions[key] = text
    return Measurement(
        object=texts["object"],
        measurand=texts["measurand"],
        value=fields.number("value") or 0.0,
        text=texts["value"].strip(BLANKS),
        conditions=conditions,
        id=texts["id"],
        study=texts["study"],
        is_original=_TRUTH[texts["original"].lower()],
        group=texts["group"],
        scale=scale,
        file=str(fields.path),
        line=fields.line,
        said={key: value for key, value in fields.values.items() if key not in _OURS},
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
