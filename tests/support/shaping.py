"""What the tests of shapes share: prefixes, small files, and random shapes and data."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import rdflib
from hypothesis import strategies as st

from primad_ld.shacl import pyshacl_reference
from primad_ld.shacl.judge import Judge, ShapeResult
from primad_ld.shacl.layered_data import LayeredData
from primad_ld.shacl.pyshacl_reference import pyshacl_results
from primad_ld.shacl.shapes import Shapes, compile_shapes
from primad_ld.shacl.shapes_graph import read_terms

PREFIXES = """\
@prefix : <http://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
EX = "http://example.org/"
_FOLDER = tempfile.TemporaryDirectory()


def shapes_file(text: str, name: str = "shapes.ttl") -> Path:
    """A file of shapes; the prefixes stand above."""
    path = Path(_FOLDER.name, name)
    path.write_text(PREFIXES + text, encoding="utf-8")
    return path


def read_shapes(*files: Path) -> Shapes:
    """The shapes of some Turtle files together."""
    return compile_shapes(read_terms(files))


def shapes_of(text: str) -> Shapes:
    return read_shapes(shapes_file(text))


def triples_of(turtle: str) -> str:
    """Turtle as N-Triples, with the prefixes above."""
    import pyoxigraph

    parsed = pyoxigraph.parse(PREFIXES + turtle, format=pyoxigraph.RdfFormat.TURTLE)
    return pyoxigraph.serialize(parsed, format=pyoxigraph.RdfFormat.N_TRIPLES).decode()


def pyshacl_report(files: Iterable[Path], triples: str) -> rdflib.Graph:
    """The report of pyshacl as a graph."""
    return pyshacl_reference._report(read_terms(files), triples)[0]


def both(shapes: str, data: str) -> tuple[list[ShapeResult], list[ShapeResult]]:
    """Our results and those of pyshacl, of shapes and data in Turtle."""
    file, triples = shapes_file(shapes), triples_of(data)
    own = Judge(read_shapes(file)).judge(LayeredData.of_triples(triples))
    return own, pyshacl_results(read_terms([file]), triples)


NODES = tuple(f":n{number}" for number in range(4))
CLASSES = (":A", ":B", ":C")
PREDICATES = (":p", ":q", ":r")

#: Literals in groups that a constraint may compare.
NUMBERS = (
    "1", "01", '"+5"^^xsd:integer', "-3", "2.0", "2.50", "1e0", '"NaN"^^xsd:double',
    '"abc"^^xsd:integer', '""^^xsd:int', '"300"^^xsd:byte', '"7"^^xsd:byte', '"-1"^^xsd:nonNegativeInteger',
    '" 4 "^^xsd:integer', '"0"^^xsd:positiveInteger', '"1.5"^^xsd:integer', '"2.0"^^xsd:float',
    '"1e3"^^xsd:decimal', '"INF"^^xsd:float', '"99999999999"^^xsd:int', '"5"^^xsd:unsignedLong',
)  # fmt: skip
TEXTS = (
    '"a"', '"b"', '""', '"abc"', '"ABC d"', '"Zürich 𝒳"', r'"x\ny"', r'"say \"a\""', '"http://example.org/n0"',
    '"a"@en', '"b"@en', '"a"@en-GB', '"c"@de', '"d"@DE-AT', '"tok"^^xsd:token', '"u:v"^^xsd:anyURI',
)  # fmt: skip
OTHERS = (
    "true", "false", '"1"^^xsd:boolean', '"TRUE"^^xsd:boolean', '"2020-01-31"^^xsd:date', '"2020-02-30"^^xsd:date',
    '"2021-05-01Z"^^xsd:date', '"2020"^^xsd:date', '"2020-01-01T00:00:00"^^xsd:dateTime',
    '"2020-01-01T00:00:00Z"^^xsd:dateTime', '"2020-01-01"^^xsd:dateTime', '"2021-01-01T00:00:00+02:00"^^xsd:dateTime',
    '"12:00:00"^^xsd:time', '"12:61:00"^^xsd:time', '"13:00:00Z"^^xsd:time', '"2019"^^xsd:gYear', '"20x9"^^xsd:gYear',
    '"P1D"^^xsd:duration', '"P1Y"^^xsd:duration', '"1 day"^^xsd:duration', '"PT36H"^^xsd:dayTimeDuration',
    '"[1]"^^rdf:JSON', '"{"^^rdf:JSON', '"ff"^^xsd:hexBinary', '"fx"^^xsd:hexBinary', '"YQ=="^^xsd:base64Binary',
    '"<a/>"^^rdf:XMLLiteral', '"<a"^^rdf:XMLLiteral', '"x"^^:own', '"y"^^:own',
)  # fmt: skip
LITERALS = NUMBERS + TEXTS + OTHERS
DATATYPES = (
    *"""xsd:string xsd:integer xsd:decimal xsd:double xsd:float xsd:boolean xsd:date xsd:dateTime xsd:time
    xsd:gYear xsd:duration xsd:int xsd:byte xsd:long xsd:nonNegativeInteger xsd:positiveInteger xsd:short
    xsd:nonPositiveInteger xsd:negativeInteger xsd:unsignedByte xsd:unsignedInt xsd:unsignedLong
    xsd:unsignedShort xsd:hexBinary xsd:base64Binary xsd:anyURI xsd:token xsd:dayTimeDuration
    rdf:langString rdf:JSON rdf:XMLLiteral rdfs:Literal rdfs:Datatype :own""".split(),
)
KINDS = ("IRI", "BlankNode", "Literal", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral")
SEVERITIES = ("sh:Info", "sh:Warning", "sh:Violation", ":Odd")

_literals = st.sampled_from(LITERALS)
_nodes = st.sampled_from(NODES)
_terms = st.one_of(_nodes, _literals)
_predicates = st.sampled_from(PREDICATES)


@st.composite
def data_turtle(draw: st.DrawFn) -> str:
    """A few nodes with types and properties."""
    subjects = st.sampled_from((*NODES, *NODES, "_:x"))
    lines = [
        f"{draw(subjects)} {draw(_predicates)} {draw(st.one_of(subjects, _literals))} ."
        for _ in range(draw(st.integers(6, 16)))
    ]
    lines += [
        f"{draw(subjects)} a {draw(st.sampled_from((*CLASSES, 'rdfs:Resource')))} ."
        for _ in range(draw(st.integers(2, 6)))
    ]
    return "\n".join(lines)


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=2, max_size=3).map(" ".join)
    return st.one_of(
        several.map("( {} )".format),
        several.map("[ sh:alternativePath ( {} ) ]".format),
        inner.map("[ sh:zeroOrMorePath {} ]".format),
        inner.map("[ sh:oneOrMorePath {} ]".format),
        inner.map("[ sh:zeroOrOnePath {} ]".format),
    )


