"""The schema of a header, compiled from the SHACL shapes.

``shapes/header.ttl`` says of each field where it stands in the header, which triple it
becomes and what it means to people. `compile_schema` turns that into a tree of `Node`
and `Field` records as the header nests them; lift, lower, the JSON-LD context, the
template, the checklist and the JSON Schema all walk this one tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from primad_ld.core.errors import SchemaError
from primad_ld.core.files import resource
from primad_ld.core.iris import FIELD, PRIMAD, RDF, RDF_JSON, SH, SHAPES, SKOS, XSD
from primad_ld.core.json_texts import DEEPEST
from primad_ld.core.library_arguments import AnyPaths, to_paths
from primad_ld.core.one_line import OneLine
from primad_ld.core.triples import Subjects, read_subjects
from primad_ld.schema.converters import BY_DATATYPE, BY_NAME, Converter

#: Numbers of shapes are not larger: weights are summed, and have to stay finite.
MOST_WEIGHT: Final = 1_000_000

WILDCARD: Final = "*"
#: Converters that shape a whole value, handled where lift and lower walk the header.
_STRUCTURES: Final = frozenset(
    {"sequence", "stage", "requirement", "libraries", "parameter", "command", "json"}
)

#: What a field may say of whether two components are the same (D9).
_ROLES: Final = ("naming", "distinguishing", "needed")

_RUN = SHAPES + "run"
_PLACEHOLDER = SHAPES + "placeholder"
_SEPARATORS = re.compile(r"[\s_\-]+")


@dataclass(frozen=True, kw_only=True, slots=True, eq=False, repr=False)
class Field(OneLine):
    """One field of a header, as its property shape declares it."""

    key: str
    #: The keys from the top of the header down to this field, as the shape nests them.
    path: tuple[str, ...]
    predicate: str
    #: First step of a two-step ``sh:path``: the node beside the run that holds the value.
    via: str | None
    #: Local name of the shape; the fragment of the nodes that it makes.
    fragment: str
    order: float
    name: str
    description: str
    note: str
    examples: tuple[str, ...]
    datatype: str | None
    #: The value is a link in the good case.
    link: bool
    #: The class of the node that the value becomes.
    type: str | None
    many: bool
    structures: frozenset[str]
    converter: Converter
    #: The converter's name, for the documentation.
    converter_name: str
    #: Whether it is ``naming``, ``distinguishing`` or ``needed`` (D9); empty if it decides nothing.
    role: str
    #: The rule by which it is compared, and the component that it counts for.
    compared_by: str
    compared_in: str
    #: The section of the paper that says so.
    section: str
    importance: float | None
    #: It counts only where it is given: not every run has a GPU or an interpolation.
    optional: bool
    #: Every header is asked for it: neither it nor what holds it is optional.
    is_asked: bool
    #: The shapes of other fields that say as much: a DOI where there is no dblp.
    implied_by: frozenset[str]
    #: The value belongs to the run, wherever the header writes it (a list as field:key).
    of_run: bool
    node: Node | None = field(repr=False)

    @property
    def is_sequence(self) -> bool:
        """Whether the order of the values has a meaning."""
        return "sequence" in self.structures

    @property
    def is_component(self) -> bool:
        """Whether this is one of the six components of PRIMAD."""
        return self.node is not None and len(self.path) == 1 and not self.of_run

    @property
    def label(self) -> str:
        """The name that tells the field apart beside the other values of its subject.

        Values of the run gather on one node, where ``frequency min`` would be ambiguous.
        """
        return self.dotted if self.of_run else self.key

    @property
    def dotted(self) -> str:
        """The field's name in messages and documents: ``platform.hardware.ram``."""
        return ".".join(self.path)


