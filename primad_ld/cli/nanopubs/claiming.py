"""The command nanopub claim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from primad_ld.cli.common import Base, Force, Output, Quiet, check_free, exit_codes, say
from primad_ld.cli.modes import check_options
from primad_ld.cli.nanopubs.making import Kept


def claim(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            help="YAML with the same words as keys; options go before it.", metavar="[CLAIM.yaml]"
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            help="What was to be reproduced: a DOI, or the URI of a nanopublication or a page.",
            metavar="DOI|URI",
        ),
    ] = None,
    text: Annotated[
        str, typer.Option("--claim", help="What it says, in a sentence.", metavar="TEXT")
    ] = "",
    tag: Annotated[str, typer.Option("--tag", help="The tag of a run.")] = "",
    collection: Annotated[str, typer.Option("--collection", help="The test collection.")] = "",
    verdict: Annotated[
        str,
        typer.Option(
            "--verdict",
            help="reproduced, partly-reproduced, not-reproduced, inconclusive, stopped (there was "
            "no result to compare) or not-attempted (it could not even begin).",
        ),
    ] = "",
    criterion: Annotated[
        str,
        typer.Option("--criterion", help="What would have counted as reproduced.", metavar="TEXT"),
    ] = "",
    attempt: Annotated[str, typer.Option("--attempt", help="What was done.", metavar="TEXT")] = "",
    reason: Annotated[
        str, typer.Option("--reason", help="Why it went no further.", metavar="TEXT")
    ] = "",
    minutes: Annotated[
        str, typer.Option("--minutes", help="How long people worked on it.", metavar="MINUTES")
    ] = "",
    differs: Annotated[
        list[str] | None,
        typer.Option(
            "--differs",
            help="A condition that was not the same: 'platform=ours | theirs'.",
            metavar="CONDITION",
        ),
    ] = None,
    track: Annotated[
        Path | None,
        typer.Option("--track", help="A replication track that says the rest.", metavar="TRACK"),
    ] = None,
    of: Annotated[
        str,
        typer.Option(
            "--of",
            help="Which attempt of the track: its number, or system/analyst/configuration.",
            metavar="ATTEMPT",
        ),
    ] = "",
    keep: Annotated[
        list[Kept] | None,
        typer.Option(
            "--keep", help="Leave this in: mail addresses, local paths, logins, private hosts."
        ),
    ] = None,
    output: Output = None,
    base: Base = "https://w3id.org/primad-ld/id/",
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Say that something could be reproduced, or could not: a draft, which nanopub sign signs.

    No run of yours is needed. Of an attempt of a replication track, the track says most of it.
    What must not leave the machine is left out and listed.
    """
    with exit_codes():
        from primad_ld.header.redaction import KINDS
        from primad_ld.nanopub.drafting.claim_input import Given, claim_of_words, whole_claim
        from primad_ld.nanopub.drafting.claims import check_output, claim_draft, write_claim

        check_options(context, "file" if file else "track" if track else "words")
        check_free(output, force=force)
        check_output(output)
        words = claim_of_words(
            target=target or (),
            claim=text,
            tag=tag,
            collection=collection,
            verdict=verdict,
            criterion=criterion,
            attempt=attempt,
            reason=reason,
            minutes=minutes,
            differs=differs or (),
        )
        whole = whole_claim(Given(claim=words, track=track, of=of), file)
        made = claim_draft(whole.claim, base=base, keep=frozenset(KINDS[one] for one in keep or ()))
        write_claim(made, output, force=force)
    for remark in whole.remarks:
        say(f"remark: {remark}", quiet=quiet)
    for one in made.left_out:
        say(f"left out: {one}", quiet=quiet)
    say(f"{output or 'this'} is a draft; sign it next", quiet=quiet)
