"""Values of literals: which forms are well-typed, and how they are ordered."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad_ld.core.iris import RDF, RDFS, XSD
from primad_ld.rdf.subject_index import Object
from primad_ld.shacl.literals import (
    ABOVE,
    AT_LEAST,
    AT_MOST,
    BELOW,
    LANGUAGE,
    LESS,
    LESS_OR_EQUAL,
    STRING,
    is_text,
    number,
    quiet_rdflib,
    rdflib_literal,
    typed_as,
)


def literal(text: str, kind: str = "string") -> Object:
    return Object(text, XSD + kind)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("integer", ["0", "+5", " 4 ", "1_0"], ["1.5", "", "x"]),  # what Python's int takes
        ("byte", ["-128", "127"], ["128", "-129"]),
        ("positiveInteger", ["1"], ["0", "-1"]),
        ("long", ["99999999999999999999"], ["1e3"]),  # rdflib sets it no limits
        ("decimal", ["1.50", "1e3", "NaN"], ["1,5", ""]),
        ("double", ["1e0", "inf", "nan"], ["one"]),
        ("boolean", ["true", "1"], ["True", "yes"]),
        ("date", ["2024-02-29", "2021-05-01Z", "2020-01-01+02:00"], ["2023-02-29", "2020"]),
        ("dateTime", ["2020-01-01T00:00:00Z"], ["2020-01-01T25:00:00"]),
        ("time", ["12:00:00"], ["12:61:00"]),
        ("hexBinary", ["ff"], ["fx"]),
        ("duration", ["P1D"], ["1 day"]),
        ("gYear", ["2019", "x"], []),  # rdflib does not know it, so nothing is wrong
    ],
)
def test_well_typed(kind: str, good: list[str], bad: list[str]) -> None:
    is_typed = typed_as(XSD + kind)
    assert [text for text in good if not is_typed(literal(text, kind))] == []
    assert [text for text in bad if is_typed(literal(text, kind))] == []
    assert not is_typed(Object("http://example.org/a"))
    assert not is_typed(literal("1", "anyURI"))


def test_any_literal_and_any_with_a_datatype() -> None:
    text, one, iri = literal("a"), literal("1", "integer"), Object("http://example.org/a")
    assert [typed_as(RDFS + "Literal")(node) for node in (text, one, iri)] == [True, True, False]
    assert [typed_as(RDFS + "Datatype")(node) for node in (text, one, iri)] == [False, True, False]


def test_numbers_and_texts() -> None:
    assert number(literal("1.50", "decimal")) == Decimal("1.5")
    assert number(literal("300", "byte")) is None
    assert number(literal("1")) is None
    assert number(Object("http://example.org/1")) is None
    assert is_text(literal("a"))
    assert is_text(Object("a", LANGUAGE, "en"))
    assert not is_text(literal("1", "integer"))
    assert LANGUAGE == RDF + "langString"
    assert STRING == XSD + "string"


ORDERS = (ABOVE, AT_LEAST, BELOW, AT_MOST)


@pytest.mark.parametrize(
    ("value", "bound", "expected"),
    [
        (literal("2", "integer"), literal("1.5", "decimal"), (True, True, False, False)),
        (literal("1", "integer"), literal("1e0", "double"), (False, True, False, True)),
        (literal("NaN", "double"), literal("0", "integer"), (False, False, True, True)),
        (literal("NaN", "decimal"), literal("0", "integer"), (False,) * 4),
        (literal("2021-01-01", "date"), literal("2020-06-30", "date"), (True, True, False, False)),
        (literal("a"), literal("1", "integer"), (False,) * 4),
        (literal("b"), literal("a"), (True, True, False, False)),
        (Object("http://example.org/a"), literal("1", "integer"), (False,) * 4),
    ],
)
def test_ranges(value: Object, bound: Object, expected: tuple[bool, ...]) -> None:
    assert tuple(holds(value, bound) for holds in ORDERS) == expected


@given(st.integers(), st.decimals(allow_nan=False, allow_infinity=False))
def test_numbers_are_ordered_by_their_values(one: int, other: Decimal) -> None:
    first, second = literal(str(one), "integer"), literal(str(other), "decimal")
    assert ABOVE(first, second) == AT_MOST(second, first) * (one != other) == (one > other)
    assert LESS(first, second) == (one < other)
    assert LESS_OR_EQUAL(first, second) == (one <= other)


def test_iris_are_less_as_texts() -> None:
    """As pyshacl's sh:lessThan has it."""
    one, other = Object("http://example.org/a"), literal("http://example.org/b")
    assert LESS(one, other)
    assert not LESS(other, one)
    assert not LESS(one, literal("1", "integer"))


def test_rdflib_keeps_the_form_and_says_nothing(recwarn: pytest.WarningsRecorder) -> None:
    with quiet_rdflib():
        assert str(rdflib_literal(literal("01", "integer"))) == "01"
        assert rdflib_literal(literal("x", "integer")).ill_typed
    assert rdflib_literal(Object("a", LANGUAGE, "en")).language == "en"
    assert rdflib_literal(literal("a")).datatype is None
    assert not recwarn.list
