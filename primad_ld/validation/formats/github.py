"""Findings as annotations of GitHub Actions, written as commands to the workflow.

GitHub shows the first ten errors, warnings and notices of each step; the log holds all of them.
They come in the order of the files, since the gravest are known only at the end.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import PurePath
from typing import Final, TextIO

from primad_ld.core.errors import HeaderError, printable
from primad_ld.validation.findings import FileReport
from primad_ld.validation.formats.writing import Totals, in_total, sentence

_COMMANDS: Final = {"violation": "error", "warning": "warning", "info": "notice"}
_UNREADABLE: Final = "unreadable"


class GithubWriter:
    """Writes ``::error file=…,line=…,col=…,title=…::message``, and the totals below them."""

    def __init__(self, stream: TextIO, *, show_hints: bool = False) -> None:
        self._stream = stream
        self._show_hints = show_hints

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""
        for finding in report.findings:
            remark = finding.remark
            if self._show_hints or remark.severity != "info":
                self._command(
                    _COMMANDS[remark.severity],
                    {
                        "file": _path(finding.file),
                        "line": finding.line,
                        "col": finding.column,
                        "title": remark.code,
                    },
                    sentence(remark.field, remark.message, remark.hint),
                )

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read."""
        self._command(
            "error",
            {
                "file": _path(str(error.file or "")),
                "line": error.line,
                "col": error.column,
                "title": _UNREADABLE,
            },
            sentence(error.field, error.why, error.hint),
        )

    def close(self, totals: Totals) -> None:
        """Write the totals."""
        self._stream.write(f"{in_total(totals)}\n")

    def _command(self, name: str, properties: dict[str, str | int | None], message: str) -> None:
        given = ",".join(f"{key}={_property(str(it))}" for key, it in properties.items() if it)
        self._stream.write(f"::{name} {given}::{_message(message)}\n")


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
