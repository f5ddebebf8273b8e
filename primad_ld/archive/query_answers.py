"""Questions to an archive, named or in SPARQL, and their answers as text.

A question is a named query, a file or standard input. Its answer is a table for people, or has
one of the formats of the W3C for machines.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from primad_ld.archive.engine import Answer, Engine, Table, Triples, Truth
from primad_ld.archive.query_catalogue import NamedQuery, named_queries, named_query, own_query
from primad_ld.archive.sparql import pointed, syntax_error
from primad_ld.archive.tag_resolution import NamedRuns
from primad_ld.core.errors import ArchiveError, QueryError, printable, visible, without_commands
from primad_ld.core.files import read_at_most, reading
from primad_ld.core.iris import BASE, PREFIXES, SCORE, XSD
from primad_ld.core.triples import NamedGraph
from primad_ld.rdf.formats import write_graphs
from primad_ld.rdf.subject_index import Object
from primad_ld.tables.markup import separated

_MOST_BYTES: Final = 4 * 2**20


def listing() -> list[NamedQuery]:
    """The named queries in the order of their names."""
    return [query for _, query in sorted(named_queries().items())]


def _find_query(name: str) -> NamedQuery:
    """A named query, a file of SPARQL, or standard input for ``-``."""
    if name == "-":
        return own_query(_decoded(sys.stdin.buffer.read(_MOST_BYTES + 1), name), "standard input")
    path = Path(name)
    if name not in named_queries() and (path.suffix in (".rq", ".sparql") or path.is_file()):
        with reading(path) as stream:
            return own_query(_decoded(read_at_most(stream, _MOST_BYTES), name), name)
    return named_query(name)


def ask(
    engine: Engine, query: NamedQuery, values: Mapping[str, str], *, timeout: float | None = None
) -> Answer:
    """The answer to a query with the values of its parameters."""
    text = query.bind(values, NamedRuns(engine))
    try:
        return engine.query(text, timeout=timeout)
    except QueryError as error:
        # Without the prefixes that were put before it, the place is that of the user's text.
        bare = query.text if text.endswith(query.text) else text
        found = syntax_error(bare, query.name) or error
        raise QueryError(
            found.why,
            name=found.name or query.name,
            line=found.line,
            column=found.column,
            below=pointed(bare, found),
        ) from error


def answer(
    engine: Engine,
    name: str,
    values: Mapping[str, str],
    *,
    format: str | None = None,
    timeout: float | None = None,
    for_terminal: bool = False,
) -> str:
    """The answer to a query as text; a table, or Turtle for a graph, unless told otherwise."""
    found = ask(engine, _find_query(name), values, timeout=timeout)
    return write_answer(found, format, for_terminal=for_terminal)


def query_text(
    name: str,
    values: Mapping[str, str],
    archive: str | None = None,
    *,
    when_unused: Callable[[], None] | None = None,
) -> str:
    """A query with its values in place, for any endpoint; an archive is opened only to find runs.

    ``when_unused`` is called if it is not.
    """
    query, runs = _find_query(name), _Opened(archive)
    text = query.bind(values, runs).rstrip() + "\n"
    if when_unused is not None and not runs.was_asked:
        when_unused()
    # Of conditions that nobody set, blank lines are left.
    return text if query.is_free else re.sub(r"\n(?:[ \t]*\n){2,}", "\n", text)


class _Opened:
    """The runs of an archive that is opened when it is asked."""

    def __init__(self, archive: str | None) -> None:
        self.archive, self.was_asked = archive, False

    def named(self, name: str) -> str:
        with self._runs() as runs:
            return runs.named(name)

    def same_as(self, component: str, run: str) -> list[str]:
        with self._runs() as runs:
            return runs.same_as(component, run)

    @contextlib.contextmanager
    def _runs(self) -> Iterator[NamedRuns]:
        from primad_ld.archive.opening import open_checked

        self.was_asked = True
        with open_checked(self.archive) as engine:
            yield NamedRuns(engine)


def _decoded(data: bytes, name: str) -> str:
    if len(data) > _MOST_BYTES:
        raise ArchiveError(f"{name}: a query of more than {_MOST_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ArchiveError(f"{name}: not a text in UTF-8 (byte {error.start})") from None


# Answers as text --------------------------------------------------------------------------

_WIDTH: Final = 80
_LANGUAGE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
_RESULTS: Final = "http://www.w3.org/2005/sparql-results#"
_SHORT: Final = {**PREFIXES, "score": SCORE, "": BASE}


def write_answer(answer: Answer, format: str | None = None, *, for_terminal: bool = False) -> str:
    """An answer in a format; without one as a table, or as Turtle if it is a graph."""
    chosen = format or ("ttl" if isinstance(answer, Triples) else "table")
    writer = WRITERS[chosen].get(type(answer))
    if writer is None:
        fitting = ", ".join(name for name, writers in WRITERS.items() if type(answer) in writers)
        raise ArchiveError(f"{_KINDS[type(answer)]} cannot be written as {chosen}; take {fitting}")
    if chosen == "table":
        return _as_table(answer, for_terminal)
    return visible(writer(answer)) if for_terminal else writer(answer)


_KINDS: Final[dict[type, str]] = {
    Table: "the rows of a SELECT query",
    Truth: "the yes or no of an ASK query",
    Triples: "the graph of a CONSTRUCT or DESCRIBE query",
}


# For people -------------------------------------------------------------------------------


def _as_table(answer: Answer, for_terminal: bool) -> str:
    if isinstance(answer, Truth):
        return "yes\n" if answer.holds else "no\n"
    assert isinstance(answer, Table)
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(box=None, header_style="bold", pad_edge=False)
    variables = [printable(variable) for variable in answer.variables]
    for variable in variables:
        table.add_column(Text(variable), overflow="fold")
    rows = [[_shown(cell) for cell in row] for row in answer.rows]
    for row in rows:
        table.add_row(*map(Text, row))
    buffer = io.StringIO()
    # Elsewhere than on a terminal nothing is cut or folded.
    widest = [max(map(cell_len, column)) for column in zip(variables, *rows, strict=True)]
    width = None if for_terminal else max(_WIDTH, sum(widest) + 2 * len(widest))
    Console(file=buffer, width=width, force_terminal=for_terminal, highlight=False).print(table)
    lines = [line.rstrip() for line in buffer.getvalue().split("\n")]
    count = len(answer.rows)
    text = without_commands("\n".join(lines[:-1]))
    return "\n".join([text, "", f"{count:,} row{'' if count == 1 else 's'}", ""])


def _shown(term: Object | None) -> str:
    """A term for people: known IRIs shortened, nothing that could steer a terminal."""
    if term is None:
        return ""
    text = _shortened(term.value) if term.datatype is None else term.value
    return printable(text)


def _shortened(iri: str) -> str:
    for prefix, namespace in _SHORT.items():
        if iri.startswith(namespace) and len(iri) > len(namespace):
            rest = iri[len(namespace) :]
            return f"{prefix}:{rest}" if prefix else rest
    return iri


# CSV and TSV ------------------------------------------------------------------------------

# As the W3C has them in SPARQL 1.1 Query Results CSV and TSV Formats.


def _as_csv(answer: Answer) -> str:
    assert isinstance(answer, Table)
    rows = (["" if cell is None else cell.value for cell in row] for row in answer.rows)
    return separated(chain([answer.variables], rows), line_end="\r\n")


def _as_tsv(answer: Answer) -> str:
    assert isinstance(answer, Table)
    lines = ["\t".join(f"?{variable}" for variable in answer.variables)]
    lines.extend(
        "\t".join("" if cell is None else _turtle(cell) for cell in row) for row in answer.rows
    )
    return "\n".join(lines) + "\n"


_BARE: Final = {
    XSD + "integer": re.compile(r"[+-]?[0-9]+"),
    XSD + "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD + "double": re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+"),
}
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: What stands in no IRI, though in some of others.
_NOT_IN_IRIS: Final = re.compile(r'[\x00-\x20<>"{}|^`\\\x7f-\x9f]')


def _turtle(term: Object) -> str:
    if term.datatype is None:
        return term.value if term.value.startswith("_:") else _turtle_iri(term.value)
    bare = _BARE.get(term.datatype)
    if bare is not None and bare.fullmatch(term.value):
        return term.value
    text = f'"{"".join(_ESCAPES.get(char, char) for char in term.value)}"'
    if term.language:
        return f"{text}@{printable(term.language)}"
    return text if term.datatype == XSD + "string" else f"{text}^^{_turtle_iri(term.datatype)}"


def _turtle_iri(iri: str) -> str:
    text = _NOT_IN_IRIS.sub(lambda found: rf"\U{ord(found[0]):08X}", iri)
    return f"<{text}>"


# JSON and XML -----------------------------------------------------------------------------


def _as_json(answer: Answer) -> str:
    document: dict[str, object] = {
        "head": {},
        "boolean": isinstance(answer, Truth) and answer.holds,
    }
    if isinstance(answer, Table):
        bindings = [
            {
                variable: _json_term(cell)
                for variable, cell in zip(answer.variables, row, strict=True)
                if cell is not None
            }
            for row in answer.rows
        ]
        document = {"head": {"vars": list(answer.variables)}, "results": {"bindings": bindings}}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _json_term(term: Object) -> dict[str, str]:
    if term.datatype is None:
        if term.value.startswith("_:"):
            return {"type": "bnode", "value": term.value[2:]}
        return {"type": "uri", "value": term.value}
    found = {"type": "literal", "value": term.value}
    if term.language:
        found["xml:lang"] = term.language
    elif term.datatype not in (XSD + "string", _LANGUAGE):
        found["datatype"] = term.datatype
    return found


# What XML cannot say at all.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Readers change or leave out these where they are not written as references.
_BLANKS: Final = re.compile(r"[\r\n\t]|^ +| +$")


def _as_xml(answer: Answer) -> str:
    """XML of SPARQL 1.1; what XML cannot say, wherever it stands, is U+FFFD."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", _xml_document(answer))


