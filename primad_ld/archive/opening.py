"""Where an archive is: a folder, an endpoint, or the files that somebody names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from primad_ld.archive.embedded_engine import ABOUT, LAYOUT, EmbeddedEngine, check_layout
from primad_ld.archive.engine import Engine
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD, RDF_TYPE, XSD
from primad_ld.core.library_arguments import AnyPath, to_name
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


@contextlib.contextmanager
def open_engine(
    name: AnyPath | None = None,
    *,
    writable: bool = False,
    create: bool = False,
    timeout: float = 60,
) -> Iterator[Engine]:
    """The engine of an archive. One process may write to a folder, or several read."""
    where = archive_name(name)
    engine: Engine
    if is_address(where):
        from primad_ld.archive.remote_engine import RemoteEngine

        engine = RemoteEngine.connect(where, timeout=timeout)
        _check_endpoint(engine, create=create and writable)
    else:
        engine = EmbeddedEngine.open(Path(where), writable=writable, create=create)
    try:
        yield engine
    finally:
        engine.close()


def _check_endpoint(engine: Engine, *, create: bool) -> None:
    """Refuse an endpoint that a newer primad-ld has written to; say which layout this is."""
    found = engine.column(
        f"SELECT ?layout WHERE {{ GRAPH <{ABOUT}> {{ <{ABOUT}> <{PRIMAD}layoutVersion> ?layout }} }}"
    )
    for layout in found:
        if not layout.isdecimal():
            raise ArchiveError(f"{engine.name}: its layout is {layout[:40]!r}, which is no number")
        check_layout(int(layout), engine.name)
    if create and not found:
        triples = (
            f"<{ABOUT}> <{RDF_TYPE}> <{PRIMAD}Archive> .\n"
            f"<{ABOUT}> <{PRIMAD}layoutVersion> {typed(str(LAYOUT), XSD + 'integer')} .\n"
        )
        engine.add([NamedGraph(iri=ABOUT, triples=triples)])
