"""The commands about archives: load, info, query, remove, vacuum."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli import common, completion
from primad_ld.cli.answers import answering
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    Base,
    HeadersOnly,
    Jobs,
    MaxHeader,
    Verbose,
    check_finite,
    parse_bytes,
    progress,
)
from primad_ld.cli.options import Command
from primad_ld.core.library_arguments import MOST_SECONDS

if TYPE_CHECKING:
    from primad_ld.archive.loading import LoadReport
    from primad_ld.archive.maintenance import Info, Removal
    from primad_ld.tables.answers import Answer

ArchiveOption = Annotated[
    str | None,
    typer.Option(
        "--archive",
        "-a",
        metavar="ARCHIVE",
        help="A folder or the address of a SPARQL endpoint (default: "
        "$PRIMAD_LD_ARCHIVE, or ./primad-archive).",
    ),
]


@answering(
    output=False, interrupted="files loaded so far are complete; rerun the command to continue"
)
def load(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Runs, headers, nanopublications, folders of them.", metavar="PATH…"),
    ],
    archive: ArchiveOption = None,
    base: Base = "https://w3id.org/primad-ld/id/",
    headers_only: HeadersOnly = False,
    jobs: Jobs = None,
    max_header: MaxHeader = DEFAULT_MAX_HEADER,
    verbose: Verbose = False,
    quiet: bool = False,
) -> LoadReport:
    """Load runs, headers and nanopublications into an archive, and create it if needed.

    Unchanged files are not read again; a corrected header replaces its run. Nanopublications
    (.trig, .nq, .jsonld, .xml) are checked first; their bytes are kept beside the store.
    """
    from primad_ld.archive.loading import load_runs
    from primad_ld.rdf.bulk import Options

    options = Options(
        base=base, headers_only=headers_only, most_bytes=parse_bytes(max_header), jobs=jobs
    )
    with progress("loading", quiet=quiet) as on_progress:
        return load_runs(paths, archive, options=options, progress=on_progress)


@answering()
def info(archive: ArchiveOption = None) -> Info:
    """Count what an archive holds: runs, teams, collections, measures, components, triples."""
    from primad_ld.archive.maintenance import info as count
    from primad_ld.archive.opening import open_checked

    with open_checked(archive) as engine:
        return count(engine)


@answering("ttl", "nt", "xml", "srj", "rq")
class QueryCommand(Command):
    """Run a named query or your own SPARQL on an archive. Queries only read.

    Graphs (CONSTRUCT, DESCRIBE) are Turtle by default. xml and srj are SPARQL results in XML
    and JSON.
    """

    name: Annotated[
        str | None,
        typer.Argument(
            help="A named query, a file of SPARQL, SPARQL itself, or - for standard input.",
            autocompletion=completion.queries,
            metavar="QUERY",
        ),
    ] = None
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            "-p",
            help="Set a parameter of the query.",
            autocompletion=completion.parameters,
            metavar="NAME=VALUE",
        ),
    ] = None
    archive: ArchiveOption = None
    list_all: Annotated[bool, typer.Option("--list", help="List the named queries.")] = False
    sparql: Annotated[
        bool, typer.Option("--sparql", help="Print the query with its values, without running it.")
    ] = False
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            min=0.1,
            max=MOST_SECONDS,
            callback=check_finite,
            help="Stop the query after this many seconds.",
        ),
    ] = 60

    def answer(self) -> Answer:
        """The list of queries, the text of one, or what an archive answers to it."""
        from primad_ld.archive.opening import open_checked
        from primad_ld.archive.query_catalogue import QueryList
        from primad_ld.archive.user_queries import ask, find_query, query_text

        if self.list_all or self.name is None:
            why = "the named queries are listed"
            self.ignore(why, "parameters", "archive", "sparql", "timeout")
            return QueryList()
        values = common.parameters(self.parameters or [])
        if self.sparql:
            self.ignore("the query is not run", "timeout")
            return query_text(self.name, values, lambda: self.archive)
        with open_checked(self.archive, timeout=self.timeout) as engine:
            return ask(engine, find_query(self.name), values, timeout=self.timeout)


@answering(report=True)
def remove(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Runs by tag or IRI; assessments of precision and nanopublications by IRI.",
            autocompletion=completion.runs,
            metavar="TAG|IRI…",
        ),
    ],
    archive: ArchiveOption = None,
) -> Removal:
    """Remove runs from an archive. Run `vacuum` to delete unused components.

    Assessments kept by `qra` are removed by the IRI that `query precision --wide` prints,
    nanopublications with their contents by the URI that `query nanopubs` prints.
    """
    from primad_ld.archive.maintenance import remove_named
    from primad_ld.archive.write_access import open_archive

    with open_archive(archive) as (opened, _):
        return remove_named(opened.engine, names, opened)


@answering(report=True)
def vacuum(archive: ArchiveOption = None) -> Removal:
    """Delete unused components of an archive, and optimise its store."""
    from primad_ld.archive.maintenance import vacuum as clean
    from primad_ld.archive.write_access import open_archive

    with open_archive(archive) as (opened, _):
        return clean(opened.engine, opened)
