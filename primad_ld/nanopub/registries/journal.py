"""The journal of what a registry has, by which an interrupted run goes on where it ended.

A line of it is on the disk before the next one is written: whatever ends the process, at most the
last line is broken, and the next run cuts it off.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from primad_ld.core.errors import HeaderError, OutputError
from primad_ld.core.files import read_at_most, try_lock
from primad_ld.core.json_texts import read_json

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
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        entry = {"uri": uri, "registry": self._registry, "confirmed": now}
        with _naming(self._path):
            self._write(json.dumps(entry).encode() + b"\n")
        self.known.add(uri)

    def _write(self, line: bytes) -> None:
        size = self._file.seek(0, os.SEEK_END)
        try:
            if self._file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())
        except OSError:
            # No other line may come after half of one.
            self._file.truncate(size)
            raise


@contextlib.contextmanager
def open_journal(path: Path, registry: str) -> Iterator[Journal]:
    """The journal for one registry; it is made if it is not there."""
    with _naming(path):
        _check_kind(path)
        file = open(path, "a+b", buffering=0)  # noqa: SIM115
    with file:
        if not try_lock(file, exclusive=True):
            raise OutputError(
                f"{path} is in use: something is being published from here; wait until that is done"
            )
        file.seek(0)
        known, size = _read(file, path, registry)
        with _naming(path):
            file.truncate(size)
        yield Journal(path, file, registry, known)


def read_journal(path: Path, registry: str) -> set[str]:
    """What was published in a registry, without making a journal or locking it."""
    with _naming(path):
        _check_kind(path)
        if not path.exists() and path.parent.is_dir():
            return set()
        with open(path, "rb") as file:
            return _read(file, path, registry)[0]


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise OutputError(f"{path}: {why}; name another file with --journal") from error


def _check_kind(path: Path) -> None:
    # Opening a pipe would wait for somebody who writes into it.
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise OutputError(f"{path} is not a file; name one with --journal")


def _read(file: BinaryIO, path: Path, registry: str) -> tuple[set[str], int]:
    """What a journal says of a registry, and how many bytes of the journal are sound."""
    data = read_at_most(file, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        raise HeaderError(f"more than {_MOST_BYTES >> 20} MiB; is it a journal?", file=path)
    sound, _, rest = data.rpartition(b"\n")
    # What is left of a line of ours; some file systems fill what was not written yet with zeros.
    if not _BEGINNING.startswith(rest.rstrip(b"\0")[: len(_BEGINNING)]):
        raise _not_a_line(path, sound.count(b"\n") + 1 + bool(sound))
    known = set()
    for number, line in enumerate(sound.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            entry = read_json(line.decode())
            uri, place = entry["uri"], entry["registry"]
        except (ValueError, KeyError, TypeError):
            raise _not_a_line(path, number) from None
        if not isinstance(uri, str) or not isinstance(place, str):
            raise _not_a_line(path, number)
        if place == registry:
            known.add(uri)
    return known, len(data) - len(rest)


def _not_a_line(path: Path, number: int) -> HeaderError:
    return HeaderError(
        "this is not a line of a journal of what was published",
        file=path,
        line=number,
        hint="name another file with --journal, or remove this one to ask the registry again",
    )
