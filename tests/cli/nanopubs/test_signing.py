"""The commands sign, check and keys: from a new key to drafts that are signed and found good."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli
from support.things import put_draft

ORCID = ("--orcid", "0000-0002-1825-0097")


@pytest.fixture
def key(cli: Cli, tmp_path: Path) -> Path:
    """A new key in the test's folder."""
    done = cli("nanopub", "keys", "new", "--key", "id_rsa", "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["bits"] == 2048
    return tmp_path / "id_rsa"


@pytest.fixture
def drafts(tmp_path: Path) -> Path:
    for number in (1, 2):
        put_draft(tmp_path / "np" / f"{number}.trig", number)
    return tmp_path / "np"


def test_drafts_are_signed_and_found_good(cli: Cli, key: Path, drafts: Path) -> None:
    before = cli("nanopub", "check", "np", "--format", "csv")
    assert (before.exit_code, before.stdout.count(",plain,")) == (0, 2)
    done = cli("nanopub", "sign", "np", *ORCID, "--license", "cc-by", "--key", key, "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert "2 signed" in done.stderr
    names = {one["uri"] for one in json.loads(done.stdout)}
    assert len(names) == 2
    after = cli("nanopub", "check", "np", "--format", "csv")
    assert (after.exit_code, after.stdout.count(",signed,")) == (0, 2)
    again = cli("nanopub", "sign", "np", *ORCID, "--license", "cc-by", "--key", key)
    assert "0 signed, 2 signed before" in again.stderr
    found = json.loads(cli("nanopub", "check", "np", "--format", "json").stdout)
    assert all(name in json.dumps(found) for name in names)


def test_what_was_changed_is_found(cli: Cli, key: Path, drafts: Path) -> None:
    cli("nanopub", "sign", "np", *ORCID, "--license", "cc-by", "--key", key)
    path = drafts / "1.trig"
    text = path.read_text(encoding="utf-8")
    assert "creativecommons.org/licenses/by" in text
    path.write_text(
        text.replace("creativecommons.org/licenses/by", "creativecommons.org/licenses/no")
    )
    done = cli("nanopub", "check", "np", "--format", "csv")
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == 3


def test_the_public_half_is_shown_alone(cli: Cli, key: Path) -> None:
    shown = cli("nanopub", "keys", "show", "--key", key)
    assert shown.exit_code == 0
    private = key.read_text().splitlines()
    assert not any(line in shown.output for line in private if len(line) > 20)
    assert json.loads(cli("nanopub", "keys", "show", "--key", key, "-f", "json").stdout)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "add --orcid with your ORCID"),
        ((*ORCID, "-o", "x.txt"), "drafts are TriG; name a file that ends with .trig"),
    ],
)
def test_what_an_introduction_needs(
    cli: Cli, key: Path, options: tuple[str, ...], why: str
) -> None:
    done = cli("nanopub", "keys", "show", "--introduction", "--key", key, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr
