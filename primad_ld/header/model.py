"""A header as a record: what it says, and where it says it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from primad_ld.core.errors import HeaderError
from primad_ld.core.files import writing
from primad_ld.core.library_arguments import checked, to_optional_path, to_path, to_whole
from primad_ld.core.yamltext import (
    MOST_VALUES,
    Mapping,
    Place,
    RawPlace,
    Sequence,
    Value,
    brief,
    parse,
)
from primad_ld.header import yamlwrite
from primad_ld.schema.fields import Node, Schema, default_schema
from primad_ld.tables.answers import plain
from primad_ld.tables.file_notes import FileNote

#: A longer header is refused before it is parsed; an hour of tracking makes one of 5 MB.
MOST_BYTES: Final = 16 * 2**20
#: Where a tracker writes what it measured, or found at the time.
_RESOURCES: Final = "resources"
_MEASURED: Final = ("platform", "implementation", _RESOURCES)
_SURROGATE = re.compile("[\ud800-\udfff]")


_Keys = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Header:
    """The metadata of one run: texts, lists and mappings under canonical keys.

    >>> import primad_ld as pl
    >>> header = pl.read_header("runs/shed-bm25.txt")
    >>> header
    <Header: shed-bm25, runs/shed-bm25.yaml>
    >>> header["method"]["retrieval"][0]["name"], header.get("method", "retrieval", 0, "name")
    ('bm25', 'bm25')
    >>> "baseline" in header, header.get("baseline"), header.place("tag").line
    (False, None, 3)
    >>> header.to_dict()["tag"]
    'shed-bm25'

    Two headers are equal if they say the same in the same words; where they say it
    (`place`, `file`) does not count.
    """

    fields: Mapping
    file: Path | None = field(default=None, compare=False)

    @property
    def tag(self) -> str | None:
        """The run tag, if the header gives one."""
        tag = self.fields.get("tag")
        return tag if isinstance(tag, str) else None

    def __getitem__(self, key: str) -> Any:
        """A value, or the mapping or list below a key."""
        return self.fields[key]

    def __contains__(self, key: object) -> bool:
        return key in self.fields

    def __iter__(self) -> Iterator[str]:
        """The keys at the top."""
        return iter(self.fields)

    def __repr__(self) -> str:
        names = [str(name) for name in (self.tag, self.file) if name is not None]
        return f"<Header: {', '.join(names) or f'{len(self.fields)} keys'}>"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain dictionaries, lists and texts."""
        return {key: plain(value) for key, value in self.fields.items()}

    def get(self, *path: str | int) -> Value:
        """The value at a path of keys and list positions (from 0), or None."""
        value: Value = self.fields
        for step in path:
            if isinstance(value, Mapping) and isinstance(step, str):
                value = value.get(step)
            elif isinstance(value, Sequence) and isinstance(step, int) and 0 <= step < len(value):
                value = value[step]
            else:
                return None
        return value

    def place(self, *path: str | int) -> Place | None:
        """Where the key or item at a path stands, or the nearest thing above it that is there."""
        value: Value = self.fields
        place: RawPlace | None = None
        file: str | None = None
        for step in path:
            if isinstance(value, Mapping) and isinstance(step, str) and step in value:
                place = value.places.get(step, place)
                value = value[step]
            elif isinstance(value, Sequence) and isinstance(step, int) and 0 <= step < len(value):
                place = value.places[step] if step < len(value.places) else place
                value = value[step]
            else:
                break
            # What another file added is all from that file, unless a third one completed it.
            file = place[2] if place is not None and len(place) == 3 else file
        return Place(place[0], place[1], file) if place is not None else None


@dataclass(frozen=True, kw_only=True, slots=True)
class Conflict:
    """Two sources of one header that disagree; the first one won."""

    field: str
    kept: Value
    #: The file that says what was kept.
    kept_file: str | None
    left_out: Value
    file: Path | None
    line: int | None

    @property
    def note(self) -> FileNote:
        """The same as a note about the file that says what was kept."""
        return FileNote(str(self), self.kept_file or "", self._told("the file's own header"))

    def __str__(self) -> str:
        return self._told(self.kept_file or "the other header")

    def _told(self, other: str) -> str:
        place = f"{self.file}:{self.line}: {self.field}"
        if isinstance(self.kept, Sequence) and isinstance(self.left_out, Sequence):
            ours, theirs = yamlwrite.only_in(self.kept, self.left_out)
            said = [f"only {other} has {ours}"] if ours else []
            said += [f"only this list has {theirs}"] if theirs else []
            said = said or [f"{other} has the same items in another order"]
            return f"{place}: this list is ignored; {'; '.join(said)}"
        kept, left_out = self.values
        return f"{place}: {left_out} is ignored; {other} has {kept}"

    @property
    def values(self) -> tuple[str, str]:
        """What was kept and what was left out, however long, so that one sees where they differ."""
        return yamlwrite.apart(self.kept, self.left_out)


