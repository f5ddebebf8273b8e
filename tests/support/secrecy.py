"""Whether anything that is shown holds a piece of a key."""

from __future__ import annotations

import io
import pickle
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.traceback import Traceback

#: So many characters of a key are no accident.
PIECE = 20
#: The beginning of a key says how long it is and of which kind, as its public half does.
COMMON = 80


def raised(call: Callable[[], object]) -> BaseException:
    """What a call ends with. No frame of a test is in its traceback, only this one and deeper ones."""
    try:
        call()
    except BaseException as error:  # noqa: BLE001
        return error
    raise AssertionError("nothing was raised")


def shown(error: BaseException) -> str:
    """Whatever programs show of an error: words, tracebacks with the values of variables, pickles."""
    found = traceback.TracebackException.from_exception(error, capture_locals=True)
    console = Console(file=io.StringIO(), width=10_000)
    if error.__traceback__ is not None:
        tree = Traceback.from_exception(
            type(error),
            error,
            error.__traceback__,
            show_locals=True,
            locals_max_length=None,
            locals_max_string=None,
        )
        console.print(tree)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(
        [
            str(error),
            repr(error),
            *found.format(),
            console.file.getvalue(),
            repr(vars(error)),
            pickle.dumps(error).decode("latin-1"),
        ]
    )


def leaks(text: str, *secrets: bytes) -> list[str]:
    """Pieces of secrets in a text: as they are, as Python shows them, in Base64 and in digits."""
    there = set(_pieces(text))
    return [
        piece
        for secret in secrets
        for spelling in _spellings(secret)
        for piece in _pieces(spelling[COMMON:])
        if piece in there
    ]


def _spellings(secret: bytes) -> Iterator[str]:
    yield secret.decode("latin-1")
    yield repr(secret)[2:-1]
    yield secret.hex()
    yield b64encode(secret).decode()
    if secret.startswith(b"MI"):
        yield from _spellings(b64decode(secret[: len(secret) // 4 * 4]))


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE] for start in range(len(text) - PIECE + 1))
