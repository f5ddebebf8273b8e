"""Where an archive is: a folder, an endpoint, or the files that somebody names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from primad_ld.archive.embedded_engine import ABOUT, LAYOUT, EmbeddedEngine, check_layout
from primad_ld.archive.engine import Engine
from primad_ld.core.errors import ArchiveError, PrimadError
from primad_ld.core.iris import PRIMAD, RDF_TYPE, XSD
from primad_ld.core.library_arguments import AnyPath, to_name, to_seconds
from primad_ld.core.triples import NamedGraph
from primad_ld.schema.converters import typed

#: Where to look if nobody says.
_VARIABLE: Final = "PRIMAD_LD_ARCHIVE"
_FOLDER: Final = "primad-archive"


def archive_name(given: AnyPath | None) -> str:
    """The archive that is meant: the one named, else that of the environment, else a folder."""
    if given is None:
        return os.environ.get(_VARIABLE) or _FOLDER
    return to_name(given, "archive")


def is_address(name: str) -> bool:
    """Whether an archive is an endpoint rather than a folder."""
    return "://" in name


def is_there(given: AnyPath | None) -> bool:
    """Whether there is something where an archive would be: an address counts as there."""
    where = archive_name(given)
    return is_address(where) or os.path.isdir(where)


@contextlib.contextmanager
def open_engine(
    name: AnyPath | None = None,
    *,
    writable: bool = False,
    create: bool = False,
    timeout: float = 60,
) -> Iterator[Engine]:
    """The engine of an archive. One process may write to a folder, or several read."""
    where, timeout = archive_name(name), to_seconds(timeout, "timeout")
    engine: Engine
    if is_address(where):
        from primad_ld.archive.remote_engine import RemoteEngine

        engine = RemoteEngine.connect(where, timeout=timeout)
        _check_endpoint(engine, create=create and writable)
    else:
        engine = EmbeddedEngine.open(Path(where), writable=writable, create=create)
    try:
        yield engine
    except BaseException as error:
        # What somebody gave may be wrong; anything else broke off what was being written.
        is_input = isinstance(error, PrimadError) and not isinstance(error, ArchiveError)
        if isinstance(engine, EmbeddedEngine) and not is_input:
            engine.is_whole = False
        raise
    finally:
        engine.close()


@contextlib.contextmanager
def open_checked(
    name: AnyPath | None = None,
    *,
    writable: bool = False,
    create: bool = False,
    timeout: float = 60,
) -> Iterator[Engine]:
    """Like `open_engine`, for what primad-ld asks itself: rows that answer nothing are an error.

    What reads rows relies on them: that a run of one answer is in the next, that a count is a
    number. A folder is ours, so rows that break this there are a fault of ours. A server may
    answer anything, and somebody may change it between two questions: there the error names it.
    """
    with open_engine(name, writable=writable, create=create, timeout=timeout) as engine:
        try:
            yield engine
        except _MISFITS as error:
            if isinstance(engine, EmbeddedEngine):
                raise
            raise ArchiveError(
                f"{engine.name} does not look like an archive ({_where(error)}); it may have "
                "changed meanwhile: rerun the command, or load the runs into a new archive"
            ) from error
        except ArchiveError as error:
            # Whoever reads a value knows what is wrong with it, and not always who gave it.
            if type(error) is ArchiveError and engine.name not in str(error):
                raise ArchiveError(f"{engine.name}: {error}") from error
            raise


#: What code ends with that takes rows for what was asked for.
_MISFITS: Final = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    SyntaxError,
    RecursionError,
)
_LONGEST: Final = 100


def _where(error: BaseException) -> str:
    """Where in our code an error came up, and which: if the server is right, we are not."""
    import traceback

    _, *steps = traceback.extract_tb(error.__traceback__)  # the first is `open_checked`
    own = [step for step in steps if f"{os.sep}primad_ld{os.sep}" in step.filename] or steps
    place = f"{os.path.basename(own[-1].filename)}:{own[-1].lineno}"
    return f"{place}: {type(error).__name__}: {str(error)[:_LONGEST]}"


def _check_endpoint(engine: Engine, *, create: bool) -> None:
    """Refuse an endpoint that a newer primad-ld has written to; say which layout this is."""
    found = engine.column(
        f"SELECT ?layout WHERE {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> ?layout }} }}"
    )
    for layout in found:
        if not (layout.isdecimal() and len(layout) < 10):
            raise ArchiveError(f"{engine.name}: its layout is not a number: {layout[:40]!r}")
        check_layout(int(layout), engine.name)
    if create and not found:
        triples = (
            f"<{ABOUT}> <{RDF_TYPE}> <{PRIMAD}Archive> .\n"
            f"<{ABOUT}> <{PRIMAD}layoutVersion> {typed(str(LAYOUT), XSD + 'integer')} .\n"
        )
        engine.add([NamedGraph(iri=ABOUT, triples=triples)])
