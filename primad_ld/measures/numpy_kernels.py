"""The arithmetic of `order_kernels` for many lists at once, in numpy: the same whole numbers, faster.

Inversions of a permutation are counted in blocks. Positions are cut into blocks of 32, and so
are values. Two entries that stand in different blocks of both are counted from a table of how
many entries each pair of blocks has. What is left are entries that share their block of
positions, and those that share their block of values only: few enough to compare them all.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from primad_ld.measures.order_kernels import overlap_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.integer[Any]]
    Counts = NDArray[np.int64]

_BITS: Final = 5
_BLOCK: Final = 1 << _BITS
#: Longer lists are counted one by one. The table has so many entries for each of theirs that
#: counting bit by bit is as good, and sums of single precision are exact up to 4096.
WIDEST: Final = 2048
#: Permutations that are counted together, so that what is in work stays in the cache.
_TOGETHER: Final = 64
# Tables that are counted at once: small pieces of memory are not given back to the system.
_TABLES: Final = 8
# Widths whose counters a thread keeps: topics may have lists of different lengths.
_COUNTERS: Final = 8


def _padded(width: int) -> int:
    """The next whole number of blocks."""
    return -(-width // _BLOCK) * _BLOCK


class _BlockCounter:
    """Counts the inversions of permutations of one width, at most so many at once.

    What it works in is allocated once. Expressions of numpy ask the system for fresh memory
    again and again, which takes longer than the arithmetic.
    """

    def __init__(self, width: int, most: int) -> None:
        """Permutations of 0 … width-1; the width is not more than `WIDEST`."""
        import numpy as np

        self.width, self.most = width, most
        #: The width with what is put behind, in order, to fill the last block.
        self.whole = _padded(width)
        self._blocks = self.whole // _BLOCK
        entries, cells = self.whole * most, self._blocks**2 * most
        self._flags = np.empty(entries, np.bool_)
        self._found = np.empty(entries, np.uint8)
        self._sums = np.empty(self._blocks * most, np.uint16)
        self._table, self._left, self._above = (np.empty(cells, np.float32) for _ in range(3))
        self._lower = np.tril(np.ones((self._blocks, self._blocks), np.float32), -1)
        self._upper = np.ascontiguousarray(self._lower.T)
        behind = np.arange(self.whole, dtype=np.uint16)
        self._orders, self._inverses = (np.tile(behind, (most, 1)) for _ in range(2))
        self._rows = np.empty(entries, np.uint16)
        self._row_blocks = np.empty(entries, np.uint8)
        self._cells = np.empty((most, self.whole), np.int64)
        self._offsets = np.arange(most)[:, None] * self.whole
        self._value_blocks = np.arange(self.whole) // _BLOCK
        self._positions = np.tile(behind, (most, 1))

    def count_rows(self, orders: Integers, inverses: Integers | None = None) -> Counts:
        """The inversions of each row; ``inverses`` are the positions of each value, if known."""
        import numpy as np

        count, width = orders.shape
        ours, theirs = self._orders[:count], self._inverses[:count]
        ours[:, :width] = orders
        cells = self._cells[:count]
        if inverses is None:
            np.add(ours, self._offsets[:count], out=cells)
            theirs.reshape(-1)[cells.reshape(-1)] = self._positions[:count].reshape(-1)
        else:
            theirs[:, :width] = inverses
        rows = self._rows[: ours.size].reshape(_BLOCK, self._blocks, count)
        rows[:] = ours.reshape(count, self._blocks, _BLOCK).transpose(2, 1, 0)
        np.right_shift(theirs, _BITS, out=cells)
        blocks = self._row_blocks[: ours.size].reshape(_BLOCK, self._blocks, count)
        blocks[:] = cells.reshape(count, self._blocks, _BLOCK).transpose(2, 1, 0)
        np.multiply(cells, self._blocks, out=cells)
        np.add(cells, self._value_blocks, out=cells)
        return self.count(rows, blocks, cells)

    def count_against(self, order: Counts, columns: ArrangedLists, skipped: int = 0) -> Counts:
        """The inversions between one list and others that are written as ranks of their names.

        ``order`` are the places of the list's documents in the order of their names, where the
        list may be shorter than the width. ``skipped`` columns at the beginning are left out.
        """
        import numpy as np

        count = columns.places.shape[0] - skipped
        ours = np.arange(self.whole)
        ours[: len(order)] = order
        block = np.empty(self.whole, np.int64)
        block[ours] = self._value_blocks
        rows = self._rows[: self.whole * count].reshape(self.whole, count)
        places = ours.reshape(-1, _BLOCK).T.reshape(-1)
        np.take(columns.ranks[:, skipped:], places, axis=0, out=rows, mode="clip")
        blocks = self._row_blocks[: self.whole * count].reshape(self.whole, count)
        np.take(block.astype(np.uint8), columns.spread[:, skipped:], out=blocks, mode="clip")
        cells = self._cells[:count]
        np.take(block * self._blocks, columns.places[skipped:], out=cells, mode="clip")
        np.add(cells, self._value_blocks, out=cells)
        return self.count(rows, blocks, cells)

    def count(self, rows: Integers, blocks: Integers, cells: Counts) -> Counts:
        """The inversions of m permutations, which are given in three ways.

        Args:
            rows: Of each block of positions the first values, the second values, …; a column
                for each permutation.
            blocks: Of each block of values the block of the position of the first value, of the
                second value, …; a column for each permutation.
            cells: For each permutation a row: the block of its position times the number of
                blocks and the block of its value, for each entry in any order.
        """
        found = self._descents(rows)
        found += self._descents(blocks)
        found += self._across(cells)
        return found

    def _descents(self, rows: Integers) -> Counts:
        """How many entries of a block are larger than one behind them, for each permutation."""
        import numpy as np

        columns = rows.size // _BLOCK
        rows = rows.reshape(_BLOCK, columns)
        flags = self._flags[: rows.size].reshape(_BLOCK, columns)
        found = self._found[: rows.size].reshape(_BLOCK, columns)
        found[-1] = 0
        np.greater(rows[:-1], rows[1:], out=found[:-1].view(np.bool_))
        for distance in range(2, _BLOCK):
            some = flags[:-distance]
            np.greater(rows[:-distance], rows[distance:], out=some)
            np.add(found[:-distance], some.view(np.uint8), out=found[:-distance])
        sums = self._sums[:columns]
        np.add.reduce(found, axis=0, dtype=np.uint16, out=sums)
        total: Counts = sums.reshape(self._blocks, -1).sum(axis=0, dtype=np.int64)
        return total

    def _across(self, cells: Counts) -> Counts:
        """Inversions of entries whose blocks of positions and of values are both different.

        They are the sum over all cells of how many entries have the same block of values and a
        later position, times how many have the same block of positions and a larger value.
        """
        import numpy as np

        count, blocks = len(cells), self._blocks
        size = blocks * blocks
        shape = count, blocks, blocks
        flat, left, above = (
            each[: count * size] for each in (self._table, self._left, self._above)
        )
        for start in range(0, count, _TABLES):
            some = cells[start : start + _TABLES]
            some += np.arange(0, len(some) * size, size)[:, None]
            counted = np.bincount(some.reshape(-1), minlength=len(some) * size)
            flat[start * size : start * size + len(counted)] = counted
        table = flat.reshape(shape)
        np.matmul(self._upper, table, out=left.reshape(shape))
        np.matmul(table, self._lower, out=above.reshape(shape))
        # All of these are whole numbers below 2^24, which single precision does not round.
        products = np.einsum("ck,ck->c", left.reshape(count, size), above.reshape(count, size))
        found: Counts = products.astype(np.int64)
        return found


class ArrangedLists:
    """Lists that are compared with others by names, arranged as `_BlockCounter` wants them."""

    def __init__(self, orders: Counts) -> None:
        """``orders`` has for each list the places of its documents in the order of their names."""
        import numpy as np

        count, width = orders.shape
        whole = _padded(width)
        behind = np.broadcast_to(np.arange(width, whole), (count, whole - width))
        #: A row for each list, up to whole blocks.
        self.places: Counts = np.concatenate([orders, behind], axis=1)
        #: The ranks of the documents, a column for each list.
        self.ranks = np.ascontiguousarray(inverted(self.places).T.astype(np.uint16))
        #: The places, a column for each list: of each block the first, the second, …
        self.spread = np.ascontiguousarray(
            self.places.reshape(count, -1, _BLOCK).transpose(2, 1, 0).reshape(whole, count)
        )


_kept = threading.local()


def counter(width: int, most: int = _TOGETHER) -> _BlockCounter:
    """A counter that is used again and again; each thread has its own."""
    counters: dict[str, _BlockCounter] = _kept.__dict__
    key = f"{width} {most}"
    if key not in counters:
        while len(counters) >= _COUNTERS:
            counters.pop(next(iter(counters)))
        counters[key] = _BlockCounter(width, most)
    return counters[key]


def count_inversions_of(orders: Integers, inverses: Integers | None = None) -> Counts:
    """How many pairs stand in descending order, for each row, which is a permutation of 0 … n-1.

    ``inverses`` has the position of each value, where the caller knows it.
    """
    import numpy as np

    count, width = orders.shape
    found = np.zeros(count, np.int64)
    if width < 2:
        return found
    if width > WIDEST:
        found[:] = [_count_bit_by_bit(order) for order in orders]
        return found
    in_blocks = counter(width)
    for start in range(0, count, _TOGETHER):
        rows = slice(start, start + _TOGETHER)
        known = None if inverses is None else inverses[rows]
        found[rows] = in_blocks.count_rows(orders[rows], known)
    return found


def inverted(orders: Integers) -> Counts:
    """The position of each value, for each row."""
    import numpy as np

    count, width = orders.shape
    found = np.empty((count, width), np.int64)
    np.put_along_axis(found, orders.astype(np.int64), np.arange(width)[None, :], axis=1)
    return found


def _count_bit_by_bit(order: Integers) -> int:
    """The inversions of one permutation of any length.

    Two entries are told apart by the highest bit in which they differ. From the highest bit on,
    those that agree in the bits before it stand together, in the order that they had.
    """
    import numpy as np

    size = len(order)
    values = order.astype(np.int64)
    places = np.arange(size)
    found = 0
    for bit in range((size - 1).bit_length() - 1, -1, -1):
        is_one = (values >> bit) & 1
        # Entries of a group are all numbers from its first one on, so it begins at that place.
        start = (values >> (bit + 1)) << (bit + 1)
        before = np.cumsum(is_one) - is_one
        ones = before - before[start]
        found += int(ones[is_one == 0].sum())
        behind = np.where(is_one == 1, start + (1 << bit) + ones, places - ones)
        moved = np.empty_like(values)
        moved[behind] = values
        values = moved
    return found


def count_inversions_of_any(order: Sequence[int]) -> int:
    """How many pairs of a sequence of different numbers stand in descending order."""
    import numpy as np

    ranks = inverted(np.argsort(np.array([order]), axis=1))
    return int(count_inversions_of(ranks)[0])


@lru_cache(maxsize=16)
def weights_of(p: float, depth: int) -> tuple[Counts, float]:
    """`overlap_weights` as an array with a 0 behind, and their unit."""
    import numpy as np

    weights, unit = overlap_weights(p, depth)
    found: Counts = np.array([*weights, 0], np.int64)
    return found, unit


def weighted_overlap_of(there: Integers, weights: Counts) -> Counts:
    """For each row the weights of common documents, each at the larger of its two ranks.

    Args:
        there: For each document of a list, in order, its rank in the other list; anything from
            the depth on, or below 0, where that has it not.
        weights: As `weights_of` has them; the last is that of documents that do not count.
    """
    import numpy as np

    last = len(weights) - 1
    there = there[:, :last].astype(np.int64)
    np.putmask(there, (there < 0) | (there > last), last)
    np.maximum(there, np.arange(there.shape[1]), out=there)
    found: Counts = weights[there].sum(axis=1)
    return found


def common_inversions_of(there: Integers, longest: int) -> tuple[Counts, Counts, Counts]:
    """Of lists whose documents have ranks in another list: how the common ones compare.

    Args:
        there: For each row and place the rank in the other list, below 0 where it is not there.
        longest: More than every rank.

    Returns for each row the common documents, the inversions among them, and how many pairs
    have a document that only this list has in front of a common one.
    """
    import numpy as np

    is_common = there >= 0
    count = is_common.sum(axis=1)
    missing = np.cumsum(~is_common, axis=1)
    mixed = np.where(is_common, missing, 0).sum(axis=1)
    # Those that are not there stand behind all others, in order; ranks become dense.
    values = np.where(is_common, there, longest - 1 + missing).astype(np.int64)
    taken = np.zeros((len(values), longest + values.shape[1]), np.int32)
    np.put_along_axis(taken, values, 1, axis=1)
    ranks = np.take_along_axis(np.cumsum(taken, axis=1), values, axis=1) - 1
    return count, count_inversions_of(ranks) - mixed, mixed


def first_seen_inversions_of(there: Integers, ours: Counts, theirs: Counts) -> Counts:
    """The inversions of lists that are written in the order of other lists, then their own.

    ``there`` are their ranks in the other lists, as `common_inversions_of` has them; both are
    cut at the length of the shorter one, of ``ours`` and ``theirs``.
    """
    import numpy as np

    sizes = np.minimum(ours, theirs)[:, None]
    width = int(sizes.max(initial=0))
    there = there[:, :width]
    is_in = (there < sizes) & (np.arange(there.shape[1]) < sizes)
    _, inversions, mixed = common_inversions_of(np.where(is_in, there, -1), max(1, width))
    return inversions + mixed


def by_key(keys: Integers, sizes: Counts, behind: int) -> Counts:
    """The places of the first documents of each row by their keys, then all other places.

    ``behind`` is larger than all keys.
    """
    import numpy as np

    width = keys.shape[1]
    if (sizes == width).all():
        return np.argsort(keys, axis=1)
    places = np.arange(width)
    is_in = places < sizes[:, None]
    order = np.argsort(np.where(is_in, keys, keys.dtype.type(behind)), axis=1)
    return np.where(is_in, order, places)
