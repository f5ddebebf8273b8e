"""Profiles that are made to harm whoever reads them: one error each, soon, and in little memory.

What judges headers by a profile of a user has limits (``test_user_profiles.py``). These profiles
take a long time, or much memory, before any header is judged.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support import Cli, Put

from primad_ld.core.errors import SchemaError
from primad_ld.core.iris import SH
from primad_ld.core.processes import Limits
from primad_ld.rdf.subject_index import Object
from primad_ld.schema.fields import compile_schema, header_shapes
from primad_ld.shacl.judge import ShapeResult
from primad_ld.shacl.literals import STRING
from primad_ld.validation import profiles, user_profiles
from primad_ld.validation.messages import without_secrets
from primad_ld.validation.profiles import load_profile

_PROFILE = """\
@prefix field: <https://w3id.org/primad-ld/field#> .
@prefix our: <https://example.org/our#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix primad: <https://w3id.org/primad-ld/ontology#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix s: <https://w3id.org/primad-ld/shapes#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
<https://example.org/our> a primad:Profile ;
    owl:imports <https://w3id.org/primad-ld/profiles/core> .
our:run a sh:NodeShape ; sh:targetClass primad:Run .
"""
_AT = "our:run sh:property our:at . our:at sh:path primad:tag . "
_FIELD = "s:run sh:property our:key . our:key a sh:PropertyShape ; "


def refused(put: Put, cli: Cli, text: str) -> str:
    """The one line by which ``validate`` refuses a profile."""
    put("ours.ttl", _PROFILE + text)
    put("a.yml", "tag: a\n")
    result = cli("validate", "a.yml", "--profile", "ours.ttl")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert len(line) < 2000  # nobody reads an error as long as a profile
    return line


# Lists and paths --------------------------------------------------------------------------

_LOOPS = {
    "to itself": "_:l rdf:first our:a ; rdf:rest _:l .",
    "in a loop": "_:l rdf:first our:a ; rdf:rest _:m . _:m rdf:first our:b ; rdf:rest _:l .",
    "to nothing": '_:l rdf:first "a" .',
    "to a text": '_:l rdf:first "a" ; rdf:rest "b" .',
}


@pytest.mark.parametrize("loop", _LOOPS)
@pytest.mark.parametrize(
    "use",
    [
        f"{_AT} our:at sh:in _:l .",
        f"{_AT} our:at sh:and _:l .",
        f"{_AT} our:at sh:or _:l .",
        f"{_AT} our:at sh:xone _:l .",
        f"{_AT} our:at sh:languageIn _:l .",
        f"{_AT} our:run sh:closed true ; sh:ignoredProperties _:l .",
        "our:run sh:property our:at . our:at sh:path _:l .",
        "our:run sh:property our:at . our:at sh:path [ sh:alternativePath _:l ] .",
        # Read by what makes fields of shapes, which has lists of its own.
        f"{_FIELD} sh:path our:p ; field:key _:l .",
        f"{_FIELD} field:key 'k' ; sh:path _:l .",
    ],
    ids=lambda use: " ".join(use.replace(_AT, "").replace(_FIELD, "").split()[:4]),
)
def test_lists_that_never_end(tmp_path: Path, use: str, loop: str) -> None:
    path = tmp_path / "ours.ttl"
    path.write_text(f"{_PROFILE} {use} {_LOOPS[loop]}", encoding="utf-8")
    profile = profiles.Profile(("ours.ttl",), (path,), profiles.read_terms([path]))
    is_field = "field:key" in use
    with pytest.raises(SchemaError, match="our#"):
        compile_schema(header_shapes(), path) if is_field else profile.shapes


def test_a_list_that_never_ends_is_one_line(put: Put, cli: Cli) -> None:
    line = refused(put, cli, f"{_FIELD} sh:path our:p ; field:key _:l . {_LOOPS['to itself']}")
    assert line == "error: https://example.org/our#key: one of its lists is not well-formed"


_DEEP = " ".join(
    f"our:k{n} sh:path our:p ; sh:class our:k ; field:key 'k' ; sh:property our:k{n + 1} ."
    for n in range(2000)
)
_DOUBLING = " ".join(f"_:p{n} sh:alternativePath ( _:p{n + 1} _:p{n + 1} ) ." for n in range(40))
_IN_ALL = " ".join(f"our:s{n} sh:and _:l ." for n in range(9000))
_MEMBERS = " ".join(f"our:m{n}" for n in range(20_000))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "our:run sh:property our:at . our:at sh:path _:p . _:p sh:inversePath _:p .",
            "comes back",
        ),
        (f"{_AT} our:at sh:property our:at .", "refers to itself"),
        ("our:run sh:node our:run .", "refers to itself"),
        ("our:run sh:and ( our:run our:run ) .", "refers to itself"),
        ("our:run sh:not our:not . our:not sh:not our:run .", "refers to itself"),
        ("our:run sh:not " + "[ sh:not " * 60 + "[]" + "]" * 60 + " .", "deeper than 50 levels"),
        (f"s:run sh:property our:k0 . {_DEEP}", "fields are nested deeper than 32 levels"),
        (f"our:run sh:property {'[' * 400_000}", "cannot be read as Turtle"),
    ],
)
def test_shapes_that_never_end(put: Put, cli: Cli, text: str, why: str) -> None:
    assert why in refused(put, cli, text)


@pytest.mark.parametrize(
    "text",
    [
        # A path of 2 to the power of 40 parts.
        f"our:run sh:property our:at . our:at sh:path _:p0 . {_DOUBLING} _:p40 sh:inversePath our:x .",
        # A list of 20,000 shapes, which 9,000 shapes have.
        f"{_IN_ALL} _:l rdf:first our:a ; rdf:rest ( {_MEMBERS} ) .",
    ],
    ids=["paths that double", "a list in many shapes"],
)
def test_reading_that_never_ends_is_an_error_that_names_the_file(
    put: Put, cli: Cli, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(profiles, "_READING", Limits(seconds=0.5, memory=2**29))
    line = refused(put, cli, text)
    assert line.startswith("error: ours.ttl: reading this profile took longer than 0.5 seconds")
    assert line.endswith("; simplify its lists and paths, or use another profile")


# Values -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('sh:pattern "' + "(" * 400_000 + ")" * 400_000 + '"', "sh:pattern cannot be read"),
        ('sh:pattern "a{' + "9" * 5000 + '}"', "sh:pattern cannot be read"),
        ('sh:pattern "(?<=a+)b"', "sh:pattern cannot be read: look-behind"),
        ("sh:minCount " + "9" * 5000, "sh:minCount needs an integer"),
        ("sh:maxLength " + "9" * 900_000, "sh:maxLength needs an integer"),
        ("sh:minCount 1e999999999", "sh:minCount needs an integer"),
        ("sh:minCount " + '"a" , ' * 1000 + '"b"', "has more than one sh:minCount"),
        ('sh:deactivated "' + "a" * 900_000 + '"', "sh:deactivated needs true or false"),
        ('sh:property "' + "a" * 900_000 + '"', "sh:property needs a shape"),
        ("sh:" + "a" * 900_000 + " 1", "sh:aaa"),
    ],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_values_that_are_none(put: Put, cli: Cli, text: str, why: str) -> None:
    assert why in refused(put, cli, f"{_AT} our:at {text} .")


@pytest.mark.parametrize(
    "text",
    [
        'sh:pattern "((a{1000}){1000}){1000}"',
        'sh:pattern "a" ; sh:flags "zz-"',  # pyshacl leaves out flags that it does not know
        "sh:minExclusive " + "9" * 900_000,
        "sh:maxInclusive 1e999999999",
        'sh:minCount 1 ; sh:message "' + "{" * 400_000 + "{?value}" * 50_000 + '"',
    ],
    ids=lambda text: text[:30],
)
def test_values_that_are_odd(put: Put, cli: Cli, text: str) -> None:
    put("ours.ttl", f"{_PROFILE} {_AT} our:at {text} .")
    put("a.yml", "tag: a\n")
    result = cli("validate", "a.yml", "--profile", "ours.ttl")
    assert result.exit_code in (0, 1)
    assert "a.yml" in result.stdout


# Addresses --------------------------------------------------------------------------------


class _Asked(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A server's address, and the paths for which it was asked."""
    handler = type("_AskedOnce", (_Asked,), {"asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}", handler.asked
        running.shutdown()


@pytest.mark.parametrize("engine", ["own", "pyshacl"])
@pytest.mark.parametrize(
    "text",
    [
        "<https://example.org/our> owl:imports <ADDRESS/shapes> .",
        "<https://example.org/our> owl:imports <FILE> .",
        "<https://example.org/our> owl:imports <https://w3id.org/primad-ld/profiles/../FILE> .",
        '<https://example.org/our> owl:imports "ADDRESS" .',
        "our:run owl:imports <ADDRESS/shapes> .",  # of any subject, as pyshacl would take it
    ],
)
def test_nothing_else_is_read(
    put: Put, cli: Cli, server: tuple[str, list[str]], text: str, engine: str
) -> None:
    address, asked = server
    file = put("other.ttl", "this is not Turtle").as_uri()
    put("ours.ttl", _PROFILE + text.replace("ADDRESS", address).replace("FILE", file))
    put("a.yml", "tag: a\n")
    options = ["--engine", "pyshacl"] if engine == "pyshacl" else []
    result = cli("validate", "a.yml", "--profile", "ours.ttl", *options)
    assert result.exit_code == 2
    assert "which is not a profile of primad-ld" in result.stderr
    assert "other.ttl: cannot" not in result.stderr
    assert asked == []


# Secrets ----------------------------------------------------------------------------------


def test_looking_for_secrets_ends(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report in Turtle leaves out what a profile calls a secret, by the patterns of that."""
    monkeypatch.setattr(user_profiles, "LIMITS", Limits(seconds=0.5, memory=2**29))
    path = put(
        "ours.ttl",
        f"{_PROFILE} {_AT} our:at field:secret true ; sh:not our:form .\n"
        'our:form a sh:NodeShape ; sh:pattern "^(?:[a-z]|.|.)+!$" .',
    )
    profile = load_profile(path)
    found = ShapeResult(
        focus=Object("https://example.org/run/a"),
        path=None,
        value=Object("a" * 60, STRING),
        shape="https://example.org/our#at",
        component=f"{SH}MinCountConstraintComponent",
        severity=f"{SH}Violation",
    )
    short = found._replace(value=Object("a!", STRING))
    assert [one.value for one in without_secrets([short], profile)] == [Object("…", STRING)]
    with pytest.raises(Exception, match=r"ours\.ttl: judging a header by this profile took longer"):
        list(without_secrets([found], profile))


@pytest.mark.parametrize(
    ("select", "why"),
    [
        ("ASK { ?s ?p ?o }", "cannot judge"),
        ("SELECT $this WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE"),
        ("not SPARQL", "Expected"),
    ],
)
def test_sparql_that_cannot_judge_is_named_by_file_and_shape(
    put: Put, cli: Cli, select: str, why: str
) -> None:
    line = refused(put, cli, f'our:run sh:sparql [ sh:select "{select}" ] . ')
    assert line.startswith("error: ours.ttl: <https://example.org/our#run>: ")
    assert why in line
