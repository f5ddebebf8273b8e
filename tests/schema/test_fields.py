"""The schema: what compiles, what is refused, and that a field is one property shape."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyshacl
import pytest
import rdflib
from rdflib.namespace import RDF, SH, SKOS
from support import (
    FIELD,
    PRIMAD,
    ROOT,
    SHAPES,
    XSD,
    good,
    header_with,
    lowered,
    rdflib_graph,
    to_be_judged,
    triples,
)

from primad_ld import HeaderError, dump_header, header_of, lower, parse_header
from primad_ld.core.errors import SchemaError
from primad_ld.header.schema_documents import ARTEFACTS
from primad_ld.rdf.formats import write_graphs
from primad_ld.rdf.lifting import Lifter
from primad_ld.schema.converters import CONCEPT_SCHEMES
from primad_ld.schema.fields import WILDCARD, Field, Node, Schema, compile_schema, default_schema

SHAPES_FILE = ROOT / "shapes" / "header.ttl"
PREFIXES = """\
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix field: <https://w3id.org/primad-ld/field#> .
@prefix s: <https://w3id.org/primad-ld/shapes#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def compiled(tmp_path: Path, body: str) -> Schema:
    file = tmp_path / "shapes.ttl"
    file.write_text(PREFIXES + body, encoding="utf-8")
    return compile_schema(file)


def extended(tmp_path: Path, parent: str, shape: str) -> Schema:
    """The shipped shapes with one more property shape ``s:x``, named in its parent."""
    text = SHAPES_FILE.read_text(encoding="utf-8")
    parents = re.compile(rf"(^s:{parent} a .*?sh:property )", re.MULTILINE | re.DOTALL)
    text, count = parents.subn(r"\1s:x, ", text, count=1)
    assert count == 1
    file = tmp_path / "header.ttl"
    file.write_text(f"{text}\ns:x a sh:PropertyShape ; {shape} .\n", encoding="utf-8")
    return compile_schema(file)


# One property shape is one field, everywhere ---------------------------------------------


class TestOneShapeMakesOneField:
    """docs/design.md promises that adding a field needs no code."""

    SHAPE = """
        sh:path primad:socketCount ; field:key "number of sockets" ; sh:order 4.5 ;
        sh:datatype xsd:integer ; sh:maxCount 1 ;
        sh:name "number of sockets"@en ; sh:description "How many processors there are."@en ;
        skos:scopeNote "count them"@en ; skos:example "2" ; field:importance 3 """
    PATH = ("platform", "hardware", "cpu", "number of sockets")

    @pytest.fixture
    def schema(self, tmp_path: Path) -> Schema:
        return extended(tmp_path, "cpu", self.SHAPE)

    def test_the_default_schema_does_not_know_it(self) -> None:
        assert default_schema().field(*self.PATH) is None
        for make in ARTEFACTS.values():
            assert "number of sockets" not in make(default_schema())

    def test_key_is_recognised_in_other_spellings(self, schema: Schema) -> None:
        header = parse_header("platform: {Hardware: {CPU: {Number_Of-Sockets: 2}}}", schema=schema)
        assert header.get(*self.PATH) == "2"

    def test_lift_and_lower(self, schema: Schema) -> None:
        header = header_with(self.PATH, "02")
        lifted = Lifter(schema=schema).lift(header)
        said = triples(lifted.nquads())
        assert any(
            line.endswith(f'#cpu> <{PRIMAD}socketCount> "2"^^<{XSD}integer>') for line in said
        )
        assert lower(lifted.graphs, schema=schema) == [header]

    def test_it_stands_where_its_order_says(self, schema: Schema) -> None:
        cpu = {"number of sockets": "2", "threads per core": "1", "number of cores": "8"}
        header = header_with(self.PATH[:3], cpu)
        fields = lowered(Lifter(schema=schema).lift(header), schema)
        assert list(fields["platform"]["hardware"]["cpu"]) == [
            "number of cores",
            "number of sockets",
            "threads per core",
        ]

    def test_without_its_shape_it_is_kept_as_unknown(self) -> None:
        header = header_with(self.PATH, "02")
        assert lower(Lifter().lift(header).graphs) == [header]

    def test_yaml_writes_it_as_a_number(self, schema: Schema) -> None:
        header = header_with(self.PATH, "02")
        assert "number of sockets: '02'" in dump_header(header, schema=schema)
        header = header_with(self.PATH, "12345678")
        assert "number of sockets: 12345678" in dump_header(header, schema=schema)

    def test_documents_in_json_ld(self, schema: Schema) -> None:
        lifted = Lifter(schema=schema).lift(header_with(self.PATH, "2"))
        text = "".join(write_graphs(lifted.graphs, "jsonld", schema=schema))
        assert '"number of sockets": 2' in text
        assert triples(text, "jsonld") == triples(lifted.nquads())

    def test_template(self, schema: Schema) -> None:
        text = ARTEFACTS["template"](schema)
        assert "number of sockets: How many processors there are. [whole number, e.g. 2]" in text
        assert "number of sockets" in parse_header(text, schema=schema, drop_empty=False).get(
            *self.PATH[:-1]
        )  # type: ignore[operator]

    def test_checklist(self, schema: Schema) -> None:
        (row,) = [
            line
            for line in ARTEFACTS["markdown"](schema).splitlines()
            if "number of sockets" in line
        ]
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells == [
            "`hardware / cpu / number of sockets`",
            "whole number",
            "UTF-8",
            "How many processors there are. *count them*",
            "`2`",
            "3",
            "",
        ]

    def test_json_schema(self, schema: Schema) -> None:
        found = json.loads(ARTEFACTS["jsonschema"](schema))
        for key in self.PATH:
            found = found["properties"][key]
        assert found["description"] == "How many processors there are. (count them)"
        assert found["examples"] == ["2"]
        assert found["$ref"] == "#/$defs/integer"


