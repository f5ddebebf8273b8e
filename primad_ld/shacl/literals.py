"""Values of literals: which lexical forms are well-typed, and what is less than what.

As rdflib 7 and pyshacl 0.40 judge it, since those are what others will run: an integer is
what Python's ``int`` takes, a datatype that rdflib does not know has no wrong forms, and
values of different datatypes that are no numbers are ordered by the IRIs of these. Numbers,
texts, dates and times are judged here; for anything else rdflib itself is asked, which takes
long to import.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import logging
import warnings
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from primad_ld.core.iris import RDF, RDFS, XSD
from primad_ld.rdf.subject_index import Object

if TYPE_CHECKING:
    import rdflib

STRING: Final = XSD + "string"
LANGUAGE: Final = RDF + "langString"
INTEGER: Final = XSD + "integer"
BOOLEAN: Final = XSD + "boolean"

#: Whether a first value is, say, less than a second one.
Compare = Callable[[Object, Object], bool]


def _iso_date(text: str) -> date:
    """A date with rdflib's tolerance: time zones and times are cut off."""
    if text[-1:] in ("Z", "z"):
        text = text[:-1]
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    if "T" in text:
        text = text.split("T")[0]
    elif text.rfind("+") > 0:
        text = text[: text.rfind("+")]
    else:
        before, _, after = text.rpartition("-")
        if before and ":" in after:
            text = before
    if "-" not in text:
        raise ValueError("no date without dashes")
    return date.fromisoformat(sign + text)


_WHOLE: Final[dict[str, tuple[int | None, int | None]]] = {
    INTEGER: (None, None),
    XSD + "long": (None, None),  # rdflib sets it no limits
    XSD + "int": (-(2**31), 2**31 - 1),
    XSD + "short": (-(2**15), 2**15 - 1),
    XSD + "byte": (-128, 127),
    XSD + "nonNegativeInteger": (0, None),
    XSD + "positiveInteger": (1, None),
    XSD + "nonPositiveInteger": (None, 0),
    XSD + "negativeInteger": (None, -1),
    XSD + "unsignedLong": (0, None),
    XSD + "unsignedInt": (0, 2**32 - 1),
    XSD + "unsignedShort": (0, 2**16 - 1),
    XSD + "unsignedByte": (0, 255),
}

_NUMBERS: Final[dict[str, Callable[[str], Any]]] = {
    **dict.fromkeys(_WHOLE, int),
    XSD + "decimal": Decimal,
    XSD + "float": float,
    XSD + "double": float,
}

_TIMES: Final[dict[str, Callable[[str], Any]]] = {
    XSD + "date": _iso_date,
    XSD + "dateTime": datetime.fromisoformat,
    XSD + "time": time.fromisoformat,
}

_BYTES: Final[dict[str, Callable[[str], Any]]] = {
    XSD + "hexBinary": lambda text: binascii.unhexlify(text.encode()),
    XSD + "base64Binary": base64.b64decode,
}

_READERS: Final = {**_NUMBERS, **_TIMES, **_BYTES}

_TEXTS: Final = frozenset(
    {STRING, LANGUAGE}
    | {XSD + name for name in ("normalizedString", "token", "language", "anyURI")}
)

_ASK_RDFLIB: Final = frozenset(
    {XSD + name for name in ("duration", "dayTimeDuration", "yearMonthDuration")}
    | {RDF + "XMLLiteral", RDF + "HTML"}
)


def is_text(value: Object) -> bool:
    """Whether the value of a literal is a text."""
    return value.datatype in _TEXTS


def number(value: Object) -> Any:
    """The value of a well-typed number; None of anything else."""
    read = _NUMBERS.get(value.datatype or "")
    if read is None:
        return None
    try:
        found = read(value.value)
    except (ValueError, ArithmeticError):
        return None
    lowest, highest = _WHOLE.get(value.datatype or "", (None, None))
    if (lowest is not None and found < lowest) or (highest is not None and found > highest):
        return None
    return found


def typed_as(datatype: str) -> Callable[[Object], bool]:
    """A test whether a node is a well-typed literal of a datatype."""
    if datatype in _NUMBERS:
        return lambda node: node.datatype == datatype and number(node) is not None
    if datatype == BOOLEAN:
        return lambda node: node.datatype == BOOLEAN and node.value in _BOOLEANS
    if datatype in _READERS:
        return lambda node: node.datatype == datatype and _is_read(_READERS[datatype], node.value)
    if datatype in _ASK_RDFLIB:
        return lambda node: node.datatype == datatype and _has_value(node)
    if datatype == RDFS + "Literal":
        return lambda node: node.datatype is not None
    if datatype == RDFS + "Datatype":
        # A quirk of pyshacl: rdflib gives texts no datatype.
        return lambda node: node.datatype not in (None, STRING, LANGUAGE)
    return lambda node: node.datatype == datatype


