"""Which nanopublications were published where, line by line, so that a run can be taken up again.

A line is on the disk before the next one is written. Whatever ends the process, at most the last
line is broken, and the next run cuts it off.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.archive.locking import try_lock
from primad_ld.errors import HeaderError, OutputError
from primad_ld.files import read_at_most

#: What a journal is called in the folder of the nanopublications.
NAME: Final = ".published.jsonl"
_MOST_BYTES: Final = 2**28
#: How every line begins; what is broken off earlier is a part of this.
_BEGINNING: Final = b'{"uri": "'


class Journal:
    """A journal that is open for writing, and locked against other processes."""

    def __init__(self, file: BinaryIO, registry: str, known: set[str]) -> None:
        self._file, self._registry = file, registry
        #: What was published in this registry before.
        self.known = known

    def add(self, uri: str) -> None:
        """Note that the registry has a nanopublication, for good."""
        line = {"uri": uri, "registry": self._registry, "confirmed": _now()}
        self._file.write(json.dumps(line).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextlib.contextmanager
def open_journal(path: Path, registry: str) -> Iterator[Journal]:
    """The journal for one registry; it is made if it is not there."""
    _check_kind(path)
    try:
        file = open(path, "a+b")  # noqa: SIM115
    except OSError as error:
        raise OutputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    with file:
        if not try_lock(file, exclusive=True):
            raise OutputError(
                f"{path} is in use: something is being published from here; wait until that is done"
            )
        file.seek(0)
        entries, size, is_whole = _entries(file, path)
        try:
            if not is_whole:
                file.truncate(size)
            yield Journal(file, registry, {uri for uri, place in entries if place == registry})
        except OSError as error:
            raise OutputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def read_journal(path: Path, registry: str) -> set[str]:
    """What was published in a registry, without making a journal or locking it."""
    _check_kind(path)
    if not path.exists():
        return set()
    with open(path, "rb") as file:
        return {uri for uri, place in _entries(file, path)[0] if place == registry}


def _check_kind(path: Path) -> None:
    # Opening a pipe would wait for somebody who writes into it.
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise OutputError(f"{path} is no file; name one with --journal")


def _entries(file: BinaryIO, path: Path) -> tuple[list[tuple[str, str]], int, bool]:
    """What a journal says, how many bytes of it are sound, and whether that is all."""
    data = read_at_most(file, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(f"more than {_MOST_BYTES >> 20} MiB; is it a journal?", file=path)
    sound, _, rest = data.rpartition(b"\n")
    size = len(data) - len(rest)
    if not _is_broken_off(rest):
        raise _no_journal(path, sound.count(b"\n") + 1 + bool(sound))
    entries = [_entry(line, path, number) for number, line in enumerate(sound.split(b"\n"), 1)]
    return [one for one in entries if one is not None], size, not rest


def _is_broken_off(rest: bytes) -> bool:
    """Whether bytes without an end of line may be what is left of a line of ours."""
    # Some file systems fill what was not written yet with zeros.
    start = rest.rstrip(b"\0")[: len(_BEGINNING)]
    return _BEGINNING.startswith(start)


def _entry(line: bytes, path: Path, number: int) -> tuple[str, str] | None:
    if not line.strip():
        return None
    try:
        said = json.loads(line)
        uri, registry = said["uri"], said["registry"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _no_journal(path, number) from None
    if not isinstance(uri, str) or not isinstance(registry, str):
        raise _no_journal(path, number)
    return uri, registry


def _no_journal(path: Path, number: int) -> HeaderError:
    return HeaderError(
        "this is no line of a journal of what was published",
        file=path,
        line=number,
        hint="name another file with --journal, or remove this one to ask the registry anew",
    )
