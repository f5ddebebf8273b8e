"""A profile that names what is not there is refused: it would ask for nothing in silence."""

from __future__ import annotations

import pytest
from support import Cli, Put

from primad_ld.core.files import resource
from primad_ld.shacl.shapes_graph import read_terms
from primad_ld.validation.profiles import _check_spelling, _shacl, profile_names

PROFILE = """
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix field: <https://w3id.org/primad-ld/field#> .
@prefix s: <https://w3id.org/primad-ld/shapes#> .
@prefix my: <https://track.example.org#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .

<https://track.example.org> a primad:Profile ;
    owl:imports <https://w3id.org/primad-ld/profiles/core> .
"""


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("s:missing-comit sh:deactivated true .", "no s:missing-comit; did you mean s:missing-commit?"),
        ("s:comit field:importance 20 .", "no s:comit; did you mean s:commit?"),
        ("s:commit field:importance -3 .", "importance is '-3'"),
        ('s:commit field:importance "much" .', "importance is 'much'"),
        ("s:commit field:importance 20, 30 .", "importance is 20 and 30; a field has one weight"),
        *(
            (f's:commit field:importance "{number}"^^<http://www.w3.org/2001/XMLSchema#double> .', why)
            for number, why in (
                ("INF", "importance is 'INF' and should be a number from 0 to 1,000,000"),
                ("-INF", "importance is '-INF'"),
                ("NaN", "importance is 'NaN'"),
                ("1e400", "importance is '1e400'"),
                ("1e308", "importance is '1e308'"),  # the sum of two of them is infinite
                ("9" * 5000, "importance is '9999999999999999999999999999999999999999' and"),
            )
        ),
        ('my:a sh:path primad:tag ; field:hints "x" .', "no field:hints; did you mean field:hint?"),
        ("my:a sh:minCounts 1 .", "no sh:minCounts; did you mean sh:minCount?"),
        ("my:a a sh:NodeShape ; sh:targetClass primad:Rum .", "no primad:Rum; did you mean primad:Run?"),
        ("my:a sh:path primad:byTeem ; sh:minCount 1 .", "no primad:byTeem; did you mean primad:byTeam?"),
        ("my:a sh:path primad:tag ; sh:severity sh:Fatal .", "no sh:Fatal"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_named(put: Put, cli: Cli, added: str, said: str) -> None:
    put("header.yml", "tag: x\n")
    put("my.ttl", PROFILE + added)
    result = cli("validate", "header.yml", "--profile", "my.ttl")
    assert result.exit_code == 2
    assert "my.ttl: " in result.stderr
    assert said in result.stderr


def test_what_is_there_is_taken(put: Put, cli: Cli) -> None:
    put("header.yml", "tag: x\n")
    put("my.ttl", PROFILE + "s:commit field:importance 20 . my:a sh:order 1 ; my:own 2 .")
    assert cli("validate", "header.yml", "--profile", "my.ttl").exit_code == 0


@pytest.mark.parametrize("name", profile_names())
def test_profiles_that_ship_name_what_is_there(name: str) -> None:
    file = resource(f"shapes/profiles/{name}.ttl")
    _check_spelling(file, read_terms([file]))


def test_words_of_python_are_terms_of_shacl() -> None:
    terms = {"and", "class", "in", "not", "or", "xone", "values", "minCount", "SPARQLConstraint"}
    assert terms <= _shacl()
    assert not {"js", "jsLibrary", "JSConstraint"} & _shacl()
