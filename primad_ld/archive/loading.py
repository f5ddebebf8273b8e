"""Loading runs and other files: in batches, whole or not at all, and only what is new (D6)."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from primad_ld.archive.corrected_runs import Corrections, counted
from primad_ld.archive.embedded_engine import LAYOUT, EmbeddedEngine
from primad_ld.archive.engine import Engine, GraphsRefusedError
from primad_ld.archive.file_kinds import FileKind, FilesReport, NamedFile, file_kinds
from primad_ld.archive.loaded_files import Ledger, LedgerEntry
from primad_ld.archive.opening import archive_name
from primad_ld.archive.own_graphs import all_held, take_over
from primad_ld.archive.published_files import Shelf
from primad_ld.archive.runs import is_succession
from primad_ld.archive.write_access import OpenArchive, open_archive
from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.library_arguments import AnyPath, AnyPaths, to_paths
from primad_ld.core.triples import NamedGraph
from primad_ld.header.skipped_files import Skipped, empty_folders, summary
from primad_ld.header.sources import Source, find_sources, unused_headers
from primad_ld.rdf.bulk import (
    LiftedSource,
    Merger,
    Options,
    Progress,
    Report,
    files_read,
    lift_each,
    lift_unused,
    number_of,
)
from primad_ld.rdf.lifting import with_version
from primad_ld.tables.answers import Table

# A crash costs at most one batch; larger ones make the store's files larger and fewer.
_BATCH_BYTES: Final = 48 * 2**20
_BATCH_SECONDS: Final = 15.0
_MOST_NAMED: Final = 3
_MOST_LEFT_OUT: Final = 10
#: What is loaded, in messages.
_KINDS: Final = "runs, headers or nanopublications"
_RUN_IN_IRI: Final = "/run/"


@dataclass(kw_only=True, slots=True, repr=False)
class LoadReport(Report):
    """What loading did: ``runs`` are those that were written, and ``output`` is the archive."""

    #: Runs that were there with another header.
    replaced: int = 0
    #: How many of those have another name now, since their team, tag or file has.
    renamed: int = 0
    #: What is kept about those: scores, assessments, and assessments of precision.
    kept: dict[str, int] = field(default_factory=dict)
    #: Files that were loaded before and have not changed, or whose run is there already.
    unchanged: int = 0
    #: Nanopublications that were not there before, and those that were.
    nanopubs: int = 0
    known_nanopubs: int = 0
    #: Unsigned nanopublications in folders, which are left out.
    drafts: int = 0
    #: Graphs that went because the nanopublications that held them are superseded or retracted.
    dropped: int = 0
    #: Files in folders that one may take for nanopublications and that are none, with the reason.
    left_out: list[str] = field(default_factory=list)

    @property
    def is_about_something(self) -> bool:
        """Whether there was anything to be loaded."""
        runs = self.runs or self.replaced or self.unchanged
        return bool(runs or self.nanopubs or self.known_nanopubs or self.drafts)

    def counts(self) -> dict[str, int]:
        """How many files were new, and what became of the others."""
        return {
            "new": self.runs,
            "replaced": self.replaced,
            "renamed": self.renamed,
            "unchanged": self.unchanged,
        }

    @property
    def nanopublications(self) -> dict[str, int]:
        """The same for nanopublications."""
        return {
            "new": self.nanopubs,
            "known": self.known_nanopubs,
            "drafts": self.drafts,
            "dropped": self.dropped,
        }

    def table(self) -> Table:
        """How many there are, a row for each kind."""
        table = Report.table(self)
        counts = {f"kept {what}": count for what, count in self.kept.items()} | {
            f"nanopublications {what}": count for what, count in self.nanopublications.items()
        }
        more = [{"what": what, "count": count} for what, count in counts.items()]
        return replace(table, rows=[*table.rows, *more])

    def verdict(self) -> str:
        """What was loaded, and into which archive; nothing if errors say why nothing was."""
        if self.problems and not self.is_about_something:
            return ""
        nanopubs = self.nanopubs or self.known_nanopubs or self.drafts
        runs = self.runs or self.replaced or self.unchanged
        done = [number_of(self.runs, "new run")] if runs or not nanopubs else []
        if self.replaced:
            renamed = f" ({self.renamed:,} under another name)" if self.renamed else ""
            done.append(f"{self.replaced:,} replaced{renamed}")
        if self.unchanged:
            done.append(f"{self.unchanged:,} unchanged")
        if nanopubs:
            done.append(number_of(self.nanopubs, "new nanopublication"))
        if self.known_nanopubs:
            done.append(f"{self.known_nanopubs:,} known")
        kept = counted(self.kept)
        if kept:
            kept = f"; {'its' if self.replaced == 1 else 'their'} {kept} kept"
        return f"{', '.join(done)}{kept}{f' → {self.output}' if self.output else ''}{self.failed()}"

    def shown_notes(self, *, each: bool = False) -> Iterator[str]:
        """The notes, what was not read, and which files are not nanopublications."""
        yield from Report.shown_notes(self, each=each)
        most = None if each else _MOST_LEFT_OUT
        yield from self.left_out[:most]
        if not each and (more := len(self.left_out) - _MOST_LEFT_OUT) > 0:
            yield f"skipped {more:,} more files that are not nanopublications"
        if self.drafts:
            yield (
                f"skipped {number_of(self.drafts, 'draft')}: sign them first (primad-ld nanopub "
                "sign)"
            )
        if self.dropped:
            yield f"removed {number_of(self.dropped, 'graph')} of superseded or retracted ones"

    def record(self) -> dict[str, object]:
        """The counts by their names, and each file that was not read."""
        return {
            **Report.record(self),
            "kept": self.kept,
            "nanopublications": self.nanopublications,
            "notes": [*self.notes, *self.left_out],
        }


def load_runs(
    paths: AnyPaths,
    archive: AnyPath | None = None,
    *,
    options: Options | None = None,
    progress: Progress | None = None,
) -> LoadReport:
    """Load runs, headers and nanopublications into an archive, which is made if it is not there.

    A path that does not exist is a problem in the report; an error, if no path does.
    """
    paths = to_paths(paths)
    if paths and not any(map(os.path.lexists, paths)):
        raise HeaderError(os.strerror(errno.ENOENT).lower(), file=paths[0])
    with open_archive(archive, create=True) as (opened, ledger):
        report = load(opened.engine, ledger, paths, options, progress, opened.shelf)
    report.output = archive_name(archive)
    return report


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


def load(
    engine: Engine,
    ledger: Ledger,
    paths: Sequence[Path | str],
    options: Options | None = None,
    progress: Progress | None = None,
    shelf: Shelf | None = None,
) -> LoadReport:
    """Load runs, headers and nanopublications into an archive.

    Files that cannot be read are in the report; the rest is loaded. What is there already is
    not written again, and a run whose header was corrected is replaced in one step. ``shelf``
    keeps the bytes of nanopublications.
    """
    options = options or Options()
    others: list[Path | str] = list(paths)
    beside: list[tuple[FileKind, Sequence[NamedFile]]] = []
    for kind in file_kinds():
        others, files = kind.split(others)
        beside.append((kind, files))
    count = _Counter(progress, sum(len(files) for _, files in beside))
    loader = _Loader(engine, ledger, options, count.of_runs)
    report = loader.load(others)
    read = files_read(loader.sources, loader.merger.left_alone)
    archive = OpenArchive(engine=engine, shelf=shelf or Shelf())
    # Behind the runs: what the archive has from files of its own wins.
    for kind, files in beside:
        if files:
            found = kind.load(archive, ledger, files, options, count.of_files)
            count.ended(files)
            _merge(report, found)
            of_kind = {one.path for one in files} - set(found.passed_over)
            report.skipped = [one for one in report.skipped if one.path not in of_kind]
            read |= of_kind
    report.notes.extend(loader.corrections.notes())
    report.notes.extend(ledger.finish())
    if not (report.is_about_something or report.problems):
        named = ", ".join(str(path) for path in paths)
        why = f"{named}: there are no {_KINDS} here"
        raise ConvertError(
            "; ".join([why, *report.left_out[:_MOST_NAMED], *summary(report.skipped)])
        )
    report.problems.extend(empty_folders(map(Path, paths), read, report.skipped, kinds=_KINDS))
    return report


def _merge(report: LoadReport, found: FilesReport) -> None:
    report.nanopubs += found.new
    report.known_nanopubs += found.known
    report.drafts += found.drafts
    report.dropped += found.dropped
    report.problems.extend(found.problems)
    report.notes.extend(found.notes)
    report.left_out.extend(found.left_out)


class _Counter:
    """One count for runs and then for files of other kinds."""

    def __init__(self, progress: Progress | None, files: int) -> None:
        self.progress, self.files = progress, files
        self.done = self.runs = 0

    def of_runs(self, done: int, total: int) -> None:
        """So many of the runs are done."""
        self.runs = self.done = total
        if self.progress is not None:
            self.progress(done, total + self.files)

    def of_files(self, done: int, total: int) -> None:
        """So many files of one kind are done."""
        if self.progress is not None:
            self.progress(self.done + done, self.runs + self.files)

    def ended(self, files: Sequence[NamedFile]) -> None:
        """All files of a kind are done."""
        self.done += len(files)


class _Loader:
    def __init__(
        self, engine: Engine, ledger: Ledger, options: Options, progress: Progress | None
    ) -> None:
        self.engine, self.ledger = engine, ledger
        self.options, self.progress = options, progress
        self.how = _how(options)
        self.report = LoadReport()
        self.merger = Merger()
        self.sources: list[Source] = []
        self.batch = _Batch()
        self.stamps: dict[Source, str] = {}
        self.corrections = Corrections(engine, ledger, self.report)
        # The store writes one batch while the next is read and lifted.
        self.writer = ThreadPoolExecutor(1)
        self.writing: Future[None] | None = None
        #: Graphs that the store does not take, and why.
        self.refused: dict[str, str] = {}
        self.begun = time.monotonic()
        #: What nanopublications say, until a file of one's own says it.
        self.held = all_held(engine)

    def load(self, paths: Sequence[Path | str]) -> LoadReport:
        self.ledger.begin()
        skipped: list[Skipped] = []
        self.sources = sources = find_sources(paths, skipped)
        with self.writer:
            self.load_sources(sources)
            unused = self.changed(unused_headers(sources, self.merger.used))
            for lifted in lift_unused(unused, self.merger, self.options):
                self.take(lifted)
            self.report.skipped.extend(skipped)
            self.merger.settle_left_alone(sources)
            self.write()
            self.wait()
        return self.report

    def load_sources(self, sources: Sequence[Source]) -> None:
        changed = self.changed(sources)
        known = len(sources) - len(changed)
        on_progress = self.progress
        if on_progress is not None:
            on_progress(known, len(sources))
        for lifted in lift_each(
            changed, self.report, self.options, self._beyond(known), self.merger
        ):
            self.take(lifted)

    def _beyond(self, known: int) -> Progress | None:
        """Progress that counts the files that need not be read."""
        report = self.progress
        if report is None:
            return None
        return lambda done, total: report(known + done, known + total)

    def changed(self, sources: Iterable[Source]) -> list[Source]:
        """The sources that must be read; what is known of the others is told to the merger."""
        sources = list(sources)
        entries = {source: self._unchanged(source) for source in sources}
        runs = {entry.run for entry in entries.values() if entry is not None and entry.run}
        # Somebody may have removed a run, or made the archive anew.
        self.wait()
        there = self.engine.existing(sorted(runs))
        changed = []
        for source in sources:
            entry = entries[source]
            if entry is None or (entry.run and entry.run not in there):
                self.stamps[source] = self._stamp(source)
                self.corrections.reads(source)
                changed.append(source)
                continue
            self.merger.used.update(source.sidecars)
            if entry.run:
                self.merger.know(entry.run, source.path, entry.said)
                self.report.unchanged += 1
            else:
                self.merger.left_alone.append(source)
        return changed

    def _unchanged(self, source: Source) -> LedgerEntry | None:
        return None if source.problem else self.ledger.unchanged(source, self.how)

    def _stamp(self, source: Source) -> str:
        """Sizes and times before a file is read: a change while it is read shows next time."""
        try:
            return self.ledger.stamp(source)
        except OSError:
            return ""

    def take(self, lifted: LiftedSource) -> None:
        """One more source for the batch."""
        if lifted.holds_run:
            *components, run = lifted.graphs
            lifted = replace(lifted, graphs=(*components, with_version(run)))
        graphs = (*lifted.identities, *lifted.graphs)
        self.batch.graphs.extend(graphs)
        self.batch.size += sum(len(graph.triples) for graph in graphs)
        if lifted.run is not None or lifted.left_alone:
            self.batch.sources.append(lifted)
        if self.batch.size >= _BATCH_BYTES or time.monotonic() - self.begun >= _BATCH_SECONDS:
            self.write()

    def write(self) -> None:
        """Have the batch written, once the one before it is."""
        self.wait()
        batch, self.batch = self.batch, _Batch()
        self.begun = time.monotonic()
        self.writing = self.writer.submit(self.write_batch, batch)

    def wait(self) -> None:
        """Wait for the batch that is being written; what went wrong there is raised here."""
        if self.writing is not None:
            self.writing.result()
            self.writing = None

    def write_batch(self, batch: _Batch) -> None:
        """Write a batch, then remember its files.

        A run that takes the place of another one is there, and says so, before the other goes; so
        an interruption loses neither, and loading again completes it.
        """
        there = self.engine.existing(one.graphs[-1].iri for one in batch.sources if one.holds_run)
        sources = [one for one in map(partial(self.settled, there), batch.sources) if one]
        entries = {one.source: entry for one in sources if (entry := self._entry(one))}
        plan = self.corrections.plan(sources, entries)
        self.corrections.look_for_earlier(sources, there)
        # Components first, and only then what makes use of them; those that are there
        # already are written again, for somebody may be removing unused ones.
        self.add([graph for graph in batch.graphs if graph.iri not in there])
        sources = [one for one in sources if not self.is_refused(one, there)]
        replaced = self.replace([one for one in sources if one.holds_run and one.run in there])
        self.take_over([one.run for one in sources if one.holds_run and one.run])
        held = {one.run for one in sources if one.run}
        new = {run for one in sources if one.holds_run and (run := one.run) and run not in there}
        self.corrections.finish(plan, held, new, replaced)
        kept = [entries[one.source] for one in sources if one.source in entries]
        self.ledger.record(kept, self.corrections.gone())

    def take_over(self, runs: Sequence[str]) -> None:
        """Make runs the archive's own that nanopublications brought before their files came."""
        theirs = self.held.intersection(runs)
        if theirs:
            take_over(self.engine, theirs)
            self.held -= theirs

    def settled(self, there: set[str], one: LiftedSource) -> LiftedSource | None:
        """A source, unless its run is there as another file has it, and that stays."""
        is_there = one.holds_run and one.run in there
        return self.corrections.of_its_own(one) if is_there else one

    def add(self, graphs: Sequence[NamedGraph]) -> None:
        """Add graphs; what the store does not take is remembered, and the rest is there."""
        try:
            self.engine.add(graphs)
        except GraphsRefusedError as error:
            self.refused.update(error.refused)
        components = {
            graph.iri: graph
            for graph in graphs
            if _RUN_IN_IRI not in graph.iri and graph.iri not in self.refused
        }
        # Somebody may have removed unused components before the runs were there to use them.
        gone = components.keys() - self.engine.existing(components)
        if gone:
            self.engine.add([graph for iri, graph in components.items() if iri in gone])

    def is_refused(self, one: LiftedSource, there: set[str]) -> bool:
        """Whether the store does not take a run or one of its components; then neither stays."""
        if not self.refused or not one.holds_run:
            return False
        run = one.graphs[-1]
        why = next((why for iri, why in self.refused.items() if f"<{iri}>" in run.triples), None)
        if why is None:
            return False
        self.report.problems.append(
            HeaderError(f"{self.engine.name} refused it: {why}", file=one.source.path)
        )
        self.report.runs -= 1
        if run.iri not in there:
            self.engine.remove([run.iri])
        return True

    def replace(self, sources: Sequence[LiftedSource]) -> list[str]:
        """Replace runs that are there and say something else now; those that were replaced."""
        graphs = [one.graphs[-1] for one in sources]
        self.report.runs -= len(graphs)
        replaced = []
        for one, graph, lines in zip(sources, graphs, _current(self.engine, graphs), strict=True):
            names = {line for line in lines if is_succession(line)}
            if graph.iri in self.held:
                names = set()  # a nanopublication says them, and no file
            if lines - names == {f"{line}\n" for line in graph.triples.split("\n") if line}:
                self.report.unchanged += 1
                continue
            self.engine.replace(
                NamedGraph(iri=graph.iri, triples=graph.triples + "".join(sorted(names)))
            )
            self.report.replaced += 1
            self.corrections.replaced(one)
            replaced.append(graph.iri)
        return replaced

    def _entry(self, one: LiftedSource) -> LedgerEntry | None:
        """What is to be remembered of a source; None if it is gone since it was read."""
        stamp = self.stamps.get(one.source, "")
        try:
            return self.ledger.entry(one.source, self.how, stamp, one.run or "", one.said)
        except OSError:
            return None


@dataclass(slots=True)
class _Batch:
    graphs: list[NamedGraph] = field(default_factory=list)
    sources: list[LiftedSource] = field(default_factory=list)
    size: int = 0


def _how(options: Options) -> str:
    """What the graphs of a file depend on besides the file."""
    from primad_ld.compare.identity import version_of
    from primad_ld.core.files import resource
    from primad_ld.core.version import __version__
    from primad_ld.schema.fields import default_schema

    folding = version_of(default_schema())
    digest = hashlib.sha256(f"{LAYOUT} {__version__} {folding} {options.base}".encode())
    digest.update(str(options.headers_only).encode())
    for name in ("shapes/header.ttl", "ontology/schemes.ttl"):
        digest.update(resource(name).read_bytes())
    return digest.hexdigest()[:16]


def _current(engine: Engine, graphs: Sequence[NamedGraph]) -> Iterator[set[str]]:
    """What is there under the names of some graphs, as lines of N-Triples."""
    for graph in graphs:
        answer = engine.query(
            f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ GRAPH <{graph.iri}> {{ ?s ?p ?o }} }}"
        )
        yield set(answer.lines)  # type: ignore[union-attr]
