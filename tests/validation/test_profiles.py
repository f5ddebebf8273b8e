"""Profiles: those that ship, and how others are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import Cli, Put
from support.judged import GOOD, changed, found_in, report

from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import PRIMAD
from primad_ld.schema.fields import Field
from primad_ld.shacl.paths import Choice, Marked, Predicate, Steps
from primad_ld.shacl.paths import Path as ShaclPath
from primad_ld.shacl.shapes import Shape
from primad_ld.validation.explaining import Explainer
from primad_ld.validation.profiles import (
    Profile,
    code_of,
    describe,
    load_profile,
)

ALL = [
    "core",
    "longeval-lags",
    "longeval-rag",
    "reproducer",
    "run-with-metadata",
    "strict",
    "trec",
]
CORE = load_profile("core")
_MARK = re.compile(r"\{[?$](\w+)\}")


@pytest.mark.parametrize("name", ALL)
def test_a_profile_that_ships(name: str) -> None:
    profile, described = load_profile(name), describe(name)
    assert described.title
    assert described.description.endswith(".")
    assert profile.shapes.unsupported == ()  # all of it is SHACL Core
    assert len(list(profile.shapes)) > 150


def test_one_name_is_another_profile_elsewhere_and_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read once is not what a file of the same name says in another folder, or now."""
    texts = {"here": "First", "there": "Second"}
    for folder, title in texts.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ours.ttl").write_text(_TITLED.format(title), encoding="utf-8")
    for folder, title in texts.items():
        monkeypatch.chdir(tmp_path / folder)
        assert titles(load_profile("ours.ttl")) == [title]
    (tmp_path / "there" / "ours.ttl").write_text(_TITLED.format("Third time"), encoding="utf-8")
    assert titles(load_profile("ours.ttl")) == ["Third time"]


_TITLED = """\
<https://example.org/our> a <https://w3id.org/primad-ld/ontology#Profile> ;
    <http://purl.org/dc/terms/title> "{}"@en .
"""


def titles(profile: Profile) -> list[str]:
    return [profile.text("https://example.org/our", "http://purl.org/dc/terms/title")]


def speaking(name: str) -> list[Shape]:
    """The shapes in force whose results people see; others only say what these ask of values."""
    return [
        shape
        for shape in load_profile(name).shapes
        if not (shape.deactivated or shape.iri.startswith("_:"))
        and (shape.path is not None or shape.messages)
    ]


@pytest.mark.parametrize("name", ALL)
def test_each_shape_says_in_english_what_is_wrong(name: str) -> None:
    profile = load_profile(name)
    silent = {
        code_of(shape.iri)
        for shape in speaking(name)
        if not profile.text(shape.iri, "http://www.w3.org/ns/shacl#message")
        or not any(language == "en" for _, language in shape.messages)
    }
    # They take any value, whatever it is.
    assert silent == {"parameter", "series-samples", "steps"}
    for shape in speaking(name):
        for text, _ in shape.messages:
            assert set(_MARK.findall(text)) <= {"value", "key", "field"}
            assert text[:1] != " "
            assert not text.endswith(".")


def test_messages_of_what_is_missing_do_not_speak_of_values() -> None:
    for name in ALL:
        for shape in load_profile(name).shapes:
            if code_of(shape.iri).startswith("missing-"):
                assert not [text for text, _ in shape.messages if "{?value}" in text]


# What core asks for, against what the schema finds important -------------------------------

#: Warnings although the field alone weighs less: without them the rest says little.
WARNED = {("data", "training data", "name"), ("data", "test collection", "name"),
          ("data", "training data", "ir_datasets"), ("method", "generation", "llm"),
          ("method", "name")}  # fmt: skip


def fields_asked() -> dict[tuple[str, ...], set[str]]:
    """The fields that shapes of core ask for, with the severities."""
    explainer = Explainer(CORE)
    found: dict[tuple[str, ...], set[str]] = {}
    for shape in CORE.shapes:
        if code_of(shape.iri).startswith("missing-") and shape.messages:
            for field in explainer.named(shape):
                found.setdefault(tuple(field.split(".")), set()).add(code_of(shape.severity))
    return found


def _is_optional(field: Field, above: dict[tuple[str, ...], Field]) -> bool:
    paths = [field.path[:length] for length in range(1, len(field.path) + 1)]
    return any(above[path].optional for path in paths if path in above)


def test_each_field_that_matters_is_asked_for() -> None:
    by_path = {field.path: field for field in CORE.schema.walk()}
    asked = fields_asked()
    forgotten = {
        path
        for path, field in by_path.items()
        if (field.importance or 0) >= 1
        and path not in asked
        and field.key != "*"
        and not _is_optional(field, by_path)
        and not field.implied_by
    }
    assert not forgotten


