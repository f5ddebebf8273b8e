"""Forms that only reports on validation have: text with lines, SARIF, GitHub's annotations, Turtle.

Here are the words that they share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad_ld.validation.findings_at_lines import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad_ld.validation.validation_report import ValidationReport


def sentence(field: str, message: str, hint: str = "") -> str:
    """What is to be said about a field, as one sentence."""
    return (f"{field}: " if field else "") + message + (f"; {hint}" if hint else "")


def in_total(report: ValidationReport) -> str:
    """What was found in all files, in one line."""
    totals, problems = report.totals, len(report.problems)
    parts = []
    if totals.files:
        parts.append(f"{counted(totals.files, 'file')}: {found(totals.by_severity)}")
        parts.append(f"{totals.conforming:,} without errors")
        parts.append(f"headers are {totals.completeness} % complete on average")
    if problems or not totals.files:
        parts.append(f"{counted(problems, 'file')} could not be read")
    return " · ".join(parts)


def found(by_severity: Mapping[str, int]) -> str:
    """How much was found: ``1 error, 6 hints``, ``no errors, 2 warnings``."""
    counts = [counted(by_severity[one], one) for one in SEVERITIES if by_severity[one]]
    return ", ".join(counts if by_severity["error"] else ["no errors", *counts])


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 file``, ``2,000 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
