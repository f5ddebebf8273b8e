"""The run that somebody names, and the archive or the files that it is looked up in."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad_ld.archive.engine import Engine
from primad_ld.archive.engine_index import EngineIndex
from primad_ld.archive.opening import open_checked
from primad_ld.archive.runs import RunRecord, record_of_lifted, select_records, values
from primad_ld.archive.tag_resolution import NoSuchRunError, resolve_run
from primad_ld.core.errors import ArchiveError, HeaderError, PrimadError, printable
from primad_ld.core.library_arguments import (
    AnyPath,
    AnyPaths,
    Texts,
    to_optional_path,
    to_paths,
    to_texts,
)
from primad_ld.core.triples import NamedGraph

if TYPE_CHECKING:
    from primad_ld.rdf.lowering import LoweredRun


@dataclass(frozen=True, kw_only=True, slots=True)
class LookedUp:
    """A run and where to look for others."""

    engine: Engine
    run: RunRecord | None
    #: The graphs of the run, if it is a file.
    graphs: tuple[NamedGraph, ...] = ()
    #: What could not be read of the files to look in.
    problems: tuple[HeaderError, ...] = ()
    #: What was not read of their folders, a line for each reason.
    notes: tuple[str, ...] = ()
    #: The IRIs of the only runs to look at, if some were named.
    only: tuple[str, ...] = ()

    def records(self, pattern: str) -> list[RunRecord]:
        """The runs that a pattern about ``?run`` fits, of those that may be looked at."""
        before = f"VALUES ?run {{ {values(self.only)} }}" if self.only else ""
        return select_records(self.engine, pattern, before)

    def index(self) -> EngineIndex:
        """What is said of all runs, that of the file included."""
        return EngineIndex(self.engine, self.graphs)


@contextlib.contextmanager
def look_up(
    run: AnyPath | None,
    paths: AnyPaths = (),
    archive: AnyPath | None = None,
    *,
    only: Texts = (),
) -> Iterator[LookedUp]:
    """A run by file, tag or IRI; and an archive, or files that are put into one in memory.

    ``only`` are the tags or IRIs of the archived runs to look at; all if left out.
    """
    path, paths = to_optional_path(run, "run"), to_paths(paths)
    lifted = _lifted(path) if path is not None and is_file(path) else None
    with contextlib.ExitStack() as stack:
        problems: tuple[HeaderError, ...] = ()
        notes: tuple[str, ...] = ()
        if paths:
            # Who asks an archive needs nothing that writes.
            from primad_ld.archive.loading import load_loose
            from primad_ld.header.skipped_files import summary

            loose = load_loose(paths)
            engine, problems = loose.engine, tuple(loose.report.problems)
            notes = tuple(summary(loose.report.skipped))
            stack.callback(engine.close)
        else:
            engine = stack.enter_context(open_checked(archive))
        try:
            found = _looked_up(engine, run, lifted, only)
        except ArchiveError as error:
            # It may be in the file that could not be read.
            raise ArchiveError("; ".join(map(str, (error, *problems[:1])))) from error
        try:
            yield replace(found, problems=problems, notes=notes)
        except PrimadError as error:
            # What could not be read may be why.
            for problem in problems:
                error.add_note(f"error: {printable(str(problem))}")
            raise


def look_up_in(engine: Engine, run: AnyPath | RunRecord | None, only: Texts = ()) -> LookedUp:
    """A run of an archive that is open, or a file beside it."""
    if isinstance(run, RunRecord):
        return replace(_looked_up(engine, None, None, only), run=run)
    path = to_optional_path(run, "run")
    return _looked_up(engine, run, _lifted(path) if path and is_file(path) else None, only)


def _looked_up(
    engine: Engine, run: AnyPath | None, lifted: _Lifted | None, only: Texts
) -> LookedUp:
    record, graphs = lifted if lifted is not None else (None, ())
    if record is None and run is not None:
        # As it was given: a path would take an IRI's two slashes for one.
        record = resolve_named(engine, os.fspath(run))
    chosen = tuple([resolve_named(engine, name).iri for name in to_texts(only, "only")])
    return LookedUp(engine=engine, run=record, graphs=graphs, only=chosen)


def resolve_named(engine: Engine, name: str) -> RunRecord:
    """A run by tag or IRI; the error says whether it is a file."""
    try:
        return resolve_run(engine, name)
    except NoSuchRunError as error:
        hint = f"; {error.hint}" if error.hint else ""
        what = "not" if os.path.exists(name) else "neither a file nor"
        raise ArchiveError(f"{name!r} is {what} a run of {engine.name}{hint}") from None


def archived_header(name: str, archive: AnyPath | None = None) -> LoweredRun:
    """The header of an archived run, by its tag or IRI."""
    from primad_ld.archive.engine_index import SomeRuns
    from primad_ld.rdf.lowering import lower_runs

    with open_checked(archive) as engine:
        (run,) = lower_runs(SomeRuns(engine, [resolve_run(engine, name).iri]))
    return run


def record_of_file(path: Path) -> RunRecord:
    """The record of a run file or a header."""
    return _lifted(path)[0]


def is_file(run: str | Path) -> bool:
    """Whether a name is that of a file; a tag may be anything, also what no file can be called."""
    path = Path(run)
    try:
        return path.is_file() or (path.exists() and not path.is_dir())
    except (OSError, ValueError):
        return False


_Lifted = tuple[RunRecord, tuple[NamedGraph, ...]]


def _lifted(path: Path) -> _Lifted:
    from primad_ld.header.sources import Source, find_sources, read_source
    from primad_ld.rdf.lifting import Lifter

    sources = find_sources([path])
    source = sources[0] if sources else Source(str(path))
    try:
        run = read_source(source)
    except HeaderError as error:
        raise error.in_file(path) from error.__cause__
    lifted = Lifter().lift(
        run.header, ranking=run.ranking, file_name=run.file_name, tag_in_file=run.tag_in_file
    )
    return record_of_lifted(lifted), lifted.graphs
