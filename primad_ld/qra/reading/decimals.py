"""Numbers as tables write them: with a decimal comma, or a minus of typesetters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from primad_ld.qra.reading.cells import Cells, Row
from primad_ld.trec.columns import BLANKS, quoted

_MINUS: Final = "\u2212"
_COMMA: Final = re.compile(r"[-+]?[0-9]+,[0-9]+")
_THOUSANDS: Final = re.compile(r"[-+]?[0-9]{1,3},[0-9]{3}")
# Thousands or three decimals: another number of the table must tell.
_EITHER: Final = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")
_NUMERIC: Final = re.compile(r"[-+]?[0-9][0-9.,]*")
# Where cells are told apart by commas, nobody's decimal mark is one.
_DELIMITERS: Final = frozenset((";", "\t"))

Found = tuple[Row, int, str]


def with_minus(text: str) -> str:
    """A number whose minus is that of a keyboard."""
    return f"-{text[1:].lstrip(BLANKS)}" if text.startswith(_MINUS) else text


def with_point(text: str) -> str:
    """A number with a decimal comma as one with a point."""
    return text.replace(",", ".", 1) if _COMMA.fullmatch(_bare(text)) else text


def has_decimal_commas(cells: Cells, found: Iterable[Found]) -> bool:
    """Whether the commas in the values of a table are decimal ones: all of them, or none.

    What could be either is refused: 1.234,5 beside 1,234.5 makes no table.
    """
    if cells.delimiter not in _DELIMITERS:
        return False
    values = [(row, at, _bare(text)) for row, at, text in found]
    commas = [one for one in values if "," in one[2]]
    pointed = next((one for one in values if "." in one[2]), None)
    for row, at, text in commas:
        is_both = "." in text or text.count(",") > 1
        if _NUMERIC.fullmatch(text) and (is_both or pointed is not None):
            beside = ""
            if pointed is not None and not is_both:
                beside = f", and {quoted(pointed[2])} in line {pointed[0].line} a point"
            raise cells.error(
                f"{quoted(text)} has a comma{beside or ' and other marks'}, so it is ambiguous "
                "which of them is the decimal mark",
                row.line,
                at,
                "write all numbers with a point, and thousands without a mark",
            )
    if commas and all(_EITHER.fullmatch(text) for _, _, text in commas):
        row, at, text = commas[0]
        why, hint = hint_on_comma(text) or ("", "")
        raise cells.error(why, row.line, at, hint)
    return bool(commas) and all(_COMMA.fullmatch(text) for _, _, text in commas)


def hint_on_comma(text: str) -> tuple[str, str] | None:
    """Why a number with commas is none, and what to do, where more than one is meant."""
    bare = _bare(text)
    if _THOUSANDS.fullmatch(bare):
        whole, part = bare.replace(",", ""), bare.replace(",", ".")
        return f"{quoted(text)} is ambiguous: {whole} or {part}", f"write {whole} or {part}"
    if _NUMERIC.fullmatch(bare) and "," in bare and not _COMMA.fullmatch(bare):
        why = (
            f"{quoted(text)} is ambiguous: its comma may stand between thousands or before decimals"
        )
        return why, "write a number such as 1234.5"
    return None


def _bare(text: str) -> str:
    return text.removesuffix("%").rstrip(BLANKS)
