"""The commands that write drafts: nanopub make, claim, index, supersede and retract.

A draft has no signature yet: nanopub sign gives it one.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli import completion
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
from primad_ld.cli.options import Command

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
    typer.Option("--keep", help="Keep this: mail addresses, local paths, logins, private hosts."),
]


@answering(
    output=False, interrupted="files already written are complete; rerun the command to continue"
)
class MakeCommand(Command):
    """Write drafts of nanopublications, as readable TriG; nanopub sign signs them.

    They are about runs (with the verdict of a profile, if one is named), an assessment in an
    archive, the precision of measurements, or everything that an archive holds. Private content
    is left out and listed: mail addresses, local paths, logins, private addresses and hosts,
    passwords, tokens.
    """

    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to write into.", metavar="FOLDER")
    ]
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Runs, headers and folders of them.", metavar="[RUN…]"),
    ] = None
    archive: ArchiveOption = None
    assessments: Annotated[
        list[str] | None,
        typer.Option(
            "--assessment",
            help="This assessment of the archive, and the runs that it is about.",
            metavar="ID",
        ),
    ] = None
    qra: Annotated[
        list[Path] | None,
        typer.Option("--qra", help="Assess the precision of these measurements.", metavar="FILE"),
    ] = None
    validation: Annotated[
        str | None,
        typer.Option(
            "--validation",
            help="Also publish the verdict of a profile.",
            autocompletion=completion.profiles,
            metavar="PROFILE",
        ),
    ] = None
    keep: Keep = None
    base: Base = "https://w3id.org/primad-ld/id/"
    headers_only: HeadersOnly = False
    max_header: MaxHeader = DEFAULT_MAX_HEADER
    force: Annotated[
        bool, typer.Option("--force", help="Replace drafts that are there; never signed ones.")
    ] = False
    quiet: bool = False

    def answer(self) -> MakeReport:
        """What was written, of the one source that is named."""
        from primad_ld.nanopub.drafting.draft_sources import MakeOptions
        from primad_ld.nanopub.drafting.outbox import make_nanopubs

        if not self.paths:
            self.ignore("no run files are read", "headers_only")
            if not self.qra:
                self.ignore("an archive has its own IRIs", "base")
        if self.qra:
            self.ignore("measurements have no headers", "validation")
        options = MakeOptions(
            base=self.base,
            headers_only=self.headers_only,
            most_bytes=parse_bytes(self.max_header),
            profile=self.validation or "",
            keep=_kept(self.keep),
            jobs=None,
        )
        with progress("made", quiet=self.quiet) as advance:
            return make_nanopubs(
                self.output,
                self.paths or (),
                archive=self.archive,
                assessments=self.assessments or (),
                tables=self.qra or (),
                options=options,
                force=self.force,
                progress=advance,
            )


def _kept(keep: list[KeptText] | None) -> frozenset[str]:
    from primad_ld.header.redaction import KINDS

    return frozenset(KINDS[kind] for kind in keep or ())


# claim ------------------------------------------------------------------------------------


@answering("trig", "nq", default="trig")
class ClaimCommand(Command):
    """Draft a claim that something could or could not be reproduced; nanopub sign signs it.

    No run of yours is needed. For an attempt of a replication track, most is read from the
    track. Private content is left out and listed.
    """

    file: Annotated[
        Path | None,
        typer.Argument(
            help="YAML with the same words as keys; options override it.", metavar="[CLAIM.yaml]"
        ),
    ] = None
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            help="What was to be reproduced: a DOI, or the URI of a nanopublication or a page.",
            metavar="DOI|URI",
        ),
    ] = None
    text: Annotated[
        str, typer.Option("--claim", help="What it says, in a sentence.", metavar="TEXT")
    ] = ""
    tag: Annotated[str, typer.Option("--tag", help="The tag of a run.")] = ""
    collection: Annotated[str, typer.Option("--collection", help="The test collection.")] = ""
    verdict: Annotated[
        str,
        typer.Option(
            "--verdict",
            help="reproduced, partly-reproduced, not-reproduced, inconclusive, stopped (there was "
            "no result to compare) or not-attempted (it could not even begin).",
        ),
    ] = ""
    criterion: Annotated[
        str,
        typer.Option("--criterion", help="What would have counted as reproduced.", metavar="TEXT"),
    ] = ""
    attempt: Annotated[str, typer.Option("--attempt", help="What was done.", metavar="TEXT")] = ""
    reason: Annotated[
        str, typer.Option("--reason", help="Why it went no further.", metavar="TEXT")
    ] = ""
    minutes: Annotated[
        str, typer.Option("--minutes", help="How long people worked on it.", metavar="MINUTES")
    ] = ""
    differs: Annotated[
        list[str] | None,
        typer.Option(
            "--differs",
            help="A condition that was not the same: 'platform=ours | theirs'.",
            metavar="CONDITION",
        ),
    ] = None
    track: Annotated[
        Path | None,
        typer.Option("--track", help="A replication track that says the rest.", metavar="TRACK"),
    ] = None
    of: Annotated[
        str,
        typer.Option(
            "--of",
            help="Which attempt of the track: its number, or system/analyst/configuration.",
            metavar="ATTEMPT",
        ),
    ] = ""
    keep: Keep = None
    base: Base = "https://w3id.org/primad-ld/id/"
    format: str = ""
    output: Path | None = None

    def answer(self) -> DraftReport:
        """The draft of the claim."""
        from primad_ld.nanopub.drafting.claim_input import claim_of_words, whole_claim
        from primad_ld.nanopub.drafting.claims import claim_draft
        from primad_ld.nanopub.drafting.draft_reports import DraftReport, check_draft_file
        from primad_ld.nanopub.drafts import nanopub_of_draft

        check_draft_file(self.output, self.format)
        words = {
            "target": self.target,
            "claim": self.text,
            "tag": self.tag,
            "collection": self.collection,
            "verdict": self.verdict,
            "criterion": self.criterion,
            "attempt": self.attempt,
            "reason": self.reason,
            "minutes": self.minutes,
            "differs": self.differs,
        }
        if self.track is None and self.file is None:
            self.ignore("there is no --track", "of")
        claim = claim_of_words(words)
        claim, remarks = whole_claim(claim, self.file, track=self.track, of=self.of)
        made = claim_draft(claim, base=self.base, keep=_kept(self.keep))
        assert made.draft is not None
        left_out = [f"left out: {part}" for part in made.left_out]
        return DraftReport(
            nanopub=nanopub_of_draft(made.draft),
            left_out=made.left_out,
            notes=(*remarks, *left_out, _next_step(self.output)),
        )


def _next_step(output: Path | None) -> str:
    return f"{output or 'this'} is a draft; sign it next"


# index ------------------------------------------------------------------------------------


@answering(output=False)
def index(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="File of the index.",
            metavar="FILE.trig",
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
        typer.Option("--subindex", help="A signed index to include as a part.", metavar="FILE"),
    ] = None,
    force: Force = False,
    jobs: Jobs = None,
    quiet: bool = False,
) -> IndexReport:
    """Draft an index of signed nanopublications; nanopub sign signs it.

    It lists up to 1,000; of more, it has parts in files beside it (NAME-part-1.trig). Indexes
    are listed only if --subindex names them. What is superseded or retracted by others among
    the files is left out.
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
            help="Where to write (default: NEW itself; nowhere with --format trig or nq).",
        ),
    ] = None,
    force: Force = False,
    format: str = "",
) -> Superseding:
    """Mark a draft as the new version of something published."""
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
