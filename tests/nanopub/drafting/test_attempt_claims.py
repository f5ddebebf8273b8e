"""Claims from attempts of tracks: in whose words, beside what people say, and without names."""

from __future__ import annotations

from decimal import Decimal

import pytest
from support import ROOT, Put
from support.claim_samples import draft_of
from support.drafted import accepted, judged

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.nanopub.drafting.attempt_claims import (
    check_verdict,
    claim_of_attempt,
    find_attempt,
    replaced,
)
from primad_ld.nanopub.drafting.claims import (
    Claim,
    Verdict,
    claim_draft,
)
from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.signing import Signer
from primad_ld.nanopub.trig import as_trig
from primad_ld.replication.track_reading import read_track
from primad_ld.replication.tracks import AttemptOutcome, Stage, Track

EXAMPLES = ROOT / "examples" / "replication"
GARDEN = read_track(EXAMPLES / "garden.yaml")
CLEF = read_track(EXAMPLES / "clef2016.yaml")


@pytest.mark.parametrize(
    ("track", "number", "verdict", "words"),
    [
        (GARDEN, "1", Verdict.reproduced, "It gave results."),  # exact
        (GARDEN, "2", Verdict.stopped, "It was built, and not run on the data."),
        (GARDEN, "3", Verdict.reproduced, "by a user"),  # slightly different
        (GARDEN, "5", Verdict.not_reproduced, "map 0.7110 submitted, 0.7060 obtained"),
        (CLEF, "3", Verdict.not_reproduced, "F-measure differs by 0.02"),
        (CLEF, "4", Verdict.stopped, "System 2 was tried in the track CLEF eHealth 2016, Task 2"),
        (CLEF, "6", Verdict.reproduced, "The outcome was stated as exact."),
    ],
)
def test_an_attempt_in_the_words_of_a_claim(
    track: Track, number: str, verdict: Verdict, words: str, signer: Signer
) -> None:
    claim = claim_of_attempt(track, number)
    assert claim.verdict is verdict
    assert words in claim.attempt
    draft = draft_of(claim)
    accepted(draft, signer)
    assert judged(draft.triples) == []


def test_what_an_attempt_gives_a_claim() -> None:
    claim = claim_of_attempt(GARDEN, "orchard/A")
    assert claim == claim_of_attempt(GARDEN, find_attempt(GARDEN, "2"))
    assert (claim.track, claim.system) == ("Garden replication track", "orchard")
    # By these, others find it.
    assert (claim.tag, claim.collection) == ("orchard", "garden test collection")
    assert draft_of(claim).label == "Stopped: orchard in Garden replication track"
    assert claim.reason == "the index did not fit into memory"
    assert (claim.minutes, claim.build_minutes, claim.run_minutes) == (95, 50, None)
    assert (claim.outcome, claim.stage) == (AttemptOutcome.no_result, Stage.built)
    assert claim.criterion == (
        "the submitted scores again: map within less than 0.005, P_10 within less than 0.01"
    )
    assert claim.attempt == (
        "orchard was tried in the track Garden replication track by a user on this task: "
        "ad-hoc retrieval; garden test collection. It was built, and not run on the data. "
        "The authors were asked for help."
    )


TRACK = """\
track: {title: Small}
measures: {F: {tolerance: 0}}
roles: {user: {label: User}}
systems:
- {id: S, operating system: Linux, memory: 16 GB, submitted: {F: 0.8}}
analysts:
- {id: Ada Lovelace, role: user, machine: {os: Windows 11, memory: 16GB, gpu: none}}
- {id: B, machine: {operating system: Debian 12, ram: 8 GB}}
- {id: C, machine: {hardware: {ram: 4 GB}, operating system: {distribution: macOS 14}}}
attempts:
- {analyst: Ada Lovelace, system: S, stage: ran, reason: Ada Lovelace lost patience}
- {analyst: B, system: S, stage: none, reason: B saw no code}
- {analyst: C, system: S, stage: results, tool_error: yes, id: third}
"""


@pytest.fixture
def small(put: Put) -> Track:
    return read_track(put("track.yaml", TRACK))


def test_nobody_is_called_by_name(small: Track) -> None:
    claim = claim_of_attempt(small, "1")
    assert claim.reason == "an analyst lost patience"
    assert "Ada" not in as_trig(nanopub_of_draft(draft_of(claim)))
    # A letter is no name that a text could be told from.
    assert claim_of_attempt(small, "2").reason == "B saw no code"


def test_verdicts_by_stage_and_tool(small: Track) -> None:
    verdicts = [claim_of_attempt(small, number).verdict for number in "123"]
    assert verdicts == [Verdict.stopped, Verdict.not_attempted, Verdict.inconclusive]
    assert claim_of_attempt(small, "3").criterion == "the submitted scores again: F exactly"


