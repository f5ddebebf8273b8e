"""Measurements as RDF, and back: what a table says is one graph, named by its content.

Each measurement is a sosa:Observation with its object, measurand, value and conditions, and with
whatever else a file says of it, so that nothing is lost on the way back. Any format of RDF is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isclose
from pathlib import Path
from typing import Any, Final

from primad_ld.archive.result_terms import (
    ME,
    decimal_token,
    graph_of,
    integer_token,
    is_near,
    json_token,
    predicate,
    text_token,
    type_of,
)
from primad_ld.archive.run_dependants import SOSA
from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.iris import BASE, PRIMAD, RDF_TYPE, SCHEME, XSD, is_iri
from primad_ld.core.triples import NamedGraph
from primad_ld.qra.measurements import (
    CONDITIONS,
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    condition_label,
    parse_value,
)
from primad_ld.rdf.formats import read_index
from primad_ld.rdf.record_nodes import RecordNode
from primad_ld.rdf.subject_index import Index
from primad_ld.schema.converters import BY_NAME, typed

#: The concept of a condition: this and its key.
CONDITION: Final = f"{SCHEME}condition-"
#: What a measurement says beside its fields, if it is of a run: the IRI of that run. Without it,
#: the object itself may be one.
_RUN_KEY: Final = "run"
# Measures of trec_eval whose names, with or without a cutoff, mean nothing else.
_OF_RANKINGS: Final = frozenset(
    "map gm_map infAP 11pt_avg Rprec recip_rank ndcg ndcg_rel Rndcg bpref gm_bpref".split()
)
_CUTOFF: Final = re.compile(r"_[0-9.]+$")
# From here on, a number is written with its exponent.
_LARGE: Final = 1e15
_TABLE: Final = PRIMAD + "MeasurementTable"
_MOST_NAMED: Final = 5
#: The terms of what a measurement says in texts.
_TEXTS: Final = {
    "measuredObjectName": "object",
    "measurand": "measurand",
    "localIdentifier": "id",
    "measuredInStudy": "study",
    "measurementGroup": "group",
}
_NEEDED: Final = ("object", "measurand")
# A literal that is this close to its text is that number.
_NEAR: Final = 1e-9


def table_graph(table: MeasurementTable, *, base: str = BASE) -> NamedGraph:
    """The graph of a table of measurements."""
    return graph_of(TableWriter(table).lines(), "measurements", base)


# Writing ----------------------------------------------------------------------------------


class TableWriter:
    """Writes the lines of a table, whose name is not known yet."""

    def __init__(self, table: MeasurementTable) -> None:
        self.table = table
        self.objects, self.measurands = _Nodes("object-"), _Nodes("measurand-")
        named = [*table.conditions, *(key for one in table.measurements for key in one.conditions)]
        numbered = enumerate(dict.fromkeys(named), 1)
        self.conditions = {key: _Nodes(f"condition-{n}.") for n, key in numbered}
        self.scales: list[Scale] = []
        for scale in [*table.scales.values(), *(one.scale for one in table.measurements)]:
            # A scale that nobody described says nothing.
            if scale not in self.scales and scale != Scale(said=scale.said):
                self.scales.append(scale)

    def lines(self) -> Iterator[str]:
        me, table = f"<{ME}>", self.table
        count = integer_token(len(table.measurements))
        yield from described(
            me, "MeasurementTable", measurementCount=count, extra=_extra(table.said)
        )
        for number, one in enumerate(table.measurements, 1):
            node = f"<{ME}#measurement-{number}>"
            yield from described(me, measuredValue=node)
            yield from self.measurement(one, node, number)
        for number, (key, values) in enumerate(self.conditions.items(), 1):
            condition = condition_token(key)
            if key in table.conditions:
                node = f"<{ME}#condition-{number}>"
                yield from described(me, definesCondition=node)
                yield from described(
                    node,
                    "NamedCondition",
                    position=integer_token(number),
                    ofCondition=condition,
                    name=text_token(table.conditions[key]),
                )
            for value, node in values:
                token = text_token(value)
                yield from described(
                    node, "ConditionOfMeasurement", ofCondition=condition, value=token
                )
        for scale in table.scales.values():
            yield from described(me, definesScale=self.scale_node(scale))
        for number, scale in enumerate(self.scales, 1):
            yield from described(
                self.scale_node(scale),
                "MeasurementScale",
                position=integer_token(number),
                name=text_or_nothing(scale.name),
                isStated=_truth(scale.is_stated),
                extra=_extra(scale.said),
                **end_tokens(scale),
            )
        for nodes, kind in ((self.objects, "MeasuredObject"), (self.measurands, "Measurand")):
            for name, node in nodes:
                yield from described(node, kind, name=text_token(name))

    def measurement(self, one: Measurement, node: str, number: int) -> Iterator[str]:
        text = one.text or _text_of(one.value)
        token = _result_token(one.value, text)
        yield f"{node} <{RDF_TYPE}> <{SOSA}Observation>"
        yield f"{node} <{SOSA}hasFeatureOfInterest> {self.feature(one)}"
        yield f"{node} <{SOSA}observedProperty> {self.quantity(one)}"
        yield f"{node} <{SOSA}hasSimpleResult> {token}"
        # Where a literal loses something, and stores respell it, the text has it all.
        is_whole = text == token[1:].partition('"')[0] and token.endswith("decimal>")
        yield from described(
            node,
            "MeasuredValue",
            position=integer_token(number),
            text="" if is_whole else text_token(text),
            isOriginal=_truth(one.is_original),
            onScale=self.scale_node(one.scale),
            extra=_extra(one.said),
            **{name: text_or_nothing(getattr(one, field)) for name, field in _TEXTS.items()},
        )
        for key, value in one.conditions.items():
            yield from described(node, underCondition=self.conditions[key].node(value))

    def feature(self, one: Measurement) -> str:
        """What was measured: a run, or something that has no name but here."""
        run = run_of(one)
        return f"<{run}>" if run else self.objects.node(one.object)

    def quantity(self, one: Measurement) -> str:
        """What was measured of it: a measure that is known, or something that is named here."""
        return measure_token(one) or self.measurands.node(one.measurand)

    def scale_node(self, scale: Scale) -> str:
        """The node of a scale; "" for one that nobody described."""
        return f"<{ME}#scale-{self.scales.index(scale) + 1}>" if scale in self.scales else ""


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


# Terms ------------------------------------------------------------------------------------


def run_of(one: Measurement) -> str:
    """The IRI of the run that was measured; "" where it is no run of an archive."""
    run = one.said.get(_RUN_KEY, one.object)
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


def condition_token(key: str) -> str:
    """A condition of measurement: a concept if it is one of the seven, else its name."""
    return f"<{CONDITION}{key}>" if key in CONDITIONS else text_token(key)


def figure_token(value: float) -> str:
    """A number as a decimal of 15 digits, as a double where that would be another number."""
    token = decimal_token(value)
    if token is None or not is_near(token, value):
        return typed(repr(float(value)), XSD + "double")
    return token


def text_or_nothing(text: str) -> str:
    """A text as a term; "" where it says nothing."""
    return text_token(text) if text else ""


def _truth(is_so: bool) -> str:
    return typed("true", XSD + "boolean") if is_so else ""


def _extra(said: Mapping[str, Any]) -> str:
    return json_token(said) if said else ""


def end_tokens(scale: Scale) -> dict[str, str]:
    """Where a scale begins and ends, and which end is the good one, by the terms for it."""
    return {
        "scaleMinimum": figure_token(scale.minimum),
        "scaleMaximum": "" if scale.maximum is None else figure_token(scale.maximum),
        "lowerIsBetter": _truth(scale.is_lower_better),
    }


def described(node: str, kind: str = "", **tokens: str) -> Iterator[str]:
    """What a node is and says by predicates of ours; a token that is empty says nothing."""
    if kind:
        yield f"{node}{type_of(kind)}"
    for name, token in tokens.items():
        if token:
            yield f"{node}{predicate(name)}{token}"


# Reading ----------------------------------------------------------------------------------


def read_measurements_graph(path: Path, table: str = "") -> MeasurementTable:
    """The measurements of an RDF file; ``table`` is the IRI of theirs, if there are several.

    Of a replication track, the scores that were submitted and obtained.
    """
    with read_index(path) as index:
        is_track = not index.of_type(_TABLE) and index.of_type(PRIMAD + "ReplicationTrack")
        if not is_track:
            return read_table_of(index, str(path), table)
    from primad_ld.qra.track_measurements import measurements_of_track
    from primad_ld.replication.track_graphs import read_track_graph

    return measurements_of_track(read_track_graph(path))


def read_table_of(index: Index, place: str, table: str = "") -> MeasurementTable:
    """The measurements of a table among statements; ``place`` is what messages begin with."""
    there = index.of_type(_TABLE)
    if not there:
        raise ConvertError(f"{place}: there is no primad:MeasurementTable in it")
    if table and table not in there:
        raise ConvertError(f"{place}: there is no table <{table}>; there is {_listed(there)}")
    if not table and len(there) > 1:
        raise ConvertError(
            f"{place}: there are {len(there)} tables of measurements ({_listed(there)}); "
            "put one of them into a file of its own"
        )
    return _TableReader(index, place).table(table or there[0])


def _listed(iris: list[str]) -> str:
    more = ", …" if len(iris) > _MOST_NAMED else ""
    return ", ".join(f"<{iri}>" for iri in iris[:_MOST_NAMED]) + more


class _TableReader:
    """Makes records of the nodes of one table."""

    def __init__(self, index: Index, place: str) -> None:
        self.index, self.place = index, place
        self.scales: dict[str, Scale] = {}
        self.values: dict[str, tuple[str, str]] = {}

    def table(self, iri: str) -> MeasurementTable:
        node = RecordNode(self.index, self.place, iri)
        conditions = {_condition(one): one.text("name") for one in node.links("definesCondition")}
        scales = node.links("definesScale")
        found = node.links("measuredValue")
        if not found:
            raise node.error("the table has no primad:measuredValue")
        order = {key: number for number, key in enumerate(conditions)}
        return MeasurementTable(
            measurements=tuple(self.measurement(one, order) for one in found),
            conditions={key: label or condition_label(key) for key, label in conditions.items()},
            scales={one.text("name"): self.scale(one) for one in scales},
            said=node.said(),
        )

    def measurement(self, node: RecordNode, order: dict[str, int]) -> Measurement:
        result = node.one(f"{SOSA}hasSimpleResult", "sosa:hasSimpleResult")
        if result is None:
            raise node.error("the measurement has no sosa:hasSimpleResult")
        value, text = _as_written(*node.number(result), node.text("text"))
        scales = node.links("onScale")
        texts: dict[str, Any] = {
            field: node.required(name) if field in _NEEDED else node.text(name)
            for name, field in _TEXTS.items()
        }
        return Measurement(
            **texts,
            value=value,
            text=text,
            conditions=self.conditions(node, order),
            is_original=node.truth("isOriginal"),
            scale=self.scale(scales[0]) if scales else UNSTATED,
            file=self.place,
            said=node.said(),
        )

    def conditions(self, node: RecordNode, order: dict[str, int]) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in node.links("underCondition"):
            if one.iri not in self.values:
                self.values[one.iri] = _condition(one), one.required("value")
            key, value = self.values[one.iri]
            if key in found:
                raise node.error(f"the condition {key!r} has two values")
            found[key] = value
        last = len(order)
        return dict(sorted(found.items(), key=lambda item: (order.get(item[0], last), item[0])))

    def scale(self, node: RecordNode) -> Scale:
        if node.iri not in self.scales:
            self.scales[node.iri] = Scale(
                name=node.text("name"),
                minimum=node.figure("scaleMinimum") or 0.0,
                maximum=node.figure("scaleMaximum"),
                is_stated=node.truth("isStated"),
                is_lower_better=node.truth("lowerIsBetter"),
                said=node.said(),
            )
        return self.scales[node.iri]


def _condition(node: RecordNode) -> str:
    """The key of the condition that it is one of."""
    found = node.only("ofCondition")
    if found is None or not found.value:
        raise node.error("there is no primad:ofCondition")
    key = found.value if found.datatype else found.value.removeprefix(CONDITION)
    if found.datatype is None and key not in CONDITIONS:
        raise node.error(f"no condition of measurement is <{found.value}>")
    return key


def _as_written(value: float, text: str, written: str) -> tuple[float, str]:
    """A value and its text: the text as it was written has digits that literals lose."""
    try:
        exact = parse_value(written) if written else value
    except HeaderError:
        exact = value
    return exact if isclose(exact, value, rel_tol=_NEAR) else value, written or text