_BOOLEANS: Final = frozenset({"true", "false", "1", "0"})


def _is_read(read: Callable[[str], Any], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1000)
def _has_value(node: Object) -> bool:
    with quiet_rdflib():
        return rdflib_literal(node).ill_typed is not True


def _in_order(compared: Callable[[Any, Any], bool], slow: Compare) -> Compare:
    """A comparison of literals: numbers at once, all others by rdflib."""

    def holds(first: Object, second: Object) -> bool:
        mine, other = number(first), number(second)
        if mine is None or other is None:
            return slow(first, second)
        try:
            return compared(mine, other)
        except ArithmeticError:
            return False  # a decimal NaN

    return holds


def _bounded(wanted: Callable[[int], bool]) -> Compare:
    """A value against a bound, as pyshacl's ranges do."""

    def slow(value: Object, bound: Object) -> bool:
        if is_text(value) != is_text(bound):
            return False
        dates = _both_dates(value, bound)
        if dates is not None:
            return wanted((dates[0] > dates[1]) - (dates[0] < dates[1]))
        return _by_rdflib(value, bound, wanted)

    def holds(value: Object, bound: Object) -> bool:
        return value.datatype is not None and compare(value, bound)

    compare = _in_order(lambda mine, other: wanted(_sign(mine, other)), slow)
    return holds


def _sign(mine: Any, other: Any) -> int:
    """NaN is below everything, since rdflib asks for greater only."""
    return 0 if mine == other else 1 if mine > other else -1


def _both_dates(first: Object, second: Object) -> tuple[date, date] | None:
    if first.datatype != XSD + "date" or second.datatype != XSD + "date":
        return None
    try:
        return _iso_date(first.value), _iso_date(second.value)
    except ValueError:
        return None


def _by_rdflib(value: Object, bound: Object, wanted: Callable[[int], bool]) -> bool:
    with quiet_rdflib():
        mine, other = rdflib_literal(value), rdflib_literal(bound)
        try:
            if mine.eq(other):
                return wanted(0)
            if isinstance(mine.value, datetime | time):
                return wanted(1 if mine.value > other.value else -1)
            return wanted(1 if mine > other else -1)
        except (TypeError, NotImplementedError, ArithmeticError):
            return False


#: A value and a bound: sh:minExclusive and its like.
ABOVE: Final = _bounded(lambda sign: sign > 0)
AT_LEAST: Final = _bounded(lambda sign: sign >= 0)
BELOW: Final = _bounded(lambda sign: sign < 0)
AT_MOST: Final = _bounded(lambda sign: sign <= 0)


def _paired(compared: Callable[[Any, Any], bool]) -> Compare:
    """Two values of one node, as pyshacl's sh:lessThan does: IRIs count as texts."""

    def slow(first: Object, second: Object) -> bool:
        mine, other = _as_text(first), _as_text(second)
        if mine is not None and other is not None:
            return compared(mine, other)
        if mine is not None or other is not None:
            return False
        with quiet_rdflib():
            try:
                return bool(compared(rdflib_literal(first), rdflib_literal(second)))
            except (TypeError, ArithmeticError):
                return False

    # rdflib says less of what is neither greater nor equal, NaN for one.
    return _in_order(lambda mine, other: compared(_sign(mine, other), 0), slow)


def _as_text(node: Object) -> str | None:
    return node.value if node.datatype is None or is_text(node) else None


LESS: Final = _paired(lambda mine, other: mine < other)
LESS_OR_EQUAL: Final = _paired(lambda mine, other: mine <= other)


def rdflib_literal(node: Object) -> rdflib.Literal:
    """A literal of rdflib with the same lexical form; texts have no datatype there."""
    import rdflib

    datatype = None if node.datatype in (STRING, LANGUAGE) else node.datatype
    return rdflib.Literal(node.value, lang=node.language, datatype=datatype, normalize=False)


@contextlib.contextmanager
def quiet_rdflib() -> Iterator[None]:
    """Without rdflib's warnings about literals that are not well-typed."""
    logger = logging.getLogger("rdflib.term")
    before = logger.disabled
    logger.disabled = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled = before
