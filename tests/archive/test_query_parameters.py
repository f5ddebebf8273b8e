"""The types of parameters: from what a user writes to terms of SPARQL."""

from __future__ import annotations

import re

import pytest
from support import BASE, PRIMAD, SCHEME, XSD
from support.query_cases import FITTING, KnownRuns, declared

from primad_ld.archive.query_catalogue import own_query
from primad_ld.archive.query_parameters import TYPES
from primad_ld.core.errors import QueryError
from primad_ld.rdf.nanopub_terms import NPX


def bound(type_name: str, text: str, body: str = "SELECT * { ?s ?p $x }", **more: str) -> str:
    """What a value becomes in the place of the parameter."""
    query = own_query(declared(f"x: {type_name} — something", body), "q")
    result = query.bind({"x": text, **more})
    return re.search(r"\?s \?p (.*?)  ?\}", result.replace("\n", " "))[1]


def test_every_type_has_a_value_here() -> None:
    assert FITTING.keys() == TYPES.keys()


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
        ("string", "\ud800", "unpaired surrogate"),
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
        ("measure", "ERR@20", "ERR@20 is only computed by a Perl script"),
        ("role", "reproducers", "did you mean reproducer"),
        ("component", "methods", "choose from platform, research goal"),
        ("field", "implementation.source.comit", "did you mean implementation.source.commit"),
        ("field", "commit", "did you mean implementation.source.commit"),
        ("field", "implementation..commit", "unknown header field"),
        ("field", "", "unknown header field"),
        ("field", "method.retrieval.k1", "unknown header field"),
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
