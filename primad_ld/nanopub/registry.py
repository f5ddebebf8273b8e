"""A registry of nanopublications over HTTP: one request, in time, and again where that helps.

Registries answer 201 to what they took, to what they had already, and to what they could not
read; so what they say is never believed, and `publishing` asks for each nanopublication again.
Publishing twice does no harm, which is why a POST may be repeated here. Requests go straight to
the registry that was named: no proxy of the environment, no redirect.
"""

from __future__ import annotations

import contextlib
import http.client
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Final
from urllib.parse import urlsplit

from primad_ld.archive.credentials import is_loopback
from primad_ld.archive.transport import Patience, TimedResponse
from primad_ld.errors import PrimadError
from primad_ld.nanopub.checking import Checked, check_bytes
from primad_ld.nanopub.statements import MOST_BYTES

#: Seconds that one request may take, from the connection to the last byte.
TIMEOUT: Final = 60.0
#: What answers are written in, by the suffix of their files.
SUFFIXES: Final = {
    "application/trig": ".trig",
    "application/n-quads": ".nq",
    "application/ld+json": ".jsonld",
    "application/trix": ".trix",
}
_PORTS: Final = {"http": 80, "https": 443}
_HINT: Final = "write it as https://registry.example.org/"
# A server that is there says so at once.
_CONNECTING: Final = 20.0
_PIECE: Final = 1 << 14
# What is said about a POST stands in the first line; the rest need not be read.
_MOST_WORDS: Final = 1 << 16
_LONGEST: Final = 200
_PASSING: Final = frozenset({408, 429, 500, 502, 503, 504})
_ABSENT: Final = frozenset({301, 302, 303, 307, 308, 404, 410})


class RegistryError(PrimadError):
    """A registry that does not answer, or not as one; the address is not repeated."""


class StoppedError(Exception):
    """Somebody wants no more requests."""


class _PassingError(RegistryError):
    """The same request may work a moment later, after so many seconds if the server says so."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


@dataclass(frozen=True, kw_only=True, slots=True)
class Registry:
    """Where a registry is; its address ends without a slash."""

    scheme: str
    host: str
    port: int
    path: str = ""

    @property
    def url(self) -> str:
        """The address, always written in the same way."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}/"

    @property
    def is_exposed(self) -> bool:
        """Whether others on the way can change what is sent and what comes back."""
        return self.scheme != "https" and not is_loopback(self.host)


