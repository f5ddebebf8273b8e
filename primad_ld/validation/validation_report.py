"""Reports of a validation: what was found in each file, for people and for programs.

Archives have 100,000 files: what was found waits in a temporary file, and is written from there as
rows, as text with the lines that it is about, as SARIF or as annotations of GitHub.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from primad_ld.core.errors import ConvertError, HeaderError, PrimadError
from primad_ld.core.library_arguments import AnyPaths
from primad_ld.core.spooled import Spooled
from primad_ld.header.skipped_files import Skipped, summary
from primad_ld.rdf.bulk import Progress
from primad_ld.shacl.judge import ShapeResult
from primad_ld.tables.answers import Answer, Column, Row, Streamed, Table, problem_record
from primad_ld.tables.layout import Layout
from primad_ld.validation.findings_at_lines import (
    SEVERITIES,
    FileReport,
    Finding,
    Remark,
    errors_only,
    rank,
    unreadable,
)
from primad_ld.validation.folders import Outcome, ValidationOptions, reports_on_files
from primad_ld.validation.formats import in_total
from primad_ld.validation.formats.github import github
from primad_ld.validation.formats.sarif import sarif
from primad_ld.validation.formats.text_report import text_report
from primad_ld.validation.formats.turtle import turtle
from primad_ld.validation.profiles import Profile, load_profile

if TYPE_CHECKING:
    from primad_ld.archive.engine import Engine

#: A remark on so many files is shown to people once, with their number.
MANY_FILES: Final = 3
#: Of more remarks than these, it is not known which are those of many files.
_MOST_REMARKS: Final = 20_000
#: Forms that have the files in them that could not be read.
_WITH_UNREADABLE: Final = frozenset({"table", "sarif", "github"})

_FINDING: Final = (
    Column(key="file", title="file"),
    Column(key="line", title="line"),
    Column(key="column", title="column", wide=True),
    Column(key="severity", title="severity"),
    Column(key="field", title="field"),
    Column(key="code", title="code", wide=True),
    Column(key="message", title="message"),
    Column(key="hint", title="what to do"),
)
_FILE: Final = (
    Column(key="file", title="file"),
    Column(key="errors", title="errors"),
    Column(key="warnings", title="warnings"),
    Column(key="hints", title="hints"),
    Column(key="completeness", title="completeness (%)"),
)


def validate(
    paths: AnyPaths,
    options: ValidationOptions | None = None,
    progress: Progress | None = None,
) -> ValidationReport:
    """What is wrong or missing in all runs and headers that files and folders hold."""
    options, outcome = options or ValidationOptions(), Outcome()
    return collected(reports_on_files(paths, options, outcome, progress), outcome, options)


def validate_archive(
    engine: Engine, options: ValidationOptions | None = None, progress: Progress | None = None
) -> ValidationReport:
    """What is wrong or missing in the runs of an archive, in the order of their IRIs.

    A run is called by its tag and its IRI; there are no lines.
    """
    from primad_ld.validation.archived_runs import reports_on_runs

    options, outcome = options or ValidationOptions(), Outcome()
    return collected(reports_on_runs(engine, options, outcome, progress), outcome, options)


@dataclass(kw_only=True, slots=True)
class Totals:
    """What was found in all files together."""

    files: int = 0
    #: Files without errors.
    conforming: int = 0
    #: What is wrong in a header above several runs counts in each of them.
    by_severity: Counter[str] = field(default_factory=Counter)
    #: What is wrong in a header above several runs is one finding.
    findings: int = 0
    _completeness: int = field(default=0, init=False)

    def add(self, report: FileReport) -> None:
        """Count what was found in one more file."""
        self.files += 1
        self.conforming += report.conforms
        self.by_severity.update(finding.remark.severity for finding in report.all_findings)
        self.findings += len(report.findings)
        self._completeness += report.completeness

    @property
    def completeness(self) -> int:
        """The mean completeness of the files in percent."""
        return round(self._completeness / self.files) if self.files else 0


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ValidationReport(Answer):
    """The reports on files, one after the other, and what they come to.

    >>> import primad_ld as pl
    >>> report = pl.validate("runs/shed-bm25.txt")
    >>> report.exit_code, [file.conforms for file in report]
    (0, [True])
    """

    profile: Profile
    options: ValidationOptions
    #: In their order, with the errors of those that could not be read.
    entries: Spooled[FileReport | HeaderError]
    totals: Totals
    #: Doubts and hints that many files share, each with the number of these files.
    shared: Mapping[Remark, int]
    #: What was found in folders and not read.
    skipped: tuple[Skipped, ...] = ()
    #: What SHACL found, where that was wanted.
    results: tuple[ShapeResult, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[PrimadError, ...] = ()
    #: Why not all files were judged, if an error ended it.
    ended: PrimadError | None = None

    own_forms: ClassVar = {"sarif": sarif, "github": github, "ttl": turtle}

    def __iter__(self) -> Iterator[FileReport]:
        """The reports on all files, also on those that could not be read."""
        return (entry for entry in self.entries if isinstance(entry, FileReport))

    def findings_to_end(self) -> Iterator[Finding]:
        """All findings; a file that could not be read is one, and so is what ended it."""
        for entry in self.entries:
            yield from [unreadable(entry)] if isinstance(entry, HeaderError) else entry.findings
        if self.ended is not None:
            yield unreadable(HeaderError(str(self.ended)))

    def judged(self) -> Iterator[FileReport]:
        """The reports on files that could be read."""
        return (report for report in self if report.problem is None)

    def table(self) -> Table:
        """A row for each finding."""
        rows = Streamed(self._finding_rows, self.totals.findings)
        return Table(name="findings", columns=_FINDING, rows=rows)

    def _finding_rows(self) -> Iterator[Row]:
        return (_finding_row(finding) for report in self.judged() for finding in report.findings)

    def record(self) -> dict[str, object]:
        """The files, then the findings; and what was not read."""
        skipped = [{"file": path, "reason": reason} for path, reason in self.skipped]
        return {
            "files": Streamed(self._file_rows, self.totals.files),
            **Answer.record(self),
            "skipped": skipped,
        }

    def _file_rows(self) -> Iterator[Row]:
        for report in self.judged():
            yield {
                "file": report.file,
                "conforms": report.conforms,
                "completeness": report.completeness,
                **{f"{severity}s": report.count(severity) for severity in SEVERITIES},
            }

    @property
    def has_hints(self) -> bool:
        """Whether people are shown hints: if they asked for them, or fail by them."""
        return self.options.hints or self.options.fail_on == "hint"

    def listed(self) -> Iterator[Listed | HeaderError]:
        """What people are shown of each file: remarks on many files with the first of them."""
        known: set[Remark] = set()
        for entry in self.entries:
            if isinstance(entry, HeaderError):
                yield entry
                continue
            report = errors_only(entry) if self.options.errors_only else entry
            if report.problem is None and (report.all_findings or not self.options.errors_only):
                findings = [
                    finding
                    for finding in report.findings
                    if finding.remark not in known
                    and (self.has_hints or finding.remark.severity != "hint")
                ]
                yield Listed(report, findings)
                known.update(one.remark for one in findings if one.remark in self.shared)

    def prose(self, layout: Layout) -> Iterable[str]:
        """The findings as compilers print them, each with its line."""
        return text_report(self, styled=layout.styled)

    def shown(self) -> list[Table]:
        """Findings, files, and what could not be read."""
        files_column = Column(key="files", title="files", digits=0)
        findings = [
            {**_finding_row(finding), "files": self.shared.get(finding.remark)}
            for entry in self.listed()
            if isinstance(entry, Listed)
            for finding in entry.findings
        ]
        problems = [problem_record(problem) for problem in self.problems]
        tables = [
            Table(name="findings", columns=[*_FINDING, files_column], rows=findings),
            Table(name="files", columns=_FILE, rows=list(self._file_rows())),
            Table(name="problems", title="Could not be read:", columns=_FINDING, rows=problems),
        ]
        return [table for table in tables if table.rows] or tables[:1]

    def verdict(self) -> str:
        """How much was found in all files."""
        return in_total(self)

    def untold(self, format: str, layout: Layout) -> Sequence[PrimadError]:
        """What ended it; of files that could not be read, reports tell among the others."""
        if format not in _WITH_UNREADABLE or layout.columns:
            return self.problems
        return [self.ended] if self.ended is not None else []

    @property
    def exit_code(self) -> int:
        """2 if something could not be read, 1 if something is as grave as the options say."""
        if self.problems:
            return 2
        failing = SEVERITIES[: rank(self.options.fail_on) + 1]
        return int(any(self.totals.by_severity[severity] for severity in failing))


class Listed(NamedTuple):
    """A report, and those of its findings that are shown one by one."""

    report: FileReport
    findings: Sequence[Finding]


def _finding_row(finding: Finding) -> dict[str, object]:
    return {**finding._asdict(), **finding.remark._asdict()}


def collected(
    reports: Iterable[FileReport], outcome: Outcome, options: ValidationOptions
) -> ValidationReport:
    """All reports, once they are there; or those so far, with the error that ended it."""
    profile = load_profile(*options.profiles)
    entries: Spooled[FileReport | HeaderError] = Spooled()
    totals, ended = Totals(), None
    files_with: Counter[Remark] = Counter()
    told = 0
    try:
        for report in reports:
            for problem in outcome.problems[told:]:
                entries.add(problem)
            told = len(outcome.problems)
            entries.add(report)
            if report.problem is None:
                totals.add(report)
                _count_remarks(report, files_with)
    except PrimadError as error:
        if isinstance(error, ConvertError) and not entries:
            raise  # there is nothing to report on
        ended = error
    for problem in outcome.problems[told:]:
        entries.add(problem)
    shared = {remark: count for remark, count in files_with.items() if count >= MANY_FILES}
    return ValidationReport(
        profile=profile,
        options=options,
        entries=entries,
        totals=totals,
        shared=shared if not options.verbose else {},
        skipped=tuple(outcome.skipped),
        results=tuple(outcome.results),
        notes=(*outcome.notes, *summary(outcome.skipped, verbose=options.verbose)),
        problems=(*outcome.problems, *([ended] if ended is not None else [])),
        ended=ended,
    )


def _count_remarks(report: FileReport, files_with: Counter[Remark]) -> None:
    """Count the file for each of its doubts and hints."""
    for remark in {finding.remark for finding in report.findings}:
        is_known = remark in files_with or len(files_with) < _MOST_REMARKS
        if remark.severity != "error" and is_known:
            files_with[remark] += 1
