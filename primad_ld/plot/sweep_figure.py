"""A parameter sweep: one run against many, by mean score and by the error of the scores.

Figure 10 of Breuer, Keller and Schaer, ir_metadata, SIGIR 2022 (doi:10.1145/3477495.3531738)
puts both beside each other: where the mean score peaks, the scores by topic may already be far
from those of the reference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError, printable
from primad_ld.core.library_arguments import checked
from primad_ld.plot import style
from primad_ld.plot.plotted_pairs import check_measured, read_pairs, select_pairs
from primad_ld.plot.plotted_rows import FULLY_NAMED, by_reason, some
from primad_ld.plot.style import Drawing, FigureLayout
from primad_ld.tables.answers import Answer
from primad_ld.trec.measure_names import canonical

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# So many names stand slanted where they do not fit side by side; more stand upright.
_SLANTED: Final = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class SweepPoint:
    """A candidate: where it stands, its mean score and the error against the reference."""

    candidate: str
    position: float
    mean: float | None
    error: float | None
    reference_mean: float | None
    #: Why a value is undefined.
    reason: str


#: The points by reference, in the order of their positions.
_Series = dict[str, list[SweepPoint]]


@checked
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

    >>> import primad_ld as pl
    >>> runs = [f"runs/greenhouse-feedback-w0{weight}.txt" for weight in (3, 6)]
    >>> pairs = pl.evaluate("runs/greenhouse-bm25.txt", runs, qrels="qrels.txt", on="AP")
    >>> pl.plot.sweep(pairs, by="w0([0-9]+)", axis="weight")
    <Drawing: 6.4 x 5.2 inches>
    """
    style.check_output(output, force=force)
    layout = FigureLayout(title=title, width=width, height=height)
    on = canonical(on)
    pairs = select_pairs(read_pairs(results), reference=against)
    check_measured(pairs, "rmse", on)
    names = list(dict.fromkeys(pair.candidate for pair in pairs))
    positions = {name: float(i) for i, name in enumerate(names)}
    if by:
        references = [pair.reference for pair in pairs]
        positions = _numbers_in(names, by, [*names, *references])
    left_out = [name for name in names if name not in positions]
    series: _Series = {}
    for pair in pairs:
        if pair.candidate in left_out:
            continue
        result = pair.find("rmse", on)
        point = SweepPoint(
            candidate=pair.candidate,
            position=positions[pair.candidate],
            mean=result.candidate_mean if result else None,
            error=result.value if result else None,
            reference_mean=result.reference_mean if result else None,
            reason=(result.reason if result else "") or "it is not among the results",
        )
        series.setdefault(pair.reference, []).append(point)
    if len(series) > len(style.COLOURS):
        raise MeasureError(
            f"there are {len(series):,} references ({some(series)}), and a figure can "
            f"tell {len(style.COLOURS)} apart; choose one with --against"
        )
    for reference, points in series.items():
        if by and reference in positions and reference not in names:
            points += _of_itself(reference, points, positions[reference])
        points.sort(key=lambda point: point.position)
    drawing = _draw(series, on, [] if by else names, axis, layout)
    if left_out:
        note = f"left out, as --by finds no number in their names: {some(left_out)}"
        drawing = replace(drawing, notes=(*drawing.notes, note))
    return drawing.saved(output, force=force)


def _of_itself(
    reference: str, points: Sequence[SweepPoint], position: float
) -> Iterator[SweepPoint]:
    """The point of a reference that has a value of the parameter, too."""
    means = [point.reference_mean for point in points if point.reference_mean is not None]
    if means:
        yield SweepPoint(
            candidate=reference,
            position=position,
            mean=means[0],
            error=0.0,
            reference_mean=means[0],
            reason="",
        )


def _number_in(name: str, pattern: re.Pattern[str]) -> float | None:
    match = pattern.search(name)
    text = (match[1] if pattern.groups else match[0]) if match else ""
    try:
        return float(text or "")
    except ValueError:
        return None


def _numbers_in(candidates: Sequence[str], by: str, names: Sequence[str]) -> dict[str, float]:
    """The value of the parameter by the names that have one, of which some are of candidates."""
    try:
        pattern = re.compile(by)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise MeasureError(f"--by {by!r} is not a regular expression: {error}") from None
    numbers = {name: _number_in(name, pattern) for name in names}
    positions = {name: number for name, number in numbers.items() if number is not None}
    if not positions.keys() & set(candidates):
        raise MeasureError(
            f"--by {by!r} finds no number in {some(candidates)}; use an expression whose first group is "
            "the number, such as 'w([0-9.]+)'"
        )
    return positions


# Drawing ----------------------------------------------------------------------------------


