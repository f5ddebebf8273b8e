"""Answers as text: other readers find in them what the engine said."""

from __future__ import annotations

import csv
import io
import re
from xml.etree import ElementTree as ET

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import BASE, PRIMAD, SCHEME, XSD

from primad_ld import PrimadError
from primad_ld.archive.engine import Table, Triples, Truth
from primad_ld.archive.query_answers import WRITERS, write_answer
from primad_ld.rdf.subject_index import Object, oxigraph_object

_RESULTS = "{http://www.w3.org/2005/sparql-results#}"
LANG = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


def text(value: str) -> Object:
    return Object(value, XSD + "string")


TABLE = Table(
    ("tag", "year", "run"),
    [
        (text("bm25, plain"), Object("2019", XSD + "integer"), Object(f"{BASE}run/0a")),
        (
            text('a "quoted"\ntag'),
            None,
            Object("https://example.org/?a=1&b=<2>".replace("<2>", "2")),
        ),
        (Object("Garten", LANG, "de"), Object("0.90", XSD + "decimal"), Object("_:b1")),
    ],
)
RUN = f"run/1-{'0a' * 20}"
TRIPLES = Triples(
    (
        f'<{BASE}{RUN}> <{PRIMAD}tag> "a \\"b\\"" .\n',
        f"<{BASE}{RUN}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PRIMAD}Run> .\n",
    )
)


# The formats of the W3C -----------------------------------------------------------------------

_TEXTS = st.text(alphabet=st.characters(exclude_categories=("Cs",)))
_IRIS = st.sampled_from(["http://x/", "http://x/?a=1&b='2'", "urn:a:é", f"{BASE}run/0a#b"])
_TERMS = st.one_of(
    st.none(),
    _TEXTS.map(text),
    _IRIS.map(Object),
    st.builds(lambda value: Object(value, LANG, "en-gb"), _TEXTS),
    st.builds(Object, _TEXTS, _IRIS, st.none()),
    st.sampled_from(["1", "-1", "+01", "1.5", ".5", "5.", "1e3", "many", ""]).flatmap(
        lambda value: st.sampled_from(["integer", "decimal", "double"]).map(
            lambda name: Object(value, XSD + name)
        )
    ),
    st.sampled_from(["true", "1"]).map(lambda value: Object(value, XSD + "boolean")),
)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[_TERMS] * width), max_size=4))
    return Table(tuple("abc"[:width]), rows)


def parsed(written: str, format: str) -> Table:
    kind = getattr(pyoxigraph.QueryResultsFormat, format.upper())
    found = pyoxigraph.parse_query_results(written.encode(), format=kind)
    rows = [tuple(None if term is None else oxigraph_object(term) for term in row) for row in found]
    return Table(tuple(variable.value for variable in found.variables), rows)


@pytest.mark.parametrize("format", ["json", "tsv"])
@given(table=_tables())
def test_every_table_is_read_back(format: str, table: Table) -> None:
    assert parsed(write_answer(table, format), format) == table


_PLAIN = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]*")


@given(table=_tables())
def test_xml_is_read_back_but_for_what_xml_cannot_say(table: Table) -> None:
    found = parsed(write_answer(table, "xml"), "xml")
    assert found.variables == table.variables
    assert len(found.rows) == len(table.rows)
    for before, after in zip(table.rows, found.rows, strict=True):
        for one, other in zip(before, after, strict=True):
            if one is None or _PLAIN.fullmatch(one.value):
                assert one == other
            else:
                assert other is not None
                assert "\N{REPLACEMENT CHARACTER}" in other.value


