"""Many runs at once: read, lifted and put together, on as many cores as there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from primad_ld.compare.identity import Identity
from primad_ld.core.errors import HeaderError
from primad_ld.core.files import shown, unreadable
from primad_ld.core.iris import BASE, sha256
from primad_ld.core.library_arguments import AnyPaths, read_fields, to_paths
from primad_ld.core.processes import cores, in_processes
from primad_ld.core.triples import NamedGraph
from primad_ld.header.model import MOST_BYTES
from primad_ld.header.skipped_files import (
    NEITHER,
    Skipped,
    empty_folders,
    summary,
)
from primad_ld.header.sources import (
    NotARunError,
    Source,
    find_sources,
    meant_to_be_runs,
    open_source,
    parse_source,
    unused_headers,
)
from primad_ld.rdf.lifting import Lifter, identity_graphs
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.tables.answers import Answer, Column, Table
from primad_ld.tables.file_notes import FileNote

# Starting processes costs about as much as reading this many headers, or bytes of rankings.
_WORTH_PROCESSES: Final = 600
_WORTH_BYTES: Final = 100 * 2**20

#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]


@dataclass(kw_only=True, slots=True, repr=False)
class Report(Answer):
    """What a conversion did, and what it could not do."""

    runs: int = 0
    components: int = 0
    #: Graphs that were copied from RDF to RDF.
    graphs: int = 0
    #: Files that could not be read; the rest was converted.
    problems: list[HeaderError] = field(default_factory=list)
    #: Things worth knowing that are no problem.
    notes: list[str] = field(default_factory=list)
    #: Files that hold neither a run nor a header.
    left_alone: list[str] = field(default_factory=list)
    #: Everything in folders that was not read, these files included.
    skipped: list[Skipped] = field(default_factory=list)
    #: Where the result is; empty for standard output.
    output: str = ""

    def counts(self) -> dict[str, int]:
        """How many there are of what was made."""
        return {"runs": self.runs, "components": self.components, "graphs": self.graphs}

    def table(self) -> Table:
        """How many there are of what was made, a row for each kind."""
        columns = [Column("what", "what"), Column("count", "count", digits=0)]
        counts = {**self.counts(), "problems": len(self.problems), "not read": len(self.skipped)}
        rows = [{"what": what, "count": count} for what, count in counts.items()]
        return Table(name="counts", columns=columns, rows=rows)

    def shown(self) -> list[Table]:
        """Nothing but the sentence."""
        return []

    def verdict(self) -> str:
        """What was converted, and where to; nothing if errors say why nothing was."""
        if self.problems and not (self.runs or self.graphs):
            return ""
        made = [number_of(self.runs, "run")]
        if self.components:
            made.append(number_of(self.components, "component"))
        if self.graphs:
            made = [number_of(self.graphs, "graph")]
        where = f" → {self.output}" if self.output and (self.runs or self.graphs) else ""
        return f"{', '.join(made)}{where}{self.failed()}"

    @property
    def output_is_taken(self) -> bool:
        """Whether the result went to standard output."""
        return not self.output

    def failed(self) -> str:
        """How a sentence ends if something could not be read."""
        return f"; {number_of(len(self.problems), 'problem')}" if self.problems else ""

    def shown_notes(self, *, each: bool = False) -> Iterator[str]:
        """The notes, then what was not read."""
        yield from Answer.shown_notes(self, each=each)
        yield from summary(self.skipped, verbose=each)

    def record(self) -> dict[str, object]:
        """The counts by their names, and each file that was not read."""
        record = Answer.record(self)
        del record[self.table().name]
        return {
            **self.counts(),
            **record,
            "left_alone": self.left_alone,
            "skipped": [{"file": path, "reason": reason} for path, reason in self.skipped],
        }

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.verdict() or f'nothing{self.failed()}'}>"


def number_of(count: int, what: str) -> str:
    """``1 run``, ``1,200 runs``."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


