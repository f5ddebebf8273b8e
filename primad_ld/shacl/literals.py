"""Values of literals: which lexical forms are well-typed, and what is less than what.

As rdflib 7 and pyshacl 0.40 judge it, since those are what others will run: an integer is
what Python's ``int`` takes, a datatype that rdflib does not know has no wrong forms, and
values of different datatypes that are no numbers are ordered by the IRIs of these. Numbers and
texts are judged here; for anything else rdflib and pyshacl are asked, which take long to import.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Callable, Iterator
from datetime import datetime
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
_DATE_TIME: Final = XSD + "dateTime"

#: Whether a first value is, say, less than a second one.
Compare = Callable[[Object, Object], bool]


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

_TEXTS: Final = frozenset(
    {STRING, LANGUAGE}
    | {XSD + name for name in ("normalizedString", "token", "language", "anyURI")}
)

_ASK_RDFLIB: Final = frozenset(
    {XSD + name for name in ("duration", "dayTimeDuration", "yearMonthDuration", "date", "time")}
    | {XSD + "hexBinary", XSD + "base64Binary", RDF + "XMLLiteral", RDF + "HTML"}
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
    if datatype == _DATE_TIME:
        return lambda node: node.datatype == _DATE_TIME and _is_date_time(node.value)
    if datatype in _ASK_RDFLIB:
        return lambda node: node.datatype == datatype and _has_value(node)
    if datatype == RDFS + "Literal":
        return lambda node: node.datatype is not None
    if datatype == RDFS + "Datatype":
        # A quirk of pyshacl: rdflib gives texts no datatype.
        return lambda node: node.datatype not in (None, STRING, LANGUAGE)
    return lambda node: node.datatype == datatype


_BOOLEANS: Final = frozenset({"true", "false", "1", "0"})


def _is_date_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1000)
def _has_value(node: Object) -> bool:
    with quiet_rdflib():
        return rdflib_literal(node).ill_typed is not True


def _bounded(wanted: Callable[[int], bool]) -> Compare:
    """A value against a bound, as pyshacl's ranges do."""

    def holds(value: Object, bound: Object) -> bool:
        if value.datatype is None or is_text(value) != is_text(bound):
            return False
        from pyshacl.rdfutil.compare import compare_literal

        with quiet_rdflib():
            try:
                order: int = compare_literal(rdflib_literal(value), rdflib_literal(bound))  # type: ignore[no-untyped-call]
                return wanted(order)
            except (TypeError, NotImplementedError, ArithmeticError):
                return False

    return _numbers_first(wanted, holds)


def _numbers_first(wanted: Callable[[int], bool], slow: Compare) -> Compare:
    """A comparison that asks rdflib only about what is no number."""

    def holds(first: Object, second: Object) -> bool:
        mine, other = number(first), number(second)
        if mine is None or other is None:
            return slow(first, second)
        try:
            return wanted(_sign(mine, other))
        except ArithmeticError:
            return False  # a decimal NaN

    return holds


def _sign(mine: Any, other: Any) -> int:
    """NaN is below everything, since rdflib asks for greater only."""
    return 0 if mine == other else 1 if mine > other else -1


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
    return _numbers_first(lambda sign: compared(sign, 0), slow)


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
