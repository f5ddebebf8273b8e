"""TriG that people can read and that every parser reads letter by letter."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import rdflib
from hypothesis import example, given
from hypothesis import strategies as st
from support.nanopubs import EX, a_draft, draft_text, read, text, typed

from primad_ld.nanopub.trig import as_trig
from primad_ld.rdf.nanopub_statements import Statement
from primad_ld.rdf.nanopub_terms import PREFIXES
from primad_ld.rdf.subject_index import Object

ID = "https://w3id.org/primad-ld/id"


def said(value: Object) -> str:
    """How a value is written as an object."""
    (line,) = re.findall(r"<http://example\.org/value0> (.*?) [;.]\n", as_trig(a_draft(value)))
    return str(line)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (typed("5", "integer"), "5"),
        (typed("-5", "integer"), "-5"),
        (typed("0", "integer"), "0"),
        (typed("0.50", "decimal"), "0.50"),
        (typed("-12.0", "decimal"), "-12.0"),
        (typed("true", "boolean"), "true"),
        # rdflib makes numbers of bare ones, and would write these otherwise.
        (typed("05", "integer"), '"05"^^xsd:integer'),
        (typed("+5", "integer"), '"+5"^^xsd:integer'),
        (typed("-0", "integer"), '"-0"^^xsd:integer'),
        (typed(".5", "decimal"), '".5"^^xsd:decimal'),
        (typed("5", "decimal"), '"5"^^xsd:decimal'),
        (typed("5.", "decimal"), '"5."^^xsd:decimal'),
        (typed("0.0000001", "decimal"), '"0.0000001"^^xsd:decimal'),
        (typed("1", "boolean"), '"1"^^xsd:boolean'),
        (typed("1e5", "double"), '"1e5"^^xsd:double'),
        (typed("5", "int"), '"5"^^xsd:int'),
        (Object("a", EX + "type"), '"a"^^<http://example.org/type>'),
        (text('"\\\n\t\x07'), r'"\"\\\n\t\u0007"'),
        (Object("https://orcid.org/0000-0002-1825-0097"), "orcid:0000-0002-1825-0097"),
        (Object("https://orcid.org/"), "<https://orcid.org/>"),
        (Object(f"{EX}a"), "<http://example.org/a>"),
        (Object("http://purl.org/nanopub/temp/run-1/"), "this:"),
        (Object("http://purl.org/nanopub/temp/run-1/a"), "sub:a"),
        (Object("http://purl.org/nanopub/temp/run-1/a/b"), "<http://purl.org/nanopub/temp/run-1/a/b>"),
        (Object("http://purl.org/nanopub/x/a.b"), "npx:a.b"),
        (Object("http://purl.org/nanopub/x/a."), "<http://purl.org/nanopub/x/a.>"),
        (Object("http://purl.org/nanopub/x/a%20b"), "npx:a%20b"),
        (Object("http://purl.org/nanopub/x/é"), "<http://purl.org/nanopub/x/é>"),
    ],
)  # fmt: skip
def test_values(value: Object, written: str) -> None:
    assert said(value) == written


numbers = st.one_of(
    st.tuples(st.from_regex(r"[+-]?[0-9]{1,25}", fullmatch=True), st.just("integer")),
    st.tuples(st.from_regex(r"[+-]?[0-9]{0,9}\.[0-9]{1,12}", fullmatch=True), st.just("decimal")),
)


@given(number=numbers)
@example(number=("0.000001", "decimal"))
@example(number=("0.00000123456789", "decimal"))
@example(number=("-0.000000", "decimal"))
@example(number=("1" * 400, "integer"))
@example(number=("1" * 30 + "." + "1" * 30, "decimal"))
def test_numbers_without_quotes_are_those_that_rdflib_leaves_alone(number: tuple[str, str]) -> None:
    value, kind = number
    written = said(typed(value, kind))
    if not written.startswith('"'):
        graph = rdflib.Graph().parse(data=f"<a:s> <a:p> {written} .", format="turtle")
        ((_, _, found),) = graph
        assert str(found) == value


def test_prefixes_are_those_that_are_used() -> None:
    written = as_trig(read(draft_text()))
    declared = re.findall(r"@prefix (\S*): <(\S*)> \.", written)
    body = written.rpartition("@prefix")[2]
    for name, space in declared:
        assert f"{name}:" in body
        assert space == PREFIXES.get(name, "http://purl.org/nanopub/temp/run-1/")
    assert {"dqv", "sh", "sosa", "foaf"}.isdisjoint(dict(declared))


def test_graphs_are_in_their_order_and_the_nanopublication_comes_first() -> None:
    written = as_trig(read(draft_text()))
    assert re.findall(r"^sub:(\w+) \{", written, re.MULTILINE) == [
        "Head",
        "assertion",
        "provenance",
        "pubinfo",
    ]
    pubinfo = written.rpartition("sub:pubinfo {")[2]
    assert pubinfo.strip().startswith("this: ")


def test_components_have_prefixes_for_the_nodes_inside_of_them() -> None:
    draft = a_draft()
    stages = [f"{ID}/method/1-{digit * 40}#stage-1" for digit in "ab"]
    more = [Statement(draft.assertion, one, f"{EX}p", text(one)) for one in stages]
    more.append(Statement(draft.assertion, f"{ID}/data/1-{'c' * 40}#set", f"{EX}p", text("a")))
    nanopub = replace(draft, statements=(*draft.statements, *more))
    written = as_trig(nanopub)
    for name, space in (
        ("method", f"method/1-{'a' * 40}"),
        ("method2", f"method/1-{'b' * 40}"),
        ("data", f"data/1-{'c' * 40}"),
    ):
        assert f"@prefix {name}: <{ID}/{space}#> .\n" in written
    assert "    method2:stage-1 <http://example.org/p>" in written
    assert set(read(written).statements) == set(nanopub.statements)


def test_names_with_a_hash_keep_it() -> None:
    """Other tools end the names of their drafts with it."""
    written = draft_text().replace("temp/run-1/", "temp/run-1#")
    nanopub = read(written)
    assert set(read(as_trig(nanopub)).statements) == set(nanopub.statements)
    assert "@prefix sub: <http://purl.org/nanopub/temp/run-1#> .\n" in as_trig(nanopub)


@pytest.mark.parametrize("kind", ["this", "sub", "np", "xsd", "prefix", "a", "base", "true"])
def test_components_may_be_of_any_kind(kind: str) -> None:
    """Whoever wrote the archive called them so; no prefix may mean two things."""
    draft = a_draft(typed("1e5", "double"))
    one = Statement(draft.assertion, f"{ID}/{kind}/1-{'a' * 40}#x", f"{EX}p", text("a"))
    nanopub = replace(draft, statements=(*draft.statements, one))
    assert set(read(as_trig(nanopub)).statements) == set(nanopub.statements)
