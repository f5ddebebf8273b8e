"""The commands that put runs beside each other: baselines, compare."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from primad_ld.cli.answers import answering
from primad_ld.cli.archive import ArchiveOption
from primad_ld.cli.modes import check_options

if TYPE_CHECKING:
    from primad_ld.search.competing_runs import BaselineReport
    from primad_ld.search.pair_selection import PairRows, TypeCounts
    from primad_ld.search.studies import StudyPairs

_SHOWN = 30

Limit = Annotated[
    int | None, typer.Option("--limit", min=0, help="Maximum number of rows (0: all); tables: 30.")
]


@answering()
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
        str,
        typer.Option(
            "--measure", "-m", help="Runs that report it or have scores by it, in their order."
        ),
    ] = "",
    toolkit: Annotated[
        str, typer.Option("--toolkit", help="List only runs made with this toolkit.")
    ] = "",
    automatic: Annotated[
        bool, typer.Option("--automatic", help="List only runs that say they are automatic.")
    ] = False,
    year: Annotated[
        int | None,
        typer.Option("--year", min=0, max=9999, help="List runs of this year and earlier only."),
    ] = None,
    as_of: Annotated[
        int | None,
        typer.Option(
            "--as-of",
            metavar="YEAR",
            min=0,
            max=9999,
            help="Judge declared baselines by runs up to this year; the year before the study's "
            "if left out.",
        ),
    ] = None,
    judgements: Annotated[
        str,
        typer.Option(
            "--judgements",
            metavar="NAME|DIGEST",
            help="Rank by scores under these: the name of their file, or the first digits of their "
            "digest; those that most of the runs were scored by if left out.",
        ),
    ] = "",
    own_team: Annotated[
        bool, typer.Option("--own-team", help="Also runs of the run's own team.")
    ] = False,
    any_kind: Annotated[
        bool, typer.Option("--any-kind", help="Rank manual and automatic runs together.")
    ] = False,
    limit: Limit = None,
    format: str = "",
) -> BaselineReport:
    """Find runs to compare a run with, and see whether its declared baselines are weak ones.

    Runs are ranked by their scores under the same judgements. A run is stronger than a baseline
    where a paired test on scores by topic says so, corrected for the number of teams.
    """
    from primad_ld.search.baselines import find_baselines
    from primad_ld.search.comparable_runs import Criteria
    from primad_ld.search.run_lookup import look_up

    check_options(context, "criteria" if run is None else "run")
    criteria = Criteria(
        collection=collection, toolkit=toolkit, automatic_only=automatic, until=year
    )
    if others and archive is not None:
        raise typer.BadParameter("name files or an archive, not both")
    with look_up(run, others or [], archive) as found:
        report = find_baselines(
            found.engine,
            found.run,
            criteria,
            measure=measure,
            judgements=judgements,
            as_of=as_of,
            own_team=own_team,
            any_kind=any_kind,
            limit=_most(limit, format),
        )
        return replace(report, notes=(*found.notes, *report.notes), problems=tuple(found.problems))


@answering()
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
        list[str] | None,
        typer.Argument(
            help="What to compare it with: files and folders, or archived runs by tag or IRI; all "
            "of the archive if left out.",
            metavar="[RUN…]",
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
    format: str = "",
) -> PairRows | TypeCounts | StudyPairs:
    """Tell how runs differ along PRIMAD: priMad means that the method differs and nothing else.

    Small letters are components that are the same, capitals those that differ, ? cannot be decided,
    and - is not described. The strict type (--wide) asks for equality of all that headers say.
    """
    from primad_ld.compare.primad_types import parse_types
    from primad_ld.search.pair_selection import Selection, compared, study_pairs
    from primad_ld.search.run_lookup import look_up

    is_study = pairs or study is not None
    kind = "all-pairs" if all_pairs else ("study" if study else "pairs") if is_study else "one"
    check_options(context, f"{kind} grouped" if group and not is_study else kind)
    wanted = Selection(
        collection=collection, baseline=baseline, types=parse_types(types or ()), strict=strict
    )
    given = others or []
    if all_pairs or is_study:
        reference, given = None, [*([reference] if reference is not None else []), *given]
    elif reference is None:
        raise typer.BadParameter(
            "name a run to compare with, or use --all-pairs, --pairs or --study"
        )
    elif not given and archive is None and Path(reference).is_dir():
        raise typer.BadParameter(
            f"{reference} is a folder; name a run before it, or use --all-pairs to compare its runs"
        )
    paths, names = _files_or_runs(given, archive)
    with look_up(reference, paths, archive, only=names) as found:
        if is_study:
            return study_pairs(found, study, wanted)
        chosen = compared(found, wanted)
        if group:
            return chosen.type_counts()
        most = _most(limit, format)
        return chosen.rows(most, with_differences=format == "json", explained=explain)


def _files_or_runs(given: list[str], archive: str | None) -> tuple[list[str], list[str]]:
    """What is to be compared: files and folders, or archived runs."""
    from primad_ld.archive.opening import is_there

    if archive is not None or (not any(map(os.path.exists, given)) and is_there(archive)):
        return [], given
    return given, []


def _most(limit: int | None, form: str) -> int | None:
    from primad_ld.tables.writers import FOR_MACHINES

    usual = None if form in FOR_MACHINES else _SHOWN
    return usual if limit is None else limit or None
