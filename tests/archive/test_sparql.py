"""SPARQL as tokens: what a query is, and that a value stays a value."""

from __future__ import annotations

import socket

import pyoxigraph
import pytest
import rdflib
from hypothesis import example, given
from hypothesis import strategies as st
from support import PRIMAD, XSD

from primad_ld import PrimadError
from primad_ld.archive.sparql import (
    columns,
    iri_term,
    pointed,
    prepare,
    query_form,
    string_term,
    substitute,
    syntax_error,
    tokenize,
    variables,
    with_prefixes,
)
from primad_ld.core.errors import QueryError
from primad_ld.rdf.subject_index import Object

# Tokens -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("?x $y", [("variable", "?x"), ("variable", "$y")]),
        ("?é9 ?_0", [("variable", "?é9"), ("variable", "?_0")]),
        ("<http://x/#a?b>", [("iri", "<http://x/#a?b>")]),
        ("<http://x/\\u00E9>", [("iri", "<http://x/\\u00E9>")]),
        ("?a < ?b", [("variable", "?a"), ("mark", "<"), ("variable", "?b")]),
        ("?a <= 1", [("variable", "?a"), ("mark", "<="), ("number", "1")]),
        ("?a<1 && ?b>2", ["?a", "<", "1", "&&", "?b", ">", "2"]),
        ("# to the end\n?x", [("comment", "# to the end"), ("variable", "?x")]),
        ("<http://x#y>#z", [("iri", "<http://x#y>"), ("comment", "#z")]),
        ("\"a\\\"b\" 'c\\'d'", [("text", '"a\\"b"'), ("text", "'c\\'d'")]),
        ('"""a "quoted"\nb""" ""', [("text", '"""a "quoted"\nb"""'), ("text", '""')]),
        ("'''it's''' ''", [("text", "'''it's'''"), ("text", "''")]),
        ('"# no comment ?x <y>"', [("text", '"# no comment ?x <y>"')]),
        ('"x"@en-GB', [("text", '"x"'), ("language", "@en-GB")]),
        ('"1"^^xsd:int', ['"1"', "^^", "xsd:int"]),
        ("ex:a.b. :c ex: _:n", ["ex:a.b", ".", ":c", "ex:", "_:n"]),
        ("ex:a\\?b%20c", [("name", "ex:a\\?b%20c")]),
        ("ex:p? ex:q*/^ex:r+", ["ex:p", "?", "ex:q", "*", "/", "^", "ex:r", "+"]),
        ("1 2.5 .5 3e4 1.e5 -6 7.", ["1", "2.5", ".5", "3e4", "1.e5", "-", "6", "7", "."]),
        ("COUNT(*) isIRI", ["COUNT", "(", "*", ")", "isIRI"]),
        ("!?x||a!=b", ["!", "?x", "||", "a", "!=", "b"]),
    ],
)
def test_tokens(text: str, tokens: list) -> None:
    found = tokenize(text)
    if isinstance(tokens[0], str):
        assert [token.text for token in found] == tokens
    else:
        assert [(token.kind, token.text) for token in found] == tokens


def test_tokens_know_their_places() -> None:
    text = "SELECT ?x\r\n  # why\n{ ?x <é> '''a\nb''' }"
    found = {token.text: (token.line, token.column) for token in tokenize(text)}
    assert found["SELECT"] == (1, 1)
    assert found["# why"] == (2, 3)
    assert found["<é>"] == (3, 6)
    assert found["'''a\nb'''"] == (3, 10)
    assert found["}"] == (4, 6)


@given(st.text(alphabet="?$<>\"'#@:.\\{}()|&=!^*+-/ab1 \n\ré_", max_size=30))
def test_tokens_leave_nothing_out(text: str) -> None:
    try:
        tokens = tokenize(text)
    except QueryError:
        return
    at = 0
    for token in tokens:
        assert text[at : token.start].strip(" \t\r\n\ufeff") == ""
        assert text[token.start : token.end] == token.text
        at = token.end
    assert text[at:].strip(" \t\r\n\ufeff") == ""


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ('SELECT "open', (1, 8), "not closed"),
        ("SELECT *\n{ ?s ?p 'a\nb' }", (2, 9), "not closed"),
        ('SELECT """a" ', (1, 8), "not closed"),
        ("SELECT $ {}", (1, 8), "variable name"),
        ("\\u0053ELECT * {}", (1, 1), "escape"),
        ("SELECT * { ?s ?p `x` }", (1, 18), "'`' is not valid"),
        ("SELECT * {\u00a0}", (1, 11), "is not valid"),
    ],
)
def test_what_is_no_token_is_shown(text: str, place: tuple[int, int], why: str) -> None:
    with pytest.raises(QueryError, match=why) as caught:
        query_form(text, "mine.rq")
    assert (caught.value.line, caught.value.column) == place
    assert str(caught.value).startswith(f"mine.rq:{place[0]}:{place[1]}: ")


