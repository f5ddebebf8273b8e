"""Whether something is a nanopublication that says what its signer signed.

Libraries of the field accept forged signatures, ill-typed literals or graphs of others
(docs/nanopub.md has the list); this check is strict about each of them.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Final

from primad_ld.core.arguments import AnyPath, to_path
from primad_ld.core.errors import HeaderError
from primad_ld.nanopub.literals import ill_typed
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub, nanopub_of
from primad_ld.nanopub.signatures import (
    Signature,
    SignatureError,
    check_signature,
    signature_of,
)
from primad_ld.nanopub.trusty import HOLE, BlankNodeError, code_of, rows_of, text_of
from primad_ld.rdf.nanopub_terms import HAS_SIGNATURE
from primad_ld.rdf.statements import (
    Statement,
    format_of,
    literal_token,
    parse_statements,
    read_bytes,
)

_SHOWN: Final = 3


class State(enum.StrEnum):
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

    name: str
    state: State
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
        return self.state not in (State.UNREADABLE, State.INVALID)


def check_nanopub(path: AnyPath) -> Checked:
    """What is to be said of a file. A file that cannot be opened is an error."""
    path = to_path(path)
    return check_bytes(read_bytes(path), format_of(path), str(path))


def check_bytes(data: bytes, suffix: str, name: str) -> Checked:
    """What is to be said of the text of a nanopublication; ``suffix`` tells its format."""
    try:
        statements = parse_statements(data, suffix, name)
    except HeaderError as error:
        line = f"line {error.line}: " if error.line is not None else ""
        return Checked(name=name, state=State.INVALID, problems=(line + error.why,))
    return replace(check_statements(statements, name), characters=_length(data))


def _length(data: bytes) -> int:
    return len(data.decode(errors="replace"))


def check_statements(statements: list[Statement], name: str) -> Checked:
    """What is to be said of the statements of one nanopublication."""
    try:
        nanopub = nanopub_of(statements)
    except MalformedError as error:
        return Checked(name=name, state=State.INVALID, problems=(str(error),))
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
        name=name,
        state=State.INVALID if problems else _state(nanopub, signature),
        problems=tuple(problems),
        nanopub=nanopub,
        signature=signature,
    )


def _state(nanopub: Nanopub, signature: Signature | None) -> State:
    if signature is not None:
        return State.SIGNED
    return State.TRUSTY if nanopub.artifact else State.PLAIN


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
