"""Measurements read back from RDF, in any of its formats."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isclose, isfinite
from pathlib import Path
from typing import Any, Final

from primad_ld.archive.dependants import SOSA
from primad_ld.converters import decimal_lexical, json_value
from primad_ld.errors import ConvertError, HeaderError
from primad_ld.formats import read_index
from primad_ld.index import Index, Object
from primad_ld.namespaces import PRIMAD, XSD
from primad_ld.qra.graph_tables import CONDITION
from primad_ld.qra.measurements import (
    CONDITIONS,
    UNSTATED,
    Measurement,
    MeasurementTable,
    Scale,
    condition_label,
    parse_value,
)

_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}
_MOST_NAMED: Final = 5
# A literal that is this close to its text is that number.
_NEAR: Final = 1e-9


def read_measurements_graph(path: Path, table: str = "") -> MeasurementTable:
    """The measurements of an RDF file; ``table`` is the IRI of theirs, if there are several."""
    with read_index(path) as index:
        return read_table_of(index, str(path), table)


def read_table_of(index: Index, place: str, table: str = "") -> MeasurementTable:
    """The measurements of a table among statements; ``place`` is what messages begin with."""
    there = index.of_type(PRIMAD + "MeasurementTable")
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

    def error(self, node: str, why: str) -> ConvertError:
        return ConvertError(f"{self.place}: <{node}>: {why}")

    def table(self, iri: str) -> MeasurementTable:
        node = _Node(self, iri)
        conditions = {
            one.condition(): one.text("name")
            for one in sorted(node.links("definesCondition"), key=_Node.place)
        }
        scales = sorted(node.links("definesScale"), key=_Node.place)
        found = sorted(node.links("measuredValue"), key=_Node.place)
        if not found:
            raise self.error(iri, "the table has no primad:measuredValue")
        order = {key: number for number, key in enumerate(conditions)}
        return MeasurementTable(
            measurements=tuple(self.measurement(one, order) for one in found),
            conditions={key: label or condition_label(key) for key, label in conditions.items()},
            scales={one.text("name"): self.scale(one) for one in scales},
            said=node.said(),
        )

    def measurement(self, node: _Node, order: dict[str, int]) -> Measurement:
        result = node.one(f"{SOSA}hasSimpleResult", "sosa:hasSimpleResult")
        if result is None:
            raise self.error(node.iri, "the measurement has no sosa:hasSimpleResult")
        value, text = _as_written(*node.number(result), node.text("text"))
        scales = node.links("onScale")
        return Measurement(
            object=node.required("object"),
            measurand=node.required("measurand"),
            value=value,
            text=text,
            conditions=self.conditions(node, order),
            id=node.text("identifier"),
            study=node.text("study"),
            is_original=node.truth("original"),
            group=node.text("group"),
            scale=self.scale(scales[0]) if scales else UNSTATED,
            file=self.place,
            said=node.said(),
        )

    def conditions(self, node: _Node, order: dict[str, int]) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in node.links("underCondition"):
            if one.iri not in self.values:
                self.values[one.iri] = one.condition(), one.required("value")
            key, value = self.values[one.iri]
            if key in found:
                raise self.error(node.iri, f"the condition {key!r} has two values")
            found[key] = value
        last = len(order)
        return dict(sorted(found.items(), key=lambda item: (order.get(item[0], last), item[0])))

    def scale(self, node: _Node) -> Scale:
        if node.iri not in self.scales:
            self.scales[node.iri] = Scale(
                name=node.text("name"),
                minimum=node.figure("scaleMinimum") or 0.0,
                maximum=node.figure("scaleMaximum"),
                is_stated=node.truth("stated"),
                is_lower_better=node.truth("lowerIsBetter"),
                said=node.said(),
            )
        return self.scales[node.iri]


class _Node:
    """A node, asked for what it says by predicates of ours."""

    def __init__(self, reader: _Reader, iri: str) -> None:
        self.reader, self.iri = reader, iri
        self.statements = reader.index.about(iri)

    def one(self, predicate: str, name: str) -> Object | None:
        found = self.statements.get(predicate, [])
        if len(found) > 1:
            raise self.reader.error(self.iri, f"{name} has {len(found)} values, and one is meant")
        return found[0] if found else None

    def _one(self, name: str) -> Object | None:
        return self.one(PRIMAD + name, f"primad:{name}")

    def text(self, name: str) -> str:
        found = self._one(name)
        return found.value if found else ""

    def required(self, name: str) -> str:
        text = self.text(name)
        if not text:
            raise self.reader.error(self.iri, f"there is no primad:{name}")
        return text

    def links(self, name: str) -> list[_Node]:
        """The nodes that a predicate leads to, in the order of their IRIs."""
        found = self.statements.get(PRIMAD + name, [])
        for one in found:
            if one.datatype is not None:
                raise self.reader.error(self.iri, f"primad:{name} leads to a text and to no node")
        return [_Node(self.reader, iri) for iri in sorted(one.value for one in found)]

    def truth(self, name: str) -> bool:
        text = self.text(name)
        if text not in _TRUTH and text:
            raise self.reader.error(self.iri, f"primad:{name} is neither true nor false")
        return _TRUTH.get(text, False)

    def figure(self, name: str) -> float | None:
        found = self._one(name)
        return None if found is None else self.number(found)[0]

    def number(self, found: Object) -> tuple[float, str]:
        """A number, and how people write it."""
        read = _NUMBERS.get((found.datatype or "").removeprefix(XSD))
        try:
            value, text = read(found.value) if read else (float("nan"), "")
        except (ValueError, ArithmeticError):
            value, text = float("nan"), ""
        if not isfinite(value):
            raise self.reader.error(self.iri, f"{found.value[:60]!r} is no number")
        return value, text

    def condition(self) -> str:
        """The key of the condition that it is one of."""
        found = self._one("ofCondition")
        if found is None or not found.value:
            raise self.reader.error(self.iri, "there is no primad:ofCondition")
        key = found.value if found.datatype else found.value.removeprefix(CONDITION)
        if found.datatype is None and key not in CONDITIONS:
            raise self.reader.error(self.iri, f"no condition of measurement is <{found.value}>")
        return key

    def said(self) -> dict[str, Any]:
        """What else is said of it."""
        text = self.text("extra")
        found = json_value(text) if text else {}
        if not isinstance(found, dict):
            raise self.reader.error(self.iri, "primad:extra is no JSON object")
        return found

    def place(self) -> tuple[float, str]:
        """Its place in the order of the table."""
        place = self.figure("position")
        return float("inf") if place is None else place, self.iri


def _as_written(value: float, text: str, written: str) -> tuple[float, str]:
    """A value and its text: the text as it was written has digits that literals lose."""
    try:
        exact = parse_value(written) if written else value
    except HeaderError:
        exact = value
    return exact if isclose(exact, value, rel_tol=_NEAR) else value, written or text


def _decimal(text: str) -> tuple[float, str]:
    number = Decimal(text)
    return float(number), decimal_lexical(number) or repr(float(number))


def _double(text: str) -> tuple[float, str]:
    return float(text), repr(float(text))


_NUMBERS: Final[dict[str, Callable[[str], tuple[float, str]]]] = {
    "decimal": _decimal,
    "integer": _decimal,
    "double": _double,
    "float": _double,
}
