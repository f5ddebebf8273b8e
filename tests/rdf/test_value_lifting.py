"""Values of a header as triples: what each becomes, and what the graph would lose of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import PRIMAD, RDF, XSD, header_with, lowered, values

from primad_ld import header_of
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun

LIFTER = Lifter()


def lifted(fields: dict[str, Any], **more: Any) -> LiftedRun:
    return LIFTER.lift(header_of(fields), **more)


def component(run: LiftedRun, kind: str) -> NamedGraph:
    (found,) = [one for one in run.components if f"/{kind}/" in one.iri]
    return found


def all_text(run: LiftedRun) -> str:
    return "".join(one.triples for one in run.graphs)


# What values become ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        (("tag",), "0123", ("tag", '"0123"')),
        (("platform", "hardware", "ram"), "48 GB", ("ram", "48000000000", "integer")),
        (("platform", "hardware", "ram"), "lots", ("unread", '{"ram":"lots"}', "JSON")),  # does not fit
        (("platform", "hardware", "cpu", "number of cores"), "16", ("numberOfCores", "16", "integer")),
        (("platform", "hardware", "gpu", "number of cores"), "16", ("numberOfCores", "16", "integer")),
        (("platform", "hardware", "cpu", "frequency max"), "3.50 GHz", ("cpuFrequencyMax", "3500", "decimal")),
        (("platform", "software", "tirex-tracker"), "0.10", ("trackerVersion", '"0.10"')),
        (("platform", "software", "libraries"), ["x 0.10"], ("version", '"0.10"')),
        (("platform", "software", "libraries"), ["x[b]==1; os_name=='nt'"], ("version", '"1"')),
        (("platform", "software", "libraries"), ["x[b]==1"], ("name", '"x"')),
        (("platform", "software", "libraries"), ["x>=1.2, <2"], ("versionRange", '">=1.2,<2"')),
        (("research goal", "venue", "year"), "2020", ("venueYear", "2020", "gYear")),
        (("research goal", "venue", "year"), "2020/21", ("unread", '{"year":"2020/21"}', "JSON")),
        (("research goal", "publication", "doi"), "10.1145/3", ("doi", "<https://doi.org/10.1145/3>")),
        (("implementation", "source", "commit"), "0123456", ("commit", '"0123456"')),
        (("implementation", "source", "repository"), "https://a.org/x", ("repository", "<https://a.org/x>")),
        (("implementation", "source", "repository"), "git@a.org:x", ("repository", "<https://a.org/x>")),
        (("implementation", "source", "repository"), "a.org:x y", ("unread", '{"repository":"a.org:x y"}', "JSON")),
        (("method", "automatic"), "yes", ("automatic", "true", "boolean")),
        # What says nothing is not a value of the field; that it stands there is known of the header.
        (("method", "automatic"), None, ("spelling", '{"/method/automatic":null}', "JSON")),
        (("method", "automatic"), [], ("spelling", '{"/method/automatic":[]}', "JSON")),
        (("implementation", "executable", "cmd"), None, ("spelling", '{"/implementation/executable/cmd":null}', "JSON")),
        (("actor", "role"), None, ("spelling", '{"/actor/0/role":null}', "JSON")),
        (("method", "score ties"), "alphabetical order", ("scoreTies", "<https://w3id.org/primad-ld/schemes#ties-alphabetical-order>")),
        (("resources", "runtime", "wallclock"), "80 ms", ("wallclock", "0.08", "decimal")),
        (("actor", "orcid"), "0000-0002-0661-7189", ("orcid", "<https://orcid.org/0000-0002-0661-7189>")),
        (("data",), "all of it", ("unread", '{"data":"all of it"}', "JSON")),  # a text where a mapping belongs
        (("data", "training data"), [], ("spelling", '{"/data/training data":[]}', "JSON")),
        (("data", "training data"), ["x"], ("unread", '{"training data":["x"]}', "JSON")),
        # A value of the run stands beside it with its whole place.
        (("resources", "gpu"), "two", ("unread", '{"gpu":"two"}', "JSON")),
        (("platform", "hardware", "cpu", "frequency max"), "fast", ("unread", '{"platform":{"hardware":{"cpu":{"frequency max":"fast"}}}}', "JSON")),
        (("actor", "role"), "boss", ("unread", '{"role":"boss"}', "JSON")),
    ],
)  # fmt: skip
def test_value(path: tuple[str, ...], value: Any, found: tuple[str, ...]) -> None:
    predicate, text, *datatype = found
    if datatype:
        space = RDF if datatype[0] == "JSON" else XSD
        text = f"{json.dumps(text)}^^<{space}{datatype[0]}>"
    objects = [
        line.rpartition(f"<{PRIMAD}{predicate}> ")[2].removesuffix(" .")
        for line in all_text(LIFTER.lift(header_with(path, value))).splitlines()
        if f" <{PRIMAD}{predicate}> " in line
    ]
    assert objects == [text]


@pytest.mark.parametrize(
    ("path", "value", "written"),
    [
        (("platform", "hardware", "ram"), "48000 MB", {"/platform/hardware/ram": "48000 MB"}),
        (("platform", "hardware", "ram"), "48 GB", {}),
        (("platform", "hardware", "ram"), "512 B", {}),
        (("platform", "hardware", "ram"), "lots", {}),
        (("platform", "hardware", "cpu", "number of cores"), "016", {"/platform/hardware/cpu/number of cores": "016"}),
        (("method", "retrieval"), [{"weight": "0.60"}], {"/method/retrieval/0/weight": "0.60"}),
        (("method", "retrieval"), [{"weight": "0.6"}], {}),
        (("method", "automatic"), "Yes", {"/method/automatic": "Yes"}),
        # Only the spaces, where that is shorter; by the number of words before them.
        (("method", "description"), "a  pipeline of stages\n", {"/method/description": {"1": "  ", "4": "\n"}}),
        (("method", "description"), " a", {"/method/description": " a"}),
        (("method", "description"), "Jose\u0301", {"/method/description": "Jose\u0301"}),
        # The order of a set, and each of its members.
        (("research goal", "evaluation", "reported measures"), ["P@10", "map", "P_10"],
         {"/research goal/evaluation/reported measures": [0, 1, 0],
          "/research goal/evaluation/reported measures/0": "P@10"}),
        (("platform", "hardware", "gpu", "frequency min"), "1 GHz", {"/platform/hardware/gpu/frequency min": "1 GHz"}),
        (("method", "retrieval"), [{"a/b~": "0.10"}], {"/method/retrieval/0/a~1b~0": "0.10"}),
    ],
)  # fmt: skip
def test_letters_that_the_graph_would_lose_are_kept_with_the_header(
    path: tuple[str, ...], value: Any, written: dict[str, Any]
) -> None:
    run = LIFTER.lift(header_with(path, value))
    found = [json.loads(one) for one in values(run.run, "spelling", "#header")]
    assert found == ([written] if written else [])
    assert "spelling" not in "".join(graph.triples for graph in run.components)
    assert lowered(run) == lowered(LIFTER.lift(header_with(path, value)))


# Stages ------------------------------------------------------------------------------------------


def stages(*items: dict[str, Any]) -> NamedGraph:
    return component(lifted({"method": {"retrieval": list(items)}}), "method")


@pytest.mark.parametrize(
    ("names", "at", "target"),
    [
        (["bm25", "x"], 2, "#stage-1"),
        (["x", "bm25"], 1, "#stage-2"),  # forward
        (["bm25"], 1, "#stage-1"),  # itself, where there is no other
        (["bm25", "bm25", "x"], 3, "#stage-2"),  # the nearest of two that come before
        (["bm25", "bm25"], 2, "#stage-1"),  # another one rather than itself
        (["x", "bm25", "bm25"], 1, "#stage-2"),  # the first of two that come after
        (["bm25", "x", "bm25"], 2, "#stage-1"),  # before rather than behind
        (["x", "BM25"], 1, ""),  # dangling: names are names, letter by letter
        (["x", "bm25 "], 1, "#stage-2"),  # but for spaces around them
        (["x", None], 1, ""),
        (["x", ["bm25"]], 1, ""),
    ],
)
def test_reference(names: list[Any], at: int, target: str) -> None:
    items: list[dict[str, Any]] = [{"name": name} for name in names]
    items[at - 1]["reranks"] = "bm25"
    graph = stages(*items)
    assert values(graph, "reranks", f"#stage-{at}") == ([target] if target else [])
    back = lowered(lifted({"method": {"retrieval": items}}))
    assert back == {"method": {"retrieval": items}}


def test_a_dangling_reference_is_a_text() -> None:
    dangling = stages({"name": "x", "reranks": "bm25"})
    assert values(dangling, "reranks") == []
    assert values(dangling, "unread") == ['{"reranks":"bm25"}']


def test_a_stage_may_rerank_several() -> None:
    graph = stages({"name": "a"}, {"name": "b"}, {"name": "c", "reranks": ["b", "a"]})
    assert values(graph, "reranks", "#stage-3") == ["#stage-1", "#stage-2"]


def test_operands_are_in_order() -> None:
    graph = stages(
        {"name": "a"}, {"name": "b"}, {"name": "c", "interpolates": ["b", "a", "b", "z"]}
    )
    assert values(graph, "interpolates", "#stage-3") == ["#stage-1", "#stage-2"]
    operands = [
        (values(graph, "position", item), values(graph, "value", item))
        for item in values(graph, "listItem", "#stage-3")
    ]
    assert operands == [
        (["1"], ["#stage-2"]),
        (["2"], ["#stage-1"]),
        (["3"], ["#stage-2"]),  # repeated
        (["4"], ["z"]),
    ]


def test_the_order_of_operands_makes_another_method() -> None:
    one, other = (
        stages({"name": "a"}, {"name": "b"}, {"interpolates": names})
        for names in (["a", "b"], ["b", "a"])
    )
    assert one.iri != other.iri


def test_parameters_keep_their_letters() -> None:
    graph = stages(
        {
            "name": "x",
            "b": "0.40",
            "B": "016",
            "fb docs": "10",
            "fb_docs": "true",
            "version": "0.10",
            "ü/#": "no",
        }
    )
    found = {
        values(graph, "name", node)[0]: values(graph, "value", node)[0]
        for node in values(graph, "parameter")
    }
    assert found == {
        "b": "0.4",
        "B": "016",  # a text, such as a topic
        "fb docs": "10",
        "fb_docs": "true",
        "version": "0.10",
        "ü/#": "no",  # may be Norwegian
    }
