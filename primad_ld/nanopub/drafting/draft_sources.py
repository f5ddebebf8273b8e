"""Where drafts come from: files of runs, an archive, or tables of measurements."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import BASE
from primad_ld.core.library_arguments import read_fields, to_texts
from primad_ld.header.model import MOST_BYTES
from primad_ld.nanopub.drafting.archive_holdings import (
    ArchiveDrafts,
    Progress,
)
from primad_ld.nanopub.drafting.run_drafts import Drafted, made, result_draft
from primad_ld.rdf.subject_index import MemoryIndex

if TYPE_CHECKING:
    from primad_ld.archive.engine import Engine
    from primad_ld.archive.loading import LoadReport

# More runs than this are kept on the disk while drafts are made of them.
_IN_MEMORY: Final = 1000
_RUN: Final = "/run/"


@dataclass(frozen=True, kw_only=True)
class MakeOptions:
    """How runs are read, and what is said of them."""

    base: str = BASE
    headers_only: bool = False
    most_bytes: int = MOST_BYTES
    #: A profile whose verdict on each run is wanted; empty for none.
    profile: str = ""
    #: Kinds of things that are not left out: see `primad_ld.header.redaction.KINDS`.
    keep: Collection[str] = ()
    #: Processes; None takes all cores where that pays.
    jobs: int | None = 1

    def __post_init__(self) -> None:
        read_fields(self, keep=to_texts)


def drafts(
    paths: Sequence[Path],
    archive: str | None,
    assessments: Sequence[str],
    tables: Sequence[Path],
    options: MakeOptions,
    progress: Progress | None = None,
) -> Iterator[Drafted]:
    """Drafts of one of these: files of runs, tables of measurements, some assessments, an archive.

    Raises:
        PrimadError: Several of them are named, or none, or there is no such profile.
    """
    if sum(map(bool, (paths, tables, archive or assessments))) != 1:
        raise PrimadError(
            "name one source: files of runs, measurements (--qra FILE), assessments "
            "(--assessment ID) or an archive (--archive)"
        )
    if tables and options.profile:
        raise PrimadError("profiles judge runs, not measurements; leave the profile out")
    if options.profile:
        from primad_ld.validation.profiles import load_profile

        load_profile(options.profile)
    if paths:
        return _of_files(paths, options, progress)
    if tables:
        return _of_tables(tables, options)
    return _of_archive(archive, assessments, options, progress)


# Files of runs ----------------------------------------------------------------------------


def _of_files(
    paths: Sequence[Path], options: MakeOptions, progress: Progress | None
) -> Iterator[Drafted]:
    """Runs are loaded first, so that files and archives are read in one way."""
    with _loaded(paths, options, progress) as (engine, report):
        yield from (Drafted(about="", problem=str(one)) for one in report.problems)
        yield from (Drafted(about="", note=one) for one in report.notes)
        drafts = ArchiveDrafts(engine, keep=options.keep, progress=progress, jobs=options.jobs)
        yield from _with_verdicts(drafts.of_runs(), options, drafts)


@contextlib.contextmanager
def _loaded(
    paths: Sequence[Path], options: MakeOptions, progress: Progress | None
) -> Iterator[tuple[Engine, LoadReport]]:
    from primad_ld.archive.embedded_engine import EmbeddedEngine
    from primad_ld.archive.loading import load_loose, load_runs
    from primad_ld.header.skipped_files import summary
    from primad_ld.header.sources import find_sources
    from primad_ld.rdf.bulk import Options

    reading = Options(
        base=options.base,
        headers_only=options.headers_only,
        most_bytes=options.most_bytes,
        jobs=options.jobs,
    )
    with contextlib.ExitStack() as stack:
        if len(find_sources(paths)) <= _IN_MEMORY:
            loose = load_loose(paths, reading)
            engine, report = loose.engine, loose.report
        else:
            temporary = stack.enter_context(tempfile.TemporaryDirectory(prefix="primad-ld-"))
            folder = Path(temporary) / "runs"
            report = load_runs(paths, folder, options=reading, progress=progress)
            engine = EmbeddedEngine.open(folder)
        stack.callback(engine.close)
        report.notes.extend(summary(report.skipped))
        yield engine, report


def _with_verdicts(
    drafted: Iterable[Drafted], options: MakeOptions, archive: ArchiveDrafts
) -> Iterator[Drafted]:
    """Drafts, and then the verdicts on the runs among them and on those that are published."""
    runs: set[str] = set()
    for one in drafted:
        if one.draft is not None and one.draft.kind == "run":
            runs.add(one.about)
        yield one
    if not options.profile:
        return
    runs.update(one for one in archive.published if _RUN in one)
    if runs:
        from primad_ld.nanopub.drafting.verdicts import verdicts_of_archive

        yield from verdicts_of_archive(
            archive.engine, options.profile, only=runs, published=archive.published
        )


# Archives ---------------------------------------------------------------------------------


def _of_archive(
    archive: str | None,
    assessments: Sequence[str],
    options: MakeOptions,
    progress: Progress | None,
) -> Iterator[Drafted]:
    from primad_ld.archive.opening import open_checked
    from primad_ld.archive.runs import all_runs

    with open_checked(archive) as engine:
        drafts = ArchiveDrafts(engine, keep=options.keep, progress=progress, jobs=options.jobs)
        if assessments:
            made = drafts.of_assessments(assessments)
        else:
            if options.profile:
                drafts.rely_on_published(all_runs(engine))
            made = drafts.of_everything(is_all=not options.profile)
        yield from _with_verdicts(made, options, drafts)


# Tables of measurements -------------------------------------------------------------------


def _of_tables(tables: Sequence[Path], options: MakeOptions) -> Iterator[Drafted]:
    from primad_ld.qra.precision_assessments import joined
    from primad_ld.qra.precision_graphs import precision_graphs
    from primad_ld.qra.precision_reports import assess_measurements
    from primad_ld.qra.reading import read_measurements

    found = assess_measurements(joined([read_measurements(path) for path in tables]))
    yield from (Drafted(about="", note=one) for one in (*found.notes, *found.remarks))
    for graph in precision_graphs(found.measured, found.assessments, base=options.base):
        yield made(
            graph.iri,
            partial(result_draft, graph, MemoryIndex(), (), keep=options.keep),
        )
