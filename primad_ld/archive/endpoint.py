"""Where a SPARQL endpoint is queried and where it is updated, by the address that was typed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from primad_ld.archive.credentials import HOW, Credentials
from primad_ld.core.errors import ArchiveError

if TYPE_CHECKING:
    from email.message import Message

_UPDATE_URL: Final = "PRIMAD_LD_UPDATE_URL"

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """A kind of server: how it is known, and what one request to it may hold."""

    name: str
    #: A header that its answers have, and how its value begins.
    header: str = ""
    begins: str = ""
    #: The most that one update takes, by what was fastest.
    triples: int = 500
    characters: int = 100_000
    #: Graphs that one request removes or asks about.
    graphs: int = 200
    #: What it would store as something else, or break at: a pattern of a triple, and why.
    unfit: tuple[tuple[re.Pattern[str], str], ...] = ()
    #: Whether it cuts off triples, too, without saying so.
    cuts_triples: bool = False


OXIGRAPH: Final = Server(
    name="Oxigraph",
    header="Server",
    begins="Oxigraph",
    triples=10_000,
    characters=4_000_000,
    graphs=1_000,
)
# Version 7.2.5 compiles an update into SQL, in a time that grows with the square of its size.
VIRTUOSO: Final = Server(
    name="Virtuoso",
    header="Server",
    begins="Virtuoso",
    triples=250,
    characters=100_000,
    graphs=50,
    unfit=(
        (
            re.compile(r'[^>]*> <[^>]*> "[+\-]?[0-9]{19,}"\^\^<http://[^>]*#integer> \.'),
            "Virtuoso takes an integer of 19 digits or more for another number",
        ),
        (
            re.compile(r"(?s).{1000000}"),
            "Virtuoso takes seconds for a text of a megabyte, and breaks at one of three",
        ),
    ),
    cuts_triples=True,
)
FUSEKI: Final = Server(name="Fuseki", header="Fuseki-Request-Id")
UNKNOWN: Final = Server(name="SPARQL")

SERVERS: Final = (OXIGRAPH, VIRTUOSO, FUSEKI)


def server_of(headers: Message) -> Server:
    """What kind of server an answer came from."""
    for server in SERVERS:
        said = headers.get(server.header)
        if said is not None and said.startswith(server.begins):
            return server
    return UNKNOWN


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Where things are behind an address whose path looks like this; one group is their base."""

    path: str
    query: str
    update: str
    #: Where updates go that prove who sends them, if that is another place.
    with_password: str = ""
    #: Only where this server answers.
    server: Server | None = None


#: Tried in this order. Where several would do, one question tells which: they ask the same place.
LAYOUTS: Final = (
    # RDF4J and GraphDB
    Layout(path=r"(.*/repositories/[^/]+)(?:/statements)?", query="", update="/statements"),
    # Oxigraph, Stardog, and Fuseki in full
    Layout(path=r"(.*)/(?:query|update)", query="/query", update="/update"),
    # Virtuoso where also queries need a password
    Layout(path=r"(.*/sparql-auth)", query="", update=""),
    Layout(
        path=r"(.*?)(?:/sparql)?",
        query="/sparql",
        update="/sparql",
        with_password="/sparql-auth",  # noqa: S106  a path
        server=VIRTUOSO,
    ),
    Layout(path=r"(.*?)(?:/sparql)?", query="/sparql", update="/update", server=OXIGRAPH),
    Layout(path=r"(.*?)(?:/sparql)?", query="/sparql", update="/update", server=FUSEKI),
    # Oxigraph where something stands before it and takes its name away
    Layout(path=r"()", query="/query", update="/update"),
    Layout(path=r"()", query="/sparql", update="/sparql"),
    Layout(path=r"(.*)", query="", update=""),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Endpoint:
    """Where to query and where to update."""

    name: str
    query: str
    update: str
    server: Server


@dataclass(frozen=True, slots=True)
class Address:
    """An address as its parts; it has no credentials."""

    parts: SplitResult

    @property
    def host(self) -> str:
        return self.parts.hostname or ""

    @property
    def origin(self) -> tuple[str, str, int | None]:
        """Scheme, host and port: whom credentials are for."""
        return self.parts.scheme, self.host, self.parts.port or _PORTS[self.parts.scheme]

    @property
    def shown(self) -> str:
        """The address as messages say it: a query string may hold a key."""
        return self.parts._replace(query="", fragment="").geturl()

    @property
    def is_encrypted(self) -> bool:
        return self.parts.scheme == "https"

    def at(self, path: str) -> str:
        """The address of another path of the same server."""
        return self.parts._replace(path=path).geturl()


def parse_address(text: str, what: str = "the address") -> Address:
    """An address of http or https; `ArchiveError` for anything else."""
    hint = "an endpoint is written as http://127.0.0.1:7878 or https://example.org/sparql"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ArchiveError(f"{what} of the endpoint cannot be read; {hint}") from None
    # What a query string or the part before an @ says may be a secret: it is not repeated.
    shown = text.partition("?")[0]
    if "@" in shown:
        raise ArchiveError(f"{what} of an endpoint holds no name or password; {HOW}")
    if not text.isascii() or any(char <= " " or char == "\x7f" for char in text):
        raise ArchiveError(f"{what} {shown!r} has a character that no address has; {hint}")
    if parts.scheme not in _PORTS:
        raise ArchiveError(f"{what} {shown!r} begins with neither http:// nor https://; {hint}")
    if not parts.hostname or port == 0 or parts.fragment:
        raise ArchiveError(f"{what} {shown!r} is none of an endpoint; {hint}")
    return Address(parts)


def resolve(
    address: Address, credentials: Credentials, ask: Callable[[str], Server | None]
) -> Endpoint:
    """Where to query and update.

    ``ask`` puts a harmless question to an address and says which server answered, or None if
    there is no endpoint; it raises where asking on is of no use.
    """
    answers: dict[str, Server | None] = {}
    path = address.parts.path.rstrip("/")
    for layout in LAYOUTS:
        match = re.fullmatch(layout.path, path)
        if match is None:
            continue
        # The address itself keeps its last slash.
        same = layout.query == "" and match[1] == path
        query = address.at(address.parts.path if same else match[1] + layout.query)
        if query not in answers:
            answers[query] = ask(query)
        server = answers[query]
        if server is None or layout.server not in (None, server):
            continue
        place = (credentials.user and layout.with_password) or layout.update
        update = query if same and not place else address.at(match[1] + place)
        return Endpoint(
            name=address.shown, query=query, update=_override() or update, server=server
        )
    tried = ", ".join(parse_address(one).parts.path or "/" for one in answers)
    raise ArchiveError(
        f"{address.shown} is no SPARQL endpoint (asked at {tried}); give its full address"
    )


def _override() -> str:
    text = os.environ.get(_UPDATE_URL, "")
    if text:
        parse_address(text, f"the address in {_UPDATE_URL}")
    return text
