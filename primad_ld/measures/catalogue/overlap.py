"""Rank-biased overlap of lists that are prefixes of longer ones, with and without ties."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import eq
from typing import TYPE_CHECKING, Final

from primad_ld.measures.figures import Figure, UndefinedError, mean
from primad_ld.measures.inputs import RankedPair
from primad_ld.measures.registry import Data, Direction, Needs, Parameter, measure

if TYPE_CHECKING:
    from primad_ld.measures.agreement import Overlap, Ties

_WEBBER: Final = (
    "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), "
    "2010, doi:10.1145/1852102.1852106"
)
_CORSI: Final = (
    "Corsi and Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024, arXiv:2406.07121"
)
_PARAMETERS: Final = {
    "p": Parameter(0.95, "persistence: how far down the list somebody reads", 0, 1, is_open=True),
    "depth": Parameter(1000, "documents of each list that count", 1, 1_000_000),
}
_BOUNDS: Final = (
    " Beside it the minimum, which it has if nothing common follows below the lists' ends, and the "
    "residual, which is how much more it has if all that may be common is. All are means over topics."
)
_EMPTY: Final = (
    "Values with different p are not comparable. If one list has no documents, the topic has 0, as "
    "in rbo, and a residual of 1."
)
_TIES: Final = (
    " Documents are tied if their scores are equal in single precision, as trec_eval compares them; "
    "of a group that the depth cuts, the documents above it count. Without ties it is rbo_ext."
)


@dataclass(frozen=True, slots=True, eq=False)
class _Lists:
    """What the measures of a pair share: lists without ties are compared in one way."""

    pair: RankedPair
    p: float
    depth: int

    # Four measures look at the same pair one after the other; comparing pairs would take longer.
    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Lists)
            and self.pair is other.pair
            and (self.p, self.depth) == (other.p, other.depth)
        )

    def __hash__(self) -> int:
        return hash((id(self.pair), self.p, self.depth))


@lru_cache(maxsize=1)
def _without_ties(lists: _Lists) -> list[Overlap | None]:
    """What lists have for each topic if ties do not count; None where there is no document."""
    from primad_ld.measures.agreement import NOTHING, reach, untied

    cut = reach(lists.p, lists.depth)
    return [
        untied(one[:cut], other[:cut], lists.p)
        if one and other
        else NOTHING
        if one or other
        else None
        for one, other in zip(lists.pair.reference, lists.pair.candidate, strict=True)
    ]


@lru_cache(maxsize=1)
def _ties(lists: _Lists) -> dict[int, Ties]:
    """The topics with ties, by their places."""
    from primad_ld.measures.agreement import Ranking, Ties, reach

    pair, cut = lists.pair, reach(lists.p, lists.depth)
    found = {}
    ours = zip(pair.reference, pair.reference_scores, strict=True)
    theirs = zip(pair.candidate, pair.candidate_scores, strict=True)
    for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        scores, others = _single(one[1][:cut]), _single(other[1][:cut])
        if scores and others and (_has_equal(scores) or _has_equal(others)):
            rankings = Ranking(one[0][:cut], scores), Ranking(other[0][:cut], others)
            found[place] = Ties.of(*rankings)
    return found


def _single(scores: Sequence[float]) -> list[float]:
    """In single precision, as trec_eval compares scores."""
    return array("f", scores).tolist()


def _has_equal(scores: Sequence[float]) -> bool:
    return any(map(eq, scores, scores[1:]))


def _with_ties(pair: RankedPair, p: float, depth: int, variant: str) -> Figure:
    from primad_ld.measures.agreement import VARIANTS, tied

    lists = _Lists(pair, p, depth)
    found = list(_without_ties(lists))
    for place, ties in _ties(lists).items():
        found[place] = tied(ties, p, VARIANTS[variant])
    return _over_topics(pair, found)


def _over_topics(pair: RankedPair, found: Sequence[Overlap | None]) -> Figure:
    """What each topic has, and the means."""
    by_topic = dict(zip(pair.topics, found, strict=True))
    defined = [one for one in found if one is not None]
    if not defined:
        raise UndefinedError("there are no documents to compare")
    return Figure(
        value=mean([one.extrapolated for one in defined]),
        details={
            "minimum": mean([one.minimum for one in defined]),
            "residual": mean([one.residual for one in defined]),
        },
        by_topic={topic: one.extrapolated if one else None for topic, one in by_topic.items()},
        undefined={topic: "no documents to compare" for topic, one in by_topic.items() if not one},
        topics=len(defined),
    )


@measure(
    "rbo_ext",
    name="rank-biased overlap, extrapolated",
    needs=Needs.rankings,
    data=Data.same,
    definition="The sum over all depths d of (1 - p) p^(d-1) times the share of common documents "
    "among the first d of both lists, where the share behind their ends is taken to stay what it "
    "was: of the shorter list from its end on, of both from the longer one's end on." + _BOUNDS,
    range="[0, 1]",
    direction=Direction.higher,
    identity=1.0,
    caveats=f"It guesses what follows the lists; the residual says how much depends on it. {_EMPTY}",
    cites=f"{_WEBBER}, equation 32",
    parameters=_PARAMETERS,
)
def extrapolated_overlap(pair: RankedPair, *, p: float, depth: int) -> Figure:
    """RBO of prefixes, whatever their lengths."""
    return _over_topics(pair, _without_ties(_Lists(pair, p, depth)))


@measure(
    "rbo_w",
    name="rank-biased overlap, tied documents share a rank",
    needs=Needs.rankings,
    data=Data.same,
    definition="Like rbo_ext for lists with ties that mean equality: tied documents are all there "
    "from the first rank of their group on, and the agreement at a depth is twice the number of "
    "common documents divided by the number of documents of both lists." + _BOUNDS + _TIES,
    range="[0, 1]",
    direction=Direction.higher,
    identity=1.0,
    caveats="For scores that are equal because the documents are equally good; if their order is "
    f"just not known, see rbo_a and rbo_b. {_EMPTY}",
    cites=f"{_CORSI}; {_WEBBER}",
    parameters=_PARAMETERS,
)
def overlap_of_equals(pair: RankedPair, *, p: float, depth: int) -> Figure:
    """RBO^w."""
    return _with_ties(pair, p, depth, "w")


@measure(
    "rbo_a",
    name="rank-biased overlap, mean over the orders of ties",
    needs=Needs.rankings,
    data=Data.same,
    definition="Like rbo_ext for lists with ties whose order is not known: a tied document counts "
    "at each depth by the chance that it is among the first, so that the agreement is the mean over "
    "all orders of the ties." + _BOUNDS + _TIES,
    range="[0, 1]",
    direction=Direction.higher,
    identity=None,
    caveats="A list with ties does not reach 1 with itself, since its orders differ from each other: "
    f"for that see rbo_b. {_EMPTY}",
    cites=_CORSI,
    parameters=_PARAMETERS,
)
def overlap_of_orders(pair: RankedPair, *, p: float, depth: int) -> Figure:
    """RBO^a."""
    return _with_ties(pair, p, depth, "a")


@measure(
    "rbo_b",
    name="rank-biased overlap, corrected for ties",
    needs=Needs.rankings,
    data=Data.same,
    definition="Like rbo_a, but the agreement at each depth is divided by the geometric mean of what "
    "both lists have with themselves, for the information that ties take away." + _BOUNDS + _TIES,
    range="[0, 1]",
    direction=Direction.higher,
    identity=1.0,
    caveats=f"Never less than rbo_a; the difference says how much is due to ties. {_EMPTY}",
    cites=_CORSI,
    parameters=_PARAMETERS,
)
def corrected_overlap(pair: RankedPair, *, p: float, depth: int) -> Figure:
    """RBO^b."""
    return _with_ties(pair, p, depth, "b")
