"""RDF formats: each says the same, is read by others, and comes back."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings
from support import (
    BASE,
    GOOD,
    PRIMAD,
    Put,
    good,
    header_with,
    headers,
    normalised,
    only,
    quads,
    rdflib_dataset,
    triples,
    values,
)

import primad_ld.rdf.formats
from primad_ld import ConvertError, HeaderError, header_of, lower, parse_header
from primad_ld.core.files import RDF_SUFFIXES
from primad_ld.core.triples import NamedGraph
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.formats import (
    FORMATS,
    format_of,
    read_graphs,
    read_index,
    to_rdflib,
    write_graphs,
)
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.lowering import lower_runs
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.rdf.subject_index import MemoryIndex, StoreIndex

LIFTER = Lifter()
NAMED = ("nq", "trig", "jsonld")
RANKING = Ranking(digest="ab" * 32, rows=3)


def whole(fields: dict[str, Any]) -> LiftedRun:
    return LIFTER.lift(header_of(fields), ranking=RANKING, file_name="x.txt", tag_in_file="y")


def written(run: LiftedRun, format: str, **more: Any) -> str:
    return "".join(write_graphs(run.graphs, format, **more))


def assert_same(run: LiftedRun, text: str, format: str) -> None:
    """The document says what N-Quads say, graph by graph where the format has graphs."""
    if format in NAMED:
        assert quads(text, format) == quads(run.nquads())
    else:
        assert triples(text, format) == triples(run.nquads())


# Writing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_says_the_same(format: str) -> None:
    run = whole(good())
    text = written(run, format)
    assert_same(run, text, format)
    # rdflib is the other reader: as many statements, and the same header.
    dataset = rdflib_dataset(text, format)
    assert len(dataset) == len(triples(run.nquads()))
    assert only(lower(dataset)).fields == normalised(good())


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=150)
@given(fields=headers)
def test_every_format_says_the_same_of_any_header(format: str, fields: dict[str, Any]) -> None:
    run = whole(fields)
    assert_same(run, written(run, format), format)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=25)
@given(fields=headers)
def test_rdflib_reads_as_many_statements(format: str, fields: dict[str, Any]) -> None:
    run = whole(fields)
    dataset = rdflib_dataset(written(run, format), format)
    assert len(dataset) == len(triples(run.nquads()))


LINKS = [
    # Written relative to the base these would say something else.
    BASE,
    BASE + "..",
    BASE + "../x",
    BASE + "a/../../b",
    BASE + "a/./b",
    BASE + "./x",
    BASE + "/x",
    BASE + "//example.org/x",
    BASE + "?x",
    BASE + "#x",
    BASE + "a:b",
    BASE + "@type",  # a keyword of JSON-LD
    BASE + "@x",
    BASE + "run/" + "0" * 40,
    # These look like prefixed names of our documents.
    "primad:tag",
    "foaf:Person",
    "scheme:measure-map",
    "xsd:integer",
    "rdf:type",
    "tag:example.org,2026:x",  # "tag" is also a key
    "name:x",
    "https://w3id.org/primad-ld/ontology#tag",
    "https://w3id.org/primad-ld/ontology#a/b",
    "https://w3id.org/primad-ld/ontology#",
    "https://example.org/%7Ba%7D?x=(y)&z='1'",
    "https://example.org/ä",
    "urn:x:y",
    "mailto:ada@example.org",
]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("link", LINKS)
def test_links_of_a_header_stay_what_they_are(format: str, link: str) -> None:
    run = LIFTER.lift(header_with(("implementation", "source", "repository"), link))
    text = written(run, format)
    assert_same(run, text, format)
    assert (
        only(lower(rdflib_dataset(text, format))).get("implementation", "source", "repository")
        == link
    )


TEXTS = [
    "true",
    "16",
    "0.6",
    "a\nb\r\tc",
    "\\",
    '"',
    '"""',
    "\\u0041",
    "^^<x>",
    "@en",
    "x . y ; z , <a> <b> <c> .",
    "@prefix",
    "{}[]()#",
    "\x00\x01\x08\x0c\x7f\x85\u2028\ufeff\ufffe",
    "\U0001f600",
    "",
    " ",
    "https://example.org/",
    "primad:x",
    "@id",
]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_a_header_stay_what_they_are(format: str, text: str) -> None:
    fields = {
        "tag": text,
        "method": {"name": text, "retrieval": [{"name": text, "p": text, "interpolates": [text, "x"]}]},
        "platform": {"hardware": {"ram": text, "cpu": {"number of cores": text}}},
        "research goal": {"publication": {"url": text}, "evaluation": {"reported measures": [text]}},
        "resources": {"runtime": {"start time": text}, "cpu": {"used process": {"avg": text}}},
        "actor": {"role": text, "orcid": text},
        "unknown": {text or "x": text},
    }  # fmt: skip
    run = LIFTER.lift(header_of(fields), file_name=text, tag_in_file=text)
    assert_same(run, written(run, format), format)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "base", ["https://example.net/", "https://example.net/a/b/", "urn:x-runs:/"]
)
def test_another_base(format: str, base: str) -> None:
    run = Lifter(base=base).lift(parse_header(GOOD), ranking=RANKING)
    assert_same(run, written(run, format, base=base), format)
    # A document may also be written under a base that its graphs do not have.
    assert_same(run, written(run, format), format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_document_without_graphs_is_a_document(format: str) -> None:
    text = "".join(write_graphs([], format))
    assert quads(text, format) == set()
    assert len(rdflib_dataset(text, format)) == 0


@pytest.mark.parametrize("format", FORMATS)
def test_several_runs_are_one_document(format: str) -> None:
    runs = [LIFTER.lift(header_of(good(tag=tag))) for tag in ("a", "b", "c")]
    graphs = {graph.iri: graph for run in runs for graph in run.graphs}
    text = "".join(write_graphs(graphs.values(), format))
    together = "".join(graph.nquads() for graph in graphs.values())
    assert triples(text, format) == triples(together)
    assert sorted(str(header.tag) for header in lower(rdflib_dataset(text, format))) == list("abc")


@pytest.mark.parametrize("format", FORMATS)
def test_graphs_are_written_as_they_come(format: str) -> None:
    run = whole(good())
    taken: list[str] = []

    def graphs() -> Iterator[NamedGraph]:
        for graph in run.graphs:
            taken.append(graph.iri)
            yield graph

    pieces = write_graphs(graphs(), format)
    for piece in pieces:
        if run.graphs[0].iri.rpartition("/")[2] in piece:
            break
    assert taken == [run.graphs[0].iri]


def test_turtle_is_readable() -> None:
    fields = {"tag": "x", "method": {"automatic": "true", "retrieval": [{"weight": "0.60"}]}}
    run = LIFTER.lift(header_of(fields))
    text = written(run, "ttl")
    method = run.components[0].iri.removeprefix(BASE)
    me = run.run.iri.removeprefix(BASE)
    identity = f"identity/{run.identities['method'].key}"
    summary = json.dumps(values(run.run, "summary")[0])
    spelling = json.dumps('{"/method/retrieval/0/weight":"0.60"}')
    assert text.startswith(f"@base <{BASE}> .\n@prefix primad: <{PRIMAD}> .\n")
    assert text.endswith(
        f"""
<{method}#stage-1> a primad:Stage ;
    primad:interpolationWeight 0.6 ;
    primad:position 1 .

<{method}> a primad:Method ;
    primad:automatic true ;
    primad:stage <{method}#stage-1> .

<{me}#header> a primad:HeaderRecord ;
    foaf:primaryTopic <{me}> ;
    primad:spelling {spelling}^^rdf:JSON .

<{me}> a primad:Run ;
    primad:completeness 10 ;
    primad:header <{me}#header> ;
    primad:lacksComponent "actor", "data", "implementation", "platform", "research goal" ;
    primad:method <{method}> ;
    primad:methodIdentity <{identity}> ;
    primad:summary {summary}^^rdf:JSON ;
    primad:tag "x" .
"""
    )


def test_trig_names_its_graphs() -> None:
    run = whole(good())
    text = written(run, "trig")
    assert re.findall(r"^<(.*)> \{$", text, re.MULTILINE) == [
        graph.iri.removeprefix(BASE) for graph in run.graphs
    ]


@given(headers)
def test_rdflib_terms_are_those_of_the_text(fields: dict[str, Any]) -> None:
    run = whole(fields)
    found = {
        (str(s), str(p), str(o), str(getattr(o, "datatype", None)), str(g))
        for s, p, o, g in to_rdflib(run.graphs).quads((None, None, None, None))
    }
    wanted = set()
    for quad in pyoxigraph.parse(run.nquads(), format=pyoxigraph.RdfFormat.N_QUADS):
        is_text = isinstance(quad.object, pyoxigraph.Literal)
        datatype = quad.object.datatype.value if is_text else None
        if datatype == "http://www.w3.org/2001/XMLSchema#string":
            datatype = None
        names = (quad.subject, quad.predicate, quad.object)
        wanted.add((*(one.value for one in names), str(datatype), quad.graph_name.value))
    assert found == wanted


# Reading ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("x.nq", "nq"),
        ("x.nquads", "nq"),
        ("x.nt", "nt"),
        ("x.ttl", "ttl"),
        ("x.turtle", "ttl"),
        ("x.trig", "trig"),
        ("x.jsonld", "jsonld"),
        ("X.NQ", "nq"),
        ("x.nq.gz", "nq"),
        ("x.ttl.zst", "ttl"),
        ("x.trig.XZ", "trig"),
        ("x.y.nt", "nt"),
        ("x.json", None),
        ("x.txt", None),
        ("x.gz", None),
        ("nq", None),
        ("x", None),
        ("x.nq.bak", None),
    ],
)
def test_format_of_a_file(name: str, format: str | None) -> None:
    assert format_of(Path("folder.ttl") / name) == format


