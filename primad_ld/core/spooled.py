"""Things that wait to be read again, in a temporary file where there are many of them."""

from __future__ import annotations

import pickle
import tempfile
import weakref
from collections.abc import Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")
#: So many are written together; what they share is written once.
_BLOCK: Final = 100
_IN_MEMORY: Final = 1 << 20


class Spooled(Generic[T]):
    """Things that were added one by one, and can be read any number of times."""

    def __init__(self) -> None:
        self._count = 0
        self._last: list[T] = []
        self._places: list[int] = []
        # Whoever stops half-way closes nothing.
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._file.close)

    def add(self, thing: T) -> None:
        """Add one more."""
        self._last.append(thing)
        self._count += 1
        if len(self._last) == _BLOCK:
            self._places.append(self._file.seek(0, 2))
            pickle.dump(self._last, self._file, pickle.HIGHEST_PROTOCOL)
            self._last = []

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        for place in self._places:
            self._file.seek(place)
            yield from pickle.load(self._file)  # noqa: S301  our own
        yield from self._last
