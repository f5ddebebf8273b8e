"""The commands about headers: init, annotate, strip, show, schema."""

from __future__ import annotations

from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli import completion
from primad_ld.cli.answers import answering
from primad_ld.cli.archive import ArchiveOption
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    Force,
    InPlace,
    MaxHeader,
    Output,
    Verbose,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
    say,
)
from primad_ld.cli.options import Command

if TYPE_CHECKING:
    from primad_ld.header.annotation import HeaderChanges
    from primad_ld.header.header_outline import HeaderOutline

# As a text: a path forgets the slash at the end of a folder's name.
_OutputOrFolder = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE|FOLDER/",
        help="File to write (default: standard output); a folder for several runs.",
    ),
]
_Runs = Annotated[
    list[Path],
    typer.Argument(help="Run files, plain or compressed, and folders of them.", metavar="RUN…"),
]
_INTERRUPTED = "files already written are complete; rerun the command to continue"


def init(
    path: Annotated[
        Path | None, typer.Argument(help="The file to write.", metavar="[FILE]")
    ] = None,
    all_fields: Annotated[
        bool, typer.Option("--all", help="Every field, with its description and type.")
    ] = False,
    force: Force = False,
) -> None:
    """Write a template of a header: the fields that matter most, each with an example."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.header.schema_documents import short_template, template
        from primad_ld.schema.fields import default_schema

        text = (template if all_fields else short_template)(default_schema())
        with writing(path, force=force) as stream:
            stream.write(text.encode())


@answering(output=False, interrupted=_INTERRUPTED)
def annotate(
    runs: _Runs,
    header: Annotated[
        list[Path] | None,
        typer.Option(
            "--header",
            "-H",
            help="A YAML file, or a run that has the header; of several, later ones win.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE",
            help="Set a field, such as actor.team=me; may be repeated, and wins over files.",
            autocompletion=completion.fields,
        ),
    ] = None,
    output: _OutputOrFolder = None,
    in_place: InPlace = False,
    sidecar: Annotated[
        bool,
        typer.Option(
            "--sidecar",
            help="Write each header beside its run, as RUN.yaml; runs are not changed.",
        ),
    ] = False,
    force: Force = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite fields that a run has with other values.")
    ] = False,
    digest: Annotated[
        bool,
        typer.Option(
            "--digest",
            help="Add the digest of the ranking, so that later changes of it are detected.",
        ),
    ] = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    verbose: Verbose = False,
    quiet: bool = False,
) -> HeaderChanges:
    """Write a header into runs, as comments at their top. The rankings do not change.

    Several runs, and folders, need --in-place, --sidecar or --output FOLDER/; nothing is written
    unless all of them can be. Each run gets the tag of its ranking (the last column) unless a
    header has one.

    Fields that a template left empty are left out. What a run has already is completed. Other
    tools do not read runs with comments: --sidecar writes the header beside the run, and strip
    takes it out again.
    """
    from primad_ld.header import annotation
    from primad_ld.header.field_settings import read_settings

    with progress("annotating", quiet=quiet) as on_progress:
        return annotation.annotate(
            runs,
            header or None,
            output,
            set=read_settings(set_ or ()),
            in_place=in_place,
            sidecar=sidecar,
            replace=replace,
            digest=digest,
            force=force,
            max_header=parse_bytes(max_header),
            progress=on_progress,
        )


@answering(output=False, interrupted=_INTERRUPTED)
def strip(
    runs: _Runs,
    output: _OutputOrFolder = None,
    in_place: InPlace = False,
    force: Force = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    verbose: Verbose = False,
    quiet: bool = False,
) -> HeaderChanges:
    """Write runs without their headers, as they were before they were annotated.

    Several runs, and folders, need --in-place or --output FOLDER/.
    """
    from primad_ld.header import annotation

    with progress("stripping", quiet=quiet) as on_progress:
        return annotation.strip(
            runs,
            output,
            in_place=in_place,
            force=force,
            max_header=parse_bytes(max_header),
            progress=on_progress,
        )


@answering("yaml")
class ShowCommand(Command):
    """Print the header of a run, completed by the header files beside and above it."""

    path: Annotated[
        str,
        typer.Argument(
            help="A run file or a YAML header; with --archive the tag or IRI of a run.",
            metavar="FILE",
            autocompletion=completion.runs,
        ),
    ]
    archive: ArchiveOption = None
    alone: Annotated[
        bool, typer.Option("--alone", help="Do not look for header files beside or above the run.")
    ] = False
    max_header: MaxHeader = DEFAULT_MAX_HEADER
    quiet: bool = False

    def answer(self) -> HeaderOutline:
        """The header of a run file, or of a run of an archive."""
        from primad_ld.header.header_outline import HeaderOutline
        from primad_ld.header.sources import read_completed

        if self.archive is not None or self._is_archived():
            self.ignore("an archive has the whole header", "alone", "max_header")
            from primad_ld.search.run_lookup import archived_header

            archived = archived_header(self.path, self.archive)
            return HeaderOutline(header=archived.header, place=archived.iri)
        most_bytes = parse_bytes(self.max_header)
        run = read_completed(self.path, most_bytes=most_bytes, sidecars=not self.alone)
        if run.tag_in_file is None:
            self.ignore("a header file is shown alone", "alone")
        # In every form: JSON is the header alone.
        say(*(f"note: {conflict}" for conflict in run.conflicts), quiet=self.quiet)
        place = str(run.header.file) if run.header.file is not None else run.file_name
        return HeaderOutline(header=run.header, place=place, tag_in_file=run.tag_in_file)

    def _is_archived(self) -> bool:
        """Whether a run of the usual archive is meant: there is such an archive, and no such file."""
        from primad_ld.archive.opening import is_there

        return not exists(self.path) and is_there(None)


def schema(
    format: Annotated[
        str, format_option(("jsonschema", "markdown"), help="JSON Schema, or a page of all fields.")
    ] = "jsonschema",
    output: Output = None,
    force: Force = False,
) -> None:
    """Write the schema of a header, compiled from the SHACL shapes."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.header.schema_documents import ARTEFACTS
        from primad_ld.schema.fields import default_schema

        with writing(output, force=force) as stream:
            stream.write(ARTEFACTS[format](default_schema()).encode())
