"""The commands publish and fetch: to a registry and back, and what is refused before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import Cli
from support.registries import StandIn, running_registry
from support.things import put_draft

ORCID = ("--orcid", "0000-0002-1825-0097", "--license", "cc-by", "--key", "id_rsa")


@pytest.fixture
def registry() -> Iterator[StandIn]:
    """An empty registry in a process of its own."""
    with running_registry() as found:
        yield found


@pytest.fixture
def signed(cli: Cli, tmp_path: Path) -> Path:
    """A folder with two nanopublications that are signed with a new key."""
    for number in (1, 2):
        put_draft(tmp_path / "np" / f"{number}.trig", number)
    assert cli("nanopub", "keys", "new", "--key", "id_rsa").exit_code == 0
    assert cli("nanopub", "sign", "np", *ORCID).exit_code == 0
    return tmp_path / "np"


def test_what_is_published_can_be_fetched(
    cli: Cli, registry: StandIn, signed: Path, tmp_path: Path
) -> None:
    where = ("--registry", registry.url)
    done = cli("nanopub", "publish", "np", *where, "--format", "csv")
    assert done.exit_code == 0, done.stderr
    names = [word for line in done.stdout.splitlines() for word in line.split(",") if "/RA" in word]
    assert len(names) == 2
    got = cli("nanopub", "fetch", names[0], "-o", "got", *where)
    assert got.exit_code == 0, got.stderr
    (path,) = (tmp_path / "got").iterdir()
    assert cli("nanopub", "check", path).exit_code == 0
