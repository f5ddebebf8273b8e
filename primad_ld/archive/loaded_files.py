"""Which files were loaded, so that unchanged ones are not read again.

The ledger is a help and not a part of the archive: without it, everything is read again and
the archive is the same. A damaged one is therefore replaced by an empty one. It is written after
what it is about, so after a crash it knows too little rather than too much.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import ArchiveError
from primad_ld.core.files import open_file
from primad_ld.header.sources import Source

_SETTING_UP: Final = (
    # A crash of the machine may cost entries, which costs reading some files again.
    "PRAGMA synchronous = OFF",
    """
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, how TEXT, stamp TEXT, digest TEXT, run TEXT, said TEXT
) WITHOUT ROWID
""",
    "CREATE INDEX IF NOT EXISTS runs ON files (run)",
    "CREATE INDEX IF NOT EXISTS digests ON files (digest)",
)
# What SQLite says of a damaged file, and of one whose tables are not ours.
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
# So many seconds others may take to write into it.
_PATIENCE: Final = 30
#: Stands in a ledger that replaced a damaged one.
_REPLACED: Final = 1
# A file may change again within the tick of the clock in which it was read.
_SETTLED_NS: Final = 2_000_000_000
# Begins what stands for a path that is not text; no absolute path begins like this.
_BYTES: Final = "bytes:"
# Most files are smaller than the buffer that hashlib.file_digest makes for each of them.
_PIECE: Final = 2**16


@dataclass(frozen=True, slots=True)
class LedgerEntry:
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

    @property
    def is_there(self) -> bool:
        """Whether the file still exists."""
        return os.path.exists(self.file)

    @property
    def file(self) -> str:
        """The path of the file, as Python has it."""
        if not self.path.startswith(_BYTES):
            return self.path
        return os.fsdecode(bytes.fromhex(self.path.removeprefix(_BYTES)))


class Ledger:
    """The files of one archive."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path is not None and path.is_dir():
            raise ArchiveError(
                f"{path} is a folder, but the ledger file belongs there; move it and rerun the "
                "command (unchanged files are then read again)"
            )
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            # SQLite takes an empty file for a new one, and would not say that all is lost.
            is_emptied = path is not None and path.exists() and path.stat().st_size == 0
            self._database = _connect(path)
            for statement in _SETTING_UP:
                self._run(statement)
            if is_emptied:
                self._run(f"PRAGMA user_version = {_REPLACED}")
        except (sqlite3.Error, OSError) as error:
            raise ArchiveError(f"{path}: {error}") from error
        self._stats: dict[str, tuple[int, int]] = {}
        self._keys: dict[str, str] = {}

    def begin(self) -> None:
        """Look at the files' sizes and times again; they are looked at once for each load."""
        self._stats.clear()
        self._keys.clear()

    def _run(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows of a statement; in a damaged database, it starts from none."""
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            if not self._is_damage(error):
                raise ArchiveError(f"{self.path}: {error}") from error
        self._replace()
        return self._database.execute(statement, values).fetchall()

    def _is_damage(self, error: sqlite3.DatabaseError) -> bool:
        # Another error than these may pass: the disk is full, somebody else is writing.
        code = getattr(error, "sqlite_errorcode", None)
        is_damage = "decode" in str(error) if code is None else code & 0xFF in _DAMAGE
        return self.path is not None and is_damage

    def _replace(self) -> None:
        """Begin with an empty ledger, and remember that until the next load."""
        assert self.path is not None
        self._database.close()
        for name in (self.path, self.path.with_name(f"{self.path.name}-journal")):
            name.unlink(missing_ok=True)
        self._database = _connect(self.path)
        for statement in (*_SETTING_UP, f"PRAGMA user_version = {_REPLACED}"):
            self._database.execute(statement)
        self._database.commit()

    @property
    def is_replaced(self) -> bool:
        """Whether it was damaged, and has not been filled by a load since."""
        return bool(self._run("PRAGMA user_version")[0][0] == _REPLACED)

    @property
    def is_empty(self) -> bool:
        """Whether no file was loaded before."""
        return not self._run("SELECT 1 FROM files LIMIT 1")

    def finish(self) -> list[str]:
        """Notes for whoever loaded: why files were read that have not changed."""
        if not self.is_replaced:
            return []
        self._run("PRAGMA user_version = 0")
        return [f"{self.path} was damaged and has been rebuilt; unchanged files were read again"]

    def unchanged(self, source: Source, how: str) -> LedgerEntry | None:
        """What is known of a source, if its files are as they were."""
        key = self.key(source)
        row = next(iter(self._run("SELECT * FROM files WHERE path = ?", (key,))), ())
        if not all(isinstance(cell, str) for cell in row) or list(row[1:2]) != [how]:
            return None
        entry = LedgerEntry(*row)
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
        rows = self._run("SELECT run FROM files WHERE path = ?", (self.key(source),))
        return rows[0][0] if rows else ""

    def holding(self, run: str) -> list[LedgerEntry]:
        """The files that hold a run, as they were loaded; some may be gone."""
        rows = self._run("SELECT * FROM files WHERE run = ? ORDER BY path", (run,))
        return [LedgerEntry(*row) for row in rows]

    def moved(self, entry: LedgerEntry) -> LedgerEntry | None:
        """The entry of a file that is gone and had all that another one has now."""
        rows = self._run(
            "SELECT * FROM files WHERE digest = ? AND path <> ? ORDER BY path",
            (entry.digest, entry.path),
        )
        return next((one for one in (LedgerEntry(*row) for row in rows) if not one.is_there), None)

    def entry(self, source: Source, how: str, stamp: str, run: str, said: str) -> LedgerEntry:
        """A new entry; its files are read for a digest, which costs little beside lifting."""
        return LedgerEntry(self.key(source), how, stamp, digest_of(source), run, said)

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

    def key(self, source: Source) -> str:
        """The path by which a source is known here."""
        if source.path not in self._keys:
            self._keys[source.path] = _as_text(os.path.realpath(source.path))
        return self._keys[source.path]

    def record(self, entries: Iterable[LedgerEntry], gone: Iterable[LedgerEntry] = ()) -> None:
        """Remember what was loaded, and forget files that have moved."""
        rows = [(one.path, one.how, one.stamp, one.digest, one.run, one.said) for one in entries]
        paths = [(one.path,) for one in gone]
        try:
            self._insert(rows, paths)
        except sqlite3.DatabaseError as error:
            if not self._is_damage(error):
                raise ArchiveError(f"{self.path}: {error}") from error
            self._replace()
            self._insert(rows, paths)

    def _insert(self, rows: Sequence[tuple[str, ...]], gone: Sequence[tuple[str]]) -> None:
        with self._database:
            self._database.executemany("DELETE FROM files WHERE path = ?", gone)
            self._database.executemany(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows
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


def _connect(path: Path | None) -> sqlite3.Connection:
    return sqlite3.connect(
        str(path) if path is not None else ":memory:", timeout=_PATIENCE, check_same_thread=False
    )


def _as_text(path: str) -> str:
    """A path as databases take it: file names may hold bytes that are no text."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return f"{_BYTES}{os.fsencode(path).hex()}"
    return path


def _files(source: Source) -> tuple[str, ...]:
    return (source.path, *source.sidecars)


def _sizes(stamp: str) -> list[int]:
    try:
        return [size for _, size, _ in json.loads(stamp)]
    except (ValueError, TypeError):
        return []  # damaged
