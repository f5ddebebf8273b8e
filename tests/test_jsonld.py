"""JSON-LD: documents that read like headers and mean what the graphs mean."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest
import rdflib
import yaml
from hypothesis import given, settings
from rdflib import Literal, URIRef
from rdflib.namespace import XSD
from support import BASE, GOOD, PRIMAD, SCHEME, good, headers, quads

from primad_ld import LiftedRun, Lifter, Ranking, default_schema, header_of, parse_header
from primad_ld.formats import write_graphs
from primad_ld.jsonld import context, document_context
from primad_ld.schema import WILDCARD

LIFTER = Lifter()


def document(run: LiftedRun, base: str = BASE) -> str:
    return "".join(write_graphs(run.graphs, "jsonld", base=base))


def whole(fields: dict[str, Any]) -> LiftedRun:
    ranking = Ranking(digest="ab" * 32, rows=3)
    return LIFTER.lift(header_of(fields), ranking=ranking, file_name="x", tag_in_file="y")


# The documents that we write ---------------------------------------------------------------


def by_pyld(text: str) -> set[str]:
    """The statements of a document as PyLD, the reference implementation, reads them."""
    pyld = pytest.importorskip("pyld")
    nquads = pyld.jsonld.to_rdf(json.loads(text), {"format": "application/n-quads"})
    return quads(nquads)


def test_pyld_reads_the_same() -> None:
    run = whole(good())
    assert by_pyld(document(run)) == quads(run.nquads())


@settings(max_examples=60)
@given(headers)
def test_pyld_reads_the_same_of_any_header(fields: dict[str, Any]) -> None:
    run = whole(fields)
    assert by_pyld(document(run)) == quads(run.nquads())


def test_a_document_is_json_and_reads_like_a_header() -> None:
    found = json.loads(document(whole(good())))
    graphs = {member["@graph"]["@type"]: member["@graph"] for member in found["@graph"]}
    hardware = graphs["Platform"]["hardware"]
    assert hardware["cpu"]["number of cores"] == 16
    assert hardware["gpu"]["number of cores"] == 10752
    assert hardware["ram"] == 24_500_000_000
    method = graphs["Method"]
    assert method["automatic"] is True
    assert [stage["name"] for stage in method["retrieval"]] == ["bm25", "prf", "mix"]
    assert method["retrieval"][1]["reranks"] == method["retrieval"][0]["@id"]
    assert method["retrieval"][2]["weight"] == "0.6"
    goal = graphs["ResearchGoal"]
    assert goal["venue"]["year"] == "2019"
    assert goal["publication"]["doi"] == "https://doi.org/10.1007/978-3-030-15712-8_26"
    assert goal["evaluation"]["reported measures"][0].startswith(SCHEME)
    run = graphs["Run"]
    assert run["tag"] == "hedge-bm25"
    assert run["platform"] == graphs["Platform"]["@id"]
    assert run["header"]["schemaVersion"] == "0.1"
    assert run["resourceUse"]["cpu"]["used process"]["avg"] == "50"


def test_every_node_is_written_once() -> None:
    seen: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "@id" in value and len(value) > 1 and "@graph" not in value:
                seen.append(value["@id"])
            for one in value.values():
                walk(one)
        elif isinstance(value, list):
            for one in value:
                walk(one)

    walk(json.loads(document(whole(good())))["@graph"])
    assert len(set(seen)) == len(seen) > 30


def test_addresses_are_short() -> None:
    run = whole(good())
    found = json.loads(document(run))
    assert found["@context"]["@base"] == BASE
    assert [member["@id"] for member in found["@graph"]] == [
        graph.iri.removeprefix(BASE) for graph in run.graphs
    ]


def test_the_context_of_documents_does_without_a_remote_one() -> None:
    text = json.dumps(document_context(default_schema(), BASE))
    assert '"@import"' not in text
    assert "@context" in text


# The context of a header as it stands -----------------------------------------------------------


def graph_of(header: dict[str, Any]) -> rdflib.Graph:
    """A header as JSON with our context, read by rdflib."""
    data = json.dumps(context(default_schema()) | {"@id": "https://example.org/run"} | header)
    with warnings.catch_warnings():
        # rdflib 7 warns of its own use of ConjunctiveGraph inside its parsers.
        warnings.simplefilter("ignore", DeprecationWarning)
        return rdflib.Graph().parse(data=data, format="json-ld", publicID=HERE)


def only(graph: rdflib.Graph, subject: Any, *path: str) -> Any:
    """The one value at the end of a path of properties."""
    for name in path:
        (subject,) = graph.objects(subject, URIRef(PRIMAD + name))
    return subject


ME = URIRef("https://example.org/run")
#: Where relative addresses in a header would lead.
HERE = "https://example.net/headers/"


@pytest.fixture(scope="module")
def raw() -> rdflib.Graph:
    header = yaml.safe_load(GOOD)
    return graph_of(json.loads(json.dumps(header, default=str)))


def test_a_raw_header_is_a_graph(raw: rdflib.Graph) -> None:
    assert only(raw, ME, "tag") == Literal("hedge-bm25")
    assert only(raw, ME, "schemaVersion") == Literal("0.1")


def test_the_same_key_in_two_places_is_told_apart(raw: rdflib.Graph) -> None:
    cores = ("platform", "hardware")
    assert only(raw, ME, *cores, "cpu", "numberOfCores") == Literal(16)
    assert only(raw, ME, *cores, "gpu", "numberOfCores") == Literal(10752)
    assert only(raw, ME, "method", "name") == Literal("hedge")
    assert only(raw, ME, "data", "testCollection", "name") == Literal("Garden")
    # "cpu" is a processor in the platform and its use in the resources.
    assert only(raw, ME, "resourceUse", "cpuUse", "shareUsedByProcess", "average") == Literal(
        "50", datatype=XSD.decimal
    )
    # "source" is code in the implementation and an address in the data.
    assert only(raw, ME, "implementation", "sourceCode", "commit") == Literal("0123456")
    assert only(raw, ME, "data", "otherData", "datasetSource") == URIRef("https://example.org/stop")


def test_links_are_links_and_years_are_years(raw: rdflib.Graph) -> None:
    assert only(raw, ME, "researchGoal", "venue", "venueYear").datatype == XSD.gYear
    assert only(raw, ME, "researchGoal", "publication", "publicationUrl") == URIRef(
        "https://example.org/paper.pdf"
    )
    assert only(raw, ME, "implementation", "sourceCode", "repository") == URIRef(
        "https://example.org/hedge"
    )


def test_what_a_context_cannot_read_stays_a_text(raw: rdflib.Graph) -> None:
    # "48 GB" is no integer, and a context has no way to make it one.
    assert only(raw, ME, "platform", "hardware", "ram") == Literal("24.5 GB")
    assert only(raw, ME, "resourceUse", "runtime", "wallclock") == Literal("80 ms")
    for value in raw.objects():
        assert not (isinstance(value, Literal) and value.ill_typed), value


def test_names_do_not_become_addresses(raw: rdflib.Graph) -> None:
    # "map" is the name of a measure, and "bm25" that of a stage: neither lies beside the header.
    evaluation = only(raw, ME, "researchGoal", "evaluation")
    measures = set(raw.objects(evaluation, URIRef(PRIMAD + "reportedMeasure")))
    names, concepts = {Literal("map")}, {URIRef(SCHEME + "measure-map")}
    assert measures & (names | concepts)
    beside = {str(value) for value in raw.objects() if str(value).startswith(HERE)}
    assert beside == set()


def test_values_of_the_run_stay_where_the_header_nests_them(raw: rdflib.Graph) -> None:
    assert only(raw, ME, "platform", "hardware", "cpu", "cpuFrequencyMin") == Literal("1200 MHz")
    assert only(raw, ME, "implementation", "executable", "command") == Literal("./search --k1 0.9")
    samples = only(raw, ME, "platform", "hardware", "cpu", "cpuFrequency", "timeSeries")
    assert json.loads(str(samples)) == {"values": [1200, 3500]}


def test_the_context_says_the_property_of_every_field() -> None:
    for entry in default_schema().walk():
        if WILDCARD in entry.path:
            continue
        node: Any = context(default_schema())
        for key in entry.path:
            node = node["@context"][key]
        name = node if isinstance(node, str) else node["@id"]
        assert name.replace("primad:", PRIMAD) == entry.predicate, entry.dotted


def test_the_context_of_a_header_and_lift_agree_on_properties() -> None:
    header = yaml.safe_load(GOOD)
    raw = graph_of(json.loads(json.dumps(header, default=str)))
    run = LIFTER.lift(parse_header(GOOD))
    lifted = rdflib.Graph()
    for one in run.graphs:
        lifted.parse(data=one.triples, format="nt")
    unknown = set(raw.predicates()) - set(lifted.predicates())
    # What belongs to the run stays below them; lift moves it away.
    assert {str(one) for one in unknown} <= {PRIMAD + "actorRole", PRIMAD + "executable"}
