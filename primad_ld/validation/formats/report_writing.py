"""What the reports share: their interface, totals, words, and text that is safe to print.

JSON is written item by item, so that nothing has to be kept for the end.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import IO, Final, Protocol

from primad_ld.core.errors import HeaderError
from primad_ld.header.skipped_files import Skipped
from primad_ld.validation.findings_at_lines import SEVERITIES, FileReport

#: What people call the severities of SHACL.
WORDS: Final = {"violation": "error", "warning": "warning", "info": "hint"}


@dataclass(kw_only=True, slots=True)
class Totals:
    """What was found in all files together."""

    files: int = 0
    #: Files without violations.
    conforming: int = 0
    violations: int = 0
    warnings: int = 0
    infos: int = 0
    #: Files that could not be read; they are not among ``files``.
    problems: int = 0
    #: What was found in folders and not read.
    skipped: list[Skipped] = field(default_factory=list)
    _completeness: int = field(default=0, init=False)

    def add(self, report: FileReport) -> None:
        """Count what was found in one more file."""
        violations, warnings, infos = map(report.count, SEVERITIES)
        self.files += 1
        self.conforming += report.conforms
        self.violations += violations
        self.warnings += warnings
        self.infos += infos
        self._completeness += report.completeness

    def add_problem(self) -> None:
        """Count one more file that could not be read."""
        self.problems += 1

    @property
    def completeness(self) -> int:
        """The mean completeness of the files in percent."""
        return round(self._completeness / self.files) if self.files else 0


class ReportWriter(Protocol):
    """Writes a report while files are judged; what was written is complete once it is closed."""

    def add(self, report: FileReport) -> None:
        """Report what was found in a file."""

    def problem(self, error: HeaderError) -> None:
        """Report a file that could not be read."""

    def close(self, totals: Totals) -> None:
        """Write what comes last. The stream stays open."""


# Words ------------------------------------------------------------------------------------


def sentence(field: str, message: str, hint: str = "") -> str:
    """What is to be said about a field, as one sentence."""
    return (f"{field}: " if field else "") + message + (f"; {hint}" if hint else "")


def in_total(totals: Totals) -> str:
    """What was found in all files, in one line."""
    parts = []
    if totals.files:
        parts.append(
            f"{_counted(totals.files, 'file')}: "
            f"{found(totals.violations, totals.warnings, totals.infos)}"
        )
        parts.append(f"{totals.conforming:,} without errors")
        parts.append(
            f"the headers say {totals.completeness} % of what a repetition needs, on average"
        )
    if totals.problems or not totals.files:
        parts.append(f"{_counted(totals.problems, 'file')} could not be read")
    return " · ".join(parts)


def found(violations: int, warnings: int, infos: int) -> str:
    """How much was found: ``1 error, 6 hints``, ``no errors, 2 warnings``."""
    numbers = zip((violations, warnings, infos), SEVERITIES, strict=True)
    counts = [_counted(number, WORDS[severity]) for number, severity in numbers if number]
    return ", ".join(counts if violations else ["no errors", *counts])


def _counted(number: int, noun: str) -> str:
    """A number of things: ``1 file``, ``2,000 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


# JSON -------------------------------------------------------------------------------------


class JsonRows:
    """A JSON array with one item in each line, so that two of them can be compared by line."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._is_empty = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._is_empty

    def add(self, item: object) -> None:
        """Write one more item."""
        self._stream.write(f"{'[' if self._is_empty else ','}\n{as_line(item)}")
        self._is_empty = False

    def end(self) -> None:
        """Write the end of the array."""
        self._stream.write("[]" if self._is_empty else "\n]")


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"


def as_line(value: object) -> str:
    """JSON in one line. What could steer a terminal is escaped, and half characters replaced."""
    text = _ENCODER.encode(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    # File names may hold bytes that are no UTF-8; Python shows them as halves of characters.
    return _REPLACEMENT if "\ud800" <= char <= "\udfff" else json.dumps(char)[1:-1]
