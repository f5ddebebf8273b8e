"""The commands of ``primad-ld``. Each is a thin skin over one function of the library."""

from __future__ import annotations

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
    headers,
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
    Jobs,
    MaxHeader,
    Output,
    Verbose,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
)
from primad_ld.cli.nanopubs import nanopub
from primad_ld.cli.options import Command

if TYPE_CHECKING:
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


#: What ``convert`` writes.
_CONVERTED: Final = ("nq", "nt", "ttl", "trig", "jsonld", "yaml")
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


@answering(output=False)
class ConvertCommand(Command):
    """Convert runs and headers to RDF, and RDF back to one YAML header for each run.

    The suffix of the output tells the format: .nq .nt .ttl .trig .jsonld, also compressed; any
    other output from RDF is a folder for YAML headers. --format is that of the report.
    """

    paths: Annotated[
        list[Path],
        typer.Argument(help="Runs, headers and folders of them; or RDF.", metavar="PATH…"),
    ]
    output: Output = None
    to: Annotated[
        str | None,
        format_option(
            _CONVERTED, "--to", help="Format of the output, if its suffix does not tell."
        ),
    ] = None
    base: Base = "https://w3id.org/primad-ld/id/"
    headers_only: HeadersOnly = False
    jobs: Jobs = None
    force: Force = False
    max_header: MaxHeader = DEFAULT_MAX_HEADER
    verbose: Verbose = False
    quiet: bool = False

    def answer(self) -> Report:
        """What was converted."""
        from primad_ld.rdf import conversion

        self._ignore_unused(self.to)
        with progress("converting", quiet=self.quiet) as on_progress:
            return conversion.convert(
                self.paths,
                self.output,
                to=self.to,
                base=self.base,
                headers_only=self.headers_only,
                jobs=self.jobs,
                force=self.force,
                max_header=parse_bytes(self.max_header),
                progress=on_progress,
            )

    def _ignore_unused(self, target: str | None) -> None:
        """Ignore what changes nothing about RDF."""
        from primad_ld.rdf.formats import format_of

        if not any(format_of(path) for path in self.paths if not os.path.isdir(path)):
            return
        self.ignore("RDF input has no rankings to skip", "headers_only", "verbose")
        target = target or (format_of(self.output) if self.output else None)
        if target in (None, "yaml"):
            self.ignore("headers have no IRIs of their own", "base")
        elif target in ("nq", "nt"):
            self.ignore(f"the format {target} always has full IRIs", "base")


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


app.command(rich_help_panel=_WRITE)(headers.init)
app.command(rich_help_panel=_WRITE)(headers.annotate)
app.command(rich_help_panel=_WRITE)(headers.strip)
app.command(rich_help_panel=_WRITE)(capturing.capture)
app.command(rich_help_panel=_CHECK)(headers.ShowCommand)
app.command(rich_help_panel=_CHECK)(validation.ValidateCommand)
app.command(rich_help_panel=_CHECK)(validation.profiles)
app.command(rich_help_panel=_CHECK)(headers.schema)
app.command(rich_help_panel=_SEARCH)(comparisons.BaselinesCommand)
app.command(rich_help_panel=_SEARCH)(comparisons.CompareCommand)
app.command(rich_help_panel=_SEARCH)(archive.QueryCommand)
app.command(rich_help_panel=_MEASURE)(evaluation.ScoreCommand)
app.command(rich_help_panel=_MEASURE)(evaluation.EvaluateCommand)
app.command(rich_help_panel=_MEASURE)(evaluation.measures)
app.command(rich_help_panel=_MEASURE)(qra.QraCommand)
app.add_typer(replication.replication, name="replication", rich_help_panel=_MEASURE)
app.add_typer(plotting.plot, name="plot", rich_help_panel=_MEASURE)
app.command(rich_help_panel=_PUBLISH)(ConvertCommand)
app.add_typer(nanopub, name="nanopub", rich_help_panel=_PUBLISH)
app.command(rich_help_panel=_ARCHIVE)(archive.load)
app.command(rich_help_panel=_ARCHIVE)(archive.info)
app.command(rich_help_panel=_ARCHIVE)(archive.remove)
app.command(rich_help_panel=_ARCHIVE)(archive.vacuum)
give_options_once(app)