def test_xml_is_well_formed_whatever_an_endpoint_says() -> None:
    odd = "\x00\x1f\ud800\uffff\"'<&>]]>"
    row = (text(odd), Object(odd), Object("_:" + odd), Object("", LANG, odd), Object("", odd))
    written = write_answer(Table((*"abcd", odd), [row]), "xml")
    cells = ET.fromstring(written.encode()).iter(f"{_RESULTS}binding")
    assert [cell[0].tag.removeprefix(_RESULTS) for cell in cells] == [
        *("literal", "uri", "bnode", "literal", "literal")
    ]
    assert written.count("\N{REPLACEMENT CHARACTER}" * 3) == 7  # each text, and a name twice


@given(table=_tables())
def test_csv_is_read_back_as_texts(table: Table) -> None:
    written = write_answer(table, "csv")
    head, *rows = csv.reader(io.StringIO(written, newline=""))
    assert head == list(table.variables)
    assert rows == [["" if cell is None else cell.value for cell in row] for row in table.rows]


def test_csv_as_the_standard_has_it() -> None:
    assert write_answer(TABLE, "csv") == (
        "tag,year,run\r\n"
        f'"bm25, plain",2019,{BASE}run/0a\r\n'
        '"a ""quoted""\ntag",,https://example.org/?a=1&b=2\r\n'
        "Garten,0.90,_:b1\r\n"
    )


def test_tsv_as_the_standard_has_it() -> None:
    assert write_answer(TABLE, "tsv") == (
        "?tag\t?year\t?run\n"
        f'"bm25, plain"\t2019\t<{BASE}run/0a>\n'
        '"a \\"quoted\\"\\ntag"\t\t<https://example.org/?a=1&b=2>\n'
        '"Garten"@de\t0.90\t_:b1\n'
    )


@pytest.mark.parametrize("format", ["json", "xml"])
@pytest.mark.parametrize("holds", [True, False])
def test_a_yes_or_no_is_read_back(format: str, holds: bool) -> None:
    kind = getattr(pyoxigraph.QueryResultsFormat, format.upper())
    written = write_answer(Truth(holds), format).encode()
    assert bool(pyoxigraph.parse_query_results(written, format=kind)) is holds
    assert rdflib.query.Result.parse(io.BytesIO(written), format=format).askAnswer is holds


@pytest.mark.parametrize("format", ["json", "xml"])
def test_rdflib_reads_the_same(format: str) -> None:
    written = write_answer(TABLE, format).encode()
    found = rdflib.query.Result.parse(io.BytesIO(written), format=format)
    assert [str(variable) for variable in found.vars] == list(TABLE.variables)
    rows = [
        [None if cell is None else str(cell) for cell in row.asdict().values()] for row in found
    ]
    assert rows[0] == ["bm25, plain", "2019", f"{BASE}run/0a"]
    assert rows[1] == ['a "quoted"\ntag', "https://example.org/?a=1&b=2"]


@pytest.mark.parametrize("format", ["csv", "tsv", "json", "xml"])
def test_an_empty_table_still_has_its_columns(format: str) -> None:
    written = write_answer(Table(("a", "b"), []), format)
    assert "a" in written
    if format != "csv":
        assert parsed(written, format) == Table(("a", "b"), [])


# For people -----------------------------------------------------------------------------------


def test_a_table_for_people() -> None:
    lines = write_answer(TABLE).splitlines()
    assert lines[0].split() == ["tag", "year", "run"]
    assert lines[1].split() == ["bm25,", "plain", "2019", "run/0a"]
    assert 'a "quoted" tag' in lines[2]  # a line break is none in a table
    assert lines[-1] == "3 rows"
    assert write_answer(Table(("a",), [(text("x"),)])).splitlines()[-1] == "1 row"


def test_known_names_are_short() -> None:
    terms = [
        Object(f"{PRIMAD}Run"),
        Object(f"{SCHEME}measure-map"),
        Object("https://w3id.org/primad-ld/score#map"),
        Object(BASE),
        text(f"{PRIMAD}Run"),
    ]
    lines = write_answer(Table(("x",), [(term,) for term in terms])).splitlines()
    assert lines[1:6] == [
        "primad:Run",
        "scheme:measure-map",
        "score:map",
        BASE,
        f"{PRIMAD}Run",  # a text is what it is
    ]


