"""Whether improvements were reproduced: effect ratio against delta relative improvement.

Figure 11 of Breuer, Keller and Schaer, ir_metadata, SIGIR 2022 (doi:10.1145/3477495.3531738):
a point for each reproduced pair of baseline and advanced run; the perfect one lies at (1, 0). As
many points have their names beside them as there is room for, none above another.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.results import WITHOUT_TYPE
from primad_ld.plot.plotted_results import (
    FULLY_NAMED,
    ComparedRuns,
    Measured,
    require,
    told_undefined,
)
from primad_ld.plot.style import (
    COLOURS,
    GREY,
    MARKERS,
    SMALL,
    Drawing,
    FigureLayout,
    add_legend,
    add_notes,
    common_start,
    measure_name,
    new_figure,
    number,
    printable,
    short_names,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The measures that an evaluation must have.
MEASURES: Final = ("er", "dri")
PERFECT: Final = (1.0, 0.0)
_ABSENT: Final = "it is not among the results"
# Points so many times the distance between the quartiles beyond them would squeeze all others.
_FAR: Final = 3.0
_FEW: Final = 8
_OTHERS: Final = "other types"
# What the corners of the frame mean: against the original, is the effect stronger or weaker?
_QUADRANTS: Final = (
    (0, 1, "weaker absolutely,\nweaker relatively"),
    (1, 1, "stronger absolutely,\nweaker relatively"),
    (0, 0, "weaker absolutely,\nstronger relatively"),
    (1, 0, "stronger absolutely,\nstronger relatively"),
)
# So much of the frame lies at least on each side of the perfect point.
_LEAST_ACROSS: Final = 0.27
_LEAST_ALONG: Final = 0.14

_Interval = tuple[float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class EffectPoint:
    """A reproduced pair with both of its values."""

    name: str
    primad: str
    ratio: float
    delta: float
    ratio_interval: _Interval | None = None
    delta_interval: _Interval | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class PlottedEffects:
    """What the figure shows."""

    on: str
    points: tuple[EffectPoint, ...]
    #: Pairs without one of the values, with the reason.
    undefined: tuple[tuple[str, str], ...]
    #: Pairs that have no advanced run, and so no effect.
    without_advanced: int = 0


def effects_of(records: Sequence[ComparedRuns], *, on: str = "map") -> PlottedEffects:
    """The reproduced effects that results hold."""
    pairs = [one for one in records if one.has_advanced or _has_effect(one, on)]
    if not pairs:
        raise MeasureError(
            "no pair has an advanced run, so there is no effect to reproduce; evaluate with "
            "--baseline, --advanced, --rep-baseline and --rep-advanced"
        )
    require(pairs, MEASURES, on)
    points, undefined = [], []
    for name, pair in zip(_names(pairs), pairs, strict=True):
        ratio, delta = pair.find("er", on), pair.find("dri", on)
        if ratio and delta and ratio.value is not None and delta.value is not None:
            points.append(
                EffectPoint(
                    name=name,
                    primad=pair.primad,
                    ratio=ratio.value,
                    delta=delta.value,
                    ratio_interval=_interval(ratio),
                    delta_interval=_interval(delta),
                )
            )
        else:
            undefined.append(
                (name, "; ".join(filter(None, (_why("ER", ratio), _why("ΔRI", delta)))))
            )
    return PlottedEffects(
        on=on,
        points=tuple(points),
        undefined=tuple(undefined),
        without_advanced=len(records) - len(pairs),
    )


def _has_effect(record: ComparedRuns, on: str) -> bool:
    return any(record.find(measure, on) is not None for measure in MEASURES)


def _names(pairs: Sequence[ComparedRuns]) -> list[str]:
    """The advanced runs' names if they tell the pairs apart, else both."""
    advanced = [pair.candidate_advanced or pair.candidate for pair in pairs]
    if len(set(advanced)) == len(advanced):
        return advanced
    return [
        f"{pair.candidate} / {pair.candidate_advanced}"
        if pair.candidate_advanced
        else pair.candidate
        for pair in pairs
    ]


def _why(name: str, measured: Measured | None) -> str:
    if measured is None:
        return f"{name}: {_ABSENT}"
    return f"{name}: {measured.reason}" if measured.value is None else ""


def _interval(measured: Measured) -> _Interval | None:
    low, high = measured.details.get("low"), measured.details.get("high")
    return (low, high) if low is not None and high is not None else None


# Drawing ----------------------------------------------------------------------------------


