"""Indexing files: which nanopublications they hold, and the drafts of indexes that list them.

Indexes are written as drafts, which `nanopub sign` signs together: a sub-index before the one
that includes it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError, OutputError, PrimadError
from primad_ld.core.iris import is_iri
from primad_ld.nanopub.checking import Checked, State, check_nanopub
from primad_ld.nanopub.drafting.indexes import PlannedIndex, index_of, is_index, plan_indexes
from primad_ld.nanopub.drafting.words import one_line
from primad_ld.nanopub.drafts import nanopub_of_draft
from primad_ld.nanopub.folder import find_files
from primad_ld.nanopub.nanopubs import MalformedError, Nanopub
from primad_ld.nanopub.writing import as_trig
from primad_ld.rdf.nanopub_terms import RETRACTS, SUPERSEDES

#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]

# Starting processes takes about as long as checking so many.
_WORTH_PROCESSES: Final = 400
_SHOWN: Final = 20
_SUFFIX: Final = ".trig"
_LONGEST_IRI: Final = 2000
_SIGN: Final = "sign first, with primad-ld nanopub sign: an index lists names that hold a digest"


# Which nanopublications there are ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A file that may be indexed, without what it says."""

    path: Path
    uri: str = ""
    is_draft: bool = False
    is_index: bool = False
    #: Why it cannot be indexed.
    problem: str = ""
    #: Why it cannot be a sub-index, where it says that it is an index.
    flaw: str = ""
    #: A digest of the key that it is signed with; empty without a signature.
    key: str = ""
    #: What it supersedes or retracts, if its key signed that as well.
    ends: tuple[str, ...] = ()


def survey(
    paths: Sequence[Path | str], *, progress: Progress | None = None, jobs: int | None = 1
) -> list[Source]:
    """The nanopublications in files and folders, checked.

    Raises:
        PrimadError: One of them is invalid, or its name holds no digest. Only indexes may be
            drafts, since they are no elements.
    """
    from primad_ld.core.processes import cores, in_processes

    files = find_files(paths)
    processes = (jobs or cores()) if len(files) >= _WORTH_PROCESSES else 1
    found: list[Source] = []
    for one in in_processes(files, surveyor, (), processes):
        found.append(one)
        if progress is not None:
            progress(len(found), len(files))
    _check_sources(found)
    return found


def surveyor() -> Callable[[Iterable[Path]], Iterator[Source]]:
    """A function that looks at files."""

    def look(files: Iterable[Path]) -> Iterator[Source]:
        return (_source(file) for file in files)

    return look


def _source(path: Path) -> Source:
    try:
        found = check_nanopub(path)
    except HeaderError as error:
        return Source(path=path, problem=error.why)
    nanopub = found.nanopub
    if nanopub is None or not found.is_valid:
        return Source(path=path, problem="; ".join(found.problems))
    return Source(
        path=path,
        uri=found.uri,
        is_draft=nanopub.is_draft,
        is_index=is_index(nanopub),
        problem=_problem(found, nanopub),
        flaw=_flaw(nanopub),
        key=_key_of(found),
        ends=tuple(_ends(nanopub)),
    )


def _key_of(found: Checked) -> str:
    """What tells the key of a nanopublication: there may be very many of them."""
    if found.signature is None:
        return ""
    return hashlib.sha256(found.signature.public_key.encode()).hexdigest()


def _ends(nanopub: Nanopub) -> Iterator[str]:
    """What a nanopublication says that it supersedes or retracts, itself excepted."""
    said = nanopub.values(nanopub.uri, SUPERSEDES)
    said += [
        one.value.value for one in nanopub.graph(nanopub.assertion) if one.predicate == RETRACTS
    ]
    yield from (uri for uri in said if uri != nanopub.uri)


def _ended(found: Iterable[Source]) -> set[str]:
    """The nanopublications that others here supersede or retract, if one key signed both."""
    sources = [one for one in found if one.key]
    ended = {(uri, one.key) for one in sources for uri in one.ends}
    return {one.uri for one in sources if (one.uri, one.key) in ended}


def _problem(found: Checked, nanopub: Nanopub) -> str:
    """Why a valid nanopublication can be no element; empty if it can, or could once it is signed."""
    if nanopub.is_draft:
        return ""
    if found.state is State.PLAIN:
        return "its name holds no digest, so an index of it could come to mean something else"
    if not found.uri.startswith(("http://", "https://")) or not is_iri(found.uri):
        return f"{found.uri[:80]!r} is no address that others read"
    if len(found.uri) > _LONGEST_IRI:
        return f"its name has {len(found.uri):,} characters, and {_LONGEST_IRI:,} is the most here"
    return ""


def _flaw(nanopub: Nanopub) -> str:
    try:
        index_of(nanopub)
    except MalformedError as error:
        return str(error)
    return ""


def _check_sources(found: Sequence[Source]) -> None:
    bad = [one for one in found if one.problem]
    if len(bad) == 1:
        raise HeaderError(bad[0].problem, file=bad[0].path)
    if bad:
        lines = [f"  {one.path}: {one.problem}" for one in bad[:_SHOWN]]
        if len(bad) > _SHOWN:
            lines.append(f"  and {len(bad) - _SHOWN:,} more")
        raise PrimadError(f"{len(bad):,} files cannot be indexed", *lines)
    _check_signed([one for one in found if not one.is_index])


def _check_signed(found: Sequence[Source]) -> None:
    drafts = [one for one in found if one.is_draft]
    if drafts:
        more = f", and so are {len(drafts) - 1:,} more" if len(drafts) > 1 else ""
        raise HeaderError(f"this is a draft{more}", file=drafts[0].path, hint=_SIGN)