def _headers(path: Path, format: str | None = None) -> list[Any]:
    with read_index(path, format) as index:
        return [(run.iri, run.file_name, run.header.fields) for run in lower_runs(index)]


@pytest.mark.parametrize("compression", ["", ".gz", ".xz", ".zst"])
@pytest.mark.parametrize("format", FORMATS)
def test_a_file_comes_back(put: Put, format: str, compression: str) -> None:
    run = whole(good())
    path = put(f"x.{format}{compression}", written(run, format))
    assert _headers(path) == [(run.run.iri, "x.txt", normalised(good()))]
    assert _headers(path, format) == _headers(path)


@pytest.mark.parametrize("format", FORMATS)
def test_a_large_file_is_read_by_way_of_a_store(
    put: Put, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(f"x.{format}", written(whole(good()), format))
    with read_index(path) as index:
        assert isinstance(index, MemoryIndex)
    small = _headers(path)
    monkeypatch.setattr(primad_ld.rdf.formats, "_IN_MEMORY", 100)
    with read_index(path) as index:
        assert isinstance(index, StoreIndex)
    assert _headers(path) == small


def test_a_store_leaves_no_folder_behind(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put("x.nq.gz", written(whole(good()), "nq"))
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with read_index(path) as index:
        assert isinstance(index, StoreIndex)
        assert len(list(folder.iterdir())) == 1
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("reader", [_headers, lambda path: list(read_graphs(path))])
@pytest.mark.parametrize("name", ["x.txt", "x", "x.json"])
def test_a_file_of_no_format(put: Put, reader: Callable[..., Any], name: str) -> None:
    path = put(name, written(whole(good()), "nq"))
    with pytest.raises(ConvertError, match=rf"{path.name}: unknown RDF suffix"):
        reader(path)


BROKEN = {
    "nq": '<a:b> <a:b> "x" .\n<a:b> <a:b> "x .\n',
    "nt": "<a:b> <a:b> <c> .\n",
    "ttl": "@prefix a: <a:b> .\n\na:b a:b b:c .\n",
    "trig": "<a:b> { <a:b> <a:b> }\n}",
    "jsonld": '{"@context": {"x": "a:b"}, "x": \n}',
}


@pytest.mark.parametrize("compression", ["", ".gz"])
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_not_of_its_format(put: Put, format: str, compression: str) -> None:
    path = put(f"x.{format}{compression}", BROKEN[format])
    for reader in (_headers, lambda path: list(read_graphs(path))):
        with pytest.raises(ConvertError, match=rf"x\.{format}.*not {FORMATS[format].name}"):
            reader(path)


@pytest.mark.parametrize("reader", [_headers, lambda path: list(read_graphs(path))])
def test_the_error_names_the_line(put: Put, reader: Callable[[Path], Any]) -> None:
    path = put("x.nq", '<a:b> <a:b> "x" .\n<a:b> <a:b> "x .\n')
    with pytest.raises(ConvertError, match=r"x\.nq:2: "):
        reader(path)


# RDF 1.2: whoever reads RDF 1.1 would lose the << >> and assert the triple between them.
LATER = [
    ("x.ttl", "@prefix : <a:> .\n# <<\n:s :p <<( :a :b :c )>> .\n", 3, "triple terms"),
    ("x.ttl", '@prefix : <a:> .\n:s :p "<<", <a:b> .\n<< :a :b :c >> :q :o .', 3, "triple terms"),
    ("x.ttl", "@prefix : <a:> .\n\n:a :b :c {| :q :o |} .\n", 3, "triple terms"),
    ("x.nt", '<a:s> <a:p> "<<" .\n<a:s> <a:p> <<( <a:a> <a:b> <a:c> )>> .\n', 2, "triple terms"),
    ("x.nq", "<a:s> <a:p> <<( <a:a> <a:b> <a:c> )>> <a:g> .\n", 1, "triple terms"),
    ("x.trig", "<a:g> {\n<a:s> <a:p> <<( <a:a> <a:b> <a:c> )>> .\n}", 2, "triple terms"),
    ("x.nq", '<a:s> <a:p> "x"@en--ltr <a:g> .\n', 1, "text directions"),
    ("x.jsonld", '{"a:p":\n{"@value": "x", "@language": "en", "@direction": "ltr"}}', 2, "text directions"),
    # So deep that the parser would end the process.
    ("x.ttl", "<a:s> <a:p> " + "<<( <a:s> <a:p> " * 30_000, 1, "nested more than 1000 levels"),
    ("x.nq", "<a:s> <a:p> " + "<<( <a:s> <a:p> " * 30_000, 1, "nested more than 1000 levels"),
    ("x.jsonld", '{"a:p":' * 30_000, None, "nested more than 1000 levels"),
    ("x.jsonld", '{"a:p": "' + '\\"' * 70_000 + '", "a:q":' + '{"a:p":' * 30_000, None, "nested"),
]  # fmt: skip


def _through_a_store(path: Path) -> Any:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(primad_ld.rdf.formats, "_IN_MEMORY", 0)
        return _headers(path)


@pytest.mark.parametrize(
    "reader",
    [_headers, _through_a_store, lambda path: list(read_graphs(path)), primad_ld.read_measurements],
)
@pytest.mark.parametrize(("name", "text", "line", "why"), LATER, ids=lambda value: str(value)[:20])
def test_what_rdf_1_1_cannot_say_is_refused(
    put: Put, reader: Callable[[Path], Any], name: str, text: str, line: int | None, why: str
) -> None:
    path = put(name, text)
    with pytest.raises(ConvertError) as caught:
        reader(path)
    assert str(caught.value).startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.nq", '<a:s> <a:p> "<<( <a:a> <a:b> <a:c> )>> --ltr" <a:g> .\n' * 2),
        ("x.ttl", "<a:s> <a:p> '''<< <a:a> {| \n |} >>''' . # << {|\n"),
        ("x.jsonld", '{"a:p": "' + "{" * 2000 + '\\\\", "a:q": "' + '\\"[' * 40_000 + '"}'),
        ("x.jsonld", "[" + ",".join(['{"a:p": [{"a:q": 1}]}'] * 3000) + "]"),  # wide, not deep
    ],
    ids=lambda value: value[:20],
)
def test_what_only_looks_like_rdf_1_2_is_read(put: Put, name: str, text: str) -> None:
    path = put(name, text)
    assert list(read_graphs(path))
    assert _headers(path) == _through_a_store(path) == []


