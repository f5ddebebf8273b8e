"""Which files were loaded, so that unchanged ones are not read again.

The ledger is a help and no part of the archive: without it, everything is read again and
the archive is the same. It is written after what it tells about, so after a crash it knows
too little rather than too much.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from primad_ld.errors import ArchiveError
from primad_ld.files import open_file
from primad_ld.sources import Source

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, how TEXT, stamp TEXT, digest TEXT, run TEXT, said TEXT
) WITHOUT ROWID
"""
_INDEX: Final = "CREATE INDEX IF NOT EXISTS runs ON files (run)"
# A file may change again within the tick of the clock in which it was read.
_SETTLED_NS: Final = 2_000_000_000
# Most files are smaller than the buffer that hashlib.file_digest makes for each of them.
_PIECE: Final = 2**16


@dataclass(frozen=True, slots=True)
class Entry:
    """One file as it was loaded, together with the header files beside and above it."""

    path: str
    #: How it was read: other options make another run of the same file.
    how: str
    #: Sizes and times; empty if they cannot be trusted yet.
    stamp: str
    digest: str
    #: The run that it holds; empty for a file that is neither run nor header.
    run: str
    said: str


class Ledger:
    """The files of one archive."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._database = _open(path)
        except (sqlite3.Error, OSError) as error:
            raise ArchiveError(f"{path}: {error}") from error
        self._stats: dict[str, tuple[int, int]] = {}
        self._keys: dict[str, str] = {}

    def begin(self) -> None:
        """Look at the files' sizes and times anew; they are looked at once for each load."""
        self._stats.clear()
        self._keys.clear()

    def unchanged(self, source: Source, how: str) -> Entry | None:
        """What is known of a source, if its files are as they were."""
        key = self._key(source)
        row = self._database.execute("SELECT * FROM files WHERE path = ?", (key,)).fetchone()
        if row is None or row[1] != how:
            return None
        entry = Entry(*row)
        try:
            stamp = self.stamp(source)
            if stamp and stamp == entry.stamp:
                return entry
            if entry.stamp and _sizes(entry.stamp) != _sizes(self._stamp(source)):
                return None
            if digest_of(source) != entry.digest:
                return None
        except OSError:
            return None  # reading it will say what is wrong
        again = replace(entry, stamp=stamp)
        self.record([again])
        return again

    def former_run(self, source: Source) -> str:
        """The run that a file held when it was loaded before, however it was read."""
        row = self._database.execute(
            "SELECT run FROM files WHERE path = ?", (self._key(source),)
        ).fetchone()
        return row[0] if row is not None else ""

    def holders(self, run: str) -> int:
        """How many files hold a run."""
        found = self._database.execute("SELECT COUNT(*) FROM files WHERE run = ?", (run,))
        return int(found.fetchone()[0])

    def entry(self, source: Source, how: str, stamp: str, run: str, said: str) -> Entry:
        """A new entry; its files are read for a digest, which costs little beside lifting."""
        return Entry(self._key(source), how, stamp, digest_of(source), run, said)

    def stamp(self, source: Source) -> str:
        """Sizes and times of a source's files; empty if one has only just been written."""
        now = time.time_ns()
        if any(now - self._stat(path)[1] < _SETTLED_NS for path in _files(source)):
            return ""
        return self._stamp(source)

    def _stamp(self, source: Source) -> str:
        return json.dumps([[path, *self._stat(path)] for path in _files(source)])

    def _stat(self, path: str) -> tuple[int, int]:
        # A folder's header stands above many runs.
        if path not in self._stats:
            found = os.stat(path)
            self._stats[path] = (found.st_size, found.st_mtime_ns)
        return self._stats[path]

    def _key(self, source: Source) -> str:
        if source.path not in self._keys:
            self._keys[source.path] = _as_text(os.path.realpath(source.path))
        return self._keys[source.path]

    def record(self, entries: Iterable[Entry]) -> None:
        """Remember what was loaded."""
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)",
                [(one.path, one.how, one.stamp, one.digest, one.run, one.said) for one in entries],
            )

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def digest_of(source: Source) -> str:
    """A digest of all that a source reads."""
    digest = hashlib.sha256()
    for path in _files(source):
        one = hashlib.sha256()
        with open_file(path) as stream:
            while piece := stream.read(_PIECE):
                one.update(piece)
        digest.update(one.digest())
    return digest.hexdigest()


def remote_ledger(address: str) -> Path:
    """Where what was loaded into an endpoint is remembered: with the user, not on the server."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = hashlib.sha256(address.encode()).hexdigest()[:16]
    return Path(home) / "primad-ld" / f"{name}.sqlite"


def _open(path: Path | None) -> sqlite3.Connection:
    try:
        return _connect(path)
    except sqlite3.DatabaseError:
        if path is None:
            raise
        # Damaged: what it knew is found out again.
        with suppress(FileNotFoundError):
            path.unlink()
        return _connect(path)


def _connect(path: Path | None) -> sqlite3.Connection:
    database = sqlite3.connect(
        str(path) if path is not None else ":memory:", timeout=30, check_same_thread=False
    )
    # A crash of the machine may cost entries, which costs reading some files again.
    database.execute("PRAGMA synchronous = OFF")
    database.execute(_TABLE)
    database.execute(_INDEX)
    database.commit()
    return database


def _as_text(path: str) -> str:
    """A path as databases take it: file names may hold bytes that are no text."""
    try:
        path.encode()
    except UnicodeEncodeError:
        # No absolute path begins like this.
        return f"bytes:{os.fsencode(path).hex()}"
    return path


def _files(source: Source) -> tuple[str, ...]:
    return (source.path, *source.sidecars)


def _sizes(stamp: str) -> list[int]:
    return [size for _, size, _ in json.loads(stamp)]
