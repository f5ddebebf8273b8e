"""The commands of ``primad-ld``. Each is a thin skin over one function of the library."""

from __future__ import annotations

import enum
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli import (
    archive,
    capturing,
    comparisons,
    evaluation,
    evaluation_options,
    plotting,
    qra,
    replication,
    validation,
)
from primad_ld.cli.answers import answering
from primad_ld.cli.application import Application, FaultsGroup, give_options_once
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    Base,
    Force,
    HeadersOnly,
    InPlace,
    Jobs,
    MaxHeader,
    Output,
    Quiet,
    RunFile,
    Verbose,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
    say,
)
from primad_ld.cli.modes import check_effect, check_options
from primad_ld.cli.nanopubs import nanopub

if TYPE_CHECKING:
    from primad_ld.header.header_outline import HeaderOutline
    from primad_ld.rdf.bulk import Report
# The groups of ``--help``.
_WRITE: Final = "Write headers"
_CHECK: Final = "Check headers"
_SEARCH: Final = "Search"
_MEASURE: Final = "Measure"
_PUBLISH: Final = "Publish"
_ARCHIVE: Final = "Keep an archive"

# Libraries that take long to import are imported in the commands that need them.


app = Application(
    name="primad-ld",
    cls=FaultsGroup,
    help="The headers of TREC runs (ir_metadata) as linked data, and back.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class RdfFormat(enum.StrEnum):
    """What ``convert`` writes."""

    nq = "nq"
    nt = "nt"
    ttl = "ttl"
    trig = "trig"
    jsonld = "jsonld"
    yaml = "yaml"


class SchemaFormat(enum.StrEnum):
    """What ``schema`` writes."""

    jsonschema = "jsonschema"
    markdown = "markdown"


#: Those whose versions decide what is computed and how it is stored.
_LIBRARIES: Final = (
    "pytrec-eval-terrier",
    "ir-measures",
    "rdflib",
    "pyshacl",
    "pyoxigraph",
    "scipy",
)


def _print_version(value: bool) -> None:
    if value:
        import platform
        from importlib.metadata import version

        from primad_ld.core.version import __version__

        print(f"primad-ld {__version__} (Python {platform.python_version()})")
        print(*(f"{name} {version(name)}" for name in _LIBRARIES), sep=", ")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the versions of primad-ld and of the libraries that it computes with.",
        ),
    ] = False,
) -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What a terminal cannot show must not end in a traceback.
            stream.reconfigure(errors="backslashreplace")


