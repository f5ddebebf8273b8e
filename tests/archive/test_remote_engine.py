"""The remote engine against real servers, beside the embedded one: the same answers."""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support import GOOD, loaded
from support.odd_endpoints import QUICK
from support.servers import Seen, Server, forwarded, free_port, odd, oxigraph
from support.stored_graphs import (
    A,
    P,
    graph,
    lines_of,
    objects,
    refused,
    remote,
    said,
    small,
    typed,
)

from primad_ld import header_of
from primad_ld.archive.embedded_engine import EmbeddedEngine
from primad_ld.archive.engine import Engine, GraphsRefusedError
from primad_ld.archive.query_results import Triples
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core.connections import Patience
from primad_ld.core.errors import ArchiveError, QueryError, QueryTimeoutError
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun


def lifted_run() -> LiftedRun:
    return Lifter().lift(header_of(loaded(GOOD)))


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
    with pytest.raises(QueryError, match=r"rejected this query: Virtuoso 37000.*not implem"):
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
    with pytest.raises(
        QueryTimeoutError, match=r"not answer within 0\.01 seconds; narrow.*timeout"
    ):
        engine.query(text, timeout=0.01)
    assert time.monotonic() - begun < 2


def test_a_query_that_takes_longer_than_oxigraph_allows(empty_oxigraph: Server) -> None:
    empty_oxigraph.do(f"INSERT DATA {{ {many(1000)} }}")
    engine = remote(empty_oxigraph)
    # It has promised success by then, and says otherwise in the middle.
    with pytest.raises(QueryTimeoutError, match="stopped in the middle"):
        engine.query(HEAVY)


def test_a_query_that_virtuoso_thinks_too_long(empty_virtuoso: Server) -> None:
    text = HEAVY.replace("FILTER", "GRAPH ?j { ?u ?v ?w } GRAPH ?k { ?l ?m ?n } FILTER")
    with pytest.raises(QueryTimeoutError, match=r"time limit.*estimated execution time") as caught:
        remote(empty_virtuoso).query(text)
    assert "STRLEN" not in str(caught.value)


PAIRS = "GRAPH ?g { ?s ?p ?o } GRAPH ?h { ?x ?y ?z }"


def test_an_answer_that_virtuoso_cuts_off(empty_virtuoso: Server) -> None:
    engine = remote(empty_virtuoso)
    why = "limits answers to 5000 rows.*ResultSetMaxRows in section SPARQL"
    with pytest.raises(ArchiveError, match=why):
        engine.query(f"SELECT ?s WHERE {{ {PAIRS} }}")
    assert len(engine.select(f"SELECT ?s WHERE {{ {PAIRS} }} LIMIT 4999").rows) == 4999


def test_triples_that_virtuoso_cuts_off(empty_virtuoso: Server) -> None:
    engine = remote(empty_virtuoso)
    # No header says that there would be more.
    template = "CONSTRUCT { ?s a ?o . ?s ?p 1 . ?s ?p ?o }"
    with pytest.raises(ArchiveError, match="limits answers to 5000 rows"):
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


@pytest.mark.parametrize("broken_at", [1, 2, 4, 7])
def test_a_connection_that_breaks_while_loading(broken_at: int, empty_oxigraph: Server) -> None:
    lifted = lifted_run()

    def dead(seen: Seen) -> bytes:
        return b"" if len(server.updates) >= broken_at else forwarded(seen, empty_oxigraph)

    with odd(dead) as server:
        engine = small(RemoteEngine.connect(server.address, patience=QUICK), triples=20)
        with pytest.raises(ArchiveError, match="closed the connection without an answer"):
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


@pytest.mark.parametrize(
    "iri", ["", "_:b", "x", "u:a> { } } ; DROP ALL ; #", "http://a.org/a b", "http://a.org/\n"]
)
def test_what_is_no_name_of_a_graph(iri: str, oxigraph_server: Server) -> None:
    with odd(lambda seen: forwarded(seen, oxigraph_server)) as server:
        engine = RemoteEngine.connect(server.address)
        bad = NamedGraph(iri=iri, triples="<u:s> <u:p> <u:o> .\n")
        assert "not an IRI" in refused(engine, [bad])[iri]
        for call in (engine.remove, engine.existing):
            with pytest.raises(ArchiveError, match="IRI"):
                call([iri])
        with pytest.raises(ArchiveError, match="not an IRI"):
            engine.replace(bad)
        with pytest.raises(ArchiveError, match="IRI"):
            engine.replace(NamedGraph(iri=iri, triples=""))
        assert server.updates == []


def test_who_has_no_password_writes_nothing(
    empty_virtuoso: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PRIMAD_LD_USER")
    monkeypatch.delenv("PRIMAD_LD_PASSWORD")
    engine = remote(empty_virtuoso)
    with pytest.raises(ArchiveError, match=r"requires a login to update it.*SR186.*PRIMAD_LD_USER"):
        engine.add([graph("1")])
    with pytest.raises(ArchiveError, match="requires a login"):
        RemoteEngine.connect(f"{empty_virtuoso.address}/sparql-auth")


def test_a_wrong_password(empty_virtuoso: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_PASSWORD", "topsecret")
    with pytest.raises(ArchiveError, match="rejected the credentials from") as caught:
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


# The protocol -----------------------------------------------------------------------------


def test_the_protocol_is_kept(oxigraph_server: Server) -> None:
    engines: list[Engine] = [remote(oxigraph_server), EmbeddedEngine.memory()]
    for one in engines:
        one.compact()
        one.close()
    assert engines[0].name == oxigraph_server.address
