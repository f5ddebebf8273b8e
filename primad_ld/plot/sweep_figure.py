"""A parameter sweep: one run against many, by mean score and by the error of the scores.

Figure 10 of Breuer, Keller and Schaer, ir_metadata, SIGIR 2022 (doi:10.1145/3477495.3531738)
puts both beside each other: where the mean score peaks, the scores by topic may already be far
from those of the reference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError, printable
from primad_ld.plot.plotted_pairs import PlottedPair, check_measured, read_pairs, select_pairs
from primad_ld.plot.plotted_rows import FULLY_NAMED, by_reason, some
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
    check_output,
    measure_name,
    new_figure,
    number,
    short_names,
    shortened,
    styled,
    text_width,
    width_of,
)
from primad_ld.tables.answers import Answer
from primad_ld.trec.measure_names import canonical

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    reason: str = ""


def sweep(
    results: Answer | str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    on: str = "map",
    by: str = "",
    axis: str = "",
    against: str = "",
    title: str = "",
    width: float | None = None,
    height: float | None = None,
    force: bool = False,
) -> Drawing:
    """One run against many: the mean score of each candidate, and its RMSE by topic.

    Candidates stand in the order of the results, or at the number that the first group of the
    regular expression ``by`` finds in their names; ``axis`` says what it is. ``against`` chooses
    one of several references.

    >>> from primad_ld import EvaluationOptions, evaluate_against, plot
    >>> from primad_ld.core.files import resource
    >>> garden = resource("examples/garden")
    >>> weights = [garden / f"runs/greenhouse-feedback-w0{weight}.txt" for weight in (3, 6)]
    >>> options = EvaluationOptions(qrels=garden / "qrels.txt", on="map")
    >>> pairs = evaluate_against(garden / "runs/greenhouse-bm25.txt", weights, options)
    >>> plot.sweep(pairs, by="w0([0-9]+)", axis="weight")
    <Drawing: 6.4 x 5.2 inches>
    """
    check_output(output, force=force)
    layout = FigureLayout(title=title, width=width, height=height)
    on = canonical(on)
    pairs = select_pairs(read_pairs(results), reference=against)
    check_measured(pairs, "rmse", on)
    names = list(dict.fromkeys(pair.candidate for pair in pairs))
    positions = _numbers_in(names, by) if by else {name: float(i) for i, name in enumerate(names)}
    series: dict[str, list[SweepPoint]] = {}
    means: dict[str, float] = {}
    for pair in pairs:
        point = _point(pair, on, positions[pair.candidate])
        series.setdefault(pair.reference, []).append(point)
        result = pair.find("rmse", on)
        if result is not None and result.reference_mean is not None:
            means.setdefault(pair.reference, result.reference_mean)
    if len(series) > len(COLOURS):
        raise MeasureError(
            f"there are {len(series):,} references ({some(series)}), and a figure can "
            f"tell {len(COLOURS)} apart; choose one with --against"
        )
    for points in series.values():
        points.sort(key=lambda point: point.position)
    drawing = _draw(series, means, on, [] if by else names, axis, layout)
    return drawing.saved(output, force=force)


def _numbers_in(names: Sequence[str], by: str) -> dict[str, float]:
    """The value of the parameter that the name of each candidate has."""
    try:
        pattern = re.compile(by)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise MeasureError(f"--by {by!r} is not a regular expression: {error}") from None
    positions = {}
    for name in names:
        match = pattern.search(name)
        text = (match[1] if pattern.groups else match[0]) if match else ""
        try:
            positions[name] = float(text or "")
        except ValueError:
            raise MeasureError(
                f"--by {by!r} finds no number in {name!r}; use an expression whose first group "
                "is the number, such as 'w([0-9.]+)'"
            ) from None
    return positions


def _point(pair: PlottedPair, on: str, position: float) -> SweepPoint:
    result = pair.find("rmse", on)
    mean, error = (result.candidate_mean, result.value) if result is not None else (None, None)
    return SweepPoint(
        candidate=pair.candidate,
        position=position,
        mean=mean,
        error=error,
        reason=(result.reason if result is not None else "") or _ABSENT,
    )


# Drawing ----------------------------------------------------------------------------------


def _draw(
    series: dict[str, list[SweepPoint]],
    means: dict[str, float],
    on: str,
    names: Sequence[str],
    axis: str,
    layout: FigureLayout,
) -> Drawing:
    """Two panels above each other: mean scores, and errors against the reference."""
    is_named = 0 < len(names) <= MOST_NAMES
    labels = short_names(names) if is_named else []
    width = min(24.0, max(6.4, 1.4 + 0.14 * len(labels)))
    height = 4.6 + (text_width(max(map(len, labels)), 7) if len(labels) > _SLANTED else 0.6)
    name = measure_name(on)
    undefined = _undefined(series, name)
    with styled():
        figure = new_figure(layout, width, height)
        above, below = figure.subplots(2, 1, sharex=True)
        for colour, marker, (reference, points) in zip(
            COLOURS, MARKERS, series.items(), strict=False
        ):
            style = _style_of(points, colour, marker, is_line=not names)
            _draw_points(above, [(point.position, point.mean) for point in points], style)
            _draw_points(below, [(point.position, point.error) for point in points], style)
            _mark_best(above, reference, means.get(reference), points, style)
        is_mean = not on.startswith(("num_", "gm_"))
        above.set_ylabel(f"mean {name}" if is_mean else name)
        below.set_ylabel(f"RMSE of {name}\nagainst the reference")
        has_errors = any(point.error is not None for points in series.values() for point in points)
        below.set_ylim(bottom=min(0.0, below.get_ylim()[0]) if has_errors else 0.0)
        above.margins(y=0.12)
        add_legend(above)
        below.set_xlabel(printable(axis) or ("" if names else "value in the candidate's name"))
        if is_named:
            _write_names(below, labels)
        elif names:
            below.set_xlabel(printable(axis) or f"{len(names):,} candidates, in the order given")
        else:
            positions = {point.position for points in series.values() for point in points}
            if len(positions) <= 12:
                below.set_xticks(sorted(positions), [f"{one:g}" for one in sorted(positions)])
        add_notes(figure, [f"undefined (crosses): {note}" for note in by_reason(undefined)])
    notes = [f"undefined: {note}" for note in by_reason(undefined, most=FULLY_NAMED)]
    return Drawing(figure=figure, notes=tuple(notes))


def _style_of(
    points: Sequence[SweepPoint], colour: str, marker: str, *, is_line: bool
) -> dict[str, Any]:
    """Points, with a line between them along an axis of numbers; small if they are very many."""
    line = "-" if is_line else "none"
    if len(points) <= MOST_NAMES:
        return {"color": colour, "marker": marker, "linestyle": line}
    return {"color": colour, "marker": ".", "markersize": 1.5, "linestyle": "none"}


def _draw_points(
    axes: Axes, values: Sequence[tuple[float, float | None]], style: dict[str, Any]
) -> None:
    """Values at their positions; undefined ones as crosses at the lower edge."""
    positions, heights = zip(*values, strict=True)
    axes.plot(positions, [nan if y is None else y for y in heights], label="_", **style)
    undefined = [x for x, y in values if y is None]
    if undefined:
        axes.plot(
            undefined, [0.04] * len(undefined), transform=axes.get_xaxis_transform(),
            linestyle="none", marker="x", color=GREY, label="_undefined",
        )  # fmt: skip


def _mark_best(
    axes: Axes,
    reference: str,
    mean: float | None,
    points: Sequence[SweepPoint],
    style: dict[str, Any],
) -> None:
    """The mean score of the reference as a line, and a ring around the best candidate."""
    if mean is not None:
        is_cloud = len(points) > MOST_NAMES
        axes.axhline(
            mean, color="black" if is_cloud else style["color"], linestyle=(0, (4, 2)),
            linewidth=0.9, zorder=3,
            label=f"reference {shortened(printable(reference), 32)}: {number(mean)}",
        )  # fmt: skip
    scored = [(point.mean, point) for point in points if point.mean is not None]
    if scored and len(points) > 1:
        best, point = max(scored, key=lambda scored: scored[0])
        axes.plot(
            [point.position], [best], linestyle="none", marker=style["marker"], markersize=10,
            markerfacecolor="none", markeredgecolor=style["color"], zorder=4,
            label=f"best {shortened(printable(point.candidate), 32)}: {number(best)}",
        )  # fmt: skip


def _write_names(axes: Axes, labels: Sequence[str]) -> None:
    """Names below an axis: side by side if there is room, slanted if they are few, else upright."""
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.set_xticks(range(len(labels)), labels)
    room = (width_of(axes) - 1.0) / len(labels) * 72
    if max(map(len, labels)) * 8 * 0.62 < room:
        return
    is_few = len(labels) <= _SLANTED
    for tick in axes.get_xticklabels():
        tick.set(rotation=35 if is_few else 90, ha="right" if is_few else "center")
        tick.set(rotation_mode="anchor" if is_few else "default", fontsize=SMALL if is_few else 7)


def _undefined(series: dict[str, list[SweepPoint]], name: str) -> list[tuple[str, str]]:
    undefined = []
    for points in series.values():
        for point in points:
            values = {f"mean {name}": point.mean, "RMSE": point.error}
            missing = [what for what, value in values.items() if value is None]
            if missing:
                undefined.append((point.candidate, f"{' and '.join(missing)}: {point.reason}"))
    return undefined
