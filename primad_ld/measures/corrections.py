"""Corrections of p-values for the number of tests, as headers of runs name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from primad_ld.core.errors import MeasureError
from primad_ld.core.library_arguments import to_text

_Correction = Callable[[Sequence[float]], list[float]]


def _bonferroni(values: Sequence[float]) -> list[float]:
    """Each p-value times the number of tests (Dunn, JASA 56, 1961)."""
    return [min(1.0, value * len(values)) for value in values]


def _holm(values: Sequence[float]) -> list[float]:
    """Each p-value times the number of tests not yet rejected, from the smallest on.

    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6, 1979.
    """
    adjusted, highest = [0.0] * len(values), 0.0
    for rejected, place in enumerate(_ascending(values)):
        highest = max(highest, min(1.0, values[place] * (len(values) - rejected)))
        adjusted[place] = highest
    return adjusted


def _benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Each p-value times the number of tests by its rank, from the largest on.

    Benjamini and Hochberg, Controlling the false discovery rate, Journal of the Royal
    Statistical Society B 57, 1995.
    """
    adjusted, lowest = [0.0] * len(values), 1.0
    for rank, place in reversed(list(enumerate(_ascending(values), start=1))):
        lowest = min(lowest, values[place] * len(values) / rank)
        adjusted[place] = lowest
    return adjusted


def _ascending(values: Sequence[float]) -> list[int]:
    return sorted(range(len(values)), key=values.__getitem__)


#: By their names in headers.
CORRECTIONS: Final[dict[str, _Correction]] = {
    "bonferroni": _bonferroni,
    "holm-bonferroni": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
}
# What headers may name besides, and why a list of p-values is not corrected by it.
_OTHERS: Final = {
    "HMP": "combines p-values into one",
    "MRT": "compares the means of all runs together",
    "tukey-hsd": "compares the means of all runs together",
}


def correction_named(text: str) -> str:
    """The name of a correction in whatever spelling headers may have it."""
    from primad_ld.schema.converters import BY_NAME

    names = BY_NAME["correction"]
    term = names.read(text.strip())
    found = names.write(term.token[1:-1]) if term is not None else ""
    if found in CORRECTIONS:
        return found
    offered = ", ".join(CORRECTIONS)
    if found in _OTHERS:
        raise MeasureError(
            f"{text!r} {_OTHERS[found]}, so it cannot correct p-values of single pairs; choose "
            f"from {offered}"
        )
    raise MeasureError(f"unknown correction {text!r}; choose from {offered}")


def to_correction(given: str, what: str) -> str:
    """The name of a correction, or nothing."""
    return correction_named(given) if to_text(given, what) else ""


def adjust(values: Sequence[float | None], name: str) -> list[float | None]:
    """P-values corrected for their number, in their order; what has no value does not count."""
    given = [value for value in values if value is not None]
    corrected = iter(CORRECTIONS[correction_named(name)](given))
    return [None if value is None else next(corrected) for value in values]
