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


def test_what_a_registry_lacks_is_a_finding(
    cli: Cli, registry: StandIn, signed: Path, tmp_path: Path
) -> None:
    listed = cli("nanopub", "check", "np", "--format", "csv").stdout
    name = next(word for word in listed.replace("\n", ",").split(",") if "/RA" in word)
    done = cli("nanopub", "fetch", name, "-o", "got", "--registry", registry.url)
    assert done.exit_code == 1
    assert "missing" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("publish", "np"), "registry"),
        (("publish", "np", "--registry", "nowhere"), "nowhere"),
        (("publish", "np", "--registry", "https://example.org/", "--timeout", "inf"), "--timeout"),
        (("fetch", "RA", "-o", "got", "--registry", "https://example.org/"), "RA"),
    ],
)
def test_what_is_refused_before_anything_is_sent(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    put_draft(tmp_path / "np" / "1.trig")
    done = cli("nanopub", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["np"]
