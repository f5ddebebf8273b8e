"""Claims of reproducibility: what they say, what they must say, and what stays at home."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
import rdflib
from rdflib.namespace import SKOS
from support import ROOT
from support.claim_samples import DOI, LEAST, MOST, NANOPUB, draft_of
from support.drafted import accepted, judged, said, shapes_of

from primad_ld.core.errors import PrimadError
from primad_ld.header.redaction import MAIL
from primad_ld.nanopub.drafting.claim_input import parse_verdict
from primad_ld.nanopub.drafting.claims import (
    IN_WORDS,
    Claim,
    ConditionDifference,
    Verdict,
    claim_draft,
    merged,
    remarks_on,
    without_private,
)
from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.signing import Signer
from primad_ld.nanopub.trig import as_trig

P = "https://w3id.org/primad-ld/ontology#"
SCHEME = "https://w3id.org/primad-ld/schemes#"


# What it says ---------------------------------------------------------------------------------


def test_what_it_says_stands_flat_on_it() -> None:
    draft = draft_of(MOST)
    assert said(draft, "claimText") == ["query expansion raises AP by 10 %"]
    assert said(draft, "concernsPublication") == [DOI]
    assert said(draft, "targetNanopublication") == [NANOPUB]
    assert said(draft, "http://schema.org/about") == sorted(MOST.targets)
    assert said(draft, "concernsTag") == ["npl-bm25"]
    assert said(draft, "concernsCollection") == ["vaswani"]
    assert said(draft, "verdict") == [SCHEME + "verdict-not_reproduced"]
    assert said(draft, "reproductionCriterion") == ["AP within 0.01 of the published one"]
    assert said(draft, "attemptMade") == ["the code of the authors at v1.0"]
    assert said(draft, "stopReason") == ["out of memory"]
    assert said(draft, "attemptOutcome") == [SCHEME + "outcome-different"]
    assert said(draft, "progressReached") == [SCHEME + "progress-results"]
    assert said(draft, "inTrack") == ["Garden replication track"]
    assert said(draft, "localIdentifier", "#system") == ["orchard"]
    assert said(draft, "systemConfiguration") == ["bm25"]
    assert said(draft, "humanMinutes") == ["90.5"]
    assert said(draft, "buildMinutes") == ["0"]
    assert said(draft, "runMinutes") == ["10"]
    assert said(draft, "differsIn") == [
        P + "Platform",
        SCHEME + "condition-test_set",
        "random seed",
    ]
    assert said(draft, "conditionInAttempt", "#condition-3") == ["1"]
    assert said(draft, "conditionInOriginal", "#condition-3") == ["42"]
    assert said(draft, "name", "#condition-2") == ["Test set"]


def test_what_is_not_said_is_not_there() -> None:
    assert draft_of(LEAST).triples.count("\n") == 8  # with a label and what the alignments imply


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        (MOST, "Not reproduced: query expansion raises AP by 10 %"),
        (LEAST, "Not reproduced: 10.1145/3477495.3531738"),
        (replace(LEAST, tag="npl-bm25"), "Not reproduced: npl-bm25"),
        (replace(LEAST, system="S"), "Not reproduced: S"),
        (replace(LEAST, system="S", track="T"), "Not reproduced: S in T"),
        (replace(LEAST, targets=(NANOPUB,)), f"Not reproduced: {NANOPUB}"),
        (replace(LEAST, claim="x " * 100), "Not reproduced: " + "x " * 51 + "x…"),
        (replace(LEAST, verdict=Verdict.not_attempted, tag="t"), "Could not be attempted: t"),
    ],
)
def test_its_label_is_for_people(claim: Claim, label: str) -> None:
    assert draft_of(claim).label == label
    assert len(label) <= 120


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("claim", [LEAST, MOST], ids=["least", "most"])
def test_it_can_be_signed_and_conforms_to_its_shapes(
    claim: Claim, verdict: Verdict, signer: Signer
) -> None:
    draft = draft_of(replace(claim, verdict=verdict))
    accepted(draft, signer)
    assert judged(draft.triples) == []


@pytest.mark.parametrize(
    "text",
    ["", "a\nb", 'quoted "so"', "back\\slash", "\u00e9\N{GRINNING FACE}", "<a> <b> .", "x" * 9000],
)
def test_texts_come_through_letter_by_letter(text: str, signer: Signer) -> None:
    draft = draft_of(replace(LEAST, attempt=f"tried {text}"))
    assert said(draft, "attemptMade") == [f"tried {text}"]
    accepted(draft, signer)


def test_the_same_claim_has_one_name_and_another_one_has_another() -> None:
    assert draft_of(MOST) == draft_of(MOST)
    others = [LEAST, replace(MOST, reason=""), replace(MOST, verdict=Verdict.stopped)]
    assert len({draft_of(one).about for one in [MOST, *others]}) == 4


@pytest.mark.parametrize(
    ("condition", "token", "label"),
    [
        ("platform", f"<{P}Platform>", "platform"),
        ("Research_Goal", f"<{P}ResearchGoal>", "research goal"),
        # QRA calls the software that measures so; here it is the component of PRIMAD …
        ("implementation", f"<{P}Implementation>", "implementation"),
        # … and the other one has a name of its own.
        ("implemented by", f"<{SCHEME}condition-implementation>", "Implementation"),
        ("Performed by", f"<{SCHEME}condition-performed_by>", "Performed by"),
        ("random seed", '"random seed"', "random seed"),
    ],
)
def test_conditions_have_names_of_others_where_they_fit(
    condition: str, token: str, label: str
) -> None:
    one = ConditionDifference(condition=condition, ours="a", theirs="b")
    assert (one.token, one.label) == (token, label)


def test_verdicts_are_the_concepts_of_their_scheme() -> None:
    concepts = rdflib.Graph().parse(ROOT / "ontology" / "schemes.ttl")
    scheme = rdflib.URIRef(SCHEME + "verdict")
    found = {
        str(concepts.value(one, SKOS.notation)): one
        for one in concepts.subjects(SKOS.inScheme, scheme)
    }
    assert set(found) == set(Verdict) == set(IN_WORDS)
    for name, one in found.items():
        assert str(concepts.value(one, SKOS.prefLabel)).lower() == IN_WORDS[Verdict(name)].lower()
        for word in concepts.objects(one, SKOS.altLabel):
            assert parse_verdict(str(word)) is Verdict(name)


# What it must say -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ({"targets": ()}, "what was to be reproduced (target: a DOI"),
        ({"verdict": None}, "what came of it (verdict: reproduced, partly-reproduced, not-"),
        ({"criterion": ""}, "what would have counted as reproduced (criterion)"),
        ({"attempt": ""}, "what was done (attempt)"),
    ],
)
def test_a_claim_that_leaves_something_open_is_refused(
    missing: dict[str, object], words: str
) -> None:
    claim = replace(LEAST, **missing)  # type: ignore[arg-type]
    with pytest.raises(PrimadError, match="the claim does not say") as error:
        claim_draft(claim)
    assert words in str(error.value)
    assert ";" not in str(error.value)


@pytest.mark.parametrize(
    "target", [{"claim": "it works"}, {"tag": "npl-bm25"}, {"system": "S"}, {"targets": (NANOPUB,)}]
)
def test_each_of_these_is_a_target(target: dict[str, object], signer: Signer) -> None:
    draft = draft_of(replace(LEAST, **({"targets": ()} | target)))  # type: ignore[arg-type]
    accepted(draft, signer)
    assert judged(draft.triples) == []


# Privacy --------------------------------------------------------------------------------------


def test_every_text_of_a_claim_passes_the_redaction() -> None:
    mail = "ada@example.org"
    texts = "claim tag collection track system configuration criterion attempt reason".split()
    claim = replace(
        MOST,
        **dict.fromkeys(texts, f"ask {mail}"),  # type: ignore[arg-type]
        differs=(
            ConditionDifference(condition=f"of {mail}", ours=f"by {mail}", theirs=f"not {mail}"),
        ),
    )
    drafted = claim_draft(claim)
    assert mail not in as_trig(nanopub_of_draft(drafted.draft))
    assert mail not in drafted.draft.file_name
    fields = [one.field for one in drafted.left_out]
    assert fields[: len(texts)] == sorted(texts, key=fields.index)
    assert set(texts) < set(fields)
    assert len(fields) == len(texts) + 3
    assert {one.what for one in drafted.left_out} == {MAIL}


@pytest.mark.parametrize(
    ("attempt", "clean"),
    [
        ("run from /home/ada/x/run.sh", "run from run.sh"),
        ("cloned https://ada:hush@example.org/x.git", "cloned https://example.org/x.git"),
        (
            "curl -H 'Authorization: Bearer 0123456789abcdefghijklmnop'",
            "curl -H 'Authorization: Bearer [removed]'",
        ),
        ("AP is 0.25, not 0.31", "AP is 0.25, not 0.31"),
    ],
)
def test_what_must_not_leave_the_machine_is_left_out(attempt: str, clean: str) -> None:
    found, left_out = without_private(replace(LEAST, attempt=attempt))
    assert found == replace(LEAST, attempt=clean)
    assert bool(left_out) == (attempt != clean)


# Words ----------------------------------------------------------------------------------------


def test_the_first_of_two_goes_before() -> None:
    both = merged(Claim(tag="a", minutes=Decimal(0)), replace(MOST, tag="b"))
    assert both == replace(MOST, tag="a", minutes=Decimal(0))
    assert merged(MOST, Claim()) == merged(Claim(), MOST) == MOST


# Attempts of tracks ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (LEAST, []),
        (replace(LEAST, targets=(), tag="t"), []),
        (replace(LEAST, targets=(), collection="c", claim="x"), []),
        (replace(LEAST, targets=(), claim="BM25 beats QL"), ["others will not find it"]),
        (replace(LEAST, targets=(NANOPUB,)), ["others will not find it"]),
        (replace(LEAST, verdict=Verdict.reproduced), []),
        (replace(LEAST, verdict=Verdict.reproduced, reason="it never ran"), ["is that so?"]),
        (replace(LEAST, verdict=Verdict.partly_reproduced, reason="half of it ran"), []),
    ],
)
def test_remarks(claim: Claim, words: list[str]) -> None:
    found = remarks_on(claim)
    assert len(found) == len(words)
    assert all(word in one for word, one in zip(words, found, strict=True))


# Where it is written --------------------------------------------------------------------------


# The shapes -----------------------------------------------------------------------------------

#: What stands in a claim is taken out or written otherwise: what was, what is, which shape.
FAULTS = {
    "without a verdict": (f"<{P}verdict>", f"<{P}analystNote>", "claim-verdict"),
    "a verdict of ones own": ("#verdict-not_reproduced", "#verdict-maybe", "claim-verdict"),
    "without a criterion": (f"<{P}reproductionCriterion>", f"<{P}analystNote>", "claim-criterion"),
    "without an attempt": (f"<{P}attemptMade>", f"<{P}analystNote>", "claim-attempt"),
    "an empty claim": ('"query expansion raises AP by 10 %"', '""', "claim-text"),
    "an empty reason": ('"out of memory"', '""', "claim-reason"),
    "an outcome of ones own": ("#outcome-different", "#outcome-bad", "claim-outcome"),
    "a stage of ones own": ("#progress-results", "#progress-lost", "claim-stage"),
    "a nanopublication that is a text": (
        f"<{P}targetNanopublication> <{NANOPUB}>",
        f'<{P}targetNanopublication> "{NANOPUB}"',
        "claim-nanopub",
    ),
    "a system that is none": (f"<{P}SubmittedSystem>", f"<{P}Run>", "claim-system"),
    "negative time": ('"90.5"^^', '"-90.5"^^', "claim-human"),
    "negative time of building": (
        f'<{P}buildMinutes> "0"',
        f'<{P}buildMinutes> "-1"',
        "claim-build",
    ),
    "negative time of running": (f'<{P}runMinutes> "10"', f'<{P}runMinutes> "-1"', "claim-run"),
    "a condition that is none": (f"<{P}DifferingCondition>", f"<{P}Run>", "claim-conditions"),
    "a condition without a name": (f"<{P}ofCondition>", f"<{P}analystNote>", "differing-of"),
    "a component that is none": (f"<{P}Platform>", f"<{P}Run>", "differing-of"),
    "only theirs": (f"<{P}conditionInAttempt>", f"<{P}analystNote>", "differing-ours"),
    "only ours": (f"<{P}conditionInOriginal>", f"<{P}analystNote>", "differing-theirs"),
    "a publication that is no DOI": (
        "https://doi.org/10.",
        "https://doi.org/11.",
        "concerns-publication",
    ),
    "an empty collection": ('"vaswani"', '""', "concerns-collection"),
}


@pytest.mark.parametrize(("old", "new", "shape"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_found(old: str, new: str, shape: str) -> None:
    triples = draft_of(MOST).triples
    assert old in triples
    assert shape in shapes_of(judged(triples.replace(old, new)))


def test_a_claim_about_nothing_is_found() -> None:
    triples = draft_of(replace(LEAST, targets=(), tag="t")).triples
    assert judged(triples) == []
    assert shapes_of(judged(triples.replace(f"<{P}concernsTag>", f"<{P}analystNote>"))) == {"claim"}
