"""Tables of results before they are laid out: a terminal, Markdown and LaTeX do that."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

#: Stands where there is no value.
UNDEFINED: Final = "\N{EN DASH}"
# From here on, all digits of a number would be noise, and more than a decimal rounds.
_EXACT: Final = 1e20


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """A table with a title above and remarks below."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    #: Columns of texts, from the left; numbers stand to the right.
    texts: int = 1
    remarks: tuple[str, ...] = ()
    #: How to see what is not shown, on the command line.
    hint: str = ""


def half_up(value: float | None, digits: int) -> str:
    """A number as papers print it: halves go up, and what is rounded to nothing has no sign."""
    if value is None:
        return UNDEFINED
    if abs(value) >= _EXACT:
        return f"{value:.6g}"
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return f"{rounded or abs(rounded):f}"
