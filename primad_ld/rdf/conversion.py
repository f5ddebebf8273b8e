"""Folders of runs to RDF and back, streaming, on as many cores as there are."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from primad_ld.core.errors import ConvertError
from primad_ld.core.files import RDF_SUFFIXES, check_exist, plain_suffix, writing, writing_folder
from primad_ld.core.format_names import to_format
from primad_ld.core.iris import BASE
from primad_ld.core.library_arguments import (
    checked,
    to_optional_path,
    to_paths,
)
from primad_ld.header.model import MOST_BYTES, dump_header
from primad_ld.header.skipped_files import summary
from primad_ld.header.sources import is_folder_header, is_part
from primad_ld.rdf.bulk import Options, Progress, Report, lift_paths
from primad_ld.rdf.formats import FORMATS, format_of, read_graphs, read_index, write_graphs
from primad_ld.rdf.lowering import LoweredRun, lower_runs


@checked
def convert(
    paths: str | Path | Iterable[str | Path],
    output: str | Path | None,
    *,
    to: str | None = None,
    base: str = BASE,
    headers_only: bool = False,
    jobs: int | None = 1,
    force: bool = False,
    max_header: int = MOST_BYTES,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Convert runs and headers to RDF; RDF to YAML headers, or to another RDF format.

    ``max_header`` is the length of the longest header to read, in bytes. ``jobs`` is the number of
    processes; None takes all cores where that pays. Processes are
    started afresh, so a script that asks for several needs ``if __name__ == "__main__":``.
    The format is that of the output's suffix, or ``to``. Files that cannot be read are in
    the report; the rest is converted. The output appears whole or not at all.

    >>> import primad_ld as pl
    >>> pl.convert("runs", "archive.nq").runs
    9
    >>> pl.convert("archive.nq", "headers").runs
    9
    """
    paths, output = to_paths(paths), to_optional_path(output, "output")
    if not any(map(os.path.lexists, paths)):
        check_exist(paths)
    if output is not None and str(output) == "-":
        output = None
    rdf = [path for path in paths if not os.path.isdir(path) and format_of(path)]
    if rdf and len(rdf) < len(paths):
        raise ConvertError("give either RDF files or runs and headers, not both")
    suffix = (format_of(output) or _yaml_of(output)) if output is not None else None
    target = to_format(to, (*FORMATS, "yaml")) if to is not None else suffix
    if suffix is not None and target != suffix:
        raise ConvertError(
            f"{output}: the suffix means {suffix}, but --to is {target}; rename the output or "
            "remove --to"
        )
    if not rdf:
        if target == "yaml":
            raise ConvertError("runs and headers are converted to RDF; use show to copy headers")
        if target is None and output is not None:
            raise ConvertError(
                f"{output}: unknown suffix; use "
                f"{', '.join(RDF_SUFFIXES[name][0] for name in FORMATS)}, or choose a format "
                "with --to"
            )
        options = Options(
            base=base,
            headers_only=headers_only,
            most_bytes=max_header,
            jobs=jobs,
        )
        return _runs_to_rdf(
            paths, output, target or "trig", options, force=force, progress=progress
        )
    if target is not None and target != "yaml":
        return _rdf_to_rdf(rdf, output, target, base=base, force=force)
    return _rdf_to_yaml(rdf, output, is_asked=to is not None, force=force, progress=progress)


def _yaml_of(output: Path) -> str | None:
    return "yaml" if output.suffix.lower() in (".yaml", ".yml") else None


def _runs_to_rdf(
    paths: Sequence[Path],
    output: Path | None,
    format: str,
    options: Options,
    *,
    force: bool,
    progress: Progress | None,
) -> Report:
    report = Report(output=str(output or ""))
    graphs = lift_paths(paths, report, options, progress)
    try:
        with writing(output, force=force) as stream:
            for text in write_graphs(graphs, format, base=options.base):
                stream.write(text.encode())
            if report.runs == 0:
                raise _NothingError
    except _NothingError:
        if not report.problems:
            named = ", ".join(str(path) for path in paths)
            why = f"{named}: there are no runs or headers here"
            raise ConvertError("; ".join([why, *summary(report.skipped)])) from None
    return report


class _NothingError(Exception):
    """Nothing was converted; the output is not written."""