@app.command(rich_help_panel=_WRITE)
def init(
    path: Annotated[
        Path | None, typer.Argument(help="The file to write.", metavar="[FILE]")
    ] = None,
    essential: Annotated[
        bool, typer.Option("--essential", help="Only the fields that matter most.")
    ] = False,
    force: Force = False,
) -> None:
    """Write a commented template of every field of a header."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.header.schema_documents import template
        from primad_ld.schema.fields import default_schema

        text = template(default_schema(), least_importance=2 if essential else 0)
        with writing(path, force=force) as stream:
            stream.write(text.encode())


@app.command(rich_help_panel=_WRITE)
def annotate(
    context: typer.Context,
    run: RunFile,
    header: Annotated[
        list[Path],
        typer.Option(
            "--header",
            "-H",
            help="A YAML file, or a run that has the header; of several, later ones win.",
        ),
    ],
    output: Output = None,
    in_place: InPlace = False,
    sidecar: Annotated[
        bool,
        typer.Option(
            "--sidecar",
            help="Write the header beside the run, as RUN.yaml; the run is not changed.",
        ),
    ] = False,
    force: Force = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the header that the run has.")
    ] = False,
    digest: Annotated[
        bool,
        typer.Option(
            "--digest", help="State the digest of the ranking, so that a change of it is found."
        ),
    ] = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    quiet: Quiet = False,
) -> None:
    """Write a header into a run file, as comments at its top. The ranking does not change.

    Fields that a template left empty are left out. Other tools do not read runs with comments:
    --sidecar writes the header beside the run, and strip takes it out again.
    """
    with exit_codes():
        from primad_ld.header import annotation

        check_options(context, "sidecar" if sidecar else "in place" if in_place else "apart")
        most_bytes = parse_bytes(max_header)
        filled, conflicts = annotation.read_filled_headers(header, most_bytes=most_bytes)
        for conflict in conflicts:
            say(f"note: {conflict}", quiet=quiet)
        if sidecar:
            path, tag = annotation.write_sidecar(
                run, filled, force=force, with_digest=digest, most_bytes=most_bytes
            )
            say(f"the header is in {path}", quiet=quiet)
        else:
            tag = annotation.annotate(
                run,
                filled,
                run if in_place else output,
                force=force or in_place,
                replace=replace,
                with_digest=digest,
                most_bytes=most_bytes,
            )
        if tag is not None and filled.tag is not None and tag != filled.tag:
            say(
                f"note: the header's tag is {filled.tag!r}, that of the ranking {tag!r}",
                quiet=quiet,
            )


@app.command(rich_help_panel=_WRITE)
def strip(
    context: typer.Context,
    run: RunFile,
    output: Output = None,
    in_place: InPlace = False,
    force: Force = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
) -> None:
    """Write a run file without its header, as it was before it was annotated."""
    with exit_codes():
        from primad_ld.header import annotation

        check_options(context, "in place" if in_place else "apart")
        target = run if in_place else output
        annotation.strip(run, target, force=force or in_place, most_bytes=parse_bytes(max_header))


@app.command(rich_help_panel=_CHECK)
@answering("yaml")
def show(
    context: typer.Context,
    path: Annotated[
        str,
        typer.Argument(
            help="A run file or a YAML header; with --archive the tag or IRI of a run.",
            metavar="FILE",
        ),
    ],
    archive: archive.ArchiveOption = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Do not look for header files beside or above the run.")
    ] = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    quiet: bool = False,
) -> HeaderOutline:
    """Print the header of a run, completed by the header files beside and above it."""
    from primad_ld.header.header_outline import HeaderOutline
    from primad_ld.header.sources import read_completed

    if archive is not None:
        from primad_ld.search.run_lookup import archived_header

        check_effect(context, {"alone": "with --archive", "max_header": "with --archive"})
        archived = archived_header(path, archive)
        return HeaderOutline(header=archived.header, place=archived.iri)
    run = read_completed(path, most_bytes=parse_bytes(max_header), sidecars=not alone)
    if run.tag_in_file is None:
        check_effect(context, {"alone": "on a header file, which no other file completes"})
    # In every form: JSON is the header alone.
    say(*(f"note: {conflict}" for conflict in run.conflicts), quiet=quiet)
    place = str(run.header.file) if run.header.file is not None else run.file_name
    return HeaderOutline(header=run.header, place=place, tag_in_file=run.tag_in_file)


@answering(output=False)
def convert(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(help="Runs, headers and folders of them; or RDF.", metavar="PATH…"),
    ],
    output: Output = None,
    to: Annotated[
        RdfFormat | None,
        format_option(RdfFormat, "--to", help="The format, where no suffix tells it."),
    ] = None,
    base: Base = "https://w3id.org/primad-ld/id/",
    headers_only: HeadersOnly = False,
    jobs: Jobs = None,
    force: Force = False,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    verbose: Verbose = False,
    quiet: bool = False,
) -> Report:
    """Convert runs and headers to RDF, and RDF back to one YAML header for each run.

    The suffix of the output tells the format: .nq .nt .ttl .trig .jsonld, also compressed; any
    other output from RDF is a folder for YAML headers. --format is that of the report.
    """
    from primad_ld.rdf import conversion
    from primad_ld.rdf.formats import format_of

    target = to.value if to is not None else None
    _check_direction(context, paths, target or (format_of(output) if output else None))
    with progress("converting", quiet=quiet) as on_progress:
        return conversion.convert(
            paths,
            output,
            to=target,
            base=base,
            headers_only=headers_only,
            jobs=jobs,
            force=force,
            max_header=parse_bytes(max_header),
            progress=on_progress,
        )


@app.command(rich_help_panel=_CHECK)
def schema(
    format: Annotated[
        SchemaFormat,
        format_option(
            SchemaFormat,
            help="JSON Schema, or a page of all fields.",
        ),
    ] = SchemaFormat.jsonschema,
    output: Output = None,
    force: Force = False,
) -> None:
    """Write the schema of a header, compiled from the SHACL shapes."""
    with exit_codes():
        from primad_ld.core.files import writing
        from primad_ld.header.schema_documents import ARTEFACTS
        from primad_ld.schema.fields import default_schema

        with writing(output, force=force) as stream:
            stream.write(ARTEFACTS[format.value](default_schema()).encode())


@app.command(rich_help_panel=_WRITE)
def demo(
    into: Annotated[
        Path | None,
        typer.Option("--into", help="Keep what the demo makes in this folder.", metavar="FOLDER"),
    ] = None,
) -> None:
    """Load, search, compare and evaluate a small archive of example runs, step by step."""
    with exit_codes():
        from primad_ld.cli.demo import tell_story

        tell_story(app, into)


app.command(rich_help_panel=_WRITE)(capturing.capture)
app.command(rich_help_panel=_CHECK)(validation.validate)
app.command(rich_help_panel=_CHECK)(validation.profiles)
app.command(rich_help_panel=_SEARCH)(comparisons.baselines)
app.command(rich_help_panel=_SEARCH)(comparisons.compare)
app.command(rich_help_panel=_SEARCH)(archive.query)
app.command(rich_help_panel=_MEASURE)(evaluation.score)
app.command(rich_help_panel=_MEASURE)(evaluation.evaluate)
app.command(rich_help_panel=_MEASURE)(evaluation.measures)
app.command(rich_help_panel=_MEASURE)(qra.qra)
app.add_typer(replication.replication, name="replication", rich_help_panel=_MEASURE)
app.add_typer(plotting.plot, name="plot", rich_help_panel=_MEASURE)
app.command(rich_help_panel=_PUBLISH)(convert)
app.add_typer(nanopub, name="nanopub", rich_help_panel=_PUBLISH)
app.command(rich_help_panel=_ARCHIVE)(archive.load)
app.command(rich_help_panel=_ARCHIVE)(archive.info)
app.command(rich_help_panel=_ARCHIVE)(archive.remove)
app.command(rich_help_panel=_ARCHIVE)(archive.vacuum)
plotting.evaluate_with(evaluation_options.evaluate_for_figure)
give_options_once(app)


def _check_direction(context: typer.Context, paths: list[Path], target: str | None) -> None:
    """Refuse what has no effect on runs, or on RDF."""
    from primad_ld.rdf.formats import format_of

    if not any(format_of(path) for path in paths if not os.path.isdir(path)):
        check_options(context, "lift")
    elif target in (None, "yaml"):
        check_options(context, "lower")
    else:
        check_options(context, "rewrite")
        if target in ("nq", "nt"):
            check_effect(context, {"base": f"from RDF to {target}, which has IRIs in full"})
