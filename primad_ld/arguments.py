"""What users of the library may give: one path or several, one text or several.

A text is iterable, so that where several paths are expected ``"runs"`` would be the files ``r``,
``u``, ``n`` and ``s``. Every public function reads its arguments by these functions instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from primad_ld.errors import PrimadError

#: A file or a folder; one or several of them; one or several texts.
AnyPath = str | os.PathLike[str]
AnyPaths = AnyPath | Iterable[AnyPath]
Texts = str | Iterable[str]

Item = TypeVar("Item")
Given = TypeVar("Given")

_PATHS: Final = (str, os.PathLike)


def to_path(given: AnyPath, what: str = "path") -> Path:
    """A path from a text or a path; `TypeError` for anything else."""
    if not isinstance(given, _PATHS):
        raise TypeError(f"{what}: expected {_named(_PATHS)}, not {_shown(given)}")
    if given == "":
        raise PrimadError(f"{what}: the path is empty; name a file or a folder")
    return Path(given)


def to_name(given: AnyPath, what: str) -> str:
    """A text from a text or a path; a text stays as it was written, as addresses must."""
    path = to_path(given, what)
    return given if isinstance(given, str) else str(path)


def to_optional_path(given: AnyPath | None, what: str = "path") -> Path | None:
    """The same where None means that there is none."""
    return None if given is None else to_path(given, what)


def to_paths(given: AnyPaths, what: str = "paths") -> list[Path]:
    """Paths from one or several."""
    return [to_path(one, what) for one in several(given, what, *_PATHS)]


def to_names(given: AnyPaths, what: str) -> tuple[str, ...]:
    """Texts from one or several, each of which may be a path."""
    return tuple([to_name(one, what) for one in several(given, what, *_PATHS)])


def to_texts(given: Texts, what: str) -> tuple[str, ...]:
    """Texts from one or several."""
    return tuple(several(given, what, str))


def to_format(given: str, known: Iterable[str]) -> str:
    """The name that we use for a format, by any that it usually has; case does not matter."""
    names = [str(name) for name in known]
    name = given.strip().removeprefix(".").casefold()
    same = next((words.split() for words in _SAME_FORMAT if name in words.split()), [name])
    found = next((one for one in names if one in same), None)
    if found is None or name == "":
        raise PrimadError(f"unknown format {given!r}; choose from {', '.join(names)}")
    return found


# What one format is called, by us and by others.
_SAME_FORMAT: Final = (
    "nq nquads n-quads application/n-quads",
    "nt ntriples n-triples application/n-triples",
    "ttl turtle text/turtle",
    "trig application/trig",
    "jsonld json-ld application/ld+json",
    "yaml yml application/yaml",
    "json application/json",
    "csv text/csv",
    "tsv text/tab-separated-values",
    "xml application/xml",
    "markdown md text/markdown",
    "latex tex",
    "table text txt text/plain",
    "jsonschema json-schema application/schema+json",
)


def several(given: Any, what: str, *kinds: type) -> list[Any]:
    """A list of one or several values of some types; `TypeError` for anything else.

    A set comes in the order of its texts, so that the same set gives the same result.
    """
    if isinstance(given, kinds):
        return [given]
    if isinstance(given, bytes | bytearray) or not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected {_named(kinds)}, or several, not {_shown(given)}")
    found = sorted(given, key=str) if isinstance(given, AbstractSet) else list(given)
    for one in found:
        if not isinstance(one, kinds):
            raise TypeError(
                f"{what}: expected {_named(kinds)}, or several, and one is {_shown(one)}"
            )
    return found


class Several(Generic[Given, Item]):
    """A field of an options class that may be given one value or several; it holds a tuple."""

    def __init__(
        self, read: Callable[[Any, str], Iterable[Item]], default: tuple[Item, ...] = ()
    ) -> None:
        self.read, self.default, self.name = read, default, ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, options: object | None, owner: type) -> tuple[Item, ...]:
        """The values; for the class itself, those that it has by default."""
        return (
            self.default if options is None else cast(tuple[Item, ...], options.__dict__[self.name])
        )

    def __set__(self, options: object, given: Given | Iterable[Given]) -> None:
        options.__dict__[self.name] = tuple(self.read(given, self.name))


def _named(kinds: tuple[type, ...]) -> str:
    return " or ".join("Path" if kind is os.PathLike else kind.__name__ for kind in kinds)


def _shown(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} ({value!r:.40})"
