"""Where headers come from: in run files, beside them, or above them in the folder tree.

runs/bm25.txt             header inside, as comments
runs/prf.txt, prf.yaml    a sidecar beside the run
sub/ir-metadata.yml       one header for every run below its folder (LongEval)
sub/1/index-ir-metadata.yml, sub/1/retrieval-ir-metadata.yml
                          parts of the header of each run in this folder, one for each step

Names alone tell which YAML files belong to which run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import RDF_SUFFIXES, place_of, plain_suffix, real_path, shown
from primad_ld.core.library_arguments import AnyPath, AnyPaths, checked, to_path, to_paths, to_whole
from primad_ld.header.model import MOST_BYTES, Conflict, Header, keep_by_step, merge_headers
from primad_ld.header.ranking_digest import Ranking
from primad_ld.header.runfile import Block, Head, open_run, open_yaml, parse_block, read_yaml_file
from primad_ld.header.skipped_files import (
    ARCHIVE,
    HIDDEN,
    LINK,
    OTHER_KIND,
    RANKING,
    Skipped,
    holds_ranking,
    looks_like_run,
    suffix_of,
)
from primad_ld.schema.fields import Schema, default_schema

_YAML: Final = (".yaml", ".yml")
#: Folder headers are looked for this far above what the user names.
_LEVELS_ABOVE: Final = 3
_DEEPEST_FOLDER: Final = 100
_NO_FILE: Final = "not a file that can be read"

# Files of these kinds lie among runs without being any.
_OTHER_SUFFIXES: Final = frozenset(
    ".md .rst .json .jsonl .csv .tsv .py .ipynb .sh .html .htm .pdf .png .jpg .svg .zip .tar .log "
    ".rdf .trix .xml .toml .cfg .ini .bib .tex .template .lock .r .java .sql .parquet .xlsx .pyc "
    ".bak".split()
).union(*RDF_SUFFIXES.values())


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read a header from, with the header files that complete it, nearest first."""

    path: str
    sidecars: tuple[str, ...] = ()
    is_yaml: bool = False
    #: Named by the user: then it must be a run or a header.
    is_named: bool = True
    #: Why it cannot be read, if that showed while looking for it.
    problem: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadRun:
    """What was read for one run."""

    header: Header
    file_name: str
    tag_in_file: str | None
    ranking: Ranking | None
    conflicts: tuple[Conflict, ...]
    #: The sidecars and folder headers that had a part in it.
    used: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """What the file of a source holds, its header not yet parsed."""

    block: Block | None
    tag_in_file: str | None
    ranking: Ranking | None


class NotARunError(HeaderError):
    """A file in a folder that is neither a run nor a header, and need not be."""


@checked
def read_header(
    path: str | Path,
    *,
    schema: Schema | None = None,
    max_header: int = MOST_BYTES,
    sidecars: bool = True,
) -> Header:
    """The header of a run or of a YAML file, completed by the files beside and above it.

    Reads no further than the first ranking line. ``sidecars=False`` reads the file alone.

    >>> import primad_ld as pl
    >>> pl.read_header("runs/shed-bm25.txt")["actor"]["team"]
    'potting-shed'
    """
    return read_completed(path, schema=schema, most_bytes=max_header, sidecars=sidecars).header


def read_completed(
    path: AnyPath,
    *,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
    sidecars: bool = True,
) -> ReadRun:
    """Like `read_header`, with what it was made of and where the files disagree."""
    path, most_bytes = to_path(path), to_whole(1)(most_bytes, "most_bytes")
    if os.path.isdir(path):
        raise HeaderError("this is a folder", file=path, hint="name a run or a YAML file")
    if sidecars:
        (source,) = find_sources([path])
    else:
        source = Source(str(path), is_yaml=_is_yaml(path))
    return read_source(source, schema=schema, most_bytes=most_bytes, with_ranking=False)


