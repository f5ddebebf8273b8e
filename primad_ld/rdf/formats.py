"""RDF formats: graphs as text as they come, and files of any format read back.

N-Quads, N-Triples, Turtle and TriG are written graph by graph. JSON-LD is written as compact
documents, with a context that is compiled from the shapes: the keys are those of the header
(``number of cores``), so a document reads like one.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from primad_ld.core.errors import ConvertError, HeaderError
from primad_ld.core.files import (
    RDF_SUFFIXES,
    compression_of,
    plain_suffix,
    read_at_most,
    reading,
)
from primad_ld.core.format_names import to_format
from primad_ld.core.iris import BASE, FOAF, PREFIXES, PRIMAD, RDF_TYPE, XSD, relative
from primad_ld.core.triples import Document, NamedGraph, UnfitError, line_of_unfit, may_be_unfit
from primad_ld.rdf.subject_index import (
    Index,
    MemoryIndex,
    Object,
    StoreIndex,
    index_quads,
    index_triples,
    oxigraph_object,
)
from primad_ld.schema.canonical import integer
from primad_ld.schema.fields import Field, Node, Schema, default_schema

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib

# A larger file is read into a store on disk, so that memory stays bounded.
_IN_MEMORY: Final = 32 * 2**20
_PIECE: Final = 16 * 2**20
# A header is one text, four times as long where all of it is written as escapes.
_LONGEST_LINE: Final = 64 * 2**20
_QUADS: Final = 100_000
# For the line of an error.
_MOST_LOOKED_AT: Final = 256 * 2**20


@dataclass(frozen=True, slots=True)
class _Format:
    """A format we write and read."""

    name: str
    write: Callable[[Iterable[NamedGraph], str, Schema], Iterator[str]]
    #: Name of the same format in `pyoxigraph.RdfFormat`.
    oxigraph: str


def _write_nquads(graphs: Iterable[NamedGraph], base: str, schema: Schema) -> Iterator[str]:
    return (graph.nquads() for graph in graphs)


def _write_ntriples(graphs: Iterable[NamedGraph], base: str, schema: Schema) -> Iterator[str]:
    return (graph.triples for graph in graphs)


def _write_turtle(graphs: Iterable[NamedGraph], base: str, schema: Schema) -> Iterator[str]:
    yield _prefixes(base)
    for graph in graphs:
        yield from _subjects(graph, base, "")


def _write_trig(graphs: Iterable[NamedGraph], base: str, schema: Schema) -> Iterator[str]:
    yield _prefixes(base)
    for graph in graphs:
        yield f"\n{_object(graph.token, base)} {{"
        yield from _subjects(graph, base, "    ")
        yield "}\n"


def _write_jsonld(graphs: Iterable[NamedGraph], base: str, schema: Schema) -> Iterator[str]:
    writer = _DocumentWriter(schema, base)
    yield from writer.begin()
    for number, graph in enumerate(graphs):
        yield writer.graph(graph, first=number == 0)
    yield writer.end()


FORMATS: Final = {
    "nq": _Format("N-Quads", _write_nquads, "N_QUADS"),
    "nt": _Format("N-Triples", _write_ntriples, "N_TRIPLES"),
    "ttl": _Format("Turtle", _write_turtle, "TURTLE"),
    "trig": _Format("TriG", _write_trig, "TRIG"),
    "jsonld": _Format("JSON-LD", _write_jsonld, "JSON_LD"),
}


def format_of(path: Path) -> str | None:
    """The name of the RDF format that a file's suffix tells, compressed or not."""
    suffix = Path(plain_suffix(path)[0]).suffix.lower()
    return next((name for name, ends in RDF_SUFFIXES.items() if suffix in ends), None)


def write_graphs(
    graphs: Iterable[NamedGraph], format: str, *, base: str = BASE, schema: Schema | None = None
) -> Iterator[str]:
    """Graphs in a format, piece by piece. N-Triples and Turtle have no graph names."""
    return FORMATS[to_format(format, FORMATS)].write(graphs, base, schema or default_schema())


