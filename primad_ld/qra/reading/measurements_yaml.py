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

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.yamltext import Mapping as YamlMapping
from primad_ld.core.yamltext import Sequence as YamlSequence
from primad_ld.core.yamltext import Value, brief, read_yaml
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
_TRUTH: Final = {"true": True, "yes": True, "false": False, "no": False}


def read_measurements_yaml(path: Path) -> MeasurementTable:
    """The measurements of a YAML file. Keys that it does not know are kept as they are."""
    return table_of(read_yaml(path, if_empty=A_MEASUREMENT), path)


def table_of(top: YamlMapping, path: Path) -> MeasurementTable:
    """The measurements in what a YAML file says."""
    rows = top.get("measurements")
    if not isinstance(rows, YamlSequence) or not rows:
        raise HeaderError(
            "there are no measurements",
            file=path,
            line=_line(top, "measurements"),
            field="measurements",
            hint=A_MEASUREMENT,
        )
    scales = dict(_scales(top, path))
    labels = _labels(top, path)
    reader = _Reader(path, scales, labels)
    found = [
        reader.measurement(row, number, place[0])
        for number, (row, place) in enumerate(zip(rows, rows.places, strict=True), 1)
    ]
    _refuse_repeats(found)
    return with_conditions(
        found,
        labels,
        scales=scales,
        said={key: value for key, value in top.items() if key not in ("measurements", "scales")},
    )


def _line(mapping: YamlMapping, key: str) -> int | None:
    return mapping.places[key][0] if key in mapping.places else None


def _refuse_repeats(found: list[Measurement]) -> None:
    lines: dict[str, int | None] = {}
    for one in found:
        if one.id and one.id in lines:
            raise one.error(
                f"this id is that of the measurement in line {lines[one.id]}, too",
                "give each measurement an id of its own, or none",
            )
        lines[one.id] = one.line


def _labels(top: YamlMapping, path: Path) -> dict[str, str]:
    """What the author calls the conditions: a text, or a mapping that has it as ``printed``."""
    names = top.get("condition_names")
    if names is None:
        return {}
    if not isinstance(names, YamlMapping):
        raise HeaderError(
            "this is not a mapping of conditions to their names",
            file=path,
            line=_line(top, "condition_names"),
            field="condition_names",
        )
    found = {}
    for name, said in names.items():
        label = said.get("printed") if isinstance(said, YamlMapping) else said
        found[condition_key(name)] = label if isinstance(label, str) else ""
    return found


# Scales -----------------------------------------------------------------------------------


def _scales(top: YamlMapping, path: Path) -> Iterator[tuple[str, Scale]]:
    scales = top.get("scales")
    if scales is None:
        return
    if not isinstance(scales, YamlMapping):
        line = _line(top, "scales")
        raise HeaderError("this is not a mapping of scales", file=path, line=line, field="scales")
    for name, said in scales.items():
        yield name, _Scale(name, said, path, _line(scales, name)).scale()


class _Scale:
    """A scale while it is being read."""

    def __init__(self, name: str, said: Value, path: Path, line: int | None) -> None:
        self.name, self.path, self.line = name, path, line
        if not isinstance(said, YamlMapping):
            raise self.error("this is not a mapping such as {min: 1, max: 7}")
        self.said = said

    def error(self, why: str, hint: str = "", key: str = "") -> HeaderError:
        line = _line(self.said, key) if key else self.line
        field = ".".join(part for part in ("scales", self.name, key) if part)
        return HeaderError(why, file=self.path, line=line, field=field, hint=hint)

    def scale(self) -> Scale:
        minimum, maximum, shift = (self.number(key) for key in ("min", "max", "shift"))
        if minimum is None and shift is None:
            raise self.error(
                "the scale has no min, and CV* depends on where a scale begins",
                "say min: 0, or min: 1 for ratings from 1 on",
            )
        if shift is not None and minimum is not None and shift != minimum:
            raise self.error(
                f"values are to be shifted by {shift:g} and the scale begins at {minimum:g}",
                "leave shift out: values are shifted so that the scale begins at 0",
                "shift",
            )
        begin = minimum if minimum is not None else shift
        assert begin is not None
        if maximum is not None and maximum <= begin:
            raise self.error(f"the scale ends at {maximum:g}, where it begins", key="max")
        return Scale(
            name=self.name,
            minimum=begin,
            maximum=maximum,
            is_stated=True,
            is_lower_better=self.is_lower_better(),
            said=self.said,
        )

    def number(self, key: str) -> float | None:
        text = self.said.get(key)
        if text is None:
            return None
        if not isinstance(text, str):
            raise self.error("this is not a number", key=key)
        try:
            return parse_value(text)
        except HeaderError as error:
            raise self.error(error.why, error.hint, key) from None

    def is_lower_better(self) -> bool:
        polarity = self.said.get("polarity", "positive")
        if polarity not in ("positive", "negative"):
            raise self.error(
                f"{brief(polarity)} is not a polarity",
                "say positive where a higher value is better, negative where a lower one is",
                "polarity",
            )
        return polarity == "negative"


# Measurements -----------------------------------------------------------------------------

_OURS: Final = ("id", "object", "measurand", "value", "study", "original", "group", "scale")