def read_source(
    source: Source,
    *,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
    with_ranking: bool = True,
) -> ReadRun:
    """Read what a source says; `NotARunError` where it is nothing of ours."""
    opened = open_source(source, most_bytes=most_bytes, with_ranking=with_ranking)
    return parse_source(source, opened, schema=schema, most_bytes=most_bytes)


def open_source(
    source: Source, *, most_bytes: int = MOST_BYTES, with_ranking: bool = True
) -> Opened:
    """The file of a source without its sidecars, its header not yet parsed."""
    path = Path(source.path)
    if source.problem:
        raise HeaderError(source.problem, file=path)
    if source.is_yaml:
        return Opened(_open_header(source, most_bytes), None, None)
    head, ranking = open_run(path, most_bytes=most_bytes, with_ranking=with_ranking)
    if head.block is None and not head.is_ranking:
        if not source.is_named:
            raise NotARunError("neither a run nor a header", file=path)
        return Opened(_block_without_ranking(source, head, most_bytes), None, None)
    if head.row and not head.is_ranking:
        raise HeaderError(
            "expected a ranking line after the header (topic Q0 document rank score tag)",
            file=path,
            line=head.row_line,
        )
    return Opened(head.block, head.tag if head.is_ranking else None, ranking)


def parse_source(
    source: Source,
    opened: Opened,
    *,
    schema: Schema | None = None,
    most_bytes: int = MOST_BYTES,
) -> ReadRun:
    """The header of a source, completed by its sidecars."""
    path = Path(source.path)
    headers = [parse_block(opened.block, path, schema)] if opened.block is not None else []
    if headers and source.is_yaml and not _is_header(headers[0], schema):
        raise _no_header(source, "not a header: none of its keys is a header field")
    relative_to = path.parent if headers else None
    steps = {}
    for sidecar in source.sidecars:
        if not os.path.isfile(sidecar):
            raise HeaderError(_NO_FILE, file=sidecar)
        step = _step_of(Path(sidecar).name, path.name)
        if step:
            steps[len(headers)] = step
        elif relative_to is None:
            relative_to = Path(sidecar).parent
        headers.append(read_yaml_file(Path(sidecar), schema=schema, most_bytes=most_bytes))
    if len(headers) > 1 and steps:
        headers = keep_by_step(headers, steps, schema=schema)
    conflicts: list[Conflict] = []
    header = headers[0] if headers else None
    for other in headers[1:]:
        assert header is not None
        header, found = merge_headers(header, other)
        conflicts.extend(found)
    if header is None:
        raise HeaderError(
            "this run has no header, and there is no header file in its folder or above",
            file=path,
            hint="use `primad-ld init` to write a template and `primad-ld annotate` to add it "
            "to the run",
        )
    return ReadRun(
        header=header,
        file_name=shown(Path(os.path.relpath(path, relative_to or path.parent)).as_posix()),
        tag_in_file=opened.tag_in_file,
        ranking=opened.ranking,
        conflicts=tuple(conflicts),
        used=source.sidecars,
    )


def _open_header(source: Source, most_bytes: int) -> Block:
    """A YAML file that is no claim: those may have a tag, as headers have."""
    block = open_yaml(Path(source.path), most_bytes=most_bytes)
    if _is_claim(block.text) and _is_claim(parse_block(block, Path(source.path)).fields):
        raise _no_header(source, "a claim, not a header; use `primad-ld nanopub claim`")
    return block


def _no_header(source: Source, why: str) -> HeaderError:
    """A folder may well hold YAML of other kinds."""
    return (HeaderError if source.is_named else NotARunError)(why, file=source.path, line=1)


def _is_claim(words: Container[str]) -> bool:
    return "verdict" in words and ("criterion" in words or "attempt" in words)


def _is_header(header: Header, schema: Schema | None) -> bool:
    return bool(header.fields.keys() & (schema or default_schema()).root.fields.keys())


