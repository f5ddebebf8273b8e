"""One reference against many candidates under ranking measures: the reference is coded once.

`order_figures` says what the functions of the catalogue say, to the last bit, in a fraction of
their time. Documents become numbers that compare as their names do, so that lists are sorted
and joined as arrays and no document is looked up by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from primad_ld.measures.catalogue.order import (
    over_topics,
    tau_of,
    tau_of_common,
    with_overlap,
)
from primad_ld.measures.document_keys import Names, NotCodedError, keys_of
from primad_ld.measures.figures import Figure
from primad_ld.measures.inputs import RankedPair, ranked_pair
from primad_ld.measures.registry import Chosen
from primad_ld.measures.vectors import (
    by_key,
    common_inversions_of,
    count_inversions_of,
    first_seen_inversions_of,
    inverted,
    weighted_overlap_of,
    weights_of,
)
from primad_ld.trec.rankings import RankedRun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from primad_ld.measures.vectors import Counts

    Keys = NDArray[np.uint64]

# Behind every key: no byte of a name in UTF-8 is 0xFF.
_BEHIND: Final = 2**64 - 1


class Prepared:
    """A reference that is compared with many candidates."""

    def __init__(self, run: RankedRun) -> None:
        self.run = run
        self._names: dict[tuple[tuple[str, ...], int], Names] = {}

    def names(self, topics: tuple[str, ...], depth: int) -> Names:
        """The documents of some topics, up to a depth."""
        key = topics, depth
        if key not in self._names:
            # Candidates mostly have the same topics; others are not worth remembering.
            self._names = {old: found for old, found in self._names.items() if old[0] == topics}
            self._names[key] = Names([self.run.documents.get(one, ())[:depth] for one in topics])
        return self._names[key]


def order_figures(
    reference: Prepared, candidate: RankedRun, chosen: Sequence[Chosen]
) -> list[Figure]:
    """What ranking measures say of a reference and a candidate, in the order of the measures."""
    pair = ranked_pair(reference.run, candidate)
    figures: dict[int, Figure] = {}
    for depth in {int(one.parameters["depth"]) for one in chosen if one.id in VECTORISED}:
        try:
            coded = _coded(reference, pair, depth)
        except NotCodedError:
            continue
        for place, one in enumerate(chosen):
            if one.id in VECTORISED and one.parameters["depth"] == depth:
                figures[place] = VECTORISED[one.id](coded, one)
    return [
        figures[place] if place in figures else one.ask(pair) for place, one in enumerate(chosen)
    ]


def _coded(reference: Prepared, pair: RankedPair, depth: int) -> CodedPair:
    ours = reference.names(pair.topics, depth)
    theirs = Names([found[:depth] for found in pair.candidate])
    one, other = keys_of(ours, theirs)
    keys = _rows(one, ours.sizes), _rows(other, theirs.sizes)
    if ours.order is None:  # keys may differ from candidate to candidate, and their order does not
        ours.order = by_key(keys[0], ours.sizes, _BEHIND)
    return CodedPair(
        topics=pair.topics,
        sizes=(ours.sizes, theirs.sizes),
        keys=keys,
        orders=(ours.order, by_key(keys[1], theirs.sizes, _BEHIND)),
    )


def _rows(keys: Keys, sizes: Counts) -> Keys:
    """The keys of each list in a row, with the largest number behind them."""
    import numpy as np

    width = int(sizes.max(initial=0))
    if (sizes == width).all():
        return keys.reshape(len(sizes), width)
    found = np.full((len(sizes), width), _BEHIND, np.uint64)
    found[np.arange(width) < sizes[:, None]] = keys
    return found


@dataclass(frozen=True, kw_only=True)
class CodedPair:
    """Two runs topic by topic, their documents as numbers that compare as the names do."""

    topics: tuple[str, ...]
    #: How many documents each topic has, of the reference and of the candidate.
    sizes: tuple[Counts, Counts]
    keys: tuple[Keys, Keys]
    #: The places of each list in the order of the names; behind them, places beyond its end.
    orders: tuple[Counts, Counts]

    @cached_property
    def shorter(self) -> Counts:
        """The length of the shorter list of each topic."""
        import numpy as np

        return np.minimum(*self.sizes)

    @cached_property
    def there(self) -> Counts:
        """For each document of the candidate its place in the reference, or -1."""
        import numpy as np

        ours, theirs = self.orders
        width = ours.shape[1]
        found = np.full(theirs.shape, -1, np.int64)
        joined = np.concatenate(
            [
                np.take_along_axis(self.keys[0], ours, axis=1),
                np.take_along_axis(self.keys[1], theirs, axis=1),
            ],
            axis=1,
        )
        if not joined.size:
            return found
        # Stable: of two equal keys, the reference's comes first.
        order = np.argsort(joined, axis=1, kind="stable")
        joined = np.take_along_axis(joined, order, axis=1)
        same = np.zeros(joined.shape, np.bool_)
        np.equal(joined[:, 1:], joined[:, :-1], out=same[:, :-1])
        same &= joined != _BEHIND
        where = np.flatnonzero(same)
        order, topic = order.reshape(-1), where // joined.shape[1]
        there = theirs[topic, order[where + 1] - width]
        found[topic, there] = ours[topic, order[where]]
        return found

    @cached_property
    def inversions_by_name(self) -> Counts:
        """The inversions of lists of the same length that are written as ranks of the names."""
        import numpy as np

        width = int(self.shorter.max(initial=0))
        both = [
            order
            if (sizes == self.shorter).all()
            else by_key(keys[:, :width], self.shorter, _BEHIND)
            for order, keys, sizes in zip(self.orders, self.keys, self.sizes, strict=True)
        ]
        if not width:
            return np.zeros(len(self.topics), np.int64)
        ours, theirs = (order[:, :width] for order in both)
        return count_inversions_of(np.take_along_axis(inverted(theirs), ours, axis=1))

    @cached_property
    def common(self) -> tuple[Counts, Counts, Counts]:
        """What `common_inversions_of` says of both lists."""
        return common_inversions_of(self.there, max(1, self.keys[0].shape[1]))

    @cached_property
    def inversions_first_seen(self) -> Counts:
        """The inversions of the candidate's documents as the reference, then itself, has them."""
        if (self.sizes[0] == self.sizes[1]).all():
            _, inversions, mixed = self.common
            return inversions + mixed
        return first_seen_inversions_of(self.there, *self.sizes)


