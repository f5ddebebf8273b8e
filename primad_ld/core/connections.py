"""Requests to servers: sent by an opener of our own, answered in time, and failures in words.

The opener that urllib has for the whole process leaves credentials behind, follows redirects to
anybody, opens files, and waits for as long as a byte comes now and then. Ours speaks HTTP and HTTPS,
follows no redirect, and uses the proxies of the environment for other machines than this one.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    getproxies,
    proxy_bypass,
)

from primad_ld.core.errors import PrimadError

_PIECE: Final = 1 << 18
# A server that is there says so at once.
_CONNECTING: Final = 20.0


class RequestError(PrimadError):
    """A request without a useful answer, and why."""


class PassingError(RequestError):
    """The same request may work a moment later, after so many seconds if the server says so."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


class LateError(PassingError):
    """The answer did not come in time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How often a request is made that fails in passing, and how long is waited in between."""

    tries: int = 4
    first: float = 0.5
    longest: float = 30.0

    def pauses(self) -> Iterator[float]:
        """Seconds to wait after each try but the last."""
        for number in range(self.tries - 1):
            yield min(self.first * 4**number, self.longest)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


# Answers ----------------------------------------------------------------------------------


def read_body(response: http.client.HTTPResponse, most: int) -> bytes:
    """The body of an answer, or a little more than the most that is wanted of it."""
    body = bytearray()
    while len(body) <= most and (piece := response.read1(_PIECE)):
        body += piece
    if len(body) <= most and response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(body)


@contextlib.contextmanager
def failures_in_words(address: str, seconds: float, *, is_there: bool) -> Iterator[None]:
    """Raise a `RequestError` for whatever goes wrong with a connection to an address.

    ``is_there`` tells whether the server has answered before; one that has not will not do so a
    moment later.
    """
    try:
        yield
    except (OSError, http.client.HTTPException, ValueError) as error:
        is_wrapped = isinstance(error, URLError) and isinstance(error.reason, Exception)
        reason = error.reason if is_wrapped else error  # type: ignore[union-attr]
        raise _failure(reason, address + _way_to(address), seconds, is_there) from error


def _way_to(address: str) -> str:
    """By which proxy requests go to an address, in words; empty if by none."""
    parts = urlsplit(address)
    host, proxy = parts.hostname or "", getproxies().get(parts.scheme, "")
    if not proxy or is_loopback(host) or proxy_bypass(host):
        return ""
    return f" by the proxy {proxy.rpartition('@')[2]}"


def _failure(
    error: OSError | http.client.HTTPException | ValueError,
    address: str,
    seconds: float,
    is_there: bool,
) -> RequestError:
    if isinstance(error, TimeoutError):
        return LateError(f"{address} did not answer within {seconds:g} seconds")
    if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError):
        why = getattr(error, "verify_message", "") or error.reason or "no TLS"
        return RequestError(f"no secure connection to {address}: {why}; check the address")
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return PassingError(f"{address} closed the connection without an answer")
    if isinstance(error, http.client.IncompleteRead):
        return PassingError(f"{address} closed the connection in the middle of its answer")
    if isinstance(error, http.client.HTTPException | ValueError):
        return RequestError(f"{address} sent an invalid HTTP answer; check the address")
    if is_there:
        return PassingError(f"{address} stopped answering")
    if isinstance(error, socket.gaierror):
        return RequestError(f"{address}: unknown host, or no network")
    # A proxy that refuses to connect says why.
    why = "" if isinstance(error, ConnectionError) or error.errno else f": {error}"
    return RequestError(f"cannot connect to {address}{why}; is the server running?")


class _Timed(io.RawIOBase):
    """What comes from a socket up to a point in time, however slowly it comes."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection, self._until = connection, until
        # Opened here, for the connection stays open until its last file is closed.
        self._raw = connection.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class TimedResponse(http.client.HTTPResponse):
    """An answer that must have come by a point in time, whole."""

    def __init__(
        self, connection: socket.socket, *arguments: Any, until: float, **more: Any
    ) -> None:
        super().__init__(connection, *arguments, **more)
        self.fp.close()
        self.fp = io.BufferedReader(_Timed(connection, until))


# Connections ------------------------------------------------------------------------------


def make_opener() -> OpenerDirector:
    """What sends requests; several threads may use it at once."""
    opener = OpenerDirector()
    for handler in (_Proxy(), _Http(), _Https()):
        opener.add_handler(handler)
    return opener


class _TimedConnection(http.client.HTTPConnection):
    """A connection whose whole answer must come in time, and not each byte of it."""

    def __init__(self, host: str, *, timeout: float = _CONNECTING, **more: Any) -> None:
        super().__init__(host, timeout=min(timeout, _CONNECTING), **more)
        self.seconds = timeout
        until = time.monotonic() + timeout
        self.response_class = partial(TimedResponse, until=until)  # type: ignore[assignment]

    def connect(self) -> None:
        try:
            super().connect()
        except TimeoutError:
            # A busy server takes connections all the same.
            raise ConnectionAbortedError from None
        self.sock.settimeout(self.seconds)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        # A server may refuse what is too long for it before it has read all of it.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            super().send(data)


class _SecureConnection(_TimedConnection, http.client.HTTPSConnection):
    pass


class _Http(HTTPHandler):
    def http_open(self, req: Request) -> http.client.HTTPResponse:
        return self.do_open(_TimedConnection, req)


class _Https(HTTPSHandler):
    def https_open(self, req: Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req, context=_context())


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


class _Proxy(ProxyHandler):
    def proxy_open(self, req: Request, proxy: str, type: str) -> Any:
        if is_loopback(urlsplit(req.full_url).hostname or ""):
            return None  # nobody else can reach it
        return super().proxy_open(req, proxy, type)
