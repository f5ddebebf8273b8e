"""Rank-biased overlap of lists that are prefixes of longer ones, with and without ties.

It is the sum over the depths d of (1-p) p^(d-1) times the agreement at d. Of lists that end
somewhere, it is known up to there; from the length l of the longer list on, the agreement is
extrapolated, or bounded from both sides (Webber, Moffat and Zobel 2010). Corsi and Urbano (2024)
say what the agreement is where documents are tied.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, repeat
from math import ceil, fsum, log, log1p, sqrt
from operator import eq, mul
from typing import Final, NamedTuple

from primad_ld.measures.measure_values import Figure, RankedPair, UndefinedError, mean
from primad_ld.measures.registry import Direction, Needs, Parameter, TopicPairing, measure

_WEBBER: Final = (
    "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), "
    "2010, doi:10.1145/1852102.1852106"
)
_CORSI: Final = (
    "Corsi and Urbano, The treatment of ties in rank-biased overlap, SIGIR 2024, arXiv:2406.07121"
)
_PARAMETERS: Final = {
    "p": Parameter(0.95, "persistence: how far down the list a user reads", 0, 1, is_open=True),
    "depth": Parameter(1000, "documents of each list that count", 1, 1_000_000),
}
_BOUNDS: Final = (
    " It comes with the minimum, its value if no common documents follow after the lists' ends, "
    "and the residual, how much higher it is if all documents that may be common are. All are "
    "means over topics."
)
_EMPTY: Final = (
    "Values with different p are not comparable. If one list has no documents, the topic has 0, as "
    "in rbo, and a residual of 1."
)
_TIES: Final = (
    " Documents are tied if their scores are equal in single precision, as trec_eval compares them; "
    "of a group that the depth cuts, the documents above it count. Without ties it is rbo_ext."
)


@measure(
    "rbo_ext",
    name="rank-biased overlap, extrapolated",
    needs=Needs.rankings,
    data=TopicPairing.same,
    definition="The sum over all depths d of (1 - p) p^(d-1) times the share of common documents "
    "among the first d of both lists, where the share after their ends is assumed to stay the "
    "same: of the shorter list from its end on, of both from the longer one's end on." + _BOUNDS,
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
    data=TopicPairing.same,
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
    data=TopicPairing.same,
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
    data=TopicPairing.same,
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


# Over topics ------------------------------------------------------------------------------


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
def _without_ties(lists: _Lists) -> list[_Overlap | None]:
    """What lists have for each topic if ties do not count; None where there is no document."""
    cut = _reach(lists.p, lists.depth)
    return [
        _untied(one[:cut], other[:cut], lists.p)
        if one and other
        else _NOTHING
        if one or other
        else None
        for one, other in zip(lists.pair.reference, lists.pair.candidate, strict=True)
    ]


def _with_ties(pair: RankedPair, p: float, depth: int, variant: str) -> Figure:

    lists = _Lists(pair, p, depth)
    found = list(_without_ties(lists))
    for place, ties in _ties_of(lists).items():
        found[place] = _tied(ties, p, _VARIANTS[variant])
    return _over_topics(pair, found)


@lru_cache(maxsize=1)
def _ties_of(lists: _Lists) -> dict[int, _Ties]:
    """The topics with ties, by their places."""
    pair, cut = lists.pair, _reach(lists.p, lists.depth)
    found = {}
    ours = zip(pair.reference, pair.reference_scores, strict=True)
    theirs = zip(pair.candidate, pair.candidate_scores, strict=True)
    for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        scores, others = _single(one[1][:cut]), _single(other[1][:cut])
        if scores and others and (_has_equal(scores) or _has_equal(others)):
            rankings = _TiedList(one[0][:cut], scores), _TiedList(other[0][:cut], others)
            found[place] = _Ties.of(*rankings)
    return found


def _single(scores: Sequence[float]) -> list[float]:
    """In single precision, as trec_eval compares scores."""
    return array("f", scores).tolist()


def _has_equal(scores: Sequence[float]) -> bool:
    return any(map(eq, scores, scores[1:]))


def _over_topics(pair: RankedPair, found: Sequence[_Overlap | None]) -> Figure:
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


# Without ties -----------------------------------------------------------------------------

# Weights are multiples of this fraction, so that sums of them do not depend on their order.
_UNIT: Final = 2.0**-62
# Depths are left out behind which all weights together are less than this.
_LEAST: Final = 2.0**-60


@dataclass(frozen=True, slots=True)
class _Overlap:
    """Rank-biased overlap of two lists whose continuation is unknown."""

    #: As if the agreement stayed what it was.
    extrapolated: float
    #: What it is at least, and how much more it may be, whatever follows.
    minimum: float
    residual: float


#: Of two lists of which only one has documents.
_NOTHING: Final = _Overlap(0.0, 0.0, 1.0)


def _reach(p: float, depth: int) -> int:
    """How many documents of each list matter."""
    return min(depth, max(1, ceil(log(_LEAST) / log(p))))


class _Weights:
    """Sums of the weights of depths; w(d) = (1-p) p^(d-1)."""

    def __init__(self, p: float, size: int) -> None:
        #: p^d, which is what all depths behind d weigh together.
        self.behind = list(accumulate(repeat(p, size), mul, initial=1.0))
        #: w(d), from depth 1 on.
        self.single = [(1 - p) * one for one in self.behind[:-1]]
        shares = [one / depth for depth, one in enumerate(self.single, start=1)]
        # All w(d)/d together, of which those up to the last depth are known one by one.
        rest = max(0.0, -log1p(-p) * (1 - p) / p - fsum(shares))
        #: The sum of w(i)/i for all i from d on, in units; nothing stands at 0.
        self.shares = [0] * (size + 2)
        self.shares[size + 1] = round(rest / _UNIT)
        for depth in range(size, 0, -1):
            self.shares[depth] = self.shares[depth + 1] + round(shares[depth - 1] / _UNIT)
        #: Sums of these up to a depth.
        self.up_to = list(accumulate(self.shares))

    def sum(self, start: int, end: int) -> float:
        """Of w(d) for the depths behind ``start`` up to ``end``."""
        return self.behind[start] - self.behind[end]

    def shared(self, start: int, end: int) -> float:
        """Of w(d)/d for these depths."""
        return (self.shares[start + 1] - self.shares[end + 1]) * _UNIT


@lru_cache(maxsize=16)
def _weights_for(p: float, size: int) -> _Weights:
    """Weights up to a depth or beyond it; lists of similar length have the same."""
    return _Weights(p, 1 << (size - 1).bit_length())


def _untied(one: Sequence[str], other: Sequence[str], p: float) -> _Overlap:
    """Rank-biased overlap of two lists without ties (Webber, Moffat and Zobel 2010).

    A document that both lists have counts from the larger of its two ranks on, so it is one
    look-up in the sums of weights.
    """
    short, long = sorted((one, other), key=len)
    s, l = len(short), len(long)  # noqa: E741 - the paper's names
    weights = _weights_for(p, s + l)
    place = {document: rank for rank, document in enumerate(short, start=1)}.get
    found = [
        rank if rank > there else there  # noqa: FURB136 - a call for each document takes time
        for rank, document in enumerate(long, start=1)
        if (there := place(document))
    ]
    common = len(found)
    minimum = sum(map(weights.shares.__getitem__, found))
    early = common if s == l else sum(rank <= s for rank in found)
    # What lacks to full agreement at all depths up to l; exact, so that equal lists have 1.
    rest = weights.shares[l + 1]
    lacking = (weights.up_to[l] - l * rest) - (minimum - common * rest)
    agreement = early / s
    grown = agreement * (weights.sum(s, l) - s * weights.shared(s, l))
    last = (common + (l - s) * agreement) / l
    value = 1 - lacking * _UNIT + grown - (1 - last) * weights.behind[l] if common else 0.0
    seen = weights.sum(s, l) - s * weights.shared(s, l)
    return _Overlap(value, minimum * _UNIT, seen + _unseen(weights, s, l, common))


def _unseen(weights: _Weights, s: int, l: int, common: int) -> float:  # noqa: E741
    """What the agreement behind l may add to its minimum.

    At most, two common documents more come with each depth, until at f all are common.
    """
    f = l + s - common
    return (
        2 * weights.sum(l, f)
        - (l + s) * weights.shared(l, f)
        + weights.behind[f]
        - common * weights.shares[f + 1] * _UNIT
    )


# With ties --------------------------------------------------------------------------------

# The group of a document that a list has not: behind all others.
_NEVER: Final = 1 << 60


class _TiedList:
    """A list of documents in groups, those of a group tied."""

    def __init__(self, documents: Sequence[str], scores: Sequence[float]) -> None:
        self.documents = documents
        ends = [at for at, (one, next) in enumerate(pairwise(scores), start=1) if one != next]
        #: The ranks of the groups' last documents.
        self.ends = [*ends, len(documents)]

    @cached_property
    def groups(self) -> dict[str, int]:
        """The number of each document's group."""
        starts = [0, *self.ends]
        numbers = [
            number
            for number, (start, end) in enumerate(pairwise(starts))
            for _ in range(start, end)
        ]
        return dict(zip(self.documents, numbers, strict=True))