def parse_header(
    text: str,
    *,
    file: str | Path | None = None,
    first_line: int = 1,
    indent: int = 0,
    schema: Schema | None = None,
    most_values: int = MOST_VALUES,
    drop_empty: bool = True,
) -> Header:
    r"""The header that a YAML text holds; ``indent`` columns stand before it in the file.

    Keys with nothing behind them are places that a template left open: they say nothing,
    unless ``drop_empty`` is false.

    >>> import primad_ld as pl
    >>> pl.parse_header("tag: my-run\nmethod: {retrieval: [{name: bm25, k1: 0.90}]}")["tag"]
    'my-run'
    """
    schema, file = schema or default_schema(), to_optional_path(file, "file")
    first_line = to_whole(1)(first_line, "first_line")
    try:
        value = parse(
            text,
            first_line=first_line,
            indent=to_whole(0)(indent, "indent"),
            most_values=to_whole(1)(most_values, "most_values"),
            drop_empty=drop_empty,
        )
        if value is None:
            raise HeaderError(
                "the header is empty", line=first_line, hint="primad-ld init writes a template"
            )
        if not isinstance(value, Mapping):
            raise HeaderError(
                f"the header is a {'list' if isinstance(value, Sequence) else 'text'}",
                line=first_line,
                hint="write it as a mapping, such as 'tag: my-run'",
            )
        if drop_empty and not value and value.places:
            raise HeaderError(
                "the header has no values", line=first_line, hint="add a value after a colon"
            )
        return Header(fields=_canonical(value, schema.root), file=file)
    except HeaderError as error:
        raise error.in_file(file) if file is not None else error from None


def header_of(fields: object, *, schema: Schema | None = None) -> Header:
    """The header that plain dictionaries, lists and texts describe.

    >>> import primad_ld as pl
    >>> pl.header_of({"tag": "my-run", "actor": {"team": "my-lab"}})
    <Header: my-run>
    """
    value = _with_places(fields)
    if not isinstance(value, Mapping):
        raise HeaderError("a header must be a mapping")
    return Header(fields=_canonical(value, (schema or default_schema()).root))


def dump_header(header: Header, *, schema: Schema | None = None) -> str:
    """The header as YAML text, without start and end lines.

    >>> import primad_ld as pl
    >>> print(pl.dump_header(pl.header_of({"tag": "my-run"})), end="")
    tag: my-run
    """
    return yamlwrite.dump(header.fields, (schema or default_schema()).root)


@checked
def write_header(
    header: Header, path: str | Path, *, force: bool = False, schema: Schema | None = None
) -> None:
    """Write the header as a YAML file of its own; `annotate` puts it into a run.

    >>> import primad_ld as pl
    >>> pl.write_header(pl.header_of({"tag": "my-run"}), "my-run.yaml")
    """
    with writing(to_path(path), force=force) as stream:
        stream.write(dump_header(header, schema=schema).encode())


def merge_headers(first: Header, second: Header) -> tuple[Header, list[Conflict]]:
    """What the first header says, completed by the second; and where they disagree."""
    conflicts: list[Conflict] = []
    said_by = str(first.file) if first.file else None
    fields = _merged(first.fields, second.fields, (), said_by, second.file, conflicts)
    return Header(fields=fields, file=first.file or second.file), conflicts


def keep_by_step(
    headers: Iterable[Header], steps: dict[int, str], *, schema: Schema | None = None
) -> list[Header]:
    """The headers of one run, with what several of its steps measured kept by step.

    ``steps`` names the steps of those headers, by their places, that are of one step each. What
    belongs to a run rather than to its components is moved to ``steps.NAME``: resources always,
    since those of a step are not those of the run; the command and the state of the working tree
    where they disagree with each other or with a nearer header. A header that has ``steps`` of
    its own stays as it was.
    """
    found = list(headers)
    movable = {place for place in steps if "steps" not in found[place].fields}
    for entry in (schema or default_schema()).walk():
        if not entry.of_run or entry.path[0] not in _MEASURED:
            continue
        values = [header.get(*entry.path) for header in found[: max(steps) + 1]]
        said = [place for place, value in enumerate(values) if value]
        is_of_step = entry.path[0] == _RESOURCES
        if is_of_step or any(values[place] != values[said[0]] for place in said):
            for place in movable.intersection(said):
                fields = _moved(found[place], entry.path, ("steps", steps[place], *entry.path))
                found[place] = replace(found[place], fields=fields)
    return found


