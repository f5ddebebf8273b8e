"""What users of the library may give: one path or several, one text or several, options.

A text is iterable, so that where several paths are expected ``"runs"`` would be the files ``r``,
``u``, ``n`` and ``s``. Every public function reads its arguments by these functions instead, and
classes of options read their fields with `read_fields`.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, SupportsIndex, TypeVar, cast

from primad_ld.core.errors import PrimadError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

#: A file or a folder; one or several of them; one or several texts.
AnyPath = str | os.PathLike[str]
AnyPaths = AnyPath | Iterable[AnyPath]
Texts = str | Iterable[str]

Item = TypeVar("Item")
Parameters = ParamSpec("Parameters")
Choice = TypeVar("Choice", bound=str)

_PATHS: Final = (str, os.PathLike)
_PARTS: Final = re.compile(r"(?:[^,()]++|\([^()]*+\)|[()])++")


def to_path(given: AnyPath, what: str = "path") -> Path:
    """A path from a text or a path; `TypeError` for anything else."""
    if not isinstance(given, _PATHS):
        raise TypeError(f"{what}: expected {_named(_PATHS)}, not {_shown(given)}")
    if given == "":
        raise PrimadError(f"{what}: the path is empty; name a file or a folder")
    path = Path(given)
    try:
        is_name = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_name = False
    if not is_name:
        raise PrimadError(f"{what}: {str(given)!r} is not a valid path; name a file or a folder")
    return path


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


def to_parts(given: Texts, what: str) -> tuple[str, ...]:
    """Texts from one or several, each split at commas that are not within parentheses."""
    parts = (part.strip() for text in to_texts(given, what) for part in _PARTS.findall(text))
    return tuple(part for part in parts if part)


def several(given: Any, what: str, *kinds: type) -> list[Any]:
    """A list of one or several values of some types; `TypeError` for anything else.

    A set comes in the order of its texts, so that the same set gives the same result.
    """
    if isinstance(given, kinds):
        return [given]
    # As paths, a table of pandas would be the names of its columns, and a dict its keys.
    is_table = kinds == _PATHS and (isinstance(given, Mapping) or hasattr(given, "columns"))
    if is_table or isinstance(given, bytes | bytearray) or not isinstance(given, Iterable):
        raise TypeError(f"{what}: expected {_named(kinds)}, or several, not {_shown(given)}")
    found = sorted(given, key=str) if isinstance(given, AbstractSet) else list(given)
    for one in found:
        if not isinstance(one, kinds):
            raise TypeError(
                f"{what}: expected {_named(kinds)}, or several, but one is {_shown(one)}"
            )
    return found


def to_text(given: str, what: str) -> str:
    """One text; `TypeError` for anything else."""
    return cast(str, _of_kind(given, what, str, "str"))


def to_whole(least: int | None = None) -> Callable[[Any, str], int]:
    """Reads whole numbers from ``least`` on; texts and fractions are a `TypeError`."""

    def read(given: Any, what: str) -> int:
        # To ask for a protocol takes longer than to read a short header.
        is_int = type(given) is int
        number = (
            given if is_int else _of_kind(given, what, SupportsIndex, "a whole number").__index__()
        )
        if least is not None and number < least:
            raise PrimadError(f"{what}: must be at least {least} (got {number})")
        return cast(int, number)

    return read


def to_number(given: float, what: str) -> float:
    """A number; `TypeError` for texts."""
    number = _of_kind(given, what, Real, "a number")
    try:
        return float(number)
    except OverflowError:
        raise PrimadError(f"{what}: the number is too large") from None


#: No request takes longer, and system calls take few more.
MOST_SECONDS: Final = 86_400


def to_seconds(given: float, what: str) -> float:
    """A time that something may take; `TypeError` for texts."""
    number = to_number(given, what)
    if not 0 < number <= MOST_SECONDS:  # which NaN is not, either
        raise PrimadError(
            f"{what}: must be more than 0 and at most {MOST_SECONDS:,} seconds (got {number:g})"
        )
    return number


def to_choice(*known: Choice) -> Callable[[Any, str], Choice]:
    """Reads one of some texts, which may be members of an enum."""

    def read(given: Any, what: str) -> Choice:
        text = _of_kind(given, what, str, "str").strip().casefold()
        found = next((one for one in known if one == text), None)
        if found is None:
            raise PrimadError(
                f"{what}: unknown value {str(given)!r}; choose from {', '.join(known)}"
            )
        return found

    return read


def optional(read: Callable[[Any, str], Item]) -> Callable[[Any, str], Item | None]:
    """Reads the same where None means that nothing is given."""
    return lambda given, what: None if given is None else read(given, what)


# Options and keywords ---------------------------------------------------------------------


def to_flag(given: bool, what: str) -> bool:
    """True or False; anything else, such as "no", would be one of them in silence."""
    return cast(bool, _of_kind(given, what, bool, "True or False"))


def to_mapping(given: Mapping[str, Item], what: str) -> Mapping[str, Item]:
    """A dict whose keys are texts."""
    for key in _of_kind(given, what, Mapping, "a dict"):
        _of_kind(key, f"{what}: a key", str, "str")
    return given


_READERS: Final[dict[str, Callable[[Any, str], object]]] = {
    "str": to_text,
    "bool": to_flag,
    "float": to_number,
    "tuple[str, ...]": to_texts,
    "Mapping[str, str]": to_mapping,
    "Mapping[str, object]": to_mapping,
}


def _reader_of(annotation: str, default: object) -> Callable[[Any, str], object] | None:
    """How a value is read whose type is a plain one; whole numbers may be 0 if their default is."""
    kind = annotation.removesuffix(" | None")
    read = _READERS.get(kind)
    if kind == "int":
        read = to_whole(0 if default in (0, None) else 1)
    elif kind.startswith("Literal["):
        read = to_choice(*re.findall(r"\w+", kind.partition("[")[2]))
    return optional(read) if read is not None and kind != annotation else read


def read_fields(options: DataclassInstance, **readers: Callable[[Any, str], object]) -> None:
    """Read what a frozen dataclass of options was given: fields by their readers, else by type.

    Its ``__post_init__`` calls this, so that a bad value is refused when it is given.
    """
    for field in fields(options):
        read = readers.get(field.name) or _reader_of(str(field.type), field.default)
        if read is not None:
            value = read(getattr(options, field.name), field.name)
            object.__setattr__(options, field.name, value)


def checked(function: Callable[Parameters, Item]) -> Callable[Parameters, Item]:
    """A function that users call: keywords with another type than its signature says are refused."""
    signature = inspect.signature(function)
    readers = {
        name: read
        for name, one in signature.parameters.items()
        if (read := _reader_of(str(one.annotation), one.default)) is not None
    }

    @functools.wraps(function)
    def call(*given: Parameters.args, **keywords: Parameters.kwargs) -> Item:
        try:
            bound = signature.bind(*given, **keywords)
        except TypeError as error:
            raise TypeError(f"{function.__name__}: {error}") from None
        for name in bound.arguments.keys() & readers.keys():
            bound.arguments[name] = readers[name](bound.arguments[name], name)
        return function(*bound.args, **bound.kwargs)

    return call


# Errors -----------------------------------------------------------------------------------


def _of_kind(given: Any, what: str, kind: type, expected: str) -> Any:
    # True and False are numbers only to Python.
    if not isinstance(given, kind) or (kind is not bool and isinstance(given, bool)):
        raise TypeError(f"{what}: expected {expected}, not {_shown(given)}")
    return given


def _named(kinds: tuple[type, ...]) -> str:
    return " or ".join("Path" if kind is os.PathLike else kind.__name__ for kind in kinds)


def _shown(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__} ({value!r:.40})"
