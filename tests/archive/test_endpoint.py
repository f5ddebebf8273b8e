"""Addresses of endpoints, where they lead, and who is said to ask."""

from __future__ import annotations

import subprocess
import sys
from email.message import Message
from pathlib import Path

import pytest
from support.servers import ASK, Server, answer, odd

from primad_ld.archive.endpoint import (
    FUSEKI,
    OXIGRAPH,
    UNKNOWN,
    VIRTUOSO,
    Credentials,
    Endpoint,
    Login,
    find_credentials,
    parse_address,
    resolve,
    server_of,
)
from primad_ld.archive.endpoint import Server as Kind
from primad_ld.archive.remote_engine import RemoteEngine
from primad_ld.core.connections import is_loopback
from primad_ld.core.errors import ArchiveError

NOBODY = Credentials()
DBA = Credentials(user="dba", password="secret", source="a test")


def resolved(
    text: str, there: dict[str, Kind], credentials: Credentials = NOBODY
) -> tuple[Endpoint, list[str]]:
    """Where an address leads if endpoints are at these paths, and which paths were asked."""
    address = parse_address(text)
    asked = []

    def ask(url: str) -> Kind | None:
        path = parse_address(url).parts.path
        asked.append(path)
        return there.get(path)

    return resolve(address, credentials, ask), asked


# Addresses ------------------------------------------------------------------------------------

H = "http://h:1"
OX = {"/query": OXIGRAPH, "/sparql": OXIGRAPH}
VIRT = {"/sparql": VIRTUOSO, "/sparql-auth": VIRTUOSO}
FUSE = {"/ds": FUSEKI, "/ds/sparql": FUSEKI, "/ds/query": FUSEKI}
X = "/rdf4j-server/repositories/x"
RDF4J = {X: UNKNOWN}


@pytest.mark.parametrize(
    ("address", "there", "query", "update"),
    [
        (H, OX, "/sparql", "/update"),
        (f"{H}/", OX, "/sparql", "/update"),
        (f"{H}/sparql", OX, "/sparql", "/update"),
        (f"{H}/query", OX, "/query", "/update"),
        (f"{H}/update", OX, "/query", "/update"),
        (H, {"/query": UNKNOWN}, "/query", "/update"),  # a proxy that hides the name
        (H, {"/sparql": UNKNOWN}, "/sparql", "/sparql"),
        (H, VIRT, "/sparql", "/sparql"),
        (f"{H}/sparql", VIRT, "/sparql", "/sparql"),
        (f"{H}/sparql/", VIRT, "/sparql", "/sparql"),
        (f"{H}/sparql-auth", VIRT, "/sparql-auth", "/sparql-auth"),
        (f"{H}/ds", FUSE, "/ds/sparql", "/ds/update"),
        (f"{H}/ds/", FUSE, "/ds/sparql", "/ds/update"),
        (f"{H}/ds/sparql", FUSE, "/ds/sparql", "/ds/update"),
        (f"{H}/ds/query", FUSE, "/ds/query", "/ds/update"),
        (f"{H}{X}", RDF4J, X, f"{X}/statements"),
        (f"{H}{X}/statements", RDF4J, X, f"{X}/statements"),
        (f"{H}/sparql", {"/sparql": UNKNOWN}, "/sparql", "/sparql"),
        (f"{H}/a/b", {"/a/b": UNKNOWN}, "/a/b", "/a/b"),
        (f"{H}/a/b/", {"/a/b/": UNKNOWN}, "/a/b/", "/a/b/"),  # the slash may count
        (f"{H}/a?key=k", {"/a": UNKNOWN}, "/a?key=k", "/a?key=k"),
        (H, {"": UNKNOWN}, "", ""),
    ],
)
def test_an_address_leads_to_query_and_update(
    address: str, there: dict[str, Kind], query: str, update: str
) -> None:
    found, asked = resolved(address, there)
    assert (found.query, found.update) == (H + query, H + update)
    assert len(set(asked)) == len(asked) <= 3


@pytest.mark.parametrize(
    ("address", "update"),
    [(H, "/sparql-auth"), (f"{H}/sparql", "/sparql-auth"), (f"{H}/sparql-auth", "/sparql-auth")],
)
def test_virtuoso_takes_updates_elsewhere_from_who_has_a_password(
    address: str, update: str
) -> None:
    found, asked = resolved(address, VIRT, DBA)
    assert found.update == H + update
    assert len(asked) == 1


