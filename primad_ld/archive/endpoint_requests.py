"""One request to a SPARQL endpoint: in time, to the right server, and sent again where that helps.

SPARQLWrapper makes the requests. It would send them through an opener that all of the process
shares, which leaves credentials behind, follows a redirect to anybody, and waits for as long as
a byte comes now and then; so they go through one of our own. This module is imported with the
first connection.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final, cast
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from primad_ld.archive.endpoint import Address, Credentials, Login, parse_address
from primad_ld.archive.endpoint_replies import EndpointReply, ReplyKind
from primad_ld.archive.engine import MOST_BYTES, too_much
from primad_ld.core.connections import Patience, TimedResponse, is_loopback
from primad_ld.core.errors import ArchiveError, QueryTimeoutError

# So much is read of answers of which the beginning is enough: to a first question, to an update,
# and of what says that something went wrong.
_ENOUGH: Final = 2**16
_PIECE: Final = 1 << 20
_MOST_HOPS: Final = 8
# A server that is there says so at once.
_CONNECTING: Final = 20.0

_LATE: Final = {
    "SELECT": "narrow the query down, or allow more time (--timeout)",
    "INSERT": "everything before this request is stored; is the server overloaded?",
}


class _DroppedError(Exception):
    """The connection broke; the same request may work a moment later."""


@dataclass(slots=True)
class Transport:
    """Sends queries and updates to one server."""

    address: Address
    credentials: Credentials
    patience: Patience
    timeout: float
    most_bytes: int = MOST_BYTES
    login: Login = field(init=False)
    #: Whether the server has answered anything yet.
    is_there: bool = field(default=False, init=False)
    _opener: OpenerDirector = field(init=False)

    def __post_init__(self) -> None:
        is_safe = self.address.is_encrypted or is_loopback(self.address.host)
        self.login = Login(self.credentials, self.address.shown, exposed=not is_safe)
        self._opener = OpenerDirector()
        for handler in (_Proxy(), _Http(), _Https()):
            self._opener.add_handler(handler)

    # Asking -------------------------------------------------------------------------------

    def query(
        self,
        url: str,
        text: str,
        *,
        accept: str,
        timeout: float | None = None,
        union: bool = False,
        is_probe: bool = False,
    ) -> EndpointReply:
        """What a server answers to a query, whatever that is; the beginning of it for a probe."""
        # Oxigraph knows this; the others leave it alone, and Virtuoso's default is the union.
        more = {"union-default-graph": "true"} if union else {}
        return self._send(
            url,
            text,
            form="SELECT",
            accept=accept,
            timeout=timeout,
            more=more,
            is_short=is_probe,
        )

    def update(self, url: str, text: str) -> EndpointReply:
        """What a server answers to an update, whatever that is."""
        return self._send(
            url, text, form="INSERT", accept="*/*", timeout=None, more={}, is_short=True
        )

    def _send(
        self,
        url: str,
        text: str,
        *,
        form: str,
        accept: str,
        timeout: float | None,
        more: dict[str, str],
        is_short: bool,
    ) -> EndpointReply:
        seconds = timeout or self.timeout
        pauses = self.patience.pauses()
        # Waiting takes no longer than an answer may: who gives a query a second does not wait a minute.
        left = seconds
        while True:
            wrapper = _wrapper_class()(url, form, accept, partial(self._open, seconds))
            wrapper.setQuery(text)
            for key, value in more.items():
                wrapper.addParameter(key, value)
            pause = next(pauses, None)
            try:
                reply = self._try(wrapper, seconds, is_short=is_short)
            except _DroppedError as error:
                if pause is None:
                    raise ArchiveError(
                        f"{self.address.shown} {error}, after {self.patience.tries} attempts; "
                        "check the server"
                    ) from error.__cause__
            else:
                if pause is None or reply.kind is not ReplyKind.PASSING:
                    return reply
                asked_for = min(reply.retry_after or 0.0, self.patience.longest)
                pause = max(pause, asked_for)
                if pause > left:
                    return reply
            pause = min(pause, left)
            left -= pause
            time.sleep(pause)

    def _try(self, wrapper: Any, seconds: float, *, is_short: bool) -> EndpointReply:
        try:
            with closing(wrapper.query().response) as response:
                self.is_there = True
                is_good = 200 <= response.status < 300
                return self._read(response, is_short=is_short or not is_good)
        except URLError as error:
            reason = error.reason if isinstance(error.reason, Exception) else error
            raise self._failure(reason, wrapper.form, seconds) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._failure(error, wrapper.form, seconds) from error

    def _failure(self, error: Exception, form: str, seconds: float) -> Exception:
        """What went wrong with a connection, in words."""
        name = self.address.shown
        if isinstance(error, TimeoutError):
            return QueryTimeoutError(
                f"{name} did not answer within {seconds:g} seconds; {_LATE[form]}"
            )
        if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError):
            why = getattr(error, "verify_message", "") or error.reason or "no TLS"
            return ArchiveError(f"no secure connection to {name}: {why}; check the address")
        if isinstance(error, ConnectionResetError | BrokenPipeError):
            return _DroppedError("closed the connection without an answer")
        if isinstance(error, http.client.IncompleteRead):
            return _DroppedError("closed the connection in the middle of its answer")
        if isinstance(error, http.client.HTTPException | ValueError):
            return ArchiveError(f"{name} sent an invalid HTTP answer; check the address")
        if self.is_there:
            return _DroppedError("stopped answering")
        if isinstance(error, socket.gaierror):
            return ArchiveError(f"{name}: unknown host, or no network")
        return ArchiveError(f"cannot connect to {name}; is the server running?")

    # Answers ------------------------------------------------------------------------------

    def _open(self, seconds: float, request: Request) -> http.client.HTTPResponse:
        """The first answer that is neither a question who we are nor a better address."""
        url = request.full_url
        is_asked = False
        for _ in range(_MOST_HOPS):
            request = Request(url, request.data, request.headers, method="POST")  # noqa: S310
            header = self.login.header("POST", request.selector) if self._is_ours(url) else ""
            if header:
                request.add_unredirected_header("Authorization", header)
            response = cast(http.client.HTTPResponse, self._opener.open(request, timeout=seconds))
            place = response.headers.get("Location")
            if response.status == 401 and self._is_ours(url) and not is_asked:
                is_asked = True
                if not self.login.learn(response.headers.get_all("WWW-Authenticate") or ()):
                    return response
            elif response.status in (301, 302, 307, 308) and place:
                response.close()
                url = self._moved(url, place)
            else:
                return response
            response.close()
        raise ArchiveError(f"{self.address.shown} redirects requests in a circle")

    def _is_ours(self, url: str) -> bool:
        """Whether a place is on the server that the credentials are for."""
        return parse_address(url).origin == self.address.origin

    def _moved(self, url: str, place: str) -> str:
        """Where a redirect leads; only on the same server, for a query may be as private."""
        moved = urljoin(url, place)
        try:
            address = parse_address(moved)
        except ArchiveError:
            raise ArchiveError(
                f"{self.address.shown} redirects requests to an invalid address"
            ) from None
        if address.origin != parse_address(url).origin:
            raise ArchiveError(
                f"{self.address.shown} redirects requests to another server; if that is right, "
                f"use its address: {address.shown}"
            )
        return moved

    def _read(self, response: http.client.HTTPResponse, *, is_short: bool) -> EndpointReply:
        """The whole body unless it is too long, or the beginning where that is enough."""
        body = bytearray()
        while piece := response.read1(_ENOUGH if is_short else _PIECE):
            body += piece
            if is_short and len(body) >= _ENOUGH:
                break
            if len(body) > self.most_bytes:
                raise too_much(self.address.shown, f"{self.most_bytes:,} bytes")
        if response.length and not (is_short and len(body) >= _ENOUGH):
            raise http.client.IncompleteRead(b"", response.length)
        return EndpointReply(
            status=response.status,
            headers=response.headers,
            body=bytes(body),
            hide=self.credentials.hide,
        )


_Send = Callable[[Request], http.client.HTTPResponse]


@cache
def _wrapper_class() -> Callable[..., Any]:
    from SPARQLWrapper import POST, SPARQLWrapper

    from primad_ld.core.version import __version__

    class Wrapper(SPARQLWrapper):
        """SPARQLWrapper with our opener, knowing what the text is rather than guessing it."""

        def __init__(self, url: str, form: str, accept: str, send: _Send) -> None:
            self.form, self.accept, self.send = form, accept, send
            super().__init__(url, agent=f"primad-ld/{__version__}")
            self.setMethod(POST)
            self.setOnlyConneg(True)

        def _parseQueryType(self, query: str) -> str:  # noqa: N802
            return self.form

        def _getAcceptHeader(self) -> str:  # noqa: N802
            return self.accept

        def _query(self) -> tuple[http.client.HTTPResponse, str]:
            return self.send(self._createRequest()), self.returnFormat

    return Wrapper


# Connections ------------------------------------------------------------------------------


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
        if is_loopback(parse_address(req.full_url).host):
            return None  # nobody else can reach it
        return super().proxy_open(req, proxy, type)
