"""What a store answers to a query: rows, yes or no, or a graph; each is an answer in every form (D13).

Terms stay as the store has them. A table makes values of them: numbers, truth values and texts; the
forms of the W3C for SPARQL results, and of RDF, write the terms themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import isfinite
from typing import Any, ClassVar, Final

from primad_ld.core.iris import BASE, PREFIXES, RDF, SCORE, XSD
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.formats import write_graphs
from primad_ld.rdf.subject_index import Object, oxigraph_object
from primad_ld.tables.answers import Answer, Cell, Column, Row, Table, columns

_DIGITS: Final = 4
_TINY: Final = 10**-_DIGITS
#: Variables of named queries that say what a row is about, or its score.
_ESSENTIAL: Final = frozenset(
    "tag score value reference candidate measure on measurand cv_star".split()
)
_LANGUAGE: Final = RDF + "langString"
_RESULTS: Final = "http://www.w3.org/2005/sparql-results#"

_Forms = Mapping[str, Callable[[Any], Iterable[str]]]


@dataclass(frozen=True, slots=True, repr=False)
class Bindings(Answer):
    """What a SELECT query answers: rows of terms, None where a variable is not bound."""

    variables: tuple[str, ...]
    rows: list[tuple[Object | None, ...]]
    #: The variables that people see only if they ask for wide tables.
    wide: frozenset[str] = field(default=frozenset(), compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    own_forms: ClassVar[_Forms] = {
        "xml": lambda bindings: _xml(_sparql_results(bindings)),
        "srj": lambda bindings: _srj(_sparql_results(bindings)),
    }

    def table(self) -> Table:
        """A row for each solution, and a column for each variable."""
        rows = [dict(zip(self.variables, map(value_of, row), strict=True)) for row in self.rows]
        columns = [
            Column(
                name,
                name,
                digits=_digits(name, rows),
                wide=name in self.wide,
                essential=name in _ESSENTIAL,
            )
            for name in self.variables
        ]
        return Table(name="rows", columns=columns, rows=rows)

    def shown(self) -> list[Table]:
        """The same, with the number of rows."""
        return [replace(self.table(), notes=[_count(len(self.rows), "row")])]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, object]]:
        """The rows as dictionaries."""
        return iter(self.to_dicts())


@dataclass(frozen=True, slots=True, repr=False)
class Truth(Answer):
    """What an ASK query answers."""

    holds: bool

    own_forms: ClassVar[_Forms] = {
        "xml": lambda truth: _xml({"head": {}, "boolean": truth.holds}),
        "srj": lambda truth: _srj({"head": {}, "boolean": truth.holds}),
    }

    def table(self) -> Table:
        """One row."""
        return Table(name="rows", columns=columns(answer="answer"), rows=[{"answer": self.holds}])

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return f"<Truth: {'yes' if self.holds else 'no'}>"


@dataclass(frozen=True, slots=True, repr=False)
class Triples(Answer):
    """What a CONSTRUCT or DESCRIBE query answers: lines of N-Triples, sorted, each once."""

    lines: tuple[str, ...]

    default_form: ClassVar[str] = "ttl"
    own_forms: ClassVar[_Forms] = {
        "ttl": lambda graph: write_graphs(
            [NamedGraph(iri=BASE, triples="".join(graph.lines))], "ttl"
        ),
        "nt": lambda graph: graph.lines,
    }

    def table(self) -> Table:
        """A row for each triple."""
        import pyoxigraph

        keys = ("subject", "predicate", "object")
        triples = pyoxigraph.parse("".join(self.lines), format=pyoxigraph.RdfFormat.N_TRIPLES)
        rows = [
            {key: value_of(oxigraph_object(term)) for key, term in zip(keys, triple, strict=False)}
            for triple in triples
        ]
        return Table(name="rows", columns=[Column(key, key) for key in keys], rows=rows)

    def shown(self) -> list[Table]:
        """The same, with the number of triples."""
        return [replace(self.table(), notes=[_count(len(self.lines), "triple")])]


QueryResult = Bindings | Truth | Triples


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# Values -----------------------------------------------------------------------------------

_INTEGERS: Final = frozenset(
    XSD + name
    for name in (
        "integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger "
        "negativeInteger unsignedLong unsignedInt unsignedShort unsignedByte gYear"
    ).split()
)
# More digits are a text: DataFrames and other programs have 64 bits.
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DOUBLE: Final = re.compile(rf"(?:{_DECIMAL.pattern})(?:[eE][+-]?[0-9]+)?")
_REALS: Final = {XSD + "decimal": _DECIMAL, XSD + "double": _DOUBLE, XSD + "float": _DOUBLE}
_TRUTHS: Final = {"true": True, "1": True, "false": False, "0": False}
_SHORT: Final = {**PREFIXES, "score": SCORE, "": BASE}


def value_of(term: Object | None) -> object:
    """A term as a number or a truth value where it is one, else as text; people see short IRIs.

    Numbers that JSON cannot say, such as NaN, are texts, and so is what its datatype does not allow.
    """
    if term is None:
        return None
    text, datatype = term.value, term.datatype
    if datatype is None:
        short = _shortened(text)
        return text if short == text else Cell(text, short)
    if datatype == XSD + "boolean":
        return _TRUTHS.get(text, text)
    if datatype in _INTEGERS and _INTEGER.fullmatch(text):
        return int(text)
    pattern = _REALS.get(datatype)
    if pattern is None or not pattern.fullmatch(text) or not isfinite(float(text)):
        return text
    real = float(text)
    number = Decimal(text) if datatype == XSD + "decimal" else real
    return Cell(number, f"{real:.2g}") if 0 < abs(real) < _TINY else number


def _shortened(iri: str) -> str:
    """An IRI with a known prefix, or without the base of all names."""
    for prefix, namespace in _SHORT.items():
        if iri.startswith(namespace) and len(iri) > len(namespace):
            rest = iri[len(namespace) :]
            return f"{prefix}:{rest}" if prefix else rest
    return iri


def _digits(key: str, rows: Iterable[Row]) -> int | None:
    """How many digits of a column people read: all of them, or four where one number has more."""
    cells = (row[key] for row in rows)
    numbers = [float(cell) for cell in cells if isinstance(cell, float | Decimal)]
    return _DIGITS if any(round(number, _DIGITS) != number for number in numbers) else None


# Forms of the W3C -------------------------------------------------------------------------


def _sparql_results(bindings: Bindings) -> dict[str, Any]:
    """A table of terms as SPARQL 1.1 Query Results JSON has it."""
    solutions = [
        {
            name: _term(cell)
            for name, cell in zip(bindings.variables, row, strict=True)
            if cell is not None
        }
        for row in bindings.rows
    ]
    return {"head": {"vars": [*bindings.variables]}, "results": {"bindings": solutions}}


def _term(term: Object) -> dict[str, str]:
    if term.datatype is None:
        is_blank = term.value.startswith("_:")
        return {"type": "bnode" if is_blank else "uri", "value": term.value.removeprefix("_:")}
    literal = {"type": "literal", "value": term.value}
    if term.language:
        literal["xml:lang"] = term.language
    elif term.datatype not in (XSD + "string", _LANGUAGE):
        literal["datatype"] = term.datatype
    return literal


def _srj(results: dict[str, Any]) -> Iterator[str]:
    yield json.dumps(results, ensure_ascii=False, indent=1) + "\n"


# What XML cannot say at all.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Readers change or leave out these where they are not written as references.
_BLANKS: Final = re.compile(r"[\r\n\t]|(?<=>) | (?=<)")


def _xml(results: dict[str, Any]) -> Iterator[str]:
    """The same as SPARQL Query Results XML; what XML cannot say, wherever it stands, is U+FFFD."""
    from xml.etree import ElementTree as ET

    root = ET.Element("sparql", xmlns=_RESULTS)
    head = ET.SubElement(root, "head")
    for name in results["head"].get("vars", ()):
        ET.SubElement(head, "variable", name=name)
    if "boolean" in results:
        ET.SubElement(root, "boolean").text = str(results["boolean"]).lower()
    else:
        solutions = ET.SubElement(root, "results")
        for solution in results["results"]["bindings"]:
            result = ET.SubElement(solutions, "result")
            for name, term in solution.items():
                about = {key: term[key] for key in ("xml:lang", "datatype") if key in term}
                binding = ET.SubElement(result, "binding", name=name)
                ET.SubElement(binding, term["type"], about).text = term["value"]
    text = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", ET.tostring(root, encoding="unicode"))
    text = _BLANKS.sub(lambda blank: f"&#{ord(blank[0])};", text)
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
