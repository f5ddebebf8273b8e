"""The commands about archives: load, info, baselines, compare, query, remove, vacuum."""

from __future__ import annotations

import contextlib
import enum
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli import naming
from primad_ld.cli.common import (
    DEFAULT_MAX_HEADER,
    UNREADABLE,
    Base,
    HeadersOnly,
    Jobs,
    MaxHeader,
    Output,
    Quiet,
    Verbose,
    exit_codes,
    format_option,
    parse_bytes,
    progress,
    say,
    say_error,
)
from primad_ld.cli.modes import check_effect, check_options

if TYPE_CHECKING:
    from primad_ld.lookup import Found

_SHOWN = 30

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
Limit = Annotated[
    int | None, typer.Option("--limit", min=0, help="Maximum number of rows (0: all); tables: 30.")
]


class ListFormat(enum.StrEnum):
    """How a list of runs is printed."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"


class InfoFormat(enum.StrEnum):
    """How ``info`` prints."""

    table = "table"
    json = "json"


class AnswerFormat(enum.StrEnum):
    """How ``query`` prints."""

    table = "table"
    csv = "csv"
    tsv = "tsv"
    json = "json"
    xml = "xml"
    ttl = "ttl"
    nt = "nt"


Format = Annotated[ListFormat, format_option(ListFormat)]


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
        from primad_ld.archive.opening import archive_name, load_runs
        from primad_ld.bulk import Options
        from primad_ld.cli import report as reports

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
        from primad_ld.archive.opening import open_engine
        from primad_ld.cli import overview

        with open_engine(archive) as engine:
            found = count(engine)
        _print(overview.INFO[format.value](found))


def baselines(
    context: typer.Context,
    run: Annotated[
        str | None,
        typer.Argument(help="A run file or YAML header, or the tag or IRI of an archived run."),
    ] = None,
    others: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files and folders to search instead of an archive.", metavar="[PATH…]"
        ),
    ] = None,
    archive: ArchiveOption = None,
    collection: Annotated[
        str, typer.Option("--collection", help="Runs on this test collection.")
    ] = "",
    measure: Annotated[
        str, typer.Option("--measure", "-m", help="Runs that report it, ordered by its scores.")
    ] = "",
    toolkit: Annotated[str, typer.Option("--toolkit", help="Runs made with this toolkit.")] = "",
    automatic: Annotated[bool, typer.Option("--automatic", help="No manual runs.")] = False,
    year: Annotated[
        int | None, typer.Option("--year", help="List runs of this year and earlier only.")
    ] = None,
    as_of: Annotated[
        int | None,
        typer.Option(
            "--as-of",
            metavar="YEAR",
            help="Judge declared baselines by runs up to this year; the study's own if left out.",
        ),
    ] = None,
    own_team: Annotated[
        bool, typer.Option("--own-team", help="Runs of the run's own team, too.")
    ] = False,
    limit: Limit = None,
    format: Format = ListFormat.table,
) -> None:
    """Find runs to compare a run with, and see whether its declared baselines are weak ones."""
    with exit_codes():
        from primad_ld.baselines import find_baselines
        from primad_ld.cli import tables
        from primad_ld.search import Criteria

        check_options(context, "criteria" if run is None else "run")
        criteria = Criteria(
            collection=collection, toolkit=toolkit, automatic_only=automatic, until=year
        )
        with _looked_up(run, others, archive) as found:
            report = find_baselines(
                found.engine,
                found.run,
                criteria,
                measure=measure,
                as_of=as_of,
                own_team=own_team,
                limit=_most(limit, format),
            )
            _print(tables.BASELINES[format.value](report))
            if format is not ListFormat.json:
                for warning in report.warnings:
                    say(f"warning: {warning}")
                for note in report.notes:
                    say(f"note: {note}")


def compare(
    context: typer.Context,
    reference: Annotated[
        str | None,
        typer.Argument(
            help="A run file or YAML header, or the tag or IRI of an archived run.",
            metavar="[REFERENCE]",
        ),
    ] = None,
    others: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Files and folders to compare instead of an archive.", metavar="[PATH…]"
        ),
    ] = None,
    archive: ArchiveOption = None,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Each run with each other one.")
    ] = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Baseline and advanced runs, and reproductions of both.")
    ] = False,
    study: Annotated[
        Path | None,
        typer.Option("--study", help="A YAML file that names the pairs of a study."),
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help='Pairs of these types only: priMad, "PR?M\'AD".'),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Let --type and --group go by strict equality.")
    ] = False,
    collection: Annotated[
        str, typer.Option("--collection", help="Runs on this test collection only.")
    ] = "",
    baseline: Annotated[
        str, typer.Option("--baseline", help="Runs that name this baseline only.")
    ] = "",
    group: Annotated[bool, typer.Option("--group", help="Count the pairs of each type.")] = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Say what decided, with both values, and what does not count."
        ),
    ] = False,
    limit: Limit = None,
    format: Format = ListFormat.table,
) -> None:
    """Tell how runs differ along PRIMAD: priMad means that the method differs and nothing else.

    Small letters are components that are the same, capitals those that differ, ? cannot be decided,
    and - is not described. The strict type asks for equality of all that headers say.
    """
    with exit_codes():
        from primad_ld.cli import tables
        from primad_ld.compare.types import parse_types
        from primad_ld.selection import Selection, compared, study_pairs

        is_study = pairs or study is not None
        kind = "all-pairs" if all_pairs else ("study" if study else "pairs") if is_study else "one"
        check_options(context, f"{kind} grouped" if group and not is_study else kind)
        wanted = Selection(
            collection=collection,
            baseline=baseline,
            types=parse_types(types or ()),
            strict=strict,
        )
        alone = all_pairs or is_study
        paths = [Path(reference)] if alone and reference is not None else []
        with _looked_up(None if alone else reference, [*paths, *(others or [])], archive) as found:
            if is_study:
                found_pairs = study_pairs(found, study, wanted)
                _print(tables.PAIRS[format.value](found_pairs))
                for problem in found_pairs.problems:
                    say(f"note: {problem}")
                return
            if found.run is None and not all_pairs:
                raise typer.BadParameter(
                    "name a run to compare with, or use --all-pairs, --pairs or --study"
                )
            pairs_found = compared(found, wanted)
            say(*(f"note: {note}" for note in pairs_found.notes))
            if group:
                _print(tables.GROUPS[format.value](pairs_found.counts()))
                return
            rows = pairs_found.rows(
                _most(limit, format), with_differences=explain or format is ListFormat.json
            )
            _print(tables.COMPARISONS[format.value](rows, explain))


def query(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(help="A named query, a file of SPARQL, or - for standard input."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", help="A value of a parameter.", metavar="NAME=VALUE"),
    ] = None,
    archive: ArchiveOption = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the named queries.")] = False,
    sparql: Annotated[
        bool, typer.Option("--sparql", help="Print the query with its values, and ask nothing.")
    ] = False,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="Seconds after which a query is stopped.")
    ] = 60,
    format: Annotated[
        AnswerFormat | None, format_option(AnswerFormat, help="How to print; graphs as ttl or nt.")
    ] = None,
    output: Output = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Ask an archive a named query or one of your own, in SPARQL. Queries only read."""
    with exit_codes():
        from primad_ld.archive.asking import answer, listing, query_text
        from primad_ld.archive.opening import open_engine
        from primad_ld.cli import overview
        from primad_ld.files import writing

        asked = "list" if list_all or name is None else "text" if sparql else "answer"
        check_options(context, asked)
        if list_all or name is None:
            _print(overview.listing(listing()))
            return
        values = naming.parameters(parameters or [])
        if sparql:
            why = {"archive": "with --sparql where no run is named"}
            text = query_text(name, values, archive, when_unused=lambda: check_effect(context, why))
            with writing(output, force=force) as stream:
                stream.write(text.encode())
            return
        with open_engine(archive, timeout=timeout) as engine:
            text = answer(
                engine,
                name,
                values,
                format=format.value if format is not None else None,
                timeout=timeout,
                for_terminal=output is None and sys.stdout.isatty(),
            )
        with writing(output, force=force) as stream:
            stream.write(text.encode())


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

    Assessments that `qra` kept can be taken out, too: by the IRI that `query precision` prints. So
    can nanopublications, with what only they hold: by the URI that `query nanopubs` prints.
    """
    with exit_codes():
        from primad_ld.archive.maintenance import remove_named
        from primad_ld.archive.opening import open_place

        with open_place(archive) as (place, _):
            for removed in remove_named(place.engine, names, place):
                say(f"removed {removed}", quiet=quiet)


def vacuum(archive: ArchiveOption = None, quiet: Quiet = False) -> None:
    """Take out components that no run has any more, and put the store's files in order."""
    with exit_codes():
        from primad_ld.archive.maintenance import vacuum as clean
        from primad_ld.archive.opening import open_place

        with open_place(archive) as (place, _):
            gone = clean(place.engine, place)
        say(f"removed {gone} component{'' if gone == 1 else 's'}", quiet=quiet)


@contextlib.contextmanager
def _looked_up(run: str | None, others: list[Path] | None, archive: str | None) -> Iterator[Found]:
    from primad_ld.lookup import look_up

    if others and archive is not None:
        raise typer.BadParameter("name files or an archive, not both")
    with look_up(run, others or [], archive) as found:
        for note in found.notes:
            say(f"note: {note}")
        for problem in found.problems:
            say_error(problem)
        yield found
        if found.problems:
            raise typer.Exit(UNREADABLE)


def _most(limit: int | None, format: ListFormat) -> int | None:
    usual = _SHOWN if format is ListFormat.table else None
    return usual if limit is None else limit or None


def _print(text: str) -> None:
    from primad_ld.files import writing

    with writing(None) as stream:
        stream.write(text.encode(errors="backslashreplace"))
