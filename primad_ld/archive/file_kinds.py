"""Kinds of files that archives hold besides runs: where rooms above hook in (D14).

An archive asks each kind what it would otherwise have to know: which files are of it, what it
keeps of them, and what goes with them. The rooms that have one are named in `core.hooks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from primad_ld.archive.engine import Engine
from primad_ld.archive.loaded_files import Ledger
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.errors import HeaderError
from primad_ld.core.hooks import FILE_KINDS, hooked
from primad_ld.rdf.bulk import Options, Progress


@dataclass(kw_only=True, slots=True)
class FilesReport:
    """What loading did with files of a kind."""

    #: Those that were not there before.
    new: int = 0
    #: Those that were.
    known: int = 0
    #: Files in folders that nobody has signed.
    drafts: int = 0
    #: Graphs that superseded or retracted ones had held.
    dropped: int = 0
    #: Files in folders that are none though one may think so, each with the reason.
    left_out: list[str] = field(default_factory=list)
    #: Other files in folders that are none, which their suffix does not suggest either.
    passed_over: list[str] = field(default_factory=list)
    problems: list[HeaderError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class NamedFile(Protocol):
    """A file that may be of some kind."""

    @property
    def path(self) -> str:
        """Where it is."""
        ...


class FileKind(Protocol):
    """What an archive asks about one kind of files, and what it holds of them."""

    #: One of them, in messages.
    name: str

    def split(self, paths: Iterable[Path | str]) -> tuple[list[Path | str], Sequence[NamedFile]]:
        """What runs and headers are looked for in, and the files that may be of this kind."""
        ...

    def load(
        self,
        archive: OpenArchive,
        ledger: Ledger,
        files: Sequence[Any],
        options: Options,
        progress: Progress | None,
    ) -> FilesReport:
        """Load files; what is wrong with some is in the report."""
        ...

    def counts(self, engine: Engine) -> dict[str, int]:
        """How many there are, by state."""
        ...

    def total(self, counts: Mapping[str, int]) -> int:
        """How many there are in all, by those counts."""
        ...

    def named(self, engine: Engine, names: Iterable[str]) -> Mapping[str, Any]:
        """Those of some names that are names of this kind, with what is held of each."""
        ...

    def remove(self, archive: OpenArchive, held: Sequence[Any]) -> None:
        """Take out what `named` found, with what only that holds."""
        ...

    def remove_unfinished(self, archive: OpenArchive) -> None:
        """Take out what interrupted loads left."""
        ...

    def holders(self, engine: Engine, graphs: Iterable[str]) -> Mapping[str, set[str]]:
        """Those of some graphs that files of this kind say, with which these are."""
        ...

    def held_graphs(self, engine: Engine) -> set[str]:
        """The graphs of runs and results that are there because files of this kind say them."""
        ...

    def let_go(self, engine: Engine, graphs: Iterable[str]) -> None:
        """Hold some graphs no more: they are the archive's own from now on."""
        ...


def file_kinds() -> list[FileKind]:
    """All kinds of files, whatever was imported before."""
    return [module.KIND for module in hooked(FILE_KINDS)]
