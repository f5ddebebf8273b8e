"""Files as they were published, in a folder beside the store.

A store changes literals (``0.50`` becomes ``0.5``), and a changed literal breaks a signature. So
the bytes of nanopublications are kept as they were read, one file for each.
"""

from __future__ import annotations

import os
from pathlib import Path

from primad_ld.core.errors import ArchiveError, HeaderError
from primad_ld.rdf.nanopub_statements import SUFFIXES, read_bytes


class Shelf:
    """The files that one archive keeps, by a key each; in memory without a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._memory: dict[str, tuple[bytes, str]] = {}
        self._files: dict[str, str] | None = None

    def __contains__(self, key: str) -> bool:
        return key in self._memory or key in self._names()

    def keys(self) -> set[str]:
        """What is kept."""
        return {*self._memory, *self._names()}

    def path(self, key: str) -> Path | None:
        """The file that is kept under a key; None if there is none."""
        name = self._names().get(key)
        return self.folder / name if self.folder is not None and name else None

    def keep(self, key: str, suffix: str, data: bytes) -> None:
        """Keep a text, in the place of one that is there."""
        if self.folder is None:
            self._memory[key] = data, suffix
            return
        former, name = self._names().get(key), key + suffix
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = self.folder / f".{name}.{os.getpid()}"
        try:
            temporary.write_bytes(data)
            os.replace(temporary, self.folder / name)
        except OSError as error:
            raise ArchiveError(
                f"{error.filename}: {(error.strerror or str(error)).lower()}"
            ) from error
        finally:
            temporary.unlink(missing_ok=True)
        if former not in (None, name):
            (self.folder / str(former)).unlink(missing_ok=True)
        self._names()[key] = name

    def sync(self) -> None:
        """Wait until what was kept is on the disk: one by one, that takes longer than all else."""
        if self.folder is not None and hasattr(os, "sync"):
            os.sync()

    def read(self, key: str) -> tuple[bytes, str] | None:
        """A text and the suffix that tells its format; None where there is none to be read."""
        path = self.path(key)
        if path is None:
            return self._memory.get(key)
        try:
            return read_bytes(path), path.suffix
        except HeaderError:
            return None

    def remove(self, key: str) -> None:
        """Forget what is kept under a key."""
        path = self.path(key)
        if path is not None:
            path.unlink(missing_ok=True)
        self._memory.pop(key, None)
        self._names().pop(key, None)

    def _names(self) -> dict[str, str]:
        """The names of the files, by key; looked at once, since there may be many."""
        if self._files is None:
            names = sorted(os.listdir(self.folder)) if self.folder and self.folder.is_dir() else []
            self._files = {
                Path(name).stem: name
                for name in names
                if not name.startswith(".") and Path(name).suffix in SUFFIXES
            }
        return self._files
