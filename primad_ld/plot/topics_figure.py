"""Where two runs differ: the difference of their scores for each topic, sorted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import MeasureError
from primad_ld.plot.plotted_results import NO_REASON, ComparedRuns, require, run_pairs, select, some
from primad_ld.plot.style import (
    COLOURS,
    GREY,
    MOST_NAMES,
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
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The measures that an evaluation must have.
MEASURES: Final = ("rmse",)


@dataclass(frozen=True, kw_only=True, slots=True)
class TopicDifferences:
    """What the figure shows: candidate minus reference, the largest first."""

    on: str
    reference: str
    candidate: str
    differences: tuple[tuple[str, float], ...]
    #: Topics without a difference.
    undefined: tuple[str, ...]
    error: float | None
    error_reason: str = ""


def topic_differences(
    records: Sequence[ComparedRuns], *, on: str = "map", reference: str = "", candidate: str = ""
) -> TopicDifferences:
    """The differences of one pair, which has to be named where there are several."""
    pairs = select(run_pairs(records), reference=reference, candidate=candidate)
    require(pairs, MEASURES, on)
    if len(pairs) > 1:
        raise MeasureError(
            f"there are {len(pairs):,} pairs, and the figure is about one; choose it with "
            f"--against ({some(p.reference for p in pairs)}) and "
            f"--candidate ({some(p.candidate for p in pairs)})"
        )
    (pair,) = pairs
    found = pair.find("rmse", on)
    assert found is not None
    if not found.by_topic:
        raise MeasureError(
            f"{pair.place}: rmse has no values by topic; evaluate with --format json --per-topic"
        )
    defined = [(topic, value) for topic, value in found.by_topic.items() if value is not None]
    return TopicDifferences(
        on=on,
        reference=pair.reference,
        candidate=pair.candidate,
        # Equal ones stay in the order of the topics.
        differences=tuple(sorted(defined, key=lambda one: -one[1])),
        undefined=tuple(topic for topic, value in found.by_topic.items() if value is None),
        error=found.value,
        error_reason=found.reason,
    )


def draw_topics(found: TopicDifferences, layout: FigureLayout | None = None) -> Drawing:
    """Bars from the topic that gained most to the one that lost most, undefined ones behind."""
    layout = layout or FigureLayout()
    names = [topic for topic, _ in found.differences] + list(found.undefined)
    is_named = len(names) <= MOST_NAMES
    width = min(24.0, max(6.4, 1.2 + 0.095 * len(names))) if is_named else 9.0
    with styled():
        figure = new_figure(layout, width, 3.8)
        axes = figure.subplots()
        values = [value for _, value in found.differences]
        _draw_bars(axes, values)
        if found.undefined:
            _draw_undefined(axes, len(values), len(names))
        if values:
            mean = fsum(values) / len(values)
            axes.axhline(
                mean, color="black", linestyle=(0, (4, 2)), linewidth=0.9,
                label=f"mean difference: {number(mean)}",
            )  # fmt: skip
        axes.axhline(0, color=GREY, linewidth=0.8)
        _draw_axis(axes, names, figure.get_figwidth(), is_named=is_named)
        candidate, reference = (
            shortened(printable(name), 32) for name in (found.candidate, found.reference)
        )
        axes.set_ylabel(f"{measure_name(found.on)}: candidate \N{MINUS SIGN} reference")
        error = f"RMSE {number(found.error)}" if found.error is not None else "RMSE undefined"
        add_legend(
            axes, title=f"{candidate} against {reference} ({error})",
            first=("candidate",), last=("equal", "undefined", "mean"),
        )  # fmt: skip
        add_notes(figure, _notes(found, is_named=is_named))
    return Drawing(figure=figure, notes=tuple(_notes(found, is_named=True)))


def _draw_bars(axes: Axes, values: Sequence[float]) -> None:
    for label, colour, sign in (("better", COLOURS[0], 1), ("worse", COLOURS[1], -1)):
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


def _draw_axis(axes: Axes, names: Sequence[str], width: float, *, is_named: bool) -> None:
    axes.set_xlim(-0.7, len(names) - 0.3)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("topic" if is_named else f"{len(names):,} topics, sorted by difference")
    if not is_named:
        axes.set_xticks([])
        return
    room = (width - 1.0) / len(names) * 72
    labels = short_names(names, 16)
    is_narrow = max(map(len, labels)) * 7 * 0.62 > room
    axes.set_xticks(range(len(names)), labels, fontsize=min(7.0, max(4.0, room * 0.85)))
    axes.tick_params(axis="x", length=0, rotation=90 if is_narrow else 0)


def _notes(found: TopicDifferences, *, is_named: bool) -> list[str]:
    notes = []
    if found.undefined:
        told = some(found.undefined) if not is_named else ", ".join(found.undefined)
        notes.append(f"undefined topics: {told}")
    if found.error is None:
        notes.append(f"RMSE is undefined: {found.error_reason or NO_REASON}")
    if not is_named and found.differences:
        most = ", ".join(topic for topic, _ in found.differences[:3])
        least = ", ".join(topic for topic, _ in found.differences[:-4:-1])
        notes.append(f"largest gains: {most}; largest losses: {least}")
    return [printable(note) for note in notes]
