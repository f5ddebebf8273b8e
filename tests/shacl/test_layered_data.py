"""Statements in layers: read as a parser reads them, and found as in one graph."""

from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import given, settings
from support.shaping import EX, data_turtle, triples_of

from primad_ld.rdf.subject_index import index_quads
from primad_ld.shacl.layered_data import Layer, LayeredData


@settings(max_examples=60)
@given(data_turtle())
def test_layers_read_triples_as_a_parser_does(data: str) -> None:
    triples = triples_of(data)
    parsed = pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert Layer.of_triples("", triples).statements == Layer("", index_quads(parsed)).statements


@pytest.mark.parametrize(
    "line",
    [
        '<a:s> <a:p> "\\u00e9\\U0001F600\\\'" .\n',
        '<a:s>  <a:p>\t"x"  . # comment\n',
        '# comment\n<a:s> <a:p> "x"@en .\n',
        '_:b <a:p> _:c .\n<a:s> <a:p> "a\\\\", "b" .\n'.replace(', "b"', ""),
        '<a:s> <a:p> "line\\u2028break and \u2028" .\r\n',
    ],
)
def test_layers_read_any_triples(line: str) -> None:
    parsed = pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert Layer.of_triples("", line).statements == Layer("", index_quads(parsed)).statements


def test_a_subject_may_stand_in_several_graphs() -> None:
    one = Layer.of_triples(EX + "a", triples_of(":a :p :b ; :q 1 . :b :q 1 ."))
    two = Layer.of_triples(EX + "b", triples_of(":b :q 2, 1 . :c a :A . :a :p :b, :c ."))
    data = LayeredData({EX + "a": one, EX + "b": two})
    assert [value.value for value in data.about(EX + "b")[EX + "q"]] == ["1", "2"]
    assert [value.value for value in data.about(EX + "a")[EX + "p"]] == [EX + "b", EX + "c"]
    assert set(data.subjects()) == {EX + "a", EX + "b", EX + "c"}
    assert list(data.members(EX + "A")) == [EX + "c"]
