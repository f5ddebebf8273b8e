"""A registry of nanopublications over HTTP: several requests at once, and again where that helps.

Registries answer 201 to what they took, to what they had already, and to what they could not
read; so what they say is never believed, and `look_up` asks for each nanopublication again and
checks what comes back. Publishing twice does no harm, which is why a POST may be repeated here.
No redirect is followed: only the registry that was named gets anything.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.pool import ThreadPool
from typing import Final, TypeVar
from urllib.request import OpenerDirector, Request

from primad_ld.core.connections import (
    PassingError,
    Patience,
    RequestError,
    failures_in_words,
    is_loopback,
    make_opener,
    read_body,
)
from primad_ld.core.errors import PrimadError, printable
from primad_ld.core.library_arguments import to_seconds, to_whole
from primad_ld.core.version import __version__
from primad_ld.nanopub.checking import Checked, check_bytes
from primad_ld.rdf.nanopub_statements import MOST_BYTES

_PORTS: Final = {"http": 80, "https": 443}
#: The path has no query, fragment or backslash.
_ADDRESS: Final = re.compile(
    r"(?P<scheme>(?i:https?))://(?P<host>[A-Za-z0-9_.\-]+|\[[0-9A-Fa-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[!-\"$->@-\[\]-~]*)?"
)
# What is said about a POST stands in the first line; the rest need not be read.
_MOST_WORDS: Final = 1 << 16
_LONGEST: Final = 200
# So many failures in a row are no accident; each of them has been tried several times.
_MOST_FAILURES: Final = 5
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
SUFFIXES: Final = tuple(dict.fromkeys(_SUFFIXES.values()))

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class GivenUpError(RequestError):
    """No more requests are made, since too many failed."""


# Addresses --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Registry:
    """Where a registry is, always written in the same way."""

    #: Ends with a slash.
    url: str
    #: What to know before anything is sent there.
    warnings: tuple[str, ...] = ()


def parse_registry(text: str) -> Registry:
    """The registry at an address that was typed; with or without the ``np/`` at its end."""
    if "@" in text:
        # It may hold a password, so it is not repeated.
        raise PrimadError("the address of a registry must not contain a name or password")
    match = _ADDRESS.fullmatch(text)
    port = int(match["port"] or _PORTS[match["scheme"].lower()]) if match else 0
    if match is None or not 0 < port < 1 << 16:
        raise PrimadError(
            f"{text[:_LONGEST]!r} is not the address of a registry; use one such as "
            "https://registry.example.org/"
        )
    scheme, host = match["scheme"].lower(), match["host"].lower()
    place = host if port == _PORTS[scheme] else f"{host}:{port}"
    path = (match["path"] or "").rstrip("/").removesuffix("/np").rstrip("/")
    url = f"{scheme}://{place}{path}/"
    if scheme == "https" or is_loopback(host.strip("[]")):
        return Registry(url)
    warning = (
        f"{url} is not encrypted, so others on the way can hold back what is sent; use an address "
        "that begins with https:// if there is one"
    )
    return Registry(url, (warning,))


# Requests ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class RegistryReply:
    """An answer as it came; its words are fit to be shown."""

    status: int
    words: str
    media_type: str
    location: str
    body: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """How patiently a registry is talked to, and with how many requests at once."""

    jobs: int = 4
    #: Seconds that one request may take, from the connection to the last byte.
    timeout: float = 30.0
    patience: Patience = field(default_factory=Patience)
    #: For what a registry took, until it answers with it.
    confirming: Patience = field(default_factory=lambda: Patience(tries=4, first=0.25))

    def __post_init__(self) -> None:
        to_whole(1)(self.jobs, "jobs")
        to_seconds(self.timeout, "timeout")


@dataclass(slots=True)
class Client:
    """Requests to one registry, several at once; they end with the block that it is used in."""

    registry: Registry
    settings: Settings = field(default_factory=Settings)
    _opener: OpenerDirector = field(init=False, default_factory=make_opener)
    _stop: threading.Event = field(init=False, default_factory=threading.Event)
    #: Whether the registry has answered; until then, it will not do so a moment later.
    _is_there: bool = field(init=False, default=False)
    _has_worked: bool = field(init=False, default=False)
    _failures: int = field(init=False, default=0)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()

    @property
    def has_given_up(self) -> bool:
        """Whether no more requests are made, since too many failed."""
        return self._failures >= _MOST_FAILURES

    def get(self, code: str) -> RegistryReply:
        """What the registry says of the nanopublication with an artifact code."""
        return self._ask("GET", f"np/{code}", None)

    def post(self, text: bytes) -> RegistryReply:
        """What the registry says when it is given a nanopublication, written in TriG."""
        reply = self._ask("POST", "np/", text)
        if 300 <= reply.status < 400:
            raise RequestError(
                f"{self.registry.url} redirects nanopublications to "
                f"{reply.location or 'nowhere'}; if that is the right registry, use --registry"
            )
        return reply

    def each(
        self, items: Sequence[_Item], work: Callable[[Client, _Item], _Result]
    ) -> Iterator[tuple[_Item, _Result | RequestError]]:
        """Each item with its result or its error, as they come.

        Raises:
            RequestError: Nothing has worked yet.
        """

        def attempt(item: _Item) -> tuple[_Item, _Result | RequestError]:
            if self.has_given_up:
                return item, GivenUpError("the registry failed before")
            try:
                result = work(self, item)
            except RequestError as error:
                self._failures += 1
                return item, error
            self._failures, self._has_worked = 0, True
            return item, result

        if not items:
            return
        error: RequestError | None = None
        # These threads are daemons: whoever interrupts a command waits for no answer.
        with ThreadPool(min(self.settings.jobs, len(items))) as pool:
            for item, result in pool.imap_unordered(attempt, items):
                if isinstance(result, RequestError) and not isinstance(result, GivenUpError):
                    error = result
                yield item, result
        if error is not None and not self._has_worked:
            raise error

    def _ask(self, method: str, path: str, body: bytes | None) -> RegistryReply:
        pauses = self.settings.patience.pauses()
        while not self._stop.is_set():
            try:
                return self._try(method, path, body)
            except PassingError as error:
                pause = next(pauses, None)
                if pause is None:
                    tries = self.settings.patience.tries
                    raise RequestError(
                        f"{error}, after {tries} attempts; try again later"
                    ) from None
                longest = self.settings.patience.longest
                self._stop.wait(max(pause, min(error.after, longest)))
        raise RequestError("no more requests are made")

    def _try(self, method: str, path: str, body: bytes | None) -> RegistryReply:
        url, seconds = self.registry.url, self.settings.timeout
        headers = {"Accept": "application/trig", "User-Agent": f"primad-ld/{__version__}"}
        if body is not None:
            headers["Content-Type"] = "application/trig"
        request = Request(url + path, body, headers, method=method)  # noqa: S310
        with (
            failures_in_words(url, seconds, is_there=self._is_there),
            closing(self._opener.open(request, timeout=seconds)) as response,
        ):
            self._is_there = True
            is_wanted = method == "GET" and response.status == 200
            most = MOST_BYTES if is_wanted else _MOST_WORDS
            text = read_body(response, most)
        if len(text) > most and is_wanted:
            raise RequestError(
                f"{url} answers with more than {most >> 20} MiB, which no nanopublication has"
            )
        kind = response.headers.get_content_type() if "Content-Type" in response.headers else ""
        reply = RegistryReply(
            status=response.status,
            words=_words(response, text if kind in ("", "text/plain") else b""),
            media_type=shown_line(kind),
            location=shown_line(response.headers.get("Location", "")),
            body=text,
        )
        if reply.status in _PASSING:
            after = response.headers.get("Retry-After", "").strip()
            # Dates are as good as nothing said.
            seconds = float(after) if re.fullmatch("[0-9]{1,9}", after) else 0.0
            raise PassingError(f"{url} answers {reply.status} {reply.words}", seconds)
        return reply


def _words(response: http.client.HTTPResponse, text: bytes) -> str:
    """What a server says: the reason phrase, or the first line of its text where that has gone."""
    reason = response.reason
    with contextlib.suppress(UnicodeError):
        # HTTP takes it for Latin-1, and servers write UTF-8.
        reason = reason.encode("latin-1").decode()
    if reason == http.client.responses.get(response.status, ""):
        reason = shown_line(text.decode(errors="replace")) or reason
    return shown_line(reason) or "no reason given"


def shown_line(text: str) -> str:
    """The beginning of what somebody else says, without what could steer a terminal."""
    line = next(iter(text.strip().splitlines()), "").strip()
    return printable(line[:_LONGEST])


# Looking up -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Held:
    """What a registry has under an artifact code: a nanopublication, or ``why`` it has none."""

    why: str = ""
    #: Whether it plainly says that it does not have it.
    is_absent: bool = False
    body: bytes = b""
    suffix: str = ".trig"
    checked: Checked | None = None
    #: In what it answers, where that is not what was asked for.
    other_form: str = ""


def look_up(client: Client, code: str) -> Held:
    """What a registry has under an artifact code.

    Raises:
        RequestError: It does not say.
    """
    reply = client.get(code)
    if reply.status in _ABSENT:
        place = f" and points to {reply.location}" if reply.location else ""
        return Held(why=f"the registry does not have it{place}", is_absent=True)
    if reply.status != 200:
        raise RequestError(f"{client.registry.url} answers {reply.status} {reply.words}")
    suffix = _SUFFIXES.get(reply.media_type)
    if suffix is None:
        return Held(why=f"the registry answers with {reply.media_type}, not with a nanopublication")
    checked = check_bytes(reply.body, suffix, code)
    if not checked.is_valid:
        why = shown_line(checked.problems[0])
        return Held(why=f"the registry answers with an invalid nanopublication: {why}")
    if checked.nanopub is None or checked.nanopub.artifact != code:
        return Held(why=f"the registry answers with another one, {shown_line(checked.uri)}")
    other_form = reply.media_type if suffix != ".trig" else ""
    return Held(body=reply.body, suffix=suffix, checked=checked, other_form=other_form)
