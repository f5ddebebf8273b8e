"""Nanopublications into an archive and out of it: each whole or not at all, checked before.

The four graphs of a nanopublication go in as they are, and its bytes stay beside the store. What
it says of runs, scores and assessments becomes graphs of the archive (`content_updates`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Final

from primad_ld.archive.file_kinds import FilesReport
from primad_ld.archive.loaded_files import Ledger, LedgerEntry
from primad_ld.archive.write_access import OpenArchive
from primad_ld.core.errors import HeaderError
from primad_ld.core.triples import NamedGraph
from primad_ld.header.sources import Source
from primad_ld.nanopub.held.content_updates import (
    add_graphs,
    kept_nanopub,
    kept_nanopubs,
    missing_content,
    settle,
    update_contents,
)
from primad_ld.nanopub.held.nanopub_files import NanopubFile, ReadFile, reader
from primad_ld.nanopub.held.nanopub_records import (
    Record,
    ended_by,
    fetch_nanopubs,
    graphs_of,
    outdated_holds,
    record_iri,
    recorded_names,
    unfinished,
)
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.trusty import is_below, is_trusty, looks_damaged, shelf_key
from primad_ld.rdf.nanopub_statements import as_triples

#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]

# A crash costs at most one batch; a nanopublication has ten thousand characters.
_BATCH_BYTES: Final = 8 * 2**20
_BATCH: Final = 500
# Starting processes takes about as long as checking so many.
_WORTH_PROCESSES: Final = 400
#: How the files of nanopublications stand in the ledger: they are read in one way only.
_HOW: Final = "nanopub 1"


def load_nanopubs(
    archive: OpenArchive,
    ledger: Ledger,
    files: Sequence[NanopubFile],
    *,
    bases: Sequence[str] = (),
    jobs: int | None = 1,
    progress: Progress | None = None,
) -> FilesReport:
    """Load files of nanopublications into an archive; what is wrong with some is in the report.

    ``bases`` are where graphs of this archive begin, besides the usual base.
    """
    return _Loader(archive, ledger, progress).load(files, bases, jobs)


class _Loader:
    def __init__(self, archive: OpenArchive, ledger: Ledger, progress: Progress | None) -> None:
        self.archive, self.ledger, self.progress = archive, ledger, progress
        self.engine = archive.engine
        self.report = FilesReport()
        #: The file that each nanopublication of this load was first met in.
        self.seen: dict[str, str] = {}
        self.batch: list[ReadFile] = []
        #: Other files of the same nanopublications, with their URIs.
        self.same: list[tuple[str, str]] = []
        self.stamps: dict[str, str] = {}
        #: Those of which what they say had been removed.
        self.restored = 0
        self.done = 0
        self.total = 0
        #: The names that were loaded.
        self.taken: set[str] = set()

    def load(
        self, files: Sequence[NanopubFile], bases: Sequence[str], jobs: int | None
    ) -> FilesReport:
        from primad_ld.core.processes import cores, in_processes

        self.total = len(files)
        changed = self.changed(files)
        processes = (jobs or cores()) if len(changed) >= _WORTH_PROCESSES else 1
        size = 0
        for one in in_processes(changed, reader, (tuple(bases),), processes):
            self.take(one)
            size += len(one.data)
            if len(self.batch) >= _BATCH or size >= _BATCH_BYTES:
                self.write()
                size = 0
        self.write()
        self.report.notes.extend(self.last_notes())
        if self.seen:
            self.report.dropped = len(settle(self.archive, outdated_holds(self.engine)))
        return self.report

    def last_notes(self) -> Iterator[str]:
        """What is to be said once all is read."""
        plain = [
            path for uri, path in self.seen.items() if not is_trusty(uri) and not looks_damaged(uri)
        ]
        if plain:
            others = f" and {len(plain) - 1:,} more" if len(plain) > 1 else ""
            yield f"{plain[0]}{others}: the name holds no digest, so no name proves what it says"

        if self.restored:
            known = f"{self.restored:,} known nanopublication{'s' * (self.restored != 1)}"
            yield f"restored what {known} said, which had been removed"

    def count(self, number: int = 1) -> None:
        self.done += number
        if self.progress is not None:
            self.progress(self.done, self.total)

    # Files --------------------------------------------------------------------------------

    def changed(self, files: Sequence[NanopubFile]) -> list[NanopubFile]:
        """The files that must be read: not those that are as they were when they were loaded."""
        entries = {one: self.ledger.unchanged(Source(one.path), _HOW) for one in files}
        known = {one: entry.said for one, entry in entries.items() if entry is not None}
        records = fetch_nanopubs(self.engine, known.values())
        whole = {uri for uri, one in records.items() if one.is_whole}
        whole -= missing_content(self.engine, [records[uri] for uri in whole])
        found = []
        for one in files:
            if known.get(one) in whole:
                self.seen.setdefault(known[one], one.path)
                self.report.known += 1
                self.count()
                continue
            self.stamps[one.path] = self.stamp(one)
            found.append(one)
        return found

    def stamp(self, one: NanopubFile) -> str:
        """Size and time before a file is read: a change while it is read shows next time."""
        try:
            return self.ledger.stamp(Source(one.path))
        except OSError:
            return ""

    def take(self, one: ReadFile) -> None:
        """One more file, as it was read."""
        if one.problem is not None:
            self.report.problems.append(one.problem)
        elif one.left_out:
            self.report.left_out.append(f"{one.file.path}: left out: {one.left_out}")
        elif one.is_draft:
            self.report.drafts += 1
        elif one.nanopub is not None:
            uri = one.nanopub.uri
            if self.seen.setdefault(uri, one.file.path) == one.file.path:
                self.batch.append(one)
                return
            self.twice(one, one.nanopub)
        else:
            self.report.passed_over.append(one.file.path)
        self.count()

    def twice(self, one: ReadFile, nanopub: Nanopub) -> None:
        """Another file with the name of one that was read before."""
        first = self.seen[nanopub.uri]
        former = next((it.nanopub for it in self.batch if it.file.path == first), None)
        if not self.is_other(nanopub, former or kept_nanopub(self.archive, nanopub.uri)):
            self.same.append((one.file.path, nanopub.uri))
            self.report.notes.append(f"{one.file.path}: the same nanopublication as {first}")
            return
        self.problem(one, f"another nanopublication with the name of the one in {first}")

    def is_other(self, one: Nanopub, former: Nanopub | None) -> bool:
        """Whether two of one name differ, which only names without a digest let happen."""
        if one.artifact or former is None:
            return False
        return set(one.statements) != set(former.statements)

    def problem(self, one: ReadFile, why: str, hint: str = "") -> None:
        self.report.problems.append(HeaderError(why, file=one.file.path, hint=hint))

    # Batches ------------------------------------------------------------------------------

    def write(self) -> None:
        """Write what was read: bytes, then graphs, then what they say, and last the records."""
        batch, self.batch = self.batch, []
        read = {one.nanopub.uri: one for one in batch if one.nanopub is not None}
        records = fetch_nanopubs(self.engine, read)
        known = {uri for uri, record in records.items() if record.is_whole}
        # Trusty names first, before which others give way.
        trusty_first = sorted(read, key=is_trusty, reverse=True)
        fits = {uri: read[uri] for uri in trusty_first if self.fits(read[uri], uri in known)}
        known &= fits.keys()
        new = self.store({uri: one for uri, one in fits.items() if uri not in known})
        removed = missing_content(self.engine, [records[uri] for uri in known])
        self.update({uri: fits[uri] for uri in sorted(new | removed)})
        self.restored += len(removed)
        self.report.new += len(new)
        self.report.known += len(known)
        loaded = new | known
        files = [(fits[uri].file.path, uri) for uri in sorted(loaded)]
        same = [(path, uri) for path, uri in self.same if uri in loaded or uri not in read]
        self.same.clear()
        self.ledger.record(self.entries([*files, *same]))
        self.count(len(batch))

    def fits(self, one: ReadFile, is_known: bool) -> bool:
        """Whether nothing else is there under its name, or under those of its graphs."""
        nanopub = one.nanopub
        assert nanopub is not None
        if not is_known:
            return self.has_names_of_its_own(one, nanopub)
        if not self.is_other(nanopub, kept_nanopub(self.archive, nanopub.uri)):
            return True
        self.problem(
            one,
            f"another nanopublication is called {nanopub.uri}, a name without a digest",
            "primad-ld remove takes that one out",
        )
        return False

    def has_names_of_its_own(self, one: ReadFile, nanopub: Nanopub) -> bool:
        """Whether no graph of it may be that of another one."""
        if why := self.conflict(nanopub):
            self.problem(one, why, "rename it, or take the other one out with primad-ld remove")
            return False
        if looks_damaged(nanopub.uri):
            self.report.notes.append(
                f"{one.file.path}: no name proves it, and {nanopub.uri} looks like a damaged trusty name"
            )
        self.taken.add(nanopub.uri)
        return True

    @cached_property
    def recorded(self) -> set[str]:
        """The names in the archive; only unproven ones have to be compared with them, which are few."""
        return recorded_names(self.engine)

    def conflict(self, nanopub: Nanopub) -> str:
        """Why an unproven nanopublication cannot be there beside another one; empty if it can."""
        own = nanopub.uri
        others = set() if nanopub.artifact else (self.taken | self.recorded) - {own}
        # The first by name, so that the same is said each time.
        name = min((one for one in others if is_below(own, one) or is_below(one, own)), default="")
        if name and is_below(own, name):
            return f"its graph {nanopub.assertion} lies below the name of another, {name}"
        return name and f"the graphs of another nanopublication, {name}, lie below its name {own}"

    def store(self, fresh: dict[str, ReadFile]) -> set[str]:
        """Keep the bytes of nanopublications and write their graphs; those that the store takes."""
        if not fresh:
            return set()
        for uri, one in fresh.items():
            self.archive.shelf.keep(shelf_key(uri), one.suffix, one.data)
        self.archive.shelf.sync()
        begun = [one.record.graph() for one in fresh.values() if one.record is not None]
        # The head comes first: what an interrupted load left is found by it.
        graphs = {
            uri: [
                NamedGraph(iri=name, triples=as_triples(nanopub.graph(name)))
                for name in nanopub.graphs
            ]
            for uri, one in fresh.items()
            if (nanopub := one.nanopub) is not None
        }
        refused = add_graphs(self.engine, [*begun, *chain.from_iterable(graphs.values())])
        for uri, one in fresh.items():
            names = [record_iri(uri), *(graph.iri for graph in graphs[uri])]
            why = next((refused[name] for name in names if name in refused), "")
            if why:
                self.problem(one, f"{self.engine.name} does not take it: {why}")
                self.engine.remove(names)
                self.archive.shelf.remove(shelf_key(uri))
                del graphs[uri]
        return set(graphs)

    def update(self, read: dict[str, ReadFile]) -> None:
        """Write what nanopublications say."""
        nanopubs = {uri: one.nanopub for uri, one in read.items() if one.nanopub is not None}
        update = update_contents(self.archive, nanopubs)
        for uri, why in update.notes.items():
            self.report.notes.append(f"{self.seen.get(uri, uri)}: {why}")
        for uri, why in update.problems.items():
            self.report.problems.append(HeaderError(why, file=self.seen.get(uri, uri)))

    def entries(self, files: Iterable[tuple[str, str]]) -> Iterator[LedgerEntry]:
        """What is remembered of files, so that they are not read again as they are."""
        for path, uri in files:
            source, stamp = Source(path), self.stamps.get(path, "")
            try:
                yield self.ledger.entry(source, _HOW, stamp, record_iri(uri), uri)
            except OSError:
                continue  # gone since it was read


# Taking out -------------------------------------------------------------------------------


def remove_nanopubs(archive: OpenArchive, records: Sequence[Record]) -> None:
    """Take nanopublications out, with their bytes and with what only they hold.

    What they had superseded or retracted holds again.
    """
    engine = archive.engine
    uris = {one.uri for one in records}
    freed = ended_by(engine, uris) - uris
    for one in records:
        # Whoever is interrupted here leaves what vacuum, or loading again, can tell.
        engine.replace(replace(one, is_whole=False).graph())
    settle(archive, {one.uri: one.holds for one in records})
    for graphs in graphs_of(engine, uris).values():
        engine.remove(graphs)
    for one in records:
        archive.shelf.remove(shelf_key(one.uri))
    engine.remove([one.iri for one in records])
    update_contents(archive, kept_nanopubs(archive, freed))


def remove_unfinished(archive: OpenArchive) -> int:
    """Take out what interrupted loads left; how many nanopublications that were."""
    left = fetch_nanopubs(archive.engine, unfinished(archive.engine))
    remove_nanopubs(archive, list(left.values()))
    for key in archive.shelf.keys() - set(map(shelf_key, recorded_names(archive.engine))):
        archive.shelf.remove(key)
    return len(left)
