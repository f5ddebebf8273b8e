"""Folders of runs to RDF and back, streaming, on as many cores as there are."""

from __future__ import annotations

import os
import re
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from primad_ld.errors import ConvertError, HeaderError, PrimadError
from primad_ld.files import plain_suffix, writing, writing_folder
from primad_ld.formats import FORMATS, format_of, read_graphs, read_index, write_graphs
from primad_ld.graphs import NamedGraph
from primad_ld.header import MOST_BYTES, dump_header
from primad_ld.lifting import Lifter
from primad_ld.lowering import LoweredRun, lower_runs
from primad_ld.namespaces import BASE
from primad_ld.sources import NotARunError, Source, find_sources, read_source, unused_headers

_BATCH: Final = 50
# Starting processes costs about as much as reading this many headers, or bytes of rankings.
_WORTH_PROCESSES: Final = 600
_WORTH_BYTES: Final = 100 * 2**20

#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]


@dataclass(kw_only=True, slots=True)
class Report:
    """What a conversion did, and what it could not do."""

    runs: int = 0
    components: int = 0
    #: Graphs that were copied from RDF to RDF.
    graphs: int = 0
    #: Files that could not be read; the rest was converted.
    problems: list[HeaderError] = field(default_factory=list)
    #: Things worth knowing that are no problem.
    notes: list[str] = field(default_factory=list)
    #: Files that are neither runs nor headers.
    left_alone: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Options:
    base: str
    headers_only: bool
    most_bytes: int


@dataclass(frozen=True, slots=True)
class _Lifted:
    """What a worker made of one source. A component that it sent before has no triples."""

    path: str
    run: NamedGraph | None = None
    components: tuple[tuple[str, str | None], ...] = ()
    notes: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    problem: HeaderError | None = None
    left_alone: bool = False


def convert(
    paths: Sequence[Path | str],
    output: Path | None,
    *,
    to: str | None = None,
    base: str = BASE,
    headers_only: bool = False,
    jobs: int | None = 1,
    force: bool = False,
    most_bytes: int = MOST_BYTES,
    progress: Progress | None = None,
) -> Report:
    """Convert runs and headers to RDF; RDF to YAML headers, or to another RDF format.

    ``jobs`` is the number of processes; None takes all cores where that pays. Processes are
    started afresh, so a script that asks for several needs ``if __name__ == "__main__":``.
    The format is that of the output's suffix, or ``to``. Files that cannot be read are in
    the report; the rest is converted. The output appears whole or not at all.
    """
    rdf = [path for path in map(Path, paths) if path.is_file() and format_of(path)]
    if rdf and len(rdf) < len(paths):
        raise ConvertError("give either RDF files or runs and headers, not both")
    target = to or (format_of(output) if output is not None else None)
    if not rdf:
        if to == "yaml":
            raise ConvertError("runs and headers are converted to RDF; to copy headers, use show")
        if target is None and output is not None:
            raise ConvertError(
                f"{output}: no format has this suffix; end it with "
                f"{', '.join(one.suffixes[0] for one in FORMATS.values())}, or name one with --to"
            )
        options = _Options(base, headers_only, most_bytes)
        return _runs_to_rdf(
            paths, output, target or "trig", options, jobs=jobs, force=force, progress=progress
        )
    if target is not None and target != "yaml":
        return _rdf_to_rdf(rdf, output, target, base=base, force=force)
    return _rdf_to_yaml(rdf, output, force=force, progress=progress)


# Runs to RDF ------------------------------------------------------------------------------


def lift_paths(
    paths: Sequence[Path | str],
    report: Report,
    *,
    base: str = BASE,
    headers_only: bool = False,
    jobs: int | None = 1,
    most_bytes: int = MOST_BYTES,
    progress: Progress | None = None,
) -> Iterator[NamedGraph]:
    """The named graphs of all runs, each component once, before the first run that has it.

    The order is that of the files, on one process or several.
    """
    options = _Options(base, headers_only, most_bytes)
    sources = find_sources(paths)
    merger = _Merger(report)
    for done, lifted in enumerate(_lift_all(sources, options, jobs), 1):
        yield from merger.graphs(lifted)
        if progress is not None:
            progress(done, len(sources))
    for lifted in _lift_all(unused_headers(sources, merger.used), options, 1):
        yield from merger.graphs(lifted)


