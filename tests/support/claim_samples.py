"""Claims of reproducibility for tests: the least that one says, and all that one may say."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from primad_ld.nanopub.drafting.claims import (
    Claim,
    ConditionDifference,
    Verdict,
    claim_draft,
)
from primad_ld.nanopub.drafts import Draft
from primad_ld.replication.tracks import AttemptOutcome, Stage

DOI = "https://doi.org/10.1145/3477495.3531738"
NANOPUB = "https://w3id.org/np/RAgRRFA75QCJlfEGhWCKoGTNgrQBFAtJIWfp05JVpm3aw"

#: The least that a claim says.
LEAST = Claim(
    targets=(DOI,),
    verdict=Verdict.not_reproduced,
    criterion="AP within 0.01 of the published one",
    attempt="the code of the authors at v1.0",
)
#: A claim that says everything.
MOST = replace(
    LEAST,
    targets=(DOI, NANOPUB, "https://example.org/paper.pdf"),
    claim="query expansion raises AP by 10 %",
    tag="npl-bm25",
    collection="vaswani",
    track="Garden replication track",
    system="orchard",
    configuration="bm25",
    reason="out of memory",
    outcome=AttemptOutcome.different,
    stage=Stage.results,
    minutes=Decimal("90.50"),
    build_minutes=Decimal(0),
    run_minutes=Decimal("1e1"),
    differs=(
        ConditionDifference(condition="platform", ours="16 GB", theirs="256 GB"),
        ConditionDifference(condition="Test set", ours="ours", theirs="theirs"),
        ConditionDifference(condition="random seed", ours="1", theirs="42"),
    ),
    track_iri="https://w3id.org/primad-ld/id/track/1",
)


def draft_of(claim: Claim) -> Draft:
    """The draft of a claim."""
    return claim_draft(claim).draft
