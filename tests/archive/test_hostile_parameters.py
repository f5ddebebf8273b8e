"""Values of parameters are data in every engine: no text ends its literal, and none is a query."""

from __future__ import annotations

import pytest

from primad_ld.archive.engine import Engine
from primad_ld.archive.query_catalogue import named_queries, named_query
from primad_ld.archive.query_results import Bindings
from primad_ld.archive.sparql import string_term, substitute
from primad_ld.archive.user_queries import ask
from primad_ld.core.errors import PrimadError
from primad_ld.core.triples import NamedGraph
from primad_ld.schema.converters import quoted

#: What would end a literal or an IRI, or be read twice.
HOSTILE = (
    '"} DELETE WHERE {?s ?p ?o}',
    '" . } ; DROP ALL #',
    "\\u0022 } #",
    "\\",
    '\\" . ?s ?p ?o #',
    "a\nb\r\nc\td",
    "$value ?value",
    "'''\"\"\"",
    "a> <b:c> <d:e",
    "{} %s ü 🦔",
)
GRAPH = "https://example.org/g"
_COUNT = f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{GRAPH}> {{ ?s ?p ?o }} }}"
_QUERY = "SELECT ?s { GRAPH <https://example.org/g> { ?s <u:p> ?o FILTER(?o = $value) } } # $value"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_value_is_one_text(engine: Engine, text: str) -> None:
    lines = f"<u:this> <u:p> {quoted(text)} .\n<u:other> <u:p> {quoted(text + ' and more')} .\n"
    engine.add([NamedGraph(iri=GRAPH, triples=lines)])
    found = engine.query(substitute(_QUERY, {"value": string_term(text)}))
    assert isinstance(found, Bindings)
    assert [[one and one.value for one in row] for row in found.rows] == [["u:this"]]
    assert engine.count(_COUNT) == 2  # and nothing was dropped


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_parameter_of_a_named_query_changes_nothing(engine: Engine, text: str) -> None:
    """It is a value, or it is refused by the name of its parameter; no store calls it bad syntax."""
    engine.add([NamedGraph(iri=GRAPH, triples="<u:a> <u:p> <u:o> .\n")])
    answered = 0
    for name, query in named_queries().items():
        if not query.parameters:
            continue
        try:
            ask(engine, named_query(name), {one.name: text for one in query.parameters})
            answered += 1
        except PrimadError as error:
            first, *_ = str(error).split("\n")
            assert any(one.name in first for one in query.parameters) or "no run" in first, first
    assert answered > 3
    assert engine.count(_COUNT) == 1