def _xml_document(answer: Answer) -> str:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<sparql xmlns="{_RESULTS}">']
    if isinstance(answer, Truth):
        lines.extend(["<head/>", f"<boolean>{str(answer.holds).lower()}</boolean>"])
    elif isinstance(answer, Table):
        lines.append("<head>")
        lines.extend(f"<variable name={quoteattr(name)}/>" for name in answer.variables)
        lines.extend(["</head>", "<results>"])
        for row in answer.rows:
            cells = [
                f"<binding name={quoteattr(name)}>{_xml_term(cell)}</binding>"
                for name, cell in zip(answer.variables, row, strict=True)
                if cell is not None
            ]
            lines.append(f"<result>{''.join(cells)}</result>")
        lines.append("</results>")
    return "\n".join([*lines, "</sparql>", ""])


def _xml_term(term: Object) -> str:
    text = escape(term.value)
    text = _BLANKS.sub(lambda found: "".join(f"&#{ord(char)};" for char in found[0]), text)
    if term.datatype is None:
        return f"<bnode>{text[2:]}</bnode>" if text.startswith("_:") else f"<uri>{text}</uri>"
    if term.language:
        return f"<literal xml:lang={quoteattr(term.language)}>{text}</literal>"
    if term.datatype in (XSD + "string", _LANGUAGE):
        return f"<literal>{text}</literal>"
    return f"<literal datatype={quoteattr(term.datatype)}>{text}</literal>"


# Graphs -----------------------------------------------------------------------------------


def _as_ntriples(answer: Answer) -> str:
    assert isinstance(answer, Triples)
    return "".join(answer.lines)


def _as_turtle(answer: Answer) -> str:
    return "".join(write_graphs([NamedGraph(iri=BASE, triples=_as_ntriples(answer))], "ttl"))


_Writer = Callable[[Answer], str]

#: By format, how it writes which kinds of answers.
WRITERS: Final[dict[str, dict[type, _Writer]]] = {
    "table": {Table: str, Truth: str},
    "csv": {Table: _as_csv},
    "tsv": {Table: _as_tsv},
    "json": {Table: _as_json, Truth: _as_json},
    "xml": {Table: _as_xml, Truth: _as_xml},
    "ttl": {Triples: _as_turtle},
    "nt": {Triples: _as_ntriples},
}
