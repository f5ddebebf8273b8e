"""P-values of several pairs, corrected for their number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from primad_ld.experiment.results import PairResult
from primad_ld.measures.corrections import adjust, correction_named

#: Measures whose value is the p-value of a hypothesis about one pair.
P_VALUES: Final = ("t_test", "t_test_unpaired", "wilcoxon", "tost", "tost_unpaired")


def corrected(pairs: Sequence[PairResult], name: str) -> list[PairResult]:
    """The pairs with each p-value corrected for all pairs under the same test and measure.

    The value stays what the test says; ``corrected`` in the details is what to judge by.
    """
    method = correction_named(name)
    changed = [list(pair.results) for pair in pairs]
    for places in _families(pairs).values():
        values = [changed[at][row].figure.value for at, row in places]
        for (at, row), value in zip(places, adjust(values, method), strict=True):
            figure = changed[at][row].figure
            details = {**figure.details, "corrected": value}
            changed[at][row] = replace(changed[at][row], figure=replace(figure, details=details))
    return [replace(pair, results=tuple(rows)) for pair, rows in zip(pairs, changed, strict=True)]


def _families(pairs: Sequence[PairResult]) -> Mapping[object, list[tuple[int, int]]]:
    """Where the p-values stand that are corrected together: pair and row."""
    found: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for at, pair in enumerate(pairs):
        if pair.reference == pair.candidate:
            continue  # no hypothesis
        # The pairs of a study are asked about again beside each other.
        is_alone = pair.reference_advanced is None
        for row, result in enumerate(pair.results):
            if result.measure.id in P_VALUES:
                family = is_alone, str(result.measure), result.on, result.run
                found[family].append((at, row))
    return found
