"""The command nanopub make."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.archive import ArchiveOption
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    UNREADABLE,
    Base,
    HeadersOnly,
    MaxHeader,
    Quiet,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
    say,
    say_error,
)
from primad_ld.cli.modes import check_options

if TYPE_CHECKING:
    from primad_ld.nanopub.drafting.outbox import MakeReport


class MakeFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    json = "json"


class Kept(enum.StrEnum):
    """What may be kept that is left out otherwise."""

    mail = "mail"
    paths = "paths"
    logins = "logins"
    hosts = "hosts"


def make(
    context: typer.Context,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to write into.", metavar="FOLDER")
    ],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Runs, headers and folders of them.", metavar="[RUN…]"),
    ] = None,
    archive: ArchiveOption = None,
    assessments: Annotated[
        list[str] | None,
        typer.Option(
            "--assessment",
            help="Of the archive: this assessment, and the runs that it is about.",
            metavar="ID",
        ),
    ] = None,
    qra: Annotated[
        list[Path] | None,
        typer.Option("--qra", help="Assess the precision of these measurements.", metavar="FILE"),
    ] = None,
    validation: Annotated[
        str | None,
        typer.Option("--validation", help="Also the verdict of a profile.", metavar="PROFILE"),
    ] = None,
    keep: Annotated[
        list[Kept] | None,
        typer.Option(
            "--keep", help="Leave this in: mail addresses, local paths, logins, private hosts."
        ),
    ] = None,
    base: Base = "https://w3id.org/primad-ld/id/",
    headers_only: HeadersOnly = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    force: Annotated[
        bool, typer.Option("--force", help="Replace drafts that are there; never signed ones.")
    ] = False,
    format: Annotated[MakeFormat, format_option(MakeFormat)] = MakeFormat.table,
    quiet: Quiet = False,
) -> None:
    """Write nanopublications that nobody has signed yet, as TriG that people can read.

    Of runs (with the verdict of a profile, if one is named), of an assessment in an archive, of
    the precision of measurements, or of everything that an archive holds. What must not leave the
    machine is left out and listed: mail addresses, local paths, logins, private addresses and
    hosts, passwords, tokens.
    """
    with exit_codes("what was written is whole; rerun the command to continue"):
        from primad_ld.header.redaction import KINDS
        from primad_ld.nanopub.drafting.outbox import make_nanopubs
        from primad_ld.nanopub.drafting.sources import MakeOptions

        sources = {
            "files": paths,
            "measurements": qra,
            "assessments": assessments,
            "archive": archive is not None,
        }
        check_options(context, next((mode for mode, given in sources.items() if given), "files"))
        options = MakeOptions(
            base=base,
            headers_only=headers_only,
            most_bytes=parse_bytes(max_header),
            profile=validation or "",
            keep=frozenset(KINDS[one] for one in keep or ()),
            jobs=None,
        )
        with progress("made", quiet=quiet) as advance:
            report = make_nanopubs(
                output,
                paths or (),
                archive=archive,
                assessments=assessments or (),
                tables=qra or (),
                options=options,
                force=force,
                progress=advance,
            )
        print(_laid_out(report, format), end="")
    for note in report.notes:
        say(note, quiet=quiet)
    for error in report.errors:
        say_error(error)
    say(f"{report.ready:,} draft{'s' * (report.ready != 1)} in {output}", quiet=quiet)
    if report.errors:
        raise typer.Exit(UNREADABLE)


def _laid_out(report: MakeReport, format: MakeFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.nanopub.drafting.outbox import as_grids, as_object

    if format is MakeFormat.json:
        return as_json(as_object(report))
    return as_table(as_grids(report))
