"""Findings as JSON, by the schema that documents it, and as commands to a workflow of GitHub."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from support import ROOT
from support.reports import HOSTILE, finding, hostile_problems, hostile_reports, report, written

from primad_ld.core.errors import HeaderError
from primad_ld.validation.findings_at_lines import FileReport

# JSON -------------------------------------------------------------------------------------

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


# GitHub -----------------------------------------------------------------------------------

# How GitHub's runner takes a line apart: the command, its properties, and the message.
_COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^:,]*,)*\w+=[^:,]*)::(.*)")


def _unescaped(text: str) -> str:
    for code, char in (("%0A", "\n"), ("%0D", "\r"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, char)
    return text


def _parsed(line: str) -> tuple[str, dict[str, str], str]:
    match = _COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = (pair.split("=", 1) for pair in match[2].split(","))
    return match[1], {key: _unescaped(value) for key, value in pairs}, _unescaped(match[3])


def test_commands_and_totals() -> None:
    one = report(finding("./runs/a.txt"), finding(line=None, column=None, severity="warning"))
    assert written("github", one) == (
        '::error file=runs/a.txt,line=17,col=10,title=orcid::actor.orcid: "0000-0002-0661-718" is '
        "not an ORCID (16 digits with a valid check digit); look it up at orcid.org, or leave the "
        "field out\n"
        '::warning file=run.txt,title=orcid::actor.orcid: "0000-0002-0661-718" is '
        "not an ORCID (16 digits with a valid check digit); look it up at orcid.org, or leave the "
        "field out\n"
        "1 file: 1 error, 1 warning · 0 without errors · the headers say 71 % of what a "
        "repetition needs, on average\n"
    )


def test_hints_are_notices_if_asked() -> None:
    one = report(finding(severity="info"))
    assert written("github", one) == (
        "1 file: no errors, 1 hint · 1 without errors · the headers say 71 % of what a "
        "repetition needs, on average\n"
    )
    assert written("github", one, show_hints=True).startswith("::notice file=run.txt,line=17,")


def test_a_file_that_cannot_be_read() -> None:
    problem = HeaderError(
        "a tab, no space", file="a,b:c.txt", line=3, field="tag", hint="write one"
    )
    assert written("github", problem) == (
        "::error file=a%2Cb%3Ac.txt,line=3,title=unreadable::tag: a tab, no space; write one\n"
        "1 file could not be read\n"
    )


def test_escaping() -> None:
    one = finding("50%.txt", field="", message="1\r\n2\n3\r4 % :: ,", hint="", code="a:b,c")
    line = written("github", report(one)).splitlines()[0]
    assert line == ("::error file=50%25.txt,line=17,col=10,title=a%3Ab%2Cc::1%0A2%0A3%0A4 %25 :: ,")
    assert _parsed(line) == (
        "error",
        {"file": "50%.txt", "line": "17", "col": "10", "title": "a:b,c"},
        "1\n2\n3\n4 % :: ,",
    )


def test_nobody_can_smuggle_in_a_command() -> None:
    reports, problems = hostile_reports(), hostile_problems()
    lines = written("github", *reports, *problems, show_hints=True).splitlines()
    assert len(lines) == len(reports) + len(problems) + 1
    for line in lines[:-1]:
        _, properties, _ = _parsed(line)
        assert properties.keys() <= {"file", "line", "col", "title"}
        assert properties["title"] in ("orcid", "doi", "mail", "unreadable")
