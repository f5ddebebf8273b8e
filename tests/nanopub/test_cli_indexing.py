"""The command nanopub index: what is printed, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli
from support.things import put_signed, read_index

from primad_ld.nanopub.signing import Signer


@pytest.fixture
def np(tmp_path: Path, signer: Signer) -> Path:
    """Five nanopublications."""
    for number in range(5):
        put_signed(tmp_path / "np" / f"{number}.trig", signer, number)
    return tmp_path / "np"


def test_from_drafts_to_a_signed_index(cli: Cli, np: Path, key_file: Path) -> None:
    done = cli("nanopub", "index", "np/", "-o", "index.trig", "--title", "Mine")
    assert done.exit_code == 0, done.stderr
    found = read_index(Path("index.trig"))
    verdict, _, head, row = done.stdout.splitlines()
    assert head.split() == ["file", "draft", "elements", "sub-indexes"]
    assert row.split() == ["index.trig", found.uri, "5", "0"]
    assert (verdict, done.stderr) == ("5 listed; sign this file next", "")
    who = ("--orcid", "0000-0002-1825-0097", "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", "index.trig", *who, "-q").exit_code == 0
    assert cli("nanopub", "check", "--strict", "index.trig").exit_code == 0
    again = cli(
        "nanopub", "index", "np", "index.trig", "-o", "all.trig", "--subindex", "index.trig"
    )
    assert again.exit_code == 0, again.stderr
    assert read_index(Path("all.trig")).subindexes == (read_index(Path("index.trig")).uri,)


def test_json_says_the_same(cli: Cli, np: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad_ld.nanopub.drafting.nanopub_indexes.MOST_ELEMENTS", 3)
    done = cli("nanopub", "index", np, "-o", "index.trig", "--format", "json", "-q")
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert (said["elements"], said["subindexes"], said["left_out"]) == (5, 0, 0)
    assert [(one["file"], one["elements"], one["subindexes"]) for one in said["files"]] == [
        ("index-1.trig", 3, 0),
        ("index-2.trig", 2, 0),
        ("index.trig", 0, 2),
    ]
    assert said["files"][2]["draft"] == read_index(Path("index.trig")).uri
    first = {one: one.read_bytes() for one in Path().glob("*.trig")}
    again = cli("nanopub", "index", np, "-o", "index.trig", "-f", "json", "-q", "--force")
    assert again.stdout == done.stdout
    assert {one: one.read_bytes() for one in Path().glob("*.trig")} == first


def test_what_people_are_told(cli: Cli, np: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad_ld.nanopub.drafting.nanopub_indexes.MOST_ELEMENTS", 3)
    (np / "copy.trig").write_bytes((np / "0.trig").read_bytes())
    for name in ("index-7.trig", "index-8.trig"):
        Path(name).touch()
    cli("nanopub", "index", "np/0.trig", "-o", "np/index.trig")
    done = cli("nanopub", "index", "np", "-o", "index.trig")
    assert done.stderr.splitlines() == [
        "warning: index-7.trig and 1 more may be left from an earlier index; not part of this one",
        "note: 1 left out: an index is listed only by --subindex",
        "note: 1 more than once among the files",
    ]
    assert done.stdout.startswith("5 listed; sign these files together next\n")