def test_the_environment_knows_better_where_updates_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_UPDATE_URL", "http://h:1/elsewhere")
    assert resolved(H, OX)[0].update == "http://h:1/elsewhere"
    monkeypatch.setenv("PRIMAD_LD_UPDATE_URL", "http://u:topsecret@h:1/elsewhere")
    with pytest.raises(
        ArchiveError, match=r"PRIMAD_LD_UPDATE_URL .* must not contain a name or password"
    ) as caught:
        resolved(H, OX)
    assert "topsecret" not in str(caught.value)


def test_no_endpoint_anywhere() -> None:
    with pytest.raises(ArchiveError, match=r"tried /a/sparql, /a\); give its full address"):
        resolved(f"{H}/a", {})


def test_a_name_shows_no_query_string() -> None:
    found, _ = resolved(f"{H}/a?apikey=topsecret", {"/a": UNKNOWN})
    assert found.name == f"{H}/a"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ftp://h/sparql", "must begin with http:// or https://"),
        ("file:///etc/passwd", "must begin with http:// or https://"),
        ("h:7878", "must begin with http:// or https://"),
        ("/a/folder", "must begin with http:// or https://"),
        ("", "must begin with http:// or https://"),
        ("http://", "is not the address of an endpoint"),
        ("http:///sparql", "is not the address of an endpoint"),
        ("http://h:0/", "is not the address of an endpoint"),
        ("http://h/#a", "is not the address of an endpoint"),
        ("http://h:99999/", "is not valid"),
        ("http://[::1/", "is not valid"),
        ("http://h/a b", "an invalid character"),
        ("http://h/\r\nX: y", "an invalid character"),
        ("http://h/\x00", "an invalid character"),
        ("http://hôte/", "an invalid character"),
    ],
)
def test_what_is_no_address(address: str, why: str) -> None:
    with pytest.raises(ArchiveError, match=why):
        parse_address(address)


@pytest.mark.parametrize("start", ["http://", "https://", "ftp://", "http:", "//", "", "x y"])
@pytest.mark.parametrize("user", ["u:topsecret", "topsecret", ":topsecret", "u:topsecret\n"])
def test_no_credentials_in_an_address(start: str, user: str) -> None:
    with pytest.raises(ArchiveError, match="PRIMAD_LD_USER and PRIMAD_LD_PASSWORD") as caught:
        RemoteEngine.connect(f"{start}{user}@127.0.0.1:1/sparql")
    assert "topsecret" not in str(caught.value)


@pytest.mark.parametrize("address", ["ftp://h/", "http://h/é", "http://h/#", "http:///"])
def test_a_wrong_address_is_shown_without_its_query_string(address: str) -> None:
    with pytest.raises(ArchiveError) as caught:
        parse_address(f"{address}?key=topsecret#x")
    assert "topsecret" not in str(caught.value)


@pytest.mark.parametrize(
    ("header", "value", "server"),
    [
        ("server", "Oxigraph/0.5.13", OXIGRAPH),
        ("Server", "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu  ", VIRTUOSO),
        ("Fuseki-Request-Id", "12", FUSEKI),
        ("Server", "nginx", UNKNOWN),
        ("X-Other", "Oxigraph", UNKNOWN),
    ],
)
def test_a_server_is_known_by_its_headers(header: str, value: str, server: Kind) -> None:
    headers = Message()
    headers[header] = value
    assert server_of(headers) is server


@pytest.mark.parametrize("path", ["", "/", "/query", "/sparql", "/update"])
def test_the_addresses_of_a_real_oxigraph(path: str, oxigraph_server: Server) -> None:
    found = RemoteEngine.connect(oxigraph_server.address + path).endpoint
    assert found.server is OXIGRAPH
    assert found.update == oxigraph_server.update


@pytest.mark.parametrize("path", ["", "/", "/sparql", "/sparql/", "/sparql-auth"])
def test_the_addresses_of_a_real_virtuoso(path: str, empty_virtuoso: Server) -> None:
    found = RemoteEngine.connect(empty_virtuoso.address + path).endpoint
    assert found.server is VIRTUOSO
    assert found.update == empty_virtuoso.update
    assert found.query in (empty_virtuoso.query, empty_virtuoso.update)


