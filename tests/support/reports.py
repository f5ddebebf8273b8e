"""Findings and problems for the tests of reports, hostile ones among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from primad_ld.core.errors import HeaderError
from primad_ld.tables.layout import Layout
from primad_ld.tables.writers import written as parts_of
from primad_ld.validation.findings_at_lines import FileReport, Finding, Remark
from primad_ld.validation.folders import Outcome, ValidationOptions
from primad_ld.validation.validation_report import ValidationReport, collected

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
    severity: str = "error",
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


def report_on(*entries: FileReport | HeaderError, **options: Any) -> ValidationReport:
    """The report on some files, of which some could not be read."""
    outcome = Outcome()

    def reports() -> Iterator[FileReport]:
        for entry in entries:
            if isinstance(entry, HeaderError):
                outcome.problems.append(entry)
                entry = FileReport(file=str(entry.file or ""), problem=entry)
            yield entry

    return collected(reports(), outcome, ValidationOptions(**options))


def written(
    format: str, *entries: FileReport | HeaderError, styled: bool = False, **options: Any
) -> str:
    """What a form makes of some files."""
    return "".join(parts_of(report_on(*entries, **options), format, Layout(styled=styled)))


def hostile_reports() -> list[FileReport]:
    return [
        report(
            finding(text, field=text, message=text, hint=text, code=code, severity=severity),
            file=text,
        )
        for text in HOSTILE
        for code, severity in (("orcid", "error"), ("doi", "warning"), ("mail", "hint"))
    ]


def hostile_problems() -> list[HeaderError]:
    return [HeaderError(text, file=text, line=3, field=text, hint=text) for text in HOSTILE]
