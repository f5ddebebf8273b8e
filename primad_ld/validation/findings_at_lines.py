"""Findings: what is wrong in a header, how bad, what to do about it, and at which line it stands.

A `Finder` knows where the fields of one header stand, line and column, whichever file says them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from primad_ld.core.errors import HeaderError, PrimadError
from primad_ld.core.iris import SH
from primad_ld.core.library_arguments import to_text
from primad_ld.core.one_line import OneLine
from primad_ld.core.yamltext import Mapping, RawPlace, Value
from primad_ld.core.yamltext import Sequence as Items
from primad_ld.rdf.key_lifting import Part

#: The severities of findings, the gravest first.
SEVERITIES: Final = ("error", "warning", "hint")
_OF_SHACL: Final = {"Violation": "error", "Warning": "warning", "Info": "hint"}


def severity_of(iri: str) -> str:
    """A severity of SHACL as findings name it; any other counts as an error, as SHACL has it."""
    return _OF_SHACL.get(iri.removeprefix(SH), "error")


def to_severity(given: str, what: str) -> str:
    """A severity by its name, or by the one that SHACL has for it."""
    name = to_text(given, what)
    severity = _OF_SHACL.get(name.capitalize(), name.lower())
    if severity not in SEVERITIES:
        raise PrimadError(f"{what}: unknown severity {name!r}; choose from {', '.join(SEVERITIES)}")
    return severity


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


#: The code of a file that could not be read.
UNREADABLE: Final = "unreadable"


def unreadable(error: HeaderError) -> Finding:
    """Why a file could not be read, as a finding at its place."""
    remark = Remark("error", error.field, UNREADABLE, error.why, error.hint)
    return Finding(str(error.file or ""), error.line, error.column, remark)


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class FileReport(OneLine):
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
        return tuple([one for one in findings if one.remark.severity == "error"])

    return replace(report, findings=only(report.findings), known=only(report.known))


def with_completeness(report: FileReport, least: int) -> FileReport:
    """A report with one finding more if the header says less than what is asked."""
    if report.completeness >= least:
        return report
    remark = Remark(
        severity="error",
        field="",
        code="completeness",
        message=f"header is {report.completeness} % complete; {least} % required",
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


# Places -----------------------------------------------------------------------------------

#: A place in a header: keys, and positions in lists from 0.
Keys = tuple["str | int", ...]


def dotted(keys: Keys) -> str:
    """A place as people write it; positions count from 1."""
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += f"[{key + 1}]"
        else:
            text += f".{key}" if text else key
    return text


class Located(NamedTuple):
    """One top-level key of a header, and where its block begins."""

    part: Part
    #: Where the key stands.
    place: RawPlace | None
    #: Lines and columns before the block, where places count from its beginning.
    lines_before: int = 0
    columns_before: int = 0
    #: The file that says it, where that is not the run itself.
    file: str | None = None


class Finder:
    """Where the fields of one header stand."""

    def __init__(self, file: str, located: Sequence[Located]) -> None:
        self.file = file
        self._located = {one.part.key: one for one in located}
        places = [self._placed(one, one.place) for one in located if one.place is not None]
        home = self._near(located[0].file) if located and located[0].file else None
        own = [place for place in places if place.file == (home or file)]
        nothing = Position(file, None, None)
        self._top = min(
            own or places, default=nothing, key=lambda place: (place.line or 0, place.column or 0)
        )

    def finding(self, keys: Keys, remark: Remark) -> Finding:
        """A remark at its place."""
        place = self.place(keys)
        return Finding(place.file, place.line, place.column, remark)

    def place(self, keys: Keys) -> Position:
        """Where a key or item stands, or the nearest thing above it that is there."""
        one = self._located.get(str(keys[0])) if keys else None
        if one is None:
            return self._top
        value: Value = one.part.value
        place = one.place
        if place is None:
            return self._top
        other = place[2] if len(place) == 3 else None
        for key in keys[1:]:
            if isinstance(value, Mapping) and isinstance(key, str):
                # A key with nothing behind it has a place and no value.
                place = value.places.get(key, place)
                if key not in value:
                    break
                value = value[key]
            elif isinstance(value, Items) and isinstance(key, int) and key < len(value):
                place = value.places[key] if key < len(value.places) else place
                value = value[key]
            else:
                break
            # What another file added is all from that file, unless a third one completed it.
            other = place[2] if len(place) == 3 else other
        return self._placed(one, place, other)

    def _placed(self, one: Located, place: RawPlace, other: str | None = None) -> Position:
        other = place[2] if len(place) == 3 else other
        line, column = place[0] + one.lines_before, place[1] + one.columns_before
        return Position(self._near(other or one.file or self.file), line, column)

    def _near(self, file: str) -> str:
        """A header above the run as the run is named: relative where that is."""
        if os.path.isabs(file) and not os.path.isabs(self.file):
            return os.path.relpath(file)
        return file


class Position(NamedTuple):
    """A place in a file, as far as it is known."""

    file: str
    line: int | None
    column: int | None