def to_rdflib(graphs: Iterable[NamedGraph]) -> rdflib.Dataset:
    """Graphs as an rdflib dataset, with the prefixes bound."""
    import pyoxigraph
    import rdflib

    dataset = rdflib.Dataset()
    for prefix, namespace in PREFIXES.items():
        dataset.bind(prefix, namespace)
    for graph in graphs:
        named = dataset.graph(rdflib.URIRef(graph.iri))
        triples = pyoxigraph.parse(graph.triples, format=pyoxigraph.RdfFormat.N_TRIPLES)
        for triple in triples:
            one = oxigraph_object(triple.object)
            named.add(
                (
                    rdflib.URIRef(oxigraph_object(triple.subject).value),
                    rdflib.URIRef(triple.predicate.value),
                    rdflib.URIRef(one.value)
                    if one.datatype is None
                    else _rdflib_literal(one.value, one.datatype),
                )
            )
    return dataset


def _rdflib_literal(value: str, datatype: str) -> rdflib.Literal:
    import rdflib

    if datatype == str(rdflib.XSD.string):
        return rdflib.Literal(value)
    return rdflib.Literal(value, datatype=rdflib.URIRef(datatype), normalize=False)


# Reading ----------------------------------------------------------------------------------


@contextlib.contextmanager
def read_index(path: Path, format: str | None = None) -> Iterator[Index]:
    """What an RDF file says, by subject; a large file by way of a store on disk."""
    import pyoxigraph

    name = _format(path, format)
    with contextlib.ExitStack() as stack:
        index: Index
        with _parsing(path, name), reading(path) as stream:
            if path.stat().st_size <= _IN_MEMORY and not compression_of(path):
                index = index_quads(Document(stream, FORMATS[name].oxigraph))
            else:
                folder = tempfile.TemporaryDirectory(
                    prefix="primad-ld-", ignore_cleanup_errors=True
                )
                store = pyoxigraph.Store(stack.enter_context(folder))
                _load(store, stream, name)
                index = StoreIndex(store)
                del store  # with the index, so that its files are closed before the folder goes
        yield index
        del index


def _format(path: Path, format: str | None) -> str:
    name = format_of(path) if format is None else to_format(format, FORMATS)
    if name is None:
        raise ConvertError(f"{path}: unknown RDF suffix")
    return name


@contextlib.contextmanager
def _parsing(path: Path, format: str) -> Iterator[None]:
    """Errors of the parser as ours."""
    try:
        yield
    except UnfitError as error:
        with reading(path) as stream:
            number = line_of_unfit(read_at_most(stream, _MOST_LOOKED_AT))
        place = f"{path}:{number}" if number else f"{path}"
        raise ConvertError(f"{place}: {error}") from error
    except (SyntaxError, ValueError) as error:
        line = re.search(r"line (\d+)", str(error))
        place = f"{path}:{line[1]}" if line else f"{path}"
        raise ConvertError(f"{place}: not {FORMATS[format].name}: {error}") from error


def _load(store: pyoxigraph.Store, stream: BinaryIO, format: str) -> None:
    """Load in pieces: in one go, Oxigraph's memory grows with the file."""
    import pyoxigraph

    name = FORMATS[format].oxigraph
    if format in ("nq", "nt"):
        lines = 0
        while piece := stream.read(_PIECE):
            piece += stream.readline(_LONGEST_LINE)
            if len(piece) > _LONGEST_LINE and not piece.endswith(b"\n"):
                lines += piece.count(b"\n")
                raise HeaderError(
                    f"this line is longer than {_LONGEST_LINE >> 20} MiB",
                    line=lines + 1,
                    hint="is it another kind of file?",
                )
            lines += piece.count(b"\n")
            if may_be_unfit(piece):
                store.bulk_extend(Document(piece, name))
            else:
                store.bulk_load(piece, format=getattr(pyoxigraph.RdfFormat, name))
        return
    quads = iter(Document(stream, name))
    while piece_of_quads := list(itertools.islice(quads, _QUADS)):
        store.bulk_extend(piece_of_quads)


