"""Standard streams as commands need them: a report that cannot be written is never a success.

Python forgets about a stream that is closed. Of one that is full it tells with a traceback, or
after the exit code is settled.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, Final, TextIO

from primad_ld.cli.common import READER_GONE, UNREADABLE, say_error
from primad_ld.core.errors import OutputError
from primad_ld.core.files import STANDARD_OUTPUT

#: Exit codes of commands that told no error: success, and findings.
_UNTOLD: Final = (None, 0, 1)
#: Of a command that returns to who called it.
_GOES_ON: Final = object()


class _Output(io.FileIO):
    """Standard output, which names itself in its first error; what comes after it goes nowhere."""

    error: OSError | None = None

    def write(self, data: Any) -> int:
        if self.error is not None:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            if error.errno == errno.EBADF:
                error.strerror = "it is closed"
            error.filename = STANDARD_OUTPUT
            self.error = error
            raise


class _Errors(io.FileIO):
    """Standard error: where nobody can read what is wrong, the exit code says it."""

    def write(self, data: Any) -> int:
        with contextlib.suppress(OSError):
            return super().write(data)
        return len(data)


@contextlib.contextmanager
def standard_streams() -> Iterator[None]:
    """All three streams for a command, which ends with an error where its output was lost."""
    _open_all()
    before = sys.stdin, sys.stdout, sys.stderr
    output = _Output(1, "w", closefd=False)
    code: object = _GOES_ON
    sys.stdin = before[0] or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = _text_to(output, before[1])
    sys.stderr = _text_to(_Errors(2, "w", closefd=False), before[2])
    try:
        try:
            yield
        except SystemExit as ended:
            code = ended.code
            if code not in _UNTOLD:
                raise
        except OSError:  # of help, which is printed outside of commands
            if output.error is None:
                raise
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        if isinstance(output.error, BrokenPipeError):
            code = READER_GONE
        elif output.error is not None:
            say_error(OutputError(f"{STANDARD_OUTPUT}: {str(output.error.strerror).lower()}"))
            code = UNREADABLE
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    if code is not _GOES_ON:
        sys.exit(code)  # type: ignore[arg-type]


def _open_all() -> None:
    """Nothing that is opened later may get the number of a standard stream that was closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # Standard output cannot be written, and so a lost report is an error.
            os.open(os.devnull, os.O_RDONLY if number == 1 else os.O_RDWR)


def _text_to(raw: io.FileIO, before: TextIO | None) -> TextIO:
    """The stream again with another end; consoles of Windows are not files, and stay."""
    below = getattr(before, "buffer", None)
    if before is not None and not isinstance(getattr(below, "raw", below), io.FileIO):
        return before
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=before.encoding if before is not None else "utf-8",
        errors="backslashreplace",
        line_buffering=raw.fileno() == 2 or raw.isatty(),
    )
