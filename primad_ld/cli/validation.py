"""The commands about validation: validate, profiles."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from primad_ld.cli.modes import check_effect, check_options

if TYPE_CHECKING:
    from primad_ld.validation.profile_answers import ProfileDemands, ProfileList
    from primad_ld.validation.validation_report import ValidationReport

_WITH_ALL_FINDINGS = ("csv", "tsv", "jsonl", "json", "sarif", "ttl")


class JudgingEngine(enum.StrEnum):
    """What judges."""

    fast = "fast"
    pyshacl = "pyshacl"


@answering("sarif", "github", "ttl")
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
            autocompletion=completion.profiles,
            help="What is asked: a name that `primad-ld profiles` lists, or a Turtle file; "
            "core if left out. May be given several times.",
        ),
    ] = None,
    hints: Annotated[bool, typer.Option("--hints", help="Also show suggestions.")] = False,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar="error|warning|hint",
            help="Exit with 1 if there is a finding of this severity or a graver one.",
        ),
    ] = "error",
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
    language: Annotated[
        str, typer.Option("--language", help="Language of the messages, where shapes have it.")
    ] = "en",
    engine: Annotated[
        JudgingEngine, typer.Option("--engine", help="fast, or pyshacl, which is the reference.")
    ] = JudgingEngine.fast,
    jobs: Jobs = None,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            help="List every finding, also where many files share a remark, and every file of a "
            "folder that is not read.",
        ),
    ] = False,
    format: str = "",
    quiet: bool = False,
) -> ValidationReport:
    """Say what is wrong or missing in headers, and at which line.

    Exit code 0: nothing is wrong. 1: something is. 2: a file could not be read.
    """
    from primad_ld.validation.findings_at_lines import to_severity
    from primad_ld.validation.folders import ValidationOptions
    from primad_ld.validation.profiles import load_profile
    from primad_ld.validation.validation_report import validate as validate_files
    from primad_ld.validation.validation_report import validate_archive

    if not paths and archive is None:
        raise typer.BadParameter("name files or folders, or an archive with --archive")
    check_options(context, "files" if archive is None else "archive")
    if format in _WITH_ALL_FINDINGS:
        check_effect(context, {"hints": f"with --format {format}, which has all findings"})
    options = ValidationOptions(
        profiles=tuple(profile or ("core",)),
        checks=tuple(name for name in check.replace(",", " ").split()),
        language=language,
        most_bytes=parse_bytes(max_header),
        reference=engine is JudgingEngine.pyshacl,
        with_results=format == "ttl",
        jobs=jobs,
        min_completeness=min_completeness,
        fail_on=to_severity(fail_on, "--fail-on"),
        hints=hints,
        verbose=verbose,
        errors_only=quiet,
    )
    if language != "en" and not load_profile(*options.profiles).speaks(language):
        check_effect(context, {"language": "on these profiles, whose messages are in English"})
    with progress("validating", quiet=quiet) as on_progress:
        if archive is None:
            return validate_files(paths or [], options, on_progress)
        from primad_ld.archive.opening import open_checked

        with open_checked(archive) as opened:
            return validate_archive(opened, options, on_progress)


@answering()
def profiles(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A profile, or a file of your own, to see what it asks.",
            autocompletion=completion.profiles,
        ),
    ] = None,
) -> ProfileList | ProfileDemands:
    """List the profiles that headers can be judged by, or what one of them asks."""
    from primad_ld.validation.profile_answers import list_profiles, profile_demands

    return list_profiles() if name is None else profile_demands(name)
