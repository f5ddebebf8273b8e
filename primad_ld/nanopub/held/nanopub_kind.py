"""Nanopublications as a kind of files that archives hold: what hooks in there (D14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.nanopub.held import nanopub_records

if TYPE_CHECKING:
    from primad_ld.archive.engine import Engine
    from primad_ld.archive.file_kinds import FileKind, FilesReport
    from primad_ld.archive.loaded_files import Ledger
    from primad_ld.archive.write_access import OpenArchive
    from primad_ld.nanopub.held.nanopub_files import NanopubFile
    from primad_ld.rdf.bulk import Options, Progress


class _Nanopubs:
    """Who counts needs no module that reads files or writes."""

    name = "nanopublication"
    counts = staticmethod(nanopub_records.counts)
    named = staticmethod(nanopub_records.fetch_nanopubs)
    holders = staticmethod(nanopub_records.holders)
    held_graphs = staticmethod(nanopub_records.held_graphs)

    def split(self, paths: Iterable[Path | str]) -> tuple[list[Path | str], list[NanopubFile]]:
        from primad_ld.nanopub.held.nanopub_files import split_paths

        return split_paths(paths)

    def load(
        self,
        archive: OpenArchive,
        ledger: Ledger,
        files: Sequence[NanopubFile],
        options: Options,
        progress: Progress | None,
    ) -> FilesReport:
        from primad_ld.nanopub.held.nanopub_loading import load_nanopubs

        bases, jobs = (options.base,), options.jobs
        return load_nanopubs(archive, ledger, files, bases=bases, jobs=jobs, progress=progress)

    def total(self, counts: Mapping[str, int]) -> int:
        from primad_ld.nanopub.checking import CheckState

        # Those that are superseded, too; each has one state.
        return sum(counts.get(state, 0) for state in CheckState)

    def remove(self, archive: OpenArchive, held: Sequence[nanopub_records.Record]) -> None:
        from primad_ld.nanopub.held.nanopub_loading import remove_nanopubs

        remove_nanopubs(archive, held)

    def remove_unfinished(self, archive: OpenArchive) -> None:
        from primad_ld.nanopub.held.nanopub_loading import remove_unfinished

        remove_unfinished(archive)

    def let_go(self, engine: Engine, graphs: Iterable[str]) -> None:
        nanopub_records.let_go(engine, nanopub_records.holders(engine, graphs))


KIND: Final[FileKind] = _Nanopubs()
