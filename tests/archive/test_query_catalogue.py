"""The catalogue of queries: what a file declares, and what values its parameters take."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise, product
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import BASE, PRIMAD, ROOT, SCHEME, XSD

from primad_ld.archive import query_catalogue
from primad_ld.archive.query_catalogue import catalogue_page, named_queries, named_query, own_query
from primad_ld.archive.query_parameters import TYPES
from primad_ld.archive.sparql import query_form, syntax_error
from primad_ld.core.errors import QueryError
from primad_ld.rdf.nanopub_terms import NPX


class KnownRuns:
    """Runs by the number of letters in their names, and identities that say what was asked."""

    def named(self, name: str) -> str:
        return f"{BASE}run/{len(name)}"

    def same_as(self, component: str, run: str) -> list[str]:
        return [f"{BASE}identity/{component}", f"{BASE}identity/{run}"]


NAMES = sorted(named_queries())

# One value that fits, by type.
FITTING = {
    "string": "bm25",
    "number": "0.9",
    "integer": "10",
    "year": "2019",
    "boolean": "yes",
    "iri": "https://example.org/x",
    "class": "Run",
    "doi": "10.1145/3477495.3531738",
    "run": f"{BASE}run/0123",
    "measure": "map",
    "role": "reproducer",
    "collection": "garden/2026",
    "component": "method",
    "field": "implementation.source.commit",
    "value": "0123456",
}


def declared(parameter: str, body: str = "SELECT * { ?s ?p $x }") -> str:
    return f"# A title\n#\n# param {parameter}\n{body}"


def bound(type_name: str, text: str, body: str = "SELECT * { ?s ?p $x }", **more: str) -> str:
    """What a value becomes in the place of the parameter."""
    query = own_query(declared(f"x: {type_name} — something", body), "q")
    result = query.bind({"x": text, **more})
    return re.search(r"\?s \?p (.*?)  ?\}", result.replace("\n", " "))[1]


# The files ----------------------------------------------------------------------------------


def test_every_type_has_a_value_here() -> None:
    assert FITTING.keys() == TYPES.keys()


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
        assert "## mine" in catalogue_page()
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
        (declared("x: text — it"), (3, 1), "no type is called 'text'"),
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
        (declared("x: string — it", "ASK { ?s ?p $x } # if z"), (4, 18), "no parameter is called"),
        (declared("x: string — it", "ASK { ?s ?p ?x }"), (None, None), r"\$x is not used"),
        ("# param x: string — it\nASK { 'open }", (2, 7), "has no end"),
    ],
)
def test_what_is_wrong_with_a_declaration(
    text: str, place: tuple[int | None, int | None], why: str
) -> None:
    with pytest.raises(QueryError, match=why) as caught:
        own_query(text, "mine.rq")
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.name == "mine.rq"


# Values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_name", "text", "term"),
    [
        ("string", "", '""'),
        ("string", 'a"b', '"a\\"b"'),
        ("string", "10", '"10"'),
        ("number", "10", f'"10"^^<{XSD}integer>'),
        ("number", "0.90", f'"0.9"^^<{XSD}decimal>'),
        ("number", " -1e2 ", f'"-100"^^<{XSD}decimal>'),
        ("integer", "007", f'"7"^^<{XSD}integer>'),
        ("year", "2019", f'"2019"^^<{XSD}integer>'),
        ("boolean", "no", f'"false"^^<{XSD}boolean>'),
        ("boolean", "TRUE", f'"true"^^<{XSD}boolean>'),
        ("iri", "http://x/", "<http://x/>"),
        ("iri", "<http://x/>", "<http://x/>"),
        ("class", "Run", f"<{PRIMAD}Run>"),
        ("class", " run ", f"<{PRIMAD}Run>"),
        ("class", "primad:Run", f"<{PRIMAD}Run>"),
        ("class", f"<{PRIMAD}Run>", f"<{PRIMAD}Run>"),
        ("class", "NanopubIndex", f"<{NPX}NanopubIndex>"),
        ("class", "npx:Other", f"<{NPX}Other>"),  # who names the vocabulary knows better
        ("class", "https://example.org/Run", "<https://example.org/Run>"),
        ("run", f"{BASE}run/1", f"<{BASE}run/1>"),
        ("measure", "P_10", f"<{SCHEME}measure-P_10>"),
        ("measure", "nDCG@10", f"<{SCHEME}measure-ndcg_cut_10>"),
        ("measure", "AP", f"<{SCHEME}measure-map>"),
        ("role", "Replicator", f"<{SCHEME}role-reproducer>"),
        ("collection", "garden/2026", '"garden/2026"'),
        ("collection", "https://ir-datasets.com/nyt", '"nyt"'),
        ("collection", 'The "Garden" \\', '"The \\"Garden\\" \\\\"'),
    ],
)
def test_values(type_name: str, text: str, term: str) -> None:
    assert bound(type_name, text) == term


@pytest.mark.parametrize(
    ("type_name", "text", "why"),
    [
        ("string", "\ud800", "half a character"),
        ("number", "many", "x: 'many' is not a number such as 0.9"),
        ("number", "NaN", "not a number"),
        ("number", "1e400", "not a number"),
        ("number", "1} DELETE", "not a number"),
        ("integer", "1.5", "a whole number such as 10"),
        ("year", "19", "a year such as 2019"),
        ("year", "２０１９", "a year such as 2019"),
        ("boolean", "maybe", "yes or no"),
        ("iri", "example.org", "an absolute IRI"),
        ("iri", "http://x/> ?p ?o", "an absolute IRI"),
        ("class", "Rnu", "did you mean Run"),
        ("class", "Run> ?p ?o", "is not a type such as Run"),
        ("class", "", "is not a type such as Run"),
        ("run", "some-tag", "the IRI of a run"),
        ("measure", "mapp", r"trec_eval or ir_measures; did you mean map"),
        ("measure", "nDCGG@11", "did you mean ndcg"),
        ("measure", "ERR@20", "ERR@20 has no provider that pip installs"),
        ("role", "reproducers", "did you mean reproducer"),
        ("component", "methods", "there are platform, research goal"),
        ("field", "implementation.source.comit", "did you mean implementation.source.commit"),
        ("field", "commit", "did you mean implementation.source.commit"),
        ("field", "implementation..commit", "no field of a header"),
        ("field", "", "no field of a header"),
        ("field", "method.retrieval.k1", "no field of a header"),
    ],
)
def test_values_that_do_not_fit(type_name: str, text: str, why: str) -> None:
    with pytest.raises(QueryError, match=why) as caught:
        bound(type_name, text)
    assert caught.value.name == "q"


def _path(*names: str) -> str:
    return "/".join(f"<{PRIMAD}{name}>" for name in names)


@pytest.mark.parametrize(
    ("field", "of", "path"),
    [
        ("tag", None, _path("tag")),
        ("platform", None, _path("platform")),
        ("Research_Goal.VENUE.year", "researchGoal", _path("venue", "venueYear")),
        ("implementation.source.commit", "implementation", _path("sourceCode", "commit")),
        ("method.retrieval.name", "method", _path("stage", "name")),
        ("data.training data.folds", "data", _path("trainingData", "trainingFold")),
        # Requirements are asked for by their names.
        ("platform.software.libraries", "platform", _path("software", "softwareLibrary", "name")),
        (
            "implementation.python.packages",
            "implementation",
            _path("pythonEnvironment", "installedPackage", "name"),
        ),
        # What belongs to the run, wherever the header writes it.
        ("implementation.executable.cmd", None, _path("command")),
        ("schema version", None, _path("header", "schemaVersion")),
        ("actor.role", None, _path("contribution", "actorRole")),
        ("actor.team", "actor", _path("team")),
        ("resources.runtime.wallclock", None, _path("resourceUse", "runtime", "wallclock")),
        ("platform.hardware.cpu.frequency.max", None, _path("cpuFrequency", "maximum")),
    ],
)
def test_fields_are_paths(field: str, of: str | None, path: str) -> None:
    text = "# param x: field — it\nASK { ?s $x 1\n; $x_of 2 # if x_of\n; ?p $x_name }"
    result = own_query(text).bind({"x": field})
    assert f" {path} 1" in result
    assert (f" <{PRIMAD}{of}> 2" in result) == (of is not None)
    assert "$x_of" not in result


@pytest.mark.parametrize(
    ("field", "value", "term"),
    [
        ("platform.hardware.ram", "48 GB", f'"48000000000"^^<{XSD}integer>'),
        ("platform.hardware.ram", "much", '"much"'),
        ("method.automatic", "yes", f'"true"^^<{XSD}boolean>'),
        ("research goal.venue.year", "2019", f'"2019"^^<{XSD}gYear>'),
        ("research goal.publication.doi", "10.1145/3", "<https://doi.org/10.1145/3>"),
        ("research goal.evaluation.reported measures", "AP", f"<{SCHEME}measure-map>"),
        ("implementation.source.commit", "0123", '"0123"'),
        ("platform.software.retrieval toolkit", "anserini", '"anserini"'),
    ],
)
def test_values_are_those_of_their_field(field: str, value: str, term: str) -> None:
    text = "# param f: field — it\n# param x: value — it\nSELECT * { ?s $f ?a ; ?p $x }"
    assert own_query(text).bind({"f": field, "x": value}).endswith(f"; ?p {term} }}")


def test_components_and_measures_give_more_than_one_term() -> None:
    text = "# param c: component — it\nASK { ?s $c ?a ; $c_identity ?b ; ?p $c_name }"
    result = own_query(text).bind({"c": "Research-Goal"})
    assert f"<{PRIMAD}researchGoal> ?a ; <{PRIMAD}researchGoalIdentity> ?b" in result
    assert '"research goal"' in result
    text = "# param m: measure — it\nASK { ?s $m_score ?a }"
    assert "<https://w3id.org/primad-ld/score#P_10> ?a" in own_query(text).bind({"m": "P@10"})


def test_runs_are_looked_up() -> None:
    query = own_query(declared("x: run — it"))
    assert f"<{BASE}run/6>" in query.bind({"x": "my tag"}, KnownRuns())


def test_components_that_are_the_same_are_listed() -> None:
    text = "# param r: run — it\n# param c: component — it\nASK { $r $c_identity ?i FILTER(?i IN ($c_same)) }"
    same = f"<{BASE}identity/data>, <{BASE}identity/{BASE}run/1>"
    assert f" {same} )" in own_query(text).bind({"r": "x", "c": "data"}, KnownRuns())
    # Without an archive nothing is the same.
    assert "-rdf-syntax-ns#nil> ))" in own_query(text).bind({"r": f"{BASE}run/1", "c": "data"})


def test_missing_and_unknown_parameters() -> None:
    query = named_query("by-stage")
    with pytest.raises(QueryError, match=r"by-stage: stage is missing: the name of .*-p stage=…"):
        query.bind({})
    with pytest.raises(
        QueryError, match=r"'stag'; there are stage, collection; did you mean stage"
    ):
        query.bind({"stag": "bm25"})
    with pytest.raises(QueryError, match="it has none"):
        named_query("collections").bind({"x": "1"})
    # Only what is declared can be given, not the variables of the query.
    with pytest.raises(QueryError, match="no parameter is called 'method'"):
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
    with pytest.raises(
        QueryError, match=r"mine.rq: no variable is called 'valu'.* did you mean value"
    ):
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
    page = (ROOT / "docs" / "queries.md").read_text(encoding="utf-8")
    assert page == catalogue_page(), (
        "write it again: primad_ld.archive.query_catalogue.catalogue_page()"
    )


def test_the_query_on_the_page_is_one() -> None:
    (text,) = re.findall(r"^```sparql\n(.*?)^```$", catalogue_page(), re.MULTILINE | re.DOTALL)
    query = own_query(text)
    assert query.title == "Runs with a stage"
    for values in ({"stage": "bm25"}, {"stage": "bm25", "since": "2019"}):
        assert syntax_error(query.bind(values)) is None