def test_nothing_is_cut_off_the_terminal() -> None:
    long = "x" * 5000
    table = Table(("a", "b"), [(text(long), text(long))])
    assert f"{long}  {long}" in write_answer(table)


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x1b]0;title\x07", "a\rb", "\u202e", "[red]x[/]"])
@pytest.mark.parametrize("for_terminal", [True, False])
def test_data_do_not_steer_a_terminal(hostile: str, for_terminal: bool) -> None:
    written = write_answer(Table(("a",), [(text(hostile),)]), for_terminal=for_terminal)
    cell = written.splitlines()[1]
    assert all(char.isprintable() for char in cell)
    assert cell == "".join(
        " " if char == "\r" else char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for char in hostile
    )


@pytest.mark.parametrize("format", sorted(name for name in WRITERS if Table in WRITERS[name]))
@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b2J", "\u202e", "[red]x[/]"])
def test_answers_of_any_form_do_not_steer_a_terminal(hostile: str, format: str) -> None:
    """Names of variables, IRIs, languages and datatypes may come from an endpoint, too."""
    odd = [text(hostile), Object(f"http://a/{hostile}"), Object("a", LANG, hostile)]
    table = Table((hostile, "b", "c", "d"), [(*odd, Object("a", f"http://a/{hostile}"))])
    written = write_answer(table, format, for_terminal=True)
    written = re.sub(r"\x1b\[[01]m", "", written)  # the head of our tables is bold
    assert all(char.isprintable() for char in written.replace("\n", "").replace("\t", ""))
    if format == "table":
        assert written.split()[0].endswith(hostile[1:])


def test_odd_iris_break_no_line_of_tsv() -> None:
    """Readers get them back, in whatever way they were odd."""
    odd = 'http://a/\t\n <>"\\\x1b'
    written = write_answer(Table(("a", "b"), [(Object(odd), text("b"))]), "tsv")
    assert [line.count("\t") for line in written.splitlines()] == [1, 1]
    cell = written.splitlines()[1].split("\t")[0].strip("<>")
    assert re.sub(r"\\U(.{8})", lambda found: chr(int(found[1], 16)), cell) == odd


def test_yes_and_no() -> None:
    assert write_answer(Truth(True)) == "yes\n"
    assert write_answer(Truth(False)) == "no\n"


# Graphs ---------------------------------------------------------------------------------------


def test_graphs_as_turtle_and_ntriples() -> None:
    assert write_answer(TRIPLES, "nt") == "".join(TRIPLES.lines)
    written = write_answer(TRIPLES)
    assert f"<{RUN}> primad:tag" in written
    found = rdflib.Graph().parse(data=written, format="turtle")
    assert found.isomorphic(rdflib.Graph().parse(data=write_answer(TRIPLES, "nt"), format="nt"))


def test_an_empty_graph() -> None:
    assert write_answer(Triples(()), "nt") == ""
    assert len(rdflib.Graph().parse(data=write_answer(Triples(())), format="turtle")) == 0


# What does not fit ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "format", "why"),
    [
        (TABLE, "ttl", "SELECT query cannot be written as ttl; take table, csv, tsv, json, xml"),
        (Truth(True), "csv", "ASK query cannot be written as csv; take table, json, xml"),
        (TRIPLES, "table", "DESCRIBE query cannot be written as table; take ttl, nt"),
        (TRIPLES, "json", "take ttl, nt"),
    ],
)
def test_a_format_that_does_not_fit(answer: object, format: str, why: str) -> None:
    with pytest.raises(PrimadError, match=why):
        write_answer(answer, format)


def test_every_format_is_tested_here() -> None:
    assert set(WRITERS) == {"table", "csv", "tsv", "json", "xml", "ttl", "nt"}
