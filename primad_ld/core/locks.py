"""Locks of files between processes; the system lets go of them when a process dies."""

from __future__ import annotations

import sys
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: IO[Any], *, exclusive: bool) -> bool:
        """Whether the lock of an open file could be taken; closing the file lets go of it."""
        # Windows has no shared locks here; readers then take turns, too.
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(file: IO[Any], *, exclusive: bool) -> bool:
        """Whether the lock of an open file could be taken; closing the file lets go of it."""
        kind = fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
