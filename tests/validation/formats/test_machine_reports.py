"""Findings as JSON, by the schema that documents it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from support import ROOT
from support.reports import HOSTILE, finding, hostile_problems, hostile_reports, report, written

from primad_ld.core.errors import HeaderError
from primad_ld.validation.findings import FileReport

SCHEMA = json.loads((ROOT / "docs/findings.schema.json").read_text(encoding="utf-8"))


def _read(*reports: FileReport | HeaderError) -> Any:
    value = json.loads(written("json", *reports))
    jsonschema.Draft202012Validator(SCHEMA).validate(value)
    return value


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_documented_shape() -> None:
    hint = finding(
        line=None,
        column=None,
        severity="info",
        field="",
        code="missing-tag",
        message="not given",
        hint="",
    )
    assert written("json", report(finding(), hint), report(file="b.txt", completeness=100)) == (
        "{\n"
        '"files": [\n'
        '{"file": "run.txt", "conforms": false, "completeness": 71, "violations": 1, '
        '"warnings": 0, "infos": 1},\n'
        '{"file": "b.txt", "conforms": true, "completeness": 100, "violations": 0, '
        '"warnings": 0, "infos": 0}\n'
        "],\n"
        '"findings": [\n'
        '{"file": "run.txt", "line": 17, "column": 10, "severity": "violation", '
        '"field": "actor.orcid", "code": "orcid", "message": "\\"0000-0002-0661-718\\" is not an '
        'ORCID (16 digits with a valid check digit)", "hint": "look it up at orcid.org, or leave '
        'the field out"},\n'
        '{"file": "run.txt", "line": null, "column": null, "severity": "info", "field": "", '
        '"code": "missing-tag", "message": "not given", "hint": ""}\n'
        "]\n"
        "}\n"
    )


def test_problems_only_if_there_are_any() -> None:
    assert _read() == {"files": [], "findings": []}
    problem = HeaderError("a tab", file="c.txt", line=3, column=2, field="tag", hint="write spaces")
    assert _read(report(), problem, HeaderError("it is gone"))["problems"] == [
        {
            "file": "c.txt",
            "line": 3,
            "column": 2,
            "field": "tag",
            "message": "a tab",
            "hint": "write spaces",
        },
        {
            "file": "",
            "line": None,
            "column": None,
            "field": "",
            "message": "it is gone",
            "hint": "",
        },
    ]


def test_texts_come_back_as_they_were() -> None:
    value = _read(*hostile_reports(), *hostile_problems())
    whole = [
        "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text) for text in HOSTILE
    ]
    assert [one["file"] for one in value["files"][::3]] == whole
    for name in ("file", "field", "message", "hint"):
        assert [one[name] for one in value["findings"][::3]] == whole
        assert [one[name] for one in value["problems"]] == whole


def test_one_finding_in_each_line() -> None:
    reports = hostile_reports()
    lines = written("json", *reports).splitlines()
    assert len(lines) == 2 * len(reports) + 6
    assert all(json.loads(line.removesuffix(",")) for line in lines if line.startswith('{"'))


@pytest.mark.parametrize("count", [1, 1_000])
def test_many_findings_wait_in_a_file(count: int) -> None:
    value = _read(*(report(*[finding()] * 10, file=f"{number}") for number in range(count)))
    assert len(value["findings"]) == 10 * count
