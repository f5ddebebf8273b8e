"""From RDF back to headers. What lift wrote comes back as it was, up to a listed normalisation.

The list is in ``docs/normalisation.md``. Statements that the schema does not know, such as
scores, assessments and derived facts, are left out.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from primad_ld.core.iris import PRIMAD, RDF_JSON, XSD
from primad_ld.core.json_texts import read_json
from primad_ld.core.yamltext import Mapping, Sequence, Value
from primad_ld.header.model import Header
from primad_ld.rdf.spellings import restore
from primad_ld.rdf.subject_index import Index, Object, Statements, index_rdflib, index_triples
from primad_ld.schema.canonical import Requirement
from primad_ld.schema.converters import BY_DATATYPE, json_value
from primad_ld.schema.fields import Field, Node, Schema, default_schema

if TYPE_CHECKING:
    import rdflib

    from primad_ld.core.triples import NamedGraph

_Plain = dict[str, object]

_TRUTH: Final = BY_DATATYPE[XSD + "boolean"]

_COMPONENTS_KEPT: Final = 2000


class LoweredRun(NamedTuple):
    """A run of the graph: its IRI, its header, and the name of the file it came from."""

    iri: str
    header: Header
    file_name: str | None


def lower(
    graph: rdflib.Graph | Iterable[NamedGraph], *, schema: Schema | None = None
) -> list[Header]:
    """The headers of all runs in an rdflib graph or dataset, or in what lift made.

    >>> import primad_ld as pl
    >>> header = pl.read_header("runs/shed-bm25.txt")
    >>> pl.lower(pl.lift(header)) == [header]
    True
    """
    return [run.header for run in lower_runs(index_of(graph), schema=schema)]


def index_of(graph: rdflib.Graph | Iterable[NamedGraph]) -> Index:
    """What a graph says, by subject."""
    import rdflib

    if isinstance(graph, rdflib.Graph):
        return index_rdflib(graph)
    return index_triples("".join(part.triples for part in graph))


def lower_runs(index: Index, *, schema: Schema | None = None) -> Iterator[LoweredRun]:
    """The runs of an index, in the order of their IRIs."""
    lowerer = _Lowerer(index, schema or default_schema())
    for iri in index.runs():
        yield lowerer.run(iri)


def component_reader(
    index: Index, *, schema: Schema | None = None
) -> Callable[[str, Field], Mapping]:
    """A function that reads one component back by its IRI: the mapping of the header it was.

    Sets come in alphabetical order: how a header ordered them is known of runs only.
    """
    lowerer = _Lowerer(index, schema or default_schema())

    def read(iri: str, entry: Field) -> Mapping:
        assert entry.node is not None
        return _ordered(_copied(lowerer.mapping(iri, entry.node)), entry.node)

    return read


class _Lowerer:
    def __init__(self, index: Index, schema: Schema) -> None:
        self.index = index
        self.root = schema.root
        self.of_run = [entry for entry in schema.walk() if entry.of_run]
        # Components are shared by many runs; each caller gets a copy of its own.
        self._lowered = lru_cache(maxsize=_COMPONENTS_KEPT)(self.mapping)

    def run(self, iri: str) -> LoweredRun:
        said = self.index.about(iri)
        record = self.index.about(_first(said, "header"))
        result = self.fields(said, self.root)
        contributions = self.contributions(said)
        actor = self.root.fields.get("actor")
        actors: list[_Plain] = []
        if actor is not None and not _is_json(said.get(actor.predicate)):
            actors = [self.actor(actor, own) for own in contributions]
            if actors:
                result[actor.key] = actors
        for node in (said, record):
            _add_unread(result, node, self.root)
        for entry in self.of_run:
            if entry.via == PRIMAD + "contribution":
                for position, own in enumerate(contributions):
                    self.place(result, entry, own, (actor.key if actor else "", position))
                    if actors and actor is not None and actor.node is not None:
                        _add_unread(actors[position], own, actor.node)
            else:
                self.place(result, entry, record if entry.via else said, ())
        spelling: dict[str, object] = {}
        for written in record.get(PRIMAD + "spelling", ()):
            with contextlib.suppress(ValueError):  # not JSON
                found = read_json(written.value)
                spelling = found if isinstance(found, dict) else {}
        restore(result, {place: one for place, one in spelling.items() if one})
        for extra in said.get(PRIMAD + "extra", ()):
            _merge(result, _json_mapping(extra.value))
        # In the end, since what is large has only come with the run.
        restore(result, {place: one for place, one in spelling.items() if not one})
        if actor is not None and len(actors) == 1:
            result[actor.key] = actors[0]
        header = Header(fields=_ordered(result, self.root))
        names = record.get(PRIMAD + "runFileName", ())
        return LoweredRun(iri, header, names[0].value if names else None)

    def contributions(self, said: Statements) -> list[Statements]:
        found = [self.index.about(one.value) for one in said.get(PRIMAD + "contribution", ())]
        return sorted(found, key=_position)

    def actor(self, entry: Field, contribution: Statements) -> _Plain:
        assert entry.node is not None
        return _copied(self._lowered(_first(contribution, "contributor"), entry.node))

    def place(
        self, result: _Plain, entry: Field, said: Statements, above: tuple[str | int, ...]
    ) -> None:
        """Put a value of the run where the header has it."""
        if entry.predicate not in said:
            return
        value = self.value(entry, said, said[entry.predicate])
        inner: object = result
        for step in above:
            inner = inner[step]  # type: ignore[index]
        for key in entry.path[1 if above else 0 : -1]:
            inner = inner.setdefault(key, {}) if isinstance(inner, dict) else None
        if isinstance(inner, dict):
            inner[entry.key] = value

    def mapping(self, subject: str, node: Node) -> _Plain:
        said = self.index.about(subject)
        result = self.fields(said, node)
        if node.wildcard is not None:
            for parameter in said.get(node.wildcard.predicate, ()):
                about = self.index.about(parameter.value)
                if about:
                    result[_first(about, "name")] = _parameter(about)
        for extra in said.get(PRIMAD + "extra", ()):
            _merge(result, _json_mapping(extra.value))
        _add_unread(result, said, node)
        return result

    def fields(self, said: Statements, node: Node) -> _Plain:
        result: _Plain = {}
        for predicate, objects in said.items():
            entry = node.by_predicate.get(predicate)
            if entry is not None and entry is not node.wildcard:
                result[entry.key] = self.value(entry, said, objects)
        for entry in node.fields.values():
            # A list may hold nothing but names of stages that are not there.
            if entry.is_sequence and "stage" in entry.structures and entry.key not in result:
                items = self.items(entry, said)
                if items:
                    result[entry.key] = items
        return result

    def value(self, entry: Field, said: Statements, objects: list[Object]) -> object:
        if _is_json(objects):
            return json_value(objects[0].value)
        for structure, read in _BY_STRUCTURE.items():
            if structure in entry.structures:
                return read(self, entry, said, objects)
        if entry.node is not None:
            return self.nodes(entry, entry.node, objects)
        texts = sorted(set(self.texts(entry, objects)))
        return texts if entry.many or len(texts) > 1 else texts[0]

    def nodes(self, entry: Field, node: Node, objects: list[Object]) -> object:
        texts = [one.value for one in objects if one.datatype is not None]
        if texts:
            return texts[0]
        iris = sorted((one.value for one in objects), key=lambda iri: (len(iri), iri))
        if entry.is_sequence:
            iris.sort(key=lambda iri: _position(self.index.about(iri)))
        lowered = self._lowered if entry.is_component else self.mapping
        items = [_copied(lowered(iri, node)) for iri in iris]
        return items if entry.many or len(items) > 1 else items[0]

    def texts(self, entry: Field, objects: list[Object]) -> Iterator[str]:
        """The canonical texts of typed literals and links."""
        for one in objects:
            if one.datatype == XSD + "string":
                yield one.value
                continue
            plain = entry.converter.write(one.value)
            # A store may respell a literal; the converter brings it to one form again.
            term = None if one.datatype is None else entry.converter.read(plain)
            yield plain if term is None else term.plain

    def references(self, entry: Field, said: Statements, objects: list[Object]) -> object:
        names = self.items(entry, said) or sorted(self.stage_name(one) for one in objects)
        return names if len(names) > 1 else names[0]

    def items(self, entry: Field, said: Statements) -> list[str]:
        """The members of a list in their order, where the order has a meaning."""
        items = [self.index.about(one.value) for one in said.get(PRIMAD + "listItem", ())]
        own = [item for item in items if _first(item, "ofProperty") == entry.predicate]
        values = [
            one for item in sorted(own, key=_position) for one in item.get(PRIMAD + "value", ())
        ]
        return [self.stage_name(value) for value in values]

    def stage_name(self, stage: Object) -> str:
        if stage.datatype is not None:
            return stage.value
        return _first(self.index.about(stage.value), "name")

    def requirements(self, entry: Field, said: Statements, objects: list[Object]) -> object:
        return sorted(_requirement(self.index.about(one.value)) for one in objects)

    def libraries(self, entry: Field, said: Statements, objects: list[Object]) -> object:
        lists: dict[str, list[str]] = {}
        for one in objects:
            about = self.index.about(one.value)
            lists.setdefault(_first(about, "programmingLanguage"), []).append(_requirement(about))
        if list(lists) == [""]:
            return sorted(lists[""])
        return {language: sorted(names) for language, names in sorted(lists.items())}

    def command(self, entry: Field, said: Statements, objects: list[Object]) -> object:
        arguments = said.get(PRIMAD + "arguments")
        return json_value(arguments[0].value) if arguments else objects[0].value


_Reader = Callable[[_Lowerer, Field, Statements, list[Object]], object]

_BY_STRUCTURE: Final[dict[str, _Reader]] = {
    "stage": _Lowerer.references,
    "requirement": _Lowerer.requirements,
    "libraries": _Lowerer.libraries,
    "command": _Lowerer.command,
}


def _first(said: Statements, name: str) -> str:
    objects = said.get(PRIMAD + name)
    return objects[0].value if objects else ""


def _position(said: Statements) -> int:
    text = _first(said, "position")
    return int(text) if _is_number(text) else 0


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _is_json(objects: list[Object] | None) -> bool:
    return bool(objects) and objects is not None and objects[0].datatype == RDF_JSON


def _parameter(about: Statements) -> object:
    values = about.get(PRIMAD + "value")
    if not values:
        return None
    if _is_json(values):
        return json_value(values[0].value)
    is_truth = values[0].datatype == XSD + "boolean"
    return _TRUTH.write(values[0].value) if is_truth else values[0].value


def _requirement(about: Statements) -> str:
    text = _first(about, "requirementText")
    if text:
        return text
    name, version = _first(about, "name"), _first(about, "version")
    return str(Requirement(name, version, _first(about, "versionRange")))


def _json_mapping(text: str) -> _Plain:
    """Unknown fields of a header; what is not a mapping, or cannot be read, is kept as a value."""
    value = json_value(text)
    return value if isinstance(value, dict) else {"extra": value}


def _copied(value: _Plain) -> _Plain:
    return {key: _copied_value(item) for key, item in value.items()}


def _copied_value(value: object) -> object:
    if isinstance(value, dict):
        return _copied(value)
    return [_copied_value(item) for item in value] if isinstance(value, list) else value


def _merge(value: object, extra: _Plain) -> None:
    """Put what the schema does not know back to its place; positions count from 1."""
    for key, item in extra.items():
        if isinstance(value, list):
            if _is_number(key) and 0 < int(key) <= len(value) and isinstance(item, dict):
                _merge(value[int(key) - 1], item)
        elif isinstance(value, dict):
            if isinstance(item, dict) and isinstance(value.get(key), dict | list):
                _merge(value[key], item)
            else:
                value.setdefault(key, item)


def _add_unread(result: _Plain, said: Statements, node: Node) -> None:
    """Put values that do not fit their fields where the header has them."""
    for unread in said.get(PRIMAD + "unread", ()):
        _place_unread(result, _json_mapping(unread.value), node)


def _place_unread(result: _Plain, unread: _Plain, node: Node) -> None:
    for key, value in unread.items():
        entry = node.fields.get(key)
        inner = result.get(key)
        if entry is not None and entry.node is not None and isinstance(value, dict):
            below = result.setdefault(key, {})
            if isinstance(below, dict):
                _place_unread(below, value, entry.node)
        elif entry is not None and entry.many and not entry.node and isinstance(value, str):
            others = [inner] if isinstance(inner, str) else inner
            known = map(str, others) if isinstance(others, list) else ()
            texts = sorted({value, *known})
            result[key] = value if texts == [value] and "stage" in entry.structures else texts
        else:
            result.setdefault(key, value)


def _ordered(value: _Plain, node: Node | None) -> Mapping:
    """Keys in the order of the schema; parameters and unknown keys by name."""
    result = Mapping()
    known = node.ordered() if node is not None else []
    for entry in known:
        if node is not None and entry is node.wildcard:
            for key in sorted(key for key in value if key not in node.fields):
                result[key] = _value(value[key], None)
        elif entry.key in value:
            result[entry.key] = _value(value[entry.key], entry.node)
    for key in sorted(key for key in value if key not in result):
        result[key] = _value(value[key], None)
    return result


def _value(value: object, node: Node | None) -> Value:
    if isinstance(value, dict):
        return _ordered(value, node)
    if isinstance(value, list):
        sequence = Sequence()
        sequence.extend(_value(item, node) for item in value)
        return sequence
    return None if value is None else str(value)
