"""What stands below a table of an evaluation: what is limited, left out, or has to be read with care."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from primad_ld.evaluation.correction import COMPARISONS, P_VALUES
from primad_ld.measures.results import Evaluation, PairResult, Result
from primad_ld.tables.grid import UNDEFINED, Grid

#: An original effect with a larger p-value cannot be told from none.
_LEVEL: Final = 0.05
_MOST: Final = 3
_SHARES: Final = re.compile(r"judged($|@)")
_INTERVAL: Final = re.compile(r"\d \[-?\d")
_CORRECTED: Final = re.compile(r"<?[\d.]+ \(<?[\d.]+\)")


def reasons(results: Iterable[Result]) -> tuple[str, ...]:
    """Why cells are empty, each reason once with what it holds for."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in results:
        if one.figure.reason:
            places = found.setdefault((str(one.measure), one.figure.reason), [])
            if one.on is not None and one.on not in places:
                places.append(one.on)
    return tuple(
        f"{UNDEFINED} {measure}{_on(places)}: {reason}"
        for (measure, reason), places in found.items()
    )


def unstable(results: Iterable[Result]) -> Iterator[str]:
    """Effect ratios whose divisor, the original effect, cannot be told from 0."""
    for one in results:
        effect, p = (one.figure.details.get(name) for name in ("original", "original_p"))
        if effect is not None and one.figure.topics == 1:
            yield f"{one.measure} on {one.on}: one topic, whose effects may be anybody's"
        if effect is not None and p is not None and p >= _LEVEL:
            yield (
                f"{one.measure} on {one.on}: the original effect, {effect:.4f}, cannot be told from "
                f"0 (paired t-test, p {p:.4f}), so a ratio to it says little"
            )


def of_orders(pairs: Sequence[PairResult]) -> Iterator[str]:
    """On how many topics rankings are compared, where that is not what the heading says."""
    counts = {
        one.figure.topics
        for pair in pairs
        for one in pair.results
        if one.on is None and one.figure.topics not in (None, pair.common.topics.compared)
    }
    if counts:
        listed = " or ".join(f"{count:,}" for count in sorted(filter(None, counts)))
        yield f"rankings are compared on {listed} topics, judged or not"


def of_all(evaluation: Evaluation, grids: Sequence[Grid]) -> Iterator[str]:
    """What holds for all tables: what stands in brackets, and what in parentheses."""
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    results = [one for pair in evaluation.pairs for one in pair.results]
    levels = {
        one.measure.parameters["level"]
        for one in results
        if one.measure.id not in P_VALUES and one.figure.details.get("low") is not None
    }
    if levels and any(_INTERVAL.search(cell) for cell in cells):
        shown = " or ".join(f"{100 * level:g}" for level in sorted(levels))
        yield f"in brackets: {shown} % bootstrap intervals over topics"
    if any(map(_has_shares, grids)):
        yield (
            "judged: the share of the first k documents that are judged (Judged@k), on both sides; "
            "topics without documents do not count"
        )
    level = evaluation.parameters.get("relevance level", 1)
    if level != 1 and any(one.on is not None for one in results):
        yield f"relevant from level {level} on, where a measure does not state its own (rel)"
    counts = {int(one.figure.details.get(COMPARISONS) or 0) for one in results} - {0, 1}
    if counts and any(_CORRECTED.fullmatch(cell) for cell in cells):
        least, most = min(counts), max(counts)
        number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        yield f"in parentheses: corrected by {evaluation.correction} for {number} comparisons"


def _has_shares(grid: Grid) -> bool:
    """Whether a column or a row has shares of judged documents."""
    heads = [*grid.columns, *(row[0] for row in grid.rows)]
    return any(_SHARES.match(one) for one in heads)


def _on(places: Sequence[str]) -> str:
    more = f" and {len(places) - _MOST} more" if len(places) > _MOST else ""
    return f" on {', '.join(places[:_MOST])}{more}" if places else ""
