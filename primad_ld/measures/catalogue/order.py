"""How alike two rankings are: Kendall's tau in three ways, and rank-biased overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from primad_ld.measures.measure_values import Figure, RankedPair, UndefinedError, mean
from primad_ld.measures.order_kernels import count_inversions, overlap_weights, weighted_overlap
from primad_ld.measures.registry import Direction, Needs, Parameter, TopicPairing, measure

_KENDALL: Final = "Kendall, A new measure of rank correlation, Biometrika 30, 1938"
_BREUER: Final = (
    "Breuer et al., How to measure the reproducibility of system-oriented IR experiments, "
    "SIGIR 2020, doi:10.1145/3397271.3401036"
)
_WEBBER: Final = (
    "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), "
    "2010, doi:10.1145/1852102.1852106"
)
_DEPTH: Final = Parameter(1000, "documents of each list that count", 1, 1_000_000)
_P: Final = Parameter(0.95, "persistence: how far down the list a user reads", 0, 1, is_open=True)


@measure(
    "ktu",
    name="Kendall's tau union",
    needs=Needs.rankings,
    data=TopicPairing.same,
    definition="Each list, cut at the depth, is written as the positions that its documents have "
    "in the sorted union of both lists; KTU is Kendall's tau of these two sequences, rank by rank, "
    "and its mean over topics. Of lists of different length, the longer one is cut.",
    range="[-1, 1]",
    direction=Direction.higher,
    identity=1.0,
    caveats="It depends on the names of the documents, since the union is sorted by them: renaming "
    "documents changes it, lists without a common document have 1 if both are sorted by name, and "
    "near 0 it may stand for very similar lists. Read ktu_first_seen and tau_common beside it.",
    cites=f"{_BREUER}; {_KENDALL}",
    repro_eval="The same values, rounded to 14 digits for each topic. It fails for lists of "
    "different length and gives NaN for lists of one document.",
    parameters={"depth": _DEPTH},
)
def kendalls_tau_union(pair: RankedPair, *, depth: int) -> Figure:
    """KTU as the SIGIR 2020 paper and repro_eval have it."""

    def compare(one: _List, other: _List) -> float:
        size = min(len(one), len(other), depth)
        # The positions in the union compare as the names do: no union is needed.
        rank = dict(zip(sorted(other[:size]), range(size), strict=True))
        by_name = sorted(range(size), key=one.__getitem__)
        return tau([rank[other[place]] for place in by_name])

    return _by_topic(pair, compare)


@measure(
    "ktu_first_seen",
    name="Kendall's tau union, by first appearance",
    needs=Needs.rankings,
    data=TopicPairing.same,
    definition="Like KTU, but the union has the documents in the order of the reference, "
    "followed by those that only the candidate has, in its order. So the reference "
    "reads 0, 1, 2, … "
    "and tau says how far the candidate keeps that order; its names play no part.",
    range="[-1, 1]",
    direction=Direction.higher,
    identity=1.0,
    caveats="Not symmetric. Documents that only the candidate has count as if the reference had "
    "them last. Lists without a common document have 1: look at the overlap (tau_common) or at rbo.",
    cites=_KENDALL,
    parameters={"depth": _DEPTH},
)
def tau_union_first_seen(pair: RankedPair, *, depth: int) -> Figure:
    """KTU that does not depend on what documents are called."""

    def compare(one: _List, other: _List) -> float:
        size = min(len(one), len(other), depth)
        place = {name: rank for rank, name in enumerate(one[:size])}
        for name in other[:size]:
            place.setdefault(name, len(place))
        return tau([place[name] for name in other[:size]])

    return _by_topic(pair, compare)


@measure(
    "tau_common",
    name="Kendall's tau on common documents",
    needs=Needs.rankings,
    data=TopicPairing.same,
    definition="Kendall's tau of the documents that both lists have, in the order of each; beside "
    "it the overlap, which is the share of common documents in the longer list. Both are means over "
    "topics.",
    range="[-1, 1]",
    direction=Direction.higher,
    identity=1.0,
    caveats="It says nothing about documents that only one list has, so read it with the overlap.",
    cites=_KENDALL,
    parameters={"depth": _DEPTH},
)
def tau_on_common(pair: RankedPair, *, depth: int) -> Figure:
    """Kendall's tau where it is defined, and the overlap beside it."""
    overlaps = []

    def compare(one: _List, other: _List) -> float:
        place = {name: rank for rank, name in enumerate(one[:depth])}
        common = [place[name] for name in other[:depth] if name in place]
        longer = min(max(len(one), len(other)), depth)
        if longer:
            overlaps.append(len(common) / longer)
        return tau_of_common(len(common), count_inversions(common))

    return with_overlap(_by_topic(pair, compare), overlaps)


