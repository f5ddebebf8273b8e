"""Files of folders that are not read, with the reason: nothing is left out without a word."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import plain_suffix, reading, real_path
from primad_ld.header.ranking_digest import is_row
from primad_ld.tables.file_notes import some_names

HIDDEN: Final = "hidden"
ARCHIVE: Final = "a primad-ld archive"
FOLDER: Final = "a folder"
LINK: Final = "a link to a folder that is already read"
OTHER_KIND: Final = "suffix of another kind of file"
NEITHER: Final = "neither a run nor a header"
NO_RANKING: Final = "YAML file without a ranking"
#: Why a file that is not read is an error all the same.
RANKING: Final = (
    "looks like a ranking, but files with this suffix are not read as runs; rename it to .txt, "
    "or move it to another folder"
)

#: So much of a file, with a header, tells whether it holds a ranking.
_FIRST_BYTES: Final = 1 << 16
_RUN_SUFFIXES: Final = frozenset((".run", ".res", ".trec"))
#: A copy that editors leave beside the file that counts.
_COPY: Final = ".bak"
_TEXT_SUFFIXES: Final = frozenset(("", ".txt", ".dat"))
#: What lies among runs and is called so is not meant to be one.
_OTHER_NAMES: Final = re.compile(
    r"(readme|licen[cs]e|copying|notice|authors|contributors|change(log|s)|news|version|notes?|todo|"
    r"install|requirements|constraints|makefile|dockerfile|jenkinsfile|procfile|gemfile|cmakelists|"
    r"q?rels?|judge?ments?|assessments?|topics?|quer(y|ies)|questions?|stop-?(words?|list)|"
    r"vocab(ulary)?|doc(ument)?s|doc-?(ids|nos)|corpus|index)([^a-z].*)?",
    re.IGNORECASE,
)


class Skipped(NamedTuple):
    """A file or folder that was found in a folder and not read."""

    path: str
    reason: str


def summary(skipped: Iterable[Skipped], *, verbose: bool = False) -> Iterator[str]:
    """A line for each reason with the first names, or for each file."""
    if verbose:
        yield from (f"{path}: not read: {reason}" for path, reason in skipped)
        return
    by_reason: dict[str, list[str]] = {}
    for path, reason in skipped:
        by_reason.setdefault(reason, []).append(path)
    for reason, paths in by_reason.items():
        yield f"not read ({reason}): {some_names(paths)}"


def empty_folders(
    paths: Iterable[Path],
    read: Iterable[str],
    skipped: Collection[Skipped],
    *,
    kinds: str = "runs or headers",
) -> Iterator[HeaderError]:
    """An error for each named folder of which no file was read, with what was found in it."""
    folders = {Path(os.path.dirname(path)) for path in read}
    # As it is named, and where links lead.
    folders |= set(map(real_path, folders))
    above = {each for folder in folders for each in (folder, *folder.parents)}
    for path in dict.fromkeys(paths):
        if os.path.isdir(path) and path not in above and real_path(path) not in above:
            inside = [one for one in skipped if path in (Path(one.path), *Path(one.path).parents)]
            why = f"there are no {kinds} here"
            yield HeaderError("; ".join([why, *summary(inside)]), file=path)


def suffix_of(path: str) -> str:
    """The suffix of a file, or of what is compressed in it."""
    return Path(plain_suffix(Path(path))[0]).suffix.lower()


def looks_like_run(path: str, *, is_below_header: bool, suffixes_beside: Iterable[str]) -> bool:
    """Whether a file is meant to be a run, by its name and by where it lies.

    ``suffixes_beside`` are those of the runs in its folder.
    """
    name, suffix = Path(path).name, suffix_of(path)
    if _OTHER_NAMES.fullmatch(Path(plain_suffix(Path(name))[0]).stem):
        return False
    if suffix in _RUN_SUFFIXES or name.startswith("input."):
        return True
    beside = set(suffixes_beside)
    return suffix in beside or (suffix in _TEXT_SUFFIXES and (is_below_header or bool(beside)))


def holds_ranking(path: str | Path) -> bool:
    """Whether most of the first lines of a file are of a ranking, whatever it is called."""
    if suffix_of(str(path)) == _COPY or not os.path.isfile(path):
        return False
    try:
        with reading(Path(path)) as stream:
            below = stream.read(_FIRST_BYTES).rpartition(b"ir_metadata.end")[2]
    except HeaderError:
        return False
    lines = [line for line in below.splitlines() if line.strip()]
    ranked = sum(is_row(line) and _is_number(line.split()[3]) for line in lines)
    return ranked * 2 > len(lines)


def _is_number(text: bytes) -> bool:
    return text.removeprefix(b"-").replace(b".", b"", 1).isdigit()
