"""Similar runs beside each other: hierarchical clustering with average linkage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# Turning branches so that neighbours are most alike takes time that grows with the cube.
_MOST_TO_TURN: Final = 400


def clustered(
    names: tuple[str, ...],
    values: Mapping[tuple[str, str], float],
    *,
    is_distance: bool = False,
    centre: float | None = None,
) -> tuple[str, ...]:
    """The names in the order of the leaves of a tree of similar ones.

    Distances are the values themselves, their distance from the ``centre``, or by how much they
    are less than the largest. Pairs without a value count as far apart as any. Of pairs with a
    value in both directions, the mean counts.
    """
    if len(names) < 3 or not values:
        return names
    import numpy as np

    # scipy has no types.
    from scipy.cluster import hierarchy

    given = [[values.get((a, b), np.nan) for b in names] for a in names]
    table = np.array(given, dtype=float)
    if centre is not None:
        table = np.abs(table - centre)
    elif not is_distance:
        table = np.nanmax(table) - table
    both = np.where(np.isnan(table), table.T, table), np.where(np.isnan(table.T), table, table.T)
    distances = (both[0] + both[1]) / 2
    distances = np.where(np.isnan(distances), np.nanmax(distances), distances)
    upper = distances[np.triu_indices(len(names), 1)]
    # Distances that differ by rounding alone must not decide an order.
    upper = np.round(upper - min(0.0, float(upper.min())), 12)
    tree = hierarchy.linkage(upper, "average")
    if len(names) <= _MOST_TO_TURN:
        tree = hierarchy.optimal_leaf_ordering(tree, upper)
    leaves = [int(leaf) for leaf in hierarchy.leaves_list(tree)]
    # A tree has no left and right: the run that came first stands in the first half.
    if leaves.index(0) > len(leaves) // 2:
        leaves.reverse()
    return tuple(names[leaf] for leaf in leaves)
