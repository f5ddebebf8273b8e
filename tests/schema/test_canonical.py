"""Canonical values and the names made of them, as docs/iris.md specifies them."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import (
    BASE,
    PRIMAD,
    ROOT,
    SCHEME,
    headers,
    lowered,
    only,
    rdflib_dataset,
)
from support import names_by_hand as by_hand
from support.variants import PLAIN, VARIANTS

from primad_ld import dump_header, header_of, lower, parse_header
from primad_ld.core.iris import SKOS, XSD
from primad_ld.core.triples import read_subjects
from primad_ld.header.ranking_digest import Ranking
from primad_ld.rdf.lifting import Lifter
from primad_ld.rdf.run_graphs import LiftedRun
from primad_ld.schema.canonical import FOLDINGS, KNOWN, NAMES, SIZES, composed, fold_team, folded
from primad_ld.schema.converters import BY_DATATYPE, BY_NAME, CONCEPT_SCHEMES, read_parameter
from primad_ld.schema.fields import compile_schema, header_shapes

LIFTER = Lifter()
PAGE = (ROOT / "docs/iris.md").read_text(encoding="utf-8")
VALUES = re.findall(r"^\| (\w+) \| `(\".*\")` \| `(.*)` \|$", PAGE, re.MULTILINE)
COMPONENTS = re.findall(
    r"```yaml\n(.*?)```\n\nis the text\n\n```\n(.*?)\n```\n\nand the name `(.*?)`", PAGE, re.DOTALL
)
RUNS = re.findall(r"^\| `(\w{64})` \| `(.*)` \| (.*) \| `(.*)` \| `(.*)` \|$", PAGE, re.MULTILINE)


def names(run: LiftedRun) -> set[str]:
    return {graph.iri.removeprefix(BASE) for graph in run.components}


# The page ---------------------------------------------------------------------------------------


def test_the_page_has_the_foldings_of_the_code() -> None:
    assert by_hand.TABLE["foldings"] == {
        kind: [list(folding) for folding in foldings] for kind, foldings in FOLDINGS.items()
    }
    assert by_hand.TABLE["sizes"] == SIZES
    assert by_hand.TABLE["known"] == KNOWN
    assert by_hand.TABLE["names"] == sorted(NAMES)


def test_version_1_is_frozen() -> None:
    # Names that are out were made of this table: do not adapt the digest, make version 2.
    text = json.dumps(by_hand.TABLE, sort_keys=True)
    assert (
        sha256(text.encode()).hexdigest()
        == "3e1e2c77ef3b3048663084c4bb030b8f1c56eaa85e24dcf22c7e716fbec105b8"
    )


def _form(kind: str, text: str) -> str:
    if kind == "parameter":
        return read_parameter(text).form
    if kind == "requirement":
        return json.dumps(folded(kind, text), ensure_ascii=False)
    simple = {"text": "string", "integer": "integer", "decimal": "decimal", "boolean": "boolean"}
    return (BY_DATATYPE[XSD + simple[kind]] if kind in simple else BY_NAME[kind]).key(text)


@pytest.mark.parametrize(("kind", "text", "form"), VALUES)
def test_a_value_of_the_page(kind: str, text: str, form: str) -> None:
    assert _form(kind, json.loads(text)) == form
    assert by_hand.text_form(kind, json.loads(text)) == form


@pytest.mark.parametrize(("header", "form", "name"), COMPONENTS)
def test_a_component_of_the_page(header: str, form: str, name: str) -> None:
    assert name.partition("/1-")[2] == sha256(form.encode()).hexdigest()[:40]
    assert names(LIFTER.lift(parse_header(header))) == by_hand.from_yaml(header) == {name}


@pytest.mark.parametrize(("digest", "tag", "team", "file", "name"), RUNS)
def test_a_run_of_the_page(digest: str, tag: str, team: str, file: str, name: str) -> None:
    team = team.strip("`")
    actor = {"name": "Ada"} | ({"team": team} if team else {})
    run = LIFTER.lift(
        header_of({"tag": tag, "actor": actor}),
        ranking=Ranking(digest=digest, rows=1),
        file_name=file,
    )
    assert run.run.iri == f"{BASE}{name}"
    said = [digest, tag, fold_team(team)] if team else [digest, tag, "", file]
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    assert name == f"run/1-{sha256(text.encode()).hexdigest()[:40]}"


def test_the_page_has_vectors_of_each_kind() -> None:
    assert {kind for kind, _, _ in VALUES} >= {*FOLDINGS} - {"role"} | {
        "size",
        "integer",
        "decimal",
    }
    assert len(COMPONENTS) >= 4
    assert len(RUNS) >= 5


# Equal meaning, equal name ----------------------------------------------------------------------


@pytest.mark.parametrize(("plain", "variant"), VARIANTS.values(), ids=VARIANTS)
def test_a_spelling_names_the_same_components_and_comes_back(plain: str, variant: str) -> None:
    text = PLAIN.replace(plain, variant)
    assert text != PLAIN
    run = LIFTER.lift(parse_header(text))
    assert run.components == LIFTER.lift(parse_header(PLAIN)).components
    assert lowered(run) == _with_lists(parse_header(text).fields)


def _with_lists(fields: Any) -> Any:
    """A listed normalisation: one text where a list of texts belongs."""
    source = fields["implementation"]["source"]
    source["lang"] = source["lang"] if isinstance(source["lang"], list) else [source["lang"]]
    return fields


#: What looks alike and means another thing.
DIFFERENT = {
    "paired or not": ("paired t-test", "t-test"),
    "GiB": ("64 GB", "64 GiB"),
    "no unit": ("64 GB", "64"),
    "version with a zero": ("numpy==1.15.4", "numpy==1.15.40"),
    "name of a parameter": ("b: 0.9", "B: 0.9"),
    "parameter with a leading zero": ("k1: 1}", "k1: 01}"),
    "version of a preprint": ("2010.13447", "2010.13447v2"),
    "short commit": ("commit: abcdef1", "commit: abcdef"),
    "order of stages": ("- {name: bm25, b: 0.9, k1: 1}\n  - {name: rm3, reranks: bm25}",
                        "- {name: rm3, reranks: bm25}\n  - {name: bm25, b: 0.9, k1: 1}"),
    "case of a name": ("José", "JOSÉ"),
    "mistyped ORCID": ("0000-0002-0661-7189", "0000-0002-0661-7180"),
    "an extra of a package": ("numpy==1.15.4", "'numpy[all]==1.15.4'"),
}  # fmt: skip


@pytest.mark.parametrize(("plain", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_what_differs_has_another_name(plain: str, other: str) -> None:
    text = PLAIN.replace(plain, other)
    assert text != PLAIN
    assert names(LIFTER.lift(parse_header(text))) != names(LIFTER.lift(parse_header(PLAIN)))


@settings(max_examples=60)
@given(headers)
def test_another_program_gets_the_same_names_from_yaml(fields: dict[str, Any]) -> None:
    header = header_of(fields)
    assert by_hand.from_yaml(dump_header(header)) == names(LIFTER.lift(header))


@settings(max_examples=40)
@given(headers)
def test_another_program_gets_the_same_names_from_rdf(fields: dict[str, Any]) -> None:
    run = LIFTER.lift(header_of(fields))
    assert by_hand.from_rdf(rdflib_dataset(run.nquads())) == names(run)


@settings(max_examples=40)
@given(headers)
def test_what_comes_back_has_the_same_names(fields: dict[str, Any]) -> None:
    run = LIFTER.lift(header_of(fields))
    assert LIFTER.lift(only(lower(run.graphs))).components == run.components


# What renames nothing ---------------------------------------------------------------------------


def _lifter(tmp_path: Path, *changes: tuple[str, str]) -> Lifter:
    """A lifter by the shapes with some changes."""
    text = header_shapes().read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file = tmp_path / "header.ttl"
    file.write_text(text, encoding="utf-8")
    return Lifter(schema=compile_schema(file))


_SOCKETS = """
s:sockets a sh:PropertyShape ;
    sh:path primad:socketCount ; field:key "number of sockets" ; sh:order 4.5 ;
    sh:datatype xsd:integer ; sh:maxCount 1 .