# Credentials -----------------------------------------------------------------------------------


def test_nobody() -> None:
    assert not find_credentials("h")


def test_a_token_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_USER", "u")
    monkeypatch.setenv("PRIMAD_LD_PASSWORD", "p")
    assert find_credentials("h").user == "u"
    monkeypatch.setenv("PRIMAD_LD_TOKEN", " abc.def\n")  # as files end
    assert find_credentials("h").token == "abc.def"


@pytest.mark.parametrize("missing", ["USER", "PASSWORD"])
def test_half_of_it(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (given,) = {"USER", "PASSWORD"} - {missing}
    monkeypatch.setenv(f"PRIMAD_LD_{given}", "topsecret")
    with pytest.raises(
        ArchiveError, match=f"PRIMAD_LD_{given} is set without .*{missing}"
    ) as error:
        find_credentials("h")
    assert "topsecret" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("TOKEN", "top\nsecret"), ("TOKEN", "top secret"), ("TOKEN", "töpsecret"), ("USER", "a\rb")],
)
def test_no_header_can_be_made_of_it(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIMAD_LD_PASSWORD", "p")
    monkeypatch.setenv(f"PRIMAD_LD_{name}", value)
    with pytest.raises(ArchiveError, match="character") as caught:
        find_credentials("h")
    assert value not in str(caught.value)


NETRC = """\
machine other.org login o password no
machine example.org
  login ada
  password top-secret
default login anybody password anything
"""


def test_a_netrc_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "netrc"
    file.write_text(NETRC)
    monkeypatch.setenv("NETRC", str(file))
    found = find_credentials("example.org")
    assert (found.user, found.password, found.source) == ("ada", "top-secret", str(file))
    # What is for anybody is for nobody in particular.
    assert not find_credentials("unknown.org")
    assert not find_credentials("default")


def test_the_netrc_file_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NETRC")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert not find_credentials("example.org")
    (tmp_path / ".netrc").write_text(NETRC)
    assert find_credentials("example.org").user == "ada"


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"machine h login u password top-secret\ntop-secret h\n", ":2: "),
        (b"machine h\nlogin u\npasswort top-secret\n", ":3: "),
        (b"machine h login u password top-secret\xff\xfe\x81", ""),
    ],
)
def test_a_broken_netrc_file(
    content: bytes, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "netrc"
    file.write_bytes(content)
    monkeypatch.setenv("NETRC", str(file))
    monkeypatch.setattr("locale.getpreferredencoding", lambda *_: "utf-8")
    with pytest.raises(ArchiveError, match=r"netrc file") as caught:
        RemoteEngine.connect("http://h/")
    assert str(caught.value).startswith(f"{file}{place}")
    assert "secret" not in f"{caught.value!r} {caught.value.__cause__!r}"


def test_what_is_secret_is_shown_nowhere() -> None:
    known = Credentials(user="u", password="topsecret", source="here")
    token = Credentials(token="topsecret", source="there")
    assert "topsecret" not in f"{known!r}{known}{token!r}{Login(known, 'h', False)!r}"
    assert (
        known.hide("you said topsecret, or Basic dTp0b3BzZWNyZXQ=") == "you said ***, or Basic ***"
    )


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
        ("", False),
    ],
)
def test_what_is_this_machine(host: str, is_here: bool) -> None:
    assert is_loopback(host) is is_here


# What is sent ------------------------------------------------------------------------------------


def login(credentials: Credentials = DBA, *, exposed: bool = False) -> Login:
    return Login(credentials, "http://h", exposed=exposed)


def test_nothing_is_sent_before_it_is_asked_for() -> None:
    assert login().header("POST", "/sparql") == ""
    assert login(NOBODY).header("POST", "/sparql") == ""


def test_the_digest_of_rfc_7616() -> None:
    one = login(Credentials(user="Mufasa", password="Circle of Life"))
    challenge = (
        'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm={}, '
        'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", '
        'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
    )
    own = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    for algorithm, expected in (
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ):
        assert one.learn([challenge.format(algorithm)])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("secrets.token_hex", lambda _: own)
            header = one.header("GET", "/dir/index.html")
        assert header.startswith("Digest ")
        assert f'response="{expected}"' in header
        assert f"algorithm={algorithm}" in header
        assert "nc=00000001" in header
        assert "nc=00000002" in one.header("GET", "/dir/index.html")


