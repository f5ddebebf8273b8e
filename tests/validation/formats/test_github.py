"""Findings as commands to a workflow of GitHub."""

from __future__ import annotations

import re

from support.reports import finding, hostile_problems, hostile_reports, report, written

from primad_ld.core.errors import HeaderError

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
        "1 file: 1 error, 1 warning · 0 without errors · "
        "headers are 71 % complete on average\n"
    )


def test_hints_are_notices_if_asked() -> None:
    one = report(finding(severity="hint"))
    assert written("github", one) == (
        "1 file: no errors, 1 hint · 1 without errors · headers are 71 % complete on average\n"
    )
    assert written("github", one, hints=True).startswith("::notice file=run.txt,line=17,")


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
    lines = written("github", *reports, *problems, hints=True).splitlines()
    assert len(lines) == len(reports) + len(problems) + 1
    for line in lines[:-1]:
        _, properties, _ = _parsed(line)
        assert properties.keys() <= {"file", "line", "col", "title"}
        assert properties["title"] in ("orcid", "doi", "mail", "unreadable")