@dataclass(kw_only=True, slots=True, eq=False, repr=False)
class Node:
    """The fields of one mapping of the header."""

    fields: dict[str, Field] = field(default_factory=dict)
    by_predicate: dict[str, Field] = field(default_factory=dict)
    wildcard: Field | None = None
    #: What a template leaves behind, in any field of the schema.
    placeholders: tuple[re.Pattern[str], ...] = ()
    _folded: dict[str, str] = field(default_factory=dict)

    def add(self, entry: Field) -> None:
        """One more field; `SchemaError` if it could not be told from another."""
        if self.canonical(entry.key) in self.fields:
            raise SchemaError(f"two shapes describe the key {entry.dotted!r}")
        if not entry.of_run and entry.predicate in self.by_predicate:
            raise SchemaError(f"two shapes beside each other use {entry.predicate}")
        if entry.key == WILDCARD:
            self.wildcard = entry
        else:
            self.fields[entry.key] = entry
            self._folded[fold_key(entry.key)] = entry.key
        if not entry.of_run:
            self.by_predicate[entry.predicate] = entry

    def is_placeholder(self, text: str) -> bool:
        """Whether a text stands in a field without filling it: what a template leaves behind."""
        for pattern in self.placeholders:  # noqa: SIM110 - asked of every text of a header
            if pattern.search(text):
                return True
        return False

    def canonical(self, key: str) -> str:
        """The one spelling of a known key; any other key as it is.

        Case, blanks, underscores and hyphens do not tell known keys apart.
        """
        if key in self.fields:
            return key
        return self._folded.get(fold_key(key), key)

    def ordered(self) -> list[Field]:
        """The fields in the order of the header."""
        entries = [*self.fields.values(), *([self.wildcard] if self.wildcard else [])]
        return sorted(entries, key=lambda entry: (entry.order, entry.key))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Schema:
    """The compiled schema: the top of the header."""

    root: Node

    def is_placeholder(self, text: str) -> bool:
        """Whether a text stands in a field without filling it: what a template leaves behind."""
        return self.root.is_placeholder(text)

    def walk(self) -> Iterator[Field]:
        """Every field, in the order of the header, a parent before its children."""
        stack = list(reversed(self.root.ordered()))
        while stack:
            entry = stack.pop()
            yield entry
            if entry.node is not None:
                stack.extend(reversed(entry.node.ordered()))

    def field(self, *path: str) -> Field | None:
        """The field at a path of canonical keys, or None if there is none."""
        node: Node | None = self.root
        entry = None
        for key in path:
            entry = node.fields.get(key) if node is not None else None
            if entry is None:
                return None
            node = entry.node
        return entry

    @property
    def components(self) -> list[Field]:
        """The six components of PRIMAD, in the order of the acronym."""
        return [entry for entry in self.root.ordered() if entry.is_component]


def fold_key(key: str) -> str:
    """A key with case and separators folded, to recognise a known field."""
    return _SEPARATORS.sub(" ", key.strip()).casefold()


def header_shapes() -> Path:
    """The shapes that ship with primad-ld."""
    return resource("shapes/header.ttl")


@cache
def default_schema() -> Schema:
    """The schema of ``shapes/header.ttl``, compiled once in a process."""
    return compile_schema(header_shapes())


def compile_schema(*shapes: AnyPaths) -> Schema:
    """Compile SHACL shapes into the schema of a header."""
    files = [file for one in shapes for file in to_paths(one, "shapes")]
    return _Compiler(read_subjects(*files)).compile()


