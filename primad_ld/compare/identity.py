"""What a component is compared by: its identifying fields, folded, as one JSON text (D9).

Which fields these are, the shapes say (``field:identifies``). An archive keeps each identity
once, under a key that its runs carry, so that nothing has to be lowered for a comparison.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from primad_ld.compare.field_rules import RULES
from primad_ld.compare.folding import FoldingRule, is_given, text
from primad_ld.core.errors import SchemaError
from primad_ld.core.files import resource
from primad_ld.core.iris import PRIMAD, RDF_JSON, RDF_TYPE, sha256
from primad_ld.core.triples import NamedGraph
from primad_ld.schema.converters import quoted
from primad_ld.schema.fields import Field, Node, Schema

# 60 bits; Oxigraph keeps a text of up to 15 bytes in its indexes instead of looking it up.
KEY_DIGITS: Final = 15
#: Counted up when rules fold otherwise.
_VERSION: Final = 1
_VERSION_DIGITS: Final = 8
#: An identity's IRI is a base, this and its key.
IN_IRI: Final = "identity/"
#: The key of a value that is there and cannot be read as what its field holds.
UNREAD: Final = "unread"
_canonical: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":")
).encode


@dataclass(frozen=True)
class Identity:
    """What a component is compared by."""

    text: str

    @cached_property
    def component(self) -> str:
        """The component that it is of, by its key in the header."""
        return str(json.loads(self.text)["of"])

    @cached_property
    def key(self) -> str:
        """A few digits, equal for equal identities."""
        return sha256(self.text)[:KEY_DIGITS]

    def graph(self, base: str, predicate: str) -> NamedGraph:
        """The identity as an archive keeps it; ``predicate`` links runs to the component."""
        iri = f"{base}{IN_IRI}{self.key}"
        literal = f"{quoted(self.text)}^^<{RDF_JSON}>"
        return NamedGraph(
            iri=iri,
            triples=f"<{iri}> <{RDF_TYPE}> <{PRIMAD}Identity> .\n"
            f"<{iri}> <{PRIMAD}identityOf> <{predicate}> .\n"
            f"<{iri}> <{PRIMAD}identity> {literal} .\n",
        )


@dataclass(frozen=True, slots=True)
class Group:
    """The fields of a component that one rule folds together."""

    name: str
    rule: FoldingRule
    #: By their path within the component; those of another one begin with its name.
    fields: Mapping[str, Field]


@cache
def groups_of(schema: Schema, component: str) -> tuple[Group, ...]:
    """How a component is compared, in the order of the shapes."""
    joint: dict[str, dict[str, Field]] = {}
    for entry in schema.walk():
        if entry.role and (wrong := _wrong_in(schema, entry)):
            raise SchemaError(f"the shape {entry.fragment}: {wrong}")
        if entry.role and entry.compared_in == component:
            is_own = entry.path[0] == component
            path = ".".join(entry.path[1:] if is_own else entry.path)
            rule = entry.compared_by
            joint.setdefault(rule if RULES[rule].is_joint else path, {})[path] = entry
    return tuple(
        Group(name, RULES[next(iter(fields.values())).compared_by], fields)
        for name, fields in joint.items()
    )


def _wrong_in(schema: Schema, entry: Field) -> str:
    """Why a field cannot be compared as its shape says; nothing if it can."""
    components = [one.key for one in schema.components]
    for key, value, known in (
        ("comparedBy", entry.compared_by, sorted(RULES)),
        ("comparedIn", entry.compared_in, components),
    ):
        if value not in known:
            return f"unknown field:{key} {value[:40]!r}; choose from {', '.join(known)}"
    return ""


def fields_of(schema: Schema, component: str) -> Iterator[tuple[str, Field]]:
    """The identifying fields of a component with their paths."""
    for group in groups_of(schema, component):
        yield from group.fields.items()


@cache
def version_of(schema: Schema) -> str:
    """What identities depend on besides headers: the rules, the shapes and the names that are known."""
    said = [
        (".".join(entry.path), entry.role, entry.compared_in, entry.compared_by)
        for entry in schema.walk()
        if entry.role
    ]
    left = [(one.pattern, one.flags) for one in schema.root.placeholders]
    digest = hashlib.sha256(f"{_VERSION} {said} {left}".encode())
    digest.update(resource("compare/names.yaml").read_bytes())
    return digest.hexdigest()[:_VERSION_DIGITS]


def is_current(schema: Schema, identity: Identity) -> bool:
    """Whether an identity that was kept was made by these rules, names and shapes."""
    return f'"version":"{version_of(schema)}"' in identity.text


def identities(schema: Schema, header: Mapping[str, Any]) -> dict[str, Identity]:
    """The identities of the components that a header describes, by their key in the header."""
    return {
        entry.key: identity_of(schema, entry.key, header)
        for entry in schema.components
        if describes(header.get(entry.key))
    }


def describes(value: object) -> bool:
    """Whether a header describes a component at all: by a mapping, or a list of them."""
    every = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and bool(one) for one in every)


def identity_of(schema: Schema, component: str, header: Mapping[str, Any]) -> Identity:
    """What a component is compared by; it may stand in more than its own part of the header."""
    found: dict[str, Any] = {"of": component, "version": version_of(schema)}
    for group in groups_of(schema, component):
        values = {}
        for path, entry in group.fields.items():
            value = _gathered(header.get(entry.path[0]), entry, schema.root)
            if value is not None:
                values[path] = value
        folded = group.rule.fold(values, group.fields) if values else None
        if folded is None and values and not group.rule.is_joint:
            (value,) = values.values()
            folded = {UNREAD: text(_canonical(value))}
        if folded is not None:
            found[group.name] = folded
    return Identity(_canonical(found))


def _gathered(value: object, entry: Field, root: Node) -> object:
    """What stands in a field, without what a template left behind; None where nothing does.

    Where the component is a list, such as that of actors, what all of them say.
    """
    if value is None:
        return None
    if isinstance(value, list):
        found = [one for one in (_gathered(item, entry, root) for item in value) if one is not None]
        return found or None
    for key in entry.path[1:]:
        value = value.get(key) if isinstance(value, dict) else None
    if entry.many and entry.node is not None and isinstance(value, dict):
        value = [value]
    filled = _filled(value, root)
    return filled if filled or filled is False else None


def _filled(value: object, root: Node) -> object:
    if isinstance(value, str):
        return value if is_given(value) and not root.is_placeholder(value) else None
    if isinstance(value, dict):
        said = {key: _filled(inner, root) for key, inner in value.items()}
        return {key: inner for key, inner in said.items() if inner is not None and inner != []}
    if isinstance(value, list):
        return [one for one in (_filled(item, root) for item in value) if one is not None]
    return None
