"""The commands nanopub publish and nanopub fetch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.answers import answering
from primad_ld.cli.common import check_finite, progress
from primad_ld.cli.options import Command
from primad_ld.core.library_arguments import MOST_SECONDS

if TYPE_CHECKING:
    from primad_ld.nanopub.registries.fetching import FetchReport
    from primad_ld.nanopub.registries.publishing import PublishReport

Connections = Annotated[
    int, typer.Option("--jobs", "-j", min=1, max=32, help="Number of connections to the registry.")
]
Seconds = Annotated[
    float,
    typer.Option(
        "--timeout",
        min=0.1,
        max=MOST_SECONDS,
        callback=check_finite,
        help="Maximum seconds per request.",
    ),
]


@answering(interrupted="what was sent is published; rerun the command to continue")
class PublishCommand(Command):
    """Publish signed nanopublications in a registry, and check that each has arrived.

    All of them are checked before anything is sent. What others refer to is sent first. Rerun the
    command to continue after an interruption.
    """

    paths: Annotated[
        list[Path],
        typer.Argument(help="Signed nanopublications, or folders of them.", metavar="FILE…"),
    ]
    registry: Annotated[
        str | None,
        typer.Option(
            "--registry",
            help="Address of the registry (no default; not needed with --dry-run).",
        ),
    ] = None
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Show what would be sent, without connecting; exit with 1 if something "
            "would not be sent.",
        ),
    ] = False
    jobs: Connections = 4
    timeout: Seconds = 30
    quiet: bool = False

    def answer(self) -> PublishReport:
        """What was published, or what would be."""
        from primad_ld.nanopub.nanopub_folder import notes_on_skipped
        from primad_ld.nanopub.registries import publish_checks, publishing
        from primad_ld.nanopub.registries.registry_client import Settings, parse_registry

        if self.registry is None and not self.dry_run:
            raise typer.BadParameter("name the registry with --registry URL, or use --dry-run")
        to = parse_registry(self.registry) if self.registry is not None else None
        with progress("checked", quiet=self.quiet) as advance:
            outgoing, remarks = publish_checks.survey(self.paths, progress=advance)
        if self.dry_run or to is None:
            report = publishing.publish(outgoing, to, is_dry_run=True)
        else:
            settings = Settings(jobs=self.jobs, timeout=self.timeout)
            with progress("published", quiet=self.quiet) as advance:
                report = publishing.publish(outgoing, to, settings=settings, progress=advance)
        return replace(report, notes=(*remarks, *notes_on_skipped(self.paths)))


@answering(
    output=False, interrupted="files already fetched are complete; rerun the command to continue"
)
class FetchCommand(Command):
    """Fetch nanopublications from a registry; those that do not match their name are rejected.

    Each becomes a file named by its artifact code. Files that are in the folder are not
    requested.
    """

    names: Annotated[
        list[str],
        typer.Argument(help="URIs of nanopublications, or their artifact codes.", metavar="URI…"),
    ]
    registry: Annotated[
        str,
        typer.Option("--registry", help="Address of the registry (no default)."),
    ]
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to fetch into.", metavar="FOLDER")
    ]
    follow: Annotated[
        bool, typer.Option("--follow", help="Also fetch what indexes list, recursively.")
    ] = False
    most: Annotated[
        int, typer.Option("--most", min=1, help="Maximum number of nanopublications to fetch.")
    ] = 100_000
    jobs: Connections = 4
    timeout: Seconds = 30
    quiet: bool = False

    def answer(self) -> FetchReport:
        """What was fetched."""
        from primad_ld.nanopub.registries.fetching import fetch as fetch_nanopubs
        from primad_ld.nanopub.registries.registry_client import Settings, parse_registry

        settings = Settings(jobs=self.jobs, timeout=self.timeout)
        if not self.follow:
            self.ignore("without --follow, only the named files are fetched", "most")
        with progress("fetched", quiet=self.quiet) as advance:
            return fetch_nanopubs(
                self.names,
                parse_registry(self.registry),
                self.output,
                is_following=self.follow,
                most=self.most,
                settings=settings,
                progress=advance,
            )