def draw_effects(
    effects: PlottedEffects, layout: FigureLayout | None = None, *, intervals: bool = False
) -> Drawing:
    """A point for each reproduction, the perfect one marked, what quadrants mean in the corners."""
    layout = layout or FigureLayout()
    if intervals and not any(p.ratio_interval or p.delta_interval for p in effects.points):
        raise MeasureError("the results have no intervals (low and high) of er and dri")
    with styled():
        figure = new_figure(layout, 6.4, 5.4)
        axes = figure.subplots()
        frame = frame_of(effects.points, with_intervals=intervals)
        axes.set_xlim(frame[0])
        axes.set_ylim(frame[1])
        _draw_cross(axes)
        if intervals:
            _draw_intervals(axes, effects.points)
        outside = _draw_points(axes, effects.points, frame)
        axes.plot(
            *PERFECT, marker="*", markersize=13, linestyle="none", color="#F0E442", zorder=4,
            markeredgecolor="black", markeredgewidth=0.8, label="perfect reproduction (1, 0)",
        )  # fmt: skip
        name = measure_name(effects.on)
        axes.set_xlabel(f"effect ratio (ER) of {name}")
        axes.set_ylabel(f"Δ relative improvement (ΔRI) of {name}")
        add_legend(axes, first=("perfect",), last=("outside", "opposite", "interval"))
        notes = _notes(effects, outside)
        _name_points(
            figure, axes, [p for p in effects.points if p not in outside], notes, intervals
        )
    return Drawing(figure=figure, notes=tuple(_notes(effects, outside, most=FULLY_NAMED)))


def _name_points(
    figure: Figure,
    axes: Axes,
    points: Sequence[EffectPoint],
    notes: Sequence[str],
    intervals: bool,
) -> None:
    """Names beside the points, and the notes below, which say how many found no room."""
    start = common_start([point.name for point in points])
    names = short_names([point.name.removeprefix(start) for point in points], 24)
    told = [*notes, f"names are without {start!r}, with which all begin"] if start else [*notes]
    add_notes(figure, told)
    places = [(point.ratio, point.delta) for point in points]
    left = _place_labels(axes, places, names, [PERFECT], is_crossed=intervals)
    if left:
        # One note more makes the axes smaller, so names have to be placed again.
        room = "points without a name, for lack of room: {:,}".format
        add_notes(figure, [*told, room(left)])
        left = _place_labels(axes, places, names, [PERFECT], is_crossed=intervals)
        add_notes(figure, [*told, room(left)])


def frame_of(
    points: Sequence[EffectPoint], *, with_intervals: bool = False
) -> tuple[_Interval, _Interval]:
    """The ranges of both axes: all points but those far from the others, and the perfect one."""
    ratios = [point.ratio for point in points]
    deltas = [point.delta for point in points]
    ends = [point for point in points if with_intervals]
    return (
        _range(
            ratios, [e for p in ends for e in p.ratio_interval or ()], PERFECT[0], _LEAST_ACROSS
        ),
        _range(deltas, [e for p in ends for e in p.delta_interval or ()], PERFECT[1], _LEAST_ALONG),
    )


def _range(
    values: Sequence[float], ends: Sequence[float], perfect: float, share: float
) -> _Interval:
    """From the least to the most of what is near, and a share of it on both sides of the perfect."""
    near = [*_near(values), *_near(ends), perfect]
    least, most = min(near), max(near)
    margin = 0.14 * (most - least) or 0.5
    least, most = least - margin, most + margin
    # With this much on one side, the share on the other one is as large as asked.
    ratio = share / (1 - share)
    return (
        min(least, perfect - ratio * (most - perfect)),
        max(most, perfect + ratio * (perfect - least)),
    )