def test_warnings_are_for_what_matters_most() -> None:
    by_path = {field.path: field for field in CORE.schema.walk()}
    for path, severities in fields_asked().items():
        is_warned = severities != {"Info"}
        weight = by_path[path].importance or 0
        if len(path) == 1 and path != ("tag",):
            continue  # whole components
        if is_warned and path not in WARNED:
            assert weight >= 4 or path == ("method", "retrieval"), path
        assert not is_warned or "Violation" not in severities


def predicates(path: ShaclPath) -> Iterator[str]:
    """The predicates of a path."""
    if isinstance(path, Predicate):
        yield path.iri.removeprefix(PRIMAD)
    elif isinstance(path, Marked):
        yield from predicates(path.part)
    elif isinstance(path, Steps | Choice):
        for part in path.parts:
            yield from predicates(part)


def test_every_value_is_looked_at() -> None:
    """A field that is missing in these lists may hold placeholders and passwords."""
    looked_at = {
        name
        for code in ("placeholder-value", "placeholder-value-of-run")
        for shape in CORE.shapes
        if code_of(shape.iri) == code and shape.path is not None
        for name in predicates(shape.path)
    }
    secret = {
        name
        for code in ("secret", "secret-of-run")
        for shape in CORE.shapes
        if code_of(shape.iri) == code and shape.path is not None
        for name in predicates(shape.path)
    }
    below = {field.predicate for field in CORE.schema.walk() if len(field.path) > 1}
    # Samples are long, and machines write them.
    assert {name.removeprefix(PRIMAD) for name in below} - looked_at == {"timeSeries"}
    assert looked_at == secret


# Bad profiles -------------------------------------------------------------------------------

PREFIXES = """\
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix field: <https://w3id.org/primad-ld/field#> .
@prefix profile: <https://w3id.org/primad-ld/profiles/> .
@prefix s: <https://w3id.org/primad-ld/shapes#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix our: <https://example.org/our#> .
"""
OURS = (
    PREFIXES + 'our:profile a primad:Profile ; dct:title "Ours"@en ; owl:imports profile:core .\n'
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "there is no such file"),
        ("this is no Turtle", "ours.ttl"),
        (PREFIXES, "needs one node of the class primad:Profile, not 0"),
        (OURS + "our:more a primad:Profile .", "not 2"),
        (OURS + "our:profile owl:imports <https://example.org/other> .", "is not a profile of"),
        (OURS + "our:profile owl:imports profile:nonsense .", "is not a profile of primad-ld"),
        (OURS + "our:profile owl:imports our:profile .", "is not a profile of primad-ld"),
        (OURS + 'our:a a sh:NodeShape ; sh:targetClass primad:Run ; sh:property our:b . our:b sh:path primad:tag ; sh:pattern "(" .', "our#b"),
        (OURS + "our:a a sh:NodeShape ; sh:targetClass primad:Run ; sh:property our:b . our:b sh:minCount 1 ; sh:path [ sh:inversePath 7 ] .", "our#b"),
        (OURS + "our:a a sh:NodeShape ; sh:targetClass primad:Run ; sh:or 7 .", "our#a"),
        (OURS + 'our:a a sh:NodeShape ; sh:targetClass primad:Run ; sh:property our:b . our:b sh:path primad:tag ; sh:minCount "many" .', "our#b"),
        ("\0\1\2" * 1000, "ours.ttl"),
        ("(" * 5000, "ours.ttl"),
    ],
)  # fmt: skip
def test_a_profile_that_cannot_be_used(put: Put, cli: Cli, text: str | None, why: str) -> None:
    put("a.yml", GOOD)
    if text is not None:
        put("ours.ttl", text)
    result = cli("validate", "a.yml", "--profile", "ours.ttl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in " ".join(result.stderr.split())
    assert len(result.stderr) < 1000


def test_a_name_that_there_is_not(put: Put, cli: Cli) -> None:
    put("a.yml", GOOD)
    for command in (("validate", "a.yml", "--profile", "tric"), ("profiles", "tric")):
        result = cli(*command)
        assert result.exit_code == 2
        assert "unknown profile 'tric'; choose from core, longeval-lags" in " ".join(
            result.stderr.split()
        )
    with pytest.raises(SchemaError):
        load_profile("tric")


# Profiles of one's own ------------------------------------------------------------------------

OWN = (
    OURS
    + """
# Nobody here publishes before the deadline.
s:missing-publication sh:deactivated true .
s:missing-commit sh:deactivated true .

our:run a sh:NodeShape ; sh:targetClass primad:Run ; sh:property our:team, our:prefix .
our:team a sh:PropertyShape ; sh:path ( primad:actor primad:team ) ; sh:in ( "frogs" "newts" ) ;
    sh:message "{?value} did not register"@en, "{?value} ist nicht angemeldet"@de ;
    field:hint "ask the organisers"@en .
our:prefix a sh:PropertyShape ; sh:path primad:tag ; sh:pattern "^pond-" ; sh:severity sh:Warning ;
    sh:message "tags of the pond begin with pond-"@en .

s:commit field:importance 0 .
s:score-ties field:importance 50 .
"""
)


def test_a_profile_of_ones_own(put: Put, cli: Cli) -> None:
    """It imports core, takes two shapes out of force, has two of its own, and weighs anew."""
    put("ours.ttl", OWN)
    put("a.yml", changed(("team: newts", "team: toads"), ("    commit: 9548cd6e\n", ""),
                         ("tag: pond-mix\nplatform", "tag: mix\nplatform")))  # fmt: skip
    result = cli("validate", "a.yml", "-p", "ours.ttl", "--hints")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:3] == [
        "a.yml:3: warning: tag: tags of the pond begin with pond-",
        "     3 | tag: mix",
        'a.yml:119: error: actor[2].team: "toads" did not register',
    ]
    assert "commit" not in result.stdout
    assert "100 % complete" in result.stdout
    asked = cli("profiles", "ours.ttl").stdout
    assert "did not register" in asked
    assert "implementation.source.commit" not in asked


