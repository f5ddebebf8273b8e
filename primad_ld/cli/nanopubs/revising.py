"""The commands nanopub supersede and nanopub retract."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from primad_ld.cli.common import Force, Output, Quiet, check_free, exit_codes, say


def supersede(
    old: Annotated[
        str, typer.Argument(help="What is published: its file, or its name.", metavar="OLD")
    ],
    new: Annotated[Path, typer.Argument(help="The draft of its new version.", metavar="NEW")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write; into NEW itself if left out."),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Say in a draft that it is the new version of something published."""
    with exit_codes():
        from primad_ld.nanopub.drafting import revising

        done = revising.supersede(old, new, output, force=force)
        for remark in done.remarks:
            say(remark, quiet=quiet)
        said = "supersedes" if done.is_new else "said already that it supersedes"
        say(f"{done.path or 'this'} {said} {done.old}; sign it next", quiet=quiet)


def retract(
    old: Annotated[
        str, typer.Argument(help="What is published: its file, or its name.", metavar="URI|FILE")
    ],
    orcid: Annotated[str, typer.Option("--orcid", help="Who retracts it.", metavar="ORCID")],
    reason: Annotated[str, typer.Option("--reason", help="Why, for people.")] = "",
    output: Output = None,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Draft a retraction: nothing published goes away, but registries mark it as void."""
    with exit_codes():
        from primad_ld.nanopub.drafting import revising

        check_free(output, force=force)
        made = revising.retract(old, orcid, reason=reason)
        revising.write_retraction(made, output, force=force)
        for remark in made.remarks:
            say(remark, quiet=quiet)
        say(f"{output or 'this'} retracts {made.old}; sign it next", quiet=quiet)
