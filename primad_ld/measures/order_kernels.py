"""The arithmetic of comparing orders: discordant pairs and overlaps weighted by depth.

Results are whole numbers, so that they do not depend on which way they were computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

# Weights are multiples of this fraction of their sum; rounding them costs less than 1e-15 of it.
_UNIT_BITS: Final = 62
# Work grows with the square of the length. For longer ones numpy's start is worth it.
_LONG: Final = 20_000


def count_inversions(order: Sequence[int]) -> int:
    """How many pairs of a sequence of different ranks, from 0 on, stand in descending order."""
    if len(order) > _LONG:
        from primad_ld.measures.numpy_kernels import count_inversions_of_any

        return count_inversions_of_any(order)
    seen = count = 0  # the ranks before are the bits of one large number
    for rank in order:
        count += (seen >> rank).bit_count()
        seen |= 1 << rank
    return count


@lru_cache(maxsize=16)
def overlap_weights(p: float, depth: int) -> tuple[tuple[int, ...], float]:
    """Weights of common documents by the depth at which both lists have them, and their unit.

    Truncated RBO is the sum over depths d of p^(d-1) |A ∩ B up to d| / d. A document that both
    lists have from depth d on adds p^(i-1) / i for each i from d to the end: one weight for
    each depth, a sum from behind. Divided by the sum of all p^(d-1), so that lists that are as
    long as the depth and identical have 1.
    """
    terms = [p**i / (i + 1) for i in range(depth)]
    total = sum(p**i for i in range(depth))
    unit = 2.0**-_UNIT_BITS
    weights, behind = [0] * depth, 0.0
    for i in range(depth - 1, -1, -1):
        behind += terms[i]
        weights[i] = round(behind / total / unit)
    return tuple(weights), unit


def weighted_overlap(one: Sequence[str], other: Sequence[str], weights: Sequence[int]) -> int:
    """The weights of all documents that both lists have, each at the larger of its two ranks.

    Weights fall from rank to rank, so that is the smaller of two weights.
    """
    of_other = dict(zip(other, weights, strict=False)).get
    return sum(
        [
            there if (there := of_other(document, 0)) < here else here
            for document, here in zip(one, weights, strict=False)
        ]
    )