class _Merger:
    """Puts together what the workers made, in the order of the files."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.components: set[str] = set()
        self.runs: dict[str, tuple[str, int]] = {}
        self.used: set[str] = set()

    def graphs(self, lifted: _Lifted) -> Iterator[NamedGraph]:
        report = self.report
        report.notes.extend(lifted.notes)
        self.used.update(lifted.used)
        if lifted.problem is not None:
            report.problems.append(lifted.problem)
        if lifted.left_alone:
            report.left_alone.append(lifted.path)
        if lifted.run is None:
            return
        for iri, triples in lifted.components:
            if iri not in self.components and triples is not None:
                self.components.add(iri)
                report.components += 1
                yield NamedGraph(iri=iri, triples=triples)
        if self.is_new(lifted.run, lifted.path):
            report.runs += 1
            yield lifted.run

    def is_new(self, run: NamedGraph, path: str) -> bool:
        """Whether no other file holds this run; the first one counts."""
        said = hash(_FILE_NAME.sub("", run.triples))
        if run.iri not in self.runs:
            self.runs[run.iri] = (path, said)
            return True
        first, first_said = self.runs[run.iri]
        if said == first_said:
            self.report.notes.append(f"{path}: the same run as {first}")
        else:
            self.report.problems.append(
                HeaderError(
                    f"the same ranking, tag and actor as {first}, under another header",
                    file=path,
                    hint="keep one of the two files",
                )
            )
        return False


# Copies of a run under other names differ in this statement.
_FILE_NAME = re.compile(r"^\S+ <[^>]*#fileName> .*\n", re.MULTILINE)


def _lift_all(sources: list[Source], options: _Options, jobs: int | None) -> Iterator[_Lifted]:
    if jobs is None:
        jobs = (os.cpu_count() or 1) if _pays(sources, options) else 1
    processes = min(jobs, len(sources))
    size = max(1, min(_BATCH, len(sources) // (processes * 4 or 1)))
    batches = [sources[start : start + size] for start in range(0, len(sources), size)]
    if processes <= 1:
        worker = _Worker(options)
        for batch in batches:
            yield from worker.lift(batch)
        return
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_start_worker, initargs=(options,)
    ) as pool:
        waiting: deque[Future[list[_Lifted]]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_lift_batch, batch))
                if len(waiting) > processes * 4:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool as error:
            raise PrimadError("a worker process was killed; is there enough memory?") from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _pays(sources: list[Source], options: _Options) -> bool:
    """Whether there is enough to do for several processes."""
    if len(sources) >= _WORTH_PROCESSES or options.headers_only:
        return len(sources) >= _WORTH_PROCESSES
    sizes = (Path(source.path).stat().st_size for source in sources if Path(source.path).exists())
    return sum(sizes) >= _WORTH_BYTES


class _Worker:
    """Lifts sources in one process, and remembers which components it has sent."""

    def __init__(self, options: _Options) -> None:
        self.options = options
        self.lifter = Lifter(base=options.base)
        self.sent: set[str] = set()

    def lift(self, sources: Iterable[Source]) -> Iterator[_Lifted]:
        for source in sources:
            try:
                yield self.lift_one(source)
            except NotARunError:
                yield _Lifted(source.path, left_alone=True)
            except HeaderError as error:
                yield _Lifted(source.path, problem=error.in_file(source.path))

    def lift_one(self, source: Source) -> _Lifted:
        run = read_source(
            source,
            most_bytes=self.options.most_bytes,
            with_ranking=not self.options.headers_only,
        )
        lifted = self.lifter.lift(
            run.header,
            ranking=run.ranking,
            file_name=run.file_name,
            tag_in_file=run.tag_in_file,
        )
        components = []
        for component in lifted.components:
            is_known = component.iri in self.sent
            components.append((component.iri, None if is_known else component.triples))
            self.sent.add(component.iri)
        notes = tuple(str(conflict) for conflict in run.conflicts)
        return _Lifted(source.path, lifted.run, tuple(components), notes, run.used)


_worker: _Worker | None = None


def _start_worker(options: _Options) -> None:
    global _worker  # one worker in each process, made once
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells when to stop
    _worker = _Worker(options)


def _lift_batch(batch: list[Source]) -> list[_Lifted]:
    assert _worker is not None
    return list(_worker.lift(batch))


def _runs_to_rdf(
    paths: Sequence[Path | str],
    output: Path | None,
    format: str,
    options: _Options,
    *,
    jobs: int | None,
    force: bool,
    progress: Progress | None,
) -> Report:
    report = Report()
    graphs = lift_paths(
        paths,
        report,
        base=options.base,
        headers_only=options.headers_only,
        most_bytes=options.most_bytes,
        jobs=jobs,
        progress=progress,
    )
    try:
        with writing(output, force=force) as stream:
            for text in write_graphs(graphs, format, base=options.base):
                stream.write(text.encode())
            if report.runs == 0:
                raise _NothingError
    except _NothingError:
        if not report.problems:
            named = ", ".join(str(path) for path in paths)
            raise ConvertError(f"{named}: there are no runs or headers here") from None
    return report


class _NothingError(Exception):
    """Nothing was converted; the output is not written."""


# RDF to something else ------------------------------------------------------------------


def _rdf_to_rdf(
    files: list[Path], output: Path | None, format: str, *, base: str, force: bool
) -> Report:
    report = Report()
    with writing(output, force=force) as stream:
        graphs = [graph for file in files for graph in read_graphs(file)]
        report.graphs = len(graphs)
        for text in write_graphs(graphs, format, base=base):
            stream.write(text.encode())
    return report


def _rdf_to_yaml(
    files: list[Path], output: Path | None, *, force: bool, progress: Progress | None
) -> Report:
    report = Report()
    if output is None:
        runs = [run for file in files for run in _runs_of(file)]
        if len(runs) != 1:
            raise ConvertError(f"there are {len(runs)} runs; name a folder for them with -o")
        with writing(None) as stream:
            stream.write(dump_header(runs[0].header).encode())
        report.runs = 1
        return report
    with writing_folder(output, force=force) as folder:
        names: set[str] = set()
        for file in files:
            for run in _runs_of(file):
                path = folder / _free_name(run, names)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(dump_header(run.header), encoding="utf-8")
                report.runs += 1
                if progress is not None:
                    progress(report.runs, 0)
        if report.runs == 0:
            raise ConvertError(f"{', '.join(map(str, files))}: there are no runs in this graph")
    return report


def _runs_of(file: Path) -> Iterator[LoweredRun]:
    with read_index(file) as index:
        yield from lower_runs(index)


_UNSAFE = re.compile(r'[\x00-\x1f<>:"|?*\\]')


def _free_name(run: LoweredRun, taken: set[str]) -> Path:
    """A name for a run's YAML that makes it the sidecar of the run file it came from.

    Names in a graph are somebody's input: none leads out of the folder.
    """
    parts = [
        _UNSAFE.sub("_", part)[:150]
        for part in Path(run.file_name or run.header.tag or run.iri.rpartition("/")[2]).parts
        if part not in ("..", ".", "/", "\\")
    ]
    name = plain_suffix(Path(parts[-1]))[0] if parts else "run"
    stem = Path(name).stem.lstrip(".") or "run"
    folder = Path(*parts[:-1])
    number, found = 1, folder / f"{stem}.yaml"
    while str(found).casefold() in taken:
        number += 1
        found = folder / f"{stem}-{number}.yaml"
    taken.add(str(found).casefold())
    return found
