"""The command nanopub claim: from words, from a file, of an attempt; and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT, Cli, Put
from support.drafted import judged

from primad_ld.nanopub.nanopub_folder import glance
from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.rdf.nanopub_statements import as_triples, read_statements

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"
WORDS = (
    "--target", "doi:10.1145/3477495.3531738",
    "--verdict", "not-reproduced",
    "--criterion", "AP within 0.01",
    "--attempt", "the code of the authors at v1.0",
)  # fmt: skip
FILE = """\
target: 10.1145/3477495.3531738
verdict: not reproduced
criterion: AP within 0.01
attempt: the code of the authors at v1.0
"""


def test_words_and_a_file_become_the_same_draft(cli: Cli, put: Put, tmp_path: Path) -> None:
    done = cli("nanopub", "claim", *WORDS, "-o", "claim.trig")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "note: claim.trig is a draft; sign it next\n"
    path = tmp_path / "claim.trig"
    assert glance(path).is_draft
    nanopub = nanopub_of(read_statements(path))
    assert judged(as_triples(nanopub.graph(nanopub.assertion))) == []
    assert path.read_text() == cli("nanopub", "claim", put("claim.yaml", FILE)).stdout


def test_an_attempt_of_a_track_and_what_takes_the_place_of_its_words(cli: Cli, put: Put) -> None:
    put("garden.yaml", GARDEN.read_text() + "analyst_nots: x\n")
    path = put("claim.yaml", "attempt: another study\n")
    words = ("--track", "garden.yaml", "--of", "5", "--minutes", "20", path)
    done = cli("nanopub", "claim", *words)
    assert done.exit_code == 0
    assert "scheme:verdict-not_reproduced" in done.stdout
    assert '"20"^^xsd:decimal' in done.stdout
    doubt, *remarks, last = done.stderr.splitlines()
    assert "analyst_nots: this key is only kept" in doubt
    assert [one.split(": ")[1] for one in remarks] == ["attempt", "minutes"]
    assert last == "note: this is a draft; sign it next"
    assert cli("nanopub", "claim", *words, "--quiet").stderr == ""


def test_everything_that_can_be_typed(cli: Cli) -> None:
    done = cli(
        "nanopub", "claim", *WORDS, "--claim", "it works", "--tag", "t", "--collection", "c",
        "--reason", "no data", "--minutes", "30", "--differs", "platform=a | b",
        "--differs", "seed=1 | 2", "--target", "https://example.org/p.pdf",
        "--base", "https://example.org/id/",
    )  # fmt: skip
    assert done.exit_code == 0
    for words in (
        'primad:claimText "it works"', 'primad:concernsTag "t"', 'primad:concernsCollection "c"',
        'primad:stopReason "no data"', "<https://example.org/p.pdf>", "primad:Platform", '"seed"',
        "<https://example.org/id/claim/",
    ):  # fmt: skip
        assert words in done.stdout


def test_what_is_left_out_is_told(cli: Cli) -> None:
    words = ("--reason", "ada@example.org has no time; see /home/ada/log.txt")
    done = cli("nanopub", "claim", *WORDS, *words)
    assert "ada" not in done.stdout + done.stderr
    assert done.stderr.splitlines()[:2] == [
        "note: left out: reason: a mail address",
        "note: left out: reason: a path of one machine",
    ]
    assert 'primad:leftOut "reason: a mail address"' in done.stdout
    kept = cli("nanopub", "claim", *WORDS, *words, "--keep", "mail")
    assert "ada@example.org has no time; see log.txt" in kept.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (WORDS[2:], "the claim does not say what was to be reproduced"),
        ((*WORDS, "--target", "nowhere"), "neither a DOI nor an address"),
        ((*WORDS, "--track", GARDEN), "there are several attempts; say of which: 1 (greenhouse"),
        ((*WORDS, "--track", "none.yaml"), "none.yaml: no such file or directory"),
        ((*WORDS, "--keep", "secrets"), "secrets"),
        (("none.yaml",), "none.yaml: no such file or directory"),
        ((GARDEN,), "this is a replication track"),
        ((*WORDS, "-o", "claim.ttl"), "no format has the suffix .ttl"),
        ((*WORDS, "-o", "no/folder/claim.trig"), "no such file or directory"),
    ],
)
def test_what_goes_wrong(cli: Cli, tmp_path: Path, arguments: tuple[object, ...], why: str) -> None:
    done = cli("nanopub", "claim", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in " ".join(done.stderr.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_a_signed_claim_stays(cli: Cli, tmp_path: Path, key_file: Path) -> None:
    """It cannot be made again: its signature has a time."""
    path = tmp_path / "claim.trig"
    cli("nanopub", "claim", *WORDS, "-o", path)
    orcid = ("--orcid", "0000-0002-1825-0097", "--license", "cc-by", "--key", key_file)
    assert cli("nanopub", "sign", path, *orcid).exit_code == 0
    signed = path.read_bytes()
    done = cli("nanopub", "claim", *WORDS, "--tag", "a", "-o", path, "--force")
    assert (done.exit_code, path.read_bytes()) == (2, signed)
    assert cli("nanopub", "check", path, "--strict").exit_code == 0
    # Other forms than those of drafts are written nowhere else.
    assert cli("nanopub", "claim", *WORDS, "--format", "json", "-o", "x.json").exit_code == 0
