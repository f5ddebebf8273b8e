"""Files of nanopublications among those that are to be loaded, read and checked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.archive.embedded_engine import ABOUT
from primad_ld.core.errors import HeaderError
from primad_ld.core.iris import BASE, NAME, PRIMAD, RDF_TYPE, SCORE, is_iri
from primad_ld.header.sources import is_archive
from primad_ld.nanopub.checking import check_statements
from primad_ld.nanopub.held.nanopub_records import Record
from primad_ld.nanopub.nanopub_folder import is_nanopub_file
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.nanopub.signatures import digest_of_key
from primad_ld.nanopub.trusty import trusty_beginning
from primad_ld.rdf.nanopub_statements import (
    MOST_BYTES,
    Statement,
    format_of,
    is_blank,
    parse_statements,
    read_bytes,
)
from primad_ld.rdf.nanopub_terms import HAS_ASSERTION, NANOPUBLICATION

_DEEPEST: Final = 100
#: Formats that hardly anything else is written in: what is none is told, and not passed over.
_MEANT: Final = (".trig", ".trix")
#: What every nanopublication says somewhere, however its syntax escapes a slash.
_WORDS: Final = (b"nanopub", b"nschema")
#: Names that an archive gives to graphs of its own: a kind and a digest.
_OWN_NAME: Final = re.compile(rf"/[a-z\-]+/{NAME}\Z")


@dataclass(frozen=True, slots=True)
class NanopubFile:
    """A file that may be a nanopublication, by its name."""

    path: str
    #: Named by the user: then it must be one.
    is_named: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadFile:
    """What a file holds: a nanopublication, a draft, something else, or a problem."""

    file: NanopubFile
    nanopub: Nanopub | None = None
    record: Record | None = None
    suffix: str = ""
    #: The bytes as they were read, decompressed.
    data: bytes = b""
    is_draft: bool = False
    problem: HeaderError | None = None
    #: Why a file in a folder is passed over, where that is worth a word.
    left_out: str = ""


# Finding ----------------------------------------------------------------------------------


def split_paths(paths: Iterable[Path | str]) -> tuple[list[Path | str], list[NanopubFile]]:
    """What runs and headers are looked for in, and the files that may be nanopublications."""
    others: list[Path | str] = []
    found: dict[str, NanopubFile] = {}
    for given in paths:
        path = Path(given)
        if os.path.isdir(path):
            others.append(given)
            for name in _below(path):
                found.setdefault(name, NanopubFile(name, is_named=False))
        elif is_nanopub_file(path):
            found[str(path)] = NanopubFile(str(path))
        else:
            others.append(given)
    return others, list(found.values())


def _below(folder: Path) -> Iterator[str]:
    """In the order of their names; not in archives, which keep nanopublications, too."""
    top = len(folder.parts)
    for place, folders, files in os.walk(folder):
        is_deep = len(Path(place).parts) - top >= _DEEPEST
        if is_archive({*folders, *files}) or is_deep:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(place, name)
            # A pipe would keep us waiting for ever.
            if not name.startswith(".") and is_nanopub_file(path) and os.path.isfile(path):
                yield str(path)


# Reading ----------------------------------------------------------------------------------


def reader(bases: Sequence[str]) -> Callable[[Iterable[NanopubFile]], Iterator[ReadFile]]:
    """A function that reads and checks files; graphs below ``bases`` are those of an archive."""
    return lambda files: (_read(file, bases) for file in files)


class _OtherFileError(Exception):
    """A file in a folder that is not about nanopublications; why, where that is worth a word."""


def _read(file: NanopubFile, bases: Sequence[str]) -> ReadFile:
    try:
        return _checked(file, bases)
    except _OtherFileError as error:
        return ReadFile(file=file, left_out=str(error))
    except HeaderError as error:
        return ReadFile(file=file, problem=error.in_file(file.path))


def _data_in_folder(path: Path, is_meant: bool) -> bytes:
    """The bytes of a file in a folder, if it is about nanopublications."""
    try:
        data = read_bytes(path)
    except HeaderError:
        # Damaged, or larger than any nanopublication: of no concern unless it speaks of them.
        start = _beginning(path)
        if _speaks_of_nanopubs(start) or (is_meant and not start):
            raise
        why = "it is larger than any nanopublication" if is_meant else ""
        raise _OtherFileError(why) from None
    if is_meant and not data.strip():
        raise _OtherFileError("it is empty")
    if not is_meant and not _speaks_of_nanopubs(data):
        raise _OtherFileError
    return data


def _beginning(path: Path) -> bytes:
    from primad_ld.core.files import read_at_most, reading

    try:
        with reading(path) as stream:
            return read_at_most(stream, MOST_BYTES)
    except HeaderError:
        return b""


def _speaks_of_nanopubs(data: bytes) -> bool:
    return all(word in data for word in _WORDS)


def _checked(file: NanopubFile, bases: Sequence[str]) -> ReadFile:
    path = Path(file.path)
    suffix = format_of(path)
    is_meant = suffix in _MEANT
    data = read_bytes(path) if file.is_named else _data_in_folder(path, is_meant)
    statements = parse_statements(data, suffix, file.path)
    if not file.is_named and not _is_meant(statements):
        why = "nothing in it is called a nanopublication" if statements else "it says nothing"
        raise _OtherFileError(why if is_meant else "")
    checked = check_statements(statements)
    nanopub = checked.nanopub
    if nanopub is None or not checked.is_valid:
        raise HeaderError("; ".join(checked.problems))
    if nanopub.is_draft:
        why, hint = (
            "a draft, which loses its name by being signed",
            "primad-ld nanopub sign signs it",
        )
        problem = HeaderError(why, file=file.path, hint=hint) if file.is_named else None
        return ReadFile(file=file, is_draft=True, problem=problem)
    if why := _unfit(nanopub, bases):
        raise HeaderError(why)
    key = digest_of_key(checked.signature.public_key) if checked.signature is not None else ""
    record = Record(uri=nanopub.uri, state=checked.state.value, key=key, is_whole=False)
    return ReadFile(file=file, nanopub=nanopub, record=record, suffix=suffix, data=data)


def _is_meant(statements: Iterable[Statement]) -> bool:
    """Whether RDF is meant as a nanopublication, a broken one perhaps."""
    return any(
        one.predicate == HAS_ASSERTION or one.value == (NANOPUBLICATION, None, None)
        for one in statements
    )


def _unfit(nanopub: Nanopub, bases: Sequence[str]) -> str:
    """Why an archive cannot hold a nanopublication: it must not pass for graphs of the archive."""
    for name in (nanopub.uri, *nanopub.graphs):
        if not is_iri(name):
            return f"{name[:120]!r} is not an IRI that stores accept"
    # A trusty name is proven, so whose it is does not depend on what is loaded first.
    if not nanopub.artifact and (owner := trusty_beginning(nanopub.uri)):
        return (
            f"its name {nanopub.uri} lies below the name of another, {owner}, and holds no digest"
        )
    for name in nanopub.graphs:
        if name.startswith((BASE, *bases)) or name == ABOUT or _OWN_NAME.search(name):
            return f"its graph {name} has a name that archives give to graphs of their own"
    for one in nanopub.statements:
        if one.graph == one.subject and _is_ours(one):
            return (
                f"its graph {one.graph} says of itself what archives say of runs and their "
                f"results (<{one.predicate}>)"
            )
        # A second try would store it twice.
        if is_blank(one.subject) or (one.value.datatype is None and is_blank(one.value.value)):
            return "it has nodes without names, which an archive cannot tell from others"
    return ""


def _is_ours(one: Statement) -> bool:
    name = one.value.value if one.predicate == RDF_TYPE else one.predicate
    return name.startswith((PRIMAD, SCORE))
