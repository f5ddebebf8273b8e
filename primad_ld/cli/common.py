"""What the commands share: exit codes, options, progress."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from primad_ld.errors import PrimadError

UNREADABLE: Final = 2
_INTERRUPTED: Final = 130
_SECONDS_BETWEEN_LINES: Final = 5.0

_SIZE = re.compile(r"(\d+)\s*([kMG]i?)?B?", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3} | {
    "ki": 1024,
    "mi": 1024**2,
    "gi": 1024**3,
}


def parse_bytes(text: str) -> int:
    """A size on the command line: 64MB, 16MiB, 1000."""
    match = _SIZE.fullmatch(text.strip())
    if not match or int(match[1]) == 0:
        raise typer.BadParameter(f"{text!r} is not a size; write one such as 64MB")
    return int(match[1]) * _UNITS[(match[2] or "").lower()]


RunFile = Annotated[Path, typer.Argument(help="A run file, plain or compressed.", metavar="RUN")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Where to write; standard output if left out.")
]
InPlace = Annotated[bool, typer.Option("--in-place", "-i", help="Write into the run file itself.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that exists.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
MaxHeader = Annotated[
    str,
    typer.Option("--max-header", help="Refuse a longer header, before parsing it.", metavar="SIZE"),
]
Base = Annotated[str, typer.Option("--base", help="Where the IRIs of runs and components begin.")]
HeadersOnly = Annotated[
    bool,
    typer.Option("--headers-only", help="Do not read the rankings; runs are told by header."),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Processes; all cores if left out.")
]
DEFAULT_MAX_HEADER: Final = "16MiB"


@contextlib.contextmanager
def exit_codes(interrupted: str = "nothing was written") -> Iterator[None]:
    """Our errors as one line each and exit code 2; no traceback for bad input."""
    try:
        yield
    except PrimadError as error:
        say_error(error)
        raise typer.Exit(UNREADABLE) from None
    except KeyboardInterrupt:
        print(f"interrupted; {interrupted}", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None
    except MemoryError as error:
        _let_go(error)
        say_error("there is not enough memory; give it fewer or smaller files at once")
        raise typer.Exit(UNREADABLE) from None
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        say_error(f"{place}{(error.strerror or str(error)).lower()}")
        raise typer.Exit(UNREADABLE) from None


def _let_go(error: MemoryError) -> None:
    """Free what the failed functions hold: without memory, there is no telling what happened."""
    trace = error.__traceback__
    while trace is not None:
        with contextlib.suppress(RuntimeError):  # this one still runs
            trace.tb_frame.clear()
        trace = trace.tb_next


def say_error(error: object) -> None:
    """One error on standard error."""
    print(f"error: {_printable(str(error))}", file=sys.stderr)


def say(text: str, *, quiet: bool = False) -> None:
    """A remark for people, on standard error: standard output is for results."""
    if not quiet:
        print(_printable(text), file=sys.stderr)


def _printable(text: str) -> str:
    """Text from a file without the control characters that could steer a terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def check_free(output: Path | None, *, force: bool) -> None:
    """Refuse an output that exists before hours of work, and not behind them."""
    if output is not None and output.is_file() and not force:
        from primad_ld.errors import OutputError

        raise OutputError(f"{output} exists; say --force to replace it, or name another file")


@contextlib.contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, a line now and then elsewhere, nothing if all is done at once."""
    if quiet:
        yield None
    elif sys.stderr is not None and sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total or None)
    else:
        last = time.monotonic()

        def line(done: int, total: int) -> None:
            nonlocal last
            if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                say(f"{what}: {done:,}" + (f" of {total:,}" if total else ""))

        yield line