class TestOneShapeOfTheRun:
    """A list of keys on a shape of s:run: written there in the header, said of the run."""

    SHAPE = """
        sh:path primad:cpuGovernor ; field:key ( "platform" "hardware" "cpu" "governor" ) ;
        sh:order 11.5 ; sh:datatype xsd:string ; sh:maxCount 1 ;
        sh:name "governor"@en ; sh:description "How the processor was clocked."@en ;
        skos:example "performance" ; field:importance 2 """
    PATH = ("platform", "hardware", "cpu", "governor")

    @pytest.fixture
    def schema(self, tmp_path: Path) -> Schema:
        return extended(tmp_path, "run", self.SHAPE)

    def test_lift_puts_it_on_the_run_and_lower_puts_it_back(self, schema: Schema) -> None:
        cpu = {"model": "Example", "governor": "performance"}
        header = header_with(self.PATH[:3], cpu)
        lifted = Lifter(schema=schema).lift(header)
        assert f'<{lifted.run.iri}> <{PRIMAD}cpuGovernor> "performance" .' in lifted.run.triples
        assert "performance" not in "".join(one.triples for one in lifted.components)
        assert lower(lifted.graphs, schema=schema) == [header]

    def test_components_do_not_depend_on_it(self, schema: Schema) -> None:
        lifter = Lifter(schema=schema)
        one, other = (
            lifter.lift(header_with(self.PATH[:3], {"model": "Example", "governor": name}))
            for name in ("performance", "powersave")
        )
        assert one.components == other.components
        assert one.run.iri != other.run.iri

    def test_documents_show_it_where_the_header_writes_it(self, schema: Schema) -> None:
        properties = json.loads(ARTEFACTS["jsonschema"](schema))
        for key in self.PATH[:-1]:
            properties = properties["properties"][key]
        assert properties["properties"]["governor"]["title"] == "governor"
        assert "hardware / cpu / governor` | text | UTF-8 |" in ARTEFACTS["markdown"](schema)
        assert "of the run" in _line(ARTEFACTS["markdown"](schema), "cpu / governor")
        template = parse_header(ARTEFACTS["template"](schema), schema=schema, drop_empty=False)
        assert "governor" in template.get(*self.PATH[:-1])  # type: ignore[operator]

    def test_documents_in_json_ld(self, schema: Schema) -> None:
        lifted = Lifter(schema=schema).lift(header_with(self.PATH, "performance"))
        text = "".join(write_graphs(lifted.graphs, "jsonld", schema=schema))
        assert triples(text, "jsonld") == triples(lifted.nquads())


def _line(text: str, part: str) -> str:
    (line,) = [line for line in text.splitlines() if part in line]
    return line


def test_a_second_file_may_complete_the_first(tmp_path: Path) -> None:
    more = tmp_path / "more.ttl"
    more.write_text(
        PREFIXES
        + 's:run sh:property s:mood . s:mood sh:path primad:mood ; field:key "mood" ; '
        + "sh:datatype xsd:string ; sh:maxCount 1 .",
        encoding="utf-8",
    )
    schema = compile_schema(SHAPES_FILE, more)
    assert schema.field("mood") is not None
    assert schema.field("tag") is not None


