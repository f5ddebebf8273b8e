"""Profiles of users: judging by what somebody wrote ends, and the message says where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support import Cli, Put

from primad_ld.core.processes import Limits
from primad_ld.validation import user_profiles
from primad_ld.validation.profiles import load_profile, profile_names
from primad_ld.validation.user_profiles import limits_for

_PROFILE = """\
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix our: <https://example.org/our#> .
@prefix s: <https://w3id.org/primad-ld/shapes#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
<https://example.org/our> a primad:Profile ;
    <http://www.w3.org/2002/07/owl#imports> <https://w3id.org/primad-ld/profiles/core> .
our:run a sh:NodeShape ; sh:targetClass primad:Run .
"""
# Each part is tried for both of two ways at each letter.
_PATTERN = 'sh:pattern "^(([a-z])+.)+[A-Z]([a-z])+$"'
_ALL_OF_ALL = " ".join(f"?a{number} ?b{number} ?c{number} ." for number in range(9))
_DOUBLED = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40))
_NESTED = "".join(
    f"our:n{n} a sh:NodeShape ; sh:and ( our:n{n + 1} our:n{n + 1} ) .\n" for n in range(40)
)

_ENDLESS = {
    # A pattern that backtracks for ever.
    "pattern": (f"our:run sh:property our:at . our:at sh:path primad:tag ; {_PATTERN} .", "our#at"),
    "pattern in a blank shape": (
        f"our:run sh:property [ sh:path primad:tag ; {_PATTERN} ] .",
        "a blank node of <https://example.org/our#run>",
    ),
    # The shape ships, and what is wrong with it comes from the user.
    "pattern of a shape that ships": (f"s:tag {_PATTERN} .", "shapes#tag"),
    # Each shape doubles what is judged: 2 to the power of 40.
    "nested sh:and": (
        f"our:run sh:and ( our:n0 ) .\n{_NESTED}our:n40 sh:property our:at .\n"
        "our:at sh:path primad:tag ; sh:minCount 1 .",
        "our#",
    ),
    "SPARQL constraint": (
        f'our:run sh:sparql [ sh:select "SELECT $this WHERE {{ {_ALL_OF_ALL} FILTER(?a1 = 1) }}" ] .',
        "our#run",
    ),
    "SPARQL target": (
        "our:at a sh:NodeShape ; sh:target [ a sh:SPARQLTarget ;\n"
        f'  sh:select "SELECT ?this WHERE {{ {_ALL_OF_ALL} BIND(?a1 AS ?this) }}" ] .',
        "our#at",
    ),
}
_LARGE = (
    'our:run sh:sparql [ sh:select """SELECT $this WHERE { $this ?p ?o . '
    f'BIND("{"x" * 64}" AS ?x0) {_DOUBLED} FILTER(STRLEN(?x40) < 3) }}""" ] .'
)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_profiles, "LIMITS", Limits(seconds=1, memory=2**29))


@pytest.mark.parametrize("name", _ENDLESS)
def test_judging_that_never_ends_is_an_error_that_names_the_shape(
    put: Put, cli: Cli, name: str
) -> None:
    text, shape = _ENDLESS[name]
    put("ours.ttl", _PROFILE + text)
    put("a.yml", f"tag: {'a' * 60}\n")
    result = cli("validate", "a.yml", "--profile", "ours.ttl")
    assert result.exit_code == 2
    (line,) = [line for line in result.stdout.splitlines() if "error" in line]
    assert line.startswith("ours.ttl: error: ")
    assert shape in line
    assert line.endswith("judging a.yml by this shape took longer than 1 seconds")
    assert "simplify the shape, or validate without this profile" in result.stdout
    assert "not validated because of ours.ttl" in result.stderr


def test_pyshacl_ends_as_well_and_names_the_shape(put: Put, cli: Cli) -> None:
    put("ours.ttl", _PROFILE + _ENDLESS["pattern"][0])
    put("a.yml", f"tag: {'a' * 60}\n")
    result = cli("validate", "a.yml", "-p", "ours.ttl", "--engine", "pyshacl", "-f", "json")
    assert result.exit_code == 2
    assert "our#at" in result.stdout
    assert result.stdout.endswith("}\n")  # and the report is whole


