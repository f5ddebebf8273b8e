"""Documents that nobody judged: what share is judged at a cutoff, on both sides of a comparison.

They count as not relevant, so a run that differs from those that were pooled has lower scores than
it deserves. The shares stand in the details of figures on measures at a cutoff, from where tables,
JSON, CSV and RDF have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.measures.results import ADVANCED, JUDGED, PairResult, Result
from primad_ld.tables.answers import UNDEFINED
from primad_ld.trec.measure_names import cutoff_of

if TYPE_CHECKING:
    from primad_ld.measures.measure_values import Figure
    from primad_ld.trec.judgements import Judgements
    from primad_ld.trec.scorer import TopicScores

#: Where shares differ by more, people are warned.
_MOST: Final = 0.05
# The cutoff to speak of, if shares differ there.
_USUAL_CUTOFF: Final = 10
_COUNT: Final = "unjudged documents count as not relevant"
_WHAT_TO_DO: Final = "; use nDCG(judged_only=True)@{} to leave them out"


def cutoff_at(on: str) -> int | None:
    """The cutoff of a measure that documents without judgements change."""
    is_about_them = on.startswith("Judged@") or "judged_only=True" in on
    return None if is_about_them else cutoff_of(on)


def shares_at(
    cutoff: int | None, ours: TopicScores, theirs: TopicScores, topics: Sequence[str]
) -> dict[str, float | None]:
    """The shares of both sides as details of a figure; none where all documents are judged.

    ``topics`` are those that are compared; each side has its own if there are none.
    """
    if cutoff is None:
        return {}
    sides = [scores.judged_at(cutoff, topics or scores.topics) for scores in (ours, theirs)]
    if all(share is None or share >= 1 for share in sides):
        return {}
    return dict(zip(JUDGED, sides, strict=True))


def shown_shares(figure: Figure) -> str:
    """The shares of both sides for people; empty where all documents are judged."""
    shares = [figure.details.get(side) for side in JUDGED]
    if shares == [None, None]:
        return ""
    return " → ".join(UNDEFINED if share is None else f"{share:.4f}" for share in shares)


def relevant_only(judgements: Judgements) -> Iterator[str]:
    """A note if judgements do not tell which documents were looked at."""
    if not judgements.has_irrelevant:
        name = Path(judgements.path).name
        yield f"{name} contains only relevant documents, so unjudged documents cannot be identified"


def pairs_note(pairs: Iterable[PairResult]) -> Iterator[str]:
    """A warning if shares of some pairs differ by so much that this may be what scores tell."""
    found: dict[int, dict[tuple[str, str], tuple[float, float]]] = {}
    for pair in pairs:
        for one in pair.results:
            sides = _sides(pair, one)
            ours, theirs = (one.figure.details.get(name) for name in JUDGED)
            cutoff = cutoff_at(one.on or "")
            if ours is not None and theirs is not None and abs(ours - theirs) > _MOST and cutoff:
                found.setdefault(cutoff, {})[sides] = ours, theirs
    if not found:
        return
    cutoff = _usual(found)
    differing = found[cutoff]
    names, (ours, theirs) = max(differing.items(), key=lambda one: abs(one[1][0] - one[1][1]))
    differs = f"differs by more than {_MOST} in {len(differing):,} pairs, such as"
    yield (
        f"{_COUNT}: Judged@{cutoff} {differs if len(differing) > 1 else 'is'} {ours:.4f} for "
        f"{names[0]} and {theirs:.4f} for {names[1]}{_WHAT_TO_DO.format(cutoff)}"
    )


def _sides(pair: PairResult, result: Result) -> tuple[str, str]:
    one, other = pair.reference, pair.candidate
    if result.run == ADVANCED and pair.reference_advanced and pair.candidate_advanced:
        one, other = pair.reference_advanced, pair.candidate_advanced
    return one.name, other.name


def runs_note(scores: Sequence[TopicScores], on: Iterable[str]) -> Iterator[str]:
    """The same for runs that are all compared with each other."""
    found: dict[int, list[tuple[float, str]]] = {}
    for cutoff in sorted({cutoff for name in on if (cutoff := cutoff_at(name)) is not None}):
        shares = [
            (share, one.name)
            for one in scores
            if (share := one.judged_at(cutoff, one.topics)) is not None
        ]
        if shares and max(shares)[0] - min(shares)[0] > _MOST:
            found[cutoff] = sorted(shares)
    if not found:
        return
    cutoff = _usual(found)
    (least, one), (most, other) = found[cutoff][0], found[cutoff][-1]
    yield (
        f"{_COUNT}: Judged@{cutoff} is between {least:.4f} ({one}) and {most:.4f} ({other})"
        f"{_WHAT_TO_DO.format(cutoff)}"
    )


def _usual(cutoffs: Iterable[int]) -> int:
    return _USUAL_CUTOFF if _USUAL_CUTOFF in cutoffs else min(cutoffs)
