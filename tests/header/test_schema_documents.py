"""What is compiled from the shapes: template, checklist, JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml
from support import GOOD, ROOT, header_with

from primad_ld import Header, parse_header
from primad_ld.core.yamltext import Mapping, Sequence, Value
from primad_ld.header.schema_documents import (
    ARTEFACTS,
    checklist,
    encoding,
    json_schema,
    template,
    type_name,
)
from primad_ld.schema.converters import CONCEPT_SCHEMES, concept_names
from primad_ld.schema.fields import WILDCARD, Field, default_schema

SCHEMA = default_schema()
FIELDS = list(SCHEMA.walk())
NAMED = [entry for entry in FIELDS if entry.key != WILDCARD]


def _dotted(entry: Field) -> str:
    return entry.dotted


# Files in the repository ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("docs/fields.md", "markdown"),
        ("docs/header.schema.json", "jsonschema"),
    ],
)
def test_the_file_is_what_the_shapes_say(name: str, format: str) -> None:
    command = f"primad-ld schema --format {format} -o {name} --force"
    file = ROOT / name
    assert file.exists(), f"{name} is missing; run: {command}"
    is_current = file.read_text(encoding="utf-8") == ARTEFACTS[format](SCHEMA)
    assert is_current, f"{name} is older than shapes/header.ttl; run: {command}"


@pytest.mark.parametrize("format", ARTEFACTS)
def test_artefacts_are_text_that_ends_with_a_line_break(format: str) -> None:
    text = ARTEFACTS[format](SCHEMA)
    assert text == ARTEFACTS[format](SCHEMA)
    assert text.endswith("\n")
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)


# Template --------------------------------------------------------------------------------------

TEMPLATE = template(SCHEMA)


def _leaves(value: Value, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Value]]:
    """The fields of a header with what stands there; positions in lists do not count."""
    if isinstance(value, Mapping) and value:
        for key, one in value.items():
            yield from _leaves(one, (*path, key))
    elif isinstance(value, Sequence) and value:
        for one in value:
            yield from _leaves(one, path)
    else:
        yield path, value


def test_the_template_holds_every_field_once_and_nothing_is_filled_in() -> None:
    found = list(_leaves(parse_header(TEMPLATE, drop_empty=False).fields))
    assert [path for path, _ in found] == [entry.path for entry in NAMED if entry.node is None]
    assert {value for _, value in found} == {None}


@pytest.mark.parametrize("entry", NAMED, ids=_dotted)
def test_the_template_explains_every_field(entry: Field) -> None:
    words = re.sub(r"\n\s*#\s+", " ", TEMPLATE)
    assert f"{entry.name}: {entry.description}" in words or (
        f"{entry.name} (!): {entry.description}" in words
    )


@pytest.mark.parametrize(
    ("entry", "value"),
    [pytest.param(entry, entry.examples[0], id=entry.dotted) for entry in NAMED if entry.examples],
)
def test_one_filled_field_is_all_that_remains(entry: Field, value: str) -> None:
    if entry.datatype is not None and entry.datatype.endswith("#JSON"):
        value = "some text"
    header = parse_header(_filled({entry.path: value}), drop_empty=True)
    assert list(_leaves(header.fields)) == [(entry.path, value)]


def test_several_filled_fields_are_all_that_remains() -> None:
    filled = {
        ("tag",): "x",
        ("method", "retrieval", "name"): "bm25",
        ("data", "training data", "name"): "y",
        ("actor", "team"): "moles",
    }
    header = parse_header(_filled(filled), drop_empty=True)
    assert header.fields == {
        "tag": "x",
        "method": {"retrieval": [{"name": "bm25"}]},
        "actor": {"team": "moles"},
        "data": {"training data": [{"name": "y"}]},
    }


def _filled(values: dict[tuple[str, ...], str]) -> str:
    """The template with texts behind some of its colons, as people fill it in."""
    lines = TEMPLATE.split("\n")
    empty = parse_header(TEMPLATE, drop_empty=False)
    for path, value in values.items():
        at = _place(empty, path)
        lines[at - 1] += f" '{value}'"
    return "\n".join(lines)


def _place(header: Header, path: tuple[str, ...]) -> int:
    steps: list[str | int] = []
    for key in path:
        if isinstance(header.get(*steps), Sequence):
            steps.append(0)
        steps.append(key)
    place = header.place(*steps)
    assert place is not None
    return place.line


def test_a_parameter_may_be_added_where_the_template_says() -> None:
    text = TEMPLATE.replace("# k1: 0.9", "k1: 0.9")
    header = parse_header(text, drop_empty=True)
    assert header.fields == {"method": {"retrieval": [{"k1": "0.9"}]}}


def test_what_matters_most_is_marked() -> None:
    assert "commit (!): Commit of the source code" in TEMPLATE
    assert "\n    # branch: Branch" in TEMPLATE


def test_template_lines_fit_a_screen() -> None:
    long = [line for line in TEMPLATE.split("\n") if len(line) > 100]
    assert [line for line in long if "http" not in line] == []


# Checklist ------------------------------------------------------------------------------------------


def test_the_checklist_has_a_row_for_every_field() -> None:
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        for line in checklist(SCHEMA).split("\n")
        if line.startswith("| `")
    ]
    assert {len(row) for row in rows} == {7}
    containers = {entry.path for entry in FIELDS if entry.node is not None and len(entry.path) == 1}
    listed = [entry for entry in FIELDS if entry.path not in containers]
    listed.sort(key=lambda entry: len(entry.path) > 1)  # first what is said of the run as a whole
    expected = [
        "`" + " / ".join(entry.path if len(entry.path) == 1 else entry.path[1:]) + "`"
        for entry in listed
    ]
    assert [row[0] for row in rows] == expected
    for row, entry in zip(rows, listed, strict=True):
        assert row[1] == type_name(entry)
        assert row[2] == encoding(entry)
        assert row[3].startswith(entry.description.replace("|", "\\|"))
        assert row[5] == ("" if entry.importance is None else f"{entry.importance:g}")


@pytest.mark.parametrize(
    ("path", "name", "code"),
    [
        (("platform", "hardware", "ram"), "size", "UTF-8"),
        (("platform", "hardware", "cpu", "number of cores"), "whole number", "UTF-8"),
        (("platform", "software", "libraries"), "list of texts, or lists by language", "UTF-8"),
        (("research goal", "venue", "year"), "year", "ISO 8601"),
        (("research goal", "evaluation", "reported measures"), "list of texts", "UTF-8"),
        (("research goal", "publication", "doi"), "URI", "RFC 2396"),
        (("implementation", "executable", "cmd"), "text, or list of texts", "UTF-8"),
        (("method", "automatic"), "true or false", "UTF-8"),
        (("method", "retrieval"), "list of mappings", ""),
        (("method", "retrieval", "interpolates"), "list of stage names", "UTF-8"),
        (("method", "retrieval", "weight"), "number", "UTF-8"),
        (("actor",), "list of mappings", ""),
        (("actor", "orcid"), "ORCID", "ISO 27729"),
        (("resources", "runtime", "start time"), "point in time", "ISO 8601"),
        (("resources", "runtime", "wallclock"), "duration", "UTF-8"),
    ],
)  # fmt: skip
def test_the_words_for_a_kind_of_value(path: tuple[str, ...], name: str, code: str) -> None:
    entry = SCHEMA.field(*path)
    assert entry is not None
    assert (type_name(entry), encoding(entry)) == (name, code)


def test_the_checklist_marks_what_identifies_and_what_is_the_runs() -> None:
    text = checklist(SCHEMA)
    assert re.search(r"^\| `orcid` .* \| 2 \| naming \(3\.5\) \|$", text, re.MULTILINE)
    assert re.search(r"^\| `executable / cmd` .* \| 4 \| of the run \|$", text, re.MULTILINE)
    assert re.search(r"^\| `name` .* \| 1 \|  \|$", text, re.MULTILINE)


# JSON Schema ----------------------------------------------------------------------------------------------

JSON_SCHEMA = json_schema(SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(JSON_SCHEMA)


def found(text: str) -> list[str]:
    """Where an editor would mark a header, which it reads with all of YAML's guesses."""
    errors = VALIDATOR.iter_errors(yaml.safe_load(text))
    return sorted({".".join(map(str, error.absolute_path)) for error in errors})


