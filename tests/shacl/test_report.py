"""Reports: what pyshacl writes, up to the names of nodes, its messages and its details."""

from __future__ import annotations

import rdflib
from hypothesis import HealthCheck, given, reject, settings
from rdflib.namespace import RDF, SH
from support.shaping import (
    data_turtle,
    pyshacl_report,
    read_shapes,
    shapes_file,
    shapes_of,
    shapes_turtle,
    triples_of,
)

from primad_ld.core.errors import SchemaError
from primad_ld.shacl.judge import Judge
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results
from primad_ld.shacl.report import report_turtle

_SHAPES = """:s a sh:NodeShape ; sh:targetSubjectsOf :p ;
    sh:property [ sh:path ( :p [ sh:zeroOrMorePath :p ] ) ; sh:maxCount 0 ; sh:message "no \\"way\\""@en ] ;
    sh:property [ sh:path [ sh:alternativePath ( :p [ sh:zeroOrMorePath :q ] ) ] ; sh:in ( 1 ) ] ;
    sh:not [ sh:nodeKind sh:IRI ] ; sh:severity sh:Warning ."""
#: What pyshacl judges for us.
_LEFT = """:s a sh:NodeShape ; sh:targetNode :n ; sh:closed true ; sh:ignoredProperties ( :q ) ;
    sh:property [ sh:path ( :p [ sh:inversePath :p ] ) ; sh:maxCount 0 ] ."""
_DATA = ':n :p "a\\nb"@en, "tab\\t", 1.50 ; :q :m .'


def _essence(graph: rdflib.Graph) -> str:
    """A report as a text without names of nodes; it is a tree, so equal texts are isomorphic.

    Left out are messages, details, and what is said about blank source shapes.
    """
    (report,) = graph.subjects(RDF.type, SH.ValidationReport)
    return _written(graph, report)


def _written(graph: rdflib.Graph, node: rdflib.term.Node) -> str:
    if not isinstance(node, rdflib.BNode):
        return node.n3()
    said = [
        (predicate, "[]" if predicate == SH.sourceShape and isinstance(value, rdflib.BNode) else _written(graph, value))
        for predicate, value in graph.predicate_objects(node)
        if predicate not in (SH.resultMessage, SH.detail)
    ]  # fmt: skip
    return f"[ {' ; '.join(sorted(f'{predicate} {value}' for predicate, value in said))} ]"


def _read(text: str) -> rdflib.Graph:
    before, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    try:
        return rdflib.Graph().parse(data=text, format="turtle")
    finally:
        rdflib.NORMALIZE_LITERALS = before


def _same(shapes: str, data: str) -> bool:
    file, triples = shapes_file(shapes), triples_of(data)
    compiled = read_shapes(file)
    if compiled.unsupported:
        results = pyshacl_results(compiled.terms, triples)
    else:
        results = Judge(compiled).judge(LayeredData.of_triples(triples))
    text = report_turtle(results, compiled)
    assert text == report_turtle(reversed(results), compiled)
    reference = pyshacl_report([file], triples)
    return _essence(_read(text)) == _essence(reference)


def test_a_report_is_the_one_of_pyshacl() -> None:
    assert _same(_SHAPES, _DATA)
    assert _same(_SHAPES, ":m :q 1 .")
    assert _same(_LEFT, _DATA)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(shapes_turtle(), data_turtle())
def test_random_reports_are_those_of_pyshacl(shapes: str, data: str) -> None:
    try:
        assert _same(shapes, data.replace("_:x", ":x"))
    except SchemaError:
        reject()


def test_messages_are_those_of_the_shape_or_ones_own() -> None:
    compiled = shapes_of(_SHAPES)
    results = Judge(compiled).judge(LayeredData.of_triples(triples_of(_DATA)))
    graph = _read(report_turtle(results, compiled))
    assert set(graph.objects(None, SH.resultMessage)) == {rdflib.Literal('no "way"', lang="en")}
    graph = _read(report_turtle(results, compiled, lambda result: f"{result.path}\n\x7f"))
    assert len(set(graph.objects(None, SH.resultMessage))) == len({one.path for one in results})


def test_no_results_conform() -> None:
    graph = _read(report_turtle([], shapes_of("")))
    assert list(graph.objects(None, SH.conforms)) == [rdflib.Literal(True)]