def _block_without_ranking(source: Source, head: Head, most_bytes: int) -> Block:
    """A file with neither header nor ranking: nothing, a bare header, or something else."""
    path = Path(source.path)
    if not head.row.strip():
        raise HeaderError("the file is empty", file=path)
    if not _is_text(head.row):
        raise HeaderError("not a text file", file=path, line=head.row_line)
    if re.match(rb"\s*[\w\"'][^\t]*?:(\s|$)", head.row):
        return _open_header(source, most_bytes)
    columns = len(head.row.split())
    raise HeaderError(
        f"not a run: expected six columns (topic Q0 document rank score tag), found {columns}"
        if columns != 6
        else "not a run: the fifth column must be a score",
        file=path,
        line=head.row_line,
        hint="if these are relevance judgements, name them with --qrels" if columns == 4 else "",
    )


def _is_text(line: bytes) -> bool:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return False
    return all(char.isprintable() or char.isspace() for char in text)


# Files and folders ------------------------------------------------------------------------


def find_sources(paths: AnyPaths, skipped: list[Skipped] | None = None) -> list[Source]:
    """The runs and headers that files and folders hold, in the order of their names.

    Header files that complete a run are part of its source; see `unused_headers` for
    those that turn out to complete none. A file that is named twice is one source. What else
    folders hold is added to ``skipped``.
    """
    skipped = skipped if skipped is not None else []
    sources: list[Source] = []
    paths = to_paths(paths)
    for path in paths:
        if os.path.isdir(path):
            above = _headers_above(path)
            sources.extend(_in_folder(path, above, _Walk(path, skipped)))
        elif _is_yaml(path):
            sources.append(Source(str(path), is_yaml=True))
        else:
            sources.append(_named_run(path))
    if len(paths) > 1:
        sources = _each_once(sources)
        skipped[:] = dict.fromkeys(skipped)
    # A run that is named together with its sidecar is one run.
    beside_others = {os.path.realpath(one) for source in sources for one in source.sidecars}
    return [
        source
        for source in sources
        if not (source.is_yaml and source.is_named)
        or os.path.realpath(source.path) not in beside_others
    ]


def _named_run(path: Path) -> Source:
    """A file that is named, with the header files beside and above it."""
    folder = path.parent
    try:
        names = _names(folder) if os.path.isdir(folder) else []
    except HeaderError as error:
        why = f"cannot list its folder: {error.why}"
        return Source(str(path), problem=why)
    runs = (name for name in names if _may_be_run(name) and not os.path.isdir(folder / name))
    above = _headers_above(folder, inclusive=True)
    return Source(str(path), (*_Sidecars(folder, names, runs).of(path.name), *above))


def _each_once(sources: Iterable[Source]) -> list[Source]:
    """Sources without those of the same file; one that is named must be a run or a header."""
    found: dict[str, Source] = {}
    for source in sources:
        first = found.setdefault(place_of(source.path), source)
        if source.is_named and not first.is_named:
            found[place_of(source.path)] = replace(first, is_named=True)
    return list(found.values())


def unused_headers(sources: Iterable[Source], used: set[str]) -> list[Source]:
    """Header files in folders that completed no run: they are headers without runs."""
    named = {path for source in sources if not source.is_named for path in source.sidecars}
    return [
        Source(path, is_yaml=True, is_named=False, problem=_problem(path))
        for path in sorted(named - used)
    ]


def _problem(path: Path | str) -> str:
    """A pipe would keep us waiting for ever."""
    return "" if os.path.isfile(path) else _NO_FILE


