"""P-values of several pairs, corrected for their number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from primad_ld.core.arguments import to_text
from primad_ld.core.errors import MeasureError
from primad_ld.measures.corrections import adjust, correction_named, to_correction
from primad_ld.measures.results import ADVANCED, PairResult

#: A pair and a row of its results.
_Place = tuple[int, int]
_Family = Mapping[object, Sequence[_Place]]
_Families = Mapping[object, _Family]

#: Measures whose value is the p-value of a hypothesis about one pair.
P_VALUES: Final = ("t_test", "t_test_unpaired", "wilcoxon", "tost", "tost_unpaired")


#: Asks for no correction, whatever a header declares.
NONE: Final = "none"
#: In the details of a figure: what to judge by, and for how many comparisons.
CORRECTED: Final = "corrected"
COMPARISONS: Final = "comparisons"


def to_chosen_correction(given: str, what: str) -> str:
    """The name of a correction, ``none``, or nothing: what the header of the reference declares."""
    is_none = to_text(given, what).strip().casefold() == NONE
    return NONE if is_none else to_correction(given, what)


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """Pairs that were compared together."""

    pairs: tuple[PairResult, ...]
    #: How their p-values are corrected; empty if they are not.
    correction: str = ""
    notes: tuple[str, ...] = ()


def compared_together(pairs: Sequence[PairResult], asked: str, declared: Iterable[str]) -> Family:
    """Pairs with their p-values corrected as was asked, else as headers of references declare.

    Where neither says how, a note says how many comparisons there are.
    """
    families = _families(pairs)
    count = max((_size(pairs, family) for family in families.values()), default=0)
    if asked not in ("", NONE):
        alone = ("there is one comparison, which no correction changes",) if count == 1 else ()
        found = _corrected(pairs, families, asked)
        return Family(pairs=found, correction=asked, notes=alone)
    if count < 2:
        return Family(pairs=tuple(pairs))
    how = "--correction says how, such as holm-bonferroni"
    uncorrected = f"p-values are of {count:,} comparisons and not corrected"
    if asked == NONE:
        return Family(pairs=tuple(pairs), notes=(uncorrected,))
    names = sorted({name for one in declared for name in one.split(", ") if name})
    if [name.casefold() for name in names] == [NONE]:
        return Family(pairs=tuple(pairs), notes=(f"{uncorrected}, as the header declares",))
    if len(names) != 1:
        why = f", as headers declare several corrections ({', '.join(names)})" if names else ""
        return Family(pairs=tuple(pairs), notes=(f"{uncorrected}{why}; {how}",))
    try:
        name = correction_named(names[0])
    except MeasureError as error:
        return Family(pairs=tuple(pairs), notes=(f"{uncorrected}: {error}; {how}",))
    note = f"p-values are corrected by {name}, as the header of the reference declares"
    return Family(pairs=_corrected(pairs, families, name), correction=name, notes=(note,))


def _corrected(
    pairs: Sequence[PairResult], families: _Families, name: str
) -> tuple[PairResult, ...]:
    """The pairs with each p-value corrected for all comparisons under the same test and measure.

    The value stays what the test says.
    """
    changed = [list(pair.results) for pair in pairs]
    for family in families.values():
        values = [_value(pairs, places) for places in family.values()]
        count = float(_size(pairs, family))
        for places, value in zip(family.values(), adjust(values, name), strict=True):
            for at, row in places:
                figure = changed[at][row].figure
                details = {**figure.details, CORRECTED: value}
                if value is not None:
                    details[COMPARISONS] = count
                changed[at][row] = replace(
                    changed[at][row], figure=replace(figure, details=details)
                )
    return tuple(
        [replace(pair, results=tuple(rows)) for pair, rows in zip(pairs, changed, strict=True)]
    )


def _value(pairs: Sequence[PairResult], places: Sequence[_Place]) -> float | None:
    """The p-value of one comparison, wherever it stands."""
    at, row = places[0]
    return pairs[at].results[row].figure.value


def _size(pairs: Sequence[PairResult], family: _Family) -> int:
    """How many comparisons have a p-value."""
    return sum(_value(pairs, places) is not None for places in family.values())


def _families(pairs: Sequence[PairResult]) -> _Families:
    """What is corrected together, by test and measure: of each comparison where its p-value stands.

    Two runs may be compared twice in an answer, by themselves and as a side of a study.
    """
    found: dict[object, dict[object, list[_Place]]] = defaultdict(dict)
    for at, pair in enumerate(pairs):
        for row, result in enumerate(pair.results):
            is_advanced = result.run == ADVANCED
            sides = (
                (pair.reference_advanced, pair.candidate_advanced)
                if is_advanced
                else (pair.reference, pair.candidate)
            )
            # A run against itself is no hypothesis.
            if result.measure.id in P_VALUES and sides[0] != sides[1]:
                family = found[str(result.measure), result.on]
                family.setdefault(sides, []).append((at, row))
    return found