@dataclass(frozen=True, kw_only=True)
class Options:
    """How runs are read and lifted."""

    base: str = BASE
    #: Do not read rankings.
    headers_only: bool = False
    most_bytes: int = MOST_BYTES
    #: Processes; None takes all cores where that pays.
    jobs: int | None = 1

    def __post_init__(self) -> None:
        read_fields(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class LiftedSource:
    """What became of one source: the graphs that no source before it had."""

    source: Source
    #: Components, and last the run, unless another file holds the same.
    graphs: tuple[NamedGraph, ...] = ()
    #: What components are compared by, for archives: it is no part of what a header says.
    identities: tuple[NamedGraph, ...] = ()
    #: The run that it holds, whether or not it is the first to do so.
    run: str | None = None
    #: A digest of what its header says, whatever the file is called.
    said: str = ""
    #: Whether it is neither a run nor a header.
    left_alone: bool = False

    @property
    def holds_run(self) -> bool:
        """Whether it is the first of this load to hold its run, which then is its last graph."""
        return bool(self.graphs) and self.graphs[-1].iri == self.run


@dataclass(frozen=True, slots=True)
class _Lifted:
    """What a worker made of one source. A component that it sent before has no triples."""

    source: Source
    run: NamedGraph | None = None
    components: tuple[tuple[str, str | None], ...] = ()
    identities: tuple[Identity, ...] = ()
    notes: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    problem: HeaderError | None = None
    left_alone: bool = False


def lift_paths(
    paths: AnyPaths,
    report: Report,
    options: Options | None = None,
    progress: Progress | None = None,
) -> Iterator[NamedGraph]:
    """The named graphs of all runs, each component once, before the first run that has it.

    The order is that of the files, on one process or several.
    """
    # Folders are looked into at once, before anything is written into one of them.
    paths = to_paths(paths)
    sources = find_sources(paths, report.skipped)
    return _lifted_sources(paths, sources, report, options or Options(), progress)


def _lifted_sources(
    paths: Sequence[Path],
    sources: Sequence[Source],
    report: Report,
    options: Options,
    progress: Progress | None,
) -> Iterator[NamedGraph]:
    merger = Merger()
    for lifted in lift_each(sources, report, options, progress, merger):
        yield from lifted.graphs
    for lifted in lift_unused(unused_headers(sources, merger.used), merger, options):
        yield from lifted.graphs
    merger.settle_left_alone(sources)
    if report.runs or report.problems:
        read = files_read(sources, merger.left_alone)
        report.problems.extend(empty_folders(paths, read, report.skipped))


def files_read(sources: Iterable[Source], left_alone: Iterable[Source]) -> set[str]:
    """The files that hold runs and headers, or should hold them."""
    files = {path for source in sources for path in (source.path, *source.sidecars)}
    return files - {source.path for source in left_alone}


def lift_each(
    sources: Sequence[Source],
    report: Report,
    options: Options | None = None,
    progress: Progress | None = None,
    merger: Merger | None = None,
) -> Iterator[LiftedSource]:
    """What becomes of each source, in their order; a header without a run comes last.

    ``merger`` knows of sources that were read at another time.
    """
    options = options or Options()
    merger = merger or Merger()
    merger.report = report
    for done, lifted in enumerate(_lift_all(list(sources), options, options.jobs), 1):
        yield merger.merged(lifted)
        if progress is not None:
            progress(done, len(sources))


def lift_unused(
    sources: Iterable[Source], merger: Merger, options: Options
) -> Iterator[LiftedSource]:
    """What becomes of header files that turned out to complete no run."""
    for lifted in _lift_all(list(sources), options, 1):
        yield merger.merged(lifted)


class Merger:
    """Puts together what the workers made, in the order of the files."""

    def __init__(self) -> None:
        self.report = Report()
        self.components: set[str] = set()
        self.identities: set[Identity] = set()
        self.runs: dict[str, tuple[str, str]] = {}
        self.used: set[str] = set()
        self.problems: set[str] = set()
        #: Sources that hold neither a run nor a header.
        self.left_alone: list[Source] = []

    def know(self, run: str, path: str, said: str) -> None:
        """Another file, which need not be read again, holds this run."""
        self.runs.setdefault(run, (path, said))

    def merged(self, lifted: _Lifted) -> LiftedSource:
        report, source = self.report, lifted.source
        report.notes.extend(lifted.notes)
        self.used.update(lifted.used)
        if lifted.problem is not None:
            self.problem(lifted.problem, source.path)
            self.used.update(source.sidecars)  # they are about this run, and not runs themselves
        if lifted.left_alone:
            self.left_alone.append(source)
        if lifted.run is None:
            return LiftedSource(source=source, left_alone=lifted.left_alone)
        graphs = []
        for iri, triples in lifted.components:
            if iri not in self.components and triples is not None:
                self.components.add(iri)
                report.components += 1
                graphs.append(NamedGraph(iri=iri, triples=triples))
        said = sha256(_said_in_header(lifted.run.triples))
        run: str | None = lifted.run.iri
        if self.is_new(lifted.run, said, source.path):
            report.runs += 1
            graphs.append(lifted.run)
        elif self.runs[lifted.run.iri][1] != said:
            run = None  # that is another file's
        new = [one for one in lifted.identities if one not in self.identities]
        self.identities.update(new)
        return LiftedSource(
            source=source,
            graphs=tuple(graphs),
            identities=identity_graphs(lifted.run.iri, new),
            run=run,
            said=said,
        )

    def settle_left_alone(self, sources: Iterable[Source]) -> None:
        """Report what is neither run nor header: as a problem, where it looks like a run."""
        meant = meant_to_be_runs(self.left_alone, sources)
        for source in self.left_alone:
            if source.path in meant:
                self.problem(meant[source.path], source.path)
            else:
                self.report.left_alone.append(source.path)
                self.report.skipped.append(Skipped(source.path, NEITHER))

    def problem(self, problem: HeaderError, path: str) -> None:
        """A broken header file is one problem, however many runs it stands above."""
        said = str(problem)
        if said not in self.problems:
            self.problems.add(said)
            self.report.problems.append(problem)
        if path != str(problem.file):
            why = f"skipped because of {problem.file}"
            self.report.notes.append(FileNote(f"{path}: {why}", path, why))

    def is_new(self, run: NamedGraph, said: str, path: str) -> bool:
        """Whether no other file holds this run; the first one counts."""
        if run.iri not in self.runs:
            self.runs[run.iri] = (path, said)
            return True
        first, first_said = self.runs[run.iri]
        if said == first_said:
            self.report.notes.append(same_run(path, first))
        else:
            self.report.problems.append(other_header(run, path, first))
        return False


def same_run(path: str, first: str) -> FileNote:
    """A note: another file holds the same run."""
    text = f"{path}: the same run as {first}"
    return FileNote(text, path, "the same run as another file")


def other_header(run: NamedGraph, path: str, first: str) -> HeaderError:
    """Another file, which came first, holds a run of this name that says something else."""
    has_ranking = "ontology#ranking>" in run.triples
    same = (
        "ranking, tag and team (or file name)" if has_ranking else "name and values in other order"
    )
    return HeaderError(
        f"same {same} as {first}, but with a different header; this file is skipped",
        file=path,
        hint="remove one of the two files",
    )


def _said_in_header(triples: str) -> str:
    """What a run says without what its file says: its name, and the tag in its last column."""
    for predicate in ("ontology#runFileName> ", "ontology#tagInFile> "):
        at = triples.find(predicate)
        if at >= 0:
            start, end = triples.rfind("\n", 0, at) + 1, triples.find("\n", at) + 1
            triples = triples[:start] + triples[end:]
    return triples


def _lift_all(sources: list[Source], options: Options, jobs: int | None) -> Iterator[_Lifted]:
    if jobs is None:
        jobs = cores() if _pays(sources, options) else 1
    yield from in_processes(sources, _make_worker, (options,), jobs)


def _make_worker(options: Options) -> Callable[[Iterable[Source]], Iterator[_Lifted]]:
    return _Worker(options).lift


def _pays(sources: list[Source], options: Options) -> bool:
    """Whether there is enough to do for several processes."""
    if len(sources) >= _WORTH_PROCESSES or options.headers_only:
        return len(sources) >= _WORTH_PROCESSES
    sizes = (os.path.getsize(one.path) for one in sources if os.path.isfile(one.path))
    return sum(sizes) >= _WORTH_BYTES


class _Worker:
    """Lifts sources in one process, and remembers which components it has sent."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.lifter = Lifter(base=options.base)
        self.sent: set[str | Identity] = set()

    def lift(self, sources: Iterable[Source]) -> Iterator[_Lifted]:
        for source in sources:
            try:
                yield self.lift_one(source)
            except NotARunError:
                yield _Lifted(source, left_alone=True)
            except HeaderError as error:
                yield _Lifted(source, problem=error.in_file(source.path))
            except OSError as error:
                yield _Lifted(source, problem=unreadable(error, source.path))

    def lift_one(self, source: Source) -> _Lifted:
        options = self.options
        opened = open_source(
            source, most_bytes=options.most_bytes, with_ranking=not options.headers_only
        )
        lifted: LiftedRun | None = None
        notes: tuple[str, ...] = ()
        used: tuple[str, ...] = ()
        if opened.block is not None and not source.sidecars:
            lifted = self.lifter.lift_text(
                opened.block.text,
                ranking=opened.ranking,
                file_name=shown(os.path.basename(source.path)),
                tag_in_file=opened.tag_in_file,
            )
        if lifted is None:
            run = parse_source(source, opened, most_bytes=options.most_bytes)
            lifted = self.lifter.lift(
                run.header,
                ranking=run.ranking,
                file_name=run.file_name,
                tag_in_file=run.tag_in_file,
            )
            notes, used = tuple([one.note for one in run.conflicts]), run.used
        identities = tuple([one for one in lifted.identities.values() if one not in self.sent])
        self.sent.update(identities)
        return _Lifted(source, lifted.run, self.unsent(lifted), identities, notes, used)

    def unsent(self, lifted: LiftedRun) -> tuple[tuple[str, str | None], ...]:
        """The components by IRI; the parent has the triples of those that were sent before."""
        components = []
        for component in lifted.components:
            is_known = component.iri in self.sent
            components.append((component.iri, None if is_known else component.triples))
            self.sent.add(component.iri)
        return tuple(components)
