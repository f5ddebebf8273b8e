"""What ``show`` prints: a header as text for people, as YAML, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

from primad_ld.core.errors import printable, without_commands
from primad_ld.core.iris import XSD
from primad_ld.core.yamltext import Mapping, Sequence, Value
from primad_ld.header.model import dump_header
from primad_ld.header.sources import ReadRun
from primad_ld.schema.converters import read_parameter
from primad_ld.schema.fields import Field, Node, default_schema

_NUMERIC: Final = frozenset(XSD + name for name in ("integer", "decimal", "gYear"))
_LONGEST_LIST: Final = 12
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def as_text(run: ReadRun, colour: bool) -> str:
    """An indented list of fields, the components of PRIMAD as headings."""
    header = run.header
    place = f"{header.file}" if header.file is not None else run.file_name
    title = f"{header.tag or '(no tag)'} · {place}"
    lines = [_styled(title, _BOLD, colour)]
    if run.tag_in_file is not None and run.tag_in_file != header.tag:
        lines.append(f"the ranking calls itself {run.tag_in_file!r}")
    rows = list(_rows(header.fields, default_schema().root, 0))
    width = max(
        (2 * depth + len(key) for depth, key, value, _ in rows if value is not None), default=0
    )
    for depth, key, value, entry in rows:
        if depth == 0 and entry is not None and entry.node is not None:
            lines.append("")
            key = _styled(entry.name, _BOLD, colour)
        indent = "  " * depth
        if value is None:
            lines.append(f"{indent}{key}")
        else:
            pad = " " * (width - len(indent) - len(key))
            lines.append(f"{indent}{_styled(key, _DIM, colour)}{pad}  {_one_line(value)}")
    return without_commands("\n".join(lines) + "\n")


def _as_yaml(run: ReadRun, colour: bool) -> str:
    """The header as YAML, in its one spelling."""
    return dump_header(run.header)


def _as_json(run: ReadRun, colour: bool) -> str:
    """The header as JSON: numbers and truth values where the field has them, else text."""
    value = _typed(run.header.fields, default_schema().root, None)
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


#: How ``primad-ld show`` prints, by the name of the format.
SHOWS: Final[dict[str, Callable[[ReadRun, bool], str]]] = {
    "text": as_text,
    "yaml": _as_yaml,
    "json": _as_json,
}

_Row = tuple[int, str, str | None, Field | None]


def _rows(fields: Mapping, node: Node | None, depth: int) -> Iterator[_Row]:
    for key, value in fields.items():
        entry = node.fields.get(key) if node is not None else None
        yield from _value_rows(key, value, entry, depth)


def _value_rows(key: str, value: Value, entry: Field | None, depth: int) -> Iterator[_Row]:
    below = entry.node if entry is not None else None
    if isinstance(value, Mapping) and value:
        yield depth, key, None, entry
        yield from _rows(value, below, depth + 1)
    elif isinstance(value, Sequence) and any(isinstance(item, Mapping) for item in value):
        yield depth, key, None, entry
        for number, item in enumerate(value, 1):
            yield from _value_rows(f"{number}", item, entry, depth + 1)
    elif isinstance(value, Sequence):
        shown = [_one_line(item if isinstance(item, str) else str(item)) for item in value]
        more = len(shown) - _LONGEST_LIST
        text = ", ".join(shown[:_LONGEST_LIST]) + (f" … and {more} more" if more > 0 else "")
        yield depth, key, text or "(an empty list)", entry
    else:
        yield depth, key, "(null)" if value is None else str(value) if value else "(empty)", entry


def _one_line(text: str) -> str:
    text = " ".join(text.split()) if "\n" in text else text
    return printable(text)


def _styled(text: str, style: str, colour: bool) -> str:
    text = _one_line(text)
    return f"{style}{text}{_PLAIN}" if colour else text


def _typed(value: Value, node: Node | None, entry: Field | None) -> object:
    if isinstance(value, Mapping):
        return {
            key: _typed(
                item,
                node.fields[key].node if node and key in node.fields else None,
                (node.fields.get(key) or node.wildcard) if node else None,
            )
            for key, item in value.items()
        }
    if isinstance(value, Sequence):
        return [_typed(item, node, entry) for item in value]
    if value is None or entry is None:
        return value
    if entry.datatype == XSD + "boolean":
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.lower(), value)
    if "parameter" in entry.structures:
        return _number(read_parameter(value).token, value)
    if entry.datatype in _NUMERIC and not entry.converter_name:
        found = entry.converter.read(value)
        return _number(found.token, value) if found is not None else value
    return value


def _number(token: str, text: str) -> object:
    """A literal as a JSON number or truth value; anything else is its text."""
    lexical, _, datatype = token.partition("^^")
    if not datatype:
        return text
    return json.loads(lexical.strip('"')) if datatype != f"<{XSD}gYear>" else int(text)
