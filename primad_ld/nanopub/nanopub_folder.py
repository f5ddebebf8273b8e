"""A folder of nanopublications: drafts, and signed ones in their places.

Signing replaces a draft's file by the signed nanopublication, so every file is one or the
other and nothing has to be remembered beside them. What a draft was called is told by what
the signed one is about, and by its own name where it stands in the file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.files import plain_suffix, try_lock
from primad_ld.core.library_arguments import AnyPaths, to_paths
from primad_ld.header.skipped_files import HIDDEN, LINK, OTHER_KIND, Skipped, summary
from primad_ld.rdf.nanopub_statements import SUFFIXES, format_of, parse_statements, read_bytes
from primad_ld.rdf.nanopub_terms import DRAFTS

#: How the first lines of what we write name the nanopublication.
_THIS: Final = re.compile(rb"^@prefix this: <([^>\s]*)>", re.MULTILINE)
_DRAFT: Final = re.compile(re.escape(DRAFTS).encode() + rb"[^/>\s\"]+/")
#: How a signed nanopublication says which draft it was; no part of what is signed.
_FORMER: Final = re.compile(rb"\A(?:\xef\xbb\xbf)?# Draft: (\S+)\r?\n")
#: How a nanopublication of ours names the one whose place it takes.
_SUPERSEDES: Final = re.compile(rb"\bnpx:supersedes <([^>\s]*)>")
#: The name of a file that is in a folder while a command writes nanopublications there.
LOCK: Final = ".writing"
#: Why there is no lock in a folder that nobody can write into.
_UNWRITTEN: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT, errno.ENOTDIR)
_DEEPEST: Final = 20
_SHOWN: Final = 20
# Starting processes takes about as long as checking so many.
_WORTH_PROCESSES: Final = 400
#: Called with how many are done, and how many there are.
Progress = Callable[[int, int], None]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, kw_only=True, slots=True)
class FolderEntry:
    """A file that may be a nanopublication, as a first look at its text tells."""

    path: Path
    #: Its URI where the text begins as ours do; empty otherwise.
    uri: str = ""
    #: The drafts that it refers to, itself left out.
    links: tuple[str, ...] = ()
    #: The draft that it was before it was signed, where it says so.
    former: str = ""
    #: The nanopublications whose place it takes.
    supersedes: tuple[str, ...] = ()
    #: Why it is no nanopublication, if it is none.
    problem: HeaderError | None = None

    @property
    def is_draft(self) -> bool:
        """Whether it is to be signed."""
        return self.uri.startswith(DRAFTS)


def find_files(paths: AnyPaths) -> list[Path]:
    """The files of nanopublications that are named or lie in folders, in the order of their names.

    A named folder without any is an error: nothing is signed or published of the others.
    """
    found, problems = find_what_is_there(paths)
    for problem in problems:
        raise HeaderError(problem.why, file=problem.file, hint="nothing was done")
    return found


def find_what_is_there(paths: AnyPaths) -> tuple[list[Path], list[HeaderError]]:
    """The same, with what is wrong with names that lead to none; an error if all do."""
    found: dict[Path, None] = {}
    problems: list[HeaderError] = []
    for path in to_paths(paths):
        if os.path.isdir(path):
            entries = list(_below(path))
            inside = [Path(entry.path) for entry in entries if not entry.reason]
            if not inside:
                why = f"there are no nanopublications here ({', '.join(SUFFIXES)})"
                problems.append(HeaderError("; ".join([why, *summary(entries)]), file=path))
            found.update(dict.fromkeys(inside))
        elif os.path.exists(path):
            found[path] = None
        else:
            problems.append(HeaderError("there is no such file or folder", file=path))
    if not found:
        raise next(iter(problems), PrimadError("name files or folders of nanopublications"))
    return list(found), problems


def each_file(
    files: Sequence[_Item],
    look: Callable[..., _Result],
    *arguments: object,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> list[_Result]:
    """What a function says of each file, in several processes if it pays.

    It is called with a file, or what else stands for one, and the arguments. With ``None`` for ``jobs``, all cores are used.
    """
    from primad_ld.core.processes import cores, in_processes

    processes = (jobs or cores()) if len(files) >= _WORTH_PROCESSES else 1
    results: list[_Result] = []
    for result in in_processes(files, _looking, (look, arguments), processes):
        results.append(result)
        if progress is not None:
            progress(len(results), len(files))
    return results


def _looking(
    look: Callable[..., _Result], arguments: tuple[object, ...]
) -> Callable[[Iterable[object]], Iterator[_Result]]:
    return lambda files: (look(file, *arguments) for file in files)


def in_batches(links: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """Names in the order of their links: what others link to comes before them.

    Those of one batch do not link to each other. What is part of a circle is left out.
    """
    sorter = TopologicalSorter(
        {name: [link for link in linked if link in links] for name, linked in links.items()}
    )
    with contextlib.suppress(CycleError):
        sorter.prepare()
    places = {name: place for place, name in enumerate(links)}
    while batch := sorted(sorter.get_ready(), key=places.__getitem__):
        yield batch
        sorter.done(*batch)


def refuse_files(problems: Sequence[tuple[Path, str]], why: str, *hints: str) -> None:
    """Raise one error about files with their problems, if there are some; of very many, about the first."""
    if problems:
        lines = [f"  {path}: {problem}" for path, problem in problems[:_SHOWN]]
        if len(problems) > _SHOWN:
            lines.append(f"  and {len(problems) - _SHOWN:,} more")
        raise PrimadError(why, *lines, *hints)


def notes_on_skipped(paths: AnyPaths) -> Iterator[str]:
    """What folders hold besides nanopublications, a line for each reason."""
    folders = (path for path in to_paths(paths) if os.path.isdir(path))
    return summary(entry for folder in folders for entry in _below(folder) if entry.reason)


def _below(folder: Path, depth: int = 1) -> Iterator[Skipped]:
    """What is in a folder; what is a nanopublication, by its name, has no reason to be skipped."""
    if depth > _DEEPEST:
        raise HeaderError(f"folders are nested deeper than {_DEEPEST}", file=folder)
    for name in sorted(os.listdir(folder)):
        path = folder / name
        if name.startswith("."):
            if name != LOCK:
                yield Skipped(str(path), HIDDEN)
        elif not os.path.isdir(path):
            yield Skipped(str(path), "" if is_nanopub_file(path) else OTHER_KIND)
        elif path.is_symlink():
            yield Skipped(str(path), LINK)
        else:
            yield from _below(path, depth + 1)


@contextlib.contextmanager
def only_writer(*folders: Path) -> Iterator[None]:
    """Keep other commands from writing nanopublications into some folders at the same time.

    What one signs gets names that others cite: were it signed twice, they would cite what is gone.

    Raises:
        OutputError: Another command writes into one of them.
    """
    with contextlib.ExitStack() as held:
        for folder in sorted({Path(os.path.realpath(one)) for one in folders}):
            held.enter_context(_locked(folder))
        yield


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    path = folder / LOCK
    try:
        file = open(path, "a+b")  # noqa: SIM115
    except OSError as error:
        if error.errno in _UNWRITTEN:
            yield
            return
        raise OutputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    with file:
        # One that was removed since it was opened keeps nobody out.
        if not try_lock(file, exclusive=True) or not _is_at(path, file):
            raise OutputError(
                f"{folder}: another command writes nanopublications here; wait until it is done, "
                "and rerun this one"
            )
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows removes no open file
                path.unlink()


def _is_at(path: Path, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def is_nanopub_file(path: Path) -> bool:
    """Whether a file may be a nanopublication, by its name."""
    return Path(plain_suffix(path)[0]).suffix.lower() in SUFFIXES


def glance(path: Path) -> FolderEntry:
    """What a file is, without reading all that it says."""
    try:
        data = read_bytes(path)
        match = _THIS.search(data)
        uri = match[1].decode(errors="replace") if match else _uri(data, path)
    except HeaderError as error:
        return FolderEntry(path=path, problem=error.in_file(path))
    former = _FORMER.match(data)
    links = {one.decode(errors="replace") for one in _DRAFT.findall(data)} - {uri}
    return FolderEntry(
        path=path,
        uri=uri,
        links=tuple(sorted(links)) if uri.startswith(DRAFTS) else (),
        former=former[1].decode(errors="replace") if former else "",
        supersedes=tuple(one.decode(errors="replace") for one in _SUPERSEDES.findall(data)),
    )


def remark_on(draft: str) -> str:
    """The first line of a signed nanopublication: so that later drafts find what they rely on."""
    return f"# Draft: {draft}\n"


def _uri(data: bytes, path: Path) -> str:
    """The URI of a nanopublication that others wrote."""
    from primad_ld.nanopub.nanopubs import MalformedError, nanopub_of

    try:
        return nanopub_of(parse_statements(data, format_of(path), str(path))).uri
    except MalformedError as error:
        raise HeaderError(str(error), file=path) from None