class _Compiler:
    """Reads property shapes as fields; `Node.add` refuses what would be ambiguous."""

    def __init__(self, subjects: Subjects) -> None:
        self.subjects = subjects
        self.placeholders = self._placeholders()
        self._open: list[str] = []

    def compile(self) -> Schema:
        if _RUN not in self.subjects:
            raise SchemaError(f"the shapes do not describe {_RUN}")
        root = Node(placeholders=self.placeholders)
        on_run: dict[tuple[str | None, str], str] = {}
        shapes = self._values(_RUN, SH + "property")
        # Containers come first, so that values of the run find the place they belong to.
        shapes.sort(key=lambda shape: len(self._keys(shape)))
        for shape in shapes:
            keys = self._keys(shape)
            above = self._above(root, keys)
            entry = self._field(
                shape,
                keys[:-1],
                of_run=self._key_is_list(shape),
                is_asked=all(one.is_asked for one in above),
            )
            node = above[-1].node if above else root
            assert node is not None
            node.add(entry)
            # All of these are said of the run, wherever the header writes them.
            said = (entry.via, entry.predicate)
            if said in on_run:
                raise SchemaError(f"{on_run[said]} and {shape} both use {entry.predicate}")
            on_run[said] = shape
        return Schema(root=root)

    def _above(self, root: Node, keys: tuple[str, ...]) -> list[Field]:
        """The fields that hold a value of the run, from the top of the header down."""
        node, found = root, []
        for key in keys[:-1]:
            entry = node.fields.get(key)
            if entry is None or entry.node is None:
                raise SchemaError(
                    f"no shape describes {key!r}, which should hold {'.'.join(keys)!r}"
                )
            found.append(entry)
            node = entry.node
        return found

    def _field(
        self, shape: str, above: tuple[str, ...], *, of_run: bool, is_asked: bool = True
    ) -> Field:
        if shape in self._open:
            raise SchemaError(f"{shape} contains itself")
        if len(self._open) > DEEPEST:
            raise SchemaError(f"{shape}: fields are nested deeper than {DEEPEST} levels")
        key = self._keys(shape)[-1]
        path = (*above, key)
        steps = self._path(shape)
        names = self._values(shape, FIELD + "converter")
        datatype = self._one(shape, SH + "datatype")
        type_ = self._one(shape, SH + "class")
        optional = "true" in self._values(shape, FIELD + "optional")
        is_asked = is_asked and not optional
        return Field(
            key=key,
            path=path,
            predicate=steps[-1],
            via=steps[0] if len(steps) == 2 else None,
            fragment=_local_name(shape),
            order=self._number(shape, SH + "order") or 0,
            name=self._one(shape, SH + "name") or key,
            description=self._one(shape, SH + "description") or "",
            note=self._one(shape, SKOS + "scopeNote") or "",
            examples=tuple(self._values(shape, SKOS + "example")),
            datatype=datatype,
            link=self._one(shape, SH + "nodeKind") == SH + "IRI",
            type=type_,
            # Each contribution says its part once, however many there are.
            many=self._one(shape, SH + "maxCount") != "1" and steps[0] != PRIMAD + "contribution",
            structures=frozenset(names) & _STRUCTURES,
            converter=self._converter(shape, names, datatype),
            converter_name=" ".join(sorted(names)),
            role=self._role(shape),
            compared_by=self._one(shape, FIELD + "comparedBy") or "",
            compared_in=self._one(shape, FIELD + "comparedIn") or path[0],
            section=self._one(shape, FIELD + "section") or "",
            importance=self._number(shape, FIELD + "importance"),
            optional=optional,
            is_asked=is_asked,
            implied_by=frozenset(map(_local_name, self._values(shape, FIELD + "impliedBy"))),
            of_run=of_run,
            node=self._node(
                shape,
                path,
                is_node=type_ is not None,
                names=names,
                is_asked=is_asked,
            ),
        )

    def _node(
        self, shape: str, path: tuple[str, ...], *, is_node: bool, names: list[str], is_asked: bool
    ) -> Node | None:
        if not is_node or {"requirement", "libraries", "parameter"} & set(names):
            return None
        node = Node(placeholders=self.placeholders)
        self._open.append(shape)
        for child in self._values(shape, SH + "property"):
            # Below a value of the run all is the run's; the flag only marks its top.
            node.add(self._field(child, path, of_run=False, is_asked=is_asked))
        self._open.pop()
        return node

    def _converter(self, shape: str, names: list[str], datatype: str | None) -> Converter:
        simple = [name for name in names if name not in _STRUCTURES]
        if len(simple) > 1:
            raise SchemaError(f"{shape} names two converters: {', '.join(simple)}")
        if simple:
            if simple[0] not in BY_NAME:
                raise SchemaError(
                    f"{shape}: no converter is called {simple[0]!r}; "
                    f"there are {', '.join(sorted({*BY_NAME, *_STRUCTURES}))}"
                )
            return BY_NAME[simple[0]].cached()
        if datatype not in BY_DATATYPE and datatype not in (None, RDF_JSON):
            raise SchemaError(f"{shape}: no converter reads {datatype}; name one")
        return BY_DATATYPE[datatype if datatype in BY_DATATYPE else XSD + "string"].cached()

    def _keys(self, shape: str) -> tuple[str, ...]:
        value = self._one(shape, FIELD + "key")
        if value is None or value == RDF + "nil":
            raise SchemaError(f"{shape} has no field:key")
        return tuple(self._list(shape, value)) if self._is_list(value) else (value,)

    def _key_is_list(self, shape: str) -> bool:
        return self._is_list(self._one(shape, FIELD + "key") or "")

    def _path(self, shape: str) -> list[str]:
        value = self._one(shape, SH + "path")
        is_list = value is not None and self._is_list(value)
        steps = self._list(shape, value or "") if is_list else [value or ""]
        if not 1 <= len(steps) <= 2 or not all(steps):
            raise SchemaError(f"{shape} needs a sh:path of one or two properties")
        return steps

    def _is_list(self, node: str) -> bool:
        return RDF + "first" in self.subjects.get(node, {})

    def _list(self, shape: str, node: str) -> list[str]:
        items: dict[str, str] = {}
        while node != RDF + "nil":
            first, rest = (self._values(node, RDF + name) for name in ("first", "rest"))
            if node in items or len(first) != 1 or len(rest) != 1:
                raise SchemaError(f"{shape}: one of its lists is not well-formed")
            items[node] = first[0]
            node = rest[0]
        return list(items.values())

    def _values(self, shape: str, predicate: str) -> list[str]:
        return list(self.subjects.get(shape, {}).get(predicate, ()))

    def _one(self, shape: str, predicate: str) -> str | None:
        values = self._values(shape, predicate)
        return values[0] if values else None

    def _role(self, shape: str) -> str:
        """What a field says of whether two components are the same."""
        role = self._one(shape, FIELD + "identifies") or ""
        if role and role not in _ROLES:
            raise SchemaError(f"{shape}: {role[:40]!r} is not one of {', '.join(_ROLES)}")
        if bool(role) != bool(self._one(shape, FIELD + "comparedBy")):
            raise SchemaError(
                f"{shape} needs both field:identifies and field:comparedBy, or neither"
            )
        return role

    def _number(self, shape: str, predicate: str) -> float | None:
        values = self._values(shape, predicate)
        if not values:
            return None
        # A profile may weigh a field differently: the last value counts.
        found = as_weight(values[-1])
        if found is None:
            raise SchemaError(
                f"{shape}: {values[-1][:40]!r} is not a number between -{MOST_WEIGHT:,} and {MOST_WEIGHT:,}"
            )
        return found

    def _placeholders(self) -> tuple[re.Pattern[str], ...]:
        """The patterns of what a template leaves behind."""
        found = []
        forms = self._one(_PLACEHOLDER, SH + "or") or RDF + "nil"
        for shape in self._list(_PLACEHOLDER, forms):
            flags = re.IGNORECASE if "i" in self._values(shape, SH + "flags") else re.NOFLAG
            try:
                found.append(re.compile(self._values(shape, SH + "pattern")[0], flags))
            except (IndexError, re.error) as error:
                raise SchemaError(f"{_PLACEHOLDER}: {error}") from error
        return tuple(found)


def as_weight(text: str) -> float | None:
    """A number that says how much something weighs or where it stands; sums of it are finite."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if abs(found) <= MOST_WEIGHT else None  # which NaN is not, either


def _local_name(iri: str) -> str:
    return re.split(r"[#/]", iri)[-1]