@pytest.mark.parametrize(
    ("challenges", "scheme"),
    [
        (['Basic realm="x"'], "Basic"),
        (["basic"], "Basic"),
        (['Digest realm="x", nonce="n"'], "Digest"),
        (['Basic realm="a, Digest nonce=1"'], "Basic"),  # a realm may say anything
        (['Basic realm="x", Digest realm="y", nonce="n"'], "Digest"),
        (['Basic realm="x"', 'Digest realm="y", nonce="n", qop="auth"'], "Digest"),
        (['Digest realm="y", nonce="n", algorithm=SHA-512-256', 'Basic realm="x"'], "Basic"),
        (['Digest realm="y", nonce="n", qop="auth-int"', 'Basic realm="x"'], "Basic"),
        (["Negotiate", 'Basic realm="x"'], "Basic"),
    ],
)
def test_the_server_says_how(challenges: list[str], scheme: str) -> None:
    one = login()
    assert one.learn(challenges)
    assert one.header("POST", "/").split()[0] == scheme


@pytest.mark.parametrize(
    "challenges", [[], [""], ["Bearer"], ["Negotiate abc=="], ['Digest realm="x", qop="auth-int"']]
)
def test_the_server_wants_what_we_have_not(challenges: list[str]) -> None:
    one = login()
    assert not one.learn(challenges)
    assert one.header("POST", "/") == ""


def test_a_password_is_not_tried_twice() -> None:
    one = login()
    assert one.learn(["Basic"])
    assert not one.learn(["Basic"])


@pytest.mark.parametrize(
    ("credentials", "what"),
    [(DBA, "a password"), (Credentials(token="topsecret", source="t"), "a token")],
)
def test_nothing_readable_goes_over_an_open_wire(
    credentials: Credentials, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = login(credentials, exposed=True)
    one.learn(["Basic"])
    with pytest.raises(ArchiveError, match=rf"not encrypted.* {what}.*PRIMAD_LD_INSECURE") as error:
        one.header("POST", "/")
    assert "secret" not in str(error.value)
    monkeypatch.setenv("PRIMAD_LD_INSECURE", "1")
    assert one.header("POST", "/")


def test_a_digest_may_go_over_an_open_wire() -> None:
    one = login(exposed=True)
    one.learn(['Digest realm="x", nonce="n"'])
    assert one.header("POST", "/").startswith("Digest ")


def test_a_token_is_refused_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_LD_TOKEN", "topsecret")
    with pytest.raises(ArchiveError, match=r"not encrypted.* a token"):
        RemoteEngine.connect("http://sparql.example.org/")


@pytest.mark.parametrize(
    ("user", "challenge", "why"),
    [("a:b", "Basic", "a colon in the user name"), ("jörg", "Digest nonce=n", "only allows ASCII")],
)
def test_names_that_a_scheme_cannot_say(user: str, challenge: str, why: str) -> None:
    one = login(Credentials(user=user, password="p"))
    one.learn([challenge])
    with pytest.raises(ArchiveError, match=why):
        one.header("POST", "/")


# What is imported when -----------------------------------------------------------------------------


def test_the_engine_is_imported_without_what_it_needs_later() -> None:
    code = "import sys, primad_ld.archive.remote_engine; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"SPARQLWrapper", "pyoxigraph", "rdflib", "urllib.request", "http.client", "ssl"}
    assert heavy & set(done.stdout.split()) == set()


def test_no_opener_is_left_behind(oxigraph_server: Server) -> None:
    import urllib.request

    RemoteEngine.connect(oxigraph_server.address)
    assert urllib.request._opener is None  # type: ignore[attr-defined]


def test_a_connection_needs_no_more_than_one_question() -> None:
    with odd(lambda _: answer(200, ASK, Server="Oxigraph/0.5")) as server:
        RemoteEngine.connect(server.address)
        assert len(server.seen) == 1
        assert server.seen[0].form == {"query": "ASK {}"}
        assert server.seen[0].method == "POST"
        assert "Authorization" not in server.seen[0].headers
        assert server.seen[0].headers["User-Agent"].startswith("primad-ld/")
