"""What the commands share: exit codes, options, remarks, progress, and how arguments are read.

A module of commands imports it at its top, so what takes long to import is imported in functions.
"""

from __future__ import annotations

import contextlib
import math
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from primad_ld.cli.completion import choices
from primad_ld.core.errors import (
    MeasureError,
    PrimadError,
    UnknownMeasureError,
    in_short,
    printable,
    without_commands,
)
from primad_ld.core.format_names import to_format
from primad_ld.core.library_arguments import to_parts
from primad_ld.core.processes import STOPPING

if TYPE_CHECKING:
    from primad_ld.measures.registry import Chosen

UNREADABLE: Final = 2
# EX_SOFTWARE of sysexits.h.
_INTERNAL: Final = 70
# A shell says so of a command that a signal ended: 130 for Ctrl-C, 143 for SIGTERM.
_SIGNALLED: Final = 128
#: Of one that SIGPIPE ended, as it ends most that write to a pipe which nobody reads.
READER_GONE: Final = _SIGNALLED + 13
_SECONDS_BETWEEN_LINES: Final = 5.0


# Options ----------------------------------------------------------------------------------

Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="File to write (default: standard output).")
]
InPlace = Annotated[
    bool, typer.Option("--in-place", "-i", help="Write into the run files themselves.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="List every skipped file.")]
DEFAULT_MAX_HEADER: Final = "16MiB"
MaxHeader = Annotated[
    str,
    typer.Option("--max-header", help="Refuse longer headers before parsing them.", metavar="SIZE"),
]
Base = Annotated[str, typer.Option("--base", help="Base IRI of runs and components.")]
HeadersOnly = Annotated[
    bool,
    typer.Option(
        "--headers-only", help="Do not read rankings; runs are identified by their header."
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Number of processes (default: all cores)."),
]


def format_option(formats: Sequence[str], *names: str, help: str = "How to print.") -> Any:
    """An option for one of some formats, by any name that it usually has: turtle, md, N-Quads."""

    def read(text: str) -> str:
        try:
            return to_format(text, formats)
        except PrimadError as error:
            raise typer.BadParameter(str(error)) from None

    names = names or ("--format", "-f")
    return typer.Option(
        *names,
        help=help,
        parser=read,
        metavar=f"<{'|'.join(formats)}>",
        autocompletion=choices(formats),
    )


_SIZE = re.compile(r"([0-9]{1,30})\s*([kMG]i?)?B?", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3} | {
    "ki": 1024,
    "mi": 1024**2,
    "gi": 1024**3,
}


def parse_bytes(text: str) -> int:
    """A size on the command line: 64MB, 16MiB, 1000."""
    match = _SIZE.fullmatch(text.strip())
    if not match or int(match[1]) == 0:
        raise typer.BadParameter(f"{text[:40]!r} is not a size; write one such as 64MB")
    return int(match[1]) * _UNITS[(match[2] or "").lower()]


def check_finite(number: float | None) -> float | None:
    """Refuse NaN and infinity: neither end of an option's range keeps NaN out."""
    if number is not None and not math.isfinite(number):
        raise typer.BadParameter(f"{number} is not a finite number")
    return number


# Exit codes and remarks -------------------------------------------------------------------


@contextlib.contextmanager
def exit_codes(interrupted: str = "nothing was written") -> Iterator[None]:
    """Our errors as one line each and exit code 2; no traceback for bad input."""
    try:
        yield
    except PrimadError as error:
        say_error(error)
        for more in getattr(error, "__notes__", ()):  # of our own, in lines
            print(more, file=sys.stderr)
        raise typer.Exit(UNREADABLE) from None
    except Stopped as stopped:
        print(f"terminated; {interrupted}", file=sys.stderr)
        raise typer.Exit(stopped.exit_code) from None
    except KeyboardInterrupt:
        print(f"interrupted; {interrupted}", file=sys.stderr)
        raise typer.Exit(_SIGNALLED + signal.SIGINT) from None
    except MemoryError as error:
        _let_go(error)
        say_error("not enough memory; use fewer or smaller files at once")
        raise typer.Exit(UNREADABLE) from None
    except BrokenPipeError:
        raise typer.Exit(READER_GONE) from None  # whoever read our output has seen enough
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        say_error(f"{place}{(error.strerror or str(error)).lower()}")
        raise typer.Exit(UNREADABLE) from None


@contextlib.contextmanager
def unexpected() -> Iterator[None]:
    """Exit with a code of its own where we are at fault: 1 means findings, and 2 bad input."""
    try:
        with exit_codes():
            yield
    except Exception as error:
        if hasattr(error, "exit_code"):
            raise  # typer's own: usage errors and the end of a command
        import platform
        import traceback

        from primad_ld.core.version import __version__

        say(*"".join(traceback.format_exception(error)).splitlines())
        say(
            f"internal error: a bug in primad-ld {__version__} (Python "
            f"{platform.python_version()}), not in your files; please report it with these lines"
        )
        raise typer.Exit(_INTERNAL) from None


def _let_go(error: MemoryError) -> None:
    """Free what the failed functions hold: without memory, there is no telling what happened."""
    trace = error.__traceback__
    while trace is not None:
        with contextlib.suppress(RuntimeError):  # this one still runs
            trace.tb_frame.clear()
        trace = trace.tb_next


def say_error(error: object) -> None:
    """One error on standard error: one line, and those that it has below."""
    text = f"error: {error}"
    say(*(text.split("\n") if isinstance(error, PrimadError) else [in_short(printable(text))]))


def say(*lines: str, quiet: bool = False) -> None:
    """Remarks for people, on standard error: standard output is for results.

    Each is one line: a line break inside comes from a file, and is not one of ours.
    """
    if not quiet:
        for line in lines:
            print(without_commands(printable(line)), file=sys.stderr)


# Signals ----------------------------------------------------------------------------------


class Stopped(KeyboardInterrupt):
    """A signal other than that of Ctrl-C asks the command to end, and it ends the same way."""

    def __init__(self, number: int) -> None:
        # A shell says so of a command that a signal ended: 143 for SIGTERM.
        self.exit_code = _SIGNALLED + number
        super().__init__(number)


def end_in_order() -> None:
    """Handle the signals that end a process as Ctrl-C is handled: nothing stays half-done."""

    def stop(number: int, _frame: object) -> None:
        raise Stopped(number)

    if threading.current_thread() is not threading.main_thread():
        return  # signals are handled there
    for number in STOPPING:
        # nohup ignores one of them, and Ctrl-C has a handler.
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)


# Progress ---------------------------------------------------------------------------------


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


# Arguments --------------------------------------------------------------------------------

ALL: Final = "all"


def paths(given: Sequence[Path] | None) -> tuple[str, ...]:
    """Files as the library takes them."""
    return tuple(map(str, given or ()))


def parameters(texts: Sequence[str]) -> dict[str, str]:
    """The parameters of a query: NAME=VALUE."""
    values = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise typer.BadParameter(f"not a parameter: {text!r}; write it as NAME=VALUE")
        if name in values:
            raise typer.BadParameter(f"{name!r} is given twice; use it once")
        values[name] = value
    return values


def parts(texts: Sequence[str]) -> list[str]:
    """What stands between commas that are not within parentheses."""
    return [*to_parts(texts, "names")]


def effectiveness(texts: Sequence[str] | None) -> dict[str, str]:
    """Measures of effectiveness by their canonical names, each with the name that it was given."""
    from primad_ld.trec.measure_names import canonical

    if texts and not parts(texts):
        raise MeasureError("empty measure name; use one such as map, or remove the option")
    called = {}
    for part in parts(texts or ()):
        try:
            called[part if part == ALL else canonical(part)] = part
        except UnknownMeasureError as error:
            raise _of_reproducibility(part) or error from None
    return called


def is_measure(text: str) -> bool:
    """Whether a text names a measure of effectiveness, with a number or a cutoff such as P@10."""
    from primad_ld.trec.measure_names import canonical

    try:
        return canonical(text) != "" and ("@" in text or "_" in text)
    except MeasureError:
        return False


def _of_reproducibility(text: str) -> MeasureError | None:
    """The error for a measure of reproducibility where one of effectiveness is wanted."""
    from primad_ld.measures.registry import parse_measure

    try:
        id = parse_measure(text).id
    except MeasureError:
        return None
    return MeasureError(f"{id} measures reproducibility; use it as: evaluate --measure {id}")


def scores_of(text: str) -> str:
    """The measure of a score table."""
    from primad_ld.trec.measure_names import is_family

    found = [*effectiveness([text])] if text else [""]
    if len(found) > 1 or is_family(found[0]) or found[0] == ALL:
        raise MeasureError(f"--scores-of {text}: name a single measure, such as map or P_10")
    return found[0]


def measures(texts: Sequence[str]) -> tuple[tuple[Chosen, ...], dict[str, str]]:
    """Measures of reproducibility, and those of effectiveness as they were called."""
    from primad_ld.measures.registry import parse_measure
    from primad_ld.trec.measure_names import canonical

    chosen: list[Chosen] = []
    on: dict[str, str] = {}
    for part in parts(texts):
        if part == ALL:
            continue  # what is valid is computed if none is named
        try:
            chosen.append(parse_measure(part))
        except UnknownMeasureError as error:
            try:
                on[canonical(part)] = part
            except UnknownMeasureError as unknown:
                texts = [str(error), str(unknown)]
                near = [text for text in texts if "did you mean" in text]
                raise MeasureError(". For effectiveness: ".join(near or texts)) from None
    return tuple(chosen), on
