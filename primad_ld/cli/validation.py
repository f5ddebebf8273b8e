"""The commands about validation: validate, profiles."""

from __future__ import annotations

import contextlib
import enum
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    UNREADABLE,
    Force,
    Jobs,
    MaxHeader,
    Output,
    Quiet,
    Verbose,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
    say,
    say_error,
)
from primad_ld.cli.modes import check_effect, check_options

if TYPE_CHECKING:
    from primad_ld.core.errors import HeaderError
    from primad_ld.rdf.bulk import Progress
    from primad_ld.validation.findings_at_lines import FileReport
    from primad_ld.validation.folders import Outcome, ValidationOptions
    from primad_ld.validation.formats import ReportWriter


_VIOLATIONS = 1


class FindingsFormat(enum.StrEnum):
    """How findings are reported."""

    text = "text"
    json = "json"
    sarif = "sarif"
    github = "github"
    turtle = "turtle"


class FailOn(enum.StrEnum):
    """The least severity that makes the exit code 1."""

    violation = "violation"
    warning = "warning"
    info = "info"
    # As the text report calls them.
    error = "error"
    hint = "hint"

    @property
    def severity(self) -> str:
        """The severity as findings have it."""
        return {"error": "violation", "hint": "info"}.get(self.value, self.value)


class JudgingEngine(enum.StrEnum):
    """What judges."""

    fast = "fast"
    pyshacl = "pyshacl"


class ProfilesFormat(enum.StrEnum):
    """How profiles are listed."""

    table = "table"
    json = "json"


