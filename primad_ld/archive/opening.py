"""Where an archive is: a folder, an endpoint, or the files that somebody names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.archive.embedded import ABOUT, LAYOUT, LEDGER, EmbeddedEngine, check_layout
from primad_ld.archive.engine import Engine
from primad_ld.archive.file_kinds import OpenArchive
from primad_ld.archive.ledger import Ledger, remote_ledger
from primad_ld.archive.loading import LoadReport, load
from primad_ld.archive.shelf import Shelf
from primad_ld.core.arguments import AnyPath, AnyPaths, to_name, to_paths
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD, RDF_TYPE, XSD
from primad_ld.core.triples import NamedGraph
from primad_ld.header.sources import Source
from primad_ld.rdf.bulk import Options, Progress
from primad_ld.schema.converters import typed

#: Where to look if nobody says.
_VARIABLE: Final = "PRIMAD_LD_ARCHIVE"
_FOLDER: Final = "primad-archive"
#: Within an archive's folder: nanopublications as they were published.
_SHELF: Final = "nanopubs"


def archive_name(given: AnyPath | None) -> str:
    """The archive that is meant: the one named, else that of the environment, else a folder."""
    if given is None:
        return os.environ.get(_VARIABLE) or _FOLDER
    return to_name(given, "archive")


def _is_address(name: str) -> bool:
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
    if _is_address(where):
        from primad_ld.archive.remote import RemoteEngine

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


def load_runs(
    paths: AnyPaths,
    archive: AnyPath | None = None,
    *,
    options: Options | None = None,
    progress: Progress | None = None,
) -> LoadReport:
    """Load runs, headers and nanopublications into an archive, which is made if it is not there."""
    paths = to_paths(paths)
    with open_archive(archive, create=True) as (opened, ledger):
        return load(opened.engine, ledger, paths, options, progress, opened.shelf)


@contextlib.contextmanager
def open_archive(
    archive: AnyPath | None = None, *, create: bool = False
) -> Iterator[tuple[OpenArchive, Ledger]]:
    """An archive to write to, with what is kept beside its store, and its ledger."""
    where = archive_name(archive)
    with open_engine(where, writable=True, create=create) as engine:
        path, folder = _beside(where, engine)
        with contextlib.closing(Ledger(path)) as ledger:
            yield OpenArchive(engine=engine, ledger=ledger, shelf=Shelf(folder)), ledger


def _beside(where: str, engine: Engine) -> tuple[Path, Path]:
    """The ledger of an archive, and the folder of its shelf."""
    if _is_address(where):
        ledger = remote_ledger(engine.name)
        return ledger, ledger.with_name(f"{ledger.stem}-{_SHELF}")
    return Path(where) / LEDGER, Path(where) / _SHELF


def shelf_of(archive: AnyPath | None) -> Shelf:
    """The files that an archive keeps as they were published."""
    where = archive_name(archive)
    with open_engine(where) as engine:
        return Shelf(_beside(where, engine)[1])


def runs_of_files(paths: AnyPaths, archive: AnyPath | None = None) -> dict[str, str]:
    """The runs that files held when they were loaded into an archive from here, by path."""
    where = archive_name(archive)
    if _is_address(where):
        with open_engine(where) as engine:
            ledger_path = remote_ledger(engine.name)
    else:
        ledger_path = Path(where) / LEDGER
    with contextlib.closing(Ledger(ledger_path)) as ledger:
        found = {str(path): ledger.former_run(Source(str(path))) for path in to_paths(paths)}
    return {path: run for path, run in found.items() if run}


@dataclass(frozen=True, slots=True)
class Loose:
    """Files that somebody named instead of an archive, in a store in memory."""

    engine: Engine
    report: LoadReport


def load_loose(paths: AnyPaths, options: Options | None = None) -> Loose:
    """Files as an archive in memory."""
    engine = EmbeddedEngine.memory("the files")
    with contextlib.closing(Ledger(None)) as ledger:
        return Loose(engine, load(engine, ledger, to_paths(paths), options))
