"""Claims as people write them: in words, in files, and of attempts of replication tracks."""

from __future__ import annotations

import pytest
from support import ROOT, Put
from support.claim_samples import DOI, LEAST, NANOPUB, draft_of
from support.drafted import accepted

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.nanopub.drafting.claim_input import (
    Given,
    claim_of_words,
    parse_difference,
    parse_minutes,
    parse_target,
    parse_verdict,
    read_claim,
    whole_claim,
)
from primad_ld.nanopub.drafting.claims import (
    Claim,
    Verdict,
    check_complete,
    merged,
)
from primad_ld.nanopub.signing import Signer

EXAMPLES = ROOT / "examples" / "replication"
SICI = "10.1002/(SICI)1097-4571(199009)41:6<391::AID-ASI1>3.0.CO;2-9"


# Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "iri"),
    [
        ("10.1145/3477495.3531738", DOI),
        ("doi:10.1145/3477495.3531738", DOI),
        ("DOI: 10.1145/3477495.3531738", DOI),
        ("http://dx.doi.org/10.1145/3477495.3531738", DOI),
        (f" {DOI} ", DOI),
        (NANOPUB, NANOPUB),
        (f"{NANOPUB}#assertion", f"{NANOPUB}#assertion"),  # a part of one
        (SICI, f"https://doi.org/{SICI.lower().replace('<', '%3C').replace('>', '%3E')}"),
        ("https://example.org/p.pdf#page=3", "https://example.org/p.pdf#page=3"),
        ("http://purl.org/nanopub/temp/run-1/", "http://purl.org/nanopub/temp/run-1/"),
    ],
)
def test_targets(word: str, iri: str) -> None:
    assert parse_target(word) == iri


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("", "neither a DOI nor an address"),
        ("Smith et al.", "neither a DOI nor an address"),
        ("10.1145", "neither a DOI nor an address"),
        ("arXiv:2204.05961", "neither a DOI nor an address"),  # an IRI that leads nowhere
        ("file:///home/ada/paper.pdf", "neither a DOI nor an address"),
        ("mailto:ada@example.org", "neither a DOI nor an address"),
        ("https://doi.org/", "is no DOI"),
        ("https://doi.org/11.1/x", "is no DOI"),
        ("http://dx.doi.org/abc", "is no DOI"),
        ("https://ada:hush@example.org/x", "the target holds a login in an address"),
        ("https://example.org/x?token=abcdefgh", "the target holds a password or an access token"),
        ("https://w3id.org/np/RAfake", "is no name of a published nanopublication"),
        (f"{NANOPUB}x", "is no name of a published nanopublication"),  # a letter too many
        (NANOPUB.replace("/RA", "/ra"), "is no name of a published nanopublication"),
        ("http://purl.org/np/", "is no name of a published nanopublication"),
        ("https://example.org/a b", "neither a DOI nor an address"),
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
        ("not-reproduced", Verdict.not_reproduced),
        ("Not reproduced", Verdict.not_reproduced),
        ("not_reproduced", Verdict.not_reproduced),
        ("reproduced in part", Verdict.partly_reproduced),
        ("could not be attempted", Verdict.not_attempted),
    ],
)
def test_verdicts(word: str, verdict: Verdict) -> None:
    assert parse_verdict(word) is verdict


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("not-reprodced", "do you mean not-reproduced?"),
        ("no", "it is one of reproduced, partly-reproduced"),
        ("\x00", "it is one of reproduced"),
    ],
)
def test_what_is_no_verdict(word: str, why: str) -> None:
    with pytest.raises(PrimadError) as error:
        parse_verdict(word)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("words", "sides"),
    [
        ("platform=16 GB | 256 GB", ("platform", "16 GB", "256 GB")),
        ("platform=16 GB|256 GB", ("platform", "16 GB", "256 GB")),
        (" seed = a=1 | b|c ", ("seed", "a=1", "b|c")),  # only the first of each divides
    ],
)
def test_differences(words: str, sides: tuple[str, str, str]) -> None:
    found = parse_difference(words)
    assert (found.condition, found.ours, found.theirs) == sides


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("platform", "names no condition"),
        ("platform=16 GB", "is one side alone"),
        ("=a | b", "a name or a value of a condition is missing"),
        ("platform=a |", "a name or a value of a condition is missing"),
        ("platform= | b", "a name or a value of a condition is missing"),
        ("platform=a | a", "is the same for both"),
        ("plat\x00form=a | b", "control characters"),
        ("platform=\udcff | b", "bytes that are no text"),
        (f"platform={'a' * 10_001} | b", "10,001 characters"),
    ],
)
def test_what_is_no_difference(words: str, why: str) -> None:
    with pytest.raises(PrimadError) as error:
        parse_difference(words)
    assert why in str(error.value)


@pytest.mark.parametrize("word", ["-1", "525601", "an hour", "1e99", "nan", ""])
def test_what_is_no_time(word: str) -> None:
    with pytest.raises(PrimadError):
        parse_minutes(word)


