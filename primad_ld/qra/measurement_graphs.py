"""Measurements as RDF: what a table says is one graph, named by its content.

Each measurement is a sosa:Observation with its object, measurand, value and conditions, and with
whatever else a file says of it, so that nothing is lost on the way back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from primad_ld.archive.dependants import SOSA
from primad_ld.archive.result_terms import (
    ME,
    decimal_token,
    graph_of,
    integer_token,
    is_near,
    json_token,
    plain,
    predicate,
    text_token,
    type_of,
)
from primad_ld.core.errors import HeaderError
from primad_ld.core.iris import BASE, RDF_TYPE, SCHEME, XSD, is_iri
from primad_ld.core.triples import NamedGraph
from primad_ld.qra.measurements import CONDITIONS, Measurement, MeasurementTable, Scale, parse_value
from primad_ld.schema.converters import BY_NAME, typed

#: The concept of a condition: this and its key.
CONDITION: Final = f"{SCHEME}condition-"
#: What a measurement says beside its fields, if it is of a run: the IRI of that run. Without it,
#: the object itself may be one.
RUN_KEY: Final = "run"
# Measures of trec_eval whose names, with or without a cutoff, mean nothing else.
_OF_RANKINGS: Final = frozenset(
    "map gm_map infAP 11pt_avg Rprec recip_rank ndcg ndcg_rel Rndcg bpref gm_bpref".split()
)
_CUTOFF: Final = re.compile(r"_[0-9.]+$")
# From here on, a number is written with its exponent.
_LARGE: Final = 1e15
_TRUE: Final = typed("true", XSD + "boolean")


def figure_token(value: float) -> str:
    """A number as a decimal of 15 digits, as a double where that would be another number."""
    token = decimal_token(value)
    if token is None or not is_near(token, value):
        return typed(repr(float(value)), XSD + "double")
    return token


def condition_token(key: str) -> str:
    """A condition of measurement: a concept if it is one of the seven, else its name."""
    return f"<{CONDITION}{key}>" if key in CONDITIONS else text_token(key)


def run_of(one: Measurement) -> str:
    """The IRI of the run that was measured; "" where it is no run of an archive."""
    run = one.said.get(RUN_KEY, one.object)
    return run if isinstance(run, str) and "/run/" in run and is_iri(run) else ""


def measure_token(one: Measurement) -> str:
    """The concept of the measure that a measurand is; "" where it is none that is known.

    Of a run it is. In a table of anything, "Precision", "Recall" or "G" may be quantities of
    other fields, so only names that mean rankings there are linked.
    """
    known = BY_NAME["measure"].read(one.measurand)
    if known is None:
        return ""
    name = BY_NAME["measure"].write(known.token[1:-1])
    is_clear = name in _OF_RANKINGS or _CUTOFF.search(name) is not None
    return known.token if is_clear or run_of(one) else ""


# Measurements -----------------------------------------------------------------------------


class _Nodes:
    """Numbered nodes for things of one kind, each once. The first is 1."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._numbers: dict[object, int] = {}

    def __iter__(self) -> Iterator[tuple[Any, str]]:
        return ((thing, self.node(thing)) for thing in self._numbers)

    def node(self, thing: object) -> str:
        number = self._numbers.setdefault(thing, len(self._numbers) + 1)
        return f"<{ME}#{self.kind}{number}>"