# Forms --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT * {}", "SELECT"),
        ("select ?x where {}", "SELECT"),
        ("ASK {}", "ASK"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "CONSTRUCT"),
        ("DESCRIBE <http://x/>", "DESCRIBE"),
        ("# a comment: DELETE\nBASE <http://x/> PREFIX : <y> PREFIX insert: <z> ASK {}", "ASK"),
        ("\ufeffASK {}", "ASK"),
        # Words of updates where they are none.
        (
            'SELECT ("DELETE WHERE {}" AS ?insert) { ?drop ex:load <http://x/CLEAR> } # ADD',
            "SELECT",
        ),
    ],
)
def test_form(text: str, form: str) -> None:
    assert query_form(text) == form


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("INSERT DATA { <a:b> <a:b> <a:b> }", (1, 1)),
        ("PREFIX : <x>\nDELETE WHERE { ?s ?p ?o }", (2, 1)),
        ("WITH <a:b> DELETE { ?s ?p ?o } WHERE {}", (1, 1)),
        ("LOAD <http://x/>", (1, 1)),
        ("clear all", (1, 1)),
        ("SELECT * {} ; DROP ALL", (1, 15)),
        ("SELECT * { ?s ?p ?o } INSERT DATA { }", (1, 23)),
        # How Virtuoso is told to fetch and store what a query names.
        ('define get:soft "replacing" SELECT * {}', (1, 1)),
    ],
)
def test_updates_are_refused(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(QueryError, match="only read") as caught:
        query_form(text)
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the query is empty"),
        ("# SELECT * {}", "the query is empty"),
        ("PREFIX a: <b>", "the query is empty"),
        ("HELLO * {}", "not with HELLO"),
        ("{ SELECT * {} }", "not with {"),
        ("<http://x> SELECT", "not with <http://x>"),
    ],
)
def test_what_is_no_query_is_refused(text: str, why: str) -> None:
    with pytest.raises(QueryError, match=why):
        query_form(text)


def test_variables_and_columns() -> None:
    text = """SELECT DISTINCT ?a (COUNT(?b) AS ?c) $d # ?e
    WHERE { SELECT ?f { ?a ?b "?g" } } ORDER BY ?h"""
    assert variables(text) == ["a", "b", "c", "d", "f", "h"]
    assert columns(text) == ["a", "c", "d"]
    assert columns("SELECT * { ?a ?b ?c }") == []
    assert columns("ASK { SELECT ?a {} }") == []
    assert columns("CONSTRUCT { ?s ?p ?o } WHERE { SELECT ?s {} }") == []


@pytest.mark.parametrize(
    "text",
    [
        f"ASK {{ FILTER({'!' * 20_000}?x) }}",
        f"ASK {{ FILTER({'1+' * 20_000}1) }}",
        f"ASK {{ ?s {'^' * 20_000}<a:b> ?o }}",
        f"ASK {{ ?s ?p {'[ ?p ' * 200}1{']' * 200} }}",
        f"ASK {{ {'OPTIONAL {} ' * 20_000} }}",
        f"ASK {{ {'{' * 5000}{'}' * 5000} }}",
    ],
    ids=lambda text: text[:30],
)
def test_what_would_crash_an_engine_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match="too complex"):
        query_form(text)
    assert syntax_error(text) is not None


def test_long_lists_are_no_problem() -> None:
    many = " ".join(map(str, range(10_000)))
    text = f"SELECT * {{ VALUES ?v {{ {many} }} FILTER(?v IN ({many.replace(' ', ', ')})) }}"
    assert query_form(text) == "SELECT"
    assert syntax_error(text) is None


