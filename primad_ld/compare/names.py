"""Names that mean the same thing, by the extensible table ``names.yaml``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from primad_ld.core import yamltext
from primad_ld.core.errors import HeaderError, SchemaError
from primad_ld.core.files import resource

#: What does not count in a name.
_IGNORED: Final = re.compile(r"""[\s\-\u2010-\u2015_/'"\u2018\u2019\u201c\u201d]+""")


class Table(NamedTuple):
    """The names of one kind of things."""

    #: The canonical name of each name.
    canonical: dict[str, str]
    #: Names that are listed with something in parentheses at their end.
    with_arguments: frozenset[str]
    #: The length of the longest name.
    longest: int


def known_name(kind: str, text: str) -> str | None:
    """The canonical name of what a header calls ``text``, or None if the table does not know it.

    The kinds (``models``, ``stemmers`` …) and the rules of matching are those of ``names.yaml``.
    """
    table = _tables()[kind]
    names = table.canonical
    return next((names[name] for name in _names_in(text, table) if name in names), None)


def read_tables(file: Path) -> dict[str, Table]:
    """The table of each kind. Two things of a kind that share a name are an error."""
    try:
        kinds = yamltext.parse(file.read_text(encoding="utf-8"))
    except HeaderError as error:
        raise SchemaError(str(error.in_file(file))) from error
    if not isinstance(kinds, dict):
        raise SchemaError(f"{file}: must be a mapping of kinds")
    return {kind: _read_table(things, f"{file}: {kind}") for kind, things in kinds.items()}


def _read_table(things: yamltext.Value, where: str) -> Table:
    if not isinstance(things, dict) or not things:
        raise SchemaError(f"{where}: must be a mapping of canonical names")
    names: dict[str, str] = {}
    for canonical, others in things.items():
        if not isinstance(others, list):
            raise SchemaError(f"{where}: {canonical}: must be a list of other names")
        for name in (canonical, *others):
            folded = "".join(_folded(name)[:2]) if isinstance(name, str) else ""
            if not folded:
                raise SchemaError(f"{where}: {canonical}: {name!r} is not a name")
            if (first := names.setdefault(folded, canonical)) != canonical:
                raise SchemaError(
                    f"{where}: {first} and {canonical} share the name {name!r}; "
                    "remove it from one of them"
                )
    heads = frozenset(name.rpartition("(")[0] for name in names if name.endswith(")"))
    return Table(names, heads, max(map(len, names)))


@cache
def _tables() -> dict[str, Table]:
    return read_tables(resource("compare/names.yaml"))


def _folded(text: str) -> tuple[str, str, bool]:
    """A name without what does not count, what is in parentheses at its end, and if it has spaces."""
    text = unicodedata.normalize("NFKC", text).casefold().strip()
    head, mark, rest = text.rpartition("(") if text.endswith(")") else (text, "", "")
    has_spaces = len(head.split(maxsplit=1)) > 1
    return _IGNORED.sub("", head), _IGNORED.sub("", mark + rest), has_spaces


def _names_in(text: str, table: Table) -> Iterator[str]:
    """The names to look up, the longest first."""
    path, arguments, has_spaces = _folded(text)
    first = max(0, len(path) - table.longest - 1)
    dots = [] if has_spaces else [at for at in range(first, len(path)) if path[at] == "."]
    for start in (0, *(at + 1 for at in dots)):
        name = path[start:]
        if len(name) + len(arguments) <= table.longest:
            yield name + arguments
        if arguments and name not in table.with_arguments:
            yield name
