"""A registry of nanopublications over HTTP: one request, in time, and again where that helps.

Registries answer 201 to what they took, to what they had already, and to what they could not
read; so what they say is never believed, and `look_up` asks for each nanopublication again and
checks what comes back. Publishing twice does no harm, which is why a POST may be repeated here.
No redirect is followed: only the registry that was named gets anything. The proxy of the
environment is used where there is one.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import ssl
import threading
import time
from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Final
from urllib.parse import unquote, urlsplit

from primad_ld.core.connections import Patience, TimedResponse, is_loopback
from primad_ld.core.errors import PrimadError
from primad_ld.nanopub.checking import Checked, check_bytes
from primad_ld.rdf.nanopub_statements import MOST_BYTES

#: Seconds that one request may take, from the connection to the last byte.
TIMEOUT: Final = 30.0
_PORTS: Final = {"http": 80, "https": 443}
#: Where proxies answer unless they say otherwise.
_PROXY_PORT: Final = 80
_HOST: Final = re.compile(
    r"[A-Za-z0-9_\-]{1,63}(?:\.[A-Za-z0-9_\-]{1,63})*\.?|[0-9A-Fa-f:.]*:[^/]*"
)
_LONGEST_HOST: Final = 253
_HINT: Final = "write it as https://registry.example.org/"
_PIECE: Final = 1 << 14
# What is said about a POST stands in the first line; the rest need not be read.
_MOST_WORDS: Final = 1 << 16
_LONGEST: Final = 200
_PASSING: Final = frozenset({408, 429, 500, 502, 503, 504})
_ABSENT: Final = frozenset({301, 302, 303, 307, 308, 404, 410})
#: What answers are written in, by the suffix of their files.
_SUFFIXES: Final = {
    "": ".trig",  # nothing is said, and this is what was asked for
    "application/trig": ".trig",
    "application/x-trig": ".trig",
    "application/n-quads": ".nq",
    "text/x-nquads": ".nq",
    "application/ld+json": ".jsonld",
    "application/trix": ".trix",
}
#: The suffixes that fetched nanopublications may have.
SUFFIXES: Final = (".trig", ".nq", ".jsonld", ".trix")


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
    """Where a registry is; its path ends without a slash."""

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
    def warnings(self) -> tuple[str, ...]:
        """What to know before anything is sent there."""
        if self.scheme == "https" or is_loopback(self.host):
            return ()
        return (
            f"{self.url} is not encrypted, so others on the way can hold back what is sent; use "
            "an address that begins with https:// if there is one",
        )


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
    host = parts.hostname or ""
    is_host = len(host) <= _LONGEST_HOST and _HOST.fullmatch(host) is not None
    if not is_host or port == 0 or parts.query or parts.fragment:
        raise PrimadError(f"{shown} is no address of a registry; {_HINT}")
    return Registry(
        scheme=parts.scheme,
        host=host,
        port=port or _PORTS[parts.scheme],
        path=parts.path.rstrip("/").removesuffix("/np").rstrip("/"),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistryReply:
    """An answer as it came; its words are fit to be shown."""

    status: int
    reason: str = ""
    media_type: str = ""
    location: str = ""
    body: bytes = b""

    @property
    def words(self) -> str:
        """What the server says: the reason phrase, or the body's first line where that has gone."""
        if self.reason and self.reason != http.client.responses.get(self.status, ""):
            return self.reason
        is_text = self.media_type in ("", "text/plain")
        first = shown_line(self.body.decode(errors="replace")) if is_text else ""
        return first or self.reason or "no reason given"

    @property
    def is_absent(self) -> bool:
        """Whether it says that the registry does not have it."""
        return self.status in _ABSENT


def shown_line(text: str) -> str:
    """The beginning of what somebody else says, without what could steer a terminal."""
    line = next(iter(text.strip().splitlines()), "").strip()[:_LONGEST]
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