# What cannot be a schema --------------------------------------------------------------------

GOOD_SHAPE = 's:a sh:path primad:a ; field:key "a" ; sh:datatype xsd:string .\n'


def test_the_shapes_of_the_cases_below_compile_when_right(tmp_path: Path) -> None:
    schema = compiled(tmp_path, "s:run sh:property s:a .\n" + GOOD_SHAPE)
    assert [entry.key for entry in schema.walk()] == ["a"]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        pytest.param("s:walk sh:property s:a .", "shapes#run", id="no shape of the run"),
        pytest.param(
            "s:run sh:property s:b . s:b sh:path primad:b .", "shapes#b", id="no key at the top"
        ),
        pytest.param(
            "s:run sh:property s:p . s:p sh:path primad:p ; field:key 'p' ; sh:class primad:P ;"
            " sh:property s:b . s:b sh:path primad:b .",
            "shapes#b",
            id="no key below",
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key () ; sh:path primad:b .",
            "shapes#b",
            id="an empty list of keys",
        ),
        pytest.param("s:run sh:property s:nowhere .", "shapes#nowhere", id="a shape not there"),
        pytest.param("s:run sh:property s:b . s:b field:key 'b' .", "shapes#b", id="no path"),
        pytest.param(
            "s:run sh:property s:b . s:b field:key 'b' ; sh:path (primad:a primad:b primad:c) .",
            "shapes#b",
            id="three steps of a path",
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ;"
            " field:converter 'gauge' .",
            "shapes#b",
            id="unknown converter",
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ;"
            " field:converter 'size', 'time' .",
            "shapes#b",
            id="two converters",
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ;"
            " sh:datatype xsd:duration .",
            "shapes#b",
            id="a datatype that no converter reads",
        ),
        pytest.param(
            "s:run sh:property s:a, s:b . s:b field:key 'a' ; sh:path primad:b .",
            "'a'",
            id="two shapes for one key",
        ),
        pytest.param(
            "s:run sh:property s:a, s:b . s:b field:key ( 'a' ) ; sh:path primad:b .",
            "'a'",
            id="two shapes for one key, one of the run",
        ),
        pytest.param(
            "s:run sh:property s:a, s:b . s:b field:key 'A' ; sh:path primad:b .",
            "'A'",
            # Which of the two a header means would depend on the order of the file.
            id="two shapes for two spellings of one key",
        ),
        pytest.param(
            "s:run sh:property s:a, s:b . s:b field:key 'b' ; sh:path primad:a .",
            "ontology#a",
            id="two shapes beside each other with one predicate",
        ),
        pytest.param(
            "s:run sh:property s:p, s:b, s:c . s:p sh:path primad:p ; field:key 'p' ;"
            " sh:class primad:P . s:b field:key ( 'p' 'b' ) ; sh:path primad:b ."
            " s:c field:key ( 'p' 'c' ) ; sh:path primad:b .",
            "ontology#b",
            # Both are said of the run, so lower could not tell them apart.
            id="two values of the run with one predicate",
        ),
        pytest.param(
            "s:run sh:property s:a, s:p, s:c . s:p sh:path primad:p ; field:key 'p' ;"
            " sh:class primad:P . s:c field:key ( 'p' 'c' ) ; sh:path primad:a .",
            "ontology#a",
            id="a value of the run with the predicate of a top-level field",
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key ( 'p' 'b' ) ; sh:path primad:b .",
            "'p.b'",
            id="no container for a list of keys",
        ),
        pytest.param(
            "s:run sh:property s:a, s:b . s:b field:key ( 'a' 'b' ) ; sh:path primad:b .",
            "'a.b'",
            id="a text as container for a list of keys",
        ),
        pytest.param(
            "s:run sh:property s:p . s:p field:key 'p' ; sh:path primad:p ; sh:class primad:P ;"
            " sh:property s:p .",
            "shapes#p",
            id="a shape that contains itself",
        ),
        pytest.param(
            "s:run sh:property s:p . s:p field:key 'p' ; sh:path primad:p ; sh:class primad:P ;"
            " sh:property s:q . s:q field:key 'q' ; sh:path primad:q ; sh:class primad:Q ;"
            " sh:property s:p .",
            "shapes#p",
            id="two shapes that contain each other",
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ;"
            " field:importance 'high' .",
            "shapes#b",
            id="an importance in words",
        ),
        *(
            pytest.param(
                "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ;"
                f" {predicate} '{number}'^^xsd:double .",
                "shapes#b",
                id=f"{predicate} {number}",
            )
            for predicate in ("field:importance", "sh:order")
            for number in ("INF", "NaN", "1e400")
        ),
        pytest.param(
            "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ; sh:order 'first' .",
            "shapes#b",
            id="an order in words",
        ),
        *(
            pytest.param(
                f"s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ; {said} .",
                "shapes#b",
                id=said,
            )
            for said in (
                "field:identifies 'naming'",  # and no rule
                "field:comparedBy 'text'",  # and no role
                "field:identifies 'sometimes' ; field:comparedBy 'text'",
            )
        ),
    ],
)
def test_shapes_that_are_no_schema(tmp_path: Path, body: str, named: str) -> None:
    with pytest.raises(SchemaError, match=re.escape(named)):
        compiled(tmp_path, GOOD_SHAPE + body)


