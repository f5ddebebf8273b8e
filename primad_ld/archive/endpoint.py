"""SPARQL endpoints: where an address is queried and updated, and the credentials of who asks.

Credentials come from the environment or a netrc file, for one server and no other. They never
stand in an address or on a command line, where every user of the machine can read them, and
nothing here puts them into a message.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

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
            re.compile(r'\A[^>]*> <[^>]*> "[+\-]?[0-9]{19,}"\^\^<http://[^>]*#integer> \.'),
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

_SERVERS: Final = (OXIGRAPH, VIRTUOSO, FUSEKI)


def server_of(headers: Message) -> Server:
    """What kind of server an answer came from."""
    for server in _SERVERS:
        said = headers.get(server.header)
        if said is not None and said.startswith(server.begins):
            return server
    return UNKNOWN


@dataclass(frozen=True, kw_only=True, slots=True)
class _EndpointLayout:
    """Where things are behind an address whose path looks like this; one group is their base."""

    path: str
    query: str
    update: str
    #: Where updates go that prove who sends them, if that is another place.
    with_password: str = ""
    #: Only where this server answers.
    server: Server | None = None


#: Tried in this order. Where several would do, one question tells which: they ask the same place.
_LAYOUTS: Final = (
    # RDF4J and GraphDB
    _EndpointLayout(
        path=r"(.*/repositories/[^/]+)(?:/statements)?", query="", update="/statements"
    ),
    # Oxigraph, Stardog, and Fuseki in full
    _EndpointLayout(path=r"(.*)/(?:query|update)", query="/query", update="/update"),
    # Virtuoso where also queries need a password
    _EndpointLayout(path=r"(.*/sparql-auth)", query="", update=""),
    _EndpointLayout(
        path=r"(.*?)(?:/sparql)?",
        query="/sparql",
        update="/sparql",
        with_password="/sparql-auth",  # noqa: S106  a path
        server=VIRTUOSO,
    ),
    _EndpointLayout(path=r"(.*?)(?:/sparql)?", query="/sparql", update="/update", server=OXIGRAPH),
    _EndpointLayout(path=r"(.*?)(?:/sparql)?", query="/sparql", update="/update", server=FUSEKI),
    # Oxigraph where something stands before it and takes its name away
    _EndpointLayout(path=r"()", query="/query", update="/update"),
    _EndpointLayout(path=r"()", query="/sparql", update="/sparql"),
    _EndpointLayout(path=r"(.*)", query="", update=""),
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
    hint = "use an address such as http://127.0.0.1:7878 or https://example.org/sparql"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ArchiveError(f"{what} of the endpoint is not valid; {hint}") from None
    # What a query string or the part before an @ says may be a secret: it is not repeated.
    shown = text.partition("?")[0]
    if "@" in shown:
        raise ArchiveError(f"{what} of an endpoint must not contain a name or password; {HOW}")
    if not text.isascii() or any(char <= " " or char == "\x7f" for char in text):
        raise ArchiveError(f"{what} {shown!r} contains an invalid character; {hint}")
    if parts.scheme not in _PORTS:
        raise ArchiveError(f"{what} {shown!r} must begin with http:// or https://; {hint}")
    if not parts.hostname or port == 0 or parts.fragment:
        raise ArchiveError(f"{what} {shown!r} is not the address of an endpoint; {hint}")
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
    for layout in _LAYOUTS:
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
        f"no SPARQL endpoint found at {address.shown} (tried {tried}); give its full address"
    )


def _override() -> str:
    text = os.environ.get(_UPDATE_URL, "")
    if text:
        parse_address(text, f"the address in {_UPDATE_URL}")
    return text


# Credentials ------------------------------------------------------------------------------

_TOKEN: Final = "PRIMAD_LD_TOKEN"  # noqa: S105  its name
_USER: Final = "PRIMAD_LD_USER"
_PASSWORD: Final = "PRIMAD_LD_PASSWORD"  # noqa: S105  its name
_INSECURE: Final = "PRIMAD_LD_INSECURE"

#: What a user can do who has given none, or wrong ones.
HOW: Final = (
    f"set {_USER} and {_PASSWORD}, or {_TOKEN}, in the environment, or name the host in ~/.netrc"
)

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_VISIBLE = re.compile(r"[\x21-\x7e]+")
# One challenge of WWW-Authenticate: its scheme, and parameters behind it.
_SCHEME = re.compile(r"(?:^|,)\s*+([A-Za-z][A-Za-z0-9\-]*+)(?=\s+[A-Za-z0-9\-]+\s*=|\s*(?:,|$))")
_PARAMETER = re.compile(
    r'(?<![A-Za-z0-9\-])([A-Za-z0-9\-]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s,"]+))'
)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Credentials:
    """A name and a password, or a token, and where they were found."""

    user: str = ""
    password: str = ""
    token: str = ""
    source: str = ""

    def __bool__(self) -> bool:
        return bool(self.user or self.token)

    def __repr__(self) -> str:
        return f"Credentials(from {self.source})" if self else "Credentials()"

    def hide(self, text: str) -> str:
        """A text of the server without what it may repeat of them."""
        for secret in (self.password, self.token, self.basic if self.user else ""):
            text = text.replace(secret, "***") if secret else text
        return text

    @property
    def basic(self) -> str:
        """Name and password as basic authentication sends them, readable by anybody."""
        from base64 import b64encode

        return b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")


def find_credentials(host: str) -> Credentials:
    """What the environment says, or a netrc file says of this host; empty where neither does."""
    token = os.environ.get(_TOKEN, "").strip()
    user, password = os.environ.get(_USER, ""), os.environ.get(_PASSWORD, "")
    if token:
        if not _VISIBLE.fullmatch(token):
            raise ArchiveError(f"{_TOKEN} contains an invalid character")
        return Credentials(token=token, source=_TOKEN)
    if user or password:
        if not (user and password):
            here, missing = (_USER, _PASSWORD) if user else (_PASSWORD, _USER)
            raise ArchiveError(f"{here} is set without {missing}; set both or neither")
        return _checked(
            Credentials(user=user, password=password, source=f"{_USER} and {_PASSWORD}")
        )
    return _from_netrc(host)


def _from_netrc(host: str) -> Credentials:
    from netrc import NetrcParseError, netrc

    file = Path(os.environ.get("NETRC") or Path("~/.netrc").expanduser())
    try:
        found = netrc(str(file)).hosts if file.is_file() else {}
    except NetrcParseError as error:
        # Its own words repeat what stands there.
        raise ArchiveError(
            f"{file}:{error.lineno}: invalid line in a netrc file; correct it"
        ) from None
    except UnicodeError:
        raise ArchiveError(f"{file}: not a netrc file, since it is not text") from None
    except OSError as error:
        raise ArchiveError(f"{file}: {(error.strerror or str(error)).lower()}") from None
    # An entry for "default" is for no host in particular; it stays here.
    login, _, password = found.get(host, ("", "", "")) if host != "default" else ("", "", "")
    if not login:
        return Credentials()
    return _checked(Credentials(user=login, password=password or "", source=str(file)))


def _checked(credentials: Credentials) -> Credentials:
    if _CONTROL.search(credentials.user + credentials.password):
        raise ArchiveError(
            f"the name or password from {credentials.source} contains a control character"
        )
    return credentials


# Logging in -------------------------------------------------------------------------------


@dataclass(slots=True)
class Login:
    """Credentials as headers, in the way that the server asks for them."""

    credentials: Credentials
    #: What messages call the server.
    name: str
    #: Whether others may read what is sent.
    exposed: bool
    _scheme: str = field(default="", init=False)
    _challenge: Mapping[str, str] = field(default_factory=dict, init=False)
    _counter: count[int] = field(default_factory=count, init=False)

    def header(self, method: str, path: str) -> str:
        """The header of a request; empty as long as the server has not asked."""
        credentials = self.credentials
        if credentials.token:
            return f"Bearer {self._unless_exposed(credentials.token, 'a token')}"
        if self._scheme == "digest":
            return self._digest(method, path)
        if self._scheme == "basic":
            return f"Basic {self._unless_exposed(self._basic(), 'a password')}"
        return ""

    def learn(self, challenges: Iterable[str]) -> bool:
        """Take up how the server wants to be answered; False where there is nothing to answer."""
        if not self.credentials.user:
            return False
        offered = [one for text in challenges for one in _parse(text)]
        digest = [one for scheme, one in offered if scheme == "digest" and _hash(one) is not None]
        if digest:
            # The number that it gave before may have become too old.
            self._scheme, self._challenge, self._counter = "digest", digest[0], count(1)
            return True
        was, self._scheme = self._scheme, "basic" if "basic" in dict(offered) else ""
        return self._scheme != was

    def _unless_exposed(self, text: str, what: str) -> str:
        if self.exposed and os.environ.get(_INSECURE) != "1":
            raise ArchiveError(
                f"{self.name} is not encrypted, so others could read {what} sent to it; use "
                f"https, or set {_INSECURE}=1 if you trust the network"
            )
        return text

    def _basic(self) -> str:
        if ":" in self.credentials.user:
            raise ArchiveError(
                f"{self.name}: basic authentication does not allow a colon in the user name"
            )
        return self.credentials.basic

    def _digest(self, method: str, path: str) -> str:
        """RFC 7616, with a number for each request so that none needs a challenge of its own."""
        import secrets

        user, challenge = self.credentials.user, self._challenge
        hashed = _hash(challenge)
        assert hashed is not None
        if not user.isascii():
            raise ArchiveError(f"{self.name}: digest authentication only allows ASCII user names")
        realm, nonce = challenge.get("realm", ""), challenge.get("nonce", "")
        who = hashed(f"{user}:{realm}:{self.credentials.password}")
        what = hashed(f"{method}:{path}")
        said = {"username": user, "realm": realm, "nonce": nonce, "uri": path}
        if "qop" in challenge:
            number, own = f"{next(self._counter):08x}", secrets.token_hex(8)
            answer = hashed(f"{who}:{nonce}:{number}:{own}:auth:{what}")
            bare = {"qop": "auth", "nc": number, "algorithm": challenge.get("algorithm", "MD5")}
            said |= {"cnonce": own}
        else:
            answer = hashed(f"{who}:{nonce}:{what}")
            bare = {"algorithm": challenge.get("algorithm", "MD5")}
        said |= {"response": answer}
        if "opaque" in challenge:
            said |= {"opaque": challenge["opaque"]}
        quoted = [f'{key}="{_escaped(value)}"' for key, value in said.items()]
        return "Digest " + ", ".join([*quoted, *(f"{key}={value}" for key, value in bare.items())])


def _parse(text: str) -> Iterable[tuple[str, Mapping[str, str]]]:
    """The challenges of one header, by scheme in small letters."""
    # A text without an end goes to the end.
    outside = re.sub(r'"(?:[^"\\]|\\.)*+"?', lambda match: '"' + "_" * (len(match[0]) - 1), text)
    starts = [*_SCHEME.finditer(outside)]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    for match, end in zip(starts, ends, strict=False):
        parameters = {
            key.lower(): re.sub(r"\\(.)", r"\1", quoted) or bare
            for key, quoted, bare in _PARAMETER.findall(text[match.end() : end])
        }
        yield match[1].lower(), parameters


def _hash(challenge: Mapping[str, str]) -> Callable[[str], str] | None:
    """What a challenge wants to be hashed with; None where it wants what we have not."""
    import hashlib

    known = {"MD5": hashlib.md5, "SHA-256": hashlib.sha256}
    make = known.get(challenge.get("algorithm", "MD5").upper())
    protections = {one.strip().lower() for one in challenge.get("qop", "auth").split(",")}
    if make is None or "auth" not in protections:
        return None
    return lambda text: make(text.encode(), usedforsecurity=False).hexdigest()


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
