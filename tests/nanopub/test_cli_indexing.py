"""The command nanopub index: what is printed, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli
from support.things import put_draft, put_signed

from primad_ld.nanopub.drafting.nanopub_indexes import read_index
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


def test_what_holds_no_longer_is_told(cli: Cli, np: Path, key_file: Path) -> None:
    who = ("--orcid", "0000-0002-1825-0097")
    cli("nanopub", "retract", "np/0.trig", *who, "-o", "np/retraction.trig")
    signing = ("--key", key_file, *who, "--license", "cc-by")
    assert cli("nanopub", "sign", "np/retraction.trig", *signing).exit_code == 0
    done = cli("nanopub", "index", np, "-o", "index.trig", "-f", "json")
    assert json.loads(done.stdout)["superseded_or_retracted"] == 1
    assert json.loads(done.stdout)["notes"] == ["1 left out: superseded or retracted"]


def test_problems_are_one_line(cli: Cli, np: Path, tmp_path: Path) -> None:
    put_draft(np / "odd.trig")
    done = cli("nanopub", "index", "np", "-o", "index.trig")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: np/odd.trig: this is a draft; sign first, with primad-ld nanopub sign: "
        "an index lists names that hold a digest\n"
    )
    assert not (tmp_path / "index.trig").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["-o", "index.trig"], "error: there is nothing to index\n"),
        (["nowhere", "-o", "index.trig"], "error: nowhere: there is no such file or folder\n"),
        (["np", "-o", "np"], "error: np: name a file that ends with .trig; its parts lie beside\n"),
        (
            ["np", "-o", "np/0.trig"],
            "error: np/0.trig already exists; use --force (force=True in Python) to overwrite it\n",
        ),
        (
            ["np", "-o", "np/0.trig", "--force"],
            "error: np/0.trig is to be listed, not to be replaced; name another file\n",
        ),
        (
            ["-o", "index.trig", "--subindex", "np/0.trig"],
            "error: np/0.trig: no index: its publication info does not call it one; "
            "only indexes can be sub-indexes\n",
        ),
    ],
)
def test_arguments_that_make_no_sense(cli: Cli, np: Path, arguments: list[str], why: str) -> None:
    done = cli("nanopub", "index", *arguments)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", why)
