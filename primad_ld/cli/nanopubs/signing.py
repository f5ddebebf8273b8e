"""The command nanopub sign."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli.common import (
    UNREADABLE,
    Jobs,
    Quiet,
    exit_codes,
    format_option,
    progress,
    say,
    say_error,
)

if TYPE_CHECKING:
    from primad_ld.nanopub.signing import SignReport


_MOST_WARNINGS: Final = 20


class SignFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    csv = "csv"
    json = "json"


def sign(
    paths: Annotated[
        list[Path], typer.Argument(help="Drafts, or folders of them.", metavar="FILE…")
    ],
    orcid: Annotated[str, typer.Option("--orcid", help="Who signs.", metavar="ORCID")],
    license: Annotated[
        str,
        typer.Option(
            "--license", help="cc-by, cc0 … or an address of the licence.", metavar="LICENCE"
        ),
    ],
    key: Annotated[
        Path | None,
        typer.Option("--key", "-k", help="The private key; see nanopub keys.", metavar="FILE"),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="Your name, for people who see the nanopublication.")
    ] = "",
    created: Annotated[
        str | None,
        typer.Option("--created", help="The time that is stated; now if left out.", metavar="TIME"),
    ] = None,
    format: Annotated[SignFormat, format_option(SignFormat)] = SignFormat.table,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Sign drafts, each in its place: they get the name that holds their digest.

    What others rely on is signed first. What is signed already stays as it is.
    """
    with exit_codes("what is signed is whole; rerun the command to continue"):
        from primad_ld.nanopub.folder import notes_on_skipped
        from primad_ld.nanopub.keys import find_key, load_signer
        from primad_ld.nanopub.signing import sign_nanopubs

        signer = load_signer(key=key, orcid=orcid, license=license, created=created, name=name)
        for remark in find_key(key).remarks:
            say(f"warning: {remark}", quiet=quiet)
        with progress("signed", quiet=quiet) as advance:
            report = sign_nanopubs(paths, signer, progress=advance, jobs=jobs)
        for note in notes_on_skipped(paths):
            say(f"note: {note}", quiet=quiet)
        print(_laid_out(report, format), end="")
    _warn_of(report, quiet=quiet)
    for problem in report.problems:
        say_error(problem)
    already = f", {report.already:,} signed before" if report.already else ""
    say(f"{len(report.signed):,} signed{already}", quiet=quiet)
    if report.problems:
        raise typer.Exit(UNREADABLE)


def _warn_of(report: SignReport, *, quiet: bool) -> None:
    """Say which files hold what drafts leave out. Many were made so on purpose."""
    from primad_ld.core.files import shown

    for path, seen in report.seen[:_MOST_WARNINGS]:
        what = " and ".join(seen)
        say(f"warning: {shown(str(path))}: it holds {what}; others will see it", quiet=quiet)
    more = len(report.seen) - _MOST_WARNINGS
    if more > 0:
        say(f"warning: {more:,} more files hold such things", quiet=quiet)


def _laid_out(report: SignReport, format: SignFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.core.files import shown
    from primad_ld.tables.grid import Grid, separated

    rows = [(shown(str(path)), uri) for path, uri in report.signed]
    if format is SignFormat.json:
        return as_json([{"file": path, "uri": uri} for path, uri in rows])
    columns = ("file", "nanopublication")
    if format is SignFormat.csv:
        return separated([columns, *rows])
    return as_table([Grid(title="", columns=columns, rows=tuple(rows), texts=2)]) if rows else ""