def test_it_is_a_json_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(JSON_SCHEMA)
    assert JSON_SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    text = json.dumps(JSON_SCHEMA)
    used = set(re.findall(r'"\$ref": "#/\$defs/(\w+)"', text))
    assert used == set(JSON_SCHEMA["$defs"])


@pytest.mark.parametrize("entry", NAMED, ids=_dotted)
def test_it_knows_every_field(entry: Field) -> None:
    node: Any = JSON_SCHEMA
    for key in entry.path:
        # A list of mappings may be a single one.
        node = node["properties"] if "properties" in node else node["anyOf"][1]["properties"]
        node = node[key]
    assert node["title"] == entry.name
    assert node["description"].startswith(entry.description)


@pytest.mark.parametrize("scheme", CONCEPT_SCHEMES)
def test_it_completes_the_names_of_concepts(scheme: str) -> None:
    assert JSON_SCHEMA["$defs"][scheme]["anyOf"][0]["enum"] == concept_names(scheme)


@pytest.mark.parametrize(
    "entry", [one for one in NAMED if one.node is None and not one.structures], ids=_dotted
)
def test_it_accepts_the_examples(entry: Field) -> None:
    for example in entry.examples:
        from primad_ld import dump_header

        assert found(dump_header(header_with(entry.path, example))) == []


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "{}",
        "tag:",
        "tag: 2026",  # a text that looks like a number
        "actor: {name: Ada}",
        "actor: [{name: Ada}, {name: Ben}]",
        "method: {retrieval: {name: bm25, k1: 0.9, anything: [else]}}",
        "method: {automatic: yes, retrieval: [{lexical: 'no'}]}",
        "implementation: {source: {is repo: 1}}",  # tirex-tracker writes truth values so
        "implementation: {executable: {cmd: [a, b]}, source: {lang: Python}}",
        "platform: {software: {libraries: [a]}}",
        "platform: {software: {libraries: {python: [a], java: b}}}",
        "platform: {software: {libraries: a}, hardware: {gpu: null}}",
        "research goal: {venue: {year: '2020'}, evaluation: {reported measures: [joy]}}",
        "resources: {runtime: {start time: 2026-11-18T07:08:24Z, wallclock: 80 ms}}",
        "unknown: {key: [1, 2]}",
    ],
    ids=lambda text: text[:50],
)
def test_it_accepts(text: str) -> None:
    if "T07" in text:
        text = text.replace("2026-11-18T07:08:24Z", "'2026-11-18T07:08:24Z'")
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("platform: {hardware: {cpu: {number of cores: many}}}", "platform.hardware.cpu.number of cores"),
        ("platform: {hardware: {cpu: {number of cores: 1.5}}}", "platform.hardware.cpu.number of cores"),
        ("platform: [a, b]", "platform"),
        ("platform: a big machine", "platform"),
        ("method: {automatic: perhaps}", "method.automatic"),
        ("method: {retrieval: [{weight: heavy}]}", "method.retrieval"),
        ("research goal: {venue: {year: '19'}}", "research goal.venue.year"),
        ("research goal: {venue: {year: 19}}", "research goal.venue.year"),
        ("tag: [a]", "tag"),
        ("tag: {a: b}", "tag"),
        ("data: {test collection: [{name: x}]}", "data.test collection"),
        ("implementation: {executable: {cmd: {a: b}}}", "implementation.executable.cmd"),
        ("[]", ""),
    ],
)  # fmt: skip
def test_it_refuses(text: str, path: str) -> None:
    assert found(text) == [path]