def _taus(
    coded: CodedPair, tau: Callable[[int, int], float], sizes: Iterable[int], found: Counts
) -> Figure:
    of_topic = list(zip(sizes, found.tolist(), strict=True))
    return over_topics(coded.topics, lambda place: tau(*of_topic[place]))


def _ktu(coded: CodedPair, chosen: Chosen) -> Figure:
    return _taus(coded, tau_of, coded.shorter.tolist(), coded.inversions_by_name)


def _ktu_first_seen(coded: CodedPair, chosen: Chosen) -> Figure:
    return _taus(coded, tau_of, coded.shorter.tolist(), coded.inversions_first_seen)


def _tau_common(coded: CodedPair, chosen: Chosen) -> Figure:
    import numpy as np

    count, inversions, _ = coded.common
    longer = np.maximum(*coded.sizes).tolist()
    overlaps = [one / size for one, size in zip(count.tolist(), longer, strict=True) if size]
    return with_overlap(_taus(coded, tau_of_common, count.tolist(), inversions), overlaps)


def _rbo(coded: CodedPair, chosen: Chosen) -> Figure:
    weights, unit = weights_of(float(chosen.parameters["p"]), int(chosen.parameters["depth"]))
    found = weighted_overlap_of(coded.there, weights).tolist()
    return over_topics(coded.topics, lambda place: found[place] * unit)


#: Measures that are computed here, by their identifiers.
VECTORISED: Final = {
    "ktu": _ktu,
    "ktu_first_seen": _ktu_first_seen,
    "tau_common": _tau_common,
    "rbo": _rbo,
}
