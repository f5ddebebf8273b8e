"""Whether improvements were reproduced: effect ratio against delta relative improvement.

Figure 11 of Breuer, Keller and Schaer, ir_metadata, SIGIR 2022 (doi:10.1145/3477495.3531738):
a point for each reproduced pair of baseline and advanced run; the perfect one lies at (1, 0).
Points are numbered, and a key below the axes has their names.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import checked
from primad_ld.measures.results import WITHOUT_TYPE
from primad_ld.plot import style
from primad_ld.plot.plotted_pairs import PlottedPair, PlottedResult, check_measured, read_studies
from primad_ld.plot.plotted_rows import FULLY_NAMED, NO_REASON, by_reason
from primad_ld.plot.style import Drawing, FigureLayout
from primad_ld.tables.answers import Answer
from primad_ld.trec.measure_names import canonical

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PERFECT: Final = (1.0, 0.0)
# Points so many times the distance between the quartiles beyond them would squeeze all others.
_FAR: Final = 3.0
_FEW: Final = 8
#: More points than these are a cloud, in which single names say nothing.
_MOST_NUMBERED: Final = 80
_KEY_SIZE: Final = 6.5
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


@checked
def er_dri(
    results: Answer | str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    on: str = "map",
    intervals: bool = False,
    title: str = "",
    width: float | None = None,
    height: float | None = None,
    force: bool = False,
) -> Drawing:
    """Effect ratio against delta relative improvement: a point for each reproduced pair.

    >>> import primad_ld as pl
    >>> pairs = pl.evaluate("runs", pairs=True, qrels="qrels.txt", on="AP")
    >>> pl.plot.er_dri(pairs)
    <Drawing: 6.4 x 5.5 inches>
    """
    style.check_output(output, force=force)
    layout = FigureLayout(title=title, width=width, height=height)
    on = canonical(on)
    studies = read_studies(results)
    pairs = [
        pair
        for pair in studies
        if pair.candidate_advanced or pair.find("er", on) or pair.find("dri", on)
    ]
    if not pairs:
        raise MeasureError(
            "no pair has an advanced run, so there is no effect to reproduce; evaluate with "
            "--pairs, or with --baseline, --advanced, --rep-baseline and --rep-advanced"
        )
    for measure in ("er", "dri"):
        check_measured(pairs, measure, on)
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
                    ratio_interval=ratio.interval if intervals else None,
                    delta_interval=delta.interval if intervals else None,
                )
            )
        else:
            reasons = filter(None, (_reason("ER", ratio), _reason("ΔRI", delta)))
            undefined.append((name, "; ".join(reasons)))
    has_intervals = any(point.ratio_interval or point.delta_interval for point in points)
    unused = {"intervals": "the results have none of er and dri"}
    drawing = replace(
        _draw(points, undefined, len(studies) - len(pairs), on, layout),
        unused=unused if intervals and not has_intervals else {},
    )
    return drawing.saved(output, force=force)


def _names(pairs: Sequence[PlottedPair]) -> list[str]:
    """The advanced runs' names if they tell the pairs apart, else both."""
    names = [pair.candidate_advanced or pair.candidate for pair in pairs]
    if len(set(names)) == len(names):
        return names
    both = [(pair.candidate, pair.candidate_advanced) for pair in pairs]
    return [" / ".join(filter(None, names)) for names in both]


def _reason(name: str, result: PlottedResult | None) -> str:
    if result is None:
        return f"{name}: it is not among the results"
    return f"{name}: {result.reason or NO_REASON}" if result.value is None else ""


# Drawing ----------------------------------------------------------------------------------


