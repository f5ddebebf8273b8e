"""Measurements read back from RDF, in any of its formats."""

from __future__ import annotations

from math import isclose
from pathlib import Path
from typing import Final

from primad_ld.archive.dependants import SOSA
from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.iris import PRIMAD
from primad_ld.qra.measurement_graphs import CONDITION
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

_TABLE: Final = PRIMAD + "MeasurementTable"
_MOST_NAMED: Final = 5
# A literal that is this close to its text is that number.
_NEAR: Final = 1e-9


def read_measurements_graph(path: Path, table: str = "") -> MeasurementTable:
    """The measurements of an RDF file; ``table`` is the IRI of theirs, if there are several.

    Of a replication track, the scores that were submitted and obtained.
    """
    with read_index(path) as index:
        is_track = not index.of_type(_TABLE) and index.of_type(PRIMAD + "ReplicationTrack")
        if not is_track:
            return read_table_of(index, str(path), table)
    from primad_ld.qra.track_measurements import measurements_of_track
    from primad_ld.replication.graph import read_track_graph

    return measurements_of_track(read_track_graph(path))


def read_table_of(index: Index, place: str, table: str = "") -> MeasurementTable:
    """The measurements of a table among statements; ``place`` is what messages begin with."""
    there = index.of_type(_TABLE)
    if not there:
        raise ConvertError(f"{place}: there is no primad:MeasurementTable in it")
    if table and table not in there:
        raise ConvertError(f"{place}: there is no table <{table}>; there is {_named(there)}")
    if not table and len(there) > 1:
        raise ConvertError(
            f"{place}: there are {len(there)} tables of measurements ({_named(there)}); "
            "put one of them into a file of its own"
        )
    return _Reader(index, place).table(table or there[0])


def _named(iris: list[str]) -> str:
    more = ", …" if len(iris) > _MOST_NAMED else ""
    return ", ".join(f"<{iri}>" for iri in iris[:_MOST_NAMED]) + more


class _Reader:
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
        return Measurement(
            object=node.required("measuredObjectName"),
            measurand=node.required("measurand"),
            value=value,
            text=text,
            conditions=self.conditions(node, order),
            id=node.text("localIdentifier"),
            study=node.text("measuredInStudy"),
            is_original=node.truth("isOriginal"),
            group=node.text("measurementGroup"),
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
