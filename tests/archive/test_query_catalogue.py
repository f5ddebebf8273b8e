"""The catalogue of queries: what a file declares, and which queries are made of it."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise, product
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import PRIMAD, XSD
from support.catalogue_page import PAGE, catalogue, with_catalogue
from support.query_cases import FITTING, KnownRuns, declared

from primad_ld.archive import query_catalogue
from primad_ld.archive.query_catalogue import named_queries, named_query, own_query
from primad_ld.archive.query_parameters import TYPES
from primad_ld.archive.sparql import PREFIXES, query_form, syntax_error
from primad_ld.core.errors import QueryError

NAMES = sorted(named_queries())


# The files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_a_query_by_itself(name: str) -> None:
    text = named_query(name).text
    assert query_form(text) in ("SELECT", "CONSTRUCT")
    assert syntax_error(text) is None
    list(pyoxigraph.Store().query(text))
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_is(name: str) -> None:
    query = named_query(name)
    assert query.name == name
    assert query.title[0].isupper()
    assert not query.title.endswith(".")
    assert query.answer.endswith(".")
    assert query.example is not None
    for parameter in query.parameters:
        assert parameter.description
        assert not parameter.description.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_all_combinations_of_parameters_are_queries(name: str) -> None:
    query = named_query(name)
    optional = [one.name for one in query.parameters if one.optional or one.default is not None]
    fields = ("implementation.source.commit", "tag", "platform")
    has_field = any(one.type_name == "field" for one in query.parameters)
    for given_ones, field in product(
        product([True, False], repeat=len(optional)), fields if has_field else fields[:1]
    ):
        left_out = {one for one, is_given in zip(optional, given_ones, strict=True) if not is_given}
        values = {
            one.name: field if one.type_name == "field" else FITTING[one.type_name]
            for one in query.parameters
            if one.name not in left_out
        }
        text = query.bind(values)
        assert syntax_error(text) is None, f"{values}\n{text}"
        assert "$" not in re.sub(r"#.*", "", text)
        list(pyoxigraph.Store().query(text))


@pytest.mark.parametrize("name", NAMES)
def test_the_example_fits(name: str) -> None:
    words = shlex.split(named_query(name).example)
    values = dict(word.split("=", 1) for flag, word in pairwise(words) if flag == "-p")
    named_query(name).bind(values, KnownRuns())


def test_a_file_is_all_that_a_query_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_catalogue, "_FOLDER", tmp_path)
    (tmp_path / "mine.rq").write_text(declared("x: string — something"))
    query_catalogue._queries.cache_clear()
    try:
        assert list(named_queries()) == ["mine"]
        assert "## mine" in catalogue()
    finally:
        monkeypatch.undo()
        query_catalogue._queries.cache_clear()


def test_an_unknown_query_is_told_with_its_neighbours() -> None:
    with pytest.raises(QueryError, match=r"'by-stages'; did you mean by-stage"):
        named_query("by-stages")


# Declarations -------------------------------------------------------------------------------


def test_the_first_comment_is_read() -> None:
    query = own_query(
        "\ufeff# A title\n#\n# One sentence.\n# Another one.\n#\n# A paragraph.\n#\n"
        "# param x: year optional — the year: 4 digits\n"
        "# param y: number = 0.5 -- the rest\n"
        "# example: -p x=2019\n"
        "SELECT ?s (1 AS ?n) { ?s ?p $y\n; ?p $x # if x\n}\n# not a title",
        "q",
    )
    assert (query.name, query.title, query.example) == ("q", "A title", "-p x=2019")
    assert query.answer == "One sentence.\nAnother one.\n\nA paragraph."
    assert query.columns == ["s", "n"]
    x, y = query.parameters
    assert (x.name, x.type_name, x.optional, x.default) == ("x", "year", True, None)
    assert x.description == "the year: 4 digits"
    assert (y.type_name, y.optional, y.default) == ("number", False, "0.5")


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        (declared("x string — it"), (3, 1), "param name: type"),
        (declared("x: string"), (3, 1), "param name: type"),
        (declared("x: text — it"), (3, 1), "unknown type 'text'"),
        (declared("x: strin — it"), (3, 1), "did you mean string"),
        (declared("x: string — it", "ASK { ?s ?p $x, $y }"), (4, 17), r"write \?y for a variable"),
        (declared("x: string optional — it"), (4, 18), "end the line with # if x"),
        (
            declared("x: string optional — it", "ASK { ?s ?p 1 \n, $x # if not x\n}"),
            (5, 3),
            "end the line with # if x",
        ),
        (
            declared("x: field — it", "ASK { ?s $x 1 ; $x_of 2 }"),
            (4, 17),
            "end the line with # if x_of",
        ),
        (declared("x: string — it", "ASK { ?s ?p $x } # if z"), (4, 18), "unknown parameter"),
        (declared("x: string — it", "ASK { ?s ?p ?x }"), (None, None), r"\$x is not used"),
        ("# param x: string — it\nASK { 'open }", (2, 7), "not closed"),
    ],
)
def test_what_is_wrong_with_a_declaration(
    text: str, place: tuple[int | None, int | None], why: str
) -> None:
    with pytest.raises(QueryError, match=why) as caught:
        own_query(text, "mine.rq")
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.name == "mine.rq"


def test_missing_and_unknown_parameters() -> None:
    query = named_query("by-stage")
    with pytest.raises(
        QueryError, match=r"by-stage: parameter stage is missing .the name of .*-p stage=…"
    ):
        query.bind({})
    with pytest.raises(
        QueryError, match=r"'stag'; choose from stage, collection; did you mean stage"
    ):
        query.bind({"stag": "bm25"})
    with pytest.raises(QueryError, match="has none"):
        named_query("collections").bind({"x": "1"})
    # Only what is declared can be given, not the variables of the query.
    with pytest.raises(QueryError, match="unknown parameter 'method'"):
        query.bind({"stage": "bm25", "method": "x"})


# Conditions ---------------------------------------------------------------------------------

_CONDITIONS = """# param x: string optional — it
# param own: boolean = no — it
SELECT * {
  ?s ?p $x .      # if x
  ?s ?p "none" .  # if not x
  ?s ?p "# if x"@en .
  ?s ?p "own" .   # if own
  ?s ?p "other" . #if not own
}"""


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({}, {"none", "other"}),
        ({"x": "1"}, {"1", "other"}),
        ({"x": ""}, {"", "other"}),
        ({"own": "yes"}, {"none", "own"}),
        ({"own": "no", "x": "1"}, {"1", "other"}),
    ],
)
def test_lines_with_conditions(values: dict[str, str], lines: set[str]) -> None:
    text = own_query(_CONDITIONS).bind(values)
    assert set(re.findall(r'\?s \?p "(.*?)" \.', text)) == lines
    # Errors of engines name the line of the file.
    assert text.count("\n") == _CONDITIONS.count("\n")
    assert '"# if x"@en' in text


# Queries without declarations ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("<http://x/>", "<http://x/>"),
        ("http://x/", '"http://x/"'),
        ("<not an IRI>", '"<not an IRI>"'),
        ("10", f'"10"^^<{XSD}integer>'),
        ("0.50", f'"0.5"^^<{XSD}decimal>'),
        ("true", f'"true"^^<{XSD}boolean>'),
        ("no", '"no"'),
        ("bm25", '"bm25"'),
        ('"quoted"', '"\\"quoted\\""'),
    ],
)
def test_any_variable_of_an_own_query_takes_a_value(text: str, term: str) -> None:
    query = own_query("# Mine\nSELECT ?s { ?s ?p ?x # if y\n}", "mine.rq")
    assert query.title == "Mine"
    assert f" {term} " in query.bind({"x": text})
    assert query.bind({}) == query.text


def test_an_own_query_has_no_other_variables() -> None:
    query = own_query("SELECT ?s { ?s ?p ?value FILTER(?value<?p) }", "mine.rq")
    assert query.title == "mine.rq"
    with pytest.raises(QueryError, match=r"mine.rq: unknown variable 'valu'.* did you mean value"):
        query.bind({"valu": "1"})
    with pytest.raises(QueryError, match=r"mine.rq:1:8: \?s cannot be given a value"):
        query.bind({"s": "1"})


def test_prefixes_need_no_declaration() -> None:
    text = own_query("SELECT ?s { ?s primad:tag ?x ; score:map ?y }").bind({})
    assert text.startswith(f"PREFIX primad: <{PRIMAD}> PREFIX score: <")
    assert syntax_error(text) is None


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",))))
def test_no_value_changes_a_named_query(text: str) -> None:
    plain = named_query("by-stage").bind({"stage": "x", "collection": "y"})
    other = named_query("by-stage").bind({"stage": text, "collection": "y"})
    before, _, after = plain.partition('"x"')
    assert other.startswith(before)
    assert other.endswith(after)
    assert syntax_error(other) is None


# The page -----------------------------------------------------------------------------------


def test_the_page_is_up_to_date() -> None:
    """`python tests/support/catalogue_page.py` writes it."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_catalogue(page)
    for name in (*TYPES, *(f"{prefix}:" for prefix in PREFIXES)):
        assert f"`{name}`" in page


def test_the_query_on_the_page_is_one() -> None:
    page = PAGE.read_text(encoding="utf-8")
    (text,) = re.findall(r"^```sparql\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    query = own_query(text)
    assert query.title == "Runs with a stage"
    for values in ({"stage": "bm25"}, {"stage": "bm25", "since": "2019"}):
        assert syntax_error(query.bind(values)) is None
