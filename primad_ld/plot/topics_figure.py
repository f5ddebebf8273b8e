"""Where two runs differ: the difference of their scores for each topic, sorted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import checked
from primad_ld.plot import style
from primad_ld.plot.plotted_pairs import (
    PlottedPair,
    PlottedResult,
    check_measured,
    read_pairs,
    select_pairs,
)
from primad_ld.plot.plotted_rows import NO_REASON, some
from primad_ld.plot.style import Drawing, FigureLayout
from primad_ld.tables.answers import Answer
from primad_ld.trec.measure_names import canonical

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@checked
def topics(
    results: Answer | str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    on: str = "map",
    against: str = "",
    candidate: str = "",
    title: str = "",
    width: float | None = None,
    height: float | None = None,
    force: bool = False,
) -> Drawing:
    """The scores of a candidate minus those of its reference, topic by topic, sorted.

    The results need values by topic. Of several pairs, ``against`` and ``candidate`` choose one.

    >>> import primad_ld as pl
    >>> runs = "runs/greenhouse-bm25.txt", "runs/shed-bm25.txt"
    >>> pair = pl.evaluate(*runs, qrels="qrels.txt", on="AP", per_topic=True)
    >>> pl.plot.topics(pair)
    <Drawing: 6.4 x 3.8 inches>
    """
    style.check_output(output, force=force)
    layout = FigureLayout(title=title, width=width, height=height)
    on = canonical(on)
    pairs = select_pairs(read_pairs(results), reference=against, candidate=candidate)
    check_measured(pairs, "rmse", on)
    if len(pairs) > 1:
        raise MeasureError(
            f"there are {len(pairs):,} pairs, and the figure is about one; choose it with "
            f"--against ({some(pair.reference for pair in pairs)}) and "
            f"--candidate ({some(pair.candidate for pair in pairs)})"
        )
    (pair,) = pairs
    result = pair.find("rmse", on)
    if result is None or not result.by_topic:
        raise MeasureError(
            f"{pair.reference} and {pair.candidate}: rmse has no values by topic; evaluate with "
            "--format json --per-topic"
        )
    return _draw(pair, result, layout).saved(output, force=force)


def _draw(pair: PlottedPair, result: PlottedResult, layout: FigureLayout) -> Drawing:
    """Bars from the topic that gained most to the one that lost most, then the undefined ones."""
    defined = [(topic, value) for topic, value in result.by_topic.items() if value is not None]
    # Equal ones stay in the order of the topics.
    differences = sorted(defined, key=lambda pair: -pair[1])
    undefined = [topic for topic, value in result.by_topic.items() if value is None]
    names = [topic for topic, _ in differences] + undefined
    values = [value for _, value in differences]
    is_named = len(names) <= style.MOST_NAMES
    width = min(24.0, max(6.4, 1.2 + 0.095 * len(names))) if is_named else 9.0
    with style.styled():
        figure = style.new_figure(layout, width, 3.8)
        axes = figure.subplots()
        _draw_bars(axes, values)
        if undefined:
            _draw_undefined(axes, len(values), len(names))
        if values:
            mean = fsum(values) / len(values)
            axes.axhline(
                mean, color="black", linestyle=(0, (4, 2)), linewidth=0.9,
                label=f"mean difference: {style.number(mean)}",
            )  # fmt: skip
        axes.axhline(0, color=style.GREY, linewidth=0.8)
        _draw_axis(axes, names, is_named=is_named)
        axes.set_ylabel(f"{style.measure_name(result.on)}: candidate \N{MINUS SIGN} reference")
        candidate, reference = (
            style.shortened(name, 32) for name in (pair.candidate, pair.reference)
        )
        error = "undefined" if result.value is None else style.number(result.value)
        style.add_legend(
            axes, title=f"{candidate} against {reference} (RMSE {error})",
            order=("candidate", "", "equal", "undefined", "mean"),
        )  # fmt: skip
        notes = []
        if undefined:
            notes.append(
                f"undefined topics: {some(undefined, style.MOST_NAMES if is_named else 8)}"
            )
        if result.value is None:
            notes.append(f"RMSE is undefined: {result.reason or NO_REASON}")
        if values and not is_named:
            ends = [topic for topic, _ in differences]
            notes.append(f"largest gains: {some(ends[:3])}; largest losses: {some(ends[:-4:-1])}")
        style.add_notes(figure, notes)
    return Drawing(figure=figure, notes=tuple(notes))


def _draw_bars(axes: Axes, values: Sequence[float]) -> None:
    for label, colour, sign in (("better", style.COLOURS[0], 1), ("worse", style.COLOURS[1], -1)):
        mine = [(place, value) for place, value in enumerate(values) if value * sign > 0]
        if mine:
            places, heights = zip(*mine, strict=True)
            axes.bar(places, heights, color=colour, label=f"candidate {label} ({len(mine)})")
    equal = [place for place, value in enumerate(values) if value == 0]
    if equal:
        axes.plot(
            equal, [0] * len(equal), linestyle="none", marker="o", markersize=2.5, color="black",
            zorder=3, label=f"equal ({len(equal)})",
        )  # fmt: skip


def _draw_undefined(axes: Axes, start: int, end: int) -> None:
    """Hatched from top to bottom, so that nobody takes them for equal."""
    axes.bar(
        range(start, end), [1] * (end - start), transform=axes.get_xaxis_transform(),
        color="none", hatch="////", edgecolor="#8C8C8C", linewidth=0,
        label=f"undefined ({end - start})",
    )  # fmt: skip


def _draw_axis(axes: Axes, names: Sequence[str], *, is_named: bool) -> None:
    axes.set_xlim(-0.7, len(names) - 0.3)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("topic" if is_named else f"{len(names):,} topics, sorted by difference")
    if not is_named:
        axes.set_xticks([])
        return
    room = (style.width_of(axes) - 1.0) / len(names) * 72
    labels = style.short_names(names, 16)
    is_narrow = max(map(len, labels)) * 7 * 0.62 > room
    axes.set_xticks(range(len(names)), labels, fontsize=min(7.0, max(4.0, room * 0.85)))
    axes.tick_params(axis="x", length=0, rotation=90 if is_narrow else 0)