def _draw(
    series: _Series, on: str, names: Sequence[str], axis: str, layout: FigureLayout
) -> Drawing:
    """Two panels above each other: mean scores, and errors against the reference."""
    is_named = 0 < len(names) <= style.MOST_NAMES
    labels = style.short_names(names) if is_named else []
    width = min(24.0, max(6.4, 1.4 + 0.14 * len(labels)))
    widest = style.text_width(max(map(len, labels), default=0), 7)
    name = style.measure_name(on)
    undefined = _undefined(series, name)
    with style.styled():
        figure = style.new_figure(layout, width, 4.6 + (widest if len(labels) > _SLANTED else 0.6))
        above, below = figure.subplots(2, 1, sharex=True)
        for number, (reference, points) in enumerate(series.items()):
            colour, marker = style.COLOURS[number], style.MARKERS[number]
            look: dict[str, Any] = {
                "color": colour,
                "marker": marker,
                "linestyle": "none" if names else "-",
            }
            if len(points) > style.MOST_NAMES:
                look |= {"marker": ".", "markersize": 1.5, "linestyle": "none"}
            _draw_points(above, [(point.position, point.mean) for point in points], look)
            _draw_points(below, [(point.position, point.error) for point in points], look)
            _mark_best(above, reference, points, colour, marker)
        is_mean = not on.startswith(("num_", "gm_"))
        above.set_ylabel(f"mean {name}" if is_mean else name)
        below.set_ylabel(f"RMSE of {name}\nagainst the reference")
        below.set_ylim(bottom=min(0.0, below.get_ylim()[0]) if _has_errors(series) else 0.0)
        above.margins(y=0.12)
        style.add_legend(above)
        if is_named:
            _write_names(below, labels)
        positions = sorted({point.position for points in series.values() for point in points})
        if not names and len(positions) <= 12:
            below.set_xticks(positions, [f"{position:g}" for position in positions])
        usual = "" if is_named else f"{len(names):,} candidates, in the order given"
        below.set_xlabel(printable(axis) or (usual if names else "value in the candidate's name"))
        style.add_notes(figure, [f"undefined (crosses): {note}" for note in by_reason(undefined)])
    notes = [f"undefined: {note}" for note in by_reason(undefined, most=FULLY_NAMED)]
    return Drawing(figure=figure, notes=tuple(notes))


def _has_errors(series: _Series) -> bool:
    return any(point.error is not None for points in series.values() for point in points)


def _draw_points(
    axes: Axes, values: Sequence[tuple[float, float | None]], look: dict[str, Any]
) -> None:
    """Values at their positions; undefined ones as crosses at the lower edge."""
    heights = [nan if value is None else value for _, value in values]
    axes.plot([position for position, _ in values], heights, label="_", **look)
    undefined = [position for position, value in values if value is None]
    if undefined:
        axes.plot(
            undefined, [0.04] * len(undefined), transform=axes.get_xaxis_transform(),
            linestyle="none", marker="x", color=style.GREY, label="_undefined",
        )  # fmt: skip


def _mark_best(
    axes: Axes, reference: str, points: Sequence[SweepPoint], colour: str, marker: str
) -> None:
    """The mean score of the reference as a line, and a ring around the best candidate."""
    means = [point.reference_mean for point in points if point.reference_mean is not None]
    if means:
        is_cloud = len(points) > style.MOST_NAMES
        axes.axhline(
            means[0], color="black" if is_cloud else colour, linestyle=(0, (4, 2)),
            linewidth=0.9, zorder=3,
            label=f"reference {style.shortened(reference, 32)}: {style.number(means[0])}",
        )  # fmt: skip
    scored = [(point.mean, point) for point in points if point.mean is not None]
    if scored and len(points) > 1:
        best, point = max(scored, key=lambda scored: scored[0])
        axes.plot(
            [point.position], [best], linestyle="none", marker=marker, markersize=10,
            markerfacecolor="none", markeredgecolor=colour, zorder=4,
            label=f"best {style.shortened(point.candidate, 32)}: {style.number(best)}",
        )  # fmt: skip


def _write_names(axes: Axes, labels: Sequence[str]) -> None:
    """Names below an axis: side by side if there is room, slanted if they are few, else upright."""
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.set_xticks(range(len(labels)), labels)
    room = (style.width_of(axes) - 1.0) / len(labels) * 72
    if max(map(len, labels)) * 8 * 0.62 < room:
        return
    is_few = len(labels) <= _SLANTED
    for tick in axes.get_xticklabels():
        tick.set(rotation=35 if is_few else 90, ha="right" if is_few else "center")
        tick.set(
            rotation_mode="anchor" if is_few else "default", fontsize=style.SMALL if is_few else 7
        )


def _undefined(series: _Series, name: str) -> list[tuple[str, str]]:
    undefined = []
    for points in series.values():
        for point in points:
            values = {f"mean {name}": point.mean, "RMSE": point.error}
            missing = [what for what, value in values.items() if value is None]
            if missing:
                undefined.append((point.candidate, f"{' and '.join(missing)}: {point.reason}"))
    return undefined