def _draw(
    points: Sequence[EffectPoint],
    undefined: Sequence[tuple[str, str]],
    without_effect: int,
    on: str,
    layout: FigureLayout,
) -> Drawing:
    """A point for each reproduction, the perfect one marked, what quadrants mean in the corners."""
    frame = frame_of(points)
    outside = [point for point in points if _clipped(point, frame) != (point.ratio, point.delta)]
    inside = [point for point in points if point not in outside]
    lines, columns = _key_size(inside, layout.width or 6.4)
    key_height = 0.03 + lines * _KEY_SIZE * 1.3 / 72
    is_numbered = 0 < len(inside) <= _MOST_NUMBERED
    if layout.height is not None and key_height > 0.4 * layout.height:
        is_numbered = False
    with style.styled():
        figure = style.new_figure(layout, 6.4, round(5.4 + key_height * is_numbered, 1))
        axes = figure.subplots()
        axes.set_xlim(frame[0])
        axes.set_ylim(frame[1])
        _draw_cross(axes)
        _draw_intervals(axes, points)
        _draw_points(axes, points, inside)
        _draw_outside(axes, outside, frame)
        axes.plot(
            *PERFECT, marker="*", markersize=13, linestyle="none", color="#F0E442", zorder=4,
            markeredgecolor="black", markeredgewidth=0.8, label="perfect reproduction (1, 0)",
        )  # fmt: skip
        name = style.measure_name(on)
        axes.set_xlabel(f"effect ratio (ER) of {name}")
        axes.set_ylabel(f"Δ relative improvement (ΔRI) of {name}")
        style.add_legend(axes, order=("perfect", "", "outside", "opposite", "interval"))
        if is_numbered:
            _number_points(axes, inside, columns)
        unnamed = (
            [] if is_numbered or not inside else [f"{len(inside):,} points, too many for names"]
        )
        style.add_notes(figure, [*_notes(outside, undefined, without_effect), *unnamed])
    notes = _notes(outside, undefined, without_effect, most=FULLY_NAMED)
    return Drawing(figure=figure, notes=tuple(notes))


