"""One reference against many candidates under ranking measures: the reference is coded once.

`order_figures` says what the functions of the catalogue say, to the last bit, in a fraction of
their time. Documents become numbers that compare as their names do, so that lists are sorted
and joined as arrays and no document is looked up by its name.

Eight bytes of a name in UTF-8, the first one highest, are such a number. What all names have in
common at their beginning is left out; for longer names, the places of the numbers among all
take the next bytes after them.
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
    with_identical,
    with_overlap,
)
from primad_ld.measures.measure_values import Figure, RankedPair, ranked_pair
from primad_ld.measures.numpy_kernels import (
    by_key,
    common_inversions_of,
    count_inversions_of,
    first_seen_inversions_of,
    inverted,
    weighted_overlap_of,
    weights_of,
)
from primad_ld.measures.registry import Chosen
from primad_ld.trec.rankings import RankedRun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from primad_ld.measures.numpy_kernels import Counts

    Keys = NDArray[np.uint64]


class PreparedReference:
    """A reference that is compared with many candidates."""

    def __init__(self, run: RankedRun) -> None:
        self.run = run
        self._names: dict[tuple[tuple[str, ...], int], _Names] = {}

    def names(self, topics: tuple[str, ...], depth: int) -> _Names:
        """The documents of some topics, up to a depth."""
        key = topics, depth
        if key not in self._names:
            # Candidates mostly have the same topics; others are not worth remembering.
            self._names = {old: found for old, found in self._names.items() if old[0] == topics}
            self._names[key] = _Names([self.run.documents.get(one, ())[:depth] for one in topics])
        return self._names[key]


def order_figures(
    reference: PreparedReference, candidate: RankedRun, chosen: Sequence[Chosen]
) -> list[Figure]:
    """What ranking measures say of a reference and a candidate, in the order of the measures."""
    pair = ranked_pair(reference.run, candidate)
    figures: dict[int, Figure] = {}
    for depth in {int(one.parameters["depth"]) for one in chosen if one.id in _VECTORISED}:
        try:
            coded = _coded(reference, pair, depth)
        except _NotCodedError:
            continue
        for place, one in enumerate(chosen):
            if one.id in _VECTORISED and one.parameters["depth"] == depth:
                figures[place] = _VECTORISED[one.id](coded, one)
    return [
        figures[place] if place in figures else one.ask(pair) for place, one in enumerate(chosen)
    ]


# Pairs ------------------------------------------------------------------------------------

# Behind every key: no byte of a name in UTF-8 is 0xFF.
_BEHIND: Final = 2**64 - 1


def _coded(reference: PreparedReference, pair: RankedPair, depth: int) -> _CodedPair:
    ours = reference.names(pair.topics, depth)
    theirs = _Names([found[:depth] for found in pair.candidate])
    one, other = _keys_of(ours, theirs)
    keys = _rows(one, ours.sizes), _rows(other, theirs.sizes)
    if ours.order is None:  # keys may differ from candidate to candidate, and their order does not
        ours.order = by_key(keys[0], ours.sizes, _BEHIND)
    return _CodedPair(
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
class _CodedPair:
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


# Measures ---------------------------------------------------------------------------------


def _taus(
    coded: _CodedPair, tau: Callable[[int, int], float], sizes: Iterable[int], found: Counts
) -> Figure:
    of_topic = list(zip(sizes, found.tolist(), strict=True))
    return over_topics(coded.topics, lambda place: tau(*of_topic[place]))


def _ktu(coded: _CodedPair, chosen: Chosen) -> Figure:
    return _taus(coded, tau_of, coded.shorter.tolist(), coded.inversions_by_name)


def _ktu_first_seen(coded: _CodedPair, chosen: Chosen) -> Figure:
    return _taus(coded, tau_of, coded.shorter.tolist(), coded.inversions_first_seen)


def _tau_common(coded: _CodedPair, chosen: Chosen) -> Figure:
    import numpy as np

    count, inversions, _ = coded.common
    longer = np.maximum(*coded.sizes).tolist()
    overlaps = [one / size for one, size in zip(count.tolist(), longer, strict=True) if size]
    return with_overlap(_taus(coded, tau_of_common, count.tolist(), inversions), overlaps)


def _rbo(coded: _CodedPair, chosen: Chosen) -> Figure:
    p, depth = float(chosen.parameters["p"]), int(chosen.parameters["depth"])
    weights, unit = weights_of(p, depth)
    found = weighted_overlap_of(coded.there, weights).tolist()
    figure = over_topics(coded.topics, lambda place: found[place] * unit)
    return with_identical(figure, p, depth, coded.sizes[0].tolist())


#: Measures that are computed here, by their identifiers.
_VECTORISED: Final = {
    "ktu": _ktu,
    "ktu_first_seen": _ktu_first_seen,
    "tau_common": _tau_common,
    "rbo": _rbo,
}


# Names as numbers -------------------------------------------------------------------------

_WORD: Final = 8
# Of longer names, behind what is common, Python's own sorting is as fast.
_LONGEST: Final = 24


class _NotCodedError(Exception):
    """Names that are too long for numbers, or have characters that files cannot have."""


class _Names:
    """The documents of several lists, one list after the other."""

    def __init__(self, lists: Sequence[Sequence[str]]) -> None:
        import numpy as np

        #: How many each list has.
        self.sizes = np.array([len(names) for names in lists], np.int64)
        count = int(self.sizes.sum())
        text = "\n".join(["\n".join(names) for names in lists if names])
        try:
            self._bytes = text.encode() + b"\n" * bool(count) + b"\0" * _WORD
        except UnicodeEncodeError:  # half of a character that has two halves
            raise _NotCodedError from None
        ends = np.flatnonzero(np.frombuffer(self._bytes, np.uint8) == ord("\n"))
        if len(ends) != count or self._bytes.count(b"\0") != _WORD:
            raise _NotCodedError
        self._starts = np.empty_like(ends)
        self._starts[:1], self._starts[1:] = 0, ends[:-1] + 1
        self._lengths = ends - self._starts
        #: Bytes of the longest.
        self.longest = int(self._lengths.max(initial=0))
        #: The places of each list in the order of the names, where somebody found them out.
        self.order: NDArray[np.int64] | None = None
        self._words: dict[int, Keys] = {}

    def words(self, offset: int) -> Keys:
        """Eight bytes of each name from some byte on; zeros where it ends."""
        import numpy as np

        if offset not in self._words:
            every = np.ndarray(
                (len(self._bytes) - _WORD + 1,), ">u8", buffer=self._bytes, strides=(1,)
            )
            left = np.clip(self._lengths - offset, 0, _WORD)
            found = every[np.minimum(self._starts + offset, len(every) - 1)].astype(np.uint64)
            if (left < _WORD).any():
                found &= _masks()[left]
            self._words[offset] = found
        return self._words[offset]


def _masks() -> Keys:
    import numpy as np

    return np.array([(1 << 64) - (1 << 8 * (_WORD - left)) for left in range(_WORD + 1)], np.uint64)


def _keys_of(one: _Names, other: _Names) -> tuple[Keys, Keys]:
    """Numbers for the names of both that are equal where the names are, and compare as they do."""
    longest = max(one.longest, other.longest)
    offset = _common(one, other, longest)
    if longest - offset > _LONGEST:
        raise _NotCodedError
    ours, theirs = one.words(offset), other.words(offset)
    if longest - offset > _WORD:
        return _longer(one, other, offset + _WORD, longest)
    return ours, theirs


def _common(one: _Names, other: _Names, longest: int) -> int:
    """So many bytes at the beginning are the same in all names."""
    import numpy as np

    for offset in range(0, longest, _WORD):
        words = [each for each in (one.words(offset), other.words(offset)) if len(each)]
        differing = 0
        for each in words:
            differing |= int(np.bitwise_or.reduce(each ^ words[0][0]))
        if differing:
            return offset + (64 - differing.bit_length()) // 8
    return longest


def _longer(one: _Names, other: _Names, offset: int, longest: int) -> tuple[Keys, Keys]:
    """Keys of more than eight bytes: of those read so far the rank, and the next bytes behind."""
    import numpy as np

    def both(offset: int) -> Keys:
        return np.concatenate([one.words(offset), other.words(offset)])

    keys = both(offset - _WORD)
    size = (64 - len(keys).bit_length()) // 8
    for start in range(offset, longest, size):
        keys = _ranks(keys) << np.uint64(8 * size) | both(start) >> np.uint64(8 * (_WORD - size))
    count = int(one.sizes.sum())
    return keys[:count], keys[count:]


def _ranks(keys: Keys) -> Keys:
    """For each key how many different ones are smaller."""
    import numpy as np

    order = np.argsort(keys)
    ordered = keys[order]
    found = np.zeros(len(keys), np.uint64)
    found[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return found
