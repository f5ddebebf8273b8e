"""Lowering: what comes back, from every way in which a graph can be kept."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import rdflib
import yaml
from hypothesis import given, settings
from support import (
    BASE,
    GOOD,
    PRIMAD,
    RDF,
    ROOT,
    XSD,
    TextLoader,
    good,
    header_with,
    headers,
    lift_folder,
    lowered,
    normalised,
    only,
    rdflib_dataset,
    rdflib_graph,
    shuffled,
    store_of,
)

from primad_ld import Header, PrimadError, dump_header, header_of, lift, lower, parse_header
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.bulk import Report
from primad_ld.rdf.formats import to_rdflib
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.lowering import lower_runs
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import StoreIndex, index_quads
from primad_ld.schema.fields import default_schema

LIFTER = Lifter()


def lifted(fields: dict[str, Any]) -> LiftedRun:
    return LIFTER.lift(header_of(fields), file_name="x.txt")


def through_store(run: LiftedRun) -> Header:
    return only(one.header for one in lower_runs(StoreIndex(store_of(run.nquads()))))


def through_text(run: LiftedRun) -> Header:
    import pyoxigraph

    quads = pyoxigraph.parse(run.nquads(), format=pyoxigraph.RdfFormat.N_QUADS)
    return only(one.header for one in lower_runs(index_quads(quads)))


WAYS = {
    "graphs": lambda run: only(lower(run.graphs)),
    "N-Quads": through_text,
    "store": through_store,
    "dataset": lambda run: only(lower(to_rdflib(run.graphs))),
    "N-Quads in rdflib": lambda run: only(lower(rdflib_dataset(run.nquads()))),
    "flat graph": lambda run: only(lower(rdflib_graph(run))),
}


# Nothing is lost ---------------------------------------------------------------------------


@settings(max_examples=400)
@given(headers)
def test_any_header_comes_back(fields: dict[str, Any]) -> None:
    assert lowered(lifted(fields)) == normalised(fields)


@pytest.mark.parametrize("way", [name for name in WAYS if name != "graphs"])
@settings(max_examples=100)
@given(fields=headers)
def test_any_header_comes_back_from(way: str, fields: dict[str, Any]) -> None:
    run = lifted(fields)
    assert WAYS[way](run) == only(lower(run.graphs))


@given(headers)
def test_what_comes_back_lifts_to_the_same_graph(fields: dict[str, Any]) -> None:
    run = lifted(fields)
    assert lifted(dict(lowered(run))).nquads() == run.nquads()


@given(headers)
def test_what_comes_back_is_yaml_to_every_reader(fields: dict[str, Any]) -> None:
    header = only(lower(lifted(fields).graphs))
    text = dump_header(header)
    assert parse_header(text) == header
    # Another reader tells texts from nulls, once it does not guess.
    assert yaml.load(text, TextLoader) == header.fields


@pytest.mark.parametrize("way", WAYS)
def test_a_good_header_comes_back(way: str) -> None:
    assert WAYS[way](lifted(good())).fields == normalised(good())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("implementation", "source", "commit"), "0123456"),
        (("implementation", "source", "commit"), "12e5"),
        (("implementation", "source", "commit"), "1234567"),
        (("schema-version",), "0.10"),
        (("platform", "software", "tirex-tracker"), "0.10"),
        (("platform", "software", "libraries"), ["x 0.10", "y==016", "z >= 1.0"]),
        (("platform", "software", "libraries"), ["x>=1.2,<2", "x < 2,>=1.2 ", "x===1.2", "x==1.*"]),
        (("platform", "software", "libraries"), ["x[b, a]==1", "x; os_name=='nt'", "x @ file:///x", "x[=1"]),
        (("research goal", "venue", "year"), "2020"),
        (("research goal", "venue", "year"), "'20"),
        (("platform", "hardware", "cpu", "number of cores"), "016"),
        (("platform", "hardware", "cpu", "number of cores"), "1.0"),
        (("platform", "hardware", "ram"), "48 GB"),
        (("platform", "hardware", "ram"), "48000000000 B"),
        (("platform", "hardware", "ram"), "48000000000"),
        (("platform", "hardware", "cpu", "frequency max"), "3.50 GHz"),
        (("method", "retrieval"), [{"weight": "0.60"}]),
        (("method", "retrieval"), [{"weight": "0.6"}, {"weight": "0.60"}, {"weight": "6e-1"}]),
        (("method", "retrieval"), [{"k1": "0.90", "b": "016", "B": "12e5", "c": "0.60", "d": "-0"}]),
        (("method", "retrieval"), [{"x": "true", "y": "TRUE", "z": "yes", "n": "no"}]),
        (("method", "automatic"), "1"),
        (("method", "automatic"), "on"),
        (("method", "automatic"), "ENTER_VALUE_HERE"),
        (("method", "score ties"), "Alphabetical Order"),
        (("actor", "orcid"), "https://orcid.org/0000-0002-0661-7189"),
        (("actor", "degree"), "PhD"),
        (("research goal", "publication", "doi"), "10.1145/3"),
        (("research goal", "publication", "doi"), "10.1002/41:6<391::AID-ASI1>3.0.CO;2-9"),
        (("research goal", "publication", "arxiv"), "arXiv:2010.13447"),
        (("resources", "runtime", "start time"), "2026-11-18T07:08:24.278616893+0000"),
        (("resources", "cpu", "energy used system"), "null J"),
        (("resources", "cpu", "used process", "avg"), "0.90"),
        (("resources", "cpu", "used process", "timeseries"), {"values": ["0", "0.50", "016", None]}),
    ],
)  # fmt: skip
def test_letters_come_back(way: str, path: tuple[str, ...], value: Any) -> None:
    header = header_with(path, value)
    assert WAYS[way](LIFTER.lift(header)) == header


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "value", [None, [], {}, [None], [[]], [{}], "", " ", "x\ny\n", {"a": None}]
)
@pytest.mark.parametrize(
    "path",
    [
        ("tag",),
        ("schema-version",),
        ("platform", "hardware", "ram"),
        ("platform", "hardware"),
        ("platform", "software", "libraries"),
        ("research goal", "evaluation", "baseline"),
        ("implementation", "executable", "cmd"),
        ("method", "retrieval", "reranks"),
        ("method", "retrieval", "interpolates"),
        ("method", "retrieval", "k1"),
        ("data", "training data"),
        ("actor", "role"),
        ("resources", "cpu"),
        ("unknown", "key"),
    ],
    ids=".".join,
)
def test_empty_and_odd_values_come_back(way: str, path: tuple[str, ...], value: Any) -> None:
    header = header_with(path, value)
    assert WAYS[way](LIFTER.lift(header)).fields == normalised(dict(header.fields))


@pytest.mark.parametrize("way", ["graphs", "store"])
@pytest.mark.parametrize(
    ("path", "items"),
    [
        (("implementation", "source", "lang"), ["R", "C", "Java", "C++"]),
        (("implementation", "source", "lang"), ["C", "C"]),  # repeated
        (("implementation", "source", "lang"), ["C", None, "R"]),
        (("research goal", "evaluation", "baseline"), ["b", "a", "c"]),
        (("research goal", "evaluation", "reported measures"), ["ndcg", "map", "P@10", "bpref"]),
        (("research goal", "evaluation", "reported measures"), ["AP", "map"]),  # mean the same
        (("platform", "software", "libraries"), ["b==1", "a 2", "c"]),
        (("platform", "software", "libraries"), ["b==1", "b==1"]),
        (("platform", "software", "retrieval toolkit"), ["solr", "indri"]),
        (("implementation", "executable", "cmd"), ["b", "a", "b"]),
        (("method", "retrieval"), [{"name": "b"}, {"name": "a"}, {"name": "b"}]),
        (("method", "retrieval"), [{"name": "x", "interpolates": ["b", "a", "b"]}]),
        (("method", "retrieval"), [{"name": "x", "ensembles": ["b", "a"]}]),
        (("method", "retrieval"), [{"name": "x", "ensembles": ["b", "b"]}]),
        (("data", "training data"), [{"name": "b"}, {"name": "a"}, {"name": "b"}]),
        (("data", "training data"), [{"folds": ["2", "1"]}, {"folds": ["1", "3", "2"]}]),
        (("data", "training data"), [{"name": str(number)} for number in range(12, 0, -1)]),
        (("research goal", "evaluation", "significance test"), [{"name": "t-test"}, {"name": "sign"}]),
        (("actor",), [{"name": "b", "fields": ["z", "y"]}, {"name": "a", "fields": ["x", "w"]}]),
        (("actor",), [{"name": "b", "role": "reproducer"}, {"name": "b"}]),
    ],
)  # fmt: skip
def test_the_order_of_lists_comes_back(way: str, path: tuple[str, ...], items: list[Any]) -> None:
    for value in (items, items[::-1]):
        header = header_with(path, copy.deepcopy(value))
        assert WAYS[way](LIFTER.lift(header)).get(*path) == value


def test_libraries_by_language_keep_the_order_of_each() -> None:
    libraries = {"python": ["b==1", "a==2"], "Java": ["z", "y 1.0"], "2": ["q", "p"]}
    header = header_with(("platform", "software", "libraries"), libraries)
    assert lowered(LIFTER.lift(header)) == header.fields


# What does change: docs/normalisation.md ------------------------------------------------------

PAGE = (ROOT / "docs" / "normalisation.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| in the header")
]

#: By the first words of a row: what a header says and what comes back, as YAML.
CHANGES: dict[str, list[tuple[str, str]]] = {
    "`test_collection`": [
        ("data: {test_collection: {name: x}}", "data: {test collection: {name: x}}"),
        ("Data: {Test-Collection: {NAME: x}}", "data: {test collection: {name: x}}"),
        ("data: {Test.Collection: x, test_set: y}", "data: {Test.Collection: x, test_set: y}"),
        ("method: {retrieval: [{Fb_Docs: '1'}]}", "method: {retrieval: [{Fb_Docs: '1'}]}"),
    ],
    "keys in any order": [
        ("{data: {other: x}, tag: y}", "{tag: y, data: {other: x}}"),
        (
            "method: {retrieval: [{z: 1, a: 2, weight: 3, Z: 4, name: x}], name: y}",
            "method: {name: y, retrieval: [{name: x, Z: 4, a: 2, z: 1, weight: 3}]}",
        ),
        ("{z: 1, a: 2, tag: x}", "{tag: x, a: 2, z: 1}"),
    ],
    "`'2020'`": [
        ("research goal: {venue: {year: '2020'}}", "research goal: {venue: {year: 2020}}"),
        ('tag: "x"', "tag: x"),
    ],
    "`!!null": [
        ('lang: !!null "null"', "lang: null"),
        ('implementation: {python: {interactive: !!bool "No"}}', "implementation: {python: {interactive: false}}"),
        ('method: {retrieval: [{k1: !!float "0.90"}]}', "method: {retrieval: [{k1: 0.90}]}"),
        ("tag: !!int 0x1F", "tag: 31"),
        ('!!map {tag: !!str "5"}', "tag: 5"),
        ("!!str tag: x\nother: !!seq [a]", "{tag: x, other: [a]}"),
    ],
    '`!!float "1e3"`': [
        ('method: {retrieval: [{k1: !!float "1e3"}]}', "method: {retrieval: [{k1: '1e3'}]}"),
        ("method: {retrieval: [{k1: !!float .5}]}", "method: {retrieval: [{k1: '.5'}]}"),
    ],
    "one mapping where a list of mappings": [
        ("method: {retrieval: {name: x}}", "method: {retrieval: [{name: x}]}"),
        ("data: {training data: {name: x}}", "data: {training data: [{name: x}]}"),
        ("data: {other: {name: x}}", "data: {other: [{name: x}]}"),
        ("actor: {name: x}", "actor: {name: x}"),
        ("actor: [{name: x}]", "actor: {name: x}"),
    ],
    "one text where a list of texts": [
        ("implementation: {source: {lang: Python}}", "implementation: {source: {lang: [Python]}}"),
        (
            "platform: {software: {libraries: {python: x}}}",
            "platform: {software: {libraries: {python: [x]}}}",
        ),
        ("platform: {software: {libraries: x}}", "platform: {software: {libraries: [x]}}"),
        (
            "research goal: {evaluation: {baseline: x}}",
            "research goal: {evaluation: {baseline: [x]}}",
        ),
        ("implementation: {executable: {cmd: x}}", "implementation: {executable: {cmd: x}}"),
        ("implementation: {executable: {cmd: [x]}}", "implementation: {executable: {cmd: [x]}}"),
        ("method: {retrieval: [{reranks: x}]}", "method: {retrieval: [{reranks: x}]}"),
        ("method: {retrieval: [{reranks: [x]}]}", "method: {retrieval: [{reranks: x}]}"),
        ("method: {retrieval: [{interpolates: [x]}]}", "method: {retrieval: [{interpolates: x}]}"),
    ],
    "a key without a value": [
        ("tag: x\nactor:\n", "tag: x"),
        ("tag: x\nactor:\n  team:\n  name: y\n", "tag: x\nactor: {name: y}"),
    ],
    "comments": [
        ("tag: x # my run", "tag: x"),
        ("tag: &name x", "tag: x"),
        ("note: >\n  two\n  lines\n", 'note: "two lines\\n"'),
    ],
}  # fmt: skip


def test_the_list_on_the_page_is_the_list_of_this_test() -> None:
    starts = [
        next((start for start in CHANGES if row[0].startswith(start)), row[0])
        for row in ROWS
        if set(row[0]) != {"-"}
    ]
    assert starts == list(CHANGES)


@pytest.mark.parametrize(
    ("before", "after"), [pair for pairs in CHANGES.values() for pair in pairs]
)
def test_a_listed_change(before: str, after: str) -> None:
    header = only(lower(LIFTER.lift(parse_header(before)).graphs))
    want = yaml.load(after, TextLoader)
    assert header.fields == want
    assert _keys(header.fields) == _keys(want), "the order of keys"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ('!!float "1e3"', "1e3"),
        ("!!float 12e5", "12e5"),
        ("!!float .5", ".5"),
        ("!!float 5.", "5."),
        ("!!float +1.5", "+1.5"),
        ("!!float .inf", ".inf"),
        ("!!int 007", "007"),
        ("!!float 1000.0", 1000.0),
        ("!!float 0.50", 0.5),
        ("!!int 0x1F", 31),
        ("!!int 7", 7),
    ],
)
def test_what_a_tagged_number_is_to_other_readers(typed: str, found: object) -> None:
    """A number where all readers agree on it, else a text: never another number."""
    header = parse_header(f"method: {{retrieval: [{{k1: {typed}}}]}}")
    again = dump_header(only(lower(LIFTER.lift(header).graphs)))
    (stage,) = yaml.safe_load(again)["method"]["retrieval"]
    assert stage["k1"] == found
    assert type(stage["k1"]) is type(found)


def _keys(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, _keys(one)) for key, one in value.items()]
    return [_keys(one) for one in value] if isinstance(value, list) else None


@pytest.mark.parametrize("seed", range(5))
def test_keys_come_back_in_one_order(seed: int) -> None:
    back = lowered(lifted(shuffled(good(), seed)))
    assert _keys(back) == _keys(lowered(lifted(good())))
    top = [entry.key for entry in default_schema().root.ordered()]
    assert list(back) == [key for key in top if key in back]


# Several runs ---------------------------------------------------------------------------------------


def test_runs_come_in_the_order_of_their_iris() -> None:
    runs = [
        lifted({"tag": str(number), "platform": {"software": {"x": "y"}}}) for number in range(9)
    ]
    graphs = [graph for run in runs for graph in run.graphs]
    headers = lower(graphs)
    assert len(headers) == 9
    by_iri = sorted(runs, key=lambda run: run.run.iri)
    assert [header.fields for header in headers] == [lowered(run) for run in by_iri]
    store = StoreIndex(store_of("".join(run.nquads() for run in runs)))
    assert [found.iri for found in lower_runs(store)] == [run.run.iri for run in by_iri]


def test_no_runs_are_no_headers() -> None:
    assert lower([]) == []
    assert lower(rdflib.Graph()) == []
    assert lower(rdflib.Dataset()) == []


def test_statements_that_the_schema_does_not_know_are_left_out() -> None:
    dataset = lift(parse_header(GOOD))
    before = lower(dataset)
    run = rdflib.URIRef(LIFTER.lift(parse_header(GOOD)).run.iri)
    graph = dataset.graph(run)
    for predicate in ("https://example.org/score", PRIMAD + "onCollection", PRIMAD + "assessedBy"):
        graph.add((run, rdflib.URIRef(predicate), rdflib.Literal("0.3")))
        graph.add((run, rdflib.URIRef(predicate), rdflib.BNode()))
    assert lower(dataset) == before


def test_saying_it_twice_changes_nothing() -> None:
    run = lifted(good())
    assert only(lower([*run.graphs, *run.graphs])) == only(lower(run.graphs))


def test_file_names_come_back() -> None:
    run = LIFTER.lift(header_of({"tag": "x"}), file_name="sub/run.txt.gz")
    (found,) = lower_runs(StoreIndex(store_of(run.nquads())))
    assert (found.iri, found.file_name) == (run.run.iri, "sub/run.txt.gz")
    run = LIFTER.lift(header_of({"tag": "x"}))
    (found,) = lower_runs(StoreIndex(store_of(run.nquads())))
    assert found.file_name is None


@pytest.mark.parametrize(
    ("literal", "other"),
    [
        ('"true"^^<{xsd}boolean>', '"1"^^<{xsd}boolean>'),  # Virtuoso
        ('"0.6"^^<{xsd}decimal>', '"0.600"^^<{xsd}decimal>'),
        # No text is kept beside this one: its canonical form is what the header said.
        ('"16"^^<{xsd}integer>', '"+16"^^<{xsd}integer>'),
        ('"0.9"^^<{xsd}decimal>', '"0.90"^^<{xsd}decimal>'),
        ('"48000000000"^^<{xsd}integer>', '"048000000000"^^<{xsd}integer>'),
    ],
)
def test_a_store_may_respell_literals(literal: str, other: str) -> None:
    fields = {
        "platform": {
            "hardware": {
                "ram": "48 GB",
                "cpu": {"number of cores": "16", "frequency": {"avg": "0.9"}},
            }
        },
        "method": {"automatic": "on", "retrieval": [{"weight": "0.60"}]},
    }
    text = lifted(fields).nquads()
    assert literal.format(xsd=XSD) in text
    respelt = text.replace(literal.format(xsd=XSD), other.format(xsd=XSD))
    import pyoxigraph

    quads = pyoxigraph.parse(respelt, format=pyoxigraph.RdfFormat.N_QUADS)
    assert only(one.header for one in lower_runs(index_quads(quads))).fields == fields


# Graphs that somebody else wrote ------------------------------------------------------------------------

PREFIXES = f"""\
@prefix : <{PRIMAD}> .
@prefix rdf: <{RDF}> .
@prefix xsd: <{XSD}> .
@base <{BASE}> .
"""


def lowered_turtle(body: str) -> list[Header]:
    graph = rdflib.Graph()
    graph.parse(data=PREFIXES + body, format="turtle")
    return lower(graph)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("<r> a :Run .", {}),
        ("[] a :Run ; :tag 'x' .", {"tag": "x"}),
        ("<r> a :Run ; :tag 'x'@en .", {"tag": "x"}),
        ("<r> a :Run ; :platform <p> .", {"platform": {}}),  # nothing is known of it
        ("<r> a :Run ; :platform [ :hardware [ :ram 1000 ] ] .", {"platform": {"hardware": {"ram": "1000 B"}}}),
        ("<r> a :Run ; :method <m> . <m> :automatic 1 .", {"method": {"automatic": "true"}}),  # Virtuoso
        ("<r> a :Run ; :platform <p> . <p> :hardware <p> .", {"platform": {"hardware": {}}}),
        ("<r> a :Run ; :header 'text' .", {}),
        ("<r> a :Run ; :contribution <c> . <c> :actorRole 'boss' .", {"actor": {"role": "boss"}}),
        ("<r> a :Run ; :runtime 5 ; :numberOfCores 3 .", {}),  # at a place where they mean nothing
    ],
)  # fmt: skip
def test_a_graph_of_somebody_else(body: str, fields: dict[str, Any]) -> None:
    assert [header.fields for header in lowered_turtle(body)] == [fields]


@pytest.mark.parametrize(
    "body",
    [
        ":tag '{'^^rdf:JSON",
        f":tag '{'[' * 100_000}'^^rdf:JSON",  # deeper than Python follows
        ":extra 'no JSON'",
        ":extra <iri>",
        ":extra '[1]'^^rdf:JSON",
        ":extra '{\"tag\": {\"x\": 1}}'^^rdf:JSON ; :tag 'y'",
        ":extra '{\"method\": {\"retrieval\": {\"²\": {\"x\": 1}}}}'^^rdf:JSON ;"
        " :method [ :stage [ :name 'a' ] ]",
        ":header [ :listOrder 'no JSON' ]",
        ":header [ :listOrder '5'^^rdf:JSON ]",
        ":header [ :listOrder '{\"implementation\": {\"source\": {\"lang\": [0, \"x\"]}}}'^^rdf:JSON ] ;"
        " :implementation [ :sourceCode [ :programmingLanguage 'a', 'b' ] ]",
        ":header [ :listOrder '{\"implementation\": {\"source\": {\"lang\": [true, 0.0]}}}'^^rdf:JSON ] ;"
        " :implementation [ :sourceCode [ :programmingLanguage 'a', 'b' ] ]",
        ":header [ :listOrder '{\"implementation\": {\"source\": {\"lang\": [0, 0]}}}'^^rdf:JSON ] ;"
        " :implementation [ :sourceCode [ :programmingLanguage 'a', 'b' ] ]",
        ":header [ :listOrder '{\"data\": {\"training data\": {\"²\": {\"folds\": [1, 0]}}}}'^^rdf:JSON ] ;"
        " :data [ :trainingData [ :trainingFold 'a', 'b' ] ]",
        ":method [ :stage [ :position '²' ] ]",
        ":method [ :stage [ :position 'first' ], [ :position 2.5 ] ]",
        ":method [ :stage [ :interpolates 'a' ; :listItem [ :ofProperty :interpolates ] ] ]",
        ":method [ :stage [ :interpolates 'a' ; :listItem 'x' ] ]",
        ":method [ :stage [ :parameter 'k1' ] ]",
        ":method [ :stage [ :parameter [ :name 'k1' ; :value '{'^^rdf:JSON ] ] ]",
        ":command 'x' ; :arguments 'no JSON'",
        ":command 'x' ; :arguments '5'^^rdf:JSON",
        ":platform 'a', <b>, [ :hardware 'x', <y> ]",
        ":platform [ :software [ :softwareLibrary 'numpy', [ :name 'x' ], [ :version '1' ] ] ]",
        ":contribution [ :position 'x' ; :contributor 'Ada' ], 'Ben'",
        ":actor 'Ada' ; :actorRole 'x' ; :resourceUse 'y', <z>",
        ":tag 'a', 'b', <c>",
        ":cpuFrequencyMax 'a', 5 ; :platform 'text'",
        ":baseline '[]'^^rdf:JSON, 'a' ; :researchGoal '{\"evaluation\": 5}'^^rdf:JSON",
    ],
    ids=lambda body: body[:70],
)  # fmt: skip
def test_a_broken_graph_is_an_error_of_ours_or_does_no_harm(body: str) -> None:
    try:
        (header,) = lowered_turtle(f"<r> a :Run ; {body} .")
    except PrimadError:
        return
    # Whatever came of it is a header like any other.
    assert parse_header(dump_header(header)) == header if header.fields else True
    LIFTER.lift(header)


def test_a_scheme_has_one_name_for_a_concept() -> None:
    # A graph may name the concept without the header's own spelling beside it.
    (header,) = lowered_turtle(
        "<r> a :Run ; :researchGoal [ :evaluation [ :reportedMeasure"
        " <https://w3id.org/primad-ld/schemes#measure-P_10> ] ] ."
    )
    assert header.get("research goal", "evaluation", "reported measures") == ["P_10"]


def test_the_examples_come_back(tmp_path: Path) -> None:
    """The archive that ships with the project, which is what users try first."""
    report = Report()
    graphs = list(lift_folder(ROOT / "examples" / "garden" / "runs", report))
    assert report.problems == []
    headers = lower(graphs)
    assert len(headers) == report.runs > 5
    for header in headers:
        run = LIFTER.lift(header, ranking=Ranking(digest="0" * 64, rows=1))
        assert only(lower(run.graphs)) == header
        assert re.search(r"\w", dump_header(header))
