"""The commands nanopub publish and nanopub fetch."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli.common import (
    Quiet,
    check_finite,
    exit_codes,
    format_option,
    progress,
    say,
)
from primad_ld.cli.modes import check_options
from primad_ld.core.library_arguments import MOST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from primad_ld.nanopub.registries.registry_client import Registry
    from primad_ld.nanopub.registries.senders import Settings
    from primad_ld.tables.markup import Grid

_FINDINGS: Final = 1


class RegistryFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


RegistryUrl = Annotated[
    str,
    typer.Option("--registry", help="The address of the registry; there is none by default."),
]
Connections = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=32, help="Connections to the registry.")
]
Seconds = Annotated[
    float,
    typer.Option(
        "--timeout",
        min=0.1,
        max=MOST_SECONDS,
        callback=check_finite,
        help="Seconds that one request may take.",
    ),
]
Format = Annotated[RegistryFormat, format_option(RegistryFormat)]


def publish(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(help="Signed nanopublications, or folders of them.", metavar="FILE…"),
    ],
    registry: RegistryUrl,
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            help="Where it is noted what the registry has; .published.jsonl in the first folder "
            "if left out.",
            metavar="FILE",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Show what would be sent, without any connection; 1 if some would not be.",
        ),
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", help="Ask also for what the journal says that the registry has."),
    ] = False,
    jobs: Connections = 4,
    timeout: Seconds = 30,
    format: Format = RegistryFormat.table,
    quiet: Quiet = False,
) -> None:
    """Publish signed nanopublications in a registry, and ask for each whether it is there.

    All of them are checked before anything is sent. What others rely on is sent first, indexes
    last. An interrupted run is taken up again by the same command.
    """
    with exit_codes("what the registry has is in the journal; rerun the command to continue"):
        from primad_ld.nanopub.nanopub_folder import notes_on_skipped
        from primad_ld.nanopub.registries import publish_checks, publishing

        check_options(context, "dry run" if dry_run else "publishing")
        settings, to = _settings(jobs, timeout), _registry(registry, quiet)
        with progress("checked", quiet=quiet) as advance:
            found, remarks = publish_checks.survey(paths, progress=advance)
        for remark in remarks:
            say(f"remark: {remark}", quiet=quiet)
        for note in notes_on_skipped(paths):
            say(f"note: {note}", quiet=quiet)
        book = journal or publishing.journal_of(paths)
        if dry_run:
            planned = publishing.plan(found, to, book, is_again=again)
            is_good = publishing.is_good_plan(planned)
            grids = [publishing.plan_grid(planned, to)]
            _print(
                format, grids, publishing.plan_rows(planned), publishing.plan_object(planned, to)
            )
        else:
            with progress("published", quiet=quiet) as advance:
                sent = publishing.publish(
                    found, to, book, is_again=again, settings=settings, progress=advance
                )
            is_good, grids = publishing.is_good(sent), publishing.as_grids(sent, to)
            _print(format, grids, publishing.as_rows(sent), publishing.as_object(sent, to))
    if not is_good:
        raise typer.Exit(_FINDINGS)


def fetch(
    context: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(help="URIs of nanopublications, or their artifact codes.", metavar="URI…"),
    ],
    registry: RegistryUrl,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to fetch into.", metavar="FOLDER")
    ],
    follow: Annotated[
        bool, typer.Option("--follow", help="Also fetch what indexes list, and so on.")
    ] = False,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Fetch no more nanopublications than this.")
    ] = 100_000,
    jobs: Connections = 4,
    timeout: Seconds = 30,
    format: Format = RegistryFormat.table,
    quiet: Quiet = False,
) -> None:
    """Fetch nanopublications from a registry; what is not what its name says is not kept.

    Each becomes a file that is named by its artifact code. What the folder has is not asked for.
    """
    with exit_codes("what was fetched is whole; rerun the command to continue"):
        from primad_ld.nanopub.registries import fetching

        check_options(context, "indexes" if follow else "names")
        settings, source = _settings(jobs, timeout), _registry(registry, quiet)
        with progress("fetched", quiet=quiet) as advance:
            got = fetching.fetch(
                names,
                source,
                output,
                is_following=follow,
                most=most,
                settings=settings,
                progress=advance,
            )
        grids = fetching.as_grids(got, source)
        _print(format, grids, fetching.as_rows(got), fetching.as_object(got, source))
    if not got.is_good:
        raise typer.Exit(_FINDINGS)


def _settings(jobs: int, timeout: float) -> Settings:
    from math import isfinite

    from primad_ld.nanopub.registries.senders import Settings

    if not isfinite(timeout):
        raise typer.BadParameter("--timeout takes a number of seconds")
    return Settings(jobs=jobs, timeout=timeout)


def _registry(text: str, quiet: bool) -> Registry:
    from primad_ld.nanopub.registries.registry_client import parse_registry

    registry = parse_registry(text)
    if registry.is_exposed:
        say(
            f"remark: {registry.url} is not encrypted, so others on the way can hold back "
            "what is sent; is there an address that begins with https://?",
            quiet=quiet,
        )
    return registry


def _print(
    format: RegistryFormat,
    grids: Sequence[Grid],
    rows: Iterable[tuple[str, ...]],
    said: dict[str, object],
) -> None:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.tables.markup import separated

    if format is RegistryFormat.table:
        print(as_table(grids), end="")
    else:
        print(as_json(said) if format is RegistryFormat.json else separated(rows), end="")
