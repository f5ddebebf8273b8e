"""JSON-LD: documents that read like headers and mean what the graphs mean."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from support import BASE, SCHEME, good, headers, quads

from primad_ld import header_of
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.formats import document_context, write_graphs
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.schema.fields import default_schema

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