def test_service_is_seen() -> None:
    with pytest.raises(QueryError, match="SERVICE is not allowed"):
        prepare("SELECT * { service <http://x> {} }")
    assert prepare('SELECT * { ?s ?p "SERVICE" } # SERVICE').form == "SELECT"


# A value is a value -------------------------------------------------------------------------

_HOSTILE = (
    '"} DELETE WHERE {?s ?p ?o}',
    '" . } ; DROP ALL #',
    "\\u0022 } #",
    "\\\\u0022",
    '\\" . ?s ?p ?o #',
    "\\",
    "a\nb\r\nc\td",
    "\x00\x01\x1f\x7f\x85\u2028\ufeff\ufffe",
    "?value $value",
    "$value# if value",
    "'''\"\"\"",
    "<http://x> ^^xsd:integer @en",
    "%s {} %(x)s {0}",
    "😀é\U0010ffff",
    "",
)
_TEXTS = st.one_of(
    st.sampled_from(_HOSTILE),
    st.text(alphabet=st.characters(exclude_categories=("Cs",))),
    st.text(alphabet="\\\"'uU0123\n{}?$#"),
)
_WHERE = (
    'SELECT ("no $value ?value" AS ?other) ?s { GRAPH ?g { ?s <a:p> $value } } # $value',
    "SELECT ?s { GRAPH ?g { ?s <a:p> ?o FILTER(?o=$value) } }",
    "SELECT ?s { GRAPH ?g { ?s <a:p> ?o } VALUES ?o { $value } }",
    "SELECT ?s { GRAPH ?g { ?s <a:p> ?o } BIND($value AS ?x) FILTER(?o IN(?value)) }",
    "SELECT (STR(?o) AS ?x) { GRAPH ?g {?s <a:p>?o}FILTER(?o=?value&&?value=?o) }",
)


def _store(text: str) -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    node, name = pyoxigraph.NamedNode("a:s"), pyoxigraph.NamedNode("a:p")
    for value in (text, f"{text} and more"):
        store.add(pyoxigraph.Quad(node, name, pyoxigraph.Literal(value), node))
    return store


@pytest.mark.parametrize("query", _WHERE)
@given(text=_TEXTS)
def test_a_text_comes_through_and_nothing_else_does(query: str, text: str) -> None:
    bound = substitute(query, {"value": string_term(text)})
    assert query_form(bound) == "SELECT"
    assert len(list(_store(text).query(bound))) == 1


@given(text=_TEXTS)
@example(text="\\u0022")
def test_a_text_is_what_it_was(text: str) -> None:
    bound = substitute("SELECT ($value AS ?x) {}", {"value": string_term(text)})
    (row,) = pyoxigraph.Store().query(bound)
    assert row["x"].value == text


@pytest.mark.parametrize("text", _HOSTILE)
def test_engines_that_unescape_first_see_the_same_text(text: str) -> None:
    # rdflib replaces \\uXXXX in the whole query before it parses it.
    bound = substitute("SELECT ($value AS ?x) {}", {"value": string_term(text)})
    ((value,),) = rdflib.Graph().query(bound)
    assert str(value) == text


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_character_is_no_text(text: str) -> None:
    with pytest.raises(QueryError, match="unpaired surrogate"):
        string_term(text)


@given(_TEXTS)
def test_an_iri_is_an_iri_or_refused(text: str) -> None:
    try:
        term = iri_term(text)
    except QueryError:
        return
    (token,) = tokenize(term)
    assert token.kind == "iri"


def _string(text: str) -> Object:
    return Object(text, XSD + "string")


# Places -------------------------------------------------------------------------------------


def test_only_variables_of_the_name_are_replaced() -> None:
    text = "SELECT ?y { ?xx <http://x/?x> ex:a\\?x . ?y ex:p '?x', \"$x\", ?x # ?x\n}"
    assert substitute(text, {"x": '"1"'}) == text.replace(", ?x #", ', "1" #')


def test_the_sign_tells_parameters_from_variables() -> None:
    text = "SELECT ?x { ?x ex:p $x }"
    assert substitute(text, {"x": '"1"'}, sigils="$") == 'SELECT ?x { ?x ex:p "1" }'


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("FILTER(?a<?x)", "FILTER(?a< <i:x> )"),
        ("FILTER(?x>?a)", "FILTER( <i:x> >?a)"),
        ("a?x;", "a <i:x> ;"),
    ],
)
def test_a_term_does_not_run_into_its_neighbours(text: str, bound: str) -> None:
    assert substitute(text, {"x": "<i:x>"}) == bound


