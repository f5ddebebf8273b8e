"""Names beside points: as many as there is room for, none above another."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from primad_ld.plot.style import GREY

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

Box = tuple[float, float, float, float]

_SIZE: Final = 6.5
# Of a sign of DejaVu Sans on average, as a share of the size of the font.
_WIDTH: Final = 0.62
_HEIGHT: Final = 1.15
_REACH: Final = 5.0
# Where a name may stand: which of its sides is at the point, and above, below or level.
_LEVEL: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
_SLANTED: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))
_ACROSS: Final = {1: "left", -1: "right", 0: "center"}
_ALONG: Final = {1: "bottom", -1: "top", 0: "center"}
#: More points than these are a cloud, in which single names say nothing.
MOST: Final = 300


def place_labels(
    axes: Axes,
    points: Sequence[tuple[float, float]],
    names: Sequence[str],
    others: Sequence[tuple[float, float]] = (),
    *,
    is_crossed: bool = False,
) -> int:
    """Write names where they cover no point, no text and no other name; how many found no place.

    Names that were placed before are taken away. ``is_crossed``: lines go through the points,
    so names stand rather beside both lines.
    """
    if len(points) > MOST:
        return len(points)
    from matplotlib.text import Annotation

    for text in [text for text in axes.texts if isinstance(text, Annotation)]:
        text.remove()
    figure = axes.get_figure(root=True)
    assert figure is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they come again when the figure is written
        figure.draw_without_rendering()  # only now it is known where things are
    scale = 72 / figure.dpi
    spots = [_spot(axes, point, scale) for point in (*points, *others)]
    taken: list[Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots]
    taken += [_in_points(text, scale) for text in axes.texts]
    inside = _in_points(axes, scale)
    sides = (*_SLANTED, *_LEVEL) if is_crossed else (*_LEVEL, *_SLANTED)
    left = 0
    for point, spot, name in zip(points, spots, names, strict=False):
        for side in sides:
            box = _box(spot, side, name)
            if _fits(box, inside, taken):
                taken.append(box)
                axes.annotate(
                    name, point, xytext=(side[0] * _REACH, side[1] * _REACH),
                    textcoords="offset points", ha=_ACROSS[side[0]], va=_ALONG[side[1]],
                    fontsize=_SIZE, color=GREY, zorder=3.5, annotation_clip=False,
                )  # fmt: skip
                break
        else:
            left += 1
    return left


def _in_points(artist: Artist, scale: float) -> Box:
    """What something that is drawn covers."""
    found = artist.get_window_extent()
    return found.x0 * scale, found.y0 * scale, found.x1 * scale, found.y1 * scale


def _spot(axes: Axes, point: tuple[float, float], scale: float) -> tuple[float, float]:
    x, y = axes.transData.transform(point)
    return float(x) * scale, float(y) * scale


def _box(spot: tuple[float, float], side: tuple[int, int], name: str) -> Box:
    """What a name covers, in points."""
    width, height = len(name) * _SIZE * _WIDTH, _SIZE * _HEIGHT
    x = spot[0] + side[0] * _REACH - width * (1 - side[0]) / 2
    y = spot[1] + side[1] * _REACH - height * (1 - side[1]) / 2
    return x, y, x + width, y + height


def _fits(box: Box, inside: Box, taken: Sequence[Box]) -> bool:
    x0, y0, x1, y1 = box
    if x0 < inside[0] or y0 < inside[1] or x1 > inside[2] or y1 > inside[3]:
        return False
    return not any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in taken)
