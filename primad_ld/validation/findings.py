"""Findings: what is wrong in a header, where, how bad, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError
from primad_ld.core.iris import SH

#: The severities of SHACL as findings name them, the gravest first.
SEVERITIES: Final = ("violation", "warning", "info")
_OF_SHACL: Final = {SH + "Violation": "violation", SH + "Warning": "warning", SH + "Info": "info"}


def severity_of(iri: str) -> str:
    """A severity of SHACL in a word; one of somebody's own is a violation, as SHACL has it."""
    return _OF_SHACL.get(iri, "violation")


def rank(severity: str) -> int:
    """How grave a severity is; 0 is the gravest."""
    return SEVERITIES.index(severity)


class Remark(NamedTuple):
    """What is to be said about a field, wherever the field stands."""

    severity: str
    #: The field as people write it: ``method.retrieval[2].reranks``; "" is the header itself.
    field: str
    #: The name of the shape, which stays the same in every language.
    code: str
    message: str
    hint: str
    #: What a missing field weighs; 0 for anything else.
    missing: float = 0
    #: The value must not be shown: it is a password or a token.
    is_secret: bool = False


class Finding(NamedTuple):
    """A remark at its place; line and column count from 1."""

    file: str
    line: int | None
    column: int | None
    remark: Remark


@dataclass(frozen=True, kw_only=True, slots=True)
class FileReport:
    """What was found in one file."""

    file: str
    findings: tuple[Finding, ...] = ()
    #: What was found in a header that stands above other runs, too, and was reported with them.
    known: tuple[Finding, ...] = ()
    #: How many percent of what matters for repeating the run its header says.
    completeness: int = 0
    #: Why the file could not be read, if it could not; then nothing else is known of it.
    problem: HeaderError | None = None

    @property
    def conforms(self) -> bool:
        """Whether it was read and nothing is wrong, whatever may be missing."""
        return self.gravest != 0

    @property
    def gravest(self) -> int:
        """The rank of the gravest finding; more than any rank where there is none."""
        if self.problem is not None:
            return 0
        return min(
            (rank(one.remark.severity) for one in self.all_findings), default=len(SEVERITIES)
        )

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """All findings of the run, those of a header above other runs included."""
        return (*self.findings, *self.known)

    def count(self, severity: str) -> int:
        """How many findings of a severity the run has."""
        return sum(1 for finding in self.all_findings if finding.remark.severity == severity)

    @property
    def missing_most(self) -> list[str]:
        """The missing fields that weigh most, the heaviest first."""
        missing = {
            finding.remark.field: finding.remark.missing
            for finding in self.all_findings
            if finding.remark.missing
        }
        return sorted(missing, key=lambda field: (-missing[field], field))


def errors_only(report: FileReport) -> FileReport:
    """A report without what is only doubtful, or nice to have."""

    def only(findings: Iterable[Finding]) -> tuple[Finding, ...]:
        return tuple([one for one in findings if one.remark.severity == "violation"])

    return replace(report, findings=only(report.findings), known=only(report.known))


def with_completeness(report: FileReport, least: int) -> FileReport:
    """A report with one finding more if the header says less than what is asked."""
    if report.completeness >= least:
        return report
    remark = Remark(
        severity="violation",
        field="",
        code="completeness",
        message=f"says {report.completeness} % of what matters, and {least} % are asked",
        hint=f"begin with {', '.join(report.missing_most[:3])}" if report.missing_most else "",
    )
    finding = Finding(report.file, None, None, remark)
    return replace(report, findings=(*report.findings, finding))


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings as one reads a file; those of another file come last."""
    return tuple(sorted(findings, key=_place))


def _place(finding: Finding) -> tuple[object, ...]:
    remark = finding.remark
    return (
        finding.line or 0,
        rank(remark.severity),
        finding.column or 0,
        remark.field,
        remark.code,
        remark.message,
    )
