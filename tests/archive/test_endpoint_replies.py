"""What servers answer: which kind of failure it is, and which words of it are shown."""

from __future__ import annotations

import json
from email.message import Message

import pytest
from support.odd_endpoints import QUERY, ROWS, after, connect
from support.servers import ASK, answer, odd

from primad_ld.archive.endpoint_replies import EndpointReply, read_answer
from primad_ld.archive.engine import MOST_CELLS, MOST_ROWS
from primad_ld.archive.query_results import Bindings, Triples
from primad_ld.core.errors import ArchiveError, PrimadError, QueryError, QueryTimeoutError


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer(200), "sent an empty answer"),
        (answer(204), "sent an empty answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "sent an empty answer"),
        (answer(200, b" \n "), "sent an empty answer"),
        (answer(200, b"<html><h1>Log in</h1></html>"), r"a web page \(Log in\)"),
        (answer(200, b"hello", Content_Type="text/html"), r"a web page \(hello\)"),
        (answer(200, b"hello"), r"not JSON \(hello\)"),
        (answer(200, b"<?xml version='1.0'?><sparql/>"), "not JSON"),
        (answer(200, b"\xff\xfe\x00"), "sent invalid JSON"),
        (answer(200, b"[" * 100_000), "sent invalid JSON|not JSON"),
        (answer(200, b'{"head": {"vars": ["\\ud800"]}, "results": {"bindings": []}}'), "JSON"),
        (answer(200, ROWS, Content_Encoding="gzip"), "sent a compressed answer"),
        *(
            (answer(200, body), "JSON that is not a result of SELECT")
            for body in (
                b"[]",
                b"1",
                b"null",
                b'"text"',
                b"{}",
                ASK,
                b'{"head":{},"results":{"bindings":[]}}',
                b'{"head":{"vars":"s"},"results":{"bindings":{"s":1}}}',
                b'{"head":{"vars":[1]},"results":{"bindings":[]}}',
                b'{"head":{"vars":["\\u001b[2J"]},"results":{"bindings":[]}}',
                b'{"head":{"vars":["a\\tb"]},"results":{"bindings":[]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":["s"]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":"u:1"}]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri"}}]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":1}}]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"literal",'
                b'"value":"","xml:lang":5}}]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"literal",'
                b'"value":"","datatype":["u:1"]}}]}}',
                b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"triple",'
                b'"value":{"subject":{}}}}]}}',
            )
        ),
    ],
)
def test_what_is_no_answer(said: bytes, why: str) -> None:
    with odd(lambda seen: after(seen, said)) as server:
        engine = connect(server)
        with pytest.raises(ArchiveError, match=why) as caught:
            engine.query(QUERY)
        assert not isinstance(caught.value, QueryError)
        assert server.address in str(caught.value)
        assert len(server.seen) == 2


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ({"type": "uri", "value": "no IRI"}, "'no IRI' is not an IRI"),
        ({"type": "uri", "value": ""}, "'' is not an IRI"),
        ({"type": "uri", "value": "relative"}, "'relative' is not an IRI"),
        ({"type": "uri", "value": "u:1> <u:2"}, "is not an IRI"),  # it would end a query of ours
        ({"type": "uri", "value": "u:" + "x" * 300 + " "}, f"'u:{'x' * 98}' is not an IRI"),
        ({"type": "literal", "value": "1", "datatype": "a number"}, "'a number' is not an IRI"),
        ({"type": "literal", "value": "a", "xml:lang": "no tag"}, "'no tag' is not a language tag"),
        ({"type": "quoted", "value": "a"}, "a term of type 'quoted'"),
    ],
)
def test_values_that_are_none(cell: dict[str, str], why: str) -> None:
    rows = {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": cell}]}}
    body = answer(200, json.dumps(rows).encode())
    with odd(lambda seen: after(seen, body)) as server:
        with pytest.raises(ArchiveError, match="sent an invalid value") as caught:
            connect(server).query(QUERY)
        assert server.address in str(caught.value)
        assert str(caught.value).endswith(why)


@pytest.mark.parametrize("iri", ["u:1", "http://a.org/é?x=[1]#%zz", "urn:a:'b'", "mailto:a@b"])
def test_iris_that_others_take_are_taken(iri: str) -> None:
    rows = {
        "head": {"vars": ["s"]},
        "results": {"bindings": [{"s": {"type": "uri", "value": iri}}]},
    }
    body = answer(200, json.dumps(rows).encode())
    with odd(lambda seen: after(seen, body)) as server:
        assert connect(server).column(QUERY) == [iri]


@pytest.mark.parametrize(
    "said",
    [
        answer(206, ROWS),
        answer(200, ROWS, X_SQL_State="S1TAT", X_SQL_Message="RC: Returning incomplete results"),
    ],
)
def test_a_part_of_an_answer(said: bytes) -> None:
    with odd(lambda seen: after(seen, said)) as server:
        with pytest.raises(QueryTimeoutError, match="time limit"):
            connect(server).query(QUERY)
        assert len(server.seen) == 2


@pytest.mark.parametrize("length", range(1, len(ROWS), 7))
def test_json_that_ends_early(length: int) -> None:
    wrong = pytest.raises(QueryTimeoutError, match=r"stopped in the middle.*limit of the server")
    with odd(lambda seen: after(seen, answer(200, ROWS[:length]))) as server, wrong:
        connect(server).query(QUERY)


@pytest.mark.parametrize(
    ("body", "error", "why"),
    [
        (b'<u:a> <u:b> "c', QueryTimeoutError, "stopped in the middle"),
        (b"<u:a> <u:b> <u:c> .\ncancelled", QueryTimeoutError, "stopped in the middle"),
        (b"<u:a> <u:b> what .\n", ArchiveError, "invalid N-Triples"),
        (
            b"<u:a> <u:b> <<( <u:a> <u:b> <u:c> )>> .\n",
            ArchiveError,
            r"RDF: triple terms",
        ),
        (
            b"<u:a> <u:b> " + b"<<( <u:a> <u:b> " * 30_000,
            ArchiveError,
            "nested more than 1000 levels",
        ),
        (b"<html><body>.", ArchiveError, "a web page"),
    ],
)
def test_triples_that_are_none(body: bytes, error: type[PrimadError], why: str) -> None:
    said = answer(200, body, Content_Type="application/n-triples")
    with odd(lambda seen: after(seen, said)) as server, pytest.raises(error, match=why):
        connect(server).query("CONSTRUCT WHERE { GRAPH ?g { ?s ?p ?o } }")


def test_triples_in_a_format_that_nobody_asked_for() -> None:
    said = answer(200, b"<rdf:RDF/>", Content_Type="application/rdf+xml")
    wrong = pytest.raises(ArchiveError, match=r"'application/rdf\+xml' instead of N-Triples")
    with odd(lambda seen: after(seen, said)) as server, wrong:
        connect(server).query("DESCRIBE <u:a>")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (b"bad\x1b[31m\x07 thing\x00\x9b", "bad  [31m   thing"),
        (b"<html><style>p{}</style><p>bad &lt;thing&gt;</p></html>", "bad <thing>"),
        (b"java.lang.E: bad\n\tat org.x.Y(Z.java:3)\n\tat a.b(C.java)", "java.lang.E: bad"),
        (b"x" * 5000, "x" * 299 + "…"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"Virtuoso 37000 Error SP030: bad\n\nSPARQL query:\ntop secret", "Error SP030: bad"),
    ],
)
def test_words_of_a_server_in_a_line(said: bytes, shown: str) -> None:
    body = answer(400, said, Content_Type="text/html" if said[:1] == b"<" else "text/plain")
    with odd(lambda seen: after(seen, body)) as server, pytest.raises(QueryError) as caught:
        connect(server).query(QUERY)
    assert " ".join(shown.split()) in str(caught.value)
    assert str(caught.value).isprintable()
    assert "top secret" not in str(caught.value)


# Answers that are short as texts and long as values --------------------------------------------------


def rows_of(variables: list[str], bindings: bytes) -> bytes:
    head = json.dumps(variables).encode()
    return b'{"head":{"vars":%b},"results":{"bindings":[%b]}}' % (head, bindings)


_MANY = MOST_ROWS + MOST_CELLS


@pytest.mark.parametrize(
    "body",
    [
        rows_of(["s"], b",".join([b"{}"] * (_MANY + 1))),  # three bytes each, 64 in memory
        rows_of(["s"], b",".join([b"{}"] * (MOST_ROWS + 1))),
        rows_of(["s"], b",".join([b"[]"] * (_MANY + 1))),
        rows_of([f"v{number}" for number in range(3000)], b",".join([b"{}"] * 3000)),
        b'{"boolean":[%b]}' % b",".join([b"1"] * (5 * _MANY)),
    ],
    ids=["empty rows", "one row too many", "lists", "columns by rows", "numbers"],
)
def test_rows_are_counted_before_they_are_made(body: bytes) -> None:
    reply = EndpointReply(status=200, headers=Message(), body=body, hide=str)
    with pytest.raises(ArchiveError, match=r"http://a returned more than .* rows.*; narrow"):
        read_answer(reply, "SELECT", "http://a")


def test_signs_in_a_text_are_no_rows() -> None:
    text = '{"[,' * _MANY
    term = {"type": "literal", "value": text}
    body = rows_of(["s"], json.dumps({"s": term}).encode())
    reply = EndpointReply(status=200, headers=Message(), body=body, hide=str)
    answer = read_answer(reply, "SELECT", "http://a")
    assert isinstance(answer, Bindings)
    assert answer.rows[0][0] is not None
    assert answer.rows[0][0].value == text


def test_triples_are_counted_while_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad_ld.archive.endpoint_replies.MOST_TRIPLES", 1000)
    for count in (1000, 1001):
        body = b"".join(b"<u:%d> <u:p> <u:o> .\n" % number for number in range(count))
        reply = EndpointReply(status=200, headers=Message(), body=body, hide=str)
        if count == 1000:
            assert isinstance(read_answer(reply, "CONSTRUCT", "http://a"), Triples)
        else:
            with pytest.raises(ArchiveError, match="http://a returned more than 1,000 triples"):
                read_answer(reply, "CONSTRUCT", "http://a")
