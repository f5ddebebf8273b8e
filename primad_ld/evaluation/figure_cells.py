"""Figures as people read them: cells with intervals, p-values, and what their columns are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from primad_ld.measures.registry import Chosen, Direction
from primad_ld.measures.results import P_VALUES, WITHOUT_TYPE, Result
from primad_ld.tables.answers import UNDEFINED, Cell, half_up
from primad_ld.trec.measure_names import COMMON, expand

if TYPE_CHECKING:
    from primad_ld.compare.primad_types import PrimadType

#: Asks for all measures of effectiveness.
ALL: Final = "all"
#: What is shown as a p-value; the last one is of a matrix.
P_SHOWN: Final = frozenset((*P_VALUES, "tukey_hsd"))
DIGITS: Final = 4
#: From here on, a difference is not called significant.
LEVEL: Final = 0.05
_SMALLEST_P: Final = 0.0001
#: Which values of a measure are the best ones, where that does not depend on another run.
BETTER: Final[Mapping[Direction, Literal["high", "low"]]] = {
    Direction.higher: "high",
    Direction.lower: "low",
}

# Cells ------------------------------------------------------------------------------------


def value_cell(result: Result, *, with_interval: bool = True) -> object:
    """A value as people read it, with its interval if it has one."""
    value, details = result.figure.value, result.figure.details
    if value is None:
        return Cell(None, UNDEFINED)
    if result.measure.id in P_SHOWN:
        return p_cell(value)
    ends = interval_cell(result) if with_interval else None
    return Cell(value, f"{half_up(value, DIGITS)} {ends.text}") if ends and details else value


def p_cell(value: float | None) -> object:
    """A p-value; one that would be rounded to nothing is smaller than something."""
    if value is None:
        return Cell(None, UNDEFINED)
    return Cell(value, f"< {_SMALLEST_P}") if 0 < value < _SMALLEST_P else value


def change_cell(before: float, after: float) -> object:
    """A relative change in percent."""
    if not before:
        return Cell(None, UNDEFINED)
    change = (after - before) / before
    percent = half_up(100 * change, 1)
    return Cell(change, f"{'' if percent.startswith(('-', '0.0')) else '+'}{percent} %")


def interval_cell(result: Result) -> Cell | None:
    ends = [result.figure.details.get(end) for end in ("low", "high")]
    if None in ends:
        return None
    return Cell(ends, f"[{', '.join(half_up(end, DIGITS) for end in ends)}]")


# Names and columns ------------------------------------------------------------------------


def label(chosen: Chosen) -> str:
    """A measure with its parameters; overlaps always with their p, on which all depends."""
    p, text = chosen.parameters.get("p"), str(chosen)
    if p is None or "(p=" in text:
        return text
    name, _, others = text.partition("(")
    return f"{name}(p={p}, {others}" if others else f"{name}(p={p})"


def heading(chosen: Chosen) -> str:
    """What a column of a measure is called: p-values by their tests."""
    if chosen.id not in P_SHOWN:
        return label(chosen)
    parameters = str(chosen).removeprefix(chosen.id).strip("()")
    return f"p ({', '.join(filter(None, [chosen.measure.name, parameters]))})"


def type_words(type: PrimadType | None) -> str:
    """The type of a pair in the heading of a table."""
    return type.letters if type is not None else WITHOUT_TYPE


def names_to_show(asked: Sequence[str], every: Sequence[str]) -> list[str]:
    """The measures of effectiveness to show: as asked, or a few that everybody knows."""
    if ALL in asked:
        return list(every)
    if asked:
        return expand(asked, every)
    return [name for name in COMMON if name in every] or list(every)
