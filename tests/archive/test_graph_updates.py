"""Graphs as updates: in pieces, whole or not at all, and what a server refuses."""

from __future__ import annotations

import pytest
from support.servers import Seen, Server, answer, forwarded, odd
from support.stored_graphs import (
    TYPE,
    A,
    graph,
    lines_of,
    objects,
    refused,
    remote,
    said,
    small,
    typed,
)

from primad_ld.archive.endpoint import UNKNOWN
from primad_ld.archive.engine import GraphsRefusedError
from primad_ld.archive.graph_updates import pieces, whole
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core.triples import NamedGraph


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
    assert found[f"{A}run1"] == f"it refers to {A}bad, which was refused"
    assert engine.existing(one.iri for one in graphs) == {f"{A}good", f"{A}run2"}


def test_it_says_which_and_why(server: Server) -> None:
    bad = typed("PT80S", "duration") if server.user else "<http://a.org/%zz>"
    graphs = [graph(f"c{number}", bad) for number in range(5)]
    with pytest.raises(GraphsRefusedError) as caught:
        remote(server).add(graphs)
    message = str(caught.value)
    assert message.startswith(f"{server.address} refused 5 graphs, the rest is stored: ")
    assert message.endswith("; and 2 more")
    assert f"{graphs[0].iri}: " in message
    assert ("No column PT80SD" if server.user else "IRI parsing failed") in message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("triples", "why"),
    [
        ("_:a <u:p> <u:o> .\n", "blank nodes"),
        ("<u:s> <u:p> _:a .\n", "blank nodes"),
        ("<u:s> <u:p> <u:o> . } } ; DROP ALL ; #\n", "not a triple"),
        ('<u:s> <u:p> "a" } } ; DROP ALL ; # " .\n', "not a triple"),
        ('<u:s> <u:p> "a\\" .\n', "not a triple"),
        ("<u:s> <u:p> <u:o> } . <x> .\n", "not a triple"),
        ("<u:s> <u:p\\u003E> <u:o> .\n", "not a triple"),
        ("<u:s> <u:p> <<( <u:s> <u:p> <u:o> )>> .\n", "not a triple"),
        ("<u:s> <u:p> <u:o>\n", "not a triple"),
        ("BASE <u:s>\n", "not a triple"),
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
    assert str(error) == "h refused a graph, the rest is stored: u:a: why"
