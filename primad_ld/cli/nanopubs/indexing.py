"""The command nanopub index."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.common import Force, Jobs, Quiet, exit_codes, format_option, progress, say

if TYPE_CHECKING:
    from primad_ld.nanopub.drafting.indexes import IndexReport


class IndexFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    json = "json"


def index(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The file of the index; parts lie beside.", metavar="FILE.trig"
        ),
    ],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Signed nanopublications, or folders of them.", metavar="FILE…"),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="What the index is called.")] = "",
    description: Annotated[
        str, typer.Option("--description", help="What it lists, for people.")
    ] = "",
    subindex: Annotated[
        list[Path] | None,
        typer.Option("--subindex", help="A signed index to make a part of it.", metavar="FILE"),
    ] = None,
    format: Annotated[IndexFormat, format_option(IndexFormat)] = IndexFormat.table,
    force: Force = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """List signed nanopublications in an index: a draft, which nanopub sign signs.

    More than 1,000 become parts in files beside it. Indexes are not listed in another one unless --subindex names them.
    What others among the files supersede or retract is not listed either.
    """
    with exit_codes():
        from primad_ld.nanopub.drafting.indexes import write_index
        from primad_ld.nanopub.folder import notes_on_skipped

        with progress("checked", quiet=quiet) as advance:
            report = write_index(
                paths or [],
                output,
                title=title,
                description=description,
                subindexes=subindex or [],
                force=force,
                progress=advance,
                jobs=jobs,
            )
        for note in notes_on_skipped(paths or []):
            say(f"note: {note}", quiet=quiet)
        print(_laid_out(report, format), end="")
        for remark in _remarks(report):
            say(remark, quiet=quiet)


def _remarks(report: IndexReport) -> list[str]:
    many = len(report.written) > 1
    said = [f"{report.elements:,} listed"]
    if report.left_out:
        indexes = "an index" if report.left_out == 1 else "indexes"
        said.append(f"{report.left_out:,} left out, being {indexes} (--subindex)")
    if report.ended:
        said.append(f"{report.ended:,} left out, being superseded or retracted")
    if report.repeats:
        said.append(f"{report.repeats:,} there more than once")
    stale = f"{report.stale[0]} " if report.stale else ""
    if len(report.stale) > 1:
        stale += f"and {len(report.stale) - 1:,} more "
    return [
        *([f"{stale}may be left of an earlier index; no part of this one"] if stale else []),
        "; ".join(said),
        f"next: primad-ld nanopub sign, with {'all these files' if many else 'this file'} at once",
    ]


def _laid_out(report: IndexReport, format: IndexFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.core.files import shown
    from primad_ld.tables.grid import Grid

    written = report.written
    if format is IndexFormat.json:
        return as_json(
            {
                "elements": report.elements,
                "subindexes": report.subindexes,
                "left_out": report.left_out,
                "superseded_or_retracted": report.ended,
                "files": [
                    {
                        "file": shown(str(one.path)),
                        "draft": one.uri,
                        "elements": one.elements,
                        "subindexes": one.subindexes,
                    }
                    for one in written
                ],
            }
        )
    rows = tuple(
        (str(one.path), one.uri, f"{one.elements:,}", f"{one.subindexes:,}") for one in written
    )
    columns = ("file", "draft", "elements", "sub-indexes")
    return as_table([Grid(title="", columns=columns, rows=rows, texts=2)])
