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
from primad_ld.cli.modes import check_effect, check_options
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
        help="A folder or the address of a SPARQL endpoint; $PRIMAD_LD_ARCHIVE or "
        "./primad-archive if left out.",
    ),
]


@answering(
    output=False, interrupted="what was loaded so far is whole; rerun the command to continue"
)
def load(
    context: typer.Context,
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
    """Load runs, headers and nanopublications into an archive, which is made if it is not there.

    Files that have not changed since they were loaded are not read again; a corrected header
    replaces its run. Nanopublications (.trig, .nq, .jsonld, .xml) are checked first, and their
    bytes kept beside the store.
    """
    from primad_ld.archive.loading import load_runs
    from primad_ld.rdf.bulk import Options

    check_options(context, "runs")
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
def query(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            help="A named query, a file of SPARQL, SPARQL itself, or - for standard input.",
            metavar="QUERY",
            autocompletion=completion.queries,
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            "-p",
            help="A value of a parameter.",
            metavar="NAME=VALUE",
            autocompletion=completion.parameters,
        ),
    ] = None,
    archive: ArchiveOption = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the named queries.")] = False,
    sparql: Annotated[
        bool, typer.Option("--sparql", help="Print the query with its values, without running it.")
    ] = False,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            min=0.1,
            max=MOST_SECONDS,
            callback=check_finite,
            help="Seconds after which a query is stopped.",
        ),
    ] = 60,
) -> Answer:
    """Ask an archive a named query or one of your own, in SPARQL. Queries only read.

    Graphs (CONSTRUCT, DESCRIBE) are Turtle if you name no format. xml and srj
    are the W3C's SPARQL results in XML and JSON.
    """
    from primad_ld.archive.opening import open_checked
    from primad_ld.archive.query_catalogue import QueryList
    from primad_ld.archive.user_queries import ask, find_query, query_text

    is_list = list_all or name is None
    check_options(context, "list" if is_list else "text" if sparql else "answer")
    if list_all or name is None:
        return QueryList()
    values = common.parameters(parameters or [])
    if sparql:
        why = {"archive": "with --sparql where no run is named"}
        return query_text(name, values, archive, when_unused=lambda: check_effect(context, why))
    with open_checked(archive, timeout=timeout) as engine:
        return ask(engine, find_query(name), values, timeout=timeout)


@answering(report=True)
def remove(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Runs by tag or IRI; assessments of precision and nanopublications by IRI.",
            metavar="TAG|IRI…",
            autocompletion=completion.runs,
        ),
    ],
    archive: ArchiveOption = None,
) -> Removal:
    """Take runs out of an archive. Run `vacuum` to delete components that no run has any more.

    Assessments that `qra` kept can be taken out, too: by the IRI that `query precision --wide`
    prints. So can nanopublications, with what only they hold: by the URI that `query nanopubs` prints.
    """
    from primad_ld.archive.maintenance import remove_named
    from primad_ld.archive.write_access import open_archive

    with open_archive(archive) as (opened, _):
        return remove_named(opened.engine, names, opened)


@answering(report=True)
def vacuum(archive: ArchiveOption = None) -> Removal:
    """Take out components that no run has any more, and put the store's files in order."""
    from primad_ld.archive.maintenance import vacuum as clean
    from primad_ld.archive.write_access import open_archive

    with open_archive(archive) as (opened, _):
        return clean(opened.engine, opened)
