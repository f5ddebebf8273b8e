"""Notes about files: what is to be said of many of them is said once, with a count."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Final

#: Of so many files, each has its own line.
_MOST_ALONE: Final = 3
_MOST_NAMES: Final = 5


class FileNote(str):
    """A note about a file, which may be the same for many: a text that knows both."""

    __slots__ = ("file", "together")

    file: str
    #: What it says about all files together.
    together: str

    def __new__(cls, text: str, file: str, together: str) -> FileNote:
        note = super().__new__(cls, text)
        note.file, note.together = file, together
        return note

    def __reduce__(self) -> tuple[type[FileNote], tuple[str, str, str]]:
        return FileNote, (str(self), self.file, self.together)


def told_together(notes: Iterable[str], *, each: bool = False) -> Iterator[str]:
    """Notes, each once; those that say the same about many files in one line, unless each is asked for."""
    by_text: dict[str, list[str]] = {}
    for note in notes:
        text = note.together if isinstance(note, FileNote) and not each else note
        by_text.setdefault(text, []).append(note)
    for text, some in by_text.items():
        files = list(dict.fromkeys(note.file for note in some if isinstance(note, FileNote)))
        if len(files) > _MOST_ALONE:
            yield f"{text}: {len(files):,} files ({some_names(files)})"
        else:
            yield from dict.fromkeys(some)


def some_names(files: Iterable[str]) -> str:
    """The first names of some files, and how many more there are."""
    names = [os.path.basename(file) for file in files]
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")
