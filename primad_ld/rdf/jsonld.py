"""JSON-LD: graphs as compact documents, with a context that is compiled from the shapes.

The keys are those of the header (``number of cores``), so a document reads like one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from primad_ld.core.iris import FOAF, PRIMAD, RDF_TYPE, XSD, relative
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.index import MemoryIndex, Object, index_triples
from primad_ld.schema.fields import Field, Node, Schema

_Json = dict[str, Any]

_LINKS: Final = tuple(
    "header contribution contributor ranking listItem ofProperty platformIdentity researchGoalIdentity "
    "implementationIdentity methodIdentity actorIdentity dataIdentity".split()
)
_PLAIN: Final = tuple(
    "extra unread value text requirementText name version versionRange programmingLanguage spelling writtenAs runFileName rankingDigest "
    "onCollection byTeam reportsMeasure tagInFile pipeline inYear completeness lacksComponent summary identityVersion arguments".split()
)
# Objects that are written inside their subject; other links are names of what stands elsewhere.
_CONTAINED: Final = frozenset(
    PRIMAD + name for name in ("header", "contribution", "ranking", "listItem")
)
_COERCED: Final = frozenset(XSD + name for name in ("integer", "decimal", "gYear", "dateTime"))


def document_context(schema: Schema, base: str) -> _Json:
    """The context of the documents that we write: typed nodes, one named graph each.

    It has no prefixes: ``foaf:x`` may be an address in a header.
    """
    run = {
        entry.predicate.removeprefix(PRIMAD): _definition(entry, nested=True)
        for entry in schema.walk()
        if entry.of_run
    }
    types = {
        str(entry.type).removeprefix(PRIMAD): {
            "@id": str(entry.type),
            "@context": _terms(entry.node, nested=True),
        }
        for entry in schema.components
        if entry.node is not None
    }
    return {
        "@version": 1.1,
        "@base": base,
        "@vocab": PRIMAD,
        "position": {"@id": PRIMAD + "position", "@type": XSD + "integer"},
        **{name: PRIMAD + name for name in _PLAIN},
        **{name: {"@id": PRIMAD + name, "@type": "@id"} for name in _LINKS},
        "primaryTopic": {"@id": FOAF + "primaryTopic", "@type": "@id"},
        **_terms(schema.root, nested=False),
        **run,
        **types,
    }


def _terms(node: Node, *, nested: bool) -> _Json:
    """The keys of a mapping, without those that lift moves to the run."""
    terms: _Json = {}
    for entry in node.ordered():
        if entry is node.wildcard:
            terms["parameter"] = _definition(entry, nested=False)
        elif not entry.of_run:
            terms[entry.key] = _definition(entry, nested=nested)
    return terms


def _definition(entry: Field, *, nested: bool) -> _Json | str:
    definition: _Json = {"@id": entry.predicate}
    if entry.link or entry.type is not None:
        definition["@type"] = "@id"
    elif entry.datatype in _COERCED:
        definition["@type"] = entry.datatype
    if nested and entry.node is not None:
        definition["@context"] = _terms(entry.node, nested=True)
    return definition if len(definition) > 1 else entry.predicate


class DocumentWriter:
    """Writes named graphs as the members of one JSON-LD document."""

    def __init__(self, schema: Schema, base: str) -> None:
        self.schema, self.base = schema, base
        self.types = {
            str(entry.type): entry.node for entry in schema.walk() if entry.node is not None
        }
        self.of_run = {
            entry.predicate: entry.predicate.removeprefix(PRIMAD)
            for entry in schema.walk()
            if entry.of_run
        }
        self.contained = _CONTAINED | {
            entry.predicate
            for entry in schema.walk()
            if entry.type is not None and not entry.is_component
        }
        self.links = (
            {entry.predicate: entry.link or entry.type is not None for entry in schema.walk()}
            | {PRIMAD + name: True for name in (*_LINKS, "contributor")}
            | {FOAF + "primaryTopic": True}
        )
        self.datatypes = {
            entry.predicate: entry.datatype for entry in schema.walk() if entry.datatype in _COERCED
        } | {PRIMAD + "position": XSD + "integer"}

    def begin(self) -> Iterator[str]:
        """The document up to its first graph."""
        yield '{\n"@context": {\n'
        items = document_context(self.schema, self.base).items()
        yield ",\n".join(f"  {_compact(key)}: {_compact(value)}" for key, value in items)
        yield '\n},\n"@graph": ['

    def graph(self, graph: NamedGraph, *, first: bool) -> str:
        """One named graph, its inner nodes inside the node that it is about."""
        index = index_triples(graph.triples)
        written: set[str] = set()
        # What the graph is about comes first and holds its inner nodes; others follow.
        about = sorted(index.subjects(), key=lambda subject: subject != graph.iri)
        nodes = [
            self.node(index, subject, None, written) for subject in about if subject not in written
        ]
        member = {"@id": self.relative(graph.iri), "@graph": nodes[0] if len(nodes) == 1 else nodes}
        text = json.dumps(member, ensure_ascii=False, indent=1)
        return f"{'' if first else ','}\n{text}"

    def end(self) -> str:
        """The document's end."""
        return "\n]\n}\n"

    def relative(self, iri: str) -> str:
        """An IRI as the document writes it. What stands before a colon could be a prefix."""
        rest = relative(iri, self.base)
        return iri if ":" in rest else rest

    def node(self, index: MemoryIndex, iri: str, above: Field | None, written: set[str]) -> _Json:
        """All that is said of a node, with the nodes that only it holds inside."""
        written.add(iri)
        said = index.about(iri)
        result: _Json = {"@id": self.relative(iri)}
        types = sorted(one.value.removeprefix(PRIMAD) for one in said.pop(RDF_TYPE, []))
        if types:
            result["@type"] = types[0] if len(types) == 1 else types
        is_run = "Run" in types
        node = self.schema.root if is_run else above.node if above else None
        if node is None and types:
            node = self.types.get(PRIMAD + types[0])
        for predicate, objects in said.items():
            entry = node.by_predicate.get(predicate) if node else None
            if entry is None or (node is not None and entry is node.wildcard):
                key = self.of_run.get(predicate) or _key(predicate)
            else:
                key = entry.key
            values = [self.value(index, predicate, one, entry, written) for one in objects]
            result[key] = values[0] if len(values) == 1 else values
        return result

    def value(
        self,
        index: MemoryIndex,
        predicate: str,
        one: Object,
        entry: Field | None,
        written: set[str],
    ) -> object:
        """One value of a node, in the form that the context leads to expect."""
        if one.language is not None:
            return {"@value": one.value, "@language": one.language}
        if one.datatype is None:
            is_inside = predicate in self.contained and one.value not in written
            if is_inside and index.about(one.value):
                return self.node(index, one.value, entry, written)
            iri = self.relative(one.value)
            return iri if self.links.get(predicate) else {"@id": iri}
        expected = self.datatypes.get(predicate)
        if one.datatype == XSD + "string":
            is_plain = expected is None and not self.links.get(predicate)
            return one.value if is_plain else {"@value": one.value}
        if one.datatype == expected:
            return int(one.value) if expected == XSD + "integer" else one.value
        if one.datatype == XSD + "boolean":
            return one.value == "true"
        return {"@value": one.value, "@type": one.datatype}


def _key(predicate: str) -> str:
    """A predicate as a key of a document: our terms and the record's topic have short ones."""
    if predicate == FOAF + "primaryTopic":
        return "primaryTopic"
    rest = predicate.removeprefix(PRIMAD)
    return rest if rest.isalnum() else predicate


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
