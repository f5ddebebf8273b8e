"""One writer or many readers: the lock of an archive folder.

RocksDB's own lock keeps a second writer out but lets readers in beside a writer, which it
documents as undefined behaviour. The operating system lets go of the lock when a process
dies, however it dies.
"""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import IO

from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import try_lock


class Lock:
    """A lock that is held until it is released."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    @classmethod
    def acquire(cls, path: Path, *, exclusive: bool) -> Lock:
        """Take the lock; `ArchiveError` if somebody else holds it."""
        try:
            file = open(path, "a+" if exclusive or not path.exists() else "r", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            if not exclusive and not path.exists():
                return cls(None)  # a folder that cannot be written to has no writer either
            raise ArchiveError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        if not try_lock(file, exclusive=exclusive):
            holder = _holder(file)
            file.close()
            raise ArchiveError(
                f"the archive {path.parent} is open elsewhere{holder}; wait until that is done"
            )
        if exclusive:
            file.seek(0)
            file.truncate()
            json.dump({"process": os.getpid(), "host": socket.gethostname()}, file)
            file.flush()
        return cls(file)

    def release(self) -> None:
        """Let others in."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _holder(file: IO[str]) -> str:
    """Who wrote last, which is the holder unless readers hold the lock."""
    try:
        file.seek(0)
        said = json.load(file)
        return f" (last written to by process {int(said['process'])} on {said['host']!s:.60})"
    except (ValueError, KeyError, TypeError, OSError, ArithmeticError, RecursionError):
        return ""
