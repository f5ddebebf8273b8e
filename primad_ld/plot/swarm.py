"""Values of a row as a swarm: near ones above each other, and smaller where there are many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# In rows: how far apart lines of values are, and all of them together.
_STEP: Final = 0.17
_REACH: Final = 0.68
_MOST_LINES: Final = 13
# The middle, and then those above and below it in turn.
_LINES: Final = tuple((line + 1) // 2 * (1 if line % 2 else -1) for line in range(_MOST_LINES))
_FULL: Final = 4.5


@dataclass(frozen=True, kw_only=True, slots=True)
class Marker:
    """How large the values of a figure are drawn, and whether those below show through."""

    size: float
    alpha: float | None = None

    @property
    def share(self) -> float:
        """Its size as a share of the usual one."""
        return self.size / _FULL


# By how many values there are in a row at least.
_MARKERS: Final = {
    200: Marker(size=2.2, alpha=0.6),
    30: Marker(size=3.0, alpha=0.7),
    0: Marker(size=_FULL),
}


def marker_of(values: int) -> Marker:
    """The marker for rows of so many values."""
    return next(marker for least, marker in _MARKERS.items() if values >= least)


def offsets_of(values: Sequence[float], near: float) -> list[float]:
    """How far each value stands above or below its row, so that none hides another.

    Each stands in the line next to the middle where there is room for it; where there are so many
    that there is none, in the one with most room.
    """
    lines = [0] * len(values)
    last: dict[int, float] = {}
    heaps: list[list[int]] = []
    for place in sorted(range(len(values)), key=lambda place: (values[place], place)):
        value = values[place]
        if not heaps or value - values[heaps[-1][-1]] >= near:
            heaps.append([])
            last.clear()
        free = next(
            (line for line in _LINES if line not in last or value - last[line] >= near), None
        )
        lines[place] = line = min(last, key=last.__getitem__) if free is None else free
        # The last one in order, so that equal values take turns.
        last.pop(line, None)
        last[line] = value
        heaps[-1].append(place)
    return _centred(lines, heaps)


def _centred(lines: Sequence[int], heaps: Sequence[Sequence[int]]) -> list[float]:
    """The offsets of values in lines, each heap around the middle and all within the row."""
    ends = [(min(lines[at] for at in heap), max(lines[at] for at in heap)) for heap in heaps]
    step = min(_STEP, _REACH / max([1, *(high - low for low, high in ends)]))
    offsets = [0.0] * len(lines)
    for heap, (low, high) in zip(heaps, ends, strict=True):
        for at in heap:
            offsets[at] = (lines[at] - (low + high) / 2) * step
    return offsets
