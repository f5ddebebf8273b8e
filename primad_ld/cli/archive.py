"""The commands about archives: load, info, query, remove, vacuum; and how two of them print."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from primad_ld.cli import common
from primad_ld.cli.answers import answering
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    UNREADABLE,
    Base,
    HeadersOnly,
    Jobs,
    MaxHeader,
    Quiet,
    Verbose,
    check_finite,
    exit_codes,
    format_option,
    parse_bytes,
    print_result,
    progress,
    say,
    say_error,
)
from primad_ld.cli.layout import add_row, as_json, new_table, rendered
from primad_ld.cli.modes import check_effect, check_options
from primad_ld.core.library_arguments import MOST_SECONDS

if TYPE_CHECKING:
    from primad_ld.archive.maintenance import Info
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


class InfoFormat(enum.StrEnum):
    """How ``info`` prints."""

    table = "table"
    json = "json"


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
    format: Annotated[
        InfoFormat, format_option(InfoFormat, help="Form of the report.")
    ] = InfoFormat.table,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """Load runs, headers and nanopublications into an archive, which is made if it is not there.

    Files that have not changed since they were loaded are not read again; a corrected header
    replaces its run. Nanopublications (.trig, .nq, .jsonld, .xml) are checked first, and their
    bytes kept beside the store.
    """
    with exit_codes("what was loaded so far is whole; rerun the command to continue"):
        from primad_ld.archive.loading import load_runs
        from primad_ld.archive.opening import archive_name
        from primad_ld.cli import load_reports as reports
        from primad_ld.rdf.bulk import Options

        check_options(context, "runs")
        options = Options(
            base=base, headers_only=headers_only, most_bytes=parse_bytes(max_header), jobs=jobs
        )
        with progress("loading", quiet=quiet) as on_progress:
            report = load_runs(paths, archive, options=options, progress=on_progress)
        for problem in report.problems:
            say_error(problem)
        if format is InfoFormat.json:
            print(reports.loaded_as_json(report))
        else:
            text = reports.loaded_as_text(report, archive_name(archive), verbose=verbose)
            say(*text, quiet=quiet)
        if report.problems:
            raise typer.Exit(UNREADABLE)


def info(
    archive: ArchiveOption = None,
    format: Annotated[InfoFormat, format_option(InfoFormat)] = InfoFormat.table,
) -> None:
    """Count what an archive holds: runs, teams, collections, measures, components, triples."""
    with exit_codes():
        from primad_ld.archive.maintenance import info as count
        from primad_ld.archive.opening import open_checked

        with open_checked(archive) as engine:
            found = count(engine)
        print_result(_INFO[format.value](found), for_machines=format.value != "table")


@answering("ttl", "nt", "xml", "srj", "rq")
def query(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            help="A named query, a file of SPARQL, SPARQL itself, or - for standard input.",
            metavar="QUERY",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", help="A value of a parameter.", metavar="NAME=VALUE"),
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


def remove(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Runs by tag or IRI; assessments of precision and nanopublications by IRI.",
            metavar="TAG|IRI…",
        ),
    ],
    archive: ArchiveOption = None,
    quiet: Quiet = False,
) -> None:
    """Take runs out of an archive. Components that no run has any more go with vacuum.

    Assessments that `qra` kept can be taken out, too: by the IRI that `query precision --wide`
    prints. So can nanopublications, with what only they hold: by the URI that `query nanopubs` prints.
    """
    with exit_codes():
        from primad_ld.archive.maintenance import remove_named
        from primad_ld.archive.write_access import open_archive

        with open_archive(archive) as (opened, _):
            for removed in remove_named(opened.engine, names, opened):
                say(f"removed {removed}", quiet=quiet)


def vacuum(archive: ArchiveOption = None, quiet: Quiet = False) -> None:
    """Take out components that no run has any more, and put the store's files in order."""
    with exit_codes():
        from primad_ld.archive.maintenance import vacuum as clean
        from primad_ld.archive.write_access import open_archive

        with open_archive(archive) as (opened, _):
            gone = clean(opened.engine, opened)
        say(f"removed {gone} component{'' if gone == 1 else 's'}", quiet=quiet)


# How info prints --------------------------------------------------------------------------

_MOST_VALUES: Final = 8


def _info_table(info: Info) -> str:
    from primad_ld.nanopub.checking import CheckState

    table = new_table("what", "how many", "which")
    table.columns[1].justify = "right"
    add_row(table, "runs", f"{info.runs:,}", "")
    add_row(table, "triples", f"{info.triples:,}", "")
    add_row(table, "rankings", f"{info.rankings:,}", "")
    add_row(table, "runs with scores", f"{info.scored:,}", _listed(info.judgements))
    add_row(table, "runs with scores by topic", f"{info.scored_by_topic:,}", "")
    add_row(table, "assessments", f"{info.assessments:,}", "")
    add_row(table, "assessments of precision", f"{info.precisions:,}", "")
    states = ", ".join(f"{state} ({count:,})" for state, count in info.nanopubs.items())
    # Those that are superseded, too; each has one state.
    in_all = sum(info.nanopubs.get(state, 0) for state in CheckState)
    add_row(table, "nanopublications", f"{in_all:,}", states)
    for name, values in (
        ("teams", info.teams),
        ("collections", info.collections),
        ("years", info.years),
        ("measures", info.measures),
    ):
        add_row(table, name, f"{len(values):,}", _listed(values))
    for name, count in info.components.items():
        add_row(table, f"distinct: {name}", f"{count:,}", "")
    return rendered(table)


def _listed(values: Mapping[str, int]) -> str:
    listed = [f"{value} ({count:,})" for value, count in list(values.items())[:_MOST_VALUES]]
    more = len(values) - _MOST_VALUES
    return ", ".join(listed) + (f" … {more:,} more" if more > 0 else "")


def _info_json(info: Info) -> str:
    return as_json(
        {
            "archive": info.archive,
            "runs": info.runs,
            "triples": info.triples,
            "rankings": info.rankings,
            "scored": info.scored,
            "scored_by_topic": info.scored_by_topic,
            "judgements": info.judgements,
            "assessments": info.assessments,
            "precisions": info.precisions,
            "nanopublications": info.nanopubs,
            "components": info.components,
            "teams": info.teams,
            "collections": info.collections,
            "years": info.years,
            "measures": info.measures,
        }
    )


_INFO: Final[Mapping[str, Callable[[Info], str]]] = {"table": _info_table, "json": _info_json}