class _Stretch(NamedTuple):
    """Depths at which the same two groups are being read."""

    start: int
    end: int
    #: Where the groups begin and end, as the number of documents up to there.
    short_start: int
    short_end: int
    long_start: int
    long_end: int
    #: Common documents that both lists have in groups before, in this group of the shorter
    #: list and before in the longer, the other way round, and in both groups.
    full: int
    in_short: int
    in_long: int
    in_both: int
    #: Documents that only the longer list has: in groups before, and in this group.
    only_before: int
    only_here: int


@dataclass(frozen=True, slots=True)
class _Ties:
    """Two lists with ties, read beside each other."""

    #: Lengths of the shorter and of the longer list.
    s: int
    l: int  # noqa: E741 - the paper's names
    stretches: Sequence[_Stretch]

    @classmethod
    def of(cls, one: _TiedList, other: _TiedList) -> _Ties:
        """All depths of the longer list."""
        short, long = sorted((one, other), key=lambda ranking: len(ranking.documents))
        return cls(len(short.documents), len(long.documents), list(_read(short, long)))


def _read(short: _TiedList, long: _TiedList) -> Iterator[_Stretch]:
    """All depths of the longer list.

    Behind its end, the shorter list goes on with unknown documents without ties.
    """
    in_long_list, in_short_list = long.groups.get, short.groups.get
    short_ends, long_ends = iter(short.ends), iter(long.ends)
    full = in_short = in_long = in_both = only_before = only_here = 0
    of_short = of_long = -1
    short_start = short_end = long_start = long_end = depth = 0
    while depth < len(long.documents):
        if depth == short_end:
            full, in_long = full + in_short, in_long + in_both
            in_short = in_both = 0
            of_short += 1
            short_start, short_end = depth, next(short_ends, depth + 1)
            for document in short.documents[depth:short_end]:
                there = in_long_list(document, _NEVER)
                if there < of_long:
                    in_short += 1
                elif there == of_long:
                    in_both += 1
        if depth == long_end:
            full, in_short = full + in_long, in_short + in_both
            in_long = in_both = 0
            only_before, only_here = only_before + only_here, 0
            of_long += 1
            long_start, long_end = depth, next(long_ends)
            for document in long.documents[depth:long_end]:
                there = in_short_list(document, _NEVER)
                if there < of_short:
                    in_long += 1
                elif there == of_short:
                    in_both += 1
                elif there == _NEVER:
                    only_here += 1
        end = min(short_end, long_end)
        yield _Stretch(
            depth + 1,
            end,
            short_start,
            short_end,
            long_start,
            long_end,
            full,
            in_short,
            in_long,
            in_both,
            only_before,
            only_here,
        )
        depth = end


