"""All pairs of many runs under one measure: a heat map, with similar runs beside each other.

Runs are put in order by hierarchical clustering with average linkage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.errors import MeasureError
from primad_ld.measures.registry import Direction, Needs, all_measures
from primad_ld.plot.plotted_results import (
    FULLY_NAMED,
    ComparedRuns,
    Measured,
    require,
    run_pairs,
    told_undefined,
    wanted_label,
)
from primad_ld.plot.style import (
    SMALL,
    Drawing,
    FigureLayout,
    add_notes,
    measure_name,
    new_figure,
    number,
    printable,
    short_names,
    styled,
)

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


@dataclass(frozen=True, kw_only=True, slots=True)
class MatrixValues:
    """What the figure shows: values by reference (row) and candidate (column)."""

    measure: str
    on: str | None
    direction: Direction
    #: The value that runs have that are alike; None if there is no such value.
    centre: float | None
    names: tuple[str, ...]
    values: Mapping[tuple[str, str], float]
    #: Pairs that were evaluated and have no value, with the reason.
    undefined: Mapping[tuple[str, str], str]


def compares_orders(measure: str) -> bool:
    """Whether a measure compares rankings, and so is on no measure of effectiveness."""
    known = all_measures().get(wanted_label(measure).partition("(")[0])
    return known is not None and known.needs is Needs.rankings


def matrix_of(
    records: Sequence[ComparedRuns],
    *,
    measure: str,
    on: str | None = None,
    is_clustered: bool = True,
) -> MatrixValues:
    """The matrix that results hold, in the order of their runs or with similar ones together."""
    wanted = wanted_label(measure)
    pairs = run_pairs(records)
    require(pairs, [wanted], on)
    values: dict[tuple[str, str], float] = {}
    undefined: dict[tuple[str, str], str] = {}
    id = label = ""
    for pair in pairs:
        found = pair.find(wanted, on)
        if found is not None:
            id, label = found.id, found.label
            _put(pair, found, values, undefined)
    names = tuple(
        dict.fromkeys(name for pair in pairs for name in (pair.reference, pair.candidate))
    )
    if len(names) > _MOST_RUNS:
        raise MeasureError(
            f"there are {len(names):,} runs, and a matrix shows at most {_MOST_RUNS:,}"
        )
    known = all_measures().get(id)
    direction = known.direction if known is not None else Direction.none
    centre = known.identity if known is not None and direction is Direction.nearer else None
    # A margin in percents is of the reference's mean.
    if id in SYMMETRIC and "%" not in label:
        values |= {(b, a): one for (a, b), one in values.items() if (b, a) not in undefined}
        undefined |= {(b, a): one for (a, b), one in undefined.items() if (b, a) not in values}
    if is_clustered:
        names = clustered(names, values, is_distance=direction is Direction.lower, centre=centre)
    return MatrixValues(
        measure=label or wanted, on=on, direction=direction, centre=centre, names=names,
        values=values, undefined=undefined,
    )  # fmt: skip


def _put(
    pair: ComparedRuns,
    found: Measured,
    values: dict[tuple[str, str], float],
    undefined: dict[tuple[str, str], str],
) -> None:
    cell = pair.reference, pair.candidate
    if values.get(cell, found.value) != found.value or (cell in undefined) > (found.value is None):
        raise MeasureError(
            f"{pair.place}: {cell[0]} and {cell[1]} were evaluated twice, with different results"
        )
    if found.value is None:
        undefined[cell] = found.reason
    else:
        values[cell] = found.value


# Drawing ----------------------------------------------------------------------------------


def draw_matrix(matrix: MatrixValues, layout: FigureLayout | None = None) -> Drawing:
    """A cell for each pair; undefined ones are hatched, those that nobody evaluated are grey."""
    layout = layout or FigureLayout()
    count = len(matrix.names)
    side = max(4.6, 2.4 + 0.135 * count) if count <= _WITH_NAMES else 7.0
    with styled():
        figure = new_figure(layout, side + 1.0, side)
        figure.set_layout_engine("compressed")  # for axes whose shape is fixed
        axes = figure.subplots()
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        axes.set_facecolor(_COLOURS[matrix.direction][1])
        mesh = _draw_cells(axes, matrix)
        _draw_undefined(axes, matrix)
        if count <= _WITH_VALUES:
            _write_values(axes, matrix, mesh.norm, mesh.cmap)
        _draw_names(axes, matrix, figure)
        _draw_colours(figure, axes, mesh, matrix)
        add_notes(figure, _notes(matrix))
    return Drawing(
        figure=figure,
        notes=tuple(f"undefined: {one}" for one in _told_undefined(matrix, most=FULLY_NAMED)),
    )


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


def _write_values(axes: Axes, matrix: MatrixValues, norm: Normalize, colours: Colormap) -> None:
    for row, a in enumerate(matrix.names):
        for column, b in enumerate(matrix.names):
            value = matrix.values.get((a, b))
            if value is None:
                continue
            red, green, blue, _ = colours(norm(value))
            # Relative luminance, roughly as WCAG has it: dark on light, light on dark.
            is_light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 > 0.2
            axes.text(
                column + 0.5, row + 0.5, _short(value), ha="center", va="center",
                fontsize=SMALL, color="black" if is_light else "white",
            )  # fmt: skip


def _short(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}") if abs(value) < 100 else number(value)


def _draw_names(axes: Axes, matrix: MatrixValues, figure: Figure) -> None:
    count = len(matrix.names)
    axes.set(xlim=(0, count), ylim=(count, 0), aspect="equal")
    axes.set_xlabel("candidate")
    axes.set_ylabel("reference")
    if count > _WITH_NAMES:
        axes.set_xticks([])
        axes.set_yticks([])
        return
    labels = short_names(matrix.names, 28)
    middles = [place + 0.5 for place in range(count)]
    # As high as a cell, which is about this many points.
    size = min(8.0, max(3.5, (figure.get_figheight() - 2.2) * 72 / count * 0.8))
    is_narrow = max(map(len, labels)) * size * 0.62 > size / 0.8
    axes.set_xticks(middles, labels, rotation=90 if is_narrow else 0, fontsize=size)
    axes.set_yticks(middles, labels, fontsize=size)
    axes.tick_params(length=0)


def _draw_colours(figure: Figure, axes: Axes, mesh: Any, matrix: MatrixValues) -> None:
    known = all_measures().get(matrix.measure.partition("(")[0])
    name = matrix.measure + (f" of {measure_name(matrix.on)}" if matrix.on else "")
    meaning = _COLOURS[matrix.direction][2]
    title = f"{known.name if known else ''} ({printable(name)})" if known else printable(name)
    extend = _EXTEND[_lies_beyond(matrix, mesh.norm)]
    bar = figure.colorbar(mesh, ax=axes, shrink=0.8, aspect=28, pad=0.02, extend=extend)
    bar.set_label(f"{title}\n{meaning}" if meaning else title, fontsize=8)
    bar.outline.set_visible(False)


# Whether values lie below and above the colours, as matplotlib calls it.
_EXTEND: Final = {
    (False, False): "neither",
    (True, False): "min",
    (False, True): "max",
    (True, True): "both",
}


def _lies_beyond(matrix: MatrixValues, norm: Normalize) -> tuple[bool, bool]:
    """Whether a run against itself is less, or more, than any two runs are."""
    assert norm.vmin is not None
    assert norm.vmax is not None
    values = matrix.values.values()
    return any(one < norm.vmin for one in values), any(one > norm.vmax for one in values)


def _notes(matrix: MatrixValues) -> list[str]:
    notes = []
    if matrix.undefined:
        notes += [f"hatched, undefined: {told}" for told in _told_undefined(matrix, most=_NAMED)]
    evaluated = len(matrix.values.keys() | matrix.undefined.keys())
    if evaluated < len(matrix.names) ** 2:
        is_diagonal = evaluated == len(matrix.names) ** 2 - len(matrix.names) and not any(
            a == b for a, b in (*matrix.values, *matrix.undefined)
        )
        what = "a run against itself" if is_diagonal else "pairs that were not evaluated"
        notes.append(f"grey: {what}")
    if any(_lies_beyond(matrix, _norm(matrix))):
        notes.append("the colours span pairs of different runs; a run against itself lies beyond")
    if len(matrix.names) > _WITH_NAMES:
        notes.append(f"{len(matrix.names):,} runs, too many for names")
    return notes


def _told_undefined(matrix: MatrixValues, *, most: int) -> list[str]:
    """Each pair once, though both of its cells are hatched."""
    told: dict[tuple[str, str], str] = {}
    for (a, b), reason in matrix.undefined.items():
        if told.get((b, a)) != reason:
            told[a, b] = reason
    return told_undefined([(f"{a} and {b}", reason) for (a, b), reason in told.items()], most=most)


# Order of runs ----------------------------------------------------------------------------

# Turning branches so that neighbours are most alike takes time that grows with the cube.
_MOST_TO_TURN: Final = 400


def clustered(
    names: tuple[str, ...],
    values: Mapping[tuple[str, str], float],
    *,
    is_distance: bool = False,
    centre: float | None = None,
) -> tuple[str, ...]:
    """The names in the order of the leaves of a tree of similar ones.

    Distances are the values themselves, their distance from the ``centre``, or by how much they
    are less than the largest. Pairs without a value count as far apart as any. Of pairs with a
    value in both directions, the mean counts.
    """
    if len(names) < 3 or not values:
        return names
    import numpy as np

    # scipy has no types.
    from scipy.cluster import hierarchy

    given = [[values.get((a, b), np.nan) for b in names] for a in names]
    table = np.array(given, dtype=float)
    if centre is not None:
        table = np.abs(table - centre)
    elif not is_distance:
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
