"""The commands that write drafts: nanopub make, claim, index, supersede and retract.

A draft has no signature yet: nanopub sign gives it one.
"""

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
    Force,
    HeadersOnly,
    Jobs,
    MaxHeader,
    Output,
    Quiet,
    check_free,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
    say,
    say_error,
)
from primad_ld.cli.modes import check_options

if TYPE_CHECKING:
    from primad_ld.nanopub.drafting.nanopub_indexes import IndexReport
    from primad_ld.nanopub.drafting.outbox import MakeReport

# make -------------------------------------------------------------------------------------


class MakeFormat(enum.StrEnum):
    """How the result is printed."""

    table = "table"
    json = "json"


class KeptText(enum.StrEnum):
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
        list[KeptText] | None,
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
        print(_drafts_text(report, format), end="")
    for note in report.notes:
        say(note, quiet=quiet)
    for error in report.errors:
        say_error(error)
    say(f"{report.ready:,} draft{'s' * (report.ready != 1)} in {output}", quiet=quiet)
    if report.errors:
        raise typer.Exit(UNREADABLE)


def _drafts_text(report: MakeReport, format: MakeFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.nanopub.drafting.outbox import as_grids, as_object

    if format is MakeFormat.json:
        return as_json(as_object(report))
    return as_table(as_grids(report))


# claim ------------------------------------------------------------------------------------


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
        list[KeptText] | None,
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


# index ------------------------------------------------------------------------------------


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
        from primad_ld.nanopub.drafting.nanopub_indexes import write_index
        from primad_ld.nanopub.nanopub_folder import notes_on_skipped

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
        print(_index_text(report, format), end="")
        for remark in _remarks_on_index(report):
            say(remark, quiet=quiet)


def _remarks_on_index(report: IndexReport) -> list[str]:
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


def _index_text(report: IndexReport, format: IndexFormat) -> str:
    from primad_ld.cli.layout import as_json, as_table
    from primad_ld.core.files import shown
    from primad_ld.tables.markup import Grid

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


# supersede and retract --------------------------------------------------------------------


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