@pytest.mark.parametrize("format", ["ttl", "trig"])
def test_no_statement_is_passed_over_where_turtle_is_written(format: str) -> None:
    odd = NamedGraph(iri="a:g", triples="<a:s> <a:p> <<( <a:a> <a:b> <a:c> )>> .\n")
    with pytest.raises(ConvertError, match=r"a:g: not valid in RDF 1\.1"):
        list(write_graphs([odd], format))


@pytest.mark.parametrize("reader", [_headers, lambda path: list(read_graphs(path))])
def test_a_remote_context_is_not_fetched(put: Put, reader: Callable[[Path], Any]) -> None:
    path = put("x.jsonld", '{"@context": "https://example.org/context.jsonld", "name": "x"}')
    with pytest.raises(ConvertError):
        reader(path)


def test_a_damaged_archive(put: Put) -> None:
    data = gzip.compress(written(whole(good()), "nq").encode())
    path = put("x.nq.xz", b"")
    path.write_bytes(data[:-20])
    with pytest.raises(Exception, match="damaged"):
        _headers(path)


@pytest.mark.parametrize("format", NAMED)
def test_graphs_come_back_as_they_were(put: Put, format: str) -> None:
    run = whole(good())
    path = put(f"x.{format}", written(run, format))
    found = {graph.iri: triples(graph.triples, "nt") for graph in read_graphs(path)}
    assert found == {graph.iri: triples(graph.triples, "nt") for graph in run.graphs}


