"""Fixtures of the tests about nanopublications: a throw-away key, and a home without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT
from support.registries import StandIn, running_registry

from primad_ld.nanopub.keys import VARIABLE, generate_key, load_signer, private_text
from primad_ld.nanopub.signing import Signer


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for each test: the keys of whoever runs the tests are out of reach."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    return folder


@pytest.fixture(scope="session")
def key_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a key that is as new as the tests are."""
    path = tmp_path_factory.mktemp("key") / "id_rsa"
    path.touch(mode=0o600)
    path.write_bytes(private_text(generate_key()))
    return path


@pytest.fixture(scope="session")
def signer(key_file: Path) -> Signer:
    """Somebody who signs with it, always at the same time."""
    return load_signer(
        key=key_file,
        orcid="0000-0002-1825-0097",
        license="cc-by",
        created="2026-03-01T12:00:00Z",
    )


@pytest.fixture(scope="session")
def running() -> Iterator[StandIn]:
    """A registry that runs as long as the tests; it is `registry` that they use."""
    with running_registry() as found:
        yield found


@pytest.fixture
def registry(running: StandIn) -> Iterator[StandIn]:
    """An empty registry without faults, in a process of its own."""
    running.reset()
    yield running
    running.reset()


@pytest.fixture(scope="session")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of the example's runs with scores, assessments, measurements and precision."""
    pytest.importorskip("pytrec_eval", reason="pytrec_eval is missing")
    from typer.testing import CliRunner

    from primad_ld.cli import app

    archive = tmp_path_factory.mktemp("garden") / "archive"
    runs, qrels = ROOT / "examples" / "garden" / "runs", ROOT / "examples" / "garden" / "qrels.txt"
    first, where = ("--reference", "greenhouse-bm25"), ("--archive", archive)
    for arguments in (
        ("load", runs, *where),
        ("score", runs, "--qrels", qrels, *where, "-m", "map,P_5"),
        ("evaluate", first[1], *where, "--runs-in", runs, "--qrels", qrels, "-m", "rmse,ktu,er"),
        ("qra", *where, *first, "--measure", "map"),
    ):
        result = CliRunner().invoke(app, [*map(str, arguments), "--quiet"])
        assert result.exit_code == 0, result.output
    return archive
