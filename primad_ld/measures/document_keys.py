"""Names of documents as numbers that compare as the names do.

Eight bytes of a name in UTF-8, the first one highest, are such a number. What all names have in
common at their beginning is left out; for longer names, the places of the numbers among all
take the next bytes behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Keys = NDArray[np.uint64]

_WORD: Final = 8
# Of longer names, behind what is common, Python's own sorting is as fast.
_LONGEST: Final = 24


class NotCodedError(Exception):
    """Names that are too long for numbers, or have characters that files cannot have."""


class Names:
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
            raise NotCodedError from None
        ends = np.flatnonzero(np.frombuffer(self._bytes, np.uint8) == ord("\n"))
        if len(ends) != count or self._bytes.count(b"\0") != _WORD:
            raise NotCodedError
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
                found &= _MASKS()[left]
            self._words[offset] = found
        return self._words[offset]


def _MASKS() -> Keys:  # noqa: N802
    import numpy as np

    return np.array([(1 << 64) - (1 << 8 * (_WORD - left)) for left in range(_WORD + 1)], np.uint64)


def keys_of(one: Names, other: Names) -> tuple[Keys, Keys]:
    """Numbers for the names of both that are equal where the names are, and compare as they do."""
    longest = max(one.longest, other.longest)
    offset = _common(one, other, longest)
    if longest - offset > _LONGEST:
        raise NotCodedError
    ours, theirs = one.words(offset), other.words(offset)
    if longest - offset > _WORD:
        return _longer(one, other, offset + _WORD, longest)
    return ours, theirs


def _common(one: Names, other: Names, longest: int) -> int:
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


def _longer(one: Names, other: Names, offset: int, longest: int) -> tuple[Keys, Keys]:
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
