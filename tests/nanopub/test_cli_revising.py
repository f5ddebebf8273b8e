"""The commands nanopub supersede and nanopub retract: what is printed, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import Cli
from support.things import put_draft, put_signed, uri_of

from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_statements import parse_statements
from primad_ld.rdf.nanopub_terms import RETRACTS, SUPERSEDES

ORCID = "0000-0002-1825-0097"


def said(text: str, predicate: str) -> list[str]:
    found = nanopub_of(parse_statements(text.encode(), ".trig", "test"))
    return [one.value.value for one in found.statements if one.predicate == predicate]


@pytest.fixture
def old(tmp_path: Path, signer: Signer) -> str:
    """Something published, in old.trig."""
    return put_signed(tmp_path / "old.trig", signer)


def test_supersede_sign_and_check(cli: Cli, old: str, tmp_path: Path, key_file: Path) -> None:
    put_draft(tmp_path / "new.trig", 2)
    done = cli("nanopub", "supersede", "old.trig", "new.trig")
    assert (done.exit_code, done.stderr) == (
        0,
        f"note: registries mark {old} as superseded only if the key that signed it "
        f"(https://orcid.org/{ORCID}) signs this\n",
    )
    assert done.stdout.startswith(f"new.trig supersedes {old}; sign it next\n")
    again = cli("nanopub", "supersede", old, "new.trig", "-f", "json")
    assert again.exit_code == 0
    record = json.loads(again.stdout)
    assert (record["old"], record["is_new"]) == (old, False)
    assert record["drafts"][0]["supersedes"] == [old]
    who = ("--orcid", ORCID, "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", "new.trig", *who).exit_code == 0
    assert cli("nanopub", "check", "--strict", "new.trig").exit_code == 0
    assert said(Path("new.trig").read_text(), SUPERSEDES) == [old]


def test_supersede_to_standard_output(cli: Cli, old: str, tmp_path: Path) -> None:
    new = put_draft(tmp_path / "new.trig", 2)
    before = new.read_bytes()
    done = cli("nanopub", "supersede", old, "new.trig", "-f", "trig", "-q")
    assert (done.exit_code, done.stderr) == (0, "")
    assert said(done.stdout, SUPERSEDES) == [old]
    assert new.read_bytes() == before
    both = cli("nanopub", "supersede", old, "new.trig", "-f", "trig", "-o", "x.trig")
    assert (both.exit_code, both.stdout) == (2, "")


def test_retract_sign_and_check(cli: Cli, old: str, tmp_path: Path, key_file: Path) -> None:
    options = ("--orcid", ORCID, "--reason", "wrong baseline")
    done = cli("nanopub", "retract", "old.trig", *options, "-o", "r.trig")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith("note: r.trig is a draft; sign it next\n")
    printed = cli("nanopub", "retract", "old.trig", *options, "-q")
    assert (printed.stdout, printed.stderr) == (Path("r.trig").read_text(), "")
    assert said(printed.stdout, RETRACTS) == [old]
    who = ("--orcid", ORCID, "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", "r.trig", *who).exit_code == 0
    assert cli("nanopub", "check", "--strict", "r.trig").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (
            ["supersede", "old.trig", "old.trig"],
            "old.trig: the old and the new one are the same file",
        ),
        (["supersede", uri_of(1), "nowhere.trig"], "nowhere.trig: no such file or directory"),
        (
            ["supersede", uri_of(1), "new.trig", "-o", "old.trig"],
            "old.trig exists; say --force to replace it",
        ),
        (
            ["retract", uri_of(1), "--orcid", ORCID, "-o", "old.trig"],
            "old.trig exists; say --force to replace it",
        ),
        (["retract", ".", "--orcid", ORCID], ".: is a directory"),
        (["retract", "x" * 5000, "--orcid", ORCID], "file name too long"),
    ],
)
def test_problems_are_one_line(
    cli: Cli, old: str, tmp_path: Path, arguments: list[str], why: str
) -> None:
    put_draft(tmp_path / "draft.trig")
    put_draft(tmp_path / "new.trig", 2)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    done = cli("nanopub", *arguments)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error: ")
    assert why in done.stderr
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