def _near(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    if len(ordered) <= _FEW:
        return ordered
    low, high = ordered[len(ordered) // 4], ordered[len(ordered) * 3 // 4]
    reach = _FAR * (high - low)
    return [one for one in ordered if low - reach <= one <= high + reach]


def _draw_cross(axes: Axes) -> None:
    axes.axvline(PERFECT[0], color=GREY, linewidth=0.9, zorder=1)
    axes.axhline(PERFECT[1], color=GREY, linewidth=0.9, zorder=1)
    least, _ = axes.get_xlim()
    if least < 0:
        axes.axvspan(least, 0, color="#F2F2F2", zorder=0, label="opposite effect (ER below 0)")
    for right, top, text in _QUADRANTS:
        axes.text(
            0.985 if right else 0.015, 0.985 if top else 0.015, text, transform=axes.transAxes,
            ha="right" if right else "left", va="top" if top else "bottom", color=GREY,
            fontsize=SMALL, style="italic", zorder=2.5,
        )  # fmt: skip


def _draw_intervals(axes: Axes, points: Sequence[EffectPoint]) -> None:
    style: dict[str, Any] = {"color": "#A6A6A6", "linewidth": 0.8, "zorder": 2}
    label: str | None = "interval"
    for point in points:
        if point.ratio_interval:
            axes.plot(point.ratio_interval, [point.delta] * 2, label=label, **style)
            label = None
        if point.delta_interval:
            axes.plot([point.ratio] * 2, point.delta_interval, label=label, **style)
            label = None


def _draw_points(
    axes: Axes, points: Sequence[EffectPoint], frame: tuple[_Interval, _Interval]
) -> list[EffectPoint]:
    """A colour and a marker for each type of pair; points outside are arrows at the edge."""
    types = Counter(point.primad for point in points)
    # The last colour is for all types behind, if there are more than can be told apart.
    groups = [[type] for type, _ in types.most_common()]
    groups[len(COLOURS) - 1 :] = [[t for one in groups[len(COLOURS) - 1 :] for t in one]]
    is_cloud = len(points) > _MOST
    outside = []
    for group, colour, marker in zip(filter(None, groups), COLOURS, MARKERS, strict=False):
        mine = [point for point in points if point.primad in group]
        inside = [point for point in mine if _is_inside(point, frame)]
        outside += [point for point in mine if not _is_inside(point, frame)]
        label = f"{_OTHERS if len(group) > 1 else group[0] or WITHOUT_TYPE} ({len(mine):,})"
        axes.plot(
            [point.ratio for point in inside], [point.delta for point in inside],
            linestyle="none", marker=marker, color=colour, alpha=0.85, zorder=3, label=label,
            markeredgecolor="white", markeredgewidth=0.1 if is_cloud else 0.4,
            markersize=3 if is_cloud else 6,
        )  # fmt: skip
    _draw_outside(axes, outside, frame)
    return outside


def _is_inside(point: EffectPoint, frame: tuple[_Interval, _Interval]) -> bool:
    return _clipped(point, frame) == (point.ratio, point.delta)


def _clipped(point: EffectPoint, frame: tuple[_Interval, _Interval]) -> tuple[float, float]:
    (left, right), (bottom, top) = frame
    return min(max(point.ratio, left), right), min(max(point.delta, bottom), top)


def _draw_outside(
    axes: Axes, points: Sequence[EffectPoint], frame: tuple[_Interval, _Interval]
) -> None:
    """Triangles that point where a point would lie."""
    label: str | None = f"outside the frame ({len(points)})"
    for point in points:
        x, y = _clipped(point, frame)
        marker = (
            "<" if point.ratio < x else ">" if point.ratio > x else "v" if point.delta < y else "^"
        )
        axes.plot(
            x, y, linestyle="none", marker=marker, markersize=7, color="black", clip_on=False,
            markerfacecolor="white", zorder=5, label=label,
        )  # fmt: skip
        label = None


def _notes(
    effects: PlottedEffects, outside: Sequence[EffectPoint], *, most: int = _FEW
) -> list[str]:
    found = []
    if outside:
        told = [f"{p.name} (ER {number(p.ratio)}, ΔRI {number(p.delta)})" for p in outside[:most]]
        more = f" and {len(outside) - most:,} more" if len(outside) > most else ""
        found.append(f"outside the frame: {', '.join(told)}{more}")
    found += [f"undefined: {told}" for told in told_undefined(effects.undefined, most=most)]
    if effects.without_advanced:
        found.append(
            f"pairs without an advanced run, and so without an effect: {effects.without_advanced:,}"
        )
    return [printable(one) for one in found]


# Names beside points ----------------------------------------------------------------------

_Box = tuple[float, float, float, float]

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
_MOST: Final = 300


def _place_labels(
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
    if len(points) > _MOST:
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
    taken: list[_Box] = [(x - 3, y - 3, x + 3, y + 3) for x, y in spots]
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


def _in_points(artist: Artist, scale: float) -> _Box:
    """What something that is drawn covers."""
    found = artist.get_window_extent()
    return found.x0 * scale, found.y0 * scale, found.x1 * scale, found.y1 * scale


def _spot(axes: Axes, point: tuple[float, float], scale: float) -> tuple[float, float]:
    x, y = axes.transData.transform(point)
    return float(x) * scale, float(y) * scale


def _box(spot: tuple[float, float], side: tuple[int, int], name: str) -> _Box:
    """What a name covers, in points."""
    width, height = len(name) * _SIZE * _WIDTH, _SIZE * _HEIGHT
    x = spot[0] + side[0] * _REACH - width * (1 - side[0]) / 2
    y = spot[1] + side[1] * _REACH - height * (1 - side[1]) / 2
    return x, y, x + width, y + height


def _fits(box: _Box, inside: _Box, taken: Sequence[_Box]) -> bool:
    x0, y0, x1, y1 = box
    if x0 < inside[0] or y0 < inside[1] or x1 > inside[2] or y1 > inside[3]:
        return False
    return not any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in taken)
