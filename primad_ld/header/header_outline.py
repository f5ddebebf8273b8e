"""A header as people read it: its fields, indented, with the components of PRIMAD as headings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeGuard

from primad_ld.core.iris import XSD
from primad_ld.core.yamltext import Mapping, Sequence, Value
from primad_ld.header.model import Header, dump_header
from primad_ld.schema.converters import read_parameter
from primad_ld.schema.fields import Field, Node, default_schema
from primad_ld.tables.answers import Answer, Row, Table, columns

_NUMERIC: Final = frozenset(XSD + name for name in ("integer", "decimal", "gYear"))
_LONGEST_LIST: Final = 12


def _yaml(outline: HeaderOutline) -> Iterator[str]:
    """The header as YAML, in its one spelling."""
    yield dump_header(outline.header)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class HeaderOutline(Answer):
    """The header of a run; in JSON it is an object, with numbers where a field has them."""

    own_forms: ClassVar[dict[str, Callable[[Any], Iterable[str]]]] = {"yaml": _yaml}

    header: Header
    #: Where it comes from.
    place: str = ""
    #: What the ranking calls itself.
    tag_in_file: str | None = None

    def verdict(self) -> str:
        """What the run is called, and where its header is."""
        tag, other = self.header.tag, self.tag_in_file
        differs = f"; the tag in the ranking is {other!r}" if other not in (None, tag) else ""
        return f"{tag or '(no tag)'} · {self.place}{differs}"

    def table(self) -> Table:
        """A row for each value, with the path of its field."""
        rows = [{"field": path, "value": value} for path, value in _leaves("", self.record())]
        return Table(name="fields", columns=columns(field="field", value="value"), rows=rows)

    def shown(self) -> list[Table]:
        """What is said of the run itself, then a table for each component."""
        known, fields = default_schema().root.fields, self.header.fields
        components = [key for key in fields if key in known and known[key].node is not None]
        first = [
            line for key in fields if key not in components for line in _lines(key, fields[key])
        ]
        return [
            *([_outline("field", first)] if first else []),
            *(_outline(known[key].name, _lines_in(fields[key])) for key in components),
        ]

    def record(self) -> dict[str, object]:
        """The header: numbers and truth values where the field has them, else texts."""
        return {
            key: _typed(value, *_below(default_schema().root, key))
            for key, value in self.header.fields.items()
        }


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    """The values of nested mappings and lists of them, each with its path."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(f"{path}.{key}" if path else key, item)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, item in enumerate(value, 1):
            yield from _leaves(f"{path}[{number}]", item)
    else:
        yield path, value


def _outline(title: str, rows: Iterable[Row]) -> Table:
    return Table(name="fields", columns=columns(field=title, value=" "), rows=[*rows])


def _lines(key: str, value: Value, depth: int = 0) -> Iterator[Row]:
    """A row for each field; those within a mapping come after it, and are indented."""
    head = "  " * depth + key
    if _has_mappings(value) and value:
        yield {"field": head}
        yield from _lines_in(value, depth + 1)
    else:
        yield {"field": head, "value": _shown(value)}


def _lines_in(value: Value, depth: int = 0) -> Iterator[Row]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _lines(key, item, depth)
    elif _has_mappings(value):
        for number, item in enumerate(value, 1):
            yield from _lines(str(number), item, depth)
    else:
        yield {"field": "  " * depth, "value": _shown(value)}


def _has_mappings(value: Value) -> TypeGuard[Mapping | Sequence]:
    """Whether it is a mapping, or a list with one."""
    if isinstance(value, Sequence):
        return any(isinstance(item, Mapping) for item in value)
    return isinstance(value, Mapping)


def _shown(value: Value) -> str:
    if isinstance(value, Sequence):
        texts = [" ".join(str(item).split()) for item in value]
        more = len(texts) - _LONGEST_LIST
        text = ", ".join(texts[:_LONGEST_LIST]) + (f" … and {more} more" if more > 0 else "")
        return text or "(an empty list)"
    if value is None:
        return "(null)"
    return " ".join(str(value).split()) if value else "(empty)"


# Typed values -----------------------------------------------------------------------------


def _below(node: Node | None, key: str) -> tuple[Node | None, Field | None]:
    """What the schema says of a key: the fields below it, and its own."""
    if node is None:
        return None, None
    entry = node.fields.get(key)
    return (entry.node if entry is not None else None), entry or node.wildcard


def _typed(value: Value, node: Node | None, entry: Field | None) -> object:
    if isinstance(value, Mapping):
        return {key: _typed(item, *_below(node, key)) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_typed(item, node, entry) for item in value]
    if value is None or entry is None:
        return value
    if entry.datatype == XSD + "boolean":
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.lower(), value)
    if "parameter" in entry.structures:
        return _number(read_parameter(value).token, value)
    if entry.datatype in _NUMERIC and not entry.converter_name:
        literal = entry.converter.read(value)
        return _number(literal.token, value) if literal is not None else value
    return value


def _number(token: str, text: str) -> object:
    """A literal as a JSON number or truth value; anything else is its text."""
    lexical, _, datatype = token.partition("^^")
    if not datatype:
        return text
    return json.loads(lexical.strip('"')) if datatype != f"<{XSD}gYear>" else int(text)
