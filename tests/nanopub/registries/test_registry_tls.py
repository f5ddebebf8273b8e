"""Registries over TLS, and by way of a proxy."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from support.registries import StandIn, code_of, running_registry, signed

from primad_ld.core import connections
from primad_ld.core.connections import Patience, RequestError
from primad_ld.nanopub.registries.registry_client import (
    Client,
    Settings,
    look_up,
    parse_registry,
)
from primad_ld.nanopub.signing import Signer

CODE = "RA" + "A" * 43
HOST = "registry.example.org"
VARIABLES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy but the one that a test names."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine and a name, with its key; nobody else trusts it."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    names: list[x509.GeneralName] = [x509.DNSName(HOST), x509.IPAddress(ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + made.public_bytes(Encoding.PEM))
    return path


@pytest.fixture(scope="module")
def secure(certificate: Path) -> Iterator[StandIn]:
    """A registry over TLS; whoever asks it something must trust its certificate."""
    with running_registry(certificate) as found:
        yield found


@pytest.fixture
def trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The certificate is one of those that this machine trusts."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    connections._context.cache_clear()
    yield
    connections._context.cache_clear()


def client_of(url: str, *, tries: int = 1) -> Client:
    return Client(parse_registry(url), Settings(patience=Patience(tries=tries, first=0.01)))


@pytest.mark.usefixtures("trusted")
def test_what_is_posted_can_be_got(secure: StandIn, signer: Signer) -> None:
    one = signed("one", signer)
    client = client_of(secure.url)
    assert client.post(one.text.encode()).status == 201
    assert look_up(client, code_of(one)).checked is not None
    assert secure.kept == [code_of(one)]


@pytest.mark.usefixtures("trusted")
def test_drops_are_tried_again(secure: StandIn) -> None:
    client = client_of(secure.url, tries=2)
    secure.set(drop_get=1)
    assert client.get(CODE).status == 404


def test_nobody_is_trusted_for_nothing(secure: StandIn) -> None:
    with pytest.raises(RequestError, match=r"no secure connection to .*: self-signed certificate"):
        client_of(secure.url, tries=1000).get(CODE)


@pytest.mark.usefixtures("trusted")
def test_a_certificate_is_that_of_a_name(secure: StandIn) -> None:
    url = secure.url.replace("127.0.0.1", "localhost")
    with pytest.raises(RequestError, match=r"no secure connection to .*: Hostname mismatch"):
        client_of(url, tries=1000).get(CODE)


# Proxies ------------------------------------------------------------------------------------------


def test_no_proxy_is_used_for_this_machine_and_for_exceptions(
    registry: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert client_of(registry.url).get(CODE).status == 404
    monkeypatch.setenv("no_proxy", "registry.invalid")
    with pytest.raises(RequestError, match=r"^http://registry\.invalid/: unknown host"):
        client_of("http://registry.invalid/").get(CODE)


@pytest.mark.parametrize("text", ["socks5://127.0.0.1:1", "http://", "http://[::1"])
def test_a_wrong_proxy_is_named(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("https_proxy", text)
    with pytest.raises(RequestError, match=f"https://a.org/ by the proxy {re.escape(text)}"):
        client_of("https://a.org/").get(CODE)


def test_its_password_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://me:hunter2@127.0.0.1:1")
    client = client_of("https://a.org/")
    with pytest.raises(RequestError, match=r"by the proxy 127\.0\.0\.1:1; is the ser") as caught:
        client.get(CODE)
    assert "hunter2" not in f"{caught.value} {client!r}"


def test_through_a_proxy(
    registry: StandIn, monkeypatch: pytest.MonkeyPatch, signer: Signer
) -> None:
    monkeypatch.setenv("http_proxy", registry.url.replace("http://", "http://me:pw@"))
    one = signed("one", signer)
    client = client_of("http://registry.invalid/")
    assert client.post(one.text.encode()).status == 201
    assert look_up(client, code_of(one)).checked is not None
    login = f"Basic {b64encode(b'me:pw').decode()}"
    assert registry.logins == [
        f"http://registry.invalid/np/ {login}",
        f"http://registry.invalid/np/{code_of(one)} {login}",
    ]


@pytest.mark.usefixtures("trusted")
def test_through_a_tunnel(
    registry: StandIn, secure: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", registry.url.replace("http://", "http://me:pw@"))
    url = secure.url.replace("127.0.0.1", HOST)
    client = client_of(url)
    assert client.get(CODE).status == 404
    assert client.get(CODE).status == 404
    assert secure.gets[-2:] == [CODE, CODE]
    place = url.removeprefix("https://").rstrip("/")
    # Who we are is said to the proxy alone.
    assert registry.logins == [f"{place} Basic {b64encode(b'me:pw').decode()}"] * 2
    assert secure.logins == []


@pytest.mark.parametrize("is_closed", [True, False])
def test_proxies_that_do_not_help(
    registry: StandIn, monkeypatch: pytest.MonkeyPatch, is_closed: bool
) -> None:
    place = registry.url.rstrip("/") if is_closed else "http://127.0.0.1:1"
    registry.set(closed=True)
    monkeypatch.setenv("https_proxy", place)
    why = ": .*403 No tunnels here" if is_closed else ""
    with pytest.raises(RequestError, match=f"cannot connect to .* by the proxy {place}{why}; "):
        client_of(f"https://{HOST}/", tries=1000).get(CODE)
