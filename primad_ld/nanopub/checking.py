"""Whether something is a nanopublication that says what its signer signed.

Libraries of the field accept forged signatures, ill-typed literals or graphs of others
(docs/nanopub.md has the list); this check is strict about each of them. Which literals are
values of their datatype is decided by the lexical rules of XML Schema 1.1.
"""

from __future__ import annotations

import enum
import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.iris import XSD
from primad_ld.core.library_arguments import AnyPath, to_path
from primad_ld.nanopub.nanopub_folder import is_nanopub_file
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.signatures import Signature, SignatureError, check_signature, signature_of
from primad_ld.nanopub.trusty import HOLE, BlankNodeError, code_of, rows_of, text_of
from primad_ld.rdf.nanopub_statements import (
    Statement,
    TooLargeError,
    format_of,
    literal_token,
    parse_statements,
    read_bytes,
)
from primad_ld.rdf.nanopub_terms import HAS_SIGNATURE
from primad_ld.rdf.subject_index import Object

_SHOWN: Final = 3


class CheckState(enum.StrEnum):
    """What a check found, from worst to best."""

    #: Not known, since its file cannot be read.
    UNREADABLE = "unreadable"
    #: No nanopublication, or not the one that its name or signature belongs to.
    INVALID = "invalid"
    #: A draft, or one whose name holds no digest: nothing tells whether it was changed.
    PLAIN = "plain"
    #: Its name is the digest of what it says, and nobody signed it.
    TRUSTY = "trusty"
    #: Its name is the digest of what it says, and its signature is that of the key it states.
    SIGNED = "signed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """What a check found: ``problems`` are reasons why it is invalid."""

    state: CheckState
    problems: tuple[str, ...] = ()
    nanopub: Nanopub | None = None
    signature: Signature | None = None
    #: How long its text is.
    characters: int = 0

    @property
    def uri(self) -> str:
        """The name of the nanopublication; empty if it is none."""
        return self.nanopub.uri if self.nanopub is not None else ""

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.state not in (CheckState.UNREADABLE, CheckState.INVALID)


def check_nanopub(path: AnyPath) -> Checked:
    """What is to be said of a file. A file that cannot be opened is an error."""
    path = to_path(path)
    return check_bytes(read_bytes(path), format_of(path), str(path))


def check_file(path: Path) -> Checked:
    """The same of one file among many: that it cannot be opened is a state of it."""
    try:
        return check_nanopub(path)
    except HeaderError as error:
        if isinstance(error, TooLargeError) or not is_nanopub_file(path):
            return Checked(state=CheckState.INVALID, problems=(error.why,))
        why = f"{error.why}; {error.hint}" if error.hint else error.why
        return Checked(state=CheckState.UNREADABLE, problems=(why,))


def check_bytes(data: bytes, suffix: str, name: str) -> Checked:
    """What is to be said of the text of a nanopublication; ``suffix`` tells its format."""
    try:
        statements = parse_statements(data, suffix, name)
    except HeaderError as error:
        line = f"line {error.line}: " if error.line is not None else ""
        return Checked(state=CheckState.INVALID, problems=(line + error.why,))
    characters = len(data.decode(errors="replace"))
    return replace(check_statements(statements), characters=characters)


def check_statements(statements: list[Statement]) -> Checked:
    """What is to be said of the statements of one nanopublication."""
    try:
        nanopub = nanopub_of(statements)
    except MalformedError as error:
        return Checked(state=CheckState.INVALID, problems=(str(error),))
    problems = _ill_typed(nanopub)
    signature = None
    try:
        signature = signature_of(nanopub)
        if nanopub.artifact:
            _check_names(nanopub, signature)
        elif signature is not None:
            raise SignatureError("it is signed, and its name holds no digest")
    except (SignatureError, BlankNodeError) as error:
        problems.append(str(error))
    return Checked(
        state=CheckState.INVALID if problems else _state(nanopub, signature),
        problems=tuple(problems),
        nanopub=nanopub,
        signature=signature,
    )


def _state(nanopub: Nanopub, signature: Signature | None) -> CheckState:
    if signature is not None:
        return CheckState.SIGNED
    return CheckState.TRUSTY if nanopub.artifact else CheckState.PLAIN


def _check_names(nanopub: Nanopub, signature: Signature | None) -> None:
    """Whether the digest in its name is that of what it says, and the signature, too."""
    rows = rows_of(nanopub.statements, nanopub.artifact)
    found = code_of(text_of(rows))
    if found != nanopub.artifact:
        raise SignatureError(
            f"it was changed since it got its name: its digest is {found}, not {nanopub.artifact}"
        )
    if signature is not None:
        # The signature covers all that is said but itself.
        info = nanopub.pubinfo.replace(nanopub.artifact, HOLE)
        node = signature.node.replace(nanopub.artifact, HOLE)
        signed = (row for row in rows if row[:3] != (info, node, HAS_SIGNATURE))
        check_signature(signature, text_of(signed))


def _ill_typed(nanopub: Nanopub) -> list[str]:
    """Literals that are none of their datatype, which some stores leave out without a word."""
    wrong = dict.fromkeys(
        literal_token(one.value) for one in nanopub.statements if ill_typed(one.value)
    )
    shown = [f"{text[:120]} is no value of its datatype" for text in [*wrong][:_SHOWN]]
    more = len(wrong) - _SHOWN
    return shown + ([f"{more} more literals are none of their datatype"] if more > 0 else [])


# Times ------------------------------------------------------------------------------------

#: Clocks differ by this much; a registry refuses what was made later.
_FUTURE: Final = timedelta(seconds=60)


def is_to_come(time: str) -> bool:
    """Whether a stated time lies in the future; what is not a time does not."""
    try:
        moment = datetime.fromisoformat(time.strip())
    except ValueError:
        # Python's calendar ends with 9999.
        return re.match(r"\s*[1-9]\d{4,}-", time, re.ASCII) is not None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment > datetime.now(UTC) + _FUTURE


# Values of datatypes ----------------------------------------------------------------------

_ZONE: Final = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?"
_YEAR: Final = r"-?(?:[1-9]\d{3,}|0\d{3})"
_MONTH: Final = r"(?:0[1-9]|1[0-2])"
_DAY: Final = r"(?:0[1-9]|[12]\d|3[01])"
_CLOCK: Final = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_DECIMAL: Final = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_DURATION_DATE: Final = r"(?:\d+Y)?(?:\d+M)?(?:\d+D)?"
_DURATION_TIME: Final = r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"

_FORMS: Final = {
    "boolean": "true|false|1|0",
    "decimal": _DECIMAL,
    **dict.fromkeys(("double", "float"), rf"(?:{_DECIMAL}(?:[eE][+-]?\d+)?|[+-]?INF|NaN)"),
    "dateTimeStamp": rf"{_YEAR}-{_MONTH}-{_DAY}T{_CLOCK}{_ZONE[:-1]}",
    "date": rf"{_YEAR}-{_MONTH}-{_DAY}{_ZONE}",
    "time": rf"{_CLOCK}{_ZONE}",
    # Registries take a date for one, and nanopublications with such a date were published.
    "dateTime": rf"{_YEAR}-{_MONTH}-{_DAY}(?:T{_CLOCK})?{_ZONE}",
    "gYear": _YEAR + _ZONE,
    "gYearMonth": f"{_YEAR}-{_MONTH}{_ZONE}",
    "gMonth": f"--{_MONTH}{_ZONE}",
    "gDay": f"---{_DAY}{_ZONE}",
    "gMonthDay": f"--{_MONTH}-{_DAY}{_ZONE}",
    "duration": rf"-?P(?=\d|T\d){_DURATION_DATE}{_DURATION_TIME}",
    "dayTimeDuration": rf"-?P(?=\d|T\d)(?:\d+D)?{_DURATION_TIME}",
    "yearMonthDuration": r"-?P(?=\d)(?:\d+Y)?(?:\d+M)?",
    "hexBinary": r"(?:[0-9a-fA-F]{2})*",
    "base64Binary": r"(?:(?:[A-Za-z0-9+/] ?){4})*"
    r"(?:(?:[A-Za-z0-9+/] ?){2}[AEIMQUYcgkosw048] ?=|[A-Za-z0-9+/] ?[AQgw] ?= ?=)?",
    "language": r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*",
}
#: Integers with their least and greatest values.
_WHOLE: Final[dict[str, tuple[int | None, int | None]]] = {
    "integer": (None, None),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-128, 127),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 255),
}
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
# Python refuses to read a longer one, and only types without bounds have such values.
_LONGEST: Final = 4000


def ill_typed(value: Object) -> bool:
    """Whether a literal is none of its datatype. Of datatypes not in XML Schema, nothing is known."""
    name = (value.datatype or "").removeprefix(XSD)
    # XML Schema takes white space around these away.
    text = value.value.strip(" \t\n\r")
    if name in _WHOLE:
        return not _is_whole(text, *_WHOLE[name])
    if name not in _FORMS:
        return False
    is_form = re.fullmatch(_FORMS[name], text, re.ASCII) is not None
    return not is_form or (name.startswith("date") and not _is_day(text))


def _is_day(text: str) -> bool:
    """Whether a month has the day that is named."""
    match = re.match(rf"({_YEAR})-({_MONTH})-({_DAY})", text, re.ASCII)
    assert match is not None
    # The calendar repeats every 400 years, and Python's has no year 0.
    return int(match[3]) <= monthrange(2000 + int(match[1][-4:]) % 400, int(match[2]))[1]


def _is_whole(text: str, least: int | None, greatest: int | None) -> bool:
    if _INTEGER.fullmatch(text) is None:
        return False
    digits = text.lstrip("+-").lstrip("0") or "0"
    if len(digits) > _LONGEST:
        return (least if text.startswith("-") else greatest) is None
    number = -int(digits) if text.startswith("-") else int(digits)
    return (least is None or number >= least) and (greatest is None or number <= greatest)
