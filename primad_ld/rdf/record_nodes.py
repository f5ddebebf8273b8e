"""Nodes of RDF files that are read as records, with errors that name the file and the node."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from primad_ld.core.errors import ConvertError
from primad_ld.core.iris import PRIMAD, XSD
from primad_ld.rdf.subject_index import Index, Object
from primad_ld.schema.converters import decimal_lexical, json_value

_TRUTH: Final = {"true": True, "1": True, "false": False, "0": False}


class RecordNode:
    """A node, asked for what it says by predicates of ours."""

    def __init__(self, index: Index, place: str, iri: str) -> None:
        self.index, self.place, self.iri = index, place, iri
        self.statements = index.about(iri)

    def error(self, why: str) -> ConvertError:
        """What is wrong with it."""
        return ConvertError(f"{self.place}: <{self.iri}>: {why}")

    def one(self, predicate: str, name: str) -> Object | None:
        """What a predicate leads to, of which there may be one; ``name`` is what people call it."""
        found = self.statements.get(predicate, [])
        if len(found) > 1:
            raise self.error(f"{name} has {len(found)} values, expected one")
        return found[0] if found else None

    def only(self, name: str) -> Object | None:
        """What one of our predicates leads to."""
        return self.one(PRIMAD + name, f"primad:{name}")

    def text(self, name: str) -> str:
        """The text that a predicate leads to; "" where there is none."""
        found = self.only(name)
        return found.value if found else ""

    def required(self, name: str) -> str:
        """A text that has to be there."""
        text = self.text(name)
        if not text:
            raise self.error(f"primad:{name} is missing")
        return text

    def links(self, name: str) -> list[RecordNode]:
        """The nodes that a predicate leads to, in their order."""
        found = self.statements.get(PRIMAD + name, [])
        for one in found:
            if one.datatype is not None:
                raise self.error(f"primad:{name} is a literal, not a node")
        return sorted(
            (RecordNode(self.index, self.place, one.value) for one in found), key=RecordNode.order
        )

    def truth(self, name: str) -> bool:
        """A truth value; false where there is none."""
        text = self.text(name)
        if text not in _TRUTH and text:
            raise self.error(f"primad:{name} must be true or false")
        return _TRUTH.get(text, False)

    def figure(self, name: str) -> float | None:
        """A number; None where there is none."""
        found = self.only(name)
        return None if found is None else self.number(found)[0]

    def number(self, found: Object) -> tuple[float, str]:
        """A number, and how people write it."""
        read = _NUMBERS.get((found.datatype or "").removeprefix(XSD))
        try:
            value, text = read(found.value) if read else (float("nan"), "")
        except (ValueError, ArithmeticError):
            value, text = float("nan"), ""
        if not isfinite(value):
            raise self.error(f"{found.value[:60]!r} is not a number")
        return value, text

    def said(self) -> dict[str, Any]:
        """What else is said of it."""
        return self.json("extra")

    def json(self, name: str) -> dict[str, Any]:
        """The JSON object that a predicate leads to; empty where there is none."""
        text = self.text(name)
        found = json_value(text) if text else {}
        if not isinstance(found, dict):
            raise self.error(f"primad:{name} is not a JSON object")
        return found

    def order(self) -> tuple[float, str]:
        """Its place among others of its kind."""
        place = self.figure("position")
        return float("inf") if place is None else place, self.iri


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
