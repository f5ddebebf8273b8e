"""Findings and problems for the tests of reports, hostile ones among them."""

from __future__ import annotations

import io

from primad_ld.core.errors import HeaderError
from primad_ld.validation.findings_at_lines import FileReport, Finding, Remark
from primad_ld.validation.formats import Totals, writer
from primad_ld.validation.profiles import load_profile

#: Names, messages and fields as somebody might write them who means no good, or is just careless.
HOSTILE = [
    "two\nlines\r\nand\rmore",
    "\x1b[31mred\x1b[0m \x9b2J\x07",
    "\x1b]0;title\x07",
    "::error file=a.py,line=1::taken over",
    "a::b,c=d%0A::set-output name=x::y",
    "100 %25 %0D%0A",
    "naïve 検索 🔎 \N{RIGHT-TO-LEFT OVERRIDE}txt.exe",
    "\"quoted\" 'twice' \\ back\\slash </script>",
    "[click](https://evil.example) {0} {{x}} `code`",
    "line\u2028separator\u2029and\x85next\x0bpage\x0c",
    "byte \udcff of no UTF-8, half a character \ud83d",
    "x" * 20_000,
    " ",
    "nul\0",
]


def finding(
    file: str = "run.txt",
    line: int | None = 17,
    column: int | None = 10,
    *,
    severity: str = "violation",
    field: str = "actor.orcid",
    code: str = "orcid",
    message: str = '"0000-0002-0661-718" is not an ORCID (16 digits with a valid check digit)',
    hint: str = "look it up at orcid.org, or leave the field out",
    missing: float = 0,
    is_secret: bool = False,
) -> Finding:
    remark = Remark(severity, field, code, message, hint, missing, is_secret)
    return Finding(file, line, column, remark)


def report(*findings: Finding, file: str = "run.txt", completeness: int = 71) -> FileReport:
    return FileReport(file=file, findings=findings, completeness=completeness)


def written(
    format: str,
    *reports: FileReport | HeaderError,
    show_hints: bool = False,
    colour: bool = False,
    profile: str = "",
) -> str:
    """What a format makes of some files."""
    stream, totals = io.StringIO(), Totals()
    out = writer(
        format,
        stream,
        show_hints=show_hints,
        colour=colour,
        profile=load_profile(profile) if profile else None,
    )
    for one in reports:
        if isinstance(one, HeaderError):
            out.problem(one)
            totals.add_problem()
        else:
            out.add(one)
            totals.add(one)
    out.close(totals)
    return stream.getvalue()


def hostile_reports() -> list[FileReport]:
    return [
        report(
            finding(text, field=text, message=text, hint=text, code=code, severity=severity),
            file=text,
        )
        for text in HOSTILE
        for code, severity in (("orcid", "violation"), ("doi", "warning"), ("mail", "info"))
    ]


def hostile_problems() -> list[HeaderError]:
    return [HeaderError(text, file=text, line=3, field=text, hint=text) for text in HOSTILE]
