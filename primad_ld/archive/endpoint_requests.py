"""One request to a SPARQL endpoint: in time, to the right server, and sent again where that helps.

SPARQLWrapper makes the requests, and the opener of `core.connections` sends them. This module is
imported with the first connection.
"""

from __future__ import annotations

import http.client
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, cast
from urllib.parse import urljoin
from urllib.request import OpenerDirector, Request

from primad_ld.archive.endpoint import Address, Credentials, Login, parse_address
from primad_ld.archive.endpoint_replies import EndpointReply, ReplyKind
from primad_ld.archive.engine import MOST_BYTES, too_much
from primad_ld.core.connections import (
    LateError,
    PassingError,
    Patience,
    RequestError,
    failures_in_words,
    is_loopback,
    make_opener,
    read_body,
)
from primad_ld.core.errors import ArchiveError, QueryTimeoutError
from primad_ld.core.version import __version__

# So much is read of answers of which the beginning is enough: to a first question, to an update,
# and of what says that something went wrong.
_ENOUGH: Final = 2**16
_MOST_HOPS: Final = 8

_LATE: Final = {
    "SELECT": "narrow the query down, or allow more time (--timeout)",
    "INSERT": "everything before this request is stored; is the server overloaded?",
}


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
    _opener: OpenerDirector = field(init=False, default_factory=make_opener)

    def __post_init__(self) -> None:
        is_safe = self.address.is_encrypted or is_loopback(self.address.host)
        self.login = Login(self.credentials, self.address.shown, exposed=not is_safe)

    def send(
        self,
        url: str,
        text: str,
        *,
        form: str = "SELECT",
        accept: str = "*/*",
        timeout: float | None = None,
        union: bool = False,
        is_short: bool = False,
    ) -> EndpointReply:
        """What a server answers to a query or an update, whatever that is; or the beginning of it."""
        # Oxigraph knows this; the others leave it alone, and Virtuoso's default is the union.
        more = {"union-default-graph": "true"} if union else {}
        request = _request(url, form, text, accept, more)
        seconds = timeout or self.timeout
        pauses = self.patience.pauses()
        # Waiting takes no longer than an answer may: who gives a query a second does not wait a minute.
        left = seconds
        while True:
            pause = next(pauses, None)
            try:
                reply = self._try(request, seconds, form, is_short=is_short)
            except PassingError as error:
                if pause is None:
                    raise ArchiveError(
                        f"{error}, after {self.patience.tries} attempts; check the server"
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

    def _try(self, request: Request, seconds: float, form: str, *, is_short: bool) -> EndpointReply:
        try:
            with (
                failures_in_words(self.address.shown, seconds, is_there=self.is_there),
                closing(self._open(request, seconds)) as response,
            ):
                self.is_there = True
                is_good = 200 <= response.status < 300
                return self._read(response, is_short=is_short or not is_good)
        except LateError as error:
            raise QueryTimeoutError(f"{error}; {_LATE[form]}") from error.__cause__
        except PassingError:
            raise
        except RequestError as error:
            raise ArchiveError(str(error)) from error.__cause__

    def _open(self, request: Request, seconds: float) -> http.client.HTTPResponse:
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
        most = _ENOUGH if is_short else self.most_bytes
        body = read_body(response, most)
        if len(body) > most and not is_short:
            raise too_much(self.address.shown, f"{self.most_bytes:,} bytes")
        return EndpointReply(
            status=response.status,
            headers=response.headers,
            body=body,
            hide=self.credentials.hide,
        )


def _request(url: str, form: str, text: str, accept: str, more: dict[str, str]) -> Request:
    from SPARQLWrapper import POST, SPARQLWrapper

    wrapper = SPARQLWrapper(url, agent=f"primad-ld/{__version__}")
    wrapper.setMethod(POST)
    wrapper.setOnlyConneg(True)
    wrapper.addCustomHttpHeader("Accept", accept)
    for key, value in more.items():
        wrapper.addParameter(key, value)
    # We know what the text is; `setQuery` would guess it.
    wrapper.queryString, wrapper.queryType = text, form
    return wrapper._createRequest()
