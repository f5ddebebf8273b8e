"""How close repeated measurements are: the values, their mean and deviation, and CV*.

Quantified reproducibility assessment of Belz, Popović and Mille, ACL 2022 (arXiv:2204.05961). The
values of a row are a swarm: near ones stand above each other, and are smaller where there are many.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError, printable
from primad_ld.core.library_arguments import checked
from primad_ld.plot import style
from primad_ld.plot.plotted_rows import FULLY_NAMED, NO_REASON, ResultRow, by_reason, read_rows
from primad_ld.plot.style import Drawing, FigureLayout
from primad_ld.tables.answers import Answer, half_up

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
# The size of the markers of values and how far those below show through, by how many values there
# are in a row at least.
_USUAL_SIZE: Final = 4.5
_MARKERS: Final = {200: (2.2, 0.6), 30: (3.0, 0.7), 0: (_USUAL_SIZE, None)}


@dataclass(frozen=True, kw_only=True, slots=True)
class PrecisionRow:
    """The measurements of one object by one measurand."""

    name: str
    measurand: str
    values: tuple[float, ...]
    #: Which of the values the original study measured.
    originals: frozenset[int] = frozenset()
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
    def panel(self) -> tuple[object, ...]:
        """What rows have in common that have one axis: the measurand and its scale."""
        return self.measurand, self.minimum, self.maximum, self.is_lower_better

    def band(self, deviations: int) -> tuple[float, float]:
        """So many deviations around the mean, as far as there is a scale."""
        middle, reach = self.mean or 0.0, deviations * (self.deviation or 0.0)
        low, high = middle - reach, middle + reach
        low = low if self.minimum is None else max(low, self.minimum)
        return low, high if self.maximum is None else min(high, self.maximum)


_Panel = list[PrecisionRow]


@checked
def qra(
    results: Answer | str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    width: float | None = None,
    height: float | None = None,
    force: bool = False,
) -> Drawing:
    """Repeated measurements: each value, their mean and deviations, and CV* of each object.

    >>> import primad_ld as pl
    >>> from primad_ld.core.files import resource
    >>> pl.plot.qra(pl.qra(resource("examples/qra/pass.csv")))
    <Drawing: 7.4 x 2.83 inches>
    """
    style.check_output(output, force=force)
    layout = FigureLayout(title=title, width=width, height=height)
    rows = [_precision_row(row) for row in read_rows(results, "assessments")]
    if len(rows) > style.MOST_NAMES:
        raise MeasureError(
            f"there are {len(rows):,} rows, and a figure can name {style.MOST_NAMES}; choose some of "
            "them, such as by primad-ld qra --where measurand=BLEU --format json"
        )
    return _draw(rows, layout).saved(output, force=force)


def _precision_row(row: ResultRow) -> PrecisionRow:
    scale = row.row("scale")
    has_minimum = scale.values.get("stated") is True
    measurements = row.rows("measurements", "measurement")
    values = [one.number("value") for one in measurements]
    defined = [value for value in values if value is not None]
    if not values or len(defined) < len(values):
        raise row.error("measurements", "a number for each", values)
    cv_star, group = row.number("cv_star"), row.text("group")
    return PrecisionRow(
        name=f"{group}: " * bool(group) + row.text("object", required=True),
        measurand=row.text("measurand", required=True),
        values=tuple(defined),
        originals=frozenset(
            place for place, one in enumerate(measurements) if one.values.get("is_original") is True
        ),
        mean=row.number("mean"),
        deviation=row.number("stdev"),
        cv_star=cv_star,
        reason="" if cv_star is not None else row.text("reason") or NO_REASON,
        minimum=(scale.number("min") or 0.0) if has_minimum else None,
        maximum=scale.number("max"),
        is_lower_better=scale.values.get("lower_is_better") is True,
        variant=row.text("variant"),
    )


# Drawing ----------------------------------------------------------------------------------


def _draw(rows: Sequence[PrecisionRow], layout: FigureLayout) -> Drawing:
    """A panel for each measurand, a row for each object: values, mean, deviations, CV*."""
    by_panel: dict[object, _Panel] = {}
    for row in rows:
        by_panel.setdefault(row.panel, []).append(row)
    panels = list(by_panel.values())
    undefined = [(f"{row.name}, {row.measurand}", row.reason) for row in rows if row.reason]
    height = 0.75 + _ROW * len(rows) + _AROUND * len(panels) + 0.3 * bool(undefined)
    with style.styled():
        figure = style.new_figure(layout, _WIDTH, height)
        ratios = {"height_ratios": [len(panel) for panel in panels]}
        all_axes = figure.subplots(len(panels), 1, squeeze=False, gridspec_kw=ratios)[:, 0]
        most = max(len(row.values) for row in rows)
        size, alpha = next(marker for least, marker in _MARKERS.items() if most >= least)
        # A marker is as wide as so much of the axis.
        widest = max(style.text_width(min(len(row.name), 32), 8) for row in rows)
        inches = max(0.5, 0.3 * figure.get_figwidth(), figure.get_figwidth() - widest - 1.9)
        share = max(_NEAR, 0.075 / inches) * size / _USUAL_SIZE
        name = "reproduction" if any(row.originals for row in rows) else "measurement"
        others: dict[str, Any] = {
            "label": name, "color": style.COLOURS[0], "marker": "o", "markersize": size,
        }  # fmt: skip
        if alpha is not None:
            others |= {"alpha": alpha, "markeredgewidth": 0}
        for axes, panel in zip(all_axes, panels, strict=True):
            low, high = _limits(panel, panels)
            axes.set_xlim(low, high)
            _draw_panel(axes, panel)
            for place, row in enumerate(panel):
                _draw_values(axes, row, place, share * (high - low), others)
        style.add_legend(
            all_axes[0],
            order=("original", "reproduction", "measurement", "", "mean ± 1", "mean ± 2"),
        )
        variants = sorted({row.variant for row in rows if row.variant})
        formula = [f"CV* in percent, by the formula of {' and '.join(variants)}"]
        style.add_notes(figure, formula * bool(variants) + _notes(undefined))
    return Drawing(figure=figure, notes=tuple(_notes(undefined, FULLY_NAMED)))


def _notes(undefined: Sequence[tuple[str, str]], most: int = 8) -> list[str]:
    return [f"no CV*: {note}" for note in by_reason(undefined, most=most)]


def _limits(panel: _Panel, panels: Sequence[_Panel]) -> tuple[float, float]:
    """From where to where the axis of a panel goes.

    Axes of one scale are equally long, so that equal widths are equal deviations; where
    nobody says where scales end, nothing tells that two are one.
    """
    (low, high), first = _extent(panel), panel[0]
    least, most = first.minimum, first.maximum
    if least is None or most is None:
        return low, high
    alike = [_extent(one) for one in panels if (one[0].minimum, one[0].maximum) == (least, most)]
    more = (max(top - bottom for bottom, top in alike) - (high - low)) / 2
    low, high = low - more, high + more
    # Where there are no values, there need not be an axis.
    margin = _MARGIN * (high - low)
    shift = min(0.0, most + margin - high) or max(0.0, least - margin - low)
    return low + shift, high + shift


def _extent(panel: _Panel) -> tuple[float, float]:
    """From where to where there is something: all values and two deviations."""
    ends = [value for row in panel for value in row.values]
    for row in panel:
        ends += row.band(2) if row.mean is not None else ()
    low, high = min(ends), max(ends)
    margin = _MARGIN * ((high - low) or max(abs(high), 1.0))
    return low - margin, high + margin


def _draw_panel(axes: Axes, panel: _Panel) -> None:
    """Names, what was found, and deviations around the mean."""
    first = panel[0]
    axes.set_ylim(len(panel) - 0.5, -0.5)
    axes.set_yticks(range(len(panel)), style.short_names([row.name for row in panel]))
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    has_scale = first.minimum is not None and first.maximum is not None
    about = [f"{first.minimum:g} to {first.maximum:g}"] if has_scale else []
    about += ["lower is better"] if first.is_lower_better else []
    axes.set_xlabel(printable(first.measurand) + (f" ({', '.join(about)})" if about else ""))
    for place, row in enumerate(panel):
        cv_star = "no CV*" if row.cv_star is None else f"CV* {half_up(row.cv_star, _DIGITS)}"
        axes.text(
            1.015, place, f"{cv_star}  (n = {len(row.values)})", ha="left", va="center",
            transform=axes.get_yaxis_transform(), fontsize=8,
        )  # fmt: skip
        if row.mean is None or row.deviation is None:
            continue
        for deviations, colour in ((2, _OUTER), (1, _INNER)):
            low, high = row.band(deviations)
            axes.barh(
                place, high - low, left=low, height=_BAND, color=colour, linewidth=0, zorder=1,
                label=_once(axes, f"mean ± {deviations} s*"),
            )  # fmt: skip
        axes.plot(
            [row.mean] * 2, [place - _BAND / 2, place + _BAND / 2], color=style.GREY, linewidth=1.2,
            solid_capstyle="butt", zorder=2, label=_once(axes, "mean"),
        )  # fmt: skip


def _draw_values(
    axes: Axes, row: PrecisionRow, place: int, near: float, others: dict[str, Any]
) -> None:
    """The original as a diamond with a hole, reproductions as discs; equal ones side by side."""
    original: dict[str, Any] = {
        "label": "original", "color": style.COLOURS[1], "marker": "D", "markersize": 6,
        "markerfacecolor": "white", "markeredgewidth": 1.5,
    }  # fmt: skip
    heights = [place + offset for offset in offsets_of(row.values, near)]
    for look, is_original in ((others, False), (original, True)):
        shown = [n for n in range(len(heights)) if (n in row.originals) is is_original]
        if shown:
            x, y = [row.values[n] for n in shown], [heights[n] for n in shown]
            label = _once(axes, look["label"])
            axes.plot(x, y, linestyle="none", zorder=3, **{**look, "label": label})


def _once(axes: Axes, label: str) -> str:
    """A label for the legend, which each panel has once."""
    return "_" if label in axes.get_legend_handles_labels()[1] else label


# Swarms of values -------------------------------------------------------------------------

# In rows: how far apart lines of values are, and all of them together.
_STEP: Final = 0.17
_REACH: Final = 0.68
# The middle, and then those above and below it in turn.
_LINES: Final = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6)


def offsets_of(values: Sequence[float], near: float) -> list[float]:
    """How far each value stands above or below its row, so that none hides another.

    Each stands in the line next to the middle where there is room for it; where there are so many
    that there is none, in the one with most room. Heaps of near values stand around the middle.
    """
    heaps: list[dict[int, int]] = []
    last: dict[int, float] = {}
    for place in sorted(range(len(values)), key=lambda place: (values[place], place)):
        value = values[place]
        if not heaps or value - max(last.values()) >= near:
            heaps.append({})
            last = {}
        free = [line for line in _LINES if line not in last or value - last[line] >= near]
        line = free[0] if free else min(last, key=last.__getitem__)
        # The last one in order, so that equal values take turns.
        last.pop(line, None)
        last[line] = value
        heaps[-1][place] = line
    most = max((max(heap.values()) - min(heap.values()) for heap in heaps), default=0)
    step = min(_STEP, _REACH / max(1, most))
    offsets = [0.0] * len(values)
    for heap in heaps:
        middle = (min(heap.values()) + max(heap.values())) / 2
        for place, line in heap.items():
            offsets[place] = (line - middle) * step
    return offsets