def parse_registry(text: str) -> Registry:
    """The registry at an address that was typed; with or without the ``np/`` at its end."""
    if "@" in text:
        # It may hold a password, so it is not repeated.
        raise PrimadError("the address of a registry holds no name or password; leave them out")
    shown = f"the registry {text[:_LONGEST]!r}"
    if not text.isascii() or any(char <= " " or char == "\x7f" for char in text):
        raise PrimadError(f"{shown} has a character that no address has; {_HINT}")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise PrimadError(f"{shown} cannot be read as an address; {_HINT}") from None
    if parts.scheme not in _PORTS:
        raise PrimadError(f"{shown} begins with neither https:// nor http://; {_HINT}")
    if not parts.hostname or port == 0 or parts.query or parts.fragment:
        raise PrimadError(f"{shown} is no address of a registry; {_HINT}")
    return Registry(
        scheme=parts.scheme,
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        path=parts.path.rstrip("/").removesuffix("/np").rstrip("/"),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """An answer as it came."""

    status: int
    reason: str = ""
    media_type: str = ""
    location: str = ""
    body: bytes = b""

    @property
    def words(self) -> str:
        """What the server says: the reason phrase, or the body's first line where that has gone."""
        said = _line(self.reason)
        if said and said != http.client.responses.get(self.status, ""):
            return said
        is_text = self.media_type in ("", "text/plain")
        first = _line(self.body.decode(errors="replace").strip()) if is_text else ""
        return first or said or "no reason given"

    @property
    def is_absent(self) -> bool:
        """Whether it says that the registry does not have it."""
        return self.status in _ABSENT


def _line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()[:_LONGEST]


@dataclass(slots=True)
class Client:
    """One connection to a registry, kept open; for one thread."""

    registry: Registry
    patience: Patience = field(default_factory=Patience)
    timeout: float = TIMEOUT
    #: Set by whoever wants no more requests.
    stop: threading.Event = field(default_factory=threading.Event)
    _connection: http.client.HTTPConnection | None = field(default=None, init=False)
    _until: float = field(default=0.0, init=False)

    def get(self, code: str) -> Reply:
        """What the registry says of the nanopublication with an artifact code."""
        return self._ask("GET", f"np/{code}", None)

    def post(self, text: bytes) -> Reply:
        """What the registry says when it is given a nanopublication, written in TriG."""
        reply = self._ask("POST", "np/", text)
        if 300 <= reply.status < 400:
            raise RegistryError(
                f"it sends nanopublications on to {reply.location or 'nowhere'}; "
                "if that is the right registry, name it with --registry"
            )
        return reply

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def abort(self) -> None:
        """Break the connection off, from another thread."""
        connection = self._connection
        sock = connection.sock if connection is not None else None
        if sock is not None:
            import socket

            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    # Trying -----------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, body: bytes | None) -> Reply:
        pauses = self.patience.pauses()
        while True:
            if self.stop.is_set():
                raise StoppedError
            pause = next(pauses, None)
            try:
                return self._try(method, path, body)
            except _PassingError as error:
                if self.stop.is_set():
                    raise StoppedError from None
                if pause is None:
                    raise RegistryError(f"{error}, also at try {self.patience.tries}") from None
                pause = max(pause, min(error.after, self.patience.longest))
            if self.stop.wait(pause):
                raise StoppedError

    def _try(self, method: str, path: str, body: bytes | None) -> Reply:
        is_kept = self._connection is not None
        try:
            try:
                return self._request(method, path, body)
            except (ConnectionError, http.client.BadStatusLine):
                if not is_kept or self.stop.is_set():
                    raise
                # The server closed a connection that was idle; that is no failure.
                self.close()
                return self._request(method, path, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise _failure(error, self.timeout) from error
        except BaseException:
            self.close()
            raise

    def _request(self, method: str, path: str, body: bytes | None) -> Reply:
        self._until = time.monotonic() + self.timeout
        connection = self._connection or self._connect()
        connection.response_class = partial(TimedResponse, until=self._until)  # type: ignore[assignment]
        connection.sock.settimeout(self._left())
        headers = {"Accept": "application/trig", "User-Agent": _agent()}
        if body is not None:
            headers |= {"Content-Type": "application/trig", "Content-Length": str(len(body))}
        try:
            sent = self._pieces(body) if body is not None else None
            connection.request(method, f"{self.registry.path}/{path}", sent, headers)
        except (BrokenPipeError, ConnectionResetError):
            # A server may refuse what is too long for it before it has read all of it.
            if body is None:
                raise
        return self._reply(connection.getresponse(), connection, is_get=method == "GET")

    def _connect(self) -> http.client.HTTPConnection:
        seconds = min(self.timeout, _CONNECTING)
        if self.registry.scheme == "https":
            made: http.client.HTTPConnection = http.client.HTTPSConnection(
                self.registry.host, self.registry.port, timeout=seconds, context=_context()
            )
        else:
            made = http.client.HTTPConnection(
                self.registry.host, self.registry.port, timeout=seconds
            )
        self._connection = made
        made.connect()
        return made

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _pieces(self, body: bytes) -> Iterator[bytes]:
        """The body in pieces: whoever takes a byte now and then does not take all our time."""
        for start in range(0, len(body), _PIECE):
            if self._connection is not None:
                self._connection.sock.settimeout(self._left())
            yield body[start : start + _PIECE]

    def _reply(
        self,
        response: http.client.HTTPResponse,
        connection: http.client.HTTPConnection,
        *,
        is_get: bool,
    ) -> Reply:
        most = MOST_BYTES if is_get and response.status == 200 else _MOST_WORDS
        body = _read(response, most)
        if len(body) > most:
            self.close()
            if most == MOST_BYTES:
                raise RegistryError(
                    f"it answers with more than {MOST_BYTES >> 20} MiB, "
                    "which no nanopublication has"
                )
        elif response.will_close:
            self.close()
        if response.status in _PASSING:
            raise _PassingError(
                f"it answers {response.status} {_line(response.reason)}".rstrip(),
                _seconds(response.headers.get("Retry-After", "")),
            )
        return Reply(
            status=response.status,
            reason=_reason(response.reason),
            media_type=response.headers.get_content_type()
            if "Content-Type" in response.headers
            else "",
            location=_line(response.headers.get("Location", "")),
            body=body,
        )


def _read(response: http.client.HTTPResponse, most: int) -> bytes:
    """The body, or a little more than is wanted of it."""
    body = bytearray()
    while len(body) <= most and (piece := response.read1(_PIECE)):
        body += piece
    if len(body) <= most and response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(body)


def _failure(error: Exception, seconds: float) -> RegistryError:
    """What went wrong with a connection, in words."""
    import socket

    if isinstance(error, TimeoutError):
        return _PassingError(f"it does not answer within {seconds:g} seconds")
    if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError):
        why = getattr(error, "verify_message", "") or error.reason or "no TLS"
        return RegistryError(f"there is no safe connection to it: {why}")
    if isinstance(error, http.client.IncompleteRead):
        return _PassingError("it closes the connection in the middle of its answer")
    if isinstance(error, ConnectionRefusedError):
        return _PassingError("nothing answers there")
    if isinstance(error, ConnectionError | ssl.SSLEOFError):
        return _PassingError("it closes the connection without an answer")
    if isinstance(error, http.client.HTTPException | ValueError):
        return RegistryError("it does not speak HTTP as it should")
    if isinstance(error, socket.gaierror):
        return _PassingError("there is no host of this name, or no network")
    return _PassingError("it cannot be reached")


def _seconds(text: str) -> float:
    """How long a server wants us to wait; dates are as good as nothing said."""
    text = text.strip()
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0


def _reason(text: str) -> str:
    """A reason phrase as it was meant: HTTP takes it for Latin-1, and servers write UTF-8."""
    with contextlib.suppress(UnicodeError):
        return text.encode("latin-1").decode()
    return text


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


@cache
def _agent() -> str:
    from primad_ld import __version__

    return f"primad-ld/{__version__}"


# What is there ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What a registry has under an artifact code: a nanopublication, or ``why`` it has none."""

    why: str = ""
    body: bytes = b""
    suffix: str = ".trig"
    found: Checked | None = None
    #: Whether it plainly says that it does not have it.
    is_absent: bool = False


def look_up(client: Client, code: str) -> Held:
    """What a registry has under an artifact code, checked: a registry may be wrong, or lie."""
    reply = client.get(code)
    if reply.is_absent:
        place = f", and points to {reply.location}" if reply.location else ""
        return Held(why=f"the registry does not have it{place}", is_absent=True)
    if reply.status != 200:
        raise RegistryError(f"it answers {reply.status} {reply.words}")
    suffix = SUFFIXES.get(reply.media_type or "application/trig")
    if suffix is None:
        return Held(why=f"the registry answers with {reply.media_type}, not a nanopublication")
    found = check_bytes(reply.body, suffix, code)
    if not found.is_valid:
        return Held(why=f"what the registry has is invalid: {found.problems[0]}")
    if found.nanopub is None or found.nanopub.artifact != code:
        return Held(why=f"the registry answers with another one, {found.uri[:_LONGEST]}")
    return Held(body=reply.body, suffix=suffix, found=found)
