"""Fields by their paths, as ``annotate --set`` names them: ``actor.team=me``.

A path is known to the schema, in any spelling that a header may use; a value has to fit its field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from primad_ld.core import yamltext
from primad_ld.core.errors import HeaderError
from primad_ld.core.long_texts import closest
from primad_ld.core.yamltext import Sequence, Value, brief
from primad_ld.header.model import Header, header_of, merge_headers
from primad_ld.header.schema_documents import type_name
from primad_ld.schema.converters import CONCEPT_SCHEMES, concept_names
from primad_ld.schema.fields import WILDCARD, Field, Node, Schema, default_schema, fold_key

#: Structures of which a value is a list, or a mapping.
_LISTS: Final = frozenset(("command", "json", "libraries", "parameter"))
_MAPPINGS: Final = frozenset(("json", "libraries", "parameter"))
#: Converters of texts that others write freely: what they cannot read is not wrong.
_LENIENT: Final = frozenset(
    "iri repository measure test correction ties degree requirement libraries".split()
)
#: A place in a list: ``retrieval[0]`` or ``retrieval.0``.
_PLACE: Final = re.compile(r"(.+?)(?:\[\d*\]|\.\d+(?=\.|$))")
_ONE_MEMBER: Final = "one member of a list cannot be set alone"
#: What stands between commas that are not within parentheses.
_PARTS: Final = re.compile(r"(?:[^,()]++|\([^()]*+\)|[()])++")


def read_settings(texts: Iterable[str]) -> dict[str, Value]:
    """Values by the names of their fields, from texts such as ``actor.team=me``.

    A value is a text as it stands. One that begins with a bracket, a brace or a quote is YAML:
    ``[map, P_10]``; and ``null`` says that there is none.
    """
    settings: dict[str, Value] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (sign and name):
            raise HeaderError(f"{brief(text)} is not a setting; write it as FIELD=VALUE")
        if name in settings:
            raise HeaderError("the field is set twice", field=name, hint="remove one of them")
        if not value:
            hint = "add a value, or null for none"
            raise HeaderError("no value after the equals sign", field=name, hint=hint)
        settings[name] = _read_value(name, value)
    return settings


def _read_value(name: str, text: str) -> Value:
    if text[0] not in "[{\"'":
        return None if text in ("null", "~") else text
    try:
        return yamltext.parse(text)
    except HeaderError as error:
        hint = error.hint or "if it is text, put the whole value in quotes"
        raise HeaderError(f"not YAML: {error.why}", field=name, hint=hint) from None


def header_with(settings: Mapping[str, object], schema: Schema | None = None) -> Header:
    """A header with these values, by the names of their fields; `HeaderError` for unknown ones."""
    schema = schema or default_schema()
    header = header_of({})
    for name, value in settings.items():
        path, entry = find_field(name, schema)
        if entry.converter_name == "measure" and isinstance(value, str):
            value = [part.strip() for part in _PARTS.findall(value)] if "," in value else value
        for key in reversed(path):
            value = {key: value}
        one = header_of(value, schema=schema)
        _check(entry, one.get(*path), ".".join(path))
        header, conflicts = merge_headers(header, one)
        if conflicts:
            raise HeaderError("the field is set twice", field=name, hint="remove one of them")
    return header


def find_field(name: str, schema: Schema) -> tuple[tuple[str, ...], Field]:
    """The path and the field that a name such as ``research_goal.venue.year`` stands for."""
    node: Node | None = schema.root
    if place := _PLACE.match(name):
        raise HeaderError(_ONE_MEMBER, field=name, hint=_as_list(place[1].split(".")))
    path: list[str] = []
    entry: Field | None = None
    for key in (part.strip() for part in name.split(".")):
        if node is None:
            assert entry is not None
            if entry.key == WILDCARD:
                raise HeaderError(_ONE_MEMBER, field=name, hint=_as_list(path[:-1]))
            if not entry.structures & _MAPPINGS:
                raise HeaderError(f"{entry.dotted} has no subfields", field=name)
        else:
            key = node.canonical(key)
            entry = node.fields.get(key) or (node.wildcard if key else None)
            if entry is None:
                raise HeaderError("unknown field", field=name, hint=_did_you_mean(name, schema))
            node = entry.node
        path.append(key)
    assert entry is not None
    return tuple(path), entry


def _as_list(path: Iterable[str]) -> str:
    return f"write the whole list as YAML: '{'.'.join(path)}=[{{KEY: VALUE, …}}, …]'"


def _did_you_mean(name: str, schema: Schema) -> str:
    """Fields with this name elsewhere, or with one like it."""
    known = {entry.dotted: entry for entry in schema.walk() if entry.key != "*"}
    last = fold_key(name.rpartition(".")[2])
    same = [dotted for dotted, entry in known.items() if fold_key(entry.key) == last]
    near = same[:3] or closest(name.casefold(), known, most=3)
    return f"did you mean {' or '.join(near)}?" if near else "docs/fields.md lists all fields"


def _check(entry: Field, value: Value, name: str) -> None:
    """Refuse a value that does not fit its field."""
    if isinstance(value, Sequence):
        if not (entry.many or entry.structures & _LISTS):
            raise HeaderError("expected a single value, not a list", field=name)
        for item in value:
            _check(entry, item, name)
    elif isinstance(value, yamltext.Mapping):
        if entry.node is not None:
            _check_fields(entry.node, value, name)
        elif not entry.structures & _MAPPINGS:
            raise HeaderError(f"expected a {type_name(entry)}, not a mapping", field=name)
    elif value is None:
        pass
    elif entry.node is not None:
        child = entry.node.ordered()[0].key
        raise HeaderError(
            "is a mapping, not a single value",
            field=name,
            hint=f"set one of its fields, such as {name}.{child}",
        )
    elif entry.converter_name not in _LENIENT and entry.converter.read(value) is None:
        hint = f"write one such as {entry.examples[0]}" if entry.examples else ""
        if entry.converter_name in CONCEPT_SCHEMES:
            hint = f"write {' or '.join(concept_names(entry.converter_name))}"
        raise HeaderError(
            f"{brief(value)} is not valid here (expected: {type_name(entry)})",
            field=name,
            hint=hint,
        )


def _check_fields(node: Node, fields: yamltext.Mapping, name: str) -> None:
    for key, value in fields.items():
        entry = node.fields.get(key) or node.wildcard
        if entry is None:
            known = ", ".join(child.key for child in node.ordered())
            raise HeaderError("unknown field", field=f"{name}.{key}", hint=f"known: {known}")
        _check(entry, value, f"{name}.{key}")