@pytest.mark.parametrize("format", ["nt", "ttl"])
def test_without_names_a_component_is_a_graph_of_its_own(put: Put, format: str) -> None:
    run = whole(good())
    path = put(f"x.{format}", written(run, format))
    found = {graph.iri: triples(graph.triples, "nt") for graph in read_graphs(path)}
    for graph in run.components:
        assert found[graph.iri] == triples(graph.triples, "nt")


# What somebody else wrote keeps its meaning, too: an archive also holds scores and provenance.
FOREIGN = f"""\
<{BASE}run/1> <a:score> "0.3"^^<http://www.w3.org/2001/XMLSchema#double> <{BASE}run/1> .
<{BASE}run/1> <a:label> "Lauf"@de <{BASE}run/1> .
<{BASE}run/1> <a:madeBy> _:who <{BASE}run/1> .
_:who <a:name> "Ada" <{BASE}run/1> .
<a:elsewhere> <a:says> <a:something> <{BASE}run/1> .
<a:s> <a:p> "in a graph that nothing is said of" <a:g> .
<a:s> <a:q> "a\\nb \\"c\\" \\\\d" <a:g> .
<a:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <a:Type> <a:g> .
<a:s> <{PRIMAD}tag> <a:link> <a:g> .
<a:s> <{PRIMAD}platform> "text" <a:g> .
<a:s> <{PRIMAD}numberOfCores> "many" <a:g> .
"""


