"""Findings as commands to a workflow of GitHub, which shows them beside the lines.

GitHub shows the first ten errors, warnings and notices of each step; the log holds all of them.
They come in the order of the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import printable
from primad_ld.validation.findings_at_lines import Finding
from primad_ld.validation.formats import in_total, sentence

if TYPE_CHECKING:
    from primad_ld.validation.validation_report import ValidationReport

_COMMANDS: Final = {"error": "error", "warning": "warning", "hint": "notice"}


def github(report: ValidationReport) -> Iterator[str]:
    """``::error file=…,line=…,col=…,title=…::message`` for each finding, and the totals below."""
    for finding in report.findings_to_end():
        remark = finding.remark
        if report.has_hints or remark.severity != "hint":
            place = _place(finding)
            message = _message(sentence(remark.field, remark.message, remark.hint))
            yield f"::{_COMMANDS[remark.severity]} {place}::{message}\n"
    yield f"{in_total(report)}\n"


def _place(finding: Finding) -> str:
    properties = {
        "file": _path(finding.file),
        "line": finding.line,
        "col": finding.column,
        "title": finding.remark.code,
    }
    return ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value)


@lru_cache(maxsize=64)
def _path(file: str) -> str:
    """A path as GitHub knows it from the repository: without ``./``."""
    return PurePath(file).as_posix() if file else ""


def _message(text: str) -> str:
    """A message as GitHub wants it escaped; its line breaks stay."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "%0A".join(printable(line).replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    """The value of a property as GitHub wants it escaped."""
    return _message(text).replace(":", "%3A").replace(",", "%2C")
