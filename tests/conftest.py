"""Fixtures that several rooms share: files, the command line, servers, and empty engines."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from support import COMPRESS, Cli, Put
from support.servers import Server, oxigraph, virtuoso

if TYPE_CHECKING:
    from click.testing import Result

    from primad_ld.archive.engine import Engine

# The same examples each time: a gate must not depend on luck. The other profile looks for new ones.
settings.register_profile(
    "default", deadline=None, print_blob=True, derandomize=True, max_examples=50
)
# Many examples of every property: HYPOTHESIS_PROFILE=thorough pytest
settings.register_profile("thorough", deadline=None, print_blob=True, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# A shell lets what it starts in the background ignore Ctrl-C, and so would what tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file below the test's folder, compressed as its suffix says."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(COMPRESS.get(path.suffix, COMPRESS[""])(data))
        return path

    return write


@functools.cache
def _command_of(app: Any) -> Any:
    """All commands, made once: making them takes longer than most of them take."""
    from typer.main import get_command

    return get_command(app)


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in the test's folder. No command ends with a traceback."""
    from typer.testing import CliRunner

    from primad_ld.cli import app

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("typer.testing._get_command", _command_of)

    def invoke(*arguments: object) -> Result:
        result = CliRunner().invoke(app, [str(one) for one in arguments])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code in (0, 1, 2), result.output
        return result

    return invoke


# Servers and engines -----------------------------------------------------------------------

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
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests, their credentials and proxies stay out of them."""
    for name in _CREDENTIALS:
        monkeypatch.delenv(f"PRIMAD_LD_{name}", raising=False)
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NETRC", os.devnull)


@pytest.fixture
def empty_oxigraph(oxigraph_server: Server) -> Server:
    """Oxigraph's server without any graphs."""
    oxigraph_server.do("DROP ALL")
    return oxigraph_server


@pytest.fixture
def empty_virtuoso(
    virtuoso_server: Server, virtuoso_graphs: set[str], monkeypatch: pytest.MonkeyPatch
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
        from primad_ld.archive.embedded import EmbeddedEngine

        found = EmbeddedEngine.memory()
    else:
        from primad_ld.archive.remote import RemoteEngine

        found = RemoteEngine.connect(request.getfixturevalue(f"empty_{request.param}").address)
    yield found
    found.close()
