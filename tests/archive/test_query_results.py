"""What a store answers, in every form: values as values, terms for other readers of SPARQL results."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pyoxigraph
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from support import BASE, PRIMAD, ROOT, SCHEME, XSD

from primad_ld import Archive, OutputError
from primad_ld.archive.query_results import Bindings, Triples, Truth, value_of
from primad_ld.rdf.subject_index import Object, oxigraph_object
from primad_ld.tables.answers import plain, text_of

_RESULTS = "{http://www.w3.org/2005/sparql-results#}"
LANG = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


def text(value: str) -> Object:
    return Object(value, XSD + "string")


def number(value: str, datatype: str = "decimal") -> Object:
    return Object(value, XSD + datatype)


RUN = f"run/1-{'0a' * 20}"
TABLE = Bindings(
    ("tag", "year", "score", "venue", "run"),
    [
        (text("bm25, plain"), number("2019", "integer"), number("0.90"), None, Object(BASE + RUN)),
        (text('a "b"\nc'), None, number("0.123456"), None, Object("https://x.org/?a=1&b=2")),
        (Object("Garten", LANG, "de"), None, number("1e-9", "double"), None, Object("_:b1")),
    ],
)
TRIPLES = Triples(
    (
        f'<{BASE}{RUN}> <{PRIMAD}completeness> "90"^^<{XSD}integer> .\n',
        f'<{BASE}{RUN}> <{PRIMAD}tag> "a \\"b\\"" .\n',
        f"<{BASE}{RUN}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{PRIMAD}Run> .\n",
    )
)


# Values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "value", "shown"),
    [
        (None, None, ""),
        (number("-7", "integer"), -7, "-7"),
        (number("2019", "gYear"), 2019, "2019"),
        (number("2019Z", "gYear"), "2019Z", "2019Z"),
        (number("9" * 19, "integer"), "9" * 19, "9" * 19),  # beyond 64 bits
        (number("1_000", "integer"), "1_000", "1_000"),  # Python would take it
        (number("0.50"), 0.5, "0.50"),
        (number("1234567.25"), 1234567.25, "1234567.25"),
        (number("0.000000123"), 1.23e-7, "1.2e-07"),
        (number("1.5E1", "double"), 15.0, "15"),
        (number("NaN", "double"), "NaN", "NaN"),  # JSON has no such numbers
        (number("-INF", "double"), "-INF", "-INF"),
        (number("1e999", "double"), "1e999", "1e999"),
        (number("many", "double"), "many", "many"),
        (number("1", "boolean"), True, "yes"),
        (number("false", "boolean"), False, "no"),
        (number("perhaps", "boolean"), "perhaps", "perhaps"),
        (text("5"), "5", "5"),
        (Object("Garten", LANG, "de"), "Garten", "Garten"),
        (Object("_:b1"), "_:b1", "_:b1"),
        (Object(f"{PRIMAD}Run"), f"{PRIMAD}Run", "primad:Run"),
        (Object(f"{SCHEME}measure-map"), f"{SCHEME}measure-map", "scheme:measure-map"),
        (Object(f"{BASE}run/1"), f"{BASE}run/1", "run/1"),
        (Object(BASE), BASE, BASE),
        (text(f"{PRIMAD}Run"), f"{PRIMAD}Run", f"{PRIMAD}Run"),  # a text is what it is
    ],
)
def test_terms_are_values(term: Object | None, value: object, shown: str) -> None:
    found = value_of(term)
    assert (plain(found), type(plain(found))) == (value, type(value))
    assert text_of(found) == shown


def test_machines_get_all_columns_and_people_those_with_values() -> None:
    assert TABLE.text("csv").splitlines()[0] == "tag,year,score,venue,run"
    assert json.loads(TABLE.text("json"))["rows"] == TABLE.to_dicts()
    assert [line.split() for line in TABLE.text().splitlines()] == [
        ["tag", "year", "score", "run"],
        ["bm25,", "plain", "2019", "0.9000", RUN],
        ["a", '"b"', "c", "0.1235", "https://x.org/?a=1&b=2"],
        ["Garten", "1e-09", "_:b1"],
        ["3", "rows"],
    ]


def test_wide_columns_are_for_those_who_ask() -> None:
    answer = Bindings(TABLE.variables, TABLE.rows, wide=frozenset({"run"}))
    assert answer.text().split()[:4] == ["tag", "year", "score", "bm25,"]
    assert answer.text(wide=True).split()[:4] == ["tag", "year", "score", "run"]
    assert answer.text(columns="run,tag").split()[:2] == ["run", "tag"]
    assert answer == TABLE  # what is shown is not what was found


def test_columns_of_a_dataframe_have_types() -> None:
    pytest.importorskip("pandas")
    rows = [(number("1", "integer"), number("0.5"), number("1", "boolean"), text("a"))] * 2
    frame = Bindings(("n", "score", "is_scored", "tag"), rows).to_pandas()
    assert [frame[name].dtype.kind for name in ("n", "score", "is_scored")] == ["i", "f", "b"]
    assert list(TABLE.to_pandas()["score"]) == [0.9, 0.123456, 1e-9]


def test_one_row_and_none() -> None:
    assert TABLE.text().endswith("\n3 rows\n")
    assert Bindings(("a",), [(text("x"),)]).text() == "a\nx\n1 row\n"
    assert Bindings(("a", "b"), []).text("csv") == "a,b\n"
    assert Bindings(("a", "b"), []).text() == "a  b\n0 rows\n"


# Forms of the W3C -----------------------------------------------------------------------------

_TEXTS = st.text(alphabet=st.characters(exclude_categories=("Cs",)))
_IRIS = st.sampled_from(["http://x/", "http://x/?a=1&b='2'", "urn:a:é", f"{BASE}run/0a#b"])
_TERMS = st.one_of(
    st.none(),
    _TEXTS.map(text),
    _IRIS.map(Object),
    st.builds(lambda value: Object(value, LANG, "en-gb"), _TEXTS),
    st.builds(Object, _TEXTS, _IRIS, st.none()),
    st.sampled_from(["1", "-1", "+01", "1.5", ".5", "5.", "1e3", "many", ""]).flatmap(
        lambda value: st.sampled_from(["integer", "decimal", "double", "boolean"]).map(
            lambda name: Object(value, XSD + name)
        )
    ),
)


@st.composite
def _tables(draw: st.DrawFn) -> Bindings:
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.tuples(*[_TERMS] * width), max_size=4))
    return Bindings(tuple("abc"[:width]), rows)


def parsed(written: str, form: str) -> Bindings:
    kind = getattr(pyoxigraph.QueryResultsFormat, {"srj": "JSON", "xml": "XML"}[form])
    found = pyoxigraph.parse_query_results(written.encode(), format=kind)
    rows = [tuple(None if term is None else oxigraph_object(term) for term in row) for row in found]
    return Bindings(tuple(variable.value for variable in found.variables), rows)


@given(table=_tables())
def test_terms_are_read_back(table: Bindings) -> None:
    assert parsed(table.text("srj"), "srj") == table


_PLAIN = re.compile("[^\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]*")


@given(table=_tables())
def test_xml_is_read_back_but_for_what_xml_cannot_say(table: Bindings) -> None:
    found = parsed(table.text("xml"), "xml")
    assert (found.variables, len(found.rows)) == (table.variables, len(table.rows))
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
    written = Bindings((*"abcd", odd), [row]).text("xml")
    cells = ET.fromstring(written.encode()).iter(f"{_RESULTS}binding")
    assert [cell[0].tag.removeprefix(_RESULTS) for cell in cells] == [
        *("literal", "uri", "bnode", "literal", "literal")
    ]
    assert written.count("\N{REPLACEMENT CHARACTER}" * 3) == 7  # each text, and a name twice


@pytest.mark.parametrize(("form", "name"), [("srj", "json"), ("xml", "xml")])
def test_rdflib_reads_the_same(form: str, name: str) -> None:
    found = rdflib.query.Result.parse(io.BytesIO(TABLE.text(form).encode()), format=name)
    assert [str(variable) for variable in found.vars] == list(TABLE.variables)
    rows = [[str(cell) for cell in row.asdict().values()] for row in found]
    assert rows[0] == ["bm25, plain", "2019", "0.90", BASE + RUN]
    assert rows[1] == ['a "b"\nc', "0.123456", "https://x.org/?a=1&b=2"]


@pytest.mark.parametrize("holds", [True, False])
def test_a_yes_or_no(holds: bool) -> None:
    answer = Truth(holds)
    assert answer.to_dicts() == [{"answer": holds}]
    assert answer.text() == f"answer\n{'yes' if holds else 'no'}\n"
    for form, name in (("srj", "json"), ("xml", "xml")):
        written = io.BytesIO(answer.text(form).encode())
        assert rdflib.query.Result.parse(written, format=name).askAnswer is holds


# Graphs ---------------------------------------------------------------------------------------


def test_a_graph_is_turtle_if_no_form_is_named() -> None:
    assert f"<{RUN}> primad:" in TRIPLES.text()
    assert TRIPLES.text("nt") == "".join(TRIPLES.lines)
    found = rdflib.Graph().parse(data=TRIPLES.text("ttl"), format="turtle")
    assert found.isomorphic(rdflib.Graph().parse(data=TRIPLES.text("nt"), format="nt"))


def test_a_graph_has_a_row_for_each_triple() -> None:
    assert [(row["predicate"], row["object"]) for row in TRIPLES.to_dicts()] == [
        (f"{PRIMAD}completeness", 90),
        (f"{PRIMAD}tag", 'a "b"'),
        ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", f"{PRIMAD}Run"),
    ]
    assert TRIPLES.text("table").splitlines()[3].split() == [RUN, "rdf:type", "primad:Run"]


def test_an_empty_graph() -> None:
    assert Triples(()).text("nt") == ""
    assert len(rdflib.Graph().parse(data=Triples(()).text(), format="turtle")) == 0
    assert Triples(()).text("csv") == "subject,predicate,object\n"


# What does not fit, and what is hostile -------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "form", "forms"),
    [
        (TABLE, "ttl", "html, xml, srj"),
        (Truth(True), "nt", "html, xml, srj"),
        (TRIPLES, "srj", "html, ttl, nt"),
    ],
)
def test_a_form_that_does_not_fit(
    answer: Bindings | Truth | Triples, form: str, forms: str
) -> None:
    with pytest.raises(OutputError, match=f"format {form} .*; choose from table, .*{forms}"):
        answer.text(form)


_HOSTILE = ["\x1b[2J", "\x9b2J", "\x1b]0;title\x07", "a\rb", "\u202e", "[red]x[/]", "</table>"]


@pytest.mark.parametrize("hostile", _HOSTILE)
def test_what_an_endpoint_says_stays_text(hostile: str) -> None:
    """Names of variables, IRIs, languages and datatypes come from it, too."""
    row = (text(hostile), Object(f"http://a/{hostile}"), Object("a", LANG, hostile))
    answer = Bindings((hostile, "b", "c", "d"), [(*row, Object("a", f"http://a/{hostile}"))])
    for form in ("table", "markdown", "latex", "html"):
        written = answer.text(form)
        assert all(char.isprintable() for char in written.replace("\n", ""))
        assert form != "html" or written.count("</table>") == 1
    expected = {hostile: hostile, "b": f"http://a/{hostile}", "c": "a", "d": "a"}
    assert json.loads(answer.text("jsonl")) == expected
    assert json.loads(answer.text("srj"))["head"]["vars"] == [hostile, "b", "c", "d"]
    (cells,) = csv.DictReader(io.StringIO(answer.text("csv"), newline=""))
    assert cells == expected


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "jsonl", "json", "html", "xml", "srj"])
def test_no_form_steers_a_terminal(form: str, folder: Path, tmp_path: Path) -> None:
    escapes = "".join(f"\\u{ord(char):04x}" for char in "\x1b[2J\x9b\u202e[red]</table>")
    question = f'SELECT ("{escapes}" AS ?odd) {{}}'
    command = [sys.executable, "-m", "primad_ld", "query", question, "-f", form]
    terminal, end = pty.openpty()
    archive = tmp_path / "archive"
    Archive(archive).load(folder)
    environment = os.environ | {
        "NO_COLOR": "1", "PRIMAD_LD_ARCHIVE": str(archive), "PYTHONPATH": str(ROOT)
    }  # fmt: skip
    subprocess.run(command, stdout=end, check=True, env=environment)
    os.close(end)
    written = b""
    with contextlib.suppress(OSError):  # Linux says so when nobody writes any more
        while part := os.read(terminal, 65_536):
            written += part
    os.close(terminal)
    shown = written.decode().replace("\r\n", "\n")
    assert "2J" in shown
    assert all(char.isprintable() for char in re.sub("[\n\t]", "", shown))