def test_judging_that_fills_the_memory_is_an_error(put: Put, cli: Cli) -> None:
    put("ours.ttl", _PROFILE + _LARGE)
    put("a.yml", "tag: a\n")
    result = cli("validate", "a.yml", "--profile", "ours.ttl")
    assert result.exit_code == 2
    assert "by this shape needed more than 0.5 GiB of memory" in result.stdout


# In a process of its own: the largest child of this one may be that of another test.
_MEASURED = """
import resource, sys
from primad_ld.cli import app
from primad_ld.core.processes import Limits
from primad_ld.validation import user_profiles
user_profiles.LIMITS = Limits(seconds=30, memory=2**29)
if __name__ == "__main__":
    status = app(["validate", "a.yml", "--profile", "ours.ttl"], standalone_mode=False)
    print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system counts in other units")
def test_judging_takes_no_more_memory_than_it_may(put: Put, tmp_path: Path) -> None:
    put("ours.ttl", _PROFILE + _LARGE)
    put("a.yml", "tag: a\n")
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    status, kilobytes = done.stderr.splitlines()[-1].split()
    assert status == "2", done.stderr
    assert 0 < int(kilobytes) < 2**20


def test_what_came_before_is_reported_and_the_rest_is_told(put: Put, cli: Cli) -> None:
    put("ours.ttl", _PROFILE + _ENDLESS["pattern"][0])
    for name, tag in (("a", "x"), ("b", "a" * 60), ("c", "x")):
        put(f"runs/{name}.yml", f"tag: {tag}\n")
    result = cli("validate", "runs/a.yml", "runs/b.yml", "runs/c.yml", "-p", "ours.ttl")
    assert result.exit_code == 2
    assert "runs/a.yml:1: warning" in result.stdout
    assert "judging runs/b.yml by this shape" in result.stdout
    assert "runs/c.yml: not validated because of ours.ttl" in result.stderr


def test_runs_of_an_archive_are_judged_within_the_same_limits(put: Put, cli: Cli) -> None:
    put("ours.ttl", _PROFILE + _ENDLESS["pattern"][0])
    put("good.ttl", _PROFILE)
    put("a.yml", f"tag: {'a' * 60}\n")
    assert cli("load", "a.yml", "-a", "archive").exit_code == 0
    assert cli("validate", "-a", "archive", "-p", "good.ttl").exit_code == 0
    result = cli("validate", "-a", "archive", "-p", "ours.ttl")
    assert result.exit_code == 2
    assert "our#at" in result.stdout


def test_a_shape_about_the_tags_of_others(put: Put, cli: Cli) -> None:
    """What is said of two files is not judged with either of them."""
    about = "our:run sh:property our:at . our:at sh:path primad:tagAlsoIn ;"
    put("same.ttl", f'{_PROFILE}{about} sh:pattern "^b" ; sh:message "as in {{?value}}"@en .')
    put("ours.ttl", f"{_PROFILE}{about} {_PATTERN} .")
    header = "# ir_metadata.start\n# tag: a\n# ir_metadata.end\n"
    for name in ("a" * 60, "b"):
        put(f"runs/{name}.txt", f"{header}1 Q0 {name} 1 1 a\n")
    assert 'as in "runs/aaa' in cli("validate", "runs", "-p", "same.ttl").stdout
    result = cli("validate", "runs", "-p", "ours.ttl")
    assert result.exit_code == 2
    assert "our#at" in result.stdout


@pytest.mark.parametrize("name", profile_names())
def test_profiles_that_ship_have_no_limits(name: str) -> None:
    assert limits_for(load_profile(name)) is None


def test_a_profile_is_no_longer_than_any(put: Put, cli: Cli) -> None:
    path = put("ours.ttl", _PROFILE)
    with open(path, "ab") as stream:
        stream.truncate(8 * 2**30)  # sparse: it takes no room
    put("a.yml", "tag: a\n")
    result = cli("validate", "a.yml", "--profile", "ours.ttl")
    assert result.exit_code == 2
    assert "ours.ttl: cannot be read as Turtle: the file is longer than 1 MiB" in result.stderr
