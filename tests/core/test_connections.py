"""Requests to servers: how long is waited between tries, and answers that must come in time."""

from __future__ import annotations

import socket
import time

import pytest

from primad_ld.core.connections import Patience, TimedResponse, is_loopback


@pytest.mark.parametrize(
    ("patience", "pauses"),
    [
        (Patience(), [0.5, 2.0, 8.0]),
        (Patience(tries=5, first=1.0, longest=10.0), [1.0, 4.0, 10.0, 10.0]),
        (Patience(tries=1), []),  # nothing is waited for after the last
    ],
)
def test_pauses_grow_to_a_limit(patience: Patience, pauses: list[float]) -> None:
    assert list(patience.pauses()) == pauses


@pytest.mark.parametrize("host", ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"])
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["", "example.org", "10.0.0.1", "localhost.example.org", "::2"])
def test_another_machine(host: str) -> None:
    assert not is_loopback(host)


def test_an_answer_in_time_is_read() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmole")
        response = TimedResponse(ours, until=time.monotonic() + 60)
        response.begin()
        assert (response.status, response.read()) == (200, b"mole")
        response.close()


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nmo"])
def test_an_answer_that_stops_ends_in_time(begun: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(begun)
        start = time.monotonic()
        response = TimedResponse(ours, until=start + 0.2)
        if begun:
            response.begin()
        with pytest.raises(TimeoutError):
            response.read() if begun else response.begin()
        assert time.monotonic() - start < 30
        response.close()


def test_whoever_is_late_reads_nothing() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        response = TimedResponse(ours, until=time.monotonic() - 1)
        with pytest.raises(TimeoutError):
            response.begin()
        response.close()