def test_weights_change_completeness(put: Put) -> None:
    ours = str(put("ours.ttl", OWN))
    no_commit = put("a.yml", changed(("    commit: 9548cd6e\n", "")))
    no_ties = put("b.yml", changed(("  score ties: alphabetical order\n", "")))
    assert report(no_commit).completeness < report(no_ties).completeness
    assert report(no_commit, ours).completeness == 100
    assert report(no_ties, ours).completeness < 75
    assert report(no_ties, "core").missing_most == ["method.score ties"]


def test_two_profiles_together(put: Put) -> None:
    ours = str(put("ours.ttl", OWN))
    found = found_in(report(put("a.yml", changed(("- name: Ada Pond", "- name: Ada"),
        ("team: newts", "team: toads"), ("tag: pond-mix\nplatform", "tag: pond mix\nplatform"))), "trec", ours))  # fmt: skip
    assert [one[3] for one in found] == ["tag-form", "team"]


GERMAN = (
    PREFIXES
    + """
our:german a primad:Profile ; dct:title "Deutsch"@de ; owl:imports profile:core .
s:placeholder-value sh:message "{?value} ist nur ein Platzhalter"@de ; field:hint "ausfüllen"@de .
s:missing-commit sh:message "fehlt"@de .
"""
)


@pytest.mark.parametrize("language", ["de", "de-AT"])
def test_messages_in_another_language(put: Put, cli: Cli, language: str) -> None:
    put("german.ttl", GERMAN)
    put("a.yml", changed(("team: newts", "team: TODO"), ("    commit: 9548cd6e\n", ""),
                         ("automatic: true", "automatic: x")))  # fmt: skip
    german = cli("validate", "a.yml", "-p", "german.ttl", "--language", language).stdout
    assert 'actor[2].team: "TODO" ist nur ein Platzhalter' in german
    assert "→ ausfüllen" in german
    assert "implementation.source.commit: fehlt" in german
    assert '"x" must be true or false' in german  # nobody has translated it
    english = cli("validate", "a.yml", "-p", "german.ttl").stdout
    assert "Platzhalter" not in english
    assert "is a placeholder and no value" in english


SPARQL = (
    OURS
    + '''
our:run a sh:NodeShape ; sh:targetClass primad:Method ; sh:property our:stages .
our:stages a sh:PropertyShape ; sh:path ( primad:stage primad:name ) ;
    sh:message "two stages are called {?value}"@en ;
    sh:sparql [ a sh:SPARQLConstraint ;
        sh:select """PREFIX primad: <https://w3id.org/primad-ld/ontology#>
            SELECT $this ?value WHERE {
              $this primad:stage ?one, ?other . ?one primad:name ?value . ?other primad:name ?value .
              FILTER (STR(?one) < STR(?other)) }""" ] .
'''
)


def test_a_profile_with_sparql(put: Put, cli: Cli) -> None:
    """Beyond SHACL Core pyshacl judges, and nobody has to ask for it."""
    put("ours.ttl", SPARQL)
    put("good.yml", GOOD)
    text = changed(("- name: all\n", "- name: feedback\n"))
    put("bad.yml", text)
    assert cli("validate", "good.yml", "-p", "ours.ttl").exit_code == 0
    result = cli("validate", "bad.yml", "-p", "ours.ttl")
    assert result.exit_code == 1
    assert 'error: method.retrieval[2].name: two stages are called "feedback"' in result.stdout