def test_an_unknown_converter_comes_with_the_known_ones(tmp_path: Path) -> None:
    body = "s:run sh:property s:b . s:b field:key 'b' ; sh:path primad:b ; field:converter 'x' ."
    with pytest.raises(SchemaError, match=r"'x'.*arxiv.*orcid.*size"):
        compiled(tmp_path, body)


@pytest.mark.parametrize("text", ["s:run sh:property", "\x00\x01", "<a> <b> ."])
def test_what_is_no_turtle(tmp_path: Path, text: str) -> None:
    file = tmp_path / "shapes.ttl"
    file.write_text(text)
    with pytest.raises(SchemaError, match=r"shapes\.ttl"):
        compile_schema(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"nowhere\.ttl"):
        compile_schema(tmp_path / "nowhere.ttl")


# Keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    [
        "test collection",
        "test_collection",
        "Test-Collection",
        " TEST  collection",
        "test\tcollection",
    ],
)
def test_one_spelling_of_a_known_key(key: str) -> None:
    header = header_of({"Data": {key: {"ir-datasets": "garden"}}})
    assert header.fields == {"data": {"test collection": {"ir_datasets": "garden"}}}


@pytest.mark.parametrize(
    "key",
    [
        "testcollection",
        "test.collection",
        "test collections",
        "tëst collection",
        "test collection:",
    ],
)
def test_unknown_keys_stay_letter_by_letter(key: str) -> None:
    assert header_of({"data": {key: "x"}}).fields == {"data": {key: "x"}}


def test_keys_of_lists_and_single_mappings_are_folded_alike() -> None:
    one = header_of({"method": {"Retrieval": {"Deep-Neural Model": "no"}}})
    many = header_of({"method": {"Retrieval": [{"Deep-Neural Model": "no"}]}})
    assert one.get("method", "retrieval", "deep_neural_model") == "no"
    assert many.get("method", "retrieval", 0, "deep_neural_model") == "no"


def test_stage_parameters_are_never_folded() -> None:
    stage = {"b": "1", "B": "2", "fb docs": "3", "fb_docs": "4", "Fb-Docs": "5", " k1": "6"}
    header = header_of({"method": {"retrieval": [dict(stage)]}})
    assert header.fields == {"method": {"retrieval": [stage]}}
    assert lowered(Lifter().lift(header)) == header.fields


def test_the_same_name_means_something_else_elsewhere() -> None:
    # "reported_measures" is a field of the evaluation and nothing in the venue.
    header = header_of({"research goal": {"venue": {"reported_measures": "x"}}})
    assert header.get("research goal", "venue", "reported_measures") == "x"


@pytest.mark.parametrize(
    "fields",
    [
        {"data": {"test collection": {}, "test_collection": {}}},
        {"Tag": "x", "tag": "y"},
        {"actor": [{"name": "x"}, {"Team": "x", "TEAM": "y"}]},
    ],
)
def test_two_spellings_of_one_field(fields: dict[str, Any]) -> None:
    with pytest.raises(HeaderError, match="are the same field"):
        header_of(fields)


# The compiled tree ------------------------------------------------------------------------------

FIELDS = list(default_schema().walk())


def _dotted(entry: Field) -> str:
    return entry.dotted


def test_the_six_components_in_the_order_of_the_acronym() -> None:
    assert [entry.key for entry in default_schema().components] == [
        "platform",
        "research goal",
        "implementation",
        "method",
        "actor",
        "data",
    ]


