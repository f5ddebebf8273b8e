"""All pairs of many runs under one measure: a heat map, with similar runs beside each other.

Runs are put in order by hierarchical clustering with average linkage.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError, printable
from primad_ld.core.library_arguments import checked
from primad_ld.measures.registry import Direction, all_measures
from primad_ld.plot import style
from primad_ld.plot.plotted_pairs import (
    PlottedPair,
    check_measured,
    compares_orders,
    read_pairs,
    wanted_measure,
)
from primad_ld.plot.plotted_rows import FULLY_NAMED, by_reason
from primad_ld.plot.style import Drawing, FigureLayout
from primad_ld.tables.answers import Answer
from primad_ld.trec.measure_names import canonical

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

#: A value of a pair holds for both orders of its runs.
SYMMETRIC: Final = frozenset(
    "ktu tau_common rbo rbo_ext rbo_w rbo_a rbo_b rmse t_test wilcoxon tost t_test_unpaired "
    "tost_unpaired tukey_hsd".split()
)
#: More runs than these make cells that nobody can see.
_MOST_RUNS: Final = 1000
# Values are written into so many rows of cells, and drawn as lines up to so many.
_WITH_VALUES: Final = 12
_AS_PATHS: Final = 60
_WITH_NAMES: Final = 120
_NAMED: Final = 4

# How values are coloured, by what speaks for a good reproduction: bright is alike. Cividis can be
# read with any colour vision, and so can ColorBrewer's purple and orange. The grey of what was
# not evaluated is one that the colours lack.
_COLOURS: Final = {
    Direction.higher: ("cividis", "#F2F2F2", "the brighter, the more alike"),
    Direction.lower: ("cividis_r", "#F2F2F2", "the brighter, the more alike"),
    Direction.nearer: ("PuOr", "#BFBFBF", "the paler, the more alike"),
    Direction.none: ("cividis", "#F2F2F2", ""),
}
#: How runs can stand.
ORDERS: Final = ("clustered", "given")


@dataclass(frozen=True, kw_only=True, slots=True)
class MatrixValues:
    """What the figure shows: values by reference (row) and candidate (column)."""

    measure: str
    on: str
    direction: Direction
    #: The value that runs have that are alike; None if there is no such value.
    centre: float | None
    names: tuple[str, ...]
    values: Mapping[tuple[str, str], float]
    #: Pairs that were evaluated and have no value, with the reason.
    undefined: Mapping[tuple[str, str], str]


@checked
def matrix(
    results: Answer | str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    measure: str = "rbo",
    on: str = "map",
    order: str = "clustered",
    title: str = "",
    width: float | None = None,
    height: float | None = None,
    force: bool = False,
) -> Drawing:
    """All pairs of many runs under one measure, as a heat map.

    With ``order="clustered"`` similar runs stand together, with ``"given"`` they stand in the order
    of the results. ``on`` is the measure of effectiveness, for measures that compare scores.

    >>> import primad_ld as pl
    >>> pl.plot.matrix(pl.evaluate_all_pairs("runs", measure="ktu"), measure="ktu")
    <Drawing: 5.6 x 4.6 inches>
    """
    style.check_output(output, force=force)
    if order not in ORDERS:
        raise MeasureError(f"unknown order {order!r}; choose from {', '.join(ORDERS)}")
    layout = FigureLayout(title=title, width=width, height=height)
    is_of_orders = compares_orders(measure)
    on = "" if is_of_orders else canonical(on)
    values = matrix_of(read_pairs(results), wanted_measure(measure), on, order=order)
    unused = {"on": f"{measure} compares orders"} if is_of_orders else {}
    return replace(_draw(values, layout), unused=unused).saved(output, force=force)


def matrix_of(
    pairs: Sequence[PlottedPair], measure: str, on: str, *, order: str = "clustered"
) -> MatrixValues:
    """The matrix that results hold, in the order of their runs or with similar ones together."""
    check_measured(pairs, measure, on)
    results = {(pair.reference, pair.candidate): pair.find(measure, on) for pair in pairs}
    names = list(dict.fromkeys(name for cell in results for name in cell))
    if len(names) > _MOST_RUNS:
        raise MeasureError(
            f"there are {len(names):,} runs, and a matrix shows at most {_MOST_RUNS:,}"
        )
    measured = {cell: result for cell, result in results.items() if result is not None}
    first = next(iter(measured.values()))
    known = all_measures().get(first.measure)
    # A margin in percents is of the reference's mean.
    if first.measure in SYMMETRIC and "%" not in first.label:
        reverse = {(b, a): one for (a, b), one in measured.items() if (b, a) not in measured}
        measured |= reverse
    direction = known.direction if known is not None else Direction.none
    values = MatrixValues(
        measure=first.label,
        on=on,
        direction=direction,
        centre=known.identity if known is not None and direction is Direction.nearer else None,
        names=tuple(names),
        values={cell: one.value for cell, one in measured.items() if one.value is not None},
        undefined={cell: one.reason for cell, one in measured.items() if one.value is None},
    )
    return values if order == "given" else replace(values, names=clustered(values))


# Drawing ----------------------------------------------------------------------------------


def _draw(matrix: MatrixValues, layout: FigureLayout) -> Drawing:
    """A cell for each pair; undefined ones are hatched, those that nobody evaluated are grey."""
    count = len(matrix.names)
    side = max(4.6, 2.4 + 0.135 * count) if count <= _WITH_NAMES else 7.0
    with style.styled():
        figure = style.new_figure(layout, side + 1.0, side)
        figure.set_layout_engine("compressed")  # for axes whose shape is fixed
        axes = figure.subplots()
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_facecolor(_COLOURS[matrix.direction][1])
        mesh = _draw_cells(axes, matrix)
        _draw_undefined(axes, matrix)
        # Three signs and a point are about as wide as a cell.
        size = min(style.SMALL, (min(figure.get_size_inches()) - 1.9) / count * 72 / 3.1)
        if count <= _WITH_VALUES and size > 5:
            _write_values(axes, matrix, mesh.norm, mesh.cmap, size)
        _draw_names(axes, matrix, figure)
        _draw_colours(figure, axes, mesh, matrix)
        style.add_notes(figure, _notes(matrix))
    notes = [f"undefined: {note}" for note in _undefined(matrix, most=FULLY_NAMED)]
    return Drawing(figure=figure, notes=tuple(notes))


def _draw_cells(axes: Axes, matrix: MatrixValues) -> Any:
    import numpy as np

    names = matrix.names
    rows = [[matrix.values.get((a, b), nan) for b in names] for a in names]
    return axes.pcolormesh(
        np.ma.masked_invalid(np.array(rows, dtype=float)),
        cmap=_COLOURS[matrix.direction][0],
        norm=_norm(matrix),
        # Beyond this, one path for each cell makes files that no viewer likes to open.
        rasterized=len(names) > _AS_PATHS,
        edgecolors="white" if len(names) <= _AS_PATHS else "none",
        linewidth=0.4 if len(names) <= _AS_PATHS else 0,
    )


def _norm(matrix: MatrixValues) -> Normalize:
    """From the least value to the most; as far to both sides of the centre, where there is one."""
    from matplotlib.colors import Normalize

    # A run against itself says nothing of the others, and would take the colours from them.
    others = [value for (a, b), value in matrix.values.items() if a != b]
    values = others or list(matrix.values.values()) or [0.0, 1.0]
    if matrix.centre is not None:
        reach = max(abs(value - matrix.centre) for value in values) or 1.0
        return Normalize(matrix.centre - reach, matrix.centre + reach)
    least, most = min(values), max(values)
    return Normalize(least, most) if most > least else Normalize(least - 0.5, most + 0.5)


def _draw_undefined(axes: Axes, matrix: MatrixValues) -> None:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    place = {name: number for number, name in enumerate(matrix.names)}
    cells = [Rectangle((place[b], place[a]), 1, 1) for a, b in matrix.undefined]
    if cells:
        axes.add_collection(
            PatchCollection(
                cells, facecolor="white", edgecolor="#8C8C8C", hatch="////", linewidth=0.2
            )
        )


def _write_values(
    axes: Axes, matrix: MatrixValues, norm: Normalize, colours: Colormap, size: float
) -> None:
    for row, a in enumerate(matrix.names):
        for column, b in enumerate(matrix.names):
            value = matrix.values.get((a, b))
            if value is None:
                continue
            red, green, blue, _ = colours(norm(value))
            # Relative luminance, roughly as WCAG has it: dark on light, light on dark.
            is_light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.2
            text = f"{value:.2f}" if abs(value) < 100 else f"{value:.3g}"
            axes.text(
                column + 0.5, row + 0.5, text.replace("-", "\N{MINUS SIGN}"), ha="center", va="center",
                fontsize=size, color="black" if is_light else "white",
            )  # fmt: skip


def _draw_names(axes: Axes, matrix: MatrixValues, figure: Figure) -> None:
    count = len(matrix.names)
    axes.set(xlim=(0, count), ylim=(count, 0), aspect="equal")
    axes.set_xlabel("candidate")
    axes.set_ylabel("reference")
    if count > _WITH_NAMES:
        axes.set_xticks([])
        axes.set_yticks([])
        return
    labels = style.short_names(matrix.names, 28)
    middles = [place + 0.5 for place in range(count)]
    # As high as a cell, which is about this many points.
    size = min(8.0, max(3.5, (figure.get_figheight() - 2.2) * 72 / count * 0.8))
    is_narrow = max(map(len, labels)) * size * 0.62 > size / 0.8
    axes.set_xticks(middles, labels, rotation=90 if is_narrow else 0, fontsize=size)
    axes.set_yticks(middles, labels, fontsize=size)
    axes.tick_params(length=0)


def _draw_colours(figure: Figure, axes: Axes, mesh: Any, matrix: MatrixValues) -> None:
    known = all_measures().get(matrix.measure.partition("(")[0])
    name = matrix.measure + (f" of {style.measure_name(matrix.on)}" if matrix.on else "")
    meaning = _COLOURS[matrix.direction][2]
    title = f"{known.name} ({printable(name)})" if known else printable(name)
    # About as many signs as the bar is high.
    title = "\n".join(textwrap.wrap(title, max(24, int(figure.get_figheight() * 7.5))))
    extend = _reaches_beyond(matrix, mesh.norm)
    bar = figure.colorbar(mesh, ax=axes, shrink=0.8, aspect=28, pad=0.02, extend=extend)
    bar.set_label(f"{title}\n{meaning}" if meaning else title, fontsize=8)
    bar.outline.set_visible(False)


def _reaches_beyond(matrix: MatrixValues, norm: Normalize) -> str:
    """Where a run against itself lies beyond the colours, as matplotlib calls it."""
    assert norm.vmin is not None
    assert norm.vmax is not None
    values = matrix.values.values()
    is_below, is_above = min(values, default=0) < norm.vmin, max(values, default=0) > norm.vmax
    return ("both" if is_above else "min") if is_below else "max" if is_above else "neither"


def _notes(matrix: MatrixValues) -> list[str]:
    notes = []
    if matrix.undefined:
        notes += [f"hatched, undefined: {note}" for note in _undefined(matrix, most=_NAMED)]
    evaluated = len(matrix.values.keys() | matrix.undefined.keys())
    if evaluated < len(matrix.names) ** 2:
        is_diagonal = evaluated == len(matrix.names) ** 2 - len(matrix.names) and not any(
            a == b for a, b in (*matrix.values, *matrix.undefined)
        )
        what = "a run against itself" if is_diagonal else "pairs that were not evaluated"
        notes.append(f"grey: {what}")
    if _reaches_beyond(matrix, _norm(matrix)) != "neither":
        notes.append("the colours span pairs of different runs; a run against itself lies beyond")
    if len(matrix.names) > _WITH_NAMES:
        notes.append(f"{len(matrix.names):,} runs, too many for names")
    return notes


def _undefined(matrix: MatrixValues, *, most: int) -> list[str]:
    """Each pair once, though both of its cells are hatched."""
    reasons: dict[tuple[str, str], str] = {}
    for (a, b), reason in matrix.undefined.items():
        if reasons.get((b, a)) != reason:
            reasons[a, b] = reason
    return by_reason([(f"{a} and {b}", reason) for (a, b), reason in reasons.items()], most=most)


# Order of runs ----------------------------------------------------------------------------

# Turning branches so that neighbours are most alike takes time that grows with the cube.
_MOST_TO_TURN: Final = 400


def clustered(matrix: MatrixValues) -> tuple[str, ...]:
    """The names in the order of the leaves of a tree of similar runs.

    Distances are the values themselves, their distance from the ``centre``, or by how much they
    are less than the largest. Pairs without a value count as far apart as any. Of pairs with a
    value in both directions, the mean counts.
    """
    names, values = matrix.names, matrix.values
    if len(names) < 3 or not values:
        return names
    import numpy as np

    # scipy has no types.
    from scipy.cluster import hierarchy

    given = [[values.get((a, b), np.nan) for b in names] for a in names]
    table = np.array(given, dtype=float)
    if matrix.centre is not None:
        table = np.abs(table - matrix.centre)
    elif matrix.direction is not Direction.lower:
        table = np.nanmax(table) - table
    both = np.where(np.isnan(table), table.T, table), np.where(np.isnan(table.T), table, table.T)
    distances = (both[0] + both[1]) / 2
    distances = np.where(np.isnan(distances), np.nanmax(distances), distances)
    upper = distances[np.triu_indices(len(names), 1)]
    # Distances that differ by rounding alone must not decide an order.
    upper = np.round(upper - min(0.0, float(upper.min())), 12)
    tree = hierarchy.linkage(upper, "average")
    if len(names) <= _MOST_TO_TURN:
        tree = hierarchy.optimal_leaf_ordering(tree, upper)
    leaves = [int(leaf) for leaf in hierarchy.leaves_list(tree)]
    # A tree has no left and right: the run that came first stands in the first half.
    if leaves.index(0) > len(leaves) // 2:
        leaves.reverse()
    return tuple(names[leaf] for leaf in leaves)