PATHS = st.one_of(_predicates, st.recursive(_predicates, _deeper, max_leaves=4))


def _listed(items: st.SearchStrategy[str], least: int = 0, most: int = 4) -> st.SearchStrategy[str]:
    return st.lists(items, min_size=least, max_size=most).map(
        lambda found: f"( {' '.join(found)} )"
    )


def _bounds(name: str) -> st.SearchStrategy[str]:
    return st.sampled_from(NUMBERS + OTHERS + TEXTS[:3]).map(f"sh:{name} {{}}".format)


_PATTERNS = ('"^a"', '"b$"', '"[A-Z]+ "', '"^http://example"', '"."', '"^$"', '"x.y"')


@cache
def _constraints(
    is_property: bool, below: tuple[str, ...], properties: tuple[str, ...]
) -> st.SearchStrategy[str]:
    """One constraint of a shape; ``below`` are shapes that it may refer to."""
    found = [
        st.sampled_from(CLASSES).map("sh:class {}".format),
        st.sampled_from(DATATYPES).map("sh:datatype {}".format),
        st.sampled_from(DATATYPES).map("sh:datatype {}".format),
        st.sampled_from(KINDS).map("sh:nodeKind sh:{}".format),
        *(
            _bounds(name)
            for name in ("minExclusive", "minInclusive", "maxExclusive", "maxInclusive")
        ),
        st.integers(0, 5).map("sh:minLength {}".format),
        st.integers(0, 5).map("sh:maxLength {}".format),
        st.sampled_from(_PATTERNS).map("sh:pattern {}".format),
        st.sampled_from(_PATTERNS).map('sh:flags "im" ; sh:pattern {}'.format),
        _predicates.map("sh:equals {}".format),
        _predicates.map("sh:disjoint {}".format),
        _listed(_terms).map("sh:in {}".format),
        _terms.map("sh:hasValue {}".format),
    ]
    if is_property:
        found += [
            st.integers(0, 2).map("sh:minCount {}".format),
            st.integers(0, 2).map("sh:maxCount {}".format),
            _predicates.map("sh:lessThan {}".format),
            _predicates.map("sh:lessThanOrEquals {}".format),
        ]
    if below:
        shapes = st.sampled_from(below)
        found += [
            shapes.map("sh:not {}".format),
            _listed(shapes, 1, 3).map("sh:and {}".format),
            _listed(shapes, 1, 3).map("sh:or {}".format),
            _listed(shapes, 1, 3).map("sh:xone {}".format),
        ]
        nodes = [shape for shape in below if shape not in properties]
        if nodes:
            found.append(st.sampled_from(nodes).map("sh:node {}".format))
        inner = [shape for shape in below if shape in properties]
        if inner:
            found.append(st.sampled_from(inner).map("sh:property {}".format))
            found.append(st.sampled_from(inner).map("sh:property {}".format))
    return st.one_of(found)


_SINGLE = (
    "sh:datatype", "sh:nodeKind", "sh:minCount", "sh:maxCount", "sh:minLength", "sh:maxLength", "sh:in", "sh:flags",
)  # fmt: skip


@st.composite
def shapes_turtle(draw: st.DrawFn) -> str:
    """A few shapes; each may refer to those that come later."""
    count = draw(st.integers(2, 6))
    names = tuple(f":S{number}" for number in range(count))
    properties = tuple(name for name in names if draw(st.booleans()))
    blocks = []
    for number, name in enumerate(names):
        is_property = name in properties
        said = {f"a sh:{'Property' if is_property else 'Node'}Shape"}
        if is_property:
            said.add(f"sh:path {draw(PATHS)}")
        for _ in range(draw(st.integers(1, 5))):
            drawn = draw(_constraints(is_property, names[number + 1 :], properties))
            if not any(one in drawn and any(one in other for other in said) for one in _SINGLE):
                said.add(drawn)
        if draw(st.integers(0, 5)) == 0:
            said.add(f"sh:severity {draw(st.sampled_from(SEVERITIES))}")
        if draw(st.integers(0, 9)) == 0:
            said.add(f"sh:deactivated {draw(st.sampled_from(('true', 'false')))}")
        if number == 0 or draw(st.integers(0, 3)) == 0:
            said.add(draw(_targets))
        blocks.append(f"{name} {' ; '.join(sorted(said))} .")
    return "\n".join(blocks)


_targets = st.one_of(
    st.sampled_from(CLASSES).map("sh:targetClass {}".format),
    _predicates.map("sh:targetSubjectsOf {}".format),
)