def test_walk_goes_through_the_header_from_top_to_bottom() -> None:
    assert len({entry.path for entry in FIELDS}) == len(FIELDS)
    seen: set[tuple[str, ...]] = {()}
    for entry in FIELDS:
        assert entry.path[:-1] in seen, "a parent comes before its children"
        seen.add(entry.path)
    keys = [entry.key for entry in FIELDS if len(entry.path) == 1]
    assert keys[:5] == ["schema-version", "run-version", "tag", "ranking digest", "platform"]


def test_field_finds_what_walk_shows() -> None:
    schema = default_schema()
    for entry in FIELDS:
        if entry.key != WILDCARD:
            assert schema.field(*entry.path) is entry
    assert schema.field("platform", "nothing") is None
    assert schema.field("tag", "below a text") is None
    assert schema.field() is None


def test_what_belongs_to_the_run() -> None:
    of_run = {entry.dotted for entry in FIELDS if entry.of_run}
    assert of_run >= {
        "schema-version",
        "resources",
        "platform.hardware.cpu.frequency",
        "research goal.evaluation.baseline",
        "implementation.executable.cmd",
        "implementation.source.uncommitted changes",
        "implementation.source.root",
        "actor.role",
    }
    assert not of_run & {"tag", "platform.hardware.ram", "implementation.source.commit"}


def test_labels_of_the_run_say_where_they_stand() -> None:
    # Both are said of the run, where "frequency min" alone would be either.
    labels = [entry.label for entry in FIELDS if entry.key == "frequency min"]
    assert labels == ["platform.hardware.cpu.frequency min", "platform.hardware.gpu.frequency min"]


def test_what_identifies_an_actor() -> None:
    said = [
        (entry.key, entry.role, entry.compared_by, entry.compared_in, entry.section)
        for entry in FIELDS
        if entry.path[0] == "actor" and entry.role
    ]
    assert said == [(key, "naming", "people", "actor", "3.5") for key in ("orcid", "team")]


# The file of the shapes ---------------------------------------------------------------------------

GRAPH = rdflib.Graph().parse(SHAPES_FILE)
ALL_SHAPES = sorted(GRAPH.subjects(RDF.type, SH.PropertyShape))


@pytest.mark.parametrize("shape", ALL_SHAPES, ids=lambda iri: str(iri).rpartition("#")[2])
def test_shape_is_documented(shape: rdflib.URIRef) -> None:
    for annotation in (SH.name, SH.description):
        texts = list(GRAPH.objects(shape, annotation))
        assert len(texts) == 1, annotation
        assert texts[0].language == "en"  # type: ignore[attr-defined]
        assert re.fullmatch(r"\S(?:.*\S)?", str(texts[0])), annotation
    assert str(GRAPH.value(shape, SH.description)).endswith(".")
    assert len(list(GRAPH.objects(shape, SH.order))) == 1
    has_children = any(GRAPH.objects(shape, SH.property))
    is_container = GRAPH.value(shape, SH["class"]) is not None
    assert any(GRAPH.objects(shape, SKOS.example)) or has_children or is_container
    weight = GRAPH.value(shape, rdflib.URIRef(FIELD + "importance"))
    if not has_children and any(GRAPH.objects(shape, SKOS.example)):
        assert 0 <= int(weight) <= 5  # type: ignore[arg-type]


def test_every_shape_is_part_of_the_header() -> None:
    reached = {str(shape) for shape in GRAPH.objects(None, SH.property)}
    assert [str(shape) for shape in ALL_SHAPES if str(shape) not in reached] == []
    assert {entry.fragment for entry in FIELDS} == {
        str(shape).removeprefix(SHAPES) for shape in ALL_SHAPES
    }


def test_a_containers_empty_shape_holds_values_of_the_run() -> None:
    # "executable" has no shape of its own below it: all it holds is the command.
    for entry in FIELDS:
        if entry.node is not None:
            assert entry.node.fields, entry.dotted


def test_order_is_never_a_tie() -> None:
    # The order of keys in a lowered header would depend on the order of the file.
    nodes: list[tuple[str, Node]] = [("", default_schema().root)]
    nodes.extend((entry.dotted, entry.node) for entry in FIELDS if entry.node is not None)
    for name, node in nodes:
        orders = [entry.order for entry in node.ordered()]
        assert len(set(orders)) == len(orders), name


@pytest.mark.parametrize(
    ("entry", "example"),
    [
        pytest.param(entry, example, id=f"{entry.dotted}: {example}")
        for entry in FIELDS
        if entry.node is None and not entry.structures
        for example in entry.examples
    ],
)
def test_examples_are_values_of_their_field(entry: Field, example: str) -> None:
    found = entry.converter.read(example)
    assert found is not None
    if entry.link:
        assert found.token.startswith("<")