# RDF to something else --------------------------------------------------------------------


def _rdf_to_rdf(
    files: list[Path], output: Path | None, format: str, *, base: str, force: bool
) -> Report:
    report = Report(output=str(output or ""))
    with writing(output, force=force) as stream:
        graphs = list(read_graphs(*files))
        report.graphs = len(graphs)
        for text in write_graphs(graphs, format, base=base):
            stream.write(text.encode())
    return report


def _rdf_to_yaml(
    files: list[Path],
    output: Path | None,
    *,
    is_asked: bool,
    force: bool,
    progress: Progress | None,
) -> Report:
    report = Report(output=str(output or ""))
    if output is None:
        run = _only_run(files, is_asked=is_asked)
        with writing(None) as stream:
            stream.write(dump_header(run.header).encode())
        report.runs = 1
        return report
    if _yaml_of(output):
        run = _only_run(files, is_asked=is_asked)
        with writing(output, force=force) as stream:
            stream.write(dump_header(run.header).encode())
        report.runs = 1
        return report
    with writing_folder(output, force=force) as folder:
        names = _Names()
        for file in files:
            before = report.runs
            for run in _runs_of(file):
                path = folder / names.free(run)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(dump_header(run.header), encoding="utf-8")
                report.runs += 1
                if progress is not None:
                    progress(report.runs, 0)
            if report.runs == before:
                report.notes.append(f"{file}: there are no runs in this graph")
        if report.runs == 0:
            raise _no_runs(files, is_asked=is_asked)
    return report


def _only_run(files: list[Path], *, is_asked: bool) -> LoweredRun:
    runs = [run for file in files for run in _runs_of(file)]
    if not runs:
        raise _no_runs(files, is_asked=is_asked)
    if len(runs) > 1:
        raise ConvertError(f"there are {len(runs)} runs; name an output folder for them (-o)")
    return runs[0]


def _no_runs(files: list[Path], *, is_asked: bool) -> ConvertError:
    advice = "" if is_asked else "; choose another output format with --to"
    return ConvertError(f"{', '.join(map(str, files))}: there are no runs in this graph{advice}")


def _runs_of(file: Path) -> Iterator[LoweredRun]:
    with read_index(file) as index:
        yield from lower_runs(index)


_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
_LONGEST_NAME: Final = 120
_DEEPEST: Final = 8


class _Names:
    """Names for the YAML of runs, which make it the sidecar of the run file it came from.

    Names in a graph are somebody's input: none leads out of the folder or into another file.
    """

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.folders: set[str] = set()
        self.numbers: dict[str, int] = {}

    def free(self, run: LoweredRun) -> Path:
        """A name that no other run has."""
        *folders, name = self._parts(run) or ["run"]
        stem = Path(plain_suffix(Path(name))[0]).stem.lstrip(".") or "run"
        if is_folder_header(f"{stem}.yaml") or is_part(f"{stem}.yaml"):
            # It would hold for the others, too.
            stem = f"{stem}-alone"
        parent = Path()
        for folder in folders:
            parent = self._free(parent / folder, self.files)
            self.folders.add(_folded(parent))
        path = self._free(parent / f"{stem}.yaml", self.files, self.folders)
        self.files.add(_folded(path))
        return path

    def _free(self, path: Path, *taken: set[str]) -> Path:
        key, found = _folded(path), path
        while any(_folded(found) in names for names in taken):
            # Counting on from the last number: archives call every run run.txt.
            self.numbers[key] = number = self.numbers.get(key, 1) + 1
            found = path.with_name(f"{path.stem}-{number}{path.suffix}")
        return found

    def _parts(self, run: LoweredRun) -> list[str]:
        name = run.file_name or run.header.tag or run.iri.rpartition("/")[2]
        parts = [_UNSAFE.sub("_", part) for part in Path(name.replace("\0", "_")).parts]
        kept = [part for part in parts if part.strip(". /_") or part.strip("./ ")]
        return [_shortened(part) for part in kept if part not in ("/", ".", "..")][-_DEEPEST:]


def _shortened(part: str) -> str:
    return part.encode("utf-8", "replace")[:_LONGEST_NAME].decode(errors="ignore").rstrip(". ")


def _folded(path: Path) -> str:
    return str(path).casefold()