@pytest.mark.parametrize("name", ["3", "third", "THIRD", "S/C", "S by analyst C", "s/c/"])
def test_names_of_an_attempt(small: Track, name: str) -> None:
    assert find_attempt(small, name) is small.attempts[2]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("4", "unknown attempt 4"),
        ("thrid", "do you mean third?"),
        ("", "there are several attempts; say of which: 1 (S by analyst Ada Lovelace), 2 ("),
    ],
)
def test_what_is_no_attempt(small: Track, name: str, why: str) -> None:
    with pytest.raises(HeaderError) as error:
        find_attempt(small, name)
    assert why in str(error.value)
    assert "track.yaml" in str(error.value)


def test_one_name_of_two_attempts_is_refused() -> None:
    with pytest.raises(HeaderError, match="may be attempts 4, 5; name one by its number"):
        find_attempt(GARDEN, "greenhouse/C")
    assert find_attempt(GARDEN, "greenhouse/C/feedback") is GARDEN.attempts[4]


def test_the_only_attempt_needs_no_name(put: Put) -> None:
    one = TRACK[: TRACK.index("- {analyst: B,")]
    assert find_attempt(read_track(put("one.yaml", one)), "").system == "S"
    none = one[: one.index("attempts:")]
    with pytest.raises(HeaderError, match="has no attempts"):
        find_attempt(read_track(put("none.yaml", none)), "")


def test_an_attempt_of_which_nothing_is_known_has_no_verdict(put: Put) -> None:
    text = TRACK[: TRACK.index("attempts:")] + "attempts:\n- {analyst: B, system: S}\n"
    claim = claim_of_attempt(read_track(put("track.yaml", text)), "")
    assert claim.verdict is None
    with pytest.raises(PrimadError, match="does not say what came of it"):
        claim_draft(claim)


@pytest.mark.parametrize(
    ("track", "number", "verdict", "is_refused"),
    [
        (CLEF, "5", Verdict.reproduced, True),  # a memory error before there were results
        (CLEF, "5", Verdict.partly_reproduced, True),
        (CLEF, "5", Verdict.not_reproduced, False),  # who gives up may call it so
        (CLEF, "5", Verdict.inconclusive, False),
        (CLEF, "5", Verdict.stopped, False),
        (CLEF, "4", Verdict.reproduced, True),  # no result, and no stage is known
        (GARDEN, "2", Verdict.reproduced, True),  # it was built, and no outcome is stated
        (GARDEN, "1", Verdict.stopped, True),  # there were results
        (GARDEN, "5", Verdict.not_attempted, True),  # other results
        (GARDEN, "5", Verdict.reproduced, False),  # by a criterion of one's own
        (GARDEN, "1", None, False),
    ],
)
def test_a_verdict_that_contradicts_its_track_is_refused(
    track: Track, number: str, verdict: Verdict | None, is_refused: bool
) -> None:
    found = claim_of_attempt(track, number)
    if not is_refused:
        check_verdict(Claim(verdict=verdict), found)
        return
    with pytest.raises(PrimadError, match="by the track the outcome of this attempt is") as error:
        check_verdict(Claim(verdict=verdict), found)
    assert f"say {found.verdict}".replace("_", "-") in str(error.value)


@pytest.mark.parametrize(
    ("outcome", "stage", "is_refused"),
    [
        (None, Stage.ran, True),  # it ended there
        (None, Stage.results, False),  # of which nobody says how they were
        (None, None, False),
        (AttemptOutcome.tool_error, Stage.results, False),
    ],
)
def test_what_a_track_leaves_open_contradicts_nothing(
    outcome: AttemptOutcome | None, stage: Stage | None, is_refused: bool
) -> None:
    found = Claim(outcome=outcome, stage=stage)
    if is_refused:
        with pytest.raises(PrimadError, match="is no result"):
            check_verdict(Claim(verdict=Verdict.reproduced), found)
    else:
        for verdict in Verdict:
            check_verdict(Claim(verdict=verdict), found)


def test_what_takes_the_place_of_the_tracks_is_told() -> None:
    found = claim_of_attempt(GARDEN, "2")
    said = Claim(
        tag="t",
        collection="garden test collection",  # the same is no remark
        claim="of which a track says nothing",
        verdict=Verdict.not_reproduced,
        attempt="tried it",
        reason="ask ada@example.org",
        minutes=Decimal(0),
    )
    remarks = dict(one.split(": ", 1) for one in replaced(said, found))
    assert list(remarks) == ["tag", "verdict", "attempt", "reason", "minutes"]
    assert remarks["tag"] == "'t' takes the place of the track's 'orchard'"
    assert remarks["verdict"] == "not-reproduced takes the place of the track's stopped"
    assert remarks["minutes"] == "0 takes the place of the track's 95"
    assert "ada" not in remarks["reason"]
    assert replaced(Claim(), found) == ()