def _moved(header: Header, path: _Keys, to: _Keys) -> Mapping:
    """The fields of a header with a value at another place. It has the line where it was."""
    place = header.place(*path)
    fields = _without(header.fields, path)
    return _with(fields, to, header.get(*path), place[:2] if place is not None else None)


def _without(fields: Mapping, path: _Keys) -> Mapping:
    """A copy without the value at a path, and without what it leaves empty above it."""
    result = _copy(fields)
    key, *rest = path
    inner = result[key]
    if rest and isinstance(inner, Mapping) and (kept := _without(inner, tuple(rest))):
        result[key] = kept
    else:
        del result[key]
        result.places.pop(key, None)
    return result


def _with(fields: Mapping, path: _Keys, value: Value, place: RawPlace | None) -> Mapping:
    """A copy with a value at a path where there is none."""
    result = _copy(fields)
    key, *rest = path
    inner = result.get(key)
    if rest:
        value = _with(inner if isinstance(inner, Mapping) else Mapping(), tuple(rest), value, place)
    result[key] = value
    if place is not None:
        result.places.setdefault(key, place)
    return result


def _copy(fields: Mapping) -> Mapping:
    result = Mapping()
    result.update(fields)
    result.places.update(fields.places)
    return result


def _canonical(mapping: Mapping, node: Node) -> Mapping:
    """The mapping with known keys in their one spelling; open parameters stay as they are."""
    fields = node.fields
    for key in mapping:
        if key not in fields and node.canonical(key) != key:
            mapping = _respelled(mapping, node)
            break
    for key, value in mapping.items():
        below = fields[key].node if key in fields else None
        if below is None:
            continue
        if type(value) is Mapping:
            mapping[key] = _canonical(value, below)
        elif type(value) is Sequence:
            for index, item in enumerate(value):
                if type(item) is Mapping:
                    value[index] = _canonical(item, below)
    return mapping


def _respelled(mapping: Mapping, node: Node) -> Mapping:
    result = Mapping()
    spellings: dict[str, str] = {}
    for key, value in mapping.items():
        canonical = node.canonical(key)
        place = mapping.places.get(key)
        if canonical in spellings:
            first = mapping.places.get(spellings[canonical])
            raise HeaderError(
                f"{brief(key)} and {brief(spellings[canonical])} are the same field"
                + (f" (first in line {first[0]})" if first else ""),
                line=place[0] if place else None,
                column=place[1] if place else None,
                hint="remove one of them",
            )
        spellings[canonical] = key
        result[canonical] = value
        if place is not None:
            result.places[canonical] = place
    return result


def _with_places(value: object) -> Value:
    """Plain values as a header's, with scalars as the text that YAML would show."""
    if isinstance(value, dict):
        mapping = Mapping()
        for key, item in value.items():
            mapping[str(_with_places(str(key)))] = _with_places(item)
        return mapping
    if isinstance(value, list | tuple):
        sequence = Sequence()
        sequence.extend(_with_places(item) for item in value)
        return sequence
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if not text.isascii() and _SURROGATE.search(text):
        raise HeaderError(
            f"{text!r} contains an unpaired surrogate, which cannot be written as UTF-8"
        )
    return text


def _merged(
    first: Mapping,
    second: Mapping,
    path: tuple[str, ...],
    said_by: str | None,
    file: Path | None,
    conflicts: list[Conflict],
) -> Mapping:
    result = _copy(first)
    for key, value in second.items():
        place = second.places.get(key)
        if key not in first:
            result[key] = value
            if place is not None:
                result.places[key] = (place[0], place[1], str(file) if file else None)
            continue
        mine, my_place = first[key], first.places.get(key, ())
        mine_by = my_place[2] if len(my_place) == 3 else said_by
        if isinstance(mine, Mapping) and isinstance(value, Mapping):
            result[key] = _merged(mine, value, (*path, key), mine_by, file, conflicts)
        elif mine != value:
            name = ".".join((*path, key))
            line = place[0] if place else None
            conflicts.append(
                Conflict(
                    field=name,
                    kept=mine,
                    kept_file=mine_by,
                    left_out=value,
                    file=file,
                    line=line,
                )
            )
    return result
