"""Claims as people write them: in words, in files, and of attempts of replication tracks."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest
from support import ROOT, Cli, Put
from support.claim_samples import DOI, LEAST, NANOPUB, draft_of
from support.drafted import accepted, judged

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.nanopub.drafting.claim_input import (
    claim_of_words,
    parse_difference,
    parse_minutes,
    parse_target,
    parse_verdict,
    read_claim,
    whole_claim,
)
from primad_ld.nanopub.drafting.claims import Claim, Verdict, check_complete, merged
from primad_ld.nanopub.nanopub_folder import glance
from primad_ld.nanopub.nanopubs import nanopub_of
from primad_ld.nanopub.signing import Signer
from primad_ld.rdf.nanopub_statements import as_triples, read_statements

EXAMPLES = ROOT / "examples" / "replication"
SICI = "10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9"


# Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "iri"),
    [
        ("DOI: 10.1145/3477495.3531738", DOI),
        ("http://dx.doi.org/10.1145/3477495.3531738", DOI),
        (f" {DOI} ", DOI),
        (f"{NANOPUB}#assertion", f"{NANOPUB}#assertion"),  # a part of one
        (SICI, f"https://doi.org/{SICI.lower().replace('<', '%3C').replace('>', '%3E')}"),
        ("https://example.org/p.pdf#page=3", "https://example.org/p.pdf#page=3"),
        ("http://purl.org/nanopub/temp/run-1/", "http://purl.org/nanopub/temp/run-1/"),
    ],
)
def test_targets(word: str, iri: str) -> None:
    assert parse_target(word) == iri


NEITHER, NOT_A_DOI, NOT_A_NAME = "neither a DOI nor", "not a DOI", "not the name of a published"


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("Smith et al.", NEITHER),
        ("10.1145", NEITHER),
        ("arXiv:2204.05961", NEITHER),  # an IRI that leads nowhere
        ("file:///home/ada/paper.pdf", NEITHER),
        ("https://example.org/a b", NEITHER),
        ("https://doi.org/", NOT_A_DOI),
        ("http://dx.doi.org/abc", NOT_A_DOI),
        ("https://ada:hush@example.org/x", "the target holds a login in a URL"),
        ("https://example.org/x?token=abcdefgh", "the target holds a password or an access token"),
        ("https://w3id.org/np/RAfake", NOT_A_NAME),
        (f"{NANOPUB}x", NOT_A_NAME),  # a letter too many
        (NANOPUB.replace("/RA", "/ra"), NOT_A_NAME),
        ("http://purl.org/np/", NOT_A_NAME),
    ],
)
def test_what_is_no_target(word: str, why: str) -> None:
    with pytest.raises(PrimadError) as error:
        parse_target(word)
    assert why in str(error.value)
    assert "hush" not in str(error.value)


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("Not reproduced", Verdict.not_reproduced),
        ("not_reproduced", Verdict.not_reproduced),
        ("reproduced in part", Verdict.partly_reproduced),
    ],
)
def test_verdicts(word: str, verdict: Verdict) -> None:
    assert parse_verdict(word) is verdict


@pytest.mark.parametrize(
    ("word", "hint"), [("not-reprodced", "did you mean not-reproduced?"), ("no", "choose from")]
)
def test_what_is_no_verdict(word: str, hint: str) -> None:
    with pytest.raises(PrimadError) as error:
        parse_verdict(word)
    assert hint in str(error.value)


@pytest.mark.parametrize(
    ("words", "sides"),
    [
        ("platform=16 GB|256 GB", ("platform", "16 GB", "256 GB")),
        (" seed = a=1 | b|c ", ("seed", "a=1", "b|c")),  # only the first of each divides
    ],
)
def test_differences(words: str, sides: tuple[str, str, str]) -> None:
    assert astuple(parse_difference(words)) == sides


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("platform", "names no condition"),
        ("platform=16 GB", "is one side alone"),
        ("=a | b", "is missing"),
        ("platform=a |", "is missing"),
        ("platform= | b", "is missing"),
        ("platform=a | a", "is the same for both"),
        ("plat\x00form=a | b", "control characters"),
        (f"platform={'a' * 10_001} | b", "10,001 characters"),
    ],
)
def test_what_is_no_difference(words: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why):
        parse_difference(words)


@pytest.mark.parametrize("word", ["-1", "525601", "an hour", "nan"])
def test_what_is_no_time(word: str) -> None:
    with pytest.raises(PrimadError):
        parse_minutes(word)


@pytest.mark.parametrize("name", ["claim", "tag", "collection", "criterion", "attempt", "reason"])
def test_texts_that_nobody_could_read_are_refused(name: str) -> None:
    for text in ("a\x1bb", "\udcff", "x" * 10_001):
        with pytest.raises(PrimadError, match=f"the {name} "):
            claim_of_words({name: text})


def test_what_is_typed_is_tidied(signer: Signer) -> None:
    words = {"claim": " a\n b ", "attempt": " first \n\n  second  ", "target": [DOI, DOI]}
    tidy = Claim(claim="a b", attempt="first\n\nsecond", targets=(DOI,))
    assert claim_of_words(words | {"tag": "", "differs": None}) == tidy
    many = [f"c{number}=a | b" for number in range(101)]
    accepted(draft_of(merged(LEAST, claim_of_words({"differs": many[:100]}))), signer)
    with pytest.raises(PrimadError, match="101 conditions differ; 100 are the most"):
        claim_of_words({"differs": many})


# Files ------------------------------------------------------------------------------------


FULL = f"""\
target: [doi:10.1145/3477495.3531738, {NANOPUB}]
claim: query expansion raises AP by 10 %
tag: npl-bm25
collection: vaswani
verdict: Not reproduced
criterion: AP within 0.01
attempt: |
  the code of the authors
  at v1.0