def frame_of(points: Sequence[EffectPoint]) -> tuple[_Interval, _Interval]:
    """The ranges of both axes: all points but those far from the others, and the perfect one."""
    ratios, deltas = [point.ratio for point in points], [point.delta for point in points]
    ratio_ends = [end for point in points for end in point.ratio_interval or ()]
    delta_ends = [end for point in points for end in point.delta_interval or ()]
    return (
        _range(ratios, ratio_ends, PERFECT[0], _LEAST_ACROSS),
        _range(deltas, delta_ends, PERFECT[1], _LEAST_ALONG),
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
    return [value for value in ordered if low - reach <= value <= high + reach]


def _clipped(point: EffectPoint, frame: tuple[_Interval, _Interval]) -> tuple[float, float]:
    (left, right), (bottom, top) = frame
    return min(max(point.ratio, left), right), min(max(point.delta, bottom), top)


def _draw_cross(axes: Axes) -> None:
    axes.axvline(PERFECT[0], color=style.GREY, linewidth=0.9, zorder=1)
    axes.axhline(PERFECT[1], color=style.GREY, linewidth=0.9, zorder=1)
    least, _ = axes.get_xlim()
    if least < 0:
        axes.axvspan(least, 0, color="#F2F2F2", zorder=0, label="opposite effect (ER below 0)")
    for right, top, text in _QUADRANTS:
        axes.text(
            0.985 if right else 0.015, 0.985 if top else 0.015, text, transform=axes.transAxes,
            ha="right" if right else "left", va="top" if top else "bottom", color=style.GREY,
            fontsize=style.SMALL, style="italic", zorder=2.5,
        )  # fmt: skip


def _draw_intervals(axes: Axes, points: Sequence[EffectPoint]) -> None:
    lines = [(p.ratio_interval, (p.delta, p.delta)) for p in points if p.ratio_interval]
    lines += [((p.ratio, p.ratio), p.delta_interval) for p in points if p.delta_interval]
    for place, (x, y) in enumerate(lines):
        label = "_" if place else "interval"
        axes.plot(x, y, color="#A6A6A6", linewidth=0.8, zorder=2, label=label)


def _draw_points(axes: Axes, points: Sequence[EffectPoint], inside: Sequence[EffectPoint]) -> None:
    """A colour and a marker for each type of pair."""
    types = [type for type, _ in Counter(point.primad for point in points).most_common()]
    # The last colour is for all types that are left, if there are more than can be told apart.
    last = len(style.COLOURS) - 1
    groups = [*([type] for type in types[:last]), *([types[last:]] if types[last:] else [])]
    is_cloud = len(points) > _MOST_NUMBERED
    for group, colour, marker in zip(groups, style.COLOURS, style.MARKERS, strict=False):
        count = sum(point.primad in group for point in points)
        name = "other types" if len(group) > 1 else group[0] or WITHOUT_TYPE
        shown = [point for point in inside if point.primad in group]
        axes.plot(
            [point.ratio for point in shown], [point.delta for point in shown],
            linestyle="none", marker=marker, color=colour, alpha=0.85, zorder=3,
            label=f"{name} ({count:,})", markeredgecolor="white",
            markeredgewidth=0.1 if is_cloud else 0.4, markersize=3 if is_cloud else 6,
        )  # fmt: skip


def _draw_outside(
    axes: Axes, points: Sequence[EffectPoint], frame: tuple[_Interval, _Interval]
) -> None:
    """Triangles that point where a point would lie."""
    for place, point in enumerate(points):
        x, y = _clipped(point, frame)
        across = "<" if point.ratio < x else ">" if point.ratio > x else ""
        axes.plot(
            x, y, linestyle="none", marker=across or ("v" if point.delta < y else "^"),
            markersize=7, color="black", clip_on=False, markerfacecolor="white", zorder=5,
            label="_" if place else f"outside the frame ({len(points)})",
        )  # fmt: skip


def _notes(
    outside: Sequence[EffectPoint],
    undefined: Sequence[tuple[str, str]],
    without_effect: int,
    *,
    most: int = _FEW,
) -> list[str]:
    notes = [f"undefined: {note}" for note in by_reason(undefined, most=most)]
    if outside:
        shown = [
            f"{p.name} (ER {style.number(p.ratio)}, ΔRI {style.number(p.delta)})"
            for p in outside[:most]
        ]
        more = f" and {len(outside) - most:,} more" if len(outside) > most else ""
        notes.insert(0, f"outside the frame: {', '.join(shown)}{more}")
    if without_effect:
        notes.append(f"pairs without an advanced run, and so without an effect: {without_effect:,}")
    return notes


# The key ----------------------------------------------------------------------------------


def _key_size(points: Sequence[EffectPoint], width: float) -> tuple[int, int]:
    """How many lines and columns the names of some points take."""
    widest = max((min(len(point.name), 28) for point in points), default=0)
    fitting = int((width - 0.7) / (style.text_width(widest + 4, _KEY_SIZE) + 0.15))
    columns = max(1, min(fitting, len(points)))
    return -(-len(points) // columns), columns


def _number_points(axes: Axes, points: Sequence[EffectPoint], columns: int) -> None:
    """A number beside each point, away from the next one, and a key to them below the axes."""
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    figure = axes.get_figure(root=True)
    assert figure is not None
    spots = axes.transData.transform([(point.ratio, point.delta) for point in points])
    for place, point in enumerate(points):
        across, along = _free_side(spots, place)
        axes.annotate(
            str(place + 1), (point.ratio, point.delta), xytext=(4.2 * across, 3.2 * along),
            textcoords="offset points", ha="left" if across > 0 else "right",
            va="bottom" if along > 0 else "top", fontsize=_KEY_SIZE, zorder=4.5,
        )  # fmt: skip
    names = style.short_names([point.name for point in points], 28)
    legend = axes.get_legend()
    below = axes.transAxes + ScaledTranslation(0, -0.44, figure.dpi_scale_trans)
    axes.legend(
        [Line2D([], [], linestyle="none")] * len(names),
        [f"{place}  {name}" for place, name in enumerate(names, 1)],
        loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=below, borderaxespad=0,
        ncols=columns, fontsize=_KEY_SIZE, labelcolor=style.GREY, handlelength=0, handletextpad=0,
        columnspacing=1.0, labelspacing=0.2, borderpad=0,
    )  # fmt: skip
    if legend is not None:
        axes.add_artist(legend)
        legend.set_clip_on(False)  # the layout leaves no room for what is clipped


def _free_side(spots: Any, place: int) -> tuple[int, int]:
    """On which side of a point its number stands: away from the nearest other point."""
    x, y = spots[place]
    others = [spot for number, spot in enumerate(spots) if number != place]
    near = min(others, key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2, default=(0, 0))
    return 1 if x >= near[0] else -1, 1 if y >= near[1] else -1
