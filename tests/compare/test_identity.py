"""What a component is compared by: one identity for all spellings, under a short key."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from support import ROOT, good, headers, lowered, shuffled
from support.compared import changed, decided, identified

from primad_ld import header_of, parse_header
from primad_ld.compare import identity
from primad_ld.compare.identity import (
    KEY_DIGITS,
    Identity,
    groups_of,
    identities,
    is_current,
    version_of,
)
from primad_ld.compare.primad_types import ComponentState
from primad_ld.core.errors import HeaderError, SchemaError
from primad_ld.rdf.lifting import Lifter
from primad_ld.schema.fields import Schema, compile_schema, default_schema

SCHEMA = default_schema()
SHAPES = (ROOT / "shapes" / "header.ttl").read_text(encoding="utf-8")


@pytest.fixture
def compiled(tmp_path: Path):
    """A schema of the shapes with some changes: what is found, and what stands there instead."""

    def compile_changed(*changes: tuple[str, str]) -> Schema:
        text = SHAPES
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file = tmp_path / f"{hashlib.sha256(text.encode()).hexdigest()[:8]}.ttl"
        file.write_text(text, encoding="utf-8")
        return compile_schema(file)

    return compile_changed


def test_identities_are_json_and_keys_are_short() -> None:
    found = identified("actor: {team: Moles, name: Ada, mood: good}")["actor"]
    assert json.loads(found.text) == {
        "of": "actor",
        "people": {"team": ["moles"]},
        "version": version_of(SCHEMA),
    }
    assert found.component == "actor"
    # Archives keep it: with another key, runs have to be loaded again.
    assert found.key == hashlib.sha256(found.text.encode()).hexdigest()[:KEY_DIGITS]
    assert KEY_DIGITS == 15  # what Oxigraph keeps in its indexes


ALIKE = [
    ("platform/hardware/cpu/model", "AMD EPYC(TM) 7742 64-Core Processor"),
    ("platform/hardware/ram", "1 GB"),
    ("platform/software/libraries", {"python": ["PyStemmer 3.1.0", "NumPy==2.4.1"]}),
    ("research goal/publication/doi", "https://doi.org/10.1145/1234567.1234568"),
    ("research goal/evaluation", None),
    ("implementation/source/repository", "git@github.com:heath/search.git"),
    ("implementation/executable", None),
    ("method/automatic", "yes"),
    ("method/retrieval/0/k1", "0.90"),
    ("method/retrieval/0/name", "Okapi BM25"),
    ("method/indexing/stemmer", "Porter stemmer"),
    ("actor/name", "Ben"),
    ("actor/role", "reproducer"),
    ("data/test collection/name", "BOTANY"),
    ("data/test collection/topics", "http://data.example.org/botany/topics.tsv.gz"),
    ("data/other", [{"name": "GloVe"}]),
]


@pytest.mark.parametrize(("place", "value"), ALIKE)
def test_one_identity_for_all_spellings(place: str, value: Any) -> None:
    assert identified(changed({place: value})) == identified(changed({}))


def test_a_name_stands_in_for_a_pipeline_only_where_there_is_none() -> None:
    assert identified(changed({"method/name": "x"})) == identified(changed({}))
    alone = identified("method: {name: BM25}")["method"]
    assert json.loads(alone.text)["pipeline"] == {"name": ["bm25", True]}


@pytest.mark.parametrize(
    ("header", "there"),
    [
        ("tag: x", []),
        ("{platform: text, actor: [], data: null, method: {}}", []),
        ("implementation: {executable: {cmd: ./x}}", ["implementation"]),  # described, not named
        ("platform: {hardware: {}}", ["platform"]),
        ("actor: [{role: reproducer}]", ["actor"]),
        ("implementation: {python: {packages: [numpy==1.0]}}", ["implementation"]),
    ],
)
def test_components_that_are_described_have_one(header: str, there: list[str]) -> None:
    assert list(identified(header)) == there


def test_packages_of_a_tracker_are_of_the_platform() -> None:
    found = identified(
        {"platform": {"hardware": {"ram": "1 GB"}}, "implementation": {"python": {"packages": ["numpy==1.26.4"]}}}
    )  # fmt: skip
    assert json.loads(found["platform"].text)["software"] == {"libraries": {"numpy": "1.26"}}
    assert set(json.loads(found["implementation"].text)) == {"of", "version"}


# What holds for all headers -------------------------------------------------------------------------


@settings(max_examples=200)
@given(headers)
@example(good())
@example({"method": {"retrieval": {"name": "x"}}})
@example({"method": {"retrieval": {"0.60": None}}})
@example({"method": {"retrieval": [{"name": "x", "ensembles": [""]}]}})
@example({"actor": [{"name": "Ada"}, {"name": "Ada"}]})
def test_a_header_that_comes_back_has_its_identities(fields: dict[str, Any]) -> None:
    # An archive reads what it does not keep from the statements of a run.
    lifter = Lifter()
    run = lifter.lift(header_of(fields))
    assert identities(SCHEMA, lowered(run)) == run.identities
    assert identities(SCHEMA, header_of(shuffled(fields, 7)).fields) == run.identities
    other = Lifter(base="https://example.org/").lift(header_of(fields))
    assert other.identities == run.identities


def test_what_is_nested_as_deep_as_can_be_read() -> None:
    depth = 0
    for depth in range(10, 2000, 10):
        text = "method: {retrieval: [{name: x, p: " + "[" * depth + "]" * depth + "}]}"
        try:
            fields = parse_header(text).fields
        except HeaderError:
            break
        found = identities(SCHEMA, fields)["method"]
        assert len(found.text) < 10 * depth + 500
    assert 20 < depth < 2000


def test_a_component_stays_a_few_kilobytes() -> None:
    fields = changed({"research goal/description": "x" * 10**6, "platform/software/libraries": ["y" * 10**5]})  # fmt: skip
    assert all(len(one.text) < 10_000 for one in identified(fields).values())


# Whoever writes shapes decides ------------------------------------------------------------------------

RAM = 'sh:path primad:ram ; field:key "ram" ;'
ROLE = ' field:identifies "{}" ; field:comparedBy "{}" ;'
#: Where a field stands, what is added to its shape, and two headers between which it decides.
ADDED = [
    (
        RAM,
        ROLE.format("distinguishing", "text"),
        ("platform", "{operating system: {distribution: Debian 12}, hardware: {ram: 1 GB}}", "1 GB", "2 GB"),
    ),
    (
        'sh:path primad:scoreTies ; field:key "score ties" ;',
        ROLE.format("distinguishing", "name"),
        ("method", "{name: bm25, score ties: a-b}", "a-b", "c"),
    ),
    (
        'field:key ( "implementation" "executable" "cmd" ) ;',
        ROLE.format("distinguishing", "text"),
        ("implementation", "{source: {repository: https://a.org/x}, executable: {cmd: ./x}}", "cmd: ./x", "cmd: ./y"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("place", "said", "case"), ADDED)
def test_a_field_with_a_role_takes_part(compiled, place: str, said: str, case) -> None:
    component, header, old, new = case
    other = header.replace(old, new)
    assert decided(component, header, other).state is ComponentState.same
    schema = compiled((place, place + said))
    assert decided(component, header, other, schema).state is ComponentState.different
    assert decided(component, header, header, schema).state is ComponentState.same
    # What was identified by other shapes is not current.
    found = identified(f"{component}: {header}", schema)[component]
    assert is_current(schema, found)
    assert not is_current(SCHEMA, found)


def test_a_new_field_of_a_stage_or_a_publication_takes_part(compiled) -> None:
    schema = compiled(
        ('sh:path primad:chunking ; field:key "chunking" ;', 'sh:path primad:chunking ; field:key "mood" ;'),
        ('sh:path primad:dblp ; field:key "dblp" ;', 'sh:path primad:dblp ; field:key "isbn" ;'),
    )  # fmt: skip
    stages = "{{retrieval: [{{name: x, mood: {}}}]}}"
    assert (
        decided("method", *map(stages.format, ("yes", "'on'")), schema).state is ComponentState.same
    )
    assert decided("method", *map(stages.format, ("yes", "no"))).state is ComponentState.different
    # A parameter is needed, and a question that shapes know is not.
    one, other = stages.format("yes"), "{retrieval: [{name: x}]}"
    assert decided("method", one, other).state is ComponentState.unknown
    assert decided("method", one, other, schema).state is ComponentState.same
    book = "{{publication: {{isbn: {}}}}}"
    for isbn, state in (
        ("978-1-4503-8732-3", ComponentState.same),
        ("978-0-0", ComponentState.different),
    ):
        found = decided(
            "research goal", book.format("978-1-4503-8732-3"), book.format(isbn), schema
        )
        assert found.state is state


def test_a_field_without_a_role_takes_no_part(compiled) -> None:
    said = (
        ' field:identifies "distinguishing" ; field:comparedBy "stemmers" ; field:section "3.4" ;'
    )
    schema = compiled((said, ""))
    stems = [f"{{name: bm25, indexing: {{stemmer: {name}}}}}" for name in ("porter", "none")]
    assert decided("method", *stems).state is ComponentState.different
    assert decided("method", *stems, schema).state is ComponentState.same


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (ROLE.format("naming", "guess"), r"ram: unknown field:comparedBy 'guess'; choose from architecture, .*text"),
        (
            ROLE.format("naming", "text") + ' field:comparedIn "machine" ;',
            r"ram: unknown field:comparedIn 'machine'; choose from platform, .*data",
        ),
        (ROLE.format("sometimes", "text"), r"#ram: 'sometimes' is not one of naming, distinguishing, needed"),
        (' field:identifies "naming" ;', "#ram needs both field:identifies and field:comparedBy"),
        (' field:comparedBy "text" ;', "#ram needs both field:identifies and field:comparedBy"),
    ],
)  # fmt: skip
def test_roles_and_rules_that_are_not_known(compiled, said: str, error: str) -> None:
    with pytest.raises(SchemaError, match=error):
        identified("platform: {hardware: {ram: 1 GB}}", compiled((RAM, RAM + said)))


def test_placeholders_are_those_of_the_schema(compiled) -> None:
    schema = compiled(("((todo|fixme|", "((moles|fixme|"))
    header = "actor: {{team: {}}}"
    for one, filled, empty in ((SCHEMA, "moles", "todo"), (schema, "todo", "moles")):
        said, unsaid = (identified(header.format(name), one)["actor"] for name in (filled, empty))
        assert json.loads(said.text)["people"] == {"team": [filled]}
        assert "people" not in json.loads(unsaid.text)
    assert version_of(schema) != version_of(SCHEMA)


def test_the_version_depends_on_names_and_shapes(compiled, monkeypatch, tmp_path: Path) -> None:
    versions = {version_of(SCHEMA)}
    versions.add(version_of(compiled((RAM, RAM + ROLE.format("needed", "text")))))
    versions.add(version_of(compiled((RAM, RAM + ROLE.format("naming", "text")))))
    same = compiled(('sh:name "stemmer"@en', 'sh:name "Stemmer"@en'))
    assert version_of(same) in versions  # what people read decides nothing
    names = tmp_path / "names.yaml"
    names.write_text("stemmers: {porter: []}", encoding="utf-8")
    monkeypatch.setattr(identity, "resource", lambda name: names)
    versions.add(version_of(compiled(('sh:name "stopwords"@en', 'sh:name "Stopwords"@en'))))
    assert len(versions) == 4
    assert all(re.fullmatch("[0-9a-f]{8}", one) for one in versions)


def test_the_graph_of_an_identity() -> None:
    found = Identity('{"of":"actor","x":"\\n"}')
    graph = found.graph("https://a.org/", "https://a.org/actor")
    assert graph.iri == f"https://a.org/identity/{found.key}"
    assert graph.triples.count("\n") == 3


def test_fields_that_are_compared_together() -> None:
    joint = {
        group.name: sorted(group.fields)
        for group in groups_of(SCHEMA, "platform")
        if group.rule.is_joint
    }
    assert joint == {
        "software": [
            "implementation.python.packages",
            "software.libraries",
            "software.retrieval toolkit",
        ]
    }
