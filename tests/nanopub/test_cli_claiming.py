"""The command nanopub claim: from words, from a file, of an attempt; and what goes wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, Cli, Put
from support.drafted import judged

from primad_ld.nanopub.nanopub_folder import glance
from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.rdf.nanopub_statements import as_triples, read_statements

GARDEN = ROOT / "examples" / "replication" / "garden.yaml"
CLEF = GARDEN.with_name("clef2016.yaml")
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


def assertion_of(path: Path) -> str:
    nanopub = nanopub_of(read_statements(path))
    return as_triples(nanopub.graph(nanopub.assertion))


def test_words_become_a_draft(cli: Cli, tmp_path: Path) -> None:
    done = cli("nanopub", "claim", *WORDS, "-o", "claim.trig")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "note: claim.trig is a draft; sign it next\n"
    path = tmp_path / "claim.trig"
    assert glance(path).is_draft
    assert judged(assertion_of(path)) == []
    assert "<https://doi.org/10.1145/3477495.3531738>" in path.read_text()


def test_a_file_says_the_same(cli: Cli, put: Put) -> None:
    path = put("claim.yaml", FILE)
    from_file = cli("nanopub", "claim", path).stdout
    assert (
        from_file == cli("nanopub", "claim", *WORDS).stdout == cli("nanopub", "claim", path).stdout
    )
    assert from_file.startswith("@prefix this:")


def test_options_go_before_the_file_and_the_file_before_the_track(cli: Cli, put: Put) -> None:
    put("garden.yaml", GARDEN.read_text())
    path = put("claim.yaml", "track: garden.yaml\nof: orchard/A\nreason: of the file\ntag: a\n")
    trig = cli("nanopub", "claim", path, "--tag", "b").stdout
    assert 'primad:concernsTag "b"' in trig
    assert 'primad:stopReason "of the file"' in trig
    assert "scheme:verdict-stopped" in trig
    assert 'primad:localIdentifier "orchard"' in trig


def test_an_attempt_of_a_track_is_a_claim_by_itself(cli: Cli) -> None:
    done = cli("nanopub", "claim", "--track", GARDEN, "--of", "5", "--minutes", "20")
    assert done.exit_code == 0
    assert "scheme:verdict-not_reproduced" in done.stdout
    assert '"20"^^xsd:decimal' in done.stdout
    assert '"15"^^xsd:decimal' not in done.stdout


def test_what_takes_the_place_of_the_tracks_is_told(cli: Cli, put: Put) -> None:
    put("garden.yaml", GARDEN.read_text())
    path = put("claim.yaml", "attempt: another study\nverdict: not reproduced\n")
    words = ("nanopub", "claim", "--track", "garden.yaml", "--of", "1", "--tag", "mine", path)
    done = cli(*words)
    assert done.exit_code == 0
    tag, verdict, attempt, last = done.stderr.splitlines()
    assert tag == "note: tag: 'mine' takes the place of the track's 'greenhouse'"
    assert verdict == "note: verdict: not-reproduced takes the place of the track's reproduced"
    assert attempt.startswith("note: attempt: 'another study' takes the place of the track's")
    assert last == "note: this is a draft; sign it next"
    assert cli(*words, "--quiet").stderr == ""


def test_doubts_about_the_track_are_shown(cli: Cli, put: Put) -> None:
    put("garden.yaml", GARDEN.read_text() + "analyst_nots: x\n")
    done = cli("nanopub", "claim", "--track", "garden.yaml", "--of", "1")
    assert done.exit_code == 0
    doubt = cli("replication", "garden.yaml").stderr.removeprefix("note: ")
    assert "analyst_nots: this key is only kept" in doubt
    assert done.stderr.startswith(f"note: {doubt}")


def test_a_claim_that_others_will_not_find(cli: Cli) -> None:
    words = ("--claim", "BM25 beats QL", *WORDS[2:])
    done = cli("nanopub", "claim", *words)
    assert done.exit_code == 0
    assert done.stderr.startswith(
        "note: others will not find it by publication, tag or collection; add "
    )
    assert "others will" not in cli("nanopub", "claim", *words, "--collection", "vaswani").stderr


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
    kept = cli("nanopub", "claim", *WORDS, *words, "--keep", "mail")
    assert "ada@example.org has no time; see log.txt" in kept.stdout
    assert cli("nanopub", "claim", *WORDS, *words, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "the claim does not say what was to be reproduced"),
        (WORDS[2:], "the claim does not say what was to be reproduced"),
        (WORDS[:2] + WORDS[4:], "the claim does not say what came of it"),
        (WORDS[:4] + WORDS[6:], "what would have counted as reproduced (criterion)"),
        (WORDS[:6], "what was done (attempt)"),
        ((*WORDS[:2], "--verdict", "dunno", *WORDS[4:]), "is no verdict"),
        ((*WORDS, "--target", "nowhere"), "neither a DOI nor an address"),
        ((*WORDS, "--differs", "platform"), "names no condition"),
        ((*WORDS, "--minutes", "long"), "is no number"),
        ((*WORDS, "--reason", "a\x1b[2Jb"), "control characters"),
        ((*WORDS, "--track", GARDEN), "there are several attempts; say of which: 1 (greenhouse"),
        ((*WORDS, "--track", GARDEN, "--of", "9"), "garden.yaml: attempts: there is no attempt 9"),
        (
            ("--track", CLEF, "--of", "5", "--verdict", "reproduced"),
            "the verdict is reproduced, but by the track the outcome of this attempt is no result",
        ),
        ((*WORDS, "--target", "https://w3id.org/np/RAfake"), "is no name of a published nanopub"),
        ((*WORDS, "--track", "none.yaml"), "none.yaml: no such file or directory"),
        ((*WORDS, "--keep", "secrets"), "secrets"),
        (("none.yaml",), "none.yaml: no such file or directory"),
        ((GARDEN,), "this is a replication track, and no claim; name it by --track"),
        ((*WORDS, "-o", "claim.ttl"), "no format has the suffix .ttl"),
        ((*WORDS, "-o", "no/folder/claim.trig"), "no such file or directory"),
    ],
)  # fmt: skip
def test_what_goes_wrong(cli: Cli, tmp_path: Path, arguments: tuple[object, ...], why: str) -> None:
    done = cli("nanopub", "claim", *arguments)
    assert done.exit_code == 2
    assert why in " ".join(done.stderr.replace("│", " ").split())
    assert done.stdout == ""
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
    assert "is signed already; name another file" in done.stderr
    assert cli("nanopub", "check", path, "--strict").exit_code == 0


def test_it_starts_without_what_it_does_not_need() -> None:
    code = (
        "import sys, primad_ld.cli; from typer.testing import CliRunner;"
        "assert CliRunner().invoke(primad_ld.cli.app, ['nanopub', 'claim', '--help']).exit_code == 0;"
        "found = {'rdflib', 'pyoxigraph', 'cryptography', 'numpy', 'pyshacl'} & set(sys.modules);"
        "assert not found, found"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