def _in_folder(
    folder: Path, above: tuple[str, ...], walk: _Walk, depth: int = 1
) -> Iterator[Source]:
    if depth > _DEEPEST_FOLDER:
        yield Source(str(folder), problem=f"folders are nested deeper than {_DEEPEST_FOLDER}")
        return
    try:
        names = _names(folder)
    except HeaderError as error:
        yield Source(str(folder), problem=error.why)
        return
    if is_archive(names):
        walk.skipped.append(Skipped(str(folder), ARCHIVE))
        return
    own = [str(folder / name) for name in names if is_folder_header(name)]
    inherited = (*own[:1], *above)
    folders = {name for name in names if os.path.isdir(folder / name)}
    runs = [name for name in names if _may_be_run(name) and name not in folders]
    sidecars = _Sidecars(folder, names, runs)
    beside = {name: sidecars.of(name) for name in runs}
    taken = {path for paths in beside.values() for path in paths}
    for name in names:
        path = folder / name
        if name in beside:
            yield Source(
                str(path),
                (*beside[name], *inherited),
                is_named=False,
                problem=_problem(path),
            )
        elif name in folders:
            if name.startswith("."):
                walk.skipped.append(Skipped(str(path), HIDDEN))
            elif walk.enters(path):
                yield from _in_folder(path, inherited, walk, depth + 1)
            else:
                walk.skipped.append(Skipped(str(path), LINK))
        elif str(path) not in taken and _is_yaml(path):
            is_above_runs = str(path) in own[:1]
            if not is_folder_header(name) and _is_nameless_beside(path, beside):
                walk.skipped.append(Skipped(str(path), _to_rename(name)))
            elif not is_above_runs or not any(True for _ in _candidates_below(folder)):
                yield Source(str(path), is_yaml=True, is_named=False, problem=_problem(path))
        elif str(path) not in taken:
            if name.startswith("."):
                walk.skipped.append(Skipped(str(path), HIDDEN))
            elif holds_ranking(path):
                yield Source(str(path), is_named=False, problem=RANKING)
            else:
                walk.skipped.append(Skipped(str(path), OTHER_KIND))


def _is_nameless_beside(path: Path, names: Iterable[str]) -> bool:
    """Whether a header without a tag lies beside runs: it is about them, and not one more run.

    ``names`` are those of files beside it that may be runs.
    """
    if not any(holds_ranking(path.with_name(name)) for name in names):
        return False
    try:
        header = read_yaml_file(path)
    except HeaderError:
        return False
    return header.tag is None and _is_header(header, None)


def _to_rename(name: str) -> str:
    stem = Path(plain_suffix(Path(name))[0]).stem
    return (
        "a header without a tag in a folder of runs; to apply it to all of them, rename it to "
        f"{stem}-ir-metadata.yml"
    )


def _candidates_below(folder: Path) -> Iterator[str]:
    """Files below a folder that may be runs by their names."""
    for _, folders, files in os.walk(folder):
        if is_archive({*folders, *files}):
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (name for name in files if _may_be_run(name))


def meant_to_be_runs(
    left_alone: Iterable[Source], sources: Iterable[Source]
) -> dict[str, HeaderError]:
    """Of files in folders that hold neither run nor header, those that look like runs.

    ``sources`` are all that were found. Each comes with what would be said if it was named.
    """
    left = {source.path: source for source in left_alone if not source.is_yaml}
    beside: dict[str, set[str]] = {}
    for source in sources if left else ():
        if not source.is_yaml and source.path not in left:
            beside.setdefault(os.path.dirname(source.path), set()).add(suffix_of(source.path))
    found: dict[str, HeaderError] = {}
    for path, source in left.items():
        if not looks_like_run(
            path,
            is_below_header=bool(source.sidecars),
            suffixes_beside=beside.get(os.path.dirname(path), ()),
        ) and not holds_ranking(path):
            continue
        try:
            open_source(replace(source, is_named=True), with_ranking=False)
        except HeaderError as error:
            error.hint = error.hint or ("if it is not meant to be a run, move it to another folder")
            found[path] = error.in_file(path)
    return found


def is_archive(names: Collection[str]) -> bool:
    """Whether a folder with these names in it is one that `primad-ld load` made."""
    return "archive.json" in names and "store" in names


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise HeaderError((error.strerror or str(error)).lower(), file=folder) from error


class _Walk:
    """Which folders a walk enters: links may lead back up, or in many ways to one place."""

    def __init__(self, top: Path, skipped: list[Skipped]) -> None:
        self.top = real_path(top)
        self.skipped = skipped
        self.linked: set[Path] = set()

    def enters(self, folder: Path) -> bool:
        """Whether to go into a folder. What lies below the top is met without a link."""
        if not folder.is_symlink():
            return True
        target = real_path(folder)
        if target in self.linked or self.top == target or self.top in target.parents:
            return False
        if target in self.top.parents:
            return False  # back up, and down to the top again
        self.linked.add(target)
        return True