@pytest.mark.parametrize("name", ["claim", "tag", "collection", "criterion", "attempt", "reason"])
@pytest.mark.parametrize("text", ["a\x1bb", "\udcff", "x" * 10_001])
def test_texts_that_nobody_could_read_are_refused(name: str, text: str) -> None:
    with pytest.raises(PrimadError, match=f"the {name} "):
        claim_of_words(**{name: text})


def test_what_is_typed_is_tidied() -> None:
    words = claim_of_words(claim=" a\n b ", attempt=" first \n\n  second  ", target=[DOI, DOI])
    assert words == Claim(claim="a b", attempt="first\n\nsecond", targets=(DOI,))


def test_too_many_differences_are_refused() -> None:
    with pytest.raises(PrimadError, match="101 conditions differ; 100 are the most"):
        claim_of_words(differs=[f"c{number}=a | b" for number in range(101)])


def test_a_hundred_differences_fit(signer: Signer) -> None:
    words = claim_of_words(differs=[f"c{number}=a | b" for number in range(100)])
    accepted(draft_of(merged(LEAST, words)), signer)


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
    assert found == Given(
        claim=claim_of_words(
            target=[DOI, NANOPUB],
            claim="query expansion raises AP by 10 %",
            tag="npl-bm25",
            collection="vaswani",
            verdict="not-reproduced",
            criterion="AP within 0.01",
            attempt="the code of the authors\nat v1.0",
            reason="out of memory",
            minutes="90",
            differs=["platform=16 GB | 256 GB", "seed=1 | 42"],
        )
    )
    check_complete(found.claim)


@pytest.mark.parametrize(
    "text", ["differs: seed=1 | 42", "differs: ['seed=1 | 42']", "differs: {seed: 1 | 42}"]
)
def test_differences_in_a_file(put: Put, text: str) -> None:
    assert read_claim(put("claim.yaml", text)).claim == claim_of_words(differs=["seed=1 | 42"])


def test_a_track_in_a_file_lies_beside_it(put: Put) -> None:
    path = put("claims/one.yaml", "track: garden.yaml\nof: 2\ntag: t\n")
    assert read_claim(path).track == path.parent / "garden.yaml"
    put("claims/garden.yaml", (EXAMPLES / "garden.yaml").read_text())
    claim = whole_claim(Given(claim=Claim(tag="from the command line")), path).claim
    assert (claim.tag, claim.system) == ("from the command line", "orchard")


@pytest.mark.parametrize(
    ("text", "line", "field", "why"),
    [
        ("tag: a\nverdct: x\n", 2, "verdct", "do you mean verdict?"),
        ("tag: a\nschemes: []\n", 2, "schemes", "there is no such key"),
        ("Criterion: a\n", 1, "Criterion", "do you mean criterion?"),
        ("tag: a\ntarget: nothing\n", 2, "target", "neither a DOI nor an address"),
        ("tag: a\nverdict: maybe\n", 2, "verdict", "is no verdict"),
        ("tag: a\nminutes: long\n", 2, "minutes", "is not a number"),
        ("tag: a\nminutes: -1\n", 2, "minutes", "minutes cannot be"),
        ("tag: a\ndiffers: {platform: a}\n", 2, "differs", "one side alone"),
        ("differs: {platform: {our: a}}\n", 1, "differs.platform.our", "write ours and theirs"),
        ("differs: {platform: {ours: a}}\n", 1, "differs", "is missing"),
        ("differs: {platform: [a, b]}\n", 1, "differs.platform", "this is not a text"),
        ("tag: a\ntarget: {a: b}\n", 2, "target", "this is not a list"),
        ("target: [[a]]\n", 1, "target[1]", "this is not a text"),
        ("claim: [a]\n", 1, "claim", "this is not a text"),
        ("tag: a\ntag: b\n", 2, "", ""),
        ("", None, "", "the file is empty"),
        ("- a\n", 1, "", "no mapping of keys"),
        ("tag: &a [*a]\n", 1, "", ""),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(
    put: Put, text: str, line: int | None, field: str, why: str
) -> None:
    path = put("claim.yaml", text)
    with pytest.raises(HeaderError) as error:
        read_claim(path)
    assert str(error.value.file) == str(path)
    assert error.value.line == line
    assert field in error.value.field
    assert why in str(error.value)


def test_a_file_that_leaves_something_open_is_named(put: Put) -> None:
    path = put("claim.yaml", "tag: a\n")
    with pytest.raises(HeaderError, match="does not say what came of it") as error:
        whole_claim(Given(claim=Claim()), path)
    assert error.value.file == path


def test_an_attempt_of_no_track_is_refused() -> None:
    with pytest.raises(PrimadError, match="is an attempt of which track"):
        whole_claim(Given(claim=LEAST, of="2"))


# Attempts of tracks -----------------------------------------------------------------------
