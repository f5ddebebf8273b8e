"""Archives that are written to: the store, the files beside it, and which file held what.

Who only asks an archive opens its engine (`opening`) and needs none of this.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from primad_ld.archive.embedded_engine import LEDGER
from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger, remote_ledger
from primad_ld.archive.opening import archive_name, is_address, open_checked
from primad_ld.archive.published_files import Shelf
from primad_ld.core.library_arguments import AnyPath, AnyPaths, to_paths
from primad_ld.header.sources import Source

#: Within an archive's folder: nanopublications as they were published.
_SHELF: Final = "nanopubs"


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenArchive:
    """An archive that is written to: its store, and the files beside it."""

    engine: Engine
    shelf: Shelf = field(default_factory=Shelf)


@contextlib.contextmanager
def open_archive(
    archive: AnyPath | None = None, *, create: bool = False
) -> Iterator[tuple[OpenArchive, Ledger]]:
    """An archive to write to, with what is kept beside its store, and its ledger."""
    where = archive_name(archive)
    with open_checked(where, writable=True, create=create) as engine:
        path, folder = _beside(where, engine)
        with contextlib.closing(Ledger(path)) as ledger:
            yield OpenArchive(engine=engine, shelf=Shelf(folder)), ledger


def _beside(where: str, engine: Engine) -> tuple[Path, Path]:
    """The ledger of an archive, and the folder of its shelf."""
    if is_address(where):
        ledger = remote_ledger(engine.name)
        return ledger, ledger.with_name(f"{ledger.stem}-{_SHELF}")
    return Path(where) / LEDGER, Path(where) / _SHELF


def runs_of_files(paths: AnyPaths, archive: AnyPath | None = None) -> dict[str, str]:
    """The runs that files held when they were loaded into an archive from here, by path."""
    where = archive_name(archive)
    if is_address(where):
        with open_checked(where) as engine:
            ledger_path = remote_ledger(engine.name)
    else:
        ledger_path = Path(where) / LEDGER
    with contextlib.closing(Ledger(ledger_path)) as ledger:
        found = {str(path): ledger.former_run(Source(str(path))) for path in to_paths(paths)}
    return {path: run for path, run in found.items() if run}
