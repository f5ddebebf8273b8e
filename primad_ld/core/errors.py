"""What can go wrong, each error with the place where it happened and what to do.

Errors repeat what files say. `printable` and `without_commands` are for such text: it ends no line
of ours, steers no terminal, and is no command of GitHub Actions.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final


class PrimadError(Exception):
    """Base of all errors that primad-ld raises on purpose; the command line exits with 2.

    >>> import primad_ld as pl
    >>> try:
    ...     pl.read_header("nosuch.txt")
    ... except pl.PrimadError as error:
    ...     print(error)
    nosuch.txt: no such file or directory

    Each argument is one line, whatever a file put into it, and not too long to be read.
    """

    def __str__(self) -> str:
        return "\n".join(in_short(printable(str(line))) for line in self.args)


class SchemaError(PrimadError):
    """The shapes or the ontology cannot be used as a schema."""


class OutputError(PrimadError):
    """Something could not be written; what stood there before is untouched.

    >>> import primad_ld as pl
    >>> pl.strip("runs/shed-bm25.txt", "qrels.txt")
    Traceback (most recent call last):
    primad_ld.core.errors.OutputError: qrels.txt already exists; use --force (force=True in Python) to overwrite it
    """


class ConvertError(PrimadError):
    """A file cannot be read as RDF, or holds no runs.

    >>> import primad_ld as pl
    >>> pl.convert("runs", "runs.nq", to="ttl")
    Traceback (most recent call last):
    primad_ld.core.errors.ConvertError: runs.nq: the suffix means nq, but --to is ttl; rename the output or remove --to
    """


class ArchiveError(PrimadError):
    """An archive cannot be opened, read or written, or has no such run.

    >>> import primad_ld as pl
    >>> pl.Archive()["nosuch"]
    Traceback (most recent call last):
    primad_ld.archive.tag_resolution.NoSuchRunError: memory: no run is called 'nosuch'
    """


class QueryError(ArchiveError):
    """A query cannot be answered as it stands: where in it, and why.

    >>> import primad_ld as pl
    >>> try:
    ...     pl.Archive().sparql("SELECT ?run { ?run a }")
    ... except pl.QueryError as error:
    ...     error.line, error.column
    (1, 15)
    """

    def __init__(
        self,
        why: str,
        *,
        name: str = "",
        line: int | None = None,
        column: int | None = None,
        below: str = "",
    ) -> None:
        self.why, self.name, self.line, self.column = why, name, line, column
        #: The line of the query, with a sign at the place.
        self.below = below
        super().__init__(why)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.name, self.line, self.column) if part)
        first = in_short(printable(f"{place}: {self.why}" if place else self.why))
        return f"{first}\n{self.below}" if self.below else first


class QueryTimeoutError(ArchiveError):
    """A query took longer than it was given."""


class LimitError(PrimadError):
    """Work took more time or memory than it was given; ``at`` is what it noted last."""

    def __init__(self, why: str, *, at: str = "") -> None:
        self.why, self.at = why, at
        super().__init__(why)

    def __reduce__(self) -> tuple[object, ...]:
        return _limit_error, (self.why, self.at)


def _limit_error(why: str, at: str) -> LimitError:
    return LimitError(why, at=at)


class HeaderError(PrimadError):
    r"""A header or a run file cannot be read: where, why, and what to do about it.

    >>> import primad_ld as pl
    >>> try:
    ...     pl.parse_header("tag: a\ntag: b")
    ... except pl.HeaderError as error:
    ...     error.line, error.why
    (2, "duplicate key 'tag' (first in line 1)")
    """

    def __init__(
        self,
        why: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        column: int | None = None,
        field: str = "",
        hint: str = "",
    ) -> None:
        self.why, self.file, self.line, self.column = why, file, line, column
        self.field, self.hint = field, hint
        super().__init__(why)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        words = [part for part in (place, self.field, self.why) if part]
        return in_short(printable(": ".join(words) + (f"; {self.hint}" if self.hint else "")))

    def __reduce__(self) -> tuple[object, ...]:
        # Errors travel from worker processes to the parent; keyword-only arguments
        # do not survive the default way of pickling.
        return _rebuild, (self.why, self.file, self.line, self.column, self.field, self.hint)

    def in_file(self, file: Path | str) -> HeaderError:
        """The same error with its file named, unless it names one already."""
        if self.file is None:
            self.file = file
        return self


def _rebuild(
    why: str, file: Path | str | None, line: int | None, column: int | None, field: str, hint: str
) -> HeaderError:
    return HeaderError(why, file=file, line=line, column=column, field=field, hint=hint)


class MeasureError(PrimadError):
    """A measure, its parameters or what it is asked to compare make no sense.

    >>> import primad_ld as pl
    >>> pl.evaluate_all_pairs("runs", measure="kto")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    primad_ld.core.errors.UnknownMeasureError: unknown measure 'kto'; did you mean ktu? ...
    """


class UnknownMeasureError(MeasureError):
    """A name is not that of a measure."""


# Text from files --------------------------------------------------------------------------

# GitHub Actions takes a line that begins like this for a command, wherever it comes from.
_COMMAND: Final = re.compile(r"^([^\S\n]*+)(?=::)", re.MULTILINE)


# Paths and lists of choices are shorter than this, values of users need not be.
_LONGEST_LINE: Final = 1500
_LONGEST_WORD: Final = 100


def printable(text: str) -> str:
    """Text as part of a line: without line breaks, and without what could steer a terminal."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else " " if char in "\n\r\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )


def in_short(line: str) -> str:
    """A line that can be read: where it is far too long, its longest words lose their middle.

    What is wrong stands at its beginning, and what to do at its end.
    """
    if len(line) <= _LONGEST_LINE:
        return line
    return _cut(" ".join(_cut(word, _LONGEST_WORD) for word in line.split(" ")), _LONGEST_LINE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}…{text[1 - most // 2 :]}"


def visible(text: str) -> str:
    """What machines read, on a terminal: printable, but for tabs and the ends of lines."""
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)


def without_commands(text: str) -> str:
    """Printable lines for people, none of which is a command of GitHub Actions."""
    return _COMMAND.sub(r"\1\\", text) if "::" in text else text
