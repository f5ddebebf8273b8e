"""RDF formats: graphs as text as they come, and files of any format read back."""

from __future__ import annotations

import contextlib
import itertools
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from primad_ld.core.arguments import to_format
from primad_ld.core.errors import ConvertError
from primad_ld.core.files import plain_suffix, read_at_most, reading
from primad_ld.core.iris import BASE, PREFIXES, RDF_TYPE, relative
from primad_ld.core.triples import Document, NamedGraph, UnfitError, line_of_unfit, may_be_unfit
from primad_ld.rdf.index import Index, StoreIndex, index_quads, oxigraph_object
from primad_ld.schema.fields import Schema, default_schema

if TYPE_CHECKING:
    import pyoxigraph
    import rdflib

# A larger file is read into a store on disk, so that memory stays bounded.
_IN_MEMORY: Final = 32 * 2**20
_PIECE: Final = 16 * 2**20
_QUADS: Final = 100_000
# For the line of an error.
_MOST_LOOKED_AT: Final = 256 * 2**20

# One statement of N-Triples, our own or as pyoxigraph prints it.
_LINE = re.compile(
    r"(<[^>]*>|_:\S+) <([^>]*)> "
    r'(<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:\^\^<[^>]*>|@[A-Za-z0-9\-]+)?) \.\n'
)
_LOCAL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
_BARE_LITERAL = re.compile(
    r'"(true|false)"\^\^<http://www\.w3\.org/2001/XMLSchema#boolean>'
    r'|"(-?[0-9]+)"\^\^<http://www\.w3\.org/2001/XMLSchema#integer>'
    r'|"(-?[0-9]*\.[0-9]+)"\^\^<http://www\.w3\.org/2001/XMLSchema#decimal>'
)


@dataclass(frozen=True, slots=True)
class Format:
    """A format we write and read."""

    name: str
    suffixes: tuple[str, ...]
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
    from primad_ld.rdf.jsonld import DocumentWriter

    writer = DocumentWriter(schema, base)
    yield from writer.begin()
    for number, graph in enumerate(graphs):
        yield writer.graph(graph, first=number == 0)
    yield writer.end()


FORMATS: Final = {
    "nq": Format("N-Quads", (".nq", ".nquads"), _write_nquads, "N_QUADS"),
    "nt": Format("N-Triples", (".nt", ".ntriples"), _write_ntriples, "N_TRIPLES"),
    "ttl": Format("Turtle", (".ttl", ".turtle"), _write_turtle, "TURTLE"),
    "trig": Format("TriG", (".trig",), _write_trig, "TRIG"),
    "jsonld": Format("JSON-LD", (".jsonld",), _write_jsonld, "JSON_LD"),
}


def format_of(path: Path) -> str | None:
    """The name of the RDF format that a file's suffix tells, compressed or not."""
    suffix = Path(plain_suffix(path)[0]).suffix.lower()
    return next((name for name, one in FORMATS.items() if suffix in one.suffixes), None)


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


# Reading --------------------------------------------------------------------------------


@contextlib.contextmanager
def read_index(path: Path, format: str | None = None) -> Iterator[Index]:
    """What an RDF file says, by subject; a large file by way of a store on disk."""
    import pyoxigraph

    name = _format(path, format)
    with contextlib.ExitStack() as stack:
        index: Index
        with _parsing(path, name), reading(path) as stream:
            if path.stat().st_size <= _IN_MEMORY and not plain_suffix(path)[1]:
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
        raise ConvertError(f"{path}: no RDF format has this suffix")
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
        while piece := stream.read(_PIECE):
            piece += stream.readline()
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


def _prefixes(base: str) -> str:
    lines = [f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in PREFIXES.items()]
    return f"@base <{base}> .\n" + "".join(lines)


def _subjects(graph: NamedGraph, base: str, indent: str) -> Iterator[str]:
    """The triples of a graph, those of one subject together."""
    last_subject = last_predicate = ""
    at = 0
    for line in _LINE.finditer(graph.triples):
        if line.start() != at:
            break
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
        raise ConvertError(f"{graph.iri}: not a statement of RDF 1.1: {shown:.200}")
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
