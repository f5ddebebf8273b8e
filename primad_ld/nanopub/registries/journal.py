"""Which nanopublications were published where, line by line, so that a run can be taken up again.

A line is on the disk before the next one is written. Whatever ends the process, at most the last
line is broken, and the next run cuts it off.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.core.errors import HeaderError, OutputError
from primad_ld.core.files import read_at_most, try_lock

_MOST_BYTES: Final = 2**26
#: How every line begins; what is broken off earlier is a part of this.
_BEGINNING: Final = b'{"uri": "'


class Journal:
    """A journal that is open for writing, and locked against other processes."""

    def __init__(self, path: Path, file: BinaryIO, registry: str, known: set[str]) -> None:
        self._path, self._file, self._registry = path, file, registry
        #: What was published in this registry before.
        self.known = known

    def add(self, uri: str) -> None:
        """Note that the registry has a nanopublication, for good, unless that stands here."""
        if uri in self.known:
            return
        line = {"uri": uri, "registry": self._registry, "confirmed": _now()}
        try:
            self._write(json.dumps(line).encode() + b"\n")
        except OSError as error:
            raise _not_written(self._path, error) from error
        self.known.add(uri)

    def _write(self, line: bytes) -> None:
        size = self._file.seek(0, os.SEEK_END)
        try:
            if self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError:
            # No other line may come behind half of one.
            self._file.truncate(size)
            raise


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextlib.contextmanager
def open_journal(path: Path, registry: str) -> Iterator[Journal]:
    """The journal for one registry; it is made if it is not there."""
    _check_kind(path)
    try:
        file = open(path, "a+b", buffering=0)  # noqa: SIM115
    except OSError as error:
        raise _not_written(path, error) from error
    with file:
        if not try_lock(file, exclusive=True):
            raise OutputError(
                f"{path} is in use: something is being published from here; wait until that is done"
            )
        file.seek(0)
        entries, size, is_whole = _entries(file, path)
        if not is_whole:
            try:
                file.truncate(size)
            except OSError as error:
                raise _not_written(path, error) from error
        yield Journal(path, file, registry, _known(entries, registry))


def read_journal(path: Path, registry: str) -> set[str]:
    """What was published in a registry, without making a journal or locking it."""
    _check_kind(path)
    try:
        with open(path, "rb") as file:
            return _known(_entries(file, path)[0], registry)
    except FileNotFoundError as error:
        if not path.parent.is_dir():
            raise _not_written(path, error) from error
        return set()


def _known(entries: Iterable[tuple[str, str]], registry: str) -> set[str]:
    return {uri for uri, place in entries if place == registry}


def _not_written(path: Path, error: OSError) -> OutputError:
    why = (error.strerror or str(error)).lower()
    return OutputError(f"{path}: {why}; name another file with --journal")


def _check_kind(path: Path) -> None:
    # Opening a pipe would wait for somebody who writes into it.
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise _not_written(path, error) from error
    if not stat.S_ISREG(mode):
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
