"""Fixtures of all tests that ask archives: real servers, and an empty engine of each kind."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from primad_ld.archive.engine import Engine
from support.servers import Server, oxigraph, virtuoso

_CREDENTIALS = ("TOKEN", "USER", "PASSWORD", "UPDATE_URL", "INSECURE")


def _binary(name: str) -> str:
    """A program in this environment or on the path; the test is skipped without it."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        if os.environ.get("PRIMAD_LD_REQUIRE_ALL"):
            pytest.fail(f"{name} is missing, and PRIMAD_LD_REQUIRE_ALL is set")
        pytest.skip(f"{name} is missing")
    return found


@pytest.fixture(scope="session")
def oxigraph_binary() -> str:
    """Where Oxigraph's server is."""
    return _binary("oxigraph")


@pytest.fixture(scope="session")
def openssl_binary() -> str:
    """Where OpenSSL is."""
    return _binary("openssl")


@pytest.fixture(scope="session")
def oxigraph_server(
    oxigraph_binary: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Oxigraph's server, which asks nobody who they are and gives a query two seconds."""
    folder = tmp_path_factory.mktemp("oxigraph")
    with oxigraph(oxigraph_binary, folder, "--timeout-s", "2") as server:
        yield server


@pytest.fixture(scope="session")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Virtuoso, where only its administrator may write."""
    binary, isql = _binary("virtuoso-t"), _binary("isql-vt")
    with virtuoso(binary, isql, tmp_path_factory.mktemp("virtuoso")) as server:
        yield server


@pytest.fixture(scope="session")
def virtuoso_graphs(virtuoso_server: Server) -> set[str]:
    """The graphs that Virtuoso has of its own."""
    return virtuoso_server.graphs()


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests, their credentials and proxies stay out of them."""
    for name in _CREDENTIALS:
        monkeypatch.delenv(f"PRIMAD_LD_{name}", raising=False)
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NETRC", os.devnull)


@pytest.fixture
def empty_oxigraph(nobody: None, oxigraph_server: Server) -> Server:
    """Oxigraph's server without any graphs."""
    oxigraph_server.do("DROP ALL")
    return oxigraph_server


@pytest.fixture
def empty_virtuoso(
    nobody: None,
    virtuoso_server: Server,
    virtuoso_graphs: set[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Server:
    """Virtuoso without any graphs but its own, and its password in the environment."""
    left = sorted(virtuoso_server.graphs() - virtuoso_graphs)
    for start in range(0, len(left), 50):
        some = left[start : start + 50]
        virtuoso_server.do(" ; ".join(f"CLEAR GRAPH <{name}>" for name in some))
    monkeypatch.setenv("PRIMAD_LD_USER", virtuoso_server.user)
    monkeypatch.setenv("PRIMAD_LD_PASSWORD", virtuoso_server.password)
    return virtuoso_server


@pytest.fixture(params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> Server:
    """Each server, empty; the environment says who we are."""
    found = request.getfixturevalue(f"empty_{request.param}")
    assert isinstance(found, Server)
    return found


@pytest.fixture(params=["embedded", "oxigraph", "virtuoso"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An empty engine of each kind."""
    found: Engine
    if request.param == "embedded":
        from primad_ld.archive.embedded_engine import EmbeddedEngine

        found = EmbeddedEngine.memory()
    else:
        from primad_ld.archive.remote_engine import RemoteEngine

        found = RemoteEngine.connect(request.getfixturevalue(f"empty_{request.param}").address)
    yield found
    found.close()