"""


def test_a_new_field_renames_only_headers_that_have_it(tmp_path: Path) -> None:
    more = _lifter(tmp_path, ("s:cpu-cores, ", "s:cpu-cores, s:sockets, "),
                   ("\ns:cpu-model a ", f"{_SOCKETS}\ns:cpu-model a "))  # fmt: skip
    assert names(more.lift(parse_header(PLAIN))) == names(LIFTER.lift(parse_header(PLAIN)))
    given_it = PLAIN.replace("cores: 16", "cores: 16, number of sockets: '02'")
    (one,) = names(more.lift(parse_header(given_it))) - names(LIFTER.lift(parse_header(given_it)))
    assert one.startswith("platform/")


def test_another_term_renames_nothing(tmp_path: Path) -> None:
    run = _lifter(tmp_path, ("primad:numberOfCores", "primad:coreCount")).lift(parse_header(PLAIN))
    assert f"{PRIMAD}coreCount" in run.nquads()
    assert names(run) == names(LIFTER.lift(parse_header(PLAIN)))


# Foldings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FOLDINGS)
@settings(max_examples=40)
@given(text=st.text(max_size=40))
def test_a_canonical_text_is_its_own_form(kind: str, text: str) -> None:
    once = folded(kind, text)
    assert folded(kind, once) == folded(kind, folded(kind, once))


@pytest.mark.parametrize("scheme", CONCEPT_SCHEMES)
def test_every_label_of_a_concept_has_the_form_of_its_iri(scheme: str) -> None:
    """So forms are read off IRIs, and concepts that are added rename nothing."""
    concepts = {
        iri: said
        for iri, said in read_subjects(ROOT / "ontology/schemes.ttl").items()
        if said.get(SKOS + "inScheme") == [SCHEME + scheme]
    }
    assert concepts
    for iri, said in concepts.items():
        form = folded(scheme, iri.removeprefix(f"{SCHEME}{scheme}-"))
        for label in (*said[SKOS + "notation"], *said.get(SKOS + "altLabel", ())):
            assert folded(scheme, label) == form, label
            assert BY_NAME[scheme].read(label) is not None


def test_a_name_that_nobody_knows_stays_as_it_is() -> None:
    for kind in KNOWN:
        assert folded(kind, "Some_New  Name@10") == "Some_New Name@10"


@given(st.text(max_size=30))
def test_composing_twice_changes_nothing(text: str) -> None:
    assert composed(composed(text)) == composed(text)
