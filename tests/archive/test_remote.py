"""The remote engine against real servers, beside the embedded one: the same answers."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace as changed
from pathlib import Path

import pytest
from support import GOOD, PRIMAD, RDF, XSD, loaded
from support.servers import Seen, Server, answer, forwarded, free_port, odd, oxigraph

from primad_ld import LiftedRun, Lifter, header_of
from primad_ld.archive.answers import ask
from primad_ld.archive.embedded import ABOUT, LAYOUT, EmbeddedEngine
from primad_ld.archive.endpoint import UNKNOWN
from primad_ld.archive.engine import Engine, Table, Triples, Truth
from primad_ld.archive.opening import open_engine
from primad_ld.archive.query_catalogue import own_query
from primad_ld.archive.remote import RemoteEngine
from primad_ld.archive.updates import GraphsRefusedError, pieces, whole
from primad_ld.core.connections import Patience
from primad_ld.core.errors import ArchiveError, QueryError, QueryTimeoutError
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.index import Object

QUICK = Patience(tries=4, first=0.001, longest=0.05)
A = "http://a.org/"
P = f"<{A}p>"
TYPE = f"<{RDF}type>"


def graph(name: str, *objects: str, inner: int = 0, kind: str = "Run") -> NamedGraph:
    """A graph with a type, some objects of its own node, and some inner nodes."""
    iri = A + name
    lines = [f"<{iri}> {TYPE} <{A}{kind}> .\n"]
    lines += [f"<{iri}> {P} {one} .\n" for one in objects]
    lines += [f'<{iri}#{number}> {P} "{number}" .\n' for number in range(inner)]
    return NamedGraph(iri=iri, triples="".join(lines))


def lifted_run() -> LiftedRun:
    return Lifter().lift(header_of(loaded(GOOD)))


def said(engine: Engine, iri: str) -> tuple[str, ...]:
    """What is in a graph."""
    found = engine.query(f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{iri}> {{ ?s ?p ?o }} }}")
    assert isinstance(found, Triples)
    return found.lines


def lines_of(one: NamedGraph) -> tuple[str, ...]:
    return tuple(sorted(f"{line}\n" for line in one.triples.split("\n") if line))


def objects(engine: Engine, iri: str) -> list[Object | None]:
    """What a node has for P."""
    found = engine.select(f"SELECT ?o WHERE {{ GRAPH <{iri}> {{ <{iri}> {P} ?o }} }}")
    return [row[0] for row in found.rows]


def remote(server: Server, timeout: float = 20) -> RemoteEngine:
    return RemoteEngine.connect(server.address, timeout=timeout, patience=QUICK)


# Answers ------------------------------------------------------------------------------------------


def typed(text: str, kind: str) -> str:
    return f'"{text}"^^<{XSD}{kind}>'


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (f"<{A}x?y=z#1>", Object(f"{A}x?y=z#1")),
        ("<http://a.org/é>", Object("http://a.org/é")),
        ('"text"', Object("text", f"{XSD}string")),
        ('""', Object("", f"{XSD}string")),
        (typed("text", "string"), Object("text", f"{XSD}string")),
        ('"text"@en', Object("text", f"{RDF}langString", "en")),
        ('"text"@en-gb', Object("text", f"{RDF}langString", "en-gb")),
        (typed("16", "integer"), Object("16", f"{XSD}integer")),
        (typed("-5", "integer"), Object("-5", f"{XSD}integer")),
        (typed("999999999999999999", "integer"), Object("999999999999999999", f"{XSD}integer")),
        (typed("0.6", "decimal"), Object("0.6", f"{XSD}decimal")),
        # Virtuoso says 1 for it.
        (typed("true", "boolean"), Object("true", f"{XSD}boolean")),
        (typed("false", "boolean"), Object("false", f"{XSD}boolean")),
        (typed("2019", "gYear"), Object("2019", f"{XSD}gYear")),
        (typed("2026-11-18T07:08:24Z", "dateTime"), Object("2026-11-18T07:08:24Z", f"{XSD}dateTime")),
        (f'"{{\\"a\\": 1}}"^^<{RDF}JSON>', Object('{"a": 1}', f"{RDF}JSON")),
        ('"a\\tb\\nc\\r\\"d\\" \\\\e\\\\n"', Object('a\tb\nc\r"d" \\e\\n', f"{XSD}string")),
        ('"\\u0001\\u001f\\u007f\\u0085\\u2028\\ufeff"', Object("\x01\x1f\x7f\x85\u2028\ufeff", f"{XSD}string")),
        ('"\x01\x7f\x85\u2028\ufeff"', Object("\x01\x7f\x85\u2028\ufeff", f"{XSD}string")),
        ('"ü€😀 \\U0001F600"', Object("ü€😀 😀", f"{XSD}string")),
        # What closes a text when escapes are resolved too early.
        ('"\\u0022 . } } ; DROP ALL ; # \\u0022"', Object('" . } } ; DROP ALL ; # "', f"{XSD}string")),
        ('"\\u005C\\u005c\\U0000005C"', Object("\\\\\\", f"{XSD}string")),
        ('"\\u000a\\u000D"', Object("\n\r", f"{XSD}string")),
        ('"\\\\u0022"', Object("\\u0022", f"{XSD}string")),
        ('"} %s %d {0} ?x $x @x # <a>"', Object("} %s %d {0} ?x $x @x # <a>", f"{XSD}string")),
    ],
)  # fmt: skip
def test_a_term_comes_back(token: str, expected: Object, engine: Engine) -> None:
    engine.add([graph("t", token)])
    assert objects(engine, f"{A}t") == [expected]
    # The same by the other way of asking.
    (own, _) = sorted(said(engine, f"{A}t"), key=lambda line: TYPE in line)
    assert own.startswith(f"<{A}t> {P} ")
    engine.replace(NamedGraph(iri=f"{A}t", triples=own))
    assert objects(engine, f"{A}t") == [expected]


def test_a_table(engine: Engine) -> None:
    engine.add([graph("1", '"x"'), graph("2")])
    found = engine.query(
        f"SELECT ?g ?o ?nothing WHERE {{ GRAPH ?g {{ ?g a <{A}Run> . "
        f"OPTIONAL {{ ?g {P} ?o }} }} }} ORDER BY ?g"
    )
    assert found == Table(
        ("g", "o", "nothing"),
        [
            (Object(f"{A}1"), Object("x", f"{XSD}string"), None),
            (Object(f"{A}2"), None, None),
        ],
    )


def test_no_rows(engine: Engine) -> None:
    assert engine.select(f"SELECT ?o WHERE {{ GRAPH <{A}1> {{ ?s ?p ?o }} }}") == Table(("o",), [])
    assert said(engine, f"{A}1") == ()


def test_a_column(engine: Engine) -> None:
    engine.add([graph("1", '"x"', '"y"'), graph("2")])
    column = engine.column(
        f"SELECT ?o WHERE {{ GRAPH ?g {{ ?g a <{A}Run> . OPTIONAL {{ ?g {P} ?o }} }} }} ORDER BY ?o"
    )
    assert column == ["x", "y"]


def test_a_truth(engine: Engine) -> None:
    question = f"ASK {{ GRAPH ?g {{ ?g a <{A}Run> }} }}"
    assert engine.query(question) == Truth(False)
    engine.add([graph("1")])
    assert engine.query(question) == Truth(True)


def test_a_description(engine: Engine) -> None:
    engine.add([graph("1", '"x"')])
    found = engine.query(f"DESCRIBE <{A}1>")
    assert isinstance(found, Triples)
    assert found.lines == lines_of(graph("1", '"x"'))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"SELECT ?o WHERE {{ ?s {P} ?o }} ORDER BY ?o", ["x", "y"]),  # without GRAPH
        ("SELECT ?o WHERE { ?s primad:tag ?o } ORDER BY ?o", ["x", "y"]),  # and without PREFIX
        (f"PREFIX primad: <{A}> SELECT ?o WHERE {{ ?s primad:none ?o }}", []),  # its own prefix
        (f"SELECT ?o FROM <{A}1> WHERE {{ ?s {P} ?o }}", ["x"]),  # FROM names what it sees
        (f"SELECT ?o WHERE {{ GRAPH <{A}2> {{ ?s {P} ?o }} }}", ["y"]),
    ],
)
def test_the_library_answers_as_the_command_line_does(
    text: str, expected: list[str], engine: Engine
) -> None:
    engine.add([graph(name, f'"{o}" .\n<{A}{name}> <{PRIMAD}tag> "{o}"') for name, o in _TWO])
    found = engine.query(text)
    assert found == engine.select(text) == ask(engine, own_query(text), {})
    assert engine.column(text) == expected
    assert isinstance(found, Table)
    assert [row[0].value for row in found.rows if row[0]] == expected


_TWO = (("1", "x"), ("2", "y"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE asks another server"),
        ("SELECT * { ?s nobody:knows ?o }", "the prefix nobody: is not declared"),
        ("SELECT * { ?s ?p }", "cannot be read as SPARQL"),
        ("DROP ALL", "begins with SELECT|is no part of a query"),
    ],
)
def test_what_the_command_line_refuses_the_library_refuses(
    text: str, why: str, engine: Engine
) -> None:
    for question in (engine.query, engine.select, engine.column):
        with pytest.raises(QueryError, match=why):
            question(text)


def test_a_node_without_a_name(server: Server) -> None:
    server.do(f"INSERT {{ GRAPH <{A}1> {{ _:b {P} 1 }} }} WHERE {{ }}")
    (row,) = remote(server).select(f"SELECT ?s WHERE {{ GRAPH <{A}1> {{ ?s ?p ?o }} }}").rows
    assert row[0] is not None
    assert row[0].value.startswith("_:")
    assert row[0].value[2:].isalnum()
    assert row[0].datatype is None


def _value(line: str) -> str:
    """A line without what is only spelling: Virtuoso writes 1200000 as an integer."""
    line = re.sub(r"(:[0-9]{2}\.[0-9]*?)0+(Z|[+\-])", r"\1\2", line)
    return re.sub(r'"([^"]*)"\^\^<[^>]*#(?:decimal|integer)>', lambda one: f"{float(one[1])}", line)


def test_a_lifted_run_is_the_same_everywhere(engine: Engine) -> None:
    lifted = lifted_run()
    engine.add(lifted.graphs)
    for one in lifted.graphs:
        assert [*map(_value, said(engine, one.iri))] == [*map(_value, lines_of(one))]
    assert engine.existing([one.iri for one in lifted.graphs]) == {one.iri for one in lifted.graphs}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("SELECT * WHERE { ?s ?p }", 1),
        ("SELECT *\nWHERE { GRAPH ?g { ?s ?p ?o }", 2),
        ("SELECT *\nWHERE {\n ?s foo:bar ?o }", 3),
        ("SELECT ?x WHERE { FILTER(NOSUCH(1)) }", 1),
    ],
)
def test_what_is_no_sparql(text: str, line: int, server: Server) -> None:
    engine = remote(server)
    with pytest.raises(QueryError) as caught:
        engine.query(text)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)
    assert "define sql" not in str(caught.value)


def test_what_only_one_server_does_not_take(empty_virtuoso: Server) -> None:
    with pytest.raises(QueryError, match=r"does not take this query: Virtuoso 37000.*not implem"):
        remote(empty_virtuoso).query("SELECT (BNODE() AS ?b) WHERE { }")


@pytest.mark.parametrize(
    "text", ["DROP ALL", "INSERT DATA { }", "DELETE WHERE { ?s ?p ?o }", "CLEAR DEFAULT", ""]
)
def test_a_query_only_reads(text: str, oxigraph_server: Server) -> None:
    with odd(lambda seen: forwarded(seen, oxigraph_server)) as server:
        engine = RemoteEngine.connect(server.address)
        with pytest.raises(QueryError):
            engine.query(text)
        assert len(server.seen) == 1


def test_select_is_select(engine: Engine) -> None:
    for question in (engine.select, engine.column):
        with pytest.raises(QueryError, match="not a SELECT query"):
            question("ASK {}")


def test_a_long_query(engine: Engine) -> None:
    engine.add([graph("1", '"x"')])
    # Longer than an address may be.
    names = " ".join(f"<{A}{'x' * 100}{number}>" for number in range(300))
    found = engine.column(
        f"SELECT ?g WHERE {{ VALUES ?g {{ <{A}1> {names} }} GRAPH ?g {{ ?g ?p 'x' }} }}"
    )
    assert found == [f"{A}1"]


# Limits of servers -----------------------------------------------------------------------------------

HEAVY = (
    "SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?a ?b ?c } GRAPH ?h { ?d ?e ?f } "
    "GRAPH ?i { ?x ?y ?z } FILTER(STRLEN(STR(?a)) + STRLEN(STR(?d)) + STRLEN(STR(?x)) > 9999) }"
)


def many(number: int) -> str:
    return " ".join(f'GRAPH <{A}{one}> {{ <{A}{one}> {P} "{one}" }}' for one in range(number))


def test_a_query_that_takes_longer_than_it_may(server: Server) -> None:
    server.do(f"INSERT DATA {{ {many(300)} }}")
    engine = remote(server)
    begun = time.monotonic()
    # Virtuoso carries on with it, and lets nobody write meanwhile: not too heavy.
    text = (
        f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH ?g {{ ?a {P} ?c }} GRAPH ?h {{ ?d {P} ?f }} "
        "FILTER(CONTAINS(STR(?a), STR(?f))) }"
    )
    with pytest.raises(QueryTimeoutError, match=r"not answered within 0\.01 seconds; narrow.*--t"):
        engine.query(text, timeout=0.01)
    assert time.monotonic() - begun < 2


def test_a_query_that_takes_longer_than_oxigraph_allows(empty_oxigraph: Server) -> None:
    empty_oxigraph.do(f"INSERT DATA {{ {many(1000)} }}")
    engine = remote(empty_oxigraph)
    # It has promised success by then, and says otherwise in the middle.
    with pytest.raises(QueryTimeoutError, match="broke off in the middle"):
        engine.query(HEAVY)


def test_a_query_that_virtuoso_thinks_too_long(empty_virtuoso: Server) -> None:
    text = HEAVY.replace("FILTER", "GRAPH ?j { ?u ?v ?w } GRAPH ?k { ?l ?m ?n } FILTER")
    with pytest.raises(QueryTimeoutError, match=r"gave up.*estimated execution time") as caught:
        remote(empty_virtuoso).query(text)
    assert "STRLEN" not in str(caught.value)


PAIRS = "GRAPH ?g { ?s ?p ?o } GRAPH ?h { ?x ?y ?z }"


def test_an_answer_that_virtuoso_cuts_off(empty_virtuoso: Server) -> None:
    engine = remote(empty_virtuoso)
    why = "cuts answers off after 5000 rows.*ResultSetMaxRows in the section SPARQL"
    with pytest.raises(ArchiveError, match=why):
        engine.query(f"SELECT ?s WHERE {{ {PAIRS} }}")
    assert len(engine.select(f"SELECT ?s WHERE {{ {PAIRS} }} LIMIT 4999").rows) == 4999


def test_triples_that_virtuoso_cuts_off(empty_virtuoso: Server) -> None:
    engine = remote(empty_virtuoso)
    # No header says that there would be more.
    template = "CONSTRUCT { ?s a ?o . ?s ?p 1 . ?s ?p ?o }"
    with pytest.raises(ArchiveError, match="cuts answers off after 5000 rows"):
        engine.query(f"{template} WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}")
    whole = engine.query("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }")
    assert isinstance(whole, Triples)
    assert 2_000 < len(whole.lines) < 5_000


# Adding -----------------------------------------------------------------------------------------------


def test_adding_twice_changes_nothing(engine: Engine) -> None:
    one = graph("1", '"x"', inner=20)
    for _ in range(2):
        engine.add([one])
        assert said(engine, one.iri) == lines_of(one)


def test_what_is_there_stays(engine: Engine) -> None:
    engine.add([graph("1", '"x"')])
    engine.add([graph("1", '"y"')])
    assert {one.value for one in objects(engine, f"{A}1") if one} == {"x", "y"}


def test_nothing_to_add(engine: Engine) -> None:
    engine.add([])
    engine.remove([])
    assert engine.existing([]) == set()


def test_many_small_graphs_and_a_large_one(engine: Engine) -> None:
    graphs = [*(graph(f"c{number}", '"x"') for number in range(300)), graph("run", inner=700)]
    engine.add(graphs)
    assert engine.existing(one.iri for one in graphs) == {one.iri for one in graphs}
    assert said(engine, f"{A}run") == lines_of(graphs[-1])


def small(engine: RemoteEngine, **limits: int) -> RemoteEngine:
    """An engine whose server takes little at a time."""
    engine.endpoint = changed(engine.endpoint, server=changed(engine.endpoint.server, **limits))
    return engine


def test_a_batch_holds_as_much_as_a_server_takes(empty_oxigraph: Server) -> None:
    graphs = [graph(f"c{number}", '"x"') for number in range(10)]
    with odd(lambda seen: forwarded(seen, empty_oxigraph)) as server:
        small(RemoteEngine.connect(server.address), triples=6).add(graphs)
        assert [update.count("GRAPH") for update in server.updates] == [3, 3, 3, 1]
        assert [one.iri in update for one, update in zip(graphs[::3], server.updates, strict=True)]
        small(RemoteEngine.connect(server.address), characters=1).add(graphs)
        assert len(server.updates) == 4 + 2 * len(graphs)


def test_half_a_run_is_none(empty_oxigraph: Server) -> None:
    run = graph("run", '"x"', f"<{A}component>", inner=20)
    component = graph("component", inner=3, kind="Platform")

    def behave(seen: Seen) -> bytes:
        if seen.is_update and len(server.updates) == broken_at:
            return answer(400, b"not today")
        return forwarded(seen, empty_oxigraph)

    # One request for the component, and six for the run.
    for broken_at in range(1, 8):
        empty_oxigraph.do("DROP ALL")
        with odd(behave) as server:
            engine = small(RemoteEngine.connect(server.address), triples=4)
            with pytest.raises(GraphsRefusedError, match="not today"):
                engine.add([component, run])
            there = engine.existing([component.iri, run.iri])
            assert run.iri not in there
            # What does not depend on it came all the same.
            assert (component.iri in there) == (broken_at != 1)
            engine.add([component, run])
            assert said(engine, run.iri) == lines_of(run)
            assert said(engine, component.iri) == lines_of(component)


@pytest.mark.parametrize("broken_at", [1, 2, 4, 7])
def test_a_connection_that_breaks_while_loading(broken_at: int, empty_oxigraph: Server) -> None:
    lifted = lifted_run()

    def dead(seen: Seen) -> bytes:
        return b"" if len(server.updates) >= broken_at else forwarded(seen, empty_oxigraph)

    with odd(dead) as server:
        engine = small(RemoteEngine.connect(server.address, patience=QUICK), triples=20)
        with pytest.raises(ArchiveError, match="closes the connection without an answer"):
            engine.add(lifted.graphs)
    direct = remote(empty_oxigraph)
    assert lifted.run.iri not in direct.existing([lifted.run.iri])
    direct.add(lifted.graphs)
    assert all(len(said(direct, one.iri)) == len(lines_of(one)) for one in lifted.graphs)


def test_a_server_that_is_started_again(
    tmp_path: Path, oxigraph_binary: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    store = ("--location", str(tmp_path / "store"))
    graphs = [graph(f"c{number}", inner=5) for number in range(40)]
    patience = Patience(tries=8, first=0.05, longest=1)
    with oxigraph(oxigraph_binary, tmp_path, *store, port=port) as server:
        engine = small(RemoteEngine.connect(server.address, patience=patience), triples=10)
        engine.add(graphs[:10])
    with ThreadPoolExecutor(1) as pool:
        adding = pool.submit(engine.add, graphs[10:])
        time.sleep(0.2)
        with oxigraph(oxigraph_binary, tmp_path, *store, port=port):
            adding.result(30)
            assert len(engine.existing(one.iri for one in graphs)) == 40


def test_two_at_once(server: Server) -> None:
    engine = remote(server)
    graphs = [graph(f"c{number}", inner=10) for number in range(60)]
    errors: list[BaseException] = []

    def read() -> None:
        try:
            while not done.is_set():
                engine.existing([graphs[0].iri, graphs[-1].iri])
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    done = threading.Event()
    reader = threading.Thread(target=read)
    reader.start()
    with ThreadPoolExecutor(3) as pool:
        for _ in pool.map(lambda start: engine.add(graphs[start::3]), range(3)):
            pass
    done.set()
    reader.join()
    assert errors == []
    assert len(engine.existing(one.iri for one in graphs)) == 60


# What is refused -----------------------------------------------------------------------------------------


def refused(engine: Engine, graphs: Iterable[NamedGraph]) -> dict[str, str]:
    with pytest.raises(GraphsRefusedError) as caught:
        engine.add([*graphs])
    return caught.value.refused


def test_what_the_server_refuses_does_not_hold_up_the_rest(server: Server) -> None:
    engine = remote(server)
    graphs = [graph(f"c{number}", '"x"') for number in range(40)]
    # Virtuoso takes no durations, Oxigraph not every IRI.
    bad = typed("PT80S", "duration") if server.user else "<http://a.org/%zz>"
    for number in (7, 8, 31):
        graphs[number] = graph(f"c{number}", bad, inner=3)
    names = {graphs[number].iri for number in (7, 8, 31)}
    assert set(refused(engine, graphs)) == names
    assert engine.existing(one.iri for one in graphs) == {one.iri for one in graphs} - names
    assert all(said(engine, name) == () for name in names)


def test_what_relies_on_it_does_not_come_either(empty_oxigraph: Server) -> None:
    engine = remote(empty_oxigraph)
    graphs = [
        graph("bad", "<http://a.org/%zz>", kind="Platform"),
        graph("good", '"x"', kind="Platform"),
        graph("run1", f"<{A}bad>", f"<{A}good>"),
        graph("run2", f"<{A}good>"),
        graph("scores1", f"<{A}run1>"),
    ]
    found = refused(engine, graphs)
    assert [*found] == [f"{A}{name}" for name in ("bad", "run1", "scores1")]
    assert found[f"{A}run1"] == f"it refers to {A}bad, which is not taken"
    assert engine.existing(one.iri for one in graphs) == {f"{A}good", f"{A}run2"}


def test_it_says_which_and_why(server: Server) -> None:
    bad = typed("PT80S", "duration") if server.user else "<http://a.org/%zz>"
    graphs = [graph(f"c{number}", bad) for number in range(5)]
    with pytest.raises(GraphsRefusedError) as caught:
        remote(server).add(graphs)
    message = str(caught.value)
    assert message.startswith(f"{server.address} does not take 5 graphs, the rest is stored: ")
    assert message.endswith("; and 2 more")
    assert f"{graphs[0].iri}: " in message
    assert ("No column PT80SD" if server.user else "IRI parsing failed") in message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("triples", "why"),
    [
        ("_:a <u:p> <u:o> .\n", "nodes without names"),
        ("<u:s> <u:p> _:a .\n", "nodes without names"),
        ("<u:s> <u:p> <u:o> . } } ; DROP ALL ; #\n", "no triple"),
        ('<u:s> <u:p> "a" } } ; DROP ALL ; # " .\n', "no triple"),
        ('<u:s> <u:p> "a\\" .\n', "no triple"),
        ("<u:s> <u:p> <u:o> } . <x> .\n", "no triple"),
        ("<u:s> <u:p\\u003E> <u:o> .\n", "no triple"),
        ("<u:s> <u:p> <<( <u:s> <u:p> <u:o> )>> .\n", "no triple"),
        ("<u:s> <u:p> <u:o>\n", "no triple"),
        ("BASE <u:s>\n", "no triple"),
    ],
)
def test_what_could_close_the_braces(triples: str, why: str, oxigraph_server: Server) -> None:
    with odd(lambda seen: forwarded(seen, oxigraph_server)) as server:
        engine = RemoteEngine.connect(server.address)
        bad = NamedGraph(iri=f"{A}1", triples=triples)
        assert why in refused(engine, [bad])[f"{A}1"]
        with pytest.raises(GraphsRefusedError, match=why):
            engine.replace(bad)
        assert server.updates == []


@pytest.mark.parametrize(
    "iri", ["", "_:b", "x", "u:a> { } } ; DROP ALL ; #", "http://a.org/a b", "http://a.org/\n"]
)
def test_what_is_no_name_of_a_graph(iri: str, oxigraph_server: Server) -> None:
    with odd(lambda seen: forwarded(seen, oxigraph_server)) as server:
        engine = RemoteEngine.connect(server.address)
        bad = NamedGraph(iri=iri, triples="<u:s> <u:p> <u:o> .\n")
        assert "no IRI" in refused(engine, [bad])[iri]
        for call in (engine.remove, engine.existing):
            with pytest.raises(ArchiveError, match="no IRI of a graph"):
                call([iri])
        with pytest.raises(ArchiveError, match="no IRI"):
            engine.replace(bad)
        with pytest.raises(ArchiveError, match="no IRI"):
            engine.replace(NamedGraph(iri=iri, triples=""))
        assert server.updates == []


def test_what_virtuoso_would_store_as_something_else(empty_virtuoso: Server) -> None:
    engine = remote(empty_virtuoso)
    found = refused(
        engine,
        [
            graph("wraps", typed("9223372036854775808", "integer")),
            graph("long", typed("1" * 30, "integer")),
            # Three megabytes would take half a minute, and four the server.
            graph("megabytes", f'"{"x" * 4_000_000}"'),
            graph("fine", f'"{"1" * 30}"', f'"{"x" * 100_000}"'),
        ],
    )
    assert {iri.removeprefix(A) for iri in found} == {"wraps", "long", "megabytes"}
    assert "19 digits" in found[f"{A}wraps"]
    assert "megabyte" in found[f"{A}megabytes"]
    assert sorted(len(one.value) for one in objects(engine, f"{A}fine") if one) == [30, 100_000]


def test_a_server_that_takes_less_than_we_think(empty_oxigraph: Server) -> None:
    def behave(seen: Seen) -> bytes:
        if seen.form.get("update", "").count("\n") > 12:
            return answer(413, b"too much")
        return forwarded(seen, empty_oxigraph)

    graphs = [*(graph(f"c{number}", '"x"') for number in range(20)), graph("run", inner=50)]
    with odd(behave) as server:
        engine = RemoteEngine.connect(server.address)
        engine.add(graphs)
        assert said(engine, f"{A}run") == lines_of(graphs[-1])
        assert len(engine.existing(one.iri for one in graphs)) == 21
        # It learns: no more than one try of each size.
        assert sum(update.count("\n") > 12 for update in server.updates) < 6
        engine.replace(graph("run", '"y"', inner=40))
        assert said(engine, f"{A}run") == lines_of(graph("run", '"y"', inner=40))


def test_a_server_that_takes_nothing_of_a_graph(empty_oxigraph: Server) -> None:
    def behave(seen: Seen) -> bytes:
        if "#7>" in seen.form.get("update", ""):
            return answer(413, b"that is too long")
        return forwarded(seen, empty_oxigraph)

    with odd(behave) as server:
        engine = RemoteEngine.connect(server.address)
        found = refused(engine, [graph("1"), graph("run", inner=20), graph("2")])
        assert found == {f"{A}run": "that is too long"}
        assert engine.existing([f"{A}1", f"{A}run", f"{A}2"]) == {f"{A}1", f"{A}2"}


def test_who_has_no_password_writes_nothing(
    empty_virtuoso: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PRIMAD_LD_USER")
    monkeypatch.delenv("PRIMAD_LD_PASSWORD")
    engine = remote(empty_virtuoso)
    with pytest.raises(
        ArchiveError, match=r"not let just anybody update it.*SR186.*PRIMAD_LD_USER"
    ):
        engine.add([graph("1")])
    with pytest.raises(ArchiveError, match="just anybody"):
        RemoteEngine.connect(f"{empty_virtuoso.address}/sparql-auth")


def test_a_wrong_password(empty_virtuoso: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_PASSWORD", "topsecret")
    with pytest.raises(ArchiveError, match="does not accept the credentials from") as caught:
        remote(empty_virtuoso).add([graph("1")])
    assert "topsecret" not in str(caught.value)


def test_a_password_from_a_netrc_file(
    empty_virtuoso: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PRIMAD_LD_USER")
    monkeypatch.delenv("PRIMAD_LD_PASSWORD")
    file = tmp_path / "netrc"
    file.write_text(f"machine 127.0.0.1 login dba password {empty_virtuoso.password}\n")
    monkeypatch.setenv("NETRC", str(file))
    engine = remote(empty_virtuoso)
    engine.add([graph("1")])
    assert engine.existing([f"{A}1"]) == {f"{A}1"}
    assert empty_virtuoso.password not in repr(engine._transport)


def test_virtuoso_asks_for_a_password_once(empty_virtuoso: Server) -> None:
    with odd(lambda seen: forwarded(seen, empty_virtuoso)) as server:
        engine = RemoteEngine.connect(server.address)
        for number in range(3):
            engine.add([graph(f"c{number}")])
        updates = [one for one in server.seen if "update" in one.form]
    # The one that does nothing, twice; then each of ours once.
    assert ["Authorization" in one.headers for one in updates] == [False, True, True, True, True]


# Replacing and removing ---------------------------------------------------------------------------------


def test_replacing(engine: Engine) -> None:
    engine.add([graph("1", '"x"', inner=20), graph("2", '"x"')])
    new = graph("1", '"y"', inner=3)
    engine.replace(new)
    assert said(engine, new.iri) == lines_of(new)
    assert said(engine, f"{A}2") == lines_of(graph("2", '"x"'))


def test_replacing_what_is_not_there(engine: Engine) -> None:
    engine.replace(graph("1", '"x"'))
    assert said(engine, f"{A}1") == lines_of(graph("1", '"x"'))


def test_replacing_by_nothing(engine: Engine) -> None:
    engine.add([graph("1", '"x"')])
    engine.replace(NamedGraph(iri=f"{A}1", triples=""))
    assert said(engine, f"{A}1") == ()
    assert engine.existing([f"{A}1"]) == set()


def test_replacing_a_large_graph(engine: Engine) -> None:
    old, new = graph("1", '"x"', inner=600), graph("1", '"y"', inner=500)
    engine.add([old])
    engine.replace(new)
    assert said(engine, new.iri) == lines_of(new)


def test_a_large_graph_is_no_run_while_it_is_replaced(empty_oxigraph: Server) -> None:
    old, new = graph("1", '"x"', inner=30), graph("1", '"y"', inner=30)

    def behave(seen: Seen) -> bytes:
        done = forwarded(seen, empty_oxigraph)
        if seen.is_update:
            states.append(empty_oxigraph.ask(f"SELECT ?o {{ GRAPH ?g {{ ?g a ?t ; {P} ?o }} }}"))
        return done

    states: list[list[list[str]]] = []
    with odd(behave) as server:
        engine = small(RemoteEngine.connect(server.address), triples=4)
        engine.add([old])
        engine.replace(new)
    # Not there, the old one, not there, the new one.
    runs = [state[0][0] if state else "" for state in states]
    assert "".join(dict.fromkeys("-".join(runs).replace("--", "").split("-"))) == "xy"
    assert runs[-1] == "y"
    assert runs.count("x") == runs.count("y") == 1
    assert said(remote(empty_oxigraph), new.iri) == lines_of(new)


def test_a_replacement_that_is_refused_leaves_what_was_there(server: Server) -> None:
    engine = remote(server)
    old = graph("1", '"x"', inner=5)
    engine.add([old])
    bad = typed("PT80S", "duration") if server.user else "<http://a.org/%zz>"
    with pytest.raises(GraphsRefusedError) as caught:
        engine.replace(graph("1", bad))
    assert set(caught.value.refused) == {old.iri}
    assert said(engine, old.iri) == lines_of(old)


def test_removing(engine: Engine) -> None:
    graphs = [graph(f"c{number}", '"x"', inner=2) for number in range(130)]
    scores = NamedGraph(iri=f"{A}scores", triples=f'<{A}c1> {P} "0.3" .\n')  # no node of its own
    engine.add([*graphs, scores])
    assert engine.existing([scores.iri]) == set()
    engine.remove([*(one.iri for one in graphs[:120]), scores.iri, f"{A}never-there"])
    assert engine.existing(one.iri for one in graphs) == {one.iri for one in graphs[120:]}
    assert said(engine, scores.iri) == ()


def test_removing_unless_used(server: Server) -> None:
    engine = remote(server)
    names = [f"c{number}" for number in range(70)]
    components = [graph(one, '"x"', f"<{A}{one}>", inner=2, kind="Platform") for one in names]
    used = {components[3].iri, components[60].iri}
    engine.add([*components, graph("run", *(f"<{iri}>" for iri in used))])
    engine.remove([one.iri for one in components], unless_used=True)
    assert engine.existing(one.iri for one in components) == used
    assert sum(len(said(engine, one.iri)) for one in components) == 2 * 5
    engine.remove([f"{A}run"])
    engine.remove([*used], unless_used=True)
    assert engine.existing(used) == set()


def test_readers_see_the_old_or_the_new(server: Server) -> None:
    engine = remote(server)
    engine.add([graph("1", '"0"', inner=50)])
    seen: set[tuple[str, ...]] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(tuple(sorted(one.value for one in objects(engine, f"{A}1") if one)))

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for version in range(1, 15):
            engine.replace(graph("1", *(f'"{version}-{number}"' for number in range(30))))
        done.set()
        for reader in readers:
            reader.result()
    for state in seen:
        assert len({one.partition("-")[0] for one in state}) <= 1
        assert len(state) in (0, 1, 30)


# In pieces -------------------------------------------------------------------------------------------------


def test_the_types_of_a_node_come_last() -> None:
    one = graph("1", '"x"', inner=3)
    piece = whole(one, UNKNOWN)
    assert [line.split()[0] for line in piece.triples[:3]] == [f"<{A}1#{n}>" for n in range(3)]
    assert [TYPE in line for line in piece.triples] == [False] * 4 + [True]
    parts = [*pieces(piece, 2, 10**6)]
    assert [len(part.triples) for part in parts] == [2, 2, 1]
    assert tuple(line for part in parts for line in part.triples) == piece.triples
    assert [len(part.triples) for part in pieces(piece, 10**6, 1)] == [1] * 5


def test_the_error_travels() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(GraphsRefusedError("h", {"u:a": "why"})))
    assert error.refused == {"u:a": "why"}
    assert str(error) == "h does not take a graph, the rest is stored: u:a: why"


def test_the_protocol_is_kept(oxigraph_server: Server) -> None:
    engines: list[Engine] = [remote(oxigraph_server), EmbeddedEngine.memory()]
    for one in engines:
        one.compact()
        one.close()
    assert engines[0].name == oxigraph_server.address


@pytest.mark.parametrize("layout", [1, 2])
def test_an_endpoint_of_an_older_layout_is_refused(empty_oxigraph: Server, layout: int) -> None:
    empty_oxigraph.do(
        f"INSERT DATA {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> {layout} }} }}"
    )
    why = f"was written in layout {layout}, and this primad-ld knows {LAYOUT}; load the runs into"
    for options in ({}, {"writable": True, "create": True}):
        with pytest.raises(ArchiveError, match=why), open_engine(empty_oxigraph.address, **options):
            pass