@pytest.mark.parametrize("text", ["?a<?x&&?c>?d", "(1)<$x&&?c>2", '"a"<?x=?c>1'])
def test_what_may_be_an_iri_or_a_comparison_is_refused(text: str) -> None:
    text = f"SELECT * {{ ?a ?c ?d FILTER({text}) }}"
    with pytest.raises(QueryError, match="comparison or an IRI"):
        substitute(text, {"x": '"1"'})
    assert substitute(text, {"y": '"1"'}) == text


_REFUSED = [
    ("SELECT ?x { ?s ?p ?x }", (1, 8), "column"),
    ("SELECT DISTINCT ?a ?x { ?s ?p ?x }", (1, 20), "column"),
    ("SELECT * {\n{ SELECT ?x { ?s ?p ?o } } }", (2, 10), "column"),
    ("SELECT (1 AS ?x) {}", (1, 14), "computed"),
    ("SELECT * { BIND(1 AS ?x) }", (1, 22), "computed"),
    ("SELECT (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?o ?x", (1, 50), "grouped"),
    ("SELECT * { ?s ?p ?o } ORDER BY ?x", (1, 32), "ordered"),
    ("SELECT * { VALUES ?x { 1 } }", (1, 19), "VALUES"),
    ("SELECT * { VALUES (?a ?x) { (1 2) } }", (1, 23), "VALUES"),
    ("SELECT * {} VALUES ?x { 1 }", (1, 20), "VALUES"),
    ("SELECT * { FILTER(BOUND(?x)) }", (1, 25), "BOUND"),
    ("SELECT * { GRAPH ?x { ?s ?p ?o } }", (1, 18), "must be an IRI"),
    ("SELECT * { SERVICE SILENT ?x {} }", (1, 27), "must be an IRI"),
    ("SELECT * { ?x ?p ?o }", (1, 12), "must be an IRI"),
    ("SELECT * { ?s ?p ?o . ?x ?p ?o }", (1, 23), "must be an IRI"),
    ("SELECT * { VALUES ?a { 1 } ?x ?p ?o }", (1, 28), "must be an IRI"),
    ("DESCRIBE ?x", (1, 10), "must be an IRI"),
    ("CONSTRUCT { ?x ?p ?o } WHERE { ?s ?p ?o }", (1, 13), "must be an IRI"),
    ("SELECT * {} LIMIT ?x", (1, 19), "whole number"),
]


@pytest.mark.parametrize(("text", "place", "why"), _REFUSED)
def test_where_no_value_can_stand(text: str, place: tuple[int, int], why: str) -> None:
    with pytest.raises(QueryError, match=why) as caught:
        substitute(text, {"x": '"1"'}, name="q")
    assert (caught.value.name, caught.value.line, caught.value.column) == ("q", *place)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT (?x + 1 AS ?y) { ?s ?p ?o }",
        "SELECT (COUNT(?x) AS ?n) ?o { ?s ?p ?o } GROUP BY ?o (STR(?x) AS ?y) HAVING(?x > 0)",
        "SELECT * { ?s ?p ?o } ORDER BY (?x + 1) DESC(?x)",
        "SELECT * { VALUES ?a { ?x } VALUES (?b ?c) { (?x UNDEF) (1 ?x) } ?s ?p ?x }",
        "SELECT * { ?s ?p 1, ?x ; ?q ?x . OPTIONAL { ?s ?p ?x } FILTER NOT EXISTS { ?s ?p ?x } }",
        "SELECT ?s { { SELECT ?s { ?s ?p ?x } } ?s ?p ?x } LIMIT 1",
        "SELECT * { ?s ?p ?x } LIMIT ?x OFFSET ?x",
        "ASK { ?s ?p ( ?x ) , [ ?p ?x ] FILTER(?s IN (?x)) }",
        "CONSTRUCT { ?s ?p ?x } WHERE { ?s ?p ?x }",
    ],
)
def test_where_a_number_can_stand(text: str) -> None:
    bound = substitute(text, {"x": f'"1"^^<{XSD}integer>'})
    assert "?x" not in bound
    assert syntax_error(bound) is None