@pytest.mark.parametrize("entry", [entry for entry in FIELDS if entry.link], ids=_dotted)
def test_links_have_a_converter_or_a_class(entry: Field) -> None:
    assert entry.type is not None or entry.converter_name


# What a SHACL engine says ----------------------------------------------------------------------------

SCHEMES = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")


def findings(fields: dict[str, Any]) -> list[tuple[str, str]]:
    """What a standard engine finds in a lifted header: the shape and the value, sorted."""
    judged = to_be_judged(Lifter(), header_of(fields))
    _, report, _ = pyshacl.validate(rdflib_graph(judged), shacl_graph=GRAPH, ont_graph=SCHEMES)
    assert isinstance(report, rdflib.Graph)
    return sorted(
        (
            str(report.value(result, SH.sourceShape)).removeprefix(SHAPES),
            str(report.value(result, SH.value)),
        )
        for result in report.subjects(RDF.type, SH.ValidationResult)
    )


def test_a_good_header_conforms() -> None:
    assert findings(good()) == []


def test_the_examples_of_all_fields_together_conform() -> None:
    assert findings(_examples(default_schema().root)) == []


def _examples(node: Node) -> dict[str, Any]:
    """A header of every field's first example; stages refer to the one stage there is."""
    result: dict[str, Any] = {}
    for entry in node.ordered():
        if entry.key == WILDCARD:
            continue
        if entry.node is not None:
            inner = _examples(entry.node)
            result[entry.key] = [inner] if entry.many else inner
        elif "stage" in entry.structures:
            result[entry.key] = "bm25"
        elif entry.converter_name in CONCEPT_SCHEMES or not entry.many:
            result[entry.key] = entry.examples[0]
        else:
            result[entry.key] = list(entry.examples)
    return result


@pytest.mark.parametrize(
    ("path", "value", "shape"),
    [
        (("platform", "hardware", "cpu", "number of cores"), "many", "cpu-cores"),
        (("platform", "hardware", "cpu", "number of cores"), "0", "cpu-cores"),  # at least one
        (("platform", "hardware", "gpu", "number of cores"), "many", "gpu-cores"),
        (("platform", "hardware", "ram"), "plenty", "ram"),
        (("platform", "hardware", "ram"), ["1 GB", "2 GB"], "ram"),  # one machine, one size
        (("platform", "hardware"), "a big machine", "hardware"),
        (("platform", "hardware", "cpu", "frequency max"), "fast", "cpu-frequency-max"),
        (("research goal", "venue", "year"), "'19", "venue-year"),
        (("research goal", "publication", "doi"), "ten dot", "doi"),
        (
            ("research goal", "evaluation", "reported measures"),
            ["map", "mojo"],
            "reported-measures",
        ),
        (("implementation", "source", "repository"), "my code", "repository"),
        (("implementation", "source", "unchecked files"), "-1", "unchecked"),
        (("method", "automatic"), "perhaps", "automatic"),
        (("method", "score ties"), "by coin", "score-ties"),
        (("method", "retrieval"), [{"name": "x", "reranks": "y"}], "reranks"),  # no such stage
        (("method", "retrieval"), [{"name": "x", "weight": "heavy"}], "weight"),
        (("actor", "role"), "boss", "role"),
        (("actor", "orcid"), "0000-0002-0661-7180", "orcid"),  # the check digit
        (("data", "training data"), [{"source": "x"}], "training-source"),
        (("resources", "runtime", "wallclock"), "long", "wallclock"),
        (("resources", "runtime", "start time"), "morning", "start-time"),
        (("resources", "cpu", "used process", "avg"), "much", "series-avg"),
    ],
)
def test_a_wrong_value_is_found_at_its_own_shape(
    path: tuple[str, ...], value: Any, shape: str
) -> None:
    found = findings(dict(header_with(path, value).fields))
    assert {name for name, _ in found} == {shape}


def test_a_finding_says_what_to_write() -> None:
    header = header_with(("platform", "hardware", "cpu", "number of cores"), "many")
    judged = to_be_judged(Lifter(), header)
    _, report, _ = pyshacl.validate(rdflib_graph(judged), shacl_graph=GRAPH)
    assert isinstance(report, rdflib.Graph)
    messages = {str(message) for message in report.objects(None, SH.resultMessage)}
    # {?value} is filled in by whoever shows the finding.
    assert messages == {"{?value} is not a whole number from 1 on; write one such as 16"}