def _subindexes(paths: Sequence[Path | str]) -> list[Source]:
    """The indexes that are named to be parts of the new one."""
    found = survey(paths) if paths else []
    for one in found:
        if one.flaw:
            raise HeaderError(one.flaw, file=one.path, hint="only indexes can be sub-indexes")
    _check_signed(found)
    return found


# Writing the indexes ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class WrittenIndex:
    """The draft of an index."""

    path: Path
    uri: str
    elements: int
    subindexes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexReport:
    """What was indexed, and the drafts in the order in which they rely on each other, the whole last."""

    written: tuple[WrittenIndex, ...]
    elements: int
    #: Indexes that were there already and became parts of the whole.
    subindexes: int
    #: Indexes among the files, which are no elements.
    left_out: int
    #: Files that repeat what another one holds.
    repeats: int
    #: Nanopublications that others among the files supersede or retract.
    ended: int
    #: Files beside the index that an earlier one may have left.
    stale: tuple[Path, ...]


def write_index(
    paths: Sequence[Path | str],
    output: Path,
    *,
    title: str = "",
    description: str = "",
    subindexes: Sequence[Path | str] = (),
    force: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> IndexReport:
    """Write the draft of an index of the nanopublications in files and folders.

    What others among these supersede or retract is left out; the retractions are listed.
    More than 1,000 of them become sub-indexes in files beside it: ``index-1.trig`` and so on.
    All files appear, or none.

    Raises:
        PrimadError: One of them is invalid or a draft, a file is in the way, or there are none.
    """
    label, about = one_line(title, "title"), one_line(description, "description")
    target = _target(output)
    _check_free([target], force)
    named = _subindexes(subindexes)
    found = survey(paths, progress=progress, jobs=jobs) if paths else []
    over = _ended(found)
    every = [one for one in found if not one.is_index]
    members = [one for one in every if one.uri not in over]
    if found and not every and not named:
        raise PrimadError("there are only indexes here; --subindex makes them parts of another")
    elements, parts = {one.uri for one in members}, {one.uri for one in named}
    planned = plan_indexes(elements, parts, title=label, description=about)
    places = _places(target, len(planned))
    _check_free(places, force)
    _check_apart(places, [*members, *named])
    _write_together(zip(places, map(_text, planned), strict=True), target.parent)
    return IndexReport(
        written=tuple(map(_written, places, planned)),
        elements=len(elements),
        subindexes=len(parts),
        left_out=len({one.uri for one in found if one.is_index} - parts),
        repeats=len(members) - len(elements),
        ended=len({one.uri for one in every} & over),
        stale=tuple(_stale(target, places)),
    )


def _text(planned: PlannedIndex) -> bytes:
    return as_trig(nanopub_of_draft(planned.draft)).encode()


def _written(path: Path, planned: PlannedIndex) -> WrittenIndex:
    return WrittenIndex(
        path=path,
        uri=planned.uri,
        elements=len(planned.elements),
        subindexes=len(planned.subindexes),
    )


def _target(output: Path) -> Path:
    """The file of the index itself; what a link leads to."""
    if output.suffix != _SUFFIX:
        raise OutputError(f"{output}: name a file that ends with {_SUFFIX}; its parts lie beside")
    target = Path(os.path.realpath(output)) if output.is_symlink() else output
    if not target.parent.is_dir():
        raise OutputError(f"{target.parent}: there is no such folder")
    return target


def _places(target: Path, count: int) -> list[Path]:
    """The files of so many indexes, that of the whole last."""
    return [*(target.with_name(f"{target.stem}-{n}{_SUFFIX}") for n in range(1, count)), target]


def _check_free(places: Iterable[Path], force: bool) -> None:
    for place in places:
        if place.exists() and not place.is_file():
            raise OutputError(f"{place} is no file; name another one")
        if place.exists() and not force:
            raise OutputError(f"{place} exists; say --force to replace it, or name another file")


def _check_apart(places: Iterable[Path], sources: Iterable[Source]) -> None:
    """Whether no file is both listed and replaced."""
    real = {os.path.realpath(one) for one in places}
    for one in sources:
        if os.path.realpath(one.path) in real:
            raise OutputError(f"{one.path} is to be listed, not to be replaced; name another file")


def _stale(target: Path, places: Iterable[Path]) -> Iterator[Path]:
    form = re.compile(re.escape(target.stem) + r"-[1-9]\d*" + re.escape(_SUFFIX))
    new = {place.name for place in places}
    for name in sorted(os.listdir(target.parent)):
        if form.fullmatch(name) and name not in new:
            yield target.with_name(name)


def _write_together(files: Iterable[tuple[Path, bytes]], folder: Path) -> None:
    """Write some files of a folder: all of them, or none."""
    try:
        with tempfile.TemporaryDirectory(prefix=".index.", dir=folder) as made:
            written: list[tuple[Path, Path]] = []
            for number, (place, data) in enumerate(files):
                new = Path(made) / str(number)
                with open(new, "wb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
                written.append((new, place))
            _take_places(written)
    except OSError as error:
        raise OutputError(f"{folder}: {(error.strerror or str(error)).lower()}") from error


def _take_places(written: Sequence[tuple[Path, Path]]) -> None:
    """Move new files to their places; if one cannot be moved, all is as it was before."""
    begun: list[tuple[Path, Path | None]] = []
    try:
        for new, place in written:
            kept = new.with_suffix(".kept") if place.exists() else None
            if kept is not None:
                shutil.copy2(place, kept)
                shutil.copymode(place, new)
            begun.append((place, kept))
            os.replace(new, place)
    except BaseException:
        for place, kept in reversed(begun):
            if kept is not None:
                os.replace(kept, place)
            else:
                place.unlink(missing_ok=True)
        raise