#: How much of the shorter and of the longer list's group counts at a depth.
_Share = Callable[[int, int, int], float]
#: What full agreement at a depth is, from the depth, the stretch and both shares.
_Norm = Callable[[int, _Stretch, float, float], float]


@dataclass(frozen=True, slots=True)
class _TieVariant:
    """How ties are treated."""

    share: _Share
    norm: _Norm


def _all_at_once(depth: int, start: int, end: int) -> float:
    return 1.0


def _by_chance(depth: int, start: int, end: int) -> float:
    return (depth - start) / (end - start)


def _mean_size(depth: int, at: _Stretch, short: float, long: float) -> float:
    return (at.short_end + at.long_end) / 2


def _depth(depth: int, at: _Stretch, short: float, long: float) -> float:
    return depth


def _corrected(depth: int, at: _Stretch, short: float, long: float) -> float:
    # In the order in which common documents are counted, so that equal lists have exactly 1.
    one = at.short_start + short * (short * (at.short_end - at.short_start))
    other = at.long_start + long * (long * (at.long_end - at.long_start))
    return sqrt(one * other)


#: Corsi and Urbano's variants. In w, tied documents share a rank, so all of them are there from
#: the group's first depth on. In a, their order is unknown: each counts by the chance that it is
#: among those read, so that agreement is the mean over all orders. In b, that is divided by what
#: ties leave of the agreement of each list with itself.
_VARIANTS: Final = {
    "w": _TieVariant(_all_at_once, _mean_size),
    "a": _TieVariant(_by_chance, _depth),
    "b": _TieVariant(_by_chance, _corrected),
}


def _tied(ties: _Ties, p: float, variant: _TieVariant) -> _Overlap:
    """Rank-biased overlap of two lists with ties (Corsi and Urbano 2024)."""
    s, l = ties.s, ties.l  # noqa: E741 - the paper's names
    weights = _weights_for(p, s + l)
    share, norm = variant.share, variant.norm
    known: list[float] = []
    extrapolated: list[float] = []
    possible: list[float] = []
    for at in ties.stretches:
        for depth in range(at.start, at.end + 1):
            ours = share(depth, at.short_start, at.short_end)
            theirs = share(depth, at.long_start, at.long_end)
            common = at.full + ours * at.in_short + theirs * (at.in_long + ours * at.in_both)
            full = norm(depth, at, ours, theirs)
            known.append(common / full)
            if depth > s:
                # The unknown documents of the shorter list may be those that only the longer has.
                unknown = depth - s
                mean = (at.only_before + theirs * at.only_here) / (at.only_before + at.only_here)
                extrapolated.append((common + unknown * known[s - 1] * mean) / full)
                whole = min(unknown, at.only_before)
                possible.append((whole + (unknown - whole) * theirs) / full)
    last = (common + (l - s) * known[s - 1]) / l
    # Differences from the last agreement, so that equal lists have exactly 1.
    gaps = [agreement - last for agreement in (*known[:s], *extrapolated)]
    value = last + fsum(map(mul, weights.single, gaps))
    minimum = fsum(map(mul, weights.single, known)) + common * weights.shares[l + 1] * _UNIT
    seen = fsum(map(mul, weights.single[s:], possible))
    return _Overlap(value, minimum, seen + _unseen(weights, s, l, round(common)))
