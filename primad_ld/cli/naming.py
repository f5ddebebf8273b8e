"""Files, measures and parameters as people name them on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

if TYPE_CHECKING:
    from primad_ld.measures.registry import Chosen
    from primad_ld.measures.results import Evaluation

ALL: Final = "all"
_COMMAS: Final = re.compile(r",(?![^(]*\))")


def paths(given: Sequence[Path] | None) -> tuple[str, ...]:
    """Files as the library takes them."""
    return tuple(map(str, given or ()))


def parameters(texts: Sequence[str]) -> dict[str, str]:
    """The parameters of a query: NAME=VALUE."""
    values = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"not a parameter: {text!r}; write NAME=VALUE")
        if name in values:
            raise typer.BadParameter(f"{name!r} is given twice")
        values[name] = value
    return values


def parts(texts: Sequence[str]) -> list[str]:
    """What stands between commas that are not within parentheses."""
    return [part.strip() for text in texts for part in _COMMAS.split(text) if part.strip()]


def effectiveness(texts: Sequence[str] | None) -> tuple[str, ...]:
    """Measures of effectiveness by whatever name they are given."""
    from primad_ld.core.errors import MeasureError
    from primad_ld.trec.measure_names import canonical

    if texts and not parts(texts):
        raise MeasureError("the name of a measure is empty; name one such as map, or leave it out")
    return tuple([one if one == ALL else canonical(one) for one in parts(texts or ())])


def scores_of(text: str) -> str:
    """The measure of a score table."""
    from primad_ld.core.errors import MeasureError
    from primad_ld.trec.measure_names import is_family

    found = effectiveness([text]) if text else ("",)
    if len(found) > 1 or is_family(found[0]) or found[0] == ALL:
        raise MeasureError(f"--scores-of {text}: scores are of one measure, such as map or P_10")
    return found[0]


def measures(texts: Sequence[str]) -> tuple[tuple[Chosen, ...], tuple[str, ...]]:
    """Measures of reproducibility, and of effectiveness."""
    from primad_ld.core.errors import MeasureError, UnknownMeasureError
    from primad_ld.measures.registry import parse_measure
    from primad_ld.trec.measure_names import canonical

    chosen, on = [], []
    for part in parts(texts):
        try:
            chosen.append(parse_measure(part))
        except UnknownMeasureError as error:
            try:
                on.append(canonical(part))
            except UnknownMeasureError as unknown:
                raise MeasureError(f"{error}. Of effectiveness: {unknown}") from None
    return tuple(chosen), tuple(on)


def shown(names: Sequence[str], found: Evaluation) -> tuple[str, ...]:
    """Which measures of effectiveness a table has."""
    if ALL in names:
        return tuple(dict.fromkeys(r.on for pair in found.pairs for r in pair.results if r.on))
    return tuple(names)
