"""How close repeated measurements are: the values, their mean and deviation, and CV*.

Quantified reproducibility assessment of Belz, Popović and Mille, ACL 2022 (arXiv:2204.05961). The
values of a row are a swarm: near ones stand above each other, and are smaller where there are many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.plot.plotted_results import FULLY_NAMED, NO_REASON, told_undefined
from primad_ld.plot.result_files import Item, json_list, text_of
from primad_ld.plot.style import (
    COLOURS,
    GREY,
    MOST_NAMES,
    Drawing,
    FigureLayout,
    add_legend,
    add_notes,
    new_figure,
    printable,
    short_names,
    shortened,
    styled,
    text_width,
)
from primad_ld.tables.answers import half_up

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HINT: Final = "give the output of primad-ld qra --format json, without --type"
_WIDTH: Final = 7.4
# Inches: a row, and what a panel has besides, its axis and what it is called.
_ROW: Final = 0.36
_AROUND: Final = 0.68
_DIGITS: Final = 3
# Values nearer than this share of the axis would hide each other, and stand above each other.
_NEAR: Final = 0.014
_MARGIN: Final = 0.04
_BAND: Final = 0.62
_OUTER: Final = "#E4EBF1"
_INNER: Final = "#C3D3E0"


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredValue:
    """One measurement."""

    value: float
    study: str = ""
    is_original: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PrecisionRow:
    """The measurements of one object by one measurand."""

    object: str
    measurand: str
    group: str = ""
    values: tuple[MeasuredValue, ...]
    #: Of the values as they were measured; None where there is no precision.
    mean: float | None = None
    deviation: float | None = None
    cv_star: float | None = None
    reason: str = ""
    #: Where the scale begins and ends, as far as it is known.
    minimum: float | None = None
    maximum: float | None = None
    is_lower_better: bool = False
    variant: str = ""

    @property
    def name(self) -> str:
        """What the row is called."""
        return f"{self.group}: {self.object}" if self.group else self.object

    def band(self, deviations: int) -> tuple[float, float]:
        """So many deviations around the mean, as far as there is a scale."""
        middle, reach = self.mean or 0.0, deviations * (self.deviation or 0.0)
        low, high = middle - reach, middle + reach
        low = low if self.minimum is None else max(low, self.minimum)
        return low, high if self.maximum is None else min(high, self.maximum)


@dataclass(frozen=True, kw_only=True, slots=True)
class PrecisionPanel:
    """Rows that have one axis: of one measurand on one scale."""

    measurand: str
    rows: tuple[PrecisionRow, ...]

    @property
    def scale(self) -> tuple[float | None, float | None]:
        """Where its scale begins and ends."""
        return self.rows[0].minimum, self.rows[0].maximum

    @property
    def label(self) -> str:
        """What the axis is called."""
        first = self.rows[0]
        low, high = self.scale
        told = [f"{low:g} to {high:g}"] if low is not None and high is not None else []
        told += ["lower is better"] if first.is_lower_better else []
        return printable(self.measurand) + (f" ({', '.join(told)})" if told else "")

    @property
    def extent(self) -> tuple[float, float]:
        """From where to where there is something: all values and two deviations."""
        ends = [one.value for row in self.rows for one in row.values]
        for row in self.rows:
            ends += row.band(2) if row.mean is not None else ()
        low, high = min(ends), max(ends)
        margin = _MARGIN * ((high - low) or max(abs(high), 1.0))
        return low - margin, high + margin


@dataclass(frozen=True, kw_only=True, slots=True)
class PrecisionFigure:
    """What the figure shows."""

    panels: tuple[PrecisionPanel, ...]

    @property
    def rows(self) -> tuple[PrecisionRow, ...]:
        """The rows of all panels."""
        return tuple(row for panel in self.panels for row in panel.rows)

    def limits(self, panel: PrecisionPanel) -> tuple[float, float]:
        """From where to where the axis of a panel goes.

        Axes of one scale are equally long, so that equal widths are equal deviations; where
        nobody says where scales end, nothing tells that two are one.
        """
        (low, high), (least, most) = panel.extent, panel.scale
        if least is None or most is None:
            return low, high
        alike = [one.extent for one in self.panels if one.scale == panel.scale]
        more = (max(top - bottom for bottom, top in alike) - (high - low)) / 2
        low, high = low - more, high + more
        # Where there are no values, there need not be an axis.
        margin = _MARGIN * (high - low)
        shift = min(0.0, most + margin - high) or max(0.0, least - margin - low)
        return low + shift, high + shift

    @property
    def marker(self) -> Marker:
        """The marker of values: a smaller one for all rows where one of them has many."""
        return marker_of(max(len(row.values) for row in self.rows))

    @property
    def has_original(self) -> bool:
        """Whether anybody says which measurement was the first."""
        return any(one.is_original for row in self.rows for one in row.values)


def figure_of(rows: Sequence[PrecisionRow]) -> PrecisionFigure:
    """Rows in panels: those of one measurand on one scale together, in the order they come."""
    if len(rows) > MOST_NAMES:
        raise MeasureError(
            f"there are {len(rows):,} rows, and a figure can name {MOST_NAMES}; choose some of "
            "them, such as by primad-ld qra --where measurand=BLEU --format json"
        )
    panels: dict[object, list[PrecisionRow]] = {}
    for row in rows:
        scale = row.minimum, row.maximum, row.is_lower_better
        panels.setdefault((row.measurand, scale), []).append(row)
    return PrecisionFigure(
        panels=tuple(
            PrecisionPanel(measurand=found[0].measurand, rows=tuple(found))
            for found in panels.values()
        )
    )


# Reading ----------------------------------------------------------------------------------


def read_precision(path: Path, *, name: str = "") -> PrecisionFigure:
    """What a file of ``qra --format json`` holds, or standard input for ``-``."""
    place, text = text_of(path, _HINT)
    return precision_of_text(text, name or place)


def precision_of_text(text: str, name: str) -> PrecisionFigure:
    """What the JSON of ``qra`` holds; ``name`` is what to call it in a message."""
    items = json_list(text, name, _HINT, "assessments")
    if not items:
        raise MeasureError(f"{name}: there are no assessments in it; {_HINT}")
    found = [_Row(one, name, f"assessment {number}").row() for number, one in enumerate(items, 1)]
    return figure_of(found)


class _Row(Item):
    """An assessment in a file."""

    hint = _HINT

    def row(self) -> PrecisionRow:
        scale = self.mapping("scale")
        minimum = scale.number("min") or 0.0
        values = tuple(one.measured() for one in self.items("measurements", "measurement"))
        if not values:
            self.wrong("measurements", "some measurements", [])
        cv_star = self.number("cv_star")
        is_known = scale.value.get("stated") is True
        return PrecisionRow(
            object=self.text("object", required=True),
            measurand=self.text("measurand", required=True),
            group=self.text("group"),
            values=values,
            mean=self.number("mean"),
            deviation=self.number("stdev"),
            cv_star=cv_star,
            reason="" if cv_star is not None else self.text("reason") or NO_REASON,
            minimum=minimum if is_known else None,
            maximum=scale.number("max"),
            is_lower_better=scale.value.get("lower_is_better") is True,
            variant=self.text("variant"),
        )

    def measured(self) -> MeasuredValue:
        value = self.number("value")
        if value is None:
            self.wrong("value", "a number", None)
        is_original = self.value.get("is_original") is True
        return MeasuredValue(value=value, study=self.text("study"), is_original=is_original)


# Drawing ----------------------------------------------------------------------------------


def draw_precision(found: PrecisionFigure, layout: FigureLayout | None = None) -> Drawing:
    """A panel for each measurand, a row for each object: values, mean, deviations, CV*."""
    layout = layout or FigureLayout()
    counts = [len(panel.rows) for panel in found.panels]
    heights = [_ROW * count + _AROUND for count in counts]
    undefined = [(f"{row.name}, {row.measurand}", row.reason) for row in found.rows if row.reason]
    with styled():
        figure = new_figure(layout, _WIDTH, 0.75 + sum(heights) + 0.3 * bool(undefined))
        every = figure.subplots(
            len(counts), 1, squeeze=False, gridspec_kw={"height_ratios": counts}
        )
        names = short_names(list(dict.fromkeys(row.name for row in found.rows)))
        widest = max(text_width(len(name), 8) for name in names)
        share = max(0.3, 1 - (widest + 1.9) / figure.get_figwidth())
        for axes, panel in zip(every[:, 0], found.panels, strict=True):
            _draw_panel(axes, panel, found, share * figure.get_figwidth())
        add_legend(
            every[0, 0],
            first=("original", "reproduction", "measurement"),
            last=("mean ± 1", "mean ± 2"),
        )
        notes = [f"no CV*: {told}" for told in told_undefined(undefined)]
        variants = sorted({row.variant for row in found.rows if row.variant})
        formula = f"CV* in percent, by the formula of {' and '.join(variants)}"
        add_notes(figure, [*([formula] if variants else []), *notes])
    return Drawing(
        figure=figure,
        notes=tuple(f"no CV*: {told}" for told in told_undefined(undefined, most=FULLY_NAMED)),
    )


def _draw_panel(axes: Axes, panel: PrecisionPanel, found: PrecisionFigure, width: float) -> None:
    low, high = found.limits(panel)
    axes.set_xlim(low, high)
    count = len(panel.rows)
    axes.set_ylim(count - 0.5, -0.5)
    names = short_names([shortened(row.name, 200) for row in panel.rows])
    axes.set_yticks(range(count), names)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(panel.label)
    # A marker is as wide as so much of the axis.
    near = max(_NEAR, 0.075 / max(width, 0.5)) * (high - low) * found.marker.share
    for place, row in enumerate(panel.rows):
        _draw_bands(axes, row, place)
        _draw_values(axes, row, place, near, found)
        axes.text(
            1.015, place, _figures(row), transform=axes.get_yaxis_transform(),
            ha="left", va="center", fontsize=8,
        )  # fmt: skip


def _figures(row: PrecisionRow) -> str:
    value = "no CV*" if row.cv_star is None else f"CV* {half_up(row.cv_star, _DIGITS)}"
    return f"{value}  (n = {len(row.values)})"


def _draw_bands(axes: Axes, row: PrecisionRow, place: int) -> None:
    if row.mean is None or row.deviation is None:
        return
    for deviations, colour in ((2, _OUTER), (1, _INNER)):
        low, high = row.band(deviations)
        axes.barh(
            place, high - low, left=low, height=_BAND, color=colour, linewidth=0, zorder=1,
            label=_once(axes, f"mean ± {deviations} s*"),
        )  # fmt: skip
    half = _BAND / 2
    axes.plot(
        [row.mean, row.mean], [place - half, place + half], color=GREY, linewidth=1.2, zorder=2,
        solid_capstyle="butt", label=_once(axes, "mean"),
    )  # fmt: skip


def _draw_values(
    axes: Axes, row: PrecisionRow, place: int, near: float, found: PrecisionFigure
) -> None:
    """The original as a diamond with a hole, reproductions as discs; equal ones side by side."""
    offsets = offsets_of([one.value for one in row.values], near)
    for is_original in (False, True):
        some = [
            (one.value, place + offset)
            for one, offset in zip(row.values, offsets, strict=True)
            if one.is_original is is_original
        ]
        if not some:
            continue
        style: dict[str, Any] = {
            "color": COLOURS[0], "marker": "o", "markersize": found.marker.size,
        }  # fmt: skip
        if found.marker.alpha is not None:
            style |= {"alpha": found.marker.alpha, "markeredgewidth": 0}
        name = "reproduction" if found.has_original else "measurement"
        if is_original:
            style = {
                "color": COLOURS[1], "marker": "D", "markersize": 6,
                "markerfacecolor": "white", "markeredgewidth": 1.5,
            }  # fmt: skip
            name = "original"
        x, y = zip(*some, strict=True)
        axes.plot(x, y, linestyle="none", zorder=3, label=_once(axes, name), **style)


def _once(axes: Axes, label: str) -> str:
    """A label for the legend, which each panel has once."""
    return "_" if label in axes.get_legend_handles_labels()[1] else label


# Swarms of values -------------------------------------------------------------------------

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