def _is_yaml(path: Path) -> bool:
    name = plain_suffix(path)[0]
    return name.lower().endswith(_YAML) or is_folder_header(path.name)


def _may_be_run(name: str) -> bool:
    if name.startswith(".") or is_folder_header(name):
        return False
    suffix = Path(plain_suffix(Path(name))[0]).suffix.lower()
    return suffix not in _OTHER_SUFFIXES and suffix not in _YAML


def _headers_above(folder: Path, *, inclusive: bool = False) -> tuple[str, ...]:
    """The folder headers that hold for what lies in a folder, nearest first."""
    folders = [real_path(folder), *real_path(folder).parents][: _LEVELS_ABOVE + 1]
    found: list[str] = []
    for each in folders if inclusive else folders[1:]:
        try:
            names = _names(each)
        except HeaderError:
            break  # above what the user named we look only where we may
        found.extend([str(each / name) for name in names if is_folder_header(name)][:1])
    return tuple(found)


# Sidecars by their names ------------------------------------------------------------------

_YAML_NAME = re.compile(r"\.ya?ml(\.gz|\.zst|\.xz)?$", re.IGNORECASE)
_FOLDER_HEADER = re.compile(r"\.?ir[-_]?metadata(\.ya?ml)?", re.IGNORECASE)
_PART = re.compile(r"(.(?:.*[^-_.])?)[-_.]+ir[-_]metadata\.ya?ml", re.IGNORECASE)


class _Sidecars:
    """The YAML files of a folder that belong to runs in it."""

    def __init__(self, folder: Path, names: Iterable[str], runs: Iterable[str]) -> None:
        """``names`` are those of all files, ``runs`` those of the files that may be runs."""
        self.folder = folder
        self._by_stem: dict[str, list[str]] = {}
        parts = []
        for name in names:
            if not _YAML_NAME.search(name) or is_folder_header(name):
                continue
            plain = plain_suffix(Path(name))[0]
            self._by_stem.setdefault(Path(plain).stem, []).append(name)
            if part := _PART.fullmatch(plain):
                self._by_stem.setdefault(part[1], []).append(name)
                parts.append(name)
        named = {name for run in runs for name in self._named_after(run)} if parts else set()
        #: Parts of the header of each run. The step that made the rankings is the nearest.
        self.parts = sorted(
            (name for name in parts if name not in named),
            key=lambda name: (not name.lower().startswith("retrieval"), name),
        )

    def of(self, run: str) -> list[str]:
        """The files for one run, nearest first: run.yaml or run.txt.yaml beside run.txt, parts."""
        return [str(self.folder / name) for name in (*self._named_after(run), *self.parts)]

    def _named_after(self, run: str) -> list[str]:
        return [name for stem in _stems(run) for name in self._by_stem.get(stem, ())]


def is_folder_header(name: str) -> bool:
    """Whether a file of this name holds for every run below its folder."""
    # Most names are none, and there may be many.
    return (
        "metadata" in name.lower()
        and _FOLDER_HEADER.fullmatch(plain_suffix(Path(name))[0]) is not None
    )


def is_part(name: str) -> bool:
    """Whether a file of this name is part of the header of each run beside it."""
    return "metadata" in name.lower() and bool(_PART.fullmatch(plain_suffix(Path(name))[0]))


def _step_of(sidecar: str, run: str) -> str:
    """The step whose header a part is; nothing for other headers, and for a run's own."""
    part = _PART.fullmatch(plain_suffix(Path(sidecar))[0])
    return shown(part[1].lstrip(".")) if part and part[1] not in _stems(run) else ""


def _stems(run: str) -> list[str]:
    plain = plain_suffix(Path(run))[0]
    return list(dict.fromkeys((run, plain, Path(plain).stem)))