reason: out of memory
minutes: 90
differs:
  platform: {{ours: 16 GB, theirs: 256 GB}}
  seed: 1 | 42
"""


def test_a_file_has_the_words_of_the_command_line(put: Put) -> None:
    found = read_claim(put("claim.yaml", FULL))
    words = {
        "target": [DOI, NANOPUB],
        "claim": "query expansion raises AP by 10 %",
        "tag": "npl-bm25",
        "collection": "vaswani",
        "verdict": "not-reproduced",
        "criterion": "AP within 0.01",
        "attempt": "the code of the authors\nat v1.0",
        "reason": "out of memory",
        "minutes": "90",
        "differs": ["platform=16 GB | 256 GB", "seed=1 | 42"],
    }
    assert found == (claim_of_words(words), None, "")
    check_complete(found[0])


@pytest.mark.parametrize(
    "text", ["differs: seed=1 | 42", "differs: ['seed=1 | 42']", "differs: {seed: 1 | 42}"]
)
def test_differences_in_a_file(put: Put, text: str) -> None:
    found, _, _ = read_claim(put("claim.yaml", text))
    assert found == claim_of_words({"differs": ["seed=1 | 42"]})


def test_what_is_typed_comes_before_the_file_and_the_file_before_the_track(put: Put) -> None:
    put("claims/garden.yaml", (EXAMPLES / "garden.yaml").read_text())
    path = put("claims/one.yaml", "track: garden.yaml\nof: 2\ntag: t\nreason: of the file\n")
    assert read_claim(path)[1:] == (path.parent / "garden.yaml", "2")  # beside it
    claim, remarks = whole_claim(Claim(tag="typed"), path)
    assert (claim.tag, claim.reason, claim.system) == ("typed", "of the file", "orchard")
    assert [remark.partition(":")[0] for remark in remarks] == ["tag", "reason"]
    assert whole_claim(Claim(), path, of="1")[0].system == "greenhouse"


@pytest.mark.parametrize(
    ("text", "line", "field", "why"),
    [
        ("tag: a\nverdct: x\n", 2, "verdct", "did you mean verdict?"),
        ("tag: a\nschemes: []\n", 2, "schemes", "unknown key"),
        ("tag: a\ntarget: nothing\n", 2, "target", NEITHER),
        ("tag: a\nverdict: maybe\n", 2, "verdict", "unknown verdict"),
        ("tag: a\nminutes: 1,5\n", 2, "minutes", "write a point"),
        ("tag: a\nminutes: -1\n", 2, "minutes", "minutes cannot be"),
        ("tag: a\ndiffers: {platform: a}\n", 2, "differs", "one side alone"),
        ("differs: {platform: {our: a}}\n", 1, "differs.platform.our", "write ours and theirs"),
        ("differs: {platform: {ours: a}}\n", 1, "differs", "is missing"),
        ("differs: {platform: [a, b]}\n", 1, "differs.platform", ""),
        ("tag: a\ntarget: {a: b}\n", 2, "target", ""),
        ("target: [[a]]\n", 1, "target[1]", ""),
        ("claim: [a]\n", 1, "claim", ""),
        ("tag: a\ntag: b\n", 2, "", ""),
        ("track: {title: t}\nsystems: []\n", 1, "", "this is a replication track"),
        ("", None, "", "the file is empty"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(
    put: Put, text: str, line: int | None, field: str, why: str
) -> None:
    path = put("claim.yaml", text)
    with pytest.raises(HeaderError) as error:
        read_claim(path)
    assert (str(error.value.file), error.value.line) == (str(path), line)
    assert field in error.value.field
    assert why in str(error.value)


def test_a_claim_that_leaves_something_open_is_refused(put: Put) -> None:
    path = put("claim.yaml", "tag: a\n")
    with pytest.raises(HeaderError, match="does not say what came of it") as error:
        whole_claim(Claim(), path)
    assert error.value.file == path
    with pytest.raises(PrimadError, match="is an attempt of which track"):
        whole_claim(LEAST, of="2")
    with pytest.raises(PrimadError, match="the verdict is reproduced, but by the track"):
        whole_claim(Claim(verdict=Verdict.reproduced), track=EXAMPLES / "clef2016.yaml", of="5")


# On the command line ----------------------------------------------------------------------


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
        "note: left out: reason: an email address",
        "note: left out: reason: a local path",
    ]
    assert '"reason: an email address"' in done.stdout
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
        ((*WORDS, "-o", "no/folder/claim.trig"), "the folder no/folder does not exist"),
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
