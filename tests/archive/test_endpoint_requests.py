"""Servers that refuse, redirect, drop, stall and lie: each is one clear error, or overcome."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from support.odd_endpoints import QUERY, QUICK, ROWS, after, connect
from support.servers import ASK, OddServer, Seen, Server, answer, forwarded, free_port, odd

from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core import connections
from primad_ld.core.connections import Patience
from primad_ld.core.errors import ArchiveError, QueryTimeoutError
from primad_ld.core.triples import NamedGraph

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
GRAPH = NamedGraph(iri="http://a.org/1", triples=f"<http://a.org/1> <{TYPE}> <http://a.org/T> .\n")


# Nobody there ------------------------------------------------------------------------------------


def test_nothing_answers() -> None:
    address = f"http://127.0.0.1:{free_port()}/sparql"
    begun = time.monotonic()
    with pytest.raises(ArchiveError, match=f"cannot connect to {address}; is the server running"):
        RemoteEngine.connect(address)
    assert time.monotonic() - begun < 2


def test_no_such_host() -> None:
    with pytest.raises(ArchiveError, match="unknown host"):
        RemoteEngine.connect("http://nowhere.invalid/sparql")


def test_no_http() -> None:
    with odd(lambda _: b"220 mail.example.org ESMTP\r\n") as server:
        with pytest.raises(ArchiveError, match="invalid HTTP answer"):
            connect(server)
        assert len(server.seen) == 1


def test_no_tls() -> None:
    wrong = pytest.raises(ArchiveError, match="no secure connection")
    with odd(lambda _: answer(200, ASK)) as server, wrong:
        RemoteEngine.connect(server.address.replace("http:", "https:"), patience=QUICK)


def test_no_endpoint() -> None:
    wrong = pytest.raises(
        ArchiveError, match=r"no SPARQL endpoint found .*\(tried /sparql, /query, /\)"
    )
    with odd(lambda _: answer(404, b"<html><title>404</title></html>")) as server, wrong:
        connect(server, "")


def test_any_web_server() -> None:
    page = b"<!DOCTYPE html><html><body>Welcome!</body></html>"
    wrong = pytest.raises(ArchiveError, match="no SPARQL endpoint found")
    with odd(lambda _: answer(200, page, Content_Type="text/html")) as server, wrong:
        connect(server)


def test_gone_later(oxigraph_server: Server) -> None:
    with odd(lambda seen: answer(200, ASK)) as server:
        engine = connect(server)
    with pytest.raises(ArchiveError, match="stopped answering, after 4 attempts"):
        engine.query(QUERY)


# Again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        answer(500, b"oops"),
        answer(502, b"<html>Bad Gateway</html>"),
        answer(503),
        answer(504),
        answer(429, b"slow down", Retry_After="1"),
        answer(500, b"Virtuoso 40001 Error SR172: Transaction deadlocked"),
        b"",  # closes without a word
        answer(200, ROWS)[:-10],  # closes before as many bytes as it promised
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" + ROWS,
    ],
    ids=lambda said: said[:30].decode() + said[-10:].decode() if said else "nothing",
)
def test_what_passes_is_tried_again(bad: bytes) -> None:
    with odd(lambda seen: after(seen, bad if seen.number < 5 else answer(200, ROWS))) as server:
        engine = connect(server)
        assert len(engine.select(QUERY).rows) == 1
        assert len(server.seen) == 5


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (
            answer(503, b"maintenance until noon"),
            "failed with 503 after 4 attempts: maintenance until",
        ),
        (b"", "closed the connection without an answer, after 4 attempts"),
        (answer(200, ROWS)[:-10], "closed the connection in the middle of its answer"),
    ],
)
def test_what_does_not_pass(bad: bytes, why: str) -> None:
    with odd(lambda seen: after(seen, bad)) as server:
        engine = connect(server)
        with pytest.raises(ArchiveError, match=why):
            engine.query(QUERY)
        assert len(server.seen) == 5


@pytest.mark.parametrize(
    "bad",
    [
        answer(400, b"error at 1:8: expected WHERE"),
        answer(403),
        answer(404),
        answer(500, b"Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error"),
        answer(500, b"Virtuoso S1T00 Error SR171: Transaction timed out"),
        answer(500, b"The SPARQL operation has been cancelled"),
        answer(503, b"Query timed out"),
        answer(200, b"{"),
    ],
)
def test_what_stays_is_not_tried_again(bad: bytes) -> None:
    with odd(lambda seen: after(seen, bad)) as server:
        engine = connect(server)
        with pytest.raises(ArchiveError):
            engine.query(QUERY)
        assert len(server.seen) == 2


@pytest.mark.parametrize(
    "wanted",
    ["1", "99999999999", format_datetime(datetime.now(UTC) + timedelta(hours=1))],
    ids=["seconds", "ages", "date"],  # the date is another one in each process
)
def test_a_server_says_when_to_come_again(wanted: str) -> None:
    patience = Patience(tries=2, first=0.001, longest=0.3)
    busy = answer(503, Retry_After=wanted)
    with odd(lambda seen: after(seen, busy if seen.number == 2 else answer(200, ROWS))) as server:
        engine = RemoteEngine.connect(f"{server.address}/sparql", patience=patience)
        begun = time.monotonic()
        engine.query(QUERY)
        assert 0.3 <= time.monotonic() - begun < 2  # but not for hours


@pytest.mark.parametrize(
    "wanted",
    [
        "-1",
        "soon",
        "",
        "Mon, 32 Foo",
        "1.5",
        "Wed, 21 Oct 2026 07:28:99999999999 GMT",  # seconds beyond any integer of C
        "Wed, 21 Oct 2026 07:28:00 +9999999999999",  # a zone beyond any time
        "9" * 5000 + " Oct 2026 07:28:00 GMT",
        "1 Jan 0001 00:00:00 -2359",
    ],
)
def test_a_server_says_nonsense_about_it(wanted: str) -> None:
    busy = answer(503, Retry_After=wanted)
    with odd(lambda seen: after(seen, busy if seen.number == 2 else answer(200, ROWS))) as server:
        connect(server).query(QUERY)


@pytest.mark.parametrize("wanted", ["30", "9" * 5000], ids=["seconds", "ages"])
def test_nobody_waits_longer_than_for_an_answer(wanted: str) -> None:
    busy = answer(503, Retry_After=wanted)
    with odd(lambda seen: after(seen, busy if seen.number > 1 else answer(200, ROWS))) as server:
        engine = RemoteEngine.connect(f"{server.address}/sparql")
        begun = time.monotonic()
        with pytest.raises(ArchiveError, match="503"):
            engine.query(QUERY, timeout=1)
        assert time.monotonic() - begun < 10  # Retry-After of half a minute, three times


def test_pauses_grow() -> None:
    assert [*Patience().pauses()] == [0.5, 2, 8]
    assert [*Patience(tries=6, longest=5).pauses()] == [0.5, 2, 5, 5, 5]


def test_updates_are_made_again(empty_oxigraph: Server) -> None:
    def behave(seen: Seen) -> bytes:
        if not seen.is_update:
            return forwarded(seen, empty_oxigraph)
        number = len(server.updates)
        if number == 2:
            return answer(503)
        done = forwarded(seen, empty_oxigraph)
        return b"" if number == 1 else done  # done, but nobody hears of it

    with odd(behave) as server:
        engine = connect(server)
        engine.add([GRAPH])
        assert len(server.updates) == 3
        assert engine.existing([GRAPH.iri]) == {GRAPH.iri}
    assert empty_oxigraph.ask(QUERY) == [[GRAPH.iri]]


# Late ------------------------------------------------------------------------------------------------


def drip(server: list[OddServer], head: bytes, piece: bytes) -> Iterator[bytes]:
    """An answer that goes on for ever, a little at a time."""
    yield head
    while not server[0].over.wait(0.02):
        yield piece


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        (b"", b""),  # silence
        (b"HTTP/1.1 200 OK\r\n", b"X-A: b"),  # a header that never ends
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n", b" "),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
    ],
    ids=["silence", "head", "continue", "body", "length", "chunks", "size"],
)
def test_a_drop_now_and_then_is_no_answer(head: bytes, piece: bytes) -> None:
    itself: list[OddServer] = []
    with odd(lambda seen: after(seen, drip(itself, head, piece))) as server:
        itself.append(server)
        engine = connect(server)
        begun = time.monotonic()
        with pytest.raises(QueryTimeoutError, match=r"not answer within 0\.3 seconds; narrow"):
            engine.query(QUERY, timeout=0.3)
        assert time.monotonic() - begun < 2
        assert len(server.seen) == 2


def test_an_update_that_takes_too_long() -> None:
    itself: list[OddServer] = []

    def behave(seen: Seen) -> bytes | Iterator[bytes]:
        return drip(itself, b"", b"") if seen.is_update else answer(200, ASK)

    with odd(behave) as server:
        itself.append(server)
        engine = connect(server, timeout=0.3)
        with pytest.raises(ArchiveError, match="everything before this request is stored"):
            engine.add([GRAPH])
        assert len(server.updates) == 1


def test_nobody_takes_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_CONNECTING", 0.2)
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(address)
        begun = time.monotonic()
        with pytest.raises(ArchiveError, match=r"cannot connect|did not answer"):
            RemoteEngine.connect(f"http://127.0.0.1:{address[1]}", timeout=1, patience=QUICK)
        assert time.monotonic() - begun < 3
        for one in waiting:
            one.close()


def test_too_much() -> None:
    endless = (b" " * 100_000 for _ in iter(int, 1))

    def behave(seen: Seen) -> bytes | Iterator[bytes]:
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        return after(seen, (piece for pieces in ([head], endless) for piece in pieces))

    with odd(behave) as server:
        engine = connect(server)
        engine._transport.most_bytes = 1_000_000
        with pytest.raises(ArchiveError, match="more than 1,000,000 bytes; narrow the query down"):
            engine.query(QUERY)


@pytest.mark.parametrize("status", [200, 404, 500])
def test_a_first_question_takes_a_short_answer(status: int) -> None:
    sent = []
    endless = (sent.append(0) or b" " * 100_000 for _ in iter(int, 1))  # type: ignore[func-returns-value]

    def behave(seen: Seen) -> bytes | Iterator[bytes]:
        head = b"HTTP/1.1 %d Said\r\n\r\n" % status
        return (piece for pieces in ([head], endless) for piece in pieces)

    with odd(behave) as server, pytest.raises(ArchiveError):
        RemoteEngine.connect(server.address, timeout=5, patience=QUICK)
    # What the system takes while nobody reads is more than we do, and far less than a gigabyte.
    assert len(sent) < 500


# Who asks --------------------------------------------------------------------------------------------


BASIC = "Basic " + b64encode(b"ada:topsecret").decode()


@pytest.fixture
def ada(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_USER", "ada")
    monkeypatch.setenv("PRIMAD_LD_PASSWORD", "topsecret")


def guarded(seen: Seen, header: str, challenge: str) -> bytes:
    """Answers only who says this."""
    if seen.headers.get("Authorization") == header:
        return answer(200, ROWS if "?s" in seen.form.get("query", "") else ASK)
    return answer(401, b"who are you?", WWW_Authenticate=challenge)


@pytest.mark.usefixtures("ada")
def test_a_password_is_sent_when_it_is_asked_for() -> None:
    with odd(lambda seen: guarded(seen, BASIC, 'Basic realm="x"')) as server:
        engine = connect(server)
        engine.query(QUERY)
        said = [one.headers.get("Authorization") for one in server.seen]
    # Asked once, and not again for each request.
    assert said == [None, BASIC, BASIC]


def test_a_token_is_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_TOKEN", "abc.def")
    with odd(lambda seen: guarded(seen, "Bearer abc.def", "Bearer")) as server:
        connect(server).query(QUERY)
        assert len(server.seen) == 2


def test_nobody_is_told_how_to_say_who_they_are() -> None:
    with odd(lambda seen: guarded(seen, BASIC, "Basic")) as server:
        with pytest.raises(
            ArchiveError, match=r"requires a login to query it.*PRIMAD_LD_USER.*netrc"
        ):
            connect(server)
        assert len(server.seen) == 1


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize("challenge", ["Basic", 'Digest realm="x", nonce="n"', "Negotiate", ""])
def test_a_wrong_password(challenge: str) -> None:
    with odd(lambda seen: guarded(seen, "nothing", challenge)) as server:
        with pytest.raises(
            ArchiveError, match="rejected the credentials from PRIMAD_LD_USER and PRIMAD"
        ):
            connect(server)
        assert len(server.seen) <= 2


@pytest.mark.usefixtures("ada")
def test_a_digest_that_has_become_too_old() -> None:
    def behave(seen: Seen) -> bytes:
        fresh = f'nonce="{seen.number // 3}"'
        if fresh in seen.headers.get("Authorization", ""):
            return answer(200, ASK)
        return answer(401, WWW_Authenticate=f'Digest realm="x", stale=true, {fresh}')

    with odd(behave) as server:
        engine = connect(server)
        for _ in range(5):
            engine.query("ASK {}")


@pytest.mark.usefixtures("ada")
def test_what_a_user_may_not() -> None:
    def behave(seen: Seen) -> bytes:
        return (
            answer(403, b"read-only for topsecret") if "update" in seen.form else answer(200, ASK)
        )

    wrong = pytest.raises(ArchiveError, match=r"the user of PRIMAD_LD_USER.* may not update")
    with odd(behave) as server, wrong as error:
        connect(server).add([GRAPH])
    # Some servers repeat what they were told.
    assert "read-only for ***" in str(error.value)
    assert "topsecret" not in repr(error.value)


def test_updates_that_go_nowhere() -> None:
    def behave(seen: Seen) -> bytes:
        return answer(405, b"no POST") if "update" in seen.form else answer(200, ASK)

    with odd(behave) as server:
        with pytest.raises(
            ArchiveError, match=r"does not accept updates at .*405: no POST.*PRIMAD_LD_UPDATE_URL"
        ):
            connect(server).add([GRAPH])
        assert len(server.seen) == 2


# Elsewhere -------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_credentials_follow_no_redirect_to_another_server(status: int) -> None:
    with (
        odd(lambda _: answer(200, ROWS)) as other,
        odd(lambda seen: guarded_then(seen, status, f"{other.address}/x?y=topsecret")) as server,
    ):
        engine = connect(server)
        with pytest.raises(ArchiveError, match=rf"another server.*{other.address}/x$") as caught:
            engine.query(QUERY)
        assert other.seen == []
    assert "topsecret" not in str(caught.value)


def guarded_then(seen: Seen, status: int, place: str) -> bytes:
    if seen.number < 3:
        return guarded(seen, BASIC, "Basic")
    return answer(status, Location=place)


@pytest.mark.usefixtures("ada")
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_on_the_same_server(status: int) -> None:
    def behave(seen: Seen) -> bytes:
        if not seen.path.endswith("/new"):
            return answer(status, Location="/a/new")
        return guarded(seen, BASIC, "Basic")

    with odd(behave) as server:
        engine = RemoteEngine.connect(f"{server.address}/old/sparql", patience=QUICK)
        assert len(engine.select(QUERY).rows) == 1
        assert server.seen[-1].form["query"] == QUERY
        assert server.seen[-1].headers["Authorization"] == BASIC


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("/x", "in a circle"),
        ("ftp://127.0.0.1/", "invalid address"),
        ("file:///etc/passwd", "invalid address"),
        ("FILE://localhost/etc/passwd", "invalid address"),
        ("data:application/sparql-results+json,{}", "invalid address"),
        ("http://127.0.0.1:1/sparql", "another server"),  # another port
        ("http://u:topsecret@127.0.0.1/", "invalid address"),
        ("//example.org/x", "another server"),
        ("https://127.0.0.1/", "another server"),
    ],
)
def test_redirects_that_lead_nowhere(place: str, why: str) -> None:
    with odd(lambda seen: after(seen, answer(307, Location=place))) as server:
        with pytest.raises(ArchiveError, match=why) as caught:
            connect(server).query(QUERY)
        assert "topsecret" not in str(caught.value)
        assert len(server.seen) < 12


@pytest.mark.usefixtures("ada")
def test_credentials_stay_with_the_server_of_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        odd(lambda _: answer(401, WWW_Authenticate="Basic")) as other,
        odd(lambda seen: guarded(seen, BASIC, "Basic")) as server,
    ):
        monkeypatch.setenv("PRIMAD_LD_UPDATE_URL", f"{other.address}/update")
        engine = connect(server)
        with pytest.raises(ArchiveError, match="rejected"):
            engine.add([GRAPH])
        assert [one.headers.get("Authorization") for one in other.seen] == [None]


# TLS -------------------------------------------------------------------------------------------------


@pytest.fixture
def certificate(openssl_binary: str, tmp_path: Path) -> Path:
    """A certificate for this machine that nobody has signed."""
    file = tmp_path / "certificate.pem"
    make = (
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test"
    )
    command = [openssl_binary, *make.split(), "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(file), "-out", str(tmp_path / "public.pem")]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + (tmp_path / "public.pem").read_text())
    return file


@pytest.fixture
def tls(certificate: Path) -> Iterator[ssl.SSLContext]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    connections._context.cache_clear()
    yield context
    connections._context.cache_clear()


@pytest.mark.usefixtures("ada")
def test_a_password_goes_over_tls(
    certificate: Path, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with odd(lambda seen: guarded(seen, BASIC, "Basic"), tls) as server:
        assert server.address.startswith("https:")
        assert len(connect(server).select(QUERY).rows) == 1
        monkeypatch.setenv("PRIMAD_LD_TOKEN", "abc")
        with pytest.raises(ArchiveError, match="rejected the credentials from PRIMAD_LD_TO"):
            connect(server)


@pytest.mark.usefixtures("ada")
def test_who_is_not_trusted_is_told_nothing(tls: ssl.SSLContext) -> None:
    wrong = pytest.raises(ArchiveError, match=r"no secure connection to https.*certificate")
    with odd(lambda seen: guarded(seen, BASIC, "Basic"), tls) as server, wrong:
        connect(server)
    assert server.seen == []


@pytest.mark.parametrize("piece", [b"", b" "])
def test_a_drop_now_and_then_over_tls(
    piece: bytes, certificate: Path, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    itself: list[OddServer] = []
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    with odd(lambda seen: after(seen, drip(itself, head, piece)), tls) as server:
        itself.append(server)
        engine = connect(server)
        begun = time.monotonic()
        with pytest.raises(QueryTimeoutError, match=r"not answer within 0\.3 seconds"):
            engine.query(QUERY, timeout=0.3)
        assert time.monotonic() - begun < 2


# Proxies ---------------------------------------------------------------------------------------------


def test_a_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with odd(lambda _: answer(200, ASK)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.address)
        RemoteEngine.connect("http://sparql.invalid/x/sparql", patience=QUICK).query("ASK {}")
        assert proxy.seen[-1].path == "http://sparql.invalid/x/sparql"
        assert proxy.seen[-1].headers["Host"] == "sparql.invalid"


def test_no_proxy_stands_before_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with odd(lambda _: answer(502)) as proxy, odd(lambda _: answer(200, ASK)) as server:
        monkeypatch.setenv("http_proxy", proxy.address)
        connect(server).query("ASK {}")
        assert proxy.seen == []
