"""Where an archive is: a folder, an endpoint, or the files that somebody names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.archive.embedded import ABOUT, LAYOUT, LEDGER, EmbeddedEngine, check_layout
from primad_ld.archive.engine import Engine
from primad_ld.archive.ledger import Ledger, remote_ledger
from primad_ld.archive.loading import LoadReport, load
from primad_ld.core.arguments import AnyPath, AnyPaths, to_name, to_paths
from primad_ld.core.errors import ArchiveError
from primad_ld.core.iris import PRIMAD, RDF_TYPE, XSD
from primad_ld.core.triples import NamedGraph
from primad_ld.header.sources import Source
from primad_ld.rdf.bulk import Options, Progress
from primad_ld.schema.converters import typed

if TYPE_CHECKING:
    from primad_ld.nanopub.held.settling import Place

#: Where to look if nobody says.
VARIABLE: Final = "PRIMAD_LD_ARCHIVE"
FOLDER: Final = "primad-archive"
#: Within an archive's folder: nanopublications as they were published.
_NANOPUBS: Final = "nanopubs"


def archive_name(given: AnyPath | None) -> str:
    """The archive that is meant: the one named, else that of the environment, else a folder."""
    if given is None:
        return os.environ.get(VARIABLE) or FOLDER
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
    with open_place(archive, create=True) as (place, ledger):
        return load(place.engine, ledger, paths, options, progress, place.shelf)


@contextlib.contextmanager
def open_place(
    archive: AnyPath | None = None, *, create: bool = False
) -> Iterator[tuple[Place, Ledger]]:
    """An archive to write to, the nanopublications that are kept for it, and its ledger."""
    from primad_ld.archive.shelf import Shelf
    from primad_ld.nanopub.held.settling import Place

    where = archive_name(archive)
    with open_engine(where, writable=True, create=create) as engine:
        path, folder = _beside(where, engine)
        with contextlib.closing(Ledger(path)) as ledger:
            yield Place(engine=engine, ledger=ledger, shelf=Shelf(folder)), ledger


def _beside(where: str, engine: Engine) -> tuple[Path, Path]:
    """The ledger of an archive, and the folder of its nanopublications."""
    if is_address(where):
        ledger = remote_ledger(engine.name)
        return ledger, ledger.with_name(f"{ledger.stem}-{_NANOPUBS}")
    return Path(where) / LEDGER, Path(where) / _NANOPUBS


def kept_file(archive: AnyPath | None, uri: str) -> Path:
    """The file that holds a nanopublication as it was published; `ArchiveError` if none does."""
    from primad_ld.archive.shelf import Shelf, key_of

    where = archive_name(archive)
    with open_engine(where) as engine:
        _, folder = _beside(where, engine)
    path = Shelf(folder).path(key_of(uri))
    if path is None:
        raise ArchiveError(
            f"{where}: the nanopublication {uri} is not kept here; load its file again"
        )
    return path


def kept_bytes(archive: AnyPath | None, uri: str) -> bytes:
    """A nanopublication as it was published, byte by byte.

    Raises:
        ArchiveError: It is not kept, or its file was damaged since.
    """
    from primad_ld.archive.shelf import key_of
    from primad_ld.nanopub.checking import check_bytes
    from primad_ld.rdf.statements import read_bytes

    path = kept_file(archive, uri)
    data = read_bytes(path)
    found = check_bytes(data, path.suffix, str(path))
    if not found.is_valid or key_of(found.uri) != key_of(uri):
        raise ArchiveError(f"{path} is damaged; delete it, and load the nanopublication again")
    return data


def runs_of_files(paths: AnyPaths, archive: AnyPath | None = None) -> dict[str, str]:
    """The runs that files held when they were loaded into an archive from here, by path."""
    where = archive_name(archive)
    if is_address(where):
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
