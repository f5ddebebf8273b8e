"""Every engine gives the same answers."""

from __future__ import annotations

import pytest
from support import PRIMAD, RDF, XSD
from support.stored_graphs import TYPE, A, P, graph, lines_of, objects, said, typed

from primad_ld.archive.engine import Engine
from primad_ld.archive.query_catalogue import own_query
from primad_ld.archive.query_results import Bindings, Triples, Truth
from primad_ld.archive.user_queries import ask
from primad_ld.core.errors import QueryError
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.subject_index import Object


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (f"<{A}x?y=z#1>", Object(f"{A}x?y=z#1")),
        ("<http://a.org/é>", Object("http://a.org/é")),
        ('"text"', Object("text", f"{XSD}string")),
        ('""', Object("", f"{XSD}string")),
        (typed("text", "string"), Object("text", f"{XSD}string")),
        ('"text"@en', Object("text", f"{RDF}langString", "en")),
        ('"text"@en-gb', Object("text", f"{RDF}langString", "en-gb")),
        (typed("16", "integer"), Object("16", f"{XSD}integer")),
        (typed("-5", "integer"), Object("-5", f"{XSD}integer")),
        (typed("999999999999999999", "integer"), Object("999999999999999999", f"{XSD}integer")),
        (typed("0.6", "decimal"), Object("0.6", f"{XSD}decimal")),
        # Virtuoso says 1 for it.
        (typed("true", "boolean"), Object("true", f"{XSD}boolean")),
        (typed("false", "boolean"), Object("false", f"{XSD}boolean")),
        (typed("2019", "gYear"), Object("2019", f"{XSD}gYear")),
        (typed("2026-11-18T07:08:24Z", "dateTime"), Object("2026-11-18T07:08:24Z", f"{XSD}dateTime")),
        (f'"{{\\"a\\": 1}}"^^<{RDF}JSON>', Object('{"a": 1}', f"{RDF}JSON")),
        ('"a\\tb\\nc\\r\\"d\\" \\\\e\\\\n"', Object('a\tb\nc\r"d" \\e\\n', f"{XSD}string")),
        ('"\\u0001\\u001f\\u007f\\u0085\\u2028\\ufeff"', Object("\x01\x1f\x7f\x85\u2028\ufeff", f"{XSD}string")),
        ('"\x01\x7f\x85\u2028\ufeff"', Object("\x01\x7f\x85\u2028\ufeff", f"{XSD}string")),
        ('"ü€😀 \\U0001F600"', Object("ü€😀 😀", f"{XSD}string")),
        # What closes a text when escapes are resolved too early.
        ('"\\u0022 . } } ; DROP ALL ; # \\u0022"', Object('" . } } ; DROP ALL ; # "', f"{XSD}string")),
        ('"\\u005C\\u005c\\U0000005C"', Object("\\\\\\", f"{XSD}string")),
        ('"\\u000a\\u000D"', Object("\n\r", f"{XSD}string")),
        ('"\\\\u0022"', Object("\\u0022", f"{XSD}string")),
        ('"} %s %d {0} ?x $x @x # <a>"', Object("} %s %d {0} ?x $x @x # <a>", f"{XSD}string")),
    ],
)  # fmt: skip
def test_a_term_comes_back(token: str, expected: Object, engine: Engine) -> None:
    engine.add([graph("t", token)])
    assert objects(engine, f"{A}t") == [expected]
    # The same by the other way of asking.
    (own, _) = sorted(said(engine, f"{A}t"), key=lambda line: TYPE in line)
    assert own.startswith(f"<{A}t> {P} ")
    engine.replace(NamedGraph(iri=f"{A}t", triples=own))
    assert objects(engine, f"{A}t") == [expected]


