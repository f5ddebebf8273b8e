"""Findings as JSON: ``docs/findings.schema.json`` describes it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from typing import Final, TextIO

from primad_ld.core.errors import HeaderError
from primad_ld.validation.findings import FileReport
from primad_ld.validation.formats.rows import Rows
from primad_ld.validation.formats.writing import Totals

_KEPT_IN_MEMORY: Final = 1 << 20


class _Later:
    """Rows that are written behind others; many of them wait in a temporary file."""

    def __init__(self) -> None:
        # It is closed when it was copied, which is in another call.
        self._file = tempfile.SpooledTemporaryFile(  # noqa: SIM115
            _KEPT_IN_MEMORY, mode="w+", encoding="utf-8", newline=""
        )
        self.rows = Rows(self._file)
        # Whoever stops half-way closes nothing.
        self.close = weakref.finalize(self, self._file.close)

    def write_to(self, stream: TextIO) -> None:
        self.rows.end()
        self._file.seek(0)
        shutil.copyfileobj(self._file, stream)
        self.close()


class JsonWriter:
    """Writes one object with all files, all findings, and files that could not be read."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._stream.write('{\n"files": ')
        self._files = Rows(stream)
        self._findings = _Later()
        self._problems = _Later()

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""
        self._files.add(
            {
                "file": report.file,
                "conforms": report.conforms,
                "completeness": report.completeness,
                "violations": report.count("violation"),
                "warnings": report.count("warning"),
                "infos": report.count("info"),
            }
        )
        for finding in report.findings:
            remark = finding.remark
            self._findings.rows.add(
                {
                    "file": finding.file,
                    "line": finding.line,
                    "column": finding.column,
                    "severity": remark.severity,
                    "field": remark.field,
                    "code": remark.code,
                    "message": remark.message,
                    "hint": remark.hint,
                }
            )

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read."""
        self._problems.rows.add(
            {
                "file": str(error.file or ""),
                "line": error.line,
                "column": error.column,
                "field": error.field,
                "message": error.why,
                "hint": error.hint,
            }
        )

    def close(self, totals: Totals) -> None:
        """Write what waited; the rest of the totals are sums over the files."""
        self._files.end()
        self._stream.write(',\n"findings": ')
        self._findings.write_to(self._stream)
        if not self._problems.rows.is_empty:
            self._stream.write(',\n"problems": ')
            self._problems.write_to(self._stream)
        self._problems.close()
        if totals.skipped:
            self._stream.write(',\n"skipped": ')
            skipped = Rows(self._stream)
            for path, reason in totals.skipped:
                skipped.add({"file": path, "reason": reason})
            skipped.end()
        self._stream.write("\n}\n")