@measure(
    "rbo",
    name="rank-biased overlap, truncated and normalised",
    needs=Needs.rankings,
    data=TopicPairing.same,
    definition="The sum over the depths d of p^(d-1) times the share of common documents among the "
    "first d of both lists, divided by the sum of p^(d-1); its mean over topics. It comes with "
    "what the "
    "reference has with itself (identical).",
    range="[0, 1]",
    direction=Direction.higher,
    identity=None,
    caveats="Lists that are shorter than the depth do not reach 1, identical or not: with p 0.95 "
    "identical lists of 3, 10 and 100 documents have 0.349, 0.672 and 0.999; use rbo_ext for them. "
    "Values with different p are not comparable: repro_eval has 0.95 since version 0.5, the papers "
    "and its earlier versions 0.8.",
    cites=f"{_WEBBER}, equation 4; normalised as Clarke, Vtyurina and Smucker, Assessing top-k "
    "preferences, ACM TOIS 39(3), 2021, doi:10.1145/3451161; " + _BREUER,
    repro_eval="The same values.",
    parameters={"p": _P, "depth": _DEPTH},
)
def rank_biased_overlap(pair: RankedPair, *, p: float, depth: int) -> Figure:
    """RBO, cut at a depth and divided by what identical lists of that length have."""
    weights, unit = overlap_weights(p, depth)

    def compare(one: _List, other: _List) -> float:
        return weighted_overlap(one[:depth], other[:depth], weights) * unit

    return with_identical(_by_topic(pair, compare), p, depth, map(len, pair.reference))


def with_identical(found: Figure, p: float, depth: int, lengths: Iterable[int]) -> Figure:
    """Truncated RBO beside what the reference has with itself, lists of such lengths."""
    weights, unit = overlap_weights(p, depth)
    sums = list(accumulate(weights, initial=0))
    most = [sums[min(length, depth)] * unit for length in lengths]
    return replace(found, details={"identical": mean(most) if most else None})


# Over topics ------------------------------------------------------------------------------

_List = Sequence[str]


def _by_topic(pair: RankedPair, compare: Callable[[_List, _List], float]) -> Figure:
    """The mean over the topics for which two lists can be compared, and what each topic has."""
    return over_topics(
        pair.topics, lambda place: compare(pair.reference[place], pair.candidate[place])
    )


def over_topics(topics: Sequence[str], compare: Callable[[int], float]) -> Figure:
    """The mean of what a comparison says of the topics, which it is asked for by their places."""
    values: dict[str, float | None] = {}
    why: dict[str, str] = {}
    for place, topic in enumerate(topics):
        try:
            values[topic] = compare(place)
        except UndefinedError as error:
            values[topic], why[topic] = None, str(error)
    defined = [value for value in values.values() if value is not None]
    if not defined:
        reasons = "; ".join(sorted(set(why.values()))) or "there is none"
        return Figure(
            value=None, reason=f"no topic has a value: {reasons}", undefined=why, topics=0
        )
    return Figure(value=mean(defined), by_topic=values, undefined=why, topics=len(defined))


def tau(order: Sequence[int]) -> float:
    """Kendall's tau of a permutation with the ascending order."""
    return tau_of(len(order), count_inversions(order))


def tau_of(size: int, inversions: int) -> float:
    """Kendall's tau of so many documents."""
    pairs = size * (size - 1) // 2
    if not pairs:
        few = "one document" if size else "no documents"
        raise UndefinedError(f"{few} to compare, so there is no pair")
    return (pairs - 2 * inversions) / pairs


def tau_of_common(size: int, inversions: int) -> float:
    """Kendall's tau of so many documents that both lists have."""
    if size < 2:
        count = "one common document" if size else "no common document"
        raise UndefinedError(f"{count}, so there is no pair")
    return tau_of(size, inversions)


def with_overlap(found: Figure, overlaps: Sequence[float]) -> Figure:
    """The mean share of common documents beside their order."""
    return Figure(
        value=found.value,
        reason=found.reason,
        details={"overlap": mean(list(overlaps)) if overlaps else None},
        topics=found.topics,
        by_topic=found.by_topic,
        undefined=found.undefined,
    )