def validate(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Runs, headers and folders of them.", metavar="PATH…"),
    ] = None,
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive", "-a", metavar="ARCHIVE", help="Judge the runs of an archive instead."
        ),
    ] = None,
    profile: Annotated[
        list[str] | None,
        typer.Option(
            "--profile",
            "-p",
            metavar="NAME|FILE",
            help="What is asked: a name that `primad-ld profiles` lists, or a Turtle file; "
            "core if left out. May be given several times.",
        ),
    ] = None,
    format: Annotated[
        FindingsFormat, format_option(FindingsFormat, help="Form of the report.")
    ] = FindingsFormat.text,
    hints: Annotated[bool, typer.Option("--hints", help="Also show suggestions.")] = False,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")
    ] = FailOn.violation,
    min_completeness: Annotated[
        int,
        typer.Option(
            "--min-completeness",
            min=0,
            max=100,
            metavar="PERCENT",
            help="Exit with 1 if a header says less than this of what matters.",
        ),
    ] = 0,
    check: Annotated[
        str,
        typer.Option(
            "--check",
            metavar="WHAT",
            help="Also check files (that headers name) and ranking (each line), separated by commas.",
        ),
    ] = "",
    output: Output = None,
    force: Force = False,
    language: Annotated[
        str, typer.Option("--language", help="Language of the messages, where shapes have it.")
    ] = "en",
    engine: Annotated[
        JudgingEngine, typer.Option("--engine", help="fast, or pyshacl, which is the reference.")
    ] = JudgingEngine.fast,
    jobs: Jobs = None,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Say what is wrong or missing in headers, and at which line.

    Exit code 0: nothing is wrong. 1: something is. 2: a file could not be read.
    """
    with exit_codes():
        from primad_ld.validation.folders import Outcome, ValidationOptions
        from primad_ld.validation.profiles import load_profile

        if not paths and archive is None:
            raise typer.BadParameter("name files or folders, or an archive with --archive")
        check_options(context, "files" if archive is None else "archive")
        options = ValidationOptions(
            profiles=tuple(profile or ("core",)),
            checks=tuple(name for name in check.replace(",", " ").split()),
            language=language,
            most_bytes=parse_bytes(max_header),
            reference=engine is JudgingEngine.pyshacl,
            with_results=format is FindingsFormat.turtle,
            jobs=jobs,
        )
        if language != "en" and not load_profile(*options.profiles).speaks(language):
            check_effect(context, {"language": "on these profiles, whose messages are in English"})
        outcome = Outcome()
        with progress("validating", quiet=quiet) as on_progress, contextlib.ExitStack() as stack:
            reports = _reports(paths or [], archive, options, outcome, on_progress)
            stream = stack.enter_context(_stream(output, force=force))
            failed, unread = _report(
                reports, outcome, options, stream,
                format=format, hints=hints, fail_on=fail_on.severity,
                least=min_completeness, verbose=verbose, quiet=quiet,
            )  # fmt: skip
        if unread:
            raise typer.Exit(UNREADABLE)
        if failed:
            raise typer.Exit(_VIOLATIONS)


def _report(
    reports: Iterable[FileReport],
    outcome: Outcome,
    options: ValidationOptions,
    stream: TextIO,
    *,
    format: FindingsFormat,
    hints: bool,
    fail_on: str,
    least: int,
    verbose: bool,
    quiet: bool,
) -> tuple[bool, bool]:
    """Whether something failed, and whether something could not be read."""
    from primad_ld.core.errors import HeaderError, PrimadError
    from primad_ld.header.skipped_files import summary
    from primad_ld.validation.findings_at_lines import errors_only, rank, with_completeness
    from primad_ld.validation.formats import Totals, writer
    from primad_ld.validation.profiles import load_profile

    totals, failed = Totals(), False
    profile = load_profile(*options.profiles)
    is_turtle = format is FindingsFormat.turtle
    report_writer = (
        None
        if is_turtle
        else writer(
            format.value,
            stream,
            show_hints=hints or fail_on == "info",
            colour=stream is sys.stdout and stream.isatty(),
            profile=profile,
        )
    )
    told = 0
    try:
        for report in reports:
            for problem in outcome.problems[told:]:
                totals.add_problem()
                _tell(problem, report_writer)
            told = len(outcome.problems)
            if report.problem is not None:
                continue
            report = with_completeness(report, least)
            totals.add(report)
            failed = failed or report.gravest <= rank(fail_on)
            if quiet and format is FindingsFormat.text:
                report = errors_only(report)
                if not report.all_findings:
                    continue
            if report_writer is not None:
                report_writer.add(report)
    except PrimadError as error:
        # Judging cannot go on. What was written so far becomes a whole report, and says so.
        if report_writer is not None and format is not FindingsFormat.text:
            totals.add_problem()
            report_writer.problem(HeaderError(str(error)))
            report_writer.close(totals)
        raise
    for problem in outcome.problems[told:]:
        totals.add_problem()
        _tell(problem, report_writer)
    totals.skipped.extend(outcome.skipped)
    if report_writer is not None:
        report_writer.close(totals)
    else:
        from primad_ld.shacl.report import report_turtle
        from primad_ld.validation.messages import message_of, without_secrets

        results = without_secrets(outcome.results, profile)
        stream.write(report_turtle(results, profile.shapes, message_of(profile, options.language)))
    for note in (*outcome.notes, *summary(outcome.skipped, verbose=verbose)):
        say(f"note: {note}", quiet=quiet)
    return failed, bool(outcome.problems)


def _tell(problem: HeaderError, report_writer: ReportWriter | None) -> None:
    if report_writer is None:
        say_error(problem)
    else:
        report_writer.problem(problem)


def _reports(
    paths: list[Path],
    archive: str | None,
    options: ValidationOptions,
    outcome: Outcome,
    on_progress: Progress | None,
) -> Iterator[FileReport]:
    if archive is None:
        from primad_ld.validation.folders import validate as validate_files

        return validate_files(paths, options, outcome, on_progress)
    return _reports_of_archive(archive, options, outcome, on_progress)


def _reports_of_archive(
    archive: str, options: ValidationOptions, outcome: Outcome, on_progress: Progress | None
) -> Iterator[FileReport]:
    from primad_ld.archive.opening import open_checked
    from primad_ld.validation.archived_runs import validate_archive

    with open_checked(archive) as engine:
        yield from validate_archive(engine, options, outcome, on_progress)


@contextlib.contextmanager
def _stream(output: Path | None, *, force: bool) -> Iterator[TextIO]:
    """Standard output, or a file that is there as a whole or not at all."""
    if output is None:
        yield sys.stdout
        sys.stdout.flush()
        return
    from primad_ld.core.files import writing

    with writing(output, force=force) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", newline="\n", write_through=True)
        try:
            yield text
        finally:
            text.detach()


def profiles(
    name: Annotated[
        str | None,
        typer.Argument(help="A profile, or a file of your own, to see what it asks."),
    ] = None,
    format: Annotated[ProfilesFormat, format_option(ProfilesFormat)] = ProfilesFormat.table,
) -> None:
    """List the profiles that headers can be judged by, or what one of them asks."""
    with exit_codes():
        from primad_ld.cli.profile_outputs import ASKED, LISTS

        if name is None:
            print(LISTS[format.value](), end="")
        else:
            print(ASKED[format.value](name), end="")