@pytest.mark.parametrize(
    "text",
    ["SELECT * { GRAPH ?x { ?x ?p ?o . ?s ?x/?x+ ?o } }", "DESCRIBE ?x ?x WHERE { ?x ?x ?x }"],
)
def test_where_an_iri_can_stand(text: str) -> None:
    bound = substitute(text, {"x": "<http://x/>"})
    assert "?x" not in bound
    assert syntax_error(bound) is None


# What is wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("SELECT * { ?s ?p ?o", (1, 10), "{ is never closed"),
        ("SELECT *\n{ ?s ?p (1 } )", (2, 12), "} has no opening bracket"),
        ("SELECT * { } }", (1, 14), "} has no opening bracket"),
        ("SELECT * {\n ?s foo:bar ?o }", (2, 5), "prefix foo: is not declared"),
        ("SELECT ?o (COUNT(?s) AS ?n) { ?s ?p ?o }", (None, None), "is not bound or not grouped"),
        ("SELECT ?o ?o { ?s ?p ?o }", (None, None), "one variable twice"),
        ("SELECT * {\n ?s <relative> ?o }", (None, None), "not an absolute IRI"),
        ("SELECT * {\n FILTER(1 +) }", (2, 2), "not valid"),
        ("SELECT * { ?s ?p ?o . ?s ?p }", (1, 23), "not valid"),
        ("SELECT ?s\n{ ?s ?p ?o }\nORDER ?s", (3, 1), "not valid"),
        ("DROP ALL", (1, 1), "only read"),
        ('SELECT * { "', (1, 12), "not closed"),
    ],
)
def test_syntax_errors_have_a_place(text: str, place: tuple[int, int], why: str) -> None:
    error = syntax_error(text, "q.rq")
    assert error is not None
    assert why in error.why
    assert (error.name, error.line, error.column) == ("q.rq", *place)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { ?s primad:tag ?o }",  # a prefix that need not be declared
        "PREFIX foo: <http://x/> ASK { foo:a foo: foo:b }",
        "DESCRIBE <http://x/>",
        "SELECT * { SERVICE SILENT ?x { ?s ?p ?o } }",
        "SELECT (<http://x/unknown>(1) AS ?x) {}",  # for the engine to judge
    ],
)
def test_good_queries_have_no_error(text: str) -> None:
    assert syntax_error(text) is None


def test_looking_for_errors_asks_nobody() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        assert syntax_error(f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}") is None
        assert syntax_error(f"ASK {{ SERVICE SILENT <{address}> {{ ?s ?p ?o }} }}") is None
        with pytest.raises(TimeoutError):
            server.accept()


def test_looking_for_errors_evaluates_nothing() -> None:
    many = " ".join(map(str, range(2000)))
    groups = " ".join(f"VALUES ?v{number} {{ {many} }}" for number in range(9))
    assert syntax_error(f"ASK {{ {groups} FILTER(?v0 + ?v8 < 0) }}") is None


def test_prefixes_are_added_where_they_are_missing() -> None:
    text = "PREFIX xsd: <http://other/>\nASK { ?s primad:tag ?t ; foo:x ?u FILTER(xsd:a(?u)) }"
    assert with_prefixes(text) == f"PREFIX primad: <{PRIMAD}> {text}"
    assert with_prefixes("ASK {}") == "ASK {}"


@pytest.mark.parametrize(
    ("text", "place", "shown"),
    [
        ("a\nbcd\ne", (2, 2), "2 | bcd\n     ^"),
        ("x", (1, None), "1 | x\n    ^"),
        ("\tx\x1b[31m\r", (1, 2), "1 |  x [31m\n     ^"),
        ("日本x", (1, 3), "1 | 日本x\n        ^"),
        ("x", (7, 1), ""),
        ("x", (None, None), ""),
    ],
)
def test_the_place_is_pointed_at(text: str, place: tuple, shown: str) -> None:
    assert pointed(text, QueryError("why", line=place[0], column=place[1])) == shown


def test_long_lines_are_cut_around_the_place() -> None:
    line, below = pointed(f"{'a' * 500}B{'c' * 500}", QueryError("", line=1, column=501)).split(
        "\n"
    )
    assert len(line) < 120
    assert line[len(below) - 1] == "B"


def test_query_errors_are_ours() -> None:
    assert issubclass(QueryError, PrimadError)
