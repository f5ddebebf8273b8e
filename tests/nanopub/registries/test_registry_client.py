"""Requests to a registry: addresses, answers of all kinds, patience, and servers that mean harm."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.registries import StandIn, code_of, running_registry, signed

from primad_ld.core.connections import Patience, RequestError
from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.registries.registry_client import (
    Client,
    GivenUpError,
    Registry,
    Settings,
    look_up,
    parse_registry,
)
from primad_ld.nanopub.signing import Signed, Signer

CODE = "RA" + "A" * 43
QUICK = Patience(tries=3, first=0.01, longest=0.02)


def client_of(url: str, timeout: float = 20, patience: Patience = QUICK) -> Client:
    return Client(parse_registry(url), Settings(timeout=timeout, patience=patience))


@pytest.fixture
def client(registry: StandIn) -> Iterator[Client]:
    with client_of(registry.url) as made:
        yield made


@pytest.fixture(scope="module")
def one(signer: Signer) -> Signed:
    return signed("one", signer)


# Addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://registry.example.org/", "https://registry.example.org/"),
        ("HTTPS://Registry.Example.ORG:443", "https://registry.example.org/"),
        ("https://registry.example.org/np/", "https://registry.example.org/"),
        ("https://example.org/registry/np/", "https://example.org/registry/"),
        ("https://example.org/registry", "https://example.org/registry/"),
        ("http://localhost:9292", "http://localhost:9292/"),
        ("http://[::1]:9292/", "http://[::1]:9292/"),
        ("http://127.0.0.1:80/", "http://127.0.0.1/"),
    ],
)
def test_addresses_are_always_written_in_the_same_way(text: str, url: str) -> None:
    assert parse_registry(text).url == url
    assert parse_registry(url).url == url


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("https://me:hunter2@registry.example.org/", "must not contain a name or password"),
        ("registry.example.org", "is not the address"),
        ("file:///etc/passwd", "is not the address"),
        ("https://example.org/?q=1", "is not the address"),
        ("https://example.org/#np", "is not the address"),
        ("https://example.org:0/", "is not the address"),
        ("https://example.org:99999/", "is not the address"),
        ("https://[::1/", "is not the address"),
        ("https://example.org/\r\nX-Evil: 1", "is not the address"),
        ("https://example.org/\x1b[2J", "is not the address"),
        ("https://bücher.example/", "is not the address"),
        ("https://exa\\mple.org/", "is not the address"),
    ],
)
def test_what_is_no_address(text: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why) as caught:
        parse_registry(text)
    assert str(caught.value).isprintable()
    assert "hunter2" not in str(caught.value)


@given(st.one_of(st.text(), st.builds("https://{}/{}".format, st.text(), st.text())))
def test_any_text_is_an_address_or_an_error(text: str) -> None:
    try:
        found: object = parse_registry(text)
    except PrimadError as error:
        found = error
    if isinstance(found, Registry):
        assert parse_registry(found.url) == found
    else:
        assert str(found).isprintable()


@pytest.mark.parametrize(
    ("text", "is_exposed"),
    [
        ("https://registry.example.org/", False),
        ("http://registry.example.org/", True),
        ("http://localhost/", False),
        ("http://127.8.0.1:1/", False),
        ("http://[::1]/", False),
        ("http://192.168.0.1/", True),
        ("http://localhost.example.org/", True),
    ],
)
def test_who_can_listen(text: str, is_exposed: bool) -> None:
    assert bool(parse_registry(text).warnings) is is_exposed


# Answers ----------------------------------------------------------------------------------------


def test_what_is_posted_can_be_got(registry: StandIn, client: Client, one: Signed) -> None:
    assert client.get(code_of(one)).status == 404
    said = client.post(one.text.encode())
    assert (said.status, said.body) == (201, b"")
    assert client.post(one.text.encode()).status == 201  # known, and nobody says so
    held = look_up(client, code_of(one))
    assert held.checked is not None
    assert held.checked.uri == one.nanopub.uri
    assert registry.kept == [code_of(one)]


def test_absent_here_and_known_elsewhere(registry: StandIn, client: Client) -> None:
    assert look_up(client, CODE).why == "the registry does not have it"
    registry.set(elsewhere="https://another.example.org/np/")
    held = look_up(client, CODE)
    assert held.is_absent
    assert held.why == (
        f"the registry does not have it and points to https://another.example.org/np/{CODE}"
    )
    assert len(registry.gets) == 2  # nobody followed it
    for answer in (
        raw("307 Away", Location="https://a.org/\x1b[2J"),
        raw("200 OK", Content_Type="text/\x1b[2J"),
    ):
        registry.set(raw=answer)
        assert look_up(client, CODE).why.isprintable()


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"media_type": "text/html"}, "answers with text/html, not with a nanopublication"),
        ({"lie": "byte"}, "invalid nanopublication: it was changed since it got its name"),
        ({"lie": "half"}, "invalid nanopublication: line"),
        ({"lie": "other"}, "answers with another one, https://w3id.org/np/RA"),
    ],
)
def test_lies_are_seen(
    registry: StandIn,
    client: Client,
    one: Signed,
    signer: Signer,
    faults: dict[str, Any],
    why: str,
) -> None:
    for each in (one, signed("two", signer)):
        client.post(each.text.encode())
    registry.set(**faults)
    held = look_up(client, code_of(one))
    assert held.checked is None
    assert not held.is_absent
    assert held.body == b""
    assert why in held.why


def raw(status: str, body: str = "", **headers: str) -> str:
    lines = {"Content-Length": str(len(body)), **headers}
    head = "".join(
        f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items() if value
    )
    return f"HTTP/1.1 {status}\r\n{head}\r\n{body}"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raw("400 Nanopub is too large"), "Nanopub is too large"),
        (raw("400 Bad Request", "it has no creator\nand more"), "it has no creator"),
        (raw("400 Bad Request", "<html>", Content_Type="text/html"), "Bad Request"),
        (raw("400"), "no reason given"),
        # HTTP has no letters beyond Latin-1, and servers write UTF-8 all the same
        (raw("400 zu gro\xc3\x9f"), "zu groß"),
        (raw("400 zu gro\xdf"), "zu groß"),
        # nothing of it may steer a terminal: escapes, their C1 forms, marks that turn lines around
        (raw("400 \x1b[2Jgone"), "\N{REPLACEMENT CHARACTER}[2Jgone"),
        (raw("400 \xe2\x80\xaegone"), "\N{REPLACEMENT CHARACTER}gone"),
        (raw("400 " + "long " * 100), ("long " * 40).rstrip()),
    ],
)
def test_reasons(registry: StandIn, client: Client, answer: str, words: str) -> None:
    registry.set(raw_post=answer)
    reply = client.post(b"# nothing")
    assert reply.status == 400
    assert reply.words.rstrip() == words


# Servers that are none -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"raw": "SSH-2.0-OpenSSH_9.2\r\n"}, "sent an invalid HTTP answer"),
        ({"raw": "HTTP/1.1 abc What\r\n\r\n"}, "sent an invalid HTTP answer"),
        ({"raw": "HTTP/1.1 200 OK\r\nX: " + "x" * 100_000}, "sent an invalid HTTP answer"),
        (
            {"raw": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"},
            "in the middle of its answer",
        ),
        ({"raw": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"}, "in the middle"),
        ({"raw": raw("403 Forbidden")}, "answers 403 Forbidden"),
        ({"raw": raw("200 OK", "x" * 9_000_000)}, "more than 8 MiB"),
        ({"endless": True}, "more than 8 MiB"),
    ],
)
def test_no_registry(registry: StandIn, client: Client, faults: dict[str, Any], why: str) -> None:
    registry.set(**faults)
    with pytest.raises(RequestError, match=why) as caught:
        look_up(client, CODE)
    assert registry.url in str(caught.value)
    registry.set(**dict.fromkeys(faults, ""))
    assert client.get(CODE).status == 404  # the next request is one of its own


def test_answers_to_posts_are_not_read_for_ever(registry: StandIn, client: Client) -> None:
    registry.set(endless=True)
    assert client.post(b"# nothing").status == 200


@pytest.mark.parametrize("status", ["301 Away", "302 Found", "303 Other", "307 Away", "308 Away"])
@pytest.mark.parametrize("place", ["file:///etc/passwd", "http://127.0.0.1:{port}/", "//[::1]:1/x"])
def test_no_redirect_is_followed(
    registry: StandIn, client: Client, one: Signed, status: str, place: str
) -> None:
    """Neither to a file nor to another port, which may be one of this machine alone."""
    with running_registry() as other:
        other.give(one)
        away = place.format(port=other.url.rstrip("/").rpartition(":")[2].partition("/")[0])
        registry.set(raw=raw(status, Location=away))
        with suppress(RequestError):
            assert look_up(client, code_of(one)).is_absent
        assert other.gets == []


def test_posts_go_nowhere_else(registry: StandIn, client: Client) -> None:
    registry.set(raw_post=raw("307 Away", Location="https://another.example.org/np/"))
    with pytest.raises(RequestError, match=r"redirects nanopublications to https://another\.ex"):
        client.post(b"# nothing")
    registry.set(raw_post=raw("301 Away"))
    with pytest.raises(RequestError, match="to nowhere"):
        client.post(b"# nothing")
    assert len(registry.posts) == 2


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/", "cannot connect to http://127.0.0.1:1/; is the server running?"),
        ("http://registry.invalid/", "unknown host, or no network"),
        (f"http://{'a' * 64}.org/", "check the address"),
        (f"http://{'a.' * 200}org/", "check the address|unknown host"),
    ],
)
def test_nobody_is_there(url: str, why: str) -> None:
    # Who has never answered will not do so a moment later: there is one try.
    patience = Patience(tries=1000, first=1000, longest=1000)
    with pytest.raises(RequestError, match=why):
        client_of(url, patience=patience).get(CODE)


def test_plain_text_where_tls_belongs(registry: StandIn) -> None:
    with pytest.raises(RequestError, match="no secure connection to https://127"):
        client_of(registry.url.replace("http:", "https:")).get(CODE)


def test_whoever_takes_connections_and_says_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        silent = client_of(url, timeout=0.1)
        with pytest.raises(RequestError, match=r"not answer within 0\.1 seconds, after 3 attempts"):
            silent.get(CODE)
        with pytest.raises(RequestError, match=r"not answer within 0\.1 seconds"):
            silent.post(b"#" * 10_000_000)  # more than fits into the buffers on the way


@contextmanager
def _listener(behave: Callable[[socket.socket], None], timeout: float = 20) -> Iterator[Client]:
    """A client of a server that does something with its first connection."""

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            behave(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        yield client_of(url, timeout, Patience(tries=1))
        thread.join()


def test_a_refusal_may_come_before_all_is_sent() -> None:
    def behave(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 413 Nanopub is too long\r\nContent-Length: 0\r\n\r\n")

    with _listener(behave) as client:
        assert client.post(b"#" * 10_000_000).words == "Nanopub is too long"


def test_whoever_takes_bytes_slowly_does_not_take_all_our_time() -> None:
    over = threading.Event()

    def behave(connection: socket.socket) -> None:
        while not over.wait(0.01):
            connection.recv(1 << 14)

    with _listener(behave, 0.3) as client:
        with pytest.raises(RequestError, match=r"not answer within 0\.3 seconds"):
            client.post(b"#" * 16_000_000)
        over.set()


def test_bytes_that_drip_are_no_answer_in_time() -> None:
    """Each of them is in time, and all of them together are not."""
    over = threading.Event()

    def behave(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not over.wait(0.02):
            connection.sendall(b"#")

    with _listener(behave, 0.3) as client:
        with pytest.raises(RequestError, match=r"not answer within 0\.3 seconds"):
            client.get(CODE)
        over.set()


# Patience --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        ({"failing": 2, "status": 503}, "503"),
        ({"failing": 2, "status": 500}, "500"),
        ({"failing": 2, "status": 429, "retry_after": "0"}, "429"),
        ({"failing": 2, "status": 503, "retry_after": "Wed, 21 Oct 2026 07:28:00 GMT"}, "503"),
        ({"drop_get": 2}, "closed the connection without an answer"),
    ],
)
def test_what_passes_is_tried_again(
    registry: StandIn, client: Client, faults: dict[str, Any], why: str
) -> None:
    registry.set(**faults)
    assert client.get(CODE).status == 404
    (fault,) = faults.keys() & {"failing", "drop_get"}
    registry.set(**{fault: 100})
    with pytest.raises(RequestError, match=f"{why}.*, after 3 attempts"):
        client.get(CODE)


def test_whoever_asks_for_time_gets_some_and_not_all(
    registry: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(threading.Event, "wait", lambda _, seconds: waits.append(seconds))
    client = client_of(registry.url, patience=Patience(tries=3, first=0.5, longest=30))
    registry.set(failing=1, retry_after="7")
    client.get(CODE)
    registry.set(failing=1, retry_after="86400")
    client.get(CODE)
    assert waits == [7, 30]


def test_a_post_may_be_repeated(registry: StandIn, client: Client, one: Signed) -> None:
    client.get(CODE)
    registry.set(drop_after=1)
    assert client.post(one.text.encode()).status == 201
    registry.set(drop_before=1)
    assert client.post(one.text.encode()).status == 201
    assert registry.kept == [code_of(one)]


# Many at once ----------------------------------------------------------------------------------


def test_each_item_gets_a_result(client: Client, registry: StandIn) -> None:
    def work(client: Client, item: int) -> int:
        return client.get(f"c{item}").status

    assert dict(client.each(range(50), work)) == dict.fromkeys(range(50), 404)
    assert dict(client.each([], work)) == {}
    assert sorted(registry.gets) == sorted(f"c{item}" for item in range(50))


def test_a_registry_that_fails_for_good_is_left_alone() -> None:
    def work(client: Client, item: int) -> int:
        if item > 10:
            raise RequestError("out of order")
        return item

    client = Client(parse_registry("http://localhost/"), Settings(jobs=1))
    results = [result for _, result in client.each(range(30), work)]
    assert results[:11] == list(range(11))
    assert [str(one) for one in results[11:16]] == ["out of order"] * 5
    assert [type(one) for one in results[16:]] == [GivenUpError] * 14
    assert {type(result) for _, result in client.each(range(3), work)} == {GivenUpError}


def test_what_never_worked_is_one_error(client: Client) -> None:
    def work(client: Client, item: int) -> int:
        raise RequestError("a teapot")

    with pytest.raises(RequestError, match="a teapot"):
        list(client.each(range(30), work))


def test_an_error_in_a_thread_is_raised_where_results_are_awaited(client: Client) -> None:
    def work(client: Client, item: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(client.each(range(4), work))


def test_nobody_is_asked_once_all_shall_end(registry: StandIn) -> None:
    with client_of(registry.url) as client:
        for _ in client.each(range(20), lambda client, item: client.get(CODE).status):
            break
    asked = len(registry.gets)
    with pytest.raises(RequestError):
        client.get(CODE)
    assert len(registry.gets) <= asked + 4  # those that were on their way