@dataclass(slots=True)
class Client:
    """One connection to a registry, kept open; for one thread."""

    registry: Registry
    patience: Patience = field(default_factory=Patience)
    timeout: float = TIMEOUT
    #: Set by whoever wants no more requests.
    stop: threading.Event = field(default_factory=threading.Event)
    #: Whether somebody has answered there; until then, nobody will a moment later.
    is_there: bool = False
    _proxy: Proxy | None = field(init=False)
    _connection: http.client.HTTPConnection | None = field(default=None, init=False)
    _until: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._proxy = proxy_for(self.registry.scheme, self.registry.host)

    def get(self, code: str) -> RegistryReply:
        """What the registry says of the nanopublication with an artifact code."""
        return self._ask("GET", f"np/{code}", None)

    def post(self, text: bytes) -> RegistryReply:
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
        import socket

        connection = self._connection
        sock = connection.sock if connection is not None else None
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    # Trying -------------------------------------------------------------------------------

    def _ask(self, method: str, path: str, body: bytes | None) -> RegistryReply:
        pauses = self.patience.pauses()
        while True:
            pause = next(pauses, None)
            try:
                return self._try(method, path, body)
            except _PassingError as error:
                if self.stop.is_set():
                    raise StoppedError from None
                if pause is None:
                    raise RegistryError(f"{error}, also at try {self.patience.tries}") from None
                pause = max(pause, min(error.after, self.patience.longest))
            self.stop.wait(pause)

    def _try(self, method: str, path: str, body: bytes | None) -> RegistryReply:
        is_kept = self._connection is not None
        try:
            try:
                return self._request(method, path, body)
            except (ConnectionError, http.client.BadStatusLine):
                if not is_kept:
                    raise
                # The server closed a connection that was idle; that is no failure.
                self.close()
                return self._request(method, path, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.close()
            raise self._failure(error) from error
        except BaseException:
            self.close()
            raise

    def _request(self, method: str, path: str, body: bytes | None) -> RegistryReply:
        self._until = time.monotonic() + self.timeout
        connection = self._connection or self._connect()
        connection.response_class = partial(TimedResponse, until=self._until)  # type: ignore[assignment]
        connection.sock.settimeout(self._left())
        headers = {"Accept": "application/trig", "User-Agent": _agent()}
        place = f"{self.registry.path}/"
        if self._proxy is not None and self.registry.scheme == "http":
            # A proxy that is no tunnel wants all of the address.
            place = self.registry.url
            headers |= self._proxy.headers
        if body is not None:
            headers["Content-Type"] = "application/trig"
        try:
            # All of the body has to be taken within the time that the socket has.
            connection.request(method, place + path, body, headers)
        except (BrokenPipeError, ConnectionResetError):
            # A server may refuse what is too long for it before it has read all of it.
            if body is None:
                raise
        return self._reply(connection.getresponse(), is_get=method == "GET")

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self.registry.host, self.registry.port
        where = (self._proxy.host, self._proxy.port) if self._proxy is not None else (host, port)
        if self.registry.scheme == "https":
            made: http.client.HTTPConnection = http.client.HTTPSConnection(
                *where, timeout=self._left(), context=_context()
            )
            if self._proxy is not None:
                made.set_tunnel(host, port, self._proxy.headers)
        else:
            made = http.client.HTTPConnection(*where, timeout=self._left())
        self._connection = made
        made.connect()
        self.is_there = True
        return made

    def _left(self) -> float:
        """The seconds that a request still has."""
        if self.stop.is_set():
            raise StoppedError
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _reply(self, response: http.client.HTTPResponse, *, is_get: bool) -> RegistryReply:
        is_wanted = is_get and response.status == 200
        most = MOST_BYTES if is_wanted else _MOST_WORDS
        with response:  # a connection takes no other request until this is closed
            body = _read(response, most)
        if len(body) > most or response.will_close:
            self.close()
        if len(body) > most and is_wanted:
            raise RegistryError(
                f"it answers with more than {most >> 20} MiB, which no nanopublication has"
            )
        reason = shown_line(_decoded(response.reason))
        if response.status in _PASSING:
            raise _PassingError(
                f"it answers {response.status} {reason}".rstrip(),
                _seconds(response.headers.get("Retry-After", "")),
            )
        kind = response.headers.get_content_type() if "Content-Type" in response.headers else ""
        return RegistryReply(
            status=response.status,
            reason=reason,
            media_type=shown_line(kind),
            location=shown_line(response.headers.get("Location", "")),
            body=body,
        )

    def _failure(self, error: Exception) -> RegistryError:
        """What went wrong with a connection, in words, and whether to try again."""
        if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError):
            why = getattr(error, "verify_message", "") or error.reason or "no TLS"
            return RegistryError(f"there is no safe connection to it: {why}")
        if isinstance(error, http.client.IncompleteRead):
            return _PassingError("it closes the connection in the middle of its answer")
        if isinstance(error, ConnectionError) and self.is_there:
            return _PassingError("it closes the connection without an answer")
        if isinstance(error, http.client.HTTPException | ValueError):
            return RegistryError("it does not speak HTTP as it should")
        import socket

        if isinstance(error, TimeoutError):
            why = f"it does not answer within {self.timeout:g} seconds"
        elif isinstance(error, ConnectionRefusedError):
            why = "nothing answers there"
        elif isinstance(error, socket.gaierror):
            why = "there is no host of this name, or no network"
        else:
            said = getattr(error, "strerror", "") or str(error)
            why = "it cannot be reached" + (f": {shown_line(said)}" if said else "")
        by = f" (by the proxy {self._proxy.shown})" if self._proxy is not None else ""
        return (_PassingError if self.is_there else RegistryError)(why + by)


