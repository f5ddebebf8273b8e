"""Nodes as records: what has to be there, and errors that name the file and the node."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import PRIMAD, XSD

from primad_ld.core.errors import ConvertError
from primad_ld.rdf.record_nodes import RecordNode
from primad_ld.rdf.subject_index import MemoryIndex, Object

JSON = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON"


def node_of(**said: Object | list[Object]) -> RecordNode:
    """A node of which these are said, by the local names of our predicates."""
    index = MemoryIndex()
    for name, found in said.items():
        for one in found if type(found) is list else [found]:
            index.add("x:node", PRIMAD + name, one)
    return RecordNode(index, "x.ttl", "x:node")


def text(value: str, datatype: str = "string") -> Object:
    return Object(value, XSD + datatype)


def test_what_a_node_says() -> None:
    node = node_of(name=text("a"), flag=text("1", "boolean"), extra=Object('{"a":"1"}', JSON))
    assert (node.text("name"), node.required("name"), node.text("other")) == ("a", "a", "")
    assert (node.truth("flag"), node.truth("other")) == (True, False)
    assert (node.said(), node.json("other")) == ({"a": "1"}, {})
    assert node.figure("other") is None


@pytest.mark.parametrize(
    ("found", "value", "written"),
    [
        (text("0.50", "decimal"), 0.5, "0.5"),
        (text("7", "integer"), 7.0, "7"),
        (text("1e-3", "double"), 0.001, "0.001"),
        (
            text("12345678901234567890123", "integer"),
            1.2345678901234568e22,
            "1.2345678901234568e+22",
        ),
    ],
)
def test_a_number_and_how_people_write_it(found: Object, value: float, written: str) -> None:
    assert node_of().number(found) == (value, written)


@pytest.mark.parametrize(
    "found",
    [text("1"), text("x", "decimal"), text("NaN", "double"), text("INF", "float"), Object("x:y")],
)
def test_what_is_not_a_number(found: Object) -> None:
    with pytest.raises(ConvertError, match=r"^x\.ttl: <x:node>: '.*' is not a number$"):
        node_of(value=found).figure("value")


@pytest.mark.parametrize(
    ("said", "ask", "why"),
    [
        ({}, lambda node: node.required("name"), "primad:name is missing"),
        (
            {"name": [text("a"), text("b")]},
            lambda node: node.text("name"),
            "primad:name has 2 values, expected one",
        ),
        ({"of": text("a")}, lambda node: node.links("of"), "primad:of is a literal"),
        ({"flag": text("yes")}, lambda node: node.truth("flag"), "must be true or false"),
        ({"extra": text(json.dumps([1]))}, lambda node: node.said(), "not a JSON object"),
    ],
)
def test_errors_name_the_file_and_the_node(said: Any, ask: Any, why: str) -> None:
    with pytest.raises(ConvertError, match=rf"^x\.ttl: <x:node>: .*{why}"):
        ask(node_of(**said))


def test_links_come_in_their_order() -> None:
    index = MemoryIndex()
    for name, position in (("b", "2"), ("c", "10"), ("a", None), ("d", "1")):
        index.add("x:node", PRIMAD + "part", Object(f"x:{name}"))
        if position:
            index.add(f"x:{name}", PRIMAD + "position", text(position, "integer"))
    links = RecordNode(index, "x.ttl", "x:node").links("part")
    assert [one.iri for one in links] == ["x:d", "x:b", "x:c", "x:a"]  # without a place, last
