"""Findings as SHACL has them: a ``sh:ValidationReport`` in Turtle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from primad_ld.core.errors import OutputError
from primad_ld.shacl.report import report_turtle
from primad_ld.validation.messages import message_of, without_secrets

if TYPE_CHECKING:
    from primad_ld.validation.validation_report import ValidationReport


def turtle(report: ValidationReport) -> Iterator[str]:
    """The results of all files; `OutputError` if the options did not ask to keep them."""
    if not report.options.with_results:
        raise OutputError("the results of SHACL were not kept; use with_results=True")
    profile = report.profile
    message = message_of(profile, report.options.language)
    yield report_turtle(without_secrets(report.results, profile), profile.shapes, message)