def _isomorphic(one: str, other: str) -> bool:
    from rdflib.compare import isomorphic

    return isomorphic(_flat(one), _flat(other))


def _flat(nquads: str) -> Any:
    import rdflib

    graph = rdflib.Graph()
    for quad in rdflib_dataset(nquads).quads((None, None, None, None)):
        graph.add(quad[:3])
    return graph


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "line", [*FOREIGN.splitlines(keepends=True), FOREIGN], ids=lambda line: line[-50:]
)
def test_what_somebody_else_wrote_is_not_lost(put: Put, format: str, line: str) -> None:
    graphs = read_graphs(put("x.nq", line))
    text = "".join(write_graphs(graphs, format))
    rdf_format = getattr(pyoxigraph.RdfFormat, FORMATS[format].oxigraph)
    back = pyoxigraph.serialize(
        pyoxigraph.parse(text, format=rdf_format), format=pyoxigraph.RdfFormat.N_QUADS
    )
    assert back is not None
    assert _isomorphic(back.decode(), line)


def test_a_default_graph_is_divided_by_subject(put: Put) -> None:
    path = put("x.nq", '<a:s#x> <a:p> "1" .\n<a:s> <a:p> "2" .\n<a:t> <a:p> "3" .\n')
    assert [graph.iri for graph in read_graphs(path)] == ["a:s", "a:t"]


def test_every_format_has_suffixes_of_its_own() -> None:
    assert set(FORMATS) == set(RDF_SUFFIXES)
    every = [one for ends in RDF_SUFFIXES.values() for one in ends]
    assert len(every) == len(set(every))
    assert [format_of(Path(f"x{one}.gz")) for one in every] == [
        name for name, ends in RDF_SUFFIXES.items() for _ in ends
    ]


def test_a_compressed_file_is_never_read_into_memory_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.nq"
    path.write_bytes(gzip.compress(b"<u:a> <u:b> <u:c> .\n"))
    with read_index(path) as index:
        assert isinstance(index, StoreIndex)


def test_a_line_of_nquads_that_does_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(primad_ld.rdf.formats, "_PIECE", 1000)
    monkeypatch.setattr(primad_ld.rdf.formats, "_LONGEST_LINE", 5000)
    line, path = b"<u:a> <u:b> <u:c> .\n", tmp_path / "x.nq.gz"
    for size, fits in ((3000, True), (7000, False)):
        long = b'<u:a> <u:b> "' + b"x" * size + b'" .\n'
        path.write_bytes(gzip.compress(line * 500 + long + line))
        if fits:
            with read_index(path) as index:
                assert len(index.about("u:a")["u:b"]) == 2
        else:
            with pytest.raises(HeaderError, match="this line is longer than") as caught:
                read_index(path).__enter__()
            assert (caught.value.file, caught.value.line) == (path, 501)