def _read(response: http.client.HTTPResponse, most: int) -> bytes:
    """The body, or a little more than is wanted of it."""
    body = bytearray()
    while len(body) <= most and (piece := response.read1(_PIECE)):
        body += piece
    if len(body) <= most and response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return bytes(body)


def _seconds(text: str) -> float:
    """How long a server wants us to wait; dates are as good as nothing said."""
    text = text.strip()
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0.0


def _decoded(text: str) -> str:
    """A reason phrase as it was meant: HTTP takes it for Latin-1, and servers write UTF-8."""
    with contextlib.suppress(UnicodeError):
        return text.encode("latin-1").decode()
    return text


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


@cache
def _agent() -> str:
    from primad_ld.core.version import __version__

    return f"primad-ld/{__version__}"


# Proxies ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Proxy:
    """Whom requests go through."""

    host: str
    port: int
    #: What it wants to know of us; may hold a password.
    headers: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def shown(self) -> str:
        """Its address without the password."""
        return f"{self.host}:{self.port}"


def proxy_for(scheme: str, host: str) -> Proxy | None:
    """What HTTPS_PROXY, HTTP_PROXY and NO_PROXY say of a host; nobody else reaches this machine.

    Raises:
        PrimadError: The address in there is none of an HTTP proxy.
    """
    from urllib.request import getproxies, proxy_bypass

    text = getproxies().get(scheme, "")
    if not text or is_loopback(host) or proxy_bypass(host):
        return None
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        name = (parts.hostname or "") if parts.scheme == "http" else ""
        port = parts.port or _PROXY_PORT
    except ValueError:
        name = ""
    if not name:
        # It may hold a password, so it is not repeated.
        raise PrimadError(
            f"{scheme}_proxy in the environment is no address of an HTTP proxy; "
            "write one such as http://proxy.example.org:3128"
        )
    headers = {}
    if parts.username:
        login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Proxy-Authorization"] = f"Basic {b64encode(login.encode()).decode()}"
    return Proxy(host=name, port=port, headers=headers)


# Looking up -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What a registry has under an artifact code: a nanopublication, or ``why`` it has none."""

    why: str = ""
    #: Whether it plainly says that it does not have it.
    is_absent: bool = False
    body: bytes = b""
    suffix: str = ".trig"
    found: Checked | None = None
    #: In what it answers, where that is not what was asked for.
    other_form: str = ""


def look_up(client: Client, code: str) -> Held:
    """What a registry has under an artifact code.

    Raises:
        RegistryError: It does not say.
    """
    reply = client.get(code)
    if reply.is_absent:
        place = f" and points to {reply.location}" if reply.location else ""
        return Held(why=f"the registry does not have it{place}", is_absent=True)
    if reply.status != 200:
        raise RegistryError(f"it answers {reply.status} {reply.words}")
    return _checked(reply, code)


def _checked(reply: RegistryReply, code: str) -> Held:
    suffix = _SUFFIXES.get(reply.media_type)
    if suffix is None:
        return Held(why=f"the registry answers with {reply.media_type}, not with a nanopublication")
    found = check_bytes(reply.body, suffix, code)
    if not found.is_valid:
        why = shown_line(found.problems[0])
        return Held(why=f"the registry answers with what is no valid nanopublication: {why}")
    if found.nanopub is None or found.nanopub.artifact != code:
        return Held(why=f"the registry answers with another one, {shown_line(found.uri)}")
    other_form = reply.media_type if suffix != ".trig" else ""
    return Held(body=reply.body, suffix=suffix, found=found, other_form=other_form)
