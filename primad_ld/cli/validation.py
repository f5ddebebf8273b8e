"""The commands about validation: validate, profiles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from primad_ld.cli import completion
from primad_ld.cli.answers import answering
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    Jobs,
    MaxHeader,
    parse_bytes,
    progress,
)
from primad_ld.cli.options import Command

if TYPE_CHECKING:
    from primad_ld.validation.profile_answers import ProfileDemands, ProfileList
    from primad_ld.validation.validation_report import ValidationReport

_WITH_ALL_FINDINGS = ("csv", "tsv", "jsonl", "json", "sarif", "ttl")


@answering("sarif", "github", "ttl")
class ValidateCommand(Command):
    """Check headers: what is wrong or missing, and at which line.

    Rankings are checked with --check ranking. Exit code 0: nothing is wrong. 1: something is. 2: a
    file could not be read.
    """

    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Runs, headers and folders of them.", metavar="PATH…"),
    ] = None
    archive: Annotated[
        str | None,
        typer.Option(
            "--archive", "-a", metavar="ARCHIVE", help="Validate the runs of an archive instead."
        ),
    ] = None
    profile: Annotated[
        list[str] | None,
        typer.Option(
            "--profile",
            "-p",
            metavar="NAME|FILE",
            help="Rules to check: a name listed by `primad-ld profiles`, or a Turtle file "
            "(default: core). May be repeated.",
            autocompletion=completion.profiles,
        ),
    ] = None
    hints: Annotated[bool, typer.Option("--hints", help="Also show suggestions.")] = False
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar="error|warning|hint",
            help="Exit with 1 on findings of this severity or worse.",
        ),
    ] = "error"
    min_completeness: Annotated[
        int,
        typer.Option(
            "--min-completeness",
            min=0,
            max=100,
            metavar="PERCENT",
            help="Exit with 1 if a header is less complete than this.",
        ),
    ] = 0
    check: Annotated[
        str,
        typer.Option(
            "--check",
            metavar="WHAT",
            help="Extra checks, comma-separated: files (those that headers name), ranking "
            "(each line of a run).",
        ),
    ] = ""
    language: Annotated[
        str, typer.Option("--language", help="Language of the messages, if the profile has them.")
    ] = "en"
    engine: Annotated[
        Literal["fast", "pyshacl"],
        typer.Option("--engine", help="fast, or pyshacl (slower, reference)."),
    ] = "fast"
    jobs: Jobs = None
    max_header: MaxHeader = DEFAULT_MAX_HEADER
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            help="List every finding and every skipped file, even where many files share a remark.",
        ),
    ] = False
    format: str = ""
    quiet: bool = False

    def answer(self) -> ValidationReport:
        """What profiles find in headers of files, or of the runs of an archive."""
        from primad_ld.validation.findings_at_lines import to_severity
        from primad_ld.validation.folders import ValidationOptions
        from primad_ld.validation.profiles import load_profile
        from primad_ld.validation.validation_report import validate as validate_files
        from primad_ld.validation.validation_report import validate_archive

        if self.paths and self.archive is not None:
            raise typer.BadParameter("name files or an archive, not both")
        if not self.paths and self.archive is None:
            raise typer.BadParameter("name files or folders, or an archive with --archive")
        profiles = tuple(self.profile or ("core",))
        if self.format in _WITH_ALL_FINDINGS:
            self.ignore(f"the format {self.format} always has all findings", "hints")
        if self.archive is not None:
            self.ignore("an archive has no files to check", "check")
        if self.language != "en" and not load_profile(*profiles).speaks(self.language):
            self.ignore("the messages of these profiles are in English", "language")
        options = ValidationOptions(
            profiles=profiles,
            checks=tuple(name for name in self.check.replace(",", " ").split()),
            language=self.language,
            most_bytes=parse_bytes(self.max_header),
            reference=self.engine == "pyshacl",
            with_results=self.format == "ttl",
            jobs=self.jobs,
            min_completeness=self.min_completeness,
            fail_on=to_severity(self.fail_on, "--fail-on"),
            hints=self.hints,
            verbose=self.verbose,
            errors_only=self.quiet,
        )
        with progress("validating", quiet=self.quiet) as on_progress:
            if self.archive is None:
                return validate_files(self.paths or [], options, on_progress)
            from primad_ld.archive.opening import open_checked

            with open_checked(self.archive) as opened:
                return validate_archive(opened, options, on_progress)


@answering()
def profiles(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A profile by name or file, to show its rules.", autocompletion=completion.profiles
        ),
    ] = None,
) -> ProfileList | ProfileDemands:
    """List the profiles for `validate`, or the rules of one of them."""
    from primad_ld.validation.profile_answers import list_profiles, profile_demands

    return list_profiles() if name is None else profile_demands(name)
