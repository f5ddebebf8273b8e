"""What a check of many nanopublications found, as a table, CSV or JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import shown
from primad_ld.nanopub.checking import State, check_bytes
from primad_ld.nanopub.folder import find_files, is_nanopub_file
from primad_ld.rdf.statements import TooLargeError, format_of, read_bytes
from primad_ld.tables.grid import Grid

#: Called with how many files are done, and how many there are.
Progress = Callable[[int, int], None]

# Starting processes takes about as long as checking so many.
_WORTH_PROCESSES: Final = 400


@dataclass(frozen=True, kw_only=True, slots=True)
class FileCheck:
    """What was found about one file."""

    file: str
    state: State
    uri: str = ""
    #: Why it is invalid, or cannot be read.
    problems: tuple[str, ...] = ()
    #: What registries or their users would miss; only where somebody asked.
    remarks: tuple[str, ...] = ()


def check_paths(
    paths: Sequence[Path | str],
    *,
    is_strict: bool = False,
    progress: Progress | None = None,
    jobs: int | None = 1,
) -> list[FileCheck]:
    """Check files and folders of nanopublications, in the order of their names."""
    from primad_ld.core.processes import cores, in_processes

    files = find_files(paths)
    processes = (jobs or cores()) if len(files) >= _WORTH_PROCESSES else 1
    found: list[FileCheck] = []
    for one in in_processes(files, checker, (is_strict,), processes):
        found.append(one)
        if progress is not None:
            progress(len(found), len(files))
    return found


def checker(is_strict: bool) -> Callable[[Iterable[Path]], Iterator[FileCheck]]:
    """A function that checks files."""

    def check(files: Iterable[Path]) -> Iterator[FileCheck]:
        return (_checked(file, is_strict) for file in files)

    return check


def _checked(file: Path, is_strict: bool) -> FileCheck:
    try:
        suffix = format_of(file)
        data = read_bytes(file)
    except HeaderError as error:
        is_read = isinstance(error, TooLargeError) or not is_nanopub_file(file)
        return FileCheck(
            file=shown(str(file)),
            state=State.INVALID if is_read else State.UNREADABLE,
            problems=(error.why if is_read or not error.hint else f"{error.why}; {error.hint}",),
        )
    found = check_bytes(data, suffix, str(file))
    remarks: tuple[str, ...] = ()
    if is_strict:
        from primad_ld.nanopub.lint import remarks_on

        remarks = remarks_on(found)
    return FileCheck(
        file=shown(str(file)),
        state=found.state,
        uri=found.uri,
        problems=found.problems,
        remarks=remarks,
    )


def is_good(found: Iterable[FileCheck]) -> bool:
    """Whether nothing is wrong and nothing is missed."""
    return not any(one.problems or one.remarks for one in found)


def unreadable(found: Iterable[FileCheck]) -> list[FileCheck]:
    """Those of which nothing is known, since they cannot be read."""
    return [one for one in found if one.state is State.UNREADABLE]


def as_grid(found: Sequence[FileCheck]) -> Grid:
    """One row for each file, and how many there are of each state."""
    rows = tuple(
        (one.file, one.state.value, one.uri, "; ".join((*one.problems, *one.remarks)))
        for one in found
    )
    counts = Counter(one.state for one in found)
    said = ", ".join(
        f"{counts[state]:,} {state.value}" for state in reversed(State) if counts[state]
    )
    return Grid(
        title="",
        columns=("file", "state", "nanopublication", "why"),
        rows=rows,
        texts=4,
        remarks=(said,),
    )


def as_objects(found: Iterable[FileCheck]) -> list[dict[str, object]]:
    """The same for machines."""
    return [
        {
            "file": one.file,
            "state": one.state.value,
            "uri": one.uri,
            "problems": list(one.problems),
            "remarks": list(one.remarks),
        }
        for one in found
    ]
