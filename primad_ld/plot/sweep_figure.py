"""A parameter sweep: one run against many, by mean score and by the error of the scores.

Figure 10 of Breuer, Keller and Schaer, ir_metadata, SIGIR 2022 (doi:10.1145/3477495.3531738)
puts both beside each other: where the mean score peaks, the scores by topic may already be far
from those of the reference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.plot.plotted_results import (
    FULLY_NAMED,
    ComparedRuns,
    Measured,
    require,
    run_pairs,
    select,
    some,
    told_undefined,
)
from primad_ld.plot.style import (
    COLOURS,
    GREY,
    MARKERS,
    MOST_NAMES,
    SMALL,
    Drawing,
    FigureLayout,
    add_legend,
    add_notes,
    measure_name,
    new_figure,
    number,
    printable,
    short_names,
    shortened,
    styled,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The measures that an evaluation must have.
MEASURES: Final = ("delta_arp", "rmse")
# So many names stand slanted where they do not fit side by side; more stand upright.
_SLANTED: Final = 20
_ABSENT: Final = "it is not among the results"


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepPoint:
    """A candidate: where it stands, its mean score and the error against the reference."""

    candidate: str
    position: float
    mean: float | None
    error: float | None
    #: Why one of them is undefined.
    mean_reason: str = ""
    error_reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepSeries:
    """One reference and its candidates, in the order of their positions."""

    reference: str
    mean: float | None
    points: tuple[SweepPoint, ...]

    @property
    def best(self) -> SweepPoint | None:
        """The candidate with the highest mean score, the first of them."""
        defined = [point for point in self.points if point.mean is not None]
        return max(defined, key=lambda point: point.mean or 0.0) if defined else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweep:
    """What the figure shows."""

    on: str
    series: tuple[SweepSeries, ...]
    #: Names of the positions 0, 1, 2 …; empty where positions are values of a parameter.
    names: tuple[str, ...]
    axis: str = ""


def sweep_of(
    records: Sequence[ComparedRuns],
    *,
    on: str = "map",
    reference: str = "",
    by: str = "",
    axis: str = "",
) -> Sweep:
    """The sweep that results hold.

    Candidates stand in the order of the file, or at the number that the first group of the
    regular expression ``by`` finds in their names.
    """
    pairs = select(run_pairs(records), reference=reference)
    require(pairs, MEASURES, on)
    references = list(dict.fromkeys(pair.reference for pair in pairs))
    if len(references) > len(COLOURS):
        raise MeasureError(
            f"there are {len(references):,} references ({some(references)}), and a figure can "
            f"tell {len(COLOURS)} apart; choose one with --against"
        )
    names = tuple(dict.fromkeys(pair.candidate for pair in pairs))
    places = _values(names, by) if by else {name: float(i) for i, name in enumerate(names)}
    series = [
        _series(name, [pair for pair in pairs if pair.reference == name], on, places)
        for name in references
    ]
    return Sweep(on=on, series=tuple(series), names=() if by else names, axis=axis)


def _values(names: Sequence[str], by: str) -> dict[str, float]:
    """The value of the parameter that the name of each candidate tells."""
    try:
        pattern = re.compile(by)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise MeasureError(f"--by {by!r} is no regular expression: {error}") from None
    found = {}
    for name in names:
        match = pattern.search(name)
        text = (match[1] if pattern.groups else match[0]) if match else ""
        try:
            found[name] = float(text or "")
        except ValueError:
            raise MeasureError(
                f"--by {by!r} finds no number in {name!r}; write one whose first group is the "
                "number, such as 'w([0-9.]+)'"
            ) from None
    return found


def _series(
    reference: str, pairs: Sequence[ComparedRuns], on: str, places: dict[str, float]
) -> SweepSeries:
    points = sorted(
        (_point(pair, on, places[pair.candidate]) for pair in pairs),
        key=lambda point: point.position,
    )
    means = [_detail(pair.find("delta_arp", on), "reference") for pair in pairs]
    known = [mean for mean in means if mean is not None]
    return SweepSeries(reference=reference, mean=known[0] if known else None, points=tuple(points))


def _point(pair: ComparedRuns, on: str, position: float) -> SweepPoint:
    means, error = pair.find("delta_arp", on), pair.find("rmse", on)
    mean = _detail(means, "candidate")
    return SweepPoint(
        candidate=pair.candidate,
        position=position,
        mean=mean,
        error=error.value if error else None,
        mean_reason=_why(means, "delta_arp says no mean scores; take JSON") if mean is None else "",
        error_reason=_why(error, _ABSENT) if error is None or error.value is None else "",
    )


def _detail(measured: Measured | None, name: str) -> float | None:
    return measured.details.get(name) if measured is not None else None


def _why(measured: Measured | None, otherwise: str) -> str:
    if measured is None:
        return _ABSENT
    return measured.reason or otherwise


# Drawing ----------------------------------------------------------------------------------


def draw_sweep(sweep: Sweep, layout: FigureLayout | None = None) -> Drawing:
    """Two panels above each other: mean scores, and errors against the reference."""
    layout = layout or FigureLayout()
    count = len(sweep.names) or max(len(series.points) for series in sweep.series)
    is_named = 0 < len(sweep.names) <= MOST_NAMES
    width = min(24.0, max(6.4, 1.4 + 0.14 * count)) if is_named else 6.4
    names = short_names(sweep.names) if is_named else []
    height = 4.6 + (text_width(max(map(len, names)), 7) if len(names) > _SLANTED else 0.6)
    with styled():
        figure = new_figure(layout, width, height)
        above, below = figure.subplots(2, 1, sharex=True)
        for colour, marker, series in zip(COLOURS, MARKERS, sweep.series, strict=False):
            _draw_means(above, series, colour, marker)
            _draw_errors(below, series, colour, marker)
        name = measure_name(sweep.on)
        is_mean = not sweep.on.startswith(("num_", "gm_"))
        above.set_ylabel(f"mean {name}" if is_mean else name)
        below.set_ylabel(f"RMSE of {name}\nagainst the reference")
        below.set_ylim(bottom=min(0.0, below.get_ylim()[0]) if _has_errors(sweep) else 0.0)
        above.margins(y=0.12)
        add_legend(above)
        _draw_axis(below, sweep, figure.get_figwidth())
        undefined = _undefined(sweep)
        notes = [f"undefined (crosses): {told}" for told in told_undefined(undefined)]
        add_notes(figure, notes)
    return Drawing(
        figure=figure,
        notes=tuple(f"undefined: {told}" for told in told_undefined(undefined, most=FULLY_NAMED)),
    )


def _has_errors(sweep: Sweep) -> bool:
    return any(point.error is not None for series in sweep.series for point in series.points)


def _draw_means(axes: Axes, series: SweepSeries, colour: str, marker: str) -> None:
    x = [point.position for point in series.points]
    style = _line_style(series, colour, marker)
    axes.plot(x, [_or_nan(point.mean) for point in series.points], label="_", **style)
    name = shortened(printable(series.reference), 32)
    if series.mean is not None:
        axes.axhline(
            series.mean, color="black" if "linestyle" in style else colour,
            linestyle=(0, (4, 2)), linewidth=0.9, zorder=3,
            label=f"reference {name}: {number(series.mean)}",
        )  # fmt: skip
    best = series.best
    if best is not None and best.mean is not None and len(series.points) > 1:
        candidate = shortened(printable(best.candidate), 32)
        axes.plot(
            [best.position], [best.mean], linestyle="none", marker=marker, markersize=10,
            markerfacecolor="none", markeredgecolor=colour, zorder=4,
            label=f"best {candidate}: {number(best.mean)}",
        )  # fmt: skip
    _mark_undefined(axes, [p.position for p in series.points if p.mean is None])


def _draw_errors(axes: Axes, series: SweepSeries, colour: str, marker: str) -> None:
    x = [point.position for point in series.points]
    style = _line_style(series, colour, marker)
    axes.plot(x, [_or_nan(point.error) for point in series.points], **style)
    _mark_undefined(axes, [p.position for p in series.points if p.error is None])


def _line_style(series: SweepSeries, colour: str, marker: str) -> dict[str, Any]:
    """Points with a line between them; a cloud of small points if they are very many."""
    if len(series.points) <= MOST_NAMES:
        return {"color": colour, "marker": marker}
    return {"color": colour, "marker": ".", "markersize": 1.5, "linestyle": "none"}


def _mark_undefined(axes: Axes, positions: Sequence[float]) -> None:
    """Crosses at the lower edge, whatever the scale of the panel."""
    if positions:
        axes.plot(
            positions, [0.04] * len(positions), transform=axes.get_xaxis_transform(),
            linestyle="none", marker="x", color=GREY, label="_undefined",
        )  # fmt: skip


def _or_nan(value: float | None) -> float:
    return nan if value is None else value


def _draw_axis(axes: Axes, sweep: Sweep, width: float) -> None:
    axes.set_xlabel(
        printable(sweep.axis) or ("value in the candidate's name" if not sweep.names else "")
    )
    if not sweep.names:
        positions = sorted({p.position for series in sweep.series for p in series.points})
        if len(positions) <= 12:
            axes.set_xticks(positions, [f"{one:g}" for one in positions])
        return
    if len(sweep.names) > MOST_NAMES:
        axes.set_xlabel(
            printable(sweep.axis) or f"{len(sweep.names):,} candidates, in the order given"
        )
        return
    axes.set_xlim(-0.6, len(sweep.names) - 0.4)
    _ticks_of_names(axes, sweep.names, width)


def _ticks_of_names(axes: Any, names: Sequence[str], width: float) -> None:
    """Names below an axis: side by side if there is room, slanted if they are few, else upright."""
    labels = short_names(names)
    axes.set_xticks(range(len(labels)), labels)
    room = (width - 1.0) / len(labels) * 72
    if max(map(len, labels)) * 8 * 0.62 < room:
        return
    is_few = len(labels) <= _SLANTED
    for tick in axes.get_xticklabels():
        tick.set(rotation=35 if is_few else 90, ha="right" if is_few else "center")
        tick.set(rotation_mode="anchor" if is_few else "default", fontsize=SMALL if is_few else 7)


def _undefined(sweep: Sweep) -> list[tuple[str, str]]:
    found = []
    for series in sweep.series:
        for point in series.points:
            if point.mean is None:
                found.append(
                    (point.candidate, f"mean {measure_name(sweep.on)}: {point.mean_reason}")
                )
            if point.error is None:
                found.append((point.candidate, f"RMSE: {point.error_reason}"))
    return found
