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
    assert json.loads(done.stdout)["keys"][0]["bits"] == 2048
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
    signed = json.loads(done.stdout)["nanopublications"]
    after = json.loads(cli("nanopub", "check", "np", "--format", "json").stdout)
    assert [(row["uri"], row["state"]) for row in after["nanopublications"]] == [
        (row["uri"], "signed") for row in signed
    ]
