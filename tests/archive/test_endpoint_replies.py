"""What servers answer: which kind of failure it is, and which words of it are shown."""

from __future__ import annotations

import pytest
from support.odd_endpoints import QUERY, ROWS, after, connect
from support.servers import ASK, answer, odd

from primad_ld.core.errors import ArchiveError, PrimadError, QueryError, QueryTimeoutError


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (answer(200), "answers with nothing"),
        (answer(204), "answers with nothing"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "answers with nothing"),
        (answer(200, b" \n "), "answers with nothing"),
        (answer(200, b"<html><h1>Log in</h1></html>"), r"a web page \(Log in\)"),
        (answer(200, b"hello", Content_Type="text/html"), r"a web page \(hello\)"),
        (answer(200, b"hello"), r"no JSON \(hello\)"),
        (answer(200, b"<?xml version='1.0'?><sparql/>"), "no JSON"),
        (answer(200, b"\xff\xfe\x00"), "JSON that cannot be read"),
        (answer(200, b"[" * 100_000), "JSON that cannot be read|no JSON"),
        (answer(200, b'{"head": {"vars": ["\\ud800"]}, "results": {"bindings": []}}'), "JSON"),
        (answer(200, ROWS, Content_Encoding="gzip"), "compresses its answers"),
        *(
            (answer(200, body), "JSON that is no result of SELECT")
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
    "said",
    [
        answer(206, ROWS),
        answer(200, ROWS, X_SQL_State="S1TAT", X_SQL_Message="RC: Returning incomplete results"),
    ],
)
def test_a_part_of_an_answer(said: bytes) -> None:
    with odd(lambda seen: after(seen, said)) as server:
        with pytest.raises(QueryTimeoutError, match="gave up"):
            connect(server).query(QUERY)
        assert len(server.seen) == 2


@pytest.mark.parametrize("length", range(1, len(ROWS), 7))
def test_json_that_ends_early(length: int) -> None:
    wrong = pytest.raises(QueryTimeoutError, match=r"broke off in the middle.*limit of the server")
    with odd(lambda seen: after(seen, answer(200, ROWS[:length]))) as server, wrong:
        connect(server).query(QUERY)


@pytest.mark.parametrize(
    ("body", "error", "why"),
    [
        (b'<u:a> <u:b> "c', QueryTimeoutError, "broke off in the middle"),
        (b"<u:a> <u:b> <u:c> .\ncancelled", QueryTimeoutError, "broke off in the middle"),
        (b"<u:a> <u:b> what .\n", ArchiveError, "N-Triples that cannot be read"),
        (
            b"<u:a> <u:b> <<( <u:a> <u:b> <u:c> )>> .\n",
            ArchiveError,
            r"RDF that .*a triple is used",
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
