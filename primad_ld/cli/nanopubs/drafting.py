"""The commands that write drafts: nanopub make, claim, index, supersede and retract.

A draft has no signature yet: nanopub sign gives it one.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.answers import answering
from primad_ld.cli.archive import ArchiveOption
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    Base,
    Force,
    HeadersOnly,
    Jobs,
    MaxHeader,
    parse_bytes,
    progress,
)
from primad_ld.cli.modes import check_options

if TYPE_CHECKING:
    from primad_ld.nanopub.drafting.draft_reports import DraftReport
    from primad_ld.nanopub.drafting.nanopub_indexes import IndexReport
    from primad_ld.nanopub.drafting.outbox import MakeReport
    from primad_ld.nanopub.drafting.revising import Superseding

# make -------------------------------------------------------------------------------------


class KeptText(enum.StrEnum):
    """What may be kept that is left out otherwise."""

    mail = "mail"
    paths = "paths"
    logins = "logins"
    hosts = "hosts"


Keep = Annotated[
    list[KeptText] | None,
    typer.Option(
        "--keep", help="Leave this in: mail addresses, local paths, logins, private hosts."
    ),
]


@answering(output=False, interrupted="what was written is whole; rerun the command to continue")
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
    keep: Keep = None,
    base: Base = "https://w3id.org/primad-ld/id/",
    headers_only: HeadersOnly = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    force: Annotated[
        bool, typer.Option("--force", help="Replace drafts that are there; never signed ones.")
    ] = False,
    quiet: bool = False,
) -> MakeReport:
    """Write nanopublications that nobody has signed yet, as TriG that people can read.

    Of runs (with the verdict of a profile, if one is named), of an assessment in an archive, of
    the precision of measurements, or of everything that an archive holds. What must not leave the
    machine is left out and listed: mail addresses, local paths, logins, private addresses and
    hosts, passwords, tokens.
    """
    from primad_ld.nanopub.drafting.draft_sources import MakeOptions
    from primad_ld.nanopub.drafting.outbox import make_nanopubs

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
        keep=_kept(keep),
        jobs=None,
    )
    with progress("made", quiet=quiet) as advance:
        return make_nanopubs(
            output,
            paths or (),
            archive=archive,
            assessments=assessments or (),
            tables=qra or (),
            options=options,
            force=force,
            progress=advance,
        )


def _kept(keep: list[KeptText] | None) -> frozenset[str]:
    from primad_ld.header.redaction import KINDS

    return frozenset(KINDS[kind] for kind in keep or ())


# claim ------------------------------------------------------------------------------------


@answering("trig", "nq", default="trig")
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
    keep: Keep = None,
    base: Base = "https://w3id.org/primad-ld/id/",
    format: str = "",
    output: Path | None = None,
) -> DraftReport:
    """Say that something could be reproduced, or could not: a draft, which nanopub sign signs.

    No run of yours is needed. Of an attempt of a replication track, the track says most of it.
    What must not leave the machine is left out and listed.
    """
    from primad_ld.nanopub.drafting.claim_input import claim_of_words, whole_claim
    from primad_ld.nanopub.drafting.claims import claim_draft
    from primad_ld.nanopub.drafting.draft_reports import DraftReport, check_draft_file
    from primad_ld.nanopub.drafts import nanopub_of_draft

    check_options(context, "file" if file else "track" if track else "words")
    check_draft_file(output, format)
    words = {
        "target": target,
        "claim": text,
        "tag": tag,
        "collection": collection,
        "verdict": verdict,
        "criterion": criterion,
        "attempt": attempt,
        "reason": reason,
        "minutes": minutes,
        "differs": differs,
    }
    whole = whole_claim(claim_of_words(words), file, track=track, of=of)
    made = claim_draft(whole.claim, base=base, keep=_kept(keep))
    (draft,) = made.drafts
    left_out = [f"left out: {part}" for part in made.left_out]
    return DraftReport(
        nanopub=nanopub_of_draft(draft),
        left_out=made.left_out,
        notes=(*whole.remarks, *left_out, _next_step(output)),
    )


def _next_step(output: Path | None) -> str:
    return f"{output or 'this'} is a draft; sign it next"


# index ------------------------------------------------------------------------------------


@answering(output=False)
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
    force: Force = False,
    jobs: Jobs = None,
    quiet: bool = False,
) -> IndexReport:
    """List signed nanopublications in an index: a draft, which nanopub sign signs.

    More than 1,000 become parts in files beside it. Indexes are not listed in another one unless --subindex names them.
    What others among the files supersede or retract is not listed either.
    """
    from primad_ld.nanopub.drafting.nanopub_indexes import write_index

    with progress("checked", quiet=quiet) as advance:
        return write_index(
            paths or [],
            output,
            title=title,
            description=description,
            subindexes=subindex or [],
            force=force,
            progress=advance,
            jobs=jobs,
        )


# supersede and retract --------------------------------------------------------------------


@answering("trig", "nq", output=False)
def supersede(
    old: Annotated[
        str, typer.Argument(help="What is published: its file, or its name.", metavar="OLD")
    ],
    new: Annotated[Path, typer.Argument(help="The draft of its new version.", metavar="NEW")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Where to write; into NEW itself if left out, nowhere with --format trig or nq.",
        ),
    ] = None,
    force: Force = False,
    format: str = "",
) -> Superseding:
    """Say in a draft that it is the new version of something published."""
    from primad_ld.nanopub.drafting import revising

    is_printed = format in revising.Superseding.own_forms
    if output is not None and (is_printed or str(output) == "-"):
        raise typer.BadParameter(
            "--output names the file to write, and --format trig prints the draft; use one of them"
        )
    return revising.supersede(old, new, output, force=force, write=not is_printed)


@answering("trig", "nq", default="trig")
def retract(
    old: Annotated[
        str, typer.Argument(help="What is published: its file, or its name.", metavar="URI|FILE")
    ],
    orcid: Annotated[str, typer.Option("--orcid", help="Who retracts it.", metavar="ORCID")],
    reason: Annotated[str, typer.Option("--reason", help="Why, for people.")] = "",
    format: str = "",
    output: Path | None = None,
) -> DraftReport:
    """Draft a retraction: nothing published goes away, but registries mark it as void."""
    from primad_ld.nanopub.drafting.draft_reports import check_draft_file
    from primad_ld.nanopub.drafting.revising import retract as draft_retraction

    check_draft_file(output, format)
    report = draft_retraction(old, orcid, reason=reason)
    return replace(report, notes=(*report.notes, _next_step(output)))