def read_graphs(*paths: Path) -> Iterator[NamedGraph]:
    """The named graphs of RDF files; without graph names, each node and its fragments are one."""
    import pyoxigraph

    graphs: dict[str, dict[str, None]] = {}
    blanks: dict[tuple[int, str], str] = {}

    def token(term: object, number: int) -> str:
        if not isinstance(term, pyoxigraph.BlankNode):
            return str(term)
        # Numbered as they come: the same label in two files is not the same node, and a
        # parser makes up labels for nodes that have none.
        return blanks.setdefault((number, term.value), f"_:b{len(blanks) + 1}")

    for number, path in enumerate(paths):
        name = _format(path, None)
        with _parsing(path, name), reading(path) as stream:
            for quad in Document(stream, FORMATS[name].oxigraph):
                subject, value = token(quad.subject, number), token(quad.object, number)
                given = getattr(quad, "graph_name", pyoxigraph.DefaultGraph())
                graph = token(given, number).strip("<>")
                if isinstance(given, pyoxigraph.DefaultGraph):
                    # A node and its fragments belong together, as lift writes them.
                    graph = subject.strip("<>").split("#")[0]
                graphs.setdefault(graph, {})[f"{subject} {quad.predicate} {value} .\n"] = None
    for iri, triples in graphs.items():
        yield NamedGraph(iri=iri, triples="".join(sorted(triples)))


# Turtle -----------------------------------------------------------------------------------

# One statement of N-Triples, our own or as pyoxigraph prints it.
_LINE = re.compile(
    r"(<[^>\n]*>|_:\S+) <([^>\n]*)> "
    r'(<[^>\n]*>|_:\S+|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"(?:\^\^<[^>\n]*>|@[A-Za-z0-9\-]+)?) \.\n'
)
_LOCAL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
_BARE_LITERAL = re.compile(
    r'"(true|false)"\^\^<http://www\.w3\.org/2001/XMLSchema#boolean>'
    r'|"(-?[0-9]+)"\^\^<http://www\.w3\.org/2001/XMLSchema#integer>'
    r'|"(-?[0-9]*\.[0-9]+)"\^\^<http://www\.w3\.org/2001/XMLSchema#decimal>'
)


def _prefixes(base: str) -> str:
    lines = [f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in PREFIXES.items()]
    return f"@base <{base}> .\n" + "".join(lines)


def _subjects(graph: NamedGraph, base: str, indent: str) -> Iterator[str]:
    """The triples of a graph, those of one subject together."""
    last_subject = last_predicate = ""
    at = 0
    while line := _LINE.match(graph.triples, at):
        subject, predicate, value = line.groups()
        at = line.end()
        if subject != last_subject:
            yield " .\n" if last_subject else ""
            yield f"\n{indent}{_object(subject, base)} {_predicate(predicate, base)} "
        elif predicate != last_predicate:
            yield f" ;\n{indent}    {_predicate(predicate, base)} "
        else:
            yield ", "
        yield _object(value, base)
        last_subject, last_predicate = subject, predicate
    if at != len(graph.triples):
        shown = graph.triples[at:].partition("\n")[0]
        raise ConvertError(f"{graph.iri}: not valid in RDF 1.1: {shown:.200}")
    yield " .\n" if last_subject else ""


def _predicate(iri: str, base: str) -> str:
    return "a" if iri == RDF_TYPE else _iri(iri, base)


def _object(token: str, base: str) -> str:
    if token[0] == "<":
        return _iri(token[1:-1], base)
    bare = _BARE_LITERAL.fullmatch(token)
    if bare:
        return next(group for group in bare.groups() if group is not None)
    if token[-1] != ">":
        return token  # a plain text, one with a language, or a blank node
    literal, _, datatype = token.rpartition("^^")
    return f"{literal}^^{_iri(datatype[1:-1], base)}"


def _iri(iri: str, base: str) -> str:
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and _LOCAL_NAME.fullmatch(iri, len(namespace)):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{relative(iri, base)}>"


# JSON-LD ----------------------------------------------------------------------------------

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


class _DocumentWriter:
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
        if one.datatype == expected and expected != XSD + "integer":
            return one.value
        if one.datatype == expected and one.value == integer(one.value):
            return int(one.value)
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