def test_a_table(engine: Engine) -> None:
    engine.add([graph("1", '"x"'), graph("2")])
    found = engine.query(
        f"SELECT ?g ?o ?nothing WHERE {{ GRAPH ?g {{ ?g a <{A}Run> . "
        f"OPTIONAL {{ ?g {P} ?o }} }} }} ORDER BY ?g"
    )
    assert found == Bindings(
        ("g", "o", "nothing"),
        [
            (Object(f"{A}1"), Object("x", f"{XSD}string"), None),
            (Object(f"{A}2"), None, None),
        ],
    )


def test_no_rows(engine: Engine) -> None:
    assert engine.select(f"SELECT ?o WHERE {{ GRAPH <{A}1> {{ ?s ?p ?o }} }}") == Bindings(
        ("o",), []
    )
    assert said(engine, f"{A}1") == ()


def test_a_column(engine: Engine) -> None:
    engine.add([graph("1", '"x"', '"y"'), graph("2")])
    column = engine.column(
        f"SELECT ?o WHERE {{ GRAPH ?g {{ ?g a <{A}Run> . OPTIONAL {{ ?g {P} ?o }} }} }} ORDER BY ?o"
    )
    assert column == ["x", "y"]


def test_a_truth(engine: Engine) -> None:
    question = f"ASK {{ GRAPH ?g {{ ?g a <{A}Run> }} }}"
    assert engine.query(question) == Truth(False)
    engine.add([graph("1")])
    assert engine.query(question) == Truth(True)


def test_a_description(engine: Engine) -> None:
    engine.add([graph("1", '"x"')])
    found = engine.query(f"DESCRIBE <{A}1>")
    assert isinstance(found, Triples)
    assert found.lines == lines_of(graph("1", '"x"'))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"SELECT ?o WHERE {{ ?s {P} ?o }} ORDER BY ?o", ["x", "y"]),  # without GRAPH
        ("SELECT ?o WHERE { ?s primad:tag ?o } ORDER BY ?o", ["x", "y"]),  # and without PREFIX
        (f"PREFIX primad: <{A}> SELECT ?o WHERE {{ ?s primad:none ?o }}", []),  # its own prefix
        (f"SELECT ?o FROM <{A}1> WHERE {{ ?s {P} ?o }}", ["x"]),  # FROM names what it sees
        (f"SELECT ?o WHERE {{ GRAPH <{A}2> {{ ?s {P} ?o }} }}", ["y"]),
    ],
)
def test_the_library_answers_as_the_command_line_does(
    text: str, expected: list[str], engine: Engine
) -> None:
    engine.add([graph(name, f'"{o}" .\n<{A}{name}> <{PRIMAD}tag> "{o}"') for name, o in _TWO])
    found = engine.query(text)
    assert found == engine.select(text) == ask(engine, own_query(text), {})
    assert engine.column(text) == expected
    assert isinstance(found, Bindings)
    assert [row[0].value for row in found.rows if row[0]] == expected


_TWO = (("1", "x"), ("2", "y"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE is not allowed"),
        ("SELECT * { ?s nobody:knows ?o }", "the prefix nobody: is not declared"),
        ("SELECT * { ?s ?p }", "not valid SPARQL"),
        ("DROP ALL", "begins with SELECT|is not allowed in a query"),
    ],
)
def test_what_the_command_line_refuses_the_library_refuses(
    text: str, why: str, engine: Engine
) -> None:
    for question in (engine.query, engine.select, engine.column):
        with pytest.raises(QueryError, match=why):
            question(text)


def test_select_is_select(engine: Engine) -> None:
    for question in (engine.select, engine.column):
        with pytest.raises(QueryError, match="not a SELECT query"):
            question("ASK {}")


def test_a_long_query(engine: Engine) -> None:
    engine.add([graph("1", '"x"')])
    # Longer than an address may be.
    names = " ".join(f"<{A}{'x' * 100}{number}>" for number in range(300))
    found = engine.column(
        f"SELECT ?g WHERE {{ VALUES ?g {{ <{A}1> {names} }} GRAPH ?g {{ ?g ?p 'x' }} }}"
    )
    assert found == [f"{A}1"]