class _Reader:
    """Makes measurements of the items of the list."""

    def __init__(self, path: Path, scales: Mapping[str, Scale], labels: Mapping[str, str]) -> None:
        self.path, self.scales = path, scales
        #: The keys of conditions by their names, however they are spelt.
        self.keys = {folded(name): key for key, label in labels.items() for name in (label, key)}

    def error(self, why: str, line: int | None, field: str, hint: str = "") -> HeaderError:
        return HeaderError(why, file=self.path, line=line, field=field, hint=hint)

    def measurement(self, said: Value, number: int, line: int) -> Measurement:
        field = f"measurements[{number}]"
        if not isinstance(said, YamlMapping):
            hint = "write '- {object: …, measurand: …, value: …}'"
            raise self.error("this is not a mapping", line, field, hint)
        texts = {key: self.text(said, key, field) for key in _OURS}
        for key in ("object", "measurand", "value"):
            if not texts[key]:
                raise self.error(f"the measurement has no {key}", line, field, f"add {key}: …")
        try:
            value = parse_value(texts["value"])
        except HeaderError as error:
            place = _line(said, "value")
            raise self.error(error.why, place, f"{field}.value", error.hint) from None
        return Measurement(
            object=texts["object"],
            measurand=texts["measurand"],
            value=value,
            text=texts["value"].strip(BLANKS),
            conditions=self.conditions(said, field),
            id=texts["id"],
            study=texts["study"],
            is_original=self.truth(said, texts["original"], field),
            group=texts["group"],
            scale=self.scale(said, texts["scale"], field),
            file=str(self.path),
            line=line,
            said={key: one for key, one in said.items() if key not in (*_OURS, "conditions")},
        )

    def text(self, said: YamlMapping, key: str, field: str) -> str:
        value = said.get(key)
        if value is not None and not isinstance(value, str):
            raise self.error("this is not a text", _line(said, key), f"{field}.{key}")
        return value or ""

    def truth(self, said: YamlMapping, text: str, field: str) -> bool:
        if not text:
            return False
        if text.lower() not in _TRUTH:
            line = _line(said, "original")
            raise self.error("this is neither true nor false", line, f"{field}.original")
        return _TRUTH[text.lower()]

    def scale(self, said: YamlMapping, name: str, field: str) -> Scale:
        if not name:
            return UNSTATED
        if name not in self.scales:
            hint = f"describe it: 'scales: {{{name}: {{min: 0}}}}'"
            if self.scales:
                hint += f"; there is {', '.join(self.scales)}"
            line = _line(said, "scale")
            raise self.error(f"there is no scale {brief(name)}", line, f"{field}.scale", hint)
        return self.scales[name]

    def conditions(self, said: YamlMapping, field: str) -> dict[str, str]:
        conditions = said.get("conditions")
        if conditions is None:
            return {}
        if not isinstance(conditions, YamlMapping):
            line = _line(said, "conditions")
            hint = "write 'conditions: {implementation: …, test set: …}'"
            raise self.error("this is not a mapping", line, f"{field}.conditions", hint)
        found: dict[str, str] = {}
        for name, value in conditions.items():
            key = self.keys.setdefault(folded(name), condition_key(name))
            line = _line(conditions, name)
            place = f"{field}.conditions.{name}"
            if value is not None and not isinstance(value, str):
                hint = "describe the condition in a text, or in several conditions"
                raise self.error("this is not a text", line, place, hint)
            if key in found:
                raise self.error("this condition is named twice", line, place)
            if value is not None and value.strip().lower() not in UNKNOWN:
                found[key] = value.strip()
        return found


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
    scales = {**_nameless(table), **table.scales}
    if scales:
        top["scales"] = {name: _described(scale) for name, scale in scales.items()}
    names = dict(_by_ends(scales))
    top["measurements"] = [_row(one, names) for one in table.measurements]
    return dump(top, None)


_Ends = tuple[str, float, float | None, bool]


def _ends(scale: Scale) -> _Ends:
    return scale.name, scale.minimum, scale.maximum, scale.is_lower_better


def _by_ends(scales: Mapping[str, Scale]) -> Iterator[tuple[_Ends, str]]:
    for name, scale in scales.items():
        yield _ends(scale), name


def _is_described(scale: Scale) -> bool:
    """Whether anybody said something of it, if only that lower is better."""
    return scale.is_stated or scale.is_lower_better


def _nameless(table: MeasurementTable) -> dict[str, Scale]:
    """Scales that were given on the command line, under names that say what they are."""
    found = {}
    for one in table.measurements:
        if _is_described(one.scale) and one.scale.name not in table.scales:
            end = "" if one.scale.maximum is None else f" to {one.scale.maximum:g}"
            lower = ", lower is better" if one.scale.is_lower_better else ""
            found[f"{one.scale.minimum:g}{end or ' and up'}{lower}"] = one.scale
    return found


def _described(scale: Scale) -> dict[str, object]:
    if scale.said:
        return dict(scale.said)
    found: dict[str, object] = {"min": f"{scale.minimum:g}"}
    if scale.maximum is not None:
        found["max"] = f"{scale.maximum:g}"
    if scale.is_lower_better:
        found["polarity"] = "negative"
    return found


def _row(one: Measurement, scales: Mapping[_Ends, str]) -> dict[str, object]:
    found: dict[str, object] = {
        "id": one.id,
        "object": one.object,
        "measurand": one.measurand,
        "value": one.text or repr(one.value),
        "study": one.study,
        "original": "true" if one.is_original else "",
        "group": one.group,
        "conditions": dict(one.conditions),
        "scale": scales.get(_ends(one.scale), "") if _is_described(one.scale) else "",
    }
    return {key: value for key, value in found.items() if value} | dict(one.said)
