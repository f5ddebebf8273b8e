"""When two components count as the same by key: equal in what identifies them (D9).

The shapes say by ``primad:identifies`` which fields these are, and in which order they
are tried: an actor's ORCID, else the team, else the name. A component that has none of
them is the same only as one that says exactly the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from primad_ld.converters import BY_DATATYPE, read_parameter
from primad_ld.namespaces import XSD
from primad_ld.schema import Field, Node

# 60 bits; Oxigraph keeps a text of up to 15 bytes in its indexes instead of looking it up.
KEY_DIGITS: Final = 15

_DECIMAL: Final = BY_DATATYPE[XSD + "decimal"].cached()
_canonical: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":")
).encode


def identifying_values(node: Node, value: Mapping[str, object]) -> dict[str, object]:
    """The values that identify a component, by the path of their field within it.

    Of fields that are alternatives, the best that are there: by their number in the shapes.
    A field that is empty identifies nothing.
    """
    for alternative in _alternatives(node):
        found = {}
        for path, entry in alternative:
            inner = _value_at(value, entry.path[1:])
            if _says_something(inner, node):
                found[path] = comparable(inner, entry)
        if found:
            return found
    return {}


def component_key(values: Mapping[str, object]) -> str:
    """Identifying values in a few digits, the same for equal values however they are spelt."""
    return hashlib.sha256(_canonical(values).encode()).hexdigest()[:KEY_DIGITS]


def joined_key(keys: Iterable[str]) -> str:
    """The key of several components together, whatever their order; two of one key are one."""
    several = sorted(set(keys))
    return several[0] if len(several) == 1 else component_key({"all of": several})


@cache
def _alternatives(node: Node) -> list[list[tuple[str, Field]]]:
    """The fields by which a component is recognised, with their paths; the best come first."""
    found: dict[float, list[tuple[str, Field]]] = {}
    stack = [node]
    while stack:
        for entry in stack.pop().fields.values():
            if entry.of_run:
                continue
            if entry.identifies is not None:
                path = ".".join(entry.path[1:])
                found.setdefault(entry.identifies, []).append((path, entry))
            elif entry.node is not None and not entry.many:
                stack.append(entry.node)
    return [found[rank] for rank in sorted(found)]


def _value_at(value: object, path: Iterable[str]) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _says_something(value: object, node: Node) -> bool:
    """Whether a value identifies anything: what a template left behind does not."""
    if isinstance(value, list):
        return any(_says_something(item, node) for item in value)
    if isinstance(value, str):
        return not node.is_placeholder(value)
    if isinstance(value, dict):
        return any(_says_something(item, node) for item in value.values())
    return bool(value)


def comparable(value: object, entry: Field) -> object:
    """A value as it is compared: numbers by value, concepts by meaning, sets in one order.

    A value of the wrong kind is the same only as its equal.
    """
    if "parameter" in entry.structures:
        return _parameter(value)
    if not entry.many and "stage" not in entry.structures:
        found = _items([value], entry)
        return found[0] if found else value
    found = _items(value if isinstance(value, list) else [value], entry)
    if found is None or entry.is_sequence:
        return found or value
    members = {item if isinstance(item, str) else _canonical(item): item for item in found}
    return [members[text] for text in sorted(members)]


def _items(items: list[object], entry: Field) -> list[object] | None:
    """Several values as they are compared; None if there are none, or one is of a wrong kind."""
    found: list[object] = []
    for item in items:
        if isinstance(item, str) and entry.node is None:
            found.append(entry.converter.key(item))
        elif isinstance(item, dict) and item and entry.node is not None:
            found.append(_mapping(item, entry.node))
        elif isinstance(item, dict) and "libraries" in entry.structures:
            found.append({language: comparable(names, entry) for language, names in item.items()})
        else:
            return None
    return found or None


def _mapping(value: Mapping[str, object], node: Node) -> dict[str, object]:
    """A stage: what the schema knows if it is filled in, and any other key as a parameter."""
    found: dict[str, object] = {}
    for key, inner in value.items():
        entry = node.fields.get(key)
        if entry is None:
            if node.wildcard is not None:
                found[key] = comparable(inner, node.wildcard)
        elif _says_something(inner, node) and not entry.of_run:
            found[key] = comparable(inner, entry)
    return found


def _parameter(value: object) -> object:
    """An open parameter: 1 is 1.0, and a list has an order."""
    if isinstance(value, str):
        return (_DECIMAL.read(value) or read_parameter(value)).token
    if isinstance(value, dict):
        return {key: _parameter(inner) for key, inner in value.items()}
    return [_parameter(item) for item in value] if isinstance(value, list) else value
