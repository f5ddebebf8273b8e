"""The command nanopub check."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli.common import (
    UNREADABLE,
    Force,
    Jobs,
    Output,
    Quiet,
    check_free,
    exit_codes,
    format_option,
    progress,
    say,
    say_error,
)

if TYPE_CHECKING:
    from primad_ld.nanopub.folder_checks import FileCheck

_FINDINGS: Final = 1


class CheckFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


def check(
    paths: Annotated[
        list[Path], typer.Argument(help="Nanopublications, or folders of them.", metavar="FILE…")
    ],
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Also say what registries and their users would miss."),
    ] = False,
    format: Annotated[CheckFormat, format_option(CheckFormat)] = CheckFormat.table,
    output: Output = None,
    force: Force = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Say whether nanopublications are well-formed, unchanged and signed; if not, why not."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.nanopub import folder_checks
        from primad_ld.nanopub.folder import notes_on_skipped

        check_free(output, force=force)
        with progress("checked", quiet=quiet) as advance:
            found = folder_checks.check_paths(paths, is_strict=strict, progress=advance, jobs=jobs)
        for note in notes_on_skipped(paths):
            say(f"note: {note}", quiet=quiet)
        with writing(output, force=force) as stream:
            stream.write(_laid_out(found, format).encode())
    failed = folder_checks.unreadable(found)
    for one in failed:
        say_error(f"{one.file}: {'; '.join(one.problems)}")
    if failed:
        raise typer.Exit(UNREADABLE)
    if not folder_checks.is_good(found):
        raise typer.Exit(_FINDINGS)


def _laid_out(found: list[FileCheck], format: CheckFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.nanopub.folder_checks import as_grid, as_objects
    from primad_ld.tables.grid import separated

    if format is CheckFormat.json:
        return as_json(as_objects(found))
    grid = as_grid(found)
    if format is CheckFormat.csv:
        return separated([grid.columns, *grid.rows])
    return as_table([grid])