class TableWriter:
    """Writes the lines of a table, whose name is not known yet."""

    def __init__(self, table: MeasurementTable) -> None:
        self.table = table
        self.objects, self.measurands = _Nodes("object-"), _Nodes("measurand-")
        named = [*table.conditions, *(key for one in table.measurements for key in one.conditions)]
        self.conditions = {key: _Nodes(f"condition-{n}.") for n, key in _numbered(named)}
        self._scale_keys: dict[int, str] = {}
        self.scales: dict[str, Scale] = {}
        for scale in [*table.scales.values(), *(one.scale for one in table.measurements)]:
            key = self._scale_key(scale)
            # A scale that nobody described says nothing.
            if scale.is_stated or scale != Scale(said=scale.said):
                self.scales.setdefault(key, scale)
        self._scale_numbers = {key: number for number, key in enumerate(self.scales, 1)}

    def _scale_key(self, scale: Scale) -> str:
        """What is equal for equal scales; measurements share most of them."""
        known = self._scale_keys.get(id(scale))
        if known is None:
            said = [scale.name, repr(scale.minimum), repr(scale.maximum), scale.is_stated]
            known = json.dumps([*said, scale.is_lower_better, plain(scale.said)])
            self._scale_keys[id(scale)] = known
        return known

    def lines(self) -> Iterator[str]:
        me, table = f"<{ME}>", self.table
        yield f"{me}{type_of('MeasurementTable')}"
        yield f"{me}{predicate('measurementCount')}{integer_token(len(table.measurements))}"
        yield from _extra(me, table.said)
        for number, one in enumerate(table.measurements, 1):
            yield f"{me}{predicate('measuredValue')}{_measurement_node(number)}"
            yield from self.measurement(one, number)
        yield from self.described_conditions()
        yield from self.described_scales()
        for nodes, kind in ((self.objects, "MeasuredObject"), (self.measurands, "Measurand")):
            for name, node in nodes:
                yield f"{node}{type_of(kind)}"
                yield f"{node}{predicate('name')}{text_token(name)}"

    def measurement(self, one: Measurement, number: int) -> Iterator[str]:
        me = _measurement_node(number)
        yield f"{me}{type_of('MeasuredValue')}"
        yield f"{me} <{RDF_TYPE}> <{SOSA}Observation>"
        yield f"{me}{predicate('position')}{integer_token(number)}"
        yield f"{me} <{SOSA}hasFeatureOfInterest> {self.feature(one)}"
        yield f"{me} <{SOSA}observedProperty> {self.quantity(one)}"
        text = one.text or _text_of(one.value)
        token = _result_token(one.value, text)
        yield f"{me} <{SOSA}hasSimpleResult> {token}"
        # Where a literal loses something, and stores respell it, the text has it all.
        if text != token[1:].partition('"')[0] or not token.endswith("decimal>"):
            yield f"{me}{predicate('text')}{text_token(text)}"
        yield from _texts(me, one)
        if one.is_original:
            yield f"{me}{predicate('isOriginal')}{_TRUE}"
        if self._scale_key(one.scale) in self.scales:
            yield f"{me}{predicate('onScale')}{self.scale_node(one.scale)}"
        for key, value in one.conditions.items():
            yield f"{me}{predicate('underCondition')}{self.conditions[key].node(value)}"
        yield from _extra(me, one.said)

    def feature(self, one: Measurement) -> str:
        """What was measured: a run, or something that has no name but here."""
        run = run_of(one)
        return f"<{run}>" if run else self.objects.node(one.object)

    def quantity(self, one: Measurement) -> str:
        """What was measured of it: a measure that is known, or something that is named here."""
        return measure_token(one) or self.measurands.node(one.measurand)

    def described_conditions(self) -> Iterator[str]:
        for number, (key, values) in enumerate(self.conditions.items(), 1):
            if key in self.table.conditions:
                node = f"<{ME}#condition-{number}>"
                yield f"<{ME}>{predicate('definesCondition')}{node}"
                yield f"{node}{type_of('NamedCondition')}"
                yield f"{node}{predicate('position')}{integer_token(number)}"
                yield f"{node}{predicate('ofCondition')}{condition_token(key)}"
                yield f"{node}{predicate('name')}{text_token(self.table.conditions[key])}"
            for value, inner in values:
                yield f"{inner}{type_of('ConditionOfMeasurement')}"
                yield f"{inner}{predicate('ofCondition')}{condition_token(key)}"
                yield f"{inner}{predicate('value')}{text_token(value)}"

    def scale_node(self, scale: Scale) -> str:
        return f"<{ME}#scale-{self._scale_numbers[self._scale_key(scale)]}>"

    def described_scales(self) -> Iterator[str]:
        for name in self.table.scales:
            node = self.scale_node(self.table.scales[name])
            yield f"<{ME}>{predicate('definesScale')}{node}"
        for number, scale in enumerate(self.scales.values(), 1):
            node = f"<{ME}#scale-{number}>"
            yield f"{node}{type_of('MeasurementScale')}"
            yield f"{node}{predicate('position')}{integer_token(number)}"
            if scale.name:
                yield f"{node}{predicate('name')}{text_token(scale.name)}"
            if scale.is_stated:
                yield f"{node}{predicate('isStated')}{_TRUE}"
            yield from end_lines(node, scale)
            yield from _extra(node, scale.said)


def _numbered(names: Iterable[str]) -> Iterator[tuple[int, str]]:
    return enumerate(dict.fromkeys(names), 1)


def _measurement_node(number: int) -> str:
    return f"<{ME}#measurement-{number}>"


def _result_token(value: float, text: str) -> str:
    """A value as a decimal, if that or the text beside it gives all of its digits."""
    token = figure_token(value)
    if float(token[1:].partition('"')[0]) == value:
        return token
    try:
        is_told = parse_value(text) == value
    except HeaderError:
        is_told = False
    return token if is_told else typed(repr(float(value)), XSD + "double")


def _text_of(value: float) -> str:
    """A number that nobody wrote: 91 rather than 91.0."""
    return repr(int(value)) if value.is_integer() and abs(value) < _LARGE else repr(value)


def _texts(me: str, one: Measurement) -> Iterator[str]:
    said = {"measuredObjectName": one.object, "measurand": one.measurand}
    said |= {
        "localIdentifier": one.id,
        "measuredInStudy": one.study,
        "measurementGroup": one.group,
    }
    for name, text in said.items():
        if text:
            yield f"{me}{predicate(name)}{text_token(text)}"


def _extra(me: str, said: Mapping[str, Any]) -> Iterator[str]:
    if said:
        yield f"{me}{predicate('extra')}{json_token(said)}"


def end_lines(me: str, scale: Scale) -> Iterator[str]:
    yield f"{me}{predicate('scaleMinimum')}{figure_token(scale.minimum)}"
    if scale.maximum is not None:
        yield f"{me}{predicate('scaleMaximum')}{figure_token(scale.maximum)}"
    if scale.is_lower_better:
        yield f"{me}{predicate('lowerIsBetter')}{_TRUE}"


def table_graph(table: MeasurementTable, *, base: str = BASE) -> NamedGraph:
    """The graph of a table of measurements."""
    return graph_of(TableWriter(table).lines(), "measurements", base)
